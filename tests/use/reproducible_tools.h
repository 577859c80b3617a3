/* reproducible_tools.h - hashes of bits, and what they must be */
#ifndef BLN_TESTS_REPRODUCIBLE_TOOLS_H
#define BLN_TESTS_REPRODUCIBLE_TOOLS_H
#include "../test.h"

/* FNV-1a, 64 bits, over little-endian bytes. NaN is one NaN: IEEE leaves its sign and payload open. */
static uint64_t reproducible_hash;

static void reproducible_byte(unsigned byte) { reproducible_hash = (reproducible_hash ^ byte)*UINT64_C(0x100000001b3); }

static bln_status reproducible_write(void *user, const void *bytes, size_t n)
{
    (void)user;
    for (size_t i = 0; i < n; i++) reproducible_byte(((const unsigned char *)bytes)[i]);
    return BLN_OK;
}

static void reproducible_word(uint64_t word)
{
    for (int i = 0; i < 64; i += 8) reproducible_byte((unsigned)(word >> i & 0xff));
}

static void reproducible_doubles(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = UINT64_C(0x7ff8000000000000);
        if (x[i] == x[i]) memcpy(&bits, x + i, sizeof bits);
        reproducible_word(bits);
    }
}

static void reproducible_double(double x) { reproducible_doubles(1, &x); }

static uint64_t reproducible_run(void (*group)(void))
{
    reproducible_hash = UINT64_C(0xcbf29ce484222325);
    group();
    return reproducible_hash;
}

/* Under the option the hash is `want`; else it depends on the build, but not on when it is asked for. */
static void reproducible_check(void (*group)(void), const char *name, uint64_t want)
{
    const uint64_t got = reproducible_run(group);
#ifndef BAYESLIN_REPRODUCIBLE
    want = reproducible_run(group);
#endif
    CHECK(got == want);
    if (got != want) printf("    %s: 0x%08lx%08lx\n", name, (unsigned long)(got >> 32), (unsigned long)(got & 0xffffffffu));
}

/* Each name of a list has a hash of its own, so that a new name adds an entry and changes no other. `group` hashes what
 * reproducible_name names. */
typedef struct reproducible_entry { const char *name; uint64_t hash; } reproducible_entry;
static const char *reproducible_name;

static void reproducible_listed(void (*group)(void), const char *name, const reproducible_entry *list, size_t n)
{
    size_t i = 0;
    while (i < n && strcmp(list[i].name, name)) i++;
    CHECK(i < n);
    if (i == n) printf("    %s: no hash is written here for it (with -DBAYESLIN_REPRODUCIBLE the next line has it)\n", name);
    reproducible_name = name;
    reproducible_check(group, name, i < n ? list[i].hash : 0);
}

#define REPRODUCIBLE(name, hash) \
    TEST(reproducible, name) { reproducible_check(reproducible_##name, #name, UINT64_C(hash)); }

#endif /* BLN_TESTS_REPRODUCIBLE_TOOLS_H */

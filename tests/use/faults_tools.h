/* faults_tools.h - the life of an object under failing memory: each call that fails is repeated, and the results must be the same
 *
 * A life is a function that makes, uses and frees objects, and calls the library through MAY and TRY. These evaluate a call a
 * second time if memory failed in it, with memory that works again. So a life goes on to its end, whichever allocation fails. Its
 * sum over all results must then have the same bits as without failures: a call that failed has changed nothing. */
#ifndef BLN_TESTS_FAULTS_TOOLS_H
#define BLN_TESTS_FAULTS_TOOLS_H
#include "../test.h"

enum { FAULT_BYTES = 1 << 17 };
typedef struct fault_run {
    uint64_t   sum;                /* of all results of the life                          */
    size_t     failures;           /* calls that returned BLN_ENOMEM                      */
    int        io;                 /* 1: records are also written and read with failures; 2: at up to 2000 places */
    bln_status status;             /* of the last call                                    */
    bln_report r;
    const char *wrong;             /* a call that broke a rule, and how                   */
    const char *what;
} fault_run;

/* Names of the functions that succeeded in some life. */
typedef struct fault_names { size_t n; char name[400][64]; } fault_names;
static fault_names fault_known;

static void fault_name(const char *text)
{
    size_t length = 0;
    while (text[length] == '_' || (text[length] >= 'a' && text[length] <= 'z') || (text[length] >= '0'
        && text[length] <= '9')) length++;
    if (length >= sizeof fault_known.name[0]) return;
    for (size_t k = 0; k < fault_known.n; k++)
        if (!strncmp(fault_known.name[k], text, length) && !fault_known.name[k][length]) return;
    if (fault_known.n == sizeof fault_known.name/sizeof *fault_known.name) return;
    memcpy(fault_known.name[fault_known.n], text, length);
    fault_known.name[fault_known.n++][length] = '\0';
}

static void fault_wrong(fault_run *f, const char *call, const char *what) { if (!f->wrong) { f->wrong = call; f->what = what; } }

static void fault_add(fault_run *f, const void *bytes, size_t n)
{
    const unsigned char *b = (const unsigned char *)bytes;
    for (size_t i = 0; i < n; i++) f->sum = (f->sum ^ b[i])*UINT64_C(1099511628211);
}
static void fault_doubles(fault_run *f, size_t n, const double *v) { fault_add(f, v, n*sizeof *v); }

/* Must the call be repeated? Then memory works from now on. */
static int fault_failed(fault_run *f, const char *call)
{
    if (f->status != BLN_ENOMEM || !test_fault.failed || f->failures) return 0;
    f->failures++;
    test_fault.at = (size_t)-1;
    if (strstr(call, "&f->r") && !f->r.text[0]) fault_wrong(f, call, "failed without a reason");
    return 1;
}
static void fault_done(fault_run *f, const char *call)
{
    const int status = (int)f->status;
    if (f->status == BLN_OK) fault_name(call);
    fault_add(f, &status, sizeof status);
}

/* MAY: a call that may also fail for other reasons. TRY: one that must succeed; if not, the life ends. MAKE: one that must succeed
 * and makes p; after a failure of memory p must still be NULL. */
#define MAY(call) do { f->status = (call); if (fault_failed(f, #call)) f->status = (call); fault_done(f, #call); } while (0)
#define TRY(call) do { \
        MAY(call); \
        if (f->status != BLN_OK) { fault_wrong(f, #call, bln_status_name(f->status)); goto end; } \
    } while (0)
#define MAKE(p, call) do { \
        f->status = (call); \
        if (fault_failed(f, #call)) { \
            if (p) { fault_wrong(f, #call, "failed, and left something"); goto end; } \
            f->status = (call); \
        } \
        fault_done(f, #call); \
        if (f->status != BLN_OK) { fault_wrong(f, #call, bln_status_name(f->status)); goto end; } \
    } while (0)

/* ---- records: saved, loaded, saved again */

typedef struct fault_kind {
    const char *saves, *loads;
    bln_status (*save)(const void *p, bln_writer *w);
    bln_status (*load)(const bln_load *context, bln_reader *r, void **out);
    void       (*release)(void *p);
} fault_kind;

/* A stream that ends with BLN_EIO at byte `at`. */
typedef struct fault_stream { unsigned char *bytes; size_t used, at; } fault_stream;
static bln_status fault_write(void *user, const void *bytes, size_t n)
{
    fault_stream *s = (fault_stream *)user;
    if (n > s->at - s->used) return BLN_EIO;
    if (n) memcpy(s->bytes + s->used, bytes, n);
    s->used += n;
    return BLN_OK;
}
static bln_status fault_read(void *user, void *bytes, size_t n)
{
    fault_stream *s = (fault_stream *)user;
    if (n > s->at - s->used) return BLN_EIO;
    if (n) memcpy(bytes, s->bytes + s->used, n);
    s->used += n;
    return BLN_OK;
}

/* Writes and reads n valid bytes, with a failure at each of them. */
static void fault_stops(fault_run *f, const fault_kind *kind, const void *p, unsigned char *good, size_t n, const bln_load *all)
{
    static unsigned char other[FAULT_BYTES];
    const size_t live = test_fault.live, step = f->io > 1 ? 1 : 1 + n/40;
    for (size_t at = 0; at < n; at += step) {
        fault_stream s = { other, 0, at };
        void *back = NULL;
        s.bytes = other;
        bln_writer w = bln_writer_over(fault_write, &s);
        if (kind->save(p, &w) != BLN_EIO || w.status != BLN_EIO) fault_wrong(f, kind->saves, "did not pass a failed write on");
        s.bytes = good;
        s.used = 0;
        bln_reader r = bln_reader_over(fault_read, &s, UINT64_MAX, &f->r);
        if (kind->load(all, &r, &back) != BLN_EIO || back) fault_wrong(f, kind->loads, "did not pass a failed read on");
        if (test_fault.live != live) { fault_wrong(f, kind->loads, "left memory behind when reading failed"); return; }
    }
}

static void fault_journey(fault_run *f, const fault_kind *kind, const void *p)
{
    static unsigned char bytes[FAULT_BYTES];
    bln_memory_stream m;
    const bln_load all = bln_builtin();
    void *back = NULL;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    f->status = kind->save(p, &w);
    fault_done(f, kind->saves);
    if (f->status != BLN_OK) return;
    const size_t n = m.at;
    fault_add(f, bytes, n);
    for (int again = 0; again < 2; again++) {
        bln_reader r = bln_memory_reader(&m, bytes, n, &f->r);
        f->status = kind->load(&all, &r, &back);
        if (f->status == BLN_OK) break;
        if (back) fault_wrong(f, kind->loads, "failed, and left something");
        if (!fault_failed(f, "&f->r")) break;
    }
    fault_done(f, kind->loads);
    if (f->status != BLN_OK) { fault_wrong(f, kind->loads, bln_status_name(f->status)); return; }
    bln_writer again = bln_writer_over(NULL, NULL);
    kind->save(back, &again);
    if (again.checksum != w.checksum) fault_wrong(f, kind->saves, "what was loaded is not what was saved");
    kind->release(back);
    if (f->io) fault_stops(f, kind, p, bytes, n, &all);
}

#define FAULT_KIND(name, type, load_by, saves, loads, releases) \
    static bln_status fault_save_##name(const void *p, bln_writer *w) { return saves((const type *)p, w); } \
    static bln_status fault_load_##name(const bln_load *all, bln_reader *r, void **out) \
    { \
        type *p = NULL; \
        const bln_status status = loads(load_by, r, &p); \
        *out = p; \
        return status; \
    } \
    static void fault_free_##name(void *p) { releases((type *)p); } \
    static const fault_kind fault_##name##_kind = { #saves, #loads, fault_save_##name, fault_load_##name, fault_free_##name };

FAULT_KIND(basis, bln_basis, all, bln_basis_save, bln_basis_load_any, bln_basis_free)
FAULT_KIND(slm, bln_slm, all, bln_slm_save, bln_slm_load, bln_slm_free)
FAULT_KIND(integrated, bln_slm_integrated, all, bln_slm_integrated_save, bln_slm_integrated_load, bln_slm_integrated_free)
FAULT_KIND(glm, bln_glm, all, bln_glm_save, bln_glm_load, bln_glm_free)
FAULT_KIND(chains, bln_chains, all, bln_chains_save, bln_chains_load, bln_chains_free)
FAULT_KIND(posterior, bln_posterior, all, bln_posterior_save, bln_posterior_load, bln_posterior_free)
FAULT_KIND(scaler, bln_scaler, &all->alloc, bln_scaler_save, bln_scaler_load, bln_scaler_free)
FAULT_KIND(conformal, bln_conformal, &all->alloc, bln_conformal_save, bln_conformal_load, bln_conformal_free)

/* Loads into an object that exists: a new one of this desc. */
static const bln_statistics_desc *fault_sums;
static const bln_sequential_desc *fault_rows_of;
static bln_status fault_sums_load(const bln_load *all, bln_reader *r, bln_statistics **out)
{
    bln_statistics *t = NULL;
    bln_status status = bln_statistics_create(fault_sums, &t, r->report);
    (void)all;
    if (status == BLN_OK) status = bln_statistics_load(t, r);
    if (status == BLN_OK) *out = t;
    else bln_statistics_free(t);
    return status;
}
static bln_status fault_rows_load(const bln_load *all, bln_reader *r, bln_sequential **out)
{
    bln_sequential *t = NULL;
    bln_status status = bln_sequential_create(fault_rows_of, &t, r->report);
    (void)all;
    if (status == BLN_OK) status = bln_sequential_load(t, r);
    if (status == BLN_OK) *out = t;
    else bln_sequential_free(t);
    return status;
}
FAULT_KIND(sums, bln_statistics, all, bln_statistics_save, fault_sums_load, bln_statistics_free)
FAULT_KIND(row, bln_sequential, all, bln_sequential_save, fault_rows_load, bln_sequential_free)

/* ---- lives under all failures ---- */

typedef void (*fault_life)(fault_run *f, size_t which);

static fault_run fault_live(fault_life life, size_t which, size_t at, int once, int io)
{
    fault_run f;
    memset(&f, 0, sizeof f);
    f.sum = UINT64_C(14695981039346656037);
    f.io = io;
    test_fault.calls = test_fault.failed = 0;
    test_fault.at = at;
    test_fault.once = once;
    life(&f, which);
    test_fault.at = (size_t)-1;
    return f;
}

static void fault_complain(const char *name, size_t which, size_t at, int once, const fault_run *f, const char *what)
{
    char text[700];
    snprintf(text, sizeof text, "life %s(%lu), allocation %ld %s: %.100s %.100s %.255s", name, (unsigned long)which,
             at == (size_t)-1 ? -1L : (long)at, once ? "once" : "and all later ones", f->wrong ? f->wrong : "", what, f->r.text);
    test_fail(__FILE__, __LINE__, text);
}

/* Runs lives `which` with failures of allocations first, first + step, ...; io: of streams too. */
static void fault_all(const char *name, fault_life life, size_t which, size_t first, size_t step, int io)
{
    const size_t live = test_fault.live;
    const fault_run good = fault_live(life, which, (size_t)-1, 0, io), plain = fault_live(life, which, (size_t)-1, 0, 0);
    const size_t calls = test_fault.calls;
    test_checks++;
    if (good.wrong) { fault_complain(name, which, (size_t)-1, 0, &good, good.what); return; }
    if (test_fault.live != live) { fault_complain(name, which, (size_t)-1, 0, &good, "leaves memory behind"); return; }
    if (good.sum != plain.sum) { fault_complain(name, which, (size_t)-1, 0, &good, "is another the second time"); return; }
    for (int once = 0; once < 2; once++)
        for (size_t at = first; at < calls; at += step) {
            const fault_run f = fault_live(life, which, at, once, 0);
            test_checks++;
            if (f.wrong) fault_complain(name, which, at, once, &f, f.what);
            else if (!test_fault.failed) fault_complain(name, which, at, once, &f, "this allocation is not made");
            else if (f.sum != good.sum) fault_complain(name, which, at, once, &f, "ends otherwise");
            if (test_fault.live != live) { fault_complain(name, which, at, once, &f,
                "leaves memory behind"); test_fault.live = live; }
        }
}

#endif /* BLN_TESTS_FAULTS_TOOLS_H */

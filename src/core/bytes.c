/* bytes: little-endian numbers through a callback, with a running FNV-1a checksum; the first failure is kept
 *
 * Numbers are put together from bytes by shifts, so that neither the byte order nor the alignment of the machine matters. A double
 * goes as the 64 bits of its IEEE 754 form, NaN and -0 included. */
#include "bytes_private.h"
#include "status_private.h"

#define BLNI_FNV_PRIME UINT64_C(0x00000100000001b3)

BLNI_PRIV uint64_t blni_fnv(uint64_t h, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) h = (h ^ bytes[i])*BLNI_FNV_PRIME;
    return h;
}

BLNI_PRIV void blni_encode(uint64_t v, size_t n, unsigned char *bytes)
{
    for (size_t i = 0; i < n; i++) bytes[i] = (unsigned char)((v >> 8*i) & 0xff);
}

BLNI_PRIV uint64_t blni_decode(const unsigned char *bytes, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) v |= (uint64_t)bytes[i] << 8*i;
    return v;
}

enum { BLNI_BYTES_CHUNK = 64 };      /* doubles that are converted at a time */

BLN_API bln_writer bln_writer_over(bln_status (*write)(void *user, const void *bytes, size_t n), void *user)
{
    bln_writer w = BLN_ZERO;
    w.write = write;
    w.user = user;
    w.checksum = BLNI_FNV_START;
    return w;
}

BLN_API void bln_put_bytes(bln_writer *w, const void *bytes, size_t n)
{
    if (w->status != BLN_OK || n == 0) return;
    if (w->write) w->status = w->write(w->user, bytes, n);
    if (w->status != BLN_OK) return;
    w->count += n;
    w->checksum = blni_fnv(w->checksum, (const unsigned char *)bytes, n);
}

/* An integer of n <= 8 bytes. */
BLNI_PRIV void blni_put_integer(bln_writer *w, uint64_t v, size_t n)
{
    unsigned char b[8];
    blni_encode(v, n, b);
    bln_put_bytes(w, b, n);
}

BLN_API void bln_put_u32(bln_writer *w, uint32_t v) { blni_put_integer(w, v, 4); }
BLN_API void bln_put_u64(bln_writer *w, uint64_t v) { blni_put_integer(w, v, 8); }

/* Keeps the status, like one that the caller's write returns: after many saves one look at the writer's status is enough. */
BLNI_PRIV bln_status blni_writer_fail(bln_writer *w, bln_status status)
{
    if (w && w->status == BLN_OK) w->status = status;
    return status;
}

BLN_API void bln_put_double(bln_writer *w, double v) { bln_put_doubles(w, 1, &v); }

BLN_API void bln_put_doubles(bln_writer *w, size_t n, const double *v)
{
    unsigned char b[8*BLNI_BYTES_CHUNK];
    for (size_t i = 0; i < n; i += BLNI_BYTES_CHUNK) {
        const size_t m = blni_min(n - i, BLNI_BYTES_CHUNK);
        for (size_t k = 0; k < m; k++) {
            uint64_t bits;
            memcpy(&bits, &v[i + k], sizeof bits);
            blni_encode(bits, 8, b + 8*k);
        }
        bln_put_bytes(w, b, 8*m);
    }
}

/* n bytes of s and their number, which must fit in 32 bits. */
BLNI_PRIV void blni_put_text(bln_writer *w, const char *s, size_t n)
{
    if ((size_t)(uint32_t)n != n) { blni_writer_fail(w, BLN_EINVAL); return; }
    bln_put_u32(w, (uint32_t)n);
    bln_put_bytes(w, s, n);
}

BLN_API void bln_put_string(bln_writer *w, const char *s) { blni_put_text(w, s, strlen(s)); }

BLN_API bln_reader bln_reader_over(bln_status (*read)(void *user, void *bytes, size_t n), void *user, uint64_t limit,
                                   bln_report *report)
{
    bln_reader r = BLN_ZERO;
    r.read = read;
    r.user = user;
    r.limit = limit;
    r.checksum = BLNI_FNV_START;
    r.report = report;
    return r;
}

/* Adds the byte offset to the text. On a machine with a 32-bit size_t it cannot exceed what fits in memory. */
BLNI_COLD BLNI_PRIV bln_status blni_reader_fail_at(bln_reader *r, bln_status status, const char *reason, uint64_t at)
{
    if (r->status != BLN_OK || status == BLN_OK) return r->status;
    r->status = status;
    blni_refuse(r->report, status, reason);
    blni_say(r->report, ", at byte ");
    blni_say_size(r->report, (size_t)at);
    return status;
}

BLNI_COLD BLN_API bln_status bln_reader_fail(bln_reader *r, bln_status status, const char *reason)
{
    return r ? blni_reader_fail_at(r, status, reason, r->count) : BLN_EINVAL;
}

/* BLN_EUNKNOWN, with the name that no list has. */
BLNI_PRIV bln_status blni_reader_fail_name(bln_reader *r, const char *what, const char *name)
{
    if (r->status != BLN_OK) return r->status;
    bln_reader_fail(r, BLN_EUNKNOWN, what);
    blni_say(r->report, ": \"");
    blni_say(r->report, name);
    blni_say(r->report, "\"");
    return BLN_EUNKNOWN;
}

BLNI_PRIV uint64_t blni_reader_left(const bln_reader *r) { return r->limit > r->count ? r->limit - r->count : 0; }

BLN_API void bln_get_bytes(bln_reader *r, void *bytes, size_t n)
{
    if (n == 0) return;
    if (r->status == BLN_OK) {
        if ((uint64_t)n > blni_reader_left(r))
            blni_reader_fail_at(r, BLN_EFORMAT, "truncated: the data end too early", r->limit);
        else {
            const bln_status status = r->read(r->user, bytes, n);
            if (status == BLN_EFORMAT)
                bln_reader_fail(r, status, "truncated: the data end at or soon after the last complete item");
            else if (status != BLN_OK) bln_reader_fail(r, status, "reading failed");
        }
    }
    if (r->status != BLN_OK) { memset(bytes, 0, n); return; }
    r->count += n;
    r->checksum = blni_fnv(r->checksum, (const unsigned char *)bytes, n);
}

BLNI_PRIV uint64_t blni_get_integer(bln_reader *r, size_t n)
{
    unsigned char b[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };      /* bln_get_bytes fills it in any case; not every compiler sees that */
    bln_get_bytes(r, b, n);
    return blni_decode(b, n);
}

BLN_API uint32_t bln_get_u32(bln_reader *r) { return (uint32_t)blni_get_integer(r, 4); }
BLN_API uint64_t bln_get_u64(bln_reader *r) { return blni_get_integer(r, 8); }

BLN_API double bln_get_double(bln_reader *r)
{
    double v;
    bln_get_doubles(r, 1, &v);
    return v;
}

BLN_API void bln_get_doubles(bln_reader *r, size_t n, double *v)
{
    unsigned char b[8*BLNI_BYTES_CHUNK];
    memset(b, 0, sizeof b);
    for (size_t i = 0; i < n; i += BLNI_BYTES_CHUNK) {
        const size_t m = blni_min(n - i, BLNI_BYTES_CHUNK);
        bln_get_bytes(r, b, 8*m);
        for (size_t k = 0; k < m; k++) {
            const uint64_t bits = blni_decode(b + 8*k, 8);
            memcpy(&v[i + k], &bits, sizeof bits);
        }
    }
}

BLN_API void bln_get_string(bln_reader *r, char *s, size_t size)
{
    const uint32_t n = bln_get_u32(r);
    if (size) s[0] = '\0';
    if (n >= size) {
        bln_reader_fail(r, BLN_EFORMAT, "a string is longer than any that is expected here");
        return;
    }
    bln_get_bytes(r, s, n);
    s[n] = '\0';
    if (r->status == BLN_OK && strlen(s) != n) bln_reader_fail(r, BLN_EFORMAT, "a string has a zero byte in it");
    if (r->status != BLN_OK) s[0] = '\0';
}

BLN_API size_t bln_get_count(bln_reader *r, size_t unit, size_t max)
{
    const uint64_t n = bln_get_u64(r);
    if (r->status != BLN_OK) return 0;
    /* The division is in size_t, so that no product wraps round. (A 64-bit division would link a library routine on small
     * machines.) */
    if (n > max || (unit && (n > (size_t)-1/unit || n*unit > blni_reader_left(r)))) {
        bln_reader_fail(r, BLN_EFORMAT, "truncated, or damaged: a count is larger than what can follow");
        return 0;
    }
    return (size_t)n;
}

BLNI_PRIV bln_status blni_memory_write(void *user, const void *bytes, size_t n)
{
    bln_memory_stream *m = (bln_memory_stream *)user;
    if (n > m->size - m->at) return BLN_EIO;
    memcpy(m->bytes + m->at, bytes, n);
    m->at += n;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_memory_read(void *user, void *bytes, size_t n)
{
    bln_memory_stream *m = (bln_memory_stream *)user;
    if (n > m->size - m->at) return BLN_EFORMAT;
    memcpy(bytes, m->bytes + m->at, n);
    m->at += n;
    return BLN_OK;
}

BLN_API bln_writer bln_memory_writer(bln_memory_stream *m, void *bytes, size_t size)
{
    m->bytes = (unsigned char *)bytes;
    m->size = size;
    m->at = 0;
    return bln_writer_over(blni_memory_write, m);
}

/* One struct serves both directions, so the const goes here; blni_memory_read does not write through it. */
BLN_API bln_reader bln_memory_reader(bln_memory_stream *m, const void *bytes, size_t size, bln_report *report)
{
    m->bytes = (unsigned char *)(uintptr_t)bytes;
    m->size = size;
    m->at = 0;
    return bln_reader_over(blni_memory_read, m, size, report);
}

/* A name by which an object is found in a file: 1 to 31 characters of a-z, 0-9 and _. */
BLNI_PRIV int blni_name_ok(const char *name)
{
    size_t n = 0;
    if (!name) return 0;
    for (; name[n]; n++) {
        const char c = name[n];
        if (n >= 31 || !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return 0;
    }
    return n > 0;
}

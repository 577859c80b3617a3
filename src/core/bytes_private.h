#ifndef BLN_CORE_BYTES_PRIVATE_H
#define BLN_CORE_BYTES_PRIVATE_H
/* bytes_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "bytes.h"
#include "config_private.h"

/* Fowler-Noll-Vo, variant 1a, 64 bits. Each step h -> (h ^ byte) * prime is a bijection of h (the prime is odd), and different
 * bytes give different h: so two messages that differ in one byte never share a checksum. */
#define BLNI_FNV_START UINT64_C(0xcbf29ce484222325)
/* bytes */
BLNI_PRIV uint64_t blni_fnv(uint64_t h, const unsigned char *bytes, size_t n);
BLNI_PRIV uint64_t blni_decode(const unsigned char *bytes, size_t n);
BLNI_PRIV bln_status blni_reader_fail_at(bln_reader *r, bln_status status, const char *reason, uint64_t at);
BLNI_PRIV bln_status blni_reader_fail_name(bln_reader *r, const char *what, const char *name);
BLNI_PRIV uint64_t blni_reader_left(const bln_reader *r);
BLNI_PRIV void blni_put_text(bln_writer *w, const char *s, size_t n);
BLNI_PRIV bln_status blni_writer_fail(bln_writer *w, bln_status status);
BLNI_PRIV int blni_name_ok(const char *name);

#endif /* BLN_CORE_BYTES_PRIVATE_H */

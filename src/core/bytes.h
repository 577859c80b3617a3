#ifndef BLN_CORE_BYTES_H
#define BLN_CORE_BYTES_H
#include "status.h"
/* >>bytes - numbers as bytes, the same on every machine
 *
 * Little-endian, whatever the machine: u32, u64, IEEE 754 doubles as their 64 bits, strings as u32 length and bytes without a
 * terminator. Writer and reader keep a running 64-bit FNV-1a checksum of what went through (any single changed byte changes it).
 * The first failure is kept: later calls do nothing, and reads give zeros or "", so that a series of writes or reads is checked
 * once, at its end. Sizes may be 0. */

typedef struct bln_writer {
    bln_status (*write)(void *user, const void *bytes, size_t n);    /* NULL: only counts            */
    void      *user;
    uint64_t   count;                                                /* bytes written so far         */
    uint64_t   checksum;
    bln_status status;                                               /* first failure                */
} bln_writer;

typedef struct bln_reader {
    bln_status (*read)(void *user, void *bytes, size_t n);           /* all n bytes or BLN_EIO / BLN_EFORMAT at the end */
    void      *user;
    uint64_t   count;                                                /* bytes read so far            */
    uint64_t   limit;                                                /* end of the data in bytes; UINT64_MAX: unknown */
    uint64_t   checksum;
    bln_status status;
    bln_report *report;                                              /* may be NULL: gets the reason of the first failure */
} bln_reader;

/* write must take all n bytes or return a status other than BLN_OK, which the writer keeps. */
BLN_API bln_writer bln_writer_over(bln_status (*write)(void *user, const void *bytes, size_t n), void *user);
BLN_API void bln_put_bytes(bln_writer *w, const void *bytes, size_t n);
BLN_API void bln_put_u32(bln_writer *w, uint32_t v);
BLN_API void bln_put_u64(bln_writer *w, uint64_t v);
BLN_API void bln_put_double(bln_writer *w, double v);
BLN_API void bln_put_doubles(bln_writer *w, size_t n, const double *v);
BLN_API void bln_put_string(bln_writer *w, const char *s);                 /* BLN_EINVAL: 2^32 bytes or more */

/* read must deliver all n bytes or return BLN_EFORMAT at the end of the data, or another status, which the reader keeps. A read
 * beyond the limit is BLN_EFORMAT without a call. bln_get_string: BLN_EFORMAT for a string of more than size - 1 bytes, or with a
 * zero byte in it. */
BLN_API bln_reader bln_reader_over(bln_status (*read)(void *user, void *bytes, size_t n), void *user, uint64_t limit,
                                   bln_report *report);
BLN_API void     bln_get_bytes(bln_reader *r, void *bytes, size_t n);
BLN_API uint32_t bln_get_u32(bln_reader *r);
BLN_API uint64_t bln_get_u64(bln_reader *r);
BLN_API double   bln_get_double(bln_reader *r);
BLN_API void     bln_get_doubles(bln_reader *r, size_t n, double *v);
BLN_API void     bln_get_string(bln_reader *r, char *s, size_t size);

/* Reads a u64 count of elements of `unit` bytes each (0: of unknown size) that are still to come. BLN_EFORMAT, and 0, when they
 * cannot fit in what is left or in a size_t, or when the count exceeds max. So a damaged count never becomes an allocation. */
BLN_API size_t bln_get_count(bln_reader *r, size_t unit, size_t max);

/* Marks the reader as failed with a reason of the caller's, to which the report adds the byte; the first failure wins. Returns the
 * reader's status. */
BLN_API bln_status bln_reader_fail(bln_reader *r, bln_status status, const char *reason);

/* A writer into memory, and a reader from it. *m is their state: it and the bytes must outlive them. Writing more than `size` bytes
 * is BLN_EIO; m->at is the number of bytes written or read so far. */
typedef struct bln_memory_stream { unsigned char *bytes; size_t size, at; } bln_memory_stream;
BLN_API bln_writer bln_memory_writer(bln_memory_stream *m, void *bytes, size_t size);
BLN_API bln_reader bln_memory_reader(bln_memory_stream *m, const void *bytes, size_t size, bln_report *report);

#endif /* BLN_CORE_BYTES_H */

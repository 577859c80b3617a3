#ifndef BLN_USE_MODELFILE_H
#define BLN_USE_MODELFILE_H
#include "../core/load.h"
/* >>modelfile - models on disk
 *
 * The same bytes on every machine. Nothing is believed before it is checked: sizes against what is left of the file, contents by a
 * checksum before they are looked at; the 16 bytes without one have a single right value. Any single changed byte is noticed.
 *
 *     offset  size  what
 *     0       8     the bytes 89 'B' 'L' 'N' 0D 0A 1A 0A (hexadecimal 89 42 4C 4E 0D 0A 1A 0A)
 *     8       4     u32 format version (1)
 *     12      4     u32 number of sections
 *     16            the sections, one after the other:
 *                   0    4     tag, four ASCII characters: "SLM ", "INTG", "GLM ", "POST", "SCAL", "CNFM", or the
 *                              caller's, which begins with a lower-case letter
 *                   4    4     u32 version of the section's content (models 3, but "GLM " 4;
 *                              "SCAL" 1 or 2, others 1)
 *                   8    8     u64 length L of the content
 *                   16   L     content
 *                   16+L 8     u64 FNV-1a checksum of the 16 + L bytes before it
 *     end           nothing may follow
 *
 * At least one model, "SLM ", "INTG", "GLM " or "POST", and each of these, "SCAL" and "CNFM" at most once; any order. FNV-1a,
 * 64 bits: h = cbf29ce484222325, then h = (h xor byte) 100000001b3 for each byte (hexadecimal, modulo 2^64). Numbers are
 * little-endian; u32, u64 unsigned, f64 IEEE 754; str is a u32 length and that many bytes. Contents: "POST" in >>record, with which
 * all models begin; what follows it in "SLM ", "INTG" and "GLM " in src/linear/slm_file.c, src/linear/slm_integrated_file.c and
 * src/glm/glm_file.c; "SCAL" in src/use/scaler.c; "CNFM" in src/use/conformal.c; the caller's: his bytes. Where the caller's list
 * of kinds has "POST" and not that of a model, the model is read as its posterior; a file of two models is then BLN_EUNKNOWN.
 *
 * Policy: a version that a reader does not know, be it newer or older, is BLN_EVERSION. While bayeslin is 0.x a new version may
 * read no old ones; from 1.0 on it reads all since. Sections with tags other than these are skipped after their checksum was
 * verified. One of these whose kind the caller's list (>>load) does not have is BLN_EUNKNOWN: a model without its scaler would be
 * another model. */

/* A section of the caller's own: anything that belongs to the model, such as column names. Tags may repeat; the order is kept. */
typedef struct bln_section {
    char           tag[5];        /* four printable ASCII characters, the first of them a..z, and a 0 */
    const void    *bytes;         /* NULL only if size = 0                                          */
    size_t         size;
} bln_section;

struct bln_slm;
struct bln_slm_integrated;
struct bln_glm;
struct bln_scaler;
struct bln_conformal;
struct bln_posterior;
enum { BLN_MODELFILE_KINDS = 6 };

/* What a file holds: to be written, or as it was read. Zero what is not there; one model at least. */
typedef struct bln_modelfile {
    struct bln_slm            *slm;
    struct bln_slm_integrated *integrated;
    struct bln_glm            *glm;
    struct bln_posterior      *posterior;
    struct bln_scaler         *scaler;
    struct bln_conformal      *conformal;
    bln_section               *sections;
    size_t                     n_sections;
    bln_allocator              alloc;                          /* of what was read; not looked at in writing         */
    const bln_model_kind      *kinds[BLN_MODELFILE_KINDS];     /* of what was read, to free it; not used in writing  */
} bln_modelfile;

/* Writes models, scaler, conformal and sections, in this order, front to back without seeking. Nothing in *file is changed.
 * Allocates nothing. context: its kinds are those of all that is to be written; the rest of it is not looked at.
 * BLN_EINVAL: no model, a bad tag or a NULL.  BLN_EUNKNOWN: something whose kind the list does not have.  BLN_ESTATE,
 * BLN_EUNKNOWN: what the models' _save returns, before anything was written.  What `write` returned; the report says at which
 * byte. */
BLN_API bln_status bln_modelfile_write(bln_status (*write)(void *user, const void *bytes, size_t n), void *user,
                                       const bln_load *context, const bln_modelfile *file, bln_report *report);

/* Reads a whole file from a callback that delivers all n bytes, or BLN_EFORMAT at the end of the data, or another status that is
 * passed on. size: of the file; UINT64_MAX (or SIZE_MAX): unknown, then one more byte is asked for to see that nothing follows.
 * context: allocator of everything, and the kinds, bases and likelihoods that the file may have (>>load): bln_builtin() has all.
 * *out owns all that it points to: free it with bln_modelfile_free.
 * BLN_EFORMAT: no model file, truncated, damaged, or without a model; the report says which and at which byte.  BLN_EVERSION.
 * BLN_EUNKNOWN: a kind, a basis or a likelihood that is in no list of context.  BLN_ENOMEM, BLN_EOVERFLOW, BLN_EINVAL (NULL
 * argument).  *out is untouched on failure.
 * Memory: a section and what is made from it. */
BLN_API bln_status bln_modelfile_read(bln_status (*read)(void *user, void *bytes, size_t n), void *user, uint64_t size,
                                      const bln_load *context, bln_modelfile *out, bln_report *report);
BLN_API void bln_modelfile_free(bln_modelfile *file);      /* what was read into it; zeroes it; NULL and all zero are fine */

#ifndef BAYESLIN_NO_STDIO
/* The same with a path, which failures name in the report.
 *
 * save: any number of processes may save to one path while others load from it: a load finds all of an old file, or all of a new
 * one. The bytes go to a new file in the same folder, bln-????????????.tmp, created for this call, which takes the place of the old
 * one when all are written. A failure leaves the old file as it was, and nothing of the new one.
 *
 *     POSIX        the new file is synced before it takes its place, and the folder after: a loss of power leaves the old file or
 *                  the new one. (Where a folder cannot be synced, the old one may come back.) Mode, owner and group of the old
 *                  file are kept as far as the process may; where it may not, the new file never allows more. A symbolic link
 *                  stays, and the file that it leads to is replaced. A hard link does not: its other names keep the old file. A
 *                  pipe or a device is written into. The right to write in the folder is what counts, not that of the old file.
 *     Windows      synced, and moved so that the disk has it. Modes are not kept; a link is replaced. While another process has the
 *                  old file open, saving fails.
 *     elsewhere    weaker, for C99 has no more: nothing is synced, names by chance are what keeps two processes apart, and where
 *                  rename does not replace, there is no file for a moment.
 *
 * BLN_EIO: cannot open, read, write or rename.  BLN_EINVAL: no path, or (save) one of 4096 bytes or more. */
BLN_API bln_status bln_modelfile_save(const char *path, const bln_load *context, const bln_modelfile *file, bln_report *report);
BLN_API bln_status bln_modelfile_load(const char *path, const bln_load *context, bln_modelfile *out, bln_report *report);
#endif

#endif /* BLN_USE_MODELFILE_H */

#ifndef BLN_USE_MODELFILE_H
#define BLN_USE_MODELFILE_H
#include "../core/load.h"
/* >>modelfile - models on disk
 *
 *     const bln_load all = bln_builtin();                                  // links all there is; or a list of your own, >>load
 *     bln_modelfile file = BLN_ZERO, loaded = BLN_ZERO;
 *     file.slm = model;
 *     status = bln_modelfile_save("model.bln", &all, &file, &report);      // file owns nothing: the model stays yours
 *     status = bln_modelfile_load("model.bln", &all, &loaded, &report);    // loaded.slm predicts as the model does
 *     bln_modelfile_free(&loaded);                                         // and loaded.slm with it
 *
 * A model that was fitted to scaled rows predicts for scaled rows: loaded.scaler, unless it is NULL, has to be applied to new ones
 * first, and what is predicted to be brought back (>>scaler).
 *
 * A model has the same bytes on every machine. A reader checks each size against the rest of the file, and the checksum of a
 * section before it reads the content. The 16 bytes without a checksum have only one valid value. So any changed byte is found.
 *
 *     offset  size  what
 *     0       8     the bytes 89 'B' 'L' 'N' 0D 0A 1A 0A (hexadecimal 89 42 4C 4E 0D 0A 1A 0A)
 *     8       4     u32 format version (1)
 *     12      4     u32 number of sections
 *     16            the sections, one after the other:
 *                   0    4     tag, four ASCII characters: "SLM ", "INTG", "GLM ", "POST", "SCAL", "CNFM", or the
 *                              caller's, which begins with a lower-case letter
 *                   4    4     u32 version of the section's content (models 3, but "GLM " 4; "SCAL" 1 or 2, others 1)
 *                   8    8     u64 length L of the content
 *                   16   L     content
 *                   16+L 8     u64 FNV-1a checksum of the 16 + L bytes before it
 *     end           nothing may follow
 *
 * A file has at least one model, "SLM ", "INTG", "GLM " or "POST". Each of these, "SCAL" and "CNFM" occurs at most once, in any
 * order. FNV-1a of 64 bits: h = cbf29ce484222325, then h = (h xor byte) 100000001b3 for each byte (hexadecimal, modulo 2^64).
 * Numbers are little-endian; u32 and u64 are unsigned, f64 is IEEE 754; str is a u32 length and that many bytes. The content of
 * "POST" is described in >>record. The other models begin with it; their rest is described in src/linear/slm_file.c,
 * src/linear/slm_integrated_file.c and src/glm/glm_file.c, "SCAL" in src/use/scaler.c, "CNFM" in src/use/conformal.c.
 *
 * The kinds of sections that a program reads are in its list (>>load). If the list has "POST" but not the kind of a model, the
 * model is read as its posterior; a file of two such models is BLN_EUNKNOWN. Any other of the six kinds that is missing from the
 * list is BLN_EUNKNOWN too, because a model without its scaler would predict something else. Sections with other tags are skipped
 * after their checksum is verified. A version that the reader does not know, newer or older, is BLN_EVERSION: while bayeslin is
 * 0.x a new version may read no old ones; from 1.0 on it reads all since 1.0. */

/* A section of the caller's own, for anything that belongs to the model, such as column names. Tags may repeat; the order is kept.
 */
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

/* What a file holds: to be written, or as it was read. At least one model; NULL and 0 for what it does not hold. */
typedef struct bln_modelfile {
    struct bln_slm            *slm;
    struct bln_slm_integrated *integrated;
    struct bln_glm            *glm;
    struct bln_posterior      *posterior;
    struct bln_scaler         *scaler;
    struct bln_conformal      *conformal;
    bln_section               *sections;
    size_t                     n_sections;
    bln_allocator              alloc;                          /* set by _read, for _free; not used in writing       */
    const bln_model_kind      *kinds[BLN_MODELFILE_KINDS];     /* set by _read, for _free; not used in writing       */
} bln_modelfile;

/* Writes models, scaler, conformal and sections, in this order, from the first byte to the last through `write`. Allocates nothing
 * and does not change *file. context->kinds must have the kinds of all that is written (so NULL will not do); the rest of it is
 * not used.
 * BLN_EINVAL: NULL, no model, or a bad tag.  BLN_EUNKNOWN: a kind that the list does not have, or a basis or likelihood that cannot
 * be saved.  BLN_ESTATE: a model is not fitted. These are found before anything is written.  Any status of `write`; the report says
 * at which byte. */
BLN_API bln_status bln_modelfile_write(bln_status (*write)(void *user, const void *bytes, size_t n), void *user,
                                       const bln_load *context, const bln_modelfile *file, bln_report *report);

/* Reads a whole file through `read`, which delivers all n bytes, or returns BLN_EFORMAT at the end of the data, or another status
 * that is passed on. size: bytes of the file; UINT64_MAX (or SIZE_MAX): unknown, and one more byte is then asked for at the end, to
 * see that nothing follows. context: the allocator, and the kinds, bases and likelihoods that the file may have (>>load);
 * bln_builtin() has all. *out owns what it points to: free it with bln_modelfile_free. Memory: a section and what is made from it.
 * BLN_EINVAL: NULL.  BLN_EFORMAT: no model file, truncated, damaged, or without a model; the report says which, and at which byte.
 * BLN_EVERSION: a version that is not known.  BLN_EUNKNOWN: a kind, a basis or a likelihood that context does not have.
 * BLN_ENOMEM, BLN_EOVERFLOW. *out is unchanged on failure. */
BLN_API bln_status bln_modelfile_read(bln_status (*read)(void *user, void *bytes, size_t n), void *user, uint64_t size,
                                      const bln_load *context, bln_modelfile *out, bln_report *report);
BLN_API void bln_modelfile_free(bln_modelfile *file);      /* frees what _read made, and zeroes *file; NULL is fine */

#ifndef BAYESLIN_NO_STDIO
/* bln_modelfile_write and _read with the path of a file; the report names it on failure.
 *
 * save: any number of processes may save to one path while others load from it; each load finds a whole file, old or new. The bytes
 * go to a new temporary file in the same folder, bln-????????????.tmp, which replaces the old file when all are written. A failure
 * leaves the old file as it was, and no temporary file.
 *
 *     POSIX        The new file is synced before it replaces the old one, and the folder after: a loss of power leaves the old file
 *                  or the new one. (If the folder cannot be synced, the old file may come back.) Mode, owner and group of the old
 *                  file are kept as far as the process may set them; else the new file allows no more than the old one. A symbolic
 *                  link stays, and its target is replaced. Other hard links keep the old file. A pipe or a device is written into.
 *                  The process needs the right to write in the folder, not that to write the old file.
 *     Windows      The new file is synced and moved with write-through. Modes are not kept; a link is replaced. Saving fails while
 *                  another process has the old file open.
 *     elsewhere    C99 offers less: nothing is synced, only random names keep the temporary files of two processes apart, and if
 *                  rename does not replace files, the path has no file for a moment.
 *
 * BLN_EIO: cannot open, read, write or rename.  BLN_EINVAL: no path, or (save) one of 4096 bytes or more. */
BLN_API bln_status bln_modelfile_save(const char *path, const bln_load *context, const bln_modelfile *file, bln_report *report);
BLN_API bln_status bln_modelfile_load(const char *path, const bln_load *context, bln_modelfile *out, bln_report *report);
#endif

#endif /* BLN_USE_MODELFILE_H */

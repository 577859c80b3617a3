/* modelfile: sections with checksums, written in one pass and checked before they are read
 *
 * Writing: a section's length stands before its content, so the content is "written" twice, first by a writer that only counts.
 * Reading: a section's content is read into memory, which grows as bytes arrive; its checksum is compared; only then do loaders
 * read it, through a reader that ends with the section. So a damaged file takes no more memory than its size. */
#include "modelfile.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/bytes_private.h"
#include "savefile_private.h"

enum {
    BLNI_FILE_VERSION = 1,        /* of the frame: header and sections   */
    BLNI_SECTION_VERSION = 1,     /* of sections of the caller's */
    BLNI_FILE_CHUNK = 65536       /* bytes to start with where the size of the file is unknown */
};

#define BLNI_POSTERIOR_TAG "POST"
static const unsigned char blni_file_magic[8] = { 0x89, 0x42, 0x4C, 0x4E, 0x0D, 0x0A, 0x1A, 0x0A };

/* The sections of the format: where each has its place in bln_modelfile, in the order of writing, and which are models. */
static const struct { char tag[5]; int is_model; size_t offset; } blni_file_slots[BLN_MODELFILE_KINDS] = {
    { "SLM ", 1, offsetof(bln_modelfile, slm) },    { "INTG", 1, offsetof(bln_modelfile, integrated) },
    { "GLM ", 1, offsetof(bln_modelfile, glm) },    { BLNI_POSTERIOR_TAG, 1, offsetof(bln_modelfile, posterior) },
    { "SCAL", 0, offsetof(bln_modelfile, scaler) }, { "CNFM", 0, offsetof(bln_modelfile, conformal) }
};

/* What stands in slot k; pointers to structs have one representation, so that their bytes are those of a void *. */
BLNI_PRIV void *blni_slot_get(const bln_modelfile *file, size_t k)
{
    void *model;
    memcpy(&model, (const char *)file + blni_file_slots[k].offset, sizeof model);
    return model;
}

BLNI_PRIV int blni_tag_is(const char *tag, const char *want) { return memcmp(tag, want, 4) == 0; }

/* The slot of this tag, or BLN_MODELFILE_KINDS. */
BLNI_PRIV size_t blni_slot_of(const char *tag)
{
    size_t k = 0;
    while (k < BLN_MODELFILE_KINDS && !blni_tag_is(tag, blni_file_slots[k].tag)) k++;
    return k;
}

BLNI_PRIV int blni_has_model(const bln_modelfile *file)
{
    for (size_t k = 0; k < BLN_MODELFILE_KINDS; k++) if (blni_file_slots[k].is_model && blni_slot_get(file, k)) return 1;
    return 0;
}

/* The kind of this tag in the caller's list, or NULL. */
BLNI_PRIV const bln_model_kind *blni_kind_of(const bln_load *context, const char *tag)
{
    for (size_t i = 0; context && i < context->n_kinds; i++)
        if (blni_tag_is(tag, context->kinds[i]->tag)) return context->kinds[i];
    return NULL;
}
BLNI_PRIV int blni_tag_own(const char *tag) { return tag[0] >= 'a' && tag[0] <= 'z'; }

BLNI_PRIV int blni_tag_printable(const char *tag)
{
    for (size_t i = 0; i < 4; i++) if (tag[i] < 0x20 || tag[i] > 0x7e) return 0;
    return 1;
}

/* ---- writing ---- */

/* What goes into one section: a model with its kind (NULL: one that the list does not have), or a section of the caller's. */
typedef struct blni_content {
    const char           *tag;
    const bln_model_kind *kind;
    const void           *model;
    const bln_section    *section;
} blni_content;

BLNI_PRIV void blni_put_content(const blni_content *c, bln_writer *w)
{
    if (c->section) { bln_put_bytes(w, c->section->bytes, c->section->size); return; }
    const bln_status status = c->kind->save(c->model, w);
    if (w->status == BLN_OK) w->status = status;
}

/* Section i of a file: what stands in the slots, then the caller's. 0: there are no more. */
BLNI_PRIV int blni_content_of(const bln_load *context, const bln_modelfile *file, size_t i, blni_content *c)
{
    memset(c, 0, sizeof *c);
    for (size_t k = 0; k < BLN_MODELFILE_KINDS; k++) {
        c->model = blni_slot_get(file, k);
        if (!c->model || i-- != 0) continue;
        c->tag = blni_file_slots[k].tag;
        c->kind = blni_kind_of(context, c->tag);
        return 1;
    }
    c->model = NULL;
    if (i >= file->n_sections) return 0;
    c->section = &file->sections[i];
    c->tag = c->section->tag;
    return 1;
}

BLNI_PRIV uint64_t blni_content_length(const blni_content *c, bln_status *status)
{
    bln_writer counter = bln_writer_over(NULL, NULL);
    blni_put_content(c, &counter);
    *status = counter.status;
    return counter.count;
}

BLNI_PRIV void blni_put_section(const blni_content *c, bln_writer *w)
{
    bln_status counted;
    const uint64_t length = blni_content_length(c, &counted);
    w->checksum = BLNI_FNV_START;
    bln_put_bytes(w, c->tag, 4);
    bln_put_u32(w, c->kind ? c->kind->newest : (uint32_t)BLNI_SECTION_VERSION);
    bln_put_u64(w, length);
    const uint64_t begin = w->count;
    blni_put_content(c, w);
    /* A basis of the user's that writes other bytes the second time would leave a file that nobody can read. */
    if (w->status == BLN_OK && w->count - begin != length) w->status = BLN_EINVAL;
    bln_put_u64(w, w->checksum);
}

BLNI_PRIV const char *blni_modelfile_flaw(const bln_modelfile *file)
{
    if (!file || !blni_has_model(file)) return "modelfile: no model";
    if (file->n_sections && !file->sections) return "modelfile: sections is NULL";
    if (file->n_sections > (size_t)0xffffff) return "modelfile: too many sections";
    for (size_t i = 0; i < file->n_sections; i++) {
        const bln_section *section = &file->sections[i];
        if (!blni_tag_own(section->tag) || !blni_tag_printable(section->tag) || section->tag[4])
            return "modelfile: a section's tag must be four printable characters, the first a lower-case letter";
        if (section->size && !section->bytes) return "modelfile: a section's bytes are NULL";
    }
    return NULL;
}

/* A model that cannot be saved is refused before the first byte is out; *n: sections. */
BLNI_PRIV bln_status blni_saveable(const bln_load *context, const bln_modelfile *file, uint32_t *n, bln_report *report)
{
    blni_content c;
    bln_status status;
    for (*n = 0; blni_content_of(context, file, *n, &c); (*n)++) {
        if (c.section) continue;
        if (!c.kind) {
            blni_refuse(report, BLN_EUNKNOWN, "modelfile: no kind in the list for \"");
            blni_say(report, c.tag);
            blni_say(report, "\"");
            return BLN_EUNKNOWN;
        }
        blni_content_length(&c, &status);
        if (status == BLN_OK) continue;
        return blni_refuse(report, status, status == BLN_ESTATE ? "modelfile: the model is not fitted"
                       : status != BLN_EUNKNOWN ? "modelfile: the model cannot be saved"
                       : "modelfile: the model cannot be saved: its basis has no save, or its likelihood has data of your own");
    }
    return BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_modelfile_write(bln_status (*write)(void *user, const void *bytes, size_t n), void *user,
                                                 const bln_load *context, const bln_modelfile *file, bln_report *report)
{
    const char *flaw = write ? blni_modelfile_flaw(file) : "modelfile: write is NULL";
    bln_writer w = bln_writer_over(write, user);
    blni_content c;
    uint32_t n = 0;
    BLNI_TRY(blni_begin(report, !flaw, flaw));
    BLNI_TRY(blni_saveable(context, file, &n, report));
    bln_put_bytes(&w, blni_file_magic, sizeof blni_file_magic);
    bln_put_u32(&w, BLNI_FILE_VERSION);
    bln_put_u32(&w, n);
    for (size_t i = 0; blni_content_of(context, file, i, &c); i++) blni_put_section(&c, &w);
    if (w.status != BLN_OK) {
        blni_refuse(report, w.status,
                    w.status == BLN_EINVAL ? "modelfile: the basis does not save the same bytes twice" : "writing failed");
        blni_say(report, ", at byte ");
        blni_say_size(report, (size_t)w.count);
    }
    return w.status;
}

/* ---- reading ---- */

/* Slots of the array that holds n sections. A function of n, so that freeing needs no memory of how the array grew. */
BLNI_PRIV size_t blni_section_slots(size_t n)
{
    size_t slots = 4;
    while (slots < n) slots = blni_mul(slots, 2);
    return slots;
}

BLNI_PRIV void blni_sections_release(const bln_allocator *alloc, bln_section *sections, size_t n)
{
    for (size_t i = 0; i < n; i++) blni_release(alloc, (void *)(uintptr_t)sections[i].bytes, sections[i].size);
    blni_release(alloc, sections, blni_mul(blni_section_slots(n), sizeof *sections));
}

/* Appends a section, which takes over its bytes. */
BLNI_PRIV bln_status blni_sections_add(bln_modelfile *file, const char *tag, const void *bytes, size_t size)
{
    const size_t n = file->n_sections, slots = blni_section_slots(n), wanted = blni_section_slots(n + 1);
    if (!file->sections || wanted > slots) {
        bln_section *grown = (bln_section *)blni_alloc(&file->alloc, blni_mul(wanted, sizeof *grown));
        if (!grown) return BLN_ENOMEM;
        for (size_t i = 0; i < n; i++) grown[i] = file->sections[i];
        blni_release(&file->alloc, file->sections, blni_mul(slots, sizeof *grown));
        file->sections = grown;
    }
    memcpy(file->sections[n].tag, tag, 4);
    file->sections[n].tag[4] = '\0';
    file->sections[n].bytes = bytes;
    file->sections[n].size = size;
    file->n_sections = n + 1;
    return BLN_OK;
}

BLN_API void bln_modelfile_free(bln_modelfile *file)
{
    if (!file) return;
    for (size_t k = 0; k < BLN_MODELFILE_KINDS; k++) if (file->kinds[k]) file->kinds[k]->release(blni_slot_get(file, k));
    blni_sections_release(&file->alloc, file->sections, file->n_sections);
    memset(file, 0, sizeof *file);
}

/* The next n bytes in a block of n. Where the size of the file is unknown the block grows with what arrives: n is only a claim. */
BLNI_PRIV unsigned char *blni_gather(bln_reader *r, const bln_allocator *alloc, size_t n)
{
    size_t have = 0, room = r->limit == UINT64_MAX ? blni_min(n, BLNI_FILE_CHUNK) : n;
    unsigned char *block = (unsigned char *)blni_alloc(alloc, room);
    while (block) {
        bln_get_bytes(r, block + have, room - have);
        if (r->status != BLN_OK) { blni_release(alloc, block, room); return NULL; }
        if (room == n) return block;
        have = room;
        const size_t grown = n - room < room ? n : 2*room;
        unsigned char *larger = (unsigned char *)blni_alloc(alloc, grown);
        if (larger) memcpy(larger, block, have);
        blni_release(alloc, block, room);
        block = larger;
        room = grown;
    }
    bln_reader_fail(r, BLN_ENOMEM, "out of memory for a section");
    return NULL;
}

BLNI_PRIV void blni_skip(bln_reader *r, uint64_t n)
{
    unsigned char b[512];
    while (n && r->status == BLN_OK) {
        const size_t m = n < sizeof b ? (size_t)n : sizeof b;
        bln_get_bytes(r, b, m);
        n -= m;
    }
}

/* Fails the reader in the name of a section, unless it has failed before. */
BLNI_PRIV void blni_section_fail(bln_reader *r, bln_status status, const char *tag, const char *reason, uint64_t at)
{
    if (r->status != BLN_OK) return;
    blni_reader_fail_at(r, status, reason, at);
    blni_say(r->report, ", section \"");
    blni_say(r->report, tag);
    blni_say(r->report, "\"");
}

/* Hands verified content, which began at byte `begin` of the file, to its loader. */
BLNI_PRIV void blni_load_content(bln_reader *r, const bln_load *context, const bln_model_kind *kind, const char *tag,
                                 const unsigned char *bytes, size_t n, uint64_t begin, bln_modelfile *file)
{
    const size_t slot = blni_slot_of(kind->tag);
    const int whole = blni_tag_is(kind->tag, tag);                         /* else it is a model, read as its posterior */
    bln_memory_stream m;
    bln_reader content = bln_memory_reader(&m, bytes, n, r->report);
    void *model = NULL;
    content.count = begin;                /* so that reports count the bytes of the file */
    content.limit = begin + n;
    bln_status status = kind->load(context, &content, &model);
    if (model) {
        memcpy((char *)file + blni_file_slots[slot].offset, &model, sizeof model);
        file->kinds[slot] = kind;
    }
    if (status == BLN_OK && whole && content.count != content.limit)
        status = bln_reader_fail(&content, BLN_EFORMAT, "a section is longer than its content");
    if (status == BLN_OK) return;
    if (content.status != BLN_OK) r->status = content.status;              /* its reason is in the report */
    else blni_section_fail(r, status, tag, bln_status_text(status), begin);
}

/* What only makes sense after the checksum was verified; NULL: all is well. kind: NULL for a section of the caller's. */
BLNI_PRIV const char *blni_version_flaw(uint32_t version, const bln_model_kind *kind, bln_status *status)
{
    const uint32_t oldest = kind ? kind->oldest : (uint32_t)BLNI_SECTION_VERSION;
    *status = version == 0 ? BLN_EFORMAT : BLN_EVERSION;
    if (version == 0) return "version 0 never was";
    if (version < oldest) return "written by an older version of bayeslin, whose models this one does not read: fit anew";
    return version > (kind ? kind->newest : oldest) ? "written by a newer version of bayeslin" : NULL;
}

BLNI_PRIV void blni_get_section(bln_reader *r, const bln_load *context, bln_modelfile *file)
{
    char tag[5] = { 0, 0, 0, 0, 0 };
    unsigned char *bytes = NULL;
    const uint64_t at = r->count;
    r->checksum = BLNI_FNV_START;
    bln_get_bytes(r, tag, 4);
    const uint32_t version = bln_get_u32(r);
    const uint64_t length = bln_get_u64(r), begin = r->count, left = blni_reader_left(r);
    if (r->status != BLN_OK) return;
    if (!blni_tag_printable(tag)) { bln_reader_fail(r, BLN_EFORMAT, "damaged: a section's tag is not text"); return; }

    size_t slot = blni_slot_of(tag);
    const bln_model_kind *kind = slot < BLN_MODELFILE_KINDS ? blni_kind_of(context, tag) : NULL;
    if (!kind && slot < BLN_MODELFILE_KINDS && blni_file_slots[slot].is_model) {
        kind = blni_kind_of(context, BLNI_POSTERIOR_TAG);
        if (kind) slot = blni_slot_of(BLNI_POSTERIOR_TAG);
    }
    const int wanted = kind || blni_tag_own(tag);
    if (left < 8 || length > left - 8)
        blni_section_fail(r, BLN_EFORMAT, tag, "truncated (or a damaged length): the data end too early", r->limit);
    else if (kind && blni_slot_get(file, slot) && !blni_tag_is(kind->tag, tag))
        blni_section_fail(r, BLN_EUNKNOWN, tag, "a second model, where there is one place for a posterior", at);
    else if (slot < BLN_MODELFILE_KINDS && blni_slot_get(file, slot))
        blni_section_fail(r, BLN_EFORMAT, tag, "damaged: a second one", at);
    else if (wanted && length > (size_t)-1/2) blni_section_fail(r, BLN_EOVERFLOW, tag, "too large for this machine", at);
    if (r->status != BLN_OK) return;

    if (wanted) bytes = blni_gather(r, &file->alloc, (size_t)length);
    else blni_skip(r, length);
    const uint64_t sum = r->checksum, stored = bln_get_u64(r);
    bln_status bad;
    const char *flaw = wanted ? blni_version_flaw(version, kind, &bad) : NULL;
    if (sum != stored) blni_section_fail(r, BLN_EFORMAT, tag, "damaged: wrong checksum", at);
    if (flaw) blni_section_fail(r, bad, tag, flaw, at);
    if (slot < BLN_MODELFILE_KINDS && !kind)
        blni_section_fail(r, BLN_EUNKNOWN, tag, "of a kind that the loader's list does not have", at);
    if (r->status == BLN_OK && kind) blni_load_content(r, context, kind, tag, bytes, (size_t)length, begin, file);
    else if (r->status == BLN_OK && wanted) {
        if (blni_sections_add(file, tag, bytes, (size_t)length) == BLN_OK) return;
        bln_reader_fail(r, BLN_ENOMEM, "out of memory for a section");
    }
    blni_release(&file->alloc, bytes, (size_t)length);
}

BLNI_PRIV uint32_t blni_get_header(bln_reader *r)
{
    unsigned char magic[sizeof blni_file_magic];
    bln_get_bytes(r, magic, sizeof magic);
    if (r->status == BLN_OK && memcmp(magic, blni_file_magic, sizeof magic) != 0)
        bln_reader_fail(r, BLN_EFORMAT, "not a bayeslin model file");
    const uint32_t version = bln_get_u32(r), n = bln_get_u32(r);
    if (r->status == BLN_OK && version == 0) bln_reader_fail(r, BLN_EFORMAT, "damaged: format version 0 never was");
    if (r->status == BLN_OK && version > BLNI_FILE_VERSION)
        bln_reader_fail(r, BLN_EVERSION, "written by a newer version of bayeslin");
    return n;
}

/* The last section must be followed by the end of the file. Where its size is unknown, asking for a byte is the only way to find
 * out. */
BLNI_PRIV void blni_get_end(bln_reader *r)
{
    unsigned char b;
    if (r->status != BLN_OK) return;
    if (r->limit != UINT64_MAX) {
        if (r->count != r->limit) bln_reader_fail(r, BLN_EFORMAT, "damaged: bytes follow the last section");
        return;
    }
    const bln_status status = r->read(r->user, &b, 1);
    if (status == BLN_OK) bln_reader_fail(r, BLN_EFORMAT, "damaged: bytes follow the last section");
    else if (status != BLN_EFORMAT) bln_reader_fail(r, status, "reading failed");
}

BLNI_ONCE BLN_API bln_status bln_modelfile_read(bln_status (*read)(void *user, void *bytes, size_t n), void *user, uint64_t size,
                                                const bln_load *context, bln_modelfile *out, bln_report *report)
{
    bln_modelfile file = BLN_ZERO;
    bln_load none = BLN_ZERO;
    BLNI_TRY(blni_begin(report, read && out, "modelfile: NULL argument"));
    if (!context) context = &none;
    if (!blni_allocator_ok(&context->alloc)) return blni_refuse(report, BLN_EINVAL, "modelfile: half an allocator");
    file.alloc = context->alloc;

    bln_reader r = bln_reader_over(read, user, size == (size_t)-1 ? UINT64_MAX : size, report);
    const uint32_t n = blni_get_header(&r);
    for (uint32_t i = 0; i < n && r.status == BLN_OK; i++) blni_get_section(&r, context, &file);
    blni_get_end(&r);
    if (!blni_has_model(&file)) bln_reader_fail(&r, BLN_EFORMAT, "the file holds no model");
    if (r.status != BLN_OK) { bln_modelfile_free(&file); return r.status; }
    *out = file;
    return BLN_OK;
}

/* ---- files ---- */

#ifndef BAYESLIN_NO_STDIO
BLNI_PRIV bln_status blni_stdio_read(void *user, void *bytes, size_t n)
{
    if (fread(bytes, 1, n, (FILE *)user) == n) return BLN_OK;
    return ferror((FILE *)user) ? BLN_EIO : BLN_EFORMAT;
}

/* Bytes from here to the end, so that sizes can be checked before they are believed; UINT64_MAX for a pipe and its like. */
BLNI_PRIV uint64_t blni_stdio_size(FILE *f)
{
    const long end = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    rewind(f);
    return end < 0 ? UINT64_MAX : (uint64_t)end;
}

BLNI_PRIV void blni_say_path(bln_report *report, const char *path)
{
    blni_say(report, " (");
    blni_say(report, path);
    blni_say(report, ")");
}

BLNI_ONCE BLN_API bln_status bln_modelfile_save(const char *path, const bln_load *context, const bln_modelfile *file,
                                                bln_report *report)
{
    blni_saving s;
    bln_report_clear(report);
    bln_status status = blni_save_begin(&s, NULL, path, report);
    if (status == BLN_EINVAL) return status;
    if (status == BLN_OK) {
        status = bln_modelfile_write(blni_save_write, &s, context, file, report);
        if (status == BLN_OK) status = blni_save_end(&s, report);
        else blni_save_drop(&s);
    }
    if (status != BLN_OK) blni_say_path(report, path);
    return status;
}

BLN_API bln_status bln_modelfile_load(const char *path, const bln_load *context, bln_modelfile *out, bln_report *report)
{
    bln_report_clear(report);
    if (!path || !*path) return blni_refuse(report, BLN_EINVAL, "modelfile: no path");
    FILE *f = fopen(path, "rb");
    bln_status status;
    if (!f) status = blni_refuse(report, BLN_EIO, "cannot open the file");
    else {
        status = bln_modelfile_read(blni_stdio_read, f, blni_stdio_size(f), context, out, report);
        fclose(f);
    }
    if (status != BLN_OK) blni_say_path(report, path);
    return status;
}
#endif

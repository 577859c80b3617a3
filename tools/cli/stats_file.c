/* stats_file: statistics as bytes; see stats.h. The checksum is looked at before anything else is. */
#include "stats.h"
#include "output.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char stats_magic[8] = { 0x89, 'B', 'L', 'S', 0x0D, 0x0A, 0x1A, 0x0A };
enum { STATS_SUMS = 1, STATS_VERSION = 2 };

static bln_status stats_write(void *user, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)user) == n ? BLN_OK : BLN_EIO;
}

static void stats_put(const stats *s, bln_writer *w)
{
    const bln_basis *b = model_basis(&s->m);
    bln_put_bytes(w, stats_magic, sizeof stats_magic);
    bln_put_u32(w, s->arithmetic == BLN_SLM_QR ? STATS_VERSION : STATS_SUMS);
    model_save_about(&s->m, w);
    bln_scaler_save(s->m.scaler, w);
    bln_basis_save(b, w);
    bln_put_u64(w, b->n_theta);
    bln_put_doubles(w, b->n_theta, s->theta);
    bln_put_u32(w, s->arithmetic == BLN_SLM_QR ? 2 : s->arithmetic == BLN_SLM_EXACT);
    bln_statistics_save(s->t, w);
    bln_put_u64(w, w->checksum);
}

int stats_save(const stats *s, const char *path, cli_why *why)
{
    output out;
    const int status = output_open(path, &out, why);
    if (status) return status;
    bln_writer w = bln_writer_over(stats_write, out.file);
    stats_put(s, &w);
    if (w.status == BLN_OK) return output_close(&out, why);
    output_drop(&out);
    return cli_fail(why, "%s: %s", path, bln_status_text(w.status));
}

/* Do the parts belong together? A target may be the same in all rows of these statistics. */
static int stats_sound(const stats *s)
{
    const model *m = &s->m;
    const bln_basis *b = m->basis;
    if (bln_scaler_columns(m->scaler) != m->cols.d || bln_scaler_outputs(m->scaler) != m->cols.n_targets) return 0;
    return b->d == m->cols.d || b->d == 0;
}

static void stats_get(bln_reader *r, stats *s)
{
    const bln_load context = bln_builtin();
    if (bln_get_u32(r) > STATS_VERSION) bln_reader_fail(r, BLN_EVERSION, "statistics of a later version");
    if (r->status == BLN_OK) model_load_about(r, &s->m);
    if (r->status == BLN_OK) bln_scaler_load(NULL, r, &s->m.scaler);
    if (r->status == BLN_OK) {
        const bln_status status = bln_basis_load_any(&context, r, &s->m.basis);
        if (status != BLN_OK) bln_reader_fail(r, status, "a basis that cannot be made");
    }
    if (r->status == BLN_OK && (!stats_sound(s) || bln_get_u64(r) != s->m.basis->n_theta))
        bln_reader_fail(r, BLN_EFORMAT, "parts that do not belong together");
    if (r->status != BLN_OK) return;
    s->theta = s->own = (double *)cli_memory(s->m.basis->n_theta, sizeof *s->own);
    bln_get_doubles(r, s->m.basis->n_theta, s->own);
    const uint32_t kind = bln_get_u32(r);
    if (kind > 2) bln_reader_fail(r, BLN_EFORMAT, "statistics of no known arithmetic");
    s->arithmetic = kind == 2 ? BLN_SLM_QR : kind ? BLN_SLM_EXACT : BLN_SLM_DOUBLE;
    bln_statistics_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.basis = s->m.basis;
    desc.theta = s->theta;
    desc.n_outputs = s->m.cols.n_targets;
    desc.exact = kind == 1;
    desc.qr = kind == 2;
    if (r->status != BLN_OK) return;
    const bln_status status = bln_statistics_create(&desc, &s->t, r->report);
    if (status != BLN_OK) bln_reader_fail(r, status, "statistics that cannot be made");
    else bln_statistics_load(s->t, r);
}

int stats_load(const char *path, stats *out, cli_why *why)
{
    stats s;
    bln_report report;
    bln_memory_stream memory;
    unsigned char head[sizeof stats_magic];
    size_t n;
    char *bytes;
    if (csv_bytes(path, &bytes, &n, why)) return CLI_FAILED;
    path = csv_file_name(path);
    memset(&s, 0, sizeof s);
    bln_report_clear(&report);
    int status = CLI_GOOD;
    if (n < sizeof head || memcmp(bytes, stats_magic, sizeof head))
        status = cli_fail(why, "%s: not a file of `bayeslin stats`", path);
    else if (n < 20) status = cli_fail(why, "%s: damaged: cut short", path);
    if (!status) {
        bln_reader sum = bln_memory_reader(&memory, bytes, n, &report);
        unsigned char block[512];
        for (size_t at = 0; at < n - 8; at += sizeof block)
            bln_get_bytes(&sum, block, n - 8 - at < sizeof block ? n - 8 - at : sizeof block);
        const uint64_t want = sum.checksum;
        if (bln_get_u64(&sum) != want) status = cli_fail(why, "%s: damaged: wrong checksum", path);
    }
    if (!status) {
        bln_reader r = bln_memory_reader(&memory, bytes, n - 8, &report);
        bln_get_bytes(&r, head, sizeof head);
        stats_get(&r, &s);
        if (r.status == BLN_OK && r.count != r.limit) bln_reader_fail(&r, BLN_EFORMAT, "bytes behind the statistics");
        if (r.status != BLN_OK) status = cli_fail(why, "%s: %s", path, report.text);
    }
    free(bytes);
    if (status) stats_free(&s);
    else *out = s;
    return status;
}

/* model_file: a model on disk: the library's sections, and one of the tool's own with the tag "cols"
 *
 *     u32 version, 9 (8 was without the last line)
 *     the columns, see columns.c
 *     str SPEC · u64 seed, rows, dropped rows, starts, iterations · u32 scaled, stop reason
 *     u32 prior (0 learn, 1 flat, 2 each), --arithmetic, --optimiser, --residual, --noise: the number of the word, see options.h
 *     the columns with a role, the other targets, the column of trials and the classes of the target, see columns.c
 *     for each target f64 mean and variance (divided by n) of the training rows without its offset · d f64 means of the inputs
 *     u32 1 and how the training table was written, see reading_apply.c; or u32 0 */
#include "csv.h"
#include "model.h"
#include "made.h"
#include "output.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODEL_PLAIN = 8, MODEL_VERSION = 9 };

void model_save_about(const model *m, bln_writer *w)
{
    bln_put_u32(w, MODEL_VERSION);
    columns_save(&m->cols, w);
    bln_put_string(w, m->spec);
    bln_put_u64(w, m->seed);
    bln_put_u64(w, m->rows);
    bln_put_u64(w, m->dropped);
    bln_put_u64(w, m->starts);
    bln_put_u64(w, m->iterations);
    bln_put_u32(w, m->scaled);
    bln_put_u32(w, m->stop);
    bln_put_u32(w, m->prior);
    bln_put_u32(w, m->arithmetic);
    bln_put_u32(w, m->optimiser);
    bln_put_u32(w, m->residual);
    bln_put_u32(w, m->noise);
    columns_save_roles(&m->cols, w);
    columns_save_targets(&m->cols, w);
    columns_save_classes(&m->cols, w);
    bln_put_doubles(w, m->cols.n_targets, m->target_mean);
    bln_put_doubles(w, m->cols.n_targets, m->target_var);
    bln_put_doubles(w, m->cols.d, m->input_mean);
    bln_put_u32(w, m->cols.how != NULL);
    if (m->cols.how) reading_save(m->cols.how, 0, w);
}

/* A fit never writes NaN or infinity, so a file that has one is damaged. */
static void model_check_about(const model *m, bln_reader *r)
{
    int good = m->rows > 0 && m->scaled <= 1 && m->prior <= CLI_PRIOR_EACH && m->stop <= (uint32_t)BLN_STOP_LINESEARCH;
    for (size_t k = 0; k < m->cols.n_targets; k++)
        good = good && isfinite(m->target_mean[k]) && isfinite(m->target_var[k]) && m->target_var[k] >= 0.0;
    for (size_t j = 0; j < m->cols.d; j++) good = good && isfinite(m->input_mean[j]);
    good = good && m->arithmetic < options_words(CHOICE_ARITHMETIC) && m->optimiser < options_words(CHOICE_OPTIMISER)
        && m->residual < options_words(CHOICE_RESIDUAL) && m->noise < options_words(CHOICE_NOISE);
    if (!good && r->status == BLN_OK) bln_reader_fail(r, BLN_EFORMAT, "figures that no fit gives");
}

/* On failure m holds only what model_free takes. */
bln_status model_load_about(bln_reader *r, model *m)
{
    cli_why why;
    const uint32_t version = bln_get_u32(r);
    if (r->status == BLN_OK && (version < MODEL_PLAIN || version > MODEL_VERSION))
        bln_reader_fail(r, BLN_EVERSION, "columns of another version of bayeslin");
    if (columns_load(r, &m->cols) != BLN_OK) return r->status;
    m->spec = columns_load_text(r);
    if (r->status == BLN_OK && made_add(&m->cols, m->spec, &why)) bln_reader_fail(r, BLN_EFORMAT, "a basis of too many inputs");
    m->seed = bln_get_u64(r);
    m->rows = bln_get_u64(r);
    m->dropped = bln_get_u64(r);
    m->starts = bln_get_u64(r);
    m->iterations = bln_get_u64(r);
    m->scaled = bln_get_u32(r);
    m->stop = bln_get_u32(r);
    m->prior = bln_get_u32(r);
    m->arithmetic = bln_get_u32(r);
    m->optimiser = bln_get_u32(r);
    m->residual = bln_get_u32(r);
    m->noise = bln_get_u32(r);
    columns_load_roles(r, &m->cols);
    columns_load_targets(r, &m->cols);
    columns_load_classes(r, &m->cols);
    m->target_mean = (double *)cli_memory(m->cols.n_targets, sizeof(double));
    m->target_var = (double *)cli_memory(m->cols.n_targets, sizeof(double));
    m->input_mean = (double *)cli_memory(m->cols.d, sizeof(double));
    bln_get_doubles(r, m->cols.n_targets, m->target_mean);
    bln_get_doubles(r, m->cols.n_targets, m->target_var);
    bln_get_doubles(r, m->cols.d, m->input_mean);
    if (version > MODEL_PLAIN && bln_get_u32(r) == 1) m->cols.how = reading_load(r);
    model_check_about(m, r);
    return r->status;
}

static bln_status model_write(void *user, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)user) == n ? BLN_OK : BLN_EIO;
}

int model_save(const model *m, const char *path, cli_why *why)
{
    bln_memory_stream stream;
    bln_section section = { "cols", NULL, 0 };
    bln_modelfile file;
    bln_report report;
    output out;
    bln_writer w = bln_writer_over(NULL, NULL);
    model_save_about(m, &w);                                     /* counts */
    section.size = (size_t)w.count;
    unsigned char *bytes = (unsigned char *)cli_memory(section.size, 1);
    w = bln_memory_writer(&stream, bytes, section.size);
    model_save_about(m, &w);
    section.bytes = bytes;
    memset(&file, 0, sizeof file);
    file.slm = m->slm;
    file.integrated = m->integrated;
    file.glm = m->glm;
    file.scaler = m->scaler;
    file.conformal = m->conformal;
    file.sections = &section;
    file.n_sections = 1;
    bln_report_clear(&report);

    const bln_load all = bln_builtin();
    int status = output_open(path, &out, why);
    if (!status) {
        const bln_status wrote = bln_modelfile_write(model_write, out.file, &all, &file, &report);
        if (wrote == BLN_OK) status = output_close(&out, why);
        else {
            output_drop(&out);
            status = cli_fail(why, "%s: %s: %s", path, bln_status_text(wrote), report.text);
        }
    }
    free(bytes);
    return status;
}

/* Do the parts of the file belong together? */
static int model_fits_together(const model *m)
{
    const bln_basis *basis = model_basis(m);
    const size_t P = m->cols.n_targets;
    if ((m->integrated || m->glm ? 1 : bln_slm_outputs(m->slm)) != P || bln_scaler_outputs(m->scaler) != P) return 0;
    for (size_t k = 0; k < P; k++) if (!(m->target_var[k] > 0.0)) return 0;
    if (m->conformal && (m->integrated || m->glm || bln_conformal_outputs(m->conformal) != P)) return 0;
    return bln_scaler_columns(m->scaler) == m->cols.d && (basis->d == m->cols.d || basis->d == 0);
}

/* The library's reason ends with the path in brackets, if that is not empty; those of the tool begin with the path. */
static int model_unread(const char *path, bln_report *report, cli_why *why)
{
    char tail[sizeof report->text];
    const size_t n = strlen(report->text), own = (size_t)snprintf(tail, sizeof tail, " (%s)", path);
    if (own < n && !strcmp(report->text + n - own, tail)) report->text[n - own] = '\0';
    return cli_fail(why, "%s: %s", path, report->text);
}

/* Turns the parts of a file into the tool's model, which owns them from then on. */
static int model_take(const char *path, bln_modelfile *parts, model *out, cli_why *why)
{
    bln_modelfile file = *parts;
    bln_report report;
    model m;
    const bln_section *section = NULL;
    int status = CLI_GOOD;
    memset(&m, 0, sizeof m);
    for (size_t i = 0; i < file.n_sections; i++)
        if (!strcmp(file.sections[i].tag, "cols")) section = &file.sections[i];
    if (!file.slm && !file.integrated && !file.glm) status = cli_fail(why, "%s: a posterior without its model", path);
    else if (!section || !file.scaler)
        status = cli_fail(why, "%s: a model, but not one of this program: it has no column names", path);
    else {
        bln_memory_stream stream;
        bln_reader r = bln_memory_reader(&stream, section->bytes, section->size, &report);
        if (model_load_about(&r, &m) != BLN_OK) status = cli_fail(why, "%s: column names: %s", path, report.text);
    }
    if (file.glm) m.glm = file.glm;
    else if (file.integrated) m.integrated = file.integrated;
    else m.slm = file.slm;
    if (m.glm) m.likelihood = *bln_glm_likelihood(m.glm);
    m.scaler = file.scaler;
    m.conformal = file.conformal;
    if (m.slm) file.slm = NULL;
    if (m.integrated) file.integrated = NULL;
    file.glm = NULL;
    file.scaler = NULL;
    file.conformal = NULL;
    bln_modelfile_free(&file);
    if (!status && !model_fits_together(&m)) status = cli_fail(why, "%s: its parts do not belong together", path);
    if (status) model_free(&m);
    else *out = m;
    return status;
}

int model_load(const char *path, model *out, cli_why *why)
{
    bln_modelfile file;
    bln_report report;
    const bln_load all = bln_builtin();
    char *bytes;
    size_t n;
    if (!strcmp(path, "-")) {
        int status = csv_bytes(path, &bytes, &n, why);
        if (status) return status;
        status = model_read(csv_file_name(path), bytes, n, out, why);
        free(bytes);
        return status;
    }
    memset(&file, 0, sizeof file);
    bln_report_clear(&report);
    errno = 0;
    const bln_status read = bln_modelfile_load(path, &all, &file, &report);
    if (read == BLN_EIO && errno) return cli_fail(why, "%s: %s", path, strerror(errno));
    if (read != BLN_OK) return model_unread(path, &report, why);
    return model_take(path, &file, out, why);
}

typedef struct model_bytes { const char *at; size_t left; } model_bytes;

static bln_status model_next(void *user, void *to, size_t n)
{
    model_bytes *m = (model_bytes *)user;
    if (CLI_NEVER(n > m->left)) return BLN_EFORMAT;               /* the reader was told how many there are, and asks for no more */
    memcpy(to, m->at, n);
    m->at += n;
    m->left -= n;
    return BLN_OK;
}

int model_read(const char *name, const char *bytes, size_t n, model *out, cli_why *why)
{
    bln_modelfile file;
    bln_report report;
    const bln_load all = bln_builtin();
    model_bytes from;
    from.at = bytes;
    from.left = n;
    memset(&file, 0, sizeof file);
    bln_report_clear(&report);
    if (bln_modelfile_read(model_next, &from, n, &all, &file, &report) != BLN_OK)
        return cli_fail(why, "%s: %s", name, report.text);
    return model_take(name, &file, out, why);
}

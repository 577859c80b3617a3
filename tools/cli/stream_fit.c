/* stream_fit: a model of rows that are read again for each evaluation of the evidence
 *
 * Each evaluation of length scales costs one or two passes, and a search from a distant start dozens of them; so the searching is
 * done on evenly spaced rows in memory, and only the end of the way goes over all rows. */
#include "model_parts.h"
#include "stream.h"
#include <stdlib.h>
#include <string.h>

static void stream_note_constants(const model *m, size_t n)
{
    cli_shown shown;
    cli_counted rows;
    for (size_t j = 0; j < m->cols.d; j++)
        if (bln_scaler_constant(m->scaler, j))
            cli_note("column \"%s\" is %g in %s: it tells nothing", cli_show(&shown, m->cols.inputs[j]),
                     bln_scaler_mean(m->scaler, j), cli_all(&rows, n, "row"));
}

/* With --prior flat, inputs that are the same in all rows, as of products with empty cells, are left out. */
static int stream_leave_constant(const options *o, model *m, prior *prior_of, cli_why *why)
{
    size_t n = 0;
    m->useless = (char *)cli_memory(m->cols.d, 1);
    for (size_t j = 0; j < m->cols.d; j++) n += (size_t)(m->useless[j] = (char)(bln_scaler_constant(m->scaler, j) != 0));
    if (o->prior != CLI_PRIOR_FLAT || !n) return CLI_GOOD;
    prior_free(prior_of);
    free(m->terms);
    m->terms = NULL;
    return model_make_basis(o, 0, m, prior_of, why);
}

/* Some of the rows, as the model sees them and raw (less the offset) for messages; room to free. */
static double *stream_views(const stream *s, const model *m, bln_data *seen, bln_data *raw)
{
    const size_t n = s->some.n, each = s->d + s->P;
    double *room = (double *)cli_memory(n, (each + s->P)*sizeof *room), *y = room + n*each;
    *seen = model_view(m, &s->some, room);
    *raw = s->some;
    raw->offset = NULL;
    raw->y = y;
    for (size_t i = 0; i < n*s->P; i++) y[i] = s->some.y[i] - (s->some.offset ? s->some.offset[i] : 0.0);
    return room;
}

/* What a search over some rows ended with: where that over all begins. */
typedef struct stream_found { double noise_var, *prior_var, *theta; uint64_t iterations; } stream_found;

static bln_status stream_search(bln_slm_desc desc, const bln_data *some, stream_found *found, bln_report *report)
{
    bln_slm *slm = NULL;
    bln_status status = bln_slm_create(&desc, &slm, report);
    if (status == BLN_OK) status = bln_slm_fit(slm, some, report);
    if (status == BLN_OK) {
        const size_t priors = bln_slm_priors(slm), n_theta = desc.basis->n_theta;
        found->noise_var = bln_slm_noise_var(slm);
        found->prior_var = (double *)cli_memory(priors, sizeof(double));
        found->theta = (double *)cli_memory(n_theta, sizeof(double));
        memcpy(found->prior_var, bln_slm_prior_var(slm), priors*sizeof(double));
        memcpy(found->theta, bln_slm_theta(slm), n_theta*sizeof(double));
        found->iterations = report->iterations;
    }
    bln_slm_free(slm);
    return status;
}

static int stream_learn_model(const options *o, stream *s, const prior *prior_of, progress *p, model *m, cli_why *why)
{
    bln_report report;
    bln_data seen, raw;
    stream_found found;
    memset(&found, 0, sizeof found);
    bln_report_clear(&report);
    double *room = stream_views(s, m, &seen, &raw);
    if (model_choose_points(o, &seen, m, why)) { free(room); return CLI_FAILED; }
    const bln_source rows = stream_source(s, m);
    bln_slm_desc desc = model_desc(o, m, prior_of, s->n, s->weight, p);
    bln_status status = BLN_OK;
    if (m->basis->n_theta && o->sample && s->some.n < s->n) {
        p->n = model_total_weight(&s->some) - (double)prior_of->features;
        progress_stage(p, "some rows");
        status = stream_search(desc, &seen, &found, &report);
        p->n = s->weight - (double)prior_of->features;
        desc.noise_var = bln_slm_defaults(&desc).relative_prior ? 0.0 : found.noise_var;
        desc.prior_var = found.prior_var;
        desc.theta = found.theta;
        desc.warm_start = 1;
        desc.starts = 1;
    }
    progress_stage(p, "all rows");
    if (status == BLN_OK) status = bln_slm_create(&desc, &m->slm, &report);
    if (status == BLN_OK) status = bln_slm_fit_source(m->slm, &rows, &report);
    progress_wipe(p);
    m->iterations = found.iterations + report.iterations;
    m->stop = (uint32_t)report.stop;
    model_note_bound(&report);
    const int failed = status == BLN_OK ? CLI_GOOD : model_failed(status, &report, &seen, prior_of, m, &raw, why);
    free(found.prior_var);
    free(found.theta);
    free(room);
    return failed;
}

int stream_fit(const options *o, stream *s, progress *p, model *out, cli_why *why)
{
    prior prior_of;
    model m;
    memset(&prior_of, 0, sizeof prior_of);
    int status = model_begin(o, &s->cols, s->n, s->weight, &m, why);
    const double began = system_clock();
    if (!status) status = model_make_basis(o, 0, &m, &prior_of, why);
    if (!status) {
        const bln_source raw = stream_source(s, NULL);
        progress_stage(p, "scaling");
        status = model_learn_scale(&raw, s->n, &s->some, &m, why);
        progress_wipe(p);
        if (!status) stream_note_constants(&m, s->n);
        if (!status) status = stream_leave_constant(o, &m, &prior_of, why);
        if (!status) status = model_use_scale(&m, why);
    }
    if (!status) status = model_enough(&prior_of, s->weight, &m, why);
    if (!status) status = stream_learn_model(o, s, &prior_of, p, &m, why);
    m.seconds = system_clock() - began;
    m.dropped = s->dropped;
    prior_free(&prior_of);
    if (status) model_free(&m);
    else *out = m;
    return status;
}

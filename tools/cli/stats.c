/* stats: sums over rows, and what two files must agree in for their sums to be added */
#include "stats.h"
#include "model_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void stats_free(stats *s)
{
    bln_statistics_free(s->t);
    model_free(&s->m);
    free(s->own);
    memset(s, 0, sizeof *s);
}

/* The statistics of no rows, for the basis, theta and arithmetic that are in s. */
static int stats_start(stats *s, cli_why *why)
{
    bln_statistics_desc desc;
    bln_report report;
    memset(&desc, 0, sizeof desc);
    desc.basis = model_basis(&s->m);
    desc.theta = s->theta;
    desc.n_outputs = s->m.cols.n_targets;
    desc.exact = s->arithmetic == BLN_SLM_EXACT;
    desc.qr = s->arithmetic == BLN_SLM_QR;
    const bln_status status = bln_statistics_create(&desc, &s->t, &report);
    return status == BLN_OK ? CLI_GOOD : model_why(why, "statistics", status, &report);
}

/* --arithmetic auto: chooses as a fit of such rows would. */
static void stats_choose(stats *s, bln_slm_arithmetic asked)
{
    const bln_basis *b = model_basis(&s->m);
    s->arithmetic = asked != BLN_SLM_ARITHMETIC_AUTO ? asked : b->n_theta == 0 && b->D <= 16 ? BLN_SLM_EXACT : BLN_SLM_DOUBLE;
}

/* Parameters of the basis at their own starts, for rows with these moments (mean, then sd). */
static void stats_start_theta(stats *s, const double *mean)
{
    const bln_basis *b = s->m.basis;
    bln_moments moments;
    moments.n = (size_t)s->m.rows;
    moments.d = s->m.cols.d;
    moments.mean = mean;
    moments.sd = mean + s->m.cols.d;
    s->theta = s->own = (double *)cli_memory(b->n_theta, sizeof *s->own);
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param p;
        bln_basis_param(b, k, &moments, &p);
        s->own[k] = p.start;
    }
}

/* Moments that the scaler has found, of the inputs as the model will see them: mean, then sd, of each; to free. */
static double *stats_moments(const model *m)
{
    const size_t d = m->cols.d;
    double *mean = (double *)cli_memory(d, 2*sizeof *mean), *sd = mean + d;
    for (size_t j = 0; j < d; j++) {
        const double spread = bln_scaler_constant(m->scaler, j) ? 0.0 : bln_scaler_sd(m->scaler, j);
        mean[j] = m->scaled ? 0.0 : bln_scaler_mean(m->scaler, j);
        sd[j] = m->scaled ? spread > 0.0 : spread;
    }
    return mean;
}

/* The basis, with points from the rows in memory where it chooses some. */
static int stats_points(const options *o, const stream *rows, stats *s, cli_why *why)
{
    double *room = (double *)cli_memory(rows->some.n, (rows->d + rows->P)*sizeof *room);
    const bln_data seen = model_view(&s->m, &rows->some, room);
    const int status = model_choose_points(o, &seen, &s->m, why);
    free(room);
    return status;
}

int stats_of_rows(const options *o, stream *rows, stats *out, cli_why *why)
{
    prior prior_of;
    stats s;
    double *moments = NULL;
    memset(&s, 0, sizeof s);
    memset(&prior_of, 0, sizeof prior_of);
    int status = model_begin(o, &rows->cols, rows->n, rows->weight, &s.m, why);
    if (!status) status = model_make_basis(o, 0, &s.m, &prior_of, why);
    if (!status) {
        const bln_source raw = stream_source(rows, NULL);
        status = model_learn_scale(&raw, rows->n, &rows->some, &s.m, why);
    }
    if (!status) {
        moments = stats_moments(&s.m);
        status = model_use_scale(&s.m, why);
    }
    if (!status) status = stats_points(o, rows, &s, why);
    if (!status) {
        stats_choose(&s, prior_arithmetic(&prior_of, s.m.basis, rows->n, s.m.arithmetic));
        stats_start_theta(&s, moments);
        if (s.m.basis->n_theta)
            cli_note("the basis has parameters, which stay at their starts; --like MODEL takes those that a fit to some of the "
                     "rows has learnt");
        status = stats_start(&s, why);
    }
    s.m.rows = s.m.dropped = 0;
    free(moments);
    prior_free(&prior_of);
    if (status) stats_free(&s);
    else *out = s;
    return status;
}

/* Clears what depends on the rows that the model or the statistics were learnt from. */
static void stats_forget_rows(stats *s)
{
    s->m.rows = s->m.dropped = s->m.starts = s->m.iterations = 0;
    s->m.stop = (uint32_t)BLN_STOP_NONE;
    s->m.optimiser = s->m.residual = s->m.noise = 0;
    for (size_t j = 0; j < s->m.cols.d; j++) s->m.input_mean[j] = 0.0;
    for (size_t k = 0; k < s->m.cols.n_targets; k++) s->m.target_mean[k] = s->m.target_var[k] = 0.0;
}

int stats_like(const char *path, stats *out, cli_why *why)
{
    cli_why other;
    stats s;
    memset(&s, 0, sizeof s);
    int status = stats_load(path, &s, &other);
    if (!status) {
        bln_statistics_free(s.t);
        s.t = NULL;
    } else {
        memset(&s, 0, sizeof s);
        status = model_load(path, &s.m, why);
        if (status) return cli_fail(why, "%s: neither statistics nor a model: %s", path, other.text);
        if (s.m.integrated || s.m.glm)
            status = cli_fail(why, "%s: a model of %s, of which there are no statistics", path,
                              s.m.glm ? "--likelihood" : "--integrate");
        s.theta = model_theta(&s.m);
        stats_choose(&s, (bln_slm_arithmetic)s.m.arithmetic);
    }
    stats_forget_rows(&s);
    if (!status) status = stats_start(&s, why);
    if (status) stats_free(&s);
    else *out = s;
    return status;
}

/* mean and variance (divided by the weight) of two sets of rows together. */
static void stats_pool(double w, double *mean, double *var, double w2, double mean2, double var2)
{
    const double total = w + w2, delta = mean2 - *mean;
    if (!(total > 0.0)) return;
    if (var) *var = (w*(*var) + w2*var2 + delta*delta*(w/total)*w2)/total;
    *mean += delta*(w2/total);
}

/* The figures of m's rows (weight w) and those of others together. */
static void stats_pool_figures(model *m, double w, const model *other, double w2)
{
    for (size_t j = 0; j < m->cols.d; j++) stats_pool(w, &m->input_mean[j], NULL, w2, other->input_mean[j], 0.0);
    for (size_t k = 0; k < m->cols.n_targets; k++)
        stats_pool(w, &m->target_mean[k], &m->target_var[k], w2, other->target_mean[k], other->target_var[k]);
    m->rows += other->rows;
    m->dropped += other->dropped;
}

int stats_add(stats *to, stream *s, cli_why *why)
{
    const bln_source seen = stream_source(s, &to->m);
    bln_report report;
    bln_data block;
    double weight = 0.0;
    progress_stage(s->p, "statistics");
    bln_report_clear(&report);
    bln_status status = seen.reset(seen.user, &report);
    while (status == BLN_OK) {
        status = seen.next(seen.user, STREAM_BLOCK, &block, &report);
        if (status != BLN_OK || block.n == 0) break;
        status = bln_statistics_add(to->t, &block, &report);
    }
    progress_wipe(s->p);
    if (status != BLN_OK) return model_why(why, "the statistics failed", status, &report);

    /* Figures of these rows in the units of the data; a target that is the same in all of them is no failure here. */
    model m;
    memset(&m, 0, sizeof m);
    m.input_mean = (double *)cli_memory(s->d, sizeof(double));
    m.target_mean = (double *)cli_memory(s->P, sizeof(double));
    m.target_var = (double *)cli_memory(s->P, sizeof(double));
    m.rows = s->n;
    m.dropped = s->dropped;
    const bln_source raw = stream_source(s, NULL);
    status = s->weight > 0.0 ? bln_scaler_create_source(NULL, &raw, &m.scaler, &report) : BLN_OK;
    for (size_t j = 0; j < s->d && m.scaler; j++) m.input_mean[j] = bln_scaler_mean(m.scaler, j);
    for (size_t k = 0; k < s->P && m.scaler; k++) {
        const double sd = bln_scaler_constant(m.scaler, s->d + k) ? 0.0 : bln_scaler_sd(m.scaler, s->d + k);
        m.target_mean[k] = bln_scaler_mean(m.scaler, s->d + k);
        m.target_var[k] = sd*sd;
    }
    progress_wipe(s->p);
    weight = bln_statistics_rows(to->t) - s->weight;
    stats_pool_figures(&to->m, weight, &m, s->weight);
    model_free(&m);
    return status == BLN_OK ? CLI_GOOD : model_why(why, "mean and standard deviation of the columns", status, &report);
}

/* Are these the same bytes? */
typedef void (*stats_writer)(const model *m, bln_writer *w);

static void stats_put_columns(const model *m, bln_writer *w)
{
    columns_save(&m->cols, w);
    columns_save_roles(&m->cols, w);
    columns_save_targets(&m->cols, w);
    if (m->cols.how) reading_save(m->cols.how, 1, w);
}

static void stats_put_scaling(const model *m, bln_writer *w)
{
    bln_put_u32(w, m->scaled);
    bln_scaler_save(m->scaler, w);
}

static int stats_same(const model *a, const model *b, stats_writer put)
{
    bln_writer one = bln_writer_over(NULL, NULL), two = bln_writer_over(NULL, NULL);
    put(a, &one);
    put(b, &two);
    if (one.count != two.count) return 0;
    const size_t n = (size_t)one.count;
    bln_memory_stream m;
    unsigned char *bytes = (unsigned char *)cli_memory(2*n, 1);
    one = bln_memory_writer(&m, bytes, n);
    put(a, &one);
    two = bln_memory_writer(&m, bytes + n, n);
    put(b, &two);
    const int same = !memcmp(bytes, bytes + n, n);
    free(bytes);
    return same;
}

int stats_merge(stats *to, const stats *from, const char *to_name, const char *from_name, cli_why *why)
{
    bln_report report;
    const double w = bln_statistics_rows(to->t), w2 = bln_statistics_rows(from->t);
    if (!stats_same(&to->m, &from->m, stats_put_columns))
        return cli_fail(why, "%s: its columns, their words or their roles are not those of %s", from_name, to_name);
    if (!stats_same(&to->m, &from->m, stats_put_scaling))
        return cli_fail(why, "%s: standardised in another way than %s: make it with `stats DATA --like %s`, or both with "
                             "--no-scale", from_name, to_name, to_name);
    if (to->m.prior != from->m.prior) return cli_fail(why, "%s: with another --prior than %s", from_name, to_name);
    if (to->arithmetic != from->arithmetic) return cli_fail(why, "%s: with another --arithmetic than %s", from_name, to_name);
    if (bln_statistics_merge(to->t, from->t, &report) != BLN_OK)
        return cli_fail(why, "%s: of another basis or seed, or of other basis parameters, than %s", from_name, to_name);
    stats_pool_figures(&to->m, w, &from->m, w2);
    return CLI_GOOD;
}

/* ---- a model of them */

int stats_fit(const options *o, stats *from, progress *p, model *out, cli_why *why)
{
    prior prior_of;
    bln_report report;
    model m = from->m;
    const double weight = bln_statistics_rows(from->t), began = system_clock();
    memset(&from->m, 0, sizeof from->m);
    memset(&prior_of, 0, sizeof prior_of);
    bln_report_clear(&report);
    int status = CLI_GOOD;
    for (size_t k = 0; k < m.cols.n_targets && !status; k++)
        if (!(m.target_var[k] > 0.0)) {
            cli_shown shown;
            status = cli_fail(why, "%s: the target \"%s\" is %g in all rows: there is nothing to learn", o->from_stats,
                              cli_show(&shown, m.cols.targets[k]), m.target_mean[k]);
        }
    model_take_choices(o, &m);
    if (!status && m.noise && m.cols.n_targets == 1)
        status = cli_misuse(why, "--noise is about the noise of several targets, and %s has one", o->from_stats);
    if (m.prior == CLI_PRIOR_LEARN) m.prior = (uint32_t)o->prior;
    if (!status) status = model_check_choices(&m, 1, why);
    if (!status) status = prior_check_each(o->prior == CLI_PRIOR_EACH, m.basis, why);
    if (!status) status = model_choose_prior(&m, m.prior, 0, &prior_of, why);
    if (!status) status = model_enough(&prior_of, weight, &m, why);
    if (!status) {
        bln_slm_desc desc = model_desc(o, &m, &prior_of, (size_t)m.rows, weight, p);
        desc.fix_theta = 1;
        bln_status got = bln_slm_create(&desc, &m.slm, &report);
        if (got == BLN_OK) got = bln_slm_fit_statistics(m.slm, from->t, &report);
        progress_wipe(p);
        if (got == BLN_ENOTPD && CLI_ALWAYS(report.column < m.basis->D)) {      /* as in model_failed */
            char name[200];
            bln_basis_feature_name(m.basis, report.column, (const char *const *)m.cols.inputs, name, sizeof name);
            status = cli_fail(why, "--prior flat: \"%s\" depends on the features before it: the data do not determine their "
                                   "weights", name);
        } else if (got != BLN_OK) status = model_why(why, "the fit failed", got, &report);
    }
    m.starts = o->starts;
    m.iterations = report.iterations;
    m.stop = (uint32_t)report.stop;
    if (!status) model_note_bound(&report);
    m.seconds = system_clock() - began;
    prior_free(&prior_of);
    if (status) model_free(&m);
    else *out = m;
    return status;
}

void stats_print(const stats *s, const char *path, const cli_answer *to)
{
    const model *m = &s->m;
    const char *how = s->arithmetic == BLN_SLM_EXACT ? ", summed in three doubles"
                    : s->arithmetic == BLN_SLM_QR ? ", as a triangle" : "";
    for (size_t k = 0; k < m->cols.n_targets; k++) {
        say(to, "target           ");
        say_name(to, m->cols.targets[k]);
        say(to, "\n");
    }
    say(to, "rows             %lu", (unsigned long)m->rows);
    if (m->dropped) say(to, "  (%lu more had missing values)", (unsigned long)m->dropped);
    say(to, "\ninputs           %lu%s\n", (unsigned long)m->cols.d, m->scaled ? ", standardised" : "");
    say(to, "basis            ");
    say_name(to, m->spec);
    say(to, "  (seed %lu)\n", (unsigned long)m->seed);
    say(to, "features         %lu%s\n", (unsigned long)model_basis(m)->D, how);
    say(to, "statistics       %s\n", path);
    json_texts(to->json, "targets", m->cols.n_targets, (const char *const *)m->cols.targets);
    json_count(to->json, "rows", m->rows);
    json_count(to->json, "dropped", m->dropped);
    json_texts(to->json, "inputs", m->cols.d, (const char *const *)m->cols.inputs);
    json_flag(to->json, "standardised", m->scaled != 0);
    json_text(to->json, "basis", m->spec);
    json_count(to->json, "seed", m->seed);
    json_count(to->json, "features", model_basis(m)->D);
    json_text(to->json, "arithmetic", options_word(CHOICE_ARITHMETIC, (uint32_t)s->arithmetic));
    json_text(to->json, "statistics", path);
}

/* posterior_of.h - questions that many tests ask of a linear model's posterior, in one call */
#ifndef BLN_TESTS_POSTERIOR_OF_H
#define BLN_TESTS_POSTERIOR_OF_H
#include "../test.h"
#include "../posterior/posterior_gaussian.h"

enum { OF_SLOTS = 16, OF_OUTPUTS = 8, OF_WEIGHTS = 1 << 13 };

/* The Gaussian of each output, with s in its scale; NULL if there is no posterior. The last few results stay valid. */
static TEST_UNUSED const blni_gaussian *gaussians_of(const bln_posterior *q)
{
    static blni_gaussian answer[OF_SLOTS][OF_OUTPUTS];
    static double s[OF_SLOTS][OF_WEIGHTS];
    static size_t next;
    const size_t slot = next++ % OF_SLOTS;
    double *at = s[slot], scale = 0.0;
    if (!q || q->status != BLN_OK) return NULL;
    for (size_t p = 0; p < (q->J ? q->J : 1); p++) {
        blni_gaussian *g = &answer[slot][p];
        CHECK(p < OF_OUTPUTS);
        CHECK_OK(posterior_gaussian(q, p, g, &scale));
        CHECK((size_t)(at - s[slot]) + g->D <= OF_WEIGHTS);
        for (size_t j = 0; j < g->D; j++) at[j] = sqrt(scale)*g->s[j];
        g->s = at;
        at += g->D;
    }
    return answer[slot];
}

/* *a - *b */
static TEST_UNUSED double slm_exact_difference(const blni_exact *a, const blni_exact *b)
{
    blni_exact d = *a;
    blni_exact_sub(&d, b);
    return blni_exact_double(&d);
}

/* Mean of y, variance of f and variance of y. */
static TEST_UNUSED bln_status total_of(const bln_posterior *q, const bln_data *data, double *mean, double *latent, double *total,
                                       double *work, bln_report *report)
{
    const size_t n = data && q ? data->n*q->observe.n_moments : 0;
    double *own = total && !latent ? (double *)malloc((n + 1)*sizeof *own) : NULL, *model = own ? own : latent;
    const bln_status status = bln_posterior_predict(q, data, mean, model, total, work, report);
    for (size_t i = 0; i < n && total && status == BLN_OK; i++) total[i] += model[i];
    free(own);
    return status;
}

/* Leaves out each row: mean and variance of y, leverage, and the sum of weight times log density. */
static TEST_UNUSED bln_status loo_of(const bln_posterior *q, const bln_data *data, double *mean, double *var, double *leverage,
                                     double *score, bln_report *report)
{
    const size_t n = data && q ? data->n*q->observe.n_moments : 0;
    double *noise = (double *)malloc((n + 1)*sizeof *noise);
    bln_elpd total;
    bln_loo_outputs out;
    memset(&out, 0, sizeof out);
    out.mean = mean;
    out.var_model = var;
    out.var_noise = var ? noise : NULL;
    out.influence = leverage;
    out.total = score ? &total : NULL;
    const bln_status status = bln_posterior_loo(q, data, NULL, &out, report);
    for (size_t i = 0; i < n && var && (status == BLN_OK || status == BLN_EUNDEFINED); i++) var[i] += noise[i];
    if (score && (status == BLN_OK || status == BLN_EUNDEFINED)) *score = total.elpd;
    free(noise);
    return status;
}

/* The same for groups: mean and variance of y of each row without its group; log densities of the groups. */
static TEST_UNUSED bln_status groups_of(const bln_posterior *q, const bln_data *data, const size_t *group, size_t n_groups,
                                        double *mean, double *var, double *logp, bln_report *report)
{
    const size_t n = data && q ? data->n*q->observe.n_moments : 0;
    double *noise = (double *)malloc((n + 1)*sizeof *noise);
    bln_loo_outputs out;
    memset(&out, 0, sizeof out);
    out.mean = mean;
    out.var_model = var;
    out.var_noise = var ? noise : NULL;
    const bln_status status = bln_posterior_loo_groups(q, data, group, n_groups, NULL, mean || var ? &out : NULL, logp, report);
    for (size_t i = 0; i < n && var && (status == BLN_OK || status == BLN_EUNDEFINED); i++) var[i] += noise[i];
    free(noise);
    return status;
}

static TEST_UNUSED bln_status sd_of(const bln_posterior *q, double *sd)
{
    return bln_posterior_coefficients(q, NULL, sd, 0, NULL, NULL, NULL, NULL);
}

/* Several questions at once; NULL outputs are skipped. */
typedef struct of_outputs {
    double *mean, *var_latent, *var_total, *cdf, *log_density;
    size_t n_level;
    const double *level;
    int     latent;
    double *quantile;
} of_outputs;

static TEST_UNUSED bln_status outputs_of(const bln_posterior *q, const bln_data *data, const of_outputs *o, double *work,
                                         bln_report *report)
{
    bln_status status = total_of(q, data, o->mean, o->var_latent, o->var_total, work, report);
    if (status == BLN_OK && o->cdf) status = bln_posterior_cdfs(q, data, o->cdf, NULL, work, report);
    if (status == BLN_OK && o->log_density) status = bln_posterior_logdensities(q, data, o->log_density, work, report);
    if (status == BLN_OK && o->quantile)
        status = bln_posterior_quantiles(q, data, o->latent ? BLN_OF_F : BLN_OF_Y, o->n_level, o->level, o->quantile, work, report);
    return status;
}

#endif

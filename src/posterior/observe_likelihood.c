/* observe_likelihood: rows as targets, then >>predictive */
#include "observe_likelihood.h"
#include "../core/status_private.h"
#include "../core/data_private.h"
#include "../likelihood/predictive_private.h"
#include "views_private.h"

BLNI_PRIV const char *blni_observed_check(const bln_observe *o, size_t J, double dof)
{
    const char *reason = o->likelihood ? bln_likelihood_check(o->likelihood) : "likelihood: NULL";
    if (reason) return reason;
    if (J != 1) return "likelihood: one latent only";
    if (dof != 0.0) return "likelihood: f must be normal under each component";
    return o->n_eta != o->likelihood->n_theta || o->n_y != 1 || o->n_moments != 1 ? "likelihood: made for another one" : NULL;
}

/* Densities ask for targets in the domain, distribution functions for any. */
BLNI_PRIV bln_status blni_observed_rows(const bln_observe *o, const bln_data *data, int need, bln_report *report)
{
    const bln_likelihood *l = o->likelihood;
    if (need && blni_outputs(data) != 1)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "data: only one output (p) is there");
    if (need > 1) return blni_likelihood_check_from(l, data, 0, report);
    if (data->trials && (!l->ops->discrete || !l->ops->domain))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "data: this likelihood has no trials");
    return blni_data_check_from(data, need, 0, report);
}

/* Targets, which may be strided in the data. */
BLNI_PRIV size_t blni_observed_work(const bln_observe *o, size_t n) { (void)o; return n; }

BLNI_PRIV bln_targets blni_observed_targets(const bln_data *rows, double *y)
{
    bln_targets t;
    memset(&t, 0, sizeof t);
    for (size_t i = 0; i < rows->n; i++) y[i] = rows->y ? blni_y(rows, i, 0) : 0.0;
    t.y = y;
    t.trials = rows->trials;
    t.noise_var = rows->noise_var;
    return t;
}

BLNI_PRIV void blni_observed_moments(const bln_observe *o, const bln_data *rows, const bln_latent *f, double *mean, double *model,
                                     double *noise, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    bln_predictive_moments(o->likelihood, rows->n, &t, f, mean, model, noise);
}

BLNI_PRIV void blni_observed_logdensity(const bln_observe *o, const bln_data *rows, const bln_latent *f, double *out, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    bln_predictive_logdensity(o->likelihood, rows->n, &t, f, out);
}

BLNI_PRIV void blni_observed_cdf(const bln_observe *o, const bln_data *rows, const bln_latent *f, double *lower, double *upper,
                                 double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    bln_predictive_cdf(o->likelihood, rows->n, &t, f, lower, upper);
}

BLNI_PRIV void blni_observed_pit(const bln_observe *o, const bln_data *rows, const bln_latent *f, const double *u, double *out,
                                 double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    bln_predictive_pit(o->likelihood, rows->n, &t, f, u, out);
}

BLNI_PRIV void blni_observed_quantile(const bln_observe *o, const bln_data *rows, const bln_latent *f, size_t n_p, const double *p,
                                      const double *q, double *out, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < n_p; k++) *out++ = blni_predict_quantile(o->likelihood, &t, f, i, p[k], q ? q[k] : 1.0 - p[k]);
}

/* Each row has a stream of its own, its number, of a seed that stands in the draw's stream of the complement of the seed. */
BLNI_PRIV bln_status blni_observed_draw(const bln_observe *o, const bln_data *rows, const double *eta, const double *missed,
                                        int noise, uint64_t seed, uint64_t stream, uint64_t first, double *y, double *work)
{
    const bln_targets all = blni_observed_targets(rows, work);
    bln_rng rng;
    bln_rng_seed(&rng, ~seed, stream);
    const uint64_t key = bln_rng_next(&rng);
    for (size_t i = 0; i < rows->n; i++) {
        const bln_targets t = bln_targets_from(&all, i);
        bln_rng_seed(&rng, key, first + i);
        const double e = bln_rng_normal(&rng), f = missed && missed[i] > 0.0 ? y[i] + sqrt(missed[i])*e : y[i];
        if (noise) bln_likelihood_draw(o->likelihood, eta, 1, &t, &f, &rng, y + i);
        else       y[i] = f;
    }
    return BLN_OK;
}

BLN_API bln_observe bln_observe_likelihood(const bln_likelihood *l)
{
    static const struct bln_observe_ops ops = {
        "likelihood", 0, blni_observed_check, blni_observed_rows, blni_observed_work, blni_observed_moments,
        blni_observed_logdensity, blni_observed_cdf, blni_observed_pit, blni_observed_quantile, blni_observed_draw,
        NULL
    };
    bln_observe o;
    o.ops = &ops;
    o.likelihood = l;
    o.n_eta = l ? l->n_theta : 0;
    o.n_y = o.n_moments = 1;
    return o;
}

/* observe_likelihood: makes targets of the rows, and calls likelihood/predictive */
#include "observe_likelihood_private.h"
#include "../random/rng_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../likelihood/latent_private.h"
#include "../likelihood/predictive_private.h"
#include "../core/load.h"
#include "../likelihood/likelihood_private.h"

BLNI_PRIV const char *blni_observed_check(const bln_observe *o, size_t J, double dof)
{
    const char *reason = o->likelihood ? bln_likelihood_check(o->likelihood) : "likelihood: NULL";
    if (reason) return reason;
    if (J != 1 || o->likelihood->ops->latents) return "likelihood: one latent only (see bln_observe_latents)";
    if (dof != 0.0) return "likelihood: f must be normal under each component";
    return o->n_eta != o->likelihood->n_theta || o->n_y != 1 || o->n_moments != 1 ? "likelihood: made for another one" : NULL;
}

/* What a user has made of one is in no list. */
BLNI_PRIV int blni_observed_told(const bln_observe *o, char *text)
{
    if (!o->likelihood->user) blni_likelihood_told(o->likelihood, text);
    return !o->likelihood->user;
}

BLNI_PRIV bln_status blni_observed_find(const bln_load *context, const char *name, size_t n_eta, size_t J, void *out)
{
    return bln_likelihood_find(context->likelihoods, context->n_likelihoods, name, n_eta, J, (bln_likelihood *)out);
}

BLNI_PRIV int blni_observed_usable(const bln_observe *o, const double *eta) { return blni_eta_usable(o->likelihood, eta); }

/* Densities ask for targets in the domain, distribution functions for any. */
BLNI_PRIV bln_status blni_observed_rows(const bln_observe *o, const bln_data *data, int need, bln_report *report)
{
    const bln_likelihood *l = o->likelihood;
    if (need && blni_outputs(data) != 1) return blni_refuse(report, BLN_ESHAPE, "data: only one output (p) is there");
    if (need > 1) return blni_likelihood_check_from(l, data, 0, report);
    if (data->trials && (l->ops->latents || !l->ops->domain))
        return blni_refuse(report, BLN_EINVAL, "data: this likelihood has no trials");
    return blni_data_check_from(data, need, 0, report);
}

/* Targets, which may be strided in the data. */
BLNI_PRIV size_t blni_observed_work(const bln_observe *o, size_t n) { return n; }

BLNI_PRIV bln_targets blni_observed_targets(const bln_data *rows, double *y)
{
    bln_targets t = BLN_ZERO;
    for (size_t i = 0; i < rows->n; i++) y[i] = rows->y ? blni_y(rows, i, 0) : 0.0;
    t.y = y;
    t.trials = rows->trials;
    t.noise_var = rows->noise_var;
    return t;
}

BLNI_PRIV void blni_observed_moments(BLNI_OBSERVED, double *mean, double *model, double *noise, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    blni_predictive_moments(o->likelihood, rows->n, &t, f, mean, model, noise);
}

BLNI_PRIV void blni_observed_logdensity(BLNI_OBSERVED, double *out, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    blni_predictive_logdensity(o->likelihood, rows->n, &t, f, out);
}

BLNI_PRIV void blni_observed_cdf(BLNI_OBSERVED, double *lower, double *upper, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    blni_predictive_cdf(o->likelihood, rows->n, &t, f, lower, upper);
}

BLNI_PRIV void blni_observed_pit(BLNI_OBSERVED, const double *u, double *out, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    blni_predictive_pit(o->likelihood, rows->n, &t, f, u, out);
}

BLNI_PRIV void blni_observed_quantile(BLNI_OBSERVED, size_t n_p, const double *p, const double *q, double *out, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < n_p; k++) *out++ = blni_predict_quantile(o->likelihood, &t, f, i, p[k], q ? q[k] : 1.0 - p[k]);
}

/* Of one latent or of several. Each row has a stream of its own, its number, of a seed that stands in the draw's stream of the
 * complement of the seed. */
BLNI_PRIV bln_status blni_observed_draw(const bln_observe *o, const bln_data *rows, const double *eta, const double *missed,
                                        int noise, uint64_t seed, uint64_t stream, uint64_t first, double *f, double *y,
                                        double *work)
{
    const bln_latents_ops *several = o->likelihood->ops->latents;
    const size_t J = bln_likelihood_latents(o->likelihood);
    const bln_targets all = blni_observed_targets(rows, work);
    bln_rng rng = blni_rng_of(~seed, stream);
    const uint64_t key = bln_rng_next(&rng);
    for (size_t i = 0; i < rows->n; i++) {
        const bln_targets t = blni_targets_from(&all, i);
        bln_rng_seed(&rng, key, first + i);
        for (size_t j = i*J; j < (i + 1)*J; j++) {
            const double e = bln_rng_normal(&rng);
            if (missed && missed[j] > 0.0) f[j] += sqrt(missed[j])*e;
        }
        const double one = f[i*J];                                           /* y may be where it was */
        if (noise && several) several->draw(o->likelihood, eta, 1, &t, f + i*J, 1, &rng, y + i);
        else if (noise) bln_likelihood_draw(o->likelihood, eta, 1, &t, &one, &rng, y + i);
    }
    return BLN_OK;
}

/* ---- rows left out */

/* Targets; f of a component, its derivatives. */
BLNI_PRIV size_t blni_observed_logp_work(const bln_observe *o, size_t n) { return blni_mul(6, n); }

BLNI_PRIV void blni_observed_sites(BLNI_OBSERVED, bln_sites rule, double *slope, double *W, double *work)
{
    const size_t n = rows->n, K = blni_latent_K(f), ld = blni_latent_ld(f);
    const bln_targets t = blni_observed_targets(rows, work);
    double *m = work + n, *v = m + n, *value = v + n, *d1 = value + n, *d2 = d1 + n;
    for (size_t k = 0; k < K; k++) {
        const double *eta = f->eta ? f->eta + k*f->ldeta : NULL;
        for (size_t i = 0; i < n; i++) { m[i] = f->mean[i*ld + k]; v[i] = f->var[i*ld + k]; }
        if (rule == BLN_SITES_MODE) bln_likelihood_eval(o->likelihood, eta, n, &t, m, value, d1, d2, NULL);
        else blni_likelihood_expect(o->likelihood, eta, n, &t, m, v, 0.0, value, d1, d2, NULL, 0);
        for (size_t i = 0; i < n; i++) {
            const double weight = rows->weight ? rows->weight[i] : 1.0;
            const double w = rule != BLN_SITES_MODE ? -2.0*d2[i] : d2[i] < 0.0 ? -d2[i] : 0.0;       /* as in the posterior */
            slope[i*ld + k] = weight > 0.0 ? weight*d1[i] : 0.0;
            W[i*ld + k] = weight > 0.0 ? weight*w : 0.0;
        }
    }
}

BLNI_PRIV void blni_observed_logp(const bln_observe *o, const bln_data *row, const double *eta, size_t ldeta, double rest, size_t S,
                                  const double *f, double *out, double *work)
{
    const bln_targets t = blni_observed_targets(row, work);
    double v[BLN_LIKELIHOOD_BLOCK];
    for (size_t s = 0, n; s < S; s += n) {
        blni_predict_row r;
        n = ldeta ? 1 : blni_min(S - s, BLN_LIKELIHOOD_BLOCK);
        const double *at = ldeta ? eta + s*ldeta : eta;
        blni_predict_row_of(&r, o->likelihood, at, &t, 0, 1);
        for (size_t i = 0; i < n; i++) v[i] = rest;
        if (rest > 0.0) blni_likelihood_expect(o->likelihood, at, n, &r.g.t, f + s, v, 0.0, out + s, NULL, NULL, NULL, 0);
        else            bln_likelihood_logp(o->likelihood, at, n, &r.g.t, f + s, out + s);
    }
}

BLNI_TABLE const struct bln_observe_ops blni_observed_ops = {
    "likelihood", sizeof(bln_likelihood), blni_observed_told, blni_observed_find, blni_observed_usable, 0, 0,
    blni_observed_check, NULL, blni_observed_rows, blni_observed_work, blni_observed_moments,
    blni_observed_logdensity, blni_observed_cdf, blni_observed_pit, blni_observed_quantile, blni_observed_draw,
    blni_observed_logp_work, blni_observed_sites, blni_observed_logp
};

BLN_API bln_observe bln_observe_likelihood(const bln_likelihood *l)
{
    bln_observe o;
    o.ops = &blni_observed_ops;
    o.likelihood = l;
    o.n_eta = l ? l->n_theta : 0;
    o.n_y = o.n_moments = 1;
    return o;
}

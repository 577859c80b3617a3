/* observe_latents: rows as targets, then likelihood/latents_predictive */
#include "observe_latents_private.h"
#include "../core/data_private.h"
#include "../core/load.h"
#include "../core/memory_private.h"
#include "../core/status_private.h"
#include "../likelihood/latent_private.h"
#include "../likelihood/latents_predictive_private.h"

BLNI_PRIV const char *blni_latents_check(const bln_observe *o, size_t J, double dof)
{
    const char *reason = o->likelihood ? bln_likelihood_check(o->likelihood) : "likelihood: NULL";
    if (reason) return reason;
    if (!o->likelihood->ops->latents) return "likelihood: of one latent (see bln_observe_likelihood)";
    if (J != bln_likelihood_latents(o->likelihood)) return "likelihood: of another number of latents";
    if (dof != 0.0) return "likelihood: f must be normal under each component";
    if (o->n_eta != o->likelihood->n_theta || o->n_y != 1 || o->n_moments != blni_likelihood_columns(o->likelihood))
        return "likelihood: made for another one";
    return NULL;
}

BLNI_ONCE BLNI_PRIV int blni_latents_told(const bln_observe *o, char *text)
{
    if (!o->likelihood->user) blni_likelihood_told(o->likelihood, text);
    return !o->likelihood->user;
}

BLNI_PRIV bln_status blni_latents_find(const bln_load *context, const char *name, size_t n_eta, size_t J, void *out)
{
    return bln_likelihood_find(context->likelihoods, context->n_likelihoods, name, n_eta, J, (bln_likelihood *)out);
}

BLNI_PRIV int blni_latents_usable(const bln_observe *o, const double *eta) { return blni_eta_usable(o->likelihood, eta); }

BLNI_PRIV const char *blni_latents_unordered(const bln_observe *o)
{
    return bln_likelihood_classes(o->likelihood)
        ? "posterior: classes have no order: no distribution function, quantile or interval"
                                                 : NULL;
}

BLNI_PRIV bln_status blni_latents_rows(const bln_observe *o, const bln_data *data, int need, bln_report *report)
{
    if (need && blni_outputs(data) != 1) return blni_refuse(report, BLN_ESHAPE, "data: only one output (p) is there");
    if (need > 1) return blni_likelihood_check_from(o->likelihood, data, 0, report);
    if (data->trials) return blni_refuse(report, BLN_EINVAL, "data: this likelihood has no trials");
    return blni_data_check_from(data, need, 0, report);
}

/* Targets; one row without gaps. */
BLNI_PRIV size_t blni_latents_observe_work(const bln_observe *o, size_t n)
{
    return blni_add(blni_pad(n), blni_latents_work(o->likelihood));
}

BLNI_PRIV bln_targets blni_latents_rows_targets(const bln_data *rows, double *y)
{
    bln_targets t = BLN_ZERO;
    for (size_t i = 0; i < rows->n; i++) y[i] = rows->y ? blni_y(rows, i, 0) : 0.0;
    t.y = y;
    t.trials = rows->trials;
    t.noise_var = rows->noise_var;
    return t;
}

BLNI_PRIV void blni_latents_answer_moments(const bln_observe *o, const bln_data *rows, const bln_latent *f, double *mean,
                                           double *model, double *noise, double *work)
{
    const bln_targets t = blni_latents_rows_targets(rows, work);
    blni_latents_moments(o->likelihood, rows->n, &t, f, mean, model, noise, work + blni_pad(rows->n));
}

BLNI_PRIV void blni_latents_answer_logdensity(const bln_observe *o, const bln_data *rows, const bln_latent *f, double *out,
                                              double *work)
{
    const bln_targets t = blni_latents_rows_targets(rows, work);
    blni_latents_logdensity(o->likelihood, rows->n, &t, f, out, work + blni_pad(rows->n));
}

BLNI_PRIV void blni_latents_answer_cdf(const bln_observe *o, const bln_data *rows, const bln_latent *f, double *lower,
                                       double *upper, double *work)
{
    const bln_targets t = blni_latents_rows_targets(rows, work);
    blni_latents_cdf(o->likelihood, rows->n, &t, f, lower, upper, work + blni_pad(rows->n));
}

/* Of a y that takes whole numbers P(Y < y) + u P(Y = y): the row before is that of y - 1. */
BLNI_PRIV void blni_latents_answer_pit(const bln_observe *o, const bln_data *rows, const bln_latent *f, const double *u,
                                       double *out,
                                       double *work)
{
    bln_targets t = blni_latents_rows_targets(rows, work);
    double *room = work + blni_pad(rows->n), lower, upper, before = 0.0;
    for (size_t i = 0; i < rows->n; i++) {
        bln_latent one = *f;
        bln_targets at = blni_targets_from(&t, i);
        one.mean += i*blni_latent_ld(f);
        if (one.var) one.var += i*blni_latent_ld(f);
        if (one.cov) one.cov += i*blni_latent_K(f)*blni_latent_J(f)*blni_latent_J(f);
        blni_latents_cdf(o->likelihood, 1, &at, &one, &lower, &upper, room);
        if (o->likelihood->ops->discrete) {
            work[i] -= 1.0;
            blni_latents_cdf(o->likelihood, 1, &at, &one, &before, &upper, room);
        }
        out[i] = o->likelihood->ops->discrete ? before + u[i]*(lower - before) : lower;
    }
}

BLNI_PRIV void blni_latents_answer_quantile(const bln_observe *o, const bln_data *rows, const bln_latent *f, size_t n_p,
                                            const double *p, const double *q, double *out, double *work)
{
    const bln_targets t = blni_latents_rows_targets(rows, work);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < n_p; k++)
            *out++ = blni_latents_quantile(o->likelihood, &t, f, i, p[k], q ? q[k] : 1.0 - p[k], work + blni_pad(rows->n));
}

/* As >>observe_likelihood: each row has a stream of its own. */
BLNI_PRIV bln_status blni_latents_draw(const bln_observe *o, const bln_data *rows, const double *eta, const double *missed,
                                       int noise,
                                       uint64_t seed, uint64_t stream, uint64_t first, double *f, double *y, double *work)
{
    const bln_targets all = blni_latents_rows_targets(rows, work);
    const size_t J = bln_likelihood_latents(o->likelihood);
    bln_rng rng;
    bln_rng_seed(&rng, ~seed, stream);
    const uint64_t key = bln_rng_next(&rng);
    for (size_t i = 0; i < rows->n; i++) {
        const bln_targets t = blni_targets_from(&all, i);
        bln_rng_seed(&rng, key, first + i);
        for (size_t j = 0; j < J; j++) {
            const double e = bln_rng_normal(&rng);
            if (missed && missed[i*J + j] > 0.0) f[i*J + j] += sqrt(missed[i*J + j])*e;
        }
        if (noise) o->likelihood->ops->latents->draw(o->likelihood, eta, 1, &t, f + i*J, 1, &rng, y + i);
    }
    return BLN_OK;
}

BLNI_TABLE const struct bln_observe_ops blni_latents_ops = {
    "latents", sizeof(bln_likelihood), blni_latents_told, blni_latents_find, blni_latents_usable, 0, 1, blni_latents_check,
    blni_latents_unordered, blni_latents_rows, blni_latents_observe_work, blni_latents_answer_moments,
    blni_latents_answer_logdensity, blni_latents_answer_cdf, blni_latents_answer_pit, blni_latents_answer_quantile,
    blni_latents_draw, NULL, NULL, NULL
};

BLN_API bln_observe bln_observe_latents(const bln_likelihood *l)
{
    bln_observe o;
    o.ops = &blni_latents_ops;
    o.likelihood = l;
    o.n_eta = l ? l->n_theta : 0;
    o.n_y = 1;
    o.n_moments = l && l->ops ? blni_likelihood_columns(l) : 1;
    return o;
}

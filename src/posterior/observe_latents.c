/* observe_latents: makes targets of the rows, and calls likelihood/latents_predictive */
#include "observe_latents_private.h"
#include "observe_likelihood_private.h"
#include "../core/memory_private.h"
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

BLNI_PRIV const char *blni_latents_unordered(const bln_observe *o)
{
    if (!bln_likelihood_classes(o->likelihood)) return NULL;
    return "posterior: classes have no order: no distribution function, quantile or interval";
}

/* Targets; one row without gaps. */
BLNI_PRIV size_t blni_latents_observe_work(const bln_observe *o, size_t n)
{
    return blni_add(blni_pad(n), blni_latents_work(o->likelihood));
}

BLNI_PRIV void blni_latents_answer_moments(BLNI_OBSERVED, double *mean, double *model, double *noise, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    blni_latents_moments(o->likelihood, rows->n, &t, f, mean, model, noise, work + blni_pad(rows->n));
}

BLNI_PRIV void blni_latents_answer_logdensity(BLNI_OBSERVED, double *out, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    blni_latents_logdensity(o->likelihood, rows->n, &t, f, out, work + blni_pad(rows->n));
}

BLNI_PRIV void blni_latents_answer_cdf(BLNI_OBSERVED, double *lower, double *upper, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    blni_latents_cdf(o->likelihood, rows->n, &t, f, lower, upper, work + blni_pad(rows->n));
}

/* Of a y that takes whole numbers P(Y < y) + u P(Y = y): the row before is that of y - 1. */
BLNI_PRIV void blni_latents_answer_pit(BLNI_OBSERVED, const double *u, double *out, double *work)
{
    bln_targets t = blni_observed_targets(rows, work);
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

BLNI_PRIV void blni_latents_answer_quantile(BLNI_OBSERVED, size_t n_p, const double *p, const double *q, double *out, double *work)
{
    const bln_targets t = blni_observed_targets(rows, work);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < n_p; k++)
            *out++ = blni_latents_quantile(o->likelihood, &t, f, i, p[k], q ? q[k] : 1.0 - p[k], work + blni_pad(rows->n));
}

BLNI_TABLE const struct bln_observe_ops blni_latents_ops = {
    "latents", sizeof(bln_likelihood), blni_observed_told, blni_observed_find, blni_observed_usable, 0, 1, blni_latents_check,
    blni_latents_unordered, blni_observed_rows, blni_latents_observe_work, blni_latents_answer_moments,
    blni_latents_answer_logdensity, blni_latents_answer_cdf, blni_latents_answer_pit, blni_latents_answer_quantile,
    blni_observed_draw, NULL, NULL, NULL
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

/* likelihood_latents: likelihoods of several latents: their check, and their functions for any number of rows */
#include "likelihood_private.h"

BLN_API size_t bln_likelihood_latents(const bln_likelihood *l) { return !l ? 0 : l->n_latent ? l->n_latent : 1; }

BLN_API size_t bln_likelihood_classes(const bln_likelihood *l)
{
    return l && l->ops->latents && l->ops->latents->classes ? l->ops->latents->classes(l) : 0;
}

BLN_API const char *bln_likelihood_latent_name(const bln_likelihood *l, size_t j)
{
    static const char *const plain[] = { "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9" };
    if (!l) return NULL;
    if (l->ops->latents && l->ops->latents->latent_name) return l->ops->latents->latent_name(l, j);
    return j < sizeof plain/sizeof *plain ? plain[j] : "f";
}

/* Columns of what moments say of y. */
BLNI_PRIV size_t blni_likelihood_columns(const bln_likelihood *l)
{
    const size_t classes = bln_likelihood_classes(l);
    return classes ? classes : 1;
}

BLNI_PRIV const char *blni_latents_reason(const bln_likelihood *l)
{
    const bln_latents_ops *ops = l->ops->latents;
    if (bln_likelihood_latents(l) > BLN_LATENTS) return "likelihood: too many latents";
    if (l->ops->n_constants) return "likelihood: no constants with several latents";
    if (!ops->logp || !ops->eval) return "likelihood: logp or eval of several latents is missing";
    if (!ops->moments || !ops->draw || (!ops->classes && !ops->cdf)) return "likelihood: moments, cdf or draw is missing";
    if (l->n_theta && !ops->eval_param) return "likelihood: eval_param is missing";
    if (l->ops->sized && l->n_theta && l->n_theta + 1 != l->n_latent)
        return "likelihood: a table of any number of latents has one parameter less than latents, or none";
    if (ops->classes && (!l->ops->discrete
                         || ops->classes(l) < 2)) return "likelihood: classes must be two or more, of a discrete y";
    return ops->classes && ops->classes(l) > BLN_LATENTS ? "likelihood: too many classes" : NULL;
}

/* For tables in which eval alone has the formula. */
BLNI_PRIV void blni_latents_logp_of_eval(BLNI_TARGETS, const double *f, size_t ld, double *logp)
{
    l->ops->latents->eval(l, theta, n, t, f, ld, logp, NULL, NULL);
}

/* ---- blocks of rows */

BLN_API void bln_latents_logp(BLNI_TARGETS, const double *f, size_t ld, double *logp)
{
    if (!l->ops->latents) { bln_likelihood_logp(l, theta, n, t, f, logp); return; }
    BLNI_BY_BLOCKS(l->ops->latents->logp(l, theta, rows, &b, f + i, ld, logp + i))
}

BLN_API void bln_latents_eval(BLNI_TARGETS, const double *f, size_t ld, double *logp, double *d1, double *d2)
{
    if (!l->ops->latents) { bln_likelihood_eval(l, theta, n, t, f, logp, d1, d2, NULL); return; }
    BLNI_BY_BLOCKS(l->ops->latents->eval(l, theta, rows, &b, f + i, ld, blni_shift(logp, i), blni_shift(d1, i), blni_shift(d2, i)))
}

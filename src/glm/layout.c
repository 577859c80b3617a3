/* layout: where the weights, slices and parameters of each latent are */
#include "layout_private.h"
#include "../basis/basis_private.h"
#include "../core/memory_private.h"
#include "../posterior/prior_private.h"

BLNI_PRIV size_t blni_glm_latents(const bln_glm_desc *d) { return d->likelihood.ops ? bln_likelihood_latents(&d->likelihood) : 1; }

BLNI_PRIV const bln_basis *blni_glm_basis_of(const bln_glm_desc *d, size_t j)
{
    return d->bases && d->bases[j] ? d->bases[j] : d->basis;
}

BLNI_PRIV size_t blni_glm_views(const bln_glm_desc *d)
{
    const size_t J = blni_glm_latents(d);
    for (size_t j = 1; j < J; j++)
        if (blni_glm_basis_of(d, j) != blni_glm_basis_of(d, 0)) return J;
    return 1;
}

BLNI_PRIV size_t blni_glm_weights(const bln_glm_desc *d)
{
    size_t sum = 0;
    for (size_t j = 0; j < blni_glm_latents(d); j++) sum = blni_add(sum, blni_glm_basis_of(d, j)->D);
    return sum;
}

BLNI_PRIV size_t blni_glm_squares(const bln_glm_desc *d)
{
    size_t sum = 0;
    for (size_t j = 0; j < blni_glm_latents(d); j++) {
        const size_t D = blni_glm_basis_of(d, j)->D;
        sum = blni_add(sum, blni_mul(D, D));
    }
    return sum;
}

BLNI_PRIV size_t blni_glm_thetas(const bln_glm_desc *d)
{
    size_t sum = 0;
    for (size_t v = 0; v < blni_glm_views(d); v++) sum = blni_add(sum, blni_glm_basis_of(d, v)->n_theta);
    return sum;
}

BLNI_PRIV int blni_glm_shares_priors(const bln_glm_desc *d)
{
    return blni_glm_latents(d) > 1 && !d->per_latent && bln_likelihood_classes(&d->likelihood) && blni_glm_views(d) == 1;
}

BLNI_PRIV size_t blni_glm_slices(const bln_glm_desc *d)
{
    size_t sum = 0;
    for (size_t j = 0; j < blni_glm_latents(d); j++) sum = blni_add(sum, blni_priors(blni_glm_basis_of(d, j), d->per_weight));
    return sum;
}

BLNI_PRIV size_t blni_glm_priors(const bln_glm_desc *d)
{
    return blni_glm_shares_priors(d) ? blni_priors(blni_glm_basis_of(d, 0), d->per_weight) : blni_glm_slices(d);
}

BLNI_PRIV blni_glm_slice blni_glm_slice_at(const bln_glm_desc *d, size_t t)
{
    const bln_basis *b = blni_glm_basis_of(d, 0);
    blni_glm_slice s;
    size_t at = 0;
    s.latent = 0;
    s.slice = t;
    for (; s.slice >= blni_priors(b, d->per_weight); b = blni_glm_basis_of(d, ++s.latent)) {
        s.slice -= blni_priors(b, d->per_weight);
        at += b->D;
    }
    s.at = blni_prior_first(b, d->per_weight, s.slice);
    s.first = at + s.at;
    s.end = at + blni_prior_first(b, d->per_weight, s.slice + 1);
    s.prior = blni_glm_shares_priors(d) ? s.slice : t;
    return s;
}

/* Is each parameter of each basis in its domain? */
BLNI_PRIV int blni_glm_theta_usable(const bln_glm_desc *d, const double *theta)
{
    int good = 1;
    for (size_t v = 0; v < blni_glm_views(d); v++) {
        const bln_basis *b = blni_glm_basis_of(d, v);
        good = good && blni_theta_usable(b, theta);
        theta += b->n_theta;
    }
    return good;
}

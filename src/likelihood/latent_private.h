#ifndef BLN_LIKELIHOOD_LATENT_PRIVATE_H
#define BLN_LIKELIHOOD_LATENT_PRIVATE_H
#include "latent.h"
#include "../core/config_private.h"

enum { BLNI_LATENT_MANY = 64,           /* with this many components or more, a quantile is searched with a subset first, */
       BLNI_LATENT_SOME = 16 };         /* of this many                                                                   */

BLNI_INLINE size_t blni_latent_K(const bln_latent *f) { return f->K ? f->K : 1; }
BLNI_INLINE size_t blni_latent_J(const bln_latent *f) { return f->J ? f->J : 1; }
BLNI_INLINE size_t blni_latent_ld(const bln_latent *f) { return f->ld ? f->ld : blni_latent_K(f)*blni_latent_J(f); }
BLNI_INLINE const double *blni_latent_eta(const bln_latent *f, size_t k) { return f->eta ? f->eta + k*f->ldeta : NULL; }
BLNI_INLINE double blni_latent_weight(const bln_latent *f, size_t k)
{
    return f->weight ? f->weight[k] : 1.0/(double)blni_latent_K(f);
}

/* The components of one latent at one row, all or a subset. Component k has its weight at k*weight_step, its location and squared
 * scale at k*step, and its eta at k*eta_step. */
typedef struct blni_mix {
    size_t        K;
    const double *weight;       /* NULL: equal weights                                          */
    double        share;        /* factor with which the weights sum to 1                       */
    const double *at, *var;     /* location; squared scale (NULL: 0)                            */
    const double *eta;          /* squared scale of the noise                                   */
    double        noise;        /* factor of eta; 0: the distribution is that of f, not of y    */
    size_t        weight_step, step, eta_step;
    double        dof;          /* 0: normals                                                   */
    const bln_law *law;         /* NULL: normals                                                */
} blni_mix;

/* The view of row i and latent j, with noise times eta added to the squared scales. */
BLNI_PRIV blni_mix blni_mix_of(const bln_latent *f, size_t i, size_t j, double noise);

BLNI_PRIV void   blni_mix_moments(const blni_mix *m, double *mean, double *var);
BLNI_PRIV double blni_mix_tail(const blni_mix *m, double x, int upper);
BLNI_PRIV double blni_mix_logdensity(const blni_mix *m, double x);

/* The quantile with probability p below and q above, p + q = 1; the smaller of the two decides. */
BLNI_PRIV double blni_mix_quantile(const blni_mix *m, double p, double q);

/* latent */
BLNI_PRIV double blni_mix_centre(const blni_mix *m, double *between, double *within);

#endif /* BLN_LIKELIHOOD_LATENT_PRIVATE_H */

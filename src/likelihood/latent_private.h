#ifndef BLN_LIKELIHOOD_LATENT_PRIVATE_H
#define BLN_LIKELIHOOD_LATENT_PRIVATE_H
#include "latent.h"
#include "../core/config_private.h"

enum { BLNI_LATENT_MANY = 64,           /* components from which on quantiles are searched by some of them first, ... */
       BLNI_LATENT_SOME = 16 };         /* ... so many                                                                */

BLNI_INLINE size_t blni_latent_K(const bln_latent *f) { return f->K ? f->K : 1; }
BLNI_INLINE size_t blni_latent_J(const bln_latent *f) { return f->J ? f->J : 1; }
BLNI_INLINE size_t blni_latent_ld(const bln_latent *f) { return f->ld ? f->ld : blni_latent_K(f)*blni_latent_J(f); }

/* The components of one latent at one row, of every one or of some: number k has its numbers at k times a step. */
typedef struct blni_mix {
    size_t        K;
    const double *weight;       /* NULL: all share                                              */
    double        share;        /* what weights are multiplied with, so that they sum to 1      */
    const double *at, *var;     /* location; squared scale (NULL: 0)                            */
    const double *eta;          /* squared scale of the noise                                   */
    double        noise;        /* its factor; 0: of f itself                                   */
    size_t        weight_step, step, eta_step;
    double        dof;          /* 0: normals                                                   */
    const bln_law *law;         /* NULL: normals                                                */
} blni_mix;

/* Row i, latent j, with noise of that factor; 0: f itself. */
BLNI_PRIV blni_mix blni_mix_of(const bln_latent *f, size_t i, size_t j, double noise);

BLNI_PRIV void   blni_mix_moments(const blni_mix *m, double *mean, double *var);
BLNI_PRIV double blni_mix_tail(const blni_mix *m, double x, int upper);
BLNI_PRIV double blni_mix_logdensity(const blni_mix *m, double x);

/* For the tails p below and q above, of which the smaller one counts: p + q = 1. */
BLNI_PRIV double blni_mix_quantile(const blni_mix *m, double p, double q);

/* latent */
BLNI_PRIV double blni_mix_centre(const blni_mix *m, double *between, double *within);

#endif /* BLN_LIKELIHOOD_LATENT_PRIVATE_H */

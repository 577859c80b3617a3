#ifndef BLN_LIKELIHOOD_LATENT_H
#define BLN_LIKELIHOOD_LATENT_H
#include "../core/config.h"
/* >>latent - latent values at rows: mixtures of normals or of Student's t
 *
 *     f_ij ~ sum_k weight_k N(mean_ikj, var_ikj),          or with t_dof(mean_ikj, var_ikj), var the squared scale;
 *     y_ij = f_ij + e_ij,  e_ij of variance (squared scale) v_i eta_k,jj:  normal noise whose size may differ between components.
 *
 * One component is a Gaussian posterior, several are a mixture, and with var = 0 they are draws of f. For other y than normal ones
 * see >>observe_likelihood. Questions are asked of a posterior (>>predict), which makes these views. */

/* The standard distribution of components that are not normal: distribution function, density, its log, and quantile. It is a table
 * so that programs without Student's t do not link it. The only one is that of >>kind_student. */
typedef struct bln_law {
    double (*cdf)(double dof, double z), (*pdf)(double dof, double z);
    double (*logpdf)(double dof, double z), (*quantile)(double dof, double p);
} bln_law;

/* f at n rows, each a mixture of K components over J latents (or outputs), with the weights in common; a view. */
typedef struct bln_latent {
    size_t        K, J;         /* components, latents                                                  (0: 1 each)          */
    const double *weight;       /* K, >= 0, that sum to 1                                               (NULL: all 1/K)      */
    const double *mean;         /* row i, component k, latent j at i*ld + k*J + j                       (required)           */
    const double *var;          /* >= 0, likewise; of t's the squared scale                             (NULL: all 0)        */
    const double *cov;          /* covariance of the latents given k, upper triangle, J x J, at (i*K + k)*J*J
                                                                                  (NULL: independent, or not needed)         */
    size_t        ld;           /* row stride of mean and var                                           (0: K J)             */
    double        dof;          /* degrees of freedom of t's                                            (0: normals)         */
    const bln_law *law;         /* of t's; without it they give NaN                                     (NULL: normals)      */
    const double *eta;          /* parameters of the observation under component k at eta + k*ldeta     (NULL: none)         */
    size_t        ldeta;        /*                                                                      (0: the same for all) */
} bln_latent;

#endif /* BLN_LIKELIHOOD_LATENT_H */

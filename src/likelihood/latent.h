#ifndef BLN_LIKELIHOOD_LATENT_H
#define BLN_LIKELIHOOD_LATENT_H
#include "../core/config.h"
/* >>latent - latent values at rows: mixtures of normals or of Student's t, and what can be asked of them
 *
 *     f_ij ~ sum_k weight_k N(mean_ikj, var_ikj),          or with t_dof(mean_ikj, var_ikj), var the squared scale;
 *     y_ij = f_ij + e_ij,  e_ij of variance (squared scale) v_i eta_k,jj:  normal noise whose size may differ between components.
 *
 * One component is a Gaussian posterior, several are a mixture, and var = 0 makes them draws of f. How any other y follows from f
 * is for >>predictive. */

/* The standard distribution of components that are not normal: distribution function, density, its log, and quantile. It is a table
 * of functions, so that a program that has normals only does not link Student's t. There is one, with
 * >>kind_student. */
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
    const double *cov;          /* upper triangle, J x J, at (i*K + k)*J*J                              (NULL: given k the latents
                                   are independent, or nobody asks)                                                          */
    size_t        ld;           /* row stride of mean and var                                           (0: K J)             */
    double        dof;          /* degrees of freedom of t's                                            (0: normals)         */
    const bln_law *law;         /* of t's; without it they give NaN                                     (NULL: normals)      */
    const double *eta;          /* parameters of the observation under component k at eta + k*ldeta     (NULL: none)         */
    size_t        ldeta;        /*                                                                      (0: the same for all) */
} bln_latent;

/* Of latent j at n rows; or, with v (n factors > 0, else NULL), of y = f + e with Var e = v_i eta_k[j*(J + 1)], the diagonal of a
 * J x J matrix. NULL outputs are skipped, nothing is allocated, nothing can fail; NaN in a mean or variance gives NaN.
 *
 *     moments        mean and variance (n each). Of t's: mean NaN unless dof > 1, variance infinite for 1 < dof <= 2, NaN below;
 *                    of points they exist for any dof
 *     cdfs           lower = P(. <= x_i), upper = P(. > x_i), each summed by itself, so that neither loses its digits
 *     logdensities   log of the density at x_i; infinity at a point that is x_i
 *     quantiles      out (n x n_p): the least x with P(. <= x) >= p; p = 0 and 1 give -+infinity, p outside [0, 1] NaN; of a single
 *                    component without variance always its mean. Errors of 1e-13 of the distance from the centre. One component is
 *                    closed; many (256 or more) are searched by 64 of them and end with Newton's method on all.
 *
 * O(K) a row; quantiles some 15 distribution functions of all components, or 5 if they are many. x: n; out may be x. */
BLN_API void bln_latent_moments(const bln_latent *f, size_t n, size_t j, const double *v, double *mean, double *var);
BLN_API void bln_latent_cdfs(const bln_latent *f, size_t n, size_t j, const double *v, const double *x, double *lower,
                             double *upper);
BLN_API void bln_latent_logdensities(const bln_latent *f, size_t n, size_t j, const double *v, const double *x, double *out);
BLN_API void bln_latent_quantiles(const bln_latent *f, size_t n, size_t j, const double *v, size_t n_p, const double *p,
                                  double *out);

#endif /* BLN_LIKELIHOOD_LATENT_H */

#ifndef BLN_LIKELIHOOD_PREDICTIVE_H
#define BLN_LIKELIHOOD_PREDICTIVE_H
#include "expect.h"
#include "latent.h"
/* >>predictive - the distribution of a new y when f is a mixture of normals                            [spec/glm.md G41-G49]
 *
 *     p(y) = sum_k weight_k int N(f; m_k, v_k) p(y | f; eta_k) df
 *
 * with f as >>latent describes it: one component is a Gaussian posterior, several are a mixture, and v = 0 makes them draws of f.
 * The parameters of the likelihood may differ from component to component, as draws of them do. Integrals are over f in one
 * dimension: closed where that exists (Gaussian; Laplace; moments of the log-link counts; probit with one trial), else by
 * quadrature that finds the hill of its integrand first, so that a narrow likelihood under a wide normal, or a normal far from y,
 * costs no digits. Nothing is allocated, nothing can fail; NaN in a mean or variance gives NaN. */

/* f: one latent (J = 1), normals (dof = 0); eta of its components are the parameters of l, l->n_theta each (not read if that is
 * 0). */

/* log p(y): the log of the mean density, never the mean of the logs.  Errors of 1e-11, and those of log p(y | f).   20-50 us */
BLN_API void bln_predictive_logdensity(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *out);

/* E y; and the two parts of Var y: model = Var E[y | f], what more data would remove, and noise = E Var[y | f], what they would
 * not. Any may be NULL. Errors of 1e-9 of E y, of the variance, or of 1e-17 of the largest y that there is, if that is more (where
 * y is certain but for so much); the targets' y is not read. Infinity where they are beyond doubles,
 * or infinite (Student-t of 2 degrees of freedom or fewer: noise).   1-10 us */
BLN_API void bln_predictive_moments(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *mean,
                                    double *model, double *noise);

/* lower = P(Y <= y), upper = P(Y > y); either may be NULL. Where the likelihood has cdf_slope, or cdf if y is not
 * discrete (all of the house), errors of 1e-10 of the smaller one, below 1e-9 also those of log p; else 1e-11 absolute.
 *   10-100 us; where densities fall off slowly, Student-t of few degrees of freedom, 1 ms */
BLN_API void bln_predictive_cdf(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *lower,
                                double *upper);

/* The probability integral transform, whose distribution is uniform if y comes from p: P(Y <= y), and of a discrete y, which has
 * steps, P(Y < y) + u P(Y = y) for a uniform u of each row [Brockwell 2007; Czado, Gneiting & Held 2009]. What is not uniform over
 * many rows shows how predictions are wrong: heaped at 0 and 1, too sure; in the middle, too timid; on one side, off.
 * u: n, NULL: all 1/2, which is not random, and not uniform either. Not read where y is continuous. out may be u. As the cdf,
 * twice if y is discrete. */
BLN_API void bln_predictive_pit(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, const double *u,
                                double *out);

/* The least y with P(Y <= y) >= p, a whole number if y is discrete, infinity if that is a count beyond 2^53; p = 0 and 1 give the
 * ends of the support, p outside [0, 1] NaN. By the cdf above: some 10 to 20 of it, or 5 to 8 where
 * many components (256 or more) are searched by 64 of them first. */
BLN_API void bln_predictive_quantile(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double p,
                                     double *y);

/* The central interval: quantiles of (1 - level)/2 on either side. That of a discrete y covers at least `level`. */
BLN_API void bln_predictive_interval(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double level,
                                     double *lower, double *upper);

/* A draw of y for each row, row after row from one generator: a component, f, y. */
BLN_API void bln_predictive_draw(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, bln_rng *rng,
                                 double *y);

#endif /* BLN_LIKELIHOOD_PREDICTIVE_H */

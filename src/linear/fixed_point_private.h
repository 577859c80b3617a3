#ifndef BLN_LINEAR_FIXED_POINT_PRIVATE_H
#define BLN_LINEAR_FIXED_POINT_PRIVATE_H
#include "../core/config_private.h"
/* fixed_point_private: updates of the noise and prior variances of the linear model, without gradients or a line search
 *
 * From the posterior N(m, C) at the old values: RSS = sum omega_n (y_n - phi_n'm)^2, gamma_i = 1 - C_ii/lambda_i (how far the data
 * determine weight i), gamma their sum, and for a slice s of D_s weights m_s'm_s and gamma_s:          [spec/slm.md S30-S32]
 *
 *     BLNI_FIXED_POINT_MACKAY   sigma^2 <- RSS/(N - gamma),             lambda_s <- m_s'm_s/gamma_s
 *     BLNI_FIXED_POINT_EM       sigma^2 <- (RSS + sigma^2 gamma)/N,     lambda_s <- (m_s'm_s + sum_s C_ii)/D_s
 *     BLNI_FIXED_POINT_MM       the geometric means of the old values and MacKay's
 *
 * All have the zeros of the evidence's gradient as their fixed points. MacKay's is fast, but no proof says that the
 * evidence rises; with EM and MM it cannot fall, all variances updated together or only some. EM is slow, and never gets to 0.
 *     [MacKay 1992; Bishop 2006, (3.92), (3.95), (9.62), (9.63); after Wipf & Nagarajan 2007, NIPS 20]
 * bln_slm_fit starts with MacKay's steps, and MM's where the evidence fell, when it has no basis parameters to learn; by its
 * optimiser it takes any of the three to the end. */
typedef enum blni_fixed_rule { BLNI_FIXED_POINT_MACKAY, BLNI_FIXED_POINT_EM, BLNI_FIXED_POINT_MM } blni_fixed_rule;

/* The new sigma^2. N: sum of the weights of the rows, > 0. Where nothing is left to learn it from, N - gamma <= 0, it stays
 * (MacKay, MM). */
BLNI_PRIV double blni_fixed_point_noise_var(blni_fixed_rule rule, double noise_var, double N, double rss, double gamma);

/* The new lambda_s of a slice of n >= 1 weights, lambda_s finite. mm: sum of their m_i^2; gamma: of their gamma_i (by S8, so that
 * it is not 0 by rounding; sum C_ii = lambda_s (n - gamma)). gamma <= 0 switches the slice off: 0 (MacKay, MM). */
BLNI_PRIV double blni_fixed_point_prior_var(blni_fixed_rule rule, double prior_var, size_t n, double mm, double gamma);

#endif /* BLN_LINEAR_FIXED_POINT_PRIVATE_H */

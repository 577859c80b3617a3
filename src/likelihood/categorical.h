#ifndef BLN_LIKELIHOOD_CATEGORICAL_H
#define BLN_LIKELIHOOD_CATEGORICAL_H
#include "likelihood.h"
/* >>categorical - classes without an order: softmax                                                            [likelihoods 37, 38]
 *
 * y is one of 0, 1, ..., K - 1 and P(y = k | f) = p_k = e^f_k/sum_c e^f_c, one latent for each class. Adding a constant to all f_k
 * changes nothing: only the priors, which treat all classes alike, determine it. With W = -d2
 *     d1_k = [y = k] - p_k,   W_kl = p_k [k = l] - p_k p_l,
 *     sum_kl C_kl dW_kl/df_j = p_j (C_jj - 2 (C p)_j - sum_k p_k (C_kk - 2 (C p)_k))
 * log p is concave. Of K = 2 the difference of the latents is the binomial's logit.
 *
 * Under independent f_k ~ N(m_k, v_k), with T = sum_k e^f_k and L_k(t) = E e^(-t e^f_k),
 *     E log T = int_0^inf (e^-t - prod_k L_k(t))/t dt,      E p_j = int_0^inf E[e^f_j e^(-t e^f_j)] prod_{k != j} L_k(t) dt
 * since log x = int (e^-t - e^-tx)/t dt [Frullani] and 1/T = int e^-tT dt: integrals of one dimension whatever K, of products of
 * one function of (log t + m_k, v_k). E p_j^2 has t E[e^2f_j e^(-t e^f_j)] in the place of the first factor.
 *     d E log p/dm_j = [y = j] - E p_j,      d E log p/dv_j = -1/2 E p_j (1 - p_j)
 * For sqrt v <= 1024 errors are 1e-10; that of E log p is 1e-10 times the spread of f if this is more than 1. For larger v, f is
 * scaled down to sqrt v = 1024, and errors are 1e-6 in place of 1e-10. Time for a row and class: 0.5 us up to sqrt v = 0.3, 2 us up
 * to 4, then 0.35 sqrt v us (AVX-512).
 *
 * If the rows nearly separate the classes, the posterior is far from normal around its mode. The probabilities of Laplace's method
 * are then too cautious; prefer bln_glm_full, the default of >>glm. (iris, ten folds, linear: log loss 0.19, and 0.08 by full) */

/* K latents. K of 2 to BLN_LATENTS; another K gives a likelihood without functions, which bln_likelihood_check refuses. */
BLN_API bln_likelihood bln_likelihood_categorical(size_t classes);

/* K - 1 latents: f of class 0 is 0, and f of another class its log odds against class 0. Use it with flat priors: only this form
 * has a maximum then. Other priors treat class 0 differently from the others. K as above. */
BLN_API bln_likelihood bln_likelihood_categorical_reference(size_t classes);

#endif /* BLN_LIKELIHOOD_CATEGORICAL_H */

#ifndef BLN_LIKELIHOOD_CATEGORICAL_H
#define BLN_LIKELIHOOD_CATEGORICAL_H
#include "likelihood.h"
/* >>categorical - classes without an order: softmax                                                            [likelihoods 37, 38]
 *
 * y is one of 0, 1, ..., K - 1 and P(y = k | f) = p_k = e^f_k/sum_c e^f_c, one latent for each class. A constant in all f_k says
 * nothing, so that only priors keep the weights of all classes together, and all are alike to them. With W = -d2
 *     d1_k = [y = k] - p_k,   W_kl = p_k [k = l] - p_k p_l,
 *     sum_kl C_kl dW_kl/df_j = p_j (C_jj - 2 (C p)_j - sum_k p_k (C_kk - 2 (C p)_k))
 * log p is concave. Of K = 2 the difference of the latents is the binomial's logit.
 *
 * Under independent f_k ~ N(m_k, v_k), with T = sum_k e^f_k and L_k(t) = E e^(-t e^f_k),
 *     E log T = int_0^inf (e^-t - prod_k L_k(t))/t dt,      E p_j = int_0^inf E[e^f_j e^(-t e^f_j)] prod_{k != j} L_k(t) dt
 * since log x = int (e^-t - e^-tx)/t dt [Frullani] and 1/T = int e^-tT dt: integrals of one dimension whatever K, of products of
 * one function of (log t + m_k, v_k). E p_j^2 has t E[e^2f_j e^(-t e^f_j)] in the place of the first factor.
 *     d E log p/dm_j = [y = j] - E p_j,      d E log p/dv_j = -1/2 E p_j (1 - p_j)
 * Errors are 1e-10 for sqrt v <= 1024, of the value 1e-10 of the spread of f where that is more than 1; beyond, f is divided so
 * that it is 1024, and errors are 1e-6, of value 1e-6 of the spread of f. About 0.5 us a row and class while sqrt v <= 0.3, 2 us to
 * 4, then 0.35 sqrt v (AVX-512).
 *
 * Where rows leave the classes nearly apart, the posterior is far from normal around its mode, and Laplace's method, the default of
 * >>glm, gives probabilities that are too cautious: ask for bln_glm_full. (iris, ten folds, linear: log loss 0.19 and 0.08) */

/* K latents. K of 2 to BLN_LATENTS; another K gives a likelihood without functions, which bln_likelihood_check refuses. */
BLN_API bln_likelihood bln_likelihood_categorical(size_t classes);

/* K - 1 latents: f of class 0 is 0, and those of the others their log odds against it. Of flat priors this is the one that has a
 * maximum; with other priors what is said of class 0 and of the others is not alike. K as above. */
BLN_API bln_likelihood bln_likelihood_categorical_reference(size_t classes);

#endif /* BLN_LIKELIHOOD_CATEGORICAL_H */

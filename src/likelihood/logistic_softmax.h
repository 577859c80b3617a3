#ifndef BLN_LIKELIHOOD_LOGISTIC_SOFTMAX_H
#define BLN_LIKELIHOOD_LOGISTIC_SOFTMAX_H
#include "likelihood.h"
/* >>logistic_softmax - classes without an order, by normalised logistic functions: what >>glm_gibbs takes of several classes
 *
 *     P(y = k | f) = s_k sigma(f_k)/S,   S = E + sum_j s_j sigma(f_j)     [Galy-Fajou, Wenzel, Donner & Opper 2020; likelihoods 45]
 *
 *     BLN_SOFTMAX_OVER        one latent for each class, E = 0, s = 1
 *     BLN_SOFTMAX_BIJECTIVE   class 0 has no latent: P(y = 0) = E/S with E = 1/2; no other class can exceed probability 2/3
 *     BLN_SOFTMAX_SCALED      as OVER with s_k learnt, and s = 1 of the last class: K - 1 numbers, "scale 0", "scale 1", ...
 *
 * The softmax of >>categorical has e^f in place of sigma(f), but no auxiliary variables. With p_j = P(y = j), u_j = sigma(-f_j)
 *     d1_j = u_j ([y = j] - p_j),   W_jk = u_j u_k p_j ([j = k] - p_k), Fisher's information; log p is not concave
 * Under independent f_j ~ N(m_j, v_j), with E log S = int_0^inf (e^-t - e^-tE prod_j E e^(-t s_j sigma(f_j)))/t dt, E log p and its
 * slopes are checked to 2e-8 for v <= 1, and lose digits as v grows [augmentation 36]. Predictions are averages over 1024 points,
 * unless f is known (draws from the posterior). */
typedef enum bln_softmax { BLN_SOFTMAX_OVER, BLN_SOFTMAX_BIJECTIVE, BLN_SOFTMAX_SCALED } bln_softmax;

/* K of 2 to BLN_LATENTS; another K or form gives a likelihood without functions, which bln_likelihood_check refuses. */
BLN_API bln_likelihood bln_likelihood_logistic_softmax(size_t classes, bln_softmax form);

#endif /* BLN_LIKELIHOOD_LOGISTIC_SOFTMAX_H */

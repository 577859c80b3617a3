#ifndef BLN_POSTERIOR_MIXTURE_PRIVATE_H
#define BLN_POSTERIOR_MIXTURE_PRIVATE_H
#include "mixture.h"
#include "../core/memory_private.h"
/* mixture_private: mixtures of diagonal Gaussians, for fits and kinds
 *
 * Under component k the latent value f = phi'w of a row is a scalar normal: f ~ N(mu_k, v_k), mu_k = phi'm_k, v_k = sum_i phi_i^2
 * psi_ki [variational 3]. Nothing here is D x D or n x D.
 *
 * Gradients in m and in psi (for log psi multiply by psi, once, at the end) are K x D, with the mixture's row stride, and are added
 * to their arrays, so that the parts of a bound
 *     L = sum over rows and components of E log p(y | f) + E_q log p(w) + H(q)                                    [variational 4]
 * add up: set dm and dpsi to 0, then blni_mixture_pullback, _log_prior and _entropy. NULL skips an output. */

/* A view; whoever fills it in owns the arrays. */
typedef struct blni_mixture {
    size_t        K, D;        /* components, weights: >= 1                 */
    const double *m;           /* K x D means, row-major, stride ld         */
    const double *psi;         /* K x D variances > 0, stride ld            */
    size_t        ld;          /* (0 means D)                               */
} blni_mixture;

/* ---- f at rows */

/* mean[k*ldn + r] = mu_k and var[k*ldn + r] = v_k of the n rows of Phi (n x D, stride ldphi), ldn >= n: the rows of a component lie
 * together, as >>likelihood takes them. Either may be NULL.
 * work: blni_mixture_work(q, n) doubles.   4 n K D flops */
BLNI_PRIV void blni_mixture_project(const blni_mixture *q, size_t n, const double *Phi, size_t ldphi, double *mean, double *var,
                                    size_t ldn, double *work);

/* The gradients from a[k*ldn + r] = dL/dmu_k and b[k*ldn + r] = dL/dv_k of the same rows:
 *     dm_ki += sum_r a_kr Phi_ri,   dpsi_ki += sum_r b_kr Phi_ri^2,
 *     F_ri = dL/dPhi_ri = sum_k a_kr m_ki + 2 Phi_ri sum_k b_kr psi_ki
 * (first parts of [variational 10, 11]; [variational 14], for the pullback of >>basis). F: n x D, stride ldf, is overwritten; not
 * Phi. For the bound of a batch a and b are N/(M K) times the derivatives of E log p in mean and variance.
 * work as above.   4 n K D flops, twice that with F */
BLNI_PRIV void blni_mixture_pullback(const blni_mixture *q, size_t n, const double *Phi, size_t ldphi, const double *a,
                                     const double *b, size_t ldn, double *dm, double *dpsi, double *F, size_t ldf, double *work);

/* Doubles of workspace, about r (D + 3 K) with r = min(n, 64); SIZE_MAX on overflow. */
BLNI_PRIV size_t blni_mixture_work(const blni_mixture *q, size_t n);

/* ---- the prior and the entropy */

/* E_q log N(w | 0, diag lambda) = -1/2 sum_i [ log 2 pi lambda_i + s_i/lambda_i ],  s_i = E_q w_i^2 = 1/K sum_k (m_ki^2 + psi_ki),
 * and its gradients (second parts of [variational 10, 11]); dloglambda[i] += 1/2 (s_i/lambda_i - 1), D numbers, whose sum over the
 * weights that share a lambda is [variational 12], and is 0 where lambda is the mean of their s_i. lambda: D, > 0.
 * O(K D)                                                                                                         [variational 5] */
BLNI_PRIV double blni_mixture_log_prior(const blni_mixture *q, const double *lambda, double *dm, double *dpsi, double *dloglambda);

/* The bound of the entropy, and its gradients (last parts of [variational 10, 11, 15]); dm and dpsi: both, or both NULL. Errors: a
 * few D eps. Pairs with R_kj below 1e-20 are left out of the gradients. work: blni_mixture_entropy_work(q) doubles (SIZE_MAX:
 * overflow).   K (K-1)/2 pairs of D elements: two divisions for each 4 elements and a logarithm for each 16; in the gradients a
 * division for each. A pair of components too far apart to count is dropped after as many elements as show it */
BLNI_PRIV double blni_mixture_entropy(const blni_mixture *q, bln_entropy_kind kind, double *dm, double *dpsi, double *work);
BLNI_PRIV size_t blni_mixture_entropy_work(const blni_mixture *q);

enum { BLNI_MIXTURE_ROWS = 64 };        /* rows of Phi at a time */

/* mixture_rows */
BLNI_PRIV size_t blni_mixture_ld(const blni_mixture *q);

#endif /* BLN_POSTERIOR_MIXTURE_PRIVATE_H */

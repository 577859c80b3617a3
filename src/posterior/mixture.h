#ifndef BLN_POSTERIOR_MIXTURE_H
#define BLN_POSTERIOR_MIXTURE_H
#include "../core/status.h"
/* >>mixture - mixtures of diagonal Gaussians over weights, as variational inference fits them
 *
 *     q(w) = 1/K sum_k N(w | m_k, diag psi_k),   k < K components of equal weight over D weights                 [spec/glm.md G2]
 *
 * Under component k the latent value f = phi'w of a row is a scalar normal: f ~ N(mu_k, v_k),
 * mu_k = phi'm_k, v_k = sum_i phi_i^2 psi_ki (G3). Nothing here is D x D or n x D.
 *
 * Gradients are added to what is there, with respect to m and to psi (for log psi multiply by psi, once, at the end), each K x D
 * and of the mixture's row stride, so that the parts of a bound
 *     L = sum over rows and components of E log p(y | f) + E_q log p(w) + H(q)                                               (G4)
 * add up: set dm and dpsi to 0, then bln_mixture_pullback, _log_prior and _entropy. NULL skips an output. */

/* A view; whoever fills it in owns the arrays. What takes one counts on what bln_mixture_check looks at. */
typedef struct bln_mixture {
    size_t        K, D;        /* components, weights: >= 1                 */
    const double *m;           /* K x D means, row-major, stride ld         */
    const double *psi;         /* K x D variances > 0, stride ld            */
    size_t        ld;          /* (0 means D)                               */
} bln_mixture;

/* BLN_EINVAL: q or an array NULL, K or D 0, a stride below D.  BLN_EDATA: a mean not finite.  BLN_EDOMAIN: a variance that is not
 * > 0 and finite. The report has component (row) and weight (column). */
BLN_API bln_status bln_mixture_check(const bln_mixture *q, bln_report *report);

/* ---- what data see of it */

/* mean[k*ldn + r] = mu_k and var[k*ldn + r] = v_k of the n rows of Phi (n x D, stride ldphi), ldn >= n: the rows of a component lie
 * together, as >>likelihood takes them. Either may be NULL.
 * work: bln_mixture_work(q, n) doubles.   4 n K D flops */
BLN_API void bln_mixture_project(const bln_mixture *q, size_t n, const double *Phi, size_t ldphi, double *mean, double *var,
                                 size_t ldn, double *work);

/* The other way: from a[k*ldn + r] = dL/dmu_k and b[k*ldn + r] = dL/dv_k of the same rows to
 *     dm_ki += sum_r a_kr Phi_ri,   dpsi_ki += sum_r b_kr Phi_ri^2,   F_ri = dL/dPhi_ri = sum_k a_kr m_ki + 2 Phi_ri sum_k b_kr
 *     psi_ki
 * (first parts of G10 and G11; G14, for the pullback of >>basis). F: n x D, stride ldf, written, not added to; may not be Phi. For
 * the bound of a batch a and b are N/(M K) times the derivatives of E log p in mean and variance.
 * work as above.   4 n K D flops, twice that with F */
BLN_API void bln_mixture_pullback(const bln_mixture *q, size_t n, const double *Phi, size_t ldphi, const double *a, const double *b,
                                  size_t ldn, double *dm, double *dpsi, double *F, size_t ldf, double *work);

/* Doubles of workspace; SIZE_MAX on overflow. Some r (D + 3 K) with r = min(n, 64). */
BLN_API size_t bln_mixture_work(const bln_mixture *q, size_t n);

/* ---- itself */

/* E_q log N(w | 0, diag lambda) = -1/2 sum_i [ log 2 pi lambda_i + s_i/lambda_i ],  s_i = E_q w_i^2 = 1/K sum_k (m_ki^2 + psi_ki),
 * and its gradients (second parts of G10 and G11); dloglambda[i], D, also added to: 1/2 (s_i/lambda_i - 1), whose sum over the
 * weights that share a lambda is that of (G12), and is 0 where lambda is the mean of their s_i. lambda: D, > 0.   (G5, exact)
 * O(K D) */
BLN_API double bln_mixture_log_prior(const bln_mixture *q, const double *lambda, double *dm, double *dpsi, double *dloglambda);

/* Bounds of the entropy of q in nats, which itself has no formula; both are below it, exact for a single component.
 *
 *     BLN_ENTROPY_PAIRS     1/(2K) sum_ki log(2 pi e psi_ki) + log K - 1/K sum_k log sum_j exp(-B_kj),  B the Bhattacharyya
 *                           distances; exact where components do not overlap, and where they are equal; in between a tenth of a nat
 *                           too low, whatever D                                                   (G8) [Kolchinsky & Tracey 2017]
 *     BLN_ENTROPY_JENSEN    log K - 1/K sum_k log sum_j N(m_k | m_j, psi_k + psi_j); 0.15 D too low where components do not
 *                           overlap: for comparison with other programs                           (G6, G7) */
typedef enum bln_entropy_kind { BLN_ENTROPY_PAIRS, BLN_ENTROPY_JENSEN } bln_entropy_kind;

/* The bound, and its gradients (last parts of G10, G11; G15): dm and dpsi both, or both NULL. Errors of a few D eps. Pairs with
 * R_kj below 1e-20 are left out of the gradients. work: bln_mixture_entropy_work(q) doubles (SIZE_MAX: overflow).
 * K (K-1)/2 pairs of D elements, with two divisions for four and one logarithm for 16 of them; in the gradients one division each.
 * Of components so far apart that the pair does not count, only as many elements as show it */
BLN_API double bln_mixture_entropy(const bln_mixture *q, bln_entropy_kind kind, double *dm, double *dpsi, double *work);
BLN_API size_t bln_mixture_entropy_work(const bln_mixture *q);

#endif /* BLN_POSTERIOR_MIXTURE_H */

#ifndef BLN_POSTERIOR_MIXTURE_H
#define BLN_POSTERIOR_MIXTURE_H
#include "../core/status.h"
/* >>mixture - mixtures of diagonal Gaussians over weights, as variational inference fits them
 *
 *     q(w) = 1/K sum_k N(w | m_k, diag psi_k),   k < K components of equal weight over D weights                 [spec/glm.md G2]
 *
 * Under component k the latent value f = phi'w of a row is a scalar normal: f ~ N(mu_k, v_k),
 * mu_k = phi'm_k, v_k = sum_i phi_i^2 psi_ki (G3). Nothing here is D x D or n x D. */

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

/* Bounds of the entropy of q in nats, which itself has no formula; both are below it, exact for a single component.
 *
 *     BLN_ENTROPY_PAIRS     1/(2K) sum_ki log(2 pi e psi_ki) + log K - 1/K sum_k log sum_j exp(-B_kj),  B the Bhattacharyya
 *                           distances; exact where components do not overlap, and where they are equal; in between a tenth of a nat
 *                           too low, whatever D                                                   (G8) [Kolchinsky & Tracey 2017]
 *     BLN_ENTROPY_JENSEN    log K - 1/K sum_k log sum_j N(m_k | m_j, psi_k + psi_j); 0.15 D too low where components do not
 *                           overlap: for comparison with other programs                           (G6, G7) */
typedef enum bln_entropy_kind { BLN_ENTROPY_PAIRS, BLN_ENTROPY_JENSEN } bln_entropy_kind;

#endif /* BLN_POSTERIOR_MIXTURE_H */

#ifndef BLN_POSTERIOR_MIXTURE_H
#define BLN_POSTERIOR_MIXTURE_H
/* >>mixture - the entropy of mixtures of diagonal Gaussians, for methods that maximise a bound
 *
 *     q(w) = 1/K sum_k N(w | m_k, diag psi_k),   k < K components of equal weight over D weights       [variational 2] */

/* Lower bounds of the entropy of q in nats, which has no closed form; exact for a single component.
 *
 *     BLN_ENTROPY_PAIRS     1/(2K) sum_ki log(2 pi e psi_ki) + log K - 1/K sum_k log sum_j exp(-B_kj),  B the Bhattacharyya
 *                           distances; exact where components do not overlap, and where they are equal; in between a tenth of a nat
 *                           too low, whatever D                                         [Kolchinsky & Tracey 2017; variational 8]
 *     BLN_ENTROPY_JENSEN    log K - 1/K sum_k log sum_j N(m_k | m_j, psi_k + psi_j); 0.15 D too low where components do not
 *                           overlap: for comparison with other programs                 [variational 6, 7] */
typedef enum bln_entropy_kind { BLN_ENTROPY_PAIRS, BLN_ENTROPY_JENSEN } bln_entropy_kind;

#endif /* BLN_POSTERIOR_MIXTURE_H */

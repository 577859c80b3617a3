#ifndef BLN_BASIS_FASTFOOD_H
#define BLN_BASIS_FASTFOOD_H
#include "fourier.h"
/* >>fastfood - random Fourier features without a matrix of frequencies, for many inputs            [Le, Sarlos & Smola 2013]
 *
 * The features, length scales, starts and names of >>fourier; but the frequencies are the rows of a product,
 *
 *     V = d2^{-1/2} S H G P H B,     d2 = the power of 2 from d on (inputs beyond d are 0),                         [bases 23, 24]
 *
 * with the Hadamard matrix H (hadamard), random signs B, a random permutation P, normal variates G, and S_jj = rho_j / |G|, one
 * independent norm for each frequency: rho_j = sqrt(s_j) chi_d2 with the scale s_j of the kernel [bases 15]. ceil(n / d2) blocks of
 * d2 frequencies stand under each other; those beyond n are left out.
 *
 * Exactly unbiased, E phi(x)'phi(x') = k, for every d and n: for any fixed P and B a row of H G P H B is a normal vector with
 * independent entries, whose direction is uniform and independent of its norm; what S makes of it is the kernel's own spectral
 * density, in d2 dimensions, of which the first d coordinates are that of d. It takes rho_j of d2 degrees of freedom, not d, and a
 * norm for each frequency, not for each input. Only products over the inputs (Laplace L1, Cauchy), whose density prefers the axes,
 * cannot be had. The frequencies of a block depend on each other, so that the variance is not quite that of independent draws
 * [bases 17]: 0.8 to 1.8 times it for 3 to 13 inputs and |tau| from 0.3 to 2, by direction.
 *
 * Memory 4 n numbers instead of d n, time 4 log2(d2) instead of 2 d flops for each row and frequency. Against the
 * product of >>fourier, sines and cosines included, as bench/bench_fastfood.c measures with n = 1024 at the levels of >>cpu:
 *
 *     times faster, inputs       8     16    32    64    128   256   1024
 *     features       level 0     0.9   1.2   1.4   2.0   2.9   5.0   14
 *                    level 2     0.8   0.9   1.1   1.3   2.5   3.0   7
 *     chain rule     level 0     1.4   1.7   2.6   4.4   8     13    50
 *                    level 2     0.8   1.0   1.3   2.1   2.8   4.9   13 */

/* desc: as for bln_fourier_create; draws must be 0 or BLN_DRAWS_FASTFOOD, the kernel radial.
 * BLN_EINVAL: a desc that cannot be used; the report has the reason.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_fastfood_create(const bln_fourier_desc *desc, bln_basis **out, bln_report *report);
BLN_API const bln_basis_ops *bln_fastfood_ops(void);                                    /* for a list of bases (>>load) */

#endif /* BLN_BASIS_FASTFOOD_H */

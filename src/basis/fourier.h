#ifndef BLN_BASIS_FOURIER_H
#define BLN_BASIS_FOURIER_H
#include "kernel.h"
/* >>fourier - random Fourier features: a Gaussian process with a stationary kernel as a linear model        [Rahimi & Recht 2007]
 *
 *     phi(x) = J^{-1/2} [cos(z_1'x~) .. cos(z_J'x~), sin(z_1'x~) .. sin(z_J'x~)],   x~_i = x_i / l_i,   D = 2J      [bases 12, 13]
 *     E phi(x)'phi(x') = k(x~ - x~'),   error of one entry about sqrt(1/(2J)) with independent draws                    [bases 17]
 *
 * Frequencies z_j are drawn once, from the kernel's spectral density at unit length scale, and kept (saved with the model).
 * theta: one length scale, or one for each input (ard). They start at sqrt(d) sd(x_i) [bases 37], or at the user's length_scale,
 * and stay within 1e-4 .. 1e4 times the former: wide enough to switch an input off. A phase loses digits as |x| / l grows: centre
 * the inputs. A phase that overflows makes features of NaN. Kernels: >>kernel. */

/* How frequencies are drawn; each way is exactly unbiased.
 *   orthogonal    blocks of d directions from a Haar-distributed orthogonal matrix, each frequency with its own independent norm
 *                 [bases 21]. Radial kernels only.
 *   independent
 *   sobol         quasi-random points (>>qmc) through the inverse distribution functions [bases 20], one coordinate for each input
 *                 and one more for the scale s of [bases 15], which radial kernels but RBF have: d + 1 <= BLN_SOBOL_DIMENSIONS
 *                 (RBF and products: d). n should be a power of 2.
 *   halton        the same with shifted Halton points; any d, any n.
 * Error of a kernel entry relative to independent draws, measured by bench/bench_kernels.c at r^2 around 2 with n = 1024:
 *                                            rbf                                        matern32
 *     inputs                                 2      4      8      16                    2      4      8      16
 *     orthogonal                             0.83   0.59   0.54   0.54                  0.88   0.80   0.83   0.84
 *     sobol                                  0.04   0.09   0.25   0.53                  0.27   0.41   0.57   0.78
 *     halton                                 0.10   0.24   0.45   0.66                  0.30   0.46   0.65   0.86
 * So Sobol up to 8 inputs or so, orthogonal above. The heavier the tails of the frequencies (Matern 1/2, Laplace), the smaller is
 * the gain, and points far apart gain less than close ones.
 *   fastfood      for many inputs: another basis with the same desc, >>fastfood, which keeps no matrix of frequencies */
typedef enum bln_draws {
    BLN_DRAWS_DEFAULT, BLN_DRAWS_ORTHOGONAL, BLN_DRAWS_INDEPENDENT, BLN_DRAWS_SOBOL, BLN_DRAWS_HALTON,
    BLN_DRAWS_FASTFOOD
} bln_draws;

typedef struct bln_fourier_desc {
    size_t        d;              /* inputs                                          (required, >= 1)          */
    size_t        n;              /* frequencies J; features are 2 n                 (required, >= 1)          */
    bln_kernel    kernel;         /*                                                 (0: RBF)                  */
    double        shape;          /* nu or alpha, 0.1 .. 1e4; 0 for the other kernels   (0: 2)                 */
    int           ard;            /* one length scale for each input?                (0: one for all)          */
    bln_draws     draws;          /*              (0: orthogonal; independent for the two kernels of products) */
    uint64_t      seed;           /* of the frequencies                              (0: seed 0)               */
    double        length_scale;   /* start of the length scales, in units of x       (0: sqrt(d) sd(x_i))      */
    bln_allocator alloc;          /*                                                 (zero: malloc)            */
} bln_fourier_desc;

/* Memory: d x n doubles, and while it draws up to d x d more, for quasi-random points up to 1024 (d + 1).
 * BLN_EINVAL: a desc that cannot be used; the report has the reason.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_fourier_create(const bln_fourier_desc *desc, bln_basis **out, bln_report *report);

/* For a list of bases (>>load). Files have two names: fourier is the basis of rbf and the three Matern kernels without a shape,
 * fourier2 that of the other kernels. */
BLN_API const bln_basis_ops *bln_fourier_ops(void);
BLN_API const bln_basis_ops *bln_fourier2_ops(void);

/* The frequencies of such a basis, d x n row-major (input i's row i); NULL if the basis is another. */
BLN_API const double *bln_fourier_frequencies(const bln_basis *basis);

#endif /* BLN_BASIS_FOURIER_H */

#ifndef BLN_BASIS_RADIAL_H
#define BLN_BASIS_RADIAL_H
#include "basis.h"
/* >>radial - bumps and steps around centres                                                                    [bases 6-9]
 *
 * With centres c_1 .. c_n, u_ji = (x_i - c_ji)/l_i, rho_j = sqrt(sum_i u_ji^2), sigma(a) = 1/(1 + e^-a):
 *     radial     phi_j = exp(-rho_j^2/2)                                 D = n         a bump: 0 far away              [bases 6]
 *     sigmoid    phi_j = sigma(rho_j)                                    D = n         from 1/2 at the centre to 1     [bases 8]
 *     ridge      phi_{i n + j} = sigma(u_ji)                             D = d n       a step across x_i = c_ji  [Bishop 2006, 3.6]
 * theta: one length scale, or one for each input (ard), with the starts and bounds of the >>fourier basis. One slice.
 * sigmoid has a kink at its centre, where its derivatives count as 0. Differences are taken first, so that nothing cancels where
 * the inputs are far from 0; phi is good to (4 + rho^2) eps relative (radial) or 4 eps. About 3 n d operations and n exponentials a
 * row (ridge: n d). */
typedef enum bln_radial_form { BLN_RADIAL, BLN_RADIAL_SIGMOID, BLN_RADIAL_RIDGE } bln_radial_form;

typedef struct bln_radial_desc {
    size_t          d;              /* inputs                                              (required, >= 1)     */
    size_t          n;              /* centres                                             (required, >= 1)     */
    const double   *centres;        /* n x d, in units of x, finite; they are copied       (required)           */
    size_t          ldc;            /* row stride of centres                               (0: d)               */
    bln_radial_form form;           /*                                                     (0: radial)          */
    int             ard;            /* one length scale for each input?                    (0: one for all)     */
    double          length_scale;   /* start of the length scales, in units of x           (0: sqrt(d) sd(x_i)) */
    bln_allocator   alloc;          /*                                                     (zero: malloc)       */
} bln_radial_desc;

/* Memory: n x d doubles.  BLN_EINVAL: a desc that cannot be used; the report has the reason.  BLN_EDATA: a centre that is not
 * finite; the report has its row and column.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_radial_create(const bln_radial_desc *desc, bln_basis **out, bln_report *report);
BLN_API const bln_basis_ops *bln_radial_ops(void);                                      /* for a list of bases (>>load) */

/* Fills centres (n x d, row-major) in the box [-range, range]^d: evenly from end to end for one input, else scrambled Sobol' points
 * of the seed (>>qmc), beyond BLN_SOBOL_DIMENSIONS inputs shifted Halton points. For standardised inputs. */
BLN_API void bln_radial_centres(size_t d, size_t n, double range, uint64_t seed, double *centres);

#endif /* BLN_BASIS_RADIAL_H */

#ifndef BLN_BASIS_SPECTRAL_H
#define BLN_BASIS_SPECTRAL_H
#include "fastfood.h"
/* >>spectral - spectral mixtures: kernels that oscillate        [Wilson & Adams 2013; Yang, Smola, Song & Wilson 2015]
 *
 *     k(tau) = sum_q lambda_q k0(tau / l_q) cos(mu_q'tau),   tau = x - x'                                          [bases 28]
 *
 * With a squared exponential k0 the spectral density is a mixture of Gaussians at +-mu_q of width 1/l_q, which comes as close as
 * one likes to that of any stationary kernel; seasons and waves are continued where other kernels return to the mean. Each
 * component is a basis of its own with a prior variance lambda_q, its weight in the mixture: from Fourier features psi of k0, dense
 * or Fastfood,
 *
 *     phi(x) = [psi(x) cos(mu'x), psi(x) sin(mu'x)],   D = 4 n,   phi(x)'phi(x') = psi(x)'psi(x') cos(mu'tau),     [bases 29]
 *
 * unbiased as psi is, with phi'phi = 1. theta: the length scales of k0, then mu_i in radians per unit of x_i, any real number. The
 * evidence has many optima in mu (their width is one over the range of the data) and a saddle at mu = 0: give means or a period
 * where they are known, and a search several starts. Centre the inputs, as for >>fourier. */
typedef struct bln_spectral_desc {
    bln_fourier_desc envelope;    /* k0 and its features, n of them per component; draws may be Fastfood  (d, n required)      */
    size_t           component;   /* number in its mixture: draws and starts differ                       (0; to 1e6)          */
    double           period;      /* start: |mu| = 2 pi (component + 1)/period in a random direction, in units of x
                                     (0: period 4 for x_i / sd_i)                                                              */
    const double    *mean;        /* d numbers, the start of mu                                           (NULL: from period)  */
} bln_spectral_desc;

/* One component; the mixture is the sum of several (bln_basis_sum), numbered by `component`.
 * BLN_EINVAL: a desc that cannot be used; the report has the reason.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_spectral_create(const bln_spectral_desc *desc, bln_basis **out, bln_report *report);
BLN_API const bln_basis_ops *bln_spectral_ops(void);                                    /* for a list of bases (>>load) */

#endif /* BLN_BASIS_SPECTRAL_H */

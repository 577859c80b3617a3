/* builtin: the room that knows everything by name, and that no other includes */
#include "builtin.h"
#include "../core/config_private.h"
#include "../basis/polynomial_private.h"
#include "../basis/radial_private.h"
#include "../basis/fourier_private.h"
#include "../basis/fastfood_private.h"
#include "../basis/spectral_private.h"
#include "../basis/inducing_private.h"

static const bln_basis_ops *const blni_builtin_bases[] = {
    &blni_bias_ops, &blni_linear_ops, &blni_poly_ops, &blni_legendre_ops, &blni_radial_ops, &blni_fourier_ops,
    &blni_fourier2_ops, &blni_fastfood_ops, &blni_spectral_ops, &blni_inducing_ops
};

BLN_API bln_load bln_builtin(void)
{
    bln_load all;
    memset(&all, 0, sizeof all);
    all.bases = blni_builtin_bases;
    all.n_bases = sizeof blni_builtin_bases/sizeof *blni_builtin_bases;
    return all;
}

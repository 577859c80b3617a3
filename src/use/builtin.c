/* builtin: lists every built-in basis, likelihood and kind of model; no other room includes it */
#include "builtin.h"
#include "../basis/basis_private.h"
#include "../basis/polynomial_private.h"
#include "../basis/radial_private.h"
#include "../basis/group_private.h"
#include "../basis/fourier_private.h"
#include "../basis/fastfood_private.h"
#include "../basis/spectral_private.h"
#include "../basis/inducing_private.h"
/* Of each part only where it is on: what stands within #if is no reason to have it. */
#if BLNI_GLM
#include "../likelihood/location_private.h"
#include "../likelihood/binomial_private.h"
#include "../likelihood/counts_private.h"
#include "../likelihood/ordinal_private.h"
#include "../likelihood/categorical_private.h"
#include "../likelihood/gaussian_scale_private.h"
#include "../likelihood/heteroscedastic_private.h"
#include "../likelihood/logistic_softmax_private.h"
#include "../posterior/kind_diagonal_private.h"
#include "../posterior/kind_point_private.h"
#include "../posterior/kind_product_private.h"
#include "../posterior/observe_likelihood_private.h"
#include "../posterior/observe_latents_private.h"
#include "../glm/glm_private.h"
#endif
#if BLNI_LINEAR || BLNI_GLM
#include "../posterior/kind_gaussian_private.h"
#include "../posterior/kind_student_private.h"
#include "../posterior/observe_noise_private.h"
#include "../posterior/record_private.h"
#endif
#if BLNI_LINEAR
#include "../linear/slm_private.h"
#include "../linear/slm_integrated_private.h"
#endif
#if BLNI_SCORES
#include "scaler_private.h"
#include "conformal_private.h"
#endif

static const bln_basis_ops *const blni_builtin_bases[] = {
    &blni_bias_ops, &blni_linear_ops, &blni_poly_ops, &blni_legendre_ops, &blni_radial_ops, &blni_group_ops,
    &blni_fourier_ops, &blni_fourier2_ops, &blni_fastfood_ops, &blni_spectral_ops, &blni_inducing_ops, &blni_sum_ops,
    &blni_columns_ops
};

/* The rest is there if its part is; a list has at least one entry. */
static const bln_model_kind *const blni_builtin_kinds[] = {
#if BLNI_LINEAR
    &blni_slm_kind, &blni_slm_integrated_kind,
#endif
#if BLNI_GLM
    &blni_glm_kind,
#endif
#if BLNI_LINEAR || BLNI_GLM
    &blni_posterior_kind,
#endif
#if BLNI_SCORES
    &blni_scaler_kind, &blni_conformal_kind,
#endif
    NULL
};

static const struct bln_component_ops *const blni_builtin_components[] = {
#if BLNI_LINEAR || BLNI_GLM
    &blni_gaussians_ops, &blni_students_ops,
#endif
#if BLNI_GLM
    &blni_diagonals_ops, &blni_points_ops, &blni_latentwise_ops,
#endif
    NULL
};

static const struct bln_observe_ops *const blni_builtin_observes[] = {
#if BLNI_LINEAR || BLNI_GLM
    &blni_noise_ops,
#endif
#if BLNI_GLM
    &blni_observed_ops, &blni_latents_ops,
#endif
    NULL
};

#if BLNI_GLM
/* As bln_likelihood_gaussian() and its like make them; ordinal and categorical are sized. */
static const bln_likelihood blni_builtin_likelihoods[] = {
    { &blni_gauss_ops, 1, NULL, 1, 0.0 }, { &blni_student_ops, 2, NULL, 1, 0.0 }, { &blni_laplace_ops[0], 1, NULL, 1, 0.0 },
    { &blni_laplace_ops[1], 1, NULL, 1, 0.5 }, { &blni_binomial_ops[0], 0, NULL, 1, 0.0 },
    { &blni_binomial_ops[1], 0, NULL, 1, 0.0 }, { &blni_binomial_ops[2], 0, NULL, 1, 0.0 }, { &blni_poisson_ops, 0, NULL, 1, 0.0 },
    { &blni_softplus_ops, 0, NULL, 1, 0.0 }, { &blni_saturating_ops, 1, NULL, 1, 0.0 }, { &blni_nb_ops, 1, NULL, 1, 0.0 },
    { &blni_zip_ops, 1, NULL, 1, 0.0 }, { &blni_ordinal_ops, 1, NULL, 1, 0.0 },
    { &blni_categorical_ops, 0, NULL, 2, 0.0 }, { &blni_categorical_reference_ops, 0, NULL, 1, 0.0 },
    { &blni_gaussian_scale_ops, 1, NULL, 2, 0.0 }, { &blni_heteroscedastic_ops[0], 1, NULL, 2, 0.0 },
    { &blni_heteroscedastic_ops[1], 2, NULL, 2, 0.0 }, { &blni_logistic_softmax_ops[0], 0, NULL, 2, 0.0 },
    { &blni_logistic_softmax_ops[1], 0, NULL, 1, 0.0 }, { &blni_logistic_softmax_ops[2], 1, NULL, 2, 0.0 }
};
#endif

BLN_API bln_load bln_builtin(void)
{
    bln_load all = BLN_ZERO;
    all.bases = blni_builtin_bases;
    all.n_bases = sizeof blni_builtin_bases/sizeof *blni_builtin_bases;
    all.kinds = blni_builtin_kinds;
    all.n_kinds = sizeof blni_builtin_kinds/sizeof *blni_builtin_kinds - 1;
    all.components = blni_builtin_components;
    all.n_components = sizeof blni_builtin_components/sizeof *blni_builtin_components - 1;
    all.observes = blni_builtin_observes;
    all.n_observes = sizeof blni_builtin_observes/sizeof *blni_builtin_observes - 1;
#if BLNI_GLM
    all.likelihoods = blni_builtin_likelihoods;
    all.n_likelihoods = sizeof blni_builtin_likelihoods/sizeof *blni_builtin_likelihoods;
#endif
    return all;
}

#ifndef BLN_LINEAR_SLM_INTEGRATED_H
#define BLN_LINEAR_SLM_INTEGRATED_H
#include "slm.h"
#include "../posterior/kind_student.h"
/* >>slm_integrated - the standard linear model for few rows: noise and prior variances integrated out
 *
 *     y_n = offset_n + phi(x_n)'w + e_n,   e_n ~ N(0, sigma^2/omega_n),   w_i ~ N(0, sigma^2 r_s) for i in slice s,
 *     p(sigma^2) ~ (sigma^2)^-(a+1) exp(-b/sigma^2)   (a = b = 0: 1/sigma^2),   tau_s = h_s sqrt(r_s) ~ half-Cauchy(10)
 *
 * >>slm sets sigma^2 and lambda to their best values; with a dozen rows its intervals are then too narrow. Here sigma^2 is
 * integrated in closed form and the ratios r_s = lambda_s/sigma^2 by quadrature; basis parameters are fixed. N, ld, c, G and b are
 * those of >>statistics. p_f weights are flat (density 1 everywhere, as in >>slm). S = diag(s_i), s_i = sqrt(r_s), or any s_i > 0
 * for a flat weight; B = diag(0 if flat, else 1) + S G S:
 *     q  = c - b'S B^-1 S b,    nu = N - p_f + 2a,    m = S B^-1 S b,
 *     log p(y | r) = -1/2 [(N - p_f) log 2 pi - ld + log|B| - 2 sum_flat log s_i] + log Gamma(nu/2) - nu/2 log(q/2 + b) + log k,
 *     y* | y, r ~ Student-t,  nu degrees of freedom, location offset* + phi*'m, squared scale (q + 2b)/nu (v* + phi*'S B^-1 S phi*)
 * (log k = a log b - log Gamma(a) if a > 0 and b > 0; else the prior is improper, and k = 1). y*, offset*, phi* and v* (noise_var)
 * are those of a new row. Its predictive is the mixture of these t's over p(r | y), and so is the posterior of each weight.
 *     [linear 46, 47; Zellner 1971, 3.2 and 4.1; Gelman 2006]
 *
 * tau_s is sqrt(r_s) in standardised units: the prior sd of the contribution of a typical feature of slice s, in units of sigma.
 * h_s is the root mean square, over the rows (weights omega) and the features of the slice, of each feature's least-squares
 * residual on the flat features. With a flat intercept and one feature x in a slice, h_s is the standard deviation of x, and tau
 * the prior sd of the slope of the standardised x, in units of sigma. A feature that is a linear function of the flat ones counts
 * with its own root mean square, a feature that is 0 everywhere with 1; for >>group the mean is over the one feature of a row that
 * is not 0. So predictions do not depend on the scale of y or of a slice, nor, with a flat intercept, on shifts of the inputs.
 *
 * The quadrature is the trapezoidal rule in u, log tau = centre + width sinh(u), with centre and width from the integrand's mode.
 * It ends where the integrand has fallen by e^-30 (one ratio), e^-23 (two) or e^-18 (three, a tensor grid). The integrand is
 * analytic and falls exponentially, so the error falls faster than any power of the number of nodes. With the default number it is
 * below 1e-11 of the result for one ratio, 1e-8 for two, 1e-5 for three. At most three ratios are integrated; fix the others.
 *     Memory: K (D'^2 + D') doubles for K nodes of weight above 1e-16, where D' weights are not flat. By default, up to D = 16 the
 *     statistics are in three doubles and recognise a perfect fit; with qr the residual of a perfect fit may be rounding error.
 *
 * The features of a low-rank kernel (>>inducing) miss the residual prior variance r_s sigma^2 (k_s(x, x) - |phi_s(x)|^2) of f. As
 * with bln_slm_residual, 1/2 sum_s r_s sum_n omega_n (k_s - |phi_s|^2) is subtracted from log p(y | r), and predictions add
 * r_s (k_s - |phi_s|^2) to v* in the squared scale. Such a slice cannot be flat. */
typedef struct bln_slm_integrated bln_slm_integrated;

/* The log density of tau_s > 0; -infinity where the density is 0. A constant added to it is added to the evidence. */
typedef double (*bln_slm_log_prior)(void *user, size_t slice, double tau);

typedef struct bln_slm_integrated_desc {
    const bln_basis *basis;            /* borrowed; must outlive the model                        (required)              */
    const double    *theta;            /* n_theta basis parameters, for _fit; copied              (NULL: the basis's own) */
    const double    *ratio;            /* n_slices: 0 integrate, > 0 fixed r_s, HUGE_VAL flat; copied (NULL: integrate all) */
    double           prior_scale;      /* scale of the half-Cauchy on tau_s                       (0: 10)                 */
    bln_slm_log_prior log_prior;       /* another prior on tau_s                                  (NULL: half-Cauchy)     */
    void            *log_prior_user;
    double           noise_a, noise_b; /* inverse gamma prior of sigma^2; b in [y]^2              (0, 0: 1/sigma^2)       */
    size_t           nodes;            /* quadrature nodes of each ratio, >= 8  (0: 96 for one ratio, 48 for two, 24 for three) */
    bln_slm_arithmetic arithmetic;     /* of the statistics that _fit makes       (0: exact up to 16 features, else double) */
    size_t           block;            /* rows of a block                                         (0: 256)                */
    bln_allocator    alloc;            /*                                                         (zero: malloc)          */
} bln_slm_integrated_desc;

/* The desc with every default filled in. _check: NULL, or the reason why the desc cannot be used (more than three ratios to
 * integrate, a flat prior of features that miss variance (bln_basis_variance: >>inducing), a number outside its range, fewer than 8
 * nodes, an allocator without alloc or release). */
BLN_API bln_slm_integrated_desc bln_slm_integrated_defaults(const bln_slm_integrated_desc *desc);
BLN_API const char             *bln_slm_integrated_check(const bln_slm_integrated_desc *desc);

/* An unfitted model.   BLN_EINVAL: see _check.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_slm_integrated_create(const bln_slm_integrated_desc *desc, bln_slm_integrated **out, bln_report *report);
BLN_API void       bln_slm_integrated_free(bln_slm_integrated *model);                  /* NULL is fine */

/* Computes the posterior given a data set, a source of blocks, or sufficient statistics at their theta. The report's objective is
 * the evidence, its evaluations are the points r at which p(y | r) was computed. Cost: the statistics, then O(D'^3) for each node.
 * BLN_EINVAL, BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN: as bln_slm_fit_statistics.
 * BLN_EUNDEFINED: the posterior is improper: N - p_f + 2a <= 0, or the integrand does not fall off within e^-80 < tau < e^80.
 * BLN_ENOTPD: flat weights that the data do not determine; the report's column is the feature.
 * BLN_ENUMERIC: overflow (scale the data), or a log_prior that is NaN or +infinity.  BLN_ENOMEM, BLN_EOVERFLOW.
 * A perfect fit is a result: sigma^2 = 0, one node, evidence infinity. BLN_EUNDEFINED if it does not determine the weights.
 * Any status of a source. On failure the model stays as it was. */
BLN_API bln_status bln_slm_integrated_fit(bln_slm_integrated *model, const bln_data *data, bln_report *report);
BLN_API bln_status bln_slm_integrated_fit_source(bln_slm_integrated *model, const bln_source *source, bln_report *report);
BLN_API bln_status bln_slm_integrated_fit_statistics(bln_slm_integrated *model, const bln_statistics *statistics,
                                                     bln_report *report);

/* The basis, and the n_theta basis parameters of the fit (NULL if the model is not fitted). */
BLN_API const bln_basis *bln_slm_integrated_basis(const bln_slm_integrated *model);
BLN_API const double    *bln_slm_integrated_theta(const bln_slm_integrated *model);

/* What was learnt; NaN, and 0 nodes, if the model is not fitted. _rows: N, the sum of the weights of the rows. _evidence: log p(y)
 * in nats, r integrated out. _dof: nu. _unit: h_s. _node: the posterior weight of node k (they sum to 1; the first is the largest),
 * its ratios (n_slices, HUGE_VAL where flat; may be NULL) and noise_var = (q + 2b)/nu, the squared scale of the noise of a row with
 * v = 1.   BLN_ESTATE: not fitted.  BLN_EINVAL: k >= nodes, or NULL. */
BLN_API double     bln_slm_integrated_rows(const bln_slm_integrated *model);
BLN_API double     bln_slm_integrated_evidence(const bln_slm_integrated *model);
BLN_API double     bln_slm_integrated_dof(const bln_slm_integrated *model);
BLN_API double     bln_slm_integrated_unit(const bln_slm_integrated *model, size_t slice);
BLN_API size_t     bln_slm_integrated_nodes(const bln_slm_integrated *model);
BLN_API bln_status bln_slm_integrated_node(const bln_slm_integrated *model, size_t k, double *weight, double *ratio,
                                           double *noise_var);

/* The posterior, the argument of everything else (>>predict, >>weights): a mixture of Student's t over the nodes. Valid until the
 * next fit or free; its status is BLN_ESTATE while the model is not fitted. NULL for NULL. */
BLN_API const bln_posterior *bln_slm_integrated_posterior(const bln_slm_integrated *model);

/* bln_posterior_predict of its posterior. The mean is NaN unless nu > 1; the variances are infinite for 1 < nu <= 2, and NaN for
 * nu <= 1.   K D'^2 operations a row, for K nodes and D' weights that are not flat
 * work: bln_posterior_work(bln_slm_integrated_posterior(model)) doubles, or NULL to allocate. */
BLN_API bln_status bln_slm_integrated_predict(const bln_slm_integrated *model, const bln_data *data, double *mean,
                                              double *var_model, double *var_noise, double *work, bln_report *report);

/* Writes a fitted model with its basis, and reads one. A loaded model owns its basis and predicts exactly what the saved one did.
 * It can be fitted again with the saved ratios, priors and basis parameters, but with the half-Cauchy prior (a log_prior is not
 * saved) and the default nodes.
 * save: BLN_EINVAL (NULL), BLN_ESTATE (not fitted), BLN_EUNKNOWN (a basis that has no save), BLN_EIO.
 * load: BLN_EFORMAT (no such model, or damaged), BLN_EUNKNOWN (a basis not in context), BLN_ENOMEM; any status of the reader. */
BLN_API bln_status bln_slm_integrated_save(const bln_slm_integrated *model, bln_writer *w);
BLN_API bln_status bln_slm_integrated_load(const bln_load *context, bln_reader *r, bln_slm_integrated **out);
BLN_API const bln_model_kind *bln_slm_integrated_file_kind(void);                       /* for a list of kinds (>>load) */

#endif /* BLN_LINEAR_SLM_INTEGRATED_H */

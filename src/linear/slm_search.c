/* slm_search: the objective of a fit, its coordinates and its starts
 *
 * The free coordinates are x = [log sigma^2 | log lambda_s | theta], each through its bln_param, so that the search is
 * unconstrained and scales with the data. Where the lambda_s are ratios to Sigma, sigma^2 is no coordinate, and Sigma is the best
 * one at each point. sigma^2 stays within 1e-10 .. 1e2 times the variance of y, and lambda_s within 1e-12 .. 1e24 times a start
 * that gives the prior functions the size of y [optimisation 32]. A slice whose lambda_s is at its lower end is switched off.
 *
 * The objective is the evidence of y in units of its standard deviation, log p(y) + (N - p_f) log sd(y). Tests of progress are
 * relative to it, so that the path of the search does not depend on the unit of y.
 *
 * Every search runs in z with x = base + T z. In the first stage T ties the parameters of a group (bln_param.group): one length
 * scale for all inputs is found first, then one for each. Without this stage, d length scales that start together often end in poor
 * optima. With the prior of relevance sigma^2 is held in that stage: z does not move it. */
#include "slm_private.h"
#include "../math/special.h"
#include "../random/rng_private.h"
#include "../core/status_private.h"
#include "../optim/transform_private.h"
#include "../basis/basis_private.h"
#include "../posterior/prior_private.h"

/* ---- evaluation at a point, whatever the form */

BLNI_PRIV bln_status blni_slm_value(blni_evidence *e, const blni_hyper *h, double *value, bln_report *report)
{
    const bln_status status = e->form == BLN_SLM_DUAL ? blni_dual_value(e, h, report)
                            : e->gram.exact ? blni_exact_value(e, h, report) : blni_primal_value(e, h, report);
    if (status == BLN_OK) *value = blni_evidence_total(e);
    return status;
}

BLNI_ONCE BLNI_PRIV bln_status blni_slm_gradient(blni_evidence *e, const blni_hyper *h, double *d_noise, double *d_prior,
                                                 double *d_theta, bln_report *report)
{
    if (e->form == BLN_SLM_DUAL) return blni_dual_gradient(e, h, d_noise, d_prior, d_theta);
    if (!e->gram.exact) return blni_primal_gradient(e, h, d_noise, d_prior, d_theta, report);
    blni_exact_invert(e);                                        /* there is no theta to learn */
    blni_evidence_gradient_scales(e, d_noise, d_prior);
    return BLN_OK;
}

/* The reason when sums of squares of the features first .. end - 1 leave the number range at theta: if they are too large, the row
 * and feature with which they get so, and the input that is largest there; `why` if not all of these features are 0. */
BLNI_PRIV bln_status blni_evidence_squares(blni_evidence *e, const double *theta, size_t first, size_t end, const char *why,
                                           bln_report *report)
{
    char name[64];
    bln_data rows;
    double *sum = e->gamma;
    int any = 0;
    bln_status status = e->source ? e->source->reset(e->source->user, report) : BLN_OK;
    if (e->source) e->have_features = 0;                        /* Phi is written to */
    for (size_t j = first; j < end; j++) sum[j] = 0.0;
    for (size_t at = 0; status == BLN_OK && e->source; at += rows.n) {
        status = blni_source_next(e->source, e->block, e->P, &rows, report);
        if (status != BLN_OK || rows.n == 0) break;
        bln_basis_features(e->basis, theta, rows.n, rows.X, blni_ldx(&rows), e->Phi, e->D, e->basis_work);
        for (size_t i = 0; i < rows.n; i++)
            for (size_t j = first; j < end; j++) {
                const double phi = e->Phi[i*e->D + j], omega = blni_row_omega(&rows, i);
                any |= fabs(phi) > 0.0 && omega > 0.0;
                sum[j] += omega*phi*phi;
                if (sum[j] < BLNI_GRAM_MOST) continue;
                bln_basis_feature_name(e->basis, j, NULL, name, sizeof name);
                blni_fail(report, BLN_ENUMERIC, at + i, blni_row_largest(&rows, i),
                          "slm: squares of a feature overflow; scale the inputs");
                blni_say(report, ", feature ");
                blni_say(report, name);
                return BLN_ENUMERIC;
            }
    }
    if (status != BLN_OK) e->source_failed = 1;
    return status == BLN_OK && any ? blni_refuse(report, BLN_ENUMERIC, why) : status;
}

BLNI_PRIV bln_status blni_evidence_overflow(blni_evidence *e, const double *theta, bln_report *report)
{
    static const char *const why = "slm: the evidence overflows; scale the data";
    BLNI_TRY(blni_evidence_squares(e, theta, 0, e->D, why, report));
    return blni_refuse(report, BLN_ENUMERIC, why);
}

/* Sigma as the desc has it: sigma^2 I, that is C = I, where prior variances are absolute; given; or the best one at each point. */
BLNI_PRIV bln_status blni_evidence_sigma(blni_evidence *e, const bln_slm_desc *d, bln_report *report)
{
    const int relative = d->relative_prior, given = relative && d->fix_noise_var;
    if (!blni_sigma_fix(&e->sigma, given ? d->noise_cov : NULL, given && !d->noise_cov ? d->noise_var : 1.0))
        return blni_refuse(report, BLN_EDOMAIN, "slm: noise_cov must be positive definite");
    e->sigma.profile = relative && !d->fix_noise_var;
    return BLN_OK;
}

/* e's arrays, in a block of their own. */
BLNI_PRIV bln_status blni_evidence_room(const bln_allocator *alloc, blni_evidence *e, void **block, size_t *bytes,
                                        bln_report *report)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_evidence_carve(&a, e);
    BLNI_TRY(blni_arena_take(alloc, a.used, "slm", &a, report));
    *block = a.base;
    *bytes = a.size;
    blni_evidence_carve(&a, e);
    return BLN_OK;
}

/* Workspace for the scanned rows, in the form and arithmetic of desc for n of them; in dual form they are gathered into it. */
BLNI_ONCE BLNI_PRIV bln_status blni_evidence_open(const bln_slm *slm, const bln_source *source, const bln_slm_desc *desc, size_t n,
                                                  const blni_slm_scan *scan, blni_evidence *e, void **block, size_t *bytes,
                                                  bln_report *report)
{
    blni_evidence_for(&slm->desc, source, scan, e);
    blni_evidence_take(e, desc, n);
    bln_status status = blni_evidence_room(&slm->alloc, e, block, bytes, report);
    if (status == BLN_OK) status = blni_evidence_sigma(e, &slm->desc, report);
    return status == BLN_OK && e->form == BLN_SLM_DUAL ? blni_dual_gather(e, report) : status;
}

/* ---- coordinates */

BLNI_PRIV int blni_learns_prior(const bln_slm_desc *d, size_t s)
{
    const double given = d->prior_var ? d->prior_var[s] : 0.0;
    return !d->fix_prior_var && !blni_flat(given) && !(d->fix_given_var && given > 0.0);
}

BLNI_PRIV int blni_all_flat(const bln_slm_desc *d)
{
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++)
        if (!d->prior_var || !blni_flat(d->prior_var[s])) return 0;
    return 1;
}

BLNI_PRIV void blni_fit_natural(blni_slm_fit *f, const double *x)
{
    for (size_t k = 0; k < f->n_free; k++) *f->natural[k] = bln_param_natural(f->param + k, x[k]);
}

/* May a tenth of a nat of the evidence be rounding, in the stage that ties length scales? A Cholesky factor of B perturbs log|B| by
 * up to some D eps cond(B) [Higham 2002, theorem 10.3]. Tied length scales that grow with the prior variance, towards polynomials,
 * lead to where values scatter and slopes are not theirs, and no search gets on from there. This stage only has to find the
 * neighbourhood, so it stays where evidences have digits. */
BLNI_PRIV int blni_fit_drowned(const blni_slm_fit *f)
{
    const blni_evidence *e = &f->e;
    return f->tied && f->free_theta && e->form == BLN_SLM_PRIMAL && !e->gram.qr
        && (double)e->D*DBL_EPSILON*e->condition > 0.1;
}

/* Minus the evidence at f->x in units of sd(y), evaluated unless it is known already. A matrix that cannot be factorised, a Sigma
 * that is not defined, or a value lost in rounding after one that was not, is a bad point, not a failure. */
BLNI_PRIV bln_status blni_fit_evaluate(blni_slm_fit *f, const double *x, double *value, bln_report *report)
{
    if (!f->evaluated || memcmp(f->x, x, f->n_free*sizeof *x)) {
        memcpy(f->x, x, f->n_free*sizeof *x);
        blni_fit_natural(f, x);
        const bln_status status = blni_slm_value(&f->e, &f->hyper, &f->evidence, report);
        f->evaluated = status == BLN_OK && blni_finite(f->evidence);
        f->evaluations++;
        if (f->evaluated && blni_fit_drowned(f)) f->evaluated = !f->resolved;
        else if (f->evaluated) f->resolved = 1;
        if (status != BLN_OK && ((status != BLN_ENOTPD && status != BLN_EUNDEFINED) || f->e.source_failed)) return status;
        if (status != BLN_OK) bln_report_clear(report);
        if (status == BLN_EUNDEFINED) f->walled = 1;
    }
    *value = f->evaluated ? -(f->evidence + f->unit) : HUGE_VAL;
    return BLN_OK;
}

/* Gradient of -log p(y) with respect to x_k at f->x, written to g[n_free]. */
BLNI_ONCE BLNI_PRIV bln_status blni_fit_slope(blni_slm_fit *f, double *g, bln_report *report)
{
    const bln_basis *b = f->desc.basis;
    const double *x = f->x;
    double d_noise;
    size_t k = 0;
    const bln_status status = blni_slm_gradient(&f->e, &f->hyper, &d_noise, f->d_prior, f->free_theta ? f->d_theta : NULL, report);
    f->evaluated = 0;                       /* the factor is gone */
    if (status != BLN_OK) return status;
    /* d_noise and d_prior are by the logarithm: times d log(v)/dx = slope/v. */
    if (f->free_noise) { g[k] = -d_noise*bln_param_slope(f->param + k, x[k])/f->hyper.noise_var; k++; }
    for (size_t s = 0; s < blni_priors(b, f->desc.per_weight); s++)
        if (blni_learns_prior(&f->desc, s)) {
            g[k] = -f->d_prior[s]*bln_param_slope(f->param + k, x[k])/f->hyper.prior_var[s];
            k++;
        }
    if (f->free_theta)
        for (size_t t = 0; t < b->n_theta; t++, k++) g[k] = -f->d_theta[t]*bln_param_slope(f->param + k, x[k]);
    return BLN_OK;
}

/* -log prior(rho) up to its constant, the sum of log(1 + rho_i^2), rho_i^2 = lambda_i |phi_i|^2/sigma^2, over the prior variances
 * that are learnt; adds its gradient to g[n_free] unless NULL. Where prior variances are ratios, sigma^2 is 1. */
BLNI_PRIV double blni_fit_relevance(const blni_slm_fit *f, const double *x, double *g)
{
    const bln_slm_desc *d = &f->desc;
    const double noise_var = f->free_noise ? bln_param_natural(f->param, x[0]) : f->hyper.noise_var;
    double sum = 0.0, d_noise = 0.0;
    size_t k = (size_t)(f->free_noise != 0);
    for (size_t s = 0; f->relevance && s < blni_priors(d->basis, d->per_weight); s++) {
        if (!blni_learns_prior(d, s)) continue;
        const double lambda = bln_param_natural(f->param + k, x[k]), square = lambda*(f->square[s]/noise_var);
        const double slope = square < 1.0 ? square/(1.0 + square) : 1.0 - 1.0/(1.0 + square);
        sum += log1p(square);
        d_noise -= slope;
        if (g) g[k] += slope*bln_param_slope(f->param + k, x[k])/lambda;
        k++;
    }
    if (g && f->free_noise) g[0] += d_noise*bln_param_slope(f->param, x[0])/noise_var;
    return sum;
}

/* -log prior(theta) up to its constant, (x_k - x0_k)^2/(2 theta_sd^2) over the parameters learnt on a log scale, and that of
 * relevance; adds their gradients to g[n_free] unless NULL. */
BLNI_PRIV double blni_fit_penalty(const blni_slm_fit *f, const double *x, double *g)
{
    const size_t first = f->n_free - (f->free_theta ? f->desc.basis->n_theta : 0);
    const double precision = 1.0/(f->desc.theta_sd*f->desc.theta_sd);      /* 0 for HUGE_VAL */
    double sum = 0.0;
    for (size_t k = first; k < f->n_free; k++) {
        const double delta = x[k] - f->x0[k];
        if (f->param[k].kind != BLN_PARAM_LOG && f->param[k].kind != BLN_PARAM_POSITIVE) continue;
        sum += 0.5*precision*delta*delta;
        if (g) g[k] += precision*delta;
    }
    return sum + blni_fit_relevance(f, x, g);
}

/* x = base + T z */
BLNI_ONCE BLNI_PRIV void blni_fit_expand(const blni_slm_fit *f, const double *z, double *x)
{
    for (size_t k = 0; k < f->n_free; k++) {
        const size_t from = f->tied ? f->tie[k] : k;
        x[k] = from == BLN_NONE ? f->base[k] : f->base[k] + z[from];
    }
}

/* What the optimiser minimises: -log p(y) - log priors as a function of z. */
BLNI_PRIV bln_status blni_fit_objective(void *user, size_t n, const double *z, double *value, double *gradient, bln_report *report)
{
    blni_slm_fit *f = (blni_slm_fit *)user;
    blni_fit_expand(f, z, f->trial);
    bln_status status = blni_fit_evaluate(f, f->trial, value, report);
    if (status == BLN_OK) *value += blni_fit_penalty(f, f->trial, NULL);
    if (status != BLN_OK || !gradient) return status;
    if (BLNI_NEVER(!f->evaluated)) return BLN_ENUMERIC;          /* slopes are asked for where a value was finite just before */
    BLNI_TRY(blni_fit_slope(f, f->trial, report));
    blni_fit_penalty(f, f->x, f->trial);
    for (size_t k = 0; k < n; k++) gradient[k] = 0.0;
    for (size_t k = 0; k < f->n_free; k++) {
        const size_t to = f->tied ? f->tie[k] : k;
        if (to != BLN_NONE) gradient[to] += f->trial[k];
    }
    return BLN_OK;
}

/* ---- starts */

/* mean |phi_s|^2 over the rows, weighted by omega, at the present theta. */
BLNI_PRIV bln_status blni_fit_slice_norms(blni_slm_fit *f, double *norm, bln_report *report)
{
    blni_evidence *e = &f->e;
    const bln_basis *b = e->basis;
    if (e->form == BLN_SLM_DUAL) blni_dual_features(e, f->hyper.theta);
    else BLNI_TRY(blni_primal_statistics(e, f->hyper.theta, report));
    for (size_t s = 0; s < blni_priors(b, f->desc.per_weight); s++) {
        const size_t first = blni_prior_first(b, e->per_weight, s), end = blni_prior_first(b, e->per_weight, s + 1);
        norm[s] = e->kernels && e->kernel[s] ? bln_basis_variance(b, s) : blni_evidence_norm(e, first, end)/f->scan.omega;
        if (!blni_finite(norm[s])) return blni_evidence_overflow(e, f->hyper.theta, report);
    }
    for (size_t s = 0; s < blni_priors(b, f->desc.per_weight); s++)
        if (!(norm[s] >= DBL_MIN) && blni_learns_prior(&f->desc, s) && !blni_processes_many(e->scan->processes))
            BLNI_TRY(blni_evidence_squares(e, f->hyper.theta, blni_prior_first(b, e->per_weight, s),
                                           blni_prior_first(b, e->per_weight, s + 1),
                                           "slm: squares of the features of a prior variance underflow; scale the inputs", report));
    return BLN_OK;
}

/* tie[k] = the first coordinate of k's group, renumbered without gaps. */
BLNI_PRIV void blni_fit_ties(blni_slm_fit *f)
{
    const size_t held = (size_t)(f->relevance && f->free_noise);
    f->n_tied = 0;
    if (held) f->tie[0] = BLN_NONE;
    for (size_t k = held; k < f->n_free; k++) {
        size_t first = k;
        if (f->param[k].group)
            for (first = 0; f->param[first].group != f->param[k].group; first++) continue;
        f->tie[k] = first == k ? f->n_tied++ : f->tie[first];
    }
}

BLNI_NOINLINE BLNI_PRIV double blni_mean_of(size_t n, const double *x)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum/(double)n;
}

/* Starts for noise_var, and of what size the functions are, in its units: mean squares of y, or variances next to n_flat flat
 * weights, which have its mean, if it is one sigma^2; for ratios, those over a noise of a tenth of the variance of y (or over the
 * given noise). Floors of the noise variances of a profile. *y_noise: var(y) in the units of sigma^2, for rows with noise
 * variances. */
BLNI_PRIV void blni_fit_scales(blni_slm_fit *f, size_t n_flat, double *noise_var, double *size, double *y_noise)
{
    const bln_slm_desc *d = &f->desc;
    const blni_slm_scan *s = &f->scan;
    const double units = s->omega/s->N, mean_square = blni_mean_of(s->P, s->y_square), mean_var = blni_mean_of(s->P, s->y_var);
    const double square = mean_square > 0.0 ? mean_square : 1.0, var = mean_var > 0.0 ? mean_var : square;
    const double *sizes = n_flat ? s->y_var : s->y_square;
    *y_noise = var*units;
    *size = n_flat ? var : square;
    *noise_var = d->noise_var > 0.0 ? d->noise_var : 0.1**y_noise;
    f->unit = 0.0;
    for (size_t p = 0; p < s->P; p++)
        f->unit += 0.5*(s->N - (double)n_flat)*log(s->y_var[p] > 0.0 ? s->y_var[p] : s->y_square[p] > 0.0 ? s->y_square[p] : 1.0);
    if (!d->relative_prior) return;
    *size = 0.0;
    for (size_t p = 0; p < s->P; p++) {
        const double y_var = s->y_var[p]*units, noise = f->e.sigma.profile ? 0.1*y_var : f->e.sigma.C[p*s->P + p];
        *size += (noise > 0.0 && sizes[p] > 0.0 ? sizes[p]/noise : 1.0)/(double)s->P;
        if (f->e.sigma.profile) f->e.sigma.floor[p] = blni_all_flat(d) ? 0.0 : BLNI_SIGMA_LEAST*y_var;
    }
    *noise_var = 1.0;
}

/* Do prior variances have the half-Cauchy prior? */
BLNI_PRIV int blni_fit_has_relevance(const blni_slm_fit *f)
{
    const bln_slm_desc *d = &f->desc;
    size_t learnt = 0;
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) learnt += (size_t)blni_learns_prior(d, s);
    if (d->relevance != BLN_SLM_RELEVANCE_AUTO || learnt == 0) return d->relevance == BLN_SLM_RELEVANCE_HALF_CAUCHY && learnt > 0;
    return d->per_weight && d->optimiser == BLN_SLM_LBFGS && f->scan.N <= 2.0*(double)learnt;
}

/* The data-driven first start, and the domain of each free coordinate. */
BLNI_ONCE BLNI_PRIV bln_status blni_fit_first_start(blni_slm_fit *f, bln_report *report)
{
    const bln_slm_desc *d = &f->desc;
    const bln_basis *b = d->basis;
    const size_t n_flat = d->prior_var ? blni_flat_weights(b, d->per_weight, d->prior_var, NULL) : 0;
    double y_size, y_noise;
    bln_moments moments;
    bln_param p;
    size_t k = 0;
    moments.n = (size_t)f->scan.n_all;
    moments.d = f->scan.d;
    moments.mean = f->scan.mean;
    moments.sd = f->scan.sd;

    blni_fit_scales(f, n_flat, &f->hyper.noise_var, &y_size, &y_noise);
    if (f->free_noise) {
        f->natural[k] = &f->hyper.noise_var;
        f->param[k++] = blni_log_param(f->hyper.noise_var, BLNI_SIGMA_LEAST*y_noise, 1e2*y_noise);
    }

    BLNI_TRY(b->n_theta && f->scan.mean && f->free_theta ? blni_moments_check(&moments, report) : BLN_OK);
    for (size_t t = 0; t < b->n_theta; t++) {
        bln_basis_param(b, t, f->scan.mean ? &moments : NULL, &p);
        if (d->theta && !d->warm_start) p.start = d->theta[t];
        f->hyper.theta[t] = d->theta ? d->theta[t] : p.start;
        if (!f->free_theta) continue;
        BLNI_TRY(bln_param_check(&p, report));
        f->natural[f->n_free - b->n_theta + t] = f->hyper.theta + t;
        f->param[f->n_free - b->n_theta + t] = p;
    }
    BLNI_TRY(blni_fit_slice_norms(f, f->d_prior, report));
    for (size_t s = 0; s < blni_priors(b, f->desc.per_weight); s++) {
        const double size = f->d_prior[s] > 0.0 ? f->d_prior[s] : 1.0;
        const double start = y_size/(size*(double)blni_priors(b, d->per_weight));
        if (d->per_weight) f->square[s] = size*f->scan.omega;
        f->hyper.prior_var[s] = d->prior_var && (d->prior_var[s] > 0.0 || d->fix_prior_var) ? d->prior_var[s] : start;
        if (!blni_learns_prior(d, s)) continue;
        f->natural[k] = f->hyper.prior_var + s;
        f->param[k++] = blni_log_param(f->hyper.prior_var[s], 1e-12*start, 1e24*start);
    }

    for (k = 0; k < f->n_free; k++) f->x0[k] = bln_param_free(f->param + k, *f->natural[k]);
    memcpy(f->best_x, f->x0, f->n_free*sizeof *f->x0);
    memcpy(f->base, f->x0, f->n_free*sizeof *f->x0);
    for (size_t t = f->n_free - (f->free_theta ? b->n_theta : 0); t < f->n_free; t++)
        f->x0[t] = bln_param_free(f->param + t, f->param[t].start);
    f->relevance = blni_fit_has_relevance(f);
    blni_fit_ties(f);
    return BLN_OK;
}

/* x0 <- the best of ten starts that differ in the scale of all prior variances and of the noise. Features that cancel, such as
 * 1 and x far from 0, need weights far larger than the functions they make, and from too small a start "all is noise" is the
 * nearest optimum. The features stay, so that a candidate costs one factorisation. */
BLNI_PRIV bln_status blni_fit_scan_scales(blni_slm_fit *f, bln_report *report)
{
    static const double prior[5] = { 1.0, 1e2, 1e4, 1e8, 1e12 }, noise[2] = { 1.0, 1e-2 };
    double best = HUGE_VAL, value;
    for (int c = 0; c < 10; c++) {
        size_t k = 0;
        memcpy(f->trial, f->x0, f->n_free*sizeof *f->trial);
        if (f->free_noise) {
            const double of_start = f->relevance ? 1.0 : noise[c % 2];
            f->trial[k++] = bln_param_free(f->param, of_start*f->param->start);
        }
        for (size_t s = 0; s < blni_priors(f->desc.basis, f->desc.per_weight); s++)
            if (blni_learns_prior(&f->desc, s)) {
                const int given = f->desc.prior_var && f->desc.prior_var[s] > 0.0;
                f->trial[k] = bln_param_free(f->param + k, (given ? 1.0 : prior[c/2])*f->param[k].start);
                k++;
            }
        BLNI_TRY(blni_fit_evaluate(f, f->trial, &value, report));
        if (f->relevance) value += blni_fit_relevance(f, f->trial, NULL);
        if (value < best) { best = value; memcpy(f->base, f->trial, f->n_free*sizeof *f->base); }
    }
    if (!(best < HUGE_VAL)) return blni_evidence_overflow(&f->e, f->hyper.theta, report);
    memcpy(f->x0, f->base, f->n_free*sizeof *f->x0);
    memcpy(f->best_x, f->x0, f->n_free*sizeof *f->x0);
    f->evaluated = 0;
    return BLN_OK;
}

/* base <- start f->start: the best of eight random points around the first start, by value [optimisation 31]. Basis parameters move
 * together (one factor for all) and apart, so that both the overall scale and its distribution over inputs are tried.
 * Normals are made by inversion, for intervals need the quantile, and nothing else here the tables of faster draws.
 * BLN_ENUMERIC: none of the eight is usable. */
BLNI_PRIV bln_status blni_fit_random_start(blni_slm_fit *f, bln_report *report)
{
    const size_t n_scale = f->n_free - (f->free_theta ? f->desc.basis->n_theta : 0);
    double best = HUGE_VAL, value;
    bln_rng rng = blni_rng_of(f->desc.seed, f->start);
    for (int candidate = 0; candidate < 8; candidate++) {
        const double together = bln_norm_quantile(bln_rng_uniform(&rng));
        for (size_t k = 0; k < f->n_free; k++) {
            const double own = bln_norm_quantile(bln_rng_uniform(&rng));
            f->trial[k] = f->x0[k] + (k < n_scale ? 1.5*own : together + 0.5*own);
        }
        BLNI_TRY(blni_fit_evaluate(f, f->trial, &value, report));
        value += blni_fit_penalty(f, f->trial, NULL);
        if (value < best) { best = value; memcpy(f->base, f->trial, f->n_free*sizeof *f->base); }
    }
    f->evaluated = 0;
    return best < HUGE_VAL ? BLN_OK : BLN_ENUMERIC;
}

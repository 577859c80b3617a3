/* sequential: the triangle [U z; 0 rho], a row at a time
 *
 * P holds it, (D+1) x (D+1), in units of the noise: a row enters as sqrt(omega)/sigma [phi'S, y]. It starts as the prior: 1 on the
 * diagonal of U except for flat weights, 0 elsewhere. Operations that can fail half way work on a second triangle, which then
 * changes places with the first. */
#include "sequential.h"
#include "../core/bytes_private.h"
#include "../core/status_private.h"
#include "../math/qr_private.h"
#include "../basis/basis_private.h"
#include "../posterior/gaussian_private.h"
#include "../posterior/prior_private.h"
#include "../posterior/posterior_private.h"
#include "../posterior/observe_noise.h"
#include "slm_private.h"

enum { BLNI_SEQUENTIAL_BLOCK = 64, BLNI_SEQUENTIAL_MANY = 8 };      /* rows: of a block; from which on blocks are faster */

struct bln_sequential {
    const bln_basis *basis;
    bln_allocator    alloc;
    void            *memory;
    size_t           bytes, block;
    size_t           D, n_flat;
    uint64_t         fingerprint;    /* of the basis */
    double           noise_var, ld;
    double           missed;         /* sum of omega r/(2 sigma^2), r what features miss of a row */
    int              variational;    /* does the evidence subtract it?                             */
    double          *theta, *prior;  /* prior: prior variances, one for each slice or weight                              */
    double          *s, *penalty;    /* D: prior standard deviations, 1 where the prior is flat; 0 where it is flat, else 1 */
    double          *P, *spare;      /* (D+1) x (D+1): the triangle, and room for another  */
    double          *rows;           /* block x (D+1): features, then [phi'S, y]           */
    double          *rest;           /* block: r of these rows                             */
    double          *x, *p, *m;      /* D + 1, D, D: a row; U^-T S phi; the mean           */
    double          *work, *room;
    const bln_basis *at;             /* the basis bound to theta, in room                  */
    int              determined;     /* all flat weights: there is a posterior             */
    blni_gaussian    gaussian;
    double          *lambda;         /* slices: prior variance of what features miss  */
    bln_posterior    posterior;      /* what others see, with its parts                    */
    bln_group        group;
    bln_gaussians    gaussians;
};

BLN_API bln_sequential_desc bln_sequential_defaults(const bln_sequential_desc *desc)
{
    bln_sequential_desc d = BLN_ZERO;
    if (desc) d = *desc;
    if (!d.block) d.block = BLNI_SEQUENTIAL_BLOCK;
    return d;
}

BLN_API const char *bln_sequential_check(const bln_sequential_desc *desc)
{
    const char *why;
    if (!desc) return "sequential: desc is NULL";
    if (!desc->basis) return "sequential: basis is NULL";
    why = bln_basis_check(desc->basis);
    if (why) return why;
    if (!(desc->noise_var > 0.0) || !blni_finite(desc->noise_var)) return "sequential: noise_var must be finite and > 0";
    if (!desc->prior_var) return "sequential: prior_var is NULL";
    for (size_t s = 0; s < blni_priors(desc->basis, desc->per_weight); s++)
        if (!(desc->prior_var[s] >= 0.0)) return "sequential: prior variances must be >= 0";
    if (desc->residual != BLN_SLM_VARIATIONAL && desc->residual != BLN_SLM_IGNORED) return "sequential: unknown residual";
    if (blni_flat_misses(desc->basis, desc->prior_var, desc->per_weight)) return "sequential: " BLNI_FLAT_MISSES;
    if (desc->theta && !blni_theta_usable(desc->basis, desc->theta)) return "sequential: theta outside its domain, or not finite";
    return blni_allocator_ok(&desc->alloc) ? NULL : "sequential: allocator needs both alloc and release, or neither";
}

/* Carves the struct first, then its arrays. The sizing pass has no block, so the caller supplies *t. */
BLNI_PRIV bln_sequential *blni_sequential_carve(blni_arena *a, const bln_basis *b, size_t block, bln_sequential *t)
{
    const size_t D = b->D, D1 = blni_add(D, 1);
    bln_sequential *carved = (bln_sequential *)blni_carve(a, 1, sizeof *t);
    if (carved) t = carved;
    t->theta   = blni_carve_doubles(a, b->n_theta);
    BLNI_CARVE2(a, D, t->s, t->penalty);
    t->lambda  = blni_carve_doubles(a, b->n_slices);
    t->prior   = blni_carve_doubles(a, blni_max(b->n_slices, D));
    BLNI_CARVE2(a, blni_mul(D1, D1), t->P, t->spare);
    t->rows    = blni_carve_doubles(a, blni_mul(block, D1));
    t->rest    = blni_carve_doubles(a, block);
    t->x       = blni_carve_doubles(a, D1);
    BLNI_CARVE2(a, D, t->p, t->m);
    t->work    = blni_carve_doubles(a, blni_max(blni_max(bln_basis_work(b, block), blni_mul(2, D)),
                                                blni_max(blni_tpqrt_work(D1, block), blni_ttqrt_work(D1))));
    t->room    = blni_carve_doubles(a, bln_basis_room(b));
    return carved;
}

BLN_API size_t bln_sequential_size(const bln_sequential_desc *desc, size_t n)
{
    bln_sequential sizes;
    blni_arena a = blni_arena_over(NULL, 0);
    if (!desc || !desc->basis) return (size_t)-1;
    blni_sequential_carve(&a, desc->basis, bln_sequential_defaults(desc).block, &sizes);
    return a.used;
}

/* Are all flat weights determined by [U ...] = P? What is left of a feature after those before it, against all of it. */
BLNI_ONCE BLNI_PRIV int blni_sequential_determined(const bln_sequential *t, const double *P)
{
    const size_t D1 = t->D + 1;
    for (size_t j = 0; j < t->D && t->n_flat; j++)
        if (t->penalty[j] == 0.0 && !(P[j*D1 + j] > 1e-13*blni_qr_norm(j + 1, P + j, D1))) return 0;
    return 1;
}

/* Is there a posterior now? */
BLNI_PRIV int blni_sequential_judge(bln_sequential *t)
{
    t->determined = blni_sequential_determined(t, t->P);
    t->posterior.status = t->determined ? BLN_OK : BLN_EUNDEFINED;
    return t->determined;
}

/* After a change of P: mean and view. */
BLNI_PRIV void blni_sequential_settle(bln_sequential *t)
{
    const size_t D = t->D, D1 = D + 1;
    t->gaussian.R = t->gaussians.R = t->P;
    if (!blni_sequential_judge(t)) return;
    for (size_t i = 0; i < D; i++) t->m[i] = t->P[i*D1 + D];
    bln_trsv(BLN_NOTRANS, D, t->P, D1, t->m);
    for (size_t i = 0; i < D; i++) t->m[i] *= t->s[i];
}

/* The spare triangle takes the place of P. */
BLNI_PRIV void blni_sequential_swap(bln_sequential *t)
{
    double *const spare = t->P;
    t->P = t->spare;
    t->spare = spare;
}

BLN_API void bln_sequential_clear(bln_sequential *t)
{
    if (!t) return;
    const size_t D1 = t->D + 1;
    for (size_t i = 0; i < D1*D1; i++) t->P[i] = 0.0;
    for (size_t i = 0; i < t->D; i++) t->P[i*D1 + i] = t->penalty[i];
    t->posterior.rows = t->ld = t->missed = 0.0;
    blni_sequential_settle(t);
}

BLNI_PRIV void blni_sequential_view(bln_sequential *t)
{
    bln_posterior *q = &t->posterior;
    memset(q, 0, sizeof *q);
    memset(&t->group, 0, sizeof t->group);
    memset(&t->gaussians, 0, sizeof t->gaussians);
    t->gaussian.form = t->gaussians.form = BLN_GAUSSIAN_FACTOR;
    t->gaussian.D = t->gaussian.k = t->gaussians.n = t->gaussians.k = t->D;
    t->gaussian.m = t->gaussians.m = t->m;
    t->gaussian.s = t->gaussians.s = t->s;
    t->gaussian.ldr = t->gaussians.ldr = t->D + 1;
    q->bases = &t->basis;
    q->observe = bln_observe_noise(1);
    q->n_groups = 1;
    q->groups = &t->group;
    q->sites = BLN_SITES_MODE;
    q->block = t->block;
    q->alloc = t->alloc;
    t->group.ops = bln_kind_gaussian();
    t->group.view = &t->gaussians;
    t->group.theta = t->theta;
    t->group.eta = &t->noise_var;
    t->group.residual = blni_residual_of(t->basis, t->s, 1, NULL, t->lambda) ? t->lambda : NULL;
}

BLNI_ONCE BLN_API bln_status bln_sequential_create(const bln_sequential_desc *desc, bln_sequential **out, bln_report *report)
{
    const char *why = out ? bln_sequential_check(desc) : "sequential: out is NULL";
    BLNI_TRY(blni_begin(report, !why, why));
    const bln_basis *b = desc->basis;
    const size_t block = bln_sequential_defaults(desc).block;
    blni_arena a;
    BLNI_TRY(blni_arena_take(&desc->alloc, bln_sequential_size(desc, 0), "sequential", &a, report));
    bln_sequential *t = blni_sequential_carve(&a, b, block, NULL);
    t->basis = b;
    t->alloc = desc->alloc;
    t->memory = a.base;
    t->bytes = a.size;
    t->block = block;
    t->D = b->D;
    t->fingerprint = blni_basis_fingerprint(b);
    t->noise_var = desc->noise_var;
    t->variational = desc->residual == BLN_SLM_VARIATIONAL && !desc->per_weight;
    blni_theta_of(b, desc->theta, t->theta);
    t->at = bln_basis_bind(b, t->theta, t->room);
    memcpy(t->prior, desc->prior_var, blni_priors(b, desc->per_weight)*sizeof *t->prior);
    t->n_flat = blni_prior_scales(b, desc->per_weight, t->prior, t->s, t->penalty);
    blni_sequential_view(t);
    bln_sequential_clear(t);
    *out = t;
    return BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_sequential_create_from(const bln_slm *slm, bln_sequential **out, bln_report *report)
{
    bln_sequential_desc desc = BLN_ZERO;
    BLNI_TRY(blni_begin(report, slm && out, "sequential: NULL argument"));
    if (!blni_slm_fitted(slm)) return blni_refuse(report, BLN_ESTATE, "sequential: from a model that is not fitted");
    if (bln_slm_outputs(slm) != 1)
        return blni_refuse(report, BLN_EINVAL, "sequential: from a model of several outputs; it has one");
    const double noise_var = bln_slm_noise_var(slm);
    if (!(noise_var > 0.0)) return blni_refuse(report, BLN_EUNDEFINED, "sequential: from a model without noise, a perfect fit");
    const bln_basis *b = bln_slm_basis(slm);
    const size_t n = blni_priors(b, slm->desc.per_weight);
    double *prior_var = (double *)blni_alloc(&slm->alloc, n*sizeof *prior_var);
    if (!prior_var) return blni_refuse(report, BLN_ENOMEM, "sequential: out of memory");
    for (size_t s = 0; s < n; s++) prior_var[s] = bln_slm_prior_var(slm)[s]*(slm->desc.relative_prior ? noise_var : 1.0);
    desc.basis = b;
    desc.noise_var = noise_var;
    desc.prior_var = prior_var;
    desc.per_weight = slm->desc.per_weight;
    desc.residual = slm->desc.residual;
    desc.theta = b->n_theta ? bln_slm_theta(slm) : NULL;
    desc.block = slm->desc.block;
    desc.alloc = slm->alloc;
    const bln_status status = bln_sequential_create(&desc, out, report);
    blni_release(&slm->alloc, prior_var, n*sizeof *prior_var);
    return status;
}

BLN_API void bln_sequential_free(bln_sequential *t) { if (t) blni_release(&t->alloc, t->memory, t->bytes); }

BLN_API const bln_posterior *bln_sequential_posterior(const bln_sequential *t) { return t ? &t->posterior : NULL; }
BLN_API double               bln_sequential_rows(const bln_sequential *t)      { return t ? t->posterior.rows : BLNI_NAN; }
BLN_API const bln_basis     *bln_sequential_basis(const bln_sequential *t)     { return t ? t->basis : NULL; }
BLN_API const double        *bln_sequential_theta(const bln_sequential *t)     { return t ? t->theta : NULL; }
BLN_API const double        *bln_sequential_prior_var(const bln_sequential *t) { return t ? t->prior : NULL; }
BLN_API double               bln_sequential_noise_var(const bln_sequential *t) { return t ? t->noise_var : BLNI_NAN; }

BLN_API double bln_sequential_evidence(const bln_sequential *t)
{
    if (!t || !t->determined) return BLNI_NAN;
    const size_t D = t->D, D1 = D + 1;
    const double rho = t->P[D*D1 + D];
    const double N = t->posterior.rows;
    return -0.5*((N - (double)t->n_flat)*BLNI_LOG_2PI + N*log(t->noise_var) - t->ld + bln_logdet_factor(D, t->P, D1)
                 + rho*rho) - (t->variational ? t->missed : 0.0);
}

/* ---- rows */

/* sqrt(omega)/sigma: what a row is multiplied by. */
BLNI_PRIV double blni_sequential_scale(const bln_sequential *t, const bln_data *rows, size_t i)
{
    return sqrt(blni_row_omega(rows, i))/sqrt(t->noise_var);
}

/* t->rows <- [phi'S, y] of the rows, t->rest <- what their features miss. BLN_ENUMERIC when squares, of them or of the scaled
 * row, could overflow in a sum of 1e18; `first`: the number of rows[0] in the report. */
BLNI_PRIV bln_status blni_sequential_features(bln_sequential *t, const bln_data *rows, size_t first, bln_report *report)
{
    const size_t D = t->D, D1 = D + 1;
    bln_basis_features(t->at, t->theta, rows->n, rows->X, blni_ldx(rows), t->rows, D1, t->work);
    for (size_t i = 0; i < rows->n; i++) t->rest[i] = 0.0;
    for (size_t s = 0; s < t->basis->n_slices; s++)
        for (size_t i = 0; i < rows->n && t->lambda[s] > 0.0; i++) {
            double missed;
            blni_missed(t->basis, s, 1, t->rows + i*D1, D1, &missed);
            t->rest[i] += t->lambda[s]*missed;
        }
    for (size_t i = 0; i < rows->n; i++) {
        double *row = t->rows + i*D1, most = 0.0;
        const double scale = blni_sequential_scale(t, rows, i);
        for (size_t j = 0; j < D; j++) row[j] *= t->s[j];
        row[D] = blni_row_target(rows, i, 0);
        for (size_t j = 0; j <= D; j++) if (!(fabs(row[j]) <= most)) most = fabs(row[j]);
        if (!(most*(scale > 1.0 ? scale : 1.0) < 1e145))
            return blni_fail(report, BLN_ENUMERIC, first + i, BLN_NONE, "sequential: squares of the features or of y overflow");
    }
    return BLN_OK;
}

/* The checks of _add and _remove. *weight: of all rows. */
BLNI_PRIV bln_status blni_sequential_accepts(const bln_sequential *t, const bln_data *data, double *weight, bln_report *report)
{
    BLNI_TRY(blni_begin(report, t && data, "sequential: NULL argument"));
    if (!blni_basis_fits(t->basis, data->d))
        return blni_refuse_columns(report, "sequential", data->d, t->basis->d);
    if (blni_outputs(data) != 1) return blni_refuse(report, BLN_ESHAPE, "sequential: one output at a time; data have several (p)");
    bln_status status = bln_data_check(data, 1, report);
    if (status == BLN_OK) status = blni_data_check_offsets(data, 1, 0, report);
    if (status == BLN_OK) status = blni_data_check_normal(data, report);
    *weight = 0.0;
    for (size_t i = 0; status == BLN_OK && i < data->n; i++) *weight += data->weight ? data->weight[i] : 1.0;
    return status;
}

/* What row i of a block, whose features were made last, takes from the bound. */
BLNI_PRIV double blni_sequential_missed(const bln_sequential *t, const bln_data *rows, size_t i)
{
    return t->rest[i] > 0.0 ? 0.5*blni_row_omega(rows, i)*(t->rest[i]/t->noise_var) : 0.0;
}

/* N and ld grow by `sign` times row i's share. */
BLNI_PRIV void blni_sequential_count(bln_sequential *t, double sign, const bln_data *rows, size_t i)
{
    const double w = rows->weight ? rows->weight[i] : 1.0;
    t->posterior.rows += sign*w;
    if (rows->noise_var) t->ld -= sign*w*log(rows->noise_var[i]);
}

/* What the rows so far say of the row [phi'S, y], see _add: with p = U^-T S phi, phi'm = p'z and phi'C phi = p'p. One solve. */
BLNI_PRIV void blni_sequential_forecast(bln_sequential *t, const bln_data *rows, size_t i, const double *row, double *mean,
                                        double *var, double *logp)
{
    const size_t D = t->D, D1 = D + 1;
    const double w = rows->weight ? rows->weight[i] : 1.0, v = t->noise_var*(rows->noise_var ? rows->noise_var[i] : 1.0);
    double forecast = 0.0;
    if (!t->determined && !blni_sequential_judge(t)) {
        if (mean) *mean = BLNI_NAN;
        if (var)  *var  = HUGE_VAL;
        if (logp) *logp = BLNI_NAN;
        return;
    }
    memcpy(t->p, row, D*sizeof *t->p);
    bln_trsv(BLN_TRANS, D, t->P, D1, t->p);
    for (size_t j = 0; j < D; j++) forecast += t->p[j]*t->P[j*D1 + D];
    const double latent = bln_dot(D, t->p, t->p) + t->rest[i], grown = 1.0 + w*(latent/v), r = row[D] - forecast;
    if (mean) *mean = forecast + blni_offset(rows, i, 0);
    if (var)  *var  = latent + v;
    if (logp) *logp = w > 0.0 ? -0.5*(w*(BLNI_LOG_2PI + log(v)) + log(grown) + w*(r/v)*(r/grown)) : 0.0;
}

/* [phi'S, y] at t->x, scaled. */
BLNI_PRIV void blni_sequential_take(bln_sequential *t, const bln_data *rows, size_t i)
{
    const size_t D1 = t->D + 1;
    memcpy(t->x, t->rows + i*D1, D1*sizeof *t->x);
    bln_scal(D1, blni_sequential_scale(t, rows, i), t->x);
}

/* The rows whose features are in t->rows, one by one with forecasts, or at once. */
BLNI_PRIV void blni_sequential_rotate(bln_sequential *t, const bln_data *rows, int one_by_one, double *mean, double *var,
                                      double *logp)
{
    const size_t D = t->D, D1 = D + 1;
    double *rho = t->P + D*D1 + D;
    if (!one_by_one && rows->n >= BLNI_SEQUENTIAL_MANY) {
        for (size_t i = 0; i < rows->n; i++) {
            bln_scal(D1, blni_sequential_scale(t, rows, i), t->rows + i*D1);
            blni_sequential_count(t, 1.0, rows, i);
            t->missed += blni_sequential_missed(t, rows, i);
        }
        blni_tpqrt(D1, rows->n, t->P, D1, t->rows, D1, t->work);
        return;
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (one_by_one)
            blni_sequential_forecast(t, rows, i, t->rows + i*D1, mean ? mean + i : NULL, var ? var + i : NULL,
                                     logp ? logp + i : NULL);
        blni_sequential_take(t, rows, i);
        blni_chud(D, 1, t->P, D1, t->x);
        *rho = hypot(*rho, t->x[D]);
        blni_sequential_count(t, 1.0, rows, i);
        t->missed += blni_sequential_missed(t, rows, i);
    }
}

BLN_API bln_status bln_sequential_add(bln_sequential *t, const bln_data *data, double *mean, double *var, double *logp,
                                      bln_report *report)
{
    double weight;
    const int one_by_one = mean || var || logp;
    bln_status status = blni_sequential_accepts(t, data, &weight, report);
    /* First whether everything stays finite; a single block is then at hand already. */
    for (size_t i = 0; status == BLN_OK && i < data->n; i += t->block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(t->block, data->n - i));
        status = blni_sequential_features(t, &rows, i, report);
    }
    if (status != BLN_OK || data->n == 0) return status;
    for (size_t i = 0; i < data->n; i += t->block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(t->block, data->n - i));
        if (data->n > t->block) blni_sequential_features(t, &rows, i, report);
        blni_sequential_rotate(t, &rows, one_by_one, mean ? mean + i : NULL, var ? var + i : NULL, logp ? logp + i : NULL);
    }
    blni_sequential_settle(t);
    return BLN_OK;
}

/* rho <- sqrt(rho^2 - zeta^2), the root of q without a row. Returns 0, and does nothing, if that is below 0 by more than rounding,
 * or rounding is more than _remove allows. */
BLNI_PRIV int blni_sequential_less(double *rho, double zeta)
{
    const double q = *rho * *rho, left = (*rho - fabs(zeta))*(*rho + fabs(zeta)), lost = 16.0*DBL_EPSILON*q;
    if (!(left >= -lost && lost <= 1e-8*(left > 1.0 ? left : 1.0))) return 0;
    *rho = left > 0.0 ? sqrt(left) : 0.0;
    return 1;
}

BLN_API bln_status bln_sequential_remove(bln_sequential *t, const bln_data *data, bln_report *report)
{
    double weight, missed = 0.0;
    BLNI_TRY(blni_sequential_accepts(t, data, &weight, report));
    const size_t D = t->D, D1 = D + 1;
    if (weight > t->posterior.rows*(1.0 + 1e-12))
        return blni_refuse(report, BLN_EDOMAIN, "sequential: more rows to take out than there are");
    if (!t->determined) return blni_refuse(report, BLN_EUNDEFINED, "sequential: weights with flat priors are not determined");
    if (weight > 0.0 && weight >= t->posterior.rows*(1.0 - 1e-12)) {
        bln_sequential_clear(t);
        return BLN_OK;
    }
    memcpy(t->spare, t->P, D1*D1*sizeof *t->spare);
    for (size_t i = 0; i < data->n; i += t->block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(t->block, data->n - i));
        BLNI_TRY(blni_sequential_features(t, &rows, i, report));
        for (size_t r = 0; r < rows.n; r++) {
            missed += blni_sequential_missed(t, &rows, r);
            blni_sequential_take(t, &rows, r);
            if (blni_chdd(D, 1, t->spare, D1, t->x, 1e-8, NULL, t->work) != BLN_OK
                || !blni_sequential_less(t->spare + D*D1 + D, t->x[D]))
                return blni_fail(report, BLN_EUNDEFINED, i + r, BLN_NONE,
                                 "sequential: the row was never added, or without it fewer than 8 digits would be left");
        }
    }
    for (size_t i = 0; i < data->n; i++) blni_sequential_count(t, -1.0, data, i);
    t->missed = t->missed > missed ? t->missed - missed : 0.0;
    blni_sequential_swap(t);
    blni_sequential_settle(t);
    return BLN_OK;
}

/* ---- all rows at once */

BLNI_PRIV int blni_sequential_alike(const bln_sequential *a, const bln_sequential *b)
{
    const size_t n = a->basis->n_theta;
    return a->fingerprint == b->fingerprint && a->D == b->D && n == b->basis->n_theta && a->noise_var == b->noise_var
        && (n == 0 || !memcmp(a->theta, b->theta, n*sizeof *a->theta))
        && !memcmp(a->s, b->s, a->D*sizeof *a->s) && !memcmp(a->penalty, b->penalty, a->D*sizeof *a->penalty);
}

BLNI_ONCE BLN_API bln_status bln_sequential_merge(bln_sequential *t, const bln_sequential *other, bln_report *report)
{
    BLNI_TRY(blni_begin(report, t && other, "sequential: NULL argument"));
    if (!blni_sequential_alike(t, other))
        return blni_refuse(report, BLN_ESHAPE, "sequential: of another basis, theta, noise variance or prior");
    const size_t D = t->D, D1 = D + 1;
    double *rho = t->spare + D*D1 + D;
    const double N = t->posterior.rows + other->posterior.rows, ld = t->ld + other->ld;
    int good = 1;
    if (!(other->posterior.rows > 0.0)) return BLN_OK;
    memcpy(t->spare, t->posterior.rows > 0.0 ? t->P : other->P, D1*D1*sizeof *t->spare);
    if (t->posterior.rows > 0.0) {
        blni_ttqrt(D1, t->spare, D1, other->P, D1, t->work);
        good = blni_sequential_determined(t, t->spare);
        for (size_t i = 0; i < D && good; i++) {
            if (t->penalty[i] == 0.0) continue;
            for (size_t j = 0; j <= D - i; j++) t->x[j] = j == 0 ? 1.0 : 0.0;
            good = blni_chdd(D - i, 1, t->spare + i*D1 + i, D1, t->x, 0.0, NULL, t->work) == BLN_OK;
            *rho = sqrt(fabs((*rho - t->x[D - i])*(*rho + t->x[D - i])));      /* at least half of rho^2 stays in the end */
        }
    }
    if (!good) return blni_refuse(report, BLN_EUNDEFINED, "sequential: weights with flat priors are not determined");
    t->posterior.rows = N;
    t->ld = ld;
    t->missed += other->missed;
    blni_sequential_swap(t);
    blni_sequential_settle(t);
    return BLN_OK;
}

/* kappa (P'P) + (1 - kappa) of the prior. */
BLNI_ONCE BLN_API bln_status bln_sequential_forget(bln_sequential *t, double kappa, bln_report *report)
{
    BLNI_TRY(blni_begin(report, t != NULL, "sequential: NULL argument"));
    if (!(kappa > 0.0 && kappa <= 1.0)) return blni_refuse(report, BLN_EDOMAIN, "sequential: kappa must be in (0, 1]");
    if (kappa == 1.0) return BLN_OK;
    const size_t D = t->D, D1 = D + 1;
    double *rho = t->P + D*D1 + D;
    for (size_t i = 0; i < D1; i++) bln_scal(D1 - i, sqrt(kappa), t->P + i*D1 + i);
    for (size_t i = 0; i < D; i++) {
        if (t->penalty[i] == 0.0) continue;
        for (size_t j = 0; j <= D - i; j++) t->x[j] = j == 0 ? sqrt(1.0 - kappa) : 0.0;
        blni_chud(D - i, 1, t->P + i*D1 + i, D1, t->x);
        *rho = hypot(*rho, t->x[D - i]);
    }
    t->posterior.rows *= kappa;
    t->ld *= kappa;
    t->missed *= kappa;
    blni_sequential_settle(t);
    return BLN_OK;
}

BLN_API bln_status bln_sequential_predict(const bln_sequential *t, const bln_data *data, double *mean, double *var_model,
                                          double *var_noise, double *work, bln_report *report)
{
    return bln_posterior_predict(bln_sequential_posterior(t), data, mean, var_model, var_noise, work, report);
}

/* ---- as bytes:  u64 fingerprint of the basis, u64 D, u64 n_theta, f64 x n_theta, f64 noise variance, f64 x D prior standard
 * deviations (infinite: flat), f64 N, f64 ld, then the upper triangle of P, (D+1) x (D+1), row by row; if features miss
 * variance, f64 missed */

BLNI_ONCE BLN_API bln_status bln_sequential_save(const bln_sequential *t, bln_writer *w)
{
    if (!t || !w) return blni_writer_fail(w, BLN_EINVAL);
    const size_t D1 = t->D + 1;
    bln_put_u64(w, t->fingerprint);
    bln_put_u64(w, t->D);
    bln_put_u64(w, t->basis->n_theta);
    bln_put_doubles(w, t->basis->n_theta, t->theta);
    bln_put_double(w, t->noise_var);
    for (size_t i = 0; i < t->D; i++) bln_put_double(w, t->penalty[i] == 0.0 ? HUGE_VAL : t->s[i]);
    bln_put_double(w, t->posterior.rows);
    bln_put_double(w, t->ld);
    for (size_t i = 0; i < D1; i++) bln_put_doubles(w, D1 - i, t->P + i*D1 + i);
    if (t->group.residual) bln_put_double(w, t->missed);
    return w->status;
}

BLNI_ONCE BLN_API bln_status bln_sequential_load(bln_sequential *t, bln_reader *r)
{
    static const char other[] = "sequential: of another basis, theta, noise variance or prior";
    if (!t || !r) return BLN_EINVAL;
    const size_t D1 = t->D + 1;
    int same = bln_get_u64(r) == t->fingerprint, good = 1;
    same = bln_get_u64(r) == t->D && same;
    same = bln_get_u64(r) == t->basis->n_theta && same;
    if (r->status == BLN_OK && !same) return bln_reader_fail(r, BLN_ESHAPE, other);
    for (size_t k = 0; k < t->basis->n_theta; k++) same = bln_get_double(r) == t->theta[k] && same;
    same = bln_get_double(r) == t->noise_var && same;
    for (size_t i = 0; i < t->D; i++) same = bln_get_double(r) == (t->penalty[i] == 0.0 ? HUGE_VAL : t->s[i]) && same;
    if (r->status == BLN_OK && !same) return bln_reader_fail(r, BLN_ESHAPE, other);
    const double N = bln_get_double(r), ld = bln_get_double(r);
    for (size_t i = 0; i < D1; i++) {
        double *row = t->spare + i*D1;
        for (size_t j = 0; j < i; j++) row[j] = 0.0;
        bln_get_doubles(r, D1 - i, row + i);
        for (size_t j = i; j < D1; j++) good = good && fabs(row[j]) < 1e155;
        good = good && row[i] >= 0.0 && (i == t->D || t->penalty[i] == 0.0 || row[i] > 0.0);
    }
    const double missed = t->group.residual ? bln_get_double(r) : 0.0;
    if (r->status != BLN_OK) return r->status;
    if (!good || !(N >= 0.0) || !blni_finite(N) || !blni_finite(ld) || !(missed >= 0.0) || !blni_finite(missed))
        return bln_reader_fail(r, BLN_EFORMAT, "sequential: a number is outside its range");
    t->posterior.rows = N;
    t->ld = ld;
    t->missed = missed;
    blni_sequential_swap(t);
    blni_sequential_settle(t);
    return BLN_OK;
}

/* slm: the model object: what it holds between calls, and what can be asked of it.
 *
 * The fit is in the parts after this one: slm_primal and slm_dual evaluate the evidence, its gradient and the posterior at given
 * hyper-parameters; slm_fit searches for them; slm_file writes and reads. */
#include "slm.h"
#include "../math/exact.h"

/* The prior variances: one for each slice, or one for each weight. Group s is the weights first(s) .. first(s + 1) - 1. */
BLNI_PRIV size_t blni_priors(const bln_basis *b, int per_weight) { return per_weight ? b->D : b->n_slices; }
BLNI_PRIV size_t blni_prior_first(const bln_basis *b, int per_weight, size_t s) { return per_weight ? s : bln_basis_slice(b, s); }

/* An infinite prior variance is a flat prior. */
BLNI_PRIV int blni_flat(double prior_var) { return prior_var > DBL_MAX; }

#define BLNI_COLLINEAR "slm: a feature with a flat prior depends on those before it; give it a prior variance or drop it, feature"

enum { BLNI_SLM_BLOCK = 256, BLNI_SLM_ITERATIONS = 300, BLNI_SLM_EXACT_FEATURES = 16 };

/* A point in hyper-parameter space. */
typedef struct blni_hyper {
    double  noise_var;
    double *prior_var;         /* blni_priors of them */
    double *theta;             /* n_theta  */
} blni_hyper;

/* The outcome of a fit, in one block of its own. */
typedef struct blni_slm_result {
    void        *block;
    size_t       bytes;
    blni_hyper   hyper;
    bln_gaussian posterior;
    double      *m, *s, *R;    /* the arrays of the posterior, writable while it is made */
    double      *sd;           /* D: sqrt(C_jj), if has_sd: where R would not give all their digits */
    int          has_sd;
    double       evidence, rows;
} blni_slm_result;

struct bln_slm {
    bln_slm_desc         desc;         /* resolved; prior_var and theta point into this block */
    bln_allocator        alloc;
    void                *block;        /* this object's own block, and its size               */
    size_t               bytes;
    bln_basis           *owned;        /* the basis, if the model came from a file            */
    blni_slm_result      result;
    int                  fitted;
    struct blni_slm_fit *fit;          /* between init and finish                             */
};

BLN_API bln_slm_desc bln_slm_defaults(const bln_slm_desc *desc)
{
    bln_slm_desc d;
    memset(&d, 0, sizeof d);
    if (desc) d = *desc;
    if (!d.starts)         d.starts = 1;
    if (!d.max_iterations) d.max_iterations = BLNI_SLM_ITERATIONS;
    if (!(d.tolerance > 0.0)) d.tolerance = 1e-6;
    if (!d.block)          d.block = BLNI_SLM_BLOCK;
    if (!(d.theta_sd > 0.0)) d.theta_sd = 1.0;
    return d;
}

/* Is each parameter in the domain of its kind? The ends that a basis sets for searches do not count here. */
BLNI_PRIV int blni_theta_usable(const bln_basis *b, const double *theta)
{
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param p;
        bln_basis_param(b, k, NULL, &p);
        const int positive = p.kind == BLN_PARAM_POSITIVE || p.kind == BLN_PARAM_LOG;
        if (!blni_finite(theta[k]) || (positive && !(theta[k] > 0.0))) return 0;
        if (p.kind == BLN_PARAM_INTERVAL && !(theta[k] > p.lo && theta[k] < p.hi)) return 0;
    }
    return 1;
}

BLN_API const char *bln_slm_check(const bln_slm_desc *desc)
{
    const char *why;
    if (!desc) return "slm: desc is NULL";
    if (!desc->basis) return "slm: basis is NULL";
    why = bln_basis_check(desc->basis);
    if (why) return why;
    if (desc->form != BLN_SLM_AUTO && desc->form != BLN_SLM_PRIMAL && desc->form != BLN_SLM_DUAL) return "slm: unknown form";
    if (!(desc->noise_var >= 0.0) || !blni_finite(desc->noise_var)) return "slm: noise_var must be finite and >= 0";
    if (desc->fix_noise_var && !(desc->noise_var > 0.0)) return "slm: fix_noise_var needs a noise_var > 0";
    if (desc->fix_prior_var && !desc->prior_var) return "slm: fix_prior_var needs prior_var";
    for (size_t s = 0; desc->prior_var && s < blni_priors(desc->basis, desc->per_weight); s++) {
        if (!(desc->prior_var[s] >= 0.0)) return "slm: prior variances must be >= 0";
        if (blni_flat(desc->prior_var[s]) && desc->form == BLN_SLM_DUAL) return "slm: a flat prior needs the primal form";
    }
    if (desc->arithmetic != BLN_SLM_ARITHMETIC_AUTO && desc->arithmetic != BLN_SLM_DOUBLE && desc->arithmetic != BLN_SLM_EXACT)
        return "slm: unknown arithmetic";
    if (desc->arithmetic == BLN_SLM_EXACT && desc->form == BLN_SLM_DUAL) return "slm: exact arithmetic needs the primal form";
    if (desc->theta && !blni_theta_usable(desc->basis, desc->theta)) return "slm: theta outside its domain, or not finite";
    if (!(desc->theta_sd >= 0.0)) return "slm: theta_sd must be >= 0";
    if (desc->tolerance != desc->tolerance || desc->tolerance < 0.0) return "slm: tolerance must be >= 0";
    if (!blni_allocator_ok(&desc->alloc)) return "slm: allocator needs both alloc and release, or neither";
    if (!desc->fix_theta && desc->basis->n_theta && !desc->basis->ops->pullback)
        return "slm: the basis has no pullback; set fix_theta";
    return NULL;
}

/* The form for n rows; n = BLN_NONE for a source of unknown length. */
BLNI_PRIV bln_slm_form blni_slm_form_for(const bln_slm_desc *desc, size_t n)
{
    for (size_t s = 0; desc->prior_var && s < blni_priors(desc->basis, desc->per_weight); s++)
        if (blni_flat(desc->prior_var[s])) return BLN_SLM_PRIMAL;
    if (desc->form != BLN_SLM_AUTO) return desc->form;
    if (desc->arithmetic == BLN_SLM_EXACT) return BLN_SLM_PRIMAL;
    return n != BLN_NONE && n < desc->basis->D ? BLN_SLM_DUAL : BLN_SLM_PRIMAL;
}

/* Three doubles: asked for, or cheap: few features that do not change during the fit. */
BLNI_PRIV int blni_slm_exact(const bln_slm_desc *desc, bln_slm_form form)
{
    const int learns_theta = !desc->fix_theta && desc->basis->n_theta > 0;
    if (form != BLN_SLM_PRIMAL || learns_theta || !bln_exact_available() || desc->arithmetic == BLN_SLM_DOUBLE) return 0;
    return desc->arithmetic == BLN_SLM_EXACT || desc->basis->D <= BLNI_SLM_EXACT_FEATURES;
}

/* Rows of the posterior's matrix R: n x D in low-rank form, which only the dual form with n < D makes; else D x D. */
BLNI_PRIV size_t blni_slm_posterior_rows(const bln_slm_desc *desc, size_t n)
{
    return blni_slm_form_for(desc, n) == BLN_SLM_DUAL && n < desc->basis->D ? n : desc->basis->D;
}

BLNI_PRIV void blni_result_carve(blni_arena *a, const bln_basis *b, size_t priors, size_t k, blni_slm_result *r)
{
    r->hyper.prior_var = blni_carve_doubles(a, priors);
    r->hyper.theta     = blni_carve_doubles(a, b->n_theta);
    r->m               = blni_carve_doubles(a, b->D);
    r->s               = blni_carve_doubles(a, b->D);
    r->sd              = blni_carve_doubles(a, b->D);
    r->R               = blni_carve_doubles(a, blni_mul(k, b->D));
}

BLNI_PRIV size_t blni_result_size(const bln_basis *b, size_t priors, size_t k)
{
    blni_slm_result r;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_result_carve(&a, b, priors, k, &r);
    return a.used;
}

/* An empty result with room for a posterior of k rows. */
BLNI_PRIV bln_status blni_result_create(const bln_allocator *alloc, const bln_basis *b, size_t priors, size_t k,
                                        blni_slm_result *r, bln_report *report)
{
    blni_arena a;
    memset(r, 0, sizeof *r);
    r->bytes = blni_result_size(b, priors, k);
    if (r->bytes == (size_t)-1)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: posterior too large for this machine");
    r->block = blni_alloc(alloc, r->bytes);
    if (!r->block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the posterior");
    a = blni_arena_over(r->block, r->bytes);
    blni_result_carve(&a, b, priors, k, r);
    r->posterior.form = k < b->D ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR;
    r->posterior.D = b->D;
    r->posterior.k = k;
    r->posterior.m = r->m;
    r->posterior.s = r->s;
    r->posterior.R = r->R;
    r->posterior.ldr = b->D;
    return BLN_OK;
}

BLNI_PRIV void blni_result_free(const bln_allocator *alloc, blni_slm_result *r)
{
    blni_release(alloc, r->block, r->bytes);
    memset(r, 0, sizeof *r);
}

/* The object and the caller's starts, copied so that the desc need not outlive _create. */
BLNI_PRIV bln_slm *blni_slm_carve(blni_arena *a, const bln_slm_desc *desc, double **prior_var, double **theta)
{
    bln_slm *slm = (bln_slm *)blni_carve(a, 1, sizeof(bln_slm));
    *prior_var = blni_carve_doubles(a, desc->prior_var ? blni_priors(desc->basis, desc->per_weight) : 0);
    *theta     = blni_carve_doubles(a, desc->theta ? desc->basis->n_theta : 0);
    return slm;
}

BLNI_PRIV size_t blni_slm_object_size(const bln_slm_desc *desc)
{
    double *prior_var, *theta;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_slm_carve(&a, desc, &prior_var, &theta);
    return a.used;
}

BLN_API size_t bln_slm_size(const bln_slm_desc *desc, size_t n)
{
    if (!desc || !desc->basis) return (size_t)-1;
    return blni_add(blni_slm_object_size(desc), blni_result_size(desc->basis, blni_priors(desc->basis, desc->per_weight),
                                                                  blni_slm_posterior_rows(desc, n)));
}

BLN_API bln_status bln_slm_create(const bln_slm_desc *desc, bln_slm **out, bln_report *report)
{
    const char *why = out ? bln_slm_check(desc) : "slm: out is NULL";
    bln_report_clear(report);
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);

    const size_t bytes = blni_slm_object_size(desc);
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    void *block = blni_alloc(&desc->alloc, bytes);
    if (!block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory");

    double *prior_var, *theta;
    blni_arena a = blni_arena_over(block, bytes);
    bln_slm *slm = blni_slm_carve(&a, desc, &prior_var, &theta);
    memset(slm, 0, sizeof *slm);
    slm->desc = bln_slm_defaults(desc);
    slm->alloc = desc->alloc;
    slm->bytes = bytes;
    if (desc->prior_var) {
        memcpy(prior_var, desc->prior_var, blni_priors(desc->basis, desc->per_weight)*sizeof *prior_var);
        slm->desc.prior_var = prior_var;
    }
    if (desc->theta) {
        memcpy(theta, desc->theta, desc->basis->n_theta*sizeof *theta);
        slm->desc.theta = theta;
    }
    slm->block = block;
    *out = slm;
    return BLN_OK;
}

BLN_API void bln_slm_free(bln_slm *slm)
{
    if (!slm) return;
    const bln_allocator alloc = slm->alloc;
    bln_slm_abandon(slm);
    blni_result_free(&alloc, &slm->result);
    bln_basis_free(slm->owned);
    blni_release(&alloc, slm->block, slm->bytes);
}

BLNI_PRIV int blni_slm_fitted(const bln_slm *slm) { return slm && slm->fitted; }

BLN_API const bln_basis    *bln_slm_basis(const bln_slm *slm)     { return slm ? slm->desc.basis : NULL; }
BLN_API const bln_gaussian *bln_slm_posterior(const bln_slm *slm) { return blni_slm_fitted(slm) ? &slm->result.posterior : NULL; }
BLN_API const double       *bln_slm_theta(const bln_slm *slm)     { return blni_slm_fitted(slm) ? slm->result.hyper.theta : NULL; }
BLN_API const double *bln_slm_prior_var(const bln_slm *slm) { return blni_slm_fitted(slm) ? slm->result.hyper.prior_var : NULL; }
BLN_API double bln_slm_noise_var(const bln_slm *slm) { return blni_slm_fitted(slm) ? slm->result.hyper.noise_var : BLNI_NAN; }
BLN_API double bln_slm_evidence(const bln_slm *slm)  { return blni_slm_fitted(slm) ? slm->result.evidence : BLNI_NAN; }
BLN_API double bln_slm_rows(const bln_slm *slm)      { return blni_slm_fitted(slm) ? slm->result.rows : BLNI_NAN; }

/* Does a data set with d columns fit this basis? A basis that reads no inputs (a bias) fits any. */
BLNI_PRIV int blni_slm_fits(const bln_basis *b, size_t d) { return b->d == 0 || b->d == d; }

BLN_API size_t bln_slm_predict_work(const bln_slm *slm)
{
    return blni_slm_fitted(slm) ? bln_predict_work(slm->desc.basis, &slm->result.posterior, slm->desc.block) : 0;
}

BLN_API bln_status bln_slm_predict(const bln_slm *slm, const bln_data *data, double *mean, double *var_latent, double *var_total,
                                   double *work, bln_report *report)
{
    bln_report_clear(report);
    if (!slm || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    if (!slm->fitted) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: predict before fit");
    if (!blni_slm_fits(slm->desc.basis, data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    const bln_status status = blni_data_check_from(data, 0, 0, report);
    if (status != BLN_OK) return status;

    const size_t bytes = blni_mul(bln_slm_predict_work(slm), sizeof(double));
    double *own = NULL;
    if (!work) {
        work = own = (double *)blni_alloc(&slm->alloc, bytes);
        if (!own) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for predictions");
    }
    double *var = var_latent ? var_latent : var_total;
    bln_predict_latent(slm->desc.basis, slm->result.hyper.theta, &slm->result.posterior, data->n, data->X, blni_ldx(data),
                       slm->desc.block, mean, var, work);
    for (size_t i = 0; i < data->n; i++) {
        if (mean && data->offset) mean[i] += data->offset[i];
        if (var_total) var_total[i] = var[i] + slm->result.hyper.noise_var*(data->noise_var ? data->noise_var[i] : 1.0);
    }
    blni_release(&slm->alloc, own, bytes);
    for (size_t i = 0; i < data->n; i++)
        if ((mean && !blni_finite(mean[i])) || (var && !blni_finite(var[i])) || (var_total && !blni_finite(var_total[i])))
            return blni_fail(report, BLN_ENUMERIC, i, BLN_NONE, "slm: the prediction overflows");
    return BLN_OK;
}

BLN_API bln_status bln_slm_coefficient_sd(const bln_slm *slm, double *sd)
{
    if (!slm || !sd) return BLN_EINVAL;
    if (!slm->fitted) return BLN_ESTATE;
    const bln_gaussian *g = &slm->result.posterior;
    if (slm->result.has_sd) {
        memcpy(sd, slm->result.sd, g->D*sizeof *sd);
        return BLN_OK;
    }
    const size_t bytes = g->form == BLN_GAUSSIAN_FACTOR ? g->D*g->D*sizeof(double) : 0;      /* R itself had this size */
    double *work = NULL;
    if (bytes && !(work = (double *)blni_alloc(&slm->alloc, bytes))) return BLN_ENOMEM;
    bln_gaussian_variances(g, sd, work);
    for (size_t j = 0; j < g->D; j++) sd[j] = sqrt(sd[j]);
    blni_release(&slm->alloc, work, bytes);
    return BLN_OK;
}

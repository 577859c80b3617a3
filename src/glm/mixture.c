/* mixture: the method that fits a mixture of diagonal Gaussians; >>glm_npv and >>glm_sgvi use its functions */
#include "mixture.h"
#include "../core/status_private.h"
#include "../math/vecmath_private.h"
#include "mixture_private.h"

BLNI_PRIV void blni_glm_mixture_shape(const bln_glm_desc *d, const void *own, blni_glm_shape *shape)
{
    shape->K = ((const bln_glm_mixture_desc *)own)->components;
}

BLNI_PRIV void blni_glm_mixture_defaults(void *own)
{
    bln_glm_mixture_desc *o = (bln_glm_mixture_desc *)own;
    if (!o->components) o->components = 1;
    if (!o->starts)     o->starts = 1;
    if (!o->draws)      o->draws = 1;
}

BLNI_PRIV const char *blni_glm_mixture_check(const bln_glm_desc *d, const void *own)
{
    const bln_glm_mixture_desc *o = (const bln_glm_mixture_desc *)own;
    if ((unsigned)o->expectation > (unsigned)BLN_GLM_EXPECT_WEIGHTS) return "glm: unknown expectation";
    if (o->expectation && !o->steps.batch) return "glm: draws need steps by batches";
    if (o->entropy != BLN_ENTROPY_PAIRS && o->entropy != BLN_ENTROPY_JENSEN) return "glm: unknown entropy";
    if (o->nodes > 256) return "glm: at most 256 nodes";
    return o->start != BLN_GLM_START_MODE && o->start != BLN_GLM_START_RANDOM ? "glm: unknown start" : NULL;
}

BLNI_PRIV void *blni_glm_mixture_carve(blni_arena *a, blni_glm_fit *f, const void *own)
{
    const bln_glm_mixture_desc *o = (const bln_glm_mixture_desc *)own;
    const size_t D = f->rows.D, KD = blni_mul(o->components, D);
    blni_glm_mixture counted, *s = (blni_glm_mixture *)blni_carve(a, 1, sizeof *s), *to = s ? s : &counted;
    memset(to, 0, sizeof *to);
    to->o = *o;
    to->KD = KD;
    blni_bound_carve(a, &f->rows, o, &to->q);
    BLNI_CARVE2(a, KD, to->m, to->psi);
    BLNI_CARVE2(a, D, to->scale, to->root);
    const blni_lbfgs_desc mode = blni_glm_mixture_mode_search(o, f);
    to->room = blni_carve(a, 1, blni_lbfgs_size(&mode));
    blni_glm_search_carve(a, f, blni_mul(2, KD));
    return s;
}

/* First to the mode, then the search. */
BLNI_PRIV bln_status blni_glm_mixture_step(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_glm_mixture *s = (blni_glm_mixture *)state;
    bln_report inner;
    if (!s->mode) return blni_glm_search_step(f, state, report);
    bln_report_clear(&inner);
    bln_status status = blni_lbfgs_step(s->mode, &inner);
    if (status != BLN_OK) { if (report) *report = inner; return status; }
    f->progress.iteration++;
    f->progress.objective = -blni_lbfgs_value(s->mode);
    f->progress.gradient_norm = inner.gradient_norm;
    if (blni_lbfgs_converged(s->mode, NULL)) status = blni_glm_mixture_mode_close(f, s, report);
    if (status == BLN_OK && f->progress.iteration >= f->desc.max_iterations && !f->search.steps) {
        f->done = 1;
        f->stop = BLN_STOP_LIMIT;
    }
    return status;
}

BLNI_PRIV bln_status blni_glm_mixture_finish(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_glm_mixture *s = (blni_glm_mixture *)state;
    const bln_status status = s->mode ? blni_glm_mixture_mode_close(f, s, report) : BLN_OK;
    return status == BLN_OK ? blni_glm_search_settle(f, state, report) : status;
}

BLNI_PRIV bln_status blni_glm_mixture_component(blni_glm_fit *f, void *state, blni_glm_result *out, bln_report *report)
{
    const blni_glm_mixture *s = (const blni_glm_mixture *)state;
    out->objective = s->q.bound;
    for (size_t i = 0; i < s->q.D; i++) out->m[i] = sqrt(s->q.lambda[i]);          /* for a moment: prior standard deviations */
    out->misses = blni_residual_of(f->desc.basis, out->m, 1, NULL, out->lambda);
    memcpy(out->m, s->m, s->KD*sizeof *out->m);
    memcpy(out->psi, s->psi, s->KD*sizeof *out->psi);
    return BLN_OK;
}

/* The bound where means and variances can be worked with. */
BLNI_PRIV bln_status blni_glm_mixture_value(blni_glm_fit *f, void *state, const double *q, double *value, bln_report *report)
{
    blni_glm_mixture *s = (blni_glm_mixture *)state;
    double low, high;
    for (size_t j = 0; j < s->KD; j += s->q.D) blni_vec_product(s->q.D, 1.0, s->scale, q + j, s->m + j);
    bln_vec_exp(s->KD, q + s->KD, s->psi);
    *value = -HUGE_VAL;
    if (!blni_vec_range(s->KD, s->m, &low, &high)) return BLN_OK;
    if (!blni_vec_range(s->KD, s->psi, &low, &high) || !(low > DBL_MIN && high < 1e300)) return BLN_OK;
    const blni_mixture mixture = blni_bound_mixture(&s->q, s->m, s->psi);
    const bln_status status = blni_bound_value(&s->q, &f->hyper, &mixture, f->slope.theta != NULL, report);
    *value = s->q.bound;
    return status;
}

BLNI_PRIV bln_status blni_glm_mixture_slopes(blni_glm_fit *f, void *state, double *dq, bln_report *report)
{
    const blni_glm_mixture *s = (const blni_glm_mixture *)state;
    for (size_t j = 0; j < s->KD; j += s->q.D) blni_vec_product(s->q.D, 1.0, s->q.dm + j, s->scale, dq + j);
    blni_vec_product(s->KD, 1.0, s->q.dpsi, s->psi, dq + s->KD);
    blni_bound_slopes(&s->q, &f->slope);
    return BLN_OK;
}

/* f->search.gradient of m, log psi: with it a plain step at the rate r ends where a natural one does [variational 29, 30]. */
BLNI_PRIV void blni_glm_mixture_natural(blni_glm_fit *f, const blni_glm_mixture *s, double r)
{
    const double part = s->o.steps.natural*r/f->search.rate, K = (double)s->o.components;
    double *gradient = f->search.gradient;
    for (size_t j = 0; j < s->KD; j++) {
        const size_t i = j % s->q.D;
        const double old = 1.0/s->psi[j], least = 0.1/s->q.lambda[i];
        double precision = old - 2.0*part*K*s->q.dpsi[j];
        precision = precision > 0.5*old ? precision : 0.5*old;
        precision = precision > least ? precision : least;
        gradient[j] = -part*K*s->q.dm[j]/(precision*s->scale[i]*r);
        gradient[s->KD + j] = log(precision*s->psi[j])/r;
    }
}

/* With the draws of this step, if there are to be any. */
BLNI_PRIV bln_status blni_glm_mixture_estimate(blni_glm_fit *f, void *state, uint64_t batch, const double *x, double *value,
                                           bln_report *report)
{
    blni_glm_mixture *s = (blni_glm_mixture *)state;
    blni_bound_draw(&s->q, f->desc.seed, batch);
    const bln_status status = blni_glm_search_objective(f, f->search.n, x, value, f->search.gradient, report);
    blni_bound_exact(&s->q);
    if (status == BLN_OK && s->o.steps.natural > 0.0 && blni_finite(*value))
        blni_glm_mixture_natural(f, s, blni_sgd_rate(f->search.sgd));
    return status;
}

/* ---- the method */

BLNI_TABLE const bln_glm_method_ops blni_glm_mixture_ops = BLNI_GLM_MIXTURE_OPS("mixture", BLNI_CAN_SOURCE | BLNI_CAN_LEARN,
    blni_glm_mixture_defaults, blni_glm_mixture_check, blni_glm_mixture_begin, blni_glm_mixture_finish);

BLN_API bln_glm_method bln_glm_mixture(const bln_glm_mixture_desc *own) { return blni_glm_method(&blni_glm_mixture_ops, own); }

BLNI_TABLE const char *const blni_glm_expectations[] = { "rule", "local", "weights", NULL };

BLNI_TABLE const bln_option blni_glm_mixture_options[] = {
    BLNI_GLM_COMPONENTS,
    BLNI_GLM_STARTS,
    BLNI_GLM_STEPS(bln_glm_mixture_desc, "batch"),
    BLNI_GLM_NATURAL(bln_glm_mixture_desc, "batch"),
    { "expectation", BLN_OPTION_WORD, offsetof(bln_glm_mixture_desc, expectation), "batch", blni_glm_expectations,
      "what steps take: rule (quadrature, default), or draws of f (local), or\nof the weights (weights)" }
};

BLNI_TABLE const bln_glm_card blni_glm_mixture_card = {
    &blni_glm_mixture_ops, "mixture", "variational", "lower bound",
    "by a lower bound of the evidence, Gaussians without correlations, for many\n"
    "features: nothing is as large as features by features",
    BLN_GLM_IS_MIXTURE, BLNI_GLM_OWN(bln_glm_mixture_desc, blni_glm_mixture_options)
};

BLN_API const bln_glm_card *bln_glm_mixture_card(void) { return &blni_glm_mixture_card; }

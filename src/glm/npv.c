/* npv: the method of >>glm_mixture by rows of second order, which is refused where it stands for no bound [spec/glm.md G32, G33] */
#include "npv.h"
#include "../core/status_private.h"
#include "mixture_private.h"

BLNI_PRIV bln_glm_mixture_desc blni_npv_mixture(const void *own)
{
    const bln_glm_npv_desc *o = (const bln_glm_npv_desc *)own;
    bln_glm_mixture_desc m;
    memset(&m, 0, sizeof m);
    m.components = o->components;
    m.entropy = o->entropy;
    m.start = o->start;
    m.starts = o->starts;
    m.steps = o->steps;
    return m;
}

BLNI_PRIV size_t blni_npv_components(const void *own) { return ((const bln_glm_npv_desc *)own)->components; }

BLNI_PRIV void blni_npv_defaults(void *own)
{
    bln_glm_npv_desc *o = (bln_glm_npv_desc *)own;
    if (!o->components) o->components = 1;
    if (!o->starts)     o->starts = 1;
}

BLNI_PRIV const char *blni_npv_check(const bln_glm_desc *d, const void *own)
{
    const bln_glm_mixture_desc m = blni_npv_mixture(own);
    (void)d;
    return blni_glm_mixture_check(&m);
}

BLNI_PRIV void *blni_npv_carve(blni_arena *a, blni_glm_fit *f, const void *own)
{
    const bln_glm_mixture_desc m = blni_npv_mixture(own);
    return blni_glm_mixture_carve(a, f, &m, 1);
}

/* Has the sum of the d2_n phi_ni^2 of a weight become positive, so that its variance, and that of its prior, grow without end? */
BLNI_PRIV int blni_npv_runs_away(const blni_glm_mixture *s)
{
    for (size_t i = 0; i < s->KD; i++) {
        const double start = s->scale[i % s->q.D];
        if (!(s->psi[i] < 1e12*start*start)) return 1;
    }
    return 0;
}

/* Is the objective at the last point at most a tenth of a nat a row above the bound that it stands for? A convention: fits whose
 * rows are near their parabolas were seen below 0.05, runaway ones from 0.25 on. */
BLNI_PRIV bln_status blni_npv_finish(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_glm_mixture *s = (blni_glm_mixture *)state;
    bln_status status = blni_glm_mixture_finish(f, state, report);
    if ((status == BLN_OK || status == BLN_ENUMERIC) && blni_npv_runs_away(s))
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                         "glm: NPV's objective has no top here: variances grow without end; use a variational bound");
    if (status != BLN_OK) return status;
    const bln_mixture q = blni_bound_mixture(&s->q, s->m, s->psi);
    const double objective = s->q.bound;
    s->q.expected.taylor = 0;
    status = blni_bound_value(&s->q, &f->hyper, &q, 0, report);
    const double bound = s->q.bound;
    s->q.expected.taylor = 1;
    s->q.bound = objective;
    if (status != BLN_OK || objective - bound <= 0.1*f->scan.N) return status;
    return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                     "glm: variances are too wide for NPV, its objective is far above the bound; use a variational bound");
}

BLNI_TABLE const bln_glm_method_ops blni_npv_ops = {
    "npv", sizeof(bln_glm_npv_desc), offsetof(bln_glm_npv_desc, steps), BLNI_CAN_SOURCE | BLNI_CAN_LEARN, BLNI_CAN_LEARN,
    BLNI_GLM_DIAGONAL, BLN_SITES_NONE, 2000, 1e-8, blni_npv_components, blni_npv_defaults, blni_npv_check, blni_npv_carve,
    blni_glm_mixture_begin, blni_glm_mixture_step, blni_npv_finish, blni_glm_mixture_component, blni_glm_mixture_value,
    blni_glm_mixture_slopes, blni_glm_mixture_estimate
};

BLN_API bln_glm_method bln_glm_npv(const bln_glm_npv_desc *own) { return blni_glm_method(&blni_npv_ops, own); }

BLNI_TABLE const bln_option blni_npv_options[] = {
    BLNI_GLM_COMPONENTS(bln_glm_npv_desc),
    BLNI_GLM_STARTS(bln_glm_npv_desc),
    BLNI_GLM_STEPS(bln_glm_npv_desc, "batch"),
    BLNI_GLM_NATURAL(bln_glm_npv_desc, "batch")
};

BLNI_TABLE const bln_glm_card blni_npv_card = {
    &blni_npv_ops, "npv", "nonparametric variational", "second order, no bound",
    "for comparison: a mixture by second order, no bound, and refused where\n"
    "variances get too wide for that",
    BLN_GLM_IS_MIXTURE, sizeof(bln_glm_npv_desc),
    sizeof blni_npv_options/sizeof *blni_npv_options, blni_npv_options
};

BLN_API const bln_glm_card *bln_glm_npv_card(void) { return &blni_npv_card; }

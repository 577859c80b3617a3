/* npv: >>glm_mixture with log p expanded to second order; refused where that is far above the bound       [variational 32, 33] */
#include "npv.h"
#include "../core/status_private.h"
#include "mixture_private.h"

BLNI_PRIV const char *blni_npv_check(const bln_glm_desc *d, const void *own)
{
    if (((const bln_glm_mixture_desc *)own)->expectation) return "glm: NPV takes no expectations, so no draws for them";
    return blni_glm_mixture_check(d, own);
}

BLNI_PRIV bln_status blni_npv_begin(blni_glm_fit *f, void *state, bln_report *report)
{
    ((blni_glm_mixture *)state)->q.expected.taylor = 1;
    return blni_glm_mixture_begin(f, state, report);
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
        return blni_refuse(report, BLN_EUNDEFINED,
                           "glm: NPV's objective has no top here: variances grow without end; use a variational bound");
    if (status != BLN_OK) return status;
    const blni_mixture q = blni_bound_mixture(&s->q, s->m, s->psi);
    const double objective = s->q.bound;
    s->q.expected.taylor = 0;
    status = blni_bound_value(&s->q, &f->hyper, &q, 0, report);
    const double bound = s->q.bound;
    s->q.expected.taylor = 1;
    s->q.bound = objective;
    if (status != BLN_OK || objective - bound <= 0.1*f->scan.N) return status;
    return blni_refuse(report, BLN_EUNDEFINED,
                       "glm: variances are too wide for NPV, its objective is far above the bound; use a variational bound");
}

BLNI_TABLE const bln_glm_method_ops blni_npv_ops = BLNI_GLM_MIXTURE_OPS("npv", BLNI_CAN_SOURCE | BLNI_CAN_LEARN,
    blni_glm_mixture_defaults, blni_npv_check, blni_npv_begin, blni_npv_finish);

BLN_API bln_glm_method bln_glm_npv(const bln_glm_mixture_desc *own) { return blni_glm_method(&blni_npv_ops, own); }

BLNI_TABLE const bln_option blni_npv_options[] = {
    BLNI_GLM_COMPONENTS,
    BLNI_GLM_STARTS,
    BLNI_GLM_STEPS(bln_glm_mixture_desc, "batch"),
    BLNI_GLM_NATURAL(bln_glm_mixture_desc, "batch")
};

BLNI_TABLE const bln_glm_card blni_npv_card = {
    &blni_npv_ops, "npv", "nonparametric variational", "second order, no bound",
    "for comparison: a mixture by second order, no bound, and refused where\n"
    "variances get too wide for that",
    BLN_GLM_IS_MIXTURE, BLNI_GLM_OWN(bln_glm_mixture_desc, blni_npv_options)
};

BLN_API const bln_glm_card *bln_glm_npv_card(void) { return &blni_npv_card; }

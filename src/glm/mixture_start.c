/* mixture_start: where the search for a mixture begins.
 *
 * First the mode is found with the hyper-parameters at their starts, by L-BFGS on w_i/sqrt(lambda_i), which forms no matrix. There
 * psi_i = 1/(1/lambda_i - sum_n d2_n phi_ni^2) and scale_i = sqrt(psi_i). Further components start at random around the mode:
 * components that start equal would stay equal.                                                            [variational 31] */
#include "../core/status_private.h"
#include "../random/rng_private.h"
#include "mixture_private.h"
#include "mode_private.h"

/* ---- the mode by gradients alone, in x_i = w_i/sqrt(lambda_i), into the first component */

BLNI_PRIV bln_status blni_glm_mixture_mode_pass(blni_glm_fit *f, blni_glm_mixture *s, const double *x, double *J, double *curvature,
                                            bln_report *report)
{
    for (size_t i = 0; i < s->q.D; i++) s->m[i] = s->root[i]*x[i];
    return blni_map_pass(&f->rows, &f->hyper, s->root, s->m, J, f->search.gradient, curvature, report);
}

BLNI_PRIV bln_status blni_glm_mixture_mode_objective(void *user, size_t n, const double *x, double *value, double *gradient,
                                                 bln_report *report)
{
    blni_glm_fit *f = (blni_glm_fit *)user;
    const bln_status status = blni_glm_mixture_mode_pass(f, (blni_glm_mixture *)f->search.state, x, value, NULL, report);
    *value = -*value;
    for (size_t i = 0; i < n && gradient; i++) gradient[i] = -f->search.gradient[i];
    f->progress.evaluations++;
    return status;
}

/* With as few vectors as the search after it. */
BLNI_PRIV blni_lbfgs_desc blni_glm_mixture_mode_search(const bln_glm_mixture_desc *o, blni_glm_fit *f)
{
    blni_lbfgs_desc search = BLN_ZERO;
    search.n = f->rows.D;
    search.max_iterations = o->steps.batch ? BLNI_MIXTURE_MODE_STEPS_BATCH : BLNI_MIXTURE_MODE_STEPS;
    search.memory = search.n > BLNI_GLM_VECTORS ? BLNI_GLM_VECTORS : 0;
    search.progress_tol = 1e-6;
    search.objective = blni_glm_mixture_mode_objective;
    search.user = f;
    return search;
}

/* Of a search's first point, which may have no numbers, the failure is told in words of the model. */
BLNI_PRIV bln_status blni_glm_mixture_first(const blni_glm_fit *f, bln_status status, bln_report *report)
{
    if ((status != BLN_ENUMERIC && status != BLN_EINVAL) || f->rows.source_failed) return status;
    return blni_refuse(report, BLN_ENUMERIC, "glm: log p is not finite at the start; scale the data");
}

BLNI_PRIV bln_status blni_glm_mixture_mode_open(blni_glm_fit *f, blni_glm_mixture *s, bln_report *report)
{
    blni_lbfgs_desc search = blni_glm_mixture_mode_search(&s->o, f);
    search.alloc = blni_lender(s->room);
    for (size_t i = 0; i < search.n; i++) f->search.x[i] = 0.0;
    /* s->room is as large as it asks for, and its options are those above. */
    if (BLNI_NEVER(blni_lbfgs_create(&search, &s->mode, report) != BLN_OK)) return BLN_ENOMEM;
    return blni_glm_mixture_first(f, blni_lbfgs_init(s->mode, f->search.x, report), report);
}

/* ---- the first mixture */

/* Start number `number` into f->search.x, in which all but the components is there, and with START_MODE the first of these too. */
BLNI_PRIV void blni_glm_mixture_candidate(blni_glm_fit *f, const blni_glm_mixture *s, size_t number)
{
    const size_t D = s->q.D, first = s->o.start == BLN_GLM_START_MODE;
    double *x = f->search.x;
    bln_rng rng = blni_rng_of(f->desc.seed, number ? UINT64_MAX - number : 0);
    for (size_t j = first*D; j < s->KD; j++) {
        const double e = bln_rng_normal(&rng);
        x[j] = first ? x[j % D] + 2.0*e : e;
        x[s->KD + j] = 2.0*log(s->scale[j % D]);
        if (!first) x[s->KD + j] += log(0.5*(bln_rng_exponential(&rng) + bln_rng_exponential(&rng)));
    }
}

/* f->search.x0 <- the best start, and the search from there. */
BLNI_PRIV bln_status blni_glm_mixture_search(blni_glm_fit *f, blni_glm_mixture *s, bln_report *report)
{
    const size_t starts = s->o.start == BLN_GLM_START_MODE && s->o.components == 1 ? 1 : s->o.starts;
    blni_glm_search *search = &f->search;
    double best = -HUGE_VAL;
    for (size_t k = 0; k < starts; k++) {
        double value = best;
        memcpy(search->x, search->x0, search->n*sizeof *search->x);
        blni_glm_mixture_candidate(f, s, k);
        if (starts > 1) {
            blni_glm_search_natural(f, search->x);
            BLNI_TRY(f->method->value(f, s, search->x, &value, report));
            f->progress.evaluations++;
        }
        if (k && !(value > best)) continue;
        best = value;
        memcpy(search->x0, search->x, search->n*sizeof *search->x);
    }
    return blni_glm_mixture_first(f, blni_glm_search_init(f, report), report);
}

/* At the mode, or without a search for it in units of sqrt lambda. */
BLNI_PRIV bln_status blni_glm_mixture_begin(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_glm_mixture *s = (blni_glm_mixture *)state;
    BLNI_TRY(blni_glm_search_open(f, state, report));
    blni_glm_roots(&f->rows, &f->hyper, s->root);
    if (s->o.start == BLN_GLM_START_MODE) return blni_glm_mixture_mode_open(f, s, report);
    memcpy(s->scale, s->root, s->q.D*sizeof *s->scale);
    return blni_glm_mixture_search(f, s, report);
}

/* From the mode to the first mixture, and the search from there. */
BLNI_PRIV bln_status blni_glm_mixture_mode_close(blni_glm_fit *f, blni_glm_mixture *s, bln_report *report)
{
    double J, *curvature = s->q.dpsi;
    BLNI_TRY(blni_glm_mixture_mode_pass(f, s, blni_lbfgs_x(s->mode), &J, curvature, report));
    s->mode = NULL;
    for (size_t i = 0; i < s->q.D; i++) {
        s->scale[i] = 1.0/sqrt(1.0/(s->root[i]*s->root[i]) + curvature[i]);
        f->search.x0[i] = s->m[i]/s->scale[i];
        f->search.x0[s->KD + i] = 2.0*log(s->scale[i]);
    }
    return blni_glm_mixture_search(f, s, report);
}

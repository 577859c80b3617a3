/* map: the mode alone, by Newton's method or by batches                                                   [laplace 34, 35]
 *
 * By batches the search is over x_i = w_i/sqrt lambda_i, and no matrix is formed. Hyper-parameters are never learnt. */
#include "map.h"
#include "../core/status_private.h"
#include "../math/vecmath_private.h"
#include "mode_private.h"
#include "search_private.h"

typedef struct blni_map {
    int       newton;
    blni_mode mode;                     /* if so; else                                     */
    double   *w, *root, *slope;         /* D each: slope of log p(y, w) in x               */
} blni_map;

BLNI_PRIV const char *blni_map_check(const bln_glm_desc *d, const void *own)
{
    return ((const bln_glm_map_desc *)own)->steps.natural > 0.0 ? "glm: a point has no natural-gradient steps" : NULL;
}

BLNI_PRIV void *blni_map_carve(blni_arena *a, blni_glm_fit *f, const void *own)
{
    const size_t D = f->rows.n_w;
    blni_map counted, *s = (blni_map *)blni_carve(a, 1, sizeof *s), *to = s ? s : &counted;
    to->newton = !f->search.steps;
    if (to->newton) blni_mode_carve(a, &f->rows, 1, 0, &to->mode);
    else {
        BLNI_CARVE3(a, D, to->w, to->root, to->slope);
        blni_glm_search_carve(a, f, D);
    }
    return s;
}

/* At w = 0 by batches, else where Newton's method begins. */
BLNI_PRIV bln_status blni_map_begin(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_map *s = (blni_map *)state;
    if (s->newton) {
        blni_mode_prior(&s->mode, &f->hyper);
        f->progress.evaluations++;
        return blni_mode_begin(&s->mode, &f->hyper, report);
    }
    blni_glm_roots(&f->rows, &f->hyper, s->root);
    for (size_t i = 0; i < f->search.n_q; i++) f->search.x0[i] = 0.0;
    return blni_glm_search_begin(f, state, report);
}

/* A step of Newton's method. */
BLNI_PRIV bln_status blni_map_newton(blni_glm_fit *f, blni_mode *e, bln_report *report)
{
    const double J = e->J;
    const bln_status status = blni_mode_step(e, &f->hyper, &f->done, report);
    if (status != BLN_OK) { e->J = J; return status; }
    f->progress.iteration++;
    f->progress.evaluations++;
    f->progress.objective = e->J;
    f->progress.gradient_norm = blni_mode_slope(e);
    if (f->done) f->stop = BLN_STOP_GRADIENT;
    else if (f->progress.iteration >= f->desc.max_iterations) { f->done = 1; f->stop = BLN_STOP_LIMIT; }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_map_step(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_map *s = (blni_map *)state;
    return s->newton ? blni_map_newton(f, &s->mode, report) : blni_glm_search_step(f, state, report);
}

BLNI_PRIV bln_status blni_map_finish(blni_glm_fit *f, void *state, bln_report *report)
{
    const blni_map *s = (const blni_map *)state;
    return s->newton ? BLN_OK : blni_glm_search_settle(f, state, report);
}

BLNI_ONCE BLNI_PRIV bln_status blni_map_component(blni_glm_fit *f, void *state, blni_glm_result *out, bln_report *report)
{
    const blni_map *s = (const blni_map *)state;
    out->objective = (s->newton ? s->mode.J : -f->search.value) + blni_map_constant(&f->rows, &f->hyper);
    memcpy(out->m, s->newton ? s->mode.w : s->w, f->rows.n_w*sizeof *out->m);
    return BLN_OK;
}

/* log p(y, w) without constants of w, where w can be worked with. */
BLNI_PRIV bln_status blni_map_value(blni_glm_fit *f, void *state, const double *q, double *value, bln_report *report)
{
    blni_map *s = (blni_map *)state;
    double low, high;
    blni_vec_product(f->rows.n_w, 1.0, s->root, q, s->w);
    *value = -HUGE_VAL;
    if (!blni_vec_range(f->rows.n_w, s->w, &low, &high)) return BLN_OK;
    return blni_map_pass(&f->rows, &f->hyper, s->root, s->w, value, s->slope, NULL, report);
}

BLNI_PRIV bln_status blni_map_slopes(blni_glm_fit *f, void *state, double *dq, bln_report *report)
{
    memcpy(dq, ((const blni_map *)state)->slope, f->rows.n_w*sizeof *dq);
    return BLN_OK;
}

BLNI_TABLE const bln_glm_method_ops blni_map_ops = {
    "map", sizeof(bln_glm_map_desc), offsetof(bln_glm_map_desc, steps), BLNI_CAN_FLAT | BLNI_CAN_SOURCE | BLNI_CAN_LATENTS
    | BLNI_CAN_SHARE, BLNI_CAN_LATENTS, BLNI_GLM_POINT, BLNI_GLM_POINT, BLN_SITES_NONE, 200, 1e-6, NULL, NULL, blni_map_check,
    blni_map_carve, blni_map_begin, blni_map_step, blni_map_finish, blni_map_component, blni_map_value, blni_map_slopes, NULL, NULL,
    NULL
};

BLN_API bln_glm_method bln_glm_map(const bln_glm_map_desc *own) { return blni_glm_method(&blni_map_ops, own); }

BLNI_TABLE const bln_option blni_map_options[] = {
    BLNI_GLM_STEPS(bln_glm_map_desc, "batch")
};

BLNI_TABLE const bln_glm_card blni_map_card = {
    &blni_map_ops, "map", "MAP: a point, without doubt", "targets and weights, at the mode",
    "for comparison: the most probable weights alone; nothing is learnt but them,\n"
    "and predictions are as if they were known (sd_latent 0)",
    BLN_GLM_TAKES_FLAT | BLN_GLM_NEEDS_CURVATURE | BLN_GLM_IS_POINT, BLNI_GLM_OWN(bln_glm_map_desc, blni_map_options)
};

BLN_API const bln_glm_card *bln_glm_map_card(void) { return &blni_map_card; }

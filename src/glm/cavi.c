/* cavi: coordinate ascent by data augmentation as a method of >>glm                        [augmentation 3-5, 7, 8, 26, 33]
 *
 * With the site exp(h_n f - theta_n f^2/2) of the best q(Omega) at the moments of f, the best Gaussian has
 *
 *     C^-1 = Lambda^-1 + Phi' Theta Phi,   m = C Phi'(h - Theta o),   o: offsets.
 *
 * Since h_n - theta_n mu_n and -theta_n/2 are the slopes of ell in mu_n and v_n [augmentation 27], this is the natural-gradient
 * step of size 1 of >>glm_full with ell in place of E log p. So a sweep is a step of that method whose expectations are ell. The
 * second stage, with the tight bound, is that method with its own expectations. With n <= D both work in the rows' space
 * (rows_reduce). With several latents all move in one step. */
#include "cavi.h"
#include "full_private.h"
#include "search_private.h"
#include "../core/status_private.h"
#include "../likelihood/augment_private.h"

#define BLNI_CAVI_START  0.1                     /* Delta at which sweeps are a start for the tight bound  */
#define BLNI_CAVI_LEAST  1e-20                   /* Delta at the end, of a bound in closed form            */
#define BLNI_CAVI_FORGETTING 0.7                 /* step t by batches has the size (t + 1)^-0.7             */
#define BLNI_CAVI_UNSEEN 1e-11                   /* of such a bound: what its sums cannot show             */

typedef struct blni_cavi {
    blni_full         q;
    bln_glm_cavi_desc own;
    const blni_augmentation *augmentation;
    int               sweeping;
} blni_cavi;

/* ---- options */

BLNI_PRIV const char *blni_cavi_check(const bln_glm_desc *d, const void *own)
{
    const bln_glm_cavi_desc *o = (const bln_glm_cavi_desc *)own;
    const char *why = NULL;
    if (!blni_augmentation_of(&d->likelihood, &why)) return why;
    if ((unsigned)o->bound > (unsigned)BLN_CAVI_COLLAPSED)  return "glm: unknown bound of cavi";
    return (unsigned)o->sweeps > (unsigned)BLN_CAVI_PLAIN ? "glm: unknown sweeps of cavi" : NULL;
}

/* The sites of the collapsed bound are not slopes of log p. */
BLNI_PRIV void blni_cavi_shape(const bln_glm_desc *d, const void *own, blni_glm_shape *shape)
{
    if (((const bln_glm_cavi_desc *)own)->bound == BLN_CAVI_COLLAPSED) shape->sites = BLN_SITES_NONE;
}

/* ---- which bound */

/* Steps are sweeps from here on. */
BLNI_PRIV void blni_cavi_sweep(blni_cavi *s)
{
    s->q.expected.collapsed = s->augmentation;
    s->q.plain = s->own.sweeps == BLN_CAVI_PLAIN;
    s->q.unseen = BLNI_CAVI_UNSEEN;
    s->q.least = s->own.bound == BLN_CAVI_TIGHT ? BLNI_CAVI_START : BLNI_CAVI_LEAST;
}

BLNI_PRIV void blni_cavi_tighten(blni_cavi *s)
{
    s->q.expected.collapsed = NULL;
    s->q.plain = 0;
    s->q.unseen = BLNI_FULL_UNSEEN;
    s->q.least = BLNI_FULL_LEAST;
}

BLNI_PRIV void *blni_cavi_carve(blni_arena *a, blni_glm_fit *f, const void *own)
{
    blni_cavi counted, *carved = (blni_cavi *)blni_carve(a, 1, sizeof *carved), *s = carved ? carved : &counted;
    memset(s, 0, sizeof *s);
    memcpy(&s->own, own, sizeof s->own);
    s->augmentation = blni_augmentation_of(&f->desc.likelihood, NULL);
    blni_full_carve_over(a, &f->rows, 0, BLNI_FULL_MOST, &s->q);
    if (s->own.bound == BLN_CAVI_COLLAPSED) blni_cavi_sweep(s);
    blni_glm_search_carve(a, f, 0);
    return carved;
}

/* ---- the fit */

/* The bound at f->hyper; where q has no point yet, from the end of sweeps, if they have one. */
BLNI_PRIV bln_status blni_cavi_bound(blni_glm_fit *f, void *state, const double *x, double *value, bln_report *report)
{
    blni_cavi *s = (blni_cavi *)state;
    if (s->own.bound == BLN_CAVI_TIGHT && !s->q.e.started && !f->search.steps) {
        const double least = s->q.least;
        blni_cavi_sweep(s);
        const bln_status status = blni_full_bound(f, state, x, value, report);
        blni_cavi_tighten(s);
        s->q.least = least;
        if (status != BLN_OK && (status != BLN_ENUMERIC || f->rows.source_failed)) return status;
        bln_report_clear(report);
    }
    return blni_full_bound(f, state, x, value, report);
}

BLNI_PRIV bln_status blni_cavi_open(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_cavi *s = (blni_cavi *)state;
    if (f->search.steps) return blni_full_open(f, state, report);
    blni_cavi_sweep(s);
    s->sweeping = 1;
    return blni_full_enter(&s->q, &f->hyper, report);
}

/* From the sweeps to the search, if there is one. Where they are a start they need not have come to their end. */
BLNI_PRIV bln_status blni_cavi_search(blni_glm_fit *f, blni_cavi *s, bln_report *report)
{
    bln_status status = blni_full_leave(&s->q, report);
    if (status == BLN_ENUMERIC && s->own.bound == BLN_CAVI_TIGHT) {
        bln_report_clear(report);
        s->q.e.started = 1;
        status = BLN_OK;
    }
    if (status != BLN_OK) return status;
    if (s->own.bound == BLN_CAVI_TIGHT) blni_cavi_tighten(s);
    status = blni_full_open(f, s, report);
    if (status != BLN_OK) return f->failed = status;
    s->sweeping = 0;
    if (f->search.n) f->progress.iteration = 0;                                  /* from here on they are those of the search */
    f->progress.objective = s->q.bound;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_cavi_step(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_cavi *s = (blni_cavi *)state;
    bln_status status = BLN_OK;
    if (!s->sweeping) return blni_glm_search_step(f, state, report);
    if (blni_full_more(&s->q)) status = blni_full_next(&s->q, &f->hyper, report);
    if (status != BLN_OK) return f->failed = status;                             /* q's factor may be that of a trial */
    f->progress.iteration++;
    f->progress.evaluations = s->q.passes;
    f->progress.objective = s->q.bound;
    f->progress.gradient_norm = sqrt(s->q.rate);
    const int limit = !f->search.n && f->progress.iteration >= f->desc.max_iterations;
    if (!blni_full_more(&s->q) || (limit && s->own.bound == BLN_CAVI_TIGHT)) return blni_cavi_search(f, s, report);
    if (limit) { f->done = 1; f->stop = BLN_STOP_LIMIT; }
    return BLN_OK;
}

/* With rows in their own space (n <= D) a result is made of what the rows asked for last, which is a sweep ahead of q: another
 * sweep, and then what they asked for before it. */
BLNI_PRIV bln_status blni_cavi_row_space(blni_glm_fit *f, blni_cavi *s, bln_report *report)
{
    const size_t n = f->rows.reduced.n;
    double *asked = s->q.aim[BLNI_FULL_MOST - 1].t;                              /* of n numbers, as the space has dimensions */
    if (!n || !blni_full_more(&s->q)) return BLN_OK;
    memcpy(asked, f->rows.reduced.W, n*sizeof *asked);
    s->q.plain = 1;
    const bln_status status = blni_full_next(&s->q, &f->hyper, report);
    if (status == BLN_OK && s->q.found) memcpy(f->rows.reduced.W, asked, n*sizeof *asked);
    return status;
}

/* Among the sweeps q is what it is, or, in the space of the rows, a sweep further. */
BLNI_PRIV bln_status blni_cavi_finish(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_cavi *s = (blni_cavi *)state;
    blni_full_exactly(f, state);
    if (!s->sweeping) return blni_glm_search_settle(f, state, report);
    BLNI_TRY(blni_cavi_row_space(f, s, report));
    s->q.e.evidence = s->q.bound;
    f->condition = blni_mode_condition(&s->q.e);
    return BLN_OK;
}

BLNI_PRIV bln_status blni_cavi_batch(blni_glm_fit *f, void *state, uint64_t batch, const double *x, double *value,
                                     bln_report *report)
{
    blni_cavi *s = (blni_cavi *)state;
    if (f->search.steps->natural > 0.0) return blni_full_batch(f, state, batch, x, value, report);
    return blni_full_batch_by(f, &s->q, pow((double)batch + 1.0, -BLNI_CAVI_FORGETTING), x, value, report);
}

BLNI_TABLE const bln_glm_method_ops blni_cavi_ops = {
    "cavi", sizeof(bln_glm_cavi_desc), offsetof(bln_glm_cavi_desc, steps),
    BLNI_CAN_SOURCE | BLNI_CAN_REDUCE | BLNI_CAN_LEARN | BLNI_CAN_EVIDENCE | BLNI_CAN_LATENTS | BLNI_CAN_SHARE,
    BLNI_CAN_LEARN | BLNI_CAN_EVIDENCE | BLNI_CAN_LATENTS,
    BLNI_GLM_FACTOR, BLNI_GLM_PRODUCT, BLN_SITES_MEAN, 300, 1e-6, blni_cavi_shape, NULL, blni_cavi_check,
    blni_cavi_carve, blni_cavi_open, blni_cavi_step, blni_cavi_finish, blni_mode_component, blni_cavi_bound, blni_full_slopes,
    blni_cavi_batch, NULL, NULL
};

BLN_API bln_glm_method bln_glm_cavi(const bln_glm_cavi_desc *own) { return blni_glm_method(&blni_cavi_ops, own); }

static BLNI_UNUSED const char *const blni_cavi_bounds[] = { "tight", "collapsed", NULL };
static BLNI_UNUSED const char *const blni_cavi_sweep_words[] = { "accelerated", "plain", NULL };

BLNI_TABLE const bln_option blni_cavi_options[] = {
    { "bound", BLN_OPTION_WORD, offsetof(bln_glm_cavi_desc, bound), NULL, blni_cavi_bounds,
      "tight (default), as of full; collapsed: that of the sweeps alone, too\nnarrow, for comparison" },
    { "sweeps", BLN_OPTION_WORD, offsetof(bln_glm_cavi_desc, sweeps), NULL, blni_cavi_sweep_words,
      "accelerated (default) or plain" },
    BLNI_GLM_STEPS(bln_glm_cavi_desc, "batch"),
    BLNI_GLM_NATURAL(bln_glm_cavi_desc, "batch")
};

BLNI_TABLE const bln_glm_card blni_cavi_card = {
    &blni_cavi_ops, "cavi", "variational, by coordinate ascent with data augmentation", "lower bound",
    "the Gaussian of full, found by sweeps without quadrature and then by its\n"
    "steps; of the likelihoods of gibbs",
    0, BLNI_GLM_OWN(bln_glm_cavi_desc, blni_cavi_options)
};

BLN_API const bln_glm_card *bln_glm_cavi_card(void) { return &blni_cavi_card; }

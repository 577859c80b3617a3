/* auto_basis: which bases are tried, on which rows, and which one is chosen
 *
 * A candidate is a short struct that has a text. The text is parsed like a user's, so that the result is what a user gets by
 * writing it. Rounds are greedy: first kernels, which differ in nothing else, then changes of the best one. */
#include "auto_basis_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../basis/spec.h"
#include "../optim/minibatch_private.h"
#include "../posterior/predict.h"
#include "../random/rng.h"

enum { BLNI_AUTO_FIT = 4000, BLNI_AUTO_LEFT_OUT = 2000,    /* rows of the second round, at most: fitted, scored            */
       BLNI_AUTO_GP = 5000,                /* gp takes no more                                                            */
       BLNI_AUTO_POINTS = 400,             /* the most frequencies or points: more hardly help                            */
       BLNI_AUTO_FEWEST = 20,
       BLNI_AUTO_MANY = 32,                /* inputs from which on ard is the exception                                   */
       BLNI_AUTO_STREAM = 0x6175746f };    /* "auto": of the rows that are drawn                                          */
#define BLNI_AUTO_BUDGET 4e12
#define BLNI_AUTO_FIRST  0.3               /* of the budget: the first round, which must have enough rows to tell kernels apart, */
#define BLNI_AUTO_SECOND 0.1               /* the second,                                                                 */
#define BLNI_AUTO_LAST   0.6               /* and the fit to all rows                                                     */
#define BLNI_AUTO_CHANCE 1.0               /* nats that a hyper-parameter may gain by chance                              */
#define BLNI_AUTO_CLEAR  2.0               /* standard errors by which squared errors may be larger by chance             */

/* What stands in a text: nothing but the line, the process itself, Fourier features, points. */
typedef enum blni_auto_kind { BLNI_AUTO_LINE, BLNI_AUTO_PROCESS, BLNI_AUTO_FOURIER, BLNI_AUTO_INDUCING } blni_auto_kind;
typedef struct blni_auto_form { blni_auto_kind kind; int kernel, ard, bias, brief; size_t size; } blni_auto_form;

/* Of several latents, whose fits are long, only the first two. */
static const char *const blni_auto_kernels[] = { "rbf", "matern32", "matern52", "cauchy", "laplace1" };
enum { BLNI_AUTO_KERNELS = 5, BLNI_AUTO_KERNELS_LATENTS = 2 };

typedef struct blni_auto {
    const blni_auto_model *m;
    bln_allocator   alloc;
    uint64_t        seed;
    double          budget;
    const bln_data *data;                  /* all rows                                */
    bln_data        rows, left_out;        /* of the round                            */
    blni_arena      room;                  /* for copies of them                      */
    bln_auto_basis *out;
    blni_auto_form  form[BLN_AUTO_MOST];   /* of out->tried                           */
    size_t          best, best_process;    /* of the round, of the first; BLN_NONE: none yet */
    double         *errors;                /* of the first round, a row of this table after the other; NULL: none */
    int             brief;                 /* power of ten of a short length scale    */
    bln_status      first;                 /* why the first one failed                */
    bln_report      why;
} blni_auto;

/* ---- texts ---- */

BLNI_PRIV void blni_auto_text(const blni_auto *a, const blni_auto_form *f, char text[BLN_AUTO_TEXT])
{
    text[0] = '\0';
    if (f->kind != BLNI_AUTO_LINE) {
        const char *kernel = blni_auto_kernels[f->kernel];
        const int fourier = f->kind == BLNI_AUTO_FOURIER;
        blni_cat(text, BLN_AUTO_TEXT, fourier ? kernel : f->kind == BLNI_AUTO_PROCESS ? "gp:" : "inducing:");
        if (f->size) {
            blni_cat(text, BLN_AUTO_TEXT, fourier ? ":n=" : "m=");
            blni_cat_size(text, BLN_AUTO_TEXT, f->size);
            if (!fourier) blni_cat(text, BLN_AUTO_TEXT, ",");
        }
        if (!fourier) {
            blni_cat(text, BLN_AUTO_TEXT, "kernel=");
            blni_cat(text, BLN_AUTO_TEXT, kernel);
        }
        if (f->brief) {
            blni_cat(text, BLN_AUTO_TEXT, a->brief < 0 ? ",length=1e-" : ",length=1e");
            blni_cat_size(text, BLN_AUTO_TEXT, (size_t)(a->brief < 0 ? -a->brief : a->brief));
        }
        if (f->ard) blni_cat(text, BLN_AUTO_TEXT, ",ard");
        blni_cat(text, BLN_AUTO_TEXT, "+");
    }
    blni_cat(text, BLN_AUTO_TEXT, f->bias || a->data->d == 0 ? "bias" : "linear");
}

/* ---- what it costs ---- */

/* Of a search with a kernel. */
BLNI_PRIV double blni_auto_evaluations(const blni_auto_form *f) { return f->ard ? 50.0 : 30.0; }

/* Flops of an evaluation with n rows. Points cost three times what as many features do: their own matrix is between. */
BLNI_PRIV double blni_auto_flops(const blni_auto *a, const blni_auto_form *f, size_t n)
{
    const double rows = (double)n, size = (double)f->size, beside = f->bias ? 1.0 : (double)a->data->d + 1.0;
    switch (f->kind) {
    case BLNI_AUTO_PROCESS:  return a->m->exact(a->m, rows);
    case BLNI_AUTO_FOURIER:  return a->m->features(a->m, rows, 2.0*size + beside);
    case BLNI_AUTO_INDUCING: return a->m->features(a->m, 3.0*rows, size + beside);
    default:                 return a->m->features(a->m, rows, beside);
    }
}

/* The most rows, frequencies or points, in [least, most], whose search takes no more than so many flops; least if all do. */
BLNI_PRIV size_t blni_auto_most(const blni_auto *a, blni_auto_form f, size_t n, double flops, size_t least, size_t most)
{
    while (least < most) {
        const size_t middle = least + (most - least + 1)/2;
        if (n) f.size = middle;
        if (blni_auto_evaluations(&f)*blni_auto_flops(a, &f, n ? n : middle) <= flops) least = middle;
        else most = middle - 1;
    }
    return least;
}

/* Few digits read better. */
BLNI_PRIV size_t blni_auto_round(size_t size) { return size < 50 ? size : size - size % (size < 200 ? 10 : 50); }

/* ---- rows ---- */

/* A tenth of what length scales start at, as a power of ten. */
BLNI_PRIV int blni_auto_brief(const bln_data *d)
{
    double scale = 0.0;
    for (size_t j = 0; j < d->d; j++) {
        blni_running r = { 0.0, 0.0, 0.0 };
        for (size_t i = 0; i < d->n; i++) blni_running_add(&r, 1.0, d->X[i*blni_ldx(d) + j]);
        scale += blni_running_variance(&r);
    }
    return scale > 0.0 && blni_finite(scale) ? (int)floor(0.5*log(scale)/log(10.0) - 0.5) : 0;
}

/* ---- trying ---- */

/* Of a fit: the evidence, or the log density of rows left out, copies by their weights. The report stays that of the fit. */
BLNI_PRIV bln_status blni_auto_score(const bln_posterior *q, double evidence, const bln_data *left_out, const bln_allocator *alloc,
                                     double *score, bln_report *report)
{
    const bln_report fitted = *report;
    *score = evidence;
    if (!left_out) return BLN_OK;
    const size_t columns = q->observe.n_y, bytes = blni_mul(blni_mul(left_out->n, columns), sizeof(double));
    void *block = NULL;
    bln_status status = blni_take(alloc, bytes, "auto_basis", &block, report);
    double *logp = (double *)block;
    if (status == BLN_OK) status = bln_posterior_logdensities(q, left_out, logp, NULL, report);
    *score = 0.0;
    for (size_t i = 0; i < left_out->n && status == BLN_OK; i++)
        for (size_t k = 0; k < columns; k++) *score += (left_out->weight ? left_out->weight[i] : 1.0)*logp[i*columns + k];
    blni_release(alloc, block, bytes);
    if (status == BLN_OK) *report = fitted;
    return status;
}

BLNI_PRIV double blni_auto_worth(const blni_auto *a, size_t k) { return a->out->tried[k].score - a->out->tried[k].penalty; }

/* Row k, if it is the best so far; and if it is the best process of the first round. */
BLNI_PRIV void blni_auto_keep(blni_auto *a, size_t k)
{
    const double worth = blni_auto_worth(a, k);
    if (a->best == BLN_NONE || worth > blni_auto_worth(a, a->best)) a->best = k;
    if (a->form[k].kind == BLNI_AUTO_PROCESS && !a->out->tried[k].left_out
        && (a->best_process == BLN_NONE || worth > blni_auto_worth(a, a->best_process))) a->best_process = k;
}

/* Standard errors by which squared errors of rows left out are larger for row k of the table than for row l; NaN: not known. Their
 * error is the root of a sum of squares about 0, so that few rows, or a row that is far off, never tell much. */
BLNI_PRIV double blni_auto_excess(const blni_auto *a, size_t k, size_t l)
{
    const size_t n = a->rows.n;
    double sum = 0.0, squares = DBL_MIN;
    for (size_t i = 0; i < n; i++) {
        const double d = a->errors[k*n + i] - a->errors[l*n + i], w = a->rows.weight ? a->rows.weight[i] : 1.0;
        if (w > 0.0) { sum += w*d; squares += w*d*d; }
    }
    return sum/sqrt(squares);
}

/* The best of the first round once more, without those whose squared errors another clearly beats that learns no more (what learns
 * more has seen more of the row that is left out). For a second round a process stays. */
BLNI_PRIV void blni_auto_settle(blni_auto *a)
{
    const size_t process = a->best_process;
    a->best = a->best_process = BLN_NONE;
    for (size_t k = 0; k < a->out->n; k++) {
        bln_auto_tried *t = a->out->tried + k;
        if (t->status != BLN_OK) continue;
        for (size_t l = 0; l < a->out->n && a->errors; l++)
            if (a->out->tried[l].status == BLN_OK && a->out->tried[l].penalty <= t->penalty)
                t->excess = fmax(t->excess, blni_auto_excess(a, k, l));
        if (t->excess <= BLNI_AUTO_CLEAR) blni_auto_keep(a, k);
    }
    if (a->best_process == BLN_NONE) a->best_process = process;
}

/* One more row of the table. */
BLNI_PRIV bln_status blni_auto_try(blni_auto *a, blni_auto_form form, bln_report *report)
{
    bln_spec_desc spec = BLN_ZERO;
    bln_report said;
    bln_basis *basis = NULL;
    if (BLNI_NEVER(a->out->n == BLN_AUTO_MOST)) return BLN_OK;        /* 24: rounds of at most 1 + 2*5 + 2 and 4 */
    const size_t k = a->out->n++;
    bln_auto_tried *t = a->out->tried + k;
    bln_report_clear(&said);
    a->form[k] = form;
    blni_auto_text(a, &form, t->text);
    t->rows = a->rows.n;
    t->left_out = a->left_out.n;
    t->score = BLNI_NAN;
    /* Beyond those of the line, a kernel learns its variance and its length scales. */
    if (form.kind != BLNI_AUTO_LINE) t->penalty = BLNI_AUTO_CHANCE*(1.0 + (form.ard ? (double)a->data->d : 1.0));
    spec.text = t->text;
    spec.d = a->data->d;
    spec.seed = a->seed;
    spec.rows = &a->rows;
    spec.alloc = a->alloc;
    t->status = bln_basis_parse(&spec, &basis, &said);
    if (t->status == BLN_OK)
        t->status = a->m->fit(a->m, basis, &a->rows, a->left_out.n ? &a->left_out : NULL, &t->score,
                              a->errors && !a->left_out.n ? a->errors + k*a->rows.n : NULL, &said);
    bln_basis_free(basis);
    t->evaluations = said.evaluations;
    t->flops = (double)t->evaluations*blni_auto_flops(a, &form, a->rows.n);
    a->out->flops += t->flops;
    if (t->status == BLN_OK && said.stop == BLN_STOP_MONITOR)
        return blni_refuse(report, BLN_ESTOPPED, "auto_basis: stopped by the monitor");
    if (t->status == BLN_OK && !blni_finite(t->score)) t->status = BLN_ENUMERIC;
    if (t->status != BLN_OK) {
        t->score = BLNI_NAN;
        if (a->first == BLN_OK) { a->first = t->status; a->why = said; }
        if (t->status == BLN_ENUMERIC || t->status == BLN_EUNDEFINED || t->status == BLN_ENOTPD) return BLN_OK;  /* of this basis */
        if (report) *report = said;
        return t->status;
    }
    blni_auto_keep(a, k);
    return BLN_OK;
}

/* ---- rounds ---- */

static const blni_auto_form blni_auto_line = { BLNI_AUTO_LINE, 0, 0, 0, 0, 0 };

BLNI_PRIV blni_auto_form blni_auto_process(const blni_auto *a)
{
    blni_auto_form f = blni_auto_line;
    f.kind = BLNI_AUTO_PROCESS;
    f.ard = a->data->d > 1 && a->data->d <= BLNI_AUTO_MANY;
    return f;
}

BLNI_PRIV int blni_auto_count(const blni_auto *a) { return a->m->latents > 1 ? BLNI_AUTO_KERNELS_LATENTS : BLNI_AUTO_KERNELS; }

/* How many fits the first round is shared out to: the kernels, twice with few inputs, and two changes. */
BLNI_PRIV double blni_auto_fits(const blni_auto *a) { return (a->data->d <= 2 ? 2.0 : 1.0)*(double)blni_auto_count(a) + 2.0; }

/* By the evidence: the line, the kernels, changes of the best one. */
BLNI_PRIV bln_status blni_auto_first(blni_auto *a, bln_report *report)
{
    bln_status status = blni_auto_try(a, blni_auto_line, report);
    if (a->data->d == 0) return status;
    for (int k = 0; k < blni_auto_count(a) && status == BLN_OK; k++) {
        blni_auto_form f = blni_auto_process(a);
        f.kernel = k;
        status = blni_auto_try(a, f, report);
        f.brief = 1;
        if (status == BLN_OK && a->data->d <= 2) status = blni_auto_try(a, f, report);
    }
    for (int change = 0; change < 2 && status == BLN_OK && a->best_process != BLN_NONE; change++) {
        blni_auto_form f = a->form[a->best_process];
        if (change == 0) f.ard = !f.ard;
        else f.bias = 1;
        if (change == 1 || a->data->d > 1) status = blni_auto_try(a, f, report);
    }
    return status;
}

/* The best process again, by a size that the flops allow for n rows. */
BLNI_PRIV blni_auto_form blni_auto_sized(const blni_auto *a, blni_auto_kind kind, int kernel, size_t n, double flops)
{
    blni_auto_form f = a->form[a->best_process];
    f.kind = kind;
    f.kernel = kernel;
    f.size = blni_auto_round(blni_auto_most(a, f, n, flops, BLNI_AUTO_FEWEST, BLNI_AUTO_POINTS));
    return f;
}

/* By rows left out: the line beside what can be had of the best process. */
BLNI_PRIV bln_status blni_auto_second(blni_auto *a, int exact, bln_report *report)
{
    const blni_auto_form best = a->form[a->best_process];
    const double each = BLNI_AUTO_SECOND*a->budget/3.0;
    const size_t n = a->rows.n;
    a->best = BLN_NONE;
    bln_status status = blni_auto_try(a, blni_auto_line, report);
    if (exact) return status == BLN_OK ? blni_auto_try(a, best, report) : status;
    if (status == BLN_OK) status = blni_auto_try(a, blni_auto_sized(a, BLNI_AUTO_FOURIER, best.kernel, n, each), report);
    if (status == BLN_OK && best.kernel) status = blni_auto_try(a, blni_auto_sized(a, BLNI_AUTO_FOURIER, 0, n, each), report);
    if (status == BLN_OK) status = blni_auto_try(a, blni_auto_sized(a, BLNI_AUTO_INDUCING, best.kernel, n, each), report);
    return status;
}

/* Draws the rows of the second round, and lets it choose. order: a permutation of the rows. */
BLNI_PRIV bln_status blni_auto_left_out(blni_auto *a, int exact, const size_t *order, bln_report *report)
{
    const bln_data *d = a->data;
    const size_t out = blni_min(BLNI_AUTO_LEFT_OUT, d->n/3);
    size_t n = blni_min(BLNI_AUTO_FIT, d->n - out);
    const size_t least = blni_min(n, BLNI_AUTO_FEWEST);
    if (exact) n = blni_auto_most(a, a->form[a->best_process], 0, BLNI_AUTO_SECOND*a->budget, least, n);
    a->room.used = 0;
    a->rows = blni_minibatch_gather(&a->room, d, n, order);
    a->left_out = blni_minibatch_gather(&a->room, d, out, order + n);
    return blni_auto_second(a, exact, report);
}

/* Both rounds. order: NULL if all rows are in the first. */
BLNI_PRIV bln_status blni_auto_rounds(blni_auto *a, size_t n, size_t *order, bln_report *report)
{
    const bln_data *d = a->data;
    bln_rng rng;
    a->rows = *d;
    if (order) {
        bln_rng_seed(&rng, a->seed, BLNI_AUTO_STREAM);
        bln_rng_permutation(&rng, d->n, order);
        a->rows = blni_minibatch_gather(&a->room, d, n, order);
    }
    a->brief = blni_auto_brief(&a->rows);
    bln_status status = blni_auto_first(a, report);
    if (status == BLN_OK) blni_auto_settle(a);
    if (status != BLN_OK || a->best_process == BLN_NONE || !order) return status;
    const double last = BLNI_AUTO_LAST*a->budget;
    const blni_auto_form best = a->form[a->best_process];
    const int exact = d->n <= BLNI_AUTO_GP && blni_auto_evaluations(&best)*blni_auto_flops(a, &best, d->n) <= last;
    if (exact && a->best == a->best_process) return BLN_OK;
    status = blni_auto_left_out(a, exact, order, report);
    if (status == BLN_OK && a->best != BLN_NONE && a->form[a->best].size) {
        const blni_auto_form f = blni_auto_sized(a, a->form[a->best].kind, a->form[a->best].kernel, d->n, last);
        blni_auto_text(a, &f, a->out->text);
    }
    return status;
}

/* Draws rows if there are too many for the first round. */
BLNI_PRIV bln_status blni_auto_run(blni_auto *a, bln_report *report)
{
    const bln_data *d = a->data;
    const double each = BLNI_AUTO_FIRST*a->budget/blni_auto_fits(a);
    const size_t least = blni_min(d->n, BLNI_AUTO_FEWEST), most = blni_min(d->n, BLNI_AUTO_GP);
    size_t n = d->d ? blni_auto_most(a, blni_auto_process(a), 0, each, least, most) : d->n;
    if (n + n/4 >= d->n) n = d->n;                             /* nearly all: then all */
    const size_t copied = n < d->n ? blni_min(d->n, BLNI_AUTO_FIT + BLNI_AUTO_LEFT_OUT) : 0;
    const size_t numbers = blni_mul(n < d->n ? d->n : 0, sizeof(size_t));
    const size_t errors = d->d && a->m->errors ? blni_mul(n, BLN_AUTO_MOST*sizeof(double)) : 0;
    void *order = NULL, *left = NULL;
    blni_arena room = blni_arena_over(NULL, 0);
    blni_minibatch_gather(&room, d, copied, NULL);
    blni_minibatch_gather(&room, d, 0, NULL);                  /* rows fitted and left out lie apart */
    bln_status status = copied ? blni_take(&a->alloc, numbers, "auto_basis", &order, report) : BLN_OK;
    if (copied && status == BLN_OK) status = blni_arena_take(&a->alloc, room.used, "auto_basis", &a->room, report);
    if (errors && status == BLN_OK) status = blni_take(&a->alloc, errors, "auto_basis", &left, report);
    a->errors = (double *)left;
    if (status == BLN_OK) status = blni_auto_rounds(a, n, (size_t *)order, report);
    blni_release(&a->alloc, order, numbers);
    blni_release(&a->alloc, a->room.base, a->room.size);
    blni_release(&a->alloc, left, errors);
    return status;
}

BLNI_PRIV bln_status blni_auto_choose(const blni_auto_model *m, const bln_auto_basis_desc *desc, const bln_data *data,
                                      bln_auto_basis *out, bln_report *report)
{
    blni_auto a = BLN_ZERO;
    void *found;
    if (desc && (!(desc->budget >= 0.0) || !blni_finite(desc->budget)))
        return blni_refuse(report, BLN_EINVAL, "auto_basis: the budget must be finite and >= 0");
    if (desc && !blni_allocator_ok(&desc->alloc))
        return blni_refuse(report, BLN_EINVAL, "auto_basis: allocator needs both alloc and release, or neither");
    BLNI_TRY(bln_data_check(data, 1, report));
    if (data->n == 0) return blni_refuse(report, BLN_EINVAL, "auto_basis: no rows");
    a.m = m;
    a.budget = desc && desc->budget > 0.0 ? desc->budget : BLNI_AUTO_BUDGET;
    if (desc) { a.alloc = desc->alloc; a.seed = desc->seed; }
    a.data = data;
    BLNI_TRY(blni_take(&a.alloc, sizeof *out, "auto_basis", &found, report));      /* 4 KB, which the fits may want of the stack */
    a.out = (bln_auto_basis *)memset(found, 0, sizeof *out);
    a.best = a.best_process = BLN_NONE;
    bln_status status = blni_auto_run(&a, report);
    if (status == BLN_OK && a.best == BLN_NONE) { status = a.first; if (report) *report = a.why; }
    if (status == BLN_OK) {
        a.out->best = a.best;
        if (!a.out->text[0]) memcpy(a.out->text, a.out->tried[a.best].text, sizeof a.out->text);
        *out = *a.out;
        bln_report_clear(report);
        for (size_t k = 0; k < out->n && report; k++) report->evaluations += out->tried[k].evaluations;
        if (report) report->objective = out->tried[out->best].score;
    }
    blni_release(&a.alloc, found, sizeof *out);
    return status;
}

/* inducing_select: points from the rows of a data set: pivoted Cholesky, k-means++, random rows */
#include "inducing_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../math/blas.h"
#include "../random/rng.h"
#include "kernel_private.h"

enum { BLNI_LLOYD_STEPS = 20 };

/* One choice at work. */
typedef struct blni_select {
    const bln_inducing_select_desc *desc;
    const bln_data *data;
    blni_kernel_desc kernel;   /* with these lengths                                                                    */
    size_t    n, d, m, ldx;
    double   *length;          /* d                                                                                     */
    double   *x;               /* n x d: rows in units of the length scales (kmeans)                                    */
    double   *c;               /* m x d: centres in these units (kmeans)                                                */
    double   *near, *trial, *best;   /* n: squared distance to the nearest centre; with another one; with the best other */
    double   *L, *missed, *coefficient, *work;   /* pivoted: m x n; n: variance missed; m; of the kernel               */
    size_t   *owner, *count;   /* n: nearest centre (random: the permutation); m: rows of a centre                      */
    size_t    done;            /* points so far                                                                         */
    bln_rng   rng;
} blni_select;

BLNI_ONCE BLNI_PRIV void blni_select_carve(blni_arena *a, blni_select *s)
{
    const bln_inducing_choice choice = s->desc->choice;
    const int kmeans = choice == BLN_INDUCING_KMEANS, pivoted = choice == BLN_INDUCING_PIVOTED;
    const size_t n = kmeans ? s->n : 0, p = pivoted ? s->n : 0, m = s->m;
    s->length = blni_carve_doubles(a, s->d);
    s->x      = blni_carve_doubles(a, blni_mul(n, s->d));
    s->c      = blni_carve_doubles(a, kmeans ? blni_mul(m, s->d) : 0);
    BLNI_CARVE3(a, n, s->near, s->trial, s->best);
    s->L      = blni_carve_doubles(a, blni_mul(p, m));
    s->missed   = blni_carve_doubles(a, p);
    s->coefficient = blni_carve_doubles(a, pivoted ? m : 0);
    s->work   = blni_carve_doubles(a, pivoted ? blni_kernel_work(&s->kernel, s->n) : 0);
    s->owner  = (size_t *)blni_carve(a, pivoted ? 0 : s->n, sizeof(size_t));
    s->count  = (size_t *)blni_carve(a, kmeans ? m : 0, sizeof(size_t));
}

/* The user's, or sqrt(d) sd_i; where that is 0, or has no finite square, a constant or a hopeless input: 1. */
BLNI_PRIV void blni_select_lengths(blni_select *s)
{
    for (size_t i = 0; i < s->d; i++) {
        blni_running r = BLN_ZERO;
        if (s->desc->length_scale) { s->length[i] = s->desc->length_scale[i]; continue; }
        for (size_t row = 0; row < s->n; row++) blni_running_add(&r, 1.0, s->data->X[row*s->ldx + i]);
        const double l = sqrt((double)s->d*blni_running_variance(&r));
        s->length[i] = l > 0.0 && blni_finite(l) ? l : 1.0;
    }
}

/* Row `row` becomes the next point. */
BLNI_PRIV void blni_select_take(blni_select *s, size_t row, double *points, size_t *rows)
{
    memcpy(points + s->done*s->d, s->data->X + row*s->ldx, s->d*sizeof *points);
    if (rows) rows[s->done] = row;
    s->done++;
}

BLNI_PRIV void blni_select_random(blni_select *s, double *points, size_t *rows)
{
    bln_rng_permutation(&s->rng, s->n, s->owner);
    while (s->done < s->m) blni_select_take(s, s->owner[s->done], points, rows);
}

/* ---- pivoted Cholesky: column s of the factor is line s of L */

BLNI_PRIV void blni_select_pivoted(blni_select *s, double *points, size_t *rows, double *missed)
{
    const size_t n = s->n;
    const double tolerance = s->desc->tolerance > 1e-10 ? s->desc->tolerance : 1e-10;
    double total = (double)n;
    for (size_t i = 0; i < n; i++) s->missed[i] = 1.0;
    while (s->done < s->m && total > tolerance*(double)n) {
        double *line = s->L + s->done*n;
        size_t p = 0;
        for (size_t i = 1; i < n; i++) if (s->missed[i] > s->missed[p]) p = i;
        blni_kernel_matrix(&s->kernel, 1, s->data->X + p*s->ldx, s->ldx, n, s->data->X, s->ldx, line, n, s->work);
        for (size_t t = 0; t < s->done; t++) s->coefficient[t] = s->L[t*n + p];
        bln_gemv(BLN_TRANS, s->done, n, -1.0, s->L, n, s->coefficient, 1.0, line);
        bln_scal(n, 1.0/sqrt(s->missed[p]), line);
        total = 0.0;
        for (size_t i = 0; i < n; i++) {
            const double rest = s->missed[i] - line[i]*line[i];
            s->missed[i] = i != p && rest > 0.0 ? rest : 0.0;
            total += s->missed[i];
        }
        if (missed) missed[s->done] = total/(double)n;
        blni_select_take(s, p, points, rows);
    }
}

/* ---- k-means++ */

BLNI_PRIV double blni_select_distance(size_t d, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < d; i++) sum += (a[i] - b[i])*(a[i] - b[i]);
    return sum;
}

/* to_i <- min(from_i, |x_i - x_row|^2); returns the sum. */
BLNI_PRIV double blni_select_nearer(const blni_select *s, size_t row, const double *from, double *to)
{
    double total = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const double r2 = blni_select_distance(s->d, s->x + i*s->d, s->x + row*s->d);
        to[i] = !from || r2 < from[i] ? r2 : from[i];
        total += to[i];
    }
    return total;
}

/* A row with probability near_i/total; never one of 0. */
BLNI_PRIV size_t blni_select_draw(blni_select *s, double total)
{
    double at = bln_rng_uniform(&s->rng)*total;
    size_t last = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!(s->near[i] > 0.0)) continue;
        last = i;
        at -= s->near[i];
        if (at < 0.0) break;
    }
    return last;
}

/* The seeds: each the best of a few draws. Ends early when every row is a centre. */
BLNI_PRIV void blni_select_seeds(blni_select *s, double *points, size_t *rows)
{
    const size_t candidates = s->desc->candidates ? s->desc->candidates : 2 + (size_t)log((double)s->m);
    const size_t first = (size_t)bln_rng_below(&s->rng, s->n);
    blni_select_take(s, first, points, rows);
    double total = blni_select_nearer(s, first, NULL, s->near);
    while (s->done < s->m && total > 0.0) {
        double least = HUGE_VAL;
        size_t chosen = 0;
        for (size_t c = 0; c < candidates; c++) {
            const size_t row = blni_select_draw(s, total);
            const double now = blni_select_nearer(s, row, s->near, s->trial);
            if (!(now < least)) continue;
            double *const swap = s->best;
            least = now;
            chosen = row;
            s->best = s->trial;
            s->trial = swap;
        }
        double *const swap = s->near;
        s->near = s->best;
        s->best = swap;
        total = least;
        blni_select_take(s, chosen, points, rows);
    }
}

/* The nearest centre of each row, its distance; returns how many rows changed their centre. */
BLNI_PRIV size_t blni_select_assign(blni_select *s)
{
    size_t changed = 0;
    for (size_t i = 0; i < s->n; i++) {
        double least = HUGE_VAL;
        size_t owner = 0;
        for (size_t j = 0; j < s->done; j++) {
            const double r2 = blni_select_distance(s->d, s->x + i*s->d, s->c + j*s->d);
            if (r2 < least) { least = r2; owner = j; }
        }
        changed += s->owner[i] != owner;
        s->owner[i] = owner;
        s->near[i] = least;
    }
    return changed;
}

/* Centres to the means of their rows; one without rows to the row farthest from its own. */
BLNI_PRIV void blni_select_centres(blni_select *s)
{
    const size_t d = s->d;
    for (size_t j = 0; j < s->done; j++) s->count[j] = 0;
    for (size_t j = 0; j < s->done*d; j++) s->c[j] = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        double *c = s->c + s->owner[i]*d;
        const double share = 1.0/(double)++s->count[s->owner[i]];
        for (size_t k = 0; k < d; k++) c[k] += share*(s->x[i*d + k] - c[k]);
    }
    for (size_t j = 0; j < s->done; j++) {
        size_t far = 0;
        if (s->count[j]) continue;
        for (size_t i = 1; i < s->n; i++) if (s->near[i] > s->near[far]) far = i;
        memcpy(s->c + j*d, s->x + far*d, d*sizeof *s->c);
        s->near[far] = 0.0;
    }
}

BLNI_PRIV bln_status blni_select_kmeans(blni_select *s, double *points, size_t *rows, bln_report *report)
{
    const size_t d = s->d;
    for (size_t i = 0; i < s->n; i++) {
        double square = 0.0;
        for (size_t k = 0; k < d; k++) {
            s->x[i*d + k] = (s->data->X[i*s->ldx + k] - s->data->X[k])/s->length[k];
            square += s->x[i*d + k]*s->x[i*d + k];
        }
        if (!(square < 1e300/(double)s->n))
            return blni_fail(report, BLN_ENUMERIC, i, BLN_NONE, "inducing: squares of differences overflow; scale the inputs");
    }
    blni_select_seeds(s, points, rows);
    if (s->desc->seeds_only) return BLN_OK;
    for (size_t j = 0; j < s->done; j++)
        for (size_t k = 0; k < d; k++) s->c[j*d + k] = (points[j*d + k] - s->data->X[k])/s->length[k];
    for (size_t i = 0; i < s->n; i++) s->owner[i] = BLN_NONE;
    for (int step = 0; step < BLNI_LLOYD_STEPS && blni_select_assign(s); step++) blni_select_centres(s);
    for (size_t j = 0; j < s->done; j++) {
        if (rows) rows[j] = BLN_NONE;
        for (size_t k = 0; k < d; k++) points[j*d + k] = s->data->X[k] + s->length[k]*s->c[j*d + k];
    }
    return BLN_OK;
}

/* ---- */

BLNI_PRIV const char *blni_select_check(const bln_inducing_select_desc *desc, const bln_data *data)
{
    if (desc->n == 0) return "inducing: n (points) is 0";
    if (desc->choice != BLN_INDUCING_KMEANS && desc->choice != BLN_INDUCING_PIVOTED && desc->choice != BLN_INDUCING_RANDOM)
        return "inducing: unknown choice of points";
    if (!(desc->tolerance >= 0.0)) return "inducing: tolerance must be >= 0";
    if (!blni_allocator_ok(&desc->alloc)) return "inducing: half an allocator";
    if (data->n == 0 || data->d == 0) return "inducing: no rows, or no inputs, to choose points from";
    for (size_t i = 0; desc->length_scale && i < data->d; i++)
        if (!(desc->length_scale[i] > 0.0) || !blni_finite(desc->length_scale[i])) return "inducing: length scales must be > 0";
    return blni_kernel_check(desc->kernel, desc->shape, 0.0);
}

BLN_API bln_status bln_inducing_select(const bln_inducing_select_desc *desc, const bln_data *data, double *points, size_t *rows,
                                       double *missed, size_t *n_points, bln_report *report)
{
    blni_select s = BLN_ZERO;
    const char *why = !desc || !data || !points || !n_points ? "inducing: NULL argument" : blni_select_check(desc, data);
    BLNI_TRY(blni_begin(report, !why, why));
    bln_status status = bln_data_check(data, 0, report);
    if (status != BLN_OK) return status;
    s.desc = desc;
    s.data = data;
    s.n = data->n;
    s.d = data->d;
    s.ldx = blni_ldx(data);
    s.m = blni_min(desc->n, data->n);
    s.kernel.kernel = desc->kernel;
    s.kernel.shape = desc->shape;
    s.kernel.d = s.d;
    bln_rng_seed(&s.rng, desc->seed, 0);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_select_carve(&a, &s);
    BLNI_TRY(blni_arena_take(&desc->alloc, a.used, "inducing", &a, report));
    blni_select_carve(&a, &s);
    blni_select_lengths(&s);
    s.kernel.length_scale = s.length;
    if (desc->choice == BLN_INDUCING_KMEANS) status = blni_select_kmeans(&s, points, rows, report);
    else if (desc->choice == BLN_INDUCING_PIVOTED) blni_select_pivoted(&s, points, rows, missed);
    else blni_select_random(&s, points, rows);
    blni_release(&desc->alloc, a.base, a.size);
    if (status == BLN_OK) *n_points = s.done;
    return status;
}

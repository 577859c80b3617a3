/* warmup: the step is learnt by dual averaging, the metric from positions in windows that double, on the schedule of Stan
 *                                                                       [Hoffman & Gelman 2014; samplers 33, 34]
 *
 *     transitions   75 fast | slow windows of 25, 50, 100, ..., the last one as long as there is room | 50 fast
 *
 * The first fast transitions move to where the mass is, the last find the step for the last metric. Each slow window ends with a
 * new metric from its own positions. With fewer than 150 transitions the first 15 % and the last 10 % are fast; with fewer than 20
 * no metric is learnt. */
#include "warmup_private.h"
#include "../math/blas.h"
#include "../math/cholesky.h"

#define BLNI_AVERAGING_GAMMA 0.05
#define BLNI_AVERAGING_DELAY 10.0
#define BLNI_AVERAGING_POWER 0.75

/* Starts from a step that is about right; the average is attracted to steps ten times as large. */
BLNI_PRIV void blni_averaging_start(blni_averaging *a, double step, double wanted)
{
    a->mu = log(10.0*step);
    a->lag = a->log_mean = 0.0;
    a->wanted = wanted;
    a->t = 0;
}

/* The next step, after a transition of this acceptance.                                                      [samplers 33] */
BLNI_PRIV double blni_averaging_next(blni_averaging *a, double accept)
{
    const double t = (double)++a->t, share = 1.0/(t + BLNI_AVERAGING_DELAY), w = exp(-BLNI_AVERAGING_POWER*log(t));
    a->lag = (1.0 - share)*a->lag + share*(a->wanted - accept);
    const double x = a->mu - sqrt(t)/BLNI_AVERAGING_GAMMA*a->lag;
    a->log_mean = w*x + (1.0 - w)*a->log_mean;
    return exp(x);
}

/* The step to keep. */
BLNI_PRIV double blni_averaging_end(const blni_averaging *a) { return exp(a->log_mean); }

enum { BLNI_WARMUP_LEAST = 20, BLNI_WARMUP_FIRST = 75, BLNI_WARMUP_WINDOW = 25, BLNI_WARMUP_LAST = 50 };

BLNI_PRIV blni_windows blni_windows_of(size_t warmup)
{
    blni_windows w = { BLNI_WARMUP_FIRST, 0, BLNI_WARMUP_WINDOW, 0 };
    if (warmup < BLNI_WARMUP_LEAST) { w.first = w.last = w.end = 0; return w; }
    if (warmup < BLNI_WARMUP_FIRST + BLNI_WARMUP_WINDOW + BLNI_WARMUP_LAST) {
        w.first = 15*warmup/100;
        w.last = warmup - warmup/10;
        w.size = w.last - w.first;
    } else w.last = warmup - BLNI_WARMUP_LAST;
    w.end = w.first + w.size;
    return w;
}

/* Does a window end with transition t? Then w turns to the next. */
BLNI_PRIV int blni_windows_end(blni_windows *w, size_t t)
{
    if (t + 1 != w->end) return 0;                               /* end <= last */
    if (w->end == w->last) return 1;
    w->size *= 2;
    w->end = t + 1 + w->size;
    if (w->end + 2*w->size > w->last) w->end = w->last;          /* the next one would not fit */
    return 1;
}

BLNI_PRIV void blni_spread_clear(blni_spread *s)
{
    s->n = 0;
    memset(s->mean, 0, s->D*sizeof *s->mean);
    memset(s->scatter, 0, (s->dense ? s->D*s->D : s->D)*sizeof *s->scatter);
}

/* [West 1979] */
BLNI_PRIV void blni_spread_add(blni_spread *s, const double *q)
{
    const double share = 1.0/(double)++s->n;
    for (size_t i = 0; i < s->D; i++) { s->d[i] = q[i] - s->mean[i]; s->mean[i] += share*s->d[i]; }
    if (!s->dense) for (size_t i = 0; i < s->D; i++) s->scatter[i] += (1.0 - share)*s->d[i]*s->d[i];
    else for (size_t i = 0; i < s->D; i++) bln_axpy(s->D - i, (1.0 - share)*s->d[i], s->d + i, s->scatter + i*s->D + i);
}

/* What positions since the last clear say of a chain whose metric is still scale, or U: 0 it moves, 1 it has not moved at all,
 * 2 the variance of some coordinate is ten thousand times that of the metric, or it has left the numbers. */
BLNI_PRIV int blni_spread_strange(const blni_spread *s, const double *scale, const double *U)
{
    int moved = 0;
    for (size_t i = 0; i < s->D; i++) {
        const double sum = s->scatter[s->dense ? i*s->D + i : i];
        double was = s->dense ? 0.0 : scale[i]*scale[i];
        for (size_t j = 0; j <= i && s->dense; j++) was += U[j*s->D + i]*U[j*s->D + i];
        if (!(sum <= 1e4*was*(double)s->n)) return 2;
        moved |= sum > 0.0;
    }
    return !moved;
}

/* M^-1 = n/(n + 5) covariance + 0.001 5/(n + 5) I: few draws tell little of it. A dense one also takes off from correlations as if
 * D/5 draws more had none: 25 draws of 100 coordinates have no variance at all in most directions, in which the next window would
 * hardly move (a warm-up of 1000 then took ten times as long). scale, or the factor U; 0 and nothing done where
 * there are too few draws, or they are no numbers.                                                           [samplers 34] */
BLNI_PRIV int blni_spread_metric(const blni_spread *s, double *scale, double *U)
{
    const size_t D = s->D;
    const double n = (double)s->n, of_data = n/(n + 5.0)/(n - 1.0), of_unit = 1e-3*5.0/(n + 5.0);
    if (s->n < 2) return 0;
    for (size_t i = 0; i < D; i++) if (!blni_finite(s->scatter[s->dense ? i*D + i : i])) return 0;
    if (!s->dense) {
        for (size_t i = 0; i < D; i++) scale[i] = sqrt(of_data*s->scatter[i] + of_unit);
        return 1;
    }
    /* In place of the scatter, which the next window begins anew, so that a factor that fails leaves U as it was. */
    const double keep = n/(n + 0.2*(double)D);
    for (size_t i = 0; i < D; i++) {
        bln_scal(D - i, of_data*keep, s->scatter + i*D + i);
        s->scatter[i*D + i] = s->scatter[i*D + i]/keep + of_unit;
    }
    if (bln_potrf(D, s->scatter, D, NULL) != BLN_OK) return 0;
    for (size_t i = 0; i < D; i++) memcpy(U + i*D + i, s->scatter + i*D + i, (D - i)*sizeof *U);
    return 1;
}

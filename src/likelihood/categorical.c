/* categorical: softmax. BLNI_SOFTMAX_ROWS rows are computed at a time; the probabilities of a class at these rows lie together. */
#include "categorical_private.h"
#include "../math/vecmath.h"

enum { BLNI_SOFTMAX_ROWS = 16 };

/* p_k, and 1 - p_k, of row i at [k][i]; the largest f, and what log sum e^f has more. */
typedef struct blni_softmax {
    size_t K;
    double p[BLN_LATENTS][BLNI_SOFTMAX_ROWS], rest[BLN_LATENTS][BLNI_SOFTMAX_ROWS];
    double top[BLNI_SOFTMAX_ROWS], above[BLNI_SOFTMAX_ROWS];
} blni_softmax;

BLNI_PRIV double blni_categorical_f(const double *f, size_t ld, size_t i, size_t k, size_t first)
{
    return k < first ? 0.0 : f[(k - first)*ld + i];
}

/* Of n <= BLNI_SOFTMAX_ROWS rows. Nothing cancels: what the largest p_k lacks of 1 is a sum of the others. */
BLNI_PRIV void blni_softmax_of(const bln_likelihood *l, size_t n, const double *f, size_t ld, blni_softmax *s)
{
    const size_t first = blni_categorical_first(l), K = s->K = l->n_latent + first;
    size_t best[BLNI_SOFTMAX_ROWS];
    double others[BLNI_SOFTMAX_ROWS];
    for (size_t i = 0; i < n; i++) {
        best[i] = 0;
        for (size_t k = 1; k < K; k++)
            if (blni_categorical_f(f, ld, i, k, first) > blni_categorical_f(f, ld, i, best[i], first)) best[i] = k;
        s->top[i] = blni_categorical_f(f, ld, i, best[i], first);
        others[i] = 0.0;
    }
    for (size_t k = 0; k < K; k++) {
        for (size_t i = 0; i < n; i++) s->p[k][i] = blni_categorical_f(f, ld, i, k, first) - s->top[i];
        bln_vec_exp(n, s->p[k], s->p[k]);
        for (size_t i = 0; i < n; i++) others[i] += k == best[i] ? 0.0 : s->p[k][i];
    }
    for (size_t i = 0; i < n; i++) s->above[i] = log1p(others[i]);
    for (size_t k = 0; k < K; k++)
        for (size_t i = 0; i < n; i++) {
            s->p[k][i] /= 1.0 + others[i];
            s->rest[k][i] = k == best[i] ? others[i]/(1.0 + others[i]) : 1.0 - s->p[k][i];
        }
}

/* Runs CALL for the softmax s of `rows` rows from row `at` on. */
#define BLNI_BY_SOFTMAX(CALL) \
    for (size_t at = 0; at < n; at += BLNI_SOFTMAX_ROWS) { \
        const size_t rows = blni_min(n - at, BLNI_SOFTMAX_ROWS); \
        blni_softmax s; \
        blni_softmax_of(l, rows, f + at, ld, &s); \
        CALL; \
    }

BLNI_PRIV const char *blni_categorical_domain(const bln_likelihood *l, double y, double trials)
{
    if (trials != 1.0) return "a class has no trials";
    if (!blni_whole(y) || y < 0.0) return "y must be the number of a class, from 0 on";
    return y < (double)l->ops->latents->classes(l) ? NULL : "y is not below the number of classes";
}

BLNI_PRIV void blni_categorical_support(const bln_likelihood *l, double trials, double *low, double *high)
{
    *low = 0.0;
    *high = (double)(l->ops->latents->classes(l) - 1);
}

BLNI_PRIV size_t blni_categorical_classes(const bln_likelihood *l) { return l->n_latent; }
BLNI_PRIV size_t blni_categorical_classes_but_one(const bln_likelihood *l) { return l->n_latent + 1; }

BLNI_PRIV void blni_categorical_logp_rows(const bln_likelihood *l, const blni_softmax *s, size_t n, const double *y,
                                          const double *f, size_t ld, double *logp)
{
    const size_t first = blni_categorical_first(l);
    for (size_t i = 0; i < n; i++)
        logp[i] = blni_categorical_f(f, ld, i, blni_category_of(l, y[i]), first) - s->top[i] - s->above[i];
}

BLNI_PRIV void blni_categorical_logp(BLNI_TARGETS, const double *f, size_t ld, double *logp)
{
    BLNI_BY_SOFTMAX(blni_categorical_logp_rows(l, &s, rows, t->y + at, f + at, ld, logp + at))
}

BLNI_PRIV void blni_categorical_slopes(const bln_likelihood *l, const blni_softmax *s, size_t n, const double *y, size_t ld,
                                       double *d1, double *d2)
{
    const size_t first = blni_categorical_first(l), J = l->n_latent;
    for (size_t j = 0; j < J; j++)
        for (size_t i = 0; i < n; i++) {
            const double p = s->p[j + first][i], rest = s->rest[j + first][i];
            if (d1) d1[j*ld + i] = blni_category_of(l, y[i]) == j + first ? rest : -p;
            if (d2) d2[blni_latent_pair(J, j, j)*ld + i] = -p*rest;
        }
    for (size_t j = 0; j < J && d2; j++)
        for (size_t k = j + 1; k < J; k++)
            for (size_t i = 0; i < n; i++) d2[blni_latent_pair(J, j, k)*ld + i] = s->p[j + first][i]*s->p[k + first][i];
}

BLNI_PRIV void blni_categorical_eval(BLNI_TARGETS, const double *f, size_t ld, double *logp, double *d1, double *d2)
{
    BLNI_BY_SOFTMAX(
        if (logp) blni_categorical_logp_rows(l, &s, rows, t->y + at, f + at, ld, logp + at);
        blni_categorical_slopes(l, &s, rows, t->y + at, ld, blni_shift(d1, at), blni_shift(d2, at)))
}

/* With q = C p of a row: out_j = p_j (c_j - sum_k p_k c_k), c_j = C_jj - 2 q_j. */
BLNI_PRIV void blni_categorical_curve_rows(const bln_likelihood *l, const blni_softmax *s, size_t n, size_t ld, const double *C,
                                           double *out)
{
    const size_t first = blni_categorical_first(l), J = l->n_latent;
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < J; j++) {
            double q = 0.0;
            for (size_t k = 0; k < J; k++)
                q += s->p[k + first][i]*C[(j < k ? blni_latent_pair(J, j, k) : blni_latent_pair(J, k, j))*ld + i];
            out[j*ld + i] = C[blni_latent_pair(J, j, j)*ld + i] - 2.0*q;
            sum += s->p[j + first][i]*out[j*ld + i];
        }
        for (size_t j = 0; j < J; j++) out[j*ld + i] = s->p[j + first][i]*(out[j*ld + i] - sum);
    }
}

BLNI_PRIV void blni_categorical_curve(BLNI_TARGETS, const double *f, size_t ld, const double *C, double *out)
{
    BLNI_BY_SOFTMAX(blni_categorical_curve_rows(l, &s, rows, ld, C + at, out + at))
}

/* The class of the row has the probability (1 + 1/K)/2, as with the binomial, and the others share the rest: its f is by log(K + 1)
 * above theirs. */
BLNI_PRIV void blni_categorical_start(BLNI_TARGETS, double *f, size_t ld)
{
    const size_t first = blni_categorical_first(l), J = l->n_latent, K = J + first;
    const double above = log((double)K + 1.0), share = first ? 0.0 : above/(double)K;
    for (size_t i = 0; i < n; i++) {
        const size_t y = blni_category_of(l, t->y[i]);
        for (size_t j = 0; j < J; j++) f[j*ld + i] = (j + first == y ? above : y < first ? -above : 0.0) - share;
    }
}

BLNI_PRIV void blni_categorical_moments(BLNI_TARGETS, const double *f, size_t ld, double *mean, double *var)
{
    BLNI_BY_SOFTMAX(
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < s.K; k++) {
                if (mean) mean[(at + i)*s.K + k] = s.p[k][i];
                if (var) var[(at + i)*s.K + k] = s.p[k][i]*s.rest[k][i];
            })
}

/* The least k with p_0 + ... + p_k > u. */
BLNI_PRIV void blni_categorical_draw(BLNI_TARGETS, const double *f, size_t ld, bln_rng *rng, double *y)
{
    BLNI_BY_SOFTMAX(
        for (size_t i = 0; i < rows; i++) {
            double left = bln_rng_uniform(rng);
            size_t k = 0;
            while (k + 1 < s.K && (left -= s.p[k][i]) >= 0.0) k++;
            y[at + i] = (double)k;
        })
}

#define BLNI_CATEGORICAL_LATENTS(CLASSES, DIFFERENCES) { \
    CLASSES, NULL, DIFFERENCES, blni_categorical_logp, blni_categorical_eval, NULL, blni_categorical_curve, NULL, \
    blni_categorical_start, blni_categorical_expect, blni_categorical_moments, NULL, blni_categorical_draw, \
    blni_categorical_normal_logp, blni_categorical_normal_moments, NULL }

BLNI_TABLE const bln_latents_ops blni_categorical_latents = BLNI_CATEGORICAL_LATENTS(blni_categorical_classes, 1);
BLNI_TABLE const bln_latents_ops blni_categorical_reference_latents =
    BLNI_CATEGORICAL_LATENTS(blni_categorical_classes_but_one, 0);

#define BLNI_CATEGORICAL_OPS(NAME, LATENTS) { \
    NAME, 1, 0, 0, blni_categorical_domain, blni_categorical_support, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, LATENTS, NULL }

BLNI_TABLE const bln_likelihood_ops blni_categorical_ops = BLNI_CATEGORICAL_OPS("categorical", &blni_categorical_latents);
BLNI_TABLE const bln_likelihood_ops blni_categorical_reference_ops =
    BLNI_CATEGORICAL_OPS("categorical_reference", &blni_categorical_reference_latents);

BLNI_PRIV bln_likelihood blni_categorical_of(const bln_likelihood_ops *ops, size_t classes, size_t latents)
{
    bln_likelihood l = blni_likelihood_of(classes >= 2 && classes <= BLN_LATENTS ? ops : NULL, 0);
    if (l.ops) l.n_latent = latents;
    return l;
}

BLN_API bln_likelihood bln_likelihood_categorical(size_t classes)
{
    return blni_categorical_of(&blni_categorical_ops, classes, classes);
}

BLN_API bln_likelihood bln_likelihood_categorical_reference(size_t classes)
{
    return blni_categorical_of(&blni_categorical_reference_ops, classes, classes - 1);
}

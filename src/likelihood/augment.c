/* augment: the auxiliary variables of the built-in likelihoods of one latent                             [augmentation 11-15, 25]
 *
 *     likelihood                Omega                                          site
 *     binomial, logit           omega ~ PG(k n, c)                             h = k (y - n/2), precision omega
 *     negative binomial         the same with n = y + size, in f + log(exposure/size)
 *     Poisson, logistic link    n ~ Poisson(k mu~), mu~ = mu e^-f at v = 0;
 *                               omega ~ PG(k y + n, c)                         h = (k y - n)/2, precision omega
 *     binomial, probit          z of each trial: normal, cut off at 0          h = sum of z, precision k n
 *     Gaussian                  none                                           h = k y/s^2, precision k/s^2
 *     Student-t                 omega ~ Gamma(k(nu + 1)/2, (nu s^2 + r^2)/2)   h = omega y, precision omega
 *     both Laplaces             omega ~ IG(k s/|r|, k^2 s^2)                   h = omega y + k tilt
 *     the user's mixture        k draws by its draw_omega, summed              h = omega centre + k tilt
 *
 * with c^2 = m^2 + v, r^2 = (y - m)^2 + v, s with the row's noise variance; the Laplaces have log p = -s |r| - tilt r.
 * [Polson, Scott & Windle 2013; Albert & Chib 1993; Andrews & Mallows 1974; Park & Casella 2008; Kozumi & Kobayashi 2011]
 *
 * Student-t and the Laplaces have log p = log phi(r^2) - tilt r, and ell takes the mean of r^2: it is log p at a residual of that
 * size, and its slopes in eta are those of the likelihood's own table there [augmentation 15]. */
#include "augment_private.h"
#include "augment_latents_private.h"
#include "location_private.h"
#include "heteroscedastic_private.h"
#include "logistic_softmax_private.h"
#include "binomial_private.h"
#include "counts_private.h"
#include "../math/special.h"
#include "../random/discrete.h"
#include "../random/distributions.h"
#include "../random/polya_gamma_private.h"

enum { BLNI_AUGMENT_LOGIT, BLNI_AUGMENT_NEGATIVE_BINOMIAL, BLNI_AUGMENT_POISSON, BLNI_AUGMENT_PROBIT, BLNI_AUGMENT_GAUSSIAN,
       BLNI_AUGMENT_STUDENT, BLNI_AUGMENT_LAPLACE, BLNI_AUGMENT_OWN };

/* Rows of a block, with constants; sites of weight 1. */
typedef struct blni_augment_block {
    const bln_likelihood *l;
    const double *eta, *m, *v;
    size_t n;
    bln_targets t;
} blni_augment_block;

typedef struct blni_augment_sites {
    double ell[BLN_LIKELIHOOD_BLOCK], h[BLN_LIKELIHOOD_BLOCK], precision[BLN_LIKELIHOOD_BLOCK], *deta;
    size_t ldeta;
} blni_augment_sites;

/* ---- logistic functions: p(y | f) = C e^{y u}/(1 + e^u)^n, u = f + shift */

typedef struct blni_augment_logistic { double y, n, shift; } blni_augment_logistic;

BLNI_PRIV blni_augment_logistic blni_augment_logistic_of(int kind, const double *eta, const bln_targets *t, size_t i)
{
    blni_augment_logistic r = BLN_ZERO;
    r.y = t->y[i];
    r.n = blni_trials(t, i);
    if (kind == BLNI_AUGMENT_NEGATIVE_BINOMIAL) { r.shift = log(r.n/eta[0]); r.n = r.y + eta[0]; }
    return r;
}

/* ell = log C + y u - n [(u + c)/2 + log(1 + e^-c)] at u = m + shift, where (|u| - c)/2 is made without a difference; so
 * ell = log p at v = 0. Its slope in the size, which moves n and u [augmentation 28]. */
BLNI_PRIV void blni_augment_logistic_sites(const blni_augment_block *b, int kind, blni_augment_sites *out)
{
    for (size_t i = 0; i < b->n; i++) {
        const blni_augment_logistic r = blni_augment_logistic_of(kind, b->eta, &b->t, i);
        const double v = b->v ? b->v[i] : 0.0, u = b->m[i] + r.shift, size = fabs(u), c = v > 0.0 ? sqrt(u*u + v) : size;
        const double over = c > 0.0 ? 0.5*v/(c + size) : 0.0, cost = over + bln_log1pexp(-c);
        out->precision[i] = blni_polya_gamma_mean(r.n, c);
        out->h[i] = r.y - 0.5*r.n - out->precision[i]*r.shift;
        out->ell[i] = b->t.constants[i] + (u < 0.0 ? r.y*u : -(r.n - r.y)*u) - r.n*cost;
        if (out->deta && kind == BLNI_AUGMENT_NEGATIVE_BINOMIAL)
            out->deta[i] = b->t.constants[b->t.ldc + i] - (u > 0.0 ? u : 0.0) - cost
                           - (r.y - 0.5*r.n - out->precision[i]*u)/b->eta[0];
    }
}

BLNI_PRIV void blni_augment_logistic_draw(const blni_augment_block *b, int kind, size_t i, double k, bln_rng *rng, double *h,
                                          double *precision)
{
    const blni_augment_logistic r = blni_augment_logistic_of(kind, b->eta, &b->t, i);
    const double v = b->v ? b->v[i] : 0.0, u = b->m[i] + r.shift;
    *precision = bln_rng_polya_gamma(rng, k*r.n, v > 0.0 ? sqrt(u*u + v) : u);
    *h = k*(r.y - 0.5*r.n) - *precision*r.shift;
}

/* ---- Poisson of rate lambda sigma(f), lambda with the exposure   [augmentation 14]
 *
 *     e^{-lambda sigma(f)} = sum_n sigma(-f)^n Poisson(n | lambda) */

BLNI_PRIV void blni_augment_poisson_sites(const blni_augment_block *b, blni_augment_sites *out)
{
    const double log_lambda = log(b->eta[0]);
    for (size_t i = 0; i < b->n; i++) {
        const blni_augment_rate r = blni_augment_rate_of(b->m[i], b->v ? b->v[i] : 0.0);
        const double y = b->t.y[i], t = blni_trials(&b->t, i), n = b->eta[0]*t*exp(r.below), share = -t*expm1(r.below);
        out->precision[i] = blni_polya_gamma_mean(y + n, r.c);
        out->h[i] = 0.5*(y - n);
        out->ell[i] = b->t.constants[i] + y*(log_lambda + r.above) - b->eta[0]*share;
        if (out->deta) out->deta[i] = y/b->eta[0] - share;
    }
}

BLNI_PRIV void blni_augment_poisson_draw(const blni_augment_block *b, size_t i, double k, bln_rng *rng, double *h,
                                         double *precision)
{
    const blni_augment_rate r = blni_augment_rate_of(b->m[i], b->v ? b->v[i] : 0.0);
    const double y = k*b->t.y[i], n = bln_rng_poisson(rng, k*b->eta[0]*blni_trials(&b->t, i)*exp(r.below));
    *precision = bln_rng_polya_gamma(rng, y + n, r.c);
    *h = 0.5*(y - n);
}

/* ---- probit: z = f + normal, y the number of z > 0 */

BLNI_PRIV void blni_augment_probit_sites(const blni_augment_block *b, blni_augment_sites *out)
{
    blni_eval(b->l, b->eta, b->n, &b->t, b->m, out->ell, out->h, NULL, NULL);
    for (size_t i = 0; i < b->n; i++) {
        const double n = blni_trials(&b->t, i);
        out->ell[i] -= b->v ? 0.5*n*b->v[i] : 0.0;
        out->h[i] += n*b->m[i];
        out->precision[i] = n;
    }
}

BLNI_PRIV void blni_augment_probit_draw(const blni_augment_block *b, size_t i, double k, bln_rng *rng, double *h, double *precision)
{
    const double n = k*blni_trials(&b->t, i), m = b->m[i];
    double failures = n - k*b->t.y[i], successes = n - failures;
    *precision = n;
    *h = n*m;
    for (; successes > 0.5; successes -= 1.0) *h += bln_rng_truncated_normal(rng, -m, BLNI_INFINITY);
    for (; failures > 0.5; failures -= 1.0) *h -= bln_rng_truncated_normal(rng, m, BLNI_INFINITY);
}

/* ---- scale mixtures of normals around f */

/* At r = 0 the precision of the Laplace density is infinite: at most 1e12 slope^2, as within 1e-12 of 1/slope of y. */
BLNI_PRIV double blni_augment_mean_precision(const blni_augment_block *b, int kind, size_t i, double square)
{
    if (kind == BLNI_AUGMENT_LAPLACE) {
        const double slope = blni_two_sides_of(b->l, b->eta, &b->t, i).slope;
        return slope/fmax(sqrt(square), 1e-12/slope);
    }
    const double noise_var = blni_noise_var(&b->t, i);
    if (kind == BLNI_AUGMENT_GAUSSIAN) return 1.0/(b->eta[0]*noise_var);
    return (b->eta[1] + 1.0)/(b->eta[1]*b->eta[0]*b->eta[0]*noise_var + square);
}

BLNI_PRIV double blni_augment_tilt(const blni_augment_block *b, int kind, size_t i)
{
    return kind == BLNI_AUGMENT_LAPLACE ? blni_two_sides_of(b->l, b->eta, &b->t, i).tilt : 0.0;
}

BLNI_PRIV double blni_augment_square(const blni_augment_block *b, size_t i)
{
    const double r = b->t.y[i] - b->m[i];
    return r*r + (b->v ? b->v[i] : 0.0);
}

BLNI_PRIV void blni_augment_mixture_sites(const blni_augment_block *b, int kind, blni_augment_sites *out)
{
    double residual[BLN_LIKELIHOOD_BLOCK], zero[BLN_LIKELIHOOD_BLOCK] = { 0.0 };
    bln_targets t = b->t;
    t.y = residual;
    for (size_t i = 0; i < b->n; i++) {
        const double square = blni_augment_square(b, i);
        residual[i] = b->v && b->v[i] > 0.0 ? sqrt(square) : fabs(b->t.y[i] - b->m[i]);
        out->precision[i] = blni_augment_mean_precision(b, kind, i, square);
        out->h[i] = out->precision[i]*b->t.y[i] + blni_augment_tilt(b, kind, i);
    }
    blni_logp(b->l, b->eta, b->n, &t, zero, out->ell);
    for (size_t j = 0; j < b->l->n_theta && out->deta; j++)
        blni_eval_param(b->l, b->eta, j, b->n, &t, zero, out->deta + j*out->ldeta, NULL, NULL);
    for (size_t i = 0; i < b->n && b->l->level > 0.0; i++) {          /* the tilt is that of y - m */
        const double more = blni_augment_tilt(b, kind, i)*(residual[i] - (b->t.y[i] - b->m[i]));
        out->ell[i] += more;
        if (out->deta) out->deta[i] -= more/b->eta[0];
    }
}

BLNI_PRIV double blni_augment_mixture_draw(const blni_augment_block *b, int kind, size_t i, double k, bln_rng *rng)
{
    const double square = blni_augment_square(b, i), mean = blni_augment_mean_precision(b, kind, i, square);
    if (kind == BLNI_AUGMENT_GAUSSIAN) return k*mean;
    if (kind == BLNI_AUGMENT_STUDENT) {
        const double shape = 0.5*(b->eta[1] + 1.0);
        return bln_rng_gamma(rng, k*shape)*mean/shape;
    }
    const double top = k*blni_two_sides_of(b->l, b->eta, &b->t, i).slope;
    const double omega = bln_rng_inverse_gaussian(rng, square > 0.0 ? top/sqrt(square) : BLNI_INFINITY, top*top);
    return fmin(omega, 1e12*top*top);
}

/* ---- mixtures of the user */

/* The bound at m with v held is a function of theta as log p is: a likelihood, whose user is the block. */
BLNI_PRIV void blni_augment_held_logp(BLNI_TARGETS, const double *m, double *ell)
{
    const blni_augment_block *b = (const blni_augment_block *)l->user;
    double room[BLNI_CONSTANTS_ROOM];
    bln_targets own = *t;
    own.constants = NULL;                                        /* those at this theta */
    own = blni_targets_block(b->l, theta, &own, 0, n, room);
    blni_mixture_bound(b->l, theta, n, &own, m, b->v, ell, NULL, NULL);
}

BLNI_PRIV void blni_augment_held_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    bln_likelihood_param(((const blni_augment_block *)l->user)->l, k, mean, sd, out);
}

BLNI_PRIV void blni_augment_own_sites(const blni_augment_block *b, blni_augment_sites *out)
{
    bln_likelihood_ops ops = BLN_ZERO;
    bln_likelihood held = *b->l;
    ops.logp = blni_augment_held_logp;
    ops.param = blni_augment_held_param;
    held.ops = &ops;
    held.user = b;
    blni_mixture_bound(b->l, b->eta, b->n, &b->t, b->m, b->v, out->ell, out->h, out->precision);
    for (size_t j = 0; j < held.n_theta && out->deta; j++)
        blni_eval_param(&held, b->eta, j, b->n, &b->t, b->m, out->deta + j*out->ldeta, NULL, NULL);
}

/* As many draws as the row has copies; NaN if one is bad, which the sampler looks for. */
BLNI_PRIV void blni_augment_own_draw(const blni_augment_block *b, size_t i, double k, bln_rng *rng, double *h, double *precision)
{
    double room[BLNI_CONSTANTS_ROOM], centre, tilt, square, omega;
    const bln_targets t = blni_targets_block(b->l, b->eta, &b->t, i, 1, room);
    blni_mixture_at(b->l, b->eta, 1, &t, b->m + i, b->v ? b->v + i : NULL, &centre, &tilt, &square);
    for (double copies = k; copies > 0.5; copies -= 1.0) {
        omega = BLNI_NAN;
        b->l->ops->mixture->draw_omega(b->l, b->eta, 1, &t, &square, rng, &omega);
        *precision += omega >= 0.0 && blni_finite(omega) ? omega : BLNI_NAN;
    }
    *h = k*tilt + *precision*centre;
}

/* ---- the table */

BLNI_PRIV void blni_augment_collapsed(const bln_likelihood *l, const double *eta, size_t n, const bln_targets *t,
                                      const double *weight, const double *m, const double *v, double *ell, double *h,
                                      double *precision, double *deta, size_t ldeta)
{
    const int kind = blni_augmentation_of(l, NULL)->kind;
    for (size_t first = 0; first < n; first += BLN_LIKELIHOOD_BLOCK) {
        const size_t rows = blni_min(n - first, BLN_LIKELIHOOD_BLOCK);
        double room[BLNI_CONSTANTS_ROOM];
        blni_augment_sites s;
        const blni_augment_block b = { l, eta, m + first, v ? v + first : NULL, rows,
                                       blni_targets_block(l, eta, t, first, rows, room) };
        s.deta = blni_shift(deta, first);
        s.ldeta = ldeta;
        if (kind <= BLNI_AUGMENT_NEGATIVE_BINOMIAL) blni_augment_logistic_sites(&b, kind, &s);
        else if (kind == BLNI_AUGMENT_POISSON) blni_augment_poisson_sites(&b, &s);
        else if (kind == BLNI_AUGMENT_PROBIT) blni_augment_probit_sites(&b, &s);
        else if (kind == BLNI_AUGMENT_OWN) blni_augment_own_sites(&b, &s);
        else blni_augment_mixture_sites(&b, kind, &s);
        for (size_t i = 0; i < b.n; i++) {
            const double k = weight ? weight[first + i] : 1.0;
            if (ell) ell[first + i] = k > 0.0 ? k*s.ell[i] : 0.0;
            if (h) h[first + i] = k > 0.0 ? k*s.h[i] : 0.0;
            if (precision) precision[first + i] = k > 0.0 ? k*s.precision[i] : 0.0;
            for (size_t j = 0; j < l->n_theta && deta; j++) s.deta[j*ldeta + i] = k > 0.0 ? k*s.deta[j*ldeta + i] : 0.0;
        }
    }
}

BLNI_PRIV void blni_augment_draw(const bln_likelihood *l, const double *eta, size_t n, const bln_targets *t, const double *weight,
                                 const double *m, const double *v, bln_rng *rng, double *h, double *precision)
{
    const int kind = blni_augmentation_of(l, NULL)->kind;
    const blni_augment_block b = { l, eta, m, v, n, *t };
    for (size_t i = 0; i < n; i++) {
        const double k = weight ? weight[i] : 1.0;
        h[i] = precision[i] = 0.0;
        if (!(k > 0.0)) continue;
        if (kind <= BLNI_AUGMENT_NEGATIVE_BINOMIAL) blni_augment_logistic_draw(&b, kind, i, k, rng, h + i, precision + i);
        else if (kind == BLNI_AUGMENT_POISSON) blni_augment_poisson_draw(&b, i, k, rng, h + i, precision + i);
        else if (kind == BLNI_AUGMENT_PROBIT) blni_augment_probit_draw(&b, i, k, rng, h + i, precision + i);
        else if (kind == BLNI_AUGMENT_OWN) blni_augment_own_draw(&b, i, k, rng, h + i, precision + i);
        else {
            precision[i] = blni_augment_mixture_draw(&b, kind, i, k, rng);
            h[i] = precision[i]*t->y[i] + k*blni_augment_tilt(&b, kind, i);
        }
    }
}

BLNI_PRIV const blni_augmentation *blni_augmentation_of(const bln_likelihood *l, const char **why)
{
    static const struct { const bln_likelihood_ops *ops; blni_augmentation augmentation; } known[] = {
        { blni_binomial_ops, { blni_augment_collapsed, blni_augment_draw, 0, BLNI_AUGMENT_LOGIT, NULL, 0 } },
        { blni_binomial_ops + 1, { blni_augment_collapsed, blni_augment_draw, 1, BLNI_AUGMENT_PROBIT, NULL, 0 } },
        { &blni_nb_ops, { blni_augment_collapsed, blni_augment_draw, 0, BLNI_AUGMENT_NEGATIVE_BINOMIAL, NULL, 0 } },
        { &blni_saturating_ops, { blni_augment_collapsed, blni_augment_draw, 0, BLNI_AUGMENT_POISSON, NULL, 0 } },
        { &blni_gauss_ops, { blni_augment_collapsed, blni_augment_draw, 0, BLNI_AUGMENT_GAUSSIAN, NULL, 0 } },
        { &blni_student_ops, { blni_augment_collapsed, blni_augment_draw, 0, BLNI_AUGMENT_STUDENT, NULL, 0 } },
        { blni_laplace_ops, { blni_augment_collapsed, blni_augment_draw, 0, BLNI_AUGMENT_LAPLACE, NULL, 0 } },
        { blni_laplace_ops + 1, { blni_augment_collapsed, blni_augment_draw, 0, BLNI_AUGMENT_LAPLACE, NULL, 0 } },
        { blni_heteroscedastic_ops, { NULL, NULL, 0, 0, blni_augment_heteroscedastic, 0 } },
        { blni_heteroscedastic_ops + 1, { NULL, NULL, 0, 0, blni_augment_heteroscedastic, 0 } },
        { blni_logistic_softmax_ops, { NULL, NULL, 0, 0, blni_augment_softmax, 1 } },
        { blni_logistic_softmax_ops + 1, { NULL, NULL, 0, 0, blni_augment_softmax, 1 } },
        { blni_logistic_softmax_ops + 2, { NULL, NULL, 0, 0, blni_augment_softmax, 1 } }
    };
    static const blni_augmentation own = { blni_augment_collapsed, blni_augment_draw, 2, BLNI_AUGMENT_OWN, NULL, 0 };
    if (l->ops->mixture) return &own;
    for (size_t i = 0; i < sizeof known/sizeof *known; i++) if (l->ops == known[i].ops) return &known[i].augmentation;
    if (why) *why = "likelihood: no auxiliary variables are known that make it Gaussian";
    return NULL;
}

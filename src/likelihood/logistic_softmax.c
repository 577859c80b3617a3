/* logistic_softmax: P(y = k | f) = s_k sigma(f_k)/S. Where class 0 has no latent, class j + 1 is that of latent j. */
#include "logistic_softmax_private.h"
#include "categorical_private.h"
#include "../math/quadrature_private.h"
#include "../math/special.h"
#include "../math/vecmath.h"

BLNI_PRIV double blni_logistic_scale(const bln_likelihood *l, const double *theta, size_t j)
{
    return j < l->n_theta ? theta[j] : 1.0;
}

BLNI_PRIV double blni_logistic_rest(const bln_likelihood *l) { return blni_categorical_first(l) ? 0.5 : 0.0; }

/* Of a row: log S, p_j and u_j, a_j = p_j u_j, sigma_j. Logs, so that nothing is 0/0 where all f are far below 0. */
typedef struct blni_logistic_at {
    double log_S, p[BLN_LATENTS], u[BLN_LATENTS], a[BLN_LATENTS], sigma[BLN_LATENTS];
} blni_logistic_at;

BLNI_PRIV double blni_logistic_log(const bln_likelihood *l, const double *theta, const double *f, size_t ld, size_t j)
{
    return log(blni_logistic_scale(l, theta, j)) - bln_log1pexp(-f[j*ld]);
}

/* f: of the row, stride ld. */
BLNI_PRIV void blni_logistic_of(const bln_likelihood *l, const double *theta, const double *f, size_t ld, blni_logistic_at *s)
{
    const size_t J = l->n_latent;
    const double rest = blni_logistic_rest(l);
    double top = rest > 0.0 ? log(rest) : -BLNI_INFINITY, sum = 0.0;
    for (size_t j = 0; j < J; j++) {
        s->p[j] = blni_logistic_log(l, theta, f, ld, j);
        top = fmax(top, s->p[j]);
    }
    for (size_t j = 0; j < J; j++) sum += s->p[j] = exp(s->p[j] - top);
    if (rest > 0.0) sum += exp(log(rest) - top);
    s->log_S = top + log(sum);
    for (size_t j = 0; j < J; j++) {
        s->p[j] /= sum;
        s->u[j] = bln_sigmoid(-f[j*ld]);
        s->sigma[j] = bln_sigmoid(f[j*ld]);
        s->a[j] = s->p[j]*s->u[j];
    }
}

/* The latent of the class of y, or J: none. */
BLNI_PRIV size_t blni_logistic_latent_of(const bln_likelihood *l, double y)
{
    const size_t k = blni_category_of(l, y), first = blni_categorical_first(l);
    return k < first ? l->n_latent : k - first;
}

BLNI_PRIV void blni_logistic_eval(BLNI_TARGETS, const double *f, size_t ld, double *logp, double *d1, double *d2)
{
    const size_t J = l->n_latent;
    blni_logistic_at s;
    for (size_t i = 0; i < n; i++) {
        const size_t y = blni_logistic_latent_of(l, t->y[i]);
        blni_logistic_of(l, theta, f + i, ld, &s);
        if (logp) logp[i] = (y < J ? blni_logistic_log(l, theta, f + i, ld, y) : log(blni_logistic_rest(l))) - s.log_S;
        for (size_t j = 0; j < J && (d1 || d2); j++) {
            const double at = (y == j ? 1.0 : 0.0) - s.p[j];
            if (d1) d1[j*ld + i] = s.u[j]*at;
            for (size_t k = j; k < J && d2; k++)
                d2[blni_latent_pair(J, j, k)*ld + i] = s.a[j]*s.a[k] - (j == k ? s.sigma[j]*s.u[j]*at + s.u[j]*s.a[j] : 0.0);
        }
    }
}

BLNI_PRIV void blni_logistic_information(BLNI_TARGETS, const double *f, size_t ld, double *W)
{
    const size_t J = l->n_latent;
    blni_logistic_at s;
    for (size_t i = 0; i < n; i++) {
        blni_logistic_of(l, theta, f + i, ld, &s);
        for (size_t j = 0; j < J; j++)
            for (size_t k = j; k < J; k++) W[blni_latent_pair(J, j, k)*ld + i] = (j == k ? s.u[j]*s.a[j] : 0.0) - s.a[j]*s.a[k];
    }
}

/* W = diag(u a) - a a', with da_k/df_j = a_k ([j = k] (u_j - sigma_j) - a_j) and du_j/df_j = -sigma_j u_j. */
BLNI_PRIV void blni_logistic_curve(BLNI_TARGETS, const double *f, size_t ld, const double *C, double *out)
{
    const size_t J = l->n_latent;
    blni_logistic_at s;
    double q[BLN_LATENTS];
    for (size_t i = 0; i < n; i++) {
        double diagonal = 0.0, square = 0.0;
        blni_logistic_of(l, theta, f + i, ld, &s);
        for (size_t j = 0; j < J; j++) {
            q[j] = 0.0;
            for (size_t k = 0; k < J; k++) q[j] += C[(j < k ? blni_latent_pair(J, j, k) : blni_latent_pair(J, k, j))*ld + i]*s.a[k];
            diagonal += C[blni_latent_pair(J, j, j)*ld + i]*s.u[j]*s.a[j];
            square += q[j]*s.a[j];
        }
        for (size_t j = 0; j < J; j++)
            out[j*ld + i] = s.a[j]*(C[blni_latent_pair(J, j, j)*ld + i]*s.u[j]*(s.u[j] - 2.0*s.sigma[j]) - diagonal
                                    - 2.0*q[j]*(s.u[j] - s.sigma[j]) + 2.0*square);
    }
}

/* dp_j/ds_k = p_j ([j = k] - p_k)/s_k. */
BLNI_PRIV void blni_logistic_eval_param(BLNI_TARGETS_K, const double *f, size_t ld, double *dlogp, double *dd1, double *dW)
{
    const size_t J = l->n_latent;
    blni_logistic_at s;
    double da[BLN_LATENTS];
    for (size_t i = 0; i < n; i++) {
        blni_logistic_of(l, theta, f + i, ld, &s);
        if (dlogp) dlogp[i] = ((blni_logistic_latent_of(l, t->y[i]) == k ? 1.0 : 0.0) - s.p[k])/theta[k];
        for (size_t j = 0; j < J; j++) {
            da[j] = s.a[j]*((j == k ? 1.0 : 0.0) - s.p[k])/theta[k];
            if (dd1) dd1[j*ld + i] = -da[j];
        }
        for (size_t j = 0; j < J && dW; j++)
            for (size_t c = j; c < J; c++)
                dW[blni_latent_pair(J, j, c)*ld + i] = (j == c ? s.u[j]*da[j] : 0.0) - da[j]*s.a[c] - s.a[j]*da[c];
    }
}

/* sigma of the row's class is 3/4, of the others 1/4. */
BLNI_PRIV void blni_logistic_start(BLNI_TARGETS, double *f, size_t ld)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < l->n_latent; j++) f[j*ld + i] = blni_logistic_latent_of(l, t->y[i]) == j ? log(3.0) : -log(3.0);
}

/* ---- expectations
 *
 * With c = S at the means, E log S = log c + int (e^-t - prod_j L_j(t/c))/t dt, L_j(x) = E e^(-x s_j sigma(f_j)) and one factor
 * e^-xE, by the trapezoid rule in log t, x = t/c a few at a time; its slopes by those of the L_j, which are
 *     A_j = E s sigma' e^.., B_j = E (s sigma'' - x s^2 sigma'^2)/2 e^.., C_j = E sigma e^.. */
enum { BLNI_LOGISTIC_NODES = 128, BLNI_LOGISTIC_TIMES = 8 };
#define BLNI_LOGISTIC_STEP  (1.0/3.0)       /* both parts are analytic for |Im log t| < pi/2: an error of e^-29 */
#define BLNI_LOGISTIC_BEGIN (-24.0)
#define BLNI_LOGISTIC_END   30.0

/* The trapezoid rule for a normal: z_q = (q - n/2) step. A singularity of exp(-x sigma(f)) is as near as pi/2, if x is large. */
BLNI_PRIV size_t blni_logistic_rule(double sd, double *step)
{
    *step = fmax(fmin(0.6, 0.35/sd), 17.0/(BLNI_LOGISTIC_NODES - 1));
    return 2*(size_t)ceil(8.5/(*step)) + 1;
}

/* L, A, B and C of latent j at these x. */
BLNI_PRIV void blni_logistic_factors(double m, double sd, double s, const double *x, double *out)
{
    enum { K = BLNI_LOGISTIC_TIMES, NODES = 16 };
    double f[NODES], known[2*NODES], e[NODES*K], step;
    const size_t nodes = blni_logistic_rule(sd, &step);
    for (size_t k = 0; k < 4*K; k++) out[k] = 0.0;
    for (size_t first = 0, n; first < nodes; first += n) {
        n = blni_min(nodes - first, NODES);
        for (size_t q = 0; q < n; q++) {
            const double z = step*((double)(first + q) - (double)(nodes/2));
            f[q] = m + sd*z;
            known[q] = -fabs(f[q]);
            known[n + q] = -0.5*z*z;
        }
        bln_vec_exp(2*n, known, known);
        for (size_t q = 0; q < n; q++) {
            const double large = 1.0/(1.0 + known[q]), sigma = f[q] > 0.0 ? large : known[q]*large;
            for (size_t k = 0; k < K; k++) e[q*K + k] = -x[k]*s*sigma;
        }
        bln_vec_exp(n*K, e, e);
        for (size_t q = 0; q < n; q++) {
            const double large = 1.0/(1.0 + known[q]), small = known[q]*large, weight = known[n + q]*(step/sqrt(2.0*BLNI_PI));
            const double sigma = f[q] > 0.0 ? large : small, u = f[q] > 0.0 ? small : large, slope = s*sigma*u;
            const double curve = 0.5*slope*(u - sigma), square = 0.5*slope*slope;
            for (size_t k = 0; k < K; k++) {
                const double part = weight*e[q*K + k];
                out[k] += part;
                out[K + k] += part*slope;
                out[2*K + k] += part*(curve - x[k]*square);
                out[3*K + k] += part*sigma;
            }
        }
    }
}

/* log S of a row: sum[0], and its slopes in m_j, v_j and s_j at 1 + j, 1 + J + j, 1 + 2 J + j. */
BLNI_PRIV void blni_logistic_expect_log(const bln_likelihood *l, const double *theta, const double *m, const double *v, size_t ld,
                                        double *sum)
{
    const size_t J = l->n_latent, K = BLNI_LOGISTIC_TIMES;
    const double rest = blni_logistic_rest(l);
    double factor[BLN_LATENTS][4*BLNI_LOGISTIC_TIMES], before[BLN_LATENTS + 1], x[BLNI_LOGISTIC_TIMES], log_c;
    double most = rest, begin, weight = BLNI_LOGISTIC_STEP/(1.0 - exp(-BLNI_LOGISTIC_STEP));
    blni_logistic_at at;
    int more = 1;
    blni_logistic_of(l, theta, m, ld, &at);
    log_c = fmax(at.log_S, -600.0);                              /* x stays finite */
    sum[0] = log_c;
    for (size_t j = 0; j < 3*J; j++) sum[1 + j] = 0.0;
    /* Where no x S is above 1e-6 all terms are proportional to t: the weight of the first has those before it. */
    for (size_t j = 0; j < J; j++) most += blni_logistic_scale(l, theta, j);
    begin = fmax(BLNI_LOGISTIC_BEGIN, log_c - log(most) - 14.0);
    for (; more && begin < BLNI_LOGISTIC_END; begin += BLNI_LOGISTIC_STEP*(double)K) {
        for (size_t k = 0; k < K; k++) x[k] = exp(begin + BLNI_LOGISTIC_STEP*(double)k - log_c);
        for (size_t j = 0; j < J; j++)
            blni_logistic_factors(m[j*ld], sqrt(v[j*ld]), blni_logistic_scale(l, theta, j), x, factor[j]);
        for (size_t k = 0; k < K; k++) {
            double after = weight;
            before[0] = exp(-x[k]*rest);
            for (size_t j = 0; j < J; j++) before[j + 1] = before[j]*factor[j][k];
            const double gone = exp(-exp(begin + BLNI_LOGISTIC_STEP*(double)k));
            sum[0] += weight*(gone - before[J]);
            more = gone + before[J] > 1e-18;
            for (size_t j = J; j-- > 0;) {
                const double others = before[j]*after*x[k];
                for (size_t a = 0; a < 3; a++) sum[1 + a*J + j] += others*factor[j][(a + 1)*K + k];
                after *= factor[j][k];
            }
            weight = BLNI_LOGISTIC_STEP;
        }
    }
}

BLNI_PRIV void blni_logistic_expect(BLNI_TARGETS, const double *m, const double *v, size_t ld, double tolerance, BLNI_EXPECTED)
{
    const size_t J = l->n_latent;
    double sum[1 + 3*BLN_LATENTS];
    for (size_t i = 0; i < n; i++) {
        const size_t y = blni_logistic_latent_of(l, t->y[i]);
        double own[3] = { 0.0 };
        blni_logistic_expect_log(l, theta, m + i, v + i, ld, sum);
        if (y < J) {
            const double sd = sqrt(v[y*ld + i]);
            double step, z[BLNI_LOGISTIC_NODES + 1], w[BLNI_LOGISTIC_NODES + 1];
            const size_t nodes = blni_logistic_rule(sd, &step);
            blni_normal_trapezoid(step, 0, nodes, z, w);
            for (size_t q = 0; q < nodes; q++) {
                const double f = m[y*ld + i] + sd*z[q], u = bln_sigmoid(-f);
                own[0] -= w[q]*bln_log1pexp(-f);
                own[1] += w[q]*u;
                own[2] -= 0.5*w[q]*u*bln_sigmoid(f);
            }
        }
        value[i] = own[0] + log(y < J ? blni_logistic_scale(l, theta, y) : blni_logistic_rest(l)) - sum[0];
        for (size_t j = 0; j < J; j++) {
            if (dm) dm[j*ld + i] = (j == y ? own[1] : 0.0) - sum[1 + j];
            if (dv) dv[j*ld + i] = (j == y ? own[2] : 0.0) - sum[1 + J + j];
        }
        for (size_t k = 0; k < l->n_theta && dtheta; k++) dtheta[k*lddtheta + i] = (k == y ? 1.0/theta[k] : 0.0) - sum[1 + 2*J + k];
    }
}

/* ---- the distribution of y */

/* P(y = k | f) of a row, K of them. */
BLNI_PRIV void blni_logistic_probabilities(const bln_likelihood *l, const double *theta, const double *f, size_t ld, double *p)
{
    const size_t first = blni_categorical_first(l);
    blni_logistic_at s;
    blni_logistic_of(l, theta, f, ld, &s);
    if (first) p[0] = exp(log(blni_logistic_rest(l)) - s.log_S);
    memcpy(p + first, s.p, l->n_latent*sizeof *p);
}

BLNI_PRIV void blni_logistic_moments(BLNI_TARGETS, const double *f, size_t ld, double *mean, double *var)
{
    const size_t K = l->ops->latents->classes(l);
    double p[BLN_LATENTS + 1];
    for (size_t i = 0; i < n; i++) {
        blni_logistic_probabilities(l, theta, f + i, ld, p);
        for (size_t k = 0; k < K; k++) {
            if (mean) mean[i*K + k] = p[k];
            if (var) var[i*K + k] = p[k]*(1.0 - p[k]);
        }
    }
}

BLNI_PRIV void blni_logistic_draw(BLNI_TARGETS, const double *f, size_t ld, bln_rng *rng, double *y)
{
    const size_t K = l->ops->latents->classes(l);
    double p[BLN_LATENTS + 1];
    for (size_t i = 0; i < n; i++) {
        double left = bln_rng_uniform(rng);
        size_t k = 0;
        blni_logistic_probabilities(l, theta, f + i, ld, p);
        while (k + 1 < K && (left -= p[k]) >= 0.0) k++;
        y[i] = (double)k;
    }
}

/* ---- the tables */

BLNI_PRIV void blni_logistic_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    blni_param_log(1e-4, 1.0, 1e4, out);
}

BLNI_PRIV const char *blni_logistic_param_name(const bln_likelihood *l, size_t k)
{
    static const char *const names[] = { "scale 0", "scale 1", "scale 2", "scale 3", "scale 4", "scale 5", "scale 6", "scale 7" };
    return k < sizeof names/sizeof *names ? names[k] : "scale of a class";
}

#define BLNI_LOGISTIC_LATENTS(CLASSES) { \
    CLASSES, NULL, 0, blni_latents_logp_of_eval, blni_logistic_eval, blni_logistic_information, blni_logistic_curve, \
    blni_logistic_eval_param, blni_logistic_start, blni_logistic_expect, blni_logistic_moments, NULL, \
    blni_logistic_draw, NULL, NULL, NULL }

BLNI_TABLE const bln_latents_ops blni_logistic_latents[2] = {
    BLNI_LOGISTIC_LATENTS(blni_categorical_classes), BLNI_LOGISTIC_LATENTS(blni_categorical_classes_but_one)
};

#define BLNI_LOGISTIC_OPS(NAME, PARAM, PARAM_NAME, LATENTS) { \
    NAME, 1, 0, 0, blni_categorical_domain, blni_categorical_support, PARAM, PARAM_NAME, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, LATENTS, NULL }

BLNI_TABLE const bln_likelihood_ops blni_logistic_softmax_ops[3] = {
    BLNI_LOGISTIC_OPS("logistic_softmax", NULL, NULL, blni_logistic_latents),
    BLNI_LOGISTIC_OPS("logistic_softmax_reference", NULL, NULL, blni_logistic_latents + 1),
    BLNI_LOGISTIC_OPS("logistic_softmax_scaled", blni_logistic_param, blni_logistic_param_name, blni_logistic_latents)
};

BLN_API bln_likelihood bln_likelihood_logistic_softmax(size_t classes, bln_softmax form)
{
    const int good = classes >= 2 && classes <= BLN_LATENTS && (unsigned)form <= (unsigned)BLN_SOFTMAX_SCALED;
    bln_likelihood l = blni_likelihood_of(good ? blni_logistic_softmax_ops + form : NULL,
                                          good && form == BLN_SOFTMAX_SCALED ? classes - 1 : 0);
    if (good) l.n_latent = form == BLN_SOFTMAX_BIJECTIVE ? classes - 1 : classes;
    return l;
}

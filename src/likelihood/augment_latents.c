/* augment_latents: the auxiliary variables of likelihoods of several latents                         [augmentation 18-21, 25]
 *
 * Heteroscedastic, for a row of weight k, with its least noise variance u = s^2 v, r^2 = (y - m_0)^2 + v_0, sigma~ a lower bound of
 * E sigma(f_1) and A = 1 - sigma~:
 *
 *     tau ~ Gamma(k (nu + 1)/2, (nu + r^2 A/u)/2), or k for a normal;   f_0: precision tau A/u, h = y times that
 *     n ~ Poisson(tau r^2 sigma~/2u),  omega ~ PG(k/2 + n, f_1);        f_1: precision omega, h = (n - k/2)/2
 *
 * In the site of f_0 n and omega are integrated out; so they are drawn anew for the site of f_1, with a new tau.
 *
 * Logistic softmax, with S = E + sum_j s_j (1 - sigma~(-f_j)), sigma~(-f_j) <= E sigma(-f_j), for all latents at once:
 *
 *     lambda ~ Gamma(k, S),  n_j ~ Poisson(lambda s_j sigma~(-f_j)),  omega_j ~ PG(k [y = j] + n_j, f_j)
 *     f_j: precision omega_j, h = (k [y = j] - n_j)/2 */
#include "augment_latents_private.h"
#include "categorical_private.h"
#include "location_private.h"
#include "logistic_softmax_private.h"
#include "../math/special_private.h"
#include "../random/discrete.h"
#include "../random/distributions.h"
#include "../random/polya_gamma_private.h"

BLNI_PRIV blni_augment_rate blni_augment_rate_of(double m, double v)
{
    const double size = fabs(m);
    blni_augment_rate r;
    r.c = v > 0.0 ? sqrt(m*m + v) : size;
    const double cost = (r.c > 0.0 ? 0.5*v/(r.c + size) : 0.0) + bln_log1pexp(-r.c);
    r.above = (m < 0.0 ? m : 0.0) - cost;
    r.below = (m > 0.0 ? -m : 0.0) - cost;
    return r;
}

BLNI_PRIV void blni_augment_heteroscedastic(const bln_likelihood *l, const double *eta, size_t j, size_t n, const bln_targets *t,
                                            const double *weight, const double *m, const double *v, size_t ld, bln_rng *rng,
                                            double *ell, double *h, double *precision, double *deta, size_t ldeta)
{
    const int student = l->n_theta > 1;
    for (size_t i = 0; i < n; i++) {
        const double k = weight[i];
        h[j*ld + i] = precision[j*ld + i] = 0.0;
        if (ell) ell[i] = 0.0;
        for (size_t a = 0; a < l->n_theta && deta; a++) deta[a*ldeta + i] = 0.0;
        if (!(k > 0.0)) continue;
        const blni_augment_rate g = blni_augment_rate_of(m[ld + i], v ? v[ld + i] : 0.0);       /* above: sigma~(f_1) */
        const double least = eta[0]*eta[0]*blni_noise_var(t, i), r = t->y[i] - m[i], share = -expm1(g.above);
        const double square = (r*r + (v ? v[i] : 0.0))/least;
        double tau = k;
        if (student) {
            const double shape = 0.5*k*(eta[1] + 1.0);
            tau = (rng ? bln_rng_gamma(rng, shape) : shape)*2.0/(eta[1] + square*share);
        }
        if (ell) {
            ell[i] = 0.5*(g.below - log(least)) - (student ? 0.5*(eta[1] + 1.0)*log1p(square*share/eta[1]) : 0.5*square*share);
            ell[i] += student ? blni_lgamma_half_diff(0.5*eta[1]) - 0.5*log(BLNI_PI*eta[1]) : -0.5*BLNI_LOG_2PI;
            ell[i] *= k;
        }
        if (deta) deta[i] = (tau*square*share - k)/eta[0];
        if (deta && student)
            deta[ldeta + i] = 0.5*k*(blni_student_psi(0.5*eta[1]) - log1p(square*share/eta[1])) + 0.5*tau*square*share/eta[1];
        if (j == 0) {
            precision[i] = tau*share/least;
            h[i] = precision[i]*t->y[i];
            continue;
        }
        const double rate = 0.5*square*tau*exp(g.above), count = rng ? bln_rng_poisson(rng, rate) : rate;
        precision[ld + i] = rng ? bln_rng_polya_gamma(rng, 0.5*k + count, g.c) : blni_polya_gamma_mean(0.5*k + count, g.c);
        h[ld + i] = 0.5*(count - 0.5*k);
    }
}

BLNI_PRIV void blni_augment_softmax(const bln_likelihood *l, const double *eta, size_t j, size_t n, const bln_targets *t,
                                    const double *weight, const double *m, const double *v, size_t ld, bln_rng *rng, double *ell,
                                    double *h, double *precision, double *deta, size_t ldeta)
{
    const size_t J = l->n_latent, first = blni_categorical_first(l);
    blni_augment_rate at[BLN_LATENTS];
    for (size_t i = 0; i < n; i++) {
        const double k = weight[i];
        const size_t y = blni_category_of(l, t->y[i]);
        double S = blni_logistic_rest(l);
        if (ell) ell[i] = 0.0;
        for (size_t a = 0; a < l->n_theta && deta; a++) deta[a*ldeta + i] = 0.0;
        for (size_t a = 0; a < J; a++) {
            h[a*ld + i] = precision[a*ld + i] = 0.0;
            at[a] = blni_augment_rate_of(m[a*ld + i], v ? v[a*ld + i] : 0.0);
            S -= blni_logistic_scale(l, eta, a)*expm1(at[a].below);
        }
        if (!(k > 0.0)) continue;
        const double lambda = (rng ? bln_rng_gamma(rng, k) : k)/S;
        if (ell) ell[i] = k*((y < first ? log(blni_logistic_rest(l))
                                        : log(blni_logistic_scale(l, eta, y - first)) + at[y - first].above) - log(S));
        for (size_t a = 0; a < l->n_theta && deta; a++)
            deta[a*ldeta + i] = (y == a + first ? k/eta[a] : 0.0) + lambda*expm1(at[a].below);
        for (size_t a = 0; a < J; a++) {
            const double own = y == a + first ? k : 0.0, rate = lambda*blni_logistic_scale(l, eta, a)*exp(at[a].below);
            const double count = rng ? bln_rng_poisson(rng, rate) : rate;
            precision[a*ld + i] = rng ? bln_rng_polya_gamma(rng, own + count, at[a].c)
                                      : blni_polya_gamma_mean(own + count, at[a].c);
            h[a*ld + i] = 0.5*(own - count);
        }
    }
}

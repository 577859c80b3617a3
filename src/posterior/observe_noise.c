/* observe_noise: y is a mixture like f, with larger variances, so that likelihood/latent answers for both */
#include "observe_noise_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../likelihood/latent_private.h"
#include "../math/special.h"
#include "kind_gaussian_private.h"
#include "sample_private.h"

BLNI_ONCE BLNI_PRIV const char *blni_noise_check(const bln_observe *o, size_t J, double dof)
{
    if (o->n_y != J) return "noise: as many outputs as latents are needed";
    return o->n_eta != blni_mul(J, J) || o->n_moments != J ? "noise: made for another number of outputs" : NULL;
}

/* A variance may be 0: a perfect fit. */
BLNI_ONCE BLNI_PRIV int blni_noise_usable(const bln_observe *o, const double *eta)
{
    int good = blni_all_finite(o->n_eta, eta);
    for (size_t p = 0; p < o->n_y; p++) good = good && eta[p*(o->n_y + 1)] >= 0.0;
    return good;
}

BLNI_PRIV bln_status blni_noise_rows(const bln_observe *o, const bln_data *data, int need, bln_report *report)
{
    BLNI_TRY(blni_data_check_normal(data, report));
    if (need && blni_outputs(data) != o->n_y)
        return blni_refuse(report, BLN_ESHAPE, "data: another number of outputs (p) than the posterior");
    return blni_data_check_from(data, need > 0, 0, report);
}

/* Room for two factors of Sigma, for draws. */
BLNI_PRIV size_t blni_noise_work(const bln_observe *o, size_t n) { return blni_mul(2, o->n_eta); }

/* Output j of row i. */
BLNI_PRIV blni_mix blni_noise_mix(const bln_data *rows, const bln_latent *f, size_t i, size_t j)
{
    return blni_mix_of(f, i, j, rows->noise_var ? rows->noise_var[i] : 1.0);
}

/* Variance of the noise alone: sum_k w_k Sigma_k,jj v; of t's times dof/(dof - 2), where that exists. */
BLNI_PRIV double blni_noise_variance(const bln_latent *f, size_t j, double v)
{
    const size_t J = blni_latent_J(f), K = f->ldeta ? blni_latent_K(f) : 1;
    double sigma = 0.0;
    for (size_t k = 0; k < K; k++) {
        const double w = K == 1 ? 1.0 : f->weight ? f->weight[k] : 1.0/(double)K;
        sigma += w*f->eta[k*f->ldeta + j*(J + 1)];
    }
    if (!(f->dof > 0.0) || sigma == 0.0) return sigma*v;
    return f->dof > 2.0 ? sigma*v*(f->dof/(f->dof - 2.0)) : f->dof > 1.0 ? (double)INFINITY : BLNI_NAN;
}

BLNI_PRIV void blni_noise_moments(BLNI_OBSERVED, double *mean, double *model, double *noise, double *work)
{
    const size_t P = o->n_y;
    for (size_t i = 0; i < rows->n && (mean || model); i++)
        for (size_t j = 0; j < P; j++) {
            const blni_mix m = blni_mix_of(f, i, j, 0.0);
            blni_mix_moments(&m, mean ? mean + i*P + j : NULL, model ? model + i*P + j : NULL);
        }
    for (size_t j = 0; j < P && noise; j++) {
        const double one = blni_noise_variance(f, j, 1.0);
        for (size_t i = 0; i < rows->n; i++) noise[i*P + j] = rows->noise_var ? one*rows->noise_var[i] : one;
    }
}

BLNI_PRIV void blni_noise_logdensity(BLNI_OBSERVED, double *out, double *work)
{
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = 0; j < o->n_y; j++) {
            const blni_mix m = blni_noise_mix(rows, f, i, j);
            out[i*o->n_y + j] = blni_mix_logdensity(&m, blni_y(rows, i, j));
        }
}

BLNI_PRIV void blni_noise_cdf(BLNI_OBSERVED, double *lower, double *upper, double *work)
{
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = 0; j < o->n_y; j++) {
            const blni_mix m = blni_noise_mix(rows, f, i, j);
            if (lower) lower[i*o->n_y + j] = blni_mix_tail(&m, blni_y(rows, i, j), 0);
            if (upper) upper[i*o->n_y + j] = blni_mix_tail(&m, blni_y(rows, i, j), 1);
        }
}

BLNI_PRIV void blni_noise_quantile(BLNI_OBSERVED, size_t n_p, const double *p, const double *q, double *out, double *work)
{
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = 0; j < o->n_y; j++) {
            const blni_mix m = blni_noise_mix(rows, f, i, j);
            for (size_t k = 0; k < n_p; k++) *out++ = blni_mix_quantile(&m, p[k], q ? q[k] : 1.0 - p[k]);
        }
}

/* ---- draws: normals of row i are keyed to its number, 256 rows a stream, each output by itself */

enum { BLNI_NOISE_ROWS = 256 };

/* U'U = Sigma, and C, which may be U, with the columns of U over their lengths: C'C is the correlation that residuals of outputs
 * have at a row, in which an output without noise counts as independent. */
BLNI_PRIV bln_status blni_noise_factors(size_t P, const double *sigma, double *U, double *C)
{
    const bln_status status = blni_gaussians_mixing(P, sigma, U);
    for (size_t q = 0; q < P; q++)
        for (size_t p = 0; p <= q; p++)
            C[p*P + q] = sigma[q*(P + 1)] > 0.0 ? U[p*P + q]/sqrt(sigma[q*(P + 1)]) : (double)(p == q);
    return status;
}

/* y_q += U_pq sqrt(v) e for outputs q from p on, with the normals e of output p: v of row i at v[i*ldv + q*step], NULL: 1. */
BLNI_PRIV void blni_noise_add(size_t n, size_t P, size_t p, const double *U, const double *v, size_t ldv, size_t step, uint64_t key,
                              uint64_t first, double *y)
{
    double e[BLNI_NOISE_ROWS];
    bln_rng rng;
    for (size_t i = 0; i < n;) {
        const size_t skip = (size_t)((first + i)%BLNI_NOISE_ROWS), now = blni_min(BLNI_NOISE_ROWS - skip, n - i);
        bln_rng_seed(&rng, key, (first + i)/BLNI_NOISE_ROWS);
        bln_rng_normals(&rng, skip + now, e);
        for (size_t j = 0; j < now; j++, i++)
            for (size_t q = p; q < P; q++) y[i*P + q] += U[p*P + q]*sqrt(v ? v[i*ldv + q*step] : 1.0)*e[skip + j];
    }
}

BLNI_PRIV bln_status blni_noise_draw(const bln_observe *o, const bln_data *rows, const double *eta, const double *missed, int noise,
                                     uint64_t seed, uint64_t stream, uint64_t first, double *f, double *y, double *work)
{
    const size_t P = o->n_y;
    double *U = work, *C = work + o->n_eta;
    const bln_status status = blni_noise_factors(P, eta, U, C);
    for (size_t p = 0; p < P && status == BLN_OK; p++) {
        const uint64_t key = blni_draw_key(seed, p);
        if (missed) blni_noise_add(rows->n, P, p, C, missed, P, 1, blni_draw_behind(key, stream, 1), first, f);
        if (noise) blni_noise_add(rows->n, P, p, U, rows->noise_var, 1, 0, blni_draw_behind(key, stream, 0), first, y);
    }
    return status;
}

/* ---- rows left out */

/* U with U'U = Sigma, then a row. */
BLNI_PRIV size_t blni_noise_logp_work(const bln_observe *o, size_t n) { return blni_add(blni_mul(2, o->n_eta), o->n_y); }

BLNI_PRIV void blni_noise_sites(BLNI_OBSERVED, bln_sites rule, double *slope, double *W, double *work)
{
    const size_t P = o->n_y, K = blni_latent_K(f), ld = blni_latent_ld(f);
    for (size_t i = 0; i < rows->n; i++) {
        const double omega = (rows->weight ? rows->weight[i] : 1.0)/(rows->noise_var ? rows->noise_var[i] : 1.0);
        for (size_t c = 0; c < K*P; c++) {
            const double eta = f->eta[c/P*f->ldeta + c%P*(P + 1)], w = !(omega > 0.0) ? 0.0 : eta > 0.0 ? omega/eta : HUGE_VAL;
            W[i*ld + c] = w;
            slope[i*ld + c] = w > 0.0 ? w*(blni_y(rows, i, c % P) - f->mean[i*ld + c]) : 0.0;
        }
    }
}

/* log p of row i at f with covariance v U'U: -1/2 (constant + |e|^2/v), whitened e = y - f. e: room for n_y. */
BLNI_PRIV double blni_noise_logp_at(size_t P, const bln_data *rows, size_t i, const double *U, double constant, double v,
                                    const double *f, double *e)
{
    for (size_t p = 0; p < P; p++) e[p] = blni_y(rows, i, p) - f[p];
    bln_trsv(BLN_TRANS, P, U, P, e);
    return -0.5*(constant + bln_dot(P, e, e)/v);
}

/* U with U'U = Sigma (and room behind it) and log|Sigma|, NaN where there is none. */
BLNI_PRIV double blni_noise_logdet(const bln_observe *o, const double *eta, double *U)
{
    return blni_noise_factors(o->n_y, eta, U, U + o->n_eta) == BLN_OK ? bln_logdet_factor(o->n_y, U, o->n_y) : BLNI_NAN;
}

BLNI_PRIV void blni_noise_logp(const bln_observe *o, const bln_data *row, const double *eta, size_t ldeta, double rest, size_t S,
                               const double *f, double *out, double *work)
{
    const size_t P = o->n_y;
    const double v = row->noise_var ? row->noise_var[0] : 1.0;
    double *U = work, *e = work + 2*o->n_eta, constant = 0.0;
    for (size_t s = 0; s < S; s++) {
        if (s == 0 || ldeta) constant = (double)P*(BLNI_LOG_2PI + log(v)) + blni_noise_logdet(o, eta + s*ldeta, U);
        out[s] = blni_noise_logp_at(P, row, 0, U, constant, v, f + s*P, e);
    }
}

/* f of several outputs are as correlated as their noise: that is more noise. */
BLNI_PRIV void blni_noise_together(BLNI_OBSERVED, double *out, double *work)
{
    const size_t P = o->n_y, K = blni_latent_K(f), ld = blni_latent_ld(f);
    double *U = work, *e = work + 2*o->n_eta;
    for (size_t k = 0; k < K; k++) {
        const double *eta = f->eta + k*f->ldeta, log_w = log(f->weight ? f->weight[k] : 1.0/(double)K);
        const double logdet = blni_noise_logdet(o, eta, U);
        for (size_t i = 0; i < rows->n; i++) {
            const double v = (rows->noise_var ? rows->noise_var[i] : 1.0) + f->var[i*ld + k*P]/eta[0];
            const double constant = (double)P*(BLNI_LOG_2PI + log(v)) + logdet;
            double both[2];
            both[0] = out[i];
            both[1] = blni_noise_logp_at(P, rows, i, U, constant, v, f->mean + i*ld + k*P, e) + log_w;
            out[i] = k ? bln_logsumexp(2, both) : both[1];
        }
    }
}

BLNI_TABLE const struct bln_observe_ops blni_noise_ops = {
    "noise", 0, NULL, NULL, blni_noise_usable, 1, 0, blni_noise_check, NULL, blni_noise_rows, blni_noise_work, blni_noise_moments,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
};

BLN_API bln_observe bln_observe_noise(size_t P)
{
    bln_observe o;
    o.ops = &blni_noise_ops;
    o.likelihood = NULL;
    o.n_eta = blni_mul(P, P);
    o.n_y = o.n_moments = P;
    return o;
}

/* test_mixture - moments and gradients against their definitions, golden values and differences; bounds of the entropy below the
 * truth */
#include "../test.h"
#include "../golden/mixture_golden.h"
#include "posterior_tools.h"
#include "../likelihood/latent_tools.h"

/* A mixture with arrays of its own, of row stride D + pad; the padding holds 2.385. */
typedef struct mixture_case { blni_mixture q; double *m, *psi, *dm, *dpsi, *work; } mixture_case;

static void mixture_fill(size_t K, size_t D, size_t ld, double *x)
{
    for (size_t i = 0; i < K*ld; i++) x[i] = i % ld < D ? 0.0 : 2.385;
}

static void mixture_zero(mixture_case *c)
{
    mixture_fill(c->q.K, c->q.D, c->q.ld, c->dm);
    mixture_fill(c->q.K, c->q.D, c->q.ld, c->dpsi);
}

/* Means `apart` times standard normal, variances between 0.2 and 1.2. */
static void mixture_make(mixture_case *c, size_t K, size_t D, size_t pad, double apart, uint64_t salt)
{
    test_random r = test_random_new(salt);
    const size_t ld = D + pad;
    c->m = test_doubles(K*ld);
    c->psi = test_doubles(K*ld);
    c->dm = test_doubles(K*ld);
    c->dpsi = test_doubles(K*ld);
    c->q.K = K;
    c->q.D = D;
    c->q.ld = ld;
    c->q.m = c->m;
    c->q.psi = c->psi;
    mixture_fill(K, D, ld, c->m);
    mixture_fill(K, D, ld, c->psi);
    mixture_zero(c);
    for (size_t k = 0; k < K; k++)
        for (size_t i = 0; i < D; i++) {
            c->m[k*ld + i] = apart*test_normal(&r);
            c->psi[k*ld + i] = 0.2 + test_uniform(&r);
        }
    c->work = test_doubles(blni_mixture_entropy_work(&c->q));
}

static void mixture_free(mixture_case *c)
{
    free(c->m);
    free(c->psi);
    free(c->dm);
    free(c->dpsi);
    free(c->work);
}

static double mixture_log_sum(size_t n, const double *x)
{
    double top = -HUGE_VAL, sum = 0.0;
    for (size_t i = 0; i < n; i++) if (x[i] > top) top = x[i];
    for (size_t i = 0; i < n; i++) sum += exp(x[i] - top);
    return top + log(sum);
}

/* [variational 6], [variational 8] as they stand. */
static double mixture_entropy_definition(const blni_mixture *q, bln_entropy_kind kind)
{
    const size_t K = q->K, D = q->D;
    const double pi = 3.14159265358979323846, e = 2.71828182845904523536;
    double own = 0.0, rows = 0.0;
    for (size_t k = 0; k < K; k++) {
        double term[16];
        for (size_t i = 0; i < D; i++) own += 0.5*log(2.0*pi*e*q->psi[k*q->ld + i]);
        for (size_t j = 0; j < K; j++) {
            term[j] = 0.0;
            for (size_t i = 0; i < D; i++) {
                const double a = q->psi[k*q->ld + i], b = q->psi[j*q->ld + i], d = q->m[k*q->ld + i] - q->m[j*q->ld + i];
                if (kind == BLN_ENTROPY_JENSEN) term[j] -= 0.5*(log(2.0*pi*(a + b)) + d*d/(a + b));
                else term[j] -= 0.25*d*d/(a + b) + 0.5*log(a + b) - 0.5*log(2.0) - 0.25*(log(a) + log(b));
            }
        }
        rows += mixture_log_sum(K, term);
    }
    const double overlap = log((double)K) - rows/(double)K;
    if (K == 1) return own;
    return kind == BLN_ENTROPY_JENSEN ? overlap : own/(double)K + overlap;
}

/* ---- golden values */

static blni_mixture mixture_golden(void)
{
    blni_mixture q;
    q.K = 2;
    q.D = 3;
    q.m = golden_mixture_m;
    q.psi = golden_mixture_psi;
    q.ld = 0;
    return q;
}

/* Mean and variance of each weight, as the posterior of these components tells them. */
static void mixture_moments(const blni_mixture *q, double *mean, double *var)
{
    bln_diagonals view;
    bln_basis *b = NULL;
    const bln_basis *bases[1];
    const double noise = 1.0;
    CHECK_OK(bln_linear_create(NULL, q->D, 0, &b));
    view.m = q->m;
    view.psi = q->psi;
    view.ld = q->ld;
    bases[0] = b;
    const bln_group g = posterior_group(bln_kind_diagonal(), &view, q->K, &noise);
    const bln_posterior p = posterior_of(bases, 1, 1, bln_observe_noise(1), &g, 1);
    CHECK_OK(bln_posterior_coefficients(&p, mean, var, 0, NULL, NULL, NULL, NULL));
    for (size_t i = 0; i < q->D && var; i++) var[i] *= var[i];
    bln_basis_free(b);
}

static void mixture_golden_lambda(double *lambda)
{
    for (size_t i = 0; i < 3; i++) lambda[i] = golden_mixture_lambda_slice[(size_t)golden_mixture_slice[i]];
}

TEST(mixture, golden_values)
{
    const blni_mixture q = mixture_golden();
    double mean[12], var[12], lambda[3], slopes[3] = { 0, 0, 0 }, work[1000], f[2], v[2], f_mean[4], f_var[4];
    bln_latent latent;
    CHECK_LE((double)blni_mixture_work(&q, 6), 1000.0);
    CHECK_LE((double)blni_mixture_entropy_work(&q), 1000.0);
    blni_mixture_project(&q, 6, golden_mixture_Phi, 3, mean, var, 6, work);
    for (size_t r = 0; r < 6; r++)
        for (size_t k = 0; k < 2; k++) {
            CHECK_GOLD(mean[6*k + r], golden_mixture_mu[2*r + k], 1e-14);
            CHECK_GOLD(var[6*k + r], golden_mixture_v[2*r + k], 1e-14);
        }
    mixture_golden_lambda(lambda);
    CHECK_GOLD(blni_mixture_log_prior(&q, lambda, NULL, NULL, slopes), golden_mixture_R[0], 1e-13);
    CHECK_GOLD(slopes[0], golden_mixture_dloglambda[0], 1e-13);
    CHECK_GOLD(slopes[1] + slopes[2], golden_mixture_dloglambda[1], 1e-13);
    mixture_moments(&q, mean, var);
    CHECK_GOLD(var[0] + mean[0]*mean[0], golden_mixture_lambda_opt[0], 1e-14);
    CHECK_GOLD(0.5*(var[1] + mean[1]*mean[1] + var[2] + mean[2]*mean[2]), golden_mixture_lambda_opt[1], 1e-14);
    CHECK_GOLD(blni_mixture_entropy(&q, BLN_ENTROPY_JENSEN, NULL, NULL, work), golden_mixture_H_J[0], 1e-13);
    CHECK_GOLD(blni_mixture_entropy(&q, BLN_ENTROPY_PAIRS, NULL, NULL, work), golden_mixture_H_B[0], 1e-13);
    blni_mixture_project(&q, 2, golden_mixture_Phi_star, 3, mean, var, 2, work);
    for (size_t r = 0; r < 2; r++)
        for (size_t k = 0; k < 2; k++) {
            CHECK_GOLD(mean[2*k + r], golden_mixture_star_mu[2*r + k], 1e-14);
            CHECK_GOLD(var[2*k + r], golden_mixture_star_v[2*r + k], 1e-14);
        }
    for (size_t r = 0; r < 2; r++)
        for (size_t k = 0; k < 2; k++) {
            f_mean[2*r + k] = mean[2*k + r];
            f_var[2*r + k] = var[2*k + r];
        }
    memset(&latent, 0, sizeof latent);
    latent.K = 2;
    latent.mean = f_mean;
    latent.var = f_var;
    latent_moments(&latent, 2, 0, NULL, f, v);
    for (size_t r = 0; r < 2; r++) {
        CHECK_GOLD(f[r], golden_mixture_star_mean[r], 1e-14);
        CHECK_GOLD(v[r], golden_mixture_star_var[r], 1e-14);
    }
}

/* The gradients of the whole bound, its expectations' slopes given. */
TEST(mixture, golden_gradients)
{
    const blni_mixture q = mixture_golden();
    const double nu = golden_mixture_nu[0];
    double lambda[3], work[1000];
    mixture_golden_lambda(lambda);
    for (size_t l = 0; l < GOLDEN_MIXTURE_LIKELIHOODS; l++)
        for (int kind = BLN_ENTROPY_PAIRS; kind <= BLN_ENTROPY_JENSEN; kind++) {
            const double *dm_want = (kind == BLN_ENTROPY_PAIRS ? golden_mixture_dm_B : golden_mixture_dm_J) + 6*l;
            const double *dlogpsi_want = (kind == BLN_ENTROPY_PAIRS ? golden_mixture_dlogpsi_B : golden_mixture_dlogpsi_J) + 6*l;
            double a[12], b[12], dm[6] = { 0 }, dpsi[6] = { 0 }, F[18];
            for (size_t r = 0; r < 6; r++)
                for (size_t k = 0; k < 2; k++) {
                    a[6*k + r] = 0.5*nu*golden_mixture_g[12*l + 2*r + k];
                    b[6*k + r] = 0.25*nu*golden_mixture_h[12*l + 2*r + k];
                }
            blni_mixture_pullback(&q, 6, golden_mixture_Phi, 3, a, b, 6, dm, dpsi, F, 3, work);
            blni_mixture_log_prior(&q, lambda, dm, dpsi, NULL);
            blni_mixture_entropy(&q, (bln_entropy_kind)kind, dm, dpsi, work);
            for (size_t i = 0; i < 6; i++) {
                CHECK_GOLD(dm[i], dm_want[i], 1e-12);
                CHECK_GOLD(dpsi[i]*q.psi[i], dlogpsi_want[i], 1e-12);
            }
            for (size_t i = 0; i < 18; i++) CHECK_GOLD(F[i], golden_mixture_F[18*l + i], 1e-12);
        }
}

/* ---- rows */

/* Blocks of 64 rows, with remainders, strides and gaps, against loops. All are sums of 131 products of order 1 at most, or of D,
 * whose error is D eps times the sum of their sizes. */
static void mixture_rows(size_t K, size_t D)
{
    enum { MOST = 130 };
    static const size_t counts[] = { 0, 1, 5, 63, 64, 65, MOST };
    const size_t LDPHI = D + 2, LDF = D + 1;
    const double part = 1e-13 + 2.0*DBL_EPSILON*(double)(D*D);
    mixture_case c;
    mixture_make(&c, K, D, 2, 1.0, 11);
    double *Phi = test_doubles(MOST*LDPHI), *F = test_doubles(MOST*LDF), *x[4];
    test_random r = test_random_new(12);
    test_fill_normal(&r, MOST*LDPHI, Phi);
    for (size_t t = 0; t < sizeof counts/sizeof *counts; t++) {
        const size_t n = counts[t], ldn = n + 3;
        double *work = test_doubles(blni_mixture_work(&c.q, n));
        for (size_t k = 0; k < 4; k++) {
            x[k] = test_doubles(K*ldn);
            test_fill_normal(&r, K*ldn, x[k]);
        }
        double *mean = x[0], *var = x[1], *a = x[2], *b = x[3];
        const double untouched = mean[n];
        mixture_zero(&c);
        c.dm[0] = 10.0;                                              /* added to, not overwritten */
        c.dpsi[0] = 20.0;
        for (size_t i = 0; i < MOST*LDF; i++) F[i] = 2.385;
        blni_mixture_project(&c.q, n, Phi, LDPHI, mean, var, ldn, work);
        blni_mixture_pullback(&c.q, n, Phi, LDPHI, a, b, ldn, c.dm, c.dpsi, F, LDF, work);
        CHECK(mean[n] == untouched);
        for (size_t s = 0; s < n; s++) {
            for (size_t k = 0; k < K; k++) {
                double m = 0.0, w = 0.0;
                for (size_t i = 0; i < D; i++) {
                    m += Phi[s*LDPHI + i]*c.m[k*c.q.ld + i];
                    w += Phi[s*LDPHI + i]*Phi[s*LDPHI + i]*c.psi[k*c.q.ld + i];
                }
                CHECK_NEAR(mean[k*ldn + s], m, part);
                CHECK_NEAR(var[k*ldn + s], w, part);
            }
            for (size_t i = 0; i < D; i++) {
                double want = 0.0;
                for (size_t k = 0; k < K; k++)
                    want += a[k*ldn + s]*c.m[k*c.q.ld + i] + 2.0*Phi[s*LDPHI + i]*b[k*ldn + s]*c.psi[k*c.q.ld + i];
                CHECK_NEAR(F[s*LDF + i], want, part);
            }
            CHECK(F[s*LDF + D] == 2.385);
        }
        for (size_t k = 0; k < K; k++)
            for (size_t i = 0; i < D + 2; i++) {
                double dm = k == 0 && i == 0 ? 10.0 : 0.0, dpsi = k == 0 && i == 0 ? 20.0 : 0.0;
                for (size_t s = 0; s < n; s++) {
                    dm += a[k*ldn + s]*Phi[s*LDPHI + i];
                    dpsi += b[k*ldn + s]*Phi[s*LDPHI + i]*Phi[s*LDPHI + i];
                }
                CHECK_NEAR(c.dm[k*c.q.ld + i], i < D ? dm : 2.385, 1e-12);
                CHECK_NEAR(c.dpsi[k*c.q.ld + i], i < D ? dpsi : 2.385, 1e-12);
            }
        blni_mixture_project(&c.q, n, Phi, LDPHI, NULL, NULL, ldn, work);
        blni_mixture_pullback(&c.q, n, Phi, LDPHI, a, b, ldn, NULL, NULL, NULL, LDF, work);
        double *alone = test_doubles(K*c.q.ld);
        memset(alone, 0, K*c.q.ld*sizeof *alone);
        blni_mixture_pullback(&c.q, n, Phi, LDPHI, a, b, ldn, alone, NULL, NULL, LDF, work);
        for (size_t i = 0; i < K*c.q.ld; i++)
            if (i % c.q.ld < D) CHECK_NEAR(alone[i] + (i ? 0.0 : 10.0), c.dm[i], 1e-12);
        free(alone);
        for (size_t k = 0; k < 4; k++) free(x[k]);
        free(work);
    }
    free(Phi);
    free(F);
    mixture_free(&c);
}

/* Every level, with a part of a vector at the end, an odd component, more of them than are moved together, strips of features. */
TEST(mixture, rows_against_definition)
{
    static const size_t sizes[][2] = { { 3, 7 }, { 1, 1 }, { 1, 16 }, { 2, 61 }, { 18, 9 }, { 2, 770 } };
    for (int level = 0; level <= TEST_TOP_LEVEL; level++) {
        bln_cpu_level_force(level);
        for (size_t s = 0; s < sizeof sizes/sizeof *sizes; s++) mixture_rows(sizes[s][0], sizes[s][1]);
    }
    bln_cpu_level_force(-1);
}

/* Means far from 0 leave the variances what they are. */
TEST(mixture, moments)
{
    mixture_case c;
    double mean[5], var[5], again[5], same[5];
    mixture_make(&c, 4, 5, 1, 1.0, 21);
    mixture_moments(&c.q, mean, var);
    for (size_t i = 0; i < 5; i++) {
        double m = 0.0, v = 0.0;
        for (size_t k = 0; k < 4; k++) m += c.m[k*6 + i]/4.0;
        for (size_t k = 0; k < 4; k++) v += (c.psi[k*6 + i] + (c.m[k*6 + i] - m)*(c.m[k*6 + i] - m))/4.0;
        CHECK_NEAR(mean[i], m, 1e-15);
        CHECK_NEAR(var[i], v, 1e-14);
    }
    for (size_t k = 0; k < 4; k++) for (size_t i = 0; i < 5; i++) c.m[k*6 + i] += 1073741824.0;      /* 2^30: m keeps 2^-22 */
    mixture_moments(&c.q, same, NULL);
    mixture_moments(&c.q, NULL, again);
    for (size_t i = 0; i < 5; i++) {
        CHECK_NEAR(again[i], var[i], 1e-5);
        CHECK_NEAR(same[i] - 1073741824.0, mean[i], 1e-6);
    }
    mixture_free(&c);
}

/* ---- entropy and prior */

/* Both kinds by every level against their definition, for sizes around whole vectors of four and the chunk of 1024 weights. Each
 * log and each quotient has an error of a few eps of what it is at most: 4 for these. */
TEST(mixture, entropy_against_definition)
{
    static const size_t sizes[] = { 1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 63, 70, 1023, 1057 };
    for (int level = 0; level <= TEST_TOP_LEVEL; level++) {
        bln_cpu_level_force(level);
        for (size_t s = 0; s < sizeof sizes/sizeof *sizes; s++)
            for (size_t K = 1; K <= 4; K += K == 1 ? 1 : 2) {
                const size_t D = sizes[s];
                mixture_case c;
                mixture_make(&c, K, D, 3, 2.0/sqrt((double)D), 100 + D + K);
                for (int kind = BLN_ENTROPY_PAIRS; kind <= BLN_ENTROPY_JENSEN; kind++) {
                    const double want = mixture_entropy_definition(&c.q, (bln_entropy_kind)kind);
                    const double got = blni_mixture_entropy(&c.q, (bln_entropy_kind)kind, NULL, NULL, c.work);
                    CHECK_NEAR(got, want, 16*DBL_EPSILON*(double)(D + 4)*4.0);
                    CHECK_NEAR(blni_mixture_entropy(&c.q, (bln_entropy_kind)kind, c.dm, c.dpsi, c.work), got, 0.0);
                    CHECK_NEAR(blni_mixture_entropy(&c.q, (bln_entropy_kind)kind, NULL, c.dpsi, c.work), got, 0.0);
                    CHECK_NEAR(blni_mixture_entropy(&c.q, (bln_entropy_kind)kind, c.dm, NULL, c.work), got, 0.0);
                }
                for (size_t k = 0; k < K; k++)
                    for (size_t i = D; i < c.q.ld; i++) CHECK(c.dm[k*c.q.ld + i] == 2.385 && c.dpsi[k*c.q.ld + i] == 2.385);
                mixture_free(&c);
            }
    }
    bln_cpu_level_force(-1);
}

/* Of components far apart only as much is summed up as shows that they are: neither bound nor gradient has a trace of the pair.
 * Near where that begins, beyond it, and far beyond it with variances of other sizes. */
TEST(mixture, entropy_of_components_far_apart)
{
    for (int level = 0; level <= TEST_TOP_LEVEL; level++) {
        bln_cpu_level_force(level);
        for (int far = 0; far < 3; far++)
            for (int kind = BLN_ENTROPY_PAIRS; kind <= BLN_ENTROPY_JENSEN; kind++) {
                enum { K = 3, D = 1057 };
                mixture_case c;
                mixture_make(&c, K, D, 1, far == 0 ? 0.3 : far == 1 ? 1.0 : 1e3, 77);
                for (size_t i = 0; i < D && far == 2; i++) c.psi[2*c.q.ld + i] *= 1e4;        /* S_k far apart as well */
                const double want = mixture_entropy_definition(&c.q, (bln_entropy_kind)kind);
                mixture_zero(&c);
                CHECK_NEAR(blni_mixture_entropy(&c.q, (bln_entropy_kind)kind, c.dm, c.dpsi, c.work), want, 64*DBL_EPSILON*D*16.0);
                for (size_t k = 0; k < K && far == 2; k++)
                    for (size_t i = 0; i < D; i++) {
                        CHECK(c.dm[k*c.q.ld + i] == 0.0);
                        CHECK_GOLD(c.dpsi[k*c.q.ld + i]*c.psi[k*c.q.ld + i], 0.5/K, 1e-14);
                    }
                mixture_free(&c);
            }
    }
    bln_cpu_level_force(-1);
}

/* Two components at a distance where the pair still bears on gradients, R = e^(-d^2/c) = e^-43, and where it is left out, e^-51:
 * dH/dm_0i = 2 R d_i/c, or exactly 0; c = 8 by pairs (Bhattacharyya), 4 by Jensen's inequality. Over so many weights that sums may
 * end on the way. Rounding of R: 43 eps and that of the sum, D eps at most. */
TEST(mixture, entropy_where_pairs_end)
{
    enum { D = 1057 };
    double m[2*D], psi[2*D], dm[2*D], dpsi[2*D];
    blni_mixture q = BLN_ZERO;
    q.K = 2;
    q.D = D;
    q.m = m;
    q.psi = psi;
    double *work = test_doubles(blni_mixture_entropy_work(&q));
    for (int level = 0; level <= TEST_TOP_LEVEL; level++) {
        bln_cpu_level_force(level);
        for (int i = 0; i < 4; i++) {
            const int far = i % 2;
            const double c = i < 2 ? 8.0 : 4.0, d = sqrt(c*(far ? 51.0 : 43.0)/D), want = far ? 0.0 : 2.0*d/c*exp(-43.0);
            for (int j = 0; j < D; j++) {
                m[j] = 0.5*d;
                m[D + j] = -0.5*d;
                psi[j] = psi[D + j] = 1.0;
            }
            for (int j = 0; j < 2*D; j++) dm[j] = dpsi[j] = 0.0;
            blni_mixture_entropy(&q, i < 2 ? BLN_ENTROPY_PAIRS : BLN_ENTROPY_JENSEN, dm, dpsi, work);
            for (int j = 0; j < D; j++) {
                CHECK_NEAR(dm[j], want, 43*D*DBL_EPSILON*want);
                CHECK_NEAR(dm[D + j], -want, 43*D*DBL_EPSILON*want);
            }
        }
    }
    free(work);
    bln_cpu_level_force(-1);
}

/* Five-point differences of order h^4 = 1e-12 in what is of order 1; rounding: 1e-14 times |H| over h = 1e-3. */
static double mixture_difference(mixture_case *c, double *x, const double *lambda, int what)
{
    const double keep = *x, h = 1e-3*fabs(keep) + 1e-4;
    static const double weight[4] = { 1.0/12.0, -8.0/12.0, 8.0/12.0, -1.0/12.0 }, at[4] = { -2.0, -1.0, 1.0, 2.0 };
    double slope = 0.0;
    for (int k = 0; k < 4; k++) {
        *x = keep + at[k]*h;
        slope += weight[k]/h*(what == 2 ? blni_mixture_log_prior(&c->q, lambda, NULL, NULL, NULL)
                                        : blni_mixture_entropy(&c->q, (bln_entropy_kind)what, NULL, NULL, c->work));
    }
    *x = keep;
    return slope;
}

TEST(mixture, gradients_against_differences)
{
    static const size_t sizes[] = { 1, 2, 9, 35 };
    for (int level = 0; level <= TEST_TOP_LEVEL; level++) {
        bln_cpu_level_force(level);
        for (size_t s = 0; s < 4; s++)
            for (size_t K = 1; K <= 4; K++)
                for (int what = BLN_ENTROPY_PAIRS; what <= BLN_ENTROPY_JENSEN + 1; what++) {
                    const size_t D = sizes[s];
                    double lambda[35], dlambda[35];
                    mixture_case c;
                    mixture_make(&c, K, D, 1, 1.5/sqrt((double)D), 7*D + K);
                    for (size_t i = 0; i < D; i++) {
                        lambda[i] = 0.5 + (double)i/20.0;
                        dlambda[i] = 3.0;
                    }
                    for (size_t i = 0; i < D; i++) c.dm[i] = c.dpsi[i] = 1.0;      /* added to */
                    if (what == 2) blni_mixture_log_prior(&c.q, lambda, c.dm, c.dpsi, dlambda);
                    else blni_mixture_entropy(&c.q, (bln_entropy_kind)what, c.dm, c.dpsi, c.work);
                    for (size_t k = 0; k < K; k++)
                        for (size_t i = 0; i < D; i += 1 + D/8) {
                            const size_t at = k*c.q.ld + i;
                            const double one = k == 0 ? 1.0 : 0.0;
                            CHECK_GOLD(c.dm[at] - one, mixture_difference(&c, c.m + at, lambda, what), 1e-9);
                            CHECK_GOLD(c.dpsi[at] - one, mixture_difference(&c, c.psi + at, lambda, what), 1e-9);
                        }
                    for (size_t i = 0; i < D && what == 2; i += 4)
                        CHECK_GOLD((dlambda[i] - 3.0)/lambda[i], mixture_difference(&c, lambda + i, lambda, 2), 1e-9);
                    mixture_free(&c);
                }
    }
    bln_cpu_level_force(-1);
}

/* One component: 1/2 sum log 2 pi e psi, with slope 1/(2 psi). Copies of it: the same with PAIRS; the gradient is the share of
 * each. */
TEST(mixture, equal_components)
{
    enum { D = 50 };
    for (size_t K = 1; K <= 5; K++) {
        mixture_case c;
        double want = 0.0;
        mixture_make(&c, K, D, 0, 1.0, 31);
        for (size_t k = 1; k < K; k++) {
            memcpy(c.m + k*D, c.m, D*sizeof(double));
            memcpy(c.psi + k*D, c.psi, D*sizeof(double));
        }
        for (size_t i = 0; i < D; i++) want += 0.5*(log(c.psi[i]) + 1.0 + log(2.0*3.14159265358979323846));
        CHECK_NEAR(blni_mixture_entropy(&c.q, BLN_ENTROPY_PAIRS, c.dm, c.dpsi, c.work), want, 8*DBL_EPSILON*want);
        for (size_t i = 0; i < K*D; i++) {
            CHECK_NEAR(c.dm[i], 0.0, 0.0);
            CHECK_NEAR(c.dpsi[i], 0.5/c.psi[i]/(double)K, 1e-14/c.psi[i]);
        }
        mixture_zero(&c);
        const double jensen = blni_mixture_entropy(&c.q, BLN_ENTROPY_JENSEN, c.dm, c.dpsi, c.work);
        CHECK_NEAR(jensen, want - (K > 1 ? 0.5*D*(1.0 - log(2.0)) : 0.0), 8*DBL_EPSILON*want);
        for (size_t i = 0; i < K*D; i++) CHECK_NEAR(c.dpsi[i], 0.5/c.psi[i]/(double)K, 1e-14/c.psi[i]);
        mixture_free(&c);
    }
}

/* 100 standard deviations apart: log K + the mean of the components' entropies, with their own gradients. */
TEST(mixture, distant_components)
{
    enum { D = 20, K = 3 };
    mixture_case c;
    double want = log((double)K);
    mixture_make(&c, K, D, 0, 1.0, 41);
    for (size_t k = 0; k < K; k++)
        for (size_t i = 0; i < D; i++) {
            c.m[k*D + i] += 100.0*(double)k;
            want += (log(c.psi[k*D + i]) + 1.0 + log(2.0*3.14159265358979323846))/(2.0*K);
        }
    CHECK_NEAR(blni_mixture_entropy(&c.q, BLN_ENTROPY_PAIRS, c.dm, c.dpsi, c.work), want, 16*DBL_EPSILON*fabs(want));
    CHECK_NEAR(blni_mixture_entropy(&c.q, BLN_ENTROPY_JENSEN, NULL, NULL, c.work), want - 0.5*D*(1.0 - log(2.0)),
               16*DBL_EPSILON*fabs(want));
    for (size_t i = 0; i < K*D; i++) {
        CHECK_NEAR(c.dm[i], 0.0, 0.0);
        CHECK_NEAR(c.dpsi[i], 0.5/c.psi[i]/K, 4*DBL_EPSILON/c.psi[i]);
    }
    mixture_free(&c);
}

/* The truth is the mean of -log q over draws; its standard error is known from the same draws. Both bounds are below; the default
 * is near, some 0.1 below at most 0.25 for these. */
TEST(mixture, entropy_bounds_are_bounds)
{
    enum { DRAWS = 4000, K = 4 };
    static const size_t sizes[] = { 1, 2, 5, 10 };
    for (size_t s = 0; s < 4; s++)
        for (uint64_t salt = 0; salt < 3; salt++) {
            const size_t D = sizes[s];
            mixture_case c;
            double w[10], sum = 0.0, square = 0.0;
            mixture_make(&c, K, D, 0, 1.5, 50 + salt);
            for (uint64_t t = 0; t < DRAWS; t++) {
                double term[K];
                bln_rng rng;
                bln_rng_seed(&rng, 5, t);
                const size_t from = (size_t)bln_rng_below(&rng, K);
                bln_rng_normals(&rng, D, w);
                for (size_t i = 0; i < D; i++) w[i] = c.m[from*D + i] + sqrt(c.psi[from*D + i])*w[i];
                for (size_t k = 0; k < K; k++) {
                    term[k] = -log((double)K);
                    for (size_t i = 0; i < D; i++) {
                        const double v = c.psi[k*D + i], d = w[i] - c.m[k*D + i];
                        term[k] -= 0.5*(log(2.0*3.14159265358979323846*v) + d*d/v);
                    }
                }
                const double x = -mixture_log_sum(K, term);
                sum += x;
                square += x*x;
            }
            const double mean = sum/DRAWS, error = sqrt((square/DRAWS - mean*mean)/DRAWS);
            const double pairs = blni_mixture_entropy(&c.q, BLN_ENTROPY_PAIRS, NULL, NULL, c.work);
            CHECK_LE(pairs, mean + 5.0*error);
            CHECK_LE(blni_mixture_entropy(&c.q, BLN_ENTROPY_JENSEN, NULL, NULL, c.work), mean + 5.0*error);
            CHECK_LE(mean - 5.0*error, pairs + 0.25);
            mixture_free(&c);
        }
}

/* Variances and means whose products of four, or of eight, would leave the range of doubles; the logs of them do not. */
TEST(mixture, extreme_sizes)
{
    static const double scales[] = { 1e-300, 1e-100, 1e-37, 1e-36, 1e36, 1e37, 1e100, 1e300 };
    for (size_t s = 0; s < sizeof scales/sizeof *scales; s++) {
        enum { K = 3, D = 9 };
        mixture_case c, unit;
        mixture_make(&c, K, D, 0, 1.0, 61);
        mixture_make(&unit, K, D, 0, 1.0, 61);
        for (size_t i = 0; i < K*D; i++) {
            c.m[i] *= sqrt(scales[s]);
            c.psi[i] *= scales[s];
        }
        /* A change of units: w' = sqrt(scale) w adds 1/2 D log scale, of some 6000 eps. */
        for (int kind = BLN_ENTROPY_PAIRS; kind <= BLN_ENTROPY_JENSEN; kind++)
            CHECK_NEAR(blni_mixture_entropy(&c.q, (bln_entropy_kind)kind, NULL, NULL, c.work),
                       blni_mixture_entropy(&unit.q, (bln_entropy_kind)kind, NULL, NULL, unit.work) + 0.5*D*log(scales[s]),
                       1e-15*D*(30.0 + fabs(log(scales[s]))));
        /* One component alone, the first or the last: the others do not know it, and the result stays finite. */
        for (size_t k = 0; k < K; k += K - 1) {
            double keep[D];
            memcpy(keep, unit.psi + k*D, sizeof keep);
            memcpy(unit.psi + k*D, c.psi, sizeof keep);
            const double h = blni_mixture_entropy(&unit.q, BLN_ENTROPY_PAIRS, unit.dm, unit.dpsi, unit.work);
            CHECK_NEAR(h, mixture_entropy_definition(&unit.q, BLN_ENTROPY_PAIRS), 1e-15*D*(30.0 + fabs(log(scales[s]))));
            for (size_t i = 0; i < K*D; i++) CHECK(blni_finite(unit.dm[i]) && blni_finite(unit.dpsi[i]));
            memcpy(unit.psi + k*D, keep, sizeof keep);
        }
        mixture_free(&c);
        mixture_free(&unit);
    }
    /* Huge means are far apart. */
    mixture_case c;
    mixture_make(&c, 2, 5, 0, 1.0, 62);
    c.m[0] = 1e200;
    const double h = blni_mixture_entropy(&c.q, BLN_ENTROPY_PAIRS, c.dm, c.dpsi, c.work);
    CHECK(blni_finite(h) && c.dm[0] == 0.0 && blni_finite(c.dpsi[0]));
    mixture_free(&c);
}

/* ---- draws */

TEST(mixture, checks)
{
    mixture_case c;
    blni_mixture q;
    mixture_make(&c, 2, 3, 1, 1.0, 91);
    q = c.q;
    q.D = (size_t)-1/4;
    CHECK(blni_mixture_work(&q, 64) == (size_t)-1);
    q.K = (size_t)-1/4;
    CHECK(blni_mixture_entropy_work(&q) == (size_t)-1);
    mixture_free(&c);
}

/* Variances whose ratios, and ratios whose products, are beyond the doubles; and variances that are none. */
/* A share of the rows of a projection has kernels above level 0 only: at level 0 it adds nothing, and nobody asks it. */
TEST(mixture, shares_at_level_0)
{
    const blni_mixture q = mixture_golden();
    double mean[4] = { 7.0, 7.0, 7.0, 7.0 }, var[4] = { 7.0, 7.0, 7.0, 7.0 };
    blni_mixture_job p = blni_mixture_job_of(&q, 1, golden_mixture_Phi, 3);
    p.mean = mean;
    p.var = var;
    p.ldn = 1;
    p.pieces = 1;
    bln_cpu_level_force(0);
    blni_project_share(&p, 0);
    CHECK(mean[0] == 0.0 && var[0] == 0.0);
    CHECK(!blni_mixture_project_both(&q, 1, golden_mixture_Phi, 3, mean, var, 1));
    bln_cpu_level_force(-1);
}

TEST(mixture, ratios_beyond_the_range)
{
    double x[12], psi[7] = { 1.0, 2.0, NAN, 3.0, 1.0, 1.0, 1.0 };
    int safe = 1;
    for (int up = 0; up < 2; up++)
        CHECK_REL(blni_overlap_log(up ? 1e300 : 1e-300, up ? 1e-300 : 1e300), 600.0*log(10.0) - 2.0*log(2.0), 4.0*DBL_EPSILON);
    for (size_t i = 0; i < 12; i++) x[i] = 1e100;
    CHECK_REL(blni_overlap_add_ratios(12, x), 1200.0*log(10.0), 8.0*DBL_EPSILON);
    const double logs = blni_mixture_logs(7, psi, &safe);
    CHECK(logs != logs && !safe);
}

SUITE_BEGIN(mixture)
SUITE_TEST(mixture, golden_values)
SUITE_TEST(mixture, golden_gradients)
SUITE_TEST(mixture, rows_against_definition)
SUITE_TEST(mixture, moments)
SUITE_TEST(mixture, entropy_against_definition)
SUITE_TEST(mixture, entropy_of_components_far_apart)
SUITE_TEST(mixture, entropy_where_pairs_end)
SUITE_TEST(mixture, gradients_against_differences)
SUITE_TEST(mixture, equal_components)
SUITE_TEST(mixture, distant_components)
SUITE_TEST(mixture, entropy_bounds_are_bounds)
SUITE_TEST(mixture, extreme_sizes)
SUITE_TEST(mixture, shares_at_level_0)
SUITE_TEST(mixture, ratios_beyond_the_range)
SUITE_TEST(mixture, checks)
SUITE_END(mixture)

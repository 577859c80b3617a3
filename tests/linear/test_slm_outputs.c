/* test_slm_outputs - several outputs: evidence, gradient and predictions against the dense Gaussian of N P numbers written out;
 * against single outputs where they must agree; profiles against searches; statistics; memory and errors. */
#include "../test.h"
#include "slm_outputs_tools.h"
#include "posterior_of.h"

enum { OUT_N = 14, OUT_P = 3 };
static const double out_slice[2] = { 0.7, 2.3 }, out_theta[1] = { 1.1 };
static const bln_slm_form out_forms[2] = { BLN_SLM_PRIMAL, BLN_SLM_DUAL };
static const bln_slm_sigma out_kinds[2] = { BLN_SLM_DIAGONAL, BLN_SLM_CORRELATED };

/* log p(Y) and the best Sigma, primal, dual and in three doubles: against the dense Gaussian. 1e-10 relative: 42 x 42 matrices of
 * condition below 1e4, so 42 x 1e4 eps = 1e-10 at the most. */
TEST(slm_outputs, evidence_dense)
{
    bln_basis *b = slm_parse("rbf:n=3+linear", 2, 1);
    bln_data data = outputs_make(OUT_N, 2, OUT_P, 1, 1);
    double ratio[16], sigma[9], best[9];
    outputs_ratios(b, out_slice, ratio);
    for (int k = 0; k < 2; k++) {
        outputs_sigma(OUT_P, k == 0, sigma);
        for (int a = 0; a < 3; a++) {
            bln_slm_desc desc = outputs_desc(b, out_forms[a == 1], OUT_P, out_kinds[k]);
            desc.arithmetic = a == 2 ? BLN_SLM_EXACT : a ? BLN_SLM_ARITHMETIC_AUTO : BLN_SLM_DOUBLE;
            bln_slm *slm = slm_new(&desc);
            double evidence;
            CHECK_OK(bln_slm_evidence_outputs(slm, &data, sigma, out_slice, out_theta, &evidence, best, NULL, NULL, NULL, NULL));
            outputs_dense g = outputs_dense_of(b, out_theta, &data, ratio, sigma);
            CHECK_REL(evidence, g.logp, 1e-10);
            for (size_t p = 0; p < 9; p++) CHECK_NEAR(best[p], sigma[p], 0.0);
            outputs_dense_free(&g);
            /* The best one: the dense evidence there, and no better in any direction of its kind. */
            CHECK_OK(bln_slm_evidence_outputs(slm, &data, NULL, out_slice, out_theta, &evidence, best, NULL, NULL, NULL, NULL));
            g = outputs_dense_of(b, out_theta, &data, ratio, best);
            CHECK_REL(evidence, g.logp, 1e-10);
            outputs_dense_free(&g);
            for (size_t p = 0; p < 3; p++)
                for (size_t q = p; q < (k ? OUT_P : p + 1); q++) {
                    double moved[9], less;
                    memcpy(moved, best, sizeof best);
                    moved[p*3 + q] *= 1.01;
                    moved[q*3 + p] = moved[p*3 + q];
                    CHECK_OK(bln_slm_evidence_outputs(slm, &data, moved, out_slice, out_theta, &less, NULL, NULL, NULL, NULL,
                                                      NULL));
                    CHECK(less < evidence);
                }
            bln_slm_free(slm);
        }
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* Little noise, and an output that is nearly the sum of two others: what is left of it given them is 1e-9 of its mean square. From
 * statistics alone that would cost 9 digits of log|Sigma|; the rows are asked, whose residuals are 1e-5 of it, so that four are
 * lost: eps/1e-4 for each of 30 rows is below 1e-10. Against three doubles, and the dual form. */
TEST(slm_outputs, nearly_dependent)
{
    enum { N = 30 };
    bln_basis *b = slm_parse("linear", 2, 1);
    test_random r = test_random_new(11);
    double X[N*2], y[N*3], evidence[3], sigma[9];
    const double ratio[1] = { 1e5 };
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = N;
    data.d = 2;
    data.X = X;
    data.y = y;
    data.p = 3;
    test_fill_normal(&r, N*2, X);
    for (size_t i = 0; i < N; i++) {
        y[3*i] = 1.0 + 2.0*X[2*i] + 3e-3*test_normal(&r);
        y[3*i + 1] = X[2*i + 1] - X[2*i] + 3e-3*test_normal(&r);
        y[3*i + 2] = y[3*i] + y[3*i + 1] + 3e-5*test_normal(&r);
    }
    for (int a = 0; a < 3; a++) {
        bln_slm_desc desc = outputs_desc(b, a == 1 ? BLN_SLM_DUAL : BLN_SLM_PRIMAL, 3, BLN_SLM_CORRELATED);
        desc.arithmetic = a == 0 ? BLN_SLM_DOUBLE : a == 2 ? BLN_SLM_EXACT : BLN_SLM_ARITHMETIC_AUTO;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_outputs(slm, &data, NULL, ratio, NULL, &evidence[a], sigma, NULL, NULL, NULL, NULL));
        bln_slm_free(slm);
    }
    CHECK_NEAR(evidence[0], evidence[2], 1e-8);
    CHECK_NEAR(evidence[1], evidence[2], 1e-6);      /* eps/1e-9, and the condition of K~ */
    bln_basis_free(b);
}

/* One output shared or not, relative or not; P outputs with sigma^2 I: all the same density. */
TEST(slm_outputs, shared_and_single)
{
    bln_basis *b = slm_parse("rbf:n=3+linear", 2, 1);
    bln_data data = outputs_make(OUT_N, 2, OUT_P, 2, 1);
    const double noise = 0.37, absolute[2] = { noise*out_slice[0], noise*out_slice[1] };
    for (int f = 0; f < 2; f++) {
        double sum = 0.0, sum_noise = 0.0, sum_prior[2] = { 0.0, 0.0 }, sum_theta = 0.0, value, d_noise, d_prior[2], d_theta;
        bln_slm_desc desc = slm_desc(b, out_forms[f]);
        bln_slm *single = slm_new(&desc);
        for (size_t p = 0; p < OUT_P; p++) {
            const bln_data one = outputs_one(&data, p);
            CHECK_OK(bln_slm_evidence_at(single, &one, noise, absolute, out_theta, &value, &d_noise, d_prior, &d_theta, NULL));
            sum += value;
            sum_noise += d_noise;
            sum_theta += d_theta;
            for (size_t s = 0; s < 2; s++) sum_prior[s] += d_prior[s];
        }
        bln_slm_free(single);
        /* Absolute prior variances: all gradients add [linear 41]. */
        desc.n_outputs = OUT_P;
        desc.sigma = BLN_SLM_SHARED;
        bln_slm *shared = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(shared, &data, noise, absolute, out_theta, &value, &d_noise, d_prior, &d_theta, NULL));
        CHECK_REL(value, sum, 1e-11);
        CHECK_GOLD(d_noise, sum_noise, 1e-10);
        CHECK_GOLD(d_theta, sum_theta, 1e-10);
        for (size_t s = 0; s < 2; s++) CHECK_GOLD(d_prior[s], sum_prior[s], 1e-10);
        bln_slm_free(shared);
        /* Ratios: the noise takes the prior with it. */
        desc.relative_prior = 1;
        bln_slm *relative = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(relative, &data, noise, out_slice, out_theta, &value, &d_noise, d_prior, &d_theta, NULL));
        CHECK_REL(value, sum, 1e-11);
        CHECK_GOLD(d_noise, sum_noise + sum_prior[0] + sum_prior[1], 1e-10);
        CHECK_GOLD(d_theta, sum_theta, 1e-10);
        for (size_t s = 0; s < 2; s++) CHECK_GOLD(d_prior[s], sum_prior[s], 1e-10);
        bln_slm_free(relative);
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* What a gradient is checked against: the fourth-order central difference of step 1e-3 in the logarithm. Its truncation is below
 * h^4 f^(5)/30 = 1e-12 of an evidence of a few hundred, rounding 1e-12/1e-3. */
typedef struct out_point { double slice[2], theta[2], sigma[9]; int profile; } out_point;

static double out_value(const bln_slm *slm, const bln_data *data, const out_point *p)
{
    double value = NAN;
    const double *sigma = p->profile ? NULL : p->sigma;
    CHECK_OK(bln_slm_evidence_outputs(slm, data, sigma, p->slice, p->theta, &value, NULL, NULL, NULL, NULL, NULL));
    return value;
}

/* d/dx of the number at offset `at` of the point, and its mirror image in a symmetric matrix. */
static double out_difference(const bln_slm *slm, const bln_data *data, const out_point *p, size_t at, size_t mirror, double step)
{
    static const double c[4] = { 8.0, -8.0, -1.0, 1.0 }, by[4] = { 1.0, -1.0, 2.0, -2.0 };
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        out_point moved = *p;
        double *x = (double *)(void *)&moved;
        x[at] += by[k]*step;
        if (mirror != at) x[mirror] += by[k]*step;
        sum += c[k]*out_value(slm, data, &moved);
    }
    return sum/(12.0*step);
}

TEST(slm_outputs, gradient_finite_differences)
{
    bln_basis *b = slm_parse("rbf:n=4,ard+linear", 2, 3);
    bln_data data = outputs_make(OUT_N, 2, OUT_P, 3, 1);
    for (int k = 0; k < 3; k++)
        for (int profile = 0; profile < 2; profile++)
            for (int f = 0; f < 2; f++) {
                const bln_slm_sigma kinds[3] = { BLN_SLM_DIAGONAL, BLN_SLM_CORRELATED, BLN_SLM_SHARED };
                const bln_slm_desc desc = outputs_desc(b, out_forms[f], OUT_P, kinds[k]);
                bln_slm *slm = slm_new(&desc);
                out_point p = { { 0.7, 2.3 }, { 1.1, 1.6 }, { 0 }, 0 };
                double d_prior[2], d_theta[2], d_cov[9];
                p.profile = profile;
                outputs_sigma(OUT_P, k != 1, p.sigma);
                CHECK_OK(bln_slm_evidence_outputs(slm, &data, profile ? NULL : p.sigma, p.slice, p.theta, NULL, NULL, d_cov,
                                                  d_prior, d_theta, NULL));
                for (size_t s = 0; s < 2; s++) {
                    CHECK_GOLD(d_prior[s], p.slice[s]*out_difference(slm, &data, &p, s, s, 1e-3*p.slice[s]), 1e-7);
                    CHECK_GOLD(d_theta[s], out_difference(slm, &data, &p, 2 + s, 2 + s, 1e-3*p.theta[s]), 1e-7);
                }
                for (size_t i = 0; i < 3 && !profile; i++)
                    for (size_t j = i; j < (k == 1 ? OUT_P : i + 1); j++)
                        CHECK_GOLD((i == j ? 1.0 : 2.0)*d_cov[i*3 + j],
                                   out_difference(slm, &data, &p, 4 + i*3 + j, 4 + j*3 + i, 1e-3*0.3), 1e-7);
                if (profile && k == 1) for (size_t i = 0; i < 9; i++) CHECK_NEAR(d_cov[i], 0.0, 1e-9);     /* it is the best */
                bln_slm_free(slm);
            }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* Predictions of a fit at fixed hyper-parameters: mean, variances, and the covariance of two outputs at a row by its rule; the
 * weights' means and standard deviations as the prediction of a feature that is 1. Against the dense Gaussian. */
TEST(slm_outputs, posterior_dense)
{
    bln_basis *b = slm_parse("rbf:n=3+linear", 2, 1);
    bln_data data = outputs_make(OUT_N, 2, OUT_P, 4, 1), star = outputs_make(4, 2, OUT_P, 5, 1);
    const size_t D = b->D;
    double ratio[16], sigma[9], Phi[64], mean[12], latent[12], total[12], m[3], cov[9], sd[48], own[12];
    outputs_ratios(b, out_slice, ratio);
    outputs_features(b, out_theta, &star, Phi);
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < 4; f++) {                                            /* all rows, and fewer than features */
            const bln_data rows = bln_data_rows(&data, 0, f < 2 ? OUT_N : 6);
            outputs_sigma(OUT_P, k == 0, sigma);
            bln_slm *slm = outputs_fixed(b, out_forms[f % 2], OUT_P, out_kinds[k], sigma, out_slice, out_theta, &rows);
            outputs_dense g = outputs_dense_of(b, out_theta, &rows, ratio, sigma);
            CHECK_REL(bln_slm_evidence(slm), g.logp, 1e-10);
            CHECK_SIZE(bln_slm_outputs(slm), OUT_P);
            CHECK_OK(total_of(bln_slm_posterior(slm), &star, mean, latent, total, NULL, NULL));
            CHECK_OK(total_of(bln_slm_posterior(slm), &star, NULL, NULL, own, NULL, NULL));
            for (size_t p = 0; p < 12; p++) CHECK_REL(own[p], total[p], 4.0*DBL_EPSILON);     /* products may be fused in one */
            for (size_t i = 0; i < 4; i++) {
                outputs_dense_predict(&g, ratio, sigma, Phi + i*D, m, cov);
                for (size_t p = 0; p < OUT_P; p++) {
                    CHECK_GOLD(mean[i*3 + p], m[p] + star.offset[i*star.ldoffset + p], 1e-10);
                    CHECK_GOLD(latent[i*3 + p], cov[p*4], 1e-10);
                    CHECK_GOLD(total[i*3 + p], cov[p*4] + sigma[p*4]*star.noise_var[i], 1e-10);
                    const double *noise = bln_slm_noise_cov(slm);
                    for (size_t q = 0; q < OUT_P; q++)
                        CHECK_GOLD(noise[p*3 + q]/noise[p*4]*latent[i*3 + p], cov[p*3 + q], 1e-10);
                }
            }
            CHECK_OK(sd_of(bln_slm_posterior(slm), sd));
            for (size_t j = 0; j < D; j++) {
                double unit[16] = { 0 }, C[256], work[256];
                unit[j] = 1.0;
                outputs_dense_predict(&g, ratio, sigma, unit, m, cov);
                for (size_t p = 0; p < OUT_P; p++) {
                    const blni_gaussian *w = gaussians_of(bln_slm_posterior(slm)) + p;
                    blni_gaussian_covariance(w, C, D, work);
                    CHECK_GOLD(w->m[j], m[p], 1e-10);
                    CHECK_GOLD(C[j*D + j], cov[p*4], 1e-10);
                    CHECK_GOLD(sd[p*D + j]*sd[p*D + j], cov[p*4], 1e-10);
                }
            }
            outputs_dense_free(&g);
            bln_slm_free(slm);
        }
    slm_free_data(&data);
    slm_free_data(&star);
    bln_basis_free(b);
}

/* At given ratios, a diagonal Sigma is P separate fits: evidence, noise variances, weights, predictions. */
TEST(slm_outputs, diagonal_is_separate)
{
    bln_basis *b = slm_parse("rbf:n=3+linear", 2, 1);
    bln_data data = outputs_make(OUT_N, 2, OUT_P, 6, 1);
    double mean[OUT_N*3], var[OUT_N*3], m[OUT_N], v[OUT_N];
    for (int f = 0; f < 2; f++) {
        bln_slm *all = outputs_fixed(b, out_forms[f], OUT_P, BLN_SLM_DIAGONAL, NULL, out_slice, out_theta, &data);
        double sum = 0.0;
        CHECK_OK(total_of(bln_slm_posterior(all), &data, mean, NULL, var, NULL, NULL));
        CHECK(bln_slm_noise_var(all) != bln_slm_noise_var(all));
        for (size_t p = 0; p < OUT_P; p++) {
            const bln_data one = outputs_one(&data, p);
            bln_slm *single = outputs_fixed(b, out_forms[f], 1, BLN_SLM_DIAGONAL, NULL, out_slice, out_theta, &one);
            sum += bln_slm_evidence(single);
            CHECK_REL(bln_slm_noise_cov(all)[p*4], bln_slm_noise_var(single), 1e-11);
            CHECK_OK(total_of(bln_slm_posterior(single), &one, m, NULL, v, NULL, NULL));
            for (size_t i = 0; i < OUT_N; i++) {
                CHECK_GOLD(mean[i*3 + p], m[i], 1e-11);
                CHECK_REL(var[i*3 + p], v[i], 1e-11);
            }
            for (size_t j = 0; j < b->D; j++) CHECK_GOLD(gaussians_of(bln_slm_posterior(all))[p].m[j],
                gaussians_of(bln_slm_posterior(single))->m[j], 1e-11);
            bln_slm_free(single);
        }
        CHECK_REL(bln_slm_evidence(all), sum, 1e-11);
        bln_slm_free(all);
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* One output: the search over ratios with sigma^2 in closed form ends where a search over sigma^2 too ends, which begins 1.3 times
 * away, in the same hollow. The evidence is flat there: within 1e-9 of it, hyper-parameters are within the square root of that. */
TEST(slm_outputs, profile_is_the_search)
{
    static const char *const specs[3] = { "linear", "rbf:n=8,ard+linear", "polynomial:degree=3+linear" };
    bln_data data = slm_make(40, 2, 7, 1);
    for (size_t k = 0; k < 3; k++)
        for (int f = 0; f < 2; f++) {
            bln_basis *b = slm_parse(specs[k], 2, 1);
            const double flat[2] = { 0.0, HUGE_VAL };
            bln_slm_desc desc = slm_desc(b, k == 2 ? BLN_SLM_AUTO : out_forms[f]);
            double mean[2][40], var[2][40];
            bln_slm *slm[2];
            desc.tolerance = 1e-13;
            desc.theta_sd = HUGE_VAL;
            if (k == 2) desc.prior_var = flat;
            double start[2], theta[2];
            for (int relative = 2; relative-- > 0;) {
                bln_report report;
                desc.relative_prior = relative;
                if (!relative) {
                    desc.noise_var = 1.3*bln_slm_noise_var(slm[1]);
                    for (size_t s = 0; s < b->n_slices; s++) start[s] = 1.3*bln_slm_prior_var(slm[1])[s]*bln_slm_noise_var(slm[1]);
                    for (size_t t = 0; t < b->n_theta; t++) theta[t] = 1.3*bln_slm_theta(slm[1])[t];
                    desc.prior_var = start;
                    desc.theta = theta;
                }
                slm[relative] = slm_new(&desc);
                CHECK_OK(bln_slm_fit(slm[relative], &data, &report));
                CHECK(report.text[0] == '\0');
                CHECK_OK(total_of(bln_slm_posterior(slm[relative]), &data, mean[relative], NULL, var[relative], NULL, NULL));
            }
            const double noise = bln_slm_noise_var(slm[0]);
            CHECK_REL(bln_slm_evidence(slm[1]), bln_slm_evidence(slm[0]), 1e-9);
            CHECK_REL(bln_slm_noise_var(slm[1]), noise, 3e-4);
            for (size_t s = 0; s < b->n_slices; s++)
                if (bln_slm_prior_var(slm[0])[s] < 1e6 && bln_slm_prior_var(slm[0])[s] > 1e-6)
                    CHECK_REL(noise*bln_slm_prior_var(slm[1])[s], bln_slm_prior_var(slm[0])[s], 2e-3);
            for (size_t i = 0; i < 40; i++) {
                CHECK_NEAR(mean[1][i], mean[0][i], 1e-3);
                CHECK_REL(var[1][i], var[0][i], 1e-3);
            }
            bln_slm_free(slm[0]);
            bln_slm_free(slm[1]);
            bln_basis_free(b);
        }
    slm_free_data(&data);
}

/* A fit ends where the gradient of the profile is 0, primal and dual alike; its evidence, Sigma and ratios are those of the point;
 * and with more ratios than one it beats, and with one it equals, what fixed points and starts could find elsewhere. */
TEST(slm_outputs, fit_is_stationary)
{
    bln_basis *b = slm_parse("rbf:n=10,ard+linear", 2, 1);
    bln_data data = outputs_make(40, 2, OUT_P, 8, 0);
    for (int k = 0; k < 2; k++) {
        double found[2];
        for (int f = 0; f < 2; f++)
            for (int theta = 0; theta < 2; theta++) {
                bln_slm_desc desc = outputs_desc(b, out_forms[f], OUT_P, out_kinds[k]);
                double evidence, sigma[9], d_prior[2], d_theta[2];
                const double start[2] = { 1.5, 2.0 };
                desc.tolerance = 1e-13;
                desc.theta_sd = HUGE_VAL;
                desc.theta = theta ? NULL : start;
                desc.fix_theta = !theta;
                bln_slm *slm = slm_fit(&desc, &data);
                CHECK_OK(bln_slm_evidence_outputs(slm, &data, NULL, bln_slm_prior_var(slm), bln_slm_theta(slm), &evidence, sigma,
                                                  NULL, d_prior, d_theta, NULL));
                CHECK_REL(bln_slm_evidence(slm), evidence, 1e-11);
                for (size_t p = 0; p < 9; p++) CHECK_REL(bln_slm_noise_cov(slm)[p], sigma[p], 1e-9);
                /* 1e-6 sqrt|f| is where the search stops; 1e-13 of progress may stop it before. */
                for (size_t s = 0; s < 2; s++) {
                    if (bln_slm_prior_var(slm)[s] > 1e-6) CHECK_NEAR(d_prior[s], 0.0, 1e-3);
                    if (theta) CHECK_NEAR(d_theta[s], 0.0, 1e-3);
                }
                if (!theta) found[f] = evidence;
                bln_slm_free(slm);
            }
        CHECK_REL(found[1], found[0], 1e-9);
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* Y A: a diagonal model follows a change of units of each output, by 1e12 too; a full one any linear map. Sigma becomes A'Sigma A,
 * the evidence loses N log|det A|, ratios and theta stay. */
TEST(slm_outputs, equivariance)
{
    static const double units[9] = { 1e12, 0, 0, 0, 1e-12, 0, 0, 0, 3.0 };
    static const double map[9] = { 1.0, 0.4, -0.7, 0.2, 2.0, 0.3, 0.5, -0.6, 1.5 };
    const double det = 1.0*(2.0*1.5 + 0.3*0.6) - 0.4*(0.2*1.5 - 0.3*0.5) - 0.7*(-0.2*0.6 - 2.0*0.5);
    bln_basis *b = slm_parse("rbf:n=6,ard+linear", 2, 1);
    bln_data data = outputs_make(24, 2, OUT_P, 9, 0), moved = data;
    double y[24*3], mean[24*3], var[24*3], mean_moved[24*3], var_moved[24*3];
    moved.y = y;
    moved.ldy = 0;
    for (int k = 0; k < 3; k++) {
        const double *A = k < 2 ? units : map;
        bln_slm_desc desc = outputs_desc(b, BLN_SLM_PRIMAL, OUT_P, out_kinds[k > 0]);
        desc.tolerance = 1e-12;
        for (size_t i = 0; i < 24; i++)
            for (size_t q = 0; q < 3; q++) {
                y[i*3 + q] = 0.0;
                for (size_t p = 0; p < 3; p++) y[i*3 + q] += data.y[i*data.ldy + p]*A[p*3 + q];
            }
        bln_slm *slm = slm_fit(&desc, &data), *other = slm_fit(&desc, &moved);
        CHECK_REL(bln_slm_evidence(other), bln_slm_evidence(slm) - 24.0*log(k < 2 ? 3.0 : det), 1e-8);
        for (size_t s = 0; s < 2; s++)
            if (bln_slm_prior_var(slm)[s] > 1e-6) CHECK_REL(bln_slm_prior_var(other)[s], bln_slm_prior_var(slm)[s], 1e-2);
        for (size_t p = 0; p < 3; p++)
            for (size_t q = 0; q < 3; q++) {
                double sum = 0.0, scale = 0.0;
                for (size_t i = 0; i < 9; i++) {
                    const double term = A[(i/3)*3 + p]*bln_slm_noise_cov(slm)[i]*A[(i%3)*3 + q];
                    sum += term;
                    scale += fabs(term);
                }
                CHECK_NEAR(bln_slm_noise_cov(other)[p*3 + q], sum, 1e-3*scale);
            }
        CHECK_OK(total_of(bln_slm_posterior(slm), &data, mean, NULL, var, NULL, NULL));
        CHECK_OK(total_of(bln_slm_posterior(other), &moved, mean_moved, NULL, var_moved, NULL, NULL));
        for (size_t i = 0; i < 24; i++)
            for (size_t q = 0; q < 3; q++) {
                double f = 0.0;
                for (size_t p = 0; p < 3; p++) f += mean[i*3 + p]*A[p*3 + q];
                CHECK_NEAR(mean_moved[i*3 + q], f, 1e-3*sqrt(bln_slm_noise_cov(other)[q*4]));
                if (k < 2) CHECK_REL(var_moved[i*3 + q], A[q*4]*A[q*4]*var[i*3 + q], 1e-3);
            }
        bln_slm_free(slm);
        bln_slm_free(other);
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* Flat priors. All flat: multivariate least squares, Sigma = RSS/(N - D), by normal equations here. One slice flat: the limit of a
 * ratio to infinity of log p(Y) + 1/2 sum_flat log|2 pi r Sigma|. */
TEST(slm_outputs, flat_priors)
{
    bln_basis *b = slm_parse("linear", 2, 1), *two = slm_parse("polynomial:degree=2,cols=0+linear:cols=1", 2, 1);
    bln_data data = outputs_make(OUT_N, 2, OUT_P, 10, 0);
    const double flat[1] = { HUGE_VAL };
    double Phi[OUT_N*3], G[9], M[9], RSS[9], sigma[9];
    const size_t D = b->D;
    outputs_features(b, NULL, &data, Phi);
    bln_syrk(BLN_TRANS, D, OUT_N, 1.0, Phi, D, 0.0, G, D);
    bln_gemm(BLN_TRANS, BLN_NOTRANS, D, 3, OUT_N, 1.0, Phi, D, data.y, data.ldy, 0.0, M, 3);
    CHECK_OK(bln_potrf(D, G, D, NULL));
    bln_trsm(BLN_TRANS, D, 3, G, D, M, 3);
    bln_trsm(BLN_NOTRANS, D, 3, G, D, M, 3);
    for (size_t p = 0; p < 9; p++) RSS[p] = 0.0;
    for (size_t i = 0; i < OUT_N; i++)
        for (size_t p = 0; p < 9; p++) {
            double r[3];
            for (size_t q = 0; q < 3; q++) {
                r[q] = data.y[i*data.ldy + q];
                for (size_t j = 0; j < D; j++) r[q] -= Phi[i*D + j]*M[j*3 + q];
            }
            RSS[p] += r[p/3]*r[p%3];
        }
    for (int k = 0; k < 3; k++)
        for (int a = BLN_SLM_DOUBLE; a <= BLN_SLM_QR; a++) {
            const bln_slm_sigma kinds[3] = { BLN_SLM_DIAGONAL, BLN_SLM_CORRELATED, BLN_SLM_SHARED };
            bln_slm_desc desc = outputs_desc(b, BLN_SLM_AUTO, OUT_P, kinds[k]);
            desc.prior_var = flat;
            desc.arithmetic = (bln_slm_arithmetic)a;
            desc.relative_prior = k < 2 || a == BLN_SLM_EXACT;
            bln_slm *slm = slm_fit(&desc, &data);
            for (size_t p = 0; p < 9; p++) {
                const double shared = (RSS[0] + RSS[4] + RSS[8])/3.0;
                const double want = k == 2 ? (p % 4 ? 0.0 : shared) : k == 0 && p % 4 ? 0.0 : RSS[p];
                CHECK_NEAR(bln_slm_noise_cov(slm)[p], want/(double)(OUT_N - D), 1e-11);
            }
            for (size_t j = 0; j < D; j++)
                for (size_t p = 0; p < 3; p++) CHECK_NEAR(gaussians_of(bln_slm_posterior(slm))[p].m[j], M[j*3 + p], 1e-12);
            bln_slm_free(slm);
        }
    /* r = 1e9 is 1e-9 away from the limit, in the posterior and so in the evidence. */
    outputs_sigma(OUT_P, 0, sigma);
    const bln_slm_desc desc = outputs_desc(two, BLN_SLM_PRIMAL, OUT_P, BLN_SLM_CORRELATED);
    const double wide[2] = { 1e9, 0.6 }, infinite[2] = { HUGE_VAL, 0.6 };
    const size_t n_flat = bln_basis_slice(two, 1);
    double limit, evidence, d_limit[2], d_prior[2], best[9], best_wide[9], factor[9];
    bln_slm *slm = slm_new(&desc);
    CHECK_OK(bln_slm_evidence_outputs(slm, &data, sigma, infinite, NULL, &limit, NULL, NULL, d_limit, NULL, NULL));
    CHECK_OK(bln_slm_evidence_outputs(slm, &data, sigma, wide, NULL, &evidence, NULL, NULL, d_prior, NULL, NULL));
    memcpy(factor, sigma, sizeof sigma);
    CHECK_OK(bln_potrf(3, factor, 3, NULL));
    evidence += 0.5*(double)n_flat*(3.0*log(6.283185307179586*wide[0]) + bln_logdet_factor(3, factor, 3));
    CHECK_NEAR(limit, evidence, 1e-6);
    CHECK_NEAR(d_limit[1], d_prior[1], 1e-6);
    CHECK_NEAR(d_limit[0], 0.0, 0.0);
    CHECK_OK(bln_slm_evidence_outputs(slm, &data, NULL, infinite, NULL, &limit, best, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_slm_evidence_outputs(slm, &data, NULL, wide, NULL, &evidence, best_wide, NULL, NULL, NULL, NULL));
    for (size_t p = 0; p < 9; p++)
        CHECK_NEAR(best[p]*((double)OUT_N - (double)n_flat), best_wide[p]*(double)OUT_N, 1e-6);      /* N - p_f for N */
    bln_slm_free(slm);
    slm_free_data(&data);
    bln_basis_free(b);
    bln_basis_free(two);
}

SUITE_BEGIN(slm_outputs)
SUITE_TEST(slm_outputs, evidence_dense)
SUITE_TEST(slm_outputs, nearly_dependent)
SUITE_TEST(slm_outputs, shared_and_single)
SUITE_TEST(slm_outputs, gradient_finite_differences)
SUITE_TEST(slm_outputs, posterior_dense)
SUITE_TEST(slm_outputs, diagonal_is_separate)
SUITE_TEST(slm_outputs, profile_is_the_search)
SUITE_TEST(slm_outputs, fit_is_stationary)
SUITE_TEST(slm_outputs, equivariance)
SUITE_TEST(slm_outputs, flat_priors)
SUITE_END(slm_outputs)

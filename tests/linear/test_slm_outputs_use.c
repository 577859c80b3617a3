/* test_slm_outputs_use - what is done with several outputs: statistics, draws, leave-outs, files; memory, failures and errors */
#include "../test.h"
#include "slm_outputs_tools.h"
#include "posterior_of.h"

static const double use_slice[2] = { 0.7, 2.3 }, use_theta[1] = { 1.1 };
static const bln_slm_form use_forms[2] = { BLN_SLM_PRIMAL, BLN_SLM_DUAL };
static const bln_slm_sigma use_kinds[2] = { BLN_SLM_DIAGONAL, BLN_SLM_CORRELATED };

static bln_statistics *use_statistics(const bln_basis *b, size_t P, bln_slm_arithmetic arithmetic)
{
    bln_statistics_desc desc;
    bln_statistics *t = NULL;
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    desc.n_outputs = P;
    desc.exact = arithmetic == BLN_SLM_EXACT;
    desc.qr = arithmetic == BLN_SLM_QR;
    desc.block = 4;
    CHECK_OK(bln_statistics_create(&desc, &t, NULL));
    if (!t) exit(1);
    return t;
}

static void use_same_fit(const bln_slm *a, const bln_slm *b, double tolerance)
{
    const size_t P = bln_slm_outputs(a), D = gaussians_of(bln_slm_posterior(a))->D;
    CHECK_GOLD(bln_slm_evidence(a), bln_slm_evidence(b), tolerance);
    for (size_t p = 0; p < P*P; p++) CHECK_GOLD(bln_slm_noise_cov(a)[p], bln_slm_noise_cov(b)[p], tolerance);
    for (size_t p = 0; p < P; p++)
        for (size_t j = 0; j < D; j++) CHECK_GOLD(gaussians_of(bln_slm_posterior(a))[p].m[j],
            gaussians_of(bln_slm_posterior(b))[p].m[j], tolerance);
}

/* Rows in pieces, merged, taken out again, saved and loaded: the fit of the rows. Forgotten ones: that of rows of weight kappa. */
TEST(slm_outputs_use, statistics)
{
    bln_basis *b = slm_parse("polynomial:degree=2", 2, 1);
    bln_data all = outputs_make(36, 2, 3, 21, 1);
    const bln_data kept = bln_data_rows(&all, 0, 28), first = bln_data_rows(&all, 0, 11), second = bln_data_rows(&all, 11, 17);
    const bln_data extra = bln_data_rows(&all, 28, 8);
    const double ratio[1] = { 0.8 };
    for (int a = BLN_SLM_DOUBLE; a <= BLN_SLM_QR; a++)
        for (int k = 0; k < 2; k++) {
            const bln_slm_arithmetic as = (bln_slm_arithmetic)a;
            const int exact = as == BLN_SLM_EXACT;
            bln_statistics *s = use_statistics(b, 3, as), *t = use_statistics(b, 3, as), *back = use_statistics(b, 3, as);
            bln_statistics *one = use_statistics(b, 1, as);
            unsigned char bytes[8192];
            bln_memory_stream stream;
            bln_report report;
            CHECK_OK(bln_statistics_add(s, &second, NULL));
            if (as != BLN_SLM_QR) CHECK_OK(bln_statistics_add(t, &extra, NULL));
            CHECK_OK(bln_statistics_add(t, &first, NULL));
            CHECK_OK(bln_statistics_merge(s, t, NULL));
            if (as != BLN_SLM_QR) CHECK_OK(bln_statistics_remove(s, &extra, NULL));
            bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
            bln_statistics_save(s, &w);
            CHECK_OK(w.status);
            bln_reader r = bln_memory_reader(&stream, bytes, (size_t)w.count, &report);
            CHECK_OK(bln_statistics_load(back, &r));
            r = bln_memory_reader(&stream, bytes, (size_t)w.count, &report);
            CHECK_STATUS(bln_statistics_load(one, &r), BLN_ESHAPE);
            CHECK_STATUS(bln_statistics_merge(one, s, &report), BLN_ESHAPE);
            CHECK_STATUS(bln_statistics_add(one, &first, &report), BLN_ESHAPE);

            bln_slm_desc desc = outputs_desc(b, BLN_SLM_PRIMAL, 3, use_kinds[k]);
            desc.arithmetic = as;
            desc.prior_var = ratio;
            desc.fix_prior_var = 1;
            bln_slm *direct = slm_fit(&desc, &kept), *from = slm_new(&desc);
            CHECK_OK(bln_slm_fit_statistics(from, back, NULL));
            use_same_fit(from, direct, exact ? 1e-14 : 1e-11);
            CHECK_NEAR(bln_slm_rows(from), bln_slm_rows(direct), 1e-12);
            CHECK_STATUS(bln_slm_fit_statistics(from, one, &report), BLN_ESHAPE);

            /* Everything counts half: that is, every weight is half. */
            double half[28];
            bln_data weighted = kept;
            for (size_t i = 0; i < 28; i++) half[i] = 0.5*kept.weight[i];
            weighted.weight = half;
            CHECK_OK(bln_statistics_forget(s, 0.5, NULL));
            CHECK_OK(bln_slm_fit_statistics(from, s, NULL));
            CHECK_OK(bln_slm_fit(direct, &weighted, NULL));
            use_same_fit(from, direct, exact ? 1e-13 : 1e-11);

            /* Learnt ratios too. */
            desc.prior_var = NULL;
            desc.fix_prior_var = 0;
            desc.tolerance = 1e-12;
            bln_slm *learnt = slm_fit(&desc, &kept), *learnt_from = slm_new(&desc);
            CHECK_OK(bln_slm_fit_statistics(learnt_from, back, NULL));
            CHECK_REL(bln_slm_evidence(learnt_from), bln_slm_evidence(learnt), 1e-9);
            bln_slm_free(learnt);
            bln_slm_free(learnt_from);
            bln_slm_free(from);
            bln_slm_free(direct);
            bln_statistics_free(s);
            bln_statistics_free(t);
            bln_statistics_free(back);
            bln_statistics_free(one);
        }
    slm_free_data(&all);
    bln_basis_free(b);
}

/* Row i of S (n x m): is the mean of the rows `mean` and their covariance `cov` (m x m)? 5 sigma of a mean of n draws, and of a
 * mean of products, whose variance is cov_ij^2 + cov_ii cov_jj for normals. */
static void use_moments(size_t n, size_t m, const double *S, const double *mean, const double *cov)
{
    for (size_t i = 0; i < m; i++) {
        double sum = 0.0;
        for (size_t r = 0; r < n; r++) sum += S[r*m + i] - mean[i];
        CHECK_NEAR(sum/(double)n, 0.0, 5.0*sqrt(cov[i*m + i]/(double)n));
        for (size_t j = i; j < m; j++) {
            double product = 0.0;
            for (size_t r = 0; r < n; r++) product += (S[r*m + i] - mean[i])*(S[r*m + j] - mean[j]);
            const double var = cov[i*m + j]*cov[i*m + j] + cov[i*m + i]*cov[j*m + j];
            CHECK_NEAR(product/(double)n, cov[i*m + j], 5.0*sqrt(var/(double)n));
        }
    }
}

/* Draws of weights: means, and Cov(w_jp, w_kq) = Sigma_pq C_jk; of prior paths: Sigma_pq R_jk; of y at two points. Both forms. */
TEST(slm_outputs_use, draws)
{
    enum { N = 3000, P = 2 };
    bln_basis *b = slm_parse("linear", 2, 1);
    bln_data data = outputs_make(9, 2, P, 22, 1), star = outputs_make(2, 2, P, 23, 1);
    const double ratio[1] = { 0.9 };
    double sigma[4], C[9], work[9], mean[6], cov[36], prior[36], *W = test_doubles(N*6), *W0 = test_doubles(N*6), m[4], total[4];
    const size_t D = b->D;
    outputs_sigma(P, 0, sigma);
    bln_draw_desc draws;
    memset(&draws, 0, sizeof draws);
    draws.n = N;
    draws.seed = 5;
    for (int f = 0; f < 2; f++) {
        const bln_data rows = bln_data_rows(&data, 0, f ? 2 : 9);
        bln_slm *slm = outputs_fixed(b, use_forms[f], P, BLN_SLM_CORRELATED, sigma, ratio, NULL, &rows);
        blni_gaussian unit = gaussians_of(bln_slm_posterior(slm))[0];
        blni_gaussian_covariance(&unit, C, D, work);
        bln_symmetrise(D, C, D);
        for (size_t i = 0; i < P*D; i++) {
            mean[i] = gaussians_of(bln_slm_posterior(slm))[i/D].m[i%D];
            for (size_t j = 0; j < P*D; j++) {
                const double s = sigma[(i/D)*P + j/D];
                cov[i*P*D + j] = s/sigma[0]*C[(i%D)*D + j%D];
                prior[i*P*D + j] = i%D == j%D ? s*ratio[0] : 0.0;
            }
        }
        CHECK_OK(bln_posterior_draw_weights(bln_slm_posterior(slm), &draws, W, NULL, 0, NULL, NULL));
        use_moments(N, P*D, W, mean, cov);
        CHECK_OK(bln_posterior_draw_weights(bln_slm_posterior(slm), &draws, W, W0, 0, NULL, NULL));
        use_moments(N, P*D, W, mean, cov);
        const double zero[6] = { 0, 0, 0, 0, 0, 0 };
        use_moments(N, P*D, W0, zero, prior);

        /* f at two points is those weights; y adds Sigma v, and has the moments of the prediction. */
        double Phi[6], y_cov[16];
        outputs_features(b, NULL, &star, Phi);
        double *F = test_doubles(N*4), *first = test_doubles(N*4);
        CHECK_OK(bln_posterior_draw_weights(bln_slm_posterior(slm), &draws, W, NULL, 0, NULL, NULL));
        CHECK_OK(bln_posterior_draws(bln_slm_posterior(slm), &star, &draws, F, NULL, 0, NULL, NULL));
        for (size_t r = 0; r < N; r += 97)
            for (size_t i = 0; i < 4; i++) {
                const double offset = star.offset[(i/2)*star.ldoffset + i%2];
                CHECK_NEAR(F[r*4 + i], bln_dot(D, Phi + (i/2)*D, W + r*6 + (i%2)*D) + offset, 1e-13);
            }
        draws.noise = 1;
        CHECK_OK(bln_posterior_draws(bln_slm_posterior(slm), &star, &draws, F, NULL, 0, NULL, NULL));
        CHECK_OK(total_of(bln_slm_posterior(slm), &star, m, NULL, total, NULL, NULL));
        for (size_t i = 0; i < 16; i++) {
            const size_t a = i/4, c = i%4;
            double k = 0.0;
            for (size_t j = 0; j < D*D; j++) k += Phi[(a/2)*D + j/D]*C[j]*Phi[(c/2)*D + j%D]/sigma[0];
            y_cov[i] = sigma[(a%2)*2 + c%2]*(k + (a/2 == c/2 ? star.noise_var[a/2] : 0.0));
            if (a == c) CHECK_REL(y_cov[i], total[a], 1e-11);
        }
        use_moments(N, 4, F, m, y_cov);
        /* Points in parts: the same noise. */
        bln_data point = bln_data_rows(&star, 1, 1);
        draws.first_row = 1;
        CHECK_OK(bln_posterior_draws(bln_slm_posterior(slm), &point, &draws, first, NULL, 4, NULL, NULL));
        for (size_t r = 0; r < N; r += 97)
            for (size_t i = 0; i < 2; i++) CHECK_NEAR(first[r*4 + i], F[r*4 + 2 + i], 1e-13);
        draws.first_row = 0;
        draws.noise = 0;
        free(F);
        free(first);
        bln_slm_free(slm);
    }
    free(W);
    free(W0);
    slm_free_data(&data);
    slm_free_data(&star);
    bln_basis_free(b);
}

/* Slopes of means and variances against differences of predictions (fourth order, h = 1e-3: 1e-12 + 1e-13/h). */
TEST(slm_outputs_use, slopes)
{
    bln_basis *b = slm_parse("rbf:n=4,ard+linear", 2, 1);
    bln_data data = outputs_make(16, 2, 3, 24, 1);
    const double theta[2] = { 1.1, 1.6 };
    double sigma[9], dmean[6], dvar[6];
    outputs_sigma(3, 0, sigma);
    for (int f = 0; f < 2; f++) {
        const bln_data rows = bln_data_rows(&data, 0, f ? 7 : 16);
        bln_slm *slm = outputs_fixed(b, use_forms[f], 3, BLN_SLM_CORRELATED, sigma, use_slice, theta, &rows);
        double x[2] = { 0.3, -0.6 };
        bln_data star;
        memset(&star, 0, sizeof star);
        star.n = 1;
        star.d = 2;
        star.X = x;
        CHECK_OK(bln_posterior_slopes(bln_slm_posterior(slm), &star, dmean, dvar, 0, NULL, NULL));
        for (size_t j = 0; j < 2; j++) {
            static const double c[4] = { 8.0, -8.0, -1.0, 1.0 }, by[4] = { 1.0, -1.0, 2.0, -2.0 };
            double m[3] = { 0, 0, 0 }, v[3] = { 0, 0, 0 }, mean[3], var[3];
            for (int k = 0; k < 4; k++) {
                const double at = x[j];
                x[j] += 1e-3*by[k];
                CHECK_OK(total_of(bln_slm_posterior(slm), &star, mean, var, NULL, NULL, NULL));
                x[j] = at;
                for (size_t p = 0; p < 3; p++) { m[p] += c[k]*mean[p]/12e-3; v[p] += c[k]*var[p]/12e-3; }
            }
            for (size_t p = 0; p < 3; p++) {
                CHECK_GOLD(dmean[p*2 + j], m[p], 1e-8);
                CHECK_GOLD(dvar[p*2 + j], v[p], 1e-8);
            }
        }
        bln_slm_free(slm);
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* Without row i, without a group: the fit of the others, asked there; the log densities are differences of dense evidences. A group
 * of more than half the features (large), a smaller one, and with fewer rows than features (low rank). */
TEST(slm_outputs_use, leave_out_brute_force)
{
    enum { P = 3, N = 14 };
    bln_basis *b = slm_parse("rbf:n=3+linear", 2, 1);
    bln_data data = outputs_make(N, 2, P, 25, 1);
    double sigma[9], ratio[16], mean[N*P], var[N*P], h[N], score, m[N*P], v[N*P], logp[2];
    size_t group[N];
    outputs_ratios(b, use_slice, ratio);
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < 2; f++) {
            const size_t n = f ? 7 : N;
            const bln_data rows = bln_data_rows(&data, 0, n);
            outputs_sigma(P, k == 0, sigma);
            bln_slm *slm = outputs_fixed(b, use_forms[f], P, use_kinds[k], sigma, use_slice, use_theta, &rows);
            outputs_dense all = outputs_dense_of(b, use_theta, &rows, ratio, sigma);
            double want = 0.0;
            CHECK_OK(loo_of(bln_slm_posterior(slm), &rows, mean, var, h, &score, NULL));
            for (size_t i = 0; i < n; i++) {
                double w[N], one_f[P], cov[9], Phi[16], total[9], e[P];
                bln_data others = rows;
                memcpy(w, rows.weight, n*sizeof *w);
                w[i] = 0.0;
                others.weight = w;
                outputs_dense g = outputs_dense_of(b, use_theta, &others, ratio, sigma);
                const bln_data point = bln_data_rows(&rows, i, 1);
                outputs_features(b, use_theta, &point, Phi);
                outputs_dense_predict(&g, ratio, sigma, Phi, one_f, cov);
                for (size_t p = 0; p < 9; p++) total[p] = cov[p] + sigma[p]*rows.noise_var[i];
                for (size_t p = 0; p < P; p++) {
                    one_f[p] += rows.offset[i*rows.ldoffset + p];
                    e[p] = rows.y[i*rows.ldy + p] - one_f[p];
                    CHECK_GOLD(mean[i*P + p], one_f[p], 1e-9);
                    CHECK_GOLD(var[i*P + p], total[p*4], 1e-9);
                }
                CHECK_OK(bln_potrf(P, total, P, NULL));
                bln_trsv(BLN_TRANS, P, total, P, e);
                want -= 0.5*rows.weight[i]*(P*1.8378770664093453 + bln_logdet_factor(P, total, P) + bln_dot(P, e, e));
                /* A row alone in its group has the same mean; its log density counts all copies together. */
                for (size_t j = 0; j < n; j++) group[j] = j == i;
                CHECK_OK(groups_of(bln_slm_posterior(slm), &rows, group, 2, m, v, logp, NULL));
                for (size_t p = 0; p < P; p++) {
                    CHECK_GOLD(m[i*P + p], mean[i*P + p], 1e-10);
                    CHECK_GOLD(v[i*P + p], var[i*P + p], 1e-10);
                }
                CHECK_GOLD(logp[1], all.logp - g.logp, 1e-9);
                outputs_dense_free(&g);
            }
            CHECK_GOLD(score, want, 1e-9);

            /* Two groups: of two rows, and of all others but one, which is more than half of the 8 features where n is 14. */
            for (size_t i = 0; i < n; i++) group[i] = i < 2 ? 0 : i == 2 ? 2 : 1;
            double both[3];
            CHECK_OK(groups_of(bln_slm_posterior(slm), &rows, group, 3, m, v, both, NULL));
            for (size_t s = 0; s < 3; s++) {
                double w[N], one_f[P], cov[9], Phi[N*16];
                bln_data others = rows;
                for (size_t i = 0; i < n; i++) w[i] = group[i] == s ? 0.0 : rows.weight[i];
                others.weight = w;
                outputs_dense g = outputs_dense_of(b, use_theta, &others, ratio, sigma);
                outputs_features(b, use_theta, &rows, Phi);
                CHECK_GOLD(both[s], all.logp - g.logp, 1e-9);
                for (size_t i = 0; i < n; i++) {
                    if (group[i] != s) continue;
                    outputs_dense_predict(&g, ratio, sigma, Phi + i*b->D, one_f, cov);
                    for (size_t p = 0; p < P; p++) {
                        CHECK_GOLD(m[i*P + p], one_f[p] + rows.offset[i*rows.ldoffset + p], 1e-9);
                        CHECK_GOLD(v[i*P + p], cov[p*4] + sigma[p*4]*rows.noise_var[i], 1e-9);
                    }
                }
                outputs_dense_free(&g);
            }
            outputs_dense_free(&all);
            bln_slm_free(slm);
        }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* The loss of a feature is the difference of two evidences at the same Sigma. */
TEST(slm_outputs_use, relevance)
{
    bln_basis *b = slm_parse("polynomial:degree=2", 2, 1);
    bln_data data = outputs_make(20, 2, 3, 26, 1);
    double ratio[8], sigma[9], gamma[8], loss[8], less;
    outputs_sigma(3, 0, sigma);
    for (size_t j = 0; j < b->D; j++) ratio[j] = 0.3 + 0.2*(double)j;
    for (int f = 0; f < 2; f++) {
        const bln_data rows = bln_data_rows(&data, 0, f ? 4 : 20);
        bln_slm_desc desc = outputs_desc(b, use_forms[f], 3, BLN_SLM_CORRELATED);
        desc.prior_var = ratio;
        desc.per_weight = desc.fix_prior_var = desc.fix_noise_var = 1;
        desc.noise_cov = sigma;
        bln_slm *slm = slm_fit(&desc, &rows);
        CHECK_OK(bln_slm_relevance(slm, gamma, loss, NULL));
        for (size_t j = 0; j < b->D; j++) {
            double without[8];
            memcpy(without, ratio, sizeof without);
            without[j] = 0.0;
            CHECK_OK(bln_slm_evidence_outputs(slm, &rows, sigma, without, NULL, &less, NULL, NULL, NULL, NULL, NULL));
            CHECK_GOLD(loss[j], bln_slm_evidence(slm) - less, 1e-10);
            CHECK(gamma[j] > 0.0 && gamma[j] < 1.0);
        }
        bln_slm_free(slm);
    }
    slm_free_data(&data);
    bln_basis_free(b);
}

/* Written and read back, all forms: the same predictions bit for bit; cut short: refused. One output with ratios too. */
TEST(slm_outputs_use, files)
{
    bln_data data = outputs_make(20, 2, 3, 27, 0);
    for (int k = 0; k < 4; k++) {
        const size_t P = k == 3 ? 1 : 3;
        const bln_slm_sigma kinds[4] = { BLN_SLM_DIAGONAL, BLN_SLM_CORRELATED, BLN_SLM_SHARED, BLN_SLM_DIAGONAL };
        const bln_data rows = P == 1 ? outputs_one(&data, 0) : data;
        bln_basis *b = slm_parse(k == 1 ? "rbf:n=20+linear" : "polynomial:degree=2", 2, 1);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
        desc.n_outputs = P;
        desc.sigma = kinds[k];
        desc.relative_prior = P == 1;
        desc.max_iterations = 5;
        bln_slm *slm = slm_fit(&desc, &rows);
        unsigned char *bytes = (unsigned char *)malloc(65536);
        bln_memory_stream stream;
        bln_writer w = bln_memory_writer(&stream, bytes, 65536);
        bln_modelfile file = BLN_ZERO;
        bln_report report;
        double m[2][60], v[2][60], sd[2][150];
        file.slm = slm;
        CHECK_OK(bln_modelfile_write(w.write, w.user, test_all(), &file, &report));
        const size_t size = stream.at;
        bln_reader r = bln_memory_reader(&stream, bytes, size, &report);
        CHECK_OK(bln_modelfile_read(r.read, r.user, size, test_all(), &file, &report));
        CHECK_SIZE(bln_slm_outputs(file.slm), P);
        CHECK_OK(total_of(bln_slm_posterior(slm), &rows, m[0], NULL, v[0], NULL, NULL));
        CHECK_OK(total_of(bln_slm_posterior(file.slm), &rows, m[1], NULL, v[1], NULL, NULL));
        CHECK_OK(sd_of(bln_slm_posterior(slm), sd[0]));
        CHECK_OK(sd_of(bln_slm_posterior(file.slm), sd[1]));
        for (size_t i = 0; i < 20*P; i++) { CHECK_NEAR(m[1][i], m[0][i], 0.0); CHECK_NEAR(v[1][i], v[0][i], 0.0); }
        for (size_t i = 0; i < P*b->D; i++) CHECK_NEAR(sd[1][i], sd[0][i], 0.0);
        for (size_t i = 0; i < P*P; i++) CHECK_NEAR(bln_slm_noise_cov(file.slm)[i], bln_slm_noise_cov(slm)[i], 0.0);
        CHECK_NEAR(bln_slm_prior_var(file.slm)[0], bln_slm_prior_var(slm)[0], 0.0);
        CHECK_OK(bln_slm_fit(file.slm, &rows, NULL));                       /* fitted again, in its own form */
        CHECK_SIZE(bln_slm_outputs(file.slm), P);
        bln_modelfile_free(&file);

        bln_writer plain = bln_memory_writer(&stream, bytes, 65536);
        CHECK_OK(bln_slm_save(slm, &plain));
        const size_t length = (size_t)plain.count;
        for (size_t cut = 0; cut < length; cut += 1 + length/100) {
            bln_slm *back = NULL;
            bln_reader shorter = bln_memory_reader(&stream, bytes, cut, &report);
            CHECK(bln_slm_load(test_all(), &shorter, &back) != BLN_OK && back == NULL);
        }
        free(bytes);
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
}

/* The sizes that are promised are those that are taken; each allocation made to fail: nothing leaks, the status says so. */
TEST(slm_outputs_use, memory)
{
    bln_data data = outputs_make(30, 2, 3, 28, 0);
    for (int k = 0; k < 2; k++) {
        bln_basis *b = slm_parse(k ? "rbf:n=20,ard+linear" : "rbf:n=5,ard+linear", 2, 1);
        test_heap heap;
        bln_slm_desc desc = outputs_desc(b, BLN_SLM_AUTO, 3, BLN_SLM_CORRELATED);
        desc.alloc = test_heap_allocator(&heap);
        desc.max_iterations = 2;
        bln_slm *slm = slm_fit(&desc, &data);
        CHECK_LE((double)heap.peak_bytes, (double)bln_slm_fit_size(&desc, 30));
        CHECK_LE(0.9*(double)bln_slm_fit_size(&desc, 30), (double)heap.peak_bytes);
        CHECK_SIZE(heap.live_bytes, bln_slm_size(&desc, 30));
        bln_slm_free(slm);
        for (size_t at = 0;; at++) {
            double out[6*90], W[6*3*64];
            size_t group[30];
            bln_draw_desc draws;
            for (size_t i = 0; i < 30; i++) group[i] = i == 1 || i == 4;
            memset(&draws, 0, sizeof draws);
            draws.n = 6;
            slm = NULL;
            heap.calls = 0;
            heap.fail_at = at;
            bln_status status = bln_slm_create(&desc, &slm, NULL);
            if (status == BLN_OK) status = bln_slm_fit(slm, &data, NULL);
            if (status == BLN_OK) status = total_of(bln_slm_posterior(slm), &data, out, NULL, NULL, NULL, NULL);
            if (status == BLN_OK) status = sd_of(bln_slm_posterior(slm), W);
            if (status == BLN_OK) status = bln_posterior_draws(bln_slm_posterior(slm), &data, &draws, out, NULL, 0, NULL, NULL);
            if (status == BLN_OK) status = loo_of(bln_slm_posterior(slm), &data, out, NULL, NULL, NULL, NULL);
            if (status == BLN_OK) status = groups_of(bln_slm_posterior(slm), &data, group, 2, out, NULL, NULL, NULL);
            if (status == BLN_OK) status = bln_slm_relevance(slm, NULL, W, NULL);
            bln_slm_free(slm);
            CHECK_SIZE(heap.live, 0);
            CHECK(status == BLN_OK || status == BLN_ENOMEM);
            if (status == BLN_OK || at > 50) { CHECK(at > 8 && at < 50); break; }
        }
        bln_basis_free(b);
    }
    slm_free_data(&data);
}

static void use_bad_desc(const bln_slm_desc *desc, const char *text)
{
    bln_slm *slm = NULL;
    bln_report report;
    CHECK_STATUS(bln_slm_create(desc, &slm, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, text);
}

TEST(slm_outputs_use, errors)
{
    bln_basis *b = slm_parse("linear", 2, 1);
    bln_data data = outputs_make(20, 2, 3, 29, 1), bad;
    double *y = (double *)data.y, *o = (double *)data.offset, out[60], keep;
    const double indefinite[9] = { 1, 2, 0, 2, 1, 0, 0, 0, 1 }, infinite[9] = { 1, HUGE_VAL, 0, 0, 1, 0, 0, 0, 1 };
    const double ratio[1] = { 1.0 };
    bln_slm_desc desc = outputs_desc(b, BLN_SLM_AUTO, 3, BLN_SLM_CORRELATED), wrong;
    bln_report report;
    desc.relative_prior = 0;                                     /* what a user leaves alone */

    wrong = desc; wrong.sigma = (bln_slm_sigma)9;                          use_bad_desc(&wrong, "sigma");
    wrong = desc; wrong.fix_noise_var = 1;                                 use_bad_desc(&wrong, "noise_cov");
    wrong = desc; wrong.noise_cov = indefinite;                            use_bad_desc(&wrong, "fix_noise_var");
    wrong.fix_noise_var = 1;                                               use_bad_desc(&wrong, "positive definite");
    wrong.noise_cov = infinite;                                            use_bad_desc(&wrong, "finite");
    wrong.noise_cov = indefinite; wrong.sigma = BLN_SLM_SHARED;            use_bad_desc(&wrong, "ratios");

    bln_slm *slm = slm_new(&desc);
    CHECK_SIZE(bln_slm_outputs(slm), 3);
    CHECK(bln_slm_noise_cov(slm) == NULL);
    bad = outputs_one(&data, 0);
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "n_outputs");
    bad = data; bad.ldy = 2;
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "stride of y");
    /* Row 5, output 2: the column is d + 2. */
    keep = y[5*data.ldy + 2]; y[5*data.ldy + 2] = NAN;
    CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 5);
    CHECK_SIZE(report.column, 4);
    CHECK_TEXT(report.text, "row 5, column 4");
    y[5*data.ldy + 2] = keep;
    keep = o[5*data.ldoffset + 1]; o[5*data.ldoffset + 1] = NAN;
    CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_EDATA);
    CHECK_SIZE(report.column, 3);
    o[5*data.ldoffset + 1] = keep;

    /* An output that is constant, and one that follows from the others (by an intercept at the end of the search only, or at once),
     * are named; the full Sigma does not exist. */
    double three[60];
    for (size_t i = 0; i < 20; i++) {
        three[3*i] = y[i*data.ldy];
        three[3*i + 1] = y[i*data.ldy + 1];
        three[3*i + 2] = 1.0 - three[3*i] - three[3*i + 1];
    }
    bad = data; bad.y = three; bad.ldy = 0; bad.offset = NULL;
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_EUNDEFINED);
    CHECK_SIZE(report.column, 4);
    CHECK_TEXT(report.text, "follows");
    for (size_t i = 0; i < 20; i++) three[3*i + 2] = -three[3*i] - three[3*i + 1];
    CHECK_STATUS(bln_slm_fit(slm, &bad, &report), BLN_EUNDEFINED);
    CHECK_SIZE(report.column, 4);
    CHECK_STATUS(bln_slm_evidence_outputs(slm, &bad, NULL, ratio, NULL, out, NULL, NULL, NULL, NULL, &report), BLN_EUNDEFINED);
    bln_slm_desc separate = desc;
    separate.sigma = BLN_SLM_DIAGONAL;
    bln_slm *diagonal = slm_new(&separate);
    CHECK_OK(bln_slm_fit(diagonal, &bad, &report));
    for (size_t i = 0; i < 20; i++) three[3*i + 1] = 2.0;
    CHECK_STATUS(bln_slm_fit(diagonal, &bad, &report), BLN_EUNDEFINED);
    CHECK_SIZE(report.column, 3);
    CHECK_TEXT(report.text, "equal");
    bln_slm_free(diagonal);

    CHECK_STATUS(bln_slm_evidence_outputs(slm, &data, indefinite, ratio, NULL, out, NULL, NULL, NULL, NULL, &report), BLN_EDOMAIN);
    CHECK_STATUS(bln_slm_evidence_outputs(slm, &data, infinite, ratio, NULL, out, NULL, NULL, NULL, NULL, &report), BLN_EDOMAIN);
    CHECK_STATUS(bln_slm_evidence_outputs(slm, &data, NULL, NULL, NULL, out, NULL, NULL, NULL, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_slm_evidence_outputs(NULL, &data, NULL, ratio, NULL, out, NULL, NULL, NULL, NULL, &report), BLN_EINVAL);
    CHECK_OK(bln_slm_fit(slm, &data, &report));
    bad = outputs_one(&data, 1);
    CHECK_STATUS(total_of(bln_slm_posterior(slm), &bad, out, NULL, NULL, NULL, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "offset");
    CHECK_STATUS(loo_of(bln_slm_posterior(slm), &bad, out, NULL, NULL, NULL, &report), BLN_ESHAPE);
    bad.offset = NULL;
    CHECK_OK(total_of(bln_slm_posterior(slm), &bad, out, NULL, NULL, NULL, &report));
    bln_slm_free(slm);

    /* Absolute prior variances have no Sigma to search for. */
    const bln_slm_desc plain = slm_desc(b, BLN_SLM_AUTO);
    slm = slm_new(&plain);
    bad = outputs_one(&data, 1);
    CHECK_STATUS(bln_slm_evidence_outputs(slm, &bad, NULL, ratio, NULL, out, NULL, NULL, NULL, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "relative_prior");
    bln_slm_free(slm);
    slm_free_data(&data);
    bln_basis_free(b);
}

/* Perfect fits. Under flat priors in three doubles: the variance of that output is 0, its weights exact, the other output as ever,
 * the evidence infinite. Under a prior that is learnt: the variance ends at its least value, and the report says so. */
TEST(slm_outputs_use, perfect_fits)
{
    bln_basis *b = slm_parse("linear", 1, 1);
    const double x[6] = { 0, 1, 2, 3, 4, 5 }, flat[1] = { HUGE_VAL };
    double y[12], sd[4], mean[12], var[12];
    bln_data data, one;
    bln_report report;
    memset(&data, 0, sizeof data);
    data.n = 6;
    data.d = 1;
    data.X = x;
    data.y = y;
    data.p = 2;
    for (size_t i = 0; i < 6; i++) { y[2*i] = 1.0 + 0.5*x[i]; y[2*i + 1] = x[i] + (i % 2 ? 0.3 : -0.4); }
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    desc.n_outputs = 2;
    desc.prior_var = flat;
    const bln_slm_desc of_two = desc;
    bln_slm *slm = slm_new(&desc);
    if (blni_exact_available()) {
        CHECK_OK(bln_slm_fit(slm, &data, &report));
        CHECK_NEAR(bln_slm_noise_cov(slm)[0], 0.0, 0.0);
        CHECK(bln_slm_evidence(slm) == HUGE_VAL);
        CHECK_REL(gaussians_of(bln_slm_posterior(slm))[0].m[0], 1.0, 4*DBL_EPSILON);
        CHECK_REL(gaussians_of(bln_slm_posterior(slm))[0].m[1], 0.5, 4*DBL_EPSILON);
        one = outputs_one(&data, 1);
        desc.n_outputs = 1;
        bln_slm *single = slm_fit(&desc, &one);
        double sd_one[2];
        CHECK_OK(sd_of(bln_slm_posterior(slm), sd));
        CHECK_OK(sd_of(bln_slm_posterior(single), sd_one));
        for (size_t j = 0; j < 2; j++) {
            CHECK_NEAR(sd[j], 0.0, 0.0);
            CHECK_REL(sd[2 + j], sd_one[j], 4*DBL_EPSILON);
        }
        CHECK_OK(total_of(bln_slm_posterior(slm), &data, mean, NULL, var, NULL, NULL));
        for (size_t i = 0; i < 6; i++) CHECK_NEAR(var[2*i], 0.0, 0.0);
        bln_draw_desc draws;
        memset(&draws, 0, sizeof draws);
        draws.noise = 1;
        CHECK_OK(bln_posterior_draws(bln_slm_posterior(slm), &data, &draws, var, NULL, 0, NULL, NULL));
        for (size_t i = 0; i < 6; i++) CHECK_NEAR(var[2*i], mean[2*i], 1e-15);
        CHECK_STATUS(loo_of(bln_slm_posterior(slm), &data, mean, NULL, NULL, NULL, &report), BLN_ENUMERIC);
        double other[12];                                                   /* either output alone stops it */
        for (size_t i = 0; i < 12; i++) other[i] = y[i ^ 1];
        data.y = other;
        bln_slm *swapped = slm_new(&of_two);
        CHECK_OK(bln_slm_fit(swapped, &data, &report));
        CHECK_STATUS(loo_of(bln_slm_posterior(swapped), &data, mean, NULL, NULL, NULL, &report), BLN_ENUMERIC);
        CHECK_TEXT(report.text, "perfect fit");
        bln_slm_free(swapped);
        data.y = y;
        CHECK_STATUS(bln_slm_relevance(slm, NULL, sd_one, &report), BLN_ENUMERIC);
        CHECK_TEXT(report.text, "perfect fit");
        bln_slm_free(single);
    }
    bln_slm_free(slm);

    desc.n_outputs = 2;
    desc.arithmetic = BLN_SLM_DOUBLE;
    slm = slm_new(&desc);
    for (size_t i = 0; i < 6; i++) y[2*i] = 0.0;
    CHECK_STATUS(bln_slm_fit(slm, &data, &report), BLN_EUNDEFINED);
    CHECK_SIZE(report.column, 1);
    bln_slm_free(slm);

    desc.prior_var = NULL;
    for (size_t i = 0; i < 6; i++) y[2*i] = 1.0 + 0.5*x[i];
    slm = slm_new(&desc);
    CHECK_OK(bln_slm_fit(slm, &data, &report));
    CHECK(report.stop == BLN_STOP_BOUND);
    CHECK_REL(bln_slm_noise_cov(slm)[0], 1e-10*0.25*35.0/12.0, 1e-6);
    bln_slm_free(slm);
    bln_basis_free(b);
}

SUITE_BEGIN(slm_outputs_use)
SUITE_TEST(slm_outputs_use, statistics)
SUITE_TEST(slm_outputs_use, draws)
SUITE_TEST(slm_outputs_use, slopes)
SUITE_TEST(slm_outputs_use, leave_out_brute_force)
SUITE_TEST(slm_outputs_use, relevance)
SUITE_TEST(slm_outputs_use, files)
SUITE_TEST(slm_outputs_use, memory)
SUITE_TEST(slm_outputs_use, errors)
SUITE_TEST(slm_outputs_use, perfect_fits)
SUITE_END(slm_outputs_use)

/* test_slm_loo - rows and groups left out of the posterior of a linear model: against high-precision references, against fitting
 * again without them, against the evidence; leverages near 1; every error */
#include "slm_tools.h"
#include "posterior_of.h"

static const bln_slm_form slmloo_forms[2] = { BLN_SLM_PRIMAL, BLN_SLM_DUAL };

/* Prior variances of the golden file, one for each column. */
static void slmloo_prior(double *lambda)
{
    for (size_t j = 0; j < 5; j++) lambda[j] = golden_slm_in_lambda_slice[(size_t)golden_slm_in_slice[j]];
}

/* 1e-11 relative to max(1, |want|), as in test_slm: leverages are below 0.8. */
TEST(slm_loo, golden)
{
    double v[12], lambda[5], mean[12], var[12], h[12], score, logp[2], C[9], want = -1.5*BLNI_LOG_2PI;
    const bln_data data = slm_golden_data(v);
    bln_basis *b = slm_columns(5);
    slmloo_prior(lambda);
    memcpy(C, golden_slm_lgo_cov, sizeof C);
    want -= 0.5*slm_invert(3, C);                                          /* log density of the group, by mean and covariance */
    for (size_t i = 0; i < 9; i++) want -= 0.5*golden_slm_lgo_residual[i/3]*C[i]*golden_slm_lgo_residual[i%3];
    for (size_t f = 0; f < 2; f++) {
        const bln_slm_desc desc = slm_fixed(b, slmloo_forms[f], golden_slm_in_sigma2[0], lambda, NULL);
        bln_slm *slm = slm_fit(&desc, &data);
        const bln_posterior *q = bln_slm_posterior(slm);
        CHECK_OK(loo_of(q, &data, mean, var, h, &score, NULL));
        for (size_t i = 0; i < 12; i++) {
            CHECK_GOLD(mean[i], golden_slm_loo_mean[i], 1e-11);
            CHECK_GOLD(var[i], golden_slm_loo_var[i], 1e-11);
            CHECK_GOLD(h[i], 1.0 - golden_slm_in_sigma2[0]*v[i]/golden_slm_loo_var[i], 1e-11);
        }
        CHECK_GOLD(score, golden_slm_loo_score[0], 1e-11);

        size_t group[12] = { 0 };
        for (size_t i = 0; i < 3; i++) group[(size_t)golden_slm_in_lgo_index[i]] = 1;
        CHECK_OK(groups_of(q, &data, group, 2, mean, var, logp, NULL));
        CHECK_GOLD(logp[1], want, 1e-11);
        for (size_t i = 0; i < 3; i++) {
            const size_t row = (size_t)golden_slm_in_lgo_index[i];
            CHECK_GOLD(data.y[row] - mean[row], golden_slm_lgo_residual[i], 1e-11);
            CHECK_GOLD(var[row], golden_slm_lgo_cov[i*4], 1e-11);
        }
        bln_slm_free(slm);
    }
    bln_basis_free(b);
}

/* The rows of data that are not in the group, as a data set of its own. */
static bln_data slmloo_without(const bln_data *data, const size_t *group, size_t s)
{
    bln_data rest = *data;
    const size_t n = data->n, d = data->d;
    double *X = test_doubles(n*d), *y = test_doubles(n), *w = test_doubles(n), *v = test_doubles(n), *o = test_doubles(n);
    rest.n = 0;
    for (size_t i = 0; i < n; i++) {
        if (group[i] == s) continue;
        memcpy(X + rest.n*d, data->X + i*d, d*sizeof *X);
        y[rest.n] = data->y[i];
        w[rest.n] = data->weight ? data->weight[i] : 1.0;
        v[rest.n] = data->noise_var ? data->noise_var[i] : 1.0;
        o[rest.n++] = data->offset ? data->offset[i] : 0.0;
    }
    rest.X = X;
    rest.y = y;
    rest.weight = w;
    rest.noise_var = v;
    rest.offset = o;
    return rest;
}

/* One row of query from a model fitted without it. */
static void slmloo_predict(const bln_slm *slm, const bln_data *data, size_t i, double *mean, double *var)
{
    const bln_data row = bln_data_rows(data, i, 1);
    CHECK_OK(total_of(bln_slm_posterior(slm), &row, mean, NULL, var, NULL, NULL));
}

typedef struct slmloo_case { const char *spec; size_t n; int full; double noise_var; } slmloo_case;
static const slmloo_case slmloo_cases[4] = {
    { "rbf:n=12,ard+linear", 40, 1, 0.1 },             /* 27 features: primal and dual in factor form     */
    { "rbf:n=30+bias",       33, 1, 0.1 },             /* 61 features: the dual is in low-rank form        */
    { "matern32:n=40,cols=0;2+polynomial:degree=2", 25, 0, 0.02 },
    { "rbf:n=50",            21, 0, 30.0 }             /* |a| below 1 for some of the rows                 */
};
static const double slmloo_scales[4] = { 1.3, 0.7, 0.4, 2.0 };

/* A row left out is the prediction of a model that never saw it: means, variances, score; weights 0 to 3, row variances, offsets.
 * 1e-10: the condition of these problems is 1e3 to 1e4, times D eps. */
TEST(slm_loo, row_brute_force)
{
    for (size_t c = 0; c < 4; c++) {
        bln_data data = slm_make(slmloo_cases[c].n, 3, 500 + c, slmloo_cases[c].full);
        bln_basis *b = slm_parse(slmloo_cases[c].spec, 3, c);
        size_t group[64];
        for (size_t i = 0; i < data.n; i++) group[i] = i;
        for (size_t f = 0; f < 2; f++) {
            bln_slm_desc desc = slm_fixed(b, slmloo_forms[f], slmloo_cases[c].noise_var, slmloo_scales, slmloo_scales);
            double mean[64], var[64], h[64], score, total = 0.0;
            desc.block = 7;
            bln_slm *slm = slm_fit(&desc, &data);
            const bln_posterior *q = bln_slm_posterior(slm);
            CHECK_OK(loo_of(q, &data, mean, var, h, &score, NULL));
            for (size_t i = 0; i < data.n; i++) {
                bln_data rest = slmloo_without(&data, group, i);
                bln_slm *again = slm_fit(&desc, &rest);
                double m, v;
                slmloo_predict(again, &data, i, &m, &v);
                CHECK_GOLD(mean[i], m, 1e-10);
                CHECK_REL(var[i], v, 1e-10);
                const double k = data.weight ? data.weight[i] : 1.0;
                const double noise = desc.noise_var*(data.noise_var ? data.noise_var[i] : 1.0);
                CHECK_NEAR(h[i], k*(v - noise)/(noise + k*(v - noise)), 1e-10);
                total -= 0.5*k*(log(6.2831853071795864769*v) + (data.y[i] - m)*(data.y[i] - m)/v);
                bln_slm_free(again);
                slm_free_data(&rest);
            }
            CHECK_REL(score, total, 1e-10);
            bln_slm_free(slm);
        }
        bln_basis_free(b);
        slm_free_data(&data);
    }
}

/* Groups of 1, 3, 9, 0 and the remaining rows: means, variances and log densities of models fitted without them; the density is a
 * difference of evidences. Large groups go another way in factor form. */
TEST(slm_loo, group_brute_force)
{
    for (size_t c = 0; c < 4; c++) {
        bln_data data = slm_make(slmloo_cases[c].n, 3, 600 + c, slmloo_cases[c].full);
        bln_basis *b = slm_parse(slmloo_cases[c].spec, 3, c);
        size_t group[64];
        for (size_t i = 0; i < data.n; i++) group[i] = i == 5 ? 0 : i % 8 == 2 && i < 25 ? 1 : i < 13 ? 2 : i == 20 ? 5 : 4;
        for (size_t f = 0; f < 2; f++) {
            bln_slm_desc desc = slm_fixed(b, slmloo_forms[f], slmloo_cases[c].noise_var, slmloo_scales, slmloo_scales);
            double mean[64], var[64], logp[6];
            desc.block = 7;
            bln_slm *slm = slm_fit(&desc, &data);
            const bln_posterior *q = bln_slm_posterior(slm);
            CHECK_OK(groups_of(q, &data, group, 6, mean, var, logp, NULL));
            CHECK_NEAR(logp[3], 0.0, 0.0);
            for (size_t s = 0; s < 6; s++) {
                if (s == 3) continue;
                bln_data rest = slmloo_without(&data, group, s);
                bln_slm *again = slm_fit(&desc, &rest);
                double one, v;
                CHECK_NEAR(logp[s], bln_slm_evidence(slm) - bln_slm_evidence(again), 1e-10*fabs(bln_slm_evidence(slm)));
                for (size_t i = 0; i < data.n; i++) {
                    if (group[i] != s) continue;
                    slmloo_predict(again, &data, i, &one, &v);
                    CHECK_GOLD(mean[i], one, 1e-10);
                    CHECK_REL(var[i], v, 1e-10);
                }
                bln_slm_free(again);
                slm_free_data(&rest);
            }
            bln_slm_free(slm);
        }
        bln_basis_free(b);
        slm_free_data(&data);
    }
}

/* Limits: all rows in one group leave the prior, and the density is the evidence; none leaves 0; a group of each row is
 * leave-one-out; k copies in one group are a row of weight k. */
TEST(slm_loo, group_limits)
{
    bln_basis *b = slm_parse("rbf:n=20+bias", 2, 3);
    bln_data data = slm_make(30, 2, 700, 1);
    size_t all[128], each[128];
    for (size_t i = 0; i < 30; i++) { all[i] = 0; each[i] = i; }
    for (size_t f = 0; f < 2; f++) {
        const bln_slm_desc desc = slm_fixed(b, slmloo_forms[f], 0.2, slmloo_scales, slmloo_scales);
        bln_slm *slm = slm_fit(&desc, &data);
        const bln_posterior *q = bln_slm_posterior(slm);
        double mean[128], var[128], logp[30], m1[30], v1[30];
        CHECK_OK(groups_of(q, &data, all, 1, mean, var, logp, NULL));
        CHECK_REL(logp[0], bln_slm_evidence(slm), 1e-10);
        for (size_t i = 0; i < 30; i++) {                     /* |phi|^2 = 1 for the kernel, by cos^2 + sin^2; 1 for the bias */
            CHECK_NEAR(mean[i], data.offset[i], 1e-10);
            CHECK_REL(var[i], slmloo_scales[0] + slmloo_scales[1] + 0.2*data.noise_var[i], 1e-10);
        }

        CHECK_OK(groups_of(q, &data, each, 30, mean, var, NULL, NULL));
        CHECK_OK(groups_of(q, &data, each, 30, NULL, NULL, logp, NULL));
        CHECK_OK(loo_of(q, &data, m1, v1, NULL, NULL, NULL));
        for (size_t i = 0; i < 30; i++) {
            CHECK_GOLD(mean[i], m1[i], 1e-11);
            CHECK_REL(var[i], v1[i], 1e-11);
        }

        bln_data copies;
        double *X = test_doubles(256), y[128], v[128], o[128], lp2[30];
        size_t n = 0, group[128];
        for (size_t i = 0; i < 30; i++)
            for (size_t k = (size_t)data.weight[i]; k-- > 0; n++) {
                memcpy(X + 2*n, data.X + 2*i, 2*sizeof *X);
                y[n] = data.y[i];
                v[n] = data.noise_var[i];
                o[n] = data.offset[i];
                group[n] = i;
            }
        memset(&copies, 0, sizeof copies);
        copies.n = n; copies.d = 2; copies.X = X; copies.y = y; copies.noise_var = v; copies.offset = o;
        bln_slm *two = slm_fit(&desc, &copies);
        CHECK_OK(groups_of(bln_slm_posterior(two), &copies, group, 30, mean, var, lp2, NULL));
        for (size_t i = 0; i < 30; i++) CHECK_GOLD(lp2[i], logp[i], 1e-10);
        for (size_t i = 0; i < n; i++) {
            CHECK_GOLD(mean[i], m1[group[i]], 1e-10);
            CHECK_REL(var[i], v1[group[i]], 1e-10);
        }
        free(X);
        bln_slm_free(two);
        bln_slm_free(slm);
    }
    bln_basis_free(b);
    slm_free_data(&data);
}

/* A model that was saved and loaded says the same. In factor form rows can be asked in blocks: of a copy of the posterior that does
 * not know how many there were. */
TEST(slm_loo, files_and_blocks)
{
    bln_data data = slm_make(45, 2, 710, 1);
    for (int k = 0; k < 2; k++) {
        bln_basis *b = slm_parse(k ? "rbf:n=30" : "rbf:n=9+linear", 2, 3);
        bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, 0.2, slmloo_scales, slmloo_scales);
        double mean[2][45], var[2][45], score[2], sum = 0.0;
        desc.block = 8;
        bln_slm *slm = slm_fit(&desc, &data), *loaded = NULL;
        const bln_posterior *q = bln_slm_posterior(slm);
        CHECK(gaussians_of(q)->form == (k ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR));
        CHECK_OK(loo_of(q, &data, mean[0], var[0], NULL, &score[0], NULL));
        bln_posterior some = *q;
        some.rows = 0.0;
        for (size_t i = 0; i < 45 && !k; i += 11) {
            const bln_data rows = bln_data_rows(&data, i, i < 44 ? 11 : 1);
            CHECK_OK(loo_of(&some, &rows, mean[1] + i, var[1] + i, NULL, &score[1], NULL));
            sum += score[1];
        }
        for (size_t i = 0; i < 45 && !k; i++) {
            CHECK_REL(mean[1][i], mean[0][i], 1e-13);
            CHECK_REL(var[1][i], var[0][i], 1e-13);
        }
        if (!k) CHECK_REL(sum, score[0], 1e-13);

        unsigned char *bytes = (unsigned char *)malloc(1 << 20);
        bln_memory_stream stream;
        bln_load context = bln_builtin();
        bln_writer writer = bln_memory_writer(&stream, bytes, 1 << 20);
        CHECK_OK(bln_slm_save(slm, &writer));
        bln_reader r = bln_memory_reader(&stream, bytes, (size_t)writer.count, NULL);
        CHECK_OK(bln_slm_load(&context, &r, &loaded));
        CHECK_OK(loo_of(bln_slm_posterior(loaded), &data, NULL, NULL, NULL, &score[1], NULL));
        CHECK_REL(score[1], score[0], 1e-13);
        free(bytes);
        bln_slm_free(loaded);
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
}

/* A user's basis: the inputs themselves, in one slice. */
static void slmloo_table_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *Phi,
                                  size_t ldphi, double *work)
{
    (void)theta; (void)work;
    for (size_t i = 0; i < n; i++) memcpy(Phi + i*ldphi, X + i*ldx, b->D*sizeof *Phi);
}
static bln_basis slmloo_table(bln_basis_ops *ops, size_t D)
{
    bln_basis b;
    memset(ops, 0, sizeof *ops);
    memset(&b, 0, sizeof b);
    ops->name = "table";
    ops->features = slmloo_table_features;
    b.ops = ops;
    b.d = b.D = D;
    b.n_slices = 1;
    return b;
}

/* Little noise in low-rank form: phi_ij = 1/(1 + (i/2 - j/4)^2), y_i = 1/(2 + i/2), sigma^2 = 2^-30, lambda = 1, so |a|^2 = 6e9 and
 * 1 - h = 3e-8 .. 2e-6: nothing of 1 - |a|^2 + |Va|^2, whose error is eps |a|^2 = 1.3e-6, would be left. The sum of squares errs by
 * eps |a|^2, relative: 16 times that, 2.1e-5, for n = 7 rows. Truth by 60-digit arithmetic (mpmath) from the same doubles. */
TEST(slm_loo, little_noise)
{
    static const double want[7][2] = {
        { 0.329621432624447294, 0.0293194770675807521 },
        { 0.488942282342205828, 0.00671509653471794371 },
        { 0.261695749365622679, 0.00389943279297751283 },
        { 0.346326892751350343, 0.00228093177602635363 },
        { 0.203650644225507781, 0.00115024655891164794 },
        { 0.253748556321400369, 0.000496517917877754347 },
        { 0.161124637857469784, 0.00075242043913125443 }
    };
    double X[77], y[7], mean[7], var[7], h[7], prior[1] = { 1.0 }, logp[7];
    size_t each[7], pair[7] = { 0, 1, 0, 0, 1 };
    bln_basis_ops ops;
    const bln_basis b = slmloo_table(&ops, 11);
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = 7;
    data.d = 11;
    data.X = X;
    data.y = y;
    for (size_t i = 0; i < 7; i++) {
        each[i] = i;
        y[i] = 1.0/(2.0 + 0.5*(double)i);
        for (size_t j = 0; j < 11; j++) {
            const double t = 0.5*(double)i - 0.25*(double)j;
            X[i*11 + j] = 1.0/(1.0 + t*t);
        }
    }
    const bln_slm_desc desc = slm_fixed(&b, BLN_SLM_DUAL, 1.0/1073741824.0, prior, NULL);
    bln_slm *slm = slm_fit(&desc, &data);
    const bln_posterior *q = bln_slm_posterior(slm);
    CHECK(gaussians_of(q)->form == BLN_GAUSSIAN_LOWRANK);
    CHECK_OK(loo_of(q, &data, mean, var, h, NULL, NULL));
    for (size_t i = 0; i < 7; i++) {
        CHECK_NEAR(mean[i], want[i][0], 2.1e-5*sqrt(want[i][1]));
        CHECK_REL(var[i], want[i][1], 2.1e-5);
        CHECK_REL(1.0 - h[i], desc.noise_var/want[i][1], 2.1e-5);
    }
    CHECK_OK(groups_of(q, &data, each, 7, mean, var, logp, NULL));
    for (size_t i = 0; i < 7; i++) {
        CHECK_NEAR(mean[i], want[i][0], 2.1e-5*sqrt(want[i][1]));
        CHECK_REL(var[i], want[i][1], 2.1e-5);
    }
    CHECK_OK(groups_of(q, &data, pair, 2, mean, var, logp, NULL));
    CHECK_REL(var[4], 0.00183486446388735951, 2.1e-5);
    CHECK_NEAR(mean[1], 0.432758742591236103, 2.1e-5*sqrt(var[1]));
    CHECK_NEAR(logp[1], 2.83029578111253466, 4*2.1e-5);                          /* two variances, and residuals of 1.4 sd */
    bln_slm_free(slm);
}

/* An indicator that row 3 alone has. Its own weight is all that can tell it: left out, it is at its prior. 1 - h =
 * 1/(1 + lambda/sigma^2) or so; with lambda/sigma^2 = 1e4 that leaves 12 digits, with 1e13 none: then the row says so, and its
 * group, and no other. */
TEST(slm_loo, leverage_one)
{
    enum { N = 20, D = 3 };
    double X[N*30], y[N], mean[N], var[N], h[N], logp[4], score, prior[3];
    size_t group[N];
    static const char sets[3][N + 1] = { "00010000000000000000", "00010001000000000000", "00010111000000000000" };
    test_random r = test_random_new(720);
    for (int k = 0; k < 2; k++)
        for (int wide = 0; wide < 2; wide++) {
            const size_t columns = k ? 30 : D;                /* low-rank form; factor form, where 4 rows are a large group */
            bln_basis_ops ops;
            bln_basis table = slmloo_table(&ops, columns), *b = k ? &table : slm_columns(columns);
            bln_data data;
            bln_report report;
            memset(&data, 0, sizeof data);
            data.n = N;
            data.d = columns;
            data.X = X;
            data.y = y;
            for (size_t i = 0; i < N; i++) {
                for (size_t j = 0; j < columns; j++)
                    X[i*columns + j] = k ? 0.01*test_normal(&r) : j == 1 ? test_normal(&r) : j == 0;
                X[i*columns + columns - 1] = i == 3 ? (k && wide ? 1e7 : 1.0) : 0.0;
                y[i] = test_normal(&r) + (i == 3 ? 5.0 : 0.0);
                group[i] = i%4;
            }
            prior[0] = k ? (wide ? 1.0 : 1e4) : 1.0;
            prior[1] = 1.0;
            prior[2] = wide ? 1e13 : 1e4;
            const bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, 1.0, prior, NULL);
            const bln_status status = wide ? BLN_EUNDEFINED : BLN_OK;
            bln_slm *slm = slm_fit(&desc, &data);
            const bln_posterior *q = bln_slm_posterior(slm);
            CHECK(gaussians_of(q)->form == (k ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR));
            CHECK_STATUS(loo_of(q, &data, mean, var, h, &score, &report), status);
            CHECK(wide ? report.row == 3 && mean[3] != mean[3] && var[3] != var[3] && h[3] != h[3] : mean[3] == mean[3]);
            for (size_t i = 0; i < N; i++)                                     /* the total is that of the rows that are defined */
                if (!wide || i != 3) score += 0.5*(log(2.0*BLNI_PI*var[i]) + (y[i] - mean[i])*(y[i] - mean[i])/var[i]);
            CHECK_NEAR(score, 0.0, 1e-9);
            if (!wide) CHECK_LE(1e4, var[3]);
            size_t one[N];
            for (size_t i = 0; i < N; i++) one[i] = i;
            for (size_t i = 0; i < N; i++) {
                if (wide && i == 3) continue;
                bln_data rest = slmloo_without(&data, one, i);
                bln_slm *again = slm_fit(&desc, &rest);
                double m, v;
                slmloo_predict(again, &data, i, &m, &v);
                /* Two digits of 1e-16 lambda/sigma^2, relative to the sd. */
                CHECK_NEAR(mean[i], m, 1e-10*sqrt(v));
                CHECK_REL(var[i], v, 1e-10);
                bln_slm_free(again);
                slm_free_data(&rest);
            }
            CHECK_STATUS(groups_of(q, &data, group, 4, mean, var, logp, &report), status);
            for (size_t i = 0; i < N; i++) CHECK((mean[i] != mean[i] && var[i] != var[i]) == (wide && i%4 == 3));
            for (size_t s = 0; s < 4; s++) CHECK((logp[s] != logp[s]) == (wide && s == 3));
            for (size_t s = 0; s < 3; s++) {
                for (size_t i = 0; i < N; i++) group[i] = sets[s][i] == '1';
                CHECK_STATUS(groups_of(q, &data, group, 2, mean, var, logp, &report), status);
                if (wide) { CHECK_SIZE(report.row, 3); CHECK_TEXT(report.text, "rounding"); }
                for (size_t i = 0; i < N; i++) CHECK((mean[i] != mean[i] && var[i] != var[i]) == (wide && group[i] == 1));
                CHECK(logp[0] == logp[0] && (logp[1] != logp[1]) == wide);
            }
            bln_slm_free(slm);
            if (!k) bln_basis_free(b);
        }
}

/* Every kind of bad input. */
TEST(slm_loo, errors)
{
    bln_data data = slm_make(20, 2, 730, 1), bad;
    double *X = (double *)data.X, *y = (double *)data.y, *v = (double *)data.noise_var, *w = (double *)data.weight, keep, mean[20];
    size_t group[20], each[20];
    bln_report report;
    memset(group, 0, sizeof group);
    for (size_t i = 0; i < 20; i++) each[i] = i;
    for (int k = 0; k < 2; k++) {
        bln_basis *b = slm_parse(k ? "rbf:n=15" : "rbf:n=3+bias", 2, 1);
        bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, 0.2, slmloo_scales, slmloo_scales);
        bln_slm *slm = NULL;
        CHECK_OK(bln_slm_create(&desc, &slm, NULL));
        const bln_posterior *q = bln_slm_posterior(slm);
        CHECK_STATUS(loo_of(q, &data, mean, NULL, NULL, NULL, &report), BLN_ESTATE);
        CHECK_STATUS(groups_of(q, &data, group, 1, mean, NULL, NULL, &report), BLN_ESTATE);
        CHECK_TEXT(report.text, "not fitted");
        CHECK_OK(bln_slm_fit(slm, &data, NULL));

        CHECK_STATUS(loo_of(NULL, &data, mean, NULL, NULL, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(loo_of(q, NULL, mean, NULL, NULL, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(groups_of(NULL, &data, group, 1, mean, NULL, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(groups_of(q, NULL, group, 1, mean, NULL, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(groups_of(q, &data, NULL, 1, mean, NULL, NULL, &report), BLN_EINVAL);
        group[13] = 1;
        CHECK_STATUS(groups_of(q, &data, group, 1, mean, NULL, NULL, &report), BLN_EDOMAIN);
        CHECK_SIZE(report.row, 13);
        group[13] = 0;
        CHECK_STATUS(groups_of(q, &data, group, (size_t)-1, mean, NULL, NULL, &report), BLN_EOVERFLOW);

        bad = data; bad.d = 3; bad.ldx = 3; bad.n = 13;
        CHECK_STATUS(loo_of(q, &bad, mean, NULL, NULL, NULL, &report), BLN_ESHAPE);
        CHECK_STATUS(groups_of(q, &bad, group, 1, mean, NULL, NULL, &report), BLN_ESHAPE);
        bad = data; bad.y = NULL;
        CHECK_STATUS(loo_of(q, &bad, mean, NULL, NULL, NULL, &report), BLN_EINVAL);
        keep = X[2*7 + 1]; X[2*7 + 1] = NAN;
        CHECK_STATUS(loo_of(q, &data, mean, NULL, NULL, NULL, &report), BLN_EDATA);
        CHECK(report.row == 7 && report.column == 1);
        CHECK_STATUS(groups_of(q, &data, group, 1, mean, NULL, NULL, &report), BLN_EDATA);
        X[2*7 + 1] = keep;
        keep = v[9]; v[9] = 0.0;
        CHECK_STATUS(loo_of(q, &data, mean, NULL, NULL, NULL, &report), BLN_EDOMAIN);
        CHECK_STATUS(groups_of(q, &data, group, 1, mean, NULL, NULL, &report), BLN_EDOMAIN);
        v[9] = keep;

        /* Other rows than those of the fit: too few, another weight. */
        bad = data; bad.n = 19;
        CHECK_STATUS(loo_of(q, &bad, mean, NULL, NULL, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(groups_of(q, &bad, group, 1, mean, NULL, NULL, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "other rows");
        w[2] += w[19];                                       /* too few of the same weight: only the low-rank form can tell */
        CHECK_STATUS(loo_of(q, &bad, mean, NULL, NULL, NULL, &report), k ? BLN_ESHAPE : BLN_OK);
        CHECK_STATUS(groups_of(q, &bad, each, 20, mean, NULL, NULL, &report), k ? BLN_ESHAPE : BLN_OK);
        if (k) CHECK_TEXT(report.text, "rows of the fit");
        w[2] -= w[19];
        w[2] += 1.0;
        CHECK_STATUS(loo_of(q, &data, mean, NULL, NULL, NULL, &report), BLN_EINVAL);
        CHECK_STATUS(groups_of(q, &data, group, 1, mean, NULL, NULL, &report), BLN_EINVAL);
        w[2] -= 1.0;
        /* The same rows in another order: fine by themselves, noticed in groups in low-rank form. */
        double swap[2] = { X[0], X[1] }, sy = y[0], sv = v[0], sw = w[0], *o = (double *)data.offset, so = o[0];
        memcpy(X, X + 38, sizeof swap); y[0] = y[19]; v[0] = v[19]; w[0] = w[19]; o[0] = o[19];
        memcpy(X + 38, swap, sizeof swap); y[19] = sy; v[19] = sv; w[19] = sw; o[19] = so;
        CHECK_OK(loo_of(q, &data, mean, NULL, NULL, NULL, &report));
        CHECK_STATUS(groups_of(q, &data, group, 1, mean, NULL, NULL, &report), k ? BLN_EINVAL : BLN_OK);
        if (k) CHECK_TEXT(report.text, "order");
        sy = y[0]; sv = v[0]; sw = w[0]; so = o[0];
        memcpy(swap, X, sizeof swap);
        memcpy(X, X + 38, sizeof swap); y[0] = y[19]; v[0] = v[19]; w[0] = w[19]; o[0] = o[19];
        memcpy(X + 38, swap, sizeof swap); y[19] = sy; v[19] = sv; w[19] = sw; o[19] = so;

        keep = y[5]; y[5] = 1.7e308;
        o[5] = -1.7e308;
        CHECK_STATUS(loo_of(q, &data, mean, NULL, NULL, NULL, &report), BLN_ENUMERIC);
        CHECK_SIZE(report.row, 5);
        CHECK_STATUS(groups_of(q, &data, group, 1, mean, NULL, NULL, &report), BLN_ENUMERIC);
        y[5] = keep; o[5] = 0.5;
        bln_slm_free(slm);

        desc.block = (size_t)-1/16;
        slm = slm_fit(&desc, &data);
        CHECK_OK(loo_of(bln_slm_posterior(slm), &data, mean, NULL, NULL, NULL, &report));            /* no more than there are */
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
}

/* Without noise there is no residual to measure by. */
TEST(slm_loo, perfect_fit)
{
    const double flat[1] = { HUGE_VAL }, x[4] = { 1, 2, 3, 5 }, y[4] = { 2, 4, 6, 10 };
    const size_t group[4] = { 0, 0, 1, 1 };
    double mean[4];
    bln_slm_desc desc;
    bln_report report;
    bln_data data;
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    bln_basis *b = slm_parse("linear", 1, 1);
    desc.basis = b;
    desc.prior_var = flat;
    data.n = 4;
    data.d = 1;
    data.X = x;
    data.y = y;
    bln_slm *slm = slm_fit(&desc, &data);
    const bln_posterior *q = bln_slm_posterior(slm);
    CHECK_NEAR(bln_slm_noise_var(slm), 0.0, 0.0);
    CHECK_STATUS(loo_of(q, &data, mean, NULL, NULL, NULL, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "perfect fit");
    CHECK_STATUS(groups_of(q, &data, group, 2, mean, NULL, NULL, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "perfect fit");
    bln_slm_free(slm);
    bln_basis_free(b);
}

/* Each allocation made to fail: the right status, nothing leaked. */
TEST(slm_loo, failures)
{
    bln_data data = slm_make(30, 2, 740, 1);
    for (int k = 0; k < 2; k++) {
        bln_basis *b = slm_parse(k ? "rbf:n=25" : "rbf:n=4+linear", 2, 1);
        bln_slm_desc desc = slm_fixed(b, BLN_SLM_AUTO, 0.2, slmloo_scales, slmloo_scales);
        double mean[30];
        size_t group[30];
        test_heap heap;
        bln_report report;
        for (size_t i = 0; i < 30; i++) group[i] = i == 0 ? 0 : i < 4 ? 1 : 2;
        desc.alloc = test_heap_allocator(&heap);
        bln_slm *slm = slm_fit(&desc, &data);
        const bln_posterior *q = bln_slm_posterior(slm);
        const size_t live = heap.live;
        for (int groups = 0; groups < 2; groups++)
            for (size_t at = 0;; at++) {
                heap.calls = 0;
                heap.fail_at = at;
                const bln_status status = groups ? groups_of(q, &data, group, 3, mean, NULL, NULL, &report)
                                                 : loo_of(q, &data, mean, NULL, NULL, NULL, &report);
                CHECK_SIZE(heap.live, live);
                if (status == BLN_OK) { CHECK_SIZE(at, groups ? 2 : 1); break; }
                CHECK_STATUS(status, BLN_ENOMEM);
                CHECK_TEXT(report.text, "memory");
                if (at > 5) break;
            }
        heap.fail_at = (size_t)-1;
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
}

SUITE_BEGIN(slm_loo)
SUITE_TEST(slm_loo, golden)
SUITE_TEST(slm_loo, row_brute_force)
SUITE_TEST(slm_loo, group_brute_force)
SUITE_TEST(slm_loo, group_limits)
SUITE_TEST(slm_loo, files_and_blocks)
SUITE_TEST(slm_loo, little_noise)
SUITE_TEST(slm_loo, leverage_one)
SUITE_TEST(slm_loo, errors)
SUITE_TEST(slm_loo, perfect_fit)
SUITE_TEST(slm_loo, failures)
SUITE_END(slm_loo)

/* test_slm_inducing - the linear model on inducing points: with a point on every row the exact Gaussian process, with fewer the
 * variational bound of its evidence and the predictions of DTC, all against dense textbook formulas; gradients; fits, files,
 * statistics, rows one by one */
#include "slm_tools.h"
#include "posterior_of.h"

enum { SLMI_N = 26, SLMI_D = 2, SLMI_AT = 9 };

static bln_basis *slmi_basis(size_t m, const double *points, bln_kernel kernel, int learn)
{
    bln_inducing_desc desc;
    bln_basis *b = NULL;
    memset(&desc, 0, sizeof desc);
    desc.d = SLMI_D;
    desc.n = m;
    desc.points = points;
    desc.kernel = kernel;
    desc.ard = 1;
    desc.learn_points = learn;
    CHECK_OK(bln_inducing_create(&desc, &b, NULL));
    if (!b) exit(2);
    return b;
}

/* k and dk/dl_i for length scales l, written down from the formulas. */
static double slmi_kernel(bln_kernel kernel, const double *l, const double *a, const double *b, double *dl)
{
    double u[SLMI_D], r2 = 0.0, k = 0.0, slope = 0.0;                   /* dk/du_i = -slope u_i */
    for (int i = 0; i < SLMI_D; i++) { u[i] = (a[i] - b[i])/l[i]; r2 += u[i]*u[i]; }
    const double r = sqrt(r2);
    if (kernel == BLN_KERNEL_RBF) k = slope = exp(-0.5*r2);
    if (kernel == BLN_KERNEL_MATERN32) { slope = 3*exp(-sqrt(3.0)*r); k = (1 + sqrt(3.0)*r)*slope/3; }
    if (kernel == BLN_KERNEL_RQ) { k = pow(1 + r2/4, -2); slope = pow(1 + r2/4, -3); }              /* alpha = 2 */
    for (int i = 0; i < SLMI_D && dl; i++) dl[i] = slope*u[i]*u[i]/l[i];
    return k;
}

/* log N(y - offset | 0, C) with C given; Ci: its inverse, alpha: Ci (y - offset). */
static double slmi_density(const bln_data *data, const double *C, double *Ci, double *alpha)
{
    const size_t n = data->n;
    memcpy(Ci, C, n*n*sizeof *C);
    double value = -0.5*(slm_invert(n, Ci) + (double)n*log(2*BLNI_PI));
    for (size_t i = 0; i < n; i++) {
        alpha[i] = 0.0;
        for (size_t j = 0; j < n; j++) alpha[i] += Ci[i*n + j]*(data->y[j] - (data->offset ? data->offset[j] : 0.0));
        value -= 0.5*alpha[i]*(data->y[i] - (data->offset ? data->offset[i] : 0.0));
    }
    return value;
}

/* Where everything is compared: row noise variances and offsets, weights 1. */
static const double slmi_l[SLMI_D] = { 1.1, 1.7 };
static const double slmi_noise = 0.06, slmi_prior = 1.4;

static bln_data slmi_data(uint64_t salt, int full)
{
    bln_data data = slm_make(SLMI_N, SLMI_D, salt, full);
    for (size_t i = 0; i < SLMI_N && data.weight; i++) ((double *)data.weight)[i] = 1.0;
    return data;
}

/* ---- a point on every row ---- */

/* Evidence, its gradient and predictions are those of the dense process to 1e-8: tau = 1e-13 n, over the least eigenvalue of C,
 * 0.018, times n, is 4e-9 at the very most. */
TEST(slm_inducing, full_process)
{
    static const bln_kernel kernels[3] = { BLN_KERNEL_RBF, BLN_KERNEL_MATERN32, BLN_KERNEL_RQ };
    for (int which = 0; which < 3; which++) for (int form = 1; form < 3; form++) for (int full = 0; full < 2; full++) {
        const size_t n = SLMI_N;
        bln_data data = slmi_data(3, full);
        bln_data at = slm_make(SLMI_AT, SLMI_D, 4, 0);
        bln_basis *b = slmi_basis(n, data.X, kernels[which], 0);
        bln_slm_desc desc = slm_desc(b, (bln_slm_form)form);
        desc.noise_var = slmi_noise;
        desc.prior_var = &slmi_prior;
        desc.theta = slmi_l;
        desc.fix_noise_var = desc.fix_prior_var = desc.fix_theta = 1;
        bln_slm *slm = slm_new(&desc);
        double *C = test_doubles(n*n), *Ci = test_doubles(n*n), alpha[SLMI_N], want[4] = { 0.0, 0.0, 0.0, 0.0 }, evidence, d_noise,
               d_prior, d_theta[SLMI_D], mean[SLMI_AT], latent[SLMI_AT], total[SLMI_AT];
        for (size_t i = 0; i < n*n; i++)
            C[i] = slmi_prior*slmi_kernel(kernels[which], slmi_l, data.X + i/n*2, data.X + i%n*2, NULL)
                 + (i/n == i%n)*slmi_noise*(full ? data.noise_var[i/n] : 1.0);
        const double exact = slmi_density(&data, C, Ci, alpha);
        for (size_t i = 0; i < n*n; i++) {                       /* 1/2 tr((alpha alpha' - C^-1) dC) */
            double dl[SLMI_D];
            const double w = 0.5*(alpha[i/n]*alpha[i%n] - Ci[i]);
            const double k = slmi_kernel(kernels[which], slmi_l, data.X + i/n*2, data.X + i%n*2, dl);
            want[0] += w*(i/n == i%n)*slmi_noise*(full ? data.noise_var[i/n] : 1.0);
            want[1] += w*slmi_prior*k;
            for (int j = 0; j < 2; j++) want[2 + j] += w*slmi_prior*dl[j];
        }
        CHECK_OK(bln_slm_evidence_at(slm, &data, slmi_noise, &slmi_prior, slmi_l, &evidence, &d_noise, &d_prior, d_theta, NULL));
        CHECK_NEAR(evidence, exact, 1e-8);
        CHECK_NEAR(d_noise, want[0], 1e-8*(1 + fabs(want[0])));
        CHECK_NEAR(d_prior, want[1], 1e-8*(1 + fabs(want[1])));
        for (int j = 0; j < 2; j++) CHECK_NEAR(d_theta[j], want[2 + j], 1e-8*(1 + fabs(want[2 + j])));

        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        CHECK_NEAR(bln_slm_evidence(slm), exact, 1e-8);
        CHECK_OK(total_of(bln_slm_posterior(slm), &at, mean, latent, total, NULL, NULL));
        for (size_t p = 0; p < SLMI_AT; p++) {
            double m = 0.0, v = slmi_prior, k[SLMI_N];
            for (size_t i = 0; i < n; i++) k[i] = slmi_prior*slmi_kernel(kernels[which], slmi_l, data.X + i*2, at.X + p*2, NULL);
            for (size_t i = 0; i < n; i++) {
                m += k[i]*alpha[i];
                for (size_t j = 0; j < n; j++) v -= k[i]*Ci[i*n + j]*k[j];
            }
            CHECK_NEAR(mean[p], m, 1e-8);
            CHECK_NEAR(latent[p], v, 1e-8);
            CHECK_NEAR(total[p], v + slmi_noise, 1e-8);
        }
        bln_slm_free(slm);
        bln_basis_free(b);
        slm_free_data(&data);
        slm_free_data(&at);
        free(C); free(Ci);
    }
}

/* ---- fewer points ---- */

/* Pivoted points, one after the other: the bound rises to the exact evidence and never beyond; the evidence of the features alone
 * is the dense one of Q; predictions are DTC's: mean lambda q'A^-1 y, variance lambda k - lambda^2 q'A^-1 q with A = lambda Q +
 * sigma^2, which is lambda far from all points. */
TEST(slm_inducing, bound_and_predictions)
{
    const size_t n = SLMI_N;
    bln_data data = slmi_data(5, 1);
    bln_data at = slm_make(SLMI_AT, SLMI_D, 4, 0);
    bln_inducing_select_desc choose;
    double points[SLMI_N*SLMI_D], *C = test_doubles(n*n), *Ci = test_doubles(n*n), alpha[SLMI_N], before = -HUGE_VAL;
    size_t chosen = 0;
    ((double *)at.X)[0] = 100.0;
    memset(&choose, 0, sizeof choose);
    choose.choice = BLN_INDUCING_PIVOTED;
    choose.n = n;
    choose.length_scale = slmi_l;
    CHECK_OK(bln_inducing_select(&choose, &data, points, NULL, NULL, &chosen, NULL));
    CHECK_SIZE(chosen, n);
    for (size_t i = 0; i < n*n; i++)
        C[i] = slmi_prior*slmi_kernel(BLN_KERNEL_RBF, slmi_l, data.X + i/n*2, data.X + i%n*2, NULL)
             + (i/n == i%n)*slmi_noise*data.noise_var[i/n];
    const double exact = slmi_density(&data, C, Ci, alpha);
    for (size_t m = 1; m <= n; m++) {
        bln_basis *b = slmi_basis(m, points, BLN_KERNEL_RBF, 0);
        bln_slm_desc desc = slm_desc(b, m % 3 ? BLN_SLM_PRIMAL : BLN_SLM_DUAL);
        double all[(SLMI_N + SLMI_AT)*SLMI_D], *Phi = test_doubles((n + SLMI_AT)*m);
        double *work = test_doubles(bln_basis_work(b, n + SLMI_AT) + 8);
        double rest = 0.0, mean[SLMI_AT], latent[SLMI_AT];
        desc.noise_var = slmi_noise;
        desc.prior_var = &slmi_prior;
        desc.theta = slmi_l;
        desc.fix_noise_var = desc.fix_prior_var = desc.fix_theta = 1;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        const double bound = bln_slm_evidence(slm);
        CHECK_LE(bound, exact + 1e-8);
        CHECK_LE(before, bound + 1e-8);
        if (m == n) CHECK_NEAR(bound, exact, 1e-8);
        before = bound;

        memcpy(all, data.X, n*SLMI_D*sizeof *all);
        memcpy(all + n*SLMI_D, at.X, SLMI_AT*SLMI_D*sizeof *all);
        bln_basis_features(b, slmi_l, n + SLMI_AT, all, SLMI_D, Phi, m, (double *)(((uintptr_t)work + 63)/64*64));
        for (size_t i = 0; i < n*n; i++)
            C[i] = slmi_prior*bln_dot(m, Phi + i/n*m, Phi + i%n*m) + (i/n == i%n)*slmi_noise*data.noise_var[i/n];
        for (size_t i = 0; i < n; i++) rest += (1 - bln_dot(m, Phi + i*m, Phi + i*m))/data.noise_var[i];
        const double alone = slmi_density(&data, C, Ci, alpha);
        CHECK_NEAR(bound, alone - 0.5*slmi_prior/slmi_noise*rest, 1e-8*(1 + fabs(bound)));
        CHECK_OK(total_of(bln_slm_posterior(slm), &at, mean, latent, NULL, NULL, NULL));
        for (size_t p = 0; p < SLMI_AT; p++) {
            double f = 0.0, v = slmi_prior, q[SLMI_N];
            for (size_t i = 0; i < n; i++) f += (q[i] = slmi_prior*bln_dot(m, Phi + i*m, Phi + (n + p)*m))*alpha[i];
            for (size_t i = 0; i < n*n; i++) v -= q[i/n]*Ci[i]*q[i%n];
            CHECK_NEAR(mean[p], f, 1e-8);
            CHECK_NEAR(latent[p], v, 1e-8);
        }
        CHECK_NEAR(latent[0], slmi_prior, 1e-12);
        bln_slm_free(slm);

        desc.residual = BLN_SLM_IGNORED;
        slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        CHECK_NEAR(bln_slm_evidence(slm), alone, 1e-8*(1 + fabs(alone)));
        bln_slm_free(slm);
        bln_basis_free(b);
        free(Phi); free(work);
    }
    slm_free_data(&data);
    slm_free_data(&at);
    free(C); free(Ci);
}

/* ---- gradients ---- */

/* theta, sigma^2 and lambda by differences with Richardson's step (error O(h^4), eps |log p|/h): inducing points that are learnt,
 * next to a line, in both forms and by QR, with weights, both kinds of evidence; the best Sigma of two outputs. */
TEST(slm_inducing, gradients)
{
    for (int form = 1; form < 4; form++) for (int left = 0; left < 2; left++) for (size_t P = 1; P < 3; P++) {
        enum { M = 5 };
        bln_data made = slm_make(SLMI_N, SLMI_D, 17, 1), data = made;
        double Y[SLMI_N*2], prior[2] = { 1.3, 0.4 }, theta[2 + M*SLMI_D] = { 0.9, 1.6 }, noise = 0.09, d_noise = 0.0, d_prior[2],
               d_theta[2 + M*SLMI_D], value;
        bln_basis *parts[2], *sum = NULL;
        test_random r = test_random_new(23);
        parts[0] = slmi_basis(M, data.X, BLN_KERNEL_MATERN52, 1);
        CHECK_OK(bln_linear_create(NULL, SLMI_D, 1, &parts[1]));
        CHECK_OK(bln_basis_sum(NULL, 2, parts, &sum, NULL));
        for (size_t i = 0; i < M*SLMI_D; i++) theta[2 + i] = data.X[i] + 0.1*test_normal(&r);
        for (size_t i = 0; i < SLMI_N; i++) { Y[2*i] = data.y[i]; Y[2*i + 1] = 0.5*data.y[i] + test_normal(&r); }
        bln_slm_desc desc = slm_desc(sum, form == 3 ? BLN_SLM_PRIMAL : (bln_slm_form)form);
        desc.arithmetic = form == 3 ? BLN_SLM_QR : BLN_SLM_ARITHMETIC_AUTO;
        desc.residual = (bln_slm_residual)left;
        desc.n_outputs = P;
        if (P > 1) { data.y = Y; data.p = P; data.offset = NULL; desc.relative_prior = 1; desc.sigma = BLN_SLM_CORRELATED; }
        bln_slm *slm = slm_new(&desc);
#define SLMI_EVIDENCE(out, dn, dp, dt) \
        CHECK_OK(P == 1 ? bln_slm_evidence_at(slm, &data, noise, prior, theta, out, dn, dp, dt, NULL) \
                        : bln_slm_evidence_outputs(slm, &data, NULL, prior, theta, out, NULL, NULL, dp, dt, NULL))
        SLMI_EVIDENCE(&value, &d_noise, d_prior, d_theta);
        for (size_t k = 0; k < 3 + 2 + M*SLMI_D; k++) {
            double *x = k == 0 ? &noise : k < 3 ? &prior[k - 1] : &theta[k - 3], D[2], up, down;
            const double x0 = *x, scale = k < 3 ? x0 : 1.0, got = k == 0 ? d_noise : k < 3 ? d_prior[k - 1] : d_theta[k - 3];
            if (k == 0 && P > 1) continue;
            for (int half = 0; half < 2; half++) {
                const double h = 1e-3*scale/(1 + half);
                *x = x0 + h;
                SLMI_EVIDENCE(&up, NULL, NULL, NULL);
                *x = x0 - h;
                SLMI_EVIDENCE(&down, NULL, NULL, NULL);
                D[half] = (up - down)/(2*h)*scale;
            }
            *x = x0;
            CHECK_NEAR(got, (4*D[1] - D[0])/3, 1e-6*(1 + fabs(got)));
        }
#undef SLMI_EVIDENCE
        bln_slm_free(slm);
        bln_basis_free(sum);
        slm_free_data(&made);
    }
}

/* Slopes of predictions, variance left out included, by differences of the predictions. */
TEST(slm_inducing, prediction_slopes)
{
    bln_data data = slmi_data(8, 0);
    bln_data at = slm_make(SLMI_AT, SLMI_D, 4, 0);
    bln_basis *b = slmi_basis(6, data.X, BLN_KERNEL_RBF, 0);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    desc.fix_theta = 1;
    bln_slm *slm = slm_new(&desc);
    double dmean[SLMI_AT*SLMI_D], dvar[SLMI_AT*SLMI_D], mean[2][SLMI_AT], var[2][SLMI_AT];
    CHECK_OK(bln_slm_fit(slm, &data, NULL));
    CHECK_OK(bln_posterior_slopes(bln_slm_posterior(slm), &at, dmean, dvar, 0, NULL, NULL));
    for (size_t i = 0; i < SLMI_AT; i++)
        for (size_t j = 0; j < SLMI_D; j++) {
            double *x = (double *)at.X + i*SLMI_D + j, D[2][2];
            const double x0 = *x;
            for (int half = 0; half < 2; half++) {
                const double h = 1e-3/(1 + half);
                for (int side = 0; side < 2; side++) {
                    *x = side ? x0 - h : x0 + h;
                    CHECK_OK(total_of(bln_slm_posterior(slm), &at, mean[side], var[side], NULL, NULL, NULL));
                }
                D[half][0] = (mean[0][i] - mean[1][i])/(2*h);
                D[half][1] = (var[0][i] - var[1][i])/(2*h);
            }
            *x = x0;
            CHECK_NEAR(dmean[i*SLMI_D + j], (4*D[1][0] - D[0][0])/3, 1e-7);
            CHECK_NEAR(dvar[i*SLMI_D + j], (4*D[1][1] - D[0][1])/3, 1e-7);
        }
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
    slm_free_data(&at);
}

/* ---- fits ---- */

/* A fit ends where the gradient is small; with theta fixed it goes by fixed-point steps too. Duplicate rows as points do no harm. A
 * model that went through a file predicts to the bit. */
TEST(slm_inducing, fits)
{
    for (int fixed = 0; fixed < 2; fixed++) for (int twice = 0; twice < 2; twice++) {
        bln_data data = slm_make(120, SLMI_D, 31, 0), at = slm_make(SLMI_AT, SLMI_D, 4, 0);
        double points[20*SLMI_D], d_noise, d_prior, d_theta[2], mean[2][SLMI_AT], var[2][SLMI_AT];
        unsigned char *bytes = (unsigned char *)malloc(1 << 16);
        bln_memory_stream m;
        bln_writer w = bln_memory_writer(&m, bytes, 1 << 16);
        bln_slm *loaded = NULL;
        memcpy(points, data.X, sizeof points);
        if (twice) memcpy(points + 10*SLMI_D, data.X, 10*SLMI_D*sizeof *points);
        bln_basis *b = slmi_basis(20, points, BLN_KERNEL_RBF, 0);
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
        bln_report report;
        desc.fix_theta = fixed;
        desc.theta_sd = HUGE_VAL;
        desc.tolerance = 1e-9;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &data, &report));
        const double noise = bln_slm_noise_var(slm), *prior = bln_slm_prior_var(slm), *theta = bln_slm_theta(slm);
        double evidence;
        CHECK_OK(bln_slm_evidence_at(slm, &data, noise, prior, theta, &evidence, &d_noise, &d_prior, d_theta, NULL));
        CHECK_NEAR(evidence, bln_slm_evidence(slm), 1e-6);
        CHECK_LE(fabs(d_noise), 0.05);
        CHECK_LE(fabs(d_prior), 0.05);
        for (int j = 0; j < 2 && !fixed; j++) CHECK_LE(fabs(d_theta[j]*theta[j]), 0.05);
        CHECK(noise > 0.03 && noise < 0.3);                                  /* it is 0.09; twenty points see most of the rest */
        bln_slm_save(slm, &w);
        bln_reader r = bln_memory_reader(&m, bytes, m.at, NULL);
        CHECK_OK(bln_slm_load(test_all(), &r, &loaded));
        CHECK_OK(total_of(bln_slm_posterior(slm), &at, mean[0], var[0], NULL, NULL, NULL));
        if (loaded) CHECK_OK(total_of(bln_slm_posterior(loaded), &at, mean[1], var[1], NULL, NULL, NULL));
        CHECK(!memcmp(mean[0], mean[1], sizeof mean[0]) && !memcmp(var[0], var[1], sizeof var[0]));
        bln_slm_free(loaded);
        bln_slm_free(slm);
        bln_basis_free(b);
        slm_free_data(&data);
        slm_free_data(&at);
        free(bytes);
    }
}

/* From sufficient statistics at the same theta: the same fit; rows one by one: the same posterior and predictions. Variances for
 * each weight have no common lambda: nothing is subtracted, nothing added. */
TEST(slm_inducing, statistics_and_rows)
{
    bln_data data = slmi_data(12, 1);
    bln_data at = slm_make(SLMI_AT, SLMI_D, 4, 0);
    bln_basis *b = slmi_basis(7, data.X, BLN_KERNEL_MATERN32, 0);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_statistics_desc of;
    bln_statistics *t = NULL;
    bln_sequential *q = NULL;
    double mean[2][SLMI_AT], var[2][SLMI_AT];
    memset(&of, 0, sizeof of);
    of.basis = b;
    of.theta = desc.theta = slmi_l;
    desc.fix_theta = 1;
    bln_slm *slm = slm_new(&desc), *other = slm_new(&desc);
    CHECK_OK(bln_statistics_create(&of, &t, NULL));
    CHECK_OK(bln_statistics_add(t, &data, NULL));
    CHECK_OK(bln_slm_fit(slm, &data, NULL));
    CHECK_OK(bln_slm_fit_statistics(other, t, NULL));
    CHECK_NEAR(bln_slm_evidence(other), bln_slm_evidence(slm), 1e-6);
    CHECK_REL(bln_slm_noise_var(other), bln_slm_noise_var(slm), 1e-3);
    CHECK_OK(bln_sequential_create_from(slm, &q, NULL));
    CHECK_OK(bln_sequential_add(q, &data, NULL, NULL, NULL, NULL));
    CHECK_OK(total_of(bln_slm_posterior(slm), &at, mean[0], var[0], NULL, NULL, NULL));
    CHECK_OK(total_of(bln_sequential_posterior(q), &at, mean[1], var[1], NULL, NULL, NULL));
    for (size_t p = 0; p < SLMI_AT; p++) { CHECK_NEAR(mean[1][p], mean[0][p], 1e-9); CHECK_NEAR(var[1][p], var[0][p], 1e-9); }
    bln_sequential_free(q);
    bln_statistics_free(t);
    bln_slm_free(slm);
    bln_slm_free(other);

    {
        double prior[7], one, each;
        for (int i = 0; i < 7; i++) prior[i] = 1.2;
        desc.residual = BLN_SLM_IGNORED;
        slm = slm_new(&desc);
        desc.residual = BLN_SLM_VARIATIONAL;
        desc.per_weight = 1;
        other = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(slm, &data, 0.1, prior, slmi_l, &one, NULL, NULL, NULL, NULL));
        CHECK_OK(bln_slm_evidence_at(other, &data, 0.1, prior, slmi_l, &each, NULL, NULL, NULL, NULL));
        CHECK_NEAR(each, one, 1e-10);
        CHECK_OK(bln_slm_fit(other, &data, NULL));
        ((double *)at.X)[0] = 100.0;
        CHECK_OK(total_of(bln_slm_posterior(other), &at, mean[0], var[0], NULL, NULL, NULL));
        CHECK_LE(var[0][0], 1e-12);
        bln_slm_free(slm);
        bln_slm_free(other);
    }
    bln_basis_free(b);
    slm_free_data(&data);
    slm_free_data(&at);
}

/* A row left out, against the prediction of a model that gives it no weight. */
TEST(slm_inducing, leave_one_out)
{
    bln_data data = slmi_data(12, 1);
    bln_basis *b = slmi_basis(7, data.X, BLN_KERNEL_MATERN32, 0);
    const bln_slm_desc desc = slm_fixed(b, BLN_SLM_PRIMAL, slmi_noise, &slmi_prior, slmi_l);
    bln_slm *slm = slm_new(&desc);
    double mean[SLMI_N], var[SLMI_N], one, total;
    CHECK_OK(bln_slm_fit(slm, &data, NULL));
    CHECK_OK(loo_of(bln_slm_posterior(slm), &data, mean, var, NULL, NULL, NULL));
    for (size_t i = 0; i < SLMI_N; i++) {
        const bln_data row = bln_data_rows(&data, i, 1);
        bln_slm *without = slm_new(&desc);
        ((double *)data.weight)[i] = 0.0;
        CHECK_OK(bln_slm_fit(without, &data, NULL));
        CHECK_OK(total_of(bln_slm_posterior(without), &row, &one, NULL, &total, NULL, NULL));
        CHECK_NEAR(mean[i], one, 1e-9);
        CHECK_NEAR(var[i], total, 1e-9);
        ((double *)data.weight)[i] = 1.0;
        bln_slm_free(without);
    }
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
}

/* Every allocation of a fit and a prediction fails once; nothing is left. What else is refused. */
TEST(slm_inducing, errors)
{
    bln_data data = slmi_data(12, 0);
    bln_basis *b = slmi_basis(4, data.X, BLN_KERNEL_RBF, 0);
    bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
    test_heap heap;
    desc.alloc = test_heap_allocator(&heap);
    desc.max_iterations = 2;
    for (size_t fail = 0; fail < 100; fail++) {
        bln_slm *slm = NULL;
        double mean[SLMI_N];
        heap.calls = 0;
        heap.fail_at = fail;
        bln_status status = bln_slm_create(&desc, &slm, NULL);
        if (status == BLN_OK) status = bln_slm_fit(slm, &data, NULL);
        if (status == BLN_OK) status = total_of(bln_slm_posterior(slm), &data, mean, NULL, NULL, NULL, NULL);
        bln_slm_free(slm);
        CHECK_SIZE(heap.live, 0);
        if (status == BLN_OK) { CHECK(fail > 3); break; }
        CHECK_STATUS(status, BLN_ENOMEM);
    }
    desc.residual = (bln_slm_residual)2;
    CHECK_TEXT(bln_slm_check(&desc), "residual");
    bln_basis_free(b);
    slm_free_data(&data);
}

SUITE_BEGIN(slm_inducing)
    SUITE_TEST(slm_inducing, full_process)
    SUITE_TEST(slm_inducing, bound_and_predictions)
    SUITE_TEST(slm_inducing, gradients)
    SUITE_TEST(slm_inducing, prediction_slopes)
    SUITE_TEST(slm_inducing, fits)
    SUITE_TEST(slm_inducing, statistics_and_rows)
    SUITE_TEST(slm_inducing, leave_one_out)
    SUITE_TEST(slm_inducing, errors)
SUITE_END(slm_inducing)

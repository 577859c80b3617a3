/* test_slm_integrated - few data: the textbook's t intervals with flat priors, the dense formula at fixed ratios, the quadrature
 * against a much finer one, coverage, equivariance, and the limits where nothing is left to learn from */
#include "slm_tools.h"
#include "posterior_of.h"

static bln_basis *few_line(int split)
{
    bln_basis *part[2], *b = NULL;
    CHECK_OK(bln_linear_create(NULL, 1, 0, &part[1]));
    if (!split) return part[1];
    CHECK_OK(bln_bias_create(NULL, &part[0]));
    CHECK_OK(bln_basis_sum(NULL, 2, part, &b, NULL));
    if (!b) exit(1);
    return b;
}

static bln_slm_integrated *few_new(const bln_slm_integrated_desc *desc)
{
    bln_slm_integrated *m = NULL;
    CHECK_OK(bln_slm_integrated_create(desc, &m, NULL));
    if (!m) exit(1);
    return m;
}

static bln_slm_integrated_desc few_desc(const bln_basis *b, const double *ratio)
{
    bln_slm_integrated_desc d;
    memset(&d, 0, sizeof d);
    d.basis = b;
    d.ratio = ratio;
    return d;
}

/* Fits in three doubles and predicts, then by QR; var may be NULL. Returns the second model, to free. */
static bln_slm_integrated *few_twice(bln_slm_integrated_desc desc, const bln_data *data, double (*mean)[12], double (*var)[12],
                                     double *evidence)
{
    bln_slm_integrated *m = NULL;
    for (int qr = 0; qr < 2; qr++) {
        of_outputs out;
        memset(&out, 0, sizeof out);
        bln_slm_integrated_free(m);
        desc.arithmetic = qr ? BLN_SLM_QR : BLN_SLM_EXACT;
        m = few_new(&desc);
        CHECK_OK(bln_slm_integrated_fit(m, data, NULL));
        out.mean = mean[qr];
        out.var_total = var ? var[qr] : NULL;
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), data, &out, NULL, NULL));
        evidence[qr] = bln_slm_integrated_evidence(m);
    }
    return m;
}

static const double few_levels[2] = { 0.025, 0.975 };
static const double few_x[12] = { -1.7, -1.2, -0.9, -0.55, -0.3, -0.05, 0.2, 0.45, 0.8, 1.1, 1.35, 1.6 };
static const double few_y[12] = { -0.9, -1.3, 0.2, 0.05, 0.9, 0.1, 1.4, 0.7, 2.3, 1.2, 2.9, 2.2 };

/* All flat: least squares. Mean, interval m +- t s sqrt(1 + 1/n + (x - xbar)^2/Sxx), coefficient intervals, and the evidence
 * -1/2 [(n-2) log 2 pi + log|X'X|] + log Gamma((n-2)/2) - (n-2)/2 log(RSS/2). t_{0.975, 10} = 2.2281388519862744. */
TEST(slm_integrated, flat_line_is_the_textbook)
{
    const double flat[2] = { HUGE_VAL, HUGE_VAL }, t975 = 2.2281388519862744;
    bln_basis *b = few_line(1);
    const bln_slm_integrated_desc d = few_desc(b, flat);
    bln_slm_integrated *m = few_new(&d);
    bln_data data = slm_view(12, 1, few_x, few_y);
    double xbar = 0.0, ybar = 0.0, sxx = 0.0, sxy = 0.0, rss = 0.0;
    double mean[12], vl[12], vt[12], q[24], cm[2], cs[2], cq[4], lp[12], cdf[12];
    for (int i = 0; i < 12; i++) { xbar += few_x[i]/12.0; ybar += few_y[i]/12.0; }
    for (int i = 0; i < 12; i++) { sxx += (few_x[i] - xbar)*(few_x[i] - xbar); sxy += (few_x[i] - xbar)*(few_y[i] - ybar); }
    const double slope = sxy/sxx, a0 = ybar - slope*xbar;
    for (int i = 0; i < 12; i++) rss += pow(few_y[i] - a0 - slope*few_x[i], 2.0);
    const double s = sqrt(rss/10.0);
    CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
    CHECK_SIZE(bln_slm_integrated_nodes(m), 1);
    CHECK_NEAR(bln_slm_integrated_dof(m), 10.0, 0.0);
    CHECK_REL(bln_slm_integrated_evidence(m), -0.5*(10.0*log(6.283185307179586) + log(12.0*sxx)) + log(24.0)
              - 5.0*log(rss/2.0), 1e-13);
    of_outputs o;
    memset(&o, 0, sizeof o);
    o.mean = mean; o.var_latent = vl; o.var_total = vt; o.quantile = q;
    o.level = few_levels; o.n_level = 2; o.cdf = cdf; o.log_density = lp;
    CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &data, &o, NULL, NULL));
    for (int i = 0; i < 12; i++) {
        const double v = 1.0/12.0 + pow(few_x[i] - xbar, 2.0)/sxx, want = a0 + slope*few_x[i], half = t975*s*sqrt(1.0 + v);
        CHECK_NEAR(mean[i], want, 1e-13);
        CHECK_REL(vl[i], s*s*v*10.0/8.0, 1e-12);
        CHECK_REL(vt[i], s*s*(1.0 + v)*10.0/8.0, 1e-12);
        CHECK_NEAR(q[2*i], want - half, 1e-12*half);
        CHECK_NEAR(q[2*i + 1], want + half, 1e-12*half);
    }
    CHECK_OK(bln_posterior_coefficients(bln_slm_integrated_posterior(m), cm, cs, 2, few_levels, cq, NULL, NULL));
    const double se = s/sqrt(sxx), se0 = s*sqrt(1.0/12.0 + xbar*xbar/sxx);
    CHECK_NEAR(cm[0], a0, 1e-13);
    CHECK_NEAR(cm[1], slope, 1e-13);
    CHECK_REL(cs[1], se*sqrt(10.0/8.0), 1e-12);
    CHECK_NEAR(cq[0], a0 - t975*se0, 1e-12);
    CHECK_NEAR(cq[1], a0 + t975*se0, 1e-12);
    CHECK_NEAR(cq[2], slope - t975*se, 1e-12);
    CHECK_NEAR(cq[3], slope + t975*se, 1e-12);
    bln_slm_integrated_free(m);
    bln_basis_free(b);
}

/* One ratio, intercept known to be 0, by a trapezoid of 20000 points in log tau over the scalar formulas themselves:
 * q = c - r b^2/(1 + r G), |B| = 1 + r G. To 1e-10, ten times the header's claim of error. */
TEST(slm_integrated, quadrature_equals_a_fine_one)
{
    bln_basis *b = few_line(0);
    double G = 0.0, bb = 0.0, c = 0.0;
    for (int i = 0; i < 12; i++) { G += few_x[i]*few_x[i]; bb += few_x[i]*few_y[i]; c += few_y[i]*few_y[i]; }
    const double h2 = G/12.0, xs = 2.5, ys = 4.0;
    for (size_t n = 3; n < 200; n *= 5) {
        bln_slm_integrated_desc d = few_desc(b, NULL);
        bln_slm_integrated *m;
        double mean, var, cdf, lp;
        bln_data data = slm_view(12, 1, few_x, few_y), at = slm_view(1, 1, &xs, &ys);
        of_outputs o;
        d.prior_scale = 0.1*(double)n;
        memset(&o, 0, sizeof o);
        o.mean = &mean; o.var_total = &var; o.cdf = &cdf; o.log_density = &lp;
        m = few_new(&d);
        CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &at, &o, NULL, NULL));
        double Z = 0.0, M = 0.0, V = 0.0, F = 0.0, P = 0.0;
        for (int k = -10000; k <= 10000; k++) {
            const double x = 0.005*(double)k, tau = exp(x), r = tau*tau/h2, q = c - r*bb*bb/(1.0 + r*G), A = d.prior_scale;
            const double L = 0.005*exp(x - 0.5*log1p(r*G) - 6.0*log(0.5*q))*2.0/(3.14159265358979323846*A*(1.0 + tau/A*tau/A));
            const double loc = xs*r*bb/(1.0 + r*G), s2 = q/12.0*(1.0 + xs*xs*r/(1.0 + r*G));
            Z += L;
            M += L*loc;
            V += L*(s2*1.2 + loc*loc);
            F += L*bln_student_cdf(12.0, (ys - loc)/sqrt(s2));
            P += L*bln_student_pdf(12.0, (ys - loc)/sqrt(s2))/sqrt(s2);
        }
        M /= Z;
        CHECK_REL(mean, M, 1e-10);
        CHECK_REL(var, V/Z - M*M, 1e-10);
        CHECK_REL(cdf, F/Z, 1e-10);
        CHECK_NEAR(lp, log(P/Z), 1e-10);
        CHECK_NEAR(bln_slm_integrated_evidence(m), log(Z) - 6.0*log(6.283185307179586) + log(120.0), 1e-10);
        bln_slm_integrated_free(m);
    }
    bln_basis_free(b);
}

/* ---- weights, row variances, offsets, and priors of the user's own */

static double few_cauchy(void *user, size_t slice, double tau)
{
    const double scale = *(const double *)user;
    (void)slice;
    return 1.0 - log1p(tau/scale*(tau/scale));                                   /* up to a constant: here 1 + log(pi scale/2) */
}

/* log tau ~ N(0, 1/4), normalised. */
static double few_lognormal(void *user, size_t slice, double tau)
{
    const double t = log(tau)/0.5;
    *(size_t *)user += slice == 0;
    return -0.5*t*t - log(0.5*tau) - 0.5*log(6.283185307179586);
}

static double few_bad(void *user, size_t slice, double tau)
{
    (void)slice; (void)tau;
    return *(const double *)user;
}

/* The scalar formulas with rows of weight w, variance sigma^2 v and offset o by a fine trapezoid: N = sum w, omega = w/v,
 * ld = -sum w log v, h^2 = sum omega x^2/sum omega; a new row has its own v* and o*. As above to 1e-10. */
TEST(slm_integrated, weights_and_a_prior_of_ones_own)
{
    bln_basis *b = few_line(0);
    double w[12], v[12], o[12], ys[2] = { 4.0, -1.0 }, N = 0.0, ld = 0.0, om = 0.0, G = 0.0, bb = 0.0, c = 0.0;
    const double xs[2] = { 2.5, 0.3 }, vs[2] = { 0.4, 3.0 }, os[2] = { 0.7, -1.1 };
    for (int i = 0; i < 12; i++) {
        w[i] = i == 5 ? 0.0 : 1.0 + (double)(i % 3);
        v[i] = 0.4 + 0.3*(double)(i % 4);
        o[i] = cos((double)i);
        const double omega = w[i]/v[i], y = few_y[i] - o[i];
        N += w[i];
        ld -= w[i]*log(v[i]);
        om += omega;
        G += omega*few_x[i]*few_x[i];
        bb += omega*few_x[i]*y;
        c += omega*y*y;
    }
    const double h2 = G/om;
    for (int own = 0; own < 2; own++) {
        size_t calls = 0;
        bln_slm_integrated_desc d = few_desc(b, NULL);
        double mean[2], vl[2], var[2], cdf[2], lp[2];
        bln_data data = slm_view(12, 1, few_x, few_y), at = slm_view(2, 1, xs, ys);
        of_outputs out;
        data.weight = w; data.noise_var = v; data.offset = o;
        at.noise_var = vs; at.offset = os;
        if (own) { d.log_prior = few_lognormal; d.log_prior_user = &calls; }
        memset(&out, 0, sizeof out);
        out.mean = mean; out.var_latent = vl; out.var_total = var; out.cdf = cdf; out.log_density = lp;
        bln_slm_integrated *m = few_new(&d);
        CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &at, &out, NULL, NULL));
        CHECK_NEAR(bln_slm_integrated_dof(m), N, 1e-12);
        CHECK_REL(bln_slm_integrated_unit(m, 0), sqrt(h2), 1e-13);
        CHECK((calls > 0) == own);
        double Z = 0.0, M[2] = { 0, 0 }, V[2] = { 0, 0 }, L2[2] = { 0, 0 }, F[2] = { 0, 0 }, P[2] = { 0, 0 };
        for (int k = -10000; k <= 10000; k++) {
            const double x = 0.005*(double)k, tau = exp(x), r = tau*tau/h2, q = c - r*bb*bb/(1.0 + r*G);
            const double prior = own ? few_lognormal(&calls, 0, tau) : log(0.2/3.14159265358979323846) - log1p(tau*tau/100.0);
            const double L = 0.005*exp(x - 0.5*log1p(r*G) - 0.5*N*log(0.5*q) + prior);
            Z += L;
            for (int i = 0; i < 2; i++) {
                const double f = xs[i]*r*bb/(1.0 + r*G), s2 = q/N*(vs[i] + xs[i]*xs[i]*r/(1.0 + r*G)), y = ys[i] - os[i];
                M[i] += L*f;
                V[i] += L*(s2*N/(N - 2.0) + f*f);
                L2[i] += L*(q/(N - 2.0)*xs[i]*xs[i]*r/(1.0 + r*G) + f*f);
                F[i] += L*bln_student_cdf(N, (y - f)/sqrt(s2));
                P[i] += L*bln_student_pdf(N, (y - f)/sqrt(s2))/sqrt(s2);
            }
        }
        for (int i = 0; i < 2; i++) {
            M[i] /= Z;
            CHECK_REL(mean[i], os[i] + M[i], 1e-10);
            CHECK_REL(var[i], V[i]/Z - M[i]*M[i], 1e-10);
            CHECK_REL(vl[i], L2[i]/Z - M[i]*M[i], 1e-10);
            CHECK_REL(cdf[i], F[i]/Z, 1e-10);
            CHECK_NEAR(lp[i], log(P[i]/Z), 1e-10);
        }
        CHECK_NEAR(bln_slm_integrated_evidence(m), log(Z) - 0.5*N*log(6.283185307179586) + 0.5*ld + bln_lgamma(0.5*N), 1e-10);
        bln_slm_integrated_free(m);
    }
    bln_basis_free(b);
}

/* The default prior as a callback, but for its constant, which enters the evidence; and one that is no density. */
TEST(slm_integrated, log_prior)
{
    const double ratio[2] = { HUGE_VAL, 0.0 }, nothing[3] = { (double)NAN, HUGE_VAL, -HUGE_VAL };
    double scale = 2.5, cdf[2][12], value;
    bln_basis *b = few_line(1);
    bln_slm_integrated_desc d = few_desc(b, ratio);
    const bln_data data = slm_view(12, 1, few_x, few_y);
    bln_slm_integrated *m[2];
    bln_report report;
    d.prior_scale = scale;
    for (int own = 0; own < 2; own++) {
        of_outputs o;
        memset(&o, 0, sizeof o);
        o.cdf = cdf[own];
        if (own) { d.log_prior = few_cauchy; d.log_prior_user = &scale; }
        m[own] = few_new(&d);
        CHECK_OK(bln_slm_integrated_fit(m[own], &data, NULL));
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(m[own]), &data, &o, NULL, NULL));
    }
    for (int i = 0; i < 12; i++) CHECK_NEAR(cdf[1][i], cdf[0][i], 1e-11);
    CHECK_NEAR(bln_slm_integrated_evidence(m[1]) - bln_slm_integrated_evidence(m[0]),
               1.0 + log(3.14159265358979323846*scale/2.0), 1e-11);
    const double before = bln_slm_integrated_evidence(m[1]);
    bln_slm_integrated_free(m[0]);
    d.log_prior = few_bad;
    d.log_prior_user = &value;
    m[0] = few_new(&d);
    for (int k = 0; k < 3; k++) {
        value = nothing[k];
        const bln_status status = bln_slm_integrated_fit(m[0], &data, &report);
        CHECK_STATUS(status, k < 2 ? BLN_ENUMERIC : BLN_EUNDEFINED);
        CHECK(report.text[0] != '\0' && bln_slm_integrated_nodes(m[0]) == 0);
    }
    CHECK_NEAR(bln_slm_integrated_evidence(m[1]), before, 0.0);
    bln_slm_integrated_free(m[0]);
    bln_slm_integrated_free(m[1]);
    bln_basis_free(b);
}

/* A row of weight k is k rows. */
TEST(slm_integrated, copies)
{
    const double ratio[2] = { HUGE_VAL, 0.0 };
    double w[12], v[36], o[36], X[36], y[36], q[2][24], cdf[2][12];
    size_t n = 0;
    bln_basis *b = few_line(1);
    const bln_slm_integrated_desc d = few_desc(b, ratio);
    double e[2];
    for (size_t i = 0; i < 12; i++) {
        w[i] = (double)(i % 4);
        v[i] = 0.5 + 0.2*(double)(i % 3);
        o[i] = sin((double)i);
    }
    double vv[36], oo[36];
    for (size_t i = 0; i < 12; i++)
        for (size_t k = 0; k < i % 4; k++, n++) { X[n] = few_x[i]; y[n] = few_y[i]; vv[n] = v[i]; oo[n] = o[i]; }
    for (int copies = 0; copies < 2; copies++) {
        bln_data data = copies ? slm_view(n, 1, X, y) : slm_view(12, 1, few_x, few_y), at = slm_view(12, 1, few_x, few_y);
        of_outputs out;
        data.noise_var = copies ? vv : v;
        data.offset = copies ? oo : o;
        if (!copies) data.weight = w;
        memset(&out, 0, sizeof out);
        out.cdf = cdf[copies];
        out.quantile = q[copies];
        out.level = few_levels;
        out.n_level = 2;
        bln_slm_integrated *m = few_new(&d);
        CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &at, &out, NULL, NULL));
        e[copies] = bln_slm_integrated_evidence(m);
        bln_slm_integrated_free(m);
    }
    CHECK_REL(e[1], e[0], 1e-12);
    for (int i = 0; i < 12; i++) {
        CHECK_NEAR(cdf[1][i], cdf[0][i], 1e-12);
        for (int k = 0; k < 2; k++) CHECK_NEAR(q[1][2*i + k], q[0][2*i + k], 1e-11);
    }
    bln_basis_free(b);
}

/* ---- more features than three doubles are taken for, and parameters of the basis */

/* 24 features beside a flat intercept: in double by default, the same as in three doubles. kappa of the features is about 10 and
 * of the ratio's system at most tau^2 N ~ 1e5: 1e-9. Dependent flat features are named there too. */
TEST(slm_integrated, many_features)
{
    enum { N = 40, D = 24 };
    const double ratio[2] = { HUGE_VAL, 0.0 }, flat[1] = { HUGE_VAL };
    double X[N*D], y[N], cdf[2][N], mean[2][N], var[2][N], e[2];
    test_random r = test_random_new(51);
    test_fill_normal(&r, N*D, X);
    for (size_t i = 0; i < N; i++) y[i] = 2.0 + X[i*D] - X[i*D + 1] + 0.5*test_normal(&r);
    bln_basis *part[2], *b = NULL, *plain = NULL;
    CHECK_OK(bln_bias_create(NULL, &part[0]));
    CHECK_OK(bln_linear_create(NULL, D, 0, &part[1]));
    CHECK_OK(bln_basis_sum(NULL, 2, part, &b, NULL));
    const bln_data data = slm_view(N, D, X, y);
    for (int exact = 0; exact < 2; exact++) {
        bln_slm_integrated_desc d = few_desc(b, ratio);
        of_outputs o;
        if (exact) d.arithmetic = BLN_SLM_EXACT;
        memset(&o, 0, sizeof o);
        o.cdf = cdf[exact];
        o.mean = mean[exact];
        o.var_total = var[exact];
        bln_slm_integrated *m = few_new(&d);
        CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &data, &o, NULL, NULL));
        e[exact] = bln_slm_integrated_evidence(m);
        bln_slm_integrated_free(m);
    }
    CHECK_REL(e[0], e[1], 1e-10);
    for (size_t i = 0; i < N; i++) {
        CHECK_NEAR(cdf[0][i], cdf[1][i], 1e-9);
        CHECK_NEAR(mean[0][i], mean[1][i], 1e-9);
        CHECK_REL(var[0][i], var[1][i], 1e-9);
    }

    /* All flat, in double: a twin, a sum, and one dummy too many, with a level of two rows. */
    CHECK_OK(bln_linear_create(NULL, D, 0, &plain));
    const bln_slm_integrated_desc d = few_desc(plain, flat);
    bln_slm_integrated *m = few_new(&d);
    CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
    for (int k = 0; k < 3; k++) {
        bln_report report;
        for (size_t i = 0; i < N; i++) {
            double *x = X + i*D;
            if (k == 0) x[9] = x[3];
            if (k == 1) x[9] = x[3] + x[5];
            if (k < 2) continue;
            x[0] = 1.0;
            for (size_t j = 1; j < 10; j++) x[j] = (i < 18 ? i % 9 : i % 7) == j - 1;
        }
        CHECK_STATUS(bln_slm_integrated_fit(m, &data, &report), BLN_ENOTPD);
        CHECK_SIZE(report.column, 9);
    }
    bln_slm_integrated_free(m);
    bln_basis_free(plain);
    bln_basis_free(b);
}

/* Parameters of the basis, given to the model or to statistics, against a linear basis on the features themselves. */
TEST(slm_integrated, theta_given)
{
    enum { J = 4 };
    const double theta[1] = { 0.6 }, other[1] = { 1.9 };
    double Phi[12*2*J], cdf[4][12], e[4];
    bln_fourier_desc fd = BLN_ZERO;
    bln_basis *b = NULL, *plain = NULL;
    fd.d = 1;
    fd.n = J;
    CHECK_OK(bln_fourier_create(&fd, &b, NULL));
    CHECK_OK(bln_linear_create(NULL, 2*J, 0, &plain));
    double *work = test_doubles(bln_basis_work(b, 12) + 8);
    for (int k = 0; k < 4; k++) {       /* of the model; of the statistics; on the features; of another theta */
        bln_slm_integrated_desc d = few_desc(k == 2 ? plain : b, NULL);
        bln_data data = slm_view(12, 1, few_x, few_y), rows = data;
        of_outputs o;
        if (k == 0) d.theta = theta;
        if (k == 3) d.theta = other;
        if (k == 2) {
            bln_basis_features(b, theta, 12, few_x, 1, Phi, 2*J, work);
            rows = slm_view(12, 2*J, Phi, few_y);
        }
        memset(&o, 0, sizeof o);
        o.cdf = cdf[k];
        bln_slm_integrated *m = few_new(&d);
        if (k == 1) {
            bln_statistics_desc td = BLN_ZERO;
            bln_statistics *t = NULL;
            td.basis = b;
            td.theta = theta;
            td.exact = 1;
            CHECK_OK(bln_statistics_create(&td, &t, NULL));
            CHECK_OK(bln_statistics_add(t, &data, NULL));
            CHECK_OK(bln_slm_integrated_fit_statistics(m, t, NULL));
            bln_statistics_free(t);
        } else CHECK_OK(bln_slm_integrated_fit(m, &rows, NULL));
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &rows, &o, NULL, NULL));
        e[k] = bln_slm_integrated_evidence(m);
        bln_slm_integrated_free(m);
    }
    CHECK_REL(e[0], e[2], 1e-11);
    CHECK_REL(e[1], e[2], 1e-11);
    CHECK(fabs(e[3] - e[2]) > 0.01);
    for (int i = 0; i < 12; i++) {
        CHECK_NEAR(cdf[0][i], cdf[2][i], 1e-10);
        CHECK_NEAR(cdf[1][i], cdf[2][i], 1e-10);
    }
    const double bad[1] = { (double)NAN };
    bln_slm_integrated_desc d = few_desc(b, NULL);
    d.theta = bad;
    CHECK_TEXT(bln_slm_integrated_check(&d), "theta");
    free(work);
    bln_basis_free(b);
    bln_basis_free(plain);
}

/* 95 % intervals for a new y beside straight lines of n = 12, 1000 replications a point: 93 to 97 %, plus 5 sigma of the count
 * (5 sqrt(0.05 0.95/1000) = 3.4 %); all points together (9000) 94 to 96 % plus 5 sigma of it, were
 * they independent thirds (2 %). */
TEST(slm_integrated, coverage)
{
    static const double slopes[3] = { 0.0, 1.0, 5.0 }, points[3] = { 0.0, 1.2, 2.5 };
    const double ratio[2] = { HUGE_VAL, 0.0 };
    enum { TIMES = 1000 };
    size_t all = 0;
    bln_basis *b = few_line(1);
    bln_slm_integrated_desc d = few_desc(b, ratio);
    d.nodes = 32;
    bln_slm_integrated *m = few_new(&d);
    test_random r = test_random_new(3);
    double *work = NULL;
    for (size_t s = 0; s < 3; s++) {
        size_t hits[3] = { 0, 0, 0 };
        for (size_t k = 0; k < TIMES; k++) {
            double x[12], y[12], new_y[3], cdf[3];
            of_outputs o;
            memset(&o, 0, sizeof o);
            o.cdf = cdf;
            test_fill_normal(&r, 12, x);
            for (size_t i = 0; i < 12; i++) y[i] = 0.7 + slopes[s]*x[i] + test_normal(&r);
            for (size_t i = 0; i < 3; i++) new_y[i] = 0.7 + slopes[s]*points[i] + test_normal(&r);
            const bln_data data = slm_view(12, 1, x, y), at = slm_view(3, 1, points, new_y);
            CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
            CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &at, &o, work, NULL));
            for (size_t i = 0; i < 3; i++) hits[i] += cdf[i] >= 0.025 && cdf[i] <= 0.975;
        }
        for (size_t i = 0; i < 3; i++) {
            CHECK_LE(0.93 - 0.034, (double)hits[i]/TIMES);
            CHECK_LE((double)hits[i]/TIMES, 0.97 + 0.034);
            all += hits[i];
        }
    }
    CHECK_LE(0.94 - 0.02, (double)all/(9.0*TIMES));
    CHECK_LE((double)all/(9.0*TIMES), 0.96 + 0.02);
    bln_slm_integrated_free(m);
    bln_basis_free(b);
}

/* A spike: fixed ratios, by the dense formula with two features written out: B = I + S G S of size 2 inverted by hand. 1e-12 for
 * a condition of about 10. */
TEST(slm_integrated, fixed_ratios_are_the_dense_formula)
{
    double X[24], G[3] = { 0.0, 0.0, 0.0 }, bb[2] = { 0.0, 0.0 }, c = 0.0, mean, var, lp, cm[2];
    const double ratio[1] = { 0.37 }, at[2] = { 0.4, -1.1 }, ay = 0.3, a = 1.5, b0 = 0.8;
    bln_basis *b = NULL;
    CHECK_OK(bln_linear_create(NULL, 2, 0, &b));
    for (int i = 0; i < 12; i++) {
        X[2*i] = few_x[i];
        X[2*i + 1] = cos(3.0*few_x[i]);
        G[0] += X[2*i]*X[2*i]; G[1] += X[2*i]*X[2*i + 1]; G[2] += X[2*i + 1]*X[2*i + 1];
        bb[0] += X[2*i]*few_y[i]; bb[1] += X[2*i + 1]*few_y[i];
        c += few_y[i]*few_y[i];
    }
    bln_slm_integrated_desc d = few_desc(b, ratio);
    d.noise_a = a;
    d.noise_b = b0;
    bln_slm_integrated *m = few_new(&d);
    const bln_data data = slm_view(12, 2, X, few_y), row = slm_view(1, 2, at, &ay);
    of_outputs o;
    memset(&o, 0, sizeof o);
    o.mean = &mean; o.var_total = &var; o.log_density = &lp;
    CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
    CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &row, &o, NULL, NULL));
    CHECK_OK(bln_posterior_coefficients(bln_slm_integrated_posterior(m), cm, NULL, 0, NULL, NULL, NULL, NULL));
    const double r = ratio[0], A = 1.0/r + G[0], B = G[1], C = 1.0/r + G[2], det = A*C - B*B;       /* S^-1 B S^-1 */
    const double m0 = (C*bb[0] - B*bb[1])/det, m1 = (A*bb[1] - B*bb[0])/det, q = c - m0*bb[0] - m1*bb[1], nu = 12.0 + 2.0*a;
    const double v = (C*at[0]*at[0] - 2.0*B*at[0]*at[1] + A*at[1]*at[1])/det, s2 = (q + 2.0*b0)/nu*(1.0 + v);
    const double loc = at[0]*m0 + at[1]*m1, z = (ay - loc)*(ay - loc)/(nu*s2);
    CHECK_REL(cm[0], m0, 1e-12);
    CHECK_REL(cm[1], m1, 1e-12);
    CHECK_NEAR(mean, loc, 1e-12);
    CHECK_REL(var, s2*nu/(nu - 2.0), 1e-12);
    CHECK_NEAR(lp, lgamma(8.0) - lgamma(7.5) - 0.5*log(3.14159265358979323846*nu*s2) - 8.0*log1p(z), 1e-12);
    CHECK_NEAR(bln_slm_integrated_evidence(m), -6.0*log(6.283185307179586) - 0.5*log(det*r*r) + lgamma(7.5) - 7.5*log(0.5*q + b0)
               + a*log(b0) - lgamma(a), 1e-12);
    bln_slm_integrated_free(m);
    bln_basis_free(b);
}

/* y times f, x times g and shifted (flat intercept): the same cdf at the same places; mean and quantiles scale. Exact arithmetic
 * leaves the rounding of the scaled data, eps times at most 10^3 (the shift over the spread). */
TEST(slm_integrated, equivariant)
{
    const double ratio[2] = { HUGE_VAL, 0.0 };
    bln_basis *b = few_line(1);
    const bln_slm_integrated_desc d = few_desc(b, ratio);
    double cdf[12], q[24], cdf1[12], q1[24];
    for (int k = 0; k < 5; k++) {
        static const double fs[5] = { 1.0, 1e-12, 1e12, 3.0, 1e-5 }, gs[5] = { 1.0, 1.0, 7e7, 1e-9, 1.0 };
        static const double shift[5] = { 0, 0, 0, 0, 100 };
        double x[12], y[12];
        bln_slm_integrated *m = few_new(&d);
        of_outputs o;
        for (int i = 0; i < 12; i++) { x[i] = few_x[i]*gs[k] + shift[k]; y[i] = few_y[i]*fs[k]; }
        const bln_data data = slm_view(12, 1, x, y);
        memset(&o, 0, sizeof o);
        o.cdf = k ? cdf1 : cdf;
        o.quantile = k ? q1 : q;
        o.level = few_levels;
        o.n_level = 2;
        CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &data, &o, NULL, NULL));
        for (int i = 0; i < 12 && k; i++) {
            CHECK_NEAR(cdf1[i], cdf[i], 1e-12);
            CHECK_NEAR(q1[2*i]/fs[k], q[2*i], 1e-11);
            CHECK_NEAR(q1[2*i + 1]/fs[k], q[2*i + 1], 1e-11);
        }
        bln_slm_integrated_free(m);
    }
    bln_basis_free(b);
}

/* Two and three ratios: default nodes against five times as many in each direction (twice for three), to the header's claim. */
TEST(slm_integrated, tensor_grids_converge)
{
    for (size_t dims = 2; dims <= 3; dims++) {
        bln_basis *part[3], *b = NULL;
        double X[36], e[2], cdf[2][3];
        for (size_t j = 0; j < dims; j++) {
            bln_basis *one = NULL;
            CHECK_OK(bln_linear_create(NULL, 1, 0, &one));
            CHECK_OK(bln_basis_columns(NULL, dims, 1, &j, one, &part[j], NULL));
        }
        CHECK_OK(bln_basis_sum(NULL, dims, part, &b, NULL));
        for (size_t i = 0; i < 12; i++)
            for (size_t j = 0; j < dims; j++) X[i*dims + j] = j == 0 ? few_x[i]
                                              : j == 1 ? cos(3.0*few_x[i]) : few_x[i]*few_x[i] - 1.0;
        for (int fine = 0; fine < 2; fine++) {
            bln_slm_integrated_desc d = few_desc(b, NULL);
            if (fine) d.nodes = dims == 2 ? 160 : 40;
            bln_slm_integrated *m = few_new(&d);
            const bln_data data = slm_view(12, dims, X, few_y), some = bln_data_rows(&data, 4, 3);
            of_outputs o;
            memset(&o, 0, sizeof o);
            o.cdf = cdf[fine];
            CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
            CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &some, &o, NULL, NULL));
            e[fine] = bln_slm_integrated_evidence(m);
            bln_slm_integrated_free(m);
        }
        CHECK_NEAR(e[0], e[1], dims == 2 ? 1e-8 : 1e-5);
        for (int i = 0; i < 3; i++) CHECK_NEAR(cdf[0][i], cdf[1][i], dims == 2 ? 1e-8 : 1e-5);
        bln_basis_free(b);
    }
}

/* Too few rows, two rows, a perfect fit, dependent flat features, misuse, and no memory: a clear status each, nothing leaked. */
TEST(slm_integrated, limits)
{
    const double flat[2] = { HUGE_VAL, HUGE_VAL }, learn[2] = { HUGE_VAL, 0.0 };
    const double x[4] = { 1.0, 2.0, 3.0, 5.0 }, y[4] = { 3.0, 5.0, 7.0, 11.0 };
    const double same[4] = { 2.0, 2.0, 2.0, 2.0 }, wild[4] = { 1.0, -2.0, 0.5, 3.0 };
    double mean[4], q[8], cm[2], level = 1.0;
    bln_report report;
    of_outputs o;
    test_heap heap;
    bln_basis *b = few_line(1);
    bln_slm_integrated_desc df = few_desc(b, flat), dl = few_desc(b, learn);
    bln_slm_integrated *f = few_new(&df), *m = few_new(&dl);
    bln_data data = slm_view(2, 1, x, y);
    memset(&o, 0, sizeof o);
    o.mean = mean;
    o.quantile = q;
    o.level = few_levels;
    o.n_level = 2;
    CHECK_STATUS(outputs_of(bln_slm_integrated_posterior(m), &data, &o, NULL, NULL), BLN_ESTATE);
    CHECK_STATUS(bln_slm_integrated_fit(f, &data, &report), BLN_EUNDEFINED);
    CHECK_TEXT(report.text, "noise variance");
    CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));                  /* nu = 1: no mean, but an interval */
    CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &data, &o, NULL, NULL));
    CHECK(mean[0] != mean[0] && q[0] < 3.0 && q[1] > 3.0 && q[1] < 1e6);
    data.n = 4;                                                        /* y = 1 + 2x */
    for (int k = 0; k < 2; k++) {
        bln_slm_integrated *p = k ? m : f;
        CHECK_OK(bln_slm_integrated_fit(p, &data, NULL));
        CHECK(bln_slm_integrated_evidence(p) == HUGE_VAL);
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(p), &data, &o, NULL, NULL));
        CHECK_OK(bln_posterior_coefficients(bln_slm_integrated_posterior(p), cm, NULL, 0, NULL, NULL, NULL, NULL));
        for (int i = 0; i < 4; i++) { CHECK_NEAR(q[2*i], y[i], 1e-13); CHECK_NEAR(q[2*i + 1], y[i], 1e-13); }
        CHECK_NEAR(cm[0], 1.0, 1e-13);
        CHECK_NEAR(cm[1], 2.0, 1e-13);
    }
    data.y = wild;
    data.X = same;
    CHECK_STATUS(bln_slm_integrated_fit(f, &data, &report), BLN_ENOTPD);
    CHECK_SIZE(report.column, 1);
    CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));                  /* the prior decides between them */
    level = 1.5;
    o.level = &level;
    o.n_level = 1;
    CHECK_STATUS(outputs_of(bln_slm_integrated_posterior(m), &data, &o, NULL, NULL), BLN_EDOMAIN);
    dl.nodes = 3;
    CHECK_TEXT(bln_slm_integrated_check(&dl), "nodes");
    bln_slm_integrated_free(f);
    bln_slm_integrated_free(m);
    dl.nodes = 0;
    data.X = x;
    dl.alloc = test_heap_allocator(&heap);
    for (size_t k = 0;; k++) {
        heap.calls = 0;
        heap.fail_at = k;
        m = NULL;
        bln_status status = bln_slm_integrated_create(&dl, &m, NULL);
        if (status == BLN_OK) status = bln_slm_integrated_fit(m, &data, NULL);
        bln_slm_integrated_free(m);
        CHECK_SIZE(heap.live, 0);
        if (status == BLN_OK) break;
        CHECK_STATUS(status, BLN_ENOMEM);
    }
    bln_basis_free(b);
}

/* By triangles: what three doubles say, with a flat slice in the middle, one fixed and one integrated ratio, weights and row
 * variances; from rows and from statistics, merged. Well conditioned, all arithmetics agree to 1e-10, some 1e5 eps. */
TEST(slm_integrated, triangles)
{
    static const double w[12] = { 1, 2, 1, 0, 1, 3, 1, 1, 2, 1, 1, 1 }, v[12] = { 1, 0.5, 2, 1, 1, 1, 3, 1, 0.7, 1, 1, 1.5 };
    const double ratio[3] = { 0.0, HUGE_VAL, 0.6 };
    double mean[2][12], var[2][12], evidence[2];
    bln_basis *part[3], *b = NULL;
    bln_data data = slm_view(12, 1, few_x, few_y);
    data.weight = w;
    data.noise_var = v;
    CHECK_OK(bln_linear_create(NULL, 1, 0, &part[0]));
    CHECK_OK(bln_bias_create(NULL, &part[1]));
    CHECK_OK(bln_legendre_create(NULL, 1, 4, 0, NULL, NULL, &part[2]));
    CHECK_OK(bln_basis_sum(NULL, 3, part, &b, NULL));
    if (!b) exit(1);
    bln_slm_integrated_desc desc = few_desc(b, ratio);
    bln_slm_integrated *m = few_twice(desc, &data, mean, var, evidence);
    bln_statistics_desc sd;
    bln_statistics *t = NULL, *u = NULL;
    const bln_data head = bln_data_rows(&data, 0, 5), tail = bln_data_rows(&data, 5, 7);
    memset(&sd, 0, sizeof sd);
    sd.basis = b;
    sd.qr = 1;
    CHECK_OK(bln_statistics_create(&sd, &t, NULL));
    CHECK_OK(bln_statistics_create(&sd, &u, NULL));
    CHECK_OK(bln_statistics_add(t, &head, NULL));
    CHECK_OK(bln_statistics_add(u, &tail, NULL));
    CHECK_OK(bln_statistics_merge(t, u, NULL));
    CHECK_OK(bln_slm_integrated_fit_statistics(m, t, NULL));
    CHECK_NEAR(bln_slm_integrated_evidence(m), evidence[1], 1e-10);
    bln_statistics_free(t);
    bln_statistics_free(u);
    bln_slm_integrated_free(m);
    CHECK_NEAR(evidence[1], evidence[0], 1e-10);
    for (int i = 0; i < 12; i++) {
        CHECK_NEAR(mean[1][i], mean[0][i], 1e-10);
        CHECK_REL(var[1][i], var[0][i], 1e-10);
    }
    bln_basis_free(b);
}

/* Flat powers of 40 .. 51 up to the fifth: squaring the condition leaves sums in double 3 digits of the means (9e-4 off), a
 * triangle all but six or seven (4e-10): 1e-7 and 1e-6 part them. Features that depend on each other are named. */
TEST(slm_integrated, triangles_of_ill_conditioned_features)
{
    const double flat[2] = { HUGE_VAL, HUGE_VAL };
    double X[12], mean[2][12], evidence[2], worst = HUGE_VAL;
    bln_report report;
    bln_basis *b = NULL, *part[2], *twice = NULL;
    for (int i = 0; i < 12; i++) X[i] = 40.0 + i;
    bln_data data = slm_view(12, 1, X, few_y);
    CHECK_OK(bln_polynomial_create(NULL, 1, 5, 1, 0, &b));
    bln_slm_integrated_desc desc = few_desc(b, flat);
    of_outputs out;
    memset(&out, 0, sizeof out);
    bln_slm_integrated_free(few_twice(desc, &data, mean, NULL, evidence));
    out.mean = mean[1];
    for (int i = 0; i < 12; i++) CHECK_NEAR(mean[1][i], mean[0][i], 1e-7);
    desc.arithmetic = BLN_SLM_DOUBLE;
    bln_slm_integrated *m = few_new(&desc);
    const bln_status status = bln_slm_integrated_fit(m, &data, NULL);
    if (status == BLN_OK) {
        worst = 0.0;
        CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &data, &out, NULL, NULL));
        for (int i = 0; i < 12; i++) worst = fmax(worst, fabs(mean[1][i] - mean[0][i]));
    } else CHECK_STATUS(status, BLN_ENOTPD);
    CHECK(worst > 1e-6);
    bln_slm_integrated_free(m);
    CHECK_OK(bln_polynomial_create(NULL, 1, 1, 1, 0, &part[0]));
    CHECK_OK(bln_linear_create(NULL, 1, 0, &part[1]));
    CHECK_OK(bln_basis_sum(NULL, 2, part, &twice, NULL));
    if (!twice) exit(1);
    desc = few_desc(twice, flat);
    desc.arithmetic = BLN_SLM_QR;
    m = few_new(&desc);
    CHECK_STATUS(bln_slm_integrated_fit(m, &data, &report), BLN_ENOTPD);
    CHECK_SIZE(report.column, 2);
    bln_slm_integrated_free(m);
    bln_basis_free(twice);
    bln_basis_free(b);
}

/* A source of three rows at a time, that can fail or change its shape at its third block. */
typedef struct few_blocks { bln_data data; size_t at; bln_status fails; size_t d; } few_blocks;
static bln_status few_reset(void *user, bln_report *report)
{
    (void)report;
    ((few_blocks *)user)->at = 0;
    return BLN_OK;
}
static bln_status few_next(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    few_blocks *s = (few_blocks *)user;
    size_t n = s->data.n - s->at;
    (void)report;
    if (n > 3) n = 3;
    if (n > max_rows) n = max_rows;
    *block = bln_data_rows(&s->data, s->at, n);
    if (s->at == 6 && s->d) block->d = s->d;
    if (s->at == 6 && s->fails != BLN_OK) return s->fails;
    s->at += n;
    return BLN_OK;
}

/* Blocks of rows are the rows, to the bit in three doubles. What goes wrong keeps the fit of before and names the row. */
TEST(slm_integrated, source)
{
    double y[12], mean[3], var[3];
    few_blocks blocks = { BLN_ZERO, 0, BLN_OK, 0 };
    bln_source source;
    bln_report report;
    memcpy(y, few_y, sizeof y);
    bln_data data = slm_view(12, 1, few_x, y), at = slm_view(3, 1, few_x, NULL);
    bln_basis *b = few_line(1);
    bln_slm_integrated_desc desc = few_desc(b, NULL);
    bln_slm_integrated *m = few_new(&desc), *from = few_new(&desc);
    blocks.data = data;
    source.d = 1;
    source.reset = few_reset;
    source.next = few_next;
    source.user = &blocks;
    CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
    CHECK_OK(bln_slm_integrated_fit_source(from, &source, &report));
    CHECK_NEAR(bln_slm_integrated_evidence(from), bln_slm_integrated_evidence(m), 0.0);
    CHECK_NEAR(report.objective, bln_slm_integrated_evidence(m), 0.0);
    CHECK_OK(bln_slm_integrated_predict(m, &at, mean, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_slm_integrated_predict(from, &at, var, NULL, NULL, NULL, NULL));
    for (size_t i = 0; i < 3; i++) CHECK_NEAR(var[i], mean[i], 0.0);
    blocks.fails = BLN_EIO;
    CHECK_STATUS(bln_slm_integrated_fit_source(from, &source, &report), BLN_EIO);
    blocks.fails = BLN_OK;
    blocks.d = 2;
    CHECK_STATUS(bln_slm_integrated_fit_source(from, &source, &report), BLN_ESHAPE);
    blocks.d = 0;
    y[7] = HUGE_VAL;
    CHECK_STATUS(bln_slm_integrated_fit_source(from, &source, &report), BLN_EDATA);
    CHECK(report.row == 7 && report.column == 1);
    blocks.data.n = 0;
    CHECK_STATUS(bln_slm_integrated_fit_source(from, &source, &report), BLN_EINVAL);
    CHECK_NEAR(bln_slm_integrated_evidence(from), bln_slm_integrated_evidence(m), 0.0);
    bln_slm_integrated_free(m);
    bln_slm_integrated_free(from);
    bln_basis_free(b);
}

SUITE_BEGIN(slm_integrated)
SUITE_TEST(slm_integrated, source)
SUITE_TEST(slm_integrated, flat_line_is_the_textbook)
SUITE_TEST(slm_integrated, quadrature_equals_a_fine_one)
SUITE_TEST(slm_integrated, weights_and_a_prior_of_ones_own)
SUITE_TEST(slm_integrated, log_prior)
SUITE_TEST(slm_integrated, copies)
SUITE_TEST(slm_integrated, many_features)
SUITE_TEST(slm_integrated, theta_given)
SUITE_TEST(slm_integrated, coverage)
SUITE_TEST(slm_integrated, fixed_ratios_are_the_dense_formula)
SUITE_TEST(slm_integrated, equivariant)
SUITE_TEST(slm_integrated, tensor_grids_converge)
SUITE_TEST(slm_integrated, limits)
SUITE_TEST(slm_integrated, triangles)
SUITE_TEST(slm_integrated, triangles_of_ill_conditioned_features)
SUITE_END(slm_integrated)

/* Scale mixtures of normals of the user: Student-t and binomials by phi alone beside those of the library, row by row and as models
 * by cavi and gibbs; the support vector machine beside golden values; chains from an exact start stay in the joint law of
 * parameters and data [samplers 44]; what is refused, and of which row. Seeds are fixed, bounds of draws 5 standard errors. */
#include "gibbs_tools.h"
#include "../golden/gibbs_golden.h"
#include "../golden/own_mixture_golden.h"

#define OWN_ROWS   const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t
#define OWN_SQUARE OWN_ROWS, const double *square

static double own_scale(const double *theta, const bln_targets *t, size_t i)
{
    return theta[1]*theta[0]*theta[0]*(t->noise_var ? t->noise_var[i] : 1.0);
}
static void own_t_constants(OWN_ROWS, double *constants)
{
    const double nu = theta[1];
    (void)l;
    for (size_t i = 0; i < n; i++)
        constants[i] = bln_lgamma(0.5*(nu + 1.0)) - bln_lgamma(0.5*nu) - 0.5*log(BLNI_PI*own_scale(theta, t, i));
}
static void own_t_phi(OWN_SQUARE, double *log_phi, double *omega)
{
    (void)l;
    for (size_t i = 0; i < n; i++) {
        const double a = own_scale(theta, t, i), nu = theta[1];
        log_phi[i] = t->constants[i] - 0.5*(nu + 1.0)*log1p(square[i]/a);
        omega[i] = (nu + 1.0)/(a + square[i]);
    }
}
static void own_t_draw(OWN_SQUARE, bln_rng *rng, double *omega)
{
    (void)l;
    for (size_t i = 0; i < n; i++)
        omega[i] = bln_rng_gamma(rng, 0.5*(theta[1] + 1.0))*2.0/(own_scale(theta, t, i) + square[i]);
}

static void own_logit_phi(OWN_SQUARE, double *log_phi, double *omega)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) {
        const double m = t->trials ? t->trials[i] : 1.0, y = t->y[i], c = sqrt(square[i]);
        log_phi[i] = bln_lgamma(m + 1.0) - bln_lgamma(y + 1.0) - bln_lgamma(m - y + 1.0) - m*(0.5*c + log1p(exp(-c)));
        omega[i] = 0.5*m*(c > 1e-8 ? tanh(0.5*c)/c : 0.5);
    }
}
static void own_logit_centre(OWN_ROWS, double *centre, double *tilt)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) { centre[i] = 0.0; tilt[i] = t->y[i] - 0.5*(t->trials ? t->trials[i] : 1.0); }
}
static void own_logit_draw(OWN_SQUARE, bln_rng *rng, double *omega)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) omega[i] = bln_rng_polya_gamma(rng, t->trials ? t->trials[i] : 1.0, sqrt(square[i]));
}

static void own_svm_phi(OWN_SQUARE, double *log_phi, double *omega)
{
    (void)l; (void)theta; (void)t;
    for (size_t i = 0; i < n; i++) { log_phi[i] = -sqrt(square[i]); omega[i] = 1.0/sqrt(square[i]); }
}
static void own_svm_centre(OWN_ROWS, double *centre, double *tilt)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) centre[i] = tilt[i] = t->y[i];
}
static void own_svm_draw(OWN_SQUARE, bln_rng *rng, double *omega)
{
    (void)l; (void)theta; (void)t;
    for (size_t i = 0; i < n; i++) omega[i] = bln_rng_inverse_gaussian(rng, 1.0/sqrt(square[i]), 1.0);
}
static void own_svm_expect(OWN_ROWS, const double *m, const double *v, double tolerance, double *value, double *dm, double *dv,
                           double *dtheta, size_t lddtheta)
{
    (void)l; (void)theta; (void)tolerance; (void)dtheta; (void)lddtheta;
    for (size_t i = 0; i < n; i++) {
        const double y = t->y[i], s = sqrt(v[i]), z = (1.0 - y*m[i])/s, p = bln_norm_cdf(z), d = exp(bln_norm_logpdf(z));
        value[i] = -2.0*s*(z*p + d);
        if (dm) dm[i] = 2.0*y*p;
        if (dv) dv[i] = -d/s;
    }
}

/* The library's functions of binomial counts look in their own table for the link, so they are called with it. */
static void own_logit_moments(OWN_ROWS, const double *f, double *mean, double *var)
{
    const bln_likelihood twin = bln_likelihood_binomial(BLN_LINK_LOGIT);
    (void)l;
    twin.ops->moments(&twin, theta, n, t, f, mean, var);
}
static void own_logit_cdf(OWN_ROWS, const double *f, double *lower, double *upper)
{
    const bln_likelihood twin = bln_likelihood_binomial(BLN_LINK_LOGIT);
    (void)l;
    twin.ops->cdf(&twin, theta, n, t, f, lower, upper);
}
static void own_logit_draw_y(OWN_ROWS, const double *f, bln_rng *rng, double *y)
{
    const bln_likelihood twin = bln_likelihood_binomial(BLN_LINK_LOGIT);
    (void)l;
    twin.ops->draw(&twin, theta, n, t, f, rng, y);
}

/* The tables; the user's have no logp and no derivatives, and borrow what has nothing to do with these. */
enum { OWN_T, OWN_LOGIT, OWN_SVM };
static bln_likelihood_ops own_ops[3];
static bln_mixture_ops own_mixture[3];

static bln_likelihood own_likelihood(int which)
{
    const bln_likelihood from = which == OWN_T ? bln_likelihood_student_t() : bln_likelihood_binomial(BLN_LINK_LOGIT);
    bln_likelihood_ops *const ops = own_ops + which;
    bln_mixture_ops *const mixture = own_mixture + which;
    bln_likelihood l = BLN_ZERO;
    memset(ops, 0, sizeof *ops);
    ops->name = which == OWN_T ? "my_t" : which == OWN_LOGIT ? "my_logit" : "my_svm";
    mixture->phi = which == OWN_T ? own_t_phi : which == OWN_LOGIT ? own_logit_phi : own_svm_phi;
    mixture->centre = which == OWN_T ? NULL : which == OWN_LOGIT ? own_logit_centre : own_svm_centre;
    mixture->draw_omega = which == OWN_T ? own_t_draw : which == OWN_LOGIT ? own_logit_draw : own_svm_draw;
    ops->mixture = mixture;
    ops->normal_expect = which == OWN_SVM ? own_svm_expect : NULL;
    l.ops = ops;
    l.n_theta = from.n_theta;
    if (which == OWN_SVM) return l;
    if (which == OWN_T) {
        ops->n_constants = 1;
        ops->of_theta = 1;
        ops->constants = own_t_constants;
    }
    ops->discrete = from.ops->discrete;
    ops->domain = from.ops->domain;
    ops->support = from.ops->support;
    ops->param = from.ops->param;
    ops->param_name = from.ops->param_name;
    ops->singularity = from.ops->singularity;
    ops->moments = which == OWN_T ? from.ops->moments : own_logit_moments;
    ops->cdf = which == OWN_T ? from.ops->cdf : own_logit_cdf;
    ops->draw = which == OWN_T ? from.ops->draw : own_logit_draw_y;
    return l;
}
static bln_likelihood own_twin(int which) { return which ? bln_likelihood_binomial(BLN_LINK_LOGIT) : bln_likelihood_student_t(); }
static const double own_theta[2] = { 0.8, 3.5 };

/* ---- rows */

/* The sums differ by some roundings of terms of the size of ell and h; slopes in theta by what differences leave. */
TEST(glm_own_mixture, rows_beside_those_of_the_library)
{
    enum { N = 300 };
    double y[N], other[N], m[N], v[N], weight[N], got[3][N], want[3][N], d[2][2*N], logp[2][N];
    for (int which = OWN_T; which <= OWN_LOGIT; which++) {
        const bln_likelihood own = own_likelihood(which), twin = own_twin(which);
        bln_targets t = BLN_ZERO;
        test_random r = test_random_new(91);
        t.y = y;
        if (which) t.trials = other; else t.noise_var = other;
        for (int i = 0; i < N; i++) {
            other[i] = which ? 1.0 + i % 4 : 0.3 + test_uniform(&r);
            y[i] = which ? floor((other[i] + 1.0)*test_uniform(&r)) : 3.0*test_normal(&r);
            m[i] = 2.0*test_normal(&r);
            v[i] = i % 5 ? 4.0*test_uniform(&r) : 0.0;
            weight[i] = i % 7 ? 3.0*test_uniform(&r) : 0.0;
        }
        CHECK(!bln_likelihood_check(&own));
        bln_likelihood_logp(&own, own_theta, N, &t, m, logp[0]);
        bln_likelihood_logp(&twin, own_theta, N, &t, m, logp[1]);
        blni_augmentation_of(&own, NULL)->collapsed(&own, own_theta, N, &t, weight, m, v, got[0], got[1], got[2], d[0], N);
        blni_augmentation_of(&twin, NULL)->collapsed(&twin, own_theta, N, &t, weight, m, v, want[0], want[1], want[2], d[1], N);
        for (size_t i = 0; i < N; i++) {
            CHECK_NEAR(logp[0][i], logp[1][i], 1e-13*(1.0 + fabs(logp[1][i])));
            for (int k = 0; k < 3; k++) CHECK_NEAR(got[k][i], want[k][i], 1e-13*(1.0 + weight[i])*(1.0 + fabs(want[k][i])));
            for (size_t k = 0; k < own.n_theta; k++) CHECK_NEAR(d[0][k*N + i], d[1][k*N + i], 1e-9*(1.0 + fabs(d[1][k*N + i])));
        }
    }
}

TEST(glm_own_mixture, golden_sites)
{
    const bln_likelihood l = own_likelihood(OWN_SVM);
    for (size_t i = 0; i < 6; i++) {
        const double m = golden_svm_sites[i].m, v = golden_svm_sites[i].v;
        double ell, h, precision, f = 0.3, logp;
        bln_targets t = BLN_ZERO;
        t.y = golden_svm_y + i;
        blni_augmentation_of(&l, NULL)->collapsed(&l, NULL, 1, &t, NULL, &m, &v, &ell, &h, &precision, NULL, 0);
        CHECK_GOLD(ell, golden_svm_sites[i].ell, 1e-12);
        CHECK_GOLD(h, golden_svm_sites[i].h, 1e-12);
        CHECK_GOLD(precision, golden_svm_sites[i].precision, 1e-12);
        bln_likelihood_logp(&l, NULL, 1, &t, &f, &logp);
        CHECK_NEAR(logp, -2.0*fmax(1.0 - golden_svm_y[i]*f, 0.0), 1e-15);
    }
}

/* A draw of a row of weight 3 is the sum of three; one of weight 0 takes nothing from the generator. */
TEST(glm_own_mixture, drawn_sites)
{
    enum { N = 20000 };
    const double weight = 3.0, none = 0.0, m = 0.7;
    for (int which = OWN_T; which <= OWN_SVM; which++) {
        const bln_likelihood l = own_likelihood(which);
        const blni_augmentation *const a = blni_augmentation_of(&l, NULL);
        const double y = 1.0, v = 0.4;
        double want, want_h, h, precision;
        bln_targets t = BLN_ZERO;
        bln_rng rng, before;
        t.y = &y;
        bln_rng_seed(&rng, 92, (uint64_t)which);
        for (int wide = 0; wide < 2; wide++) {
            double sum = 0.0, square = 0.0;
            a->collapsed(&l, own_theta, 1, &t, &weight, &m, wide ? &v : NULL, NULL, &want_h, &want, NULL, 0);
            for (int i = 0; i < N; i++) {
                double copies = 0.0;
                before = rng;
                for (int copy = 0; copy < 3 && i < 100; copy++) {
                    a->draw(&l, own_theta, 1, &t, NULL, &m, wide ? &v : NULL, &before, &h, &precision);
                    copies += precision;
                }
                a->draw(&l, own_theta, 1, &t, &weight, &m, wide ? &v : NULL, &rng, &h, &precision);
                if (i < 100) CHECK_REL(precision, copies, 1e-15);
                sum += precision - want;
                square += (precision - want)*(precision - want);
                CHECK_NEAR(h, want_h + (precision - want)*(which == OWN_LOGIT ? 0.0 : y), 1e-12*(1.0 + precision));
            }
            CHECK_NEAR(sum, 0.0, 5.0*sqrt(square));
        }
        before = rng;
        a->draw(&l, own_theta, 1, &t, &none, &m, NULL, &rng, &h, &precision);
        CHECK(h == 0.0 && precision == 0.0 && !memcmp(&rng, &before, sizeof rng));
    }
}

/* ---- models */

static bln_data own_data(int which, size_t n) { return glm_make(which ? "binomial" : "student_t", n, 93); }

/* The same bound, mean and covariance, collapsed and tight; then with all that can be learnt. Steps end at 1e-6 of the bound's
 * scale; derivatives by differences leave 1e-10, which the tight bound has. */
TEST(glm_own_mixture, cavi_beside_that_of_the_library)
{
    bln_basis *b = slm_parse("bias+linear:ones=0", 2, 3);
    static const double prior_var[2] = { 1.3, 0.6 };
    for (int which = OWN_T; which <= OWN_LOGIT; which++) {
        bln_data data = own_data(which, 60);
        for (int tight = 0; tight < 2; tight++) {
            double bound[2], m[2][3], C[2][9] = { { 0.0 } }, learnt[2][4];
            for (int way = 0; way < 2; way++) {
                bln_glm_cavi_desc own = BLN_ZERO;
                bln_report report;
                bln_glm_desc desc = glm_desc(b, way ? own_twin(which) : own_likelihood(which));
                own.bound = tight ? BLN_CAVI_TIGHT : BLN_CAVI_COLLAPSED;
                desc.method = bln_glm_cavi(&own);
                desc.tolerance = 1e-9;
                bln_glm *glm = glm_new(&desc);
                CHECK_OK(bln_glm_objective_at(glm, desc.method, &data, prior_var, which ? NULL : own_theta, NULL, bound + way,
                                              m[way], C[way], NULL, NULL, NULL, &report));
                CHECK_OK(bln_glm_fit(glm, &data, &report));
                memcpy(learnt[way], bln_glm_prior_var(glm), 2*sizeof(double));
                for (size_t k = 0; k < desc.likelihood.n_theta; k++) learnt[way][2 + k] = bln_glm_likelihood_theta(glm)[k];
                for (size_t k = 0; k < 2 + desc.likelihood.n_theta && way; k++) CHECK_REL(learnt[0][k], learnt[1][k], 1e-4);
                bln_glm_free(glm);
            }
            CHECK_REL(bound[0], bound[1], 1e-11);
            for (size_t i = 0; i < 3; i++) {
                CHECK_NEAR(m[0][i], m[1][i], tight ? 1e-7 : 1e-10);
                for (size_t j = i; j < 3; j++) CHECK_NEAR(C[0][3*i + j], C[1][3*i + j], tight ? 1e-7 : 1e-10);
            }
        }
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* Two weights w = mu + L v, v ~ N(0, I): offsets mu'phi and inputs L'phi. */
typedef struct own_svm { double X[12], offset[6], L[3]; bln_data data; } own_svm;

static void own_svm_make(own_svm *s)
{
    const double *const lambda = golden_gibbs_lambda0, *const mu = golden_gibbs_mu0;
    memset(s, 0, sizeof *s);
    s->L[0] = sqrt(lambda[0]);
    s->L[1] = lambda[2]/s->L[0];
    s->L[2] = sqrt(lambda[3] - s->L[1]*s->L[1]);
    for (size_t i = 0; i < 6; i++) {
        const double *const phi = golden_gibbs_phi + 2*i;
        s->X[2*i] = s->L[0]*phi[0] + s->L[1]*phi[1];
        s->X[2*i + 1] = s->L[2]*phi[1];
        s->offset[i] = mu[0]*phi[0] + mu[1]*phi[1];
    }
    s->data.n = 6;
    s->data.d = 2;
    s->data.X = s->X;
    s->data.y = golden_svm_y;
    s->data.offset = s->offset;
}

TEST(glm_own_mixture, golden_svm)
{
    static const double one = 1.0;
    bln_basis *b = slm_parse("linear:ones=0", 2, 3);
    own_svm s;
    double bound, m[2], C[4] = { 0.0 }, sum[5] = { 0.0 }, size;
    own_svm_make(&s);
    bln_glm_cavi_desc cavi = BLN_ZERO;
    bln_glm_gibbs_desc gibbs = BLN_ZERO;
    bln_report report;
    bln_glm_desc desc = glm_desc(b, own_likelihood(OWN_SVM));
    cavi.bound = BLN_CAVI_COLLAPSED;
    gibbs.draws = 2000;
    desc.method = bln_glm_gibbs(&gibbs);
    desc.prior_var = &one;
    desc.fix_prior_var = 1;
    bln_glm *glm = glm_new(&desc);
    CHECK_OK(bln_glm_objective_at(glm, bln_glm_cavi(&cavi), &s.data, &one, NULL, NULL, &bound, m, C, NULL, NULL, NULL, &report));
    CHECK_GOLD(bound, golden_svm_cavi.bound, 1e-9);
    CHECK_NEAR(golden_gibbs_mu0[0] + s.L[0]*m[0], golden_svm_cavi.mean[0], 1e-9);
    CHECK_NEAR(golden_gibbs_mu0[1] + s.L[1]*m[0] + s.L[2]*m[1], golden_svm_cavi.mean[1], 1e-9);
    CHECK_NEAR(s.L[0]*s.L[0]*C[0], golden_svm_cavi.cov[0], 1e-9);
    CHECK_NEAR(s.L[0]*(s.L[1]*C[0] + s.L[2]*C[1]), golden_svm_cavi.cov[1], 1e-9);
    CHECK_NEAR(s.L[1]*s.L[1]*C[0] + 2.0*s.L[1]*s.L[2]*C[1] + s.L[2]*s.L[2]*C[3], golden_svm_cavi.cov[3], 1e-9);

    /* Means and second moments of 8000 draws, whose autocorrelation time is below 3. */
    CHECK_OK(bln_glm_fit(glm, &s.data, &report));
    const bln_chains *all = bln_glm_chains(glm);
    const size_t S = bln_chains_count(all)*bln_chains_draws(all), columns = bln_chains_columns(all);
    double second[5][2] = { { 0.0 } };
    for (size_t k = 0; k < 2; k++) {
        bln_summary of;
        CHECK_OK(bln_chains_summary(all, k, &of, &report));
        CHECK(of.ess_bulk > (double)S/3.0 && of.ess_mean > (double)S/3.0);
    }
    for (size_t i = 0; i < S; i++) {
        const double *const w = bln_chains_table(all) + i*columns;
        const double d0 = golden_gibbs_mu0[0] + s.L[0]*w[0] - golden_svm_posterior.mean[0];
        const double d1 = golden_gibbs_mu0[1] + s.L[1]*w[0] + s.L[2]*w[1] - golden_svm_posterior.mean[1];
        const double *const C0 = golden_svm_posterior.cov, x[5] = { d0, d1, d0*d0 - C0[0], d0*d1 - C0[1], d1*d1 - C0[3] };
        for (size_t k = 0; k < 5; k++) { sum[k] += x[k]; second[k][0] += x[k]*x[k]; }
    }
    for (size_t k = 0; k < 5; k++) {
        size = (double)S;
        CHECK_NEAR(sum[k]/size, 0.0, 5.0*sqrt(3.0*second[k][0])/size);
    }
    bln_glm_free(glm);
    bln_basis_free(b);
}

/* All is drawn, prior variances and parameters too. */
TEST(glm_own_mixture, gibbs_beside_that_of_the_library)
{
    bln_basis *b = slm_parse("bias+linear:ones=0", 2, 3);
    for (int which = OWN_T; which <= OWN_LOGIT; which++) {
        bln_data data = own_data(which, 25);
        bln_glm *glm[2];
        for (int way = 0; way < 2; way++) {
            bln_glm_gibbs_desc own = BLN_ZERO;
            bln_report report;
            bln_glm_desc desc = glm_desc(b, way ? own_twin(which) : own_likelihood(which));
            own.draws = TEST_MANY(2000, 250);
            desc.method = bln_glm_gibbs(&own);
            desc.seed = 1 + (uint64_t)way;
            glm[way] = glm_new(&desc);
            CHECK_OK(bln_glm_fit(glm[way], &data, &report));
        }
        const bln_chains *const x = bln_glm_chains(glm[0]), *const y = bln_glm_chains(glm[1]);
        CHECK_SIZE(bln_chains_columns(x), bln_chains_columns(y));
        for (size_t k = 0; k < bln_chains_columns(x); k++) {
            bln_summary a, c;
            CHECK_OK(bln_chains_summary(x, k, &a, NULL));
            CHECK_OK(bln_chains_summary(y, k, &c, NULL));
            CHECK_NEAR(a.mean, c.mean, 5.0*hypot(a.mcse_mean, c.mcse_mean));
            CHECK_NEAR(a.sd, c.sd, 5.0*hypot(a.mcse_sd, c.mcse_sd));
        }
        bln_glm_free(glm[0]);
        bln_glm_free(glm[1]);
        glm_free_data(&data);
    }
    bln_basis_free(b);
}

/* Exact start: parameters from the prior, data given these, some sweeps. All that is watched is as before in the mean; also where a
 * part of f that inducing points miss is drawn or averaged out, and where rows have copies. */
TEST(glm_own_mixture, keeps_the_joint)
{
    static const gibbs_form ways[] = {
        { 0, 1, 0, 0, BLN_GIBBS_MISSED_IGNORED, 0 }, { 0, 1, 0, 0, BLN_GIBBS_MISSED_DRAWN, 1 },
        { 0, 1, 0, 0, BLN_GIBBS_MISSED_BOUND, 0 }, { 0, 1, 0, 0, BLN_GIBBS_MISSED_DRAWN, 3 },
        { 0, 1, 0, 1, BLN_GIBBS_MISSED_IGNORED, 0 }, { 0, 1, 0, 1, BLN_GIBBS_MISSED_DRAWN, 1 },
        { 0, 1, 0, 1, BLN_GIBBS_MISSED_BOUND, 0 }, { 0, 1, 0, 1, BLN_GIBBS_MISSED_DRAWN, 3 }
    };
    for (size_t k = 0; k < 2*2*8; k += TEST_MANY(1, 5)) {
        gibbs_form form = ways[k % 8];
        gibbs_case t;
        form.dual = (int)(k/8 % 2);
        gibbs_make_of(&t, own_likelihood(k < 16 ? OWN_T : OWN_LOGIT), &form);
        if (form.missed != BLN_GIBBS_MISSED_IGNORED) gibbs_narrow(&t);
        const double worst = gibbs_stays(&t, 94 + k, 0, 0);
        CHECK_LE(worst, 5.0);
        gibbs_drop(&t);
    }
}

/* ---- what is refused */

/* Of all rows the one with y = 7 is bad. */
static double own_bad(const bln_targets *t, size_t i, double bad, double good) { return t->y[i] == 7.0 ? bad : good; }
static void own_nan_phi(OWN_SQUARE, double *log_phi, double *omega)
{
    own_t_phi(l, theta, n, t, square, log_phi, omega);
    for (size_t i = 0; i < n; i++) log_phi[i] = own_bad(t, i, sqrt(-1.0), log_phi[i]);
}
static void own_rising_phi(OWN_SQUARE, double *log_phi, double *omega)
{
    own_t_phi(l, theta, n, t, square, log_phi, omega);
    for (size_t i = 0; i < n; i++) { log_phi[i] *= own_bad(t, i, -1.0, 1.0); omega[i] *= own_bad(t, i, -1.0, 1.0); }
}
static void own_other_slope_phi(OWN_SQUARE, double *log_phi, double *omega)
{
    own_t_phi(l, theta, n, t, square, log_phi, omega);
    for (size_t i = 0; i < n; i++) omega[i] *= own_bad(t, i, 0.5, 1.0);
}
static void own_concave_phi(OWN_SQUARE, double *log_phi, double *omega)                  /* e^{-r^4}: it falls, but is no mixture */
{
    own_t_phi(l, theta, n, t, square, log_phi, omega);
    for (size_t i = 0; i < n; i++) {
        log_phi[i] = own_bad(t, i, -square[i]*square[i], log_phi[i]);
        omega[i] = own_bad(t, i, 4.0*square[i], omega[i]);
    }
}
static void own_nan_centre(OWN_ROWS, double *centre, double *tilt)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) { centre[i] = own_bad(t, i, HUGE_VAL, t->y[i]); tilt[i] = 0.0; }
}
static void own_nan_tilt(OWN_ROWS, double *centre, double *tilt)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) { centre[i] = t->y[i]; tilt[i] = own_bad(t, i, sqrt(-1.0), 0.0); }
}
static void own_endless_phi(OWN_SQUARE, double *log_phi, double *omega)
{
    own_t_phi(l, theta, n, t, square, log_phi, omega);
    for (size_t i = 0; i < n; i++) omega[i] = own_bad(t, i, HUGE_VAL, omega[i]);
}
static void own_other_logp(OWN_ROWS, const double *f, double *logp)
{
    const bln_likelihood twin = own_twin(OWN_T);
    bln_targets plain = *t;
    (void)l;
    plain.constants = NULL;
    bln_likelihood_logp(&twin, theta, n, &plain, f, logp);
    for (size_t i = 0; i < n; i++) logp[i] += own_bad(t, i, 1.0, 0.0);
}
static void own_negative_draw(OWN_SQUARE, bln_rng *rng, double *omega)
{
    own_t_draw(l, theta, n, t, square, rng, omega);
    for (size_t i = 0; i < n; i++) omega[i] *= own_bad(t, i, -1.0, 1.0);
}
static void own_endless_draw(OWN_SQUARE, bln_rng *rng, double *omega)
{
    own_t_draw(l, theta, n, t, square, rng, omega);
    for (size_t i = 0; i < n; i++) omega[i] = own_bad(t, i, HUGE_VAL, omega[i]);
}
static void own_large_draw(OWN_SQUARE, bln_rng *rng, double *omega)                      /* of 20 rows the sum overflows */
{
    (void)l; (void)theta; (void)t; (void)square; (void)rng;
    for (size_t i = 0; i < n; i++) omega[i] = 1e307;
}
static void own_no_draw(OWN_SQUARE, bln_rng *rng, double *omega)                         /* writes nothing */
{
    if (t->y[0] != 7.0) own_t_draw(l, theta, n, t, square, rng, omega);
}
/* Well where it is looked at, at the starts of theta; NaN elsewhere. */
static void own_later_nan_phi(OWN_SQUARE, double *log_phi, double *omega)
{
    own_t_phi(l, theta, n, t, square, log_phi, omega);
    for (size_t i = 0; i < n; i++) if (theta[0] == 0.123) omega[i] = sqrt(-1.0);
}

TEST(glm_own_mixture, refused)
{
    static void (*const phi[])(OWN_SQUARE, double *log_phi, double *omega) =
        { own_nan_phi, own_rising_phi, own_other_slope_phi, own_concave_phi, own_endless_phi };
    static const char *const why[] = { "log phi is not finite", "omega is negative", "not -2 d log phi", "log phi is not convex",
                                       "or not finite", "centre or tilt", "centre or tilt", "logp is not tilt" };
    bln_basis *b = slm_parse("bias+linear:ones=0", 2, 3);
    bln_data data = own_data(OWN_T, 20);
    double *y = (double *)data.y, weight[20], bound, m[3];
    static const double one[2] = { 1.0, 1.0 }, odd[2] = { 0.123, 3.0 };
    bln_report report;
    bln_glm_gibbs_desc gibbs = BLN_ZERO;
    bln_glm_desc desc = glm_desc(b, own_likelihood(OWN_T));
    desc.method = bln_glm_cavi(NULL);
    y[13] = 7.0;
    bln_glm *glm = glm_new(&desc);
    CHECK_OK(bln_glm_fit(glm, &data, &report));
    for (size_t k = 0; k < 8; k++) {
        own_likelihood(OWN_T);
        if (k < 5) own_mixture[OWN_T].phi = phi[k];
        if (k == 5) own_mixture[OWN_T].centre = own_nan_centre;
        if (k == 6) own_mixture[OWN_T].centre = own_nan_tilt;
        if (k == 7) own_ops[OWN_T].logp = own_other_logp;
        CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_EDOMAIN);
        CHECK_TEXT(report.text, why[k]);
        CHECK_SIZE(report.row, 13);
    }
    /* What comes later is a failure, not a number. */
    own_likelihood(OWN_T);
    own_mixture[OWN_T].phi = own_later_nan_phi;
    CHECK_STATUS(bln_glm_objective_at(glm, desc.method, &data, one, odd, NULL, &bound, m, NULL, NULL, NULL, NULL, &report),
                 BLN_ENUMERIC);
    bln_glm_free(glm);

    /* Tables. */
    bln_likelihood l = own_likelihood(OWN_T);
    own_mixture[OWN_T].phi = NULL;
    CHECK_TEXT(bln_likelihood_check(&l), "a mixture needs phi");
    l = own_likelihood(OWN_T);
    own_ops[OWN_T].mixture = NULL;
    CHECK_TEXT(bln_likelihood_check(&l), "neither logp, eval nor mixture");
    desc.likelihood = bln_likelihood_heteroscedastic();
    own_ops[OWN_T] = *desc.likelihood.ops;
    own_ops[OWN_T].mixture = own_mixture + OWN_T;
    desc.likelihood.ops = own_ops + OWN_T;
    own_mixture[OWN_T].phi = own_t_phi;
    CHECK_TEXT(bln_likelihood_check(&desc.likelihood), "of one latent");

    /* Draws. */
    desc.likelihood = own_likelihood(OWN_T);
    desc.method = bln_glm_gibbs(&gibbs);
    gibbs.warmup = gibbs.draws = 20;
    own_mixture[OWN_T].draw_omega = NULL;
    CHECK_TEXT(bln_glm_check(&desc), "gibbs needs draw_omega");
    for (int way = 0; way < 3; way++) {
        own_mixture[OWN_T].draw_omega = way == 2 ? own_endless_draw : way ? own_no_draw : own_negative_draw;
        glm = glm_new(&desc);
        CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_EDOMAIN);
        CHECK_TEXT(report.text, "draw_omega gave a negative or infinite omega");
        CHECK_SIZE(report.row, 13);
        CHECK(bln_glm_posterior(glm)->status != BLN_OK);
        bln_glm_free(glm);
    }
    own_mixture[OWN_T].draw_omega = own_large_draw;
    glm = glm_new(&desc);
    CHECK_STATUS(bln_glm_fit(glm, &data, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "numbers of a sweep overflow");
    bln_glm_free(glm);
    own_likelihood(OWN_T);
    bln_data weighted = data;
    for (size_t i = 0; i < 20; i++) weight[i] = (double)(i % 3);
    weighted.weight = weight;
    glm = glm_new(&desc);
    CHECK_OK(bln_glm_fit(glm, &weighted, &report));
    for (int way = 0; way < 2; way++) {
        weight[11] = way ? 1000001.0 : 0.5;
        CHECK_STATUS(bln_glm_fit(glm, &weighted, &report), BLN_EDOMAIN);
        CHECK_TEXT(report.text, way ? "each copy of a row" : "whole weights only");
        CHECK_SIZE(report.row, 11);
    }
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

/* A file keeps name and theta, as of any likelihood of the user. */
TEST(glm_own_mixture, saved)
{
    bln_basis *b = slm_parse("bias+linear:ones=0", 2, 3);
    bln_data data = own_data(OWN_T, 40);
    double before[40], after[40];
    bln_report report;
    bln_glm_desc desc = glm_desc(b, own_likelihood(OWN_T));
    desc.method = bln_glm_cavi(NULL);
    bln_glm *glm = glm_new(&desc), *read = NULL;
    CHECK_OK(bln_glm_fit(glm, &data, &report));
    CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), &data, before, NULL, NULL, &report));
    static char bytes[1 << 16];
    bln_memory_stream stream;
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    CHECK_OK(bln_glm_save(glm, &w));
    const size_t size = stream.at;
    bln_load load = bln_builtin();
    bln_reader r = bln_memory_reader(&stream, bytes, size, &report);
    CHECK_STATUS(bln_glm_load(&load, &r, &read), BLN_EUNKNOWN);
    load.likelihoods = &desc.likelihood;
    load.n_likelihoods = 1;
    r = bln_memory_reader(&stream, bytes, size, &report);
    CHECK_OK(bln_glm_load(&load, &r, &read));
    if (read) CHECK_OK(bln_posterior_latent(bln_glm_posterior(read), &data, after, NULL, NULL, &report));
    CHECK(read && !memcmp(before, after, sizeof before));
    bln_glm_free(read);
    bln_glm_free(glm);
    glm_free_data(&data);
    bln_basis_free(b);
}

SUITE_BEGIN(glm_own_mixture)
SUITE_TEST(glm_own_mixture, rows_beside_those_of_the_library)
SUITE_TEST(glm_own_mixture, golden_sites)
SUITE_TEST(glm_own_mixture, drawn_sites)
SUITE_TEST(glm_own_mixture, cavi_beside_that_of_the_library)
SUITE_TEST(glm_own_mixture, golden_svm)
SUITE_TEST(glm_own_mixture, gibbs_beside_that_of_the_library)
SUITE_TEST(glm_own_mixture, keeps_the_joint)
SUITE_TEST(glm_own_mixture, refused)
SUITE_TEST(glm_own_mixture, saved)
SUITE_END(glm_own_mixture)

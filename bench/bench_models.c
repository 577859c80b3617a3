/* bench_models.c - models of posteriordb as programs: draws by the no-U-turn sampler beside reference draws by Stan
 *
 *     sh bench/models.sh OUT                                     builds and runs all of it; models.R says where the data come from
 *     build/bench_models OUT [MODEL...]                          only the draws and their comparison, of some models or of all
 *
 * OUT has MODEL.data.csv, MODEL.reference.csv and MODEL.rstan.csv of models.R. Each model is sampled by the defaults of bln_hmc (4
 * chains of 1000 + 1000 transitions, a diagonal metric, accept 0.8), and OUT/MODEL.draws.csv is written, which `bayeslin diagnose
 * OUT/MODEL.draws.csv --reference OUT/MODEL.reference.csv` shows in full. A line for each: parameters compared, the largest |z| of
 * means and of standard deviations (the difference over its standard error, that of both), the largest R-hat, the least bulk and
 * tail ESS, divergences, seconds; and Stan's seconds and least bulk ESS for as many transitions. Exit status 1 if a |z| is above 4,
 * R-hat is not below 1.01, an ESS is below 400, the centred eight schools do not diverge, or a reference is not there.
 *
 * Densities are those of posteriordb's models of the same name (Magnusson et al. 2024), written from their equations. */
#define _DEFAULT_SOURCE
#define BAYESLIN_STATIC
#define BAYESLIN_WITH_PROGRAM
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "peak.h"
#include <stdio.h>

enum { COLUMNS = 50, COUNTIES = 85, YEARS = 28, SINES = 40, NOISE_SINES = 20, STATES = 2, PARS = 6 };
static const double pi = 3.14159265358979324;

/* A data file: n rows of d columns x[j], the last one often the target; X: those before it, row by row. */
typedef struct table {
    size_t n, d;
    double *x[COLUMNS], *X, *part;               /* part: the columns of X that a model takes, row by row */
    uint32_t *group;                             /* the first column, as an index */
} table;

static void must(int good, const char *what)
{
    if (good) return;
    fprintf(stderr, "bench_models: %s\n", what);
    exit(2);
}

static bln_var column(bln_tape *t, const table *s, size_t j) { return bln_c_vec(t, s->x[j], s->n); }
static bln_var inputs(bln_tape *t, const table *s) { return bln_c_mat(t, s->X, s->n, s->d - 1); }
static bln_var num(bln_tape *t, double x) { return bln_c_num(t, x); }

/* ---- eight schools: effects of coaching, groups that know little; mu, tau, then eta or theta */

static bln_status eight_schools(bln_tape *t, const bln_var *p, void *user)
{
    const table *s = (const table *)user;
    bln_lp_normal(t, p[0], num(t, 0), num(t, 5));
    bln_lp_half_cauchy(t, p[1], num(t, 5));
    bln_lp_std_normal(t, p[2]);
    bln_data_term(t);
    bln_lp_normal(t, column(t, s, 0), bln_v_fma(t, p[1], p[2], p[0]), column(t, s, 1));
    return BLN_OK;
}

static void eight_schools_effects(const double *const *p, bln_rng *rng, void *user, double *out)
{
    (void)rng; (void)user;
    for (size_t j = 0; j < 8; j++) out[j] = p[0][0] + p[1][0]*p[2][j];
}

static bln_status eight_schools_centred(bln_tape *t, const bln_var *p, void *user)
{
    const table *s = (const table *)user;
    bln_lp_normal(t, p[0], num(t, 0), num(t, 5));
    bln_lp_half_cauchy(t, p[1], num(t, 5));
    bln_lp_normal(t, p[2], p[0], p[1]);
    bln_data_term(t);
    bln_lp_normal(t, column(t, s, 0), p[2], column(t, s, 1));
    return BLN_OK;
}

/* ---- series */

/* x_0 = w_0, x_i = w_i + c x_(i-1): a scalar node for each i. */
static bln_var recursion(bln_tape *t, bln_var w, bln_var c)
{
    enum { MOST = 1000 };
    bln_var x[MOST];
    const size_t n = bln_v_size(t, w);
    if (n == 0 || n > MOST) return w;
    x[0] = bln_v_elem(t, w, 0);
    for (size_t i = 1; i < n; i++) x[i] = bln_v_fma(t, c, x[i - 1], bln_v_elem(t, w, i));
    return bln_v_concat(t, x, n);
}

/* y_i ~ N(alpha + sum_k beta_k y_(i-k), sigma), from the sixth on; alpha, beta[5], sigma. */
static bln_status ar5(bln_tape *t, const bln_var *p, void *user)
{
    const table *s = (const table *)user;
    const size_t n = s->n - 5;
    bln_var mean = p[0];
    bln_lp_normal(t, p[0], num(t, 0), num(t, 10));
    bln_lp_normal(t, p[1], num(t, 0), num(t, 10));
    bln_lp_half_cauchy(t, p[2], num(t, 2.5));
    bln_data_term(t);
    for (size_t k = 1; k <= 5; k++) mean = bln_v_fma(t, bln_v_elem(t, p[1], k - 1), bln_c_vec(t, s->x[0] + 5 - k, n), mean);
    bln_lp_normal(t, bln_c_vec(t, s->x[0] + 5, n), mean, p[2]);
    return BLN_OK;
}

/* e_i = y_i - mu - phi y_(i-1) - theta e_(i-1) ~ N(0, sigma), where mu stands for y_0 and 0 for e_0; mu, phi, theta, sigma. */
static bln_status arma11(bln_tape *t, const bln_var *p, void *user)
{
    const table *s = (const table *)user;
    bln_var before[2];
    before[0] = p[0];
    before[1] = bln_c_vec(t, s->x[0], s->n - 1);
    const bln_var drift = bln_v_fma(t, p[1], bln_v_concat(t, before, 2), p[0]);
    bln_lp_normal(t, p[0], num(t, 0), num(t, 10));
    bln_lp_normal(t, p[1], num(t, 0), num(t, 2));
    bln_lp_normal(t, p[2], num(t, 0), num(t, 2));
    bln_lp_half_cauchy(t, p[3], num(t, 2.5));
    bln_data_term(t);
    bln_lp_normal(t, recursion(t, bln_v_sub(t, column(t, s, 0), drift), bln_v_scale(t, -1, p[2])), num(t, 0), p[3]);
    return BLN_OK;
}

/* y_i ~ N(mu, sigma_i), sigma_i^2 = alpha0 + alpha1 (y_(i-1) - mu)^2 + beta1 sigma_(i-1)^2, the first one given; flat priors. That
 * alpha1 + beta1 < 1 is a simplex of three shares: mu, alpha0, share = (alpha1, beta1, the rest). */
static bln_status garch11(bln_tape *t, const bln_var *p, void *user)
{
    const table *s = (const table *)user;
    const bln_var off = bln_v_square(t, bln_v_sub(t, bln_c_vec(t, s->x[0], s->n - 1), p[0]));
    bln_var w[2];
    w[0] = num(t, s->x[1][0]*s->x[1][0]);
    w[1] = bln_v_fma(t, bln_v_elem(t, p[2], 0), off, p[1]);
    const bln_var variance = recursion(t, bln_v_concat(t, w, 2), bln_v_elem(t, p[2], 1));
    bln_data_term(t);
    bln_lp_normal(t, column(t, s, 0), p[0], bln_v_sqrt(t, variance));
    return BLN_OK;
}

static void garch11_shares(const double *const *p, bln_rng *rng, void *user, double *out)
{
    (void)rng; (void)user;
    out[0] = p[2][0];
    out[1] = p[2][1];
}

/* ---- regressions */

/* Flat coefficients: beta[4], the first of them the intercept, sigma. */
static bln_status kidscore_interaction(bln_tape *t, const bln_var *p, void *user)
{
    const table *s = (const table *)user;
    bln_lp_half_cauchy(t, p[1], num(t, 2.5));
    bln_data_term(t);
    bln_lp_normal(t, column(t, s, 3), bln_v_affine(t, inputs(t, s), bln_v_slice(t, p[0], 1, 3), bln_v_elem(t, p[0], 0)), p[1]);
    return BLN_OK;
}

static bln_status blr(bln_tape *t, const bln_var *p, void *user)                          /* beta[5], sigma */
{
    const table *s = (const table *)user;
    bln_lp_normal(t, p[0], num(t, 0), num(t, 10));
    bln_lp_half_normal(t, p[1], num(t, 10));
    bln_data_term(t);
    bln_lp_normal(t, column(t, s, 5), bln_v_gemv(t, inputs(t, s), p[0]), p[1]);
    return BLN_OK;
}

static bln_status diamonds(bln_tape *t, const bln_var *p, void *user)                     /* b, Intercept, sigma */
{
    const table *s = (const table *)user;
    bln_lp_std_normal(t, p[0]);
    bln_lp_student_t(t, p[1], num(t, 3), num(t, 8), num(t, 10));
    bln_lp_half_student_t(t, p[2], num(t, 3), num(t, 10));
    bln_data_term(t);
    bln_lp_normal(t, column(t, s, s->d - 1), bln_v_affine(t, inputs(t, s), p[0], p[1]), p[2]);
    return BLN_OK;
}

static bln_status wells_dist100ars(bln_tape *t, const bln_var *p, void *user)             /* alpha, beta[2], flat */
{
    const table *s = (const table *)user;
    bln_data_term(t);
    bln_lp_bernoulli_logit(t, column(t, s, 2), bln_v_affine(t, inputs(t, s), p[1], p[0]));
    return BLN_OK;
}

/* Counties are groups, non-centred: alpha_raw[85], beta[2] of uranium and of the floor, mu_alpha, sigma_alpha, sigma_y. */
static bln_status radon(bln_tape *t, const bln_var *p, void *user)
{
    const table *s = (const table *)user;
    const bln_var level = bln_v_gather(t, bln_v_fma(t, p[3], p[0], p[2]), s->group, s->n);
    bln_lp_std_normal(t, p[0]);
    bln_lp_normal(t, p[1], num(t, 0), num(t, 10));
    bln_lp_normal(t, p[2], num(t, 0), num(t, 10));
    bln_lp_half_normal(t, p[3], num(t, 1));
    bln_lp_half_normal(t, p[4], num(t, 1));
    bln_data_term(t);
    bln_lp_normal(t, column(t, s, 3), bln_v_add(t, level, bln_v_gemv(t, bln_c_mat(t, s->part, s->n, 2), p[1])), p[4]);
    return BLN_OK;
}

static void radon_levels(const double *const *p, bln_rng *rng, void *user, double *out)
{
    (void)rng; (void)user;
    for (size_t j = 0; j < COUNTIES; j++) out[j] = p[2][0] + p[3][0]*p[0][j];
}

/* ---- mixtures and hidden states */

static bln_status low_dim_gauss_mix(bln_tape *t, const bln_var *p, void *user)            /* mu[2], sigma[2], theta */
{
    const table *s = (const table *)user;
    bln_var f[2];
    bln_lp_normal(t, p[0], num(t, 0), num(t, 2));
    bln_lp_half_normal(t, p[1], num(t, 2));
    bln_lp_beta(t, p[2], num(t, 5), num(t, 5));
    bln_data_term(t);
    for (size_t k = 0; k < 2; k++)
        f[k] = bln_v_lpdf3(t, bln_lp_normal, column(t, s, 0), bln_v_elem(t, p[0], k), bln_v_elem(t, p[1], k));
    f[0] = bln_v_add(t, f[0], bln_v_log(t, p[2]));
    f[1] = bln_v_add(t, f[1], bln_v_log1p(t, bln_v_scale(t, -1, p[2])));
    bln_lp_add(t, bln_v_log_add_exp(t, f[0], f[1]));
    return BLN_OK;
}

/* Two states with standard deviation 1: theta1[2] and theta2[2], where it goes from each; mu[2]. Both starts have the factor 1. */
static bln_status hmm_example(bln_tape *t, const bln_var *p, void *user)
{
    static const double middle[2] = { 3, 10 }, start[2] = { 0, 0 };
    const table *s = (const table *)user;
    bln_var f[2];
    bln_lp_normal(t, p[2], bln_c_vec(t, middle, 2), num(t, 1));
    bln_data_term(t);
    for (size_t k = 0; k < 2; k++) f[k] = bln_v_lpdf3(t, bln_lp_normal, column(t, s, 0), bln_v_elem(t, p[2], k), num(t, 1));
    bln_lp_hidden_markov(t, bln_c_vec(t, start, 2), bln_v_reshape(t, bln_v_log(t, bln_v_concat(t, p, 2)), 2, 2),
                         bln_v_reshape(t, bln_v_concat(t, f, 2), 2, s->n));
    return BLN_OK;
}

/* ---- Gaussian processes */

static bln_status gp_regr(bln_tape *t, const bln_var *p, void *user)                      /* rho, alpha, sigma: a variance */
{
    const table *s = (const table *)user;
    const bln_var K = bln_v_kernel(t, BLN_KERNEL_RBF, 0, s->x[0], s->n, 1, p[1], p[0]);
    bln_lp_gamma(t, p[0], num(t, 25), num(t, 4));
    bln_lp_half_normal(t, p[1], num(t, 2));
    bln_lp_half_normal(t, p[2], num(t, 1));
    bln_data_term(t);
    bln_lp_multi_normal(t, column(t, s, 1), num(t, 0), bln_v_add_diagonal(t, K, p[2]));
    return BLN_OK;
}

/* Counts ~ Poisson(e^f), f = U'z, U'U = K + 1e-10 I, z standard normals; rho, alpha, z. */
static bln_status gp_pois_regr(bln_tape *t, const bln_var *p, void *user)
{
    const table *s = (const table *)user;
    const bln_var K = bln_v_kernel(t, BLN_KERNEL_RBF, 0, s->x[0], s->n, 1, p[1], p[0]);
    const bln_var U = bln_v_cholesky(t, bln_v_add_diagonal(t, K, num(t, 1e-10)));
    bln_lp_gamma(t, p[0], num(t, 25), num(t, 4));
    bln_lp_half_normal(t, p[1], num(t, 2));
    bln_lp_std_normal(t, p[2]);
    bln_data_term(t);
    bln_lp_poisson_log(t, column(t, s, 1), bln_v_gemm(t, BLN_TRANS, U, BLN_NOTRANS, p[2]));
    return BLN_OK;
}

static void gp_pois_regr_log_rates(const double *const *p, bln_rng *rng, void *user, double *out)
{
    const table *s = (const table *)user;
    double U[YEARS*YEARS];
    (void)rng;
    for (size_t i = 0; i < YEARS; i++) for (size_t j = i; j < YEARS; j++) {
        const double r = (s->x[0][i] - s->x[0][j])/p[0][0];
        U[i*YEARS + j] = p[1][0]*p[1][0]*exp(-0.5*r*r) + (i == j ? 1e-10 : 0.0);
    }
    const int good = bln_potrf(YEARS, U, YEARS, NULL) == BLN_OK;
    for (size_t i = 0; i < YEARS; i++) {
        out[i] = good ? 0.0 : (double)NAN;
        for (size_t j = 0; j <= i && good; j++) out[i] += U[j*YEARS + i]*p[2][j];
    }
}

/* A Gaussian process by sines of frequency w_m, m = 1..k: their coefficients are z_m times the root of the spectral density
 * sd^2 sqrt(2 pi) length e^(-(length w_m)^2/2) (Riutort-Mayol et al. 2022). */
static bln_var by_sines(bln_tape *t, bln_var X, const double *w2, size_t k, bln_var sd, bln_var length, bln_var z)
{
    const bln_var decay = bln_v_exp(t, bln_v_scale(t, -0.25, bln_v_mul(t, bln_v_square(t, length), bln_c_vec(t, w2, k))));
    const bln_var size = bln_v_mul(t, sd, bln_v_sqrt(t, bln_v_scale(t, sqrt(2*pi), length)));
    return bln_v_gemv(t, X, bln_v_mul(t, bln_v_mul(t, size, decay), z));
}

/* One process is the mean, another the log of the noise: of each the intercept, sdgp, lscale and zgp. */
static bln_status accel_gp(bln_tape *t, const bln_var *p, void *user)
{
    static double w2[SINES];
    const table *s = (const table *)user;
    for (size_t m = 0; m < SINES && w2[SINES - 1] == 0; m++) w2[m] = pow(pi*((double)m + 1)/2.5, 2);
    const bln_var f = by_sines(t, inputs(t, s), w2, SINES, p[1], p[2], p[3]);
    const bln_var g = by_sines(t, bln_c_mat(t, s->part, s->n, NOISE_SINES), w2, NOISE_SINES, p[5], p[6], p[7]);
    bln_lp_student_t(t, p[0], num(t, 3), num(t, -13), num(t, 36));
    bln_lp_student_t(t, p[4], num(t, 3), num(t, 0), num(t, 10));
    for (size_t k = 0; k < 8; k += 4) {
        bln_lp_half_student_t(t, p[k + 1], num(t, 3), num(t, 36));
        bln_lp_inv_gamma(t, p[k + 2], num(t, 1.124909), num(t, 0.0177));
        bln_lp_std_normal(t, p[k + 3]);
    }
    bln_data_term(t);
    bln_lp_normal(t, column(t, s, s->d - 1), bln_v_add(t, p[0], f), bln_v_exp(t, bln_v_add(t, p[4], g)));
    return BLN_OK;
}

/* ---- differential equations: a node that has the solution at given times, with its derivatives by forward sensitivities */

/* slope: out[i] = ds_i/dt, and its derivatives by the states (row i of J) and by the parameters (row i of B). `first`: the states
 * begin at the parameters from this one on, or at 0 (PARS). */
typedef struct equation {
    size_t states, pars, first, n;
    const double *when;                                                                    /* n times, increasing, from 0 on */
    double (*step)(const double *p, const void *user);                                     /* of Runge-Kutta, at most */
    void (*slope)(double time, const double *s, const double *p, const void *user, double *out, double *J, double *B);
    const void *user;
} equation;

/* z: the states, then for each state its derivatives by all parameters. */
static void all_slopes(const equation *e, double time, const double *z, const double *p, double *out)
{
    double J[STATES*STATES] = { 0 }, B[STATES*PARS] = { 0 };
    e->slope(time, z, p, e->user, out, J, B);
    for (size_t i = 0; i < e->states; i++) for (size_t k = 0; k < e->pars; k++) {
        double sum = B[i*e->pars + k];
        for (size_t j = 0; j < e->states; j++) sum += J[i*e->states + j]*z[e->states + j*e->pars + k];
        out[e->states + i*e->pars + k] = sum;
    }
}

static void runge_kutta(const equation *e, double time, double h, const double *p, double *z)
{
    static const double part[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1/6.0, 1/3.0, 1/3.0, 1/6.0 };
    double k[STATES*(1 + PARS)] = { 0 }, at[STATES*(1 + PARS)], next[STATES*(1 + PARS)];
    const size_t n = e->states*(1 + e->pars);
    memcpy(next, z, n*sizeof *z);
    for (size_t stage = 0; stage < 4; stage++) {
        for (size_t i = 0; i < n; i++) at[i] = z[i] + h*part[stage]*k[i];
        all_slopes(e, time + h*part[stage], at, p, k);
        for (size_t i = 0; i < n; i++) next[i] += h*weight[stage]*k[i];
    }
    memcpy(z, next, n*sizeof *z);
}

/* in: all parameters. out: the first state at all times, then the second; aux: their derivatives by the parameters. */
static void solve(void *user, const double *const *in, double *out, double *aux)
{
    const equation *e = (const equation *)user;
    const double longest = e->step(in[0], e->user);
    double z[STATES*(1 + PARS)] = { 0 }, time = 0;
    for (size_t i = 0; i < e->states && e->first < PARS; i++) {
        z[i] = in[0][e->first + i];
        z[e->states + i*e->pars + e->first + i] = 1;
    }
    for (size_t i = 0; i < e->n; i++) {
        const double gap = e->when[i] - time, steps = ceil(gap/longest);
        for (double k = 0; k < steps; k++) runge_kutta(e, time + k*gap/steps, gap/steps, in[0], z);
        time = e->when[i];
        for (size_t j = 0; j < e->states; j++) {
            out[j*e->n + i] = z[j];
            for (size_t k = 0; k < e->pars && aux; k++) aux[(j*e->n + i)*e->pars + k] = z[e->states + j*e->pars + k];
        }
    }
}

static void solve_back(void *user, const double *const *in, const double *out, const double *aux, const double *out_bar,
                       double *const *in_bar)
{
    const equation *e = (const equation *)user;
    (void)in; (void)out;
    for (size_t i = 0; i < e->states*e->n && in_bar[0]; i++)
        for (size_t k = 0; k < e->pars; k++) in_bar[0][k] += out_bar[i]*aux[i*e->pars + k];
}

static void prey_and_predator(double time, const double *s, const double *p, const void *user, double *out, double *J, double *B)
{
    (void)time; (void)user;
    out[0] = (p[0] - p[1]*s[1])*s[0];
    out[1] = (p[3]*s[0] - p[2])*s[1];
    J[0] = p[0] - p[1]*s[1];  J[1] = -p[1]*s[0];  J[2] = p[3]*s[1];  J[3] = p[3]*s[0] - p[2];
    B[0] = s[0];  B[1] = -s[0]*s[1];  B[PARS + 2] = -s[1];  B[PARS + 3] = s[0]*s[1];
}

static double fifth_of_a_year(const double *p, const void *user) { (void)p; (void)user; return 0.2; }

/* theta[4], z_init[2], sigma[2]; hares and lynxes are lognormal around the solution. */
static bln_status lotka_volterra(bln_tape *t, const bln_var *p, void *user)
{
    enum { N = 21 };
    static const double middle[4] = { 1, 0.05, 1, 0.05 }, sd[4] = { 0.5, 0.05, 0.5, 0.05 };
    static double when[N];
    static equation e = { 2, 6, 4, N, when, fifth_of_a_year, prey_and_predator, NULL };
    static const bln_custom_node node = { "solution", solve, solve_back, (size_t)2*N*6 };
    const table *s = (const table *)user;
    for (size_t i = 0; i < N; i++) when[i] = (double)i;
    const bln_var all = bln_v_concat(t, p, 2), curve = bln_v_log(t, bln_v_custom(t, &node, &all, 1, 2*N, &e));
    bln_lp_normal(t, p[0], bln_c_vec(t, middle, 4), bln_c_vec(t, sd, 4));
    bln_lp_lognormal(t, p[1], num(t, log(10.0)), num(t, 1));
    bln_lp_lognormal(t, p[2], num(t, -1), num(t, 1));
    bln_data_term(t);
    for (size_t k = 0; k < 2; k++) bln_lp_lognormal(t, column(t, s, k), bln_v_slice(t, curve, k*N, N), bln_v_elem(t, p[2], k));
    return BLN_OK;
}

/* A dose is absorbed at the rate k_a, and eliminated by an enzyme that saturates (Michaelis & Menten 1913). */
static void one_compartment(double time, const double *s, const double *p, const void *user, double *out, double *J, double *B)
{
    const table *data = (const table *)user;
    const double V = data->x[3][0], in = data->x[2][0]/V*exp(-p[0]*time), below = p[1] + s[0];
    out[0] = p[0]*in - p[2]/V*s[0]/below;
    J[0] = -p[2]/V*p[1]/(below*below);
    B[0] = in*(1 - p[0]*time);
    B[1] = p[2]/V*s[0]/(below*below);
    B[2] = -s[0]/below/V;
}

/* Steps get shorter where the enzyme saturates early: Runge-Kutta is not stable where V_m/(V K_m) times the step is above 2.8. */
static double hours(const double *p, const void *user)
{
    const table *data = (const table *)user;
    return fmax(1e-3, fmin(0.1, p[1]*data->x[3][0]/p[2]));
}

static bln_status one_comp_mm_elim_abs(bln_tape *t, const bln_var *p, void *user)         /* k_a, K_m, V_m, sigma */
{
    static equation e = { 1, 3, PARS, 0, NULL, hours, one_compartment, NULL };
    static bln_custom_node node = { "solution", solve, solve_back, 0 };
    const table *s = (const table *)user;
    e.user = s;
    e.when = s->x[0];
    e.n = s->n;
    node.n_aux = 3*s->n;
    const bln_var rates = bln_v_concat(t, p, 3);
    for (size_t k = 0; k < 4; k++) bln_lp_half_cauchy(t, p[k], num(t, 1));
    bln_data_term(t);
    bln_lp_lognormal(t, column(t, s, 1), bln_v_log(t, bln_v_custom(t, &node, &rates, 1, s->n, &e)), p[3]);
    return BLN_OK;
}

static void one_comp_logs(const double *const *p, bln_rng *rng, void *user, double *out)
{
    (void)rng; (void)user;
    out[0] = log(p[1][0]);
    out[1] = log(p[2][0]);
}

/* ---- all of them */

#define STARTING(name, rows, constraint, start) { name, rows, 1, BLN_CONSTRAINT_##constraint, 0, 0, start, 0, 0 }
static const bln_program_parameter of_schools[] = {
    BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("eta", 8, 1, FREE) };
static const bln_program_parameter of_schools_centred[] = {
    BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("theta", 8, 1, FREE) };
static const bln_program_parameter of_ar5[] = {
    BLN_PARAMETER("alpha", 1, 1, FREE), BLN_PARAMETER("beta", 5, 1, FREE), BLN_PARAMETER("sigma", 1, 1, POSITIVE) };
static const double arma_starts[4] = { 2, 0.7, 0.3, 0.7 };       /* from random places chains may stay where |theta| > 1 */
static const bln_program_parameter of_arma11[] = {
    STARTING("mu", 1, FREE, arma_starts), STARTING("phi", 1, FREE, arma_starts + 1), STARTING("theta", 1, FREE, arma_starts + 2),
    STARTING("sigma", 1, POSITIVE, arma_starts + 3) };
static const bln_program_parameter of_garch11[] = {
    BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("alpha0", 1, 1, POSITIVE), BLN_PARAMETER("share", 3, 1, SIMPLEX) };
static const bln_program_parameter of_kidscore[] = { BLN_PARAMETER("beta", 4, 1, FREE), BLN_PARAMETER("sigma", 1, 1, POSITIVE) };
static const bln_program_parameter of_blr[] = { BLN_PARAMETER("beta", 5, 1, FREE), BLN_PARAMETER("sigma", 1, 1, POSITIVE) };
static const bln_program_parameter of_diamonds[] = {
    BLN_PARAMETER("b", 18, 1, FREE), BLN_PARAMETER("Intercept", 1, 1, FREE), BLN_PARAMETER("sigma", 1, 1, POSITIVE) };
static const bln_program_parameter of_wells[] = { BLN_PARAMETER("alpha", 1, 1, FREE), BLN_PARAMETER("beta", 2, 1, FREE) };
static const bln_program_parameter of_radon[] = {
    BLN_PARAMETER("alpha_raw", COUNTIES, 1, FREE), BLN_PARAMETER("beta", 2, 1, FREE), BLN_PARAMETER("mu_alpha", 1, 1, FREE),
    BLN_PARAMETER("sigma_alpha", 1, 1, POSITIVE), BLN_PARAMETER("sigma_y", 1, 1, POSITIVE) };
static const bln_program_parameter of_mix[] = {
    BLN_PARAMETER("mu", 2, 1, ORDERED), BLN_PARAMETER("sigma", 2, 1, POSITIVE), BLN_PARAMETER_IN("theta", 1, 1, INTERVAL, 0, 1) };
static const bln_program_parameter of_hmm[] = {
    BLN_PARAMETER("theta1", 2, 1, SIMPLEX), BLN_PARAMETER("theta2", 2, 1, SIMPLEX), BLN_PARAMETER("mu", 2, 1, POSITIVE_ORDERED) };
static const bln_program_parameter of_gp[] = {
    BLN_PARAMETER("rho", 1, 1, POSITIVE), BLN_PARAMETER("alpha", 1, 1, POSITIVE), BLN_PARAMETER("sigma", 1, 1, POSITIVE) };
static const bln_program_parameter of_gp_pois[] = {
    BLN_PARAMETER("rho", 1, 1, POSITIVE), BLN_PARAMETER("alpha", 1, 1, POSITIVE), BLN_PARAMETER("f_tilde", YEARS, 1, FREE) };
static const bln_program_parameter of_accel[] = {
    BLN_PARAMETER("intercept", 1, 1, FREE), BLN_PARAMETER("sdgp", 1, 1, POSITIVE), BLN_PARAMETER("lscale", 1, 1, POSITIVE),
    BLN_PARAMETER("zgp", SINES, 1, FREE), BLN_PARAMETER("intercept_sigma", 1, 1, FREE), BLN_PARAMETER("sdgp_sigma", 1, 1, POSITIVE),
    BLN_PARAMETER("lscale_sigma", 1, 1, POSITIVE), BLN_PARAMETER("zgp_sigma", NOISE_SINES, 1, FREE) };
static const double lv_rates[4] = { 0.63, 0.031, 0.63, 0.018 }, lv_first[2] = { 30, 4 }, lv_noise[2] = { 0.3, 0.3 };
static const bln_program_parameter of_lotka[] = {
    STARTING("theta", 4, POSITIVE, lv_rates), STARTING("z_init", 2, POSITIVE, lv_first), STARTING("sigma", 2, POSITIVE, lv_noise) };
static const double dose_starts[4] = { 1, 2, 0.3, 0.3 };
static const bln_program_parameter of_dose[] = {
    STARTING("k_a", 1, POSITIVE, dose_starts), STARTING("K_m", 1, POSITIVE, dose_starts + 1),
    STARTING("V_m", 1, POSITIVE, dose_starts + 2), STARTING("sigma", 1, POSITIVE, dose_starts + 3) };

/* Numbers that `generate` computes: one name, or a name for all, with [1], [2], ... behind it. */
typedef struct example {
    const char *name;
    bln_program_model model;
    const bln_program_parameter *parameters;
    size_t n_parameters;
    void (*generate)(const double *const *p, bln_rng *rng, void *user, double *out);
    size_t n_generate;
    const char *generate_names[2];               /* all names, or the first is that of an array */
    size_t part, n_part;                         /* of the columns */
    int centred;
} example;
#define MODEL(name, parameters) #name, name, parameters, sizeof parameters/sizeof *parameters
static const example examples[] = {
    { MODEL(eight_schools, of_schools), eight_schools_effects, 8, { "theta", NULL }, 0, 0, 0 },
    { MODEL(eight_schools_centred, of_schools_centred), NULL, 0, { NULL, NULL }, 0, 0, 1 },
    { "arK", ar5, of_ar5, 3, NULL, 0, { NULL, NULL }, 0, 0, 0 },
    { MODEL(arma11, of_arma11), NULL, 0, { NULL, NULL }, 0, 0, 0 },
    { MODEL(garch11, of_garch11), garch11_shares, 2, { "alpha1", "beta1" }, 0, 0, 0 },
    { MODEL(kidscore_interaction, of_kidscore), NULL, 0, { NULL, NULL }, 0, 0, 0 },
    { MODEL(blr, of_blr), NULL, 0, { NULL, NULL }, 0, 0, 0 },
    { MODEL(diamonds, of_diamonds), NULL, 0, { NULL, NULL }, 0, 0, 0 },
    { MODEL(wells_dist100ars, of_wells), NULL, 0, { NULL, NULL }, 0, 0, 0 },
    { MODEL(radon, of_radon), radon_levels, COUNTIES, { "alpha", NULL }, 1, 2, 0 },
    { MODEL(low_dim_gauss_mix, of_mix), NULL, 0, { NULL, NULL }, 0, 0, 0 },
    { MODEL(hmm_example, of_hmm), NULL, 0, { NULL, NULL }, 0, 0, 0 },
    { MODEL(gp_regr, of_gp), NULL, 0, { NULL, NULL }, 0, 0, 0 },
    { MODEL(gp_pois_regr, of_gp_pois), gp_pois_regr_log_rates, YEARS, { "f", NULL }, 0, 0, 0 },
    { MODEL(accel_gp, of_accel), NULL, 0, { NULL, NULL }, 0, NOISE_SINES, 0 },
    { MODEL(lotka_volterra, of_lotka), NULL, 0, { NULL, NULL }, 0, 0, 0 },
    { MODEL(one_comp_mm_elim_abs, of_dose), one_comp_logs, 2, { "log_K_m", "log_V_m" }, 0, 0, 0 } };

static const char *folder;

/* A table of numbers of FOLDER/NAME; NULL: it is not there. */
static bln_chains *read_table(const char *name, const char *ending)
{
    char path[1000];
    bln_chains *out = NULL;
    bln_report report;
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    must(fseek(file, 0, SEEK_END) == 0, path);
    const size_t size = (size_t)ftell(file);
    char *text = (char *)malloc(size + 1);
    rewind(file);
    must(text && fread(text, 1, size, file) == size, path);
    fclose(file);
    if (bln_chains_read_csv(NULL, text, size, &out, &report)) { fprintf(stderr, "%s: %s\n", path, report.text); exit(2); }
    free(text);
    return out;
}

/* Columns of the numbers: n rows of d, of which X has all but the last, and `part` those from `first` on. */
static double *table_of(const bln_chains *c, const example *e, table *s)
{
    const double *numbers = bln_chains_table(c);
    const size_t n = s->n = bln_chains_draws(c), d = s->d = bln_chains_columns(c);
    double *all = (double *)malloc(3*n*d*sizeof *all);
    s->group = (uint32_t *)malloc(n*sizeof *s->group);
    must(all && s->group && d <= COLUMNS, "out of memory");
    s->X = all + n*d;
    s->part = s->X + n*d;
    for (size_t j = 0; j < d; j++) {
        s->x[j] = all + j*n;
        for (size_t i = 0; i < n; i++) s->x[j][i] = numbers[i*d + j];
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(s->X + i*(d - 1), numbers + i*d, (d - 1)*sizeof *numbers);
        memcpy(s->part + i*e->n_part, numbers + i*d + e->part, e->n_part*sizeof *numbers);
        s->group[i] = numbers[i*d] > 0 ? (uint32_t)numbers[i*d] : 0;
    }
    return all;
}

static bln_status to_file(void *file, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)file) == n ? BLN_OK : BLN_EIO;
}

static void write_draws(const bln_chains *draws, const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.draws.csv", folder, name);
    FILE *file = fopen(path, "wb");
    must(file != NULL, path);
    bln_writer w = bln_writer_over(to_file, file);
    must(bln_chains_write_csv(draws, &w) == BLN_OK && fclose(file) == 0, path);
}

static bln_chains *sample(const example *e, table *s, double *took)
{
    static char text[COUNTIES][32];
    const char *names[COUNTIES];
    bln_program_desc desc = BLN_ZERO;
    bln_hmc_desc hmc = BLN_ZERO;
    bln_program *program = NULL;
    bln_chains *draws = NULL;
    bln_report report;
    for (size_t k = 0; k < e->n_generate; k++) {
        snprintf(text[k], sizeof *text, "%.20s[%lu]", e->generate_names[0], (unsigned long)k + 1);
        names[k] = e->generate_names[1] ? e->generate_names[k] : text[k];
    }
    desc.model = e->model;
    desc.user = s;
    desc.parameters = e->parameters;
    desc.n_parameters = e->n_parameters;
    desc.generate = e->generate;
    desc.n_generate = e->n_generate;
    desc.generate_names = names;
    *took = seconds();
    bln_status status = bln_program_create(&desc, &program, &report);
    if (!status) {
        hmc.density = bln_program_density(program);
        if (e->parameters[0].start) hmc.start = bln_program_start(program);
        status = bln_density_check(&hmc.density, bln_program_start(program), NULL, &report);
    }
    if (!status) status = bln_hmc_sample(&hmc, &draws, &report);
    if (status) { fprintf(stderr, "%s: %s: %s\n", e->name, bln_status_name(status), report.text); exit(2); }
    *took = seconds() - *took;
    bln_program_free(program);
    return draws;
}

static double z_of(double a, double b, double error_a, double error_b) { return fabs(a - b)/hypot(error_a, error_b); }

/* Is all as it should be? */
static int show(const example *e)
{
    const char *data_of = e->centred ? "eight_schools" : e->name;
    double z_mean = 0, z_sd = 0, rhat = 0, bulk = HUGE_VAL, tail = HUGE_VAL, took;
    size_t compared = 0;
    table s;
    bln_diagnosis d;
    bln_chains *data = read_table(data_of, ".data.csv"), *reference = read_table(data_of, ".reference.csv");
    bln_chains *stan = e->centred ? NULL : read_table(e->name, ".rstan.csv");
    if (!data || !reference) { printf("%-22s data or reference draws are not there\n", e->name); return 0; }
    double *numbers = table_of(data, e, &s);
    bln_chains *draws = sample(e, &s, &took);
    for (size_t k = 0; k < bln_chains_columns(draws); k++) {
        bln_summary own, other;
        const size_t at = bln_chains_find(reference, bln_chains_name(draws, k));
        if (at == BLN_NONE) continue;
        must(!bln_chains_summary(draws, k, &own, NULL) && !bln_chains_summary(reference, at, &other, NULL), "summary");
        z_mean = fmax(z_mean, z_of(own.mean, other.mean, own.mcse_mean, other.mcse_mean));
        z_sd = fmax(z_sd, z_of(own.sd, other.sd, own.mcse_sd, other.mcse_sd));
        rhat = fmax(rhat, own.rhat);
        bulk = fmin(bulk, own.ess_bulk);
        tail = fmin(tail, own.ess_tail);
        compared++;
    }
    must(bln_chains_diagnose(draws, NULL, &d, NULL) == BLN_OK && (e->centred || compared == bln_chains_columns(reference)),
         "other parameters than the reference");
    write_draws(draws, e->name);
    const int good = e->centred ? d.divergent > 0 : z_mean <= 4 && z_sd <= 4 && rhat < 1.01 && bulk >= 400 && tail >= 400;
    printf("%-22s %4lu %6.2f %6.2f %7.4f %6.0f %6.0f %5lu %8.2f", e->name, (unsigned long)compared, z_mean, z_sd, rhat, bulk, tail,
           (unsigned long)d.divergent, took);
    if (stan) printf(" %8.2f %6.0f", bln_chains_table(stan)[bln_chains_find(stan, "seconds")],
                     bln_chains_table(stan)[bln_chains_find(stan, "ess")]);
    puts(good ? e->centred ? "    diverges, as it should" : "" : "    FAIL");
    fflush(stdout);
    bln_chains_free(draws);
    bln_chains_free(stan);
    bln_chains_free(reference);
    bln_chains_free(data);
    free(numbers);
    free(s.group);
    return good;
}

int main(int argc, char **argv)
{
    int bad = 0;
    must(argc >= 2, "which folder of data?");
    folder = argv[1];
    printf("%-22s %4s %6s %6s %7s %6s %6s %5s %8s %8s %6s\n", "", "par", "z mean", "z sd", "R-hat", "bulk", "tail", "div",
           "seconds", "Stan's", "bulk");
    for (size_t k = 0; k < sizeof examples/sizeof *examples; k++) {
        int wanted = argc == 2;
        for (int i = 2; i < argc; i++) wanted |= !strcmp(argv[i], examples[k].name);
        if (wanted && !show(&examples[k])) bad++;
    }
    return bad != 0;
}

/* test_reproducible - bits of draws, functions, factors and fitted models, as hashes: the same twice, and under
 * BAYESLIN_REPRODUCIBLE those written here, with every compiler, level of optimisation, machine and number of threads
 *
 *     make test ROOM=use/reproducible CFLAGS="-O2 -DBAYESLIN_REPRODUCIBLE"
 * A check that fails prints the hash it got: the new one, where results were meant to change and all compilers agree. Inputs are
 * draws of the library and whole numbers: what this file computes itself, a compiler might contract. */
#include "reproducible_tools.h"
#include "../linear/posterior_of.h"

/* ---- draws */

static void reproducible_generator(void)
{
    bln_rng rng;
    double x[100];
    size_t order[100];
    bln_rng_seed(&rng, 7, 3);
    for (uint64_t i = 1; i < 50; i++) reproducible_word(bln_rng_next(&rng) ^ bln_rng_below(&rng, i*i*i));
    bln_rng_uniforms(&rng, 100, x);
    reproducible_doubles(100, x);
    bln_rng_normals(&rng, 99, x);
    reproducible_doubles(99, x);
    bln_rng_jump(&rng);
    bln_rng_permutation(&rng, 100, order);
    for (size_t i = 0; i < 100; i++) reproducible_word(order[i]);
    for (int i = 0; i < 3000; i++) reproducible_double(bln_rng_normal(&rng));
    for (int i = 0; i < 3000; i++) reproducible_double(bln_rng_exponential(&rng));
}
REPRODUCIBLE(generator, 0x7f2fcfa51bbd0d41)

static void reproducible_distributions(void)
{
    static const double shapes[] = { 0.03, 0.5, 1.0, 2.5, 40.0 };
    bln_rng rng;
    bln_rng_seed(&rng, 8, 0);
    for (int repeat = 0; repeat < 60; repeat++) {
        for (size_t i = 0; i < 5; i++) {
            const double a = shapes[i], b = shapes[(i + 2) % 5];
            reproducible_double(bln_rng_gamma(&rng, a));
            reproducible_double(bln_rng_log_gamma(&rng, a));
            reproducible_double(bln_rng_chi2(&rng, a));
            reproducible_double(bln_rng_student_t(&rng, a));
            reproducible_double(bln_rng_inverse_gaussian(&rng, a, b));
            reproducible_double(bln_rng_truncated_normal(&rng, a, a + b));
            reproducible_double(bln_rng_truncated_normal(&rng, -a, b));
            reproducible_double(bln_rng_truncated_normal(&rng, -HUGE_VAL, -b));
        }
        reproducible_double(bln_rng_laplace(&rng));
    }
}
REPRODUCIBLE(distributions, 0x91206a9e7cd10277)

static void reproducible_discrete(void)
{
    static const double means[] = { 0.3, 7.0, 12.5, 1e4, 1e16 }, chances[] = { 0.01, 0.3, 0.5, 0.85, 0.999 };
    bln_rng rng;
    bln_rng_seed(&rng, 9, 0);
    for (int repeat = 0; repeat < 60; repeat++) {
        for (size_t i = 0; i < 5; i++) {
            reproducible_double(bln_rng_poisson(&rng, means[i]));
            reproducible_double(bln_rng_binomial(&rng, 20.0, chances[i]));
            reproducible_double(bln_rng_binomial(&rng, 1e6, chances[i]));
        }
    }
}
REPRODUCIBLE(discrete, 0x09fa22b7e9e5aae7)

static void reproducible_points_of_sequences(void)
{
    enum { D = 20, N = 70 };
    double X[N*D];
    CHECK_OK(bln_qmc_sobol(D, 5, 3, N, X, D));
    reproducible_doubles(N*D, X);
    CHECK_OK(bln_qmc_halton(D, 5, 3, N, X, D));
    reproducible_doubles(N*D, X);
}
REPRODUCIBLE(points_of_sequences, 0x247f8795a7ad962c)

/* ---- functions */

/* n numbers of both signs, of all sizes about 1. */
static void reproducible_points(uint64_t seed, size_t n, double *x)
{
    bln_rng rng;
    bln_rng_seed(&rng, seed, 0);
    for (size_t i = 0; i < n; i++) x[i] = bln_rng_student_t(&rng, 1.0);
}

static void reproducible_special(void)
{
    static double (*const f[])(double) = {
        bln_log1pexp, bln_log1mexp, bln_sigmoid, bln_logit, blni_erf,
        bln_norm_pdf, bln_norm_logpdf, bln_norm_cdf, bln_norm_sf, bln_norm_logcdf, bln_norm_mills, bln_norm_quantile,
        bln_lgamma, bln_digamma, bln_trigamma, blni_lgamma_half_diff
    };
    double x[100];
    reproducible_points(11, 100, x);
    for (size_t k = 0; k < sizeof f/sizeof *f; k++)
        for (size_t i = 0; i < 100; i++) {
            reproducible_double(f[k](x[i]));
            reproducible_double(f[k](fabs(x[i])));
            reproducible_double(f[k](bln_norm_cdf(x[i])));
        }
    reproducible_double(bln_logsumexp(100, x));
}
REPRODUCIBLE(special, 0x5681fd26168e7ce1)

static void reproducible_incomplete(void)
{
    double x[120];
    reproducible_points(12, 120, x);
    for (size_t i = 0; i < 120; i += 3) {
        const double a = fabs(x[i]), b = fabs(x[i + 1]), c = fabs(x[i + 2]), p = bln_norm_cdf(x[i + 2]);
        reproducible_double(blni_log_rising_double(a, c));
        reproducible_double(bln_log_choose(a + b, a));
        reproducible_double(bln_gamma_p(a, c));
        reproducible_double(bln_gamma_q(a, c));
        reproducible_double(bln_gamma_p_inv(a, p));
        reproducible_double(bln_gamma_q_inv(a, p));
        reproducible_double(bln_beta_p(a, b, p));
        reproducible_double(bln_beta_q(a, b, p));
        reproducible_double(bln_beta_p_inv(a, b, p));
        reproducible_double(bln_beta_q_inv(a, b, p));
        reproducible_double(bln_student_pdf(a, x[i + 1]));
        reproducible_double(bln_student_logpdf(a, x[i + 1]));
        reproducible_double(bln_student_cdf(a, x[i + 1]));
        reproducible_double(bln_student_quantile(a, p));
    }
}
REPRODUCIBLE(incomplete, 0xcfd193601540a0de)

static void reproducible_vectors(void)
{
    static void (*const f[])(size_t n, const double *x, double *y) = {
        bln_vec_exp, bln_vec_log, bln_vec_log1pexp, bln_vec_lgamma
    };
    double x[300], y[300], z[512];
    reproducible_points(13, 300, x);
    for (size_t k = 0; k < sizeof f/sizeof *f; k++) {
        f[k](300, x, y);
        reproducible_doubles(300, y);
    }
    bln_sincos_quarter(300, x, y, z);
    reproducible_doubles(300, y);
    reproducible_doubles(300, z);
    reproducible_points(14, 512, z);
    blni_hadamard(128, 4, z);
    reproducible_doubles(512, z);
}
REPRODUCIBLE(vectors, 0x86f059f1df1b5a67)

static void reproducible_integrand(void *user, size_t n, const double *x, double *values)
{
    (void)user;
    bln_vec_exp(n, x, values);
    bln_vec_log1pexp(n, x, values + n);
}

static void reproducible_quadrature(void)
{
    static const double breaks[] = { -3.0, 0.5, 4.0 };
    double z[64], w[64], integral[2];
    CHECK_OK(blni_gauss_hermite(64, z, w));
    reproducible_doubles(64, z);
    reproducible_doubles(64, w);
    CHECK_SIZE(blni_normal_trapezoid(0.5, 0, 0, NULL, NULL), 35);
    blni_normal_trapezoid(0.5, 0, 35, z, w);
    reproducible_doubles(35, z);
    reproducible_doubles(35, w);
    reproducible_double(blni_integrate(reproducible_integrand, NULL, 2, 3, breaks, 1e-12, integral));
    reproducible_doubles(2, integral);
}
REPRODUCIBLE(quadrature, 0x2fcde144a2dfad2f)

static void reproducible_decimals(void)
{
    static const char *const texts[] = {
        "0.1", "-123.456e-7", "1.7976931348623157e308", "4.9406564584124654e-324", "3.14159265358979323846264338e+100",
        "0.500000000000000166533453693773481063544750213623046875"
    };
    for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) {
        double value = 0.0;
        CHECK(bln_decimal_read(texts[i], texts[i] + strlen(texts[i]), &value) != NULL);
        reproducible_double(value);
    }
}
REPRODUCIBLE(decimals, 0xede70361de930845)

/* ---- matrices: larger than the blocks and leaves of any build, so that the stack's size would show */

static void reproducible_matrices(void)
{
    enum { N = 250, M = 271, K = 37 };
    double *const A = test_doubles(M*N), *const S = test_doubles(N*N), *const B = test_doubles(N*K), *const C = test_doubles(N*N);
    double *const tau = test_doubles(N), *const work = test_doubles(blni_geqrf_work(M, N) + blni_ormqr_work(M, K, N) + N);
    bln_rng rng;
    double diag[4], jitter, residual[1], left;
    size_t bad;
    bln_rng_seed(&rng, 15, 0);
    bln_rng_normals(&rng, M*N, A);
    bln_rng_normals(&rng, N*K, B);
    bln_syrk(BLN_TRANS, N, M, 0.3, A, N, 0.0, S, N);
    for (size_t i = 0; i < N; i++) S[i*N + i] += 8.0;
    CHECK_OK(bln_potrf(N, S, N, &bad));
    for (size_t i = 0; i < N; i++) reproducible_doubles(N - i, S + i*N + i);
    reproducible_double(bln_logdet_factor(N, S, N));
    reproducible_double(blni_condition_factor(N, S, N));
    bln_trsm(BLN_TRANS, N, K, S, N, B, K);
    reproducible_doubles(N*K, B);
    bln_trsm(BLN_NOTRANS, N, K, S, N, B, K);
    reproducible_doubles(N*K, B);
    blni_chud(N - 1, 1, S, N, A);
    for (size_t i = 0; i < N; i++) reproducible_doubles(N - i, S + i*N + i);
    bln_scal(N - 1, 0.125, A + N);
    CHECK_OK(blni_chdd(N - 1, 1, S, N, A + N, 1e-6, &left, work));
    reproducible_double(left);
    bln_trtri(N, S, N);
    bln_lauum(N, S, N, C, N);
    for (size_t i = 0; i < N; i++) reproducible_doubles(N - i, C + i*N + i);
    bln_gemv(BLN_NOTRANS, M - 4, N, 0.7, A + 2*N, N, B, 0.0, work);
    reproducible_doubles(M - 4, work);
    bln_gemv(BLN_TRANS, M - 4, N, 0.7, A + 2*N, N, work, 0.0, tau);
    reproducible_doubles(N, tau);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, N, K, N, 1.3, A + 2*N, N, B, K, 0.0, C, K);
    reproducible_doubles(N*K, C);
    blni_geqrf(M - 2, 60, A + 2*N, N, tau, work);
    for (size_t i = 0; i < 60; i++) reproducible_doubles(60 - i, A + (i + 2)*N + i);
    reproducible_doubles(60, tau);
    blni_ormqr(BLN_TRANS, N, K, 60, A + 2*N, N, tau, B, K, work);
    reproducible_doubles(N*K, B);
    bln_rng_normals(&rng, 16, A);
    blni_geqrf(5, 3, A, 3, tau, work);
    blni_ormqr(BLN_TRANS, 5, 1, 3, A, 3, tau, B, 1, work);
    residual[0] = blni_qr_norm(2, B + 3, 1);
    bln_trsm(BLN_NOTRANS, 3, 1, A, 3, B, 1);
    reproducible_doubles(5, B);
    reproducible_doubles(1, residual);
    for (size_t i = 0; i < 16; i++) A[i] = 1.0;
    CHECK_OK(blni_potrf_jitter(4, A, 4, diag, &jitter));
    reproducible_doubles(4, diag);
    reproducible_double(jitter);
    free(A); free(S); free(B); free(C); free(tau); free(work);
}
REPRODUCIBLE(matrices, 0xabf33646f69eeb5f)

/* ---- bases */

enum { REPRODUCIBLE_ROWS = 90, REPRODUCIBLE_NEW = 12, REPRODUCIBLE_INPUTS = 3 };

/* Rows and rows to predict at, a smooth function of them, and noise of half its size. */
typedef struct reproducible_rows {
    double X[REPRODUCIBLE_ROWS*REPRODUCIBLE_INPUTS], X_new[REPRODUCIBLE_NEW*REPRODUCIBLE_INPUTS], y[2*REPRODUCIBLE_ROWS];
    double f[REPRODUCIBLE_ROWS], weight[REPRODUCIBLE_ROWS], noise_var[REPRODUCIBLE_ROWS];
    bln_data data, query;
} reproducible_rows;

static void reproducible_make(reproducible_rows *r)
{
    static const double slope[REPRODUCIBLE_INPUTS] = { 0.75, -0.5, 0.0 };
    const size_t n = REPRODUCIBLE_ROWS;
    bln_rng rng;
    memset(r, 0, sizeof *r);
    bln_rng_seed(&rng, 16, 0);
    bln_rng_normals(&rng, n*REPRODUCIBLE_INPUTS, r->X);
    bln_rng_normals(&rng, REPRODUCIBLE_NEW*REPRODUCIBLE_INPUTS, r->X_new);
    bln_gemv(BLN_NOTRANS, n, REPRODUCIBLE_INPUTS, 1.0, r->X, REPRODUCIBLE_INPUTS, slope, 0.0, r->y);
    bln_sincos_quarter(n, r->y, r->f, r->y);
    bln_rng_normals(&rng, 2*n, r->y);
    bln_scal(2*n, 0.5, r->y);
    bln_axpy(n, 1.0, r->f, r->y);
    bln_rng_uniforms(&rng, n, r->noise_var);
    for (size_t i = 0; i < n; i++) r->weight[i] = (double)(1 + bln_rng_below(&rng, 3));
    r->data.n = n;
    r->data.d = REPRODUCIBLE_INPUTS;
    r->data.X = r->X;
    r->data.y = r->y;
    r->query.n = REPRODUCIBLE_NEW;
    r->query.d = REPRODUCIBLE_INPUTS;
    r->query.X = r->X_new;
}

static bln_basis *reproducible_basis(const char *text, const bln_data *rows)
{
    bln_spec_desc desc = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_report report = BLN_ZERO;
    desc.text = text;
    desc.d = REPRODUCIBLE_INPUTS;
    desc.seed = 4;
    desc.rows = rows;
    CHECK_OK(bln_basis_parse(&desc, &basis, &report));
    if (!basis) { printf("    %s: %s\n", text, report.text); exit(2); }
    return basis;
}

/* Features at the starts of theta for inputs of mean 0 and standard deviation 1, and the chain rule. */
static void reproducible_bases(void)
{
    static const char *const texts[] = {
        "polynomial:degree=3,interactions", "legendre:degree=4", "radial:n=9,ard", "sigmoid:n=5", "ridge:n=4", "rbf:n=10,ard",
        "matern12:n=6,draws=independent", "matern32:n=6,draws=halton", "matern52:n=6,draws=sobol", "cauchy:n=6,ard",
        "laplace1:n=6,draws=independent", "cauchy_product:n=6", "matern:n=6,nu=1.3", "rq:n=6,alpha=0.7",
        "rbf:n=9,draws=fastfood,ard", "spectral:n=5,q=2", "inducing:m=12,ard",
        "inducing:m=12,kernel=matern,nu=0.8,select=pivoted,learn",
        "inducing:m=8,kernel=rq,alpha=3,select=random", "bias+linear:cols=0;2+matern32:n=4,cols=1"
    };
    reproducible_rows r;
    reproducible_make(&r);
    for (size_t k = 0; k < sizeof texts/sizeof *texts; k++) {
        bln_basis *const basis = reproducible_basis(texts[k], &r.data);
        const size_t n = REPRODUCIBLE_NEW, D = basis->D, room = bln_basis_room(basis);
        double *const Phi = test_doubles(n*D), *const work = test_doubles(bln_basis_work(basis, n));
        double *const at = test_doubles(room);
        double *const theta = test_doubles(basis->n_theta), *const slopes = test_doubles(basis->n_theta);
        bln_moments moments = BLN_ZERO;
        const bln_basis *bound;
        for (size_t i = 0; i < basis->n_theta; i++) {
            bln_param param;
            bln_basis_param(basis, i, &moments, &param);
            theta[i] = param.start;
            slopes[i] = 0.0;
        }
        bound = bln_basis_bind(basis, theta, at);
        bln_basis_features(bound, theta, n, r.X_new, REPRODUCIBLE_INPUTS, Phi, D, work);
        reproducible_doubles(n*D, Phi);
        if (basis->n_theta) {
            bln_basis_pullback(bound, theta, n, r.X_new, REPRODUCIBLE_INPUTS, Phi, D, Phi, D, slopes, NULL, 0, work);
            bln_basis_settle(bound, theta, slopes);
            reproducible_doubles(basis->n_theta, slopes);
        }
        bln_basis_free(basis);
        free(Phi); free(work); free(at); free(theta); free(slopes);
    }
}
REPRODUCIBLE(bases, 0x07e13d60eb0ef9d5)

static void reproducible_kernel(void)
{
    int kernel = 0;
    double tau[60];
    reproducible_points(17, 60, tau);
    while (strcmp(bln_kernel_name((bln_kernel)kernel), reproducible_name)) kernel++;
    for (size_t i = 0; i < 60; i += 3) {
        reproducible_double(bln_kernel_at((bln_kernel)kernel, 0.4, 3, tau + i));
        reproducible_double(bln_kernel_at((bln_kernel)kernel, 2.3, 3, tau + i));
        reproducible_double(bln_kernel_at((bln_kernel)kernel, 75.0, 2, tau + i));
    }
}

TEST(reproducible, kernels)
{
    static const reproducible_entry list[] = {
        { "rbf", UINT64_C(0x1f72be4d80d866d0) }, { "matern12", UINT64_C(0xd233c5e5d4bee1cb) },
        { "matern32", UINT64_C(0x4dcede79a4f97cc3) }, { "matern52", UINT64_C(0xc92f772c633da3bb) },
        { "matern", UINT64_C(0x4578af824d192dc4) }, { "rq", UINT64_C(0xf70003f8a32e0037) },
        { "cauchy", UINT64_C(0x35aa9374118b981e) }, { "laplace1", UINT64_C(0x80e9b65185eb01a4) },
        { "cauchy_product", UINT64_C(0xcb2e0d5d5db72375) }
    };
    for (int kernel = 0; kernel < BLNI_N_KERNELS; kernel++)
        reproducible_listed(reproducible_kernel, bln_kernel_name((bln_kernel)kernel), list, sizeof list/sizeof *list);
}

/* ---- models: the bytes that are saved, predictions, draws, rows left out */

static void reproducible_slm_one(bln_slm_desc *desc, const char *text, const reproducible_rows *r, int loo)
{
    const size_t P = desc->n_outputs ? desc->n_outputs : 1;
    bln_basis *const basis = reproducible_basis(text, &r->data);
    bln_writer w = bln_writer_over(reproducible_write, NULL);
    bln_draw_desc draws = BLN_ZERO;
    bln_slm *slm = NULL;
    bln_report report = BLN_ZERO;
    double mean[2*REPRODUCIBLE_ROWS] = { 0.0 }, f[2*REPRODUCIBLE_ROWS] = { 0.0 }, y[2*REPRODUCIBLE_ROWS] = { 0.0 }, score = 0.0;
    desc->basis = basis;
    CHECK_OK(bln_slm_create(desc, &slm, &report));
    CHECK_OK(bln_slm_fit(slm, &r->data, &report));
    reproducible_word(report.iterations);
    CHECK_OK(bln_slm_save(slm, &w));
    CHECK_OK(total_of(bln_slm_posterior(slm), &r->query, mean, f, y, NULL, &report));
    reproducible_doubles(P*REPRODUCIBLE_NEW, mean);
    reproducible_doubles(P*REPRODUCIBLE_NEW, f);
    reproducible_doubles(P*REPRODUCIBLE_NEW, y);
    draws.n = 2;
    draws.noise = 1;
    draws.residual = BLN_RESIDUAL_NONE;
    CHECK_OK(bln_posterior_draws(bln_slm_posterior(slm), &r->query, &draws, mean, NULL, 0, NULL, &report));
    reproducible_doubles(2*P*REPRODUCIBLE_NEW, mean);
    if (loo) {
        CHECK_OK(loo_of(bln_slm_posterior(slm), &r->data, mean, f, y, &score, &report));
        reproducible_doubles(P*REPRODUCIBLE_ROWS, mean);
        reproducible_doubles(P*REPRODUCIBLE_ROWS, f);
        reproducible_doubles(REPRODUCIBLE_ROWS, y);
        reproducible_double(score);
    }
    bln_slm_free(slm);
    bln_basis_free(basis);
}

static void reproducible_slm(void)
{
    reproducible_rows r;
    bln_slm_desc desc = BLN_ZERO;
    reproducible_make(&r);
    desc.max_iterations = 12;
    reproducible_slm_one(&desc, "rbf:n=10,ard", &r, 1);
    desc.form = BLN_SLM_DUAL;
    desc.max_iterations = 2;
    desc.starts = 2;
    r.data.weight = r.weight;
    r.data.noise_var = r.noise_var;
    reproducible_slm_one(&desc, "matern52:n=50+linear", &r, 1);
}
REPRODUCIBLE(slm, 0x35e99e710e07e337)

static void reproducible_slm_forms(void)
{
    reproducible_rows r;
    bln_slm_desc desc = BLN_ZERO;
    reproducible_make(&r);
    desc.arithmetic = BLN_SLM_QR;
    reproducible_slm_one(&desc, "polynomial:degree=2,interactions", &r, 1);
    desc.arithmetic = BLN_SLM_EXACT;
    reproducible_slm_one(&desc, "polynomial:degree=2", &r, 0);
    memset(&desc, 0, sizeof desc);
    desc.optimiser = BLN_SLM_MACKAY;
    desc.per_weight = 1;
    desc.fix_theta = 1;
    reproducible_slm_one(&desc, "radial:n=10", &r, 0);
    memset(&desc, 0, sizeof desc);
    desc.max_iterations = 4;
    reproducible_slm_one(&desc, "inducing:m=8,ard", &r, 0);
    desc.n_outputs = 2;
    r.data.p = 2;
    desc.sigma = BLN_SLM_CORRELATED;
    reproducible_slm_one(&desc, "rbf:n=8", &r, 0);
}
REPRODUCIBLE(slm_forms, 0x190ff1b3eab5febb)

static void reproducible_slm_integrated(void)
{
    static const double level[2] = { 0.025, 0.8 };
    reproducible_rows r;
    bln_slm_integrated_desc desc = BLN_ZERO;
    of_outputs out = BLN_ZERO;
    bln_slm_integrated *model = NULL;
    bln_writer w = bln_writer_over(reproducible_write, NULL);
    double mean[REPRODUCIBLE_NEW] = { 0.0 }, density[REPRODUCIBLE_NEW] = { 0.0 }, quantile[2*REPRODUCIBLE_NEW] = { 0.0 };
    reproducible_make(&r);
    desc.basis = reproducible_basis("polynomial:degree=2", NULL);
    desc.nodes = 16;
    CHECK_OK(bln_slm_integrated_create(&desc, &model, NULL));
    CHECK_OK(bln_slm_integrated_fit(model, &r.data, NULL));
    CHECK_OK(bln_slm_integrated_save(model, &w));
    out.mean = mean;
    out.log_density = density;
    out.n_level = 2;
    out.level = level;
    out.quantile = quantile;
    r.query.y = r.y;
    CHECK_OK(outputs_of(bln_slm_integrated_posterior(model), &r.query, &out, NULL, NULL));
    reproducible_doubles(REPRODUCIBLE_NEW, mean);
    reproducible_doubles(REPRODUCIBLE_NEW, density);
    reproducible_doubles(2*REPRODUCIBLE_NEW, quantile);
    bln_slm_integrated_free(model);
    bln_basis_free((bln_basis *)(uintptr_t)desc.basis);
}
REPRODUCIBLE(slm_integrated, 0xc35db8dda5a944d0)

static void reproducible_sequential(void)
{
    static const double prior_var[1] = { 2.5 };
    reproducible_rows r;
    bln_sequential_desc desc = BLN_ZERO;
    bln_sequential *model = NULL;
    bln_writer w = bln_writer_over(reproducible_write, NULL);
    double mean[REPRODUCIBLE_ROWS] = { 0.0 }, var[REPRODUCIBLE_ROWS], logp[REPRODUCIBLE_ROWS] = { 0.0 };
    bln_data some;
    reproducible_make(&r);
    bln_basis *const basis = reproducible_basis("polynomial:degree=2,interactions", NULL);
    desc.basis = basis;
    desc.noise_var = 0.3;
    desc.prior_var = prior_var;
    CHECK_OK(bln_sequential_create(&desc, &model, NULL));
    CHECK_OK(bln_sequential_add(model, &r.data, mean, var, logp, NULL));
    reproducible_doubles(REPRODUCIBLE_ROWS, mean);
    reproducible_doubles(REPRODUCIBLE_ROWS, logp);
    CHECK_OK(bln_sequential_forget(model, 0.9, NULL));
    some = bln_data_rows(&r.data, 0, 5);
    CHECK_OK(bln_sequential_add(model, &some, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_sequential_remove(model, &some, NULL));
    reproducible_double(bln_sequential_evidence(model));
    bln_sequential_save(model, &w);
    bln_sequential_free(model);
    bln_basis_free(basis);
}
REPRODUCIBLE(sequential, 0xe7f56e6fe8ecaedf)

/* ---- likelihoods and generalised models */

/* A likelihood of one latent, from a stream of its name. */
static void reproducible_likelihood(void)
{
    enum { N = 9 };
    double f[N], v[N], y[N], p[N], trials[N], out[5][N], theta[3], dtheta[4*N];
    bln_rng rng;
    const bln_load all = bln_builtin();
    bln_likelihood l = all.likelihoods[0];
    bln_targets t = BLN_ZERO;
    uint64_t stream = 0;
    for (size_t k = 0; k < all.n_likelihoods; k++)
        if (!strcmp(all.likelihoods[k].ops->name, reproducible_name)) l = all.likelihoods[k];
    for (const char *c = reproducible_name; *c; c++) stream = 31*stream + (unsigned char)*c;
    bln_rng_seed(&rng, 18, stream);
    bln_rng_normals(&rng, N, f);
    bln_rng_uniforms(&rng, N, v);
    bln_rng_uniforms(&rng, N, p);
    for (size_t i = 0; i < N; i++) trials[i] = (double)(i + 1);
    for (size_t i = 0; i < l.n_theta; i++) {
        bln_param param;
        bln_likelihood_param(&l, i, 1.0, 1.0, &param);
        theta[i] = param.start;
    }
    t.y = y;
    if (!strncmp(reproducible_name, "binomial", 8)) t.trials = trials;
    bln_likelihood_draw(&l, theta, N, &t, f, &rng, y);
    reproducible_doubles(N, y);
    bln_likelihood_eval(&l, theta, N, &t, f, out[0], out[1], out[2], out[3]);
    for (size_t i = 0; i < 4; i++) reproducible_doubles(N, out[i]);
    for (size_t i = 0; i < l.n_theta; i++) {
        blni_likelihood_eval_param(&l, theta, i, N, &t, f, out[0], out[1], out[2]);
        reproducible_doubles(N, out[0]);
    }
    bln_likelihood_moments(&l, theta, N, &t, f, out[0], out[1]);
    bln_likelihood_logcdf(&l, theta, N, &t, f, out[2], out[3]);
    bln_likelihood_quantile(&l, theta, N, &t, f, p, out[4]);
    for (size_t i = 0; i < 5; i++) reproducible_doubles(N, out[i]);
    blni_likelihood_expect(&l, theta, N, &t, f, v, 1e-8, out[0], out[1], out[2], dtheta, N);
    for (size_t i = 0; i < 3; i++) reproducible_doubles(N, out[i]);
    reproducible_doubles(l.n_theta*N, dtheta);
}

TEST(reproducible, likelihoods)
{
    static const reproducible_entry list[] = {
        { "gaussian", UINT64_C(0x3628e9e10917f016) }, { "student_t", UINT64_C(0x604d65641258fe1a) },
        { "laplace", UINT64_C(0x852acb42ac2bde8e) }, { "asymmetric_laplace", UINT64_C(0xdc3ca5396ed8bcea) },
        { "binomial_logit", UINT64_C(0x87929dbee5ad540c) }, { "binomial_probit", UINT64_C(0x56893aee1828c8ef) },
        { "binomial_cloglog", UINT64_C(0x940caa8615c05e1b) }, { "poisson_log", UINT64_C(0x822618ba00c203d8) },
        { "poisson_softplus", UINT64_C(0xd27681a80aa81fd5) }, { "poisson_logistic", UINT64_C(0xa0ec539c5e606fb2) },
        { "negative_binomial", UINT64_C(0x6ae0a2e42e89427e) }, { "zero_inflated_poisson", UINT64_C(0x652a60c50e388d9a) },
        { "ordinal", UINT64_C(0xce22014fe06b5f99) }
    };
    const bln_load all = bln_builtin();
    for (size_t k = 0; k < all.n_likelihoods; k++) {
        if (all.likelihoods[k].ops->latents) continue;
        reproducible_listed(reproducible_likelihood, all.likelihoods[k].ops->name, list, sizeof list/sizeof *list);
    }
}

/* Those of several latents: two classes, three with a reference, a mean and its scale. */
static void reproducible_latents(void)
{
    enum { N = 9 };
    bln_likelihood all[3];
    double f[2*N], v[2*N], y[N], logp[N], d1[2*N], d2[3*N], value[N], dm[2*N], dv[2*N], dtheta[N];
    all[0] = bln_likelihood_categorical(2);
    all[1] = bln_likelihood_categorical_reference(3);
    all[2] = bln_likelihood_gaussian_scale();
    for (size_t k = 0; k < sizeof all/sizeof *all; k++) {
        const double theta[1] = { 1.5 };
        bln_targets t = BLN_ZERO;
        bln_rng rng;
        bln_rng_seed(&rng, 21, k);
        bln_rng_normals(&rng, 2*N, f);
        bln_rng_uniforms(&rng, 2*N, v);
        for (size_t i = 0; i < N; i++) y[i] = (double)bln_rng_below(&rng, 2);
        t.y = y;
        bln_latents_eval(all + k, theta, N, &t, f, N, logp, d1, d2);
        reproducible_doubles(N, logp);
        reproducible_doubles(2*N, d1);
        reproducible_doubles(3*N, d2);
        for (int wide = 0; wide < 2; wide++) {                 /* by nodes, and on a grid */
            if (wide) bln_scal(2*N, 4.0, v);
            blni_latents_expect(all + k, theta, N, &t, f, v, N, 1e-8, value, dm, dv, dtheta, N);
            reproducible_doubles(N, value);
            reproducible_doubles(2*N, dm);
            reproducible_doubles(2*N, dv);
            if (all[k].n_theta) reproducible_doubles(N, dtheta);
        }
    }
}
REPRODUCIBLE(latents, 0x5ad3118d6d2faad3)

/* What of a model's rows is left out: each, each third, or none. */
typedef enum reproducible_left { REPRODUCIBLE_NONE, REPRODUCIBLE_EACH, REPRODUCIBLE_GROUPS } reproducible_left;

static void reproducible_glm_left(const bln_glm *glm, const reproducible_rows *r, reproducible_left kind)
{
    double density[REPRODUCIBLE_ROWS] = { 0.0 }, influence[REPRODUCIBLE_ROWS] = { 0.0 };
    size_t group[REPRODUCIBLE_ROWS];
    bln_loo_desc how = BLN_ZERO;
    bln_loo_outputs left = BLN_ZERO;
    bln_elpd total = BLN_ZERO;
    left.logdensity = density;
    left.influence = influence;
    left.total = &total;
    for (size_t i = 0; i < REPRODUCIBLE_ROWS; i++) group[i] = i % 3;
    how.psis = kind == REPRODUCIBLE_EACH;
    how.draws = 60;
    if (kind == REPRODUCIBLE_EACH) CHECK_OK(bln_posterior_loo(bln_glm_posterior(glm), &r->data, &how, &left, NULL));
    else CHECK_OK(bln_posterior_loo_groups(bln_glm_posterior(glm), &r->data, group, 3, &how, &left, NULL, NULL));
    reproducible_doubles(REPRODUCIBLE_ROWS, density);
    reproducible_doubles(REPRODUCIBLE_ROWS, influence);
    reproducible_double(total.elpd);
    reproducible_double(total.se);
}

static void reproducible_glm_one(bln_glm_desc *desc, const char *text, const reproducible_rows *r, reproducible_left left)
{
    bln_basis *const basis = reproducible_basis(text, &r->data);
    bln_writer w = bln_writer_over(reproducible_write, NULL);
    bln_draw_desc draws = BLN_ZERO;
    bln_glm *glm = NULL;
    bln_report report = BLN_ZERO;
    enum { N = REPRODUCIBLE_NEW };
    double out[3*N] = { 0.0 };
    desc->basis = basis;
    CHECK_OK(bln_glm_create(desc, &glm, &report));
    CHECK_OK(bln_glm_fit(glm, &r->data, &report));
    reproducible_word(report.iterations);
    CHECK_OK(bln_glm_save(glm, &w));
    CHECK_OK(bln_glm_predict(glm, &r->query, out, out + N, out + 2*N, NULL, &report));
    reproducible_doubles(3*N, out);
    CHECK_OK(bln_posterior_intervals(bln_glm_posterior(glm), &r->query, BLN_OF_Y, 0.9, out, out + N, NULL, &report));
    reproducible_doubles(2*N, out);
    draws.n = 3;
    draws.noise = 1;
    CHECK_OK(bln_posterior_draws(bln_glm_posterior(glm), &r->query, &draws, out, NULL, 0, NULL, &report));
    reproducible_doubles(3*N, out);
    if (left != REPRODUCIBLE_NONE) reproducible_glm_left(glm, r, left);
    bln_glm_free(glm);
    bln_basis_free(basis);
}

/* Targets of a likelihood, drawn. */
static void reproducible_targets(reproducible_rows *r, const bln_likelihood *l)
{
    bln_targets t = BLN_ZERO;
    bln_rng rng;
    double theta[1] = { 1.5 };
    bln_rng_seed(&rng, 19, 0);
    bln_likelihood_draw(l, theta, REPRODUCIBLE_ROWS, &t, r->f, &rng, r->y);
}

/* Rows, and a model of them. */
static bln_glm_desc reproducible_glm_desc(reproducible_rows *r, bln_glm_method method, bln_likelihood likelihood)
{
    bln_glm_desc desc = BLN_ZERO;
    reproducible_make(r);
    desc.method = method;
    desc.likelihood = likelihood;
    return desc;
}

/* A fit to targets of the model's own likelihood. */
static void reproducible_glm_drawn(bln_glm_desc *desc, const char *text, reproducible_rows *r, reproducible_left left)
{
    reproducible_targets(r, &desc->likelihood);
    reproducible_glm_one(desc, text, r, left);
}

static void reproducible_laplace(void)
{
    reproducible_rows r;
    bln_glm_desc desc = reproducible_glm_desc(&r, bln_glm_laplace(), bln_likelihood_binomial(BLN_LINK_LOGIT));
    desc.max_iterations = 6;
    reproducible_glm_drawn(&desc, "rbf:n=8,ard", &r, REPRODUCIBLE_EACH);
    desc.likelihood = bln_likelihood_negative_binomial();
    reproducible_glm_drawn(&desc, "polynomial:degree=2", &r, REPRODUCIBLE_GROUPS);
}
REPRODUCIBLE(laplace, 0x7355a3aaaf432c1d)

/* A point, by Newton's method and by batches. */
static void reproducible_map(void)
{
    reproducible_rows r;
    bln_glm_map_desc own = BLN_ZERO;
    bln_glm_desc desc = reproducible_glm_desc(&r, bln_glm_map(&own), bln_likelihood_poisson(BLN_LINK_LOG));
    reproducible_glm_drawn(&desc, "rbf:n=8", &r, REPRODUCIBLE_NONE);
    own.steps.batch = 20;
    desc.max_iterations = 6;
    own.steps.method = BLN_SGD_NESTEROV;
    own.steps.rate = 1e-4;
    reproducible_glm_drawn(&desc, "linear", &r, REPRODUCIBLE_NONE);
}
REPRODUCIBLE(map, 0x52de4c33a5debb08)

/* Classes and their probabilities, by both methods. */
static void reproducible_classes(void)
{
    reproducible_rows r;
    for (int full = 0; full < 2; full++) {
        bln_glm_desc desc = reproducible_glm_desc(&r, full ? bln_glm_full(NULL) : bln_glm_laplace(), bln_likelihood_categorical(3));
        bln_basis *const basis = reproducible_basis("rbf:n=4", &r.data);
        bln_writer w = bln_writer_over(reproducible_write, NULL);
        bln_glm *glm = NULL;
        double out[9*REPRODUCIBLE_NEW] = { 0.0 };
        bln_rng rng;
        bln_rng_seed(&rng, 22, 0);
        for (size_t i = 0; i < r.data.n; i++) r.y[i] = (double)bln_rng_below(&rng, 2) + (r.f[i] > 0.0 ? 1.0 : 0.0);
        desc.basis = basis;
        desc.max_iterations = 4;
        CHECK_OK(bln_glm_create(&desc, &glm, NULL));
        CHECK_OK(bln_glm_fit(glm, &r.data, NULL));
        CHECK_OK(bln_glm_save(glm, &w));
        CHECK_OK(bln_glm_predict(glm, &r.query, out, out + 3*REPRODUCIBLE_NEW, out + 6*REPRODUCIBLE_NEW, NULL, NULL));
        reproducible_doubles(9*REPRODUCIBLE_NEW, out);
        bln_glm_free(glm);
        bln_basis_free(basis);
    }
}
REPRODUCIBLE(classes, 0xfbbf20a19d7c0a4f)

static void reproducible_full(void)
{
    reproducible_rows r;
    bln_glm_full_desc own = BLN_ZERO;
    bln_glm_desc desc = reproducible_glm_desc(&r, bln_glm_full(&own), bln_likelihood_poisson(BLN_LINK_LOG));
    desc.max_iterations = 3;
    reproducible_glm_drawn(&desc, "inducing:m=8", &r, REPRODUCIBLE_NONE);
    desc.likelihood = bln_likelihood_binomial(BLN_LINK_PROBIT);
    own.steps.batch = 20;
    reproducible_glm_drawn(&desc, "polynomial:degree=2", &r, REPRODUCIBLE_GROUPS);
    desc.method = bln_glm_integrated(NULL);
    reproducible_glm_drawn(&desc, "polynomial:degree=2", &r, REPRODUCIBLE_GROUPS);
}
REPRODUCIBLE(full, 0x69a8223815a97b91)

static void reproducible_mixture(void)
{
    reproducible_rows r;
    bln_glm_mixture_desc own = BLN_ZERO;
    bln_glm_mixture_desc sgvi = BLN_ZERO;
    bln_glm_desc desc = reproducible_glm_desc(&r, bln_glm_mixture(&own), bln_likelihood_student_t());
    own.components = 2;
    desc.max_iterations = 6;
    own.nodes = 8;
    reproducible_glm_one(&desc, "rbf:n=5", &r, REPRODUCIBLE_EACH);
    desc.likelihood = bln_likelihood_poisson(BLN_LINK_SOFTPLUS);
    own.steps.batch = 20;
    own.expectation = BLN_GLM_EXPECT_LOCAL;
    reproducible_glm_drawn(&desc, "rbf:n=5", &r, REPRODUCIBLE_NONE);
    sgvi.steps.batch = 20;
    desc.method = bln_glm_sgvi(&sgvi);
    reproducible_glm_one(&desc, "linear", &r, REPRODUCIBLE_NONE);
}
REPRODUCIBLE(mixture, 0x82c84dd9abd8dc1e)

static void reproducible_npv(void)
{
    reproducible_rows r;
    bln_glm_mixture_desc own = BLN_ZERO;
    bln_glm_desc desc = reproducible_glm_desc(&r, bln_glm_npv(&own), bln_likelihood_poisson(BLN_LINK_LOG));
    own.components = 2;
    desc.max_iterations = 6;
    reproducible_glm_drawn(&desc, "rbf:n=5", &r, REPRODUCIBLE_NONE);
}
REPRODUCIBLE(npv, 0xe35b6e5d0596d13c)

/* Steps down a bowl by each method, schedule and average. */
static void reproducible_sgd(void)
{
    for (int k = 0; k < 8*2; k++) {
        blni_sgd_desc desc = BLN_ZERO;
        blni_sgd *sgd = NULL;
        double x[3] = { 1.0, -2.0, 0.25 };
        desc.n = 3;
        desc.method = (bln_sgd_method)(k % 8);
        desc.schedule = (blni_sgd_schedule)(k/8);
        desc.average = (k + k/8) % 2;
        desc.max_steps = 40;
        desc.average_start = 10;
        CHECK_OK(blni_sgd_create(&desc, &sgd, NULL));
        CHECK_OK(blni_sgd_init(sgd, x, NULL));
        for (int i = 0; i < 30; i++) {
            memcpy(x, blni_sgd_x(sgd), sizeof x);
            CHECK_OK(blni_sgd_step(sgd, x, 1.0, NULL));
        }
        reproducible_doubles(3, blni_sgd_x(sgd));
        reproducible_doubles(3, blni_sgd_average(sgd));
        reproducible_double(blni_sgd_rate(sgd));
        blni_sgd_free(sgd);
    }
}
REPRODUCIBLE(sgd, 0x6620593113d85dba)

/* Draws by the no-U-turn sampler in a learnt metric. */
static bln_status reproducible_density(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    *value = -0.5*bln_dot(3, q, q);
    for (size_t i = 0; i < 3 && gradient; i++) gradient[i] = -q[i];
    return user && report ? BLN_EINVAL : BLN_OK;
}
static void reproducible_sampler(void)
{
    bln_hmc_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    desc.density.eval = reproducible_density;      desc.density.dim = 3;      desc.metric = BLN_METRIC_DENSE;
    desc.warmup = desc.draws = 160;
    CHECK_OK(bln_hmc_sample(&desc, &c, NULL));
    reproducible_doubles(160*4*10, bln_chains_table(c));
    bln_chains_free(c);
}
REPRODUCIBLE(sampler, 0x4f97997c7a46c55c)

SUITE_BEGIN(reproducible)
    SUITE_TEST(reproducible, generator)
    SUITE_TEST(reproducible, distributions)
    SUITE_TEST(reproducible, discrete)
    SUITE_TEST(reproducible, points_of_sequences)
    SUITE_TEST(reproducible, special)
    SUITE_TEST(reproducible, incomplete)
    SUITE_TEST(reproducible, vectors)
    SUITE_TEST(reproducible, quadrature)
    SUITE_TEST(reproducible, decimals)
    SUITE_TEST(reproducible, matrices)
    SUITE_TEST(reproducible, bases)
    SUITE_TEST(reproducible, kernels)
    SUITE_TEST(reproducible, slm)
    SUITE_TEST(reproducible, slm_forms)
    SUITE_TEST(reproducible, slm_integrated)
    SUITE_TEST(reproducible, sequential)
    SUITE_TEST(reproducible, likelihoods)
    SUITE_TEST(reproducible, latents)
    SUITE_TEST(reproducible, classes)
    SUITE_TEST(reproducible, laplace)
    SUITE_TEST(reproducible, map)
    SUITE_TEST(reproducible, full)
    SUITE_TEST(reproducible, mixture)
    SUITE_TEST(reproducible, npv)
    SUITE_TEST(reproducible, sgd)
    SUITE_TEST(reproducible, sampler)
SUITE_END(reproducible)

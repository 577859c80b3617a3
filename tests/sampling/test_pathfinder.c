/* test_pathfinder: covariances against BFGS step by step, factors against them; normals that are found, modes that lie apart;
 * starts with which the no-U-turn sampler needs little warm-up */
#include "../test.h"
#include "densities.h"

static bln_pathfinder_desc pathfinder_desc(size_t dim, density_eval eval, void *user)
{
    bln_pathfinder_desc d = BLN_ZERO;
    d.density = density_made(dim, eval);
    d.density.user = user;
    return d;
}

static bln_pathfinder *pathfinder_made(const bln_pathfinder_desc *desc)
{
    bln_pathfinder *f = NULL;
    bln_report report;
    const bln_status status = bln_pathfinder_fit(desc, &f, &report);
    if (status != BLN_OK) printf("    %s\n", report.text);
    CHECK_OK(status);
    return f;
}

/* Of m pairs of a quadratic in D coordinates: alpha, covariance by the recursion, factor, determinant.        [programs 27-29] */
TEST(pathfinder, covariance_is_that_of_bfgs)
{
    static const size_t dims[] = { 1, 2, 5, 9, 14, 30 };
    for (size_t which = 0; which < 6; which++)
        for (size_t m = 1; m <= 6; m += which % 2 ? 5 : 1) {
            const size_t D = dims[which];
            size_t dim = D;
            bln_pathfinder_desc desc = pathfinder_desc(D, density_normals, &dim);
            double *A = test_doubles(D*D), *P = test_doubles(D*D), *H = test_doubles(D*D), *B = test_doubles(D*D);
            double *s = test_doubles(6*D), *z = test_doubles(6*D), *V = test_doubles(D*D), *F = test_doubles(D*D);
            bln_rng rng;
            if (m > D) { free(A); free(P); free(H); free(B); free(s); free(z); free(V); free(F); continue; }
            bln_rng_seed(&rng, 11 + m, which);
            for (size_t i = 0; i < D*D; i++) A[i] = bln_rng_normal(&rng);
            bln_gemm(BLN_NOTRANS, BLN_TRANS, D, D, D, 1.0, A, D, A, D, 0.0, P, D);
            for (size_t i = 0; i < D; i++) P[i*D + i] += 1.0;
            for (size_t i = 0; i < m*D; i++) s[i] = bln_rng_normal(&rng);
            for (size_t j = 0; j < m; j++) bln_gemv(BLN_NOTRANS, D, D, 1.0, P, D, s + j*D, 0.0, z + j*D);
            desc = bln_pathfinder_defaults(&desc);
            blni_arena a = blni_arena_over(NULL, 0);
            blni_pathfinder_carve(&a, &desc);
            void *block = malloc(a.used + 64);
            a = blni_arena_over((unsigned char *)block + (64 - (size_t)block % 64), a.used);
            bln_pathfinder *f = blni_pathfinder_carve(&a, &desc);
            blni_pathfinder_work *w = &f->w;
            blni_path *p = &f->now;
            for (size_t i = 0; i < D; i++) w->alpha[i] = exp(0.3*bln_rng_normal(&rng));
            /* The diagonal of BFGS's B from diag(1/alpha), scaled by (z'alpha z)/(z's), inverted entry by entry. */
            double c0 = 0.0, c1 = 0.0, c2 = 0.0;
            for (size_t i = 0; i < D; i++) {
                V[i] = 1.0/w->alpha[i];
                c0 += z[i]*z[i]*w->alpha[i];
                c1 += z[i]*s[i];
                c2 += s[i]*s[i]*V[i];
            }
            blni_path_learn(w, D, 6, s, z);
            for (size_t i = 0; i < D; i++)
                CHECK_REL(w->alpha[i], 1.0/(c0/c1*(V[i] - V[i]*s[i]*V[i]*s[i]/c2) + z[i]*z[i]/c1), 1e-12);
            w->m = m;
            memcpy(w->S, s, m*D*sizeof *s);
            memcpy(w->Z, z, m*D*sizeof *z);
            for (size_t i = 0; i < D; i++) w->alpha[i] = exp(0.3*bln_rng_normal(&rng));
            for (size_t i = 0; i < D*D; i++) H[i] = i % (D + 1) ? 0.0 : w->alpha[i/(D + 1)];
            for (size_t j = 0; j < m; j++) {                            /* H <- V'H V + s s'/(s'z), V = I - z s'/(s'z) */
                const double sz = bln_dot(D, s + j*D, z + j*D);
                for (size_t i = 0; i < D*D; i++) V[i] = (i % (D + 1) ? 0.0 : 1.0) - z[j*D + i/D]*s[j*D + i%D]/sz;
                bln_gemm(BLN_NOTRANS, BLN_NOTRANS, D, D, D, 1.0, H, D, V, D, 0.0, B, D);
                for (size_t i = 0; i < D*D; i++) H[i] = s[j*D + i/D]*s[j*D + i%D]/sz;
                bln_gemm(BLN_TRANS, BLN_NOTRANS, D, D, D, 1.0, V, D, B, D, 1.0, H, D);
            }
            CHECK(blni_path_covariance(w, p));
            memset(p->mean, 0, D*sizeof *p->mean);
            double largest = 0.0, *e = w->u, *out = w->v;
            for (size_t i = 0; i < D; i++) largest = fmax(largest, H[i*D + i]);
            for (size_t k = 0; k < D; k++) {                            /* columns of the factor, and of S itself */
                for (size_t i = 0; i < D; i++) e[i] = i == k;
                blni_path_place(w, p, e, out);
                for (size_t i = 0; i < D; i++) F[i*D + k] = out[i];
                for (size_t i = 0; i < D; i++) e[i] *= p->root[i];
                blni_path_move(w, p, 2, p->mean, e, out);
                for (size_t i = 0; i < D; i++) CHECK_NEAR(out[i], H[i*D + k], 1e-13*largest*(double)m*10.0);
            }
            bln_gemm(BLN_NOTRANS, BLN_TRANS, D, D, D, 1.0, F, D, F, D, 0.0, B, D);
            for (size_t i = 0; i < D*D; i++) CHECK_NEAR(B[i], H[i], 1e-13*largest*(double)m*10.0);
            for (size_t i = 0; i < D; i++) { w->x[i] = bln_rng_normal(&rng); w->g[i] = bln_rng_normal(&rng); }
            CHECK_OK(blni_pathfinder_look(f, 0, 1, NULL));              /* centre x - H g, g of -log p; now the best of its path */
            for (size_t i = 0; i < D; i++)
                CHECK_NEAR(f->path[0].mean[i], w->x[i] - bln_dot(D, H + i*D, w->g), 1e-12*largest*(double)(m*D));
            p = f->path;
            CHECK_OK(bln_potrf(D, H, D, NULL));
            CHECK_NEAR(p->half_logdet, 0.5*bln_logdet_factor(D, H, D), 1e-12*(double)D);
            w->m = 0;                                                   /* of 8 pairs the last 6 stay */
            for (size_t i = 0; i < D; i++) w->alpha[i] = 1.0;
            for (size_t j = 0; j < 8; j++) {
                for (size_t i = 0; i < D; i++) { e[i] = (double)(j + 1); out[i] = 2.0*(double)(j + 1); }
                blni_path_learn(w, D, 6, e, out);
            }
            CHECK(w->m == 6 && w->S[0] == 3.0 && w->Z[0] == 6.0 && w->S[5*D] == 8.0 && w->Z[6*D - 1] == 16.0);
            free(block); free(A); free(P); free(H); free(B); free(s); free(z); free(V); free(F);
        }
}

/* D normals of correlation 0.7, at 0.1 k: L-BFGS knows the covariance once it has seen D directions, but it may have arrived
 * before, and ten draws do not always tell the better point: so of four the approximation is rough. */
static bln_status pathfinder_gauss(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const size_t D = *(const size_t *)user;
    const double r = 0.7, off = r/(1.0 + r*((double)D - 1.0));
    double sum = 0.0;
    (void)report;
    *value = 0.0;
    for (size_t i = 0; i < D; i++) sum += q[i] - 0.1*(double)i;
    for (size_t i = 0; i < D; i++) {
        const double x = q[i] - 0.1*(double)i, g = (x - off*sum)/(1.0 - r);
        *value -= 0.5*x*g;
        if (gradient) gradient[i] = -g;
    }
    return BLN_OK;
}
TEST(pathfinder, gaussians)
{
    size_t dims[] = { 1, 2, 4 };
    for (size_t k = 0; k < 3; k++) {
        const double D = (double)dims[k];
        bln_pathfinder_desc desc = pathfinder_desc(dims[k], pathfinder_gauss, dims + k);
        bln_pathfinder *f = pathfinder_made(&desc);
        const bln_approximation *q = bln_pathfinder_result(f);
        const double evidence = 0.5*(D*log(2.0*3.14159265358979324) + (D - 1.0)*log(0.3) + log(1.0 + 0.7*(D - 1.0)));
        for (size_t i = 0; i < dims[k]; i++) {
            CHECK_NEAR(q->mean[i], 0.1*(double)i, dims[k] < 4 ? 0.2 : 1.0);
            CHECK_NEAR(log(q->scale[i]), 0.0, dims[k] < 4 ? 0.2 : 0.7);
            CHECK_NEAR(q->variance[i], q->scale[i]*q->scale[i], 1e-14);
        }
        CHECK_NEAR(q->importance.log_evidence, evidence, 5.0*q->importance.log_evidence_se + 1e-9);
        CHECK_LE(q->importance.elbo, evidence + 1e-9);
        CHECK(dims[k] == 4 || (q->importance.ess > 500.0 && q->importance.good && q->importance.log_evidence_se < 0.03));
        CHECK(q->apart == 0 && q->dim == dims[k]);
        CHECK(bln_chains_count(q->draws) == 4 && bln_chains_draws(q->draws) == 250 && q->n_starts == 16);
        CHECK(!q->factor && !q->diagonal && q->evaluations > 1000 && q->evaluations < 3000);
        bln_pathfinder_free(f);
    }
}

/* Two normals of standard deviation 0.1 at +-1 on a line, the right one e^20 times as high, or *user times e. */
static bln_status pathfinder_modes(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const double side = q[0] > 0.0 ? 1.0 : -1.0, z = (q[0] - side)/0.1;
    (void)report;
    *value = -0.5*z*z + (side > 0.0 ? user ? *(double *)user : 20.0 : 0.0);
    if (gradient) *gradient = -z/0.1;
    return BLN_OK;
}
TEST(pathfinder, modes)
{
    static const double start[3] = { -1.1, 0.9, -0.9 };
    bln_pathfinder_desc desc = pathfinder_desc(1, pathfinder_modes, NULL);
    desc.start = start;
    desc.n_starts = 3;
    desc.paths = 6;
    bln_pathfinder *f = pathfinder_made(&desc);
    const bln_approximation *q = bln_pathfinder_result(f);
    bln_chains *made = NULL;
    CHECK_SIZE(q->apart, 4);
    CHECK(q->path_elbo[1] > q->path_elbo[0] + 10.0 && q->path_elbo[4] > q->path_elbo[5] + 10.0);
    CHECK_NEAR(q->mean[0], 1.0, 0.05);
    CHECK_NEAR(q->importance.log_evidence, 20.0 + log(0.1*2.5066282746310002), 5.0*q->importance.log_evidence_se);
    CHECK_OK(bln_chains_resample(q->draws, 100, 0, 2, &made, NULL));
    for (size_t i = 0; i < 100; i++) CHECK(bln_chains_table(made)[4*i] > 0.0);
    for (size_t i = 0; i < q->n_starts; i++) CHECK(q->starts[i] > 0.0);
    bln_chains_free(made);
    bln_pathfinder_free(f);
}

/* Modes that different paths have found are parts of one evidence. */
TEST(pathfinder, equal_modes)
{
    static const double start[2] = { -0.9, 1.1 };
    static double higher = 0.5;
    bln_pathfinder_desc desc = pathfinder_desc(1, pathfinder_modes, &higher);
    desc.start = start;
    desc.n_starts = 2;
    desc.draws = 2000;
    bln_pathfinder *f = pathfinder_made(&desc);
    const bln_importance *o = &bln_pathfinder_result(f)->importance;
    CHECK_NEAR(o->log_evidence, log(0.1*2.5066282746310002*(1.0 + exp(0.5))), 5.0*o->log_evidence_se);
    CHECK(o->log_evidence_se < 0.01 && o->good && bln_pathfinder_result(f)->apart == 0);
    CHECK_LE(o->elbo, o->log_evidence);
    bln_pathfinder_free(f);
}

/* log q at the place of u is that of u, of a path with all its pairs and of one in fewer dimensions than pairs. */
TEST(pathfinder, log_density_at_a_place)
{
    size_t dims[] = { 2, 5, 30 };
    for (size_t k = 0; k < 3; k++) {
        bln_pathfinder_desc desc = pathfinder_desc(dims[k], pathfinder_gauss, dims + k);
        bln_pathfinder *f = pathfinder_made(&desc);
        bln_rng rng;
        double u[30], z[30];
        bln_rng_seed(&rng, 4, k);
        for (size_t c = 0; c < 4; c++) {
            bln_rng_normals(&rng, dims[k], u);
            blni_path_place(&f->w, f->path + c, u, z);
            CHECK_NEAR(blni_path_log_at(&f->w, f->path + c, z), blni_path_log(f->path + c, u), 1e-10*(double)dims[k]);
        }
        bln_pathfinder_free(f);
    }
}

/* Starts and variances of Pathfinder, and a warm-up of 300 instead of 1000: exact moments, and nothing to complain of. */
TEST(pathfinder, starts_a_sampler)
{
    bln_pathfinder_desc desc = pathfinder_desc(10, density_schools, NULL);
    bln_hmc_desc hmc = BLN_ZERO;
    bln_chains *c = NULL;
    bln_diagnosis diagnosis;
    bln_summary s;
    diagnosis.rhat = NAN;
    bln_pathfinder *f = pathfinder_made(&desc);
    const bln_approximation *q = bln_pathfinder_result(f);
    hmc.density = desc.density;
    hmc.start = q->starts;
    hmc.n_starts = q->n_starts;
    hmc.inverse_metric = q->variance;
    hmc.warmup = 300;
    hmc.draws = 4000;
    hmc.accept = 0.95;
    CHECK_OK(bln_hmc_sample(&hmc, &c, NULL));
    CHECK_OK(bln_chains_summary(c, 0, &s, NULL));
    CHECK_NEAR(s.mean, 4.396821, 5.0*s.mcse_mean);
    CHECK_NEAR(s.sd, 3.317704, 5.0*s.mcse_sd);
    CHECK_OK(bln_chains_summary(c, 1, &s, NULL));
    CHECK_NEAR(s.mean, 0.802139, 5.0*s.mcse_mean);
    CHECK_LE(s.mcse_mean, 0.03);
    CHECK_OK(bln_chains_diagnose(c, NULL, &diagnosis, NULL));
    CHECK_LE(diagnosis.rhat, 1.01);
    bln_chains_free(c);
    bln_pathfinder_free(f);
}

/* A path is the same alone and among others; another seed is another path. */
TEST(pathfinder, the_same_bits)
{
    bln_pathfinder_desc desc = pathfinder_desc(10, density_schools, NULL);
    bln_pathfinder *four = pathfinder_made(&desc), *again = pathfinder_made(&desc);
    const bln_approximation *p = bln_pathfinder_result(four), *q = bln_pathfinder_result(again);
    CHECK(!memcmp(bln_chains_table(p->draws), bln_chains_table(q->draws), 1000*13*sizeof(double)));
    CHECK(!memcmp(p->mean, q->mean, 10*sizeof(double)) && !memcmp(p->starts, q->starts, 160*sizeof(double)));
    bln_pathfinder_free(again);
    desc.paths = 2;
    again = pathfinder_made(&desc);
    q = bln_pathfinder_result(again);
    for (size_t i = 0; i < 250; i++)
        for (size_t c = 0; c < 2; c++)
            CHECK(!memcmp(bln_chains_table(p->draws) + (i*4 + c)*13, bln_chains_table(q->draws) + (i*2 + c)*13, 11*sizeof(double)));
    bln_pathfinder_free(again);
    desc.seed = 1;
    again = pathfinder_made(&desc);
    CHECK(bln_pathfinder_result(again)->path_elbo[0] != p->path_elbo[0]);
    bln_pathfinder_free(again);
    bln_pathfinder_free(four);
}

typedef struct pathfinder_state { int calls, fail_at; double edge; } pathfinder_state;
static bln_status pathfinder_edged(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    pathfinder_state *s = (pathfinder_state *)user;
    const int last = ++s->calls == s->fail_at;
    if (report && (last || q[0] < s->edge)) strcpy(report->text, last ? "the disk is full" : "left of the edge");
    if (last) return BLN_EIO;
    if (q[0] < s->edge) return BLN_EDOMAIN;
    *value = -0.5*q[0]*q[0];
    if (gradient) *gradient = -q[0];
    return BLN_OK;
}
TEST(pathfinder, failures)
{
    static const double starts[2] = { 0.5, -5.0 }, bad[1] = { NAN };
    pathfinder_state state = { 0, 0, -3.0 };
    bln_pathfinder_desc desc = pathfinder_desc(1, pathfinder_edged, &state);
    bln_pathfinder *f = NULL;
    bln_report report;
    test_heap heap;
    desc.start = starts;
    desc.n_starts = 2;
    f = pathfinder_made(&desc);                                          /* two of the four paths cannot begin */
    const bln_approximation *q = bln_pathfinder_result(f);
    CHECK(bln_chains_count(q->draws) == 2 && q->path_elbo[1] == -HUGE_VAL && q->path_elbo[3] == -HUGE_VAL);
    CHECK_NEAR(q->importance.log_evidence, 0.918938533204672742, 0.05);
    CHECK_SIZE(q->apart, 2);
    const int calls = state.calls;
    bln_pathfinder_free(f);
    f = NULL;
    for (int at = 1; at <= calls; at = at*3/2 + 1) {
        state.calls = 0;
        state.fail_at = at;
        CHECK_STATUS(bln_pathfinder_fit(&desc, &f, &report), BLN_EIO);
        CHECK_TEXT(report.text, "disk");
        CHECK(f == NULL);
    }
    state.fail_at = 0;
    state.edge = 10.0;
    CHECK_STATUS(bln_pathfinder_fit(&desc, &f, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "left of the edge");
    desc.start = NULL;
    CHECK_STATUS(bln_pathfinder_fit(&desc, &f, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "100 random starts");
    state.edge = -3.0;
    desc.alloc = test_heap_allocator(&heap);
    for (size_t n = 0; n < 3; n++) {
        heap.calls = 0;
        heap.fail_at = n;
        CHECK_STATUS(bln_pathfinder_fit(&desc, &f, &report), BLN_ENOMEM);
        CHECK(f == NULL && heap.live == 0);
    }
    heap.fail_at = (size_t)-1;
    heap.calls = 0;
    CHECK_OK(bln_pathfinder_fit(&desc, &f, &report));
    CHECK_SIZE(heap.calls, 3);
    bln_pathfinder_free(f);
    CHECK_SIZE(heap.live, 0);
    f = NULL;
#define PATHFINDER_WRONG(change, why) do { \
        bln_pathfinder_desc d = desc; \
        change; \
        CHECK_STATUS(bln_pathfinder_fit(&d, &f, &report), BLN_EINVAL); \
        CHECK_TEXT(report.text, why); \
        CHECK(f == NULL); \
    } while (0)
    PATHFINDER_WRONG(d.density.eval = NULL, "eval");
    PATHFINDER_WRONG(d.paths = (size_t)1 << 21, "paths");
    PATHFINDER_WRONG(d.memory = 1001, "memory");
    PATHFINDER_WRONG(d.radius = -1.0, "radius");
    PATHFINDER_WRONG(d.start = bad, "row 0, column 0");
    PATHFINDER_WRONG(d.alloc.release = NULL, "allocator");
#undef PATHFINDER_WRONG
    CHECK(bln_pathfinder_result(NULL) == NULL);
    CHECK_TEXT(bln_pathfinder_check(NULL), "no desc");
    desc.density.dim = (size_t)-1/4;
    CHECK_STATUS(bln_pathfinder_fit(&desc, &f, &report), BLN_EOVERFLOW);
}

SUITE_BEGIN(pathfinder)
SUITE_TEST(pathfinder, covariance_is_that_of_bfgs)
SUITE_TEST(pathfinder, gaussians)
SUITE_TEST(pathfinder, modes)
SUITE_TEST(pathfinder, equal_modes)
SUITE_TEST(pathfinder, log_density_at_a_place)
SUITE_TEST(pathfinder, starts_a_sampler)
SUITE_TEST(pathfinder, the_same_bits)
SUITE_TEST(pathfinder, failures)
SUITE_END(pathfinder)

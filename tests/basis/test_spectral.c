/* test_spectral - spectral mixtures: golden values, the kernel in closed form and by Monte Carlo, chain rule, starts, names, files,
 * errors, and a linear model that learns a wave */
#include "basis_tools.h"
#include "../golden/bases_golden.h"
#include "../linear/slm_tools.h"
#include "../linear/posterior_of.h"

static bln_spectral_desc spectral_desc(size_t d, size_t n, int ard, bln_draws draws, uint64_t seed)
{
    bln_spectral_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.envelope.d = d;
    desc.envelope.n = n;
    desc.envelope.ard = ard;
    desc.envelope.draws = draws;
    desc.envelope.seed = seed;
    return desc;
}

static bln_basis *spectral_make(const bln_spectral_desc *desc)
{
    bln_basis *b = NULL;
    CHECK_OK(bln_spectral_create(desc, &b, NULL));
    if (!b) exit(2);
    return b;
}

/* What stands in front of the envelope in a file. */
static bln_writer spectral_head(bln_memory_stream *m, unsigned char *bytes, size_t size, uint64_t d, uint32_t relative,
                                double start, const char *name)
{
    bln_writer w = bln_memory_writer(m, bytes, size);
    bln_put_string(&w, "spectral");
    bln_put_u64(&w, d);
    bln_put_u32(&w, relative);
    for (size_t i = 0; i < 3; i++) bln_put_double(&w, start);
    bln_put_string(&w, name);
    return w;
}

/* The golden values have the blocks [cosZ cos c, cosZ sin c, sinZ cos c, sinZ sin c], the basis has the second and the third
 * exchanged. Rounding as in test_fourier, and a product more. */
static size_t spectral_place(size_t j) { return j/5 == 1 ? j + 5 : j/5 == 2 ? j - 5 : j; }

TEST(spectral, golden)
{
    unsigned char bytes[1024];
    bln_memory_stream m;
    bln_writer w = spectral_head(&m, bytes, sizeof bytes, 3, 0, 0.5, "fourier");
    const bln_load context = basis_tools_context(NULL);
    bln_basis *b = NULL;
    double Phi[80], F[80], theta[6], dtheta[6] = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };
    bln_put_u64(&w, 3);
    bln_put_u64(&w, 5);
    bln_put_u32(&w, 0);
    bln_put_u32(&w, 1);
    bln_put_double(&w, 0.0);
    bln_put_doubles(&w, 15, golden_bases_rff_z);
    CHECK_OK(basis_tools_load(&context, bytes, m.at, 1, &b, NULL));
    if (!b) exit(2);
    CHECK_SIZE(b->D, 20);
    CHECK_SIZE(b->n_theta, 6);
    for (size_t i = 0; i < 3; i++) { theta[i] = golden_bases_ell[i]; theta[3 + i] = golden_bases_sm_mu[i]; }
    basis_tools_features(b, theta, 4, golden_bases_X, 3, Phi, 20);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 20; j++) {
            CHECK_GOLD(Phi[20*i + spectral_place(j)], golden_bases_sm_Phi[20*i + j], 1e-13);
            F[20*i + spectral_place(j)] = golden_bases_sm_F[20*i + j];
        }
    double *work = basis_tools_work(b, 4);
    bln_basis_pullback(b, theta, 4, golden_bases_X, 3, Phi, 20, F, 20, dtheta, NULL, 0, work);
    free(work);
    for (size_t i = 0; i < 3; i++) {
        CHECK_GOLD(dtheta[i]*theta[i], golden_bases_sm_dlogl[i], 1e-12);
        CHECK_GOLD(dtheta[3 + i], golden_bases_sm_dmu[i], 1e-12);
    }
    bln_basis_free(b);
}

/* phi'phi' = psi'psi cos(mu'tau), so that what test_fourier and test_fastfood say of psi holds here: unbiased, with the variance
 * of psi'psi times cos^2, [bases 17] for independent draws and at most 1.8 times it for Fastfood, over M seeds within 5 sigma. */
TEST(spectral, kernel_by_monte_carlo)
{
    enum { M = 200, J = 50, R = 4, DIM = 3 };
    static const double distance[R] = { 0.3, 1.0, 1.7, 3.0 }, direction[DIM] = { 0.48, -0.6, 0.64 };
    static const double theta[2*DIM] = { 2.5, 0.4, 30.0, 0.35, -2.1, 0.02 };
    static const bln_draws ways[] = { BLN_DRAWS_INDEPENDENT, BLN_DRAWS_FASTFOOD };
    double X[(R + 1)*DIM], *Phi = test_doubles((R + 1)*4*J);
    for (size_t r = 0; r <= R; r++)
        for (size_t i = 0; i < DIM; i++) X[r*DIM + i] = theta[i]*(0.3 + (r ? distance[r - 1]*direction[i] : 0.0));
    for (size_t way = 0; way < 2; way++) {
        double sum[R] = { 0.0 }, squares[R] = { 0.0 };
        for (size_t m = 0; m < M; m++) {
            const bln_spectral_desc desc = spectral_desc(DIM, J, 1, ways[way], m);
            bln_basis *b = spectral_make(&desc);
            basis_tools_features(b, theta, R + 1, X, DIM, Phi, 4*J);
            for (size_t r = 0; r < R; r++) {
                double tau[DIM], angle = 0.0;
                for (size_t i = 0; i < DIM; i++) {
                    tau[i] = X[(r + 1)*DIM + i] - X[i];
                    angle += theta[DIM + i]*tau[i];
                }
                const double k = exp(-0.5*distance[r]*distance[r]), k2 = k*k*k*k, want = k*cos(angle);
                const double z = (bln_dot(4*J, Phi, Phi + (r + 1)*4*J) - want)
                                 /(fabs(cos(angle))*sqrt((1 + k2 - 2*k*k)/(2*J)));
                sum[r] += z;
                squares[r] += z*z;
            }
            CHECK_NEAR(bln_dot(4*J, Phi, Phi), 1.0, (2*J + 12)*DBL_EPSILON);
            bln_basis_free(b);
        }
        for (size_t r = 0; r < R; r++) {
            CHECK_NEAR(sum[r]/M, 0.0, 5*sqrt(squares[r]/M/(M - 1)));
            if (way == 0) CHECK_NEAR(squares[r]/M, 1.0, 5*sqrt(3.0/M));
            else CHECK_LE(squares[r]/M, 1.8*(1.0 + 5*sqrt(3.0/M)));
        }
    }
    free(Phi);
}

/* Steps and noise as in test_fourier; angles are as large as phases. */
TEST(spectral, pullback)
{
    static const double iso[] = { 0.9, 0.7, -1.3, 0.4 }, ard[] = { 0.9, 1.7, 3.1, 0.7, -1.3, 0.4 }, one[] = { 0.9, -1.7 };
    static const bln_draws ways[] = { BLN_DRAWS_DEFAULT, BLN_DRAWS_FASTFOOD };
    for (size_t way = 0; way < 2; way++)
        for (int k = 0; k < 3; k++) {
            bln_spectral_desc desc = spectral_desc(k == 2 ? 1 : 3, 5, k == 1, ways[way], 2);
            if (k == 1) desc.envelope.kernel = BLN_KERNEL_MATERN52;
            bln_basis *b = spectral_make(&desc);
            const double *theta = k == 0 ? iso : k == 1 ? ard : one;
            basis_tools_pullback(b, theta, 4, 0.6, 1e-3, 100.0, 30);
            basis_tools_blocks(b, theta, 19, 6);
            bln_basis_free(b);
        }
}

/* The mixture is the sum of its components, each with a slice, draws and a start of its own. */
TEST(spectral, mixture)
{
    enum { Q = 3, J = 2 };
    const double mean[] = { 1.0, 2.0, -3.0, 4.0, 0.5, -0.25 }, x[] = { 0.4, -1.1 };
    bln_spectral_desc desc = spectral_desc(2, J, 0, BLN_DRAWS_DEFAULT, 7);
    bln_basis *b = NULL, *part, *parts[Q];
    double theta[3*Q], Phi[4*J*Q], phi[4*J];
    char s[80];
    desc.mean = mean;
    for (size_t q = 0; q < Q; q++) {
        bln_spectral_desc one = desc;
        one.component = q;
        one.mean = mean + 2*q;
        CHECK_OK(bln_spectral_create(&one, parts + q, NULL));
    }
    CHECK_OK(bln_basis_sum(NULL, Q, parts, &b, NULL));
    if (!b) exit(2);
    CHECK(b->D == 4*J*Q && b->n_theta == 3*Q && b->n_slices == Q && b->d == 2);
    for (size_t q = 0; q < Q; q++) {
        CHECK_SIZE(bln_basis_slice(b, q), 4*J*q);
        for (size_t k = 0; k < 3; k++) {
            bln_param p;
            bln_basis_param(b, 3*q + k, NULL, &p);
            theta[3*q + k] = p.start;
            if (k > 0) CHECK(p.start == mean[2*q + k - 1]);
            CHECK(k > 0 ? p.group == 0 : p.group == 3*q + 1);       /* length scales of components are not alike */
        }
    }
    basis_tools_features(b, theta, 1, x, 2, Phi, 4*J*Q);
    for (size_t q = 0; q < Q; q++) {
        bln_spectral_desc one = desc;
        one.component = q;
        one.mean = mean + 2*q;
        part = spectral_make(&one);
        basis_tools_features(part, theta + 3*q, 1, x, 2, phi, 4*J);
        CHECK(!memcmp(phi, Phi + 4*J*q, sizeof phi));
        if (q) CHECK(memcmp(Phi, Phi + 4*J*q, sizeof phi));
        bln_basis_free(part);
    }
    bln_basis_param_name(b, 4, NULL, s, sizeof s);
    CHECK(!strcmp(s, "angular frequency x0 (spectral [2])"));
    bln_basis_free(b);
}

/* Starts: the harmonics of a period in any direction; of a period of 4 standard deviations, which moves with the units; or as
 * given. What a step means moves with the units too. */
TEST(spectral, starts)
{
    for (size_t d = 1; d <= 3; d += 2)
        for (size_t component = 0; component < 3; component++)
            for (int e = -300; e <= 300; e += 50) {
                double mean[3], sd[3], own = 0.0, relative = 0.0;
                bln_spectral_desc desc = spectral_desc(d, 4, 0, BLN_DRAWS_DEFAULT, 9);
                bln_moments moments;
                for (size_t i = 0; i < d; i++) { mean[i] = 0.0; sd[i] = (1.0 + (double)i)*pow(10.0, e); }
                moments.n = 10;
                moments.d = d;
                moments.mean = mean;
                moments.sd = sd;
                desc.component = component;
                for (int k = 0; k < 2; k++) {
                    desc.period = k ? 0.125 : 0.0;
                    bln_basis *b = spectral_make(&desc);
                    CHECK(bln_basis_check(b) == NULL);
                    for (size_t i = 0; i < d; i++) {
                        bln_param p;
                        bln_basis_param(b, 1 + i, &moments, &p);
                        CHECK_OK(bln_param_check(&p, NULL));
                        CHECK(p.kind == BLN_PARAM_REAL && p.group == 0);
                        if (abs(e) <= 100) CHECK_REL(p.scale, 1.0/(sqrt((double)d)*sd[i]), 8*DBL_EPSILON);
                        if (i == 0) CHECK(p.start > 0.0);
                        if (k) own += p.start*p.start; else relative += p.start*sd[i]*p.start*sd[i];
                    }
                    bln_basis_free(b);
                }
                CHECK_REL(sqrt(own), 2*BLNI_PI*(double)(component + 1)/0.125, 16*DBL_EPSILON);
                if (abs(e) <= 100) CHECK_REL(sqrt(relative), 2*BLNI_PI*(double)(component + 1)/4.0, 16*DBL_EPSILON);
            }
}

TEST(spectral, names)
{
    static const char *const names[] = { "lat", "lon" };
    char s[60];
    bln_spectral_desc desc = spectral_desc(2, 3, 1, BLN_DRAWS_FASTFOOD, 0);
    bln_basis *b = spectral_make(&desc);
    bln_basis_feature_name(b, 2, names, s, sizeof s);  CHECK(!strcmp(s, "spectral rbf cos 2 cos"));
    bln_basis_feature_name(b, 9, names, s, sizeof s);  CHECK(!strcmp(s, "spectral rbf sin 0 sin"));
    bln_basis_feature_name(b, 9, names, s, 5);         CHECK(!strcmp(s, "spec"));
    bln_basis_param_name(b, 1, names, s, sizeof s);    CHECK(!strcmp(s, "length scale lon"));
    bln_basis_param_name(b, 2, names, s, sizeof s);    CHECK(!strcmp(s, "angular frequency lat"));
    bln_basis_param_name(b, 3, NULL, s, sizeof s);     CHECK(!strcmp(s, "angular frequency x1"));
    bln_basis_slice_name(b, 0, names, s, sizeof s);    CHECK(!strcmp(s, "spectral"));
    bln_basis_free(b);
    desc = spectral_desc(1, 3, 1, BLN_DRAWS_DEFAULT, 0);
    b = spectral_make(&desc);
    bln_basis_param_name(b, 1, names, s, sizeof s);    CHECK(!strcmp(s, "angular frequency"));
    bln_basis_free(b);
}

TEST(spectral, files)
{
    static const double theta[] = { 0.7, 1.9, 0.3, -0.8 };
    static const bln_draws ways[] = { BLN_DRAWS_DEFAULT, BLN_DRAWS_FASTFOOD };
    for (int k = 0; k < 4; k++) {
        bln_spectral_desc desc = spectral_desc(2, 2, 1, ways[k & 1], 8);
        if (k & 2) { desc.envelope.kernel = BLN_KERNEL_CAUCHY; desc.period = 2.0; }
        bln_basis *b = spectral_make(&desc);
        basis_tools_file(b, theta, NULL, 0);
        bln_basis_free(b);
    }
}

/* Starts and envelopes that no component can have; a basis inside of itself as often as the file is long. */
TEST(spectral, hostile_files)
{
    static const struct { uint64_t d; uint32_t relative; double start; const char *name, *words; } forged[] = {
        { 0, 0, 1.0, "fourier", "without inputs" },  { UINT64_C(1) << 62, 0, 1.0, "fourier", NULL },
        { UINT64_MAX, 0, 1.0, "fourier", NULL },     { 3, 2, 1.0, "fourier", "flag" },
        { 3, 0, 1e200, "fourier", "too large" },     { 3, 1, 1e110, "fourier", "too large" },
        { 3, 0, HUGE_VAL, "fourier", "not finite" }, { 3, 0, 1.0, "linear", "no kernel" },
        { 3, 0, 1.0, "spectral", "no kernel" },      { 3, 0, 1.0, "sum", "no kernel" },
        { 3, 0, 1.0, "fourier", NULL },              { 3, 0, 1.0, "fastfood", NULL }
    };
    for (size_t k = 0; k < sizeof forged/sizeof *forged; k++) {
        unsigned char bytes[512];
        bln_memory_stream m;
        bln_writer w = spectral_head(&m, bytes, sizeof bytes, forged[k].d, forged[k].relative, forged[k].start, forged[k].name);
        bln_put_u64(&w, 2);                                 /* an envelope of two inputs, with a frequency of two numbers */
        bln_put_u64(&w, 1);
        bln_put_u32(&w, 0);
        bln_put_u32(&w, 0);
        for (int i = 0; i < 3; i++) bln_put_double(&w, 0.0);
        CHECK_OK(w.status);
        basis_tools_refused(bytes, m.at, forged[k].words);
    }
}

TEST(spectral, errors)
{
    const bln_spectral_desc desc = spectral_desc(2, 3, 1, BLN_DRAWS_DEFAULT, 0);
    const double mean[] = { 0.5, HUGE_VAL, 1.0, 1.0, 1.0, 1.0 };
    bln_spectral_desc bad;
    bln_basis *b = NULL;
    bln_report report;
    test_heap heap;
    CHECK(blni_spectral_check(&desc) == NULL);
    CHECK_STATUS(bln_spectral_create(NULL, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "desc is NULL");
    CHECK_STATUS(bln_spectral_create(&desc, NULL, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "out is NULL");
    bad = desc; bad.envelope.n = 0;             CHECK_STATUS(bln_spectral_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "frequencies");
    bad = desc; bad.envelope.draws = BLN_DRAWS_FASTFOOD; bad.envelope.kernel = BLN_KERNEL_LAPLACE1;
    CHECK_STATUS(bln_spectral_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "radial");
    bad = desc; bad.period = -1.0;              CHECK_STATUS(bln_spectral_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "period");
    bad = desc; bad.period = BLNI_NAN;          CHECK_STATUS(bln_spectral_create(&bad, &b, &report), BLN_EINVAL);
    bad = desc; bad.mean = mean;                CHECK_STATUS(bln_spectral_create(&bad, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "mean");
    bad = desc; bad.component = 1000001;        CHECK_STATUS(bln_spectral_create(&bad, &b, &report), BLN_EINVAL);
    bad = desc; bad.envelope.n = (size_t)-1/4;  CHECK_STATUS(bln_spectral_create(&bad, &b, &report), BLN_EOVERFLOW);
    bad = desc;
    bad.envelope.alloc = test_heap_allocator(&heap);
    size_t fail_at = 0;
    for (; fail_at < 50; fail_at++) {
        heap.calls = 0;
        heap.fail_at = fail_at;
        const bln_status status = bln_spectral_create(&bad, &b, &report);
        if (status == BLN_OK) break;
        CHECK_STATUS(status, BLN_ENOMEM);
        CHECK_TEXT(report.text, "memory");
        CHECK(b == NULL && heap.live == 0);
    }
    CHECK(fail_at >= 2 && fail_at < 50);
    bln_basis_free(b);
    CHECK_SIZE(heap.live_bytes, 0);
}

/* The evidence's gradient by length scales and means against central differences, primal and dual; steps and tolerance as in
 * test_slm, with angular frequencies moved by h themselves. */
TEST(spectral, evidence_gradient)
{
    for (int form = BLN_SLM_PRIMAL; form <= BLN_SLM_DUAL; form++) {
        bln_data data = slm_make(30, 3, 11, 0);
        bln_basis *b = slm_parse("spectral:n=4,q=2,ard+spectral:n=3,draws=fastfood,cols=0;2+bias", 3, 5);
        double theta[15], prior[4] = { 0.7, 1.9, 0.2, 1.0 }, d_theta[15], up, down, size = 0.0;
        const double h = 1e-5;
        CHECK_SIZE(b->n_theta, 15);
        for (size_t t = 0; t < b->n_theta; t++) theta[t] = 0.8 + 0.1*(double)t;
        const bln_slm_desc desc = slm_desc(b, (bln_slm_form)form);
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_evidence_at(slm, &data, 0.2, prior, theta, NULL, NULL, NULL, d_theta, NULL));
        for (size_t t = 0; t < b->n_theta; t++) size = fmax(size, fabs(d_theta[t]));
        for (size_t t = 0; t < b->n_theta; t++) {
            const double keep = theta[t];
            theta[t] = keep + h;
            CHECK_OK(bln_slm_evidence_at(slm, &data, 0.2, prior, theta, &up, NULL, NULL, NULL, NULL));
            theta[t] = keep - h;
            CHECK_OK(bln_slm_evidence_at(slm, &data, 0.2, prior, theta, &down, NULL, NULL, NULL, NULL));
            theta[t] = keep;
            CHECK_NEAR(d_theta[t], (up - down)/(2*h), 1e-6*size);
        }
        bln_slm_free(slm);
        bln_basis_free(b);
        slm_free_data(&data);
    }
}

/* A wave of period 3 with noise of 0.1, 60 points over four periods: learnt from a start 20 % off, in any units of x, and continued
 * over a period where there are no data. Its frequency can be had to sqrt(24 sigma^2/(n T^2)) = 0.0053 radians (Rife & Boorstyn
 * 1974, IEEE Trans. IT 20(5)), and is one of those drawn, mu + z/l with |z| < 3 but for 1 in 400; a length scale of 10 makes that
 * nearer to the wave than the start, off by 0.35, was. Where x goes on by T/4 the wave is known to a few times 0.1 sqrt(2/60); 0.3
 * is far above, and far below the 1 of what returns to the mean. */
TEST(spectral, learns_a_wave)
{
    enum { N = 60 };
    static const double units[] = { 1.0, 1e-6, 1e4 };
    double X[N], y[N], mean = 0.0;
    test_random r = test_random_new(21);
    for (size_t i = 0; i < N; i++) y[i] = sin(2*BLNI_PI*(12.0*((double)i + 0.5)/N - 6.0)/3.0 + 0.4) + 0.1*test_normal(&r);
    for (size_t u = 0; u < 3; u++) {
        bln_spectral_desc spectral = spectral_desc(1, 20, 0, BLN_DRAWS_DEFAULT, 1);
        bln_data data, query;
        spectral.period = 3.6*units[u];
        bln_basis *b = spectral_make(&spectral);
        for (size_t i = 0; i < N; i++) X[i] = units[u]*(12.0*((double)i + 0.5)/N - 6.0);
        memset(&data, 0, sizeof data);
        data.n = N;
        data.d = 1;
        data.X = X;
        data.y = y;
        bln_slm_desc desc = slm_desc(b, BLN_SLM_AUTO);
        desc.theta_sd = HUGE_VAL;
        bln_slm *slm = slm_new(&desc);
        CHECK_OK(bln_slm_fit(slm, &data, NULL));
        const double length = bln_slm_theta(slm)[0]/units[u], mu = bln_slm_theta(slm)[1]*units[u];
        CHECK_LE(10.0, length);
        CHECK_NEAR(fabs(mu), 2*BLNI_PI/3.0, 3.0/length + 5*0.0053);
        for (double x = 6.0; x <= 9.0; x += 0.25) {
            const double at = x*units[u];
            query = data;
            query.n = 1;
            query.X = &at;
            query.y = NULL;
            CHECK_OK(total_of(bln_slm_posterior(slm), &query, &mean, NULL, NULL, NULL, NULL));
            CHECK_NEAR(mean, sin(2*BLNI_PI*x/3.0 + 0.4), 0.3);
        }
        bln_slm_free(slm);
        bln_basis_free(b);
    }
}

SUITE_BEGIN(spectral)
    SUITE_TEST(spectral, golden)
    SUITE_TEST(spectral, kernel_by_monte_carlo)
    SUITE_TEST(spectral, pullback)
    SUITE_TEST(spectral, mixture)
    SUITE_TEST(spectral, starts)
    SUITE_TEST(spectral, names)
    SUITE_TEST(spectral, files)
    SUITE_TEST(spectral, hostile_files)
    SUITE_TEST(spectral, errors)
    SUITE_TEST(spectral, evidence_gradient)
    SUITE_TEST(spectral, learns_a_wave)
SUITE_END(spectral)

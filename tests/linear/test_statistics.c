/* test_statistics - statistics that are added to, merged, reduced and forgotten give the fit of the rows that remain: to
 * rounding in double and as a triangle, to the last digit in three doubles */
#include "slm_tools.h"
#include "../golden/nist_golden.h"
#include "posterior_of.h"

enum { STAT_DOUBLE, STAT_EXACT, STAT_QR, STAT_KINDS };

static bln_statistics *stat_new(const bln_basis *b, const double *theta, int kind, const bln_allocator *alloc)
{
    bln_statistics_desc desc;
    bln_statistics *t = NULL;
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    desc.theta = theta;
    desc.exact = kind == STAT_EXACT;
    desc.qr = kind == STAT_QR;
    desc.block = 4;
    if (alloc) desc.alloc = *alloc;
    CHECK_OK(bln_statistics_create(&desc, &t, NULL));
    if (!t) exit(1);
    return t;
}

static bln_basis *stat_linear(size_t d)
{
    bln_basis *b = NULL;
    CHECK_OK(bln_linear_create(NULL, d, 0, &b));
    if (!b) exit(1);
    return b;
}

/* At given hyper-parameters. */
static bln_slm *stat_fit(const bln_basis *b, const bln_statistics *t, const bln_data *rows, double noise, const double *prior)
{
    bln_slm_desc desc;
    bln_slm *slm = NULL;
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    desc.form = BLN_SLM_PRIMAL;
    desc.noise_var = noise;
    desc.prior_var = prior;
    desc.fix_noise_var = noise > 0.0;
    desc.fix_prior_var = 1;
    CHECK_OK(bln_slm_create(&desc, &slm, NULL));
    CHECK_OK(t ? bln_slm_fit_statistics(slm, t, NULL) : bln_slm_fit(slm, rows, NULL));
    return slm;
}

static double stat_difference(const bln_slm *a, const bln_slm *b)
{
    const blni_gaussian *g = gaussians_of(bln_slm_posterior(a)), *h = gaussians_of(bln_slm_posterior(b));
    double most = 0.0;
    for (size_t j = 0; j < g->D; j++) most = fmax(most, fabs(g->m[j] - h->m[j])/(fabs(h->m[j]) + 1e-3));
    return most;
}

/* Weights, row variances, offsets; rows in pieces, shards merged in either order, rows added and taken out: the fit of the rows. */
TEST(statistics, equal_the_rows)
{
    enum { N = 40, D = 5 };
    double X[N*D], y[N], w[N], v[N], o[N];
    const double prior[1] = { 1.7 };
    test_random r = test_random_new(1);
    test_fill_normal(&r, N*D, X);
    for (size_t i = 0; i < N; i++) {
        w[i] = floor(3.0*test_uniform(&r)) + (i == 0);
        v[i] = 0.5 + test_uniform(&r);
        o[i] = test_normal(&r);
        y[i] = X[i*D] - 2.0*X[i*D + 1] + o[i] + 0.3*test_normal(&r);
    }
    bln_basis *b = stat_linear(D);
    bln_data all = slm_view(N, D, X, y);
    all.weight = w;
    all.noise_var = v;
    all.offset = o;
    for (int kind = 0; kind < STAT_KINDS; kind++) {
        bln_data kept = bln_data_rows(&all, 0, 30), first = bln_data_rows(&all, 0, 13), second = bln_data_rows(&all, 13, 17);
        const bln_data extra = bln_data_rows(&all, 30, 10);
        bln_statistics *s = stat_new(b, NULL, kind, NULL), *t = stat_new(b, NULL, kind, NULL);
        CHECK_OK(bln_statistics_add(s, &second, NULL));
        if (kind != STAT_QR) CHECK_OK(bln_statistics_add(t, &extra, NULL));
        CHECK_OK(bln_statistics_add(t, &first, NULL));
        CHECK_OK(bln_statistics_merge(s, t, NULL));
        CHECK_STATUS(bln_statistics_remove(s, &extra, NULL), kind == STAT_QR ? BLN_EINVAL : BLN_OK);
        bln_slm *from = stat_fit(b, s, NULL, 0.09, prior), *direct = stat_fit(b, NULL, &kept, 0.09, prior);
        CHECK_LE(stat_difference(from, direct), kind == STAT_EXACT ? 4*DBL_EPSILON : 1e-12);
        /* N and ld = sum w log(1/v) are sums in double in both cases: 60 terms of size 1 each way. */
        CHECK_NEAR(bln_slm_evidence(from), bln_slm_evidence(direct), 1e-11);
        CHECK_NEAR(bln_statistics_rows(s), bln_slm_rows(direct), 1e-12);
        bln_slm_free(from);
        bln_slm_free(direct);

        /* Learnt hyper-parameters too. */
        bln_slm_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.basis = b;
        desc.tolerance = 1e-12;
        from = direct = NULL;
        CHECK_OK(bln_slm_create(&desc, &from, NULL));
        CHECK_OK(bln_slm_create(&desc, &direct, NULL));
        CHECK_OK(bln_slm_fit_statistics(from, s, NULL));
        CHECK_OK(bln_slm_fit(direct, &kept, NULL));
        CHECK_REL(bln_slm_evidence(from), bln_slm_evidence(direct), 1e-8);
        bln_slm_free(from);
        bln_slm_free(direct);
        bln_statistics_free(s);
        bln_statistics_free(t);
    }
    bln_basis_free(b);
}

/* cos and sin of D = 2 J features in a sum with a line and, if bumps, with a basis that is made for all rows of a block at once. */
static bln_basis *stat_wide(size_t d, size_t J, int bumps)
{
    const double centres[] = { 0.3, -0.2, 0.1 };
    bln_fourier_desc f;
    bln_radial_desc g;
    bln_basis *parts[3] = { NULL, NULL, NULL }, *b = NULL;
    memset(&f, 0, sizeof f);
    memset(&g, 0, sizeof g);
    f.d = g.d = d;
    f.n = J;
    f.ard = 1;
    f.length_scale = g.length_scale = 1.3;
    g.n = 1;
    g.centres = centres;
    CHECK_OK(bln_fourier_create(&f, &parts[0], NULL));
    CHECK_OK(bln_linear_create(NULL, d, 1, &parts[1]));
    if (bumps) CHECK_OK(bln_radial_create(&g, &parts[2], NULL));
    CHECK_OK(bln_basis_sum(NULL, bumps ? 3 : 2, parts, &b, NULL));
    return b;
}

/* [Phi Y]' Omega [Phi Y] by its definition, for more features than come in one panel, two outputs, weights, variances, offsets,
 * more rows than a block has and than are taken at a time. n products of rounded roots of omega: (n + 4) eps of the sum of
 * magnitudes bounds their errors, and the definition's. With OpenMP any number of threads gives the bits of one. */
TEST(statistics, sums_by_their_definition)
{
    enum { N = 333, D = 3, P = 2, J = 140 };
    double X[N*D], y[N*P], w[N], v[N], o[N*P];
    test_random r = test_random_new(5);
    test_fill_normal(&r, N*D, X);
    test_fill_normal(&r, N*P, y);
    test_fill_normal(&r, N*P, o);
    for (size_t i = 0; i < N; i++) { w[i] = floor(3.0*test_uniform(&r)); v[i] = 0.5 + test_uniform(&r); }
    for (int bumps = 0; bumps < 2; bumps++) {
        bln_basis *b = stat_wide(D, J, bumps);
        const size_t width = b->D + P, ld = blni_stride(width);
        double *Phi = test_doubles(N*width), *work = test_doubles(bln_basis_work(b, N)), *one = test_doubles(width*ld);
        for (int level = 0; level <= TEST_TOP_LEVEL; level++) {
            if (bln_cpu_level_force(level) != level) continue;
            bln_data rows = slm_view(N, D, X, y);
            bln_statistics_desc desc;
            bln_statistics *t = NULL;
            rows.p = P;
            rows.weight = w;
            rows.noise_var = v;
            rows.offset = o;
            memset(&desc, 0, sizeof desc);
            desc.basis = b;
            desc.n_outputs = P;
            CHECK_OK(bln_statistics_create(&desc, &t, NULL));
            CHECK_OK(bln_statistics_add(t, &rows, NULL));
            bln_basis_features(b, t->theta, N, X, D, Phi, width, work);
            for (size_t i = 0; i < N; i++)
                for (size_t p = 0; p < P; p++) Phi[i*width + b->D + p] = y[i*P + p] - o[i*P + p];
            double worst = 0.0;
            for (size_t j = 0; j < width; j++)
                for (size_t k = j; k < width; k++) {
                    double sum = 0.0, size = 0.0;
                    for (size_t i = 0; i < N; i++) {
                        const double term = w[i]/v[i]*Phi[i*width + j]*Phi[i*width + k];
                        sum += term;
                        size += fabs(term);
                    }
                    worst = fmax(worst, fabs(t->gram.G[j*ld + k] - sum)/size);
                }
            CHECK_LE(worst, 2*(N + 4)*DBL_EPSILON);
            memcpy(one, t->gram.G, width*ld*sizeof *one);
            bln_statistics_free(t);
#ifdef _OPENMP
            const int before = omp_get_max_threads();
            for (int threads = 1; threads <= 4; threads++) {
                omp_set_num_threads(threads);
                CHECK_OK(bln_statistics_create(&desc, &t, NULL));
                CHECK_OK(bln_statistics_add(t, &rows, NULL));
                CHECK(!memcmp(one, t->gram.G, width*ld*sizeof *one));
                bln_statistics_free(t);
            }
            omp_set_num_threads(before);
#endif
        }
        free(Phi); free(work); free(one);
        bln_basis_free(b);
    }
    bln_cpu_level_force(-1);
}

/* Blocks of any size add up to the same sums, the last one as short as it may be, and nothing beside them changes. */
TEST(statistics, blocks_of_any_size)
{
    enum { N = 529, D = 3 };
    static double X[N*D], y[N];
    static const size_t blocks[] = { 264, 265, 300, 512, 529, 1000 };
    test_random r = test_random_new(46);
    bln_basis *b = stat_wide(D, 150, 0);
    const bln_data rows = slm_view(N, D, X, y);
    bln_statistics_desc desc;
    bln_statistics *want = NULL, *t = NULL;
    test_fill_normal(&r, N*D, X);
    test_fill_normal(&r, N, y);
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    CHECK_OK(bln_statistics_create(&desc, &want, NULL));
    CHECK_OK(bln_statistics_add(want, &rows, NULL));
    const size_t ld = blni_gram_stride(&want->gram);
    for (size_t k = 0; k < sizeof blocks/sizeof *blocks; k++) {
        double worst = 0.0;
        desc.block = blocks[k];
        CHECK_OK(bln_statistics_create(&desc, &t, NULL));
        CHECK_OK(bln_statistics_add(t, &rows, NULL));
        for (size_t i = 0; i <= b->D; i++)
            for (size_t j = i; j <= b->D; j++) {
                const double size = sqrt(blni_gram_square(&want->gram, i)*blni_gram_square(&want->gram, j));
                worst = fmax(worst, fabs(t->gram.G[i*ld + j] - want->gram.G[i*ld + j])/size);
            }
        CHECK_LE(worst, 2*(N + 4)*DBL_EPSILON);
        CHECK_NEAR(slm_exact_difference(t->gram.y, want->gram.y), 0.0, 1e-40);
        bln_statistics_free(t);
    }
    bln_statistics_free(want);
    bln_basis_free(b);
}

/* A phase that overflows, in a row of the last block: nothing changes, whether the basis can tell without its features or not. */
TEST(statistics, overflow_changes_nothing)
{
    enum { N = 300 };
    double X[N*3], y[N];
    test_random r = test_random_new(6);
    test_fill_normal(&r, N*3, X);
    test_fill_normal(&r, N, y);
    X[3*290 + 1] = 1e200;
    for (int bumps = 0; bumps < 2; bumps++) {
        bln_basis *b = stat_wide(3, 4, bumps);
        double theta[8];
        bln_data rows = slm_view(N, 3, X, y), good = bln_data_rows(&rows, 0, 290);
        bln_statistics_desc desc;
        bln_statistics *t = NULL;
        bln_report report;
        memset(&desc, 0, sizeof desc);
        for (size_t k = 0; k < 8; k++) theta[k] = 1e-120;
        desc.basis = b;
        desc.theta = theta;
        CHECK_OK(bln_statistics_create(&desc, &t, NULL));
        CHECK_STATUS(bln_statistics_add(t, &rows, &report), BLN_ENUMERIC);
        CHECK_SIZE(report.row, 290);
        CHECK_SIZE(report.column, 1);
        CHECK(bln_statistics_rows(t) == 0.0 && t->gram.G[0] == 0.0);
        CHECK_OK(bln_statistics_add(t, &good, &report));
        /* cos^2 + sin^2 over J, by eps */
        CHECK_REL(t->gram.G[0] + t->gram.G[4*blni_gram_stride(&t->gram) + 4], 290.0/4, 1e-12);
        bln_statistics_free(t);
        bln_basis_free(b);
    }
}

/* Everything so far decays by kappa = 0.9 before each of 12 rows. */
TEST(statistics, forgetting_golden)
{
    double v[12];
    const double prior[1] = { 1.0 };
    (void)prior;
    bln_basis *parts[5], *linear, *sum = NULL;
    double lambda[5];
    for (size_t j = 0; j < 5; j++) {
        linear = stat_linear(1);
        CHECK_OK(bln_basis_columns(NULL, 5, 1, &j, linear, &parts[j], NULL));
        lambda[j] = golden_slm_in_lambda_slice[(size_t)golden_slm_in_slice[j]];
    }
    CHECK_OK(bln_basis_sum(NULL, 5, parts, &sum, NULL));
    for (int kind = 0; kind < STAT_KINDS; kind++) {
        bln_statistics *t = stat_new(sum, NULL, kind, NULL);
        for (size_t i = 0; i < 12; i++) {
            bln_data row = slm_view(1, 5, golden_slm_in_Phi + 5*i, golden_slm_in_y + i);
            v[i] = 1.0/golden_slm_in_omega[i];
            row.noise_var = v + i;
            CHECK_OK(bln_statistics_forget(t, golden_slm_forget_kappa[0], NULL));
            CHECK_OK(bln_statistics_add(t, &row, NULL));
        }
        CHECK_GOLD(bln_statistics_rows(t), golden_slm_forget_N[0], 1e-11);
        bln_slm *slm = stat_fit(sum, t, NULL, golden_slm_in_sigma2[0], lambda);
        CHECK_GOLD(bln_slm_evidence(slm), golden_slm_forget_logml[0], 1e-11);
        for (size_t j = 0; j < 5; j++) CHECK_GOLD(gaussians_of(bln_slm_posterior(slm))->m[j], golden_slm_forget_m[j], 1e-11);
        bln_slm_free(slm);
        bln_statistics_free(t);
    }
    bln_basis_free(sum);
}

/* NIST's sets streamed row by row, merged from shards in two orders, and after extra rows came and went: 14.5 digits of the
 * exact solution. */
TEST(statistics, nist_to_the_last_digit)
{
    const double flat[1] = { HUGE_VAL };
    if (!blni_exact_available()) { CHECK(1); return; }
    for (size_t k = 0; k < sizeof golden_nist/sizeof *golden_nist; k++) {
        const golden_nist_set *s = golden_nist + k;
        double *y = test_doubles(s->n + 4), *X = test_doubles((s->n + 4)*s->p), sd[16];
        for (size_t i = 0; i < s->n; i++) {
            const double *row = s->data + i*(s->d + 1);
            double power = s->degree && s->p == s->degree ? row[0] : 1.0;
            y[i] = row[s->d];
            for (size_t j = 0; j < s->p; j++) {
                X[i*s->p + j] = s->degree ? power : j ? row[j - 1] : 1.0;
                power *= row[0];
            }
        }
        for (size_t i = s->n; i < s->n + 4; i++) {                           /* rows that only come and go */
            y[i] = 1e3*sin((double)i);
            for (size_t j = 0; j < s->p; j++) X[i*s->p + j] = X[(i - s->n)*s->p + j]*(1.0 + 0.37*(double)j);
        }
        bln_basis *b = stat_linear(s->p);
        bln_data all = slm_view(s->n + 4, s->p, X, y);
        for (int order = 0; order < 2; order++) {
            bln_statistics *shard[3], *t = stat_new(b, NULL, 1, NULL);
            const bln_data extra = bln_data_rows(&all, s->n, 4);
            for (size_t h = 0; h < 3; h++) {
                shard[h] = stat_new(b, NULL, 1, NULL);
                for (size_t i = h; i < s->n; i += 3) {
                    const bln_data row = bln_data_rows(&all, i, 1);
                    CHECK_OK(bln_statistics_add(shard[h], &row, NULL));
                }
            }
            CHECK_OK(bln_statistics_add(t, &extra, NULL));
            for (size_t h = 0; h < 3; h++) CHECK_OK(bln_statistics_merge(t, shard[order ? 2 - h : h], NULL));
            CHECK_OK(bln_statistics_remove(t, &extra, NULL));
            bln_slm *slm = stat_fit(b, t, NULL, 0.0, flat);
            CHECK_OK(sd_of(bln_slm_posterior(slm), sd));
            for (size_t j = 0; j < s->p; j++) {
                CHECK_REL(gaussians_of(bln_slm_posterior(slm))->m[j], s->exact_given[j], 3.2e-15);
                CHECK_NEAR(sd[j], s->exact_given[s->p + j], 3.2e-15*s->exact_given[s->p + j]);
            }
            bln_slm_free(slm);
            bln_statistics_free(t);
            for (size_t h = 0; h < 3; h++) bln_statistics_free(shard[h]);
        }
        bln_basis_free(b);
        free(X);
        free(y);
    }
}

/* Saved, loaded into empty statistics and into others: the same numbers; cut short or of another shape: refused, nothing
 * changed. */
TEST(statistics, bytes)
{
    double X[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 4 }, y[6] = { 1, 0, 2, 1, 3, 2 };
    const double prior[1] = { 1.0 };
    bln_basis *b = stat_linear(2), *other = stat_linear(3);
    const bln_data all = slm_view(6, 2, X, y);
    for (int kind = 0; kind < STAT_KINDS; kind++) {
        bln_statistics *t = stat_new(b, NULL, kind, NULL), *back = stat_new(b, NULL, kind, NULL);
        bln_statistics *wrong = stat_new(other, NULL, kind, NULL), *unlike = stat_new(b, NULL, (kind + 1) % STAT_KINDS, NULL);
        unsigned char bytes[600];
        bln_memory_stream stream;
        bln_report report;
        CHECK_OK(bln_statistics_add(t, &all, NULL));
        bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
        bln_statistics_save(t, &w);
        CHECK_OK(w.status);
        const size_t size = (size_t)w.count;
        bln_reader r = bln_memory_reader(&stream, bytes, size, &report);
        CHECK_OK(bln_statistics_load(back, &r));
        bln_slm *a = stat_fit(b, t, NULL, 0.5, prior), *c = stat_fit(b, back, NULL, 0.5, prior);
        CHECK_NEAR(bln_slm_evidence(c), bln_slm_evidence(a), 0.0);
        bln_slm_free(a);
        bln_slm_free(c);
        for (size_t cut = 0; cut < size; cut++) {
            bln_reader shorter = bln_memory_reader(&stream, bytes, cut, &report);
            CHECK(bln_statistics_load(back, &shorter) != BLN_OK);
        }
        CHECK_NEAR(bln_statistics_rows(back), 6.0, 0.0);
        r = bln_memory_reader(&stream, bytes, size, &report);
        CHECK_STATUS(bln_statistics_load(wrong, &r), BLN_ESHAPE);
        if (blni_exact_available()) {
            r = bln_memory_reader(&stream, bytes, size, &report);
            CHECK_STATUS(bln_statistics_load(unlike, &r), BLN_ESHAPE);
            CHECK_STATUS(bln_statistics_merge(unlike, t, &report), BLN_ESHAPE);
        }
        bln_statistics_free(unlike);
        bln_statistics_free(t);
        bln_statistics_free(back);
        bln_statistics_free(wrong);
    }
    bln_basis_free(b);
    bln_basis_free(other);
}

/* t counts twice when merged with itself, as its rows would. */
TEST(statistics, a_triangle_twice)
{
    enum { N = 10, D = 3 };
    double X[N*D], y[N];
    const double prior[1] = { 2.0 };
    test_random r = test_random_new(9);
    bln_basis *b = stat_linear(D);
    test_fill_normal(&r, N*D, X);
    test_fill_normal(&r, N, y);
    const bln_data all = slm_view(N, D, X, y);
    bln_statistics *t = stat_new(b, NULL, STAT_QR, NULL), *twice = stat_new(b, NULL, STAT_QR, NULL);
    CHECK_OK(bln_statistics_add(t, &all, NULL));
    CHECK_OK(bln_statistics_merge(t, t, NULL));
    CHECK_OK(bln_statistics_add(twice, &all, NULL));
    CHECK_OK(bln_statistics_add(twice, &all, NULL));
    bln_slm *from = stat_fit(b, t, NULL, 0.3, prior), *other = stat_fit(b, twice, NULL, 0.3, prior);
    CHECK_LE(stat_difference(from, other), 1e-12);
    CHECK_NEAR(bln_statistics_rows(t), 2.0*N, 0.0);
    bln_slm_free(from);
    bln_slm_free(other);
    bln_statistics_free(t);
    bln_statistics_free(twice);
    bln_basis_free(b);
}

/* A triangle with a negative diagonal, or with entries whose squares overflow, is none that rows make. */
TEST(statistics, bytes_of_no_triangle)
{
    double X[4] = { 1, 2, 3, 5 }, y[2] = { 1, 0 };
    bln_basis *b = stat_linear(2);
    const bln_data all = slm_view(2, 2, X, y);
    bln_statistics *t = stat_new(b, NULL, STAT_QR, NULL), *back = stat_new(b, NULL, STAT_QR, NULL);
    unsigned char bytes[400], copy[400];
    bln_memory_stream stream;
    bln_report report;
    CHECK_OK(bln_statistics_add(t, &all, NULL));
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    bln_statistics_save(t, &w);
    const size_t size = (size_t)w.count, first = size - 6*8;                    /* 6 entries at the end, little-endian */
    for (int k = 0; k < 3; k++) {
        memcpy(copy, bytes, size);
        if (k == 0) copy[first + 7] |= 0x80;                                    /* R_00 < 0 */
        if (k == 1) { copy[first + 15] = 0x7e; copy[first + 14] = 0; }           /* R_01 = 1e299 or so */
        bln_reader r = bln_memory_reader(&stream, copy, size, &report);
        CHECK_STATUS(bln_statistics_load(back, &r), k < 2 ? BLN_EFORMAT : BLN_OK);
        CHECK_NEAR(bln_statistics_rows(back), k < 2 ? 0.0 : 2.0, 0.0);
    }
    bln_statistics_free(t);
    bln_statistics_free(back);
    bln_basis_free(b);
}

/* Statistics of another basis of the same sizes are refused, by each call that would mix them up; those of an equal one are not. */
TEST(statistics, of_another_basis)
{
    double X[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 4 }, y[6] = { 1, 0, 2, 1, 3, 2 };
    const bln_data all = slm_view(6, 2, X, y);
    bln_basis *b = stat_linear(2), *equal = stat_linear(2), *other = NULL;
    unsigned char bytes[600];
    bln_memory_stream stream;
    bln_report report;
    CHECK_OK(bln_polynomial_create(NULL, 2, 1, 0, 0, &other));               /* the same features, which nobody can know */
    bln_statistics *t = stat_new(b, NULL, 0, NULL);
    CHECK_OK(bln_statistics_add(t, &all, NULL));
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    bln_statistics_save(t, &w);
    const size_t size = (size_t)w.count;
    for (int same = 0; same < 2; same++) {
        const bln_status want = same ? BLN_OK : BLN_ESHAPE;
        const bln_basis *of = same ? equal : other;
        bln_statistics *s = stat_new(of, NULL, 0, NULL);
        bln_slm_desc model = BLN_ZERO;
        bln_slm_integrated_desc few = BLN_ZERO;
        bln_slm *slm = NULL;
        bln_slm_integrated *m = NULL;
        model.basis = few.basis = of;
        CHECK_OK(bln_slm_create(&model, &slm, NULL));
        CHECK_OK(bln_slm_integrated_create(&few, &m, NULL));
        CHECK_STATUS(bln_slm_fit_statistics(slm, t, &report), want);
        if (!same) CHECK_TEXT(report.text, "another basis");
        CHECK_STATUS(bln_slm_integrated_fit_statistics(m, t, NULL), want);
        CHECK_STATUS(bln_statistics_merge(s, t, &report), want);
        if (!same) CHECK_TEXT(report.text, "another basis");
        bln_reader r = bln_memory_reader(&stream, bytes, size, &report);
        CHECK_STATUS(bln_statistics_load(s, &r), want);
        CHECK_NEAR(bln_statistics_rows(s), same ? 12.0 : 0.0, 0.0);
        bln_slm_integrated_free(m);
        bln_slm_free(slm);
        bln_statistics_free(s);
    }
    bln_statistics_free(t);
    bln_basis_free(b);
    bln_basis_free(equal);
    bln_basis_free(other);
}

/* Columns that are 0 in all rows say nothing about their prior variance: the fit of the rows goes on, and so does that of their
 * sums, which has no rows to look at again. */
TEST(statistics, features_that_are_all_0)
{
    enum { N = 9 };
    double X[2*N], y[N];
    test_random r = test_random_new(7);
    test_fill_normal(&r, N, y);
    for (size_t i = 0; i < N; i++) {
        X[2*i] = 0.0;
        X[2*i + 1] = y[i] + 0.3*test_normal(&r);
    }
    const size_t column[2] = { 0, 1 };
    bln_basis *part[2], *one[2] = { stat_linear(1), stat_linear(1) }, *b = NULL;
    for (size_t k = 0; k < 2; k++) CHECK_OK(bln_basis_columns(NULL, 2, 1, &column[k], one[k], &part[k], NULL));
    CHECK_OK(bln_basis_sum(NULL, 2, part, &b, NULL));
    const bln_data rows = slm_view(N, 2, X, y);
    for (int kind = 0; kind < STAT_KINDS; kind++) {
        bln_statistics *t = stat_new(b, NULL, kind, NULL);
        bln_slm *from = NULL, *direct = NULL;
        bln_slm_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.basis = b;
        desc.tolerance = 1e-12;
        CHECK_OK(bln_statistics_add(t, &rows, NULL));
        CHECK_OK(bln_slm_create(&desc, &from, NULL));
        CHECK_OK(bln_slm_create(&desc, &direct, NULL));
        CHECK_OK(bln_slm_fit_statistics(from, t, NULL));
        CHECK_OK(bln_slm_fit(direct, &rows, NULL));
        CHECK_REL(bln_slm_evidence(from), bln_slm_evidence(direct), 1e-8);
        bln_slm_free(from);
        bln_slm_free(direct);
        bln_statistics_free(t);
    }
    bln_basis_free(b);
}

TEST(statistics, errors)
{
    double X[4] = { 1, 2, 3, 4 }, y[2] = { 1, 2 };
    bln_basis *b = stat_linear(2), *other = stat_linear(3);
    bln_data rows = slm_view(2, 2, X, y);
    bln_statistics *t = NULL, *wide = stat_new(other, NULL, 0, NULL);
    bln_statistics_desc desc;
    bln_report report;
    test_heap heap;
    memset(&desc, 0, sizeof desc);
    CHECK_STATUS(bln_statistics_create(NULL, &t, &report), BLN_EINVAL);
    CHECK_STATUS(bln_statistics_create(&desc, &t, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "basis");
    desc.basis = b;
    desc.exact = desc.qr = 1;
    CHECK_STATUS(bln_statistics_create(&desc, &t, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "exact or qr");
    desc.exact = desc.qr = 0;
    desc.alloc = test_heap_allocator(&heap);
    heap.fail_at = 0;
    CHECK_STATUS(bln_statistics_create(&desc, &t, &report), BLN_ENOMEM);
    heap.fail_at = 100;
    CHECK_OK(bln_statistics_create(&desc, &t, &report));
    CHECK_STATUS(bln_statistics_remove(t, &rows, &report), BLN_EDOMAIN);
    CHECK_OK(bln_statistics_add(t, &rows, &report));
    X[3] = NAN;
    CHECK_STATUS(bln_statistics_add(t, &rows, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 1);
    CHECK_NEAR(bln_statistics_rows(t), 2.0, 0.0);
    X[3] = 4.0;
    rows.d = 1;
    CHECK_STATUS(bln_statistics_add(t, &rows, &report), BLN_ESHAPE);
    CHECK_STATUS(bln_statistics_merge(t, wide, &report), BLN_ESHAPE);
    CHECK_STATUS(bln_statistics_merge(t, NULL, &report), BLN_EINVAL);
    CHECK_STATUS(bln_statistics_forget(t, 0.0, &report), BLN_EDOMAIN);
    CHECK_STATUS(bln_statistics_forget(t, 1.5, &report), BLN_EDOMAIN);
    CHECK_STATUS(bln_statistics_forget(NULL, 0.5, &report), BLN_EINVAL);

    bln_slm_desc model;
    bln_slm *slm = NULL;
    memset(&model, 0, sizeof model);
    model.basis = b;
    CHECK_OK(bln_slm_create(&model, &slm, NULL));
    CHECK_STATUS(bln_slm_fit_statistics(slm, wide, &report), BLN_ESHAPE);
    CHECK_STATUS(bln_slm_fit_statistics(slm, NULL, &report), BLN_EINVAL);
    rows.d = 2;
    CHECK_OK(bln_statistics_remove(t, &rows, &report));
    CHECK_STATUS(bln_slm_fit_statistics(slm, t, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no rows");
    bln_slm_free(slm);
    model.form = BLN_SLM_DUAL;
    CHECK_OK(bln_slm_create(&model, &slm, NULL));
    CHECK_STATUS(bln_slm_fit_statistics(slm, t, &report), BLN_EINVAL);
    bln_slm_free(slm);
    bln_statistics_free(t);
    bln_statistics_free(wide);
    bln_statistics_free(NULL);
    CHECK_SIZE(heap.live, 0);
    bln_basis_free(b);
    bln_basis_free(other);
}

SUITE_BEGIN(statistics)
SUITE_TEST(statistics, equal_the_rows)
SUITE_TEST(statistics, sums_by_their_definition)
SUITE_TEST(statistics, blocks_of_any_size)
SUITE_TEST(statistics, overflow_changes_nothing)
SUITE_TEST(statistics, forgetting_golden)
SUITE_TEST(statistics, nist_to_the_last_digit)
SUITE_TEST(statistics, bytes)
SUITE_TEST(statistics, bytes_of_no_triangle)
SUITE_TEST(statistics, a_triangle_twice)
SUITE_TEST(statistics, of_another_basis)
SUITE_TEST(statistics, features_that_are_all_0)
SUITE_TEST(statistics, errors)
SUITE_END(statistics)

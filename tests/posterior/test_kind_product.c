/* product: against the same distribution as a joint Gaussian with a factor of blocks, by one basis for all latents and by one for
 * each: predictions, slopes, weights; draws by their moments, with prior paths; as bytes and back; the check */
#include "posterior_tools.h"
#include "../linear/file_tools.h"

enum { PRODUCT_K = 3, PRODUCT_POINTS = 2, PRODUCT_MOST = 15, PRODUCT_DRAWS = 40000 };

/* Points first, so that the product's components begin behind others; q has them as a product, joint as Gaussians. */
typedef struct product_world {
    posterior_bases b;
    size_t          J, n_w, n_bases, side[3], factors;
    double          m[PRODUCT_K*PRODUCT_MOST], s[PRODUCT_K*PRODUCT_MOST], U[PRODUCT_K*75], R[PRODUCT_K*PRODUCT_MOST*PRODUCT_MOST];
    double          w[PRODUCT_POINTS*PRODUCT_MOST], weight[PRODUCT_POINTS + PRODUCT_K], eta[9];
    bln_products    product;
    bln_gaussians   gaussian;
    bln_points      points;
    bln_group       of_product[2], of_joint[2];
    bln_posterior   q, joint;
} product_world;

/* U'U = I + G'G, as data make it: no direction knows less than the prior. */
static void product_factor(size_t D, test_random *r, double *U)
{
    double G[25];
    test_fill_normal(r, D*D, G);
    for (size_t a = 0; a < D; a++)
        for (size_t b = 0; b < D; b++) {
            double sum = a == b ? 1.0 : 0.0;
            for (size_t c = 0; c < D && a <= b; c++) sum += 0.5*G[c*D + a]*G[c*D + b];
            U[a*D + b] = a <= b ? sum : 0.0;
        }
    CHECK_OK(bln_potrf(D, U, D, NULL));
}

static void product_factors(product_world *x, test_random *r)
{
    double *U = x->U;
    for (size_t k = 0; k < PRODUCT_K; k++)
        for (size_t j = 0, at = 0; j < x->J; at += x->side[j++]) {
            const size_t D = x->side[j];
            product_factor(D, r, U);
            for (size_t a = 0; a < D; a++) memcpy(x->R + (k*x->n_w + at + a)*x->n_w + at, U + a*D, D*sizeof *U);
            U += D*D;
        }
}

/* own: two latents with a basis each, of 5 and 3 weights; else three of one basis. */
static void product_make(product_world *x, int own)
{
    test_random r = test_random_new(960);
    memset(x, 0, sizeof *x);
    x->b = posterior_bases_new();
    x->J = own ? 2 : 3;
    x->n_bases = own ? 2 : 1;
    for (size_t j = 0; j < x->J; j++) {
        x->side[j] = own && j ? 3 : 5;
        x->n_w += x->side[j];
        x->factors += x->side[j]*x->side[j];
    }
    product_factors(x, &r);
    test_fill_normal(&r, PRODUCT_K*x->n_w, x->m);
    test_fill_normal(&r, PRODUCT_POINTS*x->n_w, x->w);
    for (size_t i = 0; i < PRODUCT_K*x->n_w; i++) x->s[i] = 0.3 + test_uniform(&r);
    for (size_t k = 0; k < PRODUCT_POINTS + PRODUCT_K; k++) x->weight[k] = k ? 0.125 : 0.5;
    for (size_t j = 0; j < x->J; j++) x->eta[j*(x->J + 1)] = 0.5 + (double)j;
    x->product.m = x->gaussian.m = x->m;
    x->product.s = x->gaussian.s = x->s;
    x->product.U = x->U;
    x->gaussian.form = BLN_GAUSSIAN_FACTOR;
    x->gaussian.n = x->gaussian.k = x->n_w;
    x->gaussian.R = x->R;
    x->points.w = x->w;
    x->of_product[0] = x->of_joint[0] = posterior_group(bln_kind_point(), &x->points, PRODUCT_POINTS, x->eta);
    x->of_product[1] = posterior_group(bln_kind_product(), &x->product, PRODUCT_K, x->eta);
    x->of_joint[1] = posterior_group(bln_kind_gaussian(), &x->gaussian, PRODUCT_K, x->eta);
    for (size_t g = 0; g < 2; g++) x->of_product[g].weight = x->of_joint[g].weight = x->weight + g*PRODUCT_POINTS;
    x->q = posterior_of(x->b.view, x->n_bases, x->J, bln_observe_noise(x->J), x->of_product, 2);
    x->joint = posterior_of(x->b.view, x->n_bases, x->J, bln_observe_noise(x->J), x->of_joint, 2);
    CHECK_OK(bln_posterior_check(&x->q, NULL));
    CHECK_OK(bln_posterior_check(&x->joint, NULL));
}

static void product_free(product_world *x) { posterior_bases_free(&x->b); }

/* The component k alone. */
static bln_group product_one(product_world *x, size_t k, bln_products *view)
{
    view->m = x->m + k*x->n_w;
    view->s = x->s + k*x->n_w;
    view->U = x->U + k*x->factors;
    return posterior_group(bln_kind_product(), view, 1, x->eta);
}

static void product_same(size_t n, const double *got, const double *want, double tolerance)
{
    for (size_t i = 0; i < n; i++) CHECK_GOLD(got[i], want[i], tolerance);
}

enum { PRODUCT_N = 37 };

/* Rows in blocks of 8, with offsets of each latent. */
static bln_data product_data(product_world *x, double *X, double *y, double *offset)
{
    test_random r = test_random_new(961);
    bln_data data = BLN_ZERO;
    test_fill_normal(&r, PRODUCT_N*2, X);
    test_fill_normal(&r, PRODUCT_N*3, y);
    test_fill_normal(&r, PRODUCT_N*3, offset);
    data.n = PRODUCT_N;
    data.d = 2;
    data.X = X;
    data.y = y;
    data.offset = offset;
    data.p = x->J;
    x->q.block = 8;
    return data;
}

TEST(kind_product, predictions)
{
    static const double p[2] = { 0.05, 0.6 };
    for (int own = 0; own < 2; own++) {
        product_world x;
        double X[PRODUCT_N*2], y[PRODUCT_N*3], offset[PRODUCT_N*3], out[2][9][PRODUCT_N*6];
        product_make(&x, own);
        const bln_data data = product_data(&x, X, y, offset);
        const size_t n = PRODUCT_N*x.J;
        for (size_t c = 0; c < 2; c++) {
            const bln_posterior *q = c ? &x.joint : &x.q;
            CHECK_OK(bln_posterior_predict(q, &data, out[c][0], out[c][1], out[c][2], NULL, NULL));
            CHECK_OK(bln_posterior_latent(q, &data, out[c][3], out[c][4], NULL, NULL));
            CHECK_OK(bln_posterior_logdensities(q, &data, out[c][5], NULL, NULL));
            CHECK_OK(bln_posterior_cdfs(q, &data, out[c][6], out[c][7], NULL, NULL));
            CHECK_OK(bln_posterior_quantiles(q, &data, BLN_OF_F, 2, p, out[c][8], NULL, NULL));
        }
        for (size_t o = 0; o < 8; o++) product_same(n, out[0][o], out[1][o], 1e-13);
        product_same(2*n, out[0][8], out[1][8], 1e-10);                                     /* a search's own tolerance */
        product_free(&x);
    }
}

/* The covariances of a row's latents: the variances, and zeros. Outputs that are left out, and marks around, as the tools do it. */
TEST(kind_product, covariances)
{
    for (int own = 0; own < 2; own++) {
        product_world x;
        product_make(&x, own);
        double *C = test_doubles(PRODUCT_K*x.n_w*x.n_w), whole[PRODUCT_MOST*PRODUCT_MOST];
        for (size_t k = 0; k < PRODUCT_K; k++) {
            bln_products view;
            const bln_group g = product_one(&x, k, &view);
            const bln_posterior one = posterior_of(x.b.view, x.n_bases, x.J, bln_observe_noise(x.J), &g, 1);
            CHECK_OK(bln_posterior_covariance(&one, whole, 0, NULL, NULL));
            for (size_t i = 0; i < x.n_w*x.n_w; i++)
                C[k*x.n_w*x.n_w + i] = whole[i/x.n_w <= i % x.n_w ? i : i % x.n_w*x.n_w + i/x.n_w];
        }
        posterior_check_kind(&x.q, x.of_product + 1, 2, PRODUCT_K + 3, x.m, x.n_w, C, x.n_w*x.n_w, 256.0*DBL_EPSILON);
        CHECK_SIZE(posterior_numbers(&x.q, x.of_product + 1), PRODUCT_K*(2*x.n_w + x.factors));
        free(C);
        product_free(&x);
    }
}

TEST(kind_product, slopes)
{
    for (int own = 0; own < 2; own++) {
        product_world x;
        double X[PRODUCT_N*2], y[PRODUCT_N*3], offset[PRODUCT_N*3], out[2][2][PRODUCT_N*6];
        product_make(&x, own);
        const bln_data data = product_data(&x, X, y, offset);
        for (size_t c = 0; c < 2; c++)
            CHECK_OK(bln_posterior_slopes(c ? &x.joint : &x.q, &data, out[c][0], out[c][1], 0, NULL, NULL));
        for (size_t o = 0; o < 2; o++) product_same(PRODUCT_N*x.J*2, out[0][o], out[1][o], 1e-12);
        product_free(&x);
    }
}

/* The table of coefficients, and the covariance of the whole mixture. */
TEST(kind_product, weights)
{
    static const double p[2] = { 0.05, 0.6 };
    for (int own = 0; own < 2; own++) {
        product_world x;
        double out[2][4][PRODUCT_MOST*PRODUCT_MOST];
        product_make(&x, own);
        double *work = test_doubles(bln_posterior_weights_work(&x.q) + 1);
        work[bln_posterior_weights_work(&x.q)] = 2.385;
        for (size_t c = 0; c < 2; c++) {
            const bln_posterior *q = c ? &x.joint : &x.q;
            for (size_t i = 0; i < PRODUCT_MOST*PRODUCT_MOST; i++) out[c][3][i] = 2.385;
            CHECK_OK(bln_posterior_coefficients(q, out[c][0], out[c][1], 2, p, out[c][2], c ? NULL : work, NULL));
            CHECK_OK(bln_posterior_covariance(q, out[c][3], 0, c ? NULL : work, NULL));
        }
        CHECK(work[bln_posterior_weights_work(&x.q)] == 2.385);
        product_same(x.n_w, out[0][0], out[1][0], 1e-13);
        product_same(x.n_w, out[0][1], out[1][1], 1e-13);
        product_same(2*x.n_w, out[0][2], out[1][2], 1e-10);
        product_same(x.n_w*x.n_w, out[0][3], out[1][3], 1e-13);
        free(work);
        product_free(&x);
    }
}

/* Covariance of columns a and b of draws about their exact means, with what it must be: 5 sigma of a product of normals, whose
 * variance is C_aa C_bb + C_ab^2. */
static void product_check_moment(const double *A, const double *B, size_t ld, double ma, double mb, double va, double vb, double c)
{
    double sum = 0.0;
    for (size_t i = 0; i < PRODUCT_DRAWS; i++) sum += (A[i*ld] - ma)*(B[i*ld] - mb);
    CHECK_NEAR(sum/PRODUCT_DRAWS, c, 5.0*sqrt((va*vb + c*c)/PRODUCT_DRAWS));
}

/* Of one component: draws have its mean and covariance; prior paths N(0, S^2) without correlations; and by Matheron's rule the
 * covariance of both is that of the posterior. Latents are independent: their covariances are among those that must be 0. */
/* Parts of the weights, which touch some latents or all, have the moments that they have among all. */
TEST(kind_product, some_weights)
{
    product_world x;
    product_make(&x, 0);
    const bln_group *g = x.of_product + 1;
    double all[2][PRODUCT_MOST*PRODUCT_K], some[2][PRODUCT_MOST*PRODUCT_K];
    double *work = test_doubles(blni_latentwise_weights.work(&x.q, g, 0));
    blni_latentwise_weights.marginal(&x.q, g, 0, x.n_w, all[0], all[1], PRODUCT_K, work);
    for (size_t first = 0; first < x.n_w; first += 4) {
        const size_t n = blni_min(4, x.n_w - first);
        blni_latentwise_weights.marginal(&x.q, g, first, n, some[0], some[1], PRODUCT_K, work);
        for (size_t i = 0; i < n*PRODUCT_K; i++)
            for (size_t a = 0; a < 2; a++) CHECK(some[a][i] == all[a][first*PRODUCT_K + i]);
    }
    free(work);
    product_free(&x);
}

/* Where the data say nothing, I - (UU')^-1 is 0, and its factor needs the least that rounding can be; a factor of NaN has none. */
TEST(kind_product, prior_paths_without_data)
{
    product_world x;
    bln_products view;
    bln_draw_desc d = BLN_ZERO;
    double W[PRODUCT_MOST], W0[PRODUCT_MOST];
    bln_report report;
    product_make(&x, 0);
    const bln_group g = product_one(&x, 0, &view);
    bln_posterior q = x.q;
    q.groups = &g;
    q.n_groups = 1;
    for (size_t i = 0; i < 75; i++) x.U[i] = i % 25 % 6 == 0;
    CHECK_OK(bln_posterior_draw_weights(&q, &d, W, W0, 0, NULL, &report));
    CHECK(report.jitter > 0.0 && report.jitter <= 100.0*DBL_EPSILON);
    for (size_t i = 0; i < 15; i++) CHECK_NEAR(W[i] - x.m[i], W0[i], 1e-6);           /* of jitter the root: 5 eps is 3e-8 */
    CHECK_OK(bln_posterior_draw_weights(&q, &d, W, W0, 0, NULL, NULL));
    x.U[0] = NAN;
    CHECK_STATUS(bln_posterior_draw_weights(&q, &d, W, W0, 0, NULL, &report), BLN_ENOTPD);
    CHECK_TEXT(report.text, "not finite");
    product_free(&x);
}

TEST(kind_product, draws_of_weights)
{
    for (int c = 0; c < 4; c++) {
        product_world x;
        bln_products view;
        double C[PRODUCT_MOST*PRODUCT_MOST], var0[PRODUCT_MOST];
        product_make(&x, c & 1);
        const size_t n = x.n_w;
        const bln_group g = product_one(&x, 1, &view);
        const bln_posterior one = posterior_of(x.b.view, x.n_bases, x.J, bln_observe_noise(x.J), &g, 1);
        double *W = test_doubles(2*PRODUCT_DRAWS*n), *W0 = c & 2 ? W + PRODUCT_DRAWS*n : NULL;
        bln_draw_desc d = BLN_ZERO;
        d.n = PRODUCT_DRAWS;
        d.seed = 17;
        CHECK_OK(bln_posterior_covariance(&one, C, 0, NULL, NULL));
        CHECK_OK(bln_posterior_draw_weights(&one, &d, W, W0, 0, NULL, NULL));
        for (size_t a = 0; a < n; a++) {
            double sum = 0.0;
            for (size_t i = 0; i < PRODUCT_DRAWS; i++) sum += W[i*n + a];
            CHECK_NEAR(sum/PRODUCT_DRAWS, view.m[a], 5.0*sqrt(C[a*n + a]/PRODUCT_DRAWS));
            var0[a] = view.s[a]*view.s[a];
        }
        for (size_t a = 0; a < n; a++)
            for (size_t b = a; b < n; b++) {
                product_check_moment(W + a, W + b, n, view.m[a], view.m[b], C[a*n + a], C[b*n + b], C[a*n + b]);
                if (!W0) continue;
                product_check_moment(W0 + a, W0 + b, n, 0.0, 0.0, var0[a], var0[b], a == b ? var0[a] : 0.0);
                product_check_moment(W + a, W0 + b, n, view.m[a], 0.0, C[a*n + a], var0[b], C[a*n + b]);
            }
        free(W);
        product_free(&x);
    }
}

/* Draws of f are offset + Phi w for the weights of the same key; calls and strides can be split; points have no prior paths. */
TEST(kind_product, draws_of_f)
{
    for (int own = 0; own < 2; own++) {
        enum { DRAWS = 9 };
        product_world x;
        double X[PRODUCT_N*2], y[PRODUCT_N*3], offset[PRODUCT_N*3], W[DRAWS*PRODUCT_MOST], again[DRAWS*20], f[DRAWS*PRODUCT_N*3];
        double Phi[PRODUCT_N*16];
        bln_draw_desc d = BLN_ZERO, late = BLN_ZERO;
        bln_report report;
        product_make(&x, own);
        const bln_data data = product_data(&x, X, y, offset);
        d.n = DRAWS;
        d.seed = late.seed = 5;
        late.n = 4;
        late.stream = 5;
        CHECK_OK(bln_posterior_draw_weights(&x.q, &d, W, NULL, 0, NULL, NULL));
        CHECK_OK(bln_posterior_draw_weights(&x.q, &late, again, NULL, 20, NULL, NULL));
        for (size_t i = 0; i < 4*x.n_w; i++) CHECK_NEAR(again[i/x.n_w*20 + i % x.n_w], W[5*x.n_w + i], 1e-14);
        CHECK_OK(bln_posterior_draws(&x.q, &data, &d, f, NULL, 0, NULL, NULL));
        posterior_features(x.b.view, x.n_bases, PRODUCT_N, X, Phi, 16);
        for (size_t i = 0; i < DRAWS*PRODUCT_N*x.J; i++) {
            const size_t r = i/(PRODUCT_N*x.J), row = i/x.J % PRODUCT_N, j = i % x.J;
            const double *phi = Phi + row*16 + (own && j ? 5 : 0), *w = W + r*x.n_w + 5*j;
            CHECK_GOLD(f[i], offset[row*x.J + j] + bln_dot(x.side[j], phi, w), 1e-13);
        }
        CHECK_STATUS(bln_posterior_draw_weights(&x.q, &d, W, again, 0, NULL, &report), BLN_EUNDEFINED);
        product_free(&x);
    }
}

/* All bytes again from what was read; answers to the bit; bytes that are missing. */
TEST(kind_product, record)
{
    enum { ROOM = 1 << 14 };
    static unsigned char bytes[ROOM], again[ROOM];
    for (int own = 0; own < 2; own++) {
        product_world x;
        double X[PRODUCT_N*2], y[PRODUCT_N*3], offset[PRODUCT_N*3], out[2][3][PRODUCT_N*3];
        bln_memory_stream m;
        bln_posterior *q = NULL;
        product_make(&x, own);
        bln_data data = product_data(&x, X, y, offset);
        bln_writer w = bln_memory_writer(&m, bytes, ROOM);
        CHECK_OK(bln_posterior_save(&x.q, &w));
        const size_t size = m.at;
        bln_reader r = bln_memory_reader(&m, bytes, size, NULL);
        CHECK_OK(bln_posterior_load(test_all(), &r, &q));
        if (!q) return;
        CHECK(q->groups[1].ops == bln_kind_product() && q->groups[1].K == PRODUCT_K);
        q->block = x.q.block;
        for (size_t c = 0; c < 2; c++)
            CHECK_OK(bln_posterior_predict(c ? q : &x.q, &data, out[c][0], out[c][1], out[c][2], NULL, NULL));
        for (size_t o = 0; o < 3; o++) CHECK(!memcmp(out[0][o], out[1][o], PRODUCT_N*x.J*sizeof(double)));
        w = bln_memory_writer(&m, again, ROOM);
        CHECK_OK(bln_posterior_save(q, &w));
        CHECK_SIZE(m.at, size);
        CHECK(!memcmp(bytes, again, size));
        bln_posterior_free(q);
        for (size_t cut = 0; cut < size; cut++) {
            r = bln_memory_reader(&m, bytes, cut, NULL);
            CHECK_STATUS(bln_posterior_load(test_all(), &r, &q), BLN_EFORMAT);
        }
        product_free(&x);
    }
}

/* Any changed byte is refused, or makes a posterior that can be asked. */
TEST(kind_product, flipped_bits_do_no_harm)
{
    enum { ROOM = 1 << 14 };
    static unsigned char bytes[ROOM];
    for (int own = 0; own < 2; own++) {
        product_world x;
        double X[2] = { 0.3, -0.2 }, out[3][3];
        bln_memory_stream m;
        bln_data data = BLN_ZERO;
        product_make(&x, own);
        bln_writer w = bln_memory_writer(&m, bytes, ROOM);
        CHECK_OK(bln_posterior_save(&x.q, &w));
        const size_t size = m.at;
        data.n = 1;
        data.d = 2;
        data.X = X;
        for (size_t i = 0; i < size; i++) {
            bln_posterior *q = NULL;
            bytes[i] ^= (unsigned char)(1u << (i*5 % 8));
            bln_reader r = bln_memory_reader(&m, bytes, size, NULL);
            if (bln_posterior_load(test_all(), &r, &q) == BLN_OK && q->J <= 3 && q->bases[0]->d == 2) {
                CHECK_OK(bln_posterior_check(q, NULL));
                const bln_status status = bln_posterior_predict(q, &data, out[0], out[1], out[2], NULL, NULL);
                CHECK(status == BLN_OK || status == BLN_ENUMERIC);
            }
            bln_posterior_free(q);
            bytes[i] ^= (unsigned char)(1u << (i*5 % 8));
        }
        product_free(&x);
    }
}

TEST(kind_product, refuses)
{
    product_world x;
    bln_report report;
    product_make(&x, 0);
    for (int c = 0; c < 4; c++) {
        x.product.m = c == 0 ? NULL : x.m;
        x.product.s = c == 1 ? NULL : x.s;
        x.product.U = c == 2 ? NULL : x.U;
        x.q.groups = x.of_product + 1;
        x.q.n_groups = 1;
        x.of_product[1].weight = NULL;
        x.q.dof = c == 3 ? 4.0 : 0.0;
        CHECK_STATUS(bln_posterior_check(&x.q, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "product: ");
    }
    product_free(&x);
}

/* Numbers that no posterior has are not written: a pivot of 0, a negative scale, NaN. */
TEST(kind_product, no_such_numbers)
{
    enum { ROOM = 1 << 14 };
    static unsigned char bytes[ROOM];
    for (int own = 0; own < 2; own++)
        for (int c = 0; c < 3; c++) {
            product_world x;
            bln_memory_stream m;
            product_make(&x, own);
            if (c == 0) x.U[0] = own ? NAN : 0.0;
            if (c == 1) x.s[3] = -1.0;
            if (c == 2) x.m[3] = HUGE_VAL;
            bln_writer w = bln_memory_writer(&m, bytes, ROOM);
            CHECK_STATUS(bln_posterior_save(&x.q, &w), BLN_EDOMAIN);
            product_free(&x);
        }
}

SUITE_BEGIN(kind_product)
SUITE_TEST(kind_product, predictions)
SUITE_TEST(kind_product, covariances)
SUITE_TEST(kind_product, slopes)
SUITE_TEST(kind_product, weights)
SUITE_TEST(kind_product, some_weights)
SUITE_TEST(kind_product, prior_paths_without_data)
SUITE_TEST(kind_product, draws_of_weights)
SUITE_TEST(kind_product, draws_of_f)
SUITE_TEST(kind_product, record)
SUITE_TEST(kind_product, flipped_bits_do_no_harm)
SUITE_TEST(kind_product, refuses)
SUITE_TEST(kind_product, no_such_numbers)
SUITE_END(kind_product)

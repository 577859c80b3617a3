/* views: sizes in bytes, and every reason why a posterior is not usable that is not a kind's own */
#include "posterior_tools.h"

typedef struct views_world {
    posterior_bases b;
    double w[3*8], weight[3], eta[4], theta[2];
    bln_points v;
    bln_group g[2];
    bln_posterior q;
} views_world;

/* Two groups of points, 2 and 1, over a basis of 5 features. */
static void views_world_new(views_world *w)
{
    memset(w, 0, sizeof *w);
    w->b = posterior_bases_new();
    w->v.w = w->w;
    for (size_t i = 0; i < 3; i++) w->weight[i] = i ? 0.25 : 0.5;
    w->g[0] = posterior_group(bln_kind_point(), &w->v, 2, w->eta);
    w->g[1] = posterior_group(bln_kind_point(), &w->v, 0, w->eta + 2);
    w->g[0].weight = w->weight;
    w->g[1].weight = w->weight + 2;
    w->q = posterior_of(w->b.view, 1, 0, bln_observe_noise(1), w->g, 2);
}

TEST(posterior, sizes)
{
    views_world w;
    views_world_new(&w);
    CHECK_OK(bln_posterior_check(&w.q, NULL));
    /* 2 and 1 rows of 5 weights, 3 weights of components, eta of each group shared by its components */
    CHECK_SIZE(bln_posterior_size(&w.q), (10 + 5 + 3 + 2)*sizeof(double));
    w.g[0].ldeta = 1;
    CHECK_SIZE(bln_posterior_size(&w.q), (10 + 5 + 3 + 3)*sizeof(double));
    w.g[1].eta = w.eta;
    w.g[0].ldeta = 0;
    CHECK_SIZE(bln_posterior_size(&w.q), (10 + 5 + 3 + 1)*sizeof(double));
    w.g[1].residual = w.theta;
    CHECK_SIZE(bln_posterior_size(&w.q), (10 + 5 + 3 + 1 + w.b.view[0]->n_slices)*sizeof(double));
    CHECK_SIZE(bln_posterior_size(NULL), 0);
    bln_posterior none = w.q;
    none.bases = NULL;
    CHECK_SIZE(bln_posterior_size(&none), 0);
    none = w.q;
    none.groups = NULL;
    CHECK_SIZE(bln_posterior_size(&none), 0);
    static const size_t index[5] = { 0, 1, 2, 3, 4 };                /* t's have indices: 2 flat weights and 3 that are not */
    bln_students t = BLN_ZERO;
    t.n_flat = 2;
    t.n_free = 3;
    t.flat = index;
    t.other = index + 2;
    t.Uf = t.zf = t.W = t.scale = t.R = t.t = w.w;
    const bln_group g = posterior_group(bln_kind_student(), &t, 1, w.eta);
    none = posterior_of(w.b.view, 1, 1, bln_observe_noise(1), &g, 1);
    CHECK_SIZE(bln_posterior_size(&none), (4 + 2 + 6 + 3 + 9 + 3 + 1)*sizeof(double) + 5*sizeof(size_t));
    posterior_bases_free(&w.b);
}

TEST(posterior, check)
{
    views_world w;
    bln_report report;
    for (int c = 0; c < 15; c++) {
        views_world_new(&w);
        bln_status want = BLN_EINVAL;
        size_t row = BLN_NONE, column = BLN_NONE;
        const char *text = "posterior: ";
        const bln_basis *none[1] = { NULL };
        switch (c) {
        case 0:  w.q.bases = NULL; break;
        case 1:  w.q.groups = NULL; break;
        case 2:  w.q.n_groups = 0; break;
        case 3:  w.q.observe.ops = NULL; break;
        case 4:  w.q.J = 3; w.q.n_bases = 2; text = "neither one basis"; break;
        case 5:  w.q.bases = none; text = ""; break;
        case 6:  w.q.alloc.alloc = test_heap_alloc; text = "half"; break;
        case 7:  w.g[1].view = NULL; row = 1; break;
        case 14: w.g[0].ops = NULL; row = 0; text = "without ops"; break;
        case 8:  w.g[1].weight = NULL; row = 1; text = "weights in one group"; break;
        case 9:  w.g[0].eta = NULL; row = 0; text = "eta"; break;
        case 10: w.weight[2] = -0.25; row = 1; column = 0; want = BLN_EDOMAIN; text = "negative"; break;
        case 11: w.weight[1] = 0.5; want = BLN_EDOMAIN; text = "sum to 1"; break;
        case 12: w.q.dof = -1.0; want = BLN_EDOMAIN; text = "degrees"; break;
        case 13: w.q.J = 2; w.q.observe = bln_observe_noise(2); w.g[0].ldeta = 3; row = 0; text = "stride of eta"; break;
        }
        CHECK_STATUS(bln_posterior_check(&w.q, &report), want);
        CHECK_TEXT(report.text, text);
        CHECK_SIZE(report.row, row);
        CHECK_SIZE(report.column, column);
        posterior_bases_free(&w.b);
    }
    CHECK_STATUS(bln_posterior_check(NULL, &report), BLN_EINVAL);
    bln_basis *b = slm_parse("bias+rbf:n=3", 2, 1);
    const bln_basis *view[1];
    view[0] = b;
    views_world_new(&w);
    w.q.bases = view;
    CHECK_STATUS(bln_posterior_check(&w.q, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "theta is NULL");
    w.g[0].theta = w.g[1].theta = w.theta;
    CHECK_OK(bln_posterior_check(&w.q, &report));
    w.g[1].residual = w.theta;
    w.g[1].ldresidual = 1;
    CHECK_STATUS(bln_posterior_check(&w.q, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "stride of residual");
    bln_basis_free(b);
    posterior_bases_free(&w.b);
}

/* Features may have more than the variance of their kernel, by rounding: they miss nothing then. */
TEST(posterior, nothing_missed)
{
    static const double at[4] = { 0.0, 0.0, 1.0, 1.0 };
    bln_inducing_desc desc = BLN_ZERO;
    bln_basis *b = NULL;
    double Phi[4] = { 0.6, 0.8, 1.0, 1e-8 }, out[2];
    desc.d = 2;
    desc.n = 2;
    desc.points = at;
    CHECK_OK(bln_inducing_create(&desc, &b, NULL));
    Phi[2] = 1.0 + DBL_EPSILON;
    const double flat[2] = { 1.0, HUGE_VAL }, proper[2] = { 1.0, 2.0 };       /* a flat prior would miss infinitely much */
    CHECK(blni_flat_misses(b, flat, 1) && !blni_flat_misses(b, proper, 1) && !blni_flat_misses(b, flat, 0));
    blni_missed(b, 0, 2, Phi, 2, out);
    CHECK_NEAR(out[0], 0.0, 2.0*DBL_EPSILON);
    CHECK(out[1] == 0.0);
    bln_basis_free(b);
}

SUITE_BEGIN(posterior)
SUITE_TEST(posterior, sizes)
SUITE_TEST(posterior, check)
SUITE_TEST(posterior, nothing_missed)
SUITE_END(posterior)

/* rows: what a pass over the rows does where fits seldom lead: weights that add up to no number, a source that gives too much, a
 * likelihood that does not know where a search should begin, features that are longer than their prior variance by rounding. */
#include "glm_tools.h"

static bln_status rows_fit(const bln_glm_desc *desc, const bln_source *source, bln_report *report)
{
    bln_glm *glm = glm_new(desc);
    const bln_status status = bln_glm_fit_source(glm, source, report);
    CHECK(bln_glm_objective(glm) != bln_glm_objective(glm));              /* it knows nothing */
    bln_glm_free(glm);
    return status;
}

/* Two rows where one was asked for. */
static bln_status rows_next(void *user, size_t most, bln_data *block, bln_report *report)
{
    const bln_data any = BLN_ZERO;
    bln_data_reader other;
    const bln_source of_rows = bln_source_of(&any, &other);              /* for its function */
    return of_rows.next(user, most + 1, block, report);
}

TEST(rows, refused)
{
    bln_basis *b = slm_parse("bias + linear", 2, 3);
    bln_data data = glm_make("bernoulli_logit", 6, 5);
    bln_data_reader reader;
    bln_report report;
    double heavy[6] = { 1e308, 1.0, 1e308, 0.0, 1e308, 1.0 };
    bln_glm_desc desc = glm_desc(b, bln_likelihood_binomial(BLN_LINK_LOGIT));
    desc.block = 1;
    bln_source source = bln_source_of(&data, &reader);
    source.next = rows_next;
    CHECK_STATUS(rows_fit(&desc, &source, &report), BLN_ESHAPE);
    CHECK_TEXT(report.text, "a block of the wrong shape");
    bln_data weighted = data;
    weighted.weight = heavy;
    source = bln_source_of(&weighted, &reader);
    CHECK_STATUS(rows_fit(&desc, &source, &report), BLN_ENUMERIC);
    CHECK_TEXT(report.text, "the sum of weights overflows");
    bln_basis_free(b);
    glm_free_data(&data);
}

/* f is 0 where the table has no `start`, in all columns of all blocks and nowhere else. */
TEST(rows, starts_of_several_latents)
{
    enum { N = 2*BLN_LIKELIHOOD_BLOCK + 5, BLOCK = N + 3, J = 3 };
    const bln_likelihood known = bln_likelihood_categorical(J);
    bln_likelihood_ops ops = *known.ops;
    bln_latents_ops latents = *known.ops->latents;
    double y[N], f[J*BLOCK];
    bln_glm_desc desc;
    bln_targets t;
    blni_glm_rows r;
    for (int how = 0; how < 2; how++) {
        memset(&desc, 0, sizeof desc);
        memset(&t, 0, sizeof t);
        memset(&r, 0, sizeof r);
        if (how) latents.start = NULL;
        ops.latents = &latents;
        desc.likelihood = known;
        desc.likelihood.ops = &ops;
        r.desc = &desc;
        r.J = J;
        r.block = BLOCK;
        t.y = y;
        for (size_t i = 0; i < N; i++) y[i] = (double)(i*i % J);
        for (size_t i = 0; i < J*BLOCK; i++) f[i] = 2.385;
        blni_glm_start_latents(&r, NULL, N, &t, f);
        for (size_t j = 0; j < J; j++)
            for (size_t i = 0; i < BLOCK; i++) {
                double want[J];
                bln_targets one = t;
                one.y = y + (i < N ? i : 0);
                if (i < N) known.ops->latents->start(&known, NULL, 1, &one, want, 1);
                CHECK(f[j*BLOCK + i] == (i >= N ? 2.385 : how ? 0.0 : want[j]));
            }
    }
}

static double rows_variance(const bln_basis *b, size_t s) { (void)b; return s ? 1.0 : 0.0; }

/* What features miss of their prior variance: k - |phi|^2, and 0 where rounding has made that negative. */
TEST(rows, missed_variance)
{
    double Phi[6] = { 9.0, 0.6, 0.8, 9.0, 0.3, 0.4 }, lambda[2] = { 3.0, 2.0 };
    bln_basis_ops ops;
    bln_basis b = glm_table(&ops);
    blni_glm_view view;
    blni_glm_slice slice[2];
    blni_glm_rows r;
    blni_glm_hyper h;
    bln_glm_desc desc = glm_desc(&b, bln_likelihood_poisson(BLN_LINK_LOG));
    memset(&view, 0, sizeof view);
    memset(&r, 0, sizeof r);
    memset(&h, 0, sizeof h);
    ops.variance = rows_variance;
    Phi[2] = nextafter(Phi[2], 1.0);
    view.basis = &b;
    for (size_t t = 0; t < 2; t++) slice[t] = blni_glm_slice_at(&desc, t);
    r.desc = &desc;
    r.view = &view;
    r.n_views = r.J = 1;
    r.slice = slice;
    r.D = 3;
    r.Phi = Phi;
    h.prior_var = lambda;
    CHECK(blni_glm_missed_of_row(&r, &h, 0, 0) == 0.0);                   /* a slice that misses none */
    CHECK(blni_glm_missed_of_row(&r, &h, 1, 0) == 0.0);
    CHECK_NEAR(blni_glm_missed_of_row(&r, &h, 1, 1), 1.5, 4.0*DBL_EPSILON);
}

/* Features as long as their prior variance, or longer by rounding, miss nothing: all is as with a basis that says nothing of it, by
 * quadrature and by draws of the weights. */
TEST(rows, nothing_missed)
{
    double X[3] = { 0, 1, 2 }, y[3] = { 0.3, -0.4, 1.1 }, theta[18], lambda[2] = { 3.0, 2.0 }, eta = 0.4;
    double bound[2], slope[2][18], drawn[2], x[6] = { 0.3, -0.2, 0.1, -1.0, -1.5, -0.7 };
    const bln_data data = slm_view(3, 1, X, y);
    for (size_t i = 0; i < 18; i++) theta[i] = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 0.6 : nextafter(0.8, 1.0);
    for (int says = 0; says < 2; says++) {
        bln_basis_ops ops;
        const bln_basis b = glm_table(&ops);
        bln_glm_mixture_desc own = BLN_ZERO;
        bln_glm_desc desc = glm_desc(&b, bln_likelihood_gaussian());
        if (says) ops.variance = rows_variance;
        desc.method = bln_glm_full(NULL);
        bln_glm *glm = glm_new(&desc);
        CHECK_OK(bln_glm_objective_at(glm, desc.method, &data, lambda, &eta, theta, bound + says, NULL, NULL, NULL, NULL,
                                      slope[says], NULL));
        bln_glm_free(glm);
        own.steps.batch = 3;
        desc.method = bln_glm_sgvi(&own);
        desc.prior_var = lambda;
        desc.likelihood_theta = &eta;
        desc.theta = theta;
        desc.fix_prior_var = desc.fix_likelihood = desc.fix_theta = 1;
        glm = glm_new(&desc);
        CHECK_OK(bln_glm_init(glm, &data, NULL));
        glm_mixture_state(glm);
        CHECK_OK(blni_glm_search_estimate(glm->fit, 0, x, drawn + says, NULL));
        bln_glm_free(glm);
    }
    CHECK(bound[0] == bound[1] && drawn[0] == drawn[1]);
    CHECK(memcmp(slope[0], slope[1], sizeof slope[0]) == 0);
}

SUITE_BEGIN(rows)
    SUITE_TEST(rows, refused)
    SUITE_TEST(rows, starts_of_several_latents)
    SUITE_TEST(rows, missed_variance)
    SUITE_TEST(rows, nothing_missed)
SUITE_END(rows)

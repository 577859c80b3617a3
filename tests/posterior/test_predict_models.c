/* test_predict_models - posteriors made of what fitted models hold say what these models' own predictors say */
#include "ask_tools.h"
#include "../linear/slm_outputs_tools.h"
#include "../glm/glm_tools.h"
#include "../linear/posterior_of.h"

/* New rows, with noise variances and offsets, for p outputs. */
static bln_data ask_new_rows(size_t p, uint64_t salt)
{
    bln_data data = p == 1 ? slm_make(ASK_N, 2, salt, 1) : outputs_make(ASK_N, 2, p, salt, 1);
    return data;
}

/* mean, var_latent and var_total of a linear model are mean, var_model, and var_model + var_noise. */
static void ask_same_moments(const bln_posterior *q, const bln_data *data, const double *mean, const double *latent,
                             const double *total, double tolerance)
{
    const size_t all = data->n*q->observe.n_y;
    double *x = test_doubles(3*all);
    CHECK_OK(bln_posterior_check(q, NULL));
    CHECK_OK(bln_posterior_predict(q, data, x, x + all, x + 2*all, NULL, NULL));
    for (size_t i = 0; i < all; i++) {
        CHECK_NEAR(x[i], mean[i], tolerance*(1.0 + fabs(mean[i])));
        CHECK_NEAR(x[all + i], latent[i], tolerance*latent[i]);
        CHECK_NEAR(x[all + i] + x[2*all + i], total[i], tolerance*total[i]);
    }
    free(x);
}

static void ask_check_slm(const bln_slm *slm, const bln_posterior *q, const bln_data *data, double tolerance)
{
    const size_t all = data->n*bln_slm_outputs(slm);
    double *x = test_doubles(3*all);
    CHECK_OK(total_of(bln_slm_posterior(slm), data, x, x + all, x + 2*all, NULL, NULL));
    ask_same_moments(q, data, x, x + all, x + 2*all, tolerance);
    free(x);
}

/* One output, whatever the form, to the bit; with inducing points too. */
TEST(predict_models, linear_model)
{
    static const char *const specs[] = { "linear", "rbf:n=6,ard+linear", "bias+rbf:n=20" };
    static const bln_slm_form forms[] = { BLN_SLM_PRIMAL, BLN_SLM_PRIMAL, BLN_SLM_DUAL };
    bln_data data = slm_make(25, 2, 170, 1), rows = ask_new_rows(1, 171);
    for (size_t c = 0; c < 4; c++) {
        bln_basis *b = c < 3 ? slm_parse(specs[c], 2, 3) : NULL;
        double flat[3] = { HUGE_VAL, 1.0, 1.0 };
        if (c == 3) {
            bln_inducing_desc desc;
            memset(&desc, 0, sizeof desc);
            desc.d = 2;
            desc.n = 6;
            desc.points = data.X;
            CHECK_OK(bln_inducing_create(&desc, &b, NULL));
        }
        bln_slm_desc desc = slm_desc(b, forms[c % 3]);
        if (c == 0) desc.prior_var = flat;
        desc.max_iterations = 30;
        bln_slm *slm = slm_fit(&desc, &data);
        const blni_gaussian *p = gaussians_of(bln_slm_posterior(slm));
        const bln_basis *view[1];
        bln_gaussians v;
        view[0] = b;
        memset(&v, 0, sizeof v);
        v.form = p->form;
        v.n = p->D;
        v.k = p->k;
        v.m = p->m;
        v.s = p->s;
        v.R = p->R;
        CHECK(p->ldr == p->D);
        bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, bln_slm_noise_cov(slm));
        g.theta = bln_slm_theta(slm);
        if (c == 3) g.residual = bln_slm_prior_var(slm);
        const bln_posterior q = posterior_of(view, 1, 1, bln_observe_noise(1), &g, 1);
        ask_check_slm(slm, &q, &rows, c == 3 ? 4.0*DBL_EPSILON : 0.0);
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
    slm_free_data(&rows);
}

TEST(predict_models, several_outputs)
{
    enum { P = 3 };
    bln_data data = outputs_make(30, 2, P, 172, 1), rows = ask_new_rows(P, 173);
    for (int c = 0; c < 3; c++) {                                             /* primal, dual, inducing points */
        bln_basis *b = c < 2 ? slm_parse("rbf:n=6,ard+linear", 2, 3) : NULL;
        double T[P*P], m[P*32], lambda[P*4];
        const bln_basis *view[1];
        if (c == 2) {
            bln_inducing_desc desc;
            memset(&desc, 0, sizeof desc);
            desc.d = 2;
            desc.n = 6;
            desc.points = data.X;
            CHECK_OK(bln_inducing_create(&desc, &b, NULL));
        }
        bln_slm_desc desc = outputs_desc(b, c == 1 ? BLN_SLM_DUAL : BLN_SLM_PRIMAL, P, BLN_SLM_CORRELATED);
        desc.max_iterations = 30;
        bln_slm *slm = slm_fit(&desc, &data);
        const blni_gaussian *p = gaussians_of(bln_slm_posterior(slm));
        const double *cov = bln_slm_noise_cov(slm), *ratio = bln_slm_prior_var(slm);
        bln_gaussians v;
        memset(&v, 0, sizeof v);
        for (size_t i = 0; i < P*P; i++) T[i] = cov[i]/cov[0];                /* s is that of the first output */
        for (size_t i = 0; i < P; i++) memcpy(m + i*p->D, p[i].m, p->D*sizeof *m);
        for (size_t i = 0; i < P; i++)
            for (size_t s = 0; s < b->n_slices; s++) lambda[i*b->n_slices + s] = cov[i*(P + 1)]*ratio[s];
        v.form = p->form;
        v.n = p->D;
        v.k = p->k;
        v.T = T;
        v.m = m;
        v.s = p->s;
        v.R = p->R;
        view[0] = b;
        bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, cov);
        g.theta = bln_slm_theta(slm);
        if (c == 2) g.residual = lambda;
        const bln_posterior q = posterior_of(view, 1, P, bln_observe_noise(P), &g, 1);
        ask_check_slm(slm, &q, &rows, c == 1 ? 1e-12 : 1e-13);               /* the dual variance is a difference */
        bln_slm_free(slm);
        bln_basis_free(b);
    }
    slm_free_data(&data);
    slm_free_data(&rows);
}

TEST(predict_models, sequential_model)
{
    bln_data data = slm_make(25, 2, 174, 1), rows = ask_new_rows(1, 175);
    bln_basis *b = slm_parse("rbf:n=6,ard+linear", 2, 3);
    const bln_basis *view[1];
    bln_slm_desc desc = slm_desc(b, BLN_SLM_PRIMAL);
    bln_slm *slm = slm_fit(&desc, &data);
    bln_sequential *t = NULL;
    double x[3][ASK_N];
    const double noise = bln_slm_noise_var(slm);
    CHECK_OK(bln_sequential_create_from(slm, &t, NULL));
    CHECK_OK(bln_sequential_add(t, &data, NULL, NULL, NULL, NULL));
    const blni_gaussian *p = gaussians_of(bln_sequential_posterior(t));
    double *R = test_doubles(p->D*p->D);
    for (size_t i = 0; i < p->D; i++) memcpy(R + i*p->D, p->R + i*p->ldr, p->D*sizeof *R);
    bln_gaussians v;
    memset(&v, 0, sizeof v);
    v.form = p->form;
    v.n = v.k = p->D;
    v.m = p->m;
    v.s = p->s;
    v.R = R;
    view[0] = b;
    bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, &noise);
    g.theta = bln_slm_theta(slm);
    const bln_posterior q = posterior_of(view, 1, 1, bln_observe_noise(1), &g, 1);
    CHECK_OK(total_of(bln_sequential_posterior(t), &rows, x[0], x[1], x[2], NULL, NULL));
    ask_same_moments(&q, &rows, x[0], x[1], x[2], 1e-13);
    free(R);
    bln_sequential_free(t);
    bln_slm_free(slm);
    bln_basis_free(b);
    slm_free_data(&data);
    slm_free_data(&rows);
}

/* A node of the integrated model is a component: its noise, its ratios as scales of the weights, and what features miss. */
TEST(predict_models, integrated_model)
{
    bln_data data = slm_make(25, 2, 176, 1), rows = ask_new_rows(1, 177);
    for (int c = 0; c < 4; c++) {                        /* ratios to integrate: 2, 1 beside a flat one, none; inducing points */
        bln_basis *b = c < 3 ? slm_parse("bias+rbf:n=4", 2, 3) : NULL;
        static const double fixed[3][2] = { { 0.0, 0.0 }, { HUGE_VAL, 0.0 }, { HUGE_VAL, 1.5 } };
        bln_slm_integrated_desc desc;
        bln_slm_integrated *m = NULL;
        if (c == 3) {
            bln_inducing_desc inducing;
            memset(&inducing, 0, sizeof inducing);
            inducing.d = 2;
            inducing.n = 6;
            inducing.points = data.X;
            CHECK_OK(bln_inducing_create(&inducing, &b, NULL));
        }
        memset(&desc, 0, sizeof desc);
        desc.basis = b;
        if (c < 3) desc.ratio = fixed[c];
        desc.noise_b = 0.1;
        desc.nodes = c == 0 ? 18 : 0;                                          /* 18^2 nodes are many, above 256 */
        CHECK_OK(bln_slm_integrated_create(&desc, &m, NULL));
        CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
        const bln_posterior *q = bln_slm_integrated_posterior(m);
        const bln_group *g = q->groups;
        const bln_students *v = (const bln_students *)g->view;
        CHECK_SIZE(v->n_flat + v->n_free, b->D);
        CHECK_SIZE(bln_slm_integrated_nodes(m), g->K);
        CHECK(!g->residual == (c < 3) && bln_posterior_check(q, NULL) == BLN_OK);
        for (size_t k = 0; k < g->K; k++) {
            double weight, ratio[2], noise;
            CHECK_OK(bln_slm_integrated_node(m, k, &weight, ratio, &noise));
            for (size_t j = 0; j < v->n_free; j++) {                          /* every feature has the ratio of its slice */
                const size_t slice = b->n_slices > 1 && v->other[j] > 0;
                CHECK_REL(v->scale[k*v->n_free + j]*v->scale[k*v->n_free + j], ratio[slice], 1e-15);
            }
            if (c == 3) CHECK_REL(g->residual[k*g->ldresidual], noise*ratio[0], 1e-15);
        }
        bln_posterior own = *q;
        if (c == 1) ask_check_work(&own, &rows, 1);
        bln_slm_integrated_free(m);
        bln_basis_free(b);
    }
    slm_free_data(&data);
    slm_free_data(&rows);
}

SUITE_BEGIN(predict_models)
SUITE_TEST(predict_models, linear_model)
SUITE_TEST(predict_models, several_outputs)
SUITE_TEST(predict_models, sequential_model)
SUITE_TEST(predict_models, integrated_model)
SUITE_END(predict_models)

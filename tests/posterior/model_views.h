/* model_views.h - the posteriors of fitted models as views, by hand from what the models hold */
#ifndef BLN_TESTS_MODEL_VIEWS_H
#define BLN_TESTS_MODEL_VIEWS_H
#include "ask_tools.h"
#include "../linear/slm_outputs_tools.h"
#include "../glm/glm_tools.h"

enum { MODEL_P = 3, MODEL_SLICES = 4, MODEL_FLAT = 8 };

typedef struct model_view {
    bln_gaussians gaussians;
    bln_diagonals diagonals;
    bln_points points;
    double T[MODEL_P*MODEL_P], residual[MODEL_P*MODEL_SLICES];
    size_t flat[MODEL_FLAT];
    const bln_basis *basis[1];
    bln_group g;
    bln_posterior q;
} model_view;

/* lambda of the slices of output p, all 0 of a basis that misses nothing. */
static TEST_UNUSED void model_residual(model_view *v, const bln_gaussian *g, size_t p, double by)
{
    const bln_basis *b = v->basis[0];
    CHECK(b->n_slices <= MODEL_SLICES);
    for (size_t s = 0; s < b->n_slices; s++) v->residual[p*b->n_slices + s] = by*blni_left_out_scale(b, g, s);
    if (blni_leaves_out(b, g)) v->g.residual = v->residual;
}

static TEST_UNUSED void model_gaussian(model_view *v, const bln_gaussian *g, const double *m)
{
    v->gaussians.form = g->form;
    v->gaussians.n = g->D;
    v->gaussians.k = g->k;
    v->gaussians.m = m;
    v->gaussians.s = g->s;
    v->gaussians.R = g->R;
    CHECK(g->ldr == g->D);
    v->g = posterior_group(bln_kind_gaussian(), &v->gaussians, 1, NULL);
}

static TEST_UNUSED void model_of_slm(model_view *v, const bln_slm *slm)
{
    memset(v, 0, sizeof *v);
    v->q = *bln_slm_posterior(slm);
    v->g = v->q.groups[0];
    v->gaussians = *(const bln_gaussians *)v->g.view;
    v->basis[0] = bln_slm_basis(slm);
    v->g.view = &v->gaussians;
    v->q.groups = &v->g;
    v->q.bases = v->basis;
    CHECK_OK(bln_posterior_check(&v->q, NULL));
}

static TEST_UNUSED void model_of_glm(model_view *v, const bln_glm *glm)
{
    const blni_glm_result *r = &glm->result;
    const blni_glm_form form = r->shape.form;
    memset(v, 0, sizeof *v);
    v->basis[0] = glm->desc.basis;
    if (form == BLNI_GLM_FACTOR) model_gaussian(v, &r->gaussian, r->gaussian.m);
    else if (form == BLNI_GLM_POINT) v->g = posterior_group(bln_kind_point(), &v->points, 1, NULL);
    else v->g = posterior_group(bln_kind_diagonal(), &v->diagonals, r->mixture.K, NULL);
    v->points.w = v->diagonals.m = r->mixture.m;
    v->diagonals.psi = r->mixture.psi;
    v->diagonals.ld = r->mixture.ld;
    if (form != BLNI_GLM_POINT) model_residual(v, &r->gaussian, 0, 1.0);
    v->g.eta = r->hyper.eta;
    v->g.theta = r->hyper.theta;
    v->q = posterior_of(v->basis, 1, 1, bln_observe_likelihood(&glm->desc.likelihood), &v->g, 1);
    v->q.sites = r->shape.sites == BLNI_GLM_SITES_MODE ? BLN_SITES_MODE
               : r->shape.sites == BLNI_GLM_SITES_MEAN ? BLN_SITES_MEAN : BLN_SITES_NONE;
    v->q.rows = r->rows;
    v->q.block = glm->desc.block;
    CHECK_OK(bln_posterior_check(&v->q, NULL));
}

/* 6 inducing points at the first rows. */
static TEST_UNUSED bln_basis *model_inducing(const bln_data *data)
{
    bln_inducing_desc desc;
    bln_basis *b = NULL;
    memset(&desc, 0, sizeof desc);
    desc.d = 2;
    desc.n = 6;
    desc.points = data->X;
    CHECK_OK(bln_inducing_create(&desc, &b, NULL));
    return b;
}

#endif /* BLN_TESTS_MODEL_VIEWS_H */

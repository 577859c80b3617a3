/* model_views.h - the posteriors of fitted models as views, made by hand from the models' members */
#ifndef BLN_TESTS_MODEL_VIEWS_H
#define BLN_TESTS_MODEL_VIEWS_H
#include "ask_tools.h"
#include "../linear/slm_outputs_tools.h"
#include "../glm/glm_tools.h"

enum { MODEL_P = 3 };

typedef struct model_view {
    bln_gaussians gaussians;
    const bln_basis *basis[1];
    bln_group g;
    bln_posterior q;
} model_view;

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

/* A basis of 6 inducing points, the first rows. */
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

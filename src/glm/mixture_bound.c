/* mixture_bound: the variational bound of a mixture of diagonal Gaussians and its gradient, in one pass  [variational 4, 9-15] */
#include "mixture_private.h"
#include "../core/status_private.h"

BLNI_PRIV blni_mixture blni_bound_mixture(const blni_bound *e, const double *m, const double *psi)
{
    const blni_mixture q = { e->K, e->D, m, psi, e->D };
    return q;
}

BLNI_PRIV void blni_bound_carve(blni_arena *a, blni_glm_rows *rows, const bln_glm_mixture_desc *o, blni_bound *e)
{
    const bln_glm_desc *d = rows->desc;
    const size_t K = o->components, D = rows->D, KD = blni_mul(K, D), draws = o->steps.batch ? o->draws : 0;
    e->rows = rows;
    e->D = D;
    e->K = K;
    e->entropy = K == 1 ? BLN_ENTROPY_PAIRS : o->entropy;
    blni_glm_expected_carve(a, rows, K, o->nodes, o->expectation == BLN_GLM_EXPECT_LOCAL ? draws : 0, &e->expected);
    blni_glm_draws_carve(a, D, K, o->expectation == BLN_GLM_EXPECT_WEIGHTS ? draws : 0, rows->block, &e->draws);
    const blni_mixture q = blni_bound_mixture(e, NULL, NULL);
    BLNI_CARVE2(a, D, e->lambda, e->d_lambda);
    e->work     = blni_carve_doubles(a, blni_mixture_work(&q, e->rows->block));
    e->entropy_work = blni_carve_doubles(a, blni_mixture_entropy_work(&q));
    e->d_prior  = blni_carve_doubles(a, rows->n_slices);
    e->d_theta  = blni_carve_doubles(a, d->basis->n_theta);
    BLNI_CARVE2(a, KD, e->dm, e->dpsi);
}

/* From here to _exact passes are those of stochastic steps: they draw what the desc says they should, if anything, with the draws
 * of step t, and take expectations no more accurately than the choice of rows deserves. */
BLNI_PRIV void blni_bound_draw(blni_bound *e, uint64_t seed, uint64_t t)
{
    bln_rng_seed(&e->expected.rng, seed, t + 1);           /* stream 0 is where components start */
    e->expected.drawn = e->expected.draws > 0;
    e->expected.tolerance = 1e-6;
    e->draws.on = e->draws.KL > 0;
}

BLNI_PRIV void blni_bound_exact(blni_bound *e)
{
    e->expected.drawn = e->draws.on = 0;
    e->expected.tolerance = 0.0;
}

/* The rows' part of the bound and of all gradients, which are cleared first. */
BLNI_PRIV bln_status blni_bound_rows(blni_bound *e, const blni_glm_hyper *h, const blni_mixture *q, int features,
                                     bln_report *report)
{
    blni_glm_rows *r = e->rows;
    blni_glm_expected *x = &e->expected;
    e->bound = 0.0;
    blni_glm_expected_clear(x);
    for (size_t i = 0; i < e->K*e->D; i++) e->dm[i] = e->dpsi[i] = 0.0;
    for (size_t k = 0; k < r->basis->n_theta; k++) e->d_theta[k] = 0.0;
    if (e->draws.on) blni_glm_draws_open(&e->draws, q, &x->rng);
    BLNI_PASS(r, h->theta, NULL) {
        if (e->draws.on) e->bound += blni_glm_draws_sum(&e->draws, x, h, rows.n, &t, features);
        else {
            blni_mixture_project(q, rows.n, r->Phi, e->D, x->mu, x->v, r->block, e->work);
            e->bound += blni_glm_expected_sum(x, h, rows.n, &t);
            blni_mixture_pullback(q, rows.n, r->Phi, e->D, x->em, x->ev, r->block, e->dm, e->dpsi, features ? r->F : NULL, e->D,
                                 e->work);
        }
        blni_glm_expected_pull_left(x, h, rows.n, features);
        if (features) blni_glm_pullback(r, &rows, e->d_theta);
    }
    if (e->draws.on) blni_glm_draws_close(&e->draws, q, e->dm, e->dpsi);
    return status;
}

/* The bound and its gradients at (m, psi, h): e->bound, e->dm, e->dpsi, e->d_prior, e->d_eta and, if features, e->d_theta. */
BLNI_PRIV bln_status blni_bound_value(blni_bound *e, const blni_glm_hyper *h, const blni_mixture *q, int features,
                                      bln_report *report)
{
    const blni_glm_rows *r = e->rows;
    BLNI_TRY(blni_bound_rows(e, h, q, features, report));
    for (size_t s = 0; s < r->n_slices; s++)
        for (size_t i = r->slice[s].first; i < r->slice[s].end; i++) e->lambda[i] = h->prior_var[s];
    for (size_t i = 0; i < e->D; i++) e->d_lambda[i] = 0.0;
    e->bound += blni_mixture_log_prior(q, e->lambda, e->dm, e->dpsi, e->d_lambda);
    e->bound += blni_mixture_entropy(q, e->entropy, e->dm, e->dpsi, e->entropy_work);
    for (size_t s = 0; s < r->n_slices; s++) {
        e->d_prior[s] = r->desc->per_weight ? 0.0 : e->expected.d_missed[s];
        for (size_t i = r->slice[s].first; i < r->slice[s].end; i++) e->d_prior[s] += e->d_lambda[i];
    }
    return BLN_OK;
}

/* Those in the hyper-parameters, after _value at the same point, into what is not NULL. */
BLNI_PRIV void blni_bound_slopes(const blni_bound *e, const blni_glm_hyper *slope)
{
    const bln_glm_desc *d = e->rows->desc;
    if (slope->prior_var) memcpy(slope->prior_var, e->d_prior, e->rows->n_slices*sizeof(double));
    if (slope->eta && d->likelihood.n_theta) memcpy(slope->eta, e->expected.d_eta, d->likelihood.n_theta*sizeof(double));
    if (slope->theta) memcpy(slope->theta, e->d_theta, d->basis->n_theta*sizeof(double));
}

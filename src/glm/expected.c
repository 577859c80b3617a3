/* expected: the rows' part of a variational bound, sum_n 1/K sum_k E log p(y_n | f), f ~ N(mu_kn, v_kn), and its slopes, for any
 * mu and v. The prior variance that features miss is a part of v. */
#include "expected_private.h"
#include "../likelihood/expect_private.h"
#include "../math/blas.h"
#include "../math/quadrature_private.h"

/* nodes: of a fixed rule, or 0; draws: of f for each row, where they are asked for. */
BLNI_PRIV void blni_glm_expected_carve(blni_arena *a, blni_glm_rows *rows, size_t K, size_t nodes, size_t draws,
                                       blni_glm_expected *e)
{
    const size_t block = blni_mul(K, rows->block), n_eta = rows->desc->likelihood.n_theta;
    e->rows = rows;
    e->K = K;
    e->nodes = nodes;
    e->draws = draws;
    BLNI_CARVE4(a, block, e->mu, e->v, e->em, e->ev);
    e->room   = blni_max(rows->block, BLN_LIKELIHOOD_BLOCK);
    e->el     = blni_carve_doubles(a, e->room);
    e->et     = blni_carve_doubles(a, blni_mul(n_eta, e->room));
    BLNI_CARVE2(a, e->nodes, e->z, e->w);
    e->e      = blni_carve_doubles(a, blni_mul(e->draws, rows->block));
    e->share  = blni_carve_doubles(a, e->draws);
    e->d_missed = blni_carve_doubles(a, rows->n_slices);
    e->d_eta  = blni_carve_doubles(a, n_eta);
    if (!a->base) return;
    if (nodes) blni_gauss_hermite(nodes, e->z, e->w);
    for (size_t q = 0; q < draws; q++) e->share[q] = 1.0/(double)draws;
    for (size_t j = 0; j < rows->J; j++) {
        const bln_basis *b = blni_glm_rows_basis(rows, j);
        for (size_t s = 0; s < b->n_slices; s++) e->misses |= bln_basis_variance(b, s) > 0.0;
    }
}

BLNI_PRIV void blni_glm_expected_clear(blni_glm_expected *e)
{
    blni_glm_sums(e->rows, e->rows->desc->likelihood.n_theta, e->d_eta);
    blni_glm_sums(e->rows, e->rows->n_slices, e->d_missed);
}

/* v += what the features of each row miss. Of several latents column j of v is that of latent j, else that of a component. */
BLNI_PRIV void blni_glm_expected_add_missed(blni_glm_expected *e, const blni_glm_hyper *h, size_t n)
{
    const blni_glm_rows *r = e->rows;
    for (size_t s = 0; s < r->n_slices; s++) {
        const size_t first = r->J > 1 ? r->slice[s].latent : 0, end = r->J > 1 ? first + 1 : e->K;
        if (!(blni_glm_missed_lambda(r, h, s) > 0.0)) continue;
        for (size_t i = 0; i < n; i++) {
            const double missed = blni_glm_missed_of_row(r, h, s, i);
            for (size_t k = first; k < end; k++) e->v[k*r->block + i] += missed;
        }
    }
}

/* Its part of the gradients: e->d_missed, and F_ij -= 2 lambda_s phi_ij sum_k dL/dv_k where features are asked for. */
BLNI_PRIV void blni_glm_expected_pull_left(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, int features)
{
    blni_glm_rows *r = e->rows;
    size_t D = 0;
    for (size_t v = 0; v < r->n_views; v++) D += r->view[v].basis->D;
    for (size_t s = 0; s < r->n_slices; s++) {
        const blni_glm_slice *one = r->slice + s;
        const size_t count = one->end - one->first, first = r->J > 1 ? one->latent : 0, end = r->J > 1 ? first + 1 : e->K;
        const double lambda = blni_glm_missed_lambda(r, h, s);
        for (size_t i = 0; i < n && lambda > 0.0; i++) {
            const double missed = blni_glm_missed_of_row(r, h, s, i);
            double dv = 0.0;
            for (size_t k = first; k < end; k++) dv += e->ev[k*r->block + i];
            e->d_missed[s] += dv*missed;
            if (features && missed > 0.0)
                bln_axpy(count, -2.0*lambda*dv, blni_glm_rows_phi(r, one->latent) + i*D + one->at,
                         blni_glm_rows_slopes(r, one->latent) + i*D + one->at);
        }
    }
}

/* log p + 1/2 d2 v at f = mu and its slopes, d1 + 1/2 d3 v in mu, 1/2 d2 in v, and into e->et that in eta: what E log p is but for
 * terms of fourth order in sqrt v. Vectors of e->rows are room. [variational 32, 33; Gershman, Hoffman & Blei 2012] */
BLNI_PRIV void blni_glm_taylor(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, const bln_targets *t, const double *mu,
                               const double *v, double *el, double *em, double *ev)
{
    blni_glm_rows *r = e->rows;
    const bln_likelihood *l = &r->desc->likelihood;
    bln_likelihood_eval(l, h->eta, n, t, mu, r->lp, r->d1, r->d2, r->d3);
    for (size_t i = 0; i < n; i++) {
        el[i] = r->lp[i] + 0.5*r->d2[i]*v[i];
        em[i] = r->d1[i] + 0.5*r->d3[i]*v[i];
        ev[i] = 0.5*r->d2[i];
    }
    for (size_t k = 0; k < l->n_theta; k++) {
        blni_likelihood_eval_param(l, h->eta, k, n, t, mu, r->t0, r->t1, r->t2);
        for (size_t i = 0; i < n; i++) e->et[k*e->room + i] = r->t0[i] + 0.5*r->t2[i]*v[i];
    }
}

/* weight/K times what was found for row i of a component: to the sum, which is returned, and to the slopes. at: its place in el and
 * et. */
BLNI_PRIV double blni_glm_expected_weigh(blni_glm_expected *e, size_t i, size_t at, double *em, double *ev)
{
    const double weight = e->rows->k[i]/(double)e->K;
    const size_t n_eta = e->rows->desc->likelihood.n_theta;
    *em = weight > 0.0 ? weight**em : 0.0;
    *ev = weight > 0.0 ? weight**ev : 0.0;
    for (size_t j = 0; j < n_eta && weight > 0.0; j++) e->d_eta[j] += weight*e->et[j*e->room + at];
    return weight > 0.0 ? weight*e->el[at] : 0.0;
}

/* By draws, or to second order, one component after the other. */
BLNI_PRIV double blni_glm_expected_each(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, const bln_targets *t)
{
    const bln_likelihood *l = &e->rows->desc->likelihood;
    double sum = 0.0;
    for (size_t k = 0; k < e->K; k++) {
        const size_t at = k*e->rows->block;
        double *mu = e->mu + at, *v = e->v + at, *em = e->em + at, *ev = e->ev + at;
        if (e->taylor) blni_glm_taylor(e, h, n, t, mu, v, e->el, em, ev);
        else {
            bln_rng_normals(&e->rng, e->draws*n, e->e);
            blni_likelihood_expect_nodes(l, h->eta, n, t, mu, v, e->draws, e->e, n, e->share, e->el, em, ev, e->et, e->room);
        }
        for (size_t i = 0; i < n; i++) sum += blni_glm_expected_weigh(e, i, i, em + i, ev + i);
    }
    return sum;
}

/* From sites to slopes: of the bound that auxiliary variables give in mu h - precision mu, in v -precision/2. [augmentation 27] */
BLNI_PRIV void blni_glm_expected_of_sites(size_t n, const double *mu, double *em, double *ev)
{
    for (size_t i = 0; i < n; i++) { em[i] -= ev[i]*mu[i]; ev[i] *= -0.5; }
}

/* By a rule, as many rows and components together as a likelihood takes at a time: rows are few in a small batch. */
BLNI_PRIV double blni_glm_expected_together(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, const bln_targets *t)
{
    enum { SIZE = BLN_LIKELIHOOD_BLOCK };
    const bln_likelihood *l = &e->rows->desc->likelihood;
    double y[SIZE], trials[SIZE], noise_var[SIZE], mu[SIZE], v[SIZE], em[SIZE], ev[SIZE], sum = 0.0;
    bln_targets some = BLN_ZERO;
    some.y = y;
    some.trials = t->trials ? trials : NULL;
    some.noise_var = t->noise_var ? noise_var : NULL;
    for (size_t k = 0, i = 0; k < e->K; ) {
        const size_t first_k = k, first_i = i;
        size_t count = 0;
        for (; count < SIZE && k < e->K; count++) {
            y[count] = t->y[i];
            if (t->trials) trials[count] = t->trials[i];
            if (t->noise_var) noise_var[count] = t->noise_var[i];
            mu[count] = e->mu[k*e->rows->block + i];
            v[count] = e->v[k*e->rows->block + i];
            if (++i == n) { i = 0; k++; }
        }
        if (e->collapsed) {
            e->collapsed->collapsed(l, h->eta, count, &some, NULL, mu, v, e->el, em, ev, e->et, e->room);
            blni_glm_expected_of_sites(count, mu, em, ev);
        } else if (e->nodes)
            blni_likelihood_expect_nodes(l, h->eta, count, &some, mu, v, e->nodes, e->z, 0, e->w, e->el, em, ev, e->et, e->room);
        else blni_likelihood_expect(l, h->eta, count, &some, mu, v, e->tolerance, e->el, em, ev, e->et, e->room);
        k = first_k;
        i = first_i;
        for (size_t j = 0; j < count; j++) {
            sum += blni_glm_expected_weigh(e, i, j, em + j, ev + j);
            e->em[k*e->rows->block + i] = em[j];
            e->ev[k*e->rows->block + i] = ev[j];
            if (++i == n) { i = 0; k++; }
        }
    }
    return sum;
}

/* The bound that auxiliary variables give for several latents. */
BLNI_PRIV void blni_glm_expected_sites(blni_glm_expected *e, const double *eta, size_t n, const bln_targets *t)
{
    const blni_glm_rows *r = e->rows;
    double ones[BLN_LIKELIHOOD_BLOCK];
    for (size_t i = 0; i < BLN_LIKELIHOOD_BLOCK; i++) ones[i] = 1.0;                    /* weights of rows follow later */
    for (size_t j = 0; j < (e->collapsed->simultaneous ? 1 : r->J); j++)
        BLNI_BY_BLOCKS(e->collapsed->latents(&r->desc->likelihood, eta, j, rows, &b, ones, e->mu + i, e->v + i, r->block, NULL,
                                             e->el + i, e->em + i, e->ev + i, e->et + i, e->room))
    for (size_t j = 0; j < r->J; j++)
        blni_glm_expected_of_sites(n, e->mu + j*r->block, e->em + j*r->block, e->ev + j*r->block);
}

/* Of several latents, whose moments are those of the columns. */
BLNI_PRIV double blni_glm_expected_latents(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, const bln_targets *t)
{
    blni_glm_rows *r = e->rows;
    const size_t n_eta = r->desc->likelihood.n_theta;
    double sum = 0.0;
    if (e->collapsed) blni_glm_expected_sites(e, h->eta, n, t);
    else blni_latents_expect(&r->desc->likelihood, h->eta, n, t, e->mu, e->v, r->block, e->tolerance, e->el, e->em, e->ev, e->et,
                             e->room);
    blni_glm_top(r, n, e->el);
    for (size_t i = 0; i < n; i++) {
        if (!(r->k[i] > 0.0)) continue;
        sum += r->k[i]*e->el[i];
        for (size_t k = 0; k < n_eta; k++) e->d_eta[k] += r->k[i]*e->et[k*e->room + i];
    }
    blni_glm_weigh(r, n, r->J, e->em);
    blni_glm_weigh(r, n, r->J, e->ev);
    return sum;
}

/* sum_n 1/K sum_k E_kn of a block, its slopes into em, ev and d_eta. e->mu, e->v: Phi's parts of the moments. */
BLNI_PRIV double blni_glm_expected_sum(blni_glm_expected *e, const blni_glm_hyper *h, size_t n, const bln_targets *t)
{
    blni_glm_expected_add_missed(e, h, n);
    for (size_t k = 0; k < e->K; k++)
        for (size_t i = 0; i < n; i++) e->mu[k*e->rows->block + i] += e->rows->f[(e->rows->J > 1 ? k : 0)*e->rows->block + i];
    if (e->rows->desc->likelihood.ops->latents) return blni_glm_expected_latents(e, h, n, t);
    return e->taylor || e->drawn ? blni_glm_expected_each(e, h, n, t) : blni_glm_expected_together(e, h, n, t);
}

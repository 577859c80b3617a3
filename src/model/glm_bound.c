/* glm_bound: the variational bound of a mixture of diagonal Gaussians and its gradient, in one pass    [spec/glm.md G4-G15, G22] */
#include "glm.h"

typedef struct blni_bound {
    blni_glm_rows rows;
    size_t  D, K, nodes;
    double *mu, *v;                     /* K x block each: moments of f under the components                   */
    double *el, *em, *ev;               /* K x block each: E log p and its derivatives in them, times weight/K */
    double *et;                         /* n_eta x block: in eta                                               */
    double *z, *w;                      /* nodes and weights, if the rule is fixed                             */
    double *lambda, *d_lambda;          /* D each: prior variances of the weights, d/d log of them             */
    double *root;                       /* D: sqrt(lambda)                                                     */
    double *d_left;                     /* n_slices: d/d log lambda_s by what features leave out               */
    double *work, *entropy_work;
    double *d_prior, *d_eta, *d_theta, *dm, *dpsi;      /* of the last evaluation                              */
    double  bound;
} blni_bound;

BLNI_PRIV bln_mixture blni_bound_mixture(const blni_bound *e, const double *m, const double *psi)
{
    bln_mixture q;
    q.K = e->K;
    q.D = q.ld = e->D;
    q.m = m;
    q.psi = psi;
    return q;
}

/* K components, which need not be the desc's. */
BLNI_PRIV void blni_bound_carve(blni_arena *a, const bln_glm_desc *d, size_t K, blni_bound *e)
{
    blni_glm_rows_carve(a, d, &e->rows);
    const size_t D = e->D = e->rows.D, block = blni_mul(K, e->rows.block), KD = blni_mul(K, D);
    double **const moments[] = { &e->mu, &e->v, &e->el, &e->em, &e->ev };
    e->K = K;
    e->nodes = d->nodes;
    const bln_mixture q = blni_bound_mixture(e, NULL, NULL);
    for (size_t i = 0; i < sizeof moments/sizeof *moments; i++) *moments[i] = blni_carve_doubles(a, block);
    e->et       = blni_carve_doubles(a, blni_mul(d->likelihood.n_theta, e->rows.block));
    e->z        = blni_carve_doubles(a, e->nodes);
    e->w        = blni_carve_doubles(a, e->nodes);
    e->lambda   = blni_carve_doubles(a, D);
    e->d_lambda = blni_carve_doubles(a, D);
    e->root     = blni_carve_doubles(a, D);
    e->d_left   = blni_carve_doubles(a, d->basis->n_slices);
    e->work     = blni_carve_doubles(a, bln_mixture_work(&q, e->rows.block));
    e->entropy_work = blni_carve_doubles(a, bln_mixture_entropy_work(&q));
    e->d_prior  = blni_carve_doubles(a, blni_priors(d->basis, d->per_weight));
    e->d_eta    = blni_carve_doubles(a, d->likelihood.n_theta);
    e->d_theta  = blni_carve_doubles(a, d->basis->n_theta);
    e->dm       = blni_carve_doubles(a, KD);
    e->dpsi     = blni_carve_doubles(a, KD);
}

/* After the arrays are there. */
BLNI_PRIV void blni_bound_rule(blni_bound *e)
{
    if (e->nodes) bln_gauss_hermite(e->nodes, e->z, e->w);
}

/* lambda of slice s if its features leave prior variance out and have one, else 0. */
BLNI_PRIV double blni_bound_left_out(const blni_bound *e, const blni_glm_hyper *h, size_t s)
{
    const bln_glm_desc *d = e->rows.desc;
    return !d->per_weight && bln_basis_variance(d->basis, s) > 0.0 ? h->prior_var[s] : 0.0;
}

/* v += lambda_s (k_s - |phi_s|^2) of row i: returns that; 0 where rounding makes it negative. */
BLNI_PRIV double blni_bound_left_of_row(const blni_bound *e, const blni_glm_hyper *h, size_t s, size_t i)
{
    const bln_basis *b = e->rows.basis;
    const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
    const double *phi = e->rows.Phi + i*e->D + first;
    const double left = bln_basis_variance(b, s) - bln_dot(count, phi, phi);
    return left > 0.0 ? blni_bound_left_out(e, h, s)*left : 0.0;
}

BLNI_PRIV void blni_bound_add_left(blni_bound *e, const blni_glm_hyper *h, size_t n)
{
    for (size_t s = 0; s < e->rows.basis->n_slices; s++)
        for (size_t i = 0; i < n && blni_bound_left_out(e, h, s) > 0.0; i++) {
            const double left = blni_bound_left_of_row(e, h, s, i);
            for (size_t k = 0; k < e->K; k++) e->v[k*e->rows.block + i] += left;
        }
}

/* Its part of the gradients: e->d_left, and F_ij -= 2 lambda_s phi_ij sum_k dL/dv_k where features are asked for. */
BLNI_PRIV void blni_bound_pull_left(blni_bound *e, const blni_glm_hyper *h, size_t n, int features)
{
    const bln_basis *b = e->rows.basis;
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
        const double lambda = blni_bound_left_out(e, h, s);
        for (size_t i = 0; i < n && lambda > 0.0; i++) {
            const double left = blni_bound_left_of_row(e, h, s, i);
            double dv = 0.0;
            for (size_t k = 0; k < e->K; k++) dv += e->ev[k*e->rows.block + i];
            e->d_left[s] += dv*left;
            if (features && left > 0.0)
                bln_axpy(count, -2.0*lambda*dv, e->rows.Phi + i*e->D + first, e->rows.F + i*e->D + first);
        }
    }
}

/* sum_n 1/K sum_k E_kn of a block, its slopes into em, ev and d_eta. */
BLNI_PRIV double blni_bound_expect(blni_bound *e, const blni_glm_hyper *h, size_t n, const bln_targets *t)
{
    const blni_glm_rows *r = &e->rows;
    const bln_likelihood *l = &r->desc->likelihood;
    const size_t ld = r->block;
    double sum = 0.0;
    for (size_t k = 0; k < e->K; k++) {
        double *mu = e->mu + k*ld, *v = e->v + k*ld, *el = e->el + k*ld, *em = e->em + k*ld, *ev = e->ev + k*ld;
        for (size_t i = 0; i < n; i++) mu[i] += r->f[i];
        if (e->nodes) bln_likelihood_expect_nodes(l, h->eta, n, t, mu, v, e->nodes, e->z, 0, e->w, el, em, ev, e->et, ld);
        else bln_likelihood_expect(l, h->eta, n, t, mu, v, 0.0, el, em, ev, e->et, ld);
        for (size_t i = 0; i < n; i++) {
            const double weight = r->k[i]/(double)e->K;
            sum += weight > 0.0 ? weight*el[i] : 0.0;
            em[i] = weight > 0.0 ? weight*em[i] : 0.0;
            ev[i] = weight > 0.0 ? weight*ev[i] : 0.0;
            for (size_t j = 0; j < l->n_theta && weight > 0.0; j++) e->d_eta[j] += weight*e->et[j*ld + i];
        }
    }
    return sum;
}

/* The rows' part of the bound and of all gradients, which are cleared first. */
BLNI_PRIV bln_status blni_bound_rows(blni_bound *e, const blni_glm_hyper *h, const bln_mixture *q, int features, bln_report *report)
{
    blni_glm_rows *r = &e->rows;
    bln_data rows;
    bln_targets t;
    bln_status status = blni_glm_rewind(r, h->theta, report);
    e->bound = 0.0;
    for (size_t i = 0; i < e->K*e->D; i++) e->dm[i] = e->dpsi[i] = 0.0;
    for (size_t k = 0; k < r->desc->likelihood.n_theta; k++) e->d_eta[k] = 0.0;
    for (size_t k = 0; k < r->basis->n_theta; k++) e->d_theta[k] = 0.0;
    for (size_t s = 0; s < r->basis->n_slices; s++) e->d_left[s] = 0.0;
    while (status == BLN_OK && (status = blni_glm_next(r, &rows, &t, report)) == BLN_OK && rows.n) {
        bln_mixture_project(q, rows.n, r->Phi, e->D, e->mu, e->v, r->block, e->work);
        blni_bound_add_left(e, h, rows.n);
        e->bound += blni_bound_expect(e, h, rows.n, &t);
        bln_mixture_pullback(q, rows.n, r->Phi, e->D, e->em, e->ev, r->block, e->dm, e->dpsi, features ? r->F : NULL, e->D,
                             e->work);
        blni_bound_pull_left(e, h, rows.n, features);
        if (features) blni_glm_pullback(r, &rows, e->d_theta);
    }
    bln_basis_settle(r->at, h->theta, features && status == BLN_OK ? e->d_theta : NULL);
    return status;
}

/* The bound and its gradients at (m, psi, h): e->bound, e->dm, e->dpsi, e->d_prior, e->d_eta and, if features, e->d_theta. */
BLNI_PRIV bln_status blni_bound_value(blni_bound *e, const blni_glm_hyper *h, const bln_mixture *q, int features,
                                      bln_report *report)
{
    const bln_glm_desc *d = e->rows.desc;
    const bln_status status = blni_bound_rows(e, h, q, features, report);
    if (status != BLN_OK) return status;
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) {
        const size_t end = blni_prior_first(d->basis, d->per_weight, s + 1);
        for (size_t i = blni_prior_first(d->basis, d->per_weight, s); i < end; i++) e->lambda[i] = h->prior_var[s];
    }
    for (size_t i = 0; i < e->D; i++) e->d_lambda[i] = 0.0;
    e->bound += bln_mixture_log_prior(q, e->lambda, e->dm, e->dpsi, e->d_lambda);
    e->bound += bln_mixture_entropy(q, e->K == 1 ? BLN_ENTROPY_PAIRS : d->entropy, e->dm, e->dpsi, e->entropy_work);
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) {
        const size_t end = blni_prior_first(d->basis, d->per_weight, s + 1);
        e->d_prior[s] = d->per_weight ? 0.0 : e->d_left[s];
        for (size_t i = blni_prior_first(d->basis, d->per_weight, s); i < end; i++) e->d_prior[s] += e->d_lambda[i];
    }
    return BLN_OK;
}

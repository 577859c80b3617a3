/* laplace_latents: the gradient of Laplace's evidence where a row has several latents                                  [laplace 41]
 *
 * With C the covariance of all weights, C_jk its block of latents j and k, c_jk = phi_j'C_jk phi_k and W as in B, for each row
 *     a = -1/2 sum_n sum_j e_j q_j,   q_j = sum_kl c_kl dW_kl/df_j,     u = H^-1 a by the true matrix,
 *     F_j = (d1_j - 1/2 q_j + sum_k d2_jk phi_k'u_k) w_j - sum_k W_jk C_jk phi_k + d1_j u_j,
 * e_j being the row's features of latent j, with zeros for the other latents. With one latent q = -d3 c [laplace 36, 37]. C is
 * computed once, after which a row costs J(J + 1)/2 products with one of its blocks. */
#include "laplace_private.h"
#include "../math/blas.h"

/* Before a pass: C of the factor in e->B, both triangles, into e->C. */
BLNI_PRIV void blni_latents_covariance(blni_mode *e)
{
    const blni_gaussian g = blni_mode_gaussian(e, 0, e->w);
    blni_gaussian_covariance(&g, e->C, e->D, e->C + e->size);
    bln_symmetrise(e->D, e->C, e->D);
}

/* r->c <- c_jk of a block, pairs. Uses r->F. */
BLNI_PRIV void blni_latents_variances(const blni_mode *e, size_t n)
{
    blni_glm_rows *r = e->rows;
    size_t row = 0;
    for (size_t j = 0; j < r->J; j++) {
        const size_t Dj = blni_glm_rows_basis(r, j)->D;
        for (size_t k = j, column = row; k < r->J; k++) {
            const size_t Dk = blni_glm_rows_basis(r, k)->D;
            double *c = r->c + blni_latent_pair(r->J, j, k)*r->block;
            bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, Dk, Dj, 1.0, blni_glm_rows_phi(r, j), r->D, e->C + row*e->D + column, e->D, 0.0,
                     r->F, Dk);
            for (size_t i = 0; i < n; i++) c[i] = bln_dot(Dk, r->F + i*Dk, blni_glm_rows_phi(r, k) + i*r->D);
            column += Dk;
        }
        row += Dj;
    }
}

/* q of a block into r->t1, times the weights of the rows, from r->c. */
BLNI_PRIV void blni_latents_curve(const blni_mode *e, const double *eta, size_t n, const bln_targets *t)
{
    blni_glm_rows *r = e->rows;
    const bln_likelihood *l = &r->desc->likelihood;
    BLNI_BY_BLOCKS(l->ops->latents->curve(l, eta, rows, &b, r->f + i, r->block, r->c + i, r->t1 + i))
    blni_glm_weigh(r, n, r->J, r->t1);
}

/* sum of C dW over all pairs of row i, in theta_k. */
BLNI_PRIV double blni_latents_trace(const blni_glm_rows *r, size_t i)
{
    double sum = 0.0;
    for (size_t j = 0; j < r->J; j++)
        for (size_t k = j; k < r->J; k++) {
            const size_t at = blni_latent_pair(r->J, j, k)*r->block + i;
            sum += (j == k ? 1.0 : 2.0)*r->c[at]*r->t2[at];
        }
    return sum;
}

/* What a block adds to d_eta and e->b. Uses r->t0, t1, t2. */
BLNI_PRIV void blni_latents_params(blni_mode *e, const blni_glm_hyper *h, size_t n, const bln_targets *t, double *d_eta)
{
    blni_glm_rows *r = e->rows;
    const bln_likelihood *l = &r->desc->likelihood;
    for (size_t k = 0; k < l->n_theta; k++) {
        BLNI_BY_BLOCKS(l->ops->latents->eval_param(l, h->eta, k, rows, &b, r->f + i, r->block, r->t0 + i, r->t1 + i, r->t2 + i))
        blni_glm_weigh(r, n, r->J, r->t1);
        for (size_t i = 0; i < n; i++)
            if (r->k[i] > 0.0) d_eta[k] += r->k[i]*(r->t0[i] - 0.5*blni_latents_trace(r, i));
        blni_glm_gather(r, n, r->t1, e->b + k*e->D);
    }
}

/* What a block adds to -2 a and, unless NULL, to d_eta and e->b. */
BLNI_PRIV void blni_latents_block(blni_mode *e, const blni_glm_hyper *h, size_t n, const bln_targets *t, double *d_eta)
{
    blni_latents_variances(e, n);
    if (d_eta) blni_latents_params(e, h, n, t, d_eta);
    blni_latents_curve(e, h->eta, n, t);
    blni_glm_gather(e->rows, n, e->rows->t1, e->a);
}

/* Slopes in the features of a block, into r->F; of latents with one basis for all they add up. */
BLNI_PRIV void blni_latents_features(blni_mode *e, const blni_glm_hyper *h, size_t n, const bln_targets *t)
{
    blni_glm_rows *r = e->rows;
    size_t row = 0;
    blni_latents_variances(e, n);
    blni_latents_curve(e, h->eta, n, t);
    blni_mode_information(r, h->eta, n, t, 1, r->t2);
    for (size_t i = 0; i < n*r->D; i++) r->F[i] = 0.0;
    for (size_t j = 0; j < r->J; j++) {
        const size_t Dj = blni_glm_rows_basis(r, j)->D;
        double *F = blni_glm_rows_slopes(r, j);
        for (size_t i = 0; i < n; i++) {
            double along = r->d1[j*r->block + i] - 0.5*r->t1[j*r->block + i];
            for (size_t k = 0, column = 0; k < r->J; k++) {
                const size_t Dk = blni_glm_rows_basis(r, k)->D;
                const size_t at = (j < k ? blni_latent_pair(r->J, j, k) : blni_latent_pair(r->J, k, j))*r->block + i;
                const double *phi = blni_glm_rows_phi(r, k) + i*r->D;
                along += r->d2[at]*bln_dot(Dk, phi, e->u + column);
                bln_gemv(BLN_NOTRANS, Dj, Dk, -r->t2[at], e->C + row*e->D + column, e->D, phi, 1.0, F + i*r->D);
                column += Dk;
            }
            bln_axpy(Dj, along, e->w + row, F + i*r->D);
            bln_axpy(Dj, r->d1[j*r->block + i], e->u + row, F + i*r->D);
        }
        row += Dj;
    }
}

/* The variances of all weights. */
BLNI_PRIV void blni_latents_diagonal(const blni_mode *e, double *var)
{
    for (size_t i = 0; i < e->D; i++) var[i] = e->C[i*(e->D + 1)];
}

/* After _movement: sum_n k_n sum_j (phi_j'u_j)^2/c_jj. */
BLNI_PRIV double blni_latents_shift_of(const blni_mode *e, size_t n)
{
    blni_glm_rows *r = e->rows;
    double sum = 0.0;
    blni_latents_variances(e, n);
    for (size_t j = 0, row = 0; j < r->J; row += blni_glm_rows_basis(r, j)->D, j++) {
        const double *c = r->c + blni_latent_pair(r->J, j, j)*r->block;
        for (size_t i = 0; i < n; i++) {
            const double shift = bln_dot(blni_glm_rows_basis(r, j)->D, blni_glm_rows_phi(r, j) + i*r->D, e->u + row);
            if (c[i] > 0.0 && r->k[i] > 0.0) sum += r->k[i]*shift*shift/c[i];
        }
    }
    return sum;
}

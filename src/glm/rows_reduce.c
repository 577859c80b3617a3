/* rows_reduce: fits with no more rows than features                                                                [variational 60]
 *
 * The likelihood depends on n numbers f = Phi w. With Phi S = U'Q', S^2 = Lambda, Q: D x n with Q'Q = I and U: n x n (the QR
 * factorisation of (Phi S)'), they are f = U'z, z = Q'S^-1 w ~ N(0, I); the part of S^-1 w outside the range of Q keeps its prior.
 * So the n rows of U' are the features of a model with n weights of prior variance 1, whose evidence, bounds and distributions of f
 * are those of the D weights. This is a dual form with n x n matrices, but it runs the same code as the primal one, and subtracts
 * no large numbers where f is known much better than a priori. [Rasmussen & Williams 2006, 3.4, has the dual of Laplace's method]
 *
 * With w = S Q z and slopes F~ of the objective in the rows of U', the slopes in the rows of Phi are F = F~ Q'S. The objective
 * depends on Lambda through Phi S alone, so  d/d log lambda_s = 1/2 sum_n sum_{i in s} F_ni phi_ni.
 *
 * A search at new hyper-parameters begins with the Gaussian factors exp(b f - W f^2/2) of the rows at the end of the search before,
 * under the new prior. */
#include "rows_private.h"
#include "../core/status_private.h"
#include "../math/qr_private.h"

/* The rows of (Phi S)' into Q, and what the features of each slice miss. */
BLNI_PRIV bln_status blni_reduced_rows(blni_glm_rows *r, const blni_glm_hyper *h, bln_report *report)
{
    blni_glm_reduced *z = &r->reduced;
    BLNI_PASS(r, h->theta, NULL) {
        for (size_t j = 0; j < r->D; j++)
            for (size_t i = 0; i < rows.n; i++) z->Q[j*z->n + r->first + i] = z->s[j]*r->Phi[i*r->D + j];
        for (size_t s = 0; s < r->basis->n_slices; s++)
            for (size_t i = 0; i < rows.n; i++) z->missed[s*z->n + r->first + i] = blni_glm_missed_of_row(r, h, s, i);
    }
    return status;
}

/* The features of these hyper-parameters, from which _next then takes its rows. */
BLNI_PRIV bln_status blni_reduce(blni_glm_rows *r, const blni_glm_hyper *h, bln_report *report)
{
    blni_glm_reduced *z = &r->reduced;
    z->ready = 0;
    r->D = r->basis->D;
    blni_glm_roots(r, h, z->s);
    BLNI_TRY(blni_reduced_rows(r, h, report));
    blni_geqrf(r->D, z->n, z->Q, z->n, z->tau, z->work);
    z->ready = 1;
    r->D = z->n;
    return BLN_OK;
}

/* What the n rows of a block say of f: r->c, r->d2. */
BLNI_PRIV void blni_reduced_keep(blni_glm_rows *r, size_t n)
{
    if (!r->reduced.n) return;
    memcpy(r->reduced.b + r->first, r->c, n*sizeof *r->c);
    memcpy(r->reduced.W + r->first, r->d2, n*sizeof *r->d2);
}

/* The slopes of a block, n x n, in r->F become those in the features of the basis, n x D, which come into r->Phi; d_prior grows by
 * their part. */
BLNI_PRIV void blni_reduced_expand(blni_glm_rows *r, const bln_data *rows)
{
    blni_glm_reduced *z = &r->reduced;
    const size_t D = r->basis->D, n = rows->n;
    if (!z->n) return;
    for (size_t j = 0; j < D; j++)
        for (size_t i = 0; i < n; i++) z->P[j*n + i] = j < z->n ? r->F[i*z->n + j] : 0.0;
    blni_ormqr(BLN_NOTRANS, D, n, z->n, z->Q, z->n, z->tau, z->P, n, z->work);
    bln_basis_features(r->view[0].at, r->theta, n, rows->X, blni_ldx(rows), r->Phi, D, r->basis_work);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < D; j++) r->F[i*D + j] = z->s[j]*z->P[j*n + i];
    for (size_t s = 0; s < r->n_slices; s++) {
        const size_t first = r->slice[s].first, count = r->slice[s].end - first;
        for (size_t i = 0; i < n; i++) z->d_prior[s] += 0.5*bln_dot(count, r->F + i*D + first, r->Phi + i*D + first);
    }
}

BLNI_PRIV void blni_reduced_clear(blni_glm_rows *r)
{
    for (size_t s = 0; s < r->n_slices && r->reduced.n; s++) r->reduced.d_prior[s] = 0.0;
}

/* The posterior of the D weights from the mean of z and what the rows said last: m, s and the factor R of I + S Phi'W Phi S.
 * positive: W_n < 0 count as 0. The rows are those of the basis again then. */
BLNI_PRIV bln_status blni_reduced_result(blni_glm_rows *r, const blni_glm_hyper *h, const double *mean, int positive, double *m,
                                         double *s, double *R, bln_report *report)
{
    blni_glm_reduced *z = &r->reduced;
    const size_t D = r->desc->basis->D;
    size_t bad;
    for (size_t j = 0; j < D; j++) z->P[j] = j < z->n ? mean[j] : 0.0;
    blni_ormqr(BLN_NOTRANS, D, 1, z->n, z->Q, z->n, z->tau, z->P, 1, z->work);
    for (size_t j = 0; j < D; j++) m[j] = z->s[j]*z->P[j];
    memcpy(s, z->s, D*sizeof *s);
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < D; j++) R[i*D + j] = i == j ? 1.0 : 0.0;
    z->ready = 0;
    r->D = D;
    BLNI_PASS(r, h->theta, NULL)
        for (int sign = 1; sign >= (positive ? 1 : -1); sign -= 2) {
            for (size_t i = 0; i < rows.n; i++) {
                const double W = sign*z->W[r->first + i], root = W > 0.0 ? sqrt(W) : 0.0;
                for (size_t j = 0; j < D; j++) r->F[i*D + j] = root > 0.0 ? root*z->s[j]*r->Phi[i*D + j] : 0.0;
            }
            bln_syrk(BLN_TRANS, D, rows.n, sign, r->F, D, 1.0, R, D);
        }
    if (status == BLN_OK && bln_potrf(D, R, D, &bad) != BLN_OK)
        status = blni_refuse(report, BLN_ENUMERIC, "glm: features overflow; scale the data");
    return status;
}

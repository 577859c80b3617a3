/* student: against dense formulas of the normal-inverse-gamma posterior it stands for; the check. That it says what the integrated
 * linear model says is in test_predict_models. */
#include "posterior_tools.h"

/* Rows of features Phi, targets y, prior precisions over that of the noise (0: flat): the location A^-1 Phi'y and A^-1 itself, with
 * A = Phi'Phi + diag(precision). */
enum { STUDENT_ROWS = 11, STUDENT_D = 5 };

static void student_dense(const double *Phi, const double *y, const double *precision, double *location, double *A)
{
    for (size_t i = 0; i < STUDENT_D; i++)
        for (size_t j = 0; j < STUDENT_D; j++) {
            A[i*STUDENT_D + j] = i == j ? precision[i] : 0.0;
            for (size_t r = 0; r < STUDENT_ROWS; r++) A[i*STUDENT_D + j] += Phi[r*STUDENT_D + i]*Phi[r*STUDENT_D + j];
        }
    slm_invert(STUDENT_D, A);
    for (size_t i = 0; i < STUDENT_D; i++) {
        location[i] = 0.0;
        for (size_t r = 0; r < STUDENT_ROWS; r++)
            for (size_t j = 0; j < STUDENT_D; j++) location[i] += A[i*STUDENT_D + j]*Phi[r*STUDENT_D + j]*y[r];
    }
}

/* The arrays of a view by their meaning: with flat columns F = Q U_f, W = Q'Phi_o and P = (I - QQ') Phi_o, R'R = I + S P'P S and
 * t = R^-T S P'y, z_f = Q'y. Everything dense. */
static void student_arrays(const double *Phi, const double *y, size_t nf, const size_t *flat, size_t p, const size_t *other,
                           const double *scale, size_t K, double *Uf, double *zf, double *W, double *R, double *t)
{
    double Q[STUDENT_ROWS*STUDENT_D] = { 0.0 }, P[STUDENT_ROWS*STUDENT_D];
    for (size_t a = 0; a < nf; a++) {                                    /* Gram and Schmidt, twice each */
        double q[STUDENT_ROWS];
        for (size_t r = 0; r < STUDENT_ROWS; r++) q[r] = Phi[r*STUDENT_D + flat[a]];
        for (size_t b = 0; b <= a; b++) Uf[b*nf + a] = 0.0;
        for (int twice = 0; twice < 2; twice++)
            for (size_t b = 0; b < a; b++) {
                double c = 0.0;
                for (size_t r = 0; r < STUDENT_ROWS; r++) c += Q[r*STUDENT_D + b]*q[r];
                for (size_t r = 0; r < STUDENT_ROWS; r++) q[r] -= c*Q[r*STUDENT_D + b];
                Uf[b*nf + a] += c;
            }
        for (size_t r = 0; r < STUDENT_ROWS; r++) Uf[a*nf + a] += q[r]*q[r];
        Uf[a*nf + a] = sqrt(Uf[a*nf + a]);
        zf[a] = 0.0;
        for (size_t r = 0; r < STUDENT_ROWS; r++) zf[a] += (Q[r*STUDENT_D + a] = q[r]/Uf[a*nf + a])*y[r];
    }
    for (size_t j = 0; j < p; j++) {
        for (size_t a = 0; a < nf; a++) {
            W[a*p + j] = 0.0;
            for (size_t r = 0; r < STUDENT_ROWS; r++) W[a*p + j] += Q[r*STUDENT_D + a]*Phi[r*STUDENT_D + other[j]];
        }
        for (size_t r = 0; r < STUDENT_ROWS; r++) {
            P[r*STUDENT_D + j] = Phi[r*STUDENT_D + other[j]];
            for (size_t a = 0; a < nf; a++) P[r*STUDENT_D + j] -= Q[r*STUDENT_D + a]*W[a*p + j];
        }
    }
    for (size_t k = 0; k < K; k++) {
        double *U = R + k*p*p, *x = t + k*p;
        for (size_t i = 0; i < p; i++) {
            x[i] = 0.0;
            for (size_t r = 0; r < STUDENT_ROWS; r++) x[i] += scale[k*p + i]*P[r*STUDENT_D + i]*y[r];
            for (size_t j = i; j < p; j++) {
                U[i*p + j] = i == j ? 1.0 : 0.0;
                for (size_t r = 0; r < STUDENT_ROWS; r++)
                    U[i*p + j] += scale[k*p + i]*P[r*STUDENT_D + i]*P[r*STUDENT_D + j]*scale[k*p + j];
            }
        }
        CHECK_OK(bln_potrf(p, U, p, NULL));
        bln_trsv(BLN_TRANS, p, U, p, x);
    }
}

TEST(kind_student, agrees_with_definition)
{
    static const size_t flat[] = { 3, 0 }, other[2][5] = { { 0, 1, 2, 3, 4 }, { 4, 1, 2 } };
    posterior_bases b = posterior_bases_new();
    const double eta[2] = { 0.7, 1.9 };
    double Phi[STUDENT_ROWS*STUDENT_D], y[STUDENT_ROWS];
    test_random r = test_random_new(90);
    test_fill_normal(&r, STUDENT_ROWS*STUDENT_D, Phi);
    test_fill_normal(&r, STUDENT_ROWS, y);
    for (size_t nf = 0; nf < 3; nf += 2) {
        const size_t p = STUDENT_D - nf, *rest = other[nf/2];
        double Uf[4], zf[2], W[2*5], scale[2*5], R[2*25], t[2*5], m[2*STUDENT_D], C[2*STUDENT_D*STUDENT_D];
        bln_students v;
        for (size_t i = 0; i < 2*p; i++) scale[i] = 0.3 + test_uniform(&r);
        student_arrays(Phi, y, nf, flat, p, rest, scale, 2, Uf, zf, W, R, t);
        for (size_t k = 0; k < 2; k++) {
            double precision[STUDENT_D] = { 0.0 };
            for (size_t j = 0; j < p; j++) precision[rest[j]] = 1.0/(scale[k*p + j]*scale[k*p + j]);
            student_dense(Phi, y, precision, m + k*STUDENT_D, C + k*STUDENT_D*STUDENT_D);
            for (size_t i = 0; i < STUDENT_D*STUDENT_D; i++) C[k*STUDENT_D*STUDENT_D + i] *= eta[k];
        }
        v.n_flat = nf;
        v.n_free = p;
        v.flat = nf ? flat : NULL;
        v.other = rest;
        v.Uf = nf ? Uf : NULL;
        v.zf = nf ? zf : NULL;
        v.W = nf ? W : NULL;
        v.scale = scale;
        v.R = R;
        v.t = t;
        bln_group g = posterior_group(bln_kind_student(), &v, 2, eta);
        g.ldeta = 1;
        bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
        q.dof = 4.0;
        CHECK_OK(bln_posterior_check(&q, NULL));
        CHECK_SIZE(posterior_numbers(&q, &g), nf*(nf + p + 1) + STUDENT_D + 2*p*(p + 2));
        posterior_check_kind(&q, &g, 1, 4, m, STUDENT_D, C, STUDENT_D*STUDENT_D, 1e-12);    /* conditions below 1e3 */
    }
    posterior_bases_free(&b);
}

/* All weights flat: w = U_f^-1 (z_f + c e), e normal, c^2 = eta dof/chi^2. Moments of 4000 draws to 5 standard errors; fourth
 * moments exist for 10 degrees of freedom. */
TEST(kind_student, all_flat)
{
    enum { D = STUDENT_D, DRAWS = 4000 };
    static const size_t flat[D] = { 0, 1, 2, 3, 4 };
    posterior_bases b = posterior_bases_new();
    const double eta = 0.7, dof = 10.0;
    double U[D*D], z[D], C[D*D], A[D*D], mean[D], *W = test_doubles(DRAWS*D);
    bln_students v = BLN_ZERO;
    bln_draw_desc d = BLN_ZERO;
    test_random r = test_random_new(93);
    test_fill_normal(&r, D*D, U);
    test_fill_normal(&r, D, z);
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j <= i; j++) U[i*D + j] = i == j ? 1.0 + 0.2*(double)i : 0.0;
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < D; j++) {
            A[i*D + j] = 0.0;
            for (size_t k = 0; k < D; k++) A[i*D + j] += U[k*D + i]*U[k*D + j];
        }
    slm_invert(D, A);
    v.n_flat = D;
    v.flat = flat;
    v.Uf = U;
    v.zf = v.W = v.scale = v.R = v.t = z;                    /* of which none but z_f is read */
    const bln_group g = posterior_group(bln_kind_student(), &v, 1, &eta);
    bln_posterior q = posterior_of(b.view, 1, 1, bln_observe_noise(1), &g, 1);
    q.dof = dof;
    CHECK_OK(bln_posterior_check(&q, NULL));
    CHECK_OK(bln_posterior_coefficients(&q, mean, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(bln_posterior_covariance(&q, C, 0, NULL, NULL));
    for (size_t i = 0; i < D; i++)
        for (size_t j = i; j < D; j++) CHECK_NEAR(C[i*D + j], eta*dof/(dof - 2.0)*A[i*D + j], 1e-12*(1.0 + fabs(A[i*D + j])));
    d.n = DRAWS;
    d.seed = 3;
    CHECK_OK(bln_posterior_draw_weights(&q, &d, W, NULL, 0, NULL, NULL));
    for (size_t j = 0; j < D; j++) {
        double sum = 0.0, square = 0.0;
        const double var = C[j*(D + 1)];
        for (size_t i = 0; i < DRAWS; i++) {
            sum += W[i*D + j] - mean[j];
            square += (W[i*D + j] - mean[j])*(W[i*D + j] - mean[j]);
        }
        CHECK_NEAR(sum/DRAWS, 0.0, 5.0*sqrt(var/DRAWS));
        CHECK_NEAR(square/DRAWS, var, 5.0*var*sqrt((2.0 + 6.0/(dof - 4.0))/DRAWS));      /* kurtosis 3 + 6/(dof - 4) */
    }
    free(W);
    posterior_bases_free(&b);
}

TEST(kind_student, refuses)
{
    posterior_bases b = posterior_bases_new();
    const double x[25] = { 1.0 };
    const size_t index[5] = { 0, 1, 2, 3, 4 };
    bln_report report;
    bln_students v;
    bln_group g = posterior_group(bln_kind_student(), &v, 1, x);
    for (int c = 0; c < 7; c++) {
        bln_posterior q = posterior_of(b.view, 1, c == 5 ? 2 : 1, bln_observe_noise(c == 5 ? 2 : 1), &g, 1);
        q.dof = c == 0 ? 0.0 : 4.0;
        memset(&v, 0, sizeof v);
        v.n_flat = 2;
        v.n_free = c == 1 ? 2 : 3;
        v.flat = v.other = index;
        v.Uf = v.zf = v.W = v.scale = v.R = v.t = x;
        if (c == 2) v.W = NULL;
        if (c == 3) v.other = NULL;
        if (c == 4) v.t = NULL;
        CHECK_STATUS(bln_posterior_check(&q, &report), c == 6 ? BLN_OK : BLN_EINVAL);
        if (c < 6) CHECK_TEXT(report.text, "student: ");
    }
    posterior_bases_free(&b);
}

SUITE_BEGIN(kind_student)
SUITE_TEST(kind_student, agrees_with_definition)
SUITE_TEST(kind_student, all_flat)
SUITE_TEST(kind_student, refuses)
SUITE_END(kind_student)

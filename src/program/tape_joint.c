/* tape_joint: a whole matrix or sequence has one log density, and slopes that the forward pass leaves in aux   [programs 36-38] */
#include "tape_joint.h"
#include "tape_density_private.h"
#include "tape_matrix_private.h"
#include "../math/blas.h"
#include "../math/cholesky.h"
#include "../math/special.h"
#include "../math/vecmath.h"

/* Adds the log density to the target, and notes its node. */
BLNI_PRIV void blni_whole_add(bln_tape *t, const blni_node_kind *kind, const bln_var *in, const uint32_t *aux, size_t k, double lp)
{
    if (t->naming && !blni_finite(lp)) { blni_tape_not_finite(t, kind->name, 0, k, in); return; }
    blni_tape_keep_rows(t, 1, &lp);
    t->target[t->term] += lp;
    blni_tape_node(t, kind, k, in, blni_var(1 + t->term, 1), 0, 0, aux);
}

/* Is it a scalar? */
BLNI_PRIV int blni_whole_scalar(bln_tape *t, const char *call, const char *argument, bln_var x)
{
    if (blni_size(t, x) == 1) return 1;
    blni_tape_fail(t, BLN_ESHAPE, call, argument);
    blni_tape_say_with(t, " must be a scalar: it has ", blni_size(t, x));
    blni_tape_say(t, " elements");
    return 0;
}

/* ---- correlations and covariances */

BLNI_TABLE const blni_node_kind blni_lkj_kind = { "bln_lp_lkj_factor", blni_sum_reverse };

BLN_API void bln_lp_lkj_factor(bln_tape *t, bln_var U, bln_var eta)
{
    static const char *const name = "bln_lp_lkj_factor";
    bln_var in[2] = { U, eta };
    uint32_t aux[2];
    double lp = 0.0;
    if (!blni_tape_ready(t, name, 2, in) || !blni_matrix_square(t, name, "U", U) || !blni_whole_scalar(t, name, "eta", eta)) return;
    const size_t K = blni_rows(t, U);
    if (!blni_tape_room(t, 0, K*K + 1, 4)) return;
    aux[0] = blni_tape_take_aux(t, K*K);
    aux[1] = blni_tape_take_aux(t, 1);
    const double *u = blni_values(t, U), e = *blni_values(t, eta), top = e + 0.5*((double)K - 1.0);
    double *slope = t->aux + aux[0], *slope_eta = t->aux + aux[1];
    if (!(e > 0.0)) { blni_lp_outside(t, name, "eta", blni_is_constant(eta), 0, e, "> 0"); return; }
    memset(slope, 0, K*K*sizeof *slope);
    *slope_eta = 0.0;
    for (size_t k = 1; k < K; k++) {
        const double d = u[k*K + k], power = (double)(K - k) + 2.0*e - 3.0, half = 0.5*(double)k;
        if (!(d > 0.0)) { blni_lp_outside(t, name, "the diagonal of U", blni_is_constant(U), k, d, "> 0"); return; }
        lp += power*log(d) - half*BLNI_LOG_PI - bln_lgamma(top - half) + bln_lgamma(top);
        slope[k*K + k] = power/d;
        if (t->gradient) *slope_eta += 2.0*log(d) - bln_digamma(top - half) + bln_digamma(top);
    }
    blni_whole_add(t, &blni_lkj_kind, in, aux, 2, lp);
}

BLNI_TABLE const blni_node_kind blni_wishart_kind = { "bln_lp_wishart", blni_sum_reverse };
BLNI_TABLE const blni_node_kind blni_inv_wishart_kind = { "bln_lp_inv_wishart", blni_sum_reverse };

/* The slopes of -tr(A^-1 B)/2 + a log|A| + b log|B| in place of the factors of A and B: upper triangles of A^-1 B A^-1 + 2 a A^-1
 * and of 2 b B^-1 - A^-1, their diagonals halved. Y Y' = A^-1 B A^-1. */
BLNI_PRIV void blni_wishart_slopes(size_t K, const double *Y, double a, double b, double *A, double *B)
{
    bln_trtri(K, A, K);
    bln_lauum(K, A, K, A, K);
    bln_trtri(K, B, K);
    bln_lauum(K, B, K, B, K);
    for (size_t i = 0; i < K; i++)
        for (size_t j = i; j < K; j++) B[i*K + j] = 2.0*b*B[i*K + j] - A[i*K + j];
    bln_syrk(BLN_NOTRANS, K, K, 1.0, Y, K, 2.0*a, A, K);
    for (size_t i = 0; i < K; i++) { A[i*K + i] *= 0.5; B[i*K + i] *= 0.5; }
}

/* Both are -tr(A^-1 B)/2 + a log|A| + b log|B| - c: of the Wishart A is S and B is W, of its inverse A is W and B is S. */
BLNI_PRIV void blni_wishart(bln_tape *t, const blni_node_kind *kind, bln_var W, bln_var dof, bln_var S)
{
    const int inverse = kind == &blni_inv_wishart_kind, of_A = inverse ? 0 : 2, of_B = 2 - of_A;
    bln_var in[3] = { W, dof, S };
    uint32_t aux[3];
    double trace = 0.0, c, psi = 0.0;
    if (!blni_tape_ready(t, kind->name, 3, in) || !blni_matrix_square(t, kind->name, "W", W)
        || !blni_whole_scalar(t, kind->name, "dof", dof)) return;
    const size_t K = blni_rows(t, W);
    if (blni_rows(t, S) != K || blni_cols(t, S) != K) { blni_matrix_misfit(t, kind->name, "W", W, "S", S); return; }
    if (!blni_tape_room(t, 0, blni_add(1, 3*K*K), 5)) return;
    for (size_t j = 0; j < 3; j++) aux[j] = blni_tape_take_aux(t, j == 1 ? 1 : K*K);
    double *A = t->aux + aux[of_A], *B = t->aux + aux[of_B], *Y = t->aux + blni_tape_take_aux(t, K*K);
    const double nu = *blni_values(t, dof), k = (double)K;
    if (!(nu > k - 1.0)) { blni_lp_outside(t, kind->name, "dof", blni_is_constant(dof), 0, nu, "> rows of W - 1"); return; }
    if (!blni_matrix_factor(t, kind->name, K, blni_values(t, in[of_A]), A, blni_is_constant(in[of_A]))
        || !blni_matrix_factor(t, kind->name, K, blni_values(t, in[of_B]), B, blni_is_constant(in[of_B]))) return;
    for (size_t i = 0; i < K; i++) for (size_t j = 0; j < K; j++) Y[i*K + j] = B[j*K + i];
    bln_trsm(BLN_TRANS, K, K, A, K, Y, K);                           /* of the factors: A^-T B', whose squares sum to the trace */
    for (size_t i = 0; i < K*K; i++) trace += Y[i]*Y[i];
    const double log_A = bln_logdet_factor(K, A, K), log_B = bln_logdet_factor(K, B, K);
    const double a = -0.5*(inverse ? nu + k + 1.0 : nu), b = 0.5*(inverse ? nu : nu - k - 1.0);
    c = 0.5*nu*k*BLNI_LN_2 + 0.25*k*(k - 1.0)*BLNI_LOG_PI;
    for (size_t j = 0; j < K; j++) {
        c += bln_lgamma(0.5*(nu - (double)j));
        if (t->gradient) psi += bln_digamma(0.5*(nu - (double)j));
    }
    if (t->gradient) {
        t->aux[aux[1]] = 0.5*(log_B - log_A - k*BLNI_LN_2 - psi);
        bln_trsm(BLN_NOTRANS, K, K, A, K, Y, K);
        blni_wishart_slopes(K, Y, a, b, A, B);
    }
    blni_whole_add(t, kind, in, aux, 3, a*log_A + b*log_B - 0.5*trace - c);
}

BLN_API void bln_lp_wishart(bln_tape *t, bln_var W, bln_var dof, bln_var S) { blni_wishart(t, &blni_wishart_kind, W, dof, S); }
BLN_API void bln_lp_inv_wishart(bln_tape *t, bln_var W, bln_var dof, bln_var S)
{
    blni_wishart(t, &blni_inv_wishart_kind, W, dof, S);
}

/* The rows of U^-T (X - M) are independent, each with the covariance V'V. */
BLN_API void bln_lp_matrix_normal_factor(bln_tape *t, bln_var X, bln_var M, bln_var U, bln_var V)
{
    static const char *const name = "bln_lp_matrix_normal_factor";
    bln_var in[4] = { X, M, U, V };
    if (!blni_tape_ready(t, name, 4, in) || !blni_matrix_square(t, name, "U", U) || !blni_matrix_square(t, name, "V", V)) return;
    if (blni_rows(t, X) != blni_rows(t, U)) { blni_matrix_misfit(t, name, "X", X, "U", U); return; }
    if (blni_cols(t, X) != blni_rows(t, V)) { blni_matrix_misfit(t, name, "X", X, "V", V); return; }
    if (blni_size(t, M) != 1 && (blni_rows(t, M) != blni_rows(t, X) || blni_cols(t, M) != blni_cols(t, X))) {
        blni_matrix_misfit(t, name, "X", X, "M", M);
        return;
    }
    if (t->pointwise && t->term == BLNI_TERM_ROWS) {
        blni_tape_fail(t, BLN_EINVAL, name, "rows that depend on each other have no densities of their own");
        return;
    }
    const bln_var rows = bln_v_solve_factor(t, BLN_TRANS, U, bln_v_sub(t, X, M));
    bln_lp_multi_normal_factor(t, rows, bln_c_num(t, 0.0), V);
    bln_lp_add(t, bln_v_scale(t, -0.5*(double)blni_cols(t, X), bln_v_logdet_factor(t, U)));
}

/* ---- hidden states */

BLNI_TABLE const blni_node_kind blni_hidden_kind = { "bln_lp_hidden_markov", blni_sum_reverse };

/* to_k = log sum_j exp(from_j + move_jk); w: K x K. */
BLNI_PRIV void blni_hidden_step(size_t K, const double *from, size_t step, const double *move, double *w, double *to)
{
    for (size_t k = 0; k < K; k++) {
        double most = -HUGE_VAL;
        for (size_t j = 0; j < K; j++) {
            w[k*K + j] = from[j*step] + move[j*K + k];
            if (w[k*K + j] > most) most = w[k*K + j];
        }
        to[k] = most > -HUGE_VAL ? most : 0.0;                       /* no way leads there: log of 0 below */
        for (size_t j = 0; j < K; j++) w[k*K + j] -= to[k];
    }
    bln_vec_exp(K*K, w, w);
    for (size_t k = 0; k < K; k++) {
        double sum = 0.0;
        for (size_t j = 0; j < K; j++) sum += w[k*K + j];
        to[k] += log(sum);
    }
}

/* Probabilities of states and moves given all that was seen, from the last time to the first. alpha, K x n: log of the density of
 * all up to i and of the state there; then the probability of the state. g: of the last state; then of the first. dmove: K x K. */
BLNI_PRIV void blni_hidden_back(size_t K, size_t n, const double *move, const double *log_p, double *alpha, double *g, double *w,
                                double *dmove)
{
    for (size_t i = n; i-- > 1;) {
        for (size_t k = 0; k < K; k++) {
            const double to = alpha[k*n + i];
            for (size_t j = 0; j < K; j++)
                w[k*K + j] = to > -HUGE_VAL ? alpha[j*n + i - 1] + move[j*K + k] + log_p[k*n + i] - to : -HUGE_VAL;
            alpha[k*n + i] = g[k];
        }
        bln_vec_exp(K*K, w, w);
        for (size_t j = 0; j < K; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < K; k++) {
                const double both = alpha[k*n + i]*w[k*K + j];
                dmove[j*K + k] += both;
                sum += both;
            }
            g[j] = sum;
        }
    }
    for (size_t k = 0; k < K; k++) alpha[k*n] = g[k];
}

BLN_API void bln_lp_hidden_markov(bln_tape *t, bln_var log_start, bln_var log_move, bln_var log_p)
{
    static const char *const name = "bln_lp_hidden_markov";
    bln_var in[3] = { log_start, log_move, log_p };
    uint32_t aux[3];
    if (!blni_tape_ready(t, name, 3, in) || !blni_matrix_square(t, name, "log_move", log_move)) return;
    const size_t K = blni_rows(t, log_move), n = blni_cols(t, log_p);
    if (blni_size(t, log_start) != K) { blni_matrix_misfit(t, name, "log_start", log_start, "log_move", log_move); return; }
    if (blni_rows(t, log_p) != K || n == 0) { blni_matrix_misfit(t, name, "log_p", log_p, "log_move", log_move); return; }
    if (!blni_tape_room(t, 0, blni_add(2*K + 2*K*K, blni_mul(K, n)), 5)) return;
    aux[0] = blni_tape_take_aux(t, K);
    aux[1] = blni_tape_take_aux(t, K*K);
    aux[2] = blni_tape_take_aux(t, K*n);
    const double *start = blni_values(t, log_start), *move = blni_values(t, log_move), *p = blni_values(t, log_p);
    double *g = t->aux + aux[0], *dmove = t->aux + aux[1], *alpha = t->aux + aux[2], *to = t->aux + blni_tape_take_aux(t, K);
    double *w = t->aux + blni_tape_take_aux(t, K*K);
    for (size_t k = 0; k < K; k++) alpha[k*n] = start[k] + p[k*n];
    for (size_t i = 1; i < n; i++) {
        blni_hidden_step(K, alpha + i - 1, n, move, w, to);
        for (size_t k = 0; k < K; k++) alpha[k*n + i] = to[k] + p[k*n + i];
    }
    for (size_t k = 0; k < K; k++) g[k] = alpha[k*n + n - 1];
    const double lp = bln_logsumexp(K, g);
    for (size_t k = 0; k < K; k++) g[k] = exp(g[k] - lp);
    for (size_t k = 0; k < K*K; k++) dmove[k] = 0.0;
    if (t->gradient && blni_finite(lp)) blni_hidden_back(K, n, move, p, alpha, g, w, dmove);
    blni_whole_add(t, &blni_hidden_kind, in, aux, 3, lp);
}

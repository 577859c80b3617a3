/* constrain: for each domain the map from free coordinates with its log-Jacobian, its inverse for starts, and the pullback of the
 * gradient, which includes the slope of the log-Jacobian                                            [programs 7-14, 16, 24] */
#include "constrain_private.h"
#include "../core/data_private.h"
#include "../math/blas.h"
#include "../math/cholesky.h"
#include "../math/special.h"

BLNI_PRIV int blni_space_is_matrix(const blni_space *s) { return s->constraint >= BLN_CONSTRAINT_CORRELATION_FACTOR; }
BLNI_PRIV int blni_space_is_product(const blni_space *s)
{
    return s->constraint == BLN_CONSTRAINT_CORRELATION || s->constraint == BLN_CONSTRAINT_COVARIANCE;
}
BLNI_PRIV int blni_space_is_correlation(const blni_space *s)
{
    return s->constraint == BLN_CONSTRAINT_CORRELATION || s->constraint == BLN_CONSTRAINT_CORRELATION_FACTOR;
}

/* NULL, or what is wrong with it. */
BLNI_PRIV const char *blni_space_reason(const blni_space *s)
{
    if ((unsigned)s->constraint > (unsigned)BLN_CONSTRAINT_COVARIANCE) return "unknown constraint";
    if (s->rows == 0 || s->cols == 0) return "no elements";
    if (blni_space_is_matrix(s) && s->rows != s->cols) return "must be a square matrix";
    if (s->constraint >= BLN_CONSTRAINT_ORDERED && !blni_space_is_matrix(s) && s->cols != 1) return "must be a vector";
    const int interval = s->constraint == BLN_CONSTRAINT_INTERVAL;
    if ((s->constraint == BLN_CONSTRAINT_LOWER || interval) && !blni_finite(s->lo)) return "lo is not finite";
    if ((s->constraint == BLN_CONSTRAINT_UPPER || interval) && !blni_finite(s->hi)) return "hi is not finite";
    if (interval && !(s->lo < s->hi && blni_finite(s->hi - s->lo))) return "lo must be below hi";
    return blni_mul(s->rows, s->cols) > BLNI_PLACE ? "too large" : NULL;
}

/* Numbers of the parameter, of z, and of work that the ways need. */
BLNI_PRIV size_t blni_space_size(const blni_space *s) { return s->rows*s->cols; }
BLNI_PRIV size_t blni_space_free(const blni_space *s)
{
    const size_t K = s->rows;
    if (s->constraint == BLN_CONSTRAINT_SIMPLEX) return K - 1;
    if (blni_space_is_correlation(s)) return K*(K - 1)/2;
    if (blni_space_is_matrix(s)) return K*(K + 1)/2;
    return blni_space_size(s);
}
BLNI_PRIV size_t blni_space_work(const blni_space *s) { return blni_space_is_product(s) ? s->rows*s->rows : 0; }

/* ---- there */

/* log sqrt(1 - tanh^2 z) */
BLNI_PRIV double blni_log_sech(double z) { return 0.69314718055994530942 - fabs(z) - log1p(exp(-2.0*fabs(z))); }

/* Column i of U: U_ji = tanh(z_ij) s_ij, s_ij = prod_{k < j} sqrt(1 - tanh^2 z_ik), and U_ii = s_ii. */
BLNI_PRIV double blni_correlation_forward(size_t K, const double *z, double *U)
{
    double log_jacobian = 0.0;
    for (size_t i = 0; i < K; i++) {
        double log_s = 0.0;
        for (size_t j = 0; j < i; j++, z++) {
            const double h = blni_log_sech(*z);
            U[j*K + i] = tanh(*z)*exp(log_s);
            log_s += h;
            log_jacobian += (double)(i - j + 1)*h;
        }
        U[i*K + i] = exp(log_s);
        for (size_t j = i + 1; j < K; j++) U[j*K + i] = 0.0;
    }
    return log_jacobian;
}
BLNI_PRIV double blni_covariance_forward(size_t K, const double *z, double *U)
{
    double log_jacobian = 0.0;
    for (size_t i = 0; i < K; i++) {
        for (size_t j = 0; j < i; j++) U[j*K + i] = *z++;
        U[i*K + i] = exp(*z);
        log_jacobian += *z++;
        for (size_t j = i + 1; j < K; j++) U[j*K + i] = 0.0;
    }
    return log_jacobian;
}
BLNI_PRIV double blni_factor_forward(const blni_space *s, const double *z, double *U)
{
    return blni_space_is_correlation(s) ? blni_correlation_forward(s->rows, z, U) : blni_covariance_forward(s->rows, z, U);
}

/* What U -> U'U adds to the log-Jacobian is sum_i weight_i log U_ii, and K log 2 of a covariance. */
BLNI_PRIV double blni_product_weight(const blni_space *s, size_t i)
{
    return (double)(s->rows - i) - (blni_space_is_correlation(s) ? 1.0 : 0.0);
}

BLNI_PRIV double blni_simplex_forward(size_t K, const double *z, double *x)
{
    double log_rest = 0.0, log_jacobian = 0.0;
    for (size_t k = 0; k < K; k++) {
        double log_x = log_rest;
        if (k + 1 < K) {
            const double a = z[k] - log((double)(K - 1 - k));
            log_x -= bln_log1pexp(-a);
            log_rest -= bln_log1pexp(a);
        }
        x[k] = exp(log_x);
        log_jacobian += log_x;
    }
    return log_jacobian;
}

/* x <- the parameter; returns log |dx/dz|. work: blni_space_work numbers. */
BLNI_PRIV double blni_space_forward(const blni_space *s, const double *z, double *x, double *work)
{
    const size_t n = blni_space_size(s);
    double sum = 0.0;
    switch (s->constraint) {
    case BLN_CONSTRAINT_FREE: memcpy(x, z, n*sizeof *x); return 0.0;
    case BLN_CONSTRAINT_POSITIVE: for (size_t i = 0; i < n; i++) { x[i] = exp(z[i]); sum += z[i]; } return sum;
    case BLN_CONSTRAINT_LOWER: for (size_t i = 0; i < n; i++) { x[i] = s->lo + exp(z[i]); sum += z[i]; } return sum;
    case BLN_CONSTRAINT_UPPER: for (size_t i = 0; i < n; i++) { x[i] = s->hi - exp(z[i]); sum += z[i]; } return sum;
    case BLN_CONSTRAINT_INTERVAL:
        for (size_t i = 0; i < n; i++) {
            x[i] = z[i] < 0.0 ? s->lo + (s->hi - s->lo)*bln_sigmoid(z[i]) : s->hi - (s->hi - s->lo)*bln_sigmoid(-z[i]);
            sum -= bln_log1pexp(z[i]) + bln_log1pexp(-z[i]);
        }
        return sum + (double)n*log(s->hi - s->lo);
    case BLN_CONSTRAINT_ORDERED: case BLN_CONSTRAINT_POSITIVE_ORDERED:
        for (size_t i = 0; i < n; i++) {
            const int plain = i == 0 && s->constraint == BLN_CONSTRAINT_ORDERED;
            x[i] = plain ? z[i] : (i ? x[i - 1] : 0.0) + exp(z[i]);
            if (!plain) sum += z[i];
        }
        return sum;
    case BLN_CONSTRAINT_SIMPLEX: return blni_simplex_forward(n, z, x);
    case BLN_CONSTRAINT_UNIT_VECTOR:
        sum = bln_dot(n, z, z);
        for (size_t i = 0; i < n; i++) x[i] = z[i]/sqrt(sum);
        return -0.5*sum;
    case BLN_CONSTRAINT_CORRELATION_FACTOR: case BLN_CONSTRAINT_COVARIANCE_FACTOR: return blni_factor_forward(s, z, x);
    default: break;
    }
    sum = blni_factor_forward(s, z, work);
    bln_gemm(BLN_TRANS, BLN_NOTRANS, s->rows, s->rows, s->rows, 1.0, work, s->rows, work, s->rows, 0.0, x, s->rows);
    bln_symmetrise(s->rows, x, s->rows);
    if (s->constraint == BLN_CONSTRAINT_COVARIANCE) sum += 0.69314718055994530942*(double)s->rows;
    for (size_t i = 0; i < s->rows; i++) sum += blni_product_weight(s, i)*log(work[i*s->rows + i]);
    return sum;
}

/* ---- back */

BLNI_PRIV void blni_factor_back(const blni_space *s, const double *U, double *z)
{
    const size_t K = s->rows;
    for (size_t i = 0; i < K; i++) {
        double rest = 1.0;                                       /* s_ij^2 */
        for (size_t j = 0; j < i; j++) {
            const double u = U[j*K + i];
            *z++ = blni_space_is_correlation(s) ? atanh(u/sqrt(rest)) : u;
            rest -= u*u;
        }
        if (!blni_space_is_correlation(s)) *z++ = log(U[i*K + i]);
    }
}

/* Is what should be 1 so, to 1e-8? */
BLNI_PRIV int blni_is_1(double x) { return fabs(x - 1.0) <= 1e-8; }

/* Do the diagonal of U and the sums of squares of its columns suit the domain? */
BLNI_PRIV int blni_factor_ok(const blni_space *s, const double *U)
{
    const size_t K = s->rows;
    for (size_t i = 0; i < K; i++) {
        double sum = 0.0;
        for (size_t j = 0; j <= i; j++) sum += U[j*K + i]*U[j*K + i];
        if (!(U[i*K + i] > 0.0) || (blni_space_is_correlation(s) && !blni_is_1(sum))) return 0;
    }
    return 1;
}

/* z <- where x is; 0: x is not inside of the domain. */
BLNI_PRIV int blni_space_back(const blni_space *s, const double *x, double *z, double *work)
{
    const size_t n = blni_space_size(s);
    double sum = 0.0;
    if (!blni_all_finite(n, x)) return 0;
    switch (s->constraint) {
    case BLN_CONSTRAINT_FREE: memcpy(z, x, n*sizeof *x); break;
    case BLN_CONSTRAINT_POSITIVE: for (size_t i = 0; i < n; i++) z[i] = x[i] > 0.0 ? log(x[i]) : BLNI_NAN; break;
    case BLN_CONSTRAINT_LOWER: for (size_t i = 0; i < n; i++) z[i] = x[i] > s->lo ? log(x[i] - s->lo) : BLNI_NAN; break;
    case BLN_CONSTRAINT_UPPER: for (size_t i = 0; i < n; i++) z[i] = x[i] < s->hi ? log(s->hi - x[i]) : BLNI_NAN; break;
    case BLN_CONSTRAINT_INTERVAL:
        for (size_t i = 0; i < n; i++) z[i] = x[i] > s->lo && x[i] < s->hi ? log(x[i] - s->lo) - log(s->hi - x[i]) : BLNI_NAN;
        break;
    case BLN_CONSTRAINT_ORDERED: case BLN_CONSTRAINT_POSITIVE_ORDERED:
        for (size_t i = 0; i < n; i++) {
            const double step = x[i] - (i ? x[i - 1] : 0.0);
            z[i] = i == 0 && s->constraint == BLN_CONSTRAINT_ORDERED ? x[i] : step > 0.0 ? log(step) : BLNI_NAN;
        }
        break;
    case BLN_CONSTRAINT_SIMPLEX:
        for (size_t k = n; k-- > 0; sum += x[k])
            if (!(x[k] > 0.0)) return 0;
            else if (k + 1 < n) z[k] = log(x[k]) - log(sum) + log((double)(n - 1 - k));
        if (!blni_is_1(sum)) return 0;
        break;
    case BLN_CONSTRAINT_UNIT_VECTOR:
        if (!blni_is_1(bln_dot(n, x, x))) return 0;
        memcpy(z, x, n*sizeof *x);
        break;
    case BLN_CONSTRAINT_CORRELATION_FACTOR: case BLN_CONSTRAINT_COVARIANCE_FACTOR:
        for (size_t i = 0; i < s->rows; i++)
            for (size_t j = 0; j < i; j++) if (x[i*s->rows + j] != 0.0) return 0;           /* L is another matrix */
        if (!blni_factor_ok(s, x)) return 0;
        blni_factor_back(s, x, z);
        break;
    default:
        for (size_t i = 0; i < s->rows; i++)
            for (size_t j = 0; j < i; j++) {
                const double a = x[i*s->rows + j], b = x[j*s->rows + i];
                if (!(fabs(a - b) <= 1e-8*(fabs(a) + fabs(b)))) return 0;
            }
        memcpy(work, x, n*sizeof *x);
        if (bln_potrf(s->rows, work, s->rows, NULL) != BLN_OK || !blni_factor_ok(s, work)) return 0;
        blni_factor_back(s, work, z);
    }
    return blni_all_finite(blni_space_free(s), z);
}

/* ---- the gradient */

/* dz += of a factor: dU, upper, and w times the slope of the log-Jacobian. */
BLNI_PRIV void blni_correlation_reverse(size_t K, const double *z, const double *U, const double *dU, double w, double *dz)
{
    for (size_t i = 0; i < K; i++) {
        double c = U[i*K + i]*dU[i*K + i], log_s = 0.0;
        for (size_t j = 0; j < i; j++) log_s += blni_log_sech(z[j]);
        for (size_t j = i; j-- > 0;) {
            const double h = tanh(z[j]), log_h = blni_log_sech(z[j]);
            log_s -= log_h;                                      /* now of s_ij; log_h: log sqrt(1 - h^2) */
            dz[j] += exp(2.0*log_h + log_s)*dU[j*K + i] - h*(c + w*(double)(i - j + 1));
            c += U[j*K + i]*dU[j*K + i];
        }
        z += i;
        dz += i;
    }
}
BLNI_PRIV void blni_factor_reverse(const blni_space *s, const double *z, const double *U, const double *dU, double w, double *dz)
{
    const size_t K = s->rows;
    if (blni_space_is_correlation(s)) { blni_correlation_reverse(K, z, U, dU, w, dz); return; }
    for (size_t i = 0; i < K; i++) {
        for (size_t j = 0; j < i; j++) *dz++ += dU[j*K + i];
        *dz++ += U[i*K + i]*dU[i*K + i] + w;
    }
}

/* dU = U (dA + dA') upper, with what U'U adds to the log-Jacobian. */
BLNI_PRIV void blni_product_reverse(const blni_space *s, const double *U, const double *dA, double w, double *dU)
{
    const size_t K = s->rows;
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, K, K, K, 1.0, U, K, dA, K, 0.0, dU, K);
    bln_gemm(BLN_NOTRANS, BLN_TRANS, K, K, K, 1.0, U, K, dA, K, 1.0, dU, K);
    for (size_t i = 0; i < K; i++) dU[i*K + i] += w*blni_product_weight(s, i)/U[i*K + i];
}

BLNI_PRIV void blni_space_reverse(const blni_space *s, const double *z, const double *x, const double *g, double w, double *dz,
                                  double *work)
{
    const size_t n = blni_space_size(s);
    double sum = 0.0;
    switch (s->constraint) {
    case BLN_CONSTRAINT_POSITIVE: for (size_t i = 0; i < n; i++) dz[i] += g[i]*x[i] + w; break;
    case BLN_CONSTRAINT_LOWER: for (size_t i = 0; i < n; i++) dz[i] += g[i]*exp(z[i]) + w; break;
    case BLN_CONSTRAINT_UPPER: for (size_t i = 0; i < n; i++) dz[i] += w - g[i]*exp(z[i]); break;
    case BLN_CONSTRAINT_INTERVAL:
        for (size_t i = 0; i < n; i++) {
            const double p = bln_sigmoid(z[i]), rest = bln_sigmoid(-z[i]);
            dz[i] += g[i]*(s->hi - s->lo)*p*rest + w*(rest - p);
        }
        break;
    case BLN_CONSTRAINT_ORDERED: case BLN_CONSTRAINT_POSITIVE_ORDERED:
        for (size_t i = n; i-- > 0;) {
            sum += g[i];
            dz[i] += i == 0 && s->constraint == BLN_CONSTRAINT_ORDERED ? sum : sum*exp(z[i]) + w;
        }
        break;
    case BLN_CONSTRAINT_SIMPLEX:
        sum = g[n - 1]*x[n - 1] + w;
        for (size_t k = n - 1; k-- > 0;) {
            const double a = z[k] - log((double)(n - 1 - k)), here = g[k]*x[k] + w;
            dz[k] += bln_sigmoid(-a)*here - bln_sigmoid(a)*sum;
            sum += here;
        }
        break;
    case BLN_CONSTRAINT_UNIT_VECTOR: {
        const double length = sqrt(bln_dot(n, z, z)), along = bln_dot(n, x, g);
        for (size_t i = 0; i < n; i++) dz[i] += (g[i] - x[i]*along)/length - w*z[i];
        break;
    }
    case BLN_CONSTRAINT_CORRELATION_FACTOR: case BLN_CONSTRAINT_COVARIANCE_FACTOR: blni_factor_reverse(s, z, x, g, w, dz); break;
    default:
        blni_product_reverse(s, work, g, w, work + n);
        blni_factor_reverse(s, z, work, work + n, w, dz);
    }
}

/* Its domain lies in the program; a pointer to it stands in aux, before the work. */
BLNI_PRIV void blni_constrain_reverse(bln_tape *t, const blni_cell *c)
{
    const blni_space *s;
    const uint32_t z = blni_operand(c, 0)->op;
    memcpy(&s, t->aux + c->b, sizeof s);
    blni_space_reverse(s, t->val + z, t->val + c->out, t->adj + c->out, t->adj[1 + c[-1].a], t->adj + z,
                       t->aux + c->b + 1);
}
BLNI_TABLE const blni_node_kind blni_constrain_kind = { "parameter", blni_constrain_reverse };

/* The parameter from its free coordinates; the log-Jacobian goes to the target. */
BLNI_PRIV bln_var blni_constrain(bln_tape *t, const blni_space *s, bln_var z)
{
    const size_t n = blni_space_size(s), work = blni_space_work(s);
    if (s->constraint == BLN_CONSTRAINT_FREE) return s->cols == 1 ? z : blni_tape_matrix(t, z.at, s->rows, s->cols);
    if (!blni_tape_room(t, n, 1 + 2*work, 3)) return blni_var(BLNI_CONSTANT, 1);
    const uint32_t at = blni_tape_take(t, n), aux = blni_tape_take_aux(t, 1 + 2*work);
    memcpy(t->aux + aux, &s, sizeof s);
    const double log_jacobian = blni_space_forward(s, blni_values(t, z), t->val + at, t->aux + aux + 1);
    t->target[t->term] += blni_all_finite(n, t->val + at) ? log_jacobian : -HUGE_VAL;      /* outside of the doubles */
    const bln_var out = s->cols == 1 ? blni_var(at, (uint32_t)n) : blni_tape_matrix(t, at, s->rows, s->cols);
    return blni_tape_node(t, &blni_constrain_kind, 1, &z, out, aux, t->term, NULL);
}

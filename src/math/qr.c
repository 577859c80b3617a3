/* qr: Householder reflections by blocks, and rotations
 *
 * A few columns are factorised one reflection after the other (the definition); their product of reflections, I - V T V' with T
 * upper triangular, is then applied to what is right of them by bln_gemm: by halves inside a panel of BLNI_QR_BLOCK columns, and
 * panel by panel.                                                    [Schreiber & Van Loan 1989; Elmroth & Gustavson 2000]
 * A reflection that takes x to -sign(x_0)|x| e_0 adds numbers of equal sign and loses nothing; the diagonal >= 0 comes from
 * changing the sign of whole rows of R at the end, which is exact. tau keeps the sign that was changed. */
#include "qr_private.h"
#include "../core/memory_private.h"

enum { BLNI_QR_BLOCK = 32, BLNI_QR_LEAF = 8 };

/* A power of two that brings `most` near 1; 1 for what cannot be scaled. Multiplying by it rounds nothing but what gets
 * negligibly small. */
BLNI_PRIV double blni_qr_scale(double most)
{
    int e;
    if (!(most > 0.0) || !blni_finite(most)) return 1.0;
    frexp(most, &e);
    return ldexp(1.0, e > 1021 ? -1021 : e < -1021 ? 1021 : -e);
}

BLNI_PRIV double blni_qr_norm(size_t n, const double *x, size_t step)
{
    double most = 0.0, sum = 0.0;
    for (size_t i = 0; i < n; i++) if (!(fabs(x[i*step]) <= most)) most = fabs(x[i*step]);
    const double scale = blni_qr_scale(most);
    for (size_t i = 0; i < n; i++) sum += (x[i*step]*scale)*(x[i*step]*scale);
    return sqrt(sum)/scale;
}

/* H x = beta e_0 for H = I - |tau| v v': x (n >= 1) becomes v, v_0 = 1, |v_i| <= 1. Returns beta; tau is < 0 where beta is, so
 * that its row is to change signs. */
BLNI_PRIV double blni_reflection(size_t n, double *x, double *tau)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    const double scale = blni_qr_scale(most);
    bln_scal(n, scale, x);
    const double alpha = x[0], rest = bln_dot(n - 1, x + 1, x + 1);
    if (rest == 0.0) {                                    /* nothing to take away, and H = I - 2 e_0 e_0' turns the sign */
        for (size_t i = 1; i < n; i++) x[i] = 0.0;
        x[0] = 1.0;
        *tau = alpha < 0.0 ? 2.0 : 0.0;
        return fabs(alpha)/scale;
    }
    const double norm = sqrt(alpha*alpha + rest), sum = fabs(alpha) + norm;
    bln_scal(n - 1, alpha < 0.0 ? -1.0/sum : 1.0/sum, x + 1);
    x[0] = 1.0;
    *tau = alpha < 0.0 ? sum/norm : -sum/norm;
    return (alpha < 0.0 ? norm : -norm)/scale;
}

/* Rows of R with a negative tau change their signs, from the diagonal on. */
BLNI_PRIV void blni_qr_signs(size_t k, size_t n, const double *tau, double *R, size_t ldr)
{
    for (size_t j = 0; j < k; j++)
        for (size_t c = j; tau[j] < 0.0 && c < n; c++) R[j*ldr + c] = -R[j*ldr + c];
}

/* Columns between rows of A and rows of t (n x m, stride ldt). */
BLNI_PRIV void blni_qr_columns_out(size_t m, size_t n, const double *A, size_t lda, double *t, size_t ldt)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) t[j*ldt + i] = A[i*lda + j];
}

BLNI_PRIV void blni_qr_columns_back(size_t m, size_t n, const double *t, size_t ldt, double *A, size_t lda)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) A[i*lda + j] = t[j*ldt + i];
}

/* c <- (I - |tau| v v') c */
BLNI_PRIV void blni_reflect(size_t n, double tau, const double *v, double *c) { bln_axpy(n, -fabs(tau)*bln_dot(n, v, c), v, c); }

/* One reflection after the other, on the columns as rows of t (n x m); signs are still to be changed. */
BLNI_PRIV void blni_qr_leaf(size_t m, size_t n, double *A, size_t lda, double *tau, double *t)
{
    blni_qr_columns_out(m, n, A, lda, t, m);
    for (size_t j = 0; j < blni_min(m, n); j++) {
        double *v = t + j*m + j;
        const double beta = blni_reflection(m - j, v, tau + j);
        for (size_t c = j + 1; c < n; c++) blni_reflect(m - j, tau[j], v, t + c*m + j);
        v[0] = beta;
    }
    blni_qr_columns_back(m, n, t, m, A, lda);
}

/* ---- b reflections at once:  H_0 ... H_{b-1} = I - V T V'
 *
 * T_jj = |tau_j|, and above it column j is -|tau_j| T (V'V)_j. */

/* V'V in the upper triangle of T (b x b) becomes T: column j of V'V is not needed once T_j stands. */
BLNI_PRIV void blni_wy_triangle(size_t b, const double *tau, double *T)
{
    for (size_t j = 0; j < b; j++) {
        for (size_t i = 0; i < j; i++) {                  /* from the top: row i needs entries i .. j - 1 of the column */
            double sum = 0.0;
            for (size_t p = i; p < j; p++) sum += T[i*b + p]*T[p*b + j];
            T[i*b + j] = -fabs(tau[j])*sum;
        }
        T[j*b + j] = fabs(tau[j]);
    }
}

/* W <- T W (BLN_NOTRANS) or T'W (BLN_TRANS), W: b x n, in place. */
BLNI_PRIV void blni_wy_times(bln_trans op, size_t b, size_t n, const double *T, double *W)
{
    for (size_t r = 0; r < b; r++) {
        const size_t i = op == BLN_NOTRANS ? r : b - 1 - r;
        double *w = W + i*n;
        bln_scal(n, T[i*b + i], w);
        if (op == BLN_NOTRANS) bln_gemv(BLN_TRANS, b - 1 - i, n, 1.0, w + n, n, T + i*b + i + 1, 1.0, w);
        else for (size_t p = 0; p < i; p++) bln_axpy(n, T[p*b + i], W + p*n, w);
    }
}

/* The b reflections whose vectors lie below the diagonal of A (m x b), as V (m x b, with its ones and zeros) and T. */
BLNI_PRIV void blni_wy_form(size_t m, size_t b, const double *A, size_t lda, const double *tau, double *V, double *T)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < b; j++) V[i*b + j] = j < i ? A[i*lda + j] : j == i ? 1.0 : 0.0;
    bln_syrk(BLN_TRANS, b, m, 1.0, V, b, 0.0, T, b);
    blni_wy_triangle(b, tau, T);
}

/* C <- (I - V op(T) V') C, C: m x n.   W: b x n */
BLNI_PRIV void blni_wy_apply(bln_trans op, size_t m, size_t n, size_t b, const double *V, const double *T, double *C, size_t ldc,
                             double *W)
{
    bln_gemm(BLN_TRANS, BLN_NOTRANS, b, n, m, 1.0, V, b, C, ldc, 0.0, W, n);
    blni_wy_times(op, b, n, T, W);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, n, b, -1.0, V, b, W, n, 1.0, C, ldc);
}

/* Workspace: V (m x b), where also the columns of a leaf lie; T (b x b); W (b x n). */
typedef struct blni_qr_work { double *V, *T, *W; } blni_qr_work;

BLNI_PRIV blni_qr_work blni_qr_pieces(size_t m, size_t b, double *work)
{
    const blni_qr_work none = { NULL, NULL, NULL };
    if (b == 0) return none;                           /* work may be NULL, to which not even 0 may be added */
    const blni_qr_work p = { work, work + m*b, work + m*b + b*b };
    return p;
}

BLNI_PRIV size_t blni_qr_size(size_t m, size_t n, size_t k)
{
    const size_t b = blni_min(BLNI_QR_BLOCK, k);
    return blni_mul(b, blni_add(blni_add(m, n), b));
}

BLNI_PRIV size_t blni_geqrf_work(size_t m, size_t n)           { return blni_qr_size(m, n, blni_min(m, n)); }
BLNI_PRIV size_t blni_ormqr_work(size_t m, size_t p, size_t k) { return blni_qr_size(m, p, k); }

/* n <= BLNI_QR_BLOCK columns, no more than m, by halves. */
BLNI_PRIV void blni_qr_panel(size_t m, size_t n, double *A, size_t lda, double *tau, const blni_qr_work *p)
{
    const size_t h = n/2;
    if (n <= BLNI_QR_LEAF) { blni_qr_leaf(m, n, A, lda, tau, p->V); return; }
    blni_qr_panel(m, h, A, lda, tau, p);
    blni_wy_form(m, h, A, lda, tau, p->V, p->T);
    blni_wy_apply(BLN_TRANS, m, n - h, h, p->V, p->T, A + h, lda, p->W);
    blni_qr_panel(m - h, n - h, A + h*lda + h, lda, tau + h, p);
}

BLNI_PRIV void blni_geqrf(size_t m, size_t n, double *A, size_t lda, double *tau, double *work)
{
    const size_t k = blni_min(m, n), block = blni_min(BLNI_QR_BLOCK, k);
    const blni_qr_work p = blni_qr_pieces(m, block, work);
    for (size_t j = 0; j < k; j += block) {
        const size_t b = blni_min(block, k - j), right = n - j - b;
        double *a = A + j*lda + j;
        blni_qr_panel(m - j, b, a, lda, tau + j, &p);
        if (right == 0) continue;
        blni_wy_form(m - j, b, a, lda, tau + j, p.V, p.T);
        blni_wy_apply(BLN_TRANS, m - j, right, b, p.V, p.T, a + b, lda, p.W);
    }
    blni_qr_signs(k, n, tau, A, lda);
}

/* Q'C: reflections from the first on, signs last; Q C: the other way round. */
BLNI_PRIV void blni_ormqr(bln_trans op, size_t m, size_t p, size_t k, const double *A, size_t lda, const double *tau, double *C,
                          size_t ldc, double *work)
{
    const size_t block = blni_min(BLNI_QR_BLOCK, k);
    const blni_qr_work w = blni_qr_pieces(m, block, work);
    if (k == 0) return;
    for (size_t j = 0; op == BLN_NOTRANS && j < k; j++) if (tau[j] < 0.0) bln_scal(p, -1.0, C + j*ldc);
    for (size_t done = 0; done < k; done += block) {
        const size_t j = op == BLN_TRANS ? done : (k - 1 - done)/block*block, b = blni_min(block, k - j);
        blni_wy_form(m - j, b, A + j*lda + j, lda, tau + j, w.V, w.T);
        blni_wy_apply(op, m - j, p, b, w.V, w.T, C + j*ldc, ldc, w.W);
    }
    for (size_t j = 0; op == BLN_TRANS && j < k; j++) if (tau[j] < 0.0) bln_scal(p, -1.0, C + j*ldc);
}

/* ---- rows below a triangle: v_j = (e_j, column j of A), so that V is the identity over A and V'V = I + A'A off the diagonal */

/* b columns, one after the other, as rows of t (b x (k + 1)) behind their entry of R. */
BLNI_HOT BLNI_PRIV void blni_tp_leaf(size_t b, size_t k, double *R, size_t ldr, double *A, size_t lda, double *tau, double *t)
{
    const size_t ldt = k + 1;
    blni_qr_columns_out(k, b, A, lda, t + 1, ldt);
    for (size_t j = 0; j < b; j++) {
        double *r = R + j*ldr, *v = t + j*ldt;
        v[0] = r[j];
        r[j] = blni_reflection(ldt, v, tau + j);
        for (size_t c = j + 1; c < b; c++) {
            t[c*ldt] = r[c];
            blni_reflect(ldt, tau[j], v, t + c*ldt);
            r[c] = t[c*ldt];
        }
    }
    blni_qr_columns_back(k, b, t + 1, ldt, A, lda);
}

typedef struct blni_tp_work { double *leaf, *tau, *T, *W; } blni_tp_work;

/* The reflections of b columns V, applied to the n columns right of them: to R (b x n) and A (k x n). */
BLNI_ONCE BLNI_PRIV void blni_tp_rest(size_t b, size_t n, size_t k, const double *V, const double *tau, double *R, size_t ldr,
                                      double *A, size_t lda, double *T, double *W)
{
    bln_syrk(BLN_TRANS, b, k, 1.0, V, lda, 0.0, T, b);
    blni_wy_triangle(b, tau, T);
    for (size_t i = 0; i < b; i++) memcpy(W + i*n, R + i*ldr, n*sizeof *W);
    bln_gemm(BLN_TRANS, BLN_NOTRANS, b, n, k, 1.0, V, lda, A, lda, 1.0, W, n);
    blni_wy_times(BLN_TRANS, b, n, T, W);
    for (size_t i = 0; i < b; i++) bln_axpy(n, -1.0, W + i*n, R + i*ldr);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, k, n, b, -1.0, V, lda, W, n, 1.0, A, lda);
}

BLNI_ONCE BLNI_PRIV void blni_tp_panel(size_t b, size_t k, double *R, size_t ldr, double *A, size_t lda, double *tau,
                                       const blni_tp_work *p)
{
    const size_t h = b/2;
    if (b <= BLNI_QR_LEAF) { blni_tp_leaf(b, k, R, ldr, A, lda, tau, p->leaf); return; }
    blni_tp_panel(h, k, R, ldr, A, lda, tau, p);
    blni_tp_rest(h, b - h, k, A, tau, R + h, ldr, A + h, lda, p->T, p->W);
    blni_tp_panel(b - h, k, R + h*ldr + h, ldr, A + h, lda, tau + h, p);
}

/* The columns of a leaf (at most 8 x (k + 1)), tau (b), T (b x b), W (b x n). */
BLNI_PRIV size_t blni_tpqrt_work(size_t n, size_t k)
{
    const size_t b = blni_min(BLNI_QR_BLOCK, n);
    return blni_add(blni_mul(blni_min(BLNI_QR_LEAF, n), blni_add(k, 1)), blni_mul(b, blni_add(blni_add(b, n), 1)));
}

BLNI_PRIV void blni_tpqrt(size_t n, size_t k, double *R, size_t ldr, double *A, size_t lda, double *work)
{
    const size_t block = blni_min(BLNI_QR_BLOCK, n);
    blni_tp_work p;
    if (n == 0 || k == 0) return;                /* A or work may be NULL, to which not even 0 may be added */
    p.leaf = work;
    p.tau = p.leaf + blni_min(BLNI_QR_LEAF, n)*(k + 1);
    p.T = p.tau + block;
    p.W = p.T + block*block;
    for (size_t j = 0; j < n; j += block) {
        const size_t b = blni_min(block, n - j), right = n - j - b;
        double *r = R + j*ldr + j;
        blni_tp_panel(b, k, r, ldr, A + j, lda, p.tau, &p);
        if (right) blni_tp_rest(b, right, k, A + j, p.tau, r + b, ldr, A + j + b, lda, p.T, p.W);
        blni_qr_signs(b, n - j, p.tau, r, ldr);
    }
}

/* Below a triangle a triangle: a block of its rows at a time, whose first columns are zero. */
BLNI_PRIV size_t blni_ttqrt_work(size_t n)
{
    const size_t b = blni_min(BLNI_QR_BLOCK, n);
    return blni_add(blni_mul(b, n), blni_tpqrt_work(n, b));
}

BLNI_PRIV void blni_ttqrt(size_t n, double *R, size_t ldr, const double *T, size_t ldt, double *work)
{
    const size_t block = blni_min(BLNI_QR_BLOCK, n);
    double *A = work;
    for (size_t i = 0; i < n; i += block) {
        const size_t k = blni_min(block, n - i), width = n - i;
        for (size_t r = 0; r < k; r++)
            for (size_t j = 0; j < width; j++) A[r*width + j] = j < r ? 0.0 : T[(i + r)*ldt + i + j];
        blni_tpqrt(width, k, R + i*ldr + i, ldr, A, width, work + block*n);
    }
}

/* ---- one row */

/* (r, x) <- (c r + s x, c x - s r) */
BLNI_PRIV void blni_rotate(size_t n, double c, double s, double *BLNI_RESTRICT r, double *BLNI_RESTRICT x)
{
    for (size_t j = 0; j < n; j++) {
        const double t = c*r[j] + s*x[j];
        x[j] = c*x[j] - s*r[j];
        r[j] = t;
    }
}

BLNI_PRIV void blni_chud(size_t n, size_t m, double *R, size_t ldr, double *x)
{
    for (size_t i = 0; i < n; i++) {
        double *r = R + i*ldr + i;
        if (x[i] == 0.0 && r[0] >= 0.0) continue;
        const double h = hypot(r[0], x[i]), c = r[0]/h, s = x[i]/h;
        r[0] = h;
        blni_rotate(n + m - i - 1, c, s, r + 1, x + i + 1);
    }
}

/* The rotations come from the last row of R up; the columns z beside it are taken back through them from the first row down,
 * z_i <- (z_i - s_i x)/c_i, x <- c_i x - s_i z_i. */
BLNI_PRIV bln_status blni_chdd(size_t n, size_t m, double *R, size_t ldr, double *x, double least, double *left, double *work)
{
    double *c = work, *row = work + n, *s = x;
    bln_trsv(BLN_TRANS, n, R, ldr, s);
    const double norm = sqrt(bln_dot(n, s, s)), remains = (1.0 - norm)*(1.0 + norm);
    if (left) *left = remains;
    if (!(remains > least)) return BLN_ENOTPD;
    double alpha = sqrt(remains);
    for (size_t i = n; i-- > 0;) {
        const double h = hypot(alpha, s[i]);
        c[i] = alpha/h;
        s[i] /= h;
        alpha = h;
        row[i] = 0.0;
        blni_rotate(n - i, c[i], -s[i], R + i*ldr + i, row + i);
    }
    for (size_t i = 0; i < n; i++) {
        double *z = R + i*ldr + n, *rest = x + n;
        for (size_t j = 0; j < m; j++) {
            z[j] = (z[j] - s[i]*rest[j])/c[i];
            rest[j] = c[i]*rest[j] - s[i]*z[j];
        }
    }
    return BLN_OK;
}

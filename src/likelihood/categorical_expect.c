/* categorical_expect: expectations of softmax under independent normals, by integrals of one dimension (>>categorical)
 *
 * With t = e^u/sum_k e^m_k and w = e^(u + m_k + s_k z), s = sqrt v, the terms of the sums over nodes u are products over k of
 *     L_k = E e^-w,   A_k = E w e^-w,   B_k = E w^2 e^-w         under z ~ N(0, 1),
 *     E log T = log sum_k e^m_k + sum_u h_u (e^-e^u - prod_k L_k),   E p_j = sum_u h_u A_j prod_{k != j} L_k,
 * and E p_j^2 with B_j. The trapezoid rule in x is used in two ways:
 *     all s_k <= BLNI_SOFTMAX_NARROW:  u = x - e^-x, which shortens the slow tail e^u on the left, and z by Gauss-Hermite;
 *     else:  u = x, with steps that are a multiple of the step h of ln w = u + m_k + s_k z, in which the integrals over z are
 *            computed. Their functions of w are the same for all rows: tables hold 1 - e^-w, w e^-w and w^2 e^-w where these are
 *            not 0 and the first is not 1, so that a node costs the same for any s. Beyond, where 1 - e^-w is 1, sums are carried
 *            from node to node. L_k is a step of width s_k; in the product of all, frequency omega has the amplitude
 *            e^(-omega^2/(2 sum_k 1/s_k^2) - pi omega/2).
 * Where an s is above BLNI_SOFTMAX_WIDE, f is divided by c so that none is. c log sum_k e^(f_k/c) exceeds log T by an integral of
 * the entropy of p over 1 .. c, which is small where the f_k are far apart, as they are where their s is large. G(x) = e^-e^x is
 * bounded for |Im x| < pi/2, so that errors are e^(-pi^2/h): 3e-12 with h = 0.3. */
#include "categorical_private.h"
#include "../math/blas.h"
#include "../math/cpu_private.h"
#include "../math/quadrature_private.h"
#include "../math/vecmath.h"

#define BLNI_SOFTMAX_NARROW 0.6
#define BLNI_SOFTMAX_WIDE   1024.0      /* the largest s: with wider ones f is divided                  */
#define BLNI_NORMAL_TOP     0.39894228040143267794     /* 1/sqrt(2 pi)                                  */
#define BLNI_SOFTMAX_GUMBEL 0.57721566490153286061     /* Euler's constant                              */

enum { BLNI_SOFTMAX_NODES = 16,         /* of u, at a time: whole vectors, as compilers see             */
       BLNI_SOFTMAX_STRIDE = 8,         /* most steps h in one of u                                      */
       BLNI_SOFTMAX_FEW = 16,           /* classes that take less stack                                  */
       BLNI_SOFTMAX_TABLE = 120 };      /* most nodes of ln w                                            */

/* The classes of a row that have a latent, and those that have none as m = s = 0; and where its nodes are. */
typedef struct blni_softmax_row {
    size_t K, n, stride;                /* classes; nodes of u, a multiple of BLNI_SOFTMAX_NODES; steps h in one of u */
    int    narrow;
    double by;                          /* f is taken over this: 1, or more of an s above WIDE           */
    double m[BLN_LATENTS], s[BLN_LATENTS];       /* m less log sum_k e^m_k                               */
    double logsum, low, h, step;        /* log sum_k e^m_k; first node; steps of ln w, and of u          */
    double last, far;                   /* what is below e^-last is left out, and z > far                */
    double root8;                       /* (tolerance/1e-10)^(1/8)                                       */
    double beyond[BLN_LATENTS];         /* what of z has ln w > top at the next node of u                */
} blni_softmax_row;

/* What the integrals in z take of ln w = top - j h: e^-w - 1, w e^-w, w^2 e^-w. n = 0: not known yet. */
typedef struct blni_softmax_table {
    size_t n;
    double h, top;
    double L[BLNI_SOFTMAX_TABLE], A[BLNI_SOFTMAX_TABLE], B[BLNI_SOFTMAX_TABLE];
} blni_softmax_table;

/* Some nodes, with the sums of their classes; alone: e^-e^u. */
typedef double blni_softmax_of_class[BLNI_SOFTMAX_NODES];
typedef struct blni_softmax_nodes {
    double u[BLNI_SOFTMAX_NODES], weight[BLNI_SOFTMAX_NODES], alone[BLNI_SOFTMAX_NODES], prod[BLNI_SOFTMAX_NODES];
    blni_softmax_of_class *L, *A, *B;
    blni_softmax_of_class *others;                      /* weight times the product of all L but one           */
} blni_softmax_nodes;

/* Where E e^-e^(x + s z) falls below e^-c: the largest s z + log(c - z^2/2) over z. */
BLNI_PRIV double blni_softmax_right(double s, double c)
{
    const double z = s > 1e-3 ? (sqrt(1.0 + 2.0*c*s*s) - 1.0)/s : c*s;
    return s*z + log(c - 0.5*z*z);
}

/* The most steps h in one of u, so that what is aliased is as little with both. */
BLNI_PRIV size_t blni_softmax_stride(const blni_softmax_row *r)
{
    double sum = 0.0;
    size_t stride = 1;
    for (size_t k = 0; k < r->K; k++) {
        if (r->s[k] <= BLNI_SOFTMAX_NARROW) return 1;         /* a sum of steps of width 0, by Gauss-Hermite */
        sum += 1.0/(r->s[k]*r->s[k]);
    }
    for (double step = 2.0*r->h; stride < BLNI_SOFTMAX_STRIDE; step += r->h, stride++)
        if (19.74/(step*step*sum) + 9.87/step < 9.87/r->h) break;
    return stride;
}

/* Moments of row i, and the range of u: to the right until one factor of the product is nothing, to the left until t times what
 * e^f is expected to be, or is at most, is nothing. */
BLNI_PRIV void blni_softmax_row_of(const bln_likelihood *l, const double *m, const double *v, size_t ld, size_t i, double tolerance,
                                   blni_softmax_row *r)
{
    const size_t first = blni_categorical_first(l);
    double top = first ? 0.0 : -BLNI_INFINITY, sum = 0.0, tail = 0.0, most = 0.0, widest = 0.0, right = BLNI_INFINITY;
    r->K = l->n_latent + first;
    r->root8 = sqrt(sqrt(sqrt(tolerance/1e-10)));
    r->last = 4.6 - log(fmax(tolerance, 1e-10));
    r->far = 1.37*sqrt(r->last);
    r->h = 9.87/(1.19*r->last);
    for (size_t j = 0; j < l->n_latent; j++) widest = fmax(widest, sqrt(v[j*ld + i]));
    r->by = fmax(widest/BLNI_SOFTMAX_WIDE, 1.0);
    for (size_t k = 0; k < r->K; k++) {
        r->m[k] = k < first ? 0.0 : m[(k - first)*ld + i]/r->by;
        r->s[k] = k < first ? 0.0 : fmin(sqrt(v[(k - first)*ld + i])/r->by, BLNI_SOFTMAX_WIDE);
        if (r->m[k] > top) top = r->m[k];
    }
    for (size_t k = 0; k < r->K; k++) sum += exp(r->m[k] - top);
    r->logsum = top + log(sum);
    for (size_t k = 0; k < r->K; k++) {
        r->m[k] -= r->logsum;
        const double end = blni_softmax_right(r->s[k], r->last) - r->m[k], far = r->m[k] + r->far*r->s[k];
        tail = fmax(tail, r->m[k] + 0.5*r->s[k]*r->s[k]);
        if (end < right) right = end;
        if (far > most) most = far;
    }
    const double left = r->last + fmin(tail + log((double)r->K), most);
    r->narrow = widest <= BLNI_SOFTMAX_NARROW;
    for (size_t k = 0; k < r->K; k++) r->beyond[k] = 0.0;
    r->low = r->narrow ? -log(left - 3.0) : -left;
    r->stride = r->narrow ? 1 : blni_softmax_stride(r);
    r->step = r->h*(double)r->stride;
    const size_t n = (size_t)ceil((right - r->low)/r->step) + 1;
    r->n = (n + BLNI_SOFTMAX_NODES - 1)/BLNI_SOFTMAX_NODES*BLNI_SOFTMAX_NODES;
}

BLNI_PRIV void blni_softmax_nodes_at(const blni_softmax_row *r, size_t from, blni_softmax_nodes *q)
{
    double *bend = q->weight;
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) {
        q->u[i] = r->low + r->step*(double)(from + i);
        bend[i] = -q->u[i];
    }
    if (!r->narrow) {
        for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) q->weight[i] = r->step;
        return;
    }
    bln_vec_exp(BLNI_SOFTMAX_NODES, bend, bend);
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) {
        q->u[i] -= bend[i];
        q->weight[i] = r->h*(1.0 + bend[i]);
    }
    bln_vec_exp(BLNI_SOFTMAX_NODES, q->u, q->alone);
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) q->alone[i] = -q->alone[i];
    bln_vec_exp(BLNI_SOFTMAX_NODES, q->alone, q->alone);
}

/* Adds to L, A and B of 16 nodes of u what n nodes of ln w give: those of x, `each` apart, times the density of z, of which node a
 * has the 16 from a on. */
BLNI_PRIV void blni_softmax_add0(size_t n, const blni_softmax_table *x, size_t at, size_t each, const double *density, double *L,
                                 double *A, double *B)
{
    for (size_t a = 0; a < n; a++, at += each)
        for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) {
            L[i] += x->L[at]*density[a + i];
            A[i] += x->A[at]*density[a + i];
            B[i] += x->B[at]*density[a + i];
        }
}

/* Two vectors at a time, whose sums stay in registers. */
#define BLNI_SOFTMAX_FNS(V) \
BLNI_TARGET##V BLNI_PRIV void blni_softmax_add##V(size_t n, const blni_softmax_table *x, size_t at, size_t each, \
                                                  const double *density, double *L, double *A, double *B) \
{ \
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i += 2*BLNI_LANES##V) { \
        BLNI_VEC##V l0 = BLNI_LOAD##V(L + i), a0 = BLNI_LOAD##V(A + i), b0 = BLNI_LOAD##V(B + i); \
        BLNI_VEC##V l1 = BLNI_LOAD##V(L + i + BLNI_LANES##V), a1 = BLNI_LOAD##V(A + i + BLNI_LANES##V); \
        BLNI_VEC##V b1 = BLNI_LOAD##V(B + i + BLNI_LANES##V); \
        for (size_t a = 0, j = at; a < n; a++, j += each) { \
            const BLNI_VEC##V l = BLNI_SPLAT##V(x->L[j]), y = BLNI_SPLAT##V(x->A[j]), z = BLNI_SPLAT##V(x->B[j]); \
            const BLNI_VEC##V d0 = BLNI_LOAD##V(density + a + i), d1 = BLNI_LOAD##V(density + a + i + BLNI_LANES##V); \
            l0 = BLNI_FMA##V(l, d0, l0);  l1 = BLNI_FMA##V(l, d1, l1); \
            a0 = BLNI_FMA##V(y, d0, a0);  a1 = BLNI_FMA##V(y, d1, a1); \
            b0 = BLNI_FMA##V(z, d0, b0);  b1 = BLNI_FMA##V(z, d1, b1); \
        } \
        BLNI_STORE##V(L + i, l0);  BLNI_STORE##V(L + i + BLNI_LANES##V, l1); \
        BLNI_STORE##V(A + i, a0);  BLNI_STORE##V(A + i + BLNI_LANES##V, a1); \
        BLNI_STORE##V(B + i, b0);  BLNI_STORE##V(B + i + BLNI_LANES##V, b1); \
    } \
}
BLNI_FOR_LEVELS(BLNI_SOFTMAX_FNS)

BLNI_PRIV void blni_softmax_add(size_t n, const blni_softmax_table *x, size_t at, size_t each, const double *density, double *L,
                                double *A, double *B)
{
    BLNI_AT_LEVEL(bln_cpu_level(), , blni_softmax_add, (n, x, at, each, density, L, A, B))
}

/* Adds to L, A and B of 16 nodes of u what n nodes of z give, each with a row of 16 w and e^-w, and weight share_a. */
BLNI_PRIV void blni_softmax_rows0(size_t n, const double *share, const double *w, const double *e, double *L, double *A, double *B)
{
    for (size_t a = 0; a < n; a++)
        for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) {
            const double one = w[a*BLNI_SOFTMAX_NODES + i], x = share[a]*e[a*BLNI_SOFTMAX_NODES + i], y = x*one;
            L[i] += x;
            A[i] += y;
            B[i] += y*one;
        }
}

/* Two vectors at a time, whose sums stay in registers. */
#define BLNI_SOFTMAX_ROWS(V) \
BLNI_TARGET##V BLNI_PRIV void blni_softmax_rows##V(size_t n, const double *share, const double *w, const double *e, \
                                                   double *L, double *A, double *B) \
{ \
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i += 2*BLNI_LANES##V) { \
        BLNI_VEC##V l0 = BLNI_LOAD##V(L + i), a0 = BLNI_LOAD##V(A + i), b0 = BLNI_LOAD##V(B + i); \
        BLNI_VEC##V l1 = BLNI_LOAD##V(L + i + BLNI_LANES##V), a1 = BLNI_LOAD##V(A + i + BLNI_LANES##V); \
        BLNI_VEC##V b1 = BLNI_LOAD##V(B + i + BLNI_LANES##V); \
        for (size_t a = 0; a < n; a++) { \
            const double *at = w + a*BLNI_SOFTMAX_NODES + i, *exps = e + a*BLNI_SOFTMAX_NODES + i; \
            const BLNI_VEC##V s = BLNI_SPLAT##V(share[a]), w0 = BLNI_LOAD##V(at), w1 = BLNI_LOAD##V(at + BLNI_LANES##V); \
            const BLNI_VEC##V x0 = BLNI_MUL##V(s, BLNI_LOAD##V(exps)), y0 = BLNI_MUL##V(x0, w0); \
            const BLNI_VEC##V x1 = BLNI_MUL##V(s, BLNI_LOAD##V(exps + BLNI_LANES##V)), y1 = BLNI_MUL##V(x1, w1); \
            l0 = BLNI_ADD##V(l0, x0);  l1 = BLNI_ADD##V(l1, x1); \
            a0 = BLNI_ADD##V(a0, y0);  a1 = BLNI_ADD##V(a1, y1); \
            b0 = BLNI_FMA##V(y0, w0, b0);  b1 = BLNI_FMA##V(y1, w1, b1); \
        } \
        BLNI_STORE##V(L + i, l0);  BLNI_STORE##V(L + i + BLNI_LANES##V, l1); \
        BLNI_STORE##V(A + i, a0);  BLNI_STORE##V(A + i + BLNI_LANES##V, a1); \
        BLNI_STORE##V(B + i, b0);  BLNI_STORE##V(B + i + BLNI_LANES##V, b1); \
    } \
}
BLNI_FOR_LEVELS(BLNI_SOFTMAX_ROWS)

BLNI_PRIV void blni_softmax_rows(size_t n, const double *share, const double *w, const double *e, double *L, double *A, double *B)
{
    BLNI_AT_LEVEL(bln_cpu_level(), , blni_softmax_rows, (n, share, w, e, L, A, B))
}

/* L, A and B of class k, z by Gauss-Hermite, or the one value of a class whose f is known. */
BLNI_PRIV void blni_softmax_hermite(const blni_softmax_row *r, size_t k, size_t Q, blni_softmax_nodes *q)
{
    double z[16], weight[16], w[16*BLNI_SOFTMAX_NODES], e[16*BLNI_SOFTMAX_NODES], t[BLNI_SOFTMAX_NODES], c[16] = { 0.0 };
    if (Q > 1) blni_hermite_rule(Q, z, weight);
    else z[0] = 0.0, weight[0] = 1.0;
    for (size_t a = 0; a < Q; a++) c[a] = r->m[k] + r->s[k]*z[a];
    bln_vec_exp(Q, c, c);
    bln_vec_exp(BLNI_SOFTMAX_NODES, q->u, t);
    for (size_t a = 0; a < Q; a++)
        for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) {
            w[a*BLNI_SOFTMAX_NODES + i] = c[a]*t[i];
            e[a*BLNI_SOFTMAX_NODES + i] = -w[a*BLNI_SOFTMAX_NODES + i];
        }
    bln_vec_exp(Q*BLNI_SOFTMAX_NODES, e, e);
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) q->L[k][i] = q->A[k][i] = q->B[k][i] = 0.0;
    blni_softmax_rows(Q, weight, w, e, q->L[k], q->A[k], q->B[k]);
}

/* Where w is small for all z that count, of moments: L = 1 - M_1 + M_2/2 - M_3/6, M_j = E w^j = e^(j (u + m) + j^2 v/2), A = -dL/du
 * and B = A - dA/du. What is left out is w^4/24, with w <= 1e-3 up to z = far; M_3 is of z about 3 s. */
BLNI_PRIV int blni_softmax_tail(const blni_softmax_row *r, size_t k, blni_softmax_nodes *q)
{
    const double v = r->s[k]*r->s[k];
    double M[BLNI_SOFTMAX_NODES];
    if (r->s[k] > 2.0 || q->u[BLNI_SOFTMAX_NODES - 1] + r->m[k] + r->far*r->s[k] > -6.9) return 0;
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) M[i] = q->u[i] + r->m[k] + 0.5*v;
    bln_vec_exp(BLNI_SOFTMAX_NODES, M, M);
    const double by2 = exp(v), by3 = by2*by2*by2;
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) {
        const double M2 = M[i]*M[i]*by2, M3 = M[i]*M[i]*M[i]*by3;
        q->L[k][i] = 1.0 - M[i] + 0.5*M2 - M3/6.0;
        q->A[k][i] = M[i] - M2 + 0.5*M3;
        q->B[k][i] = M2 - M3;
    }
    return 1;
}

/* From where e^-w is 0, also times w^2, to where w is below the tolerance. */
BLNI_PRIV void blni_softmax_fill(const blni_softmax_row *r, blni_softmax_table *x)
{
    x->h = r->h;
    x->top = 3.7;
    x->n = blni_min((size_t)((x->top + r->last)/r->h) + 1, BLNI_SOFTMAX_TABLE);
    for (size_t j = 0; j < x->n; j++) {
        const double w = exp(x->top - x->h*(double)j), e = exp(-w);
        x->L[j] = expm1(-w);
        x->A[j] = w*e;
        x->B[j] = w*w*e;
    }
}

/* By the table. Node i of u and node j of ln w need the density of z at stride i + j, of which those of one remainder lie side by
 * side; those of all nodes at which |z| <= far for one i, from first to last, count. Before node 0, ln w > top. */
BLNI_PRIV void blni_softmax_grid(blni_softmax_row *r, size_t k, blni_softmax_table *x, blni_softmax_nodes *q)
{
    enum { MOST = BLNI_SOFTMAX_TABLE + (BLNI_SOFTMAX_NODES + 1)*BLNI_SOFTMAX_STRIDE };
    double density[MOST];
    if (!x->n) blni_softmax_fill(r, x);
    const size_t T = r->stride, last = BLNI_SOFTMAX_NODES - 1;
    const double far = r->far*r->s[k], top = x->top - r->m[k];
    const double begin = ceil((top - q->u[last] - far)/x->h), end = floor((top - q->u[0] + far)/x->h) + 1.0;
    const size_t first = (size_t)fmax(begin, 0.0), stop = (size_t)fmax(fmin(end, (double)x->n), 0.0);
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) {
        q->L[k][i] = 1.0 - r->beyond[k];
        q->A[k][i] = q->B[k][i] = 0.0;
    }
    if (first >= stop) return;
    const size_t n = stop - first, each = (n + T - 1)/T + last + 1;              /* densities of one remainder */
    const double at = (top - q->u[0])/r->s[k], step = x->h/r->s[k], scale = log(step*BLNI_NORMAL_TOP);
    for (size_t b = 0; b < T; b++)
        for (size_t a = 0; a < each; a++) {
            const double z = at - step*(double)(first + b + a*T);
            density[b*each + a] = scale - 0.5*z*z;
        }
    bln_vec_exp(T*each, density, density);
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES && !first; i++) {
        q->L[k][i] = 1.0 - r->beyond[k];
        for (size_t b = 0; b < T; b++) r->beyond[k] += density[b*each + i];
    }
    for (size_t b = 0; b < T && b < n; b++)
        blni_softmax_add((n - b + T - 1)/T, x, first + b, T, density + b*each, q->L[k], q->A[k], q->B[k]);
}

/* With so many nodes the error is that of (c s)^2Q: 1e-10 at s = 0.11, 0.36, 0.72. */
BLNI_PRIV void blni_softmax_rule(blni_softmax_row *r, size_t k, blni_softmax_table *x, blni_softmax_nodes *q)
{
    const double s = r->s[k];
    if (s == 0.0)                      blni_softmax_hermite(r, k, 1, q);
    else if (s <= 0.11*r->root8)       blni_softmax_hermite(r, k, 4, q);
    else if (s <= 0.36*sqrt(r->root8)) blni_softmax_hermite(r, k, 8, q);
    else if (s <= BLNI_SOFTMAX_NARROW) blni_softmax_hermite(r, k, 16, q);
    else                               blni_softmax_grid(r, k, x, q);
}

/* prod = prod_k L_k, and others_k = weight prod_{c != k} L_c by products from either side: a quotient would be 0/0 where a factor
 * is nothing. */
BLNI_PRIV void blni_softmax_share(size_t K, blni_softmax_nodes *q)
{
    double x[BLNI_SOFTMAX_NODES];
    memcpy(x, q->weight, sizeof x);
    for (size_t k = 0; k < K; k++)
        for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) { q->others[k][i] = x[i]; x[i] *= q->L[k][i]; }
    for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) x[i] = 1.0;
    for (size_t k = K; k--;)
        for (size_t i = 0; i < BLNI_SOFTMAX_NODES; i++) { q->others[k][i] *= x[i]; x[i] *= q->L[k][i]; }
    memcpy(q->prod, x, sizeof x);
}

/* Are all moments of row i finite? Of others everything is NaN. */
BLNI_PRIV int blni_softmax_finite(const bln_likelihood *l, const double *m, const double *v, size_t ld, size_t i)
{
    int finite = 1;
    for (size_t j = 0; j < l->n_latent; j++) finite = finite && blni_finite(m[j*ld + i]) && blni_finite(v[j*ld + i]);
    return finite;
}

/* The sums over the nodes of u. room: 4 for each class. */
BLNI_PRIV double blni_softmax_sums(blni_softmax_row *r, blni_softmax_table *x, blni_softmax_of_class *room, double *p, double *p2)
{
    blni_softmax_nodes q;
    double value = 0.0;
    q.L = room;
    q.A = room + r->K;
    q.B = room + 2*r->K;
    q.others = room + 3*r->K;
    for (size_t from = 0; from < r->n; from += BLNI_SOFTMAX_NODES) {
        blni_softmax_nodes_at(r, from, &q);
        for (size_t k = 0; k < r->K; k++)
            if (r->narrow || !blni_softmax_tail(r, k, &q)) blni_softmax_rule(r, k, x, &q);
        blni_softmax_share(r->K, &q);
        for (size_t a = 0; a < BLNI_SOFTMAX_NODES; a++) value += q.weight[a]*((r->narrow ? q.alone[a] : 0.0) - q.prod[a]);
        for (size_t k = 0; k < r->K; k++) {
            p[k] += bln_dot(BLNI_SOFTMAX_NODES, q.A[k], q.others[k]);
            p2[k] += bln_dot(BLNI_SOFTMAX_NODES, q.B[k], q.others[k]);
        }
    }
    return value;
}

/* Few classes take little stack. */
BLNI_NOINLINE BLNI_PRIV double blni_softmax_few(blni_softmax_row *r, blni_softmax_table *x, double *p, double *p2)
{
    blni_softmax_of_class room[4*BLNI_SOFTMAX_FEW];
    return blni_softmax_sums(r, x, room, p, p2);
}

BLNI_NOINLINE BLNI_PRIV double blni_softmax_many(blni_softmax_row *r, blni_softmax_table *x, double *p, double *p2)
{
    blni_softmax_of_class room[4*BLN_LATENTS];
    return blni_softmax_sums(r, x, room, p, p2);
}

/* E log sum_k e^f_k of row i, and E p_k, E p_k^2 for all classes. x: of the same tolerance. *by: what f was divided by. */
BLNI_PRIV double blni_softmax_integrals(const bln_likelihood *l, const double *m, const double *v, size_t ld, size_t i,
                                        double tolerance, blni_softmax_table *x, double *p, double *p2, double *by)
{
    blni_softmax_row r;
    const int finite = blni_softmax_finite(l, m, v, ld, i);
    *by = 1.0;
    for (size_t k = 0; k < l->n_latent + blni_categorical_first(l); k++) p[k] = p2[k] = finite ? 0.0 : BLNI_NAN;
    if (!finite) return BLNI_NAN;
    blni_softmax_row_of(l, m, v, ld, i, tolerance, &r);
    *by = r.by;
    double value = r.K <= BLNI_SOFTMAX_FEW ? blni_softmax_few(&r, x, p, p2) : blni_softmax_many(&r, x, p, p2);
    if (!r.narrow) value += 0.5*r.step - r.low - BLNI_SOFTMAX_GUMBEL;   /* of e^-e^u from low on; there prod is 1 */
    return r.by*(r.logsum + value);
}

BLNI_PRIV void blni_categorical_expect(BLNI_TARGETS, const double *m, const double *v, size_t ld, double tolerance, BLNI_EXPECTED)
{
    const size_t first = blni_categorical_first(l);
    double p[BLN_LATENTS], p2[BLN_LATENTS], by;
    blni_softmax_table x;
    x.n = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t y = blni_category_of(l, t->y[i]);
        const double mean = y < first ? 0.0 : m[(y - first)*ld + i];
        value[i] = mean - blni_softmax_integrals(l, m, v, ld, i, tolerance, &x, p, p2, &by);
        for (size_t j = 0; j < l->n_latent; j++) {
            const double one = (p[j + first] - p2[j + first])/by;
            if (dm) dm[j*ld + i] = (j + first == y ? 1.0 : 0.0) - p[j + first];
            if (dv) dv[j*ld + i] = one < 0.0 ? 0.0 : -0.5*one;
        }
    }
}

BLNI_PRIV void blni_categorical_normal_logp(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                            double *logp)
{
    double p[BLN_LATENTS], p2[BLN_LATENTS], by;
    blni_softmax_table x;
    x.n = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t y = blni_category_of(l, t->y[i]);
        logp[i] = BLNI_NAN;
        if (cov) continue;
        blni_softmax_integrals(l, m, v, ld, i, 1e-10, &x, p, p2, &by);
        logp[i] = log(p[y]);
    }
}

BLNI_PRIV void blni_categorical_normal_moments(BLNI_TARGETS, const double *m, const double *v, const double *cov, size_t ld,
                                               double *mean, double *model, double *noise)
{
    const size_t K = l->n_latent + blni_categorical_first(l);
    double p[BLN_LATENTS], p2[BLN_LATENTS], by;
    blni_softmax_table x;
    x.n = 0;
    for (size_t i = 0; i < n; i++) {
        mean[i*K] = BLNI_NAN;
        if (cov) continue;
        blni_softmax_integrals(l, m, v, ld, i, 1e-10, &x, p, p2, &by);
        for (size_t k = 0; k < K; k++) {
            const double between = p2[k] - p[k]*p[k], within = p[k] - p2[k];
            mean[i*K + k] = p[k];
            model[i*K + k] = between > 0.0 ? between : 0.0;
            noise[i*K + k] = within > 0.0 ? within : 0.0;
        }
    }
}

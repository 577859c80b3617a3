/* inducing: features from the kernel at inducing points, whitened by the factor of their own kernel matrix
 *
 * Blocks of rows are transposed (a line for each point), which suits triangular solves and the kernel's loops:
 *     features   K = k(Z, X) (m x n),  Phi' = U^-T K
 *     pullback   dL/dK = U^-1 F'
 * and for k(Z, Z), from dPhi = -Phi dU U^-1, dU U^-1 = up(U^-T dk(Z, Z) U^-1)  [up: upper triangle with half the diagonal; Murray
 * 2016; bases 33]:
 *     dL/dk(Z, Z) = -sym(U^-1 up(T) U^-T),   T = Phi'F summed over all rows,
 * which is linear in T, so that a bound basis sums T over the blocks and does the rest once, in _settle. */
#include "inducing_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../math/cholesky_private.h"
#include "basis_private.h"
#include "kernel_private.h"

#define BLNI_INDUCING_JITTER 1e-13

typedef struct blni_inducing {
    blni_owned    own;
    size_t        m;                 /* points                                              */
    blni_kernel_desc kernel;         /* its length scales: bound                            */
    int           learn;             /* are the points parameters?                          */
    const double *Z;                 /* m x d; bound: at this theta                         */

    double       *U;                 /* bound: m x m, the factor; NULL: unbound             */
    double       *T;                 /* bound: m x m, what pullbacks have put off           */
    double       *scratch;           /* bound: for _settle and _bind                        */
} blni_inducing;

/* ---- bound to a theta ---- */

/* Doubles of f->scratch: a workspace of the kernel, then d derivatives by length scales and m x d by points, or m of a diagonal. */
BLNI_PRIV size_t blni_inducing_scratch(const blni_inducing *f)
{
    const size_t d = f->own.base.d, m = f->m;
    return blni_add(blni_pad(blni_kernel_work(&f->kernel, m)), blni_max(blni_pad(m), blni_add(blni_pad(d), blni_mul(m, d))));
}

BLNI_PRIV size_t blni_inducing_room(const bln_basis *b)
{
    const blni_inducing *f = (const blni_inducing *)b;
    const size_t square = blni_pad(blni_mul(f->m, f->m));
    size_t room = blni_add(blni_pad(blni_doubles(sizeof *f)), blni_pad(b->d));
    room = blni_add(room, blni_mul(2, square));
    return blni_add(room, blni_pad(blni_inducing_scratch(f)));
}

BLNI_ONCE BLNI_PRIV const bln_basis *blni_inducing_bind(const bln_basis *b, const double *theta, double *room)
{
    const blni_inducing *from = (const blni_inducing *)b;
    const size_t m = from->m, d = b->d, square = blni_pad(m*m);
    blni_inducing *f = (blni_inducing *)(void *)room;
    double extra = 0.0;
    *f = *from;
    double *length = room + blni_pad(blni_doubles(sizeof *f));
    f->U = length + blni_pad(d);
    f->T = f->U + square;
    f->scratch = f->T + square;
    for (size_t i = 0; i < d; i++) length[i] = blni_length(b, theta, i);
    f->kernel.length_scale = length;
    if (f->learn) f->Z = theta + f->own.lengths;
    blni_kernel_matrix(&f->kernel, m, f->Z, d, m, f->Z, d, f->U, m, f->scratch);
    for (size_t j = 0; j < m; j++) f->U[j*m + j] += BLNI_INDUCING_JITTER*(double)m;
    const bln_status status = blni_potrf_jitter(m, f->U, m, f->scratch, &extra);
    for (size_t j = 0; j < m*m && status != BLN_OK; j++) f->U[j] = BLNI_NAN;       /* and so are the features */
    for (size_t j = 0; j < m*m; j++) f->T[j] = 0.0;
    return &f->own.base;
}

/* dtheta += dl (d entries) and dZ (m x d), of which each is taken if it is a parameter. */
BLNI_PRIV void blni_inducing_add(const blni_inducing *f, const double *dl, const double *dZ, double by, double *dtheta)
{
    const size_t d = f->own.base.d;
    for (size_t i = 0; i < d; i++) dtheta[f->own.lengths > 1 ? i : 0] += dl[i];
    for (size_t i = 0; i < f->m*d && f->learn; i++) dtheta[f->own.lengths + i] += by*dZ[i];
}

/* T <- -(R + R')/2 with R = U^-1 up(T) U^-T. */
BLNI_PRIV void blni_inducing_adjoint(const blni_inducing *f)
{
    const size_t m = f->m;
    double *T = f->T;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < i; j++) T[i*m + j] = 0.0;
        T[i*m + i] *= 0.5;
    }
    for (int side = 0; side < 2; side++) {                             /* U^-1 (U^-1 up(T))' = R' */
        bln_trsm(BLN_NOTRANS, m, m, f->U, m, T, m);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < i; j++) {
                const double t = T[i*m + j];
                T[i*m + j] = T[j*m + i];
                T[j*m + i] = t;
            }
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = i; j < m; j++) T[i*m + j] = T[j*m + i] = -0.5*(T[i*m + j] + T[j*m + i]);
}

/* The chain rule through k(Z, Z). It is symmetric, and so is its slope: the points as columns add what they do as rows. */
BLNI_ONCE BLNI_PRIV void blni_inducing_settle(const bln_basis *b, const double *theta, double *dtheta)
{
    const blni_inducing *f = (const blni_inducing *)b;
    const size_t m = f->m, d = b->d;
    if (!f->U) return;
    if (dtheta) {
        double *dl = f->scratch + blni_pad(blni_kernel_work(&f->kernel, m)), *dZ = dl + blni_pad(d);
        for (size_t i = 0; i < d; i++) dl[i] = 0.0;
        for (size_t i = 0; i < m*d; i++) dZ[i] = 0.0;
        blni_inducing_adjoint(f);
        blni_kernel_pullback(&f->kernel, m, f->Z, d, m, f->Z, d, f->T, m, dl, f->learn ? dZ : NULL, d, NULL, 0, f->scratch);
        blni_inducing_add(f, dl, dZ, 2.0, dtheta);
    }
    for (size_t i = 0; i < m*m; i++) f->T[i] = 0.0;
}

/* ---- features and their chain rule ---- */

/* Workspace: of an unbound basis first its room; then lines of a block (m of them), the workspace of the kernel, derivatives by
 * length scales and points. */
BLNI_PRIV size_t blni_inducing_work(const bln_basis *b, size_t n)
{
    const blni_inducing *f = (const blni_inducing *)b;
    size_t work = blni_add(blni_pad(blni_mul(f->m, blni_stride(n))), blni_pad(blni_kernel_work(&f->kernel, n)));
    work = blni_add(work, blni_add(blni_pad(b->d), blni_pad(blni_mul(f->m, b->d))));
    return f->U ? work : blni_add(work, blni_pad(blni_inducing_room(b)));
}

/* The bound basis, and what is left of the workspace. */
BLNI_PRIV const blni_inducing *blni_inducing_at(const bln_basis *b, const double *theta, double **work)
{
    const blni_inducing *f = (const blni_inducing *)b;
    if (f->U) return f;
    double *room = *work;
    *work += blni_pad(blni_inducing_room(b));
    return (const blni_inducing *)blni_inducing_bind(b, theta, room);
}

BLNI_PRIV void blni_inducing_features(BLNI_INPUTS, double *Phi, size_t ldphi, double *work)
{
    const blni_inducing *f = blni_inducing_at(b, theta, &work);
    const size_t m = f->m, ld = blni_stride(n);
    double *K = work;
    blni_kernel_matrix(&f->kernel, m, f->Z, b->d, n, X, ldx, K, ld, work + blni_pad(m*ld));
    bln_trsm(BLN_TRANS, m, n, f->U, m, K, ld);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) Phi[i*ldphi + j] = K[j*ld + i];
}

BLNI_PRIV void blni_inducing_pullback(BLNI_INPUTS, const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    const blni_inducing *f = blni_inducing_at(b, theta, &work);
    const size_t m = f->m, d = b->d, ld = blni_stride(n);
    double *G = work, *kernel_work = G + blni_pad(m*ld), *dl = kernel_work + blni_pad(blni_kernel_work(&f->kernel, n)),
           *dZ = dl + blni_pad(d);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) G[j*ld + i] = F[i*ldf + j];
    bln_trsm(BLN_NOTRANS, m, n, f->U, m, G, ld);
    for (size_t i = 0; i < d; i++) dl[i] = 0.0;
    for (size_t i = 0; i < m*d; i++) dZ[i] = 0.0;
    blni_kernel_pullback(&f->kernel, m, f->Z, d, n, X, ldx, G, ld, dtheta ? dl : NULL, dtheta && f->learn ? dZ : NULL, d, dX, lddx,
                        kernel_work);
    if (!dtheta) return;
    blni_inducing_add(f, dl, dZ, 1.0, dtheta);
    bln_gemm(BLN_TRANS, BLN_NOTRANS, m, m, n, 1.0, Phi, ldphi, F, ldf, 1.0, f->T, m);
    if (!((const blni_inducing *)b)->U) blni_inducing_settle(&f->own.base, theta, dtheta);
}

BLNI_PRIV double blni_inducing_variance(const bln_basis *b, size_t s) { return 1.0; }

/* ---- the kernel itself, which needs the length scales only: unbound, no factor is made ---- */

/* The kernel at theta; its length scales take the first pad(d) of work. */
BLNI_PRIV blni_kernel_desc blni_inducing_kernel_at(const bln_basis *b, const double *theta, double *work)
{
    blni_kernel_desc k = ((const blni_inducing *)b)->kernel;
    for (size_t i = 0; i < b->d; i++) work[i] = blni_length(b, theta, i);
    k.length_scale = work;
    return k;
}

BLNI_PRIV int blni_inducing_kernel_row(const bln_basis *b, size_t s, const double *theta, const double *x, size_t n,
                                       const double *X, size_t ldx, double *out, double *work)
{
    const blni_kernel_desc k = blni_inducing_kernel_at(b, theta, work);
    blni_kernel_matrix(&k, 1, x, b->d, n, X, ldx, out, n, work + blni_pad(b->d));
    return 1;
}

/* Are the rows the points, in their order? Points that are learnt leave them. */
BLNI_PRIV int blni_inducing_on_points(const blni_inducing *f, size_t n, const double *X, size_t ldx)
{
    const size_t d = f->own.base.d;
    if (f->learn) return 0;
    for (size_t i = 0; X && i < n; i++)
        for (size_t j = 0; j < d; j++)
            if (X[i*ldx + j] < f->Z[i*d + j] || X[i*ldx + j] > f->Z[i*d + j]) return 0;
    return 1;
}

BLNI_PRIV int blni_inducing_gram(BLNI_INPUTS, double *K, size_t ldk, double *work)
{
    if (!blni_inducing_on_points((const blni_inducing *)b, n, X, ldx)) return 0;
    if (!K) return 1;
    const blni_kernel_desc k = blni_inducing_kernel_at(b, theta, work);
    blni_kernel_pairs(&k, n, X, ldx, K, ldk, work + blni_pad(b->d));
    return 1;
}

BLNI_PRIV void blni_inducing_gram_pullback(BLNI_INPUTS, const double *G, size_t ldg, double *dtheta, double *work)
{
    const blni_kernel_desc k = blni_inducing_kernel_at(b, theta, work);
    double *dl = work + blni_pad(b->d), *rest = dl + blni_pad(b->d);
    for (size_t i = 0; i < b->d; i++) dl[i] = 0.0;
    blni_kernel_pairs_pullback(&k, n, X, ldx, G, ldg, dl, rest);
    blni_inducing_add((const blni_inducing *)b, dl, NULL, 0.0, dtheta);
}

/* ---- parameters, names ---- */

/* A point moves in steps of the standard deviation of the input. */
BLNI_PRIV void blni_inducing_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    const blni_inducing *f = (const blni_inducing *)b;
    if (k < f->own.lengths) { blni_length_param(b, k, inputs, out); return; }
    const size_t at = k - f->own.lengths, i = at % b->d;
    out->kind = BLN_PARAM_REAL;
    out->start = f->Z[at];
    out->scale = blni_length_size(i, i + 1, b->d, inputs)/sqrt((double)b->d);
}

BLNI_PRIV void blni_inducing_param_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    const size_t lengths = ((const blni_owned *)b)->lengths, at = k - lengths;
    if (k < lengths) { blni_length_name(b, k, inputs, out, size); return; }
    blni_cat(out, size, "point ");
    blni_cat_size(out, size, at/b->d);
    blni_cat(out, size, " ");
    bln_input_name(inputs, at % b->d, out + strlen(out), size - strlen(out));
}

BLNI_PRIV void blni_inducing_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    blni_cat(out, size, "process ");
    blni_cat(out, size, bln_kernel_name(((const blni_inducing *)b)->kernel.kernel));
}

/* "process rbf 3" by the number of the point. */
BLNI_PRIV void blni_inducing_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    blni_inducing_slice_name(b, 0, inputs, out, size);
    blni_cat(out, size, " ");
    blni_cat_size(out, size, j);
}

/* ---- files ---- */

BLNI_ONCE BLNI_PRIV void blni_inducing_save(const bln_basis *b, bln_writer *w)
{
    const blni_inducing *f = (const blni_inducing *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, f->m);
    bln_put_u32(w, (uint32_t)f->kernel.kernel);
    bln_put_u32(w, f->own.lengths == b->d);
    bln_put_u32(w, (uint32_t)f->learn);
    bln_put_double(w, f->own.length_scale);
    bln_put_double(w, f->kernel.shape);
    bln_put_doubles(w, f->m*b->d, f->Z);
}

BLNI_PRIV bln_status blni_inducing_load(const bln_load *context, bln_reader *r, bln_basis **out);

BLNI_TABLE const bln_basis_ops blni_inducing_ops = {
    "inducing", blni_inducing_features, blni_inducing_pullback, blni_inducing_work, blni_inducing_param, NULL,
    blni_inducing_feature_name, blni_inducing_param_name, blni_inducing_slice_name, blni_inducing_save, blni_inducing_load,
    blni_basis_release, NULL,
    blni_inducing_room, blni_inducing_bind, blni_inducing_settle, blni_inducing_variance,
    blni_inducing_kernel_row, NULL, NULL, blni_inducing_gram, blni_inducing_gram_pullback, NULL
};

/* ---- making them ---- */

BLNI_PRIV bln_inducing_desc blni_inducing_defaults(const bln_inducing_desc *desc)
{
    bln_inducing_desc full = BLN_ZERO;
    if (desc) full = *desc;
    if (full.ldp == 0) full.ldp = full.d;
    full.shape = blni_kernel_shape_of(full.kernel, full.shape);
    return full;
}

BLNI_ONCE BLNI_PRIV const char *blni_inducing_check(const bln_inducing_desc *desc)
{
    if (!desc) return "inducing: desc is NULL";
    if (desc->d == 0) return "inducing: d (inputs) is 0";
    if (desc->n == 0) return "inducing: n (points) is 0";
    if (!desc->points) return "inducing: points is NULL";
    if (desc->ldp != 0 && desc->ldp < desc->d) return "inducing: ldp < d";
    if (!blni_allocator_ok(&desc->alloc)) return "inducing: half an allocator";
    return blni_kernel_check(desc->kernel, desc->shape, desc->length_scale);
}

BLNI_ONCE BLN_API bln_status bln_inducing_create(const bln_inducing_desc *desc, bln_basis **out, bln_report *report)
{
    blni_owned *own = NULL;
    const char *why = out ? blni_inducing_check(desc) : "inducing: out is NULL";
    BLNI_TRY(blni_begin(report, !why, why));
    const bln_inducing_desc full = blni_inducing_defaults(desc);
    const size_t d = full.d, m = full.n, all = blni_mul(m, d);
    if (blni_add(all, blni_mul(3, blni_mul(m, m))) > (size_t)-1/sizeof(double)) return blni_basis_fail(report, BLN_EOVERFLOW);
    const size_t n_theta = blni_add(full.ard ? d : 1, full.learn_points ? all : 0);
    BLNI_TRY(blni_basis_new(&full.alloc, &blni_inducing_ops, d, m, n_theta, sizeof(blni_inducing), blni_mul(all, sizeof(double)),
                            &own, report));
    blni_inducing *f = (blni_inducing *)own;
    double *Z = (double *)own->tail;
    blni_lengths_set(own, full.ard, full.length_scale);
    f->m = m;
    f->kernel.kernel = full.kernel;
    f->kernel.shape = full.shape;
    f->kernel.d = d;
    f->learn = full.learn_points != 0;
    f->Z = Z;
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < d; i++) {
            Z[j*d + i] = full.points[j*full.ldp + i];
            if (blni_finite(Z[j*d + i])) continue;
            blni_basis_release(&own->base);
            return blni_fail(report, BLN_EDATA, j, i, "inducing: a point is not finite");
        }
    *out = &own->base;
    return BLN_OK;
}

BLN_API const double *bln_inducing_points(const bln_basis *basis)
{
    return basis && basis->ops == &blni_inducing_ops ? ((const blni_inducing *)basis)->Z : NULL;
}

BLNI_ONCE BLNI_PRIV bln_status blni_inducing_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    static const double none = 0.0;
    bln_inducing_desc desc = BLN_ZERO;
    double *points = NULL;
    desc.alloc = context->alloc;
    desc.d = bln_get_count(r, 0, (size_t)-1);
    desc.n = bln_get_count(r, 0, (size_t)-1);
    desc.kernel = blni_load_kernel(r);
    desc.ard = blni_load_flag(r);
    desc.learn_points = blni_load_flag(r);
    desc.length_scale = bln_get_double(r);
    desc.shape = bln_get_double(r);
    desc.points = &none;                                     /* they come when the rest is known to be in order */
    if (blni_load_checked(&context->alloc, r, blni_inducing_check(&desc), blni_mul(desc.n, desc.d),
                          "a point of an inducing basis is not finite", &points) != BLN_OK) return r->status;
    desc.points = points;
    const bln_status status = bln_inducing_create(&desc, out, NULL);
    blni_release(&context->alloc, points, desc.n*desc.d*sizeof *points);
    return blni_load_fail(r, status);
}

BLN_API const bln_basis_ops *bln_inducing_ops(void) { return &blni_inducing_ops; }

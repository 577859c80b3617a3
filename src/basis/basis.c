/* basis: the functions of the interface, with defaults for what a table leaves out, and the check of a user's basis
 *
 * A built-in basis is one block: the struct, then its arrays. */
#include "basis_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/bytes_private.h"

/* ---- helpers of all built-in bases ---- */

/* The reason in words for the statuses of blni_basis_new. */
BLNI_PRIV bln_status blni_basis_fail(bln_report *report, bln_status status)
{
    return blni_refuse(report, status, status == BLN_EINVAL ? "basis: half an allocator" : bln_status_text(status));
}

/* A basis of d inputs, D features, n_theta parameters and one slice: a block for a struct of `head` bytes (zeroed) that begins with
 * a blni_owned, and its tail, `extra` bytes aligned to 64 behind it. */
BLNI_PRIV bln_status blni_basis_new(const bln_allocator *alloc, const bln_basis_ops *ops, size_t d, size_t D, size_t n_theta,
                                    size_t head, size_t extra, blni_owned **out, bln_report *report)
{
    const size_t bytes = blni_add(blni_add(head, BLNI_ALIGN - 1), extra);
    if (alloc && !blni_allocator_ok(alloc)) return blni_basis_fail(report, BLN_EINVAL);
    if (bytes == (size_t)-1 || D > (size_t)-1/sizeof(double)) return blni_basis_fail(report, BLN_EOVERFLOW);
    blni_owned *b = (blni_owned *)blni_alloc(alloc, bytes);
    if (!b) return blni_basis_fail(report, BLN_ENOMEM);
    memset(b, 0, head);
    b->base.ops = ops;
    b->base.d = d;
    b->base.D = D;
    b->base.n_theta = n_theta;
    b->base.n_slices = 1;
    if (alloc) b->base.alloc = *alloc;
    b->bytes = bytes;
    unsigned char *end = (unsigned char *)b + head;
    b->tail = end + ((size_t)(-(uintptr_t)end) & (BLNI_ALIGN - 1));
    *out = b;
    return BLN_OK;
}

BLNI_PRIV void blni_basis_release(bln_basis *b) { blni_release(&b->alloc, b, ((blni_owned *)b)->bytes); }

/* ---- the interface ---- */

BLNI_ONCE BLN_API const char *bln_basis_check(const bln_basis *b)
{
    if (!b) return "basis: NULL";
    if (!b->ops) return "basis: ops is NULL";
    if (!blni_name_ok(b->ops->name)) return "basis: the name must be 1 to 31 characters of a-z, 0-9 and _";
    if (!b->ops->features) return "basis: ops->features is NULL";
    if (!b->ops->save != !b->ops->load) return "basis: ops->save and ops->load must come together";
    if (!b->ops->room != !b->ops->bind) return "basis: ops->room and ops->bind must come together";
    if (b->ops->settle && !b->ops->bind) return "basis: ops->settle is there, but ops->bind is NULL";
    if (!b->ops->gram != !b->ops->gram_pullback) return "basis: ops->gram and ops->gram_pullback must come together";
    if (!blni_allocator_ok(&b->alloc)) return "basis: half an allocator";
    if (b->D == 0) return "basis: no features (D = 0)";
    if (b->n_slices == 0 || b->n_slices > b->D) return "basis: n_slices must be 1..D";
    if (b->n_slices > 1 && !b->ops->slice) return "basis: several slices, but ops->slice is NULL";
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t at = bln_basis_slice(b, s);
        if (at >= b->D || (s == 0 ? at != 0 : at <= bln_basis_slice(b, s - 1)))
            return "basis: slices must begin at 0 and increase, each with a feature";
    }
    if (b->n_theta && !b->ops->param) return "basis: parameters, but ops->param is NULL";
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param p;
        bln_basis_param(b, k, NULL, &p);
        if (bln_param_check(&p, NULL) != BLN_OK) return "basis: ops->param gives a domain or a start that is not usable";
    }
    return NULL;
}

BLN_API void bln_basis_free(bln_basis *b) { if (b && b->ops && b->ops->release) b->ops->release(b); }

BLN_API void bln_basis_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                double *Phi, size_t ldphi, double *work)
{
    if (n) b->ops->features(b, theta, n, X, ldx, Phi, ldphi, work);
}

BLN_API void bln_basis_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, const double *Phi,
                                size_t ldphi, const double *F, size_t ldf, double *dtheta, double *dX, size_t lddx, double *work)
{
    if (b->n_theta == 0) dtheta = NULL;
    if (b->d == 0) dX = NULL;
    if (n && b->ops->pullback && (dtheta || dX)) b->ops->pullback(b, theta, n, X, ldx, Phi, ldphi, F, ldf, dtheta, dX, lddx, work);
}

/* The low words of features that are doubles as they stand. */
BLNI_PRIV int blni_no_low(BLNI_INPUTS, const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work)
{
    for (size_t r = 0; r < n; r++)
        for (size_t j = 0; j < b->D; j++) Low[r*ldlow + j] = 0.0;
    return 1;
}

/* The low words of Phi, as bln_basis_features wrote it with the same theta and X. Returns 1, or 0 if the basis has none (Low is
 * then as before); n = 0 only asks. The bias and linear bases have zeros, the polynomial basis has the rounding errors of its
 * powers, a sum or selection has them if all its parts have. On machines that keep more digits in registers than in memory
 * (FLT_EVAL_METHOD != 0: x87) there are none. */
BLNI_PRIV int blni_basis_features_low(BLNI_INPUTS, const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work)
{
#ifdef BLNI_WIDE_DOUBLES
    return 0;
#else
    return b->ops->features_low && b->ops->features_low(b, theta, n, X, ldx, Phi, ldphi, Low, ldlow, work);
#endif
}

BLN_API size_t bln_basis_work(const bln_basis *b, size_t n) { return b && b->ops->work ? b->ops->work(b, n) : 0; }

BLN_API size_t bln_basis_room(const bln_basis *b) { return b && b->ops->room ? b->ops->room(b) : 0; }

BLN_API const bln_basis *bln_basis_bind(const bln_basis *b, const double *theta, double *room)
{
    return bln_basis_room(b) ? b->ops->bind(b, theta, room) : b;
}

BLN_API void bln_basis_settle(const bln_basis *bound, const double *theta, double *dtheta)
{
    if (bound->ops->settle) bound->ops->settle(bound, theta, bound->n_theta ? dtheta : NULL);
}

BLN_API double bln_basis_variance(const bln_basis *b, size_t s)
{
    if (!b) return BLNI_NAN;
    return b->ops->variance && s < b->n_slices ? b->ops->variance(b, s) : 0.0;
}

/* k[j] = k(x, x_j) of the kernel that slice s approximates, for x (d entries) and the n rows of X; bound or not. Returns 1; 0 where
 * it is not known: of a slice that approximates none, or of a user's basis that does not say; k is then as before.
 * work: bln_basis_work(b, n) doubles.   n kernels */
BLNI_PRIV int blni_basis_kernel(const bln_basis *b, size_t s, const double *theta, const double *x, size_t n, const double *X,
                                size_t ldx, double *k, double *work)
{
    return b->ops->kernel && s < b->n_slices && n && b->ops->kernel(b, s, theta, x, n, X, ldx, k, work);
}

BLN_API size_t bln_basis_active(const bln_basis *b, size_t s)
{
    if (!b || s >= b->n_slices) return 0;
    return b->ops->active ? b->ops->active(b, s) : bln_basis_slice(b, s + 1) - bln_basis_slice(b, s);
}

BLNI_PRIV size_t blni_basis_preferred_rows(const bln_basis *b) { return b->ops->preferred_rows ? b->ops->preferred_rows(b) : 0; }

BLNI_PRIV double blni_basis_bound(BLNI_INPUTS, double *work)
{
    return b->ops->bound && n ? b->ops->bound(b, theta, n, X, ldx, work) : HUGE_VAL;
}

/* The largest |x_ij| of n rows of d inputs, at least 1. */
BLNI_PRIV double blni_largest_input(size_t n, size_t d, const double *X, size_t ldx)
{
    double most = 1.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) most = fabs(X[i*ldx + j]) <= most ? most : fabs(X[i*ldx + j]);
    return most;
}

/* Of a basis with one slice: see bln_basis_ops. */
BLNI_PRIV int blni_basis_gram(BLNI_INPUTS, double *K, size_t ldk, double *work)
{
    return b->ops->gram && b->n_slices == 1 && n == b->D && b->ops->gram(b, theta, n, X, ldx, K, ldk, work);
}

/* Can parameters of the basis start from these? Length scales reach from 1e-150 to 1e150, and moments that overflow say nothing. */
BLNI_PRIV bln_status blni_moments_check(const bln_moments *moments, bln_report *report)
{
    for (size_t i = 0; i < moments->d; i++) {
        const double sd = moments->sd[i];
        if (blni_finite(moments->mean[i]) && (sd == 0.0 || (sd >= 1e-150 && sd <= 1e150))) continue;
        return blni_fail(report, BLN_ENUMERIC, BLN_NONE, i,
                         "data: the size of an input is beyond 1e-150 to 1e150; scale the inputs");
    }
    return BLN_OK;
}

BLN_API void bln_basis_param(const bln_basis *b, size_t k, const bln_moments *moments, bln_param *out)
{
    const bln_inputs inputs = blni_inputs_of(NULL, moments);
    memset(out, 0, sizeof *out);      /* what an op does not set is 0: no group */
    b->ops->param(b, k, &inputs, out);
}

BLN_API size_t bln_basis_slice(const bln_basis *b, size_t s)
{
    if (!b) return 0;
    if (s >= b->n_slices) return b->D;
    return b->ops->slice ? b->ops->slice(b, s) : 0;
}

/* Names from an op, or the default: a word and a number (BLN_NONE: none). */
BLNI_PRIV void blni_basis_name(const bln_basis *b, void (*op)(const bln_basis *, size_t, const bln_inputs *, char *, size_t),
                               const char *word, size_t i, const bln_inputs *inputs, char *out, size_t size)
{
    if (size == 0) return;
    out[0] = '\0';
    if (op) { op(b, i, inputs, out, size); return; }
    blni_cat(out, size, word);
    if (i != BLN_NONE) blni_cat_size(out, size, i);
}

BLNI_PRIV void blni_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    blni_basis_name(b, b->ops->feature_name, "phi", j, inputs, out, size);
}

BLNI_PRIV void blni_param_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    blni_basis_name(b, b->ops->param_name, "theta", k, inputs, out, size);
}

BLNI_PRIV void blni_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    const int numbered = b->ops->slice_name || b->n_slices > 1;
    blni_basis_name(b, b->ops->slice_name, b->ops->name, numbered ? s : BLN_NONE, inputs, out, size);
}

BLN_API void bln_basis_feature_name(const bln_basis *b, size_t j, const char *const *names, char *out, size_t size)
{
    const bln_inputs inputs = blni_inputs_of(names, NULL);
    blni_feature_name(b, j, &inputs, out, size);
}

BLN_API void bln_basis_param_name(const bln_basis *b, size_t k, const char *const *names, char *out, size_t size)
{
    const bln_inputs inputs = blni_inputs_of(names, NULL);
    blni_param_name(b, k, &inputs, out, size);
}

BLN_API void bln_basis_slice_name(const bln_basis *b, size_t s, const char *const *names, char *out, size_t size)
{
    const bln_inputs inputs = blni_inputs_of(names, NULL);
    blni_slice_name(b, s, &inputs, out, size);
}

BLN_API bln_status bln_basis_save(const bln_basis *b, bln_writer *w)
{
    if (!b || !w) return blni_writer_fail(w, BLN_EINVAL);
    if (!b->ops->save) return blni_writer_fail(w, BLN_EUNKNOWN);
    bln_put_string(w, b->ops->name);
    b->ops->save(b, w);
    return w->status;
}

/* Is each parameter in the domain of its kind? The ends that a basis sets for searches do not count here. */
BLNI_PRIV int blni_theta_usable(const bln_basis *b, const double *theta)
{
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param p;
        bln_basis_param(b, k, NULL, &p);
        const int positive = p.kind == BLN_PARAM_POSITIVE || p.kind == BLN_PARAM_LOG;
        if (!blni_finite(theta[k]) || (positive && !(theta[k] > 0.0))) return 0;
        if (p.kind == BLN_PARAM_INTERVAL && !(theta[k] > p.lo && theta[k] < p.hi)) return 0;
    }
    return 1;
}

/* Does a data set with d columns fit this basis? A basis that reads no inputs (a bias) fits any. */
BLNI_PRIV int blni_basis_fits(const bln_basis *b, size_t d) { return b->d == 0 || b->d == d; }

#ifndef BLN_BASIS_BASIS_H
#define BLN_BASIS_BASIS_H
#include "../core/load.h"
#include "../optim/transform.h"
/* >>basis - feature maps: the interface, concatenation, column selection
 *
 * A basis maps a row x of d inputs to a row of D features phi(x; theta). With the prior w ~ N(0, lambda I) of its weights, phi(x)'w
 * is a Gaussian process with kernel lambda phi(x)'phi(x'). theta are parameters such as length scales, in their natural units. The
 * caller keeps them and passes them to every call: a basis never changes after it was made, and can serve many models and threads.
 * Rows are independent: any split into blocks gives the same features.                                         [bases 1, 10, 11] */

typedef struct bln_basis bln_basis;

/* Column moments of the inputs, for domains and starts in the units of the data. n: rows they come from; mean, sd: d each. */
typedef struct bln_moments { size_t n, d; const double *mean, *sd; } bln_moments;

/* What a basis may know about its inputs: names and moments, both optional, or those of selected columns. The library makes it;
 * read it by the three functions below. NULL: nothing is known. */
typedef struct bln_inputs {
    const char *const       *names;       /* one for each column, or NULL                        */
    const bln_moments       *moments;     /* or NULL                                             */
    const size_t            *columns;     /* input i is input columns[i] of `whole`; else NULL   */
    const struct bln_inputs *whole;
} bln_inputs;

/* Mean (0 if unknown) and standard deviation (1 if unknown, 0 for a constant column) of input i; its name ("x3" if unknown), cut to
 * size - 1 characters. */
BLN_API double bln_input_mean(const bln_inputs *inputs, size_t i);
BLN_API double bln_input_sd(const bln_inputs *inputs, size_t i);
BLN_API void   bln_input_name(const bln_inputs *inputs, size_t i, char *out, size_t size);

/* What a basis can do. Your own basis fills in one of these (examples/04_own_basis.c) and has all that the built-in ones have.
 * Functions marked (optional) may be NULL. work: bln_basis_work(basis, n) doubles, aligned to 64 bytes, no contents promised. */
typedef struct bln_basis_ops {
    /* Name in model files and tables: 1..31 characters of [a-z0-9_]. */
    const char *name;

    /* Phi (n x D, stride ldphi) = features of the n rows of X. Must not fail on finite X. */
    void (*features)(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                     double *Phi, size_t ldphi, double *work);

    /* The chain rule. Given Phi as written by `features` and F = dL/dPhi (n x D):
     *     dtheta[k] += sum_{i,j} F_ij dPhi_ij/dtheta_k       (n_theta entries; NULL: not wanted)
     *     dX_ij     += sum_k F_ik dPhi_ik/dX_ij              (n x d, stride lddx; NULL: not wanted)
     * Never forms n x D x n_theta. (optional if n_theta = 0: then the input gradient is not available) */
    void (*pullback)(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                     const double *Phi, size_t ldphi, const double *F, size_t ldf,
                     double *dtheta, double *dX, size_t lddx, double *work);

    /* Doubles of workspace for blocks of n rows. (optional: 0) */
    size_t (*work)(const bln_basis *b, size_t n);

    /* Domain, start and group of theta_k, in the units of the inputs; *out arrives as zeros. The start is the user's if there is
     * one, else derived from the moments. It must pass bln_param_check for any moments. (required if n_theta > 0) */
    void (*param)(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out);

    /* First feature of slice s; slices are contiguous and share one prior variance each. (optional if n_slices = 1) */
    size_t (*slice)(const bln_basis *b, size_t s);

    /* Names for tables, cut to size - 1 characters: of feature j ("x1^2"), of theta_k ("length scale x1"), of slice s ("rbf").
     * (optional: "phi3", "theta0", the name of the ops) */
    void (*feature_name)(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size);
    void (*param_name)(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size);
    void (*slice_name)(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size);

    /* Model files: save writes all that load needs to make an equal basis. load: *out on success only; a failure is the reader's
     * status, BLN_ENOMEM or BLN_EFORMAT. (optional: a model with such a basis cannot be saved) */
    void (*save)(const bln_basis *b, bln_writer *w);
    bln_status (*load)(const bln_load *context, bln_reader *r, bln_basis **out);

    /* Frees the basis and what it owns. (optional: a basis in static memory) */
    void (*release)(bln_basis *b);

    /* Low (n x D, stride ldlow): the rounding errors of Phi as written by `features`, so that Phi + Low has about twice the digits
     * of a double. Returns 1; 0, with Low unchanged, if they are not known. n = 0 only asks. (optional: 0) */
    int (*features_low)(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                        const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work);

    /* Work that depends on theta alone, such as the factor of a matrix, done once for many blocks of rows: see bln_basis_bind.
     *     room    doubles that a bound basis takes; 0: nothing to bind
     *     bind    the same basis for this theta only, made in `room` (aligned to 64 bytes) and never released
     *     settle  dtheta += the part of the gradient that pullbacks of the bound basis have deferred since bind or the last settle;
     *             dtheta NULL drops it (optional: they defer nothing)
     * features and pullback get either kind, an unbound one with a workspace that has room for all. (optional together: nothing
     * depends on theta alone) */
    size_t (*room)(const bln_basis *b);
    const bln_basis *(*bind)(const bln_basis *b, const double *theta, double *room);
    void (*settle)(const bln_basis *bound, const double *theta, double *dtheta);

    /* k(x, x), the same for all x, of the stationary kernel that slice s approximates from below: Phi then misses the residual
     * prior variance k(x, x) - |phi_s(x)|^2 >= 0. 0: slice s misses nothing. (optional: no slice does) */
    double (*variance)(const bln_basis *b, size_t s);

    /* That kernel: k[j] = k_s(x, x_j) for x (d entries) and the n rows of X, n >= 1. Returns 0, and leaves k as it is, where it is
     * not known. (optional: it is not) */
    int (*kernel)(const bln_basis *b, size_t s, const double *theta, const double *x, size_t n, const double *X, size_t ldx,
                  double *k, double *work);

    /* For sums over many rows. preferred_rows: the smallest number of rows at a time that costs no more for each row, so that their
     * features are summed while they are in the cache; 0: the more rows the better. bound: a number that no |phi_ij| of these rows
     * exceeds, known without making the features; HUGE_VAL: not known. work: as for features. (both optional: 0, HUGE_VAL) */
    size_t (*preferred_rows)(const bln_basis *b);
    double (*bound)(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *work);

    /* If phi(x)'phi(x') is the kernel itself at these n = D rows, for any theta, sums over pairs of rows need no features:
     *     gram           K_ij = phi(x_i)'phi(x_j) = k(x_i, x_j), i <= j (n x n, stride ldk). Returns 1; or 0 and leaves K, if that
     *                    does not hold for these rows. K NULL: only asks; X NULL too: asks if it can hold for n rows at all
     *     gram_pullback  dtheta[k] += sum_{i<j} G_ij dK_ij/dtheta_k; k(x, x) does not depend on theta
     * work: bln_basis_room(b) doubles. (optional together: 0) */
    int (*gram)(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, double *K, size_t ldk,
                double *work);
    void (*gram_pullback)(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, const double *G,
                          size_t ldg, double *dtheta, double *work);

    /* The number of features of slice s that are not 0 in a row, if it is the same for every row and less than all, as for
     * indicators. The prior of the slice's prior standard deviation is scaled by it. (optional: all of them) */
    size_t (*active)(const bln_basis *b, size_t s);
} bln_basis_ops;

/* The common part of every basis; read only. A basis with data of its own begins with this struct. */
struct bln_basis {
    const bln_basis_ops *ops;
    size_t d;              /* input columns that it reads, >= 0         */
    size_t D;              /* features, >= 1                            */
    size_t n_theta;        /* parameters                                */
    size_t n_slices;       /* prior variances, >= 1                     */
    bln_allocator alloc;   /* where it came from                        */
};

/* NULL, or the reason why a (user's) basis is not usable. */
BLN_API const char *bln_basis_check(const bln_basis *basis);

/* Frees a basis and its parts; NULL is fine. */
BLN_API void bln_basis_free(bln_basis *basis);

/* The functions of the table, or their defaults. X: n x d; Phi, F: n x D. names: of the d input columns, or NULL for x0, x1, ...
 * Without pullback nothing is added. moments may be NULL: inputs of mean 0 and sd 1. Slice n_slices begins at D. size >= 1. */
BLN_API void   bln_basis_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                  double *Phi, size_t ldphi, double *work);
BLN_API void   bln_basis_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx, const double *Phi,
                                  size_t ldphi, const double *F, size_t ldf, double *dtheta, double *dX, size_t lddx, double *work);
BLN_API size_t bln_basis_work(const bln_basis *b, size_t n);
BLN_API void   bln_basis_param(const bln_basis *b, size_t k, const bln_moments *moments, bln_param *out);
BLN_API size_t bln_basis_slice(const bln_basis *b, size_t s);
BLN_API void   bln_basis_feature_name(const bln_basis *b, size_t j, const char *const *names, char *out, size_t size);
BLN_API void   bln_basis_param_name(const bln_basis *b, size_t k, const char *const *names, char *out, size_t size);
BLN_API void   bln_basis_slice_name(const bln_basis *b, size_t s, const char *const *names, char *out, size_t size);

/* Many blocks of rows at one theta: a basis that factorises a matrix for each theta (>>inducing) does so in every call of _features
 * and _pullback, or once if it is bound:
 *     room = bln_basis_room(b) doubles, aligned to 64 bytes;   at = bln_basis_bind(b, theta, room);
 *     bln_basis_features(at, theta, ...), bln_basis_pullback(at, theta, ...) for any number of blocks, with the workspace of b;
 *     bln_basis_settle(at, theta, dtheta): adds the part of dtheta that those pullbacks have deferred (dtheta NULL: drops it)
 * A bound basis lives in room and borrows from b. It is for this theta only and for one thread at a time; do not free it. If there
 * is nothing to bind it is b itself, and room may be NULL. A sum or selection binds its parts. */
BLN_API size_t           bln_basis_room(const bln_basis *b);
BLN_API const bln_basis *bln_basis_bind(const bln_basis *b, const double *theta, double *room);
BLN_API void             bln_basis_settle(const bln_basis *bound, const double *theta, double *dtheta);

/* k(x, x) of the kernel that slice s approximates from below, 0 if it is no such approximation. */
BLN_API double bln_basis_variance(const bln_basis *b, size_t s);

/* Features of slice s that are not 0 in one row: all, or as many as ops->active says. 0 for NULL, or no such slice. */
BLN_API size_t bln_basis_active(const bln_basis *b, size_t s);

/* Name, then what the basis's own save writes. The writer gets BLN_EUNKNOWN if it has none, BLN_EINVAL for a basis of NULL.
 *     bias         -
 *     linear       u64 d, u32 ones
 *     polynomial   u64 d, u64 degree, u32 ones, u32 interactions
 *     legendre     u64 d, u64 degree, u32 ones, d doubles lo, d doubles hi
 *     radial       u64 d, u64 n, u32 form (0 radial, 1 sigmoid, 2 ridge), u32 ard, double length_scale, n x d doubles
 *     fourier      u64 d, u64 n, u32 kernel (0 rbf, 1 matern12, 2 matern32, 3 matern52), u32 ard, double length_scale,
 *                  d x n doubles
 *     fourier2     u64 d, u64 n, u32 kernel (4 matern, 5 rq, 6 cauchy, 7 laplace1, 8 cauchy_product), u32 ard, double length_scale,
 *                  double shape (0 if the kernel has none), d x n doubles
 *     fastfood     u64 d, u64 n, u32 kernel, u32 ard, double length_scale, double shape; with m, the least multiple of the power of
 *                  2 from d on that is >= n: m doubles signs, m doubles G/(|G| sqrt d2), n doubles norms, m u64 places
 *     spectral     u64 d, u32 relative, d doubles start of mu, (name, basis): fourier, fourier2 or fastfood
 *     inducing     u64 d, u64 n, u32 kernel, u32 ard, u32 learn_points, double length_scale, double shape, n x d doubles
 *     group        u64 d, u64 n, u32 slopes_only, u32 named, n doubles levels, if named n str
 *     sum          u64 n, n times (name, basis)
 *     columns      u64 d, u64 k, k times u64 column, (name, basis) */
BLN_API bln_status bln_basis_save(const bln_basis *b, bln_writer *w);

/* Reads what _save wrote, by the table of context->bases (>>load) that has the name. The tables of the built-in bases are
 * bln_linear_ops() and its like, declared beside what makes them; bln_builtin() lists them all. The reader's report gets the reason
 * of a failure.
 * BLN_EUNKNOWN: a name that the list does not have; the report says it.  BLN_EFORMAT: damaged, nested deeper than 16, or a basis
 * that bln_basis_check refuses.  BLN_ENOMEM, BLN_EIO.  Memory: never more than a few times the bytes that were there to be read,
 * whatever they say. */
BLN_API bln_status bln_basis_load_any(const bln_load *context, bln_reader *r, bln_basis **out);

/* Concatenation: Phi = [Phi_1 | Phi_2 | ...], theta likewise, each slice with its own prior variance: a sum of kernels.  [bases 10]
 * All parts read the same d inputs (a part with d = 0, such as the bias, fits any). On success the sum owns its parts and frees
 * them with itself; on failure they stay the caller's.
 * Names: those of the parts; parameters are followed by their part in brackets, and parts of equal name are numbered from 1 by
 * their place.
 * BLN_EINVAL: no parts, a NULL one or one that stands twice, or nested deeper than 16.  BLN_ESHAPE: different d.  BLN_ENOMEM.
 * BLN_EOVERFLOW: more than 4096 parts, or features that no size_t can count. */
BLN_API bln_status bln_basis_sum(const bln_allocator *alloc, size_t n, bln_basis *const *parts, bln_basis **out,
                                 bln_report *report);
BLN_API const bln_basis_ops *bln_sum_ops(void);                                         /* for a list of bases (>>load) */

/* Column selection: a basis on d inputs that hands columns[0..k-1] to `part` (part->d = k). Owns part on success.  [bases 11]
 * BLN_EINVAL: a column >= d, or one twice (the report's column names it); a NULL part; nested deeper than 16.
 * BLN_ESHAPE: part->d != k.
 * BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_basis_columns(const bln_allocator *alloc, size_t d, size_t k, const size_t *columns, bln_basis *part,
                                     bln_basis **out, bln_report *report);
BLN_API const bln_basis_ops *bln_columns_ops(void);

#endif /* BLN_BASIS_BASIS_H */

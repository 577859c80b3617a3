#ifndef BLN_POSTERIOR_POSTERIOR_PRIVATE_H
#define BLN_POSTERIOR_POSTERIOR_PRIVATE_H
#include "posterior.h"
#include "../core/config_private.h"

/* What functions of a kind begin with: a group of a posterior; and those of an observation: f at n rows. */
#define BLNI_GROUP    const bln_posterior *q, const bln_group *g
#define BLNI_OBSERVED const bln_observe *o, const bln_data *rows, const bln_latent *f

/* The features of n rows. Latent j has D_j columns from blni_latent_features on; with one basis all latents share the columns. */
typedef struct blni_features { const bln_posterior *q; size_t n, ld; const double *Phi; } blni_features;

/* Where a kind writes: the arrays of a bln_latent with K components. NULL outputs are skipped. */
typedef struct blni_latents { size_t K, J, ld; double *mean, *var, *cov; } blni_latents;

/* n rows that a component forgets, each by itself or all together, in two steps: first their variances, from which W and slope may
 * follow, then what leaves. W: minus the curvature of their log density in latent 0, slope:
 * its slopes in all latents, both times the row's weight, of row i at i*ld. */
typedef struct blni_leave {
    blni_features x;
    size_t        rows;                         /* of the fit, all of them                                                    */
    const size_t *place;                        /* n: which of these they are                                                 */
    const double *W, *slope;
    size_t        ld;
    double       *with;                         /* out, first step: variances with the rows, of row i and latent j at i*ld + j */
    double       *var, *shift;                  /* out, of row i and latent j at i*ld + j: variances, with the row where each leaves
                                                   by itself, else without; what leaves the means: shift/left, or together shift */
    double       *left, *lost;                  /* out, n each (by itself): 1 - W v, and an estimate of its relative error     */
    double       *cov;                          /* out, n x n upper triangle, or NULL: covariance of latent 0 (together)       */
    double        quad, logdet, error;          /* out, together: slope'shift; log|I - H|; relative error                      */
    size_t        bad;                          /* out: a row that is not in its place                                        */
} blni_leave;

#define G const bln_posterior *q, const bln_group *g
#define SEEN const bln_observe *o, const bln_data *rows, const bln_latent *f

/* Kinds of components, in the order in which the questions list them. */
typedef enum blni_kind { BLNI_GAUSSIANS, BLNI_STUDENTS, BLNI_DIAGONALS, BLNI_POINTS, BLNI_PRODUCTS } blni_kind;

/* One of the arrays of a group: `rows` rows of cols numbers, or indices, of stride ld. */
typedef enum blni_array_domain {
    BLNI_FINITE, BLNI_AT_LEAST_ZERO, BLNI_PIVOTS, BLNI_VARIANCES, BLNI_INDICES, BLNI_OTHER_INDICES
} blni_array_domain;
typedef struct blni_array {
    const void *at;
    size_t      offset;                         /* of its pointer in the kind's view, or BLN_NONE: the group has it           */
    size_t      rows, cols, ld;
    size_t      upper;                          /* rows of each upper triangle, of which they consist (0: all counts); of
                                                   indices what they are below                                                */
    blni_array_domain domain;                   /* of its numbers: all finite, and >= 0; > 0, >= 0 on diagonals; or size_t's,
                                                   and those that are not in the array before                                 */
    int         optional;                       /* the view's pointer may be NULL                                             */
} blni_array;
enum { BLNI_ARRAYS_MOST = 8, BLNI_VIEW_COUNTS = 4, BLNI_PARTS_MOST = BLNI_ARRAYS_MOST + 4 };

/* What predictions need of a kind, for all K components of a group in one call. What other questions need is a table for each of
 * them, which the question finds by the kind: a program that does not ask for draws does not link them. */
struct bln_component_ops {
    const char *name;
    blni_kind   kind;
    const bln_law *law;        /* of its components, where they are not normal                                      (NULL) */
    int joint;                 /* do several latents depend on each other?                                                 */
    /* NULL, or what is wrong with its arrays or their sizes. */
    const char *(*check)(G);
    /* Its arrays, where `counts` numbers tell their sizes: from the view, and into one that is zero otherwise (0: no such). */
    size_t view_size, n_counts;
    size_t (*arrays)(G, blni_array *out);
    void (*count)(const void *view, uint64_t *counts);
    int (*shape)(const uint64_t *counts, void *view);
    /* Moments of f at the rows of x under components at .. at + g->K - 1 of out. work: work(q, g, x->n) doubles. */
    size_t (*work)(G, size_t n);
    void (*project)(const bln_group *g, const blni_features *x, const blni_latents *out, size_t at, double *work);
};

/* Slopes. */
typedef struct blni_slope_ops {
    /* F (n x D_j, stride ldf) += sum_k a_k dmean_kj/dphi_j + b_k dvar_kj/dphi_j for latent j, of row i with a and b of component k
     * at i*lda + k; either may be NULL. work: work(q, g, x->n) doubles (NULL: none). */
    size_t (*work)(G, size_t n);
    void (*pullback)(const bln_group *g, const blni_features *x, size_t j, const double *a, const double *b, size_t lda, double *F,
                     size_t ldf, double *work);
} blni_slope_ops;

/* The weights themselves. */
typedef struct blni_weight_ops {
    /* n of them from `first` on, weight first + i under component k at i*ld + k (var of t's: the squared
     * scale); all means of component k; and C (upper triangle, n_w x n_w) += share times its covariance, or squared scale.
     * work: work(q, g, whole) doubles, whole for a covariance (NULL: none). */
    size_t (*work)(G, int whole);
    void (*marginal)(G, size_t first, size_t n, double *mean, double *var, size_t ld, double *work);
    void (*mean)(G, size_t k, double *mean, double *work);
    void (*covariance)(G, size_t k, double share, double *C, size_t ldc, double *work);
} blni_weight_ops;

/* Draws. */
typedef struct blni_draw_ops {
    /* n draws of component k into the rows of W (n x n_w, stride ldw), with streams from `stream` on, and their prior paths.
     * prepare comes first, once for each k; NULL: there is nothing to prepare, and there are no prior paths. prior: are they asked
     * for, and where to. spread: of t's, n factors of the distances from the mean. room: room(q, g, prior) doubles for both
     * (NULL: none). */
    size_t (*room)(G, int prior);
    bln_status (*prepare)(G, size_t k, int prior, double *room, bln_report *report);
    void (*draw)(G, size_t k, size_t n, uint64_t seed, uint64_t stream, const double *spread, double *W, double *prior, size_t ldw,
                 double *room);
} blni_draw_ops;

/* How y follows from f. Rows are n, and outputs n x n_moments or n x n_y; work: work(o, n) doubles. What has a NULL output is
 * skipped. From logdensity on NULL means: as normal noise, whose functions each question calls itself, so that a linear model links
 * those of the questions that are asked, and no likelihood (>>observe_noise). */
enum { BLNI_TOLD_TEXT = 64 };
struct bln_observe_ops {
    const char *name;
    /* For stores and files. kept: bytes of the likelihood (0: there is none). told: writes the likelihood's name in files, in fewer
     * than BLNI_TOLD_TEXT bytes; returns 0 if it has none. find: puts the likelihood of that name into *out. usable: is eta in the
     * domain of the parameters? */
    size_t kept;
    int (*told)(const bln_observe *o, char *text);
    bln_status (*find)(const struct bln_load *context, const char *name, size_t n_eta, size_t J, void *out);
    int (*usable)(const bln_observe *o, const double *eta);
    int identity;              /* E[y | f] = f, of as many columns: then f's moments are those of y but for the noise  */
    int joint;                 /* do answers depend on the covariances of the latents of a row?                        */
    /* NULL, or what is wrong with it for J latents and dof degrees of freedom. */
    const char *(*check)(const bln_observe *o, size_t J, double dof);
    /* NULL, or why y has no distribution function and no quantiles. (NULL: it has) */
    const char *(*unordered)(const bln_observe *o);
    /* Do the rows fit? need: 0 no y, 1 a number, 2 a y in its domain. */
    bln_status (*rows)(const bln_observe *o, const bln_data *data, int need, bln_report *report);
    size_t (*work)(const bln_observe *o, size_t n);
    void (*moments)(SEEN, double *mean, double *model, double *noise, double *work);
    void (*logdensity)(SEEN, double *out, double *work);
    void (*cdf)(SEEN, double *lower, double *upper, double *work);
    void (*pit)(SEEN, const double *u, double *out, double *work);                        /* out may be u */
    /* Tails p below and q above (NULL: 1 - p), n_p of them; out: n x n_y x n_p. */
    void (*quantile)(SEEN, size_t n_p, const double *p, const double *q, double *out, double *work);
    /* One draw with parameters eta, keyed by (seed, stream) and the number of each row, that of the first of them `first`: to f in
     * f (n x J) adds what features miss, of variance missed (n x J; NULL: nothing) and independent from row to row; with noise y
     * (n x n_y) is drawn, which is f itself where n_y is J. */
    bln_status (*draw)(const bln_observe *o, const bln_data *rows, const double *eta, const double *missed, int noise,
                       uint64_t seed, uint64_t stream, uint64_t first, double *f, double *y, double *work);
    /* Slopes and minus curvatures of the rows' log densities, times their weights, laid out as f's means, by the mode or the mean;
     * log p of one row (all outputs together) at S values of f (S x J), of variance `rest` about them where E log p is to be
     * had. work: logp_work(o, n) doubles. */
    size_t (*logp_work)(const bln_observe *o, size_t n);
    void (*sites)(SEEN, bln_sites rule, double *slope, double *W, double *work);
    void (*logp)(const bln_observe *o, const bln_data *row, const double *eta, size_t ldeta, double rest, size_t S, const double *f,
                 double *out, double *work);
};

#undef G
#undef SEEN

BLNI_INLINE size_t blni_posterior_J(const bln_posterior *q) { return q->J ? q->J : 1; }
BLNI_INLINE size_t blni_posterior_bases(const bln_posterior *q) { return q->n_bases ? q->n_bases : 1; }
BLNI_INLINE const bln_basis *blni_posterior_basis(const bln_posterior *q, size_t j) { return q->bases[q->n_bases > 1 ? j : 0]; }
BLNI_INLINE size_t blni_group_K(const bln_group *g) { return g->K ? g->K : 1; }

/* Components; sums over the bases of the first n latents. */
typedef struct blni_totals { size_t features, theta, slices; } blni_totals;
BLNI_PRIV size_t blni_posterior_K(const bln_posterior *q);
BLNI_PRIV blni_totals blni_posterior_totals(const bln_posterior *q, size_t n);

/* Columns of Phi and parameters, of all bases; weights and slices, of all latents. */
BLNI_INLINE size_t blni_posterior_features(const bln_posterior *q)
{
    return blni_posterior_totals(q, blni_posterior_bases(q)).features;
}
BLNI_INLINE size_t blni_posterior_theta(const bln_posterior *q) { return blni_posterior_totals(q, blni_posterior_bases(q)).theta; }
BLNI_INLINE size_t blni_posterior_weights(const bln_posterior *q) { return blni_posterior_totals(q, blni_posterior_J(q)).features; }
BLNI_INLINE size_t blni_posterior_residuals(const bln_posterior *q) { return blni_posterior_totals(q, blni_posterior_J(q)).slices; }

/* Where the weights of latent j begin, and its columns of Phi. */
BLNI_INLINE size_t blni_posterior_offset(const bln_posterior *q, size_t j) { return blni_posterior_totals(q, j).features; }
BLNI_INLINE size_t blni_posterior_column(const bln_posterior *q, size_t j)
{
    return q->n_bases > 1 ? blni_posterior_offset(q, j) : 0;
}

/* All arrays of group i that it does not share with the one before (weight, theta, eta, residual, its kind's): how many. */
BLNI_PRIV size_t blni_group_parts(const bln_posterior *q, size_t i, blni_array *out);

/* An array without gaps. */
BLNI_INLINE blni_array blni_array_of(size_t offset, size_t rows, size_t cols, blni_array_domain domain)
{
    blni_array a;
    a.at = NULL;
    a.offset = offset;
    a.rows = rows;
    a.cols = a.ld = cols;
    a.upper = 0;
    a.domain = domain;
    a.optional = 0;
    return a;
}

/* NULL, or what of sizes and pointers is wrong with the whole, but for its groups; with a group. */
BLNI_PRIV const char *blni_posterior_reason(const bln_posterior *q);
BLNI_PRIV const char *blni_group_reason(BLNI_GROUP);

/* The law of its components; NULL: normals. */
BLNI_INLINE const bln_law *blni_posterior_law(const bln_posterior *q) { return q->dof > 0.0 ? q->groups->ops->law : NULL; }

/* to[i*ld] = from[i] */
BLNI_PRIV void blni_scatter(size_t n, const double *from, double *to, size_t ld);

/* lambda (J x slices) <- the prior variance of what the features of each slice miss, T_jj s^2; 0 where they miss nothing, or their
 * weights have no scale in common. Is any not 0?   T: J x J, NULL: 1 */
BLNI_PRIV int blni_residual_of(const bln_basis *b, const double *s, size_t J, const double *T, double *lambda);

/* out_i <- k_s(x_i, x_i) - |phi_s(x_i)|^2 at the n rows of Phi (stride ld): not negative, 0 where slice s misses nothing. */
BLNI_PRIV void blni_missed(const bln_basis *b, size_t s, size_t n, const double *Phi, size_t ld, double *out);

#endif /* BLN_POSTERIOR_POSTERIOR_PRIVATE_H */

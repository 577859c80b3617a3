#ifndef BLN_POSTERIOR_POSTERIOR_PRIVATE_H
#define BLN_POSTERIOR_POSTERIOR_PRIVATE_H
#include "posterior.h"
#include "../core/config_private.h"

/* The first parameters of functions of a kind: a group of a posterior; and of an observation: n rows, and f there. */
#define BLNI_OF_GROUP const bln_posterior *q, const bln_group *g
#define BLNI_OBSERVED const bln_observe *o, const bln_data *rows, const bln_latent *f

/* The features of n rows, row stride ld. Those of latent j begin at column blni_posterior_column(q, j); latents with one basis
 * share them. */
typedef struct blni_features { const bln_posterior *q; size_t n, ld; const double *Phi; } blni_features;

/* Where a kind writes: the arrays of a bln_latent with K components. NULL outputs are skipped; cov is wanted only with var. */
typedef struct blni_latents { size_t K, J, ld; double *mean, *var, *cov; } blni_latents;

/* n rows that are left out of a component, each by itself or all together, in two steps: the first gives variances, from which the
 * caller finds W and slope, the second the moments without the rows. Numbers of row i begin at i*ld. */
typedef struct blni_leave {
    blni_features x;
    size_t        rows;                         /* all rows of the fit                                                        */
    const size_t *place;                        /* n: their numbers in the fit                                                */
    const double *W, *slope;                    /* minus the curvature of log p in latent 0; slopes in all latents; times weights */
    size_t        ld;
    double       *with;                         /* out, first step: variances of f with the rows                              */
    double       *var, *shift;                  /* out: variances of f, by itself with the row, together without the rows; the means
                                                   without them are lower by shift/left, or together by shift                  */
    double       *left, *lost;                  /* out, n each (by itself): 1 - W v, and an estimate of its relative error     */
    double       *cov;                          /* out (together), n x n upper triangle, or NULL: covariance of latent 0       */
    double        quad, logdet, error;          /* out (together): slope'shift; log|I - H|; relative error                     */
    size_t        bad;                          /* out: a row whose place is wrong                                            */
} blni_leave;

/* Kinds of components, in the order in which the questions list them. */
typedef enum blni_kind { BLNI_GAUSSIANS, BLNI_STUDENTS, BLNI_DIAGONALS, BLNI_POINTS, BLNI_PRODUCTS } blni_kind;

/* What the elements of an array may be: finite; finite and >= 0; finite, with diagonals > 0 or >= 0; indices in ascending order;
 * the indices that are not in the array before. */
typedef enum blni_array_domain {
    BLNI_FINITE, BLNI_AT_LEAST_ZERO, BLNI_PIVOTS, BLNI_VARIANCES, BLNI_INDICES, BLNI_OTHER_INDICES
} blni_array_domain;
/* One of the arrays of a group: `rows` rows of cols doubles, or of size_t indices, row stride ld. */
typedef struct blni_array {
    const void *at;
    size_t      offset;                         /* of the pointer in the kind's view; BLN_NONE: it is a member of bln_group   */
    size_t      rows, cols, ld;
    size_t      upper;                          /* the rows are upper triangles of this many rows each (0: they are full); of
                                                   indices: the bound below which they lie                                    */
    blni_array_domain domain;
    int         optional;                       /* the view's pointer may be NULL                                             */
} blni_array;
enum { BLNI_ARRAYS_MOST = 8, BLNI_VIEW_COUNTS = 4, BLNI_PARTS_MOST = BLNI_ARRAYS_MOST + 4 };

/* What predictions need of a kind; each call serves all K components of a group. Other questions have a table of their own for each
 * kind, which they find by the number `kind`: a program that does not ask for draws does not link their code. */
struct bln_component_ops {
    const char *name;
    blni_kind   kind;
    const bln_law *law;        /* the distribution of its components                                        (NULL: normal) */
    int joint;                 /* may the latents of a component depend on each other?                                     */
    /* NULL, or what is wrong with its arrays or their sizes. */
    const char *(*check)(BLNI_OF_GROUP);
    /* arrays lists the group's arrays. n_counts numbers tell their sizes: count reads them from a view; shape writes them into a
     * view of zeros, and returns 0 if they are impossible. */
    size_t view_size, n_counts;
    size_t (*arrays)(BLNI_OF_GROUP, blni_array *out);
    void (*count)(const void *view, uint64_t *counts);
    int (*shape)(const uint64_t *counts, void *view);
    /* Moments of f at the rows of x under components at .. at + g->K - 1 of out. work: work(q, g, x->n) doubles. */
    size_t (*work)(BLNI_OF_GROUP, size_t n);
    void (*project)(const bln_group *g, const blni_features *x, const blni_latents *out, size_t at, double *work);
};

/* Slopes of the moments of f in the features. */
typedef struct blni_slope_ops {
    /* F (n x D_j, stride ldf) += sum_k a_k dmean_kj/dphi_j + b_k dvar_kj/dphi_j for latent j; a and b of row i and component k are
     * at i*lda + k, and either may be NULL. work: work(q, g, x->n) doubles (NULL: none). */
    size_t (*work)(BLNI_OF_GROUP, size_t n);
    void (*pullback)(const bln_group *g, const blni_features *x, size_t j, const double *a, const double *b, size_t lda, double *F,
                     size_t ldf, double *work);
} blni_slope_ops;

/* Moments of the weights. */
typedef struct blni_weight_ops {
    /* marginal: mean and variance (of t's: squared scale; NULL: not wanted) of n weights from `first` on; weight first + i under
     * component k is at i*ld + k. covariance: C (upper triangle, n_w x n_w) += share times that of component k.
     * work: work(q, g, whole) doubles, whole = 1 for a covariance (NULL: none). */
    size_t (*work)(BLNI_OF_GROUP, int whole);
    void (*marginal)(BLNI_OF_GROUP, size_t first, size_t n, double *mean, double *var, size_t ld, double *work);
    void (*covariance)(BLNI_OF_GROUP, size_t k, double share, double *C, size_t ldc, double *work);
} blni_weight_ops;

/* Draws. */
typedef struct blni_draw_ops {
    /* draw: n draws of component k into the rows of W (n x n_w, stride ldw), draw i from stream `stream` + i, and their prior paths
     * into prior unless it is NULL. spread: of t's, n factors for the distances from the mean. prepare comes first, once for
     * each k, and is told whether prior paths are wanted; NULL: nothing to prepare, no prior paths. room: room(q, g, prior)
     * doubles for both (NULL: none). */
    size_t (*room)(BLNI_OF_GROUP, int prior);
    bln_status (*prepare)(BLNI_OF_GROUP, size_t k, int prior, double *room, bln_report *report);
    void (*draw)(BLNI_OF_GROUP, size_t k, size_t n, uint64_t seed, uint64_t stream, const double *spread, double *W,
                 double *prior, size_t ldw, double *room);
} blni_draw_ops;

/* How y follows from f. There are n rows; outputs are n x n_moments or n x n_y, NULL skips one; work: work(o, n) doubles. From
 * logdensity on a NULL function means normal noise, whose functions each question calls by itself: so a linear model links those of
 * the questions that it asks, and no likelihood (>>observe_noise). */
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
    int joint;                 /* do answers depend on covariances between the latents of a row?                       */
    /* NULL, or what is wrong with it for J latents and dof degrees of freedom. */
    const char *(*check)(const bln_observe *o, size_t J, double dof);
    /* NULL, or why y has no distribution function and no quantiles. (A NULL function: it has them.) */
    const char *(*unordered)(const bln_observe *o);
    /* Checks rows. need: 0 they need no y, 1 y must be finite, 2 y must be in its domain. */
    bln_status (*rows)(const bln_observe *o, const bln_data *data, int need, bln_report *report);
    size_t (*work)(const bln_observe *o, size_t n);
    void (*moments)(BLNI_OBSERVED, double *mean, double *model, double *noise, double *work);
    void (*logdensity)(BLNI_OBSERVED, double *out, double *work);
    void (*cdf)(BLNI_OBSERVED, double *lower, double *upper, double *work);
    void (*pit)(BLNI_OBSERVED, const double *u, double *out, double *work);                        /* out may be u */
    /* n_p quantiles, each with probability p below and q above (NULL: 1 - p); out: n x n_y x n_p. */
    void (*quantile)(BLNI_OBSERVED, size_t n_p, const double *p, const double *q, double *out, double *work);
    /* One draw with parameters eta. Random numbers are keyed by (seed, stream) and the row's number, first + i. Adds to f (n x J)
     * what features miss, independent normals of variance missed (n x J; NULL: nothing). With noise it then draws y (n x n_y);
     * where n_y is J, y is the same array as f. */
    bln_status (*draw)(const bln_observe *o, const bln_data *rows, const double *eta, const double *missed, int noise,
                       uint64_t seed, uint64_t stream, uint64_t first, double *f, double *y, double *work);
    /* sites: slopes and minus curvatures of the rows' log densities, times their weights, laid out as f's means, at the mode or
     * averaged (rule). logp: log p of one row, all outputs together, at S values of f (S x J), or its expectation where f has the
     * variance `rest` about each. work: logp_work(o, n) doubles. */
    size_t (*logp_work)(const bln_observe *o, size_t n);
    void (*sites)(BLNI_OBSERVED, bln_sites rule, double *slope, double *W, double *work);
    void (*logp)(const bln_observe *o, const bln_data *row, const double *eta, size_t ldeta, double rest, size_t S, const double *f,
                 double *out, double *work);
};

BLNI_INLINE size_t blni_posterior_J(const bln_posterior *q) { return q->J ? q->J : 1; }
BLNI_INLINE size_t blni_posterior_bases(const bln_posterior *q) { return q->n_bases ? q->n_bases : 1; }
BLNI_INLINE const bln_basis *blni_posterior_basis(const bln_posterior *q, size_t j) { return q->bases[q->n_bases > 1 ? j : 0]; }
BLNI_INLINE size_t blni_group_K(const bln_group *g) { return g->K ? g->K : 1; }

/* Number of components; features, parameters and slices of the bases of the first n latents. */
typedef struct blni_totals { size_t features, theta, slices; } blni_totals;
BLNI_PRIV size_t blni_posterior_K(const bln_posterior *q);
BLNI_PRIV blni_totals blni_posterior_totals(const bln_posterior *q, size_t n);

/* Parameters of all bases; weights and slices of all latents. */
BLNI_INLINE size_t blni_posterior_theta(const bln_posterior *q) { return blni_posterior_totals(q, blni_posterior_bases(q)).theta; }
BLNI_INLINE size_t blni_posterior_weights(const bln_posterior *q) { return blni_posterior_totals(q, blni_posterior_J(q)).features; }
BLNI_INLINE size_t blni_posterior_residuals(const bln_posterior *q) { return blni_posterior_totals(q, blni_posterior_J(q)).slices; }

/* Index of the first weight of latent j, and of its first column of Phi. */
BLNI_INLINE size_t blni_posterior_offset(const bln_posterior *q, size_t j) { return blni_posterior_totals(q, j).features; }
BLNI_INLINE size_t blni_posterior_column(const bln_posterior *q, size_t j)
{
    return q->n_bases > 1 ? blni_posterior_offset(q, j) : 0;
}

/* Lists all arrays of group i that it does not share with the group before (weight, theta, eta, residual, its kind's); returns how
 * many. */
BLNI_PRIV size_t blni_group_parts(const bln_posterior *q, size_t i, blni_array *out);

BLNI_PRIV size_t blni_posterior_bytes(const bln_posterior *q, int half);

/* An array without gaps. */
BLNI_INLINE blni_array blni_array_of(size_t offset, size_t rows, size_t cols, blni_array_domain domain)
{
    const blni_array a = { NULL, offset, rows, cols, cols, 0, domain, 0 };
    return a;
}

/* NULL, or what is wrong with the sizes and pointers of q itself; of one of its groups. */
BLNI_PRIV const char *blni_posterior_reason(const bln_posterior *q);
BLNI_PRIV const char *blni_group_reason(BLNI_OF_GROUP);

/* The distribution of q's components; NULL: normal. */
BLNI_INLINE const bln_law *blni_posterior_law(const bln_posterior *q) { return q->dof > 0.0 ? q->groups->ops->law : NULL; }

/* to[i*ld] = from[i] */
BLNI_PRIV void blni_scatter(size_t n, const double *from, double *to, size_t ld);

/* lambda (J x slices) <- T_jj s^2, the prior variance that scales what the features of each slice miss; 0 where they miss nothing,
 * or where s differs within the slice. Returns whether any is not 0.   T: J x J, NULL: 1 */
BLNI_PRIV int blni_residual_of(const bln_basis *b, const double *s, size_t J, const double *T, double *lambda);

/* out_i <- k_s(x_i, x_i) - |phi_s(x_i)|^2 at the n rows of Phi (stride ld): not negative, 0 where slice s misses nothing. */
BLNI_PRIV void blni_missed(const bln_basis *b, size_t s, size_t n, const double *Phi, size_t ld, double *out);

#endif /* BLN_POSTERIOR_POSTERIOR_PRIVATE_H */

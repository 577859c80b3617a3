#ifndef BLN_BASIS_INDUCING_H
#define BLN_BASIS_INDUCING_H
#include "../core/data.h"
#include "kernel.h"
/* >>inducing - inducing points (Nystroem): a Gaussian process from m points [sparse 1-13; Williams & Seeger 2001; Titsias 2009]
 *
 *     phi(x) = U^-T k(Z, x),   k(Z, Z) + tau I = U'U,   D = m,   phi(x)'phi(x') = k(x, Z) (k(Z, Z) + tau I)^-1 k(Z, x')  [bases 31]
 *
 * with points z_1 .. z_m and a stationary kernel (>>kernel). phi(x)'phi(x') is the kernel itself where x or x' is one of the
 * points, but not elsewhere: of the prior variance phi misses k(x, x) - |phi(x)|^2 = 1 - |phi(x)|^2 >= 0, which bln_basis_variance
 * makes known. >>slm subtracts it from the evidence, which then is a lower bound of that of the full Gaussian process [Titsias
 * 2009], and adds it to predicted variances, so that they do not vanish away from the points [bases 35]. With a point on every row,
 * in their order (`gp` of >>spec), it is the full process: >>slm then works on the kernel matrix of the rows, without features and
 * without tau, until it makes the posterior.
 * Compared with >>fourier: far fewer features for up to 4 or so inputs or where rows lie close together; no randomness in the
 * kernel; predictions go back to the prior where there are no points.
 *
 * tau = 1e-13 m always, so that features change smoothly with theta, and more where the factor of k(Z, Z) + tau I does not exist in
 * double: points that coincide or nearly do are harmless, and add nothing.
 *
 * theta: one length scale, or one for each input (ard), with the starts and bounds of the >>fourier basis; with learn_points also
 * the points, row by row. One slice. Features change with the factor, so bind the basis for many blocks of rows
 * (bln_basis_bind): m^3/3 flops and m^2 d/2 kernel entries for each theta, then m^2 flops a row, and as much again and twice that
 * for the chain rule, with 2 m^3 flops at its end.   Memory: m d doubles; bound, and in workspaces, 2 m^2 more. */
typedef struct bln_inducing_desc {
    size_t        d;              /* inputs                                              (required, >= 1)          */
    size_t        n;              /* points m                                            (required, >= 1)          */
    const double *points;         /* n x d, in units of x, finite; they are copied       (required)                */
    size_t        ldp;            /* row stride of points                                (0: d)                    */
    bln_kernel    kernel;         /*                                                     (0: RBF)                  */
    double        shape;          /* nu or alpha, 0.1 .. 1e4; 0 for the other kernels    (0: 2)                    */
    int           ard;            /* one length scale for each input?                    (0: one for all)          */
    int           learn_points;   /* the points are parameters that begin at `points`    (0: they stay)            */
    double        length_scale;   /* start of the length scales, in units of x           (0: sqrt(d) sd(x_i))      */
    bln_allocator alloc;          /*                                                     (zero: malloc)            */
} bln_inducing_desc;

/* BLN_EINVAL: a desc that cannot be used; the report has the reason.  BLN_EDATA: a point that is not finite; the report has its row
 * and column.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_inducing_create(const bln_inducing_desc *desc, bln_basis **out, bln_report *report);
BLN_API const bln_basis_ops *bln_inducing_ops(void);                                    /* for a list of bases (>>load) */

/* The points of such a basis, m x d (where they are parameters: their starts); NULL if the basis is another. */
BLN_API const double *bln_inducing_points(const bln_basis *basis);

/* How points are chosen from the rows of a data set.
 *   pivoted   rows, by pivoted Cholesky of the rows' kernel matrix: always the row of which most of the prior variance is missed,
 *             the first of equals [Fine & Scheinberg 2001; Harbrecht, Peters & Schneider 2012; bases 36]. Stops when the mean of
 *             what is missed is at most `tolerance`. The first points are those of a smaller number. n m^2 flops, memory n m
 *             doubles. Best where the length scales are known, as after a first fit: short ones make it pick outliers and edges.
 *   kmeans    centres of clusters, in units of the length scales: greedy k-means++ [Arthur & Vassilvitskii 2007; sparse 11],
 *             then up to 20 steps of Lloyd's algorithm, in which a centre without rows moves to the row farthest from its own.
 *             Follows the density of the rows and does not ask for a kernel.   some 20 n m d flops, memory n d doubles
 *   random    rows, drawn without replacement */
typedef enum bln_inducing_choice {
    BLN_INDUCING_KMEANS, BLN_INDUCING_PIVOTED, BLN_INDUCING_RANDOM
} bln_inducing_choice;

typedef struct bln_inducing_select_desc {
    bln_inducing_choice choice;       /*                                                                (0: kmeans)         */
    size_t              n;            /* points wanted, m                                               (required, >= 1)    */
    bln_kernel          kernel;       /* pivoted: the kernel                                            (0: RBF)            */
    double              shape;        /* and its nu or alpha                                            (0: 2)              */
    const double       *length_scale; /* d length scales > 0                                            (NULL: sqrt(d) sd_i) */
    double              tolerance;    /* pivoted: see above, >= 1e-10                                   (0: 1e-10)          */
    size_t              candidates;   /* kmeans: rows drawn for each centre, the best of them is taken  (0: 2 + floor(log m)) */
    int                 seeds_only;   /* kmeans: no Lloyd steps, so that centres are rows               (0: with them)      */
    uint64_t            seed;         /* of kmeans and random                                           (0: seed 0)         */
    bln_allocator       alloc;        /* of workspace                                                   (zero: malloc)      */
} bln_inducing_select_desc;

/* Points chosen from the rows of data (y, weights and the like are not looked at):
 *   points   desc->n x d, row-major: the first *n_points rows are written
 *   rows     desc->n: the rows of the data that they are, BLN_NONE for centres of clusters; NULL to skip it
 *   missed   desc->n, pivoted only: the mean over the rows of what k + 1 points miss of the prior variance; NULL to skip it
 *   n_points how many there are: fewer than wanted when there are no more different rows, or the tolerance is reached
 * BLN_EINVAL: NULL, n = 0, an unknown choice or kernel, a length scale not > 0, no rows; data without pointers.  BLN_EDATA: NaN or
 * infinity in X.  BLN_ENUMERIC: squares of differences overflow; scale the inputs.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_inducing_select(const bln_inducing_select_desc *desc, const bln_data *data, double *points, size_t *rows,
                                       double *missed, size_t *n_points, bln_report *report);

#endif /* BLN_BASIS_INDUCING_H */

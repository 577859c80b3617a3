#ifndef BLN_BASIS_SPEC_H
#define BLN_BASIS_SPEC_H
#include "../core/data.h"
#include "group.h"
/* >>spec - a basis from a line of text
 *
 *     SPEC = TERM { "+" TERM }          TERM = NAME [ ":" OPTION { "," OPTION } ]          OPTION = KEY [ "=" VALUE ]
 *
 *     rbf:n=400,ard+linear                                    matern32:n=200,cols=lat;lon+polynomial:degree=3,cols=age
 *
 *     term                                   options
 *     bias                                   -
 *     linear                                 ones=0|1 (default 1)
 *     polynomial                             degree=P (default 2)  ones=0|1 (default 1)  interactions
 *     legendre                               degree=P (default 5)  ones=0|1 (default 1)  range=R (default 3): each input is mapped
 *                                            from [-R, R] to [-1, 1]; polynomials extrapolate outside
 *     radial sigmoid ridge                   n=J centres (default 20) in [-R, R] (bln_radial_centres)  range=R (default 2)
 *                                            ard  length=START (default: from data)
 *     rbf matern12 matern32 matern52 cauchy laplace1 laplace2 cauchy_product
 *                                            n=J frequencies (default 200, 2J features)  ard  length=START (default: from data)
 *                                            draws=orthogonal|independent|sobol|halton|fastfood (default: see bln_fourier_desc)
 *     matern                                 as rbf, and nu=V (default 2), 0.1 .. 1e4
 *     rq                                     as rbf, and alpha=V (default 2), 0.1 .. 1e4
 *     spectral                               q=Q components (default 1), each with n=J frequencies (default 100), 4J features and
 *                                            a prior variance  ard  length=START  draws (as rbf)  period=START of component 1;
 *                                            component k starts at START/k (default: 4 standard deviations of the inputs)
 *     inducing                               m=M points (default 100), M features  kernel=K, a name from above (default rbf), with
 *                                            its nu or alpha  ard  length=START (default: from data)  learn: the points too
 *                                            select=kmeans|pivoted|random: how the points are chosen from the rows (>>inducing;
 *                                            default kmeans)  range=R (default 2): without rows they are spread in [-R, R]
 *     gp                                     the Gaussian process of a kernel, a point on every row: needs rows, up to 5000
 *                                            kernel=K, ard, length=START as for inducing
 *     group                                  by=COLUMN, whose numbers are the groups  cols=a;b;c: inputs with a slope in each group
 *                                            (default: none)  ones=0|1: intercepts (default 1): (1 | by), (a || by), (0 + a | by)
 *     any but bias                           cols=a;b;c   input columns, by name or by number from 0 (default: all but those of
 *                                            by=, which no other term may use)
 *
 * ard: one length scale for each input, not one for all. interactions: products of different inputs too. ones: a constant feature.
 * R is in units of the inputs, the same for all. The text knows nothing of the data: its defaults suit standardised inputs
 * (>>scaler). Length scales that a fit learns find their units; the centres of radial, sigmoid and ridge stay where they are, and
 * nothing reports inputs that lie elsewhere. laplace2 is another name of matern12. Blanks around tokens are ignored; ard, learn and
 * interactions also take =0|1. A column whose name contains + , or ; is given by its number; a name is preferred to a number that
 * looks the same. START, R and V are decimal numbers with a point, in any locale. Each random term draws from its own stream, by
 * seed and position in the sum. */

/* A term of your own. make gets the text of the options after ":" (without cols), the number of inputs that its basis will see, and
 * a seed of its own. Built-in names take precedence. */
typedef struct bln_spec_term {
    const char *name;
    bln_status (*make)(void *user, const char *options, size_t d, uint64_t seed, const bln_allocator *alloc, bln_basis **out,
                       bln_report *report);
    void *user;
} bln_spec_term;

/* rows are the training rows as the model will see them, d inputs each; y is not read. inducing chooses its points from them (fewer
 * than M if there are fewer different rows), gp takes all, and group takes its levels, unless groups has them. With rows->X NULL
 * only their number counts and points are spread, which shows the sizes of a basis. Fit a model of gp to the same rows in the same
 * order: >>slm then takes n^3 flops for an evaluation, against 12 n^3 with other points. */
typedef struct bln_spec_desc {
    const char           *text;      /* the SPEC                              (required)           */
    size_t                d;         /* input columns                         (may be 0 for "bias") */
    const char *const    *names;     /* d names of input columns              (NULL: numbers only) */
    uint64_t              seed;      /*                                       (0: seed 0)          */
    const bln_data       *rows;      /* see above                             (NULL: points are spread; no gp, no group by rows) */
    const bln_group_desc *groups;    /* d; n, levels and names of input i as a group, n = 0: from rows  (NULL: all from rows) */
    const bln_spec_term  *own;       /* n_own terms of your own               (NULL: none)         */
    size_t                n_own;
    bln_allocator         alloc;     /*                                       (zero: malloc)       */
} bln_spec_desc;

/* Makes the basis of a SPEC.
 * BLN_EINVAL: NULL, or the text is not a SPEC; the report says what and at which character (counted from 1; its column from 0).
 * BLN_EUNKNOWN: unknown term, option or column name. BLN_ESHAPE: rows->d is not d, or no rows. BLN_EDATA: NaN or infinity in the
 * rows, or a number of a group that is not whole. BLN_ENUMERIC: see bln_inducing_select. BLN_ENOMEM. BLN_EOVERFLOW, also for more
 * rows than gp takes. */
BLN_API bln_status bln_basis_parse(const bln_spec_desc *desc, bln_basis **out, bln_report *report);

#endif /* BLN_BASIS_SPEC_H */

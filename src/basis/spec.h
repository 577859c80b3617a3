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
 *                                            from [-R, R] to [-1, 1], what lies outside extrapolates
 *     radial sigmoid ridge                   n=J centres (default 20) in [-R, R] (see bln_radial_centres)  range=R (default 2)
 *                                            ard  length=START (default: from data)
 *     rbf matern12 matern32 matern52 cauchy laplace1 laplace2 cauchy_product
 *                                            n=J frequencies (default 200; features are 2J)  ard  length=START (default: from data)
 *                                            draws=orthogonal|independent|sobol|halton|fastfood (default: see bln_fourier_desc)
 *     matern                                 the same and nu=V (default 2), 0.1 .. 1e4
 *     rq                                     the same and alpha=V (default 2), 0.1 .. 1e4
 *     spectral                               n=J frequencies (default 100) for each of q=Q components (default 1; features are
 *                                            4JQ, with a prior variance for each component)  ard  length=START  draws (as above)
 *                                            period=START of the first component, component k starts at a k-th of it (default: 4
 *                                            standard deviations of the inputs)
 *     inducing                               m=M points (default 100, as many features)  kernel=K, of the above (default rbf), with
 *                                            its nu or alpha  ard  length=START (default: from data)  learn: the points too
 *                                            select=kmeans|pivoted|random: how they are chosen from rows (default kmeans, see
 *                                            >>inducing)  range=R (default 2): without rows they are spread in [-R, R]
 *     gp                                     the Gaussian process of a kernel itself, a point on every row: needs rows, up to 5000
 *                                            kernel=K (default rbf), with its nu or alpha  ard  length=START (default: from
 *                                            data)
 *     group                                  by=COLUMN, whose numbers name groups  cols=a;b;c: inputs with a slope in each group
 *                                            (default: none)  ones=0|1: intercepts (default 1): (1 | by), (a || by), (0 + a | by)
 *     any but bias                           cols=a;b;c   input columns, by name or by number from 0 (default: all that no by=
 *                                            names, which only by= may name)
 *
 * R is in units of the inputs, the same for all: a line of text has not seen the data, so that its defaults are made for
 * standardised inputs (>>scaler). laplace2 is matern12 by its other name. Blanks around tokens are ignored; ard and interactions
 * also take =0|1. A column name with one of + , ; in it must be given by number; a name comes before a number that looks like it.
 * START, R and V are digits with a point and e-, in any locale. Each random term draws its own frequencies or centres from (seed,
 * position in the sum).
 *
 * rows: the training rows as the model will see them, d inputs each (y and the like are not looked at), for terms that choose their
 * points from them: `inducing`, with fewer than M points if there are no more different rows, and `gp`, which takes them all.
 * rows->X NULL: only their number is known; points are spread, for a look at the sizes of a basis.
 * group takes its levels from them, unless `groups` has them.
 * Fit gp to these rows, in their order: >>slm knows them for its points, and takes n^3 flops for an evaluation where other inducing
 * points take 12.
 *
 * names: of the d input columns; NULL: columns have numbers only. own: further terms by name (built-in names come first);
 * make is called with the options text after ":" (without cols), the number of inputs it will see and a seed of its own. */
typedef struct bln_spec_term {
    const char *name;
    bln_status (*make)(void *user, const char *options, size_t d, uint64_t seed, const bln_allocator *alloc, bln_basis **out,
                       bln_report *report);
    void *user;
} bln_spec_term;

typedef struct bln_spec_desc {
    const char           *text;      /* the SPEC                              (required)           */
    size_t                d;         /* input columns                         (may be 0 for "bias") */
    const char *const    *names;     /* d column names                        (NULL: numbers only) */
    uint64_t              seed;      /*                                       (0: seed 0)          */
    const bln_data       *rows;      /* rows to choose points from            (NULL: points are spread) */
    const bln_group_desc *groups;    /* d; n, levels and names of input i as a group, n = 0: from rows  (NULL: all from rows) */
    const bln_spec_term  *own;       /* n_own further terms                   (NULL: none)         */
    size_t                n_own;
    bln_allocator         alloc;     /*                                       (zero: malloc)       */
} bln_spec_desc;

/* BLN_EINVAL: the text is not a SPEC; the report says what and at which character (from 1; its column: from 0).
 * BLN_EUNKNOWN: unknown term, option or column name. BLN_ESHAPE: rows->d is not d, or no rows. BLN_EDATA: NaN or infinity in the
 * rows, or a number of a group that is not whole. BLN_ENUMERIC: see bln_inducing_select. BLN_ENOMEM. BLN_EOVERFLOW, also for more
 * rows than gp takes. */
BLN_API bln_status bln_basis_parse(const bln_spec_desc *desc, bln_basis **out, bln_report *report);

#endif /* BLN_BASIS_SPEC_H */

#ifndef BLN_USE_AUTO_BASIS_H
#define BLN_USE_AUTO_BASIS_H
#include "../core/memory.h"
#include "../core/status.h"
/* >>auto_basis - a basis that the rows choose
 *
 * Fits some bases and returns the SPEC (>>spec) of the best, with a table of what was tried: >>auto_slm and >>auto_glm. The fit of
 * the chosen basis to all rows is left to the caller: parse the text with these rows and this seed. Bases that are tried:
 *
 *     linear                                   a straight line
 *     gp:kernel=K,ard+linear                   a Gaussian process around it, of the kernels rbf, matern32, matern52, cauchy and
 *                                              laplace1 (of several latents the first two); of one or two inputs also with a
 *                                              short length scale to begin with
 *     the best of these without ard            (above 32 inputs the other way round: ard is tried for the best kernel only)
 *     the best of these with +bias             a constant in the place of the line
 *     K:n=J,ard+linear, rbf:n=J,ard+linear,    where gp has too many rows: K the best kernel, J and M as the budget allows
 *     inducing:m=M,kernel=K,ard+linear
 *
 * FIRST by the evidence, on all rows, or as many as the budget allows, drawn by the seed; few rows may prefer another kernel than
 * many. All candidates are exact there, so that no evidence is one of an approximation. The hyper-parameters of each are learnt.
 * As learning always raises the evidence, a nat is subtracted for each hyper-parameter: the variance of a kernel and each of its
 * length scales. Of equals the first wins.                                       [Akaike 1974]
 *
 * THEN, only if there are more rows than in the first round, and the line won or there are too many rows for gp: candidates are
 * fitted to at most 4000 rows, and the best log density of at most 2000 other rows wins.
 *
 * Of a generalised linear model the evidence is Laplace's approximation, or the bound of a full Gaussian where the default goes by
 * it (>>glm: several latents, ordered categories, no curvature), whatever the method of the model.
 *
 * The budget is counted in floating point operations: evaluations, 50 for a search with a length scale for each input and 30 else,
 * times a formula for each. It is shared out in advance: 3/10 and 1/10 for the rounds, 6/10 for the fit to all rows. No clock is
 * read, so that the choice is the same on every machine, but where rounding decides between equals. With N rows, D features, J
 * latents an evaluation counts as
 *
 *                   gp                         other features
 *     slm           N^3                        3 N D^2 + D^3               inducing points: as three times as many rows
 *     glm           30 N^3                     10 (N D^2 + D^3)
 *     J latents     J (400 N^3 + 1e6 N)        J (60 (N D^2 + D^3) + 1e6 N)
 *
 * The default of 4e12 allows gp for up to 3600 rows of a linear model, and all rows in the first round for up to 1800, else 1500;
 * with a likelihood of one latent 1100, 600 and 480. Measured, by one core of 20 to 25 Gflop/s: a linear model of 500 rows and 13
 * inputs takes 2 s to choose for, one of 1353 rows and 5 inputs 35 s. Rows of weight 0 count like others. */

enum { BLN_AUTO_MOST = 24, BLN_AUTO_TEXT = 96 };

/* A row of the table. */
typedef struct bln_auto_tried {
    char       text[BLN_AUTO_TEXT];    /* the SPEC                                                                     */
    size_t     rows, left_out;         /* that it was fitted to; that were left out to score it, 0: by its evidence    */
    size_t     evaluations;            /* of the objective, by its search                                              */
    double     flops;                  /* these times the formula                                                      */
    double     score;                  /* log evidence, or log density of all rows left out, in nats; NaN: no fit      */
    bln_status status;                 /* of its fit                                                                   */
} bln_auto_tried;

typedef struct bln_auto_basis {
    char   text[BLN_AUTO_TEXT];        /* the SPEC that is chosen                                                      */
    double flops;                      /* of all that was tried                                                        */
    size_t n;                          /* rows of the table, in the order in which they were tried                     */
    size_t best;                       /* the row that was best; text may have more features                           */
    bln_auto_tried tried[BLN_AUTO_MOST];
} bln_auto_basis;

typedef struct bln_auto_basis_desc {
    uint64_t      seed;                /* of random features, and of the rows that are drawn   (0: seed 0)             */
    double        budget;              /* flops, of which the fit to all rows is the most      (0: 4e12)               */
    bln_allocator alloc;               /*                                                      (zero: malloc)          */
} bln_auto_basis_desc;

#endif /* BLN_USE_AUTO_BASIS_H */

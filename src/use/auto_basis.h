#ifndef BLN_USE_AUTO_BASIS_H
#define BLN_USE_AUTO_BASIS_H
#include "../core/memory.h"
#include "../core/status.h"
/* >>auto_basis - a basis that the rows choose
 *
 * Fits several bases and returns the SPEC (>>spec) of the best and a table of all: see >>auto_slm and >>auto_glm. The caller then
 * parses this text with the same rows and seed, and fits the basis to all rows. These bases are tried:
 *
 *     linear                                   a straight line
 *     gp:kernel=K,ard+linear                   a line and a Gaussian process with kernel rbf, matern32, matern52, cauchy or
 *                                              laplace1 (several latents: the first two); for one or two inputs also from a
 *                                              short start of the length scale
 *     the best of these without ard            (above 32 inputs all are tried without ard, and the best with it)
 *     the best of these with +bias             a constant in place of the line
 *     K:n=J,ard+linear, rbf:n=J,ard+linear,    if there are too many rows for gp: K the best kernel, J and M as the budget allows
 *     inducing:m=M,kernel=K,ard+linear
 *
 * Round 1 compares their evidence on all rows, or on as many as the budget allows, drawn by the seed (a few rows may prefer another
 * kernel than many). All candidates are exact there; no evidence is that of an approximation. The hyper-parameters of each are
 * learnt, which raises the evidence: so a nat is subtracted for each of them (the variance and each length scale of a kernel). Of
 * equal candidates the first wins. [Akaike 1974]  Of >>slm with one output none is taken if one that learns no more parameters has
 * smaller squared errors of rows left out (>>loo), by two standard errors of the differences: the mean should be good too.
 *
 * Round 2 takes place if round 1 did not use all rows, and either the line won or there are too many rows for gp. Candidates are
 * fitted to at most 4000 rows, and that with the highest log density of at most 2000 other rows wins.
 *
 * The evidence of a generalised linear model is Laplace's approximation, or the bound of a full Gaussian where the default method
 * of >>glm takes it (several latents, ordered categories, no curvature), whatever the method of the model.
 *
 * The budget counts floating point operations: 50 evaluations for a search with a length scale for each input, 30 for another, each
 * as the formula below says. Round 1 gets 3/10 of it, round 2 1/10, the fit to all rows 6/10. No clock is read, so the choice is
 * the same on every machine, unless rounding decides between equal candidates. With N rows, D features and J latents an evaluation
 * counts as
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
    size_t     rows, left_out;         /* rows that it was fitted to; other rows that score it (0: its evidence does)  */
    size_t     evaluations;            /* evaluations of the objective by its search                                   */
    double     flops;                  /* evaluations times the formula                                                */
    double     score;                  /* log evidence, or log density of all rows left out, in nats; NaN: no fit      */
    double     penalty;                /* taken off the score before it is compared: the nats for what a kernel learns */
    double     excess;                 /* standard errors by which another's squared errors are smaller; 0: none known */
    bln_status status;                 /* of its fit                                                                   */
} bln_auto_tried;

typedef struct bln_auto_basis {
    char   text[BLN_AUTO_TEXT];        /* the SPEC of the chosen basis                                                 */
    double flops;                      /* sum over the table                                                           */
    size_t n;                          /* rows of the table                                                            */
    size_t best;                       /* row of the best candidate; text may give it more features                    */
    bln_auto_tried tried[BLN_AUTO_MOST];   /* the table, in the order of the fits                                      */
} bln_auto_basis;

typedef struct bln_auto_basis_desc {
    uint64_t      seed;                /* of random features, and of the rows that are drawn   (0: seed 0)             */
    double        budget;              /* flops, for both rounds and the fit to all rows       (0: 4e12)               */
    bln_allocator alloc;               /*                                                      (zero: malloc)          */
} bln_auto_basis_desc;

#endif /* BLN_USE_AUTO_BASIS_H */

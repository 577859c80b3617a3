#ifndef BLN_PROGRAM_PROGRAM_H
#define BLN_PROGRAM_PROGRAM_H
#include "../core/allreduce.h"
#include "../posterior/chains.h"
#include "../posterior/psis.h"
#include "../random/rng.h"
#include "../sampling/density.h"
#include "constrain.h"
/* >>program - a model of your own: parameters and a function that adds up its log density
 *
 *     static bln_status coin(bln_tape *t, const bln_var *p, void *user)
 *     {
 *         const struct tosses *s = (const struct tosses *)user;
 *         bln_lp_beta(t, p[0], bln_c_num(t, 2), bln_c_num(t, 2));
 *         bln_data_term(t);
 *         bln_lp_bernoulli_logit(t, bln_c_vec(t, s->heads, s->n), bln_v_logit(t, p[0]));
 *         return BLN_OK;
 *     }
 *     static const bln_program_parameter parameters[] = { BLN_PARAMETER_IN("theta", 1, 1, INTERVAL, 0, 1) };
 *     ...
 *     desc.model = coin;  desc.user = &tosses;  desc.parameters = parameters;  desc.n_parameters = 1;
 *     if (bln_program_create(&desc, &program, &report)) ...
 *     hmc.density = bln_program_density(program);
 *     if (bln_hmc_sample(&hmc, &draws, &report)) ...
 *
 * The function is called at each evaluation, and what it computes with bln_v_x and bln_lp_x is differentiated (>>tape_array,
 * >>tape_density). It must give the same for the same parameters. examples/20_programs.c has whole programs. */

/* p[k] is parameter k, in its domain and shape. Returns BLN_OK; BLN_EDOMAIN where these parameters are impossible; or another
 * status, which ends the run, but for BLN_ENOTPD and BLN_ENUMERIC, which are as BLN_EDOMAIN. */
typedef bln_status (*bln_program_model)(bln_tape *t, const bln_var *p, void *user);

typedef struct bln_program_parameter {
    const char    *name;           /* of at most 200 bytes                                              (required)             */
    size_t         rows, cols;     /* shape in its domain; vectors have one column     (0: 1; columns of matrices: as rows)     */
    bln_constraint constraint;     /*                                                                   (0: free)              */
    double         lo, hi;         /* of BLN_CONSTRAINT_LOWER, _UPPER, _INTERVAL                                               */
    const double  *start;          /* rows x cols numbers inside its domain, where _create begins       (NULL: random)         */
    size_t         scope;          /* of its log-Jacobian, and of its part of q in >>advi: see bln_scope          (0: 1)       */
    int            point;          /* in >>advi: a number to be found, as weights of a network, instead of a Gaussian (0: no)  */
} bln_program_parameter;

/* Initialisers of all fields; constraint: FREE, POSITIVE, ..., without BLN_CONSTRAINT_. */
#define BLN_PARAMETER_IN(name, rows, cols, constraint, lo, hi) \
    { name, rows, cols, BLN_CONSTRAINT_##constraint, lo, hi, NULL, 0, 0 }
#define BLN_PARAMETER(name, rows, cols, constraint) BLN_PARAMETER_IN(name, rows, cols, constraint, 0.0, 0.0)

typedef struct bln_program_desc {
    bln_program_model    model;            /*                                                           (required)             */
    void                *user;             /* for model and generate                                                           */
    size_t               n_parameters;     /*                                                           (required, >= 1)       */
    const bln_program_parameter *parameters;   /* copied, but for what it points to, which must stay    (required)             */
    /* More numbers that are kept of each draw, out[n_generate], such as predictions: parameter k is at p[k]. What is random in them
     * comes from rng.                                                                                  (NULL: none)           */
    void               (*generate)(const double *const *p, bln_rng *rng, void *user, double *out);
    size_t               n_generate;
    const char *const   *generate_names;   /* n_generate of them                                        (NULL: "generated[1]") */
    size_t               n_rows;           /* log densities of rows behind bln_data_term, for leaving rows out (0: not needed) */
    /* What bln_batch gives to the model: rows in memory (the view is copied), or a source. An evaluation over all rows of a source
     * is a pass over it, and the model is called for each block: P and scopes of rows are summed, the others counted once. In
     * minibatches P and scopes of rows are multiplied by the number of batches in an epoch, so that their mean over an epoch is
     * that over all rows (>>advi).                                                              [programs 5] (both NULL: none) */
    const bln_data      *data;
    const bln_source    *source;
    size_t               block;            /* rows in a block of a pass over the source                 (0: 1000)              */
    /* Rows of several processes (>>allreduce): value and gradient are summed at each evaluation, P and scopes of rows over all
     * processes, the others once, so that every sampler and optimiser sees all rows. The first two numbers of a sum are made
     * by _create, the last by _free.                                                                   (NULL: one process)    */
    bln_allreduce        allreduce;
    void                *allreduce_user;
    const double        *power;            /* BLN_SCOPES factors of C_1, C_2, ..., >= 0, read at each evaluation: a monitor may
                                              change them, as in annealing                              (NULL: all 1)          */
    int                  parallel;         /* may model, generate and alloc be called in several threads at once? (0: no)      */
    uint64_t             seed;             /* of random starts, bln_c_noise, minibatches                (0: 0)                 */
    bln_allocator        alloc;            /*                                                           (zero: malloc)         */
} bln_program_desc;

typedef struct bln_program bln_program;

/* NULL, or why it cannot be used. */
BLN_API const char *bln_program_check(const bln_program_desc *desc);

/* Evaluates the model at the starts, where a parameter has none at random free coordinates within 2 of 0, up to 100 times, until
 * its log density is finite; there once more, with and without gradient, which must give the same bits. Constants are looked
 * through.
 * BLN_EINVAL: what _check says, a start outside of its domain, two evaluations that differ, misused handles.  BLN_ESHAPE: arrays
 * that do not fit.  BLN_EDATA: NaN or infinity in a constant.  BLN_EDOMAIN: a constant outside of its domain; the model says so of
 * all points.  BLN_ENUMERIC: no point has a finite log density and gradient: the report names the first call whose result is not.
 * BLN_ENOMEM, BLN_EOVERFLOW. What the model returned. Reports name the call, its argument and the sizes. */
BLN_API bln_status bln_program_create(const bln_program_desc *desc, bln_program **out, bln_report *report);
BLN_API void       bln_program_free(bln_program *program);                 /* NULL is fine */

/* The log density over all free coordinates, whose draws are the parameters in their domains by name ("tau", "theta[3]",
 * "Omega[2,1]"), and what generate makes. It lives as long as the program, whose memory it uses: one thread at a time, but samplers
 * clone it if desc.parallel. Zeros for NULL. */
BLN_API bln_density bln_program_density(bln_program *program);

/* The free coordinates where _create found a finite log density. NULL for NULL. */
BLN_API const double *bln_program_start(const bln_program *program);

/* q <- the free coordinates of parameters p, the numbers of all one behind the other.
 * BLN_EINVAL: NULL.  BLN_EDOMAIN: p is not inside; column: the parameter. */
BLN_API bln_status bln_program_unconstrain(bln_program *program, const double *p, double *q, bln_report *report);

/* scopes[1 + BLN_SCOPES] <- P, C_1, C_2, ... at the free coordinates q, over all rows and without powers: the log density is their
 * sum. C_m of rows is minus the divergence of local variables: near 0 where they are not used.
 * BLN_EINVAL: NULL.  BLN_EDOMAIN: q is impossible.  Errors of the model and of the source.                        [programs 32] */
BLN_API bln_status bln_program_scopes(bln_program *program, const double *q, double *scopes, bln_report *report);

/* log_p[n_rows] <- what the model adds behind bln_data_term at parameters p, such as a draw, element by element, in the order of
 * the calls.   BLN_EINVAL: NULL, or a desc without n_rows.  BLN_ESHAPE: not n_rows of them.  Errors of the model. */
BLN_API bln_status bln_program_pointwise(bln_program *program, const double *p, double *log_p, bln_report *report);

/* Leaves out each row in turn by Pareto-smoothed importance sampling: the n_rows log densities at each draw are handed to
 * bln_psis_loo. elpd, k_hat: n_rows numbers each, or NULL; total: required. Takes 8 bytes for each draw and row.
 * BLN_EINVAL: NULL, or a desc without n_rows.  BLN_ESHAPE: draws without this program's parameters in their first columns, or none.
 * Errors of bln_program_pointwise and bln_psis_loo. */
BLN_API bln_status bln_program_loo(bln_program *program, const bln_chains *draws, double *elpd, double *k_hat, bln_elpd *total,
                                   bln_report *report);

#endif /* BLN_PROGRAM_PROGRAM_H */

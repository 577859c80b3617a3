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
 * Each evaluation of the density calls the function; the operations bln_v_x and bln_lp_x that it makes are recorded on the tape and
 * differentiated (>>tape_array, >>tape_density). With the same parameters it must always compute the same. examples/20_programs.c
 * has whole programs. */

/* The model: adds its log density to the tape. p[k] is parameter k, in its domain and shape. Returns BLN_OK. BLN_EDOMAIN,
 * BLN_ENOTPD and BLN_ENUMERIC mean that the density is 0 at these parameters; any other status ends the run. */
typedef bln_status (*bln_program_model)(bln_tape *t, const bln_var *p, void *user);

typedef struct bln_program_parameter {
    const char    *name;           /* at most 200 bytes, not ending in __                               (required)             */
    size_t         rows, cols;     /* shape; a vector has one column         (0: 1; cols of correlations and covariances: rows) */
    bln_constraint constraint;     /* domain, see >>constrain                                           (0: free)              */
    double         lo, hi;         /* bounds, of BLN_CONSTRAINT_LOWER, _UPPER and _INTERVAL only                               */
    const double  *start;          /* rows x cols numbers inside the domain: where _create begins       (NULL: random)         */
    size_t         scope;          /* of its log-Jacobian, and of its part of q in >>advi: see bln_scope          (0: 1)       */
    int            point;          /* in >>advi: a number to be found, as weights of a network, instead of a Gaussian (0: no)  */
} bln_program_parameter;

/* Initialisers of all fields; constraint is FREE, POSITIVE and so on, without BLN_CONSTRAINT_. */
#define BLN_PARAMETER_IN(name, rows, cols, constraint, lo, hi) \
    { name, rows, cols, BLN_CONSTRAINT_##constraint, lo, hi, NULL, 0, 0 }
#define BLN_PARAMETER(name, rows, cols, constraint) BLN_PARAMETER_IN(name, rows, cols, constraint, 0.0, 0.0)

typedef struct bln_program_desc {
    bln_program_model    model;            /*                                                           (required)             */
    void                *user;             /* argument of model and generate                                                   */
    size_t               n_parameters;     /*                                                           (required, >= 1)       */
    const bln_program_parameter *parameters;   /* copied, but not what it points to                     (required)             */
    /* Computes out[n_generate] from the parameters of a draw, parameter k at p[k], to be kept with it: predictions, for example.
     * Random numbers must come from rng.                                                               (NULL: none)           */
    void               (*generate)(const double *const *p, bln_rng *rng, void *user, double *out);
    size_t               n_generate;
    const char *const   *generate_names;   /* n_generate names, not ending in __          (NULL: "generated[1]" and so on)     */
    size_t               n_rows;           /* how many log densities of rows the model adds after bln_data_term, for _pointwise
                                              and _loo                                                  (0: not used)          */
    /* What bln_batch gives to the model: rows in memory (the view is copied), or a source. An evaluation over all rows of a source
     * is a pass over it, and the model is called for each block: P and scopes of rows are summed, the others counted once. In
     * minibatches P and scopes of rows are multiplied by the number of batches in an epoch, so that their mean over an epoch is
     * that over all rows (>>advi).                                                              [programs 5] (both NULL: none) */
    const bln_data      *data;
    const bln_source    *source;
    size_t               block;            /* rows in a block of a pass over the source                 (0: 1000)              */
    /* Rows of several processes (>>allreduce). Each evaluation sums value and gradient over them: P and scopes of rows over all
     * processes, the other scopes once. So every sampler and optimiser sees all rows. _create and _free call it too, so all
     * processes must call these.                                                                       (NULL: one process)    */
    bln_allreduce        allreduce;
    void                *allreduce_user;
    const double        *power;            /* BLN_SCOPES factors of C_1, C_2, ..., >= 0, read at each evaluation: a monitor may
                                              change them, as in annealing                              (NULL: all 1)          */
    int                  parallel;         /* may model, generate and alloc be called in several threads at once? (0: no)      */
    uint64_t             seed;             /* of random starts, bln_c_noise, minibatches                (0: seed 0)            */
    bln_allocator        alloc;            /*                                                           (zero: malloc)         */
} bln_program_desc;

typedef struct bln_program bln_program;

/* NULL, or the reason why the desc cannot be used. */
BLN_API const char *bln_program_check(const bln_program_desc *desc);

/* Makes a program and evaluates the model up to 100 times, until log density and gradient are finite: at the given starts, and at
 * random free coordinates within 2 of 0 for the other parameters. It checks the constants on the way, and that three more
 * evaluations there, one without gradient, give the same bits.
 * BLN_EINVAL: _check refuses the desc, no free coordinates, a start outside of its domain, evaluations that differ, misused
 * handles, an unbounded parameter that no operation reads, a scope that depends on a parameter of a later one that is no point, by
 * its slope at the start (neither is looked for with a source, nor in several processes; column: which parameter).
 * BLN_ESHAPE: arrays that do not fit.  BLN_EDATA: NaN or infinity in a constant.  BLN_EDOMAIN: a constant outside of its domain, or
 * the model returns it at all points.  BLN_ENUMERIC: no point has a finite log density and gradient; the report names the first
 * such call.  BLN_ENOMEM, BLN_EOVERFLOW. Any status of the model. Reports name call, argument and sizes. */
BLN_API bln_status bln_program_create(const bln_program_desc *desc, bln_program **out, bln_report *report);
BLN_API void       bln_program_free(bln_program *program);                 /* NULL is fine */

/* The log density over all free coordinates, for samplers. A draw has all parameters in their domains, by name ("tau", "theta[3]",
 * "Omega[2,1]"), then the numbers of generate. The density uses the memory of the program: it is valid until _free, and in one
 * thread at a time. If desc.parallel is set, samplers clone it. All zero for NULL. */
BLN_API bln_density bln_program_density(bln_program *program);

/* The free coordinates where _create found a finite log density. NULL for NULL. */
BLN_API const double *bln_program_start(const bln_program *program);

/* q <- the free coordinates of the parameters p, all numbers of the first parameter, then of the second, and so on.
 * BLN_EINVAL: NULL.  BLN_EDOMAIN: a parameter outside its domain; the report's column is its index. */
BLN_API bln_status bln_program_unconstrain(bln_program *program, const double *p, double *q, bln_report *report);

/* scopes[1 + BLN_SCOPES] <- P, C_1, C_2, ... at the free coordinates q, over all rows and without powers: the log density is their
 * sum. C_m of rows is minus the divergence of local variables: near 0 where they are not used. All processes must call it.
 * BLN_EINVAL: NULL.  BLN_EDOMAIN: q is impossible.  Errors of the model and of the source.                        [programs 32] */
BLN_API bln_status bln_program_scopes(bln_program *program, const double *q, double *scopes, bln_report *report);

/* log_p[n_rows] <- each log density that the model adds after bln_data_term, in the order of the calls, at the parameters p, laid
 * out as in _unconstrain (as in a draw).
 * BLN_EINVAL: NULL, or n_rows is 0.  BLN_ESHAPE: the model adds another number than n_rows.  Errors of the model. */
BLN_API bln_status bln_program_pointwise(bln_program *program, const double *p, double *log_p, bln_report *report);

/* Leaves out each row in turn: bln_psis_loo of the n_rows log densities at each draw. elpd, k_hat: n_rows numbers each, or NULL;
 * total: required. Memory: 8 bytes for each draw and row.
 * BLN_EINVAL: NULL, or n_rows is 0.  BLN_ESHAPE: no draws, or their first columns are not this program's parameters.  Errors of
 * bln_program_pointwise and bln_psis_loo. */
BLN_API bln_status bln_program_loo(bln_program *program, const bln_chains *draws, double *elpd, double *k_hat, bln_elpd *total,
                                   bln_report *report);

#endif /* BLN_PROGRAM_PROGRAM_H */

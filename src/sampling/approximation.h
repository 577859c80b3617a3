#ifndef BLN_SAMPLING_APPROXIMATION_H
#define BLN_SAMPLING_APPROXIMATION_H
#include "../posterior/chains.h"
/* >>approximation - Gaussians q in place of a density p: what >>advi and >>pathfinder return, and whether it may be believed
 *
 * Each draw q_s of q has the log weight l_s = log p(q_s) - log q(q_s). If q were p, all weights would be the same. The mean of l
 * is the evidence lower bound (ELBO), the log of the mean of e^l the importance-weighted log evidence, and the shape k_hat of the
 * tail of e^l (>>psis) says whether the weights can correct the errors of q. It judges only where the draws are: a mode that no
 * draw visits goes unnoticed.
 *                                [Burda, Grosse & Salakhutdinov 2016; Yao, Vehtari, Simpson & Gelman 2018; programs 33]
 *
 * A table of such draws (>>chains) has three columns behind those of the density:
 *
 *     lp__     log p          lp_approx__     log q          log_weight__     log of the smoothed weight; the weights sum to 1
 *
 * ELBO and evidence are those of p as its function adds it up: evidence only if no constant is left out. */
typedef struct bln_importance {
    size_t draws, impossible;               /* S; those where p is 0                                                           */
    double elbo, elbo_se;                   /* mean of l, and its standard error; -infinity where a draw is impossible         */
    double log_evidence, log_evidence_se;   /* log of the mean of e^l over all draws; the error by the delta method, too small
                                               where k_hat is large                                                            */
    double k_hat, ess;                      /* shape of the tail of the weights (infinity: one draw, or a tail of fewer than 5);
                                               effective draws, 1/sum of their squares                                         */
    int    good;                            /* can draws with their weights be believed? k_hat is at most bln_psis_limit(S), ess
                                               at least 25, or S/2; or ess above 0.9 S + 1: no draw counts for 1.1/sqrt(S). Also 0
                                               where p is flat along a coordinate, as far as 100 (|mean| + scale): asked by 2 dim
                                               evaluations where dim is at most 250 and S/2, not by bln_chains_importance      */
    char   text[200];                       /* the same in words                                                               */
} bln_importance;

/* From the columns lp__ and lp_approx__ of any table.
 * BLN_EINVAL: NULL, no such columns, no draws.  BLN_EDATA: NaN.  BLN_EUNDEFINED: p is 0 at all draws.  BLN_ENOMEM. */
BLN_API bln_status bln_chains_importance(const bln_chains *chains, bln_importance *out, bln_report *report);

/* As many draws as asked for, as one chain of equal weights in random order, for the summaries of >>diagnosis.
 *     replace 0    without replacement, by the largest of log weight plus a Gumbel variable [Efraimidis & Spirakis 2006]: no draw
 *                  comes twice; take a tenth of the draws at most, for all of them are the table as it was
 *     replace 1    with replacement, systematic: each draw comes as often as its weight says, to within one
 * BLN_EINVAL: NULL, no draws asked for, no column log_weight__, more than there are with a weight > 0 and replace is 0.
 * BLN_EDATA: a weight that is NaN or infinite.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_chains_resample(const bln_chains *chains, size_t draws, int replace, uint64_t seed, bln_chains **out,
                                       bln_report *report);

/* A scope of a program (bln_scope) under q. */
typedef struct bln_scope_terms {
    double log_p, log_p_se;                 /* mean over the draws of what the model added, with log-Jacobians and without its
                                               power, and its standard error                                                   */
    double entropy;                         /* of q's coordinates of its parameters given those before; 0 of points. LOW_RANK: all
                                               of it is in scope 1                                                             */
    double kl;                              /* -(log_p + entropy): KL(q || p) of the scope's parameters. Near 0, data say nothing
                                               of them: the module has collapsed onto its prior. Of rows: their local variables'.
                                               Scope 0: minus the mean log density of the rows. Of a point that is not free it
                                               holds the log-Jacobian, and is no divergence                                    */
} bln_scope_terms;

/* What an approximation is, valid as long as the object that made it. All in the density's free coordinates but the draws. */
typedef struct bln_approximation {
    size_t          dim;                    /* D                                                                               */
    const double   *mean;                   /* D: of q; of several paths, of the best one                                      */
    const double   *scale;                  /* D standard deviations of q; 0 of points                                         */
    const double   *variance;               /* D, their squares: inverse_metric of >>hmc, unless there are points: the 0 of a point
                                               is no width of p, and >>hmc refuses it                                          */
    const double   *factor;                 /* FULL: D x D upper U, covariance U'U. LOW_RANK: D x rank, B. Else NULL           */
    const double   *diagonal;               /* LOW_RANK: D, delta; covariance diag(delta^2) + BB'. Else NULL                   */
    const double   *starts;                 /* n_starts x D draws, chosen by weight: start of >>hmc                            */
    size_t          n_starts;
    bln_importance  importance;             /* of all draws below, none of which q has been fitted to                          */
    const bln_chains *draws;                /* one chain; of several paths a chain for each                                    */
    uint64_t        evaluations;            /* of the density                                                                  */
    const double   *path_elbo;              /* PATHFINDER: best ELBO of each path, -infinity where it failed. Else NULL        */
    const bln_scope_terms *scopes;          /* ADVI of a program: P, C_1, ..., C_8; their log_p + entropy sum to the ELBO where
                                               powers are 1, but for the noise of the draws. Else NULL        [programs 32]    */
    size_t          apart;                  /* PATHFINDER: paths whose ELBO is more than 10 below the best: other modes, or stuck */
} bln_approximation;

#endif /* BLN_SAMPLING_APPROXIMATION_H */

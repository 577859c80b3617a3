#ifndef BLN_SAMPLING_ADVI_PRIVATE_H
#define BLN_SAMPLING_ADVI_PRIVATE_H
/* advi_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "advi.h"
#include "approximation_private.h"
#include "../optim/lbfgs_private.h"
#include "../optim/sgd_private.h"

/* A Gaussian by its parameters x. LOW_RANK of rank 0 is MEAN_FIELD. */
typedef struct blni_q {
    size_t        D, rank;
    size_t        points;       /* coordinates without a variance; 0 of FULL and LOW_RANK                                      */
    int           full;
    const double *x;            /* D mean, log diag of all but points, then the rows below the diagonal of L = U', or B        */
    double       *diag, *d;     /* D - points each: delta, or the diagonal of L; workspace                                     */
    size_t       *wide;         /* D - points: which coordinates they are                        (not used where points is 0)  */
    double       *P, *M, *v;    /* D x rank delta^-2 B; rank^2 upper factor of I + B'P; 2 rank workspace                       */
    double        half_logdet;  /* of the covariance                                                                           */
} blni_q;

/* advi_family */
BLNI_PRIV size_t blni_q_parameters(size_t D, size_t points, size_t rank, int full);
BLNI_PRIV size_t blni_q_wide(const blni_q *q);
BLNI_PRIV size_t blni_q_at(const blni_q *q, size_t j);
BLNI_PRIV size_t blni_q_noise(const blni_q *q);
BLNI_PRIV void blni_q_carve(blni_arena *a, blni_q *q);
BLNI_PRIV int blni_q_set(blni_q *q, const double *x);
BLNI_PRIV void blni_q_place(const blni_q *q, const double *u, double *z);
BLNI_PRIV double blni_q_log(const blni_q *q, const double *u);
BLNI_PRIV void blni_q_precision(const blni_q *q, const double *u, double *w);
BLNI_PRIV void blni_q_pull(const blni_q *q, const double *u, const double *w, double c, double *gradient);
BLNI_PRIV void blni_q_entropy(const blni_q *q, double c, double *gradient);

struct bln_advi {
    bln_advi_desc     desc;         /* with the defaults                                                  */
    void             *block;        /* holds this struct and what it points to                            */
    size_t            bytes, n;     /* n: parameters                                                      */
    blni_q            q;
    double           *x, *known, *gradient, *z, *g, *u;     /* present point; where the objective is known, and its slopes */
    double           *pairs;        /* S/2 rows of noise                                                  */
    size_t            S, most;      /* draws now; up to so many                                           */
    size_t            pending;      /* of fixed noise: the search over so many is still to begin; 0       */
    double            value;        /* at `known`                                                         */
    double           *mean, *scale, *variance, *factor, *starts, *work;
    bln_scope_terms  *scopes;
    blni_lbfgs       *lbfgs;
    blni_sgd         *sgd;
    size_t            iterations, finished;     /* of those the optimisers of smaller S had               */
    double            rate;         /* of stochastic steps, before the way down                           */
    double            power[BLN_SCOPES];        /* of the scopes, in the step before                      */
    size_t            averaged, passed_over;    /* points of the walk in x; steps that were none          */
    uint64_t          evaluations;
    double            elbo;
    int               started, done;
    bln_stop          stop;
    bln_chains       *chains;
    bln_approximation result;
};

/* advi */
BLNI_PRIV bln_status blni_advi_objective(void *user, size_t n, const double *x, double *value, double *gradient,
                                         bln_report *report);
BLNI_PRIV void blni_advi_noise(bln_advi *v);

#endif /* BLN_SAMPLING_ADVI_PRIVATE_H */

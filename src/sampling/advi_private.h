#ifndef BLN_SAMPLING_ADVI_PRIVATE_H
#define BLN_SAMPLING_ADVI_PRIVATE_H
/* advi_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "advi.h"
#include "approximation_private.h"
#include "../optim/lbfgs_private.h"
#include "../optim/sgd_private.h"

/* A Gaussian, given by its parameters x. MEAN_FIELD is LOW_RANK with rank 0. Points are coordinates without a variance. */
typedef struct blni_q {
    size_t        D, rank;
    size_t        points;       /* number of points; 0 for FULL and LOW_RANK                                                   */
    int           full;
    const double *x;            /* D mean; log diag of all but points; then the rows of L = U' below the diagonal, or B        */
    double       *diag, *d;     /* D - points each: delta, or the diagonal of L; workspace                                     */
    size_t       *wide;         /* D - points: indices of the coordinates that are not points    (not used if points is 0)     */
    double       *P, *M, *v;    /* D x rank: delta^-2 B; rank x rank: upper factor of I + B'P; 2 rank: workspace               */
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
    size_t            bytes, n;     /* n: parameters of q                                                 */
    blni_q            q;
    double           *x, *known, *gradient, *z, *g, *u;     /* n each: present point; where value and gradient were computed;
                                       gradient. D each: a draw of q, the slope of log p there. Its noise */
    double           *pairs;        /* fixed noise: S/2 rows of noise e, each used as e and -e            */
    size_t            S, most;      /* draws of the noise now, and at most                                */
    size_t            pending;      /* fixed noise: S of a search that has not begun yet; 0: none         */
    double            value;        /* the objective at `known`; NaN: not computed                        */
    double           *mean, *scale, *variance, *factor, *starts, *work;
    bln_scope_terms  *scopes;
    blni_lbfgs       *lbfgs;
    blni_sgd         *sgd;
    size_t            iterations, finished;     /* iterations in all; those of searches with smaller S    */
    double            rate;         /* of stochastic steps before the rate falls                          */
    double            power[BLN_SCOPES];        /* powers of the scopes in the step before                */
    size_t            averaged, passed_over;    /* points of which x is the mean; steps that were skipped */
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

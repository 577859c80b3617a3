#ifndef BLN_GLM_FULL_PRIVATE_H
#define BLN_GLM_FULL_PRIVATE_H
/* full_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "full.h"
#include "expected_private.h"
#include "mode_private.h"

enum { BLNI_FULL_STEPS = 200, BLNI_FULL_POINTS = 3 };

#define BLNI_FULL_LEAST 1e-17                    /* Delta at the end of a search */
/* What is known of a point: what the likelihood asks for there, and how far that is. */
typedef struct blni_full_aim {
    double *T, *t;               /* D x D, upper triangle; D                                            */
    double *M, *p;               /* D x D, D: T - A and dL/dm in units of standard deviations           */
} blni_full_aim;

typedef struct blni_full {
    blni_mode e;                 /* its rows, prior and matrices: w = m; of the last trial: trial = m, g = dL/dm, diag = C_ii and
                                    the factor B of I + S A S                                           */
    blni_glm_expected expected;
    double *A, *b;               /* of the point: D x D, upper triangle; D                              */
    blni_full_aim aim[BLNI_FULL_POINTS];  /* of the point [0] and of those before it                    */
    size_t  known;               /* how many of them                                                    */
    double *next, *next_t;       /* T and t of the last trial; next starts as e.H                       */
    double  bound, trial_bound;
    double  rate;                /* Delta of the point                                                  */
    double  r;                   /* size of the last step                                               */
    double  least, part;         /* Delta at the end of a search, or as a part of that at its beginning */
    int     good;                /* steps in a row that went well at once                               */
} blni_full;

/* full */
BLNI_PRIV blni_gaussian blni_full_gaussian(const blni_full *q, const double *mean);
BLNI_PRIV bln_status blni_full_pass(blni_full *q, const blni_glm_hyper *h, const double *mean, double *sum, int slopes,
                                    double *d_theta, bln_report *report);
BLNI_PRIV void blni_full_combine(const blni_full *q, double rest, const double *c, size_t points, double *A, double *b);
BLNI_PRIV int blni_full_move(blni_full *q, double rest, const double *c, size_t points);
BLNI_PRIV bln_status blni_full_try(blni_full *q, const blni_glm_hyper *h, double rest, const double *c, size_t points,
                                   bln_report *report);
BLNI_PRIV bln_status blni_full_begin(blni_full *q, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_full_value(blni_full *q, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_full_gradient(blni_full *q, const blni_glm_hyper *h, double *d_prior, double *d_eta, double *d_theta,
                                        bln_report *report);

/* full_batch */
BLNI_PRIV bln_status blni_full_estimate(blni_full *q, const blni_glm_hyper *h, double *bound, double *d_prior, double *d_eta,
                                        double *d_theta, bln_report *report);
BLNI_PRIV void blni_full_natural(blni_full *q, double r);
BLNI_PRIV bln_status blni_full_here(blni_full *q, const blni_glm_hyper *h, bln_report *report);

#endif /* BLN_GLM_FULL_PRIVATE_H */

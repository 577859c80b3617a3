#ifndef BLN_GLM_FULL_PRIVATE_H
#define BLN_GLM_FULL_PRIVATE_H
/* full_private: the full Gaussian for a method that runs it at hyper-parameters of its own choice */
#include "full.h"
#include "expected_private.h"
#include "full_differences_private.h"

enum { BLNI_FULL_POINTS = 3, BLNI_FULL_MOST = 6 };

#define BLNI_FULL_LEAST  1e-17                   /* Delta at the end of a search                        */
#define BLNI_FULL_UNSEEN 1e-8                    /* of a bound, by expectations that are sums           */

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
    blni_full_aim aim[BLNI_FULL_MOST];    /* of the point [0] and of those before it                    */
    size_t  points, known;       /* how many there may be, and how many are known                       */
    double *next, *next_t;       /* T and t of the last trial; next starts as e.H                       */
    double *room;                /* block x D: C phi of a latent, where there are several               */
    int     centred;             /* have the m_j a sum of 0, in units of their priors?                  */
    blni_differences shared;     /* its J is 0 where the bound is the product's                         */
    double  bound, trial_bound;
    double  rate;                /* Delta of the point                                                  */
    double  r;                   /* size of the last step                                               */
    double  unseen;              /* of the bound: what its sums cannot show                             */
    double  least, part;         /* Delta at the end of a search, or as a part of that at its beginning */
    int     good;                /* steps in a row that went well at once                               */
    int     plain;               /* steps of size 1, neither combined nor halved                        */
    size_t  steps, passes;       /* of this search so far; of all, with those of trials not taken       */
    double  enough, lowest;      /* Delta at its end; the least so far, but for less than a half        */
    int     found, stalled;      /* did the last step rise? how many did not lower that                 */
} blni_full;

/* full: as the functions of a method, whose state begins with a blni_full; from _exactly on bounds are found to their last digits,
 * whatever the search begins at. */
BLNI_PRIV void blni_full_carve_over(blni_arena *a, blni_glm_rows *rows, size_t nodes, size_t points, blni_full *q);
BLNI_PRIV void *blni_full_carve(blni_arena *a, blni_glm_fit *f, const void *own);
BLNI_PRIV bln_status blni_full_open(blni_glm_fit *f, void *state, bln_report *report);
BLNI_PRIV bln_status blni_full_bound(blni_glm_fit *f, void *state, const double *x, double *value, bln_report *report);
BLNI_PRIV bln_status blni_full_slopes(blni_glm_fit *f, void *state, double *dq, bln_report *report);
BLNI_PRIV size_t blni_full_gap_room(const blni_glm_rows *r);
BLNI_PRIV bln_status blni_full_gap(blni_glm_fit *f, void *state, double *room, double *gap, bln_report *report);
BLNI_PRIV void blni_full_exactly(void *state);
BLNI_PRIV bln_status blni_full_batch(blni_glm_fit *f, void *state, uint64_t batch, const double *x, double *value,
                                     bln_report *report);

/* full: a search for the bound's top, by steps, and in one. */
BLNI_PRIV bln_status blni_full_enter(blni_full *q, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV int blni_full_more(const blni_full *q);
BLNI_PRIV bln_status blni_full_next(blni_full *q, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_full_leave(blni_full *q, bln_report *report);
BLNI_PRIV bln_status blni_full_batch_by(blni_glm_fit *f, blni_full *q, double r, const double *x, double *value,
                                        bln_report *report);

#endif /* BLN_GLM_FULL_PRIVATE_H */

#ifndef BLN_GLM_FULL_PRIVATE_H
#define BLN_GLM_FULL_PRIVATE_H
/* full_private: the fit of a full Gaussian, for methods that run it at their own hyper-parameters; letters are those of full.c */
#include "full.h"
#include "expected_private.h"
#include "full_differences_private.h"

enum { BLNI_FULL_POINTS = 3, BLNI_FULL_MOST = 6 };

#define BLNI_FULL_LEAST  1e-17                   /* a search ends at this Delta                         */
#define BLNI_FULL_UNSEEN 1e-8                    /* relative change of a bound that rounding and quadrature hide */

/* One point (A, b) of the search: the (T, t) towards which a natural-gradient step goes there, and the distance to it. */
typedef struct blni_full_aim {
    double *T, *t;               /* D x D, upper triangle; D                                            */
    double *M, *p;               /* D x D, D: T - A and dL/dm in units of q's standard deviations       */
} blni_full_aim;

typedef struct blni_full {
    blni_mode e;                 /* the rows, the prior and matrices. w is the point's m. Of the last trial: trial is its m, g is
                                    dL/dm, diag is C_ii, and B holds the factor of I + S A S            */
    blni_glm_expected expected;
    double *A, *b;               /* of the point: D x D, upper triangle; D                              */
    blni_full_aim aim[BLNI_FULL_MOST];    /* [0] is that of the point, the others those of the points before it */
    size_t  points, known;       /* aims that are kept at most; aims that are set                       */
    double *next, *next_t;       /* T and t of the last trial; next starts as e.H                       */
    double *room;                /* block x D: C phi of a latent, where there are several; else NULL    */
    int     centred;             /* is sum_j Lambda_j^-1 m_j kept at 0?                                 */
    blni_differences shared;     /* its J is 0 where the bound is that of a product of Gaussians        */
    double  bound, trial_bound;
    double  rate;                /* Delta of the point                                                  */
    double  r;                   /* size of the last step                                               */
    double  unseen;              /* relative change of the bound that is not trusted                    */
    double  least, part;         /* a search ends at the larger of this Delta and this part of its first Delta */
    int     good;                /* steps in a row that were taken without halving                      */
    int     plain;               /* are all steps of size 1, neither combined nor halved?               */
    size_t  steps, passes;       /* steps of this search; passes over the rows of all searches          */
    double  enough, lowest;      /* Delta at which this search ends; Delta when it last halved          */
    int     found, stalled;      /* was the last step taken? steps since then whose Delta the bound cannot show */
} blni_full;

/* full: used like the functions of a method, on a state that begins with a blni_full. After _exactly every search ends at
 * Delta = q->least, wherever it began, and expectations are as accurate as they can be. */
BLNI_PRIV void blni_full_carve_over(blni_arena *a, blni_glm_rows *rows, size_t nodes, size_t points, blni_full *q);
BLNI_PRIV void *blni_full_carve(blni_arena *a, blni_glm_fit *f, const void *own);
BLNI_PRIV bln_status blni_full_open(blni_glm_fit *f, void *state, bln_report *report);
BLNI_PRIV bln_status blni_full_bound(blni_glm_fit *f, void *state, const double *x, double *value, bln_report *report);
BLNI_PRIV bln_status blni_full_slopes(blni_glm_fit *f, void *state, double *dq, bln_report *report);
BLNI_PRIV size_t blni_full_gap_room(const blni_glm_rows *r);
BLNI_PRIV bln_status blni_full_gap(blni_glm_fit *f, void *state, double *room, double *gap, bln_report *report);
BLNI_PRIV void blni_full_exactly(blni_glm_fit *f, void *state);
BLNI_PRIV bln_status blni_full_batch(blni_glm_fit *f, void *state, uint64_t batch, const double *x, double *value,
                                     bln_report *report);

/* full: the maximum of the bound, one step at a time. */
BLNI_PRIV bln_status blni_full_enter(blni_full *q, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV int blni_full_more(const blni_full *q);
BLNI_PRIV bln_status blni_full_next(blni_full *q, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_full_leave(blni_full *q, bln_report *report);
BLNI_PRIV bln_status blni_full_batch_by(blni_glm_fit *f, blni_full *q, double r, const double *x, double *value,
                                        bln_report *report);

#endif /* BLN_GLM_FULL_PRIVATE_H */

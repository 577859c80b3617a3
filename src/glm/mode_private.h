#ifndef BLN_GLM_MODE_PRIVATE_H
#define BLN_GLM_MODE_PRIVATE_H
/* mode_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "../posterior/gaussian_private.h"
#include "fit_private.h"

/* Weights that have a matrix of their own: D weights from `first` on, a D x D matrix from `at` on. */
typedef struct blni_mode_part { size_t D, first, at; } blni_mode_part;

/* All latents are one part, or, where taken as independent, one part each: then B and H hold one matrix after the other. */
typedef struct blni_mode {
    blni_glm_rows *rows;
    size_t  parts, size;                /* size: doubles of all matrices, sum of D^2 over the parts              */
    size_t  D, n_flat;                  /* weights; those with a flat prior                                      */
    int     started;                    /* does w come from an earlier search?                                   */
    double *w, *trial, *dw, *g;         /* D each: point, trial point, Newton step, g = Phi'd1                   */
    double *s, *penalty, *precision;    /* D each: scale of w; 1, or 0 where the prior is flat; 1/lambda, or 0   */
    double *a, *u, *spare, *diag;       /* D each: gradient of log evidence through log|B|; u = C a; workspace   */
    double *b;                          /* n_eta x D: Phi' d(d1)/d eta_k                                         */
    double *B, *H;                      /* `size` each: the matrix with W_n >= 0, and with all W_n if some are negative */
    double *C;                          /* 2 x D x D, for several latents as one part, else NULL: covariance, workspace */
    double *work;
    double  J, curvature, negative;     /* log p(y, w) but for terms without w; sum of the W_n > 0; how many are < 0 */
    double  decrement;                  /* Newton decrement of the last step; infinity before the first          */
    int     slow;                       /* steps in a row in which the decrement hardly fell                     */
    double  log_scale, condition, evidence;     /* log_scale: sum of log s_i of the flat weights                 */
} blni_mode;

/* mode */
BLNI_PRIV blni_mode_part blni_mode_part_of(const blni_mode *e, size_t p);
BLNI_PRIV blni_gaussian blni_mode_gaussian(const blni_mode *e, size_t p, const double *mean);
BLNI_PRIV double blni_mode_logdet(const blni_mode *e);
BLNI_PRIV double blni_mode_condition(const blni_mode *e);
BLNI_PRIV void blni_mode_carve(blni_arena *a, blni_glm_rows *rows, size_t matrices, int independent, blni_mode *e);
BLNI_PRIV void blni_mode_prior(blni_mode *e, const blni_glm_hyper *h);
BLNI_PRIV bln_status blni_mode_enter(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV void blni_mode_gram(blni_mode *e, double *B, size_t n, double sign, const double *W);
BLNI_PRIV void blni_mode_gram_latents(blni_mode *e, double *B, size_t n, const double *W);
BLNI_PRIV void blni_mode_information(const blni_glm_rows *r, const double *eta, size_t n, const bln_targets *t, int own, double *W);
BLNI_PRIV bln_status blni_mode_pass_start(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV int blni_mode_factor(const blni_mode *e, double *A, size_t *bad);
BLNI_PRIV void blni_mode_solve(const blni_mode *e, const double *U, double *x);
BLNI_PRIV void blni_mode_recall(blni_mode *e, double *B, double *b);
BLNI_PRIV bln_status blni_mode_begin(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_mode_step(blni_mode *e, const blni_glm_hyper *h, int *done, bln_report *report);
BLNI_PRIV double blni_mode_slope(const blni_mode *e);
BLNI_PRIV int blni_mode_scale(blni_mode *e, const double *A, size_t *bad);
BLNI_PRIV bln_status blni_mode_not_found(const blni_mode *e, bln_report *report);
BLNI_PRIV bln_status blni_mode_pass(blni_mode *e, const blni_glm_hyper *h, const double *w, int clip, bln_report *report);
BLNI_PRIV bln_status blni_mode_newton(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_mode_component(blni_glm_fit *f, void *state, blni_glm_result *r, bln_report *report);

/* mode_point */
BLNI_PRIV bln_status blni_map_pass(blni_glm_rows *r, const blni_glm_hyper *h, const double *root, const double *w, double *J,
                                   double *gradient, double *curvature, bln_report *report);
BLNI_PRIV double blni_map_constant(const blni_glm_rows *r, const blni_glm_hyper *h);

#endif /* BLN_GLM_MODE_PRIVATE_H */

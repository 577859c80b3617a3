#ifndef BLN_GLM_MODE_PRIVATE_H
#define BLN_GLM_MODE_PRIVATE_H
/* mode_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "../posterior/gaussian_private.h"
#include "fit_private.h"

/* A part of the weights that has a matrix of its own: its weights from `first` on, its matrix from `at` on. */
typedef struct blni_mode_part { size_t D, first, at; } blni_mode_part;

/* Several latents are one part, or, where they are taken as independent, a part each: then B is as many matrices. */
typedef struct blni_mode {
    blni_glm_rows *rows;
    size_t  parts, size;                /* size: numbers of all matrices                                         */
    size_t  D, n_flat, negative;        /* D: weights; negative: rows with W_n < 0 in the last pass              */
    int     started;                    /* w is where an earlier search ended                                    */
    double *w, *trial, *dw, *g;         /* D each; g: Phi'd1                                                     */
    double *s, *penalty, *precision;    /* D each: precision = 1/lambda, 0 where flat                            */
    double *a, *u, *spare, *diag;       /* D each                                                                */
    double *b;                          /* n_eta x D                                                             */
    double *B, *H;                      /* `size` each; H only where some W_n < 0 at the mode, else B stands for it */
    double *C;                          /* 2 D x D: covariance, of several latents as one part, and room            */
    double *work;
    double  J, curvature;               /* log p(y, w) without constants of w; sum of the W_n > 0                */
    double  decrement;                  /* of the last step; infinity before the first                           */
    int     slow;                       /* steps in a row in which it hardly fell                                */
    double  log_scale, condition, evidence;
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
BLNI_PRIV void blni_mode_gather(const blni_mode *e, size_t n, const double *d, double *out);
BLNI_PRIV void blni_mode_gram_latents(blni_mode *e, double *B, size_t n, const double *W);
BLNI_PRIV bln_status blni_mode_pass_start(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV int blni_mode_factor(const blni_mode *e, double *A, size_t *bad);
BLNI_PRIV void blni_mode_solve(const blni_mode *e, const double *U, double *x);
BLNI_PRIV void blni_mode_recall(blni_mode *e, double *B, double *b);
BLNI_PRIV bln_status blni_mode_begin(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_mode_step(blni_mode *e, const blni_glm_hyper *h, int *done, bln_report *report);
BLNI_PRIV double blni_mode_slope(const blni_mode *e);
BLNI_PRIV int blni_mode_scale(blni_mode *e, const double *A, size_t *bad);
BLNI_PRIV bln_status blni_mode_none(bln_report *report);
BLNI_PRIV bln_status blni_mode_pass(blni_mode *e, const blni_glm_hyper *h, const double *w, int clip, bln_report *report);
BLNI_PRIV bln_status blni_mode_newton(blni_mode *e, const blni_glm_hyper *h, bln_report *report);
BLNI_PRIV bln_status blni_mode_component(blni_glm_fit *f, void *state, blni_glm_result *r, bln_report *report);

/* mode_point */
BLNI_PRIV void blni_map_roots(const blni_glm_rows *r, const blni_glm_hyper *h, double *root);
BLNI_PRIV bln_status blni_map_pass(blni_glm_rows *r, const blni_glm_hyper *h, const double *root, const double *w, double *J,
                                   double *gradient, double *curvature, bln_report *report);
BLNI_PRIV double blni_map_constant(const blni_glm_rows *r, const blni_glm_hyper *h);

#endif /* BLN_GLM_MODE_PRIVATE_H */

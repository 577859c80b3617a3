#ifndef BLN_GLM_SEARCH_PRIVATE_H
#define BLN_GLM_SEARCH_PRIVATE_H
/* search_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "fit_private.h"

enum { BLNI_GLM_VECTORS = 20 };          /* most pairs of vectors that L-BFGS keeps where q is searched too */

static BLNI_UNUSED const char *const blni_glm_step_methods[] = {
    "adam", "amsgrad", "rmsprop", "adagrad", "adadelta", "plain", "momentum", "nesterov", NULL
};

/* The end of a card: what is the method's own. */
#define BLNI_GLM_OWN(type, options) sizeof(type), sizeof options/sizeof *options, options

/* Options of stochastic steps that the methods' cards share; the method map has no `natural`. */
#define BLNI_GLM_STEPS(type, beside) \
    { "batch", BLN_OPTION_COUNT, offsetof(type, steps.batch), NULL, NULL, \
      "rows of a stochastic step, where rows are many" }, \
    { "method", BLN_OPTION_WORD, offsetof(type, steps.method), beside, blni_glm_step_methods, \
      "of the steps: adam (default), amsgrad, rmsprop, adagrad, adadelta,\nplain, momentum or nesterov" }, \
    { "rate", BLN_OPTION_POSITIVE, offsetof(type, steps.rate), beside, NULL, "their rate (default of adam: 0.03)" }
#define BLNI_GLM_NATURAL(type, beside) \
    { "natural", BLN_OPTION_POSITIVE, offsetof(type, steps.natural), beside, NULL, \
      "rate, at most 1, of natural-gradient steps of the posterior; the rest\ntakes those of the method (full has no others)" }

/* search */
BLNI_PRIV const char *blni_glm_search_check(const bln_glm_stochastic *steps);
BLNI_PRIV void blni_glm_search_carve(blni_arena *a, blni_glm_fit *f, size_t n_q);
BLNI_PRIV void blni_glm_search_natural(blni_glm_fit *f, const double *x);
BLNI_PRIV void blni_glm_search_free(const blni_glm_fit *f, double *u);
BLNI_PRIV double blni_glm_search_chain(blni_glm_fit *f);
BLNI_PRIV bln_status blni_glm_search_objective(void *user, size_t n, const double *x, double *value, double *gradient,
                                           bln_report *report);
BLNI_PRIV bln_status blni_glm_search_open(blni_glm_fit *f, void *state, bln_report *report);
BLNI_PRIV bln_status blni_glm_search_init(blni_glm_fit *f, bln_report *report);
BLNI_PRIV bln_status blni_glm_search_begin(blni_glm_fit *f, void *state, bln_report *report);
BLNI_PRIV bln_status blni_glm_search_step(blni_glm_fit *f, void *state, bln_report *report);
BLNI_PRIV const double *blni_glm_search_last(const blni_glm_fit *f);
BLNI_PRIV bln_status blni_glm_search_settle(blni_glm_fit *f, void *state, bln_report *report);

#endif /* BLN_GLM_SEARCH_PRIVATE_H */

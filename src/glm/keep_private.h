#ifndef BLN_GLM_KEEP_PRIVATE_H
#define BLN_GLM_KEEP_PRIVATE_H
/* keep_private: draws of chains as the components of a model; comments stand at the definitions */
#include "fit_private.h"
#include "../posterior/chains.h"

enum {
    BLNI_KEEP = 1000,              /* default number of components          */
    BLNI_KEEP_DRAWS = 1000, BLNI_KEEP_DRAWS_MOST = 8000,         /* of draws of each chain; with a target */
    BLNI_KEEP_LOOK = 100           /* draws after which a target is first looked at */
};

/* What a method that draws asks for, and which rows of the table of all draws become components. A row of the table holds the
 * weights, then the hyper-parameters that are learnt: prior variances, eta and, if it is drawn, theta. The struct is the first
 * member of the method's state, so that the last three functions serve as functions of the method. */
typedef struct blni_keep {
    size_t  chains, keep, draws;   /* chains; components asked for (0: default); draws of each chain, at most */
    double  target;                /* effective draws at which the chains end, or 0        */
    size_t  look;                  /* draws of each chain at which they are counted next   */
    int     apart;                 /* has each component a theta of its own?               */
    size_t  n;                     /* hyper-parameters of a row                            */
    size_t  per, middle;           /* components of each chain; the one that is put first  */
    char    said[sizeof ((bln_report *)0)->text];      /* what the diagnosis of the draws says */
    void   *inner;                 /* state of full, whose search comes before the draws   */
    int     sampling;              /* is that search over?                                 */
    double  bound;                 /* its bound at the end                                 */
    bln_chains **all;              /* where the method keeps the table                     */
    double *mean, *square, *root;  /* workspace: n, n and D numbers                        */
} blni_keep;

/* Options that the methods' cards share. */
#define BLNI_KEEP_OPTIONS(type) \
    { "chains", BLN_OPTION_COUNT, offsetof(type, chains), NULL, NULL, "of the sampler (default 4)" }, \
    { "warmup", BLN_OPTION_COUNT, offsetof(type, warmup), NULL, NULL, \
      "transitions of each chain that learn and are not kept (default 300)" }, \
    { "draws", BLN_OPTION_COUNT, offsetof(type, draws), NULL, NULL, \
      "of each chain (default 1000; with target-ess at most, 8000)" }, \
    { "target-ess", BLN_OPTION_POSITIVE, offsetof(type, target_ess), NULL, NULL, \
      "the chains end when all numbers have as many effective draws" }

/* keep */
BLNI_PRIV size_t blni_keep_most(const blni_keep *k);
BLNI_PRIV const char *blni_keep_check(const blni_keep *k, const bln_glm_desc *d);
BLNI_PRIV void blni_keep_name(const blni_glm_fit *f, size_t column, char *text, size_t size);
BLNI_PRIV bln_status blni_keep_begin(blni_keep *k, blni_glm_fit *f, blni_glm_result *r, bln_report *report);
BLNI_PRIV void blni_keep_enough(blni_keep *k, blni_glm_fit *f);
BLNI_PRIV bln_status blni_keep_finish(blni_glm_fit *f, void *state, bln_report *report);
BLNI_PRIV size_t blni_keep_count(const blni_glm_fit *f, const void *state);
BLNI_PRIV bln_status blni_keep_components(blni_glm_fit *f, void *state, blni_glm_result *out, bln_report *report);

#endif /* BLN_GLM_KEEP_PRIVATE_H */

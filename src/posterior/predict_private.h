#ifndef BLN_POSTERIOR_PREDICT_PRIVATE_H
#define BLN_POSTERIOR_PREDICT_PRIVATE_H
#include "predict.h"
#include "../core/memory_private.h"
#include "posterior_private.h"

typedef enum blni_question {
    BLNI_ASK_LATENT, BLNI_ASK_MOMENTS, BLNI_ASK_DENSITY, BLNI_ASK_CDF, BLNI_ASK_PIT, BLNI_ASK_QUANTILE, BLNI_ASK_INTERVAL
} blni_question;

/* Computes the answer to a question from f at the rows of a panel; out points to the panel's first row. Each question brings its
 * own function, so that a program links only those that it asks. */
struct blni_ask;
typedef void blni_answer(const bln_posterior *q, const struct blni_ask *ask, const bln_data *rows, const bln_latent *f,
                         double *const out[3], double *work);

typedef struct blni_ask {
    blni_question what;
    blni_answer  *answer;
    bln_of        of;
    size_t        n_p;
    const double *p;                            /* quantiles                            */
    double        level;                        /* intervals                            */
    double       *out[3];
} blni_ask;

/* K components, J latents, D columns of features, slices of all bases; number of different thetas; rows of a block and of a panel;
 * does any group have a residual? do covariances between latents count? */
typedef struct blni_ask_sizes { size_t K, J, D, slices, thetas, block, panel; int residual, joint; } blni_ask_sizes;

/* For a block: features, and what they miss of each slice. For a panel: moments of f under each component; workspace of the
 * observation. For the call: weights and eta of all components, where there are several groups; workspace; the bound bases. */
typedef struct blni_ask_pieces {
    double *Phi, *missed, *mean, *var, *cov, *observe, *weight, *eta, *project, *basis, *room;
    const bln_basis **at;
} blni_ask_pieces;

BLNI_PRIV blni_ask_sizes blni_ask_sizes_of(const bln_posterior *q, size_t n);
BLNI_PRIV blni_ask_pieces blni_ask_carve(blni_arena *a, const bln_posterior *q, const blni_ask_sizes *s);

/* The checks that all questions about rows have in common, and those of `ask`. */
BLNI_PRIV bln_status blni_ask_check(const bln_posterior *q, const blni_ask *ask, const bln_data *data, bln_report *report);

/* Log densities, and quantiles with probability p below and q above (NULL: 1 - p), by the observation or as normal noise. */
BLNI_PRIV void blni_ask_logdensity(BLNI_OBSERVED, double *out, double *work);
BLNI_PRIV void blni_ask_quantile(BLNI_OBSERVED, size_t n_p, const double *p, const double *q, double *out, double *work);

/* Sets f's weights and eta of all components: those of the only group, or copies of those of all groups in p. */
BLNI_PRIV void blni_ask_gather(const bln_posterior *q, const blni_ask_pieces *p, bln_latent *f);

/* _bind: binds the bases to theta. _features: features of a block of rows from all bases, side by side. _project: moments of f at
 * the rows of a panel under all components; *bound is the group whose theta the bases are bound to, BLN_NONE at first. */
BLNI_PRIV void blni_ask_bind(const bln_posterior *q, const double *theta, const blni_ask_pieces *p);
BLNI_PRIV void blni_ask_features(const bln_posterior *q, const double *theta, const bln_data *rows, const blni_ask_sizes *s,
                                 const blni_ask_pieces *p);
BLNI_PRIV void blni_ask_project(const bln_posterior *q, const bln_data *panel, const blni_ask_sizes *s, const blni_ask_pieces *p,
                                const blni_latents *out, size_t *bound);
BLNI_PRIV void blni_ask_residual(BLNI_OF_GROUP, size_t n, const double *missed, const blni_latents *out, size_t at);
BLNI_PRIV void blni_ask_residual_joint(const bln_basis *b, const double *theta, const double *lambda, const bln_data *rows,
                                       const double *Phi, size_t ldphi, double *R, size_t ldr, double *line, double *diag,
                                       double *work);

#endif /* BLN_POSTERIOR_PREDICT_PRIVATE_H */

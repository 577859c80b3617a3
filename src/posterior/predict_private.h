#ifndef BLN_POSTERIOR_PREDICT_PRIVATE_H
#define BLN_POSTERIOR_PREDICT_PRIVATE_H
#include "predict.h"
#include "../core/memory_private.h"
#include "posterior_private.h"

typedef enum blni_question {
    BLNI_ASK_LATENT, BLNI_ASK_MOMENTS, BLNI_ASK_DENSITY, BLNI_ASK_CDF, BLNI_ASK_PIT, BLNI_ASK_QUANTILE, BLNI_ASK_INTERVAL
} blni_question;

/* What a question makes of f at a panel, from the panel's first row on. Each question brings its own, so that a program links those
 * that it asks. */
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

/* Components, latents, columns of features, slices; thetas that differ; rows of a block and of a panel; is there a residual? do
 * covariances of latents count? */
typedef struct blni_ask_sizes { size_t K, J, D, slices, thetas, block, panel; int residual, joint; } blni_ask_sizes;

/* For a block: features, and what they miss of each slice. For a panel: moments of f under each component; room of the observation.
 * For all: weights and parameters of components, where several groups have them; the bound bases. */
typedef struct blni_ask_pieces {
    double *Phi, *missed, *mean, *var, *cov, *observe, *weight, *eta, *project, *basis, *room;
    const bln_basis **at;
} blni_ask_pieces;

BLNI_PRIV blni_ask_sizes blni_ask_sizes_of(const bln_posterior *q, size_t n);
BLNI_PRIV blni_ask_pieces blni_ask_carve(blni_arena *a, const bln_posterior *q, const blni_ask_sizes *s);

/* The checks that all questions of rows have in common, and those of `ask`. */
BLNI_PRIV bln_status blni_ask_check(const bln_posterior *q, const blni_ask *ask, const bln_data *data, bln_report *report);

/* Log densities, and quantiles for tails p below and q above (NULL: 1 - p), as the observation has them. */
BLNI_PRIV void blni_ask_logdensity(BLNI_OBSERVED, double *out, double *work);
BLNI_PRIV void blni_ask_quantile(BLNI_OBSERVED, size_t n_p, const double *p, const double *q, double *out, double *work);

/* Weights and parameters of all components side by side: of one group they are already. */
BLNI_PRIV void blni_ask_gather(const bln_posterior *q, const blni_ask_pieces *p, bln_latent *f);

/* Bases at a theta; features of a block of rows from all bases, side by side; moments of f of a panel under all components. *bound:
 * the group whose theta the bases are bound to, BLN_NONE at first. */
BLNI_PRIV void blni_ask_bind(const bln_posterior *q, const double *theta, const blni_ask_pieces *p);
BLNI_PRIV void blni_ask_features(const bln_posterior *q, const double *theta, const bln_data *rows, const blni_ask_sizes *s,
                                 const blni_ask_pieces *p);
BLNI_PRIV void blni_ask_project(const bln_posterior *q, const bln_data *panel, const blni_ask_sizes *s, const blni_ask_pieces *p,
                                const blni_latents *out, size_t *bound);
BLNI_PRIV void blni_ask_residual(BLNI_GROUP, size_t n, const double *missed, const blni_latents *out, size_t at);
BLNI_PRIV void blni_ask_residual_joint(const bln_basis *b, const double *theta, const double *lambda, const bln_data *rows,
                                       const double *Phi, size_t ldphi, double *R, size_t ldr, double *line, double *diag,
                                       double *work);

#endif /* BLN_POSTERIOR_PREDICT_PRIVATE_H */

#ifndef BLN_GLM_MIXTURE_PRIVATE_H
#define BLN_GLM_MIXTURE_PRIVATE_H
/* mixture_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "mixture.h"
#include "../posterior/mixture_private.h"
#include "expected_private.h"
#include "search_private.h"

typedef struct blni_glm_draws {
    size_t  L, KL;                      /* draws for each component; draws in all, 0: expectations are exact */
    int     on;                         /* does this pass use draws?                              */
    double *W, *G;                      /* KL x D each: drawn weights; slope of the rows' sum in them */
    double *f, *slope;                  /* KL x block each: f of the draws; d log p/df times (row weight)/KL */
} blni_glm_draws;

/* mixture_draws */
BLNI_PRIV void blni_glm_draws_carve(blni_arena *a, size_t D, size_t K, size_t L, size_t block, blni_glm_draws *e);
BLNI_PRIV void blni_glm_draws_open(blni_glm_draws *e, const blni_mixture *q, bln_rng *rng);
BLNI_PRIV double blni_glm_draws_sum(blni_glm_draws *e, blni_glm_expected *x, const blni_glm_hyper *h, size_t n,
                                    const bln_targets *t, int features);
BLNI_PRIV void blni_glm_draws_close(const blni_glm_draws *e, const blni_mixture *q, double *dm, double *dpsi);

/* The variational bound of a mixture of K diagonal Gaussians over D weights, with its slopes at the last evaluation. */
typedef struct blni_bound {
    blni_glm_rows *rows;
    blni_glm_expected expected;
    blni_glm_draws draws;
    size_t  D, K;
    bln_entropy_kind entropy;
    double *lambda, *d_lambda;          /* D each: prior variance of each weight, and the slope in its log     */
    double *work, *entropy_work;
    double *d_prior, *d_theta, *dm, *dpsi;      /* slopes: log prior variances, theta, m, psi (K x D); of eta: expected.d_eta */
    double  bound;
} blni_bound;

/* mixture_bound */
BLNI_PRIV blni_mixture blni_bound_mixture(const blni_bound *e, const double *m, const double *psi);
BLNI_PRIV void blni_bound_carve(blni_arena *a, blni_glm_rows *rows, const bln_glm_mixture_desc *o, blni_bound *e);
BLNI_PRIV void blni_bound_draw(blni_bound *e, uint64_t seed, uint64_t t);
BLNI_PRIV void blni_bound_exact(blni_bound *e);
BLNI_PRIV bln_status blni_bound_value(blni_bound *e, const blni_glm_hyper *h, const blni_mixture *q, int features,
                                      bln_report *report);

BLNI_PRIV void blni_bound_slopes(const blni_bound *e, const blni_glm_hyper *slope);

enum { BLNI_MIXTURE_MODE_STEPS = 200, BLNI_MIXTURE_MODE_STEPS_BATCH = 20 };

static BLNI_UNUSED const char *const blni_glm_entropies[] = { "pairs", "jensen", NULL };
static BLNI_UNUSED const char *const blni_glm_start_words[] = { "mode", "random", NULL };

/* Options that the cards of the methods of mixtures share: about several components; about where they begin. */
#define BLNI_GLM_COMPONENTS \
    { "components", BLN_OPTION_COUNT, offsetof(bln_glm_mixture_desc, components), NULL, NULL, "K Gaussians (default 1)" }, \
    { "entropy", BLN_OPTION_WORD, offsetof(bln_glm_mixture_desc, entropy), NULL, blni_glm_entropies, \
      "how that of the mixture is bounded: pairs (default) or jensen" }
#define BLNI_GLM_STARTS \
    { "start", BLN_OPTION_WORD, offsetof(bln_glm_mixture_desc, start), NULL, blni_glm_start_words, \
      "mode (default), or random: anywhere under the prior" }, \
    { "starts", BLN_OPTION_COUNT, offsetof(bln_glm_mixture_desc, starts), NULL, NULL, \
      "so many on the same rows, of which the one with the best bound goes on" }

/* The functions of such a method. */
#define BLNI_GLM_MIXTURE_OPS(NAME, CAN, DEFAULTS, CHECK, BEGIN, FINISH) { \
    NAME, sizeof(bln_glm_mixture_desc), offsetof(bln_glm_mixture_desc, steps), CAN, BLNI_CAN_LEARN, BLNI_GLM_DIAGONAL, \
    BLNI_GLM_DIAGONAL, BLN_SITES_NONE, 2000, 1e-8, blni_glm_mixture_shape, DEFAULTS, CHECK, blni_glm_mixture_carve, BEGIN, \
    blni_glm_mixture_step, FINISH, blni_glm_mixture_component, blni_glm_mixture_value, blni_glm_mixture_slopes, \
    blni_glm_mixture_estimate, NULL, NULL }

/* The state of a method whose posterior is a mixture. Its coordinates of the search are [m_ki/scale_i | log psi_ki]. */
typedef struct blni_glm_mixture {
    bln_glm_mixture_desc o;
    blni_bound  q;
    size_t      KD;
    double     *m, *psi, *scale, *root; /* K x D, K x D, D, D: root_i = sqrt lambda_i          */
    void       *room;                   /* memory lent to the search for the mode              */
    blni_lbfgs  *mode;                   /* the search for the mode; NULL before and after it   */
} blni_glm_mixture;

/* mixture_start */
BLNI_PRIV blni_lbfgs_desc blni_glm_mixture_mode_search(const bln_glm_mixture_desc *o, blni_glm_fit *f);
BLNI_PRIV bln_status blni_glm_mixture_begin(blni_glm_fit *f, void *state, bln_report *report);
BLNI_PRIV bln_status blni_glm_mixture_mode_close(blni_glm_fit *f, blni_glm_mixture *s, bln_report *report);

/* mixture */
BLNI_PRIV void blni_glm_mixture_shape(const bln_glm_desc *d, const void *own, blni_glm_shape *shape);
BLNI_PRIV void blni_glm_mixture_defaults(void *own);
BLNI_PRIV const char *blni_glm_mixture_check(const bln_glm_desc *d, const void *own);
BLNI_PRIV void *blni_glm_mixture_carve(blni_arena *a, blni_glm_fit *f, const void *own);
BLNI_PRIV bln_status blni_glm_mixture_step(blni_glm_fit *f, void *state, bln_report *report);
BLNI_PRIV bln_status blni_glm_mixture_finish(blni_glm_fit *f, void *state, bln_report *report);
BLNI_PRIV bln_status blni_glm_mixture_component(blni_glm_fit *f, void *state, blni_glm_result *out, bln_report *report);
BLNI_PRIV bln_status blni_glm_mixture_value(blni_glm_fit *f, void *state, const double *q, double *value, bln_report *report);
BLNI_PRIV bln_status blni_glm_mixture_slopes(blni_glm_fit *f, void *state, double *dq, bln_report *report);
BLNI_PRIV bln_status blni_glm_mixture_estimate(blni_glm_fit *f, void *state, uint64_t batch, const double *x, double *value,
                                           bln_report *report);

#endif /* BLN_GLM_MIXTURE_PRIVATE_H */

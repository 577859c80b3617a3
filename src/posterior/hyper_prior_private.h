#ifndef BLN_POSTERIOR_HYPER_PRIOR_PRIVATE_H
#define BLN_POSTERIOR_HYPER_PRIOR_PRIVATE_H
/* hyper_prior_private: the priors of hyper-parameters; comments stand at the definitions */
#include "../core/config_private.h"
#include "../optim/transform.h"

/* The prior of one hyper-parameter x: flat; half-Student-t of sd, where x = sd^power; normal of log x; normal of logit x. */
typedef enum blni_hyper_form { BLNI_HYPER_FLAT, BLNI_HYPER_HALF_T, BLNI_HYPER_LOG_NORMAL, BLNI_HYPER_LOGIT_NORMAL } blni_hyper_form;
typedef struct blni_hyper_prior {
    blni_hyper_form form;
    double at, power;          /* scale of HALF_T, or mean of the normal; power is used by HALF_T alone    */
    int    sparse;             /* HALF_T: is the density that is maximised that of sd, rather than of log sd? */
} blni_hyper_prior;

BLNI_PRIV blni_hyper_prior blni_hyper_of_prior_var(double sd, int per_weight);
BLNI_PRIV blni_hyper_prior blni_hyper_of_param(const bln_param *p, double y_sd);
BLNI_PRIV double blni_hyper_logp(const blni_hyper_prior *p, double x, double *slope);
BLNI_PRIV double blni_hyper_density(const blni_hyper_prior *p, double x, double *slope);

#endif /* BLN_POSTERIOR_HYPER_PRIOR_PRIVATE_H */

#ifndef BLN_POSTERIOR_PSIS_PRIVATE_H
#define BLN_POSTERIOR_PSIS_PRIVATE_H
/* psis_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "psis.h"
#include "../core/data_private.h"

/* Sums of scores over rows while they are counted: the totals so far, and the rows' mean and scatter for the standard error. */
typedef struct blni_elpd { bln_elpd total; blni_running rows; } blni_elpd;

/* psis */
BLNI_PRIV void blni_psis(size_t S, double *l, double r_eff, double *k_hat, double *work);
BLNI_PRIV blni_elpd blni_elpd_start(void);
BLNI_PRIV void blni_elpd_add(blni_elpd *e, size_t i, double weight, double elpd, double full, double measure, double limit);
BLNI_PRIV bln_elpd blni_elpd_end(const blni_elpd *e);
BLNI_PRIV void blni_waic_row(size_t S, const double *l, double *full, double *var);

#endif /* BLN_POSTERIOR_PSIS_PRIVATE_H */

#ifndef BLN_LIKELIHOOD_PREDICTIVE_PRIVATE_H
#define BLN_LIKELIHOOD_PREDICTIVE_PRIVATE_H
/* predictive_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "expect_private.h"
#include "latent.h"

/* A row with one of its components. */
typedef struct blni_predict_row {
    const bln_likelihood *l;
    const double         *theta;
    blni_row_set          g;                 /* of the row, written out         */
    double                low, high;         /* support of y                    */
    double                m, s;              /* of the component in hand        */
    double                origin;            /* integrals over f are over f - origin */
    double                centre, scale;     /* where log p(y|f) has its hill in f, and how wide it is */
    double                reference;         /* E[y | f = m]                    */
    int                   tail;              /* see blni_predict_log    */
} blni_predict_row;

/* predictive */
BLNI_PRIV void blni_predictive_logdensity(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f,
                                          double *out);
BLNI_PRIV void blni_predictive_moments(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *mean,
                                       double *model, double *noise);
BLNI_PRIV void blni_predictive_cdf(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, double *lower,
                                   double *upper);
BLNI_PRIV void blni_predictive_pit(const bln_likelihood *l, size_t n, const bln_targets *t, const bln_latent *f, const double *u,
                                   double *out);
BLNI_PRIV double blni_predict_quantile(const bln_likelihood *l, const bln_targets *t, const bln_latent *f, size_t i, double p,
                                       double q);
BLNI_PRIV void blni_predict_row_of(blni_predict_row *r, const bln_likelihood *l, const double *theta, const bln_targets *t,
                                   size_t i, int with_y);

#endif /* BLN_LIKELIHOOD_PREDICTIVE_PRIVATE_H */

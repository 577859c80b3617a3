#ifndef BLN_LIKELIHOOD_PREDICTIVE_PRIVATE_H
#define BLN_LIKELIHOOD_PREDICTIVE_PRIVATE_H
/* predictive_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "expect_private.h"
#include "latent.h"

/* One row, and the component of f under which an integral is computed. */
typedef struct blni_predict_row {
    const bln_likelihood *l;
    const double         *theta;
    blni_row_set          g;                 /* the row's targets, repeated     */
    double                low, high;         /* support of y                    */
    double                m, s;              /* mean and standard deviation of the component */
    double                origin;            /* the variable of integration is f - origin */
    double                centre, scale;     /* where p(y | f) has its maximum in f, and how wide it is there */
    double                reference;         /* subtracted in sums: E[y | f = m], or the top of a log integrand */
    int                   tail;              /* integrand: 0 the density, 1 or -1 a tail of Y (blni_predict_log) */
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

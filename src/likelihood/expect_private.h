#ifndef BLN_LIKELIHOOD_EXPECT_PRIVATE_H
#define BLN_LIKELIHOOD_EXPECT_PRIVATE_H
/* expect_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "expect.h"
#include "likelihood_private.h"

/* One node, Gauss-Hermite with 4, 8, 16, the trapezoid rule with steps 1/2 to 1/32, panels. */
enum { BLNI_RULE_POINT, BLNI_RULE_HERMITE4, BLNI_RULE_HERMITE8, BLNI_RULE_HERMITE16,
       BLNI_RULE_STEP2, BLNI_RULE_STEP4, BLNI_RULE_STEP8, BLNI_RULE_STEP16, BLNI_RULE_STEP32, BLNI_RULE_PANELS, BLNI_RULES,
       BLNI_RULE_NODES = 2*272 + 1 };

/* The least q known to do for each rule of Gauss-Hermite, and the largest known not to. What is beyond them by more than rounding
 * needs no logarithm. */
typedef struct blni_rule_limits { double need, does[3], fails[3]; } blni_rule_limits;

typedef struct blni_row_set {
    size_t n, index[BLN_LIKELIHOOD_BLOCK];
    double y[BLN_LIKELIHOOD_BLOCK], trials[BLN_LIKELIHOOD_BLOCK], noise_var[BLN_LIKELIHOOD_BLOCK], constants[BLNI_CONSTANTS_ROOM];
    double m[BLN_LIKELIHOOD_BLOCK], s[BLN_LIKELIHOOD_BLOCK];
    bln_targets t;
} blni_row_set;

/* expect */
BLNI_PRIV void blni_likelihood_expect_nodes(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t,
                                            const double *m, const double *v, size_t Q, const double *z, size_t ldz,
                                            const double *w, double *value, double *dm, double *dv, double *dtheta,
                                            size_t lddtheta);
BLNI_PRIV blni_rule_limits blni_rule_limits_of(double tolerance);
BLNI_PRIV int blni_rule_of(double width, double v, blni_rule_limits *r);
BLNI_PRIV size_t blni_rule_nodes(int rule, double *z, double *w);
BLNI_PRIV void blni_row_set_of(blni_row_set *g, const bln_likelihood *l, const bln_targets *t, size_t i);
BLNI_PRIV size_t blni_panel_breaks(double centre, double width, double *breaks);

#endif /* BLN_LIKELIHOOD_EXPECT_PRIVATE_H */

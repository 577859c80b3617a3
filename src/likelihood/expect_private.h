#ifndef BLN_LIKELIHOOD_EXPECT_PRIVATE_H
#define BLN_LIKELIHOOD_EXPECT_PRIVATE_H
#include "likelihood_private.h"

/* expect: expectations of log p under a normal f                                                  [variational 17-19, 22]
 *
 * For each row, with f ~ N(m, v):
 *     value = E log p(y | f)
 *     dm = d value/dm = E d1                       [Bonnet 1964]
 *     dv = d value/dv = E d2/2                     [Price 1958; Opper & Archambeau 2009]
 *     dtheta_k = d value/dtheta_k = E dlogp_k
 * dm, dv, dtheta may be NULL; dtheta: n_theta x n, row stride lddtheta >= n. v >= 0; v = 0 gives log p and slopes at m. Where E log
 * p overflows (Poisson with m + v/2 above 709), value is -inf. NaN in m or v gives NaN. Nothing is allocated, nothing can fail. */

/* By tolerance: |error| <= about `tolerance` max(1, |.|) (0: 1e-10; clipped to [1e-13, 1e-2]). Each row takes the cheapest rule
 * that is accurate enough. `width` is the distance of the likelihood's singularity from the real axis (pi for the logit); for
 * 1e-10:
 *     a closed form                       Gaussian, Laplace, Poisson with log link; counts > 0 with sure zeros
 *     Gauss-Hermite, 4, 8 or 16 nodes     sqrt v up to 0.16 width
 *     the trapezoid rule, 35 to 545       sqrt v up to 0.42 to 6.7 width
 *     panels, some 300 to 1000 nodes      beyond
 * Neighbouring rows share evaluations, but a row's result does not depend on them. A likelihood without `eval` is integrated by
 *     dm = E l z/sqrt v,   dv = E l (z^2 - 1)/(2v),   f = m + sqrt v z
 * which does not need log p to be smooth; where sqrt v < width/32, by differences of log p. */
BLNI_PRIV void blni_likelihood_expect(BLNI_TARGETS, const double *m, const double *v, double tolerance, BLNI_EXPECTED);

/* The same for any number of latents, independent f_j ~ N(m_j, v_j) with m_j of row i at m[j*ld + i], and v, dm, dv likewise.
 * Several latents need the table's function `expect`; without it value is NaN, and nothing else is written. */
BLNI_PRIV void blni_latents_expect(BLNI_TARGETS, const double *m, const double *v, size_t ld, double tolerance, BLNI_EXPECTED);

/* The rules: one node; Gauss-Hermite with 4, 8, 16 nodes; the trapezoid rule with steps 1/2 to 1/32; panels. Most nodes of one. */
enum { BLNI_RULE_POINT, BLNI_RULE_HERMITE4, BLNI_RULE_HERMITE8, BLNI_RULE_HERMITE16,
       BLNI_RULE_STEP2, BLNI_RULE_STEP4, BLNI_RULE_STEP8, BLNI_RULE_STEP16, BLNI_RULE_STEP32, BLNI_RULE_PANELS, BLNI_RULES,
       BLNI_RULE_NODES = 2*272 + 1 };

/* Which q = width/sqrt v each Gauss-Hermite rule is accurate for: need = log(1000/tolerance); does[k] is the least q known to
 * suffice, fails[k] the largest known not to. A q outside fails[k] .. does[k] needs no logarithm. */
typedef struct blni_rule_limits { double need, does[3], fails[3]; } blni_rule_limits;

/* One row, its targets written out BLN_LIKELIHOOD_BLOCK times, so that one call evaluates it at many f; or rows of one rule,
 * gathered. */
typedef struct blni_row_set {
    size_t n, index[BLN_LIKELIHOOD_BLOCK];
    double y[BLN_LIKELIHOOD_BLOCK], trials[BLN_LIKELIHOOD_BLOCK], noise_var[BLN_LIKELIHOOD_BLOCK], constants[BLNI_CONSTANTS_ROOM];
    double m[BLN_LIKELIHOOD_BLOCK], s[BLN_LIKELIHOOD_BLOCK];
    bln_targets t;
} blni_row_set;

/* expect */
BLNI_PRIV void blni_likelihood_expect_nodes(BLNI_TARGETS, const double *m, const double *v, size_t Q, const double *z, size_t ldz,
                                            const double *w, BLNI_EXPECTED);
BLNI_PRIV blni_rule_limits blni_rule_limits_of(double tolerance);
BLNI_PRIV int blni_rule_of(double width, double v, blni_rule_limits *r);
BLNI_PRIV size_t blni_rule_size(int rule);
BLNI_PRIV void blni_rule_part(int rule, size_t first, size_t n, double *z, double *w);
BLNI_PRIV void blni_row_set_of(blni_row_set *g, const bln_likelihood *l, const bln_targets *t, size_t i);
BLNI_PRIV size_t blni_panel_breaks(double centre, double width, double *breaks);

#endif /* BLN_LIKELIHOOD_EXPECT_PRIVATE_H */

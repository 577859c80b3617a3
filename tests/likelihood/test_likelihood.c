/* likelihood: every family against high precision */
#include "likelihood_tools.h"
#include "../golden/likelihood_golden.h"

/* Golden rows. The measure is that of the reference: |got - want| <= tol max(1, |want|), for log p, d1, d2 1e-13, for d3 and the
 * derivatives in theta 1e-12; moments and tails relative, 1e-13: f of 700 has an ulp of 1.1e-13, which f - cut may lose half of. What
 * cancels in log p of large counts are terms of the size y (|log y| + |f|): a few roundings of these. */
TEST(likelihood, golden)
{
    for (size_t i = 0; i < sizeof golden_likelihood_rows/sizeof *golden_likelihood_rows; i++) {
        const golden_likelihood_row *g = golden_likelihood_rows + i;
        static const char *const names[8] = { "log p", "d1", "d2", "d3", "mean", "variance", "P(Y <= y)", "P(Y > y)" };
        static const double tolerance[8] = { 1e-13, 1e-13, 1e-13, 1e-12, 1e-13, 1e-13, 1e-13, 1e-13 };
        const bln_likelihood l = likelihood_named(g->family);
        likelihood_row r;
        double got[8], par[9];
        likelihood_row_set(&r, &l, g->y, g->other);
        bln_likelihood_eval(&l, g->theta, 1, &r.t, &g->f, got, got + 1, got + 2, got + 3);
        bln_likelihood_moments(&l, g->theta, 1, &r.t, &g->f, got + 4, got + 5);
        bln_likelihood_cdf(&l, g->theta, 1, &r.t, &g->f, got + 6, got + 7);
        for (size_t j = 0; j < 8; j++) {
            const double want = likelihood_golden(g->value[j]), size = j >= 4 || fabs(want) > 1.0 ? fabs(want) : 1.0;
            const double terms = j == 0 && l.ops->discrete ? 4.0*DBL_EPSILON*(g->y + 1.0)*(log(g->y + 1.0) + fabs(g->f)) : 0.0;
            if (want > -1e308) likelihood_near(got[j], want, tolerance[j]*size + terms + 5e-323, names[j], g->family, g->y, g->f);
        }
        for (size_t k = 0; k < l.n_theta; k++) {
            bln_likelihood_eval_param(&l, g->theta, k, 1, &r.t, &g->f, par, par + 1, par + 2);
            for (size_t j = 0; j < 3; j++) {
                const double want = g->theta_k[3*k + j], size = fabs(want) > 1.0 ? fabs(want) : 1.0;
                likelihood_near(par[j], want, 1e-12*size, "derivative in theta", g->family, g->y, g->f);
            }
        }
    }
}

SUITE_BEGIN(likelihood)
SUITE_TEST(likelihood, golden)
SUITE_END(likelihood)

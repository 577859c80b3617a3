/* likelihood_tools.h - what the tests of likelihoods share: all of them by name, one row at a time */
#ifndef BLN_TESTS_LIKELIHOOD_TOOLS_H
#define BLN_TESTS_LIKELIHOOD_TOOLS_H
#include "../test.h"

/* The likelihood of a golden row; n_theta of the ordinal is 3 there. */
static TEST_UNUSED bln_likelihood likelihood_named(const char *name)
{
    if (!strcmp(name, "gaussian"))              return bln_likelihood_gaussian();
    if (!strcmp(name, "student_t"))             return bln_likelihood_student_t();
    if (!strcmp(name, "laplace"))               return bln_likelihood_laplace();
    if (!strcmp(name, "binomial_logit"))        return bln_likelihood_binomial(BLN_LINK_LOGIT);
    if (!strcmp(name, "binomial_probit"))       return bln_likelihood_binomial(BLN_LINK_PROBIT);
    if (!strcmp(name, "binomial_cloglog"))      return bln_likelihood_binomial(BLN_LINK_CLOGLOG);
    if (!strcmp(name, "poisson_log"))           return bln_likelihood_poisson(BLN_LINK_LOG);
    if (!strcmp(name, "poisson_softplus"))      return bln_likelihood_poisson(BLN_LINK_SOFTPLUS);
    if (!strcmp(name, "negative_binomial"))     return bln_likelihood_negative_binomial();
    if (!strcmp(name, "zero_inflated_poisson")) return bln_likelihood_zero_inflated_poisson();
    return bln_likelihood_ordinal(4);
}

/* All of them with parameters for them. */
typedef struct likelihood_case { const char *name; double theta[3]; } likelihood_case;
static const likelihood_case likelihood_cases[] TEST_UNUSED = {
    { "gaussian", { 0.37, 0.0, 0.0 } }, { "student_t", { 0.8, 3.5, 0.0 } }, { "laplace", { 0.8, 0.0, 0.0 } },
    { "binomial_logit", { 0.0, 0.0, 0.0 } }, { "binomial_probit", { 0.0, 0.0, 0.0 } }, { "binomial_cloglog", { 0.0, 0.0, 0.0 } },
    { "poisson_log", { 0.0, 0.0, 0.0 } }, { "poisson_softplus", { 0.0, 0.0, 0.0 } }, { "negative_binomial", { 2.3, 0.0, 0.0 } },
    { "zero_inflated_poisson", { 0.3, 0.0, 0.0 } }, { "ordinal", { -1.0, 0.7, 2.5 } }
};
enum { LIKELIHOOD_CASES = sizeof likelihood_cases/sizeof *likelihood_cases };

/* One row: `other` is the noise variance of a continuous y, trials or exposure of a discrete one. Points into the struct. */
typedef struct likelihood_row { double y, other; bln_targets t; } likelihood_row;

static TEST_UNUSED void likelihood_row_set(likelihood_row *r, const bln_likelihood *l, double y, double other)
{
    memset(r, 0, sizeof *r);
    r->y = y;
    r->other = other;
    r->t.y = &r->y;
    if (l->ops->discrete) r->t.trials = &r->other;
    else r->t.noise_var = &r->other;
}

static TEST_UNUSED void likelihood_near(double got, double want, double tolerance, const char *what, const char *name, double y,
                                        double f)
{
    char s[200];
    snprintf(s, sizeof s, "%s of %s at y = %g, f = %.17g", what, name, y, f);
    test_near(got, want, tolerance, __FILE__, __LINE__, s);
}

/* tcc takes no HUGE_VAL for a constant: 1e308 in golden tables. */
static TEST_UNUSED double likelihood_golden(double x) { return x >= 1e308 ? HUGE_VAL : x; }

#endif /* BLN_TESTS_LIKELIHOOD_TOOLS_H */

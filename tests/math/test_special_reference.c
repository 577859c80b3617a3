/* test_special_reference - every special function against a table in high precision, at the accuracy that its comment states:
 * 2 ulp (4.5e-16 relative) for the erf, exp, log, normal and gamma families away from roots, absolute near them; 1e-13
 * relative for the incomplete functions; inverses by what the function makes of them. */
#include "../test.h"
#include "../golden/special_reference_golden.h"

enum { SPECREF_ULP = 1, SPECREF_ABSOLUTE = 2, SPECREF_INCOMPLETE = 3, SPECREF_INVERSE = 4 };

/* The value at a row, and how it is to be judged; 0 for a name that is not known. */
static int specref_value(const golden_special_row *r, double *got)
{
    const char *f = r->fn;
    const double a = r->a, b = r->b, x = r->x;
    if (!strcmp(f, "erf"))         { *got = blni_erf(x);              return SPECREF_ULP; }
    if (!strcmp(f, "norm_cdf"))    { *got = bln_norm_cdf(x);         return SPECREF_ULP; }
    if (!strcmp(f, "norm_sf"))     { *got = bln_norm_sf(x);          return SPECREF_ULP; }
    if (!strcmp(f, "norm_logcdf")) { *got = bln_norm_logcdf(x);      return SPECREF_ULP; }
    if (!strcmp(f, "norm_mills"))  { *got = bln_norm_mills(x);       return SPECREF_ULP; }
    if (!strcmp(f, "log1pexp"))    { *got = bln_log1pexp(x);         return SPECREF_ULP; }
    if (!strcmp(f, "log1mexp"))    { *got = bln_log1mexp(x);         return SPECREF_ULP; }
    if (!strcmp(f, "sigmoid"))     { *got = bln_sigmoid(x);          return SPECREF_ULP; }
    if (!strcmp(f, "logit"))       { *got = bln_logit(x);            return SPECREF_ULP; }
    if (!strcmp(f, "trigamma"))    { *got = bln_trigamma(x);         return SPECREF_ULP; }
    if (!strcmp(f, "lgamma"))      { *got = bln_lgamma(x);           return SPECREF_ABSOLUTE; }
    if (!strcmp(f, "digamma"))     { *got = bln_digamma(x);          return SPECREF_ABSOLUTE; }
    if (!strcmp(f, "norm_ppf"))    { *got = bln_norm_quantile(x);    return SPECREF_ABSOLUTE; }
    if (!strcmp(f, "log_choose"))  { *got = bln_log_choose(a, x);    return SPECREF_INCOMPLETE; }
    if (!strcmp(f, "log_rising"))  { *got = blni_log_rising_double(a, x);    return SPECREF_INCOMPLETE; }
    if (!strcmp(f, "lgamma_half_diff")) { *got = blni_lgamma_half_diff(x); return SPECREF_INCOMPLETE; }
    if (!strcmp(f, "gammap"))      { *got = bln_gamma_p(a, x);       return SPECREF_INCOMPLETE; }
    if (!strcmp(f, "gammaq"))      { *got = bln_gamma_q(a, x);       return SPECREF_INCOMPLETE; }
    if (!strcmp(f, "betai"))       { *got = bln_beta_p(a, b, x);     return SPECREF_INCOMPLETE; }
    if (!strcmp(f, "student_cdf")) { *got = bln_student_cdf(a, x);   return SPECREF_INCOMPLETE; }
    if (!strcmp(f, "gammap_inv"))  { *got = bln_gamma_p_inv(a, x);   return SPECREF_INVERSE; }
    if (!strcmp(f, "betai_inv"))   { *got = bln_beta_p_inv(a, b, x); return SPECREF_INVERSE; }
    return 0;
}

TEST(special_reference, table)
{
    for (size_t i = 0; i < sizeof golden_special_rows/sizeof *golden_special_rows; i++) {
        const golden_special_row *r = golden_special_rows + i;
        double got = NAN;
        const int kind = specref_value(r, &got), tiny = fabs(r->value) < DBL_MIN;
        const double size = kind == SPECREF_ABSOLUTE && fabs(r->value) < 1.0 ? 1.0 : fabs(r->value);
        double tolerance = kind == SPECREF_ULP || kind == SPECREF_ABSOLUTE ? 2*DBL_EPSILON*size : 1e-13*size;
        const size_t before = test_failures;
        CHECK(kind != 0);
        if (kind == SPECREF_INVERSE) tolerance = 1e-12*size;          /* the golden file's own measure of inverses */
        if (tiny) tolerance += 2*4.9406564584124654e-324;
        CHECK_NEAR(got, r->value, tolerance);
        if (test_failures != before) printf("    %s(%g, %g, %.17g)\n", r->fn, r->a, r->b, r->x);
    }
}

SUITE_BEGIN(special_reference)
SUITE_TEST(special_reference, table)
SUITE_END(special_reference)

/* test_special_accuracy - every special function against values of 50 digits, in units in the last place where the header promises
 * those, relative or by what the argument would have to be off where it promises that.
 *
 * The golden values are pairs hi + lo, and the points were chosen where it hurts: at the ends of the range, beside the places where
 * the formula changes, and where sweeps of tens of thousands of points, through six compilers and ways to compute, found the
 * largest errors. The bounds are those of the comments in src/math/special.h. */
#include "../test.h"
#include "../golden/special_golden.h"

static double accuracy_log1pexp(double a, double b, double x) { (void)a; (void)b; return bln_log1pexp(x); }
static double accuracy_log1mexp(double a, double b, double x) { (void)a; (void)b; return bln_log1mexp(x); }
static double accuracy_sigmoid(double a, double b, double x) { (void)a; (void)b; return bln_sigmoid(x); }
static double accuracy_logit(double a, double b, double x) { (void)a; (void)b; return bln_logit(x); }
static double accuracy_erf(double a, double b, double x) { (void)a; (void)b; return blni_erf(x); }
static double accuracy_norm_pdf(double a, double b, double x) { (void)a; (void)b; return bln_norm_pdf(x); }
static double accuracy_norm_logpdf(double a, double b, double x) { (void)a; (void)b; return bln_norm_logpdf(x); }
static double accuracy_norm_cdf(double a, double b, double x) { (void)a; (void)b; return bln_norm_cdf(x); }
static double accuracy_norm_sf(double a, double b, double x) { (void)a; (void)b; return bln_norm_sf(x); }
static double accuracy_norm_logcdf(double a, double b, double x) { (void)a; (void)b; return bln_norm_logcdf(x); }
static double accuracy_norm_mills(double a, double b, double x) { (void)a; (void)b; return bln_norm_mills(x); }
static double accuracy_norm_quantile(double a, double b, double x) { (void)a; (void)b; return bln_norm_quantile(x); }
static double accuracy_lgamma(double a, double b, double x) { (void)a; (void)b; return bln_lgamma(x); }
static double accuracy_digamma(double a, double b, double x) { (void)a; (void)b; return bln_digamma(x); }
static double accuracy_trigamma(double a, double b, double x) { (void)a; (void)b; return bln_trigamma(x); }
static double accuracy_half_diff(double a, double b, double x) { (void)a; (void)b; return blni_lgamma_half_diff(x); }
static double accuracy_log_rising(double a, double b, double x) { (void)b; return blni_log_rising_double(a, x); }
static double accuracy_log_choose(double a, double b, double x) { (void)b; return bln_log_choose(a, x); }
static double accuracy_gamma_p(double a, double b, double x) { (void)b; return bln_gamma_p(a, x); }
static double accuracy_gamma_q(double a, double b, double x) { (void)b; return bln_gamma_q(a, x); }
static double accuracy_gamma_p_inv(double a, double b, double x) { (void)b; return bln_gamma_p_inv(a, x); }
static double accuracy_gamma_q_inv(double a, double b, double x) { (void)b; return bln_gamma_q_inv(a, x); }
static double accuracy_student_pdf(double a, double b, double x) { (void)b; return bln_student_pdf(a, x); }
static double accuracy_student_logpdf(double a, double b, double x) { (void)b; return bln_student_logpdf(a, x); }
static double accuracy_student_cdf(double a, double b, double x) { (void)b; return bln_student_cdf(a, x); }
static double accuracy_student_quantile(double a, double b, double x) { (void)b; return bln_student_quantile(a, x); }

/* What a function promises: so many units in the last place, or so much of the value, or so much absolute (times x, if that is
 * less than 1), whichever is more; inverses: so much of the smaller tail, as they multiply it by their slope. */
typedef struct accuracy_case {
    const char *name;
    double (*value)(double a, double b, double x);
    const golden_special_point *points;
    size_t n;
    double ulp, relative, absolute, tail;
} accuracy_case;

#define ACCURACY(name, f, ulp, relative, absolute, tail) \
    { #name, f, golden_special_##name, sizeof golden_special_##name/sizeof *golden_special_##name, ulp, relative, absolute, tail }

static double accuracy_ulp(double x)
{
    int e;
    frexp(x, &e);
    return ldexp(1.0, e - 53 > -1074 ? e - 53 : -1074);
}

/* The rows, their values known to 1e-3 ulp; a subnormal is known to half of its last bit only, and may be off by another two. */
static void accuracy_check(const accuracy_case *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const golden_special_point *p = c->points + i;
        const double got = c->value(p->a, p->b, p->x), size = fabs(p->hi), ulp = accuracy_ulp(p->hi);
        const double scale = p->a > 0.0 ? fmin(1.0, fmin(p->x, strcmp(c->name, "log_choose") ? 1.0 : p->a - p->x)) : 1.0;
        const double error = fabs((got - p->hi) - p->lo);
        double allowed = c->ulp*ulp;
        if (size < DBL_MIN) allowed += 2.0*ulp;
        const double relative = p->a > 1e6 && p->b > 1e6 ? 2.5*c->relative : c->relative;       /* beta: 1e-14 */
        allowed = fmax(allowed, fmax(relative*size, c->absolute*scale)) + c->tail*p->slope*size;
        const size_t before = test_failures;
        CHECK_LE(error, allowed*1.001);
        if (test_failures != before)
            printf("    %s(%.17g, %.17g, %.17g) = %.17g, want %.17g: %.3g ulp, %.3g relative\n", c->name, p->a, p->b, p->x, got,
                   p->hi, error/ulp, error/size);
    }
}

static void accuracy_all(size_t n, const accuracy_case *cases)
{
    for (size_t i = 0; i < n; i++) accuracy_check(cases + i);
}

/* Two ulp with a C library whose exp, log and log1p are good to one. */
TEST(special_accuracy, exponentials)
{
    static const accuracy_case cases[] = {
        ACCURACY(log1pexp, accuracy_log1pexp, 2.0, 0.0, 0.0, 0.0), ACCURACY(log1mexp, accuracy_log1mexp, 2.0, 0.0, 0.0, 0.0),
        ACCURACY(sigmoid, accuracy_sigmoid, 0.55, 0.0, 0.0, 0.0), ACCURACY(logit, accuracy_logit, 2.0, 0.0, 0.0, 0.0)
    };
    accuracy_all(sizeof cases/sizeof *cases, cases);
}

TEST(special_accuracy, error_function_and_normal)
{
    static const accuracy_case cases[] = {
        ACCURACY(erf, accuracy_erf, 0.65, 0.0, 0.0, 0.0), ACCURACY(norm_pdf, accuracy_norm_pdf, 0.65, 0.0, 0.0, 0.0),
        ACCURACY(norm_logpdf, accuracy_norm_logpdf, 0.65, 0.0, 0.0, 0.0),
        ACCURACY(norm_cdf, accuracy_norm_cdf, 0.65, 0.0, 0.0, 0.0), ACCURACY(norm_sf, accuracy_norm_sf, 0.65, 0.0, 0.0, 0.0),
        ACCURACY(norm_logcdf, accuracy_norm_logcdf, 0.65, 0.0, 0.0, 0.0),
        ACCURACY(norm_mills, accuracy_norm_mills, 0.65, 0.0, 0.0, 0.0),
        ACCURACY(norm_quantile, accuracy_norm_quantile, 0.65, 0.0, 0.0, 0.0)
    };
    accuracy_all(sizeof cases/sizeof *cases, cases);
}

TEST(special_accuracy, gamma_function)
{
    static const accuracy_case cases[] = {
        ACCURACY(lgamma, accuracy_lgamma, 0.65, 0.0, 0.0, 0.0), ACCURACY(digamma, accuracy_digamma, 0.65, 0.0, 1e-18, 0.0),
        ACCURACY(trigamma, accuracy_trigamma, 0.65, 0.0, 0.0, 0.0),
        ACCURACY(lgamma_half_diff, accuracy_half_diff, 1.0, 0.0, 1e-18, 0.0),
        ACCURACY(log_rising, accuracy_log_rising, 1.0, 0.0, 1e-18, 0.0),
        ACCURACY(log_choose, accuracy_log_choose, 1.0, 0.0, 1e-18, 0.0)
    };
    accuracy_all(sizeof cases/sizeof *cases, cases);
}

TEST(special_accuracy, incomplete)
{
    static const accuracy_case cases[] = {
        ACCURACY(gamma_p, accuracy_gamma_p, 0.0, 4e-15, 0.0, 0.0), ACCURACY(gamma_q, accuracy_gamma_q, 0.0, 4e-15, 0.0, 0.0),
        ACCURACY(beta_p, bln_beta_p, 0.0, 4e-15, 0.0, 0.0), ACCURACY(beta_q, bln_beta_q, 0.0, 4e-15, 0.0, 0.0),
        ACCURACY(student_pdf, accuracy_student_pdf, 0.65, 0.0, 0.0, 0.0),
        ACCURACY(student_logpdf, accuracy_student_logpdf, 0.65, 0.0, 1e-18, 0.0),
        ACCURACY(student_cdf, accuracy_student_cdf, 0.0, 4e-15, 0.0, 0.0)
    };
    accuracy_all(sizeof cases/sizeof *cases, cases);
}

TEST(special_accuracy, inverses)
{
    static const accuracy_case cases[] = {
        ACCURACY(gamma_p_inv, accuracy_gamma_p_inv, 2.0, 0.0, 0.0, 4e-15),
        ACCURACY(gamma_q_inv, accuracy_gamma_q_inv, 2.0, 0.0, 0.0, 4e-15),
        ACCURACY(beta_p_inv, bln_beta_p_inv, 2.0, 0.0, 0.0, 4e-15), ACCURACY(beta_q_inv, bln_beta_q_inv, 2.0, 0.0, 0.0, 4e-15),
        ACCURACY(student_quantile, accuracy_student_quantile, 2.0, 0.0, 0.0, 4e-15)
    };
    accuracy_all(sizeof cases/sizeof *cases, cases);
}

SUITE_BEGIN(special_accuracy)
    SUITE_TEST(special_accuracy, exponentials)
    SUITE_TEST(special_accuracy, error_function_and_normal)
    SUITE_TEST(special_accuracy, gamma_function)
    SUITE_TEST(special_accuracy, incomplete)
    SUITE_TEST(special_accuracy, inverses)
SUITE_END(special_accuracy)

/* test_special_identities - what the special functions owe each other: symmetries, recurrences, complements, closed forms and
 * inverses, at random points
 *
 * Tolerances follow from the promises of src/math/special.h: u = 2^-53, half a unit in the last place relative to the larger
 * end of a binade, bounds the rounding of one operation; a value good to 0.65 ulp is within 1.3 u to 2.6 u, said to be 3 u here;
 * incomplete functions are within 4e-15, 36 u. Each identity adds what it is made of. */
#include "../test.h"

#define IDENTITY_U (0.5*DBL_EPSILON)
#define IDENTITY_INCOMPLETE 4e-15

static double identity_log_uniform(test_random *r, double lo, double hi) { return pow(10.0, lo + (hi - lo)*test_uniform(r)); }

/* sigmoid(x) + sigmoid(-x) = 1; log(1 + e^x) - log(1 + e^-x) = x, e^-log(1 + e^x) = sigmoid(-x): an error of 4 u of the exponent L
 * is 4 u L of the result; logit(sigmoid x) = x, whose error is that of s over s (1 - s); e^log1mexp(a) + e^-a = 1. */
TEST(special_identities, odds)
{
    test_random r = test_random_new(21);
    for (int i = 0; i < 2000; i++) {
        const double x = 30.0*(2.0*test_uniform(&r) - 1.0), s = bln_sigmoid(x), L = bln_log1pexp(x);
        CHECK_NEAR(s + bln_sigmoid(-x), 1.0, 4*IDENTITY_U);
        CHECK_NEAR(L - bln_log1pexp(-x), x, 8*IDENTITY_U*(fabs(x) + 1.0));
        CHECK_REL(exp(-L), bln_sigmoid(-x), (4*L + 6)*IDENTITY_U);
        CHECK_NEAR(bln_logit(s), x, 3*IDENTITY_U/(1.0 - s) + 4*IDENTITY_U*fabs(x));
        const double a = identity_log_uniform(&r, -15.0, 1.5), m = bln_log1mexp(a);
        CHECK_NEAR(exp(m) + exp(-a), 1.0, 8*IDENTITY_U);
        CHECK_REL(exp(m), -expm1(-a), (4*fabs(m) + 4)*IDENTITY_U);
    }
}

/* The function of two arguments is the sigmoid's; shifting all arguments by a multiple of 1/8 shifts the result exactly but for its
 * rounding; a permutation changes no more than the order of n sums. */
TEST(special_identities, logsumexp)
{
    test_random r = test_random_new(22);
    for (int i = 0; i < 500; i++) {
        double x[9], y[9];
        for (int k = 0; k < 9; k++) x[k] = ldexp(floor(ldexp(20.0*test_normal(&r), 20)), -20);
        const double shift = 0.125*floor(800.0*test_normal(&r)), got = bln_logsumexp(9, x);
        for (int k = 0; k < 9; k++) y[k] = x[8 - k] + shift;
        CHECK_NEAR(bln_logsumexp(9, y), got + shift, 8*DBL_EPSILON*(fabs(got) + fabs(shift) + 3.0));
        CHECK_NEAR(bln_logsumexp(2, x), x[0] + bln_log1pexp(x[1] - x[0]), 4*DBL_EPSILON*(fabs(x[0]) + fabs(x[1]) + 1.0));
    }
}

/* erf is odd to the bit; erf + erfc = 1. */
TEST(special_identities, error_function)
{
    test_random r = test_random_new(23);
    for (int i = 0; i < 2000; i++) {
        const double x = 6.0*(2.0*test_uniform(&r) - 1.0);
        CHECK(blni_erf(-x) == -blni_erf(x));
        CHECK_NEAR(blni_erf(x) + erfc(x), 1.0, (8 + 8*(x < 0))*IDENTITY_U);
    }
}

/* Of the normal distribution, whose cdf and sf mirror each other to the bit. */
TEST(special_identities, normal)
{
    test_random r = test_random_new(24);
    for (int i = 0; i < 2000; i++) {
        const double x = 37.0*(2.0*test_uniform(&r) - 1.0), cdf = bln_norm_cdf(x), pdf = bln_norm_pdf(x);
        CHECK(bln_norm_sf(-x) == cdf && bln_norm_pdf(-x) == pdf && bln_norm_logpdf(-x) == bln_norm_logpdf(x));
        CHECK_NEAR(cdf + bln_norm_sf(x), 1.0, 4*IDENTITY_U);
        CHECK_REL(exp(bln_norm_logpdf(x)), pdf, (3*x*x + 10)*IDENTITY_U);
        CHECK_REL(exp(bln_norm_logcdf(x)), cdf, (3*x*x + 10)*IDENTITY_U);
        CHECK_REL(bln_norm_mills(x), pdf/cdf, 12*IDENTITY_U);
        CHECK_REL(cdf, 0.5*erfc(-x*sqrt(0.5)), (4*x*x + 16)*IDENTITY_U);
        const double p = i % 2 ? identity_log_uniform(&r, -300.0, 0.0) : test_uniform(&r), z = bln_norm_quantile(p);
        CHECK_REL(bln_norm_cdf(z), p, 3*IDENTITY_U*(z*z + 3));
        const double q = 0.5 + 0.5*test_uniform(&r);                                       /* 1 - q is exact */
        CHECK(bln_norm_quantile(q) == -bln_norm_quantile(1.0 - q));
        CHECK(bln_norm_quantile(p) <= bln_norm_quantile(p*(1.0 + 4*IDENTITY_U)));
    }
}

/* Recurrence, reflection and duplication [DLMF 5.5, 5.15]. Sums are allowed 3 u of each part. */
TEST(special_identities, gamma_function)
{
    const double pi = 3.14159265358979323846;
    test_random r = test_random_new(25);
    for (int i = 0; i < 2000; i++) {
        const double x = identity_log_uniform(&r, -8.0, 8.0), g = bln_lgamma(x), y = 1.0 + x;
        const double u = 0.01 + 0.49*test_uniform(&r), v = 1.0 - u;
        const double ulp = IDENTITY_U*(y + x), psi = bln_digamma(x), tri = bln_trigamma(x);      /* of rounding y */
        CHECK_NEAR(bln_lgamma(y), g + log(x),
                   3*IDENTITY_U*(fabs(g) + fabs(bln_lgamma(y)) + fabs(log(x))) + ulp*fabs(bln_digamma(y)));
        CHECK_NEAR(bln_digamma(y), psi + 1.0/x, 3*IDENTITY_U*(fabs(psi) + 1.0/x + fabs(bln_digamma(y))) + ulp*bln_trigamma(y));
        CHECK_NEAR(bln_trigamma(y), tri - 1.0/x/x, 4*IDENTITY_U*(tri + 1.0/x/x + bln_trigamma(y)) + ulp*bln_trigamma(y)*2);
        CHECK_NEAR(bln_lgamma(u) + bln_lgamma(v), log(pi/sin(pi*u)), 20*IDENTITY_U*(1.0 + bln_lgamma(u) + bln_lgamma(v)));
        CHECK_NEAR(bln_digamma(v) - bln_digamma(u), pi/tan(pi*u), 20*IDENTITY_U*(pi + 1.0/(u*v)));
        CHECK_REL(bln_trigamma(v) + bln_trigamma(u), pi*pi/(sin(pi*u)*sin(pi*u)), 20*IDENTITY_U);
        /* Gamma(2x) = Gamma(x) Gamma(x + 1/2) 2^(2x - 1)/sqrt(pi) */
        const double half = blni_lgamma_half_diff(x), two = bln_lgamma(2.0*x);
        CHECK_NEAR(two, 2.0*g + half + (2.0*x - 1.0)*log(2.0) - 0.5*log(pi),
                   3*IDENTITY_U*(fabs(two) + 2*fabs(g) + fabs(half) + 2*x + 3));
    }
}

/* Gamma(x + 1/2)/Gamma(x) Gamma(x + 1)/Gamma(x + 1/2) = x; Gamma(a + x + 1)/Gamma(a) = (a + x) Gamma(a + x)/Gamma(a); binomial
 * coefficients that are integers below 2^53, by Pascal's triangle. */
TEST(special_identities, gamma_ratios)
{
    test_random r = test_random_new(26);
    for (int i = 0; i < 2000; i++) {
        const double x = ldexp(floor(ldexp(1.0 + 9.0*test_uniform(&r), 20)), (int)(40.0*test_uniform(&r)) - 20);
        const double h = blni_lgamma_half_diff(x);
        CHECK(h == blni_log_rising_double(x, 0.5));
        CHECK_NEAR(h + blni_lgamma_half_diff(x + 0.5), log(x), 3*IDENTITY_U*(fabs(h) + fabs(log(x)) + 1.0));
        const double a = identity_log_uniform(&r, -3.0, 8.0), y = identity_log_uniform(&r, -3.0, 3.0);
        const double f = blni_log_rising_double(a, y);
        CHECK_NEAR(blni_log_rising_double(a, y + 1.0), f + log(a + y),
                   6*IDENTITY_U*(fabs(f) + fabs(log(a + y)) + 1.0) + 4*IDENTITY_U*(y + 1.0)*log(a + y + 10.0));
        CHECK_NEAR(blni_log_rising_double(a, 1.0), log(a), 3*IDENTITY_U*(fabs(log(a)) + 0.1));
    }
    double row[57] = { 1.0 };
    for (int n = 1; n <= 56; n++) {
        for (int k = n; k > 0; k--) row[k] += row[k - 1];
        for (int k = 0; k <= n; k++) {
            CHECK_REL(bln_log_choose(n, k), log(row[k]), 5*IDENTITY_U);
            CHECK(bln_log_choose(n, k) == bln_log_choose(n, n - k));
        }
    }
}

/* P + Q = 1; P(a + 1, x) = P(a, x) - x^a e^-x/Gamma(a + 1); P(1/2, x) = erf sqrt x, Q(1, x) = e^-x, Q(3, x) = e^-x (1 + x + x^2/2);
 * and P grows through the places where its formula changes. The exponents' rounding counts as many times as they are large. */
TEST(special_identities, incomplete_gamma)
{
    test_random r = test_random_new(27);
    for (int i = 0; i < 1000; i++) {
        const double a = identity_log_uniform(&r, -3.0, 5.0), x = fabs(a + 8.0*sqrt(a)*(2.0*test_uniform(&r) - 1.0)) + 1e-3;
        const double p = bln_gamma_p(a, x), q = bln_gamma_q(a, x), e = a*log(x) - x - bln_lgamma(a + 1.0);
        const double noise = 6*IDENTITY_U*(a*fabs(log(x)) + x + fabs(bln_lgamma(a + 1.0)) + 1.0);
        CHECK_NEAR(p + q, 1.0, 2*IDENTITY_INCOMPLETE);
        CHECK_NEAR(bln_gamma_p(a + 1.0, x), p - exp(e),
                   IDENTITY_INCOMPLETE*(2*p + exp(e)) + exp(e)*noise + 4*IDENTITY_U*(a + 1.0)/sqrt(a));
        const double y = identity_log_uniform(&r, -8.0, 2.5);
        CHECK_REL(bln_gamma_p(0.5, y*y), blni_erf(y), 2*IDENTITY_INCOMPLETE);                /* P changes by less than y^2 does */
        CHECK_REL(bln_gamma_q(1.0, y), exp(-y), IDENTITY_INCOMPLETE);
        CHECK_REL(bln_gamma_q(3.0, y), exp(-y)*(1.0 + y + 0.5*y*y), IDENTITY_INCOMPLETE);
        CHECK_LE(p, bln_gamma_p(a, x*(1.0 + 1e-9)));
        CHECK_LE(bln_gamma_q(a, x*(1.0 + 1e-9)), q);
    }
    for (double a = 499.999; a < 500.0015; a += 1e-3)
        for (double x = 280.0; x < 720.0; x += 3.7) CHECK_NEAR(bln_gamma_p(a, x), bln_gamma_p(a + 1e-9, x), 1e-10);
}

/* I_x(a, b) = 1 - I_{1-x}(b, a); x I(a - 1, b) + (1 - x) I(a, b - 1) = I(a, b) [DLMF 8.17.12]; I(a, 1) = x^a, I(1/2, 1/2) =
 * 2/pi arcsin sqrt x; and for b without end the gamma distribution of b x, from which it differs by order (a^2 + (b x)^2)/b. */
TEST(special_identities, incomplete_beta)
{
    test_random r = test_random_new(28);
    for (int i = 0; i < 1000; i++) {
        const double a = 1.0 + identity_log_uniform(&r, -3.0, 5.0), b = 1.0 + identity_log_uniform(&r, -3.0, 5.0), m = a/(a + b);
        const double near_mean = m + 6.0*sqrt(a*b/(a + b + 1.0))/(a + b)*(2.0*test_uniform(&r) - 1.0);
        const double place = near_mean > 0.0 && near_mean < 1.0 ? near_mean : test_uniform(&r);
        const double x = ldexp(floor(ldexp(place, 50)) + 1.0, -50), y = 1.0 - x;
        if (!(x > 0.0 && y > 0.0)) continue;
        const double p = bln_beta_p(a, b, x), q = bln_beta_q(a, b, x);
        CHECK_NEAR(p + q, 1.0, 2*IDENTITY_INCOMPLETE);
        CHECK_REL(bln_beta_q(b, a, y), p, 2*IDENTITY_INCOMPLETE);
        /* a - 1 and b - 1 are rounded by u a, which moves the mean by u of a standard deviation times sqrt(a) */
        CHECK_NEAR(x*bln_beta_p(a - 1.0, b, x) + y*bln_beta_p(a, b - 1.0, x), p,
                   3*IDENTITY_INCOMPLETE*p + 4*IDENTITY_U*sqrt(a + b));
        const double s = identity_log_uniform(&r, -2.0, 1.0);
        CHECK_REL(bln_beta_p(s, 1.0, x), pow(x, s), 2*IDENTITY_INCOMPLETE);
        CHECK_REL(bln_beta_p(0.5, 0.5, x), asin(sqrt(x))/1.57079632679489661923, 2*IDENTITY_INCOMPLETE + 4*IDENTITY_U/sqrt(y));
        const double t = fabs(s*100.0 + 30.0*sqrt(s)*(2.0*test_uniform(&r) - 1.0)) + 0.01, big = ldexp(1.0, 100);
        CHECK_REL(bln_beta_p(100.0*s, big, t/big), bln_gamma_p(100.0*s, t), 2*IDENTITY_INCOMPLETE);
        CHECK_REL(bln_beta_q(100.0*s, big, t/big), bln_gamma_q(100.0*s, t), 2*IDENTITY_INCOMPLETE);
    }
}

/* What the functions make of their inverses. The argument is rounded and 2 ulp off: 5 u times the slope d log p/d log x, which is
 * the density at x over the tail; where x is subnormal or 1 there is nothing to check. */
TEST(special_identities, inverses)
{
    test_random r = test_random_new(29);
    for (int i = 0; i < 400; i++) {
        const double a = identity_log_uniform(&r, -1.0, 5.0), b = identity_log_uniform(&r, -1.0, 4.0);
        const double p = i % 3 == 1 ? 0.5*test_uniform(&r) : identity_log_uniform(&r, i % 3 ? -8.0 : -300.0, i % 3 ? -0.4 : 0.0);
        double x = bln_gamma_p_inv(a, p);
        if (x > 1e-290) CHECK_REL(bln_gamma_p(a, x), p, 2*IDENTITY_INCOMPLETE + 5*IDENTITY_U*exp(a*log(x) - x - bln_lgamma(a))/p);
        x = bln_gamma_q_inv(a, p);
        if (x > 1e-290) CHECK_REL(bln_gamma_q(a, x), p, 2*IDENTITY_INCOMPLETE + 5*IDENTITY_U*exp(a*log(x) - x - bln_lgamma(a))/p);
        x = bln_beta_p_inv(a, b, p);
        const double front = bln_lgamma(a + b) - bln_lgamma(a) - bln_lgamma(b);
        if (x > 1e-290 && x < 1.0 - 1e-9)
            CHECK_REL(bln_beta_p(a, b, x), p, 2*IDENTITY_INCOMPLETE + 5*IDENTITY_U*exp(a*log(x) + (b - 1.0)*log1p(-x) + front)/p);
        x = bln_beta_q_inv(a, b, p);
        if (x > 1e-290 && x < 1.0 - 1e-9)
            CHECK_REL(bln_beta_q(a, b, x), p, 2*IDENTITY_INCOMPLETE + 5*IDENTITY_U*exp(a*log(x) + (b - 1.0)*log1p(-x) + front)/p);
        x = bln_student_quantile(a, p);
        if (x > -1e290) CHECK_REL(bln_student_cdf(a, x), p, 2*IDENTITY_INCOMPLETE + 5*IDENTITY_U*fabs(x)*bln_student_pdf(a, x)/p);
        const double q = 0.5 + 0.5*test_uniform(&r);
        CHECK(bln_student_quantile(a, q) == -bln_student_quantile(a, 1.0 - q));
    }
}

/* The gamma distributions of shape 1/2 (half the square of a normal variate), 1 and 2 (waiting times), in both tails; the median
 * of a large one is a - 1/3 + 8/(405 a).                                                                        [Choi 1994] */
TEST(special_identities, gamma_quantiles_in_closed_form)
{
    for (int step = -50; step <= 50; step++) {
        const double tail = pow(2.0, -fabs((double)step))/2.0, p = step <= 0 ? tail : 1.0 - tail;
        const double half = bln_gamma_p_inv(0.5, p), root = sqrt(2.0*half), one = bln_gamma_p_inv(1.0, p);
        const double two = bln_gamma_p_inv(2.0, p);
        /* 5 u of x <= 40 is 5 u x of an upper tail; the small root of the second is of twice the slope */
        CHECK_REL(step <= 0 ? blni_erf(root*sqrt(0.5)) : 2.0*bln_norm_sf(root), tail, 4e-15 + 8*IDENTITY_U*(half + 2));
        CHECK_REL(step <= 0 ? -expm1(-one) : exp(-one), tail, 4e-15 + 8*IDENTITY_U*(one + 1));
        /* below 0.01 the closed form would cancel: its series */
        CHECK_REL(two < 0.01 ? two*two*(1.0/2 - two*(1.0/3 - two*(1.0/8 - two*(1.0/30 - two*(1.0/144 - two/840)))))
                             : step <= 0 ? -expm1(-two) - two*exp(-two) : (1.0 + two)*exp(-two),
                  tail, step <= 0 ? 2e-12 : 4e-15 + 8*IDENTITY_U*(two + 3));
        CHECK_REL(bln_gamma_q_inv(1.0, tail), -log(tail), 4e-15);
    }
    for (double a = 1e3; a < 1e6; a *= 3.0)
        CHECK_NEAR(bln_gamma_p_inv(a, 0.5), a - 1.0/3.0 + 8.0/(405.0*a), 0.01/(a*a) + 4*IDENTITY_U*a);
    CHECK_REL(bln_gamma_p_inv(0.1, 1e-15), pow(1e-15*exp(bln_lgamma(1.1)), 10.0), 1e-13);
}

/* Closed forms at dof 1 (Cauchy), 2 and 4, tails included; the derivative of the cdf by differences over h = 1e-3, good to
 * h^4/30 f'''' < 3e-11 at dof 0.3, the worst; and the normal distribution, from which it differs by t^4/dof. */
TEST(special_identities, student)
{
    static const double t[] = { -1e8, -300.0, -37.0, -4.0, -1.7, -0.6, -1e-3, -1e-9, 0.0, 1e-5, 0.3, 1.0, 2.4, 55.0 };
    const double pi = 3.14159265358979323846;
    for (size_t i = 0; i < sizeof t/sizeof *t; i++) {
        const double v = t[i], root = sqrt(2.0 + v*v), u = v/sqrt(4.0 + v*v);
        CHECK_REL(bln_student_cdf(1.0, v), v < -1.0 ? atan(-1.0/v)/pi : 0.5 + atan(v)/pi, 5e-15);
        /* 1/2 + v/(2 root), whose tail without cancellation is 1/(root (root - v)) with root = sqrt(2 + v^2) */
        CHECK_REL(bln_student_cdf(2.0, v), v < 0.0 ? 1.0/(root*(root - v)) : 0.5*(1.0 + v/root), 5e-15);
        CHECK_NEAR(bln_student_cdf(4.0, v), 0.5 + 0.25*u*(3.0 - u*u), 5e-15);
        CHECK_NEAR(bln_student_logpdf(2.0, v), -1.5*log(2.0 + v*v), 4*DBL_EPSILON*(1.0 + 1.5*log(2.0 + v*v)));
        CHECK_REL(bln_student_pdf(1.0, v), 1.0/(pi*(1.0 + v*v)), 6*IDENTITY_U);
        CHECK(bln_student_cdf(HUGE_VAL, v) == bln_norm_cdf(v) && bln_student_pdf(HUGE_VAL, v) == bln_norm_pdf(v));
        CHECK(bln_student_logpdf(HUGE_VAL, v) == bln_norm_logpdf(v));
        if (fabs(v) < 38.0) CHECK_REL(bln_student_cdf(1e21, v), bln_norm_cdf(v), 5e-15 + (v*v + 2.0)*(v*v + 2.0)/1e21);
    }
    for (double dof = 0.3; dof < 1e7; dof *= 7.0)
        for (double v = -3.0; v < 4.0; v += 0.7) {
            const double h = 1e-3, d = (8.0*(bln_student_cdf(dof, v + h) - bln_student_cdf(dof, v - h))
                                        - (bln_student_cdf(dof, v + 2.0*h) - bln_student_cdf(dof, v - 2.0*h)))/(12.0*h);
            CHECK_NEAR(d, bln_student_pdf(dof, v), 3e-11);
            CHECK_NEAR(bln_student_cdf(dof, v) + bln_student_cdf(dof, -v), 1.0, 4e-15);
            CHECK_REL(exp(bln_student_logpdf(dof, v)), bln_student_pdf(dof, v), 20*IDENTITY_U);
        }
}

SUITE_BEGIN(special_identities)
    SUITE_TEST(special_identities, odds)
    SUITE_TEST(special_identities, logsumexp)
    SUITE_TEST(special_identities, error_function)
    SUITE_TEST(special_identities, normal)
    SUITE_TEST(special_identities, gamma_function)
    SUITE_TEST(special_identities, gamma_ratios)
    SUITE_TEST(special_identities, incomplete_gamma)
    SUITE_TEST(special_identities, incomplete_beta)
    SUITE_TEST(special_identities, inverses)
    SUITE_TEST(special_identities, gamma_quantiles_in_closed_form)
    SUITE_TEST(special_identities, student)
SUITE_END(special_identities)

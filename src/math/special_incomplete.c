/* special_incomplete: incomplete gamma and beta functions, their inverses, Student's distribution
 *
 * Each is a front factor (x^a e^-x/Gamma(a+1), x^a y^b/(a B(a,b)) with y = 1 - x) times a series or a continued fraction of
 * positive terms. All cancellation is in the exponent of the front factor, which is formed in pairs; for large parameters as -a
 * phi(x/a) with phi(r) = r - 1 - log r, so that a log a never appears. The tail on x's side of the mean is computed, and the other
 * is its complement, unless that is small too (a not >> 1): then it has a formula of its own. Inverses: the log of a tail as a
 * function of log x, or of log(x/y), is concave (the densities of these logarithms are log-concave), so Newton's method converges
 * from any start. */
#include "special_private.h"
#include "special_tables_private.h"

/* The parameters that are taken: beyond, products of them with each other and with logarithms leave the range of doubles. (Objects:
 * literals may be wider than a double.) */
static const double blni_parameter_ends[2] = { 1e-290, 1e290 };
BLNI_PRIV int blni_parameter(double a) { return a >= blni_parameter_ends[0] && a <= blni_parameter_ends[1]; }

/* Both tails of a distribution; rounding may not make either more than 1. */
typedef struct blni_tails { double p, q; } blni_tails;

BLNI_PRIV blni_tails blni_tails_make(double p, double q)
{
    const blni_tails r = { p > 1.0 ? 1.0 : p, q > 1.0 ? 1.0 : q };
    return r;
}

/* phi(r) = r - 1 - log r >= 0, with m = r - 1; relative. Near r = 1, with s = m/(2 + m), log r = 2 atanh(s) and m - 2s = m s:
 * phi = m s - 2 s^3 (1/3 + s^2/5 + ...), whose second term is at most a percent. */
BLNI_PRIV blni_pair blni_phi(blni_pair r, blni_pair m)
{
    static const double c[7] = { 2.0/3.0, 2.0/5.0, 2.0/7.0, 2.0/9.0, 2.0/11.0, 2.0/13.0, 2.0/15.0 };
    if (fabs(m.hi) > 0.0625) return blni_pair_sub(m, blni_pair_log(r));
    const blni_pair s = blni_pair_div(m, blni_pair_plus(m, 2.0));
    const double y = s.hi*s.hi;
    return blni_pair_plus(blni_pair_mul(m, s), -s.hi*y*blni_horner(7, c, y));
}

/* e^a, of which the caller takes factor 2^*k; 0 where not even the largest factor used here makes it a number. */
BLNI_PRIV double blni_front_exp(blni_pair a, int *k)
{
    *k = 0;
    if (!(a.hi > -2000.0)) return 0.0;
    const blni_pair m = blni_pair_exp(a, k);
    return m.hi;
}

/* ---- gamma ---- */

/* x^a e^-x/Gamma(a + 1) = result 2^*k; 0 < x. */
BLNI_PRIV double blni_gamma_front(double a, double x, int *k)
{
    const blni_pair X = blni_pair_make(x, 0.0), A = blni_pair_make(a, 0.0);
    if (a >= 8.0) {
        const blni_pair r = blni_pair_div(X, A), m = blni_pair_div(blni_pair_sum(x, -a), A);
        if (m.hi > 1e4 || r.hi < 1e-300) { *k = 0; return 0.0; }
        const blni_pair e = blni_pair_plus(blni_pair_times(blni_phi(r, m), a), a < 1e17 ? blni_stirling(a) : 0.0);
        return blni_front_exp(blni_pair_negate(e), k)*blni_inv_sqrt_2pi[0]/sqrt(a);
    }
    if (x > 2000.0) { *k = 0; return 0.0; }
    const blni_pair e = blni_pair_sub(blni_pair_times(blni_pair_log(X), a), blni_lgamma_pair(blni_pair_sum(1.0, a)));
    return blni_front_exp(blni_pair_plus(e, -x), k);
}

/* Temme (1979): with phi(x/a) = eta^2/2, Q = erfc(eta sqrt(a/2))/2 + e^(-a eta^2/2)/sqrt(2 pi a) sum_k c_k(eta) a^-k, likewise
 * P; here with five c_k for a >= 500, |x/a - 1| <= 0.4. erfc as erfcx times the same exponential: the sum is relative to the
 * tail.   [DLMF 8.12] */
BLNI_PRIV blni_tails blni_gamma_temme(double a, double x)
{
    static const size_t order[5] = { 16, 13, 11, 9, 7 };
    const blni_pair A = blni_pair_make(a, 0.0), m = blni_pair_div(blni_pair_sum(x, -a), A);
    const blni_pair phi = blni_phi(blni_pair_div(blni_pair_make(x, 0.0), A), m), e = blni_pair_times(phi, a);
    const double sign = x < a ? -1.0 : 1.0, eta = sign*sqrt(2.0*phi.hi);
    const double *c = blni_temme_table;
    double sum = 0.0, power = 1.0, tail;
    int k;
    if (e.hi > 800.0) return blni_tails_make(x < a ? 0.0 : 1.0, x < a ? 1.0 : 0.0);
    for (size_t i = 0; i < 5; i++) {
        sum += power*blni_horner(order[i], c, eta);
        power /= a;
        c += order[i];
    }
    sum *= sign*blni_inv_sqrt_2pi[0]/sqrt(a);
    const blni_pair z = blni_pair_sqrt(e), f = blni_pair_exp(blni_pair_negate(e), &k);
    if (z.hi < 0.5) tail = 0.5*(1.0 - blni_erf_centre(z).hi) + ldexp(f.hi, k)*sum;
    else tail = ldexp(f.hi*(0.5*blni_erfcx_right(z).hi + sum), k);
    return x < a ? blni_tails_make(tail, 1.0 - tail) : blni_tails_make(1.0 - tail, tail);
}

/* sum_n x^n/((a + 1) ... (a + n)): P = front times this.                                                       [DLMF 8.11.4] */
BLNI_PRIV double blni_gamma_series(double a, double x)
{
    double sum = 0.0, term = 1.0;
    for (double n = 1.0; term > 0.25*DBL_EPSILON*sum; n += 1.0) { sum += term; term *= x/(a + n); }
    return sum;
}

/* a/(x + 1 - a - 1(1 - a)/(x + 3 - a - 2(2 - a)/(x + 5 - a - ...))): Q = front times this; x >= 1 and x > a - 1, fast for
 * x >= a + 1 or a <= 1. Summed up from its first convergent, so that only the first terms' rounding counts.
 * [DLMF 8.9.2; Thompson & Barnett 1986] */
BLNI_PRIV double blni_gamma_fraction(double a, double x)
{
    double b = x + 1.0 - a, d = 1.0/b, step = d, sum = d;
    for (double n = 1.0; fabs(step) > 0.25*DBL_EPSILON*sum; n += 1.0) {
        const double c = n*(n - a), before = d;
        b += 2.0;
        d = 1.0/(b - c*d);
        step *= c*d*before;
        sum += step;
    }
    return a*sum;
}

/* Q for a < 1, x < 1 where P is close to 1: with e = log(x^a/Gamma(1 + a)),
 * Q = (1 - e^e) - e^e a sum_{n >= 1} (-x)^n/(n! (a + n)), both parts positive or nearly so.                     [DLMF 8.7.3] */
BLNI_PRIV double blni_gamma_small(double a, double x)
{
    const blni_pair power = blni_pair_times(blni_pair_log(blni_pair_make(x, 0.0)), a);
    const double e = blni_pair_sub(power, blni_lgamma_unit(blni_pair_make(a, 0.0))).hi;
    double sum = 0.0, term = 1.0;
    for (double n = 1.0; n < 25.0; n += 1.0) {                    /* 1/25! < 2^-83 */
        term *= -x/n;
        sum += term/(a + n);
    }
    return -expm1(e) - exp(e)*a*sum;
}

/* P and Q; a > 0 finite, x >= 0. */
BLNI_PRIV blni_tails blni_gamma_tails(double a, double x)
{
    int k;
    if (x == 0.0) return blni_tails_make(0.0, 1.0);
    if (x == (double)INFINITY) return blni_tails_make(1.0, 0.0);
    if (a >= 500.0 && fabs(x - a) <= 0.4*a) return blni_gamma_temme(a, x);
    const double front = blni_gamma_front(a, x, &k);
    if (front == 0.0) return x < a ? blni_tails_make(0.0, 1.0) : blni_tails_make(1.0, 0.0);
    if (x >= 1.0 && (x >= a + 1.0 || a <= 1.0)) {
        const double q = ldexp(front*blni_gamma_fraction(a, x), k);
        return blni_tails_make(1.0 - q, q);
    }
    const double p = ldexp(front*blni_gamma_series(a, x), k);
    if (p <= 0.75) return blni_tails_make(p, p > 0.5 && a < 1.0 ? blni_gamma_small(a, x) : 1.0 - p);
    /* Q is the smaller by far: by its own series, or by the fraction, as x > a - 1. */
    const double q = a < 1.0 ? blni_gamma_small(a, x) : ldexp(front*blni_gamma_fraction(a, x), k);
    return blni_tails_make(1.0 - q, q);
}

BLN_API double bln_gamma_p(double a, double x) { return blni_parameter(a) && x >= 0.0 ? blni_gamma_tails(a, x).p : BLNI_NAN; }

BLN_API double bln_gamma_q(double a, double x) { return blni_parameter(a) && x >= 0.0 ? blni_gamma_tails(a, x).q : BLNI_NAN; }

/* What a root is looked for of: log(tail(w)/target), increasing and concave in w. */
typedef struct blni_tail_problem { double a, b, target; int upper; } blni_tail_problem;
typedef double (*blni_tail_gap)(const blni_tail_problem *problem, blni_pair w, double *step);

/* w with gap(w) = 0, which is not below `low`, by Newton's method; a step that leaves the bracket, or comes from where the tail
 * underflows, is halved towards the other end, or towards `centre`, where there is no other end yet. *step is what to subtract
 * from w. */
BLNI_PRIV blni_pair blni_solve_tail(blni_tail_gap gap, const blni_tail_problem *problem, blni_pair w, double low, double centre)
{
    double high = (double)INFINITY;
    for (int i = 0; i < 200; i++) {
        double step;
        const double f = gap(problem, w, &step);
        const blni_pair next = blni_pair_plus(w, -step);
        if (fabs(f) < 1e-9) return blni_finite(next.hi) ? next : w;   /* the error that is left is of the order of its square */
        if (f < 0.0) low = w.hi; else high = w.hi;
        if (blni_finite(next.hi) && next.hi > low && next.hi < high) w = next;
        else if (!blni_finite(high)) w = blni_pair_make(0.5*(w.hi + centre), 0.0);
        else w = blni_pair_make(blni_finite(low) ? 0.5*(low + high) : high - 1.0, 0.0);
    }
    return w;
}

/* w = log x for P, -log x for Q. */
BLNI_PRIV double blni_gamma_gap(const blni_tail_problem *problem, blni_pair w, double *step)
{
    int k;
    const blni_pair m = blni_pair_exp(problem->upper ? blni_pair_negate(w) : w, &k);
    const double x = blni_pair_round(m, k);
    const blni_tails t = blni_gamma_tails(problem->a, x);
    const double tail = problem->upper ? t.q : t.p, gap = log(tail/problem->target), front = blni_gamma_front(problem->a, x, &k);
    *step = gap*(tail/ldexp(problem->a*front, k));
    return gap;
}

/* From 1e9 on the quantile is that of a normal variable z with five corrections, of which each is z/sqrt(a) < 2e-3 times the one
 * before or less, where a search in log x would see steps [Goldberg & Levine 1946]. */
BLNI_PRIV double blni_gamma_inverse_large(double a, double z)
{
    const double r = 1.0/sqrt(a), z2 = z*z;
    const double fourth = (6.0*z2*z2 + 14.0*z2 - 32.0)/1620.0, fifth = z*(9.0*z2*z2 + 256.0*z2 - 433.0)/38880.0;
    return a + (z/r + ((z2 - 1.0)/3.0 + r*(z*(z2 - 7.0)/36.0 - r*(fourth - r*fifth))));
}

/* The root of the smaller tail. P <= x^a/Gamma(a+1), so that x >= (p Gamma(a+1))^(1/a), which is x itself as it becomes small.
 * Else the cube of a normal variable for a start [Wilson & Hilferty 1931]. */
BLNI_PRIV double blni_gamma_inverse(double a, double p, double q)
{
    if (p == 0.0 || q == 0.0) return p == 0.0 ? 0.0 : (double)INFINITY;
    if (a >= 1e9) return blni_gamma_inverse_large(a, p <= q ? bln_norm_quantile(p) : -bln_norm_quantile(q));
    const blni_pair log_p = p <= q ? blni_pair_log(blni_pair_make(p, 0.0)) : blni_pair_log1p(blni_pair_make(-q, 0.0));
    const blni_pair least = blni_pair_div(blni_pair_add(log_p, blni_lgamma_pair(blni_pair_sum(1.0, a))), blni_pair_make(a, 0.0));
    blni_pair w = least;
    int k;
    if (least.hi < -800.0) return 0.0;
    if (least.hi > -40.0) {
        const double z = p <= q ? bln_norm_quantile(p) : -bln_norm_quantile(q), root = 1.0 - 1.0/(9.0*a) + z/(3.0*sqrt(a));
        const double centre = bln_digamma(a), start = root > 0.1 ? log(a*root*root*root) : least.hi;
        const blni_tail_problem problem = { a, 0.0, p > q ? q : p, p > q };
        w = blni_pair_make(start > least.hi ? start : least.hi, 0.0);
        if (p > q) w = blni_pair_negate(blni_solve_tail(blni_gamma_gap, &problem, blni_pair_negate(w), -(double)INFINITY, -centre));
        else w = blni_solve_tail(blni_gamma_gap, &problem, w, least.hi, centre);
    }
    const blni_pair m = blni_pair_exp(w, &k);
    return blni_pair_round(m, k);
}

BLN_API double bln_gamma_p_inv(double a, double p)
{
    return blni_parameter(a) && p >= 0.0 && p <= 1.0 ? blni_gamma_inverse(a, p, 1.0 - p) : BLNI_NAN;
}

BLN_API double bln_gamma_q_inv(double a, double q)
{
    return blni_parameter(a) && q >= 0.0 && q <= 1.0 ? blni_gamma_inverse(a, 1.0 - q, q) : BLNI_NAN;
}

/* ---- beta ---- */

/* log x and x itself, and the same for y = 1 - x: whichever is small is known to full relative accuracy. */
typedef struct blni_unit { blni_pair x, y, log_x, log_y; } blni_unit;

BLNI_PRIV blni_unit blni_unit_make(blni_pair x, blni_pair y)
{
    blni_unit u;
    u.x = x;
    u.y = y;
    u.log_x = x.hi > 0.5 ? blni_pair_log1p(blni_pair_negate(y)) : blni_pair_log(x);
    u.log_y = y.hi > 0.5 ? blni_pair_log1p(blni_pair_negate(x)) : blni_pair_log(y);
    return u;
}

BLNI_PRIV blni_unit blni_unit_swap(blni_unit u)
{
    const blni_unit r = { u.y, u.x, u.log_y, u.log_x };
    return r;
}

/* log 1/(a B(a, b)) = log Gamma(b + a)/Gamma(b) - log Gamma(1 + a); relative as a -> 0. */
BLNI_PRIV blni_pair blni_log_inv_beta(double a, double b)
{
    if (a <= b) return blni_pair_sub(blni_log_rising(blni_pair_make(b, 0.0), a), blni_lgamma_pair(blni_pair_sum(1.0, a)));
    const blni_pair ratio = blni_pair_sub(blni_pair_log(blni_pair_make(b, 0.0)), blni_pair_log(blni_pair_make(a, 0.0)));
    return blni_pair_add(ratio, blni_log_inv_beta(b, a));
}

/* For a, b >= 8, with x0 = a/(a + b), y0 = b/(a + b): -log (x/x0)^a (y/y0)^b = a phi(x/x0) + b phi(y/y0), as the linear terms of
 * both cancel; infinite if out of range. *gap = (a + b)(x - x0). */
BLNI_PRIV blni_pair blni_beta_distance(double a, double b, blni_unit u, blni_pair *gap)
{
    const blni_pair n = blni_pair_sum(a, b), A = blni_pair_make(a, 0.0), B = blni_pair_make(b, 0.0);
    const blni_pair r = blni_pair_div(blni_pair_mul(u.x, n), A), s = blni_pair_div(blni_pair_mul(u.y, n), B);
    /* x b - y a = a (r - 1) = -b (s - 1). */
    *gap = blni_pair_sub(blni_pair_times(u.x, b), blni_pair_times(u.y, a));
    if (r.hi < 1e-300 || s.hi < 1e-300) return blni_pair_make((double)INFINITY, 0.0);
    return blni_pair_add(blni_pair_times(blni_phi(r, blni_pair_div(*gap, A)), a),
                         blni_pair_times(blni_phi(s, blni_pair_negate(blni_pair_div(*gap, B))), b));
}

/* x^a y^b/(a B(a, b)) = result 2^*k. */
BLNI_PRIV double blni_beta_front(double a, double b, blni_unit u, int *k)
{
    blni_pair gap;
    if (a < 8.0 || b < 8.0) {
        const blni_pair e = blni_pair_add(blni_pair_times(u.log_x, a), blni_pair_times(u.log_y, b));
        return blni_front_exp(blni_pair_add(e, blni_log_inv_beta(a, b)), k);
    }
    const blni_pair e = blni_beta_distance(a, b, u, &gap);
    *k = 0;
    if (e.hi == (double)INFINITY) return 0.0;
    const double series = blni_stirling(a) + blni_stirling(b) - blni_stirling(a + b);
    return blni_front_exp(blni_pair_negate(blni_pair_plus(e, series)), k)*blni_inv_sqrt_2pi[0]*(sqrt(b/a)/sqrt(a + b));
}

/* For a, b >= 3 10^9, where the fraction has sqrt(min(a, b)) steps: with the distance e = z^2/2, z of the sign of x - x0,
 * P = erfc(-z/sqrt 2)/2 + N(z) (1/z - sqrt(ab/(a + b))/gap) and Q likewise; what is left out is of the order of
 * z min(a, b)^(-3/2) of the tail. (b - a)/(3 sqrt(ab (a + b))) is the limit at z = 0.                      [DLMF 8.18.9] */
BLNI_PRIV blni_tails blni_beta_normal(double a, double b, blni_unit u)
{
    blni_pair gap;
    int k;
    const blni_pair e = blni_beta_distance(a, b, u, &gap), s = blni_pair_sqrt(e);
    const int right = gap.hi > 0.0;
    if (e.hi > 800.0) return blni_tails_make(right ? 1.0 : 0.0, right ? 0.0 : 1.0);
    const double unit = sqrt(a/(a + b))*sqrt(b), skew = (b - a)/(a + b)/(3.0*unit);
    const blni_pair f = blni_pair_exp(blni_pair_negate(e), &k), share = blni_pair_div(blni_pair_make(a, 0.0), blni_pair_sum(a, b));
    double odd = skew;
    if (s.hi > 1e-6) {
        const blni_pair z = blni_pair_times(blni_pair_mul(s, blni_pair_const(blni_sqrt1_2)), right ? 2.0 : -2.0);
        const blni_pair width = blni_pair_mul(blni_pair_sqrt(share), blni_pair_sqrt(blni_pair_make(b, 0.0)));
        odd = blni_pair_sub(blni_pair_div(blni_pair_make(1.0, 0.0), z), blni_pair_div(width, gap)).hi;
    }
    odd *= right ? -blni_inv_sqrt_2pi[0] : blni_inv_sqrt_2pi[0];
    const double tail = s.hi < 0.5 ? 0.5*(1.0 - blni_erf_centre(s).hi) + ldexp(f.hi, k)*odd
                                   : ldexp(f.hi*(0.5*blni_erfcx_right(s).hi + odd), k);
    return right ? blni_tails_make(1.0 - tail, tail) : blni_tails_make(tail, 1.0 - tail);
}

/* The continued fraction that goes with this front factor, for x < (a + 1)/(a + b + 2): the even part of DLMF 8.17.22, which uses
 * lambda = a - (a + b) x = (a + b) y - b and so does not lose a small y = 1 - x,
 *     a/(beta_0 + alpha_1/(beta_1 + ...)),  alpha_n = (a + n - 1)(a + b + n - 1) n (b - n) x^2/(a + 2n - 1)^2,
 *     beta_n = n + n (b - n) x/(a + 2n - 1) + (a + n)(lambda + 1 + n (1 + y))/(a + 2n + 1).    [DiDonato & Morris 1992, (9)] */
typedef struct blni_beta_terms { double a, b, x, y, lambda; } blni_beta_terms;

BLNI_PRIV double blni_beta_beta(const blni_beta_terms *t, double n)
{
    const double first = n > 0.0 ? n + n*(t->b - n)*t->x/(t->a + (2.0*n - 1.0)) : 0.0;
    return first + (t->a + n)/(t->a + (2.0*n + 1.0))*(t->lambda + 1.0 + n*(1.0 + t->y));
}

BLNI_PRIV double blni_beta_alpha(const blni_beta_terms *t, double n)
{
    const double odd = t->a + (2.0*n - 1.0);
    return n*(t->b - n)*t->x/odd*((t->a + (n - 1.0))/odd)*(t->a + t->b + (n - 1.0))*t->x;
}

/* Where n < b all parts are positive, but the convergents alternate: their sum cancels, the more the closer beta_0 is to 0, and at
 * a = 2, b = 10^6 six digits would be lost. So the sum of the tail's only tells where to stop; then the fraction is evaluated
 * from its end, where an error made early is divided at each step: 1.3e-15 at worst. */
BLNI_PRIV double blni_beta_fraction(double a, double b, blni_unit u)
{
    const double lambda = u.x.hi <= 0.5 ? blni_pair_plus(blni_pair_negate(blni_pair_mul(blni_pair_sum(a, b), u.x)), a).hi
                                        : blni_pair_plus(blni_pair_mul(blni_pair_sum(a, b), u.y), -b).hi;
    const blni_beta_terms t = { a, b, u.x.hi, u.y.hi, lambda };
    double n = 1.0, d, step, sum, f;
    sum = step = d = 1.0/blni_beta_beta(&t, 1.0);
    while (fabs(step) > 0.25*DBL_EPSILON*fabs(sum)) {
        const double before = d;
        n += 1.0;
        const double alpha = blni_beta_alpha(&t, n);
        d = 1.0/(blni_beta_beta(&t, n) + alpha*d);
        step *= -alpha*d*before;
        sum += step;
    }
    for (f = blni_beta_beta(&t, n); n >= 1.0; n -= 1.0) f = blni_beta_beta(&t, n - 1.0) + blni_beta_alpha(&t, n)/f;
    return a/f;
}

/* 1 - I_x(a, b) where a is so small that I is close to 1 at (a + b) x < 1/2; with e = log(x^a/(a B)),
 * (1 - e^e) - e^e a sum_{n >= 1} (1 - b)_n x^n/(n! (a + n)), whose sum has no large terms: x <= (a + 1)/(a + b + 2) makes it less
 * than 2/3.                                                                                                      [DLMF 8.17.7] */
BLNI_PRIV double blni_beta_small(double a, double b, blni_unit u)
{
    const double e = blni_pair_add(blni_pair_times(u.log_x, a), blni_log_inv_beta(a, b)).hi;
    double sum = 0.0, term = 1.0, part = 1.0;
    for (double n = 1.0; fabs(part) > 0.25*DBL_EPSILON*fabs(sum); n += 1.0) {
        term *= (n - b)*u.x.hi/n;
        part = term/(a + n);
        sum += part;
    }
    return -expm1(e) - exp(e)*a*sum;
}

/* I_x(a, b) by front and fraction. */
BLNI_PRIV double blni_beta_part(double a, double b, blni_unit u)
{
    int k;
    const double front = blni_beta_front(a, b, u, &k);
    return front == 0.0 ? 0.0 : ldexp(front*blni_beta_fraction(a, b, u), k);
}

/* I_x(a, b) and its complement, x <= (a + 1)/(a + b + 2). Where the complement is the smaller by far, it has the fraction of its
 * own side, whose parts are positive beyond the median, or its series, where that fraction would be slow. */
BLNI_PRIV blni_tails blni_beta_left(double a, double b, blni_unit u)
{
    const double p = blni_beta_part(a, b, u);
    if (p <= 0.75) return blni_tails_make(p, 1.0 - p);
    const double q = u.x.hi*(a + b) < 0.5 ? blni_beta_small(a, b, u) : blni_beta_part(b, a, blni_unit_swap(u));
    return blni_tails_make(1.0 - q, q);
}

/* I_x(a, b) and its complement; 0 < x, y. */
BLNI_PRIV blni_tails blni_beta_tails(double a, double b, blni_unit u)
{
    if (a >= 3e9 && b >= 3e9) return blni_beta_normal(a, b, u);
    if (u.x.hi*(b + 1.0) <= u.y.hi*(a + 1.0)) return blni_beta_left(a, b, u);
    const blni_tails t = blni_beta_left(b, a, blni_unit_swap(u));
    return blni_tails_make(t.q, t.p);
}

BLNI_PRIV blni_tails blni_beta_checked(double a, double b, double x)
{
    if (!(blni_parameter(a) && blni_parameter(b) && x >= 0.0 && x <= 1.0)) return blni_tails_make(BLNI_NAN, BLNI_NAN);
    if (x == 0.0 || x == 1.0) return blni_tails_make(x, 1.0 - x);
    return blni_beta_tails(a, b, blni_unit_make(blni_pair_make(x, 0.0), blni_pair_sum(1.0, -x)));
}

BLN_API double bln_beta_p(double a, double b, double x) { return blni_beta_checked(a, b, x).p; }
BLN_API double bln_beta_q(double a, double b, double x) { return blni_beta_checked(a, b, x).q; }

/* x = e^w/(1 + e^w) and y = 1/(1 + e^w) with their logarithms, which stay good where the smaller of x and y has become 0. */
BLNI_PRIV blni_unit blni_unit_of_logit(blni_pair w)
{
    int k;
    blni_unit u;
    const int right = w.hi > 0.0;
    const blni_pair down = right ? blni_pair_negate(w) : w, m = blni_pair_exp(down, &k), odds = blni_pair_scale(m, ldexp(1.0, k));
    const blni_pair sum = blni_pair_plus(odds, 1.0);
    u.x = blni_pair_div(odds, sum);
    u.y = blni_pair_div(blni_pair_make(1.0, 0.0), sum);
    u.log_y = blni_pair_negate(blni_pair_log1p(odds));
    u.log_x = blni_pair_add(down, u.log_y);
    return right ? blni_unit_swap(u) : u;
}

/* w = log(x/y). */
BLNI_PRIV double blni_beta_gap(const blni_tail_problem *problem, blni_pair w, double *step)
{
    int k;
    const blni_unit u = blni_unit_of_logit(w);
    const blni_tails t = blni_beta_tails(problem->a, problem->b, u);
    const double gap = log(t.p/problem->target), front = blni_beta_front(problem->a, problem->b, u, &k);
    *step = gap*(t.p/ldexp(problem->a*front, k));
    return gap;
}

/* log(x/y) with I_x(a, b) = p = 1 - q; p, q > 0. I_x <= (x/y)^a/(a B), so that log(x/y) >= log(p a B)/a, which it becomes in the
 * far left. Else a start from the mean and variance of log(x/y). */
BLNI_PRIV blni_pair blni_beta_logit(double a, double b, double p, double q)
{
    if (p > q) return blni_pair_negate(blni_beta_logit(b, a, q, p));
    const blni_pair log_p = blni_pair_log(blni_pair_make(p, 0.0));
    const blni_pair least = blni_pair_div(blni_pair_sub(log_p, blni_log_inv_beta(a, b)), blni_pair_make(a, 0.0));
    if (least.hi < -40.0 - log(a + b)) return least;
    const double sd = sqrt(bln_trigamma(a) + bln_trigamma(b)), centre = bln_digamma(a) - bln_digamma(b);
    const double start = centre + bln_norm_quantile(p)*sd;
    const blni_tail_problem problem = { a, b, p, 0 };
    return blni_solve_tail(blni_beta_gap, &problem, start > least.hi ? blni_pair_make(start, 0.0) : least, least.hi, centre);
}

BLNI_PRIV double blni_beta_inverse(double a, double b, double p, double q)
{
    int k;
    if (!(blni_parameter(a) && blni_parameter(b) && p >= 0.0 && q >= 0.0)) return BLNI_NAN;
    if (p == 0.0 || q == 0.0) return p == 0.0 ? 0.0 : 1.0;
    const blni_pair w = blni_beta_logit(a, b, p, q);
    if (w.hi > 40.0) return 1.0;
    if (w.hi < -800.0) return 0.0;
    if (w.hi > -40.0) return blni_unit_of_logit(w).x.hi;
    const blni_pair m = blni_pair_exp(w, &k);
    return blni_pair_round(m, k);
}

BLN_API double bln_beta_p_inv(double a, double b, double p) { return blni_beta_inverse(a, b, p, 1.0 - p); }
BLN_API double bln_beta_q_inv(double a, double b, double q) { return blni_beta_inverse(a, b, 1.0 - q, q); }

/* ---- Student ---- */

/* log(1 + t^2/dof), and t^2/dof = *r where |t| < 1e70 sqrt(dof). */
BLNI_PRIV blni_pair blni_student_log(double dof, double t, blni_pair *r)
{
    const blni_pair nu = blni_pair_make(dof, 0.0);
    *r = blni_pair_make((double)INFINITY, 0.0);
    if (fabs(t)/sqrt(dof) >= 1e70)
        return blni_pair_sub(blni_pair_scale(blni_pair_log(blni_pair_make(fabs(t), 0.0)), 2.0), blni_pair_log(nu));
    const blni_pair s = blni_pair_div(blni_pair_make(t, 0.0), blni_pair_sqrt(nu));
    *r = blni_pair_mul(s, s);
    return blni_pair_log1p(*r);
}

/* log of Gamma((dof + 1)/2)/(Gamma(dof/2) sqrt(pi dof)) (1 + t^2/dof)^(-(dof + 1)/2). */
BLNI_PRIV blni_pair blni_student_logpdf(double dof, double t)
{
    blni_pair r;
    const blni_pair tail = blni_pair_mul(blni_student_log(dof, t, &r), blni_pair_scale(blni_pair_sum(dof, 1.0), 0.5));
    const blni_pair pi = blni_pair_make(BLNI_PI, 1.2246467991473532e-16);
    const blni_pair scale = blni_pair_scale(blni_pair_log(blni_pair_times(pi, dof)), 0.5);
    return blni_pair_sub(blni_pair_sub(blni_log_rising(blni_pair_make(0.5*dof, 0.0), 0.5), scale), tail);
}

/* Where t^4/dof is nothing beside 1, wherever the tail is a number. */
#define BLNI_STUDENT_NORMAL 1e22

BLN_API double bln_student_logpdf(double dof, double t)
{
    blni_pair r;
    if (!(dof >= blni_parameter_ends[0]) || t != t) return BLNI_NAN;
    if (dof > BLNI_STUDENT_NORMAL && fabs(t) < 1e-9*sqrt(dof)) return bln_norm_logpdf(t);
    if (!blni_finite(t)) return -(double)INFINITY;
    if (dof <= BLNI_STUDENT_NORMAL) return blni_student_logpdf(dof, t).hi;
    /* All but the power is that of the normal density, and dof + 1 is dof. */
    const blni_pair power = blni_student_log(dof, t, &r);
    if (!blni_finite(0.5*dof*power.hi)) return -(double)INFINITY;
    return -blni_pair_add(blni_pair_times(power, 0.5*dof), blni_pair_const(blni_half_log_2pi)).hi;
}

BLN_API double bln_student_pdf(double dof, double t)
{
    int k;
    if (!(dof >= blni_parameter_ends[0]) || t != t) return BLNI_NAN;
    if (dof > BLNI_STUDENT_NORMAL) return bln_norm_pdf(t);
    if (!blni_finite(t)) return 0.0;
    const double m = blni_front_exp(blni_student_logpdf(dof, t), &k);
    return ldexp(m, k);
}

/* P(T <= t) = I_x(dof/2, 1/2)/2 for t < 0, x = dof/(dof + t^2): both tails of the beta distribution are used. */
BLN_API double bln_student_cdf(double dof, double t)
{
    blni_pair r;
    blni_unit u;
    int k;
    if (!(dof >= blni_parameter_ends[0]) || t != t) return BLNI_NAN;
    if (dof > BLNI_STUDENT_NORMAL) return bln_norm_cdf(t);
    if (!blni_finite(t)) return t < 0.0 ? 0.0 : 1.0;
    const blni_pair L = blni_student_log(dof, t, &r);
    if (r.hi < 1e-290) return 0.5;
    if (r.hi > 1e100) {                                           /* the power alone; 1/x would overflow */
        const double m = blni_front_exp(blni_pair_sub(blni_log_inv_beta(0.5*dof, 0.5), blni_pair_times(L, 0.5*dof)), &k);
        const double tail = 0.5*ldexp(m, k);
        return t < 0.0 ? tail : 1.0 - tail;
    }
    const blni_pair sum = blni_pair_plus(r, 1.0);
    u = blni_unit_make(blni_pair_div(blni_pair_make(1.0, 0.0), sum), blni_pair_div(r, sum));
    const blni_tails tails = blni_beta_tails(0.5*dof, 0.5, u);
    return t < 0.0 ? 0.5*tails.p : 0.5 + 0.5*tails.q;
}

/* t = sqrt(dof y/x), with log(x/y) from the inverse beta function: so t may be large where x would underflow. */
BLN_API double bln_student_quantile(double dof, double p)
{
    int k;
    if (!(dof >= blni_parameter_ends[0] && p >= 0.0 && p <= 1.0)) return BLNI_NAN;
    if (dof > BLNI_STUDENT_NORMAL) return bln_norm_quantile(p);
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -(double)INFINITY : (double)INFINITY;
    if (p == 0.5) return 0.0;
    const double two = p < 0.5 ? 2.0*p : 2.0 - 2.0*p;             /* both tails together; exact */
    const blni_pair w = blni_beta_logit(0.5*dof, 0.5, two, 1.0 - two);
    const blni_pair e = blni_pair_scale(blni_pair_sub(blni_pair_log(blni_pair_make(dof, 0.0)), w), 0.5);
    if (e.hi > 800.0) return p < 0.5 ? -(double)INFINITY : (double)INFINITY;
    const blni_pair m = blni_pair_exp(e, &k);
    const double t = blni_pair_round(m, k);
    return p < 0.5 ? -t : t;
}

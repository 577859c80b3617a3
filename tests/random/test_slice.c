/* slice: a start at a draw of the density gives a draw of the density, whatever the width, and the two are not the same; and what
 * is left after the last call. */
#include "../test.h"

typedef struct slice_line { int kind; double last, value; } slice_line;

/* A normal; the logarithm of a gamma variable of shape 0.7; a uniform on (-1, 1). */
static double slice_density(void *user, double x)
{
    slice_line *l = (slice_line *)user;
    l->last = x;
    l->value = l->kind == 0 ? -0.5*x*x : l->kind == 1 ? 0.7*x - exp(x) : x > -1.0 && x < 1.0 ? 0.0 : x > 3.0 ? BLNI_NAN : -HUGE_VAL;
    return l->value;
}

static double slice_exact(int kind, bln_rng *rng)
{
    return kind == 0 ? bln_rng_normal(rng) : kind == 1 ? bln_rng_log_gamma(rng, 0.7) : 2.0*bln_rng_uniform(rng) - 1.0;
}

TEST(random_slice, stays)
{
    enum { N = 20000 };
    static const double width[3] = { 0.3, 2.0, 30.0 };
    bln_rng rng;
    bln_rng_seed(&rng, 41, 0);
    for (int kind = 0; kind < 3; kind++)
        for (int w = 0; w < 3; w++) {
            double sum = 0.0, square = 0.0, shift = 0.0, same = 0.0, before = 0.0;
            for (size_t i = 0; i < N; i++) {
                slice_line l;
                l.kind = kind;
                const double x = slice_exact(kind, &rng);
                double value = slice_density(&l, x);
                const double y = blni_slice(&rng, x, &value, width[w], i % 2 ? BLNI_SLICE_OUT : 1, slice_density, &l);
                CHECK(y == l.last && value == l.value && value > -HUGE_VAL);
                const double now = tanh(y) - tanh(x), more = tanh(y)*tanh(y) - tanh(x)*tanh(x);      /* mean 0, within 2 */
                sum += now;
                square += now*now;
                shift += more;
                before += more*more;
                same += y == x;
            }
            CHECK_LE(fabs(sum), 5.0*sqrt(square));
            CHECK_LE(fabs(shift), 5.0*sqrt(before));
            CHECK(square > 0.01*N && same == 0.0);
        }
}

/* A density with nothing beside its point: the move ends there, and says what it is. */
static double slice_point(void *user, double x)
{
    ((slice_line *)user)->last = x;
    return x == 1.0 ? 3.0 : -HUGE_VAL;
}

/* The level is below the value by an exponential number, which rounding takes away here: not even x itself is above it. */
static double slice_high_point(void *user, double x)
{
    ((slice_line *)user)->last = x;
    return x == 1.0 ? 1e20 : -HUGE_VAL;
}

TEST(random_slice, a_point)
{
    bln_rng rng;
    slice_line l;
    double value = 3.0;
    bln_rng_seed(&rng, 42, 0);
    CHECK(blni_slice(&rng, 1.0, &value, 2.0, BLNI_SLICE_OUT, slice_point, &l) == 1.0 && value == 3.0 && l.last == 1.0);
    value = 1e20;
    CHECK(blni_slice(&rng, 1.0, &value, 2.0, BLNI_SLICE_OUT, slice_high_point, &l) == 1.0 && value == 1e20 && l.last == 1.0);
}

SUITE_BEGIN(random_slice)
SUITE_TEST(random_slice, stays)
SUITE_TEST(random_slice, a_point)
SUITE_END(random_slice)

/* hyper_prior: densities against those that they are named after, slopes against differences, and which parameter has which */
#include "../test.h"

static const double hyper_x[] = { 1e-6, 0.013, 0.4, 0.93, 1.0, 2.385, 17.0, 4e5 };

/* Log density at x[i] less that at x[0]. */
static double hyper_over_first(const blni_hyper_prior *p, double x, double first)
{
    double slope;
    return blni_hyper_logp(p, x, &slope) - blni_hyper_logp(p, first, &slope);
}

/* Of sd^power, by Student's t at sd/scale, and times sd unless each weight has its own; rounding is that of logarithms up to 50. */
TEST(hyper_prior, half_t)
{
    bln_param p = BLN_ZERO;
    for (int power = 1; power <= 2; power++) {
        p.kind = BLN_PARAM_LOG;
        p.y_power = power;
        const blni_hyper_prior of_y = blni_hyper_of_param(&p, 3.0);
        const blni_hyper_prior of_slice = blni_hyper_of_prior_var(3.0, 0), of_weight = blni_hyper_of_prior_var(3.0, 1);
        CHECK(of_y.form == BLNI_HYPER_HALF_T);
        for (size_t i = 0; i < sizeof hyper_x/sizeof *hyper_x; i++) {
            const double sd = pow(hyper_x[i], 1.0/power), first = pow(hyper_x[0], 1.0/power);
            const double want = bln_student_logpdf(3.0, sd/7.5) - bln_student_logpdf(3.0, first/7.5);
            const double of_log = want + log(sd/first);
            CHECK_NEAR(hyper_over_first(&of_y, hyper_x[i], hyper_x[0]), of_log, 1e-13);
            if (power == 2) CHECK_NEAR(hyper_over_first(&of_slice, hyper_x[i], hyper_x[0]), of_log, 1e-13);
            if (power == 2) CHECK_NEAR(hyper_over_first(&of_weight, hyper_x[i], hyper_x[0]), want, 1e-13);
        }
    }
}

TEST(hyper_prior, normals)
{
    bln_param p = BLN_ZERO;
    double slope;
    p.kind = BLN_PARAM_LOG;
    p.start = 4.0;
    const blni_hyper_prior size = blni_hyper_of_param(&p, 3.0);
    for (size_t i = 0; i < sizeof hyper_x/sizeof *hyper_x; i++)
        CHECK_REL(blni_hyper_logp(&size, hyper_x[i], &slope),
                  bln_norm_logpdf(log(hyper_x[i]/4.0)/1.5) - bln_norm_logpdf(0.0), 1e-13);
    p.kind = BLN_PARAM_INTERVAL;
    p.hi = 1.0;
    const blni_hyper_prior zeros = blni_hyper_of_param(&p, 3.0);
    for (size_t i = 0; i < 4; i++)
        CHECK_REL(blni_hyper_logp(&zeros, hyper_x[i], &slope),
                  bln_norm_logpdf((bln_logit(hyper_x[i]) + 2.0)/1.5) - bln_norm_logpdf(0.0), 1e-12);
    p.kind = BLN_PARAM_REAL;
    const blni_hyper_prior none = blni_hyper_of_param(&p, 3.0);
    CHECK(blni_hyper_logp(&none, 2.385, &slope) == 0.0 && slope == 0.0);
    p.kind = BLN_PARAM_INTERVAL;
    p.hi = 2.0;                                                       /* no probability */
    CHECK(blni_hyper_of_param(&p, 3.0).form == BLNI_HYPER_FLAT);
    p.hi = 1.0;
    p.lo = -1.0;
    CHECK(blni_hyper_of_param(&p, 3.0).form == BLNI_HYPER_FLAT);
    p.kind = BLN_PARAM_POSITIVE;
    CHECK(blni_hyper_of_param(&p, 3.0).form == BLNI_HYPER_LOG_NORMAL && blni_hyper_of_param(&p, 3.0).at == 4.0);
    CHECK(blni_hyper_density(&none, 2.385, &slope) == 0.0 && slope == 0.0);
}

/* Of an sd, of a variance, of what has no units, of a probability, of the variance of each weight. */
enum { HYPER_PROBABILITY = 3, HYPER_FORMS = 5 };
static blni_hyper_prior hyper_of_form(int form)
{
    bln_param p = BLN_ZERO;
    p.kind = form == HYPER_PROBABILITY ? BLN_PARAM_INTERVAL : BLN_PARAM_LOG;
    p.hi = 1.0;
    p.start = 0.2;
    p.y_power = form < 2 ? form + 1 : 0;
    return form > HYPER_PROBABILITY ? blni_hyper_of_prior_var(0.4, 1) : blni_hyper_of_param(&p, 0.4);
}

/* Central differences over 1e-5 of x: truncation 1e-10 of the third derivative, which is of the order of the slope over x^2, and
 * rounding 1e-16 of values up to 50 over 1e-5. */
TEST(hyper_prior, slopes)
{
    for (int form = 0; form < HYPER_FORMS; form++) {
        const blni_hyper_prior prior = hyper_of_form(form);
        for (size_t i = 1; i < (form == HYPER_PROBABILITY ? 4 : sizeof hyper_x/sizeof *hyper_x); i++) {
            const double x = hyper_x[i], h = 1e-5*x*(form == HYPER_PROBABILITY ? 1.0 - x : 1.0);
            double slope, unused;
            (void)blni_hyper_logp(&prior, x, &slope);
            const double got = (blni_hyper_logp(&prior, x + h, &unused) - blni_hyper_logp(&prior, x - h, &unused))/(2.0*h);
            CHECK_NEAR(got*x, slope*x, 2e-8);
            (void)blni_hyper_density(&prior, x, &slope);
            const double rise = (blni_hyper_density(&prior, x + h, &unused) - blni_hyper_density(&prior, x - h, &unused))/(2.0*h);
            CHECK_NEAR(rise*x, slope*x, 2e-8);
        }
    }
}

/* Each density of x is one: trapezoids in u, x = e^u, or the logistic curve, of spacing 1/8 over all but 1e-9 of the whole. */
TEST(hyper_prior, densities)
{
    for (int form = 0; form < HYPER_FORMS; form++) {
        const blni_hyper_prior prior = hyper_of_form(form);
        double sum = 0.0, slope;
        for (double u = -50.0; u < 30.0; u += 0.125) {
            const double x = form == HYPER_PROBABILITY ? 1.0/(1.0 + exp(-u)) : exp(u);
            const double dx = form == HYPER_PROBABILITY ? x*(1.0 - x) : x;
            if (x < 1.0 || form != HYPER_PROBABILITY) sum += exp(blni_hyper_density(&prior, x, &slope))*dx*0.125;
        }
        CHECK_NEAR(sum, 1.0, 1e-8);
    }
}

SUITE_BEGIN(hyper_prior)
SUITE_TEST(hyper_prior, half_t)
SUITE_TEST(hyper_prior, normals)
SUITE_TEST(hyper_prior, slopes)
SUITE_TEST(hyper_prior, densities)
SUITE_END(hyper_prior)

/* logistic_softmax: its definition, derivatives by differences, the information as the mean of d1 d1' over y, expectations by
 * products of rules, draws, far-out values, names */
#include "latents_tools.h"
#include "likelihood_tools.h"

enum { CLASSES_Q = 32, CLASSES_FORMS = 3 };

static const double classes_f[][3] = { { 0.1, -0.4, 0.8 }, { -2.0, 1.5, 0.3 }, { -3.0, -4.0, -3.5 }, { 2.0, 3.0, 1.0 } };
enum { CLASSES_POINTS = sizeof classes_f/sizeof *classes_f };
static const double classes_scale[2] = { 0.7, 1.6 };

static bln_likelihood classes_of(size_t form) { return bln_likelihood_logistic_softmax(3, (bln_softmax)form); }

static double classes_sigma(double f) { return 1.0/(1.0 + exp(-f)); }

TEST(logistic_softmax, probabilities)
{
    for (size_t c = 0; c < CLASSES_FORMS*CLASSES_POINTS; c++) {
        const bln_likelihood l = classes_of(c % 3);
        const double *f = classes_f[c/3], s0 = classes_sigma(f[0]), s1 = classes_sigma(f[1]), s2 = classes_sigma(f[2]);
        double p[3], mean[3], var[3], sum, logp;
        p[0] = c % 3 == 1 ? 0.5 : c % 3 ? 0.7*s0 : s0;
        p[1] = c % 3 == 1 ? s0 : c % 3 ? 1.6*s1 : s1;
        p[2] = c % 3 == 1 ? s1 : s2;
        sum = p[0] + p[1] + p[2];
        for (size_t y = 0; y < 3; y++) {
            latents_row row;
            latents_row_set(&row, (double)y, 1.0);
            bln_latents_logp(&l, classes_scale, 1, &row.t, f, 1, &logp);
            CHECK_NEAR(logp, log(p[y]/sum), 1e-14);
            l.ops->latents->moments(&l, classes_scale, 1, &row.t, f, 1, mean, var);
            CHECK_REL(mean[y], p[y]/sum, 1e-14);
            CHECK_REL(var[y], p[y]/sum*(1.0 - p[y]/sum), 1e-13);
        }
    }
}

TEST(logistic_softmax, derivatives)
{
    const double C[6] = { 1.3, -0.4, 0.2, 0.9, 0.3, 1.1 };
    static const double ys[3] = { 0.0, 1.0, 2.0 };
    for (size_t form = 0; form < CLASSES_FORMS; form++) {
        const bln_likelihood l = classes_of(form);
        const size_t J = l.n_latent, pairs = J*(J + 1)/2;
        CHECK(bln_likelihood_check(&l) == NULL);
        CHECK(J == (form == 1 ? 2 : 3) && bln_likelihood_classes(&l) == 3 && l.n_theta == (form == 2 ? 2 : 0));
        for (size_t i = 0; i < CLASSES_POINTS; i++) {
            double sum[6] = { 0.0 }, W[6], out[LATENTS_NUMBERS];
            latents_row row;
            for (size_t y = 0; y < 3; y++) {
                latents_row_set(&row, ys[y], 1.0);
                latents_check_slopes(&l, classes_scale, &row.t, classes_f[i], C);
                for (size_t k = 0; k < l.n_theta; k++) latents_check_param(&l, classes_scale, k, &row.t, classes_f[i]);
                latents_point(&l, classes_scale, &row.t, classes_f[i], out);
                for (size_t j = 0; j < J; j++)
                    for (size_t k = j; k < J; k++) sum[blni_latent_pair(J, j, k)] += exp(out[0])*out[1 + j]*out[1 + k];
            }
            l.ops->latents->information(&l, classes_scale, 1, &row.t, classes_f[i], 1, W);
            for (size_t k = 0; k < pairs; k++) CHECK_NEAR(W[k], sum[k], 1e-14);
        }
        latents_check_rows(&l, classes_scale, ys, 3);
    }
}

/* Rules of 32 nodes in each latent have these to 1e-8 for v up to 1. */
TEST(logistic_softmax, expectation)
{
    static const double vs[][3] = { { 0.0, 0.0, 0.0 }, { 0.3, 0.0, 0.6 }, { 1.0, 0.7, 0.2 }, { 1.0, 1.0, 1.0 } };
    double z[CLASSES_Q], w[CLASSES_Q];
    CHECK_OK(blni_gauss_hermite(CLASSES_Q, z, w));
    for (size_t c = 0; c < CLASSES_FORMS*CLASSES_POINTS*4; c += TEST_MANY(1, 7)) {
        const bln_likelihood l = classes_of(c % 3);
        const size_t J = l.n_latent;
        const double *m = classes_f[c/3 % CLASSES_POINTS], *v = vs[c/3/CLASSES_POINTS];
        double want[9] = { 0.0 }, got[9] = { 0.0 }, out[LATENTS_NUMBERS], dlogp, value;
        latents_row row;
        latents_row_set(&row, (double)(c % 3), 1.0);
        for (size_t a = 0; a < CLASSES_Q*CLASSES_Q*(J > 2 ? CLASSES_Q : 1); a++) {
            const size_t q[3] = { a % CLASSES_Q, a/CLASSES_Q % CLASSES_Q, a/CLASSES_Q/CLASSES_Q };
            double f[3], share = 1.0;
            for (size_t j = 0; j < J; j++) {
                f[j] = m[j] + sqrt(v[j])*z[q[j]];
                share *= w[q[j]];
            }
            latents_point(&l, classes_scale, &row.t, f, out);
            want[0] += share*out[0];
            for (size_t j = 0; j < J; j++) {
                want[1 + j] += share*out[1 + j];
                want[1 + J + j] += 0.5*share*out[1 + J + blni_latent_pair(J, j, j)];
            }
            for (size_t k = 0; k < l.n_theta; k++) {
                l.ops->latents->eval_param(&l, classes_scale, k, 1, &row.t, f, 1, &dlogp, NULL, NULL);
                want[1 + 2*J + k] += share*dlogp;
            }
        }
        blni_latents_expect(&l, classes_scale, 1, &row.t, m, v, 1, 0.0, got, got + 1, got + 1 + J, got + 1 + 2*J, 1);
        for (size_t k = 0; k < 1 + 2*J + l.n_theta; k++) CHECK_NEAR(got[k], want[k], 2e-8);
        blni_latents_expect(&l, classes_scale, 1, &row.t, m, v, 1, 0.0, &value, NULL, NULL, NULL, 0);
        CHECK(value == got[0]);
    }
}

TEST(logistic_softmax, far_out)
{
    static const double corner[3] = { -800.0, 0.0, 800.0 }, C[6] = { 1.0, 0.5, 0.1, 2.0, 0.3, 1.0 }, v[3] = { 400.0, 0.0, 400.0 };
    for (size_t c = 0; c < 3*27; c++) {
        const bln_likelihood l = classes_of(c % 3);
        const double f[3] = { corner[c/3 % 3], corner[c/9 % 3], corner[c/27] };
        double out[LATENTS_NUMBERS], curve[3], par[10], e[9], p[3], sum = 0.0;
        latents_row row;
        latents_row_set(&row, (double)(c % 3), 1.0);
        latents_point(&l, classes_scale, &row.t, f, out);
        l.ops->latents->curve(&l, classes_scale, 1, &row.t, f, 1, C, curve);
        l.ops->latents->moments(&l, classes_scale, 1, &row.t, f, 1, p, NULL);
        for (size_t k = 0; k < 1 + l.n_latent + 2*(l.n_latent*(l.n_latent + 1)/2); k++) CHECK(out[k] == out[k]);
        for (size_t j = 0; j < l.n_latent; j++) CHECK(curve[j] == curve[j]);
        for (size_t k = 0; k < 3; k++) sum += p[k];
        CHECK_NEAR(sum, 1.0, 1e-14);
        if (l.n_theta) l.ops->latents->eval_param(&l, classes_scale, 1, 1, &row.t, f, 1, par, par + 1, par + 4);
        for (size_t k = 0; k < 10 && l.n_theta; k++) CHECK(par[k] == par[k]);
        blni_latents_expect(&l, classes_scale, 1, &row.t, f, v, 1, 0.0, e, e + 1, e + 1 + l.n_latent, e + 1 + 2*l.n_latent, 1);
        for (size_t k = 0; k < 1 + 2*l.n_latent + l.n_theta; k++) CHECK(e[k] == e[k]);
    }
}

TEST(logistic_softmax, draws_and_names)
{
    enum { DRAWS = 20000 };
    bln_likelihood none = bln_likelihood_logistic_softmax(1, BLN_SOFTMAX_OVER);
    CHECK(bln_likelihood_check(&none) != NULL);
    none = bln_likelihood_logistic_softmax(BLN_LATENTS + 1, BLN_SOFTMAX_OVER);
    CHECK(bln_likelihood_check(&none) != NULL);
    const bln_likelihood many = bln_likelihood_logistic_softmax(10, BLN_SOFTMAX_SCALED);
    CHECK(!strcmp(bln_likelihood_param_name(&many, 7), "scale 7"));
    CHECK(!strcmp(bln_likelihood_param_name(&many, 8), "scale of a class"));
    none = bln_likelihood_logistic_softmax(3, (bln_softmax)3);
    CHECK(bln_likelihood_check(&none) != NULL);
    for (size_t form = 0; form < CLASSES_FORMS; form++) {
        const bln_likelihood l = classes_of(form);
        double p[3], count[3] = { 0.0 }, y, f[3];
        latents_row row;
        bln_rng rng;
        bln_rng_seed(&rng, 9, form);
        latents_row_set(&row, 1.0, 1.0);
        l.ops->latents->moments(&l, classes_scale, 1, &row.t, classes_f[1], 1, p, NULL);
        for (size_t d = 0; d < DRAWS; d++) {
            l.ops->latents->draw(&l, classes_scale, 1, &row.t, classes_f[1], 1, &rng, &y);
            count[(size_t)y] += 1.0;
        }
        for (size_t k = 0; k < 3; k++) CHECK_LE(fabs(count[k] - DRAWS*p[k]), 5.0*sqrt(DRAWS*p[k]*(1.0 - p[k])));
        l.ops->latents->start(&l, classes_scale, 1, &row.t, f, 1);
        CHECK(f[form == 1 ? 0 : 1] > 1.0 && f[form == 1 ? 1 : 0] < -1.0);
        for (size_t k = 0; k < l.n_theta; k++) CHECK(strstr(bln_likelihood_param_name(&l, k), "scale"));
        CHECK(bln_likelihood_check_data(&l, NULL, NULL) != BLN_OK);
    }
}

SUITE_BEGIN(logistic_softmax)
SUITE_TEST(logistic_softmax, probabilities)
SUITE_TEST(logistic_softmax, derivatives)
SUITE_TEST(logistic_softmax, expectation)
SUITE_TEST(logistic_softmax, far_out)
SUITE_TEST(logistic_softmax, draws_and_names)
SUITE_END(logistic_softmax)

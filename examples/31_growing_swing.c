/* 31_growing_swing.c - does the yearly swing of carbon dioxide grow? a product of functions, one of them from a basis
 *
 *     cc -O2 -I. examples/31_growing_swing.c -o 31_growing_swing -lm && ./31_growing_swing      (at the top of the project)
 *
 * Mauna Loa, 468 months from 1959 on. The level rises along a smooth curve, and within each year it goes up and down:
 *
 *     y = 340 + phi(t)'w + e^(g t) (c_1 cos 2 pi t + c_2 sin 2 pi t + c_3 cos 4 pi t + c_4 sin 4 pi t) + noise
 *
 * The swing is e^(g t) times as wide as at t = 0 (1979, in decades). No linear model has such a product. As a program it is one
 * line, and the curve of the level is a basis of the library, Legendre polynomials, by bln_v_basis. A basis with parameters could
 * have them from the program too. */
#define BAYESLIN_WITH_PROGRAM
#define BAYESLIN_WITH_LINEAR
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 468, DEGREE = 8 };
struct months { size_t n; double t[ROWS], y[ROWS], season[ROWS][4]; const bln_basis *curve; };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

static bln_status model(bln_tape *t, const bln_var *p, void *user)     /* p: height, w[9], g, c[4], sigma */
{
    const struct months *m = (const struct months *)user;
    const bln_var time = bln_c_mat(t, m->t, m->n, 1), height = p[0], w = p[1], g = p[2], c = p[3];
    const bln_var sigma = p[4], none = bln_c_vec(t, NULL, 0);
    bln_lp_half_normal(t, height, bln_c_num(t, 20));
    bln_lp_normal(t, w, bln_c_num(t, 0), height);
    bln_lp_normal(t, g, bln_c_num(t, 0), bln_c_num(t, 0.5));
    bln_lp_normal(t, c, bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_half_normal(t, sigma, bln_c_num(t, 1));
    bln_data_term(t);
    const bln_var level = bln_v_basis(t, m->curve, none, time, w);
    const bln_var grown = bln_v_exp(t, bln_v_mul(t, g, bln_c_vec(t, m->t, m->n)));
    const bln_var swing = bln_v_gemv(t, bln_c_mat(t, m->season[0], m->n, 4), c);
    bln_lp_normal(t, bln_c_vec(t, m->y, m->n), bln_v_fma(t, grown, swing, level), sigma);
    return BLN_OK;
}

/* Half of the swing of a year, from its highest point to its lowest, in 1959 and in 1997; and how much it grows in a decade. */
static void swings(const double *const *p, bln_rng *rng, void *user, double *out)
{
    double high = -HUGE_VAL, low = HUGE_VAL;
    (void)rng;
    (void)user;
    for (int k = 0; k < 360; k++) {
        const double x = 6.283185307179586*k/360, *c = p[3];
        const double s = c[0]*cos(x) + c[1]*sin(x) + c[2]*cos(2*x) + c[3]*sin(2*x);
        if (s > high) high = s;
        if (s < low) low = s;
    }
    out[0] = 0.5*(high - low)*exp(-2.0*p[2][0]);
    out[1] = 0.5*(high - low)*exp(1.8*p[2][0]);
    out[2] = 100*(exp(p[2][0]) - 1);
}

static void line(const bln_chains *draws, const char *name, const char *what)
{
    bln_summary x;
    bln_report report = BLN_ZERO;
    must(bln_chains_summary(draws, bln_chains_find(draws, name), &x, &report), &report);
    printf("%-32s %8.3f %7.3f %8.3f %8.3f\n", what, x.mean, x.sd, x.q05, x.q95);
}

int main(void)
{
    static const bln_program_parameter parameters[] = {
        BLN_PARAMETER("height", 1, 1, POSITIVE), BLN_PARAMETER("w", 1 + DEGREE, 1, FREE), BLN_PARAMETER("g", 1, 1, FREE),
        BLN_PARAMETER("c", 4, 1, FREE), BLN_PARAMETER("sigma", 1, 1, POSITIVE) };
    static const char *const names[] = { "in 1959", "in 1997", "growth" };
    static const double first = -2, last = 2;
    static struct months m;
    bln_program_desc desc = BLN_ZERO;
    bln_hmc_desc nuts = BLN_ZERO;
    bln_basis *curve = NULL;
    bln_program *program = NULL;
    bln_chains *draws = NULL;
    bln_diagnosis diagnosis;
    bln_report report = BLN_ZERO;
    char text[128];
    FILE *f = fopen("examples/data/co2.csv", "r");

    while (f && m.n < ROWS && fgets(text, sizeof text, f))
        if (sscanf(text, "%lf,%lf", m.t + m.n, m.y + m.n) == 2) {
            for (int k = 0; k < 4; k++) {
                const double x = 6.283185307179586*(1 + k/2)*m.t[m.n];
                m.season[m.n][k] = k % 2 ? sin(x) : cos(x);
            }
            m.t[m.n] = (m.t[m.n] - 1979)/10;
            m.y[m.n] -= 340;
            m.n++;
        }
    if (f) fclose(f);
    if (m.n != ROWS) { puts("run this at the top of the project"); return 1; }

    must(bln_legendre_create(NULL, 1, DEGREE, 1, &first, &last, &curve), &report);
    m.curve = curve;
    desc.model = model;
    desc.user = &m;
    desc.parameters = parameters;
    desc.n_parameters = 5;
    desc.generate = swings;
    desc.n_generate = 3;
    desc.generate_names = names;
    must(bln_program_create(&desc, &program, &report), &report);
    nuts.density = bln_program_density(program);
    must(bln_hmc_sample(&nuts, &draws, &report), &report);
    must(bln_chains_diagnose(draws, NULL, &diagnosis, &report), &report);
    puts(diagnosis.text[0] ? diagnosis.text : "nothing to complain of");
    puts("                                     mean      sd      5 %     95 %");
    line(draws, "in 1959", "half the swing in 1959, ppm");
    line(draws, "in 1997", "half the swing in 1997, ppm");
    line(draws, "growth", "growth of the swing, % a decade");
    line(draws, "sigma", "sd of the noise, ppm");
    bln_chains_free(draws);
    bln_program_free(program);
    bln_basis_free(curve);
    return 0;
}

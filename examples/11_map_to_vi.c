/* 11_map_to_vi.c - from the most probable weights to a posterior: the uncertainty by each way of inference, with a picture
 *
 *     cc -O2 -I. examples/11_map_to_vi.c -o 11_map_to_vi -lm && ./11_map_to_vi weights.svg       (at the top of the project)
 *
 * Fisher's irises (1936) again: versicolor or virginica, by a straight line through length and width of the petals in centimetres.
 * With one prior, a constant and two weights, there are six answers to the question what the weights are:
 *
 *     MAP          the point of greatest log p(y, w). It has no width: predictions are those of one line, and too certain.
 *     SGVI         independent normals N(m, diag psi). Their bound E_q log p(y|w) - KL(q, p) has an expectation, so draw one
 *                  w = m + sqrt(psi) e for a few rows at a time, and step uphill by the gradient in m and psi: MAP's stochastic
 *                  gradient, at a random w around m. The noise of the draws stays. [Titsias & Lazaro-Gredilla 2014]
 *     variational  the same bound and the same normals with the expectations computed: for a row, f = phi'w is one normal number.
 *     NPV          the same normals, with log p(y|f) taken to be a parabola at the mean of f. No bound.
 *     Laplace      a normal with correlations, as wide as the curvature of log p(y, w) at its peak.
 *     full         the normal with correlations that has the greatest bound.
 *
 * Petals are 3 to 7 cm long, far from 0, so that a change of one weight can be balanced by the constant: the posterior is a ridge.
 * Normals without correlations fit inside it, but are far too narrow, and their bound is 5 nats lower. Far from the flowers, where
 * such changes do not balance, only normals with correlations show how little is known. (Standardised inputs would remove most of
 * the ridge in this model; the tool standardises by itself.) In the picture each outline holds 90 % of its posterior. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOWERS = 100 };

static const char *const names[6] = { "MAP", "SGVI", "variational", "NPV", "Laplace", "full" };
static const char *const colours[6] = { "#222222", "#7fb8e0", "#1f6fb0", "#35a060", "#e08a20", "#b02040" };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

static int read_flowers(const char *path, double *petals, double *virginica)
{
    char line[128], species[32];
    size_t n = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f) && n < FLOWERS) {
        if (sscanf(line, "%*f,%*f,%lf,%lf,%31s", petals + 2*n, petals + 2*n + 1, species) != 3) continue;
        if (strcmp(species, "setosa")) virginica[n++] = !strcmp(species, "virginica");
    }
    if (f) fclose(f);
    return n == FLOWERS;
}

static bln_glm *learn(const bln_basis *basis, const bln_data *data, bln_glm_method method, size_t epochs, const double *prior_var)
{
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.basis = basis;
    desc.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    desc.method = method;
    desc.prior_var = prior_var;
    desc.fix_prior_var = prior_var != NULL;
    desc.max_iterations = epochs;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, data, &report), &report);
    return glm;
}

/* Weights, and the probability of virginica for a flower among the others and for one far away. */
static void tell(const char *name, const bln_glm *glm)
{
    static const double flower[4] = { 5.1, 1.7, 9.0, 0.3 };
    double p[2], mean[3], sd[3];
    bln_data query = BLN_ZERO;
    bln_report report = BLN_ZERO;
    query.n = query.d = 2;
    query.X = flower;
    must(bln_glm_predict(glm, &query, p, NULL, NULL, NULL, &report), &report);
    must(bln_posterior_coefficients(bln_glm_posterior(glm), mean, sd, 0, NULL, NULL, NULL, NULL), &report);
    printf("%-12s %8.2f   %5.2f +- %4.2f   %5.2f +- %4.2f     %6.3f   %6.3f\n", name, bln_glm_objective(glm), mean[1], sd[1],
           mean[2], sd[2], p[0], p[1]);
}

/* ---- the picture: weights of length from 0 to 12 across, of width from 0 to 18 up ---- */

static double px(double x) { return 60.0 + 50.0*x; }
static double py(double y) { return 420.0 - 20.0*y; }

/* The outline of 90 % of N(mean, C), C = L L', of the last two weights: mean + 2.146 L u, u on the unit circle. MAP is a point. */
static void outline(FILE *f, const bln_glm *glm, const char *colour)
{
    const bln_posterior *q = bln_glm_posterior(glm);
    double mean[3], sd[3], C[9];
    bln_report report = BLN_ZERO;
    must(bln_posterior_coefficients(q, mean, sd, 0, NULL, NULL, NULL, &report), &report);
    must(bln_posterior_covariance(q, C, 3, NULL, &report), &report);
    if (!(sd[1] > 0.0)) {
        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", px(mean[1]), py(mean[2]), colour);
        return;
    }
    const double slant = C[5]/sd[1];
    fprintf(f, "<polygon fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"", colour);
    for (double turn = 0.0; turn < 6.28; turn += 0.0314) {
        const double u = 2.146*cos(turn), v = 2.146*sin(turn);
        fprintf(f, "%.1f,%.1f ", px(mean[1] + sd[1]*u), py(mean[2] + slant*u + v*sqrt(sd[2]*sd[2] - slant*slant)));
    }
    fputs("\"/>\n", f);
}

static int picture(const char *path, bln_glm *const *glm)
{
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 480\" font-family=\"sans-serif\" font-size=\"13\">\n"
          "<rect width=\"720\" height=\"480\" fill=\"white\"/>\n<rect x=\"60\" y=\"60\" width=\"600\" height=\"360\" fill=\"none\" "
          "stroke=\"#888\"/>\n", f);
    for (int k = 0; k <= 12; k += 2)
        fprintf(f, "<text x=\"%.0f\" y=\"438\" text-anchor=\"middle\">%d</text>\n", px(k), k);
    for (int k = 0; k <= 18; k += 3)
        fprintf(f, "<text x=\"52\" y=\"%.0f\" text-anchor=\"end\">%d</text>\n", py(k) + 4.0, k);
    fputs("<text x=\"360\" y=\"464\" text-anchor=\"middle\">weight of length, and up, of width: 90 % of each posterior"
          "</text>\n", f);
    for (size_t k = 6; k-- > 0; ) {
        outline(f, glm[k], colours[k]);
        fprintf(f, "<text x=\"%.0f\" y=\"40\" fill=\"%s\">%s</text>\n", 60.0 + 100.0*(double)k, colours[k], names[k]);
    }
    fputs("</svg>\n", f);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    static double petals[2*FLOWERS], y[FLOWERS];
    bln_data data = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_glm *glm[6];
    if (!read_flowers("examples/data/iris.csv", petals, y)) { fputs("cannot read examples/data/iris.csv\n", stderr); return 1; }
    data.n = FLOWERS;
    data.d = 2;
    data.X = petals;
    data.y = y;
    spec.text = "bias+linear:ones=0";
    spec.d = 2;
    must(bln_basis_parse(&spec, &basis, &report), &report);
    const bln_glm_method ways[6] = { bln_glm_map(NULL), bln_glm_sgvi(NULL), bln_glm_mixture(NULL), bln_glm_npv(NULL),
                                     bln_glm_laplace(), bln_glm_full(NULL) };
    bln_glm *first = learn(basis, &data, bln_glm_laplace(), 0, NULL);    /* its prior variances are used by all others     */
    puts("              log of        weight of         weight of      P(virginica), petal");
    puts("              p or bound    length            width          5.1 x 1.7  9.0 x 0.3 cm");
    for (size_t k = 0; k < 6; k++) {
        glm[k] = learn(basis, &data, ways[k], k == 1 ? 2000 : 0, bln_glm_prior_var(first));
        tell(names[k], glm[k]);
    }
    if (argc > 1 && !picture(argv[1], glm)) { fputs("cannot write the picture\n", stderr); return 1; }
    for (size_t k = 0; k < 6; k++) bln_glm_free(glm[k]);
    bln_glm_free(first);
    bln_basis_free(basis);
    return 0;
}

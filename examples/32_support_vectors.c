/* 32_support_vectors.c - a scale mixture of your own: the support vector machine with a posterior, by cavi and by gibbs
 *
 *     cc -O2 -I. examples/32_support_vectors.c -o 32_support_vectors -lm && ./32_support_vectors      (at the top of the project)
 *
 * A support vector machine finds a line f(x) = 0 between two classes, y = 1 and y = -1, by the least sum of losses
 * 2 max(1 - y f, 0) and a penalty on the weights. With minus the loss as log p, p is a scale mixture of normals (Polson & Scott
 * 2011):
 *
 *     -2 max(1 - y f, 0) = y (f - y) - |f - y|:      centre y, tilt y, phi(s) = e^-sqrt(s),   omega | f ~ IG(1/sqrt(s), 1)
 *
 * So the weights have a posterior, and one knows how sure the line is. `phi` and `centre` are all that the sweeps of cavi ask for;
 * with `draw_omega` gibbs draws from the posterior itself. Both also use the tight bound, whose expectations need derivatives. The
 * loss has a kink at y f = 1, where differences would not do: `normal_expect` has its mean under a normal f in closed form.
 *
 * p is not normalised over y. It ranks flowers by P(f > 0), the share of lines that have them on that side, which is not the
 * frequency of a class: for that take a logistic function.
 *
 * Data: versicolor (-1) and virginica (1), by length and width of the petals in cm (Fisher 1936). */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOWERS = 100, ASKED = 5 };

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* ---- the likelihood */

static void svm_phi(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *square,
                    double *log_phi, double *omega)
{
    (void)l; (void)theta; (void)t;
    for (size_t i = 0; i < n; i++) {
        log_phi[i] = -sqrt(square[i]);
        omega[i] = 1.0/sqrt(square[i]);                        /* -2 d log phi/d square */
    }
}

static void svm_centre(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, double *centre, double *tilt)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) centre[i] = tilt[i] = t->y[i];
}

static void svm_draw_omega(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *square,
                           bln_rng *rng, double *omega)
{
    (void)l; (void)theta; (void)t;
    for (size_t i = 0; i < n; i++) omega[i] = bln_rng_inverse_gaussian(rng, 1.0/sqrt(square[i]), 1.0);
}

static const char *svm_domain(const bln_likelihood *l, double y, double trials)
{
    (void)l;
    return trials == 1.0 && (y == 1.0 || y == -1.0) ? NULL : "y must be 1 or -1";
}

/* With z = (1 - y m)/s, s = sqrt(v):  E max(1 - y f, 0) = s (z Phi(z) + phi(z)), phi here the normal density. */
static void svm_normal_expect(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *m,
                              const double *v, double tolerance, double *value, double *dm, double *dv, double *dtheta,
                              size_t lddtheta)
{
    (void)l; (void)theta; (void)tolerance; (void)dtheta; (void)lddtheta;
    for (size_t i = 0; i < n; i++) {
        const double y = t->y[i], s = sqrt(v[i]), z = (1.0 - y*m[i])/s, below = bln_norm_cdf(z), density = exp(bln_norm_logpdf(z));
        value[i] = -2.0*s*(z*below + density);
        if (dm) dm[i] = 2.0*y*below;
        if (dv) dv[i] = -density/s;
    }
}

static bln_likelihood svm(void)
{
    static bln_mixture_ops mixture;
    static bln_likelihood_ops ops;                          /* zero: the library's way, for all that is not given */
    bln_likelihood l = BLN_ZERO;
    mixture.phi = svm_phi;
    mixture.centre = svm_centre;
    mixture.draw_omega = svm_draw_omega;
    ops.name = "my_svm";
    ops.domain = svm_domain;
    ops.normal_expect = svm_normal_expect;
    ops.mixture = &mixture;
    l.ops = &ops;
    return l;
}

/* ---- what is learnt with it */

static int read_flowers(const char *path, double *X, double *y)
{
    char line[128], name[32];
    double sepal[2];
    size_t n = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f) && n < FLOWERS) {
        double *x = X + 2*n;
        if (sscanf(line, "%lf,%lf,%lf,%lf,%31s", sepal, sepal + 1, x, x + 1, name) != 5 || !strcmp(name, "setosa")) continue;
        x[0] -= 4.9;                                         /* about their means */
        x[1] -= 1.7;
        y[n++] = strcmp(name, "virginica") ? -1.0 : 1.0;
    }
    if (f) fclose(f);
    return n == FLOWERS;
}

/* P(f > 0) of each flower: of cavi f is normal; of gibbs it is the share of draws. */
static void sides(const bln_glm *glm, const bln_data *query, double *p)
{
    bln_report report = BLN_ZERO;
    double mean[ASKED], var[ASKED];
    const bln_chains *chains = bln_glm_chains(glm);
    must(bln_posterior_latent(bln_glm_posterior(glm), query, mean, var, NULL, &report), &report);
    for (size_t i = 0; i < query->n; i++) p[i] = chains ? 0.0 : bln_norm_cdf(mean[i]/sqrt(var[i]));
    if (!chains) return;
    const size_t draws = bln_chains_count(chains)*bln_chains_draws(chains), columns = bln_chains_columns(chains);
    for (size_t s = 0; s < draws; s++) {
        const double *w = bln_chains_table(chains) + s*columns;
        for (size_t i = 0; i < query->n; i++)
            p[i] += w[0] + w[1]*query->X[2*i] + w[2]*query->X[2*i + 1] > 0.0 ? 1.0/(double)draws : 0.0;
    }
}

int main(void)
{
    static double X[2*FLOWERS], y[FLOWERS], f[FLOWERS];
    static const double flower[2*ASKED] = { 4.3, 1.3, 4.7, 1.6, 4.8, 1.7, 5.0, 1.7, 5.3, 1.9 };
    static const double wide[2] = { 100.0, 100.0 };
    double asked[2*ASKED], p[2][ASKED];
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_spec_desc text = BLN_ZERO;
    bln_basis *line = NULL;
    const bln_likelihood mine = svm();
    if (bln_likelihood_check(&mine)) { puts(bln_likelihood_check(&mine)); return 1; }
    if (!read_flowers("examples/data/iris.csv", X, y)) { fputs("no examples/data/iris.csv\n", stderr); return 1; }
    data.n = FLOWERS;
    data.d = 2;
    data.X = X;
    data.y = y;
    for (size_t i = 0; i < ASKED; i++) { asked[2*i] = flower[2*i] - 4.9; asked[2*i + 1] = flower[2*i + 1] - 1.7; }
    query.n = ASKED;
    query.d = 2;
    query.X = asked;
    text.text = "bias+linear:ones=0";
    text.d = 2;
    must(bln_basis_parse(&text, &line, &report), &report);
    puts("            constant       length         width          wrong sides");
    for (int way = 0; way < 2; way++) {
        double w[3], sd[3];
        int wrong = 0;
        bln_glm_gibbs_desc gibbs = BLN_ZERO;
        bln_glm_desc desc = BLN_ZERO;
        bln_glm *glm = NULL;
        gibbs.draws = 2000;
        gibbs.keep = 8000;
        desc.basis = line;
        desc.likelihood = mine;
        desc.method = way ? bln_glm_gibbs(&gibbs) : bln_glm_cavi(NULL);
        desc.prior_var = wide;
        desc.fix_prior_var = 1;
        must(bln_glm_create(&desc, &glm, &report), &report);
        must(bln_glm_fit(glm, &data, &report), &report);
        must(bln_posterior_coefficients(bln_glm_posterior(glm), w, sd, 0, NULL, NULL, NULL, NULL), &report);
        must(bln_posterior_latent(bln_glm_posterior(glm), &data, f, NULL, NULL, &report), &report);
        for (size_t i = 0; i < FLOWERS; i++) wrong += y[i]*f[i] < 0.0;
        printf("%-9s", way ? "gibbs" : "cavi");
        for (int k = 0; k < 3; k++) printf("  %5.2f +- %.2f", w[k], sd[k]);
        printf("  %4d of %d\n", wrong, FLOWERS);
        sides(glm, &query, p[way]);
        bln_glm_free(glm);
    }
    puts("\npetal of     P(f > 0), cavi and gibbs");
    for (size_t i = 0; i < ASKED; i++) printf("%.2f x %.2f  %.3f  %.3f\n", flower[2*i], flower[2*i + 1], p[0][i], p[1][i]);
    bln_basis_free(line);
    return 0;
}

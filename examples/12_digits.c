/* 12_digits.c - is it a 3 or a 5? Two approximations of the posterior, and what the training digits tell of the test
 *
 *     cc -O2 -I. examples/12_digits.c -o 12_digits -lm && ./12_digits      (at the top of the project)
 *
 * 1540 handwritten digits of the US postal service, of 8 x 8 pixels (means over pixels of the original); every fifth is for the
 * test. 120 random features approximate a Gaussian process over the pixels; its length scale and variance are learnt.
 *
 * With ten digits for each weight, Laplace's posterior, centred on the most probable weights, gives probabilities too close to a
 * half. The full Gaussian with the greatest bound of the evidence, here at the same hyper-parameters, has better ones. Both predict
 * before the test how good they will be, by each digit's probability given all the others (one step of Newton's method for each,
 * instead of 1232 fits).
 *
 * Last comes the test digit that the model gets most wrong. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = 64, TEST = 308, LEARN = 4*TEST };

static double X[(LEARN + TEST)*PIXELS], five[LEARN + TEST], p[LEARN + TEST];

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

/* The training digits, then the test digits. */
static int read_digits(const char *path)
{
    char line[200], pixels[80];
    size_t n = 0;
    int digit;
    FILE *f = fopen(path, "r");
    while (f && n < LEARN + TEST && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%d,%79s", &digit, pixels) != 2 || strlen(pixels) != PIXELS) continue;
        const size_t i = n % 5 ? n - n/5 - 1 : LEARN + n/5;
        n++;
        five[i] = digit == 5;
        for (size_t j = 0; j < PIXELS; j++) X[i*PIXELS + j] = (double)(pixels[j] - '0')/9.0;
    }
    if (f) fclose(f);
    return n == LEARN + TEST;
}

static void show(size_t i)
{
    printf("\nthe worst of the test: a %d, P(5) = %.3f\n", five[LEARN + i] > 0.5 ? 5 : 3, p[i]);
    for (size_t j = 0; j < PIXELS; j++) {
        const int grey = (int)(X[(LEARN + i)*PIXELS + j]*9.0 + 0.5);
        printf("%c%c%s", " .:-=+*#%@"[grey], " .:-=+*#%@"[grey], j % 8 == 7 ? "\n" : "");
    }
}

/* from: a model whose hyper-parameters are used; NULL to learn them. */
static bln_glm *learn(const bln_basis *basis, bln_glm_method method, const bln_glm *from, const char *name)
{
    bln_data all = BLN_ZERO, data, test;
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    bln_loo_outputs out = BLN_ZERO;
    bln_elpd left_out;
    double loss, errors, worst = 0.0;
    size_t which = 0;
    all.n = LEARN + TEST;
    all.d = PIXELS;
    all.X = X;
    all.y = five;
    data = bln_data_rows(&all, 0, LEARN);
    test = bln_data_rows(&all, LEARN, TEST);
    desc.basis = basis;
    desc.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    desc.method = method;
    if (from) {
        desc.prior_var = bln_glm_prior_var(from);
        desc.theta = bln_glm_theta(from);
        desc.fix_prior_var = desc.fix_theta = 1;
    }
    out.total = &left_out;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, &data, &report), &report);
    must(bln_posterior_loo(bln_glm_posterior(glm), &data, NULL, &out, &report), &report);
    must(bln_glm_predict(glm, &test, p, NULL, NULL, NULL, &report), &report);
    must(bln_log_loss(TEST, 1, test.y, p, &loss, &report), &report);
    must(bln_error_rate(TEST, 1, test.y, p, &errors, &report), &report);
    printf("%-10s %14.1f %16.3f %16.3f %10.0f of %d\n", name, bln_glm_objective(glm), -left_out.elpd/(double)LEARN, loss,
           errors*(double)TEST, (int)TEST);
    for (size_t i = 0; i < TEST; i++)
        if (fabs(p[i] - test.y[i]) > worst) { worst = fabs(p[i] - test.y[i]); which = i; }
    if (from) show(which);
    return glm;
}

int main(void)
{
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_report report = BLN_ZERO;
    if (!read_digits("examples/data/usps35.csv")) { fputs("cannot read examples/data/usps35.csv\n", stderr); return 1; }
    spec.text = "bias+rbf:n=60";
    spec.d = PIXELS;
    must(bln_basis_parse(&spec, &basis, &report), &report);
    puts("                 evidence    loss, left out   loss, test       wrong");
    bln_glm *laplace = learn(basis, bln_glm_laplace(), NULL, "Laplace");
    bln_glm *full = learn(basis, bln_glm_full(NULL), laplace, "full");
    bln_glm_free(laplace);
    bln_glm_free(full);
    bln_basis_free(basis);
    return 0;
}

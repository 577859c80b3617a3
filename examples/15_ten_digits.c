/* 15_ten_digits.c - ten classes: which digit is it, how certain is the answer, and is it right as often as it claims?
 *
 *     cc -O2 -I. examples/15_ten_digits.c -o 15_ten_digits -lm && ./15_ten_digits      (at the top of the project)
 *
 * 1797 handwritten digits of 8 x 8 pixels (Alpaydin & Kaynak 1998): the first third is for training, the next half, mostly by other
 * writers, for the test. 60 random features approximate Gaussian processes over the pixels, one for each digit, joined by a
 * softmax; their length scale and variance are learnt by the bound of a full Gaussian.
 *
 * A probability is useful if it is calibrated: of the digits of which the model is 95 to 99 % certain, 95 to 99 % must be right.
 * Here somewhat more are: the answers are cautious. So one can give the doubtful digits to a human, and knows in advance how many
 * errors remain at most. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 1797, PIXELS = 64, CLASSES = 10, LEARN = DIGITS/3, TEST = DIGITS/2 };

static double X[DIGITS*PIXELS], digit[DIGITS], p[TEST*CLASSES];

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

static int read_digits(const char *path)
{
    static const char grey[] = "0123456789abcdefg";
    char line[200], pixels[80];
    size_t n = 0;
    int which;
    FILE *f = fopen(path, "r");
    while (f && n < DIGITS && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%d,%79s", &which, pixels) != 2 || strspn(pixels, grey) != PIXELS) continue;
        for (size_t j = 0; j < PIXELS; j++) X[n*PIXELS + j] = (double)(strchr(grey, pixels[j]) - grey)/16.0;
        digit[n++] = which;
    }
    if (f) fclose(f);
    return n == DIGITS;
}

static bln_glm *learn(const bln_data *data, bln_basis **basis)
{
    bln_spec_desc spec = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    spec.text = "bias+rbf:n=30";
    spec.d = PIXELS;
    must(bln_basis_parse(&spec, basis, &report), &report);
    desc.basis = *basis;
    desc.likelihood = bln_likelihood_categorical(CLASSES);
    desc.method = bln_glm_full(NULL);
    desc.tolerance = 1e-3;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, data, &report), &report);
    printf("length scale %.2f, sd of the process %.1f; the evidence is above %.1f\n", bln_glm_theta(glm)[0],
           sqrt(bln_glm_prior_var(glm)[1]), bln_glm_objective(glm));
    return glm;
}

static size_t most_probable(const double *of)
{
    size_t best = 0;
    for (size_t k = 1; k < CLASSES; k++)
        if (of[k] > of[best]) best = k;
    return best;
}

static void confusion(const double *y)
{
    size_t table[CLASSES*CLASSES];
    bln_report report = BLN_ZERO;
    must(bln_confusion(TEST, CLASSES, y, p, table, &report), &report);
    printf("\nis, said");
    for (int k = 0; k < CLASSES; k++) printf("%5d", k);
    putchar('\n');
    for (size_t k = 0; k < CLASSES; k++) {
        printf("%8d", (int)k);
        for (size_t l = 0; l < CLASSES; l++) {
            if (table[k*CLASSES + l]) printf("%5lu", (unsigned long)table[k*CLASSES + l]);
            else                      printf("    .");
        }
        putchar('\n');
    }
}

/* Digits by the probability of the answer: how many there are, the share that the model expects to be right, and the true share. */
static void sureness(const double *y)
{
    static const double edge[6] = { 0.0, 0.5, 0.8, 0.95, 0.99, 1.0 };
    puts("\nsure by            digits   should be right   are right");
    for (size_t b = 0; b < 5; b++) {
        double n = 0.0, said = 0.0, right = 0.0;
        for (size_t i = 0; i < TEST; i++) {
            const size_t best = most_probable(p + i*CLASSES);
            const double sure = p[i*CLASSES + best];
            if (sure <= edge[b] || sure > edge[b + 1]) continue;
            n += 1.0;
            said += sure;
            right += (double)best == y[i];
        }
        printf("%3.0f to %3.0f %% %14.0f %17.1f %11.0f\n", 100.0*edge[b], 100.0*edge[b + 1], n, said, right);
    }
}

/* The test digit to which the model gave the least probability. */
static void worst(const double *y, const double *pixels)
{
    size_t which = 0;
    for (size_t i = 0; i < TEST; i++)
        if (p[i*CLASSES + (size_t)y[i]] < p[which*CLASSES + (size_t)y[which]]) which = i;
    const double *of = p + which*CLASSES;
    const size_t said = most_probable(of), is = (size_t)y[which];
    printf("\nthe worst: a %d, P(%d) = %.3f, P(%d) = %.3f\n", (int)is, (int)is, of[is], (int)said, of[said]);
    for (size_t j = 0; j < PIXELS; j++) {
        const int grey = (int)(pixels[which*PIXELS + j]*9.0 + 0.5);
        printf("%c%c%s", " .:-=+*#%@"[grey], " .:-=+*#%@"[grey], j % 8 == 7 ? "\n" : "");
    }
}

int main(void)
{
    bln_data all = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *basis = NULL;
    double loss, brier, errors;
    if (!read_digits("examples/data/digits.csv")) { fputs("cannot read examples/data/digits.csv\n", stderr); return 1; }
    all.n = DIGITS;
    all.d = PIXELS;
    all.X = X;
    all.y = digit;
    const bln_data data = bln_data_rows(&all, 0, LEARN), test = bln_data_rows(&all, LEARN, TEST);
    bln_glm *glm = learn(&data, &basis);
    must(bln_glm_predict(glm, &test, p, NULL, NULL, NULL, &report), &report);
    must(bln_log_loss(TEST, CLASSES, test.y, p, &loss, &report), &report);
    must(bln_brier(TEST, CLASSES, test.y, p, &brier, &report), &report);
    must(bln_error_rate(TEST, CLASSES, test.y, p, &errors, &report), &report);
    printf("%d digits of the test: %.0f wrong, log loss %.3f, Brier score %.3f\n", (int)TEST, errors*(double)TEST, loss, brier);
    confusion(test.y);
    sureness(test.y);
    worst(test.y, test.X);
    bln_glm_free(glm);
    bln_basis_free(basis);
    return 0;
}

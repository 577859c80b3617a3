/* 14_iris.c - three classes: probabilities of all of them, scores of flowers that were held back, a picture of the regions
 *
 *     cc -O2 -I. examples/14_iris.c -o 14_iris -lm && ./14_iris regions.svg      (at the top of the project)
 *
 * Which of three species of iris is a flower, by length and width of its sepals and petals (Fisher 1936)? Every third flower is
 * held back. The first model is linear in the four measurements, with a latent for each class (softmax); its prior variance is
 * learnt by the bound of a full Gaussian. Setosa is separated from the other two, so that without a prior the best slope is
 * infinite, and ordinary logistic regression has no answer: the last lines show that a flat prior is refused, and why.
 *
 * The picture shows a second model, random features of a Gaussian process over the petals alone: a colour for each class, mixed by
 * the probabilities. Away from all flowers the colours fade to grey: there the process is uncertain. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOWERS = 150, CLASSES = 3, HELD = FLOWERS/3, LEARN = FLOWERS - HELD, WIDE = 80, HIGH = 60, CELLS = WIDE*HIGH };

static const char *const species[CLASSES] = { "setosa", "versicolor", "virginica" };
static const int colours[CLASSES][3] = { { 0, 114, 178 }, { 230, 159, 0 }, { 0, 158, 115 } };

/* The training flowers, then those held back. */
static int read_flowers(const char *path, double *X, double *y)
{
    char line[128], name[32];
    size_t n = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f) && n < FLOWERS) {
        const size_t i = n % 3 == 2 ? LEARN + n/3 : n - n/3;
        double *x = X + 4*i;
        if (sscanf(line, "%lf,%lf,%lf,%lf,%31s", x, x + 1, x + 2, x + 3, name) != 5) continue;
        for (int k = 0; k < CLASSES; k++)
            if (!strcmp(name, species[k])) y[i] = k;
        n++;
    }
    if (f) fclose(f);
    return n == FLOWERS;
}

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s: %s\n", bln_status_text(status), report->text);
    exit(1);
}

static bln_data table(size_t n, size_t d, const double *X, const double *y)
{
    bln_data data = BLN_ZERO;
    data.n = n;
    data.d = d;
    data.X = X;
    data.y = y;
    return data;
}

static bln_basis *parse(const char *text, size_t d)
{
    bln_spec_desc spec = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *basis = NULL;
    spec.text = text;
    spec.d = d;
    must(bln_basis_parse(&spec, &basis, &report), &report);
    return basis;
}

static bln_glm *learn(const bln_basis *basis, const bln_data *data)
{
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.basis = basis;
    desc.likelihood = bln_likelihood_categorical(CLASSES);
    desc.method = bln_glm_full(NULL);
    desc.tolerance = 1e-3;
    must(bln_glm_create(&desc, &glm, &report), &report);
    must(bln_glm_fit(glm, data, &report), &report);
    return glm;
}

static void scores(const bln_glm *glm, const bln_data *held)
{
    double p[HELD*CLASSES], loss, brier, errors;
    size_t confusion[CLASSES*CLASSES];
    bln_report report = BLN_ZERO;
    must(bln_glm_predict(glm, held, p, NULL, NULL, NULL, &report), &report);
    must(bln_log_loss(HELD, CLASSES, held->y, p, &loss, &report), &report);
    must(bln_brier(HELD, CLASSES, held->y, p, &brier, &report), &report);
    must(bln_error_rate(HELD, CLASSES, held->y, p, &errors, &report), &report);
    must(bln_confusion(HELD, CLASSES, held->y, p, confusion, &report), &report);
    printf("held back: log loss %.3f, Brier score %.3f, %.0f of %d wrong\n\n%12s", loss, brier, errors*(double)HELD, (int)HELD, "");
    for (size_t k = 0; k < CLASSES; k++) printf("%12s", species[k]);
    puts("   <- said");
    for (size_t k = 0; k < CLASSES; k++) {
        printf("%12s", species[k]);
        for (size_t l = 0; l < CLASSES; l++) printf("%12lu", (unsigned long)confusion[k*CLASSES + l]);
        putchar('\n');
    }
    puts("\nthe doubtful ones            P(setosa)  P(versicolor)  P(virginica)");
    for (size_t i = 0; i < HELD; i++) {
        const double *of = p + i*CLASSES;
        if (of[0] > 0.8 || of[1] > 0.8 || of[2] > 0.8) continue;
        printf("  %-26s", species[(size_t)held->y[i]]);
        printf("%10.3f %14.3f %13.3f\n", of[0], of[1], of[2]);
    }
}

/* Maximum likelihood, with one class for reference: without it a constant added to all three latents would change nothing. */
static void refused(const bln_basis *basis, const bln_data *data)
{
    double flat[2*5];
    bln_glm_desc desc = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_glm *glm = NULL;
    for (size_t i = 0; i < 2*basis->n_slices; i++) flat[i] = HUGE_VAL;
    desc.basis = basis;
    desc.likelihood = bln_likelihood_categorical_reference(CLASSES);
    desc.method = bln_glm_map(NULL);
    desc.prior_var = flat;
    must(bln_glm_create(&desc, &glm, &report), &report);
    if (bln_glm_fit(glm, data, &report)) printf("\nwithout a prior: %s\n", report.text);
    bln_glm_free(glm);
}

/* ---- the picture ---- */

static double px(double length) { return 50.0 + 80.0*length; }
static double py(double width)  { return 460.0 - 440.0*width/3.0; }

/* The colour of a point, mixed by its probabilities; grey where they are equal. */
static void square(FILE *f, double x, double y, const double *p)
{
    double rgb[3] = { 0.0, 0.0, 0.0 }, most = 0.0;
    for (size_t k = 0; k < CLASSES; k++) {
        if (p[k] > most) most = p[k];
        for (size_t c = 0; c < 3; c++) rgb[c] += p[k]*colours[k][c];
    }
    const double even = 1.0/(double)CLASSES, full = 0.6*(most - even)/(1.0 - even);
    for (size_t c = 0; c < 3; c++) rgb[c] = full*rgb[c] + (1.0 - full)*225.0;
    fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"8.2\" height=\"7.6\" fill=\"#%02x%02x%02x\"/>\n", px(x) - 4.0, py(y) - 3.7,
            (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

static int picture(const char *path, const bln_glm *glm, const double *petals, const double *y)
{
    static double x[2*CELLS], p[CLASSES*CELLS];
    bln_report report = BLN_ZERO;
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    for (size_t k = 0; k < CELLS; k++) {
        x[2*k] = 8.0*((double)(k % WIDE) + 0.5)/(double)WIDE;
        x[2*k + 1] = 3.0*((double)(k/WIDE) + 0.5)/(double)HIGH;
    }
    const bln_data grid = table(CELLS, 2, x, NULL);
    must(bln_glm_predict(glm, &grid, p, NULL, NULL, NULL, &report), &report);
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 710 520\" font-family=\"sans-serif\" font-size=\"13\">\n"
          "<rect width=\"710\" height=\"520\" fill=\"white\"/>\n", f);
    for (size_t k = 0; k < CELLS; k++) square(f, x[2*k], x[2*k + 1], p + CLASSES*k);
    for (size_t i = 0; i < FLOWERS; i++) {
        const int *c = colours[(size_t)y[i]];
        fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"#%02x%02x%02x\" stroke=\"%s\"/>\n", px(petals[2*i]),
                py(petals[2*i + 1]), (unsigned)c[0], (unsigned)c[1], (unsigned)c[2], i < LEARN ? "white" : "black");
    }
    for (int cm = 0; cm <= 8; cm++) fprintf(f, "<text x=\"%.0f\" y=\"480\" text-anchor=\"middle\">%d</text>\n", px(cm), cm);
    for (int cm = 0; cm <= 3; cm++) fprintf(f, "<text x=\"40\" y=\"%.0f\" text-anchor=\"end\">%d</text>\n", py(cm) + 4.0, cm);
    for (int k = 0; k < CLASSES; k++)
        fprintf(f, "<circle cx=\"%d\" cy=\"508\" r=\"5\" fill=\"#%02x%02x%02x\"/><text x=\"%d\" y=\"512\">%s</text>\n", 330 + 100*k,
                (unsigned)colours[k][0], (unsigned)colours[k][1], (unsigned)colours[k][2], 340 + 100*k, species[k]);
    fputs("<text x=\"50\" y=\"14\">petal width, cm</text><text x=\"50\" y=\"512\">petal length, cm; rim black: held back</text>\n"
          "</svg>\n", f);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    static double X[4*FLOWERS], petals[2*FLOWERS], y[FLOWERS];
    if (!read_flowers("examples/data/iris.csv", X, y)) { fputs("cannot read examples/data/iris.csv\n", stderr); return 1; }
    const bln_data flowers = table(LEARN, 4, X, y), held = table(HELD, 4, X + 4*LEARN, y + LEARN);
    bln_basis *lines = parse("linear", 4), *process = parse("bias+rbf:n=15", 2);
    bln_glm *glm = learn(lines, &flowers);
    printf("%d flowers: the evidence is above %.2f\n", (int)LEARN, bln_glm_objective(glm));
    scores(glm, &held);
    refused(lines, &flowers);
    bln_glm_free(glm);
    for (size_t i = 0; i < FLOWERS; i++) memcpy(petals + 2*i, X + 4*i + 2, 2*sizeof *petals);
    const bln_data of_petals = table(LEARN, 2, petals, y);
    glm = learn(process, &of_petals);
    if (argc > 1 && !picture(argv[1], glm, petals, y)) { fputs("cannot write the picture\n", stderr); return 1; }
    bln_glm_free(glm);
    bln_basis_free(process);
    bln_basis_free(lines);
    return 0;
}

/* bench_cavi.c - sweeps of the method `cavi`, plain and accelerated, and what it gains beside `full`
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_cavi.c -o build/bench_cavi -lm
 *     build/bench_cavi TABLE.csv SD [FAMILY]       last column y; inputs standardised; bias (prior sd 2 SD) and linear, held
 *
 * Sweeps (passes over the rows, those of combinations that were taken back among them) until the bound is within 1e-6 nats of its
 * greatest value; user seconds, the least of five; standard deviations beside those of the tight bound. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <time.h>

enum { ROWS = 4000, INPUTS = 200, SWEEPS = 20000 };

static double seconds(void) { return (double)clock()/CLOCKS_PER_SEC; }

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    printf("%s: %s\n", bln_status_name(status), report->text);
    exit(1);
}

static void standardise(double *x, size_t n, size_t ld)
{
    double mean = 0.0, square = 0.0;
    for (size_t i = 0; i < n; i++) mean += x[i*ld]/(double)n;
    for (size_t i = 0; i < n; i++) square += (x[i*ld] - mean)*(x[i*ld] - mean)/(double)n;
    for (size_t i = 0; i < n; i++) x[i*ld] = (x[i*ld] - mean)/(square > 0.0 ? sqrt(square) : 1.0);
}

static double X[ROWS*INPUTS], y[ROWS];

static void read_rows(const char *path, bln_data *data)
{
    static char line[65536];
    double row[INPUTS + 1];
    size_t n = 0, d = 0;
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) {              /* the line of names */
        printf("cannot read %s\n", path);
        exit(1);
    }
    while (n < ROWS && fgets(line, sizeof line, file)) {
        const char *end = line + strlen(line), *at = line;
        size_t there = 0;
        while (there <= INPUTS && (at = bln_decimal_read(at, end, row + there)) != NULL) {
            there++;
            if (*at++ != ',') break;
        }
        if (there < 2) continue;
        d = there - 1;
        memcpy(X + n*d, row, d*sizeof *X);
        y[n++] = row[d];
    }
    fclose(file);
    for (size_t j = 0; j < d && !getenv("RAW"); j++) standardise(X + j, n, d);
    data->n = n;
    data->d = d;
    data->X = X;
    data->y = y;
}

typedef struct trace { size_t steps; size_t passes[SWEEPS]; double bound[SWEEPS]; } trace;

static bln_status note(void *user, const bln_glm_progress *p)
{
    trace *t = (trace *)user;
    if (t->steps < SWEEPS) {
        t->passes[t->steps] = p->evaluations;
        t->bound[t->steps++] = p->objective;
    }
    return BLN_OK;
}

/* The sweeps to within 1e-6 nats of the last bound, and by how much the bound fell at most. */
static size_t count(const trace *t, double *fell)
{
    *fell = 0.0;
    for (size_t i = 1; i < t->steps; i++) *fell = fmax(*fell, t->bound[i - 1] - t->bound[i]);
    for (size_t i = 0; i < t->steps; i++) if (t->bound[t->steps - 1] - t->bound[i] <= 1e-6) return t->passes[i];
    return 0;
}

static double fit(const bln_glm_desc *desc, const bln_data *data, bln_glm **out)
{
    double best = HUGE_VAL;
    bln_report report;
    for (int round = 0; round < 5; round++) {
        if (round) bln_glm_free(*out);
        const double from = seconds();
        must(bln_glm_create(desc, out, &report), &report);
        must(bln_glm_fit(*out, data, &report), &report);
        best = fmin(best, seconds() - from);
    }
    return best;
}

int main(int argc, char **argv)
{
    static trace t;
    const double sd = argc > 2 ? atof(argv[2]) : 1.0, prior_var[] = { 4.0*sd*sd, sd*sd };
    const bln_load all = bln_builtin();
    const char *family = argc > 3 ? argv[3] : "binomial_logit";
    bln_data data = BLN_ZERO;
    bln_glm_desc desc = BLN_ZERO;
    bln_glm_cavi_desc own = BLN_ZERO;
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_report report;
    double fell;
    if (argc < 2) return 1;
    read_rows(argv[1], &data);
    spec.text = "bias + linear:ones=0";
    spec.d = data.d;
    must(bln_basis_parse(&spec, &basis, &report), &report);
    desc.basis = basis;
    desc.prior_var = prior_var;
    desc.fix_prior_var = desc.fix_likelihood = 1;
    for (size_t i = 0; i < all.n_likelihoods; i++)
        if (!strcmp(all.likelihoods[i].ops->name, family)) desc.likelihood = all.likelihoods[i];
    if (!desc.likelihood.ops) { printf("no family %s\n", family); return 1; }
    if (!desc.likelihood.ops->discrete) standardise(y, data.n, 1);
    for (int way = 0; way < 4; way++) {
        static const char *const names[] = { "plain sweeps", "accelerated", "cavi", "full" };
        bln_glm *glm = NULL;
        own.bound = way < 2 ? BLN_CAVI_COLLAPSED : BLN_CAVI_TIGHT;
        own.sweeps = way ? BLN_CAVI_ACCELERATED : BLN_CAVI_PLAIN;
        desc.method = way < 3 ? bln_glm_cavi(&own) : bln_glm_full(NULL);
        desc.monitor = NULL;
        const double took = fit(&desc, &data, &glm);
        t.steps = 0;
        desc.monitor = note;
        desc.monitor_user = &t;
        bln_glm_free(glm);
        must(bln_glm_create(&desc, &glm, &report), &report);
        must(bln_glm_fit(glm, &data, &report), &report);
        const size_t sweeps = count(&t, &fell);
        printf("%-13s bound %.6f, %.3f ms, %zu steps", names[way], bln_glm_objective(glm), 1e3*took, t.steps);
        if (way < 2) printf(", sweeps to 1e-6 nats: %zu, fell by %.1e", sweeps, fell);
        printf("\n");
        bln_glm_free(glm);
    }
    bln_basis_free(basis);
    return 0;
}

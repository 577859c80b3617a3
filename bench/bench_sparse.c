/* bench_sparse.c - what sparse targets predict: magic, two classes, 50 inducing points, ten folds
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_sparse.c -o build/bench_sparse -lm
 *     build/bench_sparse DATA [PICTURE.svg [FOLDS]]       from the top of the project; docs/sparse_targets.md shows the figures
 *
 * DATA holds magic/magic.csv.gz and magic/cv_masks.csv.gz (bench/README.md says where from), which gzip unpacks. In each fold
 * inputs are standardised by the training rows, points are chosen by k-means, and `full` learns one length scale and the prior
 * variance by its bound. The length scale is held from then on, so that ways differ only in the posterior of weights and prior
 * variance.
 *
 * Samplers: one chain. Gibbs 80 sweeps of warm-up and 160 draws; the no-U-turn sampler, on the target of Hensman, Matthews,
 * Filippone & Ghahramani 2015, 60 and 60, in coordinates in which the Gaussian of `full` is standard. Seconds are of one thread,
 * and those of all other ways include the fit by `full` at which they begin. */
#define _DEFAULT_SOURCE
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "peak.h"
#include "../tools/plot.h"
#include <stdio.h>

enum { ROWS = 19020, COLUMNS = 10, FOLDS = 10, POINTS = 50, LOOKS = 8, NODES = 20 };

enum { FULL, CAVI, IGNORED, BOUND, DRAWN, EXPECTED, WAYS };
static const struct { const char *name, *color; } ways[WAYS] = {
    { "full", "#444444" }, { "cavi", "#c0392b" }, { "Gibbs, ignored", "#8e4fa8" }, { "Gibbs, bound (alpha = 0)", "#1f4e8c" },
    { "Gibbs, drawn (alpha = 1)", "#2a8a57" }, { "NUTS, E log p", "#e08214" }
};
static const size_t looks[LOOKS] = { 1, 2, 5, 10, 20, 40, 80, 160 };

typedef struct look { double loss, errors, spent; } look;
typedef struct outcome { look at[LOOKS]; size_t n; double lambda, missed, gradients; } outcome;

static double table[ROWS*(COLUMNS + 1)], X[ROWS*COLUMNS], y[ROWS], test_X[ROWS*COLUMNS], test_y[ROWS];
static double Phi[ROWS*POINTS], missed[ROWS];
static double test_Phi[ROWS*POINTS], test_missed[ROWS];
static unsigned char mask[ROWS*FOLDS];
static bln_data train, held;
static outcome found[FOLDS][WAYS];

static void must(bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return;
    fprintf(stderr, "%s\n", report->text);
    exit(1);
}

static FILE *unpack(const char *folder, const char *file, char *line, int size)
{
    char command[1000];
    snprintf(command, sizeof command, "gzip -dc '%s/magic/%s'", folder, file);
    FILE *f = popen(command, "r");
    if (!f || !fgets(line, size, f)) { fprintf(stderr, "%s: nothing to read\n", command); exit(1); }
    return f;
}

static void magic(const char *folder)
{
    char line[1000];
    FILE *f = unpack(folder, "magic.csv.gz", line, sizeof line);
    for (size_t i = 0; i < ROWS && fgets(line, sizeof line, f); i++) {
        char *at = line;
        for (size_t j = 0; j <= COLUMNS; j++, at++) table[i*(COLUMNS + 1) + j] = strtod(at, &at);
    }
    pclose(f);
    f = unpack(folder, "cv_masks.csv.gz", line, sizeof line);
    for (size_t i = 0; i < ROWS && fgets(line, sizeof line, f); i++)
        for (size_t k = 0; k < FOLDS; k++) mask[i*FOLDS + k] = line[2*k] == '1';
    pclose(f);
}

static void split(size_t fold)
{
    memset(&train, 0, sizeof train);
    memset(&held, 0, sizeof held);
    for (size_t i = 0; i < ROWS; i++) {
        bln_data *d = mask[i*FOLDS + fold] ? &held : &train;
        const double *row = table + i*(COLUMNS + 1);
        memcpy((d == &held ? test_X : X) + d->n*COLUMNS, row, COLUMNS*sizeof *row);
        (d == &held ? test_y : y)[d->n++] = row[COLUMNS];
    }
    for (size_t j = 0; j < COLUMNS; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < train.n; i++) mean += X[i*COLUMNS + j]/(double)train.n;
        for (size_t i = 0; i < train.n; i++) square += pow(X[i*COLUMNS + j] - mean, 2)/(double)train.n;
        for (size_t i = 0; i < train.n; i++) X[i*COLUMNS + j] = (X[i*COLUMNS + j] - mean)/sqrt(square);
        for (size_t i = 0; i < held.n; i++) test_X[i*COLUMNS + j] = (test_X[i*COLUMNS + j] - mean)/sqrt(square);
    }
    train.d = held.d = COLUMNS;
    train.X = X;
    train.y = y;
    held.X = test_X;
}

/* Features of all rows, and what they miss at a prior variance of 1. */
static void features(const bln_basis *basis, const double *theta, const bln_data *data, double *out, double *left)
{
    double *room = (double *)malloc((bln_basis_room(basis) + 1)*sizeof *room);
    double *work = (double *)malloc((bln_basis_work(basis, data->n) + 1)*sizeof *work);
    const bln_basis *at = bln_basis_bind(basis, theta, room);
    bln_basis_features(at, theta, data->n, data->X, COLUMNS, out, POINTS, work);
    for (size_t i = 0; i < data->n; i++) left[i] = fmax(0.0, 1.0 - bln_dot(POINTS, out + i*POINTS, out + i*POINTS));
    free(room);
    free(work);
}

/* ---- scores */

static void score(const double *p, double share, double spent, outcome *out)
{
    look *at = out->at + out->n++;
    at->spent = spent;
    at->loss = at->errors = 0.0;
    for (size_t i = 0; i < held.n; i++) {
        const double own = test_y[i] > 0.5 ? share*p[i] : 1.0 - share*p[i];
        at->loss -= log(own)/(double)held.n;
        at->errors += own < 0.5 ? 100.0/(double)held.n : 0.0;
    }
}

/* Draws [w | lambda ...]: probabilities are means over the first of them, of f normal with the variance that is missed. */
static void score_draws(const double *draws, size_t n, size_t ld, size_t lambda_at, double begin, double each, size_t warmup,
                        outcome *out)
{
    static double p[ROWS], f[ROWS];
    double z[NODES], w[NODES];
    blni_gauss_hermite(NODES, z, w);
    memset(p, 0, sizeof p);
    out->n = 0;
    out->lambda = 0.0;
    for (size_t s = 0; s < n; s++) {
        const double lambda = draws[s*ld + lambda_at];
        out->lambda += lambda/(double)n;
        bln_gemv(BLN_NOTRANS, held.n, POINTS, 1.0, test_Phi, POINTS, draws + s*ld, 0.0, f);
        for (size_t i = 0; i < held.n; i++) {
            const double sd = sqrt(lambda*test_missed[i]);
            for (size_t q = 0; q < NODES; q++) p[i] += w[q]/(1.0 + exp(-f[i] - sd*z[q]));
        }
        for (size_t k = 0; k < LOOKS; k++)
            if (looks[k] == s + 1 || (s + 1 == n && k + 1 == LOOKS)) {
                score(p, 1.0/(double)(s + 1), begin + each*(double)(warmup + s + 1), out);
                break;
            }
    }
}

/* ---- ways */

/* theta, lambda: from where to learn, theta is held; or NULL. */
static bln_glm *model(const bln_basis *basis, const double *theta, const double *lambda, bln_glm_method method)
{
    bln_glm_desc d = BLN_ZERO;
    bln_glm *glm = NULL;
    bln_report report = BLN_ZERO;
    d.basis = basis;
    d.likelihood = bln_likelihood_binomial(BLN_LINK_LOGIT);
    d.method = method;
    d.theta = theta;
    d.prior_var = lambda;
    d.fix_theta = theta != NULL;
    must(bln_glm_create(&d, &glm, &report), &report);
    return glm;
}

static void variational(bln_glm *glm, double before, outcome *out)
{
    static double p[ROWS];
    bln_report report = BLN_ZERO;
    const double begin = seconds();
    must(bln_glm_fit(glm, &train, &report), &report);
    const double spent = before + seconds() - begin;
    must(bln_glm_predict(glm, &held, p, NULL, NULL, NULL, &report), &report);
    out->n = 0;
    score(p, 1.0, spent, out);
    out->lambda = bln_glm_prior_var(glm)[0];
}

/* Leaves the fit open, for its prior. */
static bln_glm *gibbs(const bln_basis *basis, const double *theta, const double *lambda, bln_gibbs_missed how, double before,
                      outcome *out)
{
    bln_glm_gibbs_desc own = BLN_ZERO;
    bln_report report = BLN_ZERO;
    own.chains = 1;
    own.warmup = 80;
    own.draws = 160;
    own.missed = how;
    bln_glm *glm = model(basis, theta, lambda, bln_glm_gibbs(&own));
    const double begin = seconds();
    must(bln_glm_init(glm, &train, &report), &report);
    const blni_gibbs *t = (const blni_gibbs *)glm->fit->state;
    while (!t->keep.sampling) must(bln_glm_step(glm, &report), &report);
    const double middle = seconds();
    while (!bln_glm_converged(glm)) must(bln_glm_step(glm, &report), &report);
    const double each = (seconds() - middle)/(double)(own.warmup + own.draws);
    score_draws(bln_chains_table(t->all), own.draws, bln_chains_columns(t->all), POINTS, before + middle - begin, each, own.warmup,
                out);
    return glm;
}

/* The weights of a point of the sampler's coordinates z: w = m + s R^-1 z, where N(m, s (R'R)^-1 s) is the Gaussian of `full`. */
static void weights(const blni_gibbs *t, const double *z, double *w)
{
    memcpy(w, z, POINTS*sizeof *w);
    bln_trsv(BLN_NOTRANS, POINTS, t->R, POINTS, w);
    for (size_t j = 0; j < POINTS; j++) w[j] = t->m[j] + t->s[j]*w[j];
}

/* sum_n E log p(y_n | f_n), f_n ~ N(phi_n'w, lambda missed_n), with the priors of the Gibbs fit; q = [z | free lambda]. */
static bln_status expected(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    static double f[ROWS], d[ROWS], em[ROWS], ev[ROWS], el[ROWS];
    const blni_gibbs *t = (const blni_gibbs *)user;
    const bln_likelihood l = bln_likelihood_binomial(BLN_LINK_LOGIT);
    const bln_param *param = t->f->search.param;
    const double u = q[POINTS], lambda = bln_param_natural(param, u), step = 1e-5;
    double w[POINTS], by_lambda = 0.0;
    (void)report;
    weights(t, q, w);
    const double square = bln_dot(POINTS, w, w)/lambda;
    *value = blni_gibbs_prior(t, 0, u) - 0.5*(square + POINTS*log(lambda));
    bln_gemv(BLN_NOTRANS, train.n, POINTS, 1.0, Phi, POINTS, w, 0.0, f);
    for (size_t i = 0; i < train.n; i++) d[i] = lambda*missed[i];
    for (size_t i = 0; i < train.n; i += BLN_LIKELIHOOD_BLOCK) {
        bln_targets b = BLN_ZERO;
        b.y = y + i;
        blni_likelihood_expect(&l, NULL, blni_min(train.n - i, BLN_LIKELIHOOD_BLOCK), &b, f + i, d + i, 1e-7, el + i, em + i,
                               ev + i, NULL, 0);
    }
    for (size_t i = 0; i < train.n; i++) {
        *value += el[i];
        by_lambda += ev[i]*missed[i];
    }
    if (!gradient) return BLN_OK;
    for (size_t j = 0; j < POINTS; j++) gradient[j] = -w[j]/lambda;
    bln_gemv(BLN_TRANS, train.n, POINTS, 1.0, Phi, POINTS, em, 1.0, gradient);
    for (size_t j = 0; j < POINTS; j++) gradient[j] *= t->s[j];
    bln_trsv(BLN_TRANS, POINTS, t->R, POINTS, gradient);
    gradient[POINTS] = (by_lambda + 0.5*(square - POINTS)/lambda)*bln_param_slope(param, u)
                       + (blni_gibbs_prior(t, 0, u + step) - blni_gibbs_prior(t, 0, u - step))/(2.0*step);
    return BLN_OK;
}

/* From the posterior mean of `full`. */
static void nuts(const blni_gibbs *t, double before, outcome *out)
{
    static double start[POINTS + 1], draws[60*(POINTS + 1)];
    bln_hmc_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    bln_report report = BLN_ZERO;
    const bln_param *param = t->f->search.param;
    start[POINTS] = bln_param_free(param, t->f->hyper.prior_var[0]);
    desc.density.dim = POINTS + 1;
    desc.density.eval = expected;
    desc.density.user = (void *)(uintptr_t)t;
    desc.chains = 1;
    desc.warmup = 60;
    desc.draws = 60;
    desc.start = start;
    const double begin = seconds();
    must(bln_hmc_sample(&desc, &c, &report), &report);
    const double each = (seconds() - begin)/(double)(desc.warmup + desc.draws);
    out->gradients = 0.0;
    for (size_t s = 0; s < desc.draws; s++) {
        const double *q = bln_chains_table(c) + s*bln_chains_columns(c);
        out->gradients += q[bln_chains_find(c, "n_leapfrog__")]/(double)desc.draws;
        weights(t, q, draws + s*(POINTS + 1));
        draws[s*(POINTS + 1) + POINTS] = bln_param_natural(param, q[POINTS]);
    }
    score_draws(draws, desc.draws, POINTS + 1, POINTS, before, each, desc.warmup, out);
    bln_chains_free(c);
}

static void run(size_t fold)
{
    static double points[POINTS*COLUMNS];
    bln_inducing_select_desc select = BLN_ZERO;
    bln_inducing_desc d = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_report report = BLN_ZERO;
    outcome *o = found[fold];
    double theta, lambda;
    split(fold);
    select.n = POINTS;
    must(bln_inducing_select(&select, &train, points, NULL, NULL, &d.n, &report), &report);
    d.d = COLUMNS;
    d.points = points;
    d.length_scale = sqrt((double)COLUMNS);
    must(bln_inducing_create(&d, &basis, &report), &report);
    bln_glm *glm = model(basis, NULL, NULL, bln_glm_full(NULL));
    variational(glm, 0.0, o + FULL);
    const double before = o[FULL].at->spent;
    theta = bln_glm_theta(glm)[0];
    lambda = bln_glm_prior_var(glm)[0];
    bln_glm_free(glm);
    features(basis, &theta, &train, Phi, missed);
    features(basis, &theta, &held, test_Phi, test_missed);
    glm = model(basis, &theta, &lambda, bln_glm_cavi(NULL));
    variational(glm, before, o + CAVI);
    bln_glm_free(glm);
    for (int k = IGNORED; k <= DRAWN; k++) {
        glm = gibbs(basis, &theta, &lambda, (bln_gibbs_missed)(k - IGNORED), before, o + k);
        if (k == IGNORED) nuts((const blni_gibbs *)glm->fit->state, before, o + EXPECTED);
        bln_glm_free(glm);
    }
    bln_basis_free(basis);
    double mean = 0.0;
    for (size_t i = 0; i < train.n; i++) mean += missed[i]/(double)train.n;
    for (int k = FULL; k < WAYS; k++) o[k].missed = mean;
    printf("fold %lu: length scale %.3f, %.1f s; missed %.2g of the prior variance %.3g;", (unsigned long)fold, theta,
           before, mean, lambda);
    for (int k = FULL; k < WAYS; k++)
        printf(" %.5f (%.1f s, %.3g)", o[k].at[o[k].n - 1].loss, o[k].at[o[k].n - 1].spent, o[k].lambda);
    puts("");
    fflush(stdout);
}

/* ---- what is shown */

static double mean_of(size_t folds, int way, int what, size_t at, int against, double *error)
{
    double sum = 0.0, square = 0.0;
    for (size_t f = 0; f < folds; f++) {
        double x[2] = { 0.0, 0.0 };
        for (int s = 0; s < 2; s++) {
            const int k = s ? against : way;
            if (k < 0) continue;
            const look *l = found[f][k].at + (at == BLN_NONE ? found[f][k].n - 1 : at);
            x[s] = what == 0 ? l->loss : what == 1 ? l->errors : what == 2 ? l->spent : found[f][k].lambda;
        }
        sum += x[0] - x[1];
        square += (x[0] - x[1])*(x[0] - x[1]);
    }
    const double n = (double)folds, mean = sum/n;
    if (error) *error = sqrt(fmax(0.0, square/n - mean*mean)/(n - 1.0));
    return mean;
}

static void tables(size_t folds)
{
    puts("| way | log loss | errors, % | seconds | prior variance | log loss less that of `full` | less that of `cavi` |"
         " errors less those of `full`, % |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (int k = FULL; k < WAYS; k++) {
        double error;
        printf("| %s | %.5f | %.2f | %.1f | %.2g |", ways[k].name, mean_of(folds, k, 0, BLN_NONE, -1, NULL),
               mean_of(folds, k, 1, BLN_NONE, -1, NULL), mean_of(folds, k, 2, BLN_NONE, -1, NULL),
               mean_of(folds, k, 3, BLN_NONE, -1, NULL));
        for (int c = FULL; c <= CAVI; c++) {
            const double mean = mean_of(folds, k, 0, BLN_NONE, c, &error);
            printf(k == c ? " |" : " %.5f +- %.5f |", mean, error);
        }
        const double mean = mean_of(folds, k, 1, BLN_NONE, FULL, &error);
        printf(k == FULL ? " |\n" : " %.2f +- %.2f |\n", mean, error);
    }
    double gradients = 0.0;
    for (size_t f = 0; f < folds; f++) gradients += found[f][EXPECTED].gradients/(double)folds;
    printf("gradients of a draw of NUTS: %.1f\n", gradients);
    fflush(stdout);
}

static void picture(FILE *file, size_t folds)
{
    enum { WIDTH = 560, HEIGHT = 380 };
    plot_sheet(file, 2*WIDTH, HEIGHT);
    for (int what = 0; what < 2; what++) {
        plot_figure p;
        plot_desc d;
        double low = 1e9, high = -1e9, from = 1e9, to = 0.0;
        for (int k = FULL; k < WAYS; k++)
            for (size_t i = 0; i < found[0][k].n; i++) {
                const double v = mean_of(folds, k, what, i, -1, NULL), s = mean_of(folds, k, 2, i, -1, NULL);
                low = fmin(low, v);
                from = fmin(from, s);
                to = fmax(to, s);
                if (i >= 2 || k <= CAVI) high = fmax(high, v);
            }
        memset(&d, 0, sizeof d);
        d.id = what;
        d.x = what*WIDTH;
        d.width = WIDTH;
        d.height = HEIGHT;
        d.top = 106;
        d.title = what ? "errors of held-out rows, %" : "log loss of held-out rows";
        d.x_label = "seconds of one core";
        d.x_log = 1;
        d.x_low = log10(from) - 0.1;
        d.x_high = log10(to) + 0.1;
        d.y_low = low - 0.06*(high - low);
        d.y_high = high + 0.06*(high - low);
        plot_panel_of(&p, file, &d);
        for (int k = FULL; k < WAYS; k++) {
            double x[LOOKS], v[LOOKS];
            const size_t n = found[0][k].n;
            plot_style(&p, (size_t)k);
            p.dash = "";
            for (size_t i = 0; i < n; i++) {
                x[i] = log10(mean_of(folds, k, 2, i, -1, NULL));
                v[i] = mean_of(folds, k, what, i, -1, NULL);
            }
            if (n > 1) plot_line(&p, n, x, v, ways[k].color, NULL);
            plot_points(&p, n, x, v, ways[k].color, ways[k].name);
        }
        plot_panel_end(&p);
    }
    plot_sheet_end(file);
}

int main(int argc, char **argv)
{
    if (argc < 2) { fputs("bench_sparse DATA [PICTURE.svg [FOLDS]]\n", stderr); return 1; }
    const size_t folds = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : FOLDS;
    magic(argv[1]);
    for (size_t f = 0; f < folds && f < FOLDS; f++) {
        run(f);
        if (f == 0) continue;
        tables(f + 1);
        FILE *file = argc > 2 ? fopen(argv[2], "w") : NULL;
        if (argc > 2 && !file) { perror(argv[2]); return 1; }
        if (file) picture(file, f + 1);
        if (file && fclose(file)) return 1;
    }
    return 0;
}

/* bench_sparse.c - what sparse targets predict: magic, two classes, 50 inducing points, ten folds
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_sparse.c -o build/bench_sparse -lm
 *     build/bench_sparse DATA [PICTURE.svg [FOLDS [WAYS [TIMES]]]]     from the top of the project, for docs/sparse_targets.md
 *
 * DATA holds magic/magic.csv.gz and magic/cv_masks.csv.gz (bench/README.md says where from), which gzip unpacks. In each fold
 * inputs are standardised by the training rows, and points are chosen by k-means. `full`, `cavi`, and `cavi` by the bound of its
 * sweeps alone learn one length scale and the prior variance, each by its own bound. Samplers hold the length scale that `full` has
 * learnt, or draw it too, with the prior that `full` has for it.
 *
 * Samplers: one chain. Gibbs 80 sweeps of warm-up and 160 draws; the no-U-turn sampler 60 and 60, in coordinates in which the
 * Gaussian of `full` is standard, on the target of Hensman, Matthews, Filippone & Ghahramani 2015 (E log p), and on that of Gibbs
 * with the bound (ell), whose density the bench computes from its definition. Seconds are of one thread, and those of a sampler
 * include the fit by `full` at which it begins.
 *
 * WAYS beside `full` and `cavi`: `held` and `drawn` are those with the length scale held and drawn, `bound` is Gibbs with the
 * bound, the length scale drawn; `all` of them by default. TIMES (1 to 10): how many times as long the chains are. */
#define _DEFAULT_SOURCE
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "peak.h"
#include "../tools/plot.h"
#include <stdio.h>

enum { ROWS = 19020, COLUMNS = 10, FOLDS = 10, POINTS = 50, LOOKS = 8, NODES = 20, MOST_TIMES = 10 };

enum { FULL, CAVI, SWEEPS, IGNORED, BOUND, DRAWN, EXPECTED, COLLAPSED, THETA_IGNORED, THETA_BOUND, THETA_DRAWN, WAYS };
typedef struct way { const char *name, *color, *dash; plot_shape shape; int shown; } way;
static const way ways[WAYS] = {
    { "full", "#444444", "", PLOT_CIRCLE, 1 }, { "cavi", "#c0392b", "", PLOT_SQUARE, 1 },
    { "cavi, sweeps alone", "#c0392b", "", PLOT_DIAMOND, 1 }, { "Gibbs, ignored", "#8e4fa8", "", PLOT_TRIANGLE, 1 },
    { "Gibbs, bound (alpha = 0)", "#1f4e8c", "", PLOT_DIAMOND, 1 }, { "Gibbs, drawn (alpha = 1)", "#2a8a57", "", PLOT_CROSS, 1 },
    { "NUTS, E log p", "#e08214", "", PLOT_DOWN, 1 }, { "NUTS, ell (alpha = 0)", "", "", PLOT_DOWN, 0 },
    { "ignored, length scale drawn", "#8e4fa8", "6 3", PLOT_TRIANGLE, 1 },
    { "bound, length scale drawn", "#1f4e8c", "6 3", PLOT_DIAMOND, 1 },
    { "drawn, length scale drawn", "#2a8a57", "6 3", PLOT_CROSS, 1 }
};
static const size_t looks[LOOKS] = { 1, 2, 5, 10, 20, 40, 80, 160 };

typedef struct look { double loss, errors, spent; } look;
typedef struct outcome { look at[LOOKS]; size_t n; double theta, lambda, gradients; } outcome;

static double table[ROWS*(COLUMNS + 1)], X[ROWS*COLUMNS], y[ROWS], test_X[ROWS*COLUMNS], test_y[ROWS];
static double Phi[ROWS*POINTS], missed[ROWS];
static double test_Phi[ROWS*POINTS], test_missed[ROWS];
static unsigned char mask[ROWS*FOLDS];
static bln_data train, held;
static outcome found[FOLDS][WAYS];
static size_t times = 1;
static const char *which = "all";

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

/* Draws [w | lambda | theta if basis is not NULL ...]: probabilities are means over the first of them, of f normal with the
 * variance that is missed. */
static void score_draws(const bln_basis *basis, const double *draws, size_t n, size_t ld, double begin, double each, size_t warmup,
                        outcome *out)
{
    static double p[ROWS], f[ROWS];
    double z[NODES], w[NODES];
    blni_gauss_hermite(NODES, z, w);
    memset(p, 0, sizeof p);
    out->n = 0;
    out->lambda = 0.0;
    if (basis) out->theta = 0.0;
    for (size_t s = 0; s < n; s++) {
        const double lambda = draws[s*ld + POINTS], *theta = draws + s*ld + POINTS + 1;
        out->lambda += lambda/(double)n;
        if (basis) {
            out->theta += *theta/(double)n;
            features(basis, theta, &held, test_Phi, test_missed);
        }
        bln_gemv(BLN_NOTRANS, held.n, POINTS, 1.0, test_Phi, POINTS, draws + s*ld, 0.0, f);
        for (size_t i = 0; i < held.n; i++) {
            const double sd = sqrt(lambda*test_missed[i]);
            for (size_t q = 0; q < NODES; q++) p[i] += w[q]/(1.0 + exp(-f[i] - sd*z[q]));
        }
        for (size_t k = 0; k < LOOKS; k++)
            if (looks[k]*times == s + 1 || (s + 1 == n && k + 1 == LOOKS)) {
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
    out->theta = bln_glm_theta(glm)[0];
    out->lambda = bln_glm_prior_var(glm)[0];
    printf("%s: bound %.3f; ", bln_glm_method_name(glm), bln_glm_objective(glm));
}

/* What the draws of column k are worth. */
static void worth(const bln_chains *all, const char *name)
{
    bln_summary s;
    bln_report report = BLN_ZERO;
    must(bln_chains_summary(all, bln_chains_find(all, name), &s, &report), &report);
    printf("%s %.4g +- %.2g (sd %.2g), ESS %.0f, R-hat %.3f; ", name, s.mean, s.mcse_mean, s.sd, s.ess_bulk, s.rhat);
}

/* Leaves the fit open, for its prior. theta NULL: it is drawn. */
static bln_glm *gibbs(const bln_basis *basis, const double *theta, const double *lambda, bln_gibbs_missed how, double before,
                      outcome *out)
{
    bln_glm_gibbs_desc own = BLN_ZERO;
    bln_report report = BLN_ZERO;
    own.chains = 1;
    own.warmup = 80*times;
    own.draws = 160*times;
    own.missed = how;
    own.draw_theta = !theta;
    bln_glm *glm = model(basis, theta, lambda, bln_glm_gibbs(&own));
    const double begin = seconds();
    must(bln_glm_init(glm, &train, &report), &report);
    const blni_gibbs *t = (const blni_gibbs *)glm->fit->state;
    while (!t->keep.sampling) must(bln_glm_step(glm, &report), &report);
    const double middle = seconds();
    while (!bln_glm_converged(glm)) must(bln_glm_step(glm, &report), &report);
    const double each = (seconds() - middle)/(double)(own.warmup + own.draws);
    score_draws(theta ? NULL : basis, bln_chains_table(t->all), own.chains*own.draws, bln_chains_columns(t->all),
                before + middle - begin, each, own.warmup, out);
    printf("%s: ", ways[out - found[(out - found[0])/WAYS]].name);
    worth(t->all, "prior_var[1]");
    if (!theta) worth(t->all, "theta[1]");
    worth(t->all, "lp__");
    return glm;
}

/* The weights of a point of the sampler's coordinates z: w = m + s R^-1 z, where N(m, s (R'R)^-1 s) is the Gaussian of `full`. */
static void weights(const blni_gibbs *t, const double *z, double *w)
{
    memcpy(w, z, POINTS*sizeof *w);
    bln_trsv(BLN_NOTRANS, POINTS, t->R, POINTS, w);
    for (size_t j = 0; j < POINTS; j++) w[j] = t->m[j] + t->s[j]*w[j];
}

/* E log p(y_n | f_n), f_n ~ N(f, d), of all rows, by quadrature, with its slopes by f and d. */
static void expect(const double *f, const double *d, double *el, double *ef, double *ed)
{
    const bln_likelihood l = bln_likelihood_binomial(BLN_LINK_LOGIT);
    for (size_t i = 0; i < train.n; i += BLN_LIKELIHOOD_BLOCK) {
        bln_targets b = BLN_ZERO;
        b.y = y + i;
        blni_likelihood_expect(&l, NULL, blni_min(train.n - i, BLN_LIKELIHOOD_BLOCK), &b, f + i, d + i, 1e-7, el + i, ef + i,
                               ed + i, NULL, 0);
    }
}

/* ell [augmentation 3] in its place: (y - 1/2) f - log 2 cosh(c/2), c^2 = f^2 + d. */
static void collapse(const double *f, const double *d, double *el, double *ef, double *ed)
{
    for (size_t i = 0; i < train.n; i++) {
        const double c = sqrt(f[i]*f[i] + d[i]), by_square = c > 1e-6 ? tanh(0.5*c)/(4.0*c) : 0.125;
        el[i] = (y[i] - 0.5)*f[i] - 0.5*c - log1p(exp(-c));
        ef[i] = y[i] - 0.5 - 2.0*by_square*f[i];
        ed[i] = -by_square;
    }
}

typedef struct target {
    const blni_gibbs *t;
    void (*rows)(const double *f, const double *d, double *el, double *ef, double *ed);
} target;

/* The sum over rows, with the priors of the Gibbs fit; q = [z | free lambda]. */
static bln_status density(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    static double f[ROWS], d[ROWS], ef[ROWS], ed[ROWS], el[ROWS];
    const target *own = (const target *)user;
    const blni_gibbs *t = own->t;
    const bln_param *param = t->f->search.param;
    const double u = q[POINTS], lambda = bln_param_natural(param, u), step = 1e-5;
    double w[POINTS], by_lambda = 0.0;
    (void)report;
    weights(t, q, w);
    const double square = bln_dot(POINTS, w, w)/lambda;
    *value = blni_gibbs_prior(t, 0, u) - 0.5*(square + POINTS*log(lambda));
    bln_gemv(BLN_NOTRANS, train.n, POINTS, 1.0, Phi, POINTS, w, 0.0, f);
    for (size_t i = 0; i < train.n; i++) d[i] = lambda*missed[i];
    own->rows(f, d, el, ef, ed);
    for (size_t i = 0; i < train.n; i++) {
        *value += el[i];
        by_lambda += ed[i]*missed[i];
    }
    if (!gradient) return BLN_OK;
    for (size_t j = 0; j < POINTS; j++) gradient[j] = -w[j]/lambda;
    bln_gemv(BLN_TRANS, train.n, POINTS, 1.0, Phi, POINTS, ef, 1.0, gradient);
    for (size_t j = 0; j < POINTS; j++) gradient[j] *= t->s[j];
    bln_trsv(BLN_TRANS, POINTS, t->R, POINTS, gradient);
    gradient[POINTS] = (by_lambda + 0.5*(square - POINTS)/lambda)*bln_param_slope(param, u)
                       + (blni_gibbs_prior(t, 0, u + step) - blni_gibbs_prior(t, 0, u - step))/(2.0*step);
    return BLN_OK;
}

/* At the mean and prior variance of `full`: by how much ell is below E log p, and how that grows with log lambda. */
static void gap(const blni_gibbs *t)
{
    static double f[ROWS], d[ROWS], ef[ROWS], ed[2][ROWS], el[2][ROWS];
    const double lambda = t->f->hyper.prior_var[0];
    double below = 0.0, slope = 0.0;
    bln_gemv(BLN_NOTRANS, train.n, POINTS, 1.0, Phi, POINTS, t->m, 0.0, f);
    for (size_t i = 0; i < train.n; i++) d[i] = lambda*missed[i];
    expect(f, d, el[0], ef, ed[0]);
    collapse(f, d, el[1], ef, ed[1]);
    for (size_t i = 0; i < train.n; i++) {
        below += el[0][i] - el[1][i];
        slope += (ed[0][i] - ed[1][i])*d[i];
    }
    printf("E log p less ell %.3f, its slope by log prior_var %.3f; ", below, slope);
}

/* From the posterior mean of `full`. */
static void nuts(const blni_gibbs *t, int collapsed, double before, outcome *out)
{
    static double start[POINTS + 1], draws[60*MOST_TIMES*(POINTS + 1)];
    bln_hmc_desc desc = BLN_ZERO;
    bln_chains *c = NULL;
    bln_report report = BLN_ZERO;
    target own = { t, collapsed ? collapse : expect };
    const bln_param *param = t->f->search.param;
    start[POINTS] = bln_param_free(param, t->f->hyper.prior_var[0]);
    desc.density.dim = POINTS + 1;
    desc.density.eval = density;
    desc.density.user = &own;
    desc.chains = 1;
    desc.warmup = desc.draws = 60*times;
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
    score_draws(NULL, draws, desc.draws, POINTS + 1, before, each, desc.warmup, out);
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
    split(fold);
    select.n = POINTS;
    must(bln_inducing_select(&select, &train, points, NULL, NULL, &d.n, &report), &report);
    d.d = COLUMNS;
    d.points = points;
    d.length_scale = sqrt((double)COLUMNS);
    must(bln_inducing_create(&d, &basis, &report), &report);
    printf("fold %lu: ", (unsigned long)fold);
    for (int k = FULL; k <= SWEEPS; k++) {
        if (k == SWEEPS && strcmp(which, "all")) continue;
        const bln_glm_cavi_desc own = { k == SWEEPS ? BLN_CAVI_COLLAPSED : BLN_CAVI_TIGHT, BLN_CAVI_ACCELERATED, { 0, BLN_SGD_ADAM,
                                        0.0, 0.0 } };
        bln_glm *glm = model(basis, NULL, NULL, k == FULL ? bln_glm_full(NULL) : bln_glm_cavi(&own));
        variational(glm, 0.0, o + k);
        bln_glm_free(glm);
    }
    const double theta = o[FULL].theta, lambda = o[FULL].lambda, before = o[FULL].at->spent;
    features(basis, &theta, &train, Phi, missed);
    for (int k = IGNORED; k < WAYS; k++) {
        const int drawn = k >= THETA_IGNORED;
        o[k].theta = theta;
        if (k == EXPECTED || k == COLLAPSED || !strcmp(which, drawn ? "held" : "drawn")) continue;
        if (!strcmp(which, "bound") && k != THETA_BOUND) continue;
        if (!drawn) features(basis, &theta, &held, test_Phi, test_missed);
        bln_glm *glm = gibbs(basis, drawn ? NULL : &theta, drawn ? NULL : &lambda,
                             (bln_gibbs_missed)(k - (drawn ? THETA_IGNORED : IGNORED)), drawn ? 0.0 : before, o + k);
        if (k == IGNORED) gap((const blni_gibbs *)glm->fit->state);
        for (int s = 0; s < 2 && k == IGNORED; s++) nuts((const blni_gibbs *)glm->fit->state, s, before, o + EXPECTED + s);
        bln_glm_free(glm);
    }
    bln_basis_free(basis);
    double mean = 0.0;
    for (size_t i = 0; i < train.n; i++) mean += missed[i]/(double)train.n;
    printf("length scale %.3f, %.1f s; missed %.2g of the prior variance %.3g;", theta, before, mean, lambda);
    for (int k = FULL; k < WAYS; k++)
        if (o[k].n) printf(" %s %.5f (%.1f s, %.3g, %.3g)", ways[k].name, o[k].at[o[k].n - 1].loss, o[k].at[o[k].n - 1].spent,
                           o[k].theta, o[k].lambda);
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
            x[s] = what == 0 ? l->loss : what == 1 ? l->errors : what == 2 ? l->spent : what == 3 ? found[f][k].lambda
                   : found[f][k].theta;
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
    puts("| way | log loss | errors, % | seconds | length scale | prior variance | log loss less that of `full` |"
         " less that of `cavi` | errors less those of `full`, % |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (int k = FULL; k < WAYS; k++) {
        double error;
        if (!found[0][k].n) continue;
        printf("| %s | %.5f | %.2f | %.1f | %.3g | %.2g |", ways[k].name, mean_of(folds, k, 0, BLN_NONE, -1, NULL),
               mean_of(folds, k, 1, BLN_NONE, -1, NULL), mean_of(folds, k, 2, BLN_NONE, -1, NULL),
               mean_of(folds, k, 4, BLN_NONE, -1, NULL), mean_of(folds, k, 3, BLN_NONE, -1, NULL));
        for (int c = FULL; c <= CAVI; c++) {
            const double mean = mean_of(folds, k, 0, BLN_NONE, c, &error);
            printf(k == c ? " |" : " %.5f +- %.5f |", mean, error);
        }
        const double mean = mean_of(folds, k, 1, BLN_NONE, FULL, &error);
        printf(k == FULL ? " |\n" : " %.2f +- %.2f |\n", mean, error);
    }
    for (int k = EXPECTED; k <= COLLAPSED; k++) {
        double gradients = 0.0;
        if (!found[0][k].n) continue;
        for (size_t f = 0; f < folds; f++) gradients += found[f][k].gradients/(double)folds;
        printf("%s: gradients of a draw %.1f\n", ways[k].name, gradients);
    }
    for (int k = BOUND; k <= THETA_BOUND; k += THETA_BOUND - BOUND) {
        double error;
        const int other = k == BOUND ? COLLAPSED : SWEEPS;
        if (!found[0][k].n || !found[0][other].n) continue;
        const double mean = mean_of(folds, k, 0, BLN_NONE, other, &error);
        printf("log loss of %s less that of %s: %.5f +- %.5f\n", ways[k].name, ways[other].name, mean, error);
    }
    fflush(stdout);
}

static void picture(FILE *file, size_t folds)
{
    enum { WIDTH = 560, HEIGHT = 400 };
    plot_sheet(file, 2*WIDTH, HEIGHT);
    for (int what = 0; what < 2; what++) {
        plot_figure p;
        plot_desc d;
        double low = 1e9, high = -1e9, from = 1e9, to = 0.0;
        for (int k = FULL; k < WAYS; k++)
            for (size_t i = 0; i < found[0][k].n && ways[k].shown; i++) {
                const double v = mean_of(folds, k, what, i, -1, NULL), s = mean_of(folds, k, 2, i, -1, NULL);
                low = fmin(low, v);
                from = fmin(from, s);
                to = fmax(to, s);
                if (i >= 2 || k <= SWEEPS) high = fmax(high, v);
            }
        memset(&d, 0, sizeof d);
        d.id = what;
        d.x = what*WIDTH;
        d.width = WIDTH;
        d.height = HEIGHT;
        d.top = 124;
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
            if (!ways[k].shown || !found[0][k].n) continue;
            p.shape = ways[k].shape;
            p.dash = ways[k].dash;
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
    if (argc < 2) { fputs("bench_sparse DATA [PICTURE.svg [FOLDS [WAYS [TIMES]]]]\n", stderr); return 1; }
    const size_t folds = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : FOLDS;
    if (argc > 4) which = argv[4];
    if (argc > 5) times = blni_min((size_t)strtoul(argv[5], NULL, 10), MOST_TIMES);
    magic(argv[1]);
    for (size_t f = 0; f < folds && f < FOLDS; f++) {
        run(f);
        if (f == 0) continue;
        tables(f + 1);
        FILE *file = argc > 2 && *argv[2] ? fopen(argv[2], "w") : NULL;
        if (argc > 2 && *argv[2] && !file) { perror(argv[2]); return 1; }
        if (file) picture(file, f + 1);
        if (file && fclose(file)) return 1;
    }
    return 0;
}

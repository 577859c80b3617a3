/* bench_families.c - how often 95 % intervals hold by the default method and with hyper-parameters integrated
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_families.c -o build/bench_families -lm
 *     build/bench_families [fixed] [nuts] [sets [n ...]]
 *
 * Truths are drawn from the priors that >>glm states: the sd of the weights of 1 and x, both N(0, sd^2), is half-Student-t(3) of
 * scale 2.5 in units of f; size, scale and degrees of freedom from theirs, where sd(y) is 1; x standard normal. slope: coverage of
 * the weight of x. new y: at a new x, how often the probability transform, randomised for discrete y, lies between 0.025 and 0.975.
 * With `fixed` weights are those of a grid in turn, constant -1, 0, 1 and slope 0, 0.25, 0.5, 1, 2, with noise sd or scale 1,
 * size 10 and 4 degrees of freedom: then no prior is true. width: mean of the interval of the slope over that of the default.
 * With `nuts` three more columns say what the posterior itself holds: 2 chains of 1000 draws of each set.
 * The standard error of a percentage near 95 is 0.35 at 4000 sets. Sets with counts above 1e6 are drawn anew. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>

enum { MOST = 400, WAYS = 3 };

typedef enum family { GAUSSIAN, POISSON, BERNOULLI, BINOMIAL, NEGATIVE_BINOMIAL, STUDENT_T, FAMILIES } family;
static const double grid_constant[3] = { -1.0, 0.0, 1.0 }, grid_slope[5] = { 0.0, 0.25, 0.5, 1.0, 2.0 };
static const char *const names[FAMILIES] = {
    "gaussian", "poisson", "bernoulli", "binomial of 10", "negative binomial", "student_t"
};

typedef struct truth { double w[2], eta[2]; } truth;
typedef struct set { size_t n; double x[MOST + 1], y[MOST + 1], trials[MOST + 1]; } set;
typedef struct tally { size_t fits, slope, y; double width; } tally;

static bln_likelihood likelihood_of(family f)
{
    switch (f) {
    case GAUSSIAN:          return bln_likelihood_gaussian();
    case POISSON:           return bln_likelihood_poisson(BLN_LINK_LOG);
    case NEGATIVE_BINOMIAL: return bln_likelihood_negative_binomial();
    case STUDENT_T:         return bln_likelihood_student_t();
    default:                return bln_likelihood_binomial(BLN_LINK_LOGIT);
    }
}

static double half_t(bln_rng *rng, double scale)
{
    double z[4];
    bln_rng_normals(rng, 4, z);
    return scale*fabs(z[0])/sqrt((z[1]*z[1] + z[2]*z[2] + z[3]*z[3])/3.0);
}

static truth draw_truth(family f, bln_rng *rng)
{
    truth t = BLN_ZERO;
    double z[4];
    bln_rng_normals(rng, 4, z);
    const double sd = half_t(rng, 2.5), scale = half_t(rng, 2.5);
    t.w[0] = sd*z[0];
    t.w[1] = sd*z[1];
    if (f == NEGATIVE_BINOMIAL) t.eta[0] = 10.0*exp(1.5*z[2]);
    if (f == GAUSSIAN) t.eta[0] = scale*scale;
    if (f == STUDENT_T) { t.eta[0] = scale; t.eta[1] = 4.0*exp(1.5*z[3]); }
    return t;
}

static truth fixed_truth(family f, size_t i)
{
    truth t = BLN_ZERO;
    t.w[0] = grid_constant[i/5 % 3];
    t.w[1] = grid_slope[i % 5];
    t.eta[0] = f == NEGATIVE_BINOMIAL ? 10.0 : 1.0;
    t.eta[1] = 4.0;
    return t;
}

/* n rows and a new one. 0: an overflow. */
static int draw_set(family f, const truth *t, size_t n, bln_rng *rng, set *s)
{
    const bln_likelihood l = likelihood_of(f);
    double at[MOST + 1];
    bln_targets targets = BLN_ZERO;
    s->n = n;
    bln_rng_normals(rng, n + 1, s->x);
    for (size_t i = 0; i <= n; i++) { s->trials[i] = f == BINOMIAL ? 10.0 : 1.0; at[i] = t->w[0] + t->w[1]*s->x[i]; }
    targets.trials = f == BINOMIAL ? s->trials : NULL;
    targets.y = s->y;
    bln_likelihood_draw(&l, t->eta, n + 1, &targets, at, rng, s->y);
    for (size_t i = 0; i <= n; i++) if (!(fabs(s->y[i]) < 1e6)) return 0;
    return 1;
}

static bln_data view(family f, const set *s, size_t first, size_t n)
{
    bln_data d = BLN_ZERO;
    d.n = n;
    d.d = 1;
    d.X = s->x + first;
    d.y = s->y + first;
    if (f == BINOMIAL) d.trials = s->trials + first;
    return d;
}

static void count(bln_glm *glm, family f, const set *s, const truth *t, uint64_t number, tally *sum)
{
    static const double level[2] = { 0.025, 0.975 };
    const bln_data rows = view(f, s, 0, s->n), there = view(f, s, s->n, 1);
    double quantile[4], pit;
    bln_report report;
    bln_status status = bln_glm_fit(glm, &rows, &report);
    const bln_posterior *q = bln_glm_posterior(glm);
    if (status == BLN_OK) status = bln_posterior_coefficients(q, NULL, NULL, 2, level, quantile, NULL, &report);
    if (status == BLN_OK) status = bln_posterior_pits(q, &there, number, &pit, NULL, &report);
    if (status != BLN_OK) return;
    sum->fits++;
    sum->slope += quantile[2] <= t->w[1] && t->w[1] <= quantile[3];
    sum->y += pit >= 0.025 && pit <= 0.975;
    sum->width += log(quantile[3] - quantile[2]);
}

static void cell(family f, size_t n, size_t sets, int fixed, size_t ways, bln_basis *b)
{
    tally sum[WAYS] = BLN_ZERO;
    bln_glm_nuts_desc nuts = BLN_ZERO;
    bln_glm *glm[WAYS];
    bln_rng rng;
    set s;
    bln_rng_seed(&rng, 7, 100*n + (size_t)f);
    nuts.chains = 2;
    nuts.draws = 1000;
    for (size_t k = 0; k < ways; k++) {
        bln_glm_desc d = BLN_ZERO;
        d.basis = b;
        d.likelihood = likelihood_of(f);
        if (k) d.method = k == 1 ? bln_glm_integrated(NULL) : bln_glm_nuts(&nuts);
        if (bln_glm_create(&d, &glm[k], NULL) != BLN_OK) exit(1);
    }
    for (size_t i = 0; i < sets; ) {
        const truth t = fixed ? fixed_truth(f, i) : draw_truth(f, &rng);
        if (!draw_set(f, &t, n, &rng, &s)) continue;
        for (size_t k = 0; k < ways; k++) count(glm[k], f, &s, &t, i, sum + k);
        i++;
    }
    printf("%-18s %4lu", names[f], (unsigned long)n);
    for (size_t k = 0; k < ways; k++)
        printf("    %6.1f %6.1f %5lu", 100.0*(double)sum[k].slope/(double)sum[k].fits, 100.0*(double)sum[k].y/(double)sum[k].fits,
               (unsigned long)(sets - sum[k].fits));
    printf("  %6.2f\n", exp(sum[1].width/(double)sum[1].fits - sum[0].width/(double)sum[0].fits));
    fflush(stdout);
    for (size_t k = 0; k < ways; k++) bln_glm_free(glm[k]);
}

int main(int argc, char **argv)
{
    static const size_t usual[] = { 3, 5, 8, 30, 100 };
    const int fixed = argc > 1 && !strcmp(argv[1], "fixed");
    argc -= fixed;
    argv += fixed;
    const int nuts = argc > 1 && !strcmp(argv[1], "nuts");
    argc -= nuts;
    argv += nuts;
    const size_t sets = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 4000;
    bln_basis *b;
    if (bln_linear_create(NULL, 1, 1, &b) != BLN_OK) return 1;
    printf("coverage in %%, %lu sets  default: slope  new y  none   integrated: slope  new y  none%s   width\n",
           (unsigned long)sets, nuts ? "   nuts: slope  new y  none" : "");
    for (int f = 0; f < FAMILIES; f++)
        for (size_t i = 0; i < (argc > 2 ? (size_t)(argc - 2) : sizeof usual/sizeof *usual); i++) {
            const size_t n = argc > 2 ? (size_t)strtoul(argv[2 + i], NULL, 10) : usual[i];
            if (n > 0 && n <= MOST) cell((family)f, n, sets, fixed, nuts ? 3 : 2, b);
        }
    bln_basis_free(b);
    return 0;
}

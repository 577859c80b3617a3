/* bench_calibration.c - do 95 % intervals of `gibbs` hold 95 %? Every family, hyper-parameters drawn
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_calibration.c -o build/bench_calibration -lm
 *     build/bench_calibration [FAMILY, or all [SETS [TIMES [ROWS]]]]
 *
 * Of each set of 10, 100 or 1000 rows hyper-parameters come from log-normal priors (width 1.5 in the log; about 0.3 for prior
 * variances, 0.5 for scales, the start for others), weights from theirs, targets from the likelihood, with bias and three standard
 * normal inputs for each latent. The fit is a whole one with these priors: the search of `full`, 200 sweeps of warm-up, 400 draws
 * of one chain. Shares of weights, and of targets of two new rows each (by their randomised probability transforms, of classes in
 * the order of their numbers), that the intervals from the 2.5 to the 97.5 % quantile hold. SETS (1000) of 10 rows, 3/4 of it of
 * 100, 1/8 of 1000; or SETS of ROWS alone. TIMES (1): how many times as many sweeps, of warm-up and of draws. The quantiles of a
 * few effective draws lie too near together: ESS is the median over sets of the least that a weight has. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <time.h>

enum { INPUTS = 3, ROWS = 1000, NEW = 2, DRAWS = 400, MOST = 10000, LATENTS = 3, FEATURES = INPUTS + 2,
       WEIGHTS = LATENTS*FEATURES };

static bln_likelihood family(size_t k)
{
    switch (k) {
    case 0:  return bln_likelihood_binomial(BLN_LINK_LOGIT);
    case 1:  return bln_likelihood_binomial(BLN_LINK_PROBIT);
    case 2:  return bln_likelihood_negative_binomial();
    case 3:  return bln_likelihood_poisson(BLN_LINK_LOGIT);
    case 4:  return bln_likelihood_gaussian();
    case 5:  return bln_likelihood_student_t();
    case 6:  return bln_likelihood_laplace();
    case 7:  return bln_likelihood_asymmetric_laplace(0.3);
    case 8:  return bln_likelihood_heteroscedastic();
    case 9:  return bln_likelihood_heteroscedastic_t();
    default: return bln_likelihood_logistic_softmax(3, (bln_softmax)(k - 10));
    }
}
enum { FAMILIES = 13 };

/* The stated prior of coordinate k, whatever the targets are. */
static void state_prior(const bln_likelihood *l, size_t k, size_t priors, blni_hyper_prior *p)
{
    bln_param param;
    p->form = BLNI_HYPER_LOG_NORMAL;
    p->power = 1.0;
    p->sparse = 0;
    p->at = 0.3;
    if (k < priors) return;
    bln_likelihood_param(l, k - priors, 0.0, 1.0, &param);
    p->at = param.y_power ? 0.5 : l->ops->discrete && l->n_latent < 2 ? 5.0 : param.start;
}

typedef struct share { double in, n; } share;

static int failed;
static size_t times = 1;

/* The model whose rows are simulated, and fitted. */
static void once(const bln_likelihood *l, bln_glm *glm, const bln_basis *b, size_t n, bln_rng *rng, share *w_share, share *y_share,
                 double *ess)
{
    static double X[(ROWS + NEW)*INPUTS], y[ROWS + NEW], f[LATENTS*(ROWS + NEW)], Phi[(ROWS + NEW)*FEATURES];
    const size_t J = bln_likelihood_latents(l), D = b->D, rows = n + NEW, slices = b->n_slices;
    const size_t priors = bln_likelihood_classes(l) ? slices : J*slices;
    double hyper[16], w[WEIGHTS];
    bln_report report;
    bln_data data = BLN_ZERO, fresh;
    bln_targets t = BLN_ZERO;
    for (size_t k = 0; k < priors + l->n_theta; k++) {
        blni_hyper_prior p;
        state_prior(l, k, priors, &p);
        hyper[k] = p.at*exp(1.5*bln_rng_normal(rng));
    }
    bln_rng_normals(rng, rows*INPUTS, X);
    bln_basis_features(b, NULL, rows, X, INPUTS, Phi, D, NULL);
    for (size_t j = 0; j < J; j++) {
        for (size_t s = 0; s < slices; s++)
            for (size_t i = blni_prior_first(b, 0, s); i < blni_prior_first(b, 0, s + 1); i++)
                w[j*D + i] = sqrt(hyper[(bln_likelihood_classes(l) ? 0 : j*slices) + s])*bln_rng_normal(rng);
        bln_gemv(BLN_NOTRANS, rows, D, 1.0, Phi, D, w + j*D, 0.0, f + j*rows);
    }
    for (size_t i = 0; i < rows; i += BLN_LIKELIHOOD_BLOCK) {
        const size_t m = blni_min(rows - i, BLN_LIKELIHOOD_BLOCK);
        if (J > 1) l->ops->latents->draw(l, hyper + priors, m, &t, f + i, rows, rng, y + i);
        else       bln_likelihood_draw(l, hyper + priors, m, &t, f + i, rng, y + i);
    }
    data.n = n;
    data.d = INPUTS;
    data.X = X;
    data.y = y;
    fresh = data;
    fresh.n = NEW;
    fresh.X = X + n*INPUTS;
    fresh.y = y + n;
    bln_status status = bln_glm_init(glm, &data, &report);
    for (size_t k = 0; k < priors + l->n_theta && status == BLN_OK; k++) {
        bln_param *p = glm->fit->search.param + k;
        if (hyper[k] <= p->lo || hyper[k] >= p->hi) return;                /* beyond its domain, which the prior leaves out */
        state_prior(l, k, priors, glm->fit->search.prior + k);
    }
    while (status == BLN_OK && !bln_glm_converged(glm)) status = bln_glm_step(glm, &report);
    if (status == BLN_OK) status = bln_glm_finish(glm, &report);
    if (status != BLN_OK) {
        if (!failed) printf("    %s\n", report.text);
        failed++;
        return;
    }
    const bln_chains *all = bln_glm_chains(glm);
    for (size_t k = 0; k < J*D; k++) {
        size_t below = 0;
        for (size_t s = 0; s < times*DRAWS; s++) below += bln_chains_table(all)[s*bln_chains_columns(all) + k] < w[k];
        w_share->n += 1.0;
        w_share->in += below >= times*10 && below <= times*(DRAWS - 10);   /* of 401 ranks all but 10 at either end: 95.0 % */
        bln_summary worth;
        if (bln_chains_summary(all, k, &worth, &report) == BLN_OK) *ess = fmin(*ess, worth.ess_bulk);
    }
    double u[NEW], p[NEW*LATENTS];
    const size_t K = bln_likelihood_classes(l);
    const bln_posterior *const q = bln_glm_posterior(glm);
    status = K ? bln_posterior_predict(q, &fresh, p, NULL, NULL, NULL, &report)
               : bln_posterior_pits(q, &fresh, bln_rng_next(rng), u, NULL, &report);
    if (status != BLN_OK) return;
    for (size_t i = 0; i < NEW && K; i++) {
        const size_t own = (size_t)fresh.y[i];
        u[i] = bln_rng_uniform(rng)*p[i*K + own];
        for (size_t k = 0; k < own; k++) u[i] += p[i*K + k];
    }
    for (size_t i = 0; i < NEW; i++) {
        y_share->n += 1.0;
        y_share->in += u[i] >= 0.025 && u[i] <= 0.975;
    }
}

static double median(double *x, size_t n)
{
    blni_sort(n, x, NULL);
    return n ? x[n/2] : 0.0;
}

int main(int argc, char **argv)
{
    static const size_t sizes[3] = { 10, 100, 1000 };
    static double ess[MOST];
    const size_t sets = argc > 2 ? blni_min((size_t)atoi(argv[2]), MOST) : 1000, only = argc > 4 ? (size_t)atoi(argv[4]) : 0;
    if (argc > 3) times = (size_t)atoi(argv[3]);
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *b = NULL;
    bln_report report;
    spec.text = "bias+linear";
    spec.d = INPUTS;
    if (bln_basis_parse(&spec, &b, &report) != BLN_OK) { puts(report.text); return 1; }
    puts("percent held                weights: n = 10     100    1000     all +- se    targets: n = 10"
         "     100    1000     all +- se  failed  s   ESS: n = 10  100 1000");
    for (size_t k = 0; k < FAMILIES; k++) {
        const bln_likelihood l = family(k);
        const clock_t begin = clock();
        bln_glm_gibbs_desc own = BLN_ZERO;
        bln_glm_desc desc = BLN_ZERO;
        bln_glm *glm = NULL;
        bln_rng rng;
        share w[4] = { { 0.0, 0.0 } }, y[4] = { { 0.0, 0.0 } };
        double worth[3];
        if (argc > 1 && strcmp(argv[1], "all") && strcmp(argv[1], l.ops->name)) continue;
        failed = 0;
        own.chains = 1;
        own.warmup = 200*times;
        own.draws = DRAWS*times;
        own.keep = DRAWS;
        desc.basis = b;
        desc.likelihood = l;
        desc.method = bln_glm_gibbs(&own);
        desc.tolerance = 1e-2;
        bln_rng_seed(&rng, 11, k);
        for (size_t c = 0; c < 3; c++) {
            const size_t n = only ? sizes[c] == only ? sets : 0 : c == 0 ? sets : c == 1 ? 3*sets/4 : sets/8;
            for (size_t r = 0; r < n; r++) {
                ess[r] = HUGE_VAL;
                desc.seed = bln_rng_next(&rng);
                if (bln_glm_create(&desc, &glm, &report) != BLN_OK) { puts(report.text); return 1; }
                once(&l, glm, b, sizes[c], &rng, w + c, y + c, ess + r);
                bln_glm_free(glm);
            }
            worth[c] = median(ess, n);
        }
        printf("%-26s", l.ops->name);
        for (int which = 0; which < 2; which++) {
            share *s = which ? y : w;
            for (size_t c = 0; c < 3; c++) {
                s[3].in += s[c].in;
                s[3].n += s[c].n;
                printf(which || c ? " %7.1f" : " %17.1f", 100.0*s[c].in/fmax(s[c].n, 1.0));
            }
            const double p = s[3].in/s[3].n;
            printf(" %7.2f %4.2f%s", 100.0*p, 100.0*sqrt(p*(1.0 - p)/s[3].n), which ? "" : "          ");
        }
        printf(" %4d %6.0f        %4.0f %4.0f %4.0f\n", failed, (double)(clock() - begin)/CLOCKS_PER_SEC, worth[0], worth[1],
               worth[2]);
        fflush(stdout);
    }
    bln_basis_free(b);
    return 0;
}

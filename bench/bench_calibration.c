/* bench_calibration.c - do 95 % intervals of `gibbs` hold 95 %, and those of `cavi`? Every family, hyper-parameters from priors
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_calibration.c -o build/bench_calibration -lm
 *     build/bench_calibration [FAMILY, or all [SETS [ESS [ROWS]]]]
 *
 * Of each set of 10, 100 or 1000 rows hyper-parameters come from log-normal priors (width 1.5 in the log; about 0.3 for prior
 * variances, 0.5 for scales, the start for others), weights from theirs, targets from the likelihood, with bias and three standard
 * normal inputs for each latent. The fits are whole ones with these priors. `gibbs` has one chain, 400 sweeps of warm-up, and draws
 * until every column is worth ESS (100) of them, at most 40,000; `cavi` has the best hyper-parameters, by the tight bound and by
 * that of its sweeps alone. Shares of weights, and of targets of two new rows each (by their randomised probability transforms, of
 * classes in the order of their numbers), that the intervals from the 2.5 to the 97.5 % quantile hold; standard errors are those
 * of means over sets. SETS (1000) of 10 rows, 3/4 of it of 100, 1/8 of 1000; or SETS of ROWS alone. `short`: sets whose draws were
 * not worth ESS. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <time.h>

enum { INPUTS = 3, ROWS = 1000, NEW = 2, MOST = 40000, KEPT = 79, LATENTS = 3, FEATURES = INPUTS + 2,
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

/* A set's share of what its intervals hold, summed over sets. */
typedef struct share { double sum, squares, n; } share;

static void add(share *s, double held)
{
    s->sum += held;
    s->squares += held*held;
    s->n += 1.0;
}

static share together(share a, share b)
{
    const share s = { a.sum + b.sum, a.squares + b.squares, a.n + b.n };
    return s;
}

/* The mean in percent, and its standard error. */
static double mean(share s)  { return 100.0*s.sum/fmax(s.n, 1.0); }
static double error(share s) { return 100.0*sqrt(fmax(s.squares/s.n - s.sum/s.n*(s.sum/s.n), 0.0)/fmax(s.n - 1.0, 1.0)); }

enum { WAYS = 3, SIZES = 3 };
static const char *const way_names[WAYS] = { "gibbs", "cavi", "cavi, its sweeps alone" };

typedef struct held { share w[SIZES], y[SIZES]; int failed, few; } held;

typedef struct truth {                                  /* one set: what it was made with, and its rows */
    size_t n, priors;
    double hyper[16], w[WEIGHTS];
    double X[(ROWS + NEW)*INPUTS], y[ROWS + NEW];
} truth;

static void simulate(const bln_likelihood *l, const bln_basis *b, size_t n, bln_rng *rng, truth *s)
{
    static double f[LATENTS*(ROWS + NEW)], Phi[(ROWS + NEW)*FEATURES];
    const size_t J = bln_likelihood_latents(l), D = b->D, rows = n + NEW, slices = b->n_slices;
    bln_targets t = BLN_ZERO;
    s->n = n;
    s->priors = bln_likelihood_classes(l) ? slices : J*slices;
    for (size_t k = 0; k < s->priors + l->n_theta; k++) {
        blni_hyper_prior p;
        state_prior(l, k, s->priors, &p);
        s->hyper[k] = p.at*exp(1.5*bln_rng_normal(rng));
    }
    bln_rng_normals(rng, rows*INPUTS, s->X);
    bln_basis_features(b, NULL, rows, s->X, INPUTS, Phi, D, NULL);
    for (size_t j = 0; j < J; j++) {
        for (size_t k = 0; k < slices; k++)
            for (size_t i = blni_prior_first(b, 0, k); i < blni_prior_first(b, 0, k + 1); i++)
                s->w[j*D + i] = sqrt(s->hyper[(bln_likelihood_classes(l) ? 0 : j*slices) + k])*bln_rng_normal(rng);
        bln_gemv(BLN_NOTRANS, rows, D, 1.0, Phi, D, s->w + j*D, 0.0, f + j*rows);
    }
    for (size_t i = 0; i < rows; i += BLN_LIKELIHOOD_BLOCK) {
        const size_t m = blni_min(rows - i, BLN_LIKELIHOOD_BLOCK);
        if (J > 1) l->ops->latents->draw(l, s->hyper + s->priors, m, &t, f + i, rows, rng, s->y + i);
        else       bln_likelihood_draw(l, s->hyper + s->priors, m, &t, f + i, rng, s->y + i);
    }
}

/* The fit with the priors that hyper-parameters come from; *beyond: one lies beyond its domain, which priors leave out. */
static bln_status fit(const bln_likelihood *l, bln_glm *glm, const truth *s, const bln_data *data, int *beyond, bln_report *report)
{
    bln_status status = bln_glm_init(glm, data, report);
    *beyond = 0;
    for (size_t k = 0; k < s->priors + l->n_theta && status == BLN_OK; k++) {
        const bln_param *const p = glm->fit->search.param + k;
        *beyond |= s->hyper[k] <= p->lo || s->hyper[k] >= p->hi;
        state_prior(l, k, s->priors, glm->fit->search.prior + k);
    }
    if (*beyond) return status;
    while (status == BLN_OK && !bln_glm_converged(glm)) status = bln_glm_step(glm, report);
    return status == BLN_OK ? bln_glm_finish(glm, report) : status;
}

/* Draws far apart are nearly independent, and of the 80 ranks that a number can have among 79 of these all but 2 at either end are
 * 95.0 %. */
static bln_status weights_held(const bln_glm *glm, size_t n_w, const double *w, double ess, double *held, int *few,
                               bln_report *report)
{
    static const double p[2] = { 0.025, 0.975 };
    const bln_chains *const all = bln_glm_chains(glm);
    double quantile[2*WEIGHTS], in = 0.0, least = HUGE_VAL;
    bln_status status = all ? BLN_OK
                            : bln_posterior_coefficients(bln_glm_posterior(glm), NULL, NULL, 2, p, quantile, NULL, report);
    for (size_t k = 0; k < n_w && status == BLN_OK; k++) {
        if (!all) {
            in += w[k] >= quantile[2*k] && w[k] <= quantile[2*k + 1];
            continue;
        }
        size_t below = 0;
        bln_summary worth;
        for (size_t i = 0; i < KEPT; i++)
            below += bln_chains_table(all)[i*bln_chains_draws(all)/KEPT*bln_chains_columns(all) + k] < w[k];
        in += below >= 2 && below <= KEPT - 2;
        status = bln_chains_summary(all, k, &worth, report);
        least = fmin(least, fmin(worth.ess_bulk, worth.ess_tail));
    }
    *few += all && least < ess;
    *held = in/(double)n_w;
    return status;
}

static bln_status targets_held(const bln_likelihood *l, const bln_glm *glm, const bln_data *fresh, bln_rng *rng, double *in,
                               bln_report *report)
{
    const size_t K = bln_likelihood_classes(l);
    const bln_posterior *const q = bln_glm_posterior(glm);
    double u[NEW], p[NEW*LATENTS];
    const bln_status status = K ? bln_posterior_predict(q, fresh, p, NULL, NULL, NULL, report)
                                : bln_posterior_pits(q, fresh, bln_rng_next(rng), u, NULL, report);
    for (size_t i = 0; i < NEW && status == BLN_OK && K; i++) {
        const size_t own = (size_t)fresh->y[i];
        u[i] = bln_rng_uniform(rng)*p[i*K + own];
        for (size_t k = 0; k < own; k++) u[i] += p[i*K + k];
    }
    *in = 0.0;
    for (size_t i = 0; i < NEW; i++) *in += (u[i] >= 0.025 && u[i] <= 0.975)/(double)NEW;
    return status;
}

static void once(const bln_likelihood *l, bln_glm *glm, const truth *s, size_t n_w, size_t size, double ess, bln_rng *rng,
                 held *h)
{
    bln_report report;
    bln_data data = BLN_ZERO, fresh;
    double of_w, of_y;
    int beyond;
    data.n = s->n;
    data.d = INPUTS;
    data.X = s->X;
    data.y = s->y;
    fresh = data;
    fresh.n = NEW;
    fresh.X = s->X + s->n*INPUTS;
    fresh.y = s->y + s->n;
    bln_status status = fit(l, glm, s, &data, &beyond, &report);
    if (status == BLN_OK && beyond) return;
    if (status == BLN_OK) status = targets_held(l, glm, &fresh, rng, &of_y, &report);
    if (status == BLN_OK) status = weights_held(glm, n_w, s->w, ess, &of_w, &h->few, &report);
    if (status != BLN_OK) {
        if (!h->failed) printf("    %s\n", report.text);
        h->failed++;
        return;
    }
    add(h->y + size, of_y);
    add(h->w + size, of_w);
}

static void show(const char *family, const char *way, const held *h, double seconds)
{
    printf("%-26s %-22s", family, way);
    for (int which = 0; which < 2; which++) {
        const share *const s = which ? h->y : h->w, all = together(together(s[0], s[1]), s[2]);
        for (size_t c = 0; c < SIZES; c++)
            if (s[c].n > 1.0) printf("%s%5.1f +- %.1f", c ? " " : "  ", mean(s[c]), error(s[c]));
            else              printf("%s%12s", c ? " " : "  ", "");
        printf("  %6.2f +- %.2f", mean(all), error(all));
    }
    printf(" %6d %5d %6.0f\n", h->failed, h->few, seconds);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const size_t sizes[SIZES] = { 10, 100, 1000 };
    static truth set;
    const size_t sets = argc > 2 ? (size_t)atoi(argv[2]) : 1000, only = argc > 4 ? (size_t)atoi(argv[4]) : 0;
    const double ess = argc > 3 ? atof(argv[3]) : 100.0;
    bln_spec_desc spec = BLN_ZERO;
    bln_basis *b = NULL;
    bln_report report;
    spec.text = "bias+linear";
    spec.d = INPUTS;
    if (bln_basis_parse(&spec, &b, &report) != BLN_OK) { puts(report.text); return 1; }
    printf("%-26s %-22s%41s%13s%42s%13s %6s %5s %6s\n", "percent held", "by", "weights: 10, 100 and 1000 rows  ", "all",
           "targets: 10, 100 and 1000 rows  ", "all", "failed", "short", "s");
    for (size_t k = 0; k < FAMILIES; k++) {
        const bln_likelihood l = family(k);
        bln_glm_gibbs_desc gibbs = BLN_ZERO;
        bln_glm_cavi_desc sweeps = BLN_ZERO;
        bln_glm_desc desc = BLN_ZERO;
        bln_glm *glm = NULL;
        bln_rng rng;
        held h[WAYS];
        double seconds[WAYS] = { 0.0 };
        if (argc > 1 && strcmp(argv[1], "all") && strcmp(argv[1], l.ops->name)) continue;
        memset(h, 0, sizeof h);
        gibbs.chains = 1;
        gibbs.warmup = 400;
        gibbs.draws = MOST;
        gibbs.target_ess = ess;
        sweeps.bound = BLN_CAVI_COLLAPSED;
        desc.basis = b;
        desc.likelihood = l;
        desc.tolerance = 1e-2;
        bln_rng_seed(&rng, 11, k);
        for (size_t c = 0; c < SIZES; c++) {
            const size_t n = only ? sizes[c] == only ? sets : 0 : c == 0 ? sets : c == 1 ? 3*sets/4 : sets/8;
            for (size_t r = 0; r < n; r++) {
                desc.seed = bln_rng_next(&rng);
                simulate(&l, b, sizes[c], &rng, &set);
                for (size_t way = 0; way < WAYS; way++) {
                    const clock_t begin = clock();
                    desc.method = way == 0 ? bln_glm_gibbs(&gibbs) : bln_glm_cavi(way == 1 ? NULL : &sweeps);
                    if (bln_glm_create(&desc, &glm, &report) != BLN_OK) { puts(report.text); return 1; }
                    once(&l, glm, &set, bln_likelihood_latents(&l)*b->D, c, ess, &rng, h + way);
                    bln_glm_free(glm);
                    seconds[way] += (double)(clock() - begin)/CLOCKS_PER_SEC;
                }
            }
        }
        for (size_t way = 0; way < WAYS; way++) show(l.ops->name, way_names[way], h + way, seconds[way]);
    }
    bln_basis_free(b);
    return 0;
}

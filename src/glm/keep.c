/* keep: what methods that draw have in common. About `keep` draws, evenly spaced in each chain, become the points that are the
 * model's components. The draw whose hyper-parameters are nearest to their mean becomes component 0, which the model reports. */
#include "keep_private.h"
#include "full_private.h"
#include "mode_private.h"
#include "result_private.h"
#include "search_private.h"
#include "../core/status_private.h"
#include "../posterior/diagnosis.h"

/* Components at most: as many of each chain. */
BLNI_PRIV size_t blni_keep_most(const blni_keep *k)
{
    const size_t keep = k->keep ? k->keep : k->apart ? (size_t)BLNI_GLM_GROUPS : (size_t)BLNI_KEEP;
    return blni_mul(blni_min(blni_max(keep/k->chains, 1), k->draws), k->chains);
}

/* NULL, or what of the basis parameters is wrong: what moves freely has no prior. */
BLNI_PRIV const char *blni_keep_check_theta(const bln_glm_desc *d)
{
    bln_param p;
    for (size_t v = 0; v < blni_glm_views(d); v++)
        for (size_t k = 0; k < blni_glm_basis_of(d, v)->n_theta; k++) {
            bln_basis_param(blni_glm_basis_of(d, v), k, NULL, &p);
            if (p.kind == BLN_PARAM_REAL) return "glm: draws need a prior of all that is drawn, and places and frequencies of a"
                                                 " basis have none; set fix_theta";
            if (d->theta_sd > DBL_MAX) return "glm: theta cannot be sampled without its prior (theta_sd)";
        }
    return NULL;
}

/* NULL, or what is wrong with what is asked for. */
BLNI_PRIV const char *blni_keep_check(const blni_keep *k, const bln_glm_desc *d)
{
    if (k->chains >> 20 || k->draws > (size_t)-1/k->chains) return "glm: too many chains or draws";
    if (!(k->target >= 0.0 && k->target <= DBL_MAX)) return "glm: target_ess must be a number >= 0";
    if (k->keep && k->keep < k->chains) return "glm: keep is at least the number of chains";
    if (k->apart && blni_keep_most(k) > BLNI_GLM_GROUPS)
        return "glm: at most 256 draws with basis parameters of their own are kept";
    if (d->no_hyper_prior && !(d->fix_prior_var && d->fix_likelihood))
        return "glm: hyper-parameters cannot be sampled without their priors (no_hyper_prior)";
    return k->apart ? blni_keep_check_theta(d) : NULL;
}

/* "w[3]", "prior_var[1]", the likelihood's own names, "theta[2]" */
BLNI_PRIV void blni_keep_name(const blni_glm_fit *f, size_t column, char *text, size_t size)
{
    const size_t D = f->rows.n_w, n_theta = f->desc.fix_theta ? 0 : blni_glm_thetas(&f->desc), k = column;
    const size_t n_eta = f->desc.fix_likelihood ? 0 : f->desc.likelihood.n_theta, priors = f->search.n_hyper - n_theta - n_eta;
    text[0] = '\0';
    if (k >= D + priors && k < D + priors + n_eta) {
        blni_cat(text, size, bln_likelihood_param_name(&f->desc.likelihood, k - D - priors));
        return;
    }
    blni_cat(text, size, k < D ? "w[" : k < D + priors ? "prior_var[" : "theta[");
    blni_cat_size(text, size, 1 + (k < D ? k : k < D + priors ? k - D : k - D - priors - n_eta));
    blni_cat(text, size, "]");
}

/* The row of all draws that is component c. */
BLNI_PRIV const double *blni_keep_row(const blni_keep *k, const bln_chains *all, size_t c)
{
    const size_t C = k->chains, at = c == 0 ? k->middle : c == k->middle ? 0 : c;
    const size_t draw = (size_t)((double)(at/C + 1)*(double)bln_chains_draws(all)/(double)k->per) - 1;
    return bln_chains_table(all) + (draw*C + at%C)*bln_chains_columns(all);
}

/* The component nearest to the mean of the free coordinates of the hyper-parameters, in their standard deviations. */
BLNI_PRIV size_t blni_keep_middle(const blni_keep *k, const blni_glm_fit *f, const bln_chains *all)
{
    const size_t K = k->per*k->chains, D = f->rows.n_w;
    double *mean = k->mean, *square = k->square;
    size_t best = 0;
    double least = HUGE_VAL;
    for (size_t j = 0; j < k->n; j++) mean[j] = square[j] = 0.0;
    for (size_t c = 0; c < K; c++)
        for (size_t j = 0; j < k->n; j++) {
            const double u = bln_param_free(f->search.param + j, blni_keep_row(k, all, c)[D + j]), delta = u - mean[j];
            mean[j] += delta/(double)(c + 1);
            square[j] += delta*(u - mean[j]);
        }
    for (size_t c = 0; c < K; c++) {
        double distance = 0.0;
        for (size_t j = 0; j < k->n; j++) {
            const double delta = bln_param_free(f->search.param + j, blni_keep_row(k, all, c)[D + j]) - mean[j];
            if (square[j] > 0.0) distance += delta*delta/square[j];
        }
        if (distance < least) { least = distance; best = c; }
    }
    return best;
}

/* Asks for as many effective draws as the target, if it is more than the usual 100 of each chain. A smaller target does not make
 * fewer than 100 enough. */
BLNI_PRIV bln_status blni_keep_diagnose(const blni_keep *k, const bln_chains *all, bln_diagnosis *found, bln_report *report)
{
    bln_diagnosis_desc limit = { 0.0, 0.0, 0.0, 0 };
    if (k->target > 100.0*(double)k->chains) limit.ess = k->target/(double)k->chains;
    return bln_chains_diagnose(all, &limit, found, report);
}

/* After a step of the chains: shows the draws so far to the monitor, and ends the chains, f->done, if there is a target and they
 * have it. Without memory for the look they go on. */
BLNI_PRIV void blni_keep_enough(blni_keep *k, blni_glm_fit *f)
{
    const bln_chains *all = *k->all;
    const size_t draws = bln_chains_draws(all);
    bln_diagnosis found;
    f->progress.chains = draws ? all : NULL;
    if (f->done || !(k->target > 0.0) || draws < blni_max(k->look, BLNI_KEEP_LOOK)) return;
    k->look = blni_add(draws, draws/2);
    if (blni_keep_diagnose(k, all, &found, NULL) != BLN_OK) return;
    f->done = found.ess_bulk >= k->target && found.ess_tail >= k->target && found.rhat <= 1.01;
}

/* Whole sentences of what is wrong with the draws, as many as there is room for. */
BLNI_PRIV bln_status blni_keep_judge(blni_keep *k, const bln_chains *all, bln_report *report)
{
    bln_diagnosis found;
    BLNI_TRY(blni_keep_diagnose(k, all, &found, report));
    for (char *line = found.text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (strlen(k->said) + strlen(line) + 2 > sizeof k->said) break;
        if (k->said[0]) blni_cat(k->said, sizeof k->said, " ");
        blni_cat(k->said, sizeof k->said, line);
    }
    return BLN_OK;
}

/* From the end of the search of full to the first draw: r <- its Gaussian. */
BLNI_PRIV bln_status blni_keep_begin(blni_keep *k, blni_glm_fit *f, blni_glm_result *r, bln_report *report)
{
    blni_full_exactly(f, k->inner);
    const bln_status status = blni_glm_search_settle(f, k->inner, report);
    k->bound = -f->search.value;
    return status == BLN_OK ? blni_mode_component(f, k->inner, r, report) : status;
}

/* Which draws become components, and what is to be said of them. */
BLNI_PRIV bln_status blni_keep_finish(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_keep *k = (blni_keep *)state;
    const bln_chains *all = k->sampling ? *k->all : NULL;
    const size_t draws = bln_chains_draws(all);
    if (!draws) return blni_refuse(report, BLN_ESTOPPED, "glm: stopped before the first draw that is kept");
    k->per = blni_min(blni_keep_most(k)/k->chains, draws);
    k->middle = k->n ? blni_keep_middle(k, f, all) : 0;
    f->said = k->said;
    return blni_keep_judge(k, all, report);
}

BLNI_PRIV size_t blni_keep_count(const blni_glm_fit *f, const void *state)
{
    return ((const blni_keep *)state)->per*((const blni_keep *)state)->chains;
}

/* The components; in the end f->hyper is that of the first one. The table becomes the result's, and is NULL then. */
BLNI_PRIV bln_status blni_keep_components(blni_glm_fit *f, void *state, blni_glm_result *out, bln_report *report)
{
    const blni_keep *k = (const blni_keep *)state;
    const size_t K = k->per*k->chains, D = f->rows.n_w;
    for (size_t c = K; c-- > 0;) {
        const double *row = blni_keep_row(k, *k->all, c);
        for (size_t j = 0; j < k->n; j++) *f->search.at[j] = row[D + j];
        blni_glm_result_at(out, c);
        *out->weight = 1.0/(double)K;
        memcpy(out->m, row, D*sizeof *row);
        memcpy(out->eta, f->hyper.eta, f->desc.likelihood.n_theta*sizeof *out->eta);
        memcpy(out->theta, f->hyper.theta, blni_glm_thetas(&f->desc)*sizeof *out->theta);
        blni_glm_roots(&f->rows, &f->hyper, k->root);
        out->misses |= blni_glm_misses(&f->desc, k->root, out->lambda);
    }
    out->objective = k->bound;
    out->chains = *k->all;
    *k->all = NULL;
    return BLN_OK;
}

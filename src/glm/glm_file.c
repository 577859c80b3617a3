/* glm_file: a fitted model as bytes. Content of the section "GLM " of a model file, version 1 (conventions in >>modelfile):
 *
 *     str        basis: name, then what that basis writes (src/basis)
 *     str        likelihood: its name
 *     u64 x 4    D, P, n_theta, n_eta: features, prior variances (one for each slice, or D), parameters of the basis, and of the
 *                likelihood (which tell the ordinal ones apart)
 *     u64        method: 0 laplace, 1 mixture, 2 full, 3 map, 4 sgvi, 5 npv; 6 any other, whose name, form and sites follow:
 *                str, u64 (0 a Gaussian by a factor, 1 a mixture, 2 a point), u64 (0 none, 1 at the mode, 2 in expectation)
 *     u64        K: components (1 but for a mixture)
 *     f64        log Z, or the bound, or log p(y, w);   f64 N: sum of the weights of the rows
 *     f64 x P  prior variances (infinity: flat);   f64 x n_eta  eta;   f64 x n_theta  basis parameters
 *     f64 x D  s: scale of each weight;   f64 x K D  m
 *     f64 ...    Gaussian posterior: R, upper triangle row by row, C = S R^-1 R^-T S;   mixture: K x D  psi;   MAP: none
 *
 * Numbers and names that the model does not have (what the search was told, its tolerance) are not kept. */
#include "glm_private.h"
#include "../core/bytes_private.h"
#include "../core/load_private.h"
#include "../posterior/prior_private.h"

/* The methods that files have numbers for; all others are known by name. The name is for the reader of a fitted model: its numbers
 * answer everything. */
typedef struct blni_glm_numbered { const char *name; blni_glm_form form; bln_sites sites; } blni_glm_numbered;
enum { BLNI_GLM_NUMBERED = 6 };
static const blni_glm_numbered blni_glm_numbers[BLNI_GLM_NUMBERED] = {
    { "laplace", BLNI_GLM_FACTOR, BLN_SITES_MODE }, { "mixture", BLNI_GLM_DIAGONAL, BLN_SITES_NONE },
    { "full", BLNI_GLM_FACTOR, BLN_SITES_MEAN }, { "map", BLNI_GLM_POINT, BLN_SITES_NONE },
    { "sgvi", BLNI_GLM_DIAGONAL, BLN_SITES_NONE }, { "npv", BLNI_GLM_DIAGONAL, BLN_SITES_NONE }
};

BLNI_PRIV void blni_glm_put_method(bln_writer *w, const blni_glm_result *r)
{
    uint64_t k = 0;
    while (k < BLNI_GLM_NUMBERED && strcmp(r->method, blni_glm_numbers[k].name)) k++;
    bln_put_u64(w, k);
    if (k < BLNI_GLM_NUMBERED) return;
    bln_put_string(w, r->method);
    bln_put_u64(w, (uint64_t)r->shape.form);
    bln_put_u64(w, (uint64_t)r->shape.sites);
}

/* Name and shape, but for K. 0: none that can be. */
BLNI_PRIV int blni_glm_get_method(bln_reader *r, blni_glm_result *out)
{
    const uint64_t k = bln_get_u64(r);
    if (k < BLNI_GLM_NUMBERED) {
        memcpy(out->method, blni_glm_numbers[k].name, strlen(blni_glm_numbers[k].name) + 1);
        out->shape.form = blni_glm_numbers[k].form;
        out->shape.sites = blni_glm_numbers[k].sites;
        return 1;
    }
    if (k > BLNI_GLM_NUMBERED) return 0;
    bln_get_string(r, out->method, sizeof out->method);
    const uint64_t form = bln_get_u64(r), sites = bln_get_u64(r);
    out->shape.form = (blni_glm_form)form;
    out->shape.sites = (bln_sites)sites;
    return form <= BLNI_GLM_POINT && sites <= BLN_SITES_MEAN;
}

BLN_API bln_status bln_glm_save(const bln_glm *glm, bln_writer *w)
{
    if (!glm || !w) return blni_writer_fail(w, BLN_EINVAL);
    if (!glm->fitted) return blni_writer_fail(w, BLN_ESTATE);
    const bln_glm_desc *d = &glm->desc;
    const blni_glm_result *r = &glm->result;
    const size_t D = d->basis->D, KD = r->shape.K*D, priors = blni_priors(d->basis, d->per_weight);
    /* Its name and sizes are all that is kept. */
    if (d->likelihood.user) return blni_writer_fail(w, BLN_EUNKNOWN);
    bln_basis_save(d->basis, w);
    bln_put_string(w, d->likelihood.ops->name);
    bln_put_u64(w, D);
    bln_put_u64(w, priors);
    bln_put_u64(w, d->basis->n_theta);
    bln_put_u64(w, d->likelihood.n_theta);
    blni_glm_put_method(w, r);
    bln_put_u64(w, r->shape.K);
    bln_put_double(w, r->objective);
    bln_put_double(w, r->rows);
    bln_put_doubles(w, priors, r->hyper.prior_var);
    bln_put_doubles(w, d->likelihood.n_theta, r->hyper.eta);
    bln_put_doubles(w, d->basis->n_theta, r->hyper.theta);
    bln_put_doubles(w, D, r->s);
    bln_put_doubles(w, KD, r->m);
    if (r->shape.form == BLNI_GLM_DIAGONAL) bln_put_doubles(w, KD, r->psi);
    for (size_t i = 0; i < D && r->shape.form == BLNI_GLM_FACTOR; i++) bln_put_doubles(w, D - i, r->R + i*D + i);
    return w->status;
}

/* Likelihood, form and sizes into the desc: are they those of the basis, and are that many numbers still to come? Only then is room
 * made for them. */
BLNI_PRIV bln_status blni_glm_read_desc(const bln_load *context, bln_reader *r, bln_glm_desc *d, blni_glm_result *told)
{
    char name[32];
    bln_get_string(r, name, sizeof name);
    const uint64_t D = d->basis->D, features = bln_get_u64(r), priors = bln_get_u64(r), n_theta = bln_get_u64(r);
    const uint64_t n_eta = bln_get_u64(r);
    const int known = blni_glm_get_method(r, told);
    const uint64_t K = bln_get_u64(r), left = (r->limit - r->count)/8;
    if (r->status != BLN_OK) return r->status;
    if (features != D || (priors != d->basis->n_slices && priors != D) || n_theta != d->basis->n_theta)
        return bln_reader_fail(r, BLN_EFORMAT, "model: sizes are not those of its basis");
    const bln_status found = bln_likelihood_find(context->likelihoods, context->n_likelihoods, name,
                                                 n_eta > BLN_LIKELIHOOD_THETA ? (size_t)-1 : (size_t)n_eta, &d->likelihood);
    if (found == BLN_EUNKNOWN) return blni_reader_fail_name(r, "model: unknown likelihood", name);
    if (found != BLN_OK) return bln_reader_fail(r, BLN_EFORMAT, "model: sizes are not those of its likelihood");
    d->per_weight = priors != d->basis->n_slices;
    told->shape.K = (size_t)K;
    const int mixture = told->shape.form == BLNI_GLM_DIAGONAL, matrix = told->shape.form == BLNI_GLM_FACTOR;
    if (!known || K == 0 || (K > 1 && !mixture))
        return bln_reader_fail(r, BLN_EFORMAT, "model: unknown form of the posterior");
    /* No product can overflow: D <= left < 2^61, and the quotient bounds the other factor. */
    if (D > left || (mixture && K > left/D/2) || (matrix && (D > 2*left/D || D*(D + 1)/2 > left)))
        return bln_reader_fail(r, BLN_EFORMAT, "model: truncated");
    return BLN_OK;
}

BLNI_PRIV int blni_all_above_zero(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++) if (!(x[i] > 0.0)) return 0;
    return 1;
}

BLNI_PRIV bln_status blni_glm_read_result(const bln_glm_desc *d, bln_reader *r, blni_glm_result *res)
{
    const size_t D = d->basis->D, KD = res->shape.K*D, priors = blni_priors(d->basis, d->per_weight);
    const int mixture = res->shape.form == BLNI_GLM_DIAGONAL, point = res->shape.form == BLNI_GLM_POINT;
    const int flat = point || res->shape.sites == BLN_SITES_MODE;
    res->objective = bln_get_double(r);
    res->rows = bln_get_double(r);
    bln_get_doubles(r, priors, res->hyper.prior_var);
    bln_get_doubles(r, d->likelihood.n_theta, res->hyper.eta);
    bln_get_doubles(r, d->basis->n_theta, res->hyper.theta);
    bln_get_doubles(r, D, res->s);
    bln_get_doubles(r, KD, res->m);
    int good = res->objective == res->objective && res->rows > 0.0 && blni_finite(res->rows)
        && blni_all_above_zero(priors, res->hyper.prior_var)
        && (flat || blni_all_finite(priors, res->hyper.prior_var))
        && blni_eta_usable(&d->likelihood, res->hyper.eta) && blni_all_finite(d->basis->n_theta, res->hyper.theta)
        && blni_all_at_least_zero(D, res->s) && blni_all_finite(D, res->s) && blni_all_finite(KD, res->m);
    if (mixture) {
        bln_get_doubles(r, KD, res->psi);
        good = good && blni_all_above_zero(KD, res->psi) && blni_all_finite(KD, res->psi);
    }
    for (size_t i = 0; i < D && !mixture && !point; i++) {
        double *row = res->R + i*D;
        for (size_t j = 0; j < i; j++) row[j] = 0.0;
        bln_get_doubles(r, D - i, row + i);
        good = good && blni_all_finite(D - i, row + i) && row[i] > 0.0;
    }
    return good ? r->status : bln_reader_fail(r, BLN_EFORMAT, "model: a number is outside its range");
}

BLN_API bln_status bln_glm_load(const bln_load *context, bln_reader *r, bln_glm **out)
{
    bln_load none;
    bln_basis *basis = NULL;
    bln_glm *glm = NULL;
    bln_glm_desc desc;
    blni_glm_result told;
    if (!r || !out) return BLN_EINVAL;
    memset(&none, 0, sizeof none);
    if (!context) context = &none;
    bln_status status = bln_basis_load_any(context, r, &basis);
    if (status != BLN_OK) return status;
    memset(&desc, 0, sizeof desc);
    desc.basis = basis;
    desc.alloc = context->alloc;
    desc.fix_theta = !basis->ops->pullback;
    memset(&told, 0, sizeof told);
    status = blni_glm_read_desc(context, r, &desc, &told);
    if (status == BLN_OK) {
        status = blni_glm_make(&desc, &glm, r->report);
        if (status != BLN_OK) bln_reader_fail(r, status, "model: cannot be made");
    }
    if (status != BLN_OK) {
        bln_basis_free(basis);
        return status;
    }
    glm->owned = basis;
    glm->desc = glm->given;
    blni_glm_common_defaults(&glm->desc, told.shape.form);
    status = blni_glm_result_create(&glm->alloc, &glm->desc, &told.shape, &glm->result, r->report);
    if (status != BLN_OK) bln_reader_fail(r, status, "model: out of memory for the posterior");
    else {
        memcpy(glm->result.method, told.method, sizeof told.method);
        status = blni_glm_read_result(&glm->desc, r, &glm->result);
    }
    glm->fitted = status == BLN_OK;
    blni_glm_view(glm);
    if (status == BLN_OK) *out = glm;
    else bln_glm_free(glm);
    return status;
}

BLNI_MODEL_KIND(glm, "GLM ", 1, load, BLNI_FIRST_VERSION)
BLN_API const bln_model_kind *bln_glm_file_kind(void) { return &blni_glm_kind; }

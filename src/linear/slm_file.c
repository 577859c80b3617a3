/* slm_file: a fitted model as bytes. Content of the section "SLM " of a model file, version 1 or 2 (conventions in >>modelfile):
 *
 *     str        basis: name, then what that basis writes (src/basis)
 *     u64 x 3    D, P, n_theta: features, prior variances (one for each slice, or D), basis parameters
 *     u64        form of the posterior: 0 factor, 1 low rank, 2 factor with standard deviations; in version 2 with 4 more
 *     u64        k: rows of R (1 <= k < D in low-rank form, else D)
 *     u64 x 3    version 2: P' outputs, kind of Sigma (0 diagonal, 1 full, 2 shared), 1 if prior variances are ratios
 *     f64        noise variance (1 where prior variances are ratios);   f64 log evidence;   f64 N: sum of the weights of the rows
 *     f64 ...    version 2: the upper triangle of Sigma, row by row
 *     f64 x P  prior variances;   f64 x n_theta  basis parameters;   f64 x P' D  m;   f64 x D  s, for the noise variance above
 *     f64 x P' D standard deviations of the weights, in form 2 only
 *     f64 ...    R: the upper triangle row by row (factor), or k x D (low rank)
 *
 * Version 1 is one output with an absolute prior variance (P' = 1, Sigma the noise variance), and is written for these still. */
#include "slm_private.h"
#include "../core/bytes_private.h"
#include "../core/load_private.h"
#include "../posterior/prior_private.h"

/* Row i of a triangular R begins at its diagonal. */
BLNI_PRIV size_t blni_gaussian_row_start(const bln_gaussian *g, size_t i) { return g->form == BLN_GAUSSIAN_LOWRANK ? 0 : i; }

/* The version of the content that describes this model. */
BLNI_PRIV uint32_t blni_slm_file_version(const bln_slm *slm)
{
    return slm->desc.n_outputs > 1 || slm->desc.relative_prior ? 2 : 1;
}

BLNI_PRIV void blni_slm_put_outputs(const bln_slm *slm, bln_writer *w)
{
    bln_put_u64(w, slm->desc.n_outputs);
    bln_put_u64(w, (uint64_t)slm->desc.sigma);
    bln_put_u64(w, slm->desc.relative_prior != 0);
}

BLN_API bln_status bln_slm_save(const bln_slm *slm, bln_writer *w)
{
    if (!slm || !w) return blni_writer_fail(w, BLN_EINVAL);
    if (!slm->fitted) return blni_writer_fail(w, BLN_ESTATE);
    const bln_basis *b = slm->desc.basis;
    const bln_gaussian *g = &slm->result.base;
    const size_t P = slm->result.P;
    const int second = blni_slm_file_version(slm) == 2;
    bln_basis_save(b, w);
    bln_put_u64(w, b->D);
    bln_put_u64(w, blni_priors(b, slm->desc.per_weight));
    bln_put_u64(w, b->n_theta);
    bln_put_u64(w, (slm->result.has_sd ? 2u : g->form == BLN_GAUSSIAN_LOWRANK) + (second ? 4u : 0u));
    bln_put_u64(w, g->k);
    if (second) blni_slm_put_outputs(slm, w);
    bln_put_double(w, slm->result.hyper.noise_var);
    bln_put_double(w, slm->result.evidence);
    bln_put_double(w, slm->result.rows);
    for (size_t p = 0; p < P && second; p++) bln_put_doubles(w, P - p, slm->result.cov + p*P + p);
    bln_put_doubles(w, blni_priors(b, slm->desc.per_weight), slm->result.hyper.prior_var);
    bln_put_doubles(w, b->n_theta, slm->result.hyper.theta);
    bln_put_doubles(w, P*g->D, slm->result.m);
    bln_put_doubles(w, g->D, g->s);
    if (slm->result.has_sd) bln_put_doubles(w, P*g->D, slm->result.sd);
    for (size_t i = 0; i < g->k; i++) {
        const size_t first = blni_gaussian_row_start(g, i);
        bln_put_doubles(w, g->D - first, g->R + i*g->ldr + first);
    }
    return w->status;
}

/* Outputs, Sigma and prior of version 2. */
BLNI_PRIV bln_status blni_slm_read_outputs(bln_reader *r, bln_slm_desc *desc)
{
    const uint64_t P = bln_get_u64(r), sigma = bln_get_u64(r), relative = bln_get_u64(r), left = (r->limit - r->count)/8;
    if (P == 0 || sigma > 2 || relative > 1 || (!relative && (P == 1 || sigma != BLN_SLM_SHARED)))
        return bln_reader_fail(r, BLN_EFORMAT, "model: unknown form of the outputs");
    if (P > left || P >> 32 || P*P > 2*left) return bln_reader_fail(r, BLN_EFORMAT, "model: truncated");
    desc->n_outputs = (size_t)P;
    desc->sigma = (bln_slm_sigma)sigma;
    desc->relative_prior = (int)relative;
    return r->status;
}

/* Are the sizes those of the basis, and are that many numbers still to come? Only then is room made for them. */
BLNI_PRIV bln_status blni_slm_read_sizes(const bln_basis *b, bln_reader *r, bln_slm_desc *desc, size_t *k, int *has_sd)
{
    const uint64_t D = b->D;
    const uint64_t features = bln_get_u64(r), priors = bln_get_u64(r), n_theta = bln_get_u64(r);
    if (features != D || (priors != b->n_slices && priors != D) || n_theta != b->n_theta)
        return bln_reader_fail(r, BLN_EFORMAT, "model: sizes are not those of its basis");
    const uint64_t code = bln_get_u64(r), form = code & 3, rows = bln_get_u64(r);
    if (code > 6 || form > 2 || (form != 1 && rows != D) || (form == 1 && (rows == 0 || rows >= D)))
        return bln_reader_fail(r, BLN_EFORMAT, "model: unknown form of the posterior");
    if (code > 3 && blni_slm_read_outputs(r, desc) != BLN_OK) return r->status;
    const uint64_t left = (r->limit - r->count)/8;
    /* rows <= D <= left < 2^61. Products that stick at SIZE_MAX bound the factors of the others. */
    if (D > left || blni_mul((size_t)rows, b->D) > 2*left || (form == 1 ? rows*D : D*(D + 1)/2) > left
        || blni_mul(desc->n_outputs, b->D) > left)
        return bln_reader_fail(r, BLN_EFORMAT, "model: truncated");
    desc->per_weight = priors != b->n_slices;
    *k = (size_t)rows;
    *has_sd = form == 2;
    return r->status;
}

/* Sigma, of which a variance may be 0 (a perfect fit); in version 1 it is the noise variance. */
BLNI_PRIV int blni_slm_read_cov(bln_reader *r, int second, blni_slm_result *res)
{
    const size_t P = res->P;
    int good = 1;
    if (!second) res->cov[0] = res->hyper.noise_var;
    for (size_t p = 0; p < P && second; p++) {
        bln_get_doubles(r, P - p, res->cov + p*P + p);
        good = good && blni_all_finite(P - p, res->cov + p*P + p) && res->cov[p*P + p] >= 0.0;
    }
    bln_symmetrise(P, res->cov, P);
    return good;
}

BLNI_PRIV bln_status blni_slm_read_result(const bln_basis *b, size_t priors, int second, bln_reader *r, blni_slm_result *res)
{
    const bln_gaussian *g = &res->base;
    const size_t PD = res->P*b->D;
    int good;
    res->hyper.noise_var = bln_get_double(r);
    res->evidence = bln_get_double(r);
    res->rows = bln_get_double(r);
    good = blni_slm_read_cov(r, second, res);
    bln_get_doubles(r, priors, res->hyper.prior_var);
    bln_get_doubles(r, b->n_theta, res->hyper.theta);
    bln_get_doubles(r, PD, res->m);
    bln_get_doubles(r, b->D, res->s);
    if (res->has_sd) bln_get_doubles(r, PD, res->sd);
    /* A perfect fit has noise variance 0 and evidence infinity; a flat prior has variance infinity. */
    good = good && res->hyper.noise_var >= 0.0 && blni_finite(res->hyper.noise_var) && res->evidence == res->evidence
        && res->rows > 0.0 && blni_finite(res->rows) && blni_all_at_least_zero(priors, res->hyper.prior_var)
        && blni_all_finite(b->n_theta, res->hyper.theta) && blni_all_finite(PD, res->m)
        && blni_all_at_least_zero(b->D, res->s) && blni_all_finite(b->D, res->s)
        && (!res->has_sd || (blni_all_at_least_zero(PD, res->sd) && blni_all_finite(PD, res->sd)));
    for (size_t i = 0; i < g->k; i++) {
        const size_t first = blni_gaussian_row_start(g, i);
        double *row = res->R + i*g->D;
        for (size_t j = 0; j < first; j++) row[j] = 0.0;
        bln_get_doubles(r, g->D - first, row + first);
        good = good && blni_all_finite(g->D - first, row + first) && (g->form != BLN_GAUSSIAN_FACTOR || row[i] > 0.0);
    }
    return good ? r->status : bln_reader_fail(r, BLN_EFORMAT, "model: a number is outside its range");
}

BLN_API bln_status bln_slm_load(const bln_load *context, bln_reader *r, bln_slm **out)
{
    bln_load none;
    bln_basis *basis = NULL;
    bln_slm *slm = NULL;
    bln_slm_desc desc;
    size_t k = 0;
    int has_sd = 0;
    if (!r || !out) return BLN_EINVAL;
    memset(&none, 0, sizeof none);
    if (!context) context = &none;
    bln_status status = bln_basis_load_any(context, r, &basis);
    if (status != BLN_OK) return status;
    memset(&desc, 0, sizeof desc);
    desc.basis = basis;
    desc.alloc = context->alloc;
    desc.fix_theta = !basis->ops->pullback;
    status = bln_slm_create(&desc, &slm, r->report);
    if (status != BLN_OK) {
        bln_basis_free(basis);
        return bln_reader_fail(r, status, "model: cannot be made");
    }
    slm->owned = basis;
    status = blni_slm_read_sizes(basis, r, &slm->desc, &k, &has_sd);
    const size_t priors = blni_priors(basis, slm->desc.per_weight);
    if (status == BLN_OK) {
        status = blni_result_create(&slm->alloc, basis, priors, slm->desc.n_outputs, k, &slm->result, r->report);
        if (status != BLN_OK) bln_reader_fail(r, status, "model: out of memory for the posterior");
    }
    slm->result.has_sd = has_sd;
    if (status == BLN_OK) status = blni_slm_read_result(basis, priors, blni_slm_file_version(slm) == 2, r, &slm->result);
    slm->fitted = status == BLN_OK;
    blni_slm_settle(slm);
    if (status == BLN_OK) *out = slm;
    else bln_slm_free(slm);
    return status;
}

BLNI_MODEL_KIND(slm, "SLM ", 2, load, blni_slm_file_version)
BLN_API const bln_model_kind *bln_slm_file_kind(void) { return &blni_slm_kind; }

/* slm_sample: draws of weights, functions and observations; slopes of predictions. The work is done in posterior/sample and
 * posterior/predict; here are the features, the offset, the noise, and the checks.
 *
 * Noise is keyed by (seed, stream, row): the generator of a draw gives, behind the two fills that the weights may take, a seed for
 * its noise, of which every 256 rows have a stream of their own. So neither blocks nor parts change it.   [spec/samplers.md R3]
 * Next it gives a seed for what features leave out of f, which is one vector of normals times the factor of its covariance.
 *
 * Several outputs: draws Z of base with mean 0, independent for each output (the first has the seed itself, the others a seed drawn
 * from it), become M + Z U with Sigma/v = U'U: the columns of Z are outputs, and Cov(w_jp, w_kq) = (U'U)_pq C_jk. */
#include "slm_sample.h"
#include "../core/status_private.h"
#include "../basis/basis_private.h"
#include "../posterior/predict_private.h"
#include "../posterior/sample_private.h"
#include "slm_private.h"

enum { BLNI_NOISE_CHUNK = 256 };

typedef struct blni_draw_pieces { double *Q, *diag, *U, *W, *prior, *Phi, *sample, *basis; } blni_draw_pieces;

BLNI_PRIV blni_draw_pieces blni_draw_carve(blni_arena *a, const bln_slm *slm, size_t n, int with_prior)
{
    const bln_basis *b = bln_slm_basis(slm);
    const bln_gaussian *g = &slm->result.base;
    const size_t PD = blni_mul(slm->result.P, g->D);
    const size_t k = with_prior || g->form == BLN_GAUSSIAN_LOWRANK ? g->k : 0;
    blni_draw_pieces w;
    w.Q      = blni_carve_doubles(a, blni_mul(k, k));
    w.diag   = blni_carve_doubles(a, k);
    w.U      = blni_carve_doubles(a, blni_mul(slm->result.P, slm->result.P));
    w.W      = blni_carve_doubles(a, blni_mul(n, PD));
    w.prior  = blni_carve_doubles(a, with_prior ? blni_mul(n, PD) : 0);
    w.Phi    = blni_carve_doubles(a, blni_mul(slm->desc.block, g->D));
    w.sample = blni_carve_doubles(a, bln_gaussian_sample_work(g));
    w.basis  = blni_carve_doubles(a, bln_basis_work(b, slm->desc.block));
    if (k == 0) w.Q = NULL;
    if (!with_prior) w.prior = NULL;
    return w;
}

BLN_API size_t bln_slm_sample_work(const bln_slm *slm, const bln_draw_desc *draws, int with_prior)
{
    blni_arena a = blni_arena_over(NULL, 0);
    if (!blni_slm_fitted(slm)) return 0;
    blni_draw_carve(&a, slm, blni_draws_defaults(draws).n, with_prior);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

/* The workspace of a call: the caller's, or one of our own, which *own then holds. */
BLNI_PRIV bln_status blni_draw_workspace(const bln_slm *slm, size_t doubles, double **work, double **own, bln_report *report)
{
    *own = NULL;
    if (*work) return BLN_OK;
    const size_t bytes = blni_mul(doubles, sizeof(double));
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    *work = *own = (double *)blni_alloc(&slm->alloc, bytes);
    return *own ? BLN_OK : blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the workspace");
}

BLNI_PRIV bln_status blni_draw_ready(const bln_slm *slm, bln_report *report)
{
    return blni_slm_fitted(slm) ? BLN_OK : blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: not fitted");
}

/* A flat prior has no paths. */
BLNI_PRIV bln_status blni_draw_proper(const bln_slm *slm, const double *prior, bln_report *report)
{
    const size_t flat = prior ? blni_slm_next_flat(slm, 0) : BLN_NONE;
    return flat < slm->result.base.D
        ? blni_fail(report, BLN_EUNDEFINED, BLN_NONE, flat, "slm: there are no prior paths with a flat prior, feature") : BLN_OK;
}

/* U with U'U = Sigma; an output that is fitted perfectly has a row and a column of zeros. */
BLNI_PRIV bln_status blni_draw_sigma(const bln_slm *slm, double *U, bln_report *report)
{
    const blni_slm_result *r = &slm->result;
    const size_t P = r->P;
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) U[p*P + q] = r->cov[p*P + p] > 0.0 ? r->cov[p*P + q] : (double)(p == q);
    if (bln_potrf(P, U, P, NULL) != BLN_OK)
        return blni_fail(report, BLN_ENOTPD, BLN_NONE, BLN_NONE, "slm: the noise covariance is not positive definite");
    for (size_t p = 0; p < P; p++) if (!(r->cov[p*P + p] > 0.0)) U[p*P + p] = 0.0;
    return BLN_OK;
}

/* The seed of an output. */
BLNI_PRIV uint64_t blni_draw_seed(uint64_t seed, size_t p)
{
    bln_rng rng;
    if (p == 0) return seed;
    bln_rng_seed(&rng, seed, ~(uint64_t)p);
    return bln_rng_next(&rng);
}

/* X (P x D) <- M + U'X/sqrt(v), last output first; M may be NULL. */
BLNI_PRIV void blni_draw_mix(size_t P, size_t D, const double *U, double v, const double *M, double *X)
{
    for (size_t q = P; q-- > 0;) {
        double *x = X + q*D;
        bln_scal(D, U[q*P + q]/sqrt(v), x);
        for (size_t p = 0; p < q; p++) bln_axpy(D, U[p*P + q]/sqrt(v), X + p*D, x);
        if (M) bln_axpy(D, 1.0, M + q*D, x);
    }
}

/* One output: its posterior itself. Several: base with mean 0, mixed. */
BLNI_PRIV void blni_draw_outputs(const bln_slm *slm, const bln_draw_desc *d, const blni_draw_pieces *w, double *W, double *prior,
                                 size_t ldw)
{
    const blni_slm_result *r = &slm->result;
    const size_t P = r->P, D = r->base.D;
    bln_gaussian base = r->base;
    if (P > 1) base.m = NULL;
    else base.s = r->s_of;
    for (size_t p = 0; p < P; p++)
        bln_gaussian_sample(&base, w->Q, d->n, blni_draw_seed(d->seed, p), d->stream, W + p*D, prior ? prior + p*D : NULL, ldw,
                            w->sample);
    for (size_t i = 0; i < d->n && P > 1; i++) {
        blni_draw_mix(P, D, w->U, r->hyper.noise_var, r->m, W + i*ldw);
        if (prior) blni_draw_mix(P, D, w->U, r->hyper.noise_var, NULL, prior + i*ldw);
    }
}

/* Draws into W, prior paths unless prior is NULL. */
BLNI_PRIV bln_status blni_draw_weights(const bln_slm *slm, const bln_draw_desc *d, const blni_draw_pieces *w, double *W,
                                       double *prior, size_t ldw, bln_report *report)
{
    const bln_gaussian *g = &slm->result.base;
    const size_t PD = slm->result.P*g->D;
    double tau = 0.0;
    bln_status status = blni_draw_sigma(slm, w->U, report);
    if (status != BLN_OK) return status;
    if (w->Q) status = bln_gaussian_path_factor(g, w->Q, w->diag, &tau);
    if (status != BLN_OK) return blni_fail(report, status, BLN_NONE, BLN_NONE, "slm: the posterior is not finite; scale the data");
    if (report) report->jitter = tau;
    blni_draw_outputs(slm, d, w, W, prior, ldw);
    for (size_t r = 0; r < d->n; r++)
        for (size_t j = 0; j < PD; j++)
            if (!blni_finite(W[r*ldw + j]) || (prior && !blni_finite(prior[r*ldw + j])))
                return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: a draw of the weights overflows");
    return BLN_OK;
}

BLN_API bln_status bln_slm_sample_weights(const bln_slm *slm, const bln_draw_desc *draws, double *W, double *prior, size_t ldw,
                                          double *work, bln_report *report)
{
    double *own;
    bln_report_clear(report);
    if (!slm || !draws || !W) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: NULL argument");
    bln_status status = blni_draw_ready(slm, report);
    if (status == BLN_OK) status = blni_draw_proper(slm, prior, report);
    if (status != BLN_OK) return status;
    const bln_draw_desc d = blni_draws_defaults(draws);
    const size_t PD = slm->result.P*slm->result.base.D;
    if (ldw == 0) ldw = PD;
    if (ldw < PD) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: row stride of W below P D");
    const size_t doubles = bln_slm_sample_work(slm, &d, prior != NULL);
    status = blni_draw_workspace(slm, doubles, &work, &own, report);
    if (status != BLN_OK) return status;
    blni_arena a = blni_arena_over(work, 0);
    const blni_draw_pieces w = blni_draw_carve(&a, slm, d.n, prior != NULL);
    status = blni_draw_weights(slm, &d, &w, W, prior, ldw, report);
    blni_release(&slm->alloc, own, doubles*sizeof(double));
    return status;
}

/* f of the rows of a block, from n draws of the weights: n x rows P, each draw rows x P. */
BLNI_PRIV void blni_draw_values(const bln_slm *slm, const bln_data *rows, const double *Phi, size_t n, const double *W, double *out,
                                size_t ldo)
{
    const size_t D = slm->result.base.D, P = slm->result.P;
    if (P == 1) bln_gemm(BLN_NOTRANS, BLN_TRANS, n, rows->n, D, 1.0, W, D, Phi, D, 0.0, out, ldo);
    for (size_t r = 0; r < n; r++) {
        double *f = out + r*ldo;
        if (P > 1) bln_gemm(BLN_NOTRANS, BLN_TRANS, rows->n, P, D, 1.0, Phi, D, W + r*P*D, D, 0.0, f, P);
        for (size_t i = 0; i < rows->n && rows->offset; i++)
            for (size_t p = 0; p < P; p++) f[i*P + p] += blni_offset(rows, i, p);
    }
}

/* out (n_draws x rows P) <- W Phi' + offset */
BLNI_PRIV void blni_draw_functions(const bln_slm *slm, const bln_data *data, const blni_draw_pieces *w, size_t n, double *out,
                                   double *prior, size_t ldo)
{
    const bln_basis *b = bln_slm_basis(slm);
    const size_t D = b->D, P = slm->result.P, block = slm->desc.block;
    for (size_t i = 0; i < data->n; i += block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(block, data->n - i));
        bln_basis_features(b, bln_slm_theta(slm), rows.n, rows.X, blni_ldx(data), w->Phi, D, w->basis);
        blni_draw_values(slm, &rows, w->Phi, n, w->W, out + i*P, ldo);
        if (prior) blni_draw_values(slm, &rows, w->Phi, n, w->prior, prior + i*P, ldo);
    }
}

/* What lies behind the normals of the weights of a draw: the seeds of its noise and of what features leave out. */
BLNI_PRIV uint64_t blni_draw_seed_behind(uint64_t seed, uint64_t stream, int left_out)
{
    double none[1];
    bln_rng rng;
    bln_rng_seed(&rng, seed, stream);
    bln_rng_normals(&rng, 0, none);               /* where the normals of the weights are */
    bln_rng_normals(&rng, 0, none);
    const uint64_t noise = bln_rng_next(&rng);
    return left_out ? bln_rng_next(&rng) : noise;
}

/* y_q += U_pq sqrt(v) e for one draw, e the noise of output p, for q = p .. P-1; e of row i is keyed to first + i.  U: row p */
BLNI_PRIV void blni_draw_noise(const bln_data *data, size_t P, size_t p, const double *U, uint64_t seed, uint64_t stream,
                               size_t first, double *y)
{
    double e[BLNI_NOISE_CHUNK];
    bln_rng rng;
    const uint64_t noise = blni_draw_seed_behind(seed, stream, 0);
    for (size_t i = 0; i < data->n;) {
        const size_t chunk = (first + i)/BLNI_NOISE_CHUNK, skip = (first + i)%BLNI_NOISE_CHUNK;
        const size_t now = blni_min(BLNI_NOISE_CHUNK - skip, data->n - i);
        bln_rng_seed(&rng, noise, chunk);
        bln_rng_normals(&rng, skip + now, e);
        for (size_t j = 0; j < now; j++, i++)
            for (size_t q = p; q < P; q++)
                y[i*P + q] += U[q]*sqrt(data->noise_var ? data->noise_var[i] : 1.0)*e[skip + j];
    }
}

/* What draws at points check. *ldo: its default filled in. */
BLNI_PRIV bln_status blni_draw_points(const bln_slm *slm, const bln_draw_desc *draws, const bln_data *data, const double *out,
                                      size_t *ldo, bln_report *report)
{
    if (!slm || !draws || !data || (!out && data->n))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: NULL argument");
    const bln_status status = blni_draw_ready(slm, report);
    if (status != BLN_OK) return status;
    if (!blni_basis_fits(bln_slm_basis(slm), data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    const size_t values = blni_mul(data->n, slm->result.P);
    if (*ldo == 0) *ldo = values;
    if (*ldo < values) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: row stride of the draws below n");
    return blni_slm_check_rows(slm->desc.n_outputs, data, report);
}

BLN_API bln_status bln_slm_sample(const bln_slm *slm, const bln_draw_desc *draws, const bln_data *data, double *out, double *prior,
                                  size_t ldo, double *work, bln_report *report)
{
    double *own;
    bln_report_clear(report);
    bln_status status = blni_draw_points(slm, draws, data, out, &ldo, report);
    if (status == BLN_OK) status = blni_draw_proper(slm, prior, report);
    if (status != BLN_OK) return status;
    const size_t P = slm->result.P, values = data->n*P;
    const bln_draw_desc d = blni_draws_defaults(draws);
    const size_t doubles = bln_slm_sample_work(slm, &d, prior != NULL);
    status = blni_draw_workspace(slm, doubles, &work, &own, report);
    if (status != BLN_OK) return status;
    blni_arena a = blni_arena_over(work, 0);
    const blni_draw_pieces w = blni_draw_carve(&a, slm, d.n, prior != NULL);
    status = blni_draw_weights(slm, &d, &w, w.W, w.prior, P*slm->result.base.D, report);
    if (status == BLN_OK) blni_draw_functions(slm, data, &w, d.n, out, prior, ldo);
    for (size_t r = 0; r < d.n && d.noise && data->n && status == BLN_OK; r++)
        for (size_t p = 0; p < P; p++)
            blni_draw_noise(data, P, p, w.U + p*P, blni_draw_seed(d.seed, p), d.stream + r, d.first_row, out + r*ldo);
    blni_release(&slm->alloc, own, doubles*sizeof(double));
    if (status != BLN_OK) return status;
    for (size_t r = 0; r < d.n; r++)
        for (size_t i = 0; i < values; i++)
            if (!blni_finite(out[r*ldo + i]) || (prior && !blni_finite(prior[r*ldo + i])))
                return blni_fail(report, BLN_ENUMERIC, i/P, BLN_NONE, "slm: a draw overflows");
    return BLN_OK;
}

/* ---- what features leave out of f */

typedef struct blni_rest_pieces { double *Phi, *R, *e, *line, *diag, *U, *basis; } blni_rest_pieces;

BLNI_PRIV blni_rest_pieces blni_rest_carve(blni_arena *a, const bln_slm *slm, size_t n)
{
    const bln_basis *b = bln_slm_basis(slm);
    blni_rest_pieces w;
    w.Phi   = blni_carve_doubles(a, blni_mul(n, b->D));
    w.R     = blni_carve_doubles(a, blni_mul(n, n));
    w.e     = blni_carve_doubles(a, n);
    w.line  = blni_carve_doubles(a, n);
    w.diag  = blni_carve_doubles(a, n);
    w.U     = blni_carve_doubles(a, blni_mul(slm->result.P, slm->result.P));
    w.basis = blni_carve_doubles(a, bln_basis_work(b, n));
    return w;
}

/* R <- its factor R = U'U, in units of base; 0 if it vanishes. */
BLNI_PRIV bln_status blni_rest_factor(const bln_slm *slm, const bln_data *data, const blni_rest_pieces *w, int *any,
                                      bln_report *report)
{
    const bln_basis *b = bln_slm_basis(slm);
    const size_t n = data->n;
    double tau = 0.0;
    bln_basis_features(b, bln_slm_theta(slm), n, data->X, blni_ldx(data), w->Phi, b->D, w->basis);
    for (size_t i = 0; i < n*n; i++) w->R[i] = 0.0;
    blni_left_out_covariance(b, bln_slm_theta(slm), &slm->result.base, n, data->X, blni_ldx(data), w->Phi, b->D, w->R, n, w->line,
                             w->diag, w->basis);
    *any = 0;
    for (size_t i = 0; i < n; i++) *any = *any || !(w->R[i*n + i] == 0.0);
    if (*any && bln_potrf_jitter(n, w->R, n, w->diag, &tau) != BLN_OK)
        return blni_fail(report, BLN_ENOTPD, BLN_NONE, BLN_NONE, "slm: what features leave out has no covariance");
    if (report) report->jitter = tau;
    return blni_draw_sigma(slm, w->U, report);
}

/* One draw of output p's share: out_q += U_pq/sqrt(v) R'e. */
BLNI_PRIV void blni_rest_add(const bln_slm *slm, size_t n, const blni_rest_pieces *w, size_t p, uint64_t seed, uint64_t stream,
                             double *out)
{
    const size_t P = slm->result.P;
    bln_rng rng;
    bln_rng_seed(&rng, blni_draw_seed_behind(seed, stream, 1), 0);
    bln_rng_normals(&rng, n, w->e);
    for (size_t k = n; k-- > 0;) {                                              /* e <- R'e, last entry first */
        const double e = w->e[k];
        w->e[k] = 0.0;
        bln_axpy(n - k, e, w->R + k*n + k, w->e + k);
    }
    for (size_t q = p; q < P; q++) {
        const double by = P == 1 ? sqrt(blni_result_ratio(&slm->result, 0, 0)) : w->U[p*P + q]/sqrt(slm->result.hyper.noise_var);
        for (size_t i = 0; i < n; i++) out[i*P + q] += by*w->e[i];
    }
}

BLN_API bln_status bln_slm_sample_left_out(const bln_slm *slm, const bln_draw_desc *draws, const bln_data *data, double *out,
                                           size_t ldo, bln_report *report)
{
    double *work = NULL, *own;
    int any = 0;
    bln_report_clear(report);
    bln_status status = blni_draw_points(slm, draws, data, out, &ldo, report);
    if (status != BLN_OK || data->n == 0 || !blni_leaves_out(bln_slm_basis(slm), &slm->result.base)) return status;
    const bln_draw_desc d = blni_draws_defaults(draws);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_rest_carve(&a, slm, data->n);
    const size_t doubles = a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
    status = blni_draw_workspace(slm, doubles, &work, &own, report);
    if (status != BLN_OK) return status;
    a = blni_arena_over(work, 0);
    const blni_rest_pieces w = blni_rest_carve(&a, slm, data->n);
    status = blni_rest_factor(slm, data, &w, &any, report);
    for (size_t r = 0; r < d.n && any && status == BLN_OK; r++)
        for (size_t p = 0; p < slm->result.P; p++)
            blni_rest_add(slm, data->n, &w, p, blni_draw_seed(d.seed, p), d.stream + r, out + r*ldo);
    blni_release(&slm->alloc, own, doubles*sizeof(double));
    return status;
}

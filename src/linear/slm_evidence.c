/* slm_evidence: what the primal and the dual form share: passes over the rows, the workspace, and the evidence from its parts
 *
 * A first scan checks every row and computes what does not depend on hyper-parameters: N, ld, omega, moments of the columns.
 * Rows of weight k count as k copies: they add k to N, k log(1/v) to ld, and enter G, b, c with omega = k/v. */
#include "slm_private.h"
#include "../basis/basis_private.h"
#include "../core/status_private.h"
#include "../math/blas_private.h"
#include "../math/cholesky_private.h"
#include "../math/qr_private.h"
#include "../posterior/prior_private.h"

/* Row i of a block, after s->n rows. */
BLNI_PRIV bln_status blni_scan_row(const bln_data *rows, size_t i, blni_slm_scan *s, bln_report *report)
{
    const double w = rows->weight ? rows->weight[i] : 1.0, omega = blni_row_omega(rows, i);
    s->N += w;
    s->omega += omega;
    if (!blni_finite(s->omega) || !blni_finite(s->N))
        return blni_fail(report, BLN_ENUMERIC, s->n + i, BLN_NONE,
                         "data: the sum of weights or of 1/noise_var overflows; scale them");
    if (rows->noise_var) s->ld -= w*log(rows->noise_var[i]);
    for (size_t p = 0; p < s->P; p++) {
        const double y = blni_row_target(rows, i, p);
        s->y_square[p] += omega*y*y;
        if (!blni_finite(s->y_square[p]))
            return blni_fail(report, BLN_ENUMERIC, s->n + i, rows->d + p, "data: squares of y overflow; scale y");
        blni_running_add(s->targets + p, omega, y);
    }
    for (size_t j = 0; j < s->d; j++) blni_running_add(s->columns + j, w, rows->X[i*blni_ldx(rows) + j]);
    return BLN_OK;
}

/* The next block of a source, checked for shape; contents are checked in the scan only. rows->n = 0 at the end. */
BLNI_PRIV bln_status blni_source_next(const bln_source *source, size_t block, size_t P, bln_data *rows, bln_report *report)
{
    memset(rows, 0, sizeof *rows);
    BLNI_TRY(source->next(source->user, block, rows, report));
    if (rows->n > block || (rows->n && rows->d != source->d))
        return blni_refuse(report, BLN_ESHAPE, "source: a block of the wrong shape");
    if (rows->n && blni_outputs(rows) != P)
        return blni_refuse(report, BLN_ESHAPE, "slm: data have another number of outputs (p) than n_outputs");
    return rows->n ? blni_data_check_shape(rows, 1, report) : BLN_OK;
}

/* The sums of all processes, if `status` and those of the others let them go on. */
BLNI_PRIV bln_status blni_scan_allreduce(blni_slm_scan *s, bln_status status, bln_report *report)
{
    double kind[4];
    s->n_all = (double)s->n;
    if (!blni_processes_many(s->processes)) return status;
    kind[0] = (double)s->d;
    kind[1] = (double)s->P;
    kind[2] = (double)(s->fingerprint >> 32);
    kind[3] = (double)(s->fingerprint & 0xffffffffu);
    BLNI_TRY(blni_processes_agree(s->processes, status, 's', 4, kind, report));
    BLNI_TRY(blni_processes_sum(s->processes, 1, &s->N, report));
    BLNI_TRY(blni_processes_sum(s->processes, 1, &s->ld, report));
    BLNI_TRY(blni_processes_sum(s->processes, 1, &s->omega, report));
    BLNI_TRY(blni_processes_sum(s->processes, 1, &s->n_all, report));
    BLNI_TRY(blni_processes_sum(s->processes, s->P, s->y_square, report));
    BLNI_TRY(blni_processes_running(s->processes, s->P, s->targets, report));
    return blni_processes_running(s->processes, s->d, s->columns, report);
}

/* Moments from the sums. */
BLNI_PRIV void blni_scan_end(blni_slm_scan *s)
{
    for (size_t p = 0; p < s->P; p++) {
        s->y_var[p] = blni_running_variance(s->targets + p);
        s->y_square[p] /= s->omega;
    }
    for (size_t j = 0; j < s->d; j++) {
        s->mean[j] = s->columns[j].mean;
        s->sd[j] = sqrt(blni_running_variance(s->columns + j));
    }
}

BLNI_PRIV bln_status blni_scan_rows(const bln_source *source, size_t block, blni_slm_scan *s, bln_report *report)
{
    bln_data rows;
    bln_status status = source->reset(source->user, report);
    while (status == BLN_OK) {
        status = blni_source_next(source, block, s->P, &rows, report);
        if (status != BLN_OK || rows.n == 0) break;
        status = blni_data_check_from(&rows, 1, s->n, report);
        if (status == BLN_OK) status = blni_data_check_offsets(&rows, s->P, 0, report);
        if (status == BLN_OK) status = blni_data_check_normal(&rows, report);
        if (status != BLN_OK) break;
        for (size_t i = 0; i < rows.n && status == BLN_OK; i++) status = blni_scan_row(&rows, i, s, report);
        if (status != BLN_OK) break;
        s->n += rows.n;
    }
    BLNI_TRY(blni_scan_allreduce(s, status, report));
    if (!(s->N > 0.0)) return blni_refuse(report, BLN_EINVAL, s->n_all > 0.0 ? "data: every row has weight 0" : "data: no rows");
    blni_scan_end(s);
    return BLN_OK;
}

BLNI_PRIV void blni_scan_free(const bln_allocator *alloc, blni_slm_scan *s)
{
    blni_release(alloc, s->block, s->bytes);
    memset(s, 0, sizeof *s);
}

/* s->d and s->P are set. */
BLNI_PRIV void blni_scan_carve(blni_arena *a, blni_slm_scan *s)
{
    BLNI_CARVE2(a, s->d, s->mean, s->sd);
    BLNI_CARVE2(a, s->P, s->y_var, s->y_square);
    s->columns  = (blni_running *)blni_carve(a, s->d, sizeof(blni_running));
    s->targets  = (blni_running *)blni_carve(a, s->P, sizeof(blni_running));
}

/* An empty scan of d columns and P outputs. */
BLNI_PRIV bln_status blni_scan_create(const bln_allocator *alloc, size_t d, size_t P, blni_slm_scan *s, bln_report *report)
{
    blni_arena a = blni_arena_over(NULL, 0);
    memset(s, 0, sizeof *s);
    s->d = d;
    s->P = P;
    blni_scan_carve(&a, s);
    BLNI_TRY(blni_arena_take(alloc, a.used, "slm", &a, report));
    s->block = memset(a.base, 0, s->bytes = a.size);
    blni_scan_carve(&a, s);
    return BLN_OK;
}

BLNI_PRIV bln_status blni_scan(const bln_slm *slm, const bln_source *source, blni_processes *processes, blni_slm_scan *s,
                               bln_report *report)
{
    const bln_allocator *alloc = &slm->alloc;
    BLNI_TRY(blni_scan_create(alloc, source->d, slm->desc.n_outputs, s, report));
    s->processes = processes;
    s->fingerprint = blni_processes_many(processes) ? blni_basis_fingerprint(slm->desc.basis) : 0;
    bln_status status = blni_scan_rows(source, slm->desc.block, s, report);
    if (status != BLN_OK) blni_scan_free(alloc, s);
    return status;
}

BLNI_ONCE BLNI_PRIV void blni_evidence_carve(blni_arena *a, blni_evidence *e)
{
    const size_t D = e->D, P = e->P, DP = blni_mul(D, P), n = e->n, rows = e->form == BLN_SLM_DUAL ? n : e->block;
    blni_sigma_carve(a, &e->sigma);
    e->s = blni_carve_doubles(a, D);
    BLNI_CARVE4(a, DP, e->u, e->m, e->w, e->mC);
    e->r = blni_carve_doubles(a, blni_mul(rows, P));
    BLNI_CARVE2(a, D, e->gamma, e->penalty);
    e->theta = blni_carve_doubles(a, e->basis->n_theta);
    e->basis_work = blni_carve_doubles(a, bln_basis_work(e->basis, e->block));
    e->room = blni_carve_doubles(a, bln_basis_room(e->basis));
    e->missed = blni_carve_doubles(a, e->basis->n_slices);
    e->F = blni_carve_doubles(a, blni_mul(rows, D));
    if (e->form == BLN_SLM_DUAL) {
        e->diag  = blni_carve_doubles(a, n);
        e->Phi   = blni_carve_doubles(a, blni_mul(n, D));
        e->K     = blni_carve_doubles(a, blni_mul(n, n));
        e->y     = blni_carve_doubles(a, blni_mul(n, P));
        e->root  = blni_carve_doubles(a, n);
        e->alpha = blni_carve_doubles(a, blni_mul(n, P));
        e->X     = blni_carve_doubles(a, blni_mul(n, e->basis->d));
        e->kernel = (int *)blni_carve(a, e->basis->n_slices, sizeof(int));
    } else {
        e->diag = blni_carve_doubles(a, D);
        e->Phi  = blni_carve_doubles(a, blni_mul(rows, blni_gram_stride(&e->gram)));
        if (!e->lent) blni_gram_carve(a, &e->gram, e->block);
        e->B    = blni_carve_doubles(a, blni_mul(blni_add(D, P), D));
        e->panels = blni_carve_doubles(a, e->basis->n_theta ? blni_panels_room(blni_add(D, P), D) : 0);
    }
    e->T = blni_carve_doubles(a, e->gram.qr ? blni_mul(blni_add(D, P), blni_add(D, P)) : 0);
    e->qr_work = blni_carve_doubles(a, e->gram.qr ? blni_ttqrt_work(blni_add(D, P)) : 0);
    e->B3 = (blni_exact *)blni_carve(a, e->gram.exact ? blni_mul(D, D) : 0, sizeof(blni_exact));
    e->u3 = (blni_exact *)blni_carve(a, e->gram.exact ? DP : 0, sizeof(blni_exact));
    e->w3 = (blni_exact *)blni_carve(a, e->gram.exact ? DP : 0, sizeof(blni_exact));
}

BLNI_PRIV void blni_evidence_for(const bln_slm_desc *desc, const bln_source *source, const blni_slm_scan *scan, blni_evidence *e)
{
    memset(e, 0, sizeof *e);
    e->basis = desc->basis;
    e->per_weight = desc->per_weight;
    e->source = source;
    e->scan = scan;
    e->n = scan->n;
    e->D = e->gram.D = desc->basis->D;
    e->P = e->gram.P = e->sigma.P = desc->n_outputs;
    e->sigma.kind = desc->sigma;
    e->variational = desc->residual == BLN_SLM_VARIATIONAL && !desc->per_weight;
    e->block = blni_min(desc->block, blni_max(scan->n, 1));
}

/* The form and arithmetic of desc for n rows. */
BLNI_PRIV void blni_evidence_take(blni_evidence *e, const bln_slm_desc *desc, size_t n)
{
    e->form = blni_slm_form_for(desc, n);
    const bln_slm_arithmetic arithmetic = blni_slm_arithmetic(desc, e->form);
    e->gram.exact = arithmetic == BLN_SLM_EXACT;
    e->gram.qr = arithmetic == BLN_SLM_QR;
}

/* Where the next value is asked for. */
BLNI_PRIV void blni_evidence_at(blni_evidence *e, const blni_hyper *h)
{
    e->noise_var = h->noise_var;
    e->n_flat = blni_prior_scales(e->basis, e->per_weight, h->prior_var, e->s, e->penalty);
}

/* The scale of a flat weight is free: sigma/sqrt(G_ii) gives B a diagonal of 1 there; it leaves the determinant again, *log_scale.
 * BLN_ENOTPD: such a feature is 0. */
BLNI_PRIV bln_status blni_flat_scales(blni_evidence *e, double *log_scale, bln_report *report)
{
    for (size_t i = 0; i < e->D; i++) {
        const double square = e->penalty[i] > 0.0 ? 0.0 : blni_gram_square(&e->gram, i);
        if (e->penalty[i] > 0.0) continue;
        if (!(square > 0.0)) return blni_fail(report, BLN_ENOTPD, BLN_NONE, i, BLNI_COLLINEAR);
        e->s[i] = sqrt(e->noise_var/square);
        *log_scale += log(e->s[i]);
    }
    return BLN_OK;
}

/* Are G or Phi those of theta? If not, notes that they are about to be, and binds the basis, unless its parts are treated apart. */
BLNI_PRIV int blni_evidence_same_theta(blni_evidence *e, const double *theta)
{
    const size_t bytes = e->basis->n_theta*sizeof *theta;
    if (e->have_features && (bytes == 0 || !memcmp(e->theta, theta, bytes))) return 1;
    if (bytes) memcpy(e->theta, theta, bytes);
    e->have_features = 1;
    if (!e->kernels) e->at = bln_basis_bind(e->basis, e->theta, e->room);
    return 0;
}

/* sum over the rows of omega |phi|^2 over the features first .. end - 1. */
BLNI_PRIV double blni_evidence_norm(const blni_evidence *e, size_t first, size_t end)
{
    const size_t D = e->D;
    double sum = 0.0;
    for (size_t i = first; i < end; i++) {
        if (e->form == BLN_SLM_PRIMAL) sum += blni_gram_square(&e->gram, i);
        else for (size_t r = 0; r < e->n; r++) sum += e->root[r]*e->root[r]*e->Phi[r*D + i]*e->Phi[r*D + i];
    }
    return sum;
}

/* Does the evidence subtract something for slice s? Its features are first .. end - 1. */
BLNI_ONCE BLNI_PRIV int blni_evidence_misses(const blni_evidence *e, size_t s, size_t *first, size_t *end)
{
    *first = bln_basis_slice(e->basis, s);
    *end = bln_basis_slice(e->basis, s + 1);
    return e->kernels && e->kernel[s] ? 0 : e->variational && bln_basis_variance(e->basis, s) > 0.0 && e->penalty[*first] > 0.0;
}

/* What is subtracted, by slice and in all [bases 35, for one output]. */
BLNI_PRIV double blni_evidence_missed(blni_evidence *e)
{
    double sum = 0.0;
    size_t first, end;
    for (size_t s = 0; s < e->basis->n_slices; s++) {
        e->missed[s] = 0.0;
        if (!blni_evidence_misses(e, s, &first, &end)) continue;
        const double rest = bln_basis_variance(e->basis, s)*e->scan->omega - blni_evidence_norm(e, first, end);
        e->missed[s] = 0.5*e->s[first]*e->s[first]/e->noise_var*(rest > 0.0 ? rest : 0.0);
        sum += e->missed[s];
    }
    return sum;
}

/* A perfect fit by flat weights alone, of one output at least: its noise variance is 0, and the density infinite. */
BLNI_PRIV int blni_evidence_perfect(const blni_evidence *e) { return !(e->noise_var > 0.0) || !(e->sigma.logdet > -HUGE_VAL); }

/* N less the flat weights: what there is to learn Sigma from. */
BLNI_PRIV double blni_evidence_freedom(const blni_evidence *e) { return e->scan->N - (double)e->n_flat; }

/* log p(Y)  [linear 7, 5, 42]; with flat weights integrated out, see >>slm. */
BLNI_ONCE BLNI_PRIV double blni_evidence_total(const blni_evidence *e)
{
    const double freedom = blni_evidence_freedom(e);
    if (blni_evidence_perfect(e)) return HUGE_VAL;
    return -0.5*((double)e->P*(freedom*BLNI_LOG_2PI + e->scan->N*log(e->noise_var) - e->scan->ld + e->logdet)
                 + freedom*e->sigma.logdet + e->q) - (double)e->P*e->missed_sum;
}

/* With Q and RSS at hand: Sigma, and what the evidence needs of the three. */
BLNI_ONCE BLNI_PRIV bln_status blni_evidence_settle(blni_evidence *e, bln_report *report)
{
    const bln_status status = blni_sigma_settle(&e->sigma, blni_evidence_freedom(e), e->gram.exact, e->scan->d, report);
    e->q = blni_sigma_trace(&e->sigma, e->sigma.Q);
    e->rss = blni_sigma_trace(&e->sigma, e->sigma.RSS);
    e->missed_sum = blni_evidence_missed(e);
    return status;
}

/* out (P x P, upper triangle) = sum of w_i'w_i = m_i'm_i/lambda_i over the weights that have a prior variance. */
BLNI_PRIV void blni_evidence_shrinkage(const blni_evidence *e, double *out)
{
    const size_t P = e->P;
    for (size_t p = 0; p < P*P; p++) out[p] = 0.0;
    for (size_t i = 0; i < e->D; i++) {
        const double *w = e->w + i*P;
        if (!(e->penalty[i] > 0.0)) continue;
        for (size_t p = 0; p < P; p++)
            for (size_t q = p; q < P; q++) out[p*P + q] += w[p]*w[q];
    }
}

/* With U in B and u: log|B|, in which flat weights have the scale exp(log_scale), its condition, w = U^-1 u and m = S w. */
BLNI_PRIV void blni_evidence_mean(blni_evidence *e, double log_scale)
{
    const size_t D = e->D, P = e->P;
    e->logdet = bln_logdet_factor(D, e->B, D) - 2.0*log_scale;
    e->condition = blni_condition_factor(D, e->B, D);
    memcpy(e->w, e->u, D*P*sizeof *e->w);
    blni_sigma_solve(BLN_NOTRANS, D, P, e->B, D, e->w);
    for (size_t i = 0; i < D; i++)
        for (size_t p = 0; p < P; p++) e->m[i*P + p] = e->s[i]*e->w[i*P + p];
}

/* mC <- m C^-1 */
BLNI_PRIV void blni_evidence_mean_over_sigma(blni_evidence *e)
{
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, e->D, e->P, e->P, 1.0, e->m, e->P, e->sigma.inverse, e->P, 0.0, e->mC, e->P);
}

/* The posterior's parts that do not depend on the form: means by output, s, Sigma. */
BLNI_ONCE BLNI_PRIV void blni_evidence_result(const blni_evidence *e, blni_slm_result *r)
{
    const size_t D = e->D, P = e->P;
    for (size_t p = 0; p < P; p++)
        for (size_t i = 0; i < D; i++) r->m[p*D + i] = e->m[i*P + p];
    memcpy(r->s, e->s, D*sizeof *r->s);
    for (size_t p = 0; p < P*P; p++) r->cov[p] = e->noise_var*e->sigma.C[p];
}

/* d/d log sigma^2 and d/d log lambda_s from RSS, m_i^2/lambda_i = w_i^2 and gamma_i [linear 13, 14, 41]; what is missed goes
 * with lambda_s/sigma^2 */
BLNI_PRIV void blni_evidence_gradient_scales(const blni_evidence *e, double *d_noise, double *d_prior)
{
    const double P = (double)e->P;
    double gamma = 0.0;
    for (size_t i = 0; i < e->D; i++) gamma += e->gamma[i];
    if (d_noise) *d_noise = 0.5*(e->rss/e->noise_var + P*(gamma - e->scan->N)) + P*e->missed_sum;
    if (!d_prior) return;
    for (size_t k = 0, i = 0; k < blni_priors(e->basis, e->per_weight); k++) {
        d_prior[k] = 0.0;
        for (const size_t end = blni_prior_first(e->basis, e->per_weight, k + 1); i < end; i++)
            d_prior[k] += 0.5*e->penalty[i]*(blni_sigma_norm(&e->sigma, e->w + i*e->P) - P*e->gamma[i]);
        if (!e->per_weight) d_prior[k] -= P*e->missed[k];
    }
}

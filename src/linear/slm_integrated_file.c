/* slm_integrated_file: a fitted model as bytes. Content of the section "INTG" of a model file, version 1 (conventions in
 * >>modelfile):
 *
 *     str        basis: name, then what that basis writes (src/basis)
 *     u64 x 4    D, P, n_theta, K: features, slices, basis parameters, nodes (K >= 1)
 *     f64 x 3    scale of the half-Cauchy prior;  a, b of the inverse gamma prior of sigma^2
 *     f64 x P    ratios: 0 integrated, infinity flat, else fixed; these make the counts: S ratios integrated (S <= 3), F features
 *                in flat slices, E = D - F in the others
 *     f64 x n_theta  basis parameters
 *     f64        N: sum of the weights of the rows;   f64 log evidence
 *     f64 x P    h_s
 *     f64 ...    U_f: upper triangle row by row, F (F+1)/2;   f64 x F  z_f;   f64 x F E  W, row by row
 *     K times:   f64 weight;  f64 q;  f64 x S  tau;  f64 x E (E+1)/2  R, upper triangle row by row;  f64 x E  t
 *
 * U_f, z_f, W, q, R, t as in src/linear/slm_integrated.c; the features of flat slices in their order, and so the others. R is kept,
 * not made again from the data's V, so that a loaded model gives the same bits on every machine and costs no more than its file. */
#include "slm_integrated_private.h"
#include "../core/memory_private.h"
#include "../core/bytes_private.h"
#include "../core/load_private.h"
#include "../posterior/prior_private.h"

/* R: n x n of stride n, lower triangle 0. */
BLNI_PRIV void blni_int_put_upper(bln_writer *w, size_t n, const double *R)
{
    for (size_t i = 0; i < n; i++) bln_put_doubles(w, n - i, R + i*n + i);
}

BLN_API bln_status bln_slm_integrated_save(const bln_slm_integrated *m, bln_writer *w)
{
    if (!m || !w) return blni_writer_fail(w, BLN_EINVAL);
    if (!m->fitted) return blni_writer_fail(w, BLN_ESTATE);
    const bln_basis *b = m->desc.basis;
    const blni_int_result *r = &m->result;
    const size_t p = r->p, f = r->n_flat;
    bln_basis_save(b, w);
    bln_put_u64(w, b->D);
    bln_put_u64(w, b->n_slices);
    bln_put_u64(w, b->n_theta);
    bln_put_u64(w, r->n_nodes);
    bln_put_double(w, m->desc.prior_scale);
    bln_put_double(w, m->desc.noise_a);
    bln_put_double(w, m->desc.noise_b);
    bln_put_doubles(w, b->n_slices, m->desc.ratio);
    bln_put_doubles(w, b->n_theta, r->theta);
    bln_put_double(w, r->N);
    bln_put_double(w, r->evidence);
    bln_put_doubles(w, b->n_slices, r->unit);
    blni_int_put_upper(w, f, r->Uf);
    bln_put_doubles(w, f, r->zf);
    bln_put_doubles(w, f*p, r->W);
    for (size_t k = 0; k < r->n_nodes; k++) {
        bln_put_double(w, r->weight[k]);
        bln_put_double(w, r->q[k]);
        bln_put_doubles(w, r->dims, r->tau + k*r->dims);
        blni_int_put_upper(w, p, r->R + k*p*p);
        bln_put_doubles(w, p, r->rhs + k*p);
    }
    return w->status;
}

BLNI_PRIV int blni_int_all(size_t n, const double *x, double above)
{
    for (size_t i = 0; i < n; i++) if (!(x[i] > above) || !blni_finite(x[i])) return 0;
    return 1;
}

/* Diagonals of Cholesky factors are > 0; those of R, which holds an identity, >= 1. */
BLNI_PRIV int blni_int_get_upper(bln_reader *r, size_t n, double least, double *R)
{
    int good = 1;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) R[i*n + j] = 0.0;
        bln_get_doubles(r, n - i, R + i*n + i);
        good = good && R[i*n + i] > 0.0 && R[i*n + i] >= least && blni_int_all(n - i, R + i*n + i, -HUGE_VAL);
    }
    return good;
}

/* n (n+1)/2; SIZE_MAX on overflow. */
BLNI_PRIV size_t blni_int_upper(size_t n)
{
    const size_t twice = blni_mul(n, n + 1);
    return twice == (size_t)-1 ? twice : twice/2;
}

/* Doubles that follow N: what the counts claim; SIZE_MAX on overflow. */
BLNI_PRIV size_t blni_int_doubles(const bln_basis *b, const blni_int_result *r, size_t nodes)
{
    const size_t p = r->p, f = r->n_flat, node = blni_add(blni_int_upper(p), p + 2 + r->dims);
    const size_t fixed = blni_add(blni_add(blni_int_upper(f), f + b->n_slices), blni_mul(f, p));
    return blni_add(fixed, blni_mul(nodes, node));
}

/* Nodes, each checked as it comes. */
BLNI_PRIV int blni_int_get_nodes(bln_reader *in, blni_int_result *r)
{
    const size_t p = r->p;
    double sum = 0.0;
    int good = 1;
    for (size_t k = 0; k < r->n_nodes && in->status == BLN_OK; k++) {
        r->weight[k] = bln_get_double(in);
        r->q[k] = bln_get_double(in);
        bln_get_doubles(in, r->dims, r->tau + k*r->dims);
        good = good && r->weight[k] > 0.0 && r->q[k] >= 0.0 && blni_finite(r->q[k])
               && blni_int_all(r->dims, r->tau + k*r->dims, 0.0);
        good = blni_int_get_upper(in, p, 1.0, r->R + k*p*p) && good;
        bln_get_doubles(in, p, r->rhs + k*p);
        good = good && blni_int_all(p, r->rhs + k*p, -HUGE_VAL);
        sum += r->weight[k];
    }
    return good && fabs(sum - 1.0) < 1e-6;
}

/* From N on, into a result that has its counts. */
BLNI_PRIV bln_status blni_int_get_result(const bln_slm_integrated *m, bln_reader *in, blni_int_result *r)
{
    const bln_basis *b = m->desc.basis;
    r->evidence = bln_get_double(in);
    bln_get_doubles(in, b->n_slices, r->unit);
    int good = r->evidence == r->evidence && blni_int_all(b->n_slices, r->unit, 0.0);
    good = blni_int_get_upper(in, r->n_flat, 0.0, r->Uf) && good;
    bln_get_doubles(in, r->n_flat, r->zf);
    bln_get_doubles(in, r->n_flat*r->p, r->W);
    good = good && blni_int_all(r->n_flat, r->zf, -HUGE_VAL) && blni_int_all(r->n_flat*r->p, r->W, -HUGE_VAL);
    good = blni_int_get_nodes(in, r) && good;
    if (!good) return bln_reader_fail(in, BLN_EFORMAT, "integrated model: a number is outside its range");
    blni_int_sort(&m->desc, r, 1);
    for (size_t k = 0; k < b->n_theta; k++) r->theta[k] = m->desc.theta[k];
    for (size_t s = 0; s < b->n_slices; s++)
        r->tau0[s] = blni_flat(m->desc.ratio[s]) ? HUGE_VAL : r->unit[s]*sqrt(m->desc.ratio[s]);
    for (size_t j = 0; j < r->p; j++) r->h[j] = r->unit[r->slice[j]];
    return in->status;
}

/* What the description says, up to theta; makes the model, which takes the basis over. */
BLNI_PRIV bln_status blni_int_get_model(const bln_load *context, bln_reader *in, bln_basis *basis, size_t *nodes,
                                        bln_slm_integrated **out)
{
    bln_slm_integrated_desc desc;
    const uint64_t D = bln_get_u64(in), slices = bln_get_u64(in), n_theta = bln_get_u64(in), K = bln_get_u64(in);
    if (in->status != BLN_OK) return in->status;
    if (D != basis->D || slices != basis->n_slices || n_theta != basis->n_theta)
        return bln_reader_fail(in, BLN_EFORMAT, "integrated model: sizes are not those of its basis");
    const uint64_t left = blni_reader_left(in)/8;
    if (K == 0 || (size_t)K != K || K > left || D > left || slices + n_theta > left)
        return bln_reader_fail(in, BLN_EFORMAT, "integrated model: truncated, or without nodes");
    memset(&desc, 0, sizeof desc);
    desc.basis = basis;
    desc.alloc = context->alloc;
    desc.prior_scale = bln_get_double(in);
    desc.noise_a = bln_get_double(in);
    desc.noise_b = bln_get_double(in);
    const size_t bytes = blni_mul(basis->n_slices + basis->n_theta + 1, sizeof(double));
    double *ratio = (double *)blni_alloc(&context->alloc, bytes), *theta = ratio ? ratio + basis->n_slices : NULL;
    if (!ratio) return bln_reader_fail(in, BLN_ENOMEM, "integrated model: out of memory");
    desc.ratio = ratio;
    desc.theta = theta;
    bln_get_doubles(in, basis->n_slices, ratio);
    bln_get_doubles(in, basis->n_theta, theta);
    bln_status status = in->status;
    const char *why = bln_slm_integrated_check(&desc);
    if (status == BLN_OK && (why || !(desc.prior_scale > 0.0)))
        status = bln_reader_fail(in, BLN_EFORMAT, why ? why : "integrated model: a number is outside its range");
    if (status == BLN_OK) {
        status = bln_slm_integrated_create(&desc, out, NULL);
        if (status != BLN_OK) bln_reader_fail(in, status, "integrated model: cannot be made");
    }
    blni_release(&context->alloc, ratio, bytes);
    *nodes = (size_t)K;
    return status;
}

BLN_API bln_status bln_slm_integrated_load(const bln_load *context, bln_reader *in, bln_slm_integrated **out)
{
    bln_load none;
    bln_basis *basis = NULL;
    bln_slm_integrated *m = NULL;
    size_t nodes = 0;
    if (!in || !out) return BLN_EINVAL;
    memset(&none, 0, sizeof none);
    if (!context) context = &none;
    bln_status status = bln_basis_load_any(context, in, &basis);
    if (status != BLN_OK) return status;
    status = blni_int_get_model(context, in, basis, &nodes, &m);
    if (status != BLN_OK) {
        bln_basis_free(basis);
        return status;
    }
    m->owned = basis;
    blni_int_result *r = &m->result;
    blni_int_sort(&m->desc, r, 0);
    r->D = basis->D;
    r->N = bln_get_double(in);
    r->nu = r->N - (double)r->n_flat + 2.0*m->desc.noise_a;
    if (!(r->N > 0.0) || !blni_finite(r->N) || !(r->nu > 0.0) || !blni_finite(r->nu))
        status = bln_reader_fail(in, BLN_EFORMAT, "integrated model: no rows, or fewer than weights with a flat prior");
    else if (blni_int_doubles(basis, r, nodes) > blni_reader_left(in)/8)
        status = bln_reader_fail(in, BLN_EFORMAT, "integrated model: truncated");
    else {
        status = blni_int_result_new(m, nodes, r, NULL, NULL);
        if (status != BLN_OK) bln_reader_fail(in, status, "integrated model: out of memory for the posterior");
    }
    if (status == BLN_OK) status = blni_int_get_result(m, in, r);
    m->fitted = status == BLN_OK;
    blni_int_settle(m);
    if (status == BLN_OK) *out = m;
    else bln_slm_integrated_free(m);
    return status;
}

BLNI_MODEL_KIND(slm_integrated, "INTG", 1, load, BLNI_FIRST_VERSION)
BLN_API const bln_model_kind *bln_slm_integrated_file_kind(void) { return &blni_slm_integrated_kind; }

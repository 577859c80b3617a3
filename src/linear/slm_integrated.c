/* slm_integrated: sigma^2 integrated in closed form, variance ratios by quadrature; the header has the equations
 *
 * 1. The upper triangle of [G b; b' c] is eliminated once, in three doubles if the statistics are: first the flat features in
 *    order, G_ff = Uf'Uf, then the others with pivoting until nothing is left. The others' block becomes V'V, their part of b
 *    becomes V'z, and c becomes rho^2, the residual of least squares. From here on nothing cancels.
 *    With QR the columns of the triangle are put in this order, flat ones first, and it is made a triangle again: no squares are
 *    formed, and V has all its p rows.
 * 2. At each ratio, with S = diag(tau/h) over the features that are not flat,  [I 0; V S z] = Q [R t; 0 e]  by Householder:
 *        R'R = I + S V'V S,   q = rho^2 + e'e,   log|B| - 2 sum log t_i = 2 sum log Uf_ii + 2 sum log R_ii.
 * 3. A linear functional phi'w (a row's features, or a unit vector for one weight) becomes  f = Uf^-T phi_f,
 *    g = (phi_p - W'f)/h  with W = Uf^-T G_fp computed once, and  x = R^-T (tau g)  at each node. Its location is f'z_f + x't, its
 *    squared scale f'f + x'x in units of sigma^2. Predictions and coefficients both use this. */
#include "slm_integrated_private.h"
#include "../posterior/kind_student.h"
#include "../posterior/observe_noise.h"
#include "../core/status_private.h"
#include "../math/special.h"
#include "../math/qr_private.h"
#include "../posterior/prior_private.h"
#include "slm_private.h"

enum { BLNI_INTEGRATED_MAX = 3, BLNI_INTEGRATED_REACH = 80 };

/* ---- the object */

BLNI_PRIV size_t blni_integrated_dims(const bln_slm_integrated_desc *d)
{
    size_t dims = 0;
    for (size_t s = 0; s < d->basis->n_slices; s++) dims += !d->ratio || d->ratio[s] == 0.0;
    return dims;
}

BLNI_ONCE BLN_API bln_slm_integrated_desc bln_slm_integrated_defaults(const bln_slm_integrated_desc *desc)
{
    static const size_t nodes[BLNI_INTEGRATED_MAX + 1] = { 96, 96, 48, 24 };
    bln_slm_integrated_desc d = BLN_ZERO;
    if (desc) d = *desc;
    if (d.prior_scale == 0.0) d.prior_scale = 10.0;
    if (!d.nodes) d.nodes = nodes[d.basis ? blni_min(blni_integrated_dims(&d), BLNI_INTEGRATED_MAX) : 1];
    if (!d.block) d.block = 256;
    return d;
}

BLNI_ONCE BLN_API const char *bln_slm_integrated_check(const bln_slm_integrated_desc *desc)
{
    if (!desc) return "slm_integrated: desc is NULL";
    if (!desc->basis) return "slm_integrated: basis is NULL";
    const char *why = bln_basis_check(desc->basis);
    if (why) return why;
    for (size_t s = 0; desc->ratio && s < desc->basis->n_slices; s++)
        if (!(desc->ratio[s] >= 0.0)) return "slm_integrated: ratios must be >= 0";
    if (desc->ratio && blni_flat_misses(desc->basis, desc->ratio, 0)) return "slm_integrated: " BLNI_FLAT_MISSES;
    if (blni_integrated_dims(desc) > BLNI_INTEGRATED_MAX)
        return "slm_integrated: more than three ratios to integrate; fix the others";
    for (size_t k = 0; desc->theta && k < desc->basis->n_theta; k++)
        if (!blni_finite(desc->theta[k])) return "slm_integrated: theta must be finite";
    if (!(desc->prior_scale >= 0.0) || !blni_finite(desc->prior_scale))
        return "slm_integrated: prior_scale must be finite and >= 0";
    if (!(desc->noise_a >= 0.0) || !blni_finite(desc->noise_a) || !(desc->noise_b >= 0.0) || !blni_finite(desc->noise_b))
        return "slm_integrated: noise_a and noise_b must be finite and >= 0";
    if (desc->nodes && desc->nodes < 8) return "slm_integrated: at least 8 nodes";
    if (desc->arithmetic != BLN_SLM_ARITHMETIC_AUTO && desc->arithmetic != BLN_SLM_DOUBLE && desc->arithmetic != BLN_SLM_EXACT
        && desc->arithmetic != BLN_SLM_QR)
        return "slm_integrated: unknown arithmetic";
    return blni_allocator_ok(&desc->alloc) ? NULL : "slm_integrated: allocator needs both alloc and release, or neither";
}

/* The posterior, a t for each node, or one that says that there is none. */
BLNI_ONCE BLNI_PRIV void blni_integrated_show(bln_slm_integrated *m)
{
    bln_posterior *q = &m->posterior;
    memset(q, 0, sizeof *q);
    if (m->store) *q = m->store->q;
    q->status = m->store ? BLN_OK : BLN_ESTATE;
    q->bases = &m->desc.basis;
    q->observe = bln_observe_noise(1);
    q->block = m->desc.block;
    q->alloc = m->alloc;
}

BLNI_PRIV bln_slm_integrated *blni_integrated_carve(blni_arena *a, const bln_basis *b, double **theta, double **ratio,
                                                    double **unit)
{
    bln_slm_integrated *m = (bln_slm_integrated *)blni_carve(a, 1, sizeof *m);
    *theta = blni_carve_doubles(a, b->n_theta);
    *ratio = blni_carve_doubles(a, b->n_slices);
    *unit = blni_carve_doubles(a, b->n_slices);
    return m;
}

BLNI_ONCE BLN_API bln_status bln_slm_integrated_create(const bln_slm_integrated_desc *desc, bln_slm_integrated **out,
                                                       bln_report *report)
{
    double *theta, *ratio, *unit;
    const char *why = out ? bln_slm_integrated_check(desc) : "slm_integrated: out is NULL";
    BLNI_TRY(blni_begin(report, !why, why));
    const bln_slm_integrated_desc d = bln_slm_integrated_defaults(desc);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_integrated_carve(&a, d.basis, &theta, &ratio, &unit);
    BLNI_TRY(blni_arena_take(&d.alloc, a.used, "slm_integrated", &a, report));
    bln_slm_integrated *m = blni_integrated_carve(&a, d.basis, &theta, &ratio, &unit);
    memset(m, 0, sizeof *m);
    m->desc = d;
    m->alloc = d.alloc;
    m->block = a.base;
    m->bytes = a.size;
    m->unit = unit;
    blni_theta_of(d.basis, d.theta, theta);
    for (size_t s = 0; s < d.basis->n_slices; s++) ratio[s] = d.ratio ? d.ratio[s] : 0.0;
    m->desc.theta = theta;
    m->desc.ratio = ratio;
    blni_integrated_show(m);
    *out = m;
    return BLN_OK;
}

BLN_API void bln_slm_integrated_free(bln_slm_integrated *model)
{
    if (!model) return;
    blni_store_free(model->store);
    bln_basis_free(model->owned);
    blni_release(&model->alloc, model->block, model->bytes);
}

/* ---- step 1: elimination */

/* What the data say, in one block of its own. */
typedef struct blni_integrated_result {
    size_t  D, n_flat, p, rank, dims;          /* features, flat ones, others, rows of V, ratios integrated            */
    size_t *flat, *free_, *slice;              /* indices of the flat features, of the others, and the others' slices  */
    size_t *dim;                               /* dims: the slices that are integrated                                 */
    double *h, *unit;                          /* p: h of the feature's slice; n_slices: h_s                           */
    double *tau0;                              /* n_slices: tau where it is fixed                                      */
    double *Uf, *zf, *W;                       /* n_flat^2, n_flat, n_flat x p                                         */
    double *V, *z;                             /* rank x p (each column over h), rank; room for p rows                 */
    double  N, ld, omega, c, rho2, half_logdet, nu;        /* c: y'Omega y                                           */
} blni_integrated_result;

/* What a fit needs for a while. A or A3: (D+1)^2, upper triangle; Q: (rank + p) rows; room for D of each. */
typedef struct blni_integrated_work {
    size_t  D1;
    double *A;
    blni_exact *A3;
    int    *done;                 /* D: eliminated                                 */
    double *raw;                  /* D: the diagonal of G                          */
    double *Q, *T;                /* rank x (p+1): [V S z];  (p+1) x (p+1): [R t]  */
    double *missed, most_missed;  /* n_slices: 1/2 sum omega (k - |phi|^2) of what features miss; the largest of them */
    const double *triangle;       /* D1 x D1: R'R = G, or NULL                     */
    double *qr_work;
    double *level;                /* nodes^dims: log integrand times the weight    */
    size_t  n_level, evaluations;
    double  centre[BLNI_INTEGRATED_MAX], width[BLNI_INTEGRATED_MAX], low[BLNI_INTEGRATED_MAX], high[BLNI_INTEGRATED_MAX];
    const bln_slm_integrated_desc *desc;
    blni_integrated_result *r;
} blni_integrated_work;

/* Entry i of the diagonal. */
BLNI_PRIV double blni_integrated_entry(const blni_integrated_work *w, size_t i)
{
    return w->A3 ? blni_exact_double(w->A3 + i*(w->D1 + 1)) : w->A[i*(w->D1 + 1)];
}

/* Row `pivot` of the factor over all columns that are left goes to row[0..D]; the others are updated. */
BLNI_PRIV void blni_integrated_eliminate(blni_integrated_work *w, size_t pivot, double *row)
{
    const size_t D1 = w->D1, pp = pivot*D1 + pivot;
    w->done[pivot] = 1;
    const double root = w->A3 ? 0.0 : sqrt(w->A[pp]);
    blni_exact root3 = w->A3 ? w->A3[pp] : blni_exact_of(0.0);
    blni_exact_sqrt(&root3);
    for (size_t j = 0; j < D1; j++) {
        const size_t k = j < pivot ? j*D1 + pivot : pivot*D1 + j;
        row[j] = 0.0;
        if (j == pivot) row[j] = w->A3 ? blni_exact_double(&root3) : root;
        else if (j < D1 - 1 && w->done[j]) continue;
        else if (w->A3) { blni_exact_div(w->A3 + k, &root3); row[j] = blni_exact_double(w->A3 + k); }
        else row[j] = w->A[k] /= root;
    }
    for (size_t i = 0; i < D1; i++) {
        if (i < D1 - 1 && w->done[i]) continue;
        const size_t ki = i < pivot ? i*D1 + pivot : pivot*D1 + i;
        for (size_t j = i; j < D1; j++) {
            if (j < D1 - 1 && w->done[j]) continue;
            const size_t kj = j < pivot ? j*D1 + pivot : pivot*D1 + j;
            if (w->A3) blni_exact_lose(w->A3 + i*D1 + j, w->A3 + ki, w->A3 + kj);
            else       w->A[i*D1 + j] -= w->A[ki]*w->A[kj];
        }
    }
}

/* What is left of G_ii by the flat features. */
BLNI_PRIV double blni_integrated_rest(const blni_integrated_work *w, size_t i)
{
    const blni_integrated_result *r = w->r;
    double sum = 0.0;
    size_t j = 0;
    if (!w->triangle) return blni_integrated_entry(w, i);
    while (r->free_[j] != i) j++;
    for (size_t k = r->n_flat; k <= r->n_flat + j; k++) sum += w->A[k*w->D1 + r->n_flat + j]*w->A[k*w->D1 + r->n_flat + j];
    return sum;
}

/* h_s, from the diagonal as the flat features left it. */
BLNI_ONCE BLNI_PRIV void blni_integrated_units(const blni_integrated_work *w, double noise)
{
    blni_integrated_result *r = w->r;
    const bln_basis *b = w->desc->basis;
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), last = bln_basis_slice(b, s + 1), active = bln_basis_active(b, s);
        const double missing = active < last - first ? 0.0 : 1.0;
        double sum = 0.0;
        for (size_t i = first; i < last; i++) {
            const double left = blni_flat(w->desc->ratio[s]) ? 0.0 : blni_integrated_rest(w, i);
            const double of = left > noise*w->raw[i] ? left : w->raw[i];
            sum += of > 0.0 ? of/r->omega : missing;
        }
        r->unit[s] = sum > 0.0 ? sqrt(sum/(double)active) : 1.0;
        r->tau0[s] = blni_flat(w->desc->ratio[s]) ? HUGE_VAL : r->unit[s]*sqrt(w->desc->ratio[s]);
    }
}

/* Step 1 from a triangle. A becomes the triangle of its columns in the order flat, others, y. */
BLNI_PRIV bln_status blni_integrated_reorder(blni_integrated_work *w, bln_report *report)
{
    blni_integrated_result *r = w->r;
    const size_t D = r->D, D1 = w->D1, nf = r->n_flat, p = r->p;
    double *rows = w->Q, *room = w->T;
    const double noise = blni_triangle_noise(r->N);
    for (size_t i = 0; i < D1; i++)
        for (size_t j = 0; j < D1; j++) {
            const size_t from = j < nf ? r->flat[j] : j < D ? r->free_[j - nf] : D;
            rows[i*D1 + j] = w->triangle[i*D1 + from];
            w->A[i*D1 + j] = 0.0;
        }
    blni_tpqrt(D1, D1, w->A, D1, rows, D1, w->qr_work);
    r->half_logdet = 0.0;
    for (size_t i = 0; i < nf; i++) {
        memcpy(r->Uf + i*nf, w->A + i*D1, nf*sizeof(double));
        memcpy(r->W + i*p, w->A + i*D1 + nf, p*sizeof(double));
        r->zf[i] = w->A[i*D1 + D];
        r->half_logdet += log(fabs(w->A[i*D1 + i]));
    }
    const size_t bad = blni_flat_dependent(nf, r->Uf, nf, NULL, noise, room, room + D);
    if (bad < nf) return blni_fail(report, BLN_ENOTPD, BLN_NONE, r->flat[bad], BLNI_COLLINEAR);
    blni_integrated_units(w, noise);
    r->rank = p;
    for (size_t i = 0; i < p; i++) {
        r->h[i] = r->unit[r->slice[i]];
        for (size_t j = 0; j < p; j++) r->V[i*p + j] = w->A[(nf + i)*D1 + nf + j]/r->unit[r->slice[j]];
        r->z[i] = w->A[(nf + i)*D1 + D];
    }
    r->rho2 = w->A[D*D1 + D]*w->A[D*D1 + D];
    if (!(r->rho2 > noise*r->c)) r->rho2 = 0.0;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_integrated_reduce(blni_integrated_work *w, bln_report *report)
{
    blni_integrated_result *r = w->r;
    const size_t D = r->D, p = r->p, nf = r->n_flat;
    const double noise = w->A3 ? BLNI_EXACT_DEPENDENT : 8.0*(double)w->D1*DBL_EPSILON;
    double *row = w->Q, *room = w->T;                                 /* free until step 2: D+1 and 2 D doubles */
    size_t n = 0;
    for (size_t i = 0; i < D; i++) w->done[i] = 0;
    r->half_logdet = 0.0;
    for (; n < nf; n++) {
        const size_t f = r->flat[n];
        const double pivot = blni_integrated_entry(w, f);
        if (!(pivot > (w->A3 ? noise*w->raw[f] : 0.0)) || !blni_finite(pivot)) break;
        blni_integrated_eliminate(w, f, row);
        for (size_t j = 0; j < nf; j++) r->Uf[n*nf + j] = row[r->flat[j]];
        for (size_t j = 0; j < p; j++)  r->W[n*p + j] = row[r->free_[j]];
        r->zf[n] = row[D];
        r->half_logdet += log(row[f]);
    }
    if (!w->A3) n = blni_flat_dependent(n, r->Uf, nf, NULL, blni_gram_noise(r->N), room, room + D);
    if (n < nf) return blni_fail(report, BLN_ENOTPD, BLN_NONE, r->flat[n], BLNI_COLLINEAR);
    blni_integrated_units(w, noise);
    for (size_t j = 0; j < p; j++) r->h[j] = r->unit[r->slice[j]];
    for (r->rank = 0; r->rank < p; r->rank++) {
        size_t best = D;
        double most = noise;
        for (size_t j = 0; j < p; j++) {
            const size_t i = r->free_[j];
            if (w->done[i] || !(blni_integrated_entry(w, i) > most*w->raw[i])) continue;
            best = i;
            most = blni_integrated_entry(w, i)/w->raw[i];
        }
        if (best == D) break;
        blni_integrated_eliminate(w, best, row);
        for (size_t j = 0; j < p; j++) r->V[r->rank*p + j] = row[r->free_[j]]/r->h[j];
        r->z[r->rank] = row[D];
    }
    r->rho2 = blni_integrated_entry(w, D);
    if (!(r->rho2 > (w->A3 ? BLNI_EXACT_ZERO : noise)*r->c)) r->rho2 = 0.0;
    return BLN_OK;
}

/* ---- step 2: one ratio */

/* tau of slice s, those integrated from tau[]. */
BLNI_PRIV double blni_integrated_tau(const blni_integrated_result *r, const double *tau, size_t s)
{
    for (size_t i = 0; i < r->dims; i++) if (r->dim[i] == s) return tau[i];
    return r->tau0[s];
}

/* e'e of step 2 as |z - V S w|^2 + |w|^2, w = R^-1 t: unlike what Householder leaves in e itself, the second term keeps its digits
 * when tau is large and z is fitted almost wholly. */
BLNI_PRIV double blni_integrated_residual(blni_integrated_work *w, const double *tau)
{
    const blni_integrated_result *r = w->r;
    const size_t p = r->p, p1 = p + 1;
    double *x = w->raw;                                       /* raw is free after step 1 */
    for (size_t j = 0; j < p; j++) x[j] = w->T[j*p1 + p];
    bln_trsv(BLN_NOTRANS, p, w->T, p1, x);
    double sum = bln_dot(p, x, x);
    for (size_t j = 0; j < p; j++) x[j] *= blni_integrated_tau(r, tau, r->slice[j]);
    for (size_t i = 0; i < r->rank; i++) {
        const double e = r->z[i] - bln_dot(p, r->V + i*p, x);
        sum += e*e;
    }
    return sum;
}

/* [R t] in T and q, at tau (n_slices are looked up through x of the dims integrated). Returns 2 sum log R_ii. */
BLNI_PRIV double blni_integrated_triangle(blni_integrated_work *w, const double *tau, double *q)
{
    const blni_integrated_result *r = w->r;
    const size_t p = r->p, p1 = p + 1, k = r->rank;
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < p; j++) w->Q[i*p1 + j] = r->V[i*p + j]*blni_integrated_tau(r, tau, r->slice[j]);
        w->Q[i*p1 + p] = r->z[i];
    }
    for (size_t i = 0; i < p1*p1; i++) w->T[i] = i % (p1 + 1) || i/p1 == p ? 0.0 : 1.0;
    blni_tpqrt(p1, k, w->T, p1, w->Q, p1, w->qr_work);
    *q = r->rho2 + blni_integrated_residual(w, tau);
    return bln_logdet_factor(p, w->T, p1);
}

/* left_s of each slice, from the diagonal of G. */
BLNI_PRIV void blni_integrated_leaves(blni_integrated_work *w)
{
    const bln_basis *b = w->desc->basis;
    w->most_missed = 0.0;
    for (size_t s = 0; s < b->n_slices; s++) {
        double left = bln_basis_variance(b, s)*w->r->omega;
        w->missed[s] = 0.0;
        if (!(left > 0.0)) continue;
        for (size_t i = bln_basis_slice(b, s); i < bln_basis_slice(b, s + 1); i++) left -= w->raw[i];
        if (left > 0.0) w->missed[s] = 0.5*left;
        if (w->missed[s] > w->most_missed) w->most_missed = w->missed[s];
    }
}

/* r_s of slice s at tau. */
BLNI_PRIV double blni_integrated_ratio(const blni_integrated_result *r, const double *tau, size_t s)
{
    const double root = blni_integrated_tau(r, tau, s)/r->unit[s];
    return root*root;
}

/* The integrand over x = log tau: log p(y | tau) + sum log p(tau_s) + x_s, but for what is the same at every tau; with the bound's
 * term for what features miss, in which sigma^2 has no part: lambda_s/sigma^2 is r_s. */
BLNI_PRIV double blni_integrated_integrand(blni_integrated_work *w, const double *x)
{
    double tau[BLNI_INTEGRATED_MAX] = { 0.0, 0.0, 0.0 }, prior = 0.0, bound = 0.0, q;
    const double scale = w->desc->prior_scale;
    for (size_t s = 0; s < w->r->dims; s++) {
        tau[s] = exp(x[s]);
        prior += x[s];
        if (w->desc->log_prior) prior += w->desc->log_prior(w->desc->log_prior_user, w->r->dim[s], tau[s]);
        else prior += log(2.0/(BLNI_PI*scale)) - log1p(tau[s]/scale*(tau[s]/scale));
    }
    if (prior == -HUGE_VAL) return prior;
    const double logdet = blni_integrated_triangle(w, tau, &q);
    for (size_t s = 0; s < w->desc->basis->n_slices && w->most_missed > 0.0; s++)
        if (w->missed[s] > 0.0) bound += blni_integrated_ratio(w->r, tau, s)*w->missed[s];
    w->evaluations++;
    return prior - bound - 0.5*logdet - 0.5*w->r->nu*log(0.5*q + w->desc->noise_b);
}

/* ---- the quadrature */

BLNI_PRIV double blni_integrated_at(blni_integrated_work *w, const double *x, size_t s, double xs)
{
    double y[BLNI_INTEGRATED_MAX];
    for (size_t i = 0; i < BLNI_INTEGRATED_MAX; i++) y[i] = x[i];
    y[s] = xs;
    return blni_integrated_integrand(w, y);
}

/* Where the integrand, along coordinate s from x, falls by `drop` from `top`: doubling steps, then bisection to 1 %. The outermost
 * such place that a walk in steps of one sees. HUGE_VAL: nowhere within reach. */
BLNI_PRIV double blni_integrated_fall(blni_integrated_work *w, const double *x, size_t s, double sign, double top, double drop,
                                      double step)
{
    double in = 0.0, out = step;
    const double reach = (double)BLNI_INTEGRATED_REACH + 20.0;
    while (!(blni_integrated_at(w, x, s, x[s] + sign*out) < top - drop)) {
        in = out;
        out += step < 1.0 ? (out > 1.0 ? 1.0 : out) : step;
        if (fabs(x[s] + sign*out) > reach && out > reach) return HUGE_VAL;
    }
    for (int i = 0; i < 7; i++) {
        const double middle = 0.5*(in + out);
        if (blni_integrated_at(w, x, s, x[s] + sign*middle) < top - drop) out = middle; else in = middle;
    }
    return out;
}

/* Maximises along coordinate s: a scan over the whole reach in steps of 1 (the first time), then golden section. */
BLNI_PRIV double blni_integrated_line(blni_integrated_work *w, double *x, size_t s)
{
    const double golden = 0.6180339887498949;
    double best = -HUGE_VAL, at = x[s], a, b;
    for (int k = -BLNI_INTEGRATED_REACH; k <= BLNI_INTEGRATED_REACH; k++) {
        const double value = blni_integrated_at(w, x, s, (double)k);
        if (value != value || value == HUGE_VAL) return BLNI_NAN;
        if (value > best) { best = value; at = (double)k; }
    }
    a = at - 1.0;
    b = at + 1.0;
    for (int i = 0; i < 24; i++) {
        const double c = b - golden*(b - a), d = a + golden*(b - a);
        if (blni_integrated_at(w, x, s, c) > blni_integrated_at(w, x, s, d)) b = d; else a = c;
    }
    const double middle = 0.5*(a + b), value = blni_integrated_at(w, x, s, middle);
    if (value > best) { best = value; at = middle; }
    x[s] = at;
    return best;
}

/* Mode by coordinates, and for each the width and the range in u. */
BLNI_PRIV bln_status blni_integrated_place(blni_integrated_work *w, bln_report *report)
{
    static const double drops[BLNI_INTEGRATED_MAX + 1] = { 0.0, 30.0, 23.0, 18.0 };
    const size_t dims = w->r->dims;
    const double drop = drops[dims];
    double x[BLNI_INTEGRATED_MAX] = { 0.0, 0.0, 0.0 }, top = 0.0;
    for (int sweep = 0; sweep < (dims > 1 ? 4 : 1); sweep++)
        for (size_t s = 0; s < dims; s++) {
            top = blni_integrated_line(w, x, s);
            if (top != top)
                return blni_refuse(report, BLN_ENUMERIC, "slm_integrated: log_prior or the evidence is NaN or infinite");
            if (top == -HUGE_VAL)
                return blni_refuse(report, BLN_EUNDEFINED, "slm_integrated: the prior density is 0 wherever it was looked for");
        }
    for (size_t s = 0; s < dims; s++) {
        const double near_low = blni_integrated_fall(w, x, s, -1.0, top, 2.0, 0.01);
        const double near_high = blni_integrated_fall(w, x, s, 1.0, top, 2.0, 0.01);
        const double far_low = blni_integrated_fall(w, x, s, -1.0, top, drop, 1.0);
        const double far_high = blni_integrated_fall(w, x, s, 1.0, top, drop, 1.0);
        if (!(far_low < HUGE_VAL) || !(far_high < HUGE_VAL))
            return blni_refuse(report, BLN_EUNDEFINED,
                               "slm_integrated: the posterior of a variance ratio is improper: its integrand does not fall off");
        w->centre[s] = x[s];
        w->width[s] = 0.5*(near_low + near_high);
        w->low[s] = asinh(-far_low/w->width[s]);
        w->high[s] = asinh(far_high/w->width[s]);
    }
    return BLN_OK;
}

/* Node `index` of the grid: x, and the log of its weight. */
BLNI_PRIV double blni_integrated_node(const blni_integrated_work *w, size_t index, double *x)
{
    const size_t n = w->desc->nodes;
    double weight = 1.0;
    for (size_t s = 0; s < w->r->dims; s++) {
        const double step = (w->high[s] - w->low[s])/(double)(n - 1), u = w->low[s] + step*(double)(index % n);
        x[s] = w->centre[s] + w->width[s]*sinh(u);
        weight *= step*w->width[s]*cosh(u);
        index /= n;
    }
    return log(weight);
}

/* Fills w->level; returns its maximum. */
BLNI_PRIV double blni_integrated_grid(blni_integrated_work *w)
{
    double x[BLNI_INTEGRATED_MAX] = { 0.0, 0.0, 0.0 }, top = -HUGE_VAL;
    for (size_t k = 0; k < w->n_level; k++) {
        const double weight = blni_integrated_node(w, k, x), value = weight + blni_integrated_integrand(w, x);
        if (value != value || value == HUGE_VAL) return BLNI_NAN;
        w->level[k] = value;
        if (value > top) top = value;
    }
    return top;
}

/* ---- the fit */

BLNI_PRIV void blni_integrated_result_carve(blni_arena *a, const bln_basis *b, blni_integrated_result *r)
{
    const size_t p = r->p, f = r->n_flat;
    r->flat  = (size_t *)blni_carve(a, f, sizeof(size_t));
    r->free_ = (size_t *)blni_carve(a, p, sizeof(size_t));
    r->slice = (size_t *)blni_carve(a, p, sizeof(size_t));
    r->dim   = (size_t *)blni_carve(a, r->dims, sizeof(size_t));
    r->h     = blni_carve_doubles(a, p);
    BLNI_CARVE2(a, b->n_slices, r->unit, r->tau0);
    r->Uf    = blni_carve_doubles(a, blni_mul(f, f));
    r->zf    = blni_carve_doubles(a, f);
    r->W     = blni_carve_doubles(a, blni_mul(f, p));
    r->V     = blni_carve_doubles(a, blni_mul(p, p));
    r->z     = blni_carve_doubles(a, p);
}

/* Which features are flat, which are not, and which ratios are integrated. */
BLNI_PRIV void blni_integrated_sort(const bln_slm_integrated_desc *d, blni_integrated_result *r)
{
    size_t p = 0, dims = 0;
    blni_flat_weights(d->basis, 0, d->ratio, r->flat);
    for (size_t s = 0; s < d->basis->n_slices; s++) {
        if (d->ratio[s] == 0.0) r->dim[dims++] = s;
        if (blni_flat(d->ratio[s])) continue;
        for (size_t i = bln_basis_slice(d->basis, s); i < bln_basis_slice(d->basis, s + 1); i++) {
            r->free_[p] = i;
            r->slice[p++] = s;
        }
    }
}

/* The posterior. */
typedef struct blni_integrated_nodes { blni_store *store; double evidence; } blni_integrated_nodes;

/* Room for n nodes, with what all of them share. */
BLNI_ONCE BLNI_PRIV bln_status blni_integrated_room(const bln_slm_integrated *m, const blni_integrated_result *r,
                                                    const double *theta, size_t n, blni_integrated_nodes *out, bln_report *report)
{
    const bln_basis *b = m->desc.basis;
    const double there = 0.0;
    bln_posterior q = BLN_ZERO;
    bln_group g = BLN_ZERO;
    bln_students v = BLN_ZERO;
    q.J = q.n_bases = q.n_groups = 1;
    q.bases = &m->desc.basis;
    q.observe = bln_observe_noise(1);
    q.groups = &g;
    q.dof = r->nu;
    q.rows = r->N;
    g.ops = bln_kind_student();
    g.view = &v;
    g.K = n;
    g.weight = &there;
    g.ldeta = 1;
    for (size_t s = 0; s < b->n_slices; s++) if (bln_basis_variance(b, s) > 0.0) g.residual = &there;
    g.ldresidual = g.residual ? b->n_slices : 0;
    v.n_flat = r->n_flat;
    v.n_free = r->p;
    BLNI_TRY(blni_store_create(&m->alloc, &q, "slm_integrated", &out->store, report));
    const bln_group *own = out->store->q.groups;
    const bln_students *at = (const bln_students *)own->view;
    memcpy((size_t *)(uintptr_t)at->flat, r->flat, r->n_flat*sizeof *r->flat);
    memcpy((size_t *)(uintptr_t)at->other, r->free_, r->p*sizeof *r->free_);
    memcpy(blni_store_own(at->Uf), r->Uf, r->n_flat*r->n_flat*sizeof(double));
    memcpy(blni_store_own(at->zf), r->zf, r->n_flat*sizeof(double));
    memcpy(blni_store_own(at->W), r->W, r->n_flat*r->p*sizeof(double));
    for (size_t k = 0; k < b->n_theta; k++) blni_store_own(own->theta)[k] = theta[k];
    return BLN_OK;
}

/* Node i <- what the weights are at x. perfect: without noise. */
BLNI_PRIV void blni_integrated_keep(blni_integrated_work *w, blni_integrated_nodes *out, size_t i, const double *x, double weight,
                                    int perfect)
{
    const blni_integrated_result *r = w->r;
    const bln_basis *b = w->desc->basis;
    const bln_group *g = out->store->q.groups;
    const bln_students *v = (const bln_students *)g->view;
    const size_t p = r->p;
    double tau[BLNI_INTEGRATED_MAX] = { 0.0, 0.0, 0.0 }, q, *eta = blni_store_own(g->eta) + i;
    double *lambda = g->residual ? blni_store_own(g->residual) + i*b->n_slices : NULL;
    for (size_t s = 0; s < r->dims; s++) tau[s] = exp(x[s]);
    blni_integrated_triangle(w, tau, &q);
    for (size_t j = 0; j < p; j++) {
        memcpy(blni_store_own(v->R) + (i*p + j)*p, w->T + j*(p + 1), p*sizeof(double));
        blni_store_own(v->t)[i*p + j] = w->T[j*(p + 1) + p];
        blni_store_own(v->scale)[i*p + j] = blni_integrated_tau(r, tau, r->slice[j])/r->h[j];
    }
    blni_store_own(g->weight)[i] = weight;
    *eta = ((perfect ? 0.0 : q) + 2.0*w->desc->noise_b)/r->nu;
    for (size_t s = 0; s < b->n_slices && lambda; s++)
        lambda[s] = bln_basis_variance(b, s) > 0.0 ? *eta*blni_integrated_ratio(r, tau, s) : 0.0;
}

/* log p(y) but for the integral. */
BLNI_PRIV double blni_integrated_constant(const blni_integrated_result *r, const bln_slm_integrated_desc *d)
{
    double prior = 0.0;
    if (d->noise_a > 0.0 && d->noise_b > 0.0) prior = d->noise_a*log(d->noise_b) - bln_lgamma(d->noise_a);
    return -0.5*((r->N - (double)r->n_flat)*BLNI_LOG_2PI - r->ld) - r->half_logdet + bln_lgamma(0.5*r->nu) + prior;
}

/* sigma^2 = 0: the weights of least squares for certain, as the limit of tau -> infinity. */
BLNI_PRIV bln_status blni_integrated_perfect(blni_integrated_work *w, const bln_slm_integrated *m, const double *theta,
                                             blni_integrated_nodes *out, bln_report *report)
{
    blni_integrated_result *r = w->r;
    if (r->rank < r->p)
        return blni_refuse(report, BLN_EUNDEFINED, "slm_integrated: a perfect fit that leaves weights undetermined");
    BLNI_TRY(blni_integrated_room(m, r, theta, 1, out, report));
    const double x[BLNI_INTEGRATED_MAX] = { 37.0, 37.0, 37.0 };       /* e^37 > 1/eps: the prior is below rounding */
    blni_integrated_keep(w, out, 0, x, 1.0, 1);
    out->evidence = HUGE_VAL;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_integrated_solve(blni_integrated_work *w, const bln_slm_integrated *m, const double *theta,
                                           blni_integrated_nodes *out, bln_report *report)
{
    blni_integrated_result *r = w->r;
    double x[BLNI_INTEGRATED_MAX] = { 0.0, 0.0, 0.0 }, zz = 0.0, top, sum = 0.0;
    BLNI_TRY(w->triangle ? blni_integrated_reorder(w, report) : blni_integrated_reduce(w, report));
    blni_integrated_leaves(w);
    for (size_t i = 0; i < r->rank; i++) zz += r->z[i]*r->z[i];
    /* Without residual the integrand grows like tau^(nu - rank), unless fixed ratios leave one, or features miss variance. */
    int all = 1;
    for (size_t j = 0; j < r->p; j++) all = all && m->desc.ratio[r->slice[j]] == 0.0;
    const int endless = r->rho2 == 0.0 && all && !(w->most_missed > 0.0) && r->nu > (double)r->rank;
    if (m->desc.noise_b == 0.0 && (endless || r->rho2 + zz == 0.0)) return blni_integrated_perfect(w, m, theta, out, report);
    if (r->dims) BLNI_TRY(blni_integrated_place(w, report));
    top = blni_integrated_grid(w);
    if (!blni_finite(top)) return blni_refuse(report, BLN_ENUMERIC, "slm_integrated: the evidence overflows; scale the data");
    size_t kept = 0;
    for (size_t k = 0; k < w->n_level; k++) {
        sum += exp(w->level[k] - top);
        kept += w->level[k] - top > -37.0;
    }
    BLNI_TRY(blni_integrated_room(m, r, theta, kept, out, report));
    out->evidence = top + log(sum) + blni_integrated_constant(r, &m->desc);
    kept = 0;
    for (size_t k = 0; k < w->n_level; k++) {
        if (!(w->level[k] - top > -37.0)) continue;
        blni_integrated_node(w, k, x);
        blni_integrated_keep(w, out, kept++, x, exp(w->level[k] - top)/sum, 0);
    }
    return BLN_OK;
}

BLNI_PRIV void blni_integrated_work_carve(blni_arena *a, size_t D, int exact, size_t n_slices, blni_integrated_work *w)
{
    w->A3    = exact ? (blni_exact *)blni_carve(a, blni_mul(w->D1, w->D1), sizeof(blni_exact)) : NULL;
    w->A     = exact ? NULL : blni_carve_doubles(a, blni_mul(w->D1, w->D1));
    w->done  = (int *)blni_carve(a, D, sizeof(int));
    w->raw   = blni_carve_doubles(a, D);
    w->Q     = blni_carve_doubles(a, blni_mul(w->D1, w->D1));
    w->T     = blni_carve_doubles(a, blni_mul(w->D1, w->D1));
    w->level = blni_carve_doubles(a, w->n_level);
    w->missed  = blni_carve_doubles(a, n_slices);
    w->qr_work = blni_carve_doubles(a, blni_tpqrt_work(w->D1, w->D1));
}

BLNI_PRIV bln_status blni_integrated_run(const bln_slm_integrated *m, const bln_statistics *t, blni_integrated_result *shell,
                                  blni_integrated_nodes *out, bln_report *report)
{
    const size_t D = t->gram.D;
    blni_integrated_work w = BLN_ZERO;
    w.desc = &m->desc;
    w.r = shell;
    w.D1 = D + 1;
    w.n_level = 1;
    for (size_t s = 0; s < shell->dims; s++) w.n_level = blni_mul(w.n_level, m->desc.nodes);
    blni_arena a = blni_arena_over(NULL, 0);
    w.triangle = t->gram.qr ? t->gram.R : NULL;
    blni_integrated_work_carve(&a, D, t->gram.exact, m->desc.basis->n_slices, &w);
    BLNI_TRY(blni_arena_take(&m->alloc, a.used, "slm_integrated", &a, report));
    blni_integrated_work_carve(&a, D, t->gram.exact, m->desc.basis->n_slices, &w);
    if (w.A3) memcpy(w.A3, t->gram.G3, w.D1*w.D1*sizeof *w.A3);
    else if (!w.triangle)
        for (size_t i = 0; i < w.D1; i++) memcpy(w.A + i*w.D1, t->gram.G + i*blni_gram_stride(&t->gram), w.D1*sizeof *w.A);
    for (size_t i = 0; i < D; i++) w.raw[i] = blni_gram_square(&t->gram, i);
    const bln_status status = blni_integrated_solve(&w, m, t->theta, out, report);
    blni_release(&m->alloc, a.base, a.size);
    if (report) report->evaluations = w.evaluations;
    return status;
}

BLNI_ONCE BLN_API bln_status bln_slm_integrated_fit_statistics(bln_slm_integrated *model, const bln_statistics *t,
                                                               bln_report *report)
{
    blni_integrated_result shell = BLN_ZERO;
    blni_integrated_nodes nodes = BLN_ZERO;
    BLNI_TRY(blni_begin(report, model && t, "slm_integrated: model or statistics is NULL"));
    if (!blni_statistics_of(t, model->desc.basis))
        return blni_refuse(report, BLN_ESHAPE, "slm_integrated: the statistics are of another basis");
    if (t->gram.P != 1) return blni_refuse(report, BLN_ESHAPE, "slm_integrated: the statistics are of several outputs");
    if (!(t->gram.N > 0.0)) return blni_refuse(report, BLN_EINVAL, "slm_integrated: the statistics hold no rows");
    shell.D = t->gram.D;
    shell.c = blni_gram_square(&t->gram, shell.D);
    shell.n_flat = blni_flat_weights(t->basis, 0, model->desc.ratio, NULL);
    shell.p = shell.D - shell.n_flat;
    shell.dims = blni_integrated_dims(&model->desc);
    shell.N = t->gram.N;
    shell.ld = t->gram.ld;
    shell.omega = t->gram.omega;
    shell.nu = shell.N - (double)shell.n_flat + 2.0*model->desc.noise_a;
    if (!(shell.nu > 1e-9*shell.N))
        return blni_refuse(report, BLN_EUNDEFINED, "slm_integrated: no more rows than weights with a flat prior: nothing "
                           "tells the noise variance; give it a prior");
    if (!blni_finite(shell.c)) return blni_refuse(report, BLN_ENUMERIC, "slm_integrated: sums of squares overflow; scale the data");
    blni_arena a = blni_arena_over(NULL, 0);
    blni_integrated_result_carve(&a, t->basis, &shell);
    BLNI_TRY(blni_arena_take(&model->alloc, a.used, "slm_integrated", &a, report));
    blni_integrated_result_carve(&a, t->basis, &shell);
    blni_integrated_sort(&model->desc, &shell);
    bln_status status = blni_integrated_run(model, t, &shell, &nodes, report);
    if (status == BLN_OK) {
        memcpy(model->unit, shell.unit, t->basis->n_slices*sizeof *shell.unit);
        blni_store_free(model->store);
        model->store = nodes.store;
        model->evidence = nodes.evidence;
        blni_integrated_show(model);
        if (report) report->objective = nodes.evidence;
    }
    blni_release(&model->alloc, a.base, a.size);
    return status;
}

BLN_API bln_status bln_slm_integrated_fit_source(bln_slm_integrated *model, const bln_source *source, bln_report *report)
{
    bln_statistics_desc desc = BLN_ZERO;
    bln_statistics *t = NULL;
    BLNI_TRY(blni_begin(report, model && source, "slm_integrated: model or data is NULL"));
    desc.basis = model->desc.basis;
    desc.theta = model->desc.theta;
    desc.exact = model->desc.arithmetic == BLN_SLM_EXACT
              || (model->desc.arithmetic == BLN_SLM_ARITHMETIC_AUTO && desc.basis->D <= BLNI_SLM_EXACT_FEATURES);
    desc.qr = model->desc.arithmetic == BLN_SLM_QR;
    desc.block = model->desc.block;
    desc.alloc = model->alloc;
    bln_status status = source->reset(source->user, report);
    if (status == BLN_OK) status = bln_statistics_create(&desc, &t, report);
    for (size_t seen = 0; status == BLN_OK;) {
        bln_data rows;
        status = blni_source_next(source, model->desc.block, 1, &rows, report);
        if (status != BLN_OK || rows.n == 0) break;
        status = bln_statistics_add(t, &rows, report);
        if (report && report->row != BLN_NONE) report->row += seen;
        seen += rows.n;
    }
    if (status == BLN_OK) status = bln_slm_integrated_fit_statistics(model, t, report);
    bln_statistics_free(t);
    return status;
}

BLN_API bln_status bln_slm_integrated_fit(bln_slm_integrated *model, const bln_data *data, bln_report *report)
{
    bln_data_reader reader;
    bln_source source;
    if (data) source = bln_source_of(data, &reader);
    return bln_slm_integrated_fit_source(model, data ? &source : NULL, report);
}

/* ---- what was learnt */

BLN_API const bln_basis *bln_slm_integrated_basis(const bln_slm_integrated *m) { return m ? m->desc.basis : NULL; }
BLN_API const double *bln_slm_integrated_theta(const bln_slm_integrated *m)
{
    return m && m->store ? m->posterior.groups->theta : NULL;
}
BLN_API size_t bln_slm_integrated_nodes(const bln_slm_integrated *m) { return m && m->store ? m->posterior.groups->K : 0; }
BLN_API double bln_slm_integrated_rows(const bln_slm_integrated *m) { return m && m->store ? m->posterior.rows : BLNI_NAN; }
BLN_API double bln_slm_integrated_dof(const bln_slm_integrated *m) { return m && m->store ? m->posterior.dof : BLNI_NAN; }
BLN_API double bln_slm_integrated_evidence(const bln_slm_integrated *m) { return m && m->store ? m->evidence : BLNI_NAN; }

BLN_API double bln_slm_integrated_unit(const bln_slm_integrated *m, size_t slice)
{
    return m && m->store && slice < m->desc.basis->n_slices ? m->unit[slice] : BLNI_NAN;
}

BLNI_ONCE BLN_API bln_status bln_slm_integrated_node(const bln_slm_integrated *m, size_t k, double *weight, double *ratio,
                                                     double *noise_var)
{
    if (!m || !weight || !noise_var) return BLN_EINVAL;
    if (!m->store) return BLN_ESTATE;
    const bln_group *g = m->posterior.groups;
    const bln_students *v = (const bln_students *)g->view;
    if (k >= g->K) return BLN_EINVAL;
    *weight = g->weight[k];
    *noise_var = g->eta[k];
    for (size_t s = 0, j = 0; ratio && s < m->desc.basis->n_slices; s++) {
        const size_t end = bln_basis_slice(m->desc.basis, s + 1);
        ratio[s] = m->desc.ratio[s];
        /* All features of a slice have its ratio: that of its first is the square of its scale. */
        if (ratio[s] == 0.0 && j < v->n_free) ratio[s] = v->scale[k*v->n_free + j]*v->scale[k*v->n_free + j];
        while (j < v->n_free && v->other[j] < end) j++;
    }
    return BLN_OK;
}

BLN_API const bln_posterior *bln_slm_integrated_posterior(const bln_slm_integrated *m) { return m ? &m->posterior : NULL; }

BLN_API bln_status bln_slm_integrated_predict(const bln_slm_integrated *m, const bln_data *data, double *mean, double *var_model,
                                              double *var_noise, double *work, bln_report *report)
{
    return bln_posterior_predict(bln_slm_integrated_posterior(m), data, mean, var_model, var_noise, work, report);
}

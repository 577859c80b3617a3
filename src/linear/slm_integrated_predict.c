/* slm_integrated_predict: what can be asked of the posterior: nodes, mixtures of Student's t for rows and for weights. */
#include "slm_integrated_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../basis/basis_private.h"

BLNI_PRIV int blni_int_ready(const bln_slm_integrated *m) { return m && m->fitted; }

BLN_API const bln_basis *bln_slm_integrated_basis(const bln_slm_integrated *m) { return m ? m->desc.basis : NULL; }
BLN_API const double *bln_slm_integrated_theta(const bln_slm_integrated *m) { return blni_int_ready(m) ? m->result.theta : NULL; }
BLN_API size_t bln_slm_integrated_nodes(const bln_slm_integrated *m)    { return blni_int_ready(m) ? m->result.n_nodes : 0; }
BLN_API double bln_slm_integrated_rows(const bln_slm_integrated *m)     { return blni_int_ready(m) ? m->result.N : BLNI_NAN; }
BLN_API double bln_slm_integrated_dof(const bln_slm_integrated *m)      { return blni_int_ready(m) ? m->result.nu : BLNI_NAN; }
BLN_API double bln_slm_integrated_evidence(const bln_slm_integrated *m)
{
    return blni_int_ready(m) ? m->result.evidence : BLNI_NAN;
}

BLN_API double bln_slm_integrated_unit(const bln_slm_integrated *m, size_t slice)
{
    return blni_int_ready(m) && slice < m->desc.basis->n_slices ? m->result.unit[slice] : BLNI_NAN;
}

BLN_API bln_status bln_slm_integrated_node(const bln_slm_integrated *m, size_t k, double *weight, double *ratio, double *noise_var)
{
    if (!m || !weight || !noise_var) return BLN_EINVAL;
    if (!m->fitted) return BLN_ESTATE;
    const blni_int_result *r = &m->result;
    if (k >= r->n_nodes) return BLN_EINVAL;
    *weight = r->weight[k];
    *noise_var = (r->q[k] + 2.0*m->desc.noise_b)/r->nu;
    for (size_t s = 0; ratio && s < m->desc.basis->n_slices; s++) ratio[s] = m->desc.ratio[s];
    for (size_t s = 0; ratio && s < r->dims; s++) {
        const double root = r->tau[k*r->dims + s]/r->unit[r->dim[s]];
        ratio[r->dim[s]] = root*root;
    }
    return BLN_OK;
}

/* ---- the mixture: location and scale of each node */

typedef struct blni_int_mixture {
    double nu;                    /* degrees of freedom */
    size_t n;
    const double *weight;
    double *at, *scale;           /* n each */
} blni_int_mixture;

/* P(T <= x) of the mixture, or P(T >= x) for sign = -1, and the density in *pdf (NULL: not wanted). */
BLNI_PRIV double blni_int_cdf(const blni_int_mixture *m, double sign, double x, double *pdf)
{
    double p = 0.0, density = 0.0;
    for (size_t k = 0; k < m->n; k++) {
        const double s = m->scale[k], d = sign*(x - m->at[k]);
        if (!(s > 0.0)) { p += d < 0.0 ? 0.0 : m->weight[k]; continue; }
        p += m->weight[k]*bln_student_cdf(m->nu, d/s);
        if (pdf) density += m->weight[k]*bln_student_pdf(m->nu, d/s)/s;
    }
    if (pdf) *pdf = density;
    return p < 1.0 ? p : 1.0;
}

BLNI_PRIV double blni_int_logpdf(const blni_int_mixture *m, double x)
{
    double top = -HUGE_VAL, sum = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < m->n; k++) {
            const double s = m->scale[k], d = x - m->at[k];
            const double l = s > 0.0 ? log(m->weight[k]) + bln_student_logpdf(m->nu, d/s) - log(s)
                           : d == 0.0 ? HUGE_VAL : -HUGE_VAL;
            if (l == HUGE_VAL) return l;
            if (pass == 0 && l > top) top = l;
            if (pass == 1 && l > -HUGE_VAL) sum += exp(l - top);
        }
    return top > -HUGE_VAL ? top + log(sum) : top;
}

/* Mean of the locations, and sqrt of the mean of scale^2 + spread^2. */
BLNI_PRIV double blni_int_centre(const blni_int_mixture *m, double *spread, double *scale2)
{
    double mean = 0.0, between = 0.0, within = 0.0;
    for (size_t k = 0; k < m->n; k++) mean += m->weight[k]*(m->at[k] - m->at[0]);
    for (size_t k = 0; k < m->n; k++) {
        const double d = m->at[k] - m->at[0] - mean;
        between += m->weight[k]*d*d;
        within += m->weight[k]*m->scale[k]*m->scale[k];
    }
    *spread = between;
    *scale2 = within;
    return m->at[0] + mean;
}

/* The distance from `anchor`, times sign, to where the tail that sign says has the probability `want`: a bracket that grows from
 * `width`, so that its ends are of the size of the answer, and Newton's method inside it. */
BLNI_PRIV double blni_int_distance(const blni_int_mixture *m, double sign, double want, double anchor, double width)
{
    const double here = blni_int_cdf(m, sign, anchor, NULL), least = width;
    double low = 0.0, high = 0.0, pdf;
    if (here == want) return 0.0;
    if (here < want)
        do { low = high; high += width; width *= 2.0; } while (blni_int_cdf(m, sign, anchor + sign*high, NULL) < want);
    else
        do { high = low; low -= width; width *= 2.0; }
        while (blni_finite(low) && blni_int_cdf(m, sign, anchor + sign*low, NULL) > want);
    if (!blni_finite(low)) return low;
    double x = 0.5*(low + high);
    for (int i = 0; i < 200; i++) {
        const double excess = blni_int_cdf(m, sign, anchor + sign*x, &pdf) - want;
        if (excess > 0.0) high = x; else low = x;
        const double tolerance = 4.0*DBL_EPSILON*(fabs(x) + least), step = excess/pdf;
        if (excess == 0.0 || fabs(step) <= tolerance || high - low <= tolerance) break;
        x = x - step > low && x - step < high ? x - step : low + 0.5*(high - low);
    }
    return x;
}

/* The quantile, from the nearer tail, so that it keeps its digits there; as a distance from the heaviest node or, if rounding would
 * leave that to more than a thousandth of the narrowest scale, from the node next to it: nodes may be of any width and place. */
BLNI_PRIV double blni_int_quantile(const blni_int_mixture *m, double p)
{
    const double sign = p > 0.5 ? -1.0 : 1.0, want = p > 0.5 ? 1.0 - p : p;
    double narrowest = HUGE_VAL, quantile = 0.0;
    size_t heaviest = 0;
    for (size_t k = 0; k < m->n; k++) {
        if (m->weight[k] > m->weight[heaviest]) heaviest = k;
        if (m->scale[k] > 0.0 && m->scale[k] < narrowest) narrowest = m->scale[k];
    }
    double anchor = m->at[heaviest];
    if (!(narrowest < HUGE_VAL)) narrowest = DBL_MIN;                         /* points, all of them */
    for (int i = 0; i < 3; i++) {
        const double x = blni_int_distance(m, sign, want, anchor, narrowest);
        double nearest = anchor;
        quantile = anchor + sign*x;
        if (!blni_finite(x) || !(DBL_EPSILON*fabs(x) > 1e-3*narrowest)) break;
        for (size_t k = 0; k < m->n; k++) if (fabs(m->at[k] - quantile) < fabs(nearest - quantile)) nearest = m->at[k];
        if (nearest == anchor) break;
        anchor = nearest;
    }
    return quantile;
}

/* The mixture of phi'w: locations, and scale = squared scale over sigma^2. f: n_flat, g, x: p doubles. */
BLNI_PRIV void blni_int_functional(const bln_slm_integrated *m, const double *phi, double *f, double *g, double *x, double *at,
                                   double *v)
{
    const blni_int_result *r = &m->result;
    const size_t p = r->p, nf = r->n_flat;
    for (size_t i = 0; i < nf; i++) f[i] = phi[r->flat[i]];
    for (size_t j = 0; j < p; j++) g[j] = phi[r->free_[j]];
    bln_trsv(BLN_TRANS, nf, r->Uf, nf, f);
    if (nf) bln_gemv(BLN_TRANS, nf, p, -1.0, r->W, p, f, 1.0, g);
    const double at0 = bln_dot(nf, f, r->zf), v0 = bln_dot(nf, f, f);
    for (size_t j = 0; j < p; j++) g[j] /= r->h[j];
    for (size_t k = 0; k < r->n_nodes; k++) {
        for (size_t j = 0; j < p; j++) x[j] = g[j]*blni_int_tau(r, r->tau + k*r->dims, j);
        bln_trsv(BLN_TRANS, p, r->R + k*p*p, p, x);
        at[k] = at0 + bln_dot(p, x, r->rhs + k*p);
        v[k] = v0 + bln_dot(p, x, x);
    }
}

/* v[k] += r_s (k_s - |phi_s|^2): what features leave out of f at a row. */
BLNI_PRIV void blni_int_left_out(const bln_slm_integrated *m, const double *phi, double *v)
{
    const bln_basis *b = m->desc.basis;
    const blni_int_result *r = &m->result;
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
        const double variance = bln_basis_variance(b, s);
        if (!(variance > 0.0)) continue;
        const double left = variance - bln_dot(count, phi + first, phi + first);
        for (size_t k = 0; k < r->n_nodes && !(left <= 0.0); k++) v[k] += left*blni_int_ratio(r, r->tau + k*r->dims, s);
    }
}

/* ---- predictions */

typedef struct blni_int_room { double *Phi, *basis, *f, *g, *x, *at, *v, *scale; } blni_int_room;

BLNI_PRIV void blni_int_room_carve(blni_arena *a, const bln_slm_integrated *m, size_t block, blni_int_room *w)
{
    const blni_int_result *r = &m->result;
    w->Phi   = blni_carve_doubles(a, blni_mul(block, m->desc.basis->D));
    w->basis = blni_carve_doubles(a, bln_basis_work(m->desc.basis, block));
    w->f     = blni_carve_doubles(a, r->n_flat);
    w->g     = blni_carve_doubles(a, r->p);
    w->x     = blni_carve_doubles(a, r->p);
    w->at    = blni_carve_doubles(a, r->n_nodes);
    w->v     = blni_carve_doubles(a, r->n_nodes);
    w->scale = blni_carve_doubles(a, r->n_nodes);
}

BLN_API size_t bln_slm_integrated_predict_work(const bln_slm_integrated *m)
{
    blni_int_room room;
    blni_arena a = blni_arena_over(NULL, 0);
    if (!m) return 0;
    blni_int_room_carve(&a, m, m->desc.block, &room);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

/* scale[k] of f (noise = 0) or of y. */
BLNI_PRIV void blni_int_scale(const bln_slm_integrated *m, const double *v, double noise, double *scale)
{
    const blni_int_result *r = &m->result;
    for (size_t k = 0; k < r->n_nodes; k++) scale[k] = sqrt((r->q[k] + 2.0*m->desc.noise_b)/r->nu)*sqrt(v[k] + noise);
}

BLNI_PRIV double blni_int_variance(const blni_int_mixture *mix)
{
    double between, within;
    const double nu = mix->nu;
    blni_int_centre(mix, &between, &within);
    if (!(between + within > 0.0)) return 0.0;
    return nu > 2.0 ? between + within*nu/(nu - 2.0) : nu > 1.0 ? HUGE_VAL : BLNI_NAN;
}

BLNI_PRIV int blni_int_row(const bln_slm_integrated *m, const bln_data *data, size_t i, const bln_slm_integrated_outputs *out,
                           const blni_int_room *w)
{
    const blni_int_result *r = &m->result;
    const double noise = data->noise_var ? data->noise_var[i] : 1.0;
    double between, within;
    blni_int_mixture mix;
    mix.nu = r->nu;
    mix.n = r->n_nodes;
    mix.weight = r->weight;
    mix.at = w->at;
    mix.scale = w->scale;
    for (size_t k = 0; k < mix.n; k++) {
        w->at[k] += blni_offset(data, i, 0);
        if (!blni_finite(w->at[k]) || !blni_finite(w->v[k])) return 0;
    }
    blni_int_scale(m, w->v, 0.0, w->scale);
    const double centre = blni_int_centre(&mix, &between, &within);
    if (out->mean) out->mean[i] = r->nu > 1.0 || !(between + within > 0.0) ? centre : BLNI_NAN;
    if (out->var_latent) out->var_latent[i] = blni_int_variance(&mix);
    for (size_t l = 0; out->quantile && out->latent && l < out->n_level; l++)
        out->quantile[i*out->n_level + l] = blni_int_quantile(&mix, out->level[l]);
    blni_int_scale(m, w->v, noise, w->scale);
    if (out->var_total) out->var_total[i] = blni_int_variance(&mix);
    if (out->cdf) out->cdf[i] = blni_int_cdf(&mix, 1.0, blni_y(data, i, 0), NULL);
    if (out->log_density) out->log_density[i] = blni_int_logpdf(&mix, blni_y(data, i, 0));
    for (size_t l = 0; out->quantile && !out->latent && l < out->n_level; l++)
        out->quantile[i*out->n_level + l] = blni_int_quantile(&mix, out->level[l]);
    return 1;
}

BLNI_PRIV bln_status blni_int_levels(size_t n, const double *level, const double *quantile, bln_report *report)
{
    if (n && quantile && !level) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm_integrated: level is NULL");
    for (size_t l = 0; quantile && l < n; l++)
        if (!(level[l] > 0.0 && level[l] < 1.0))
            return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "slm_integrated: levels must be between 0 and 1");
    return BLN_OK;
}

BLN_API bln_status bln_slm_integrated_predict(const bln_slm_integrated *m, const bln_data *data,
                                              const bln_slm_integrated_outputs *out, double *work, bln_report *report)
{
    blni_int_room room;
    bln_report_clear(report);
    if (!m || !data || !out) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm_integrated: NULL argument");
    if (!m->fitted) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm_integrated: predict before fit");
    const bln_basis *b = m->desc.basis;
    if (!blni_basis_fits(b, data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE,
                             "slm_integrated: data have another number of columns than the basis");
    if (blni_outputs(data) != 1)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm_integrated: the data have several outputs");
    bln_status status = bln_data_check(data, out->cdf || out->log_density, report);
    if (status == BLN_OK) status = blni_int_levels(out->n_level, out->level, out->quantile, report);
    if (status != BLN_OK) return status;
    const size_t bytes = blni_mul(bln_slm_integrated_predict_work(m), sizeof(double));
    double *own = NULL;
    if (!work) {
        work = own = (double *)blni_alloc(&m->alloc, bytes);
        if (!own) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm_integrated: out of memory for predictions");
    }
    blni_arena a = blni_arena_over(work, bytes);
    blni_int_room_carve(&a, m, m->desc.block, &room);
    for (size_t i = 0; status == BLN_OK && i < data->n; i++) {
        const size_t in_block = i % m->desc.block;
        if (in_block == 0) {
            const bln_data rows = bln_data_rows(data, i, blni_min(m->desc.block, data->n - i));
            bln_basis_features(b, m->result.theta, rows.n, rows.X, blni_ldx(&rows), room.Phi, b->D, room.basis);
        }
        blni_int_functional(m, room.Phi + in_block*b->D, room.f, room.g, room.x, room.at, room.v);
        blni_int_left_out(m, room.Phi + in_block*b->D, room.v);
        if (!blni_int_row(m, data, i, out, &room))
            status = blni_fail(report, BLN_ENUMERIC, i, BLN_NONE, "slm_integrated: the prediction overflows");
    }
    blni_release(&m->alloc, own, bytes);
    return status;
}

BLN_API bln_status bln_slm_integrated_coefficients(const bln_slm_integrated *m, double *mean, double *sd, size_t n_level,
                                                   const double *level, double *quantile)
{
    blni_int_room room;
    blni_int_mixture mix;
    double between, within;
    if (!m) return BLN_EINVAL;
    if (!m->fitted) return BLN_ESTATE;
    const bln_status status = blni_int_levels(n_level, level, quantile, NULL);
    if (status != BLN_OK) return status;
    const blni_int_result *r = &m->result;
    const size_t D = m->desc.basis->D;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_int_room_carve(&a, m, 1, &room);
    const size_t bytes = a.used;
    void *block = blni_alloc(&m->alloc, bytes);
    if (!block) return BLN_ENOMEM;
    a = blni_arena_over(block, bytes);
    blni_int_room_carve(&a, m, 1, &room);
    mix.nu = r->nu;
    mix.n = r->n_nodes;
    mix.weight = r->weight;
    mix.at = room.at;
    mix.scale = room.scale;
    for (size_t j = 0; j < D; j++) {
        for (size_t i = 0; i < D; i++) room.Phi[i] = i == j ? 1.0 : 0.0;
        blni_int_functional(m, room.Phi, room.f, room.g, room.x, room.at, room.v);
        blni_int_scale(m, room.v, 0.0, room.scale);
        const double centre = blni_int_centre(&mix, &between, &within);
        if (mean) mean[j] = r->nu > 1.0 || !(between + within > 0.0) ? centre : BLNI_NAN;
        if (sd) sd[j] = sqrt(blni_int_variance(&mix));
        for (size_t l = 0; quantile && l < n_level; l++) quantile[j*n_level + l] = blni_int_quantile(&mix, level[l]);
    }
    blni_release(&m->alloc, block, bytes);
    return BLN_OK;
}

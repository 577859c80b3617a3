/* glm_loo_groups: whole groups left out, by what they brought to the precision of the weights
 *
 * Whitened, z_i = U^-T S phi_i, where C = S U^-1 U^-T S: without the group
 *     C' = S U^-1 T^-1 U^-T S,   T = I - sum W_i z_i z_i' = F'F,
 *     v_i' = |F^-T z_i|^2,   phi_i'm' = phi_i'm - (F^-T z_i)'(F^-T sum g_j z_j),
 * which is formed a block of rows at a time, whatever the signs of W: T is positive definite where the others determine all. */
#include "glm_loo_private.h"
#include "../core/status_private.h"

typedef struct blni_glm_groups {
    blni_glm_loo  o;                                         /* its out: a block's, but for total */
    const bln_glm_loo_outputs *out;                          /* the caller's                      */
    const bln_data *data;
    bln_data rows;                                           /* those gathered                    */
    double *X, *y, *weight, *trials, *noise_var, *offset;    /* of a block of rows of a group     */
    double *T, *u, *E;                                       /* D x D, D, D x block               */
    size_t *order, *start;                                   /* n, n_groups + 1                   */
} blni_glm_groups;

BLNI_PRIV void blni_glm_groups_carve(blni_arena *a, const bln_glm *glm, size_t d, size_t n, size_t n_groups, blni_glm_groups *w)
{
    const size_t block = glm->desc.block, D = glm->desc.basis->D, ratio = sizeof(double)/sizeof(size_t);
    double **const columns[] = { &w->y, &w->weight, &w->trials, &w->noise_var, &w->offset, &w->o.out.mean, &w->o.out.model,
                                 &w->o.out.noise, &w->o.out.lower, &w->o.out.upper };
    w->X = blni_carve_doubles(a, blni_mul(block, d));
    for (size_t i = 0; i < sizeof columns/sizeof *columns; i++) *columns[i] = blni_carve_doubles(a, block);
    w->T = blni_carve_doubles(a, blni_mul(D, D));
    w->u = blni_carve_doubles(a, D);
    w->E = blni_carve_doubles(a, blni_mul(block, D));
    w->order = (size_t *)(void *)blni_carve_doubles(a, blni_add(n/ratio, 1));
    w->start = (size_t *)(void *)blni_carve_doubles(a, blni_add(n_groups/ratio, 2));
}

/* Copies rows of the data, and works out f at them under all rows, its slopes, and z into p.project. Returns f. */
BLNI_PRIV bln_latent blni_glm_groups_gather(blni_glm_groups *w, size_t n, const size_t *index, bln_targets *t)
{
    const bln_glm *glm = w->o.glm;
    const bln_data *data = w->data;
    const bln_basis *b = glm->desc.basis;
    const size_t d = data->d;
    for (size_t i = 0; i < n; i++) {
        const size_t row = index[i];
        if (d) memcpy(w->X + i*d, data->X + row*blni_ldx(data), d*sizeof *w->X);
        w->y[i] = blni_y(data, row, 0);
        w->weight[i] = blni_row_weight(data, row);
        if (data->trials) w->trials[i] = data->trials[row];
        if (data->noise_var) w->noise_var[i] = data->noise_var[row];
        if (data->offset) w->offset[i] = blni_offset(data, row, 0);
    }
    w->rows.n = n;
    bln_basis_features(w->o.at, glm->result.hyper.theta, n, w->X, d, w->o.p.Phi, b->D, w->o.p.basis);
    const bln_latent f = blni_glm_latent_of(glm, &w->rows, &w->o.p);
    *t = blni_glm_targets(&w->rows, w->o.p.y);
    blni_glm_loo_slopes(&w->o, n, t, &f);
    return f;                                             /* and in project U^-T S phi, of which the variances of f were made */
}

/* T <- T - sum of W z z' over the rows whose W has this sign. */
BLNI_PRIV void blni_glm_groups_subtract(blni_glm_groups *w, size_t n, double sign)
{
    const size_t D = w->o.glm->desc.basis->D;
    double any = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double W = sign*w->weight[i]*w->o.W[i];
        w->o.measure[i] = W > 0.0 ? sqrt(W) : 0.0;
        any += w->o.measure[i];
    }
    if (!(any > 0.0)) return;
    for (size_t j = 0; j < D; j++)
        for (size_t i = 0; i < n; i++) w->E[j*n + i] = w->o.measure[i]*w->o.p.project[j*n + i];
    bln_syrk(BLN_NOTRANS, D, n, -sign, w->E, n, 1.0, w->T, D);
}

/* T = F'F and F^-T sum g z of the m rows; 0 if the others leave a direction of the weights open, as far as rounding can tell. */
BLNI_PRIV int blni_glm_groups_forget(blni_glm_groups *w, size_t m, const size_t *index)
{
    const size_t D = w->o.glm->desc.basis->D, block = w->o.glm->desc.block;
    bln_targets t;
    for (size_t i = 0; i < D*D; i++) w->T[i] = i/D == i%D ? 1.0 : 0.0;
    for (size_t j = 0; j < D; j++) w->u[j] = 0.0;
    for (size_t at = 0; at < m; at += block) {
        const size_t n = blni_min(block, m - at);
        blni_glm_groups_gather(w, n, index + at, &t);
        for (size_t i = 0; i < n; i++) w->o.g[i] = w->weight[i] > 0.0 ? w->weight[i]*w->o.g[i] : 0.0;
        bln_gemv(BLN_NOTRANS, D, n, 1.0, w->o.p.project, n, w->o.g, 1.0, w->u);
        blni_glm_groups_subtract(w, n, 1.0);
        blni_glm_groups_subtract(w, n, -1.0);
    }
    if (bln_potrf(D, w->T, D, NULL) != BLN_OK) return 0;
    for (size_t j = 0; j < D; j++) if (!(w->T[j*D + j]*w->T[j*D + j] > DBL_EPSILON/BLNI_GLM_LOO_LOST)) return 0;
    bln_trsv(BLN_TRANS, D, w->T, D, w->u);
    return blni_all_finite(D, w->u);
}

BLNI_PRIV void blni_glm_groups_give(double *out, size_t n, const size_t *index, const double *values)
{
    for (size_t i = 0; i < n && out; i++) out[index[i]] = values[i];
}

/* n rows of the group that is forgotten, or lost. */
BLNI_PRIV void blni_glm_groups_predict(blni_glm_groups *w, size_t n, const size_t *index, int lost)
{
    const bln_glm *glm = w->o.glm;
    const size_t D = glm->desc.basis->D;
    const bln_glm_loo_outputs *out = w->out;
    blni_glm_loo *o = &w->o;
    bln_targets t;
    const bln_latent f = blni_glm_groups_gather(w, n, index, &t);
    if (out->total) bln_predictive_logdensity(&glm->desc.likelihood, n, &t, &f, o->full);
    if (!lost) bln_trsm(BLN_TRANS, D, n, w->T, D, o->p.project, n);
    for (size_t i = 0; i < n; i++) {
        double v = 0.0, shift = 0.0;
        for (size_t j = 0; j < D && !lost; j++) {
            const double z = o->p.project[j*n + i];
            v += z*z;
            shift += z*w->u[j];
        }
        o->p.mean[i] -= lost ? BLNI_NAN : shift;
        o->p.var[i] = lost ? BLNI_NAN : v + o->p.rest[i];
        o->measure[i] = lost ? BLNI_NAN : v > 0.0 ? 1.0 - o->p.v[i]/v : 0.0;
        if (lost && index[i] < o->undefined) o->undefined = index[i];
    }
    blni_glm_loo_answer(o, 0, 0, n, &t, &f);
    double *const to[] = { out->log_density, out->mean, out->model, out->noise, out->lower, out->upper, out->latent_mean,
                           out->latent_var, out->influence };
    const double *const from[] = { o->density, o->out.mean, o->out.model, o->out.noise, o->out.lower, o->out.upper, f.mean, f.var,
                                   o->measure };
    for (size_t k = 0; k < sizeof to/sizeof *to; k++) blni_glm_groups_give(to[k], n, index, from[k]);
    for (size_t i = 0; i < n; i++) {
        if (out->total && !lost) blni_elpd_add(&o->sum, index[i], w->weight[i], o->density[i], o->full[i], o->measure[i], 0.7);
    }
}

/* Where block's arrays are in the bln_data, and no output that is not wanted. */
BLNI_PRIV void blni_glm_groups_begin(blni_glm_groups *w, const bln_data *data)
{
    bln_glm_loo_outputs *block = &w->o.out;
    memset(&w->rows, 0, sizeof w->rows);
    w->rows.d = data->d;
    w->rows.X = w->X;
    w->rows.y = w->y;
    w->rows.weight = w->weight;
    w->rows.trials = data->trials ? w->trials : NULL;
    w->rows.noise_var = data->noise_var ? w->noise_var : NULL;
    w->rows.offset = data->offset ? w->offset : NULL;
    block->log_density = block->latent_mean = block->latent_var = block->influence = NULL;
    block->total = w->out->total;
    if (!w->out->mean && !w->out->model && !w->out->noise) block->mean = block->model = block->noise = NULL;
    if (!w->out->lower && !w->out->upper) block->lower = block->upper = NULL;
}

BLNI_PRIV bln_status blni_glm_groups_open(blni_glm_groups *w, const bln_data *data, size_t n_groups, void **block, size_t *bytes,
                                          bln_report *report)
{
    const bln_glm *glm = w->o.glm;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_glm_groups_carve(&a, glm, data->d, data->n, n_groups, w);
    *bytes = a.used;
    if (a.used == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "glm: sizes too large for this machine");
    *block = blni_alloc(&glm->alloc, *bytes);
    if (!*block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "glm: out of memory for leaving groups out");
    a = blni_arena_over(*block, *bytes);
    blni_glm_groups_carve(&a, glm, data->d, data->n, n_groups, w);
    blni_glm_groups_begin(w, data);
    return BLN_OK;
}

BLN_API bln_status bln_glm_leave_groups_out(const bln_glm *glm, const bln_data *data, const size_t *group, size_t n_groups,
                                            const bln_glm_loo_desc *desc, const bln_glm_loo_outputs *out, bln_report *report)
{
    blni_glm_groups w;
    void *block = NULL, *more = NULL;
    size_t bytes = 0, more_bytes = 0;
    memset(&w, 0, sizeof w);
    bln_report_clear(report);
    bln_status status = blni_glm_loo_begin(&w.o, glm, data, desc, out, report);
    if (status != BLN_OK) return status;
    if (!group) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: group is NULL");
    if (blni_glm_loo_psis(&w.o))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "glm: groups are left out of Gaussian posteriors, not by PSIS");
    w.out = out;
    w.data = data;
    status = blni_glm_loo_room(&w.o, data, &block, &bytes, report);
    if (status == BLN_OK) status = blni_glm_groups_open(&w, data, n_groups, &more, &more_bytes, report);
    if (status == BLN_OK) status = blni_group_sort(data->n, group, n_groups, w.order, w.start, report);
    for (size_t s = 0; s < n_groups && status == BLN_OK; s++) {
        const size_t m = w.start[s + 1] - w.start[s], *index = w.order + w.start[s];
        const int lost = m > 0 && !blni_glm_groups_forget(&w, m, index);
        for (size_t at = 0; at < m; at += glm->desc.block)
            blni_glm_groups_predict(&w, blni_min(glm->desc.block, m - at), index + at, lost);
    }
    if (status == BLN_OK) status = blni_glm_loo_end(&w.o, report);
    blni_release(&glm->alloc, more, more_bytes);
    blni_release(&glm->alloc, block, bytes);
    return status;
}

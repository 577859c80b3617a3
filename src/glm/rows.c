/* rows: passes over the rows, which all methods use */
#include "rows_private.h"
#include "../core/bytes_private.h"
#include "../core/status_private.h"
#include "../math/qr_private.h"
#include "../likelihood/likelihood_private.h"
#include "../basis/basis_private.h"
#include "../posterior/prior_private.h"

BLNI_PRIV void blni_glm_hyper_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_hyper *h)
{
    h->prior_var = blni_carve_doubles(a, blni_glm_priors(d));
    h->eta       = blni_carve_doubles(a, d->likelihood.n_theta);
    h->theta     = blni_carve_doubles(a, blni_glm_thetas(d));
}

BLNI_PRIV void blni_glm_scan_carve(blni_arena *a, blni_glm_scan *s)
{
    BLNI_CARVE2(a, s->d, s->mean, s->sd);
    s->columns = (blni_running *)blni_carve(a, s->d, sizeof(blni_running));
}

BLNI_PRIV void blni_glm_reduced_carve(blni_arena *a, const bln_glm_desc *d, size_t n, blni_glm_reduced *z)
{
    const size_t D = d->basis->D, factor = blni_geqrf_work(D, n), product = blni_ormqr_work(D, d->block, n);
    memset(z, 0, sizeof *z);
    z->n = n;
    if (n == 0) return;
    z->Q       = blni_carve_doubles(a, blni_mul(D, n));
    z->tau     = blni_carve_doubles(a, n);
    z->s       = blni_carve_doubles(a, D);
    z->missed    = blni_carve_doubles(a, blni_mul(d->basis->n_slices, n));
    BLNI_CARVE2(a, n, z->b, z->W);
    z->d_prior = blni_carve_doubles(a, blni_priors(d->basis, d->per_weight));
    z->P       = blni_carve_doubles(a, blni_mul(D, d->block));
    z->work    = blni_carve_doubles(a, factor > product ? factor : product);
}

/* The bases, and room for each to be bound. */
BLNI_PRIV void blni_glm_views_carve(blni_arena *a, const bln_glm_desc *d, blni_glm_rows *r)
{
    size_t work = 0, theta_at = 0;
    r->J = blni_glm_latents(d);
    r->n_views = blni_glm_views(d);
    r->view = (blni_glm_view *)blni_carve(a, r->n_views, sizeof *r->view);
    r->D = 0;
    r->n_w = blni_glm_weights(d);
    for (size_t v = 0; v < r->n_views; v++) {
        blni_glm_view one;
        one.basis = one.at = blni_glm_basis_of(d, v);
        one.column = r->D;
        one.theta_at = theta_at;
        one.room = blni_carve_doubles(a, bln_basis_room(one.basis));
        work = blni_max(work, bln_basis_work(one.basis, r->block));
        r->D = blni_add(r->D, one.basis->D);
        theta_at += one.basis->n_theta;
        if (r->view) r->view[v] = one;
    }
    r->basis_work = blni_carve_doubles(a, work);
    r->n_slices = blni_glm_slices(d);
    r->slice = (blni_glm_slice *)blni_carve(a, r->n_slices, sizeof *r->slice);
    for (size_t t = 0; t < r->n_slices && r->slice; t++) r->slice[t] = blni_glm_slice_at(d, t);
}

/* reduced: rows, if they are fewer than features and their space is to be the model's, else 0. */
BLNI_PRIV void blni_glm_rows_carve(blni_arena *a, const bln_glm_desc *d, size_t reduced, blni_glm_rows *r)
{
    r->desc  = d;
    r->basis = blni_glm_basis_of(d, 0);
    r->block = d->block;
    r->scale = 1.0;
    blni_glm_views_carve(a, d, r);
    BLNI_CARVE2(a, blni_mul(r->block, r->D), r->Phi, r->F);
    BLNI_CARVE2(a, r->block, r->y, r->k);
    BLNI_CARVE3(a, r->block, r->lp, r->d3, r->t0);
    BLNI_CARVE3(a, blni_mul(r->block, r->J), r->f, r->d1, r->t1);
    BLNI_CARVE3(a, blni_mul(r->block, blni_latent_pairs(r->J)), r->d2, r->t2, r->c);
    blni_glm_reduced_carve(a, d, reduced, &r->reduced);
}

/* The next block of a source, checked for shape; contents are checked in the scan only. rows->n = 0 at the end. */
BLNI_PRIV bln_status blni_glm_source_next(const bln_source *source, size_t block, bln_data *rows, bln_report *report)
{
    memset(rows, 0, sizeof *rows);
    BLNI_TRY(source->next(source->user, block, rows, report));
    if (rows->n > block || (rows->n && rows->d != source->d))
        return blni_refuse(report, BLN_ESHAPE, "source: a block of the wrong shape");
    return rows->n ? blni_data_check_shape(rows, 1, report) : BLN_OK;
}

BLNI_PRIV double blni_row_weight(const bln_data *rows, size_t i) { return rows->weight ? rows->weight[i] : 1.0; }

/* The sums of all processes, if status and those of the others let them go on, with the same inputs and bases. */
BLNI_PRIV bln_status blni_glm_scan_all(const bln_glm_desc *d, blni_processes *processes, blni_glm_scan *s, double *trials,
                                       bln_status status, bln_report *report)
{
    uint64_t kind[1 + BLN_LATENTS];
    double sums[3] = { (double)s->n, *trials, 1.0 };
    const size_t views = blni_processes_many(processes) ? blni_glm_views(d) : 0;
    kind[0] = s->d;
    for (size_t v = 0; v < views; v++) kind[1 + v] = blni_basis_fingerprint(blni_glm_basis_of(d, v));
    BLNI_TRY(blni_processes_agree(processes, status, 's', 1 + views, (const double *)(const void *)kind, report));
    BLNI_TRY(blni_processes_sum(processes, 3, sums, report));
    BLNI_TRY(blni_processes_running(processes, 1, &s->y, report));
    s->n = (size_t)sums[0];
    *trials = sums[1];
    s->share = 1.0/sums[2];
    return blni_processes_running(processes, s->d, s->columns, report);
}

BLNI_PRIV bln_status blni_glm_scan_rows(const bln_glm_desc *d, const bln_source *source, blni_processes *processes,
                                        blni_glm_scan *s, bln_report *report)
{
    bln_data rows;
    double trials = 0.0;
    memset(&s->y, 0, sizeof s->y);
    if (s->d) memset(s->columns, 0, s->d*sizeof *s->columns);
    s->n = 0;
    bln_status status = source->reset(source->user, report);
    while (status == BLN_OK && (status = blni_glm_source_next(source, d->block, &rows, report)) == BLN_OK && rows.n) {
        status = blni_likelihood_check_from(&d->likelihood, &rows, s->n, report);
        for (size_t i = 0; i < rows.n && status == BLN_OK; i++) {
            const double k = blni_row_weight(&rows, i);
            blni_running_add(&s->y, k, blni_y(&rows, i, 0) - (d->likelihood.ops->discrete ? 0.0 : blni_offset(&rows, i, 0)));
            trials += k*(rows.trials ? rows.trials[i] : 1.0);
            for (size_t j = 0; j < s->d; j++) blni_running_add(s->columns + j, k, rows.X[i*blni_ldx(&rows) + j]);
        }
        s->n += rows.n;
    }
    s->here = s->n;
    BLNI_TRY(blni_glm_scan_all(d, processes, s, &trials, status, report));
    s->N = s->y.weight;
    if (!(s->N > 0.0)) return blni_refuse(report, BLN_EINVAL, s->n ? "data: every row has weight 0" : "data: no rows");
    if (!blni_finite(s->N)) return blni_refuse(report, BLN_ENUMERIC, "data: the sum of weights overflows");
    s->y_mean = s->y.mean;
    s->y_sd = sqrt(blni_running_variance(&s->y));
    s->trials = trials/s->N;
    for (size_t j = 0; j < s->d; j++) {
        s->mean[j] = s->columns[j].mean;
        s->sd[j] = sqrt(blni_running_variance(s->columns + j));
    }
    return BLN_OK;
}

/* n sums over the rows of the next pass, from 0; x: NULL, or where they are. */
BLNI_PRIV void blni_glm_sums(blni_glm_rows *r, size_t n, double *x)
{
    if (!x) return;
    for (size_t i = 0; i < n; i++) x[i] = 0.0;
    r->total[r->n_totals].n = n;
    r->total[r->n_totals++].x = x;
}

/* A pass has ended, or failed: what was deferred of slopes in theta, and then the sums over the rows of all processes. */
BLNI_PRIV bln_status blni_glm_ended(blni_glm_rows *r, bln_status status, bln_report *report)
{
    for (size_t v = 0; v < r->n_views; v++) {
        const size_t at = r->view[v].theta_at;
        bln_basis_settle(r->view[v].at, r->theta + at, r->d_theta && status == BLN_OK ? r->d_theta + at : NULL);
    }
    if (blni_processes_many(r->processes)) {                     /* at the same point, about to add up the same numbers? */
        uint64_t at = blni_fnv(BLNI_FNV_START, (const unsigned char *)r->theta, blni_glm_thetas(r->desc)*sizeof(double));
        at = blni_fnv(at, (const unsigned char *)r->w, r->w ? r->n_w*sizeof(double) : 0);
        for (size_t k = 0; k < r->n_totals; k++) at = 31*at + r->total[k].n;
        status = blni_processes_agree(r->processes, status, 'g', 1, (const double *)(const void *)&at, report);
    }
    for (size_t k = 0; k < r->n_totals && status == BLN_OK; k++)
        status = blni_processes_sum(r->processes, r->total[k].n, r->total[k].x, report);
    r->n_totals = 0;
    r->source_failed = status != BLN_OK;
    return status;
}

/* To the first row, for a pass at this theta and, unless NULL, at these weights. Its sums are those told to _sums before. */
BLNI_PRIV bln_status blni_glm_rewind(blni_glm_rows *r, const double *theta, const double *w, bln_report *report)
{
    const bln_status status = r->source->reset(r->source->user, report);
    r->seen = 0;
    r->top = -HUGE_VAL;
    r->theta = theta;
    r->w = w;
    r->d_theta = NULL;
    for (size_t v = 0; v < r->n_views && !r->reduced.ready; v++)
        r->view[v].at = bln_basis_bind(r->view[v].basis, theta + r->view[v].theta_at, r->view[v].room);
    return status == BLN_OK ? BLN_OK : blni_glm_ended(r, status, report);
}

/* The features of n rows, those of rows_reduce if they are in use: row i of U' is column i of U. */
BLNI_PRIV void blni_glm_features(blni_glm_rows *r, size_t n, const bln_data *rows)
{
    const blni_glm_reduced *z = &r->reduced;
    for (size_t v = 0; v < r->n_views && !z->ready; v++)
        bln_basis_features(r->view[v].at, r->theta + r->view[v].theta_at, n, rows->X, blni_ldx(rows), r->Phi + r->view[v].column,
                           r->D, r->basis_work);
    if (!z->ready) return;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < r->D; j++) r->Phi[i*r->D + j] = j <= r->first + i ? z->Q[j*z->n + r->first + i] : 0.0;
}

/* The next block: rows, their features, weights, offsets (in r->f) and targets. rows->n = 0 at the end, which must come after as
 * many rows as in the scan. */
BLNI_PRIV bln_status blni_glm_next(blni_glm_rows *r, bln_data *rows, bln_targets *t, bln_report *report)
{
    bln_status status = blni_glm_source_next(r->source, r->block, rows, report);
    r->seen += status == BLN_OK ? rows->n : 0;
    if (status == BLN_OK && (r->seen > r->n || (rows->n == 0 && r->seen != r->n)))
        status = blni_refuse(report, BLN_ESHAPE, "source: another number of rows than in the first pass");
    if (status != BLN_OK || rows->n == 0) return blni_glm_ended(r, status, report);
    r->first = r->seen - rows->n;
    blni_glm_features(r, rows->n, rows);
    memset(t, 0, sizeof *t);
    r->weighs = 0;
    for (size_t i = 0; i < rows->n; i++) {
        r->y[i] = blni_y(rows, i, 0);
        r->k[i] = r->scale*blni_row_weight(rows, i);
        r->weighs |= r->k[i] != 1.0;
        r->f[i] = rows->offset ? blni_offset(rows, i, 0) : 0.0;
    }
    for (size_t j = 1; j < r->J; j++)
        for (size_t i = 0; i < rows->n; i++) r->f[j*r->block + i] = blni_offset(rows, i, j);
    t->y = r->y;
    t->trials = rows->trials;
    t->noise_var = rows->noise_var;
    return BLN_OK;
}

/* f where each y would be about what it is, of several latents. */
BLNI_PRIV void blni_glm_start_latents(const blni_glm_rows *r, const double *eta, size_t n, const bln_targets *t, double *f)
{
    const bln_likelihood *l = &r->desc->likelihood;
    for (size_t j = 0; j < r->J && !l->ops->latents->start; j++) memset(f + j*r->block, 0, n*sizeof *f);
    if (l->ops->latents->start)
        BLNI_BY_BLOCKS(l->ops->latents->start(l, eta, rows, &b, f + i, r->block))
}

BLNI_PRIV void blni_glm_top(blni_glm_rows *r, size_t n, const double *lp)
{
    for (size_t i = 0; i < n; i++) if (r->k[i] > 0.0 && lp[i] > r->top) r->top = lp[i];
}

/* x times the weights of the rows: a row of weight 0 counts as 0 whatever it holds. */
BLNI_PRIV void blni_glm_weigh(const blni_glm_rows *r, size_t n, size_t columns, double *x)
{
    for (size_t c = 0; c < columns && r->weighs; c++)
        for (size_t i = 0; i < n; i++) x[c*r->block + i] = r->k[i] > 0.0 ? r->k[i]*x[c*r->block + i] : 0.0;
}

/* r->f += Phi w, and the likelihood there, times the weights of the rows. */
BLNI_PRIV void blni_glm_eval(blni_glm_rows *r, const double *eta, size_t n, const bln_targets *t, const double *w)
{
    const bln_likelihood *l = &r->desc->likelihood;
    for (size_t j = 0; j < r->J && w; j++) {
        bln_gemv(BLN_NOTRANS, n, blni_glm_rows_width(r, j), 1.0, blni_glm_rows_phi(r, j), r->D, w, 1.0, r->f + j*r->block);
        w += blni_glm_rows_width(r, j);
    }
    if (l->ops->latents) {
        bln_latents_eval(l, eta, n, t, r->f, r->block, r->lp, r->d1, r->d2);
        blni_glm_top(r, n, r->lp);
    } else {
        bln_likelihood_eval(l, eta, n, t, r->f, r->lp, r->d1, r->d2, r->d3);
        blni_glm_weigh(r, n, 1, r->d3);
    }
    blni_glm_weigh(r, n, 1, r->lp);
    blni_glm_weigh(r, n, r->J, r->d1);
    blni_glm_weigh(r, n, blni_latent_pairs(r->J), r->d2);
}

/* out += Phi' d of all latents, one behind the other. */
BLNI_PRIV void blni_glm_gather(const blni_glm_rows *r, size_t n, const double *d, double *out)
{
    for (size_t j = 0; j < r->J; j++) {
        bln_gemv(BLN_TRANS, n, blni_glm_rows_width(r, j), 1.0, blni_glm_rows_phi(r, j), r->D, d + j*r->block, 1.0, out);
        out += blni_glm_rows_width(r, j);
    }
}

/* Phi and F: features of the bases, and slopes in them. */
BLNI_PRIV void blni_glm_pullback(blni_glm_rows *r, const bln_data *rows, double *d_theta)
{
    size_t ld = 0;
    r->d_theta = d_theta;
    for (size_t v = 0; v < r->n_views; v++) ld += r->view[v].basis->D;
    for (size_t v = 0; v < r->n_views; v++) {
        const blni_glm_view *one = r->view + v;
        if (one->basis->n_theta)
            bln_basis_pullback(one->at, r->theta + one->theta_at, rows->n, rows->X, blni_ldx(rows), r->Phi + one->column, ld,
                               r->F + one->column, ld, d_theta + one->theta_at, NULL, 0, r->basis_work);
    }
}

/* root_i = sqrt lambda_i */
BLNI_PRIV void blni_glm_roots(const blni_glm_rows *r, const blni_glm_hyper *h, double *root)
{
    for (size_t t = 0; t < r->n_slices; t++)
        for (size_t i = r->slice[t].first; i < r->slice[t].end; i++) root[i] = sqrt(h->prior_var[r->slice[t].prior]);
}

/* lambda of slice t if its features miss prior variance and have one, else 0. */
BLNI_PRIV double blni_glm_missed_lambda(const blni_glm_rows *r, const blni_glm_hyper *h, size_t t)
{
    const blni_glm_slice *s = r->slice + t;
    if (r->desc->per_weight) return 0.0;
    return bln_basis_variance(blni_glm_rows_basis(r, s->latent), s->slice) > 0.0 ? h->prior_var[s->prior] : 0.0;
}

/* lambda_t (k_t - |phi_t|^2) of row i of the block; 0 where rounding makes it negative. */
BLNI_PRIV double blni_glm_missed_of_row(const blni_glm_rows *r, const blni_glm_hyper *h, size_t t, size_t i)
{
    const blni_glm_slice *s = r->slice + t;
    const double lambda = r->reduced.ready ? 0.0 : blni_glm_missed_lambda(r, h, t);
    if (r->reduced.ready) return r->reduced.missed[t*r->reduced.n + r->first + i];
    if (!(lambda > 0.0)) return 0.0;
    const double *phi = blni_glm_rows_phi(r, s->latent) + i*r->D + s->at;
    const double missed = bln_basis_variance(blni_glm_rows_basis(r, s->latent), s->slice) - bln_dot(s->end - s->first, phi, phi);
    return missed > 0.0 ? lambda*missed : 0.0;
}

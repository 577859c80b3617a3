/* predict: one loop over panels of rows serves all questions. In a panel, for each theta and block of rows, it computes features,
 * then the moments of f under each group, with what features miss; adds offsets; and lets the observation answer for the panel. */
#include "predict_private.h"
#include "../basis/basis_private.h"
#include "../core/status_private.h"
#include "../core/data_private.h"
#include "../math/blas.h"
#include "../random/rng_private.h"
#include "../likelihood/latent_private.h"
#include "observe_noise_private.h"

enum { BLNI_ASK_BLOCK = 256,                    /* rows of a block                                       */
       BLNI_ASK_BLOCKS = 16,                    /* blocks of a panel, where a panel binds bases anew     */
       BLNI_ASK_NUMBERS = 1 << 18,              /* means of a panel, ...                                 */
       BLNI_ASK_ROWS = 16 };                    /* ... but never fewer rows                              */

/* ---- sizes, and the workspace */

/* n: the most rows of a call. */
BLNI_ONCE BLNI_PRIV blni_ask_sizes blni_ask_sizes_of(const bln_posterior *q, size_t n)
{
    blni_ask_sizes s;
    const blni_totals bases = blni_posterior_totals(q, blni_posterior_bases(q));
    s.K = blni_posterior_K(q);
    s.J = blni_posterior_J(q);
    s.D = bases.features;
    s.slices = bases.slices;
    s.thetas = 0;
    s.residual = s.joint = 0;
    for (size_t g = 0; g < q->n_groups; g++) {
        if (g == 0 || q->groups[g].theta != q->groups[g - 1].theta) s.thetas++;
        if (q->groups[g].residual) s.residual = 1;
        if (s.J > 1 && q->observe.ops->joint && q->groups[g].ops->joint) s.joint = 1;
    }
    const size_t numbers = blni_mul(blni_mul(s.K, s.J), s.joint ? s.J : 1);
    const size_t most = blni_max(BLNI_ASK_NUMBERS/blni_max(numbers, 1), BLNI_ASK_ROWS);
    s.block = q->block ? q->block : (size_t)BLNI_ASK_BLOCK;
    s.panel = blni_min(most, s.thetas > 1 ? blni_mul(BLNI_ASK_BLOCKS, s.block) : s.block);
    s.panel = blni_max(blni_min(s.panel, n), 1);
    s.block = blni_min(s.block, s.panel);
    return s;
}

BLNI_ONCE BLNI_PRIV blni_ask_pieces blni_ask_carve(blni_arena *a, const bln_posterior *q, const blni_ask_sizes *s)
{
    const size_t columns = blni_mul(s->K, s->J), several = q->n_groups > 1 ? s->K : 0;
    size_t project = 0, basis = 0, room = 0;
    blni_ask_pieces p;
    for (size_t g = 0; g < q->n_groups; g++) project = blni_max(project, q->groups[g].ops->work(q, q->groups + g, s->block));
    for (size_t b = 0; b < blni_posterior_bases(q); b++) {
        basis = blni_max(basis, bln_basis_work(q->bases[b], s->block));
        room = blni_add(room, blni_pad(bln_basis_room(q->bases[b])));
    }
    p.Phi     = blni_carve_doubles(a, blni_mul(s->block, s->D));
    p.missed  = blni_carve_doubles(a, s->residual ? blni_mul(s->block, s->slices) : 0);
    BLNI_CARVE2(a, blni_mul(s->panel, columns), p.mean, p.var);
    p.cov     = blni_carve_doubles(a, s->joint ? blni_mul(s->panel, blni_mul(columns, s->J)) : 0);
    p.observe = blni_carve_doubles(a, q->observe.ops->work(&q->observe, s->panel));
    p.weight  = blni_carve_doubles(a, several);
    p.eta     = blni_carve_doubles(a, blni_mul(several, q->observe.n_eta));
    p.project = blni_carve_doubles(a, project);
    p.basis   = blni_carve_doubles(a, basis);
    p.room    = blni_carve_doubles(a, room);
    p.at      = (const bln_basis **)blni_carve(a, blni_posterior_bases(q), sizeof *p.at);
    return p;
}

BLN_API size_t bln_posterior_work(const bln_posterior *q)
{
    blni_arena a = blni_arena_over(NULL, 0);
    if (!q || q->status != BLN_OK) return 0;
    const blni_ask_sizes s = blni_ask_sizes_of(q, (size_t)-1);
    blni_ask_carve(&a, q, &s);
    return blni_arena_doubles(&a);
}

/* ---- f of a panel */

BLNI_PRIV void blni_ask_bind(const bln_posterior *q, const double *theta, const blni_ask_pieces *p)
{
    double *room = p->room;
    for (size_t b = 0; b < blni_posterior_bases(q); b++) {
        p->at[b] = bln_basis_bind(q->bases[b], theta, room);
        room += blni_pad(bln_basis_room(q->bases[b]));
        if (theta) theta += q->bases[b]->n_theta;
    }
}

/* Features of all bases, and missed[s*n + i]: what those of slice s miss. */
BLNI_PRIV void blni_ask_features(const bln_posterior *q, const double *theta, const bln_data *rows, const blni_ask_sizes *s,
                                 const blni_ask_pieces *p)
{
    double *Phi = p->Phi, *missed = p->missed;
    for (size_t b = 0; b < blni_posterior_bases(q); b++) {
        const bln_basis *basis = q->bases[b];
        bln_basis_features(p->at[b], theta, rows->n, rows->X, blni_ldx(rows), Phi, s->D, p->basis);
        for (size_t k = 0; k < basis->n_slices && s->residual; k++, missed += rows->n)
            blni_missed(basis, k, rows->n, Phi, s->D, missed);
        Phi += basis->D;
        if (theta) theta += basis->n_theta;
    }
}

/* var_kj += sum_s lambda_kjs missed_s */
BLNI_PRIV void blni_ask_residual(BLNI_OF_GROUP, size_t n, const double *missed, const blni_latents *out, size_t at)
{
    const int own = blni_posterior_bases(q) > 1;
    for (size_t k = 0; k < blni_group_K(g); k++) {
        const double *lambda = g->residual + k*g->ldresidual, *from = missed;
        for (size_t j = 0; j < out->J; j++) {
            const size_t slices = blni_posterior_basis(q, j)->n_slices;
            for (size_t s = 0; s < slices; s++, lambda++)
                for (size_t i = 0; i < n && *lambda != 0.0; i++) out->var[i*out->ld + (at + k)*out->J + j] += *lambda*from[s*n + i];
            if (own) from += slices*n;
        }
    }
}

/* The same jointly: R += sum_s lambda_s (k_s(x_i, x_j) - phi_s(x_i)'phi_s(x_j)) in the upper triangle of R (n x n, stride ldr), for
 * one basis with features in Phi. Of a slice whose kernel is not known the rows are independent. line, diag: n each; work:
 * bln_basis_work(b, n). */
BLNI_ONCE BLNI_PRIV void blni_ask_residual_joint(const bln_basis *b, const double *theta, const double *lambda,
                                                 const bln_data *rows, const double *Phi, size_t ldphi, double *R, size_t ldr,
                                                 double *line, double *diag, double *work)
{
    const size_t n = rows->n, ldx = blni_ldx(rows);
    for (size_t i = 0; i < n; i++) diag[i] = R[i*ldr + i];
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
        int known = lambda[s] > 0.0 && bln_basis_variance(b, s) > 0.0;
        if (known) blni_missed(b, s, n, Phi, ldphi, line);
        for (size_t i = 0; i < n && known; i++) diag[i] += lambda[s]*line[i];
        for (size_t i = 0; i < n && known; i++) {
            const double *X = rows->X ? rows->X + i*ldx : NULL;
            known = blni_basis_kernel(b, s, theta, X, n - i, X, ldx, line, work);
            for (size_t j = i; j < n && known; j++) R[i*ldr + j] += lambda[s]*line[j - i];
        }
        if (known) bln_syrk(BLN_NOTRANS, n, count, -lambda[s], Phi + first, ldphi, 1.0, R, ldr);
    }
    for (size_t i = 0; i < n; i++) R[i*ldr + i] = diag[i];
}

BLNI_PRIV void blni_ask_project(const bln_posterior *q, const bln_data *panel, const blni_ask_sizes *s, const blni_ask_pieces *p,
                                const blni_latents *out, size_t *bound)
{
    for (size_t g = 0, end, at = 0; g < q->n_groups; g = end) {
        const double *theta = q->groups[g].theta;
        size_t K = 0;
        for (end = g; end < q->n_groups && q->groups[end].theta == theta; end++) K += blni_group_K(q->groups + end);
        if (*bound != g) blni_ask_bind(q, theta, p);
        *bound = g;
        for (size_t i = 0; i < panel->n; i += s->block) {
            const bln_data rows = bln_data_rows(panel, i, blni_min(s->block, panel->n - i));
            blni_latents here = *out;
            const blni_features x = { q, rows.n, s->D, p->Phi };
            size_t first = at;
            here.mean = out->mean ? out->mean + i*out->ld : NULL;
            here.var = out->var ? out->var + i*out->ld : NULL;
            here.cov = out->cov ? out->cov + i*out->K*out->J*out->J : NULL;
            blni_ask_features(q, theta, &rows, s, p);
            for (size_t h = g; h < end; h++) {
                const bln_group *group = q->groups + h;
                group->ops->project(group, &x, &here, first, p->project);
                if (group->residual && here.var) blni_ask_residual(q, group, rows.n, p->missed, &here, first);
                first += blni_group_K(group);
            }
        }
        at += K;
    }
}

BLNI_PRIV void blni_ask_offset(const bln_data *rows, const blni_latents *out)
{
    for (size_t i = 0; i < rows->n && rows->offset && out->mean; i++)
        for (size_t c = 0; c < out->K*out->J; c++) out->mean[i*out->ld + c] += blni_offset(rows, i, c % out->J);
}

/* The first row whose f is not finite, n: none. */
BLNI_PRIV size_t blni_ask_overflow(size_t n, const blni_latents *out)
{
    for (size_t i = 0; i < n*out->ld; i++)
        if ((out->mean && !blni_finite(out->mean[i])) || (out->var && !blni_finite(out->var[i]))) return i/out->ld;
    return n;
}

BLNI_PRIV void blni_ask_gather(const bln_posterior *q, const blni_ask_pieces *p, bln_latent *f)
{
    const size_t n_eta = q->observe.n_eta;
    size_t at = 0;
    f->weight = q->groups->weight;
    f->eta = q->groups->eta;
    f->ldeta = q->groups->ldeta;
    if (q->n_groups == 1) return;
    if (f->weight) f->weight = p->weight;
    f->eta = p->eta;
    f->ldeta = n_eta;
    for (size_t g = 0; g < q->n_groups; g++) {
        const bln_group *group = q->groups + g;
        for (size_t k = 0; k < blni_group_K(group); k++, at++) {
            if (group->weight) p->weight[at] = group->weight[k];
            if (n_eta) memcpy(p->eta + at*n_eta, group->eta + k*group->ldeta, n_eta*sizeof *p->eta);
        }
    }
}

/* ---- panels */

/* Numbers of an output for each row. */
BLNI_PRIV size_t blni_ask_width(const bln_posterior *q, const blni_ask *ask)
{
    const size_t J = blni_posterior_J(q), values = ask->of == BLN_OF_F ? J : q->observe.n_y;
    switch (ask->what) {
    case BLNI_ASK_LATENT:   return J;
    case BLNI_ASK_MOMENTS:  return q->observe.n_moments;
    case BLNI_ASK_QUANTILE: return values*ask->n_p;
    default:                return values;
    }
}

/* A single normal component whose moments are the answer, but for the noise, is projected where they are wanted. */
BLNI_PRIV int blni_ask_in_place(const bln_posterior *q, const blni_ask *ask, size_t K)
{
    return K == 1 && q->dof == 0.0
        && (ask->what == BLNI_ASK_LATENT || (ask->what == BLNI_ASK_MOMENTS && q->observe.ops->identity));
}

BLNI_PRIV bln_status blni_ask_panels(const bln_posterior *q, const blni_ask *ask, const bln_data *data, const blni_ask_sizes *s,
                                     const blni_ask_pieces *p, bln_report *report)
{
    const size_t width = blni_ask_width(q, ask);
    const int in_place = blni_ask_in_place(q, ask, s->K);
    size_t bound = BLN_NONE;
    blni_latents columns;
    bln_latent f = BLN_ZERO;
    f.K = columns.K = s->K;
    f.J = columns.J = s->J;
    columns.ld = s->K*s->J;
    columns.cov = s->joint && (ask->what != BLNI_ASK_LATENT) && ask->of == BLN_OF_Y ? p->cov : NULL;
    f.cov = columns.cov;
    f.dof = q->dof;
    f.law = blni_posterior_law(q);
    blni_ask_gather(q, p, &f);
    for (size_t i = 0; i < data->n; i += s->panel) {
        const bln_data rows = bln_data_rows(data, i, blni_min(s->panel, data->n - i));
        double *out[3];
        for (size_t j = 0; j < 3; j++) out[j] = ask->out[j] ? ask->out[j] + i*width : NULL;
        columns.mean = in_place ? out[0] : p->mean;
        columns.var = in_place ? out[1] : p->var;
        f.mean = columns.mean;
        f.var = columns.var;
        if (columns.mean || columns.var) blni_ask_project(q, &rows, s, p, &columns, &bound);
        blni_ask_offset(&rows, &columns);
        const size_t bad = blni_ask_overflow(rows.n, &columns);
        if (bad < rows.n) return blni_fail(report, BLN_ENUMERIC, i + bad, BLN_NONE, "posterior: the prediction overflows");
        if (in_place) out[0] = out[1] = NULL;
        ask->answer(q, ask, &rows, &f, out, p->observe);
    }
    return BLN_OK;
}

/* ---- questions */

BLNI_ONCE BLNI_PRIV bln_status blni_ask_check(const bln_posterior *q, const blni_ask *ask, const bln_data *data, bln_report *report)
{
    const int need = ask->what == BLNI_ASK_DENSITY ? 2 : ask->what == BLNI_ASK_CDF || ask->what == BLNI_ASK_PIT;
    if (!q || !data) return blni_refuse(report, BLN_EINVAL, "posterior: posterior or data is NULL");
    if (q->status != BLN_OK)
        return blni_refuse(report, q->status, q->status == BLN_ESTATE ? "posterior: the model is not fitted"
                                                 : "posterior: the data do not determine it");
    for (size_t b = 0; b < blni_posterior_bases(q); b++)
        if (q->bases[b]->d && q->bases[b]->d != data->d)
            return blni_refuse_columns(report, "posterior", data->d, q->bases[b]->d);
    BLNI_TRY(blni_data_check_offsets(data, blni_posterior_J(q), q->observe.n_y == 1, report));
    const int ordered = ask->what == BLNI_ASK_CDF || ask->what == BLNI_ASK_PIT
        || ((ask->what == BLNI_ASK_QUANTILE || ask->what == BLNI_ASK_INTERVAL) && ask->of == BLN_OF_Y);
    if (ordered && q->observe.ops->unordered && q->observe.ops->unordered(&q->observe))
        return blni_refuse(report, BLN_EUNDEFINED, q->observe.ops->unordered(&q->observe));
    if (ask->what == BLNI_ASK_QUANTILE && ask->n_p && !ask->p) return blni_refuse(report, BLN_EINVAL, "posterior: p is NULL");
    for (size_t k = 0; ask->what == BLNI_ASK_QUANTILE && k < ask->n_p; k++)
        if (!(ask->p[k] >= 0.0 && ask->p[k] <= 1.0))
            return blni_refuse(report, BLN_EDOMAIN, "posterior: a probability is outside [0, 1]");
    if (ask->what == BLNI_ASK_INTERVAL && !(ask->level > 0.0 && ask->level < 1.0))
        return blni_refuse(report, BLN_EDOMAIN, "posterior: the level must be between 0 and 1");
    return q->observe.ops->rows(&q->observe, data, need, report);
}

BLNI_ONCE BLNI_PRIV bln_status blni_ask_rows(const bln_posterior *q, const blni_ask *ask, const bln_data *data, double *work,
                                             bln_report *report)
{
    BLNI_TRY(blni_ask_check(q, ask, data, report));
    const blni_ask_sizes s = blni_ask_sizes_of(q, work ? (size_t)-1 : data->n);            /* own room: for these rows only */
    blni_arena a = blni_arena_over(NULL, 0);
    if (!work) blni_ask_carve(&a, q, &s);
    BLNI_TRY(blni_arena_open(&q->alloc, work, a.used, "posterior", &a, report));
    const blni_ask_pieces p = blni_ask_carve(&a, q, &s);
    const bln_status status = blni_ask_panels(q, ask, data, &s, &p, report);
    if (!work) blni_release(&q->alloc, a.base, a.size);
    return status;
}

BLNI_PRIV bln_status blni_asked(const bln_posterior *q, const bln_data *data, blni_question what, blni_answer *answer, double *out0,
                                double *out1, double *out2, double *work, bln_report *report)
{
    blni_ask ask = BLN_ZERO;
    ask.what = what;
    ask.answer = answer;
    ask.out[0] = out0;
    ask.out[1] = out1;
    ask.out[2] = out2;
    return blni_ask_rows(q, &ask, data, work, report);
}

/* An output that has to be there. */
BLNI_PRIV bln_status blni_ask_no_output(bln_report *report)
{
    return blni_refuse(report, BLN_EINVAL, "posterior: an output is NULL");
}

/* What an answer begins with: f at the rows of a block. */
#define BLNI_ASKED const bln_posterior *q, const blni_ask *ask, const bln_data *rows, const bln_latent *f

BLNI_PRIV void blni_answer_moments(BLNI_ASKED, double *const out[3], double *work)
{
    q->observe.ops->moments(&q->observe, rows, f, out[0], out[1], out[2], work);
}

BLN_API bln_status bln_posterior_predict(const bln_posterior *q, const bln_data *data, double *mean, double *var_model,
                                         double *var_noise, double *work, bln_report *report)
{
    bln_report_clear(report);
    return blni_asked(q, data, BLNI_ASK_MOMENTS, blni_answer_moments, mean, var_model, var_noise, work, report);
}

BLNI_PRIV void blni_answer_latent(BLNI_ASKED, double *const out[3], double *work)
{
    for (size_t i = 0; i < rows->n && (out[0] || out[1]); i++)
        for (size_t j = 0; j < f->J; j++) {
            const blni_mix m = blni_mix_of(f, i, j, 0.0);
            blni_mix_moments(&m, out[0] ? out[0] + i*f->J + j : NULL, out[1] ? out[1] + i*f->J + j : NULL);
        }
}

BLN_API bln_status bln_posterior_latent(const bln_posterior *q, const bln_data *data, double *mean, double *var, double *work,
                                        bln_report *report)
{
    bln_report_clear(report);
    return blni_asked(q, data, BLNI_ASK_LATENT, blni_answer_latent, mean, var, NULL, work, report);
}

BLNI_PRIV void blni_ask_logdensity(BLNI_OBSERVED, double *out, double *work)
{
    (o->ops->logdensity ? o->ops->logdensity : blni_noise_logdensity)(o, rows, f, out, work);
}

BLNI_PRIV void blni_answer_density(BLNI_ASKED, double *const out[3], double *work)
{
    blni_ask_logdensity(&q->observe, rows, f, out[0], work);
}

BLN_API bln_status bln_posterior_logdensities(const bln_posterior *q, const bln_data *data, double *out, double *work,
                                              bln_report *report)
{
    bln_report_clear(report);
    if (!out) return blni_ask_no_output(report);
    return blni_asked(q, data, BLNI_ASK_DENSITY, blni_answer_density, out, NULL, NULL, work, report);
}

BLNI_PRIV void blni_answer_cdf(BLNI_ASKED, double *const out[3], double *work)
{
    (q->observe.ops->cdf ? q->observe.ops->cdf : blni_noise_cdf)(&q->observe, rows, f, out[0], out[1], work);
}

BLN_API bln_status bln_posterior_cdfs(const bln_posterior *q, const bln_data *data, double *lower, double *upper, double *work,
                                      bln_report *report)
{
    bln_report_clear(report);
    return blni_asked(q, data, BLNI_ASK_CDF, blni_answer_cdf, lower, upper, NULL, work, report);
}

BLNI_PRIV void blni_answer_pit(BLNI_ASKED, double *const out[3], double *work)
{
    if (q->observe.ops->pit) q->observe.ops->pit(&q->observe, rows, f, out[0], out[0], work);
    else                     blni_noise_cdf(&q->observe, rows, f, out[0], NULL, work);          /* normal y has no steps */
}

BLN_API bln_status bln_posterior_pits(const bln_posterior *q, const bln_data *data, uint64_t seed, double *out, double *work,
                                      bln_report *report)
{
    bln_report_clear(report);
    if (!out) return blni_ask_no_output(report);
    for (size_t i = 0; q && data && i < data->n; i++) {
        bln_rng rng = blni_rng_of(seed, i);
        const double u = bln_rng_uniform(&rng);
        for (size_t j = 0; j < q->observe.n_y; j++) out[i*q->observe.n_y + j] = u;
    }
    return blni_asked(q, data, BLNI_ASK_PIT, blni_answer_pit, out, NULL, NULL, work, report);
}

BLNI_PRIV void blni_ask_quantile(BLNI_OBSERVED, size_t n_p, const double *p, const double *q, double *out, double *work)
{
    (o->ops->quantile ? o->ops->quantile : blni_noise_quantile)(o, rows, f, n_p, p, q, out, work);
}

/* Of y or f. */
BLNI_PRIV void blni_answer_tails(const bln_posterior *post, bln_of of, const bln_data *rows, const bln_latent *f, size_t n_p,
                                 const double *p, const double *q, double *out, double *work)
{
    if (of == BLN_OF_Y) { blni_ask_quantile(&post->observe, rows, f, n_p, p, q, out, work); return; }
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = 0; j < f->J; j++) {
            const blni_mix m = blni_mix_of(f, i, j, 0.0);
            for (size_t k = 0; k < n_p; k++) *out++ = blni_mix_quantile(&m, p[k], q ? q[k] : 1.0 - p[k]);
        }
}

BLNI_PRIV void blni_answer_quantile(BLNI_ASKED, double *const out[3], double *work)
{
    blni_answer_tails(q, ask->of, rows, f, ask->n_p, ask->p, NULL, out[0], work);
}

BLN_API bln_status bln_posterior_quantiles(const bln_posterior *q, const bln_data *data, bln_of of, size_t n_p, const double *p,
                                           double *out, double *work, bln_report *report)
{
    blni_ask ask = BLN_ZERO;
    bln_report_clear(report);
    if (!out) return blni_ask_no_output(report);
    ask.what = BLNI_ASK_QUANTILE;
    ask.answer = blni_answer_quantile;
    ask.of = of;
    ask.n_p = n_p;
    ask.p = p;
    ask.out[0] = out;
    return blni_ask_rows(q, &ask, data, work, report);
}

BLNI_PRIV void blni_answer_interval(BLNI_ASKED, double *const out[3], double *work)
{
    const double low = 0.5*(1.0 - ask->level), high = 1.0 - low;
    blni_answer_tails(q, ask->of, rows, f, 1, &low, &high, out[0], work);
    blni_answer_tails(q, ask->of, rows, f, 1, &high, &low, out[1], work);
}

BLN_API bln_status bln_posterior_intervals(const bln_posterior *q, const bln_data *data, bln_of of, double level, double *lower,
                                           double *upper, double *work, bln_report *report)
{
    blni_ask ask = BLN_ZERO;
    bln_report_clear(report);
    if (!lower || !upper) return blni_ask_no_output(report);
    ask.what = BLNI_ASK_INTERVAL;
    ask.answer = blni_answer_interval;
    ask.of = of;
    ask.level = level;
    ask.out[0] = lower;
    ask.out[1] = upper;
    return blni_ask_rows(q, &ask, data, work, report);
}

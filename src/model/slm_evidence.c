/* slm_evidence: what the primal and the dual form share: the rows, the workspace, and the evidence put together from its parts.
 *
 * A first scan checks every row and takes what does not depend on hyper-parameters: N, sum of log omega, moments of the columns.
 * Rows of weight k count as k copies: they add k to N, k log(1/v) to ld, and enter G, b, c with omega = k/v. */
#include "slm.h"

typedef struct blni_slm_scan {
    void   *block;                 /* holds the arrays          */
    size_t  bytes;
    size_t  n, d;                  /* rows, columns             */
    double  N, ld, omega;          /* sums of weight, of weight log(1/v), of weight/v */
    double  y_mean, y_var, y_square;   /* of y - offset, weighted by omega: mean, variance, mean square   */
    double *mean, *sd;             /* d: moments of the inputs  */
} blni_slm_scan;

BLNI_PRIV void blni_scan_row(const bln_data *rows, size_t i, blni_slm_scan *s, blni_running *columns, blni_running *target)
{
    const double w = rows->weight ? rows->weight[i] : 1.0, y = blni_row_target(rows, i), omega = blni_row_omega(rows, i);
    s->N += w;
    s->omega += omega;
    if (rows->noise_var) s->ld -= w*log(rows->noise_var[i]);
    s->y_square += omega*y*y;
    blni_running_add(target, omega, y);
    for (size_t j = 0; j < s->d; j++) blni_running_add(columns + j, w, rows->X[i*blni_ldx(rows) + j]);
}

/* The next block of a source, checked for shape; contents are checked in the scan only. rows->n = 0 at the end. */
BLNI_PRIV bln_status blni_source_next(const bln_source *source, size_t block, bln_data *rows, bln_report *report)
{
    memset(rows, 0, sizeof *rows);
    const bln_status status = source->next(source->user, block, rows, report);
    if (status != BLN_OK) return status;
    if (rows->n > block || (rows->n && rows->d != source->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "source: a block of the wrong shape");
    if (rows->n && (!rows->y || (rows->d && !rows->X) || (rows->ldx && rows->ldx < rows->d)))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "data: X or y is NULL, or the row stride of X is below d");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_scan_rows(const bln_source *source, size_t block, blni_slm_scan *s, blni_running *columns,
                                    bln_report *report)
{
    blni_running target = { 0.0, 0.0, 0.0 };
    bln_data rows;
    bln_status status = source->reset(source->user, report);
    while (status == BLN_OK) {
        status = blni_source_next(source, block, &rows, report);
        if (status != BLN_OK || rows.n == 0) break;
        status = blni_data_check_from(&rows, 1, s->n, report);
        if (status != BLN_OK) break;
        for (size_t i = 0; i < rows.n; i++) {
            blni_scan_row(&rows, i, s, columns, &target);
            if (!blni_finite(s->omega) || !blni_finite(s->N))
                return blni_fail(report, BLN_ENUMERIC, s->n + i, BLN_NONE,
                                 "data: the sum of weights or of 1/noise_var overflows; scale them");
            if (!blni_finite(s->y_square))
                return blni_fail(report, BLN_ENUMERIC, s->n + i, rows.d, "data: squares of y overflow; scale y");
        }
        s->n += rows.n;
    }
    if (status != BLN_OK) return status;
    if (!(s->N > 0.0))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, s->n ? "data: every row has weight 0" : "data: no rows");
    s->y_mean = target.mean;
    s->y_var = blni_running_variance(&target);
    s->y_square /= s->omega;
    for (size_t j = 0; j < s->d; j++) {
        s->mean[j] = columns[j].mean;
        s->sd[j] = sqrt(blni_running_variance(columns + j));
    }
    return BLN_OK;
}

BLNI_PRIV void blni_scan_free(const bln_allocator *alloc, blni_slm_scan *s)
{
    blni_release(alloc, s->block, s->bytes);
    memset(s, 0, sizeof *s);
}

BLNI_PRIV blni_running *blni_scan_carve(blni_arena *a, size_t d, blni_slm_scan *s)
{
    s->mean = blni_carve_doubles(a, d);
    s->sd   = blni_carve_doubles(a, d);
    return (blni_running *)blni_carve(a, d, sizeof(blni_running));
}

BLNI_PRIV bln_status blni_scan(const bln_allocator *alloc, const bln_source *source, size_t block, blni_slm_scan *s,
                               bln_report *report)
{
    blni_arena a = blni_arena_over(NULL, 0);
    memset(s, 0, sizeof *s);
    s->d = source->d;
    blni_scan_carve(&a, s->d, s);
    s->bytes = a.used;
    if (s->bytes == (size_t)-1)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    s->block = blni_alloc(alloc, s->bytes);
    if (!s->block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory");
    a = blni_arena_over(s->block, s->bytes);
    blni_running *columns = blni_scan_carve(&a, s->d, s);
    memset(columns, 0, s->d*sizeof *columns);
    const bln_status status = blni_scan_rows(source, block, s, columns, report);
    if (status != BLN_OK) blni_scan_free(alloc, s);
    return status;
}

/* The workspace of one fit, and the state of the last evaluation. Letters are those of spec/slm.md. */
typedef struct blni_evidence {
    const bln_basis  *basis;
    const bln_source *source;          /* the rows                                                            */
    size_t            seen;            /* rows of this pass so far                                            */
    int               source_failed;   /* the last failure was the source's, not the arithmetic's             */
    int               per_weight;      /* which prior variances                                               */
    bln_slm_form      form;
    size_t            n, D, block;     /* rows, features, rows of a block                                     */
    size_t            n_flat;          /* features with a flat prior                                          */
    double            N, ld, omega;    /* from the scan                                                       */

    double *s, *u, *m, *w, *gamma;     /* D each: sqrt(lambda_i), L^-1 S b/sigma^2, mean, mean/s, gamma_i      */
    double *diag;                      /* spare diagonal for the jitter                                       */
    double *penalty;                   /* D: 1, or 0 where the prior is flat: B = S G S/sigma^2 + diag(penalty) */
    double *basis_work;

    blni_gram gram;                    /* primal: [Phi y]' Omega [Phi y]                                      */
    int       lent;                    /* gram belongs to a bln_statistics, and there are no rows             */
    double *B;                         /* primal: D x D: B, its factor, its inverse, C in turn                */
    bln_exact *B3, *u3, *w3;           /* exact: as B, u, w                                                   */
    double *Phi, *F;                   /* primal: block x (D+1), block x D;   dual: n x D each                */
    double *K;                         /* dual: n x n: K_s and its factor                                     */
    double *y, *root, *alpha;          /* dual: n each: targets, sqrt(omega), L_N^-T t                        */
    double *X;                         /* dual: n x d inputs                                                  */

    double *theta;                     /* where G (or Phi) was computed                                       */
    int     have_features;
    double  noise_var, logdet, q, rss, tau, condition;      /* of the last value                              */
} blni_evidence;

BLNI_PRIV void blni_evidence_carve(blni_arena *a, blni_evidence *e)
{
    const size_t D = e->D, D1 = blni_add(D, 1), n = e->n, rows = e->form == BLN_SLM_DUAL ? n : e->block;
    e->s = blni_carve_doubles(a, D);
    e->u = blni_carve_doubles(a, D);
    e->m = blni_carve_doubles(a, D);
    e->w = blni_carve_doubles(a, D);
    e->gamma = blni_carve_doubles(a, D);
    e->penalty = blni_carve_doubles(a, D);
    e->theta = blni_carve_doubles(a, e->basis->n_theta);
    e->basis_work = blni_carve_doubles(a, bln_basis_work(e->basis, e->block));
    e->F = blni_carve_doubles(a, blni_mul(rows, D));
    if (e->form == BLN_SLM_DUAL) {
        e->diag  = blni_carve_doubles(a, blni_max(n, D));
        e->Phi   = blni_carve_doubles(a, blni_mul(n, D));
        e->K     = blni_carve_doubles(a, blni_mul(n, n));
        e->y     = blni_carve_doubles(a, n);
        e->root  = blni_carve_doubles(a, n);
        e->alpha = blni_carve_doubles(a, n);
        e->X     = blni_carve_doubles(a, blni_mul(n, e->basis->d));
        e->B = NULL;
    } else {
        e->diag = blni_carve_doubles(a, D);
        e->Phi  = blni_carve_doubles(a, blni_mul(rows, D1));
        if (!e->lent) blni_gram_carve(a, &e->gram, e->block);
        e->B    = blni_carve_doubles(a, blni_mul(D, D));
        e->K = e->y = e->root = e->alpha = e->X = NULL;
    }
    e->B3 = (bln_exact *)blni_carve(a, e->gram.exact ? blni_mul(D, D) : 0, sizeof(bln_exact));
    e->u3 = (bln_exact *)blni_carve(a, e->gram.exact ? D : 0, sizeof(bln_exact));
    e->w3 = (bln_exact *)blni_carve(a, e->gram.exact ? D : 0, sizeof(bln_exact));
}

BLNI_PRIV blni_evidence blni_evidence_for(const bln_slm_desc *desc, const bln_source *source, const blni_slm_scan *scan)
{
    blni_evidence e;
    memset(&e, 0, sizeof e);
    e.basis = desc->basis;
    e.per_weight = desc->per_weight;
    e.source = source;
    e.n = scan->n;
    e.D = e.gram.D = desc->basis->D;
    e.block = blni_min(desc->block, blni_max(scan->n, 1));
    e.N = scan->N;
    e.ld = scan->ld;
    e.omega = scan->omega;
    return e;
}

/* s_i = sqrt(lambda of i's slice), 1 where it is infinite. */
BLNI_PRIV void blni_evidence_prior(blni_evidence *e, const double *prior_var)
{
    e->n_flat = 0;
    for (size_t k = 0; k < blni_priors(e->basis, e->per_weight); k++)
        for (size_t i = blni_prior_first(e->basis, e->per_weight, k); i < blni_prior_first(e->basis, e->per_weight, k + 1); i++) {
            const int flat = blni_flat(prior_var[k]);
            e->s[i] = flat ? 1.0 : sqrt(prior_var[k]);
            e->penalty[i] = flat ? 0.0 : 1.0;
            e->n_flat += (size_t)flat;
        }
}

/* Are G or Phi those of theta? If not, notes that they are about to be. */
BLNI_PRIV int blni_evidence_same_theta(blni_evidence *e, const double *theta)
{
    const size_t bytes = e->basis->n_theta*sizeof *theta;
    if (e->have_features && (bytes == 0 || !memcmp(e->theta, theta, bytes))) return 1;
    if (bytes) memcpy(e->theta, theta, bytes);
    e->have_features = 1;
    return 0;
}

/* log p(y)   (S7, S5); with flat weights integrated out, see >>slm. */
BLNI_PRIV double blni_evidence_total(const blni_evidence *e)
{
    if (!(e->noise_var > 0.0)) return HUGE_VAL;          /* a perfect fit by flat weights alone */
    return -0.5*((e->N - (double)e->n_flat)*BLNI_LOG_2PI + e->N*log(e->noise_var) - e->ld + e->logdet + e->q);
}

/* sum of m_i^2/lambda_i = w_i^2 over the weights that have a prior variance. */
BLNI_PRIV double blni_evidence_shrinkage(const blni_evidence *e)
{
    double sum = 0.0;
    for (size_t i = 0; i < e->D; i++) sum += e->penalty[i]*e->w[i]*e->w[i];
    return sum;
}

/* d/d log sigma^2 and d/d log lambda_s from RSS, m_i^2/lambda_i = w_i^2 and gamma_i   (S13, S14) */
BLNI_PRIV void blni_evidence_gradient_scales(const blni_evidence *e, double *d_noise, double *d_prior)
{
    double gamma = 0.0;
    for (size_t i = 0; i < e->D; i++) gamma += e->gamma[i];
    if (d_noise) *d_noise = 0.5*(e->rss/e->noise_var + gamma - e->N);
    if (!d_prior) return;
    for (size_t k = 0; k < blni_priors(e->basis, e->per_weight); k++) {
        d_prior[k] = 0.0;
        for (size_t i = blni_prior_first(e->basis, e->per_weight, k); i < blni_prior_first(e->basis, e->per_weight, k + 1); i++)
            d_prior[k] += 0.5*e->penalty[i]*(e->w[i]*e->w[i] - e->gamma[i]);
    }
}

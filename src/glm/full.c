/* full: the Gaussian q = N(m, C), C not diagonal, whose bound
 *
 *     L = sum_n E_{f ~ N(mu_n, v_n)} log p(y_n | f) - 1/2 m'Lambda^-1 m - 1/2 tr B^-1 - 1/2 log|B| + D/2           [variational 51]
 *
 * is greatest. Here mu_n = phi_n'm, v_n = phi_n'C phi_n, C = S B^-1 S, S^2 = Lambda. L = sum E log p(y | f) + E_q log p(w) + H(q),
 * all exact. With g_n = dL/dmu_n, W_n = -2 dL/dv_n its slopes are
 *
 *     dL/dm = Phi'g - Lambda^-1 m,   dL/dC = 1/2 (C^-1 - Lambda^-1 - Phi'W Phi)                                    [variational 52]
 *
 * so that at the maximum C^-1 = Lambda^-1 + Phi'W Phi: n numbers W determine the D(D+1)/2 of C [Opper & Archambeau 2009;
 * variational 53]. A point of the search is (A, b), what the rows add to the prior's natural parameters: C^-1 = Lambda^-1 + A,
 * B = I + S A S, m = C b. A natural-gradient step of size r goes towards the (T, t) of the likelihood there [Khan & Lin 2017]:
 *
 *     A <- (1-r) A + r T,  T = Phi'W Phi;   b <- (1-r) b + r t,  t = Phi'(g + W mu) = dL/dm + Lambda^-1 m + T m    [variational 54]
 *
 * r = 1 is exact for a Gaussian likelihood, and moves m by Newton's step at fixed v. L rises along the step at the rate
 *     Delta = (dL/dm)'C(dL/dm) + 1/2 tr [C (T - A)]^2 >= 0,                                                        [variational 55]
 * and r is halved until L has risen by at least r Delta/4, which limits overshooting, where the errors of C alternate in sign. Near
 * the maximum, where L cannot be measured so finely, r is halved when Delta rises [variational 56]. Convergence is linear, at a
 * rate of 0.04 (many rows for each weight) to 0.7. So each step first tries a combination of the last points, sum_j c_j (T_j, t_j)
 * with sum c_j = 1, for which |sum_j c_j (M_j, sqrt 2 p_j)| is least: M = U^-T S (T - A) S U^-1 and p = U^-T S dL/dm with B = U'U,
 * so that Delta = p'p + 1/2 |M|^2 [Anderson 1965; Walker & Ni 2011, eq. 2.2; variational 57]. With two points before the last this
 * takes 4 to 13 steps in place of 24 to 60 (digits 3 and 5, 800 features). Delta/(1 - c), c the rate of convergence, is twice the
 * distance of L from its maximum: at 1e-17 q is right to 1e-8 of its standard deviations, and so are slopes in hyper-parameters,
 * which at the maximum are those at fixed q. A search over these that stops at a relative progress of `tolerance` ends at Delta =
 * 1e-4 tolerance: with the default 1e-6, q is right to 1e-5 of its standard deviations. Until then each bound stops at 1e-4 of its
 * first Delta, which is about 1e-4 of the change of the objective, or at 1e-5 of the bound if that is less.
 *
 * Several latents have a matrix each, and q is their product [variational 62]. Where log p depends on differences of the f_j alone,
 * only the prior determines what all m_j have in common. The best is sum_j Lambda_j^-1 m_j = 0, whatever the C_j, and each point is
 * moved there: steps of each latent by itself would approach it the more slowly, the weaker the prior is beside the data. If the
 * latents share their prior, the bound is that of the differences, with the T_j that maximise it (full_differences).
 *
 * A search at new hyper-parameters begins with the A and b of the one before: the same rows under another prior.
 *
 * Where log p is not concave some W_n may be negative: at the maximum C^-1 is positive definite all the same, and on the way a step
 * to an indefinite matrix is halved. */
#include "full_private.h"
#include "../core/status_private.h"
#include "../math/cholesky_private.h"
#include "search_private.h"

enum { BLNI_FULL_STEPS = 200, BLNI_FULL_PLAIN = 20000, BLNI_FULL_STRIP = 16 };

/* points: of which a step may be a combination. */
BLNI_PRIV void blni_full_carve_over(blni_arena *a, blni_glm_rows *rows, size_t nodes, size_t points, blni_full *q)
{
    q->points = points;
    blni_mode_carve(a, rows, 2, 1, &q->e);
    blni_glm_expected_carve(a, rows, rows->J, nodes, 0, &q->expected);
    const size_t D = q->e.D, DD = q->e.size;
    q->A = blni_carve_doubles(a, DD);
    q->b = blni_carve_doubles(a, D);
    for (size_t k = 0; k < points; k++) {
        q->aim[k].T = blni_carve_doubles(a, DD);
        q->aim[k].t = blni_carve_doubles(a, D);
        q->aim[k].M = blni_carve_doubles(a, DD);
        q->aim[k].p = blni_carve_doubles(a, D);
    }
    q->room = blni_carve_doubles(a, rows->J > 1 ? blni_mul(rows->block, rows->D) : 0);
    q->centred = rows->J > 1 && rows->desc->likelihood.ops->latents->differences && rows->n_views == 1;
    const int shared = q->centred && blni_glm_shares_priors(rows->desc);
    blni_differences_carve(a, shared ? rows->J : 0, shared ? rows->D : 0, &q->shared);
    q->next = q->e.H;
    q->next_t = blni_carve_doubles(a, D);
    q->least = BLNI_FULL_LEAST;
    q->unseen = BLNI_FULL_UNSEEN;
}

/* C_ii of all weights, with the C of e->B. */
BLNI_PRIV void blni_full_variances(const blni_full *q, double *var)
{
    for (size_t p = 0; p < q->e.parts; p++) {
        const blni_gaussian g = blni_mode_gaussian(&q->e, p, q->e.w);
        blni_gaussian_variances(&g, var + blni_mode_part_of(&q->e, p).first, q->next);
    }
}

/* Moments of f at a block of rows: mu and v, a column for each latent. */
BLNI_PRIV void blni_full_moments(const blni_full *q, const double *mean, size_t n)
{
    const blni_glm_rows *r = q->e.rows;
    for (size_t j = 0; j < r->J; j++) {
        const blni_gaussian g = blni_mode_gaussian(&q->e, j, mean);
        blni_gaussian_project(&g, n, blni_glm_rows_phi(r, j), r->D, q->expected.mu + j*r->block, q->expected.v + j*r->block,
                              q->e.work);
    }
}

/* What a block adds to e->g, q->next and q->next_t. */
BLNI_PRIV void blni_full_sums(blni_full *q, const bln_data *rows)
{
    blni_mode *e = &q->e;
    blni_glm_rows *r = e->rows;
    const blni_glm_expected *x = &q->expected;
    double *aim = r->J > 1 ? r->t1 : r->c;
    size_t negative = 0;
    for (size_t j = 0; j < r->J; j++) {
        double *W = r->d2 + blni_latent_pair(r->J, j, j)*r->block, *c = aim + j*r->block;
        for (size_t i = 0; i < rows->n; i++) {
            const size_t at = j*r->block + i;
            const double f = x->mu[at] - (rows->offset ? blni_offset(rows, i, j) : 0.0);
            W[i] = -2.0*x->ev[at];
            c[i] = x->em[at] + W[i]*f;
            negative += W[i] < 0.0;
        }
    }
    blni_glm_gather(r, rows->n, x->em, e->g);
    blni_glm_gather(r, rows->n, aim, q->next_t);
    if (r->J > 1) { blni_mode_gram_latents(e, q->next, rows->n, r->d2); return; }
    blni_mode_gram(e, q->next, rows->n, 1.0, r->d2);
    if (negative) blni_mode_gram(e, q->next, rows->n, -1.0, r->d2);
    blni_reduced_keep(r, rows->n);
}

/* Slopes in the features of a block, into r->F: em m + 2 ev C phi, of latents with one basis for all added up. */
BLNI_PRIV void blni_full_features(blni_full *q, const double *mean, const bln_data *rows)
{
    blni_mode *e = &q->e;
    blni_glm_rows *r = e->rows;
    const blni_glm_expected *x = &q->expected;
    for (size_t i = 0; i < rows->n*r->D && r->J > 1; i++) r->F[i] = 0.0;
    for (size_t j = 0; j < r->J; j++) {
        const blni_gaussian g = blni_mode_gaussian(e, j, mean);
        double *C = r->J > 1 ? q->room : r->F, *F = blni_glm_rows_slopes(r, j);
        const size_t ld = r->J > 1 ? g.D : r->D;
        blni_gaussian_multiply(&g, rows->n, blni_glm_rows_phi(r, j), r->D, C, ld, e->work);
        for (size_t i = 0; i < rows->n; i++) {
            const double em = x->em[j*r->block + i], ev = x->ev[j*r->block + i];
            for (size_t k = 0; k < g.D; k++) F[i*r->D + k] = (r->J > 1 ? F[i*r->D + k] : 0.0) + (em*g.m[k] + 2.0*ev*C[i*ld + k]);
        }
    }
    blni_reduced_expand(r, rows);
}

/* One of the two, and what features miss; d_theta may be NULL. */
BLNI_PRIV void blni_full_block(blni_full *q, const blni_glm_hyper *h, const double *mean, const bln_data *rows, int slopes,
                               double *d_theta)
{
    if (slopes) blni_full_features(q, mean, rows);
    else        blni_full_sums(q, rows);
    blni_glm_expected_pull_left(&q->expected, h, rows->n, slopes);
    if (d_theta) blni_glm_pullback(q->e.rows, rows, d_theta);
}

/* A pass at N(mean, C of e->B): *sum = sum_n E log p, slopes in eta and by what features miss, and _block's. */
BLNI_PRIV bln_status blni_full_pass(blni_full *q, const blni_glm_hyper *h, const double *mean, double *sum, int slopes,
                                    double *d_theta, bln_report *report)
{
    blni_mode *e = &q->e;
    blni_glm_rows *r = e->rows;
    blni_glm_sums(r, 1, sum);
    blni_glm_expected_clear(&q->expected);
    blni_glm_sums(r, e->size, slopes ? NULL : q->next);
    blni_reduced_clear(r);
    blni_glm_sums(r, e->D, q->next_t);
    blni_glm_sums(r, e->D, e->g);
    for (size_t i = 0; i < e->D; i++) e->g[i] = -r->scan->share*e->precision[i]*mean[i];
    blni_glm_sums(r, blni_glm_thetas(r->desc), d_theta);
    BLNI_PASS(r, h->theta, mean) {
        blni_full_moments(q, mean, rows.n);
        *sum += blni_glm_expected_sum(&q->expected, h, rows.n, &t);
        blni_full_block(q, h, mean, &rows, slopes, d_theta);
    }
    return status;
}

/* x <- rest x + sum_k c_k y_k for n numbers; what is times 0 is not read. */
BLNI_PRIV void blni_full_mix(size_t n, double rest, double *x, const double *c, const double *const *y, size_t points)
{
    if (rest != 0.0) bln_scal(n, rest, x);
    else for (size_t i = 0; i < n; i++) x[i] = 0.0;
    for (size_t k = 0; k < points; k++) bln_axpy(n, c[k], y[k], x);
}

/* (A, b) <- rest (A, b) + sum_k c_k (T_k, t_k), over the first `points` of the aims. */
BLNI_PRIV void blni_full_combine(const blni_full *q, double rest, const double *c, size_t points, double *A, double *b)
{
    const double *y[BLNI_FULL_MOST];
    for (size_t p = 0; p < q->e.parts; p++) {
        const blni_mode_part part = blni_mode_part_of(&q->e, p);
        for (size_t i = 0, at = part.at; i < part.D; i++, at += part.D + 1) {
            for (size_t k = 0; k < points; k++) y[k] = q->aim[k].T + at;
            blni_full_mix(part.D - i, rest, A + at, c, y, points);
        }
    }
    for (size_t k = 0; k < points; k++) y[k] = q->aim[k].t;
    blni_full_mix(q->e.D, rest, b, c, y, points);
}

/* m_j -= what makes sum_j Lambda_j^-1 m_j = 0. */
BLNI_PRIV void blni_full_centre(const blni_mode *e, double *m)
{
    const size_t D = e->D/e->parts;
    for (size_t i = 0; i < D; i++) {
        double sum = 0.0, precision = 0.0;
        for (size_t k = i; k < e->D; k += D) {
            sum += e->precision[k]*m[k];
            precision += e->precision[k];
        }
        for (size_t k = i; k < e->D; k += D) m[k] -= sum/precision;
    }
}

/* b = C^-1 m, where m is not the C b that it was. */
BLNI_PRIV void blni_full_restore(const blni_full *q, const double *m, double *b)
{
    for (size_t p = 0; p < q->e.parts; p++) {
        const blni_mode_part part = blni_mode_part_of(&q->e, p);
        const double *x = m + part.first;
        double *y = b + part.first;
        for (size_t i = 0; i < part.D; i++) y[i] = q->e.precision[part.first + i]*x[i];
        blni_differences_product(part.D, q->A + part.at, 1.0, x, y);
    }
}

/* The trial rest (A, b) + sum_k c_k (T_k, t_k): e->B, its factor, and e->trial, its m; 0 if it has no C. */
BLNI_PRIV int blni_full_move(blni_full *q, double rest, const double *c, size_t points)
{
    blni_mode *e = &q->e;
    const size_t D = e->D;
    size_t bad;
    memcpy(e->B, q->A, e->size*sizeof *e->B);
    memcpy(e->trial, q->b, D*sizeof *e->trial);
    blni_full_combine(q, rest, c, points, e->B, e->trial);
    if (!blni_mode_factor(e, e->B, &bad)) return 0;
    blni_mode_solve(e, e->B, e->trial);
    if (q->centred) blni_full_centre(e, e->trial);
    return blni_all_finite(D, e->trial);
}

/* The bound at N(m, C of e->B), of which e->diag are the variances: sum is what the rows say; q->next and q->next_t become what
 * this bound asks for. */
BLNI_PRIV double blni_full_close(blni_full *q, const double *m, double sum)
{
    const blni_mode *e = &q->e;
    for (size_t i = 0; i < e->D; i++) sum -= 0.5*e->precision[i]*(m[i]*m[i] + e->diag[i]) - 0.5;
    sum -= 0.5*blni_mode_logdet(e);
    return q->shared.J ? sum + blni_differences_bound(&q->shared, e, m, q->next, q->next_t) : sum;
}

/* q->trial_bound there, NaN or -infinity where it has none, with e->diag, e->g and q->next. */
BLNI_PRIV bln_status blni_full_try(blni_full *q, const blni_glm_hyper *h, double rest, const double *c, size_t points,
                                    bln_report *report)
{
    blni_mode *e = &q->e;
    const size_t D = e->D;
    q->trial_bound = BLNI_NAN;
    q->passes++;
    if (!blni_full_move(q, rest, c, points)) return BLN_OK;
    blni_full_variances(q, e->diag);
    BLNI_TRY(blni_full_pass(q, h, e->trial, &q->trial_bound, 0, NULL, report));
    q->trial_bound = blni_full_close(q, e->trial, q->trial_bound);
    if (!blni_all_finite(D, e->g)) q->trial_bound = BLNI_NAN;
    return BLN_OK;
}

/* M of one part by its factor. */
BLNI_PRIV void blni_full_measure_part(const blni_mode_part *part, const double *s, const double *A, const double *T,
                                      const double *U, double *M)
{
    const size_t D = part->D;
    for (size_t i = 0; i < D; i++)
        for (size_t j = i; j < D; j++) M[i*D + j] = s[i]*(T[i*D + j] - A[i*D + j])*s[j];
    bln_symmetrise(D, M, D);
    bln_trsm(BLN_TRANS, D, D, U, D, M, D);
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < i; j++) {
            const double swap = M[i*D + j];
            M[i*D + j] = M[j*D + i];
            M[j*D + i] = swap;
        }
    for (size_t last = 0, first; last < D;) {             /* its upper triangle is enough: M is symmetric */
        first = last;
        last = blni_min(first + D/4 + 1, D);
        bln_trsm(BLN_TRANS, last, last - first, U, D, M + first, D);
    }
    bln_symmetrise(D, M, D);
}

/* M and p of the point, by the factor in e->B, and Delta. */
BLNI_PRIV void blni_full_measure(blni_full *q)
{
    const blni_mode *e = &q->e;
    const blni_full_aim *aim = &q->aim[0];
    for (size_t i = 0; i < e->D; i++) aim->p[i] = e->s[i]*e->g[i];
    for (size_t k = 0; k < e->parts; k++) {
        const blni_mode_part part = blni_mode_part_of(e, k);
        blni_full_measure_part(&part, e->s + part.first, q->A + part.at, aim->T + part.at, e->B + part.at, aim->M + part.at);
        bln_trsv(BLN_TRANS, part.D, e->B + part.at, part.D, aim->p + part.first);
    }
    q->rate = bln_dot(e->D, aim->p, aim->p) + (q->shared.J ? q->shared.rate : 0.5*bln_dot(e->size, aim->M, aim->M));
}

/* The trial, taken with these numbers, becomes the point. */
BLNI_PRIV void blni_full_accept(blni_full *q, double rest, const double *c, size_t points)
{
    blni_mode *e = &q->e;
    const size_t D = e->D, last = q->points - 1;
    const blni_full_aim spare = q->aim[last];
    blni_full_combine(q, rest, c, points, q->A, q->b);
    if (q->centred) blni_full_restore(q, e->trial, q->b);
    for (size_t k = last; k; k--) q->aim[k] = q->aim[k - 1];
    q->aim[0] = spare;
    q->aim[0].T = q->next;
    q->aim[0].t = q->next_t;
    q->next = spare.T;
    q->next_t = spare.t;
    if (q->known <= last) q->known++;
    memcpy(e->w, e->trial, D*sizeof *e->w);
    q->bound = q->trial_bound;
    blni_full_measure(q);
}

/* Where the search begins without a point before it: A and b of the first step of a search for the mode, whose W count as 0 where
 * they are negative: with A = 0 the v_n might be too large for exp. If that m has no bound, m = 0. */
BLNI_PRIV bln_status blni_full_start(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    blni_mode *e = &q->e;
    const size_t D = e->D;
    BLNI_TRY(blni_mode_pass_start(e, h, report));
    memcpy(q->A, e->B, e->size*sizeof *q->A);
    memcpy(q->b, e->g, D*sizeof *q->b);
    for (int zero = 0; zero < 2; zero++) {
        BLNI_TRY(blni_full_try(q, h, 1.0, NULL, 0, report));
        if (blni_finite(q->trial_bound)) return BLN_OK;
        for (size_t i = 0; i < D; i++) q->b[i] = 0.0;
    }
    return blni_refuse(report, BLN_ENUMERIC, "glm: the bound is not finite at the start; scale the data");
}

/* Takes the last trial for a first point: nothing is known of steps before it. */
BLNI_PRIV void blni_full_from(blni_full *q)
{
    q->known = 0;
    blni_full_accept(q, 1.0, NULL, 0);
    q->r = 1.0;
    q->good = 0;
}

/* The first point: that of the search before, if it has a bound here, or a new one. */
BLNI_PRIV bln_status blni_full_begin(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    bln_status status = blni_mode_enter(&q->e, h, report);
    if (status != BLN_OK) return status;
    q->trial_bound = BLNI_NAN;
    if (q->e.started && q->e.rows->reduced.n) blni_mode_recall(&q->e, q->A, q->b);
    if (q->e.started) status = blni_full_try(q, h, 1.0, NULL, 0, report);
    q->e.started = 0;
    if (status == BLN_OK && !blni_finite(q->trial_bound)) status = blni_full_start(q, h, report);
    if (status == BLN_OK) blni_full_from(q);
    return status;
}

/* The c_k for which |sum_k c_k (M_k, sqrt 2 p_k)| is least, sum c = 1; 0 if they cannot be told. */
BLNI_PRIV int blni_full_coefficients(const blni_full *q, double *c)
{
    enum { N = BLNI_FULL_MOST };
    const size_t D = q->e.D, n = q->known - 1;
    double G[N][N], H[N*N];
    size_t bad;
    if (q->known < 2) return 0;
    for (size_t i = 0; i < q->known; i++)
        for (size_t j = i; j < q->known; j++)
            G[i][j] = bln_dot(D, q->aim[i].p, q->aim[j].p) + 0.5*bln_dot(q->e.size, q->aim[i].M, q->aim[j].M);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++) H[i*n + j] = G[0][0] - G[0][i + 1] - G[0][j + 1] + G[i + 1][j + 1];
        H[i*n + i] *= 1.0 + 1e-10;
        c[i + 1] = G[0][0] - G[0][i + 1];
    }
    if (bln_potrf(n, H, n, &bad) != BLN_OK) return 0;
    bln_potrs(n, H, n, c + 1);
    c[0] = 1.0;
    for (size_t i = 0; i < n; i++) c[0] -= c[i + 1];
    return blni_all_finite(q->known, c);
}

/* Does the trial's bound rise by this share of Delta, or, where that is below what the bound's sums can show, not fall? */
BLNI_PRIV int blni_full_rises(const blni_full *q, double share, double unseen)
{
    const double least = share*q->rate > unseen ? 0.25*share*q->rate : -unseen;
    return blni_finite(q->trial_bound) && q->trial_bound >= q->bound + least;
}

/* The point again, with its factor, after trials that were not taken. */
BLNI_PRIV bln_status blni_full_stay(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    const bln_status status = blni_full_try(q, h, 1.0, NULL, 0, report);
    q->known = 0;
    if (status == BLN_OK) blni_full_accept(q, 1.0, NULL, 0);
    return status;
}

/* A step. *found = 0: none was found that rises; the point is then where it was. Where the rise is below what the bound's sums can
 * show, the step is taken, and the next is shorter if Delta has not fallen. */
BLNI_PRIV bln_status blni_full_step(blni_full *q, const blni_glm_hyper *h, int *found, bln_report *report)
{
    const double rate = q->rate, unseen = q->unseen*(1.0 + fabs(q->bound));
    double c[BLNI_FULL_MOST], r = q->good > 1 && q->r < 1.0 ? 2.0*q->r : q->r;
    *found = 1;
    if (blni_full_coefficients(q, c)) {
        BLNI_TRY(blni_full_try(q, h, 0.0, c, q->known, report));
        if (blni_full_rises(q, 1.0, unseen)) {
            blni_full_accept(q, 0.0, c, q->known);
            if (!(q->rate <= rate)) q->known = 1;
            return BLN_OK;
        }
    }
    q->known = 1;
    q->good++;
    for (; r > 1e-6; r *= 0.5, q->good = 0) {
        BLNI_TRY(blni_full_try(q, h, 1.0 - r, &r, 1, report));
        if (!blni_full_rises(q, r, unseen)) continue;
        blni_full_accept(q, 1.0 - r, &r, 1);
        q->r = r;
        if (r*rate <= unseen && !(q->rate <= rate)) { q->r = r > 0.1 ? 0.5*r : r; q->good = 0; }
        return BLN_OK;
    }
    *found = 0;
    return blni_full_stay(q, h, report);
}

/* The step of size 1, whatever it does to the bound; *found = 0: there is none. */
BLNI_PRIV bln_status blni_full_plain(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    const double one = 1.0;
    BLNI_TRY(blni_full_try(q, h, 0.0, &one, 1, report));
    q->found = blni_finite(q->trial_bound);
    if (!q->found) return blni_full_stay(q, h, report);
    blni_full_accept(q, 0.0, &one, 1);
    return BLN_OK;
}

/* The first point of a search, and its end [variational 58]: at Delta = q->least, or where the accuracy of the expectations keeps
 * it from falling: with v_n far beyond the width of log p (hardly any prior, rows that bear on few weights) that may be early. */
BLNI_PRIV bln_status blni_full_enter(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    const bln_status status = blni_full_begin(q, h, report);
    const double most = 0.1*q->part*(1.0 + fabs(q->bound)), part = q->part*q->rate < most ? q->part*q->rate : most;
    q->enough = part > q->least ? part : q->least;
    q->lowest = q->rate;
    q->found = 1;
    q->steps = 0;
    q->stalled = 0;
    return status;
}

BLNI_PRIV int blni_full_more(const blni_full *q)
{
    return q->steps < (q->plain ? BLNI_FULL_PLAIN : BLNI_FULL_STEPS) && q->found && q->rate > q->enough
           && q->stalled < (q->plain ? BLNI_FULL_STEPS : 12);
}

BLNI_PRIV bln_status blni_full_next(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    const bln_status status = q->plain ? blni_full_plain(q, h, report) : blni_full_step(q, h, &q->found, report);
    q->steps++;
    if (q->rate <= 0.5*q->lowest) { q->lowest = q->rate; q->stalled = 0; }
    else if (q->rate <= q->unseen*(1.0 + fabs(q->bound))) q->stalled++;
    return status;
}

BLNI_PRIV bln_status blni_full_leave(blni_full *q, bln_report *report)
{
    blni_mode *e = &q->e;
    if (!(q->rate <= q->enough) && !(q->rate <= 1e-4*(1.0 + fabs(q->bound))))
        return blni_refuse(report, BLN_ENUMERIC, "glm: the bound's top was not found; scale the data");
    e->condition = blni_mode_condition(e);
    e->evidence = q->bound;
    e->started = 1;
    return BLN_OK;
}

/* q at h, and its bound. */
BLNI_PRIV bln_status blni_full_value(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    bln_status status = blni_full_enter(q, h, report);
    while (status == BLN_OK && blni_full_more(q)) status = blni_full_next(q, h, report);
    return status == BLN_OK ? blni_full_leave(q, report) : status;
}

/* F_n = g_n m - W_n C phi_n, as in [variational 14, 59]. */
BLNI_PRIV bln_status blni_full_slopes(blni_glm_fit *f, void *state, double *dq, bln_report *report)
{
    blni_full *q = (blni_full *)state;
    const blni_mode *e = &q->e;
    const blni_glm_hyper *h = &f->hyper;
    const bln_glm_desc *d = e->rows->desc;
    double sum, *d_prior = f->slope.prior_var, *d_eta = f->slope.eta, *d_theta = f->slope.theta;
    const size_t reduced = e->rows->reduced.n;
    const double part = q->shared.J ? 1.0 - 1.0/(double)q->shared.J : 1.0;        /* of the prior: what differences have of it */
    BLNI_TRY(d_theta || (d_prior && reduced) ? blni_full_pass(q, h, e->w, &sum, 1, d_theta, report) : BLN_OK);
    if (d_eta && d->likelihood.n_theta) memcpy(d_eta, q->expected.d_eta, d->likelihood.n_theta*sizeof *d_eta);
    for (size_t s = 0; d_prior && s < blni_glm_priors(d); s++) d_prior[s] = reduced ? e->rows->reduced.d_prior[s] : 0.0;
    for (size_t t = 0; d_prior && t < e->rows->n_slices; t++) {
        const blni_glm_slice *slice = e->rows->slice + t;
        double sum_t = d->per_weight ? 0.0 : q->expected.d_missed[t];
        for (size_t i = slice->first; i < slice->end && !reduced; i++)
            sum_t += 0.5*((e->w[i]*e->w[i] + part*e->diag[i])/h->prior_var[slice->prior] - part);
        d_prior[slice->prior] += sum_t;
    }
    return BLN_OK;
}

/* ---- by batches. A step is that of above with sums over a batch in place of those over all rows, each n/|B| times, which leaves
 * it unbiased in T and t [variational 61],
 *
 *     A <- (1-r) A + r n/|B| Phi_B'W Phi_B,   b <- (1-r) b + r n/|B| Phi_B'(g + W mu),  [Khan & Lin 2017; Hoffman et al. 2013]
 *
 * so that (A, b) is a mean over the last |B|/r rows or so. L cannot be measured by a batch; r is halved only where C would not be
 * there, as it may where log p is not concave. The slopes in the hyper-parameters are those at this q, by the same batch. */

/* The factor of B, m and C_ii at the point under this prior. Where some W are negative, a wider prior may leave no C: then A goes
 * towards 0 until there is one. 0: not even then. */
BLNI_PRIV int blni_full_stand(blni_full *q, const blni_glm_hyper *h)
{
    int tries = 0;
    blni_mode_prior(&q->e, h);
    for (; tries < 100 && !blni_full_move(q, 1.0, NULL, 0); tries++) bln_scal(q->e.size, 0.9, q->A);
    if (tries == 100) return 0;
    memcpy(q->e.w, q->e.trial, q->e.D*sizeof *q->e.w);
    blni_full_variances(q, q->e.diag);
    return 1;
}

/* L by the rows of e.rows at the point, its slopes, and T and t into q->next and q->next_t. */
BLNI_PRIV bln_status blni_full_estimate(blni_glm_fit *f, blni_full *q, double *bound, bln_report *report)
{
    blni_mode *e = &q->e;
    const blni_glm_hyper *h = &f->hyper;
    double sum, *const d_theta = f->slope.theta;
    bln_status status = BLN_OK;
    if (!blni_full_stand(q, h)) return blni_refuse(report, BLN_ENUMERIC, "glm: features overflow; scale the data");
    if (d_theta) status = blni_full_pass(q, h, e->w, &sum, 1, d_theta, report);
    if (status == BLN_OK) status = blni_full_pass(q, h, e->w, &sum, 0, NULL, report);
    f->slope.theta = NULL;                               /* it has come with the first pass */
    if (status == BLN_OK) status = blni_full_slopes(f, q, NULL, report);
    f->slope.theta = d_theta;
    if (status != BLN_OK) return status;
    *bound = blni_full_close(q, e->w, sum);
    return BLN_OK;
}

/* The step of size r from there, if it leads anywhere. */
BLNI_PRIV void blni_full_natural(blni_full *q, double r)
{
    blni_full_aim *aim = &q->aim[0];
    double *T = q->next, *t = q->next_t;
    q->next = aim->T;
    q->next_t = aim->t;
    aim->T = T;
    aim->t = t;
    for (; r > 1e-6; r *= 0.5) {
        if (!blni_full_move(q, 1.0 - r, &r, 1)) continue;
        blni_full_combine(q, 1.0 - r, &r, 1, q->A, q->b);
        return;
    }
}

/* The end of steps by batches: one more by all rows, for the last batches leave an error in m. It is many standard deviations where
 * the noise is far below the residuals. Of Gaussian noise the step is exact. */
BLNI_PRIV bln_status blni_full_last(blni_full *q, const blni_glm_hyper *h, bln_report *report)
{
    int found;
    blni_mode_prior(&q->e, h);
    BLNI_TRY(blni_full_try(q, h, 1.0, NULL, 0, report));
    q->e.evidence = q->trial_bound;                    /* not finite: refused, for another start is not where the batches led */
    if (!blni_finite(q->trial_bound)) return BLN_OK;
    q->e.started = 0;
    blni_full_from(q);
    BLNI_TRY(blni_full_step(q, h, &found, report));
    q->e.evidence = q->bound;
    q->e.condition = blni_mode_condition(&q->e);
    return BLN_OK;
}

/* ---- the method */

BLNI_PRIV const char *blni_full_check(const bln_glm_desc *d, const void *own)
{
    const bln_latents_ops *latents = d->likelihood.ops->latents;
    if (latents && !latents->expect) return "glm: this likelihood has no expectations for the method full";
    return ((const bln_glm_full_desc *)own)->nodes > 256 ? "glm: at most 256 nodes" : NULL;
}

BLNI_PRIV void *blni_full_carve(blni_arena *a, blni_glm_fit *f, const void *own)
{
    blni_full counted, *q = (blni_full *)blni_carve(a, 1, sizeof *q);
    memset(&counted, 0, sizeof counted);
    blni_full_carve_over(a, &f->rows, ((const bln_glm_full_desc *)own)->nodes, BLNI_FULL_POINTS, q ? q : &counted);
    blni_glm_search_carve(a, f, 0);
    return q;
}

/* By batches the first point is that of a search by all rows. */
BLNI_PRIV bln_status blni_full_open(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_full *q = (blni_full *)state;
    bln_status status = BLN_OK;
    if (f->search.n && 1e-4*f->desc.tolerance > BLNI_FULL_LEAST) {
        q->least = 1e-4*f->desc.tolerance;
        q->part = 1e-4;
        if (f->rows.J > 1) q->expected.tolerance = fmin(fmax(1e-2*f->desc.tolerance, 1e-8), 1e-6);    /* sums show no more */
    }
    if (f->search.steps) { status = blni_full_begin(q, &f->hyper, report); f->progress.evaluations++; }
    if (status == BLN_OK) status = blni_glm_search_begin(f, state, report);
    if (f->search.steps) f->search.began = -q->bound;
    return status;
}

/* From where the last one was, which may be far off: then from the mode. */
BLNI_PRIV bln_status blni_full_bound(blni_glm_fit *f, void *state, const double *x, double *value, bln_report *report)
{
    blni_full *q = (blni_full *)state;
    const int began_there = q->e.started;
    bln_status status = f->search.sgd ? blni_full_last(q, &f->hyper, report) : blni_full_value(q, &f->hyper, report);
    if (status == BLN_ENUMERIC && began_there && !f->rows.source_failed) {
        bln_report_clear(report);
        status = blni_full_value(q, &f->hyper, report);
    }
    *value = q->e.evidence;
    f->condition = q->e.condition;
    return status;
}

/* By the batch that is the rows, and the step of q, of size r. */
BLNI_PRIV bln_status blni_full_batch_by(blni_glm_fit *f, blni_full *q, double r, const double *x, double *value, bln_report *report)
{
    blni_glm_search *s = &f->search;
    double bound = 0.0;
    if (s->n) memcpy(s->x, x, s->n*sizeof *s->x);
    blni_glm_search_natural(f, s->x);
    q->expected.tolerance = 1e-6;
    const bln_status status = blni_full_estimate(f, q, &bound, report);
    q->expected.tolerance = 0.0;
    f->progress.evaluations++;
    if (status != BLN_OK) return status;
    *value = blni_glm_search_chain(f) - bound;
    if (blni_finite(bound)) blni_full_natural(q, r);
    return BLN_OK;
}

/* At a size r of the steps the noise of rows keeps the mean off by a variance of r/2 (n/|B| - 1) of its own: a quarter by default,
 * until r falls. */
BLNI_PRIV bln_status blni_full_batch(blni_glm_fit *f, void *state, uint64_t batch, const double *x, double *value,
                                     bln_report *report)
{
    const blni_glm_search *s = &f->search;
    const double others = (double)f->scan.n/(double)f->batches.order.size - 1.0;        /* batches of an epoch but one */
    const double natural = s->steps->natural > 0.0 ? s->steps->natural : others > 0.5 ? 0.5/others : 1.0;
    return blni_full_batch_by(f, (blni_full *)state, natural*blni_sgd_rate(s->sgd)/s->rate, x, value, report);
}

/* What the bound lacks, about, where the rows are one block; else 0. log p(y) = L + log E_q e^u, u = log p(y, w)/q(w) - its mean.
 * At the top u has no parts of first and second order in the standardised weights, and that of the third is
 *     T_ijk = sum_n a_n psi_ni psi_nj psi_nk,   psi = U^-T S phi,   a_n = E (d/df)^3 log p(y_n | f),
 * so that log E_q e^u = 1/2 Var u = |T|^2/12 = tr M to leading order [Opper, Paquet & Winther 2013], M_ij = sum_kl T_ikl T_jkl/12.
 * 1/3 log|I + 3 M| [variational 65] is that for small M, adds up over independent directions, and does not run off where M is
 * large, as of rare events under a wide prior. Of a constant alone, and no event in 40 rows, Poisson or logistic, prior sd 0.5 to
 * 16, 0.001 to 0.46 are lacking: this is within 16 % of it, where tr M is up to 2.6 times as much.
 * room: blni_full_gap_room(r) doubles.   2 n^2 D + 2 n D^2 flops */
BLNI_PRIV size_t blni_full_gap_room(const blni_glm_rows *r)
{
    return blni_add(blni_mul(r->D, r->D), blni_mul(BLNI_FULL_STRIP, blni_add(r->block, r->D)));
}

/* M of Psi, D x n; its upper triangle is enough. */
BLNI_PRIV void blni_full_skewness(size_t n, size_t D, const double *a, const double *Psi, double *M, double *room)
{
    double *K = room, *Q = room + BLNI_FULL_STRIP*n;
    for (size_t i = 0; i < D*D; i++) M[i] = 0.0;
    for (size_t r = 0; r < n; r += BLNI_FULL_STRIP) {
        const size_t rows = blni_min(BLNI_FULL_STRIP, n - r);
        bln_gemm(BLN_TRANS, BLN_NOTRANS, rows, n, D, 1.0, Psi + r, n, Psi, n, 0.0, K, n);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < n; j++) K[i*n + j] *= K[i*n + j]*a[r + i]*a[j];
        bln_gemm(BLN_NOTRANS, BLN_TRANS, rows, D, n, 1.0, K, n, Psi, n, 0.0, Q, D);
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, D, D, rows, 1.0/12.0, Psi + r, n, Q, D, 1.0, M, D);
    }
}

/* a_n: the slope of E (d/df)^2 log p = 2 dE/dv in the mean. */
BLNI_PRIV void blni_full_thirds(blni_full *q, const blni_glm_hyper *h, size_t n, const bln_targets *t, double *a)
{
    const blni_glm_expected *x = &q->expected;
    double *apart = q->e.rows->d2;
    for (int side = -1; side <= 1; side += 2) {
        blni_full_moments(q, q->e.w, n);
        for (size_t i = 0; i < n; i++) { apart[i] = 0.01*sqrt(x->v[i]); x->mu[i] += side*apart[i]; }
        blni_glm_expected_sum(&q->expected, h, n, t);
        for (size_t i = 0; i < n; i++) a[i] = side < 0 ? x->ev[i] : apart[i] > 0.0 ? (x->ev[i] - a[i])/apart[i] : 0.0;
    }
}

BLNI_PRIV bln_status blni_full_gap(blni_glm_fit *f, void *state, double *room, double *gap, bln_report *report)
{
    blni_full *q = (blni_full *)state;
    blni_glm_rows *r = q->e.rows;
    bln_data rows;
    bln_targets t;
    size_t bad;
    *gap = 0.0;
    if (f->scan.n > r->block) return BLN_OK;
    bln_status status = blni_glm_rewind(r, f->hyper.theta, NULL, report);
    if (status == BLN_OK) status = blni_glm_next(r, &rows, &t, report);
    if (status == BLN_OK) {
        const blni_gaussian g = blni_mode_gaussian(&q->e, 0, NULL);
        double *M = room;
        blni_full_thirds(q, &f->hyper, rows.n, &t, r->c);
        blni_whiten_factor(&g, rows.n, blni_glm_rows_phi(r, 0), r->D, r->F);
        blni_full_skewness(rows.n, g.D, r->c, r->F, M, room + g.D*g.D);
        for (size_t i = 0; i < g.D*g.D; i++) M[i] = 3.0*M[i] + (i % (g.D + 1) == 0);
        if (bln_potrf(g.D, M, g.D, &bad) == BLN_OK)
            for (size_t i = 0; i < g.D; i++) *gap += 2.0/3.0*log(M[i*(g.D + 1)]);
    }
    return status;
}

BLNI_PRIV void blni_full_exactly(blni_glm_fit *f, void *state)
{
    blni_full *q = (blni_full *)state;
    q->part = q->expected.tolerance = 0.0;
    f->search.evaluated = 0;
}

/* The last bound is found without regard to where its search begins. */
BLNI_PRIV bln_status blni_full_finish(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_full_exactly(f, state);
    return blni_glm_search_settle(f, state, report);
}

BLNI_TABLE const bln_glm_method_ops blni_full_ops = {
    "full", sizeof(bln_glm_full_desc), offsetof(bln_glm_full_desc, steps),
    BLNI_CAN_SOURCE | BLNI_CAN_REDUCE | BLNI_CAN_LEARN | BLNI_CAN_EVIDENCE | BLNI_CAN_LATENTS | BLNI_CAN_SHARE,
    BLNI_CAN_LEARN | BLNI_CAN_EVIDENCE | BLNI_CAN_LATENTS, BLNI_GLM_FACTOR, BLNI_GLM_PRODUCT, BLN_SITES_MEAN, 300, 1e-6, NULL,
    NULL, blni_full_check, blni_full_carve, blni_full_open,
    blni_glm_search_step, blni_full_finish, blni_mode_component, blni_full_bound, blni_full_slopes, blni_full_batch, NULL, NULL
};

BLN_API bln_glm_method bln_glm_full(const bln_glm_full_desc *own) { return blni_glm_method(&blni_full_ops, own); }

BLNI_TABLE const bln_option blni_full_options[] = {
    BLNI_GLM_STEPS(bln_glm_full_desc, "batch"),
    BLNI_GLM_NATURAL(bln_glm_full_desc, "batch")
};

BLNI_TABLE const bln_glm_card blni_full_card = {
    &blni_full_ops, "full", "variational, a full Gaussian", "lower bound",
    "the Gaussian with the greatest lower bound of the evidence; better where\n"
    "there are few counts, or outliers",
    0, BLNI_GLM_OWN(bln_glm_full_desc, blni_full_options)
};

BLN_API const bln_glm_card *bln_glm_full_card(void) { return &blni_full_card; }

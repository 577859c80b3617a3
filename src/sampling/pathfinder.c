/* pathfinder: the covariance that L-BFGS estimates, draws with it, and the choice of a point                        [programs 28]
 *
 * From m pairs s, z of steps and differences of gradients, S and Z their columns, R = triu(S'Z), E = diag(s'z):
 *     covariance = diag(alpha) + b g b',   b = [diag(alpha) Z, S],   g = [0, -R^-1; -R^-T, R^-T (E + Z'diag(alpha) Z) R^-1]
 * which is the inverse Hessian of BFGS started at diag(alpha). With b = diag(root alpha) Q C, Q orthonormal, it is
 *     diag(root alpha) (I + Q (A - I) Q') diag(root alpha),   A = I + C g C' = U'U of size 2m at most.           [programs 29] */
#include "pathfinder_private.h"
#include "../core/status_private.h"
#include "../math/qr_private.h"

enum { BLNI_PATH_DRAWS = 10 };
#define BLNI_PATH_CURVED 1e-12          /* a pair needs s'z above this times z'z                                 [programs 27] */
#define BLNI_PATH_APART  10.0

BLN_API bln_pathfinder_desc bln_pathfinder_defaults(const bln_pathfinder_desc *desc)
{
    bln_pathfinder_desc d = BLN_ZERO;
    if (desc) d = *desc;
    if (d.paths == 0) d.paths = 4;
    if (d.draws == 0) d.draws = 250;
    if (d.memory == 0) d.memory = 6;
    if (d.max_iterations == 0) d.max_iterations = 1000;
    if (d.n_starts == 0) d.n_starts = 1;
    if (d.radius == 0.0) d.radius = 2.0;
    return d;
}

BLN_API const char *bln_pathfinder_check(const bln_pathfinder_desc *desc)
{
    const bln_pathfinder_desc d = bln_pathfinder_defaults(desc);
    if (!desc) return "pathfinder: no desc";
    const char *why = bln_density_reason(&desc->density);
    if (why) return why;
    if (d.paths >> 20) return "pathfinder: more than 2^20 paths";
    if (d.memory > 1000) return "pathfinder: memory is 1000 at most";
    if (!(d.radius > 0.0 && blni_finite(d.radius))) return "pathfinder: radius must be > 0";
    return blni_allocator_ok(&d.alloc) ? NULL : "pathfinder: half an allocator";
}

/* ---- memory */

BLNI_PRIV void blni_path_carve(blni_arena *a, size_t D, size_t m, blni_path *p)
{
    const size_t k = blni_min(D, 2*m);
    memset(p, 0, sizeof *p);
    p->D = D;
    p->elbo = -HUGE_VAL;
    BLNI_CARVE2(a, D, p->mean, p->root);
    p->Q = blni_carve_doubles(a, blni_mul(D, k));
    p->U = blni_carve_doubles(a, k*k);
}

BLNI_PRIV void blni_pathfinder_carve_work(blni_arena *a, size_t D, size_t m, blni_pathfinder_work *w)
{
    const size_t two = 2*m;
    w->alpha = blni_carve_doubles(a, D);
    BLNI_CARVE2(a, blni_mul(m, D), w->S, w->Z);
    BLNI_CARVE4(a, D, w->x, w->g, w->v, w->u);
    BLNI_CARVE2(a, D, w->known, w->slope);
    w->lp = BLNI_NAN;
    w->beta = blni_carve_doubles(a, blni_mul(D, two));
    w->tau = blni_carve_doubles(a, two);
    w->qr = blni_carve_doubles(a, blni_max(blni_geqrf_work(D, two), blni_ormqr_work(D, blni_min(D, two), blni_min(D, two))));
    BLNI_CARVE2(a, m*m, w->R, w->K);
    BLNI_CARVE3(a, two*two, w->gamma, w->W, w->B);
    BLNI_CARVE2(a, two, w->y, w->t);
}

BLNI_ONCE BLNI_PRIV bln_pathfinder *blni_pathfinder_carve(blni_arena *a, const bln_pathfinder_desc *d)
{
    bln_pathfinder *self = (bln_pathfinder *)blni_carve(a, 1, sizeof *self), f;
    const size_t D = d->density.dim, m = d->memory;
    blni_path one;
    memset(&f, 0, sizeof f);
    f.desc = *d;
    f.path = (blni_path *)blni_carve(a, d->paths, sizeof *f.path);
    f.kept = (size_t *)blni_carve(a, d->paths, sizeof *f.kept);
    f.path_elbo = blni_carve_doubles(a, d->paths);
    BLNI_CARVE2(a, D, f.scale, f.variance);
    f.starts = blni_carve_doubles(a, blni_mul(BLNI_APPROX_STARTS, D));
    f.weigh = blni_carve_doubles(a, blni_mul(blni_mul(BLNI_APPROX_WORK, d->paths), d->draws));
    blni_pathfinder_carve_work(a, D, m, &f.w);
    blni_path_carve(a, D, m, &f.now);
    const size_t before = a->used;
    if (self) for (size_t c = 0; c < d->paths; c++) blni_path_carve(a, D, m, f.path + c);
    else {
        blni_path_carve(a, D, m, &one);
        if (a->used != (size_t)-1) a->used = blni_add(before, blni_mul(a->used - before, d->paths));
        return NULL;
    }
    *self = f;
    return self;
}

BLN_API void bln_pathfinder_free(bln_pathfinder *found)
{
    if (!found) return;
    bln_chains_free(found->chains);
    blni_lbfgs_free(found->lbfgs);
    blni_release(&found->desc.alloc, found->block, found->bytes);
}

/* ---- one Gaussian */

/* alpha and the pairs take in the step s and the difference z of gradients, if by these -log p curves upwards.     [programs 27] */
BLNI_PRIV void blni_path_learn(blni_pathfinder_work *w, size_t D, size_t memory, const double *s, const double *z)
{
    double c0 = 0.0, c1 = bln_dot(D, z, s), c2 = 0.0;
    if (!(c1 > BLNI_PATH_CURVED*bln_dot(D, z, z))) return;
    for (size_t i = 0; i < D; i++) { c0 += z[i]*w->alpha[i]*z[i]; c2 += s[i]/w->alpha[i]*s[i]; }
    for (size_t i = 0; i < D; i++) {
        const double a = w->alpha[i];
        w->alpha[i] = 1.0/(c0/(c1*a) + z[i]*z[i]/c1 - c0*s[i]*s[i]/(c1*c2*a*a));
    }
    if (w->m == memory) {
        memmove(w->S, w->S + D, (memory - 1)*D*sizeof *s);
        memmove(w->Z, w->Z + D, (memory - 1)*D*sizeof *z);
        w->m--;
    }
    memcpy(w->S + w->m*D, s, D*sizeof *s);
    memcpy(w->Z + w->m*D, z, D*sizeof *z);
    w->m++;
}

/* gamma of the pairs and alpha.                                                                                  [programs 28] */
BLNI_PRIV void blni_path_gamma(blni_pathfinder_work *w, size_t D)
{
    const size_t m = w->m, two = 2*m;
    bln_gemm(BLN_NOTRANS, BLN_TRANS, m, m, D, 1.0, w->S, D, w->Z, D, 0.0, w->R, m);
    for (size_t i = 0; i < m; i++) {
        memcpy(w->v, w->Z + i*D, D*sizeof *w->v);
        for (size_t j = 0; j < D; j++) w->v[j] *= w->alpha[j];
        bln_gemv(BLN_NOTRANS, m, D, 1.0, w->Z, D, w->v, 0.0, w->K + i*m);
        w->K[i*m + i] += w->R[i*m + i];
    }
    bln_trsm(BLN_TRANS, m, m, w->R, m, w->K, m);                 /* R^-T K, and again for its transpose */
    for (size_t i = 0; i < m; i++) for (size_t j = 0; j < m; j++) w->W[i*m + j] = w->K[j*m + i];
    bln_trsm(BLN_TRANS, m, m, w->R, m, w->W, m);
    bln_trtri(m, w->R, m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            const double r = j >= i ? w->R[i*m + j] : 0.0;
            w->gamma[i*two + j] = 0.0;
            w->gamma[i*two + m + j] = w->gamma[(m + j)*two + i] = -r;
            w->gamma[(m + i)*two + m + j] = 0.5*(w->W[i*m + j] + w->W[j*m + i]);
        }
}

/* root, Q, U and the determinant of p. 0: rounding has left nothing that is positive definite. */
BLNI_ONCE BLNI_PRIV int blni_path_covariance(blni_pathfinder_work *w, blni_path *p)
{
    const size_t D = p->D, m = w->m, two = 2*m, k = blni_min(D, two);
    p->k = k;
    p->half_logdet = 0.0;
    for (size_t i = 0; i < D; i++) {
        p->root[i] = sqrt(w->alpha[i]);
        p->half_logdet += log(p->root[i]);
    }
    if (m == 0) return 1;
    blni_path_gamma(w, D);
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < m; j++) {
            w->beta[i*two + j] = p->root[i]*w->Z[j*D + i];
            w->beta[i*two + m + j] = w->S[j*D + i]/p->root[i];
        }
    blni_geqrf(D, two, w->beta, two, w->tau, w->qr);
    memset(p->Q, 0, D*k*sizeof *p->Q);
    for (size_t i = 0; i < k; i++) p->Q[i*k + i] = 1.0;
    blni_ormqr(BLN_NOTRANS, D, k, k, w->beta, two, w->tau, p->Q, k, w->qr);
    for (size_t i = 0; i < k; i++) for (size_t j = 0; j < i; j++) w->beta[i*two + j] = 0.0;       /* C is left */
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, k, two, two, 1.0, w->beta, two, w->gamma, two, 0.0, w->B, two);
    bln_gemm(BLN_NOTRANS, BLN_TRANS, k, k, two, 1.0, w->B, two, w->beta, two, 0.0, p->U, k);
    for (size_t i = 0; i < k; i++) p->U[i*k + i] += 1.0;
    if (bln_potrf(k, p->U, k, NULL) != BLN_OK) return 0;
    p->half_logdet += 0.5*bln_logdet_factor(k, p->U, k);
    return blni_finite(p->half_logdet);
}

/* y <- U'y (factor 1), or U'U y (factor 2). */
BLNI_PRIV void blni_path_factor(const blni_path *p, int factor, double *y)
{
    const size_t k = p->k;
    for (size_t i = 0; i < k && factor == 2; i++) y[i] = bln_dot(k - i, p->U + i*k + i, y + i);
    for (size_t i = k; i-- > 0;) {
        double sum = 0.0;
        for (size_t j = 0; j <= i; j++) sum += p->U[j*k + i]*y[j];
        y[i] = sum;
    }
}

/* z <- centre + root o (u + Q (U' - I) Q'u), or with U'U for U'. */
BLNI_PRIV void blni_path_move(const blni_pathfinder_work *w, const blni_path *p, int factor, const double *centre, const double *u,
                              double *z)
{
    const size_t k = p->k;
    if (k) {
        bln_gemv(BLN_TRANS, p->D, k, 1.0, p->Q, k, u, 0.0, w->y);
        memcpy(w->t, w->y, k*sizeof *w->t);
        blni_path_factor(p, factor, w->t);
        bln_axpy(k, -1.0, w->y, w->t);
    }
    for (size_t i = 0; i < p->D; i++) z[i] = centre[i] + p->root[i]*(u[i] + bln_dot(k, p->Q + i*k, w->t));
}

BLNI_PRIV void blni_path_place(const blni_pathfinder_work *w, const blni_path *p, const double *u, double *z)
{
    blni_path_move(w, p, 1, p->mean, u, z);
}

BLNI_PRIV double blni_path_log(const blni_path *p, const double *u)
{
    return -0.5*(bln_dot(p->D, u, u) + (double)p->D*BLNI_LOG_2PI) - p->half_logdet;
}

/* The same of a point z: d = (z - mean)/root = u + Q (U' - I) Q'u, so that Q'u = U'^-1 Q'd and u'u = d'd - |Q'd|^2 + |Q'u|^2. */
BLNI_PRIV double blni_path_log_at(const blni_pathfinder_work *w, const blni_path *p, const double *z)
{
    const size_t k = p->k;
    double square = 0.0;
    for (size_t i = 0; i < p->D; i++) w->v[i] = (z[i] - p->mean[i])/p->root[i];
    square = bln_dot(p->D, w->v, w->v);
    if (k) {
        bln_gemv(BLN_TRANS, p->D, k, 1.0, p->Q, k, w->v, 0.0, w->y);
        square -= bln_dot(k, w->y, w->y);
        bln_trsv(BLN_TRANS, k, p->U, k, w->y);
        square += bln_dot(k, w->y, w->y);
    }
    return -0.5*(square + (double)p->D*BLNI_LOG_2PI) - p->half_logdet;
}

/* ---- one path */

BLNI_PRIV bln_status blni_pathfinder_objective(void *user, size_t n, const double *x, double *value, double *gradient,
                                               bln_report *report)
{
    bln_pathfinder *f = (bln_pathfinder *)user;
    blni_pathfinder_work *w = &f->w;
    if (w->lp != w->lp || memcmp(x, w->known, n*sizeof *x)) {    /* the gradient is asked for next, at the same place */
        const bln_status status = blni_approx_log_p(&f->desc.density, x, w->slope, &w->lp, report);
        f->result.evaluations++;
        if (status != BLN_OK) { w->lp = BLNI_NAN; return status; }
        memcpy(w->known, x, n*sizeof *x);
    }
    *value = -w->lp;
    for (size_t i = 0; i < n && gradient; i++) gradient[i] = -w->slope[i];
    return BLN_OK;
}

/* The Gaussian at the present point, and whether it is the best of the path. */
BLNI_PRIV bln_status blni_pathfinder_look(bln_pathfinder *f, size_t c, size_t l, bln_report *report)
{
    blni_pathfinder_work *w = &f->w;
    blni_path *p = &f->now;
    double sum = 0.0;
    if (!blni_path_covariance(w, p)) return BLN_OK;
    for (size_t i = 0; i < p->D; i++) w->u[i] = -p->root[i]*w->g[i];
    blni_path_move(w, p, 2, w->x, w->u, p->mean);
    bln_rng rng = blni_density_rng(f->desc.seed, BLNI_APPROX_NOISE, c, l);
    for (int s = 0; s < BLNI_PATH_DRAWS; s++) {
        double lp;
        for (size_t i = 0; i < p->D; i++) w->u[i] = bln_rng_normal(&rng);
        blni_path_place(w, p, w->u, w->v);
        const bln_status status = blni_approx_log_p(&f->desc.density, w->v, NULL, &lp, report);
        f->result.evaluations++;
        if (status != BLN_OK || !(lp > -HUGE_VAL)) return status;
        sum += lp - blni_path_log(p, w->u);
    }
    p->elbo = sum/(double)BLNI_PATH_DRAWS;
    if (p->elbo > f->path[c].elbo) {
        const blni_path best = *p;
        *p = f->path[c];
        f->path[c] = best;
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_pathfinder_walk(bln_pathfinder *f, size_t c, size_t *iterations, bln_report *report)
{
    blni_pathfinder_work *w = &f->w;
    const bln_pathfinder_desc *d = &f->desc;
    const size_t D = d->density.dim;
    bln_rng rng = blni_density_rng(d->seed, BLNI_APPROX_BEGIN, c, 0);
    w->m = 0;
    for (size_t i = 0; i < D; i++) w->alpha[i] = 1.0;
    BLNI_TRY(blni_density_begin(&d->density, d->start ? d->start + c % d->n_starts*D : NULL, d->radius, &rng, w->x, w->g, report));
    BLNI_TRY(blni_lbfgs_init(f->lbfgs, w->x, report));
    for (size_t l = 0;; l++) {
        const double *x = blni_lbfgs_x(f->lbfgs), *g = blni_lbfgs_gradient(f->lbfgs);
        if (l) {
            for (size_t i = 0; i < D; i++) { w->u[i] = x[i] - w->x[i]; w->v[i] = g[i] - w->g[i]; }
            blni_path_learn(w, D, d->memory, w->u, w->v);
        }
        memcpy(w->x, x, D*sizeof *x);
        memcpy(w->g, g, D*sizeof *g);
        BLNI_TRY(blni_pathfinder_look(f, c, l, report));
        if (blni_lbfgs_converged(f->lbfgs, NULL)) return BLN_OK;
        BLNI_TRY(blni_lbfgs_step(f->lbfgs, report));
        ++*iterations;
    }
}

/* ---- all of them */

/* Draw i of path c is one of the mixture of all paths: weighted by its own Gaussian alone, modes that other paths have found would
 * count as if they were not there.                                                                     [Owen & Zhou 2000] */
BLNI_PRIV void blni_pathfinder_draw(void *self, size_t c, size_t i, double *q, double *log_q)
{
    bln_pathfinder *f = (bln_pathfinder *)self;
    const blni_path *p = f->path + f->kept[c];
    const size_t paths = f->chains->chains;
    double top = -HUGE_VAL, sum = 0.0;
    bln_rng rng = blni_density_rng(f->desc.seed, BLNI_APPROX_DRAW, f->kept[c], i);
    for (size_t k = 0; k < p->D; k++) f->w.u[k] = bln_rng_normal(&rng);
    blni_path_place(&f->w, p, f->w.u, q);
    for (size_t k = 0; k < paths; k++) {
        const double l = blni_path_log_at(&f->w, f->path + f->kept[k], q);
        sum = l > top ? sum*exp(top - l) + 1.0 : sum + exp(l - top);
        if (l > top) top = l;
    }
    *log_q = top + log(sum/(double)paths);
}

BLNI_ONCE BLNI_PRIV bln_status blni_pathfinder_run(bln_pathfinder *f, bln_report *report)
{
    const bln_pathfinder_desc *d = &f->desc;
    bln_approximation *o = &f->result;
    size_t found = 0, best = 0, iterations = 0;
    bln_status status = BLN_OK;
    for (size_t c = 0; c < d->paths; c++) {
        bln_report_clear(report);
        status = blni_pathfinder_walk(f, c, &iterations, report);
        if (status != BLN_OK && status != BLN_ENUMERIC) {
            if (report) report->row = c;
            return status;
        }
        f->path_elbo[c] = f->path[c].elbo;
        if (!(f->path_elbo[c] > -HUGE_VAL)) continue;
        f->kept[found++] = c;
        if (f->path_elbo[c] > f->path_elbo[best]) best = c;
    }
    if (found == 0)
        return status == BLN_ENUMERIC ? status
             : blni_refuse(report, BLN_ENUMERIC, "pathfinder: no Gaussian has draws with a density that is > 0");
    bln_report_clear(report);
    BLNI_TRY(blni_approx_table(&d->density, &d->alloc, found, d->draws, &f->chains, report));
    BLNI_TRY(blni_approx_tabulate(&d->density, d->seed, blni_pathfinder_draw, f, f->chains, f->w.x, f->starts, f->weigh, NULL, o,
                                  report));
    const blni_path *p = f->path + best;
    for (size_t c = 0; c < d->paths; c++) o->apart += f->path_elbo[c] < f->path_elbo[best] - BLNI_PATH_APART;
    for (size_t i = 0; i < p->D; i++) {                          /* diagonal of root (I + Q (U'U - I) Q') root */
        const double *q = p->Q + i*p->k;
        double sum = 1.0 - bln_dot(p->k, q, q);
        for (size_t j = 0; j < p->k; j++) {
            const double r = bln_dot(p->k - j, p->U + j*p->k + j, q + j);
            sum += r*r;
        }
        f->scale[i] = p->root[i]*sqrt(sum);
        f->variance[i] = f->scale[i]*f->scale[i];
    }
    o->mean = p->mean;
    o->scale = f->scale;
    o->variance = f->variance;
    o->path_elbo = f->path_elbo;
    blni_approx_falls(&d->density, f->w.x, o);
    if (report) {
        report->iterations = iterations;
        report->evaluations = (size_t)o->evaluations;
        report->objective = f->path_elbo[best];
    }
    return BLN_OK;
}

BLN_API bln_status bln_pathfinder_fit(const bln_pathfinder_desc *desc, bln_pathfinder **out, bln_report *report)
{
    const char *why = bln_pathfinder_check(desc);
    blni_lbfgs_desc lbfgs = BLN_ZERO;
    BLNI_TRY(blni_begin(report, !why && out, why ? why : "pathfinder: out is NULL"));
    const bln_pathfinder_desc d = bln_pathfinder_defaults(desc);
    for (size_t c = 0; c < d.n_starts && d.start; c++)
        for (size_t i = 0; i < d.density.dim; i++)
            if (!blni_finite(d.start[c*d.density.dim + i]))
                return blni_fail(report, BLN_EINVAL, c, i, "pathfinder: a start is not finite");
    blni_arena a = blni_arena_over(NULL, 0);
    blni_pathfinder_carve(&a, &d);
    BLNI_TRY(blni_arena_take(&d.alloc, a.used, "pathfinder", &a, report));
    bln_pathfinder *f = blni_pathfinder_carve(&a, &d);
    f->block = a.base;
    f->bytes = a.size;
    lbfgs.n = d.density.dim;
    lbfgs.memory = d.memory;
    lbfgs.max_iterations = d.max_iterations;
    lbfgs.objective = blni_pathfinder_objective;
    lbfgs.user = f;
    lbfgs.alloc = d.alloc;
    bln_status status = blni_lbfgs_create(&lbfgs, &f->lbfgs, report);
    if (status == BLN_OK) status = blni_pathfinder_run(f, report);
    if (status == BLN_OK) *out = f;
    else bln_pathfinder_free(f);
    return status;
}

BLN_API const bln_approximation *bln_pathfinder_result(const bln_pathfinder *found) { return found ? &found->result : NULL; }

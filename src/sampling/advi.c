/* advi: the two optimisers of a Gaussian, and the result
 *
 * Both maximise the same ELBO over the same parameters. With fixed noise the objective is a function. Its value and gradient at a
 * point are computed together, since a line search nearly always needs both. A point at which some draw is impossible has the value
 * +infinity, from which the search steps back; stochastic steps skip such draws. */
#include "advi_private.h"
#include "../core/data_private.h"
#include "../core/status_private.h"
#include "../math/cholesky.h"
#include "../math/vecmath_private.h"

enum { BLNI_ADVI_FIXED_DIM = 1000, BLNI_ADVI_NOISE = 100, BLNI_ADVI_MOST = 6400, BLNI_ADVI_FRESH = 1000, BLNI_ADVI_CLIPPED = 100,
       BLNI_ADVI_NARROWER = 10 };
#define BLNI_ADVI_WIDEST    25.0        /* of log diag; e^25 of means and factors */
#define BLNI_ADVI_NARROWEST (-50.0)
#define BLNI_ADVI_FARTHEST  7e10

/* Coordinates that are points. */
BLNI_PRIV size_t blni_advi_points(const bln_density *d)
{
    size_t points = 0;
    for (size_t i = 0; i < d->dim && d->parts; i++) points += d->parts->point[i] != 0;
    return points;
}

BLNI_ONCE BLN_API bln_advi_desc bln_advi_defaults(const bln_advi_desc *desc)
{
    bln_advi_desc d = BLN_ZERO;
    if (desc) d = *desc;
    const size_t D = d.density.dim;
    const int noisy = d.density.parts && d.density.parts->noisy;
    const int all_points = D > 0 && blni_advi_points(&d.density) == D;
    if (d.family == BLN_ADVI_LOW_RANK && d.rank == 0) d.rank = blni_min(5, D);
    const int stochastic = D > BLNI_ADVI_FIXED_DIM || d.batch || noisy;
    if (d.method == BLN_ADVI_AUTO) d.method = stochastic ? BLN_ADVI_STOCHASTIC : BLN_ADVI_FIXED_NOISE;
    const int fixed = d.method == BLN_ADVI_FIXED_NOISE;
    if (d.noise == 0) d.noise = fixed ? blni_max(BLNI_ADVI_NOISE, d.family == BLN_ADVI_FULL ? blni_mul(4, D) : 0)
                               : all_points ? 1 : d.batch ? 2 : 10;
    if (d.max_iterations == 0) d.max_iterations = fixed ? 1000 : 10000;
    if (d.scale == 0.0) d.scale = exp(-1.0);
    if (d.draws == 0) d.draws = all_points ? 1 : fixed ? 4000 : 1000;
    if (d.block == 0) d.block = 50;
    return d;
}

BLN_API const char *bln_advi_check(const bln_advi_desc *desc)
{
    const bln_advi_desc d = bln_advi_defaults(desc);
    if (!desc) return "advi: no desc";
    const char *why = bln_density_reason(&desc->density);
    if (why) return why;
    if ((unsigned)d.family > (unsigned)BLN_ADVI_LOW_RANK) return "advi: unknown family";
    if (d.method != BLN_ADVI_FIXED_NOISE && d.method != BLN_ADVI_STOCHASTIC) return "advi: unknown method";
    if ((d.family == BLN_ADVI_LOW_RANK) != (d.rank > 0) || d.rank > d.density.dim)
        return "advi: rank is that of LOW_RANK, at most dim";
    if (d.noise % 2 && d.method == BLN_ADVI_FIXED_NOISE) return "advi: noise must be even";
    if (d.family != BLN_ADVI_MEAN_FIELD && blni_advi_points(&d.density)) return "advi: points are for MEAN_FIELD";
    if (d.batch && (d.method != BLN_ADVI_STOCHASTIC || !d.density.parts || !d.density.parts->n_rows))
        return "advi: batch is for STOCHASTIC steps and a program with data or source";
    if (d.method == BLN_ADVI_FIXED_NOISE && d.density.parts && d.density.parts->noisy)
        return "advi: the model has noise of its own (bln_c_noise), which FIXED_NOISE would learn by heart: take STOCHASTIC";
    if ((unsigned)d.steps > (unsigned)BLN_SGD_NESTEROV) return "advi: unknown steps";
    if (!(d.rate >= 0.0 && blni_finite(d.rate))) return "advi: rate must be > 0";
    if (!(d.scale > 0.0 && blni_finite(d.scale))) return "advi: scale must be > 0";
    if (!blni_allocator_ok(&d.alloc)) return "advi: half an allocator";
    return NULL;
}

/* ---- memory */

BLNI_ONCE BLNI_PRIV bln_advi *blni_advi_carve(blni_arena *a, const bln_advi_desc *d)
{
    bln_advi *self = (bln_advi *)blni_carve(a, 1, sizeof *self), v;
    const size_t D = d->density.dim;
    const int fixed = d->method == BLN_ADVI_FIXED_NOISE;
    memset(&v, 0, sizeof v);
    v.desc = *d;
    v.q.D = D;
    v.q.rank = d->rank;
    v.q.full = d->family == BLN_ADVI_FULL;
    v.q.points = blni_advi_points(&d->density);
    v.n = blni_q_parameters(D, v.q.points, d->rank, v.q.full);
    v.most = fixed ? blni_max(BLNI_ADVI_MOST, d->noise) : d->noise;
    blni_q_carve(a, &v.q);
    v.x = blni_carve_doubles(a, v.n);
    v.known = blni_carve_doubles(a, fixed ? v.n : 0);
    v.gradient = blni_carve_doubles(a, v.n);
    v.z = blni_carve_doubles(a, D);
    v.g = blni_carve_doubles(a, D);
    v.u = blni_carve_doubles(a, blni_q_noise(&v.q));
    v.pairs = blni_carve_doubles(a, fixed ? blni_mul(v.most/2, blni_q_noise(&v.q)) : 0);
    v.mean = blni_carve_doubles(a, D);
    v.scale = blni_carve_doubles(a, D);
    v.variance = blni_carve_doubles(a, D);
    v.factor = blni_carve_doubles(a, v.q.full ? blni_mul(D, D) : blni_mul(D, d->rank));
    v.scopes = (bln_scope_terms *)blni_carve(a, d->density.parts ? d->density.parts->n_terms : 0, sizeof *v.scopes);
    v.starts = blni_carve_doubles(a, blni_mul(BLNI_APPROX_STARTS, D));
    /* Also the Gram matrix of the noise, which is made before there are draws. */
    v.work = blni_carve_doubles(a, blni_max(blni_mul(BLNI_APPROX_WORK, d->draws),
                                            fixed ? blni_mul(blni_q_noise(&v.q), blni_q_noise(&v.q)) : 0));
    if (!self) return NULL;
    for (size_t i = 0, j = 0; i < D && v.q.points; i++) if (!d->density.parts->point[i]) v.q.wide[j++] = i;
    *self = v;
    return self;
}

BLNI_PRIV blni_lbfgs_desc blni_advi_lbfgs(const bln_advi_desc *d, void *self)
{
    blni_lbfgs_desc o = BLN_ZERO;
    o.n = blni_q_parameters(d->density.dim, blni_advi_points(&d->density), d->rank, d->family == BLN_ADVI_FULL);
    o.max_iterations = d->max_iterations;
    o.progress_tol = 1e-12;
    o.objective = blni_advi_objective;
    o.user = self;
    o.alloc = d->alloc;
    return o;
}

BLNI_PRIV blni_sgd_desc blni_advi_sgd(const bln_advi_desc *d)
{
    blni_sgd_desc o = BLN_ZERO;
    o.n = blni_q_parameters(d->density.dim, blni_advi_points(&d->density), d->rank, d->family == BLN_ADVI_FULL);
    if (d->batch) o.window = blni_max(100, d->density.parts->n_rows/d->batch + 1);
    o.method = d->steps;
    o.rate = d->rate;
    o.max_steps = d->max_iterations;
    o.alloc = d->alloc;
    return blni_sgd_defaults(&o);
}

BLN_API size_t bln_advi_size(const bln_advi_desc *desc)
{
    if (bln_advi_check(desc)) return (size_t)-1;
    const bln_advi_desc d = bln_advi_defaults(desc);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_advi_carve(&a, &d);
    if (a.used == (size_t)-1) return a.used;
    const blni_lbfgs_desc lbfgs = blni_advi_lbfgs(&d, NULL);
    const blni_sgd_desc sgd = blni_advi_sgd(&d);
    const size_t optimiser = d.method == BLN_ADVI_FIXED_NOISE ? blni_lbfgs_size(&lbfgs) : blni_sgd_size(&sgd);
    return blni_add(blni_add(a.used, optimiser), blni_approx_table_size(&d.density, 1, d.draws));
}

BLN_API void bln_advi_free(bln_advi *advi)
{
    if (!advi) return;
    const bln_allocator alloc = advi->desc.alloc;
    bln_chains_free(advi->chains);
    blni_lbfgs_free(advi->lbfgs);
    blni_sgd_free(advi->sgd);
    blni_release(&alloc, advi->block, advi->bytes);
}

/* The density adds up the minibatch of step t, with the noise of a draw 1, 2, ...; draw 0: all rows, as they are elsewhere. */
BLNI_PRIV bln_status blni_advi_rows(const bln_advi *v, uint64_t t, uint64_t draw, bln_report *report)
{
    const bln_density *d = &v->desc.density;
    return d->parts ? d->parts->batch(d->user, draw ? v->desc.batch : 0, t, draw, report) : BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_advi_create(const bln_advi_desc *desc, bln_advi **out, bln_report *report)
{
    const char *why = bln_advi_check(desc);
    BLNI_TRY(blni_begin(report, !why && out, why ? why : "advi: out is NULL"));
    const bln_advi_desc d = bln_advi_defaults(desc);
    for (size_t i = 0; i < d.density.dim && d.start; i++)
        if (!blni_finite(d.start[i])) return blni_fail(report, BLN_EINVAL, BLN_NONE, i, "advi: start is not finite");
    blni_arena a = blni_arena_over(NULL, 0);
    blni_advi_carve(&a, &d);
    BLNI_TRY(blni_arena_take(&d.alloc, a.used, "advi", &a, report));
    bln_advi *v = blni_advi_carve(&a, &d);
    v->block = a.base;
    v->bytes = a.size;
    const blni_lbfgs_desc lbfgs = blni_advi_lbfgs(&d, v);
    const blni_sgd_desc sgd = blni_advi_sgd(&d);
    bln_status status = d.method == BLN_ADVI_FIXED_NOISE ? blni_lbfgs_create(&lbfgs, &v->lbfgs, report)
                                                         : blni_sgd_create(&sgd, &v->sgd, report);
    if (status == BLN_OK) status = blni_approx_table(&d.density, &d.alloc, 1, d.draws, &v->chains, report);
    if (status == BLN_OK && d.batch) status = blni_advi_rows(v, 0, 1, report);      /* takes what it needs of memory */
    blni_advi_rows(v, 0, 0, NULL);
    if (status == BLN_OK) *out = v;
    else bln_advi_free(v);
    return status;
}

/* ---- fixed noise */

/* S/2 rows of normals, the other half being their negatives. Where there are enough of them their second moments are made exactly
 * those of the normal, so that E z'Az has no noise; else at least each coordinate has variance 1. */
BLNI_ONCE BLNI_PRIV void blni_advi_noise(bln_advi *v)
{
    const size_t m = blni_q_noise(&v->q), n = v->S/2;
    bln_rng rng = blni_density_rng(v->desc.seed, BLNI_APPROX_NOISE, 0, v->S);
    double *C = v->work;
    bln_rng_normals(&rng, n*m, v->pairs);
    if (n >= 2*m) {
        bln_syrk(BLN_TRANS, m, n, 1.0/(double)n, v->pairs, m, 0.0, C, m);
        /* 2 m normals for each of m coordinates are never dependent: the least eigenvalue of C is some (1 - 2^-1/2)^2. */
        if (BLNI_ALWAYS(bln_potrf(m, C, m, NULL) == BLN_OK))
            for (size_t i = 0; i < n; i++) bln_trsv(BLN_TRANS, m, C, m, v->pairs + i*m);
        return;
    }
    for (size_t k = 0; k < m; k++) {
        double square = 0.0;
        for (size_t i = 0; i < n; i++) square += v->pairs[i*m + k]*v->pairs[i*m + k];
        for (size_t i = 0; i < n; i++) v->pairs[i*m + k] /= sqrt(square/(double)n);
    }
}

/* -ELBO at x into v->value, its gradient into v->gradient. */
BLNI_PRIV bln_status blni_advi_mean(bln_advi *v, const double *x, bln_report *report)
{
    const size_t m = blni_q_noise(&v->q);
    const double share = 1.0/(double)v->S;
    double sum = 0.0;
    v->value = HUGE_VAL;
    if (!blni_q_set(&v->q, x)) return BLN_OK;
    memset(v->gradient, 0, v->n*sizeof *v->gradient);
    for (size_t s = 0; s < v->S; s++) {
        double lp;
        for (size_t k = 0; k < m; k++) v->u[k] = s % 2 ? -v->pairs[s/2*m + k] : v->pairs[s/2*m + k];
        blni_q_place(&v->q, v->u, v->z);
        v->evaluations++;
        BLNI_TRY(blni_approx_log_p(&v->desc.density, v->z, v->g, &lp, report));
        if (!(lp > -HUGE_VAL)) return BLN_OK;
        blni_q_pull(&v->q, v->u, v->g, -share, v->gradient);
        sum += lp;
    }
    blni_q_entropy(&v->q, -1.0, v->gradient);
    v->value = -(share*sum + v->q.half_logdet + 0.5*(double)blni_q_wide(&v->q)*(1.0 + BLNI_LOG_2PI));
    return BLN_OK;
}

/* What L-BFGS minimises: user is the bln_advi. */
BLNI_PRIV bln_status blni_advi_objective(void *user, size_t n, const double *x, double *value, double *gradient, bln_report *report)
{
    bln_advi *v = (bln_advi *)user;
    if (v->value != v->value || memcmp(x, v->known, n*sizeof *x)) {
        const bln_status status = blni_advi_mean(v, x, report);
        if (status != BLN_OK) { v->value = BLNI_NAN; return status; }
        memcpy(v->known, x, n*sizeof *x);
    }
    *value = v->value;
    if (gradient) memcpy(gradient, v->gradient, n*sizeof *gradient);
    return BLN_OK;
}

/* The search over S draws begins at x. Where it cannot, it is still to begin: `pending`. */
BLNI_PRIV bln_status blni_advi_at(bln_advi *v, size_t S, const double *x, bln_report *report)
{
    v->S = v->pending = S;
    v->value = BLNI_NAN;
    blni_advi_noise(v);
    BLNI_TRY(blni_lbfgs_init(v->lbfgs, x, report));
    v->pending = 0;
    v->elbo = -blni_lbfgs_value(v->lbfgs);
    return BLN_OK;
}

/* Do the draws that q was fitted to flatter it [programs 30]? Yes if a fresh one is impossible, for then the ELBO is -infinity. */
BLNI_PRIV bln_status blni_advi_flattered(bln_advi *v, int *yes, bln_report *report)
{
    blni_running r = BLN_ZERO;
    for (size_t i = 0; i < BLNI_ADVI_FRESH; i++) {
        double lp;
        bln_rng rng = blni_density_rng(v->desc.seed, BLNI_APPROX_FRESH, v->S, i);
        bln_rng_normals(&rng, blni_q_noise(&v->q), v->u);
        blni_q_place(&v->q, v->u, v->z);
        const bln_status status = blni_approx_log_p(&v->desc.density, v->z, NULL, &lp, report);
        v->evaluations++;
        *yes = 1;
        if (status != BLN_OK || !(lp > -HUGE_VAL)) return status;
        blni_running_add(&r, 1.0, lp - blni_q_log(&v->q, v->u));
    }
    const double bound = 0.02*sqrt((double)blni_q_wide(&v->q)) + 2.0*sqrt(r.scatter)/r.weight;
    *yes = !(fabs(v->elbo - r.mean) <= bound);
    return BLN_OK;
}

/* One iteration, or on to more draws, or the end. */
BLNI_PRIV bln_status blni_advi_search(bln_advi *v, bln_report *report)
{
    bln_status status;
    int flattered;
    if (!v->pending && !blni_lbfgs_converged(v->lbfgs, &v->stop)) {
        bln_report local;
        bln_report_clear(&local);
        status = blni_lbfgs_step(v->lbfgs, &local);
        if (status != BLN_OK) { if (report) *report = local; return status; }
        v->iterations = v->finished + local.iterations;
        v->elbo = -blni_lbfgs_value(v->lbfgs);
        memcpy(v->x, blni_lbfgs_x(v->lbfgs), v->n*sizeof *v->x);
        return BLN_OK;
    }
    if (!v->pending) {
        blni_q_set(&v->q, v->x);
        flattered = 0;
        if (blni_q_noise(&v->q)) BLNI_TRY(blni_advi_flattered(v, &flattered, report));
        if (!flattered) { v->done = 1; return BLN_OK; }
        if (v->S > v->most/4) { v->done = 1; v->stop = BLN_STOP_LIMIT; return BLN_OK; }
        v->finished = v->iterations;
    }
    status = blni_advi_at(v, v->pending ? v->pending : 4*v->S, v->x, report);
    if (status != BLN_ENUMERIC) return status;
    v->done = 1;                                                 /* one of the new draws is impossible: q stays */
    v->stop = BLN_STOP_LIMIT;
    bln_report_clear(report);
    return BLN_OK;
}

/* ---- stochastic */

/* -ELBO's gradient into v->gradient from the draws of step t, *bound <- the ELBO; NaN: all impossible.          [programs 31]
 *
 * Where p is flat a draw pushes q outwards by its distance from the mean. An impossible draw pulls it in by as much: at the edges
 * of a density q comes to rest where some of its draws are beyond them, which their weights of 0 mend; passed over, they would let
 * it grow for ever. */
BLNI_PRIV bln_status blni_advi_draws(bln_advi *v, size_t t, double *bound, bln_report *report)
{
    bln_rng rng = blni_density_rng(v->desc.seed, BLNI_APPROX_STEP, 0, t);
    const size_t m = blni_q_noise(&v->q);
    double good = 0.0, sum = 0.0;
    memset(v->gradient, 0, v->n*sizeof *v->gradient);
    for (size_t s = 0; s < v->S; s++) {
        double lp, share = -1.0/(double)v->S;
        for (size_t k = 0; k < m; k++) v->u[k] = s % 2 ? -v->u[k] : bln_rng_normal(&rng);
        blni_q_place(&v->q, v->u, v->z);
        v->evaluations++;
        BLNI_TRY(blni_advi_rows(v, t, 1 + (uint64_t)t*v->S + s, report));
        BLNI_TRY(blni_approx_log_p(&v->desc.density, v->z, v->g, &lp, report));
        if (lp > -HUGE_VAL) {
            good += 1.0;
            sum += lp - blni_q_log(&v->q, v->u);
        } else {
            share = -share;
            memset(v->g, 0, v->q.D*sizeof *v->g);
        }
        blni_q_precision(&v->q, v->u, v->g);
        blni_q_pull(&v->q, v->u, v->g, share, v->gradient);
    }
    *bound = good > 0.0 ? sum/good : BLNI_NAN;
    if (!(good > 0.0)) v->gradient[0] = BLNI_NAN;                /* which is no step */
    return BLN_OK;
}

BLNI_PRIV bln_status blni_advi_walk(bln_advi *v, bln_report *report)
{
    const double *x = blni_sgd_x(v->sgd);
    bln_report local;
    double bound = BLNI_NAN;
    v->done = blni_sgd_converged(v->sgd, &v->stop);
    if (!v->done && v->passed_over >= v->desc.max_iterations) {
        v->done = 1;
        v->stop = BLN_STOP_LIMIT;
    }
    if (v->done) return BLN_OK;
    if (blni_q_set(&v->q, x)) BLNI_TRY(blni_advi_draws(v, v->iterations, &bound, report));
    else for (size_t i = 0; i < v->n; i++) v->gradient[i] = BLNI_NAN;
    if (v->iterations < BLNI_ADVI_CLIPPED) {             /* [programs 19] */
        const double norm = sqrt(bln_dot(v->n, v->gradient, v->gradient)), longest = 1e3*sqrt((double)v->q.D);
        if (norm > longest && blni_finite(norm)) bln_scal(v->n, longest/norm, v->gradient);
    }
    v->passed_over += !(bound == bound);
    bln_report_clear(&local);
    const bln_status status = blni_sgd_step(v->sgd, v->gradient, -bound, &local);
    if (status != BLN_OK)
        return blni_refuse(report, status, "advi: 100 steps in a row were none: all draws impossible, or infinite slopes");
    x = blni_sgd_x(v->sgd);
    v->iterations++;
    v->elbo = -local.objective;
    if (blni_sgd_rate(v->sgd) < v->rate) {
        const double w = 1.0/(double)++v->averaged;
        for (size_t i = 0; i < v->n; i++) v->x[i] += w*(x[i] - v->x[i]);
    } else memcpy(v->x, x, v->n*sizeof *x);
    return BLN_OK;
}

/* ---- the result */

BLNI_PRIV void blni_advi_draw(void *self, size_t c, size_t i, double *q, double *log_q)
{
    bln_advi *v = (bln_advi *)self;
    bln_rng rng = blni_density_rng(v->desc.seed, BLNI_APPROX_DRAW, c, i);
    bln_rng_normals(&rng, blni_q_noise(&v->q), v->u);
    blni_q_place(&v->q, v->u, q);
    *log_q = blni_q_log(&v->q, v->u);
}

/* Entropies and divergences of scopes, of which tabulate has found the mean log densities. Log diagonals of L are entropies of
 * coordinates given those before.                                                                              [programs 32] */
BLNI_PRIV void blni_advi_scopes(bln_advi *v)
{
    const blni_density_parts *parts = v->desc.density.parts;
    const double constant = 0.5*(1.0 + BLNI_LOG_2PI);
    for (size_t j = 0; j < blni_q_wide(&v->q) && !v->q.rank; j++)
        v->scopes[parts->scope[blni_q_at(&v->q, j)]].entropy += v->x[v->q.D + j] + constant;
    if (v->q.rank) v->scopes[1].entropy = v->q.half_logdet + (double)v->q.D*constant;
    for (size_t k = 0; k < parts->n_terms; k++) v->scopes[k].kl = -(v->scopes[k].log_p + v->scopes[k].entropy);
    v->result.scopes = v->scopes;
}

BLNI_ONCE BLNI_PRIV bln_status blni_advi_end(bln_advi *v, bln_report *report)
{
    const size_t D = v->q.D, r = v->q.rank;
    const blni_density_parts *parts = v->desc.density.parts;
    bln_approximation *o = &v->result;
    memset(o, 0, sizeof *o);
    if (parts) memset(v->scopes, 0, parts->n_terms*sizeof *v->scopes);
    if (!blni_q_set(&v->q, v->x)) return blni_refuse(report, BLN_EUNDEFINED, "advi: the approximation has left the numbers");
    BLNI_TRY(blni_approx_tabulate(&v->desc.density, v->desc.seed, blni_advi_draw, v, v->chains, v->z, v->starts, v->work,
                                  parts ? v->scopes : NULL, o, report));
    memset(v->variance, 0, D*sizeof *v->variance);
    for (size_t j = 0; j < blni_q_wide(&v->q); j++) {
        const size_t i = blni_q_at(&v->q, j);
        const double *row = v->x + 2*D + (v->q.full ? i*(i - (i > 0))/2 : i*r);
        v->variance[i] = v->q.diag[j]*v->q.diag[j] + bln_dot(v->q.full ? i : r, row, row);
        if (r) memcpy(v->factor + i*r, row, r*sizeof *row);
        for (size_t k = 0; k < D && v->q.full; k++) v->factor[k*D + i] = k < i ? row[k] : k == i ? v->q.diag[i] : 0.0;
    }
    for (size_t i = 0; i < D; i++) v->scale[i] = sqrt(v->variance[i]);
    memcpy(v->mean, v->x, D*sizeof *v->x);
    if (parts) blni_advi_scopes(v);
    o->mean = v->mean;
    o->scale = v->scale;
    o->variance = v->variance;
    if (r || v->q.full) o->factor = v->factor;
    if (r) o->diagonal = v->q.diag;
    o->evaluations += v->evaluations;
    blni_approx_falls(&v->desc.density, v->z, o);
    return BLN_OK;
}

/* ---- life */

BLN_API bln_status bln_advi_init(bln_advi *advi, bln_report *report)
{
    BLNI_TRY(blni_begin(report, advi != NULL, "advi: NULL"));
    bln_advi *v = advi;
    const bln_density *d = &v->desc.density;
    const size_t D = d->dim, W = blni_q_wide(&v->q), m = v->n - D - W;
    const int fixed = v->lbfgs != NULL;
    double *rest = v->x + D + W;
    bln_rng rng = blni_density_rng(v->desc.seed, BLNI_APPROX_BEGIN, 0, 0);
    memset(&v->result, 0, sizeof v->result);
    v->chains->draws = 0;
    v->started = v->done = 0;
    bln_status status = blni_advi_rows(v, 0, 0, report);
    if (status != BLN_OK) return status;
    v->iterations = v->finished = v->averaged = v->passed_over = v->pending = 0;
    v->evaluations = 0;
    v->elbo = BLNI_NAN;
    v->stop = BLN_STOP_NONE;
    v->S = v->desc.noise;
    memset(v->x, 0, v->n*sizeof *v->x);
    status = blni_density_begin(d, v->desc.start ? v->desc.start : v->x, 0.0, &rng, v->x, v->g, report);
    if (status == BLN_ENUMERIC && !v->desc.start) status = blni_density_begin(d, NULL, 2.0, &rng, v->x, v->g, report);
    if (status != BLN_OK) return status;
    bln_report_clear(report);
    for (size_t i = 0; i < W; i++) v->x[D + i] = log(v->desc.scale);
    /* At B = 0 the ELBO has no slope in B. */
    if (v->q.rank) bln_rng_normals(&rng, m, rest);
    bln_scal(v->q.rank ? m : 0, 0.1*v->desc.scale, rest);
    if (!fixed) status = blni_sgd_init(v->sgd, v->x, report);
    v->rate = fixed ? 0.0 : blni_sgd_rate(v->sgd);
    for (int k = 0; fixed && k < BLNI_ADVI_NARROWER; k++) {
        status = blni_advi_at(v, v->desc.noise, v->x, report);
        if (status != BLN_ENUMERIC) break;
        for (size_t i = 0; i < W; i++) v->x[D + i] -= 1.0;
        bln_scal(v->q.rank ? m : 0, exp(-1.0), rest);
    }
    if (fixed && status == BLN_ENUMERIC)
        blni_refuse(report, status, "advi: draws around the start are impossible, even of 1/8000 of scale: start elsewhere, or use "
                                    "free coordinates, such as the log of what is > 0");
    v->started = status == BLN_OK;
    return status;
}

/* What no number of iterations would mend. */
BLNI_PRIV bln_status blni_advi_hopeless(const bln_advi *v, bln_report *report)
{
    const size_t D = v->q.D, W = blni_q_wide(&v->q);
    double widest = blni_max_abs(v->n - D - W, v->x + D + W);
    const double away = blni_max_abs(D, v->x);
    if (away > BLNI_ADVI_FARTHEST*BLNI_ADVI_FARTHEST) widest = HUGE_VAL;
    for (size_t i = 0; i < W; i++) {
        if (v->x[D + i] > BLNI_ADVI_WIDEST) widest = HUGE_VAL;
        if (v->x[D + i] < BLNI_ADVI_NARROWEST && v->q.rank == 0)
            return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, blni_q_at(&v->q, i),
                             "advi: a coordinate shrinks to a point: the density has an infinite peak, or a scale below 1e-21");
    }
    return widest <= BLNI_ADVI_FARTHEST ? BLN_OK
         : blni_refuse(report, BLN_EUNDEFINED, "advi: the approximation grows without bound: the density has no integral, as where "
                                               "a prior is improper, or a scale is above 1e10");
}

/* Has a monitor changed the powers since the last step? Then the ELBO is another function, and what was seen of the one before
 * says nothing of progress. */
BLNI_PRIV int blni_advi_changed(bln_advi *v)
{
    const blni_density_parts *parts = v->desc.density.parts;
    int changed = 0;
    for (size_t k = 0; parts && parts->power && k + 1 < parts->n_terms; k++) {
        changed |= v->iterations && parts->power[k] != v->power[k];
        v->power[k] = parts->power[k];
    }
    return changed;
}

BLN_API bln_status bln_advi_step(bln_advi *advi, bln_report *report)
{
    bln_status status = BLN_OK;
    BLNI_TRY(blni_begin(report, advi != NULL, "advi: NULL"));
    if (!advi->started) return blni_refuse(report, BLN_ESTATE, "advi: step without init");
    if (blni_advi_changed(advi)) {
        if (advi->lbfgs) return blni_refuse(report, BLN_ESTATE, "advi: powers that change are for STOCHASTIC steps");
        blni_sgd_afresh(advi->sgd);
    }
    for (size_t k = 0; k < advi->desc.block && status == BLN_OK && !advi->done; k++) {
        status = advi->lbfgs ? blni_advi_search(advi, report) : blni_advi_walk(advi, report);
        if (status == BLN_OK) status = blni_advi_hopeless(advi, report);
    }
    blni_advi_rows(advi, 0, 0, NULL);
    if (status == BLN_OK) bln_report_clear(report);
    if (status == BLN_OK && advi->done && !advi->result.draws) status = blni_advi_end(advi, report);
    if (report) {
        report->iterations = advi->iterations;
        report->evaluations = (size_t)(advi->result.draws ? advi->result.evaluations : advi->evaluations);
        report->objective = advi->elbo;
        report->stop = advi->done ? advi->stop : BLN_STOP_NONE;
    }
    return status;
}

BLN_API int bln_advi_converged(const bln_advi *advi) { return !advi || !advi->started || advi->result.draws; }

BLN_API bln_status bln_advi_run(bln_advi *advi, bln_report *report)
{
    bln_status status = bln_advi_init(advi, report);
    while (status == BLN_OK && !bln_advi_converged(advi)) {
        status = bln_advi_step(advi, report);
        if (status != BLN_OK || advi->done || !advi->desc.monitor) continue;
        const bln_advi_progress p = { advi->iterations, advi->S, advi->elbo, advi->evaluations, advi->x };
        status = advi->desc.monitor(advi->desc.monitor_user, &p);
        if (status == BLN_ESTOPPED) {
            advi->done = 1;
            advi->stop = BLN_STOP_MONITOR;
            status = bln_advi_step(advi, report);
        } else if (status != BLN_OK) blni_refuse(report, status, "advi: the monitor returned an error");
    }
    return status;
}

BLN_API const bln_approximation *bln_advi_result(const bln_advi *advi) { return advi && advi->result.draws ? &advi->result : NULL; }

BLN_API bln_status bln_advi_fit(const bln_advi_desc *desc, bln_advi **out, bln_report *report)
{
    bln_advi *advi = NULL;
    BLNI_TRY(blni_begin(report, out != NULL, "advi: out is NULL"));
    bln_status status = bln_advi_create(desc, &advi, report);
    if (status == BLN_OK) status = bln_advi_run(advi, report);
    if (status == BLN_OK) *out = advi;
    else bln_advi_free(advi);
    return status;
}

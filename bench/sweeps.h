/* sweeps.h - sweeps of the method `cavi` one by one, and how fast they converge          [augmentation 33]
 *
 * After bayeslin.h and table.h. A sweep takes q = N(m, C), with the natural parameters C^-1 = Lambda^-1 + A and b = C^-1 m, to
 * (T, t). sweeps_open: a fit that has its rows and its first point, and no step. */
#ifndef BENCH_SWEEPS_H
#define BENCH_SWEEPS_H

/* Held hyper-parameters and the bound of the sweeps; *glm is to be freed. */
static blni_full *sweeps_open(const bln_glm_desc *desc, const bln_data *data, bln_glm_cavi_sweeps sweeps, bln_glm **glm)
{
    static bln_glm_cavi_desc own[2];                              /* the method points to it */
    bln_glm_desc d = *desc;
    bln_report report;
    own[sweeps].bound = BLN_CAVI_COLLAPSED;
    own[sweeps].sweeps = sweeps;
    d.method = bln_glm_cavi(&own[sweeps]);
    must(bln_glm_create(&d, glm, &report), &report);
    must(bln_glm_init(*glm, data, &report), &report);
    return (blni_full *)(*glm)->fit->state;
}

static void sweep(blni_full *q, const bln_glm *glm)
{
    bln_report report;
    must(blni_full_next(q, &glm->fit->hyper, &report), &report);
}

static void sweep_to_the_end(blni_full *q, const bln_glm *glm) { while (blni_full_more(q)) sweep(q, glm); }

/* The end of the sweeps, x = (A, b) with both triangles of A, its m, its bound, and the factor U'U of its C^-1. Each latent has an
 * A, m and U of its own: a part. n: the numbers of x. */
typedef struct fixed_point { size_t D, size, n, parts; blni_mode_part part[BLN_LATENTS]; double *x, *m, *U, bound; } fixed_point;

static void symmetrise(const fixed_point *f, double *A)
{
    for (size_t p = 0; p < f->parts; p++) bln_symmetrise(f->part[p].D, A + f->part[p].at, f->part[p].D);
}

static void fixed_point_of(const blni_full *q, fixed_point *f)
{
    size_t bad;
    f->D = q->e.D;
    f->size = q->e.size;
    f->n = f->size + f->D;
    f->parts = q->e.parts;
    f->x = (double *)malloc((2*f->size + 2*f->D)*sizeof *f->x);
    f->m = f->x + f->n;
    f->U = f->m + f->D;
    for (size_t p = 0; p < f->parts; p++) f->part[p] = blni_mode_part_of(&q->e, p);
    memcpy(f->x, q->A, f->size*sizeof *f->x);
    symmetrise(f, f->x);
    memcpy(f->x + f->size, q->b, f->D*sizeof *f->x);
    memcpy(f->m, q->e.w, f->D*sizeof *f->m);
    memcpy(f->U, f->x, f->size*sizeof *f->U);
    for (size_t p = 0; p < f->parts; p++) {
        const blni_mode_part *part = f->part + p;
        double *U = f->U + part->at;
        for (size_t i = 0; i < part->D; i++) U[i*part->D + i] += q->e.precision[part->first + i];
        if (bln_potrf(part->D, U, part->D, &bad) != BLN_OK) { puts("no covariance"); exit(1); }
    }
    f->bound = q->bound;
}

static void fixed_point_free(fixed_point *f) { free(f->x); }

/* A change u of (A, b) as p and M/sqrt 2 of [variational 55], whose squares sum to twice the divergence of what is changed. */
static void whiten(const fixed_point *f, const double *u, double *out)
{
    memcpy(out, u, f->n*sizeof *out);
    for (size_t k = 0; k < f->parts; k++) {
        const size_t D = f->part[k].D, at = f->part[k].at;
        const double *U = f->U + at;
        double *A = out + at, *p = out + f->size + f->part[k].first;
        bln_gemv(BLN_NOTRANS, D, D, -1.0, u + at, D, f->m + f->part[k].first, 1.0, p);
        bln_trsv(BLN_TRANS, D, U, D, p);
        for (int side = 0; side < 2; side++) {                    /* U^-T A, and then U^-T (U^-T A)' */
            bln_trsm(BLN_TRANS, D, D, U, D, A, D);
            for (size_t i = 0; i < D; i++)
                for (size_t j = 0; j < i; j++) {
                    const double swap = A[i*D + j];
                    A[i*D + j] = A[j*D + i];
                    A[j*D + i] = swap;
                }
        }
    }
    bln_scal(f->size, sqrt(0.5), out);
}

/* The point (A, b) = x becomes a trial of q: its bound, and where the sweep goes from there. */
static double try_point(blni_full *q, const bln_glm *glm, const fixed_point *f, const double *x)
{
    bln_report report;
    memcpy(q->A, x, f->size*sizeof *x);
    memcpy(q->b, x + f->size, f->D*sizeof *x);
    must(blni_full_try(q, &glm->fit->hyper, 1.0, NULL, 0, &report), &report);
    symmetrise(f, q->next);
    return q->trial_bound;
}

/* As that, at the end + e u. room: n numbers, which become this point. */
static double try_at(blni_full *q, const bln_glm *glm, const fixed_point *f, double e, const double *u, double *room)
{
    for (size_t i = 0; i < f->n; i++) room[i] = f->x[i] + e*u[i];
    return try_point(q, glm, f, room);
}

/* TOGETHER: the sweep, which moves all latents at the same moments. IN_TURN: one latent after the other. ALONE + k: latent k, the
 * others held at the end. */
enum { TOGETHER, IN_TURN, ALONE };

static void take_part(const blni_full *q, const fixed_point *f, size_t k, double *to)
{
    const blni_mode_part *part = f->part + k;
    memcpy(to + part->at, q->next + part->at, part->D*part->D*sizeof *to);
    memcpy(to + f->size + part->first, q->next_t + part->first, part->D*sizeof *to);
}

/* to += c times what the sweep makes of the end + e u. room: n numbers. */
static void sweep_from(blni_full *q, const bln_glm *glm, const fixed_point *f, size_t way, double e, const double *u, double c,
                       double *to, double *room)
{
    try_at(q, glm, f, e, u, room);
    if (way >= ALONE) memcpy(room, f->x, f->n*sizeof *room);
    for (size_t k = 0; k < f->parts; k++) {
        if (way >= ALONE && k != way - ALONE) continue;
        if (way == IN_TURN && k) try_point(q, glm, f, room);
        take_part(q, f, k, room);
    }
    bln_axpy(f->n, c, room, to);
}

/* Where power iteration starts. */
static void first_direction(const fixed_point *f, size_t way, double *u)
{
    for (size_t i = 0; i < f->n; i++) u[i] = 0.0;
    for (size_t k = 0; k < f->parts; k++) {
        const size_t D = f->part[k].D, at = f->part[k].at, first = f->size + f->part[k].first;
        if (way >= ALONE && k != way - ALONE) continue;
        for (size_t i = 0; i < D*D; i++) u[at + i] = f->x[at + i]*(1.0 + 0.5*cos((double)(i/D + i % D)));
        for (size_t i = 0; i < D; i++) u[first + i] = f->x[first + i]*(1.0 + 0.5*cos((double)(D*D + i)));
    }
}

/* The eigenvalue farthest from `from` of a sweep's derivative J, by power iteration: x + e u goes to x + e (J - from) u. From 0
 * that is the spectral radius, and from there the least eigenvalue. All are real: J is symmetric in this metric, or, in turn,
 * similar to a symmetric matrix. u: n numbers, out: the direction, of length 1. */
static double eigenvalue(blni_full *q, const bln_glm *glm, const fixed_point *f, size_t way, double from, double *u)
{
    const size_t n = f->n;
    const double e = 1e-4;
    double *to = (double *)malloc(4*n*sizeof *to), *w = to + n, *w_to = w + n, *room = w_to + n, rho = 0.0, before = -1.0;
    first_direction(f, way, u);
    for (int k = 0; k < 20000 && fabs(rho - before) > 1e-9; k++) {
        whiten(f, u, w);
        bln_scal(n, 1.0/sqrt(bln_dot(n, w, w)), u);
        for (size_t i = 0; i < n; i++) to[i] = -from*u[i];
        for (int side = 1; side >= -1; side -= 2) sweep_from(q, glm, f, way, side*e, u, side/(2.0*e), to, room);
        whiten(f, u, w);
        whiten(f, to, w_to);
        before = rho;
        rho = bln_dot(n, w, w_to);
        if (sqrt(bln_dot(n, w_to, w_to)) < 1e-7) { rho = 0.0; break; }       /* a sweep that forgets where it began */
        memcpy(u, to, n*sizeof *u);
    }
    whiten(f, u, w);
    bln_scal(n, 1.0/sqrt(bln_dot(n, w, w)), u);
    free(to);
    return from + rho;
}

static double radius(blni_full *q, const bln_glm *glm, const fixed_point *f, double *u)
{
    return eigenvalue(q, glm, f, TOGETHER, 0.0, u);
}

/* The bound at the start and after each sweep, the passes over the rows until then, and how far m is from its end in standard
 * deviations of q. */
enum { SWEEPS = 20001 };
typedef struct trace { size_t steps, passes[SWEEPS]; double bound[SWEEPS], off[SWEEPS]; } trace;

static double distance(const blni_full *q, const fixed_point *f)
{
    double square = 0.0;
    for (size_t k = 0; k < f->parts; k++) {
        const size_t D = f->part[k].D, first = f->part[k].first;
        for (size_t i = 0; i < D; i++) {
            const double *U = f->U + f->part[k].at + i*D;
            double sum = 0.0;
            for (size_t j = i; j < D; j++) sum += U[j]*(q->e.w[first + j] - f->m[first + j]);
            square += sum*sum;
        }
    }
    return sqrt(square);
}

static void sweeps_follow(blni_full *q, const bln_glm *glm, const fixed_point *f, trace *t)
{
    for (t->steps = 0; t->steps < SWEEPS; t->steps++) {
        t->passes[t->steps] = q->passes;
        t->bound[t->steps] = q->bound;
        t->off[t->steps] = distance(q, f);
        if (!blni_full_more(q)) { t->steps++; return; }
        sweep(q, glm);
    }
}

/* Sweeps that were taken until the bound is within `gap` nats of its greatest, and the passes until then; 0: never. */
static size_t sweeps_to(const trace *t, double greatest, double gap)
{
    for (size_t i = 0; i < t->steps; i++) if (greatest - t->bound[i] <= gap) return i;
    return 0;
}

static size_t passes_to(const trace *t, double greatest, double gap)
{
    const size_t i = sweeps_to(t, greatest, gap);
    return i || greatest - t->bound[0] <= gap ? t->passes[i] : 0;
}

/* By what the gap of the bound falls in a sweep while it is within these limits, and by what m's distance does in the same sweeps;
 * NaN where there are not two of them. */
static void rates(const trace *t, double greatest, double from, double to, double *of_bound, double *of_m)
{
    size_t first = 0, last = 0, n = 0;
    for (size_t i = 0; i < t->steps; i++) {
        const double gap = greatest - t->bound[i];
        if (gap > from || gap < to) continue;
        if (!n++) first = i;
        last = i;
    }
    const double part = n > 1 ? 1.0/(double)(last - first) : NAN;
    *of_bound = pow((greatest - t->bound[last])/(greatest - t->bound[first]), part);
    *of_m = pow(t->off[last]/t->off[first], part);
}

#endif

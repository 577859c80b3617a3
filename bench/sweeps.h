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

/* The end of the sweeps, x = (A, b) with both triangles of A, its m, its bound, and the factor U'U of its C^-1. */
typedef struct fixed_point { size_t D; double *x, *m, *U, bound; } fixed_point;

static void fixed_point_of(const blni_full *q, fixed_point *f)
{
    const size_t D = f->D = q->e.D;
    size_t bad;
    f->x = (double *)malloc((2*D*D + 2*D)*sizeof *f->x);
    f->m = f->x + D*D + D;
    f->U = f->m + D;
    memcpy(f->x, q->A, D*D*sizeof *f->x);
    bln_symmetrise(D, f->x, D);
    memcpy(f->x + D*D, q->b, D*sizeof *f->x);
    memcpy(f->m, q->e.w, D*sizeof *f->m);
    memcpy(f->U, f->x, D*D*sizeof *f->U);
    for (size_t i = 0; i < D; i++) f->U[i*D + i] += q->e.precision[i];
    if (bln_potrf(D, f->U, D, &bad) != BLN_OK) { puts("no covariance"); exit(1); }
    f->bound = q->bound;
}

static void fixed_point_free(fixed_point *f) { free(f->x); }

/* A change u of (A, b) as p and M/sqrt 2 of [variational 55], whose squares sum to twice the divergence of what is changed. */
static void whiten(const fixed_point *f, const double *u, double *out)
{
    const size_t D = f->D;
    double *p = out + D*D;
    memcpy(out, u, (D*D + D)*sizeof *out);
    bln_gemv(BLN_NOTRANS, D, D, -1.0, u, D, f->m, 1.0, p);
    bln_trsv(BLN_TRANS, D, f->U, D, p);
    for (int side = 0; side < 2; side++) {                        /* U^-T A, and then U^-T (U^-T A)' */
        bln_trsm(BLN_TRANS, D, D, f->U, D, out, D);
        for (size_t i = 0; i < D; i++)
            for (size_t j = 0; j < i; j++) {
                const double swap = out[i*D + j];
                out[i*D + j] = out[j*D + i];
                out[j*D + i] = swap;
            }
    }
    bln_scal(D*D, sqrt(0.5), out);
}

/* The point x + e u becomes a trial of q: its bound, and where the sweep goes from there. */
static double try_at(blni_full *q, const bln_glm *glm, const fixed_point *f, double e, const double *u)
{
    const size_t D = f->D;
    bln_report report;
    for (size_t i = 0; i < D*D; i++) q->A[i] = f->x[i] + e*u[i];
    for (size_t i = 0; i < D; i++) q->b[i] = f->x[D*D + i] + e*u[D*D + i];
    must(blni_full_try(q, &glm->fit->hyper, 1.0, NULL, 0, &report), &report);
    return q->trial_bound;
}

/* The spectral radius of a sweep's derivative J, whose eigenvalues are real in this metric, by power iteration: x + e u goes to
 * x + e J u. u: D^2 + D numbers, out: the direction, of length 1. */
static double radius(blni_full *q, const bln_glm *glm, const fixed_point *f, double *u)
{
    const size_t D = f->D, n = D*D + D;
    const double e = 1e-4;
    double *to = (double *)malloc(3*n*sizeof *to), *w = to + n, *w_to = w + n, rho = 0.0, before = -1.0;
    for (size_t i = 0; i < n; i++) u[i] = f->x[i]*(1.0 + 0.5*cos((double)(i < D*D ? i/D + i % D : i)));
    for (int k = 0; k < 20000 && fabs(rho - before) > 1e-9; k++) {
        whiten(f, u, w);
        bln_scal(n, 1.0/sqrt(bln_dot(n, w, w)), u);
        for (size_t i = 0; i < n; i++) to[i] = 0.0;
        for (int side = 1; side >= -1; side -= 2) {
            try_at(q, glm, f, side*e, u);
            bln_symmetrise(D, q->next, D);
            bln_axpy(D*D, side/(2.0*e), q->next, to);
            bln_axpy(D, side/(2.0*e), q->next_t, to + D*D);
        }
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
    return rho;
}

/* The bound at the start and after each sweep, the passes over the rows until then, and how far m is from its end in standard
 * deviations of q. */
enum { SWEEPS = 20001 };
typedef struct trace { size_t steps, passes[SWEEPS]; double bound[SWEEPS], off[SWEEPS]; } trace;

static double distance(const blni_full *q, const fixed_point *f)
{
    double square = 0.0;
    for (size_t i = 0; i < f->D; i++) {
        double sum = 0.0;
        for (size_t j = i; j < f->D; j++) sum += f->U[i*f->D + j]*(q->e.w[j] - f->m[j]);
        square += sum*sum;
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

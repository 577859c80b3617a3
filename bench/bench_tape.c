/* bench_tape.c - what the gradient of a program costs beside one that is written by hand
 *
 *     make && cc -O2 -Ibuild/include bench/bench_tape.c -o build/bench_tape -lm && build/bench_tape
 *
 * A line for each model and style: microseconds of one log density with its gradient (user CPU time, least of 9 rounds), how many
 * times the hand-written gradient's time of the same run that is, and the largest difference of the two gradients. By hand means:
 * with the kernels of this library, as an expert would. Ratios are what to compare; microseconds are of the machine.
 *
 *     build/bench_tape --data FOLDER       data, point and gradient of each line as files, for peers (tape_stan.R, tape_peers.py)
 *     build/bench_tape --only TEXT         lines with that in their name */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "schools.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1100 };

typedef struct bench_data {
    size_t n, d, groups;
    double *X, *y, *work;
    uint32_t *group;
} bench_data;

static double *doubles(size_t n)
{
    double *p = (double *)malloc(n*sizeof *p);
    if (!p) exit(1);
    return p;
}

/* ---- eight schools, non-centred: mu, tau, eta[8] */

static bln_status schools_scalars(bln_tape *t, const bln_var *p, void *user)
{
    (void)user;
    bln_lp_normal(t, p[0], bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_half_cauchy(t, p[1], bln_c_num(t, 5));
    for (size_t j = 0; j < 8; j++) {
        const bln_var e = bln_v_elem(t, p[2], j);
        bln_lp_std_normal(t, e);
        bln_lp_normal(t, bln_c_num(t, y8[j]), bln_v_fma(t, p[1], e, p[0]), bln_c_num(t, s8[j]));
    }
    return BLN_OK;
}
static double schools_hand(const double *q, double *g, const bench_data *d)
{
    static const double c = 0.91893853320467274178;
    const double mu = q[0], tau = exp(q[1]), r = tau/5;
    double gm = 0, gt = 0, lp = -0.5*mu*mu/25 - log(5) - c + log(2/(3.14159265358979323846*5)) + q[1] - log1p(r*r);
    static double logs;
    (void)d;
    if (logs == 0) for (int i = 0; i < 8; i++) logs += log(s8[i]);
    lp -= 16*c + logs;
    for (int i = 0; i < 8; i++) {
        const double e = q[2 + i], z = (y8[i] - mu - tau*e)/s8[i], w = z/s8[i];
        lp -= 0.5*(z*z + e*e);
        gm += w;
        gt += w*e;
        g[2 + i] = tau*w - e;
    }
    g[0] = gm - mu/25;
    g[1] = tau*gt + 1 - 2*r*r/(1 + r*r);
    return lp;
}

/* ---- logistic regression: alpha ~ N(0, 5), beta ~ N(0, 2) */

static void logit_prior(bln_tape *t, const bln_var *p)
{
    bln_lp_normal(t, p[0], bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_normal(t, p[1], bln_c_num(t, 0), bln_c_num(t, 2));
}
static bln_status logit_arrays(bln_tape *t, const bln_var *p, void *user)
{
    const bench_data *s = (const bench_data *)user;
    logit_prior(t, p);
    bln_lp_bernoulli_logit(t, bln_c_vec(t, s->y, s->n), bln_v_affine(t, bln_c_mat(t, s->X, s->n, s->d), p[1], p[0]));
    return BLN_OK;
}
static bln_status logit_rows(bln_tape *t, const bln_var *p, void *user)
{
    const bench_data *s = (const bench_data *)user;
    logit_prior(t, p);
    for (size_t i = 0; i < s->n; i++)
        bln_lp_bernoulli_logit(t, bln_c_num(t, s->y[i]), bln_v_add(t, p[0], bln_v_dot(t, bln_c_vec(t, s->X + i*s->d, s->d), p[1])));
    return BLN_OK;
}
static bln_status logit_scalars(bln_tape *t, const bln_var *p, void *user)
{
    const bench_data *s = (const bench_data *)user;
    logit_prior(t, p);
    for (size_t i = 0; i < s->n; i++) {
        bln_var f = p[0];
        for (size_t j = 0; j < s->d; j++) f = bln_v_axpy(t, s->X[i*s->d + j], bln_v_elem(t, p[1], j), f);
        bln_lp_bernoulli_logit(t, bln_c_num(t, s->y[i]), f);
    }
    return BLN_OK;
}
static double logit_hand(const double *q, double *g, const bench_data *s)
{
    enum { BLOCK = 256 };
    static const double c = 0.91893853320467274178;
    double f[BLOCK], l[BLOCK], w[BLOCK], lp = -0.5*q[0]*q[0]/25 - log(5) - c, ga = -q[0]/25;
    for (size_t j = 0; j < s->d; j++) { lp -= q[1 + j]*q[1 + j]/8 + log(2) + c; g[1 + j] = -q[1 + j]/4; }
    for (size_t i = 0; i < s->n; i += BLOCK) {
        const size_t m = s->n - i < BLOCK ? s->n - i : BLOCK;
        for (size_t j = 0; j < m; j++) f[j] = q[0];
        bln_gemv(BLN_NOTRANS, m, s->d, 1, s->X + i*s->d, s->d, q + 1, 1, f);
        bln_vec_log1pexp(m, f, l);
        for (size_t j = 0; j < m; j++) { lp += s->y[i + j]*f[j] - l[j]; w[j] = f[j] - l[j]; }
        bln_vec_exp(m, w, w);
        for (size_t j = 0; j < m; j++) { w[j] = s->y[i + j] - w[j]; ga += w[j]; }
        bln_gemv(BLN_TRANS, m, s->d, 1, s->X + i*s->d, s->d, w, 1, g + 1);
    }
    g[0] = ga;
    return lp;
}

/* ---- groups: y ~ N(mu + tau z_g, sigma); mu ~ N(0, 5); tau, sigma ~ half-N(2) */

static bln_status groups_arrays(bln_tape *t, const bln_var *p, void *user)
{
    const bench_data *s = (const bench_data *)user;
    bln_lp_normal(t, p[0], bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_half_normal(t, p[1], bln_c_num(t, 2));
    bln_lp_half_normal(t, p[2], bln_c_num(t, 2));
    bln_lp_std_normal(t, p[3]);
    bln_lp_normal(t, bln_c_vec(t, s->y, s->n), bln_v_gather(t, bln_v_fma(t, p[1], p[3], p[0]), s->group, s->n), p[2]);
    return BLN_OK;
}
static bln_status groups_scalars(bln_tape *t, const bln_var *p, void *user)
{
    const bench_data *s = (const bench_data *)user;
    bln_lp_normal(t, p[0], bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_half_normal(t, p[1], bln_c_num(t, 2));
    bln_lp_half_normal(t, p[2], bln_c_num(t, 2));
    for (size_t j = 0; j < s->groups; j++) bln_lp_std_normal(t, bln_v_elem(t, p[3], j));
    for (size_t i = 0; i < s->n; i++)
        bln_lp_normal(t, bln_c_num(t, s->y[i]), bln_v_fma(t, p[1], bln_v_elem(t, p[3], s->group[i]), p[0]), p[2]);
    return BLN_OK;
}
static double groups_hand(const double *q, double *g, const bench_data *s)
{
    static const double c = 0.91893853320467274178;
    const double mu = q[0], tau = exp(q[1]), sd = exp(q[2]), precision = 1/(sd*sd), *z = q + 3;
    double squares = 0, gm = 0, gt = 0, zz = 0, *gz = g + 3;
    for (size_t j = 0; j < s->groups; j++) gz[j] = 0;
    for (size_t i = 0; i < s->n; i++) {
        const double r = s->y[i] - mu - tau*z[s->group[i]];
        squares += r*r;
        gz[s->group[i]] += r;
    }
    for (size_t j = 0; j < s->groups; j++) {
        const double r = gz[j]*precision;
        gm += r;
        gt += r*z[j];
        gz[j] = tau*r - z[j];
        zz += z[j]*z[j];
    }
    g[0] = gm - mu/25;
    g[1] = tau*(gt - tau/4) + 1;
    g[2] = squares*precision - (double)s->n + 1 - sd*sd/4;
    return -mu*mu/50 - log(5) - c - 0.5*zz - (double)s->groups*c + q[1] + q[2] - (tau*tau + sd*sd)/8 - 2*c
        - 0.5*squares*precision - (double)s->n*(q[2] + c);
}

/* ---- a Gaussian process: amplitude, noise ~ half-N(1), length ~ inverse gamma(5, 5) */

static bln_status process(bln_tape *t, const bln_var *p, void *user, int by_factor)
{
    const bench_data *s = (const bench_data *)user;
    const bln_var y = bln_c_vec(t, s->y, s->n), zero = bln_c_num(t, 0);
    bln_lp_half_normal(t, p[0], bln_c_num(t, 1));
    bln_lp_inv_gamma(t, p[1], bln_c_num(t, 5), bln_c_num(t, 5));
    bln_lp_half_normal(t, p[2], bln_c_num(t, 1));
    const bln_var K = bln_v_add_diagonal(t, bln_v_kernel(t, BLN_KERNEL_RBF, 0, s->X, s->n, 1, p[0], p[1]), bln_v_square(t, p[2]));
    if (by_factor) bln_lp_multi_normal_factor(t, y, zero, bln_v_cholesky(t, K));
    else bln_lp_multi_normal(t, y, zero, K);
    return BLN_OK;
}
static bln_status process_fused(bln_tape *t, const bln_var *p, void *user) { return process(t, p, user, 0); }
static bln_status process_factor(bln_tape *t, const bln_var *p, void *user) { return process(t, p, user, 1); }
static double process_hand(const double *q, double *g, const bench_data *s)
{
    static const double c = 0.91893853320467274178;
    const size_t n = s->n;
    const double a = exp(q[0]), l = exp(q[1]), sd = exp(q[2]), *D = s->work;
    double *K = s->work + n*n, *W = K + n*n, *z = W + n*n, lp = -(double)n*c, sa = 0, sl = 0, ss = 0;
    for (size_t i = 0; i < n; i++) {
        double *k = K + i*n;
        for (size_t j = i; j < n; j++) k[j] = -0.5/(l*l)*D[i*n + j];
        bln_vec_exp(n - i, k + i, k + i);
        bln_scal(n - i, a*a, k + i);
        memcpy(W + i*n + i, k + i, (n - i)*sizeof *k);
        W[i*n + i] += sd*sd;
    }
    bln_potrf(n, W, n, NULL);
    memcpy(z, s->y, n*sizeof *z);
    bln_trsv(BLN_TRANS, n, W, n, z);
    for (size_t i = 0; i < n; i++) lp -= 0.5*z[i]*z[i] + log(W[i*n + i]);
    bln_trsv(BLN_NOTRANS, n, W, n, z);
    bln_trtri(n, W, n);
    bln_lauum(n, W, n, W, n);
    for (size_t i = 0; i < n; i++) {
        const double w = 0.5*(z[i]*z[i] - W[i*n + i]);
        ss += w;
        sa += w*K[i*n + i];
        for (size_t j = i + 1; j < n; j++) {
            const double v = (z[i]*z[j] - W[i*n + j])*K[i*n + j];
            sa += v;
            sl += v*D[i*n + j];
        }
    }
    g[0] = 2*sa - a*a + 1;
    g[1] = sl/(l*l) - 5 + 5/l;
    g[2] = 2*sd*sd*ss - sd*sd + 1;
    return lp - a*a/2 - sd*sd/2 - 2*c + log(4) - 6*q[1] - 5/l + 5*log(5) - log(24) + q[0] + q[1] + q[2];
}

/* ---- timing */

typedef double (*bench_hand)(const double *, double *, const bench_data *);
static double seconds(void) { return (double)clock()/CLOCKS_PER_SEC; }

static double once(const bln_density *d, bench_hand hand, const double *q, double *g, const bench_data *s, size_t times)
{
    double value = 0;
    const double begin = seconds();
    for (size_t k = 0; k < times; k++) {
        if (d) d->eval(d->user, q, &value, g, NULL);
        else value += hand(q, g, s);
    }
    return (seconds() - begin)/(double)times;
}

static const char *folder, *only;                                 /* of --data, of --only; or NULL */

/* KIND NAME ROWS COLUMNS, and the numbers. */
static void put(FILE *f, const char *kind, const char *name, size_t rows, size_t cols, const double *x)
{
    fprintf(f, "%s %s %lu %lu\n", kind, name, (unsigned long)rows, (unsigned long)cols);
    for (size_t i = 0; i < rows*cols; i++) fprintf(f, "%.17g\n", x[i]);
}

static void data_file(const char *name, size_t dim, const double *q, const double *g, const bench_data *s)
{
    char path[400];
    const double n = (double)s->n, d = (double)s->d, groups = (double)s->groups, schools = 8.0;
    const int logit = s->d > 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) { perror(path); exit(1); }
    put(f, "real", "q", dim, 1, q);
    put(f, "real", "gradient", dim, 1, g);
    put(f, "number", "n", 1, 1, s->n ? &n : &schools);
    if (s->d) put(f, "number", "d", 1, 1, &d);
    if (s->X) put(f, "real", logit ? "X" : "x", s->n, logit ? s->d : 1, s->X);
    put(f, logit ? "whole" : "real", "y", s->n ? s->n : 8, 1, s->n ? s->y : y8);
    if (!s->n) put(f, "real", "s", 8, 1, s8);
    if (s->groups) put(f, "number", "G", 1, 1, &groups);
    for (size_t i = 0; i < s->n && s->groups; i++) {
        if (i == 0) fprintf(f, "whole g %lu 1\n", (unsigned long)s->n);
        fprintf(f, "%lu\n", (unsigned long)s->group[i] + 1);
    }
    if (fclose(f)) { perror(path); exit(1); }
}

static void row(const char *name, bln_program_model model, bench_hand hand, const bln_program_parameter *p, size_t n_p,
                bench_data *s)
{
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_report report = BLN_ZERO;
    double q[MOST], g[MOST], h[MOST], best = 1e9, base = 1e9, worst = 0, value;
    bln_rng rng;
    if (only && !strstr(name, only)) return;
    desc.model = model;
    desc.user = s;
    desc.parameters = p;
    desc.n_parameters = n_p;
    if (bln_program_create(&desc, &program, &report)) { puts(report.text); exit(1); }
    const bln_density d = bln_program_density(program);
    bln_rng_seed(&rng, 7, 0);
    for (size_t k = 0; k < d.dim; k++) q[k] = 0.4*bln_rng_normal(&rng);
    d.eval(d.user, q, &value, g, NULL);
    const double by_hand = hand(q, h, s);
    for (size_t k = 0; k < d.dim; k++) worst = fmax(worst, fabs(g[k] - h[k])/(1 + fabs(h[k])));
    worst = fmax(worst, fabs(value - by_hand)/(1 + fabs(by_hand)));
    if (folder) {
        data_file(name, d.dim, q, h, s);
        bln_program_free(program);
        return;
    }
    size_t times = 1;
    while (once(&d, hand, q, g, s, times) < 0.02*1.0/(double)times) times *= 2;
    for (int k = 0; k < 9; k++) {
        best = fmin(best, once(&d, hand, q, g, s, times));
        base = fmin(base, once(NULL, hand, q, h, s, times));
    }
    printf("%-34s %9.3f us  %6.2f x by hand   differs by %.1e\n", name, 1e6*best, best/base, worst);
    fflush(stdout);
    bln_program_free(program);
}

static void make_logit(bench_data *s, size_t n)
{
    bln_rng r;
    bln_rng_seed(&r, 1, n);
    s->n = n;
    s->d = 24;
    s->X = doubles(n*24);
    s->y = doubles(n);
    for (size_t i = 0; i < n; i++) {
        double f = 0.3;
        for (size_t j = 0; j < 24; j++) f += (s->X[i*24 + j] = bln_rng_normal(&r))*((double)(j % 5) - 2)*0.2;
        s->y[i] = bln_rng_uniform(&r) < bln_sigmoid(f);
    }
}

int main(int argc, char **argv)
{
    static const bln_program_parameter schools[] = {
        BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("eta", 8, 1, FREE) };
    static const bln_program_parameter logit[] = { BLN_PARAMETER("alpha", 1, 1, FREE), BLN_PARAMETER("beta", 24, 1, FREE) };
    static const bln_program_parameter groups[] = {
        BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("sigma", 1, 1, POSITIVE),
        BLN_PARAMETER("z", 1000, 1, FREE) };
    static const bln_program_parameter gp[] = {
        BLN_PARAMETER("a", 1, 1, POSITIVE), BLN_PARAMETER("l", 1, 1, POSITIVE), BLN_PARAMETER("s", 1, 1, POSITIVE) };
    bench_data s, t, g, k;
    bln_rng r;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--data")) folder = argv[i + 1];
        if (!strcmp(argv[i], "--only")) only = argv[i + 1];
    }
    memset(&s, 0, sizeof s);
    memset(&t, 0, sizeof t);
    memset(&g, 0, sizeof g);
    memset(&k, 0, sizeof k);
    row("eight schools, arrays", schools_arrays, schools_hand, schools, 3, &s);
    row("eight schools, scalars", schools_scalars, schools_hand, schools, 3, &s);
    make_logit(&s, 1000);
    row("logistic 1000 x 24, affine", logit_arrays, logit_hand, logit, 2, &s);
    row("logistic 1000 x 24, rows", logit_rows, logit_hand, logit, 2, &s);
    row("logistic 1000 x 24, scalars", logit_scalars, logit_hand, logit, 2, &s);
    make_logit(&t, 10000);
    row("logistic 10000 x 24, affine", logit_arrays, logit_hand, logit, 2, &t);
    row("logistic 10000 x 24, scalars", logit_scalars, logit_hand, logit, 2, &t);
    bln_rng_seed(&r, 2, 0);
    g.n = 10000;
    g.groups = 1000;
    g.y = doubles(g.n);
    g.group = (uint32_t *)malloc(g.n*sizeof *g.group);
    if (!g.group) return 1;
    for (size_t i = 0; i < g.n; i++) { g.group[i] = (uint32_t)(i/10); g.y[i] = 1 + 1.6*bln_rng_normal(&r); }
    row("1000 groups x 10, arrays", groups_arrays, groups_hand, groups, 4, &g);
    row("1000 groups x 10, scalars", groups_scalars, groups_hand, groups, 4, &g);
    k.n = 200;
    k.X = doubles(200);
    k.y = doubles(200);
    k.work = doubles(3*200*200 + 200);
    for (size_t i = 0; i < 200; i++) { k.X[i] = 0.05*(double)i; k.y[i] = sin(k.X[i]) + 0.3*bln_rng_normal(&r); }
    for (size_t i = 0; i < 200; i++) for (size_t j = 0; j < 200; j++) k.work[i*200 + j] = (k.X[i] - k.X[j])*(k.X[i] - k.X[j]);
    row("Gaussian process 200, fused", process_fused, process_hand, gp, 3, &k);
    row("Gaussian process 200, factor", process_factor, process_hand, gp, 3, &k);
    return 0;
}

/* bench_blas.c - speed of the dense kernels, beside the machine's peak and, if wanted, a CBLAS
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_blas.c -o build/bench_blas -lm && build/bench_blas [options] [n ...]
 *     cc -std=c99 -O2 -DWITH_CBLAS -Ibuild/include bench/bench_blas.c -o build/bench_blas -lopenblas -lm        (another BLAS: see
 * that it uses one thread)
 *
 *     -l LEVEL    one level only (default: the best of this machine; -l -1: all)        -o TEXT    operations whose name begins so
 *     -r TIMES    rounds (default: 15)                                                  -d         beside the definition
 *
 * In each round the peak, the operation and the peer run for some milliseconds one after the other, because the clock of shared
 * machines drifts; of each the round with the least processor time counts. GF/s, the fraction of the peak of a loop of fused
 * multiply-adds in registers (level 0: of the tile alone on operands in the first-level cache), and the ratio to the peer. */
#define _DEFAULT_SOURCE                                       /* clocks and large pages, even as strict C */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "peak.h"
#include <stdio.h>

enum { ROWS = 10000 };

typedef struct problem { size_t n; void *memory; double *A, *B, *C, *U, *X, *Z; } problem;    /* n x n; X, Z: ROWS x 64, ROWS x n */

/* The operations. Those that overwrite what they need find a copy of it in C: see `once`. */
static void gemm(const problem *p, bln_trans a, bln_trans b)
{
    bln_gemm(a, b, p->n, p->n, p->n, 1.0, p->A, p->n, p->B, p->n, 0.0, p->C, p->n);
}
static void gemm_nn(const problem *p) { gemm(p, BLN_NOTRANS, BLN_NOTRANS); }
static void gemm_tn(const problem *p) { gemm(p, BLN_TRANS, BLN_NOTRANS); }
static void gemm_nt(const problem *p) { gemm(p, BLN_NOTRANS, BLN_TRANS); }
static void gemm_tt(const problem *p) { gemm(p, BLN_TRANS, BLN_TRANS); }
static void gemm_xw(const problem *p, size_t d)                /* phases of n frequencies for ROWS rows of d inputs */
{
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, ROWS, p->n, d, 1.0, p->X, d, p->B, p->n, 0.0, p->Z, p->n);
}
static void gemm_13(const problem *p) { gemm_xw(p, 13); }
static void gemm_64(const problem *p) { gemm_xw(p, 64); }
static void syrk_t(const problem *p)  { bln_syrk(BLN_TRANS, p->n, p->n, 1.0, p->A, p->n, 0.0, p->C, p->n); }
static void syrk_n(const problem *p)  { bln_syrk(BLN_NOTRANS, p->n, p->n, 1.0, p->A, p->n, 0.0, p->C, p->n); }
static void syrk_256(const problem *p) { bln_syrk(BLN_TRANS, p->n, 256, 1.0, p->A, p->n, 1.0, p->C, p->n); }
static void trsm_t(const problem *p)  { bln_trsm(BLN_TRANS, p->n, p->n, p->U, p->n, p->C, p->n); }
static void trsm_n(const problem *p)  { bln_trsm(BLN_NOTRANS, p->n, p->n, p->U, p->n, p->C, p->n); }
static void potrf(const problem *p)   { if (bln_potrf(p->n, p->C, p->n, NULL)) puts("potrf failed"); }
static void trtri(const problem *p)   { bln_trtri(p->n, p->C, p->n); }
static void lauum(const problem *p)   { bln_lauum(p->n, p->U, p->n, p->C, p->n); }
static void gemv_n(const problem *p)  { bln_gemv(BLN_NOTRANS, p->n, p->n, 1.0, p->A, p->n, p->B, 0.0, p->C); }
static void gemv_t(const problem *p)  { bln_gemv(BLN_TRANS, p->n, p->n, 1.0, p->A, p->n, p->B, 0.0, p->C); }
static void trsv_t(const problem *p)  { bln_trsv(BLN_TRANS, p->n, p->U, p->n, p->C); }
static void trsv_n(const problem *p)  { bln_trsv(BLN_NOTRANS, p->n, p->U, p->n, p->C); }
static void ref_gemm(const problem *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < p->n; k++) sum += p->A[i*p->n + k]*p->B[k*p->n + j];
            p->C[i*p->n + j] = sum;
        }
}

#ifdef WITH_CBLAS
#include <cblas.h>
#ifndef WITHOUT_LAPACK
extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
#endif
static void cblas_mm(const problem *p, CBLAS_TRANSPOSE a, CBLAS_TRANSPOSE b)
{
    const int n = (int)p->n;
    cblas_dgemm(CblasRowMajor, a, b, n, n, n, 1.0, p->A, n, p->B, n, 0.0, p->C, n);
}
static void cblas_nn(const problem *p) { cblas_mm(p, CblasNoTrans, CblasNoTrans); }
static void cblas_tn(const problem *p) { cblas_mm(p, CblasTrans, CblasNoTrans); }
static void cblas_nt(const problem *p) { cblas_mm(p, CblasNoTrans, CblasTrans); }
static void cblas_tt(const problem *p) { cblas_mm(p, CblasTrans, CblasTrans); }
static void cblas_xw(const problem *p, int d)
{
    const int n = (int)p->n;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ROWS, n, d, 1.0, p->X, d, p->B, n, 0.0, p->Z, n);
}
static void cblas_13(const problem *p) { cblas_xw(p, 13); }
static void cblas_64(const problem *p) { cblas_xw(p, 64); }
static void cblas_rk(const problem *p, CBLAS_TRANSPOSE op, int k, double beta)
{
    cblas_dsyrk(CblasRowMajor, CblasUpper, op, (int)p->n, k, 1.0, p->A, (int)p->n, beta, p->C, (int)p->n);
}
static void cblas_st(const problem *p) { cblas_rk(p, CblasTrans, (int)p->n, 0.0); }
static void cblas_sn(const problem *p) { cblas_rk(p, CblasNoTrans, (int)p->n, 0.0); }
static void cblas_s2(const problem *p) { cblas_rk(p, CblasTrans, 256, 1.0); }
static void cblas_sm(const problem *p, CBLAS_TRANSPOSE op)
{
    const int n = (int)p->n;
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasUpper, op, CblasNonUnit, n, n, 1.0, p->U, n, p->C, n);
}
static void cblas_ut(const problem *p) { cblas_sm(p, CblasTrans); }
static void cblas_un(const problem *p) { cblas_sm(p, CblasNoTrans); }
#ifndef WITHOUT_LAPACK
static void cblas_po(const problem *p)
{
    const int n = (int)p->n;
    int info;
    dpotrf_("L", &n, p->C, &n, &info);
}
#else
#define cblas_po NULL
#endif
static void cblas_mv(const problem *p, CBLAS_TRANSPOSE op)
{
    cblas_dgemv(CblasRowMajor, op, (int)p->n, (int)p->n, 1.0, p->A, (int)p->n, p->B, 1, 0.0, p->C, 1);
}
static void cblas_gn(const problem *p) { cblas_mv(p, CblasNoTrans); }
static void cblas_gt(const problem *p) { cblas_mv(p, CblasTrans); }
#define PEER(f) f
#else
#define PEER(f) NULL
#endif

/* Flops = factor n^power. What C is before each run: 'B', 'U', or whatever the run before left. */
typedef struct operation {
    const char *name;
    void (*run)(const problem *), (*peer)(const problem *);
    double factor;
    int power;
    char start;
} operation;
static const operation operations[] = {
    { "gemm NN", gemm_nn, PEER(cblas_nn), 2.0, 3, 0 },              { "gemm TN", gemm_tn, PEER(cblas_tn), 2.0, 3, 0 },
    { "gemm NT", gemm_nt, PEER(cblas_nt), 2.0, 3, 0 },              { "gemm TT", gemm_tt, PEER(cblas_tt), 2.0, 3, 0 },
    { "X W, d=13", gemm_13, PEER(cblas_13), 26.0*ROWS, 1, 0 },      { "X W, d=64", gemm_64, PEER(cblas_64), 128.0*ROWS, 1, 0 },
    { "syrk A'A", syrk_t, PEER(cblas_st), 1.0, 3, 0 },              { "syrk AA'", syrk_n, PEER(cblas_sn), 1.0, 3, 0 },
    { "A'A, k=256", syrk_256, PEER(cblas_s2), 256.0, 2, 0 },        { "trsm U'", trsm_t, PEER(cblas_ut), 1.0, 3, 0 },
    { "trsm U", trsm_n, PEER(cblas_un), 1.0, 3, 0 },                { "potrf", potrf, PEER(cblas_po), 1.0/3.0, 3, 'B' },
    { "trtri", trtri, NULL, 1.0/3.0, 3, 'U' },                      { "lauum", lauum, NULL, 1.0/3.0, 3, 0 },
    { "gemv", gemv_n, PEER(cblas_gn), 2.0, 2, 0 },                  { "gemv'", gemv_t, PEER(cblas_gt), 2.0, 2, 0 },
    { "trsv U'", trsv_t, NULL, 1.0, 2, 0 },                         { "trsv U", trsv_n, NULL, 1.0, 2, 0 }
};

static void fill(size_t n, double *x, uint64_t state)
{
    for (size_t i = 0; i < n; i++) {
        state = state*6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(state >> 11)/9007199254740992.0 - 0.5;
    }
}

/* ---- measuring */

static void start(const problem *p, char from)
{
    if (from) memcpy(p->C, from == 'B' ? p->B : p->U, p->n*p->n*sizeof(double));
}

/* Seconds of `times` runs, each from its start; only_start: of the starts alone. */
static double spent(void (*run)(const problem *), const problem *p, char from, size_t times, int only_start)
{
    const double t = seconds();
    for (size_t r = 0; r < times; r++) {
        start(p, from);
        if (!only_start) run(p);
    }
    return seconds() - t;
}

/* The least seconds of one run, from as many as take 2 ms, and those of its start, which it loses at the end. C starts random;
 * repeated solves change its size by little, because U is close to the identity. */
typedef struct timing { size_t times; double run, start; } timing;

static void once(timing *t, void (*run)(const problem *), const problem *p, char from)
{
    if (t->times == 0) for (t->times = 1; spent(run, p, from, t->times, 0) < 0.002; t->times *= 2) {}
    fill(p->n*p->n, p->C, 3);
    start(p, from);
    run(p);
    t->run = fmin(t->run, spent(run, p, from, t->times, 0)/(double)t->times);
    t->start = from ? fmin(t->start, spent(run, p, from, t->times, 1)/(double)t->times) : 0.0;
}

static int rounds = 15;

/* One line: own speed, fraction of the peak, peer, ratio. */
static void measure(const operation *o, const problem *p)
{
    const double flops = o->factor*pow((double)p->n, o->power);
    timing own = { 0, HUGE_VAL, HUGE_VAL }, peer = { 0, HUGE_VAL, HUGE_VAL };
    double top = 0.0;
    for (int i = 0; i < rounds; i++) {
        top = fmax(top, peak_rate(1));
        once(&own, o->run, p, o->start);
        if (o->peer) once(&peer, o->peer, p, o->start);
    }
    const double t = own.run - own.start;
    printf("%5lu  %-11s  level %d  %7.2f GF/s  %.2f of peak", (unsigned long)p->n, o->name, bln_cpu_level(), flops/t*1e-9,
           flops/t/top);
    if (o->peer) printf("   peer %7.2f   ratio %.2f", flops/(peer.run - peer.start)*1e-9, (peer.run - peer.start)/t);
    putchar('\n');
    fflush(stdout);
}

/* All matrices begin at a line of the cache. */
static int set_up(problem *p, size_t n)
{
    const size_t size = (n*(n > 256 ? n : 256) + 7)/8*8, z = (ROWS*(n > 64 ? n : 64) + 7)/8*8;
    unsigned char *raw = (unsigned char *)malloc((4*size + 2*z)*sizeof(double) + 64);
    if (!raw) return 0;
    p->n = n;
    p->memory = raw;
    p->A = (double *)(void *)(raw + (64 - (uintptr_t)raw % 64));
    p->B = p->A + size;
    p->C = p->B + size;
    p->U = p->C + size;
    p->X = p->U + size;
    p->Z = p->X + z;
    fill(ROWS*64, p->X, 5);
    fill(size, p->A, 1);
    fill(size, p->B, 2);
    fill(size, p->U, 4);
    for (size_t i = 0; i < n*n; i++) p->U[i] *= 0.5/(double)n;
    for (size_t i = 0; i < n; i++) { p->U[i*n + i] = 1.0; p->B[i*n + i] = (double)n; }
    return 1;
}

int main(int argc, char **argv)
{
    static const size_t usual[] = { 16, 32, 64, 100, 200, 256, 512, 1000, 1024 };
    const int best = bln_cpu_level_force(-1);
    const char *only = "";
    int level = best, at = 1, definition = 0;
#if defined(WITH_CBLAS) && defined(OPENBLAS_VERSION) && !defined(WITHOUT_LAPACK)   /* its header may stand beside BLIS */
    openblas_set_num_threads(1);
#endif
    for (; at < argc && argv[at][0] == '-'; at++) {
        if (argv[at][1] == 'd') definition = 1;
        else if (argv[at][1] == 'l' && at + 1 < argc) level = (int)strtol(argv[++at], NULL, 10);
        else if (argv[at][1] == 'r' && at + 1 < argc) rounds = (int)strtol(argv[++at], NULL, 10);
        else if (argv[at][1] == 'o' && at + 1 < argc) only = argv[++at];
        else { printf("unknown option %s\n", argv[at]); return 1; }
    }
    const size_t count = at < argc ? (size_t)(argc - at) : sizeof usual/sizeof *usual;
    for (size_t s = 0; s < count; s++) {
        problem p;
        if (!set_up(&p, at < argc ? (size_t)strtoul(argv[at + (int)s], NULL, 10) : usual[s])) return 1;
        for (size_t o = 0; o < sizeof operations/sizeof *operations; o++) {
            operation which = operations[o];
            if (strncmp(which.name, only, strlen(only))) continue;
            if (definition) which.peer = which.power == 3 && which.factor == 2.0 ? ref_gemm : NULL;
            for (int l = level < 0 ? 0 : level; l <= (level < 0 ? best : level); l++)
                if (bln_cpu_level_force(l) == l) measure(&which, &p);
        }
        free(p.memory);
    }
    return 0;
}

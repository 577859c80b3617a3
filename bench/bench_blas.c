/* bench_blas.c - speed of the dense kernels at every level that the machine has, beside the definition and, if wanted, a CBLAS
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_blas.c -o build/bench_blas -lm && build/bench_blas [n ...]
 *     cc -std=c99 -O2 -DWITH_CBLAS -Ibuild/include bench/bench_blas.c -o build/bench_blas -lopenblas -lm        (run it with one
 * thread)
 *
 * GF/s of processor time, the best of several runs. In brackets the fraction of what the level's tile reaches alone, on operands in
 * the first-level cache, in the same run: the clock of shared machines drifts. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <time.h>

static double seconds(void) { return (double)clock()/CLOCKS_PER_SEC; }

typedef struct problem { size_t n, k; double *A, *B, *C, *U; } problem;

/* The operations. Each restores what it needs, so that it can be repeated. */
static void gemm(const problem *p, bln_trans a, bln_trans b)
{
    bln_gemm(a, b, p->n, p->n, p->n, 1.0, p->A, p->n, p->B, p->n, 0.0, p->C, p->n);
}
static void gemm_nn(const problem *p) { gemm(p, BLN_NOTRANS, BLN_NOTRANS); }
static void gemm_tn(const problem *p) { gemm(p, BLN_TRANS, BLN_NOTRANS); }
static void gemm_nt(const problem *p) { gemm(p, BLN_NOTRANS, BLN_TRANS); }
static void gemm_tt(const problem *p) { gemm(p, BLN_TRANS, BLN_TRANS); }
static void gemm_xw(const problem *p)
{
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, p->n, p->n, 13, 1.0, p->A, 13, p->B, p->n, 0.0, p->C, p->n);
}
static void syrk_t(const problem *p)  { bln_syrk(BLN_TRANS, p->n, p->n, 1.0, p->A, p->n, 0.0, p->C, p->n); }
static void syrk_n(const problem *p)  { bln_syrk(BLN_NOTRANS, p->n, p->n, 1.0, p->A, p->n, 0.0, p->C, p->n); }
static void syrk_256(const problem *p) { bln_syrk(BLN_TRANS, p->n, 256, 1.0, p->A, p->n, 1.0, p->C, p->n); }
static void trsm_t(const problem *p)  { bln_trsm(BLN_TRANS, p->n, p->n, p->U, p->n, p->C, p->n); }
static void trsm_n(const problem *p)  { bln_trsm(BLN_NOTRANS, p->n, p->n, p->U, p->n, p->C, p->n); }
static void potrf(const problem *p)
{
    memcpy(p->C, p->B, p->n*p->n*sizeof(double));
    if (bln_potrf(p->n, p->C, p->n, NULL)) puts("potrf failed");
}
static void trtri(const problem *p)   { memcpy(p->C, p->U, p->n*p->n*sizeof(double)); bln_trtri(p->n, p->C, p->n); }
static void lauum(const problem *p)   { bln_lauum(p->n, p->U, p->n, p->C, p->n); }
static void gemv_n(const problem *p)  { bln_gemv(BLN_NOTRANS, p->n, p->n, 1.0, p->A, p->n, p->B, 0.0, p->C); }
static void gemv_t(const problem *p)  { bln_gemv(BLN_TRANS, p->n, p->n, 1.0, p->A, p->n, p->B, 0.0, p->C); }
static void trsv_t(const problem *p)  { bln_trsv(BLN_TRANS, p->n, p->U, p->n, p->C); }
static void trsv_n(const problem *p)  { bln_trsv(BLN_NOTRANS, p->n, p->U, p->n, p->C); }
static void ref_gemm(const problem *p)
{
    blni_gemm_ref(BLN_NOTRANS, BLN_NOTRANS, p->n, p->n, p->n, 1.0, p->A, p->n, p->B, p->n, 0.0, p->C, p->n, 0);
}

#ifdef WITH_CBLAS
#include <cblas.h>
extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
static void cblas_mm(const problem *p, CBLAS_TRANSPOSE a, CBLAS_TRANSPOSE b)
{
    const int n = (int)p->n;
    cblas_dgemm(CblasRowMajor, a, b, n, n, n, 1.0, p->A, n, p->B, n, 0.0, p->C, n);
}
static void cblas_nn(const problem *p) { cblas_mm(p, CblasNoTrans, CblasNoTrans); }
static void cblas_tn(const problem *p) { cblas_mm(p, CblasTrans, CblasNoTrans); }
static void cblas_nt(const problem *p) { cblas_mm(p, CblasNoTrans, CblasTrans); }
static void cblas_tt(const problem *p) { cblas_mm(p, CblasTrans, CblasTrans); }
static void cblas_xw(const problem *p)
{
    const int n = (int)p->n;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, 13, 1.0, p->A, 13, p->B, n, 0.0, p->C, n);
}
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
static void cblas_po(const problem *p)
{
    const int n = (int)p->n;
    int info;
    memcpy(p->C, p->B, p->n*p->n*sizeof(double));
    dpotrf_("L", &n, p->C, &n, &info);
}
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

/* Flops = factor n^power. */
typedef struct operation {
    const char *name;
    void (*run)(const problem *), (*peer)(const problem *);
    double factor;
    int power;
} operation;
static const operation operations[] = {
    { "gemm NN", gemm_nn, PEER(cblas_nn), 2.0, 3 },     { "gemm TN", gemm_tn, PEER(cblas_tn), 2.0, 3 },
    { "gemm NT", gemm_nt, PEER(cblas_nt), 2.0, 3 },     { "gemm TT", gemm_tt, PEER(cblas_tt), 2.0, 3 },
    { "X W, k=13", gemm_xw, PEER(cblas_xw), 26.0, 2 },  { "syrk A'A", syrk_t, PEER(cblas_st), 1.0, 3 },
    { "syrk AA'", syrk_n, PEER(cblas_sn), 1.0, 3 },     { "A'A, k=256", syrk_256, PEER(cblas_s2), 256.0, 2 },
    { "trsm U'", trsm_t, PEER(cblas_ut), 1.0, 3 },      { "trsm U", trsm_n, PEER(cblas_un), 1.0, 3 },
    { "potrf", potrf, PEER(cblas_po), 1.0/3.0, 3 },     { "trtri", trtri, NULL, 1.0/3.0, 3 },
    { "lauum", lauum, NULL, 1.0/3.0, 3 },               { "gemv", gemv_n, PEER(cblas_gn), 2.0, 2 },
    { "gemv'", gemv_t, PEER(cblas_gt), 2.0, 2 },        { "trsv U'", trsv_t, NULL, 1.0, 2 },
    { "trsv U", trsv_n, NULL, 1.0, 2 }
};

static void fill(size_t n, double *x, uint64_t state)
{
    for (size_t i = 0; i < n; i++) {
        state = state*6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(state >> 11)/9007199254740992.0 - 0.5;
    }
}

/* GF/s: enough repetitions for 20 ms of processor time, the best of 7. C starts random; repeated solves change its size by little,
 * because U is close to the identity. */
static double measure(void (*run)(const problem *), const problem *p, double flops)
{
    double best = 0.0;
    size_t times = 1;
    for (int i = 0; i < 7; i++) {
        double t;
        fill(p->n*p->n, p->C, 3);
        for (;;) {
            t = seconds();
            for (size_t r = 0; r < times; r++) run(p);
            t = seconds() - t;
            if (t >= 0.02) break;
            times *= 2;
            fill(p->n*p->n, p->C, 3);
        }
        if (flops*(double)times/t*1e-9 > best) best = flops*(double)times/t*1e-9;
    }
    return best;
}

/* The tile alone: operands in the first-level cache. */
static double peak(void)
{
    static double a[8*64], b[64*24], c[8*24];
    const blni_kernels *kernel = blni_kernels_now();
    const ptrdiff_t rows = (ptrdiff_t)kernel->rows, columns = (ptrdiff_t)kernel->columns;
    double best = 0.0;
    fill(8*64, a, 1);
    fill(64*24, b, 2);
    for (int i = 0; i < 50; i++) {
        const double t = seconds();
        for (int r = 0; r < 4000; r++) kernel->tile(kernel->rows, 64, a, 1, rows, b, columns, 1.0, 1, c, columns);
        const double gf = 2.0*64.0*4000.0*(double)(rows*columns)/(seconds() - t)*1e-9;
        if (gf > best) best = gf;
    }
    return best;
}

int main(int argc, char **argv)
{
    static const size_t usual[] = { 32, 100, 128, 200, 400, 1000, 1024 };
    const int best = bln_cpu_level_force(-1);
    double top[3];
    for (int level = 0; level <= best; level++) {
        bln_cpu_level_force(level);
        top[level] = peak();
        printf("level %d: tile alone %.1f GF/s\n", level, top[level]);
    }
    for (size_t s = 0; s < (argc > 1 ? (size_t)argc - 1 : sizeof usual/sizeof *usual); s++) {
        problem p;
        p.n = argc > 1 ? (size_t)strtoul(argv[s + 1], NULL, 10) : usual[s];
        const size_t size = p.n*(p.n > 256 ? p.n : 256);
        p.A = (double *)malloc(size*sizeof(double));
        p.B = (double *)malloc(size*sizeof(double));
        p.C = (double *)malloc(size*sizeof(double));
        p.U = (double *)malloc(size*sizeof(double));
        if (!p.A || !p.B || !p.C || !p.U) return 1;
        fill(size, p.A, 1);
        fill(size, p.B, 2);
        fill(size, p.U, 4);
        for (size_t i = 0; i < p.n*p.n; i++) p.U[i] *= 0.5/(double)p.n;
        for (size_t i = 0; i < p.n; i++) { p.U[i*p.n + i] = 1.0; p.B[i*p.n + i] = (double)p.n; }
        printf("\nn = %lu\n", (unsigned long)p.n);
        if (p.n <= 400) printf("%-12s %8.2f\n", "definition", measure(ref_gemm, &p, 2.0*(double)p.n*(double)p.n*(double)p.n));
        for (size_t o = 0; o < sizeof operations/sizeof *operations; o++) {
            const double flops = operations[o].factor*pow((double)p.n, operations[o].power);
            printf("%-12s", operations[o].name);
            for (int level = 0; level <= best; level++) {
                bln_cpu_level_force(level);
                const double gf = measure(operations[o].run, &p, flops);
                printf(" %8.2f (%.2f)", gf, gf/top[level]);
                fflush(stdout);
            }
            if (operations[o].peer) printf("   cblas %8.2f", measure(operations[o].peer, &p, flops));
            putchar('\n');
        }
        free(p.A);
        free(p.B);
        free(p.C);
        free(p.U);
    }
    return 0;
}

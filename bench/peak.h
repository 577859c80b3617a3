/* peak.h - processor time, and the fused multiply-adds that this machine can do in it. After bayeslin.h with its implementation; in
 * front of that, _DEFAULT_SOURCE. */
#ifndef BAYESLIN_BENCH_PEAK_H
#define BAYESLIN_BENCH_PEAK_H
#include <time.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

#if BLNI_LEVELS > 0
/* Twelve sums of their own, enough for two units of four cycles each. */
#define PEAK(L) \
BLNI_TARGET##L static double peak##L(size_t times, double x) \
{ \
    const BLNI_VEC##L u = BLNI_SPLAT##L(x), v = BLNI_SPLAT##L(1e-9*x); \
    BLNI_VEC##L a = u, b = v, c = BLNI_ADD##L(a, b), d = BLNI_ADD##L(b, c), e = BLNI_ADD##L(c, d), f = BLNI_ADD##L(d, e); \
    BLNI_VEC##L g = BLNI_ADD##L(e, f), h = BLNI_ADD##L(f, g), i = BLNI_ADD##L(g, h), j = BLNI_ADD##L(h, i); \
    BLNI_VEC##L k = BLNI_ADD##L(i, j), l = BLNI_ADD##L(j, k); \
    double out[BLNI_LANES##L]; \
    for (size_t t = 0; t < times; t++) { \
        __asm__ volatile(""); \
        a = BLNI_FMA##L(a, u, v); b = BLNI_FMA##L(b, u, v); c = BLNI_FMA##L(c, u, v); d = BLNI_FMA##L(d, u, v); \
        e = BLNI_FMA##L(e, u, v); f = BLNI_FMA##L(f, u, v); g = BLNI_FMA##L(g, u, v); h = BLNI_FMA##L(h, u, v); \
        i = BLNI_FMA##L(i, u, v); j = BLNI_FMA##L(j, u, v); k = BLNI_FMA##L(k, u, v); l = BLNI_FMA##L(l, u, v); \
    } \
    a = BLNI_ADD##L(BLNI_ADD##L(BLNI_ADD##L(a, b), BLNI_ADD##L(c, d)), BLNI_ADD##L(BLNI_ADD##L(e, f), BLNI_ADD##L(g, h))); \
    BLNI_STORE##L(out, BLNI_ADD##L(a, BLNI_ADD##L(BLNI_ADD##L(i, j), BLNI_ADD##L(k, l)))); \
    return out[0]; \
}
PEAK(1)
#if BLNI_LEVELS > 1
PEAK(2)
#endif
#endif

/* Runs the peak for a while; flops. */
static double peak(void)
{
    static volatile double sink = 0.0;
    static double a[8*64], b[64*24], c[8*24];
    const int level = bln_cpu_level();
    const blni_kernels *kernel = blni_kernels_now();
    const size_t times = 40000;
#if BLNI_LEVELS > 0
    if (level == 1) { sink = peak1(times, 0.5); return 24.0*BLNI_LANES1*(double)times; }
#endif
#if BLNI_LEVELS > 1
    if (level == 2) { sink = peak2(times, 0.5); return 24.0*BLNI_LANES2*(double)times; }
#endif
    (void)level, (void)sink;
    for (size_t t = 0; t < times/64; t++)
        kernel->tile[2](kernel->rows, kernel->columns, 64, a, 1, (ptrdiff_t)kernel->rows, b, (ptrdiff_t)kernel->columns,
                        (ptrdiff_t)kernel->lanes, 1.0, 1, c, (ptrdiff_t)kernel->columns);
    sink = c[0];
    return 2.0*64.0*(double)(times/64)*(double)(kernel->rows*kernel->columns);
}

/* Operations in a second, the best of `rounds`. */
static inline double peak_rate(int rounds)
{
    double best = 0.0;
    for (int i = 0; i < rounds; i++) {
        const double t = seconds(), work = peak(), rate = work/(seconds() - t);
        if (rate > best) best = rate;
    }
    return best;
}

#endif

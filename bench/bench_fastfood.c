/* bench_fastfood.c - time of random Fourier features by Fastfood and by a product with a matrix of frequencies, at every level that
 * the machine has
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_fastfood.c -o build/bench_fastfood -lm && build/bench_fastfood [frequencies]
 *
 * Nanoseconds of processor time for each row and frequency, the least of several runs on blocks of 256 rows: features (a cosine and
 * a sine each; the column `sincos` is what these alone take), and the chain rule to ARD length scales and inputs. The last two
 * columns are the ratios product / Fastfood: above 1 Fastfood wins. Memory: 8 d bytes for a frequency of the product, 32 for one of
 * Fastfood. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <stdio.h>
#include <time.h>

enum { ROWS = 256, WIDEST = 1024, WAYS = 2 };

static double seconds(void) { return (double)clock()/CLOCKS_PER_SEC; }

typedef struct problem { const bln_basis *basis; double *X, *theta, *Phi, *F, *dtheta, *dX, *work; } problem;

static void features(const problem *p)
{
    bln_basis_features(p->basis, p->theta, ROWS, p->X, p->basis->d, p->Phi, p->basis->D, p->work);
}

static void pullback(const problem *p)
{
    bln_basis_pullback(p->basis, p->theta, ROWS, p->X, p->basis->d, p->Phi, p->basis->D, p->F, p->basis->D, p->dtheta, p->dX,
                       p->basis->d, p->work);
}

static void sincos_alone(const problem *p)
{
    const size_t J = p->basis->D/2;
    for (size_t i = 0; i < ROWS; i++) bln_sincos_quarter(J, p->F + 2*i*J, p->Phi + 2*i*J + J, p->Phi + 2*i*J);
}

/* ns for each row and frequency: runs of at least 5 ms, the best of 7. */
static double measure(void (*run)(const problem *), const problem *p)
{
    double best = HUGE_VAL;
    size_t times = 1;
    for (int i = 0; i < 7; i++)
        for (;;) {
            double t = seconds();
            for (size_t r = 0; r < times; r++) run(p);
            t = seconds() - t;
            if (t < 0.005) { times *= 2; continue; }
            best = fmin(best, t/(double)times);
            break;
        }
    return best*1e9/(double)ROWS/(double)(p->basis->D/2);
}

int main(int argc, char **argv)
{
    static const size_t dims[] = { 8, 16, 32, 64, 128, 256, 512, 1024 };
    const long asked = argc > 1 ? strtol(argv[1], NULL, 10) : 1024;
    const size_t J = asked > 0 ? (size_t)asked : 1024;
    const int best = bln_cpu_level_force(-1);
    problem p;
    bln_rng rng;
    p.X = (double *)malloc(ROWS*WIDEST*sizeof(double));
    p.theta = (double *)malloc(WIDEST*sizeof(double));
    p.Phi = (double *)malloc(2*ROWS*J*sizeof(double));
    p.F = (double *)malloc(2*ROWS*J*sizeof(double));
    p.dtheta = (double *)malloc(WIDEST*sizeof(double));
    p.dX = (double *)malloc(ROWS*WIDEST*sizeof(double));
    if (!p.X || !p.theta || !p.Phi || !p.F || !p.dtheta || !p.dX) return 1;
    bln_rng_seed(&rng, 1, 0);
    bln_rng_normals(&rng, ROWS*WIDEST, p.X);
    bln_rng_normals(&rng, 2*ROWS*J, p.F);
    memset(p.dX, 0, ROWS*WIDEST*sizeof(double));
    printf("%lu frequencies, ns for each row and frequency\n", (unsigned long)J);
    printf("level     d   sincos   features: product  Fastfood   chain rule: product  Fastfood   ratios\n");
    for (int level = 0; level <= best; level++)
        for (size_t k = 0; k < sizeof dims/sizeof *dims; k++) {
            bln_fourier_desc desc;
            bln_basis *basis[WAYS] = { NULL, NULL };
            double forward[WAYS], back[WAYS], alone = 0.0;
            bln_cpu_level_force(level);
            memset(&desc, 0, sizeof desc);
            desc.d = dims[k];
            desc.n = J;
            desc.ard = 1;
            if (bln_fourier_create(&desc, &basis[0], NULL) || bln_fastfood_create(&desc, &basis[1], NULL)) return 1;
            for (size_t i = 0; i < desc.d; i++) { p.theta[i] = sqrt((double)desc.d); p.dtheta[i] = 0.0; }
            for (size_t w = 0; w < WAYS; w++) {
                p.basis = basis[w];
                p.work = (double *)malloc(bln_basis_work(p.basis, ROWS)*sizeof(double));
                if (!p.work) return 1;
                forward[w] = measure(features, &p);
                back[w] = measure(pullback, &p);
                if (w == 0) alone = measure(sincos_alone, &p);
                free(p.work);
                bln_basis_free(basis[w]);
            }
            printf("%5d  %4lu  %7.2f  %18.2f  %8.2f  %20.2f  %8.2f  %5.2f  %5.2f\n", level, (unsigned long)desc.d, alone,
                   forward[0], forward[1], back[0], back[1], forward[0]/forward[1], back[0]/back[1]);
        }
    free(p.X); free(p.theta); free(p.Phi); free(p.F); free(p.dtheta); free(p.dX);
    return 0;
}

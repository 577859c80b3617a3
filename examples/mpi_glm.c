/* mpi_glm.c - outliers and several processes: noise of Student's t, learnt from rows that no process has all of
 *
 *     make examples-mpi && mpirun -np 2 build/examples/mpi_glm                        (at the top of the project; needs MPI:
 *                                                                 Debian's openmpi-bin and libopenmpi-dev)
 *
 * Each process has every np-th row of a made-up table: a wave, with noise, and one target of ten far off. They exchange only sums:
 * `sum`, below, is all that MPI does here. All take the same steps and end with the same model, to the bit, which is that of one
 * process with all rows but for the rounding of sums. Laplace's method, full, cavi and MAP can be shared so; rank 0 prints what
 * full and cavi learn (the wave is sin x, and sin 5 = -0.959). mpi_slm.c has rows from a file that is larger than memory. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { ROWS = 600 };

static bln_status sum(void *user, double *buf, size_t n)
{
    const MPI_Comm *comm = (const MPI_Comm *)user;
    return MPI_Allreduce(MPI_IN_PLACE, buf, (int)n, MPI_DOUBLE, MPI_SUM, *comm) == MPI_SUCCESS ? BLN_OK : BLN_EIO;
}

/* All processes draw the whole table, from the same seed, and keep rows rank, rank + ranks, ... */
static size_t make_rows(int rank, int ranks, double *x, double *y)
{
    bln_rng rng;
    size_t n = 0;
    bln_rng_seed(&rng, 1, 0);
    for (int i = 0; i < ROWS; i++) {
        const double at = 10.0*bln_rng_uniform(&rng), noise = bln_rng_normal(&rng), off = bln_rng_uniform(&rng) < 0.1 ? 20.0 : 1.0;
        if (i % ranks != rank) continue;
        x[n] = at;
        y[n++] = sin(at) + 0.2*off*noise;
    }
    return n;
}

static bln_status learn(MPI_Comm *comm, const bln_basis *basis, bln_glm_method method, const bln_data *data, int rank,
                        bln_report *report)
{
    bln_glm_desc desc = BLN_ZERO;
    bln_glm *glm = NULL;
    desc.basis = basis;
    desc.likelihood = bln_likelihood_student_t();
    desc.method = method;
    desc.allreduce = sum;
    desc.allreduce_user = comm;
    bln_status status = bln_glm_create(&desc, &glm, report);               /* fails in all processes or in none */
    if (status == BLN_OK) status = bln_glm_fit(glm, data, report);
    if (status == BLN_OK && rank == 0) {
        const double x_new = 5.0;
        double f, lower, upper;
        bln_data query = BLN_ZERO;
        query.n = query.d = 1;
        query.X = &x_new;
        status = bln_posterior_latent(bln_glm_posterior(glm), &query, &f, NULL, NULL, report);
        if (status == BLN_OK)
            status = bln_posterior_intervals(bln_glm_posterior(glm), &query, BLN_OF_F, 0.95, &lower, &upper, NULL, report);
        printf("%s\n  bound         %.8g\n  scale         %.6g\n  f(5)          %.5f\n  95 percent    %.5f to %.5f\n",
               bln_glm_method_name(glm), bln_glm_objective(glm), bln_glm_likelihood_theta(glm)[0], f, lower, upper);
    }
    bln_glm_free(glm);
    return status;
}

int main(int argc, char **argv)
{
    double x[ROWS], y[ROWS];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    bln_data data = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_spec_desc features = BLN_ZERO;
    bln_report report = BLN_ZERO;
    data.n = make_rows(rank, ranks, x, y);
    data.d = 1;
    data.X = x;
    data.y = y;
    features.text = "matern32:n=20 + bias";
    features.d = 1;
    bln_status status = bln_basis_parse(&features, &basis, &report);       /* the same seed, so the same basis everywhere */
    if (status == BLN_OK) status = learn(&world, basis, bln_glm_full(NULL), &data, rank, &report);
    if (status == BLN_OK) status = learn(&world, basis, bln_glm_cavi(NULL), &data, rank, &report);
    if (status != BLN_OK) fprintf(stderr, "rank %d: %s\n", rank, report.text);
    bln_basis_free(basis);
    MPI_Finalize();
    return status != BLN_OK;
}

/* mpi_slm.c - one model learnt by several processes, each of which reads a part of the file
 *
 *     make examples-mpi && mpirun -np 2 build/examples/mpi_slm                        (at the top of the project; needs MPI:
 *                                                                 Debian's openmpi-bin and libopenmpi-dev)
 *     mpirun -np 2 build/examples/mpi_slm FILE [SPEC]        FILE: CSV, numbers with a header line; the target comes last
 *     mpirun -np 2 build/examples/mpi_slm --check ...        also fits all rows on rank 0 alone, and compares the two models
 *
 * The processes exchange only sums: `sum`, below, is all that MPI does here. Each process reads its part of the file in blocks, as
 * often as the search needs, and never holds more than one block of it: a bln_source is two callbacks, here `rewind_part` and
 * `next_rows`. Every process ends with the same model, to the bit; rank 0 prints it. It differs from the model of one process only
 * by the rounding of sums in another order.
 *
 * Where processes come and go, as under Spark or Dask, let each make statistics of its rows (bln_statistics_add), send them as
 * bytes (bln_statistics_save), and merge them in a tree (bln_statistics_load): the same model for given length scales. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bln_status sum(void *user, double *buf, size_t n)
{
    const MPI_Comm *comm = (const MPI_Comm *)user;
    return MPI_Allreduce(MPI_IN_PLACE, buf, (int)n, MPI_DOUBLE, MPI_SUM, *comm) == MPI_SUCCESS ? BLN_OK : BLN_EIO;
}

static bln_status show(void *user, const bln_slm_progress *p)
{
    fprintf(stderr, "\r%s: iteration %lu, %lu evaluations, objective %.10g, %.0f s    ", (const char *)user,
            (unsigned long)p->iteration, (unsigned long)p->evaluations, p->objective, MPI_Wtime());
    return BLN_OK;
}

/* One part of the file as a source of rows: the lines that begin at bytes [first, last). */
enum { LINE = 65536, COLUMNS = 1024, BLOCK = 256 };
typedef struct part {
    FILE *file;
    const char *path;
    long first, last;
    size_t d, line;                                              /* input columns; lines of this pass so far */
    double *X, *y;                                               /* of a block */
} part;

static bln_status complain(bln_report *report, bln_status status, const part *p, const char *what)
{
    if (report)
        snprintf(report->text, sizeof report->text, "%s: line %lu of the part from byte %ld: %s", p->path, (unsigned long)p->line,
                 p->first, what);
    return status;
}

static bln_status rewind_part(void *user, bln_report *report)
{
    part *p = (part *)user;
    p->line = 0;
    return fseek(p->file, p->first, SEEK_SET) ? complain(report, BLN_EIO, p, "cannot go there") : BLN_OK;
}

static bln_status next_rows(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    part *p = (part *)user;
    char line[LINE];
    size_t n = 0;
    while (n < max_rows && n < BLOCK && ftell(p->file) < p->last && fgets(line, sizeof line, p->file)) {
        const char *at = line, *end = line + strlen(line);
        p->line++;
        for (size_t j = 0; j <= p->d; j++) {
            at = bln_decimal_read(at, end, j < p->d ? p->X + n*p->d + j : p->y + n);
            if (!at || (j < p->d && *at++ != ',')) return complain(report, BLN_EFORMAT, p, "not as many numbers as columns");
        }
        if (*at && *at != '\r' && *at != '\n') return complain(report, BLN_EFORMAT, p, "more than numbers, or too many of them");
        n++;
    }
    if (ferror(p->file)) return complain(report, BLN_EIO, p, "cannot be read");
    memset(block, 0, sizeof *block);
    block->n = n;
    block->d = p->d;
    block->X = p->X;
    block->y = p->y;
    return BLN_OK;
}

/* The first byte at or after `at` at which a line begins. */
static long line_from(FILE *file, long at)
{
    int c = 0;
    fseek(file, at - 1, SEEK_SET);
    while (c != '\n' && c != EOF) c = fgetc(file);
    return ftell(file);
}

static bln_status open_part(const char *path, int rank, int ranks, part *p, bln_report *report)
{
    char line[LINE];
    p->path = path;
    p->file = fopen(path, "rb");
    if (!p->file || !fgets(line, sizeof line, p->file)) return complain(report, BLN_EIO, p, "cannot be read");
    for (const char *at = line; *at; at++) p->d += *at == ',';
    if (p->d > COLUMNS) return complain(report, BLN_EFORMAT, p, "too many columns");
    const long begin = ftell(p->file);
    fseek(p->file, 0, SEEK_END);
    const long size = ftell(p->file) - begin;
    p->first = line_from(p->file, begin + (long)((double)size*rank/ranks));
    p->last = line_from(p->file, begin + (long)((double)size*(rank + 1)/ranks));
    p->X = (double *)malloc(BLOCK*(p->d + 1)*sizeof *p->X);
    if (!p->X) return complain(report, BLN_ENOMEM, p, "out of memory");
    p->y = p->X + BLOCK*p->d;
    return BLN_OK;
}

/* A model of the rows of all processes of comm; if comm has one process, of the whole file. */
static bln_status learn(MPI_Comm *comm, const char *path, const char *spec, bln_slm **model, bln_report *report)
{
    int rank, ranks;
    part mine = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_spec_desc features = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    MPI_Comm_rank(*comm, &rank);
    MPI_Comm_size(*comm, &ranks);
    bln_status status = open_part(path, rank, ranks, &mine, report);
    if (status == BLN_OK) {
        features.text = spec;
        features.d = mine.d;
        status = bln_basis_parse(&features, &basis, report);
    }
    if (status == BLN_OK) {
        desc.basis = basis;
        if (ranks > 1) desc.allreduce = sum;
        desc.allreduce_user = comm;
        if (rank == 0 && isatty(STDERR_FILENO)) desc.monitor = show;
        desc.monitor_user = ranks > 1 ? (void *)"all" : (void *)"alone";
        status = bln_slm_create(&desc, model, report);
    }
    /* A process that cannot begin must tell the others, which would wait for it. */
    int failed = status != BLN_OK, any;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, *comm);
    if (!any) {
        const bln_source rows = { mine.d, rewind_part, next_rows, &mine };
        status = bln_slm_fit_source(*model, &rows, report);
    }
    if (mine.file) fclose(mine.file);
    free(mine.X);
    return status != BLN_OK || !any ? status : BLN_EPEER;       /* the basis is freed with the process */
}

static void print_model(const bln_slm *model)
{
    const bln_basis *basis = bln_slm_basis(model);
    char name[100];
    printf("rows          %.0f\nlog evidence  %.10g\nnoise sd      %.8g\n", bln_slm_rows(model), bln_slm_evidence(model),
           sqrt(bln_slm_noise_var(model)));
    for (size_t s = 0; s < basis->n_slices; s++) {
        bln_basis_slice_name(basis, s, NULL, name, sizeof name);
        printf("prior sd      %.8g  %s\n", sqrt(bln_slm_prior_var(model)[s]), name);
    }
    for (size_t k = 0; k < basis->n_theta; k++) {
        bln_basis_param_name(basis, k, NULL, name, sizeof name);
        printf("              %.8g  %s\n", bln_slm_theta(model)[k], name);
    }
}

static double relative(double a, double b) { return fabs(a - b)/(fabs(a) > fabs(b) ? fabs(a) : fabs(b)); }

/* Compares the evidence, to 1e-10; the noise variance; and the weights, in units of their standard deviations. */
static int compare(const bln_slm *all, const bln_slm *alone)
{
    const size_t D = bln_slm_basis(all)->D;
    double weight = 0.0, *a = (double *)malloc(3*D*sizeof *a), *b = a + D, *sd = b + D;
    if (!a || bln_posterior_coefficients(bln_slm_posterior(all), a, NULL, 0, NULL, NULL, NULL, NULL) != BLN_OK
        || bln_posterior_coefficients(bln_slm_posterior(alone), b, sd, 0, NULL, NULL, NULL, NULL) != BLN_OK) return 1;
    for (size_t j = 0; j < D; j++) if (fabs(a[j] - b[j])/sd[j] > weight) weight = fabs(a[j] - b[j])/sd[j];
    free(a);
    const double evidence = relative(bln_slm_evidence(all), bln_slm_evidence(alone));
    const double noise = relative(bln_slm_noise_var(all), bln_slm_noise_var(alone));
    printf("against one process: log evidence %.1e, noise variance %.1e (relative), weights %.1e (of their sd)\n", evidence, noise,
           weight);
    return !(evidence < 1e-10);
}

int main(int argc, char **argv)
{
    int rank, bad;
    MPI_Init(&argc, &argv);
    MPI_Comm world = MPI_COMM_WORLD, self = MPI_COMM_SELF;
    MPI_Comm_rank(world, &rank);
    const int check = argc > 1 && !strcmp(argv[1], "--check");
    const char *path = argc > 1 + check ? argv[1 + check] : "examples/data/boston.csv";
    const char *spec = argc > 2 + check ? argv[2 + check] : "rbf:n=30,ard+linear";
    bln_slm *model = NULL, *alone = NULL;
    bln_report report = BLN_ZERO;
    bad = learn(&world, path, spec, &model, &report) != BLN_OK;
    if (bad) fprintf(stderr, "rank %d: %s\n", rank, report.text);
    else if (rank == 0) {
        print_model(model);
        if (check && learn(&self, path, spec, &alone, &report) != BLN_OK) {
            fprintf(stderr, "alone: %s\n", report.text);
            bad = 1;
        } else if (check) bad = compare(model, alone);
    }
    bln_slm_free(model);
    bln_slm_free(alone);
    MPI_Barrier(world);
    MPI_Finalize();
    return bad;
}

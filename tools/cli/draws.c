/* draws: asks the library at standardised rows, and takes the answers back to the units of the data */
#include "draws.h"
#include <stdlib.h>
#include <string.h>

enum { DRAWS_POINTS = 4000 };              /* what features miss of f takes a matrix of so many rows and columns */

/* Do some of the features miss prior variance? */
static int draws_misses(const bln_basis *b)
{
    for (size_t s = 0; s < b->n_slices; s++) if (bln_basis_variance(b, s) > 0.0) return 1;
    return 0;
}

int draws_make(const model *m, const bln_data *rows, size_t S, uint64_t seed, double *out, cli_why *why)
{
    const size_t P = m->cols.n_targets, misses = (size_t)draws_misses(model_basis(m));
    bln_draw_desc draws;
    bln_report report;
    if (!m->glm && misses && rows->n > DRAWS_POINTS)
        return cli_fail(why, "draws: beside inducing points a draw takes all rows at once, %d of them at most: cut the table",
                        (int)DRAWS_POINTS);
    double *room = (double *)cli_memory(rows->n, (rows->d + P)*sizeof *room);
    memset(&draws, 0, sizeof draws);
    bln_report_clear(&report);
    draws.n = S;
    draws.seed = seed;
    draws.noise = 1;
    bln_data data = model_view(m, rows, room);
    data.weight = NULL;
    if (!m->glm) draws.residual = BLN_RESIDUAL_JOINT;
    const bln_status status = bln_posterior_draws(model_posterior(m), &data, &draws, out, NULL, 0, NULL, &report);
    for (size_t s = 0; s < S && status == BLN_OK; s++) model_back(m, rows, out + s*rows->n*P);
    free(room);
    return status == BLN_OK ? CLI_GOOD : model_why(why, "draws", status, &report);
}

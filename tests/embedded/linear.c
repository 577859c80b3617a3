/* linear.c - the smallest machine: a straight line with learnt noise and prior variances, fitted and asked where it stands
 *
 *     sh tests/embedded/run.sh linear */
#include "board.h"

int program(void)
{
    static const double x[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, y[] = { 0.3, 0.9, 2.4, 2.8, 4.3, 4.9, 6.2, 6.9 };
    static const double x_new[] = { 3.5, 10, -2 };
    bln_data data = BLN_ZERO, query = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_basis *line = NULL;
    bln_slm *model = NULL;
    bln_report report = BLN_ZERO;
    double mean[3], latent[3], noise[3];
    int i;
    data.n = 8;
    data.d = 1;
    data.X = x;
    data.y = y;
    query.n = 3;
    query.d = 1;
    query.X = x_new;
    if (bln_linear_create(NULL, 1, 1, &line)) return 1;
    desc.basis = line;
    if (bln_slm_create(&desc, &model, &report) || bln_slm_fit(model, &data, &report)
        || bln_slm_predict(model, &query, mean, latent, noise, NULL, &report)) { board_text(report.text); return 1; }
    for (i = 0; i < 3; i++) {
        board_number("mean", mean[i]);
        board_number("latent", latent[i]);
        board_number("noise", noise[i]);
    }
    board_number("evidence", bln_slm_evidence(model));
    bln_slm_free(model);
    bln_basis_free(line);
    return 0;
}

/* sequential.c - a filter: rows come one at a time, each is forecast from those before it, and old ones are forgotten
 *
 *     sh tests/embedded/run.sh sequential */
#include "board.h"

int program(void)
{
    static const double y[] = { 0.3, 0.9, 2.4, 2.8, 4.3, 4.9, 6.2, 6.9, 7.1, 7.0, 6.8, 6.9 }, prior_var = 4.0, x_new = 15.0;
    bln_data row = BLN_ZERO, query = BLN_ZERO;
    bln_sequential_desc desc = BLN_ZERO;
    bln_basis *line = NULL;
    bln_sequential *model = NULL;
    bln_report report = BLN_ZERO;
    double mean, var, logp, latent;
    int i;
    if (bln_linear_create(NULL, 1, 1, &line)) return 1;
    desc.basis = line;
    desc.noise_var = 0.1;
    desc.prior_var = &prior_var;
    if (bln_sequential_create(&desc, &model, &report)) { board_text(report.text); return 1; }
    row.n = 1;
    row.d = 1;
    for (i = 0; i < 12; i++) {
        const double x = i;
        row.X = &x;
        row.y = &y[i];
        if (bln_sequential_forget(model, 0.9, &report) || bln_sequential_add(model, &row, &mean, &var, &logp, &report)) {
            board_text(report.text);
            return 1;
        }
        board_number("mean", mean);
        board_number("var", var);
        board_number("logp", logp);
    }
    query.n = 1;
    query.d = 1;
    query.X = &x_new;
    if (bln_sequential_predict(model, &query, &mean, &latent, &var, NULL, &report)) { board_text(report.text); return 1; }
    board_number("mean", mean);
    board_number("latent", latent);
    board_number("total", var);
    board_number("evidence", bln_sequential_evidence(model));
    bln_sequential_free(model);
    bln_basis_free(line);
    return 0;
}

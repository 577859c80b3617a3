/* no_text.c - BAYESLIN_NO_TEXT: a failure has its status, row and column, and no words */
#define BAYESLIN_NO_TEXT
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "slope.h"

int main(void)
{
    const double x[] = { 0, 1, 2, 3 }, y[] = { 0, 1, -1, 3 };
    bln_slm_desc desc = BLN_ZERO;
    bln_data data = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *line = NULL;
    bln_slm *model = NULL;
    double broken[4];
    bln_status status;
    memcpy(broken, x, sizeof x);
    broken[2] = HUGE_VAL;
    data.n = 4;
    data.d = 1;
    data.X = broken;
    data.y = y;
    if (bln_linear_create(NULL, 1, 1, &line) != BLN_OK) return 1;
    desc.basis = line;
    if (bln_slm_create(&desc, &model, &report) != BLN_OK) return 1;
    status = bln_slm_fit(model, &data, &report);
    bln_slm_free(model);
    bln_basis_free(line);
    if (status != BLN_EDATA || report.row != 2 || report.column != 0 || report.text[0]) return 1;
    return fabs(slope() - 2.0) < 0.01 ? 0 : 1;
}

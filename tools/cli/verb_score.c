/* score: how well a model predicts a table that holds the target too */
#include "output.h"
#include "rows.h"
#include "scores.h"
#include "verbs.h"

#include <math.h>

static int score_print(size_t n, const double *score, cli_why *why)
{
    output out;
    const int status = output_open(NULL, &out, why);
    if (status) return status;
    fprintf(out.file, "n %lu\n", (unsigned long)n);
    /* A NaN has a sign, which some C libraries print. */
    for (size_t k = 0; k < SCORE_COUNT; k++)
        fprintf(out.file, "%s %.8g\n", scores_names[k], score[k] != score[k] ? fabs(score[k]) : score[k]);
    return output_close(&out, why);
}

int verb_score(const options *o, cli_why *why)
{
    frame f;
    model m;
    double score[SCORE_COUNT];
    int status = model_load(o->model, &m, why);
    if (status) return status;
    status = frame_for_model(o, &m.cols, 1, &f, why);
    if (!status) {
        cli_rows rows;
        if (f.dropped) cli_note("%s: %lu of %lu rows have missing values and are left out", f.table.file, (unsigned long)f.dropped,
                                (unsigned long)f.table.n_rows);
        status = rows_read(&m.cols, &f.table, f.at, f.n, f.rows, o->unseen_zero, &rows, why);
        if (!status) status = scores_of(&m, &rows.data, score, why);
        if (!status) status = score_print(f.n, score, why);
        rows_free(&rows);
        frame_free(&f);
    }
    model_free(&m);
    return status;
}

/* score: how well a model predicts a table that holds the target too */
#include "calibrate.h"
#include "glm.h"
#include "rows.h"
#include "scores.h"
#include "verbs.h"
#include <stdlib.h>

/* --loo: of the training table, each row (or group) by a model of the others. */
static int score_rows(const options *o, const model *m, const frame *f, cli_why *why)
{
    double *score = (double *)cli_memory(m->cols.n_targets, SCORE_COUNT*sizeof *score);
    cli_rows rows;
    bln_elpd waic;
    size_t n = f->n;
    int status = rows_read(&m->cols, &f->table, f->at, f->n, f->rows, o->unseen_zero, &rows, why);
    if (!status && m->glm)
        status = glm_check_rows(&m->likelihood, &m->cols, &f->table, f->at, f->rows, &rows.data, why);
    if (!status && o->loo) status = scores_left_out(m, &rows, o->loo_by, &n, score, why);
    else if (!status) status = scores_of(m, &rows.data, score, why);
    if (!status && o->waic) status = glm_waic(m, &rows.data, &waic, why);
    if (!status) scores_print(m, stdout, "", n, score);
    if (!status && o->waic) scores_print_waic(&waic, stdout, "");
    rows_free(&rows);
    free(score);
    return status;
}

int verb_score(const options *o, cli_why *why)
{
    frame f;
    model m;
    int status = model_load(o->model, &m, why);
    if (status) return status;
    if (o->loo && m.integrated)
        status = cli_fail(why, "--loo: %s was fitted with --integrate and has no learnt variances; see cv --folds for scores",
                          o->model);
    const char *what = o->waic ? "--waic" : o->loo_by ? "--loo-by" : NULL;
    if (!status && what && !m.glm) status = cli_fail(why, "%s is for models of --model glm, and %s is none", what, o->model);
    if (!status && (o->loo || o->waic) && m.glm && glm_is_point(&m))
        status = cli_fail(why, "%s: %s is by --inference %s and has no posterior %s", o->loo ? "--loo" : "--waic", o->model,
                          bln_glm_method_name(m.glm),
                          o->loo ? "that a row could be left out of" : "to average over");
    if (!status && o->loo_by == LOO_CAVITY && glm_mixture(&m))
        status = cli_fail(why, "--loo-by cavity: the posterior of %s is a mixture, which goes by psis", o->model);
    if (!status && o->loo_group && m.glm && (glm_mixture(&m) || o->loo_by == LOO_PSIS))
        status = cli_fail(why, "--loo-group: groups are left out of models by --inference laplace, or full, and not by draws: %s",
                          o->model);
    if (!status) status = frame_for_model(o, &m.cols, o->loo || o->waic ? COLUMNS_LEAVE_OUT : COLUMNS_SCORE, &f, why);
    if (!status) {
        frame_note_dropped(&f, "are left out");
        calibrate_note(&m, scores_level);
        status = score_rows(o, &m, &f, why);
        frame_free(&f);
    }
    model_free(&m);
    return status;
}

/* score: how well a model predicts a table that holds the target too */
#include "calibrate.h"
#include "classes.h"
#include "glm.h"
#include "help.h"
#include "predictions.h"
#include "rows.h"
#include "scores.h"
#include "verbs.h"
#include <stdlib.h>
#include <string.h>

const cli_text verb_score_text = {
    "usage: bayeslin score MODEL DATA.csv [--loo] [--loo-group COL] [--loo-by cavity|psis] [--waic]\n"
    "                      [--missing drop] [--unseen zero|new] [--sep SEP] [--decimal MARK]\n",
    "\n"
    "Predicts rows whose target is known and prints lines `name value`, of several outputs\n"
    "under a line `output A` for each:\n"
    "\n"
    "  bayeslin score houses.bln test.csv\n"
    "\n"
    "  n           rows; with weights their sum\n"
    "  r2          1 - smse: 1 is perfect, 0 is no better than the mean of these rows\n"
    "  rmse        root mean squared error, in units of the target\n"
    "  smse        mean squared error over the variance of these targets\n"
    "  mll         mean negative log density of the targets: lower is better; wrong intervals\n"
    "              cost too\n"
    "  msll        mll minus that of a normal with mean and variance of the training targets:\n"
    "              below 0 is better than that\n"
    "  coverage95  share of targets in their 95 % interval: 0.95, give or take sqrt(0.05/n)\n"
    "\n"
    "Of classes: log_loss, error_rate, brier and which class is taken for which: help classes.\n"
    "A score that these rows do not define (r2 where all targets are the same, mll where a\n"
    "variance is 0) is nan. On training rows all of them flatter. A row of weight k counts as\n"
    "k rows, if the table has the column of the fit's --weights. Offsets and noise variances\n"
    "count as in `bayeslin predict --help`; msll compares targets without their offsets.\n"
    "\n"
    "  --loo               DATA.csv is the table of the fit: each row is predicted from the others\n"
    "                      (exact; with --likelihood nearly, see help glm; variances and length\n"
    "                      scales stay as learnt from all)\n"
    "  --loo-group COL     the same, leaving out all rows with the same text or number in COL\n"
    "  --loo-by, --waic    of a model fitted with --likelihood: bayeslin help glm\n"
    "  --unseen zero, new  a word that the training rows did not have is none of theirs (all\n"
    "                      indicators 0) instead of an error; of by= in the basis zero is the\n"
    "                      population, and new is a group that was not seen\n"
    HELP_TABLE
};

/* --loo: of the training table, each row (or group) by a model of the others. */
static int score_rows(const options *o, const model *m, const frame *f, cli_why *why)
{
    double *score = (double *)cli_memory(m->cols.n_targets, SCORE_COUNT*sizeof *score);
    cli_rows rows;
    bln_elpd waic;
    double n = 0.0;
    int status = rows_read(&m->cols, &f->table, f->at, f->n, f->rows, o->unseen, &rows, why);
    if (!status && m->glm)
        status = glm_check_rows(&m->likelihood, &m->cols, &f->table, f->at, f->rows, &rows.data, why);
    if (!status && !o->loo) predictions_note_empty(m, f->table.file, &rows.data);
    if (!status && o->loo) status = scores_left_out(m, &rows, o->loo_by, &n, score, why);
    else if (!status) status = scores_of(m, &rows, f->table.file, &n, score, NULL, why);
    if (!status && o->waic) status = glm_waic(m, &rows.data, &waic, why);
    if (!status) scores_print(m, &o->to, "", n, score);
    if (!status && !o->loo) status = classes_confusion(m, &rows.data, &o->to, why);
    if (!status && o->waic) scores_print_waic(&waic, &o->to, "");
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
    if (!status && (o->loo || o->waic) && m.glm && glm_latents(&m) > 1)
        status = cli_fail(why, "%s: rows of %s are not left out: cv --folds K scores them", o->loo ? "--loo" : "--waic",
                          classes_of(&m) ? "classes" : "a mean and its noise");
    if (!status && (o->loo || o->waic) && glm_quantile(&m) > 0.0)
        status = cli_fail(why, "%s: %s is of a quantile, beside which the density is made up, and its logarithm scores nothing: "
                               "cv --folds K has the pinball loss of rows left out", o->loo ? "--loo" : "--waic", o->model);
    cli_shown shown;
    for (size_t k = 0; k < m.cols.n_targets && !status && o->loo_group; k++)
        if (!strcmp(o->loo_group, m.cols.targets[k]))
            status = cli_misuse(why, "--loo-group: column \"%s\" is the target", cli_show(&shown, o->loo_group));
    const char *what = o->waic ? "--waic" : o->loo_by ? "--loo-by" : NULL;
    if (!status && what && !m.glm)
        status = cli_fail(why, "%s is for models fitted with --likelihood, and %s is none", what, o->model);
    if (!status && (o->loo || o->waic) && m.glm && glm_is_point(&m))
        status = cli_fail(why, "%s: %s is by --inference %s and has no posterior %s", o->loo ? "--loo" : "--waic", o->model,
                          bln_glm_method_name(m.glm),
                          o->loo ? "that a row could be left out of" : "to average over");
    if (!status && o->loo_by == LOO_CAVITY && glm_mixture(&m))
        status = cli_fail(why, "--loo-by cavity: the posterior of %s is a mixture or of draws, which go by psis", o->model);
    if (!status && o->loo_group && m.glm && (glm_mixture(&m) || o->loo_by == LOO_PSIS))
        status = cli_fail(why, "--loo-group: groups are left out of models by --inference laplace, or full, and not by draws: %s",
                          o->model);
    if (!status) status = frame_for_model(o, &m.cols, o->loo || o->waic ? COLUMNS_LEAVE_OUT : COLUMNS_WEIGH, &f, why);
    if (!status) {
        frame_note_dropped(&f, "are left out");
        calibrate_note(&m, scores_level);
        status = score_rows(o, &m, &f, why);
        frame_free(&f);
    }
    model_free(&m);
    return status;
}

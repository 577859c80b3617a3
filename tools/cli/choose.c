/* choose: the table of what was tried, and the SPEC that is saved with the model like one that was given */
#include "choose.h"
#include "glm.h"
#include "model_parts.h"
#include "number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The budget of --basis auto, as text: what stands after "auto:budget=", or the default. NULL: the basis is given. */
static const char *choose_budget(const options *o)
{
    static const char with[] = "auto:budget=";
    if (!o->basis || !strcmp(o->basis, "auto")) return "4e12";
    return strncmp(o->basis, with, sizeof with - 1) ? NULL : o->basis + sizeof with - 1;
}

int choose_is_asked(const options *o) { return choose_budget(o) != NULL; }

/* The first option given that does not go with every basis, or NULL. */
static const char *choose_hindered(const options *o)
{
    return o->verb == VERB_STATS ? "stats" : o->stream ? "--stream" : o->prior == CLI_PRIOR_FLAT ? "--prior flat"
         : o->prior == CLI_PRIOR_EACH ? "--prior each" : o->arithmetic > BLN_SLM_DOUBLE ? "--arithmetic"
         : o->optimiser ? "--optimiser" : o->residual ? "--residual" : NULL;
}

int choose_check_options(const options *o, cli_why *why)
{
    double budget;
    if (!choose_is_asked(o)) {
        if (!strncmp(o->basis, "auto:", 5)) return cli_misuse(why, "--basis %s: auto has one option, budget=FLOPS", o->basis);
        return CLI_GOOD;
    }
    const char *text = choose_budget(o), *what = choose_hindered(o);
    if (what)
        return cli_misuse(why, "--basis is needed: %s goes with one that is given, not with one that is chosen from the rows",
                          what);
    if (number_read(text, &budget) != NUMBER_VALUE || !(budget > 0.0))
        return cli_misuse(why, "--basis auto: budget wants a number of operations above 0, not \"%s\"", text);
    return CLI_GOOD;
}

/* Why the highest score, and the highest after what is taken off, were not chosen, if they are of other bases; and why the evidence
 * of the fit is another one. */
static void choose_explain(const cli_answer *to, const bln_auto_basis *found, const double *score, const model *m)
{
    const bln_auto_tried *t = found->tried, *best = t + found->best;
    size_t top = found->best, first = found->best;
    for (size_t k = 0; k < found->n; k++) {
        if (t[k].left_out != best->left_out) continue;                                             /* of the same rows */
        if (score[k] > score[top]) top = k;
        if (score[k] - t[k].penalty > score[first] - t[first].penalty) first = k;
    }
    if (top != first)
        say(to, "  with a nat less for each variance and length scale of a kernel, as learning them raises the score:\n"
                "  %13.8g  %s\n  %13.8g  %s\n", score[top] - t[top].penalty, t[top].text, score[first] - t[first].penalty,
            t[first].text);
    if (first != found->best)
        say(to, "  %s is not taken: squared errors of its rows, each left\n"
                "  out, are larger than another basis's, by %.2f standard errors of the differences\n", t[first].text,
            t[first].excess);
    if (!m->likelihood.ops && m->scaled && !best->left_out)
        say(to, "  the log evidence below is another: in this table the constant shares the prior of linear, below it has a wide "
                "one\n");
}

/* Scores in the units of the data, as the log evidence is shown. */
static void choose_print(const cli_answer *to, const bln_auto_basis *found, const model *m, double weight, size_t n)
{
    size_t rows = 0, left_out = 0;
    cli_counted all;
    double scores[BLN_AUTO_MOST];
    json_array(to->json, "tried");
    for (size_t k = 0; k < found->n; k++) {
        const bln_auto_tried *t = found->tried + k;
        if (k == 0 || t->left_out != left_out) {
            rows = t->rows;
            left_out = t->left_out;
            say(to, "bases tried on   %lu of %s, by the log %s\n", (unsigned long)rows, cli_count(&all, n, "row"),
                left_out ? "density of others" : "evidence");
            say(to, "  %13s  %11s  %s\n", left_out ? "log density" : "log evidence", "evaluations", "basis");
        }
        const double of = weight*(double)(left_out ? left_out : rows)/(double)n;
        const double score = t->status == BLN_OK ? bln_scaler_logp_back(m->scaler, of, t->score) : NAN;
        scores[k] = score;
        if (t->status == BLN_OK) say(to, "  %13.8g  %11lu  %s\n", score, (unsigned long)t->evaluations, t->text);
        else say(to, "  %13s  %11s  %s  (%s)\n", "-", "-", t->text, bln_status_text(t->status));
        json_object(to->json, NULL);
        json_text(to->json, "basis", t->text);
        json_text(to->json, "by", left_out ? "log_density" : "log_evidence");
        json_number(to->json, "score", score);
        json_count(to->json, "rows", rows);
        json_count(to->json, "left_out", left_out);
        json_count(to->json, "evaluations", t->evaluations);
        json_number(to->json, "excess", t->excess);
        json_text(to->json, "failure", t->status == BLN_OK ? NULL : bln_status_text(t->status));
        json_end(to->json);
    }
    json_end(to->json);
    say(to, "chosen           --basis %s\n", found->text);
    choose_explain(to, found, scores, m);
    if (to->text) fflush(to->text);
}

static bln_status choose_run(const options *o, const model_rows *rows, progress *p, const model *m, bln_auto_basis *found,
                             bln_report *report)
{
    prior none;
    bln_auto_basis_desc desc;
    memset(&none, 0, sizeof none);
    memset(&desc, 0, sizeof desc);
    desc.seed = o->seed;
    number_read(choose_budget(o), &desc.budget);
    const double weight = model_total_weight(&rows->seen);
    if (o->glm) {
        const bln_glm_desc model_of = glm_desc(o, &none, m, p);
        p->scaler = m->scaler;
        p->n = weight;
        return bln_auto_basis_glm(&model_of, &desc, &rows->seen, found, report);
    }
    bln_slm_desc model_of = model_desc(o, m, &none, rows->seen.n, weight, p);
    model_of.starts = 1;
    return bln_auto_basis_slm(&model_of, &desc, &rows->seen, found, report);
}

int choose_basis(const options *o, const bln_data *raw, progress *p, model *m, cli_why *why)
{
    bln_auto_basis found;
    bln_report report;
    model_rows rows;
    bln_report_clear(&report);
    m->scaled = !o->no_scale;
    int status = model_see(o, raw, m, &rows, why);
    if (!status) {
        const double began = system_clock();
        const bln_status got = choose_run(o, &rows, p, m, &found, &report);
        m->seconds += system_clock() - began;
        progress_wipe(p);
        if (got != BLN_OK) status = model_why(why, "--basis auto: the fit failed", got, &report);
    }
    if (!status) {
        free(m->spec);
        m->spec = cli_copy(found.text);
        if (o->verb == VERB_FIT) choose_print(&o->to, &found, m, model_total_weight(&rows.seen), raw->n);
        else cli_note("%s: chosen: --basis %s", p->label, found.text);
    }
    free(rows.room);
    return status;
}

/* diagnose: may the draws of a sampler be believed? A table, warnings, and a picture of what mixes worst */
#include "../plot.h"
#include "chains.h"
#include "number.h"
#include "output.h"
#include "reference.h"
#include "verbs.h"
#include <math.h>
#include <stdlib.h>

const cli_text verb_diagnose_text = {
    "usage: bayeslin diagnose DRAWS.csv...|MODEL [-o TRACES.svg] [--reference DRAWS]\n",
    "\n"
    "Reads draws of Markov chains and tells whether they may be believed, and what to do if\n"
    "not. Exit status 0: nothing is wrong that can be seen; 3: there are warnings that make\n"
    "the draws doubtful; 1: they could not be read.\n"
    "\n"
    "  bayeslin diagnose draws.csv -o traces.svg\n"
    "  bayeslin diagnose output_1.csv output_2.csv output_3.csv output_4.csv\n"
    "  bayeslin diagnose model.bln\n"
    "\n"
    "DRAWS.csv: a column for each parameter, a line for each draw, as bln_chains_write_csv,\n"
    "CmdStan, R (write.csv of draws_df) and Python (cmdstanpy, arviz) write it. A column chain,\n"
    ".chain or chain__ tells the chains; without one a file is one chain. Columns whose names end\n"
    "in __ are the sampler's: divergent__, treedepth__ and energy__ are looked at. Lines that\n"
    "begin with # are passed over. Leave warm-up draws out.\n"
    "MODEL: a file that `fit --inference nuts` or gibbs wrote, which holds all draws: of weights as\n"
    "the model has them (of standardised columns), prior variances, and what else was learnt.\n"
    "\n"
    "  mean, sd, q5, median, q95   of all draws\n"
    "  mcse                        standard error of the mean, as the draws are finite\n"
    "  rhat                        1 where chains agree; at most 1.01 is wanted\n"
    "  ess_bulk, ess_tail          how many independent draws these are worth, for the middle and\n"
    "                              for the ends of intervals; 100 a chain are wanted\n"
    "\n"
    "  -o TRACES.svg       also --output: traces, a colour for each chain, and autocorrelations of\n"
    "                      the (at most 6) parameters that mix worst; divergent draws are red\n"
    "\n"
    "  --reference DRAWS   draws of the same distribution that are known to be right, as CSV or as\n"
    "                      the JSON of posteriordb, [{\"mu\": [1.5, 2.5], ...}, ...]: means and sds of\n"
    "                      both, and z, the difference over its standard error. Exit status 3 where\n"
    "                      a |z| is above 4\n"
    "\n"
    "Where a warning says accept, Stan calls it adapt_delta. More: docs/diagnosing_chains.md.\n"
};

/* Is the column one of those that are judged? */
static int diagnose_judges(const bln_chains *c, size_t column)
{
    return bln_chains_is_parameter(c, column) || !strcmp(bln_chains_name(c, column), "lp__");
}

/* ---- table */

static void diagnose_table(const bln_chains *c, const bln_summary *of, const cli_answer *to)
{
    enum { N = 9 };
    static const char *const names[N] = { "mean", "mcse", "sd", "q5", "median", "q95", "rhat", "ess_bulk", "ess_tail" };
    static const int wide[N] = { 10, 10, 10, 10, 10, 10, 6, 8, 8 };
    cli_shown shown;
    size_t width = 4;
    for (size_t k = 0; k < bln_chains_columns(c); k++) {
        const size_t n = strlen(cli_show(&shown, bln_chains_name(c, k)));
        if (diagnose_judges(c, k) && n > width) width = n;
    }
    say(to, "%-*s", (int)width, "name");
    for (size_t i = 0; i < N; i++) say(to, " %*s", wide[i], names[i]);
    say(to, "\n");
    json_array(to->json, "parameters");
    for (size_t k = 0; k < bln_chains_columns(c); k++) {
        const bln_summary *s = &of[k];
        const double figure[] = { s->mean, s->mcse_mean, s->sd, s->q05, s->median, s->q95, s->rhat, s->ess_bulk, s->ess_tail };
        if (!diagnose_judges(c, k)) continue;
        say(to, "%-*s", (int)width, cli_show(&shown, bln_chains_name(c, k)));
        json_object(to->json, NULL);
        json_text(to->json, "name", bln_chains_name(c, k));
        for (size_t i = 0; i < N; i++) {
            say(to, i < 6 ? " %10.4g" : i == 6 ? " %6.3f" : " %8.0f", number_plain(figure[i]));
            json_number(to->json, names[i], figure[i]);
        }
        say(to, "\n");
        json_end(to->json);
    }
    json_end(to->json);
}

/* ---- picture */

enum { DIAGNOSE_ROWS = 6, DIAGNOSE_POINTS = 600, DIAGNOSE_LAGS = 50, DIAGNOSE_COLORS = 8,
       DIAGNOSE_TRACE = 640, DIAGNOSE_BARS = 360, DIAGNOSE_HEIGHT = 220, DIAGNOSE_TOP = 40 };

/* All draws of a column, thinned to what a line can show; those that diverged as points. */
static void diagnose_trace(FILE *file, const bln_chains *c, size_t column, int row, const char *title)
{
    static const char *const color[DIAGNOSE_COLORS] = { "#1f4e8c", "#e08214", "#2a8a57", "#8e4fa8", "#7a5230", "#d05a8c", "#5a5a5a",
                                                        "#1b9aaa" };
    const bln_series s = bln_chains_series(c, column), diverged = bln_chains_series(c, bln_chains_find(c, "divergent__"));
    const size_t step = (s.draws + DIAGNOSE_POINTS - 1)/DIAGNOSE_POINTS, n = s.draws*s.chains;
    double *x = (double *)cli_memory(n, 2*sizeof *x), *y = x + n, low = s.x[0], high = s.x[0];
    size_t m = 0;
    plot_figure p;
    for (size_t i = 0; i < n; i++) {
        const double v = s.x[i/s.chains*s.ld + i % s.chains*s.ldchain];
        if (v < low) low = v;
        if (v > high) high = v;
    }
    plot_panel(&p, file, 2*row, 0, row*DIAGNOSE_HEIGHT, DIAGNOSE_TRACE, DIAGNOSE_HEIGHT, DIAGNOSE_TOP, title, "draw", "", 0.0,
               (double)s.draws, low - 0.03*(high - low), high + 0.03*(high - low));
    p.stroke = 0.8;
    for (size_t k = 0; k < s.chains; k++) {
        m = 0;
        for (size_t i = 0; i < s.draws; i += step, m++) {
            x[m] = (double)i + 1.0;
            y[m] = s.x[i*s.ld + k*s.ldchain];
        }
        plot_line(&p, m, x, y, color[k % DIAGNOSE_COLORS], "");
    }
    m = 0;
    for (size_t i = 0; i < n && diverged.x; i++) {
        if (diverged.x[i/s.chains*s.ld + i % s.chains*s.ldchain] < 1.0) continue;
        x[m] = (double)(i/s.chains) + 1.0;
        y[m++] = s.x[i/s.chains*s.ld + i % s.chains*s.ldchain];
    }
    plot_points(&p, m, x, y, "#d00000", "");
    plot_panel_end(&p);
    free(x);
}

static void diagnose_bars(FILE *file, const bln_chains *c, size_t column, int row)
{
    const bln_series s = bln_chains_series(c, column);
    const size_t lags = s.draws/2 < DIAGNOSE_LAGS ? s.draws/2 + 1 : DIAGNOSE_LAGS + 1;
    double *work = (double *)cli_memory(bln_series_work(&s), sizeof *work), r[DIAGNOSE_LAGS + 1], low = -0.1;
    plot_figure p;
    bln_series_autocorrelation(&s, lags, r, work, NULL);
    for (size_t t = 0; t < lags; t++) if (r[t] - 0.05 < low) low = r[t] - 0.05;
    plot_panel(&p, file, 2*row + 1, DIAGNOSE_TRACE, row*DIAGNOSE_HEIGHT, DIAGNOSE_BARS, DIAGNOSE_HEIGHT, DIAGNOSE_TOP,
               "autocorrelation", "lag, in draws", "", -1.0, (double)lags, low, 1.05);
    for (size_t t = 0; t < lags; t++)
        plot_box(&p, (double)t - 0.3, (double)t + 0.3, r[t] < 0.0 ? r[t] : 0.0, r[t] < 0.0 ? 0.0 : r[t], 0x1f4e8c);
    plot_panel_end(&p);
    free(work);
}

/* The columns with the least ESS, the least first; returns how many. Constant ones have none. */
static size_t diagnose_worst(const bln_chains *c, const bln_summary *of, size_t *column)
{
    size_t n = 0;
    for (size_t k = 0; k < bln_chains_columns(c); k++) {
        size_t at = n;
        if (!diagnose_judges(c, k) || of[k].ess_bulk != of[k].ess_bulk) continue;
        while (at > 0 && of[column[at - 1]].ess_bulk > of[k].ess_bulk) at--;
        if (at == DIAGNOSE_ROWS) continue;
        if (n < DIAGNOSE_ROWS) n++;
        memmove(column + at + 1, column + at, (n - 1 - at)*sizeof *column);
        column[at] = k;
    }
    return n;
}

/* A single draw, or draws that never change, have no trace: a note takes the place of the picture. */
static int diagnose_draw(const char *path, const bln_chains *c, const bln_summary *of, cli_why *why)
{
    size_t column[DIAGNOSE_ROWS];
    output out;
    cli_shown shown;
    char title[160];
    const size_t n = diagnose_worst(c, of, column);
    if (n == 0) {
        cli_note("%s is not written: no parameter has draws of which there is anything to see", path);
        return CLI_GOOD;
    }
    const int status = output_open(path, &out, why);
    if (status) return status;
    plot_sheet(out.file, DIAGNOSE_TRACE + DIAGNOSE_BARS, (int)n*DIAGNOSE_HEIGHT);
    for (size_t k = 0; k < n; k++) {
        snprintf(title, sizeof title, "%s:  R-hat %.3f, bulk ESS %.0f", cli_show(&shown, bln_chains_name(c, column[k])),
                 of[column[k]].rhat, of[column[k]].ess_bulk);
        diagnose_trace(out.file, c, column[k], (int)k, title);
        diagnose_bars(out.file, c, column[k], (int)k);
    }
    plot_sheet_end(out.file);
    return output_close(&out, why);
}

/* ---- all of it */

/* A line for each. */
static void diagnose_warnings(const char *text, cli_json *j)
{
    char *copy = cli_copy(text);
    json_array(j, "warnings");
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) json_text(j, NULL, line);
    json_end(j);
    free(copy);
}

static int diagnose_chains(const options *o, const bln_chains *c, const bln_chains *reference, cli_why *why)
{
    bln_diagnosis d;
    bln_report report;
    cli_counted chains, draws, parameters;
    int status = CLI_GOOD;
    bln_summary *of = (bln_summary *)cli_memory(bln_chains_columns(c), sizeof *of);
    bln_status got = bln_chains_diagnose(c, NULL, &d, &report);
    for (size_t k = 0; k < bln_chains_columns(c) && got == BLN_OK; k++) got = bln_chains_summary(c, k, &of[k], &report);
    if (got != BLN_OK) status = cli_fail(why, "%s", report.text);
    else {
        const cli_answer *to = &o->to;
        const int knows = bln_chains_find(c, "divergent__") != BLN_NONE;
        say(to, "%s of %s, %s", cli_count(&chains, bln_chains_count(c), "chain"), cli_count(&draws, bln_chains_draws(c), "draw"),
            cli_count(&parameters, bln_chains_parameters(c), "parameter"));
        if (knows) say(to, ", %lu divergent", (unsigned long)d.divergent);
        if (d.ebfmi == d.ebfmi) say(to, ", E-BFMI %.2f", d.ebfmi);
        say(to, "\n\n");
        json_count(to->json, "chains", bln_chains_count(c));
        json_count(to->json, "draws", bln_chains_draws(c));
        json_number(to->json, "divergent", knows ? (double)d.divergent : NAN);
        json_number(to->json, "ebfmi", d.ebfmi);
        diagnose_table(c, of, to);
        say(to, "\n%s", d.text[0] ? d.text : "Nothing is wrong with these draws that can be seen in them.\n");
        json_count(to->json, "doubts", d.doubts);
        diagnose_warnings(d.text, to->json);
        json_text(to->json, "picture", o->output);
        if (o->output) status = diagnose_draw(o->output, c, of, why);
        if (!status && reference) status = reference_compare(c, of, reference, to, why);
    }
    free(of);
    if (status || !d.doubts) return status;
    cli_fail(why, "these draws are not to be relied on: %s", cli_count(&chains, d.doubts, "warning"));
    return CLI_DOUBT;
}

int verb_diagnose(const options *o, cli_why *why)
{
    bln_chains *c = NULL, *reference = NULL;
    int status = output_check(o, why);
    if (!status) status = chains_read(o->n_files, o->files, &c, why);
    if (!status && o->reference) status = chains_read(1, &o->reference, &reference, why);
    if (!status) status = diagnose_chains(o, c, reference, why);
    bln_chains_free(c);
    bln_chains_free(reference);
    return status;
}

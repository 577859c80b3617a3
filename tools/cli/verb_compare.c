/* compare: which of several models predicts best, and can that be told?
 *
 * Each row is left out of each model, and its log density by the others is summed up. Two models differ by the sum of the rows'
 * differences, whose standard error is that of paired numbers: sqrt(n) times their standard deviation, divided by n - 1.
 *                                                                     [Vehtari, Gelman & Gabry 2017, (23) and (24)] */
#include "choose.h"
#include "compare.h"
#include "csv.h"
#include "frame.h"
#include "glm.h"
#include "help.h"
#include "number.h"
#include "rows.h"
#include "verbs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const cli_text verb_compare_text = {
    "usage: bayeslin compare MODEL MODEL... [DATA.csv] [--missing drop] [--sep SEP]\n"
    "       bayeslin compare DATA.csv --target COL --basis SPEC --basis SPEC... [what `fit` has]\n",
    "\n"
    "Which of several models of the same rows and the same target predicts best, and can that be\n"
    "told? Models are files of `fit`, and DATA.csv the table that they were fitted to; or bases,\n"
    "which are fitted to it here. A line for each, the best first, then a sentence.\n"
    "\n"
    "  bayeslin compare line.bln curve.bln houses.csv\n"
    "  bayeslin compare houses.csv --target price --basis linear --basis rbf:n=100,ard+linear\n"
    "\n"
    "  elpd          sum over the rows of the log density of their target, each predicted from the\n"
    "                others, with what was learnt from all (score --loo); larger is better\n"
    "  diff se       elpd less that of the best, and its standard error, row by row\n"
    "  doubtful      rows that stand nearly alone (k_hat or leverage above 0.7, help glm): where\n"
    "                there are some, compare with cv --folds\n"
    "  coverage95    share of targets in their 95 % interval\n"
    "  log evidence  of the fit: without DATA.csv all that there is to compare\n"
    "  seconds       of the fit, where it was made here\n"
    "\n"
    "A model is called better where the difference is above 4 and above 2 standard errors, which\n"
    "below 100 rows are too small. Log evidences compare models of the same likelihood and\n"
    "inference with learnt priors; with --prior flat they do not, and a line says so. Models of\n"
    "other rows, another target, or densities beside probabilities of counts are refused.\n"
    "Not for --outputs, --integrate and classes, which leave no rows out: cv --folds K.\n"
    "\n"
    "  --basis SPEC        one of the bases; twice or more often\n"
    HELP_TABLE
};

/* ---- models that are there ---- */

static int compare_is_model(const char *bytes, size_t n) { return n >= 4 && !memcmp(bytes, "\x89" "BLN", 4); }

/* The files: models into `all`, and the table. */
static int compare_files(const options *o, comparison *all, const char **table, cli_why *why)
{
    int status = CLI_GOOD;
    *table = NULL;
    for (size_t i = 0; i < o->n_files && !status; i++) {
        char *bytes;
        size_t n;
        status = csv_bytes(o->files[i], &bytes, &n, why);
        if (status) return status;
        const char *name = csv_file_name(o->files[i]);
        if (compare_is_model(bytes, n)) {
            compared *one = comparison_add(all, name);
            status = model_read(name, bytes, n, &one->m, why);
        } else if (*table) status = cli_misuse(why, "%s and %s are no models, and one table is wanted", *table, name);
        else *table = o->files[i];
        free(bytes);
    }
    if (!status && all->n < 2)
        status = cli_misuse(why, "%s: two models or more are compared, or bases: --basis SPEC --basis SPEC",
                            all->n ? all->one[0].name : "there is no model");
    if (!status && *table && !strcmp(*table, "-"))
        status = cli_misuse(why, "the table is read once for each model: it cannot be standard input");
    return status;
}

/* Leaves rows out of model k, of its own columns of the table. */
static int compare_rows(const options *o, const char *table, compared *one, cli_why *why)
{
    options of = *o;
    frame f;
    cli_rows rows;
    of.data = table;
    int status = frame_for_model(&of, &one->m.cols, COLUMNS_LEAVE_OUT, &f, why);
    if (status) return status;
    status = rows_read(&one->m.cols, &f.table, f.at, f.n, f.rows, 0, &rows, why);
    if (!status && one->m.glm)
        status = glm_check_rows(&one->m.likelihood, &one->m.cols, &f.table, f.at, f.rows, &rows.data, why);
    if (!status) status = compared_is_table(one, &rows.data, table, why);
    if (!status) status = compared_leave_out(one, &rows.data, f.rows, why);
    rows_free(&rows);
    frame_free(&f);
    return status;
}

/* ---- bases that are fitted ---- */

static int compare_fit(const options *of, const frame *f, compared *one, cli_why *why)
{
    cli_columns cols;
    cli_rows rows;
    bln_likelihood l;
    progress p = progress_start(of->basis);
    memset(&cols, 0, sizeof cols);
    memset(&rows, 0, sizeof rows);
    int status = choose_check_options(of, why);
    if (!status) status = frame_learn(of, f, f->n, f->rows, &cols, why);
    if (!status) status = rows_read(&cols, &f->table, f->at, f->n, f->rows, 0, &rows, why);
    if (!status && of->glm) status = glm_likelihood(of, &cols, &rows.data, &l, why);
    if (!status && of->glm) status = glm_check_rows(&l, &cols, &f->table, f->at, f->rows, &rows.data, why);
    if (!status) status = model_fit(of, &cols, &rows.data, &p, &one->m, why);
    one->m.dropped = f->dropped;
    one->seconds = one->m.seconds;
    if (!status) status = compared_leave_out(one, &rows.data, f->rows, why);
    rows_free(&rows);
    columns_free(&cols);
    return status;
}

static int compare_bases(const options *o, comparison *all, cli_why *why)
{
    options of = *o;
    frame f;
    cli_why inner;
    int status = CLI_GOOD;
    if (o->bases.n < 2) return cli_misuse(why, "--basis: two or more are compared");
    if (o->n_files != 1) return cli_misuse(why, "with --basis one file is wanted, the table");
    of.data = o->files[0];
    of.loo = 1;                                                    /* no variances are integrated out: see model_fit */
    status = frame_for_training(&of, &f, why);
    if (status) return status;
    for (size_t k = 0; k < o->bases.n && !status; k++) {
        of.basis = o->bases.item[k];
        status = compare_fit(&of, &f, comparison_add(all, o->bases.item[k]), &inner);
        if (!status) continue;
        if (strstr(inner.text, "--basis")) *why = inner;
        else cli_fail(why, "--basis %.200s: %.700s", o->bases.item[k], inner.text);
    }
    frame_free(&f);
    return status;
}

int verb_compare(const options *o, cli_why *why)
{
    comparison all;
    const char *table = NULL;
    memset(&all, 0, sizeof all);
    int status = o->bases.n ? compare_bases(o, &all, why) : compare_files(o, &all, &table, why);
    for (size_t k = 0; k < all.n && !o->bases.n && !status; k++) status = comparison_check(&all, k, why);
    for (size_t k = 0; k < all.n && table && !status; k++) status = compare_rows(o, table, &all.one[k], why);
    if (!status) status = comparison_print(&all, o->bases.n || table, &o->to, why);
    comparison_free(&all);
    return status;
}

/* check: figures of the data beside those of data sets that the model makes, and a picture of both
 *
 * Replicates are draws of new targets at the rows of the table (draws.h), in the units of the data. */
#include "../plot.h"
#include "classes.h"
#include "draws.h"
#include "frame.h"
#include "glm.h"
#include "glm_options.h"
#include "help.h"
#include "number.h"
#include "output.h"
#include "predictions.h"
#include "rows.h"
#include "verbs.h"
#include <stdlib.h>

const cli_text verb_check_text = {
    "usage: bayeslin check MODEL DATA.csv [-o CHECK.svg] [--y COL] [--draws 1000] [--seed N]\n"
    "                      [--missing drop] [--unseen zero|new] [--sep SEP] [--decimal MARK]\n",
    "\n"
    "Lets the model make data sets like DATA.csv, noise included, and compares figures of the\n"
    "data with those of these replicates (a posterior predictive check):\n"
    "\n"
    "  bayeslin check ships.bln ships.csv -o check.svg\n"
    "\n"
    "  mean, sd, skewness, min, max, zeros (the share that is 0); of classes their shares; of a\n"
    "                    quantile (asymmetric_laplace:Q) the share of targets below it\n"
    "  observed          of the targets in DATA.csv; every row counts once\n"
    "  q5, median, q95   of the replicates\n"
    "  p                 share of the replicates whose figure is larger, equal ones count half:\n"
    "                    near 0 or 1 the model does not make data like these, and a word says so\n"
    "\n"
    "A fit reproduces some figures whatever is wrong, as the mean; those that it does not\n"
    "adjust tell more. A sd or share of zeros larger than a poisson makes: try\n"
    "negative_binomial or zero_inflated_poisson; a largest, smallest or skewness beyond a\n"
    "gaussian: student_t, or the logarithm of the target.\n"
    "\n"
    "  -o CHECK.svg        also --output: densities of the data and of 50 replicates; of counts and\n"
    "                      classes bars, with the range that 90 % of the replicates have\n"
    "  --y COL             the target to draw, of a model of several outputs\n"
    "  --draws S           replicates (default 1000, fewer beyond 33000 rows)\n"
    "  --seed N            of the replicates (default 0)\n"
    "  --unseen zero, new  as in `bayeslin predict`\n"
    HELP_TABLE
};

/* What is compared: n targets y, and S replicates of them, of one output. quantile: that of each row, or NULL. */
typedef struct check_pair { size_t n, S; const double *y, *replicates, *quantile; int discrete; } check_pair;

/* ---- table */

static double check_share(void *user, size_t n, const double *y)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) k += y[i] == *(const double *)user;
    return (double)k/(double)n;
}

/* A line of the table. It has a verdict where p is below 0.01 or above 0.99, and there are enough replicates to tell. */
static void check_line(const cli_answer *to, const char *name, size_t S, const bln_check_result *r)
{
    const double larger = (r->p*(double)S + 1.0)/((double)S + 1.0), smaller = 1.0 + 1.0/((double)S + 1.0) - larger;
    say(to, "%-20s %10.4g %10.4g %10.4g %10.4g %6.3f%s\n", name, number_plain(r->observed), number_plain(r->q05),
        number_plain(r->median), number_plain(r->q95), number_plain(r->p),
        larger <= 0.01 ? "  larger than the model's" : smaller <= 0.01 ? "  smaller than the model's" : "");
    json_number(to->json, "observed", r->observed);
    json_number(to->json, "q5", r->q05);
    json_number(to->json, "median", r->median);
    json_number(to->json, "q95", r->q95);
    json_number(to->json, "p", r->p);
    json_text(to->json, "verdict", larger <= 0.01 ? "larger" : smaller <= 0.01 ? "smaller" : "fits");
}

/* A model of a quantile has no meaningful density of y: all it states is the share of targets below the quantile. */
static double check_below(void *user, size_t n, const double *y)
{
    const double *q = (const double *)user;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) k += y[i] < q[i];
    return (double)k/(double)n;
}

static void check_table(const model *m, const check_pair *c, const char *target, const cli_answer *to)
{
    const size_t K = m->glm ? glm_classes(m) : 0, n_checks = K ? K : c->quantile ? 1 : (size_t)BLN_CHECKS;
    cli_shown shown;
    cli_counted counted;
    char name[80], lost[200] = "";
    double *work = (double *)cli_memory(c->S + n_checks, sizeof *work), *class_of = work + c->S;
    bln_check *checks = (bln_check *)cli_memory(n_checks, sizeof *checks);
    bln_check_result *r = (bln_check_result *)cli_memory(n_checks, sizeof *r);
    for (size_t k = 0; k < n_checks; k++) {
        checks[k] = bln_checks()[K ? 0 : k];
        class_of[k] = (double)k;
        if (K) { checks[k].of = check_share; checks[k].user = &class_of[k]; }
        else if (c->quantile) { checks[k].of = check_below; checks[k].user = (void *)c->quantile; }
    }
    bln_check_replicates(c->n, c->y, c->S, c->replicates, 0, n_checks, checks, r, work, NULL);      /* of finite targets */
    say(to, "%-20s %10s %10s %10s %10s %6s\n", "figure", "observed", "q5", "median", "q95", "p");
    for (size_t k = 0; k < n_checks; k++) {
        const int zeros = !K && !c->quantile && !strcmp(checks[k].name, "zeros");
        if (zeros && (!c->discrete || (r[k].observed == 0.0 && r[k].mean == 0.0))) continue;    /* of counts that may be 0 */
        if (r[k].observed != r[k].observed) {
            snprintf(lost + strlen(lost), sizeof lost - strlen(lost), "%s%.30s", *lost ? ", " : "", checks[k].name);
            continue;
        }
        if (K) snprintf(name, sizeof name, "share of %s", classes_name(m, k, &shown));
        else if (c->quantile) snprintf(name, sizeof name, "share below %.4g q.", glm_quantile(m));
        else snprintf(name, sizeof name, "%s", checks[k].name);
        json_object(to->json, NULL);
        json_text(to->json, "output", target);
        json_text(to->json, "figure", K ? "share" : c->quantile ? "share below quantile" : checks[k].name);
        if (K) json_text(to->json, "class", classes_text(m, k, &shown));
        check_line(to, name, c->S, &r[k]);
        json_end(to->json);
    }
    if (*lost) cli_note("column \"%s\": %s of %s %s no value", cli_show(&shown, target), lost, cli_count(&counted, c->n, "row"),
                        strchr(lost, ',') ? "have" : "has");
    free(work);
    free(checks);
    free(r);
}

/* ---- picture */

enum { CHECK_GRID = 200, CHECK_BINS = 400, CHECK_LINES = 50, CHECK_BARS = 60 };

/* The range of the data, and of what most replicates reach where that is more. work: S. */
static void check_range(const check_pair *c, double *low, double *high, double *work)
{
    bln_check_result r[2];
    bln_check_replicates(c->n, c->y, c->S, c->replicates, 0, 2, bln_checks() + 3, r, work, NULL);        /* min and max */
    *low = r[0].q05 < r[0].observed ? r[0].q05 : r[0].observed;
    *high = r[1].q95 > r[1].observed && isfinite(r[1].q95) ? r[1].q95 : r[1].observed;
}

/* bin[b] <- how many of n values are in bin b of [low, high]. */
static void check_bins(size_t n, const double *y, double low, double high, size_t bins, double *bin)
{
    memset(bin, 0, bins*sizeof *bin);
    for (size_t i = 0; i < n; i++) {
        const double at = (y[i] - low)/(high - low)*(double)bins;
        if (at >= 0.0 && at < (double)bins) bin[(size_t)at] += 1.0;
    }
}

/* A density by normal kernels of width h, of binned values. */
static void check_density(size_t n, const double *y, double low, double high, double h, const double *x, double *out)
{
    double bin[CHECK_BINS];
    check_bins(n, y, low, high, CHECK_BINS, bin);
    for (size_t g = 0; g < CHECK_GRID; g++) {
        out[g] = 0.0;
        for (size_t b = 0; b < CHECK_BINS; b++) {
            const double z = (x[g] - low - (high - low)*((double)b + 0.5)/CHECK_BINS)/h;
            if (bin[b] > 0.0 && fabs(z) < 8.0) out[g] += bin[b]*bln_norm_pdf(z)/((double)n*h);
        }
    }
}

static double check_pick(void *user, size_t n, const double *y) { (void)n; return y[*(const size_t *)user]; }

/* Silverman's width, 0.9 n^(-1/5) times the sd, or what the sd of a normal with these quantiles would be if that is less. The
 * quantiles of n numbers are those of a figure of n data sets of one number. */
static double check_width(size_t n, const double *y)
{
    size_t first = 0;
    const bln_check pick = { "", check_pick, &first };
    bln_check_result r;
    double *work = (double *)cli_memory(n, sizeof *work);
    bln_check_replicates(1, y, n, y, 1, 1, &pick, &r, work, NULL);
    free(work);
    const double sd = (r.q95 - r.q05)/3.29, spread = sd > 0.0 && !(sd > r.sd) ? sd : r.sd;
    return spread > 0.0 ? 0.9*spread*pow((double)n, -0.2) : 1.0;
}

static void check_curves(FILE *file, const check_pair *c, const char *title, const char *name)
{
    const size_t lines = c->S < CHECK_LINES ? c->S : CHECK_LINES;
    double *x = (double *)cli_memory(CHECK_GRID, (lines + 2)*sizeof *x), *curve = x + CHECK_GRID;
    double low = bln_checks()[3].of(NULL, c->n, c->y), high = bln_checks()[4].of(NULL, c->n, c->y), top = 0.0;
    plot_figure p;
    const double h = check_width(c->n, c->y), pad = 0.15*(high - low) + 3.0*h;
    low -= pad;
    high += pad;
    for (size_t g = 0; g < CHECK_GRID; g++) x[g] = low + (high - low)*(double)g/(CHECK_GRID - 1.0);
    for (size_t s = 0; s <= lines; s++) {
        const double *y = s < lines ? c->replicates + s*c->n : c->y;
        check_density(c->n, y, low, high, h, x, curve + s*CHECK_GRID);
        for (size_t g = 0; g < CHECK_GRID; g++) if (curve[s*CHECK_GRID + g] > top) top = curve[s*CHECK_GRID + g];
    }
    plot_begin(&p, file, title, name, "density", low, high, 0.0, 1.05*top);
    p.stroke = 0.8;
    for (size_t s = 0; s < lines; s++)
        plot_line(&p, CHECK_GRID, x, curve + s*CHECK_GRID, "#8db4dc", s ? "" : "data sets that the model makes");
    p.stroke = 2.5;
    plot_line(&p, CHECK_GRID, x, curve + lines*CHECK_GRID, "#123f7a", "data");
    plot_end(&p);
    free(x);
}

/* Bars of the data, ranges and medians of the replicates, for whole numbers: one by one, or in bins of `each`. What is in a bin is
 * a figure of binned data. */
static void check_bars(FILE *file, const check_pair *c, const char *title, const char *name)
{
    double *data = (double *)cli_memory(c->S + 1, (CHECK_BARS + 1)*sizeof *data), *work = data + CHECK_BARS, *of = work + c->S;
    double low, high, top = 0.0;
    plot_figure p;
    char label[60];
    check_range(c, &low, &high, work);
    low = floor(low);
    const double each = ceil((high - low + 1.0)/CHECK_BARS), end = low + each*ceil((high - low + 1.0)/each);
    const double fit = (end - low)/each;                          /* where it is beyond 2^53, rounding may make one more */
    const size_t bins = fit < (double)CHECK_BARS ? (size_t)fit : (size_t)CHECK_BARS;
    bln_check checks[CHECK_BARS];
    bln_check_result r[CHECK_BARS];
    size_t which[CHECK_BARS];
    check_bins(c->n, c->y, low, end, bins, data);
    for (size_t s = 0; s < c->S; s++) check_bins(c->n, c->replicates + s*c->n, low, end, bins, of + s*bins);
    for (size_t b = 0; b < bins; b++) {
        which[b] = b;
        checks[b].of = check_pick;
        checks[b].user = &which[b];
    }
    bln_check_replicates(bins, data, c->S, of, 0, bins, checks, r, work, NULL);
    for (size_t b = 0; b < bins; b++) {
        if (r[b].observed > top) top = r[b].observed;
        if (r[b].q95 > top) top = r[b].q95;
    }
    snprintf(label, sizeof label, each > 1.0 ? "rows, by %.0f values each" : "rows", each);
    plot_begin(&p, file, title, name, label, low - 0.7*each, end - 1.0 + 0.7*each, 0.0, 1.05*top);
    for (size_t b = 0; b < bins; b++) {
        const double x = low + each*((double)b + 0.5) - 0.5;
        plot_box(&p, x - 0.4*each, x + 0.4*each, 0.0, r[b].observed, 0xb9d0e8);
    }
    plot_name(&p, PLOT_MARK_BAND, "#b9d0e8", "data");
    for (size_t b = 0; b < bins; b++) {
        const double x[2] = { low + each*((double)b + 0.5) - 0.5, low + each*((double)b + 0.5) - 0.5 };
        const double y[2] = { r[b].q05, r[b].q95 };
        plot_line(&p, 2, x, y, "#123f7a", b ? "" : "90 % of the data sets that the model makes");
        plot_points(&p, 1, x, &r[b].median, "#123f7a", b ? "" : "their median");
    }
    plot_end(&p);
    free(data);
}

static int check_draw(const options *o, const model *m, const check_pair *c, const char *target, cli_why *why)
{
    output out;
    cli_shown shown;
    char title[300], name[400];
    const size_t K = m->glm ? glm_classes(m) : 0;
    const int status = output_open(o->output, &out, why);
    if (status) return status;
    snprintf(title, sizeof title, "%.90s by %.90s%s%.60s", target, m->spec, m->glm ? ", " : "",
             m->glm ? m->likelihood.ops->name : "");
    snprintf(name, sizeof name, "%.90s", target);
    for (size_t k = 0; k < K && m->cols.n_classes; k++)
        snprintf(name + strlen(name), sizeof name - strlen(name), "%s%lu: %s", k ? ", " : "   ", (unsigned long)k,
                 classes_name(m, k, &shown));
    (c->discrete ? check_bars : check_curves)(out.file, c, title, name);
    return output_close(&out, why);
}

/* ---- all targets */

/* Output k of P: where there are several, it and its replicates are copied to room. */
static check_pair check_output(const model *m, const bln_data *rows, const double *draws, size_t S, size_t k, double *room)
{
    const size_t P = m->cols.n_targets;
    check_pair c;
    for (size_t i = 0; i < rows->n && P > 1; i++) room[i] = rows->y[i*P + k];
    for (size_t i = 0; i < rows->n*S && P > 1; i++) room[rows->n + i] = draws[i*P + k];
    c.n = rows->n;
    c.S = S;
    c.y = P > 1 ? room : rows->y;
    c.replicates = P > 1 ? room + rows->n : draws;
    c.quantile = NULL;
    c.discrete = m->glm && !glm_is_real(&m->likelihood);
    return c;
}

static int check_rows(const options *o, const model *m, const frame *f, size_t drawn, cli_why *why)
{
    enum { MANY = 1000, FEW = 100, NUMBERS = 1 << 25 };
    cli_rows rows;
    cli_shown shown;
    cli_counted n, made;
    predictions p;
    const size_t P = m->cols.n_targets;
    const size_t S = o->draws ? o->draws : (size_t)fmax(FEW, fmin(MANY, NUMBERS/(double)(f->n*P)));
    double *draws = (double *)cli_memory(f->n*P, S*sizeof *draws);
    double *room = P > 1 ? (double *)cli_memory(f->n, (S + 1)*sizeof *room) : NULL;
    memset(&p, 0, sizeof p);
    int status = rows_read(&m->cols, &f->table, f->at, f->n, f->rows, o->unseen, &rows, why);
    if (!status && m->glm)
        status = glm_check_rows(&m->likelihood, &m->cols, &f->table, f->at, f->rows, &rows.data, why);
    if (!status) status = draws_make(m, &rows.data, S, o->seed, draws, why);
    if (!status && glm_quantile(m) > 0.0) status = predictions_make(m, &rows.data, 0.95, &p, why);
    if (!status) say(&o->to, "%s, %s\n", cli_count(&n, f->n, "row"), cli_count(&made, S, "replicate"));
    json_count(o->to.json, "rows", f->n);
    json_count(o->to.json, "replicates", S);
    json_array(o->to.json, "figures");
    for (size_t k = 0; k < P && !status; k++) {
        check_pair c = check_output(m, &rows.data, draws, S, k, room);
        if (glm_quantile(m) > 0.0) c.quantile = p.mean;
        if (P > 1) say(&o->to, "\noutput %s\n", cli_show(&shown, m->cols.targets[k]));
        else say(&o->to, "\n");
        check_table(m, &c, m->cols.targets[k], &o->to);
        if (o->output && k == drawn) status = check_draw(o, m, &c, m->cols.targets[k], why);
    }
    json_end(o->to.json);
    json_text(o->to.json, "picture", o->output);
    predictions_free(&p);
    rows_free(&rows);
    free(draws);
    free(room);
    return status;
}

int verb_check(const options *o, cli_why *why)
{
    frame f;
    model m;
    cli_shown shown;
    size_t drawn = 0;
    int status = output_check(o, why);
    if (!status && o->y && !o->output) status = cli_misuse(why, "--y is the target to draw: add -o CHECK.svg");
    if (!status) status = model_load(o->model, &m, why);
    if (status) return status;
    if (o->output) status = model_target(&m, o->y, &drawn, why);
    if (!status) status = frame_for_model(o, &m.cols, COLUMNS_SCORE, &f, why);
    if (!status) {
        frame_note_dropped(&f, "are left out");
        if (m.cols.role[ROLE_WEIGHTS])
            cli_note("column \"%s\" (--weights of the fit) plays no part here: every row counts once, in the data and the "
                     "replicates", cli_show(&shown, m.cols.role[ROLE_WEIGHTS]));
        status = check_rows(o, &m, &f, drawn, why);
        frame_free(&f);
    }
    model_free(&m);
    return status;
}

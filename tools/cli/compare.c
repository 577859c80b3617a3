/* compare: checks that models can be compared, sums their scores over rows, and says the result in a sentence */
#include "compare.h"
#include "classes.h"
#include "glm.h"
#include "glm_options.h"
#include "number.h"
#include "predictions.h"
#include "scores.h"
#include "summary.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

compared *comparison_add(comparison *all, const char *name)
{
    all->one = (compared *)cli_grow(all->one, all->n + 1, sizeof *all->one);
    compared *one = &all->one[all->n++];
    memset(one, 0, sizeof *one);
    one->name = name;
    one->seconds = one->inside = one->elpd = one->se = one->diff = one->diff_se = NAN;
    return one;
}

void comparison_free(comparison *all)
{
    for (size_t k = 0; k < all->n; k++) {
        model_free(&all->one[k].m);
        free(all->one[k].row);
        free(all->one[k].logp);
    }
    free(all->one);
    memset(all, 0, sizeof *all);
}

/* ---- what may be compared ---- */

static int compare_same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

/* Sums over the same rows, in whatever order and grouping. */
static int compare_close(double a, double b, double scale) { return fabs(a - b) <= 1e-8*(fabs(a) + fabs(b) + scale); }

static int compare_is_real(const model *m) { return !m->glm || glm_is_real(&m->likelihood); }

/* Is the mean of the target known? Old files of counts and classes do not hold it; they have mean 0. */
static int compare_knows_target(const model *m)
{
    return compare_is_real(m) || m->target_mean[0] != 0.0;
}

/* Two models are of the same rows if the number of rows, and the means that both have, are the same. */
static int compare_same_rows(const compared *a, const compared *b, cli_why *why)
{
    const model *x = &a->m, *y = &b->m;
    cli_shown shown;
    cli_counted rows;
    if (x->rows != y->rows)
        return cli_fail(why, "%s was fitted to %s, %s to %lu: what they say is about different rows%s", a->name,
                        cli_count(&rows, (size_t)x->rows, "row"), b->name, (unsigned long)y->rows,
                        x->dropped != y->dropped ? "; missing values of columns that only one of them reads? Drop these rows from "
                                                   "the table, and fit both again" : "");
    if (!compare_same_text(x->cols.role[ROLE_WEIGHTS], y->cols.role[ROLE_WEIGHTS])) return CLI_GOOD;  /* means differ by them */
    const double sd = sqrt(x->target_var[0]);
    const int same_target = (!compare_is_real(x) || compare_same_text(x->cols.role[ROLE_OFFSET], y->cols.role[ROLE_OFFSET]))
                         && compare_knows_target(x) && compare_knows_target(y);
    if (same_target && (!compare_close(x->target_mean[0], y->target_mean[0], sd)
                        || !compare_close(x->target_var[0], y->target_var[0], 0.0)))
        return cli_fail(why, "%s and %s were fitted to different rows: the mean of the target is %.6g and %.6g, its variance %.6g "
                             "and %.6g", a->name, b->name, x->target_mean[0], y->target_mean[0], x->target_var[0],
                        y->target_var[0]);
    for (size_t i = 0; i < x->cols.n; i++)
        for (size_t j = 0; j < y->cols.n; j++) {
            const cli_column *one = &x->cols.column[i], *other = &y->cols.column[j];
            if (one->words || other->words || strcmp(one->name, other->name)) continue;         /* words have codes for numbers */
            const double mean = x->input_mean[one->first], theirs = y->input_mean[other->first];
            if (!compare_close(mean, theirs, 1.0))
                return cli_fail(why, "%s and %s were fitted to different rows: the mean of \"%s\" is %.6g and %.6g", a->name,
                                b->name, cli_show(&shown, one->name), mean, theirs);
        }
    return CLI_GOOD;
}

int comparison_check(const comparison *all, size_t k, cli_why *why)
{
    const compared *a = &all->one[0], *b = &all->one[k];
    cli_shown one, other;
    if (b->m.cols.n_targets > 1) return cli_fail(why, "%s has several targets: one is compared; take cv --folds K", b->name);
    if (k == 0) return CLI_GOOD;
    if (strcmp(a->m.cols.targets[0], b->m.cols.targets[0]))
        return cli_fail(why, "%s predicts \"%s\", %s predicts \"%s\": models of different targets cannot be compared", a->name,
                        cli_show(&one, a->m.cols.targets[0]), b->name, cli_show(&other, b->m.cols.targets[0]));
    if (compare_is_real(&a->m) != compare_is_real(&b->m))
        return cli_fail(why, "%s gives %s of the target, %s %s: their logarithms cannot be compared (rmse can: score, cv)", a->name,
                        compare_is_real(&a->m) ? "densities" : "probabilities", b->name,
                        compare_is_real(&b->m) ? "densities" : "probabilities");
    return compare_same_rows(a, b, why);
}

int compared_is_table(const compared *one, const bln_data *rows, const char *table, cli_why *why)
{
    const model *m = &one->m;
    const int off = rows->offset && compare_is_real(m);                            /* the target's mean is without the offset */
    double mean = 0.0, total = 0.0;
    cli_counted counted;
    cli_shown shown;
    if (rows->n != m->rows)
        return cli_fail(why, "%s has %s that can be used, and %s was fitted to %lu: the table of the fit is wanted", table,
                        cli_count(&counted, rows->n, "row"), one->name, (unsigned long)m->rows);
    for (size_t i = 0; i < rows->n; i++) total += rows->weight ? rows->weight[i] : 1.0;
    for (size_t j = 0; j < m->cols.n; j++) {
        const cli_column *c = &m->cols.column[j];
        if (c->words) continue;
        mean = 0.0;
        for (size_t i = 0; i < rows->n; i++)
            mean += rows->X[i*m->cols.d + c->first]*(rows->weight ? rows->weight[i] : 1.0)/total;
        if (!compare_close(mean, m->input_mean[c->first], 1.0))
            return cli_fail(why, "%s is not the table that %s was fitted to: the mean of \"%s\" is %.6g, not %.6g", table,
                            one->name, cli_show(&shown, c->name), mean, m->input_mean[c->first]);
    }
    if (!compare_knows_target(m)) return CLI_GOOD;
    mean = 0.0;
    for (size_t i = 0; i < rows->n; i++)
        mean += (rows->y[i] - (off ? rows->offset[i] : 0.0))*(rows->weight ? rows->weight[i] : 1.0)/total;
    if (compare_close(mean, m->target_mean[0], sqrt(m->target_var[0]))) return CLI_GOOD;
    return cli_fail(why, "%s is not the table that %s was fitted to: the mean of the target is %.6g, not %.6g", table, one->name,
                    mean, m->target_mean[0]);
}

/* ---- rows left out ---- */

int compared_leave_out(compared *one, const bln_data *rows, const size_t *row, cli_why *why)
{
    const model *m = &one->m;
    predictions p;
    size_t undefined;
    one->without = m->integrated ? "variances are integrated out" : classes_of(m) ? "classes"
                 : model_tables(m) > 1 ? "a mean and its noise"
                 : m->glm && glm_is_point(m) ? "no posterior" : glm_quantile(m) > 0.0 ? "a quantile has no density" : NULL;
    if (one->without) return CLI_GOOD;
    int status = predictions_leave_out(m, rows, NULL, 0, scores_level, 0, &p, &undefined, why);
    if (!status) {
        const int interval = (int)(scores_kept(m) >> SCORE_COVERAGE & 1);
        one->n = p.n;
        one->row = (size_t *)cli_memory(p.n, sizeof *one->row);
        one->logp = (double *)cli_memory(p.n, sizeof *one->logp);
        one->inside = interval ? 0.0 : NAN;
        for (size_t i = 0; i < p.n; i++) {
            const int lost = predictions_lost(m, &p, i);
            one->row[i] = row[i];
            one->logp[i] = lost ? NAN : p.log_density[i];
            one->inside += !lost && rows->y[i] >= p.lower[i] && rows->y[i] <= p.upper[i];
        }
        one->inside /= (double)(p.n - undefined);
        one->doubtful = m->glm ? p.elpd.bad : 0;
    }
    predictions_free(&p);
    return status;
}

/* Does the first model whose rows are known have others? */
static int compare_align(const comparison *all, const compared **first, cli_why *why)
{
    *first = NULL;
    for (size_t k = 0; k < all->n; k++) {
        const compared *one = &all->one[k];
        if (one->without) continue;
        if (!*first) *first = one;
        if (memcmp(one->row, (*first)->row, one->n*sizeof *one->row))
            return cli_fail(why, "%s and %s read different rows of the table: each drops those with missing values in its own "
                                 "columns. Drop the others from the table too, and fit again", (*first)->name, one->name);
    }
    return CLI_GOOD;
}

/* *sum and its standard error *se, of a[i] - b[i], or of a[i] if b is NULL, over the rows i with use[i]. */
static void compare_sum(const compared *a, const compared *b, const unsigned char *use, double *sum, double *se)
{
    double n = 0.0, mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < a->n; i++) {
        if (!use[i]) continue;
        const double v = a->logp[i] - (b ? b->logp[i] : 0.0), off = v - mean;
        n += 1.0;
        mean += off/n;
        squares += off*(v - mean);
    }
    *sum = n*mean;
    *se = n > 1.0 ? sqrt(n*squares/(n - 1.0)) : NAN;
}

static int compare_better(const void *a, const void *b)
{
    const compared *x = (const compared *)a, *y = (const compared *)b;
    const int known = x->elpd == x->elpd, other = y->elpd == y->elpd;
    if (known != other) return other - known;
    return known ? (x->elpd < y->elpd) - (x->elpd > y->elpd) : 0;
}

/* Sums over the rows that all models predict; the best model first. Fails if there are none. */
static int compare_rank(comparison *all, cli_why *why)
{
    const compared *first;
    const int status = compare_align(all, &first, why);
    if (status || !first) return status;
    const size_t n = first->n;
    unsigned char *use = (unsigned char *)cli_memory(n, 1);
    for (size_t i = 0; i < n; i++) {
        use[i] = 1;
        for (size_t k = 0; k < all->n; k++) if (!all->one[k].without && !isfinite(all->one[k].logp[i])) use[i] = 0;
        all->common += use[i];
    }
    for (size_t k = 0; k < all->n; k++)
        if (!all->one[k].without) compare_sum(&all->one[k], NULL, use, &all->one[k].elpd, &all->one[k].se);
    qsort(all->one, all->n, sizeof *all->one, compare_better);
    for (size_t k = 0; k < all->n; k++)
        if (!all->one[k].without) compare_sum(&all->one[k], &all->one[0], use, &all->one[k].diff, &all->one[k].diff_se);
    free(use);
    if (all->common < n)
        cli_note("%lu of %lu rows are left out of the sums: a model says nothing about them without themselves",
                 (unsigned long)(n - all->common), (unsigned long)n);
    return all->common ? CLI_GOOD : cli_fail(why, "no row can be predicted from the others by all models");
}

/* ---- words ---- */

/* Are the log evidences probabilities of the same data? Not where weights with a flat prior, other than the intercept that goes
 * with integrated variances, are integrated out, nor of methods that bound it differently. */
static int compare_evidences(const comparison *all)
{
    const char *by = NULL;
    for (size_t k = 0; k < all->n; k++) {
        const summary_logp e = summary_evidence_of(&all->one[k].m);
        if (!compare_same_text(all->one[k].m.cols.role[ROLE_WEIGHTS], all->one->m.cols.role[ROLE_WEIGHTS])) return 0;
        if (e.point || (e.flat && !(all->one[k].m.integrated && e.flat == 1))) return 0;
        if (by && strcmp(by, e.by)) return 0;
        by = e.by;
    }
    return 1;
}

/* An alternative is told from the best by more than 4 and more than 2 standard errors: below 4 the normal approximation behind the
 * standard error does not hold, and models predict nearly alike.                   [Sivula, Magnusson & Vehtari 2020, section 1] */
static int compare_told(const compared *one) { return -one->diff > 4.0 && -one->diff > 2.0*one->diff_se; }

static void compare_sentence(const comparison *all, const cli_answer *to)
{
    char text[1200];
    size_t like = 0, n = 0, known = 0, first = 0;
    const compared *best = &all->one[0];
    for (size_t k = 0; k < all->n; k++) known += !all->one[k].without;
    for (size_t k = 1; k < known; k++) {
        like += !compare_told(&all->one[k]);
        if (!first && !compare_told(&all->one[k])) first = k;
    }
    if (known < 2)
        snprintf(text, sizeof text, "Fewer than two of these models can be compared by rows left out: take cv --folds K");
    else if (!like)
        snprintf(text, sizeof text, "%.200s is better than %.200s by %.2f -+ %.2f", best->name, all->one[1].name,
                             -all->one[1].diff, all->one[1].diff_se);
    else {
        n = (size_t)snprintf(text, sizeof text, "%.200s", best->name);
        for (size_t k = 1, shown = 0; k < known && n < 900; k++) {
            if (compare_told(&all->one[k])) continue;
            shown++;
            n += (size_t)snprintf(text + n, 230, "%s%.200s", shown == like ? " and " : ", ", all->one[k].name);
        }
        n += (size_t)snprintf(text + n, 100, " cannot be told apart");
        const compared *other = &all->one[first];
        if (like == 1)
            snprintf(text + n, sizeof text - n, ": they differ by %.2f -+ %.2f%s", fabs(other->diff), other->diff_se,
                     -other->diff > 2.0*other->diff_se ? ", and less than 4 nats say little, however small the standard error"
                                                       : "");
    }
    say(to, "\n%s.\n", cli_clean(text));
    json_text(to->json, "best", known > 1 ? best->name : NULL);
    json_text(to->json, "verdict", known < 2 ? NULL : like ? "alike" : "better");
    json_text(to->json, "sentence", text);
}

/* Without rows to leave out, only the log evidences can be compared. */
static void compare_by_evidence(const comparison *all, int comparable, const cli_answer *to)
{
    char text[700];
    size_t best = 0, next;
    for (size_t k = 1; k < all->n; k++)
        if (summary_evidence_of(&all->one[k].m).value > summary_evidence_of(&all->one[best].m).value) best = k;
    next = best == 0 ? 1 : 0;
    for (size_t k = 0; k < all->n; k++)
        if (k != best && summary_evidence_of(&all->one[k].m).value > summary_evidence_of(&all->one[next].m).value) next = k;
    if (comparable)
        snprintf(text, sizeof text, "The rows are more probable under %.200s than under %.200s: the log evidence is larger by %.4g",
                 all->one[best].name, all->one[next].name,
                 summary_evidence_of(&all->one[best].m).value - summary_evidence_of(&all->one[next].m).value);
    else snprintf(text, sizeof text, "These log evidences cannot be compared; give the table too: each row is then left out");
    say(to, "\n%s.\n", cli_clean(text));
    json_text(to->json, "best", comparable ? all->one[best].name : NULL);
    json_text(to->json, "verdict", NULL);
    json_text(to->json, "sentence", text);
}

/* "-" where there is no number. */
static void compare_cell(const cli_answer *to, int wide, int digits, double v)
{
    if (v == v) say(to, " %*.*f", wide, digits, v);
    else say(to, " %*s", wide, "-");
}

static void compare_line(const cli_answer *to, int wide, int rows, const compared *one)
{
    const summary_logp e = summary_evidence_of(&one->m);
    cli_shown shown;
    say(to, "%-*s", wide, cli_show(&shown, one->name));
    json_object(to->json, NULL);
    json_text(to->json, "name", one->name);
    json_text(to->json, "basis", one->m.spec);
    json_text(to->json, "likelihood", one->m.glm ? one->m.likelihood.ops->name : "gaussian");
    if (rows) {
        compare_cell(to, 10, 2, one->elpd);
        compare_cell(to, 8, 2, one->se);
        compare_cell(to, 10, 2, one->diff);
        compare_cell(to, 8, 2, one->diff_se);
        compare_cell(to, 8, 0, one->without ? NAN : (double)one->doubtful);
        compare_cell(to, 10, 4, one->inside);
        json_number(to->json, "elpd", one->elpd);
        json_number(to->json, "elpd_se", one->se);
        json_number(to->json, "diff", one->diff);
        json_number(to->json, "diff_se", one->diff_se);
        json_number(to->json, "doubtful", one->without ? NAN : (double)one->doubtful);
        json_number(to->json, "coverage95", one->inside);
        json_text(to->json, "without", one->without);
    }
    compare_cell(to, 12, 2, e.point ? NAN : e.value);
    compare_cell(to, 8, 2, one->seconds);
    if (one->without) say(to, "  (%s)", one->without);
    say(to, "\n");
    json_number(to->json, "log_evidence", e.point ? NAN : e.value);
    json_text(to->json, "evidence_by", e.by);
    json_number(to->json, "seconds", one->seconds);
    json_end(to->json);
}

int comparison_print(comparison *all, int rows, const cli_answer *to, cli_why *why)
{
    const int comparable = compare_evidences(all);
    int wide = 5;
    size_t doubtful = 0;
    cli_shown shown;
    const int status = rows ? compare_rank(all, why) : CLI_GOOD;
    if (status) return status;
    for (size_t k = 0; k < all->n; k++) {
        const int n = (int)strlen(cli_show(&shown, all->one[k].name));
        if (n > wide) wide = n;
        doubtful += all->one[k].doubtful;
    }
    json_text(to->json, "target", all->one[0].m.cols.targets[0]);
    json_count(to->json, "rows", all->one[0].m.rows);
    json_count(to->json, "compared_rows", all->common);
    say(to, "target %s, ", cli_show(&shown, all->one[0].m.cols.targets[0]));
    say(to, "%lu rows%s\n", (unsigned long)all->one[0].m.rows, rows ? ", each predicted from the others" : "");
    say(to, "%-*s", wide, "model");
    if (rows) say(to, " %10s %8s %10s %8s %8s %10s", "elpd", "se", "diff", "se", "doubtful", "coverage95");
    say(to, " %12s %8s\n", "log evidence", "seconds");
    json_array(to->json, "models");
    for (size_t k = 0; k < all->n; k++) compare_line(to, wide, rows, &all->one[k]);
    json_end(to->json);
    json_flag(to->json, "evidences_comparable", comparable);
    if (rows && !comparable)
        say(to, "The log evidences cannot be compared: of flat priors, different weights, or different inference.\n");
    if (rows) compare_sentence(all, to);
    else compare_by_evidence(all, comparable, to);
    if (doubtful) cli_note("some rows stand nearly alone, and what is said of them is doubtful: compare with cv --folds K");
    if (rows && all->common > 0 && all->common < 100)
        cli_note("below 100 rows the standard error of a difference is too small: take it as the least it may be");
    return CLI_GOOD;
}

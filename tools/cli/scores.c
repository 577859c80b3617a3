/* scores: predict, then measure */
#include "scores.h"
#include "classes.h"
#include "glm.h"
#include "glm_options.h"
#include "number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double scores_level = 0.95;

const char *const scores_names[SCORE_COUNT] = { "r2", "rmse", "smse", "mll", "msll", "coverage95", "pinball", "below", "log_loss",
                                                 "error_rate", "brier", "elpd", "elpd_se", "p_eff", "doubtful" };

#define SCORES_BIT(k) (1u << (k))

unsigned scores_kept(const model *m)
{
    const unsigned first = SCORES_BIT(SCORE_R2) | SCORES_BIT(SCORE_RMSE) | SCORES_BIT(SCORE_SMSE) | SCORES_BIT(SCORE_MLL)
                         | SCORES_BIT(SCORE_COVERAGE);
    const size_t classes = glm_classes(m);
    if (glm_quantile(m) > 0.0) return SCORES_BIT(SCORE_PINBALL) | SCORES_BIT(SCORE_BELOW);        /* its density has no meaning */
    if (!m->glm || glm_is_real(&m->likelihood)) return first | SCORES_BIT(SCORE_MSLL);
    if (classes_of(m)) return SCORES_BIT(SCORE_LOG_LOSS) | SCORES_BIT(SCORE_ERROR) | SCORES_BIT(SCORE_BRIER);
    if (classes != 2) return classes ? first | SCORES_BIT(SCORE_ERROR) : first;
    return SCORES_BIT(SCORE_MLL) | SCORES_BIT(SCORE_LOG_LOSS) | SCORES_BIT(SCORE_ERROR) | SCORES_BIT(SCORE_BRIER);
}

/* A row of weight k counts as k rows. weight NULL: each counts once. */
static double scores_weight(const double *weight, size_t i) { return weight ? weight[i] : 1.0; }

static double scores_total(size_t n, const double *weight)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i++) total += scores_weight(weight, i);
    return total;
}

/* A mean over rows of one of the library's metrics of classes; NaN where it is undefined. */
typedef bln_status scores_metric(size_t n, size_t K, const double *y, const double *p, double *out, bln_report *report);

static double scores_mean(scores_metric *of, size_t n, size_t K, const double *y, const double *p, const double *weight)
{
    double one = NAN, sum = 0.0;                                   /* what a metric refuses stays NaN */
    if (!weight) {
        of(n, K, y, p, &one, NULL);
        return one;
    }
    for (size_t i = 0; i < n; i++) {
        one = NAN;
        of(1, K, y + i, p + i*K, &one, NULL);
        sum += weight[i]*one;
    }
    return sum/scores_total(n, weight);
}

void scores_probable(size_t n, size_t K, const double *y, const double *p, const double *weight, double *out)
{
    out[SCORE_LOG_LOSS] = scores_mean(bln_log_loss, n, K, y, p, weight);
    out[SCORE_ERROR] = scores_mean(bln_error_rate, n, K, y, p, weight);
    out[SCORE_BRIER] = scores_mean(bln_brier, n, K, y, p, weight);
}

/* Weighted rows are summed here; the library's scores are of rows that count once. */
void scores_errors(size_t n, const double *y, const double *mean, const double *weight, double *out)
{
    out[SCORE_R2] = out[SCORE_RMSE] = out[SCORE_SMSE] = NAN;
    if (!weight) {
        bln_r2(n, y, mean, &out[SCORE_R2], NULL);
        bln_rmse(n, y, mean, &out[SCORE_RMSE], NULL);
        bln_smse(n, y, mean, &out[SCORE_SMSE], NULL);
        return;
    }
    const double total = scores_total(n, weight);
    double middle = 0.0, error = 0.0, var = 0.0;
    for (size_t i = 0; i < n; i++) middle += weight[i]/total*y[i];
    for (size_t i = 0; i < n; i++) {
        error += weight[i]/total*(y[i] - mean[i])*(y[i] - mean[i]);
        var += weight[i]/total*(y[i] - middle)*(y[i] - middle);
    }
    size_t first = 0, other;
    while (first + 1 < n && !(weight[first] > 0.0)) first++;
    for (other = first; other < n && (y[other] == y[first] || !(weight[other] > 0.0));) other++;
    out[SCORE_RMSE] = sqrt(error);
    if (other == n) return;                                       /* all targets are equal: their variance is rounding */
    out[SCORE_SMSE] = error/var;
    out[SCORE_R2] = 1.0 - out[SCORE_SMSE];
}

static double scores_inside(const predictions *p, const double *y, const double *weight)
{
    double inside = 0.0;
    for (size_t i = 0; i < p->n; i++) inside += scores_weight(weight, i)*(p->lower[i] <= y[i] && y[i] <= p->upper[i]);
    return inside/scores_total(p->n, weight);
}

/* The mean negative log density of N(mean, var), one for all. */
static double scores_trivial(size_t n, const double *r, const double *weight, double mean, double var)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += scores_weight(weight, i)*(0.5*log(var) - bln_norm_logpdf((r[i] - mean)/sqrt(var)));
    return sum/scores_total(n, weight);
}

/* Of a quantile q_i of level tau: the mean of (tau - [y_i < q_i])(y_i - q_i), which the true quantile makes least, and the share
 * of targets below q_i, which is tau if it is true.                                              [Koenker & Bassett 1978, (1.2)] */
static void scores_quantile(size_t n, const double *y, const double *q, const double *weight, double tau, double *out)
{
    const double total = scores_total(n, weight);
    out[SCORE_PINBALL] = out[SCORE_BELOW] = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double below = y[i] < q[i], share = scores_weight(weight, i)/total;
        out[SCORE_PINBALL] += (tau - below)*(y[i] - q[i])*share;
        out[SCORE_BELOW] += below*share;
    }
}

/* Target k: the first p->n values y, and r, the same without offsets. */
static void scores_measure(const model *m, size_t k, const predictions *p, const double *y, const double *r, const double *weight,
                           double *out)
{
    const size_t n = p->n;
    const double total = scores_total(n, weight);
    int defined = 1;                        /* a t with one degree of freedom has no mean, and that of counts may overflow */
    for (size_t i = 0; i < n; i++) defined = defined && isfinite(p->mean[i]);
    out[SCORE_LOG_LOSS] = out[SCORE_ERROR] = out[SCORE_BRIER] = NAN;
    out[SCORE_R2] = out[SCORE_RMSE] = out[SCORE_SMSE] = out[SCORE_PINBALL] = out[SCORE_BELOW] = NAN;
    out[SCORE_ELPD] = out[SCORE_ELPD_SE] = out[SCORE_PARAMETERS] = out[SCORE_DOUBTFUL] = NAN;
    out[SCORE_COVERAGE] = scores_inside(p, y, weight);
    if (defined) scores_errors(n, y, p->mean, weight, out);
    out[SCORE_MLL] = 0.0;
    for (size_t i = 0; i < n; i++) out[SCORE_MLL] -= p->log_density[i]*scores_weight(weight, i)/total;
    out[SCORE_MSLL] = out[SCORE_MLL] - scores_trivial(n, r, weight, m->target_mean[k], m->target_var[k]);
}

/* Of rows that were left out: moves those that are defined to the front; returns their number. */
static size_t scores_defined(const model *m, predictions *p, double *y, double *r, double *weight)
{
    size_t k = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (predictions_lost(m, p, i)) continue;
        p->mean[k] = p->mean[i];
        p->lower[k] = p->lower[i];
        p->upper[k] = p->upper[i];
        p->log_density[k] = p->log_density[i];
        y[k] = y[i];
        weight[k] = weight[i];
        r[k++] = r[i];
    }
    return k;
}

/* All targets, one by one. left_out: undefined rows do not count. *n: the weight of those that do. */
static int scores_each(const model *m, const predictions *all, const bln_data *rows, int left_out, double *n, double *out,
                       cli_why *why)
{
    int status = CLI_GOOD;
    double *y = (double *)cli_memory(all->n, 3*sizeof *y), *r = y + all->n, *weight = r + all->n;
    for (size_t k = 0; k < all->P && !status; k++) {
        predictions p;
        predictions_pick(all, k, &p);
        for (size_t i = 0; i < p.n; i++) {
            y[i] = rows->y[i*all->P + k];
            r[i] = y[i] - (rows->offset ? rows->offset[i] : 0.0);
            weight[i] = scores_weight(rows->weight, i);
        }
        if (left_out) p.n = scores_defined(m, &p, y, r, weight);
        *n = scores_total(p.n, weight);
        if (p.n == 0)
            status = cli_fail(why, "--loo: no row can be predicted from the others: they say nothing, or there is no noise");
        else scores_measure(m, k, &p, y, r, rows->weight ? weight : NULL, out + k*SCORE_COUNT);
        predictions_free(&p);
    }
    free(y);
    return status;
}

static int scores_has_two(const model *m) { return glm_classes(m) == 2 && m->likelihood.n_theta == 0; }

/* Two classes have probabilities for means. Of ordered categories the most probable one is the guess. */
static int scores_classes(const model *m, const bln_data *rows, const predictions *p, double *out, cli_why *why)
{
    const size_t n = rows->n, C = glm_classes(m);
    const double total = scores_total(n, rows->weight);
    if (C == 0) return CLI_GOOD;
    if (scores_has_two(m)) {
        scores_probable(n, 1, rows->y, p->mean, rows->weight, out);
        return CLI_GOOD;
    }
    double *probability = (double *)cli_memory(n, C*sizeof *probability);
    const int status = glm_class_probabilities(m, rows, probability, why);
    out[SCORE_ERROR] = 0.0;
    for (size_t i = 0; i < n; i++) {
        size_t guess = 0;
        for (size_t k = 1; k < C; k++) if (probability[i*C + k] > probability[i*C + guess]) guess = k;
        out[SCORE_ERROR] += ((double)guess != rows->y[i])*scores_weight(rows->weight, i)/total;
    }
    free(probability);
    return status;
}

int scores_of(const model *m, const cli_rows *of, const char *file, double *n, double *out, double *mean, cli_why *why)
{
    const bln_data *rows = &of->data;
    predictions p;
    *n = scores_total(rows->n, rows->weight);
    if (classes_of(m)) return classes_score(m, rows, out, why);
    int status = predictions_of_rows(m, of, file, scores_level, &p, why);
    if (!status) status = scores_each(m, &p, rows, 0, n, out, why);
    if (!status && glm_quantile(m) > 0.0)
        scores_quantile(rows->n, rows->y, p.mean, rows->weight, glm_quantile(m), out);
    if (!status && m->glm) status = scores_classes(m, rows, &p, out, why);
    if (!status && mean) memcpy(mean, p.mean, p.n*p.P*sizeof *mean);
    predictions_free(&p);
    return status;
}

/* What only a generalised linear model says of rows left out, and which of them to look at. */
static void scores_glm_left_out(const model *m, const cli_rows *of, const predictions *p, int by, double *out)
{
    const bln_data *rows = &of->data;
    enum { SHOWN = 8 };
    char list[SHOWN*22 + 8] = "";
    size_t n = 0, shown = 0;
    double *y = (double *)cli_memory(p->n, 3*sizeof *y), *mean = y + p->n, *weight = mean + p->n;
    out[SCORE_ELPD] = p->elpd.elpd;
    out[SCORE_ELPD_SE] = p->elpd.se;
    out[SCORE_PARAMETERS] = p->elpd.parameters;
    out[SCORE_DOUBTFUL] = (double)p->elpd.bad;
    for (size_t i = 0; i < p->n; i++) {
        if (predictions_lost(m, p, i)) continue;
        y[n] = rows->y[i];
        weight[n] = scores_weight(rows->weight, i);
        mean[n++] = p->mean[i];
        if (!(p->influence[i] > p->limit) || shown > SHOWN) continue;          /* a row of weight 0 has no influence */
        if (shown++ == SHOWN) strcat(list, ", ...");
        else snprintf(list + strlen(list), sizeof list - strlen(list), "%s%lu", shown > 1 ? ", " : "", (unsigned long)of->line[i]);
    }
    if (shown)
        cli_note("--loo: %s above %.2g in line%s %s: %s, and what it says there is doubtful",
                 glm_by_psis(m, by) ? "k_hat is" : "the leverage is", p->limit, shown > 1 ? "s" : "", list,
                 shown > 1 ? "these rows stand nearly alone" : "this row stands nearly alone");
    if (scores_has_two(m)) scores_probable(n, 1, y, mean, rows->weight ? weight : NULL, out);
    free(y);
}

int scores_left_out(const model *m, const cli_rows *of, int by, double *n, double *out, cli_why *why)
{
    const bln_data *rows = &of->data;
    predictions p;
    size_t undefined;
    cli_counted some;
    int status = predictions_leave_out(m, rows, of->group, of->n_groups, scores_level, by, &p, &undefined, why);
    if (!status && undefined && undefined < rows->n)
        cli_note("--loo: the other rows say nothing about %s of %lu, which the scores leave out",
                 cli_count(&some, undefined, "row"), (unsigned long)rows->n);
    if (!status) status = scores_each(m, &p, rows, 1, n, out, why);
    if (!status && m->glm) scores_glm_left_out(m, of, &p, by, out);
    predictions_free(&p);
    return status;
}

/* Without a row, neither the guess of an ordered category nor the quantile is computed. */
int scores_shown(unsigned kept, size_t k, double score)
{
    const int once = k == SCORE_PINBALL || k == SCORE_BELOW || k == SCORE_ERROR;
    if (k >= SCORE_ELPD) return score == score;
    return (kept & SCORES_BIT(k)) != 0 && (!once || score == score);
}

static void scores_line(const cli_answer *to, const char *indent, const char *name, double score)
{
    say(to, "%s%-*s %.8g\n", indent, *indent ? 15 : 0, name, number_plain(score));       /* aligned for readers, or bare */
    json_number(to->json, name, score);
}

void scores_print_waic(const bln_elpd *waic, const cli_answer *to, const char *indent)
{
    json_object(to->json, "waic");
    scores_line(to, indent, "elpd_waic", waic->elpd);
    scores_line(to, indent, "elpd_waic_se", waic->se);
    scores_line(to, indent, "p_waic", waic->parameters);
    scores_line(to, indent, "doubtful_waic", (double)waic->bad);
    json_end(to->json);
}

void scores_print(const model *m, const cli_answer *to, const char *indent, double n, const double *score)
{
    const unsigned kept = scores_kept(m);
    cli_shown shown;
    json_array(to->json, "scores");
    for (size_t t = 0; t < m->cols.n_targets; t++, score += SCORE_COUNT) {
        json_object(to->json, NULL);
        json_text(to->json, "output", m->cols.targets[t]);
        if (m->cols.n_targets > 1) say(to, "%soutput %s\n", indent, cli_show(&shown, m->cols.targets[t]));
        scores_line(to, indent, "n", n);
        for (size_t k = 0; k < SCORE_COUNT; k++)
            if (scores_shown(kept, k, score[k])) scores_line(to, indent, scores_names[k], score[k]);
        json_end(to->json);
    }
    json_end(to->json);
}

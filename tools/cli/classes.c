/* classes: asks for the probabilities of all classes, and shows them */
#include "classes.h"
#include "glm.h"
#include "number.h"
#include "scores.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t classes_of(const model *m) { return m->likelihood.ops ? bln_likelihood_classes(&m->likelihood) : 0; }

const char *classes_name(const model *m, size_t k, cli_shown *room)
{
    if (k < m->cols.n_classes) return cli_show(room, m->cols.classes[k]);
    snprintf(room->text, sizeof room->text, "%lu", (unsigned long)k);
    return room->text;
}

const char *classes_text(const model *m, size_t k, cli_shown *room)
{
    return k < m->cols.n_classes ? m->cols.classes[k] : classes_name(m, k, room);
}

/* ---- score ---- */

int classes_score(const model *m, const bln_data *rows, double *out, cli_why *why)
{
    const size_t K = classes_of(m);
    double *p = (double *)cli_memory(rows->n, K*sizeof *p);
    const int status = glm_class_probabilities(m, rows, p, why);
    for (size_t k = 0; k < SCORE_COUNT; k++) out[k] = NAN;
    if (!status) scores_probable(rows->n, K, rows->y, p, rows->weight, out);
    free(p);
    return status;
}

enum { CLASSES_WIDE = 14 };

int classes_confusion(const model *m, const bln_data *rows, const cli_answer *to, cli_why *why)
{
    const size_t K = glm_classes(m);
    if (K < 2) return CLI_GOOD;
    double *p = (double *)cli_memory(rows->n, K*sizeof *p);
    double *table = (double *)cli_memory(K, K*sizeof *table);
    size_t *one = (size_t *)cli_memory(K, K*sizeof *one);
    cli_shown name;
    bln_report report;
    int status = glm_class_probabilities(m, rows, p, why);
    for (size_t i = 0; i < rows->n && !status; i++) {               /* a row of weight k counts as k rows */
        if (bln_confusion(1, K, rows->y + i, p + i*K, one, &report) != BLN_OK)
            status = cli_fail(why, "the scores failed: %s", report.text);
        for (size_t k = 0; k < K*K && !status; k++) if (one[k]) table[k] += rows->weight ? rows->weight[i] : 1.0;
    }
    if (!status) {
        say(to, "confusion, a line for each class, a column for each guess\n%*s", CLASSES_WIDE + 2, "");
        json_array(to->json, "classes");
        for (size_t k = 0; k < K; k++) {
            const int bytes = cli_bytes(classes_name(m, k, &name), CLASSES_WIDE - 4);
            say(to, " %*.*s", bytes, bytes, name.text);
            json_text(to->json, NULL, classes_text(m, k, &name));
        }
        json_end(to->json);
        json_array(to->json, "confusion");
        for (size_t k = 0; k < K*K; k++) {
            if (k % K == 0) {
                const int bytes = cli_bytes(classes_name(m, k/K, &name), CLASSES_WIDE);
                say(to, "\n  %-*.*s", bytes, bytes, name.text);
                json_array(to->json, NULL);
            }
            say(to, " %*.8g", CLASSES_WIDE - 4, table[k]);
            json_number(to->json, NULL, table[k]);
            if (k % K == K - 1) json_end(to->json);
        }
        json_end(to->json);
        say(to, "\n");
    }
    free(p);
    free(table);
    free(one);
    return status;
}

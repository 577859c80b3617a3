/* info: what a model file holds */
#include "summary.h"
#include "verbs.h"

static void info_columns(const model *m, FILE *file)
{
    cli_shown shown;
    for (size_t i = 0; i < m->cols.n; i++) {
        const cli_column *one = &m->cols.column[i];
        if (!one->words) continue;
        fprintf(file, "words of         %s:", cli_show(&shown, one->name));
        for (size_t k = 0; k < one->n_words; k++) fprintf(file, "%s %s", k ? "," : "", cli_show(&shown, one->words[k]));
        fputc('\n', file);
    }
}

int verb_info(const options *o, cli_why *why)
{
    model m;
    int status = model_load(o->model, &m, why);
    if (status) return status;
    summary_print(&m, o->interval, stdout);
    info_columns(&m, stdout);
    status = summary_coefficients(&m, o->interval, o->all, stdout, why);
    model_free(&m);
    return status;
}

/* info: what a model file holds */
#include "output.h"
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
    output out;
    int status = model_load(o->model, &m, why);
    if (status) return status;
    status = output_open(NULL, &out, why);
    if (!status) {
        summary_print(&m, out.file);
        info_columns(&m, out.file);
        status = summary_coefficients(&m, o->interval, o->all, out.file, why);
    }
    if (!status) status = output_close(&out, why);
    model_free(&m);
    return status;
}

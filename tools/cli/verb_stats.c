/* stats: sufficient statistics of a table; merge: of several files of them */
#include "output.h"
#include "stats.h"
#include "verbs.h"
#include <string.h>

static void stats_print(const stats *s, const char *path)
{
    const model *m = &s->m;
    const char *how = s->arithmetic == BLN_SLM_EXACT ? ", summed in three doubles"
                    : s->arithmetic == BLN_SLM_QR ? ", as a triangle" : "";
    for (size_t k = 0; k < m->cols.n_targets; k++) printf("target           %s\n", m->cols.targets[k]);
    printf("rows             %lu", (unsigned long)m->rows);
    if (m->dropped) printf("  (%lu more had missing values)", (unsigned long)m->dropped);
    printf("\ninputs           %lu%s\n", (unsigned long)m->cols.d, m->scaled ? ", standardised" : "");
    printf("basis            %s  (seed %lu)\n", m->spec, (unsigned long)m->seed);
    printf("features         %lu%s\n", (unsigned long)model_basis(m)->D, how);
    printf("statistics       %s\n", path);
}

int verb_stats(const options *o, cli_why *why)
{
    stats s;
    stream rows;
    progress p = progress_start("");
    memset(&s, 0, sizeof s);
    memset(&rows, 0, sizeof rows);
    int status = output_check(o, why);
    if (!status && o->like) status = stats_like(o->like, &s, why);
    if (!status) status = stream_open(o, o->like ? &s.m.cols : NULL, STREAM_SOME, &p, &rows, why);
    if (!status && !o->like) status = stats_of_rows(o, &rows, &s, why);
    if (!status) status = stats_add(&s, &rows, why);
    if (!status) status = stats_save(&s, o->output, why);
    if (!status) stats_print(&s, o->output);
    stream_close(&rows);
    stats_free(&s);
    return status;
}

int verb_merge(const options *o, cli_why *why)
{
    stats all, part;
    memset(&all, 0, sizeof all);
    int status = output_check(o, why);
    if (!status) status = stats_load(o->files[0], &all, why);
    for (size_t i = 1; i < o->n_files && !status; i++) {
        status = stats_load(o->files[i], &part, why);
        if (status) break;
        status = stats_merge(&all, &part, o->files[0], o->files[i], why);
        stats_free(&part);
    }
    if (!status) status = stats_save(&all, o->output, why);
    if (!status) stats_print(&all, o->output);
    stats_free(&all);
    return status;
}

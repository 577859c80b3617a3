/* chains: reads files of draws, and puts their chains together */
#include "chains.h"
#include "csv.h"
#include "made.h"
#include <stdlib.h>
#include <string.h>

/* Is the table of file i like that of the first? */
static int chains_fit(const bln_chains *const *part, size_t i, const char *const *files, cli_why *why)
{
    cli_shown a, b;
    cli_counted counted;
    if (bln_chains_columns(part[i]) != bln_chains_columns(part[0]))
        return cli_fail(why, "%s: %s, and %s has %lu", files[i], cli_count(&counted, bln_chains_columns(part[i]), "column"),
                        files[0], (unsigned long)bln_chains_columns(part[0]));
    for (size_t k = 0; k < bln_chains_columns(part[0]); k++)
        if (strcmp(bln_chains_name(part[i], k), bln_chains_name(part[0], k)))
            return cli_fail(why, "%s: a column \"%s\" where %s has \"%s\"", files[i], cli_show(&a, bln_chains_name(part[i], k)),
                            files[0], cli_show(&b, bln_chains_name(part[0], k)));
    if (bln_chains_draws(part[i]) != bln_chains_draws(part[0]))
        return cli_fail(why, "%s: %s of a chain, and %s has %lu", files[i], cli_count(&counted, bln_chains_draws(part[i]), "draw"),
                        files[0], (unsigned long)bln_chains_draws(part[0]));
    return CLI_GOOD;
}

/* Puts all chains into one table with these names. Draw i of all chains is stored together; each file adds its part of it. */
static int chains_join(size_t n, const bln_chains *const *part, const char *const *names, bln_chains **out, cli_why *why)
{
    bln_chains_desc desc;
    bln_report report;
    const size_t columns = bln_chains_columns(part[0]);
    memset(&desc, 0, sizeof desc);
    for (size_t i = 0; i < n; i++) desc.chains += bln_chains_count(part[i]);
    desc.draws = bln_chains_draws(part[0]);
    desc.columns = columns;
    desc.names = names;
    bln_status status = bln_chains_create(&desc, out, &report);
    double *row = (double *)cli_memory(desc.chains, columns*sizeof *row);
    for (size_t d = 0; d < desc.draws && status == BLN_OK; d++) {
        double *to = row;
        for (size_t i = 0; i < n; i++) {
            const size_t piece = bln_chains_count(part[i])*columns;
            memcpy(to, bln_chains_table(part[i]) + d*piece, piece*sizeof *to);
            to += piece;
        }
        status = bln_chains_add(*out, row, &report);
    }
    free(row);
    return status == BLN_OK ? CLI_GOOD : cli_fail(why, "%s", report.text);
}

/* ---- names */

static int chains_by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The first of n names that occurs twice, or NULL. */
static const char *chains_twice(size_t n, const char *const *names)
{
    const char **sorted = (const char **)cli_memory(n, sizeof *sorted), *twice = NULL;
    for (size_t k = 0; k < n; k++) sorted[k] = names[k];
    qsort((void *)sorted, n, sizeof *sorted, chains_by_text);
    for (size_t k = 1; k < n && !twice; k++) if (!strcmp(sorted[k], sorted[k - 1])) twice = sorted[k];
    free((void *)sorted);
    return twice;
}

static int chains_check_names(const char *path, const bln_chains *c, cli_why *why)
{
    const size_t n = bln_chains_columns(c);
    cli_shown shown;
    const char **names = (const char **)cli_memory(n, sizeof *names);
    for (size_t k = 0; k < n; k++) names[k] = bln_chains_name(c, k);
    const char *twice = chains_twice(n, names);
    free((void *)names);
    if (!twice) return CLI_GOOD;
    return cli_fail(why, "%s: two columns are called \"%s\": which is which, a table of draws must tell", path,
                    cli_show(&shown, twice));
}

/* ---- those of a model */

/* The name of a column of a model's draws, with the feature, the slice or the basis parameter that its number stands for. */
static void chains_name(const model *m, const char *name, char *out, size_t size)
{
    static const char *const kinds[] = { "w[", "prior_var[", "theta[" };
    const bln_basis *b = bln_glm_basis(m->glm);
    const char *const *inputs = (const char *const *)m->cols.inputs;
    size_t k = 0;
    char of[160];
    while (k < 3 && strncmp(name, kinds[k], strlen(kinds[k]))) k++;
    snprintf(out, size, "%s", name);
    cli_clean(out);
    if (k == 3) return;
    const size_t n = k == 0 ? b->D : k == 1 ? model_priors(m) : b->n_theta;
    const size_t place = (size_t)strtoul(name + strlen(kinds[k]), NULL, 10) - 1;
    if (place >= (k == 2 ? 1 : model_tables(m))*n) return;                              /* a file may say anything */
    const size_t at = place % n;
    if (k == 0) bln_basis_feature_name(b, at, inputs, of, sizeof of);
    else if (k == 2) bln_basis_param_name(b, at, inputs, of, sizeof of);
    else if (model_priors(m) == b->n_slices) made_slice_name(&m->cols, b, at, of, sizeof of);
    else bln_basis_feature_name(b, at, inputs, of, sizeof of);
    snprintf(out, size, "%s%s%s%s]", kinds[k], place >= n ? bln_likelihood_latent_name(&m->likelihood, place/n) : "",
             place >= n ? ": " : "", cli_clean(of));
}

int chains_named(const model *m, bln_chains **out, cli_why *why)
{
    enum { NAME = 200 };
    const bln_chains *all = bln_glm_chains(m->glm);
    const size_t columns = bln_chains_columns(all);
    const char **names = (const char **)cli_memory(columns, sizeof *names);
    char (*text)[NAME] = (char (*)[NAME])cli_memory(columns, sizeof *text);
    for (size_t k = 0; k < columns; k++) {
        chains_name(m, bln_chains_name(all, k), text[k], NAME);
        names[k] = text[k];
    }
    for (const char *twice; (twice = chains_twice(columns, names)) != NULL;)      /* columns "a" and "a=b" may give one name */
        for (size_t k = 0; k < columns; k++) if (!strcmp(names[k], twice)) names[k] = bln_chains_name(all, k);
    const int status = chains_join(1, &all, names, out, why);
    free((void *)names);
    free(text);
    return status;
}

static int chains_of_model(const char *path, const char *bytes, size_t n, bln_chains **out, cli_why *why)
{
    model m;
    int status = model_read(path, bytes, n, &m, why);
    if (status) return status;
    if (m.glm && bln_glm_chains(m.glm)) status = chains_named(&m, out, why);
    else status = cli_fail(why, "%s: a model that holds no draws. This verb judges those of a sampler: of models by "
                           "--inference nuts or gibbs, or in CSV; how a model fits its data, "
                           "`bayeslin check MODEL DATA.csv` tells", path);
    model_free(&m);
    return status;
}

/* ---- files */

static int chains_of_file(const char *path, bln_chains **out, cli_why *why)
{
    static const char magic[] = "\x89" "BLN";
    char *bytes;
    size_t n;
    bln_report report;
    int status = csv_bytes(path, &bytes, &n, why);
    if (status) return status;
    path = csv_file_name(path);
    if (n >= 4 && !memcmp(bytes, magic, 4)) status = chains_of_model(path, bytes, n, out, why);
    else if (chains_is_json(bytes, n)) status = chains_json(path, bytes, n, out, why);
    else if (bln_chains_read_csv(NULL, bytes, n, out, &report) != BLN_OK)
        status = cli_fail(why, "%s: %s", path, report.text + strlen("chains: "));
    if (!status) status = chains_check_names(path, *out, why);
    free(bytes);
    return status;
}

int chains_read(size_t n, const char *const *files, bln_chains **out, cli_why *why)
{
    int status = CLI_GOOD;
    bln_chains **part = (bln_chains **)cli_memory(n, sizeof *part);
    for (size_t i = 0; i < n && !status; i++) {
        status = chains_of_file(files[i], &part[i], why);
        if (!status) status = chains_fit((const bln_chains *const *)part, i, files, why);
    }
    if (!status && n == 1) { *out = part[0]; part[0] = NULL; }
    else if (!status) {
        const char **names = (const char **)cli_memory(bln_chains_columns(part[0]), sizeof *names);
        for (size_t k = 0; k < bln_chains_columns(part[0]); k++) names[k] = bln_chains_name(part[0], k);
        status = chains_join(n, (const bln_chains *const *)part, names, out, why);
        free((void *)names);
    }
    for (size_t i = 0; i < n; i++) bln_chains_free(part[i]);
    free(part);
    return status;
}

/* chains: reads files of draws, and puts their chains together */
#include "chains.h"
#include "csv.h"
#include "model.h"
#include <stdlib.h>
#include <string.h>

/* The draws that a model file holds: here is the place for models whose method keeps its chains. */
static int chains_of_model(const char *path, bln_chains **out, cli_why *why)
{
    model m;
    const int status = model_load(path, &m, why);
    *out = NULL;
    if (status) return status;
    model_free(&m);
    return cli_fail(why, "%s: a model that holds no draws. This verb judges those of a sampler, in CSV; how a model fits its data, "
                    "`bayeslin check MODEL DATA.csv` tells", path);
}

static int chains_of_file(const char *path, bln_chains **out, cli_why *why)
{
    static const char ours[] = "chains: ", magic[] = "\x89" "BLN";
    char *bytes;
    size_t n;
    bln_report report;
    int status = csv_bytes(path, &bytes, &n, why);
    if (status) return status;
    if (n >= 4 && !memcmp(bytes, magic, 4)) status = chains_of_model(path, out, why);
    else if (bln_chains_read_csv(NULL, bytes, n, out, &report) != BLN_OK)
        status = cli_fail(why, "%s: %s", path, report.text + (strncmp(report.text, ours, strlen(ours)) ? 0 : strlen(ours)));
    free(bytes);
    return status;
}

/* Is the table of file i like that of the first? */
static int chains_fit(const bln_chains *const *part, size_t i, const char *const *files, cli_why *why)
{
    cli_shown a, b;
    if (bln_chains_columns(part[i]) != bln_chains_columns(part[0]))
        return cli_fail(why, "%s: %lu columns, and %s has %lu", files[i], (unsigned long)bln_chains_columns(part[i]), files[0],
                        (unsigned long)bln_chains_columns(part[0]));
    for (size_t k = 0; k < bln_chains_columns(part[0]); k++)
        if (strcmp(bln_chains_name(part[i], k), bln_chains_name(part[0], k)))
            return cli_fail(why, "%s: a column \"%s\" where %s has \"%s\"", files[i], cli_show(&a, bln_chains_name(part[i], k)),
                            files[0], cli_show(&b, bln_chains_name(part[0], k)));
    if (bln_chains_draws(part[i]) != bln_chains_draws(part[0]))
        return cli_fail(why, "%s: %lu draws of a chain, and %s has %lu", files[i], (unsigned long)bln_chains_draws(part[i]),
                        files[0], (unsigned long)bln_chains_draws(part[0]));
    return CLI_GOOD;
}

/* Draw i of all chains stands together, so that each file adds a piece of it. */
static int chains_join(size_t n, const bln_chains *const *part, bln_chains **out, cli_why *why)
{
    bln_chains_desc desc;
    bln_report report;
    const size_t columns = bln_chains_columns(part[0]);
    const char **names = (const char **)cli_memory(columns, sizeof *names);
    memset(&desc, 0, sizeof desc);
    for (size_t k = 0; k < columns; k++) names[k] = bln_chains_name(part[0], k);
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
    free((void *)names);
    return status == BLN_OK ? CLI_GOOD : cli_fail(why, "%s", report.text);
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
    else if (!status) status = chains_join(n, (const bln_chains *const *)part, out, why);
    for (size_t i = 0; i < n; i++) bln_chains_free(part[i]);
    free(part);
    return status;
}

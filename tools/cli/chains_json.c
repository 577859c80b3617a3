/* chains_json: draws as posteriordb publishes them, an array of chains, each an object of names with the draws of each:
 * [{"mu": [1.5, 2.5], "theta[1]": [0.1, 0.2]}, {...}] */
#include "chains.h"
#include <stdlib.h>
#include <string.h>

typedef struct json {
    const char *path, *begin, *at, *end;
    char      **name;               /* of each column, from the first chain */
    size_t      columns, chains, draws;
    double     *x;                  /* (chain*columns + column)*draws + draw */
    size_t      room;
    cli_why    *why;
} json;

static int json_fail(const json *j, const char *what)
{
    size_t line = 1;
    for (const char *c = j->begin; c < j->at; c++) line += *c == '\n';
    return cli_fail(j->why, "%s: line %lu: %s", j->path, (unsigned long)line, what);
}

static void json_blanks(json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\r' || *j->at == '\n')) j->at++;
}

/* Is c the next character that is no blank? If so, it is passed over. */
static int json_next(json *j, char c)
{
    json_blanks(j);
    if (j->at == j->end || *j->at != c) return 0;
    j->at++;
    return 1;
}

/* A name in quotes, allocated. Names of parameters need no escapes but \" and \\. */
static int json_name(json *j, char **out)
{
    if (!json_next(j, '"')) return json_fail(j, "a name in double quotes was expected");
    const char *from = j->at;
    size_t n = 0;
    while (j->at < j->end && *j->at != '"') j->at += *j->at == '\\' && j->at + 1 < j->end ? 2 : 1;
    if (j->at >= j->end) return json_fail(j, "a quote that is not closed");
    const char *behind = j->at++;
    if (!json_next(j, ':')) return json_fail(j, "no colon behind a name");
    *out = (char *)cli_memory((size_t)(behind - from) + 1, 1);
    for (const char *c = from; c < behind; c++) {
        if (*c == '\\') c++;
        (*out)[n++] = *c;
    }
    return CLI_GOOD;
}

/* The draws of one column of the present chain. The first array tells how many there are. */
static int json_draws(json *j, size_t column)
{
    size_t n = 0;
    double v;
    if (!json_next(j, '[')) return json_fail(j, "draws in [...] were expected");
    do {
        json_blanks(j);
        const char *behind = bln_decimal_read(j->at, j->end, &v);
        if (!behind) return json_fail(j, "no number");
        const size_t i = j->draws ? (j->chains*j->columns + column)*j->draws + n : n;
        if (j->draws && n == j->draws) return json_fail(j, "more draws than the first parameter has");
        if (i >= j->room) {
            j->room = 2*(i + 512);
            j->x = (double *)cli_grow(j->x, j->room, sizeof *j->x);
        }
        j->x[i] = v;
        j->at = behind;
        n++;
    } while (json_next(j, ','));
    if (!json_next(j, ']')) return json_fail(j, "neither , nor ] behind a number");
    if (!j->draws) j->draws = n;
    return n == j->draws ? CLI_GOOD : json_fail(j, "fewer draws than the first parameter has");
}

/* Reads one chain. The first one gives the names; the others must have the same names in the same order. */
static int json_chain(json *j)
{
    size_t k = 0;
    int status = CLI_GOOD;
    if (!json_next(j, '{')) return json_fail(j, "a chain in {...} was expected");
    do {
        char *name = NULL;
        status = json_name(j, &name);
        if (status) return status;
        if (j->chains == 0) {
            j->name = (char **)cli_grow(j->name, k + 1, sizeof *j->name);
            j->name[k] = name;
            j->columns = k + 1;
        } else {
            const int same = k < j->columns && !strcmp(name, j->name[k]);
            free(name);
            if (!same) return json_fail(j, "another name than the first chain has here");
        }
        status = json_draws(j, k++);
    } while (!status && json_next(j, ','));
    if (!status && !json_next(j, '}')) return json_fail(j, "neither , nor } behind draws");
    if (!status && k < j->columns) return json_fail(j, "fewer parameters than the first chain has");
    return status;
}

static int json_chains(json *j)
{
    int status;
    json_next(j, '[');                                             /* chains_is_json has seen it */
    do {
        status = json_chain(j);
        if (!status) j->chains++;
    } while (!status && json_next(j, ','));
    if (!status && !json_next(j, ']')) status = json_fail(j, "neither , nor ] behind a chain");
    json_blanks(j);
    if (!status && j->at < j->end) status = json_fail(j, "something behind the end");
    return status;
}

static int json_table(const json *j, bln_chains **out)
{
    bln_chains_desc desc;
    bln_report report;
    memset(&desc, 0, sizeof desc);
    desc.chains = j->chains;
    desc.draws = j->draws;
    desc.columns = j->columns;
    desc.names = (const char *const *)j->name;
    bln_status status = bln_chains_create(&desc, out, &report);
    double *row = (double *)cli_memory(j->chains*j->columns, sizeof *row);
    for (size_t i = 0; i < j->draws && status == BLN_OK; i++) {
        for (size_t k = 0; k < j->chains*j->columns; k++) row[k] = j->x[k*j->draws + i];
        status = bln_chains_add(*out, row, &report);
    }
    free(row);
    return status == BLN_OK ? CLI_GOOD : cli_fail(j->why, "%s: %s", j->path, report.text);
}

/* Skips a byte order mark, if there is one. */
static size_t json_start(const char *bytes, size_t n) { return n >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3) ? 3 : 0; }

int chains_is_json(const char *bytes, size_t n)
{
    json j;
    memset(&j, 0, sizeof j);
    j.at = bytes + json_start(bytes, n);
    j.end = bytes + n;
    return json_next(&j, '[');
}

int chains_json(const char *path, const char *bytes, size_t n, bln_chains **out, cli_why *why)
{
    json j;
    memset(&j, 0, sizeof j);
    j.path = path;
    j.begin = j.at = bytes + json_start(bytes, n);
    j.end = bytes + n;
    j.why = why;
    int status = json_chains(&j);
    if (!status) status = json_table(&j, out);
    for (size_t k = 0; k < j.columns; k++) free(j.name[k]);
    free(j.name);
    free(j.x);
    return status;
}

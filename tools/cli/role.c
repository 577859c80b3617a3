/* role: reads texts of --offset and --trials that are more than the name of a column */
#include "role.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROLE_LOG = 1, ROLE_SQRT, ROLE_EXP, ROLE_CALLS };
static const char *const role_calls[ROLE_CALLS] = { "", "log(", "sqrt(", "exp(" };

/* A column's name, [p, p + n) without blanks at its ends. */
static char *role_name(const char *p, size_t n)
{
    while (n > 0 && *p == ' ') { p++; n--; }
    while (n > 0 && p[n - 1] == ' ') n--;
    char *name = (char *)cli_memory(n + 1, 1);
    memcpy(name, p, n);
    return name;
}

/* The names in it, as far as it is more than one column: how many. */
static size_t role_split(cli_role role, const char *text, int *function, char *name[2])
{
    const size_t n = strlen(text);
    const char *plus = strchr(text, '+');
    *function = 0;
    if (role == ROLE_TRIALS && plus && plus > text && plus[1]) {
        name[0] = role_name(text, (size_t)(plus - text));
        name[1] = role_name(plus + 1, strlen(plus + 1));
        return 2;
    }
    for (int f = 1; f < ROLE_CALLS && role == ROLE_OFFSET; f++) {
        const size_t length = strlen(role_calls[f]);
        if (strncmp(text, role_calls[f], length) || n < length + 2 || text[n - 1] != ')') continue;
        *function = f;
        name[0] = role_name(text + length, n - length - 1);
        return 1;
    }
    return 0;
}

const char *role_option(cli_role role)
{
    static const char *const names[ROLE_COUNT] = { "--weights", "--noise-var", "--offset", "--trials" };
    return names[role];
}

role_place role_find(const csv_table *t, cli_role role, const char *text)
{
    role_place out;
    char *name[2] = { NULL, NULL };
    out.second = COLUMNS_NOWHERE;
    out.function = 0;
    out.first = csv_find(t, text);
    if (out.first < t->n_columns) return out;
    const size_t n = role_split(role, text, &out.function, name);
    out.first = n ? csv_find(t, name[0]) : t->n_columns;
    out.second = n > 1 ? csv_find(t, name[1]) : COLUMNS_NOWHERE;
    if (out.first == t->n_columns || out.second == t->n_columns) out.first = out.second = COLUMNS_NOWHERE;
    free(name[0]);
    free(name[1]);
    return out;
}

int role_uses(cli_role role, const char *text, const char *name)
{
    char *part[2] = { NULL, NULL };
    int function, found = !strcmp(text, name);
    const size_t n = role_split(role, text, &function, part);
    for (size_t k = 0; k < n; k++) {
        found = found || !strcmp(part[k], name);
        free(part[k]);
    }
    return found;
}

const char *role_of(char *const *roles, const char *name)
{
    for (int k = 0; k < ROLE_COUNT; k++)
        if (roles[k] && role_uses((cli_role)k, roles[k], name)) return role_option((cli_role)k);
    return NULL;
}

int role_value(const csv_table *t, cli_role role, const role_place *place, size_t row, double *out, cli_why *why)
{
    const size_t at = place->first;
    const char *name = t->names[at].text;
    double more = 0.0;
    int status = columns_number(t, row, at, name, out, why);
    if (!status && place->second != COLUMNS_NOWHERE)
        status = columns_number(t, row, place->second, t->names[place->second].text, &more, why);
    if (status) return status;
    const csv_cell *cell = csv_at(t, row, at);
    if (role == ROLE_TRIALS && place->second != COLUMNS_NOWHERE && (*out < 0.0 || more < 0.0)) {
        const size_t bad = *out < 0.0 ? at : place->second;
        return columns_complain(t, csv_at(t, row, bad), t->names[bad].text, "is no number of successes or failures: it must be 0 "
                                                                             "or more", why);
    }
    *out += more;
    if (place->function == ROLE_LOG && !(*out > 0.0))
        return columns_complain(t, cell, name, "has no logarithm, which needs a number above 0 (log of --offset)", why);
    if (place->function == ROLE_SQRT && !(*out >= 0.0))
        return columns_complain(t, cell, name, "has no square root, which needs 0 or more (sqrt of --offset)", why);
    if (place->function == ROLE_LOG) *out = log(*out);
    if (place->function == ROLE_SQRT) *out = sqrt(*out);
    if (place->function == ROLE_EXP) *out = exp(*out);
    if (!isfinite(*out)) return columns_complain(t, cell, name, "is too large (exp of --offset)", why);
    if (role == ROLE_WEIGHTS && !(*out >= 0.0))
        return columns_complain(t, cell, name, "is no weight: it must be 0 or more", why);
    if (role == ROLE_TRIALS && !(*out >= 0.0))
        return columns_complain(t, cell, name, "is no number of trials: it must be 0 or more", why);
    if (role == ROLE_NOISE_VAR && !(*out > 0.0))
        return columns_complain(t, cell, name, "is no noise variance: it must be more than 0", why);
    return CLI_GOOD;
}

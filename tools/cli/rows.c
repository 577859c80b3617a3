/* rows: inputs and target by columns_encode, then the column of each role, and the groups */
#include "rows.h"
#include "role.h"
#include <stdlib.h>
#include <string.h>

int rows_read(const cli_columns *c, const csv_table *t, const size_t *at, size_t n, const size_t *rows, int unseen,
              cli_rows *out, cli_why *why)
{
    const size_t *others = at + c->n + c->n_targets;
    const int targets = at[c->n] != COLUMNS_NOWHERE;
    double *room = (double *)cli_memory(n, (c->d + c->n_targets + ROLE_COUNT)*sizeof *room), *next = room + n*c->d;
    const double *role[ROLE_COUNT];
    cli_rows r;
    memset(&r, 0, sizeof r);
    r.room = room;
    r.data.n = n;
    r.data.d = c->d;
    r.data.X = room;
    r.data.p = c->n_targets;
    if (targets) r.data.y = next;
    int status = columns_encode(c, t, at, n, rows, unseen, room, targets ? next : NULL, why);
    next += n*c->n_targets;
    for (int k = 0; k < ROLE_COUNT; k++, next += n) {
        role[k] = others[k] != COLUMNS_NOWHERE ? next : NULL;
        if (!role[k]) continue;
        const role_place place = role_find(t, (cli_role)k, c->role[k]);
        for (size_t i = 0; i < n && !status; i++) status = role_value(t, (cli_role)k, &place, rows[i], &next[i], why);
    }
    if (others[COLUMNS_GROUP] != COLUMNS_NOWHERE && !status) {
        r.group = (size_t *)cli_memory(n, sizeof *r.group);
        r.n_groups = columns_groups(t, others[COLUMNS_GROUP], n, rows, r.group);
    }
    r.line = (size_t *)cli_memory(n, sizeof *r.line);
    for (size_t i = 0; i < n; i++) r.line[i] = csv_at(t, rows[i], 0)->line;
    r.data.weight = role[ROLE_WEIGHTS];
    r.data.noise_var = role[ROLE_NOISE_VAR];
    r.data.offset = role[ROLE_OFFSET];
    r.data.trials = role[ROLE_TRIALS];
    *out = r;
    return status;
}

void rows_free(cli_rows *rows)
{
    free(rows->room);
    free(rows->group);
    free(rows->line);
    memset(rows, 0, sizeof *rows);
}

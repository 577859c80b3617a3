/* grid: what the typical row is, and how a row is changed */
#include "grid.h"
#include "made.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Computes the inputs that are made of others, after one of these has changed. Returns whether each has a value. */
static int grid_made(const model *m, double *x)
{
    made_part bad;
    size_t of;
    return made_fill(&m->cols, 1, x, &bad, &of) == 1;
}

void grid_word(const model *m, size_t i, size_t k, double *x)
{
    const cli_column *c = &m->cols.column[i];
    if (c->group) { x[c->first] = (double)k; return; }
    for (size_t w = 0; w < columns_width(c); w++) x[c->first + w] = w == k ? 1.0 : 0.0;
    grid_made(m, x);
}

int grid_number(const model *m, size_t i, double value, double *x)
{
    x[m->cols.column[i].first] = value;
    return grid_made(m, x);
}

double grid_low(const model *m, size_t i, double low, double high)
{
    double *x = (double *)cli_memory(m->cols.d, sizeof *x), at = low;
    grid_typical(m, x);
    for (int k = 1; k < 100 && !grid_number(m, i, at, x); k++) at = low + (double)k*(high - low)/100.0;
    free(x);
    return at;
}

/* The most frequent word of a column. */
static size_t grid_most(const model *m, const cli_column *c)
{
    size_t most = 0;
    for (size_t k = 1; k < c->n_words; k++) if (m->input_mean[c->first + k] > m->input_mean[c->first + most]) most = k;
    return most;
}

void grid_typical(const model *m, double *x)
{
    model_typical(m, x);
    for (size_t i = 0; i < m->cols.n; i++) {
        const cli_column *c = &m->cols.column[i];
        if (c->words && !c->group) grid_word(m, i, grid_most(m, c), x);
    }
    grid_made(m, x);
}

void grid_line(double low, double high, size_t n, double *at)
{
    for (size_t i = 0; i < n; i++) at[i] = low + (high - low)*(double)i/((double)n - 1.0);
}

void grid_range(size_t n, const double *v, double *low, double *high)
{
    for (size_t i = 0; i < n; i++) {
        if (v[i] - v[i] != 0.0) continue;
        if (!(v[i] >= *low)) *low = v[i];
        if (!(v[i] <= *high)) *high = v[i];
    }
}

void grid_pad(double share, double *low, double *high)
{
    const double pad = *high > *low ? share*(*high - *low) : *low != 0.0 ? 0.5*fabs(*low) : 0.5;
    *low -= pad;
    *high += pad;
}

const char *grid_others(const model *m, size_t varied, grid_text *out)
{
    enum { ROOM = sizeof out->text - 2*sizeof(cli_shown) - 10 };                     /* leaves room for one more column and dots */
    cli_shown name, word;
    size_t numbers = 0, others = 0, n = 0;
    out->text[0] = '\0';
    for (size_t i = 0; i < m->cols.n; i++) {
        others += !m->cols.column[i].group;
        numbers += !m->cols.column[i].words;
    }
    if (others <= varied) return out->text;
    n = (size_t)sprintf(out->text, "other columns at %s", numbers > varied ? "their mean" : "");
    for (size_t i = 0, k = numbers > varied; i < m->cols.n; i++) {
        const cli_column *c = &m->cols.column[i];
        if (!c->words || c->group) continue;
        if (n >= ROOM) {
            strcpy(out->text + n, ", ...");
            break;
        }
        n += (size_t)sprintf(out->text + n, "%s%s=%s", k++ ? ", " : "", cli_show(&name, c->name),
                             cli_show(&word, c->words[grid_most(m, c)]));
    }
    return out->text;
}

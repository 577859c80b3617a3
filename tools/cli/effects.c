/* effects: recognises features by their names, in which inputs have numbers, and checks them at two random rows */
#include "effects.h"
#include "glm.h"
#include "polynomial.h"
#include "terms.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 2, NAME = 400, BLOCK = 64 };

size_t effects_tables(const model *m) { return m->glm ? glm_latents(m) : m->cols.n_targets; }

void effects_free(effects *e)
{
    for (size_t i = 0; i < e->n; i++) {
        free(e->row[i].name);
        free(e->row[i].feature);
        free(e->row[i].coef);
    }
    free(e->row);
    free(e->reference);
    free(e->shown);
    memset(e, 0, sizeof *e);
}

/* ---- what a feature is */

/* Inputs and powers of a feature that is a product of them. */
typedef struct product { size_t n, input[MONOMIAL_PARTS]; int power[MONOMIAL_PARTS]; } product;

/* From a name like "\1 0\1^2 \1 3\1", or "1". */
static int product_read(const char *name, product *out)
{
    const char *p = name;
    out->n = 0;
    if (!strcmp(p, "1")) return 1;
    while (*p == 1 && out->n < MONOMIAL_PARTS) {
        char *end;
        out->input[out->n] = (size_t)strtoul(p + 1, &end, 10);
        p = end + 1;
        out->power[out->n] = *p == '^' ? (int)strtol(p + 1, &end, 10) : 1;
        if (*p == '^') p = end;
        out->n++;
        if (*p == ' ') p++;
    }
    return out->n > 0 && !*p;
}

static int product_is(const product *of, const double *x, double value)
{
    double v = 1.0;
    for (size_t k = 0; k < of->n; k++) v *= pow(x[of->input[k]], of->power[k]);
    return fabs(v - value) <= 1e-12*fabs(v);
}

/* "\1<number>\1" for each input, to free in one: names that no column has. */
static const char **effects_marks(size_t d)
{
    enum { MARK = 24 };
    const char **marks = (const char **)cli_memory(d + 1, sizeof *marks + MARK);
    char *text = (char *)(void *)(marks + d + 1);
    for (size_t i = 0; i < d; i++, text += MARK) {
        snprintf(text, MARK, "\1%lu\1", (unsigned long)i);
        marks[i] = text;
    }
    return marks;
}

/* One use of a weight: coef times weight `feature` in the coefficient of a monomial. */
typedef struct use { monomial of; size_t feature, lead; double coef; effect_kind kind; } use;
typedef struct uses { use *at; size_t n; } uses;

/* A product of K standardised inputs is a sum of 2^K products of the inputs themselves, each with its sum of weights. Where there
 * would be more of them, times weights, than this, the table would take minutes, and nobody would read it. */
#define EFFECT_WORK 4e10

static void uses_add(uses *u, const monomial *of, size_t feature, size_t lead, double coef, effect_kind kind)
{
    if ((u->n & (u->n - 1)) == 0) u->at = (use *)cli_grow(u->at, u->n ? 2*u->n : 1, sizeof *u->at);
    use *one = &u->at[u->n++];
    one->of = *of;
    one->feature = feature;
    one->lead = lead;
    one->coef = coef;
    one->kind = kind;
}

static int uses_order(const void *a, const void *b)
{
    const use *x = (const use *)a, *y = (const use *)b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->kind >= EFFECT_GROUP) return (x->feature > y->feature) - (x->feature < y->feature);
    const int order = monomial_compare(&x->of, &y->of);
    return order ? order : (x->feature > y->feature) - (x->feature < y->feature);
}

/* What all features are: products of inputs, effects of groups (with the product of their slice), or something else. */
typedef struct effects_features { product *of; effect_kind *kind; } effects_features;

static void features_learn(const model *m, effects_features *out)
{
    const bln_basis *b = model_basis(m);
    const size_t d = m->cols.d, D = b->D;
    bln_rng rng;
    char name[NAME];
    const char **marks = effects_marks(d);
    double *X = (double *)cli_memory(PROBES*(d + 1), sizeof *X), *Phi = (double *)cli_memory(PROBES*D, sizeof *Phi);
    double *room = (double *)cli_memory(bln_basis_work(b, PROBES) + 8, sizeof *room), *work = room;
    while ((uintptr_t)work % 64) work++;
    out->of = (product *)cli_memory(D, sizeof *out->of);
    out->kind = (effect_kind *)cli_memory(D, sizeof *out->kind);
    bln_rng_seed(&rng, 1, 0);
    bln_rng_normals(&rng, PROBES*d, X);
    columns_set_groups(&m->cols, PROBES, X);
    bln_basis_features(b, model_theta(m), PROBES, X, d, Phi, D, work);
    for (size_t j = 0; j < D; j++) {
        bln_basis_feature_name(b, j, marks, name, sizeof name);
        const int known = product_read(name, &out->of[j]) && product_is(&out->of[j], X, Phi[j])
                       && product_is(&out->of[j], X + d, Phi[D + j]);
        out->kind[j] = known ? EFFECT_DATA : EFFECT_OTHER;
    }
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), end = bln_basis_slice(b, s + 1);
        if (bln_basis_active(b, s) == end - first) continue;
        product slope;                                            /* the last one is that of a new group */
        slope.n = 0;
        slope.power[0] = 1;
        if (Phi[end - 1] != 1.0)                                  /* no two random numbers are the same */
            for (size_t i = 0; i < d; i++)
                if (X[i] == Phi[end - 1]) {
                    slope.n = 1;
                    slope.input[0] = i;
                }
        for (size_t j = first; j < end; j++) {
            out->kind[j] = EFFECT_GROUP;
            out->of[j] = slope;
        }
    }
    free((void *)marks);
    free(X);
    free(Phi);
    free(room);
}

/* ---- references */

static void effects_levels(const model *m, const effects_features *f, char *seen)
{
    made_part part[MADE_PARTS];
    for (size_t j = 0; j < model_basis(m)->D; j++)
        for (size_t k = 0; k < f->of[j].n && f->kind[j] == EFFECT_DATA; k++) {
            const size_t n = made_parts(&m->cols, f->of[j].input[k], part);
            for (size_t l = 0; l < n; l++) seen[part[l].input] = 1;
        }
}

/* Is the text of this length COL=WORD, where either may hold an equals sign? Then it is a reference now. */
static int effects_refer_one(const cli_columns *c, const char *text, size_t length, effects *e)
{
    for (size_t i = 0; i < c->n; i++) {
        const cli_column *one = &c->column[i];
        for (size_t k = 0; k < one->n_words && !one->group; k++) {
            const char *name = c->inputs[one->first + k];
            if (strlen(name) == length && !strncmp(name, text, length)) { e->reference[i] = k; return 1; }
        }
    }
    return 0;
}

static int effects_refer_nowhere(const cli_columns *c, const char *text, cli_why *why)
{
    cli_shown shown;
    for (size_t i = 0; i < c->n; i++) {
        const cli_column *one = &c->column[i];
        if (!one->words || one->group) continue;
        const size_t n = strlen(one->name);
        if (!strncmp(text, one->name, n) && text[n] == '=')
            return cli_misuse(why, "--reference: column \"%s\" has no word \"%s\": its first is \"%s\" (`info` prints all)",
                              one->name, cli_show(&shown, text + n + 1), one->words[0]);
    }
    return cli_misuse(why, "--reference wants COLUMN=WORD of a column of words, not \"%s\"", cli_show(&shown, text));
}

/* Several have commas between them; where a word holds one, the text goes on. */
static int effects_refer(const model *m, const char *text, effects *e, cli_why *why)
{
    for (const char *p = text; p; ) {
        size_t length = strcspn(p, ",");
        while (!effects_refer_one(&m->cols, p, length, e)) {
            if (!p[length]) return effects_refer_nowhere(&m->cols, p, why);
            length += 1 + strcspn(p + length + 1, ",");
        }
        p = p[length] ? p + length + 1 : NULL;
    }
    return CLI_GOOD;
}

/* A column all of whose words are features has a reference, unless its coefficients are identified as they are. */
static int effects_references(const model *m, const effects_features *f, const char *text, effects *e, cli_why *why)
{
    const cli_columns *c = &m->cols;
    char *seen = (char *)cli_memory(c->d + 1, 1);
    effects_levels(m, f, seen);
    e->reference = (size_t *)cli_memory(c->n + 1, sizeof *e->reference);
    e->shown = (size_t *)cli_memory(c->n + 1, sizeof *e->shown);
    for (size_t i = 0; i < c->n; i++) {
        const cli_column *one = &c->column[i];
        size_t there = 0;
        for (size_t k = 0; k < one->n_words && !one->group; k++) there += (size_t)seen[one->first + k];
        e->reference[i] = e->shown[i] = one->n_words;
        /* One that is asked for differs from the one that the fit has left out: then all are differences. */
        if (text ? there > 0 : one->n_words && there == one->n_words && !model_least_squares(m))
            e->reference[i] = terms_reference(c, i, NULL);
    }
    free(seen);
    return text ? effects_refer(m, text, e, why) : CLI_GOOD;
}

/* ---- names */

/* What the words of this column are compared with where the other parts of the monomial are the same: the only one that is not
 * there, or the reference, if it is not there in a product, which may have empty cells; n_words: nothing. */
static size_t effects_missing(const effects *e, const cli_columns *c, const uses *u, const monomial *of, size_t at, size_t column)
{
    const cli_column *one = &c->column[column];
    size_t missing = one->n_words, gaps = 0;
    monomial key = *of;
    if (e->reference[column] < one->n_words) return e->reference[column];
    const size_t reference = terms_reference(c, column, NULL);
    int without = 0;
    for (size_t k = 0; k < one->n_words; k++) {
        size_t low = 0, high = u->n;
        key.part[at].input = one->first + k;
        while (low < high) {
            const size_t middle = low + (high - low)/2;
            const use *here = &u->at[middle];
            const int order = here->kind != EFFECT_DATA ? (here->kind < EFFECT_DATA ? -1 : 1) : monomial_compare(&here->of, &key);
            if (order < 0) low = middle + 1;
            else high = middle;
        }
        if (low < u->n && u->at[low].kind == EFFECT_DATA && !monomial_compare(&u->at[low].of, &key)) continue;
        missing = k;
        gaps++;
        without = without || k == reference;
    }
    if (of->n > 1) return without ? reference : one->n_words;
    return gaps == 1 ? missing : one->n_words;
}

/* "x^2 * (zone: b - a)", to free. */
static char *effects_name(effects *e, const cli_columns *c, const uses *u, const monomial *of)
{
    size_t room = 1, column, word;
    for (size_t k = 0; k < of->n; k++) {
        room += strlen(c->inputs[of->part[k].input]) + 24;
        if (made_indicator(c, of->part[k].input, &column, &word))
            for (size_t w = 0, most = 0; w < c->column[column].n_words; w++) {
                const size_t n = strlen(c->column[column].words[w]);
                if (n > most) { room += n - most; most = n; }
            }
    }
    char *name = (char *)cli_memory(room, 1);
    for (size_t k = 0; k < of->n; k++) {
        const size_t used = strlen(name);
        snprintf(name + used, room - used, "%s", k ? " * " : "");
        char *to = name + strlen(name);
        const size_t left = room - strlen(name);
        size_t missing = 0;
        const int words = made_indicator(c, of->part[k].input, &column, &word);
        const cli_column *one = words ? &c->column[column] : NULL;
        if (words) missing = effects_missing(e, c, u, of, k, column);
        if (!words || missing == one->n_words) made_name(c, &of->part[k], to, left);
        else {
            snprintf(to, left, "%s%s: %s - %s%s", of->n > 1 ? "(" : "", one->name, one->words[word], one->words[missing],
                     of->n > 1 ? ")" : "");
            e->shown[column] = missing;
        }
    }
    return name;
}

/* ---- the rows */

/* A product of standardised inputs, as uses of its weight. */
static void effects_expand(const model *m, const effects *e, size_t j, const product *of, uses *u, int *lost)
{
    const cli_columns *c = &m->cols;
    polynomial p = polynomial_constant(1.0);
    for (size_t k = 0; k < of->n; k++) {
        const size_t i = of->input[k];
        polynomial one = polynomial_input(c, i, bln_scaler_mean(m->scaler, i), bln_scaler_sd(m->scaler, i));
        for (int power = 0; power < of->power[k]; power++) {
            polynomial q = polynomial_times(c, &p, &one);
            polynomial_free(&p);
            p = q;
        }
        polynomial_free(&one);
    }
    monomial top;                                                  /* without the means */
    memset(&top, 0, sizeof top);
    if (p.n) top = p.term[p.n - 1];                                /* a product of two words of one column vanishes */
    polynomial_refer(c, e->reference, &p);
    for (size_t k = 0; k < p.n; k++)
        uses_add(u, &p.term[k], j, p.term[k].n && !monomial_compare(&p.term[k], &top) ? j : model_basis(m)->D, p.coef[k],
                 p.term[k].n ? EFFECT_DATA : EFFECT_INTERCEPT);
    *lost = *lost || p.lost;
    polynomial_free(&p);
}

static int effects_shown_first(const void *a, const void *b)
{
    const effect *x = (const effect *)a, *y = (const effect *)b;
    const int one = x->kind == EFFECT_INTERCEPT, two = y->kind == EFFECT_INTERCEPT;
    if (one != two) return two - one;
    if (x->parts != y->parts) return x->parts < y->parts ? -1 : 1;
    if (x->lead != y->lead) return x->lead < y->lead ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* From uses in order to rows, each with all its weights. */
static void effects_collect(const model *m, const uses *u, effects *e)
{
    const bln_basis *b = model_basis(m);
    char name[NAME];
    e->row = (effect *)cli_memory(u->n + 1, sizeof *e->row);
    for (size_t i = 0, end; i < u->n; i = end) {
        const use *first = &u->at[i];
        effect *row = &e->row[e->n];
        row->order = e->n++;
        for (end = i + 1; end < u->n && u->at[end].kind == first->kind; end++)
            if (first->kind >= EFFECT_GROUP || monomial_compare(&u->at[end].of, &first->of)) break;
        row->kind = first->kind;
        row->lead = b->D;
        row->input = first->kind == EFFECT_GROUP ? first->of.part[0].input : BLN_NONE;
        row->feature = (size_t *)cli_memory(end - i, sizeof *row->feature);
        row->coef = (double *)cli_memory(end - i, sizeof *row->coef);
        for (size_t k = i; k < end; k++) {
            const use *one = &u->at[k];
            if (one->lead < row->lead) row->lead = one->lead;
            if (!row->n || row->feature[row->n - 1] != one->feature) row->feature[row->n++] = one->feature;
            row->coef[row->n - 1] += one->coef;
        }
        if (row->lead == b->D) row->lead = row->feature[0];
        row->parts = row->kind == EFFECT_DATA ? first->of.n : 1;
        if (row->kind == EFFECT_INTERCEPT) row->name = cli_copy("(intercept)");
        else if (row->kind == EFFECT_DATA) row->name = effects_name(e, &m->cols, u, &first->of);
        else {
            bln_basis_feature_name(b, first->feature, (const char *const *)m->cols.inputs, name, sizeof name);
            row->name = cli_copy(name);
        }
    }
    qsort(e->row, e->n, sizeof *e->row, effects_shown_first);
}

int effects_learn(const model *m, const char *reference, effects *out, cli_why *why)
{
    const size_t D = model_basis(m)->D;
    effects_features f;
    effects e;
    uses u = { NULL, 0 };
    monomial one;
    double sums = 0.0;
    int lost = 0;
    memset(&e, 0, sizeof e);
    memset(&one, 0, sizeof one);
    e.D = D;
    e.whole = 1;
    features_learn(m, &f);
    int status = effects_references(m, &f, reference, &e, why);
    for (size_t j = 0; j < D; j++) e.whole = e.whole && f.kind[j] != EFFECT_OTHER;
    for (size_t j = 0; j < D && !status; j++) {
        const size_t before = u.n;
        if (f.kind[j] == EFFECT_DATA && (e.whole || f.of[j].n)) effects_expand(m, &e, j, &f.of[j], &u, &lost);
        else {
            const int slope = f.kind[j] == EFFECT_GROUP && f.of[j].n;
            const double unit = slope ? 1.0/bln_scaler_sd(m->scaler, f.of[j].input[0]) : 1.0;
            one.part[0].input = slope ? f.of[j].input[0] : BLN_NONE;
            uses_add(&u, &one, j, j, unit, f.kind[j] == EFFECT_GROUP ? EFFECT_GROUP : EFFECT_OTHER);
        }
        if (u.n - before > 2) sums += (double)(u.n - before);
        if (sums*(double)D > EFFECT_WORK)
            status = cli_fail(why, "coefficients: this model has too many products of inputs for a table, %lu features",
                              (unsigned long)D);
    }
    if (!e.whole) {                                               /* then the constants of the expansion mean nothing */
        size_t kept = 0;
        for (size_t i = 0; i < u.n; i++) if (u.at[i].kind != EFFECT_INTERCEPT) u.at[kept++] = u.at[i];
        u.n = kept;
    }
    if (u.n) qsort(u.at, u.n, sizeof *u.at, uses_order);
    if (!status && lost) status = cli_fail(why, "coefficients: products of more than %d inputs", (int)MONOMIAL_PARTS);
    if (!status) effects_collect(m, &u, &e);
    e.learnt = e.n;
    free(u.at);
    free(f.of);
    free(f.kind);
    if (status) effects_free(&e);
    else *out = e;
    return status;
}

/* ---- contrasts */

/* The row of word `word` of a column, all else at 0 or its reference; NULL: there is none, as of a reference. */
static const effect *effects_word(const model *m, const effects *e, size_t column, size_t word)
{
    const cli_column *one = &m->cols.column[column];
    const char *plain = m->cols.inputs[one->first + word];
    char *start = (char *)cli_memory(strlen(plain) + 5, 1);
    sprintf(start, "%s: %s - ", one->name, one->words[word]);
    const effect *found = NULL;
    for (size_t i = 0; i < e->learnt && !found; i++) {
        const effect *row = &e->row[i];
        if (row->kind != EFFECT_DATA) continue;
        if (!strcmp(row->name, plain)) found = row;
        for (size_t k = 0; k < one->n_words && !strncmp(row->name, start, strlen(start)) && !found; k++)
            if (!strcmp(row->name + strlen(start), one->words[k])) found = row;
    }
    free(start);
    return found;
}

/* Adds a row: the sum of by[w] times the effect of word w. */
static void effects_combine(const model *m, size_t column, const double *by, const char *name, effects *e)
{
    const cli_column *one = &m->cols.column[column];
    double *dense = (double *)cli_memory(e->D, sizeof *dense);
    effect row;
    memset(&row, 0, sizeof row);
    for (size_t w = 0; w < one->n_words; w++) {
        const effect *of = effects_word(m, e, column, w);
        for (size_t k = 0; of && k < of->n; k++) dense[of->feature[k]] += by[w]*of->coef[k];
    }
    row.feature = (size_t *)cli_memory(e->D, sizeof *row.feature);
    row.coef = (double *)cli_memory(e->D, sizeof *row.coef);
    for (size_t j = 0; j < e->D; j++) {
        if (dense[j] == 0.0) continue;
        row.feature[row.n] = j;
        row.coef[row.n++] = dense[j];
    }
    free(dense);
    row.kind = EFFECT_DATA;
    row.lead = e->D;
    row.name = cli_copy(name);
    e->row = (effect *)cli_grow(e->row, e->n + 1, sizeof *e->row);
    e->row[e->n++] = row;
}

/* "COL: A - B"; b is n_words for the mean. */
static void effects_compare(const model *m, size_t column, size_t a, size_t b, effects *e)
{
    const cli_column *one = &m->cols.column[column];
    const char *other = b < one->n_words ? one->words[b] : "mean";
    double *by = (double *)cli_memory(one->n_words, sizeof *by);
    char *name = (char *)cli_memory(strlen(one->name) + strlen(one->words[a]) + strlen(other) + 8, 1);
    sprintf(name, "%s: %s - %s", one->name, one->words[a], other);
    for (size_t w = 0; w < one->n_words && b == one->n_words; w++) by[w] = -1.0/(double)one->n_words;
    if (b < one->n_words) by[b] -= 1.0;
    by[a] += 1.0;
    effects_combine(m, column, by, name, e);
    free(by);
    free(name);
}

/* Reads the n bytes after COL=: A-B, A-mean or mean. Words may contain a minus themselves, so every minus is tried. */
static int effects_contrast_of(const model *m, size_t column, const char *text, size_t n, effects *e)
{
    const cli_column *one = &m->cols.column[column];
    const size_t W = one->n_words;
    if (n == 4 && !strncmp(text, "mean", 4)) {
        for (size_t w = 0; w < W; w++) effects_compare(m, column, w, W, e);
        return 1;
    }
    for (size_t at = 1; at + 1 < n; at++) {
        if (text[at] != '-') continue;
        size_t a = 0, b = 0;
        while (a < W && (strlen(one->words[a]) != at || strncmp(one->words[a], text, at))) a++;
        while (b < W && (strlen(one->words[b]) != n - at - 1 || strncmp(one->words[b], text + at + 1, n - at - 1))) b++;
        if (a == W || (b == W && (n - at - 1 != 4 || strncmp(text + at + 1, "mean", 4)))) continue;
        effects_compare(m, column, a, b, e);
        return 1;
    }
    return 0;
}

int effects_contrast(const model *m, const char *text, effects *e, cli_why *why)
{
    const cli_columns *c = &m->cols;
    cli_shown shown, one;
    for (const char *p = text; p; p = *p ? p + 1 : NULL) {
        size_t i = 0, n = 0, length = strcspn(p, ",");
        for (; i < c->n; i++) {
            n = strlen(c->column[i].name);
            if (c->column[i].words && !c->column[i].group && n < length && !strncmp(p, c->column[i].name, n) && p[n] == '=') break;
        }
        if (i == c->n)
            return cli_misuse(why, "--contrast wants COLUMN=WORD-WORD, COLUMN=WORD-mean or COLUMN=mean of a column of words, not "
                                   "\"%s\"", cli_show(&shown, p));
        size_t there = 0;
        for (size_t w = 0; w < c->column[i].n_words; w++) there += effects_word(m, e, i, w) != NULL;
        if (there + 1 < c->column[i].n_words)
            return cli_fail(why, "--contrast: \"%s\" is no column of the linear terms of this model: predict two rows that differ "
                                 "in it instead", cli_show(&one, c->column[i].name));
        /* A word with a comma in it: the text goes on. */
        while (!effects_contrast_of(m, i, p + n + 1, length - n - 1, e)) {
            if (!p[length])
                return cli_misuse(why, "--contrast: \"%s\" is no difference of words of column \"%s\", such as %s-%s or %s-mean",
                                  cli_show(&shown, p + n + 1), cli_show(&one, c->column[i].name),
                                  c->column[i].words[c->column[i].n_words - 1], c->column[i].words[0], c->column[i].words[0]);
            length += 1 + strcspn(p + length + 1, ",");
        }
        p += length;
    }
    return CLI_GOOD;
}

/* ---- values */

/* A class, and the noise beside a mean, has no unit of the target's: only table 0 of a generalised linear model may have one. */
static double effects_unit(const model *m, const effect *row, size_t k)
{
    return row->kind == EFFECT_OTHER || (m->glm && k) ? 1.0 : bln_scaler_sd(m->scaler, m->cols.d + k);
}

/* Of the intercept: the target's mean; of a log sd, which the likelihood adds to the log of its noise sd, that. */
static double effects_shift(const model *m, const effect *row, size_t k)
{
    if (row->kind != EFFECT_INTERCEPT) return 0.0;
    if (m->glm && k) return strcmp(m->likelihood.ops->name, "gaussian_scale") ? 0.0 : log(glm_parameter(m, 0));
    return bln_scaler_mean(m->scaler, m->cols.d + k);
}

/* A weighted sum of weights is the prediction of a linear basis without constant at inputs equal to the coefs: the posterior is
 * asked with such a basis in place of its own. */
static bln_status effects_sums(const model *m, const effects *e, size_t n, const size_t *row, double interval, double *mean,
                               double *var, double *lower, double *upper)
{
    const bln_posterior *q = model_posterior(m);
    const size_t J = effects_tables(m);
    bln_posterior view = *q;
    bln_report report;
    bln_basis *line = NULL;
    bln_data data;
    bln_status status = bln_linear_create(NULL, e->D, 0, &line);
    const bln_basis **bases = (const bln_basis **)cli_memory(J, sizeof *bases);
    bln_group *groups = (bln_group *)cli_memory(q->n_groups, sizeof *groups);
    double *A = (double *)cli_memory(BLOCK, e->D*sizeof *A);
    for (size_t k = 0; k < J; k++) bases[k] = line;
    memcpy(groups, q->groups, q->n_groups*sizeof *groups);
    for (size_t k = 0; k < q->n_groups; k++) {
        groups[k].theta = NULL;
        groups[k].residual = NULL;
    }
    view.bases = bases;
    view.groups = groups;
    memset(&data, 0, sizeof data);
    data.d = e->D;
    data.X = A;
    bln_report_clear(&report);
    for (size_t first = 0; first < n && status == BLN_OK; first += data.n) {
        data.n = n - first < BLOCK ? n - first : (size_t)BLOCK;
        memset(A, 0, BLOCK*e->D*sizeof *A);
        for (size_t i = 0; i < data.n; i++) {
            const effect *of = &e->row[row[first + i]];
            for (size_t k = 0; k < of->n; k++) A[i*e->D + of->feature[k]] = of->coef[k];
        }
        status = bln_posterior_latent(&view, &data, mean + first*J, var + first*J, NULL, &report);
        if (status == BLN_OK)
            status = bln_posterior_intervals(&view, &data, BLN_OF_F, interval, lower + first*J, upper + first*J, NULL, &report);
    }
    bln_basis_free(line);
    free((void *)bases);
    free(groups);
    free(A);
    return status;
}

/* Rows that are one weight each: the posterior's table of coefficients has them. room: 4 J D doubles. */
static bln_status effects_table(const model *m, const effects *e, double interval, double *room)
{
    const size_t all = e->D*effects_tables(m);
    const double level[2] = { 0.5 - 0.5*interval, 0.5 + 0.5*interval };
    return bln_posterior_coefficients(model_posterior(m), room, room + all, 2, level, room + 2*all, NULL, NULL);
}

bln_status effects_values(const model *m, const effects *e, size_t first, size_t n, double interval, double *mean, double *sd,
                          double *lower, double *upper)
{
    const size_t J = effects_tables(m), all = e->D*J;
    double *room = (double *)cli_memory(4*all + 4*n*J, sizeof *room), *sum = room + 4*all, *var = sum + n*J, *low = var + n*J,
           *high = low + n*J;
    size_t *row = (size_t *)cli_memory(n, sizeof *row), sums = 0;
    bln_status status = effects_table(m, e, interval, room);
    for (size_t i = 0; i < n; i++) if (e->row[first + i].n != 1) row[sums++] = first + i;
    if (status == BLN_OK && sums) status = effects_sums(m, e, sums, row, interval, sum, var, low, high);
    for (size_t i = 0, s = 0; i < n && status == BLN_OK; i++) {
        const effect *of = &e->row[first + i];
        for (size_t k = 0; k < J; k++) {
            const double unit = effects_unit(m, of, k), shift = effects_shift(m, of, k);
            double a, b, one[2];
            if (of->n == 1) {
                const size_t w = k*e->D + of->feature[0];
                const double times = unit*of->coef[0];
                a = times*room[w];
                b = fabs(times)*room[all + w];
                one[times < 0.0] = times*room[2*all + 2*w];
                one[!(times < 0.0)] = times*room[2*all + 2*w + 1];
            } else {
                a = unit*sum[s*J + k];
                b = unit*sqrt(var[s*J + k]);
                one[0] = unit*low[s*J + k];
                one[1] = unit*high[s*J + k];
            }
            mean[i*J + k] = a + shift;
            sd[i*J + k] = b;
            lower[i*J + k] = one[0] + shift;
            upper[i*J + k] = one[1] + shift;
        }
        s += of->n != 1;
    }
    free(row);
    free(room);
    return status;
}

bln_status effects_covariance(const model *m, const effects *e, double *C)
{
    const size_t J = effects_tables(m), D = e->D, W = J*D, n = e->n;
    double *all = (double *)cli_memory(W, W*sizeof *all);
    bln_report report;
    const bln_status status = bln_posterior_covariance(model_posterior(m), all, W, NULL, &report);
    for (size_t a = 0; a < n*J && status == BLN_OK; a++)
        for (size_t b = a; b < n*J; b++) {
            const effect *x = &e->row[a % n], *y = &e->row[b % n];
            double sum = 0.0;
            for (size_t i = 0; i < x->n; i++)
                for (size_t j = 0; j < y->n; j++) {
                    const size_t u = a/n*D + x->feature[i], v = b/n*D + y->feature[j];
                    sum += x->coef[i]*y->coef[j]*all[u < v ? u*W + v : v*W + u];
                }
            C[a*n*J + b] = C[b*n*J + a] = sum*effects_unit(m, x, a/n)*effects_unit(m, y, b/n);
        }
    free(all);
    return status;
}

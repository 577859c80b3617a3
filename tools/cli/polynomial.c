/* polynomial: sums of monomials. Where a reference was replaced a monomial may occur more than once; the caller adds those up. */
#include "polynomial.h"
#include <stdlib.h>
#include <string.h>

static int part_compare(const made_part *a, const made_part *b)
{
    if (a->input != b->input) return a->input < b->input ? -1 : 1;
    if (a->function != b->function) return a->function < b->function ? -1 : 1;
    return (a->power > b->power) - (a->power < b->power);
}

int monomial_compare(const monomial *a, const monomial *b)
{
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (size_t k = 0; k < a->n; k++) {
        const int order = part_compare(&a->part[k], &b->part[k]);
        if (order) return order;
    }
    return 0;
}

/* Equal ones, where there may be any, are added up at once: of the power K of a standardised input there would be 2^K. */
static void polynomial_add(polynomial *p, const monomial *term, double coef, int equal)
{
    for (size_t i = 0; i < p->n && equal; i++)
        if (!monomial_compare(&p->term[i], term)) { p->coef[i] += coef; return; }
    if ((p->n & (p->n - 1)) == 0) {
        p->term = (monomial *)cli_grow(p->term, p->n ? 2*p->n : 1, sizeof *p->term);
        p->coef = (double *)cli_grow(p->coef, p->n ? 2*p->n : 1, sizeof *p->coef);
    }
    p->term[p->n] = *term;
    p->coef[p->n++] = coef;
}

polynomial polynomial_constant(double value)
{
    polynomial p;
    monomial one;
    memset(&p, 0, sizeof p);
    memset(&one, 0, sizeof one);
    polynomial_add(&p, &one, value, 0);
    return p;
}

void polynomial_free(polynomial *p)
{
    free(p->term);
    free(p->coef);
    memset(p, 0, sizeof *p);
}

/* a times one part. 0: the product vanishes, or (lost) has too many parts. */
static int monomial_times(const cli_columns *c, monomial *a, const made_part *part, int *lost)
{
    size_t column, word, other, another, k = 0;
    const int words = made_indicator(c, part->input, &column, &word);
    for (size_t i = 0; i < a->n && words; i++) {
        if (!made_indicator(c, a->part[i].input, &other, &another) || other != column) continue;
        return another == word;
    }
    while (k < a->n && (a->part[k].input < part->input
                        || (a->part[k].input == part->input && a->part[k].function < part->function))) k++;
    if (k < a->n && a->part[k].input == part->input && a->part[k].function == part->function) {
        a->part[k].power += part->power;
        return 1;
    }
    if (a->n == MONOMIAL_PARTS) { *lost = 1; return 0; }
    memmove(&a->part[k + 1], &a->part[k], (a->n - k)*sizeof *a->part);
    a->part[k] = *part;
    a->n++;
    return 1;
}

polynomial polynomial_input(const cli_columns *c, size_t input, double mean, double sd)
{
    made_part part[MADE_PARTS];
    monomial of;
    polynomial p = polynomial_constant(-mean/sd);
    const size_t n = made_parts(c, input, part);
    int there = 1;
    memset(&of, 0, sizeof of);
    if (mean == 0.0) p.n = 0;
    for (size_t k = 0; k < n && there; k++) there = monomial_times(c, &of, &part[k], &p.lost);
    if (there) polynomial_add(&p, &of, 1.0/sd, 0);
    return p;
}

/* A column of words is an input for each word. */
static int polynomial_knows(const cli_columns *c, const polynomial *p, size_t input)
{
    size_t column, word;
    int known = made_indicator(c, input, &column, &word);
    for (size_t i = 0; i < p->n && !known; i++)
        for (size_t k = 0; k < p->term[i].n; k++) known = known || p->term[i].part[k].input == input;
    return known;
}

polynomial polynomial_times(const cli_columns *c, const polynomial *p, const polynomial *q)
{
    polynomial out;
    int equal = 0;
    memset(&out, 0, sizeof out);
    out.lost = p->lost || CLI_NEVER(q->lost);                     /* an input has fewer parts than a monomial has room for */
    for (size_t j = 0; j < q->n; j++)
        for (size_t k = 0; k < q->term[j].n; k++) equal = equal || polynomial_knows(c, p, q->term[j].part[k].input);
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < q->n; j++) {
            monomial term = p->term[i];
            int there = 1;
            for (size_t k = 0; k < q->term[j].n && there; k++) there = monomial_times(c, &term, &q->term[j].part[k], &out.lost);
            if (there) polynomial_add(&out, &term, p->coef[i]*q->coef[j], equal);
        }
    return out;
}

void polynomial_refer(const cli_columns *c, const size_t *reference, polynomial *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->term[i].n; k++) {
            size_t column, word;
            if (!made_indicator(c, p->term[i].part[k].input, &column, &word) || reference[column] != word) continue;
            const double coef = p->coef[i];
            monomial less = p->term[i];
            memmove(&less.part[k], &less.part[k + 1], (less.n - k - 1)*sizeof *less.part);
            less.n--;
            p->term[i] = less;
            for (size_t w = 0; w < c->column[column].n_words; w++) {
                monomial term = less;
                made_part part;
                part.input = c->column[column].first + w;
                part.function = MADE_ITSELF;
                part.power = 1;
                if (w == word) continue;
                /* The part that was taken out has left room, and no other one is of its column. */
                if (CLI_NEVER(!monomial_times(c, &term, &part, &p->lost))) continue;
                polynomial_add(p, &term, -coef, 1);
            }
            k--;                                                   /* the next part has moved to k */
        }
}

/* fuzz_formula: any text as --formula must be refused with a reason and its place, or stand for options that mean the same
 *
 * make fuzz NAME=formula, see docs/security.md. What a formula stands for is read again by the reader of SPECs, with the columns
 * of a table that has every name of it: as numbers, or, where the first byte of the case is odd, as words. */
#include "fuzz.h"
#include "../../tools/cli/columns.h"
#include "../../tools/cli/formula.h"
#include "../../tools/cli/terms.h"

enum { FORMULA_MOST = 300, FORMULA_ROWS = 6 };

/* A table with these columns, of six rows. */
static void formula_table(char *const *names, size_t n, int words, csv_table *t)
{
    static const char *const cells[2][FORMULA_ROWS] = { { "1", "2.5", "3", "4", "5.5", "7" }, { "a", "b", "c", "a", "b", "b" } };
    char *bytes = (char *)cli_memory(64 + n*(2*FORMULA_MOST + 70), 1);
    size_t at = 0;
    for (int i = -1; i < FORMULA_ROWS; i++)
        for (size_t k = 0; k < n; k++) {
            if (i < 0) {
                bytes[at++] = '"';
                for (const char *p = names[k]; *p; p++) { if (*p == '"') bytes[at++] = '"'; bytes[at++] = *p; }
                bytes[at++] = '"';
            } else {
                strcpy(bytes + at, cells[words && k > 1][i]);
                at += strlen(bytes + at);
            }
            bytes[at++] = k + 1 < n ? ',' : '\n';
        }
    cli_why why;
    if (csv_parse("f.csv", bytes, at, ',', t, &why)) memset(t, 0, sizeof *t);
}

/* The SPEC must be one of the table's columns, or be refused with a reason. */
static const char *formula_spec(const options *o, const csv_table *t, cli_why *why)
{
    const char *wrong = NULL, *targets[1], *roles[ROLE_COUNT] = { NULL, NULL, NULL, NULL };
    cli_columns c;
    char *spec = NULL;
    size_t used[64], rows[FORMULA_ROWS], n = 0;
    for (size_t i = 0; i < FORMULA_ROWS; i++) rows[i] = i;
    for (size_t k = 2; k < t->n_columns && n < 64; k++) if (strcmp(t->names[k].text, o->target)) used[n++] = k;
    targets[0] = o->target;
    if (csv_find(t, o->target) == t->n_columns) return "a target that formula_uses denies";
    why->text[0] = '\0';
    if (columns_learn(t, 1, targets, 0, roles, o->basis, n, used, FORMULA_ROWS, rows, FORMULA_ROWS, rows, &c, why))
        return why->text[0] ? NULL : "columns refused without a reason";
    if (terms_resolve(o->basis, &c, NULL, &spec, why)) wrong = why->text[0] ? NULL : "terms refused without a reason";
    free(spec);
    columns_free(&c);
    return wrong;
}

/* Names of columns: the words of the text. */
static size_t formula_words(const char *text, char **names, size_t most)
{
    size_t n = 0;
    names[n++] = cli_copy("one more");
    names[n++] = cli_copy("and one");
    for (const char *p = text; *p && n < most;) {
        const size_t length = strcspn(p, " ~+-*:()|,^=`\t\n\"'");
        char word[FORMULA_MOST + 1];
        memcpy(word, p, length);
        word[length] = '\0';
        int known = !length;
        for (size_t k = 0; k < n; k++) known = known || !strcmp(names[k], word);
        if (!known) names[n++] = cli_copy(word);
        p += length + (p[length] != '\0');
    }
    return n;
}

static const char *formula_check_one(const unsigned char *bytes, size_t n)
{
    const char *wrong = NULL;
    options o;
    cli_why why;
    memset(&o, 0, sizeof o);
    memset(&why, 0, sizeof why);
    if (n < 2) return NULL;
    char *text = fuzz_text(bytes + 1, n - 1), *names[64];
    o.verb = VERB_STATS;
    o.formula = text;
    o.glm = bytes[0] & 2;
    if (o.glm) o.likelihood = bytes[0] & 4 ? "binomial" : "poisson";       /* as options.c leaves it */
    const int status = formula_read(&o, &why);
    if (status) {
        if (status != CLI_USAGE && status != CLI_FAILED) wrong = "a status that is not known";
        else if (!why.text[0]) wrong = "refused without a reason";
    } else if (!o.basis || (!o.target && !o.outputs)) wrong = "no basis or no target";
    else if (o.target) {
        csv_table t;
        memset(&t, 0, sizeof t);
        const size_t m = formula_words(text, names, 64);
        formula_table(names, m, bytes[0] & 1, &t);
        why.text[0] = '\0';
        if (t.n_columns && !formula_check(&o, &t, &why) && csv_find(&t, o.target) < t.n_columns) wrong = formula_spec(&o, &t, &why);
        csv_free(&t);
        for (size_t k = 0; k < m; k++) free(names[k]);
    }
    if (wrong) fprintf(stderr, "%s: %s -> %s\n", text, why.text, o.basis ? o.basis : "");
    formula_free(o.read_formula);
    free((void *)o.ignore.item);
    free(text);
    return wrong;
}

static const char *const formula_pieces[] = {
    "y ~ ", "~", "x", "z", "g", " + ", " - ", "*", ":", "1", "0", "-1", ".", "log(", "sqrt(", "exp(", "I(", "x^2", "^", "factor(",
    "poly(",
    ", 3)", "gp(", "s(", "(1 | g)", "(x || g)", "(0 + x | g)", "offset(", "log(n)", "cbind(a, b)", ")", "(", "`a b`", "`", " ",
    "a.b", "\t",
    NULL
};
static const fuzz_harness formula_fuzz = { "formula", FORMULA_MOST, formula_check_one, formula_pieces, NULL };
FUZZ_MAIN(formula_fuzz)

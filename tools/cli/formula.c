/* formula: reads from left to right; what it stands for is written term by term */
#include "formula.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMULA_LONG "a product has 6 factors at most"
enum { FORMULA_FACTORS = 6, FORMULA_TERMS = 500, FORMULA_DEPTH = 20 };

/* A name and where it stands. */
typedef struct formula_name { char *text; size_t at; } formula_name;

/* Factors of a product as the SPEC writes them, sorted and each once; or (special) a term of the SPEC. */
typedef struct formula_term { size_t n; char *factor[FORMULA_FACTORS]; int special; } formula_term;

typedef struct formula_terms { formula_term *term; size_t n; } formula_terms;

struct formula {
    char         *text;
    const char   *p;              /* where the reading is                         */
    formula_name *name;           /* columns                                      */
    size_t        names;
    formula_terms terms;
    int           constant, dot, less;        /* less: the term is taken away     */
    int           slopes;                     /* are there any of groups?         */
    int           depth;                      /* parentheses that are open        */
    char         *target, *outputs, *trials, *offset, *basis, *meaning;
    const char  **ignore;         /* borrowed from name: taken away from a dot    */
    size_t        n_ignore;
    cli_why      *why;
};

static int formula_mark(const formula *f, size_t at, int status)
{
    char *to = f->why->place;
    const size_t room = sizeof f->why->place, n = strlen(f->text);
    if (2*n + 12 > room) return status;
    snprintf(to, room, "    ");
    for (const char *p = f->text; *p; p++) snprintf(to + strlen(to), room - strlen(to), "%c", (unsigned char)*p < 32 ? '?' : *p);
    snprintf(to + strlen(to), room - strlen(to), "\n    ");
    for (size_t i = 0; i < at; i++)
        if (((unsigned char)f->text[i] & 0xC0u) != 0x80u) snprintf(to + strlen(to), room - strlen(to), " ");
    snprintf(to + strlen(to), room - strlen(to), "^\n");
    return status;
}

static int formula_wrong(const formula *f, const char *at, const char *what)
{
    return formula_mark(f, (size_t)(at - f->text), cli_misuse(f->why, "--formula: %s", what));
}

static int formula_wrong_name(const formula *f, const char *at, const char *format, const char *name)
{
    char what[500];
    cli_shown shown;
    snprintf(what, sizeof what, format, cli_show(&shown, name));
    return formula_wrong(f, at, what);
}

static void formula_blanks(formula *f) { while (isspace((unsigned char)*f->p)) f->p++; }

static int formula_next(formula *f, char c)
{
    formula_blanks(f);
    if (*f->p != c) return 0;
    f->p++;
    return 1;
}

static int formula_letter(char c) { return isalpha((unsigned char)c) || c == '.' || c == '_' || (unsigned char)c >= 128; }

/* Reads a name as R allows it, or any name in backquotes; to free. NULL: there is none. */
static char *formula_word(formula *f)
{
    const char *start, *end;
    formula_blanks(f);
    if (*f->p == '`') {
        start = f->p + 1;
        end = strchr(start, '`');
        if (!end || end == start) return NULL;
        f->p = end + 1;
    } else {
        start = end = f->p;
        if (!formula_letter(*start)) return NULL;
        while (formula_letter(*end) || isdigit((unsigned char)*end)) end++;
        f->p = end;
    }
    char *text = (char *)cli_memory((size_t)(end - start) + 1, 1);
    memcpy(text, start, (size_t)(end - start));
    return text;
}

static void formula_keep(formula *f, const char *name, const char *at)
{
    f->name = (formula_name *)cli_grow(f->name, f->names + 1, sizeof *f->name);
    f->name[f->names].text = cli_copy(name);
    f->name[f->names++].at = (size_t)(at - f->text);
}

/* Reads a column of the table; to free. NULL: f says why. */
static char *formula_column(formula *f)
{
    formula_blanks(f);
    const char *at = f->p;
    char *name = formula_word(f);
    formula_blanks(f);
    if (!name) formula_wrong(f, at, *at ? "the name of a column belongs here; one with blanks or signs in it goes in backquotes"
                                        : "it ends too early: the name of a column is missing");
    else if (*f->p == '(') formula_wrong_name(f, at, "%s( cannot stand inside another call: write a column of that into the table",
                                              name);
    else if (strpbrk(name, "+,;*")) formula_wrong_name(f, at, "\"%s\": names with + * , ; in them cannot stand in a basis: rename "
                                                              "the column", name);
    else {
        formula_keep(f, name, at);
        return name;
    }
    free(name);
    return NULL;
}

static int formula_close(formula *f, const char *open, const char *what)
{
    if (formula_next(f, ')')) return CLI_GOOD;
    char text[200];
    formula_blanks(f);
    snprintf(text, sizeof text, "a ) is missing here: %s", what);
    (void)open;
    return formula_wrong(f, f->p, text);
}

/* ---- terms */

static char *formula_join(const char *a, const char *b, const char *c)
{
    char *text = (char *)cli_memory(strlen(a) + strlen(b) + strlen(c) + 1, 1);
    strcpy(text, a);
    strcat(text, b);
    strcat(text, c);
    return text;
}

static void formula_drop(formula_term *t)
{
    for (size_t k = 0; k < t->n; k++) free(t->factor[k]);
    t->n = 0;
}

/* Adds a factor, whose text the term owns from then on. 0: there are too many. */
static int formula_factor(formula_term *t, char *text)
{
    size_t k = 0;
    while (k < t->n && strcmp(t->factor[k], text)) k++;
    if (k < t->n || t->n == FORMULA_FACTORS) {
        free(text);
        return k < t->n;
    }
    t->factor[t->n++] = text;
    return 1;
}

static int formula_same(const formula_term *a, const formula_term *b)
{
    if (a->n != b->n || a->special != b->special) return 0;
    for (size_t i = 0; i < a->n; i++) {
        size_t k = 0;
        while (k < b->n && strcmp(a->factor[i], b->factor[k])) k++;
        if (k == b->n) return 0;
    }
    return 1;
}

/* Adds a term, or takes it away. */
static void formula_put(formula_terms *terms, formula_term *t, int less)
{
    size_t k = 0;
    while (k < terms->n && !formula_same(&terms->term[k], t)) k++;
    if (k < terms->n && less) {
        formula_drop(&terms->term[k]);
        memmove(&terms->term[k], &terms->term[k + 1], (terms->n - k - 1)*sizeof *terms->term);
        terms->n--;
    }
    if (k < terms->n || less) { formula_drop(t); return; }
    terms->term = (formula_term *)cli_grow(terms->term, terms->n + 1, sizeof *terms->term);
    terms->term[terms->n++] = *t;
}

/* I(x^2), I(x*z), I(x): powers and products of numbers, as factors of t. */
static int formula_as_is(formula *f, formula_term *t)
{
    static const char only[] = "I( ) takes powers such as I(x^2) and products such as I(x*z): write a column of anything else into "
                               "the table";
    char *product = NULL;
    do {
        char *name = formula_column(f);
        if (!name) { free(product); return CLI_USAGE; }
        if (formula_next(f, '^')) {
            formula_blanks(f);
            if (*f->p < '2' || *f->p > '9' || isdigit((unsigned char)f->p[1])) {
                free(name);
                free(product);
                return formula_wrong(f, f->p, "a power is a whole number from 2 to 9");
            }
            const char power[3] = { '^', *f->p++, '\0' };
            char *with = formula_join(name, power, "");
            free(name);
            name = with;
        }
        char *longer = formula_join(product ? product : "", product ? "*" : "", name);
        free(product);
        free(name);
        product = longer;
    } while (formula_next(f, '*'));
    /* One factor, for x*x is x^2. */
    formula_factor(t, product);
    return formula_next(f, ')') ? CLI_GOOD : formula_wrong(f, f->p, only);
}

/* poly(x, 3): a term of its own. */
static int formula_poly(formula *f, formula_term *t, const char *open)
{
    char *name = formula_column(f), text[40];
    int degree = 1;
    if (!name) return CLI_USAGE;
    if (formula_next(f, ',')) {
        formula_blanks(f);
        if (!strncmp(f->p, "degree", 6)) { f->p += 6; formula_next(f, '='); formula_blanks(f); }
        degree = isdigit((unsigned char)*f->p) ? (int)strtol(f->p, NULL, 10) : 0;
        if (degree < 1 || degree > 20) { free(name); return formula_wrong(f, f->p, "a degree is a whole number from 1 to 20"); }
        while (isdigit((unsigned char)*f->p)) f->p++;
    }
    formula_blanks(f);
    if (*f->p == ',') {
        formula_next(f, ',');
        formula_blanks(f);
        if (strncmp(f->p, "raw", 3)) {
            free(name);
            return formula_wrong(f, f->p, "poly takes a column and a degree, as poly(x, 3)");
        }
        f->p += strcspn(f->p, ")");
    }
    snprintf(text, sizeof text, "polynomial:degree=%d,ones=0,cols=", degree);
    t->special = 1;
    formula_factor(t, formula_join(text, name, ""));
    free(name);
    return formula_close(f, open, "poly(x, 3)");
}

/* gp(x), gp(x, z), s(x): a Gaussian process. */
static int formula_process(formula *f, formula_term *t, const char *open)
{
    char *list = cli_copy("gp:cols=");
    size_t n = 0;
    do {
        formula_blanks(f);
        const char *at = f->p;
        char *name = formula_column(f);
        formula_blanks(f);
        if (name && *f->p == '=') {
            free(name);
            free(list);
            return formula_wrong(f, at, "columns alone stand here: length scale and smoothness are learnt, and other kernels are "
                                        "options of --basis, as gp:kernel=matern32,cols=x");
        }
        if (!name) { free(list); return CLI_USAGE; }
        char *more = formula_join(list, n++ ? ";" : "", name);
        free(list);
        free(name);
        list = more;
    } while (formula_next(f, ','));
    t->special = 1;
    char *whole = formula_join(list, n > 1 ? ",ard" : "", "");
    formula_factor(t, whole);
    free(list);
    return formula_close(f, open, "gp(x)");
}

/* offset(x), offset(log(x)). */
static int formula_offset(formula *f, const char *open)
{
    static const char *const known[] = { "log", "sqrt", "exp" };
    formula_blanks(f);
    const char *at = f->p;
    char *call = formula_word(f);
    int function = -1;
    formula_blanks(f);
    for (int k = 0; k < 3 && call && *f->p == '('; k++) if (!strcmp(call, known[k])) function = k;
    free(call);
    if (f->offset) return formula_wrong(f, open, "there is one offset: add them up in a column of the table");
    if (f->less) return formula_wrong(f, open, "an offset is added: write a column of its negative into the table");
    if (function < 0) f->p = at;
    else f->p++;
    char *name = formula_column(f);
    if (!name) return CLI_USAGE;
    f->offset = function < 0 ? cli_copy(name) : NULL;
    if (function >= 0) {
        char *inside = formula_join(known[function], "(", name);
        f->offset = formula_join(inside, ")", "");
        free(inside);
    }
    free(name);
    if (function >= 0 && formula_close(f, at, "offset(log(n))")) return CLI_USAGE;
    return formula_close(f, open, "offset(x)");
}

static int formula_call(formula *f, const char *name, const char *at, formula_term *t)
{
    static const struct { const char *name, *advice; } refused[] = {
        { "bs", "write s(x): a smooth function whose smoothness is learnt" }, { "ns", "write s(x): a smooth function" },
        { "te", "write gp(x, z)" }, { "ti", "write gp(x, z)" }, { "t2", "write gp(x, z)" }, { "lo", "write s(x)" },
        { "scale", "write the column alone: inputs are standardised by themselves" },
        { "cbind", "it belongs before the ~" }, { "strata", "write (1 | g)" }, { "ordered", "write factor(x)" },
        { "relevel", "write the column, and say the reference to `info --reference COL=WORD`" },
        { "log2", "there are log, sqrt and exp: write log(x)" }, { "log10", "there are log, sqrt and exp: write log(x)" },
        { "log1p", "there are log, sqrt and exp: write a column of it into the table" },
        { "interaction", "write a:b" }, { "Error", "write (1 | g)" }
    };
    const char *open = f->p - 1;
    if (!strcmp(name, "I")) return formula_as_is(f, t);
    if (!strcmp(name, "poly")) return formula_poly(f, t, at);
    if (!strcmp(name, "gp") || !strcmp(name, "s")) return formula_process(f, t, at);
    if (!strcmp(name, "offset")) return formula_offset(f, at);
    for (size_t k = 0; k < sizeof refused/sizeof *refused; k++) {
        char what[200];
        snprintf(what, sizeof what, "%s( ) is not known: %s", refused[k].name, refused[k].advice);
        if (!strcmp(name, refused[k].name)) return formula_wrong(f, at, what);
    }
    const int factor = !strcmp(name, "factor") || !strcmp(name, "as.factor");
    if (!factor && strcmp(name, "log") && strcmp(name, "sqrt") && strcmp(name, "exp"))
        return formula_wrong_name(f, at, "%s( ) is not known: there are log, sqrt, exp, factor, poly, I, gp, s and offset; write a "
                                         "column of anything else into the table", name);
    char *column = formula_column(f);
    if (!column) return CLI_USAGE;
    formula_blanks(f);
    if (*f->p != ')' && *f->p) {
        free(column);
        return formula_wrong_name(f, f->p, "a column alone stands in %s( ): write a column of anything else into the table", name);
    }
    char *inside = formula_join(factor ? "factor" : name, "(", column);
    formula_factor(t, formula_join(inside, ")", ""));
    free(inside);
    free(column);
    return formula_close(f, open, "log(x)");
}

/* (1 | g), (x || g), (0 + x | g): behind the parenthesis. */
static int formula_group(formula *f, formula_term *t, const char *open)
{
    int ones = 1, bars = 0;
    char *slopes = NULL;
    do {
        formula_blanks(f);
        if (*f->p == '1' || *f->p == '0') { ones = *f->p++ == '1'; continue; }
        char *name = formula_column(f);
        if (!name) { free(slopes); return CLI_USAGE; }
        char *more = slopes ? formula_join(slopes, ";", name) : cli_copy(name);
        free(slopes);
        free(name);
        slopes = more;
    } while (formula_next(f, '+'));
    formula_blanks(f);
    const char *bar = f->p;
    while (bars < 2 && *f->p == '|') { f->p++; bars++; }
    if (!bars) {
        free(slopes);
        return formula_wrong(f, open, "before | stand 1, 0 and columns with + between them, as in (1 | g) and (x || g)");
    }
    if (bars == 1 && slopes && ones) {
        free(slopes);
        return formula_wrong(f, bar, "intercepts and slopes that go together are not known: write (x || g), where they are "
                                     "independent");
    }
    char *by = formula_column(f);
    if (!by) { free(slopes); return CLI_USAGE; }
    formula_blanks(f);
    if (*f->p == ':' || *f->p == '/') {
        free(slopes);
        free(by);
        return formula_wrong(f, f->p, "groups are the words of one column: write a column of a:b into the table; for (1 | a/b) "
                                      "write (1 | a) + (1 | ab)");
    }
    char *head = formula_join("group:by=", by, slopes ? ",cols=" : "");
    formula_factor(t, formula_join(head, slopes ? slopes : "", ones ? "" : ",ones=0"));
    t->special = 1;
    f->slopes = f->slopes || (slopes && ones);
    free(head);
    free(by);
    free(slopes);
    return formula_close(f, open, "(1 | g)");
}

/* A column or a call. Offsets leave t as it is. */
static int formula_one(formula *f, formula_term *t)
{
    formula_blanks(f);
    const char *at = f->p;
    char *name = formula_word(f);
    int status = CLI_GOOD;
    formula_blanks(f);
    if (!name) {
        f->p = at;
        name = formula_column(f);                                 /* which says what is wrong */
        free(name);
        return CLI_USAGE;
    }
    if (*f->p == '(') {
        f->p++;
        status = formula_call(f, name, at, t);
    } else {
        f->p = at;
        free(name);
        name = formula_column(f);
        if (!name) return CLI_USAGE;
        formula_factor(t, cli_copy(name));
    }
    free(name);
    formula_blanks(f);
    if (!status && *f->p == '^') status = formula_wrong(f, f->p, "write powers as I(x^2); (a + b)^2 is of sums in parentheses");
    return status;
}

/* ---- sums of terms, and products of sums */

static void formula_clear(formula_terms *s)
{
    for (size_t k = 0; k < s->n; k++) formula_drop(&s->term[k]);
    free(s->term);
    memset(s, 0, sizeof *s);
}

static formula_term formula_copy(const formula_term *t)
{
    formula_term copy;
    memset(&copy, 0, sizeof copy);
    copy.special = t->special;
    for (size_t k = 0; k < t->n; k++) copy.factor[copy.n++] = cli_copy(t->factor[k]);
    return copy;
}

static void formula_put_all(formula_terms *to, const formula_terms *from, int less)
{
    for (size_t k = 0; k < from->n; k++) {
        formula_term t = formula_copy(&from->term[k]);
        formula_put(to, &t, less);
    }
}

static int formula_plain(const formula_terms *s)
{
    size_t k = 0;
    while (k < s->n && !s->term[k].special) k++;
    return s->n && k == s->n;
}

static int formula_no_product(const formula *f, const char *at)
{
    return formula_wrong(f, at, "products are of columns, log(x) and the like: write x + I(x^2) for poly(x, 2); of gp(x) and "
                                "groups there are none");
}

/* Adds to out the product of each term of a with each of b, both plain. */
static int formula_pairs(const formula *f, const char *at, const formula_terms *a, const formula_terms *b, formula_terms *out)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++) {
            formula_term t = formula_copy(&a->term[i]);
            for (size_t j = 0; j < b->term[k].n; j++)
                if (!formula_factor(&t, cli_copy(b->term[k].factor[j]))) {
                    formula_drop(&t);
                    return formula_wrong(f, at, FORMULA_LONG);
                }
            formula_put(out, &t, 0);
            if (out->n > FORMULA_TERMS) return formula_wrong(f, at, "there are 500 terms at most");
        }
    return CLI_GOOD;
}

/* a <- a*b, which is a + b + a:b. nested: a <- a/b, which is a + b within each combination of all factors of a. */
static int formula_cross(const formula *f, const char *at, formula_terms *a, const formula_terms *b, int nested)
{
    formula_term all;
    formula_terms with, cell;
    memset(&all, 0, sizeof all);
    memset(&with, 0, sizeof with);
    cell.term = &all;
    cell.n = 1;
    if (!formula_plain(a) || !formula_plain(b)) return formula_no_product(f, at);
    int fits = 1;
    for (size_t k = 0; k < a->n && nested; k++)
        for (size_t j = 0; j < a->term[k].n; j++) fits = formula_factor(&all, cli_copy(a->term[k].factor[j])) && fits;
    int status = fits ? formula_pairs(f, at, nested ? &cell : a, b, &with) : formula_wrong(f, at, FORMULA_LONG);
    if (!status && !nested) formula_put_all(a, b, 0);
    if (!status) formula_put_all(a, &with, 0);
    formula_clear(&with);
    formula_drop(&all);
    return status;
}

static int formula_crossed(formula *f, formula_terms *out);

/* Does the parenthesis at p contain a | at its own level, so that it is a term of groups? */
static int formula_has_bar(const char *p)
{
    for (size_t depth = 0; *p; p++) {
        if (*p == '`') p += 1 + strcspn(p + 1, "`");
        if (!*p || (*p == ')' && depth-- == 1)) return 0;
        depth += *p == '(';
        if (*p == '|' && depth == 1) return 1;
    }
    return 0;
}

/* Reads a + b up to its closing parenthesis, and a power after it, as in (a + b)^2. */
static int formula_sum(formula *f, const char *open, formula_terms *out)
{
    int status = f->depth++ < FORMULA_DEPTH ? CLI_GOOD : formula_wrong(f, open, "too many parentheses within each other");
    while (!status) {
        formula_blanks(f);
        if (*f->p == '.' && !formula_letter(f->p[1]))
            status = formula_wrong(f, f->p, "products of all columns are not known: name the columns");
        else status = formula_crossed(f, out);
        if (status || !formula_next(f, '+')) break;
    }
    f->depth--;
    if (!status) status = formula_close(f, open, "(a + b)");
    if (status || !formula_next(f, '^')) return status;
    formula_blanks(f);
    if (*f->p < '2' || *f->p > '9' || isdigit((unsigned char)f->p[1]))
        return formula_wrong(f, f->p, "a power is a whole number from 2 to 9");
    formula_terms base;
    memset(&base, 0, sizeof base);
    formula_put_all(&base, out, 0);
    for (int power = *f->p++ - '0'; power > 1 && !status; power--) status = formula_cross(f, open, out, &base, 0);
    formula_clear(&base);
    return status;
}

/* A column, a call, or a parenthesis. */
static int formula_atom(formula *f, formula_terms *out)
{
    formula_term t;
    memset(&t, 0, sizeof t);
    formula_blanks(f);
    const char *at = f->p;
    int status;
    if (*at == '(' && !formula_has_bar(at)) {
        f->p++;
        status = formula_sum(f, at, out);
    } else {
        if (*at == '(') f->p++;
        status = *at == '(' ? formula_group(f, &t, at) : formula_one(f, &t);
        if (status || !t.n) formula_drop(&t);
        else formula_put(out, &t, 0);
    }
    formula_blanks(f);
    if (!status && *f->p == '%') status = formula_wrong(f, f->p, "write a %in% b as a:b");
    return status;
}

/* a:b:c */
static int formula_product(formula *f, formula_terms *out)
{
    formula_blanks(f);
    const char *at = f->p;
    int status = formula_atom(f, out);
    while (!status && formula_next(f, ':')) {
        formula_terms other, both;
        memset(&other, 0, sizeof other);
        memset(&both, 0, sizeof both);
        formula_blanks(f);
        const char *next = f->p;
        if (!formula_plain(out)) return formula_no_product(f, at);
        status = formula_atom(f, &other);
        if (!status && !formula_plain(&other)) status = formula_no_product(f, next);
        if (!status) status = formula_pairs(f, at, out, &other, &both);
        formula_clear(&other);
        formula_clear(out);
        *out = both;
    }
    return status;
}

/* a*b*c: all products of some of them; a/b. Adds to out. */
static int formula_crossed(formula *f, formula_terms *out)
{
    formula_terms all;
    memset(&all, 0, sizeof all);
    formula_blanks(f);
    const char *at = f->p;
    int status = formula_product(f, &all);
    while (!status) {
        const int nested = formula_next(f, '/');
        if (!nested && !formula_next(f, '*')) break;
        formula_terms other;
        memset(&other, 0, sizeof other);
        status = formula_product(f, &other);
        if (!status) status = formula_cross(f, at, &all, &other, nested);
        formula_clear(&other);
    }
    if (!status) formula_put_all(out, &all, 0);
    formula_clear(&all);
    return status;
}

static int formula_is_number(const char *p, char digit)
{
    return *p == digit && !isdigit((unsigned char)p[1]) && p[1] != '.';
}

static int formula_right(formula *f)
{
    int status = CLI_GOOD, less = 0;
    if (formula_next(f, '-')) less = 1;
    for (;;) {
        formula_blanks(f);
        const int dot = *f->p == '.' && !formula_letter(f->p[1]) && !isdigit((unsigned char)f->p[1]);
        if (formula_is_number(f->p, '1') || formula_is_number(f->p, '0')) f->constant = (*f->p++ == '1') != less;
        else if (dot && !less) {
            f->dot = 1;
            f->p++;
            formula_blanks(f);
            if (*f->p == '*' || *f->p == ':' || *f->p == '^')
                return formula_wrong(f, f->p, "products of all columns are not known: name the columns");
        } else {
            const size_t before = f->names;
            const char *at = f->p;
            f->less = less;
            formula_terms some;
            memset(&some, 0, sizeof some);
            status = formula_crossed(f, &some);
            formula_put_all(&f->terms, &some, less);
            formula_clear(&some);
            if (status) return status;
            size_t length = (size_t)(f->p - at);
            while (at[length - 1] == ' ' || at[length - 1] == '\t') length--;
            if (*at == '`') length -= 2;
            if (less && f->names == before + 1 && length == strlen(f->name[before].text)) {
                /* Nothing but a column's name, perhaps of one that a dot stands for. */
                f->ignore = (const char **)cli_grow((void *)f->ignore, f->n_ignore + 1, sizeof *f->ignore);
                f->ignore[f->n_ignore++] = f->name[before].text;
            }
        }
        formula_blanks(f);
        if (!*f->p) return CLI_GOOD;
        if (*f->p == '~') return formula_wrong(f, f->p, "there is one ~");
        if (*f->p != '+' && *f->p != '-')
            return formula_wrong(f, f->p, *f->p == '|' ? "effects of groups stand in parentheses: (1 | g)"
                                        : *f->p == ')' ? "this ) has no ( before it" : "+ or - belongs between terms");
        less = *f->p++ == '-';
    }
}

/* The target, or cbind(a, b). */
static int formula_left(formula *f, const options *o)
{
    formula_blanks(f);
    const char *at = f->p;
    if (*at == '~') return formula_wrong(f, at, "the target is missing before ~");
    char *word = formula_word(f);
    formula_blanks(f);
    const int call = word && *f->p == '(', bind = call && !strcmp(word, "cbind");
    if (call && !bind) {
        char what[400];
        cli_shown shown;
        f->p++;
        char *inside = formula_word(f);
        snprintf(what, sizeof what, "the target is a column, not %s( ): write a column %s_%.80s of that into the table, and that "
                                    "before the ~; predictions are then of it", word, word,
                 inside ? cli_show(&shown, inside) : "y");
        free(word);
        free(inside);
        return formula_wrong(f, at, what);
    }
    free(word);
    f->p = bind ? f->p + 1 : at;
    f->target = formula_column(f);
    if (!f->target) return CLI_USAGE;
    if (bind && o->glm && strncmp(o->likelihood, "binomial", 8) && strncmp(o->likelihood, "bernoulli", 9))
        return formula_wrong(f, at, "cbind(a, b) is successes and failures, for --likelihood binomial; counts in so much exposure "
                                    "are a ~ ... + offset(log(exposure))");
    if (bind) {
        formula_blanks(f);
        const char *comma = f->p;
        if (!formula_next(f, ',')) return formula_wrong(f, comma, "cbind takes successes and failures: cbind(ill, healthy)");
        char *second = formula_column(f);
        if (!second) return CLI_USAGE;
        formula_blanks(f);
        if (*f->p == '-') {
            free(second);
            return formula_wrong(f, f->p, "a column of failures belongs here; if you have the total, write the successes before ~ "
                                          "and add --trials TOTAL");
        }
        char *both = formula_join(f->target, o->glm ? "+" : ",", second);
        free(second);
        if (o->glm) f->trials = both;
        else f->outputs = both;
        if (formula_close(f, at, "cbind(a, b)")) return CLI_USAGE;
    }
    formula_blanks(f);
    if (*f->p == '~') { f->p++; return CLI_GOOD; }
    if (*f->p == '/') {
        at = f->p++;
        char what[400], *trials = formula_word(f);
        cli_shown shown;
        snprintf(what, sizeof what, "of so many trials: the successes before ~, and --trials %.100s behind the formula; of another "
                                    "ratio write a column into the table", trials ? cli_show(&shown, trials) : "COL");
        free(trials);
        return formula_wrong(f, at, what);
    }
    return formula_wrong(f, f->p, *f->p ? "~ belongs here, between the target and what it depends on" : "a ~ is missing: y ~ x");
}

/* ---- what it stands for */

static void formula_add(char **text, const char *more)
{
    char *both = formula_join(*text ? *text : "", more, "");
    free(*text);
    *text = both;
}

/* Writes the products with `size` factors (most: at least so many) as items after `before`. Returns how many there are. */
static size_t formula_items(const formula *f, size_t n, int most, const char *before, char **spec)
{
    size_t items = 0;
    for (size_t size = n; size <= (most ? (size_t)FORMULA_FACTORS : n); size++)
        for (size_t k = 0; k < f->terms.n; k++) {
            const formula_term *t = &f->terms.term[k];
            if (t->special || t->n != size) continue;
            if (f->dot && size == 1 && !strpbrk(t->factor[0], "(^*")) continue;          /* the dot has it already */
            formula_add(spec, items++ ? ";" : before);
            for (size_t i = 0; i < t->n; i++) {
                if (i) formula_add(spec, "*");
                formula_add(spec, t->factor[i]);
            }
        }
    return items;
}

/* A column that is a number in one term and words in another. */
static int formula_both(formula *f)
{
    for (size_t k = 0; k < f->terms.n; k++)
        for (size_t i = 0; i < f->terms.term[k].n; i++)
            for (size_t l = 0; l < f->terms.n; l++)
                for (size_t j = 0; j < f->terms.term[l].n; j++) {
                    const char *a = f->terms.term[k].factor[i], *b = f->terms.term[l].factor[j];
                    const size_t length = strlen(b);
                    if (!strncmp(a, "factor(", 7) && !strncmp(a + 7, b, length) && !strcmp(a + 7 + length, ")"))
                        return formula_wrong_name(f, f->p, "%s is a number in one term and names in another, factor( ): write it "
                                                           "into the table a second time under another name", b);
                }
    return CLI_GOOD;
}

static void formula_spec(formula *f)
{
    char *spec = NULL;
    int constant = f->constant;
    if (f->dot) {
        formula_add(&spec, constant ? "linear" : "linear:ones=0");
        constant = 0;
        formula_items(f, 1, 0, "+linear:ones=0,cols=", &spec);
    } else if (formula_items(f, 1, 0, constant ? "linear:cols=" : "linear:ones=0,cols=", &spec)) constant = 0;
    if (constant) formula_add(&spec, "bias");                     /* then there is nothing before it */
    formula_items(f, 2, 1, spec ? "+linear:ones=0,cols=" : "linear:ones=0,cols=", &spec);
    for (size_t k = 0; k < f->terms.n; k++) {
        if (!f->terms.term[k].special) continue;
        if (spec) formula_add(&spec, "+");
        formula_add(&spec, f->terms.term[k].factor[0]);
    }
    f->basis = spec;
}

static void formula_say(formula *f, const char *option, const char *value)
{
    if (!value) return;
    const char *quote = strpbrk(value, " ();*|&<>$`\"^") ? "'" : "";
    if (f->meaning) formula_add(&f->meaning, " ");
    formula_add(&f->meaning, option);
    if (!*value) return;
    formula_add(&f->meaning, " ");
    formula_add(&f->meaning, quote);
    formula_add(&f->meaning, value);
    formula_add(&f->meaning, quote);
}

static int formula_take(options *o, formula *f, cli_why *why)
{
    const char *twice = o->target ? "--target" : o->outputs ? "--outputs" : o->basis ? "--basis"
                      : f->offset && o->role[ROLE_OFFSET] ? "--offset" : f->trials && o->role[ROLE_TRIALS] ? "--trials" : NULL;
    if (o->like || o->from_stats) return cli_misuse(why, "--formula is as in the file of %s", o->like ? "--like" : "--from-stats");
    if (twice) return cli_misuse(why, "--formula says what %s would: leave that out", twice);
    if (!f->basis) return formula_wrong(f, f->p, "nothing is left behind ~: y ~ 1 is a constant");
    for (size_t k = 0; k < f->n_ignore && f->dot; k++) {
        o->ignore.item = (const char **)cli_grow((void *)o->ignore.item, o->ignore.n + 1, sizeof *o->ignore.item);
        o->ignore.item[o->ignore.n++] = f->ignore[k];
        formula_say(f, "--ignore", f->ignore[k]);
    }
    /* Standardising takes means away, which is as good as a constant. */
    if (!f->constant && !o->no_scale) { o->no_scale = 1; formula_say(f, "--no-scale", ""); }
    o->basis = f->basis;
    if (f->outputs) o->outputs = f->outputs;
    else o->target = f->target;
    if (f->offset) o->role[ROLE_OFFSET] = f->offset;
    if (f->trials) o->role[ROLE_TRIALS] = f->trials;
    formula_say(f, "--target", f->outputs ? NULL : f->target);
    formula_say(f, "--outputs", f->outputs);
    formula_say(f, "--trials", f->trials);
    formula_say(f, "--offset", f->offset);
    formula_say(f, "--basis", f->basis);
    return CLI_GOOD;
}

int formula_read(options *o, cli_why *why)
{
    formula *f = (formula *)cli_memory(1, sizeof *f);
    o->read_formula = f;
    f->text = cli_copy(o->formula);
    f->p = f->text;
    f->constant = 1;
    f->why = why;
    int status = formula_left(f, o);
    if (!status) status = formula_right(f);
    if (!status) status = formula_both(f);
    if (!status) formula_spec(f);
    if (!status) status = formula_take(o, f, why);
    return status;
}

void formula_free(formula *f)
{
    if (!f) return;
    for (size_t k = 0; k < f->names; k++) free(f->name[k].text);
    for (size_t k = 0; k < f->terms.n; k++) formula_drop(&f->terms.term[k]);
    free(f->name);
    free(f->terms.term);
    free((void *)f->ignore);
    free(f->target);
    free(f->outputs);
    free(f->trials);
    free(f->offset);
    free(f->basis);
    free(f->meaning);
    free(f->text);
    free(f);
}

int formula_uses(const options *o, const char *name)
{
    const formula *f = o->read_formula;
    if (!f || f->dot) return 1;
    for (size_t k = 0; k < f->names; k++) if (!strcmp(f->name[k].text, name)) return 1;
    return 0;
}

int formula_check(const options *o, const csv_table *t, cli_why *why)
{
    formula *f = o->read_formula;
    cli_shown shown;
    if (!f) return CLI_GOOD;
    f->why = why;
    for (size_t k = 0; k < f->names; k++)
        if (csv_find(t, f->name[k].text) == t->n_columns)
            return formula_mark(f, f->name[k].at, cli_fail(why, "%s: no column \"%s\" (--formula)%s", t->file,
                                                            cli_show(&shown, f->name[k].text), csv_hint(t)));
    return CLI_GOOD;
}

void formula_tell(const options *o)
{
    if (!o->read_formula) return;
    if (o->read_formula->slopes && !o->no_scale)
        cli_note("(x || g): the intercepts of groups, independent of the slopes, are those at the mean of x, as columns are "
                 "standardised; with --no-scale they are at x = 0, as in R, which is another model");
    if (o->verb != VERB_FIT) { cli_note("the formula is %s", o->read_formula->meaning); return; }
    say(&o->to, "formula          is ");
    say_name(&o->to, o->read_formula->meaning);
    say(&o->to, "\n");
    json_text(o->to.json, "formula", o->read_formula->meaning);
}

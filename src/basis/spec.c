/* spec: a basis from a line of text: the room that knows all built-in bases by name
 *
 * The text is split from the outside in: terms at "+", a name at ":", options at ",", a key at "=", columns at ";". Each piece is a
 * span of the text, so that every message can give the place. Numbers are read by >>decimal, not by strtod, whose decimal point
 * depends on the locale. */
#include "spec.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../core/data_private.h"
#include "../math/decimal.h"
#include "../random/rng_private.h"
#include "basis_private.h"
#include "kernel_private.h"
#include "polynomial_private.h"
#include "radial.h"
#include "spectral.h"
#include "inducing.h"

/* ---- spans of the text ---- */

typedef struct blni_span { const char *text; size_t at, end; } blni_span;

BLNI_PRIV blni_span blni_span_of(const char *text, size_t at, size_t end)
{
    while (at < end && (text[at] == ' ' || text[at] == '\t')) at++;
    while (end > at && (text[end - 1] == ' ' || text[end - 1] == '\t')) end--;
    const blni_span s = { text, at, end };
    return s;
}

/* The piece of *rest before the next `mark`; *rest becomes what follows. 0 when nothing is left. An empty rest after a mark is an
 * empty piece. */
BLNI_PRIV int blni_span_cut(blni_span *rest, char mark, blni_span *piece)
{
    size_t i = rest->at;
    if (rest->at > rest->end) return 0;
    while (i < rest->end && rest->text[i] != mark) i++;
    *piece = blni_span_of(rest->text, rest->at, i);
    rest->at = i + 1;                                            /* past the end when this was the last piece */
    return 1;
}

BLNI_PRIV size_t blni_span_count(blni_span s, char mark)
{
    size_t n = 1;
    for (size_t i = s.at; i < s.end; i++) if (s.text[i] == mark) n++;
    return n;
}

BLNI_PRIV int blni_span_is(blni_span s, const char *word)
{
    const size_t n = strlen(word);
    return s.end - s.at == n && !memcmp(s.text + s.at, word, n);
}

/* The message with the place, and the offending text in quotes. */
BLNI_PRIV bln_status blni_spec_fail(bln_report *report, bln_status status, blni_span s, const char *reason)
{
    char quoted[48];
    size_t n = blni_min(s.end - s.at, sizeof quoted - 1);
    blni_refuse(report, status, reason);
    blni_say(report, " at character ");
    blni_say_size(report, s.at + 1);
    if (report) report->column = s.at;
    if (n == 0) return status;
    memcpy(quoted, s.text + s.at, n);
    quoted[n] = '\0';
    blni_say(report, ": \"");
    blni_say(report, quoted);
    blni_say(report, n < s.end - s.at ? "...\"" : "\"");
    return status;
}

/* ---- numbers ---- */

BLNI_PRIV int blni_digit(blni_span s, size_t i) { return i < s.end && s.text[i] >= '0' && s.text[i] <= '9'; }

/* Digits only. 0 if it is none, or too large. */
BLNI_PRIV int blni_parse_size(blni_span s, size_t *value)
{
    size_t v = 0, i = s.at;
    for (; blni_digit(s, i); i++) v = blni_add(blni_mul(v, 10), (size_t)(s.text[i] - '0'));
    *value = v;
    return i == s.end && s.end > s.at && v != (size_t)-1;
}

/* A decimal number without a sign in front, finite; + does not get here, for it parts terms. */
BLNI_PRIV int blni_parse_number(blni_span s, double *value)
{
    const char *text = s.text + s.at, *end = s.text + s.end;
    return text == end || *text == '-' || bln_decimal_read(text, end, value) != end ? 0 : blni_finite(*value);
}

/* ---- terms ---- */

enum {
    BLNI_OPT_COLS = 1, BLNI_OPT_ONES = 2, BLNI_OPT_DEGREE = 4, BLNI_OPT_INTERACTIONS = 8,
    BLNI_OPT_N = 16, BLNI_OPT_ARD = 32, BLNI_OPT_LENGTH = 64, BLNI_OPT_DRAWS = 128, BLNI_OPT_RANGE = 256,
    BLNI_OPT_NU = 512, BLNI_OPT_ALPHA = 1024, BLNI_OPT_Q = 2048, BLNI_OPT_PERIOD = 4096,
    BLNI_OPT_M = 8192, BLNI_OPT_KERNEL = 16384, BLNI_OPT_SELECT = 32768, BLNI_OPT_LEARN = 65536, BLNI_OPT_BY = 131072,
    BLNI_OPT_POWERS = BLNI_OPT_COLS | BLNI_OPT_ONES | BLNI_OPT_DEGREE,
    BLNI_OPT_LENGTHS = BLNI_OPT_COLS | BLNI_OPT_N | BLNI_OPT_ARD | BLNI_OPT_LENGTH,
    BLNI_OPT_FOURIER = BLNI_OPT_LENGTHS | BLNI_OPT_DRAWS,
    BLNI_OPT_GP = BLNI_OPT_COLS | BLNI_OPT_KERNEL | BLNI_OPT_NU | BLNI_OPT_ALPHA | BLNI_OPT_ARD | BLNI_OPT_LENGTH,
    BLNI_OPT_INDUCING = BLNI_OPT_GP | BLNI_OPT_M | BLNI_OPT_SELECT | BLNI_OPT_LEARN | BLNI_OPT_RANGE
};

/* Rows that gp takes: a linear model of so many touches 48 n^2 bytes, 1.2 GB, while it is fitted. */
enum { BLNI_GP_ROWS = 5000 };

/* Their names, in the order of the bits. */
static const char *const blni_options[] = {
    "cols", "ones", "degree", "interactions", "n", "ard", "length", "draws", "range", "nu", "alpha", "q", "period", "m", "kernel",
    "select", "learn", "by"
};

typedef enum blni_term_kind {
    BLNI_TERM_BIAS, BLNI_TERM_LINEAR, BLNI_TERM_POLYNOMIAL, BLNI_TERM_LEGENDRE, BLNI_TERM_RADIAL, BLNI_TERM_FOURIER,
    BLNI_TERM_SPECTRAL, BLNI_TERM_INDUCING, BLNI_TERM_GP, BLNI_TERM_GROUP
} blni_term_kind;

/* which: the kernel, or the form of a radial basis; size: the default of degree or n. */
typedef struct blni_term_name {
    const char    *name;
    blni_term_kind kind;
    int            which;
    size_t         size;
    double         range;
    int            options;
} blni_term_name;
static const blni_term_name blni_term_names[] = {
    { "bias",       BLNI_TERM_BIAS,       0, 0, 0.0, 0 },
    { "linear",     BLNI_TERM_LINEAR,     0, 0, 0.0, BLNI_OPT_COLS | BLNI_OPT_ONES },
    { "polynomial", BLNI_TERM_POLYNOMIAL, 0, 2, 0.0, BLNI_OPT_POWERS | BLNI_OPT_INTERACTIONS },
    { "legendre",   BLNI_TERM_LEGENDRE,   0, 5, 3.0, BLNI_OPT_POWERS | BLNI_OPT_RANGE },
    { "radial",     BLNI_TERM_RADIAL,     BLN_RADIAL,                 20, 2.0, BLNI_OPT_LENGTHS | BLNI_OPT_RANGE },
    { "sigmoid",    BLNI_TERM_RADIAL,     BLN_RADIAL_SIGMOID,         20, 2.0, BLNI_OPT_LENGTHS | BLNI_OPT_RANGE },
    { "ridge",      BLNI_TERM_RADIAL,     BLN_RADIAL_RIDGE,           20, 2.0, BLNI_OPT_LENGTHS | BLNI_OPT_RANGE },
    { "rbf",        BLNI_TERM_FOURIER,    BLN_KERNEL_RBF,            200, 0.0, BLNI_OPT_FOURIER },
    { "matern12",   BLNI_TERM_FOURIER,    BLN_KERNEL_MATERN12,       200, 0.0, BLNI_OPT_FOURIER },
    { "matern32",   BLNI_TERM_FOURIER,    BLN_KERNEL_MATERN32,       200, 0.0, BLNI_OPT_FOURIER },
    { "matern52",   BLNI_TERM_FOURIER,    BLN_KERNEL_MATERN52,       200, 0.0, BLNI_OPT_FOURIER },
    { "matern",     BLNI_TERM_FOURIER,    BLN_KERNEL_MATERN,         200, 0.0, BLNI_OPT_FOURIER | BLNI_OPT_NU },
    { "rq",         BLNI_TERM_FOURIER,    BLN_KERNEL_RQ,             200, 0.0, BLNI_OPT_FOURIER | BLNI_OPT_ALPHA },
    { "cauchy",     BLNI_TERM_FOURIER,    BLN_KERNEL_CAUCHY,         200, 0.0, BLNI_OPT_FOURIER },
    { "laplace1",   BLNI_TERM_FOURIER,    BLN_KERNEL_LAPLACE1,       200, 0.0, BLNI_OPT_FOURIER },
    { "laplace2",   BLNI_TERM_FOURIER,    BLN_KERNEL_LAPLACE2,       200, 0.0, BLNI_OPT_FOURIER },
    { "cauchy_product", BLNI_TERM_FOURIER, BLN_KERNEL_CAUCHY_PRODUCT, 200, 0.0, BLNI_OPT_FOURIER },
    { "spectral",   BLNI_TERM_SPECTRAL,   BLN_KERNEL_RBF,            100, 0.0, BLNI_OPT_FOURIER | BLNI_OPT_Q | BLNI_OPT_PERIOD },
    { "inducing",   BLNI_TERM_INDUCING,   BLN_KERNEL_RBF,            100, 2.0, BLNI_OPT_INDUCING },
    { "gp",         BLNI_TERM_GP,         BLN_KERNEL_RBF,              0, 2.0, BLNI_OPT_GP },
    { "group",      BLNI_TERM_GROUP,      0, 0, 0.0, BLNI_OPT_BY | BLNI_OPT_COLS | BLNI_OPT_ONES }
};
enum { BLNI_N_OPTIONS = sizeof blni_options/sizeof *blni_options, BLNI_N_TERMS = sizeof blni_term_names/sizeof *blni_term_names };

/* A term as it was understood, before anything is made of it. */
typedef struct blni_term {
    blni_span             name, cols, by;
    const blni_term_name *known;        /* NULL: own                         */
    const bln_spec_term  *own;
    int                   seen;         /* bits of the options that stood there */
    int                   ones, interactions, ard, learn;
    int                   draws, kernel, choice;  /* a bln_draws, a bln_kernel, a bln_inducing_choice */
    const size_t         *columns;      /* that it reads, once they are known, if not all */
    size_t                degree, n, q;
    size_t                component;    /* which of the q parts is being made  */
    double                length, range, shape, period;
} blni_term;

BLNI_PRIV bln_status blni_term_find(const bln_spec_desc *desc, blni_term *t, bln_report *report)
{
    for (size_t i = 0; i < BLNI_N_TERMS; i++)
        if (blni_span_is(t->name, blni_term_names[i].name)) {
            t->known = &blni_term_names[i];
            t->ones = 1;
            t->degree = t->n = t->known->size;
            t->q = 1;
            t->range = t->known->range;
            t->kernel = t->known->which;
            return BLN_OK;
        }
    for (size_t i = 0; i < desc->n_own; i++)
        if (blni_span_is(t->name, desc->own[i].name)) { t->own = &desc->own[i]; t->q = 1; return BLN_OK; }
    if (t->name.at == t->name.end) return blni_spec_fail(report, BLN_EINVAL, t->name, "basis: a term is missing");
    blni_spec_fail(report, BLN_EUNKNOWN, t->name, "basis: unknown term");
    if (blni_span_is(t->name, "auto")) blni_say(report, " (auto: bln_auto_basis_slm, or _glm)");
    blni_say(report, "; there are");
    for (size_t i = 0; i < BLNI_N_TERMS + desc->n_own; i++) {
        blni_say(report, i ? ", " : " ");
        blni_say(report, i < BLNI_N_TERMS ? blni_term_names[i].name : desc->own[i - BLNI_N_TERMS].name);
    }
    return BLN_EUNKNOWN;
}

BLNI_PRIV bln_status blni_option_unknown(const blni_term *t, blni_span key, bln_report *report)
{
    int any = 0;
    blni_spec_fail(report, BLN_EUNKNOWN, key, "basis: unknown option");
    for (size_t i = 0; i < BLNI_N_OPTIONS; i++)
        if (t->known->options >> i & 1) {
            blni_say(report, any ? ", " : "; there are ");
            blni_say(report, blni_options[i]);
            any = 1;
        }
    if (!any) blni_say(report, "; this term has no options");
    return BLN_EUNKNOWN;
}

/* One of n words, of which the first stands for the number `first`. */
BLNI_PRIV bln_status blni_option_word(blni_span value, blni_span where, const char *unknown, size_t n, const char *const *words,
                                      int first, int *chosen, bln_report *report)
{
    for (size_t k = 0; k < n; k++)
        if (blni_span_is(value, words[k])) { *chosen = first + (int)k; return BLN_OK; }
    blni_spec_fail(report, BLN_EINVAL, where, unknown);
    for (size_t k = 0; k < n; k++) {
        blni_say(report, k ? ", " : "; there are ");
        blni_say(report, words[k]);
    }
    return BLN_EINVAL;
}

/* A kernel has the name of its term. */
BLNI_PRIV bln_status blni_option_kernel(blni_span value, blni_span where, int *kernel, bln_report *report)
{
    const char *words[BLNI_N_TERMS];
    int which[BLNI_N_TERMS], chosen = 0;
    size_t n = 0;
    for (size_t i = 0; i < BLNI_N_TERMS; i++) {
        if (blni_term_names[i].kind != BLNI_TERM_FOURIER) continue;
        words[n] = blni_term_names[i].name;
        which[n++] = blni_term_names[i].which;
    }
    const bln_status status = blni_option_word(value, where, "basis: unknown kernel", n, words, 0, &chosen, report);
    *kernel = which[chosen];
    return status;
}

/* One option of a built-in term, or the cols of any. */
BLNI_PRIV bln_status blni_option_read(blni_term *t, int bit, blni_span key, blni_span value, int has_value, bln_report *report)
{
    static const char *const draws[] = { "orthogonal", "independent", "sobol", "halton", "fastfood" };
    static const char *const choices[] = { "kmeans", "pivoted", "random" };
    const blni_span where = value.at < value.end ? value : key;
    const char *wrong = NULL;
    int *flag = NULL;
    size_t *size = NULL;
    double *number = NULL;
    if (t->seen & bit) return blni_spec_fail(report, BLN_EINVAL, key, "basis: an option stands twice");
    t->seen |= bit;
    switch (bit) {
    case BLNI_OPT_COLS:
        t->cols = value;
        if (value.at >= value.end) wrong = "basis: column names or numbers expected after cols=";
        break;
    case BLNI_OPT_BY:
        t->by = value;
        if (value.at >= value.end) wrong = "basis: the name or number of a column expected after by=";
        break;
    case BLNI_OPT_ONES:         flag = &t->ones; break;
    case BLNI_OPT_INTERACTIONS: flag = &t->interactions; break;
    case BLNI_OPT_ARD:          flag = &t->ard; break;
    case BLNI_OPT_LEARN:        flag = &t->learn; break;
    case BLNI_OPT_DEGREE:       size = &t->degree; break;
    case BLNI_OPT_N:
    case BLNI_OPT_M:            size = &t->n; break;
    case BLNI_OPT_Q:            size = &t->q; break;
    case BLNI_OPT_PERIOD:       number = &t->period; break;
    case BLNI_OPT_LENGTH:       number = &t->length; break;
    case BLNI_OPT_RANGE:        number = &t->range; break;
    case BLNI_OPT_DRAWS:
        return blni_option_word(value, where, "basis: unknown draws", 5, draws, BLN_DRAWS_ORTHOGONAL, &t->draws, report);
    case BLNI_OPT_SELECT:
        return blni_option_word(value, where, "basis: unknown choice", 3, choices, BLN_INDUCING_KMEANS, &t->choice, report);
    case BLNI_OPT_KERNEL:       return blni_option_kernel(value, where, &t->kernel, report);
    default:
        if (!blni_parse_number(value, &t->shape) || !(t->shape >= 0.1 && t->shape <= 1e4))
            wrong = "basis: a number from 0.1 to 10000 expected";
    }
    if (flag) *flag = !has_value || blni_span_is(value, "1");
    if (flag && !*flag && !blni_span_is(value, "0")) wrong = "basis: 0 or 1 expected";
    if (size && (!blni_parse_size(value, size) || *size == 0)) wrong = "basis: a whole number from 1 on expected";
    if (number && (!blni_parse_number(value, number) || !(*number >= 1e-150 && *number <= 1e150)))
        wrong = "basis: a number > 0 expected";
    if (wrong) return blni_spec_fail(report, BLN_EINVAL, where, wrong);
    return t->q <= BLNI_BASIS_PARTS ? BLN_OK : blni_spec_fail(report, BLN_EOVERFLOW, value, "basis: more than 4096 components");
}

/* The options of a term. Those of an own term go to `copy` (as long as the text), without cols. */
BLNI_PRIV bln_status blni_options_read(blni_term *t, blni_span options, char *copy, bln_report *report)
{
    blni_span piece;
    size_t at = 0;
    copy[0] = '\0';
    while (blni_span_cut(&options, ',', &piece)) {
        blni_span rest = piece, key, value;
        int bit = 0;
        blni_span_cut(&rest, '=', &key);
        const int has_value = rest.at <= rest.end;
        value = has_value ? blni_span_of(rest.text, rest.at, rest.end) : blni_span_of(piece.text, piece.end, piece.end);
        if (key.at == key.end) return blni_spec_fail(report, BLN_EINVAL, piece, "basis: an option is missing");
        for (int i = 0; i < BLNI_N_OPTIONS; i++) if (blni_span_is(key, blni_options[i])) bit = 1 << i;
        if (t->own && bit != BLNI_OPT_COLS) {
            if (at) copy[at++] = ',';
            memcpy(copy + at, piece.text + piece.at, piece.end - piece.at);
            at += piece.end - piece.at;
            copy[at] = '\0';
            continue;
        }
        if (t->known && !(t->known->options & bit)) return blni_option_unknown(t, key, report);
        BLNI_TRY(blni_option_read(t, bit, key, value, has_value, report));
    }
    return BLN_OK;
}

/* A column by its name, else by its number. */
BLNI_PRIV bln_status blni_column_find(const bln_spec_desc *desc, blni_span s, size_t *column, bln_report *report)
{
    size_t found = BLN_NONE;
    if (s.at == s.end) return blni_spec_fail(report, BLN_EINVAL, s, "basis: a column is missing");
    for (size_t i = 0; desc->names && i < desc->d; i++) {
        if (!desc->names[i] || !blni_span_is(s, desc->names[i])) continue;
        if (found != BLN_NONE) return blni_spec_fail(report, BLN_EINVAL, s, "basis: two columns have this name, give the number");
        found = i;
    }
    *column = found;
    if (found != BLN_NONE || (blni_parse_size(s, column) && *column < desc->d)) return BLN_OK;
    return blni_spec_fail(report, BLN_EUNKNOWN, s, "basis: no such input column");
}

BLNI_PRIV bln_status blni_term_own(const bln_spec_desc *desc, const blni_term *t, const char *options, size_t d, uint64_t seed,
                                   bln_basis **out, bln_report *report)
{
    bln_status status = t->own->make(t->own->user, options, d, seed, &desc->alloc, out, report);
    if (status != BLN_OK) return status;
    const char *why = bln_basis_check(*out);
    if (why) status = blni_spec_fail(report, BLN_EINVAL, t->name, why);
    else if ((*out)->d != d && (*out)->d != 0)
        status = blni_spec_fail(report, BLN_ESHAPE, t->name, "basis: made for another number of inputs");
    if (status != BLN_OK) bln_basis_free(*out);
    return status;
}

BLNI_PRIV bln_status blni_term_radial(const bln_spec_desc *desc, const blni_term *t, size_t d, uint64_t seed, bln_basis **out,
                                      bln_report *report)
{
    bln_radial_desc radial = BLN_ZERO;
    const size_t bytes = blni_mul(blni_mul(t->n, d), sizeof(double));
    if (bytes == (size_t)-1) return BLN_EOVERFLOW;
    double *centres = (double *)blni_alloc(&desc->alloc, bytes);
    if (!centres) return BLN_ENOMEM;
    bln_radial_centres(d, t->n, t->range, seed, centres);
    radial.d = d;
    radial.n = t->n;
    radial.centres = centres;
    radial.form = (bln_radial_form)t->known->which;
    radial.ard = t->ard;
    radial.length_scale = t->length;
    radial.alloc = desc->alloc;
    const bln_status status = bln_radial_create(&radial, out, report);
    blni_release(&desc->alloc, centres, bytes);
    return status;
}

/* Of Fourier features, dense or Fastfood, or a component of a spectral mixture. */
BLNI_PRIV bln_status blni_term_fourier(const bln_spec_desc *desc, const blni_term *t, size_t d, uint64_t seed, bln_basis **out,
                                       bln_report *report)
{
    bln_spectral_desc spectral = BLN_ZERO;
    bln_fourier_desc *fourier = &spectral.envelope;
    fourier->d = d;
    fourier->n = t->n;
    fourier->kernel = (bln_kernel)t->known->which;
    fourier->shape = t->shape;
    fourier->ard = t->ard;
    fourier->draws = (bln_draws)t->draws;
    fourier->seed = seed;
    fourier->length_scale = t->length;
    fourier->alloc = desc->alloc;
    spectral.component = t->component;
    spectral.period = t->period;
    if (t->known->kind == BLNI_TERM_SPECTRAL) return bln_spectral_create(&spectral, out, report);
    return t->draws == BLN_DRAWS_FASTFOOD ? bln_fastfood_create(fourier, out, report) : bln_fourier_create(fourier, out, report);
}

/* The rows' inputs as this term sees them: n x d. */
BLNI_PRIV void blni_term_rows(const bln_data *rows, const size_t *columns, size_t d, double *X)
{
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = 0; j < d; j++) X[i*d + j] = rows->X[i*blni_ldx(rows) + (columns ? columns[j] : j)];
}

/* *m points from the rows: X n x d, l d doubles of room. */
BLNI_PRIV bln_status blni_term_select(const bln_spec_desc *desc, const blni_term *t, size_t d, uint64_t seed, double *X, double *l,
                                      double *points, size_t *m, bln_report *report)
{
    bln_inducing_select_desc select = BLN_ZERO;
    bln_data data = BLN_ZERO;
    blni_term_rows(desc->rows, t->columns, d, X);
    data.n = desc->rows->n;
    data.d = d;
    data.X = X;
    for (size_t i = 0; i < d; i++) l[i] = t->length;
    select.choice = (bln_inducing_choice)t->choice;
    select.n = t->n;
    select.kernel = (bln_kernel)t->kernel;
    select.shape = t->shape;
    select.length_scale = t->length > 0.0 ? l : NULL;
    select.seed = seed;
    select.alloc = desc->alloc;
    return bln_inducing_select(&select, &data, points, NULL, NULL, m, report);
}

/* gp: a point on every row. */
BLNI_PRIV bln_status blni_term_all_rows(const bln_data *rows, bln_report *report)
{
    if (!rows)
        return blni_refuse(report, BLN_EINVAL, "basis: gp needs all training rows together: set rows of the desc; a stream "
                           "does not have them: take random features, as matern32:n=400");
    if (rows->n <= BLNI_GP_ROWS) return BLN_OK;
    return blni_refuse(report, BLN_EOVERFLOW, "basis: gp is for up to 5000 rows; take inducing points, as "
                       "inducing:m=500,kernel=matern32, or random features, as matern32:n=400");
}

BLNI_PRIV bln_status blni_term_inducing(const bln_spec_desc *desc, const blni_term *t, size_t d, uint64_t seed, bln_basis **out,
                                        bln_report *report)
{
    bln_inducing_desc inducing = BLN_ZERO;
    const int all = t->known->kind == BLNI_TERM_GP;
    bln_status status = all ? blni_term_all_rows(desc->rows, report) : BLN_OK;
    if (status != BLN_OK) return status;
    const size_t rows = desc->rows && desc->rows->X ? desc->rows->n : 0, m = all ? desc->rows->n : t->n;
    const size_t points = blni_mul(m, d), bytes = blni_mul(blni_add(blni_add(points, d), blni_mul(rows, d)), sizeof(double));
    inducing.d = d;
    inducing.n = m;
    inducing.kernel = (bln_kernel)t->kernel;
    inducing.shape = t->shape;
    inducing.ard = t->ard;
    inducing.learn_points = t->learn;
    inducing.length_scale = t->length;
    inducing.alloc = desc->alloc;
    if (bytes == (size_t)-1) return BLN_EOVERFLOW;
    double *Z = (double *)blni_alloc(&desc->alloc, bytes);
    if (!Z) return BLN_ENOMEM;
    inducing.points = Z;
    if (all && rows) blni_term_rows(desc->rows, t->columns, d, Z);
    else if (rows) status = blni_term_select(desc, t, d, seed, Z + points + d, Z + points, Z, &inducing.n, report);
    else bln_radial_centres(d, m, t->range, seed, Z);
    if (status == BLN_OK) status = bln_inducing_create(&inducing, out, report);
    blni_release(&desc->alloc, Z, bytes);
    return status;
}

/* d: the group and its slopes. The levels are those of its column. */
BLNI_PRIV bln_status blni_term_group(const bln_spec_desc *desc, const blni_term *t, size_t d, bln_basis **out, bln_report *report)
{
    bln_group_desc group = BLN_ZERO;
    const size_t column = t->columns[0];
    double *levels = NULL;
    size_t bytes = 0;
    bln_status status = BLN_OK;
    if (desc->groups) group = desc->groups[column];
    if (group.n == 0) {
        if (!desc->rows || !desc->rows->X)
            return blni_refuse(report, BLN_EINVAL, "basis: the levels of a group come from the training rows, which are not here");
        bytes = blni_mul(desc->rows->n, sizeof *levels);
        levels = (double *)blni_alloc(&desc->alloc, bytes);
        if (!levels) return BLN_ENOMEM;
        status = bln_group_levels(desc->rows, column, levels, &group.n, report);
        group.levels = levels;
        group.names = NULL;
    }
    group.d = d;
    group.slopes_only = !t->ones;
    group.alloc = desc->alloc;
    if (status == BLN_OK) status = bln_group_create(&group, out, report);
    blni_release(&desc->alloc, levels, bytes);
    return status;
}

/* The basis of a term on d inputs. What the bases themselves say of a failure gets its place in the text. */
BLNI_ONCE BLNI_PRIV bln_status blni_term_make(const bln_spec_desc *desc, const blni_term *t, const char *options, size_t d,
                                              uint64_t seed, bln_basis **out, bln_report *report)
{
    bln_status status = BLN_OK;
    bln_report said;
    bln_report_clear(&said);
    if (t->own) return blni_term_own(desc, t, options, d, seed, out, report);
    if (t->known->kind != BLNI_TERM_BIAS && d == 0)
        return blni_spec_fail(report, BLN_EINVAL, t->name, "basis: there are no input columns, which are needed");
    switch (t->known->kind) {
    case BLNI_TERM_BIAS:       status = bln_bias_create(&desc->alloc, out); break;
    case BLNI_TERM_LINEAR:     status = bln_linear_create(&desc->alloc, d, t->ones, out); break;
    case BLNI_TERM_POLYNOMIAL: status = bln_polynomial_create(&desc->alloc, d, t->degree, t->ones, t->interactions, out); break;
    case BLNI_TERM_LEGENDRE:   status = blni_legendre_within(&desc->alloc, d, t->degree, t->ones, t->range, out); break;
    case BLNI_TERM_RADIAL:     status = blni_term_radial(desc, t, d, seed, out, &said); break;
    case BLNI_TERM_FOURIER:
    case BLNI_TERM_SPECTRAL:   status = blni_term_fourier(desc, t, d, seed, out, &said); break;
    case BLNI_TERM_GROUP:      status = blni_term_group(desc, t, d, out, &said); break;
    default:                   status = blni_term_inducing(desc, t, d, seed, out, &said); break;      /* GP and INDUCING */
    }
    if (status == BLN_OK) return status;
    blni_spec_fail(report, status, t->name, said.text[0] ? said.text : bln_status_text(status));
    if (report) report->row = said.row;
    return status;
}

/* Which columns are groups, for by= names them: group[i] of column i. What is wrong in the text is said when its term is read. */
BLNI_PRIV int blni_spec_groups(const bln_spec_desc *desc, blni_span rest, unsigned char *group)
{
    blni_span term, name, piece, key;
    size_t column;
    int any = 0;
    for (size_t i = 0; i < desc->d; i++) group[i] = 0;
    while (blni_span_cut(&rest, '+', &term)) {
        blni_span_cut(&term, ':', &name);                        /* of a whole span there is always a first piece */
        if (!blni_span_is(name, "group")) continue;
        while (blni_span_cut(&term, ',', &piece)) {
            blni_span_cut(&piece, '=', &key);
            if (!blni_span_is(key, "by") || piece.at > piece.end) continue;
            piece = blni_span_of(piece.text, piece.at, piece.end);
            if (blni_column_find(desc, piece, &column, NULL) == BLN_OK) any = group[column] = 1;
        }
    }
    return any;
}

/* The columns that a term reads: by and those of cols; without cols, of a group none, else all that are no groups. *k of them. */
BLNI_PRIV bln_status blni_term_reads(const bln_spec_desc *desc, const blni_term *t, const unsigned char *group, size_t *columns,
                                     size_t *k, bln_report *report)
{
    const int by = t->known && t->known->kind == BLNI_TERM_GROUP;
    blni_span rest = t->cols, piece;
    bln_status status = BLN_OK;
    *k = 0;
    if (by && !(t->seen & BLNI_OPT_BY))
        return blni_spec_fail(report, BLN_EINVAL, t->name, "basis: which column has the groups? (by=COLUMN) of the term");
    if (by) status = blni_column_find(desc, t->by, &columns[(*k)++], report);
    if (!(t->seen & BLNI_OPT_COLS)) {
        for (size_t i = 0; i < desc->d && !by; i++) if (!group[i]) columns[(*k)++] = i;
        return status;
    }
    while (status == BLN_OK && blni_span_cut(&rest, ';', &piece)) {
        status = blni_column_find(desc, piece, &columns[*k], report);
        if (status == BLN_OK && group[columns[*k]])
            status = blni_spec_fail(report, BLN_EINVAL, piece, "basis: the numbers of this column name groups (by=)");
        for (size_t i = 0; status == BLN_OK && i < *k; i++)
            if (columns[i] == columns[*k]) status = blni_spec_fail(report, BLN_EINVAL, piece, "basis: a column stands twice");
        ++*k;
    }
    return status;
}

/* The same on the columns that it reads. */
BLNI_PRIV bln_status blni_term_columns(const bln_spec_desc *desc, blni_term *t, const char *options, const unsigned char *group,
                                       uint64_t seed, bln_basis **out, bln_report *report)
{
    const size_t bytes = blni_mul(blni_add(blni_add(blni_span_count(t->cols, ';'), desc->d), 1), sizeof(size_t));
    bln_basis *part = NULL;
    size_t k = 0, *columns = (size_t *)blni_alloc(&desc->alloc, bytes);
    if (!columns) return blni_basis_fail(report, BLN_ENOMEM);
    bln_status status = blni_term_reads(desc, t, group, columns, &k, report);
    t->columns = columns;
    if (status == BLN_OK) status = blni_term_make(desc, t, options, k, seed, &part, report);
    t->columns = NULL;
    if (status == BLN_OK) {
        /* A basis that reads nothing is handed nothing. */
        status = bln_basis_columns(&desc->alloc, desc->d, part->d, columns, part, out, report);
        if (status != BLN_OK) bln_basis_free(part);
    }
    blni_release(&desc->alloc, columns, bytes);
    return status;
}

/* The parts made so far. */
typedef struct blni_parts { bln_basis **list; size_t done, room; } blni_parts;

BLNI_PRIV bln_status blni_parts_grow(const bln_allocator *alloc, blni_parts *parts, size_t more, bln_report *report)
{
    const size_t room = parts->room + more;                      /* no overflow: more < 4096, and the old room was allocated */
    bln_basis **list = (bln_basis **)blni_alloc(alloc, room*sizeof *list);
    if (!list) return blni_basis_fail(report, BLN_ENOMEM);
    memcpy(list, parts->list, parts->done*sizeof *list);
    blni_release(alloc, parts->list, parts->room*sizeof *list);
    parts->list = list;
    parts->room = room;
    return BLN_OK;
}

/* A term becomes one part, a mixture one for each component. */
BLNI_PRIV bln_status blni_term_parse(const bln_spec_desc *desc, blni_span text, size_t position, char *copy,
                                     const unsigned char *group, int groups, blni_parts *parts, bln_report *report)
{
    blni_term t = BLN_ZERO;
    copy[0] = '\0';
    blni_span_cut(&text, ':', &t.name);
    bln_status status = blni_term_find(desc, &t, report);
    if (status == BLN_OK && text.at <= text.end) status = blni_options_read(&t, text, copy, report);
    if (status == BLN_OK && t.q > 1) status = blni_parts_grow(&desc->alloc, parts, t.q - 1, report);
    bln_rng rng = blni_rng_of(desc->seed, position);
    const uint64_t seed = bln_rng_next(&rng);
    for (; status == BLN_OK && t.component < t.q; t.component++) {
        bln_basis **out = &parts->list[parts->done];
        const int some = t.seen & BLNI_OPT_COLS || (t.known && t.known->kind == BLNI_TERM_GROUP)
                      || (groups && !(t.known && t.known->kind == BLNI_TERM_BIAS));
        status = some ? blni_term_columns(desc, &t, copy, group, seed, out, report)
                      : blni_term_make(desc, &t, copy, desc->d, seed, out, report);
        if (status == BLN_OK) parts->done++;
    }
    return status;
}

/* ---- the whole ---- */

/* One part as it is, several as their sum; and if no part reads inputs, a selection of none of the d columns, so that the basis
 * fits the data. */
BLNI_PRIV bln_status blni_spec_join(const bln_spec_desc *desc, size_t n, bln_basis **parts, bln_basis **out, bln_report *report)
{
    bln_basis *whole = parts[0], *selection = NULL;
    bln_status status = BLN_OK;
    if (n > 1) status = bln_basis_sum(&desc->alloc, n, parts, &whole, report);
    if (status != BLN_OK) return status;
    if (whole->d != desc->d) {
        status = bln_basis_columns(&desc->alloc, desc->d, 0, NULL, whole, &selection, report);
        if (status != BLN_OK) {
            if (n > 1) {                            /* the sum must go, but its parts are the caller's again */
                ((blni_sum *)whole)->n = 0;
                bln_basis_free(whole);
            }
            return status;
        }
        whole = selection;
    }
    *out = whole;
    return BLN_OK;
}

BLNI_ONCE BLN_API bln_status bln_basis_parse(const bln_spec_desc *desc, bln_basis **out, bln_report *report)
{
    blni_span rest, term;
    blni_parts parts = { NULL, 0, 0 };
    size_t length;
    bln_status status = BLN_OK;
    bln_report_clear(report);
    if (!desc || !desc->text || !out)
        return blni_refuse(report, BLN_EINVAL, desc && desc->text ? "basis: out is NULL" : "basis: no text");
    if (!blni_allocator_ok(&desc->alloc)) return blni_basis_fail(report, BLN_EINVAL);
    if (desc->n_own && !desc->own) return blni_refuse(report, BLN_EINVAL, "basis: own terms, but no table of them");
    if (desc->rows && (desc->rows->d != desc->d || desc->rows->n == 0))
        return blni_refuse(report, BLN_ESHAPE, "basis: rows with another number of inputs than d, or none");
    if (desc->rows && desc->rows->X) {
        status = bln_data_check(desc->rows, 0, report);
        if (status != BLN_OK) return status;
    }
    length = strlen(desc->text);
    rest = blni_span_of(desc->text, 0, length);
    if (rest.at == rest.end) return blni_fail(report, BLN_EINVAL, BLN_NONE, 0, "basis: the text is empty");
    parts.room = blni_span_count(rest, '+');
    parts.list = (bln_basis **)blni_alloc(&desc->alloc, parts.room*sizeof *parts.list);
    const size_t bytes = blni_add(length + 1, desc->d);                  /* options of a term; which columns are groups */
    char *copy = parts.list ? (char *)blni_alloc(&desc->alloc, bytes) : NULL;
    unsigned char *group = copy ? (unsigned char *)copy + length + 1 : NULL;
    const int groups = copy && blni_spec_groups(desc, rest, group);
    if (!copy) status = blni_basis_fail(report, BLN_ENOMEM);
    for (size_t position = 0; status == BLN_OK && blni_span_cut(&rest, '+', &term); position++)
        status = blni_term_parse(desc, term, position, copy, group, groups, &parts, report);
    if (status == BLN_OK) status = blni_spec_join(desc, parts.done, parts.list, out, report);
    if (status != BLN_OK) while (parts.done) bln_basis_free(parts.list[--parts.done]);
    blni_release(&desc->alloc, copy, bytes);
    blni_release(&desc->alloc, parts.list, parts.room*sizeof *parts.list);
    return status;
}

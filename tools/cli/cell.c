/* cell: a number is read from the outside inwards: sign and currency, then groups of digits with marks between them */
#include "cell.h"
#include "number.h"
#include <math.h>
#include <string.h>

enum { CELL_GROUPS = 12 };

static int cell_digit(char c) { return c >= '0' && c <= '9'; }

/* Looks for the first of these texts that p begins with: returns its number of bytes, and which one it is; 0: none. */
static size_t cell_starts(const char *p, const char *const *with, size_t n, size_t *which)
{
    for (size_t k = 0; k < n; k++) {
        const size_t length = strlen(with[k]);
        if (!strncmp(p, with[k], length)) { *which = k; return length; }
    }
    return 0;
}

/* In UTF-8: blanks (that of typewriters, no-break, narrow no-break, thin) and apostrophes part thousands too. */
static const char *const cell_blanks[] = { " ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "'", "\xE2\x80\x99" };
static const char *const cell_signs[] = { "-", "+", "\xE2\x88\x92" };
static const char *const cell_currencies[] = { "$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xB9" };
enum { CELL_SPACES = 4, CELL_BLANKS = 6, CELL_SIGNS = 3, CELL_CURRENCIES = 5 };

/* Groups of digits, and the mark before each of them: '.', ',' or ' ' for any blank. */
typedef struct cell_digits {
    size_t n, length[CELL_GROUPS];
    char   mark[CELL_GROUPS];
    int    zero, exponent;            /* does it begin with 0; has it an exponent? */
} cell_digits;

/* Reads digits at p. Returns the number of bytes read; 0: there are none. */
static size_t cell_scan(const char *p, cell_digits *d)
{
    const char *at = p;
    size_t which;
    memset(d, 0, sizeof *d);
    d->zero = *p == '0';
    for (d->n = 1;; d->n++) {
        while (cell_digit(*at)) { at++; d->length[d->n - 1]++; }
        const size_t blank = cell_starts(at, cell_blanks, CELL_BLANKS, &which), mark = *at == '.' || *at == ',' ? 1 : blank;
        if (!mark || !cell_digit(at[mark]) || d->n == CELL_GROUPS) break;
        d->mark[d->n] = blank ? ' ' : *at;
        at += mark;
    }
    if (*at == '.' && d->n == 1 && d->length[0]) at++;                              /* 5. */
    if ((*at == 'e' || *at == 'E') && at > p) {
        const char *e = at + 1 + (at[1] == '-' || at[1] == '+');
        while (cell_digit(*e)) { d->exponent = 1; at = ++e; }
    }
    return d->length[0] || d->n > 1 ? (size_t)(at - p) : 0;
}

/* Are the groups up to `end` thousands: 1 to 3 digits, then three each? */
static int cell_thousands(const cell_digits *d, size_t end)
{
    size_t k = 1;
    while (k < end && d->length[k] == 3) k++;
    return k == end && d->length[0] >= 1 && d->length[0] <= 3;
}

/* Decides from the marks which of them is the decimal point. 0: this is no number. */
static int cell_marks(const cell_digits *d, cell_mark *mark)
{
    size_t points = 0, commas = 0, blanks = 0;
    for (size_t k = 1; k < d->n; k++) {
        points += d->mark[k] == '.';
        commas += d->mark[k] == ',';
        blanks += d->mark[k] == ' ';
    }
    const char last = d->n > 1 ? d->mark[d->n - 1] : '\0';
    const int kinds = (points > 0) + (commas > 0) + (blanks > 0);
    *mark = MARK_NONE;
    if (kinds == 0) return 1;
    if (kinds == 3) return 0;
    if (kinds == 1 && blanks) return cell_thousands(d, d->n);
    if (kinds == 2) {                                        /* the last one marks decimals, the other thousands */
        if (last == ' ' || (last == '.' ? points : commas) != 1 || !cell_thousands(d, d->n - 1)) return 0;
        *mark = last == '.' ? MARK_POINT : MARK_COMMA;
        return 1;
    }
    if (points + commas > 1) {
        *mark = points ? MARK_COMMA : MARK_POINT;
        return cell_thousands(d, d->n);
    }
    const int maybe = cell_thousands(d, 2) && !d->zero && !d->exponent;
    *mark = maybe ? (points ? MARK_MAYBE_POINT : MARK_MAYBE_COMMA) : points ? MARK_POINT : MARK_COMMA;
    return 1;
}

static const char *cell_skip(const char *p)
{
    size_t which, n;
    while ((n = cell_starts(p, cell_blanks, CELL_SPACES, &which)) > 0) p += n;
    return p;
}

/* Reads a number with what may stand around it: finds where its digits are, and whether it is negative. NULL: this is none. */
static const char *cell_number(const char *p, cell_shape *s, cell_digits *d, int *negative)
{
    size_t which, n;
    int sign = 0, currency = 0;
    *negative = 0;
    for (p = cell_skip(p);; p = cell_skip(p + n)) {
        if (!sign && (n = cell_starts(p, cell_signs, CELL_SIGNS, &which)) > 0) { sign = 1; *negative = which != 1; }
        else if (!currency && (n = cell_starts(p, cell_currencies, CELL_CURRENCIES, &which)) > 0) {
            currency = 1;
            strcpy(s->currency, cell_currencies[which]);
        } else break;
    }
    n = cell_scan(p, d);
    if (!n) return NULL;
    const char *end = cell_skip(p + n);
    if (*end == '%') { s->percent = 1; end++; }
    else if (!currency && (n = cell_starts(end, cell_currencies, CELL_CURRENCIES, &which)) > 0) {
        strcpy(s->currency, cell_currencies[which]);
        end += n;
    }
    return *cell_skip(end) || (s->percent && currency) || !cell_marks(d, &s->mark) ? NULL : p;
}

void cell_write(const char *text, char decimal, char *out)
{
    cell_shape s;
    cell_digits d;
    int negative;
    size_t which, n;
    memset(&s, 0, sizeof s);
    const char *p = cell_number(text, &s, &d, &negative);
    if (!p) return;
    if (negative) *out++ = '-';
    for (size_t k = 0; k < d.n; k++) {
        if (k) {
            n = cell_starts(p, cell_blanks, CELL_BLANKS, &which);
            if (*p == decimal) *out++ = '.';
            p += n ? n : 1;
        }
        for (size_t i = 0; i < d.length[k]; i++) *out++ = *p++;
    }
    if (d.n == 1 && *p == '.') p++;
    while (d.exponent && (cell_digit(*p) || *p == 'e' || *p == 'E' || *p == '-' || *p == '+')) *out++ = *p++;
    *out = '\0';
}

/* ---- dates */

/* Reads a number of at most `most` digits. Returns how many digits it has. */
static size_t cell_whole(const char *p, size_t most, int *value)
{
    size_t n = 0;
    for (*value = 0; n <= most && cell_digit(p[n]); n++) *value = 10*(*value) + (p[n] - '0');
    return n <= most ? n : 0;
}

static char cell_low(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* The number of bytes of `word`, given in lower case, if p begins with it in any case; else 0. */
static size_t cell_word(const char *p, const char *word)
{
    size_t n = 0;
    while (word[n] && cell_low(p[n]) == word[n]) n++;
    return word[n] ? 0 : n;
}

/* Reads AM or PM after an hour from 1 to 12; 12 AM is midnight. Returns the number of bytes read; 0: there is neither. */
static size_t cell_half_day(const char *p, int *hour)
{
    static const char *const words[] = { "am", "pm", "a.m.", "p.m." };
    const char *from = cell_skip(p);
    for (size_t k = 0; k < sizeof words/sizeof *words; k++) {
        const size_t n = cell_word(from, words[k]);
        if (!n || *hour < 1 || *hour > 12) continue;
        *hour = *hour % 12 + 12*(int)(k % 2);
        return (size_t)(from - p) + n;
    }
    return 0;
}

/* HH:MM or HH:MM:SS, with decimals, AM or PM, to the end of the text. */
static int cell_time(const char *p, double *seconds)
{
    int part[3] = { 0, 0, 0 };
    double fraction = 0.0, unit = 0.1;
    for (int k = 0;; k++) {
        const size_t n = cell_whole(p, 2, &part[k]);
        if (n == 0 || (k > 0 && n != 2)) return 0;
        p += n;
        if (*p != ':' || k == 2) { if (k == 0) return 0; break; }
        p++;
    }
    if (*p == '.' && cell_digit(p[1])) for (p++; cell_digit(*p); p++, unit /= 10.0) fraction += unit*(*p - '0');
    if (*p == 'Z') p++;
    else p += cell_half_day(p, &part[0]);
    *seconds = 3600.0*part[0] + 60.0*part[1] + part[2] + fraction;
    return !*p && part[0] < 24 && part[1] < 60 && part[2] < 60;
}

/* Years of two digits are those of POSIX's strptime: 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068. */
static void cell_full_year(cell_shape *s)
{
    s->short_year = 1;
    s->part[2] += s->part[2] < 69 ? 2000 : 1900;
}

/* Reads three numbers with the same mark between them. Returns the place after them, or NULL. A year of two digits is not read
 * between dashes, since it may also come first there. Between points, which also separate the numbers of a version, it is read only
 * if all parts have two digits. */
static const char *cell_three_numbers(const char *p, cell_shape *s)
{
    size_t n[3];
    char mark = '\0';
    for (int k = 0; k < 3; k++) {
        n[k] = cell_whole(p, 4, &s->part[k]);
        if (!n[k]) return NULL;
        p += n[k];
        if (k == 0) mark = *p;
        if (k < 2 && *p++ != mark) return NULL;
    }
    if (mark != '-' && mark != '/' && mark != '.') return NULL;
    const int last = n[2] == 4 || (n[2] == 2 && (mark == '/' || (mark == '.' && n[0] == 2 && n[1] == 2)));
    if (n[0] == 4 && n[1] <= 2 && n[2] <= 2) s->order = ORDER_YMD;
    else if (last && n[0] <= 2 && n[1] <= 2) s->order = mark == '.' ? ORDER_DMY : ORDER_SLASH;
    else return NULL;
    if (s->order != ORDER_YMD && n[2] == 2) cell_full_year(s);
    return p;
}

/* Reads an English name of a month, or its beginning. Returns the number of bytes read; 0: none. */
static size_t cell_month_name(const char *p, int *month)
{
    static const char *const names[12][2] = {
        { "january", "jan" }, { "february", "feb" }, { "march", "mar" }, { "april", "apr" }, { "may", "may" }, { "june", "jun" },
        { "july", "jul" }, { "august", "aug" }, { "september", "sep" }, { "october", "oct" }, { "november", "nov" },
        { "december", "dec" }
    };
    for (int k = 0; k < 12; k++) {
        size_t n = cell_word(p, names[k][0]);
        if (!n && k == 8) n = cell_word(p, "sept");
        if (!n) n = cell_word(p, names[k][1]);
        *month = k + 1;
        if (n) return n;
    }
    return 0;
}

/* Skips what may stand between the parts of a date whose month is a name. There may be nothing, as in 17MAY2024. */
static const char *cell_between(const char *p)
{
    if (*p == '.' || *p == ',') p++;
    return *p == '-' || *p == '/' ? p + 1 : cell_skip(p);
}

/* Reads 17 May 2024, 17-May-24 or May 17, 2024. Returns the place after it, or NULL. */
static const char *cell_named_month(const char *p, cell_shape *s)
{
    const int first = !cell_digit(*p);
    s->order = first ? ORDER_MDY : ORDER_DMY;
    for (int k = 0; k < 2; k++) {
        const size_t n = (k == 0) == first ? cell_month_name(p, &s->part[k]) : cell_whole(p, 2, &s->part[k]);
        if (!n || (first && cell_digit(p[n]))) return NULL;
        p = cell_between(p + n);
    }
    const size_t n = cell_whole(p, 4, &s->part[2]);
    if (n != 2 && n != 4) return NULL;
    if (n == 2) cell_full_year(s);
    return p + n;
}

static int cell_is_date(const char *text, cell_shape *s)
{
    const char *p = cell_three_numbers(text, s);
    if (!p) p = cell_named_month(text, s);
    if (!p) return 0;
    s->seconds = -1.0;
    if (*p == ',' && p[1] == ' ') p++;
    if (*p == ' ' || *p == 'T') return cell_time(cell_skip(p + 1), &s->seconds);
    return !*p;
}

static int cell_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int cell_month(int year, int month)
{
    static const int days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return days[month - 1] + (month == 2 && cell_leap(year));
}

/* Days from 0001-01-01 to the beginning of a year >= 1. */
static long cell_year(int year)
{
    const long y = year - 1;
    return 365*y + y/4 - y/100 + y/400;
}

enum { CELL_1970 = 719162 };                                /* cell_year(1970) */

int cell_day(const cell_shape *date, cell_order order, long *day)
{
    const int *p = date->part;
    const int year = order == ORDER_YMD ? p[0] : p[2], month = order == ORDER_MDY ? p[0] : p[1];
    const int of_month = order == ORDER_YMD ? p[2] : order == ORDER_MDY ? p[1] : p[0];
    if (year < 1 || month < 1 || month > 12 || of_month < 1 || of_month > cell_month(year, month)) return 0;
    *day = cell_year(year) - CELL_1970 + of_month - 1;
    for (int m = 1; m < month; m++) *day += cell_month(year, m);
    return 1;
}

cell_calendar cell_date(long day)
{
    cell_calendar c;
    const long since = day + CELL_1970;                     /* 0001-01-01 was a Monday, in this calendar */
    c.weekday = (int)((since % 7 + 7) % 7);
    c.year = (int)(since/366) + 1;
    while (cell_year(c.year + 1) <= since) c.year++;
    long left = since - cell_year(c.year);
    for (c.month = 1; c.month < 12 && left >= cell_month(c.year, c.month); c.month++) left -= cell_month(c.year, c.month);
    c.day = (int)left + 1;
    return c;
}

/* ---- all of it */

/* What tables write for a missing value. NA and NaN are recognised by number_read. */
static int cell_says_missing(const char *text)
{
    static const char *const signs[] = {
        "na", "n/a", "#n/a", "<na>", "n.a.", "null", "none", "missing", "-", "--", "---", ".", "..", "?", "\xE2\x80\x93",
        "\xE2\x80\x94"
    };
    char low[12];
    const size_t n = strlen(text);
    if (n >= sizeof low) return 0;
    for (size_t i = 0; i <= n; i++) low[i] = cell_low(text[i]);
    for (size_t k = 0; k < sizeof signs/sizeof *signs; k++) if (!strcmp(low, signs[k])) return 1;
    return 0;
}

/* Which mark a plain number has, given its decimal point. */
static cell_mark cell_point(const char *text, const char *point)
{
    while (!cell_digit(*text) && text < point) text++;
    const size_t before = (size_t)(point - text), after = strspn(point + 1, "0123456789");
    return before >= 1 && before <= 3 && *text != '0' && after == 3 && !point[4] ? MARK_MAYBE_POINT : MARK_POINT;
}

void cell_look(const char *text, cell_shape *out)
{
    cell_shape s;
    cell_digits d;
    int negative;
    memset(&s, 0, sizeof s);
    s.value = HUGE_VAL;
    const number_kind kind = number_read(text, &s.value);
    s.kind = kind == NUMBER_MISSING ? CELL_MISSING : CELL_NUMBER;
    s.plain = kind != NUMBER_WORD;
    const char *point = s.plain ? strchr(text, '.') : NULL;
    if (point) s.mark = cell_point(text, point);
    if (!s.plain && !cell_number(text, &s, &d, &negative)) {
        s.percent = 0;
        s.currency[0] = '\0';
        s.mark = MARK_NONE;
        s.kind = cell_is_date(text, &s) ? CELL_DATE : cell_says_missing(text) ? CELL_SIGN : CELL_WORD;
    }
    *out = s;
}

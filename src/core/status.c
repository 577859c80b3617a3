/* status: the texts, and the one way a report is written */
#include "status_private.h"

#define BLNI_STATUS_TEXT(code, text) text,
#define BLNI_STATUS_NAME(code, text) #code,
BLN_API const char *bln_status_text(bln_status status)
{
    static const char *const texts[] = { BLN_STATUS_LIST(BLNI_STATUS_TEXT) };
    return (unsigned)status < BLN_STATUS_COUNT ? texts[status] : "unknown status";
}

BLN_API const char *bln_status_name(bln_status status)
{
    static const char *const names[] = { BLN_STATUS_LIST(BLNI_STATUS_NAME) };
    return (unsigned)status < BLN_STATUS_COUNT ? names[status] : "unknown status";
}

BLN_API const char *bln_stop_name(bln_stop stop)                     /* in the order of bln_stop */
{
    static const char *const names[] = { "none", "gradient", "progress", "limit", "monitor", "bound", "line search" };
    return (unsigned)stop <= BLN_STOP_LINESEARCH ? names[stop] : "unknown";
}

BLNI_NOINLINE BLN_API void bln_report_clear(bln_report *report)
{
    if (!report) return;
    memset(report, 0, sizeof *report);
    report->row = report->column = BLN_NONE;
}

/* Appends text, or an unsigned number in decimal, to a string in a buffer of size >= 1, cut at its end. (No stdio: the library also
 * runs where there is none.) */
BLNI_COLD BLNI_PRIV void blni_cat(char *out, size_t size, const char *text)
{
    size_t at = strlen(out);
    while (*text && at + 1 < size) out[at++] = *text++;
    out[at] = '\0';
}

BLNI_COLD BLNI_PRIV void blni_cat_size(char *out, size_t size, size_t value)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do { digits[--at] = (char)('0' + (int)(value % 10)); value /= 10; } while (value);
    blni_cat(out, size, digits + at);
}

/* Appends to the text of a report, which may be NULL. */
BLNI_PRIV void blni_say(bln_report *report, const char *text)
{
    if (BLNI_SAYS(report)) blni_cat(report->text, sizeof report->text, text); else (void)text;
}

BLNI_PRIV void blni_say_size(bln_report *report, size_t value)
{
    if (BLNI_SAYS(report)) blni_cat_size(report->text, sizeof report->text, value);
}

/* Writes the reason of a failure and returns its status, so that a check is one line:
 *     if (!(v > 0.0)) return blni_fail(report, BLN_EDOMAIN, row, column, "noise variance must be > 0");
 * row and column may be BLN_NONE; those given are named in the text, counted from 0 as in the API. */
BLNI_COLD BLNI_PRIV bln_status blni_fail(bln_report *report, bln_status status, size_t row, size_t column, const char *reason)
{
    if (report) {
        report->text[0] = '\0';
        report->row = row;
        report->column = column;
        blni_say(report, reason);
        if (row != BLN_NONE)    { blni_say(report, ", row ");    blni_say_size(report, row); }
        if (column != BLN_NONE) { blni_say(report, ", column "); blni_say_size(report, column); }
    }
    return status;
}

/* blni_fail for a reason that concerns no row and no column. */
BLNI_COLD BLNI_PRIV bln_status blni_refuse(bln_report *report, bln_status status, const char *reason)
{
    return blni_fail(report, status, BLN_NONE, BLN_NONE, reason);
}

/* "slm: data have another number of columns than the basis: 3 instead of 2" */
BLNI_COLD BLNI_PRIV bln_status blni_refuse_columns(bln_report *report, const char *who, size_t there, size_t wanted)
{
    blni_refuse(report, BLN_ESHAPE, who);
    blni_say(report, ": data have another number of columns than the basis: ");
    blni_say_size(report, there);
    blni_say(report, " instead of ");
    blni_say_size(report, wanted);
    return BLN_ESHAPE;
}

/* How a public function begins: it clears its report, and refuses arguments that are not `given` as they must be. */
BLNI_NOINLINE BLNI_PRIV bln_status blni_begin(bln_report *report, int given, const char *why)
{
    bln_report_clear(report);
    return given ? BLN_OK : blni_refuse(report, BLN_EINVAL, why);
}

#ifndef BAYESLIN_CLI_READING_EVIDENCE_H
#define BAYESLIN_CLI_READING_EVIDENCE_H
#include "reading.h"
/* reading_evidence - counts of the cells of a column, from which is learned how they are written */

/* Kinds of cells. SHORT: dates with years of two digits. CODE: numbers that may be codes, 007 or 5e3. NA: missing by the number of
 * --na, not by its text. The struct has the number of each and a copy of the first; earliest: the first days, with slashes read as
 * day and month, and as month and day. */
typedef enum reading_seen {
    SEEN_NUMBER, SEEN_WORD, SEEN_DATE, SEEN_SIGN, SEEN_PERCENT, SEEN_BARE, SEEN_CURRENCY, SEEN_ODD, SEEN_DAY_FIRST,
    SEEN_MONTH_FIRST, SEEN_SLASH, SEEN_SHORT, SEEN_CODE, SEEN_NA, SEEN_MARK, SEEN_COUNT = SEEN_MARK + MARK_COUNT
} reading_seen;

struct reading_evidence {
    size_t    at, count[SEEN_COUNT], values, missing;
    csv_cell  cell[SEEN_COUNT], first, other;          /* other: the first with another currency */
    char      currency[4];
    long      earliest[2];
    int       use, varies, named, dropped;
    double    sum;
    size_t    summed;
};

#endif /* BAYESLIN_CLI_READING_EVIDENCE_H */

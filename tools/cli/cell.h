#ifndef BAYESLIN_CLI_CELL_H
#define BAYESLIN_CLI_CELL_H
#include <stddef.h>
/* cell - what the text of a cell may be: a number as people of several countries write it, a date, or a sign for "missing"
 *
 * Numbers: 3.14, 3,14, 1,234.5, 1.234,5, 1 234, 1'234 (thousands in groups of three), $48.50, 48 EUR signs behind, 5%, and a
 * minus of Unicode. Dates: 2024-05-17, 2024/05/17, 17.05.2024, 05/17/2024 or 17/05/2024, 17 May 2024, 17-May-2024, May 17, 2024
 * (English names or their first three letters), years of two digits but behind dashes alone, and behind a blank or T a time, 14:30,
 * 14:30:05 or 2:30 PM, with or without Z. */

typedef enum cell_kind { CELL_MISSING, CELL_NUMBER, CELL_DATE, CELL_SIGN, CELL_WORD } cell_kind;

/* What a number says of the decimal mark: nothing; a point or a comma (3.14; 1,234,567 leaves the point); or one of the two, as it
 * may also part thousands (1.234). */
typedef enum cell_mark { MARK_NONE, MARK_POINT, MARK_COMMA, MARK_MAYBE_POINT, MARK_MAYBE_COMMA, MARK_COUNT } cell_mark;

/* How a date of three numbers is written; SLASH: the first two are day and month, or month and day. */
typedef enum cell_order { ORDER_NONE, ORDER_YMD, ORDER_DMY, ORDER_MDY, ORDER_SLASH } cell_order;

typedef struct cell_shape {
    cell_kind  kind;
    int        plain;             /* a number that number_read takes as it is          */
    double     value;             /* of a plain one; infinite where it is too large    */
    cell_mark  mark;
    int        percent;
    char       currency[4];       /* "" or a sign of one, in UTF-8                     */
    int        part[3];           /* of a date, as they are written                    */
    cell_order order;
    int        short_year;        /* two digits, which part[2] completes               */
    double     seconds;           /* of the day; < 0: no time                          */
} cell_shape;

void cell_look(const char *text, cell_shape *out);

/* The number of such a text as number_read takes it, at most as long as the text: into out, which may be the text. decimal: '.' or
 * ','; the other one parts thousands. */
void cell_write(const char *text, char decimal, char *out);

/* Days since 1970-01-01 of a date of this order (not SLASH). 0: there is no such day. */
int  cell_day(const cell_shape *date, cell_order order, long *day);

/* The reverse; weekday: 0 is Monday. */
typedef struct cell_calendar { int year, month, day, weekday; } cell_calendar;
cell_calendar cell_date(long day);

#endif /* BAYESLIN_CLI_CELL_H */

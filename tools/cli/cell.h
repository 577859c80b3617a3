#ifndef BAYESLIN_CLI_CELL_H
#define BAYESLIN_CLI_CELL_H
#include <stddef.h>
/* cell - what the text of a cell can be: a number as people of several countries write it, a date, or a word for "missing"
 *
 * Numbers: 3.14, 3,14, 1,234.5, 1.234,5, 1 234, 1'234 (thousands in groups of three), $48.50, a currency after the number as in
 * 48 EUR, 5%, and the minus sign of Unicode. Dates: 2024-05-17, 2024/05/17, 17.05.2024, 05/17/2024 or 17/05/2024, 17 May 2024,
 * 17-May-2024, May 17, 2024 (English names or their first three letters). Years may have two digits, except between dashes alone. A
 * time may follow after a blank or T: 14:30, 14:30:05 or 2:30 PM, with or without Z. */

typedef enum cell_kind { CELL_MISSING, CELL_NUMBER, CELL_DATE, CELL_SIGN, CELL_WORD } cell_kind;

/* What a number tells of the decimal mark: nothing; that it is a point or a comma (3.14; in 1,234,567 only a point is possible); or
 * that it may be, since the mark may also separate thousands (1.234). */
typedef enum cell_mark { MARK_NONE, MARK_POINT, MARK_COMMA, MARK_MAYBE_POINT, MARK_MAYBE_COMMA, MARK_COUNT } cell_mark;

/* The order of a date of three numbers; SLASH: the first two are day and month, or month and day. */
typedef enum cell_order { ORDER_NONE, ORDER_YMD, ORDER_DMY, ORDER_MDY, ORDER_SLASH } cell_order;

typedef struct cell_shape {
    cell_kind  kind;
    int        plain;             /* is it a number that number_read reads unchanged?  */
    double     value;             /* of a plain number; infinite if it is too large    */
    cell_mark  mark;
    int        percent;
    char       currency[4];       /* a currency sign in UTF-8, or ""                   */
    int        part[3];           /* the numbers of a date, as they are written        */
    cell_order order;
    int        short_year;        /* has the year two digits? part[2] has all four     */
    double     seconds;           /* time of the day; < 0: none                        */
} cell_shape;

void cell_look(const char *text, cell_shape *out);

/* Writes the number of such a text as number_read reads it into out, which may be the text; it is not longer than the text.
 * decimal: '.' or ','; the other one separates thousands. */
void cell_write(const char *text, char decimal, char *out);

/* *day <- days from 1970-01-01 to a date in this order (not SLASH). Returns 0 if there is no such day. */
int  cell_day(const cell_shape *date, cell_order order, long *day);

/* The reverse; weekday: 0 is Monday. */
typedef struct cell_calendar { int year, month, day, weekday; } cell_calendar;
cell_calendar cell_date(long day);

#endif /* BAYESLIN_CLI_CELL_H */

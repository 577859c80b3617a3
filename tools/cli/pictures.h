#ifndef BAYESLIN_CLI_PICTURES_H
#define BAYESLIN_CLI_PICTURES_H
#include "../plot.h"
#include "frame.h"
#include "model.h"
#include "rows.h"
/* pictures - what `plot --show` draws, beside the curve of verb_plot.c and the classes of classes.h: each reads the table, asks the
 * model, and writes the file of -o. What they share stands below. All of it is meant to be printed in black and white as well. */

/* Functions drawn from the prior beside those of the posterior, over the number column i, with the rows as points. */
int draws_plot(const options *o, const model *m, size_t i, cli_why *why);

/* The effect of each column, the others as grid.h has them: small multiples. */
int columns_plot(const options *o, const model *m, cli_why *why);

/* Calibration, and residuals over fitted values and each column. */
int residuals_plot(const options *o, const model *m, cli_why *why);

/* Coefficients with their intervals, the largest first. */
int coefficients_plot(const options *o, const model *m, cli_why *why);

/* Evidence over hyper-parameters or, with --x degree, the degree of a polynomial. m: its columns may be gone afterwards. */
int evidence_plot(const options *o, model *m, cli_why *why);

/* ---- shared */

/* The rows of the table that the model can use, with targets if it is to have them; a note of those that are left out. Free both,
 * also after a failure. */
typedef struct picture_rows { frame f; cli_rows rows; } picture_rows;
int  picture_read(const options *o, const model *m, columns_use use, picture_rows *out, cli_why *why);
void picture_free(picture_rows *p);

/* Leaves out of a frame the rows without trials, which say nothing of a share, or those with a filled cell in its first n columns,
 * whose place is not known; a note of how many. Fails if no row is left. */
int picture_leave_no_trials(const model *m, frame *f, cli_why *why);
int picture_leave_filled(const model *m, frame *f, size_t n, cli_why *why);

/* The number of a column in row i; NAN where it was filled. */
double picture_number(const model *m, const picture_rows *p, size_t column, size_t i);

/* Is an offset of the target's kind, so that it can be taken off? Else it is added to f. */
int picture_takes_off(const model *m);

/* What stands on the axis of the target: "y", "y - offset", "y / trials", "y = yes". */
void picture_target(const model *m, size_t target, char *out, size_t size);

/* What the curve is: "mean", or "0.9 quantile". */
void picture_middle(const model *m, char *out, size_t size);

/* "the offset at its mean", where that is added to f; else "". */
const char *picture_at_offset(const model *m);

/* Ticks of the axis of a column of dates, from low to high on so many pixels: days, months or years. NULL: it holds none, or the
 * axis is too short for two. */
const plot_ticks *picture_dates(const model *m, const char *column, double low, double high, double pixels, plot_ticks *out);

/* plot_begin over a column, which may hold dates. */
void picture_begin(plot_figure *p, FILE *file, const model *m, const char *column, const char *title, const char *x_label,
                   const char *y_label, double x_low, double x_high, double y_low, double y_high);

/* Offsets of n rows of a grid: of a table that has them their mean where they are added to f, else 0. */
double picture_offset(const model *m, const bln_data *table);

/* A sheet, with a title and a line below it. */
enum { PICTURE_HEAD = 58 };
void picture_sheet(FILE *file, int width, int height, const char *title, const char *below);

/* Panels side by side, n of them: how many in a line; the place of number k, with the first one of a line as wide as it takes to
 * have a label. More than PICTURE_PANELS are too many. */
enum { PICTURE_PANELS = 24, PICTURE_PANEL = 300, PICTURE_LOW = 250 };
size_t picture_across(size_t n);
void   picture_place(size_t k, size_t across, plot_desc *d);
int    picture_width(size_t n);
int    picture_height(size_t n);

/* Column i of the model as it is called, and names of its words, cut to what an axis has room for, in memory to free. */
const char **picture_words(const cli_column *c);

#endif /* BAYESLIN_CLI_PICTURES_H */

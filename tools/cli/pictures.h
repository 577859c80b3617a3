#ifndef BAYESLIN_CLI_PICTURES_H
#define BAYESLIN_CLI_PICTURES_H
#include "../plot.h"
#include "frame.h"
#include "model.h"
#include "rows.h"
/* pictures - the pictures of `plot --show`, besides the curve of verb_plot.c and the classes of classes.h. Each function reads the
 * table, asks the model, and writes the file of -o; shared functions follow below. All pictures can be printed in black and
 * white. */

/* Functions drawn from the prior beside those of the posterior, over the number column i, with the rows as points. */
int draws_plot(const options *o, const model *m, size_t i, cli_why *why);

/* The effect of each column, with the others at the values of grid.h, in small multiples. */
int columns_plot(const options *o, const model *m, cli_why *why);

/* Calibration, and residuals over fitted values and each column. */
int residuals_plot(const options *o, const model *m, cli_why *why);

/* Coefficients with their intervals, the largest first. */
int coefficients_plot(const options *o, const model *m, cli_why *why);

/* Evidence over hyper-parameters or, with --x degree, over the degree of a polynomial. m: its columns may be freed. */
int evidence_plot(const options *o, model *m, cli_why *why);

/* ---- shared */

/* The rows of the table that the model can use, with targets if `use` needs them; a note tells of those that are left out. Free
 * with picture_free, also after a failure. */
typedef struct picture_rows { frame f; cli_rows rows; } picture_rows;
int  picture_read(const options *o, const model *m, columns_use use, picture_rows *out, cli_why *why);
void picture_free(picture_rows *p);

/* Removes from a frame the rows without trials, which have no share of successes; or those with a filled cell in the first n
 * columns, whose position is unknown. A note tells how many. Fails if no row is left. */
int picture_leave_no_trials(const model *m, frame *f, cli_why *why);
int picture_leave_filled(const model *m, frame *f, size_t n, cli_why *why);

/* The number of a column in row i; NAN if the cell was filled. */
double picture_number(const model *m, const picture_rows *p, size_t column, size_t i);

/* Is the offset subtracted from the target? Else it is added to f. */
int picture_takes_off(const model *m);

/* The label of the target's axis: "y", "y - offset", "y / trials", "y = yes". */
void picture_target(const model *m, size_t target, char *out, size_t size);

/* The name of the curve: "mean", or "0.9 quantile". */
void picture_middle(const model *m, char *out, size_t size);

/* "the offset at its mean", where that is added to f; else "". */
const char *picture_at_offset(const model *m);

/* Ticks of the axis of a column of dates, from low to high over `pixels`: days, months or years. NULL: the column has no dates, or
 * the axis is too short for two ticks. */
const plot_ticks *picture_dates(const model *m, const char *column, double low, double high, double pixels, plot_ticks *out);

/* plot_begin over a column, which may hold dates. */
void picture_begin(plot_figure *p, FILE *file, const model *m, const char *column, const char *title, const char *x_label,
                   const char *y_label, double x_low, double x_high, double y_low, double y_high);

/* The offset of rows of a grid: the mean offset of the table, if it has offsets and they are added to f; else 0. */
double picture_offset(const model *m, const bln_data *table);

/* Begins a picture of several panels, with a title and a line of text below it. */
enum { PICTURE_HEAD = 58 };
void picture_sheet(FILE *file, int width, int height, const char *title, const char *below);

/* n panels: how many there are in a line; the place of panel k, of which the first in a line is wider, to have room for a label;
 * width and height of the whole. At most PICTURE_PANELS are drawn. */
enum { PICTURE_PANELS = 24, PICTURE_PANEL = 300, PICTURE_LOW = 250 };
size_t picture_across(size_t n);
void   picture_place(size_t k, size_t across, plot_desc *d);
int    picture_width(size_t n);
int    picture_height(size_t n);

/* The names of a column's words, cut to what fits on an axis, in memory that the caller frees. */
const char **picture_words(const cli_column *c);

#endif /* BAYESLIN_CLI_PICTURES_H */

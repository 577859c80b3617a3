/* plot.h - a small SVG writer: axes with round ticks, bands, lines, points, intervals, a legend; no dependency
 *
 *     plot_figure p;
 *     plot_begin(&p, file, "Title", "x label", "y label", x_low, x_high, y_low, y_high);
 *     plot_band  (&p, n, x, lower, upper, "#cfe0f3", "95 % of new observations");
 *     plot_line  (&p, n, x, y, "#1f4e8c", "mean");
 *     plot_points(&p, n, x, y, "#222222", "data");
 *     plot_end(&p);
 *
 * Several figures on one sheet: plot_sheet, then plot_panel (or plot_panel_of, which has names and powers of ten on its axes, and
 * other margins) ... plot_panel_end for each, then plot_sheet_end. plot_style tells lines and points apart without colour too.
 *
 * What is drawn later lies on top. Names may be UTF-8; NULL or "" gives no entry in the legend. Points whose coordinates are not
 * finite are left out. Curves are clipped to the axes. The group of a figure has its x_low x_high y_low y_high as data-axes, so
 * that a program can read numbers off it; the clipping rectangle is the axes. The file is the caller's: check ferror and close it.
 * The same input gives the same bytes. */
#ifndef BAYESLIN_PLOT_H
#define BAYESLIN_PLOT_H

#include "utf8.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pixels between ticks, about. */
#define PLOT_X_TICKS 82.75
#define PLOT_Y_TICKS 52.0
enum { PLOT_WIDTH = 760, PLOT_HEIGHT = 500, PLOT_LEFT = 78, PLOT_RIGHT = 20, PLOT_TOP = 78, PLOT_BOTTOM = 58, PLOT_ENTRIES = 12 };

typedef enum plot_mark { PLOT_MARK_BAND, PLOT_MARK_LINE, PLOT_MARK_POINT } plot_mark;
typedef enum plot_shape { PLOT_CIRCLE, PLOT_SQUARE, PLOT_TRIANGLE, PLOT_DIAMOND, PLOT_CROSS, PLOT_DOWN, PLOT_SHAPES } plot_shape;
typedef struct plot_entry { plot_mark mark; plot_shape shape; const char *dash; char color[24], name[100]; } plot_entry;

/* Ticks at places of the caller's choice, with their texts, as for dates. */
enum { PLOT_TICKS = 16 };
typedef struct plot_ticks { size_t n; double at[PLOT_TICKS]; char text[PLOT_TICKS][16]; } plot_ticks;

/* A panel. Names stand at 0, 1, 2, ... of an axis, in place of numbers. */
typedef struct plot_desc {
    int         id, x, y, width, height;          /* id: different for each of a sheet; x, y: the upper left corner; in pixels */
    int         left, top, bottom;                /* around the axes                      (0: PLOT_LEFT, PLOT_TOP, PLOT_BOTTOM) */
    const char *title, *x_label, *y_label;        /*                                      (NULL: none) */
    double      x_low, x_high, y_low, y_high;     /* data at the edges of the axes */
    int         x_log;                            /* x is the log10 of what its ticks say */
    size_t      n_x_names, n_y_names;             /*                                      (0: numbers) */
    const char *const *x_names, *const *y_names;
    const plot_ticks *x_ticks;                    /*                                      (NULL: numbers) */
} plot_desc;

typedef struct plot_figure {
    FILE      *file;
    int        id, width, height, left, top, bottom; /* id, pixels and margins of the panel, as in the desc */
    double     stroke;                            /* width of lines, 2 by default */
    const char *dash;                             /* of lines, as in stroke-dasharray; "": solid */
    plot_shape shape;                             /* of points */
    double     size;                              /* of points, 1 by default */
    double     x_low, x_high, y_low, y_high;      /* data at the edges of the axes */
    plot_entry entry[PLOT_ENTRIES];
    size_t     n_entries;
} plot_figure;

/* Writes a text, escaped for XML. Control characters become blanks; bytes that are no UTF-8 become U+FFFD. */
static inline void plot_text(FILE *f, const char *text)
{
    for (size_t n; *text; text += n ? n : 1) {
        n = utf8_character(text);
        if (n != 1) {
            if (n) fwrite(text, 1, n, f);
            else if (text[1]) fputs("\xEF\xBF\xBD", f);             /* but not for a character cut off at the end */
        }
        else if (*text == '&') fputs("&amp;", f);
        else if (*text == '<') fputs("&lt;", f);
        else if (*text == '>') fputs("&gt;", f);
        else if (*text == '"') fputs("&quot;", f);
        else fputc((unsigned char)*text < 32 ? ' ' : *text, f);
    }
}

/* The approximate width of a text in the figure's font; it counts characters, not bytes. */
static inline double plot_text_width(const char *text, double size)
{
    size_t n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0u) != 0x80u;
    return 0.55*size*(double)n;
}

/* The font size at which a text fits into so many pixels: at most `size`, and never too small to be read. */
static inline double plot_text_fit(const char *text, double size, double pixels)
{
    const double width = plot_text_width(text, size), fit = width > pixels ? size*pixels/width : size;
    return fit < 8.0 ? 8.0 : fit;
}

static inline void plot_text_at(FILE *f, double x, double y, double size, double pixels, const char *anchor, const char *text)
{
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.3g\" text-anchor=\"%s\">", x, y, plot_text_fit(text, size, pixels),
            anchor);
    plot_text(f, text);
    fputs("</text>\n", f);
}

/* The pixel of a data coordinate. Points far outside of the axes are moved closer, still outside, so that no renderer overflows. */
static inline double plot_near(double t) { return t < -10.0 ? -10.0 : t > 11.0 ? 11.0 : t; }
static inline double plot_px(const plot_figure *p, double x)
{
    return (double)p->left + (p->width - p->left - PLOT_RIGHT)*plot_near((x - p->x_low)/(p->x_high - p->x_low));
}
static inline double plot_py(const plot_figure *p, double y)
{
    return p->height - p->bottom - (p->height - p->top - p->bottom)*plot_near((y - p->y_low)/(p->y_high - p->y_low));
}

/* The step of 1, 2 or 5 times a power of ten that gives about `wanted` ticks. */
static inline double plot_step(double low, double high, double wanted)
{
    const double raw = (high - low)/wanted, power = pow(10.0, floor(log10(raw))), part = raw/power;
    return power*(part < 1.5 ? 1.0 : part < 3.0 ? 2.0 : part < 7.0 ? 5.0 : 10.0);
}

/* A tick's number, with as many decimals as its step needs and no "-0". */
static inline void plot_number(char *out, size_t size, double value, double step)
{
    const double magnitude = floor(log10(step) + 1e-9);
    if (fabs(value) < 0.5*step) value = 0.0;
    if (magnitude > 4.0 || magnitude < -5.0) snprintf(out, size, "%.6g", value);
    else snprintf(out, size, "%.*f", magnitude < 0.0 ? (int)-magnitude : 0, value);
}

/* A grid line, and a tick with its text below the axes. slant: the text is written at a slant, as long ones need. */
static inline void plot_x_tick(const plot_figure *p, double at, const char *text, int slant)
{
    const double x = plot_px(p, at), floor_y = p->height - p->bottom;
    fprintf(p->file, "<path d=\"M%.2f %d V%.2f\" stroke=\"#e4e4e4\"/><path d=\"M%.2f %.2f v5\" stroke=\"#444\"/>", x, p->top,
            floor_y, x, floor_y);
    if (slant)
        fprintf(p->file, "<text transform=\"translate(%.2f %.2f) rotate(-35)\" text-anchor=\"end\">", x + 4.0, floor_y + 16.0);
    else fprintf(p->file, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">", x, floor_y + 19.0);
    plot_text(p->file, text);
    fputs("</text>\n", p->file);
}

static inline void plot_y_tick(const plot_figure *p, double at, const char *text)
{
    const double y = plot_py(p, at);
    fprintf(p->file, "<path d=\"M%d %.2f H%d\" stroke=\"#e4e4e4\"/><path d=\"M%d %.2f h-5\" stroke=\"#444\"/>"
            "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">", p->left, y, p->width - PLOT_RIGHT, p->left, y, p->left - 9, y + 4.5);
    plot_text(p->file, text);
    fputs("</text>\n", p->file);
}

static inline void plot_x_axis(const plot_figure *p)
{
    const double step = plot_step(p->x_low, p->x_high, (p->width - p->left - PLOT_RIGHT)/PLOT_X_TICKS);
    const double last = floor(p->x_high/step + 1e-9);
    char number[40];
    for (double k = ceil(p->x_low/step - 1e-9); k <= last; k += 1.0) {
        plot_number(number, sizeof number, k*step, step);
        plot_x_tick(p, k*step, number, 0);
    }
}

/* Ticks of a logarithmic axis: powers of ten, and 2 and 5 times these where there is room; below a decade as on a linear axis. */
static inline void plot_log_axis(const plot_figure *p)
{
    const double first = pow(10.0, p->x_low), end = pow(10.0, p->x_high);
    const double step = plot_step(first, end, (p->width - p->left - PLOT_RIGHT)/PLOT_X_TICKS);
    static const double part[3] = { 1.0, 2.0, 5.0 };
    const double decades = p->x_high - p->x_low, pixels = (p->width - p->left - PLOT_RIGHT)/decades;
    const int parts = pixels > 110.0 ? 3 : 1;
    const double every = pixels > 45.0 ? 1.0 : ceil(45.0/pixels);
    char number[40];
    for (double at = step*ceil(first/step); decades < 1.0 && at <= end; at += step) {
        plot_number(number, sizeof number, at, step);
        plot_x_tick(p, log10(at), number, 0);
    }
    for (double k = every*floor(p->x_low/every); decades >= 1.0 && k <= p->x_high; k += every)
        for (int i = 0; i < parts; i++) {
            const double at = k + log10(part[i]);
            if (at < p->x_low || at > p->x_high) continue;
            snprintf(number, sizeof number, "%.4g", part[i]*pow(10.0, k));
            plot_x_tick(p, at, number, 0);
        }
}

static inline void plot_y_axis(const plot_figure *p)
{
    const double step = plot_step(p->y_low, p->y_high, (p->height - p->top - p->bottom)/PLOT_Y_TICKS);
    const double last = floor(p->y_high/step + 1e-9);
    char number[40];
    for (double k = ceil(p->y_low/step - 1e-9); k <= last; k += 1.0) {
        plot_number(number, sizeof number, k*step, step);
        plot_y_tick(p, k*step, number);
    }
}

/* Names in place of numbers, at a slant where they are too long to stand side by side. */
static inline void plot_x_names(const plot_figure *p, size_t n, const char *const *names)
{
    const double room = (p->width - p->left - PLOT_RIGHT)/(p->x_high - p->x_low);
    int slant = 0;
    for (size_t i = 0; i < n; i++) slant = slant || plot_text_width(names[i], 14.0) > room - 4.0;
    for (size_t i = 0; i < n; i++) plot_x_tick(p, (double)i, names[i], slant);
}

/* A range that is empty, reversed or not finite becomes one around its low end; one too narrow for doubles is widened. */
static inline void plot_mend(double *low, double *high)
{
    if (!(fabs(*low) <= 1e300)) *low = 0.0;
    if (!(fabs(*high) <= 1e300)) *high = *low + 1.0;
    const double least = 1e-9*(fabs(*low) > fabs(*high) ? fabs(*low) : fabs(*high));
    if (*high - *low > least) return;
    const double half = *low != 0.0 ? 0.5*fabs(*low) : 0.5;
    *high = *low + half;
    *low -= half;
}

/* A white sheet for panels, and its end. */
static inline void plot_sheet(FILE *file, int width, int height)
{
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#222\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, height, width, height, width, height);
}
static inline void plot_sheet_end(FILE *file) { fputs("</svg>\n", file); }

static inline void plot_panel_of(plot_figure *p, FILE *file, const plot_desc *d)
{
    memset(p, 0, sizeof *p);
    p->file = file;
    p->id = d->id;
    p->width = d->width;
    p->height = d->height;
    p->left = d->left ? d->left : PLOT_LEFT;
    p->top = d->top ? d->top : PLOT_TOP;
    p->bottom = d->bottom ? d->bottom : PLOT_BOTTOM;
    p->stroke = 2.0;
    p->size = 1.0;
    p->dash = "";
    p->x_low = d->x_low;
    p->x_high = d->x_high;
    p->y_low = d->y_low;
    p->y_high = d->y_high;
    plot_mend(&p->x_low, &p->x_high);
    plot_mend(&p->y_low, &p->y_high);
    const double wide = p->width - p->left - PLOT_RIGHT, high = p->height - p->top - p->bottom, middle = p->left + 0.5*wide;
    fprintf(file, "<g transform=\"translate(%d %d)\" data-axes=\"%.10g %.10g %.10g %.10g\">\n", d->x, d->y, p->x_low, p->x_high,
            p->y_low, p->y_high);
    fprintf(file, "<clipPath id=\"axes%d\"><rect x=\"%d\" y=\"%d\" width=\"%g\" height=\"%g\"/>"
            "</clipPath>\n", d->id, p->left, p->top, wide, high);
    if (d->title) plot_text_at(file, middle, 27.0, p->width < PLOT_WIDTH ? 14.0 : 17.0, p->width - 16.0, "middle", d->title);
    if (d->x_label) plot_text_at(file, middle, p->height - 14.0, 13.0, wide, "middle", d->x_label);
    if (d->y_label) {
        fprintf(file, "<text transform=\"translate(20 %.1f) rotate(-90)\" font-size=\"%.3g\" text-anchor=\"middle\">",
                p->top + 0.5*high, plot_text_fit(d->y_label, 13.0, p->height - 20.0));
        plot_text(file, d->y_label);
        fputs("</text>\n", file);
    }
    if (d->x_ticks)
        for (size_t k = 0; k < d->x_ticks->n; k++) plot_x_tick(p, d->x_ticks->at[k], d->x_ticks->text[k], 0);
    else if (d->n_x_names) plot_x_names(p, d->n_x_names, d->x_names);
    else if (d->x_log) plot_log_axis(p);
    else plot_x_axis(p);
    for (size_t i = 0; i < d->n_y_names; i++) plot_y_tick(p, (double)i, d->y_names[i]);
    if (!d->n_y_names) plot_y_axis(p);
}

/* A panel of width x height pixels, whose upper left corner is at (left, upper) of the sheet. id: different for each panel. */
static inline void plot_panel(plot_figure *p, FILE *file, int id, int left, int upper, int width, int height, int top,
                              const char *title, const char *x_label, const char *y_label, double x_low, double x_high,
                              double y_low, double y_high)
{
    plot_desc d;
    memset(&d, 0, sizeof d);
    d.id = id;
    d.x = left;
    d.y = upper;
    d.width = width;
    d.height = height;
    d.top = top;
    d.title = title;
    d.x_label = x_label;
    d.y_label = y_label;
    d.x_low = x_low;
    d.x_high = x_high;
    d.y_low = y_low;
    d.y_high = y_high;
    plot_panel_of(p, file, &d);
}

static inline void plot_begin(plot_figure *p, FILE *file, const char *title, const char *x_label, const char *y_label,
                              double x_low, double x_high, double y_low, double y_high)
{
    plot_sheet(file, PLOT_WIDTH, PLOT_HEIGHT);
    plot_panel(p, file, 0, 0, 0, PLOT_WIDTH, PLOT_HEIGHT, PLOT_TOP, title, x_label, y_label, x_low, x_high, y_low, y_high);
}

/* From now on lines and points are drawn in style k: with its dashes and shape; the caller takes the colour that is returned, dark
 * enough for print. There are six styles. */
static inline const char *plot_style(plot_figure *p, size_t k)
{
    static const char *const dash[6] = { "", "8 4", "2 3", "10 3 2 3", "14 4", "5 2 1 2 1 2" };
    static const char *const color[6] = { "#123f7a", "#b3400f", "#14694a", "#7b3294", "#4d4d4d", "#8a6500" };
    p->dash = dash[k % 6];
    p->shape = (plot_shape)(k % PLOT_SHAPES);
    return color[k % 6];
}

static inline void plot_name(plot_figure *p, plot_mark mark, const char *color, const char *name)
{
    if (!name || !*name || p->n_entries == PLOT_ENTRIES) return;
    plot_entry *e = &p->entry[p->n_entries++];
    e->mark = mark;
    e->shape = p->shape;
    e->dash = p->dash;
    snprintf(e->color, sizeof e->color, "%s", color);
    snprintf(e->name, sizeof e->name, "%s", name);
}

/* The area between two curves over increasing x; all must be finite. */
static inline void plot_band(plot_figure *p, size_t n, const double *x, const double *lower, const double *upper, const char *color,
                             const char *name)
{
    if (n == 0) return;
    fprintf(p->file, "<path clip-path=\"url(#axes%d)\" fill=\"%s\" d=\"", p->id, color);
    for (size_t i = 0; i < n; i++) fprintf(p->file, "%c%.2f %.2f", i ? 'L' : 'M', plot_px(p, x[i]), plot_py(p, upper[i]));
    for (size_t i = n; i-- > 0;) fprintf(p->file, "L%.2f %.2f", plot_px(p, x[i]), plot_py(p, lower[i]));
    fputs("Z\"/>\n", p->file);
    plot_name(p, PLOT_MARK_BAND, color, name);
}

/* A filled rectangle, drawn half a pixel larger, so that neighbours leave no seam between them. color: 0xRRGGBB. */
static inline void plot_box(const plot_figure *p, double x_low, double x_high, double y_low, double y_high, unsigned color)
{
    const double x = plot_px(p, x_low), y = plot_py(p, y_high);
    fprintf(p->file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n", x, y,
            plot_px(p, x_high) - x + 0.5, plot_py(p, y_low) - y + 0.5, color);
}

static inline void plot_line(plot_figure *p, size_t n, const double *x, const double *y, const char *color, const char *name)
{
    if (n == 0) return;
    fprintf(p->file, "<path clip-path=\"url(#axes%d)\" fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" stroke-linejoin=\"round\" ",
            p->id, color, p->stroke);
    if (*p->dash) fprintf(p->file, "stroke-dasharray=\"%s\" ", p->dash);
    fputs("d=\"", p->file);
    for (size_t i = 0; i < n; i++) fprintf(p->file, "%c%.2f %.2f", i ? 'L' : 'M', plot_px(p, x[i]), plot_py(p, y[i]));
    fputs("\"/>\n", p->file);
    plot_name(p, PLOT_MARK_LINE, color, name);
}

/* A point at pixels (x, y), filled with the colour of the enclosing group. s: its size, 1 by default. */
static inline void plot_point(FILE *f, plot_shape shape, double s, double x, double y)
{
    if (shape == PLOT_SQUARE)
        fprintf(f, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%g\" height=\"%g\"/>\n", x - 2.5*s, y - 2.5*s, 5.0*s, 5.0*s);
    else if (shape == PLOT_TRIANGLE)
        fprintf(f, "<path d=\"M%.2f %.2f l%g %g h%gz\"/>\n", x, y - 3.8*s, 3.4*s, 6.0*s, -6.8*s);
    else if (shape == PLOT_DIAMOND)
        fprintf(f, "<path d=\"M%.2f %.2f l%g %g %g %g %g %gz\"/>\n", x, y - 3.7*s, 3.5*s, 3.7*s, -3.5*s, 3.7*s, -3.5*s, -3.7*s);
    else if (shape == PLOT_CROSS)
        fprintf(f, "<path transform=\"translate(%.2f %.2f) scale(%g)\" d=\"M0 -1l2.5 -2.5 1 1 -2.5 2.5 2.5 2.5 -1 1 -2.5 -2.5 "
                "-2.5 2.5 -1 -1 2.5 -2.5 -2.5 -2.5 1 -1z\"/>\n", x, y, s);
    else if (shape == PLOT_DOWN)
        fprintf(f, "<path d=\"M%.2f %.2f l%g %g h%gz\"/>\n", x, y + 3.8*s, 3.4*s, -6.0*s, -6.8*s);
    else fprintf(f, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%g\"/>\n", x, y, 2.6*s);
}

static inline void plot_points(plot_figure *p, size_t n, const double *x, const double *y, const char *color, const char *name)
{
    fprintf(p->file, "<g clip-path=\"url(#axes%d)\" fill=\"%s\" fill-opacity=\"0.75\">\n", p->id, color);
    for (size_t i = 0; i < n; i++)
        if (x[i] - x[i] == 0.0 && y[i] - y[i] == 0.0) plot_point(p->file, p->shape, p->size, plot_px(p, x[i]), plot_py(p, y[i]));
    fputs("</g>\n", p->file);
    plot_name(p, PLOT_MARK_POINT, color, name);
}

/* Small strokes on the lower edge, which show where the data are. */
static inline void plot_rug(const plot_figure *p, size_t n, const double *x, const char *color)
{
    if (n == 0) return;
    fprintf(p->file, "<path clip-path=\"url(#axes%d)\" stroke=\"%s\" stroke-width=\"0.6\" d=\"", p->id, color);
    for (size_t i = 0; i < n; i++) fprintf(p->file, "M%.1f %dv-7", plot_px(p, x[i]), p->height - p->bottom);
    fputs("\"/>\n", p->file);
}

/* A straight line between two points, which has no entry in the legend. */
static inline void plot_stroke(plot_figure *p, double x1, double y1, double x2, double y2, const char *color)
{
    const double x[2] = { x1, x2 }, y[2] = { y1, y2 };
    plot_line(p, 2, x, y, color, "");
}

/* The legend: entries side by side under the title, where they hide nothing; on a second line if the first is full. */
static inline void plot_legend(const plot_figure *p)
{
    const double size = 12.5, mark = 30.0, gap = 20.0, right = p->width - PLOT_RIGHT;
    double x = p->left, y = 46.0;
    for (size_t i = 0; i < p->n_entries; i++) {
        const plot_entry *e = &p->entry[i];
        const double width = mark + plot_text_width(e->name, size);
        if (x > (double)p->left && x + width > right) { x = p->left; y += 19.0; }
        if (e->mark == PLOT_MARK_BAND)
            fprintf(p->file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"11\" fill=\"%s\"/>", x, y - 5.5, e->color);
        if (e->mark == PLOT_MARK_LINE)
            fprintf(p->file, "<path d=\"M%.1f %.1f h24\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>", x, y,
                    e->color, *e->dash ? e->dash : "none");
        if (e->mark == PLOT_MARK_POINT) {
            fprintf(p->file, "<g fill=\"%s\">", e->color);
            plot_point(p->file, e->shape, 1.0, x + 11.0, y);
            fputs("</g>", p->file);
        }
        fprintf(p->file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">", x + mark - 2.0, y + 4.3, size);
        plot_text(p->file, e->name);
        fputs("</text>\n", p->file);
        x += width + gap;
    }
}

/* The frame and the legend; and the end of the file. */
static inline void plot_panel_end(plot_figure *p)
{
    fprintf(p->file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444\"/>\n", p->left, p->top,
            p->width - p->left - PLOT_RIGHT, p->height - p->top - p->bottom);
    plot_legend(p);
    fputs("</g>\n", p->file);
}
static inline void plot_end(plot_figure *p)
{
    plot_panel_end(p);
    plot_sheet_end(p->file);
}

#endif /* BAYESLIN_PLOT_H */

/* plot.h - a small SVG writer: axes with round ticks, bands, lines, points, a legend; no dependency
 *
 *     plot_figure p;
 *     plot_begin(&p, file, "Title", "x label", "y label", x_low, x_high, y_low, y_high);
 *     plot_band  (&p, n, x, lower, upper, "#cfe0f3", "95 % of new observations");
 *     plot_line  (&p, n, x, y, "#1f4e8c", "mean");
 *     plot_points(&p, n, x, y, "#222222", "data");
 *     plot_end(&p);
 *
 * Several figures on one sheet: plot_sheet, then plot_panel ... plot_panel_end for each, then plot_sheet_end.
 *
 * What is drawn later lies on top. Names may be UTF-8; NULL or "" gives no entry in the legend. Points whose coordinates are not
 * finite are left out. Curves are clipped to the axes. The file is the caller's: check ferror and close it. The same input gives
 * the same bytes. */
#ifndef BAYESLIN_PLOT_H
#define BAYESLIN_PLOT_H

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pixels between ticks, about. */
#define PLOT_X_TICKS 82.75
#define PLOT_Y_TICKS 52.0
enum { PLOT_WIDTH = 760, PLOT_HEIGHT = 500, PLOT_LEFT = 78, PLOT_RIGHT = 20, PLOT_TOP = 78, PLOT_BOTTOM = 58, PLOT_ENTRIES = 12 };

typedef enum plot_mark { PLOT_MARK_BAND, PLOT_MARK_LINE, PLOT_MARK_POINT } plot_mark;
typedef struct plot_entry { plot_mark mark; char color[24], name[100]; } plot_entry;

typedef struct plot_figure {
    FILE      *file;
    int        id, width, height, top;            /* of the sheet's panels; pixels; above the axes */
    double     stroke;                            /* width of lines, 2 */
    double     x_low, x_high, y_low, y_high;      /* data at the edges of the axes */
    plot_entry entry[PLOT_ENTRIES];
    size_t     n_entries;
} plot_figure;

/* Text with what XML needs escaped; control characters become blanks. */
static inline void plot_text(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '&') fputs("&amp;", f);
        else if (*text == '<') fputs("&lt;", f);
        else if (*text == '>') fputs("&gt;", f);
        else if (*text == '"') fputs("&quot;", f);
        else fputc((unsigned char)*text < 32 ? ' ' : *text, f);
    }
}

/* Width of a text in the figure's font, about: characters of UTF-8, not bytes. */
static inline double plot_text_width(const char *text, double size)
{
    size_t n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0u) != 0x80u;
    return 0.55*size*(double)n;
}

/* Pixels of a data coordinate. Far outside points are moved to just far outside, so that no renderer overflows. */
static inline double plot_near(double t) { return t < -10.0 ? -10.0 : t > 11.0 ? 11.0 : t; }
static inline double plot_px(const plot_figure *p, double x)
{
    return (double)PLOT_LEFT + (p->width - PLOT_LEFT - PLOT_RIGHT)*plot_near((x - p->x_low)/(p->x_high - p->x_low));
}
static inline double plot_py(const plot_figure *p, double y)
{
    return p->height - PLOT_BOTTOM - (p->height - p->top - PLOT_BOTTOM)*plot_near((y - p->y_low)/(p->y_high - p->y_low));
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

static inline void plot_x_axis(const plot_figure *p)
{
    const double step = plot_step(p->x_low, p->x_high, (p->width - PLOT_LEFT - PLOT_RIGHT)/PLOT_X_TICKS);
    const double floor_y = p->height - PLOT_BOTTOM, last = floor(p->x_high/step + 1e-9);
    char number[40];
    for (double k = ceil(p->x_low/step - 1e-9); k <= last; k += 1.0) {
        const double x = plot_px(p, k*step);
        plot_number(number, sizeof number, k*step, step);
        fprintf(p->file, "<path d=\"M%.2f %d V%.2f\" stroke=\"#e4e4e4\"/><path d=\"M%.2f %.2f v5\" stroke=\"#444\"/>"
                "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%s</text>\n",
                x, p->top, floor_y, x, floor_y, x, floor_y + 19.0, number);
    }
}

static inline void plot_y_axis(const plot_figure *p)
{
    const double step = plot_step(p->y_low, p->y_high, (p->height - p->top - PLOT_BOTTOM)/PLOT_Y_TICKS);
    const double last = floor(p->y_high/step + 1e-9);
    char number[40];
    for (double k = ceil(p->y_low/step - 1e-9); k <= last; k += 1.0) {
        const double y = plot_py(p, k*step);
        plot_number(number, sizeof number, k*step, step);
        fprintf(p->file, "<path d=\"M%d %.2f H%d\" stroke=\"#e4e4e4\"/><path d=\"M%d %.2f h-5\" stroke=\"#444\"/>"
                "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%s</text>\n", PLOT_LEFT, y, p->width - PLOT_RIGHT, PLOT_LEFT, y,
                PLOT_LEFT - 9, y + 4.5, number);
    }
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

/* A figure of width x height pixels whose upper left corner is at (left, upper) of the sheet; id: another for each. */
static inline void plot_panel(plot_figure *p, FILE *file, int id, int left, int upper, int width, int height, int top,
                              const char *title, const char *x_label, const char *y_label, double x_low, double x_high,
                              double y_low, double y_high)
{
    const double middle_x = 0.5*(PLOT_LEFT + width - PLOT_RIGHT), middle_y = 0.5*(top + height - PLOT_BOTTOM);
    memset(p, 0, sizeof *p);
    plot_mend(&x_low, &x_high);
    plot_mend(&y_low, &y_high);
    p->file = file;
    p->id = id;
    p->width = width;
    p->height = height;
    p->top = top;
    p->stroke = 2.0;
    p->x_low = x_low;
    p->x_high = x_high;
    p->y_low = y_low;
    p->y_high = y_high;
    fprintf(file, "<g transform=\"translate(%d %d)\">\n<clipPath id=\"axes%d\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
            "</clipPath>\n", left, upper, id, PLOT_LEFT, top, width - PLOT_LEFT - PLOT_RIGHT, height - top - PLOT_BOTTOM);
    fprintf(file, "<text x=\"%.1f\" y=\"27\" font-size=\"%d\" text-anchor=\"middle\">", middle_x, width < PLOT_WIDTH ? 14 : 17);
    plot_text(file, title);
    fprintf(file, "</text>\n<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", middle_x, height - 14);
    plot_text(file, x_label);
    fprintf(file, "</text>\n<text transform=\"translate(20 %.1f) rotate(-90)\" text-anchor=\"middle\">", middle_y);
    plot_text(file, y_label);
    fputs("</text>\n", file);
    plot_x_axis(p);
    plot_y_axis(p);
}

static inline void plot_begin(plot_figure *p, FILE *file, const char *title, const char *x_label, const char *y_label,
                              double x_low, double x_high, double y_low, double y_high)
{
    plot_sheet(file, PLOT_WIDTH, PLOT_HEIGHT);
    plot_panel(p, file, 0, 0, 0, PLOT_WIDTH, PLOT_HEIGHT, PLOT_TOP, title, x_label, y_label, x_low, x_high, y_low, y_high);
}

static inline void plot_name(plot_figure *p, plot_mark mark, const char *color, const char *name)
{
    if (!name || !*name || p->n_entries == PLOT_ENTRIES) return;
    plot_entry *e = &p->entry[p->n_entries++];
    e->mark = mark;
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

/* A filled rectangle, half a pixel larger than it is, so that those side by side leave no seam; color: 0xRRGGBB. */
static inline void plot_box(const plot_figure *p, double x_low, double x_high, double y_low, double y_high, unsigned color)
{
    const double x = plot_px(p, x_low), y = plot_py(p, y_high);
    fprintf(p->file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n", x, y,
            plot_px(p, x_high) - x + 0.5, plot_py(p, y_low) - y + 0.5, color);
}

static inline void plot_line(plot_figure *p, size_t n, const double *x, const double *y, const char *color, const char *name)
{
    if (n == 0) return;
    fprintf(p->file, "<path clip-path=\"url(#axes%d)\" fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" stroke-linejoin=\"round\" "
            "d=\"", p->id, color, p->stroke);
    for (size_t i = 0; i < n; i++) fprintf(p->file, "%c%.2f %.2f", i ? 'L' : 'M', plot_px(p, x[i]), plot_py(p, y[i]));
    fputs("\"/>\n", p->file);
    plot_name(p, PLOT_MARK_LINE, color, name);
}

static inline void plot_points(plot_figure *p, size_t n, const double *x, const double *y, const char *color, const char *name)
{
    fprintf(p->file, "<g clip-path=\"url(#axes%d)\" fill=\"%s\" fill-opacity=\"0.75\">\n", p->id, color);
    for (size_t i = 0; i < n; i++)
        if (x[i] - x[i] == 0.0 && y[i] - y[i] == 0.0)
            fprintf(p->file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.6\"/>\n", plot_px(p, x[i]), plot_py(p, y[i]));
    fputs("</g>\n", p->file);
    plot_name(p, PLOT_MARK_POINT, color, name);
}

/* The legend: entries side by side under the title, where they hide nothing; on a second line if the first is full. */
static inline void plot_legend(const plot_figure *p)
{
    const double size = 12.5, mark = 30.0, gap = 20.0, right = p->width - PLOT_RIGHT;
    double x = PLOT_LEFT, y = 46.0;
    for (size_t i = 0; i < p->n_entries; i++) {
        const plot_entry *e = &p->entry[i];
        const double width = mark + plot_text_width(e->name, size);
        if (x > (double)PLOT_LEFT && x + width > right) { x = PLOT_LEFT; y += 19.0; }
        if (e->mark == PLOT_MARK_BAND)
            fprintf(p->file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"11\" fill=\"%s\"/>", x, y - 5.5, e->color);
        if (e->mark == PLOT_MARK_LINE)
            fprintf(p->file, "<path d=\"M%.1f %.1f h22\" stroke=\"%s\" stroke-width=\"2\"/>", x, y, e->color);
        if (e->mark == PLOT_MARK_POINT)
            fprintf(p->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>", x + 11.0, y, e->color);
        fprintf(p->file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">", x + mark - 2.0, y + 4.3, size);
        plot_text(p->file, e->name);
        fputs("</text>\n", p->file);
        x += width + gap;
    }
}

/* The frame and the legend; and the end of the file. */
static inline void plot_panel_end(plot_figure *p)
{
    fprintf(p->file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444\"/>\n", PLOT_LEFT, p->top,
            p->width - PLOT_LEFT - PLOT_RIGHT, p->height - p->top - PLOT_BOTTOM);
    plot_legend(p);
    fputs("</g>\n", p->file);
}
static inline void plot_end(plot_figure *p)
{
    plot_panel_end(p);
    plot_sheet_end(p->file);
}

#endif /* BAYESLIN_PLOT_H */

/* classes_plot: probabilities of classes over one input, or their regions over two
 *
 * The other inputs are as grid.h has them. A cell of the regions has the colours of the classes, mixed by their probabilities
 * there, with lines where another class becomes the most probable; a row of the table is a point in the colour and the shape of its
 * class, or, over one input, below the curves. */
#include "classes.h"
#include "glm.h"
#include "grid.h"
#include "output.h"
#include "pictures.h"
#include <stdlib.h>
#include <string.h>

enum { CURVE = 400, CELLS_X = 120, CELLS_Y = 90, COLORS = 16, SHADES = 24 };

/* Eight colours that nearly everybody can tell apart [Okabe & Ito 2008]; more classes take darker ones of the same. */
static const unsigned char classes_colors[COLORS][3] = {
    { 0, 114, 178 }, { 230, 159, 0 }, { 0, 158, 115 }, { 204, 121, 167 }, { 86, 180, 233 }, { 213, 94, 0 }, { 240, 228, 66 },
    { 130, 130, 130 }, { 0, 60, 100 }, { 140, 90, 0 }, { 0, 90, 60 }, { 120, 50, 90 }, { 30, 90, 140 }, { 120, 40, 0 },
    { 140, 130, 0 }, { 40, 40, 40 }
};

static void classes_color(size_t k, char *out)
{
    const unsigned char *c = classes_colors[k % COLORS];
    sprintf(out, "#%02x%02x%02x", c[0]/2u, c[1]/2u, c[2]/2u);           /* darker than its region */
}

/* The columns of the table that are drawn, x, y and target; the rows' places and classes. */
typedef struct classes_rows { size_t n; double *x, *y, *of; double low[2], high[2]; } classes_rows;

static int classes_read(const model *m, const cli_column *x, const cli_column *y, const frame *f, classes_rows *r, cli_why *why)
{
    int status = CLI_GOOD;
    r->n = f->n;
    r->x = (double *)cli_memory(f->n, 3*sizeof *r->x);
    r->y = r->x + f->n;
    r->of = r->y + f->n;
    for (size_t i = 0; i < f->n && !status; i++) {
        status = columns_number(&f->table, f->rows[i], f->at[0], x->name, &r->x[i], why);
        if (!status && y) status = columns_number(&f->table, f->rows[i], f->at[1], y->name, &r->y[i], why);
        if (!status) status = columns_target(&m->cols, &f->table, f->rows[i], f->at[2], 0, &r->of[i], why);
    }
    if (status) return status;
    for (int k = 0; k < (y ? 2 : 1); k++) {
        r->low[k] = HUGE_VAL;
        r->high[k] = -HUGE_VAL;
        grid_range(f->n, k ? r->y : r->x, &r->low[k], &r->high[k]);
        grid_pad(0.04, &r->low[k], &r->high[k]);
    }
    if (!y) { r->low[1] = -0.08; r->high[1] = 1.03; }
    return CLI_GOOD;
}

/* Probabilities of all classes on a grid of nx times ny points in the middle of its cells, row by row; y NULL: over x alone, from
 * end to end. */
static int classes_grid(const model *m, const cli_column *x, const cli_column *y, const classes_rows *r, size_t nx, size_t ny,
                        double *p, cli_why *why)
{
    const size_t d = m->cols.d;
    bln_data rows;
    memset(&rows, 0, sizeof rows);
    double *X = (double *)cli_memory(nx*ny, d*sizeof *X);
    for (size_t i = 0; i < nx*ny; i++) {
        const double across = y ? ((double)(i % nx) + 0.5)/(double)nx : (double)i/((double)nx - 1.0);
        grid_typical(m, X + i*d);
        grid_number(m, (size_t)(x - m->cols.column), r->low[0] + across*(r->high[0] - r->low[0]), X + i*d);
        if (y)
            grid_number(m, (size_t)(y - m->cols.column), r->low[1] + ((double)(i/nx) + 0.5)/(double)ny*(r->high[1] - r->low[1]),
                        X + i*d);
    }
    rows.n = nx*ny;
    rows.d = d;
    rows.X = X;
    const int status = glm_class_probabilities(m, &rows, p, why);
    free(X);
    return status;
}

/* The mixed colour of a cell, lightened so that points stand out, and rounded to a few steps. */
static unsigned classes_mixed(size_t K, const double *p)
{
    unsigned rgb = 0;
    for (int c = 0; c < 3; c++) {
        double sum = 0.0;
        for (size_t k = 0; k < K; k++) sum += p[k]*classes_colors[k % COLORS][c];
        const double light = 0.45*sum + 0.55*255.0;
        rgb = rgb << 8 | (unsigned)(255.0/SHADES*floor(light*SHADES/255.0 + 0.5) + 0.5);
    }
    return rgb;
}

/* Neighbouring cells of one colour are drawn as one rectangle. */
static void classes_regions(const plot_figure *figure, size_t K, const classes_rows *r, const double *p)
{
    const double dx = (r->high[0] - r->low[0])/CELLS_X, dy = (r->high[1] - r->low[1])/CELLS_Y;
    fprintf(figure->file, "<g clip-path=\"url(#axes%d)\" shape-rendering=\"crispEdges\">\n", figure->id);
    for (size_t j = 0; j < CELLS_Y; j++)
        for (size_t i = 0, end; i < CELLS_X; i = end) {
            const unsigned color = classes_mixed(K, p + (j*CELLS_X + i)*K);
            for (end = i + 1; end < CELLS_X && classes_mixed(K, p + (j*CELLS_X + end)*K) == color; end++) { }
            plot_box(figure, r->low[0] + (double)i*dx, r->low[0] + (double)end*dx, r->low[1] + (double)j*dy,
                      r->low[1] + (double)(j + 1)*dy, color);
        }
    fputs("</g>\n", figure->file);
}

/* How far class k of K is ahead of all others, and which is the next one. */
static double classes_ahead(size_t K, const double *p, size_t k, size_t *next)
{
    *next = k ? 0 : 1;
    for (size_t l = 0; l < K; l++) if (l != k && p[l] > p[*next]) *next = l;
    return p[k] - p[*next];
}

/* Draws where that lead equals `level`, as lines across the squares between the centres of four cells. Each border is drawn once,
 * for the class that comes first. */
static void classes_border(const plot_figure *figure, size_t K, const classes_rows *r, const double *p, size_t k, double level,
                           const char *dash)
{
    const double dx = (r->high[0] - r->low[0])/CELLS_X, dy = (r->high[1] - r->low[1])/CELLS_Y;
    fprintf(figure->file, "<path clip-path=\"url(#axes%d)\" fill=\"none\" stroke=\"#111\" stroke-width=\"1.4\" %s d=\"",
            figure->id, dash);
    for (size_t j = 0; j + 1 < CELLS_Y; j++)
        for (size_t i = 0; i + 1 < CELLS_X; i++) {
            static const int corner[5][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 } };
            double v[5];
            size_t next = 0, n = 0;
            int later = 0;
            for (int c = 0; c < 5; c++) {
                v[c] = classes_ahead(K, p + ((j + (size_t)corner[c][1])*CELLS_X + i + (size_t)corner[c][0])*K, k, &next) - level;
                later = later || next > k;
            }
            for (int c = 0; c < 4 && later && n < 2; c++) {
                if ((v[c] > 0.0) == (v[c + 1] > 0.0)) continue;
                const double t = v[c]/(v[c] - v[c + 1]);
                const double x = (double)i + 0.5 + corner[c][0] + t*(corner[c + 1][0] - corner[c][0]);
                const double y = (double)j + 0.5 + corner[c][1] + t*(corner[c + 1][1] - corner[c][1]);
                fprintf(figure->file, "%c%.1f %.1f", n++ ? 'L' : 'M', plot_px(figure, r->low[0] + x*dx),
                        plot_py(figure, r->low[1] + y*dy));
            }
        }
    fputs("\"/>\n", figure->file);
}

/* Between classes, and of two also where one has 90 %. */
static void classes_borders(plot_figure *figure, size_t K, const classes_rows *r, const double *p)
{
    for (size_t k = 0; k + 1 < K; k++) classes_border(figure, K, r, p, k, 0.0, "");
    if (K > 2) return;
    classes_border(figure, K, r, p, 0, 0.8, "stroke-dasharray=\"5 3\"");
    classes_border(figure, K, r, p, 0, -0.8, "stroke-dasharray=\"5 3\"");
}

static void classes_draw(FILE *file, const options *o, const model *m, const cli_column *y, const classes_rows *r, const double *p)
{
    const size_t K = glm_classes(m);
    grid_text text;
    const char *others = grid_others(m, y ? 2 : 1, &text);
    char title[300], label[360], color[16];
    cli_shown name;
    plot_figure figure;
    double *at = (double *)cli_memory(CURVE + r->n, 2*sizeof *at), *value = at + CURVE + r->n;
    snprintf(title, sizeof title, "%.90s by %.90s%s", m->cols.targets[0], m->spec,
             y && K == 2 ? " (dashed: one class has 90 %)" : "");
    snprintf(label, sizeof label, "%.100s%s%s%s", o->x, *others ? "   (" : "", others, *others ? ")" : "");
    picture_begin(&figure, file, m, o->x, title, label, y ? o->y : "probability", r->low[0], r->high[0], r->low[1], r->high[1]);
    if (y) {
        classes_regions(&figure, K, r, p);
        classes_borders(&figure, K, r, p);
    }
    for (size_t k = 0; k < K; k++) {
        size_t n = 0;
        plot_style(&figure, k);
        classes_color(k, color);
        for (size_t i = 0; i < CURVE && !y; i++) {
            at[i] = r->low[0] + (double)i/(CURVE - 1.0)*(r->high[0] - r->low[0]);
            value[i] = p[i*K + k];
        }
        if (!y) plot_line(&figure, CURVE, at, value, color, classes_name(m, k, &name));
        for (size_t i = 0; i < r->n; i++) {
            if (r->of[i] != (double)k) continue;
            at[n] = r->x[i];
            value[n++] = y ? r->y[i] : -0.02 - 0.05*(double)k/(double)K;
        }
        plot_points(&figure, n, at, value, color, y ? classes_name(m, k, &name) : "");
    }
    plot_end(&figure);
    free(at);
}

int classes_plot(const options *o, const model *m, const cli_column *x, const cli_column *y, const frame *f, cli_why *why)
{
    const size_t nx = y ? CELLS_X : CURVE, ny = y ? CELLS_Y : 1;
    double *p = (double *)cli_memory(nx*ny, glm_classes(m)*sizeof *p);
    classes_rows r;
    output out;
    memset(&r, 0, sizeof r);
    int status = classes_read(m, x, y, f, &r, why);
    if (!status) status = classes_grid(m, x, y, &r, nx, ny, p, why);
    if (!status) status = output_open(o->output, &out, why);
    if (!status) {
        classes_draw(out.file, o, m, y, &r, p);
        status = output_close(&out, why);
    }
    free(r.x);
    free(p);
    return status;
}

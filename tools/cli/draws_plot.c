/* draws_plot: functions drawn from the prior and from the posterior, side by side with the same axes
 *
 * Prior: weights of variance lambda (what was learnt; of a model that integrates at its most probable node), the constant and
 * those with a flat prior at 0, which is the mean of the target where it is standardised. A posterior of one component without
 * correlations says this, so that the library draws both alike, what features miss included. Functions are E[y | f], in the units
 * of the data. */
#include "classes.h"
#include "glm.h"
#include "glm_options.h"
#include "grid.h"
#include "output.h"
#include "pictures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWN = 20, DRAWN_POINTS = 101, DRAWN_WIDTH = 500, DRAWN_HEIGHT = 400 };

typedef struct drawn_view { bln_posterior q; bln_group group; bln_diagonals of; double *room; } drawn_view;

/* The variances of the node of greatest weight, in units of y^2; HUGE_VAL: flat. */
static void drawn_integrated(const model *m, double *variance)
{
    double weight, noise, most = -1.0, *ratio = (double *)cli_memory(model_basis(m)->n_slices, sizeof *ratio);
    for (size_t k = 0; k < bln_slm_integrated_nodes(m->integrated); k++) {
        bln_slm_integrated_node(m->integrated, k, &weight, ratio, &noise);
        if (!(weight > most)) continue;
        most = weight;
        for (size_t s = 0; s < model_basis(m)->n_slices; s++) variance[s] = ratio[s]*noise;
    }
    free(ratio);
}

/* The prior as a posterior. Fails where nothing has a prior. */
static int drawn_prior(const model *m, drawn_view *v, cli_why *why)
{
    const bln_posterior *q = model_posterior(m);
    const bln_basis *b = model_basis(m);
    const size_t J = q->J, n = J*b->D, S = b->n_slices;
    size_t flat = 0;
    v->room = (double *)cli_memory(2*n + (J + 1)*S, sizeof *v->room);
    double *psi = v->room + n, *lambda = psi + n, *variance = lambda + J*S;
    if (m->integrated) drawn_integrated(m, variance);
    for (size_t s = 0; s < S; s++)
        for (size_t j = bln_basis_slice(b, s); j < bln_basis_slice(b, s + 1); j++)
            for (size_t k = 0; k < J; k++) {
                const double unit = !m->glm && !m->integrated && m->cols.n_targets > 1
                                  ? bln_slm_noise_cov(m->slm)[k*(J + 1)] : 1.0;
                const double var = unit*(m->integrated ? variance[s] : model_prior_var(m, (model_tables(m) > 1 ? k*b->D : 0) + j));
                const int is_flat = isinf(var) != 0 || model_given(m, s);
                psi[k*b->D + j] = is_flat ? 0.0 : var;
                lambda[k*S + s] = is_flat ? 0.0 : var;
                flat += (size_t)is_flat;
            }
    if (flat == n)
        return cli_fail(why, "--show draws: all priors of this model are flat, and a flat prior has no draws: fit without "
                             "--prior flat");
    v->of.m = v->room;
    v->of.psi = psi;
    v->group = q->groups[0];
    v->group.ops = bln_kind_diagonal();
    v->group.view = &v->of;
    v->group.K = 1;
    v->group.weight = NULL;
    v->group.residual = lambda;
    v->q = *q;
    v->q.n_groups = 1;
    v->q.groups = &v->group;
    v->q.dof = 0.0;
    v->q.sites = BLN_SITES_NONE;
    return CLI_GOOD;
}

/* DRAWN functions of target k at raw rows: E[y | f], out DRAWN x n. */
static int drawn_functions(const model *m, const bln_posterior *q, const bln_data *rows, size_t target, double *out, cli_why *why)
{
    const size_t n = rows->n, J = q->J, P = m->cols.n_targets;
    double *room = (double *)cli_memory(n, (rows->d + P + DRAWN*J + J)*sizeof *room), *f = room + n*(rows->d + P);
    double *mean = f + n*DRAWN*J;
    bln_draw_desc desc;
    bln_report report;
    memset(&desc, 0, sizeof desc);
    desc.n = DRAWN;
    desc.residual = BLN_RESIDUAL_JOINT;
    bln_report_clear(&report);
    const bln_data data = model_view(m, rows, room);
    bln_status status = bln_posterior_draws(q, &data, &desc, f, NULL, 0, NULL, &report);
    for (size_t s = 0; s < DRAWN && status == BLN_OK; s++) {
        bln_targets t;
        memset(&t, 0, sizeof t);
        if (model_tables(m) == 1) memcpy(mean, f + s*n*J, n*J*sizeof *mean);
        else for (size_t i = 0; i < n; i++) mean[i] = f[(s*n + i)*J];
        if (m->glm && !glm_is_real(&m->likelihood))
            bln_likelihood_moments(&m->likelihood, bln_glm_likelihood_theta(m->glm), n, &t, f + s*n*J, mean, NULL);
        model_back(m, rows, mean);
        for (size_t i = 0; i < n; i++) out[s*n + i] = mean[i*P + target];
    }
    free(room);
    return status == BLN_OK ? CLI_GOOD : model_why(why, "--show draws", status, &report);
}

/* The range of the target's axis: all of the data and of the posterior, and as much of the prior as leaves these visible. */
static void drawn_axis(size_t n, const double *y, const double *before, const double *after, double *low, double *high)
{
    double at[2] = { HUGE_VAL, -HUGE_VAL };
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    grid_range(n, y, low, high);
    grid_range(DRAWN*DRAWN_POINTS, after, low, high);
    grid_range(DRAWN*DRAWN_POINTS, before, &at[0], &at[1]);
    const double width = *high - *low;
    if (at[0] < *low) *low = at[0] > *low - width ? at[0] : *low - width;
    if (at[1] > *high) *high = at[1] < *high + width ? at[1] : *high + width;
    grid_pad(0.03, low, high);
}

typedef struct drawn_picture {
    size_t        n;
    const double *x, *y, *at, *before, *after;
    double        low, high;
    const char   *x_label, *target;
    const model  *m;
} drawn_picture;

static void drawn_panel(FILE *file, const drawn_picture *p, int which)
{
    const double *curve = which ? p->after : p->before;
    plot_desc d;
    plot_figure f;
    plot_ticks ticks;
    memset(&d, 0, sizeof d);
    d.id = which;
    d.x = which*DRAWN_WIDTH;
    d.y = PICTURE_HEAD - 8;
    d.width = DRAWN_WIDTH;
    d.height = DRAWN_HEIGHT;
    d.top = 40;
    d.title = which ? "posterior: after the data" : "prior: before the data";
    d.x_label = p->x_label;
    d.y_label = p->target;
    d.x_low = p->at[0];
    d.x_high = p->at[DRAWN_POINTS - 1];
    d.y_low = p->low;
    d.y_high = p->high;
    d.x_ticks = picture_dates(p->m, p->x_label, d.x_low, d.x_high, DRAWN_WIDTH - PLOT_LEFT, &ticks);
    plot_panel_of(&f, file, &d);
    f.stroke = 1.0;
    for (size_t s = 0; s < DRAWN; s++) plot_line(&f, DRAWN_POINTS, p->at, curve + s*DRAWN_POINTS, "#2f62a3", "");
    if (which) plot_points(&f, p->n, p->x, p->y, "#111111", "");
    plot_panel_end(&f);
}

static int drawn_rows(const options *o, const model *m, size_t column, size_t target, const picture_rows *t, cli_why *why)
{
    const bln_data *rows = &t->rows.data;
    enum { ALL = DRAWN*DRAWN_POINTS };
    const size_t d = m->cols.d, n = rows->n, P = m->cols.n_targets;
    const int takes_off = picture_takes_off(m);
    double *room = (double *)cli_memory(2*n + 2*ALL + DRAWN_POINTS*(d + 2), sizeof *room);
    double *x = room, *y = x + n, *before = y + n, *after = before + ALL, *at = after + ALL, *offset = at + DRAWN_POINTS;
    double *X = offset + DRAWN_POINTS, low = HUGE_VAL, high = -HUGE_VAL;
    drawn_view v;
    drawn_picture p;
    bln_data grid;
    output out;
    grid_text others;
    char name[200], title[300], below[300];
    for (size_t i = 0; i < n; i++) {
        x[i] = picture_number(m, t, column, i);
        y[i] = (rows->y[i*P + target] - (rows->offset && takes_off ? rows->offset[i] : 0.0))/(rows->trials ? rows->trials[i] : 1.0);
    }
    grid_range(n, x, &low, &high);
    grid_pad(0.03, &low, &high);
    low = grid_low(m, column, low, high);
    grid_line(low, high, DRAWN_POINTS, at);
    memset(&grid, 0, sizeof grid);
    memset(&v, 0, sizeof v);
    grid.n = DRAWN_POINTS;
    grid.d = d;
    grid.X = X;
    for (size_t i = 0; i < DRAWN_POINTS; i++) {
        grid_typical(m, X + i*d);
        grid_number(m, column, at[i], X + i*d);
        offset[i] = picture_offset(m, rows);
    }
    if (m->glm) grid.offset = offset;
    int status = drawn_prior(m, &v, why);
    if (!status) status = drawn_functions(m, &v.q, &grid, target, before, why);
    if (!status) status = drawn_functions(m, model_posterior(m), &grid, target, after, why);
    if (!status) status = output_open(o->output, &out, why);
    if (!status) {
        picture_target(m, target, name, sizeof name);
        p.n = n;
        p.x = x;
        p.y = y;
        p.at = at;
        p.before = before;
        p.after = after;
        p.m = m;
        p.x_label = o->x;
        p.target = name;
        drawn_axis(n, y, before, after, &p.low, &p.high);
        snprintf(title, sizeof title, "%.150s by %.90s: %d functions of each", name, m->spec, (int)DRAWN);
        grid_others(m, 1, &others);
        snprintf(below, sizeof below, "%s%s%s", others.text, *others.text && *picture_at_offset(m) ? ", " : "",
                 picture_at_offset(m));
        picture_sheet(out.file, 2*DRAWN_WIDTH, PICTURE_HEAD + DRAWN_HEIGHT, title, below);
        drawn_panel(out.file, &p, 0);
        drawn_panel(out.file, &p, 1);
        plot_sheet_end(out.file);
        status = output_close(&out, why);
    }
    free(v.room);
    free(room);
    return status;
}

int draws_plot(const options *o, const model *m, size_t i, cli_why *why)
{
    picture_rows t;
    size_t target = 0;
    int status = model_target(m, o->y, &target, why);
    if (status) return status;
    if (classes_of(m)) return cli_fail(why, "--show draws is not for several classes: --show effects draws their probabilities");
    status = picture_read(o, m, COLUMNS_SCORE, &t, why);
    if (!status) status = drawn_rows(o, m, i, target, &t, why);
    picture_free(&t);
    return status;
}

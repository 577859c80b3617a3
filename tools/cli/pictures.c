/* pictures: what the pictures of `plot` share */
#include "pictures.h"
#include "glm.h"
#include "glm_options.h"
#include "role.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int picture_read(const options *o, const model *m, columns_use use, picture_rows *out, cli_why *why)
{
    memset(out, 0, sizeof *out);
    int status = frame_for_model(o, &m->cols, use, &out->f, why);
    if (status) {
        memset(out, 0, sizeof *out);
        return status;
    }
    const frame *f = &out->f;
    frame_note_dropped(f, "are left out");
    if (use == COLUMNS_SCORE) status = picture_leave_no_trials(m, &out->f, why);
    const int unseen = use == COLUMNS_PREDICT ? COLUMNS_ZERO : 0;
    if (!status) status = rows_read(&m->cols, &f->table, f->at, f->n, f->rows, unseen, &out->rows, why);
    if (!status && m->glm && out->rows.data.y)
        status = glm_check_rows(&m->likelihood, &m->cols, &f->table, f->at, f->rows, &out->rows.data, why);
    return status;
}

/* Keeps some of the rows, in place of all. what: how a note calls the others. */
static int picture_leave(frame *f, size_t kept, const char *what, cli_why *why)
{
    cli_counted rows;
    const size_t n = f->n;
    f->n = kept;
    if (!kept) return cli_fail(why, "%s: no row can be drawn: %s in %s", f->table.file, what, cli_all(&rows, n, "row"));
    if (kept < n)
        cli_note("%s: %lu of %s not drawn: %s", f->table.file, (unsigned long)(n - kept), cli_count(&rows, n, "row"), what);
    return CLI_GOOD;
}

int picture_leave_no_trials(const model *m, frame *f, cli_why *why)
{
    size_t kept = 0;
    double trials = 1.0;
    int status = CLI_GOOD;
    if (!m->cols.role[ROLE_TRIALS]) return CLI_GOOD;
    const role_place place = role_find(&f->table, ROLE_TRIALS, m->cols.role[ROLE_TRIALS]);
    for (size_t i = 0; i < f->n && !status; i++) {
        status = role_value(&f->table, ROLE_TRIALS, &place, f->rows[i], &trials, why);
        if (trials != 0.0) f->rows[kept++] = f->rows[i];
    }
    return status ? status : picture_leave(f, kept, "no trials", why);
}

int picture_leave_filled(const model *m, frame *f, size_t n, cli_why *why)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->n; i++) {
        int filled = 0;
        for (size_t k = 0; k < n; k++)
            filled |= f->at[k] != COLUMNS_NOWHERE && reading_is_filled(m->cols.how, csv_at(&f->table, f->rows[i], f->at[k]));
        if (!filled) f->rows[kept++] = f->rows[i];
    }
    return picture_leave(f, kept, "a missing value", why);
}

double picture_number(const model *m, const picture_rows *p, size_t column, size_t i)
{
    const csv_cell *cell = csv_at(&p->f.table, p->f.rows[i], p->f.at[column]);
    const bln_data *rows = &p->rows.data;
    return reading_is_filled(m->cols.how, cell) ? NAN : rows->X[i*rows->d + m->cols.column[column].first];
}

void picture_free(picture_rows *p)
{
    rows_free(&p->rows);
    if (p->f.rows) frame_free(&p->f);
}

int picture_takes_off(const model *m) { return !m->glm || glm_is_real(&m->likelihood); }

void picture_target(const model *m, size_t target, char *out, size_t size)
{
    const char *name = m->cols.targets[target], *offset = m->cols.role[ROLE_OFFSET], *trials = m->cols.role[ROLE_TRIALS];
    if (offset && picture_takes_off(m)) snprintf(out, size, "%.90s - %.90s", name, offset);
    else if (trials) snprintf(out, size, "%.90s / %.90s", name, trials);
    else if (m->cols.n_classes == 2) snprintf(out, size, "%.90s = %.90s", name, m->cols.classes[1]);
    else snprintf(out, size, "%.190s", name);
}

void picture_middle(const model *m, char *out, size_t size)
{
    if (glm_quantile(m) > 0.0) snprintf(out, size, "%.4g quantile", glm_quantile(m));
    else snprintf(out, size, "mean");
}

const char *picture_at_offset(const model *m)
{
    return m->cols.role[ROLE_OFFSET] && !picture_takes_off(m) ? "the offset at its mean" : "";
}

/* Ticks every so many days, or months. Days count from 1970-01-01, and weeks begin on Mondays. 0: too many for an axis. */
static int picture_ticks(long first, double low, double high, int days, int months, size_t most, plot_ticks *out)
{
    const long begin = first + (long)ceil(low), end = first + (long)floor(high);
    cell_calendar c = cell_date(begin);
    cell_shape s;
    memset(&s, 0, sizeof s);
    s.part[0] = c.year;
    s.part[1] = months ? (c.month - 1)/months*months + 1 : c.month;
    s.part[2] = 1;
    if (months >= 12) { s.part[0] = c.year/(months/12)*(months/12); s.part[1] = 1; }
    out->n = 0;
    for (long day = begin; months || day <= end;) {
        if (months && !cell_day(&s, ORDER_YMD, &day)) return 0;
        if (day > end) break;
        c = cell_date(day);
        const int use = day >= begin && (months || (day + (days % 7 ? 0 : 3)) % days == 0);       /* 1970-01-01 was a Thursday */
        if (use && out->n == most) return 0;
        if (use) {
            out->at[out->n] = (double)(day - first);
            if (months) snprintf(out->text[out->n++], sizeof *out->text, "%04u-%02u", (unsigned)c.year, (unsigned)c.month % 100u);
            else snprintf(out->text[out->n++], sizeof *out->text, "%04u-%02u-%02u", (unsigned)c.year % 10000u,
                          (unsigned)c.month % 100u, (unsigned)c.day % 100u);
        }
        day++;
        s.part[1] += months;
        s.part[0] += (s.part[1] - 1)/12;
        s.part[1] = (s.part[1] - 1) % 12 + 1;
    }
    return 1;
}

const plot_ticks *picture_dates(const model *m, const char *column, double low, double high, double pixels, plot_ticks *out)
{
    static const int days[] = { 1, 2, 7, 14 }, months[] = { 1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200 };
    enum { LABEL = 90, DAYS = sizeof days/sizeof *days, MONTHS = sizeof months/sizeof *months };
    const size_t most = (size_t)(pixels/LABEL);                     /* less than PLOT_TICKS: no picture is that wide */
    long first;
    if (!reading_first_day(m->cols.how, column, &first)) return NULL;
    for (size_t k = 0; k < DAYS + MONTHS; k++) {
        const int day = k < DAYS ? days[k] : 0;
        if (!day || high - low < (double)day*PLOT_TICKS*2.0)
            if (picture_ticks(first, low, high, day, day ? 0 : months[k - DAYS], most, out)) return out->n > 1 ? out : NULL;
    }
    return NULL;
}

void picture_begin(plot_figure *p, FILE *file, const model *m, const char *column, const char *title, const char *x_label,
                   const char *y_label, double x_low, double x_high, double y_low, double y_high)
{
    plot_ticks ticks;
    plot_desc d;
    memset(&d, 0, sizeof d);
    d.width = PLOT_WIDTH;
    d.height = PLOT_HEIGHT;
    d.title = title;
    d.x_label = x_label;
    d.y_label = y_label;
    d.x_low = x_low;
    d.x_high = x_high;
    d.y_low = y_low;
    d.y_high = y_high;
    d.x_ticks = picture_dates(m, column, x_low, x_high, PLOT_WIDTH - PLOT_LEFT, &ticks);
    plot_sheet(file, PLOT_WIDTH, PLOT_HEIGHT);
    plot_panel_of(p, file, &d);
}

double picture_offset(const model *m, const bln_data *table)
{
    double sum = 0.0;
    if (picture_takes_off(m) || !table->offset) return 0.0;
    for (size_t i = 0; i < table->n; i++) sum += table->offset[i]/(double)table->n;
    return sum;
}

void picture_sheet(FILE *file, int width, int height, const char *title, const char *below)
{
    plot_sheet(file, width, height);
    plot_text_at(file, 0.5*width, 25.0, 17.0, width - 24.0, "middle", title);
    plot_text_at(file, 0.5*width, 45.0, 13.0, width - 24.0, "middle", below);
}

enum { LABEL = 74, PLAIN = 44 };

size_t picture_across(size_t n) { return n < 3 ? n : n == 4 ? 2 : 3; }

int picture_width(size_t n) { return (int)picture_across(n)*PICTURE_PANEL + LABEL - PLAIN; }

int picture_height(size_t n)
{
    const size_t across = picture_across(n);
    return PICTURE_HEAD + (int)((n + across - 1)/across)*PICTURE_LOW;
}

void picture_place(size_t k, size_t across, plot_desc *d)
{
    const int first = k % across == 0;
    memset(d, 0, sizeof *d);
    d->id = (int)k;
    d->x = (int)(k % across)*PICTURE_PANEL + (first ? 0 : LABEL - PLAIN);
    d->y = PICTURE_HEAD + (int)(k/across)*PICTURE_LOW;
    d->width = PICTURE_PANEL + (first ? LABEL - PLAIN : 0);
    d->height = PICTURE_LOW;
    d->left = first ? LABEL : PLAIN;
    d->top = 36;
    d->bottom = 58;
}

const char **picture_words(const cli_column *c)
{
    enum { LETTERS = 12, BYTES = 60 };
    const char **names = (const char **)cli_memory(c->n_words, sizeof *names + BYTES);
    char *text = (char *)(void *)(names + c->n_words);
    for (size_t k = 0; k < c->n_words; k++, text += BYTES) {
        size_t n = 0, letters = 0;
        const char *word = c->words[k];
        while (word[n] && n < BYTES - 8) {                         /* whole characters of UTF-8 */
            letters += ((unsigned char)word[n] & 0xC0u) != 0x80u;
            if (letters > LETTERS) break;
            n++;
        }
        memcpy(text, word, n);
        if (word[n]) memcpy(text + n, "..", 2);
        names[k] = text;
    }
    return names;
}

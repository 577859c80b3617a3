#ifndef BAYESLIN_FLAT_PRIVATE_H
#define BAYESLIN_FLAT_PRIVATE_H
#include "bayeslin.h"
#include "bayeslin_flat.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* flat_private - what the pieces of bayeslin_flat.c share, which are one source file for the compiler */

struct bayeslin_model {
    bln_basis          *basis;             /* NULL if the model was loaded, and owns it */
    bln_slm            *slm;               /* one of these three                        */
    bln_slm_integrated *integrated;
    bln_glm            *glm;
    bln_scaler         *scaler;
    size_t              d;
    int                 real;              /* is y a real number, which is standardised? */
    char               *about;             /* lines "key=value" of what the library does not keep */
    const char        **names;             /* d, in one block with their text; NULL: x0, x1, ... */
};

/* ---- messages ---- */

typedef struct flat_message { char *text; size_t size; } flat_message;

static int flat_fail(const flat_message *m, bln_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (m->size) vsnprintf(m->text, m->size, format, list);
    va_end(list);
    return (int)status;
}

static flat_message flat_message_of(char *text, size_t size)
{
    flat_message m;
    m.text = text;
    m.size = text ? size : 0;
    if (m.size) text[0] = '\0';
    return m;
}

/* What a call of the library returned, with its reason. */
static int flat_said(const flat_message *m, bln_status status, const bln_report *report)
{
    if (status == BLN_OK) return 0;
    return flat_fail(m, status, "%s", report && report->text[0] ? report->text : bln_status_text(status));
}

static int flat_memory(const flat_message *m) { return flat_fail(m, BLN_ENOMEM, "out of memory"); }

/* a b doubles, or NULL: overflow, or no memory. One more than none. */
static double *flat_doubles(size_t a, size_t b)
{
    const size_t most = (size_t)-1/sizeof(double) - 1;
    return b && a > most/b ? NULL : (double *)malloc((a*b + 1)*sizeof(double));
}

/* ---- a model ---- */

void bayeslin_free(bayeslin_model *model)
{
    if (!model) return;
    bln_slm_free(model->slm);
    bln_slm_integrated_free(model->integrated);
    bln_glm_free(model->glm);
    bln_basis_free(model->basis);
    bln_scaler_free(model->scaler);
    free(model->about);
    free((void *)model->names);
    free(model);
}

static const bln_posterior *flat_posterior(const bayeslin_model *m)
{
    return m->glm ? bln_glm_posterior(m->glm) : m->integrated ? bln_slm_integrated_posterior(m->integrated)
                                                              : bln_slm_posterior(m->slm);
}

static const bln_basis *flat_basis(const bayeslin_model *m)
{
    if (m->basis) return m->basis;
    return m->glm ? bln_glm_basis(m->glm) : m->integrated ? bln_slm_integrated_basis(m->integrated) : bln_slm_basis(m->slm);
}

static size_t flat_latents(const bayeslin_model *m) { return m->glm ? bln_likelihood_latents(bln_glm_likelihood(m->glm)) : 1; }

static double flat_unit(const bayeslin_model *m) { return bln_scaler_sd(m->scaler, m->d); }

static void flat_times(size_t n, double factor, double *x)
{
    for (size_t i = 0; x && i < n; i++) x[i] *= factor;
}

/* Rows as the model sees them, into room: n*(d + 1) doubles, which the view points into. A basis that reads no inputs has d = 0,
 * and one that is yet to be chosen (NULL) may read all. */
static bln_data flat_view(const bayeslin_model *m, const bln_basis *basis, const bln_data *rows, double *room)
{
    const size_t n = rows->n, d = rows->d;
    double *y = room + n*d;
    bln_data seen = *rows;
    seen.d = !basis || basis->d ? d : 0;
    seen.X = room;
    seen.ldx = d;
    bln_scaler_inputs(m->scaler, n, rows->X, d, room, d);
    if (!m->real) return seen;
    seen.offset = NULL;
    if (!rows->y) return seen;
    for (size_t i = 0; i < n; i++) y[i] = rows->y[i] - (rows->offset ? rows->offset[i] : 0.0);
    bln_scaler_targets(m->scaler, n, y, y);
    seen.y = y;
    return seen;
}

#endif /* BAYESLIN_FLAT_PRIVATE_H */

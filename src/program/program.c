/* program: the table of parameters and the user's function as one log density of free coordinates, recorded on a tape. What can be
 * checked at creation is not checked again later. */
#include "program_private.h"
#include "../core/data_private.h"
#include "../math/blas.h"
#include "../posterior/chains_private.h"

enum { BLNI_PROGRAM_TRIES = 100, BLNI_PROGRAM_NAME = 200 };

BLNI_PRIV blni_space blni_program_space(const bln_program_parameter *p)
{
    const size_t rows = p->rows ? p->rows : 1, square = p->constraint >= BLN_CONSTRAINT_CORRELATION_FACTOR ? rows : 1;
    const blni_space s = { p->constraint, rows, p->cols ? p->cols : square, p->lo, p->hi };
    return s;
}

/* Names in __ are those of samplers' own columns. */
BLNI_PRIV int blni_program_name_ok(const char *name, size_t most)
{
    const size_t n = blni_chains_name_ok(name) ? strlen(name) : 0;
    return n > 0 && n <= most && (n < 2 || name[n - 1] != '_' || name[n - 2] != '_');
}

BLN_API const char *bln_program_check(const bln_program_desc *desc)
{
    if (!desc) return "program: no desc";
    if (!desc->model) return "program: model is NULL";
    if (!desc->parameters || desc->n_parameters == 0) return "program: no parameters";
    if (!desc->generate != !desc->n_generate) return "program: generate and n_generate come together";
    if (!blni_allocator_ok(&desc->alloc)) return "program: half an allocator";
    if (blni_program_rows_reason(desc)) return blni_program_rows_reason(desc);
    for (size_t k = 0; k < desc->n_parameters; k++) {
        const blni_space s = blni_program_space(desc->parameters + k);
        const char *name = desc->parameters[k].name;
        if (!blni_program_name_ok(name, BLNI_PROGRAM_NAME)) return "program: a parameter's name is none, too long, or ends in __";
        if (blni_space_reason(&s)) return blni_space_reason(&s);
        if (desc->parameters[k].scope > BLN_SCOPES) return "program: scopes are 1 to 8";
        for (size_t j = 0; j < k; j++)
            if (!strcmp(name, desc->parameters[j].name)) return "program: two parameters have the same name";
    }
    for (size_t k = 0; desc->power && k < BLN_SCOPES; k++)
        if (!(desc->power[k] >= 0.0 && blni_finite(desc->power[k]))) return "program: powers must be finite and >= 0";
    for (size_t k = 0; desc->generate_names && k < desc->n_generate; k++)
        if (!blni_program_name_ok(desc->generate_names[k], BLNI_CHAINS_NAME))
            return "program: a generated number's name is NULL, empty, too long, or ends in __";
    return NULL;
}

/* ---- one evaluation */

/* What the tape has said, to the caller. */
BLNI_PRIV bln_status blni_program_said(const bln_program *p, bln_report *report)
{
    if (report && p->tape.status != BLN_OK) {
        memcpy(report->text, p->tape.report.text, sizeof report->text);
        report->row = p->tape.report.row;
        report->column = p->tape.report.column;
    }
    return p->tape.status;
}

/* The model over var, which stand at the beginning of the tape. */
BLNI_PRIV bln_status blni_program_call(bln_program *p)
{
    const bln_status status = p->tape.status == BLN_OK ? p->desc.model(&p->tape, p->var, p->desc.user) : BLN_OK;
    if (status != BLN_OK && p->tape.status == BLN_OK) {
        blni_tape_fail(&p->tape, status, "model", "it returned ");
        blni_tape_say(&p->tape, bln_status_name(status));
    }
    return p->tape.status;
}

/* Records the model at q over the present rows. */
BLNI_PRIV bln_status blni_program_record(bln_program *p, const double *q, int gradient)
{
    bln_tape *t = &p->tape;
    uint32_t at = BLNI_FIRST_PLACE;
    blni_tape_reset(t, gradient);
    t->rows = p->desc.data || p->desc.source ? &p->rows.now : NULL;
    if (!blni_tape_room(t, p->dim, 0, 0)) return t->status;
    memcpy(t->val + blni_tape_take(t, p->dim), q, p->dim*sizeof *q);
    for (size_t k = 0; k < p->desc.n_parameters; k++) {
        const size_t n = blni_space_free(p->space + k), scope = p->desc.parameters[k].scope;
        t->term = (uint32_t)(scope ? scope : (size_t)BLNI_TERM_PRIOR);
        t->used[t->term] = 1;
        p->var[k] = blni_constrain(t, p->space + k, blni_var(at, (uint32_t)n));
        at += (uint32_t)n;
    }
    t->term = BLNI_TERM_PRIOR;
    return blni_program_call(p);
}

/* Value and, unless NULL, gradient at q over this process's rows, part after part: one, but of a source.        [programs 5, 32] */
BLNI_PRIV bln_status blni_program_pass(bln_program *p, const double *q, double *value, double *gradient)
{
    bln_tape *t = &p->tape;
    double weight[BLNI_TERMS], sum = 0.0;
    *value = BLNI_NAN;
    memset(p->term, 0, sizeof p->term);
    for (size_t part = 0; ; part++) {
        int there;
        t->status = blni_program_rows_take(&p->rows, part, &there, &t->report);
        if (t->status != BLN_OK) return t->status;
        if (!there) break;
        t->noise = (p->noise << 24) + part;
        if (blni_program_record(p, q, gradient != NULL) != BLN_OK) return t->status;
        for (size_t k = 0; k < BLNI_TERMS; k++) {
            weight[k] = 0.0;
            if (k && !t->used[k]) continue;
            const int of_rows = k == BLNI_TERM_ROWS || t->used[k] == 2;
            const double share = of_rows ? p->rows.size ? (double)p->rows.count : 1.0 : part ? 0.0 : p->share;
            weight[k] = share*(k && p->desc.power ? p->desc.power[k - 1] : 1.0);
            p->term[k] += share*t->target[k];
            sum += weight[k]*t->target[k];
        }
        if (!blni_finite(sum)) break;                            /* slopes of what is not finite are of no use */
        if (gradient) blni_tape_sweep(t, 0, 0, weight);
        if (t->status != BLN_OK) return t->status;
        if (gradient && part) bln_axpy(p->dim, 1.0, t->adj + BLNI_FIRST_PLACE, gradient);
        else if (gradient) memcpy(gradient, t->adj + BLNI_FIRST_PLACE, p->dim*sizeof *gradient);
        if (!p->rows.source) break;
    }
    *value = sum;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_program_run(bln_program *p, const double *q, double *value, double *gradient)
{
    const bln_status status = blni_program_pass(p, q, value, gradient);
    return blni_processes_many(&p->processes) ? blni_program_reduce(p, q, value, gradient) : status;
}

/* The parameters at q, to out. */
BLNI_PRIV void blni_program_values(bln_program *p, const double *q, double *out)
{
    for (size_t k = 0; k < p->desc.n_parameters; k++) {
        blni_space_forward(p->space + k, q, out, p->work);
        q += blni_space_free(p->space + k);
        out += blni_space_size(p->space + k);
    }
}

/* ---- as a density */

BLNI_PRIV bln_status blni_program_eval(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    bln_program *p = (bln_program *)user;
    blni_program_run(p, q, value, gradient);
    if (gradient && p->tape.status == BLN_OK && blni_finite(*value) && !blni_all_finite(p->dim, gradient)) *value = BLNI_NAN;
    return blni_program_said(p, report);
}

BLNI_PRIV void blni_program_output(void *user, const double *q, uint64_t seed, uint64_t draw, double *out)
{
    bln_program *p = (bln_program *)user;
    bln_rng rng;
    size_t at = 0;
    blni_program_values(p, q, out);
    if (!p->desc.generate) return;
    for (size_t k = 0; k < p->desc.n_parameters; k++) {
        p->place[k] = out + at;
        at += blni_space_size(p->space + k);
    }
    bln_rng_seed(&rng, seed, draw);
    bln_rng_jump(&rng);                                          /* the sampler's own streams begin where this one did */
    p->desc.generate(p->place, &rng, p->desc.user, out + p->n_out);
}

BLNI_PRIV bln_status blni_program_batch(void *user, size_t size, uint64_t step, uint64_t draw, bln_report *report)
{
    bln_program *p = (bln_program *)user;
    p->noise = draw;
    const bln_status status = blni_program_rows_batch(&p->rows, size, step, report);
    if (status != BLN_OK) blni_processes_leave(&p->processes);
    return status;
}

/* Of a scalar its name, of others "theta[3]", "Omega[2,1]". */
BLNI_PRIV void blni_program_name(void *user, size_t k, char *text, size_t size)
{
    const bln_program *p = (const bln_program *)user;
    const char *name = "generated";
    size_t rows = p->desc.n_generate, cols = 1, place = 0;
    text[0] = '\0';
    for (; place < p->desc.n_parameters && k >= blni_space_size(p->space + place); place++) k -= blni_space_size(p->space + place);
    if (place < p->desc.n_parameters) {
        name = p->desc.parameters[place].name;
        rows = p->space[place].rows;
        cols = p->space[place].cols;
    } else if (p->desc.generate_names) { blni_cat(text, size, p->desc.generate_names[k]); return; }
    blni_cat(text, size, name);
    if (rows*cols == 1) return;
    blni_cat(text, size, "[");
    blni_cat_size(text, size, k/cols + 1);
    if (cols > 1) { blni_cat(text, size, ","); blni_cat_size(text, size, k % cols + 1); }
    blni_cat(text, size, "]");
}

BLNI_PRIV bln_status blni_program_make(const bln_program_desc *desc, bln_program **out, bln_report *report);

BLNI_PRIV bln_status blni_program_clone(void *user, const bln_allocator *alloc, void **out)
{
    const bln_program *p = (const bln_program *)user;
    bln_program *copy = NULL;
    double value;
    (void)alloc;                                                 /* that of the program */
    bln_status status = blni_program_make(&p->desc, &copy, NULL);
    if (status != BLN_OK) return status;
    memcpy(copy->start, p->start, p->dim*sizeof(double));
    copy->rows.all = p->rows.all;
    copy->rows.n = p->rows.n;
    status = blni_program_run(copy, copy->start, &value, copy->gradient);      /* its memory is taken here, not in a thread */
    if (status == BLN_OK) *out = copy;
    else bln_program_free(copy);
    return status;
}

BLNI_PRIV void blni_program_release(void *user) { bln_program_free((bln_program *)user); }

BLN_API bln_density bln_program_density(bln_program *program)
{
    bln_density d = BLN_ZERO;
    if (!program) return d;
    d.dim = program->dim;
    d.eval = blni_program_eval;
    d.user = program;
    d.n_out = program->n_out + program->desc.n_generate;
    d.output = blni_program_output;
    d.name = blni_program_name;
    d.parts = &program->parts;
    if (!program->desc.parallel || program->desc.source || program->desc.allreduce) return d;
    d.clone = blni_program_clone;
    d.release = blni_program_release;
    return d;
}

BLN_API const double *bln_program_start(const bln_program *program) { return program ? program->start : NULL; }

/* ---- making one */

BLNI_PRIV bln_program *blni_program_carve(blni_arena *a, const bln_program_desc *desc, size_t dim, size_t n_out, size_t work)
{
    const size_t k = desc->n_parameters;
    bln_program *p = (bln_program *)blni_carve(a, 1, sizeof *p), *to = p, counted;
    if (!to) to = &counted;
    memset(to, 0, sizeof *to);
    to->space = (blni_space *)blni_carve(a, k, sizeof *to->space);
    to->var = (bln_var *)blni_carve(a, k, sizeof *to->var);
    to->place = (const double **)blni_carve(a, k, sizeof *to->place);
    bln_program_parameter *copy = (bln_program_parameter *)blni_carve(a, k, sizeof *copy);
    to->start = blni_carve_doubles(a, dim);
    to->gradient = blni_carve_doubles(a, blni_mul(2, dim));
    to->out = blni_carve_doubles(a, n_out);
    to->work = blni_carve_doubles(a, work);
    to->scope = (unsigned char *)blni_carve(a, dim, 1);
    to->point = (unsigned char *)blni_carve(a, dim, 1);
    if (!p) return NULL;
    memcpy(copy, desc->parameters, k*sizeof *copy);
    p->desc = *desc;
    p->desc.parameters = copy;
    p->dim = dim;
    p->n_out = n_out;
    p->tape.alloc = desc->alloc;
    p->tape.seed = desc->seed;
    p->processes = blni_processes_of(desc->allreduce, desc->allreduce_user);
    p->share = 1.0;
    for (size_t i = 0, at = 0; i < k; i++) {
        p->space[i] = blni_program_space(copy + i);
        const size_t n = blni_space_free(p->space + i);
        memset(p->scope + at, (int)(copy[i].scope ? copy[i].scope : (size_t)BLNI_TERM_PRIOR), n);
        memset(p->point + at, copy[i].point != 0, n);
        at += n;
    }
    p->parts.scope = p->scope;
    p->parts.point = p->point;
    p->parts.n_terms = BLNI_TERMS;
    p->parts.term = p->term;
    p->parts.power = desc->power;
    p->parts.batch = blni_program_batch;
    return p;
}

/* The object, without an evaluation. */
BLNI_PRIV bln_status blni_program_make(const bln_program_desc *desc, bln_program **out, bln_report *report)
{
    size_t dim = 0, n_out = 0, work = 0;
    for (size_t k = 0; k < desc->n_parameters; k++) {
        const blni_space s = blni_program_space(desc->parameters + k);
        dim = blni_add(dim, blni_space_free(&s));
        n_out = blni_add(n_out, blni_space_size(&s));
        work = blni_max(work, blni_space_work(&s));
    }
    if (dim == 0) return blni_refuse(report, BLN_EINVAL, "program: no free coordinates");
    blni_arena a = blni_arena_over(NULL, 0);
    blni_program_carve(&a, desc, dim, n_out, work);
    BLNI_TRY(blni_arena_take(&desc->alloc, a.used, "program", &a, report));
    *out = blni_program_carve(&a, desc, dim, n_out, work);
    (*out)->block = a.base;
    (*out)->bytes = a.size;
    return BLN_OK;
}

/* The rows, and the number of processes. */
BLNI_PRIV bln_status blni_program_open(bln_program *p, bln_report *report)
{
    const int many = blni_processes_many(&p->processes);
    double count[2] = { 1.0, 0.0 };                              /* processes, and rows of all of them */
    uint64_t mark = 0;
    bln_status status = blni_program_rows_open(&p->rows, &p->desc, report);
    if (status == BLN_OK && many) status = blni_program_rows_mark(&p->rows, &mark, report);
    p->tape.seed ^= mark;
    p->rows.seed ^= mark;
    count[1] = (double)p->rows.n;
    status = blni_processes_agree(&p->processes, status, 0, 0, NULL, report);
    if (status == BLN_OK) status = blni_processes_sum(&p->processes, 2, count, report);
    if (status != BLN_OK) return status;
    p->share = 1.0/count[0];
    p->parts.n_rows = p->rows.n && many ? (size_t)ceil(count[1]*p->share) : p->rows.n;
    return BLN_OK;
}

BLN_API void bln_program_free(bln_program *program)
{
    if (!program) return;
    const bln_allocator alloc = program->desc.alloc;
    blni_processes_leave(&program->processes);
    blni_tape_release(&program->tape);
    blni_program_rows_close(&program->rows);
    blni_release(&alloc, program->block, program->bytes);
}

/* "program: tau: its start is outside of its domain" */
BLNI_PRIV bln_status blni_program_of(const bln_program_desc *d, bln_status status, size_t k, const char *what, bln_report *report)
{
    blni_refuse(report, status, "program: ");
    blni_say(report, d->parameters[k].name);
    blni_say(report, what);
    if (report) report->column = k;
    return status;
}

/* start <- what the parameters ask for, and random numbers for those that ask for nothing. */
BLNI_PRIV bln_status blni_program_begin_at(bln_program *p, bln_rng *rng, bln_report *report)
{
    double *z = p->start;
    for (size_t k = 0; k < p->desc.n_parameters; k++) {
        const size_t n = blni_space_free(p->space + k);
        const double *start = p->desc.parameters[k].start;
        for (size_t i = 0; i < n && !start; i++) z[i] = 4.0*bln_rng_uniform(rng) - 2.0;
        if (start && !blni_space_back(p->space + k, start, z, p->work))
            return blni_program_of(&p->desc, BLN_EINVAL, k, ": its start is outside of its domain", report);
        z += n;
    }
    return BLN_OK;
}

/* Nothing was finite: once more, with names, which end at the first call that is to blame. */
BLNI_PRIV bln_status blni_program_blame(bln_program *p, bln_report *report)
{
    double value;
    p->tape.naming = 1;
    bln_status status = blni_program_pass(p, p->start, &value, p->gradient);
    p->tape.naming = 0;
    if (status != BLN_OK) return blni_program_said(p, report);
    return blni_refuse(report, BLN_ENUMERIC, "program: the log density or its gradient is not finite");
}

/* Evaluations at start must give the same bits; that which looked at constants took slower ways, and is left out. */
BLNI_PRIV bln_status blni_program_repeat(bln_program *p, bln_report *report)
{
    double value, again, alone;
    bln_status status = blni_program_run(p, p->start, &value, p->gradient);
    if (status == BLN_OK) status = blni_program_run(p, p->start, &again, p->gradient + p->dim);
    if (status == BLN_OK) status = blni_program_run(p, p->start, &alone, NULL);
    if (status != BLN_OK) return blni_program_said(p, report);
    if (value == again && value == alone && blni_finite(value)
        && !memcmp(p->gradient, p->gradient + p->dim, p->dim*sizeof(double))) return BLN_OK;
    return blni_refuse(report, BLN_EINVAL, "program: two evaluations at one point differ: the model changes what it reads");
}

/* What has no bounds, and what no operation reads, has no posterior. Another process, or block of a source, may read it. */
BLNI_PRIV bln_status blni_program_read(const bln_program *p, bln_report *report)
{
    for (size_t k = 0; k < p->desc.n_parameters && !blni_processes_many(&p->processes) && !p->desc.source; k++) {
        const blni_space *s = p->space + k;
        const int bounded = s->constraint == BLN_CONSTRAINT_INTERVAL || s->constraint == BLN_CONSTRAINT_SIMPLEX
                         || s->constraint == BLN_CONSTRAINT_UNIT_VECTOR || blni_space_is_correlation(s);
        if (!bounded && !blni_tape_reads(&p->tape, p->var[k].at, blni_space_size(s)))
            return blni_program_of(&p->desc, BLN_EINVAL, k, ": no term of the density depends on it: give it a prior", report);
    }
    return BLN_OK;
}

/* C_m must not depend on parameters of later scopes: only then is KL_m that of scope m given those before it.     [programs 32] */
BLNI_PRIV bln_status blni_program_order(bln_program *p, bln_report *report)
{
    double weight[BLNI_TERMS] = { 0.0 };
    size_t most = 0;
    if (blni_processes_many(&p->processes) || p->desc.source) return BLN_OK;
    for (size_t i = 0; i < p->dim; i++) most = blni_max(most, p->scope[i]);
    for (size_t m = 1; m < most; m++) {
        weight[m] = 1.0;
        blni_tape_sweep(&p->tape, 0, 0, weight);
        weight[m] = 0.0;
        for (size_t k = 0, i = 0; k < p->desc.n_parameters; k++)
            for (const size_t end = i + blni_space_free(p->space + k); i < end; i++) {
                const double slope = fabs(p->tape.adj[BLNI_FIRST_PLACE + i]), rounding = 1e-9*(1.0 + fabs(p->gradient[i]));
                if (p->scope[i] <= m || p->point[i] || !(slope > rounding)) continue;
                blni_program_of(&p->desc, BLN_EINVAL, k, ": its scope comes after one that depends on it, scope ", report);
                blni_say_size(report, m);
                return BLN_EINVAL;
            }
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_program_prove(bln_program *p, bln_report *report)
{
    bln_rng rng;
    double value = BLNI_NAN;
    bln_rng_seed(&rng, p->desc.seed, 0);
    p->tape.checking = 1;
    for (int i = 0; i < BLNI_PROGRAM_TRIES; i++) {
        BLNI_TRY(blni_program_begin_at(p, &rng, report));
        const bln_status status = blni_program_run(p, p->start, &value, p->gradient);
        if (status == BLN_OK && blni_finite(value) && blni_all_finite(p->dim, p->gradient)) break;
        if (status != BLN_OK && (!blni_density_impossible(status) || p->tape.constant_fault)) return blni_program_said(p, report);
        value = BLNI_NAN;
    }
    p->tape.checking = 0;
    if (!blni_finite(value)) return blni_program_blame(p, report);
    BLNI_TRY(blni_program_read(p, report));
    BLNI_TRY(blni_program_order(p, report));
    return blni_program_repeat(p, report);
}

BLN_API bln_status bln_program_create(const bln_program_desc *desc, bln_program **out, bln_report *report)
{
    const char *why = bln_program_check(desc);
    bln_program *p = NULL;
    bln_report_clear(report);
    bln_status status = why || !out ? blni_refuse(report, BLN_EINVAL, why ? why : "program: out is NULL")
                                    : blni_program_make(desc, &p, report);
    for (size_t k = 0; why && desc && desc->parameters && k < desc->n_parameters; k++) {
        const blni_space s = blni_program_space(desc->parameters + k);
        if (blni_space_reason(&s) == why) { blni_program_of(desc, status, k, ": ", report); blni_say(report, why); break; }
    }
    if (status != BLN_OK) {                                      /* other processes, if there are any, must not wait */
        blni_processes processes = blni_processes_of(desc ? desc->allreduce : NULL, desc ? desc->allreduce_user : NULL);
        blni_processes_leave(&processes);
        return status;
    }
    status = blni_program_open(p, report);
    if (status == BLN_OK) status = blni_program_prove(p, report);
    p->parts.noisy = p->tape.noisy;
    if (status == BLN_OK) { bln_report_clear(report); *out = p; }
    else bln_program_free(p);
    return status;
}

/* ---- between domains, and row by row */

BLN_API bln_status bln_program_unconstrain(bln_program *program, const double *p, double *q, bln_report *report)
{
    BLNI_TRY(blni_begin(report, program && p && q, "program: NULL argument"));
    for (size_t k = 0; k < program->desc.n_parameters; k++) {
        if (!blni_space_back(program->space + k, p, q, program->work))
            return blni_program_of(&program->desc, BLN_EDOMAIN, k, " is outside of its domain", report);
        p += blni_space_size(program->space + k);
        q += blni_space_free(program->space + k);
    }
    return BLN_OK;
}

BLN_API bln_status bln_program_scopes(bln_program *program, const double *q, double *scopes, bln_report *report)
{
    double value;
    BLNI_TRY(blni_begin(report, program && q && scopes, "program: NULL argument"));
    const bln_status status = blni_program_run(program, q, &value, NULL);
    if (status != BLN_OK) return blni_program_said(program, report);
    if (!blni_finite(value)) return blni_refuse(report, BLN_EDOMAIN, "program: the log density is not finite");
    memcpy(scopes, program->term, sizeof program->term);
    return BLN_OK;
}

BLN_API bln_status bln_program_pointwise(bln_program *program, const double *p, double *log_p, bln_report *report)
{
    BLNI_TRY(blni_begin(report, program && p && log_p, "program: NULL argument"));
    bln_tape *t = &program->tape;
    if (!program->desc.n_rows) return blni_refuse(report, BLN_EINVAL, "program: n_rows is 0");
    t->pointwise = log_p;
    t->n_rows = program->desc.n_rows;
    blni_tape_reset(t, 0);
    t->noise = 0;
    t->rows = program->rows.n ? &program->rows.all : NULL;
    if (blni_tape_room(t, program->n_out, 0, 0)) memcpy(t->val + t->len, p, program->n_out*sizeof *p);
    for (size_t k = 0; k < program->desc.n_parameters && t->status == BLN_OK; k++) {
        const blni_space *s = program->space + k;
        const uint32_t at = blni_tape_take(t, blni_space_size(s));
        program->var[k] = s->cols == 1 ? blni_var(at, (uint32_t)s->rows) : blni_tape_matrix(t, at, s->rows, s->cols);
    }
    blni_program_call(program);
    t->pointwise = NULL;
    if (t->status == BLN_OK && t->n_pointwise != t->n_rows) {
        blni_tape_fail(t, BLN_ESHAPE, "bln_data_term", "fewer log densities of rows than n_rows: ");
        blni_tape_say_size(t, t->n_pointwise);
    }
    return blni_program_said(program, report);
}

BLN_API bln_status bln_program_loo(bln_program *program, const bln_chains *draws, double *elpd, double *k_hat, bln_elpd *total,
                                   bln_report *report)
{
    void *block;
    BLNI_TRY(blni_begin(report, program && draws && total, "program: NULL argument"));
    const size_t n = program->desc.n_rows, S = bln_chains_count(draws)*bln_chains_draws(draws), ld = bln_chains_columns(draws);
    if (!n) return blni_refuse(report, BLN_EINVAL, "program: n_rows is 0");
    if (ld < program->n_out || S == 0) return blni_refuse(report, BLN_ESHAPE, "program: draws of another program, or none");
    for (size_t k = 0; k < program->n_out; k++) {
        char name[BLNI_CHAINS_NAME];
        blni_program_name(program, k, name, sizeof name);
        if (strcmp(name, bln_chains_name(draws, k))) return blni_refuse(report, BLN_ESHAPE, "program: draws of another program");
    }
    const size_t doubles = blni_add(blni_mul(S, n), bln_psis_loo_work(S)), bytes = blni_mul(doubles, sizeof(double));
    bln_status status = blni_take(&program->desc.alloc, bytes, "program", &block, report);
    if (status != BLN_OK) return status;
    double *log_p = (double *)block;
    for (size_t s = 0; s < S && status == BLN_OK; s++)
        status = bln_program_pointwise(program, bln_chains_table(draws) + s*ld, log_p + s*n, report);
    if (status == BLN_OK) status = bln_psis_loo(S, n, log_p, n, NULL, 0.0, elpd, k_hat, total, log_p + S*n, report);
    blni_release(&program->desc.alloc, block, bytes);
    return status;
}

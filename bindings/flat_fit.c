/* flat_fit: standardising, priors, which model few rows get, as tools/cli/model.c and glm.c do it for tables */
#include "flat_private.h"

/* ---- fitting ---- */

/* The scaler of these rows, whose groups count as constants of 0, which nothing changes; or one that changes nothing. */
static int flat_scale(bayeslin_model *model, const flat_options *o, const char *spec, int scale, const bln_data *rows, double *room,
                      const flat_message *m)
{
    const size_t n = rows->n, d = rows->d;
    bln_report report;
    bln_data learnt = *rows;
    double *y = room + n*d;
    bln_scaler_free(model->scaler);
    model->scaler = NULL;
    if (!scale) return flat_said(m, bln_scaler_identity(NULL, d, 1, &model->scaler), NULL);
    char *group = (char *)malloc(d);
    if (!group) return flat_memory(m);
    flat_groups(model, spec, group);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) room[i*d + j] = group[j] ? 0.0 : rows->X[i*d + j];
    free(group);
    for (size_t i = 0; i < n; i++) y[i] = rows->y[i] - (rows->offset ? rows->offset[i] : 0.0);
    learnt.X = room;
    learnt.y = model->real ? y : NULL;
    learnt.offset = NULL;
    const bln_status status = bln_scaler_create(NULL, &learnt, &model->scaler, &report);
    if (status == BLN_OK && model->real && bln_scaler_constant(model->scaler, d) && !(o->noise_sd > 0.0))
        return flat_fail(m, BLN_EUNDEFINED, "y is %g in all rows: there is nothing to learn", bln_scaler_mean(model->scaler, d));
    return flat_said(m, status, &report);
}

static int flat_parse(bayeslin_model *model, const char *spec, uint64_t seed, const bln_data *seen, const flat_message *m)
{
    bln_spec_desc desc = BLN_ZERO;
    bln_report report;
    desc.text = spec;
    desc.d = model->d;
    desc.names = model->names;
    desc.seed = seed;
    desc.rows = seen;
    bln_basis_free(model->basis);
    model->basis = NULL;
    const bln_status status = bln_basis_parse(&desc, &model->basis, &report);
    return status == BLN_OK ? 0 : flat_fail(m, status, "basis \"%.80s\": %s", spec, report.text);
}

/* Features (D) of the row x at the starts of theta, moved in its free coordinates. room: n_theta + 8 doubles and the workspace. */
static void flat_features(const bln_basis *b, double move, const double *x, double *Phi, double *room)
{
    double *work = room + b->n_theta;
    while ((uintptr_t)work % 64) work++;
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param param;
        bln_basis_param(b, k, NULL, &param);
        room[k] = bln_param_natural(&param, bln_param_free(&param, param.start) + move);
    }
    bln_basis_features(b, room, 1, x, b->d, Phi, b->D, work);
}

/* Prior variances (n_slices): HUGE_VAL, flat, for slices whose features depend on no parameter, as constants, lines and powers do;
 * random features and effects of groups keep a prior, for they would fit anything. Returns how many features are flat; -1: no
 * memory. */
static long flat_choose(const bln_basis *b, double *var)
{
    double *room = flat_doubles(1, b->d + 2*b->D + b->n_theta + bln_basis_work(b, 1) + 16);
    long flat = 0;
    if (!room) return -1;
    double *x = room, *here = x + b->d, *there = here + b->D, *work = there + b->D;
    for (size_t j = 0; j < b->d; j++) x[j] = 0.7 - 0.31*(double)(j % 5);
    flat_features(b, 0.0, x, here, work);
    flat_features(b, 0.5, x, there, work);
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
        const int moves = memcmp(here + first, there + first, count*sizeof *here) != 0;
        var[s] = moves || bln_basis_active(b, s) < count ? 0.0 : HUGE_VAL;
        if (isinf(var[s])) flat += (long)count;
    }
    free(room);
    return flat;
}

/* Below so many rows noise and prior variances are integrated out by default, if there are not too many features: intervals that
 * take the best ones for the true ones are too narrow then. The same numbers as the tool's (tools/cli/model.c, glm.c). */
enum { FLAT_FEW = 30, FLAT_FEW_FEATURES = 60, FLAT_GLM_FEW = 200, FLAT_GLM_FEATURES = 200, FLAT_RATIOS = 3 };

/* Can these prior variances be integrated out in seconds? */
static int flat_can_integrate(const bln_basis *b, const double *var)
{
    static const double nodes[FLAT_RATIOS + 1] = { 1.0, 96.0, 2304.0, 13824.0 };         /* the library's */
    size_t ratios = 0;
    for (size_t s = 0; s < b->n_slices; s++) ratios += !isinf(var[s]);
    return ratios <= FLAT_RATIOS && nodes[ratios]*(double)b->D*(double)b->D <= 1e8;
}

static double flat_weight(const bln_data *rows)
{
    double total = 0.0;
    for (size_t i = 0; i < rows->n; i++) total += rows->weight ? rows->weight[i] : 1.0;
    return total;
}

static bln_slm_desc flat_slm_desc(const bayeslin_model *model, const flat_options *o, const double *var)
{
    bln_slm_desc desc = BLN_ZERO;
    const double noise_sd = o->noise_sd/flat_unit(model);
    desc.basis = model->basis;
    desc.seed = o->seed;
    desc.starts = o->starts;
    desc.max_iterations = o->max_iterations;
    desc.tolerance = o->tolerance;
    desc.theta_sd = o->theta_sd;
    desc.prior_var = var;
    desc.fix_given_var = var != NULL;
    desc.per_weight = o->prior == FLAT_EACH;
    if (!o->hyper_prior) desc.relevance = BLN_SLM_RELEVANCE_NONE;
    if (o->noise_sd > 0.0) desc.noise_var = noise_sd*noise_sd;
    desc.fix_noise_var = o->noise_sd > 0.0;
    return desc;
}

static bln_glm_desc flat_glm_desc(const bayeslin_model *model, const flat_options *o, const bln_likelihood *likelihood,
                                  const double *var)
{
    bln_glm_desc desc = BLN_ZERO;
    desc.basis = model->basis;
    desc.likelihood = *likelihood;
    if (o->card) {
        desc.method.ops = o->card->ops;
        desc.method.own = o->own;
        if (o->hyper && o->card->ops != bln_glm_laplace_card()->ops) desc.hyper = bln_glm_laplace();
    } else if (o->prior == FLAT_FLAT) desc.method = bln_glm_laplace();
    desc.prior_var = var;
    desc.per_weight = o->prior == FLAT_EACH;
    desc.no_hyper_prior = !o->hyper_prior;
    desc.theta_sd = o->theta_sd;
    desc.seed = o->seed;
    desc.max_iterations = o->max_iterations;
    desc.tolerance = o->tolerance;
    return desc;
}

static bln_status flat_fit_glm(bayeslin_model *model, const flat_options *o, const bln_likelihood *likelihood, const double *var,
                               const bln_data *seen, bln_report *report)
{
    bln_glm_desc desc = flat_glm_desc(model, o, likelihood, var), plain = desc;
    int few = 0, unbounded = 0;
    if (!o->card && o->integrate != FLAT_NO && o->prior == FLAT_LEARN && flat_weight(seen) < (double)FLAT_GLM_FEW
        && model->basis->D <= FLAT_GLM_FEATURES) {
        desc.method = bln_glm_integrated(NULL);
        few = !bln_glm_check(&desc);
        if (!few) desc = plain;
    }
    bln_status status = bln_glm_create(&desc, &model->glm, report);
    if (status == BLN_OK) status = bln_glm_fit(model->glm, seen, report);
    if (status != BLN_OK || !few) return status;
    bln_report fitted = *report;
    status = bln_glm_unbounded(model->glm, seen, &unbounded, report);
    if (status != BLN_OK || !unbounded) { *report = fitted; return status == BLN_ENOMEM ? status : BLN_OK; }
    bln_glm_free(model->glm);
    model->glm = NULL;
    status = bln_glm_create(&plain, &model->glm, report);
    if (status == BLN_OK) status = bln_glm_fit(model->glm, seen, report);
    if (status == BLN_OK && !report->text[0])
        snprintf(report->text, sizeof report->text, "averaged over hyper-parameters, as with few rows, the mean of y has no bound "
                                                    "here: the best ones are taken (integrate=no)");
    return status;
}

static bln_status flat_fit_slm(bayeslin_model *model, const flat_options *o, const double *var, int all_flat, const bln_data *seen,
                               bln_report *report)
{
    bln_slm_desc desc = flat_slm_desc(model, o, var);
    const double D = (double)model->basis->D;
    if (all_flat && D*D*((double)seen->n + D) <= 1e9) desc.arithmetic = BLN_SLM_EXACT;   /* a second at most */
    const bln_status status = bln_slm_create(&desc, &model->slm, report);
    return status == BLN_OK ? bln_slm_fit(model->slm, seen, report) : status;
}

/* theta as the linear model learns them, then held. */
static bln_status flat_fit_integrated(bayeslin_model *model, const flat_options *o, const double *var, int all_flat,
                                      const bln_data *seen, bln_report *report)
{
    bln_slm_integrated_desc desc = BLN_ZERO;
    bln_status status = BLN_OK;
    if (model->basis->n_theta) status = flat_fit_slm(model, o, var, all_flat, seen, report);
    if (status != BLN_OK) return status;
    desc.basis = model->basis;
    desc.theta = model->slm ? bln_slm_theta(model->slm) : NULL;
    desc.ratio = var;
    if (all_flat) desc.arithmetic = BLN_SLM_EXACT;
    status = bln_slm_integrated_create(&desc, &model->integrated, report);
    if (status == BLN_OK) status = bln_slm_integrated_fit(model->integrated, seen, report);
    bln_slm_free(model->slm);
    model->slm = NULL;
    return status;
}

/* The basis of a SPEC beside these rows, its priors, and the rows as the model sees them; *flat: features with a flat prior.
 * constant: prior variance of the last slice, which is one; 0: learnt like the others. *var: to be freed. */
static int flat_make(bayeslin_model *model, const flat_options *o, const char *spec, double constant, const bln_data *rows,
                     double *room, bln_data *seen, double **var, size_t *flat, const flat_message *m)
{
    int scale = o->scale != FLAT_NO;
    for (;;) {
        int status = flat_scale(model, o, spec, scale, rows, room, m);
        if (status) return status;
        *seen = flat_view(model, NULL, rows, room);
        status = flat_parse(model, spec, o->seed, seen, m);
        if (status) return status;
        *seen = flat_view(model, model->basis, rows, room);
        const bln_basis *b = model->basis;
        free(*var);
        const size_t priors = o->prior == FLAT_EACH ? b->D : b->n_slices;
        *var = flat_doubles(1, priors);
        if (!*var) return flat_memory(m);
        for (size_t s = 0; s < priors; s++) (*var)[s] = 0.0;
        (*var)[priors - 1] = constant;
        *flat = isinf(constant) ? b->D - bln_basis_slice(b, b->n_slices - 1) : 0;
        if (o->prior != FLAT_FLAT) return 0;
        const long chosen = flat_choose(b, *var);
        if (chosen < 0) return flat_memory(m);
        if (chosen == 0) return flat_fail(m, BLN_EINVAL, "options: prior=flat: random features and effects of groups need a prior, "
                                                         "and the basis has nothing else");
        *flat = (size_t)chosen;
        if (*flat < b->D || !scale || o->scale == FLAT_YES) return 0;
        scale = 0;                                       /* all flat: least squares, where scaling could only cost digits */
    }
}

/* A line of about. */
static void flat_line(char *about, const char *key, const char *value)
{
    char *to = about + strlen(about);
    to += sprintf(to, "%s=", key);
    for (; *value; value++) *to++ = *value == '\n' ? ' ' : *value;
    strcpy(to, "\n");
}

/* What is said of a fit that went well: a search that ended at a bound, draws that are in doubt, a mean that lies elsewhere. */
static void flat_remark(const bayeslin_model *model, const flat_options *o, const bln_report *report, char *remark, size_t size)
{
    bln_diagnosis d;
    remark[0] = '\0';
    if (model->glm && bln_glm_chains(model->glm)) {
        if (bln_chains_diagnose(bln_glm_chains(model->glm), NULL, &d, NULL) == BLN_OK) snprintf(remark, size, "%s", d.text);
    } else if (model->glm && report->mean_shift > 0.3 && o->prior != FLAT_FLAT)        /* as the tool: glm.c */
        snprintf(remark, size, "Laplace's method misleads here: it takes the most probable f for its mean, which lies %.2g "
                               "standard deviations away; leave inference=laplace out", report->mean_shift);
    else if (report->text[0]) snprintf(remark, size, "%s", report->text);
    for (char *end; (end = strchr(remark, '\n')) != NULL;) *end = end[1] ? ' ' : '\0';
}

static int flat_about(bayeslin_model *model, const flat_options *o, const char *spec, const bln_report *report,
                      const flat_message *m)
{
    char remark[1300], seed[32];
    flat_remark(model, o, report, remark, sizeof remark);
    model->about = (char *)malloc(strlen(spec) + (o->names ? strlen(o->names) : 0) + strlen(remark) + 200);
    if (!model->about) return flat_memory(m);
    model->about[0] = '\0';
    sprintf(seed, "%llu", (unsigned long long)o->seed);
    flat_line(model->about, "basis", spec);
    flat_line(model->about, "seed", seed);
    if (o->names) flat_line(model->about, "names", o->names);
    flat_line(model->about, "stop", bln_stop_name(report->stop));
    if (remark[0]) flat_line(model->about, "remark", remark);
    return flat_fail(m, BLN_OK, "%s", remark);
}

/* The basis of a SPEC for a linear model, with its constant as a term of its own: a learnt variance would be 0 where the targets
 * are standardised, and predictions would lack the uncertainty of their mean. Its prior is flat where variances are integrated
 * out, else wide: an sd of ten of the targets', as the tool's (tools/cli/prior.h). */
static int flat_make_apart(bayeslin_model *model, const flat_options *o, const char *spec, int integrate, const bln_data *rows,
                           double *room, bln_data *seen, double **var, size_t *flat, const flat_message *m)
{
    int constant;
    if (o->scale == FLAT_NO && !integrate) return flat_make(model, o, spec, 0.0, rows, room, seen, var, flat, m);
    char *apart = flat_intercept_apart(spec, o->scale != FLAT_NO, &constant);
    if (!apart) return flat_memory(m);
    const double prior = !constant || o->prior == FLAT_FLAT ? 0.0 : integrate ? HUGE_VAL : 1e2;
    const int status = flat_make(model, o, apart, prior, rows, room, seen, var, flat, m);
    free(apart);
    return status;
}

/* With a SPEC. */
static int flat_fit_basis(bayeslin_model *model, const flat_options *o, const bln_likelihood *likelihood, const char *spec,
                          const bln_data *rows, double *room, const flat_message *m)
{
    const int by_rows = !o->glm && o->integrate == FLAT_AUTO && o->prior == FLAT_LEARN && !(o->noise_sd > 0.0)
                     && rows->n < FLAT_FEW;
    int integrate = by_rows || o->integrate == FLAT_YES, status = 0;
    double *var = NULL;
    size_t flat = 0;
    bln_data seen;
    bln_report report;
    bln_report_clear(&report);
    /* Where all priors are flat nothing is standardised, and the SPEC is right as it is. */
    if (o->glm || o->prior == FLAT_FLAT) status = flat_make(model, o, spec, 0.0, rows, room, &seen, &var, &flat, m);
    if (!status && !o->glm && (o->prior != FLAT_FLAT || flat < model->basis->D))
        status = flat_make_apart(model, o, spec, integrate, rows, room, &seen, &var, &flat, m);
    if (!status && integrate && !(flat_can_integrate(model->basis, var) && (!by_rows || model->basis->D <= FLAT_FEW_FEATURES))) {
        integrate = 0;
        status = by_rows ? flat_make_apart(model, o, spec, 0, rows, room, &seen, &var, &flat, m)
               : flat_fail(m, BLN_EINVAL, "options: integrate=yes is for up to three prior variances and few features");
    }
    if (!status) {
        const int all = flat == model->basis->D;
        const bln_status got = o->glm ? flat_fit_glm(model, o, likelihood, o->prior == FLAT_FLAT ? var : NULL, &seen, &report)
                             : (integrate ? flat_fit_integrated : flat_fit_slm)(model, o, var, all, &seen, &report);
        status = flat_said(m, got, &report);
    }
    if (!status) status = flat_about(model, o, spec, &report, m);
    free(var);
    return status;
}

/* The SPEC that the rows choose. */
static int flat_choose_basis(bayeslin_model *model, const flat_options *o, const bln_likelihood *likelihood, double budget,
                             const bln_data *rows, double *room, char spec[BLN_AUTO_TEXT], const flat_message *m)
{
    bln_auto_basis_desc how = BLN_ZERO;
    bln_auto_basis *found = (bln_auto_basis *)malloc(sizeof *found);
    bln_report report;
    bln_status got = BLN_OK;
    if (!found) return flat_memory(m);
    int status = flat_scale(model, o, "", o->scale != FLAT_NO, rows, room, m);
    if (!status) {
        const bln_data seen = flat_view(model, NULL, rows, room);
        bln_slm_desc slm = flat_slm_desc(model, o, NULL);
        how.seed = o->seed;
        how.budget = budget;
        slm.starts = 1;
        if (o->glm) {
            const bln_glm_desc glm = flat_glm_desc(model, o, likelihood, NULL);
            got = bln_auto_basis_glm(&glm, &how, &seen, found, &report);
        } else got = bln_auto_basis_slm(&slm, &how, &seen, found, &report);
        status = flat_said(m, got, &report);
    }
    if (!status) strcpy(spec, found->text);
    free(found);
    return status;
}

/* ---- the likelihood ---- */

static const struct { const char *given, *name; } flat_also[] = {
    { "bernoulli", "binomial_logit" }, { "binomial", "binomial_logit" }, { "poisson", "poisson_log" }
};
enum { FLAT_ALSO = sizeof flat_also/sizeof *flat_also };

/* Categories: as asked for, or as the largest y says. */
static int flat_categories(const flat_options *o, const bln_data *rows, size_t most, size_t *out, const flat_message *m)
{
    double top = 0.0;
    for (size_t i = 0; i < rows->n; i++) if (rows->y[i] > top) top = rows->y[i];
    if (!(top < (double)most)) return flat_fail(m, BLN_EDOMAIN, "y goes up to %g; classes are 0, 1, ..., at most %lu", top,
                                                (unsigned long)most - 1);
    *out = o->categories ? o->categories : (size_t)top + 1;
    if (*out < 2 || *out > most) return flat_fail(m, BLN_EINVAL, "classes: %lu are not from 2 to %lu (categories=C)",
                                                  (unsigned long)*out, (unsigned long)most);
    return 0;
}

static int flat_likelihood(const flat_options *o, const bln_data *rows, bln_likelihood *out, const flat_message *m)
{
    const bln_load all = bln_builtin();
    const char *name = o->likelihood ? o->likelihood : "gaussian";
    char list[FLAT_LIST] = "";
    size_t classes = 0;
    int status = 0;
    for (size_t i = 0; i < FLAT_ALSO; i++) if (!strcmp(name, flat_also[i].given)) name = flat_also[i].name;
    const int several = !strcmp(name, "categorical"), ordered = !strcmp(name, "ordinal");
    if (several || ordered)
        status = flat_categories(o, rows, several ? BLN_LATENTS : BLN_LIKELIHOOD_THETA + 1, &classes, m);
    else if (o->categories) status = flat_fail(m, BLN_EINVAL, "options: categories is for likelihood ordinal and categorical");
    if (status) return status;
    if (several) *out = o->prior == FLAT_FLAT ? bln_likelihood_categorical_reference(classes) : bln_likelihood_categorical(classes);
    else if (ordered) *out = bln_likelihood_ordinal(classes);
    else {
        for (size_t i = 0; i < all.n_likelihoods; i++) {
            if (all.likelihoods[i].ops->latents) continue;
            if (bln_likelihood_find(all.likelihoods + i, 1, name, all.likelihoods[i].n_theta, 1, out) == BLN_OK) return 0;
            flat_list(list, all.likelihoods[i].ops->name);
        }
        return flat_fail(m, BLN_EUNKNOWN, "options: no likelihood \"%.60s\"; there are %s, categorical, bernoulli, binomial, "
                                          "poisson (a quantile stands behind a colon, as in asymmetric_laplace:0.9)", name, list);
    }
    if (several && rows->offset) return flat_fail(m, BLN_EINVAL, "offset: of classes each would need one of its own");
    return 0;
}

/* ---- fit ---- */

static int flat_is_auto(const char *spec, double *budget)
{
    static const char with[] = "auto:budget=";
    *budget = 0.0;
    if (!spec || !*spec || !strcmp(spec, "auto")) return 1;
    return !strncmp(spec, with, sizeof with - 1) && flat_number(spec + sizeof with - 1, budget) && *budget > 0.0;
}

/* With rows that were looked at, and options. */
static int flat_fit(bayeslin_model *model, const flat_options *o, const bln_data *rows, const char *spec, const flat_message *m)
{
    bln_likelihood likelihood = BLN_ZERO;
    char chosen[BLN_AUTO_TEXT];
    double budget, *room;
    int status = o->names ? flat_names(model, o->names, m) : 0;
    if (!status && o->glm) status = flat_likelihood(o, rows, &likelihood, m);
    if (status) return status;
    if (!o->glm && rows->trials) return flat_fail(m, BLN_EINVAL, "trials: normal noise knows neither trials nor exposure");
    if (!o->glm && o->categories) return flat_fail(m, BLN_EINVAL, "options: categories is for likelihood ordinal and categorical");
    model->real = !o->glm || !likelihood.ops->discrete;
    room = flat_doubles(rows->n, rows->d + 1);
    if (!room) return flat_memory(m);
    if (flat_is_auto(spec, &budget)) {
        if (o->prior != FLAT_LEARN)
            status = flat_fail(m, BLN_EINVAL, "options: prior=flat and prior=each need a basis that is given");
        else status = flat_choose_basis(model, o, &likelihood, budget, rows, room, chosen, m);
        spec = chosen;
    }
    if (!status) status = flat_fit_basis(model, o, &likelihood, spec, rows, room, m);
    free(room);
    return status;
}

int bayeslin_fit(size_t n, size_t d, const double *X, const double *y, const double *weight, const double *offset,
                 const double *trials, const char *spec, const char *options, bayeslin_model **out, char *message, size_t size)
{
    const flat_message m = flat_message_of(message, size);
    bln_data rows = BLN_ZERO;
    bln_report report;
    flat_options o;
    if (out) *out = NULL;
    if (!out || !X || !y) return flat_fail(&m, BLN_EINVAL, "%s is NULL", !out ? "out" : !X ? "X" : "y");
    if (!n || !d) return flat_fail(&m, BLN_EINVAL, "there are no %s", n ? "columns" : "rows");
    rows.n = n;
    rows.d = d;
    rows.X = X;
    rows.y = y;
    rows.weight = weight;
    rows.offset = offset;
    rows.trials = trials;
    int status = flat_said(&m, bln_data_check(&rows, 1, &report), &report);
    if (status) return status;
    status = flat_options_read(options ? options : "", &o, &m);
    bayeslin_model *model = (bayeslin_model *)calloc(1, sizeof *model);
    if (!status && !model) status = flat_memory(&m);
    if (!status) {
        model->d = d;
        status = flat_fit(model, &o, &rows, spec, &m);
    }
    flat_options_free(&o);
    if (status) bayeslin_free(model);
    else *out = model;
    return status;
}

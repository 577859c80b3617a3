/* bayeslin_flat.c - the flat functions, on top of the public ones of bayeslin.h
 *
 *     cc -O2 -shared -fPIC -DBAYESLIN_IMPLEMENTATION -I. bindings/bayeslin_flat.c -o libbayeslin.so -lm
 *
 * The model is fitted to inputs and real targets that are standardised; every question goes that way and its answer back. */
#include "flat_private.h"
#include "flat_options.c"
#include "flat_spec.c"
#include "flat_fit.c"

/* ---- questions ---- */

/* Rows of a question as the model sees them; their numbers are looked at by what is asked next. *room: to be freed. */
static int flat_ask(const bayeslin_model *model, size_t n, size_t d, const double *X, const double *offset, const double *trials,
                    double **room, bln_data *rows, bln_data *seen, const flat_message *m)
{
    bln_report report;
    *room = NULL;
    memset(rows, 0, sizeof *rows);
    if (!model || (!X && n)) return flat_fail(m, BLN_EINVAL, "%s is NULL", model ? "X" : "model");
    if (d != model->d)
        return flat_fail(m, BLN_ESHAPE, "X has %lu columns, the model %lu", (unsigned long)d, (unsigned long)model->d);
    if (offset && flat_latents(model) > 1) return flat_fail(m, BLN_EINVAL, "offset: of classes each would need one of its own");
    if (trials && !model->glm) return flat_fail(m, BLN_EINVAL, "trials: normal noise knows neither trials nor exposure");
    rows->n = n;
    rows->d = d;
    rows->X = X;
    rows->offset = offset;
    rows->trials = trials;
    *room = flat_doubles(n, d + 1);
    if (!*room) return flat_memory(m);
    const int status = n ? flat_said(m, bln_data_check(rows, 0, &report), &report) : 0;
    if (status) {
        free(*room);
        *room = NULL;
        return status;
    }
    *seen = flat_view(model, flat_basis(model), rows, *room);
    return 0;
}

/* Means, quantiles or draws of n rows in the units of the data, with the offset that the view took off. */
static void flat_back(const bayeslin_model *model, const bln_data *rows, double *value)
{
    if (!value || !model->real) return;
    bln_scaler_means_back(model->scaler, rows->n, value, value);
    for (size_t i = 0; i < rows->n && rows->offset; i++) value[i] += rows->offset[i];
}

int bayeslin_shape(const bayeslin_model *model, size_t *inputs, size_t *columns, size_t *latents, size_t *weights)
{
    if (!model) return (int)BLN_EINVAL;
    const bln_posterior *q = flat_posterior(model);
    if (inputs) *inputs = model->d;
    if (columns) *columns = q->observe.n_moments;
    if (latents) *latents = flat_latents(model);
    if (weights) *weights = flat_basis(model)->D*flat_latents(model);
    return 0;
}

int bayeslin_predict(const bayeslin_model *model, size_t n, size_t d, const double *X, const double *offset, const double *trials,
                     double *mean, double *sd_model, double *sd_y, char *message, size_t size)
{
    const flat_message m = flat_message_of(message, size);
    double *room;
    bln_data rows, seen;
    bln_report report;
    int status = flat_ask(model, n, d, X, offset, trials, &room, &rows, &seen, &m);
    if (status) return status;
    const bln_posterior *q = flat_posterior(model);
    const size_t all = n*q->observe.n_moments;
    const int quantile = model->glm && bln_glm_likelihood(model->glm)->level > 0.0;
    bln_status got = bln_posterior_predict(q, &seen, mean, sd_model, sd_y, NULL, &report);
    if (got == BLN_OK && sd_y && !sd_model) {                            /* both parts make that of y */
        double *part = flat_doubles(1, all);
        got = part ? bln_posterior_predict(q, &seen, NULL, part, NULL, NULL, &report) : BLN_ENOMEM;
        for (size_t i = 0; i < all && got == BLN_OK; i++) sd_y[i] += part[i];
        free(part);
    } else for (size_t i = 0; i < all && got == BLN_OK && sd_y; i++) sd_y[i] += sd_model[i];
    if (got == BLN_OK && quantile) got = bln_posterior_latent(q, &seen, mean, sd_model, NULL, &report);
    status = flat_said(&m, got, &report);
    for (size_t i = 0; i < all && !status; i++) {
        if (sd_model) sd_model[i] = sqrt(sd_model[i])*flat_unit(model);
        if (sd_y) sd_y[i] = sqrt(sd_y[i])*flat_unit(model);
    }
    if (!status) flat_back(model, &rows, mean);
    free(room);
    return status;
}

int bayeslin_intervals(const bayeslin_model *model, size_t n, size_t d, const double *X, const double *offset, const double *trials,
                       double level, int latent, double *lower, double *upper, char *message, size_t size)
{
    const flat_message m = flat_message_of(message, size);
    double *room;
    bln_data rows, seen;
    bln_report report;
    if (!lower || !upper) return flat_fail(&m, BLN_EINVAL, "%s is NULL", lower ? "upper" : "lower");
    int status = flat_ask(model, n, d, X, offset, trials, &room, &rows, &seen, &m);
    if (status) return status;
    status = flat_said(&m, bln_posterior_intervals(flat_posterior(model), &seen, latent ? BLN_OF_F : BLN_OF_Y, level, lower, upper,
                                                   NULL, &report), &report);
    if (!status) {
        flat_back(model, &rows, lower);
        flat_back(model, &rows, upper);
    }
    free(room);
    return status;
}

/* Do features miss some of a kernel (inducing, gp)? */
static int flat_misses(const bln_basis *b)
{
    size_t s = 0;
    while (s < b->n_slices && !(bln_basis_variance(b, s) > 0.0)) s++;
    return s < b->n_slices;
}

/* K (upper triangle) += what the features of slice s miss of its kernel between rows, lambda (k(x_i, x_j) - phi_i'phi_j); where the
 * kernel is not known, on the diagonal alone. room: n doubles, and the workspace of the basis. */
static void flat_missed(const bln_basis *b, size_t s, double lambda, const double *theta, const bln_data *seen, const double *Phi,
                        double *K, double *room)
{
    const size_t n = seen->n, D = b->D, first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
    double *work = room + n;
    while ((uintptr_t)work % 64) work++;
    for (size_t i = 0; i < n; i++) {
        const double *phi = Phi + i*D + first, *x = seen->X + i*seen->ldx, of_all = bln_basis_variance(b, s);
        const int known = b->ops->kernel && b->ops->kernel(b, s, theta, x, n - i, x, seen->ldx, room, work);
        for (size_t j = i; j < (known ? n : i + 1); j++) {
            double missed = j == i ? of_all : room[j - i];
            for (size_t l = 0; l < count; l++) missed -= phi[l]*Phi[j*D + first + l];
            if (j > i || missed > 0.0) K[i*n + j] += lambda*missed;
        }
    }
}

/* The same of all slices, by all components: of t's lambda is a squared scale, not a variance. */
static void flat_all_missed(const bln_posterior *q, const bln_data *seen, const double *Phi, double *K, double *room)
{
    const bln_basis *b = q->bases[0];
    double components = 0.0;
    for (size_t g = 0; g < q->n_groups; g++) components += (double)(q->groups[g].K ? q->groups[g].K : 1);
    for (size_t s = 0; s < b->n_slices; s++) {
        double lambda = 0.0;
        if (!(bln_basis_variance(b, s) > 0.0)) continue;
        for (size_t g = 0; g < q->n_groups; g++) {
            const bln_group *group = q->groups + g;
            for (size_t k = 0; k < (group->K ? group->K : 1) && group->residual; k++)
                lambda += (group->weight ? group->weight[k] : 1.0/components)*group->residual[k*group->ldresidual + s]
                        * (q->dof > 0.0 ? q->dof/(q->dof - 2.0) : 1.0);
        }
        if (lambda > 0.0) flat_missed(b, s, lambda, q->groups->theta, seen, Phi, K, room);
    }
}

int bayeslin_covariance(const bayeslin_model *model, size_t n, size_t d, const double *X, int full, double *C, char *message,
                        size_t size)
{
    const flat_message m = flat_message_of(message, size);
    double *room, *A = NULL, *Phi = NULL, *rest = NULL;
    bln_data rows, seen;
    bln_report report;
    if (!C) return flat_fail(&m, BLN_EINVAL, "C is NULL");
    int status = flat_ask(model, n, d, X, NULL, NULL, &room, &rows, &seen, &m);
    if (status) return status;
    const bln_posterior *q = flat_posterior(model);
    const bln_basis *b = flat_basis(model);
    const size_t D = b->D;
    if (flat_latents(model) > 1) status = flat_fail(&m, BLN_EINVAL, "covariance: there is one latent too many");
    if (!status) {
        A = flat_doubles(D, D);
        Phi = flat_doubles(n, 2*D);
        rest = flat_doubles(1, n + bln_basis_work(b, n) + 16);
        if (!A || !Phi || !rest) status = flat_memory(&m);
    }
    if (!status) status = flat_said(&m, bln_posterior_covariance(q, A, D, NULL, &report), &report);
    if (!status) {
        double *Psi = Phi + n*D, *work = rest;                           /* Psi = Phi A */
        while ((uintptr_t)work % 64) work++;
        bln_basis_features(b, q->groups->theta, n, seen.X, seen.ldx, Phi, D, work);
        for (size_t i = 0; i < D; i++) for (size_t j = 0; j < i; j++) A[i*D + j] = A[j*D + i];
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, D, D, 1.0, Phi, D, A, D, 0.0, Psi, D);
        bln_gemm(BLN_NOTRANS, BLN_TRANS, n, n, D, 1.0, Psi, D, Phi, D, 0.0, C, n);
        flat_all_missed(q, &seen, Phi, C, rest);
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n; j++) {
                C[i*n + j] *= flat_unit(model)*flat_unit(model);
                if (i < j) C[j*n + i] = full ? C[i*n + j] : 0.0;
            }
    }
    free(rest);
    free(Phi);
    free(A);
    free(room);
    return status;
}

int bayeslin_draws(const bayeslin_model *model, size_t n, size_t d, const double *X, const double *offset, const double *trials,
                   size_t count, int noise, unsigned long long seed, double *out, char *message, size_t size)
{
    const flat_message m = flat_message_of(message, size);
    double *room;
    bln_data rows, seen;
    bln_draw_desc desc = BLN_ZERO;
    bln_report report;
    if (!out || !count) return flat_fail(&m, BLN_EINVAL, "%s", out ? "count is 0" : "out is NULL");
    int status = flat_ask(model, n, d, X, offset, trials, &room, &rows, &seen, &m);
    if (status) return status;
    desc.n = count;
    desc.noise = noise != 0;
    desc.seed = seed;
    desc.residual = flat_misses(flat_basis(model)) ? BLN_RESIDUAL_JOINT : BLN_RESIDUAL_ROWS;
    status = flat_said(&m, bln_posterior_draws(flat_posterior(model), &seen, &desc, out, NULL, 0, NULL, &report), &report);
    for (size_t i = 0; i < count && !status; i++) flat_back(model, &rows, out + i*n);
    free(room);
    return status;
}

int bayeslin_coefficients(const bayeslin_model *model, double *mean, double *sd, double *covariance, char *message, size_t size)
{
    const flat_message m = flat_message_of(message, size);
    bln_report report;
    size_t n;
    if (!model) return flat_fail(&m, BLN_EINVAL, "model is NULL");
    const bln_posterior *q = flat_posterior(model);
    const double unit = flat_unit(model);
    bayeslin_shape(model, NULL, NULL, NULL, &n);
    bln_status status = BLN_OK;
    if (mean || sd) status = bln_posterior_coefficients(q, mean, sd, 0, NULL, NULL, NULL, &report);
    if (status == BLN_OK && covariance) status = bln_posterior_covariance(q, covariance, n, NULL, &report);
    if (status != BLN_OK) return flat_said(&m, status, &report);
    for (size_t i = 0; covariance && i < n; i++)
        for (size_t j = i; j < n; j++) covariance[j*n + i] = covariance[i*n + j] *= unit*unit;
    flat_times(n, unit, mean);
    flat_times(n, unit, sd);
    return 0;
}

int bayeslin_slopes(const bayeslin_model *model, size_t n, size_t d, const double *X, double *slopes, char *message, size_t size)
{
    const flat_message m = flat_message_of(message, size);
    double *room;
    bln_data rows, seen;
    bln_report report;
    if (!slopes) return flat_fail(&m, BLN_EINVAL, "slopes is NULL");
    int status = flat_ask(model, n, d, X, NULL, NULL, &room, &rows, &seen, &m);
    if (status) return status;
    if (flat_latents(model) > 1) status = flat_fail(&m, BLN_EINVAL, "slopes: there is more than one latent");
    for (size_t i = 0; i < n*d && !seen.d; i++) slopes[i] = 0.0;
    if (!status && seen.d)
        status = flat_said(&m, bln_posterior_slopes(flat_posterior(model), &seen, slopes, NULL, d, NULL, &report), &report);
    for (size_t i = 0; i < n*d && !status; i++) slopes[i] *= flat_unit(model)/bln_scaler_sd(model->scaler, i % d);
    free(room);
    return status;
}

/* ---- text ---- */

/* Text that grows in a buffer of size bytes; n counts on where it is full. */
typedef struct flat_text { char *text; size_t size, n; } flat_text;

static void flat_add(flat_text *t, const char *word)
{
    for (; *word; word++, t->n++) if (t->n + 1 < t->size) t->text[t->n] = *word;
    if (t->size) t->text[t->n + 1 < t->size ? t->n : t->size - 1] = '\0';
}

static void flat_add_text(flat_text *t, const char *key, const char *value)
{
    flat_add(t, key);
    flat_add(t, "=");
    flat_add(t, value);
    flat_add(t, "\n");
}

static void flat_add_number(flat_text *t, const char *key, double value)
{
    char number[BLN_DECIMAL_TEXT];
    bln_decimal_write(value, 0, number);
    flat_add_text(t, key, number);
}

static flat_text flat_text_of(char *text, size_t size)
{
    flat_text t = { NULL, 0, 0 };
    t.text = text;
    t.size = text ? size : 0;
    if (t.size) text[0] = '\0';
    return t;
}

enum { FLAT_NAME = 200 };

size_t bayeslin_name(const bayeslin_model *model, size_t j, char *text, size_t size)
{
    flat_text t = flat_text_of(text, size);
    char name[FLAT_NAME];
    if (!model) return 0;
    bln_basis_feature_name(flat_basis(model), j % flat_basis(model)->D, model->names, name, sizeof name);
    flat_add(&t, name);
    return t.n;
}

/* The factor that takes parameter k of the basis to the units of the input that its name ends with, as in "length scale x3". */
static double flat_theta_unit(const bayeslin_model *model, const bln_basis *b, size_t k)
{
    char name[FLAT_NAME];
    uint64_t input = 0;
    bln_basis_param_name(b, k, NULL, name, sizeof name);
    const int wave = strstr(name, "angular frequency") != NULL;
    const char *last = strrchr(name, ' ');
    if (!wave && !strstr(name, "length scale")) return 1.0;
    if ((!last || last[1] != 'x' || !flat_whole(last + 2, &input) || input >= model->d) && model->d > 1) return 1.0;
    if (model->d == 1) input = 0;
    const double sd = bln_scaler_sd(model->scaler, (size_t)input);
    return wave ? 1.0/sd : sd;
}

/* sd of the noise: of an integrated model the root of the mean over its nodes. */
static double flat_noise_sd(const bayeslin_model *model)
{
    double var = 0.0, weight = 0.0, one = 0.0;
    if (model->slm) var = bln_slm_noise_var(model->slm);
    for (size_t k = 0; model->integrated && k < bln_slm_integrated_nodes(model->integrated); k++) {
        bln_slm_integrated_node(model->integrated, k, &weight, NULL, &one);
        var += weight*one;
    }
    return flat_unit(model)*sqrt(var);
}

/* Weights that are integrated out under a flat prior, which the evidence is no density of. */
static double flat_restricted(const bayeslin_model *model)
{
    const bln_basis *b = flat_basis(model);
    const double *var = model->glm ? bln_glm_prior_var(model->glm) : model->slm ? bln_slm_prior_var(model->slm) : NULL;
    double weight, noise, flat = 0.0, *ratio = NULL;
    if (model->slm && bln_slm_priors(model->slm) != b->n_slices) return 0.0;              /* one for each weight: none is flat */
    if (model->glm && (flat_latents(model) > 1 || flat_posterior(model)->groups->ops == bln_kind_point())) return 0.0;
    if (model->integrated) {
        var = ratio = flat_doubles(1, b->n_slices);
        if (!ratio || bln_slm_integrated_node(model->integrated, 0, &weight, ratio, &noise) != BLN_OK) var = NULL;
    }
    for (size_t s = 0; var && s < b->n_slices; s++)
        if (isinf(var[s])) flat += (double)(bln_basis_slice(b, s + 1) - bln_basis_slice(b, s));
    free(ratio);
    return flat;
}

static void flat_describe_glm(const bayeslin_model *model, flat_text *t)
{
    const bln_likelihood *l = bln_glm_likelihood(model->glm);
    flat_add_text(t, "likelihood", l->ops->name);
    if (l->level > 0.0) flat_add_number(t, "quantile", l->level);
    flat_add_text(t, "inference", bln_glm_method_name(model->glm));
    for (size_t k = 0; k < l->n_theta; k++) {
        bln_param p = BLN_ZERO;
        bln_likelihood_param(l, k, 0.0, 1.0, &p);
        flat_add_number(t, bln_likelihood_param_name(l, k),
                        bln_glm_likelihood_theta(model->glm)[k]*pow(flat_unit(model), (double)p.y_power));
    }
}

size_t bayeslin_describe(const bayeslin_model *model, char *text, size_t size)
{
    flat_text t = flat_text_of(text, size);
    char name[FLAT_NAME];
    int scaled = 0;
    if (!model) return 0;
    const bln_basis *b = flat_basis(model);
    const bln_posterior *q = flat_posterior(model);
    double rows = q->rows, evidence = model->glm ? bln_glm_objective(model->glm) : model->slm ? bln_slm_evidence(model->slm)
                                    : bln_slm_integrated_evidence(model->integrated);
    flat_add_text(&t, "model", model->glm ? "glm" : model->slm ? "linear" : "linear, integrated");
    if (model->glm) flat_describe_glm(model, &t);
    else flat_add_number(&t, "noise_sd", flat_noise_sd(model));
    flat_add_number(&t, "log_evidence", bln_scaler_logp_back(model->scaler, rows - flat_restricted(model), evidence));
    flat_add_number(&t, "rows", rows);
    flat_add_number(&t, "inputs", (double)model->d);
    flat_add_number(&t, "features", (double)b->D);
    for (size_t j = 0; j < model->d; j++)
        scaled = scaled || bln_scaler_mean(model->scaler, j) != 0.0 || bln_scaler_sd(model->scaler, j) != 1.0;
    flat_add_text(&t, "scaled", scaled ? "yes" : "no");
    const double *theta = q->groups->theta;
    for (size_t k = 0; theta && k < b->n_theta; k++) {
        bln_basis_param_name(b, k, model->names, name, sizeof name);
        flat_add_number(&t, name, theta[k]*flat_theta_unit(model, b, k));
    }
    if (model->about) flat_add(&t, model->about);
    return t.n;
}

/* ---- files ---- */

int bayeslin_save(const bayeslin_model *model, const char *path, char *message, size_t size)
{
    const flat_message m = flat_message_of(message, size);
    const bln_load all = bln_builtin();
    bln_section section = { "flat", NULL, 0 };
    bln_modelfile file = BLN_ZERO;
    bln_report report;
    if (!model || !path) return flat_fail(&m, BLN_EINVAL, "%s is NULL", model ? "path" : "model");
    file.slm = model->slm;
    file.integrated = model->integrated;
    file.glm = model->glm;
    file.scaler = model->scaler;
    section.bytes = model->about;
    section.size = model->about ? strlen(model->about) : 0;
    file.sections = &section;
    file.n_sections = model->about ? 1 : 0;
    return flat_said(&m, bln_modelfile_save(path, &all, &file, &report), &report);
}

/* What was said of the model when it was saved. */
static int flat_read_about(bayeslin_model *model, const bln_section *section, const flat_message *m)
{
    model->about = (char *)malloc(section->size + 1);
    if (!model->about) return flat_memory(m);
    memcpy(model->about, section->bytes, section->size);
    model->about[section->size] = '\0';
    const char *names = strstr(model->about, "\nnames=");
    if (!names) return 0;
    names += 7;
    const size_t length = strcspn(names, "\n");
    char *copy = (char *)malloc(length + 1);
    if (!copy) return flat_memory(m);
    memcpy(copy, names, length);
    copy[length] = '\0';
    const int status = flat_names(model, copy, m);
    free(copy);
    return status;
}

/* Takes over what the file holds. */
static int flat_take(bayeslin_model *model, bln_modelfile *file, const char *path, const flat_message *m)
{
    const bln_section *about = NULL;
    for (size_t i = 0; i < file->n_sections; i++) if (!strcmp(file->sections[i].tag, "flat")) about = file->sections + i;
    const int models = (file->slm != NULL) + (file->integrated != NULL) + (file->glm != NULL);
    if (models != 1 || !file->scaler) return flat_fail(m, BLN_EFORMAT, "%s: not a model with a scaler", path);
    if (file->conformal)
        return flat_fail(m, BLN_EFORMAT, "%s: intervals of this model are calibrated, which only the tool knows", path);
    model->slm = file->slm;
    model->integrated = file->integrated;
    model->glm = file->glm;
    model->scaler = file->scaler;
    file->slm = NULL;
    file->integrated = NULL;
    file->glm = NULL;
    file->scaler = NULL;
    model->d = bln_scaler_columns(model->scaler);
    model->real = !model->glm || !bln_glm_likelihood(model->glm)->ops->discrete;
    const bln_basis *b = flat_basis(model);
    if (bln_scaler_outputs(model->scaler) != 1 || (model->slm && bln_slm_outputs(model->slm) != 1))
        return flat_fail(m, BLN_EFORMAT, "%s: several targets", path);
    if ((b->d != model->d && b->d != 0) || flat_posterior(model)->status != BLN_OK)
        return flat_fail(m, BLN_EFORMAT, "%s: its parts do not belong together", path);
    return about ? flat_read_about(model, about, m) : 0;
}

int bayeslin_load(const char *path, bayeslin_model **out, char *message, size_t size)
{
    const flat_message m = flat_message_of(message, size);
    const bln_load all = bln_builtin();
    bln_modelfile file = BLN_ZERO;
    bln_report report;
    if (out) *out = NULL;
    if (!out || !path) return flat_fail(&m, BLN_EINVAL, "%s is NULL", out ? "path" : "out");
    int status = flat_said(&m, bln_modelfile_load(path, &all, &file, &report), &report);
    if (status) return status;
    bayeslin_model *model = (bayeslin_model *)calloc(1, sizeof *model);
    status = model ? flat_take(model, &file, path, &m) : flat_memory(&m);
    bln_modelfile_free(&file);
    if (status) bayeslin_free(model);
    else *out = model;
    return status;
}

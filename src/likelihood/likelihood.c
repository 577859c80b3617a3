/* likelihood: the interface. Any number of rows is split into blocks of BLN_LIKELIHOOD_BLOCK. Constants of a block are computed on
 * the stack unless the caller supplies them. Functions that a table leaves out are in likelihood_defaults. */
#include "likelihood_private.h"
#include "../math/decimal.h"
#include "../core/status_private.h"
#include "../core/data_private.h"
#include "../core/bytes_private.h"

/* For the likelihoods of the house. */
BLNI_PRIV bln_likelihood blni_likelihood_of(const bln_likelihood_ops *ops, size_t n_theta)
{
    const bln_likelihood l = { ops, n_theta, NULL, 1, 0.0 };
    return l;
}

BLNI_PRIV void blni_param_log(double low, double start, double high, bln_param *out)
{
    out->kind = BLN_PARAM_LOG;
    out->lo = low;
    out->start = start;
    out->hi = high;
}

BLNI_PRIV double blni_trials(const bln_targets *t, size_t i)    { return t->trials ? t->trials[i] : 1.0; }
BLNI_PRIV double blni_noise_var(const bln_targets *t, size_t i) { return t->noise_var ? t->noise_var[i] : 1.0; }

/* Its name in files, with its level: at most 64 bytes. */
BLNI_PRIV void blni_likelihood_told(const bln_likelihood *l, char *text)
{
    const size_t length = strlen(l->ops->name);
    memcpy(text, l->ops->name, length + 1);
    if (!(l->level > 0.0)) return;
    text[length] = ':';
    bln_decimal_write(l->level, 0, text + length + 1);
}

BLN_API bln_status bln_likelihood_find(const bln_likelihood *list, size_t n, const char *name, size_t n_theta, size_t n_latent,
                                       bln_likelihood *out)
{
    if ((!list && n) || !name || !out) return BLN_EINVAL;
    const size_t length = strcspn(name, ":");
    for (size_t i = 0; i < n; i++) {
        if (!list[i].ops || strlen(list[i].ops->name) != length || memcmp(name, list[i].ops->name, length)) continue;
        bln_likelihood found = list[i];
        if (name[length]) {
            const char *end = name + strlen(name);
            const int level = bln_decimal_read(name + length + 1, end, &found.level) == end;
            if (!level || !(list[i].level > 0.0 && found.level > 0.0 && found.level < 1.0)) return BLN_ESHAPE;
        }
        found.n_theta = n_theta;
        found.n_latent = n_latent;
        const int same = list[i].n_theta == n_theta && bln_likelihood_latents(list + i) == bln_likelihood_latents(&found);
        const int sized = list[i].ops->sized && !list[i].n_theta == !n_theta && !bln_likelihood_check(&found);
        if (!same && !sized) return BLN_ESHAPE;
        *out = found;
        return BLN_OK;
    }
    return BLN_EUNKNOWN;
}

/* The rows from `first` on. */
BLNI_PRIV bln_targets blni_targets_from(const bln_targets *t, size_t first)
{
    bln_targets r = *t;
    if (r.y)         r.y         += first;
    if (r.trials)    r.trials    += first;
    if (r.noise_var) r.noise_var += first;
    if (r.constants) r.constants += first;
    return r;
}

/* A block of n <= BLN_LIKELIHOOD_BLOCK rows from `first` on, with its constants. room: BLN_LIKELIHOOD_CONSTANTS blocks. */
BLNI_PRIV bln_targets blni_targets_block(const bln_likelihood *l, const double *theta, const bln_targets *t, size_t first, size_t n,
                                         double *room)
{
    bln_targets b = blni_targets_from(t, first);
    if (l->ops->constants && !b.constants) {
        l->ops->constants(l, theta, n, &b, room);
        b.constants = room;
        b.ldc = n;
    }
    return b;
}

/* p + i, but NULL stays NULL. */
BLNI_PRIV double *blni_shift(double *p, size_t i) { return p ? p + i : NULL; }

/* ---- what a likelihood is */

BLN_API const char *bln_likelihood_check(const bln_likelihood *l)
{
    if (!l) return "likelihood: NULL";
    if (!l->ops) return "likelihood: no table of functions, or a link or a level that it does not have";
    if (!blni_name_ok(l->ops->name)) return "likelihood: name must be 1 to 31 characters of a-z, 0-9 and _";
    if (!(l->level >= 0.0 && l->level < 1.0)) return "likelihood: level must be 0, or between 0 and 1";
    if (!l->ops->latents && bln_likelihood_latents(l) > 1) return "likelihood: several latents, and a table for one";
    if (!l->ops->latents && !l->ops->logp && !l->ops->eval && !l->ops->mixture) return "likelihood: neither logp, eval nor mixture";
    if (l->ops->mixture && (l->ops->latents || !l->ops->mixture->phi))
        return "likelihood: a mixture needs phi, and is of one latent";
    if (l->ops->latents && blni_latents_reason(l)) return blni_latents_reason(l);
    if (l->ops->n_constants > BLN_LIKELIHOOD_CONSTANTS) return "likelihood: too many constants a row";
    if ((l->ops->n_constants > 0) != (l->ops->constants != NULL)) return "likelihood: n_constants and constants do not match";
    if (l->n_theta > BLN_LIKELIHOOD_THETA) return "likelihood: too many parameters";
    if (l->n_theta > 0 && !l->ops->param) return "likelihood: parameters but no function param";
    for (size_t k = 0; k < l->n_theta; k++) {
        bln_param p;
        bln_likelihood_param(l, k, 0.0, 1.0, &p);
        if (bln_param_check(&p, NULL) != BLN_OK) return "likelihood: a parameter without a domain, or with a start outside it";
    }
    if (l->ops->discrete) {
        double low = 0.0, high = 0.0;
        if (l->ops->support) l->ops->support(l, 1.0, &low, &high);
        if (!blni_finite(low)) return "likelihood: a discrete y needs a finite lower end";
    }
    return NULL;
}

BLN_API void bln_likelihood_param(const bln_likelihood *l, size_t k, double mean, double sd, bln_param *out)
{
    const int known = sd > 0.0 && blni_finite(sd) && blni_finite(mean);
    memset(out, 0, sizeof *out);
    l->ops->param(l, k, known ? mean : 0.0, known ? sd : 1.0, out);
}

BLN_API const char *bln_likelihood_param_name(const bln_likelihood *l, size_t k)
{
    static const char *const plain[] = { "theta0", "theta1", "theta2", "theta3", "theta4", "theta5", "theta6", "theta7" };
    if (!l) return NULL;
    if (l->ops->param_name) return l->ops->param_name(l, k);
    return k < sizeof plain/sizeof *plain ? plain[k] : "theta";
}

BLNI_PRIV void blni_support(const bln_likelihood *l, double trials, double *low, double *high)
{
    *low = l->ops->discrete ? 0.0 : -BLNI_INFINITY;
    *high = BLNI_INFINITY;
    if (l->ops->support) l->ops->support(l, trials, low, high);
}

/* A whole number that a double counts exactly. */
BLNI_PRIV int blni_whole(double y) { return y == floor(y) && fabs(y) <= 9007199254740992.0; }

BLNI_PRIV const char *blni_domain(const bln_likelihood *l, double y, double trials)
{
    double low, high;
    if (l->ops->domain) return l->ops->domain(l, y, trials);
    blni_support(l, trials, &low, &high);
    if (l->ops->discrete && !blni_whole(y)) return "y must be a whole number";
    return y >= low && y <= high ? NULL : "y is outside the support of the likelihood";
}

/* Likelihoods with a domain of their own say what they make of trials. `first`: rows that came before. */
BLNI_PRIV bln_status blni_likelihood_check_from(const bln_likelihood *l, const bln_data *data, size_t first, bln_report *report)
{
    BLNI_TRY(blni_data_check_from(data, 1, first, report));
    if (blni_outputs(data) != 1) return blni_refuse(report, BLN_EINVAL, "likelihood: only one output can have one");
    BLNI_TRY(blni_data_check_offsets(data, bln_likelihood_latents(l), 1, report));
    if (data->trials && !l->ops->domain)
        return blni_refuse(report, BLN_EINVAL, "data: this likelihood has no trials");
    if (data->noise_var && l->ops->discrete) return blni_refuse(report, BLN_EINVAL, "data: this likelihood has no noise variance");
    for (size_t i = 0; i < data->n; i++) {
        const double y = blni_y(data, i, 0), *const trials = data->trials ? data->trials + i : NULL;
        const bln_targets row = { &y, trials, data->noise_var ? data->noise_var + i : NULL, NULL, 0 };
        const char *reason = blni_domain(l, y, blni_trials(&row, 0));
        if (!reason && l->ops->mixture) reason = blni_mixture_reason(l, &row);
        if (reason) {
            blni_fail(report, BLN_EDOMAIN, first + i, BLN_NONE, reason);           /* the reason says of which column */
            if (report) report->column = data->d;
            return BLN_EDOMAIN;
        }
    }
    return BLN_OK;
}

BLN_API bln_status bln_likelihood_check_data(const bln_likelihood *l, const bln_data *data, bln_report *report)
{
    const char *reason = bln_likelihood_check(l);
    BLNI_TRY(blni_begin(report, !reason, reason));
    if (!data) return blni_refuse(report, BLN_EINVAL, "data: NULL");
    return blni_likelihood_check_from(l, data, 0, report);
}

/* ---- log p and its derivatives */

/* One block with its constants: */
BLNI_PRIV void blni_logp(BLNI_TARGETS, const double *f, double *logp)
{
    if (l->ops->logp) l->ops->logp(l, theta, n, t, f, logp);
    else if (l->ops->eval) l->ops->eval(l, theta, n, t, f, logp, NULL, NULL, NULL);
    else blni_mixture_bound(l, theta, n, t, f, NULL, logp, NULL, NULL);
}

/* Small, so that it costs single rows nothing. */
BLNI_PRIV void blni_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    if (!d1 && !d2 && !d3) { if (logp) blni_logp(l, theta, n, t, f, logp); }
    else if (l->ops->eval) l->ops->eval(l, theta, n, t, f, logp, d1, d2, d3);
    else blni_default_eval(l, theta, n, t, f, logp, d1, d2, d3);
}

BLN_API void bln_likelihood_logp(BLNI_TARGETS, const double *f, double *logp)
{
    BLNI_BY_CONSTANTS(blni_logp(l, theta, rows, &b, f + i, logp + i))
}

BLN_API void bln_likelihood_eval(BLNI_TARGETS, const double *f, double *logp, double *d1, double *d2, double *d3)
{
    BLNI_BY_CONSTANTS(blni_eval(l, theta, rows, &b, f + i, blni_shift(logp, i), blni_shift(d1, i), blni_shift(d2, i),
                                blni_shift(d3, i)))
}

BLNI_PRIV void blni_likelihood_eval_param(BLNI_TARGETS_K, const double *f, double *dlogp, double *dd1, double *dd2)
{
    BLNI_BY_CONSTANTS(blni_eval_param(l, theta, k, rows, &b, f + i, blni_shift(dlogp, i), blni_shift(dd1, i), blni_shift(dd2, i)))
}

/* ---- the distribution of y given f */

BLNI_PRIV void blni_draw(BLNI_TARGETS, const double *f, bln_rng *rng, double *y)
{
    double u[BLN_LIKELIHOOD_BLOCK];
    if (l->ops->draw) { l->ops->draw(l, theta, n, t, f, rng, y); return; }
    bln_rng_uniforms(rng, n, u);
    blni_quantile(l, theta, n, t, f, u, y);
}

BLNI_PRIV void blni_start(BLNI_TARGETS, double *f)
{
    if (l->ops->start) l->ops->start(l, theta, n, t, f);
    else for (size_t i = 0; i < n; i++) f[i] = 0.0;
}

BLNI_PRIV void blni_singularity(BLNI_TARGETS, double *centre, double *width)
{
    if (l->ops->singularity) { l->ops->singularity(l, theta, n, t, centre, width); return; }
    for (size_t i = 0; i < n; i++) { centre[i] = 0.0; width[i] = 1.0; }
}

BLN_API void bln_likelihood_moments(BLNI_TARGETS, const double *f, double *mean, double *var)
{
    BLNI_BY_BLOCKS(blni_moments(l, theta, rows, &b, f + i, blni_shift(mean, i), blni_shift(var, i)))
}

BLN_API void bln_likelihood_cdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    BLNI_BY_BLOCKS(blni_cdf(l, theta, rows, &b, f + i, blni_shift(lower, i), blni_shift(upper, i)))
}

BLN_API void bln_likelihood_logcdf(BLNI_TARGETS, const double *f, double *lower, double *upper)
{
    BLNI_BY_BLOCKS(blni_logcdf(l, theta, rows, &b, f + i, blni_shift(lower, i), blni_shift(upper, i)))
}

BLN_API void bln_likelihood_quantile(BLNI_TARGETS, const double *f, const double *p, double *y)
{
    BLNI_BY_BLOCKS(blni_quantile(l, theta, rows, &b, f + i, p + i, y + i))
}

BLN_API void bln_likelihood_draw(BLNI_TARGETS, const double *f, bln_rng *rng, double *y)
{
    BLNI_BY_BLOCKS(blni_draw(l, theta, rows, &b, f + i, rng, y + i))
}

BLNI_PRIV void blni_likelihood_start(BLNI_TARGETS, double *f)
{
    BLNI_BY_BLOCKS(blni_start(l, theta, rows, &b, f + i))
}

/* Is each parameter of the likelihood in the domain of its kind? As with a basis's, the ends of searches do not count. */
BLNI_PRIV int blni_eta_usable(const bln_likelihood *l, const double *eta)
{
    for (size_t k = 0; k < l->n_theta; k++) {
        bln_param p;
        bln_likelihood_param(l, k, 0.0, 1.0, &p);
        const int positive = p.kind == BLN_PARAM_POSITIVE || p.kind == BLN_PARAM_LOG;
        if (!blni_finite(eta[k]) || (positive && !(eta[k] > 0.0))) return 0;
        if (p.kind == BLN_PARAM_INTERVAL && !(eta[k] > p.lo && eta[k] < p.hi)) return 0;
    }
    return 1;
}

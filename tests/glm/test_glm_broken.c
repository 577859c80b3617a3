/* The generalised linear model where something gives out in the middle of a fit: a pass over the rows that fails, wherever it is,
 * a likelihood whose numbers make no sense from some evaluation on, and data beyond any scale. There is an error with its reason,
 * or a model with numbers. */
#include "glm_tools.h"

/* ---- passes that fail: the sources from which a fit takes its rows */

typedef struct broken_source { bln_source inner; size_t *left; bln_status status; } broken_source;

static bln_status broken_call(const broken_source *s, bln_report *report)
{
    if (!*s->left) return blni_refuse(report, s->status, "broken source");
    --*s->left;
    return BLN_OK;
}
static bln_status broken_reset(void *user, bln_report *report)
{
    const broken_source *s = (const broken_source *)user;
    const bln_status status = broken_call(s, report);
    return status == BLN_OK ? s->inner.reset(s->inner.user, report) : status;
}
static bln_status broken_next(void *user, size_t most, bln_data *rows, bln_report *report)
{
    const broken_source *s = (const broken_source *)user;
    const bln_status status = broken_call(s, report);
    return status == BLN_OK ? s->inner.next(s->inner.user, most, rows, report) : status;
}
static void broken_wrap(bln_source *source, broken_source *s, size_t *left, bln_status status)
{
    s->inner = *source;
    s->left = left;
    s->status = status;
    source->user = s;
    source->reset = broken_reset;
    source->next = broken_next;
}

/* Rows with an outlier, whose W is negative for a Student-t, and of which the first has no features but a constant. */
enum { BROKEN_N = 9 };
static const double broken_X[2*BROKEN_N] = { 0.0, 0.0, 0.3, -1.1, 2.1, 0.5, -0.7, 1.9, 1.3, -0.2, -1.5, 0.8, 0.1, -2.2, 0.9, 0.4,
    -0.3, 1.2 };
static const double broken_real[BROKEN_N] = { 0.3, 1.1, -0.4, 2.7, 0.9, -11.8, 0.2, 1.4, -0.9 };
static const double broken_coin[BROKEN_N] = { 0, 1, 1, 0, 1, 0, 1, 0, 1 };
static const double broken_class[BROKEN_N] = { 0, 1, 2, 0, 1, 2, 0, 1, 2 };

/* A way to fit; wide: fewer rows than features. */
typedef struct broken_way { glm_way way; int batch, wide, likelihood; size_t starts; } broken_way;
static const broken_way broken_ways[] = {
    { GLM_LAPLACE, 0, 0, 0, 0 }, { GLM_LAPLACE, 0, 0, 1, 0 }, { GLM_LAPLACE, 0, 1, 0, 0 }, { GLM_LAPLACE, 0, 1, 1, 0 },
    { GLM_LAPLACE, 0, 0, 2, 0 }, { GLM_MAP, 0, 0, 0, 0 }, { GLM_MAP, 0, 0, 1, 0 }, { GLM_MAP, 4, 0, 0, 0 },
    { GLM_FULL, 0, 0, 0, 0 }, { GLM_FULL, 0, 1, 0, 0 }, { GLM_FULL, 4, 0, 0, 0 }, { GLM_FULL, 0, 0, 2, 0 },
    { GLM_MIXTURE, 0, 0, 0, 2 },
    { GLM_MIXTURE, 4, 0, 0, 0 }, { GLM_NPV, 0, 0, 0, 0 }, { GLM_SGVI, 4, 0, 0, 0 }, { GLM_INTEGRATED, 0, 0, 0, 0 },
    { GLM_INTEGRATED, 0, 1, 0, 0 }, { GLM_CAVI, 0, 0, 0, 0 }, { GLM_CAVI, 0, 1, 0, 0 }, { GLM_CAVI, 4, 0, 0, 0 },
    { GLM_GIBBS, 0, 0, 0, 0 }, { GLM_GIBBS, 0, 1, 0, 0 }, { GLM_NUTS, 0, 0, 0, 0 }, { GLM_NUTS, 0, 1, 0, 0 }
};
enum { BROKEN_WAYS = sizeof broken_ways/sizeof *broken_ways };

static bln_glm_desc broken_desc(const broken_way *w, const bln_basis *b, bln_data *data)
{
    const bln_likelihood l = w->likelihood == 0 ? bln_likelihood_binomial(BLN_LINK_LOGIT)
                           : w->likelihood == 1 ? bln_likelihood_student_t() : bln_likelihood_categorical(3);
    bln_glm_desc desc = glm_desc(b, l);
    glm_options options = glm_no_options();
    options.steps.batch = (size_t)w->batch;
    options.starts = options.components = w->starts;
    options.nodes = 8;
    desc.method = glm_by(w->way, &options);
    desc.max_iterations = 3;
    *data = slm_view(BROKEN_N, 2, broken_X, w->likelihood == 0 ? broken_coin : w->likelihood == 1 ? broken_real : broken_class);
    return desc;
}

/* All sources of a fit that has begun; of nuts each chain has one of its own. */
static void broken_wrap_all(blni_glm_fit *f, broken_source *s, size_t *left, bln_status status)
{
    broken_wrap(&f->source, s++, left, status);
    if (f->search.steps) broken_wrap(&f->batches.source, s++, left, status);
    if (f->method != bln_glm_nuts(NULL).ops) return;
    const blni_drawn *t = (const blni_drawn *)f->state;
    broken_wrap(&t->drift->joint->f->source, s++, left, status);
    for (size_t c = 0; c < t->own.chains; c++) {
        const blni_drift *to = (const blni_drift *)t->hmc->chain[c].system.user;
        if (to != t->drift) broken_wrap(&to->joint->f->source, s++, left, status);
    }
}

/* An error of input is passed on with its reason. One of numbers is too, or is taken for a bad point: then there is another reason,
 * or a model. */
TEST(glm_broken, passes)
{
    bln_basis *narrow = slm_parse("bias + rbf:n=1", 2, 3), *wide = slm_parse("bias + rbf:n=6", 2, 3);
    for (size_t k = 0; k < 2*BROKEN_WAYS; k++) {
        const broken_way *w = broken_ways + k/2;
        const bln_status status = k % 2 ? BLN_ENUMERIC : BLN_EIO;
        bln_data data;
        const bln_glm_desc desc = broken_desc(w, w->wide ? wide : narrow, &data);
        int whole = 0;
        const int slow = w->way == GLM_NUTS || w->way == GLM_INTEGRATED || (k % 2 && w->way != GLM_MIXTURE);
        for (size_t at = 0; !whole && at < 1000000; at += slow && at > 150 ? at : 1 + at/256) {
            broken_source sources[16];
            bln_report report;
            size_t left = at;
            bln_status found = BLN_OK;
            bln_glm *glm = glm_new(&desc);
            CHECK_OK(bln_glm_init(glm, &data, &report));
            if (!glm->fit) { bln_glm_free(glm); break; }
            broken_wrap_all(glm->fit, sources, &left, status);
            while (found == BLN_OK && !bln_glm_converged(glm)) found = bln_glm_step(glm, &report);
            if (found == BLN_OK) found = bln_glm_finish(glm, &report);
            whole = left > 0 && found == BLN_OK;
            if (status == BLN_EIO) CHECK(found == BLN_OK || (found == status && strstr(report.text, "broken source")));
            else CHECK(found == BLN_OK || ((found == status || found == BLN_EUNDEFINED) && report.text[0]));
            CHECK((bln_glm_objective(glm) == bln_glm_objective(glm)) == (found == BLN_OK));
            bln_glm_free(glm);
        }
        CHECK(whole);
    }
    bln_basis_free(narrow);
    bln_basis_free(wide);
}

/* ---- a likelihood that makes no sense from some evaluation on, or once */

typedef enum broken_how { BROKEN_LOGP_NAN, BROKEN_LOGP_INFINITE, BROKEN_SLOPE_NAN, BROKEN_SLOPE_INFINITE, BROKEN_SLOPE_LARGE,
                          BROKEN_FLAT, BROKEN_CONVEX, BROKEN_CURVED, BROKEN_CURVE_NAN, BROKEN_HOWS } broken_how;
typedef struct broken_user { size_t left, calls; broken_how how; int once; } broken_user;

static void broken_eval(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                        double *logp, double *d1, double *d2, double *d3)
{
    broken_user *u = (broken_user *)(uintptr_t)l->user;
    const size_t call = u->calls++;
    bln_likelihood_student_t().ops->eval(l, theta, n, t, f, logp, d1, d2, d3);
    if (call < u->left || (u->once && call > u->left)) return;
    for (size_t i = 0; i < n; i++) {
        if (logp && u->how == BROKEN_LOGP_NAN) logp[i] = BLNI_NAN;
        if (logp && u->how == BROKEN_LOGP_INFINITE) logp[i] = -HUGE_VAL;
        if (d1 && u->how == BROKEN_SLOPE_NAN) d1[i] = BLNI_NAN;
        if (d1 && u->how == BROKEN_SLOPE_INFINITE) d1[i] = HUGE_VAL;
        if (d1 && u->how == BROKEN_SLOPE_LARGE) d1[i] = 1e200;
        if (d2 && u->how == BROKEN_FLAT) d2[i] = 0.0;
        if (d2 && u->how == BROKEN_CONVEX) d2[i] = 1e6;
        if (d2 && u->how == BROKEN_CURVED) d2[i] = -HUGE_VAL;
        if (d2 && u->how == BROKEN_CURVE_NAN) d2[i] = BLNI_NAN;
    }
}
static void broken_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f, double *logp)
{
    broken_eval(l, theta, n, t, f, logp, NULL, NULL, NULL);
}

/* Whatever it is: an error with its reason and a model that knows nothing, or a model with numbers. */
TEST(glm_broken, likelihoods)
{
    static const double flat[3] = { 1.0, HUGE_VAL, HUGE_VAL };
    bln_basis *b = slm_parse("bias + linear:ones=0", 2, 3), *wide = slm_parse("bias + rbf:n=6", 2, 3);
    bln_likelihood_ops ops = *bln_likelihood_student_t().ops;
    ops.eval = broken_eval;
    ops.logp = broken_logp;
    ops.normal_expect = NULL;
    for (size_t k = 0; k < BROKEN_WAYS + 2; k++)
        for (int how = 0; how < 2*BROKEN_HOWS; how++) {
            const broken_way *w = broken_ways + k % BROKEN_WAYS;
            broken_user user = { 0, 0, BROKEN_LOGP_NAN, 0 };
            bln_data data;
            const int slow = w->way == GLM_NUTS || w->way == GLM_INTEGRATED;
            if (w->likelihood == 2 || w->way == GLM_CAVI || w->way == GLM_GIBBS || (slow && (w->wide || how % 2))) continue;
            bln_glm_desc desc = broken_desc(w, w->wide ? wide : b, &data);
            data.y = broken_real;
            if (k >= BROKEN_WAYS) desc.prior_var = flat;                 /* of Laplace's method */
            desc.likelihood = bln_likelihood_student_t();
            desc.likelihood.ops = &ops;
            desc.likelihood.user = &user;
            user.how = (broken_how)(how/2);
            user.once = how % 2;
            for (size_t at = 0, calls = 0; at == 0 || at < calls; at += 1 + (slow ? 8*at : k < BROKEN_WAYS ? at/2 : 0)) {
                bln_report report;
                bln_glm *glm = glm_new(&desc);
                user.left = at ? at - 1 : (size_t)-1;                    /* first all goes well: so many evaluations are there */
                user.calls = 0;
                const bln_status status = bln_glm_fit(glm, &data, &report);
                const double objective = bln_glm_objective(glm);
                if (!at) calls = user.calls;
                CHECK(status == BLN_OK ? blni_finite(objective) : report.text[0] && objective != objective);
                CHECK(status == BLN_OK || status == BLN_ENUMERIC || status == BLN_EUNDEFINED || status == BLN_ENOTPD);
                bln_glm_free(glm);
            }
        }
    bln_basis_free(b);
    bln_basis_free(wide);
}

/* ---- data that hardly anybody has, by the methods with auxiliary variables */

typedef enum broken_data { BROKEN_HUGE, BROKEN_ONE_CLASS, BROKEN_50_CLASSES, BROKEN_TWINS, BROKEN_ONE_ROW, BROKEN_FAR } broken_data;
static const struct { const char *name; broken_data what; } broken_rows[] = {
    { "negative_binomial", BROKEN_HUGE }, { "poisson_logistic", BROKEN_HUGE }, { "gaussian", BROKEN_HUGE },
    { "student_t", BROKEN_HUGE }, { "laplace", BROKEN_HUGE },
    { "binomial_logit", BROKEN_ONE_CLASS }, { "binomial_probit", BROKEN_ONE_CLASS }, { "logistic_softmax", BROKEN_ONE_CLASS },
    { "logistic_softmax", BROKEN_50_CLASSES },
    { "binomial_logit", BROKEN_TWINS }, { "student_t", BROKEN_TWINS },
    { "binomial_logit", BROKEN_ONE_ROW }, { "binomial_probit", BROKEN_ONE_ROW }, { "negative_binomial", BROKEN_ONE_ROW },
    { "poisson_logistic", BROKEN_ONE_ROW }, { "gaussian", BROKEN_ONE_ROW }, { "student_t", BROKEN_ONE_ROW },
    { "laplace", BROKEN_ONE_ROW }, { "heteroscedastic", BROKEN_ONE_ROW }, { "logistic_softmax", BROKEN_ONE_ROW },
    { "binomial_logit", BROKEN_FAR }, { "binomial_probit", BROKEN_FAR }, { "negative_binomial", BROKEN_FAR },
    { "student_t", BROKEN_FAR }, { "laplace", BROKEN_FAR }
};

/* Only targets of 1e15 may be refused, with a reason. Moments may be infinite: those of counts above e^709, and of a Student-t with
 * few degrees of freedom. */
TEST(glm_broken, extremes)
{
    for (size_t k = 0; k < sizeof broken_rows/sizeof *broken_rows; k++)
        for (int gibbs = 0; gibbs < 2; gibbs++) {
            const broken_data what = broken_rows[k].what;
            double X[2*BROKEN_N], y[BROKEN_N], offset[BROKEN_N], mean[50*BROKEN_N], var[2][50*BROKEN_N];
            bln_data data = slm_view(what == BROKEN_ONE_ROW ? 1 : what == BROKEN_50_CLASSES ? 3 : BROKEN_N, 2, X, y);
            bln_spec_desc spec = BLN_ZERO;
            bln_basis *b = NULL;
            bln_report report;
            const bln_likelihood l = what == BROKEN_50_CLASSES ? bln_likelihood_logistic_softmax(50, BLN_SOFTMAX_BIJECTIVE)
                                                               : augmented_named(broken_rows[k].name);
            memcpy(X, broken_X, sizeof X);
            for (size_t i = 0; i < BROKEN_N; i++) {
                y[i] = !l.ops->discrete ? broken_real[i] : l.n_latent > 1 ? broken_class[i] : broken_coin[i];
                if (what == BROKEN_HUGE) y[i] *= 1e15;
                if (what == BROKEN_ONE_CLASS) y[i] = 1.0;
                if (what == BROKEN_50_CLASSES) y[i] = 24.0*(double)(i % 3);
                if (what == BROKEN_TWINS) memcpy(X + 2*i, X + 2*(i % 3), 2*sizeof *X);
                offset[i] = i % 2 ? 700.0 : -700.0;
            }
            if (what == BROKEN_FAR) data.offset = offset;
            spec.text = what == BROKEN_TWINS ? "bias + gp" : "bias + linear:ones=0";
            spec.d = 2;
            spec.rows = &data;
            CHECK_OK(bln_basis_parse(&spec, &b, &report));
            if (!b) { puts(report.text); return; }
            bln_glm_desc desc = glm_desc(b, l);
            desc.method = glm_by(gibbs ? GLM_GIBBS : GLM_CAVI, NULL);
            desc.max_iterations = 3;                             /* short: where it ends does not matter here */
            bln_glm *glm = glm_new(&desc);
            const bln_status status = bln_glm_fit(glm, &data, &report);
            CHECK(status == BLN_OK ? blni_finite(bln_glm_objective(glm)) : what == BROKEN_HUGE && report.text[0]);
            if (status == BLN_OK) {
                const size_t n = data.n*(l.n_latent > 1 && l.ops->discrete ? l.n_latent : 1);
                const bln_chains *chains = bln_glm_chains(glm);
                CHECK(!gibbs || blni_all_finite(60*bln_chains_columns(chains), bln_chains_table(chains)));
                CHECK_OK(bln_posterior_predict(bln_glm_posterior(glm), &data, mean, var[0], var[1], NULL, &report));
                for (size_t i = 0; i < n; i++) CHECK(mean[i] == mean[i] && var[0][i] >= 0.0 && var[1][i] >= 0.0);
            }
            bln_glm_free(glm);
            bln_basis_free(b);
        }
}

SUITE_BEGIN(glm_broken)
SUITE_TEST(glm_broken, passes)
SUITE_TEST(glm_broken, likelihoods)
SUITE_TEST(glm_broken, extremes)
SUITE_END(glm_broken)

/* test_equivariance - what must not matter does not: the unit and the zero of y and of x, the order of the rows, copies against
 * weights, blocks, shards and the order of their merging, rows that came and went. In the primal and the dual form, from rows and
 * from statistics, in double, in three doubles and by QR; for the evidence, its gradients, coefficients and predictions.
 *
 * At given hyper-parameters both sides are the same number but for rounding. The designs have kappa(B) <= 1 + lambda |G|/sigma^2 of
 * about 1e4, so that a solution keeps eps kappa ~ 2e-12 and sums of 50 rows some eps more: 1e-10 relative leaves a factor of 20.
 * The measure of a vector is its largest entry, that of a gradient at least N, which its terms add up to before they cancel
 * [linear 13]. Learnt ones stop at a relative progress of 1e-12 of the evidence: evidence to 1e-8, predictions to 1e-4 sd. */
#include "slm_tools.h"
#include "posterior_of.h"

enum { EQ_N = 36, EQ_Q = 6, EQ_D = 2, EQ_ROWS = 3*EQ_N, EQ_FEATURES = 128, EQ_PRIORS = 4 };

/* ---- what is asked, and of which model */

typedef struct eq_case {
    const char *spec;
    bln_slm_form form;
    bln_slm_arithmetic arithmetic;
    int flat;                          /* the first slice has a flat prior */
    int full;                          /* weights, row variances, offsets; 2: weights 0 and 1 only */
} eq_case;

static const eq_case eq_cases[] = {
    { "linear",                         BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 1 },
    { "linear",                         BLN_SLM_PRIMAL, BLN_SLM_EXACT,  0, 1 },
    { "linear",                         BLN_SLM_DUAL,   BLN_SLM_DOUBLE, 0, 1 },
    { "polynomial:degree=3",            BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 0 },
    { "polynomial:degree=3",            BLN_SLM_PRIMAL, BLN_SLM_EXACT,  0, 1 },
    { "linear:cols=0+polynomial:degree=2,cols=1,ones=0", BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 1 },
    { "bias+linear:ones=0",             BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 1, 1 },
    { "bias+linear:ones=0",             BLN_SLM_PRIMAL, BLN_SLM_EXACT,  1, 1 },
    { "bias+rbf:n=9,ard+linear:ones=0", BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 1, 1 },
    { "rbf:n=9,ard+linear",             BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 1 },
    { "rbf:n=9,ard+linear",             BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 0 },
    { "rbf:n=50,ard+linear",            BLN_SLM_DUAL,   BLN_SLM_DOUBLE, 0, 1 },
    { "matern32:n=50,ard",              BLN_SLM_DUAL,   BLN_SLM_DOUBLE, 0, 0 },
    { "polynomial:degree=3",            BLN_SLM_PRIMAL, BLN_SLM_QR,     0, 1 },
    { "bias+rbf:n=9,ard+linear:ones=0", BLN_SLM_PRIMAL, BLN_SLM_QR,     1, 1 },
    { "rbf:n=9,ard+linear",             BLN_SLM_PRIMAL, BLN_SLM_QR,     0, 0 }
};
enum { EQ_CASES = sizeof eq_cases/sizeof *eq_cases };

typedef struct eq_hyper { double noise, prior[EQ_PRIORS], theta[EQ_D]; } eq_hyper;

static eq_hyper eq_hyper_of(const eq_case *c)
{
    eq_hyper h;
    h.noise = 0.2;
    h.prior[0] = c->flat ? HUGE_VAL : 0.8;
    h.prior[1] = 0.3;
    h.prior[2] = 0.5;
    h.prior[3] = 1.0;
    h.theta[0] = 1.1;
    h.theta[1] = 1.7;
    return h;
}

/* Rows that belong to a test: room for three copies of each. */
typedef struct eq_rows { bln_data data; double X[EQ_ROWS*EQ_D], y[EQ_ROWS], w[EQ_ROWS], v[EQ_ROWS], o[EQ_ROWS]; } eq_rows;

static void eq_view(eq_rows *r, size_t n, int weight, int noise_var, int offset)
{
    memset(&r->data, 0, sizeof r->data);
    r->data.n = n;
    r->data.d = EQ_D;
    r->data.X = r->X;
    r->data.y = r->y;
    if (weight)    r->data.weight = r->w;
    if (noise_var) r->data.noise_var = r->v;
    if (offset)    r->data.offset = r->o;
}

/* Row `from` of a becomes row `to` of b. */
static void eq_row(const eq_rows *a, size_t from, eq_rows *b, size_t to)
{
    for (size_t j = 0; j < EQ_D; j++) b->X[to*EQ_D + j] = a->X[from*EQ_D + j];
    b->y[to] = a->y[from];
    b->w[to] = a->w[from];
    b->v[to] = a->v[from];
    b->o[to] = a->o[from];
}

static void eq_make(size_t n, uint64_t salt, int full, eq_rows *r)
{
    test_random g = test_random_new(salt);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < EQ_D; j++) r->X[i*EQ_D + j] = test_normal(&g);
        r->w[i] = i % 9 == 4 ? 0.0 : full == 2 ? 1.0 : 1.0 + floor(3.0*test_uniform(&g));      /* 0, 1, 2, 3 */
        r->v[i] = 0.3 + 2.0*test_uniform(&g);
        r->o[i] = test_normal(&g);
        r->y[i] = 0.3 + sin(1.3*r->X[i*EQ_D]) + cos(r->X[i*EQ_D + 1]) + 0.4*test_normal(&g);
    }
    eq_view(r, n, full, full, full);
}

typedef struct eq_answer {
    size_t D, n_priors, n_theta;
    int gradients;
    double evidence, N, d_noise, d_prior[EQ_PRIORS], d_theta[EQ_D], m[EQ_FEATURES], sd[EQ_FEATURES], mean[EQ_Q], var[EQ_Q];
} eq_answer;

static bln_slm_desc eq_desc(const eq_case *c, const bln_basis *b, const eq_hyper *h, size_t block)
{
    bln_slm_desc d = slm_desc(b, c->form);
    d.arithmetic = c->arithmetic;
    d.noise_var = h->noise;
    d.prior_var = h->prior;
    d.theta = b->n_theta ? h->theta : NULL;
    d.fix_noise_var = d.fix_prior_var = d.fix_theta = 1;
    d.block = block;
    d.tolerance = 1e-12;
    return d;
}

static void eq_read(const bln_slm *slm, const bln_data *query, eq_answer *a)
{
    const bln_basis *b = bln_slm_basis(slm);
    a->D = b->D;
    a->n_priors = b->n_slices;
    a->n_theta = b->n_theta;
    a->evidence = bln_slm_evidence(slm);
    a->N = bln_slm_rows(slm);
    memcpy(a->m, gaussians_of(bln_slm_posterior(slm))->m, b->D*sizeof(double));
    CHECK_OK(sd_of(bln_slm_posterior(slm), a->sd));
    CHECK_OK(total_of(bln_slm_posterior(slm), query, a->mean, NULL, a->var, NULL, NULL));
}

/* From rows, with gradients; or from statistics, which have none. */
static eq_answer eq_ask(const eq_case *c, const bln_basis *b, const eq_hyper *h, size_t block, const bln_data *rows,
                        const bln_statistics *t, const bln_data *query)
{
    const bln_slm_desc d = eq_desc(c, b, h, block);
    eq_answer a;
    bln_slm *slm = slm_new(&d);
    memset(&a, 0, sizeof a);
    a.gradients = !t;
    CHECK_OK(t ? bln_slm_fit_statistics(slm, t, NULL) : bln_slm_fit(slm, rows, NULL));
    eq_read(slm, query, &a);
    if (!t) {
        double value = 0.0;
        CHECK_OK(bln_slm_evidence_at(slm, rows, h->noise, h->prior, h->theta, &value, &a.d_noise, a.d_prior,
                                     b->n_theta ? a.d_theta : NULL, NULL));
        /* Theta's gradient needs double arithmetic, so that the values of an exact fit differ by rounding. */
        CHECK_REL(value, a.evidence, 1e-10);
    }
    bln_slm_free(slm);
    return a;
}

static double eq_largest(size_t n, const double *x)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* x/scale against want, relative to the largest of want, or to `least`. */
static void eq_vector(size_t n, const double *x, double scale, const double *want, double least, double tolerance)
{
    const double size = fmax(eq_largest(n, want), least);
    for (size_t i = 0; i < n; i++) CHECK_NEAR(x[i]/scale, want[i], tolerance*size);
}

/* b against a, where b's targets are `scale` times a's and its evidence is to be larger by `shift`. Without coefficients when these
 * are to differ. */
static void eq_compare(const eq_answer *b, const eq_answer *a, double scale, double shift, int coefficients, double tolerance)
{
    CHECK_NEAR(b->evidence - shift, a->evidence, tolerance*fmax(fabs(a->evidence), fabs(shift)));
    CHECK_NEAR(b->N, a->N, tolerance*a->N);
    eq_vector(EQ_Q, b->mean, scale, a->mean, 0.0, tolerance);
    eq_vector(EQ_Q, b->var, scale*scale, a->var, 0.0, tolerance);
    if (coefficients) {
        eq_vector(a->D, b->m, scale, a->m, 0.0, tolerance);
        eq_vector(a->D, b->sd, scale, a->sd, 0.0, tolerance);
    }
    if (!a->gradients || !b->gradients) return;
    CHECK_NEAR(b->d_noise, a->d_noise, tolerance*a->N);
    eq_vector(a->n_priors, b->d_prior, 1.0, a->d_prior, a->N, tolerance);
    eq_vector(a->n_theta, b->d_theta, 1.0, a->d_theta, a->N, tolerance);
}

/* N less the number of flat weights: what the evidence counts as degrees of freedom. */
static double eq_freedom(const eq_case *c, const eq_answer *a) { return a->N - (c->flat ? 1.0 : 0.0); }

/* ---- at given hyper-parameters */

/* y and offsets times f: sigma^2 and lambda times f^2; the evidence falls by N log f, the posterior scales with f. */
TEST(equivariance, unit_of_y)
{
    static const double factors[] = { 1e-12, 1e-5, 3.0, 1e6, 1e12 };
    for (size_t k = 0; k < EQ_CASES; k++) {
        const eq_case *c = eq_cases + k;
        static eq_rows rows, query, other, other_query;
        eq_make(EQ_N, 1, c->full, &rows);
        eq_make(EQ_Q, 2, c->full, &query);
        bln_basis *b = slm_parse(c->spec, EQ_D, 1);
        const eq_hyper h = eq_hyper_of(c);
        const eq_answer a = eq_ask(c, b, &h, 0, &rows.data, NULL, &query.data);
        for (size_t i = 0; i < sizeof factors/sizeof *factors; i++) {
            const double f = factors[i];
            eq_hyper scaled = h;
            eq_make(EQ_N, 1, c->full, &other);
            eq_make(EQ_Q, 2, c->full, &other_query);
            for (size_t j = 0; j < EQ_N; j++) { other.y[j] *= f; other.o[j] *= f; }
            for (size_t j = 0; j < EQ_Q; j++) other_query.o[j] *= f;
            scaled.noise *= f*f;
            for (size_t j = 0; j < EQ_PRIORS; j++) scaled.prior[j] *= f*f;
            const eq_answer s = eq_ask(c, b, &scaled, 0, &other.data, NULL, &other_query.data);
            eq_compare(&s, &a, f, -eq_freedom(c, &a)*log(f), 1, 1e-10);
        }
        bln_basis_free(b);
    }
}

static void eq_shuffle(test_random *g, size_t n, size_t *order)
{
    for (size_t i = 0; i < n; i++) order[i] = i;
    for (size_t i = n; i-- > 1;) {
        const size_t j = (size_t)(test_uniform(g)*(double)(i + 1)), keep = order[i];
        order[i] = order[j];
        order[j] = keep;
    }
}

/* Rows in another order; a row of weight k as k rows, one of weight 0 left out; blocks of any size; a source. */
TEST(equivariance, order_copies_and_blocks)
{
    static const size_t blocks[] = { 1, 2, 7, EQ_N, 1000 };
    for (size_t k = 0; k < EQ_CASES; k++) {
        const eq_case *c = eq_cases + k;
        static eq_rows rows, query, other;
        size_t order[EQ_N], n = 0;
        test_random g = test_random_new(3);
        eq_make(EQ_N, 1, c->full, &rows);
        eq_make(EQ_Q, 2, c->full, &query);
        bln_basis *b = slm_parse(c->spec, EQ_D, 1);
        const eq_hyper h = eq_hyper_of(c);
        const eq_answer a = eq_ask(c, b, &h, 0, &rows.data, NULL, &query.data);
        for (int time = 0; time < 2; time++) {
            eq_shuffle(&g, EQ_N, order);
            for (size_t i = 0; i < EQ_N; i++) eq_row(&rows, order[i], &other, i);
            eq_view(&other, EQ_N, c->full, c->full, c->full);
            const eq_answer p = eq_ask(c, b, &h, 0, &other.data, NULL, &query.data);
            eq_compare(&p, &a, 1.0, 0.0, 1, 1e-10);
        }
        for (size_t i = 0; i < EQ_N; i++)
            for (size_t copy = c->full ? (size_t)rows.w[i] : 1; copy-- > 0;) eq_row(&rows, i, &other, n++);
        eq_view(&other, n, 0, c->full, c->full);
        const eq_answer copies = eq_ask(c, b, &h, 0, &other.data, NULL, &query.data);
        eq_compare(&copies, &a, 1.0, 0.0, 1, 1e-10);
        for (size_t i = 0; i < sizeof blocks/sizeof *blocks; i++) {
            const eq_answer s = eq_ask(c, b, &h, blocks[i], &rows.data, NULL, &query.data);
            eq_compare(&s, &a, 1.0, 0.0, 1, 1e-10);
            bln_slm_desc d = eq_desc(c, b, &h, blocks[i]);
            bln_data_reader reader;
            const bln_source source = bln_source_of(&rows.data, &reader);
            bln_slm *slm = slm_new(&d);
            eq_answer from_source;
            memset(&from_source, 0, sizeof from_source);
            CHECK_OK(bln_slm_fit_source(slm, &source, NULL));
            eq_read(slm, &query.data, &from_source);
            eq_compare(&from_source, &a, 1.0, 0.0, 1, 1e-10);
            bln_slm_free(slm);
        }
        bln_basis_free(b);
    }
}

static bln_statistics *eq_statistics(const eq_case *c, const bln_basis *b, const eq_hyper *h, size_t block)
{
    bln_statistics_desc d = BLN_ZERO;
    bln_statistics *t = NULL;
    d.basis = b;
    d.theta = b->n_theta ? h->theta : NULL;
    d.exact = c->arithmetic == BLN_SLM_EXACT;
    d.qr = c->arithmetic == BLN_SLM_QR;
    d.block = block;
    CHECK_OK(bln_statistics_create(&d, &t, NULL));
    if (!t) exit(1);
    return t;
}

/* The rows over random shards in pieces of random lengths, these merged in a random order, with other rows that came before and
 * went again: the posterior of the rows. In double the rows that went leave the rounding of their squares, a few times those of
 * the rest. */
TEST(equivariance, shards_merges_and_downdates)
{
    enum { SHARDS = 5 };
    for (size_t k = 0; k < EQ_CASES; k++) {
        const eq_case *c = eq_cases + k;
        static eq_rows rows, query, other, extra;
        test_random g = test_random_new(5);
        size_t order[EQ_N], merge[SHARDS];
        if (c->form == BLN_SLM_DUAL) continue;
        eq_make(EQ_N, 1, c->full, &rows);
        eq_make(EQ_Q, 2, c->full, &query);
        eq_make(EQ_N, 4, c->full, &extra);
        bln_basis *b = slm_parse(c->spec, EQ_D, 1);
        const eq_hyper h = eq_hyper_of(c);
        const eq_answer a = eq_ask(c, b, &h, 0, &rows.data, NULL, &query.data);
        for (int time = 0; time < 4; time++) {
            bln_statistics *shard[SHARDS], *t = eq_statistics(c, b, &h, 4);
            for (size_t s = 0; s < SHARDS; s++) shard[s] = eq_statistics(c, b, &h, 1 + 3*s);
            eq_shuffle(&g, EQ_N, order);
            for (size_t i = 0; i < EQ_N; i++) eq_row(&rows, order[i], &other, i);
            eq_view(&other, EQ_N, c->full, c->full, c->full);
            const int more = time && c->arithmetic != BLN_SLM_QR;            /* a triangle gives no rows back */
            if (more) CHECK_OK(bln_statistics_add(shard[time], &extra.data, NULL));
            for (size_t at = 0; at < EQ_N;) {
                const size_t n = 1 + (size_t)(6.0*test_uniform(&g)), s = (size_t)(SHARDS*test_uniform(&g));
                const bln_data piece = bln_data_rows(&other.data, at, n < EQ_N - at ? n : EQ_N - at);
                CHECK_OK(bln_statistics_add(shard[s], &piece, NULL));
                at += piece.n;
            }
            eq_shuffle(&g, SHARDS, merge);
            for (size_t s = 0; s < SHARDS; s++) CHECK_OK(bln_statistics_merge(t, shard[merge[s]], NULL));
            for (size_t at = 0; at < EQ_N && more; at += 9) {                /* not in the pieces in which they came */
                const bln_data piece = bln_data_rows(&extra.data, at, 9);
                CHECK_OK(bln_statistics_remove(t, &piece, NULL));
            }
            const eq_answer s = eq_ask(c, b, &h, 0, NULL, t, &query.data);
            eq_compare(&s, &a, 1.0, 0.0, 1, 1e-10);
            bln_statistics_free(t);
            for (size_t i = 0; i < SHARDS; i++) bln_statistics_free(shard[i]);
        }
        bln_basis_free(b);
    }
}

static void eq_shift(eq_rows *r, const double *by)
{
    for (size_t i = 0; i < r->data.n; i++)
        for (size_t j = 0; j < EQ_D; j++) r->X[i*EQ_D + j] += by[j];
}

/* x shifted, with a flat intercept: a linear slice keeps its slopes, and everything but the intercept, evidence included, for the
 * intercept's density is 1 wherever it lies. In double a shift by a leaves kappa(B) a^2 times what it was, so that it is a = 10
 * there; with three doubles it may be 3e6, and predictions keep eps times kappa of the rounded factor, also 3e6: 1e-8. With all
 * weights flat, of a quadratic, the powers mix, by a matrix of determinant 1; the factor's kappa is the square of the shift. */
TEST(equivariance, zero_of_x)
{
    static const char *const specs[] = { "bias+linear:ones=0", "bias+linear:ones=0", "polynomial:degree=2" };
    for (size_t k = 0; k < 3; k++) {
        const double tolerance = k ? 1e-8 : 1e-9;
        const eq_case c = { specs[k], BLN_SLM_PRIMAL, k == 0 ? BLN_SLM_DOUBLE : BLN_SLM_EXACT, 1, 1 };
        const double a = k == 0 ? 10.0 : k == 1 ? 1048576.0 : 1024.0, by[EQ_D] = { a, -3.0*a };
        static eq_rows rows, query;
        if (k && !blni_exact_available()) continue;
        eq_make(EQ_N, 1, 1, &rows);
        eq_make(EQ_Q, 2, 1, &query);
        /* 20 bits each, so that a shift is exact. */
        for (size_t i = 0; i < EQ_N*EQ_D; i++) rows.X[i] = floor(rows.X[i]*1048576.0)/1048576.0;
        for (size_t i = 0; i < EQ_Q*EQ_D; i++) query.X[i] = floor(query.X[i]*1048576.0)/1048576.0;
        bln_basis *b = slm_parse(c.spec, EQ_D, 1);
        const eq_hyper h = eq_hyper_of(&c);
        const eq_answer before = eq_ask(&c, b, &h, 0, &rows.data, NULL, &query.data);
        eq_shift(&rows, by);
        eq_shift(&query, by);
        const eq_answer after = eq_ask(&c, b, &h, 0, &rows.data, NULL, &query.data);
        eq_compare(&after, &before, 1.0, 0.0, 0, tolerance);
        for (size_t j = 1; j < b->D && k < 2; j++) {
            CHECK_NEAR(after.m[j], before.m[j], tolerance*eq_largest(b->D, before.m));
            CHECK_REL(after.sd[j], before.sd[j], tolerance);
        }
        if (k < 2) CHECK_NEAR(after.m[0], before.m[0] - by[0]*before.m[1] - by[1]*before.m[2], tolerance*fabs(after.m[0]));
        bln_basis_free(b);
    }
}

/* y shifted, with a flat intercept: only the intercept and the predictions move. The squares of y grow by (shift/sd)^2 = 1e4, and
 * with them the rounding of q and RSS in double. */
TEST(equivariance, zero_of_y)
{
    for (size_t k = 0; k < EQ_CASES; k++) {
        const eq_case *c = eq_cases + k;
        static eq_rows rows, query;
        if (!c->flat) continue;
        eq_make(EQ_N, 1, c->full, &rows);
        eq_make(EQ_Q, 2, c->full, &query);
        bln_basis *b = slm_parse(c->spec, EQ_D, 1);
        const eq_hyper h = eq_hyper_of(c);
        const eq_answer before = eq_ask(c, b, &h, 0, &rows.data, NULL, &query.data);
        for (size_t i = 0; i < EQ_N; i++) rows.y[i] += 100.0;
        eq_answer after = eq_ask(c, b, &h, 0, &rows.data, NULL, &query.data);
        CHECK_NEAR(after.m[0], before.m[0] + 100.0, 1e-8);
        after.m[0] = before.m[0];
        for (size_t i = 0; i < EQ_Q; i++) after.mean[i] -= 100.0;
        eq_compare(&after, &before, 1.0, 0.0, 1, 1e-8);
        bln_basis_free(b);
    }
}

/* x in other units, length scales with it: the same features, in powers of two to the last bit. */
TEST(equivariance, unit_of_x)
{
    static const eq_case cases[] = {
        { "rbf:n=9,ard",  BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 1 },
        { "rbf:n=50,ard", BLN_SLM_DUAL,   BLN_SLM_DOUBLE, 0, 1 }
    };
    static const double units[][EQ_D] = { { 1024.0, 0.0009765625 }, { 1e-9, 1e7 } };
    for (size_t k = 0; k < 2; k++)
        for (size_t u = 0; u < 2; u++) {
            static eq_rows rows, query;
            eq_make(EQ_N, 1, 1, &rows);
            eq_make(EQ_Q, 2, 1, &query);
            bln_basis *b = slm_parse(cases[k].spec, EQ_D, 1);
            eq_hyper h = eq_hyper_of(&cases[k]);
            eq_answer before = eq_ask(&cases[k], b, &h, 0, &rows.data, NULL, &query.data);
            for (size_t j = 0; j < EQ_D; j++) {
                h.theta[j] *= units[u][j];
                before.d_theta[j] /= units[u][j];
                for (size_t i = 0; i < EQ_N; i++) rows.X[i*EQ_D + j] *= units[u][j];
                for (size_t i = 0; i < EQ_Q; i++) query.X[i*EQ_D + j] *= units[u][j];
            }
            eq_answer after = eq_ask(&cases[k], b, &h, 0, &rows.data, NULL, &query.data);
            for (size_t j = 0; j < EQ_D; j++) CHECK_NEAR(after.d_theta[j], before.d_theta[j], 1e-10*after.N/units[u][j]);
            memcpy(after.d_theta, before.d_theta, sizeof after.d_theta);
            eq_compare(&after, &before, 1.0, 0.0, 1, u ? 1e-10 : 1e-14);
            bln_basis_free(b);
        }
}

/* x shifted under Fourier features: each pair of a cosine and a sine turns by the angle q_j = z_j'(shift/l), and since both have
 * one prior variance nothing else changes: evidence, all gradients, predictions. The weights turn back:
 *     m_c = m'_c cos q + m'_s sin q,   m_s = m'_s cos q - m'_c sin q.
 * A phase of size p is rounded by eps p, which the largest shift brings to some 1e3 eps: times kappa 1e-9. */
TEST(equivariance, fourier_features_turn)
{
    static const eq_case cases[] = {
        { "rbf:n=9,ard",       BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 1 },
        { "matern52:n=9",      BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 0 },
        { "rbf:n=50,ard",      BLN_SLM_DUAL,   BLN_SLM_DOUBLE, 0, 1 },
        { "rq:n=8,draws=sobol", BLN_SLM_PRIMAL, BLN_SLM_EXACT,  0, 1 }
    };
    static const double shifts[][EQ_D] = { { 0.7, -2.3 }, { 100.0, 30.0 } };
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++)
        for (size_t s = 0; s < 2; s++) {
            static eq_rows rows, query;
            const double tolerance = s ? 1e-9 : 1e-10;
            eq_make(EQ_N, 1, cases[k].full, &rows);
            eq_make(EQ_Q, 2, cases[k].full, &query);
            bln_basis *b = slm_parse(cases[k].spec, EQ_D, 1);
            const double *z = bln_fourier_frequencies(b);
            const size_t J = b->D/2;
            const eq_hyper h = eq_hyper_of(&cases[k]);
            const eq_answer before = eq_ask(&cases[k], b, &h, 0, &rows.data, NULL, &query.data);
            eq_shift(&rows, shifts[s]);
            eq_shift(&query, shifts[s]);
            const eq_answer after = eq_ask(&cases[k], b, &h, 0, &rows.data, NULL, &query.data);
            eq_compare(&after, &before, 1.0, 0.0, 0, tolerance);
            double back[EQ_FEATURES];
            for (size_t j = 0; j < J; j++) {
                double q = 0.0;
                for (size_t i = 0; i < EQ_D; i++) q += z[i*J + j]*shifts[s][i]/h.theta[b->n_theta > 1 ? i : 0];
                back[j] = after.m[j]*cos(q) + after.m[J + j]*sin(q);
                back[J + j] = after.m[J + j]*cos(q) - after.m[j]*sin(q);
            }
            eq_vector(2*J, back, 1.0, before.m, 0.0, tolerance);
            bln_basis_free(b);
        }
}

/* ---- learnt hyper-parameters */

static eq_answer eq_learn(const eq_case *c, const bln_basis *b, size_t block, const bln_data *rows, const bln_statistics *t,
                          const bln_data *query)
{
    const double start[EQ_PRIORS] = { c->flat ? HUGE_VAL : 0.0, 0.0, 0.0, 0.0 };
    bln_slm_desc d = slm_desc(b, c->form);
    eq_answer a;
    memset(&a, 0, sizeof a);
    d.arithmetic = c->arithmetic;
    d.prior_var = start;
    d.block = block;
    d.tolerance = 1e-12;
    bln_slm *slm = slm_new(&d);
    CHECK_OK(t ? bln_slm_fit_statistics(slm, t, NULL) : bln_slm_fit(slm, rows, NULL));
    eq_read(slm, query, &a);
    a.d_noise = bln_slm_noise_var(slm);
    bln_slm_free(slm);
    return a;
}

/* As eq_compare, to 1e-8 and 1e-4 sd; sigma^2 too, whose own scale is scale^2. */
static void eq_alike(const eq_answer *b, const eq_answer *a, double scale, double shift)
{
    CHECK_NEAR(b->evidence - shift, a->evidence, 1e-8*fmax(fabs(a->evidence), fabs(shift)));
    CHECK_REL(b->d_noise/(scale*scale), a->d_noise, 1e-4);
    for (size_t i = 0; i < EQ_Q; i++) {
        CHECK_NEAR(b->mean[i]/scale, a->mean[i], 1e-4*sqrt(a->var[i]));
        CHECK_REL(sqrt(b->var[i])/scale, sqrt(a->var[i]), 1e-4);
    }
}

/* One optimum each: a row of weight 3 says that three readings agree to the last digit, and flexible features then have another one
 * without any noise. */
static const eq_case eq_learning[] = {
    { "linear",                         BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 1 },
    { "polynomial:degree=3",            BLN_SLM_PRIMAL, BLN_SLM_EXACT,  0, 1 },
    { "bias+linear:ones=0",             BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 1, 1 },
    { "bias+linear:ones=0",             BLN_SLM_PRIMAL, BLN_SLM_EXACT,  1, 0 },
    { "rbf:n=9,ard+linear",             BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 2 },
    { "bias+rbf:n=9",                   BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 1, 2 },
    { "rbf:n=25,ard",                   BLN_SLM_DUAL,   BLN_SLM_DOUBLE, 0, 2 }
};
enum { EQ_LEARNING = sizeof eq_learning/sizeof *eq_learning };

TEST(equivariance, learnt)
{
    static const double factors[] = { 1e-12, 1e12 };
    for (size_t k = 0; k < EQ_LEARNING; k++) {
        const eq_case *c = eq_learning + k;
        static eq_rows rows, query, other, other_query;
        size_t order[EQ_N], n = 0;
        test_random g = test_random_new(7);
        eq_make(EQ_N, 1, c->full, &rows);
        eq_make(EQ_Q, 2, c->full, &query);
        bln_basis *b = slm_parse(c->spec, EQ_D, 1);
        const eq_answer a = eq_learn(c, b, 0, &rows.data, NULL, &query.data);

        for (size_t i = 0; i < sizeof factors/sizeof *factors; i++) {
            eq_make(EQ_N, 1, c->full, &other);
            eq_make(EQ_Q, 2, c->full, &other_query);
            for (size_t j = 0; j < EQ_N; j++) { other.y[j] *= factors[i]; other.o[j] *= factors[i]; }
            for (size_t j = 0; j < EQ_Q; j++) other_query.o[j] *= factors[i];
            const eq_answer s = eq_learn(c, b, 0, &other.data, NULL, &other_query.data);
            eq_alike(&s, &a, factors[i], -eq_freedom(c, &a)*log(factors[i]));
        }
        eq_shuffle(&g, EQ_N, order);                                         /* another order, copies, and other blocks */
        for (size_t i = 0; i < EQ_N; i++)
            for (size_t copy = c->full ? (size_t)rows.w[order[i]] : 1; copy-- > 0;) eq_row(&rows, order[i], &other, n++);
        eq_view(&other, n, 0, c->full, c->full);
        const eq_answer copies = eq_learn(c, b, 5, &other.data, NULL, &query.data);
        eq_alike(&copies, &a, 1.0, 0.0);
        bln_basis_free(b);
    }
}

/* From statistics whose rows came in shards, with others that went again. */
TEST(equivariance, learnt_from_shards)
{
    for (size_t k = 0; k < EQ_LEARNING; k++) {
        const eq_case *c = eq_learning + k;
        static eq_rows rows, query, extra;
        const eq_hyper h = eq_hyper_of(c);
        if (c->form == BLN_SLM_DUAL) continue;
        eq_make(EQ_N, 1, c->full, &rows);
        eq_make(EQ_Q, 2, c->full, &query);
        eq_make(EQ_N, 4, c->full, &extra);
        bln_basis *b = slm_parse(c->spec, EQ_D, 1);
        bln_statistics *all = eq_statistics(c, b, &h, 0), *one = eq_statistics(c, b, &h, 3), *two = eq_statistics(c, b, &h, 5);
        const bln_data head = bln_data_rows(&rows.data, 0, 11), tail = bln_data_rows(&rows.data, 11, EQ_N - 11);
        CHECK_OK(bln_statistics_add(all, &rows.data, NULL));
        CHECK_OK(bln_statistics_add(one, &tail, NULL));
        const int more = c->arithmetic != BLN_SLM_QR;
        if (more) CHECK_OK(bln_statistics_add(two, &extra.data, NULL));
        CHECK_OK(bln_statistics_add(two, &head, NULL));
        CHECK_OK(bln_statistics_merge(one, two, NULL));
        if (more) CHECK_OK(bln_statistics_remove(one, &extra.data, NULL));
        const eq_answer a = eq_learn(c, b, 0, NULL, all, &query.data), s = eq_learn(c, b, 0, NULL, one, &query.data);
        eq_alike(&s, &a, 1.0, 0.0);
        bln_statistics_free(all);
        bln_statistics_free(one);
        bln_statistics_free(two);
        bln_basis_free(b);
    }
}

/* x shifted: under Fourier features, and with a flat intercept, also where 1 and x all but cancel. y shifted, with a flat
 * intercept. */
TEST(equivariance, learnt_wherever_zero_lies)
{
    static const eq_case cases[] = {
        { "rbf:n=9,ard",        BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 0, 2 },
        { "rbf:n=25",           BLN_SLM_DUAL,   BLN_SLM_DOUBLE, 0, 2 },
        { "bias+rbf:n=9",       BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 1, 2 },
        { "bias+linear:ones=0", BLN_SLM_PRIMAL, BLN_SLM_DOUBLE, 1, 1 },
        { "bias+linear:ones=0", BLN_SLM_PRIMAL, BLN_SLM_EXACT,  1, 1 }
    };
    static const double shifts[][EQ_D] = { { 2.0, -1.0 }, { 30.0, -100.0 } };
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        static eq_rows rows, query;
        bln_basis *b = slm_parse(cases[k].spec, EQ_D, 1);
        eq_make(EQ_N, 1, cases[k].full, &rows);
        eq_make(EQ_Q, 2, cases[k].full, &query);
        const eq_answer a = eq_learn(&cases[k], b, 0, &rows.data, NULL, &query.data);
        for (size_t s = 0; s < 2; s++) {
            eq_make(EQ_N, 1, cases[k].full, &rows);
            eq_make(EQ_Q, 2, cases[k].full, &query);
            eq_shift(&rows, shifts[s]);
            eq_shift(&query, shifts[s]);
            for (size_t i = 0; i < EQ_N && cases[k].flat; i++) rows.y[i] += 10.0;
            eq_answer moved = eq_learn(&cases[k], b, 0, &rows.data, NULL, &query.data);
            for (size_t i = 0; i < EQ_Q && cases[k].flat; i++) moved.mean[i] -= 10.0;
            eq_alike(&moved, &a, 1.0, 0.0);
        }
        bln_basis_free(b);
    }
}

SUITE_BEGIN(equivariance)
SUITE_TEST(equivariance, unit_of_y)
SUITE_TEST(equivariance, order_copies_and_blocks)
SUITE_TEST(equivariance, shards_merges_and_downdates)
SUITE_TEST(equivariance, zero_of_x)
SUITE_TEST(equivariance, zero_of_y)
SUITE_TEST(equivariance, unit_of_x)
SUITE_TEST(equivariance, fourier_features_turn)
SUITE_TEST(equivariance, learnt)
SUITE_TEST(equivariance, learnt_from_shards)
SUITE_TEST(equivariance, learnt_wherever_zero_lies)
SUITE_END(equivariance)

/* expect: E log p under a normal f
 *
 * The rows of a block are sorted by q = width/sqrt v, the distance of the nearest singularity in units of z, into classes that use
 * one rule. The rows of a class are gathered: each node of the rule is one call for all of them. The logarithms of the errors are
 *     trapezoid, step h             -2 pi q/h                                                             [variational 20, 21]
 *     Gauss-Hermite, Q nodes        b^2 - b sqrt(b^2 + k) - k asinh(b/sqrt k),   b = q/sqrt 2,  k = 2Q + 1
 * (the ratio of the second solution of Hermite's equation to the polynomial at +-ib, by WKB, over the weight; for Q < q^2 that is
 * about Q! q^{-2Q}, for large Q q^2/2 - 2 q sqrt Q), with factors of 10 to 1000 in front, the larger ones for E d2, whose
 * singularity is stronger. */
#include "expect_private.h"
#include "../math/special.h"
#include "../math/quadrature_private.h"
#include "../optim/transform_private.h"

#define BLNI_EXPECT_TOLERANCE 1e-10

/* Does Gauss-Hermite with 4, 8 or 16 nodes (k = 0, 1, 2) do for q? */
BLNI_PRIV int blni_hermite_does(int k, double q, double need)
{
    const double b = q*BLNI_SQRT1_2, nodes = 2.0*(double)(4 << k) + 1.0, root = sqrt(b*b + nodes), x = b/sqrt(nodes);
    /* b^2 - b root without cancellation, and asinh x = log(x + sqrt(1 + x^2)) */
    return b*nodes/(b + root) + nodes*log(x + sqrt(1.0 + x*x)) >= need;
}

BLNI_PRIV blni_rule_limits blni_rule_limits_of(double tolerance)
{
    blni_rule_limits r;
    r.need = log(1000.0/tolerance);
    for (int k = 0; k < 3; k++) { r.does[k] = BLNI_INFINITY; r.fails[k] = 0.0; }
    return r;
}

BLNI_PRIV int blni_rule_of(double width, double v, blni_rule_limits *r)
{
    const double q = width/sqrt(v);
    if (v == 0.0) return BLNI_RULE_POINT;
    for (int k = 0; k < 3; k++) {
        if (q > 1.000001*r->does[k]) return BLNI_RULE_HERMITE4 + k;
        if (q < 0.999999*r->fails[k]) continue;
        if (blni_hermite_does(k, q, r->need)) {
            if (q < r->does[k]) r->does[k] = q;
            return BLNI_RULE_HERMITE4 + k;
        }
        if (q > r->fails[k]) r->fails[k] = q;
    }
    for (int k = 1; k < 6; k++)
        if (2.0*BLNI_PI*q*(double)(1 << k) >= r->need) return BLNI_RULE_STEP2 + k - 1;
    return BLNI_RULE_PANELS;
}

/* The same where log p is so many times a trial's, or a count's: what the nodes leave is as many times larger. */
BLNI_PRIV int blni_rule_of_many(double width, double v, double many, const blni_rule_limits *limits)
{
    blni_rule_limits own = *limits;
    own.need += log(many);
    for (int k = 0; k < 3; k++) own.does[k] = BLNI_INFINITY;
    return blni_rule_of(width, v, &own);
}

/* Nodes of a rule but the last. */
BLNI_PRIV size_t blni_rule_size(int rule)
{
    if (rule <= BLNI_RULE_HERMITE16) return rule == BLNI_RULE_POINT ? 1 : (size_t)4 << (rule - BLNI_RULE_HERMITE4);
    return blni_normal_trapezoid(ldexp(0.5, BLNI_RULE_STEP2 - rule), 0, 0, NULL, NULL);
}

/* n of them and their weights, from number `first` on. */
BLNI_PRIV void blni_rule_part(int rule, size_t first, size_t n, double *z, double *w)
{
    double all[2][16] = { { 0.0 }, { 1.0 } };
    if (rule > BLNI_RULE_HERMITE16) {
        blni_normal_trapezoid(ldexp(0.5, BLNI_RULE_STEP2 - rule), first, n, z, w);
        return;
    }
    if (rule != BLNI_RULE_POINT) blni_hermite_rule(blni_rule_size(rule), all[0], all[1]);
    memcpy(z, all[0] + first, n*sizeof *z);
    memcpy(w, all[1] + first, n*sizeof *w);
}

/* ---- rows taken out of a block */

/* Entry j of the gathering is row i of the block. A column that the data lack stays away. */
BLNI_PRIV void blni_row_set_add(blni_row_set *g, const bln_likelihood *l, const bln_targets *t, size_t j, size_t i)
{
    g->index[j] = i;
    if (t->y) g->y[j] = t->y[i];
    if (t->trials) g->trials[j] = t->trials[i];
    if (t->noise_var) g->noise_var[j] = t->noise_var[i];
    for (size_t k = 0; k < l->ops->n_constants && t->constants; k++)
        g->constants[k*BLN_LIKELIHOOD_BLOCK + j] = t->constants[k*t->ldc + i];
}

BLNI_PRIV void blni_row_set_begin(blni_row_set *g, const bln_targets *t)
{
    memset(&g->t, 0, sizeof g->t);
    g->n = 0;
    if (t->y) g->t.y = g->y;
    if (t->trials) g->t.trials = g->trials;
    if (t->noise_var) g->t.noise_var = g->noise_var;
    if (t->constants) g->t.constants = g->constants;
    g->t.ldc = BLN_LIKELIHOOD_BLOCK;
}

/* One row, as often as there are nodes at a time. */
BLNI_PRIV void blni_row_set_of(blni_row_set *g, const bln_likelihood *l, const bln_targets *t, size_t i)
{
    blni_row_set_begin(g, t);
    for (size_t j = 0; j < BLN_LIKELIHOOD_BLOCK; j++) blni_row_set_add(g, l, t, j, i);
    g->n = 1;
}

/* ---- what is summed up at each node */

typedef struct blni_expected { double *value, *dm, *dv, *dtheta; size_t lddtheta; } blni_expected;

/* The sums of a gathering. */
typedef struct blni_sums { double l[BLN_LIKELIHOOD_BLOCK], d1[BLN_LIKELIHOOD_BLOCK], d2[BLN_LIKELIHOOD_BLOCK]; } blni_sums;

enum { BLNI_NODE_ROWS = 8 };            /* rows at a time, which compilers make vectors of */

/* f = m + s z for n rows, rounded up to whole eights. */
BLNI_PRIV void blni_node_at(size_t n, double z, const double *BLNI_RESTRICT m, const double *BLNI_RESTRICT s,
                            double *BLNI_RESTRICT f)
{
    for (size_t i = 0; i < n; i += BLNI_NODE_ROWS)
        for (size_t j = i; j < i + BLNI_NODE_ROWS; j++) f[j] = m[j] + s[j]*z;
}

/* sum += w a, likewise. a: NULL for nothing. */
BLNI_PRIV void blni_node_add(size_t n, double w, const double *BLNI_RESTRICT a, double *BLNI_RESTRICT sum)
{
    for (size_t i = 0; i < n && a; i += BLNI_NODE_ROWS)
        for (size_t j = i; j < i + BLNI_NODE_ROWS; j++) sum[j] += w*a[j];
}

/* Nodes that are the same for all rows, by the derivatives. */
BLNI_PRIV void blni_sum_common(const bln_likelihood *l, const double *theta, blni_row_set *g, size_t Q, const double *z,
                               const double *w, const blni_expected *out, blni_sums *sums)
{
    double f[BLN_LIKELIHOOD_BLOCK], a[BLN_LIKELIHOOD_BLOCK] = { 0.0 }, b[BLN_LIKELIHOOD_BLOCK] = { 0.0 };
    double c[BLN_LIKELIHOOD_BLOCK] = { 0.0 };
    double *const d1 = out->dm || out->dv ? b : NULL, *const d2 = out->dv ? c : NULL;
    memset(g->m + g->n, 0, (BLN_LIKELIHOOD_BLOCK - g->n)*sizeof(double));
    memset(g->s + g->n, 0, (BLN_LIKELIHOOD_BLOCK - g->n)*sizeof(double));
    memset(sums, 0, sizeof *sums);
    for (size_t q = 0; q < Q; q++) {
        blni_node_at(g->n, z[q], g->m, g->s, f);
        blni_eval(l, theta, g->n, &g->t, f, a, d1, d2, NULL);
        blni_node_add(g->n, w[q], a, sums->l);
        blni_node_add(g->n, w[q], d1, sums->d1);
        blni_node_add(g->n, w[q], d2, sums->d2);
        for (size_t k = 0; k < l->n_theta && out->dtheta; k++) {
            blni_eval_param(l, theta, k, g->n, &g->t, f, a, NULL, NULL);
            for (size_t j = 0; j < g->n; j++) {
                double *to = out->dtheta + k*out->lddtheta + g->index[j];
                *to = (q ? *to : 0.0) + w[q]*a[j];
            }
        }
    }
}

/* Sums over the nodes; d2 is sum w d1 z/s, or without eval d1 and d2 are by the identities. */
BLNI_PRIV void blni_sum_nodes(const bln_likelihood *l, const double *theta, const blni_row_set *g, size_t Q, const double *z,
                              size_t ldz, const double *w, int identities, const blni_expected *out, blni_sums *sums)
{
    double f[BLN_LIKELIHOOD_BLOCK], a[BLN_LIKELIHOOD_BLOCK], b[BLN_LIKELIHOOD_BLOCK], c[BLN_LIKELIHOOD_BLOCK];
    const int slopes = out->dm || out->dv;
    for (size_t j = 0; j < g->n; j++) sums->l[j] = sums->d1[j] = sums->d2[j] = 0.0;
    for (size_t k = 0; k < l->n_theta && out->dtheta; k++)
        for (size_t j = 0; j < g->n; j++) out->dtheta[k*out->lddtheta + g->index[j]] = 0.0;
    for (size_t q = 0; q < Q; q++) {
        for (size_t j = 0; j < g->n; j++) f[j] = g->m[j] + g->s[j]*z[q*ldz + (ldz ? g->index[j] : q)];
        if (identities || !slopes) blni_logp(l, theta, g->n, &g->t, f, a);
        else blni_eval(l, theta, g->n, &g->t, f, a, b, out->dv ? c : NULL, NULL);
        for (size_t j = 0; j < g->n; j++) {
            const double x = z[q*ldz + (ldz ? g->index[j] : q)], wl = w[q]*a[j];
            sums->l[j] += wl;
            if (!slopes) continue;
            if (identities) {
                sums->d1[j] += wl*x/g->s[j];
                sums->d2[j] += wl*(x*x - 1.0)/(g->s[j]*g->s[j]);
                continue;
            }
            sums->d1[j] += w[q]*b[j];
            if (out->dv) sums->d2[j] += w[q]*(g->s[j] > 0.0 ? b[j]*x/g->s[j] : c[j]);
        }
        for (size_t k = 0; k < l->n_theta && out->dtheta; k++) {
            blni_eval_param(l, theta, k, g->n, &g->t, f, a, NULL, NULL);
            for (size_t j = 0; j < g->n; j++) out->dtheta[k*out->lddtheta + g->index[j]] += w[q]*a[j];
        }
    }
}

BLNI_PRIV void blni_sums_out(const blni_row_set *g, const blni_sums *sums, const blni_expected *out)
{
    for (size_t j = 0; j < g->n; j++) {
        const size_t i = g->index[j];
        out->value[i] = sums->l[j];
        if (out->dm) out->dm[i] = sums->d1[j];
        if (out->dv) out->dv[i] = 0.5*sums->d2[j];
    }
}

/* ---- panels, for a row whose v is large against the square of the width */

typedef struct blni_panel_row {
    const bln_likelihood *l;
    const double         *theta;
    const blni_row_set    *g;
    size_t                k;             /* parameter                      */
    int                   identities;
} blni_panel_row;

/* N(z) times log p, d1, d2. What is infinite under a weight of nearly 0 counts there only if the weight is not 0. */
BLNI_PRIV void blni_panel_values(void *user, size_t n, const double *z, double *values)
{
    const blni_panel_row *r = (const blni_panel_row *)user;
    const double s = r->g->s[0];
    double f[BLN_LIKELIHOOD_BLOCK];
    for (size_t i = 0; i < n; i++) f[i] = r->g->m[0] + s*z[i];
    if (r->identities) blni_logp(r->l, r->theta, n, &r->g->t, f, values);
    else blni_eval(r->l, r->theta, n, &r->g->t, f, values, values + n, values + 2*n, NULL);
    for (size_t i = 0; i < n; i++) {
        const double w = bln_norm_pdf(z[i]), l = w*values[i];
        values[i] = l;
        values[n + i]   = r->identities ? l*z[i]/s : w*values[n + i];
        values[2*n + i] = r->identities ? l*(z[i]*z[i] - 1.0)/(s*s) : w*values[2*n + i];
    }
}

BLNI_PRIV void blni_panel_param(void *user, size_t n, const double *z, double *values)
{
    const blni_panel_row *r = (const blni_panel_row *)user;
    double f[BLN_LIKELIHOOD_BLOCK] = { 0.0 };
    for (size_t i = 0; i < n; i++) f[i] = r->g->m[0] + r->g->s[0]*z[i];
    blni_eval_param(r->l, r->theta, r->k, n, &r->g->t, f, values, NULL, NULL);
    for (size_t i = 0; i < n; i++) values[i] *= bln_norm_pdf(z[i]);
}

/* Breaks in z over [-9, 9], where all but 2e-19 of the mass is: every two, and around the singularity. */
BLNI_PRIV size_t blni_panel_breaks(double centre, double width, double *breaks)
{
    static const double around[] = { -20.0, -6.0, -2.0, -0.6, 0.6, 2.0, 6.0, 20.0 };
    static const double plain[] = { -9.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 9.0 };
    size_t n = 0, p = 0, a = 0;
    while (p < sizeof plain/sizeof *plain || a < sizeof around/sizeof *around) {
        const double x = a < sizeof around/sizeof *around ? centre + width*around[a] : BLNI_INFINITY;
        if (p < sizeof plain/sizeof *plain && plain[p] <= x) { breaks[n++] = plain[p++]; continue; }
        if (p == sizeof plain/sizeof *plain) break;
        if (x > -9.0 && x > breaks[n - 1]) breaks[n++] = x;
        a++;
    }
    return n;
}

BLNI_NOINLINE BLNI_PRIV void blni_expect_panels(const bln_likelihood *l, const double *theta, const bln_targets *t, size_t i,
                                                double m, double v, double centre, double width, double tolerance,
                                                const blni_expected *out)
{
    blni_row_set g;
    blni_panel_row r = { l, theta, &g, 0, !l->ops->eval };
    double breaks[BLNI_INTEGRATE_BREAKS], sum[3];
    blni_row_set_of(&g, l, t, i);
    g.m[0] = m;
    g.s[0] = sqrt(v);
    const size_t n = blni_panel_breaks((centre - m)/g.s[0], width/g.s[0], breaks);
    blni_integrate(blni_panel_values, &r, 3, n, breaks, tolerance, sum);
    out->value[i] = sum[0];
    if (out->dm) out->dm[i] = sum[1];
    if (out->dv) out->dv[i] = 0.5*sum[2];
    for (; r.k < l->n_theta && out->dtheta; r.k++)
        blni_integrate(blni_panel_param, &r, 1, n, breaks, tolerance, out->dtheta + r.k*out->lddtheta + i);
}

/* ---- blocks */

/* The rows i of a block with rule[i] = `which`. Not inlined, as the function for panels: only one of them at a time has its rows on
 * the stack. */
BLNI_NOINLINE BLNI_PRIV void blni_expect_class(BLNI_TARGETS, const double *m, const double *v, const int *rule, int which,
                                               const blni_expected *out)
{
    double z[BLNI_RULE_NODES], w[BLNI_RULE_NODES];
    blni_row_set g;
    blni_sums sums;
    blni_row_set_begin(&g, t);
    for (size_t i = 0; i < n; i++) {
        if (rule[i] != which) continue;
        g.m[g.n] = m[i];
        g.s[g.n] = sqrt(v[i]);
        blni_row_set_add(&g, l, t, g.n++, i);
    }
    const size_t Q = blni_rule_size(which % BLNI_RULES);
    blni_rule_part(which % BLNI_RULES, 0, Q, z, w);
    if (!l->ops->eval && which < BLNI_RULES) blni_sum_nodes(l, theta, &g, Q, z, 0, w, 1, out, &sums);
    else blni_sum_common(l, theta, &g, Q, z, w, out, &sums);
    blni_sums_out(&g, &sums, out);
}

/* Without eval, rows whose s is small against the width are done by differences: classes of their own, BLNI_RULES further on. */
BLNI_PRIV void blni_expect_block(BLNI_TARGETS, const double *m, const double *v, double tolerance, blni_rule_limits *limits,
                                 BLNI_EXPECTED)
{
    const blni_expected out = { value, dm, dv, dtheta, lddtheta };
    double centre[BLN_LIKELIHOOD_BLOCK], width[BLN_LIKELIHOOD_BLOCK];
    int rule[BLN_LIKELIHOOD_BLOCK], used[2*BLNI_RULES] = { 0 };
    blni_singularity(l, theta, n, t, centre, width);
    if (l->ops->normal_expect) l->ops->normal_expect(l, theta, n, t, m, v, tolerance, value, dm, dv, dtheta, lddtheta);
    for (size_t i = 0; i < n; i++) {
        rule[i] = -1;
        if (l->ops->normal_expect && value[i] == value[i]) continue;
        const double many = l->ops->discrete ? fmax(blni_trials(t, i), t->y[i])/16.0 : 1.0;
        rule[i] = many > 1.0 ? blni_rule_of_many(width[i], v[i], many, limits) : blni_rule_of(width[i], v[i], limits);
        if (rule[i] == BLNI_RULE_PANELS)
            blni_expect_panels(l, theta, t, i, m[i], v[i], centre[i], width[i], tolerance, &out);
        else {
            if (!l->ops->eval && sqrt(v[i]) < width[i]/32.0) rule[i] += BLNI_RULES;
            used[rule[i]] = 1;
        }
    }
    for (int k = 0; k < 2*BLNI_RULES; k++)
        if (used[k]) blni_expect_class(l, theta, n, t, m, v, rule, k, &out);
}

BLNI_PRIV void blni_likelihood_expect(BLNI_TARGETS, const double *m, const double *v, double tolerance, BLNI_EXPECTED)
{
    tolerance = tolerance > 0.0 ? blni_clip(tolerance, 1e-13, 1e-2) : BLNI_EXPECT_TOLERANCE;
    blni_rule_limits limits = blni_rule_limits_of(tolerance);
    BLNI_BY_CONSTANTS(blni_expect_block(l, theta, rows, &b, m + i, v + i, tolerance, &limits, value + i, blni_shift(dm, i),
                                        blni_shift(dv, i), blni_shift(dtheta, i), lddtheta))
}

/* By nodes of the caller's, f = m + sqrt v z_q with weights w_q, q < Q: a rule of quadrature, or draws of a standard normal with
 * w = 1/Q. z: Q nodes for all rows (ldz = 0), or Q x n, node q of row i at z[q*ldz + i]. Closed forms are not used. value =
 * sum_q w_q log p, and dm and dv are its exact derivatives as it stands,
 *     dm = sum_q w_q d1,   dv = sum_q w_q d1 z_q/(2 sqrt v),                                         [variational 22, 24]
 * so that a line search sees one function. v = 0: dv = d2/2. */
BLNI_PRIV void blni_likelihood_expect_nodes(BLNI_TARGETS, const double *m, const double *v, size_t Q, const double *z, size_t ldz,
                                            const double *w, BLNI_EXPECTED)
{
    for (size_t i = 0; i < n; i += BLN_LIKELIHOOD_BLOCK) {
        const size_t rows = blni_min(n - i, BLN_LIKELIHOOD_BLOCK);
        double room[BLNI_CONSTANTS_ROOM];
        const bln_targets b = blni_targets_block(l, theta, t, i, rows, room);
        const blni_expected out = { value + i, blni_shift(dm, i), blni_shift(dv, i), blni_shift(dtheta, i), lddtheta };
        blni_row_set g;
        blni_sums sums;
        blni_row_set_begin(&g, &b);
        for (size_t j = 0; j < rows; j++) {
            g.m[j] = m[i + j];
            g.s[j] = sqrt(v[i + j]);
            blni_row_set_add(&g, l, &b, j, j);
        }
        g.n = rows;
        blni_sum_nodes(l, theta, &g, Q, ldz ? z + i : z, ldz, w, 0, &out, &sums);
        blni_sums_out(&g, &sums, &out);
    }
}

/* ---- several latents */

BLNI_PRIV void blni_latents_expect(BLNI_TARGETS, const double *m, const double *v, size_t ld, double tolerance, BLNI_EXPECTED)
{
    const double least = tolerance > 0.0 ? tolerance : 1e-10;
    if (!l->ops->latents) {
        blni_likelihood_expect(l, theta, n, t, m, v, tolerance, value, dm, dv, dtheta, lddtheta);
        return;
    }
    for (size_t i = 0; i < n && !l->ops->latents->expect; i++) value[i] = BLNI_NAN;
    if (l->ops->latents->expect)
        BLNI_BY_BLOCKS(l->ops->latents->expect(l, theta, rows, &b, m + i, v + i, ld, least, value + i, blni_shift(dm, i),
                                               blni_shift(dv, i), blni_shift(dtheta, i), lddtheta))
}

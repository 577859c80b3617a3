/* prior: looks at features to see what they depend on: on parameters, or on each other */
#include "prior.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRIOR_NAME = 200 };

/* Phi (n x D, to free) at the starts of the parameters, moved in their free coordinates. */
static double *prior_features(const bln_basis *b, double move, size_t n, const double *X, size_t ldx)
{
    double *theta = (double *)cli_memory(b->n_theta, sizeof *theta), *Phi = (double *)cli_memory(n, b->D*sizeof *Phi);
    double *room = (double *)cli_memory(bln_basis_work(b, n) + 8, sizeof *room), *work = room;
    while ((uintptr_t)work % 64) work++;
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param param;
        bln_basis_param(b, k, NULL, &param);
        theta[k] = bln_param_natural(&param, bln_param_free(&param, param.start) + move);
    }
    bln_basis_features(b, theta, n, X, ldx, Phi, b->D, work);
    free(room);
    free(theta);
    return Phi;
}

int prior_choose(prior_kind kind, const bln_basis *b, size_t n, int relative, prior *out, cli_why *why)
{
    bln_rng rng;
    memset(out, 0, sizeof *out);
    if (kind == PRIOR_LEARN) return CLI_GOOD;
    out->var = (double *)cli_memory(n, sizeof *out->var);
    if (kind == PRIOR_LAST_WIDE) out->var[n - 1] = relative ? 1e6 : 1e2;
    if (kind == PRIOR_LAST_FLAT) {
        out->var[n - 1] = HUGE_VAL;
        out->features = b->D - bln_basis_slice(b, b->n_slices - 1);
    }
    if (kind != PRIOR_FLAT) return CLI_GOOD;
    double *x = (double *)cli_memory(b->d + 1, sizeof *x);
    bln_rng_seed(&rng, 1, 0);
    bln_rng_normals(&rng, b->d, x);
    double *here = prior_features(b, 0.0, 1, x, b->d), *there = prior_features(b, 0.5, 1, x, b->d);
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), count = bln_basis_slice(b, s + 1) - first;
        if (bln_basis_active(b, s) < count || memcmp(here + first, there + first, count*sizeof *here)) continue;   /* groups stay */
        out->var[s] = HUGE_VAL;
        out->features += count;
    }
    free(x);
    free(here);
    free(there);
    return out->features ? CLI_GOOD : cli_misuse(why, "--prior flat: random features and effects of groups need a prior, and the "
                                                      "basis has nothing else");
}

int prior_check_each(int each, const bln_basis *b, cli_why *why)
{
    for (size_t s = 0; s < b->n_slices && each; s++)
        if (bln_basis_active(b, s) < bln_basis_slice(b, s + 1) - bln_basis_slice(b, s))
            return cli_misuse(why, "--prior each learns nothing from one group about another, nor about a new one, whose variance "
                                   "no row tells: leave it out, so that the effects of groups share a variance");
    return CLI_GOOD;
}

void prior_free(prior *p)
{
    free(p->var);
    memset(p, 0, sizeof *p);
}

int prior_can_integrate(const prior *p, const bln_basis *b, cli_why *why)
{
    enum { MOST = 3 };
    static const double nodes[MOST + 1] = { 1.0, 96.0, 2304.0, 13824.0 };         /* the library's */
    const double D = (double)(b->D - p->features);
    size_t ratios = 0;
    cli_counted variances;
    for (size_t s = 0; s < b->n_slices; s++) ratios += !p->var || !isinf(p->var[s]);
    if (ratios > MOST)
        return cli_fail(why, "--integrate: %lu terms of the basis have a prior variance each, and no more than three can be "
                             "integrated: take fewer terms, or --prior flat for those without random features",
                        (unsigned long)ratios);
    if (nodes[ratios]*D*D > 1e8)
        return cli_fail(why, "--integrate is for few data and few features: %lu features with %s would take too long; take fewer "
                             "(n=J of random features)", (unsigned long)b->D, cli_count(&variances, ratios, "prior variance"));
    return CLI_GOOD;
}

/* Three doubles cost about a hundred times as much as one; the library takes them by itself for up to 16 features. */
bln_slm_arithmetic prior_arithmetic(const prior *p, const bln_basis *b, size_t n, uint32_t asked)
{
    if (asked || !p->features) return (bln_slm_arithmetic)asked;
    const double D = (double)b->D, flops = D*D*((double)n + D);
    return p->features == b->D && (D <= 16.0 || flops <= 1e9) ? BLN_SLM_EXACT : BLN_SLM_ARITHMETIC_AUTO;
}

static double prior_dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i]*b[i];
    return sum;
}

static void prior_normalise(size_t n, double *c)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) if (fabs(c[i]) > largest) largest = fabs(c[i]);
    for (size_t i = 0; i < n && largest > 0.0; i++) c[i] /= largest;
    const double length = sqrt(prior_dot(n, c, c));
    for (size_t i = 0; i < n && length > 0.0; i++) c[i] /= length;
}

/* The flat features up to `bad`, as columns of length 1 (0 where a column is 0): col[k], k < count, the last one is bad's. Rows of
 * weight 0 are 0. name[k]: which feature. */
static double *prior_columns(const prior *p, const bln_basis *b, const bln_data *data, size_t bad, size_t *name, size_t *count)
{
    const size_t block = 256, n = data->n, ldx = data->ldx ? data->ldx : data->d;
    double *col = (double *)cli_memory(p->features, n*sizeof *col);
    *count = 0;
    for (size_t s = 0; s < b->n_slices; s++)
        for (size_t j = bln_basis_slice(b, s); j < bln_basis_slice(b, s + 1) && j <= bad && isinf(p->var[s]); j++)
            name[(*count)++] = j;
    for (size_t first = 0; first < n; first += block) {
        const size_t rows = n - first < block ? n - first : block;
        double *Phi = prior_features(b, 0.0, rows, data->X + first*ldx, ldx);
        for (size_t k = 0; k < *count; k++)
            for (size_t i = 0; i < rows; i++)
                if (!data->weight || data->weight[first + i] > 0.0) col[k*n + first + i] = Phi[i*b->D + name[k]];
        free(Phi);
    }
    for (size_t k = 0; k < *count; k++) prior_normalise(n, col + k*n);
    return col;
}

/* Modified Gram-Schmidt: col = Q R, in place. A column with nothing (1e-12) beside those before it becomes 0, with R_kk = 0. */
static void prior_orthogonalise(size_t n, size_t count, double *col, double *R)
{
    for (size_t k = 0; k < count; k++) {
        double *a = col + k*n;
        for (size_t i = 0; i < k; i++) {
            const double *q = col + i*n;
            R[i*count + k] = prior_dot(n, q, a);
            for (size_t l = 0; l < n; l++) a[l] -= R[i*count + k]*q[l];
        }
        const double length = sqrt(prior_dot(n, a, a));
        R[k*count + k] = length > 1e-12 ? length : 0.0;
        for (size_t l = 0; l < n; l++) a[l] = length > 1e-12 ? a[l]/length : 0.0;
    }
}

int prior_check(const prior *p, const bln_basis *b, const cli_columns *c, const bln_data *data, uint32_t asked, cli_why *why)
{
    const bln_slm_arithmetic arithmetic = prior_arithmetic(p, b, data->n, asked);
    int status = CLI_GOOD;
    size_t count;
    if (p->features == 0 || arithmetic == BLN_SLM_EXACT || arithmetic == BLN_SLM_QR) return CLI_GOOD;
    size_t *name = (size_t *)cli_memory(p->features, sizeof *name);
    double *col = prior_columns(p, b, data, b->D, name, &count), *R = (double *)cli_memory(count, count*sizeof *R);
    prior_orthogonalise(data->n, count, col, R);
    for (size_t k = 0; k < count && !status; k++)
        if (!(R[k*count + k] > 1e-7)) status = prior_explain(p, b, c, data, name[k], why);
    free(name);
    free(col);
    free(R);
    return status;
}

void prior_dependent(const prior *p, const bln_basis *b, const bln_data *data, char *dependent)
{
    size_t count;
    size_t *name = (size_t *)cli_memory(p->features, sizeof *name);
    double *col = prior_columns(p, b, data, b->D, name, &count), *R = (double *)cli_memory(count, count*sizeof *R);
    prior_orthogonalise(data->n, count, col, R);
    for (size_t k = 0; k < count; k++) dependent[name[k]] = !(R[k*count + k] > 1e-9);
    free(name);
    free(col);
    free(R);
}

/* coefficient[k]: of column k in the last column as a combination of those before it: R c = r by back substitution. A column that
 * adds nothing to those before it gets 0. Overwrites col. */
static void prior_combination(size_t n, size_t count, double *col, double *coefficient)
{
    double *R = (double *)cli_memory(count, count*sizeof *R);
    prior_orthogonalise(n, count, col, R);
    for (size_t i = count - 1; i-- > 0;) {
        double sum = R[i*count + count - 1];
        for (size_t k = i + 1; k + 1 < count; k++) sum -= R[i*count + k]*coefficient[k];
        coefficient[i] = sum/fmax(R[i*count + i], DBL_MIN);            /* where R_ii is 0, so is the sum */
    }
    free(R);
}

static void prior_name(const bln_basis *b, const cli_columns *c, size_t j, cli_shown *out)
{
    char name[PRIOR_NAME];
    bln_basis_feature_name(b, j, (const char *const *)c->inputs, name, sizeof name);
    cli_show(out, name);
}

int prior_explain(const prior *p, const bln_basis *b, const cli_columns *c, const bln_data *data, size_t bad, cli_why *why)
{
    enum { LISTED = 6 };
    const double counts = 1e-6;                         /* of columns of length 1: well above what rounding leaves */
    char list[LISTED*70] = "";
    size_t count, found = 0, used = 0, rows = 0;
    cli_shown shown;
    cli_counted some, weights;
    for (size_t i = 0; i < data->n; i++) rows += !data->weight || data->weight[i] > 0.0;
    if (rows < p->features)
        return cli_fail(why, "--prior flat: %s cannot determine %s", cli_count(&some, rows, "row"),
                        cli_count(&weights, p->features, "weight"));

    size_t *name = (size_t *)cli_memory(p->features, sizeof *name);
    double *coefficient = (double *)cli_memory(p->features, sizeof *coefficient);
    double *col = prior_columns(p, b, data, bad, name, &count);
    const int zero = prior_dot(data->n, col + (count - 1)*data->n, col + (count - 1)*data->n) == 0.0;
    prior_combination(data->n, count, col, coefficient);
    for (size_t k = 0; k + 1 < count && !zero; k++) {
        if (!(fabs(coefficient[k]) > counts)) continue;
        if (found++ >= LISTED) continue;
        prior_name(b, c, name[k], &shown);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", found > 1 ? ", " : "", shown.text);
    }
    prior_name(b, c, bad, &shown);
    free(col);
    free(coefficient);
    free(name);
    if (!found)
        return cli_fail(why, "--prior flat: \"%s\" is 0 in all rows: the data say nothing about its weight", shown.text);
    return cli_fail(why, "--prior flat: \"%s\" is a combination of %s%s: the data do not determine their weights; leave one out",
                    shown.text, list, found > LISTED ? " and others" : "");
}

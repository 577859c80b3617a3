/* auto_tools.h - rows and checks for the tests of bases that are chosen */
#ifndef BLN_TESTS_AUTO_TOOLS_H
#define BLN_TESTS_AUTO_TOOLS_H
#include "../test.h"

typedef enum auto_shape { AUTO_LINE, AUTO_WAVE, AUTO_RING } auto_shape;

/* n standardised rows of d inputs and a function f: a plane, a wave of the first input, or a ring around 0. y = f plus noise of
 * standard deviation `noise`; with noise < 0, y = 1 with log odds f, else 0. Free with auto_free. */
static TEST_UNUSED bln_data auto_rows(size_t n, size_t d, auto_shape shape, double noise, uint64_t salt)
{
    bln_data data;
    test_random r = test_random_new(salt);
    double *X = test_doubles(n*d), *y = test_doubles(n);
    memset(&data, 0, sizeof data);
    for (size_t i = 0; i < n; i++) {
        double f = 0.2, square = 0.0;
        for (size_t j = 0; j < d; j++) {
            X[i*d + j] = test_normal(&r);
            square += X[i*d + j]*X[i*d + j];
            if (shape == AUTO_LINE) f += (j % 2 ? -1.1 : 1.7)*X[i*d + j];
        }
        if (shape == AUTO_WAVE) f += sin(4.0*X[i*d]);
        if (shape == AUTO_RING) f = 8.0*(square - (double)d);
        y[i] = noise < 0.0 ? (double)(test_uniform(&r) < 1.0/(1.0 + exp(-f))) : f + noise*test_normal(&r);
    }
    data.n = n;
    data.d = d;
    data.X = X;
    data.y = y;
    return data;
}

static TEST_UNUSED void auto_free(const bln_data *data)
{
    free((void *)data->X);
    free((void *)data->y);
}

/* Does the SPEC contain this piece? */
static TEST_UNUSED int auto_has(const bln_auto_basis *found, const char *piece) { return strstr(found->text, piece) != NULL; }

/* Checks what must hold for every table. */
static TEST_UNUSED void auto_check_table(const bln_auto_basis *found, size_t n)
{
    double flops = 0.0;
    CHECK(found->n >= 1 && found->n <= BLN_AUTO_MOST && found->best < found->n && found->text[0]);
    CHECK(found->tried[found->best].status == BLN_OK);
    for (size_t k = 0; k < found->n; k++) {
        const bln_auto_tried *t = found->tried + k;
        CHECK(t->text[0] && t->rows >= 1 && t->rows + t->left_out <= n);
        CHECK((t->status == BLN_OK) == (t->score - t->score == 0.0));
        CHECK(t->status != BLN_OK || t->evaluations > 0);
        flops += t->flops;
        for (size_t l = 0; l < k; l++) CHECK(strcmp(t->text, found->tried[l].text) || t->left_out != found->tried[l].left_out);
    }
    CHECK_REL(found->flops, flops, 1e-12);
}

static TEST_UNUSED int auto_same(const bln_auto_basis *a, const bln_auto_basis *b)
{
    int same = a->n == b->n && a->best == b->best && !strcmp(a->text, b->text);
    for (size_t k = 0; same && k < a->n; k++)
        same = !strcmp(a->tried[k].text, b->tried[k].text) && a->tried[k].score == b->tried[k].score
            && a->tried[k].evaluations == b->tried[k].evaluations && a->tried[k].rows == b->tried[k].rows;
    return same;
}

/* A basis from its text, made as a user would. */
static TEST_UNUSED bln_basis *auto_parse(const char *text, uint64_t seed, const bln_data *rows)
{
    bln_spec_desc spec;
    bln_basis *b = NULL;
    memset(&spec, 0, sizeof spec);
    spec.text = text;
    spec.d = rows->d;
    spec.seed = seed;
    spec.rows = rows;
    CHECK_OK(bln_basis_parse(&spec, &b, NULL));
    if (!b) exit(1);
    return b;
}

#endif /* BLN_TESTS_AUTO_TOOLS_H */

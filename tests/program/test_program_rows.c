/* test_program_rows: programs over rows: minibatches without bias, sources, scopes and their powers, noise, several processes */
#include "../test.h"
#include "../core/ranks_tools.h"

enum { PROGRAM_ROWS = 23, ROWS_D = 3, ROWS_DIM = ROWS_D + 2 };

/* y_i ~ N(x_i'w, s), -z_i^2/2 of something of each row in scope 3; w ~ N(0, 2) in scope 1, log s in scope 2. */
static bln_status rows_model(bln_tape *t, const bln_var *p, void *user)
{
    const bln_data *rows = bln_batch(t);
    const bln_var f = bln_v_gemv(t, bln_c_mat(t, rows->X, rows->n, rows->d), p[0]);
    (void)user;
    bln_lp_normal(t, p[0], bln_c_num(t, 0.0), bln_c_num(t, 2.0));
    bln_scope(t, 2);
    bln_lp_gamma(t, p[1], bln_c_num(t, 2.0), bln_c_num(t, 3.0));
    bln_data_term(t);
    bln_lp_normal(t, bln_c_vec(t, rows->y, rows->n), f, p[1]);
    bln_scope(t, 3);
    bln_lp_add(t, bln_v_scale(t, -0.5, bln_v_square(t, bln_v_mul(t, p[2], f))));
    return BLN_OK;
}

static const bln_program_parameter rows_parameters[] = {
    { "w", ROWS_D, 1, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 0, 0 }, { "s", 1, 1, BLN_CONSTRAINT_POSITIVE, 0.0, 0.0, NULL, 2, 0 },
    { "r", 1, 1, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 1, 0 } };

typedef struct rows_world { double X[PROGRAM_ROWS*ROWS_D], y[PROGRAM_ROWS], q[ROWS_DIM]; bln_data data; } rows_world;
static bln_program_desc rows_desc(rows_world *w)
{
    bln_program_desc d = BLN_ZERO;
    test_random r = test_random_new(7);
    memset(w, 0, sizeof *w);
    test_fill_normal(&r, PROGRAM_ROWS*ROWS_D, w->X);
    test_fill_normal(&r, PROGRAM_ROWS, w->y);
    test_fill_normal(&r, ROWS_DIM, w->q);
    w->data.n = PROGRAM_ROWS;
    w->data.d = ROWS_D;
    w->data.X = w->X;
    w->data.y = w->y;
    d.model = rows_model;
    d.parameters = rows_parameters;
    d.n_parameters = 3;
    d.data = &w->data;
    return d;
}
static bln_program *rows_program(const bln_program_desc *desc)
{
    bln_program *program = NULL;
    bln_report report;
    const bln_status status = bln_program_create(desc, &program, &report);
    if (status != BLN_OK) printf("    %s\n", report.text);
    CHECK_OK(status);
    return program;
}

/* Value and gradient at q by a desc. */
static void rows_at(const bln_program_desc *desc, const double *q, double *value, double *gradient)
{
    bln_program *program = rows_program(desc);
    const bln_density d = bln_program_density(program);
    CHECK_OK(d.eval(d.user, q, value, gradient, NULL));
    bln_program_free(program);
}

/* The mean over an epoch is the sum over all rows, whatever the size of a batch, in every epoch; batches differ by one
 * row at most, and each row is in one of them. 1e-12: sums of some 30 products in another order.             [programs 5] */
TEST(program_rows, mean_over_an_epoch)
{
    static const size_t sizes[] = { 1, 2, 7, 10, 22, 23, 40 };
    rows_world w;
    bln_program_desc desc = rows_desc(&w);
    bln_data_reader reader;
    const bln_source source = bln_source_of(&w.data, &reader);
    double full, gradient[ROWS_DIM], before[ROWS_DIM], first_y[PROGRAM_ROWS];
    rows_at(&desc, w.q, &full, gradient);
    for (int from_source = 0; from_source < 2; from_source++) {
        desc.data = from_source ? NULL : &w.data;
        desc.source = from_source ? &source : NULL;
        bln_program *program = rows_program(&desc);
        const bln_density d = bln_program_density(program);
        for (size_t k = 0; k < sizeof sizes/sizeof *sizes; k++) {
            const size_t count = (PROGRAM_ROWS + sizes[k] - 1)/sizes[k];
            for (size_t epoch = 0; epoch < 2; epoch++) {
                double value = 0.0, mean[ROWS_DIM] = { 0 }, y = 0.0;
                size_t rows = 0;
                for (size_t b = 0; b < count; b++) {
                    double one, g[ROWS_DIM];
                    CHECK_OK(d.parts->batch(d.user, sizes[k], epoch*count + b, 1, NULL));
                    CHECK_OK(d.eval(d.user, w.q, &one, g, NULL));
                    value += one/(double)count;
                    for (size_t i = 0; i < ROWS_DIM; i++) mean[i] += g[i]/(double)count;
                    rows += program->rows.now.n;
                    CHECK_LE((double)program->rows.now.n, (double)sizes[k]);
                    if (!from_source) CHECK_LE(fabs((double)program->rows.now.n - (double)PROGRAM_ROWS/(double)count), 1.0);
                    for (size_t i = 0; i < program->rows.now.n; i++) y += program->rows.now.y[i];
                    first_y[b] = program->rows.now.y[0];
                    if (b == 0) memcpy(before, g, sizeof g);
                }
                CHECK_SIZE(rows, PROGRAM_ROWS);
                CHECK_NEAR(y, blni_tape_sum(PROGRAM_ROWS, w.y), 1e-13);
                CHECK_GOLD(value, full, 1e-12);
                for (size_t i = 0; i < ROWS_DIM; i++) CHECK_GOLD(mean[i], gradient[i], 1e-12);
            }
            CHECK_OK(d.parts->batch(d.user, sizes[k], 0, 1, NULL));          /* any batch again, out of order */
            double one, g[ROWS_DIM], first[ROWS_DIM];
            CHECK_OK(d.eval(d.user, w.q, &one, first, NULL));
            CHECK_OK(d.parts->batch(d.user, sizes[k], count - 1, 1, NULL));
            if (from_source) CHECK(program->rows.now.y[0] == first_y[count - 1]);
            CHECK_OK(d.eval(d.user, w.q, &one, g, NULL));
            CHECK_OK(d.parts->batch(d.user, sizes[k], 0, 2, NULL));
            CHECK_OK(d.eval(d.user, w.q, &one, g, NULL));
            CHECK(!memcmp(g, first, sizeof g));
            if (from_source) CHECK(!memcmp(g, before, sizeof g));            /* a source gives the same in each epoch */
        }
        CHECK_OK(d.parts->batch(d.user, 0, 0, 0, NULL));
        double value;
        CHECK_OK(d.eval(d.user, w.q, &value, NULL, NULL));
        CHECK_GOLD(value, full, 1e-13);
        bln_program_free(program);
    }
}

/* Of two levels that rows belong to a block may read one only, and both are read. */
static bln_status rows_levels(bln_tape *t, const bln_var *p, void *user)
{
    const bln_data *rows = bln_batch(t);
    (void)user;
    bln_data_term(t);
    for (size_t i = 0; i < rows->n; i++) bln_lp_normal(t, bln_c_num(t, rows->y[i]), p[rows->y[i] > 0.0], bln_c_num(t, 1.0));
    return BLN_OK;
}
TEST(program_rows, blocks_that_read_some)
{
    static const bln_program_parameter levels[2] = { BLN_PARAMETER("a", 1, 1, FREE), BLN_PARAMETER("b", 1, 1, FREE) };
    rows_world w;
    bln_program_desc desc = rows_desc(&w);
    bln_data_reader reader;
    const bln_source source = bln_source_of(&w.data, &reader);
    for (size_t i = 0; i < PROGRAM_ROWS; i++) w.y[i] = i < 8 ? -1.0 : 1.0;
    desc.model = rows_levels;
    desc.parameters = levels;
    desc.n_parameters = 2;
    bln_program_free(rows_program(&desc));
    desc.data = NULL;
    desc.source = &source;
    desc.block = 4;
    bln_program_free(rows_program(&desc));
}

/* Blocks of a source add up to the rows in memory. */
TEST(program_rows, pass_over_a_source)
{
    static const size_t blocks[] = { 1, 4, 23, 0 };
    rows_world w;
    bln_program_desc desc = rows_desc(&w);
    bln_data_reader reader;
    const bln_source source = bln_source_of(&w.data, &reader);
    double full, gradient[ROWS_DIM], worst;
    rows_at(&desc, w.q, &full, gradient);
    desc.data = NULL;
    desc.source = &source;
    desc.parallel = 1;
    for (size_t k = 0; k < 4; k++) {
        double value, g[ROWS_DIM];
        desc.block = blocks[k];
        rows_at(&desc, w.q, &value, g);
        CHECK_GOLD(value, full, 1e-13);
        for (size_t i = 0; i < ROWS_DIM; i++) CHECK_GOLD(g[i], gradient[i], 1e-12);
    }
    bln_program *program = rows_program(&desc);
    const bln_density d = bln_program_density(program);
    CHECK_OK(bln_density_check(&d, w.q, &worst, NULL));
    CHECK_LE(worst, 1e-9);
    CHECK(!d.clone);                                             /* it has one place at a time */
    bln_program_free(program);
}

/* A source that fails on some pass, gives too much, or nothing; or that fails, or gives smaller or larger blocks, from now on. */
enum { ROWS_GOOD = 4, ROWS_FAILS, ROWS_IMPOSSIBLE, ROWS_SMALLER };
typedef struct rows_bad { bln_data_reader reader; bln_source inner; int passes, kind; } rows_bad;
static bln_status rows_bad_reset(void *user, bln_report *report)
{
    rows_bad *b = (rows_bad *)user;
    b->passes++;
    return b->inner.reset(b->inner.user, report);
}
static bln_status rows_bad_next(void *user, size_t most, bln_data *block, bln_report *report)
{
    rows_bad *b = (rows_bad *)user;
    if (b->kind == 0 && b->passes > 2) {
        if (report) strcpy(report->text, "the line is down");
        return BLN_EIO;
    }
    if (b->kind == ROWS_FAILS || b->kind == ROWS_IMPOSSIBLE) {
        if (report) strcpy(report->text, "the line is down");
        return b->kind == ROWS_FAILS ? BLN_EIO : BLN_EDOMAIN;
    }
    if (b->kind == ROWS_SMALLER && most > 3) most = 3;
    if (b->kind == 1) most += 1;
    const bln_status status = b->inner.next(b->inner.user, most, block, report);
    if (b->kind == 2) block->n = 0;
    if (b->kind == 3) block->ldx = block->d + 1;
    return status;
}
static bln_source rows_bad_source(rows_bad *b, const rows_world *w, int kind)
{
    bln_source source;
    b->inner = bln_source_of(&w->data, &b->reader);
    b->kind = kind;
    source.d = ROWS_D;
    source.reset = rows_bad_reset;
    source.next = rows_bad_next;
    source.user = b;
    return source;
}

TEST(program_rows, bad_rows)
{
    static const struct { int kind; bln_status status; const char *text; } bad[] = {
        { 0, BLN_EIO, "the line is down" }, { 1, BLN_EINVAL, "more rows than asked for" }, { 2, BLN_EDATA, "no rows" },
        { 3, BLN_EINVAL, "without gaps" } };
    rows_world w;
    bln_report report;
    for (size_t k = 0; k < 4; k++) {
        bln_program_desc desc = rows_desc(&w);
        rows_bad b = BLN_ZERO;
        bln_program *program = NULL;
        const bln_source source = rows_bad_source(&b, &w, bad[k].kind);
        desc.data = NULL;
        desc.source = &source;
        desc.block = 5;
        CHECK_STATUS(bln_program_create(&desc, &program, &report), bad[k].status);
        CHECK_TEXT(report.text, bad[k].text);
        desc.data = &w.data;
        CHECK_TEXT(bln_program_check(&desc), "exclude");
    }
    bln_program_desc desc = rows_desc(&w);
    w.data.ldx = ROWS_D + 1;
    CHECK_TEXT(bln_program_check(&desc), "without gaps");
    w.data.ldx = ROWS_D;
    CHECK(!bln_program_check(&desc));
    w.data.n = 0;
    CHECK_TEXT(bln_program_check(&desc), "without rows");
    w.data.n = PROGRAM_ROWS;
    w.X[4] = BLNI_NAN;
    bln_program *program = NULL;
    CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EDATA);
    CHECK_SIZE(report.row, 1);
    CHECK_SIZE(report.column, 1);
}

/* Scopes add up to the target; each by hand; powers multiply them, and 0 leaves the likelihood.                [programs 32] */
TEST(program_rows, scopes_by_hand)
{
    rows_world w;
    bln_program_desc desc = rows_desc(&w);
    double power[BLN_SCOPES] = { 1, 1, 1, 1, 1, 1, 1, 1 }, scope[1 + BLN_SCOPES], by_hand[1 + BLN_SCOPES] = { 0 }, value, sum = 0.0;
    double g[ROWS_DIM], alone[ROWS_DIM];
    bln_report report;
    desc.power = power;
    bln_program *program = rows_program(&desc);
    const bln_density d = bln_program_density(program);
    const double s = exp(w.q[3]);
    for (int k = 0; k < ROWS_D; k++) by_hand[1] += bln_norm_logpdf(w.q[k]/2.0) - log(2.0);
    by_hand[2] = 2.0*log(3.0) + log(s) - 3.0*s + w.q[3];                       /* and its log-Jacobian */
    for (int i = 0; i < PROGRAM_ROWS; i++) {
        const double f = bln_dot(ROWS_D, w.X + i*ROWS_D, w.q);
        by_hand[0] += bln_norm_logpdf((w.y[i] - f)/s) - log(s);
        by_hand[3] -= 0.5*w.q[4]*f*w.q[4]*f;
    }
    CHECK_OK(bln_program_scopes(program, w.q, scope, &report));
    CHECK_OK(d.eval(d.user, w.q, &value, g, NULL));
    for (int k = 0; k <= BLN_SCOPES; k++) { CHECK_GOLD(scope[k], by_hand[k], 1e-13); sum += scope[k]; }
    CHECK(sum == value);
    for (int k = 0; k < BLN_SCOPES; k++) power[k] = 0.25*(double)k;
    CHECK_OK(d.eval(d.user, w.q, &value, g, NULL));
    CHECK_GOLD(value, by_hand[0] + 0.25*by_hand[2] + 0.5*by_hand[3], 1e-13);
    CHECK_OK(bln_density_check(&d, w.q, &sum, &report));
    CHECK_LE(sum, 1e-9);
    CHECK_OK(bln_program_scopes(program, w.q, scope, &report));                /* powers do not change the report */
    CHECK_GOLD(scope[1], by_hand[1], 1e-13);
    memset(power, 0, sizeof power);
    CHECK_OK(d.eval(d.user, w.q, &value, alone, NULL));
    CHECK_GOLD(value, by_hand[0], 1e-13);
    CHECK_NEAR(alone[4], 0.0, 0.0);
    bln_program_free(program);
}

static bln_status rows_wrong_scope(bln_tape *t, const bln_var *p, void *user)
{
    const int kind = *(int *)user;
    bln_lp_std_normal(t, p[0]);
    bln_scope(t, kind == 0 ? 9 : 2);
    bln_lp_std_normal(t, p[0]);
    bln_data_term(t);
    bln_scope(t, kind == 1 ? 2 : 1);
    return BLN_OK;
}
TEST(program_rows, wrong_scopes)
{
    static const bln_program_parameter x = BLN_PARAMETER("x", 1, 1, FREE);
    bln_program_parameter far = x;
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_report report;
    int kind;
    desc.model = rows_wrong_scope;
    desc.user = &kind;
    desc.parameters = &x;
    desc.n_parameters = 1;
    for (kind = 0; kind < 3; kind++) {
        CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, kind == 0 ? "scopes are 1 to 8" : "terms before and after bln_data_term, in scope");
    }
    far.scope = 9;
    desc.parameters = &far;
    CHECK_TEXT(bln_program_check(&desc), "scopes are 1 to 8");
}

/* mu ~ N(0, 1) in scope 1, x > mu in scope 2: x = mu + e^z with x - mu ~ exponential(1). Wrong: the prior of z in scope 1, a
 * prior of mu in scope 1 that depends on z, and the prior of u, of scope 3, in scope 2. */
static bln_status rows_above(bln_tape *t, const bln_var *p, void *user)
{
    const int kind = *(const int *)user;
    const bln_var x = bln_v_add(t, p[0], bln_v_exp(t, p[1]));
    if (kind == 2) bln_lp_normal(t, p[0], x, bln_c_num(t, 1.0));
    else           bln_lp_std_normal(t, p[0]);
    if (kind != 1) bln_scope(t, 2);
    bln_lp_exponential(t, bln_v_sub(t, x, p[0]), bln_c_num(t, 1.0));
    bln_lp_add(t, p[1]);
    if (kind == 3) bln_lp_std_normal(t, p[2]);
    return BLN_OK;
}
TEST(program_rows, scopes_in_order)
{
    static const double q[2] = { 0.7, -0.4 };
    bln_program_parameter p[3] = {
        BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("z", 1, 1, FREE), BLN_PARAMETER("u", 1, 1, FREE) };
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_report report;
    double scope[1 + BLN_SCOPES], value, gradient[2];
    int kind;
    p[1].scope = 2;
    p[2].scope = 3;
    desc.model = rows_above;
    desc.user = &kind;
    desc.parameters = p;
    desc.n_parameters = 2;
    for (kind = 1; kind < 3; kind++) {
        CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EINVAL);
        CHECK_TEXT(report.text, "program: z: its scope comes after one that depends on it, scope 1");
        CHECK(report.column == 1);
    }
    desc.n_parameters = 3;
    CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "program: u: its scope comes after one that depends on it, scope 2");
    p[2].point = 1;                                              /* it has no divergence */
    CHECK_OK(bln_program_create(&desc, &program, &report));
    bln_program_free(program);
    desc.n_parameters = 2;
    kind = 0;
    CHECK_OK(bln_program_create(&desc, &program, &report));
    CHECK_OK(bln_program_scopes(program, q, scope, &report));
    CHECK_NEAR(scope[0], 0.0, 0.0);
    CHECK_GOLD(scope[1], -0.5*q[0]*q[0] - 0.91893853320467274178, 1e-14);
    CHECK_GOLD(scope[2], q[1] - exp(q[1]), 1e-14);
    const bln_density d = bln_program_density(program);
    CHECK_OK(d.eval(d.user, q, &value, gradient, &report));
    CHECK_GOLD(value, scope[1] + scope[2], 1e-14);
    CHECK_GOLD(gradient[0], -q[0], 1e-14);                       /* x - mu does not depend on mu */
    CHECK_GOLD(gradient[1], 1.0 - exp(q[1]), 1e-14);
    bln_program_free(program);
}

/* After a failure of memory or source all batches are as they were: no memory of another size, no count of another one; and all
 * rows are in the density. */
TEST(program_rows, failures_leave_what_was)
{
    rows_world w;
    bln_report report;
    test_heap heap;
    for (int from_source = 0; from_source < 2; from_source++) {
        bln_program_desc desc = rows_desc(&w);
        rows_bad b = BLN_ZERO;
        double full, value, first;
        desc.alloc = test_heap_allocator(&heap);
        const bln_source source = rows_bad_source(&b, &w, ROWS_GOOD);
        if (from_source) { desc.data = NULL; desc.source = &source; }
        bln_program *program = rows_program(&desc);
        const bln_density d = bln_program_density(program);
        CHECK_OK(d.eval(d.user, w.q, &full, NULL, NULL));
        CHECK_OK(d.parts->batch(d.user, 5, 3, 1, NULL));
        CHECK_OK(d.eval(d.user, w.q, &first, NULL, NULL));
        heap.fail_at = from_source ? heap.fail_at : heap.calls;
        b.kind = ROWS_FAILS;
        CHECK_STATUS(d.parts->batch(d.user, 20, 0, 1, &report), from_source ? BLN_EIO : BLN_ENOMEM);
        b.kind = ROWS_GOOD;
        heap.fail_at = (size_t)-1;
        CHECK_OK(d.eval(d.user, w.q, &value, NULL, NULL));
        CHECK_GOLD(value, full, 1e-13);
        CHECK_OK(d.parts->batch(d.user, 5, 3, 1, NULL));
        CHECK_OK(d.eval(d.user, w.q, &value, NULL, NULL));
        CHECK(!memcmp(&value, &first, sizeof value));
        CHECK_OK(d.parts->batch(d.user, 0, 0, 0, NULL));
        /* An error that would mean an impossible point is one of the source, not density 0. */
        b.kind = ROWS_IMPOSSIBLE;
        CHECK_STATUS(d.eval(d.user, w.q, &value, NULL, &report), from_source ? BLN_EDATA : BLN_OK);
        if (from_source) CHECK_TEXT(report.text, "the line is down");
        bln_program_free(program);
        CHECK_SIZE(heap.live, 0);
    }
}

/* A source whose blocks are others than when they were counted: rows would be left out, or counted twice. */
TEST(program_rows, other_blocks_than_counted)
{
    static const char *const text[] = { "more rows, or smaller blocks", "fewer rows, or larger blocks" };
    rows_world w;
    bln_report report;
    for (int larger = 0; larger < 2; larger++) {
        bln_program_desc desc = rows_desc(&w);
        rows_bad b = BLN_ZERO;
        bln_status status = BLN_OK;
        const bln_source source = rows_bad_source(&b, &w, ROWS_GOOD);
        desc.data = NULL;
        desc.source = &source;
        bln_program *program = rows_program(&desc);
        const bln_density d = bln_program_density(program);
        b.kind = larger ? ROWS_SMALLER : ROWS_GOOD;
        CHECK_OK(d.parts->batch(d.user, 10, 0, 1, NULL));
        b.kind = larger ? ROWS_GOOD : ROWS_SMALLER;
        for (uint64_t step = 1; step < 20 && status == BLN_OK; step++) status = d.parts->batch(d.user, 10, step, 1, &report);
        CHECK_STATUS(status, BLN_EDATA);
        CHECK_TEXT(report.text, text[larger]);
        bln_program_free(program);
    }
}

/* Noise: standard normals; the same for the same draw, others in each call and draw; without a draw always the same. Mean and
 * variance of 2 x 20000: within 5 standard errors. */
typedef struct rows_noise { double last[2][20000]; size_t n; } rows_noise;
static bln_status rows_noise_model(bln_tape *t, const bln_var *p, void *user)
{
    rows_noise *o = (rows_noise *)user;
    const bln_var a = bln_c_noise(t, o->n/2, 2), b = bln_c_noise(t, o->n, 1);
    bln_lp_std_normal(t, p[0]);
    memcpy(o->last[0], bln_v_values(t, a), o->n*sizeof(double));
    memcpy(o->last[1], bln_v_values(t, b), o->n*sizeof(double));
    bln_lp_add(t, bln_v_scale(t, 1e-3, bln_v_mul(t, b, p[0])));
    return BLN_OK;
}
TEST(program_rows, noise)
{
    static const bln_program_parameter x = BLN_PARAMETER("x", 1, 1, FREE);
    static rows_noise o, one, two;
    bln_program_desc desc = BLN_ZERO;
    double q = 0.3, value, mean, square;
    o.n = 20000;
    desc.model = rows_noise_model;
    desc.user = &o;
    desc.parameters = &x;
    desc.n_parameters = 1;
    bln_program *program = rows_program(&desc);
    const bln_density d = bln_program_density(program);
    for (int call = 0; call < 2; call++) {
        mean = square = 0.0;
        for (size_t i = 0; i < o.n; i++) { mean += o.last[call][i]/20000.0; square += o.last[call][i]*o.last[call][i]/20000.0; }
        CHECK_LE(fabs(mean), 5.0/sqrt(20000.0));
        CHECK_LE(fabs(square - 1.0), 5.0*sqrt(2.0/20000.0));
    }
    CHECK(memcmp(o.last[0], o.last[1], sizeof o.last[0]));
    one = o;
    CHECK_OK(d.eval(d.user, &q, &value, NULL, NULL));
    CHECK(!memcmp(&one, &o, sizeof o));
    CHECK_OK(d.parts->batch(d.user, 0, 0, 5, NULL));
    CHECK_OK(d.eval(d.user, &q, &value, NULL, NULL));
    CHECK(memcmp(one.last[0], o.last[0], sizeof o.last[0]));
    two = o;
    CHECK_OK(d.parts->batch(d.user, 0, 0, 6, NULL));
    CHECK_OK(d.eval(d.user, &q, &value, NULL, NULL));
    CHECK(memcmp(two.last[0], o.last[0], sizeof o.last[0]));
    CHECK_OK(d.parts->batch(d.user, 0, 0, 5, NULL));
    CHECK_OK(d.eval(d.user, &q, &value, NULL, NULL));
    CHECK(!memcmp(&two, &o, sizeof o));
    CHECK_OK(d.parts->batch(d.user, 0, 0, 0, NULL));
    CHECK_OK(d.eval(d.user, &q, &value, NULL, NULL));
    CHECK(!memcmp(&one, &o, sizeof o));
    bln_program_free(program);
}

/* Processes: value, gradient, scopes and a few stochastic steps of full batches are those of one process with all rows. */
typedef struct rows_ranks {
    rows_world w;
    size_t     fail;               /* the process that fails while it is created; RANKS_MOST: none */
    int        impossible;         /* process 1 finds each point below 0 impossible                */
    bln_status status[2];
    double     value[2], gradient[2][ROWS_DIM], scope[2][1 + BLN_SCOPES], mean[2][ROWS_DIM];
} rows_ranks;
typedef struct rows_rank { rows_ranks *all; size_t rank; } rows_rank;

static bln_status rows_rank_model(bln_tape *t, const bln_var *p, void *user)
{
    const rows_rank *r = (const rows_rank *)user;
    if (r->rank == r->all->fail) return BLN_EIO;
    if (r->all->impossible && r->rank == 1 && bln_v_value(t, bln_v_elem(t, p[0], 0)) < 0.0) return BLN_EDOMAIN;
    return rows_model(t, p, user);
}

/* Steps over all rows: what one process and two see is the same but for rounding. */
static void rows_advi(const bln_density *d, const double *start, double *mean)
{
    bln_advi_desc desc = BLN_ZERO;
    bln_advi *advi = NULL;
    bln_report report;
    desc.density = *d;
    desc.method = BLN_ADVI_STOCHASTIC;
    desc.noise = 2;
    desc.max_iterations = 20;
    desc.draws = 10;
    desc.start = start;
    const bln_status status = bln_advi_fit(&desc, &advi, &report);
    if (status == BLN_OK) memcpy(mean, bln_advi_result(advi)->mean, ROWS_DIM*sizeof *mean);
    bln_advi_free(advi);
}

static void rows_one_rank(void *user, size_t rank, ranks_fake *fake)
{
    rows_ranks *all = (rows_ranks *)user;
    rows_world w;
    rows_rank r;
    bln_program_desc desc = rows_desc(&w);
    bln_program *program = NULL;
    bln_report report;
    const bln_data mine = bln_data_rows(&w.data, rank ? 9 : 0, rank ? PROGRAM_ROWS - 9 : 9);
    r.all = all;
    r.rank = rank;
    desc.model = rows_rank_model;
    desc.user = &r;
    desc.data = &mine;
    desc.allreduce = ranks_sum;
    desc.allreduce_user = fake;
    bln_status status = bln_program_create(&desc, &program, &report);
    if (status == BLN_OK) {
        const bln_density d = bln_program_density(program);
        CHECK(!d.clone);
        w.q[0] = -1.0;
        status = d.eval(d.user, w.q, all->value + rank, all->gradient[rank], &report);
        if (status == BLN_OK && !all->impossible) status = bln_program_scopes(program, w.q, all->scope[rank], &report);
        if (status == BLN_OK && !all->impossible) rows_advi(&d, bln_program_start(program), all->mean[rank]);
    }
    all->status[rank] = status;
    bln_program_free(program);
}

TEST(program_rows, processes)
{
    static rows_ranks all;
    bln_program_desc desc = rows_desc(&all.w);
    double value, gradient[ROWS_DIM], scope[1 + BLN_SCOPES], mean[ROWS_DIM] = { 0 };
    all.fail = RANKS_MOST;
    bln_program *program = rows_program(&desc);
    const bln_density d = bln_program_density(program);
    all.w.q[0] = -1.0;
    CHECK_OK(d.eval(d.user, all.w.q, &value, gradient, NULL));
    CHECK_OK(bln_program_scopes(program, all.w.q, scope, NULL));
    rows_advi(&d, bln_program_start(program), mean);
    bln_program_free(program);
    CHECK(ranks_run(2, rows_one_rank, &all) != BLN_NONE);
    for (int rank = 0; rank < 2; rank++) {
        CHECK_OK(all.status[rank]);
        CHECK_GOLD(all.value[rank], value, 1e-13);
        for (int i = 0; i < ROWS_DIM; i++) CHECK_GOLD(all.gradient[rank][i], gradient[i], 1e-12);
        for (int i = 0; i < ROWS_DIM; i++) CHECK_NEAR(all.mean[rank][i], mean[i], 1e-9);     /* 20 steps of Adam magnify rounding */
        for (int k = 0; k <= BLN_SCOPES; k++) CHECK_GOLD(all.scope[rank][k], scope[k], 1e-13);
    }
    CHECK(!memcmp(all.gradient[0], all.gradient[1], sizeof gradient) && !memcmp(all.mean[0], all.mean[1], sizeof mean));
    all.impossible = 1;                                          /* in one process: in all */
    CHECK(ranks_run(2, rows_one_rank, &all) != BLN_NONE);
    for (int rank = 0; rank < 2; rank++) CHECK(all.status[rank] == BLN_OK && all.value[rank] == -HUGE_VAL);
    all.impossible = 0;
    all.fail = 1;
    CHECK(ranks_run(2, rows_one_rank, &all) != BLN_NONE);
    CHECK_STATUS(all.status[0], BLN_EPEER);
    CHECK_STATUS(all.status[1], BLN_EIO);
}

/* Two processes with 110 and 150 rows, in minibatches of one, with noise of their own. The stopping rule of each must judge windows
 * of the same length, or one slows down before the other: with windows of 111 and 151 steps the first would end its fourth one
 * after 444 steps. Both stop at 460 with the same bits, near the maximum: theta is a point, y_i ~ N(theta + e_i/10, 1). */
enum { ROWS_FIRST = 110, ROWS_SECOND = 150 };
typedef struct rows_uneven {
    double     y[ROWS_FIRST + ROWS_SECOND], noise[2], theta[2];
    size_t     window[2];
    bln_status status[2];
} rows_uneven;
static bln_status rows_uneven_model(bln_tape *t, const bln_var *p, void *user)
{
    const bln_data *rows = bln_batch(t);
    const bln_var e = bln_c_noise(t, rows->n, 1);
    *(double *)user = bln_v_value(t, e);
    bln_lp_std_normal(t, p[0]);
    bln_data_term(t);
    bln_lp_normal(t, bln_c_vec(t, rows->y, rows->n), bln_v_axpy(t, 0.1, e, p[0]), bln_c_num(t, 1));
    return BLN_OK;
}
static bln_status rows_uneven_stop(void *user, const bln_advi_progress *progress)
{
    (void)user;
    return progress->iteration >= 460 ? BLN_ESTOPPED : BLN_OK;
}
static void rows_uneven_rank_run(void *user, size_t rank, ranks_fake *fake)
{
    static const bln_program_parameter theta = { "theta", 1, 1, BLN_CONSTRAINT_FREE, 0.0, 0.0, NULL, 0, 1 };
    static const double start = 2.0;
    rows_uneven *all = (rows_uneven *)user;
    double noise = 0.0;
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_advi *advi = NULL;
    bln_report report;
    bln_data data = BLN_ZERO;
    data.n = rank ? ROWS_SECOND : ROWS_FIRST;
    data.y = all->y + (rank ? ROWS_FIRST : 0);
    desc.model = rows_uneven_model;
    desc.user = &noise;
    desc.parameters = &theta;
    desc.n_parameters = 1;
    desc.data = &data;
    desc.allreduce = ranks_sum;
    desc.allreduce_user = fake;
    all->status[rank] = bln_program_create(&desc, &program, &report);
    if (all->status[rank] != BLN_OK) return;
    all->noise[rank] = noise;
    bln_advi_desc fit = BLN_ZERO;
    fit.density = bln_program_density(program);
    fit.batch = 1;
    fit.rate = 0.01;
    fit.start = &start;                                          /* near the maximum, so that windows soon see no progress */
    fit.block = 20;
    fit.monitor = rows_uneven_stop;
    const bln_advi_desc d = bln_advi_defaults(&fit);
    all->window[rank] = blni_advi_sgd(&d).window;
    all->status[rank] = bln_advi_fit(&fit, &advi, &report);
    if (all->status[rank] == BLN_OK) all->theta[rank] = bln_advi_result(advi)->mean[0];
    bln_advi_free(advi);
    bln_program_free(program);
}
TEST(program_rows, processes_of_different_size)
{
    static rows_uneven all;
    double best = 0.0;
    bln_rng rng;
    bln_rng_seed(&rng, 18, 0);
    for (int i = 0; i < ROWS_FIRST + ROWS_SECOND; i++) {
        all.y[i] = 2.0 + bln_rng_normal(&rng);
        best += all.y[i]/(1.0 + ROWS_FIRST + ROWS_SECOND);
    }
    CHECK(ranks_run(2, rows_uneven_rank_run, &all) != BLN_NONE);
    for (int rank = 0; rank < 2; rank++) {
        CHECK_OK(all.status[rank]);
        CHECK_SIZE(all.window[rank], 131);
        /* Adam's steps are at most the rate: the point strolls around the maximum by some ten of them. */
        CHECK_NEAR(all.theta[rank], best, 0.15);
    }
    CHECK(all.theta[0] == all.theta[1]);
    CHECK(all.noise[0] != all.noise[1]);
}

static bln_status rows_scope_row(bln_tape *t, size_t i, const bln_var *in, void *user)
{
    (void)i;
    (void)user;
    bln_scope(t, 2);
    bln_lp_std_normal(t, in[0]);
    return BLN_OK;
}
static bln_status rows_scope_model(bln_tape *t, const bln_var *p, void *user)
{
    (void)user;
    bln_data_term(t);
    bln_lp_rows(t, 5, rows_scope_row, p, 1, NULL);
    return BLN_OK;
}
TEST(program_rows, what_would_be_wrong_silently)
{
    static const bln_program_parameter x = BLN_PARAMETER("x", 1, 1, FREE);
    static rows_noise o;
    double power[BLN_SCOPES] = { 1, 1, 1, 1, 1, 1, 1, -1 };
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_report report;
    desc.model = rows_scope_model;
    desc.parameters = &x;
    desc.n_parameters = 1;
    CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "bln_scope in a row");
    desc.power = power;
    CHECK_TEXT(bln_program_check(&desc), "powers must be finite and >= 0");
    power[BLN_SCOPES - 1] = 1.0;
    CHECK(!bln_program_check(&desc));
    o.n = 20;
    desc.model = rows_noise_model;
    desc.user = &o;
    program = rows_program(&desc);
    bln_advi_desc advi = BLN_ZERO;
    advi.density = bln_program_density(program);
    CHECK(!bln_advi_check(&advi));                               /* then its steps are stochastic */
    advi.method = BLN_ADVI_FIXED_NOISE;
    CHECK_TEXT(bln_advi_check(&advi), "noise of its own (bln_c_noise)");
    bln_program_free(program);
}

/* A source whose reset or next number `fail_reset` or `fail_next` (from 1) fails with `status`; whose rows have d columns, if that
 * is not 0; or that is empty. */
typedef struct rows_line {
    bln_data_reader reader;
    bln_source      inner;
    int             resets, nexts, fail_reset, fail_next, empty;
    bln_status      status;
    size_t          d;
} rows_line;
static bln_status rows_line_reset(void *user, bln_report *report)
{
    rows_line *l = (rows_line *)user;
    return ++l->resets == l->fail_reset ? l->status : l->inner.reset(l->inner.user, report);
}
static bln_status rows_line_next(void *user, size_t most, bln_data *block, bln_report *report)
{
    rows_line *l = (rows_line *)user;
    if (++l->nexts == l->fail_next) return l->status;
    const bln_status status = l->inner.next(l->inner.user, most, block, report);
    if (l->empty) block->n = 0;
    if (l->d) block->d = l->d;
    return status;
}
static bln_status rows_alone(void *user, double *buf, size_t n)                /* the sum over one process */
{
    (void)user;
    (void)buf;
    (void)n;
    return BLN_OK;
}

/* Wherever a source fails, its status comes out; one that would mean an impossible point becomes BLN_EDATA. */
TEST(program_rows, lines_that_break)
{
    static const struct { int fail_reset, fail_next, alone; size_t d; bln_status status, want; const char *text; } make[] = {
        { 1, 0, 0, 0, BLN_EIO, BLN_EIO, "" }, { 1, 0, 0, 0, BLN_ENOTPD, BLN_EDATA, "" },
        { 0, 1, 0, 0, BLN_ENUMERIC, BLN_EDATA, "" },
        { 2, 0, 1, 0, BLN_EIO, BLN_EIO, "" }, { 0, 0, 0, 2, BLN_OK, BLN_ESHAPE, "another number of columns than it said" } };
    rows_world w;
    bln_report report;
    double value;
    for (size_t k = 0; k < 5 + 6; k++) {
        bln_program_desc desc = rows_desc(&w);
        rows_line l = BLN_ZERO;
        bln_source source;
        bln_program *program = NULL;
        l.inner = bln_source_of(&w.data, &l.reader);
        source.d = ROWS_D;
        source.reset = rows_line_reset;
        source.next = rows_line_next;
        source.user = &l;
        desc.data = NULL;
        desc.source = &source;
        if (k < 5) {
            l.fail_reset = make[k].fail_reset;
            l.fail_next = make[k].fail_next;
            l.status = make[k].status;
            l.d = make[k].d;
            if (make[k].alone) desc.allreduce = rows_alone;
            CHECK_STATUS(bln_program_create(&desc, &program, &report), make[k].want);
            CHECK_TEXT(report.text, make[k].text);
            CHECK(program == NULL);
            continue;
        }
        program = rows_program(&desc);
        const bln_density d = bln_program_density(program);
        l.status = BLN_EIO;
        switch (k - 5) {
        case 0: l.fail_reset = l.resets + 1; CHECK_STATUS(d.eval(d.user, w.q, &value, NULL, &report), BLN_EIO); break;
        case 1:
            l.empty = 1;
            CHECK_STATUS(d.eval(d.user, w.q, &value, NULL, &report), BLN_EDATA);
            CHECK_TEXT(report.text, "the source has no rows");
            break;
        case 2: l.fail_reset = l.resets + 2; CHECK_STATUS(d.parts->batch(d.user, 10, 0, 1, &report), BLN_EIO); break;
        case 3:                                                  /* after 3 batches and the end, by which they are counted */
            l.fail_next = l.nexts + 5;
            CHECK_STATUS(d.parts->batch(d.user, 10, 0, 1, &report), BLN_EIO);
            break;
        default:                                                 /* at the end of an epoch of 3 batches */
            for (uint64_t step = 0; step < 3; step++) CHECK_OK(d.parts->batch(d.user, 10, step, 1, &report));
            l.fail_next = k - 5 == 4 ? l.nexts + 1 : 0;
            CHECK_STATUS(d.parts->batch(d.user, 10, 3, 1, &report), k - 5 == 4 ? BLN_EIO : BLN_OK);
        }
        l.fail_reset = l.fail_next = l.empty = 0;
        CHECK_OK(d.parts->batch(d.user, 0, 0, 0, NULL));
        CHECK_OK(d.eval(d.user, w.q, &value, NULL, &report));      /* and all is well again */
        bln_program_free(program);
    }
}

/* What a model says of a point is so in all processes, with a gradient and without; a constant at fault ends the run. */
static bln_status rows_verdict(bln_tape *t, const bln_var *p, void *user)
{
    const bln_status *below = (const bln_status *)user;
    bln_lp_normal(t, p[0], bln_c_num(t, 0.0), bln_c_num(t, *below == BLN_OK ? -1.0 : 1.0));
    return bln_v_value(t, p[0]) < 0.0 ? *below : BLN_OK;
}
TEST(program_rows, verdicts_of_processes)
{
    static const bln_status verdicts[] = { BLN_EDOMAIN, BLN_ENOTPD, BLN_ENUMERIC, BLN_EIO };
    static const double start = 1.0, below = -1.0;
    bln_program_parameter x = BLN_PARAMETER("x", 1, 1, FREE);
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_report report;
    bln_status verdict = BLN_OK;
    double value, g;
    x.start = &start;
    desc.model = rows_verdict;
    desc.user = &verdict;
    desc.parameters = &x;
    desc.n_parameters = 1;
    desc.parallel = 1;
    desc.allreduce = rows_alone;
    CHECK_STATUS(bln_program_create(&desc, &program, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "sd must be > 0");
    for (int k = 0; k < 4; k++) {
        verdict = verdicts[k];
        program = rows_program(&desc);
        const bln_density d = bln_program_density(program);
        CHECK(!d.clone);                                         /* processes take turns, and threads would not */
        for (int with = 0; with < 2; with++) {
            g = 3.0;
            CHECK_STATUS(d.eval(d.user, &below, &value, with ? &g : NULL, &report), verdict == BLN_EIO ? BLN_EIO : BLN_OK);
            if (verdict != BLN_EIO) CHECK(value == -HUGE_VAL && g == (with ? 0.0 : 3.0));
        }
        bln_program_free(program);
    }
}

SUITE_BEGIN(program_rows)
    SUITE_TEST(program_rows, lines_that_break)
    SUITE_TEST(program_rows, verdicts_of_processes)
    SUITE_TEST(program_rows, mean_over_an_epoch)
    SUITE_TEST(program_rows, blocks_that_read_some)
SUITE_TEST(program_rows, pass_over_a_source)
    SUITE_TEST(program_rows, bad_rows)
    SUITE_TEST(program_rows, failures_leave_what_was)
    SUITE_TEST(program_rows, other_blocks_than_counted)
    SUITE_TEST(program_rows, scopes_by_hand)
    SUITE_TEST(program_rows, wrong_scopes)
    SUITE_TEST(program_rows, scopes_in_order)
    SUITE_TEST(program_rows, noise)
    SUITE_TEST(program_rows, processes)
    SUITE_TEST(program_rows, processes_of_different_size)
    SUITE_TEST(program_rows, what_would_be_wrong_silently)
SUITE_END(program_rows)

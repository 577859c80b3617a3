/* slm_integrated_file - a model written by hand byte by byte, what is saved loads to the bit, and everything else is refused with a
 * reason and without a trace */
#include "file_tools.h"
#include "posterior_of.h"
#include "../golden/files_golden.h"

enum { INTFILE_SIZE = GOLDEN_INTEGRATED_SIZE, INTFILE_ROOM = 1 << 20 };

static bln_status intfile_load(const unsigned char *bytes, size_t size, test_heap *heap, bln_slm_integrated **out,
                               bln_report *report)
{
    file_load f;
    file_load_begin(&f, bytes, size, heap, report);
    *out = NULL;
    const bln_status status = bln_slm_integrated_load(&f.context, &f.reader, out);
    return file_load_end(&f, status, *out);
}

static size_t intfile_save(const bln_slm_integrated *model, unsigned char *bytes, size_t room)
{
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, bytes, room);
    CHECK_OK(bln_slm_integrated_save(model, &w));
    return m.at;
}

/* nu = 4 + 2 a = 5; node k has location tau t/R = 1, 2 and squared scale (q + 2 b)/5 (v + (tau/R)^2) with v = 1 for y, 0 for f. The
 * mixture of the two t's by SciPy 1.10; 1e-12 of the values, which the library claims. */
TEST(slm_integrated_file, reads_the_file_written_by_hand)
{
    static const double level[2] = { 0.025, 0.975 }, y = 1.5;
    unsigned char again[INTFILE_SIZE + 8];
    double mean, latent, total, quantile[2], of_f[2], cdf, density, weight = 0.0, ratio = 0.0, noise = 0.0;
    test_heap heap;
    bln_slm_integrated *m;
    of_outputs out;
    bln_report report;
    bln_data data;
    CHECK_OK(intfile_load(golden_file_integrated, INTFILE_SIZE, &heap, &m, &report));
    if (!m) return;
    CHECK_TEXT(bln_slm_integrated_basis(m)->ops->name, "bias");
    CHECK_SIZE(bln_slm_integrated_nodes(m), 2);
    CHECK_NEAR(bln_slm_integrated_dof(m), 5.0, 0.0);
    CHECK_NEAR(bln_slm_integrated_rows(m), 4.0, 0.0);
    CHECK_NEAR(bln_slm_integrated_evidence(m), -3.5, 0.0);
    CHECK_NEAR(bln_slm_integrated_unit(m, 0), 1.0, 0.0);
    CHECK_OK(bln_slm_integrated_node(m, 1, &weight, &ratio, &noise));
    CHECK(weight == 0.75 && ratio == 16.0);
    CHECK_REL(noise, 0.5, 1e-15);
    memset(&data, 0, sizeof data);
    data.n = 1;
    data.y = &y;
    memset(&out, 0, sizeof out);
    out.mean = &mean;
    out.var_latent = &latent;
    out.var_total = &total;
    out.cdf = &cdf;
    out.log_density = &density;
    out.n_level = 2;
    out.level = level;
    out.quantile = quantile;
    CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), &data, &out, NULL, NULL));
    CHECK_REL(mean, 1.75, 1e-14);
    CHECK_REL(latent, 2.083796296296297, 1e-13);
    CHECK_REL(total, 2.8754629629629633, 1e-13);
    CHECK_REL(quantile[0], -1.5227209062286786, 1e-12);
    CHECK_REL(quantile[1], 5.176533400087632, 1e-12);
    CHECK_REL(cdf, 0.4392955799522574, 1e-12);
    CHECK_REL(density, -1.289995680802222, 1e-12);
    CHECK_OK(bln_posterior_coefficients(bln_slm_integrated_posterior(m), NULL, NULL, 2, level, of_f, NULL, NULL));
    CHECK_REL(of_f[0], -0.9992727055023644, 1e-12);
    CHECK_REL(of_f[1], 4.6772848285031134, 1e-12);
    CHECK_SIZE(intfile_save(m, again, sizeof again), INTFILE_SIZE);
    CHECK(memcmp(again, golden_file_integrated, INTFILE_SIZE) == 0);
    bln_slm_integrated_free(m);
    CHECK_SIZE(heap.live, 0);
}

/* ---- what is saved is loaded ---- */

enum { INTFILE_ROWS = 14, INTFILE_D = 16 };
typedef struct intfile_answer {
    double mean[INTFILE_ROWS], latent[INTFILE_ROWS], total[INTFILE_ROWS], cdf[INTFILE_ROWS], density[INTFILE_ROWS];
    double quantile[3*INTFILE_ROWS], w[INTFILE_D], sd[INTFILE_D], wq[3*INTFILE_D];
} intfile_answer;

static void intfile_ask(const bln_slm_integrated *m, const bln_data *data, intfile_answer *a)
{
    static const double level[3] = { 0.01, 0.5, 0.9 };
    of_outputs out;
    memset(a, 0, sizeof *a);
    memset(&out, 0, sizeof out);
    out.mean = a->mean;
    out.var_latent = a->latent;
    out.var_total = a->total;
    out.cdf = a->cdf;
    out.log_density = a->density;
    out.n_level = 3;
    out.level = level;
    out.quantile = a->quantile;
    CHECK_OK(outputs_of(bln_slm_integrated_posterior(m), data, &out, NULL, NULL));
    CHECK_OK(bln_posterior_coefficients(bln_slm_integrated_posterior(m), a->w, a->sd, 3, level, a->wq, NULL, NULL));
}

typedef struct intfile_case { const char *spec; double ratio[3]; size_t n; double a, b; int perfect; } intfile_case;

/* To the bit: all flat; flat and integrated; fixed; learnt length scales that are not the basis's own; a prior of the noise; three
 * ratios; fewer rows than weights; a perfect fit. */
TEST(slm_integrated_file, what_is_saved_is_loaded_to_the_bit)
{
    const intfile_case cases[] = {
        { "linear", { HUGE_VAL, 0.0, 0.0 }, 14, 0.0, 0.0, 0 }, { "bias+linear:ones=0", { HUGE_VAL, 0.0, 0.0 }, 14, 0.0, 0.0, 0 },
        { "bias+rbf:n=3,ard", { HUGE_VAL, 0.0, 0.0 }, 14, 0.0, 0.0, 0 }, { "linear+rbf:n=2", { 0.5, 0.0, 0.0 }, 14, 1.5, 0.3, 0 },
        { "bias+linear:ones=0+rbf:n=2", { 0.0, 0.0, 0.0 }, 9, 0.0, 0.0, 0 }, { "rbf:n=8", { 0.0, 0.0, 0.0 }, 5, 0.0, 0.0, 0 },
        { "linear", { 0.0, 0.0, 0.0 }, 14, 0.0, 0.0, 1 }
    };
    static unsigned char bytes[INTFILE_ROOM], again[INTFILE_ROOM];
    static intfile_answer first, second;
    double X[2*INTFILE_ROWS], y[INTFILE_ROWS], theta[2] = { 0.7, 1.9 };
    test_random random = test_random_new(77);
    test_fill_normal(&random, 2*INTFILE_ROWS, X);
    for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
        const intfile_case *c = &cases[k];
        bln_spec_desc text;
        bln_slm_integrated_desc desc;
        bln_slm_integrated *m = NULL, *back = NULL;
        bln_basis *basis = NULL;
        bln_data data;
        bln_report report;
        test_heap heap;
        for (size_t i = 0; i < INTFILE_ROWS; i++)
            y[i] = 1.0 + 2.0*X[2*i] - X[2*i + 1] + (c->perfect ? 0.0 : 0.3*test_normal(&random));
        if (c->perfect)
            for (size_t i = 0; i < INTFILE_ROWS; i++) {          /* small integers: 1 + 2 a - b is exact */
                X[2*i] = (double)(i*5 % 7);
                X[2*i + 1] = (double)(i*3 % 5);
                y[i] = 1.0 + 2.0*X[2*i] - X[2*i + 1];
            }
        memset(&text, 0, sizeof text);
        text.text = c->spec;
        text.d = 2;
        CHECK_OK(bln_basis_parse(&text, &basis, NULL));
        memset(&data, 0, sizeof data);
        data.n = c->n;
        data.d = 2;
        data.X = X;
        data.y = y;
        memset(&desc, 0, sizeof desc);
        desc.basis = basis;
        desc.ratio = c->ratio;
        desc.theta = basis && basis->n_theta ? theta : NULL;
        desc.nodes = 8;
        desc.noise_a = c->a;
        desc.noise_b = c->b;
        CHECK_OK(bln_slm_integrated_create(&desc, &m, NULL));
        if (!m) { bln_basis_free(basis); continue; }
        CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
        const size_t size = intfile_save(m, bytes, sizeof bytes);
        CHECK_OK(intfile_load(bytes, size, &heap, &back, &report));
        if (!back) { bln_slm_integrated_free(m); bln_basis_free(basis); continue; }
        CHECK_SIZE(intfile_save(back, again, sizeof again), size);
        CHECK(memcmp(bytes, again, size) == 0);
        CHECK(bln_slm_integrated_evidence(back) == bln_slm_integrated_evidence(m));
        CHECK(c->perfect == (bln_slm_integrated_evidence(back) > 1e300));
        CHECK_NEAR(bln_slm_integrated_dof(back), bln_slm_integrated_dof(m), 0.0);
        for (size_t i = 0; i < basis->n_theta; i++) CHECK_NEAR(bln_slm_integrated_theta(back)[i], theta[i], 0.0);
        data.n = INTFILE_ROWS;
        intfile_ask(m, &data, &first);
        intfile_ask(back, &data, &second);
        CHECK(memcmp(&first, &second, sizeof first) == 0);
        data.n = c->n;
        if (basis->n_slices < 3) {                      /* a loaded model can be fitted again; with 24^3 nodes it takes long */
            CHECK_OK(bln_slm_integrated_fit(back, &data, NULL));
            CHECK_NEAR(bln_slm_integrated_dof(back), bln_slm_integrated_dof(m), 0.0);
        }
        bln_slm_integrated_free(back);
        CHECK_SIZE(heap.live, 0);
        CHECK_SIZE(heap.live_bytes, 0);
        bln_slm_integrated_free(m);
        bln_basis_free(basis);
    }
}

/* ---- what is refused ---- */

TEST(slm_integrated_file, truncation_at_every_byte_is_named)
{
    test_heap heap;
    bln_slm_integrated *m;
    bln_report report;
    for (size_t size = 0; size < INTFILE_SIZE; size++) {
        CHECK_STATUS(intfile_load(golden_file_integrated, size, &heap, &m, &report), BLN_EFORMAT);
        CHECK_TEXT(report.text, "truncated");
        CHECK_LE((double)heap.peak_bytes, 4096.0);
    }
}

/* One number of the file changed into another that no fit gives. */
TEST(slm_integrated_file, numbers_outside_their_range_are_refused)
{
#define AT(name) GOLDEN_INTEGRATED_##name
    static const struct { size_t at; double value; } wrong[] = {
        { AT(SCALE_PRIOR), 0.0 }, { AT(SCALE_PRIOR), -1.0 }, { AT(SCALE_PRIOR), HUGE_VAL }, { AT(A), -0.5 }, { AT(B), -0.25 },
        { AT(B), HUGE_VAL }, { AT(RATIO), -1.0 }, { AT(H), 0.0 }, { AT(H), HUGE_VAL }, { AT(ROWS), 0.0 }, { AT(ROWS), -5.0 },
        { AT(ROWS), HUGE_VAL }, { AT(DOF), 0.0 }, { AT(DOF), -1.0 }, { AT(DOF), HUGE_VAL }, { AT(WEIGHT), -0.25 },
        { AT(WEIGHT), 0.26 }, { AT(WEIGHT) + 8, 0.7 }, { AT(ETA), -1e-9 }, { AT(ETA), HUGE_VAL }, { AT(SCALE), -1.0 },
        { AT(SCALE), HUGE_VAL }, { AT(R), 0.0 }, { AT(R), -1.5 }, { AT(R), HUGE_VAL }, { AT(T), HUGE_VAL }
    };
    static const size_t counts[][2] = {
        { AT(J), 2 }, { AT(BASES), 0 }, { AT(N_ETA), 0 }, { AT(N_ETA), 2 }, { AT(SITES), 3 }, { AT(GROUPS), 0 },
        { AT(GROUPS), (size_t)-1 }, { AT(WEIGHTED), 0 }, { AT(WEIGHTED), 2 }, { AT(K), 0 }, { AT(K), 3 }, { AT(K), (size_t)-1 },
        { AT(FLAGS), 0 }, { AT(FLAGS), 1 }, { AT(FLAGS), 24 }, { AT(FLAGS), 80 }, { AT(COUNT0), 1 }, { AT(COUNT1), 0 },
        { AT(COUNT1), 2 }, { AT(COUNT1), (size_t)-1 }, { AT(OTHER), 1 }
    };
    unsigned char b[INTFILE_SIZE];
    test_heap heap;
    bln_slm_integrated *m;
    bln_report report;
    for (size_t k = 0; k < sizeof wrong/sizeof *wrong; k++)
        for (int nan = 0; nan < 2; nan++) {
            bln_memory_stream stream;
            memcpy(b, golden_file_integrated, sizeof b);
            bln_writer w = bln_memory_writer(&stream, b + wrong[k].at, 8);
            bln_put_double(&w, nan ? NAN : wrong[k].value);
            CHECK_STATUS(intfile_load(b, sizeof b, &heap, &m, &report), BLN_EFORMAT);
            if (m) { printf("    byte %u, %g\n", (unsigned)wrong[k].at, wrong[k].value); bln_slm_integrated_free(m); }
        }
    for (size_t k = 0; k < sizeof counts/sizeof *counts; k++) {
        memcpy(b, golden_file_integrated, sizeof b);
        blni_encode(counts[k][1], 8, b + counts[k][0]);
        CHECK_STATUS(intfile_load(b, sizeof b, &heap, &m, &report), BLN_EFORMAT);
        bln_slm_integrated_free(m);
    }
#undef AT
}

/* Any flipped bit: refused, or a model that can be asked. (In a file, the checksum of the section comes first: test_modelfile.) */
TEST(slm_integrated_file, flipped_bits_do_no_harm)
{
    unsigned char b[INTFILE_SIZE];
    memcpy(b, golden_file_integrated, sizeof b);
    for (size_t i = 0; i < sizeof b; i++)
        for (int bit = 0; bit < 8; bit++) {
            static intfile_answer answer;
            test_heap heap;
            bln_slm_integrated *m;
            bln_report report;
            b[i] = (unsigned char)(b[i] ^ 1 << bit);
            const bln_status status = intfile_load(b, sizeof b, &heap, &m, &report);
            b[i] = (unsigned char)(b[i] ^ 1 << bit);
            CHECK_LE((double)heap.peak_bytes, 4096.0);
            if (status != BLN_OK) { CHECK(status == BLN_EFORMAT || status == BLN_EUNKNOWN); continue; }
            CHECK_OK(bln_posterior_coefficients(bln_slm_integrated_posterior(m), answer.w, answer.sd, 0, NULL, NULL, NULL, NULL));
            bln_slm_integrated_free(m);
            CHECK_SIZE(heap.live, 0);
        }
}

/* Bases, basis, groups, posterior; numbers of the description, model. */
TEST(slm_integrated_file, every_allocation_may_fail)
{
    CHECK_SIZE(file_load_allocations(bln_slm_integrated_file_kind(), golden_file_integrated, INTFILE_SIZE), 6);
}

TEST(slm_integrated_file, arguments_are_checked)
{
    static const double y[3] = { 1.0, 2.0, 4.0 };
    const double flat[1] = { HUGE_VAL };
    bln_basis *basis = NULL;
    bln_slm_integrated *m = NULL;
    bln_slm_integrated_desc desc;
    bln_memory_stream stream;
    bln_data data;
    unsigned char bytes[500];
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    data.n = 3;
    data.y = y;
    CHECK_OK(bln_bias_create(NULL, &basis));
    desc.basis = basis;
    desc.ratio = flat;
    CHECK_OK(bln_slm_integrated_create(&desc, &m, NULL));
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    CHECK_STATUS(bln_slm_integrated_save(m, &w), BLN_ESTATE);
    CHECK_STATUS(bln_slm_integrated_save(NULL, &w), BLN_EINVAL);
    CHECK_STATUS(bln_slm_integrated_save(m, NULL), BLN_EINVAL);
    CHECK_SIZE(stream.at, 0);
    CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
    const size_t size = intfile_save(m, bytes, sizeof bytes);
    for (size_t room = 0; room < size; room += 7) {      /* a writer that is full */
        w = bln_memory_writer(&stream, bytes, room);
        CHECK(bln_slm_integrated_save(m, &w) != BLN_OK);
    }
    /* A basis that cannot save itself. */
    const bln_basis_ops *whole = basis->ops;
    bln_basis_ops ops = *whole;
    ops.save = NULL;
    ops.load = NULL;
    basis->ops = &ops;
    bln_slm_integrated_free(m);
    CHECK_OK(bln_slm_integrated_create(&desc, &m, NULL));
    CHECK_OK(bln_slm_integrated_fit(m, &data, NULL));
    w = bln_memory_writer(&stream, bytes, sizeof bytes);
    CHECK_STATUS(bln_slm_integrated_save(m, &w), BLN_EUNKNOWN);
    bln_slm_integrated_free(m);
    basis->ops = whole;
    bln_basis_free(basis);
    bln_reader r = bln_memory_reader(&stream, bytes, 0, NULL);
    CHECK_STATUS(bln_slm_integrated_load(NULL, NULL, &m), BLN_EINVAL);
    CHECK_STATUS(bln_slm_integrated_load(NULL, &r, NULL), BLN_EINVAL);
}

SUITE_BEGIN(slm_integrated_file)
    SUITE_TEST(slm_integrated_file, reads_the_file_written_by_hand)
    SUITE_TEST(slm_integrated_file, what_is_saved_is_loaded_to_the_bit)
    SUITE_TEST(slm_integrated_file, truncation_at_every_byte_is_named)
    SUITE_TEST(slm_integrated_file, numbers_outside_their_range_are_refused)
    SUITE_TEST(slm_integrated_file, flipped_bits_do_no_harm)
    SUITE_TEST(slm_integrated_file, every_allocation_may_fail)
    SUITE_TEST(slm_integrated_file, arguments_are_checked)
SUITE_END(slm_integrated_file)

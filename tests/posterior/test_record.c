/* record: any list of components as bytes and back, to the bit; models read as posteriors; damage. What single models write is in
 * the tests of their files, against bytes written by hand. */
#include "posterior_tools.h"
#include "../linear/file_tools.h"
#include "../golden/files_golden.h"

enum { RECORD_ROOM = 1 << 14 };

typedef struct record_world {
    posterior_bases b;
    bln_gaussians   v[2];
    bln_diagonals   d;
    bln_points      w;
    bln_group       g[4];
    bln_posterior   q;
    double          eta[16], residual[8], weight[8], numbers[8*10*2];
} record_world;

/* Two latents with a basis each (5 + 3 weights): two groups of joint Gaussians that share eta, one with low rank; diagonal ones
 * with eta of their own and gaps between rows; points that share what features miss with the group before. Eight weights of 1/8. */
static void record_make(record_world *x)
{
    test_random r = test_random_new(901);
    memset(x, 0, sizeof *x);
    x->b = posterior_bases_new();
    x->v[0] = posterior_gaussians(BLN_GAUSSIAN_FACTOR, 2, 8, 8, 8, 902);
    x->v[1] = posterior_gaussians(BLN_GAUSSIAN_LOWRANK, 1, 8, 8, 3, 903);
    test_fill_normal(&r, sizeof x->numbers/sizeof *x->numbers, x->numbers);
    for (size_t i = 80; i < 160; i++) x->numbers[i] = fabs(x->numbers[i]);
    for (size_t i = 0; i < 16; i++) x->eta[i] = i % 4 == 0 || i % 4 == 3 ? 1.0 + 0.1*(double)i : 0.3;
    for (size_t i = 0; i < 8; i++) x->residual[i] = 0.01*(double)i;
    for (size_t i = 0; i < 8; i++) x->weight[i] = 0.125;
    x->d.m = x->numbers;
    x->d.psi = x->numbers + 80;
    x->d.ld = 10;
    x->w.w = x->numbers + 3;
    x->w.ld = 9;
    x->g[0] = posterior_group(bln_kind_gaussian(), &x->v[0], 2, x->eta);
    x->g[1] = posterior_group(bln_kind_gaussian(), &x->v[1], 1, x->eta);
    x->g[2] = posterior_group(bln_kind_diagonal(), &x->d, 3, x->eta + 4);
    x->g[3] = posterior_group(bln_kind_point(), &x->w, 2, x->eta);
    x->g[2].ldeta = 4;
    x->g[2].residual = x->g[3].residual = x->residual;
    for (size_t i = 0, at = 0; i < 4; at += x->g[i].K, i++) x->g[i].weight = x->weight + at;
    x->q = posterior_of(x->b.view, 2, 2, bln_observe_noise(2), x->g, 4);
    x->q.rows = 17.0;
}
static void record_free(record_world *x)
{
    free((double *)(uintptr_t)x->v[0].m);
    free((double *)(uintptr_t)x->v[1].m);
    posterior_bases_free(&x->b);
}

static size_t record_save(const bln_posterior *q, unsigned char *bytes)
{
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, bytes, RECORD_ROOM);
    CHECK_OK(bln_posterior_save(q, &w));
    return m.at;
}

static bln_status record_load(const unsigned char *bytes, size_t size, bln_posterior **q)
{
    bln_memory_stream m;
    bln_reader r = bln_memory_reader(&m, bytes, size, NULL);
    *q = NULL;
    return bln_posterior_load(test_all(), &r, q);
}

TEST(record, any_list_of_components)
{
    static unsigned char bytes[RECORD_ROOM], again[RECORD_ROOM];
    record_world x;
    record_make(&x);
    CHECK_OK(bln_posterior_check(&x.q, NULL));
    const size_t size = record_save(&x.q, bytes);
    double X[POSTERIOR_N*POSTERIOR_D], out[2][5][POSTERIOR_N*2];
    bln_data data = BLN_ZERO;
    test_random r = test_random_new(904);
    test_fill_normal(&r, sizeof X/sizeof *X, X);
    data.n = POSTERIOR_N;
    data.d = POSTERIOR_D;
    data.X = X;
    bln_posterior *q;
    CHECK_OK(record_load(bytes, size, &q));
    if (!q) return;
    CHECK(q->groups[1].eta == q->groups[0].eta && q->groups[2].eta != q->groups[1].eta && q->groups[3].eta != q->groups[2].eta);
    CHECK(q->groups[3].residual == q->groups[2].residual && !q->groups[0].residual && q->rows == 17.0);
    for (int k = 0; k < 2; k++) {
        CHECK_OK(bln_posterior_predict(k ? q : &x.q, &data, out[k][0], out[k][1], out[k][2], NULL, NULL));
        CHECK_OK(bln_posterior_latent(k ? q : &x.q, &data, out[k][3], out[k][4], NULL, NULL));
    }
    CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0);
    CHECK_SIZE(record_save(q, again), size);
    CHECK(memcmp(bytes, again, size) == 0);
    bln_posterior_free(q);
    /* List of bases, two of them, groups, posterior. */
    CHECK_SIZE(file_load_allocations(bln_posterior_file_kind(), bytes, size), 5);
    for (size_t cut = 0; cut < size; cut++) {
        CHECK_STATUS(record_load(bytes, cut, &q), BLN_EFORMAT);
        CHECK(!q);
    }
    record_free(&x);
}

/* Any changed byte is refused, or makes a posterior that can be asked, and takes no more memory than the bytes ask for. */
TEST(record, flipped_bits_do_no_harm)
{
    static unsigned char bytes[RECORD_ROOM];
    record_world x;
    record_make(&x);
    const size_t size = record_save(&x.q, bytes);
    double X[4] = { 0.3, -0.2, 1.0, 0.5 }, mean[4], model[4], noise[4];
    bln_data data = BLN_ZERO;
    data.n = 2;
    data.d = 2;
    data.X = X;
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit += 1 + (int)(i % 3)) {
            test_heap heap;
            bln_memory_stream m;
            bln_load context = bln_builtin();
            bln_posterior *q = NULL;
            context.alloc = test_heap_allocator(&heap);
            bytes[i] = (unsigned char)(bytes[i] ^ 1 << bit);
            bln_reader reader = bln_memory_reader(&m, bytes, size, NULL);
            const bln_status status = bln_posterior_load(&context, &reader, &q);
            bytes[i] = (unsigned char)(bytes[i] ^ 1 << bit);
            CHECK_LE((double)heap.peak_bytes, 8.0*(double)size);           /* 28 bytes of a group become some 200 */
            if (status != BLN_OK) {
                CHECK(!q && (status == BLN_EFORMAT || status == BLN_EUNKNOWN));
                CHECK_SIZE(heap.live, 0);
                continue;
            }
            CHECK_OK(bln_posterior_check(q, NULL));
            if (q->bases[0]->d == 2) {
                const bln_status asked = bln_posterior_predict(q, &data, mean, model, noise, NULL, NULL);
                CHECK(asked == BLN_OK || asked == BLN_ENUMERIC);
            }
            bln_posterior_free(q);
            CHECK_SIZE(heap.live, 0);
        }
    record_free(&x);
}

/* What a program links that only asks: the posterior of a model that it does not know. */
TEST(record, a_model_is_read_as_its_posterior)
{
    const bln_basis_ops *bases[1];
    const bln_model_kind *kinds[2];
    const struct bln_component_ops *components[1];
    const struct bln_observe_ops *observes[1];
    bln_load load = BLN_ZERO;
    bln_modelfile file = BLN_ZERO, copy = BLN_ZERO;
    bln_memory_stream m;
    bln_report report = BLN_ZERO;
    bln_data data = BLN_ZERO;
    unsigned char again[600];
    double mean = 0.0, model = 0.0, noise = 0.0;
    bases[0] = bln_bias_ops();
    kinds[0] = bln_posterior_file_kind();
    kinds[1] = bln_scaler_file_kind();
    components[0] = bln_kind_gaussian();
    observes[0] = bln_observe_noise(1).ops;
    load.bases = bases;               load.n_bases = 1;
    load.kinds = kinds;               load.n_kinds = 2;
    load.components = components;     load.n_components = 1;
    load.observes = observes;
    for (size_t n = 0; n < 2; n++) {
        load.n_observes = n;
        const bln_reader r = bln_memory_reader(&m, golden_file_model, GOLDEN_MODEL_SIZE, NULL);
        CHECK_STATUS(bln_modelfile_read(r.read, r.user, GOLDEN_MODEL_SIZE, &load, &file, &report), n ? BLN_OK : BLN_EUNKNOWN);
    }
    if (!file.posterior || !file.scaler) { CHECK(0); return; }
    CHECK(!file.slm && file.posterior->rows == 4.0);
    data.n = 1;
    CHECK_OK(bln_posterior_predict(file.posterior, &data, &mean, &model, &noise, NULL, NULL));
    CHECK(mean == 1.5 && noise == 0.25);
    CHECK_NEAR(model, 0.5625, 1e-15);
    /* It is saved as what it is now, and read again. */
    const bln_writer w = bln_memory_writer(&m, again, sizeof again);
    CHECK_OK(bln_modelfile_write(w.write, w.user, &load, &file, &report));
    const size_t size = m.at;
    const bln_reader r = bln_memory_reader(&m, again, size, NULL);
    CHECK_OK(bln_modelfile_read(r.read, r.user, size, test_all(), &copy, &report));
    CHECK(copy.posterior && !copy.slm && copy.n_sections == 1);
    bln_modelfile_free(&copy);
    bln_modelfile_free(&file);
}

/* Counts that cost no bytes are refused before anything is walked; a prior, of low rank with no rows, and a list that has seen no
 * rows are posteriors like others; indices that share weights are not. */
TEST(record, empty_arrays)
{
    unsigned char bytes[GOLDEN_SLM_SIZE], t[GOLDEN_INTEGRATED_FLAT_SIZE + 8];
    const double m[1] = { 0.5 }, s[1] = { 2.0 }, eta[1] = { 1.0 };
    bln_posterior *q;
    memcpy(bytes, golden_file_slm, sizeof bytes);
    blni_encode(1, 8, bytes + GOLDEN_SLM_COUNT0);
    blni_encode(0, 8, bytes + GOLDEN_SLM_COUNT1);
    blni_encode((uint64_t)1 << 30, 8, bytes + GOLDEN_SLM_COUNT2);
    CHECK_STATUS(record_load(bytes, sizeof bytes, &q), BLN_EFORMAT);
    memcpy(t, golden_file_integrated_flat, GOLDEN_INTEGRATED_FLAT_SIZE);
    blni_encode((uint64_t)1 << 40, 8, t + GOLDEN_INTEGRATED_FLAT_K);
    CHECK_STATUS(record_load(t, GOLDEN_INTEGRATED_FLAT_SIZE, &q), BLN_EFORMAT);

    bln_basis *b = NULL;
    bln_gaussians v = BLN_ZERO;
    unsigned char out[400];
    bln_memory_stream stream;
    bln_writer w = bln_memory_writer(&stream, out, sizeof out);
    CHECK_OK(bln_bias_create(NULL, &b));
    const bln_basis *const bases[1] = { b };
    v.form = BLN_GAUSSIAN_LOWRANK;
    v.n = 1;
    v.m = m;
    v.s = s;
    const bln_group g = posterior_group(bln_kind_gaussian(), &v, 1, eta);
    bln_posterior prior = posterior_of(bases, 1, 1, bln_observe_noise(1), &g, 1);
    CHECK_OK(bln_posterior_save(&prior, &w));
    CHECK_OK(record_load(out, stream.at, &q));
    if (q) {
        double mean, var;
        bln_data data = BLN_ZERO;
        data.n = 1;
        CHECK_OK(bln_posterior_latent(q, &data, &mean, &var, NULL, NULL));
        CHECK(mean == 0.5 && var == 4.0 && q->rows == 0.0);
    }
    bln_posterior_free(q);
    const double below[1] = { -1.0 };
    v.s = below;
    w = bln_memory_writer(&stream, out, sizeof out);
    CHECK_STATUS(bln_posterior_save(&prior, &w), BLN_EDOMAIN);
    bln_basis_free(b);
}

TEST(record, weights_of_students_are_each_once)
{
    bln_basis *b = slm_parse("linear", 1, 3);
    const bln_basis *const bases[1] = { b };
    static const size_t zero[1] = { 0 }, one[1] = { 1 };
    const double number[1] = { 1.0 }, eta[1] = { 1.0 };
    bln_students v = BLN_ZERO;
    unsigned char out[500];
    bln_memory_stream stream;
    v.n_flat = v.n_free = 1;
    v.flat = zero;
    v.Uf = v.zf = v.W = v.scale = v.R = v.t = number;
    const bln_group g = posterior_group(bln_kind_student(), &v, 1, eta);
    bln_posterior q = posterior_of(bases, 1, 1, bln_observe_noise(1), &g, 1);
    q.dof = 3.0;
    for (int k = 0; k < 2; k++) {
        v.other = k ? one : zero;
        bln_writer w = bln_memory_writer(&stream, out, sizeof out);
        CHECK_STATUS(bln_posterior_save(&q, &w), k ? BLN_OK : BLN_EDOMAIN);
    }
    bln_basis_free(b);
}

TEST(record, arguments_are_checked)
{
    record_world x;
    unsigned char bytes[64];
    bln_memory_stream m;
    bln_posterior *q = NULL;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    bln_reader r = bln_memory_reader(&m, bytes, 0, NULL);
    CHECK_STATUS(bln_posterior_save(NULL, &w), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_load(NULL, &r, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_load(NULL, NULL, &q), BLN_EINVAL);
    CHECK_STATUS(bln_posterior_load(NULL, &r, &q), BLN_EFORMAT);
    bln_posterior_free(NULL);
    record_make(&x);
    CHECK_STATUS(bln_posterior_save(&x.q, NULL), BLN_EINVAL);
    w = bln_memory_writer(&m, bytes, sizeof bytes);
    CHECK_STATUS(bln_posterior_save(&x.q, &w), BLN_EIO);
    x.q.status = BLN_ESTATE;
    w = bln_memory_writer(&m, bytes, sizeof bytes);
    CHECK_STATUS(bln_posterior_save(&x.q, &w), BLN_ESTATE);
    x.q.status = BLN_OK;
    x.q.groups = NULL;
    w = bln_memory_writer(&m, bytes, sizeof bytes);
    CHECK_STATUS(bln_posterior_save(&x.q, &w), BLN_EINVAL);
    record_free(&x);
}

/* Groups that begin at the same eta or residuals with strides of their own keep their own; no memory, wherever it ends, leaves none
 * behind. */
TEST(record, strides_and_memory)
{
    static unsigned char bytes[RECORD_ROOM];
    record_world x;
    bln_posterior *q = NULL;
    bln_load load = *test_all();
    test_heap heap;
    bln_report report;
    record_make(&x);
    x.g[0].residual = x.g[1].residual = x.residual;
    x.g[1].ldeta = 4;
    x.g[1].ldresidual = 2;
    const size_t size = record_save(&x.q, bytes);
    CHECK_OK(record_load(bytes, size, &q));
    if (!q) return;
    CHECK(q->groups[1].eta != q->groups[0].eta && q->groups[1].ldeta == 4 && !memcmp(q->groups[1].eta, x.eta, 4*sizeof *x.eta));
    CHECK(q->groups[1].residual != q->groups[0].residual && q->groups[1].ldresidual > 0);
    bln_posterior_free(q);
    load.alloc = test_heap_allocator(&heap);
    for (size_t fail = 0; fail < 9; fail++) {
        bln_memory_stream m;
        bln_reader r = bln_memory_reader(&m, bytes, size, &report);
        heap.calls = 0;
        heap.fail_at = fail;
        q = NULL;
        const bln_status status = bln_posterior_load(&load, &r, &q);
        CHECK_STATUS(status, q ? BLN_OK : BLN_ENOMEM);
        bln_posterior_free(q);
        CHECK_SIZE(heap.live, 0);
    }
    CHECK(q != NULL);
    const struct bln_component_ops *const kinds[1] = { bln_kind_point() };
    blni_load_of(NULL, kinds, 1, NULL, 0, &load);                /* without a context there is what a model brings along */
    CHECK(load.components == kinds && load.n_components == 1 && load.n_likelihoods == 0 && load.alloc.alloc == NULL);
    record_free(&x);
}

SUITE_BEGIN(record)
SUITE_TEST(record, any_list_of_components)
SUITE_TEST(record, flipped_bits_do_no_harm)
SUITE_TEST(record, a_model_is_read_as_its_posterior)
SUITE_TEST(record, empty_arrays)
SUITE_TEST(record, weights_of_students_are_each_once)
SUITE_TEST(record, arguments_are_checked)
SUITE_TEST(record, strides_and_memory)
SUITE_END(record)

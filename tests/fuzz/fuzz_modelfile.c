/* fuzz_modelfile: damaged model files must be refused cleanly, or give a model that works
 *
 *     cc -std=c99 -O1 -g -fsanitize=address,undefined -I. tests/fuzz/fuzz_modelfile.c -o build/fuzz_modelfile -lm
 *     build/fuzz_modelfile --seconds 60        or  --runs N,  --seed S,  --only K (one case again),  --save FILE (its bytes)
 *
 * Deterministic: case K of seed S is the same everywhere. Each case takes a valid file, damages it (flips, numbers of interest,
 * cuts, repeats, pieces of another file) and, mostly, makes lengths and checksums right again, so that the damage gets past the
 * frame into the loaders of contents. Then: a refusal has a reason and leaves nothing behind; memory stays in proportion to the
 * file; a model that loads predicts numbers or reports why not, names its parts and can be saved.
 * With clang -fsanitize=fuzzer -DFUZZ_LIBFUZZER the same check is an LLVMFuzzerTestOneInput. tests/use/test_modelfile.c runs a few
 * cases. */
#include "../test.h"
#include "../linear/posterior_of.h"
#include "fuzz_options.h"
#include <time.h>

enum { FUZZ_MAX = 8192, FUZZ_SECTIONS = 8, FUZZ_FILES = 16, FUZZ_OUTPUTS = 16 };

/* ---- the check ---- */

/* Counts like test_heap, and refuses to hand out more than `limit` bytes in all. */
typedef struct fuzz_heap { test_heap counts; size_t limit; int refused; } fuzz_heap;
static void *fuzz_alloc(void *user, size_t bytes)
{
    fuzz_heap *h = (fuzz_heap *)user;
    if (bytes > h->limit - h->counts.live_bytes) { h->refused = 1; return NULL; }
    return test_heap_alloc(&h->counts, bytes);
}
static void fuzz_release(void *user, void *p, size_t bytes) { test_heap_release(&((fuzz_heap *)user)->counts, p, bytes); }

static const char *fuzz_try_basis(const bln_basis *b)
{
    static const size_t sizes[] = { 1, 5, 64 };
    char name[64];
    if (!b || bln_basis_check(b)) return "a loaded model has no sound basis";
    for (size_t k = 0; k < sizeof sizes/sizeof *sizes; k++) {
        bln_basis_feature_name(b, b->D - 1, NULL, name, sizes[k]);
        bln_basis_slice_name(b, b->n_slices - 1, NULL, name, sizes[k]);
        if (b->n_theta) bln_basis_param_name(b, b->n_theta - 1, NULL, name, sizes[k]);
    }
    return NULL;
}

/* Three rows of up to 64 inputs. */
static bln_data fuzz_rows(const bln_basis *b, double *X)
{
    bln_data data;
    for (size_t i = 0; i < 3*64; i++) X[i] = 0.37*(double)(i % 11) - 2.0;
    memset(&data, 0, sizeof data);
    data.n = 3;
    data.d = b->d;
    data.X = X;
    return data;
}

static const char *fuzz_try_slm(const bln_slm *slm)
{
    const bln_basis *b = bln_slm_basis(slm);
    const blni_gaussian *g = gaussians_of(bln_slm_posterior(slm));
    const size_t P = bln_slm_outputs(slm);
    double X[3*64], mean[3*FUZZ_OUTPUTS], latent[3*FUZZ_OUTPUTS], total[3*FUZZ_OUTPUTS];
    bln_report report;
    const char *flaw = fuzz_try_basis(b);
    if (flaw) return flaw;
    if (!g || g->D != b->D) return "a loaded model has no sound posterior";
    if (b->d <= 64 && P <= FUZZ_OUTPUTS) {
        const bln_data data = fuzz_rows(b, X);
        const bln_status status = total_of(bln_slm_posterior(slm), &data, mean, latent, total, NULL, &report);
        for (size_t i = 0; status == BLN_OK && i < 3*P; i++) {
            if (!blni_finite(mean[i]) || !blni_finite(latent[i]) || !blni_finite(total[i]))
                return "a loaded model predicts no numbers and does not say so";
            if (latent[i] < 0.0 || total[i] < latent[i]) return "a loaded model predicts an impossible variance";
        }
        if (status != BLN_OK && !report.text[0]) return "a loaded model fails to predict without a reason";
    }
    bln_writer counter = bln_writer_over(NULL, NULL);
    return bln_slm_save(slm, &counter) == BLN_OK ? NULL : "a loaded model cannot be saved";
}

static const char *fuzz_try_integrated(const bln_slm_integrated *model)
{
    static const double level[2] = { 0.1, 0.9 };
    const bln_basis *b = bln_slm_integrated_basis(model);
    double X[3*64], mean[3], latent[3], total[3], quantile[6], weight, noise_var, sum = 0.0;
    of_outputs out;
    bln_report report;
    const char *flaw = fuzz_try_basis(b);
    if (flaw) return flaw;
    for (size_t k = 0; k < bln_slm_integrated_nodes(model); k++) {
        if (bln_slm_integrated_node(model, k, &weight, NULL, &noise_var) != BLN_OK) return "a loaded model lacks a node";
        sum += weight;
    }
    if (!(fabs(sum - 1.0) < 1e-3) || !(bln_slm_integrated_dof(model) > 0.0)) return "a loaded model has no sound posterior";
    if (b->d <= 64) {
        const bln_data data = fuzz_rows(b, X);
        memset(&out, 0, sizeof out);
        out.mean = mean;
        out.var_latent = latent;
        out.var_total = total;
        out.n_level = 2;
        out.level = level;
        out.quantile = quantile;
        const bln_status status = outputs_of(bln_slm_integrated_posterior(model), &data, &out, NULL, &report);
        for (size_t i = 0; status == BLN_OK && i < 3; i++) {
            /* Few degrees of freedom have no moments; quantiles are there always. */
            if (bln_slm_integrated_dof(model) > 2.0 && !(mean[i] - mean[i] == 0.0 && latent[i] >= 0.0 && total[i] >= latent[i]))
                return "a loaded model predicts an impossible variance";
            if (!(quantile[2*i] <= quantile[2*i + 1])) return "a loaded model's quantiles are out of order";
        }
        if (status != BLN_OK && !report.text[0]) return "a loaded model fails to predict without a reason";
    }
    bln_writer counter = bln_writer_over(NULL, NULL);
    return bln_slm_integrated_save(model, &counter) == BLN_OK ? NULL : "a loaded model cannot be saved";
}

/* Moments may be infinite, as those of counts whose rate is, and parameters of 1e-300 give NaN; but no variance is below 0, and no
 * probability beyond 1. */
static const char *fuzz_try_glm(const bln_glm *glm)
{
    const bln_basis *b = bln_glm_basis(glm);
    double X[3*64], mean[3], model[3], noise[3], latent[3], f[3], lower[3], upper[3];
    bln_report report;
    const char *flaw = fuzz_try_basis(b);
    if (flaw) return flaw;
    if (bln_posterior_check(bln_glm_posterior(glm), NULL) != BLN_OK || !bln_glm_method_name(glm) || !bln_glm_prior_var(glm))
        return "a loaded model has no sound posterior";
    if (b->d <= 64) {
        static const double y[3] = { 0.0, 1.0, 2.0 };
        bln_data data = fuzz_rows(b, X);
        data.y = y;
        bln_status status = bln_posterior_latent(bln_glm_posterior(glm), &data, f, latent, NULL, &report);
        int tame = status == BLN_OK;
        for (size_t i = 0; i < 3; i++) tame = tame && fabs(f[i]) <= 100.0 && latent[i] >= 0.0 && latent[i] <= 100.0;
        if (tame) status = bln_glm_predict(glm, &data, mean, model, noise, NULL, &report);
        if (tame && status == BLN_OK) status = bln_posterior_cdfs(bln_glm_posterior(glm), &data, lower, upper, NULL, &report);
        if (tame && status == BLN_OK) {
            bln_draw_desc draws = BLN_ZERO;
            draws.noise = 1;
            status = bln_posterior_draws(bln_glm_posterior(glm), &data, &draws, f, NULL, 0, NULL, &report);
            for (size_t i = 0; i < 3 && status == BLN_OK && bln_glm_likelihood(glm)->ops->discrete; i++)
                if (f[i] < 0.0 || f[i] != floor(f[i])) return "a loaded model draws an impossible count";
        }
        for (size_t i = 0; tame && status == BLN_OK && i < 3; i++) {
            if (model[i] < 0.0 || noise[i] < 0.0) return "a loaded model predicts an impossible variance";
            if (lower[i] < 0.0 || upper[i] < 0.0 || lower[i] + upper[i] > 1.0 + 1e-6)
                return "a loaded model predicts an impossible probability";
        }
        if (status != BLN_OK && !report.text[0]) return "a loaded model fails to predict without a reason";
    }
    bln_writer counter = bln_writer_over(NULL, NULL);
    const bln_chains *all = bln_glm_chains(glm);
    bln_diagnosis found;
    if (all && bln_chains_diagnose(all, NULL, &found, &report) != BLN_OK && !report.text[0])
        return "loaded draws cannot be judged, without a reason";
    return bln_glm_save(glm, &counter) == BLN_OK ? NULL : "a loaded model cannot be saved";
}

/* Of any kinds of components; what its moments overflow to is said, and nothing crashes. */
static const char *fuzz_try_posterior(const bln_posterior *q)
{
    double X[3*64], mean[3*FUZZ_OUTPUTS], model[3*FUZZ_OUTPUTS], noise[3*FUZZ_OUTPUTS];
    bln_report report;
    const char *flaw = fuzz_try_basis(q->bases[0]);
    if (flaw) return flaw;
    if (bln_posterior_check(q, NULL) != BLN_OK) return "a loaded posterior is none";
    if (q->bases[0]->d <= 64 && q->observe.n_moments <= FUZZ_OUTPUTS) {
        const bln_data data = fuzz_rows(q->bases[0], X);
        const bln_status status = bln_posterior_predict(q, &data, mean, model, noise, NULL, &report);
        if (status != BLN_OK && !report.text[0]) return "a loaded posterior fails to predict without a reason";
    }
    bln_writer counter = bln_writer_over(NULL, NULL);
    return bln_posterior_save(q, &counter) == BLN_OK ? NULL : "a loaded posterior cannot be saved";
}

static const char *fuzz_try_model(const bln_modelfile *file)
{
    const char *flaw = NULL;
    if (!file->slm && !file->integrated && !file->glm && !file->posterior) return "a file without a model was accepted";
    if (file->posterior) flaw = fuzz_try_posterior(file->posterior);
    if (file->slm && !flaw) flaw = fuzz_try_slm(file->slm);
    if (file->integrated && !flaw) flaw = fuzz_try_integrated(file->integrated);
    if (file->glm && !flaw) flaw = fuzz_try_glm(file->glm);
    if (file->scaler && !flaw) {
        const double v = bln_scaler_sd(file->scaler, bln_scaler_columns(file->scaler));
        if (!(v > 0.0)) flaw = "a loaded scaler divides by zero";
    }
    for (size_t k = 0; k < bln_conformal_outputs(file->conformal) && k < FUZZ_OUTPUTS && !flaw; k++) {
        const double q = bln_conformal_multiple(file->conformal, k, 0.5, NULL);
        if (!(q >= 0.0 && blni_finite(q))) flaw = "loaded residuals give no multiple";
    }
    return flaw;
}

/* NULL, or what is wrong with how the library takes these bytes: every other file by a list that knows no model, so that they are
 * read as posteriors. *status: what loading returned. */
static const char *fuzz_check(const unsigned char *bytes, size_t size, int size_known, bln_status *status)
{
    fuzz_heap heap;
    bln_memory_stream m;
    bln_load context = bln_builtin();
    bln_modelfile file, before;
    bln_report report;
    const char *problem = NULL;
    const bln_model_kind *kinds[3];
    kinds[0] = bln_posterior_file_kind();
    kinds[1] = bln_scaler_file_kind();
    kinds[2] = bln_conformal_file_kind();
    if (size && bytes[size/2] & 1) {
        context.kinds = kinds;
        context.n_kinds = 3;
    }
    context.alloc = test_heap_allocator(&heap.counts);
    context.alloc.alloc = fuzz_alloc;
    context.alloc.release = fuzz_release;
    context.alloc.user = &heap;
    heap.refused = 0;
    heap.limit = (size_t)1 << 20;                     /* the growing buffer of a stream of unknown length begins at 64 KB */
    heap.limit += 64*size;
    memset(&file, 0x5a, sizeof file);
    before = file;
    const bln_reader r = bln_memory_reader(&m, bytes, size, NULL);
    *status = bln_modelfile_read(r.read, r.user, size_known ? size : UINT64_MAX, &context, &file, &report);
    if (heap.refused) problem = "loading asks for memory out of proportion to the file";
    if (*status != BLN_OK) {
        if (!report.text[0]) problem = "refused without a reason";
        if (*status != BLN_EFORMAT && *status != BLN_EVERSION && *status != BLN_EUNKNOWN && *status != BLN_EOVERFLOW)
            problem = "refused with a status that does not fit";
        if (memcmp(&file, &before, sizeof file) != 0) problem = "refused, but the output was touched";
    } else {
        heap.limit = (size_t)1 << 28;                 /* predictions may take more, in proportion to D */
        const char *flaw = fuzz_try_model(&file);
        if (flaw) problem = flaw;
        bln_modelfile_free(&file);
    }
    if (heap.counts.live || heap.counts.live_bytes) problem = "memory is left behind";
    return problem;
}

#ifdef FUZZ_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    bln_status status;
    const char *problem = fuzz_check(bytes, size, 1, &status);
    if (!problem) problem = fuzz_check(bytes, size, 0, &status);
    if (problem) { fprintf(stderr, "%s (%s)\n", problem, bln_status_name(status)); abort(); }
    return 0;
}
#else

/* ---- files to begin with ---- */

typedef struct fuzz_file { unsigned char bytes[FUZZ_MAX]; size_t size; } fuzz_file;

/* Six rows of one output or two. */
static bln_data fuzz_six_rows(void)
{
    static const double X[12] = { 0.1, 1.0, -0.7, 0.3, 1.9, -1.1, 0.4, 0.8, -2.2, 1.6, 0.9, -0.4 };
    static const double y[12] = { 0.3, -1.2, 2.4, 0.6, -1.9, 1.1, 0.7, 0.2, -0.8, 1.3, 0.1, -0.4 };
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = 6;
    data.d = 2;
    data.X = X;
    data.y = y;
    return data;
}

static int fuzz_write(bln_slm *slm, bln_slm_integrated *integrated, bln_glm *glm, int extras, fuzz_file *out)
{
    static const double weight[6] = { 1.0, 2.0, 0.5, 1.0, 3.0, 1.0 };
    const size_t P = slm ? bln_slm_outputs(slm) : 1;
    bln_data data = fuzz_six_rows();
    bln_section own;
    bln_modelfile file;
    bln_memory_stream m;
    memset(&file, 0, sizeof file);
    data.p = P;
    memcpy(own.tag, "cols", 5);
    own.bytes = "first,second";
    own.size = 12;
    file.slm = slm;
    file.integrated = integrated;
    file.glm = glm;
    file.sections = &own;
    file.n_sections = extras ? 1 : 0;
    int good = !extras || (bln_scaler_create(NULL, &data, &file.scaler, NULL) == BLN_OK
                           && bln_conformal_create(NULL, 6, P, data.y, P, slm ? weight : NULL, &file.conformal, NULL) == BLN_OK);
    bln_writer w = bln_memory_writer(&m, out->bytes, sizeof out->bytes);
    good = good && bln_modelfile_write(w.write, w.user, test_all(), &file, NULL) == BLN_OK;
    out->size = good ? m.at : 0;
    bln_scaler_free(file.scaler);
    bln_conformal_free(file.conformal);
    return good;
}

static int fuzz_basis(const char *spec, bln_basis **out)
{
    bln_spec_desc text;
    memset(&text, 0, sizeof text);
    text.text = spec;
    text.d = 2;
    return bln_basis_parse(&text, out, NULL) == BLN_OK;
}

/* A model with given hyper-parameters on six made-up rows, with scaler and a section of its own; of one output or two. 0: it
 * could not be made. */
static int fuzz_make(const char *spec, bln_slm_form form, size_t outputs, int extras, fuzz_file *out)
{
    static const double prior_var[4] = { 1.5, 0.5, 2.0, 1.0 };
    bln_data data = fuzz_six_rows();
    data.p = outputs;
    bln_basis *basis = NULL;
    bln_slm *slm = NULL;
    bln_slm_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.form = form;
    desc.n_outputs = outputs;
    desc.sigma = BLN_SLM_CORRELATED;
    desc.noise_var = 0.25;
    desc.prior_var = prior_var;
    desc.fix_noise_var = desc.fix_prior_var = desc.fix_theta = 1;
    int good = fuzz_basis(spec, &basis);
    desc.basis = basis;
    good = good && bln_slm_create(&desc, &slm, NULL) == BLN_OK && bln_slm_fit(slm, &data, NULL) == BLN_OK
           && fuzz_write(slm, NULL, NULL, extras, out);
    bln_slm_free(slm);
    bln_basis_free(basis);
    return good;
}

/* The same of the few-data model: 8 nodes for each ratio that is 0. */
static int fuzz_make_integrated(const char *spec, const double *ratio, int extras, fuzz_file *out)
{
    const bln_data data = fuzz_six_rows();
    bln_basis *basis = NULL;
    bln_slm_integrated *model = NULL;
    bln_slm_integrated_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.ratio = ratio;
    desc.nodes = 8;
    int good = fuzz_basis(spec, &basis);
    desc.basis = basis;
    good = good && bln_slm_integrated_create(&desc, &model, NULL) == BLN_OK
           && bln_slm_integrated_fit(model, &data, NULL) == BLN_OK && fuzz_write(NULL, model, NULL, extras, out);
    bln_slm_integrated_free(model);
    bln_basis_free(basis);
    return good;
}

/* A generalised linear model after two steps, by a mixture of so many components, or, if there are none, by Laplace's method, or
 * by a full Gaussian for ordered categories, or as a point for counts with sure zeros, or by draws for other counts. */
static int fuzz_make_glm(const char *spec, bln_likelihood likelihood, size_t components, int extras, fuzz_file *out)
{
    static const double y[6] = { 0.0, 1.0, 2.0, 1.0, 0.0, 2.0 }, three[6] = { 3.0, 3.0, 3.0, 3.0, 3.0, 3.0 };
    bln_data data = fuzz_six_rows();
    bln_basis *basis = NULL;
    bln_glm *glm = NULL;
    bln_glm_desc desc;
    memset(&desc, 0, sizeof desc);
    data.y = y;
    if (!strncmp(likelihood.ops->name, "binomial", 8)) data.trials = three;
    desc.likelihood = likelihood;
    bln_glm_mixture_desc mixture;
    bln_glm_full_desc full;
    bln_glm_nuts_desc nuts;
    memset(&nuts, 0, sizeof nuts);
    nuts.chains = 2;
    nuts.warmup = nuts.draws = nuts.keep = 8;
    memset(&mixture, 0, sizeof mixture);
    memset(&full, 0, sizeof full);
    mixture.components = components;
    mixture.nodes = full.nodes = 4;
    desc.method = components ? bln_glm_mixture(&mixture) : !strcmp(likelihood.ops->name, "ordinal") ? bln_glm_full(&full)
                : !strncmp(likelihood.ops->name, "zero", 4) ? bln_glm_map(NULL)
                : !strncmp(likelihood.ops->name, "poisson", 7) ? bln_glm_nuts(&nuts) : bln_glm_laplace();
    desc.max_iterations = 2;
    int good = fuzz_basis(spec, &basis);
    desc.basis = basis;
    good = good && bln_glm_create(&desc, &glm, NULL) == BLN_OK && bln_glm_fit(glm, &data, NULL) == BLN_OK
           && fuzz_write(NULL, NULL, glm, extras, out);
    bln_glm_free(glm);
    bln_basis_free(basis);
    return good;
}

static int fuzz_make_all(fuzz_file *files)
{
    const double flat[1] = { HUGE_VAL }, mixed[2] = { HUGE_VAL, 0.0 }, fixed[2] = { 0.7, 0.0 };
    return fuzz_make("bias", BLN_SLM_PRIMAL, 1, 0, &files[0]) && fuzz_make("linear", BLN_SLM_PRIMAL, 1, 1, &files[1])
        && fuzz_make("rbf:n=4,ard", BLN_SLM_DUAL, 1, 1, &files[2])
        && fuzz_make("matern32:n=2+polynomial:degree=2,cols=1", BLN_SLM_PRIMAL, 1, 1, &files[3])
        && fuzz_make("rbf:n=2,cols=0+linear+bias", BLN_SLM_PRIMAL, 1, 0, &files[4])
        && fuzz_make_integrated("linear", flat, 0, &files[5])
        && fuzz_make_integrated("bias+linear:ones=0", mixed, 1, &files[6])
        && fuzz_make_integrated("rbf:n=2+linear", fixed, 1, &files[7])
        && fuzz_make("linear", BLN_SLM_PRIMAL, 2, 1, &files[8]) && fuzz_make("rbf:n=4,ard", BLN_SLM_DUAL, 2, 0, &files[9])
        && fuzz_make_glm("linear", bln_likelihood_binomial(BLN_LINK_LOGIT), 0, 1, &files[10])
        && fuzz_make_glm("rbf:n=2+bias", bln_likelihood_ordinal(3), 0, 0, &files[11])
        && fuzz_make_glm("linear", bln_likelihood_student_t(), 1, 1, &files[12])
        && fuzz_make_glm("bias+rbf:n=2,ard", bln_likelihood_negative_binomial(), 3, 0, &files[13])
        && fuzz_make_glm("linear", bln_likelihood_zero_inflated_poisson(), 0, 1, &files[14])
        && fuzz_make_glm("linear", bln_likelihood_poisson(BLN_LINK_LOG), 0, 1, &files[15]);
}

/* ---- damage ---- */

static size_t fuzz_pick(test_random *r, size_t n) { return n ? (size_t)(test_uniform(r)*(double)n) % n : 0; }

/* Numbers at which loaders stumble: as counts, and as the bits of doubles (0, 1, -1, infinity, NaN, the largest, the smallest). */
static uint64_t fuzz_number(test_random *r)
{
    static const uint64_t numbers[] = {
        0, 1, 2, 3, 7, 255, 65536, UINT64_C(0x7fffffff), UINT64_C(0x80000000), UINT64_C(0xffffffff), UINT64_C(0x100000000),
        UINT64_C(0x1fffffffffffffff), UINT64_C(0x2000000000000000), UINT64_C(0x7fffffffffffffff), UINT64_C(0x8000000000000000),
        UINT64_MAX,
        UINT64_C(0x3ff0000000000000), UINT64_C(0xbff0000000000000), UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000),
        UINT64_C(0x7ff8000000000000), UINT64_C(0x7fefffffffffffff), UINT64_C(0x0010000000000000), UINT64_C(0x4340000000000000)
    };
    return numbers[fuzz_pick(r, sizeof numbers/sizeof *numbers)];
}

/* One act of damage to a run of bytes that may grow up to `room`. Returns its new size. */
static size_t fuzz_damage(test_random *r, unsigned char *b, size_t size, size_t room, const fuzz_file *other)
{
    if (size == 0) return 0;
    const size_t at = fuzz_pick(r, size), run = 1 + fuzz_pick(r, fuzz_pick(r, 4) ? 8 : size - at);
    switch (fuzz_pick(r, 7)) {
    case 0:
        b[at] = (unsigned char)(b[at] ^ 1u << fuzz_pick(r, 8));
        return size;
    case 1:
        b[at] = (unsigned char)fuzz_pick(r, 256);
        return size;
    case 2: {                                          /* a number, mostly where numbers stand */
        const size_t width = fuzz_pick(r, 3) ? 8 : 4, place = fuzz_pick(r, 3) ? at & ~(size_t)3 : at;
        const uint64_t v = fuzz_number(r);
        if (place + width <= size) blni_encode(v, width, b + place);
        return size;
    }
    case 3:                                            /* cut */
        if (at + run > size) return size;
        memmove(b + at, b + at + run, size - at - run);
        return size - run;
    case 4:                                            /* repeat */
        if (at + run > size || size + run > room) return size;
        memmove(b + at + run, b + at, size - at);
        return size + run;
    case 5: {                                          /* a piece of another file */
        const size_t from = fuzz_pick(r, other->size), n = blni_min(blni_min(run, other->size - from), size - at);
        memcpy(b + at, other->bytes + from, n);
        return size;
    }
    default:
        return fuzz_pick(r, 4) ? size : at;           /* truncate */
    }
}

/* Takes a file apart, damages contents, and puts it together with right lengths and checksums. */
static size_t fuzz_inside(test_random *r, const fuzz_file *file, const fuzz_file *other, unsigned char *out)
{
    size_t begin[FUZZ_SECTIONS], n = 0, at = 16;
    while (at + 24 <= file->size && n < FUZZ_SECTIONS) {
        begin[n++] = at;
        at += 24 + (size_t)blni_decode(file->bytes + at + 8, 8);
    }
    const size_t victim = fuzz_pick(r, 3) ? 0 : fuzz_pick(r, n);      /* mostly the model */
    memcpy(out, file->bytes, 16);
    at = 16;
    for (size_t k = 0; k < n; k++) {
        unsigned char *content = out + at + 16;
        size_t size = (size_t)blni_decode(file->bytes + begin[k] + 8, 8);
        memcpy(out + at, file->bytes + begin[k], 16 + size);
        if (k == victim)
            for (size_t acts = 1 + fuzz_pick(r, 4); acts > 0; acts--) size = fuzz_damage(r, content, size, size + 256, other);
        blni_encode(size, 8, out + at + 8);
        blni_encode(blni_fnv(BLNI_FNV_START, out + at, 16 + size), 8, content + size);
        at += 24 + size;
    }
    return at;
}

/* Case k of a seed. */
static size_t fuzz_case(uint64_t seed, uint64_t k, const fuzz_file *files, unsigned char *out)
{
    test_random r;
    r.state = seed*UINT64_C(0x9E3779B97F4A7C15) ^ (k + 1)*UINT64_C(0xD1B54A32D192ED03);
    test_uniform(&r);
    const fuzz_file *file = &files[fuzz_pick(&r, FUZZ_FILES)], *other = &files[fuzz_pick(&r, FUZZ_FILES)];
    if (fuzz_pick(&r, 4)) return fuzz_inside(&r, file, other, out);
    size_t size = file->size;
    memcpy(out, file->bytes, size);
    for (size_t acts = 1 + fuzz_pick(&r, 3); acts > 0; acts--) size = fuzz_damage(&r, out, size, size + 256, other);
    return size;
}

/* Cases first .. first + runs - 1; prints and returns the number of problems. counts[status]: how loading ended. */
static size_t fuzz_run(uint64_t seed, uint64_t first, uint64_t runs, size_t *counts)
{
    static fuzz_file files[FUZZ_FILES];
    static unsigned char bytes[2*FUZZ_MAX];
    size_t problems = 0;
    if (!files[0].size && !fuzz_make_all(files)) { printf("fuzz_modelfile: no files to begin with\n"); return 1; }
    for (uint64_t k = first; k < first + runs; k++) {
        const size_t size = fuzz_case(seed, k, files, bytes);
        for (int known = 0; known < 2; known++) {
            bln_status status;
            /* A block of exactly this size, so that a sanitizer sees the first byte beyond it. */
            unsigned char *exact = (unsigned char *)malloc(size ? size : 1);
            if (!exact) return problems + 1;
            memcpy(exact, bytes, size);
            const char *problem = fuzz_check(exact, size, known, &status);
            free(exact);
            counts[status]++;
            if (problem) {
                problems++;
                printf("fuzz_modelfile: --seed %lu --only %lu: %s (%s)\n", (unsigned long)seed, (unsigned long)k, problem,
                       bln_status_name(status));
                break;
            }
        }
    }
    return problems;
}

#ifndef FUZZ_NO_MAIN
static int fuzz_save(const char *path, uint64_t seed, uint64_t k)
{
    static fuzz_file files[FUZZ_FILES];
    static unsigned char bytes[2*FUZZ_MAX];
    FILE *f = fopen(path, "wb");
    if (!f || !fuzz_make_all(files)) return 1;
    const size_t size = fuzz_case(seed, k, files, bytes);
    const int good = fwrite(bytes, 1, size, f) == size;
    return fclose(f) == 0 && good ? 0 : 1;
}

int main(int argc, char **argv)
{
    fuzz_options o;
    size_t counts[BLN_STATUS_COUNT] = { 0 }, problems = 0;
    uint64_t k = 0;
    if (!fuzz_options_read(argc, argv, "fuzz_modelfile [--seconds S] [--runs N] [--seed S] [--only K [--save FILE]]", &o)) return 2;
    if (o.save) return fuzz_save(o.save, o.seed, o.only);
    if (o.once) return fuzz_run(o.seed, o.only, 1, counts) ? 1 : 0;
    if (!o.seconds && !o.runs) o.runs = 100000;
    for (const time_t end = time(NULL) + (time_t)o.seconds; problems < 20 && (o.runs ? k < o.runs : time(NULL) < end); k += 100)
        problems += fuzz_run(o.seed, k, 100, counts);
    printf("fuzz_modelfile: seed %lu, %lu cases, %lu problems\n", o.seed, (unsigned long)k, (unsigned long)problems);
    for (int s = 0; s < (int)BLN_STATUS_COUNT; s++)
        if (counts[s]) printf("    %-14s %lu\n", bln_status_name((bln_status)s), (unsigned long)counts[s]);
    return problems ? 1 : 0;
}
#endif
#endif

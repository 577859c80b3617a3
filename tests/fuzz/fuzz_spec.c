/* fuzz_spec: any text as a SPEC must be refused with a reason, or give a basis that works
 *
 * make fuzz NAME=spec, see docs/security.md. The first byte of a case says what the text is read for: names of the columns, rows,
 * groups, how many columns. A basis must name its parts, have finite features, and be the same after it was saved and loaded. */
#include "fuzz_heap.h"
#include <math.h>

enum { SPEC_INPUTS = 4, SPEC_ROWS = 12, SPEC_FEATURES = 3000, SPEC_MEMORY = 1 << 20 };

static void *spec_line(size_t bytes, void **block)              /* on 64 bytes; free *block */
{
    *block = fuzz_memory(bytes + 63);
    return (unsigned char *)*block + (-(uintptr_t)*block & 63u);
}

/* Features of all rows at the starts of theta. NULL: they cannot be made. */
static double *spec_features(const bln_basis *b, const bln_data *data)
{
    void *block;
    bln_param param;
    double *theta = (double *)fuzz_memory(b->n_theta*sizeof *theta), *Phi = (double *)fuzz_memory(data->n*b->D*sizeof *Phi);
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_basis_param(b, k, NULL, &param);
        theta[k] = param.start;
        if (bln_param_check(&param, NULL) != BLN_OK) theta[k] = HUGE_VAL;
    }
    double *work = (double *)spec_line(bln_basis_work(b, data->n)*sizeof *work, &block);
    bln_basis_features(b, theta, data->n, data->X, data->d, Phi, b->D, work);
    free(block);
    free(theta);
    return Phi;
}

static const char *spec_names(const bln_basis *b)
{
    char name[64];
    for (size_t size = 1; size <= sizeof name; size += 63) {
        for (size_t j = 0; j < b->D; j++) bln_basis_feature_name(b, j, NULL, name, size);
        for (size_t s = 0; s < b->n_slices; s++) {
            bln_basis_slice_name(b, s, NULL, name, size);
            if (bln_basis_slice(b, s) >= bln_basis_slice(b, s + 1)) return "slices are not in order";
        }
        for (size_t k = 0; k < b->n_theta; k++) bln_basis_param_name(b, k, NULL, name, size);
    }
    return bln_basis_slice(b, b->n_slices) == b->D ? NULL : "the last slice does not end with the features";
}

/* The same bytes and features after a journey. */
static const char *spec_journey(const bln_basis *b, const bln_data *data, const double *Phi)
{
    const char *wrong = NULL;
    bln_memory_stream m;
    bln_report report;
    bln_basis *back = NULL;
    const bln_load all = bln_builtin();
    bln_writer w = bln_writer_over(NULL, NULL);
    if (bln_basis_save(b, &w) != BLN_OK) return "a basis cannot be saved";
    const size_t n = (size_t)w.count;
    unsigned char *bytes = (unsigned char *)fuzz_memory(n);
    w = bln_memory_writer(&m, bytes, n);
    bln_basis_save(b, &w);
    const uint64_t sum = w.checksum;
    bln_reader r = bln_memory_reader(&m, bytes, n, &report);
    if (bln_basis_load_any(&all, &r, &back) != BLN_OK || r.count != n) wrong = "what was saved does not load";
    else {
        w = bln_writer_over(NULL, NULL);
        if (bln_basis_save(back, &w) != BLN_OK || w.checksum != sum) wrong = "loaded and saved it is another";
        double *again = spec_features(back, data);
        if (memcmp(again, Phi, data->n*b->D*sizeof *Phi)) wrong = "loaded it has other features";
        free(again);
    }
    bln_basis_free(back);
    free(bytes);
    return wrong;
}

static const char *spec_basis(const bln_basis *b, const bln_data *data)
{
    const char *wrong = bln_basis_check(b) ? "a basis that is not usable" : b->d > data->d ? "more inputs than there are" : NULL;
    if (wrong || b->D > SPEC_FEATURES) return wrong;
    wrong = spec_names(b);
    double *Phi = spec_features(b, data);
    for (size_t k = 0; k < data->n*b->D && !wrong; k++) if (Phi[k] - Phi[k] != 0.0) wrong = "a feature that is not finite";
    if (!wrong) wrong = spec_journey(b, data, Phi);
    free(Phi);
    return wrong;
}

static const char *spec_check(const unsigned char *bytes, size_t n)
{
    static const char *const names[SPEC_INPUTS] = { "age", "x", "1", "a b" };
    static const char *const levels[3] = { "red", "green", "blue" };
    double X[SPEC_ROWS*SPEC_INPUTS];
    bln_group_desc groups[SPEC_INPUTS];
    fuzz_heap heap;
    bln_spec_desc desc;
    bln_data data;
    bln_report report;
    bln_basis *b = NULL;
    const unsigned how = n ? bytes[0] : 0;
    char *text = fuzz_text(bytes + (n > 0), n - (n > 0));
    memset(&desc, 0, sizeof desc);
    memset(&data, 0, sizeof data);
    memset(groups, 0, sizeof groups);
    bln_report_clear(&report);
    data.n = SPEC_ROWS;
    data.d = how % (SPEC_INPUTS + 1);
    data.X = X;
    for (size_t i = 0; i < SPEC_ROWS*SPEC_INPUTS; i++) X[i] = how & 128 ? (double)(i % 3) : 0.37*(double)(i*i % 11) - 2.0;
    groups[0].n = 3;
    groups[0].names = levels;
    desc.text = text;
    desc.d = data.d;
    desc.seed = how;
    desc.alloc = fuzz_heap_of(&heap, SPEC_MEMORY);
    if (how & 16) desc.names = names;
    if (how & 32) desc.rows = &data;
    if (how & 64) desc.groups = groups;
    const bln_status status = bln_basis_parse(&desc, &b, &report);
    const char *wrong = NULL;
    if (status == BLN_OK) wrong = b ? spec_basis(b, &data) : "no basis";
    else if (b) wrong = "refused, and a basis";
    else if (!report.text[0]) wrong = "refused without a reason";
    else if (status != BLN_EINVAL && status != BLN_EUNKNOWN && status != BLN_ESHAPE && status != BLN_EDATA && status != BLN_ENUMERIC
             && status != BLN_ENOMEM && status != BLN_EOVERFLOW) wrong = "a status that is not documented";
    bln_basis_free(b);
    free(text);
    if (!wrong && heap.live) wrong = "memory is left behind";
    if (wrong) fprintf(stderr, "%s: %s\n", bln_status_name(status), report.text);
    return wrong;
}

static const char *const spec_pieces[] = {
    "bias", "linear", "polynomial", "legendre", "radial", "sigmoid", "ridge", "rbf", "matern12", "matern32", "matern52", "cauchy",
    "laplace1", "laplace2", "cauchy_product", "matern", "rq", "spectral", "inducing", "gp", "group", "+", ":", ",", "=", ";",
    "cols=",
    "n=", "n=3", "m=4", "q=2", "ard", "ard=0", "length=0.5", "nu=1.5", "alpha=2", "draws=", "orthogonal", "independent", "sobol",
    "halton", "fastfood", "degree=3", "ones=0", "interactions", "range=2", "period=3", "kernel=", "select=", "kmeans", "pivoted",
    "random", "learn", "by=", "age", "a b", "0", "1", "2", "3", " ", "1e-300", "1e300", "18446744073709551615", "-1", NULL
};
static const fuzz_harness spec = { "spec", 400, spec_check, spec_pieces, NULL };
FUZZ_MAIN(spec)

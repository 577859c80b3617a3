/* fuzz_records: damaged bytes of what travels without a model file must be refused, or give something sound
 *
 * make fuzz NAME=records, see docs/security.md. The first byte of a case says of what the others are: sufficient statistics
 * (sums, in three doubles, a triangle), the triangle of a sequential model, a scaler, a conformal scale, draws as bytes and as
 * text, a basis,
 * a posterior. A refusal has a reason and changes nothing; what loads can be used and is saved as it was read. */
#include "fuzz_heap.h"
#include <float.h>

enum { RECORD_SUMS, RECORD_EXACT, RECORD_QR, RECORD_SEQUENTIAL, RECORD_SCALER, RECORD_CONFORMAL, RECORD_CHAINS, RECORD_CSV,
       RECORD_BASIS, RECORD_POSTERIOR, RECORD_KINDS };
enum { RECORD_MOST = 3000, RECORD_ROOM = 8192, RECORD_MEMORY = 1 << 20 };

static const double record_X[12] = { 0.3, -1.0, 2.1, 0.5, -0.7, 1.9, 1.3, -0.2, -1.5, 0.8, 0.1, -2.2 };
static const double record_y[6] = { 1.1, -0.4, 2.7, 0.9, -1.8, 0.2 };

static bln_data record_rows(void)
{
    bln_data data;
    memset(&data, 0, sizeof data);
    data.n = 6;
    data.d = 2;
    data.X = record_X;
    data.y = record_y;
    return data;
}

/* What the cases are loaded into. */
static bln_basis *record_basis(const bln_allocator *alloc)
{
    bln_basis *b = NULL;
    bln_polynomial_create(alloc, 2, 2, 1, 0, &b);
    return b;
}

static bln_statistics *record_statistics(const bln_basis *basis, int kind, const bln_allocator *alloc)
{
    bln_statistics *t = NULL;
    bln_statistics_desc desc;
    const bln_data rows = record_rows();
    memset(&desc, 0, sizeof desc);
    desc.basis = basis;
    desc.exact = kind == RECORD_EXACT;
    desc.qr = kind == RECORD_QR;
    desc.block = 8;
    desc.alloc = *alloc;
    if (bln_statistics_create(&desc, &t, NULL) == BLN_OK) bln_statistics_add(t, &rows, NULL);
    return t;
}

static bln_sequential *record_sequential(const bln_basis *basis, const bln_allocator *alloc)
{
    static const double prior_var[4] = { 1.5, 1.5, 1.5, 1.5 };
    bln_sequential *t = NULL;
    bln_sequential_desc desc;
    const bln_data rows = record_rows();
    memset(&desc, 0, sizeof desc);
    desc.basis = basis;
    desc.noise_var = 0.25;
    desc.prior_var = prior_var;
    desc.block = 8;
    desc.alloc = *alloc;
    if (bln_sequential_create(&desc, &t, NULL) == BLN_OK) bln_sequential_add(t, &rows, NULL, NULL, NULL, NULL);
    return t;
}

/* A Gaussian posterior over all of these features, for its bytes. */
static bln_slm *record_slm(const bln_basis *basis)
{
    bln_slm *slm = NULL;
    bln_slm_desc desc;
    const bln_data rows = record_rows();
    memset(&desc, 0, sizeof desc);
    desc.basis = basis;
    if (bln_slm_create(&desc, &slm, NULL) == BLN_OK) bln_slm_fit(slm, &rows, NULL);
    return slm;
}

static bln_chains *record_chains(void)
{
    static const char *const names[3] = { "mu", "theta[1]", "lp__" };
    bln_chains *c = NULL;
    bln_chains_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.chains = 2;
    desc.draws = 3;
    desc.columns = 3;
    desc.names = names;
    if (bln_chains_create(&desc, &c, NULL) == BLN_OK)
        for (size_t d = 0; d < 2; d++) bln_chains_add(c, record_X + 6*d, NULL);
    return c;
}

/* ---- sound cases ---- */

static void record_write(int kind, bln_writer *w)
{
    bln_allocator alloc;
    const bln_data rows = record_rows();
    memset(&alloc, 0, sizeof alloc);
    bln_basis *basis = record_basis(NULL);
    if (kind <= RECORD_QR) {
        bln_statistics *t = record_statistics(basis, kind, &alloc);
        bln_statistics_save(t, w);
        bln_statistics_free(t);
    } else if (kind == RECORD_SEQUENTIAL) {
        bln_sequential *t = record_sequential(basis, &alloc);
        bln_sequential_save(t, w);
        bln_sequential_free(t);
    } else if (kind == RECORD_SCALER) {
        bln_scaler *s = NULL;
        bln_scaler_create(NULL, &rows, &s, NULL);
        bln_scaler_save(s, w);
        bln_scaler_free(s);
    } else if (kind == RECORD_CONFORMAL) {
        bln_conformal *c = NULL;
        bln_conformal_create(NULL, 6, 1, record_y, 1, record_X + 6, &c, NULL);
        if (!c) bln_conformal_create(NULL, 6, 1, record_y, 1, NULL, &c, NULL);
        bln_conformal_save(c, w);
        bln_conformal_free(c);
    } else if (kind <= RECORD_CSV) {
        bln_chains *c = record_chains();
        if (kind == RECORD_CHAINS) bln_chains_save(c, w);
        else bln_chains_write_csv(c, w);
        bln_chains_free(c);
    } else if (kind == RECORD_BASIS) bln_basis_save(basis, w);
    else {
        bln_slm *slm = record_slm(basis);
        bln_posterior_save(bln_slm_posterior(slm), w);
        bln_slm_free(slm);
    }
    bln_basis_free(basis);
}

static size_t record_seed(size_t k, unsigned char *bytes, size_t room)
{
    bln_memory_stream m;
    if (k >= RECORD_KINDS) return 0;
    bytes[0] = (unsigned char)k;
    bln_writer w = bln_memory_writer(&m, bytes + 1, room - 1);
    record_write((int)k, &w);
    if (w.status != BLN_OK || !m.at) { fprintf(stderr, "fuzz_records: no sound case %lu\n", (unsigned long)k); exit(2); }
    return 1 + m.at;
}

/* ---- what loads ---- */

/* Of all writers of records, one after the other: what is asked is the same. */
static const char *record_again(bln_status (*save)(const void *, bln_writer *), const void *what, const unsigned char *bytes,
    size_t n)
{
    bln_memory_stream m;
    unsigned char *again = (unsigned char *)fuzz_memory(n);
    bln_writer w = bln_memory_writer(&m, again, n);
    const char *wrong = save(what, &w) == BLN_OK && m.at == n && !memcmp(again, bytes, n) ? NULL : "it is not saved as it was read";
    free(again);
    return wrong;
}

static const char *record_scaler(const bln_scaler *s)
{
    const size_t n = bln_scaler_columns(s) + bln_scaler_outputs(s);
    for (size_t j = 0; j < n; j++) {
        const double mean = bln_scaler_mean(s, j), sd = bln_scaler_sd(s, j);
        if (mean - mean != 0.0 || !(sd > 0.0) || sd - sd != 0.0) return "a scaler that makes no numbers";
    }
    return NULL;
}

static const char *record_conformal(const bln_conformal *c)
{
    double last = 0.0;
    if (!(bln_conformal_rows(c) > 0.0)) return "a conformal scale of no rows";
    for (size_t k = 0; k < bln_conformal_outputs(c); k++, last = 0.0)
        for (double p = 0.05; p < 1.0; p += 0.1) {
            const double q = bln_conformal_multiple(c, k, p, NULL);
            if (!(q >= last)) return "an interval that shrinks with its probability";
            last = q;
        }
    return NULL;
}

static const char *record_draws(const bln_chains *c)
{
    bln_summary of;
    if (!bln_chains_count(c) || !bln_chains_columns(c)) return "no chains";
    for (size_t k = 0; k < bln_chains_columns(c); k++) {
        if (!bln_chains_name(c, k) || !bln_chains_name(c, k)[0]) return "a column without a name";
        if (bln_chains_find(c, bln_chains_name(c, k)) > k) return "a column that is not found";
        bln_chains_summary(c, k, &of, NULL);
    }
    return NULL;
}

/* What was read as text can be saved and loaded. */
static const char *record_as_bytes(const bln_chains *c)
{
    bln_memory_stream m;
    bln_chains *back = NULL;
    bln_writer w = bln_writer_over(NULL, NULL);
    bln_chains_save(c, &w);
    const size_t n = (size_t)w.count;
    unsigned char *bytes = (unsigned char *)fuzz_memory(n);
    w = bln_memory_writer(&m, bytes, n);
    bln_chains_save(c, &w);
    bln_reader r = bln_memory_reader(&m, bytes, n, NULL);
    const char *wrong = bln_chains_load(NULL, &r, &back) == BLN_OK ? NULL : "what was read as text does not load as bytes";
    bln_chains_free(back);
    free(bytes);
    return wrong;
}

static const char *record_gaussian(const bln_posterior *q)
{
    double X[64], mean[64], var[64];
    bln_report report;
    bln_data data;
    memset(&data, 0, sizeof data);
    bln_report_clear(&report);
    for (size_t i = 0; i < 64; i++) X[i] = 0.37*(double)(i % 11) - 2.0;
    data.n = 2;
    data.d = q->bases[0]->d;
    data.X = X;
    const size_t J = q->J ? q->J : 1;
    if (data.d > 32 || 2*J > 64) return NULL;
    const bln_status status = bln_posterior_latent(q, &data, mean, var, NULL, &report);
    for (size_t i = 0; i < 2*J && status == BLN_OK; i++)
        if (!(var[i] >= 0.0)) return "a variance below 0";
    return status == BLN_OK || report.text[0] ? NULL : "no prediction, and no reason";
}

/* ---- what was there, and stays as it is if nothing loads ---- */

static const char *record_statistics_load(int kind, bln_reader *r, const bln_allocator *alloc)
{
    const char *wrong = NULL;
    bln_basis *basis = record_basis(alloc);
    bln_statistics *t = record_statistics(basis, kind, alloc);
    bln_writer before = bln_writer_over(NULL, NULL), after = before;
    bln_statistics_save(t, &before);
    if (bln_statistics_load(t, r) != BLN_OK) {
        bln_statistics_save(t, &after);
        if (after.checksum != before.checksum) wrong = "refused, and it changed the statistics";
    } else {
        bln_slm *slm = NULL;
        bln_slm_desc desc;
        bln_report report;
        memset(&desc, 0, sizeof desc);
        desc.basis = basis;
        desc.max_iterations = 3;
        bln_report_clear(&report);
        if (!(bln_statistics_rows(t) >= 6.0) || bln_statistics_rows(t) > DBL_MAX) wrong = "statistics of no number of rows";
        if (bln_slm_create(&desc, &slm, NULL) == BLN_OK && bln_slm_fit_statistics(slm, t, &report) != BLN_OK && !report.text[0])
            wrong = "no fit, and no reason";
        bln_slm_free(slm);
    }
    bln_statistics_free(t);
    bln_basis_free(basis);
    return wrong;
}

static const char *record_sequential_load(bln_reader *r, const bln_allocator *alloc)
{
    const char *wrong = NULL;
    const bln_data rows = record_rows();
    double mean[6], var[6], noise[6];
    bln_report report;
    bln_basis *basis = record_basis(alloc);
    bln_sequential *t = record_sequential(basis, alloc);
    bln_writer before = bln_writer_over(NULL, NULL), after = before;
    bln_report_clear(&report);
    bln_sequential_save(t, &before);
    if (bln_sequential_load(t, r) != BLN_OK) {
        bln_sequential_save(t, &after);
        if (after.checksum != before.checksum) wrong = "refused, and it changed the model";
    } else if (bln_sequential_predict(t, &rows, mean, var, noise, NULL, &report) != BLN_OK) {
        if (!report.text[0]) wrong = "no prediction, and no reason";
    } else
        for (size_t i = 0; i < 6; i++) if (!(var[i] >= 0.0) || mean[i] != mean[i]) wrong = "predicts what is no number";
    bln_sequential_free(t);
    bln_basis_free(basis);
    return wrong;
}

/* The functions that a void pointer goes to. */
static bln_status record_save_scaler(const void *p, bln_writer *w) { return bln_scaler_save((const bln_scaler *)p, w); }
static bln_status record_save_conformal(const void *p, bln_writer *w) { return bln_conformal_save((const bln_conformal *)p, w); }
static bln_status record_save_chains(const void *p, bln_writer *w) { return bln_chains_save((const bln_chains *)p, w); }
static bln_status record_save_basis(const void *p, bln_writer *w) { return bln_basis_save((const bln_basis *)p, w); }
static bln_status record_save_posterior(const void *p, bln_writer *w) { return bln_posterior_save((const bln_posterior *)p, w); }

static const char *record_load(int kind, const unsigned char *bytes, size_t n, bln_reader *r, const bln_allocator *alloc)
{
    const char *wrong = NULL;
    bln_load all = bln_builtin();
    all.alloc = *alloc;
    if (kind <= RECORD_QR) return record_statistics_load(kind, r, alloc);
    if (kind == RECORD_SEQUENTIAL) return record_sequential_load(r, alloc);
    if (kind == RECORD_SCALER) {
        bln_scaler *s = NULL;
        if (bln_scaler_load(alloc, r, &s) != BLN_OK) return s ? "refused, and a scaler" : NULL;
        wrong = record_scaler(s);
        if (!wrong) wrong = record_again(record_save_scaler, s, bytes, (size_t)r->count);
        bln_scaler_free(s);
    } else if (kind == RECORD_CONFORMAL) {
        bln_conformal *c = NULL;
        if (bln_conformal_load(alloc, r, &c) != BLN_OK) return c ? "refused, and a scale" : NULL;
        wrong = record_conformal(c);
        if (!wrong) wrong = record_again(record_save_conformal, c, bytes, (size_t)r->count);
        bln_conformal_free(c);
    } else if (kind <= RECORD_CSV) {
        bln_chains *c = NULL;
        bln_status status;
        if (kind == RECORD_CHAINS) status = bln_chains_load(&all, r, &c);
        else {
            status = bln_chains_read_csv(alloc, (const char *)bytes, n, &c, r->report);
            r->status = status;
        }
        if (status != BLN_OK) return c ? "refused, and a table" : NULL;
        wrong = record_draws(c);
        if (!wrong && kind == RECORD_CHAINS) wrong = record_again(record_save_chains, c, bytes, (size_t)r->count);
        if (!wrong && kind == RECORD_CSV) wrong = record_as_bytes(c);
        bln_chains_free(c);
    } else if (kind == RECORD_BASIS) {
        bln_basis *b = NULL;
        if (bln_basis_load_any(&all, r, &b) != BLN_OK) return b ? "refused, and a basis" : NULL;
        wrong = bln_basis_check(b) ? "a basis that is not usable" : record_again(record_save_basis, b, bytes, (size_t)r->count);
        bln_basis_free(b);
    } else {
        bln_posterior *q = NULL;
        if (bln_posterior_load(&all, r, &q) != BLN_OK) return q ? "refused, and a posterior" : NULL;
        wrong = bln_posterior_check(q, NULL) == BLN_OK ? record_gaussian(q) : "a posterior that is not sound";
        if (!wrong) wrong = record_again(record_save_posterior, q, bytes, (size_t)r->count);
        bln_posterior_free(q);
    }
    return wrong;
}

static const char *record_check(const unsigned char *bytes, size_t n)
{
    fuzz_heap heap;
    bln_memory_stream m;
    bln_report report;
    if (!n) return NULL;
    const int kind = bytes[0] % RECORD_KINDS;
    unsigned char *exact = fuzz_copy(bytes + 1, --n);
    const bln_allocator alloc = fuzz_heap_of(&heap, RECORD_MEMORY);
    bln_report_clear(&report);
    bln_reader r = bln_memory_reader(&m, exact, n, &report);
    const char *wrong = record_load(kind, exact, n, &r, &alloc);
    if (!wrong && r.status != BLN_OK && !report.text[0]) wrong = "refused without a reason";
    if (!wrong && r.status == BLN_EINVAL) wrong = "bytes from outside are no mistake of the caller";
    if (!wrong && heap.live) wrong = "memory is left behind";
    free(exact);
    if (wrong) fprintf(stderr, "kind %d, %s: %s\n", kind, bln_status_name(r.status), report.text);
    return wrong;
}

static const char *const record_pieces[] = {
    "\1", "\2", "\3", "\377\377\377\377", "\360\77", "\360\177", "\370\177", "\200", "NA", "nan", "inf", ",", "\n", "#", "\"",
    "chain",
    "draw", "lp__", "1", "-1e3", "linear", "bias", "sum", "columns", "polynomial", "rbf", "fourier", "group", NULL
};
static const fuzz_harness records = { "records", RECORD_MOST, record_check, record_pieces, record_seed };
FUZZ_MAIN(records)

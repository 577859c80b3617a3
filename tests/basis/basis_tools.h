/* basis_tools.h - checks for every basis: the chain rule against differences, blocks of rows, and files */
#ifndef BLN_TESTS_BASIS_TOOLS_H
#define BLN_TESTS_BASIS_TOOLS_H
#include "../test.h"

/* A workspace from the heap, filled with NaN, because its contents are not promised, and exactly as large as bln_basis_work says,
 * so that a sanitizer finds accesses beyond it. */
static TEST_UNUSED double *basis_tools_work(const bln_basis *b, size_t n)
{
    const size_t size = bln_basis_work(b, n);
    double *work = test_doubles(size);
    for (size_t i = 0; i < size; i++) work[i] = BLNI_NAN;
    return work;
}

static TEST_UNUSED void basis_tools_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                             double *Phi, size_t ldphi)
{
    double *work = basis_tools_work(b, n);
    bln_basis_features(b, theta, n, X, ldx, Phi, ldphi, work);
    free(work);
}

/* L = sum F o Phi, and *size = sum |F o Phi|. */
static TEST_UNUSED double basis_tools_sum(const bln_basis *b, const double *theta, size_t n, const double *X, const double *F,
                                          double *size)
{
    double *Phi = test_doubles(n*b->D), L = 0.0;
    basis_tools_features(b, theta, n, X, b->d, Phi, b->D);
    *size = 0.0;
    for (size_t i = 0; i < n*b->D; i++) { L += F[i]*Phi[i]; *size += fabs(F[i]*Phi[i]); }
    free(Phi);
    return L;
}

/* dL/d(*x) by central differences with steps h, h/2, h/4 and two Richardson extrapolations R(h), R(h/2), whose errors are O(h^4):
 * the error of the finer is a sixteenth of the coarser's, so that their difference is far above it. The rounding of L adds at most
 * `noise` eps size, divided by the smallest step and weighted by (4 8 + 4)/3 <= 12. The tolerance itself is checked to be small, or
 * the test would show nothing. */
static TEST_UNUSED void basis_tools_slope(const bln_basis *b, const double *theta, size_t n, const double *X, const double *F,
                                          double *x, double h, double noise, double got)
{
    const double x0 = *x;
    double D[3], size = 0.0;
    for (int k = 0; k < 3; k++) {
        const double step = h/(1 << k), up = x0 + step, down = x0 - step;
        *x = up;
        D[k] = basis_tools_sum(b, theta, n, X, F, &size);
        *x = down;
        D[k] = (D[k] - basis_tools_sum(b, theta, n, X, F, &size))/(up - down);
    }
    *x = x0;
    const double coarse = (4*D[1] - D[0])/3, fine = (4*D[2] - D[1])/3, floor = 12*noise*DBL_EPSILON*size/fabs(h);
    CHECK_NEAR(got, fine, fabs(coarse - fine) + floor);
    CHECK_LE(fabs(coarse - fine) + floor, 1e-6*(size/fabs(x0) + size + fabs(fine)));
}

/* Compares the pullback of random F at random X (n rows, scale `spread`), all of dtheta and dX, with differences; checks that it
 * adds to its outputs, does the same with padded rows, and allows either output to be NULL. h: relative step; noise: see above. */
static TEST_UNUSED void basis_tools_pullback(const bln_basis *b, const double *theta0, size_t n, double spread, double h,
                                             double noise, uint64_t salt)
{
    test_random r = test_random_new(salt);
    const size_t d = b->d, D = b->D, p = b->n_theta, ldx = d + 2, ldphi = D + 3, ldf = D + 1;
    double *theta = test_doubles(p), *X = test_doubles(n*d), *F = test_doubles(n*D), *Phi = test_doubles(n*D);
    double *Xp = test_doubles(n*ldx), *Fp = test_doubles(n*ldf), *Phip = test_doubles(n*ldphi);
    double *dtheta = test_doubles(p), *dX = test_doubles(n*d), *dtheta2 = test_doubles(p), *dX2 = test_doubles(n*ldx), *work = NULL;
    for (size_t k = 0; k < p; k++) { theta[k] = theta0[k]; dtheta[k] = 0.0; dtheta2[k] = 100.0; }
    for (size_t i = 0; i < n*d; i++) { X[i] = spread*test_normal(&r); dX[i] = 0.0; }
    for (size_t i = 0; i < n*ldx; i++) { Xp[i] = BLNI_NAN; dX2[i] = -1000.0; }
    for (size_t i = 0; i < n*ldphi; i++) Phip[i] = BLNI_NAN;
    for (size_t i = 0; i < n*ldf; i++) Fp[i] = BLNI_NAN;
    test_fill_normal(&r, n*D, F);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++) Xp[i*ldx + j] = X[i*d + j];
        for (size_t j = 0; j < D; j++) Fp[i*ldf + j] = F[i*D + j];
    }
    basis_tools_features(b, theta, n, X, d, Phi, D);
    basis_tools_features(b, theta, n, Xp, ldx, Phip, ldphi);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < D; j++) CHECK(Phip[i*ldphi + j] == Phi[i*D + j]);
        for (size_t j = D; j < ldphi; j++) CHECK(Phip[i*ldphi + j] != Phip[i*ldphi + j]);
    }
    work = basis_tools_work(b, n);
    bln_basis_pullback(b, theta, n, X, d, Phi, D, F, D, dtheta, NULL, 0, work);
    free(work);
    work = basis_tools_work(b, n);
    bln_basis_pullback(b, theta, n, X, d, Phi, D, F, D, NULL, dX, d, work);
    free(work);
    work = basis_tools_work(b, n);
    bln_basis_pullback(b, theta, n, Xp, ldx, Phip, ldphi, Fp, ldf, dtheta2, dX2, ldx, work);
    free(work);
    for (size_t k = 0; k < p; k++) {
        basis_tools_slope(b, theta, n, X, F, &theta[k], h*theta[k], noise, dtheta[k]);
        CHECK_NEAR(dtheta2[k], 100.0 + dtheta[k], 1e-10*(100.0 + fabs(dtheta[k])));      /* added to what was there */
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++) {
            basis_tools_slope(b, theta, n, X, F, &X[i*d + j], h*spread, noise, dX[i*d + j]);
            CHECK_NEAR(dX2[i*ldx + j], -1000.0 + dX[i*d + j], 1e-10*(1000.0 + fabs(dX[i*d + j])));
        }
        for (size_t j = d; j < ldx; j++) CHECK(dX2[i*ldx + j] == -1000.0);               /* the padding was left alone */
    }
    free(theta); free(X); free(F); free(Phi); free(Xp); free(Fp); free(Phip); free(dtheta); free(dX); free(dtheta2); free(dX2);
}

/* Checks that n rows at once, in pieces and one by one give the same bits; that none exceeds blni_basis_bound; and that a basis
 * with preferred rows has a small bound. */
static TEST_UNUSED void basis_tools_blocks(const bln_basis *b, const double *theta, size_t n, uint64_t salt)
{
    test_random r = test_random_new(salt);
    double *X = test_doubles(n*b->d), *whole = test_doubles(n*b->D), *pieces = test_doubles(n*b->D);
    static const size_t lengths[] = { 1, 3, 4, 7 };
    test_fill_normal(&r, n*b->d, X);
    basis_tools_features(b, theta, n, X, b->d, whole, b->D);
    for (size_t l = 0; l < sizeof lengths/sizeof *lengths; l++) {
        for (size_t i = 0; i < n; i += lengths[l])
            basis_tools_features(b, theta, n - i < lengths[l] ? n - i : lengths[l], X + i*b->d, b->d, pieces + i*b->D, b->D);
        CHECK(!memcmp(whole, pieces, n*b->D*sizeof *whole));
    }
    double *work = basis_tools_work(b, n);
    const double bound = blni_basis_bound(b, theta, n, X, b->d, work);
    for (size_t i = 0; i < n*b->D; i++) CHECK_LE(fabs(whole[i]), bound);
    if (blni_basis_preferred_rows(b)) CHECK_LE(bound, 1e3);
    free(work);
    free(X); free(whole); free(pieces);
}

static TEST_UNUSED bln_load basis_tools_context(const bln_allocator *alloc)
{
    bln_load context = bln_builtin();
    if (alloc) context.alloc = *alloc;
    return context;
}

/* Bytes of a saved basis in `bytes`; 0 if it cannot be saved. */
static TEST_UNUSED size_t basis_tools_save(const bln_basis *b, unsigned char *bytes, size_t size)
{
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, bytes, size);
    bln_basis_save(b, &w);
    return w.status == BLN_OK ? m.at : 0;
}

static TEST_UNUSED bln_status basis_tools_load(const bln_load *context, const unsigned char *bytes, size_t size,
                                               int known_limit, bln_basis **out, bln_report *report)
{
    bln_memory_stream m;
    bln_reader r = bln_memory_reader(&m, bytes, size, report);
    if (!known_limit) r.limit = UINT64_MAX;
    return bln_basis_load_any(context, &r, out);
}

/* Checks a bad file: it is refused with these words (NULL: any), leaves no memory, and takes no more memory than its size
 * justifies, whether that size is known or not. */
static TEST_UNUSED void basis_tools_refused(const unsigned char *bytes, size_t size, const char *words)
{
    for (int known = 0; known < 2; known++) {
        test_heap heap;
        const bln_allocator alloc = test_heap_allocator(&heap);
        const bln_load context = basis_tools_context(&alloc);
        bln_report report;
        bln_basis *b = NULL;
        bln_report_clear(&report);
        CHECK_STATUS(basis_tools_load(&context, bytes, size, known, &b, &report), BLN_EFORMAT);
        CHECK_TEXT(report.text, words ? words : "");
        CHECK(b == NULL && heap.live == 0 && report.text[0]);
        CHECK_LE((double)heap.peak_bytes, 65536.0);
    }
}

/* The first bytes of the file of a basis with d inputs and n features or points, of some kind, with one length scale. */
static TEST_UNUSED bln_writer basis_tools_head(bln_memory_stream *m, unsigned char *bytes, size_t size, const char *name,
                                               uint64_t d, uint64_t n, uint32_t kind)
{
    bln_writer w = bln_memory_writer(m, bytes, size);
    bln_put_string(&w, name);
    bln_put_u64(&w, d);
    bln_put_u64(&w, n);
    bln_put_u32(&w, kind);
    bln_put_u32(&w, 0);
    return w;
}

/* Saves and loads a basis: the copy must have the same shape, names, parameters, features (to the bit) and bytes of a second save.
 * Then damages the file: cut at each byte, each byte changed, each allocation failing. There must be no leak, and no more memory
 * than the bytes justify. */
static TEST_UNUSED void basis_tools_file(const bln_basis *b, const double *theta, const bln_basis_ops *const *own, size_t n_own)
{
    enum { SIZE = 1 << 16, ROWS = 3 };
    unsigned char *bytes = (unsigned char *)malloc(3*SIZE), *again = bytes + SIZE, *bad = bytes + 2*SIZE;
    test_heap heap;
    bln_allocator alloc = test_heap_allocator(&heap);
    bln_load context = basis_tools_context(&alloc);
    bln_basis *c = NULL;
    bln_report report;
    test_random r = test_random_new(99);
    const bln_basis_ops *bases[32];
    for (size_t i = 0; i < context.n_bases; i++) bases[i] = context.bases[i];
    for (size_t i = 0; i < n_own; i++) bases[context.n_bases++] = own[i];
    context.bases = bases;
    const size_t n = basis_tools_save(b, bytes, SIZE);
    CHECK(n > 0);
    CHECK_OK(basis_tools_load(&context, bytes, n, 1, &c, NULL));
    if (!c) { free(bytes); return; }
    CHECK(bln_basis_check(c) == NULL);
    CHECK(c->d == b->d && c->D == b->D && c->n_theta == b->n_theta && c->n_slices == b->n_slices);
    CHECK_SIZE(basis_tools_save(c, again, SIZE), n);
    CHECK(!memcmp(bytes, again, n));
    double *X = test_doubles(ROWS*b->d), *P = test_doubles(ROWS*b->D), *Q = test_doubles(ROWS*b->D);
    test_fill_normal(&r, ROWS*b->d, X);
    basis_tools_features(b, theta, ROWS, X, b->d, P, b->D);
    basis_tools_features(c, theta, ROWS, X, b->d, Q, b->D);
    CHECK(!memcmp(P, Q, ROWS*b->D*sizeof *P));
    for (size_t k = 0; k < b->n_theta; k++) {
        char s[64], t[64];
        bln_param p, q;
        bln_basis_param(b, k, NULL, &p);
        bln_basis_param(c, k, NULL, &q);
        CHECK(p.kind == q.kind && p.lo == q.lo && p.hi == q.hi && p.start == q.start);
        bln_basis_param_name(b, k, NULL, s, sizeof s);
        bln_basis_param_name(c, k, NULL, t, sizeof t);
        CHECK(!strcmp(s, t));
    }
    free(X); free(P); free(Q);
    bln_basis_free(c);
    CHECK_SIZE(heap.live, 0);
    CHECK_SIZE(heap.live_bytes, 0);

    for (size_t cut = 0; cut < n; cut++) {
        c = NULL;
        bln_report_clear(&report);
        CHECK_STATUS(basis_tools_load(&context, bytes, cut, (int)(cut & 1), &c, &report), BLN_EFORMAT);
        CHECK(c == NULL && report.text[0] && heap.live == 0);
    }
    for (size_t at = 0; at < n; at++)
        for (int k = 0; k < 6; k++) {
            static const unsigned char change[] = { 0x01, 0x02, 0x10, 0x40, 0x80, 0xff };
            memcpy(bad, bytes, n);
            bad[at] ^= change[k];
            c = NULL;
            heap.peak_bytes = 0;
            const bln_status status = basis_tools_load(&context, bad, n, k & 1, &c, NULL);
            CHECK(status == BLN_OK || status == BLN_EFORMAT || status == BLN_EUNKNOWN);
            CHECK((status == BLN_OK) == (c != NULL));
            CHECK_LE((double)heap.peak_bytes, 131072.0 + 16.0*(double)n);
            if (c) CHECK(bln_basis_check(c) == NULL);
            bln_basis_free(c);
            CHECK_SIZE(heap.live, 0);
        }
    for (heap.fail_at = 0; ; heap.fail_at++) {
        heap.calls = 0;
        c = NULL;
        const bln_status status = basis_tools_load(&context, bytes, n, 1, &c, NULL);
        if (status == BLN_OK) break;
        CHECK_STATUS(status, BLN_ENOMEM);
        CHECK(c == NULL && heap.live == 0);
        if (heap.fail_at > 1000) break;
    }
    CHECK_LE(1.0, (double)heap.fail_at);      /* something was allocated */
    bln_basis_free(c);
    CHECK_SIZE(heap.live_bytes, 0);
    free(bytes);
}

#endif /* BLN_TESTS_BASIS_TOOLS_H */

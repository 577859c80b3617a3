/* polynomial: bias, linear, polynomial and Legendre bases
 *
 * Monomials with products are made degree by degree: those of degree t whose first input is x_i are x_i times those of degree t - 1
 * in x_i, x_{i+1}, ..., which stand together at the end of the block of degree t - 1. So each feature costs one product, and the
 * chain rule runs the same products backwards.
 *
 * Low words: those of bias and linear are 0. Those of the polynomial basis are the rounding errors of its products, from
 * Dekker's exact product (1971): Phi + Low is the monomial of total degree P of the given doubles within P^2 2^-106 relative,
 * |Low| <= 1.01 P 2^-53 |Phi|. Where Phi is beyond 2^995, or a product on the way to it is below 2^-968, so that its error is not
 * representable, the low word leaves that error out. The Legendre basis has no low words. */
#include "polynomial_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../math/exact_private.h"
#include "basis_private.h"

#define BLNI_2_POW_995  3.3484643974570854e+299
#define BLNI_2_POW_M968 4.008336720017946e-292

/* lo, hi: of the Legendre basis. */
typedef struct blni_poly { blni_owned own; size_t degree; int ones, interactions; double *lo, *hi; } blni_poly;

/* D features, and one more with ones; `ends`: bounds of each input, to be filled in? */
BLNI_PRIV bln_status blni_poly_new(const bln_allocator *alloc, const bln_basis_ops *ops, size_t d, size_t D, size_t degree,
                                   int ones, int interactions, int ends, bln_basis **out)
{
    blni_owned *own = NULL;
    const size_t extra = ends ? blni_mul(d, 2*sizeof(double)) : 0;
    BLNI_TRY(blni_basis_new(alloc, ops, d, blni_add(D, ones ? 1 : 0), 0, sizeof(blni_poly), extra, &own, NULL));
    blni_poly *p = (blni_poly *)own;
    p->degree = degree;
    p->ones = ones != 0;
    p->interactions = interactions != 0;
    p->lo = (double *)own->tail;
    p->hi = p->lo + (ends ? d : 0);
    *out = &own->base;
    return BLN_OK;
}

/* ---- polynomial [bases 4] ---- */

BLNI_PRIV size_t blni_gcd(size_t a, size_t b)
{
    while (b) { const size_t r = a % b; a = b; b = r; }
    return a;
}

/* C(n, k), SIZE_MAX if it is larger than that. Each step is c (n-k+i)/i with common factors taken out first, so that nothing
 * overflows but the result itself. */
BLNI_PRIV size_t blni_choose(size_t n, size_t k)
{
    size_t c = 1;
    k = blni_min(k, n - k);
    for (size_t i = 1; i <= k && c != (size_t)-1; i++) {
        const size_t over = n - k + i, g = blni_gcd(over, i);
        c = blni_mul(c/(i/g), over/g);
    }
    return c;
}

/* Monomials of degree t in m >= 1 inputs. */
BLNI_PRIV size_t blni_monomials(size_t m, size_t t) { return blni_choose(blni_add(m - 1, t), t); }

/* With products: work holds start[0..d] of one degree t: where, inside the block of degree t, the monomials without x_0..x_{i-1}
 * begin. (Whole numbers below 2^53, kept in doubles because workspace is doubles.) Degree 0 is the one monomial 1, which is in all
 * of them. */
BLNI_PRIV void blni_starts_first(size_t d, double *start)
{
    for (size_t i = 0; i < d; i++) start[i] = 0.0;
    start[d] = 1.0;
}

/* From degree t - 1 to t: block i of degree t holds as many as there are from start[i] on. */
BLNI_PRIV void blni_starts_up(size_t d, double *start)
{
    double at = 0.0;
    const double end = start[d];
    for (size_t i = 0; i < d; i++) {
        const double length = end - start[i];
        start[i] = at;
        at += length;
    }
    start[d] = at;
}

/* And back: the block of x_0 is x_0 times all of degree t - 1. */
BLNI_PRIV void blni_starts_down(size_t d, double *start)
{
    const double end = start[1] - start[0];
    for (size_t i = 0; i < d; i++) start[i] = end - (start[i + 1] - start[i]);
    start[d] = end;
}

/* One row: phi of degree t from phi of degree t - 1 (NULL: t = 1, whose block of degree 0 is the number 1). */
BLNI_PRIV void blni_monomials_up(size_t d, const double *x, const double *start, const double *below, double *block)
{
    const size_t end = (size_t)start[d];
    size_t at = 0;
    for (size_t i = 0; i < d; i++)
        for (size_t k = (size_t)start[i]; k < end; k++) block[at++] = x[i]*(below ? below[k] : 1.0);
}

BLNI_PRIV void blni_products_features(const blni_poly *p, size_t n, const double *X, size_t ldx, double *Phi, size_t ldphi,
                                      double *start)
{
    const size_t d = p->own.base.d;
    size_t below = 0, at = p->ones ? 1 : 0;              /* first features of degrees t - 1 and t */
    blni_starts_first(d, start);
    if (p->ones) for (size_t i = 0; i < n; i++) Phi[i*ldphi] = 1.0;
    for (size_t t = 1; t <= p->degree; t++) {
        for (size_t i = 0; i < n; i++)
            blni_monomials_up(d, X + i*ldx, start, t == 1 ? NULL : Phi + i*ldphi + below, Phi + i*ldphi + at);
        blni_starts_up(d, start);
        below = at;
        at += (size_t)start[d];
    }
}

/* Reverse mode: G starts as F and collects dL/d(phi) of the features that are factors of others. */
BLNI_PRIV void blni_products_pullback(const blni_poly *p, size_t n, const double *X, size_t ldx, const double *Phi, size_t ldphi,
                                      const double *F, size_t ldf, double *dX, size_t lddx, double *work)
{
    const size_t d = p->own.base.d, D = p->own.base.D;
    double *start = work, *G = work + blni_pad(blni_add(d, 1));
    blni_starts_first(d, start);
    for (size_t t = 1; t <= p->degree; t++) blni_starts_up(d, start);
    for (size_t r = 0; r < n; r++) {
        const double *x = X + r*ldx, *phi = Phi + r*ldphi;
        double *dx = dX + r*lddx;
        size_t at = D;
        for (size_t j = 0; j < D; j++) G[j] = F[r*ldf + j];
        for (size_t t = p->degree; t >= 1; t--) {
            at -= (size_t)start[d];
            blni_starts_down(d, start);
            const size_t end = (size_t)start[d], below = t > 1 ? at - end : 0;
            size_t j = at;
            for (size_t i = 0; i < d; i++)
                for (size_t k = (size_t)start[i]; k < end; k++, j++) {
                    if (t == 1) { dx[i] += G[j]; continue; }
                    dx[i] += G[j]*phi[below + k];
                    G[below + k] += G[j]*x[i];
                }
        }
        for (size_t t = 1; t <= p->degree; t++) blni_starts_up(d, start);
    }
}

BLNI_PRIV void blni_poly_features(BLNI_INPUTS, double *Phi, size_t ldphi, double *work)
{
    const blni_poly *p = (const blni_poly *)b;
    if (p->interactions) { blni_products_features(p, n, X, ldx, Phi, ldphi, work); return; }
    for (size_t r = 0; r < n; r++) {
        double *phi = Phi + r*ldphi;
        if (p->ones) *phi++ = 1.0;
        for (size_t i = 0; i < b->d; i++) {
            double power = 1.0;
            for (size_t k = 0; k < p->degree; k++) *phi++ = power *= X[r*ldx + i];
        }
    }
}

BLNI_PRIV void blni_poly_pullback(BLNI_INPUTS, const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    const blni_poly *p = (const blni_poly *)b;
    const size_t first = p->ones ? 1 : 0;
    if (p->interactions) { blni_products_pullback(p, n, X, ldx, Phi, ldphi, F, ldf, dX, lddx, work); return; }
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < b->d; i++) {
            const double *phi = Phi + r*ldphi + first + i*p->degree, *f = F + r*ldf + first + i*p->degree;
            double sum = f[0];
            for (size_t k = 1; k < p->degree; k++) sum += f[k]*(double)(k + 1)*phi[k - 1];      /* d x^{k+1} / dx = (k+1) x^k */
            dX[r*lddx + i] += sum;
        }
}

/* a b - fl(a b), exactly. Where Dekker's product overflows, or the error is below 2^-1074, 0. */
BLNI_PRIV double blni_product_error(double a, double b, double product)
{
    double p[2];
    if (!(fmax(fabs(a), fabs(b)) < BLNI_2_POW_995 && fabs(product) < BLNI_2_POW_995 && fabs(product) > BLNI_2_POW_M968)) return 0.0;
    blni_exact_product(a, b, p);
    return p[1];
}

/* The low word of x (high + low), whose high word is fl(x high). */
BLNI_PRIV double blni_power_low(double x, double high, double low, double product)
{
    const double error = blni_product_error(x, high, product), rest = x*low;
    return blni_finite(rest) ? error + rest : error;
}

/* As the features are made, product by product. */
BLNI_PRIV void blni_products_low(const blni_poly *p, size_t n, const double *X, size_t ldx, const double *Phi, size_t ldphi,
                                 double *Low, size_t ldlow, double *start)
{
    const size_t d = p->own.base.d;
    size_t below = 0, at = p->ones ? 1 : 0;
    blni_starts_first(d, start);
    for (size_t t = 1; t <= p->degree; t++) {
        const size_t end = (size_t)start[d];
        for (size_t r = 0; r < n; r++) {
            const double *phi = Phi + r*ldphi;
            double *low = Low + r*ldlow;
            size_t j = at;
            for (size_t i = 0; i < d; i++)
                for (size_t k = (size_t)start[i]; k < end; k++, j++)
                    low[j] = t == 1 ? 0.0 : blni_power_low(X[r*ldx + i], phi[below + k], low[below + k], phi[j]);
        }
        blni_starts_up(d, start);
        below = at;
        at += (size_t)start[d];
    }
}

BLNI_PRIV int blni_poly_low(BLNI_INPUTS, const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work)
{
    const blni_poly *p = (const blni_poly *)b;
    if (p->ones) for (size_t r = 0; r < n; r++) Low[r*ldlow] = 0.0;
    if (p->interactions) { if (n) blni_products_low(p, n, X, ldx, Phi, ldphi, Low, ldlow, work); return 1; }
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < b->d; i++) {
            const size_t first = (p->ones ? 1 : 0) + i*p->degree;
            const double x = X[r*ldx + i], *phi = Phi + r*ldphi + first;
            double *low = Low + r*ldlow + first;
            low[0] = 0.0;
            for (size_t k = 1; k < p->degree; k++) low[k] = blni_power_low(x, phi[k - 1], low[k - 1], phi[k]);
        }
    return 1;
}

BLNI_PRIV size_t blni_poly_work(const bln_basis *b, size_t n)
{
    return ((const blni_poly *)b)->interactions ? blni_add(blni_pad(blni_add(b->d, 1)), b->D) : 0;
}

/* "x^3" as a factor of a name. */
BLNI_PRIV void blni_power_name(const bln_inputs *inputs, size_t i, size_t power, char *out, size_t size)
{
    const size_t at = strlen(out);
    if (power == 0) return;
    if (at) blni_cat(out, size, " ");
    bln_input_name(inputs, i, out + strlen(out), size - strlen(out));
    if (power == 1) return;
    blni_cat(out, size, "^");
    blni_cat_size(out, size, power);
}

BLNI_ONCE BLNI_PRIV void blni_poly_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_poly *p = (const blni_poly *)b;
    if (p->ones && j-- == 0) { blni_cat(out, size, "1"); return; }
    if (!p->interactions) { blni_power_name(inputs, j/p->degree, j%p->degree + 1, out, size); return; }
    size_t t = 1, i = 0, power = 0;
    for (size_t count; (count = blni_monomials(b->d, t)) <= j; t++) j -= count;
    /* Those that begin with x_i come first: as many as there are monomials of degree t - 1 in x_i, x_{i+1}, ... */
    while (t) {
        const size_t with = blni_monomials(b->d - i, t - 1);
        if (j < with) { power++; t--; continue; }
        blni_power_name(inputs, i, power, out, size);
        j -= with;
        i++;
        power = 0;
    }
    blni_power_name(inputs, i, power, out, size);
}

BLNI_PRIV void blni_poly_save(const bln_basis *b, bln_writer *w)
{
    const blni_poly *p = (const blni_poly *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, p->degree);
    bln_put_u32(w, p->ones != 0);
    bln_put_u32(w, p->interactions != 0);
}

BLNI_ONCE BLNI_PRIV bln_status blni_poly_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    const size_t d = bln_get_count(r, 0, (size_t)-1), degree = bln_get_count(r, 0, (size_t)-1);
    const int ones = blni_load_flag(r), interactions = blni_load_flag(r);
    if (r->status != BLN_OK) return r->status;
    return blni_load_fail(r, bln_polynomial_create(&context->alloc, d, degree, ones, interactions, out));
}

BLNI_TABLE const bln_basis_ops blni_poly_ops = {
    "polynomial", blni_poly_features, blni_poly_pullback, blni_poly_work, NULL, NULL,
    blni_poly_name, NULL, NULL, blni_poly_save, blni_poly_load, blni_basis_release, blni_poly_low,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
};

BLN_API bln_status bln_polynomial_create(const bln_allocator *alloc, size_t d, size_t degree, int ones, int interactions,
                                         bln_basis **out)
{
    if (d == 0 || degree == 0 || !out) return BLN_EINVAL;
    size_t D = blni_mul(d, degree);                        /* >= as many again, and more with products */
    if (D == (size_t)-1) return BLN_EOVERFLOW;
    if (interactions) {
        const size_t all = blni_add(d, degree) == (size_t)-1 ? (size_t)-1 : blni_choose(d + degree, degree);
        if (all == (size_t)-1) return BLN_EOVERFLOW;
        D = all - 1;
    }
    return blni_poly_new(alloc, &blni_poly_ops, d, D, degree, ones, interactions, 0, out);
}

/* ---- bias and linear: degrees 0 and 1, whose functions are short, so that a straight line does not link monomials */

BLNI_PRIV void blni_linear_features(BLNI_INPUTS, double *Phi, size_t ldphi, double *work)
{
    const size_t first = b->D - b->d;                                       /* 1 with ones */
    for (size_t r = 0; r < n; r++) {
        double *phi = Phi + r*ldphi;
        if (first) phi[0] = 1.0;
        for (size_t i = 0; i < b->d; i++) phi[first + i] = X[r*ldx + i];
    }
}

BLNI_PRIV void blni_linear_pullback(BLNI_INPUTS, const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < b->d; i++) dX[r*lddx + i] += F[r*ldf + b->D - b->d + i];
}

BLNI_ONCE BLNI_PRIV void blni_linear_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const size_t first = b->D - b->d, at = strlen(out);
    if (j < first) blni_cat(out, size, "1");
    else bln_input_name(inputs, j - first, out + at, size - at);
}

BLNI_PRIV size_t blni_linear_preferred(const bln_basis *b) { return 1; }

BLNI_PRIV double blni_linear_bound(BLNI_INPUTS, double *work) { return blni_largest_input(n, b->d, X, ldx); }

BLNI_PRIV void blni_bias_save(const bln_basis *b, bln_writer *w) { }

BLNI_ONCE BLNI_PRIV void blni_linear_save(const bln_basis *b, bln_writer *w)
{
    bln_put_u64(w, b->d);
    bln_put_u32(w, b->D > b->d);
}

BLNI_ONCE BLNI_PRIV bln_status blni_bias_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    return blni_load_fail(r, bln_bias_create(&context->alloc, out));
}

BLNI_ONCE BLNI_PRIV bln_status blni_linear_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    const size_t d = bln_get_count(r, 0, (size_t)-1);
    const int ones = blni_load_flag(r);
    if (r->status != BLN_OK) return r->status;
    return blni_load_fail(r, bln_linear_create(&context->alloc, d, ones, out));
}

BLNI_TABLE const bln_basis_ops blni_bias_ops = {
    "bias", blni_linear_features, blni_linear_pullback, NULL, NULL, NULL,
    blni_linear_name, NULL, NULL, blni_bias_save, blni_bias_load, blni_basis_release, blni_no_low,
    NULL, NULL, NULL, NULL, NULL, blni_linear_preferred, blni_linear_bound, NULL, NULL, NULL
};

BLNI_TABLE const bln_basis_ops blni_linear_ops = {
    "linear", blni_linear_features, blni_linear_pullback, NULL, NULL, NULL,
    blni_linear_name, NULL, NULL, blni_linear_save, blni_linear_load, blni_basis_release, blni_no_low,
    NULL, NULL, NULL, NULL, NULL, blni_linear_preferred, blni_linear_bound, NULL, NULL, NULL
};

BLN_API bln_status bln_bias_create(const bln_allocator *alloc, bln_basis **out)
{
    return out ? blni_poly_new(alloc, &blni_bias_ops, 0, 0, 0, 1, 0, 0, out) : BLN_EINVAL;
}

BLNI_ONCE BLN_API bln_status bln_linear_create(const bln_allocator *alloc, size_t d, int ones, bln_basis **out)
{
    return (d == 0 && !ones) || !out ? BLN_EINVAL : blni_poly_new(alloc, &blni_linear_ops, d, d, 1, ones, 0, 0, out);
}

/* ---- Legendre [bases 5] ---- */

/* t of input i at x: both differences, so that the ends map to -1 and 1 exactly. */
BLNI_PRIV double blni_legendre_map(const blni_poly *p, size_t i, double x)
{
    return ((x - p->lo[i]) - (p->hi[i] - x))/(p->hi[i] - p->lo[i]);
}

BLNI_PRIV void blni_legendre_features(BLNI_INPUTS, double *Phi, size_t ldphi, double *work)
{
    const blni_poly *p = (const blni_poly *)b;
    for (size_t r = 0; r < n; r++) {
        double *phi = Phi + r*ldphi;
        if (p->ones) *phi++ = 1.0;
        for (size_t i = 0; i < b->d; i++) {
            const double t = blni_legendre_map(p, i, X[r*ldx + i]);
            double before = 1.0, value = t;                        /* P_{k-1}, P_k */
            for (size_t k = 1; k <= p->degree; k++) {
                const double m = (double)k, after = ((2.0*m + 1.0)*t*value - m*before)/(m + 1.0);
                *phi++ = sqrt(2.0*m + 1.0)*value;
                before = value;
                value = after;
            }
        }
    }
}

/* P'_{k+1} = P'_{k-1} + (2k+1) P_k, P'_0 = 0, P'_1 = 1 (DLMF 18.9.19 in its Legendre form). */
BLNI_PRIV void blni_legendre_pullback(BLNI_INPUTS, const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    const blni_poly *p = (const blni_poly *)b;
    for (size_t r = 0; r < n; r++) {
        const double *f = F + r*ldf + (p->ones ? 1 : 0);
        for (size_t i = 0; i < b->d; i++) {
            const double t = blni_legendre_map(p, i, X[r*ldx + i]);
            double before = 1.0, value = t, slope_before = 0.0, slope = 1.0, sum = 0.0;
            for (size_t k = 1; k <= p->degree; k++) {
                const double m = (double)k, after = ((2.0*m + 1.0)*t*value - m*before)/(m + 1.0);
                const double slope_after = slope_before + (2.0*m + 1.0)*value;
                sum += *f++*sqrt(2.0*m + 1.0)*slope;
                before = value;
                value = after;
                slope_before = slope;
                slope = slope_after;
            }
            dX[r*lddx + i] += 2.0*sum/(p->hi[i] - p->lo[i]);
        }
    }
}

/* "P3(age)" */
BLNI_PRIV void blni_legendre_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_poly *p = (const blni_poly *)b;
    if (p->ones && j-- == 0) { blni_cat(out, size, "1"); return; }
    blni_cat(out, size, "P");
    blni_cat_size(out, size, j%p->degree + 1);
    blni_cat(out, size, "(");
    bln_input_name(inputs, j/p->degree, out + strlen(out), size - strlen(out));
    blni_cat(out, size, ")");
}

BLNI_PRIV void blni_legendre_save(const bln_basis *b, bln_writer *w)
{
    const blni_poly *p = (const blni_poly *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, p->degree);
    bln_put_u32(w, p->ones != 0);
    bln_put_doubles(w, b->d, p->lo);
    bln_put_doubles(w, b->d, p->hi);
}

BLNI_PRIV bln_status blni_legendre_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    double *ends = NULL;
    const size_t d = bln_get_count(r, 0, (size_t)-1/sizeof(double)/2), degree = bln_get_count(r, 0, (size_t)-1);
    const int ones = blni_load_flag(r);
    if (r->status != BLN_OK) return r->status;
    BLNI_TRY(blni_load_doubles(&context->alloc, r, 2*d, "a bound of a Legendre basis is not finite", &ends));
    const bln_status status = bln_legendre_create(&context->alloc, d, degree, ones, ends, ends + d, out);
    blni_release(&context->alloc, ends, 2*d*sizeof *ends);
    return blni_load_fail(r, status == BLN_EDOMAIN ? BLN_EINVAL : status);
}

BLNI_TABLE const bln_basis_ops blni_legendre_ops = {
    "legendre", blni_legendre_features, blni_legendre_pullback, NULL, NULL, NULL,
    blni_legendre_name, NULL, NULL, blni_legendre_save, blni_legendre_load, blni_basis_release, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
};

/* From -range to range in each input, range > 0. */
BLNI_PRIV bln_status blni_legendre_within(const bln_allocator *alloc, size_t d, size_t degree, int ones, double range,
                                          bln_basis **out)
{
    BLNI_TRY(blni_poly_new(alloc, &blni_legendre_ops, d, blni_mul(d, degree), degree, ones, 0, 1, out));
    for (size_t i = 0; i < d; i++) { ((blni_poly *)*out)->lo[i] = -range; ((blni_poly *)*out)->hi[i] = range; }
    return BLN_OK;
}

BLN_API bln_status bln_legendre_create(const bln_allocator *alloc, size_t d, size_t degree, int ones, const double *lo,
                                       const double *hi, bln_basis **out)
{
    if (d == 0 || degree == 0 || !lo != !hi || !out) return BLN_EINVAL;
    for (size_t i = 0; lo && i < d; i++)
        if (!(lo[i] < hi[i]) || !blni_finite(lo[i]) || !blni_finite(hi[i]) || !blni_finite(hi[i] - lo[i])) return BLN_EDOMAIN;
    BLNI_TRY(blni_legendre_within(alloc, d, degree, ones, 1.0, out));
    if (lo) memcpy(((blni_poly *)*out)->lo, lo, d*sizeof *lo);
    if (hi) memcpy(((blni_poly *)*out)->hi, hi, d*sizeof *hi);
    return BLN_OK;
}

/* ---- for lists ---- */

BLN_API const bln_basis_ops *bln_bias_ops(void)       { return &blni_bias_ops; }
BLN_API const bln_basis_ops *bln_linear_ops(void)     { return &blni_linear_ops; }
BLN_API const bln_basis_ops *bln_polynomial_ops(void) { return &blni_poly_ops; }
BLN_API const bln_basis_ops *bln_legendre_ops(void)   { return &blni_legendre_ops; }

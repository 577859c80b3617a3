/* statistics: the Gram matrix of [Phi Y], or its triangular factor, as an object. One private struct, blni_gram, accumulates the
 * sums for this object and for the primal fit. */
#include "statistics_private.h"
#include "../core/bytes_private.h"
#include "../core/status_private.h"
#include "../core/threads_private.h"
#include "../math/blas_private.h"
#include "../math/qr_private.h"
#include "../basis/basis_private.h"

BLNI_PRIV size_t blni_gram_width(const blni_gram *g) { return blni_add(g->D, g->P); }

BLNI_PRIV size_t blni_gram_stride(const blni_gram *g) { return blni_stride(blni_gram_width(g)); }

BLNI_PRIV void blni_gram_carve(blni_arena *a, blni_gram *g, size_t block)
{
    const size_t D1 = blni_gram_width(g), square = blni_mul(D1, D1);
    g->G    = blni_carve_doubles(a, g->exact || g->qr ? 0 : blni_mul(D1, blni_gram_stride(g)));
    g->R    = blni_carve_doubles(a, g->qr ? square : 0);
    g->work = blni_carve_doubles(a, g->qr ? blni_max(blni_tpqrt_work(D1, block), blni_ttqrt_work(D1))
                                    : g->exact ? 0 : blni_gather_room(D1, block));
    g->G3   = (blni_exact *)blni_carve(a, g->exact ? square : 0, sizeof(blni_exact));
    g->low  = blni_carve_doubles(a, g->exact ? blni_mul(block, blni_gram_stride(g)) : 0);
    g->y    = (blni_exact *)blni_carve(a, g->P, sizeof(blni_exact));
}

BLNI_PRIV void blni_gram_clear(blni_gram *g)
{
    const size_t D1 = blni_gram_width(g), ld = blni_gram_stride(g);
    for (size_t i = 0; i < (g->exact || g->qr ? D1*D1 : D1*ld); i++) {
        if (g->exact) g->G3[i] = blni_exact_of(0.0);
        else *(g->qr ? g->R + i : g->G + i) = 0.0;
    }
    g->N = g->ld = g->omega = 0.0;
    for (size_t p = 0; p < g->P; p++) g->y[p] = blni_exact_of(0.0);
}

BLNI_PRIV double blni_row_omega(const bln_data *rows, size_t i)
{
    return (rows->weight ? rows->weight[i] : 1.0)/(rows->noise_var ? rows->noise_var[i] : 1.0);
}

/* Output p less its offset. */
BLNI_PRIV double blni_row_target(const bln_data *rows, size_t i, size_t p) { return blni_y(rows, i, p) - blni_offset(rows, i, p); }

/* One row, given to twice double precision, times omega. */
BLNI_PRIV void blni_gram_exact_row(blni_gram *g, double omega, const double *row, const double *low)
{
    const size_t D1 = blni_gram_width(g);
    for (size_t i = 0; i < D1; i++) {
        blni_exact x = blni_exact_of(0.0);
        blni_exact_add_product(&x, 1.0, omega, 0.0, row[i], low[i]);
        for (size_t j = i; j < D1; j++) blni_exact_add_product(g->G3 + i*D1 + j, 1.0, x.v[0], x.v[1], row[j], low[j]);
    }
}

/* g->low <- what Phi lacks of twice double precision; 0 for bases that cannot tell. */
BLNI_PRIV void blni_gram_low_words(blni_gram *g, const bln_basis *b, const double *theta, const bln_data *rows, const double *Phi,
                                   double *work)
{
    const size_t ld = blni_gram_stride(g);
    if (!g->exact || blni_basis_features_low(b, theta, rows->n, rows->X, blni_ldx(rows), Phi, ld, g->low, ld, work)) return;
    for (size_t i = 0; i < rows->n*ld; i++) g->low[i] = 0.0;
}

/* Phi, with features, becomes Omega^1/2 [Phi Y]. Added to g is what of the rows is neither in G nor in R: weights, variances,
 * targets; exact: all of it. Phi's low words are in g->low already. */
BLNI_PRIV void blni_gram_rows(blni_gram *g, double sign, const bln_data *rows, double *Phi)
{
    const size_t D = g->D, D1 = blni_gram_width(g), ld = blni_gram_stride(g);
    for (size_t i = 0; i < rows->n; i++) {
        const double w = rows->weight ? rows->weight[i] : 1.0, omega = blni_row_omega(rows, i);
        double *phi = Phi + i*ld;
        g->N += sign*w;
        if (rows->noise_var) g->ld -= sign*w*log(rows->noise_var[i]);
        g->omega += sign*omega;
        for (size_t p = 0; p < g->P; p++) {
            phi[D + p] = blni_row_target(rows, i, p);
            blni_exact_add_product(g->y + p, sign, omega, 0.0, phi[D + p], 0.0);
        }
        if (g->exact) {
            for (size_t p = 0; p < g->P; p++) {
                blni_exact y = blni_exact_of(blni_y(rows, i, p));
                blni_exact_plus(&y, -blni_offset(rows, i, p));
                phi[D + p] = y.v[0];
                g->low[i*ld + D + p] = y.v[1];
            }
            blni_gram_exact_row(g, sign*omega, phi, g->low + i*ld);
        } else if (rows->weight || rows->noise_var) bln_scal(D1, sqrt(omega), phi);
    }
}

enum { BLNI_GRAM_ROWS = 32 };

/* In double, so few rows of the n at a time that their features are in the cache when the sums take them, if the basis makes few
 * as fast as many; some for each thread. */
BLNI_PRIV size_t blni_gram_preferred_rows(const blni_gram *g, const bln_basis *b, size_t n)
{
    const size_t rows = blni_basis_preferred_rows(b);
    if (g->exact || g->qr || rows == 0 || !blni_gather_in_parts(blni_gram_width(g))) return blni_max(n, 1);
    return blni_max(rows, BLNI_GRAM_ROWS)*blni_pieces(1e300, n/BLNI_GRAM_ROWS);
}

/* g += sign times the rows, with the features of b, which is bound to theta as `at`. Phi: rows->n x (D+P); `made`: with these
 * features. A triangle is only added to here. */
BLNI_PRIV void blni_gram_add(blni_gram *g, double sign, const bln_basis *b, const bln_basis *at, const double *theta,
                             const bln_data *rows, int made, double *Phi, double *work)
{
    const size_t D1 = blni_gram_width(g), ld = blni_gram_stride(g);
    const size_t height = made ? blni_max(rows->n, 1) : blni_gram_preferred_rows(g, b, rows->n);
    blni_gatherer sums;
    blni_gather_begin(&sums, D1, rows->n, sign, g->G, ld, g->work);
    for (size_t i = 0; i < rows->n; i += height) {
        const bln_data part = bln_data_rows(rows, i, blni_min(height, rows->n - i));
        if (!made) bln_basis_features(at, theta, part.n, part.X, blni_ldx(&part), Phi, ld, work);
        blni_gram_low_words(g, b, theta, &part, Phi, work);
        blni_gram_rows(g, sign, &part, Phi);
        if (g->qr) blni_tpqrt(D1, part.n, g->R, D1, Phi, ld, g->work);
        else if (!g->exact) blni_gather_rows(&sums, part.n, Phi, ld);
    }
}

/* Entry i of the diagonal of [Phi Y]' Omega [Phi Y]. */
BLNI_PRIV double blni_gram_square(const blni_gram *g, size_t i)
{
    const size_t D1 = blni_gram_width(g);
    double sum = 0.0;
    if (g->exact) return blni_exact_double(g->G3 + i*D1 + i);
    if (!g->qr)   return g->G[i*blni_gram_stride(g) + i];
    for (size_t k = 0; k <= i; k++) sum += g->R[k*D1 + i]*g->R[k*D1 + i];
    return sum;
}

/* The variance of output p weighted by omega, c/omega - (y/omega)^2: in double no more than eps of the mean square is known, so at
 * least that is returned for what may be 0. */
BLNI_PRIV double blni_gram_target_variance(const blni_gram *g, size_t p)
{
    if (!(g->omega > 0.0)) return 0.0;
    const blni_exact omega = blni_exact_of(g->omega);
    blni_exact c = g->exact ? g->G3[(g->D + p)*(blni_gram_width(g) + 1)] : blni_exact_of(blni_gram_square(g, g->D + p));
    blni_exact mean = g->y[p];
    blni_exact_div(&mean, &omega);
    blni_exact_div(&c, &omega);
    const double least = g->exact ? 0.0 : DBL_EPSILON*blni_exact_double(&c);
    blni_exact_lose(&c, &mean, &mean);
    const double var = blni_exact_double(&c);
    return var > least ? var : least;
}

/* R'R <- kappa R'R + that of other. */
BLNI_PRIV void blni_gram_stack(blni_gram *g, double kappa, const blni_gram *other)
{
    const size_t D1 = blni_gram_width(g);
    if (other == g) kappa += 1.0;
    if (kappa != 1.0) bln_scal(D1*D1, sqrt(kappa), g->R);
    if (other && !(g->N > 0.0)) memcpy(g->R, other->R, D1*D1*sizeof *g->R);        /* exactly */
    else if (other && other != g) blni_ttqrt(D1, g->R, D1, other->R, D1, g->work);
}

/* g <- kappa g + other (other may be NULL, or g): sums entry by entry. */
BLNI_ONCE BLNI_PRIV void blni_gram_combine(blni_gram *g, double kappa, const blni_gram *other)
{
    const size_t D1 = blni_gram_width(g), ld = g->exact ? D1 : blni_gram_stride(g);
    if (g->qr) blni_gram_stack(g, kappa, other);
    for (size_t i = 0; i < D1 && !g->qr; i++)
        for (size_t k = i*ld + i; k < i*ld + D1; k++) {
            if (!g->exact) { g->G[k] = kappa*g->G[k] + (other ? other->G[k] : 0.0); continue; }
            if (kappa != 1.0) blni_exact_scale(g->G3 + k, kappa);
            if (other) blni_exact_add(g->G3 + k, other->G3 + k);
        }
    g->N = kappa*g->N + (other ? other->N : 0.0);
    g->ld = kappa*g->ld + (other ? other->ld : 0.0);
    g->omega = kappa*g->omega + (other ? other->omega : 0.0);
    for (size_t p = 0; p < g->P; p++) {
        if (kappa != 1.0) blni_exact_scale(g->y + p, kappa);
        if (other) blni_exact_add(g->y + p, other->y + p);
    }
}

/* ---- sums over processes */

enum { BLNI_PROCESSES_PIECES = 5, BLNI_PROCESSES_BITS = 34, BLNI_PROCESSES_CHUNK = 64 };

/* piece[k], k = 0..4: multiples of 2^(e - 34 (k + 1)) that add up to x but for less than 2^(e - 170), for |x| < 2^e. Adding and
 * taking off 1.5 2^52 units rounds to whole units; each piece has at most 36 bits, so that the sums of 2^17 of them are exact. */
BLNI_EXACT BLNI_PRIV void blni_processes_split(blni_exact x, int e, double *piece)
{
    BLNI_EXACT_BODY
    for (int k = 0; k < BLNI_PROCESSES_PIECES; k++) {
        const double round = ldexp(1.5, 52 + e - BLNI_PROCESSES_BITS*(k + 1));
        piece[k] = 0.0;
        for (int i = 0; i < 3; i++) {
            const double up = x.v[i] + round, units = up - round;
            piece[k] += units;
            x.v[i] -= units;
        }
    }
}

/* x <- its sum over the processes, by fixed-point pieces. Their scale is a bound of the sum of magnitudes, of which 2^-165 is lost.
 * The result does not depend on the order of the processes. */
BLNI_PRIV bln_status blni_processes_sum_exact(blni_processes *r, size_t n, blni_exact *x, bln_report *report)
{
    double bound[BLNI_PROCESSES_CHUNK], piece[BLNI_PROCESSES_CHUNK*BLNI_PROCESSES_PIECES];
    for (size_t first = 0; first < n; first += BLNI_PROCESSES_CHUNK) {
        const size_t m = blni_min(n - first, BLNI_PROCESSES_CHUNK);
        for (size_t i = 0; i < m; i++) {
            const double *v = x[first + i].v;
            bound[i] = 2.0*(fabs(v[0]) + fabs(v[1]) + fabs(v[2]));
        }
        BLNI_TRY(blni_processes_sum(r, m, bound, report));
        for (size_t i = 0; i < m; i++) {
            int e = 0;
            frexp(bound[i], &e);
            blni_processes_split(x[first + i], e > -800 ? e : -800, piece + BLNI_PROCESSES_PIECES*i);
        }
        BLNI_TRY(blni_processes_sum(r, m*BLNI_PROCESSES_PIECES, piece, report));
        for (size_t i = 0; i < m; i++) {
            const double *of = piece + BLNI_PROCESSES_PIECES*i;
            x[first + i] = blni_exact_of(of[0]);
            for (size_t k = 1; k < BLNI_PROCESSES_PIECES; k++) blni_exact_plus(x + first + i, of[k]);
        }
    }
    return BLN_OK;
}

/* g <- its sum over the processes, after an agreement. The upper triangle is packed in place, without gaps. What that leaves in the
 * lower one is never read. */
BLNI_PRIV bln_status blni_gram_allreduce(blni_gram *g, blni_processes *r, bln_report *report)
{
    const size_t D1 = blni_gram_width(g), ld = blni_gram_stride(g);
    double scalars[3], *G = g->G;
    if (!blni_processes_many(r)) return BLN_OK;
    scalars[0] = g->N;
    scalars[1] = g->ld;
    scalars[2] = g->omega;
    bln_status status = blni_processes_sum(r, 3, scalars, report);
    if (status == BLN_OK) status = blni_processes_sum_exact(r, g->P, g->y, report);
    for (size_t i = 0; i < D1 && g->exact && status == BLN_OK; i++)
        status = blni_processes_sum_exact(r, D1 - i, g->G3 + i*D1 + i, report);
    if (!g->exact && status == BLN_OK) {
        size_t at = 0;
        for (size_t i = 0; i < D1; at += D1 - i, i++) memmove(G + at, G + i*ld + i, (D1 - i)*sizeof *G);
        status = blni_processes_sum(r, at, G, report);
        for (size_t i = D1; i-- > 0;) {
            at -= D1 - i;
            memmove(G + i*ld + i, G + at, (D1 - i)*sizeof *G);
        }
    }
    if (status != BLN_OK) return status;
    g->N = scalars[0];
    g->ld = scalars[1];
    g->omega = scalars[2];
    return BLN_OK;
}

/* The input of row i that is largest, the likely culprit when its features overflow. */
BLNI_PRIV size_t blni_row_largest(const bln_data *rows, size_t i)
{
    size_t largest = rows->d ? 0 : BLN_NONE;
    for (size_t k = 1; k < rows->d; k++)
        if (fabs(rows->X[i*blni_ldx(rows) + k]) > fabs(rows->X[i*blni_ldx(rows) + largest])) largest = k;
    return largest;
}

/* Row r, whose n features, or a bound of them, are phi: are omega phi_j^2 and omega y^2 below it? */
BLNI_PRIV int blni_gram_bounded(const blni_gram *g, const bln_data *rows, size_t r, size_t n, const double *phi)
{
    const double omega = blni_row_omega(rows, r);
    double most = 0.0;
    for (size_t p = 0; p < g->P; p++) {
        const double y = fabs(blni_row_target(rows, r, p));
        most = y <= most ? most : y;
    }
    for (size_t j = 0; j < n; j++) most = fabs(phi[j]) <= most ? most : fabs(phi[j]);
    return omega*most*most < BLNI_GRAM_MOST && most < 1e145 && omega < BLNI_GRAM_MOST;
}

/* out <- theta; NULL: where the basis starts without data. */
BLNI_PRIV void blni_theta_of(const bln_basis *b, const double *theta, double *out)
{
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param p;
        bln_basis_param(b, k, NULL, &p);
        out[k] = theta ? theta[k] : p.start;
    }
}

/* ---- the object */

BLNI_ONCE BLNI_PRIV bln_statistics *blni_statistics_carve(blni_arena *a, const bln_basis *b, size_t block, bln_statistics *t)
{
    bln_statistics *carved = (bln_statistics *)blni_carve(a, 1, sizeof *t);
    const blni_gram gram = t->gram;
    if (carved) t = carved;
    t->gram = gram;
    t->theta = blni_carve_doubles(a, b->n_theta);
    t->Phi = blni_carve_doubles(a, blni_mul(block, blni_gram_stride(&gram)));
    t->work = blni_carve_doubles(a, bln_basis_work(b, block));
    t->room = blni_carve_doubles(a, bln_basis_room(b));
    blni_gram_carve(a, &t->gram, block);
    return carved;
}

BLN_API bln_status bln_statistics_create(const bln_statistics_desc *desc, bln_statistics **out, bln_report *report)
{
    bln_report_clear(report);
    const char *why = !desc || !out ? "statistics: NULL argument" : !desc->basis
        ? "statistics: basis is NULL" : bln_basis_check(desc->basis);
    if (!why && desc->exact && desc->qr) why = "statistics: either exact or qr";
    if (!why && !blni_allocator_ok(&desc->alloc)) why = "statistics: half an allocator";
    for (size_t k = 0; !why && desc->theta && k < desc->basis->n_theta; k++)
        if (!blni_finite(desc->theta[k])) why = "statistics: theta must be finite";
    if (why) return blni_refuse(report, BLN_EINVAL, why);

    const bln_basis *b = desc->basis;
    const size_t block = desc->block ? desc->block : 256;
    bln_statistics sizes = BLN_ZERO;
    sizes.gram.D = b->D;
    sizes.gram.P = desc->n_outputs ? desc->n_outputs : 1;
    sizes.gram.exact = (desc->exact != 0) & blni_exact_available();
    sizes.gram.qr = desc->qr != 0;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_statistics_carve(&a, b, block, &sizes);
    BLNI_TRY(blni_arena_take(&desc->alloc, a.used, "statistics", &a, report));
    bln_statistics *t = blni_statistics_carve(&a, b, block, &sizes);
    t->basis = b;
    t->alloc = desc->alloc;
    t->block_memory = a.base;
    t->bytes = a.size;
    t->block = block;
    t->fingerprint = blni_basis_fingerprint(b);
    blni_theta_of(b, desc->theta, t->theta);
    t->at = bln_basis_bind(b, t->theta, t->room);
    blni_gram_clear(&t->gram);
    *out = t;
    return BLN_OK;
}

BLN_API void bln_statistics_free(bln_statistics *t) { if (t) blni_release(&t->alloc, t->block_memory, t->bytes); }

BLN_API double bln_statistics_rows(const bln_statistics *t) { return t ? t->gram.N : BLNI_NAN; }

/* Do the sums stay finite with these rows, the first of which is row `first`? *made: their features are in Phi, for the basis could
 * not say without. */
BLNI_PRIV bln_status blni_statistics_bounded(bln_statistics *t, const bln_data *rows, size_t first, int *made, bln_report *report)
{
    const size_t ld = blni_gram_stride(&t->gram);
    const double bound = blni_basis_bound(t->at, t->theta, rows->n, rows->X, blni_ldx(rows), t->work);
    *made = !(bound < HUGE_VAL);
    if (*made) bln_basis_features(t->at, t->theta, rows->n, rows->X, blni_ldx(rows), t->Phi, ld, t->work);
    for (size_t r = 0; r < rows->n; r++) {
        size_t p = 0;
        if (*made ? blni_gram_bounded(&t->gram, rows, r, t->gram.D, t->Phi + r*ld)
                  : blni_gram_bounded(&t->gram, rows, r, 1, &bound)) continue;
        while (p < t->gram.P && fabs(blni_row_target(rows, r, p)) < 1e145) p++;
        const int y = p < t->gram.P;
        return blni_fail(report, BLN_ENUMERIC, first + r, y ? rows->d + p : blni_row_largest(rows, r),
                         y ? "statistics: squares of y overflow; scale y"
                           : "statistics: squares of the features, or times 1/noise_var, overflow; scale the inputs");
    }
    return BLN_OK;
}

/* First whether the sums stay finite, then the sums: nothing changes otherwise. */
BLNI_PRIV bln_status blni_statistics_sum(bln_statistics *t, double sign, const bln_data *data, bln_report *report)
{
    int made = 0;
    for (size_t i = 0; i < data->n; i += t->block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(t->block, data->n - i));
        BLNI_TRY(blni_statistics_bounded(t, &rows, i, &made, report));
    }
    for (size_t i = 0; i < data->n; i += t->block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(t->block, data->n - i));
        blni_gram_add(&t->gram, sign, t->basis, t->at, t->theta, &rows, made && data->n <= t->block, t->Phi, t->work);
    }
    return BLN_OK;
}

BLNI_ONCE BLNI_PRIV bln_status blni_statistics_change(bln_statistics *t, double sign, const bln_data *data, bln_report *report)
{
    double weight = 0.0;
    BLNI_TRY(blni_begin(report, t && data, "statistics: NULL argument"));
    if (t->basis->d && t->basis->d != data->d)
        return blni_refuse_columns(report, "statistics", data->d, t->basis->d);
    if (t->gram.P != blni_outputs(data))
        return blni_refuse(report, BLN_ESHAPE, "statistics: data have another number of outputs; see n_outputs");
    if (t->gram.qr && sign < 0.0) return blni_refuse(report, BLN_EINVAL, "statistics: rows cannot be taken out of a triangle");
    BLNI_TRY(bln_data_check(data, 1, report));
    BLNI_TRY(blni_data_check_offsets(data, t->gram.P, 0, report));
    BLNI_TRY(blni_data_check_normal(data, report));
    for (size_t i = 0; i < data->n; i++) weight += data->weight ? data->weight[i] : 1.0;
    if (sign < 0.0 && weight > t->gram.N*(1.0 + 1e-12))
        return blni_refuse(report, BLN_EDOMAIN, "statistics: more rows to take out than there are");
    BLNI_TRY(blni_statistics_sum(t, sign, data, report));
    if (t->gram.N < 0.0) t->gram.N = 0.0;                  /* rounding, when everything was taken out again */
    if (t->gram.omega < 0.0) t->gram.omega = 0.0;
    return BLN_OK;
}

BLN_API bln_status bln_statistics_add(bln_statistics *t, const bln_data *data, bln_report *report)
{
    return blni_statistics_change(t, 1.0, data, report);
}

BLN_API bln_status bln_statistics_remove(bln_statistics *t, const bln_data *data, bln_report *report)
{
    return blni_statistics_change(t, -1.0, data, report);
}

BLNI_PRIV int blni_statistics_alike(const bln_statistics *a, const bln_statistics *b)
{
    const size_t n = a->basis->n_theta;
    return a->fingerprint == b->fingerprint && a->gram.D == b->gram.D && a->gram.P == b->gram.P && n == b->basis->n_theta
        && a->gram.exact == b->gram.exact && a->gram.qr == b->gram.qr
        && (n == 0 || !memcmp(a->theta, b->theta, n*sizeof *a->theta));
}

BLN_API bln_status bln_statistics_merge(bln_statistics *t, const bln_statistics *other, bln_report *report)
{
    BLNI_TRY(blni_begin(report, t && other, "statistics: NULL argument"));
    if (!blni_statistics_alike(t, other))
        return blni_refuse(report, BLN_ESHAPE, "statistics: of another basis, theta, number of outputs or arithmetic");
    blni_gram_combine(&t->gram, 1.0, &other->gram);
    return BLN_OK;
}

/* Empty statistics of the same basis, theta and arithmetic, to read into. */
BLNI_PRIV bln_status blni_statistics_like(const bln_statistics *t, bln_statistics **out, bln_report *report)
{
    bln_statistics_desc desc = BLN_ZERO;
    desc.basis = t->basis;
    desc.theta = t->theta;
    desc.n_outputs = t->gram.P;
    desc.exact = t->gram.exact;
    desc.qr = t->gram.qr;
    desc.block = 1;
    desc.alloc = t->alloc;
    return bln_statistics_create(&desc, out, report);
}

BLN_API bln_status bln_statistics_forget(bln_statistics *t, double kappa, bln_report *report)
{
    BLNI_TRY(blni_begin(report, t != NULL, "statistics: NULL argument"));
    if (!(kappa > 0.0 && kappa <= 1.0)) return blni_refuse(report, BLN_EDOMAIN, "statistics: kappa must be in (0, 1]");
    blni_gram_combine(&t->gram, kappa, NULL);
    return BLN_OK;
}

/* Are they of this basis, or of one that is equal? */
BLNI_PRIV int blni_statistics_of(const bln_statistics *t, const bln_basis *b)
{
    return t->basis == b || t->fingerprint == blni_basis_fingerprint(b);
}

/* ---- as bytes:  u64 fingerprint of the basis, u64 D, u64 e + 4 (P - 1) (e = 1: G, 2: R, 3: G in three doubles), u64 n_theta, f64
 * x n_theta, f64 N, ld, omega, f64 x 3 P sums of omega y, then the upper triangle of (D+P) x (D+P) row by row, each entry as one or
 * three f64 */
BLNI_PRIV uint64_t blni_gram_code(const blni_gram *g) { return (g->exact ? 3u : g->qr ? 2u : 1u) + 4*((uint64_t)g->P - 1); }

BLNI_ONCE BLN_API bln_status bln_statistics_save(const bln_statistics *t, bln_writer *w)
{
    if (!t || !w) return blni_writer_fail(w, BLN_EINVAL);
    const blni_gram *g = &t->gram;
    const size_t D1 = blni_gram_width(g), ld = blni_gram_stride(g);
    bln_put_u64(w, t->fingerprint);
    bln_put_u64(w, g->D);
    bln_put_u64(w, blni_gram_code(g));
    bln_put_u64(w, t->basis->n_theta);
    bln_put_doubles(w, t->basis->n_theta, t->theta);
    bln_put_double(w, g->N);
    bln_put_double(w, g->ld);
    bln_put_double(w, g->omega);
    for (size_t p = 0; p < g->P; p++) bln_put_doubles(w, 3, g->y[p].v);
    for (size_t i = 0; i < D1; i++)
        for (size_t j = i; j < D1; j++) {
            if (g->exact) bln_put_doubles(w, 3, g->G3[i*D1 + j].v);
            else          bln_put_double(w, g->qr ? g->R[i*D1 + j] : g->G[i*ld + j]);
        }
    return w->status;
}

BLNI_PRIV bln_status blni_statistics_read(bln_statistics *t, bln_reader *r)
{
    blni_gram *g = &t->gram;
    const size_t D1 = blni_gram_width(g), ld = blni_gram_stride(g);
    int good = 1;
    if (bln_get_u64(r) != t->fingerprint || bln_get_u64(r) != g->D || bln_get_u64(r) != blni_gram_code(g)
        || bln_get_u64(r) != t->basis->n_theta)
        return bln_reader_fail(r, BLN_ESHAPE, "statistics: of another basis, number of outputs or arithmetic");
    for (size_t k = 0; k < t->basis->n_theta; k++)
        if (bln_get_double(r) != t->theta[k]) return bln_reader_fail(r, BLN_ESHAPE, "statistics: of another theta");
    g->N = bln_get_double(r);
    g->ld = bln_get_double(r);
    g->omega = bln_get_double(r);
    good = g->N >= 0.0 && blni_finite(g->N) && blni_finite(g->ld) && g->omega >= 0.0 && blni_finite(g->omega);
    for (size_t p = 0; p < g->P; p++) {
        bln_get_doubles(r, 3, g->y[p].v);
        good = good && blni_finite(g->y[p].v[0]) && blni_finite(g->y[p].v[1]) && blni_finite(g->y[p].v[2]);
    }
    for (size_t i = 0; i < D1; i++)
        for (size_t j = i; j < D1; j++) {
            double v[3] = { 0.0, 0.0, 0.0 };
            bln_get_doubles(r, g->exact ? 3 : 1, v);
            if (g->exact) memcpy(g->G3[i*D1 + j].v, v, sizeof v);
            else          *(g->qr ? g->R + i*D1 + j : g->G + i*ld + j) = v[0];
            good = good && blni_finite(v[0]) && blni_finite(v[1]) && blni_finite(v[2]);
            if (g->qr) good = good && fabs(v[0]) < 1e155 && (j > i || v[0] >= 0.0);
        }
    return good ? r->status : bln_reader_fail(r, BLN_EFORMAT, "statistics: a number is outside its range");
}

BLNI_ONCE BLN_API bln_status bln_statistics_load(bln_statistics *t, bln_reader *r)
{
    bln_statistics *read = NULL;
    if (!t || !r) return BLN_EINVAL;
    bln_status status = blni_statistics_like(t, &read, r->report);
    if (status != BLN_OK) return bln_reader_fail(r, status, "statistics: out of memory");
    status = blni_statistics_read(read, r);
    if (status == BLN_OK) blni_gram_combine(&t->gram, 1.0, &read->gram);
    bln_statistics_free(read);
    return status;
}

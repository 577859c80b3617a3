/* radial: bumps and steps around centres
 *
 * Centres are stored with one row for each input, so that loops over them have unit stride. A row of Phi first holds squared
 * distances, then their exponentials. The pullback computes the distances again: logarithms of Phi would lose them where Phi is
 * near 0 or 1. */
#include "radial_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../random/qmc.h"
#include "basis_private.h"

typedef struct blni_radial {
    blni_owned      own;
    size_t          n;
    bln_radial_form form;
    double         *c;                 /* d x n  */
} blni_radial;

/* rho_j^2 of one row. */
BLNI_PRIV void blni_radial_squares(const blni_radial *f, const double *theta, const double *x, double *BLNI_RESTRICT squares)
{
    const size_t n = f->n;
    for (size_t j = 0; j < n; j++) squares[j] = 0.0;
    for (size_t i = 0; i < f->own.base.d; i++) {
        const double *BLNI_RESTRICT c = f->c + i*n;
        const double l = blni_length(&f->own.base, theta, i);
        for (size_t j = 0; j < n; j++) { const double u = (x[i] - c[j])/l; squares[j] += u*u; }
    }
}

/* sigma(u) and its derivative, without cancellation on either side. */
BLNI_PRIV double blni_sigma(double u)
{
    const double e = exp(-fabs(u));
    return u >= 0.0 ? 1.0/(1.0 + e) : e/(1.0 + e);
}

BLNI_PRIV double blni_sigma_slope(double u)
{
    const double e = exp(-fabs(u));
    return e/((1.0 + e)*(1.0 + e));
}

BLNI_PRIV void blni_radial_features(const bln_basis *b, const double *theta, size_t rows, const double *X, size_t ldx,
                                    double *Phi, size_t ldphi, double *work)
{
    const blni_radial *f = (const blni_radial *)b;
    const size_t d = b->d, n = f->n;
    for (size_t r = 0; r < rows; r++) {
        const double *x = X + r*ldx;
        double *phi = Phi + r*ldphi;
        if (f->form == BLN_RADIAL_RIDGE) {
            for (size_t i = 0; i < d; i++) {
                const double l = blni_length(b, theta, i);
                for (size_t j = 0; j < n; j++) phi[i*n + j] = blni_sigma((x[i] - f->c[i*n + j])/l);
            }
            continue;
        }
        blni_radial_squares(f, theta, x, phi);
        if (f->form == BLN_RADIAL) for (size_t j = 0; j < n; j++) phi[j] = exp(-0.5*phi[j]);
        else for (size_t j = 0; j < n; j++) phi[j] = blni_sigma(sqrt(phi[j]));
    }
}

/* dphi_j/dl_i = -s_j u_ji^2/l_i and dphi_j/dx_i = s_j u_ji/l_i, where s_j = -phi_j for the bump and sigma'(rho)/rho for the
 * sigmoid, 0 at rho = 0 [bases 7, 9]; a product with u taken one by one stays 0 where u is so large that its square overflows. For
 * the ridge -sigma'(u) u/l_i and sigma'(u)/l_i. q: F_j s_j of a row, or F_j of the ridge. */
BLNI_PRIV void blni_radial_add(const bln_basis *b, const double *q, const double *c, double x, double l, size_t i,
                               double *dtheta, double *dx)
{
    const blni_radial *f = (const blni_radial *)b;
    const int ridge = f->form == BLN_RADIAL_RIDGE;
    double scale = 0.0, slope = 0.0;
    for (size_t j = 0; j < f->n; j++) {
        const double u = (x - c[j])/l, t = q[j]*(ridge ? blni_sigma_slope(u) : u);
        slope += t;
        scale += t*u;
    }
    if (dtheta) dtheta[((const blni_owned *)b)->lengths > 1 ? i : 0] -= scale/l;
    if (dx) dx[i] += slope/l;
}

BLNI_PRIV void blni_radial_pullback(const bln_basis *b, const double *theta, size_t rows, const double *X, size_t ldx,
                                    const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    const blni_radial *f = (const blni_radial *)b;
    const size_t d = b->d, n = f->n;
    double *q = work;
    for (size_t r = 0; r < rows; r++) {
        const double *x = X + r*ldx, *phi = Phi + r*ldphi, *g = F + r*ldf;
        double *dx = dX ? dX + r*lddx : NULL;
        if (f->form == BLN_RADIAL)
            for (size_t j = 0; j < n; j++) q[j] = -g[j]*phi[j];
        if (f->form == BLN_RADIAL_SIGMOID) {
            blni_radial_squares(f, theta, x, q);
            for (size_t j = 0; j < n; j++) {
                const double rho = sqrt(q[j]);
                q[j] = rho > 0.0 ? g[j]*blni_sigma_slope(rho)/rho : 0.0;
            }
        }
        for (size_t i = 0; i < d; i++) {
            const double l = blni_length(b, theta, i);
            blni_radial_add(b, f->form == BLN_RADIAL_RIDGE ? g + i*n : q, f->c + i*n, x[i], l, i, dtheta, dx);
        }
    }
}

BLNI_PRIV size_t blni_radial_work(const bln_basis *b, size_t rows) { return ((const blni_radial *)b)->n; }

/* ---- names, files ---- */

BLNI_PRIV const char *blni_radial_word(const blni_radial *f)
{
    return f->form == BLN_RADIAL ? "radial" : f->form == BLN_RADIAL_SIGMOID ? "sigmoid" : "ridge";
}

/* "radial 3" by the number of the centre; "ridge age 3" */
BLNI_PRIV void blni_radial_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_radial *f = (const blni_radial *)b;
    blni_cat(out, size, blni_radial_word(f));
    blni_cat(out, size, " ");
    if (f->form == BLN_RADIAL_RIDGE) {
        const size_t at = strlen(out);
        bln_input_name(inputs, j/f->n, out + at, size - at);
        blni_cat(out, size, " ");
    }
    blni_cat_size(out, size, j % f->n);
}

BLNI_PRIV void blni_radial_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    blni_cat(out, size, blni_radial_word((const blni_radial *)b));
}

BLNI_PRIV void blni_radial_save(const bln_basis *b, bln_writer *w)
{
    const blni_radial *f = (const blni_radial *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, f->n);
    bln_put_u32(w, (uint32_t)f->form);
    bln_put_u32(w, b->n_theta == b->d);
    bln_put_double(w, f->own.length_scale);
    for (size_t j = 0; j < f->n; j++)
        for (size_t i = 0; i < b->d; i++) bln_put_double(w, f->c[i*f->n + j]);
}

BLNI_PRIV bln_status blni_radial_load(const bln_load *context, bln_reader *r, bln_basis **out);

BLNI_TABLE const bln_basis_ops blni_radial_ops = {
    "radial", blni_radial_features, blni_radial_pullback, blni_radial_work, blni_length_param, NULL,
    blni_radial_feature_name, blni_length_name, blni_radial_slice_name, blni_radial_save, blni_radial_load,
    blni_basis_release, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
};

/* ---- making them ---- */

BLNI_ONCE BLNI_PRIV const char *blni_radial_check(const bln_radial_desc *desc)
{
    if (!desc) return "radial: desc is NULL";
    if (desc->d == 0) return "radial: d (inputs) is 0";
    if (desc->n == 0) return "radial: n (centres) is 0";
    if (!desc->centres) return "radial: centres is NULL";
    if (desc->ldc != 0 && desc->ldc < desc->d) return "radial: ldc < d";
    if ((unsigned)desc->form > (unsigned)BLN_RADIAL_RIDGE) return "radial: unknown form";
    return blni_allocator_ok(&desc->alloc) ? blni_length_check(desc->length_scale) : "radial: half an allocator";
}

BLN_API bln_status bln_radial_create(const bln_radial_desc *desc, bln_basis **out, bln_report *report)
{
    blni_owned *own = NULL;
    const char *why = out ? blni_radial_check(desc) : "radial: out is NULL";
    BLNI_TRY(blni_begin(report, !why, why));
    const size_t d = desc->d, n = desc->n, ldc = desc->ldc ? desc->ldc : d, all = blni_mul(d, n);
    BLNI_TRY(blni_basis_new(&desc->alloc, &blni_radial_ops, d, desc->form == BLN_RADIAL_RIDGE ? all : n, desc->ard ? d : 1,
                            sizeof(blni_radial), blni_mul(all, sizeof(double)), &own, report));
    blni_radial *f = (blni_radial *)own;
    blni_lengths_set(own, desc->ard, desc->length_scale);
    f->n = n;
    f->form = desc->form;
    f->c = (double *)own->tail;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < d; i++) {
            const double c = desc->centres[j*ldc + i];
            if (!blni_finite(c)) {
                blni_basis_release(&own->base);
                return blni_fail(report, BLN_EDATA, j, i, "radial: a centre is not finite");
            }
            f->c[i*n + j] = c;
        }
    *out = &own->base;
    return BLN_OK;
}

BLN_API void bln_radial_centres(size_t d, size_t n, double range, uint64_t seed, double *centres)
{
    if (d == 1) {
        for (size_t j = 0; j < n; j++) centres[j] = n > 1 ? range*(2.0*(double)j/(double)(n - 1) - 1.0) : 0.0;
        return;
    }
    if (d <= BLN_SOBOL_DIMENSIONS) bln_qmc_sobol(d, seed, 0, n, centres, d);
    else bln_qmc_halton(d, seed, 0, n, centres, d);
    for (size_t j = 0; j < n*d; j++) centres[j] = range*(2.0*centres[j] - 1.0);
}

BLNI_PRIV bln_status blni_radial_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    static const double none = 0.0;
    bln_radial_desc desc = BLN_ZERO;
    double *centres = NULL;
    desc.alloc = context->alloc;
    desc.d = bln_get_count(r, 0, (size_t)-1);
    desc.n = bln_get_count(r, 0, (size_t)-1);
    const uint32_t form = bln_get_u32(r);
    desc.ard = blni_load_flag(r);
    desc.length_scale = bln_get_double(r);
    if (form > (uint32_t)BLN_RADIAL_RIDGE) bln_reader_fail(r, BLN_EFORMAT, "unknown form of a radial basis");
    else desc.form = (bln_radial_form)form;
    desc.centres = &none;                                    /* they come when the rest is known to be in order */
    if (blni_load_checked(&context->alloc, r, blni_radial_check(&desc), blni_mul(desc.d, desc.n),
                          "a centre of a radial basis is not finite", &centres) != BLN_OK) return r->status;
    desc.centres = centres;
    const bln_status status = bln_radial_create(&desc, out, NULL);
    blni_release(&context->alloc, centres, desc.d*desc.n*sizeof *centres);
    return blni_load_fail(r, status);
}

BLN_API const bln_basis_ops *bln_radial_ops(void) { return &blni_radial_ops; }

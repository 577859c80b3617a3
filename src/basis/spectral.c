/* spectral: spectral mixtures, one component at a time
 *
 * A component owns the basis psi of its envelope and rotates the pairs (psi_j, 0) by the angle mu'x of each row. The pullback needs
 * no other features: the derivative in the angle is the pair rotated by a right angle, and the opposite rotation gives psi_j.
 *
 * Component q takes word 0 of stream q of the seed as the seed of its envelope, and the direction of its start from stream 4 of
 * that seed, which no envelope uses. */
#include "spectral_private.h"
#include "../random/rng_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"
#include "../math/vecmath.h"
#include "basis_private.h"
#include "fourier_private.h"
#include "fastfood_private.h"

typedef struct blni_spectral {
    blni_owned  own;
    bln_basis  *envelope;
    int         relative;      /* is start in units of 1/sd(x_i)?  */
    double     *start;         /* of mu: d                         */
} blni_spectral;

/* ---- features and their chain rule ---- */

/* mu'x of each row: cosine and sine. */
BLNI_PRIV void blni_spectral_angles(const bln_basis *b, const double *mu, size_t n, const double *X, size_t ldx, double *cosine,
                                    double *sine)
{
    for (size_t row = 0; row < n; row++) {
        double sum = 0.0;
        for (size_t i = 0; i < b->d; i++) sum += mu[i]*X[row*ldx + i];
        cosine[row] = 2.0/BLNI_PI*sum;
    }
    bln_sincos_quarter(n, cosine, sine, cosine);
}

/* [bases 29] */
BLNI_PRIV void blni_spectral_features(BLNI_INPUTS, double *Phi, size_t ldphi, double *work)
{
    const bln_basis *e = ((const blni_spectral *)b)->envelope;
    double *cosine = work, *sine = work + blni_pad(n);
    bln_basis_features(e, theta, n, X, ldx, Phi, ldphi, work);
    blni_spectral_angles(b, theta + e->n_theta, n, X, ldx, cosine, sine);
    for (size_t row = 0; row < n; row++) {
        double *phi = Phi + row*ldphi;
        const double c = cosine[row], s = sine[row];
        for (size_t j = 0; j < e->D; j++) {
            const double psi = phi[j];
            phi[j] = psi*c;
            phi[e->D + j] = psi*s;
        }
    }
}

/* [bases 30] With Phi = [Phi1, Phi2], F = [F1, F2]:  psi = Phi1 cos + Phi2 sin,  dL/dpsi = F1 cos + F2 sin, and for the angle a
 * of a row  t = dL/da = sum_j F2 Phi1 - F1 Phi2,  dL/dmu_i = sum_n x_ni t_n,  dL/dx_ni += mu_i t_n.
 * work: cosines, sines (then t), psi and dL/dpsi, then what the envelope needs. */
BLNI_PRIV void blni_spectral_pullback(BLNI_INPUTS, const double *Phi, size_t ldphi, const double *F, size_t ldf, BLNI_SLOPES)
{
    const bln_basis *e = ((const blni_spectral *)b)->envelope;
    const size_t m = e->D, p = e->n_theta;
    const double *mu = theta + p;
    double *cosine = work, *t = cosine + blni_pad(n), *psi = t + blni_pad(n), *slope = psi + blni_pad(n*m);
    blni_spectral_angles(b, mu, n, X, ldx, cosine, t);
    for (size_t row = 0; row < n; row++) {
        const double *phi = Phi + row*ldphi, *f = F + row*ldf;
        const double c = cosine[row], s = t[row];
        double sum = 0.0;
        for (size_t j = 0; j < m; j++) {
            psi[row*m + j] = phi[j]*c + phi[m + j]*s;
            slope[row*m + j] = f[j]*c + f[m + j]*s;
            sum += f[m + j]*phi[j] - f[j]*phi[m + j];
        }
        t[row] = sum;
    }
    bln_basis_pullback(e, theta, n, X, ldx, psi, m, slope, m, dtheta, dX, lddx, slope + blni_pad(n*m));
    for (size_t row = 0; row < n; row++)
        for (size_t i = 0; i < b->d; i++) {
            if (dtheta) dtheta[p + i] += X[row*ldx + i]*t[row];
            if (dX) dX[row*lddx + i] += mu[i]*t[row];
        }
}

BLNI_PRIV size_t blni_spectral_work(const bln_basis *b, size_t n)
{
    const bln_basis *e = ((const blni_spectral *)b)->envelope;
    return blni_add(blni_mul(2, blni_add(blni_pad(n), blni_pad(blni_mul(n, e->D)))), bln_basis_work(e, n));
}

/* mu_i moves in steps of a radian over the scale of x_i, sqrt(d) sd_i, as length scales do. */
BLNI_PRIV void blni_spectral_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    const blni_spectral *f = (const blni_spectral *)b;
    const bln_basis *e = f->envelope;
    if (k < e->n_theta) { e->ops->param(e, k, inputs, out); return; }
    const size_t i = k - e->n_theta;
    const double size = blni_length_size(i, i + 1, b->d, inputs);
    out->kind = BLN_PARAM_REAL;
    out->start = f->relative ? f->start[i]*sqrt((double)b->d)/size : f->start[i];
    out->scale = 1.0/size;
}

/* ---- names, files ---- */

BLNI_PRIV void blni_spectral_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const bln_basis *e = ((const blni_spectral *)b)->envelope;
    blni_cat(out, size, "spectral ");
    const size_t at = strlen(out);
    blni_feature_name(e, j % e->D, inputs, out + at, size - at);
    blni_cat(out, size, j < e->D ? " cos" : " sin");
}

BLNI_PRIV void blni_spectral_param_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    const bln_basis *e = ((const blni_spectral *)b)->envelope;
    if (k < e->n_theta) { blni_param_name(e, k, inputs, out, size); return; }
    blni_cat(out, size, "angular frequency");
    if (b->d == 1) return;
    blni_cat(out, size, " ");
    bln_input_name(inputs, k - e->n_theta, out + strlen(out), size - strlen(out));
}

BLNI_ONCE BLNI_PRIV void blni_spectral_save(const bln_basis *b, bln_writer *w)
{
    const blni_spectral *f = (const blni_spectral *)b;
    bln_put_u64(w, b->d);
    bln_put_u32(w, (uint32_t)f->relative);
    bln_put_doubles(w, b->d, f->start);
    bln_basis_save(f->envelope, w);
}

BLNI_PRIV bln_status blni_spectral_load(const bln_load *context, bln_reader *r, bln_basis **out);

BLNI_PRIV void blni_spectral_release(bln_basis *b)
{
    bln_basis_free(((blni_spectral *)b)->envelope);
    blni_basis_release(b);
}

BLNI_TABLE const bln_basis_ops blni_spectral_ops = {
    "spectral", blni_spectral_features, blni_spectral_pullback, blni_spectral_work, blni_spectral_param, NULL,
    blni_spectral_feature_name, blni_spectral_param_name, NULL, blni_spectral_save, blni_spectral_load,
    blni_spectral_release, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
};

/* ---- making them ---- */

BLNI_PRIV const char *blni_spectral_check(const bln_spectral_desc *desc)
{
    if (!desc) return "spectral: desc is NULL";
    const bln_fourier_desc *e = &desc->envelope;
    const char *why = e->draws == BLN_DRAWS_FASTFOOD ? blni_fastfood_check(e) : blni_fourier_check(e);
    if (why) return why;
    if (desc->component > 1000000) return "spectral: component must be at most a million";
    if (!(desc->period == 0.0 || (desc->period >= 1e-150 && desc->period <= 1e150)))
        return "spectral: period must be 0 (from the data) or between 1e-150 and 1e150";
    for (size_t i = 0; desc->mean && i < e->d; i++)
        if (!(fabs(desc->mean[i]) <= 1e150)) return "spectral: a mean is not finite, or beyond 1e150";
    return NULL;
}

/* A component around its envelope, which it owns on success; without its start. */
BLNI_PRIV bln_status blni_spectral_new(const bln_allocator *alloc, bln_basis *envelope, blni_spectral **out, bln_report *report)
{
    blni_owned *own = NULL;
    const size_t d = envelope->d;
    BLNI_TRY(blni_basis_new(alloc, &blni_spectral_ops, d, blni_mul(2, envelope->D), blni_add(envelope->n_theta, d),
                            sizeof(blni_spectral), blni_mul(d, sizeof(double)), &own, report));
    blni_spectral *f = (blni_spectral *)own;
    f->envelope = envelope;
    f->start = (double *)own->tail;
    *out = f;
    return BLN_OK;
}

/* The means as given, or harmonic number component + 1 of the period in a random direction, positive in the first input. */
BLNI_PRIV void blni_spectral_begin(blni_spectral *f, const bln_spectral_desc *desc, uint64_t seed)
{
    const size_t d = desc->envelope.d;
    double square = 0.0;
    bln_rng rng = blni_rng_of(seed, 4);
    for (size_t i = 0; i < d; i++) {
        f->start[i] = d > 1 ? bln_rng_normal(&rng) : 1.0;
        square += f->start[i]*f->start[i];
    }
    const double period = desc->period > 0.0 ? desc->period : 4.0, sign = f->start[0] < 0.0 ? -1.0 : 1.0;
    const double size = sign*2.0*BLNI_PI*((double)desc->component + 1.0)/period;
    for (size_t i = 0; i < d; i++) f->start[i] = desc->mean ? desc->mean[i] : size*(f->start[i]/sqrt(square));
    f->relative = !desc->mean && !(desc->period > 0.0);
}

BLNI_ONCE BLN_API bln_status bln_spectral_create(const bln_spectral_desc *desc, bln_basis **out, bln_report *report)
{
    const char *why = out ? blni_spectral_check(desc) : "spectral: out is NULL";
    bln_basis *envelope = NULL;
    blni_spectral *f = NULL;
    BLNI_TRY(blni_begin(report, !why, why));
    bln_fourier_desc e = desc->envelope;
    bln_rng rng = blni_rng_of(e.seed, (uint64_t)desc->component);
    e.seed = bln_rng_next(&rng);
    BLNI_TRY(e.draws == BLN_DRAWS_FASTFOOD ? bln_fastfood_create(&e, &envelope, report)
                                           : bln_fourier_create(&e, &envelope, report));
    const bln_status status = blni_spectral_new(&e.alloc, envelope, &f, report);
    if (status != BLN_OK) { bln_basis_free(envelope); return status; }
    blni_spectral_begin(f, desc, e.seed);
    *out = &f->own.base;
    return BLN_OK;
}

/* The envelope is read here and not by name from all bases: what can be in it has no parts, so that a file cannot nest. */
BLNI_ONCE BLNI_PRIV bln_status blni_spectral_load(const bln_load *context, bln_reader *r, bln_basis **out)
{
    char name[32];
    bln_basis *envelope = NULL;
    blni_spectral *f = NULL;
    double *start = NULL;
    const size_t d = bln_get_count(r, 8, (size_t)-1/sizeof(double) - 1);
    const int relative = blni_load_flag(r);
    if (r->status == BLN_OK && d == 0) bln_reader_fail(r, BLN_EFORMAT, "a spectral basis without inputs");
    if (r->status != BLN_OK) return r->status;
    BLNI_TRY(blni_load_doubles(&context->alloc, r, d, "a mean of a spectral basis is not finite", &start));
    for (size_t i = 0; i < d; i++)
        if (!(fabs(start[i]) <= (relative ? 1e100 : 1e160)))
            bln_reader_fail(r, BLN_EFORMAT, "a mean of a spectral basis is too large");
    bln_get_string(r, name, sizeof name);
    bln_status status = r->status;
    if (status != BLN_OK) { blni_release(&context->alloc, start, d*sizeof *start); return status; }
    if (!strcmp(name, blni_fourier_ops.name)) status = blni_fourier_load(context, r, &envelope);
    else if (!strcmp(name, blni_fourier2_ops.name)) status = blni_fourier2_load(context, r, &envelope);
    else if (!strcmp(name, blni_fastfood_ops.name)) status = blni_fastfood_load(context, r, &envelope);
    else status = bln_reader_fail(r, BLN_EFORMAT, "a spectral basis around something that is no kernel");
    if (status == BLN_OK) status = envelope->d == d ? blni_spectral_new(&context->alloc, envelope, &f, NULL) : BLN_ESHAPE;
    if (status == BLN_OK) {
        f->relative = relative;
        memcpy(f->start, start, d*sizeof *start);
        *out = &f->own.base;
    } else {
        bln_basis_free(envelope);
        if (r->status == BLN_OK) status = blni_load_fail(r, status);
    }
    blni_release(&context->alloc, start, d*sizeof *start);
    return status;
}

BLN_API const bln_basis_ops *bln_spectral_ops(void) { return &blni_spectral_ops; }

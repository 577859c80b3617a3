/* leapfrog: Stoermer and Verlet's integrator, a search for its first step, and Hamiltonian Monte Carlo of a fixed length
 *                                                                                         [Neal 2011; samplers 31, 32] */
#include "leapfrog_private.h"
#include "../core/status_private.h"
#include "../math/blas.h"
#include "../math/vecmath_private.h"

/* q += e L r */
BLNI_PRIV void blni_system_move(const blni_system *s, double e, const double *r, double *q)
{
    if (s->U) for (size_t i = 0; i < s->D; i++) bln_axpy(s->D - i, e*r[i], s->U + i*s->D + i, q + i);
    else if (s->scale) for (size_t i = 0; i < s->D; i++) q[i] += e*s->scale[i]*r[i];
    else bln_axpy(s->D, e, r, q);
}

/* h = L'g */
BLNI_PRIV void blni_system_slope(const blni_system *s, double *h)
{
    const double *g = s->g;
    if (s->U) for (size_t i = 0; i < s->D; i++) h[i] = bln_dot(s->D - i, s->U + i*s->D + i, g + i);
    else if (s->scale) blni_vec_product(s->D, 1.0, s->scale, g, h);
    else memcpy(h, g, s->D*sizeof *h);
}

/* lp and h at q. A place outside the numbers is impossible, and the density is not asked. A slope that is no number shows in the
 * energy of the next momentum. */
BLNI_PRIV bln_status blni_system_eval(blni_system *s, blni_phase *z)
{
    double low, high;
    z->lp = -HUGE_VAL;
    if (!blni_vec_range(s->D, z->q, &low, &high)) { s->rejected++; return BLN_OK; }
    const bln_status status = blni_density_eval(s->density, s->user, z->q, &z->lp, s->g, s->report);
    s->evaluations++;
    if (status != BLN_OK) return status;
    if (z->lp > -HUGE_VAL) blni_system_slope(s, z->h);
    else s->rejected++;
    return BLN_OK;
}

/* One step of size e, which may be negative: back in time. Reversible, keeps volumes, error of H of order e^2. */
BLNI_PRIV bln_status blni_leapfrog(blni_system *s, blni_phase *z, double e)
{
    bln_axpy(s->D, 0.5*e, z->h, z->r);
    blni_system_move(s, e, z->r, z->q);
    const bln_status status = blni_system_eval(s, z);
    if (status == BLN_OK && z->lp > -HUGE_VAL) bln_axpy(s->D, 0.5*e, z->h, z->r);
    return status;
}

/* H; infinite where q is impossible or the momentum overflows. */
BLNI_PRIV double blni_system_energy(const blni_system *s, const blni_phase *z)
{
    const double H = z->lp > -HUGE_VAL ? 0.5*bln_dot(s->D, z->r, z->r) - z->lp : HUGE_VAL;
    return H < HUGE_VAL ? H : HUGE_VAL;
}

BLNI_PRIV void blni_phase_carve(blni_arena *a, size_t D, blni_phase *z) { BLNI_CARVE3(a, D, z->q, z->r, z->h); }

/* All but the momentum. */
BLNI_PRIV void blni_phase_copy(size_t D, const blni_phase *from, blni_phase *to)
{
    memcpy(to->q, from->q, D*sizeof *to->q);
    memcpy(to->h, from->h, D*sizeof *to->h);
    to->lp = from->lp;
}

/* Doubles or halves *step, from what it is, until the acceptance of one step with a fresh momentum crosses 0.8: the step that
 * crossed. z: workspace.                                                                                      [samplers 32] */
BLNI_PRIV bln_status blni_step_search(blni_system *s, bln_rng *rng, const blni_phase *at, blni_phase *z, double *step)
{
    const double wanted = log(0.8);
    int up = 0;
    for (int tries = 0; tries < 100; tries++) {
        blni_phase_copy(s->D, at, z);
        bln_rng_normals(rng, s->D, z->r);
        const double before = blni_system_energy(s, z);
        BLNI_TRY(blni_leapfrog(s, z, *step));
        const int good = before - blni_system_energy(s, z) > wanted;
        if (tries == 0) up = good;
        else if (good != up) break;
        *step *= up ? 2.0 : 0.5;
    }
    return BLN_OK;
}

/* Follows the trajectory for so many steps, and accepts its end with probability min(1, e^(H0 - H)). The step is drawn anew each
 * time, uniform within `jitter` of its size, so that no period of the density can fit the length. at: position and slope, which
 * stay; next: workspace with momentum, then the draw.                                                         [samplers 31] */
BLNI_PRIV bln_status blni_static_transition(blni_system *s, bln_rng *rng, double step, double jitter, size_t leapfrogs,
                                            const blni_phase *at, blni_phase *next, blni_transition *out)
{
    blni_phase_copy(s->D, at, next);
    bln_rng_normals(rng, s->D, next->r);
    const double e = step*(1.0 + jitter*(2.0*bln_rng_uniform(rng) - 1.0)), H0 = blni_system_energy(s, next);
    double H = H0;
    memset(out, 0, sizeof *out);
    for (; out->leapfrogs < leapfrogs && !out->divergent; out->leapfrogs++) {
        BLNI_TRY(blni_leapfrog(s, next, e));
        H = blni_system_energy(s, next);
        out->divergent = !(H - H0 <= BLNI_DIVERGENCE);
    }
    out->accept = H0 > H ? 1.0 : exp(H0 - H);
    out->energy = H;
    if (!out->divergent && bln_rng_uniform(rng) < out->accept) return BLN_OK;
    if (out->divergent) out->accept = 0.0;
    out->energy = H0;
    blni_phase_copy(s->D, at, next);
    return BLN_OK;
}

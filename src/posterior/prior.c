/* prior: the prior variances of the weights, and what a flat prior leaves undetermined */
#include "prior_private.h"
#include "../math/cholesky.h"

/* The prior variances: one for each slice, or one for each weight. Group s is the weights first(s) .. first(s + 1) - 1. */
BLNI_NOINLINE BLNI_PRIV size_t blni_priors(const bln_basis *b, int per_weight) { return per_weight ? b->D : b->n_slices; }
BLNI_NOINLINE BLNI_PRIV size_t blni_prior_first(const bln_basis *b, int per_weight, size_t s)
{
    return per_weight ? s : bln_basis_slice(b, s);
}

/* Features of group s that are not 0 in a row. */
BLNI_PRIV size_t blni_prior_active(const bln_basis *b, int per_weight, size_t s) { return per_weight ? 1 : bln_basis_active(b, s); }

/* An infinite prior variance is a flat prior. */
BLNI_PRIV int blni_flat(double prior_var) { return prior_var > DBL_MAX; }

/* How many weights have a flat prior; which, ascending, into flat unless NULL. */
BLNI_PRIV size_t blni_flat_weights(const bln_basis *b, int per_weight, const double *prior_var, size_t *flat)
{
    size_t n = 0;
    for (size_t s = 0; s < blni_priors(b, per_weight); s++)
        for (size_t i = blni_prior_first(b, per_weight, s); i < blni_prior_first(b, per_weight, s + 1); i++)
            if (blni_flat(prior_var[s])) {
                if (flat) flat[n] = i;
                n++;
            }
    return n;
}

/* s_i = sqrt(lambda of i's slice) and penalty_i = 1, or 1 and 0 where the prior is flat; returns how many these are. */
BLNI_PRIV size_t blni_prior_scales(const bln_basis *b, int per_weight, const double *prior_var, double *s, double *penalty)
{
    size_t n_flat = 0;
    for (size_t k = 0, i = 0; k < blni_priors(b, per_weight); k++) {
        const int flat = blni_flat(prior_var[k]);
        const double root = flat ? 1.0 : sqrt(prior_var[k]);
        for (const size_t end = blni_prior_first(b, per_weight, k + 1); i < end; i++) {
            s[i] = root;
            penalty[i] = flat ? 0.0 : 1.0;
            n_flat += (size_t)flat;
        }
    }
    return n_flat;
}

/* Has a slice whose features miss prior variance a flat prior? They would miss infinitely much. */
BLNI_ONCE BLNI_PRIV int blni_flat_misses(const bln_basis *b, const double *prior_var, int per_weight)
{
    for (size_t s = 0; s < b->n_slices; s++)
        for (size_t j = bln_basis_slice(b, s); j < bln_basis_slice(b, s + 1); j++)
            if (bln_basis_variance(b, s) > 0.0 && blni_flat(prior_var[per_weight ? j : s])) return 1;
    return 0;
}

/* The noise of a factor of a Gram matrix of N rows: errors of its sums and those that the factor stands for (Higham 2002, theorem
 * 10.3), c eps with c of order N + D in the bounds; roundings of both signs leave sqrt(N) and next to nothing of D: of exactly
 * dependent features (duplicates, sums, differences far from 0, the dummies of an intercept; 50 to 30000 rows, 20 to 200 features)
 * the largest pivot is 2.7 to 5.7 times eps sum v_i^2 B_ii, for which c = 16 + sqrt(N)/2 is 20 to 103. */
BLNI_PRIV double blni_gram_noise(double N) { return (16.0 + 0.5*sqrt(N))*DBL_EPSILON; }

/* The first flat feature of n that depends on those before it as far as doubles can see, or n. U: the factor of B, or of any Gram
 * matrix; penalty: 0 where flat, NULL: everywhere; v, diagonal: room for n.
 *
 * U_jj^2 is what those before leave of feature j, |phi_j|^2 being 1 for a flat one. With v = (-U^-1 U_.j, 1), the combination of
 * features that leaves it, U_jj^2 = v'B v; errors Delta in B change it by v'Delta v. With |Delta_ik| <= noise sqrt(B_ii B_kk) they
 * are of the size noise sum v_i^2 B_ii, and a pivot below that has hardly a digit left.
 * |U^-1|^2 is about 1 over the least pivot: v is asked for only where that could matter. */
BLNI_ONCE BLNI_PRIV size_t blni_flat_dependent(size_t n, const double *U, size_t ldu, const double *penalty, double noise,
                                               double *v, double *diagonal)
{
    double least = 1.0;
    for (size_t j = 0; j < n; j++) diagonal[j] = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) diagonal[j] += U[i*ldu + j]*U[i*ldu + j];
    for (size_t j = 0; j < n; j++) {
        const double pivot = U[j*ldu + j]*U[j*ldu + j]/diagonal[j];
        if (!(penalty && penalty[j] > 0.0) && pivot*least < 1e3*(double)n*noise) {
            double sum = 1.0;
            for (size_t k = 0; k < j; k++) v[k] = U[k*ldu + j];
            bln_trsv(BLN_NOTRANS, j, U, ldu, v);
            for (size_t k = 0; k < j; k++) sum += v[k]*v[k]*diagonal[k]/diagonal[j];
            if (!(pivot > noise*sum)) return j;
        }
        if (pivot < least) least = pivot;
    }
    return n;
}

/* latent: mixtures in one dimension. A row is read through a small view with steps (blni_mix), which can also show a subset of many
 * components without a copy. */
#include "latent_private.h"
#include "../math/special.h"

BLNI_PRIV blni_mix blni_mix_of(const bln_latent *f, size_t i, size_t j, double noise)
{
    const size_t J = blni_latent_J(f), at = i*blni_latent_ld(f) + j;
    blni_mix m;
    m.K = blni_latent_K(f);
    m.weight = f->weight;
    m.share = f->weight ? 1.0 : 1.0/(double)m.K;
    m.at = f->mean + at;
    m.var = f->var ? f->var + at : NULL;
    m.noise = f->eta ? noise : 0.0;
    m.eta = m.noise != 0.0 ? f->eta + j*(J + 1) : NULL;
    m.weight_step = 1;
    m.step = J;
    m.eta_step = f->ldeta;
    m.dof = f->dof;
    m.law = f->dof > 0.0 ? f->law : NULL;
    if (f->dof > 0.0 && !f->law) m.share = BLNI_NAN;
    return m;
}

BLNI_PRIV double blni_mix_weight(const blni_mix *m, size_t k)
{
    return m->weight ? m->share*m->weight[k*m->weight_step] : m->share;
}

BLNI_PRIV double blni_mix_at(const blni_mix *m, size_t k) { return m->at[k*m->step]; }

/* Variance, or squared scale, of component k. */
BLNI_PRIV double blni_mix_var(const blni_mix *m, size_t k)
{
    return (m->var ? m->var[k*m->step] : 0.0) + (m->eta ? m->noise*m->eta[k*m->eta_step] : 0.0);
}

/* P(Z <= z) and the density of the standard component, and its log. */
BLNI_PRIV double blni_mix_cdf0(const blni_mix *m, double z) { return m->law ? m->law->cdf(m->dof, z) : bln_norm_cdf(z); }
BLNI_PRIV double blni_mix_pdf0(const blni_mix *m, double z) { return m->law ? m->law->pdf(m->dof, z) : bln_norm_pdf(z); }
BLNI_PRIV double blni_mix_logpdf0(const blni_mix *m, double z) { return m->law ? m->law->logpdf(m->dof, z) : bln_norm_logpdf(z); }

/* ---- moments */

/* The mean of the locations; their spread, and the mean of the squared scales. */
BLNI_PRIV double blni_mix_centre(const blni_mix *m, double *between, double *within)
{
    const double from = m->at[0];
    double mean = 0.0, spread = 0.0, scale2 = 0.0;
    for (size_t k = 0; k < m->K && m->K > 1; k++) mean += blni_mix_weight(m, k)*(blni_mix_at(m, k) - from);
    for (size_t k = 0; k < m->K; k++) {
        const double w = blni_mix_weight(m, k), d = blni_mix_at(m, k) - from - mean;
        spread += w*d*d;
        scale2 += w*blni_mix_var(m, k);
    }
    *between = spread;
    *within = scale2;
    return from + mean;
}

BLNI_PRIV void blni_mix_moments(const blni_mix *m, double *mean, double *var)
{
    double between, within;
    const double centre = blni_mix_centre(m, &between, &within), dof = m->dof;
    const int point = between + within == 0.0;
    if (mean) *mean = point || !(dof > 0.0) || dof > 1.0 ? centre : BLNI_NAN;
    if (var) *var = point || !(dof > 0.0) ? between + within
                  : dof > 2.0 ? between + within*dof/(dof - 2.0) : dof > 1.0 ? (double)INFINITY : BLNI_NAN;
}

/* ---- tails and densities */

/* P(. <= x), or P(. > x). */
BLNI_PRIV double blni_mix_tail(const blni_mix *m, double x, int upper)
{
    double p = 0.0;
    for (size_t k = 0; k < m->K; k++) {
        const double s = sqrt(blni_mix_var(m, k)), d = x - blni_mix_at(m, k), w = blni_mix_weight(m, k);
        if (s == 0.0 && d == d) p += (d >= 0.0) == !upper ? w : 0.0;
        else                    p += w*blni_mix_cdf0(m, upper ? -d/s : d/s);
    }
    return p > 1.0 ? 1.0 : p;
}

BLNI_PRIV double blni_mix_logdensity(const blni_mix *m, double x)
{
    double top = -HUGE_VAL, sum = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < m->K; k++) {
            const double s = sqrt(blni_mix_var(m, k)), d = x - blni_mix_at(m, k), w = blni_mix_weight(m, k);
            double l = -HUGE_VAL;
            if (!(d == d && s >= 0.0)) return BLNI_NAN;
            if (s > 0.0) l = (w != 1.0 ? log(w) : 0.0) + blni_mix_logpdf0(m, d/s) - log(s);
            else if (d == 0.0 && w > 0.0) return HUGE_VAL;
            if (pass == 0 && l > top) top = l;
            if (pass == 1 && l > -HUGE_VAL) sum += exp(l - top);
            if (m->K == 1) return l;
        }
    return top > -HUGE_VAL ? top + log(sum) : top;
}

/* ---- quantiles */

/* What the search needs at x: P(. <= x), or P(. >= x) for sign = -1, and the density in *pdf (NULL: not wanted). */
BLNI_PRIV double blni_mix_cdf(const blni_mix *m, double sign, double x, double *pdf)
{
    double p = 0.0, density = 0.0;
    for (size_t k = 0; k < m->K; k++) {
        const double s = sqrt(blni_mix_var(m, k)), d = sign*(x - blni_mix_at(m, k)), w = blni_mix_weight(m, k);
        if (!(s > 0.0)) { p += d < 0.0 ? 0.0 : w; continue; }
        p += w*blni_mix_cdf0(m, d/s);
        if (pdf) density += w*blni_mix_pdf0(m, d/s)/s;
    }
    if (pdf) *pdf = density;
    return p < 1.0 ? p : 1.0;
}

/* The distance from `anchor`, times sign, to where the tail that sign says has the probability `want`: a bracket that grows from
 * `from` by `width`, so that its ends are of the size of the answer, and Newton's method inside it. Where `from` is a good guess
 * the bracket begins with the width that the density says, and Newton's method there. */
BLNI_NOINLINE BLNI_PRIV double blni_mix_distance(const blni_mix *m, double sign, double want, double anchor, double from,
                                                 int guess, double width)
{
    const double least = width;
    double pdf, low = from, high = from;
    const double here = blni_mix_cdf(m, sign, anchor + sign*from, &pdf), newton = from - (here - want)/pdf;
    if (here == want) return from;
    if (guess && blni_finite(newton)) width = fmax(2.0*fabs(newton - from), 4.0*DBL_EPSILON*(fabs(from) + least));
    if (here < want)
        do { low = high; high += width; width *= 2.0; } while (blni_mix_cdf(m, sign, anchor + sign*high, NULL) < want);
    else
        do { high = low; low -= width; width *= 2.0; }
        while (blni_finite(low) && blni_mix_cdf(m, sign, anchor + sign*low, NULL) > want);
    if (!blni_finite(low)) return low;
    high = fmin(high, DBL_MAX);
    double x = guess && newton > low && newton < high ? newton : 0.5*low + 0.5*high;
    for (int i = 1; ; i++) {          /* ends: what is left of the bracket has numbers inside, and every eighth step halves it */
        const double excess = blni_mix_cdf(m, sign, anchor + sign*x, &pdf) - want;
        if (excess > 0.0) high = x; else low = x;
        const double tolerance = 4.0*DBL_EPSILON*(fabs(x) + least), step = excess/pdf;
        if (excess == 0.0 || fabs(step) <= tolerance || high - low <= tolerance) break;
        x = i % 8 && x - step > low && x - step < high ? x - step : 0.5*low + 0.5*high;
        if (guess && fabs(step) <= 1e-8*least) break;                    /* what is left is of the order of step^2/least */
    }
    return x;
}

/* The least of the points with P(. <= x) >= p, for which P(. > x) <= q stands if q is the smaller one: an interval that is halved,
 * whose upper end is a point. */
BLNI_ONCE BLNI_PRIV double blni_mix_order(const blni_mix *m, double p, double q)
{
    double low = blni_mix_at(m, 0), high = low;
    for (size_t k = 1; k < m->K; k++) {
        const double x = blni_mix_at(m, k);
        if (x < low) low = x;
        if (x > high) high = x;
    }
    for (int first = 1; low < high; first = 0) {
        const double x = first ? low : low + 0.5*(high - low);
        double under = 0.0, over = 0.0, below = low, above = high;       /* the points next to x */
        for (size_t k = 0; k < m->K; k++) {
            const double at = blni_mix_at(m, k), w = m->weight ? blni_mix_weight(m, k) : 1.0;
            if (at <= x) { under += w; if (at > below) below = at; }
            else         { over += w;  if (at < above) above = at; }
        }
        const double all = m->weight ? 1.0 : (double)m->K;
        if (p <= q ? under/all >= p : over/all <= q) high = below;
        else if (above == high) return high;
        else low = x;
    }
    return high;
}

/* Some of many components, evenly. */
BLNI_PRIV blni_mix blni_mix_some(const blni_mix *m)
{
    const size_t step = m->K/BLNI_LATENT_SOME, first = step/2;
    blni_mix some = *m;
    double sum = 0.0;
    some.K = BLNI_LATENT_SOME;
    some.at += first*m->step;
    if (some.var) some.var += first*m->step;
    if (some.eta) some.eta += first*m->eta_step;
    if (some.weight) some.weight += first*m->weight_step;
    some.step *= step;
    some.eta_step *= step;
    some.weight_step *= step;
    some.share = 1.0;
    for (size_t k = 0; k < some.K; k++) sum += blni_mix_weight(&some, k);
    some.share = 1.0/sum;
    return some;
}

/* From the nearer tail, so that the quantile keeps its digits there; as a distance from the heaviest component or, if rounding
 * would leave that to more than a thousandth of the narrowest scale, from the one next to it: components may be of any width and
 * place. */
BLNI_ONCE BLNI_PRIV double blni_mix_search(const blni_mix *m, double p, double q, double narrowest)
{
    const double sign = p > q ? -1.0 : 1.0, want = p > q ? q : p;
    double quantile = 0.0, guess = 0.0;
    size_t heaviest = 0;
    int guessed = 0;
    for (size_t k = 0; k < m->K && m->weight; k++)
        if (blni_mix_weight(m, k) > blni_mix_weight(m, heaviest)) heaviest = k;
    if (m->K >= BLNI_LATENT_MANY) {
        const blni_mix some = blni_mix_some(m);
        guess = blni_mix_quantile(&some, p, q);
        guessed = blni_finite(guess);
    }
    double anchor = blni_mix_at(m, heaviest);
    for (int i = 0; i < 3; i++) {                            /* each anchor is at most half as far as the one before */
        const double x = blni_mix_distance(m, sign, want, anchor, guessed ? sign*(guess - anchor) : 0.0, guessed, narrowest);
        double nearest = anchor;
        quantile = anchor + sign*x;
        if (!blni_finite(x) || !(DBL_EPSILON*fabs(x) > 1e-3*narrowest)) break;
        for (size_t k = 0; k < m->K; k++)
            if (fabs(blni_mix_at(m, k) - quantile) < fabs(nearest - quantile)) nearest = blni_mix_at(m, k);
        if (!(fabs(nearest - quantile) < 0.5*fabs(x))) break;
        anchor = nearest;
    }
    return quantile;
}

BLNI_PRIV double blni_mix_quantile(const blni_mix *m, double p, double q)
{
    double between, within, narrowest = HUGE_VAL;
    const double centre = blni_mix_centre(m, &between, &within);
    if (!(p >= 0.0 && q >= 0.0) || !blni_finite(centre) || !(between + within >= 0.0)) return BLNI_NAN;
    if (m->K == 1 && within == 0.0) return centre;
    if (p == 0.0 || q == 0.0) return p == 0.0 ? -HUGE_VAL : HUGE_VAL;
    if (m->K == 1) {
        const double tail = p > q ? q : p, z = m->law ? m->law->quantile(m->dof, tail) : bln_norm_quantile(tail);
        return centre + (p > q ? -z : z)*sqrt(within);
    }
    for (size_t k = 0; k < m->K; k++) {
        const double s = sqrt(blni_mix_var(m, k));
        if (s > 0.0 && s < narrowest) narrowest = s;
    }
    return narrowest < HUGE_VAL ? blni_mix_search(m, p, q, narrowest) : blni_mix_order(m, p, q);
}

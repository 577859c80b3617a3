/* slice: a slice sampler's move along a line: an interval of the given width, placed at random about x, is extended until both ends
 * are below the level, then points are drawn in it, and each below the level shrinks it [Neal 2003, figures 3, 5; samplers 48] */
#include "slice_private.h"

enum { BLNI_SLICE_IN = 200 };

/* Moves from x, where f has the finite *value, to the point returned, and sets *value to f there. The last call of f is at that
 * point, so that whatever f keeps of a call belongs to it. Any width leaves the density invariant; about two standard deviations is
 * fastest, with some five calls. The interval is extended by less than `out` widths: by none, with 1, as suits a whole period. */
BLNI_PRIV double blni_slice(bln_rng *rng, double x, double *value, double width, size_t out, blni_line_fn f, void *user)
{
    const double level = *value - bln_rng_exponential(rng);
    double low = x - width*bln_rng_uniform(rng), high = low + width;
    size_t left = (size_t)bln_rng_below(rng, out), right = out - 1 - left;
    while (left-- > 0 && f(user, low) > level) low -= width;
    while (right-- > 0 && f(user, high) > level) high += width;
    for (int n = 0; n < BLNI_SLICE_IN; n++) {
        const double at = low + bln_rng_uniform(rng)*(high - low), there = f(user, at);
        if (there > level) { *value = there; return at; }
        if (at < x) low = at;
        else        high = at;
    }
    *value = f(user, x);                                         /* where rounding leaves nothing but x itself */
    return x;
}

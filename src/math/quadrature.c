/* quadrature: Gauss-Hermite in twice double precision, the trapezoid rule, and panels that are halved where errors are largest */
#include "quadrature_private.h"
#include "special_private.h"

enum { BLNI_HERMITE_MOST = 256, BLNI_PANELS = 160, BLNI_KRONROD = 21, BLNI_KRONROD_HALF = 11 };

/* ---- Gauss-Hermite */

/* How many of the n nodes lie below x: the negative pivots of T - x I, where T is the Jacobi matrix with off-diagonal sqrt(j). */
BLNI_PRIV size_t blni_hermite_below(size_t n, double x)
{
    size_t count = 0;
    double pivot = -x;
    for (size_t j = 1; ; j++) {
        if (pivot < 0.0) count++;
        if (j == n) return count;
        if (pivot == 0.0) pivot = 1e-300;
        pivot = -x - (double)j/pivot;
    }
}

/* Orthonormal polynomials p_0 .. p_n at x: sqrt(j + 1) p_{j+1} = x p_j - sqrt(j) p_{j-1}. Gives p_n, p_{n-1} and the sum of squares
 * of p_0 .. p_{n-1}. */
BLNI_PRIV blni_pair blni_hermite_at(size_t n, blni_pair x, blni_pair *before, blni_pair *squares)
{
    blni_pair low = blni_pair_make(0.0, 0.0), p = blni_pair_make(1.0, 0.0), root = low;
    *squares = low;
    for (size_t j = 0; j < n; j++) {
        const blni_pair next = blni_pair_sqrt(blni_pair_make((double)(j + 1), 0.0));
        const blni_pair up = blni_pair_div(blni_pair_sub(blni_pair_mul(x, p), blni_pair_mul(root, low)), next);
        *squares = blni_pair_add(*squares, blni_pair_mul(p, p));
        low = p;
        p = up;
        root = next;
    }
    *before = low;
    return p;
}

BLNI_PRIV bln_status blni_gauss_hermite(size_t n, double *z, double *w)
{
    if (!z || !w || n == 0 || n > (size_t)BLNI_HERMITE_MOST) return BLN_EINVAL;
    for (size_t i = n/2; i < n; i++) {
        double low = 0.0, high = 2.0*sqrt((double)n) + 1.0;
        blni_pair x = blni_pair_make(0.0, 0.0), before, squares;
        if (2*i + 1 != n) {
            for (int step = 0; step < 40; step++) {
                const double middle = 0.5*(low + high);
                if (blni_hermite_below(n, middle) > i) high = middle;
                else low = middle;
            }
            x.hi = 0.5*(low + high);
            for (int step = 0; step < 3; step++) {                   /* p_n' = sqrt(n) p_{n-1} */
                const blni_pair p = blni_hermite_at(n, x, &before, &squares);
                x = blni_pair_sub(x, blni_pair_div(p, blni_pair_mul(blni_pair_sqrt(blni_pair_make((double)n, 0.0)), before)));
            }
        }
        blni_hermite_at(n, x, &before, &squares);
        z[i] = x.hi + x.lo;
        z[n - 1 - i] = -z[i];
        w[i] = w[n - 1 - i] = blni_pair_div(blni_pair_make(1.0, 0.0), squares).hi;
    }
    if (n % 2) z[n/2] = 0.0;
    return BLN_OK;
}

/* Rules that are asked for again and again: the halves z > 0 of 4, 8 and 16 nodes (tools/golden_quadrature.py). */
static const double blni_hermite_table[14][2] = {
    { 0.74196378430272586, 0.45412414523193151 }, { 2.3344142183389772, 0.045875854768068492 },
    { 0.53907981135137511, 0.37301225767907735 }, { 1.636519042435108, 0.11723990766175902 },
    { 2.8024858612875417, 9.6352201207882672e-3 }, { 4.1445471861258943, 1.1261453837536777e-4 },
    { 0.38676060450055735, 0.28656852123801212 }, { 1.1638291005549648, 0.15833837275094962 },
    { 1.9519803457163335, 0.047284752354014029 }, { 2.7602450476307016, 7.2669376011847334e-3 },
    { 3.6008736241715483, 5.2598492657390924e-4 }, { 4.4929553025200112, 1.5300032162487272e-5 },
    { 5.4722257059493431, 1.3094732162868227e-7 }, { 6.6308781983931285, 1.4978147231618397e-10 }
};

/* n = 4, 8 or 16. */
BLNI_PRIV void blni_hermite_rule(size_t n, double *z, double *w)
{
    const double (*row)[2] = blni_hermite_table + (n/2 - 2);
    for (size_t i = 0; i < n/2; i++) {
        z[n/2 + i] = row[i][0];
        z[n/2 - 1 - i] = -row[i][0];
        w[n/2 + i] = w[n/2 - 1 - i] = row[i][1];
    }
}

/* ---- the trapezoid rule */

BLNI_PRIV size_t blni_normal_trapezoid(double h, size_t first, size_t n, double *z, double *w)
{
    if (!(h <= 1.0)) h = 1.0;
    if (h < 1.0/64.0) h = 1.0/64.0;
    const size_t J = (size_t)ceil(8.5/h);
    for (size_t i = 0; i < n; i++) {
        const size_t j = first + i;
        const double x = h*(double)(j > J ? j - J : J - j);
        z[i] = j > J ? x : -x;
        w[i] = h*bln_norm_pdf(x);
    }
    return 2*J + 1;
}

/* ---- panels */

/* Nodes >= 0, weights, and weights of the Gauss rule of 10 nodes among them (tools/golden_quadrature.py). */
static const double blni_kronrod_table[BLNI_KRONROD_HALF][3] = {
    { 0.0, 0.14944555400291691, 0.0 }, { 0.14887433898163121, 0.14773910490133849, 0.29552422471475287 },
    { 0.2943928627014602, 0.14277593857706008, 0.0 }, { 0.43339539412924719, 0.13470921731147333, 0.26926671930999636 },
    { 0.56275713466860468, 0.12349197626206585, 0.0 }, { 0.67940956829902441, 0.10938715880229764, 0.21908636251598204 },
    { 0.7808177265864169, 0.093125454583697606, 0.0 }, { 0.86506336668898451, 0.075039674810919953, 0.14945134915058059 },
    { 0.93015749135570823, 0.054755896574351996, 0.0 }, { 0.97390652851717172, 0.032558162307964727, 0.066671344308688138 },
    { 0.99565716302580808, 0.011694638867371874, 0.0 }
};

/* A panel: its ends, and for each output integral, integral of the absolute value, difference of the two rules (before: that of the
 * panel it is a half of), estimated error. */
typedef struct blni_panel {
    double a, b, value[BLNI_INTEGRATE_OUTPUTS], size[BLNI_INTEGRATE_OUTPUTS], off[BLNI_INTEGRATE_OUTPUTS],
        error[BLNI_INTEGRATE_OUTPUTS];
} blni_panel;

/* Output values at the 21 nodes of a panel, middle first, then the pairs to its right and left. The difference of the two rules is
 * the error of the weaker one; that of the better is about its 3/2th power, relative to the variation of f - unless f has a kink or
 * a jump there, which shows by halving: the difference does not fall by orders of magnitude. */
BLNI_PRIV void blni_panel_sum(blni_panel *p, size_t j, const double *f)
{
    const double half = 0.5*(p->b - p->a);
    double kronrod = f[0]*blni_kronrod_table[0][1], gauss = 0.0, size = fabs(kronrod), variation = 0.0;
    for (size_t i = 1; i < BLNI_KRONROD_HALF; i++) {
        const double *row = blni_kronrod_table[i], both = f[2*i - 1] + f[2*i];
        kronrod += row[1]*both;
        gauss += row[2]*both;
        size += row[1]*(fabs(f[2*i - 1]) + fabs(f[2*i]));
    }
    for (size_t i = 0; i < BLNI_KRONROD; i++) variation += blni_kronrod_table[(i + 1)/2][1]*fabs(f[i] - 0.5*kronrod);
    const double off = fabs(kronrod - gauss), power = variation > 0.0 ? 200.0*off/variation : 0.0;
    p->value[j] = half*kronrod;
    p->size[j] = half*size;
    const int rough = half*off > 0.01*p->off[j];
    p->off[j] = half*off;
    p->error[j] = half*(power < 1.0 && !rough ? variation*power*sqrt(power) : off);
}

/* Evaluates n <= 6 panels at once. */
BLNI_PRIV void blni_panels_fill(blni_integrand f, void *user, size_t outputs, size_t n, blni_panel *const *panels)
{
    double x[BLNI_INTEGRATE_NODES] = { 0.0 }, values[BLNI_INTEGRATE_OUTPUTS*BLNI_INTEGRATE_NODES];
    for (size_t k = 0; k < n; k++) {
        const double middle = 0.5*(panels[k]->a + panels[k]->b), half = 0.5*(panels[k]->b - panels[k]->a);
        double *at = x + k*BLNI_KRONROD;
        at[0] = middle;
        for (size_t i = 1; i < BLNI_KRONROD_HALF; i++) {
            at[2*i - 1] = middle + half*blni_kronrod_table[i][0];
            at[2*i] = middle - half*blni_kronrod_table[i][0];
        }
    }
    f(user, n*BLNI_KRONROD, x, values);
    for (size_t j = 0; j < outputs; j++)
        for (size_t k = 0; k < n; k++) blni_panel_sum(panels[k], j, values + j*n*BLNI_KRONROD + k*BLNI_KRONROD);
}

/* The largest error of a panel relative to the integral of the absolute value over all of them; 0 where rounding is all there
 * is, or where halving makes no new nodes. */
BLNI_PRIV double blni_panel_excess(const blni_panel *p, size_t outputs, const double *size)
{
    const double width = p->b - p->a, place = fabs(p->a) + fabs(p->b);
    double worst = 0.0;
    if (width < 64.0*DBL_EPSILON*place) return 0.0;
    for (size_t j = 0; j < outputs; j++)
        if (p->error[j] > 16.0*DBL_EPSILON*p->size[j] && p->error[j] > worst*size[j]) worst = p->error[j]/size[j];
    return worst;
}

/* Totals over the panels; returns the largest relative error. */
BLNI_PRIV double blni_panels_total(size_t outputs, size_t n, const blni_panel *panels, double *value, double *size)
{
    double worst = 0.0;
    for (size_t j = 0; j < outputs; j++) {
        double error = 0.0;
        value[j] = size[j] = 0.0;
        for (size_t i = 0; i < n; i++) {
            value[j] += panels[i].value[j];
            size[j] += panels[i].size[j];
            error += panels[i].error[j];
        }
        if (error > worst*size[j]) worst = error/size[j];
    }
    return worst;
}

BLNI_PRIV double blni_integrate(blni_integrand f, void *user, size_t outputs, size_t n_breaks, const double *breaks,
                                double tolerance, double *result)
{
    blni_panel panels[BLNI_PANELS], *batch[6];
    double size[BLNI_INTEGRATE_OUTPUTS], error = 0.0;
    size_t n = 0, filled = 0;
    for (size_t j = 0; j < outputs; j++) result[j] = 0.0;
    for (size_t i = 1; i < n_breaks && i < BLNI_INTEGRATE_BREAKS; i++) {
        panels[n].a = breaks[i - 1];
        panels[n].b = breaks[i];
        for (size_t j = 0; j < outputs; j++) panels[n].off[j] = (double)INFINITY;
        n++;
    }
    while (filled < n) {
        const size_t k = blni_min(6, n - filled);
        for (size_t i = 0; i < k; i++) batch[i] = panels + filled + i;
        blni_panels_fill(f, user, outputs, k, batch);
        filled += k;
    }
    while (n > 0 && (error = blni_panels_total(outputs, n, panels, result, size)) > tolerance) {
        /* The (up to) three worst are halved at a time. */
        blni_panel *worst[3] = { NULL, NULL, NULL };
        double excess[3] = { 0.0, 0.0, 0.0 };
        size_t k = 0;
        for (size_t i = 0; i < n; i++) {
            double e = blni_panel_excess(panels + i, outputs, size);
            blni_panel *p = panels + i;
            for (size_t r = 0; r < 3; r++)
                if (e > excess[r]) {
                    const double former = excess[r];
                    blni_panel *out = worst[r];
                    excess[r] = e;
                    worst[r] = p;
                    e = former;
                    p = out;
                }
        }
        for (size_t r = 0; r < 3 && worst[r] && n < BLNI_PANELS; r++) {
            if (k > 0 && excess[r] < 0.25*tolerance/(double)n) break;
            panels[n] = *worst[r];
            panels[n].a = 0.5*(worst[r]->a + worst[r]->b);
            worst[r]->b = panels[n].a;
            batch[k++] = worst[r];
            batch[k++] = panels + n++;
        }
        if (k == 0) break;
        blni_panels_fill(f, user, outputs, k, batch);
    }
    return error;
}

/* ---- where the mass of e^L is */

enum { BLNI_BUMP_FINEST = -20, BLNI_BUMP_COARSEST = 40, BLNI_BUMP_GRID = 2*(BLNI_BUMP_COARSEST - BLNI_BUMP_FINEST + 1) + 1,
       BLNI_BUMP_SIDE = 15, BLNI_BUMP_STARTS = 2 };
typedef char blni_bump_breaks_have_room[(int)BLNI_BUMP_STARTS*(2*(int)BLNI_BUMP_SIDE + 1) <= (int)BLNI_INTEGRATE_BREAKS ? 1 : -1];
typedef char blni_bump_grid_is_one_call[(int)BLNI_BUMP_GRID <= (int)BLNI_INTEGRATE_NODES ? 1 : -1];

/* L at x and at x +- scale 2^k; nodes outside [low, high] move to its ends. First x, then the right side from near to far, then the
 * left one. NaN counts as -inf. */
BLNI_PRIV void blni_bump_grid(blni_integrand L, void *user, double x, double scale, double low, double high, double *at,
                              double *value)
{
    const size_t side = (BLNI_BUMP_GRID - 1)/2;
    at[0] = x;
    for (size_t i = 0; i < side; i++) {
        const double step = ldexp(scale, BLNI_BUMP_FINEST + (int)i), right = x + step, left = x - step;
        at[1 + i] = right < high ? right : high;
        at[1 + side + i] = left > low ? left : low;
    }
    L(user, BLNI_BUMP_GRID, at, value);
    for (size_t i = 0; i < BLNI_BUMP_GRID; i++)
        if (value[i] != value[i]) value[i] = -(double)INFINITY;
}

/* Breaks on one side of the top of a bump, from near to far, until it has fallen by `depth` <= 45: where L has fallen by another
 * half and a third of what it had, so that they suffice for tails like |x|^-2 too, which take 40 doublings. There are 12 at most,
 * for at break k it has fallen by (1.35^k - 1)/0.7 or more. */
BLNI_PRIV size_t blni_bump_side(const double *at, const double *value, double top, double depth, double *breaks)
{
    const size_t side = (BLNI_BUMP_GRID - 1)/2;
    double fallen = 0.0;
    size_t n = 0;
    for (size_t i = 0;; i++) {
        const double fall = top - value[i];
        const int last = fall > depth || i + 1 == side || (i > 0 && at[i] == at[i - 1]);
        if (!last && fall < 1.35*fallen + 0.5) continue;
        breaks[n++] = at[i];
        fallen = fall;
        if (last) break;
    }
    return n;
}

/* Breaks for the integral of e^L over [low, high] (BLNI_INTEGRATE_BREAKS of room), rising, where L is one function that is worked
 * out at many places at once, and has one hill, or one near each start (at most 2). From each start it climbs on a grid of
 * distances scale 2^k, whose nodes then show the width of the hill to either side, however far the scale was from it; beyond the
 * last break L is more than 45 below its highest value *top. The top is found to within 0.02 of its height, or if `sharp`, for
 * hills that may have a kink there, as well as the grid can: a break just beside a kink hides it from the nodes of a panel. Returns
 * the number of breaks; 0 where L is -inf everywhere. */
BLNI_PRIV size_t blni_bump_breaks(blni_integrand L, void *user, size_t n_starts, const double *starts, const double *scales,
                                  double low, double high, int sharp, double *breaks, double *top)
{
    const size_t side = (BLNI_BUMP_GRID - 1)/2;
    double at[BLNI_BUMP_GRID], value[BLNI_BUMP_GRID];
    size_t n = 0;
    *top = -(double)INFINITY;
    for (size_t s = 0; s < n_starts; s++) {
        double x = starts[s] < low ? low : starts[s] > high ? high : starts[s];
        for (int step = 0; step < 60; step++) {
            size_t best = 0;
            blni_bump_grid(L, user, x, scales[s], low, high, at, value);
            for (size_t i = 1; i < BLNI_BUMP_GRID; i++)
                if (value[i] > value[best]) best = i;
            if (!(value[best] > value[0] + (sharp ? 4.0*DBL_EPSILON*fabs(value[0]) : 0.02))) break;
            x = at[best];
        }
        if (!blni_finite(value[0])) continue;
        if (value[0] > *top) *top = value[0];
        breaks[n++] = x;
        n += blni_bump_side(at + 1, value + 1, value[0], 45.0, breaks + n);
        n += blni_bump_side(at + 1 + side, value + 1 + side, value[0], 45.0, breaks + n);
    }
    for (size_t i = 1; i < n; i++) {                                 /* few: sorted by insertion */
        const double b = breaks[i];
        size_t j = i;
        for (; j > 0 && breaks[j - 1] > b; j--) breaks[j] = breaks[j - 1];
        breaks[j] = b;
    }
    return n;
}

/* log of the integral of e^L by these breaks. */
typedef struct blni_bump { blni_integrand L; void *user; double top; } blni_bump;

BLNI_PRIV void blni_bump_exp(void *user, size_t n, const double *x, double *values)
{
    const blni_bump *b = (const blni_bump *)user;
    b->L(b->user, n, x, values);
    for (size_t i = 0; i < n; i++) values[i] = exp(values[i] - b->top);
}

BLNI_PRIV double blni_bump_log_integral(blni_integrand L, void *user, size_t n_starts, const double *starts, const double *scales,
                                        double low, double high, int sharp, double tolerance)
{
    double breaks[BLNI_INTEGRATE_BREAKS], sum;
    blni_bump b;
    b.L = L;
    b.user = user;
    const size_t n = blni_bump_breaks(L, user, n_starts, starts, scales, low, high, sharp, breaks, &b.top);
    if (n == 0) return -(double)INFINITY;
    blni_integrate(blni_bump_exp, &b, 1, n, breaks, tolerance, &sum);
    return b.top + log(sum);
}

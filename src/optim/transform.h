#ifndef BLN_OPTIM_TRANSFORM_H
#define BLN_OPTIM_TRANSFORM_H
#include "../core/status.h"
/* >>transform - bounded parameters as unconstrained ones                                                 [optimisation 17, 18]
 *
 *     kind                 domain       natural x of the free u                                slope dx/du
 *     BLN_PARAM_REAL       any          scale u                                                scale
 *     BLN_PARAM_POSITIVE   x > 0        e^u                                                    x
 *     BLN_PARAM_INTERVAL   lo < x < hi  lo + (hi-lo) sigma(4u/(hi-lo)), centred at u = 0       4 (x-lo)(hi-x)/(hi-lo)^2
 *     BLN_PARAM_LOG        lo < x < hi  the same in log x: log x in (log lo, log hi), lo > 0   x times the slope in log x
 *
 * scale is the size that a step of x should have, so that a search does not depend on the units of x. The factor 4 gives the
 * interval forms slope 1 in the middle, so that a step means the same there as without bounds. */
typedef enum bln_param_kind { BLN_PARAM_REAL, BLN_PARAM_POSITIVE, BLN_PARAM_INTERVAL, BLN_PARAM_LOG } bln_param_kind;

typedef struct bln_param {
    bln_param_kind kind;
    double lo, hi;        /* of the interval kinds                             */
    double start;         /* where an optimisation begins, in the domain       */
    size_t group;         /* parameters of one group > 0 are alike (the length scales of one kernel): a search may first move
                             them together; 0: on its own                      */
    double scale;         /* of BLN_PARAM_REAL, >= 0                           (0: 1)  */
    double centre;        /* median of the prior of a likelihood's positive parameter without units       (0: start)  */
    int    y_power;       /* a likelihood's parameter has the units of y to this power: 1 a standard deviation, 2 a variance
                             (0: it has no such units)                         */
    int    per_trial;     /* a likelihood's parameter has the units of y over the exposure                (0: no)     */
} bln_param;

/* BLN_EINVAL: no param, unknown kind, bounds out of order, lo, hi or hi - lo not finite, lo < DBL_MIN for BLN_PARAM_LOG, a start
 * outside the domain, a scale that is negative or not finite. The report has the reason in words. */
BLN_API bln_status bln_param_check(const bln_param *param, bln_report *report);

/* u of x, x of u, dx/du at u, for a param that passes the check; NaN gives NaN, and so does an unknown kind.
 *   free      x outside the domain, or in the outer 1e-9 part of an interval (of log x for BLN_PARAM_LOG), is first moved to the
 *             edge of that part, and into [DBL_MIN, DBL_MAX] for BLN_PARAM_POSITIVE, so that the result is finite
 *   natural   never leaves [lo, hi], whose ends it reaches by rounding when u is large; u of e^u is clipped so that this stays
 *             within [DBL_MIN, DBL_MAX]
 *   slope     the derivative of that, 0 where u is clipped */
BLN_API double bln_param_free(const bln_param *param, double x);
BLN_API double bln_param_natural(const bln_param *param, double u);
BLN_API double bln_param_slope(const bln_param *param, double u);

#endif /* BLN_OPTIM_TRANSFORM_H */

/* static.c - BAYESLIN_STATIC: nothing is exported, so that two files of one program may each have a copy of their own
 *
 * Compiled twice, the second time with -DSECOND, and linked together. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"

int second(void);

#ifdef SECOND
#include "slope.h"
int second(void) { return fabs(slope() - 2.0) < 0.01; }
#else
int main(void) { return second() && bln_norm_cdf(0.0) == 0.5 ? 0 : 1; }
#endif

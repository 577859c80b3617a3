/* two_units_a.c - the source file that holds the implementation, as C or as C++; two_units_b.c and cxx.cc have only declarations */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "bayeslin.h"

#ifdef __cplusplus
extern "C"
#endif
double slope(void);

/* The points of slope.h lie on y = 1 + 2 x to 0.01. */
int main(void)
{
    return fabs(slope() - 2.0) < 0.01 ? 0 : 1;
}

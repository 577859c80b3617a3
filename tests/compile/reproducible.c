/* reproducible.c - BAYESLIN_REPRODUCIBLE gives back what it took: behind the header <tgmath.h> is what it was */
#include <tgmath.h>
#define BAYESLIN_REPRODUCIBLE
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"

int main(void)
{
    const float one = 1.0f;
    const double e = bln_sigmoid(0.0);
    return !(sizeof exp(one) == sizeof one && sizeof log(one) == sizeof one && sizeof hypot(one, one) == sizeof one && e == 0.5);
}

/* fast_math_refused.c - must not compile under -ffast-math or its parts, but must with BAYESLIN_ALLOW_FAST_MATH */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"

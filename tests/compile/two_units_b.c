/* two_units_b.c - uses the library through its declarations alone, taken in twice for the sake of the guard */
#include "bayeslin.h"
#include "bayeslin.h"
#include "slope.h"

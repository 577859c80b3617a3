/* library: the one file of the tool that holds the library's implementation */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"

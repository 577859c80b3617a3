// cxx.cc - the declarations as C++11; the implementation is two_units_a.c, compiled as C or as C++
#include "bayeslin.h"
#include "bayeslin.h"
extern "C" {
#include "slope.h"
}

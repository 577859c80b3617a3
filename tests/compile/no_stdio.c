/* no_stdio.c - BAYESLIN_NO_STDIO: no <stdio.h> and no function that takes a path, so both names are free */
typedef struct { int mine; } FILE;
#define BAYESLIN_NO_STDIO
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "slope.h"

static int bln_modelfile_save(FILE *f) { return f->mine; }

int main(void)
{
    FILE file = { 0 };
    return fabs(slope() - 2.0) < 0.01 ? bln_modelfile_save(&file) : 1;
}

/* part.c - the implementation of a part, chosen by -DBAYESLIN_WITH_x; with -DCALLS_GLM it calls a function of one that is missing
 *
 *     cc -std=c99 -DBAYESLIN_WITH_LINEAR -Ibuild/include -c tests/compile/part.c */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"

#ifdef CALLS_GLM
int main(void)
{
    bln_glm_free(NULL);
    return 0;
}
#endif

#ifndef BAYESLIN_CLI_LIBRARY_H
#define BAYESLIN_CLI_LIBRARY_H
/* library - bayeslin.h behind a guard of the tool's own: the implementation stands outside that of bayeslin.h, so that a compiler
 * would read all 54,000 lines again at each #include */
#include "bayeslin.h"
#endif /* BAYESLIN_CLI_LIBRARY_H */

#ifndef BAYESLIN_CLI_LIBRARY_H
#define BAYESLIN_CLI_LIBRARY_H
/* library - bayeslin.h, once for each file of the tool: a compiler reads its 54,000 lines again at each #include, for they could be
 * the implementation's */
#include "bayeslin.h"
#endif /* BAYESLIN_CLI_LIBRARY_H */

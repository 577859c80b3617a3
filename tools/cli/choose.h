#ifndef BAYESLIN_CLI_CHOOSE_H
#define BAYESLIN_CLI_CHOOSE_H
#include "model.h"
/* choose - --basis auto, or no --basis: the library tries some bases on the training rows, as the model sees them */

/* Is the basis to be chosen? */
int choose_is_asked(const options *o);

/* CLI_USAGE: a bad budget of auto, or options that need the basis, or the rows, from the beginning. */
int choose_check_options(const options *o, cli_why *why);

/* Sets m->spec to the chosen SPEC. `fit` prints what was tried on standard output, `cv` the choice on standard error. raw: the
 * rows. */
int choose_basis(const options *o, const bln_data *raw, progress *p, model *m, cli_why *why);

#endif /* BAYESLIN_CLI_CHOOSE_H */

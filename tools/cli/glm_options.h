#ifndef BAYESLIN_CLI_GLM_OPTIONS_H
#define BAYESLIN_CLI_GLM_OPTIONS_H
#include "options.h"
/* glm_options - the options that belong to --likelihood, and which of them may be combined */

/* CLI_USAGE if they may not; else sets the method's own desc. */
int glm_check_options(options *o, cli_why *why);

/* Sets the default of --inference, which depends on the likelihood. */
void glm_choose_model(options *o);

/* The library's name of a likelihood; the tool has shorter ones for some, such as bernoulli, binomial, poisson. */
const char *glm_name(const char *given);

/* The likelihood of the options, with this number of ordinal categories or of classes. CLI_USAGE: no such name. */
int glm_find(const options *o, size_t categories, bln_likelihood *out, cli_why *why);

/* The most classes, as words or numbers, that the target may have: two for yes or no, more for categorical; 0: it has no
 * classes. */
size_t glm_has_classes(const options *o);

/* glm_is_real: is y real, rather than a whole number? glm_takes_trials: does the likelihood use trials, or exposures? */
int glm_is_real(const bln_likelihood *l);
int glm_takes_trials(const bln_likelihood *l);

#endif /* BAYESLIN_CLI_GLM_OPTIONS_H */

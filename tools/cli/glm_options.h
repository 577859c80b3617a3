#ifndef BAYESLIN_CLI_GLM_OPTIONS_H
#define BAYESLIN_CLI_GLM_OPTIONS_H
#include "options.h"
/* glm_options - what options beside --likelihood may be, and with which others they go together */

/* Fails (CLI_USAGE) if they do not; else the method's own desc is there. */
int glm_check_options(options *o, cli_why *why);

/* The default of --inference, which is by the likelihood. */
void glm_choose_model(options *o);

/* The library's name of a likelihood, of which some have a shorter one: bernoulli, binomial, poisson. */
const char *glm_name(const char *given);

/* The likelihood of the options for so many categories, which ordinal ones have, or classes. CLI_USAGE: no such name. */
int glm_find(const options *o, size_t categories, bln_likelihood *out, cli_why *why);

/* How many classes the target may hold, as words or numbers: two if it is yes or no, more where they are categorical; 0: none. */
size_t glm_has_classes(const options *o);

/* Is y real, rather than a whole number? Does the likelihood know numbers of trials, or exposures? */
int glm_is_real(const bln_likelihood *l);
int glm_takes_trials(const bln_likelihood *l);

#endif /* BAYESLIN_CLI_GLM_OPTIONS_H */

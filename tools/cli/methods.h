#ifndef BAYESLIN_CLI_METHODS_H
#define BAYESLIN_CLI_METHODS_H
#include "library.h"
#include "why.h"
#include <stdio.h>
/* methods - the methods of --inference, by their cards: names, options, help */

/* Number k of them, or NULL; by its name, or NULL. */
const bln_glm_card *methods_card(size_t k);
const bln_glm_card *methods_find(const char *name);

/* An option of one, by its name without "--": NULL if it has none such; of any that has it. */
const bln_option *methods_option(const bln_glm_card *card, const char *name);
const bln_option *methods_any_option(const char *name);

/* "full, mixture or map": those that have this option (NULL: all), or all of the traits (0: any). */
enum { METHODS_LIST = 160 };
const char *methods_list(const char *option, unsigned traits, char out[METHODS_LIST]);

/* Puts an option's value into a method's own desc; NULL, or what the value should have been (in `wanted`, if it has to be made). */
const char *methods_set(const bln_option *option, const char *value, void *own, char wanted[METHODS_LIST]);

/* Their part of `bayeslin help glm`. */
void methods_help(FILE *file);

#endif /* BAYESLIN_CLI_METHODS_H */

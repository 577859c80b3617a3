#ifndef BAYESLIN_CLI_METHODS_H
#define BAYESLIN_CLI_METHODS_H
#include "library.h"
#include "why.h"
#include <stdio.h>
/* methods - the methods of --inference, from their cards: names, options, help */

/* The card of a method by its name; NULL if there is none. */
const bln_glm_card *methods_find(const char *name);

/* An option by its name without "--", of one method or of any that has it; NULL if there is none. */
const bln_option *methods_option(const bln_glm_card *card, const char *name);
const bln_option *methods_any_option(const char *name);

/* Lists the methods that have this option (NULL: any) and all of the traits: "full, mixture or map". */
enum { METHODS_LIST = 160 };
const char *methods_list(const char *option, unsigned traits, char out[METHODS_LIST]);

/* Sets an option in a method's own desc. Returns NULL, or what the value should have been, perhaps written into `wanted`. */
const char *methods_set(const bln_option *option, const char *value, void *own, char wanted[METHODS_LIST]);

/* Prints the methods' part of `bayeslin help glm`. */
void methods_help(FILE *file);

#endif /* BAYESLIN_CLI_METHODS_H */

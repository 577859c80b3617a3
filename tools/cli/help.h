#ifndef BAYESLIN_CLI_HELP_H
#define BAYESLIN_CLI_HELP_H
#include "options.h"
#include <stdio.h>
/* help - what the program and each verb do */
void help_program(FILE *file);
void help_verb(cli_verb verb, FILE *file);

/* A text that belongs to several verbs: basis, columns, outputs, prior, few, intervals, large, figures. 0: there is none of that
 * name. */
int help_topic(const char *word, FILE *file);

/* The usage line or lines of a verb. */
void help_usage(cli_verb verb, FILE *file);

#endif /* BAYESLIN_CLI_HELP_H */

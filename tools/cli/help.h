#ifndef BAYESLIN_CLI_HELP_H
#define BAYESLIN_CLI_HELP_H
#include "options.h"
#include <stdio.h>
/* help - the help texts of the program and of each verb */
void help_program(FILE *file);
void help_verb(cli_verb verb, FILE *file);

/* Prints a text that belongs to several verbs: basis, columns, .... Returns 0 if there is none of that name. */
int help_topic(const char *word, FILE *file);

/* The names of all verbs, or topics, joined by commas and "and", into `size` characters. */
void help_list_verbs(char *out, size_t size);
void help_list_topics(char *out, size_t size);

/* The usage line or lines of a verb. */
void help_usage(cli_verb verb, FILE *file);

/* Options of all verbs that read a table. */
#define HELP_TABLE \
    "  --missing drop      leave out rows with missing values (empty, NA, NaN) instead of an error\n" \
    "  --sep SEP, --decimal MARK    comma (default), semicolon, tab; comma or point: help tables\n"

/* Options of verbs that learn from a table. */
#define HELP_COLUMNS \
    "  --number, --factor, --date COL; --na TOKEN; --missing mean, indicator    help tables\n"

#endif /* BAYESLIN_CLI_HELP_H */

#ifndef BAYESLIN_CLI_HELP_H
#define BAYESLIN_CLI_HELP_H
#include "options.h"
#include <stdio.h>
/* help - what the program and each verb do */
void help_program(FILE *file);
void help_verb(cli_verb verb, FILE *file);

/* A text that belongs to several verbs: basis, columns, ... 0: there is none of that name. */
int help_topic(const char *word, FILE *file);

/* The names of all verbs, or topics, with commas and "and": into `size` characters. */
void help_list_verbs(char *out, size_t size);
void help_list_topics(char *out, size_t size);

/* The usage line or lines of a verb. */
void help_usage(cli_verb verb, FILE *file);

/* Options that all verbs with a table have. */
#define HELP_TABLE \
    "  --missing drop      leave out rows with missing values (empty, NA, NaN) instead of an error\n" \
    "  --sep SEP, --decimal MARK    comma (default), semicolon, tab; comma or point: help tables\n"

/* And those of verbs that learn from one. */
#define HELP_COLUMNS \
    "  --number, --factor, --date COL; --na TOKEN; --missing mean, indicator    help tables\n"

#endif /* BAYESLIN_CLI_HELP_H */

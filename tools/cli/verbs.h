#ifndef BAYESLIN_CLI_VERBS_H
#define BAYESLIN_CLI_VERBS_H
#include "options.h"
/* verbs - what the tool does, each verb in a file of its own; an exit status, and the reason if it is not 0 */
int verb_fit    (const options *o, cli_why *why);
int verb_predict(const options *o, cli_why *why);
int verb_score  (const options *o, cli_why *why);
int verb_cv     (const options *o, cli_why *why);
int verb_plot   (const options *o, cli_why *why);
int verb_info   (const options *o, cli_why *why);
int verb_stats  (const options *o, cli_why *why);
int verb_merge  (const options *o, cli_why *why);

#endif /* BAYESLIN_CLI_VERBS_H */

#ifndef BAYESLIN_CLI_PROGRESS_H
#define BAYESLIN_CLI_PROGRESS_H
#include "library.h"
/* progress - one line on standard error that is written over and over, if it is a terminal */
typedef struct progress {
    int         on;
    char        label[64];             /* "fold 2/5", or ""                     */
    double      began, shown;          /* seconds                               */
    const bln_scaler *scaler;          /* takes the objective to data units     */
    double      n;                     /* targets                               */
    size_t      passes;                /* over the rows of a stream; 0: it is none                      */
    double      pass_began, objective; /* of this pass; after the last step, NaN before the first       */
} progress;

/* Seconds of a clock that only runs forward. */
double progress_clock(void);

progress progress_start(const char *label);

/* The model's monitor: user is the progress. Never stops a fit. */
bln_status progress_monitor(void *user, const bln_slm_progress *now);

/* Of draws by a sampler: transitions of each chain, and how many diverged. */
void progress_draws(progress *p, const bln_glm_progress *now);

/* Of a stream: a stage begins, of this name; a pass over its rows begins; n rows of it are done, which is this share of the pass.
 * doing: instead of stage and pass, for passes over text. */
void progress_stage(progress *p, const char *name);
void progress_pass(progress *p);
void progress_rows(progress *p, const char *doing, size_t n, double share);

/* Wipes the line, so that other text can be written. */
void progress_wipe(progress *p);

#endif /* BAYESLIN_CLI_PROGRESS_H */

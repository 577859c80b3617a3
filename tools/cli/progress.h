#ifndef BAYESLIN_CLI_PROGRESS_H
#define BAYESLIN_CLI_PROGRESS_H
#include "bayeslin.h"
/* progress - one line on standard error that is written over and over, if it is a terminal */
typedef struct progress {
    int         on;
    char        label[64];             /* "fold 2/5", or ""                     */
    double      began, shown;          /* seconds                               */
    const bln_scaler *scaler;          /* takes the objective to data units     */
    double      n;                     /* targets                               */
} progress;

/* Seconds of a clock that only runs forward. */
double progress_clock(void);

progress progress_start(const char *label);

/* The model's monitor: user is the progress. Never stops a fit. */
bln_status progress_monitor(void *user, const bln_slm_progress *now);

/* Wipes the line, so that other text can be written. */
void progress_wipe(progress *p);

#endif /* BAYESLIN_CLI_PROGRESS_H */

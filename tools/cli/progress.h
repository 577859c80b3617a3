#ifndef BAYESLIN_CLI_PROGRESS_H
#define BAYESLIN_CLI_PROGRESS_H
#include "library.h"
#include "system.h"
/* progress - one line on standard error that is updated in place, if that is a terminal */
typedef struct progress {
    int         on;
    char        label[64];             /* "fold 2/5", or ""                     */
    double      began, shown;          /* seconds                               */
    const bln_scaler *scaler;          /* converts the objective to data units  */
    double      n;                     /* number of targets                     */
    size_t      passes;                /* passes over the rows of a stream; 0: rows are in memory       */
    double      pass_began, objective; /* seconds; after the last step, NaN before the first            */
    size_t      seen;                  /* draws of each chain at the last look, 0 before the first      */
    char        draws[48];             /* R-hat and ESS at the last look, or ""                         */
    int         keeps, watches;        /* may Ctrl-C end the chains and keep their draws; is it waited for now */
} progress;

progress progress_start(const char *label);

/* The model's monitor: user is the progress. Never stops a fit. */
bln_status progress_monitor(void *user, const bln_slm_progress *now);

/* Shows draws of a sampler: transitions of each chain, how many diverged, and the largest R-hat and the least effective sample size
 * at the last look: after 100 draws of each chain, and whenever there are half as many again.
 * If p->keeps, Ctrl-C ends the chains once there is a draw, unless the program was started with the signal ignored: then the answer
 * is BLN_ESTOPPED, else BLN_OK. A second Ctrl-C ends the program, as the first one does before there is a draw. */
bln_status progress_draws(progress *p, const bln_glm_progress *now);

/* After the fit: Ctrl-C ends the program again. Returns 1 if it has ended the chains. */
int progress_ends(progress *p);

/* For a stream: _stage: a stage of this name begins. _pass: a pass over the rows begins. _rows: n rows of the pass are done, this
 * share of it; doing: the text in place of stage and pass, for passes over text. */
void progress_stage(progress *p, const char *name);
void progress_pass(progress *p);
void progress_rows(progress *p, const char *doing, size_t n, double share);

/* Wipes the line, so that other text can be written. */
void progress_wipe(progress *p);

#endif /* BAYESLIN_CLI_PROGRESS_H */

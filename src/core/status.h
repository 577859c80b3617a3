#ifndef BLN_CORE_STATUS_H
#define BLN_CORE_STATUS_H
#include "config.h"
/* >>status - how a call tells what went wrong
 *
 * Every function that can fail returns a bln_status. Failures that depend on data also fill the optional bln_report, with the
 * row, the column and the reason in words. An object keeps its former state when a call on it fails.
 * "Not converged" is a result (bln_report.stop), not an error. */

#define BLN_STATUS_LIST(X) \
    X(BLN_OK,           "success") \
    X(BLN_EINVAL,       "invalid argument") \
    X(BLN_ENOMEM,       "out of memory") \
    X(BLN_EOVERFLOW,    "size too large for this machine") \
    X(BLN_EDATA,        "NaN or infinity in the data") \
    X(BLN_EDOMAIN,      "value outside its domain") \
    X(BLN_ESHAPE,       "shapes do not match") \
    X(BLN_ENOTPD,       "matrix not positive definite") \
    X(BLN_ENUMERIC,     "objective not finite") \
    X(BLN_EUNDEFINED,   "result undefined for these data") \
    X(BLN_ESTATE,       "call out of order") \
    X(BLN_ESTOPPED,     "stopped by the caller") \
    X(BLN_EIO,          "reading or writing failed") \
    X(BLN_EFORMAT,      "not a model file, or damaged") \
    X(BLN_EVERSION,     "written by another version") \
    X(BLN_EUNKNOWN,     "unknown name") \
    X(BLN_EPEER,        "another process failed")

typedef enum bln_status {
#define BLNI_STATUS_ENUM(code, text) code,
    BLN_STATUS_LIST(BLNI_STATUS_ENUM)
#undef BLNI_STATUS_ENUM
    BLN_STATUS_COUNT
} bln_status;

/* Why an iteration ended. */
typedef enum bln_stop {
    BLN_STOP_NONE,        /* still running, or nothing iterative was done       */
    BLN_STOP_GRADIENT,    /* gradient below its tolerance                       */
    BLN_STOP_PROGRESS,    /* objective no longer improves                       */
    BLN_STOP_LIMIT,       /* iteration limit reached: not converged             */
    BLN_STOP_MONITOR,     /* the monitor asked to stop: not converged           */
    BLN_STOP_BOUND,       /* a parameter ended at a bound of its range; the report's text names it. The noise variance at its
                             lower bound (1e-10 of the variance of y): the fit is perfect, or overfits, or the targets vary
                             too little around too large a mean                                                         */
    BLN_STOP_LINESEARCH   /* rounding hides any further descent: converged to the accuracy of the objective */
} bln_stop;

/* What happened in a call. Pass NULL when it is of no interest. */
typedef struct bln_report {
    char     text[256];        /* one sentence in words; "" after success (but see BLN_STOP_BOUND, and >>glm_nuts) */
    size_t   row, column;      /* 0-based place of the offence; BLN_NONE when there is none      */
    size_t   iterations;       /* steps of the optimiser, over all starts                        */
    size_t   evaluations;      /* objective evaluations, over all starts                         */
    double   objective;        /* last value: log evidence, ELBO, ... in nats                    */
    double   gradient_norm;    /* largest absolute component, in the optimiser's coordinates; NaN: not known */
    double   jitter;           /* added to a diagonal to make it positive definite; 0 normally [linear 20] */
    double   condition;        /* estimate of the condition number of the last factorised matrix; 0 unknown */
    bln_stop stop;             /* why the iteration ended                                        */
    double   mean_shift;       /* Laplace's method: standard deviations of f between mode and mean, to first order, root mean
                                  square over the rows; 0: not known (>>glm_laplace)             */
} bln_report;

/* The fixed text of a status; "unknown status" for a number that is none. Never NULL. */
BLN_API const char *bln_status_text(bln_status status);

/* The name of a status ("BLN_EDATA") and of a stop reason ("gradient"). Never NULL. */
BLN_API const char *bln_status_name(bln_status status);
BLN_API const char *bln_stop_name(bln_stop stop);

/* A report with nothing in it: text "", no row, no column, zeros. NULL is ignored. */
BLN_API void bln_report_clear(bln_report *report);

#endif /* BLN_CORE_STATUS_H */

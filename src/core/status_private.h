#ifndef BLN_CORE_STATUS_PRIVATE_H
#define BLN_CORE_STATUS_PRIVATE_H
/* status_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "status.h"
#include "config_private.h"

/* Has a report words? Where not, compilers drop the sentences with which static functions are called. */
#ifdef BAYESLIN_NO_TEXT
#define BLNI_SAYS(report) ((void)(report), 0)
#else
#define BLNI_SAYS(report) ((report) != NULL)
#endif

/* status */
BLNI_PRIV void blni_cat(char *out, size_t size, const char *text);
BLNI_PRIV void blni_cat_size(char *out, size_t size, size_t value);
BLNI_PRIV void blni_say(bln_report *report, const char *text);
BLNI_PRIV void blni_say_size(bln_report *report, size_t value);
BLNI_PRIV bln_status blni_fail(bln_report *report, bln_status status, size_t row, size_t column, const char *reason);
BLNI_PRIV bln_status blni_refuse(bln_report *report, bln_status status, const char *reason);
BLNI_PRIV bln_status blni_refuse_columns(bln_report *report, const char *who, size_t there, size_t wanted);
BLNI_PRIV bln_status blni_begin(bln_report *report, int given, const char *why);

/* Leaves the function with the status of a call that failed; its report says why. */
#define BLNI_TRY(call) do { const bln_status blni_tried = (call); if (blni_tried != BLN_OK) return blni_tried; } while (0)

#endif /* BLN_CORE_STATUS_PRIVATE_H */

#ifndef BAYESLIN_CLI_CV_SPLITS_H
#define BAYESLIN_CLI_CV_SPLITS_H
#include "frame.h"
#include <stdio.h>
/* cv_splits - which rows train and which test in each fold of `cv`
 *
 * --folds K: rows in random order, dealt out one by one. --masks: given by a file. --group COL: rows with the same text or number
 * in COL stay together, in K folds or one fold for each group. --time COL: K + 1 blocks in the order of COL; fold k trains on the
 * first k blocks and tests on the next. */
enum { CV_TRAIN, CV_TEST, CV_NEITHER };

typedef struct cv_splits {
    size_t         count, n;           /* folds; rows of the table, dropped ones included    */
    unsigned char *part;               /* count x n: one of the above                        */
    char         **group;              /* what each fold leaves out, if that is one group; else NULL */
} cv_splits;

int  cv_splits_make(const options *o, const frame *f, cv_splits *out, cli_why *why);
void cv_splits_free(cv_splits *s);

/* The usable rows of fold k, first those to train on; the numbers of both. */
void cv_splits_rows(const cv_splits *s, const frame *f, size_t k, size_t *rows, size_t *n_train, size_t *n_test);

/* Keeps m of the first n rows, chosen by the seed, so that a smaller m keeps a subset; the `others` after them move up. */
void cv_splits_thin(uint64_t seed, size_t n, size_t m, size_t others, size_t *rows);

#endif /* BAYESLIN_CLI_CV_SPLITS_H */

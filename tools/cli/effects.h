#ifndef BAYESLIN_CLI_EFFECTS_H
#define BAYESLIN_CLI_EFFECTS_H
#include "model.h"
/* effects - what the weights say in the units of the data: coefficients of the inputs' own powers and products
 *
 * Features that are constants, inputs, powers and products of inputs make f a polynomial. Inputs are standardised, and a column of
 * words has an indicator for each of its words, of which the data determine the differences alone. Both are undone exactly:
 * (x - m)/s is expanded, and the indicator of the reference is 1 less the others. What is left are the coefficients of x, x^2,
 * x z, and of each word the difference from the reference, each a sum of weights; mean, standard deviation and interval are
 * those of the sum under the joint posterior. (Scheffe 1959, The Analysis of Variance, 1.4: estimable functions.)
 *
 * Effects of groups are in the units of what they are effects on: the intercept, where standardised inputs are 0, or a slope.
 * Other features belong to standardised inputs. */
typedef enum effect_kind { EFFECT_INTERCEPT, EFFECT_DATA, EFFECT_GROUP, EFFECT_OTHER } effect_kind;

typedef struct effect {
    effect_kind kind;
    char  *name;
    size_t parts, lead, order;    /* for the order: factors of its product; the first feature that is it, or is in it */
    size_t n, *feature;           /* sum of coef[i] times weight feature[i]; in units of the scaled target   */
    double *coef;
    size_t input;                 /* of an effect of groups: the slope it is on; else BLN_NONE               */
} effect;

typedef struct effects {
    size_t  n, D, learnt;         /* rows; features; rows before those of contrasts                           */
    effect *row;                  /* the intercept first, if there is one                                    */
    int     whole;                /* is f a polynomial and effects of groups, nothing else?                  */
    size_t *reference;            /* of each column of words whose indicator of it is undone: the word; else n_words */
    size_t *shown;                /* the same, also where the fit has left the indicator out                  */
} effects;

/* reference: COL=WORD,... of --reference, or NULL: words are compared with the first, of numbers the smallest; where a flat prior
 * has left indicators out, with those. Fails if it names no word. */
int  effects_learn(const model *m, const char *reference, effects *out, cli_why *why);
void effects_free(effects *e);

/* Adds a row: --contrast. text: COL=A-B, the difference of words A and B; COL=A-mean: of A and the mean over the words; COL=mean:
 * this for each word; several with commas between them. The added rows are the last ones. */
int  effects_contrast(const model *m, const char *text, effects *e, cli_why *why);

/* Of rows first .. first + n - 1: mean, sd, lower and upper, n x J for J targets or latents each, in the units of the data (the
 * intercept with the target's mean); other features as they are. */
bln_status effects_values(const model *m, const effects *e, size_t first, size_t n, double interval, double *mean, double *sd,
                          double *lower, double *upper);

/* Their covariance, (n J) x (n J): target k's rows together. */
bln_status effects_covariance(const model *m, const effects *e, double *C);

/* Targets, or latents of one. */
size_t effects_tables(const model *m);

#endif /* BAYESLIN_CLI_EFFECTS_H */

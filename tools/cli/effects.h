#ifndef BAYESLIN_CLI_EFFECTS_H
#define BAYESLIN_CLI_EFFECTS_H
#include "model.h"
/* effects - the weights in the units of the data: coefficients of the inputs' own powers and products
 *
 * Where features are constants, inputs, powers and products of inputs, f is a polynomial. Inputs are standardised, and a column of
 * words has an indicator for each word, of which the data determine only the differences. Both are undone exactly: (x - m)/s is
 * expanded, and the indicator of the reference is replaced by 1 less the others. This leaves coefficients of x, x^2, x z, and of
 * each word its difference from the reference. Each is a sum of weights, with the mean, standard deviation and interval of that sum
 * under the joint posterior. (Scheffe 1959, The Analysis of Variance, 1.4: estimable functions.)
 *
 * Effects of groups have the units of what they modify: the intercept, at standardised inputs of 0, or a slope. Other features are
 * functions of standardised inputs. */
typedef enum effect_kind { EFFECT_INTERCEPT, EFFECT_DATA, EFFECT_GROUP, EFFECT_OTHER } effect_kind;

typedef struct effect {
    effect_kind kind;
    char  *name;
    size_t parts, lead, order;    /* for sorting: factors of its product; its first feature                  */
    size_t n, *feature;           /* it is the sum of coef[i] times weight feature[i], i < n, in units of the scaled target */
    double *coef;
    size_t input;                 /* of an effect of groups on a slope: the input of that slope; else BLN_NONE */
} effect;

typedef struct effects {
    size_t  n, D, learnt;         /* rows; features; rows before those of contrasts                          */
    effect *row;                  /* n; the intercept is first, if there is one                              */
    int     whole;                /* is f nothing but a polynomial and effects of groups?                    */
    size_t *reference;            /* of each column of words: the word whose indicator is replaced; n_words: none */
    size_t *shown;                /* the same, also where the fit has left that indicator out                */
} effects;

/* reference: COL=WORD,... of --reference. NULL: words are compared with the first, numbers with the smallest; where a flat prior
 * has left an indicator out, with that word. Fails if it names a word that does not exist. */
int  effects_learn(const model *m, const char *reference, effects *out, cli_why *why);
void effects_free(effects *e);

/* Adds the rows of --contrast after the others. text: COL=A-B, the difference of words A and B; COL=A-mean, of A and the mean over
 * the words; COL=mean, the same for each word; or several of these, separated by commas. */
int  effects_contrast(const model *m, const char *text, effects *e, cli_why *why);

/* Mean, sd, lower and upper, n x J each for J targets or latents, of rows first .. first + n - 1, in the units of the data (the
 * intercept includes the target's mean); other features in their own units. */
bln_status effects_values(const model *m, const effects *e, size_t first, size_t n, double interval, double *mean, double *sd,
                          double *lower, double *upper);

/* The covariance of all rows, (n J) x (n J): the rows of a target together. */
bln_status effects_covariance(const model *m, const effects *e, double *C);

/* The number of targets, or of latents of one target. */
size_t effects_tables(const model *m);

#endif /* BAYESLIN_CLI_EFFECTS_H */

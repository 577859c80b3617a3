#ifndef BLN_BASIS_GROUP_H
#define BLN_BASIS_GROUP_H
#include "../core/data.h"
#include "basis.h"
/* >>group - an effect for each group: (1 | g) and (x | g) of mixed models                           [bases 38; Gelman & Hill 2007]
 *
 *     f(x) = ... + a_g + b_g x + ...,    a_g ~ N(0, lambda_1), b_g ~ N(0, lambda_2) for each group g,
 *
 * lambda is learnt: groups with few rows are shrunk towards the others as far as the data say that groups are alike (partial
 * pooling). Input 0 is the group: a number that is one of n levels. Features are the indicators of the levels (intercepts), then
 * for each further input x the indicators times x (slopes), each with a slice, and so a prior variance, of its own. Intercepts and
 * slopes are independent: (1 | g) + (0 + x | g), (x || g) of lme4; correlations between them, its (x | g), are not in this model.
 * Where x is 0 therefore matters: there the groups' functions and their spread are independent. Put a line (>>polynomial, with
 * selected columns) and other bases beside it (bln_basis_sum); groups may be crossed, each in a basis of its own.
 *
 * Each slice ends with one more weight, for the effect of a group that was not seen. No row of a level touches it, so that its
 * posterior is its prior with the learnt lambda. A row whose group is none of the levels has this effect, and its variance between
 * groups. All such rows of one call to draws share that one new group: with two new groups the distribution of each is right, but
 * not the joint one. A row of the group BLN_GROUP_NONE has no effect at all: the population's curve.
 *
 * No parameters. (n + 1) features for each slice, dense: a fit costs what it does with so many of any basis. Do not scale input 0.
 * With a prior variance for each weight (per_weight) nothing is learnt between groups, and the variance of a new one stays where it
 * started or goes to 0: that is no spread of groups. Flat priors leave the new group's weight undetermined (BLN_ENOTPD). */
#define BLN_GROUP_NONE (-1.0)

typedef struct bln_group_desc {
    size_t             d;             /* inputs: the group, then those with slopes                   (required, >= 1)     */
    size_t             n;             /* levels                                                      (required, >= 2)     */
    const double      *levels;        /* n numbers, ascending, none of them BLN_GROUP_NONE; copied   (NULL: 0, 1, ..., n - 1) */
    const char *const *names;         /* n, for tables, cut to 63 characters; copied                 (NULL: the numbers)  */
    int                slopes_only;   /* without intercepts                                          (0: with)            */
    bln_allocator      alloc;         /*                                                             (zero: malloc)       */
} bln_group_desc;

/* Memory: 8 bytes a level, with names 72.   BLN_EINVAL: a desc that cannot be used, one level only, more than 4096 inputs; the
 * report has the reason.  BLN_EDATA: levels not finite, or not ascending; the report's row says where.  BLN_ENOMEM,
 * BLN_EOVERFLOW. */
BLN_API bln_status bln_group_create(const bln_group_desc *desc, bln_basis **out, bln_report *report);
BLN_API const bln_basis_ops *bln_group_ops(void);                                       /* for a list of bases (>>load) */

/* The different numbers in a column of a data set, ascending: *n of them into levels (room for data->n), without BLN_GROUP_NONE.
 * Rows that a model is fitted to must have levels of its basis: others would share the weight of a group that was not seen.
 * BLN_EINVAL: NULL, no rows, no such column, fewer than two levels.  BLN_EDATA: a number that is not whole, or beyond 2^53; the
 * report has row and column.   n log n operations */
BLN_API bln_status bln_group_levels(const bln_data *data, size_t column, double *levels, size_t *n, bln_report *report);

#endif /* BLN_BASIS_GROUP_H */

#ifndef BLN_USE_CONFORMAL_H
#define BLN_USE_CONFORMAL_H
#include "../core/load.h"
/* >>conformal - intervals as wide as left-out rows say they must be
 *
 * A 95 % interval mean -+ 1.96 sd holds 95 % of new targets if the noise is what the model takes it for. Where it is not (heavier
 * tails, a scatter that differs from row to row), the rows themselves tell by which multiple of sd to go out: each one is predicted
 * by a model of the others, z_i = (y_i - mean_-i)/sd_-i (>>loo gives both at the cost of a prediction). With weights w_i and
 * N = sum w_i, the interval of probability p is mean -+ q(p) sd with
 *
 *     q(p) = the smallest |z_i| such that the weights of all |z_j| <= |z_i| sum to at least p (N + 1).
 *            [scores 24, 25; Barber, Candes, Ramdas & Tibshirani 2021, section 1: the jackknife; Rasmussen & Williams 2006, 5.4.2]
 *
 * The 1 stands for the new row, which is as likely as any other to be the worst. If its z and the z_i are exchangeable, the
 * interval holds it with a probability of p to p + 1/(N + 1) [Lei et al. 2018]. Of left-out rows this is nearly so, as long as no
 * single row moves the fit much: then the coverage tends to p [Steinberger & Leeb 2023], whatever the noise. Two limits. Variances
 * and length scales that were learnt from all rows have seen the left-out one too, so that the z_i are a little too small. And p
 * holds over all rows together: sd still says which of them are uncertain, but where the noise is larger than sd knows, intervals
 * stay too narrow, and elsewhere too wide. (The jackknife+ of the same paper moves the mean as well, and has a bound without any
 * such condition, 2p - 1; it must keep the rows, and costs N predictions for each new one.)
 *
 * Absolute values and not one quantile on each side: these would need twice as many rows to exist at all (39 for 95 %, not 19),
 * and vary more; the price is that of a skewed scatter the two sides miss unequal shares. For ends of their own give the z of one
 * sign: q of max(z, 0) at 1 - (1 - p)/2 is the upper end, that of max(-z, 0) the lower.
 *
 * A row of weight k counts as k copies. Rows that come in groups (patients, batches), with predictions wanted for new groups: leave
 * out whole groups, and give each row its weight over that of its group, so that N is the number of groups, which are what is
 * exchangeable [Lee, Barber & Willett 2023]. Models other than the linear one: any z whose size grows with the surprise, if the
 * interval is a set { y : |z(y)| <= q }. */
typedef struct bln_conformal bln_conformal;

/* From the standardised residuals of n left-out rows (n x P, stride ldz >= P) of P outputs, in any order; weight: n, or NULL for
 * all 1. A row of weight 0 is not looked at (what cannot be predicted from the others).
 * Keeps P x n doubles, twice that with weights.   O(P n log n)
 * BLN_EINVAL: NULL, n or P 0, all weights 0, ldz < P.  BLN_EDATA: z or a weight NaN or infinite.  BLN_EDOMAIN: a weight < 0.  (The
 * report names row and output.)  BLN_ENUMERIC: the sum of the weights overflows.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_conformal_create(const bln_allocator *alloc, size_t n, size_t P, const double *z, size_t ldz,
                                        const double *weight, bln_conformal **out, bln_report *report);
BLN_API void       bln_conformal_free(bln_conformal *c);                                  /* NULL is fine */

/* N, the sum of the weights (NULL: NaN); and P (NULL: 0). */
BLN_API double bln_conformal_rows(const bln_conformal *c);
BLN_API size_t bln_conformal_outputs(const bln_conformal *c);

/* q(level) for output k, by which sd is to be multiplied. It exists if N >= level/(1 - level), and *enough is 1; with fewer rows
 * *enough is 0, and what comes back is the normal's multiple (1.96 for 0.95), or the largest |z| if that is more, so that intervals
 * never shrink when the level grows. enough may be NULL. O(log n).
 * NaN: c is NULL, no such output, level outside (0, 1). */
BLN_API double bln_conformal_multiple(const bln_conformal *c, size_t output, double level, int *enough);

/* lower, upper = mean -+ q(level) sqrt(var) for n rows: all n x P as bln_slm_predict gives them, var of y. A var that is not >= 0
 * gives NaN. Outputs may be the inputs. */
BLN_API void bln_conformal_intervals(const bln_conformal *c, size_t n, const double *mean, const double *var, double level,
                                     double *lower, double *upper);

/* The content of a "CNFM" section of a model file (>>modelfile); the layout is in src/use/conformal.c.
 * load: what the reader says; BLN_EFORMAT; BLN_ENOMEM. */
BLN_API bln_status bln_conformal_save(const bln_conformal *c, bln_writer *w);
BLN_API bln_status bln_conformal_load(const bln_allocator *alloc, bln_reader *r, bln_conformal **out);
BLN_API const bln_model_kind *bln_conformal_file_kind(void);                            /* for a list of kinds (>>load) */

#endif /* BLN_USE_CONFORMAL_H */

#ifndef BLN_PROGRAM_CONSTRAIN_H
#define BLN_PROGRAM_CONSTRAIN_H
#include "tape.h"
/* >>constrain - the domains of parameters, and how free coordinates become them
 *
 * Samplers move in free coordinates z without bounds. Each parameter is a function of its own z, and log |d parameter/d z| is added
 * to the log density, which so becomes the density of z. `numbers` is the length of z.                       [programs 6-14, 16]
 *
 *     BLN_CONSTRAINT             parameter                                  numbers  parameter as a function of z
 *     _FREE                      any shape                                  as many  z
 *     _POSITIVE                  any shape, > 0                             as many  e^z
 *     _LOWER, _UPPER             any shape, > lo; < hi                      as many  lo + e^z; hi - e^z
 *     _INTERVAL                  any shape, in (lo, hi)                     as many  lo + (hi - lo)/(1 + e^-z)
 *     _ORDERED                   K increasing numbers                       K        x_1 = z_1, x_k = x_(k-1) + e^z_k
 *     _POSITIVE_ORDERED          the same, all > 0                          K        x_1 = e^z_1
 *     _SIMPLEX                   K numbers > 0 with sum 1                   K - 1    x_k is a share of 1 - sum_(j<k) x_j
 *     _UNIT_VECTOR               K numbers with sum of squares 1            K        z/|z|
 *     _CORRELATION_FACTOR        K x K upper U, U'U a correlation matrix    K(K-1)/2 tanh z are partial correlations
 *     _CORRELATION               K x K, U'U                                 K(K-1)/2
 *     _COVARIANCE_FACTOR         K x K upper U, U_ii > 0                    K(K+1)/2 U_ii = e^z
 *     _COVARIANCE                K x K, U'U                                 K(K+1)/2
 *
 * Simplex: x_k = (1 - sum_(j<k) x_j)/(1 + e^-(z_k - log(K - k))), k = 1..K-1; z = 0 gives x_k = 1/K. Unit vector: -|z|^2/2 is added
 * to the log density too. It does not depend on x, and makes the density of |z| proper. Factors: z holds the columns of U one after
 * the other, each from the top. Of correlations, U_ji = tanh z_ji prod_(k<j) sqrt(1 - tanh^2 z_ki) for j < i, and U_ii > 0 makes
 * the length of the column 1; of covariances, U_ji = z_ji and U_ii = e^z_ii. */
typedef enum bln_constraint {
    BLN_CONSTRAINT_FREE, BLN_CONSTRAINT_POSITIVE, BLN_CONSTRAINT_LOWER, BLN_CONSTRAINT_UPPER, BLN_CONSTRAINT_INTERVAL,
    BLN_CONSTRAINT_ORDERED, BLN_CONSTRAINT_POSITIVE_ORDERED, BLN_CONSTRAINT_SIMPLEX, BLN_CONSTRAINT_UNIT_VECTOR,
    BLN_CONSTRAINT_CORRELATION_FACTOR, BLN_CONSTRAINT_CORRELATION, BLN_CONSTRAINT_COVARIANCE_FACTOR, BLN_CONSTRAINT_COVARIANCE
} bln_constraint;

#endif /* BLN_PROGRAM_CONSTRAIN_H */

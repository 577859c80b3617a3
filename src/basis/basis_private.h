#ifndef BLN_BASIS_BASIS_PRIVATE_H
#define BLN_BASIS_BASIS_PRIVATE_H
/* basis_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "basis.h"
#include "../core/config_private.h"

/* The first parameters of functions of a table: n rows of inputs, at the basis's own parameters theta. */
#define BLNI_INPUTS const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx

/* The last parameters of a pullback: slopes in theta and in the inputs, to which it adds (NULL: not wanted), and its workspace. */
#define BLNI_SLOPES double *dtheta, double *dX, size_t lddx, double *work

/* basis_inputs */
BLNI_PRIV bln_inputs blni_inputs_of(const char *const *names, const bln_moments *moments);

enum { BLNI_BASIS_DEPTH = 16, BLNI_BASIS_PARTS = 4096, BLNI_BASIS_NAME = 64 };

/* The first member of every built-in basis. */
typedef struct blni_owned {
    bln_basis base;
    void  *tail;          /* what lies behind the struct                                             */
    size_t bytes;         /* size of the block, for the allocator                                    */
    size_t depth;         /* levels of sums and selections, 0 for none                               */
    size_t lengths;       /* number of length scales, which are the first parameters: 1 or d         */
    double length_scale;  /* the user's start of these; 0: from the data                             */
} blni_owned;

/* basis */
BLNI_PRIV bln_status blni_basis_new(const bln_allocator *alloc, const bln_basis_ops *ops, size_t d, size_t D, size_t n_theta,
                                    size_t head, size_t extra, blni_owned **out, bln_report *report);
BLNI_PRIV void blni_basis_release(bln_basis *b);
BLNI_PRIV bln_status blni_basis_fail(bln_report *report, bln_status status);
BLNI_PRIV int blni_no_low(BLNI_INPUTS, const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work);
BLNI_PRIV int blni_basis_features_low(BLNI_INPUTS, const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work);
BLNI_PRIV int blni_basis_kernel(const bln_basis *b, size_t s, const double *theta, const double *x, size_t n, const double *X,
                                size_t ldx, double *k, double *work);
BLNI_PRIV size_t blni_basis_preferred_rows(const bln_basis *b);
BLNI_PRIV double blni_basis_bound(BLNI_INPUTS, double *work);
BLNI_PRIV double blni_largest_input(size_t n, size_t d, const double *X, size_t ldx);
BLNI_PRIV int blni_basis_gram(BLNI_INPUTS, double *K, size_t ldk, double *work);
BLNI_PRIV bln_status blni_moments_check(const bln_moments *moments, bln_report *report);
BLNI_PRIV void blni_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size);
BLNI_PRIV void blni_param_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size);
BLNI_PRIV void blni_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size);

/* A sum of n bases. */
typedef struct blni_sum { blni_owned own; size_t n; const bln_basis **parts; } blni_sum;

/* The position of a walk over the parts of a sum: part i, and the sum's index of its first feature, parameter and slice. */
typedef struct blni_sum_at { size_t i, D, theta, slice; } blni_sum_at;
BLNI_PRIV int blni_theta_usable(const bln_basis *b, const double *theta);
BLNI_PRIV int blni_basis_fits(const bln_basis *b, size_t d);

/* basis_compose */
BLNI_PRIV uint64_t blni_basis_fingerprint(const bln_basis *b);
BLNI_PRIV const bln_basis *blni_part_first(const bln_basis *b, blni_sum_at *at);
BLNI_PRIV const bln_basis *blni_part_next(const bln_basis *b, blni_sum_at *at);
BLNI_PRIV int blni_basis_has_slope(const bln_basis *b);
BLNI_PRIV bln_status blni_load_fail(bln_reader *r, bln_status status);
BLNI_PRIV int blni_load_flag(bln_reader *r);
BLNI_PRIV uint64_t *blni_load_words(const bln_allocator *alloc, bln_reader *r, size_t n);

/* basis_lengths */
BLNI_PRIV void blni_lengths_set(blni_owned *own, int ard, double length_scale);
BLNI_PRIV double blni_length(const bln_basis *b, const double *theta, size_t i);
BLNI_PRIV double blni_length_size(size_t first, size_t end, size_t d, const bln_inputs *inputs);
BLNI_PRIV void blni_length_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out);
BLNI_PRIV const char *blni_length_check(double own);
BLNI_PRIV double blni_lengths_away(BLNI_INPUTS);
BLNI_PRIV void blni_length_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size);
BLNI_PRIV bln_status blni_load_doubles(const bln_allocator *alloc, bln_reader *r, size_t n, const char *why, double **out);
BLNI_PRIV bln_status blni_load_checked(const bln_allocator *alloc, bln_reader *r, const char *wrong, size_t n, const char *why,
                                       double **out);

#ifdef BLNI_SEPARATE
extern const bln_basis_ops blni_sum_ops;
extern const bln_basis_ops blni_columns_ops;
#endif

#endif /* BLN_BASIS_BASIS_PRIVATE_H */

#ifndef BLN_USE_AUTO_BASIS_PRIVATE_H
#define BLN_USE_AUTO_BASIS_PRIVATE_H
/* auto_basis_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "../basis/basis.h"
#include "../core/data.h"
#include "../posterior/posterior.h"
#include "../core/config_private.h"
#include "auto_basis.h"

/* What the choice of a basis uses of a kind of models. */
typedef struct blni_auto_model blni_auto_model;
struct blni_auto_model {
    const void *desc;
    size_t      latents;
    int         errors;                    /* are they known? */
    /* Fits the basis to rows. *score: the evidence; or, with left_out, the log density of those rows, and of others left out.
     * errors: NULL, or squared errors of the rows, each left out by itself, over noise_var of the row; NaN: not known. */
    bln_status (*fit)(const blni_auto_model *m, const bln_basis *basis, const bln_data *rows, const bln_data *left_out,
                      double *score, double *errors, bln_report *report);
    /* Flops of an evaluation with n rows: with D features; of the exact Gaussian process, with a feature on each row. */
    double (*features)(const blni_auto_model *m, double n, double D);
    double (*exact)(const blni_auto_model *m, double n);
};

/* auto_basis */
BLNI_PRIV bln_status blni_auto_choose(const blni_auto_model *m, const bln_auto_basis_desc *desc, const bln_data *data,
                                      bln_auto_basis *out, bln_report *report);
BLNI_PRIV bln_status blni_auto_score(const bln_posterior *q, double evidence, const bln_data *left_out, const bln_allocator *alloc,
                                     double *score, bln_report *report);

#endif /* BLN_USE_AUTO_BASIS_PRIVATE_H */

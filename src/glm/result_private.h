#ifndef BLN_GLM_RESULT_PRIVATE_H
#define BLN_GLM_RESULT_PRIVATE_H
/* result_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "fit_private.h"
#include "../posterior/kind_diagonal.h"
#include "../posterior/kind_gaussian.h"
#include "../posterior/kind_point.h"
#include "../posterior/kind_product.h"

/* A posterior from which blni_store_create takes the sizes; its pointers only say which arrays there are. */
typedef struct blni_glm_sized {
    bln_posterior q;
    bln_group     group[BLNI_GLM_GROUPS];
    bln_gaussians gaussians;
    bln_diagonals diagonals;
    bln_points    points;
    bln_products  products;
    double        there, own[BLNI_GLM_GROUPS];        /* what these pointers point to: shared arrays; theta of each group */
    const bln_basis *bases[BLN_LATENTS];
} blni_glm_sized;

/* result */
BLNI_PRIV bln_observe blni_glm_observe(const bln_likelihood *l);
BLNI_PRIV void blni_glm_size_of(const bln_glm_desc *d, const blni_glm_shape *shape, blni_glm_sized *out);
BLNI_PRIV bln_status blni_glm_result_create(const bln_allocator *alloc, const bln_glm_desc *d, const blni_glm_shape *shape,
                                            blni_glm_result *r, bln_report *report);
BLNI_PRIV void blni_glm_result_at(blni_glm_result *r, size_t k);
BLNI_PRIV int blni_glm_misses(const bln_glm_desc *d, const double *s, double *lambda);

#endif /* BLN_GLM_RESULT_PRIVATE_H */

#ifndef BLN_LINEAR_SLM_INTEGRATED_PRIVATE_H
#define BLN_LINEAR_SLM_INTEGRATED_PRIVATE_H
/* slm_integrated_private: what its files, and rooms above it, share and no user sees; comments stand at the definitions */
#include "slm_integrated.h"
#include "../core/config_private.h"

/* A posterior, in one block of its own. Arrays over nodes have room for n_nodes. */
typedef struct blni_int_result {
    void   *block;
    size_t  bytes;
    size_t  D, n_flat, p, rank, dims;          /* features, flat ones, others, rows of V, ratios integrated            */
    size_t *flat, *free_, *slice;              /* indices of the flat features, of the others, and the others' slices  */
    size_t *dim;                               /* dims: the slices that are integrated                                 */
    double *theta, *h, *unit;                  /* n_theta; p: h of the feature's slice; n_slices: h_s                  */
    double *tau0;                              /* n_slices: tau where it is fixed                                      */
    double *Uf, *zf, *W;                       /* n_flat^2, n_flat, n_flat x p                                         */
    double *V, *z;                             /* rank x p (each column over h), rank; room for p rows                 */
    double  N, ld, omega, rho2, half_logdet, nu, evidence;
    size_t  n_nodes;
    double *weight, *q, *tau, *R, *rhs;        /* n_nodes times 1, 1, dims, p x p, p                                   */
    double *scale, *eta, *lambda;              /* n_nodes times p: tau/h; 1: sigma^2; n_slices: what features miss     */
} blni_int_result;

struct bln_slm_integrated {
    bln_slm_integrated_desc desc;              /* resolved; theta and ratio point into this block */
    bln_allocator alloc;
    void  *block;
    size_t bytes;
    bln_basis *owned;                          /* the basis, if the model came from a file        */
    blni_int_result result;
    int    fitted;
    bln_posterior posterior;                   /* what others see of the result, with its parts   */
    bln_group     group;
    bln_students  students;
};

/* slm_integrated */
BLNI_PRIV double blni_int_tau(const blni_int_result *r, const double *tau, size_t j);
BLNI_PRIV double blni_int_ratio(const blni_int_result *r, const double *tau, size_t s);
BLNI_PRIV bln_status blni_int_result_new(const bln_slm_integrated *m, size_t nodes, blni_int_result *r, const blni_int_result *from,
                                         bln_report *report);
BLNI_PRIV void blni_int_sort(const bln_slm_integrated_desc *d, blni_int_result *r, int write);

#ifdef BLNI_SEPARATE
extern const bln_model_kind blni_slm_integrated_kind;
#endif

/* slm_integrated_predict */
BLNI_PRIV void blni_int_settle(bln_slm_integrated *m);

#endif /* BLN_LINEAR_SLM_INTEGRATED_PRIVATE_H */

#ifndef BLN_POSTERIOR_RECORD_H
#define BLN_POSTERIOR_RECORD_H
#include "posterior.h"
#include "../core/load.h"
/* >>record - a posterior as bytes: the part of every model file that predictions need
 *
 * Content, version 3, with the conventions of >>modelfile:
 *
 *     u64 x 2    J latents or outputs;  bases: 1, or J of them
 *     for each:  basis: name, then what that basis writes (>>basis)
 *     str, str   observation, "noise", "likelihood" or "latents";  the likelihood's name, or empty
 *     u64 x 3    n_eta, n_y, n_moments
 *     f64 x 2    degrees of freedom (0: normals);  sum of the weights of the rows
 *     u64 x 3    sites: 0 none, 1 mode, 2 mean;  groups;  1 if they have weights, else 0
 *     for each group:
 *       str      kind: "gaussian", "student", "diagonal", "point", "product"
 *       u64 x 2  K components;  a sum of: 1, 2, 4 if theta, eta, residual are those of the group before, 8 if there is a residual,
 *                16, 32 if each component has an eta, a residual of its own, 64 and more: optional arrays of the kind, in its order
 *       u64 ...  counts of the kind: gaussian 4 (0 factor or 1 low rank, n, k, n_flat), student 2 (n_flat, n_free), others none
 *     for each group, as they lie in bln_group, without gaps:
 *       f64 ...  weights, theta, eta, residual, as far as it has them; then the kind's arrays: gaussian m, s, R, flat, T, sd;
 *                student flat, other, Uf, zf, W, scale, R, t; diagonal m, psi; point w; product m, s, U. Of triangles the upper
 *                part, row by row (U of a product with several bases: whole squares); flat and other are u64
 *
 * The section of a model (>>modelfile) is this and then what is the model's own, so that each can be read as a posterior. */

/* Writes q; nothing is lost but where its rows were. Returns w's status.
 * BLN_EINVAL: NULL, or bln_posterior_check refuses q.  The status of q, if that is not BLN_OK.  BLN_EUNKNOWN: a basis without save,
 * or a likelihood with data of the user's own.  BLN_EDOMAIN: numbers that no posterior has: not finite, variances or scales below
 * 0, pivots of a factor that are not above it, indices that do not ascend. */
BLN_API bln_status bln_posterior_save(const bln_posterior *q, bln_writer *w);

/* Reads what _save wrote, or the start of a model's section, into *out, which owns all that it shows: free it with
 * bln_posterior_free. context (>>load): its bases, likelihoods, components and observes are those that may occur.
 * BLN_EINVAL: r or out is NULL.  BLN_EFORMAT: damaged, or no posterior.  BLN_EUNKNOWN: a basis, likelihood, kind or observation
 * that is in no list.  BLN_ENOMEM, BLN_EOVERFLOW, BLN_EIO. The reader's report gets the reason.
 * Memory: what bln_posterior_size tells, and some hundred bytes for each group. */
BLN_API bln_status bln_posterior_load(const bln_load *context, bln_reader *r, bln_posterior **out);
BLN_API void bln_posterior_free(bln_posterior *q);          /* one that was loaded; NULL is fine */

/* A posterior as the section "POST" of a model file. In a list of kinds that has this one but not a model's own, it reads such a
 * model as its posterior. */
BLN_API const bln_model_kind *bln_posterior_file_kind(void);

#endif /* BLN_POSTERIOR_RECORD_H */

#ifndef BLN_CORE_LOAD_H
#define BLN_CORE_LOAD_H
#include "bytes.h"
#include "memory.h"
/* >>load - what a file may contain: lists of bases, likelihoods and kinds of models
 *
 * A loader looks up the names in a file in the lists of its caller, and nowhere else, so that a program links only what it lists.
 * The first entry of a name counts. bln_builtin() (>>builtin) lists everything; a program that wants less, or has a basis of its
 * own, makes its own lists:
 *
 *     const bln_basis_ops *bases[2];
 *     const bln_model_kind *kinds[1];
 *     bln_load load = BLN_ZERO;
 *     bases[0] = bln_linear_ops();      bases[1] = &my_ops;      load.bases = bases;      load.n_bases = 2;
 *     kinds[0] = bln_slm_file_kind();                            load.kinds = kinds;      load.n_kinds = 1;
 *     status = bln_modelfile_load("model.bln", &load, &file, &report); */

struct bln_load;
struct bln_basis_ops;
struct bln_likelihood;
struct bln_component_ops;
struct bln_observe_ops;

/* How one kind of model is stored in a model file (>>modelfile): as a section of its own. Each kind has one such static table,
 * which bln_slm_file_kind() and its like return. */
typedef struct bln_model_kind {
    char        tag[5];           /* of the section: four characters and a 0                             */
    uint32_t    oldest, newest;   /* versions of the content that load reads; save writes the newest     */
    bln_status (*load)(const struct bln_load *context, bln_reader *r, void **out);
    bln_status (*save)(const void *model, bln_writer *w);
    void       (*release)(void *model);
} bln_model_kind;

/* A pointer to it may be NULL, which means all zero: malloc, and empty lists. The lists are only read during the call. */
typedef struct bln_load {
    bln_allocator                     alloc;           /* of all that is loaded                       (zero: malloc) */
    const struct bln_basis_ops *const *bases;          /* n_bases tables (>>basis), those of sums and selections too */
    const struct bln_likelihood       *likelihoods;    /* n_likelihoods values; one of variable size stands for all  */
    const bln_model_kind *const       *kinds;          /* n_kinds                                                    */
    const struct bln_component_ops *const *components; /* n_components tables, for bln_posterior_load (>>record)     */
    const struct bln_observe_ops *const *observes;     /* n_observes tables, likewise (kinds of models have theirs)  */
    size_t                             n_bases, n_likelihoods, n_kinds, n_components, n_observes;
    size_t                             depth;          /* nesting so far: loaders pass on depth + 1      (yours: 0)  */
} bln_load;

#endif /* BLN_CORE_LOAD_H */

#ifndef BLN_GLM_KEEP_PRIVATE_H
#define BLN_GLM_KEEP_PRIVATE_H
/* keep_private: draws of chains as the components of a model; comments stand at the definitions */
#include "fit_private.h"
#include "../posterior/chains.h"

enum { BLNI_KEEP = 1000 };         /* components, by default */

/* What a method that draws asks for, and which rows of the table of all draws are components. A row begins with the weights, then
 * come hyper-parameters: prior variances, eta and, if they are drawn, theta, as far as they are learnt. */
typedef struct blni_keep {
    size_t  chains, keep, draws;   /* keep: as asked for                                   */
    int     apart;                 /* components have theta of their own                   */
    size_t  n;                     /* hyper-parameters of a row                            */
    size_t  per, middle;           /* components of each chain; the one that stands first  */
    char    said[sizeof ((bln_report *)0)->text];
} blni_keep;

/* keep */
BLNI_PRIV size_t blni_keep_most(const blni_keep *k);
BLNI_PRIV const char *blni_keep_check(const blni_keep *k, const bln_glm_desc *d);
BLNI_PRIV void blni_keep_name(const blni_glm_fit *f, size_t column, char *text, size_t size);
BLNI_PRIV bln_status blni_keep_finish(blni_keep *k, blni_glm_fit *f, const bln_chains *all, double *mean, double *square,
                                      bln_report *report);
BLNI_PRIV size_t blni_keep_count(const blni_keep *k);
BLNI_PRIV void blni_keep_components(const blni_keep *k, blni_glm_fit *f, bln_chains **all, double bound, double *root,
                                    blni_glm_result *out);

#endif /* BLN_GLM_KEEP_PRIVATE_H */

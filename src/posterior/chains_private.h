#ifndef BLN_POSTERIOR_CHAINS_PRIVATE_H
#define BLN_POSTERIOR_CHAINS_PRIVATE_H
/* chains_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "chains.h"
#include "../core/config_private.h"

enum { BLNI_CHAINS_NAME = 256 };       /* most bytes of a name, the 0 included */

struct bln_chains {
    bln_allocator alloc;
    void         *block;               /* holds this struct and what it points to     */
    size_t        bytes;
    size_t        chains, room, draws, columns;        /* room: draws of each chain that fit; draws: those made */
    double       *table;               /* (room x chains) x columns                   */
    const char  **name;                /* columns                                     */
};

/* chains */
BLNI_PRIV size_t blni_chains_size(size_t chains, size_t draws, size_t columns, size_t text);
BLNI_PRIV bln_status blni_chains_make(const bln_allocator *alloc, size_t chains, size_t draws, size_t columns, size_t text,
                                      bln_chains **out, char **names, bln_report *report);
BLNI_PRIV int blni_chains_name_ok(const char *name);
BLNI_PRIV void blni_chains_default_name(size_t column, char *text);
BLNI_PRIV double *blni_chains_row(bln_chains *c, size_t chain, size_t draw);

#endif /* BLN_POSTERIOR_CHAINS_PRIVATE_H */

#ifndef BLN_SAMPLING_HMC_PRIVATE_H
#define BLN_SAMPLING_HMC_PRIVATE_H
/* hmc_private: private declarations, for the files of the sampler; comments stand at the definitions */
#include "hmc.h"
#include "nuts_private.h"
#include "warmup_private.h"
#include "../posterior/chains_private.h"

/* The sampler's own columns of the table, after those of the density. */
typedef enum blni_hmc_column {
    BLNI_HMC_LP, BLNI_HMC_ACCEPT, BLNI_HMC_STEP, BLNI_HMC_DEPTH, BLNI_HMC_LEAPFROGS, BLNI_HMC_DIVERGENT, BLNI_HMC_ENERGY,
    BLNI_HMC_COLUMNS
} blni_hmc_column;

enum { BLNI_HMC_WIDER = 4 };            /* windows: more than it takes to reach the mass of the density, or learn its scales */

/* One chain. `now` is its point; a transition writes `next`, and then they change places. */
typedef struct blni_hmc_chain {
    blni_system    system;
    blni_nuts      nuts;
    blni_phase     now, next;
    blni_averaging averaging;
    blni_windows   windows;
    blni_spread    spread;
    double         step;
    size_t         t;                   /* transitions so far                                  */
    size_t         divergent, saturated;        /* draws that diverged; that reached the largest depth */
    double         accept;              /* sum of acceptances after the warm-up                */
    int            stuck;               /* did it not move in some window of the warm-up?      */
    size_t         wider;               /* windows in a row that went far beyond the one before, at most BLNI_HMC_WIDER */
    int            unsettled;           /* is the metric new, so that lp, slope and step must be found again? */
    int            cloned;              /* is system.user a clone that the sampler frees?      */
    bln_status     status;              /* of the last step                                    */
    bln_report     report;
} blni_hmc_chain;

struct bln_hmc {
    bln_hmc_desc    desc;               /* with the defaults                                   */
    void           *block;              /* holds this struct and what it points to             */
    size_t          bytes, transitions; /* transitions of each chain, warm-up included         */
    blni_hmc_chain *chain;
    bln_chains     *chains;
    int             started;
};

/* hmc_chain */
BLNI_PRIV bln_status blni_hmc_begin(bln_hmc *hmc, size_t c);
BLNI_PRIV void blni_hmc_advance(bln_hmc *hmc, size_t c, size_t target);

#endif /* BLN_SAMPLING_HMC_PRIVATE_H */

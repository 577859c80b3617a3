#ifndef BLN_SAMPLING_HMC_PRIVATE_H
#define BLN_SAMPLING_HMC_PRIVATE_H
/* hmc_private: what the files of the sampler share; comments stand at the definitions */
#include "hmc.h"
#include "nuts_private.h"
#include "warmup_private.h"
#include "../posterior/chains_private.h"

/* Columns behind those of the density. */
typedef enum blni_hmc_column {
    BLNI_HMC_LP, BLNI_HMC_ACCEPT, BLNI_HMC_STEP, BLNI_HMC_DEPTH, BLNI_HMC_LEAPFROGS, BLNI_HMC_DIVERGENT, BLNI_HMC_ENERGY,
    BLNI_HMC_COLUMNS
} blni_hmc_column;

enum { BLNI_HMC_WIDER = 4 };            /* so many are no way to where the mass is, nor scales of coordinates that differ */

/* One chain. `now` is where it is; a transition writes `next`, and then they change places. */
typedef struct blni_hmc_chain {
    blni_system    system;
    blni_nuts      nuts;
    blni_phase     now, next;
    blni_averaging averaging;
    blni_windows   windows;
    blni_spread    spread;
    double         step;
    size_t         t;                   /* transitions so far                                  */
    size_t         divergent, saturated;
    double         accept;              /* sum after the warm-up                               */
    int            stuck;               /* in a window of the warm-up it did not move          */
    size_t         wider;               /* windows in a row each of which went far beyond the one before, up to BLNI_HMC_WIDER */
    int            unsettled;           /* the metric is new: lp, slope and step are to be found again */
    int            cloned;              /* system.user is one of ours                          */
    bln_status     status;              /* of the last step                                    */
    bln_report     report;
} blni_hmc_chain;

struct bln_hmc {
    bln_hmc_desc    desc;               /* with the defaults                                   */
    void           *block;              /* holds this struct and what it points to             */
    size_t          bytes, transitions; /* of each chain, in all                               */
    blni_hmc_chain *chain;
    bln_chains     *chains;
    int             started;
};

/* hmc_chain */
BLNI_PRIV bln_status blni_hmc_begin(bln_hmc *hmc, size_t c);
BLNI_PRIV void blni_hmc_advance(bln_hmc *hmc, size_t c, size_t target);

#endif /* BLN_SAMPLING_HMC_PRIVATE_H */

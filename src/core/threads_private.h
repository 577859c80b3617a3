#ifndef BLN_CORE_THREADS_PRIVATE_H
#define BLN_CORE_THREADS_PRIVATE_H
/* threads_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "threads.h"
#include "config_private.h"

/* At most this many pieces of work that need a workspace each run at once; workspaces are sized for them. */
#ifdef _OPENMP
enum { BLNI_PIECES_APART = 8 };
#else
enum { BLNI_PIECES_APART = 1 };
#endif

/* threads */
BLNI_PRIV size_t blni_pieces(double operations, size_t most);

/* Is the work split? Without threads it never is. */
#ifdef _OPENMP
#define BLNI_SPLIT(pieces) ((pieces) > 1)
#else
#define BLNI_SPLIT(pieces) 0
#endif

BLNI_PRIV void blni_run_pieces(size_t n, void (*piece)(const void *job, size_t k), const void *job);
BLNI_PRIV size_t blni_piece_begin(size_t count, size_t step, size_t k, size_t n);

#endif /* BLN_CORE_THREADS_PRIVATE_H */

/* cpu: asks the machine once which instruction sets it has */
#include "cpu_private.h"

#if BLNI_LEVELS > 0
/* The only global state of the library: -1 until the machine was asked, or a level was forced. Atomic, so that threads may ask at
 * the same time. */
static int blni_level_now = -1;

/* __builtin_cpu_supports also asks whether the operating system saves the wide registers. */
BLNI_PRIV int blni_level_best(void)
{
#ifdef BLNI_NEON
    return 1;
#else
    __builtin_cpu_init();
    const int one = (__builtin_cpu_supports("avx2") != 0) & (__builtin_cpu_supports("fma") != 0);
    return one + (one & (BLNI_LEVELS > 1) & (__builtin_cpu_supports("avx512f") != 0));
#endif
}

BLN_API int bln_cpu_level_force(int level)
{
    const int best = blni_level_best();
    if (level < 0 || level > best) level = best;
    __atomic_store_n(&blni_level_now, level, __ATOMIC_RELAXED);
    return level;
}

/* Stores what a first call found, unless another thread has forced a level in the meantime. */
BLNI_PRIV int blni_level_first(int found)
{
    int now = -1;
    return __atomic_compare_exchange_n(&blni_level_now, &now, found, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ? found : now;
}

BLN_API int bln_cpu_level(void)
{
    const int level = __atomic_load_n(&blni_level_now, __ATOMIC_RELAXED);
    return level < 0 ? blni_level_first(blni_level_best()) : level;
}

#else

BLN_API int bln_cpu_level_force(int level) { return 0; }
BLN_API int bln_cpu_level(void) { return 0; }

#endif

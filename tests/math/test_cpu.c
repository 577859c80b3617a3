/* test_cpu - the choice of instruction set: within what was compiled and what the machine has, and forceable */
#include "../test.h"

TEST(cpu, level_can_be_forced)
{
    const int best = bln_cpu_level_force(-1);
#ifdef TEST_LEVEL
    CHECK(best == TEST_LEVEL);                                    /* tests/avx512/immintrin.h */
#endif
    CHECK(best >= 0 && best <= TEST_TOP_LEVEL);
    CHECK(bln_cpu_level() == best);
    for (int level = 0; level <= TEST_TOP_LEVEL + 1; level++) {
        const int got = bln_cpu_level_force(level);
        CHECK(got == (level < best ? level : best));
        CHECK(bln_cpu_level() == got);
    }
    CHECK(bln_cpu_level_force(-1) == best);
#ifdef BAYESLIN_MAX_LEVEL
    CHECK(best <= BAYESLIN_MAX_LEVEL);
#endif
}

/* A thread that asked the machine before another one forced a level, and says so after it. */
TEST(cpu, a_late_first_call_does_not_undo_what_was_forced)
{
#if BLNI_LEVELS > 0
    const int best = bln_cpu_level_force(-1);
    bln_cpu_level_force(0);
    CHECK(blni_level_first(best) == 0 && bln_cpu_level() == 0);
    blni_level_now = -1;
    CHECK(blni_level_first(best) == best && bln_cpu_level() == best);
    blni_level_now = -1;
    CHECK(bln_cpu_level() == best);
#else
    CHECK(bln_cpu_level() == 0);
#endif
}

SUITE_BEGIN(cpu)
SUITE_TEST(cpu, level_can_be_forced)
SUITE_TEST(cpu, a_late_first_call_does_not_undo_what_was_forced)
SUITE_END(cpu)

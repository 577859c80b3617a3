/* test_cpu - the choice of instruction set: within what was compiled and what the machine has, and forceable */
#include "../test.h"

TEST(cpu, level_can_be_forced)
{
    const int best = bln_cpu_level_force(-1);
#ifdef TEST_LEVEL
    CHECK(best == TEST_LEVEL);                                    /* tests/avx512/immintrin.h */
#endif
    CHECK(best >= 0 && best <= 2);
    CHECK(bln_cpu_level() == best);
    for (int level = 0; level <= 3; level++) {
        const int got = bln_cpu_level_force(level);
        CHECK(got == (level < best ? level : best));
        CHECK(bln_cpu_level() == got);
    }
    CHECK(bln_cpu_level_force(-1) == best);
#ifdef BAYESLIN_MAX_LEVEL
    CHECK(best <= BAYESLIN_MAX_LEVEL);
#endif
}

SUITE_BEGIN(cpu)
SUITE_TEST(cpu, level_can_be_forced)
SUITE_END(cpu)

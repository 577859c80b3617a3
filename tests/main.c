/* main.c - all tests in one program
 *
 *     make test        or, for a part of them:  build/tests --filter TEXT --verbose
 *
 * build/suites.h includes every tests/<floor>/test_<room>.c and lists their suites; the Makefile writes it from what is there, so
 * no file can be left out, and a file whose suite is not named after its room does not compile. */
#include "test.h"

/* The library above is compiled as CFLAGS say; the tests below without optimisation, which halves the time of the compiler: most of
 * a run is spent in the library. */
#if defined __clang__
#pragma clang optimize off
#elif defined __GNUC__
#pragma GCC optimize("O0")
#endif
#include "suites.h"

int main(int argc, char **argv)
{
    static const test_suite *const suites[] = { TEST_SUITES NULL };
    return test_main(argc, argv, suites, sizeof suites / sizeof *suites - 1);
}

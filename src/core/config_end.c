/* config_end: restores at the end of the implementation the settings that config changed
 *
 * What BAYESLIN_REPRODUCIBLE changed (config, special_elementary) must not reach the code after the header. gcc and clang push and
 * pop such settings. Where clang cannot (config), and with MSVC, the settings of the command line come back, and a pragma that
 * stands above the header must be repeated after it. */
#include "config_private.h"

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
#if defined(_MSC_VER) && !defined(__clang__) \
    && (defined(_M_FP_FAST) || defined(_M_FP_CONTRACT) || (_MSC_VER < 1930 && !defined(_M_FP_STRICT)))
#pragma fp_contract(on)
#endif
#ifdef BAYESLIN_REPRODUCIBLE
#if defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma float_control(pop)
#pragma clang diagnostic pop
#elif defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC pop_options
#endif
#undef exp
#undef expm1
#undef log
#undef log1p
#undef log10
#undef cos
#undef tan
#undef sinh
#undef cosh
#undef asinh
#undef atan2
#undef hypot
#pragma pop_macro("exp")
#pragma pop_macro("expm1")
#pragma pop_macro("log")
#pragma pop_macro("log1p")
#pragma pop_macro("log10")
#pragma pop_macro("cos")
#pragma pop_macro("tan")
#pragma pop_macro("sinh")
#pragma pop_macro("cosh")
#pragma pop_macro("asinh")
#pragma pop_macro("atan2")
#pragma pop_macro("hypot")
#endif

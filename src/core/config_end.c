/* config_end: gives back at the end of the implementation what it took
 *
 * What BAYESLIN_REPRODUCIBLE changed (config, special_elementary) is not for the code behind the header. */
#ifdef BAYESLIN_REPRODUCIBLE
#if defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#elif defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC pop_options
#endif
#undef exp
#undef expm1
#undef log
#undef log1p
#undef log10
#undef pow
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
#pragma pop_macro("pow")
#pragma pop_macro("cos")
#pragma pop_macro("tan")
#pragma pop_macro("sinh")
#pragma pop_macro("cosh")
#pragma pop_macro("asinh")
#pragma pop_macro("atan2")
#pragma pop_macro("hypot")
#endif

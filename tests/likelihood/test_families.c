/* families: every name leads to its likelihood, with its number of parameters and no other. */
#include "likelihood_tools.h"

TEST(families, by_name)
{
    bln_likelihood l = BLN_ZERO;
    size_t n = 0;
    for (; bln_likelihood_name(n); n++) {
        const bln_likelihood want = likelihood_named(bln_likelihood_name(n));
        CHECK_TEXT(bln_likelihood_name(n), want.ops->name);
        CHECK_OK(bln_likelihood_find(want.ops->name, want.n_theta, &l));
        CHECK(l.ops == want.ops && l.n_theta == want.n_theta && bln_likelihood_check(&l) == NULL);
        if (strcmp(want.ops->name, "ordinal")) CHECK_STATUS(bln_likelihood_find(want.ops->name, want.n_theta + 1, &l), BLN_ESHAPE);
    }
    CHECK_SIZE(n, LIKELIHOOD_CASES);
    CHECK_OK(bln_likelihood_find("ordinal", 6, &l));
    CHECK_SIZE(l.n_theta, 6);
    CHECK_STATUS(bln_likelihood_find("ordinal", 0, &l), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find("ordinal", BLN_LIKELIHOOD_THETA + 1, &l), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find("ordinal", (size_t)-1, &l), BLN_ESHAPE);
    CHECK_STATUS(bln_likelihood_find("normal", 1, &l), BLN_EUNKNOWN);
    CHECK_STATUS(bln_likelihood_find(NULL, 1, &l), BLN_EINVAL);
    CHECK_STATUS(bln_likelihood_find("gaussian", 1, NULL), BLN_EINVAL);
}

SUITE_BEGIN(families)
SUITE_TEST(families, by_name)
SUITE_END(families)

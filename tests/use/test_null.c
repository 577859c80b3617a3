/* null: every public function that returns a status refuses NULL; what frees ignores it, and what asks answers. The calls are made
 * from the declarations (tools/null_calls.awk), so that none is forgotten. */
#include "../test.h"

static const bln_glm_method zero_bln_glm_method = BLN_ZERO;           /* what is a struct by value */

static bln_writer *null_writer(void) { static bln_writer w; w = bln_writer_over(NULL, NULL); return &w; }
static bln_reader *null_reader(void)
{
    static bln_memory_stream m;
    static bln_reader r;
    r = bln_memory_reader(&m, "", 0, NULL);
    return &r;
}

#define REFUSES(call) test_null_refuses(call, #call);
#define IGNORES(call) (void)(call);

static void test_null_refuses(bln_status status, const char *call)
{
    if (status != BLN_EINVAL) printf("    %s: %s\n", call, bln_status_name(status));
    CHECK_STATUS(status, BLN_EINVAL);
}

TEST(null, every_function)
{
#include "null_calls.h"
}

SUITE_BEGIN(null)
SUITE_TEST(null, every_function)
SUITE_END(null)

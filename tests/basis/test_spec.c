/* test_spec - bases from lines of text: good lines by what they make, bad lines by status, place and words; seeds, own terms,
 * memory */
#include "basis_tools.h"

static const char *const spec_names[] = { "lat", "lon", "age", "body mass", "3" };
enum { SPEC_D = 5 };

static bln_spec_desc spec_desc(const char *text)
{
    bln_spec_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.text = text;
    desc.d = SPEC_D;
    desc.names = spec_names;
    desc.seed = 3;
    return desc;
}

/* What a line makes: sizes, and the names of its slices joined by "|". */
typedef struct spec_good { const char *text; size_t D, n_theta, n_slices; const char *slices; } spec_good;
static const spec_good spec_goods[] = {
    { "bias",                                                       1, 0, 1, "bias" },
    { "linear",                                                     6, 0, 1, "linear" },
    { "linear:ones=1",                                              6, 0, 1, "linear" },
    { "linear:ones=0",                                              5, 0, 1, "linear" },
    { "linear:ones",                                                6, 0, 1, "linear" },
    { " \t linear \t ",                                             6, 0, 1, "linear" },
    { "polynomial",                                                11, 0, 1, "polynomial" },
    { "polynomial:degree=3,ones=0",                                15, 0, 1, "polynomial" },
    { "polynomial:interactions",                                   21, 0, 1, "polynomial" },
    { "polynomial:interactions=1,degree=1",                         6, 0, 1, "polynomial" },
    { "polynomial:interactions=0",                                 11, 0, 1, "polynomial" },
    { "polynomial:degree=007",                                     36, 0, 1, "polynomial" },
    { "rbf",                                                      400, 1, 1, "rbf" },
    { "rbf:n=1",                                                    2, 1, 1, "rbf" },
    { "rbf:n=400,ard",                                            800, 5, 1, "rbf" },
    { "rbf:ard=0,n=3",                                              6, 1, 1, "rbf" },
    { "matern12:n=2,ard=1",                                         4, 5, 1, "matern12" },
    { "matern32:n=2",                                               4, 1, 1, "matern32" },
    { "matern52:n=2,length=0.25",                                   4, 1, 1, "matern52" },
    { "legendre",                                                  26, 0, 1, "legendre" },
    { "legendre:degree=2,range=1.5,ones=0",                        10, 0, 1, "legendre" },
    { "legendre:degree=2,cols=age",                                 3, 0, 1, "legendre of age" },
    { "radial",                                                    20, 1, 1, "radial" },
    { "radial:n=7,ard,range=1,length=0.5",                          7, 5, 1, "radial" },
    { "sigmoid:n=6,cols=age",                                       6, 1, 1, "sigmoid of age" },
    { "ridge:n=4",                                                 20, 1, 1, "ridge" },
    { "cauchy:n=2",                                                 4, 1, 1, "cauchy" },
    { "laplace1:n=2,ard",                                           4, 5, 1, "laplace1" },
    { "laplace2:n=2",                                               4, 1, 1, "matern12" },
    { "cauchy_product:n=2,draws=independent",                       4, 1, 1, "cauchy_product" },
    { "matern:n=2",                                                 4, 1, 1, "matern" },
    { "matern:n=2,nu=0.7,draws=sobol",                              4, 1, 1, "matern" },
    { "rq:n=2,alpha=10,draws=halton",                               4, 1, 1, "rq" },
    { "rbf:n=2,draws=orthogonal",                                   4, 1, 1, "rbf" },
    { "matern32:n=9,ard,draws=fastfood",                           18, 5, 1, "matern32" },
    { "rq:n=2,alpha=3,draws=fastfood,cols=lat;age",                 4, 1, 1, "rq of lat, age" },
    { "rbf:n=2,cols=lat",                                           4, 1, 1, "rbf of lat" },
    { "rbf:n=2,ard,cols=lon;lat",                                   4, 2, 1, "rbf of lon, lat" },
    { "rbf:n=2,ard,cols= 1 ; lat ",                                 4, 2, 1, "rbf of lon, lat" },
    { "linear:cols=body mass",                                      2, 0, 1, "linear of body mass" },
    { "linear:cols=3",                                              2, 0, 1, "linear of 3" },      /* a name before a number */
    { "linear:cols=4;0",                                            3, 0, 1, "linear of 3, lat" },
    { "spectral",                                                 400, 6, 1, "spectral" },
    { "spectral:n=2,q=3,ard+bias",                                 25, 30, 4, "spectral [1]|spectral [2]|spectral [3]|bias" },
    { "bias+spectral:n=3,q=2,period=0.5,cols=lat",                 25, 4, 3, "bias|spectral of lat [2]|spectral of lat [3]" },
    { "spectral:n=5,draws=fastfood,length=2,cols=age;lat",         20, 3, 1, "spectral of age, lat" },
    { "inducing",                                                 100, 1, 1, "process rbf" },
    { "inducing:m=7,kernel=matern32,ard,select=pivoted+linear",    13, 5, 2, "process matern32|linear" },
    { "inducing:m=3,kernel=rq,alpha=0.5,learn,length=2,cols=age;lat", 3, 7, 1, "process rq of age, lat" },
    { "inducing:m=2,kernel=laplace2,select=random,range=1,learn=0", 2, 1, 1, "process matern12" },
    { "rbf:n=400,ard+linear",                                     806, 5, 2, "rbf|linear" },
    { " rbf : n = 4 , ard + linear ",                              14, 5, 2, "rbf|linear" },
    { "matern32:n=200,cols=lat;lon+polynomial:degree=3,cols=age", 404, 1, 2, "matern32 of lat, lon|polynomial of age" },
    { "bias+bias",                                                  2, 0, 2, "bias [1]|bias [2]" },
    { "rbf:n=1+rbf:n=2+matern12:n=3+bias",                         13, 3, 4, "rbf [1]|rbf [2]|matern12|bias" }
};

TEST(spec, good_lines)
{
    for (size_t i = 0; i < sizeof spec_goods/sizeof *spec_goods; i++) {
        const spec_good *g = &spec_goods[i];
        const bln_spec_desc desc = spec_desc(g->text);
        bln_basis *b = NULL;
        bln_report report;
        char names[200] = "";
        bln_report_clear(&report);
        CHECK_OK(bln_basis_parse(&desc, &b, &report));
        CHECK_TEXT("", report.text);
        if (!b) { printf("    in \"%s\"\n", g->text); continue; }
        CHECK(bln_basis_check(b) == NULL);
        CHECK_SIZE(b->d, SPEC_D);                              /* always fits the data */
        CHECK_SIZE(b->D, g->D);
        CHECK_SIZE(b->n_theta, g->n_theta);
        CHECK_SIZE(b->n_slices, g->n_slices);
        for (size_t s = 0; s < b->n_slices; s++) {
            char name[64];
            bln_basis_slice_name(b, s, spec_names, name, sizeof name);
            if (s) strcat(names, "|");
            strcat(names, name);
        }
        CHECK_TEXT(names, g->slices);
        CHECK_SIZE(strlen(names), strlen(g->slices));
        bln_basis_free(b);
    }
}

/* What a line must not make: the status, the character where, and words of the message. */
typedef struct spec_bad { const char *text; bln_status status; size_t at; const char *words; } spec_bad;
static const spec_bad spec_bads[] = {
    { "",                          BLN_EINVAL,   0, "empty" },
    { "  \t",                      BLN_EINVAL,   0, "empty" },
    { "foo",                       BLN_EUNKNOWN, 0,
      "unknown term at character 1: \"foo\"; there are bias, linear, polynomial, legendre, radial, sigmoid, ridge, rbf, matern12" },
    { "rbf:n=4+ foo",              BLN_EUNKNOWN, 9, "\"foo\"" },
    { "RBF",                       BLN_EUNKNOWN, 0, "\"RBF\"" },
    { "rbfx",                      BLN_EUNKNOWN, 0, "\"rbfx\"" },
    { "rb",                        BLN_EUNKNOWN, 0, "\"rb\"" },
    { "rbf n=4",                   BLN_EUNKNOWN, 0, "\"rbf n=4\"" },
    { "+",                         BLN_EINVAL,   0, "a term is missing" },
    { "rbf+",                      BLN_EINVAL,   4, "a term is missing" },
    { "+rbf",                      BLN_EINVAL,   0, "a term is missing" },
    { "rbf++linear",               BLN_EINVAL,   4, "a term is missing" },
    { "rbf + + linear",            BLN_EINVAL,   6, "a term is missing" },
    { ":n=3",                      BLN_EINVAL,   0, "a term is missing" },
    { "rbf:",                      BLN_EINVAL,   4, "an option is missing" },
    { "rbf:n=3,",                  BLN_EINVAL,   8, "an option is missing" },
    { "rbf:,n=3",                  BLN_EINVAL,   4, "an option is missing" },
    { "rbf:=3",                    BLN_EINVAL,   4, "an option is missing" },
    { "rbf:m=3",                   BLN_EUNKNOWN, 4, "unknown option at character 5: \"m\"; there are cols, n, ard, length, draws" },
    { "rbf:degree=3",              BLN_EUNKNOWN, 4, "\"degree\"" },
    { "linear:n=3",                BLN_EUNKNOWN, 7, "there are cols, ones" },
    { "bias:cols=lat",             BLN_EUNKNOWN, 5, "no options" },
    { "rbf:n",                     BLN_EINVAL,   4, "whole number" },
    { "rbf:n=",                    BLN_EINVAL,   4, "whole number" },
    { "rbf:n=0",                   BLN_EINVAL,   6, "whole number" },
    { "rbf:n=-3",                  BLN_EINVAL,   6, "\"-3\"" },
    { "rbf:n=3.5",                 BLN_EINVAL,   6, "\"3.5\"" },
    { "rbf:n=3x",                  BLN_EINVAL,   6, "\"3x\"" },
    { "rbf:n=3 4",                 BLN_EINVAL,   6, "\"3 4\"" },
    { "rbf:n=3=4",                 BLN_EINVAL,   6, "\"3=4\"" },
    { "rbf:n=99999999999999999999999", BLN_EINVAL, 6, "whole number" },
    { "rbf:n=3,n=4",               BLN_EINVAL,   8, "twice" },
    { "rbf:ard,n=2,ard",           BLN_EINVAL,  12, "twice" },
    { "rbf:ard=2",                 BLN_EINVAL,   8, "0 or 1" },
    { "rbf:ard=",                  BLN_EINVAL,   4, "0 or 1" },
    { "rbf:ard=yes",               BLN_EINVAL,   8, "\"yes\"" },
    { "linear:ones=01",            BLN_EINVAL,  12, "0 or 1" },
    { "rbf:length",                BLN_EINVAL,   4, "a number > 0" },
    { "rbf:length=0",              BLN_EINVAL,  11, "a number > 0" },
    { "rbf:length=-1",             BLN_EINVAL,  11, "\"-1\"" },
    { "rbf:length=nan",            BLN_EINVAL,  11, "\"nan\"" },
    { "rbf:length=inf",            BLN_EINVAL,  11, "\"inf\"" },
    { "rbf:length=1e999",          BLN_EINVAL,  11, "\"1e999\"" },
    { "rbf:length=1,5",            BLN_EUNKNOWN, 13, "\"5\"" },
    { "rbf:length=1.2.3",          BLN_EINVAL,  11, "\"1.2.3\"" },
    { "rbf:length=.",              BLN_EINVAL,  11, "\".\"" },
    { "rbf:length=1e",             BLN_EINVAL,  11, "\"1e\"" },
    { "rbf:length=0x10",           BLN_EINVAL,  11, "\"0x10\"" },
    { "rbf:cols",                  BLN_EINVAL,   4, "expected after cols=" },
    { "rbf:cols=",                 BLN_EINVAL,   4, "expected after cols=" },
    { "rbf:cols=foo",              BLN_EUNKNOWN, 9, "no such input column at character 10: \"foo\"" },
    { "rbf:cols=5",                BLN_EUNKNOWN, 9, "\"5\"" },
    { "rbf:cols=-1",               BLN_EUNKNOWN, 9, "\"-1\"" },
    { "rbf:cols=lat;;lon",         BLN_EINVAL,  13, "a column is missing" },
    { "rbf:cols=lat;",             BLN_EINVAL,  13, "a column is missing" },
    { "rbf:cols=lat;lon;lat",      BLN_EINVAL,  17, "\"lat\"" },
    { "rbf:cols=lat;0",            BLN_EINVAL,  13, "twice" },
    { "rbf:cols=lat,cols=lon",     BLN_EINVAL,  13, "an option stands twice" },
    { "polynomial:range=3",        BLN_EUNKNOWN, 11, "\"range\"" },
    { "legendre:interactions",     BLN_EUNKNOWN, 9, "there are cols, ones, degree, range" },
    { "legendre:range=0",          BLN_EINVAL,  15, "a number > 0" },
    { "legendre:range",            BLN_EINVAL,   9, "a number > 0" },
    { "radial:draws=sobol",        BLN_EUNKNOWN, 7, "there are cols, n, ard, length, range" },
    { "rbf:nu=2",                  BLN_EUNKNOWN, 4, "\"nu\"" },
    { "rq:nu=2",                   BLN_EUNKNOWN, 3, "there are cols, n, ard, length, draws, alpha" },
    { "matern:nu=0.01",            BLN_EINVAL,  10, "from 0.1 to 10000" },
    { "matern:nu=1e5",             BLN_EINVAL,  10, "from 0.1 to 10000" },
    { "rq:alpha=x",                BLN_EINVAL,   9, "\"x\"" },
    { "rbf:draws=random",          BLN_EINVAL,  10, "there are orthogonal, independent, sobol, halton, fastfood" },
    { "rbf:draws",                 BLN_EINVAL,   4, "there are orthogonal, independent, sobol, halton, fastfood" },
    { "laplace1:draws=orthogonal", BLN_EINVAL,   0, "radial kernel" },
    { "bias+laplace1:draws=fastfood", BLN_EINVAL, 5, "fastfood: needs a radial kernel" },
    { "cauchy_product:draws=fastfood", BLN_EINVAL, 0, "fastfood: needs a radial kernel" },
    { "spectral:q=0",              BLN_EINVAL,  11, "whole number" },
    { "spectral:q",                BLN_EINVAL,   9, "whole number" },
    { "spectral:q=4097",           BLN_EOVERFLOW, 11, "4096 components" },
    { "bias+spectral:q=4096,n=1",  BLN_EOVERFLOW, BLN_NONE, "4096 parts" },
    { "spectral:period=0",         BLN_EINVAL,  16, "a number > 0" },
    { "spectral:nu=2",             BLN_EUNKNOWN, 9, "there are cols, n, ard, length, draws, q, period" },
    { "rbf:q=2",                   BLN_EUNKNOWN, 4, "\"q\"" },
    { "inducing:m=0",              BLN_EINVAL,  11, "whole number" },
    { "inducing:n=5",              BLN_EUNKNOWN, 9, "there are cols, ard, length, range, nu, alpha, m, kernel, select, learn" },
    { "inducing:kernel=rbff",      BLN_EINVAL,  16, "there are rbf, matern12" },
    { "inducing:kernel",           BLN_EINVAL,   9, "unknown kernel" },
    { "inducing:select=best",      BLN_EINVAL,  16, "there are kmeans, pivoted, random" },
    { "inducing:learn=2",          BLN_EINVAL,  15, "0 or 1" },
    { "bias+inducing:nu=2",        BLN_EINVAL,   5, "no shape" },
    { "inducing:m=99999999999999999999", BLN_EINVAL, 11, "whole number" },
    { "gp:m=5",                    BLN_EUNKNOWN, 3, "there are cols, ard, length, nu, alpha, kernel" },
    { "linear+gp",                 BLN_EINVAL,   7, "needs all training rows together: set rows of the desc" },
    { "auto",                      BLN_EUNKNOWN, 0, "\"auto\" (auto: bln_auto_basis_slm, or _glm); there are" },
    { "gp:kernel=sobol",           BLN_EINVAL,  10, "unknown kernel" },
    { "linear+group",              BLN_EINVAL,   7, "which column" },
    { "group:by",                  BLN_EINVAL,   6, "expected after by=" },
    { "group:by=foo",              BLN_EUNKNOWN, 9, "no such input column at character 10: \"foo\"" },
    { "group:by=lat",              BLN_EINVAL,   0, "training rows" },
    { "group:by=lat,ones=2",       BLN_EINVAL,  18, "0 or 1" },
    { "group:by=lat,n=3",          BLN_EUNKNOWN, 13, "there are cols, ones, by" },
    { "group:by=lat,cols=age;lat", BLN_EINVAL,  22, "name groups (by=)" },
    { "group:by=lat,cols=age;2",   BLN_EINVAL,  22, "a column stands twice" },
    { "linear:cols=age;0+group:by=lat", BLN_EINVAL, 16, "name groups (by=)" },
    { "linear:by=lat",             BLN_EUNKNOWN, 7, "there are cols, ones" },
    { "polynomial:degree=0",       BLN_EINVAL,  18, "whole number" },
    { "polynomial:interactions,degree=1000000000", BLN_EOVERFLOW, 0, "too large" },
    { "an_unknown_term_with_a_name_far_too_long_to_be_quoted_in_full", BLN_EUNKNOWN, 0, "...\"" }
};

TEST(spec, bad_lines)
{
    for (size_t i = 0; i < sizeof spec_bads/sizeof *spec_bads; i++) {
        const spec_bad *g = &spec_bads[i];
        bln_spec_desc desc = spec_desc(g->text);
        test_heap heap;
        bln_basis *b = NULL;
        bln_report report;
        const size_t before = test_failures;
        desc.alloc = test_heap_allocator(&heap);
        bln_report_clear(&report);
        CHECK_STATUS(bln_basis_parse(&desc, &b, &report), g->status);
        CHECK_SIZE(report.column, g->at);
        CHECK_TEXT(report.text, g->words);
        CHECK(b == NULL);
        CHECK_SIZE(heap.live, 0);
        CHECK_STATUS(bln_basis_parse(&desc, &b, NULL), g->status);
        if (test_failures != before) printf("    in \"%s\": %s\n", g->text, report.text);
    }
}

TEST(spec, without_names_or_inputs)
{
    bln_spec_desc desc = spec_desc("linear:cols=2;0");
    bln_basis *b = NULL;
    bln_report report;
    static const char *const twins[] = { "a", "a", "b", "c", "d" };
    desc.names = NULL;
    CHECK_OK(bln_basis_parse(&desc, &b, NULL));
    bln_basis_free(b);
    desc.text = "linear:cols=lat";
    CHECK_STATUS(bln_basis_parse(&desc, &b, NULL), BLN_EUNKNOWN);
    desc.names = twins;
    desc.text = "linear:cols=b;a";
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "two columns");
    desc.d = 0;
    desc.text = "bias";
    CHECK_OK(bln_basis_parse(&desc, &b, NULL));
    CHECK_SIZE(b->d, 0);
    bln_basis_free(b);
    desc.text = "bias+rbf";
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "no input columns");
    CHECK_SIZE(report.column, 5);
    desc.text = NULL;
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EINVAL);
    CHECK_STATUS(bln_basis_parse(NULL, &b, &report), BLN_EINVAL);
    desc = spec_desc("bias");
    desc.n_own = 1;
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EINVAL);
    desc = spec_desc("bias");
    desc.alloc.alloc = test_heap_alloc;
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EINVAL);
}

/* Lines of any length are fine until the parts are too many. */
TEST(spec, long_line)
{
    char *text = (char *)malloc(5*5000);
    bln_spec_desc desc;
    bln_basis *b = NULL;
    test_heap heap;
    strcpy(text, "bias");
    for (int i = 1; i < 300; i++) strcat(text, "+bias");
    desc = spec_desc(text);
    CHECK_OK(bln_basis_parse(&desc, &b, NULL));
    CHECK_SIZE(b->D, 300);
    bln_basis_free(b);
    for (int i = 300; i < 4097; i++) memcpy(text + 5*(size_t)i - 1, "+bias", 6);
    desc.alloc = test_heap_allocator(&heap);
    CHECK_STATUS(bln_basis_parse(&desc, &b, NULL), BLN_EOVERFLOW);
    CHECK_SIZE(heap.live, 0);
    free(text);
}

/* Random terms: the same line and seed give the same basis; terms differ from each other and with the seed; a term keeps its draw
 * when others behind it change. */
TEST(spec, seeds)
{
    static const char *const lines[] = { "rbf:n=3+rbf:n=3", "rbf:n=3+rbf:n=3", "rbf:n=3+rbf:n=3", "rbf:n=3+linear" };
    double phi[4][12], x[SPEC_D] = { 0.3, -0.2, 1.1, 0.7, -0.4 }, theta[2] = { 1.0, 1.0 };
    for (size_t i = 0; i < 4; i++) {
        bln_spec_desc desc = spec_desc(lines[i]);
        bln_basis *b = NULL;
        if (i == 2) desc.seed = 4;
        CHECK_OK(bln_basis_parse(&desc, &b, NULL));
        basis_tools_features(b, theta, 1, x, SPEC_D, phi[i], 12);
        bln_basis_free(b);
    }
    CHECK(!memcmp(phi[0], phi[1], sizeof phi[0]));
    CHECK(memcmp(phi[0], phi[0] + 6, 6*sizeof(double)));
    CHECK(memcmp(phi[0], phi[2], 6*sizeof(double)));
    CHECK(!memcmp(phi[0], phi[3], 6*sizeof(double)));
}

static bln_basis *spec_parse(const char *text)
{
    const bln_spec_desc desc = spec_desc(text);
    bln_basis *b = NULL;
    CHECK_OK(bln_basis_parse(&desc, &b, NULL));
    if (!b) { puts(text); exit(2); }
    return b;
}

/* The options arrive where they belong: ranges map the inputs or spread the centres, kernels, shapes and draws give the frequencies
 * that the same desc gives. */
TEST(spec, options_arrive)
{
    static const struct { const char *text; bln_kernel kernel; double shape; bln_draws draws; } terms[] = {
        { "rbf:n=3,draws=sobol", BLN_KERNEL_RBF, 0.0, BLN_DRAWS_SOBOL },
        { "rbf:n=3,draws=independent", BLN_KERNEL_RBF, 0.0, BLN_DRAWS_INDEPENDENT },
        { "matern:n=3,nu=0.7", BLN_KERNEL_MATERN, 0.7, BLN_DRAWS_ORTHOGONAL },
        { "rq:n=3,alpha=4.5,draws=halton", BLN_KERNEL_RQ, 4.5, BLN_DRAWS_HALTON },
        { "cauchy:n=3", BLN_KERNEL_CAUCHY, 0.0, BLN_DRAWS_ORTHOGONAL },
        { "laplace1:n=3", BLN_KERNEL_LAPLACE1, 0.0, BLN_DRAWS_INDEPENDENT },
        { "laplace2:n=3", BLN_KERNEL_MATERN12, 0.0, BLN_DRAWS_ORTHOGONAL },
        { "cauchy_product:n=3,draws=sobol", BLN_KERNEL_CAUCHY_PRODUCT, 0.0, BLN_DRAWS_SOBOL }
    };
    double x[SPEC_D] = { 2.0, -1.0, 0.5, 0.0, 1.0 }, phi[25], theta[SPEC_D] = { 0.5, 0.5, 0.5, 0.5, 0.5 };
    bln_basis *b;
    bln_rng rng;
    bln_rng_seed(&rng, 3, 0);
    const uint64_t seed = bln_rng_next(&rng);
    for (size_t k = 0; k < sizeof terms/sizeof *terms; k++) {
        bln_fourier_desc desc;
        bln_basis *same = NULL;
        memset(&desc, 0, sizeof desc);
        desc.d = SPEC_D;
        desc.n = 3;
        desc.kernel = terms[k].kernel;
        desc.shape = terms[k].shape;
        desc.draws = terms[k].draws;
        desc.seed = seed;
        b = spec_parse(terms[k].text);
        CHECK_OK(bln_fourier_create(&desc, &same, NULL));
        CHECK(!memcmp(bln_fourier_frequencies(b), bln_fourier_frequencies(same), 3*SPEC_D*sizeof(double)));
        bln_basis_free(b);
        bln_basis_free(same);
    }
    b = spec_parse("legendre:degree=1,range=2,ones=0");
    basis_tools_features(b, NULL, 1, x, SPEC_D, phi, SPEC_D);
    for (size_t i = 0; i < SPEC_D; i++) CHECK_NEAR(phi[i], sqrt(3.0)*x[i]/2.0, 2*DBL_EPSILON);
    bln_basis_free(b);
    b = spec_parse("legendre:degree=1,ones=0");
    basis_tools_features(b, NULL, 1, x, SPEC_D, phi, SPEC_D);
    CHECK_NEAR(phi[0], sqrt(3.0)*2.0/3.0, 2*DBL_EPSILON);
    bln_basis_free(b);
    b = spec_parse("radial:n=5,cols=lat");                                 /* centres -2, -1, 0, 1, 2; lat = 2 */
    basis_tools_features(b, theta, 1, x, SPEC_D, phi, 5);
    for (size_t j = 0; j < 5; j++) CHECK_REL(phi[j], exp(-2.0*((double)j - 4)*((double)j - 4)), 64*DBL_EPSILON);
    bln_basis_free(b);
    b = spec_parse("ridge:n=3,range=4,cols=lat");                          /* -4, 0, 4 */
    basis_tools_features(b, theta, 1, x, SPEC_D, phi, 3);
    for (size_t j = 0; j < 3; j++) CHECK_REL(phi[j], 1.0/(1.0 + exp(8.0*(double)j - 12.0)), 8*DBL_EPSILON);
    bln_basis_free(b);
    b = spec_parse("sigmoid:n=1,cols=lat,length=0.25");
    basis_tools_features(b, theta, 1, x, SPEC_D, phi, 1);
    CHECK_REL(phi[0], 1.0/(1.0 + exp(-4.0)), 4*DBL_EPSILON);
    bln_param p;
    bln_basis_param(b, 0, NULL, &p);
    CHECK(p.start == 0.25);
    bln_basis_free(b);
    b = spec_parse("inducing:m=5,cols=lat,learn=1");                       /* a length scale, and points at -2, -1, 0, 1, 2 */
    CHECK_SIZE(b->n_theta, 6);
    for (size_t j = 0; j < 5; j++) {
        bln_basis_param(b, 1 + j, NULL, &p);
        CHECK_NEAR(p.start, (double)j - 2.0, 4*DBL_EPSILON);
    }
    bln_basis_free(b);
}

/* length= is the start of each length scale. Decimal fractions of few digits are read as the compiler reads them; longer ones
 * within 2 ulp. */
TEST(spec, numbers)
{
    static const struct spec_number { const char *text; double value; double ulps; } numbers[] = {
        { "1", 1.0, 0 }, { "0.1", 0.1, 0 }, { ".5", 0.5, 0 }, { "5.", 5.0, 0 }, { "12.625", 12.625, 0 }, { "1e3", 1000.0, 0 },
        { "2.5E-3", 2.5e-3, 0 },
        { "1e22", 1e22, 0 }, { "1e-22", 1e-22, 0 }, { "000123.4500", 123.45, 0 }, { "0.000001", 1e-6, 0 },
        { "3.14159265358979323846", 3.14159265358979323846, 2 },
        { "12345678901234567890123456789", 12345678901234567890123456789.0, 2 },
        { "0.00000000000000000000000000000000000000123456789012345678901", 1.23456789012345678901e-39, 2 },
        { "1e150", 1e150, 2 }, { "1e-150", 1e-150, 2 }, { "123456789e-100", 123456789e-100, 2 }
    };
    for (size_t i = 0; i < sizeof numbers/sizeof *numbers; i++) {
        char text[120];
        bln_spec_desc desc;
        bln_basis *b = NULL;
        bln_param p;
        sprintf(text, "rbf:n=1,length=%s", numbers[i].text);
        desc = spec_desc(text);
        CHECK_OK(bln_basis_parse(&desc, &b, NULL));
        if (!b) { puts(text); continue; }
        bln_basis_param(b, 0, NULL, &p);
        CHECK_REL(p.start, numbers[i].value, numbers[i].ulps*DBL_EPSILON);
        bln_basis_free(b);
    }
}

/* ---- own terms ---- */

typedef struct spec_call { char options[80]; size_t d, calls; uint64_t seed; size_t make_d; bln_status status; } spec_call;

static bln_status spec_make(void *user, const char *options, size_t d, uint64_t seed, const bln_allocator *alloc, bln_basis **out,
                            bln_report *report)
{
    spec_call *call = (spec_call *)user;
    strncpy(call->options, options, sizeof call->options - 1);
    call->d = d;
    call->seed = seed;
    call->calls++;
    if (call->status != BLN_OK) return blni_fail(report, call->status, BLN_NONE, BLN_NONE, "own: no");
    return bln_linear_create(alloc, call->make_d ? call->make_d : d, 0, out);
}

TEST(spec, own_terms)
{
    spec_call call;
    bln_spec_term terms[2];
    bln_spec_desc desc = spec_desc("rbf:n=1 + hat: knots = 3 ,cols=age;lat, flat +bias");
    test_heap heap;
    bln_basis *b = NULL;
    bln_report report;
    memset(&call, 0, sizeof call);
    terms[0].name = "rbf";                                     /* a built-in name stays what it is */
    terms[1].name = "hat";
    terms[0].make = terms[1].make = spec_make;
    terms[0].user = terms[1].user = &call;
    desc.own = terms;
    desc.n_own = 2;
    desc.alloc = test_heap_allocator(&heap);
    CHECK_OK(bln_basis_parse(&desc, &b, &report));
    CHECK(!strcmp(call.options, "knots = 3,flat"));
    CHECK(call.d == 2 && call.calls == 1);
    CHECK_SIZE(b->D, 5);
    CHECK_SIZE(b->d, SPEC_D);
    bln_basis_free(b);
    CHECK_SIZE(heap.live, 0);
    {
        const uint64_t seed = call.seed;
        desc.text = "bias+hat";
        CHECK_OK(bln_basis_parse(&desc, &b, &report));
        CHECK(call.options[0] == '\0' && call.d == SPEC_D && call.seed == seed);      /* same seed, same position */
        bln_basis_free(b);
        desc.text = "hat";
        CHECK_OK(bln_basis_parse(&desc, &b, &report));
        CHECK(call.seed != seed);
        bln_basis_free(b);
    }
    b = NULL;
    call.make_d = 4;
    desc.text = "bias+hat";
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_ESHAPE);
    call.status = BLN_EDOMAIN;
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EDOMAIN);
    CHECK_TEXT(report.text, "own: no");
    desc.text = "cap";
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EUNKNOWN);
    CHECK_TEXT(report.text, "spectral, inducing, gp, group, rbf, hat");
    CHECK(b == NULL);
    CHECK_SIZE(heap.live, 0);
}

/* Points from rows are those of bln_inducing_select, of the columns that the term reads, by a seed of its place; without rows they
 * are spread. What is wrong with rows. */
TEST(spec, rows)
{
    enum { N = 40, M = 6 };
    test_random r = test_random_new(9);
    double X[N*(SPEC_D + 1)], Z[N*2], points[M*2];
    bln_data rows, part;
    bln_inducing_select_desc select;
    bln_report report;
    test_fill_normal(&r, N*(SPEC_D + 1), X);
    memset(&rows, 0, sizeof rows);
    rows.n = N; rows.d = SPEC_D; rows.X = X; rows.ldx = SPEC_D + 1;
    memset(&part, 0, sizeof part);
    part.n = N; part.d = 2; part.X = Z;
    for (size_t i = 0; i < N; i++) { Z[2*i] = X[i*(SPEC_D + 1) + 2]; Z[2*i + 1] = X[i*(SPEC_D + 1)]; }
    for (int choice = 0; choice < 3; choice++) {
        static const char *const texts[3] = { "inducing:m=6,cols=2;0",
                                              "inducing:m=6,kernel=rq,alpha=3,select=pivoted,length=0.7,cols=2;0",
                                              "inducing:m=6,select=random,cols=2;0" };
        static const double length_scale[2] = { 0.7, 0.7 };
        bln_spec_desc desc = spec_desc(texts[choice]);
        bln_basis *b = NULL;
        bln_rng rng;
        size_t m = 0;
        desc.rows = &rows;
        desc.seed = 5;
        CHECK_OK(bln_basis_parse(&desc, &b, NULL));
        memset(&select, 0, sizeof select);
        select.choice = (bln_inducing_choice)choice;
        select.n = M;
        select.kernel = choice == BLN_INDUCING_PIVOTED ? BLN_KERNEL_RQ : BLN_KERNEL_RBF;
        select.shape = choice == BLN_INDUCING_PIVOTED ? 3.0 : 0.0;
        select.length_scale = choice == BLN_INDUCING_PIVOTED ? length_scale : NULL;
        bln_rng_seed(&rng, 5, 0);
        select.seed = bln_rng_next(&rng);
        CHECK_OK(bln_inducing_select(&select, &part, points, NULL, NULL, &m, NULL));
        CHECK(m == M && b && b->D == M);
        if (b) CHECK(!memcmp(bln_inducing_points(((const blni_columns *)b)->part), points, sizeof points));
        bln_basis_free(b);
    }
    bln_spec_desc desc = spec_desc("inducing:m=100+linear");
    bln_basis *b = NULL;
    desc.rows = &rows;
    CHECK_OK(bln_basis_parse(&desc, &b, NULL));
    CHECK_SIZE(b ? b->D : 0, N + SPEC_D + 1);                              /* no more points than rows */
    bln_basis_free(b);
    bln_status status = BLN_ENOMEM;
    for (size_t fail_at = 0; fail_at < 100 && status != BLN_OK; fail_at++) {
        test_heap heap;
        desc.alloc = test_heap_allocator(&heap);
        heap.fail_at = fail_at;
        b = NULL;
        status = bln_basis_parse(&desc, &b, NULL);
        CHECK(status == BLN_OK ? fail_at > 5 && b : status == BLN_ENOMEM && !b);
        bln_basis_free(b);
        CHECK_SIZE(heap.live, 0);
    }
    CHECK_OK(status);
    desc = spec_desc("inducing");
    desc.rows = &rows;
    rows.d = 2;                              CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_ESHAPE);
    rows.d = SPEC_D; rows.n = 0;             CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_ESHAPE);
    rows.n = N; X[2] = BLNI_NAN;             CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EDATA);
    CHECK(report.row == 0 && report.column == 2);
}

/* gp: the rows are the points, of the columns that it reads, in their order, and equal rows too; where only their number is known,
 * there are as many. More than it takes: what to take instead. */
TEST(spec, process)
{
    enum { N = 9 };
    test_random r = test_random_new(9);
    double X[N*SPEC_D], room[4*N*N + 200], K[N*N];
    bln_data rows;
    bln_report report;
    bln_basis *b = NULL;
    bln_spec_desc desc = spec_desc("gp:kernel=matern52,ard,cols=2;0");
    const double theta[2] = { 0.8, 1.4 };
    test_fill_normal(&r, N*SPEC_D, X);
    memcpy(X + 4*SPEC_D, X, SPEC_D*sizeof *X);
    memset(&rows, 0, sizeof rows);
    rows.n = N; rows.d = SPEC_D; rows.X = X;
    desc.rows = &rows;
    CHECK_OK(bln_basis_parse(&desc, &b, &report));
    CHECK(b && b->D == N && b->d == SPEC_D && b->n_theta == 2 && b->n_slices == 1);
    if (!b) return;
    const double *Z = bln_inducing_points(((const blni_columns *)b)->part);
    for (size_t i = 0; i < N; i++) CHECK(Z[2*i] == X[i*SPEC_D + 2] && Z[2*i + 1] == X[i*SPEC_D]);
    CHECK_LE((double)bln_basis_room(b), (double)(sizeof room/sizeof *room));
    CHECK(b->ops->gram(b, theta, N, X, SPEC_D, K, N, room) == 1);
    for (size_t i = 0; i < N; i++)
        for (size_t j = i; j < N; j++) {
            const double tau[2] = { (Z[2*i] - Z[2*j])/theta[0], (Z[2*i + 1] - Z[2*j + 1])/theta[1] };
            CHECK_REL(K[i*N + j], bln_kernel_at(BLN_KERNEL_MATERN52, 0.0, 2, tau), 1e-14);
        }
    CHECK(b->ops->gram(b, theta, N, NULL, SPEC_D, NULL, N, room) == 1);
    CHECK(b->ops->gram(b, theta, N - 1, NULL, SPEC_D, NULL, N, room) == 0);
    X[1] += 1.0;                             CHECK(b->ops->gram(b, theta, N, X, SPEC_D, NULL, N, room) == 1);      /* not read */
    X[2] += 1.0;                             CHECK(b->ops->gram(b, theta, N, X, SPEC_D, NULL, N, room) == 0);
    bln_basis_free(b);
    b = NULL;
    rows.X = NULL;
    desc.text = "gp+linear";
    CHECK_OK(bln_basis_parse(&desc, &b, &report));
    CHECK_SIZE(b ? b->D : 0, N + SPEC_D + 1);
    bln_basis_free(b);
    rows.n = 5001;
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EOVERFLOW);
    CHECK_TEXT(report.text, "inducing:m=");
    CHECK_TEXT(report.text, "matern32:n=");
}

/* Terms of groups: which columns they and others read, levels from rows and given ones, names of slices and features. */
TEST(spec, groups)
{
    enum { N = 6 };
    static const double X[N*SPEC_D] = {
        7, 1, 0.5, 2, 20,   9, 2, 1.5, 3, 10,   7, 3, 2.5, 4, 30,   8, 4, 3.5, 5, 20,   -1, 5, 4.5, 6, 10,   9, 6, 5.5, 7, 30
    };
    static const spec_good goods[] = {
        { "group:by=lat",                                 4, 0, 1, "1|lat" },
        { "group:by=0",                                   4, 0, 1, "1|lat" },
        { "group:by=lat,cols=age",                        8, 0, 2, "1|lat|age|lat" },
        { "group:cols=age;lon,by=lat,ones=0",             8, 0, 2, "age|lat|lon|lat" },
        { "linear+group:by=lat",                          9, 0, 2, "linear of lon, age, body mass, 3|1|lat" },
        { "bias+group:by=lat+group:by= 3 ,ones=1",        9, 0, 3, "bias|1|lat|1|3" },
        { "linear+group:by=lat+group:by=3,cols=lon",     16, 0, 4, "linear of lon, age, body mass|1|lat|1|3|lon|3" },
        { "rbf:n=2,ard+group:by=lat",                     8, 4, 2, "rbf of lon, age, body mass, 3|1|lat" }
    };
    bln_data rows = BLN_ZERO;
    bln_report report;
    bln_basis *b = NULL;
    char name[64];
    rows.n = N;
    rows.d = SPEC_D;
    rows.X = X;
    for (size_t i = 0; i < sizeof goods/sizeof *goods; i++) {
        bln_spec_desc desc = spec_desc(goods[i].text);
        char names[200] = "";
        test_heap heap;
        desc.rows = &rows;
        desc.alloc = test_heap_allocator(&heap);
        CHECK_OK(bln_basis_parse(&desc, &b, &report));
        if (!b) { printf("    in \"%s\": %s\n", goods[i].text, report.text); continue; }
        CHECK(bln_basis_check(b) == NULL);
        CHECK_SIZE(b->d, SPEC_D);
        CHECK_SIZE(b->D, goods[i].D);
        CHECK_SIZE(b->n_theta, goods[i].n_theta);
        CHECK_SIZE(b->n_slices, goods[i].n_slices);
        for (size_t s = 0; s < b->n_slices; s++) {
            bln_basis_slice_name(b, s, spec_names, name, sizeof name);
            if (s) strcat(names, "|");
            strcat(names, name);
        }
        CHECK_TEXT(names, goods[i].slices);
        CHECK_SIZE(strlen(names), strlen(goods[i].slices));
        bln_basis_free(b);
        b = NULL;
        CHECK_SIZE(heap.live, 0);
    }

    /* a line without the groups' column; given levels and names are taken before those of the rows */
    static const double levels[] = { 7, 8, 9, 10 };
    static const char *const words[] = { "seven", "eight", "nine", "ten" };
    bln_group_desc groups[SPEC_D];
    bln_spec_desc desc = spec_desc("linear:ones=0+group:by=lat,cols=age");
    double phi[14];
    memset(groups, 0, sizeof groups);
    groups[0].n = 4;
    groups[0].levels = levels;
    groups[0].names = words;
    desc.groups = groups;
    CHECK_OK(bln_basis_parse(&desc, &b, &report));                         /* no rows are needed then */
    if (b) {
        static const double want[14] = { 2, 1.5, 3, 10,   0, 0, 1, 0, 0,   0, 0, 1.5, 0, 0 };
        CHECK_SIZE(b->D, 14);
        basis_tools_features(b, NULL, 1, X + SPEC_D, SPEC_D, phi, 14);
        CHECK(!memcmp(phi, want, sizeof want));
        bln_basis_feature_name(b, 12, spec_names, name, sizeof name);
        CHECK(!strcmp(name, "age|lat=ten"));
        bln_basis_feature_name(b, 8, spec_names, name, sizeof name);
        CHECK(!strcmp(name, "lat=(new)"));
    }
    bln_basis_free(b);
    b = NULL;

    /* wrong rows: numbers that are no levels, a single one */
    desc.groups = NULL;
    desc.rows = &rows;
    desc.text = "group:by=age";
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EDATA);
    CHECK_TEXT(report.text, "whole number");
    CHECK_SIZE(report.row, 0);
    rows.n = 1;
    desc.text = "bias+group:by=lat";
    CHECK_STATUS(bln_basis_parse(&desc, &b, &report), BLN_EINVAL);
    CHECK_TEXT(report.text, "fewer than two levels");
    CHECK_SIZE(report.column, 5);
    CHECK(b == NULL);
}

TEST(spec, memory)
{
    static const char *const lines[] = { "rbf:n=2,cols=lat;lon+linear+polynomial:cols=age+bias", "bias", "bias+bias",
                                         "rbf:cols=age", "legendre+radial", "matern:draws=sobol",
                                         "rbf:draws=fastfood+bias", "inducing:m=3+bias",
                                         "bias+spectral:n=2,q=3,cols=lat+spectral:draws=fastfood",
                                         "linear+group:by=lat,cols=age" };
    double X[2*SPEC_D] = { 0.0 };
    bln_data rows = BLN_ZERO;
    rows.n = 2;
    rows.d = SPEC_D;
    rows.X = X;
    X[0] = 1.0;
    for (size_t i = 0; i < sizeof lines/sizeof *lines; i++) {
        test_heap heap;
        bln_spec_desc desc = spec_desc(lines[i]);
        bln_basis *b = NULL;
        size_t fail_at = 0;
        for (; fail_at < 100; fail_at++) {
            desc.rows = strstr(lines[i], "group") ? &rows : NULL;
            desc.alloc = test_heap_allocator(&heap);
            heap.fail_at = fail_at;
            const bln_status status = bln_basis_parse(&desc, &b, NULL);
            if (status == BLN_OK) break;
            CHECK_STATUS(status, BLN_ENOMEM);
            CHECK(b == NULL);
            CHECK_SIZE(heap.live, 0);
        }
        CHECK(fail_at >= 4 && fail_at < 100);
        bln_basis_free(b);
        CHECK_SIZE(heap.live, 0);
        CHECK_SIZE(heap.live_bytes, 0);
    }
}

/* Any bytes are refused or accepted, never read beyond their end (a sanitizer sees): short lines over the characters that mean
 * something. */
TEST(spec, noise)
{
    static const char letters[] = "+:,=; \t.e-019rbfnlatcols";
    test_random r = test_random_new(6);
    for (int k = 0; k < 20000; k++) {
        const size_t n = (size_t)(test_uniform(&r)*24.0);
        char *text = (char *)malloc(n + 6);
        bln_spec_desc desc;
        test_heap heap;
        bln_basis *b = NULL;
        size_t at = 0;
        if (k & 1) { memcpy(text, k & 2 ? "rbf:" : "bias+", 5); at = k & 2 ? 4 : 5; }
        for (size_t i = 0; i < n; i++) text[at + i] = letters[(size_t)(test_uniform(&r)*(double)(sizeof letters - 1))];
        text[at + n] = '\0';
        desc = spec_desc(text);
        desc.alloc = test_heap_allocator(&heap);
        const bln_status status = bln_basis_parse(&desc, &b, NULL);
        const int good = status == BLN_OK ? b && !bln_basis_check(b) : !b && (status == BLN_EINVAL || status == BLN_EUNKNOWN);
        CHECK(good);
        if (!good) puts(text);
        bln_basis_free(b);
        if (heap.live) { CHECK_SIZE(heap.live, 0); puts(text); }
        free(text);
    }
}

SUITE_BEGIN(spec)
    SUITE_TEST(spec, good_lines)
    SUITE_TEST(spec, bad_lines)
    SUITE_TEST(spec, without_names_or_inputs)
    SUITE_TEST(spec, long_line)
    SUITE_TEST(spec, seeds)
    SUITE_TEST(spec, options_arrive)
    SUITE_TEST(spec, numbers)
    SUITE_TEST(spec, own_terms)
    SUITE_TEST(spec, rows)
    SUITE_TEST(spec, process)
    SUITE_TEST(spec, groups)
    SUITE_TEST(spec, memory)
    SUITE_TEST(spec, noise)
SUITE_END(spec)

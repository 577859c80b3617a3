/* test_plot: the SVG writer
 *
 * Ticks are round and few; numbers have the decimals of their step; every range, however odd, gives finite coordinates; texts are
 * escaped; what is written is balanced; points that are not finite are left out. */
#include "../test.h"
#include "../../tools/plot.h"

/* A figure with all parts in it, as text to free. */
static char *plot_test_figure(double x_low, double x_high, double y_low, double y_high, const char *name)
{
    double x[4], lower[4], y[4], upper[4];
    plot_figure p;
    FILE *f = tmpfile();
    if (!f) exit(2);
    for (int i = 0; i < 4; i++) {
        x[i] = x_low + (x_high - x_low)*(double)i/3.0;
        y[i] = y_low + (y_high - y_low)*(double)i/3.0;
        lower[i] = y[i] - 1.0;
        upper[i] = y[i] + 1.0;
    }
    plot_begin(&p, f, name, name, name, x_low, x_high, y_low, y_high);
    plot_band(&p, 4, x, lower, upper, "#cccccc", name);
    plot_line(&p, 4, x, y, "#0000ff", name);
    y[1] = HUGE_VAL;
    y[2] = HUGE_VAL - HUGE_VAL;
    plot_points(&p, 4, x, y, "#000000", "");
    plot_end(&p);
    const long n = ftell(f);
    rewind(f);
    char *text = (char *)malloc((size_t)n + 1);
    if (!text) exit(2);
    text[fread(text, 1, (size_t)n, f)] = '\0';
    fclose(f);
    return text;
}

static size_t plot_test_count(const char *text, const char *part)
{
    size_t n = 0;
    while ((text = strstr(text, part)) != NULL) { n++; text += strlen(part); }
    return n;
}

TEST(plot, steps_are_round_and_few)
{
    test_random r = test_random_new(1);
    for (int i = 0; i < 2000; i++) {
        const double low = test_normal(&r), width = pow(10.0, 12.0*test_uniform(&r) - 6.0);
        const double step = plot_step(low, low + width, 8.0);
        const double digit = step/pow(10.0, floor(log10(step) + 1e-9));
        CHECK(fabs(digit - 1.0) < 1e-9 || fabs(digit - 2.0) < 1e-9 || fabs(digit - 5.0) < 1e-9);
        /* 8 wanted; a step of 1 stands for raw steps of 1 to 1.5, of 2 for 1.5 to 3, of 5 for 3 to 7, of 10 for 7 to 10. */
        CHECK_LE(width/step, 8.0*1.5*(1.0 + 1e-9));
        CHECK_LE(8.0*0.6*(1.0 - 1e-9), width/step);
    }
}

TEST(plot, numbers_have_the_decimals_of_their_step)
{
    static const struct { double value, step; const char *text; } want[] = {
        { 20, 5, "20" }, { 0.30000000000000004, 0.1, "0.3" }, { -1e-17, 0.5, "0.0" }, { 1.25, 0.05, "1.25" },
        { -0.002, 0.002, "-0.002" },
        { 3e6, 1e6, "3e+06" }, { 40000, 20000, "40000" }, { 2e-7, 1e-7, "2e-07" }, { 0, 1e-7, "0" }
    };
    char text[40];
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        plot_number(text, sizeof text, want[i].value, want[i].step);
        if (strcmp(text, want[i].text)) printf("    got %s, want %s\n", text, want[i].text);
        CHECK(!strcmp(text, want[i].text));
    }
}

TEST(plot, any_range_gives_finite_coordinates)
{
    static const double range[][2] = {
        { 0, 1 }, { 5, 5 }, { 0, 0 }, { 3, -3 }, { 1e15, 1e15 + 1 }, { -1e300, 1e300 }, { 1e-300, 2e-300 },
        { 7, HUGE_VAL }, { -2, 1e-12 }
    };
    for (size_t i = 0; i < sizeof range / sizeof *range; i++) {
        char *text = plot_test_figure(range[i][0], range[i][1], range[i][1], range[i][0], "v");
        if (!(range[i][1] > 1e307)) CHECK_SIZE(plot_test_count(text, "nan") + plot_test_count(text, "inf"), 0);
        CHECK_LE((double)strlen(text), 16000.0);       /* never a flood of ticks */
        CHECK_SIZE(plot_test_count(text, "</svg>\n"), 1);
        free(text);
    }
}

TEST(plot, texts_are_escaped_and_parts_balanced)
{
    char *text = plot_test_figure(0.0, 1.0, 0.0, 1.0, "a<b & \"c\"\n\xC3\xA9");
    CHECK_SIZE(plot_test_count(text, "a&lt;b &amp; &quot;c&quot; \xC3\xA9</text>"), 5);      /* title, axes, legend */
    CHECK_SIZE(plot_test_count(text, "<text"), plot_test_count(text, "</text>"));
    CHECK_SIZE(plot_test_count(text, "<g "), plot_test_count(text, "</g>"));
    CHECK_SIZE(plot_test_count(text, "<circle"), 2);                       /* two of four points are not finite; no legend for "" */
    CHECK_SIZE(plot_test_count(text, "<"), plot_test_count(text, ">"));
    free(text);
}

/* Many entries of a legend take several lines, and those for which there is no room are left out; each has its shape. Nothing is
 * drawn of nothing. A broken byte at the end of a text, which was cut there, is left out. */
TEST(plot, legends_have_lines)
{
    plot_figure p;
    char text[20000], name[] = "a > b 00";
    const double at = 0.5;
    FILE *f = tmpfile();
    if (!f) exit(2);
    plot_begin(&p, f, "t\xC3", "x", "y", 0.0, 1.0, 0.0, 1.0);
    plot_band(&p, 0, &at, &at, &at, "#cccccc", "none");
    plot_line(&p, 0, &at, &at, "#cccccc", "none");
    plot_line(&p, 1, &at, &at, "#cccccc", NULL);                                                /* no entry */
    for (size_t k = 0; k < PLOT_ENTRIES + 2; k++) {
        const char *color = plot_style(&p, k);
        name[6] = (char)('0' + k/10);
        name[7] = (char)('0' + k % 10);
        plot_points(&p, 1, &at, &at, color, name);
    }
    plot_end(&p);
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    CHECK_SIZE(plot_test_count(text, "a &gt; b "), PLOT_ENTRIES);
    CHECK_SIZE(plot_test_count(text, "none<"), 0);
    CHECK_SIZE(plot_test_count(text, ">t</text>"), 1);
    CHECK(plot_test_count(text, "y=\"50.3\"") > 1 && plot_test_count(text, "y=\"69.3\"") > 1);          /* two lines */
}

/* A logarithmic axis over 60 decades: at most one tick for each 45 pixels, all of them powers of ten. */
TEST(plot, many_decades_have_few_ticks)
{
    plot_figure p;
    plot_desc d;
    char text[20000];
    FILE *f = tmpfile();
    if (!f) exit(2);
    memset(&d, 0, sizeof d);
    d.width = PLOT_WIDTH; d.height = PLOT_HEIGHT; d.left = PLOT_LEFT;
    d.x_log = 1;
    d.x_low = -30.0; d.x_high = 30.0; d.y_low = 0.0; d.y_high = 1.0;
    plot_panel_of(&p, f, &d);
    plot_panel_end(&p);
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    const size_t ticks = plot_test_count(text, ">1e");
    CHECK(ticks > 5 && ticks <= (PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT)/45 + 1);
    if (!(ticks > 5)) printf("%s", text);
}

TEST(plot, points_land_where_they_belong)
{
    plot_figure p;
    memset(&p, 0, sizeof p);
    p.width = PLOT_WIDTH; p.height = PLOT_HEIGHT; p.left = PLOT_LEFT; p.top = PLOT_TOP; p.bottom = PLOT_BOTTOM;
    p.x_low = -2.0; p.x_high = 6.0; p.y_low = 10.0; p.y_high = 30.0;
    CHECK_NEAR(plot_px(&p, -2.0), PLOT_LEFT, 1e-9);
    CHECK_NEAR(plot_px(&p, 6.0), PLOT_WIDTH - PLOT_RIGHT, 1e-9);
    CHECK_NEAR(plot_px(&p, 2.0), 0.5*(PLOT_LEFT + PLOT_WIDTH - PLOT_RIGHT), 1e-9);
    CHECK_NEAR(plot_py(&p, 10.0), PLOT_HEIGHT - PLOT_BOTTOM, 1e-9);           /* upwards */
    CHECK_NEAR(plot_py(&p, 30.0), PLOT_TOP, 1e-9);
    CHECK_LE(fabs(plot_px(&p, 1e300)), 1e5);
}

SUITE_BEGIN(plot)
SUITE_TEST(plot, steps_are_round_and_few)
SUITE_TEST(plot, numbers_have_the_decimals_of_their_step)
SUITE_TEST(plot, any_range_gives_finite_coordinates)
SUITE_TEST(plot, texts_are_escaped_and_parts_balanced)
SUITE_TEST(plot, legends_have_lines)
SUITE_TEST(plot, many_decades_have_few_ticks)
SUITE_TEST(plot, points_land_where_they_belong)
SUITE_END(plot)

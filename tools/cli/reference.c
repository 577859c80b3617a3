/* reference: z = difference/sqrt(mcse^2 + mcse_reference^2), of the mean and of the standard deviation */
#include "reference.h"
#include "number.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Are these the same name? theta.1.2 is theta[1,2]. */
static int reference_same(const char *a, const char *b)
{
    for (; *a || *b; a++, b++) {
        const char x = *a == '[' || *a == ',' ? '.' : *a, y = *b == '[' || *b == ',' ? '.' : *b;
        if (x == y) continue;
        if (x == ']' && !a[1] && !*b) return 1;
        if (y == ']' && !b[1] && !*a) return 1;
        return 0;
    }
    return 1;
}

/* The parameter of that name, or BLN_NONE. */
static size_t reference_find(const bln_chains *c, const char *name)
{
    for (size_t k = 0; k < bln_chains_columns(c); k++)
        if (bln_chains_is_parameter(c, k) && reference_same(bln_chains_name(c, k), name)) return k;
    return BLN_NONE;
}

/* z of two figures: 0 if they are equal; infinite if they differ but have no errors, as of constants. NaN: it cannot be told. */
static double reference_z(double a, double error_a, double b, double error_b)
{
    if (a == b) return 0.0;
    const int none_a = !(error_a > 0.0), none_b = !(error_b > 0.0);
    if (none_a && none_b && isfinite(a) && isfinite(b)) return a > b ? HUGE_VAL : -HUGE_VAL;
    return (a - b)/hypot(error_a, error_b);
}

/* A parameter that never changes has no error. */
static double reference_error(const bln_summary *s, double mcse) { return s->sd == 0.0 ? 0.0 : mcse; }

int reference_compare(const bln_chains *draws, const bln_summary *of, const bln_chains *reference, const cli_answer *to,
                      cli_why *why)
{
    size_t width = 4, common = 0, far = 0, own = 0, others = 0;
    double worst = 0.0;
    cli_shown shown;
    cli_counted counted;
    int status = CLI_GOOD;
    for (size_t k = 0; k < bln_chains_columns(draws); k++) {
        const size_t n = strlen(cli_show(&shown, bln_chains_name(draws, k)));
        if (bln_chains_is_parameter(draws, k) && n > width) width = n;
    }
    say(to, "\n%-*s %10s %10s %7s %10s %10s %7s\n", (int)width, "name", "mean", "reference", "z", "sd", "reference", "z");
    json_array(to->json, "reference");
    for (size_t k = 0; k < bln_chains_columns(draws) && !status; k++) {
        bln_summary s;
        bln_report report;
        if (!bln_chains_is_parameter(draws, k)) continue;
        const size_t at = reference_find(reference, bln_chains_name(draws, k));
        if (at == BLN_NONE) { own++; continue; }
        if (bln_chains_summary(reference, at, &s, &report) != BLN_OK) status = cli_fail(why, "%s", report.text);
        const double z_mean = reference_z(of[k].mean, reference_error(&of[k], of[k].mcse_mean), s.mean,
                                          reference_error(&s, s.mcse_mean));
        const double z_sd = reference_z(of[k].sd, reference_error(&of[k], of[k].mcse_sd), s.sd, reference_error(&s, s.mcse_sd));
        common++;
        if (!(fabs(z_mean) <= REFERENCE_FAR)) far++;
        if (!(fabs(z_sd) <= REFERENCE_FAR)) far++;
        if (fabs(z_mean) > worst) worst = fabs(z_mean);
        if (fabs(z_sd) > worst) worst = fabs(z_sd);
        say(to, "%-*s %10.4g %10.4g %7.2f %10.4g %10.4g %7.2f\n", (int)width, cli_show(&shown, bln_chains_name(draws, k)),
            number_plain(of[k].mean), number_plain(s.mean), number_plain(z_mean), number_plain(of[k].sd), number_plain(s.sd),
            number_plain(z_sd));
        json_object(to->json, NULL);
        json_text(to->json, "name", bln_chains_name(draws, k));
        json_number(to->json, "mean", of[k].mean);
        json_number(to->json, "reference_mean", s.mean);
        json_number(to->json, "z_mean", z_mean);
        json_number(to->json, "sd", of[k].sd);
        json_number(to->json, "reference_sd", s.sd);
        json_number(to->json, "z_sd", z_sd);
        json_end(to->json);
    }
    if (status) return status;
    if (common == 0) return cli_fail(why, "the reference has no parameter of these names");
    say(to, "\n%s compared; the largest |z| is %.2f", cli_count(&counted, common, "parameter"), number_plain(worst));
    for (size_t k = 0; k < bln_chains_columns(reference); k++) others += bln_chains_is_parameter(reference, k) != 0;
    others -= common;
    if (own) say(to, " (%lu are not in the reference)", (unsigned long)own);
    if (others) say(to, " (%lu are only in the reference)", (unsigned long)others);
    say(to, ".\n");
    json_end(to->json);
    if (!far) return CLI_GOOD;
    cli_fail(why, "%s of %lu with |z| above %.0f or without a standard error: these are not draws of the reference's distribution",
             cli_count(&counted, far, "figure"), 2*(unsigned long)common, REFERENCE_FAR);
    return CLI_DOUBT;
}

/* bench_convergence.c - how fast the sweeps of `cavi` converge, and why: each likelihood of one latent that it takes
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_convergence.c -o build/bench_convergence -lm
 *     build/bench_convergence [GAPS.svg PRIORS.svg]      from the top of the project; docs/convergence_of_cavi.md shows the figures
 *
 * Data of examples/data, `bias + linear:ones=0`, prior standard deviations 5 and s, held; parameters of the likelihood held at what
 * `full` learns there with s = 1. A likelihood is a row of `cases`. First a table with s = 1; then one with other s, of those that
 * have a colour in the second picture. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "table.h"
#include "sweeps.h"
#include "../tools/plot.h"

/* ---- the data: inputs of real numbers are standardised, kinds are columns of 0 and 1 for all but the first */

enum { IRIS, APART, CBPP, SHIPS, BOSTON, SETS };
static const char *const set_names[SETS] = { "iris, two species", "iris, setosa", "cbpp", "ships", "boston" };
static double inputs[SETS][506*18], targets[SETS][506], sizes[SETS][506];
static bln_data sets[SETS];

static void kept(int k, size_t n, size_t d, int sized)
{
    sets[k].n = n;
    sets[k].d = d;
    sets[k].X = inputs[k];
    sets[k].y = targets[k];
    sets[k].trials = sized ? sizes[k] : NULL;
}

static FILE *opened(const char *path)
{
    static char line[1000];
    FILE *f = fopen(path, "r");
    if (!f || !fgets(line, sizeof line, f)) { printf("cannot read %s\n", path); exit(1); }
    return f;
}

static void iris(void)
{
    double x[4];
    char name[32];
    size_t n = 0, two = 0;
    FILE *f = opened("examples/data/iris.csv");
    while (fscanf(f, "%lf,%lf,%lf,%lf,%31s", x, x + 1, x + 2, x + 3, name) == 5) {
        memcpy(inputs[APART] + 4*n, x, sizeof x);
        targets[APART][n++] = !strcmp(name, "setosa");
        if (!strcmp(name, "setosa")) continue;
        memcpy(inputs[IRIS] + 4*two, x, sizeof x);
        targets[IRIS][two++] = !strcmp(name, "virginica");
    }
    fclose(f);
    for (size_t j = 0; j < 4; j++) {
        standardise(inputs[APART] + j, n, 4);
        standardise(inputs[IRIS] + j, two, 4);
    }
    kept(APART, n, 4, 0);
    kept(IRIS, two, 4, 0);
}

/* Herds 2 to 15 and periods 2 to 4. */
static void cbpp(void)
{
    enum { D = 17 };
    int herd, period, sick, size;
    size_t n = 0;
    FILE *f = opened("examples/data/cbpp.csv");
    for (; fscanf(f, "%d,%d,%d,%d", &herd, &period, &sick, &size) == 4; n++) {
        if (herd > 1) inputs[CBPP][n*D + (size_t)herd - 2] = 1.0;
        if (period > 1) inputs[CBPP][n*D + 12 + (size_t)period] = 1.0;
        targets[CBPP][n] = sick;
        sizes[CBPP][n] = size;
    }
    fclose(f);
    kept(CBPP, n, D, 1);
}

/* Types B to E, three later times of building, the later time of service; the exposure in 1000 months. */
static void ships(void)
{
    enum { D = 8 };
    char type;
    int built, operated, service, incidents;
    size_t n = 0;
    FILE *f = opened("examples/data/ships.csv");
    for (; fscanf(f, " %c,%d-%*d,%d-%*d,%d,%d", &type, &built, &operated, &service, &incidents) == 5; n++) {
        double *x = inputs[SHIPS] + n*D;
        if (type > 'A') x[type - 'B'] = 1.0;
        if (built > 1960) x[3 + (built - 1960)/5] = 1.0;
        x[7] = operated > 1960;
        targets[SHIPS][n] = incidents;
        sizes[SHIPS][n] = service/1000.0;
    }
    fclose(f);
    kept(SHIPS, n, D, 1);
}

static void boston(void)
{
    bln_data data = BLN_ZERO;
    read_rows("examples/data/boston.csv", 0, 0, &data);
    standardise(y, data.n, 1);
    memcpy(inputs[BOSTON], X, data.n*data.d*sizeof *X);
    memcpy(targets[BOSTON], y, data.n*sizeof *y);
    kept(BOSTON, data.n, data.d, 0);
}

/* ---- the cases */

enum { CASES = 11, PRIORS = 17 };
typedef struct kind {
    const char *name;
    int set;
    bln_likelihood likelihood;
    const char *color;
    int panel;                                                    /* of the first picture: fast, slow; -1: none */
    double x, y;                                                  /* where its name stands there, in data */
    int scanned;                                                  /* is it in the second? */
    size_t name_at[2];                                            /* at which s its name begins in the panels there; 0: nowhere */
} kind;
static kind cases[CASES];

typedef struct result { double eta[2], of_bound, of_m, rho, missing, greatest; size_t plain, combined, back; } result;

static void list_cases(void)
{
    const bln_likelihood logit = bln_likelihood_binomial(BLN_LINK_LOGIT), probit = bln_likelihood_binomial(BLN_LINK_PROBIT);
    const kind all[CASES] = {
        { "logistic", IRIS, logit, "#1f4e8c", 1, 56.0, -8.0, 1, { 3, 10 } },
        { "probit", IRIS, probit, "#c8660a", 1, 200.0, -4.2, 1, { 1, 10 } },
        { "logistic, apart", APART, logit, "#5b8fd0", 1, 76.0, -9.3, 1, { 1, 10 } },
        { "probit, apart", APART, probit, "#e8a03c", 1, 200.0, -0.8, 1, { 1, 10 } },
        { "binomial", CBPP, logit, "#14694a", 0, 19.3, -9.3, 0, { 0, 0 } },
        { "Poisson", CBPP, bln_likelihood_poisson(BLN_LINK_LOGIT), "#8e4fa8", 0, 12.8, -6.9, 0, { 0, 0 } },
        { "negative binomial", SHIPS, bln_likelihood_negative_binomial(), "#8a6500", 0, 1.2, -8.0, 0, { 0, 0 } },
        { "Gaussian", BOSTON, bln_likelihood_gaussian(), "#4d4d4d", -1, 0.0, 0.0, 0, { 0, 0 } },
        { "Student-t", BOSTON, bln_likelihood_student_t(), "#2a8a57", 0, 19.6, -6.5, 1, { 12, 0 } },
        { "Laplace", BOSTON, bln_likelihood_laplace(), "#b3400f", 0, 27.0, -5.8, 1, { 12, 0 } },
        { "asymmetric Laplace", BOSTON, bln_likelihood_asymmetric_laplace(0.9), "#c2408a", 1, 174.0, -7.0, 0, { 0, 0 } }
    };
    memcpy(cases, all, sizeof all);
}

static bln_glm_desc described(const kind *c, const bln_basis *basis, const double *prior_var)
{
    bln_glm_desc d = BLN_ZERO;
    d.basis = basis;
    d.likelihood = c->likelihood;
    d.prior_var = prior_var;
    d.fix_prior_var = 1;
    d.method = bln_glm_full(NULL);
    return d;
}

static void learn_eta(const kind *c, const bln_basis *basis, double *eta)
{
    static const double prior_var[2] = { 25.0, 1.0 };
    const bln_glm_desc d = described(c, basis, prior_var);
    bln_report report;
    bln_glm *glm = NULL;
    must(bln_glm_create(&d, &glm, &report), &report);
    must(bln_glm_fit(glm, &sets[c->set], &report), &report);
    for (size_t k = 0; k < c->likelihood.n_theta; k++) eta[k] = bln_glm_likelihood_theta(glm)[k];
    bln_glm_free(glm);
}

/* The share that is missing in direction u: 1 - (what the bound falls)/KL(q | q at the end), near the end; both by +u and -u. With
 * Omega known the bound would fall by the divergence. */
static double missing(blni_full *q, const bln_glm *glm, const fixed_point *f, const double *u)
{
    const double e = 0.02, fall = f->bound - 0.5*(try_at(q, glm, f, e, u) + try_at(q, glm, f, -e, u));
    return 1.0 - fall/(0.5*e*e);                                  /* u has length 1 in the metric of the divergence */
}

static void measure(const kind *c, const bln_basis *basis, double s, result *r, trace *plain, trace *combined)
{
    const double prior_var[2] = { 25.0, s*s };
    bln_glm_desc d = described(c, basis, prior_var);
    bln_glm *glm = NULL;
    fixed_point f;
    d.likelihood_theta = c->likelihood.n_theta ? r->eta : NULL;
    d.fix_likelihood = 1;
    blni_full *q = sweeps_open(&d, &sets[c->set], BLN_CAVI_ACCELERATED, &glm);
    sweep_to_the_end(q, glm);
    fixed_point_of(q, &f);
    double *u = (double *)malloc((f.D*f.D + f.D)*sizeof *u);
    r->rho = radius(q, glm, &f, u);
    r->missing = missing(q, glm, &f, u);
    r->greatest = f.bound;
    bln_glm_free(glm);
    for (int way = 0; way < 2; way++) {
        trace *t = way ? plain : combined;
        q = sweeps_open(&d, &sets[c->set], way ? BLN_CAVI_PLAIN : BLN_CAVI_ACCELERATED, &glm);
        sweeps_follow(q, glm, &f, t);
        bln_glm_free(glm);
    }
    rates(plain, r->greatest, 1e-6, 1e-10, &r->of_bound, &r->of_m);
    r->plain = passes_to(plain, r->greatest, 1e-6);
    r->combined = passes_to(combined, r->greatest, 1e-6);
    r->back = r->combined - sweeps_to(combined, r->greatest, 1e-6) - 1;        /* a pass for the start */
    free(u);
    fixed_point_free(&f);
}

/* What Omega holds of a row's information on f that y does not, at f: of a class by logit 1 - f/sinh f, by probit 1 - phi^2/(Phi
 * (1 - Phi)) on average over y. */
static double missing_of_row(int probit, double f)
{
    const double density = bln_norm_pdf(f);
    if (probit) return 1.0 - density*density/(bln_norm_cdf(f)*bln_norm_cdf(-f));
    return f > 0.0 ? 1.0 - f/sinh(f) : 0.0;
}

static double prior_sd(size_t i) { return pow(10.0, -1.0 + 0.125*(double)i); }

/* ---- the pictures */

enum { WIDTH = 520, HEIGHT = 400, TOP = 44 };

/* A name at pixels (x, y), turned so that it runs along what rises by slope, 7 pixels above it; lines behind it are cleared. */
static void label(const plot_figure *p, double x, double y, double slope, const char *color, const char *text)
{
    fprintf(p->file, "<text transform=\"translate(%.1f %.1f) rotate(%.1f)\" y=\"-7\" font-size=\"12.5\" fill=\"%s\" "
            "stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">", x, y, 57.29578*atan(slope), color);
    plot_text(p->file, text);
    fputs("</text>\n", p->file);
}

static void label_along(const plot_figure *p, const double *x, const double *y, const kind *c, size_t at)
{
    const double x0 = plot_px(p, x[at]), y0 = plot_py(p, y[at]);
    label(p, x0, y0, (plot_py(p, y[at + 2]) - y0)/(plot_px(p, x[at + 2]) - x0), c->color, c->name);
}

static plot_desc panel(int right, const char *title, const char *x_label, const char *y_label)
{
    plot_desc d;
    memset(&d, 0, sizeof d);
    d.id = right;
    d.x = right*WIDTH;
    d.width = WIDTH;
    d.height = HEIGHT;
    d.top = TOP;
    d.title = title;
    d.x_label = x_label;
    d.y_label = y_label;
    return d;
}

static const char *const powers[7] = { "10\xE2\x81\xBB\xC2\xB9\xE2\x81\xB0", "10\xE2\x81\xBB\xE2\x81\xB8",
                                       "10\xE2\x81\xBB\xE2\x81\xB6",
                                       "10\xE2\x81\xBB\xE2\x81\xB4", "10\xE2\x81\xBB\xC2\xB2", "1", "100" };

/* y of a gap on an axis whose names stand for 1e-10, 1e-8, ... */
static double height(double gap) { return gap > 1e-12 ? 0.5*log10(gap) + 5.0 : NAN; }

/* Points are measured; lines have the slope of the square of the radius, through the point nearest to 1e-6 nats. */
static void picture_of_gaps(FILE *file, const result *one, const trace *plain)
{
    static double x[SWEEPS], y[SWEEPS];
    plot_sheet(file, 2*WIDTH, HEIGHT);
    for (int right = 0; right < 2; right++) {
        const double end = right ? 300.0 : 40.0;
        plot_desc d = panel(right, right ? "slow sweeps" : "fast sweeps", "plain sweeps",
                            right ? NULL : "missing height of the bound, nats");
        plot_figure p;
        d.x_high = end;
        d.y_high = 6.2;
        d.n_y_names = 7;
        d.y_names = powers;
        plot_panel_of(&p, file, &d);
        for (size_t k = 0; k < CASES; k++) {
            const trace *t = plain + k;
            const double slope = log10(one[k].rho);
            size_t at = 0, n = 0;
            if (cases[k].panel != right) continue;
            for (size_t i = 0; i < t->steps; i++) {
                const double gap = one[k].greatest - t->bound[i];
                if (gap > 1e-7) at = i;
                if (gap < 1e-10 || (double)i > end || (right && i % 4)) continue;
                x[n] = (double)i;
                y[n++] = height(gap);
            }
            const double middle = height(one[k].greatest - t->bound[at]);
            p.stroke = 1.2;
            plot_stroke(&p, 0.0, middle - slope*(double)at, end, middle + slope*(end - (double)at), cases[k].color);
            p.size = 0.9;
            plot_points(&p, n, x, y, cases[k].color, "");
            label(&p, plot_px(&p, cases[k].x), plot_py(&p, height(pow(10.0, cases[k].y))), 0.0, cases[k].color, cases[k].name);
        }
        plot_panel_end(&p);
    }
    plot_sheet_end(file);
}

/* On the left the radius, on the right sweeps, plain and combined. */
static void picture_of_priors(FILE *file, result scan[CASES][PRIORS])
{
    static const char *const counts[5] = { "1", "10", "100", "1000", "10,000" };
    plot_sheet(file, 2*WIDTH, HEIGHT);
    for (int right = 0; right < 2; right++) {
        plot_desc d = panel(right, right ? "sweeps to within 10\xE2\x81\xBB\xE2\x81\xB6 nats: plain; dashed: combined"
                                         : "spectral radius: the share of information that is missing",
                            "prior standard deviation s of a weight", NULL);
        plot_figure p;
        d.x_low = -1.0;
        d.x_high = 1.0;
        d.x_log = 1;
        d.y_high = right ? 4.3 : 1.0;
        d.n_y_names = right ? 5 : 0;
        d.y_names = counts;
        plot_panel_of(&p, file, &d);
        for (size_t k = 0; k < CASES; k++)
            for (int way = right; way >= 0 && cases[k].name_at[right]; way--) {
                double x[PRIORS], y[PRIORS];
                size_t n = 0;
                for (size_t i = 0; i < PRIORS; i++) {
                    const result *r = &scan[k][i];
                    const size_t sweeps = way ? r->combined : r->plain;
                    if (right && !sweeps) continue;                /* more than were tried */
                    x[n] = log10(prior_sd(i));
                    y[n++] = right ? log10((double)sweeps) : r->rho;
                }
                p.dash = way ? "5 3" : "";
                plot_line(&p, n, x, y, cases[k].color, "");
                if (!way) label_along(&p, x, y, cases + k, cases[k].name_at[right]);
            }
        plot_panel_end(&p);
    }
    plot_sheet_end(file);
}

static void draw(const char *path, const result *one, const trace *plain, result scan[CASES][PRIORS])
{
    FILE *file = fopen(path, "w");
    if (!file) { perror(path); exit(1); }
    if (plain) picture_of_gaps(file, one, plain);
    else       picture_of_priors(file, scan);
    if (fclose(file)) exit(1);
}

/* ---- the tables */

static void print_one(const kind *c, size_t D, const result *r)
{
    printf("| %s | %s | %d, %d |", c->name, set_names[c->set], (int)sets[c->set].n, (int)D);
    if (r->rho > 0.0) printf(" %.4f | %.4f | %.4f |", r->of_m, r->of_bound, r->rho*r->rho);
    else              printf(" - | - | 0 |");
    printf(" %.4f | %.4f | %d | %d | %d |\n", r->rho, fabs(r->missing), (int)r->plain, (int)r->combined, (int)r->back);
    fflush(stdout);
}

static void print_scan(result scan[CASES][PRIORS])
{
    printf("\n| s |");
    for (size_t k = 0; k < CASES; k++) if (cases[k].scanned) printf(" %s |", cases[k].name);
    printf("\n| --- |");
    for (size_t k = 0; k < CASES; k++) if (cases[k].scanned) printf(" --- |");
    for (size_t i = 0; i < PRIORS; i += 4) {
        printf("\n| %.2g |", prior_sd(i));
        for (size_t k = 0; k < CASES; k++) {
            const result *r = &scan[k][i];
            if (!cases[k].scanned) continue;
            printf(" %.4f: %s%d, %d |", r->rho, r->plain ? "" : "> ", r->plain ? (int)r->plain : SWEEPS - 1, (int)r->combined);
        }
    }
    printf("\n\n| f |");
    for (size_t i = 0; i <= 8; i += 2) printf(" %d |", (int)i);
    printf("\n| --- | --- | --- | --- | --- | --- |");
    for (int probit = 0; probit < 2; probit++) {
        printf("\n| %s |", probit ? "probit" : "logistic");
        for (size_t i = 0; i <= 8; i += 2) printf(" %.3f |", missing_of_row(probit, (double)i));
    }
    puts("");
}

int main(int argc, char **argv)
{
    static trace plain[CASES], combined, other;
    static result one[CASES], scan[CASES][PRIORS];
    bln_report report;
    iris();
    cbpp();
    ships();
    boston();
    list_cases();
    puts("| likelihood | data | rows, weights | distance of m falls by | gap of the bound falls by | square of the radius "
         "| spectral radius | missing information | sweeps: plain | combined | of these taken back |");
    puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (size_t k = 0; k < CASES; k++) {
        const kind *c = cases + k;
        bln_spec_desc spec = BLN_ZERO;
        bln_basis *basis = NULL;
        spec.text = "bias + linear:ones=0";
        spec.d = sets[c->set].d;
        must(bln_basis_parse(&spec, &basis, &report), &report);
        if (c->likelihood.n_theta) learn_eta(c, basis, one[k].eta);
        measure(c, basis, 1.0, one + k, plain + k, &combined);
        print_one(c, basis->D, one + k);
        for (size_t i = 0; c->scanned && i < PRIORS; i++) {
            memcpy(scan[k][i].eta, one[k].eta, sizeof one[k].eta);
            measure(c, basis, prior_sd(i), scan[k] + i, &other, &combined);
        }
        bln_basis_free(basis);
    }
    print_scan(scan);
    if (argc < 3) return 0;
    draw(argv[1], one, plain, scan);
    draw(argv[2], one, NULL, scan);
    return 0;
}

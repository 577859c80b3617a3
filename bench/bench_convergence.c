/* bench_convergence.c - how fast the sweeps of `cavi` converge, and why: each built-in likelihood that it takes
 *
 *     cc -std=c99 -O2 -Ibuild/include bench/bench_convergence.c -o build/bench_convergence -lm
 *     build/bench_convergence [GAPS.svg PRIORS.svg LATENTS.svg]     from the top of the project
 *
 * docs/convergence_of_cavi.md shows the figures.
 *
 * Data of examples/data, `bias + linear:ones=0`, prior standard deviations 5 and s, held; parameters of the likelihood held at what
 * `full` learns there with s = 1. A likelihood is a row of `cases`, those of several latents at the end. First a table with s = 1
 * and one of several latents; then two with other s; then shares of information that are missing of a row. */
#define BAYESLIN_STATIC
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include "table.h"
#include "sweeps.h"
#include "../tools/plot.h"

/* ---- the data: inputs of real numbers are standardised, kinds are columns of 0 and 1 for all but the first */

enum { IRIS, APART, SPECIES, CBPP, SHIPS, BOSTON, SETS };
static const char *const set_names[SETS] = { "iris, two species", "iris, setosa", "iris", "cbpp", "ships", "boston" };
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
        memcpy(inputs[SPECIES] + 4*n, x, sizeof x);
        targets[SPECIES][n] = !strcmp(name, "setosa") ? 0.0 : 1.0 + !strcmp(name, "virginica");
        targets[APART][n++] = !strcmp(name, "setosa");
        if (!strcmp(name, "setosa")) continue;
        memcpy(inputs[IRIS] + 4*two, x, sizeof x);
        targets[IRIS][two++] = !strcmp(name, "virginica");
    }
    fclose(f);
    for (size_t j = 0; j < 4; j++) {
        standardise(inputs[APART] + j, n, 4);
        standardise(inputs[SPECIES] + j, n, 4);
        standardise(inputs[IRIS] + j, two, 4);
    }
    kept(APART, n, 4, 0);
    kept(SPECIES, n, 4, 0);
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

enum { ONE_LATENT = 11, CASES = 16, PRIORS = 17 };
typedef struct kind {
    const char *name;
    int set;
    bln_likelihood likelihood;
    const char *color;
    int panel;                                                    /* of gaps: fast, slow, several latents; -1: none */
    double x, y;                                                  /* where its name stands there, in data */
    int scanned;                                                  /* is it in panels of other s? */
    size_t name_at[2];                                            /* where its name begins there: radius, sweeps; 0: nowhere */
} kind;
static kind cases[CASES];

/* fell: what the bound falls at most in a plain sweep. lower: how far below the greatest bound plain sweeps end. Of several
 * latents: the radius of one after the other, the least eigenvalue, the radius of each alone, and its part of the slowest
 * direction. */
typedef struct result {
    double eta[2], of_bound, of_m, rho, missing, greatest, fell, lower, in_turn, least, alone[3], share[3];
    size_t plain, combined, back;
} result;

static void list_cases(void)
{
    const bln_likelihood logit = bln_likelihood_binomial(BLN_LINK_LOGIT), probit = bln_likelihood_binomial(BLN_LINK_PROBIT);
    const bln_softmax over = BLN_SOFTMAX_OVER;
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
        { "asymmetric Laplace", BOSTON, bln_likelihood_asymmetric_laplace(0.9), "#c2408a", 1, 174.0, -7.0, 0, { 0, 0 } },
        { "heteroscedastic", BOSTON, bln_likelihood_heteroscedastic(), "#4d4d4d", 2, 120.0, -9.3, 1, { 10, 0 } },
        { "heteroscedastic t", BOSTON, bln_likelihood_heteroscedastic_t(), "#2a8a57", 2, 30.0, -6.2, 1, { 1, 0 } },
        { "logistic softmax", SPECIES, bln_likelihood_logistic_softmax(3, over), "#1f4e8c", 2, 240.0, -5.3, 1, { 9, 0 } },
        { "bijective", SPECIES, bln_likelihood_logistic_softmax(3, BLN_SOFTMAX_BIJECTIVE), "#8e4fa8", 2, 236.0, -6.7, 1, { 3, 0 } },
        { "with scales", SPECIES, bln_likelihood_logistic_softmax(3, BLN_SOFTMAX_SCALED), "#c8660a", 2, 330.0, -2.4, 1, { 1, 0 } }
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
    static const double prior_var[4] = { 25.0, 1.0, 25.0, 1.0 };
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
    double *room = (double *)malloc(f->n*sizeof *room);
    const double e = 0.02, fall = f->bound - 0.5*(try_at(q, glm, f, e, u, room) + try_at(q, glm, f, -e, u, room));
    free(room);
    return 1.0 - fall/(0.5*e*e);                                  /* u has length 1 in the metric of the divergence */
}

/* Of several latents: each by itself, one after the other, and what of the slowest direction u is in each; the least eigenvalue. */
static void several(blni_full *q, const bln_glm *glm, const fixed_point *f, const double *u, result *r)
{
    double *v = (double *)malloc(2*f->n*sizeof *v), *w = v + f->n;
    if (f->parts > 1) {
        whiten(f, u, w);
        for (size_t k = 0; k < f->parts; k++) {
            const double *A = w + f->part[k].at, *b = w + f->size + f->part[k].first;
            const size_t D = f->part[k].D;
            r->share[k] = bln_dot(D*D, A, A) + bln_dot(D, b, b);
            r->alone[k] = eigenvalue(q, glm, f, ALONE + k, 0.0, v);
        }
        r->in_turn = eigenvalue(q, glm, f, IN_TURN, 0.0, v);
        r->least = eigenvalue(q, glm, f, TOGETHER, r->rho, v);
    }
    free(v);
}

static void measure(const kind *c, const bln_basis *basis, double s, result *r, trace *plain, trace *combined)
{
    const double prior_var[4] = { 25.0, s*s, 25.0, s*s };
    bln_glm_desc d = described(c, basis, prior_var);
    bln_glm *glm = NULL;
    fixed_point f;
    d.likelihood_theta = c->likelihood.n_theta ? r->eta : NULL;
    d.fix_likelihood = 1;
    blni_full *q = sweeps_open(&d, &sets[c->set], BLN_CAVI_ACCELERATED, &glm);
    sweep_to_the_end(q, glm);
    fixed_point_of(q, &f);
    double *u = (double *)malloc(f.n*sizeof *u);
    r->rho = radius(q, glm, &f, u);
    several(q, glm, &f, u, r);
    r->missing = missing(q, glm, &f, u);
    r->greatest = f.bound;
    bln_glm_free(glm);
    for (int way = 0; way < 2; way++) {
        trace *t = way ? plain : combined;
        q = sweeps_open(&d, &sets[c->set], way ? BLN_CAVI_PLAIN : BLN_CAVI_ACCELERATED, &glm);
        sweeps_follow(q, glm, &f, t);
        bln_glm_free(glm);
    }
    r->fell = 0.0;
    for (size_t i = 1; i < plain->steps; i++) r->fell = fmax(r->fell, plain->bound[i - 1] - plain->bound[i]);
    r->lower = r->greatest - plain->bound[plain->steps - 1];
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

/* As that, of the noise's f = f_1, with the mean known: 1 - (sigma(f)^2/2)/E omega, where omega ~ PG(1/2 + n, f) and n is e^f/2 on
 * average. Of f_j of three classes whose f are equal: 1 - sigma(-f)^2 p (1 - p)/E omega, p = 1/3, where omega ~ PG([y = j] + n_j,
 * f) and n_j is p e^-f on average. */
static double missing_of_latent(int class_of_three, double f)
{
    const double p = 1.0/(1.0 + exp(-f)), unit = f != 0.0 ? tanh(0.5*f)/(2.0*f) : 0.25;
    if (class_of_three) return 1.0 - (1.0 - p)*(1.0 - p)*(2.0/3.0)/((1.0 + exp(-f))*unit);
    return 1.0 - p*p/((1.0 + exp(f))*unit);
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

enum { FAST, SLOW, SEVERAL };

/* Points are measured; lines have the slope of the square of the radius, through the point nearest to 1e-6 nats. */
static void panel_of_gaps(FILE *file, int side, int which, const result *one, const trace *plain)
{
    static const char *const titles[3] = { "fast sweeps", "slow sweeps", "several latents" };
    static const double ends[3] = { 40.0, 300.0, 500.0 };
    static double x[SWEEPS], y[SWEEPS];
    plot_desc d = panel(side, titles[which], "plain sweeps", side ? NULL : "missing height of the bound, nats");
    plot_figure p;
    d.x_high = ends[which];
    d.y_high = 6.2;
    d.n_y_names = 7;
    d.y_names = powers;
    plot_panel_of(&p, file, &d);
    for (size_t k = 0; k < CASES; k++) {
        const trace *t = plain + k;
        const double slope = log10(one[k].rho);
        size_t at = 0, n = 0;
        if (cases[k].panel != which) continue;
        for (size_t i = 0; i < t->steps; i++) {
            const double gap = one[k].greatest - t->bound[i];
            if (gap > 1e-7) at = i;
            if (gap < 1e-10 || (double)i > d.x_high || (which == SLOW && i % 4) || (which == SEVERAL && i % 6)) continue;
            x[n] = (double)i;
            y[n++] = height(gap);
        }
        const double middle = height(one[k].greatest - t->bound[at]);
        p.stroke = 1.2;
        plot_stroke(&p, 0.0, middle - slope*(double)at, d.x_high, middle + slope*(d.x_high - (double)at), cases[k].color);
        p.size = 0.9;
        plot_points(&p, n, x, y, cases[k].color, "");
        label(&p, plot_px(&p, cases[k].x), plot_py(&p, height(pow(10.0, cases[k].y))), 0.0, cases[k].color, cases[k].name);
    }
    plot_panel_end(&p);
}

/* The radius, or sweeps, plain and combined, of cases[first .. end - 1]. */
static void panel_of_priors(FILE *file, int side, int sweeps, size_t first, size_t end, double low, result scan[CASES][PRIORS])
{
    static const char *const counts[5] = { "1", "10", "100", "1000", "10,000" };
    plot_desc d = panel(side, sweeps ? "sweeps to within 10\xE2\x81\xBB\xE2\x81\xB6 nats: plain; dashed: combined"
                                     : "spectral radius: the share of information that is missing",
                        "prior standard deviation s of a weight", NULL);
    plot_figure p;
    d.x_low = -1.0;
    d.x_high = 1.0;
    d.x_log = 1;
    d.y_low = low;
    d.y_high = sweeps ? 4.3 : low > 0.0 ? 1.02 : 1.0;           /* room for names */
    d.n_y_names = sweeps ? 5 : 0;
    d.y_names = counts;
    plot_panel_of(&p, file, &d);
    for (size_t k = first; k < end; k++)
        for (int way = sweeps; way >= 0 && cases[k].name_at[sweeps]; way--) {
            double x[PRIORS], y[PRIORS];
            size_t n = 0;
            for (size_t i = 0; i < PRIORS; i++) {
                const result *r = &scan[k][i];
                const size_t count = way ? r->combined : r->plain;
                if (sweeps && !count) continue;                    /* more than were tried */
                x[n] = log10(prior_sd(i));
                y[n++] = sweeps ? log10((double)count) : r->rho;
            }
            p.dash = way ? "5 3" : "";
            plot_line(&p, n, x, y, cases[k].color, "");
            if (!way) label_along(&p, x, y, cases + k, cases[k].name_at[sweeps]);
        }
    plot_panel_end(&p);
}

/* 0: gaps of one latent; 1: other s; 2: both, of several latents. */
static void draw(const char *path, int picture, const result *one, const trace *plain, result scan[CASES][PRIORS])
{
    FILE *file = fopen(path, "w");
    if (!file) { perror(path); exit(1); }
    plot_sheet(file, 2*WIDTH, HEIGHT);
    if (picture == 1) panel_of_priors(file, 0, 0, 0, ONE_LATENT, 0.0, scan);
    else              panel_of_gaps(file, 0, picture ? SEVERAL : FAST, one, plain);
    if (picture == 0) panel_of_gaps(file, 1, SLOW, one, plain);
    else if (picture == 1) panel_of_priors(file, 1, 1, 0, ONE_LATENT, 0.0, scan);
    else panel_of_priors(file, 1, 0, ONE_LATENT, CASES, 0.65, scan);
    plot_sheet_end(file);
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

static void print_several(const result *one, result scan[CASES][PRIORS])
{
    puts("\n| likelihood | s | spectral radius | least eigenvalue | each latent alone | one after the other "
         "| % of the slowest direction in each |\n| --- | --- | --- | --- | --- | --- | --- |");
    for (size_t i = 0; i < 2*(CASES - ONE_LATENT); i++) {
        const size_t k = ONE_LATENT + i/2;
        const result *r = i % 2 ? one + k : &scan[k][0];
        printf("| %s | %g | %.4f | %.4f |", cases[k].name, i % 2 ? 1.0 : prior_sd(0), r->rho, r->least);
        for (size_t j = 0; j < cases[k].likelihood.n_latent; j++) printf("%s %.4f", j ? "," : "", r->alone[j]);
        printf(" | %.4f |", r->in_turn);
        for (size_t j = 0; j < cases[k].likelihood.n_latent; j++) printf("%s %.1f", j ? "," : "", 100.0*r->share[j]);
        puts(" |");
    }
}

static void print_scan(size_t first, size_t end, result scan[CASES][PRIORS])
{
    double fell = 0.0;
    printf("\n| s |");
    for (size_t k = first; k < end; k++) if (cases[k].scanned) printf(" %s |", cases[k].name);
    printf("\n| --- |");
    for (size_t k = first; k < end; k++) if (cases[k].scanned) printf(" --- |");
    for (size_t i = 0; i < PRIORS; i += 4) {
        printf("\n| %.2g |", prior_sd(i));
        for (size_t k = first; k < end; k++) {
            const result *r = &scan[k][i];
            if (!cases[k].scanned) continue;
            printf(" %.4f: %s%d, %d |", r->rho, r->plain ? "" : "> ", r->plain ? (int)r->plain : SWEEPS - 1, (int)r->combined);
        }
    }
    puts("\n");
    for (size_t k = first; k < end; k++)
        for (size_t i = 0; i < PRIORS; i++) {
            const result *r = &scan[k][i];
            fell = fmax(fell, r->fell);
            if (r->lower > 1e-3) printf("%s, s = %.3g: plain sweeps end %.3g nats lower\n", cases[k].name, prior_sd(i), r->lower);
        }
    printf("a plain sweep lets the bound fall by %.1e nats at most\n", fell);
}

static void print_rows(void)
{
    printf("\n| f |");
    for (size_t i = 0; i <= 8; i += 2) printf(" %d |", (int)i);
    printf("\n| --- | --- | --- | --- | --- | --- |");
    for (int probit = 0; probit < 2; probit++) {
        printf("\n| %s |", probit ? "probit" : "logistic");
        for (size_t i = 0; i <= 8; i += 2) printf(" %.3f |", missing_of_row(probit, (double)i));
    }
    printf("\n\n| f |");
    for (int f = -6; f <= 6; f += 2) printf(" %d |", f);
    printf("\n| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (int class_of_three = 0; class_of_three < 2; class_of_three++) {
        printf("\n| %s |", class_of_three ? "a class of three" : "noise");
        for (int f = -6; f <= 6; f += 2) printf(" %.3f |", missing_of_latent(class_of_three, (double)f));
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
    print_several(one, scan);
    print_scan(0, ONE_LATENT, scan);
    print_scan(ONE_LATENT, CASES, scan);
    print_rows();
    for (int picture = 0; picture < 3 && argc > 3; picture++) draw(argv[picture + 1], picture, one, plain, scan);
    return 0;
}

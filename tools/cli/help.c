/* help: the list of verbs, and the texts that belong to several; those of a verb are in its own file. Each string literal stays
 * below the 4095 characters that C99 promises. */
#include "help.h"
#include "verbs.h"
#include <string.h>

void help_program(FILE *file)
{
    static const struct { const char *name, *words, *what; } line[] = {
#define X(NAME, name, words, arguments, what) { #name, arguments, what },
        CLI_VERBS(X)
#undef X
    };
    fputs("bayeslin - Bayesian regression on tables\n\n", file);
    for (int v = 0; v < VERB_COUNT; v++) fprintf(file, "  bayeslin %-9s%-50s%s\n", line[v].name, line[v].words, line[v].what);
    fputs(
        "\n"
        "  bayeslin VERB --help    more on a verb, with an example\n"
        "  bayeslin help TOPIC     tables (what cells may be, dates, missing values), basis (what to write\n"
        "                          for SPEC), formula (as in R), columns (words, weights, offsets),\n"
        "                          outputs (several targets), glm (counts, yes or no, outliers), classes\n"
        "                          (several), prior (least squares, relevance), few (intervals for few\n"
        "                          rows, leave-one-out), intervals (calibrated), learning (optimisers,\n"
        "                          arithmetics), large (tables), figures (numbers that are printed),\n"
        "                          pictures, programs (JSON, pipes)\n"
        "  bayeslin --version\n"
        "\n"
        "The model is f(x) = features(x) times weights, with a Gaussian prior on the\n"
        "weights and Gaussian noise, or another likelihood (--likelihood): counts, classes,\n"
        "heavy tails. Noise, prior variances and length scales are learnt\n"
        "by maximising the evidence, the probability of the data under the model, with a\n"
        "weak prior on the length scales; there is nothing to tune by hand.\n"
        "\n"
        "Tables are CSV files with a header line. A column of words becomes indicators,\n"
        "one for each word. --json of every verb is for programs. Exit status: 0 good, 1 failed,\n"
        "2 wrong usage, 3 (diagnose) the draws are not to be relied on. Messages go to standard\n"
        "error.\n", file);
}

static const char help_spec[] =
    "SPEC is a sum of terms NAME[:KEY=VALUE,...], each with a prior variance of its own,\n"
    "which is learnt:\n"
    "\n"
    "  linear               a straight line; ones=0 leaves the constant out\n"
    "  polynomial:degree=3  powers of each input; interactions: products too; ones=0\n"
    "  legendre:degree=5    the same by Legendre polynomials, good to any degree: each input is\n"
    "                       mapped from [-R, R], range=R (default 3); ones=0\n"
    "  rbf matern12 matern32 matern52 matern rq cauchy laplace1 laplace2 cauchy_product\n"
    "                       a Gaussian process by n=J random frequencies (default 200; the\n"
    "                       features are 2J); ard: a length scale for each input; length=START;\n"
    "                       draws=orthogonal, independent, sobol, halton or (for many inputs)\n"
    "                       fastfood; matern: nu=V, rq: alpha=V (default 2)\n"
    "  spectral:q=2         functions with waves: a Gaussian process of q=Q components, each around\n"
    "                       an angular frequency (2 pi over the period) that is learnt, with n=J\n"
    "                       random frequencies (default 100); period=START of the first; ard,\n"
    "                       length, draws as above\n"
    "  gp:kernel=matern32   the Gaussian process itself, of up to 5000 rows: kernel=rbf (the\n"
    "                       default), or another of the names above with nu=V, alpha=V; ard;\n"
    "                       length=START; not with --stream\n"
    "  inducing:m=100       a Gaussian process seen from m=M points (the features), chosen from the\n"
    "                       rows by select=kmeans (the default), pivoted or random; learn: the\n"
    "                       points are moved too; kernel=rbf, or another of the names above with\n"
    "                       nu=V, alpha=V; ard, length=START\n"
    "  radial sigmoid ridge n=J bumps or steps (default 20; ridge: for each input) at centres in\n"
    "                       [-R, R], range=R (default 2); ard, length=START\n"
    "  bias                 a constant\n"
    "  group:by=g           an effect for each group that column g names, (1 | g): words or numbers,\n"
    "                       read by no other term; cols=x: a slope of x for each too, (x || g), with\n"
    "                       a prior sd of its own; ones=0: slopes alone. Inputs are standardised, so\n"
    "                       effects on the constant are those at the means (--no-scale: at 0).\n"
    "                       1000 groups at most; 1 and 1.0 are one\n"
    "  any term: cols=a;b   only these columns, by name or by number from 0 (counting only\n"
    "                       inputs); a column of words by its name, or one of its words as\n"
    "                       colour=red; products a*b, of words too, with an input for each of them;\n"
    "                       x^2, log(x), sqrt(x), exp(x); factor(code): numbers that are names.\n"
    "                       Models compute these by themselves; terms without cols= take none\n"
    "\n"
    "  rbf:n=400,ard+linear\n"
    "  matern32:n=200,cols=lat;lon+polynomial:degree=3,cols=age      (in quotes, for the ;)\n"
    "  linear:cols=dose;zone+linear:ones=0,cols=dose*zone            (a slope in each zone)\n"
    "\n"
    "Smooth functions: rbf; rougher ones: matern52, matern32, matern12; functions with several\n"
    "scales: rq. More frequencies come closer to the exact Gaussian process and cost their number\n"
    "cubed; up to 8 inputs draws=sobol with n a power of 2 comes closer for the same cost. Adding\n"
    "linear lets the model continue trends. Ranges and lengths are in units of standardised inputs\n"
    "(of the inputs with --no-scale).\n";

static const char help_auto[] =
    "\n"
    "--basis auto, the default of `fit` and `cv`, tries some bases on the training rows and takes\n"
    "the best by the evidence: linear, and linear with gp of five kernels, with and without ard;\n"
    "where rows are too many for gp, random features or inducing points by rows that it leaves\n"
    "out. A nat is taken off for each variance and length scale of a kernel, as learning them raises\n"
    "the evidence. Of these, for a linear model, none is taken whose squared errors of rows left out\n"
    "are clearly larger than those of one that learns no more. `fit` prints what it tried, and the\n"
    "SPEC that gives the same model at once. What it may cost is counted in operations, not in\n"
    "seconds, so that every machine chooses the same:\n"
    "auto:budget=4e12 is the default, some three minutes at most; gp is within it for up to 3600\n"
    "rows, 1100 with another likelihood. It needs all rows, and priors that are learnt: not with\n"
    "--stream, `stats`, --prior, --arithmetic exact or qr, --optimiser, --residual.\n";

static const char help_formula[] =
    "--formula says --target and --basis, and offset and trials, as users of R write them. `fit` prints\n"
    "what it stands for.\n"
    "\n"
    "  bayeslin fit breaks.csv --formula 'breaks ~ wool*tension' --likelihood poisson -o m\n"
    "  bayeslin fit cars.csv --formula 'mpg ~ factor(cyl)*wt + log(hp) + gp(year)' -o m\n"
    "\n"
    "  a + b               lines in numbers, differences between words; .: all other columns\n"
    "  a:b  a*b  a/b       products: of numbers, of words, of both; a*b is a + b + a:b, a/b is a + a:b\n"
    "  (a + b + c)^2       a + b + c and all products of two; a*(b + c): sums are multiplied out\n"
    "  -1  0               without a constant (and --no-scale); - b takes b away\n"
    "  log(x) sqrt(x) exp(x) I(x^2) I(x*z)    computed from the table, also by `predict`\n"
    "  factor(code)        numbers that are names of something\n"
    "  poly(x, 3)          x, x^2, x^3; `info` prints coefficients of these, not of orthogonal ones\n"
    "  gp(x)  s(x)         a smooth function; gp(x, z): of both, with a length scale each\n"
    "  (1 | g)  (x || g)   effects of groups, and slopes, independent of them\n"
    "  offset(n)  offset(log(n))    a known part\n"
    "  cbind(a, b) ~ ...   with --likelihood binomial successes and failures; else two outputs\n"
    "\n"
    "Products have a prior variance of their own. With --prior flat coefficients and standard errors\n"
    "are those of lm and glm: the first word of each column is what the others are compared with\n"
    "(by bytes, of numbers the smallest), and a cell without rows is left out with a note. Columns\n"
    "that a formula without . does not name are not looked at. Names with blanks go in backquotes.\n"
    "--weights are counts: a row of weight 3 is three rows, as the weights of glm for counts and\n"
    "classes. For R's weights of lm, known precisions, use --noise-var with a column of 1/w.\n"
    "Standard errors of probit differ a little from those of glm: they are by the observed information,\n"
    "those of glm by the expected one. negative_binomial learns its size beside a prior, and glm.nb by\n"
    "maximum likelihood.\n";

static const char help_tables[] =
    "A table is a text file with a header line; --sep says what stands between cells. What cells\n"
    "look like is learned from the training rows, said in notes, and kept in the model:\n"
    "\n"
    "numbers    3.14, 1e-3; 1,234.5 and 1 234 with marks for thousands; $48.50; 3,14 where --sep is\n"
    "           semicolon and the cells say it: those of the whole table go together. 1,234 is 1.234\n"
    "           there, and 1234 elsewhere; 1.200 there is what other numbers say, of any column. A table\n"
    "           that has both, or leaves it open, is refused: --decimal comma or point.\n"
    "           5% is 5; all cells of the column must have the %, in other tables too.\n"
    "dates      2024-05-17, 17.05.2024, 05/17/2024 or 17/05/2024; 17 May 2024, 17-May-2024, May 17, 2024,\n"
    "           with English months; 05/17/24 with a note of the century (24-05-17: not). Behind them a\n"
    "           time, 14:30, 14:30:05 or 2:30 PM. They are days since the first date of the training rows.\n"
    "           Where 05/06/2024 leaves open which is the month: --date COL=dmy or COL=mdy. On request\n"
    "           --date COL=year,month,weekday makes inputs COL.year (a number), COL.month and COL.weekday\n"
    "           (words, Jan and Mon) beside the days.\n"
    "words      anything else. A column is one of numbers or dates if more than half of it is (a half, of\n"
    "           numbers); then a word in it is a mistake. --number COL: numbers, in any case; --factor\n"
    "           COL: words, be they numbers (codes, years) or different in each row; both may be\n"
    "           repeated.\n"
    "no name    a column whose header cell is empty is no input. The first of them, where R's write.csv\n"
    "           has its row names, is rowname for --keep of `predict` and `cv -o`, unless another column\n"
    "           is called so. (write.table writes no header cell for them: such a table is refused.)\n"
    "\n"
    "  bayeslin fit sales.csv --sep semicolon --target sales --date day=month,weekday --factor shop \\\n"
    "           --na -999 --missing indicator --basis linear -o sales.bln\n";

static const char help_missing[] =
    "\n"
    "missing    empty cells, NA, NaN, and what --na TOKEN says, everywhere; among numbers and dates also\n"
    "           n/a, NULL, None, -, . and ?, with a note. They stop `fit` unless there is\n"
    "  --missing drop        their rows are left out; `predict` writes NA for them\n"
    "  --missing mean        inputs get the mean of their column, of words the word \"missing\"\n"
    "  --missing indicator   the same, and for each column of numbers that lacks some an input more,\n"
    "                        COL=missing, 1 where it is missing and else 0 (if cols= names columns, it\n"
    "                        must be named there too)\n"
    "           Rows without a target, weight, offset or group are always left out. A model remembers\n"
    "           how inputs are filled: `predict` and the others do the same, or with --missing drop not.\n";

static const char help_words[] =
    "A column of words becomes one indicator (0 or 1) for EACH word, named colour=red: with a\n"
    "Gaussian prior none has to be left out. The data determine their differences, which `info`\n"
    "prints; --prior flat leaves one out. Where at least half of the cells are numbers, a\n"
    "word is taken for a mistake and named with its place. A constant column is left out, unless\n"
    "cols= names it. What no term reads is not looked at, and `predict` does not ask for it.\n"
    "Words that differ in nearly all rows (names) are refused: --ignore COL.\n";

static const char help_roles[] =
    "\n"
    "--offset may be 'log(n)', sqrt or exp of a column, and --trials 'ill+healthy', a sum of two.\n"
    "The columns of --weights, --noise-var and --offset are no inputs. Their names are kept in\n"
    "the model: `predict` and `score` need the offset, use noise variances if the table has\n"
    "them (else 1). Weights are counts (a row of weight 3 is three rows): `score` and `cv` count\n"
    "with them, `predict` and `check` do not. An offset is taken off the target before it is\n"
    "standardised.\n";

static const char help_prior[] =
    "The weights of a term share a prior variance, which is learnt. The constant is no part of it\n"
    "in a linear model that is standardised (as by default): it becomes a term `bias`, also where\n"
    "SPEC has none, around the mean of the target with an sd of ten of the target's. A variance\n"
    "that is learnt would be 0 there, and intervals would lack the uncertainty of the mean. With\n"
    "--no-scale, and in a generalised linear model, it is as SPEC says.\n"
    "\n"
    "--prior flat is least squares: the coefficients of `info` and their standard deviations\n"
    "are those of the textbook, with noise variance = residual sum of squares / (sum of weights\n"
    "- features), of which 0 is a result. Nothing is standardised then, for a standardised\n"
    "input is not the same input where a constant is missing, and figures have 15 digits. Beside\n"
    "random features, which keep their learnt prior, the other terms are flat. Features that\n"
    "depend on each other are an error that names them. Indicators of a column of words add up to\n"
    "the constant, so that the first is left out, which `fit` says; with linear:ones=0 all stay.\n"
    "\n"
    "--prior each learns a prior variance for each weight instead of one for each term (automatic\n"
    "relevance determination): the weights of inputs that say nothing go to 0, the others are nearly\n"
    "free. `info` then prints how many weights of a term the data determine. For lines with many\n"
    "inputs, of which few matter; where all matter a little, one for each term predicts better:\n"
    "compare with `cv`. Where rows are at most twice as many as these variances, the evidence alone\n"
    "would fit the noise with some of them. Each prior sd, in units of the standard error that the\n"
    "rows give its weight alone, then has a half-Cauchy prior, so that a weight must earn its place,\n"
    "and the search holds the noise for its first 30 steps. Of 120 rows and 200 inputs, of which 2\n"
    "matter, 95 % intervals hold 94 % of new rows. --no-hyper-prior is the evidence alone, as are\n"
    "more rows and --optimiser mackay, em or mm; a search that ends at a bound then says so.\n";

static const char help_outputs[] =
    "--outputs A,B,... learns several columns at once, with commas or semicolons between the\n"
    "names (which can have neither in them). They share the features, their length scales and, in\n"
    "units of the noise, their prior variances; each is standardised by itself. One fit costs\n"
    "little more than that of one target, and outputs that vary alike help each other to their\n"
    "length scales; where they do not, fit them one by one.\n"
    "With --prior flat there is nothing to share, and the figures are those of one by one.\n"
    "\n"
    "--noise says what the noise is: diagonal (default), of each output by itself; correlated: one\n"
    "measurement's errors go together, and so do the functions; `info` prints the correlations,\n"
    "which need more rows than outputs; shared: all have the same, in standard deviations of each\n"
    "output (with --no-scale, in their unit, which should then be one).\n"
    "\n"
    "`predict` writes mean_A,sd_A,sd_latent_A,lower_A,upper_A, then those of B; `score` and --loo\n"
    "print a block for each under a line `output A`, `cv` a line for each, with the name at its\n"
    "end; `info` noise and coefficients of each; `plot` draws the one that --y names. All rows\n"
    "need all outputs. Weights and noise variances are those of a row; --offset and --integrate\n"
    "are for one target.\n";

static const char help_learning[] =
    "The default is right for almost all tables. Of the fit, all but --arithmetic also with\n"
    "--from-stats; none but --arithmetic with --integrate; a model file keeps them for `info`.\n"
    "\n"
    "--arithmetic auto    exact for up to 16 features without parameters to learn, and with --prior\n"
    "                     flat; else double\n"
    "             double  sums of squares\n"
    "             exact   these in three doubles: a hundred times the time; not for features that\n"
    "                     have parameters to learn\n"
    "             qr      a triangle instead: the condition of the features is not squared; two or\n"
    "                     three times the time\n"
    "  Statistics are of one arithmetic, that of `stats`; --from-stats takes it from them.\n"
    "\n"
    "--optimiser  lbfgs   by the gradient of the evidence; the only one that learns parameters of\n"
    "                     the basis, so the others are for linear, polynomial, bias and the like,\n"
    "                     or --from-stats, whose parameters stay\n"
    "             mackay  MacKay's updates of the variances\n"
    "             em      expectation maximisation: the evidence never falls; slow\n"
    "             mm      minorise and maximise: never falls; half as fast as mackay or so\n"
    "\n"
    "--residual           what inducing points miss of their Gaussian process:\n"
    "             variational  is subtracted: a lower bound of the process's evidence\n"
    "             ignored      the evidence of the features alone, which may exceed it. Predictions\n"
    "                          count what is missed either way\n";

static const char help_glm[] =
    "--likelihood NAME: the function f of the basis says what the target is likely to be.\n"
    "\n"
    "  bayeslin fit ills.csv --target ill --basis rbf:n=50+linear --likelihood bernoulli -o m\n"
    "\n"
    "  bernoulli             yes or no: 0 and 1, two other numbers, of which the larger is 1, or two\n"
    "                        words, of which the second in the alphabet is 1 (`info` says which); f\n"
    "                        is the log odds of 1\n"
    "  binomial_logit binomial_probit binomial_cloglog   the same with another link; --trials COL:\n"
    "                        successes in so many trials (binomial is short for binomial_logit)\n"
    "  poisson               short for poisson_log: counts of log mean f; --trials COL: exposure,\n"
    "                        which the mean is times\n"
    "  poisson_softplus      counts of mean log(1 + e^f);  poisson_logistic: of mean rate/(1 + e^-f),\n"
    "                        which has a limit, the largest rate, that is learnt\n"
    "  negative_binomial     counts that scatter more;  zero_inflated_poisson: with extra zeros\n"
    "  ordinal               categories 0, 1, 2, ... in order; --categories C, if not all are there\n"
    "  categorical           classes without an order, as words or numbers: bayeslin help classes\n"
    "  student_t laplace     real targets with outliers;  gaussian: the linear model's noise\n"
    "  gaussian_scale        the noise changes too: its sd is `noise sd` times e^f_1, where f_1, the\n"
    "                        log sd, is a function of the same basis as the mean, f_0; in the table\n"
    "                        of coefficients its intercept includes log(noise sd). It wants few\n"
    "                        features: a mean that passes through rows would leave no noise, and\n"
    "                        the fit is refused; then take the next\n"
    "  heteroscedastic       above a least sd s the variance is s^2 (1 + e^f_1), f_1 the log excess;\n"
    "  heteroscedastic_t     the same of Student's t, with outliers. All three by laplace, full and\n"
    "                        map, the last two by gibbs; lower_mean, upper_mean and sd_latent of\n"
    "                        `predict` are those of f_0\n"
    "  asymmetric_laplace:Q  f is the Q-quantile of a real target (0.9: 9 in 10 lie below): quantile\n"
    "                        regression\n"
    "\n"
    "  --inference METHOD (default: integrated below 200 rows, with one latent and up to 200 features,\n"
    "                      unless --plug-in is said; else full, with --hyper laplace where it has one\n"
    "                      latent and curvature; with --prior flat laplace):\n";

static const char help_classes[] =
    "--likelihood categorical: the target is one of several classes, which have no order.\n"
    "\n"
    "  bayeslin fit iris.csv --target species --likelihood categorical --basis linear -o m\n"
    "  bayeslin plot m iris.csv --x petal_length --y petal_width -o regions.svg\n"
    "\n"
    "Words in the target are classes, in alphabetical order, and so are numbers (up to 64 different\n"
    "ones). Each class has a function f of its own, of the same basis and with the same prior\n"
    "variances; a class is as probable as e^f, over the sum of e^f of all classes.\n"
    "\n"
    "  --inference full      (default) a Gaussian for each class, independent of the others, by a lower\n"
    "                        bound of the evidence\n"
    "  --inference laplace   one Gaussian around the mode for all classes, of up to 2048 weights: quicker,\n"
    "                        but too cautious where the classes hardly overlap\n"
    "  --inference map       the most probable weights alone\n"
    "  --prior flat          maximum likelihood (laplace, map), as in tables of multinomial regression:\n"
    "                        the first class is what the others are compared with. Classes that a plane\n"
    "                        tells apart have no maximum, which is said\n"
    "\n"
    "`predict` writes class,p_A,p_B,...: the most probable class and the probability of each, averaged\n"
    "over what is not known of f; with --draws S classes drawn from them. `score` and `cv` print\n"
    "log_loss (mean of -log of the probability of what it was), error_rate and brier (mean of the sum of\n"
    "(p - [is it?])^2 over the classes: 0 to 2); `score` also which class is taken for which. `plot`\n"
    "draws probabilities over --x, with --y the regions of two inputs (help pictures). `info`\n"
    "prints the coefficients of each class, log odds for one unit of the input.\n"
    "--offset, --loo and --waic are not for classes; `cv` scores rows that the fit has not seen.\n";

static const char help_glm_options[] =
    "\n"
    "  --prior flat          with laplace: maximum likelihood; coefficients and standard errors (by\n"
    "                        the observed information) of the textbook. Parameters of the likelihood\n"
    "                        (size, scale, cuts) still maximise the evidence, and count as known.\n"
    "                        With map: the coefficients alone\n"
    "  --hyper laplace       prior variances and length scales by Laplace's evidence first, then held\n"
    "                        (with no more rows than features full and cavi double prior variances as\n"
    "                        long as rows left out gain by it, beyond doubt);\n"
    "                        parameters of the likelihood go on by the method's own objective (as all\n"
    "                        do by --hyper own). Quicker for full, and the default without --inference;\n"
    "                        better for mixture, whose bound prefers tight priors, and sgvi and npv;\n"
    "                        and map has a prior that was learnt\n"
    "  --no-hyper-prior      what is learnt goes where the evidence or the bound alone is greatest. By\n"
    "                        default prior variances, sizes, scales, degrees of freedom and gaps have\n"
    "                        wide priors, so that none runs to a limit that the rows do not know of\n";

static const char help_glm_output[] =
    "\n"
    "--weights, --offset, --prior each, --theta-sd, --seed, --max-iterations (300; mixture 2000; with\n"
    "batches 200 epochs) and --tolerance (1e-6; mixture 1e-8; not with batches, which stop when they\n"
    "do not get on any more) are as for the linear model, and --noise-var for real targets. What goes\n"
    "by its closed forms is not there: --integrate, --calibrate, --outputs, --noise, --stream,\n"
    "--arithmetic, --optimiser, --residual. --trace FILE.csv, of fit with --inference nuts or gibbs: all draws,\n"
    "weights and what is learnt in the units of the fit, with what the sampler met, one line each.\n"
    "Ctrl-C in `fit` while --inference nuts or gibbs draws: the model is that of the draws so far, exit\n"
    "status 0. A second one ends the program, and so does one in a warm-up or a search, without a model.\n"
    "\n"
    "Inputs are standardised. A real target is too, and all figures are brought back; whole numbers\n"
    "stay as they are, and their offset is added to f, on its scale (log odds, log mean).\n"
    "\n"
    "--loo is not exact: one step of Newton's method takes each row out (cavity), off by 0.01 nats and\n"
    "less where rows are several times as many as features, and with --loo-group each group, off by\n"
    "some hundredths where groups are large; of a mixture, and with --loo-by psis, draws are\n"
    "reweighted (PSIS); --loo-by auto, as --loo alone, is cavity, or psis of a mixture. It also\n"
    "prints elpd, the log probability of all rows, each given the others, its standard error over\n"
    "rows, p_eff, the number of parameters that are made use of, and how many rows are doubtful:\n"
    "leverage or k_hat above 0.7, they stand nearly alone. --waic prints elpd_waic and its like, what\n"
    "the information criterion of 4000 draws takes for these; doubtful: variance of log p above 0.4.\n"
    "Where the two differ, trust --loo.\n"
    "\n"
    "`predict` writes mean,sd,sd_latent,lower,upper,lower_mean,upper_mean: the mean is the probability\n"
    "of 1, with trials the number expected in them; sd_latent is that of the mean, what more data\n"
    "would take away; lower..upper holds a new target (whole numbers; at least the probability asked\n"
    "for), lower_mean..upper_mean the mean (quantiles of f, as a normal). Ordinal: then p_0,p_1,...\n"
    "Of asymmetric_laplace:Q quantile,sd_quantile,lower_quantile,upper_quantile: the quantile, which\n"
    "is f, and its interval; `score` prints pinball, its mean loss, and below, the share of targets\n"
    "below it, which should be Q; `check` looks at that share.\n"
    "A student_t of up to 2 degrees of freedom has sd inf, but intervals hold.\n"
    "Without the column of trials, they are 1. `score` and `cv` print mll, the mean negative log\n"
    "probability, for counts also r2, rmse, smse, coverage95; for two classes log_loss (mll, cut at\n"
    "1e-15), error_rate (guess: the more probable), brier; msll for real targets alone. `plot` draws\n"
    "targets over their trials, and the mean for one; offsets that belong to f at their mean. `info`:\n"
    "coefficients for one unit of the input, on the scale of f. Of a log mean, mean and sd of a group\n"
    "that was not seen may not exist where hyper-parameters are averaged over, as they depend on the\n"
    "tail of a prior: look at lower and upper, and take bias+linear:ones=0+group:by=g, so that the\n"
    "constant has a prior of its own.\n";

static const char help_large[] =
    "`fit --stream` keeps memory constant, whatever the number of rows. It reads DATA.csv twice, and\n"
    "writes the numbers to a file beside MODEL (or in the folder TMPDIR), 8 bytes each, which is gone\n"
    "at the end; each look at the data reads that. The model is that of `fit`, to the digit, but for\n"
    "one thing: if the basis has parameters to learn and there are more than N rows (--sample N, default\n"
    "20000), N evenly spaced rows are searched first, with all --starts, and only the end of the way\n"
    "goes over all rows; --sample 0 searches over all rows from the beginning. Not with --integrate,\n"
    "--calibrate or --loo, which need all rows at once. Progress is shown on a terminal.\n"
    "\n"
    "Rows in several files, or on several machines: sums over rows are all that a fit needs once the\n"
    "parameters of the basis are settled.\n"
    "\n"
    "  bayeslin stats part1.csv --target y --basis linear -o 1.stats\n"
    "  bayeslin stats part2.csv --like 1.stats -o 2.stats            (as many as you like, anywhere)\n"
    "  bayeslin merge 1.stats 2.stats -o all.stats                   (in any order, in a tree)\n"
    "  bayeslin fit --from-stats all.stats -o model.bln\n"
    "\n"
    "For length scales and the like: learn them from some of the rows with `fit`, and take --like\n"
    "MODEL for all parts; they stay as they are. --like also takes over columns, words, standardising\n"
    "and --prior flat, and must be given for all parts but the first, or --no-scale for all. Groups\n"
    "(by=) are those of the first part, which must have them all: no new one can be learnt later.\n"
    "With up to 16 features (more with --prior flat) the sums are kept in three doubles: then the order\n"
    "of the parts does not show in any digit. Programs do the same over MPI: examples/mpi_slm.c.\n";

static const char help_few[] =
    "With a dozen rows nobody knows the noise well, and a model that puts in its best guess is\n"
    "too sure of itself. So with fewer than 30 rows and up to 60 features, unless --plug-in is said\n"
    "or something is asked for that takes variances which are learnt, and with --integrate for any\n"
    "number of rows, `fit` and `cv` average over all noise and prior variances that fit the\n"
    "data: intervals of `predict`, `plot` and `info` are then Student's t, as wide as few rows\n"
    "make them; with many rows the two agree. Length scales are learnt first, as without it,\n"
    "and held. The intercept is a term of its own with a flat prior. At most three terms may\n"
    "have a prior variance, and the features should be few (n=20). With --prior flat the\n"
    "intervals are the t intervals of the textbook. (Generalised linear models do the same below 200\n"
    "rows: --inference integrated in `help glm`.) `prior sd` is then in units of the noise sd,\n"
    "with an interval for what the data leave open; `sd` of a t is that of its spread: inf up\n"
    "to 2 degrees of freedom; with 1 there is no mean either (nan), but intervals hold always.\n"
    "\n"
    "--loo is exact and costs little: what was learnt from all rows (variances, length scales,\n"
    "standardising) stays, the weights forget the row. The names are those of `score`. Scores\n"
    "with all learnt anew without the row: `cv` with as many folds as rows.\n";

static const char help_intervals[] =
    "An interval of 95 % is mean -+ 1.96 sd. If the scatter is not normal, or larger for some\n"
    "rows than for others, that holds more or less than 95 % of new targets. --calibrate of `fit`\n"
    "and `cv` asks the training rows: each is predicted by a model of the others (exactly, as for\n"
    "--loo), and the interval goes out by that multiple of sd within which 95 % of them lie; of N\n"
    "rows the ceil(0.95 (N + 1))-th, for the new row counts too. The same for any other\n"
    "--interval. The model file keeps this: `predict`, `score` and `plot` use it, `info` prints\n"
    "the multiple. mean, sd and mll stay as they are, and so does the narrow band of a plot.\n"
    "\n"
    "It takes 19 rows for 95 %, 99 for 99 %: with fewer, a note says so, and the interval is\n"
    "normal, or reaches the farthest row if that is wider. A row of weight k is k rows. With\n"
    "--loo-group COL whole groups are left out and count as one each: for rows of new groups.\n"
    "Noise variances count as they do in sd.\n"
    "\n"
    "95 % is meant of all rows together: rows with more scatter than sd knows of are held less\n"
    "often, others more. Variances and length scales have seen all rows, the one left out too,\n"
    "so intervals are a little too narrow where many were learnt from few rows. On the rows of\n"
    "the fit itself, and with --loo, coverage95 is 0.95 by construction: look at `cv --calibrate`.\n"
    "--integrate has intervals of its own (help few).\n";

static const char help_fit_figures[] =
    "What is printed: `log evidence` is the log probability of the targets under the model,\n"
    "in nats; compare models of the same rows by it, higher is better. `noise sd` is what no\n"
    "model of these features can explain. `prior sd` is the size of a term; one that is not\n"
    "needed goes to 0. A `length scale` is the distance in which the function changes; a large\n"
    "one says that the input hardly matters. `stopped by: limit` means not converged: raise\n"
    "--max-iterations. With flat priors the evidence is `restricted`: of the targets with the\n"
    "flat weights integrated out; compare it only between models that have the same flat terms.\n";

static const char help_programs[] =
    "--json, of every verb: one JSON object on standard output in place of the lines, with the same\n"
    "figures in all their digits (infinities and NaN are null). What each verb writes stands in\n"
    "docs/json.md. All have\n"
    "\n"
    "  bayeslin, format     versions of the program and of these answers\n"
    "  verb, status         what was asked for, and the exit status\n"
    "  notes                what standard error says too\n"
    "  error                in place of the answer, where it failed; doubt: beside it, for status 3\n"
    "\n"
    "  bayeslin cv houses.csv --target price --folds 10 --json | jq '.mean[0].rmse'\n"
    "  bayeslin info houses.bln --json | jq -r '.coefficients[] | [.name, .mean, .sd] | @csv'\n"
    "\n"
    "A file called - is standard input, or for -o standard output (./- is a file of that name): one\n"
    "of each. What is written for people then goes to standard error. --stream copies its input to\n"
    "a file without a name, for it is read twice.\n"
    "\n"
    "  sqlite3 -csv -header shop.db 'select * from sales' | bayeslin predict sales.bln - > forecast.csv\n"
    "  bayeslin fit houses.csv --target price -o - | bayeslin predict - new.csv --json\n"
    "\n"
    "`predict --keep id,town` puts columns of the table, as they stand there, before the\n"
    "predictions. `predict -o x.npy` writes numbers for NumPy (np.load): float64, a row for each\n"
    "line, in the columns that a note names; classes are numbers from 0, missing rows NaN. `cv -o`\n"
    "writes each held-out row: its number in the table from 1, its fold, the target, the prediction.\n";

static const char help_pictures[] =
    "What the pictures of `bayeslin plot` show.\n"
    "\n"
    "While one column changes, the others stay as they are in a typical row: numbers at their\n"
    "mean over the training rows, words at the most frequent one, which the picture names, and\n"
    "groups (by=) are ones not seen. So the points of several columns differ from the curve in the\n"
    "other columns as well.\n"
    "The wide band of a curve holds new observations (noise and model), the narrow one the mean\n"
    "curve (model alone): it is wide where there are no data. An offset is taken off the\n"
    "targets; a model with noise variances is drawn for rows of noise variance 1.\n"
    "\n"
    "Residuals are in standard deviations of the prediction of their row: the normal quantile of\n"
    "where the row falls in it, at random between P(less) and P(less or equal) of counts and\n"
    "classes. Diamonds, the means of rows that are neighbours, should have 0 in their intervals,\n"
    "and 95 % of the points lie between the dashed lines. The model has seen the rows of its fit:\n"
    "other rows judge harder.\n"
    "\n"
    "A curve of the evidence that is flat says that the rows know little of the hyper-parameter;\n"
    "values within 2 nats of its top are nearly as probable. Where a length scale was learnt\n"
    "beside the top, its weak prior (--theta-sd of `fit`), which is not drawn, holds it there.\n";

/* What each verb says of itself. */
static const cli_text *const help_verbs[VERB_COUNT] = {
#define X(NAME, name, words, arguments, what) &verb_##name##_text,
    CLI_VERBS(X)
#undef X
};

void help_usage(cli_verb verb, FILE *file) { fputs(help_verbs[verb]->usage, file); }

void help_verb(cli_verb verb, FILE *file)
{
    help_usage(verb, file);
    fputs(help_verbs[verb]->help, file);
    fputs("  --json: the answer as JSON; a file called - is standard input or output: bayeslin help programs\n", file);
}

static const struct { const char *word, *text, *more; } help_topics[] = {
    { "tables", help_tables, help_missing }, { "basis", help_spec, help_auto }, { "formula", help_formula, "" },
    { "columns", help_words, help_roles }, { "outputs", help_outputs, "" },
    { "glm", help_glm, help_glm_options }, { "classes", help_classes, "" },
    { "prior", help_prior, "" }, { "few", help_few, "" },
    { "intervals", help_intervals, "" }, { "learning", help_learning, "" },
    { "large", help_large, "" }, { "figures", help_fit_figures, "" }, { "pictures", help_pictures, "" },
    { "programs", help_programs, "" }
};
enum { HELP_TOPICS = sizeof help_topics / sizeof *help_topics };

int help_topic(const char *word, FILE *file)
{
    for (size_t i = 0; i < HELP_TOPICS; i++)
        if (!strcmp(word, help_topics[i].word)) {
            fputs(help_topics[i].text, file);
            if (help_topics[i].text == help_glm) methods_help(file);
            fputs(help_topics[i].more, file);
            if (help_topics[i].text == help_glm) fputs(help_glm_output, file);
            return 1;
        }
    return 0;
}

/* Appends an item to a list "a, b and c", if there is room. */
static void help_join(char *out, size_t size, const char *word, size_t i, size_t n)
{
    const size_t used = i ? strlen(out) : 0;
    snprintf(out + used, size - used, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", word);
}

void help_list_verbs(char *out, size_t size)
{
    for (size_t v = 0; v < VERB_COUNT; v++) help_join(out, size, options_verb_name((cli_verb)v), v, VERB_COUNT);
}

void help_list_topics(char *out, size_t size)
{
    for (size_t i = 0; i < HELP_TOPICS; i++) help_join(out, size, help_topics[i].word, i, HELP_TOPICS);
}

/* help: the texts. Each string literal stays below the 4095 characters that C99 promises. */
#include "help.h"
#include <string.h>

void help_program(FILE *file)
{
    fputs(
        "bayeslin - Bayesian regression on tables\n"
        "\n"
        "  bayeslin fit     DATA.csv --target COL --basis SPEC -o MODEL       learn a model\n"
        "  bayeslin predict MODEL DATA.csv [-o OUT.csv]                       mean, sd and interval for each row\n"
        "  bayeslin score   MODEL DATA.csv                                    how good are its predictions?\n"
        "  bayeslin cv      DATA.csv --target COL --basis SPEC --folds K      how good would they be on new rows?\n"
        "  bayeslin plot    MODEL DATA.csv --x COL -o PLOT.svg                data, mean and bands as a picture\n"
        "  bayeslin info    MODEL                                             what was learnt\n"
        "  bayeslin stats   DATA.csv --target COL --basis SPEC -o STATS       sums over rows, that merge\n"
        "  bayeslin merge   STATS STATS... -o STATS                           for data in many files\n"
        "\n"
        "  bayeslin VERB --help    more on a verb, with an example\n"
        "  bayeslin help TOPIC     basis (what to write for SPEC), columns (words, weights, offsets),\n"
        "                          outputs (several targets), glm (counts, classes, outliers), prior (least\n"
        "                          squares, relevance), few (intervals for few rows, leave-one-out),\n"
        "                          intervals (calibrated), learning (optimisers, arithmetics), large\n"
        "                          (tables), figures\n"
        "  bayeslin --version\n"
        "\n"
        "The model is f(x) = features(x) times weights, with a Gaussian prior on the\n"
        "weights and Gaussian noise, or (--model glm) another likelihood: counts, classes,\n"
        "heavy tails. Noise, prior variances and length scales are learnt\n"
        "by maximising the evidence, the probability of the data under the model, with a\n"
        "weak prior on the length scales; there is nothing to tune by hand.\n"
        "\n"
        "Tables are CSV files with a header line. A column of words becomes indicators,\n"
        "one for each word. Exit status: 0 good, 1 failed, 2 wrong usage. Messages go to\n"
        "standard error.\n", file);
}

static const char *const help_usages[VERB_COUNT] = {
    "usage: bayeslin fit DATA.csv (--target COL | --outputs A,B) --basis SPEC -o MODEL\n"
    "                    [--seed S] [--starts K] [--prior flat|each] [--weights COL]\n"
    "                    [--noise-var COL] [--offset COL] [--no-scale] [--ignore COL]...\n"
    "                    [--missing drop] [--sep SEP] [--theta-sd W] [--max-iterations N] [--tolerance T]\n"
    "                    [--integrate] [--calibrate] [--loo] [--loo-group COL] [--stream [--sample N]]\n"
    "                    [--arithmetic A] [--optimiser O] [--residual ignored] [--noise KIND]\n"
    "       bayeslin fit ... --model glm --likelihood NAME [--inference METHOD and its options]\n"
    "                    [--hyper laplace] [--trials COL] [--categories C] [--waic] ...\n"
    "       bayeslin fit --from-stats STATS -o MODEL [--starts K] [--prior each]\n"
    "                    [--max-iterations N] [--optimiser O] [--residual ignored] [--noise KIND]\n",
    "usage: bayeslin predict MODEL DATA.csv [--interval 0.95] [--draws S [--seed N]] [-o OUT.csv]\n"
    "                        [--missing drop] [--unseen zero] [--sep SEP]\n",
    "usage: bayeslin score MODEL DATA.csv [--loo] [--loo-group COL] [--loo-by cavity|psis] [--waic]\n"
    "                      [--missing drop] [--unseen zero] [--sep SEP]\n",
    "usage: bayeslin cv DATA.csv (--target COL | --outputs A,B) --basis SPEC\n"
    "                   (--folds K | --masks MASKS.csv) [--seed S] [--starts K]\n"
    "                   [--prior flat|each] [--weights COL] [--noise-var COL]\n"
    "                   [--offset COL] [--no-scale] [--ignore COL]... [--missing drop]\n"
    "                   [--unseen zero] [--sep SEP] [--theta-sd W] [--max-iterations N]\n"
    "                   [--tolerance T] [--integrate] [--calibrate] [--arithmetic A]\n"
    "                   [--optimiser O] [--residual ignored] [--noise KIND]\n"
    "       bayeslin cv ... --model glm --likelihood NAME, and what else fit has\n",
    "usage: bayeslin plot MODEL DATA.csv --x COL -o PLOT.svg [--y COL] [--interval 0.95]\n"
    "                     [--missing drop] [--sep SEP]\n",
    "usage: bayeslin info MODEL [--interval 0.95] [--all]\n",
    "usage: bayeslin stats DATA.csv (--target COL | --outputs A,B) --basis SPEC -o STATS\n"
    "                      [--seed S] [--prior flat] [--weights COL] [--noise-var COL]\n"
    "                      [--offset COL] [--no-scale] [--ignore COL]... [--missing drop] [--sep SEP]\n"
    "                      [--arithmetic A]\n"
    "       bayeslin stats DATA.csv --like FILE -o STATS [--unseen zero] [--missing drop] [--sep SEP]\n",
    "usage: bayeslin merge STATS STATS... -o STATS\n"
};

/* Options that all verbs with a table have. */
#define HELP_TABLE \
    "  --missing drop      leave out rows with missing values (empty, NA, NaN) instead of\n" \
    "                      stopping with an error\n" \
    "  --sep SEP           comma (default), semicolon or tab\n"

static const char help_fit[] =
    "\n"
    "Learns a model of column COL from all other columns of DATA.csv and saves it in\n"
    "the file MODEL.\n"
    "\n"
    "  bayeslin fit houses.csv --target price --basis rbf:n=400,ard+linear -o houses.bln\n"
    "\n"
    "  --target COL        the column to predict; numbers\n"
    "  --outputs A,B,...   instead: several columns to predict: bayeslin help outputs\n"
    "  --model glm --likelihood NAME    counts, classes, outliers: bayeslin help glm\n"
    "  --basis SPEC        the features: linear, rbf:n=400,ard+linear, ...: bayeslin help basis\n"
    "  -o MODEL            the model file; also --output\n"
    "  --seed S            of the random frequencies and starts (default 0)\n"
    "  --starts K          searches, all but the first from random points; best kept (default 1)\n"
    "  --weights COL       weight k >= 0: the row counts as k copies of itself\n"
    "  --noise-var COL     v > 0: the noise variance of the row is v times that of the model\n"
    "  --offset COL        a known part of the target, in its units, added to the function\n"
    "  --prior PRIOR       learn (default): a variance for each term; flat: no prior for terms\n"
    "                      without random features; each: one for each weight: help prior\n"
    "  --integrate         for few rows: noise and prior variances are integrated out instead of\n"
    "                      learnt, and intervals are Student's t: bayeslin help few\n"
    "  --calibrate         intervals as wide as the rows say, each as the others predict it; the\n"
    "                      model keeps them: bayeslin help intervals\n"
    "  --loo               also print scores of each row as the others predict it\n"
    "  --loo-group COL     the same, leaving out all rows that have the same text in COL (a\n"
    "                      patient, a batch); COL is no input\n"
    "  --no-scale          do not standardise; by default inputs and target are brought to mean 0\n"
    "                      and standard deviation 1 for the fit, and all figures are brought back\n"
    "  --ignore COL        leave a column out; may be repeated\n"
    "  --theta-sd W        sd of the prior of log length scales (default 1; inf: no prior)\n"
    "  --max-iterations N  of each start (default 300)\n"
    "  --tolerance T       relative progress of the evidence to stop at (default 1e-6)\n"
    "  --noise KIND        of several outputs: diagonal (default), correlated, shared\n"
    "  --arithmetic, --optimiser, --residual    how it is learnt: bayeslin help learning\n"
    "  --stream            for tables larger than memory: bayeslin help large\n"
    "  --from-stats STATS  instead of DATA.csv: what `bayeslin stats` wrote: the same page\n"
    HELP_TABLE
    "\n"
    "More: bayeslin help basis, columns, outputs, glm, prior, few, intervals, learning, large, figures.\n";

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
    "  inducing:m=100       a Gaussian process seen from m=M points (the features), chosen from the\n"
    "                       rows by select=kmeans (the default), pivoted or random; learn: the\n"
    "                       points are moved too; kernel=rbf, or another of the names above with\n"
    "                       nu=V, alpha=V; ard, length=START\n"
    "  radial sigmoid ridge n=J bumps or steps (default 20; ridge: for each input) at centres in\n"
    "                       [-R, R], range=R (default 2); ard, length=START\n"
    "  bias                 a constant\n"
    "  any term: cols=a;b   only these columns, by name or by number from 0 (counting only\n"
    "                       inputs); a column of words by its name, or one of its words as\n"
    "                       colour=red\n"
    "\n"
    "  rbf:n=400,ard+linear\n"
    "  matern32:n=200,cols=lat;lon+polynomial:degree=3,cols=age      (in quotes, for the ;)\n"
    "\n"
    "Smooth functions: rbf; rougher ones: matern52, matern32, matern12; functions with several\n"
    "scales: rq. More frequencies come closer to the exact Gaussian process and cost their number\n"
    "cubed; up to 8 inputs draws=sobol with n a power of 2 comes closer for the same cost. Adding\n"
    "linear lets the model continue trends. Ranges and lengths are in units of standardised inputs\n"
    "(of the inputs with --no-scale).\n";

static const char help_words[] =
    "A column of words becomes one indicator (0 or 1) for EACH word, named colour=red: with a\n"
    "Gaussian prior none has to be left out. Where at least half of the cells are numbers, a\n"
    "word is taken for a mistake and named with its place. Constant columns are reported.\n";

static const char help_roles[] =
    "\n"
    "The columns of --weights, --noise-var and --offset are no inputs. Their names are kept in\n"
    "the model: `predict` and `score` need the offset, use noise variances if the table has\n"
    "them (else 1), and do not look at weights. An offset is taken off the target before it is\n"
    "standardised.\n";

static const char help_prior[] =
    "--prior flat is least squares: the coefficients of `info` and their standard deviations\n"
    "are those of the textbook, with noise variance = residual sum of squares / (sum of weights\n"
    "- features), of which 0 is a result. Nothing is standardised then, for a standardised\n"
    "input is not the same input where a constant is missing, and figures have 15 digits. Beside\n"
    "random features, which keep their learnt prior, the other terms are flat. Features that\n"
    "depend on each other are an error that names them; among them are the indicators of a\n"
    "column of words, which add up to the constant: linear:ones=0 leaves the constant out.\n"
    "\n"
    "--prior each learns a prior variance for each weight instead of one for each term (automatic\n"
    "relevance determination): the evidence takes the weights of inputs that say nothing to 0, and\n"
    "leaves the others nearly free. `info` then prints how many weights of a term the data\n"
    "determine. For lines with many inputs, of which few matter; not where weights are many for\n"
    "the rows (powers of many inputs, random features): there it overfits. Compare with `cv`.\n";

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
    "--model glm --likelihood NAME: the function f of the basis says what the target is likely to be.\n"
    "\n"
    "  bayeslin fit ills.csv --target ill --basis rbf:n=50+linear --model glm --likelihood bernoulli -o m\n"
    "\n"
    "  bernoulli             yes or no: 0 and 1, two other numbers, of which the larger is 1, or two\n"
    "                        words, of which the second in the alphabet is 1 (`info` says which); f\n"
    "                        is the log odds of 1\n"
    "  binomial_logit _probit _cloglog   the same with another link; --trials COL: successes in\n"
    "                        so many trials (short: binomial)\n"
    "  poisson               counts of log mean f; --trials COL: exposure, which the mean is times\n"
    "  poisson_softplus      counts of mean log(1 + e^f)\n"
    "  negative_binomial     counts that scatter more;  zero_inflated_poisson: with extra zeros\n"
    "  ordinal               categories 0, 1, 2, ... in order; --categories C, if not all are there\n"
    "  student_t laplace     real targets with outliers;  gaussian: the linear model's noise\n"
    "\n"
    "  --inference METHOD (default: laplace, but full for --likelihood ordinal or laplace):\n";

static const char help_glm_options[] =
    "\n"
    "  --prior flat          with laplace: maximum likelihood; coefficients and standard errors (by\n"
    "                        the observed information) of the textbook. Parameters of the likelihood\n"
    "                        (size, scale, cuts) still maximise the evidence, and count as known.\n"
    "                        With map: the coefficients alone\n"
    "  --hyper laplace       prior variances and length scales by Laplace's evidence first, then held;\n"
    "                        parameters of the likelihood go on by the method's own objective (as all\n"
    "                        do by --hyper own, the default). Quicker for full; better for mixture,\n"
    "                        whose bound prefers tight priors, and sgvi and npv; and map has a prior\n"
    "                        that was learnt\n";

static const char help_glm_output[] =
    "\n"
    "--weights, --offset, --prior each, --theta-sd, --seed, --max-iterations (300; mixture 2000; with\n"
    "batches 200 epochs) and --tolerance (1e-6; mixture 1e-8; not with batches, which stop when they\n"
    "do not get on any more) are as for the linear model, and --noise-var for real targets. What goes\n"
    "by its closed forms is not there: --integrate, --calibrate, --outputs, --noise, --stream,\n"
    "--arithmetic, --optimiser, --residual.\n"
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
    "A student_t of up to 2 degrees of freedom has sd inf, but intervals hold.\n"
    "Without the column of trials, they are 1. `score` and `cv` print mll, the mean negative log\n"
    "probability, for counts also r2, rmse, smse, coverage95; for two classes log_loss (mll, cut at\n"
    "1e-15), error_rate (guess: the more probable), brier; msll for real targets alone. `plot` draws\n"
    "targets over their trials, and the mean for one; offsets that belong to f at their mean. `info`:\n"
    "coefficients for one unit of the input, on the scale of f.\n";

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
    "and --prior flat, and must be given for all parts but the first, or --no-scale for all. With up\n"
    "to 16 features (more with --prior flat) the sums are kept in three doubles: then the order of the\n"
    "parts does not show in any digit. Programs do the same over MPI: examples/mpi_slm.c.\n";

static const char help_stats[] =
    "\n"
    "Writes what a fit needs to know of the rows of DATA.csv, as sums that can be merged; its size\n"
    "does not depend on the number of rows, nor does the memory it takes.\n"
    "\n"
    "  bayeslin stats part1.csv --target price --basis linear -o part1.stats\n"
    "  bayeslin stats part2.csv --like part1.stats -o part2.stats\n"
    "\n"
    "  --like FILE         statistics or a model: the same columns, words, standardising, basis and\n"
    "                      basis parameters\n"
    "  -o STATS            the file to write; also --output\n"
    "  --unseen zero       a word that FILE does not have is none of its own (all indicators 0)\n"
    "  --prior flat        as in `bayeslin fit`; likewise --target, --outputs, --basis, --seed,\n"
    "                      --weights, --noise-var, --offset, --no-scale, --ignore, --arithmetic\n"
    HELP_TABLE
    "\n"
    "More: bayeslin help large.\n";

static const char help_merge[] =
    "\n"
    "Adds up files of `bayeslin stats` that are alike. The result may be merged again; -o may be\n"
    "one of the files that are read.\n"
    "\n"
    "  bayeslin merge part1.stats part2.stats -o all.stats\n"
    "\n"
    "More: bayeslin help large.\n";

static const char help_few[] =
    "With a dozen rows nobody knows the noise well, and a model that puts in its best guess is\n"
    "too sure of itself. --integrate averages over all noise and prior variances that fit the\n"
    "data: intervals of `predict`, `plot` and `info` are then Student's t, as wide as few rows\n"
    "make them; with many rows the two agree. Length scales are learnt first, as without it,\n"
    "and held. The intercept is a term of its own with a flat prior. At most three terms may\n"
    "have a prior variance, and the features should be few (n=20). With --prior flat the\n"
    "intervals are the t intervals of the textbook. `prior sd` is then in units of the noise sd,\n"
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

static const char help_predict[] =
    "\n"
    "Writes one line for each row of DATA.csv, in its order, to standard output or\n"
    "OUT.csv: mean,sd,sd_latent,lower,upper; of several outputs mean_A,sd_A,...,mean_B,...\n"
    "\n"
    "  bayeslin predict houses.bln new.csv --interval 0.9 -o predictions.csv\n"
    "\n"
    "  --interval P        probability that lower..upper holds a new observation (0.95)\n"
    "  --draws S           S columns more, draw_1,...: new observations, noise included. Those of one\n"
    "                      column belong together, so that it may be summed, sorted or compared with\n"
    "                      the data as a whole; of two classes, 0 and 1 as `info` says; not with\n"
    "                      --integrate, and not calibrated; at most 4000 rows beside inducing\n"
    "                      points of a linear model\n"
    "  --seed N            of the draws (default 0)\n"
    "  -o OUT.csv          also --output\n"
    "  --missing drop      rows with missing values get NA instead of stopping the program\n"
    "  --unseen zero       a word that the training rows did not have is none of theirs (all\n"
    "                      indicators 0) instead of an error\n"
    "  --sep SEP           of DATA.csv: comma (default), semicolon or tab\n"
    "\n"
    "`sd` is the standard deviation of a new observation, noise included; `sd_latent`\n"
    "that of the function alone: what more data would take away. All in the units of\n"
    "the target, with 10 digits. Columns are found by name; others are not looked at,\n"
    "target and weights are not needed. A model with an offset needs its column and adds\n"
    "it to mean, lower and upper; the column of noise variances scales the noise in sd,\n"
    "lower and upper, and is taken as 1 where the table has none. With --model glm there is\n"
    "more: bayeslin help glm. lower..upper is normal,\n"
    "mean -+ 1.96 sd for 0.95, or, for a model of --integrate, from quantiles of Student's t, or,\n"
    "of --calibrate, as wide as the training rows say (bayeslin help intervals).\n";

static const char help_score[] =
    "\n"
    "Predicts rows whose target is known and prints lines `name value`, of several outputs\n"
    "under a line `output A` for each:\n"
    "\n"
    "  bayeslin score houses.bln test.csv\n"
    "\n"
    "  n           rows\n"
    "  r2          1 - smse: 1 is perfect, 0 is no better than the mean of these rows\n"
    "  rmse        root mean squared error, in units of the target\n"
    "  smse        mean squared error over the variance of these targets\n"
    "  mll         mean negative log density of the targets: lower is better; wrong intervals\n"
    "              cost too\n"
    "  msll        mll minus that of a normal with mean and variance of the training targets:\n"
    "              below 0 is better than that\n"
    "  coverage95  share of targets in their 95 % interval: 0.95, give or take sqrt(0.05/n)\n"
    "\n"
    "A score that these rows do not define (r2 where all targets are the same, mll where a\n"
    "variance is 0) is nan. On training rows all of them flatter. Every row counts once:\n"
    "weights play no part in scores. Offsets and noise variances do, as in `bayeslin predict\n"
    "--help`; msll compares targets without their offsets.\n"
    "\n"
    "  --loo               DATA.csv is the table of the fit: each row is predicted from the others\n"
    "                      (exact; of --model glm nearly, see help glm; variances and length\n"
    "                      scales stay as learnt from all)\n"
    "  --loo-group COL     the same, leaving out all rows with the same text in COL\n"
    "  --loo-by, --waic    of a model of --model glm: bayeslin help glm\n"
    "  --unseen zero       a word that the training rows did not have is none of theirs (all\n"
    "                      indicators 0) instead of an error\n"
    HELP_TABLE;

static const char help_cv[] =
    "\n"
    "Cross-validation: for each fold a model is learnt from the training rows (with\n"
    "all that belongs to it: words, standardising, hyper-parameters) and scored on\n"
    "the test rows. A table with one row for each fold, then the mean over the folds\n"
    "and the standard deviation (divided by folds - 1); of several outputs a row for each,\n"
    "with its name at the end.\n"
    "\n"
    "  bayeslin cv houses.csv --target price --basis rbf:n=400,ard+linear --folds 5 --seed 1\n"
    "\n"
    "  --folds K           the rows are shuffled by the seed and dealt out to K folds; each is\n"
    "                      the test set once\n"
    "  --masks MASKS.csv   one column for each split and one line for each row of DATA.csv:\n"
    "                      1 test row, 0 training row\n"
    "  --unseen zero       a word that only test rows have is none of the others (all\n"
    "                      indicators 0) instead of an error\n"
    HELP_TABLE
    "\n"
    "SPEC: bayeslin help basis. r2 rmse smse mll msll coverage95: see `bayeslin score --help`. seconds: fit and\n"
    "scores, by the wall clock. --target, --outputs, --basis (the SPEC), --seed, --starts,\n"
    "--weights, --noise-var, --offset, --prior, --integrate, --calibrate, --no-scale, --ignore,\n"
    "--theta-sd, --max-iterations, --tolerance, --arithmetic, --optimiser, --residual, --noise: see\n"
    "`bayeslin fit --help`. Weights count in the fits, not in the scores.\n";

static const char help_plot[] =
    "\n"
    "Draws the model as a curve over one input, with the rows of DATA.csv as points,\n"
    "into an SVG file that every browser shows.\n"
    "\n"
    "  bayeslin plot mcycle.bln mcycle.csv --x times -o mcycle.svg\n"
    "\n"
    "  --x COL             the input on the horizontal axis; the others stay at their mean\n"
    "                      over the training rows\n"
    "  --y COL             the target to draw, of a model of several outputs\n"
    "  -o PLOT.svg         also --output\n"
    "  --interval P        probability of the bands (default 0.95)\n"
    HELP_TABLE
    "\n"
    "The wide band holds new observations (noise and model), the narrow one the mean\n"
    "curve (model alone): it is wide where there are no data. With several inputs the\n"
    "points differ from the curve in the other inputs as well. An offset is taken off the\n"
    "targets; a model with noise variances is drawn for rows of noise variance 1.\n";

static const char help_info[] =
    "\n"
    "Prints what a model file holds: the figures of the fit (see `bayeslin help\n"
    "figures`), words, and the coefficients with their standard deviation and\n"
    "interval.\n"
    "\n"
    "  bayeslin info houses.bln\n"
    "\n"
    "  --interval P        probability of lower..upper (default 0.95)\n"
    "  --all               every coefficient; by default those of linear terms and constants,\n"
    "                      or all if there are at most 40\n"
    "\n"
    "Coefficients with units `data` are slopes: units of the target for one unit of\n"
    "the input; (intercept) is f where all inputs are 0. Others are `standardised`:\n"
    "of features of the standardised inputs, for the standardised target. With --prior\n"
    "flat alone all are in units of the data and have 15 digits. lower..upper is normal,\n"
    "mean -+ 1.96 sd for 0.95, or, with --integrate, from quantiles of Student's t.\n";

void help_usage(cli_verb verb, FILE *file) { fputs(help_usages[verb], file); }

void help_verb(cli_verb verb, FILE *file)
{
    static const char *const text[VERB_COUNT] = { help_fit, help_predict, help_score, help_cv, help_plot, help_info,
                                                  help_stats, help_merge };
    help_usage(verb, file);
    fputs(text[verb], file);
}

int help_topic(const char *word, FILE *file)
{
    static const struct { const char *word, *text, *more; } topic[] = {
        { "basis", help_spec, "" }, { "columns", help_words, help_roles }, { "outputs", help_outputs, "" },
        { "glm", help_glm, help_glm_options },
        { "prior", help_prior, "" }, { "few", help_few, "" },
        { "intervals", help_intervals, "" }, { "learning", help_learning, "" },
        { "large", help_large, "" }, { "figures", help_fit_figures, "" }
    };
    for (size_t i = 0; i < sizeof topic/sizeof *topic; i++)
        if (!strcmp(word, topic[i].word)) {
            fputs(topic[i].text, file);
            if (topic[i].text == help_glm) methods_help(file);
            fputs(topic[i].more, file);
            if (topic[i].text == help_glm) fputs(help_glm_output, file);
            return 1;
        }
    return 0;
}

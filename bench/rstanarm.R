# rstanarm.R - `gibbs` beside Stan's no-U-turn sampler: effective draws a second, and whether the posteriors agree
#
#     cc -std=c99 -O2 -Ibuild/include bench/bench_gibbs.c -o build/bench_gibbs -lm
#     Rscript bench/rstanarm.R australian.csv a1a.csv          needs rstanarm, rstan, posterior, caret; last column y
#
# Logistic regressions by rstanarm: the tables given, and GermanCredit of caret. Counts (negative binomial) and robust regressions
# (Student-t, Laplace) by a Stan program, which has our density with its parameters held. Constant columns are dropped, inputs
# standardised, and a real y too. Weights have the prior N(0, sd^2), sd 2.5 (a1a and real y: 1), the intercept too, and the sd is
# held. 4 chains of 1000 draws one after the other on one core; Stan warms up by its default of 1000, gibbs by 300 after its search.
# Seconds are those of the chains as Stan tells them, and all of a fit of gibbs; the least and the median bulk ESS over the
# weights, by the package posterior and by bln_chains_summary, which agree.
#
# z: the largest over the weights of |gibbs - Stan| of their posterior means, and of their standard deviations, over
# sqrt(a^2 + b^2), where a and b are the Monte Carlo standard errors of the two by mcse_mean and mcse_sd of the package posterior.
# With both samplers right each z is about standard normal, and the largest of 2 D exceeds the printed bound once in twenty runs.
suppressMessages({ library(rstanarm); library(rstan); library(posterior) })
if (dir.exists("/usr/include/boost")) rstan_options(boost_lib = "/usr/include")        # Debian's
own_draws <- tempfile(fileext = ".csv")
standardised <- function(x) {
    x <- scale(as.matrix(x), scale = FALSE)
    x <- x[, apply(x, 2, sd) > 0, drop = FALSE]
    x <- sweep(x, 2, sqrt(colMeans(x^2)), "/")
    colnames(x) <- paste0("x", seq_len(ncol(x)))
    x
}
# Prints what gibbs of bench_gibbs says of these rows, and keeps its draws.
gibbs <- function(family, x, y, sd, eta = NULL) {
    path <- tempfile(fileext = ".csv")
    write.csv(cbind(x, y), path, row.names = FALSE, quote = FALSE)
    cat(grep("^gibbs", system2("build/bench_gibbs", c(family, path, sd, own_draws, eta), stdout = TRUE), value = TRUE), sep = "\n")
}
# theirs: iterations x chains x weights, the intercept first, as in the draws of gibbs.
compare <- function(theirs) {
    ours <- read.csv(own_draws, check.names = FALSE)
    chains <- max(ours$chain)
    D <- dim(theirs)[3]
    stopifnot(sum(startsWith(names(ours), "w[")) == D)
    z <- sapply(seq_len(D), function(k) {
        a <- matrix(ours[[sprintf("w[%d]", k)]], ncol = chains)                      # chains stand one after the other
        b <- theirs[, , k]
        c((mean(a) - mean(b))/sqrt(mcse_mean(a)^2 + mcse_mean(b)^2), (sd(a) - sd(b))/sqrt(mcse_sd(a)^2 + mcse_sd(b)^2))
    })
    cat(sprintf("largest |z| of means %.2f (weight %d), of sds %.2f (weight %d); bound %.2f; draws %d and %d; R-hat of Stan %.4f\n",
                max(abs(z[1, ])), which.max(abs(z[1, ])), max(abs(z[2, ])), which.max(abs(z[2, ])), qnorm(1 - 0.025/(2*D)),
                nrow(ours), prod(dim(theirs)[1:2]), max(apply(theirs, 3, rhat))))
}
given <- commandArgs(TRUE)
sets <- list()
for (path in given) { x <- read.csv(path); sets[[sub("_train", "", sub("[.]csv.*", "", basename(path)))]] <- x }
suppressMessages(library(caret))
data(GermanCredit)
sets$german <- cbind(GermanCredit[names(GermanCredit) != "Class"], y = as.integer(GermanCredit$Class == "Bad"))
for (name in names(sets)) {
    x <- sets[[name]]
    y <- as.integer(x[[ncol(x)]] > 0)
    x <- standardised(x[-ncol(x)])
    sd <- if (name == "a1a") 1 else 2.5
    cat(sprintf("%s: %d rows, %d weights\n", name, nrow(x), ncol(x) + 1))
    gibbs("binomial_logit", x, y, sd)
    fit <- suppressWarnings(stan_glm(y ~ ., data = data.frame(x, y = y), family = binomial(), prior = normal(0, sd),
                                     prior_intercept = normal(0, sd), chains = 4, cores = 1, seed = 1, refresh = 0))
    draws <- as.array(fit$stanfit, pars = c("alpha", "beta"))
    ess <- apply(draws, 3, ess_bulk)
    spent <- rstan::get_elapsed_time(fit$stanfit)
    cat(sprintf(paste0("rstanarm %.1f s, of these %.1f warm-up: ESS least %.0f, median %.0f; a second %.0f, %.0f; ",
                       "sampling alone %.0f, %.0f\n"),
                sum(spent), sum(spent[, "warmup"]), min(ess), median(ess), min(ess)/sum(spent), median(ess)/sum(spent),
                min(ess)/sum(spent[, "sample"]), median(ess)/sum(spent[, "sample"])))
    compare(draws)
}

# The sizes and scales are near those that the rows prefer, and held; other values would be as good a comparison.
others <- stan_model(model_code = "
    data { int n; int d; matrix[n, d] x; vector[n] y; int<lower=0> count[n]; int family; real prior_sd; vector[2] eta; }
    parameters { real alpha; vector[d] beta; }
    model {
        vector[n] f = alpha + x*beta;
        alpha ~ normal(0, prior_sd);
        beta ~ normal(0, prior_sd);
        if (family == 1) count ~ neg_binomial_2_log(f, eta[1]);
        else if (family == 2) y ~ student_t(eta[2], f, eta[1]);
        else y ~ double_exponential(f, eta[1]);
    }")
boston <- read.csv("examples/data/boston.csv")
boston <- list(x = standardised(boston[names(boston) != "medv"]), y = standardised(boston["medv"])[, 1])
sprays <- list(x = standardised(model.matrix(~ spray, InsectSprays)[, -1]), y = InsectSprays$count)
runs <- list(list(name = "InsectSprays", of = sprays, family = "negative_binomial", sd = 2.5, eta = 5),
             list(name = "boston", of = boston, family = "student_t", sd = 1, eta = c(0.3, 4)),
             list(name = "boston", of = boston, family = "laplace", sd = 1, eta = 0.3))
for (kind in seq_along(runs)) {
    run <- runs[[kind]]
    x <- run$of$x
    y <- run$of$y
    cat(sprintf("%s, %s: %d rows, %d weights\n", run$name, run$family, nrow(x), ncol(x) + 1))
    gibbs(run$family, x, y, run$sd, run$eta)
    rows <- list(n = nrow(x), d = ncol(x), x = unname(x), y = y, count = if (kind == 1) y else integer(nrow(x)), family = kind,
                 prior_sd = run$sd, eta = c(run$eta, 1)[1:2])
    fit <- sampling(others, data = rows, chains = 4, cores = 1, seed = 1, refresh = 0)
    compare(as.array(fit, pars = c("alpha", "beta")))
}

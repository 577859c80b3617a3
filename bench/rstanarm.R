# rstanarm.R - logistic regression by `gibbs` beside the no-U-turn sampler of rstanarm: effective draws a second, warm-up counted in
#
#     cc -std=c99 -O2 -Ibuild/include bench/bench_gibbs.c -o build/bench_gibbs -lm
#     Rscript bench/rstanarm.R australian.csv a1a.csv          needs rstanarm, posterior, caret; last column y
#
# And GermanCredit of caret. Constant columns are dropped, inputs standardised. Weights have the prior N(0, sd^2), sd 2.5 (a1a: 1),
# the intercept too. 4 chains of 1000 draws one after the other on one core; rstanarm warms up by its default of 1000, gibbs by 300
# after its search. Seconds are those of the chains as Stan tells them, and all of a fit of gibbs; the least and the median bulk
# ESS over the weights, by the package posterior and by bln_chains_summary, which agree.
suppressMessages({ library(rstanarm); library(posterior) })
given <- commandArgs(TRUE)
sets <- list()
for (path in given) { x <- read.csv(path); sets[[sub("_train", "", sub("[.]csv.*", "", basename(path)))]] <- x }
suppressMessages(library(caret))
data(GermanCredit)
sets$german <- cbind(GermanCredit[names(GermanCredit) != "Class"], y = as.integer(GermanCredit$Class == "Bad"))
for (name in names(sets)) {
    x <- sets[[name]]
    y <- as.integer(x[[ncol(x)]] > 0)
    x <- scale(as.matrix(x[-ncol(x)]), scale = FALSE)
    x <- x[, apply(x, 2, sd) > 0]
    x <- sweep(x, 2, sqrt(colMeans(x^2)), "/")
    colnames(x) <- paste0("x", seq_len(ncol(x)))
    sd <- if (name == "a1a") 1 else 2.5
    path <- tempfile(fileext = ".csv")
    write.csv(cbind(x, y), path, row.names = FALSE, quote = FALSE)
    cat(sprintf("%s: %d rows, %d weights\n", name, nrow(x), ncol(x) + 1))
    cat(grep("^gibbs", system2("build/bench_gibbs", c("binomial_logit", path, sd), stdout = TRUE), value = TRUE), sep = "\n")
    fit <- suppressWarnings(stan_glm(y ~ ., data = data.frame(x, y = y), family = binomial(), prior = normal(0, sd),
                                     prior_intercept = normal(0, sd), chains = 4, cores = 1, seed = 1, refresh = 0))
    draws <- as.array(fit$stanfit, pars = c("alpha", "beta"))
    ess <- apply(draws, 3, ess_bulk)
    spent <- rstan::get_elapsed_time(fit$stanfit)
    cat(sprintf(paste0("rstanarm %.1f s, of these %.1f warm-up: ESS least %.0f, median %.0f; a second %.0f, %.0f; ",
                       "sampling alone %.0f, %.0f\n"),
                sum(spent), sum(spent[, "warmup"]), min(ess), median(ess), min(ess)/sum(spent), median(ess)/sum(spent),
                min(ess)/sum(spent[, "sample"]), median(ess)/sum(spent[, "sample"])))
}

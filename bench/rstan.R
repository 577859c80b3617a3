# rstan.R - the models of bench_sampling.c by rstan: effective draws for each 1000 gradients, and for each second
#
#     build/bench_sampling data FOLDER && Rscript bench/rstan.R FOLDER             needs rstan and posterior (Debian: r-cran-rstan)
#
# With `vb` behind it: mean-field Gaussians by vb() for bench_sampling.c, which tells what they are worth; a file for each seed, of
# seconds, then mean and standard deviation of each free coordinate (20,000 draws).
#
# The least bulk ESS of all parameters, mean of five seeds; 4 chains one after the other, 1000 + 1000, adapt_delta 0.8. Seconds are
# those that Stan tells: of sampling, and of all.
suppressMessages({ library(rstan); library(posterior) })
if (dir.exists("/usr/include/boost")) rstan_options(boost_lib = "/usr/include")        # Debian's
folder <- commandArgs(TRUE)[1]
numbers <- function(name) as.matrix(read.csv(file.path(folder, name), header = FALSE))

models <- list(
    "eight schools" = list(code = "
        data { int J; vector[J] y; vector[J] sigma; }
        parameters { real mu; real<lower=0> tau; vector[J] eta; }
        model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); eta ~ std_normal(); y ~ normal(mu + tau*eta, sigma); }",
        data = list(J = 8, y = c(28, 8, -3, 7, -1, 1, 18, 12), sigma = c(15, 10, 16, 11, 9, 11, 10, 18))),
    "logistic 1000 x 24" = list(code = "
        data { int n; int d; matrix[n, d] X; int<lower=0, upper=1> y[n]; }
        parameters { real alpha; vector[d] beta; }
        model { alpha ~ normal(0, 5); beta ~ normal(0, 2); y ~ bernoulli_logit_glm(X, alpha, beta); }",
        data = list(n = 1000, d = 24, X = unname(numbers("logistic_x.csv")), y = as.integer(numbers("logistic_y.csv")))),
    "1000 groups" = list(code = "
        data { int n; int G; int g[n]; vector[n] y; }
        parameters { real mu; real<lower=0> tau; real<lower=0> sigma; vector[G] z; }
        model { vector[G] a = mu + tau*z; mu ~ normal(0, 5); tau ~ normal(0, 2); sigma ~ normal(0, 2); z ~ std_normal();
                y ~ normal(a[g], sigma); }",
        data = list(n = 10000, G = 1000, g = rep(1:1000, each = 10), y = as.vector(numbers("groups_y.csv")))))

if (identical(commandArgs(TRUE)[2], "vb")) {
    files <- c("eight schools" = "schools", "logistic 1000 x 24" = "logistic", "1000 groups" = "groups")
    for (name in names(models)) {
        model <- stan_model(model_code = models[[name]]$code)
        for (seed in 1:5) {
            path <- file.path(folder, sprintf("vb_%s_%d.txt", files[[name]], seed))
            took <- system.time(fit <- try(vb(model, data = models[[name]]$data, seed = seed, refresh = 0, output_samples = 20000,
                                              importance_resampling = FALSE)))[["user.self"]]
            if (inherits(fit, "try-error")) { writeLines("failed", path); next }
            draws <- as.matrix(fit)
            draws <- draws[, colnames(draws) != "lp__"]
            for (k in intersect(colnames(draws), c("tau", "sigma"))) draws[, k] <- log(draws[, k])
            writeLines(c(sprintf("%.3f", took), sprintf("%.12g %.12g", colMeans(draws), apply(draws, 2, sd))), path)
        }
    }
    quit()
}

cat(sprintf("rstan %s, StanHeaders %s\n%-20s %7s %7s %10s %10s %12s %9s\n", packageVersion("rstan"), packageVersion("StanHeaders"),
            "effective draws", "bulk", "tail", "gradients", "a second", "with warm-up", "divergent"))
for (name in names(models)) {
    model <- stan_model(model_code = models[[name]]$code)
    rows <- sapply(1:5, function(seed) {
        fit <- sampling(model, data = models[[name]]$data, chains = 4, iter = 2000, cores = 1, seed = seed, refresh = 0,
                        control = list(adapt_delta = 0.8))
        own <- get_sampler_params(fit, inc_warmup = FALSE)
        steps <- sum(sapply(own, function(x) sum(x[, "n_leapfrog__"])))
        draws <- as.array(fit)
        draws <- draws[, , dimnames(draws)[[3]] != "lp__", drop = FALSE]
        bulk <- min(apply(draws, 3, ess_bulk))
        spent <- get_elapsed_time(fit)
        c(1000*bulk/steps, 1000*min(apply(draws, 3, ess_tail))/steps, steps, bulk/sum(spent[, "sample"]), bulk/sum(spent),
          sum(sapply(own, function(x) sum(x[, "divergent__"]))))
    })
    cat(do.call(sprintf, c("%-20s %7.1f %7.1f %10.0f %10.0f %12.0f %9.1f\n", name, as.list(rowMeans(rows)))))
}

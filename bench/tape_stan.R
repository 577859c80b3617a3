# tape_stan.R - gradients of programs (bench_tape) beside those of the same models in Stan's C++, in turns in one run
#
#     cc -O2 -Ibuild/include bench/bench_tape.c -o build/bench_tape -lm && Rscript bench/tape_stan.R [FOLDER]
#
# Needs rstan with StanHeaders, BH and RcppEigen, and g++; a minute of compilation for each of nine models (-O3, as Stan's own
# interfaces do), kept in FOLDER (build/tape_stan). Three rounds of both, each the least of nine; a line for each model:
# microseconds of bench_tape and of Stan, the ratio, and how far the gradients differ.
suppressMessages(library(rstan))
folder <- commandArgs(TRUE)
folder <- if (length(folder)) folder[1] else "build/tape_stan"
dir.create(folder, showWarnings = FALSE)
schools <- "data { int n; vector[n] y; vector[n] s; } parameters { real mu; real<lower=0> tau; vector[n] eta; }"
logit <- "data { int n; int d; %s int<lower=0, upper=1> y[n]; } parameters { real alpha; vector[d] beta; }"
matrix_X <- "matrix[n, d] X;"; rows_X <- "row_vector[d] X[n];"
groups <- paste("data { int n; int G; int g[n]; vector[n] y; }",
                "parameters { real mu; real<lower=0> tau; real<lower=0> sigma; vector[G] z; }")
model <- function(prior, data) paste("model {", prior, data, "}")
eight <- "mu ~ normal(0, 5); tau ~ cauchy(0, 5);"; logits <- "alpha ~ normal(0, 5); beta ~ normal(0, 2);"
levels <- "mu ~ normal(0, 5); tau ~ normal(0, 2); sigma ~ normal(0, 2);"
glm <- paste(sprintf(logit, matrix_X), model(logits, "y ~ bernoulli_logit_glm(X, alpha, beta);"))
scalars <- paste(sprintf(logit, rows_X), model(logits,
    "for (i in 1:n) { real f = alpha; for (j in 1:d) f += X[i][j]*beta[j]; y[i] ~ bernoulli_logit(f); }"))
gp <- "data { int n; real x[n]; vector[n] y; } parameters { real<lower=0> a; real<lower=0> l; real<lower=0> s; }"
gp <- paste(gp, "model { matrix[n, n] K = cov_exp_quad(x, a, l); for (i in 1:n) K[i, i] += square(s);",
            "a ~ normal(0, 1); s ~ normal(0, 1); l ~ inv_gamma(5, 5); y ~ %s(rep_vector(0, n), %s); }")
lines <- list(
    list("eight schools, arrays", "schools", paste(schools, model(eight, "eta ~ normal(0, 1); y ~ normal(mu + tau*eta, s);"))),
    list("eight schools, scalars", "schools_scalars", paste(schools, model(eight,
        "for (i in 1:n) { eta[i] ~ normal(0, 1); y[i] ~ normal(mu + tau*eta[i], s[i]); }"))),
    list("logistic 1000 x 24, affine", "logit_glm", glm),
    list("logistic 1000 x 24, rows", "logit_rows", paste(sprintf(logit, rows_X), model(logits,
        "for (i in 1:n) y[i] ~ bernoulli_logit(alpha + X[i]*beta);"))),
    list("logistic 1000 x 24, scalars", "logit_scalars", scalars),
    list("logistic 10000 x 24, affine", "logit_glm", glm),
    list("logistic 10000 x 24, scalars", "logit_scalars", scalars),
    list("1000 groups x 10, arrays", "groups", paste(groups, model(levels,
        "{ vector[G] a = mu + tau*z; z ~ normal(0, 1); y ~ normal(a[g], sigma); }"))),
    list("1000 groups x 10, scalars", "groups_scalars", paste(groups, model(levels,
        "for (j in 1:G) z[j] ~ normal(0, 1); for (i in 1:n) y[i] ~ normal(mu + tau*z[g[i]], sigma);"))),
    list("Gaussian process 200, fused", "gp", sprintf(gp, "multi_normal", "K")),
    list("Gaussian process 200, factor", "gp_factor", sprintf(gp, "multi_normal_cholesky", "cholesky_decompose(K)")))
# Debian's BH has no headers of its own: they are in /usr/include.
include <- function(package, inside = "include") {
    path <- system.file(inside, package = package)
    if (nzchar(path)) paste0("-I", path)
}
for (line in lines) {
    program <- file.path(folder, line[[2]])
    if (file.exists(program)) next
    writeLines(stanc(model_code = line[[3]], model_name = line[[2]], obfuscate_model_name = FALSE)$cppcode, paste0(program, ".hpp"))
    status <- system2("g++", c("-std=c++14 -O3 -w", shQuote(paste0("-DHPP=\"", line[[2]], ".hpp\"")), paste0("-I", folder),
        include("StanHeaders"), include("StanHeaders", "include/src"), include("BH"), include("RcppEigen"),
        include("RcppParallel"), "bench/tape_stan.cpp", "-o", program, "-ltbb"))
    if (status) stop("g++ failed")
}
stopifnot(system2("build/bench_tape", c("--data", folder)) == 0)
cat(sprintf("%-30s %10s %10s %7s %9s\n", "microseconds", "program", "Stan", "ratio", "differ by"))
for (line in lines) {
    ours <- theirs <- Inf
    for (round in 1:3) {
        said <- system2("build/bench_tape", c("--only", shQuote(line[[1]])), stdout = TRUE)
        ours <- min(ours, as.numeric(sub(".* ([0-9.]+) us .*", "\\1", said)))
        peer <- strsplit(system2(file.path(folder, line[[2]]), shQuote(file.path(folder, line[[1]])), stdout = TRUE), " ")[[1]]
        theirs <- min(theirs, as.numeric(peer[1]))
    }
    cat(sprintf("%-30s %10.3f %10.3f %7.2f %9s\n", line[[1]], ours, theirs, ours/theirs, peer[2]))
}

# golden_convergence.R - writes tests/golden/convergence_golden.h
#
#     Rscript tools/golden_convergence.R > tests/golden/convergence_golden.h
#
# What R's package posterior (1.4.0) says of chains that both sides make by themselves: the noise is that of the linear congruential
# generator s <- (1664525 s + 1013904223) mod 2^32, u = (s + 1/2)/2^32, whose numbers a double holds exactly. No library function is
# asked for the draws, so that they are the same to the bit but for the quotients of `heavy`.
suppressMessages(library(posterior))
state <- 1
uniform <- function() {
    high <- state %/% 65536; low <- state %% 65536                       # 2^32 products in two halves
    state <<- ((1664525*high) %% 65536*65536 + 1664525*low + 1013904223) %% 4294967296
    (state + 0.5)/4294967296
}
noise <- function() { s <- -6; for (k in 1:12) s <- s + uniform(); s }
series <- function(chains, draws, f) { x <- matrix(0, draws, chains)
    for (c in 1:chains) { old <- 0; for (i in 1:draws) { old <- f(old, c, i); x[i, c] <- old } }; x }
cases <- list(
    iid     = list(4, 200, function(old, c, i) noise()),
    ar6     = list(4, 201, function(old, c, i) 0.625*old + noise()),
    anti    = list(3, 150, function(old, c, i) -0.5*old + noise()),
    shifted = list(4, 100, function(old, c, i) noise() + 0.25*c),
    wide    = list(2, 301, function(old, c, i) noise()*c),
    heavy   = list(4, 250, function(old, c, i) { n <- noise(); n/(uniform() + 0.0625) }),
    sticky  = list(2, 400, function(old, c, i) if (uniform() < 0.75) old else noise()),
    coarse  = list(4, 120, function(old, c, i) floor(4*noise())/4),
    one     = list(1, 500, function(old, c, i) 0.875*old + noise()),
    slow    = list(2, 80, function(old, c, i) old + 0.125*noise()),
    tiny    = list(2, 7, function(old, c, i) noise()))
cat("/* convergence_golden.h - what R's posterior 1.4.0 says of some chains. Written by tools/golden_convergence.R, which",
    "says how. */\n")
cat("#ifndef BLN_TESTS_CONVERGENCE_GOLDEN_H\n#define BLN_TESTS_CONVERGENCE_GOLDEN_H\n")
cat("typedef struct golden_convergence { const char *name; size_t chains, draws;\n    double first, last, mean, sd, q05, median,",
    " q95, rhat, ess_bulk, ess_tail, ess_mean, mcse_mean, mcse_sd, q10, ess_q10, mcse_q10, lag1, lag5;\n} golden_convergence;\n",
    sep = "")
cat("static const golden_convergence golden_convergence_cases[] TEST_UNUSED = {\n")
for (name in names(cases)) {
    k <- cases[[name]]
    x <- series(k[[1]], k[[2]], k[[3]])
    lag <- function(t) mean(apply(x, 2, function(v) { a <- autocovariance(v); a[t + 1]/a[1] }))
    v <- c(x[1, 1], x[nrow(x), ncol(x)], mean(x), sd(as.vector(x)), quantile(x, c(.05, .5, .95)), rhat(x), ess_bulk(x), ess_tail(x),
           ess_mean(x), mcse_mean(x), mcse_sd(x), quantile(x, .1), ess_quantile(x, .1), mcse_quantile(x, .1), lag(1), lag(5))
    cat(sprintf("    { \"%s\", %d, %d,", name, k[[1]], k[[2]]))
    text <- ifelse(is.na(v), "NAN", sprintf("%.17g", v))
    text <- ifelse(grepl("[.eN]", text), text, paste0(text, ".0"))
    for (i in seq_along(text)) cat(if (i %% 6 == 1) "\n      " else " ", text[i], if (i < length(text)) "," else " },\n", sep = "")
}
cat("};\n\n#endif /* BLN_TESTS_CONVERGENCE_GOLDEN_H */\n")

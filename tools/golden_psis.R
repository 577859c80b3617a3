# golden_psis.R - what R's package loo makes of three sets of log ratios, as rows case,name,i,value: called by golden_psis.py
#
#     Rscript tools/golden_psis.R        (loo 2.5.1)
#
# Uniform numbers are those of golden_convergence.R; ratios are rounded to nine places, so that the decimal numbers say all of them.
suppressMessages(library(loo))
options(digits = 15, scipen = 100)
state <- 1
uniform <- function() {
    high <- state %/% 65536; low <- state %% 65536
    state <<- ((1664525*high) %% 65536*65536 + 1664525*low + 1013904223) %% 4294967296
    (state + 0.5)/4294967296
}
normal <- function() { s <- -6; for (k in 1:12) s <- s + uniform(); s }
cases <- list(heavy_tail = function() -0.95*log(uniform()), light_tail = function() -0.25*log(uniform()) - 0.25*normal(),
              short = function() 1.5*uniform())
for (case in names(cases)) {
    ratio <- round(replicate(if (case == "short") 60 else 1000, cases[[case]]()), 9)
    for (i in seq_along(ratio)) cat(case, "ratio", i - 1, sprintf("%.9f", ratio[i]), sep = ",", "\n")
    p <- suppressWarnings(psis(ratio, r_eff = 1))
    w <- sort(weights(p, log = TRUE, normalize = TRUE)[, 1], decreasing = TRUE)
    cat(case, "k_hat", 0, sprintf("%.15g", p$diagnostics$pareto_k), sep = ",", "\n")
    cat(case, "n_eff", 0, sprintf("%.15g", p$diagnostics$n_eff), sep = ",", "\n")
    for (i in 1:3) cat(case, "largest", i - 1, sprintf("%.15g", w[i]), sep = ",", "\n")
}

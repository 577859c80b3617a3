# example.R - the motorcycle data: a curve with its band, draws, and a file
#
#     Rscript bindings/R/example.R            (at the top of the project; docs/r.md says how to build what it needs)
#
# Head acceleration of a crash-test dummy in the milliseconds after the impact. What it prints stands in bindings/example.expected,
# as what bindings/python/example.py prints.
source("bindings/R/bayeslin.R")

mcycle <- read.csv("examples/data/mcycle.csv")
model <- bayeslin(mcycle$times, mcycle$accel, basis = "gp:kernel=matern52+linear", names = "times")
said <- summary(model)
cat(sprintf("noise %.4g, length scale %.4g, log evidence %.6g\n", as.double(said[["noise_sd"]]),
            as.double(said[["length scale"]]), as.double(said[["log_evidence"]])))

grid <- seq(0, 60, length.out = 7)
p <- predict(model, grid)
band <- confint(model, grid, level = 0.95)
cat(sprintf("%5.1f %9.3f %8.4f %8.4f %9.3f %9.3f\n", grid, p$mean, p$sd_model, p$sd, band$lower, band$upper), sep = "")

C <- bayeslin_covariance(model, grid)
cat(sprintf("correlation of the curve at 20 and 30 ms %.6f\n", cov2cor(C)[3, 4]))
draws <- bayeslin_draws(model, grid, count = 4000, seed = 1)
cat(sprintf("draws agree: %d\n", all(abs(colMeans(draws) - p$mean) < 5*p$sd_model/sqrt(4000))))

path <- "build/example_r.bln"
bayeslin_save(model, path)
again <- bayeslin_load(path)
cat(sprintf("loaded, the same to the bit: %d\n", identical(predict(again, grid)$mean, p$mean)))
invisible(file.remove(path))

# Counts: damage to ships per month of service, by year of construction.
ships <- data.frame(built = c(0, 0, 1, 1, 2, 2, 3), service = c(127, 63, 1095, 1095, 1512, 3353, 2244),
                    incidents = c(0, 0, 3, 4, 6, 18, 11))
rate <- bayeslin(ships$built, ships$incidents, basis = "linear", trials = ships$service, likelihood = "poisson",
                 inference = "laplace", prior = "flat")
per <- predict(rate, c(0, 3), trials = 1000)$mean
cat(sprintf("incidents in 1000 months: %.4f, %.4f\n", per[1], per[2]))

refused <- tryCatch(bayeslin(c(1, NaN), c(0, 1)), error = function(e) sub("bayeslin: ", "", conditionMessage(e)))
cat("refused: ", refused, "\n", sep = "")

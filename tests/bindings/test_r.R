# Tests of bindings/R: what lm and glm of R say, shapes, errors.
source("bindings/R/bayeslin.R")
set.seed(1)
X <- matrix(runif(160, -1, 1), 80, 2)
y <- 3 + 2*X[, 1] - 4*X[, 2] + 0.1*rnorm(80)
near <- function(a, b, tolerance) stopifnot(length(a) == length(b), all(abs(a - b) <= tolerance*(1 + abs(b))))
refused <- function(text, expression) {
    said <- tryCatch({ expression; "" }, error = conditionMessage)
    if (!grepl(text, said, fixed = TRUE)) stop("not refused with '", text, "' but '", said, "'")
}

# Least squares, and the t intervals of its predictions.
model <- bayeslin(X, y, basis = "linear", prior = "flat", names = c("a", "b"))
fit <- lm(y ~ X)
near(coef(model)$mean, unname(coef(fit)), 1e-10)
near(as.vector(vcov(model)), as.vector(vcov(fit)), 1e-9)
stopifnot(identical(coef(model)$name, c("1", "a", "b")), bayeslin_shape(model)[["weights"]] == 3)
near(bayeslin_slopes(model, X[1:3, ]), matrix(coef(fit)[2:3], 3, 2, byrow = TRUE), 1e-9)
few <- bayeslin(X, y, basis = "linear", prior = "flat", integrate = TRUE)
new <- matrix(c(0.3, 2, -1, 5), 2, 2)
of_r <- predict(fit, list(X = new), interval = "prediction", level = 0.9)
near(as.matrix(confint(few, new, level = 0.9)), unname(cbind(lower = of_r[, 2], upper = of_r[, 3])), 1e-9)

# Counts with an exposure: R's glm.
service <- runif(80, 1, 5)
counts <- rpois(80, service*exp(0.5 + X[, 1]))
rate <- bayeslin(X, counts, basis = "linear", trials = service, likelihood = "poisson", inference = "laplace", prior = "flat")
near(coef(rate)$mean, unname(coef(glm(counts ~ X + offset(log(service)), family = poisson))), 1e-6)

# Shapes, draws, classes.
C <- bayeslin_covariance(model, new)
draws <- bayeslin_draws(model, new, count = 20000, seed = 3)
stopifnot(identical(dim(draws), c(20000L, 2L)), identical(C, t(C)))
near(cov(draws), C, 0.06*max(C))
stopifnot(identical(bayeslin_draws(model, new, seed = 2), bayeslin_draws(model, new, seed = 2)))
class <- as.integer(cut(X[, 1], c(-2, -0.3, 0.3, 2))) - 1
p <- predict(bayeslin(X, class, basis = "linear", likelihood = "categorical"), X)$mean
stopifnot(identical(dim(p), c(80L, 3L)), mean(max.col(p) - 1 == class) > 0.9)
near(rowSums(p), rep(1, 80), 1e-6)

# Failures are errors; handles that are gone are noticed.
refused("row 1, column 0", bayeslin(c(1, NaN, 2), 1:3))
refused("known are", bayeslin(X, y, likelyhood = "poisson"))
refused("X has 1 columns, the model 2", predict(model, 1))
refused("y has 79 numbers for 80 rows", bayeslin(X, y[-1]))
refused("no/such", bayeslin_load("no/such.bln"))
refused("no model", predict(unserialize(serialize(model, NULL)), X))
refused("count must be", bayeslin_draws(model, new, count = 0))
for (k in 1:200) model <- bayeslin(X, y, basis = "linear", integrate = FALSE)
invisible(gc())
cat("good\n")

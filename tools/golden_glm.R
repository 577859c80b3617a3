# golden_glm.R - writes tests/golden/data/glm_refs.csv: maximum-likelihood fits of the data sets beside it, by R's glm
#
#     Rscript tools/golden_glm.R > tests/golden/data/glm_refs.csv        (R alone)
#
# Columns: set, model, quantity, value, sd. The data sets and their sources are in tests/golden/data/README.md.
options(digits = 15)
data <- function(name) read.csv(file.path("tests/golden/data", paste0(name, ".csv")))
line <- function(...) cat(paste(..., sep = ","), "\n", sep = "")
# glm stops when two deviances are the same number, at the latest after 100 steps, which can be before the coefficients are settled:
# they are off by up to 1e-10 then, by an amount that depends on rounding. So it begins three times more where it has ended.
fits <- function(set, model, formula, family, rows) {
    fit <- NULL
    for (again in 0:3)
        fit <- suppressWarnings(do.call(glm, list(formula, family = family, data = rows, start = coef(fit),
                                                  control = glm.control(epsilon = 1e-300, maxit = 100))))
    s <- summary(fit, dispersion = 1)$coefficients
    for (k in rownames(s)) line(set, model, k, format(s[k, 1]), format(s[k, 2]))
    line(set, model, "loglik", format(as.numeric(logLik(fit))), "")
}
cat("set,model,quantity,value,sd\n")
beetle <- data("beetle")
for (link in c("logit", "probit", "cloglog"))
    fits("beetle", paste0("binomial_", link), cbind(killed, n - killed) ~ log10dose, binomial(link), beetle)
challenger <- data("challenger")
fits("challenger", "binomial_logit", cbind(failures, rings - failures) ~ temperature, binomial, challenger)
fits("challenger", "bernoulli_logit_any", (failures > 0) ~ temperature, binomial, challenger)
fits("insects", "poisson_log", count ~ ., poisson, data("insects"))
ships <- subset(data("ships"), service > 0)
fits("ships", "poisson_log_offset_logservice", incidents ~ . - service + offset(log(service)), poisson, ships)
fits("coal", "poisson_log_late1892", disasters ~ late, poisson, transform(data("coal"), late = as.numeric(year >= 1892)))

# bayeslin.R - bayeslin for R: Bayesian linear models, generalised linear models and Gaussian processes
#
#     source("bindings/R/bayeslin.R")
#     model <- bayeslin(X, y)                        # the rows choose a basis
#     predict(model, X_new)                          # data frame: mean, sd_model, sd
#     confint(model, X_new, level = 0.95)
#
# docs/r.md teaches by an example and says how bayeslin_r.so is built; it is looked for in the folder of options(bayeslin_folder=),
# beside this file and in build/R. What each function does stands in bindings/bayeslin_flat.h.

bayeslin_dll <- local({
    sourced <- unlist(lapply(sys.frames(), function(frame) frame$ofile))      # files being read by source(), this one last
    here <- if (length(sourced)) dirname(normalizePath(sourced[length(sourced)])) else "."
    name <- paste0("bayeslin_r", .Platform$dynlib.ext)
    folder <- getOption("bayeslin_folder")
    places <- c(if (!is.null(folder)) file.path(folder, name),
                file.path(here, name), file.path(here, "..", "..", "build", "R", name))
    found <- places[file.exists(places)]
    if (!length(found)) stop("bayeslin: no ", name, " in ", paste(places, collapse = ", "), ": see docs/r.md")
    dyn.load(found[1])
})
bayeslin_call <- function(name, ...) .Call(getNativeSymbolInfo(name, bayeslin_dll), ...)

# d x n doubles: a row of X is a column of these.
bayeslin_rows <- function(X) {
    X <- t(as.matrix(X))
    storage.mode(X) <- "double"
    X
}
bayeslin_column <- function(x, n, what) {
    if (is.null(x)) return(NULL)
    if (is.factor(x) || is.character(x))
        stop("bayeslin: ", what, " is words: give numbers, classes from 0, as.integer(factor(", what, ")) - 1")
    if ((length(x) != 1 || what == "y") && length(x) != n) stop("bayeslin: ", what, " has ", length(x), " numbers for ", n, " rows")
    rep_len(as.double(x), n)
}

# Further arguments are options: likelihood = "poisson", prior = "flat", integrate = FALSE, seed = 1, names = c("age", "dose").
bayeslin <- function(X, y, basis = "auto", weight = NULL, offset = NULL, trials = NULL, ...) {
    X <- bayeslin_rows(X)
    n <- ncol(X)
    value <- function(v) {
        if (is.logical(v)) return(if (v) "yes" else "no")
        if (any(grepl("[,;\n]", v))) stop("bayeslin: options and names have no comma, semicolon or new line: ", v[1])
        paste(sub("^Inf$", "inf", format(v, digits = 17, scientific = FALSE, trim = TRUE)), collapse = ";")
    }
    options <- list(...)
    text <- paste(names(options), vapply(options, value, ""), sep = "=", collapse = ",")
    if (!length(options)) text <- ""
    pointer <- bayeslin_call("r_fit", X, bayeslin_column(y, n, "y"), bayeslin_column(weight, n, "weight"),
                             bayeslin_column(offset, n, "offset"), bayeslin_column(trials, n, "trials"), basis, text)
    structure(list(pointer = pointer), class = "bayeslin")
}

# Inputs, columns of the mean (classes), latents, weights.
bayeslin_shape <- function(model) {
    stats::setNames(bayeslin_call("r_shape", model$pointer), c("inputs", "columns", "latents", "weights"))
}

bayeslin_table <- function(parts, names, n, columns) {
    if (columns == 1) return(as.data.frame(stats::setNames(parts, names)))
    lapply(stats::setNames(parts, names), function(x) matrix(x, n, columns, byrow = TRUE))
}

# mean, sd_model, sd: a data frame, or of classes a list of matrices n x classes.
predict.bayeslin <- function(object, X, offset = NULL, trials = NULL, ...) {
    X <- bayeslin_rows(X)
    n <- ncol(X)
    out <- bayeslin_call("r_predict", object$pointer, X, bayeslin_column(offset, n, "offset"), bayeslin_column(trials, n, "trials"))
    bayeslin_table(out, c("mean", "sd_model", "sd"), n, bayeslin_shape(object)[["columns"]])
}

# Central intervals of a new y at the rows of X; latent = TRUE: of the curve.
confint.bayeslin <- function(object, X, level = 0.95, latent = FALSE, offset = NULL, trials = NULL, ...) {
    X <- bayeslin_rows(X)
    n <- ncol(X)
    out <- bayeslin_call("r_intervals", object$pointer, X, bayeslin_column(offset, n, "offset"),
                         bayeslin_column(trials, n, "trials"), as.double(level), latent)
    bayeslin_table(out, c("lower", "upper"), n, if (latent) bayeslin_shape(object)[["latents"]] else 1)
}

bayeslin_covariance <- function(model, X) bayeslin_call("r_covariance", model$pointer, bayeslin_rows(X))

# Joint draws, one a row: of the curve, or with noise = TRUE of data.
bayeslin_draws <- function(model, X, count = 1, noise = FALSE, seed = 0, offset = NULL, trials = NULL) {
    X <- bayeslin_rows(X)
    n <- ncol(X)
    t(bayeslin_call("r_draws", model$pointer, X, bayeslin_column(offset, n, "offset"), bayeslin_column(trials, n, "trials"),
                    as.double(count), noise, as.double(seed)))
}

# Data frame of names, means and sds, with the covariance as an attribute; inputs are standardised unless scale = FALSE.
coef.bayeslin <- function(object, ...) {
    out <- bayeslin_call("r_coefficients", object$pointer)
    structure(data.frame(name = out[[1]], mean = out[[2]], sd = out[[3]]), covariance = out[[4]])
}
vcov.bayeslin <- function(object, ...) attr(coef(object), "covariance")

bayeslin_slopes <- function(model, X) t(bayeslin_call("r_slopes", model$pointer, bayeslin_rows(X)))

# What was learnt, as named text.
summary.bayeslin <- function(object, ...) {
    lines <- strsplit(bayeslin_call("r_describe", object$pointer), "\n")[[1]]
    at <- regexpr("=", lines)
    stats::setNames(substring(lines, at + 1), substring(lines, 1, at - 1))
}
print.bayeslin <- function(x, ...) {
    said <- summary(x)
    cat(paste0(format(names(said)), "  ", said), sep = "\n")
    invisible(x)
}

bayeslin_save <- function(model, path) invisible(bayeslin_call("r_save", model$pointer, path))
bayeslin_load <- function(path) structure(list(pointer = bayeslin_call("r_load", path)), class = "bayeslin")

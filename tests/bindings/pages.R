# pages.R - runs the blocks of R in docs/r.md and, if there is jsonlite, in docs/json.md, from the top of the project
#
#     Rscript tests/bindings/pages.R          (make test PARTS=bindings calls it, with the library and bindings/R built)
#
# The names that a page takes as given are made here.
blocks <- function(page) {
    text <- readLines(page, encoding = "UTF-8")
    from <- which(text == "```r")
    stopifnot(length(from) > 0)
    lapply(from, function(at) text[(at + 1):(at + min(which(text[-seq_len(at)] == "```")) - 1)])
}
run <- function(block) eval(parse(text = block), globalenv())

grDevices::pdf(NULL)
set.seed(3)
X <- matrix(rnorm(120), 60, 2)
y <- as.vector(X %*% c(1, -0.5)) + 0.3*rnorm(60)
new <- X[1:5, ]
service <- rep(c(1, 4), 30)
counts <- rpois(60, service*exp(0.5*X[, 1]))
for (block in blocks("docs/r.md")) run(block)
stopifnot(all(band$lower < p$mean), all(p$mean < band$upper), nrow(coef(fit)) == 3)
stopifnot(abs(coef(fit)$mean - coef(lm(y ~ X))) < 1e-9)                 # as the page says, beside it

if (requireNamespace("jsonlite", quietly = TRUE)) {
    Sys.setenv(PATH = paste(file.path(getwd(), "build"), Sys.getenv("PATH"), sep = .Platform$path.sep))
    page <- blocks("docs/json.md")
    dir.create("build/bindings", showWarnings = FALSE)
    setwd("build/bindings")
    system("bayeslin fit ../../examples/data/boston.csv --target medv --basis linear -o boston.bln", ignore.stdout = TRUE)
    for (block in page) run(block)
    stopifnot(nrow(fit$coefficients) == 14)
} else cat("not found: jsonlite\n")

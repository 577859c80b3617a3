# golden_groups.R - the mixed model of cbpp by Stan, for tests/golden/groups_golden.h, and rstanarm's draws under the same priors
#
#     Rscript tools/golden_groups.R        (lme4 for its data, rstan, rstanarm; minutes)
#
# incidence ~ binomial(size, logit^-1(w0 + w1 p2 + w2 p3 + w3 p4 + a_herd)),  w ~ N(0, s_lin^2), a ~ N(0, s_herd^2), with
# half-Student-t priors (3 degrees of freedom) of scale 2.5/rms and 2.5, rms of the features that are not 0.
suppressMessages({ library(lme4); library(rstan); library(rstanarm) })
options(digits = 8, width = 160)
X <- cbind(1, cbpp$period == 2, cbpp$period == 3, cbpp$period == 4)*1.0
lin <- 2.5/sqrt(mean(rowSums(X^2))/4)
code <- "
data { int n; int P; int J; matrix[n,P] X; int herd[n]; int y[n]; int trials[n]; real lin; }
parameters { vector[P] w; vector[J] z; real<lower=0> s_lin; real<lower=0> s_herd; }
transformed parameters { vector[J] a = s_herd*z; }
model {
  s_lin ~ student_t(3, 0, lin);
  s_herd ~ student_t(3, 0, 2.5);
  w ~ normal(0, s_lin);
  z ~ normal(0, 1);
  y ~ binomial_logit(trials, X*w + a[herd]);
}"
data <- list(n = nrow(cbpp), P = 4, J = 15, X = X, herd = as.integer(cbpp$herd), y = as.integer(cbpp$incidence),
             trials = as.integer(cbpp$size), lin = lin)
if (!("skip" %in% commandArgs(TRUE))) {
    model <- stan_model(model_code = code, boost_lib = "/usr/include")
    fit <- sampling(model, data = data, chains = 4, iter = 102000, warmup = 2000, seed = 1, refresh = 0, pars = "z",
                    include = FALSE, control = list(adapt_delta = 0.95), cores = 1)
    print(summary(fit)$summary[, c("mean", "se_mean", "sd", "n_eff", "Rhat")])
    draws <- rstan::extract(fit)
    for (s in c("s_lin", "s_herd")) cat("log", s, mean(log(draws[[s]])), sd(log(draws[[s]])), "\n")
}

# rstanarm has w ~ N(0, 2.5^2) and s_herd ~ exponential(1): its draws are weighted by the ratio of the priors.
d <- data.frame(y = cbpp$incidence, size = cbpp$size, herd = cbpp$herd, one = X[, 1], p2 = X[, 2], p3 = X[, 3], p4 = X[, 4])
arm <- stan_glmer(cbind(y, size - y) ~ 0 + one + p2 + p3 + p4 + (1 | herd), data = d, family = binomial,
                  prior = normal(0, 2.5, autoscale = FALSE), prior_covariance = decov(1, 1, 1, 1), chains = 4, iter = 22000,
                  warmup = 2000, seed = 1, refresh = 0, cores = 1, adapt_delta = 0.95)
draws <- as.matrix(arm)
w <- draws[, c("one", "p2", "p3", "p4")]
a <- draws[, grep("^b\\[\\(Intercept\\) herd:[0-9]+\\]", colnames(draws))]
s <- sqrt(draws[, grep("^Sigma", colnames(draws))])
square <- rowSums(w^2)
u <- seq(log(1e-3), log(1e4), 0.02)                               # p(w) = int N(w; 0, s^2 I) p(s) ds, by trapezoids in log s
ours <- sapply(square, function(q) {
    l <- -4*u - 0.5*q*exp(-2*u) - 2*log1p((exp(u)/lin)^2/3) + u
    max(l) + log(sum(exp(l - max(l))))
})
ratio <- ours + 0.5*square/2.5^2 - 2*log1p((s/2.5)^2/3) + s
k <- exp(ratio - max(ratio)); k <- k/sum(k)
cat("rstanarm, weighted: effective draws", 1/sum(k^2), "of", length(k), "\n")
all <- cbind(w, a, log_s_herd = log(s))
mean <- colSums(k*all)
print(cbind(mean, sd = sqrt(colSums(k*sweep(all, 2, mean)^2))))

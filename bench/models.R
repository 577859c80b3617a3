# models.R - data and reference draws of bench_models.c: real data of R's packages, the same models by rstan
#
#     Rscript bench/models.R OUT [MODEL...]          bench/models.sh calls it; references that are there stay
#
# Needs rstan with posterior, rstanarm, ggplot2, MASS, boot (Debian: r-cran-rstanarm, r-cran-ggplot2 and what these bring). For each
# model OUT/MODEL.data.csv; MODEL.reference.csv: 10 chains of 1000 draws, as posteriordb's references, adapt_delta 0.95, each the
# last of up to ten transitions, as far as LIMIT seconds (30) allow; MODEL.rstan.csv: seconds and least bulk ESS of 4 chains of
# 1000 + 1000 transitions by Stan's defaults, how many diverged; of the reference the transitions for a draw, R-hat, divergences.
suppressMessages({ library(rstan); library(posterior) })
if (dir.exists("/usr/include/boost")) rstan_options(boost_lib = "/usr/include")        # Debian's
rstan_options(auto_write = TRUE)
out <- commandArgs(TRUE)[1]
only <- commandArgs(TRUE)[-1]
limit <- as.numeric(Sys.getenv("LIMIT", "30"))
dir.create(out, showWarnings = FALSE, recursive = TRUE)
rows <- function(x) c(list(n = nrow(x)), as.list(x))

# Hilbert-space features of a Gaussian process (Riutort-Mayol et al. 2022) on x, scaled to length 1, as brms has them: k sines on an
# interval of 5/4 of the range to each side.
sines <- function(x, k) {
    x <- (x - min(x))/diff(range(x))
    x <- x - mean(x)
    frequency <- pi*(1:k)/(2*1.25)
    list(X = sin(outer(x + 1.25, frequency))/sqrt(1.25), frequency = frequency)
}

schools <- data.frame(y = c(28, 8, -3, 7, -1, 1, 18, 12), sigma = c(15, 10, 16, 11, 9, 11, 10, 18))       # Rubin (1981)
pelts <- data.frame(                                     # thousands, Hudson's Bay Company, 1900 to 1920 (Hewitt 1921)
    hare = c(30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1, 40.3, 57, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7),
    lynx = c(4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4, 8, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6))
kids <- with(rstanarm::kidiq, data.frame(hs = mom_hs, iq = mom_iq, both = mom_hs*mom_iq, score = kid_score))
wells <- with(rstanarm::wells, data.frame(dist = dist/100, arsenic = arsenic, switched = switch))
radon <- with(rstanarm::radon,
              data.frame(county = as.integer(county) - 1, uranium = log_uranium, storey = floor, radon = log_radon))
swiss_scaled <- as.data.frame(scale(datasets::swiss[, c(2:6, 1)]))
names(swiss_scaled) <- c(paste0("x", 1:5), "y")
stones <- as.data.frame(ggplot2::diamonds)[round(seq(1, 53940, length.out = 5000)), ]     # in the order of the file: every eleventh
design <- model.matrix(~ log(carat) + cut + color + clarity, stones)[, -1]
design <- sweep(design, 2, colMeans(design))
colnames(design) <- paste0("x", seq_len(ncol(design)))
stones <- data.frame(design, price = log(stones$price))
returns <- 100*diff(log(datasets::EuStockMarkets[1:501, "DAX"]))
years <- floor((floor(boot::coal$date) - 1851)/4)                                          # 1851 to 1962, four years together
coal <- data.frame(year = 1853 + 4*(0:27), disasters = as.vector(table(factor(years, 0:27))))
crash <- data.frame(sines(MASS::mcycle$times, 40)$X, accel = MASS::mcycle$accel)           # the first 20 serve the noise too
names(crash) <- c(paste0("x", 1:40), "accel")
dose <- subset(datasets::Theoph, Subject == "1" & Time > 0)
dose <- data.frame(hour = dose$Time, conc = dose$conc, dose = dose$Dose, volume = 0.45)    # litres a kilogram

models <- list(
eight_schools = list(data = schools, keep = c("mu", "tau", "eta", "theta"), code = "
    data { int n; vector[n] y; vector[n] sigma; }
    parameters { real mu; real<lower=0> tau; vector[n] eta; }
    transformed parameters { vector[n] theta = mu + tau*eta; }
    model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); eta ~ std_normal(); y ~ normal(theta, sigma); }"),
arK = list(data = data.frame(y = as.vector(log10(datasets::lynx))), keep = c("alpha", "beta", "sigma"), code = "
    data { int n; vector[n] y; }
    transformed data { matrix[n - 5, 5] past; for (k in 1:5) past[, k] = y[(6 - k):(n - k)]; }
    parameters { real alpha; vector[5] beta; real<lower=0> sigma; }
    model { alpha ~ normal(0, 10); beta ~ normal(0, 10); sigma ~ cauchy(0, 2.5); y[6:n] ~ normal(alpha + past*beta, sigma); }"),
arma11 = list(data = data.frame(y = as.vector(datasets::LakeHuron) - 570), keep = c("mu", "phi", "theta", "sigma"),
    start = list(mu = 2, phi = 0.7, theta = 0.3, sigma = 0.7), code = "
    data { int n; vector[n] y; }
    parameters { real mu; real phi; real theta; real<lower=0> sigma; }
    model {
        real e = y[1] - mu - phi*mu;
        mu ~ normal(0, 10); phi ~ normal(0, 2); theta ~ normal(0, 2); sigma ~ cauchy(0, 2.5);
        target += normal_lpdf(e | 0, sigma);
        for (i in 2:n) { e = y[i] - mu - phi*y[i - 1] - theta*e; target += normal_lpdf(e | 0, sigma); }
    }"),
garch11 = list(data = data.frame(y = as.vector(returns), sigma1 = sd(returns)), keep = c("mu", "alpha0", "alpha1", "beta1"),
    code = "
    data { int n; vector[n] y; vector[n] sigma1; }
    parameters { real mu; real<lower=0> alpha0; real<lower=0, upper=1> alpha1; real<lower=0, upper=1-alpha1> beta1; }
    model {
        vector[n] v;
        v[1] = square(sigma1[1]);
        for (i in 2:n) v[i] = alpha0 + alpha1*square(y[i - 1] - mu) + beta1*v[i - 1];
        y ~ normal(mu, sqrt(v));
    }"),
kidscore_interaction = list(data = kids, keep = c("beta", "sigma"), code = "
    data { int n; vector[n] hs; vector[n] iq; vector[n] both; vector[n] score; }
    parameters { vector[4] beta; real<lower=0> sigma; }
    model { sigma ~ cauchy(0, 2.5); score ~ normal(beta[1] + beta[2]*hs + beta[3]*iq + beta[4]*both, sigma); }"),
blr = list(data = swiss_scaled, keep = c("beta", "sigma"), code = "
    data { int n; vector[n] x1; vector[n] x2; vector[n] x3; vector[n] x4; vector[n] x5; vector[n] y; }
    parameters { vector[5] beta; real<lower=0> sigma; }
    model { beta ~ normal(0, 10); sigma ~ normal(0, 10);
            y ~ normal(beta[1]*x1 + beta[2]*x2 + beta[3]*x3 + beta[4]*x4 + beta[5]*x5, sigma); }"),
diamonds = list(data = stones, keep = c("b", "Intercept", "sigma"),
    stan = list(n = nrow(stones), k = ncol(design), X = unname(design), price = stones$price), code = "
    data { int n; int k; matrix[n, k] X; vector[n] price; }
    parameters { vector[k] b; real Intercept; real<lower=0> sigma; }
    model { b ~ std_normal(); Intercept ~ student_t(3, 8, 10); sigma ~ student_t(3, 0, 10);
            target += normal_id_glm_lpdf(price | X, Intercept, b, sigma); }"),
wells_dist100ars = list(data = wells, keep = c("alpha", "beta"), code = "
    data { int n; vector[n] dist; vector[n] arsenic; int switched[n]; }
    parameters { real alpha; vector[2] beta; }
    model { switched ~ bernoulli_logit(alpha + beta[1]*dist + beta[2]*arsenic); }"),
radon = list(data = radon, keep = c("alpha", "beta", "mu_alpha", "sigma_alpha", "sigma_y"),
    stan = modifyList(rows(radon), list(county = as.integer(radon$county) + 1L)), code = "
    data { int n; int county[n]; vector[n] uranium; vector[n] storey; vector[n] radon; }
    parameters { vector[85] alpha_raw; vector[2] beta; real mu_alpha; real<lower=0> sigma_alpha; real<lower=0> sigma_y; }
    transformed parameters { vector[85] alpha = mu_alpha + sigma_alpha*alpha_raw; }
    model {
        alpha_raw ~ std_normal(); beta ~ normal(0, 10); mu_alpha ~ normal(0, 10);
        sigma_alpha ~ std_normal(); sigma_y ~ std_normal();
        radon ~ normal(alpha[county] + beta[1]*uranium + beta[2]*storey, sigma_y);
    }"),
low_dim_gauss_mix = list(data = data.frame(y = datasets::faithful$eruptions), keep = c("mu", "sigma", "theta"), code = "
    data { int n; vector[n] y; }
    parameters { ordered[2] mu; vector<lower=0>[2] sigma; real<lower=0, upper=1> theta; }
    model {
        mu ~ normal(0, 2); sigma ~ normal(0, 2); theta ~ beta(5, 5);
        for (i in 1:n) target += log_mix(theta, normal_lpdf(y[i] | mu[1], sigma[1]), normal_lpdf(y[i] | mu[2], sigma[2]));
    }"),
hmm_example = list(data = data.frame(y = 2*MASS::geyser$duration), keep = c("theta1", "theta2", "mu"), code = "
    data { int n; vector[n] y; }
    parameters { simplex[2] theta1; simplex[2] theta2; positive_ordered[2] mu; }
    model {
        vector[2] f;
        mu[1] ~ normal(3, 1); mu[2] ~ normal(10, 1);
        for (k in 1:2) f[k] = normal_lpdf(y[1] | mu[k], 1);
        for (i in 2:n) {
            vector[2] old = f;
            for (k in 1:2) f[k] = log_sum_exp(old[1] + log(theta1[k]), old[2] + log(theta2[k])) + normal_lpdf(y[i] | mu[k], 1);
        }
        target += log_sum_exp(f);
    }"),
gp_regr = list(data = data.frame(x = 1:60 - 30.5, y = as.vector(datasets::nhtemp) - mean(datasets::nhtemp)),
    keep = c("rho", "alpha", "sigma"), code = "
    data { int n; real x[n]; vector[n] y; }
    parameters { real<lower=0> rho; real<lower=0> alpha; real<lower=0> sigma; }
    model {
        matrix[n, n] K = cov_exp_quad(x, alpha, rho);
        for (i in 1:n) K[i, i] += sigma;
        rho ~ gamma(25, 4); alpha ~ normal(0, 2); sigma ~ std_normal();
        y ~ multi_normal(rep_vector(0, n), K);
    }"),
gp_pois_regr = list(data = coal, keep = c("rho", "alpha", "f"), code = "
    data { int n; real year[n]; int disasters[n]; }
    parameters { real<lower=0> rho; real<lower=0> alpha; vector[n] f_tilde; }
    transformed parameters {
        vector[n] f;
        { matrix[n, n] K = cov_exp_quad(year, alpha, rho); for (i in 1:n) K[i, i] += 1e-10; f = cholesky_decompose(K)*f_tilde; }
    }
    model { rho ~ gamma(25, 4); alpha ~ normal(0, 2); f_tilde ~ std_normal(); disasters ~ poisson_log(f); }"),
accel_gp = list(data = crash,
    keep = c("intercept", "sdgp", "lscale", "zgp", "intercept_sigma", "sdgp_sigma", "lscale_sigma", "zgp_sigma"),
    stan = list(n = nrow(crash), X = unname(as.matrix(crash[, 1:40])), w = sines(1:9, 40)$frequency, accel = crash$accel), code = "
    data { int n; matrix[n, 40] X; vector[40] w; vector[n] accel; }
    parameters { real intercept; real<lower=0> sdgp; real<lower=0> lscale; vector[40] zgp;
                 real intercept_sigma; real<lower=0> sdgp_sigma; real<lower=0> lscale_sigma; vector[20] zgp_sigma; }
    model {
        vector[40] a = sdgp*sqrt(sqrt(2*pi())*lscale)*exp(-0.25*square(lscale*w));
        vector[20] b = sdgp_sigma*sqrt(sqrt(2*pi())*lscale_sigma)*exp(-0.25*square(lscale_sigma*w[1:20]));
        intercept ~ student_t(3, -13, 36); sdgp ~ student_t(3, 0, 36); lscale ~ inv_gamma(1.124909, 0.0177); zgp ~ std_normal();
        intercept_sigma ~ student_t(3, 0, 10); sdgp_sigma ~ student_t(3, 0, 36); lscale_sigma ~ inv_gamma(1.124909, 0.0177);
        zgp_sigma ~ std_normal();
        accel ~ normal(intercept + X*(a .* zgp), exp(intercept_sigma + X[, 1:20]*(b .* zgp_sigma)));
    }"),
lotka_volterra = list(data = pelts, keep = c("theta", "z_init", "sigma"), start = list(theta = c(0.63, 0.031, 0.63, 0.018),
    z_init = c(30, 4), sigma = c(0.3, 0.3)), code = "
    functions { real[] slope(real t, real[] z, real[] p, real[] x, int[] i) {
        return { (p[1] - p[2]*z[2])*z[1], (p[4]*z[1] - p[3])*z[2] }; } }
    data { int n; vector[n] hare; vector[n] lynx; }
    transformed data { real when[n - 1]; for (i in 1:(n - 1)) when[i] = i; }
    parameters { real<lower=0> theta[4]; real<lower=0> z_init[2]; real<lower=0> sigma[2]; }
    model {
        real z[n - 1, 2] = integrate_ode_rk45(slope, z_init, 0.0, when, theta, rep_array(0.0, 0), rep_array(0, 0), 1e-6, 1e-6, 500);
        theta[{1, 3}] ~ normal(1, 0.5); theta[{2, 4}] ~ normal(0.05, 0.05);
        sigma ~ lognormal(-1, 1); z_init ~ lognormal(log(10), 1);
        hare[1] ~ lognormal(log(z_init[1]), sigma[1]); lynx[1] ~ lognormal(log(z_init[2]), sigma[2]);
        hare[2:n] ~ lognormal(log(z[, 1]), sigma[1]); lynx[2:n] ~ lognormal(log(z[, 2]), sigma[2]);
    }"),
one_comp_mm_elim_abs = list(data = dose, keep = c("k_a", "sigma", "log_K_m", "log_V_m"), start = list(k_a = 1, K_m = 2, V_m = 0.3,
    sigma = 0.3), code = "
    functions { real[] slope(real t, real[] c, real[] p, real[] x, int[] i) {
        return { p[1]*x[1]/x[2]*exp(-p[1]*t) - p[3]/x[2]*c[1]/(p[2] + c[1]) }; } }
    data { int n; real hour[n]; vector[n] conc; real dose[n]; real volume[n]; }
    transformed data { real x[2] = { dose[1], volume[1] }; }
    parameters { real<lower=0> k_a; real<lower=0> K_m; real<lower=0> V_m; real<lower=0> sigma; }
    transformed parameters { real log_K_m = log(K_m); real log_V_m = log(V_m); }
    model {
        real c[n, 1] = integrate_ode_rk45(slope, { 0.0 }, 0.0, hour, { k_a, K_m, V_m }, x, rep_array(0, 0), 1e-6, 1e-8, 5000);
        k_a ~ cauchy(0, 1); K_m ~ cauchy(0, 1); V_m ~ cauchy(0, 1); sigma ~ cauchy(0, 1);
        conc ~ lognormal(log(c[, 1]), sigma);
    }"))

divergent <- function(fit) sum(sapply(get_sampler_params(fit, inc_warmup = FALSE), function(x) sum(x[, "divergent__"])))
for (name in if (length(only)) intersect(only, names(models)) else names(models)) {
    m <- models[[name]]
    path <- function(what) file.path(out, paste0(name, what))
    write.csv(format(m$data, digits = 16, trim = TRUE), path(".data.csv"), row.names = FALSE, quote = FALSE)
    if (file.exists(path(".reference.csv"))) next
    if (!file.exists(path(".stan")) || !identical(paste(readLines(path(".stan")), collapse = "\n"), m$code))
        writeLines(m$code, path(".stan"))
    model <- stan_model(path(".stan"), model_name = name)
    draw <- function(chains, iter, thin, ...) sampling(model, data = if (is.null(m$stan)) rows(m$data) else m$stan, pars = m$keep,
        chains = chains, iter = iter, warmup = 1000, thin = thin, cores = 1, refresh = 0, seed = 1 + thin,
        init = if (is.null(m$start)) "random" else function() m$start, ...)
    of <- function(fit) { x <- as.array(fit); x[, , dimnames(x)[[3]] != "lp__", drop = FALSE] }
    own <- suppressWarnings(draw(4, 2000, 1))
    seconds <- sum(get_elapsed_time(own))
    thin <- max(1, min(10, floor(limit/(2.5*sum(get_elapsed_time(own)[, "sample"])))))
    fit <- suppressWarnings(draw(10, 1000 + 1000*thin, thin, control = list(adapt_delta = 0.95)))
    x <- of(fit)
    rhat <- max(apply(x, 3, posterior::rhat))
    write.csv(data.frame(seconds = seconds, ess = min(apply(of(own), 3, ess_bulk)), divergent = divergent(own), thin = thin,
                         reference_rhat = rhat, reference_divergent = divergent(fit),
                         reference_ess = min(apply(x, 3, ess_bulk))), path(".rstan.csv"), row.names = FALSE)
    chain <- function(k) data.frame(chain = k, draw = 1:1000, signif(x[, k, ], 10), check.names = FALSE)
    table <- do.call(rbind, lapply(1:10, chain))
    write.csv(table, path(".new"), row.names = FALSE)
    file.rename(path(".new"), path(".reference.csv"))
    cat(sprintf("%-24s rstan %7.1f s, reference: every %d, R-hat %.4f, %d divergent\n", name, seconds, thin, rhat, divergent(fit)))
}

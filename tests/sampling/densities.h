/* densities.h - densities with known moments, for the tests of the samplers */
#ifndef BLN_TESTS_DENSITIES_H
#define BLN_TESTS_DENSITIES_H

typedef bln_status (*density_eval)(void *user, const double *q, double *value, double *gradient, bln_report *report);

static TEST_UNUSED bln_density density_made(size_t dim, density_eval eval)
{
    bln_density d = BLN_ZERO;
    d.dim = dim;
    d.eval = eval;
    return d;
}

/* Independent normals with the standard deviations 1, 2, ..., 10, 1, ..., in *(size_t *)user dimensions. */
static TEST_UNUSED bln_status density_normals(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    (void)report;
    *value = 0.0;
    for (size_t i = 0; i < *(size_t *)user; i++) {
        const double s = 1.0 + (double)(i % 10);
        *value -= 0.5*q[i]*q[i]/(s*s);
        if (gradient) gradient[i] = -q[i]/(s*s);
    }
    return BLN_OK;
}

/* Two normals of correlation 0.95. */
static TEST_UNUSED bln_status density_correlated(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const double r = 0.95, w = 1.0/(1.0 - r*r);
    (void)user; (void)report;
    *value = -0.5*w*(q[0]*q[0] + q[1]*q[1] - 2.0*r*q[0]*q[1]);
    if (gradient) { gradient[0] = -w*(q[0] - r*q[1]); gradient[1] = -w*(q[1] - r*q[0]); }
    return BLN_OK;
}

/* q0 ~ N(0, 1), q1 | q0 ~ N(q0^2/2, 1/4), q2 logistic: not normal, but easy to draw from exactly. */
static TEST_UNUSED bln_status density_banana(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const double e = q[1] - 0.5*q[0]*q[0], t = tanh(0.5*q[2]);
    (void)user; (void)report;
    *value = -0.5*q[0]*q[0] - 2.0*e*e - q[2] - 2.0*bln_log1pexp(-q[2]);
    if (gradient) { gradient[0] = -q[0] + 4.0*e*q[0]; gradient[1] = -4.0*e; gradient[2] = -t; }
    return BLN_OK;
}
static TEST_UNUSED void density_banana_draw(bln_rng *rng, double *q)
{
    q[0] = bln_rng_normal(rng);
    q[1] = 0.5*q[0]*q[0] + 0.5*bln_rng_normal(rng);
    q[2] = bln_logit(bln_rng_uniform(rng));
}

/* Neal's funnel in two dimensions: v ~ N(0, 9), x | v ~ N(0, e^v). */
static TEST_UNUSED bln_status density_funnel(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    const double e = exp(-q[0]);
    (void)user; (void)report;
    *value = -q[0]*q[0]/18.0 - 0.5*q[1]*q[1]*e - 0.5*q[0];
    if (gradient) { gradient[0] = -q[0]/9.0 + 0.5*q[1]*q[1]*e - 0.5; gradient[1] = -q[1]*e; }
    return BLN_OK;
}

/* Eight schools, non-centred, normals by their standard deviations: mu ~ N(0, 5), tau ~ half-Cauchy(5), y_j ~ N(mu + tau e_j, s_j),
 * e_j ~ N(0, 1), q = (mu, log tau, e). Moments by quadrature over log tau: E mu 4.396821, sd 3.317704, E tau 3.597705, sd 3.219958,
 * E log tau 0.802139. */
static TEST_UNUSED bln_status density_schools(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    static const double y[8] = { 28, 8, -3, 7, -1, 1, 18, 12 }, s[8] = { 15, 10, 16, 11, 9, 11, 10, 18 };
    const double mu = q[0], tau = exp(q[1]), *e = q + 2;
    double d_mu = -mu/25.0, d_tau = 0.0;
    (void)user; (void)report;
    *value = -0.5*mu*mu/25.0 - log1p(tau*tau/25.0) + q[1];
    for (size_t j = 0; j < 8; j++) {
        const double z = (y[j] - mu - tau*e[j])/s[j];
        *value -= 0.5*z*z + 0.5*e[j]*e[j];
        d_mu += z/s[j];
        d_tau += z/s[j]*e[j];
        if (gradient) gradient[2 + j] = tau*z/s[j] - e[j];
    }
    if (gradient) { gradient[0] = d_mu; gradient[1] = tau*d_tau - 2.0*tau*tau/(25.0 + tau*tau) + 1.0; }
    return BLN_OK;
}

#endif /* BLN_TESTS_DENSITIES_H */

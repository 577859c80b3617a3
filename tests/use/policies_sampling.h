/* policies_sampling.h - the part of test_policies.c for functions that take a log density, or draws of one */
#ifndef BLN_TESTS_POLICIES_SAMPLING_H
#define BLN_TESTS_POLICIES_SAMPLING_H

/* ---- sampling: a normal, and a table of draws */

static bln_status policy_density(void *user, const double *q, double *value, double *gradient, bln_report *report)
{
    (void)user; (void)report;
    *value = -0.5*q[0]*q[0];
    if (gradient) gradient[0] = -q[0];
    return BLN_OK;
}
static bln_hmc_desc policy_hmc_desc(void)
{
    bln_hmc_desc d = BLN_ZERO;
    d.density.dim = 1;
    d.density.eval = policy_density;
    d.draws = d.warmup = 10;
    return d;
}
static bln_status policy_density_check(policy_world *w, int good, bln_report *r)
{
    const bln_hmc_desc d = policy_hmc_desc();
    (void)w;
    return bln_density_check(good ? &d.density : NULL, NULL, NULL, r);
}
static bln_status policy_hmc_create(policy_world *w, int good, bln_report *r)
{
    const bln_hmc_desc d = policy_hmc_desc();
    bln_hmc *hmc = NULL;
    const bln_status status = bln_hmc_create(good ? &d : NULL, &hmc, r);
    (void)w;
    CHECK(!hmc == !good);
    bln_hmc_free(hmc);
    return status;
}
/* ---- a program of one number */

static bln_status policy_model(bln_tape *t, const bln_var *p, void *user)
{
    (void)user;
    bln_data_term(t);
    bln_lp_std_normal(t, p[0]);
    return BLN_OK;
}
static bln_status policy_program_create(policy_world *w, int good, bln_report *r)
{
    static const bln_program_parameter x = BLN_PARAMETER("x", 1, 1, FREE);
    bln_program_desc d = BLN_ZERO;
    bln_program *program = NULL;
    (void)w;
    d.model = policy_model;
    d.parameters = &x;
    d.n_parameters = d.n_rows = 1;
    const bln_status status = bln_program_create(good ? &d : NULL, &program, r);
    bln_program_free(program);
    return status;
}
/* which: _unconstrain, _pointwise, _loo, _scopes */
static bln_status policy_program_call(int which, int good, bln_report *r)
{
    static const bln_program_parameter x = BLN_PARAMETER("x", 1, 1, FREE);
    bln_program_desc d = BLN_ZERO;
    bln_hmc_desc hmc = BLN_ZERO;
    bln_program *program = NULL;
    bln_chains *draws = NULL;
    bln_elpd total;
    double p = 0.5, out, scopes[1 + BLN_SCOPES];
    bln_status status;
    d.model = policy_model;
    d.parameters = &x;
    d.n_parameters = d.n_rows = 1;
    CHECK_OK(bln_program_create(&d, &program, NULL));
    if (which == 0) status = bln_program_unconstrain(good ? program : NULL, &p, &out, r);
    else if (which == 1) status = bln_program_pointwise(good ? program : NULL, &p, &out, r);
    else if (which == 3) status = bln_program_scopes(good ? program : NULL, &p, scopes, r);
    else {
        hmc.density = bln_program_density(program);
        hmc.draws = hmc.warmup = 20;
        CHECK_OK(bln_hmc_sample(&hmc, &draws, NULL));
        status = bln_program_loo(good ? program : NULL, draws, NULL, NULL, &total, r);
    }
    bln_chains_free(draws);
    bln_program_free(program);
    return status;
}
static bln_status policy_program_unconstrain(policy_world *w, int good, bln_report *r)
{
    (void)w;
    return policy_program_call(0, good, r);
}
static bln_status policy_program_pointwise(policy_world *w, int good, bln_report *r)
{
    (void)w;
    return policy_program_call(1, good, r);
}
static bln_status policy_program_scopes(policy_world *w, int good, bln_report *r)
{
    (void)w;
    return policy_program_call(3, good, r);
}
static bln_status policy_program_loo(policy_world *w, int good, bln_report *r) { (void)w; return policy_program_call(2, good, r); }

/* One call to a sampler that has started. */
static bln_status policy_hmc_call(bln_status (*call)(bln_hmc *, bln_report *), int good, bln_report *r)
{
    const bln_hmc_desc d = policy_hmc_desc();
    bln_hmc *hmc = NULL;
    CHECK_OK(bln_hmc_create(&d, &hmc, NULL));
    CHECK_OK(bln_hmc_init(hmc, NULL));
    const bln_status status = call(good ? hmc : NULL, r);
    bln_hmc_free(hmc);
    return status;
}
POLICY(hmc_init, ((void)w, policy_hmc_call(bln_hmc_init, 1, r)), policy_hmc_call(bln_hmc_init, 0, r))
POLICY(hmc_step, ((void)w, policy_hmc_call(bln_hmc_step, 1, r)), policy_hmc_call(bln_hmc_step, 0, r))
POLICY(hmc_run, ((void)w, policy_hmc_call(bln_hmc_run, 1, r)), policy_hmc_call(bln_hmc_run, 0, r))
static bln_status policy_hmc_sample(policy_world *w, int good, bln_report *r)
{
    const bln_hmc_desc d = policy_hmc_desc();
    bln_chains *c = NULL;
    const bln_status status = bln_hmc_sample(good ? &d : NULL, &c, r);
    (void)w;
    CHECK(!c == !good);
    bln_chains_free(c);
    return status;
}

/* which: create, init, step, run, fit of an approximation; weights of its draws, draws by weight. */
static bln_status policy_advi(int which, int good, bln_report *r)
{
    bln_advi_desc d = BLN_ZERO;
    bln_advi *v = NULL, *fitted = NULL;
    bln_pathfinder_desc path = BLN_ZERO;
    bln_pathfinder *found = NULL;
    bln_chains *made = NULL;
    bln_importance o;
    bln_status status = BLN_OK;
    d.density = policy_hmc_desc().density;
    d.draws = 100;
    CHECK_OK(bln_advi_fit(&d, &v, NULL));
    const bln_chains *draws = good ? bln_advi_result(v)->draws : NULL;
    if (which == 0) status = bln_advi_create(good ? &d : NULL, &fitted, r);
    if (which == 1) status = bln_advi_init(good ? v : NULL, r);
    if (which == 2) status = bln_advi_step(good ? v : NULL, r);
    if (which == 3) status = bln_advi_run(good ? v : NULL, r);
    if (which == 4) status = bln_advi_fit(good ? &d : NULL, &fitted, r);
    if (which == 5) status = bln_chains_importance(draws, &o, r);
    if (which == 6) status = bln_chains_resample(draws, 10, 0, 1, &made, r);
    path.density = d.density;
    if (which == 7) status = bln_pathfinder_fit(good ? &path : NULL, &found, r);
    bln_pathfinder_free(found);
    bln_chains_free(made);
    bln_advi_free(fitted);
    bln_advi_free(v);
    return status;
}
POLICY(advi_create, ((void)w, policy_advi(0, 1, r)), policy_advi(0, 0, r))
POLICY(advi_init, ((void)w, policy_advi(1, 1, r)), policy_advi(1, 0, r))
POLICY(advi_step, ((void)w, policy_advi(2, 1, r)), policy_advi(2, 0, r))
POLICY(advi_run, ((void)w, policy_advi(3, 1, r)), policy_advi(3, 0, r))
POLICY(advi_fit, ((void)w, policy_advi(4, 1, r)), policy_advi(4, 0, r))
POLICY(chains_importance, ((void)w, policy_advi(5, 1, r)), policy_advi(5, 0, r))
POLICY(pathfinder_fit, ((void)w, policy_advi(7, 1, r)), policy_advi(7, 0, r))
POLICY(chains_resample, ((void)w, policy_advi(6, 1, r)), policy_advi(6, 0, r))

#endif /* BLN_TESTS_POLICIES_SAMPLING_H */

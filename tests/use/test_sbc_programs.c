/* test_sbc_programs: simulation-based calibration of the no-U-turn sampler on three programs [samplers 46]: a line with its noise,
 * groups that are not centred, and shares that sum to 1 beside a bounded probability. Parameters and data are drawn from the model,
 * and the rank of each parameter among its posterior draws is uniform, if tape, constraints and sampler are right. */
#include "../test.h"

enum { SP_MODELS = 3, SP_ROWS = 12, SP_MOST = 6 };
typedef struct sp_world { int which; double x[SP_ROWS], y[SP_ROWS]; uint32_t group[SP_ROWS]; } sp_world;

static bln_status sp_line(bln_tape *t, const bln_var *p, void *user)
{
    const sp_world *w = (const sp_world *)user;
    bln_lp_std_normal(t, p[0]);
    bln_lp_std_normal(t, p[1]);
    bln_lp_half_normal(t, p[2], bln_c_num(t, 1.0));
    bln_data_term(t);
    bln_lp_normal(t, bln_c_vec(t, w->y, SP_ROWS), bln_v_fma(t, p[1], bln_c_vec(t, w->x, SP_ROWS), p[0]), p[2]);
    return BLN_OK;
}

static bln_status sp_groups(bln_tape *t, const bln_var *p, void *user)
{
    const sp_world *w = (const sp_world *)user;
    const bln_var effect = bln_v_fma(t, p[1], p[2], p[0]);
    bln_lp_std_normal(t, p[0]);
    bln_lp_half_normal(t, p[1], bln_c_num(t, 1.0));
    bln_lp_std_normal(t, p[2]);
    bln_data_term(t);
    bln_lp_normal(t, bln_c_vec(t, w->y, SP_ROWS), bln_v_gather(t, effect, w->group, SP_ROWS), bln_c_num(t, 0.7));
    return BLN_OK;
}

/* y: counts of three classes, then the successes of a binomial of 10 trials. */
static bln_status sp_shares(bln_tape *t, const bln_var *p, void *user)
{
    static const double a[3] = { 2.0, 1.5, 1.0 };
    const sp_world *w = (const sp_world *)user;
    bln_lp_dirichlet(t, p[0], bln_c_vec(t, a, 3));
    bln_lp_beta(t, p[1], bln_c_num(t, 2.0), bln_c_num(t, 3.0));
    bln_data_term(t);
    bln_lp_add(t, bln_v_dot(t, bln_c_vec(t, w->y, 3), bln_v_log(t, p[0])));
    bln_lp_binomial_logit(t, bln_c_num(t, w->y[3]), bln_c_num(t, 10.0), bln_v_logit(t, p[1]));
    return BLN_OK;
}

static const bln_program_parameter sp_parameters[SP_MODELS][3] = {
    { BLN_PARAMETER("a", 1, 1, FREE), BLN_PARAMETER("b", 1, 1, FREE), BLN_PARAMETER("sigma", 1, 1, POSITIVE) },
    { BLN_PARAMETER("mu", 1, 1, FREE), BLN_PARAMETER("tau", 1, 1, POSITIVE), BLN_PARAMETER("eta", 4, 1, FREE) },
    { BLN_PARAMETER("share", 3, 1, SIMPLEX), BLN_PARAMETER_IN("p", 1, 1, INTERVAL, 0.0, 1.0), BLN_PARAMETER("", 0, 0, FREE) } };
static const struct { bln_program_model model; size_t parameters, quantities; } sp_models[SP_MODELS] = {
    { sp_line, 3, 3 }, { sp_groups, 3, 6 }, { sp_shares, 2, 4 } };

static bln_status sp_simulate(void *user, bln_rng *rng, double *truth, bln_report *report)
{
    sp_world *w = (sp_world *)user;
    double sum = 0.0;
    (void)report;
    if (w->which == 2) {
        static const double a[3] = { 2.0, 1.5, 1.0 };
        for (int k = 0; k < 3; k++) sum += truth[k] = bln_rng_gamma(rng, a[k]);
        for (int k = 0; k < 3; k++) { truth[k] /= sum; w->y[k] = 0.0; }
        for (int i = 0; i < 9; i++) {
            const double u = bln_rng_uniform(rng);
            w->y[u < truth[0] ? 0 : u < truth[0] + truth[1] ? 1 : 2] += 1.0;
        }
        const double g = bln_rng_gamma(rng, 2.0);
        truth[3] = g/(g + bln_rng_gamma(rng, 3.0));
        w->y[3] = 0.0;
        for (int i = 0; i < 10; i++) w->y[3] += bln_rng_uniform(rng) < truth[3];
        return BLN_OK;
    }
    for (size_t k = 0; k < sp_models[w->which].quantities; k++) truth[k] = bln_rng_normal(rng);
    const int scale = w->which == 0 ? 2 : 1;
    truth[scale] = fabs(truth[scale]);
    for (size_t i = 0; i < SP_ROWS; i++) {
        w->group[i] = (uint32_t)(i % 4);
        w->x[i] = (double)i/4.0 - 1.0;
        w->y[i] = w->which == 0 ? truth[0] + truth[1]*w->x[i] + truth[2]*bln_rng_normal(rng)
                                : truth[0] + truth[1]*truth[2 + i % 4] + 0.7*bln_rng_normal(rng);
    }
    return BLN_OK;
}

static bln_status sp_infer(void *user, bln_rng *rng, size_t n, double *draws, bln_report *report)
{
    sp_world *w = (sp_world *)user;
    const size_t Q = sp_models[w->which].quantities;
    bln_program_desc desc = BLN_ZERO;
    bln_program *program = NULL;
    bln_hmc_desc sampler = BLN_ZERO;
    bln_chains *chains = NULL;
    desc.model = sp_models[w->which].model;
    desc.parameters = sp_parameters[w->which];
    desc.n_parameters = sp_models[w->which].parameters;
    desc.user = w;
    bln_status status = bln_program_create(&desc, &program, report);
    if (status != BLN_OK) return status;
    sampler.density = bln_program_density(program);
    sampler.chains = 1;
    sampler.warmup = 300;
    sampler.draws = n;
    sampler.accept = 0.95;
    sampler.seed = bln_rng_next(rng);
    status = bln_hmc_sample(&sampler, &chains, report);
    for (size_t i = 0; i < n && status == BLN_OK; i++)
        memcpy(draws + i*Q, bln_chains_table(chains) + i*bln_chains_columns(chains), Q*sizeof *draws);
    bln_chains_free(chains);
    bln_program_free(program);
    return status;
}

TEST(sbc_programs, ranks_are_uniform)
{
    for (int which = 0; which < SP_MODELS; which++) {
        bln_sbc_desc desc = BLN_ZERO;
        bln_sbc found;
        bln_sbc_rank of[SP_MOST];
        bln_report report;
        sp_world world;
        memset(&world, 0, sizeof world);
        world.which = which;
        desc.quantities = sp_models[which].quantities;
        desc.draws = 31;
        desc.thin = 5;
        desc.replicates = TEST_MANY(2000, 200);
        desc.simulate = sp_simulate;
        desc.infer = sp_infer;
        desc.user = &world;
        CHECK_OK(bln_sbc_run(&desc, &found, of, NULL, &report));
        CHECK(found.uniform);
        for (size_t k = 0; k < desc.quantities; k++)                              /* N(0, 1), within 5 sigma */
            CHECK(fabs(of[k].shift) < 5.0 && fabs(of[k].spread) < 5.0 && fabs(of[k].correlation) < 0.15);
    }
}

SUITE_BEGIN(sbc_programs)
SUITE_TEST(sbc_programs, ranks_are_uniform)
SUITE_END(sbc_programs)

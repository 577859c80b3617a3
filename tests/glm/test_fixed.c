/* fixed: every method with each kind of hyper-parameters kept at its start: what is fixed stays to the bit, of all components, and
 * what is not fixed is learnt, but by map, which learns none of it. */
#include "glm_tools.h"

TEST(fixed, of_every_method)
{
    static const double prior[2] = { 1.7, 0.6 }, eta[1] = { 2.6 }, theta[1] = { 1.3 };
    bln_basis *with = slm_parse("bias + rbf:n=2", 2, 3), *without = slm_parse("bias + linear", 2, 3);
    bln_data data = glm_make("negative_binomial", 22, 5), plain = data;
    plain.trials = NULL;
    for (int way = 0; way < GLM_WAYS; way++)
        for (int set = 0; set < 16; set++) {
            const size_t before = test_failures;
            const int has_theta = !(set & 8), learns = way != GLM_MAP;
            bln_glm_nuts_desc nuts = BLN_ZERO;
            bln_glm_gibbs_desc gibbs = BLN_ZERO;
            glm_options asked = glm_no_options();
            bln_glm_desc desc = glm_desc(has_theta ? with : without, bln_likelihood_negative_binomial());
            bln_report report;
            asked.components = 2;
            asked.nodes = 8;
            asked.steps.batch = way == GLM_SGVI ? 8 : 0;
            nuts.chains = gibbs.chains = 2;
            nuts.warmup = gibbs.warmup = 12;
            nuts.draws = gibbs.draws = 6;
            desc.method = way == GLM_NUTS ? bln_glm_nuts(&nuts) : way == GLM_GIBBS ? bln_glm_gibbs(&gibbs)
                        : glm_by((glm_way)way, &asked);
            desc.max_iterations = 3;
            desc.prior_var = prior;
            desc.likelihood_theta = eta;
            if (has_theta) desc.theta = theta;
            desc.fix_prior_var = set & 1;
            desc.fix_likelihood = set >> 1 & 1;
            desc.fix_theta = set >> 2 & 1;
            bln_glm *glm = glm_new(&desc);
            CHECK_OK(bln_glm_fit(glm, &plain, &report));
            const bln_posterior *q = bln_glm_posterior(glm);
            size_t moved_eta = 0, moved_theta = 0;
            for (size_t g = 0; g < q->n_groups; g++) {
                const bln_group *group = q->groups + g;
                for (size_t k = 0; k < (group->ldeta ? blni_group_K(group) : 1); k++)
                    moved_eta += group->eta[k*group->ldeta] != eta[0];
                if (has_theta) moved_theta += group->theta[0] != theta[0];
            }
            CHECK((moved_eta > 0) == (learns && !desc.fix_likelihood));
            CHECK((moved_theta > 0) == (learns && has_theta && !desc.fix_theta));
            if (desc.fix_prior_var || !learns) CHECK(!memcmp(glm->prior_var, prior, sizeof prior));
            else CHECK(glm->prior_var[0] != prior[0] && glm->prior_var[1] != prior[1]);
            if (test_failures != before) printf("    %s, set %d: %s\n", glm_way_names[way], set, report.text);
            bln_glm_free(glm);
        }
    bln_basis_free(with);
    bln_basis_free(without);
    glm_free_data(&data);
}

SUITE_BEGIN(fixed)
    SUITE_TEST(fixed, of_every_method)
SUITE_END(fixed)

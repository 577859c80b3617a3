/* glm_file - a model written by hand byte by byte, what is saved loads to the bit, and everything else is refused with a reason and
 * without a trace */
#include "../linear/file_tools.h"
#include "glm_tools.h"
#include "../golden/files_golden.h"

/* What was written by hand: a Gaussian, a mixture of two components, a point. */
static const struct { const unsigned char *bytes; size_t size; } glmfile_hand[] = {
    { golden_file_laplace, GOLDEN_LAPLACE_SIZE }, { golden_file_mixture, GOLDEN_MIXTURE_SIZE },
    { golden_file_point, GOLDEN_POINT_SIZE }
};
enum { GLMFILE_MOST = GOLDEN_LAPLACE_SIZE, GLMFILE_ROOM = 1 << 16 };

static bln_status glmfile_load(const unsigned char *bytes, size_t size, test_heap *heap, bln_glm **out, bln_report *report)
{
    file_load f;
    file_load_begin(&f, bytes, size, heap, report);
    *out = NULL;
    const bln_status status = bln_glm_load(&f.context, &f.reader, out);
    return file_load_end(&f, status, *out);
}

static size_t glmfile_save(const bln_glm *glm, unsigned char *bytes, size_t room)
{
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, bytes, room);
    CHECK_OK(bln_glm_save(glm, &w));
    return m.at;
}

/* Of f ~ N(m, v) the mean of a count with a log link is e^(m + v/2); of a mixture it is the mean of these; a point has v = 0. */
TEST(glm_file, reads_what_was_written_by_hand)
{
    static const double f_mean[] = { 0.75, 0.5, 0.75 };
    static const double f_var[] = { 0.5625, 1.0 + 0.0625, 0.0 };         /* (s/R)^2; the mean psi, and the spread of the m */
    static const char *const methods[] = { "laplace", "mixture", "map" };
    unsigned char again[GLMFILE_MOST];
    for (int k = 0; k < 3; k++) {
        const unsigned char *bytes = glmfile_hand[k].bytes;
        const size_t size = glmfile_hand[k].size;
        const double y_mean[] = { exp(0.75 + 0.28125), 0.5*(exp(0.75 + 0.25) + exp(0.25 + 0.75)), exp(0.75) };
        test_heap heap;
        bln_glm *glm;
        bln_report report;
        bln_data data;
        double mean = 0.0, latent = 0.0, f = 0.0;
        CHECK_OK(glmfile_load(bytes, size, &heap, &glm, &report));
        if (!glm) return;
        CHECK(!strcmp(bln_glm_likelihood(glm)->ops->name, "negative_binomial") && !strcmp(bln_glm_basis(glm)->ops->name, "bias"));
        CHECK(bln_glm_objective(glm) == -3.5 && bln_glm_rows(glm) == 4.0 && !strcmp(bln_glm_method_name(glm), methods[k]));
        CHECK(bln_glm_prior_var(glm)[0] == 2.25 && bln_glm_likelihood_theta(glm)[0] == 2.5);
        CHECK(!mixture_of(glm) == (k != 1) && !gaussian_of(glm) == (k != 0));
        memset(&data, 0, sizeof data);
        data.n = 1;
        CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), &data, &f, &latent, NULL, NULL));
        CHECK_OK(bln_glm_predict(glm, &data, &mean, NULL, NULL, NULL, NULL));
        CHECK_NEAR(f, f_mean[k], 1e-15);
        CHECK_NEAR(latent, f_var[k], 1e-15);
        CHECK_REL(mean, y_mean[k], 1e-14);
        CHECK_SIZE(glmfile_save(glm, again, sizeof again), size);
        CHECK(memcmp(again, bytes, size) == 0);
        bln_glm_free(glm);
        CHECK_SIZE(heap.live, 0);
        for (size_t cut = 0; cut < size; cut++) CHECK_STATUS(glmfile_load(bytes, cut, &heap, &glm, &report), BLN_EFORMAT);
    }
}

/* What stands at a place, and why it may not. */
TEST(glm_file, wrong_content_is_refused)
{
#define AT(name) GOLDEN_LAPLACE_##name
    static const struct { size_t at; uint64_t value; bln_status status; const char *reason; } wrong[] = {
        { AT(J), 0, BLN_EFORMAT, "one basis" }, { AT(J), 2, BLN_EFORMAT, "not those of its likelihood" },
        { AT(BASES), 2, BLN_EFORMAT, "one basis" },
        { AT(N_ETA), 0, BLN_EFORMAT, "not those of its likelihood" }, { AT(N_ETA), UINT64_MAX, BLN_EFORMAT, "" },
        { AT(DOF), UINT64_C(0x7ff8000000000000), BLN_EFORMAT, "" }, { AT(ROWS), 0, BLN_EFORMAT, "not the posterior" },
        { AT(SITES), 3, BLN_EFORMAT, "outside its range" }, { AT(GROUPS), 0, BLN_EFORMAT, "no groups" },
        { AT(WEIGHTED), 1, BLN_EFORMAT, "" }, { AT(K), 0, BLN_EFORMAT, "without components" },
        { AT(K), 2, BLN_EFORMAT, "" }, { AT(K), UINT64_MAX, BLN_EFORMAT, "" }, { AT(FLAGS), 1, BLN_EFORMAT, "contradict" },
        { AT(FLAGS), 256, BLN_EFORMAT, "contradict" }, { AT(COUNT0), 2, BLN_EFORMAT, "unknown form" },
        { AT(COUNT1), 2, BLN_EFORMAT, "unknown form" }, { AT(COUNT2), 0, BLN_EFORMAT, "unknown form" },
        { AT(COUNT3), 1, BLN_EFORMAT, "" }, { AT(ETA), 0, BLN_EFORMAT, "outside its range" },
        { AT(M), UINT64_C(0x7ff0000000000000), BLN_EFORMAT, "outside its range" },
        { AT(S), UINT64_C(0x7ff0000000000000), BLN_EFORMAT, "outside its range" }, { AT(R), 0, BLN_EFORMAT, "outside its range" },
        { AT(PRIORS), 3, BLN_EFORMAT, "" }, { AT(OBJECTIVE), UINT64_C(0x7ff8000000000000), BLN_EFORMAT, "outside its range" },
        { AT(PRIOR_VAR), 0, BLN_EFORMAT, "outside its range" },
        { AT(LIKELIHOOD) + 6, UINT64_C(0x2020202020202020), BLN_EUNKNOWN, "unknown likelihood" },
        { AT(OBSERVE) + 4, UINT64_C(0x2020202020202020), BLN_EUNKNOWN, "unknown observation" },
        { AT(KIND) + 4, UINT64_C(0x2020202020202020), BLN_EUNKNOWN, "unknown kind" }
    };
#undef AT
    unsigned char bytes[GLMFILE_MOST];
    test_heap heap;
    bln_glm *glm;
    bln_report report;
    for (size_t k = 0; k < sizeof wrong/sizeof *wrong; k++) {
        memcpy(bytes, golden_file_laplace, GOLDEN_LAPLACE_SIZE);
        blni_encode(wrong[k].value, 8, bytes + wrong[k].at);
        CHECK_STATUS(glmfile_load(bytes, GOLDEN_LAPLACE_SIZE, &heap, &glm, &report), wrong[k].status);
        CHECK_TEXT(report.text, wrong[k].reason);
        CHECK_LE((double)heap.peak_bytes, 4096.0);
        bln_glm_free(glm);
    }
    memcpy(bytes, golden_file_mixture, GOLDEN_MIXTURE_SIZE);
    blni_encode(UINT64_C(0xbff0000000000000), 8, bytes + GOLDEN_MIXTURE_PSI);
    CHECK_STATUS(glmfile_load(bytes, GOLDEN_MIXTURE_SIZE, &heap, &glm, &report), BLN_EFORMAT);
    memcpy(bytes, golden_file_point, GOLDEN_POINT_SIZE);
    blni_encode(2, 8, bytes + GOLDEN_POINT_K);
    CHECK_STATUS(glmfile_load(bytes, GOLDEN_POINT_SIZE, &heap, &glm, &report), BLN_EFORMAT);
    /* An infinite prior variance is a flat prior, which no bound can have. */
    for (int k = 0; k < 3; k++) {
        static const size_t at[] = { GOLDEN_LAPLACE_PRIOR_VAR, GOLDEN_MIXTURE_PRIOR_VAR, GOLDEN_POINT_PRIOR_VAR };
        memcpy(bytes, glmfile_hand[k].bytes, glmfile_hand[k].size);
        blni_encode(UINT64_C(0x7ff0000000000000), 8, bytes + at[k]);
        CHECK_STATUS(glmfile_load(bytes, glmfile_hand[k].size, &heap, &glm, &report), k == 1 ? BLN_EFORMAT : BLN_OK);
        bln_glm_free(glm);
    }
}

/* ---- fitted ones ---- */

static bln_glm *glmfile_fit(const char *spec, bln_likelihood l, glm_way way, const bln_data *data,
                            bln_basis **basis)
{
    const int mixture = way == GLM_MIXTURE || way == GLM_NPV;
    glm_options options = glm_no_options();
    *basis = slm_parse(spec, 2, 3);
    bln_glm_desc desc = glm_desc(*basis, l);
    options.components = mixture ? 2 : 0;
    options.nodes = way == GLM_MIXTURE || !strstr(l.ops->name, "laplace") ? 8 : 0;  /* few, but at kinks */
    desc.method = glm_by(way, &options);
    desc.max_iterations = 4;
    desc.per_weight = mixture;
    bln_glm *glm = glm_new(&desc);
    CHECK_FIT(glm, data, NULL);
    return glm;
}

static void glmfile_same(const bln_glm *a, const bln_glm *b, const bln_data *data)
{
    double one[6][20], two[6][20];
    for (int k = 0; k < 2; k++) {
        const bln_glm *glm = k ? b : a;
        double (*out)[20] = k ? two : one;
        CHECK_OK(bln_posterior_latent(bln_glm_posterior(glm), data, out[0], out[1], NULL, NULL));
        CHECK_OK(bln_glm_predict(glm, data, out[2], out[3], out[4], NULL, NULL));
        CHECK_OK(bln_posterior_logdensities(bln_glm_posterior(glm), data, out[5], NULL, NULL));
    }
    for (size_t i = 0; i < 6; i++) CHECK(memcmp(one[i], two[i], data->n*sizeof(double)) == 0);
    CHECK(bln_glm_objective(a) == bln_glm_objective(b) && bln_glm_rows(a) == bln_glm_rows(b));
    CHECK(memcmp(bln_glm_prior_var(a), bln_glm_prior_var(b), sizeof(double)) == 0);
}

TEST(glm_file, what_is_saved_is_loaded_to_the_bit)
{
    static const char *const specs[] = { "linear", "bias + rbf:n=3,ard" };
    static unsigned char bytes[GLMFILE_ROOM];
    const bln_load all = bln_builtin();
    for (size_t i = 0; i < all.n_likelihoods; i++)
        for (int k = 0; k < GLM_WAYS && !all.likelihoods[i].ops->latents; k++) {
            const glm_way way = (glm_way)k;
            const char *name = all.likelihoods[i].ops->name;
            if ((way == GLM_GIBBS || way == GLM_CAVI) && !blni_augmentation_of(all.likelihoods + i, NULL)) continue;
            /* Those with a shape or a limit to learn take long for many hyper-parameters, and minutes on emulated machines. */
            const int slow = !strcmp(name, "student_t") || !strcmp(name, "poisson_logistic") || !strcmp(name, "asymmetric_laplace");
            if (slow && (way == GLM_INTEGRATED || way == GLM_NUTS)) continue;
            bln_likelihood l = all.likelihoods[i];
            const int continuous = !l.ops->discrete, ordinal = !strcmp(name, "ordinal");
            bln_data data = glm_make(continuous ? "gaussian" : !strncmp(name, "binomial", 8) ? "binomial" : "counts", 12, 5 + i);
            bln_basis *basis;
            test_heap heap;
            bln_glm *loaded;
            bln_report report;
            const int curved = way == GLM_LAPLACE || way == GLM_MAP || way == GLM_NPV;
            if (l.level > 0.0) l.level = 0.85;
            if (strstr(name, "laplace") && curved) { glm_free_data(&data); continue; }            /* no curvature */
            if (ordinal) l.n_theta = 4;
            const double *trials = data.trials;
            if (ordinal) data.trials = NULL;
            bln_glm *glm = glmfile_fit(specs[i % 2], l, way, &data, &basis);
            const size_t size = glmfile_save(glm, bytes, sizeof bytes);
            CHECK_OK(glmfile_load(bytes, size, &heap, &loaded, &report));
            if (loaded) {
                CHECK(!strcmp(bln_glm_method_name(loaded), glm_way_names[way]));
                CHECK(!mixture_of(loaded) == !mixture_of(glm));
                CHECK(!gaussian_of(loaded) == !gaussian_of(glm));
                CHECK(bln_glm_likelihood(loaded)->ops == l.ops && bln_glm_likelihood(loaded)->n_theta == l.n_theta);
                CHECK(bln_glm_likelihood(loaded)->level == l.level);
                glmfile_same(glm, loaded, &data);
                CHECK_STATUS(bln_glm_fit(loaded, &data, &report), BLN_ESTATE);
                CHECK_TEXT(report.text, "bln_glm_set_method");
                if (way == GLM_LAPLACE) {                                   /* can be fitted again, to the end */
                    CHECK_OK(bln_glm_set_method(loaded, bln_glm_laplace(), NULL));
                    CHECK_FIT(loaded, &data, NULL);
                }
            }
            bln_glm_free(loaded);
            CHECK_SIZE(heap.live, 0);
            bln_glm_free(glm);
            bln_basis_free(basis);
            data.trials = trials;
            glm_free_data(&data);
        }
}

/* A method that has no number in files goes by its name, and its posterior by its form. */
TEST(glm_file, other_methods_by_name)
{
    static unsigned char bytes[GLMFILE_ROOM];
    bln_data data = glm_make("binomial", 12, 5);
    for (int k = 0; k < GLM_WAYS; k++) {
        bln_basis *basis;
        test_heap heap;
        bln_glm *loaded;
        bln_report report;
        bln_glm *glm = glmfile_fit("bias + rbf:n=3", bln_likelihood_binomial(BLN_LINK_PROBIT), (glm_way)k, &data, &basis);
        strcpy(glm->method, "walk");
        const size_t size = glmfile_save(glm, bytes, sizeof bytes);
        CHECK_OK(glmfile_load(bytes, size, &heap, &loaded, &report));
        if (!loaded) return;
        CHECK(!strcmp(bln_glm_method_name(loaded), "walk"));
        CHECK(loaded->posterior.groups->ops == glm->posterior.groups->ops && loaded->posterior.sites == glm->posterior.sites);
        glmfile_same(glm, loaded, &data);
        bln_glm_free(loaded);
        for (size_t cut = 0; cut < size; cut++) CHECK_STATUS(glmfile_load(bytes, cut, &heap, &loaded, &report), BLN_EFORMAT);
        bln_glm_free(glm);
        bln_basis_free(basis);
    }
    glm_free_data(&data);
}

TEST(glm_file, every_allocation_may_fail)
{
    static unsigned char bytes[GLMFILE_ROOM];
    bln_data data = glm_make("binomial", 12, 5);
    for (int variational = 0; variational < 2; variational++) {
        bln_basis *basis;
        bln_glm *glm = glmfile_fit("bias + rbf:n=2", bln_likelihood_binomial(BLN_LINK_PROBIT),
                                   variational ? GLM_MIXTURE : GLM_LAPLACE, &data, &basis);
        const size_t size = glmfile_save(glm, bytes, sizeof bytes);
        /* Bases, three of them and their list; groups, posterior; model. */
        CHECK_LE(6.0, (double)file_load_allocations(bln_glm_file_kind(), bytes, size));
        bln_glm_free(glm);
        bln_basis_free(basis);
    }
    glm_free_data(&data);
}

/* A likelihood of one's own is found in the caller's list; one with data of its own is refused before anything is written. */
static void glmfile_logp(const bln_likelihood *l, const double *theta, size_t n, const bln_targets *t, const double *f,
                         double *logp)
{
    (void)l; (void)theta;
    for (size_t i = 0; i < n; i++) logp[i] = -0.5*(t->y[i] - f[i])*(t->y[i] - f[i]);
}

static bln_status glmfile_count(void *user, const void *bytes, size_t n)
{
    (void)bytes;
    *(size_t *)user += n;
    return BLN_OK;
}

static void glmfile_own(const bln_glm *glm, const bln_data *data, const unsigned char *bytes, size_t size)
{
    const bln_likelihood *own = bln_glm_likelihood(glm);
    bln_load load = bln_builtin();
    bln_memory_stream m;
    bln_report report;
    bln_glm *back = NULL;
    bln_reader r = bln_memory_reader(&m, bytes, size, &report);
    bln_report_clear(&report);
    CHECK_STATUS(bln_glm_load(&load, &r, &back), BLN_EUNKNOWN);
    CHECK_TEXT(report.text, "\"tooth\"");
    load.likelihoods = own;
    load.n_likelihoods = 1;
    r = bln_memory_reader(&m, bytes, size, NULL);
    CHECK_OK(bln_glm_load(&load, &r, &back));
    if (back) glmfile_same(glm, back, data);
    bln_glm_free(back);
}

TEST(glm_file, what_cannot_be_saved)
{
    bln_data data = glm_make("gaussian", 12, 5);
    bln_basis *basis = slm_parse("linear", 2, 3);
    unsigned char bytes[8];
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    bln_glm_desc desc = glm_desc(basis, bln_likelihood_gaussian());
    bln_glm *glm = glm_new(&desc), *none = NULL;
    CHECK_STATUS(bln_glm_save(NULL, &w), BLN_EINVAL);
    CHECK_STATUS(bln_glm_save(glm, NULL), BLN_EINVAL);
    CHECK_STATUS(bln_glm_save(glm, &w), BLN_ESTATE);
    CHECK_STATUS(bln_glm_load(NULL, NULL, &none), BLN_EINVAL);
    CHECK_FIT(glm, &data, NULL);
    w.status = BLN_OK;
    CHECK_STATUS(bln_glm_save(glm, &w), BLN_EIO);                         /* no room */
    bln_glm_free(glm);
    for (size_t k = 0; k < 2; k++) {
        bln_likelihood_ops ops;
        bln_modelfile file;
        bln_report report;
        size_t written = 0;
        memset(&ops, 0, sizeof ops);
        memset(&file, 0, sizeof file);
        ops.name = "tooth";
        ops.logp = glmfile_logp;
        desc.likelihood.ops = &ops;
        desc.likelihood.n_theta = 0;
        desc.likelihood.user = k ? &ops : NULL;
        glm = file.glm = glm_new(&desc);
        CHECK_FIT(glm, &data, NULL);
        if (k == 0) {
            static unsigned char all[GLMFILE_ROOM];
            glmfile_own(glm, &data, all, glmfile_save(glm, all, sizeof all));
        } else {
            w = bln_writer_over(NULL, NULL);
            CHECK_STATUS(bln_glm_save(glm, &w), BLN_EUNKNOWN);
            CHECK_STATUS(w.status, BLN_EUNKNOWN);
            CHECK_STATUS(bln_modelfile_write(glmfile_count, &written, test_all(), &file, &report), BLN_EUNKNOWN);
            CHECK_TEXT(report.text, "its likelihood has data of your own");
            CHECK_SIZE(written, 0);
        }
        bln_glm_free(glm);
    }
    bln_basis_free(basis);
    glm_free_data(&data);
}

/* ---- in a model file */

/* Puts the content written by hand into a section, so many times. */
static size_t glmfile_sections(unsigned version, unsigned times, unsigned char *bytes)
{
    bln_memory_stream m;
    bln_writer w = bln_memory_writer(&m, bytes, GLMFILE_ROOM);
    bln_put_bytes(&w, "\x89" "BLN\r\n\x1a\n", 8);
    bln_put_u32(&w, 1);
    bln_put_u32(&w, times);
    for (unsigned k = 0; k < times; k++) {
        w.checksum = BLNI_FNV_START;
        bln_put_bytes(&w, "GLM ", 4);
        bln_put_u32(&w, version);
        bln_put_u64(&w, GOLDEN_LAPLACE_SIZE);
        bln_put_bytes(&w, golden_file_laplace, GOLDEN_LAPLACE_SIZE);
        bln_put_u64(&w, w.checksum);
    }
    CHECK_OK(w.status);
    return m.at;
}

static bln_status glmfile_read(const unsigned char *bytes, size_t size, bln_modelfile *file, bln_report *report)
{
    bln_memory_stream m;
    const bln_reader r = bln_memory_reader(&m, bytes, size, NULL);
    memset(file, 0, sizeof *file);
    return bln_modelfile_read(r.read, r.user, size, test_all(), file, report);
}

TEST(glm_file, a_section_of_a_model_file)
{
    static unsigned char bytes[GLMFILE_ROOM], again[GLMFILE_ROOM];
    bln_memory_stream m;
    bln_modelfile file;
    bln_report report;
    const size_t size = glmfile_sections(4, 1, bytes);
    CHECK_OK(glmfile_read(bytes, size, &file, &report));
    CHECK(file.glm && !file.slm && !file.integrated && bln_glm_objective(file.glm) == -3.5);
    const bln_writer w = bln_memory_writer(&m, again, sizeof again);
    CHECK_OK(bln_modelfile_write(w.write, w.user, test_all(), &file, &report));
    CHECK(m.at == size && memcmp(again, bytes, size) == 0);
    bln_modelfile_free(&file);
    CHECK(file.glm == NULL);
    for (size_t cut = 0; cut < size; cut++) {
        CHECK_STATUS(glmfile_read(bytes, cut, &file, &report), BLN_EFORMAT);
        CHECK_TEXT(report.text, "truncated");
    }
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x41;
        CHECK(glmfile_read(bytes, size, &file, &report) != BLN_OK);
        bytes[i] ^= 0x41;
    }
    CHECK_STATUS(glmfile_read(bytes, glmfile_sections(4, 2, bytes), &file, &report), BLN_EFORMAT);
    CHECK_TEXT(report.text, "a second one");
    CHECK_STATUS(glmfile_read(bytes, glmfile_sections(5, 1, bytes), &file, &report), BLN_EVERSION);
    CHECK_TEXT(report.text, "section \"GLM \"");
}

/* Forms of a posterior that no fit has. */
TEST(glm_file, forms)
{
    static const struct { const char *kinds; size_t K; int weighted, good; } forms[] = {
        { "g", 1, 0, 1 }, { "d", 3, 0, 1 }, { "p", 1, 0, 1 }, { "g", 2, 0, 0 }, { "gg", 1, 0, 0 }, { "dd", 1, 0, 0 },
        { "g", 2, 1, 1 }, { "gg", 1, 1, 1 }, { "pp", 1, 1, 1 }, { "gp", 1, 1, 0 }, { "d", 2, 1, 0 }
    };
    const double weight[2] = { 0.5, 0.5 };
    for (size_t k = 0; k < sizeof forms/sizeof *forms; k++) {
        bln_group groups[2];
        bln_posterior q = BLN_ZERO;
        memset(groups, 0, sizeof groups);
        q.groups = groups;
        q.n_groups = strlen(forms[k].kinds);
        for (size_t i = 0; i < q.n_groups; i++) {
            const char kind = forms[k].kinds[i];
            groups[i].ops = kind == 'g' ? bln_kind_gaussian() : kind == 'd' ? bln_kind_diagonal() : bln_kind_point();
            groups[i].K = forms[k].K;
            groups[i].weight = forms[k].weighted ? weight : NULL;
        }
        CHECK(blni_glm_has_form(&q) == forms[k].good);
    }
}

/* A file with components that a fit has not: the point with a weight of its own and no draws, read as it is; two Gaussians without
 * weights, and fewer draws than weights. A model of several latents keeps whether each weight has a prior of its own. */
TEST(glm_file, forms_in_files)
{
    static unsigned char bytes[GLMFILE_ROOM];
    bln_data data = glm_make("binomial", 12, 5);
    bln_basis *basis;
    bln_memory_stream m;
    bln_report report;
    test_heap heap;
    bln_glm *loaded, *glm = glmfile_fit("bias + rbf:n=3", bln_likelihood_binomial(BLN_LINK_LOGIT), GLM_NUTS, &data, &basis);
    bln_chains *few = NULL, *all = glm->chains;
    char *names;
    CHECK_OK(blni_chains_make(&glm->alloc, 1, 1, 1, 2, &few, &names, &report));
    few->name[0] = strcpy(names, "a");
    few->draws = 1;
    *(double *)(uintptr_t)bln_chains_table(few) = 0.5;
    glm->chains = few;
    const size_t size = glmfile_save(glm, bytes, sizeof bytes);
    glm->chains = all;
    bln_chains_free(few);
    CHECK_STATUS(glmfile_load(bytes, size, &heap, &loaded, &report), BLN_EFORMAT);
    CHECK_TEXT(report.text, "draws of fewer numbers");
    bln_glm_free(glm);
    bln_basis_free(basis);
    glm = glmfile_fit("bias + rbf:n=3", bln_likelihood_binomial(BLN_LINK_LOGIT), GLM_LAPLACE, &data, &basis);
    bln_group *g = (bln_group *)(uintptr_t)glm->posterior.groups;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    const bln_group two[2] = { *g, *g };
    glm->posterior.groups = two;
    glm->posterior.n_groups = 2;
    CHECK_OK(bln_glm_save(glm, &w));
    CHECK_STATUS(glmfile_load(bytes, m.at, &heap, &loaded, &report), BLN_EFORMAT);
    CHECK_TEXT(report.text, "not the posterior of a generalised linear model");
    bln_glm_free(glm);
    bln_basis_free(basis);
    glm_free_data(&data);
    data = glm_make("bernoulli_logit", 12, 5);
    basis = slm_parse("linear", 2, 3);
    for (int per_weight = 0; per_weight < 2; per_weight++) {
        bln_glm_desc desc = glm_desc(basis, bln_likelihood_categorical(2));
        desc.per_weight = per_weight;
        desc.max_iterations = 3;
        glm = glm_new(&desc);
        data.trials = NULL;
        CHECK_FIT(glm, &data, NULL);
        CHECK_OK(glmfile_load(bytes, glmfile_save(glm, bytes, sizeof bytes), &heap, &loaded, &report));
        CHECK(loaded && loaded->desc.per_weight == per_weight);
        for (size_t j = 0; loaded && j < (per_weight ? 3 : 1); j++)
            CHECK(bln_glm_prior_var(loaded)[j] == bln_glm_prior_var(glm)[j]);
        bln_glm_free(loaded);
        bln_glm_free(glm);
    }
    bln_basis_free(basis);
    glm_free_data(&data);
}

SUITE_BEGIN(glm_file)
    SUITE_TEST(glm_file, reads_what_was_written_by_hand)
    SUITE_TEST(glm_file, wrong_content_is_refused)
    SUITE_TEST(glm_file, what_is_saved_is_loaded_to_the_bit)
    SUITE_TEST(glm_file, other_methods_by_name)
    SUITE_TEST(glm_file, every_allocation_may_fail)
    SUITE_TEST(glm_file, what_cannot_be_saved)
    SUITE_TEST(glm_file, a_section_of_a_model_file)
    SUITE_TEST(glm_file, forms)
    SUITE_TEST(glm_file, forms_in_files)
SUITE_END(glm_file)

/* gibbs: the chains of gibbs_chain as a method of >>glm. The search of the method full comes first; after it each step makes a few
 * sweeps of each chain. The memory of the chains lies outside the fit's block: begin allocates it, so that steps allocate nothing
 * (but for a look at the draws, if there is a target), and close releases it. */
#include "gibbs_private.h"
#include "full_private.h"
#include "search_private.h"
#include "../core/data_private.h"
#include "../core/status_private.h"
#include "../core/threads_private.h"
#include "../posterior/chains_private.h"
#include "../posterior/prior_private.h"

enum { BLNI_GIBBS_BLOCK = 10 };          /* sweeps of each chain in a step */

/* ---- options */

BLNI_PRIV void blni_gibbs_defaults(void *own)
{
    bln_glm_gibbs_desc *o = (bln_glm_gibbs_desc *)own;
    if (!o->chains)      o->chains = 4;
    if (!o->warmup)      o->warmup = 300;
    if (!o->draws)       o->draws = o->target_ess > 0.0 ? BLNI_KEEP_DRAWS_MOST : BLNI_KEEP_DRAWS;
    if (!o->slice_moves) o->slice_moves = 4;
    if (!o->replicas)    o->replicas = 1;
}

BLNI_PRIV blni_keep blni_gibbs_asked(const bln_glm_desc *d, const void *own)
{
    const bln_glm_gibbs_desc *o = (const bln_glm_gibbs_desc *)own;
    blni_keep k = BLN_ZERO;
    k.chains = o->chains;
    k.keep = o->keep;
    k.draws = o->draws;
    k.target = o->target_ess;
    k.apart = o->draw_theta && !d->fix_theta && blni_glm_thetas(d) > 0;
    k.n = blni_glm_count_hyper(d) - (d->fix_theta || k.apart ? 0 : blni_glm_thetas(d));
    return k;
}

BLNI_PRIV void blni_gibbs_shape(const bln_glm_desc *d, const void *own, blni_glm_shape *shape)
{
    const blni_keep k = blni_gibbs_asked(d, own);
    shape->apart = k.apart;
    shape->K = blni_keep_most(&k);
}

/* Is there a part of f that the features miss and the chains have? */
BLNI_PRIV int blni_gibbs_missing(const bln_glm_desc *d, const bln_glm_gibbs_desc *o)
{
    for (size_t t = 0; t < blni_glm_slices(d) && o->missed != BLN_GIBBS_MISSED_IGNORED; t++) {
        const blni_glm_slice s = blni_glm_slice_at(d, t);
        if (bln_basis_variance(blni_glm_basis_of(d, s.latent), s.slice) > 0.0) return 1;
    }
    return 0;
}

BLNI_PRIV const char *blni_gibbs_check(const bln_glm_desc *d, const void *own)
{
    const bln_glm_gibbs_desc *o = (const bln_glm_gibbs_desc *)own;
    const blni_keep k = blni_gibbs_asked(d, own);
    const char *why = NULL;
    const blni_augmentation *a = blni_augmentation_of(&d->likelihood, &why);
    if (!a) return why;
    if (d->likelihood.ops->mixture && !d->likelihood.ops->mixture->draw_omega)
        return "glm: gibbs needs draw_omega of the likelihood's mixture; cavi does without";
    if (o->slice_moves != BLN_NONE && o->slice_moves > BLNI_GIBBS_MOVES) return "glm: slice_moves is 16 at most";
    for (size_t s = 0; d->prior_var && s < blni_glm_priors(d); s++)
        if (blni_flat(d->prior_var[s])) return "glm: a flat prior has no proper posterior to draw from";
    if ((unsigned)o->missed > BLN_GIBBS_MISSED_DRAWN) return "glm: unknown `missed` of gibbs";
    if (o->replicas > 1 && o->missed != BLN_GIBBS_MISSED_DRAWN) return "glm: replicas of gibbs are those of BLN_GIBBS_MISSED_DRAWN";
    if (d->per_weight && blni_gibbs_missing(d, o))
        return "glm: with per_weight there is no prior variance of the function, so gibbs cannot include what features miss of it";
    if (k.apart && !a->simultaneous && blni_glm_views(d) < blni_glm_latents(d))
        return "glm: gibbs draws basis parameters of these latents only if each has a basis of its own";
    return blni_keep_check(&k, d);
}

/* ---- memory */

BLNI_PRIV void *blni_gibbs_carve(blni_arena *a, blni_glm_fit *f, const void *own)
{
    blni_gibbs counted, *carved = (blni_gibbs *)blni_carve(a, 1, sizeof *carved), *t = carved ? carved : &counted;
    const bln_glm_full_desc full = { 0, { 0, BLN_SGD_ADAM, 0.0, 0.0 } };
    memset(t, 0, sizeof *t);
    memcpy(&t->own, own, sizeof t->own);
    t->keep = blni_gibbs_asked(&f->desc, own);
    t->augmentation = blni_augmentation_of(&f->desc.likelihood, NULL);
    f->search.integrated = 1;
    t->J = f->rows.J;
    t->D = f->rows.n_w;
    t->n = t->keep.n;
    t->priors = f->desc.fix_prior_var ? 0 : blni_glm_priors(&f->desc);
    t->missing = blni_gibbs_missing(&f->desc, &t->own);
    t->share = t->missing && t->own.missed == BLN_GIBBS_MISSED_DRAWN ? 1.0/(double)t->own.replicas : 0.0;
    t->theta_at = t->n - (t->keep.apart ? blni_glm_thetas(&f->desc) : 0);
    BLNI_CARVE2(a, t->D, t->m, t->s);
    t->R      = blni_carve_doubles(a, blni_glm_squares(&f->desc));
    t->rows   = (blni_sites_rows *)blni_carve(a, t->J, sizeof *t->rows);
    t->first  = (size_t *)blni_carve(a, t->J + 1, sizeof *t->first);
    t->slice  = (blni_glm_slice *)blni_carve(a, f->rows.n_slices, sizeof *t->slice);
    BLNI_CARVE2(a, t->n, t->keep.mean, t->keep.square);
    t->keep.root   = t->s;
    t->keep.all    = &t->all;
    t->keep.inner  = blni_full_carve(a, f, &full);
    return carved;
}

/* Where weights and slices of each latent are. */
BLNI_PRIV void blni_gibbs_layout(blni_gibbs *t)
{
    const blni_glm_rows *r = &t->f->rows;
    blni_glm_slice *s = t->slice;
    t->first[0] = 0;
    for (size_t j = 0; j < t->J; j++) {
        t->first[j + 1] = t->first[j] + blni_glm_rows_basis(r, j)->D;
        t->rows[j].slice = s;
        for (size_t k = 0; k < r->n_slices; k++) {
            if (r->slice[k].latent != j) continue;
            *s = r->slice[k];
            s->first -= t->first[j];
            s->end -= t->first[j];
            s++;
        }
        t->rows[j].n_slices = (size_t)(s - t->rows[j].slice);
    }
}

/* The rows, and the chains. */
BLNI_PRIV void blni_gibbs_carve_chains(blni_arena *a, blni_gibbs *t)
{
    const bln_glm_desc *d = &t->f->desc;
    const size_t n = t->N, constants = d->likelihood.ops->of_theta ? 0 : d->likelihood.ops->n_constants;
    blni_gibbs_rows_carve(a, t, t->rows);
    BLNI_CARVE4(a, n, t->y, t->weight, t->trials, t->noise_var);
    t->offset = blni_carve_doubles(a, blni_mul(t->J, n));
    t->constants = blni_carve_doubles(a, blni_mul(constants, n));
    t->chain = (blni_gibbs_chain *)blni_carve(a, t->own.chains, sizeof *t->chain);
    for (size_t c = 0; c < t->own.chains; c++) {
        blni_gibbs_chain one;
        blni_gibbs_chain_carve(a, t, t->chain ? t->chain + c : &one);
    }
}

/* The table of all draws, its columns named. */
BLNI_PRIV bln_status blni_gibbs_table(blni_gibbs *t, bln_report *report)
{
    const bln_allocator *alloc = &t->f->desc.alloc;
    const size_t columns = t->D + t->n + 1;
    char name[BLNI_CHAINS_NAME], *names = NULL;
    size_t text = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < columns; k++) {
            if (k + 1 < columns) blni_keep_name(t->f, k, name, sizeof name);
            else                 strcpy(name, "lp__");
            text += strlen(name) + 1;
            if (!pass) continue;
            t->all->name[k] = strcpy(names, name);
            names += strlen(name) + 1;
        }
        if (!pass) BLNI_TRY(blni_chains_make(alloc, t->own.chains, t->own.draws, columns, text, &t->all, &names, report));
    }
    return BLN_OK;
}

BLNI_PRIV void blni_gibbs_close(void *state)
{
    blni_gibbs *t = (blni_gibbs *)state;
    bln_chains_free(t->all);
    if (t->block) blni_release(&t->f->desc.alloc, t->block, t->bytes);
    t->all = NULL;
    t->block = NULL;
}

/* Where each copy of a row, or each trial of each, has a draw of its own: are they whole, and few enough? */
BLNI_PRIV bln_status blni_gibbs_whole(const bln_data *data, int copies, bln_report *report)
{
    double sum = 0.0;
    for (size_t i = 0; i < data->n; i++) {
        const double k = blni_row_weight(data, i);
        if (k != floor(k))
            return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "glm: gibbs by probit or a mixture takes whole weights only");
        sum = copies ? k : sum + k*(data->trials ? data->trials[i] : 1.0);
        if (!(sum <= (double)BLNI_GIBBS_TRIALS))
            return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE,
                             copies ? "glm: gibbs draws omega for each copy of a row, and this one has more than a million"
                             : "glm: gibbs by probit draws a number for each trial, and there are more than a million; take logit");
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_gibbs_open(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_gibbs *t = (blni_gibbs *)state;
    t->f = f;
    if (t->augmentation->whole) BLNI_TRY(blni_gibbs_whole(f->data, t->augmentation->whole == 2, report));
    t->N = f->data->n;
    blni_gibbs_layout(t);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_gibbs_carve_chains(&a, t);
    BLNI_TRY(blni_arena_take(&f->desc.alloc, a.used, "glm", &a, report));
    t->block = memset(a.base, 0, a.size);
    t->bytes = a.size;
    blni_gibbs_carve_chains(&a, t);
    bln_status status = blni_gibbs_table(t, report);
    /* expectations of a logistic softmax are integrals of integrals: its search is that of cavi's sweeps */
    if (t->augmentation->simultaneous) ((blni_full *)t->keep.inner)->expected.collapsed = t->augmentation;
    if (status == BLN_OK) status = blni_full_open(f, t->keep.inner, report);
    f->done = 0;                                                 /* where nothing is learnt the search is over already */
    return status;
}

/* ---- from the search to the chains */

/* The constants of the rows, which no likelihood is asked for more than 128 at a time. */
BLNI_PRIV void blni_gibbs_constants(blni_gibbs *t)
{
    const bln_likelihood *l = &t->f->desc.likelihood;
    const size_t n = t->N;
    double room[BLNI_CONSTANTS_ROOM];
    if (l->ops->of_theta || !l->ops->n_constants) return;
    for (size_t i = 0; i < n; i += BLN_LIKELIHOOD_BLOCK) {
        const size_t rows = blni_min(n - i, BLN_LIKELIHOOD_BLOCK);
        const bln_targets b = blni_targets_block(l, t->f->hyper.eta, &t->targets, i, rows, room);
        for (size_t k = 0; k < l->ops->n_constants; k++) memcpy(t->constants + k*n + i, b.constants + k*b.ldc, rows*sizeof *room);
    }
    t->targets.constants = t->constants;
    t->targets.ldc = n;
}

/* Features and targets of all rows. */
BLNI_PRIV bln_status blni_gibbs_read(blni_gibbs *t, bln_report *report)
{
    blni_glm_rows *r = &t->f->rows;
    bln_data rows;
    bln_targets b;
    memset(&t->targets, 0, sizeof t->targets);
    t->targets.y = t->y;
    bln_status status = blni_glm_rewind(r, t->f->hyper.theta, NULL, report);
    while (status == BLN_OK && (status = blni_glm_next(r, &rows, &b, report)) == BLN_OK && rows.n) {
        const size_t bytes = rows.n*sizeof(double);
        for (size_t v = 0; v < r->n_views; v++) {
            const size_t D = t->rows[v].D;
            for (size_t i = 0; i < rows.n; i++)
                memcpy(t->rows[v].Phi + (r->first + i)*D, blni_glm_rows_phi(r, v) + i*r->D, D*sizeof(double));
        }
        for (size_t j = 0; j < t->J; j++) memcpy(t->offset + j*t->N + r->first, r->f + j*r->block, bytes);
        memcpy(t->y + r->first, b.y, bytes);
        memcpy(t->weight + r->first, r->k, bytes);
        if (b.trials)    { memcpy(t->trials + r->first, b.trials, bytes); t->targets.trials = t->trials; }
        if (b.noise_var) { memcpy(t->noise_var + r->first, b.noise_var, bytes); t->targets.noise_var = t->noise_var; }
    }
    if (status != BLN_OK) return status;
    blni_gibbs_constants(t);
    for (size_t v = 0; v < r->n_views; v++) blni_gibbs_ready(t, t->rows, v);
    return BLN_OK;
}

BLNI_PRIV bln_status blni_gibbs_failed(const blni_gibbs *t, bln_report *report)
{
    for (size_t c = 0; c < t->own.chains; c++) {
        const int own = t->chain[c].status != BLN_OK && t->chain[c].t && t->augmentation->whole == 2;
        for (size_t i = 0; i < t->N && own; i++)
            if (!blni_finite(t->chain[c].sites->site_h[i]))
                return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "likelihood: draw_omega gave a negative or infinite omega, or "
                                                                   "its sum over the row's copies overflows");
        if (t->chain[c].status != BLN_OK)
            return blni_refuse(report, t->chain[c].status,
                               t->chain[c].t ? "glm: numbers of a sweep overflow: scale the data, if they are not without noise"
                                             : "glm: the likelihood is not finite where chains of gibbs begin; scale the data");
    }
    return BLN_OK;
}

/* From the end of the search to the first sweep. */
BLNI_PRIV bln_status blni_gibbs_arrive(blni_glm_fit *f, blni_gibbs *t, bln_report *report)
{
    blni_glm_result r = BLN_ZERO;
    r.m = t->m;
    r.s = t->s;
    r.R = t->R;
    BLNI_TRY(blni_keep_begin(&t->keep, f, &r, report));
    BLNI_TRY(blni_gibbs_read(t, report));
    for (size_t c = 0; c < t->own.chains; c++) blni_gibbs_begin(t, c);
    f->stop = BLN_STOP_NONE;
    t->keep.sampling = 1;
    return blni_gibbs_failed(t, report);
}

/* ---- sweeps */

typedef struct blni_gibbs_job { blni_gibbs *t; size_t pieces, target; } blni_gibbs_job;

BLNI_PRIV void blni_gibbs_piece(const void *job, size_t piece)
{
    const blni_gibbs_job *j = (const blni_gibbs_job *)job;
    const blni_gibbs *t = j->t;
    const size_t end = blni_piece_begin(t->own.chains, 1, piece + 1, j->pieces);
    for (size_t k = blni_piece_begin(t->own.chains, 1, piece, j->pieces); k < end; k++) {
        blni_gibbs_chain *c = t->chain + k;
        while (c->t < j->target && c->status == BLN_OK) {
            blni_gibbs_sweep(t, c);
            if (c->status == BLN_OK && c->t > t->own.warmup)
                blni_gibbs_draw(t, c, blni_chains_row(t->all, k, c->t - t->own.warmup - 1));
        }
    }
}

BLNI_PRIV bln_status blni_gibbs_sample(blni_glm_fit *f, blni_gibbs *t, bln_report *report)
{
    const size_t sweeps = blni_add(t->own.warmup, t->own.draws), target = blni_min(sweeps, t->chain->t + BLNI_GIBBS_BLOCK);
    const blni_gibbs_job job = { t, blni_pieces(1e18, t->own.chains), target };
    f->progress.phase = BLN_GLM_SAMPLE;
    blni_run_pieces(job.pieces, blni_gibbs_piece, &job);
    BLNI_TRY(blni_gibbs_failed(t, report));
    t->all->draws = target > t->own.warmup ? target - t->own.warmup : 0;
    f->progress.iteration = target;
    f->progress.transitions = sweeps;
    f->progress.objective = t->keep.bound;
    f->done = target == sweeps;
    blni_keep_enough(&t->keep, f);
    return BLN_OK;
}

BLNI_PRIV bln_status blni_gibbs_step(blni_glm_fit *f, void *state, bln_report *report)
{
    blni_gibbs *t = (blni_gibbs *)state;
    if (t->keep.sampling) return blni_gibbs_sample(f, t, report);
    const bln_status status = f->search.n ? blni_glm_search_step(f, t->keep.inner, report) : BLN_OK;
    if (status != BLN_OK || (f->search.n && !f->done)) return status;
    f->done = 0;
    return blni_gibbs_arrive(f, t, report);
}

BLNI_TABLE const bln_glm_method_ops blni_gibbs_ops = {
    "gibbs", sizeof(bln_glm_gibbs_desc), BLN_NONE, BLNI_CAN_REDUCE | BLNI_CAN_LEARN | BLNI_CAN_INTEGRATE | BLNI_CAN_LATENTS, 0,
    BLNI_GLM_POINT, BLNI_GLM_POINT, BLN_SITES_NONE, 300, 1e-4, blni_gibbs_shape, blni_gibbs_defaults, blni_gibbs_check,
    blni_gibbs_carve, blni_gibbs_open, blni_gibbs_step, blni_keep_finish, blni_keep_components, blni_full_bound, blni_full_slopes,
    NULL, blni_keep_count, blni_gibbs_close
};

BLN_API bln_glm_method bln_glm_gibbs(const bln_glm_gibbs_desc *own) { return blni_glm_method(&blni_gibbs_ops, own); }

static BLNI_UNUSED const char *const blni_gibbs_theta_words[] = { "learnt", "drawn", NULL };
static BLNI_UNUSED const char *const blni_gibbs_missed_words[] = { "ignored", "bound", "drawn", NULL };

BLNI_TABLE const bln_option blni_gibbs_options[] = {
    BLNI_KEEP_OPTIONS(bln_glm_gibbs_desc),
    { "keep", BLN_OPTION_COUNT, offsetof(bln_glm_gibbs_desc, keep), NULL, NULL, "draws that the model keeps (default 1000)" },
    { "theta", BLN_OPTION_WORD, offsetof(bln_glm_gibbs_desc, draw_theta), NULL, blni_gibbs_theta_words,
      "of the basis, such as length scales: learnt (default), or drawn too" },
    { "missed", BLN_OPTION_WORD, offsetof(bln_glm_gibbs_desc, missed), NULL, blni_gibbs_missed_words,
      "what inducing points miss, while sampling: ignored (default), bound or drawn" }
};

BLNI_TABLE const bln_glm_card blni_gibbs_card = {
    &blni_gibbs_ops, "gibbs", "draws by Gibbs sampling with data augmentation", "lower bound, where they began",
    "draws from the posterior itself by data augmentation, of weights and\n"
    "hyper-parameters, those of the basis if asked for; of two classes (logit, probit),\n"
    "negative_binomial, poisson_logistic, gaussian, student_t, laplace,\n"
    "asymmetric_laplace, heteroscedastic, heteroscedastic_t; in programs\nlogistic_softmax too",
    BLN_GLM_IS_DRAWS, BLNI_GLM_OWN(bln_glm_gibbs_desc, blni_gibbs_options)
};

BLN_API const bln_glm_card *bln_glm_gibbs_card(void) { return &blni_gibbs_card; }

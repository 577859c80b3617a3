#ifndef BLN_LIKELIHOOD_AUGMENT_PRIVATE_H
#define BLN_LIKELIHOOD_AUGMENT_PRIVATE_H
#include "likelihood_private.h"

/* augment: likelihoods that auxiliary variables Omega make Gaussian in f                                       [augmentation 1, 2]
 *
 *     p(y | f)^k = int p(y, Omega | f) dOmega,   p(y, Omega | f) = C(Omega, y) exp(h f - precision f^2/2)
 *
 * The exponential is a site. Given Omega the weights have a Gaussian posterior; given f the Omega of the rows are independent.
 * Gibbs sampling draws the one and the other in turn. With a Gaussian q(f) in place of f, the best q(Omega) gives the expected
 * site, and
 *     ell(m, v) <= E log p(y | f)^k,   ell(f, 0) = log p(y | f)^k,   h = d ell/dm at m^2 + v fixed,   precision = -2 d ell/dv,
 * a lower bound, which coordinate ascent maximises [augmentation 3, 4]. */
typedef struct blni_augmentation {
    /* ell and the expected sites of n rows with m = E f and v = Var f >= 0 (NULL: 0), offset included; all times the rows'
     * weights k >= 0 (NULL: 1). t may have constants or not. Outputs: n each, or NULL; deta[j*ldeta + i] = d ell/d eta_j. */
    void (*collapsed)(const bln_likelihood *l, const double *eta, size_t n, const bln_targets *t, const double *weight,
                      const double *m, const double *v, double *ell, double *h, double *precision, double *deta, size_t ldeta);
    /* The sites of draws of Omega given y and a normal f with these moments; v = 0 means its full conditional. Rows of weight 0,
     * and those without trials, draw nothing and have the site 0. */
    void (*draw)(const bln_likelihood *l, const double *eta, size_t n, const bln_targets *t, const double *weight,
                 const double *m, const double *v, bln_rng *rng, double *h, double *precision);
    int    whole;            /* must row weights be whole numbers for `draw`? 1: it draws for each trial, 2: for each copy */
    int    kind;             /* used by augment.c alone                                      */
    /* Replaces both for several latents: m, v and the outputs have one column of `ld` numbers for each latent. rng NULL: expected
     * sites; else those of a draw of Omega given normals with these moments (v NULL: 0). `simultaneous`: one call fills the sites
     * of all latents, which are independent given Omega. Else it fills those of latent j, with an Omega drawn for it; they hold
     * until another latent changes [augmentation 9]. ell, n, and deta: only with expected sites. weight: never NULL. */
    void (*latents)(const bln_likelihood *l, const double *eta, size_t j, size_t n, const bln_targets *t, const double *weight,
                    const double *m, const double *v, size_t ld, bln_rng *rng, double *ell, double *h, double *precision,
                    double *deta, size_t ldeta);
    int    simultaneous;
} blni_augmentation;

/* The table of a likelihood, or NULL, with the reason in *why (which may be NULL). Only methods that call this link the tables. */
BLNI_PRIV const blni_augmentation *blni_augmentation_of(const bln_likelihood *l, const char **why);

#endif /* BLN_LIKELIHOOD_AUGMENT_PRIVATE_H */

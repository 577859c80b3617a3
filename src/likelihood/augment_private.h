#ifndef BLN_LIKELIHOOD_AUGMENT_PRIVATE_H
#define BLN_LIKELIHOOD_AUGMENT_PRIVATE_H
#include "likelihood_private.h"

/* augment: likelihoods that auxiliary variables Omega make Gaussian in f                                       [augmentation 1, 2]
 *
 *     p(y | f)^k = int p(y, Omega | f) dOmega,   p(y, Omega | f) = C(Omega, y) exp(h f - precision f^2/2)
 *
 * The exponential is a site. Given Omega the weights have a Gaussian posterior, given f the Omega of the rows are independent:
 * Gibbs sampling draws one after the other. With a Gaussian q(f) in the place of f, the best q(Omega) gives the expected site, and
 *     ell(m, v) <= E log p(y | f)^k,   ell(f, 0) = log p(y | f)^k,   h = d ell/dm at m^2 + v fixed,   precision = -2 d ell/dv,
 * a bound, which is what coordinate ascent climbs [augmentation 3, 4]. */
typedef struct blni_augmentation {
    /* n rows with m = E f and v = Var f >= 0 (NULL: 0), offset included; their weights k >= 0 (NULL: 1), by which everything is
     * multiplied; t: with constants or without. Outputs of n, or NULL; deta[j*ldeta + i] = d ell/d eta_j. */
    void (*collapsed)(const bln_likelihood *l, const double *eta, size_t n, const bln_targets *t, const double *weight,
                      const double *m, const double *v, double *ell, double *h, double *precision, double *deta, size_t ldeta);
    /* The site of a draw of Omega given y and a normal f of these moments: for v = 0 from its full conditional. Rows of weight 0,
     * and those without trials, draw nothing and have the site 0. */
    void (*draw)(const bln_likelihood *l, const double *eta, size_t n, const bln_targets *t, const double *weight,
                 const double *m, const double *v, bln_rng *rng, double *h, double *precision);
    int    whole;            /* does `draw` take whole weights only?                         */
    int    kind;             /* used by augment.c alone                                      */
    /* Replaces both for several latents: m, v and the outputs have one column of `ld` for each latent. rng NULL: the expected site;
     * else the site of a draw of Omega, with v NULL. `simultaneous`: fills the sites of all latents at once, which are independent
     * given Omega. Else only those of latent j, in its column: Omega is drawn for it, and what depends on the other latents holds
     * until one of them changes [augmentation 9]. ell: n, only with expected sites. */
    void (*latents)(const bln_likelihood *l, const double *eta, size_t j, size_t n, const bln_targets *t, const double *weight,
                    const double *m, const double *v, size_t ld, bln_rng *rng, double *ell, double *h, double *precision);
    int    simultaneous;
} blni_augmentation;

/* The table of a likelihood; NULL and the reason where none is known. why may be NULL. Only what draws links it. */
BLNI_PRIV const blni_augmentation *blni_augmentation_of(const bln_likelihood *l, const char **why);

#endif /* BLN_LIKELIHOOD_AUGMENT_PRIVATE_H */

/* advi_golden.h - closed forms of Gaussian approximations. Written by tools/golden_advi.py, which says of what. */
#ifndef BLN_TESTS_ADVI_GOLDEN_H
#define BLN_TESTS_ADVI_GOLDEN_H
static const double golden_advi_gauss_post[] TEST_UNUSED = { 0.47286142494812082, 0.69209210243852019,
    0.04973483975097994, -8.9923910537237722e-3, -8.9923910537237722e-3, 0.054860741176564127 };
/* mean 2, log sd 2; then ELBO, its slopes in both. */
static const double golden_advi_gauss_at[] TEST_UNUSED = { 0.5, 0.33333333333333333, -1.0, -0.5,
    -14.647163148305269,
    0.65615615615615616, 6.646996996996997, -1.8042446076054882, -5.910499304383553 };
/* mean 2, log sd 2, ELBO, log evidence: at the best. */
static const double golden_advi_gauss_best[] TEST_UNUSED = { 0.47286142494812082, 0.69209210243852019, -1.5155671003024535, -1.4665209467005704,
    -11.088448580414312, -11.073406275331987 };
static const double golden_advi_poisson_y[] TEST_UNUSED = { 3, 1, 4, 1, 5 };
/* mean, log sd, ELBO, log evidence. */
static const double golden_advi_poisson_best[] TEST_UNUSED = { 0.94957925301172624, -1.3862943611198906, -10.531392822085645, -10.526185166166035 };
/* ELBO and slopes in the mean and the log sd at 0.3 and -0.5. */
static const double golden_advi_poisson_at[] TEST_UNUSED = { -13.773089561976713, 6.2652769471766607, -2.581204476631407 };
/* three draws of the noise, mean 2, log sd 2; ELBO, its slopes in both, the same without the score. */
static const double golden_advi_bernoulli_noise[] TEST_UNUSED = { 0.5, -1.2, -0.3, 0.8, 1.7, 0.1, 0.5, 0.33333333333333333, -1.0, -0.5 };
static const double golden_advi_bernoulli[] TEST_UNUSED = { -4.7549800252574047,
    -0.18484851549221471, 0.48003287455935724, 0.77000082990934041, 0.34463600599914425,
    1.5367299758651806, 0.31516074748934442, 0.84666749657600707, 0.041302672665810921 };
#endif

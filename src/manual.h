/* bayeslin.h - Bayesian linear models in C99                                          licence and history at the end of the file
 *
 * GENERATED from src/ by tools/amalgamate.c: do not edit this copy. Change src/, then run make. Each part has the title of its file
 * in src/; the declarations of x_private.h are under the title of x.c.
 *
 * f = phi(x; theta)'w with a Gaussian prior on w. A basis gives phi, data give a posterior over w, and a prediction is a
 * distribution: mean, variance, interval, density. Lines, polynomials and Gaussian processes by random features differ only in the
 * basis. One file, no dependencies but the C library (link with -lm).
 *
 * QUICK START
 *
 *     #define BAYESLIN_IMPLEMENTATION              // in one source file; the others include the header without it
 *     #include "bayeslin.h"
 *     #include <math.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         const double x[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, y[] = { 0.3, 0.9, 2.4, 2.8, 4.3, 4.9, 6.2, 6.9 }, x_new = 10;
 *         bln_data data = BLN_ZERO, query = BLN_ZERO;    // zero means default, everywhere
 *         bln_slm_desc desc = BLN_ZERO;
 *         bln_basis *line = NULL;
 *         bln_slm *model = NULL;
 *         bln_report report = BLN_ZERO;
 *         double mean, var_model, var_noise, lower, upper;
 *
 *         data.n = 8;   data.d = 1;   data.X = x;   data.y = y;
 *         query.n = 1;  query.d = 1;  query.X = &x_new;
 *         if (bln_linear_create(NULL, 1, 1, &line)) return 1;                    // features 1 and x
 *         desc.basis = line;
 *         if (bln_slm_create(&desc, &model, &report) || bln_slm_fit(model, &data, &report)
 *             || bln_slm_predict(model, &query, &mean, &var_model, &var_noise, NULL, &report)
 *             || bln_posterior_intervals(bln_slm_posterior(model), &query, BLN_OF_Y, 0.95, &lower, &upper, NULL, &report)) {
 *             puts(report.text);
 *             return 1;
 *         }
 *         printf("y(10) = %.2f, standard deviation %.2f, 95%% interval %.2f to %.2f\n", mean, sqrt(var_model + var_noise),
 *                lower, upper);
 *         bln_slm_free(model);
 *         bln_basis_free(line);
 *         return 0;
 *     }
 *
 * CONTENTS                                    search for '>>tag - ': declarations first, then the implementation in the same order
 *
 *     @CONTENTS@
 *
 * VERBS                                       functions bln_MODEL_verb that models share, with the same arguments and meaning
 *
 *     @VERBS@
 *
 * QUESTIONS                                   functions bln_posterior_x of a posterior, a model's or your own, by the kinds of
 *                                             components that have them (all: gaussian, diagonal, point, product, student)
 *     @QUESTIONS@
 *
 * OPTIONS                                     to be defined before the #include; none of them changes a type or a prototype
 *
 *     BAYESLIN_IMPLEMENTATION     this file gets the code: exactly one source file of a program, or, with BAYESLIN_STATIC, each
 *                                 that wants a copy of its own.                                       (default: declarations only)
 *     BAYESLIN_WITH_LINEAR        implement only the parts named, and what they need: the linear models;
 *     BAYESLIN_WITH_GLM           the generalised linear models with all likelihoods;
 *     BAYESLIN_WITH_SCORES        scores, intervals and scaling;
 *     BAYESLIN_WITH_FILES         model files;
 *     BAYESLIN_WITH_SAMPLING      samplers of log densities of your own, and the diagnosis of chains;
 *     BAYESLIN_WITH_AUGMENTED     GLM, and its methods that draw auxiliary variables (gibbs, cavi);
 *     BAYESLIN_WITH_PROGRAM       SAMPLING, and models of your own that are differentiated. One part compiles in a third of the
 *                                 time (and under gcc's -Wall much faster with -Wno-misleading-indentation). All is declared in
 *                                 any case, and layouts never vary: BLN_IN_x before a function names the parts that implement it.
 *                                 To call one that is missing is an error that names them (gcc, clang >= 14: "this needs
 *                                 BAYESLIN_WITH_GLM"), or one of the linker. Where the implementation is. (default, none: all)
 *     BAYESLIN_STATIC             all functions are static: nothing is exported, and the compiler drops what is not used. In the
 *                                 file that defines BAYESLIN_IMPLEMENTATION.                          (default: extern)
 *     BLN_API                     what stands before each public function, in every file of the program. A shared library:
 *                                     cc -shared -fPIC -fvisibility=hidden -DBAYESLIN_IMPLEMENTATION -x c bayeslin.h -o
 *                                     libbayeslin.so -lm '-DBLN_API=__attribute__((visibility("default")))'
 *                                 with MSVC __declspec(dllexport) where it is built and __declspec(dllimport) where it is used.
 *                                                                                          (default: extern, or static as above)
 *     BAYESLIN_MALLOC(bytes)      where memory comes from when a desc brings no allocator. Define both, or neither, where the
 *     BAYESLIN_FREE(pointer)      implementation is.                                             (default: malloc, free)
 *     BAYESLIN_NO_STDIO           no <stdio.h>, and so no bln_modelfile_save and _load, which take a path (_write and _read, which
 *                                 take callbacks, stay). In every file of the program.           (default: with stdio)
 *     BAYESLIN_NO_TEXT            reports of failures have a status, row and column, and no words: with BAYESLIN_STATIC a program
 *                                 for a small machine is some 4 KB shorter. Where the implementation is.    (default: with words)
 *     BAYESLIN_MAX_LEVEL          highest instruction set of the kernels: 0 portable C99, 1 AVX2 or NEON, 2 AVX-512. At run time
 *                                 the highest one that the machine has is used. Where the implementation is. (default: 2)
 *     BAYESLIN_USE_CBLAS          the products of matrices and the triangular solves of >>blas and >>cholesky call a BLAS through
 *                                 <cblas.h> (link it, as with -lopenblas), where sizes fit its int. Not with BAYESLIN_REPRODUCIBLE.
 *                                 Where the implementation is.                                   (default: own kernels)
 *     BAYESLIN_STACK              bytes of stack that a large product or factorisation may use. The whole call needs at most 12 KiB
 *                                 more, and at least 48 KiB (56 KiB for more than 16 classes), as gcc and clang compile it; without
 *                                 optimisation more. Fewer bytes are slower, and below 36864 as 36864. Where the implementation is.
 *                                 (default: 524288 with glibc and on Windows, 262144 on macOS, else 36864, as threads have little)
 *     BAYESLIN_REPRODUCIBLE       draws, fitted models, predictions and model files have the same bits with every compiler, level
 *                                 of optimisation, C library, IEEE machine and number of threads: portable kernels, own elementary
 *                                 functions, no product fused with a sum. Fits take 3 times as long as with AVX2, functions of
 *                                 >>special and single draws up to 4 times. Not promised: the sign of a NaN; what your callbacks
 *                                 compute; other versions of this file; rounding modes other than to nearest; subnormal numbers
 *                                 flushed to zero (programs linked with -ffast-math). x87 is refused (32-bit x86 takes -msse2
 *                                 -mfpmath=sse). clang's -ffp-contract=fast breaks it undetected. Tested with gcc, clang
 *                                 and tcc; meant for MSVC too (not /fp:fast). Other compilers need options against extra precision
 *                                 and fusing, icx -fp-model=precise, icc -fp-model=source -no-fma, nvc -Kieee -Mnofma; check them
 *                                 with tests/use/test_reproducible.c. Where the implementation is. (default: the fastest kernels)
 *     BAYESLIN_ALLOW_FAST_MATH    lets the implementation compile under -ffast-math or parts of it, at your own risk: tests for NaN
 *                                 and infinity no longer work, and results may be wrong.                (default: #error)
 *
 * CONVENTIONS
 *
 *     Names       bln_ functions and types, BLN_ constants, BAYESLIN_ options, blni_ private (do not use), BLN_IN_x: see OPTIONS.
 *     Matrices    row-major: pointer and row stride in doubles. Symmetric matrices and factors are in the UPPER triangle, A = U'U.
 *     Arguments   sizes, scalars, inputs each with its stride, outputs, workspace, report. They may overlap only where it is said.
 *     Options     desc structs, in which zero means default; the comment of each field ends with its default. For most descs
 *                 bln_x_defaults(&desc) returns it with the defaults filled in, and bln_x_check(&desc) NULL, or the reason why it
 *                 cannot be used. BLN_ZERO initialises any of them, and any report, with zeros, in C and in C++.
 *     Errors      every call that can fail returns a bln_status, BLN_OK = 0. A report (may be NULL) is cleared at the start of a
 *                 call; on failure it says what is wrong and in which row and column, counted from 0. A failed call does not change
 *                 its object, nor set what it would have made. "Not converged" is a result. It never prints or exits.
 *     NULL        bln_x_defaults(NULL) gives the defaults of a desc of zeros, _check(NULL) a reason, _free(NULL) does nothing.
 *                 Every call that returns a status returns BLN_EINVAL for a NULL that it cannot do without. A query of NULL returns
 *                 NULL, NaN or 0. Kernels without a status check no pointer.
 *     Memory      from the allocator of the desc; release gets the allocated size. Kernels allocate none. _free what you _create.
 *     Threads     no global mutable state: different threads may use different objects, and read the same fitted model. Compiled
 *                 with OpenMP, large work uses several threads; results do not depend on their number (>>threads).
 *     Traps       floating-point traps (feenableexcept) for invalid operations, division by zero and overflow may be on: fits and
 *                 predictions from finite data cause none, except with data of about 1e150, infinite variances, numbers that are
 *                 refused, and samplers of a density of yours where it overflows. Underflow and inexact results occur.
 *     Random      from seeds that you can set: the same gives the same bits in a program, under BAYESLIN_REPRODUCIBLE in all.
 *     Units       inputs and targets are in your units. The library never scales data unasked; >>scaler does it.
 *     Labels      [linear 3], [bases 13] ... are equations of docs/mathematics, by chapter; other [..] are the references below.
 *
 * REFERENCES
 *
 *     Akaike 1974             A new look at the statistical model identification. IEEE Trans. Automatic Control 19(6).
 *     Albert & Chib 1993      Bayesian analysis of binary and polychotomous response data. JASA 88(422).
 *     Anderson 1965           Iterative procedures for nonlinear integral equations. J. ACM 12(4).
 *     Andrews & Mallows 1974  Scale mixtures of normal distributions. JRSS B 36(1).
 *     Antonov & Saleev 1979   An economic method of computing LP-tau sequences. USSR Comput. Math. Math. Phys. 19(1).
 *     Arthur & Vassilvitskii 2007  k-means++: the advantages of careful seeding. SODA 18.
 *     Barber, Candes, Ramdas & Tibshirani 2021  Predictive inference with the jackknife+. Ann. Stat. 49(1).
 *     Baum, Petrie, Soules & Weiss 1970  A maximization technique occurring in the statistical analysis of probabilistic functions
 *                             of Markov chains. Ann. Math. Stat. 41(1).
 *     Betancourt 2016         Diagnosing suboptimal cotangent disintegrations in Hamiltonian Monte Carlo. arXiv:1604.00695.
 *     Betancourt 2017         A conceptual introduction to Hamiltonian Monte Carlo. arXiv:1701.02434.
 *     Bhattacharya, Chakraborty & Mallick 2016  Fast sampling with Gaussian scale mixture priors in high-dimensional regression.
 *                             Biometrika 103(4).
 *     Bishop 2006             Pattern Recognition and Machine Learning. Springer.
 *     Blackman & Vigna 2021   Scrambled linear pseudorandom number generators. ACM TOMS 47(4).
 *     Blom 1958               Statistical Estimates and Transformed Beta-Variables. Wiley.
 *     Bonnet 1964             Transformations des signaux aleatoires a travers les systemes non lineaires sans memoire. Ann.
 *                             Telecommun. 19.
 *     Box & Muller 1958       A note on the generation of random normal deviates. Ann. Math. Stat. 29(2).
 *     Bratley & Fox 1988      Algorithm 659: implementing Sobol's quasirandom sequence generator. ACM TOMS 14(1).
 *     Brockwell 2007          Universal residuals: a multivariate transformation. Stat. Probab. Lett. 77(14).
 *     Burda, Grosse & Salakhutdinov 2016  Importance weighted autoencoders. ICLR.
 *     Burroni, Domke & Sheldon 2024  Sample average approximation for black-box variational inference. UAI 40.
 *     Chan, Golub & LeVeque 1983  Algorithms for computing the sample variance: analysis and recommendations. Am. Stat. 37(3).
 *     Chung et al. 2013       A nondegenerate penalized likelihood estimator for variance parameters in multilevel models.
 *                             Psychometrika 78(4).
 *     Clinger 1990            How to read floating point numbers accurately. PLDI '90.
 *     Cody 1969               Rational Chebyshev approximations for the error function. Mathematics of Computation 23(107).
 *     Cook, Gelman & Rubin 2006  Validation of software for Bayesian models using posterior quantiles. JCGS 15(3).
 *     Cornish & Fisher 1937   Moments and cumulants in the specification of distributions. Rev. Inst. Int. Stat. 5(4).
 *     Cranley & Patterson 1976  Randomization of number theoretic methods for multiple integration. SIAM J. Numer. Anal. 13(6).
 *     Czado, Gneiting & Held 2009  Predictive model assessment for count data. Biometrics 65(4).
 *     Dawid 1984              Statistical theory: the prequential approach. J. R. Stat. Soc. A 147(2).
 *     Dekker 1971             A floating-point technique for extending the available precision. Numer. Math. 18.
 *     Demmel et al. 2012      Communication-optimal parallel and sequential QR and LU factorizations. SIAM J. Sci. Comput. 34(1).
 *     Devroye 2009            On exact simulation algorithms for some distributions related to Jacobi theta functions. Stat.
 *                             Probab. Lett. 79(21).
 *     DiDonato & Morris 1992  Algorithm 708: significant digit computation of the incomplete beta function ratios. ACM TOMS 18(3).
 *     DLMF                    NIST Digital Library of Mathematical Functions. dlmf.nist.gov.
 *     Doornik 2005            An improved ziggurat method to generate normal random samples. University of Oxford.
 *     Dowell & Jarratt 1971   A modified regula falsi method for computing the root of an equation. BIT 11(2).
 *     Efraimidis & Spirakis 2006  Weighted random sampling with a reservoir. Information Processing Letters 97(5).
 *     Elmroth & Gustavson 2000  Applying recursion to serial and parallel QR factorization leads to better performance. IBM J. Res.
 *                             Dev. 44(4).
 *     Elmroth et al. 2004     Recursive blocked algorithms and hybrid data structures for dense matrix library software. SIAM Rev.
 *                             46(1).
 *     Fine & Scheinberg 2001  Efficient SVM training using low-rank kernel representations. JMLR 2.
 *     Fornberg 1988           Generation of finite difference formulas on arbitrarily spaced grids. Math. Comp. 51(184).
 *     Galy-Fajou, Wenzel, Donner & Opper 2020  Multi-class Gaussian process classification made conjugate: efficient inference via
 *                             data augmentation. UAI 35.
 *     Galy-Fajou, Wenzel & Opper 2020  Automated augmented conjugate inference for non-conjugate Gaussian process models. AISTATS.
 *     Gelman, Meng & Stern 1996  Posterior predictive assessment of model fitness via realized discrepancies. Stat. Sin. 6(4).
 *     Gelman & Hill 2007      Data Analysis Using Regression and Multilevel/Hierarchical Models. Cambridge University Press.
 *     Gelman 2006             Prior distributions for variance parameters in hierarchical models. Bayesian Anal. 1(3).
 *     Gelman et al. 2008      A weakly informative default prior distribution for logistic and other regression models. AOAS 2(4).
 *     Gershman, Hoffman & Blei 2012  Nonparametric variational inference. ICML 29.
 *     Geyer 1992              Practical Markov chain Monte Carlo. Stat. Sci. 7(4).
 *     Giraud et al. 2005      Rounding error analysis of the classical Gram-Schmidt orthogonalization process. Numer. Math. 101(1).
 *     Goldberg & Levine 1946  Approximate formulas for the percentage points and normalization of t and chi-square. Ann. Math.
 *                             Stat. 17(2).
 *     Golub & Van Loan 2013   Matrix Computations, 4th ed. Johns Hopkins University Press.
 *     Golub & Welsch 1969     Calculation of Gauss quadrature rules. Mathematics of Computation 23(106).
 *     Gustavson 1997          Recursion leads to automatic variable blocking for dense linear-algebra algorithms. IBM J. Res. Dev.
 *                             41(6).
 *     Hager & Zhang 2005      A new conjugate gradient method with guaranteed descent. SIAM J. Optim. 16(1).
 *     Halton 1960             On the efficiency of certain quasi-random sequences of points. Numer. Math. 2.
 *     Harbrecht, Peters & Schneider 2012  On the low-rank approximation by the pivoted Cholesky decomposition. Appl. Numer. Math.
 *                             62(4).
 *     Hensman, Matthews, Filippone & Ghahramani 2015  MCMC for variationally sparse Gaussian processes. NIPS 28.
 *     Hensman, Matthews & Ghahramani 2015  Scalable variational Gaussian process classification. AISTATS 18.
 *     Hestenes 1958           Inversion of matrices by biorthogonalization and related results. J. SIAM 6(1).
 *     Higham 2002             Accuracy and Stability of Numerical Algorithms, 2nd ed. SIAM.
 *     Hoermann 1993           The generation of binomial random variates. JSCS 46; and The transformed rejection method for
 *                             generating Poisson random variables. Insur. Math. Econ. 12.
 *     Hoang, Morris & Rogaway 2012  An enciphering scheme based on a card shuffle. CRYPTO 2012.
 *     Hoffman et al. 2013     Stochastic variational inference. JMLR 14.
 *     Hoffman & Gelman 2014   The no-U-turn sampler: adaptively setting path lengths in Hamiltonian Monte Carlo. JMLR 15.
 *     Hyndman & Fan 1996      Sample quantiles in statistical packages. Am. Stat. 50(4).
 *     Ionides 2008            Truncated importance sampling. JCGS 17(2).
 *     Jaakkola & Jordan 2000  Bayesian parameter estimation via variational methods. Stat. Comput. 10(1).
 *     Joe & Kuo 2008          Constructing Sobol' sequences with better two-dimensional projections. SIAM J. Sci. Comput. 30(5).
 *     Johndrow, Smith, Pillai & Dunson 2019  MCMC for imbalanced categorical data. JASA 114(527).
 *     Khan & Lin 2017         Conjugate-computation variational inference: converting variational inference in non-conjugate models
 *                             to inferences in conjugate models. AISTATS 20.
 *     Kingma & Welling 2014   Auto-encoding variational Bayes. ICLR.
 *     Kingma, Salimans & Welling 2015  Variational dropout and the local reparameterization trick. NIPS 28.
 *     Kitagawa 1996           Monte Carlo filter and smoother for non-Gaussian nonlinear state space models. JCGS 5(1).
 *     Koenker & Bassett 1978  Regression quantiles. Econometrica 46(1).
 *     Kolchinsky & Tracey 2017  Estimating mixture entropy with pairwise distances. Entropy 19(7).
 *     Kozumi & Kobayashi 2011  Gibbs sampling methods for Bayesian quantile regression. JSCS 81(11).
 *     Kronrod 1965            Nodes and Weights of Quadrature Formulas. Consultants Bureau.
 *     Kucukelbir, Tran, Ranganath, Gelman & Blei 2017  Automatic differentiation variational inference. JMLR 18(14).
 *     Lambert 1992            Zero-inflated Poisson regression, with an application to defects in manufacturing. Technometrics
 *                             34(1).
 *     Le, Sarlos & Smola 2013  Fastfood: approximating kernel expansions in loglinear time. ICML 30.
 *     Lazaro-Gredilla & Titsias 2011  Variational heteroscedastic Gaussian process regression. ICML 28.
 *     Lee, Barber & Willett 2023  Distribution-free inference with hierarchical data. arXiv 2306.06342.
 *     Lei et al. 2018         Distribution-free predictive inference for regression. JASA 113(523).
 *     Lemire 2019             Fast random integer generation in an interval. ACM TOMACS 29(1).
 *     Lewandowski, Kurowicka & Joe 2009  Generating random correlation matrices based on vines and extended onion method. J.
 *                             Multivar. Anal. 100(9).
 *     Loader 2000             Fast and accurate computation of binomial probabilities. Lucent Technologies.
 *     MacKay 1992             Bayesian interpolation. Neural Computation 4(3).
 *     Maechler 2012           Accurately computing log(1 - exp(-|a|)). Vignette of the R package Rmpfr.
 *     Marsaglia & Tsang 2000  A simple method for generating gamma variables. ACM TOMS 26(3); and The ziggurat method for
 *                             generating random variables. J. Stat. Software 5(8).
 *     Matousek 1998           On the L2-discrepancy for anchored boxes. Journal of Complexity 14(4).
 *     McCullagh & Nelder 1989  Generalized Linear Models, 2nd ed. Chapman & Hall.
 *     McCullagh 1980          Regression models for ordinal data. JRSS B 42(2).
 *     Michael, Schucany & Haas 1976  Generating random variates using transformations with multiple roots. Am. Stat. 30(2).
 *     Modrak et al. 2023      Simulation-based calibration checking for Bayesian computation: the choice of test quantities shapes
 *                             sensitivity. Bayesian Analysis.
 *     More & Thuente 1994     Line search algorithms with guaranteed sufficient decrease. ACM TOMS 20(3).
 *     Murray, Adams & MacKay 2010  Elliptical slice sampling. AISTATS 2010.
 *     Murray 2016             Differentiation of the Cholesky decomposition. arXiv:1602.07527.
 *     Neal 2003               Slice sampling. Ann. Stat. 31(3).
 *     Neal 2011               MCMC using Hamiltonian dynamics. Handbook of Markov Chain Monte Carlo, chapter 5. CRC Press.
 *     Niederreiter 1992       Random Number Generation and Quasi-Monte Carlo Methods. SIAM.
 *     Nocedal & Wright 2006   Numerical Optimization, 2nd ed. Springer.
 *     Ogita, Rump & Oishi 2005  Accurate sum and dot product. SIAM J. Sci. Comput. 26(6).
 *     Opper & Archambeau 2009  The variational Gaussian approximation revisited. Neural Computation 21(3).
 *     Opper, Paquet & Winther 2013  Perturbative corrections for approximate inference in Gaussian latent variable models. JMLR 14.
 *     Owen & Zhou 2000        Safe and effective importance sampling. JASA 95(449).
 *     Papaspiliopoulos, Roberts & Skold 2007  A general framework for the parametrization of hierarchical models. Stat. Sci. 22(1).
 *     Park & Casella 2008     The Bayesian lasso. JASA 103(482).
 *     Patterson & Thompson 1971  Recovery of inter-block information when block sizes are unequal. Biometrika 58(3).
 *     Piessens et al. 1983    QUADPACK: A Subroutine Package for Automatic Integration. Springer.
 *     Piironen & Vehtari 2017  Sparsity information and regularization in the horseshoe and other shrinkage priors. EJS 11(2).
 *     Polson & Scott 2011     Data augmentation for support vector machines. Bayesian Analysis 6(1).
 *     Polson, Scott & Windle 2013  Bayesian inference for logistic models using Polya-Gamma latent variables. JASA 108(504).
 *     Polyak & Juditsky 1992  Acceleration of stochastic approximation by averaging. SIAM J. Control Optim. 30(4).
 *     Price 1958              A useful theorem for nonlinear devices having Gaussian inputs. IRE Trans. Information Theory 4(2).
 *     Quinonero-Candela & Rasmussen 2005  A unifying view of sparse approximate Gaussian process regression. JMLR 6.
 *     Rahimi & Recht 2007     Random features for large-scale kernel machines. NIPS 20.
 *     Rasmussen & Williams 2006  Gaussian Processes for Machine Learning. MIT Press.
 *     Robert 1995             Simulation of truncated normal variables. Stat. Comput. 5(2).
 *     Roeder, Wu & Duvenaud 2017  Sticking the landing: simple, lower-variance gradient estimators for variational inference. NIPS
 *                             30.
 *     Rue, Martino & Chopin 2009  Approximate Bayesian inference for latent Gaussian models by using integrated nested Laplace
 *                             approximations. JRSS B 71(2).
 *     Saeilynoja, Buerkner & Vehtari 2022  Graphical test for discrete uniformity and its applications in goodness-of-fit
 *                             evaluation and multiple sample comparison. Stat. Comput. 32(2).
 *     Schreiber & Van Loan 1989  A storage-efficient WY representation for products of Householder transformations. SIAM J. Sci.
 *                             Stat. Comput. 10(1).
 *     Snelson & Ghahramani 2006  Sparse Gaussian processes using pseudo-inputs. NIPS 18.
 *     Sobol' 1967             On the distribution of points in a cube and the approximate evaluation of integrals. USSR Comput.
 *                             Math. Math. Phys. 7(4).
 *     Steele, Lea & Flood 2014  Fast splittable pseudorandom number generators. OOPSLA.
 *     Steinberger & Leeb 2023  Conditional predictive inference for stable algorithms. Ann. Stat. 51(1).
 *     Stewart 1979            The effects of rounding error on an algorithm for downdating a Cholesky factorization. IMA J. Appl.
 *                             Math. 23(2).
 *     Talts et al. 2018       Validating Bayesian inference algorithms with simulation-based calibration. arXiv:1804.06788.
 *     Temme 1979              The asymptotic expansion of the incomplete gamma functions. SIAM J. Math. Anal. 10(4).
 *     Thompson & Barnett 1986  Coulomb and Bessel functions of complex arguments and order. Journal of Computational Physics 64(2).
 *     Tipping 2001            Sparse Bayesian learning and the relevance vector machine. JMLR 1.
 *     Tierney & Kadane 1986   Accurate approximations for posterior moments and marginal densities. JASA 81.
 *     Titsias 2009            Variational learning of inducing variables in sparse Gaussian processes. AISTATS 12.
 *     Titsias & Lazaro-Gredilla 2014  Doubly stochastic variational Bayes for non-conjugate inference. ICML 31.
 *     Trefethen & Weideman 2014  The exponentially convergent trapezoidal rule. SIAM Rev. 56(3).
 *     Vehtari, Gelman & Gabry 2017  Practical Bayesian model evaluation using leave-one-out cross-validation and WAIC. Stat.
 *                             Comput. 27(5).
 *     Vehtari et al. 2016     Bayesian leave-one-out cross-validation approximations for Gaussian latent variable models. JMLR 17.
 *     Vehtari, Gelman, Simpson, Carpenter & Buerkner 2021  Rank-normalization, folding, and localization: an improved R-hat for
 *                             assessing convergence of MCMC. Bayesian Anal. 16(2).
 *     Vehtari, Simpson, Gelman, Yao & Gabry 2024  Pareto smoothed importance sampling. JMLR 25.
 *     Walker & Ni 2011        Anderson acceleration for fixed-point iterations. SIAM J. Numerical Analysis 49(4).
 *     Watson 1944             A Treatise on the Theory of Bessel Functions, 2nd ed. Cambridge University Press.
 *     Watanabe 2010           Asymptotic equivalence of Bayes cross validation and widely applicable information criterion in
 *                             singular learning theory. JMLR 11.
 *     West 1979               Updating mean and variance estimates. Communications of the ACM 22(9).
 *     Wichura 1988            AS 241: the percentage points of the normal distribution. Applied Statistics 37(3).
 *     Williams 1964           Algorithm 232: heapsort. Communications of the ACM 7(6).
 *     Williams & Seeger 2001  Using the Nystroem method to speed up kernel machines. NIPS 13.
 *     Wilson & Hilferty 1931  The distribution of chi-square. PNAS 17(12).
 *     Wilson & Adams 2013     Gaussian process kernels for pattern discovery and extrapolation. ICML 30.
 *     Wipf & Nagarajan 2007   A new view of automatic relevance determination. NIPS 20.
 *     Yang, Smola, Song & Wilson 2015  A la carte: learning fast kernels. AISTATS 18.
 *     Yao, Vehtari, Simpson & Gelman 2018  Yes, but did it work? Evaluating variational inference. ICML 35.
 *     Yu & Meng 2011          To center or not to center: that is not the question. J. Comp. Graph. Stat. 20(3).
 *     Yu & Moyeed 2001        Bayesian quantile regression. Stat. Probab. Lett. 54(4).
 *     Zellner 1971            An Introduction to Bayesian Inference in Econometrics. Wiley.
 *     Zhang & Stephens 2009   A new and efficient estimation method for the generalized Pareto distribution. Technometrics 51(3).
 *     Zhang, Carpenter, Gelman & Vehtari 2022  Pathfinder: parallel quasi-Newton variational inference. JMLR 23(306).
 */

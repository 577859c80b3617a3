/* bayeslin.h - Bayesian linear models in C99                                          licence and history at the end of the file
 *
 * GENERATED from src/ by tools/amalgamate.c: do not edit this copy. Change src/, then run make.
 *
 * f = phi(x; theta)'w with a Gaussian prior on w. A basis gives phi, data give a posterior over w, and a prediction is a
 * distribution: mean, variance, interval, density. Lines, polynomials and Gaussian processes by random features differ only in the
 * basis.
 * One file, no dependencies but the C library (link with -lm).
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
 *         double mean, var, lower, upper;
 *
 *         data.n = 8;   data.d = 1;   data.X = x;   data.y = y;
 *         query.n = 1;  query.d = 1;  query.X = &x_new;
 *         if (bln_linear_create(NULL, 1, 1, &line)) return 1;                    // features 1 and x
 *         desc.basis = line;
 *         if (bln_slm_create(&desc, &model, &report) || bln_slm_fit(model, &data, &report)
 *             || bln_slm_predict(model, &query, &mean, NULL, &var, NULL, &report)) { puts(report.text); return 1; }
 *         bln_normal_intervals(1, &mean, &var, 0.95, &lower, &upper);
 *         printf("y(10) = %.2f, standard deviation %.2f, 95%% interval %.2f to %.2f\n", mean, sqrt(var), lower, upper);
 *         bln_slm_free(model);
 *         bln_basis_free(line);
 *         return 0;
 *     }
 *
 * CONTENTS                                    search for a tag: declarations first, then the implementation in the same order
 *
 *     core        >>config         version, linkage, and what the compiler must promise
 *                 >>status         how a call tells what went wrong
 *                 >>memory         where memory comes from
 *                 >>data           a data set as a view, and data that come in blocks
 *                 >>bytes          numbers as bytes, the same on every machine
 *     math        >>special        scalar special functions
 *                 >>cpu            which instruction set the kernels use
 *                 >>vecmath        elementary functions over arrays
 *                 >>hadamard       the fast Walsh-Hadamard transform
 *                 >>blas           dense kernels
 *                 >>cholesky       factorisation of symmetric positive definite matrices, and what follows from it
 *                 >>qr             orthogonal factorisation, least squares, triangular factors that rows are added to and taken from
 *                 >>exact          arithmetic in three doubles, for problems whose condition eats up sixteen digits
 *     random      >>rng            random bits, uniforms and normals
 *                 >>distributions  samplers of continuous variables on top of >>rng
 *                 >>discrete       samplers of counts and of categories
 *                 >>multivariate   samplers of vectors
 *                 >>qmc            quasi-random points: more even than independent ones
 *     optim       >>transform      bounded parameters as unconstrained ones
 *                 >>lbfgs          minimisation of a smooth function by limited-memory BFGS
 *     basis       >>basis          feature maps: the interface, concatenation, column selection
 *                 >>polynomial     bias, linear, polynomial and Legendre bases
 *                 >>radial         bumps and steps around centres
 *                 >>fourier        random Fourier features: a Gaussian process with a stationary kernel as a linear model
 *                 >>fastfood       random Fourier features without a matrix of frequencies, for many inputs
 *                 >>spectral       spectral mixtures: kernels that oscillate
 *                 >>spec           a basis from a line of text
 *     posterior   >>posterior      Gaussian posteriors over weights, and what can be asked of them
 *                 >>predict        from a posterior over weights to predictions
 *                 >>sample         exact draws of the weights from a Gaussian posterior, alone or together with their prior paths
 *     model       >>statistics     sufficient statistics of the linear model, which merge, shrink and forget
 *                 >>fixed_point    updates of the noise and prior variances of the linear model, without gradients or a line search
 *                 >>slm            the standard Bayesian linear model
 *                 >>slm_loo        the linear model without a row, a group of rows, or a feature: exact, and without fitting again
 *                 >>slm_sample     joint draws from the linear model, and the slopes of its predictions
 *                 >>slm_integrated the linear model for few data: noise and prior variances integrated out
 *                 >>sequential     the linear model one row at a time: exact posterior and one-step-ahead score after each
 *     use         >>metrics        scores for predictions
 *                 >>scaler         standardising columns: x -> (x - mean) / sd
 *                 >>modelfile      models on disk
 *
 * OPTIONS                                     to be defined before the #include; none of them changes a type or a prototype
 *
 *     BAYESLIN_IMPLEMENTATION     this file gets the code: exactly one source file of a program, or, with BAYESLIN_STATIC, each
 *                                 that wants a copy of its own.                                       (default: declarations only)
 *     BAYESLIN_STATIC             all functions are static: nothing is exported, and the compiler drops what is not used. In the
 *                                 file that defines BAYESLIN_IMPLEMENTATION.                          (default: extern)
 *     BAYESLIN_MALLOC(bytes)      where memory comes from when a desc brings no allocator. Define both, or neither, where the
 *     BAYESLIN_FREE(pointer)      implementation is.                                             (default: malloc, free)
 *     BAYESLIN_NO_STDIO           no <stdio.h>, and so no bln_modelfile_save and _load, which take a path; _write and _read, which
 *                                 take callbacks, stay. In every file of the program.            (default: with stdio)
 *     BAYESLIN_MAX_LEVEL          highest instruction set of the kernels: 0 portable C99, 1 AVX2 or NEON, 2 AVX-512.
 *                                 Which of them the machine has is asked at run time.            (default: 2)
 *     BAYESLIN_USE_CBLAS          the products of matrices and the triangular solves of >>blas and >>cholesky call a BLAS through
 *                                 <cblas.h> (link it, as with -lopenblas), where sizes fit its int. Not with BAYESLIN_REPRODUCIBLE.
 *                                 Where the implementation is.                                   (default: own kernels)
 *     BAYESLIN_STACK              bytes of stack that a large product of matrices may use for packing; fewer make it slower, and
 *                                 below 65536 nothing changes any more. Where the implementation is.
 *                                 (default: 524288 with glibc and on Windows, 262144 on macOS, else 65536, as threads have little)
 *     BAYESLIN_REPRODUCIBLE       portable kernels whatever the machine, so that results do not depend on its instruction set; with
 *                                 another compiler or C library, last digits may still differ.   (default: the fastest kernels)
 *     BAYESLIN_ALLOW_FAST_MATH    lets the implementation compile under -ffast-math and its parts, which break its arithmetic
 *                                 (tests for NaN and infinity are void then), at your own risk.         (default: #error)
 *
 * CONVENTIONS
 *
 *     Names       bln_ functions and types, BLN_ constants, blni_ private (not for you), BAYESLIN_ what you configure.
 *     Matrices    row-major: pointer and row stride in doubles. Symmetric matrices and factors live in the UPPER triangle, A = U'U.
 *     Arguments   sizes, scalars, inputs each with its stride, outputs, workspace, report. No overlap unless it is said.
 *     Options     desc structs, in which zero means default; the comment of each field ends with its default. bln_x_defaults(&desc)
 *                 returns the desc with the defaults filled in, bln_x_check(&desc) NULL or the reason why it cannot be used.
 *                 BLN_ZERO initialises any of them, and any report, with zeros, in C and in C++.
 *     Errors      every call that can fail returns a bln_status, BLN_OK = 0. A report (may be NULL) is cleared at the start of a
 *                 call and says what, and in which row and column, counted from 0. A call that fails leaves its object as it
 *                 was, and what it would have made unset. "Not converged" is a result, not an error. The library never prints
 *                 and never exits.
 *     NULL        bln_x_defaults(NULL) gives the defaults of a desc of zeros, _check(NULL) a reason, _free(NULL) does nothing.
 *                 A call that takes a report, and _create, _save and _load, return BLN_EINVAL for a NULL that they cannot do
 *                 without. What only asks an object answers NULL, NaN or 0 for none. Kernels over arrays check no pointer.
 *     Memory      through the allocator of the desc; what was allocated is given back with its size. Kernels allocate nothing.
 *                 _create and _free come in pairs.
 *     Threads     no global mutable state: distinct objects may be used in distinct threads, and a fitted model read by many.
 *     Random      every draw comes from a seed that you can set; the same seed gives the same bits in the same program.
 *     Units       inputs and targets as they come. The library never scales data by itself: >>scaler does, when you ask for it.
 *     Labels      (S3), (B13), (M5) ... number the equations of the project's specification; [..] are references, below.
 *
 * REFERENCES
 *
 *     Antonov & Saleev 1979   An economic method of computing LP-tau sequences. USSR Comput. Math. Math. Phys. 19(1).
 *     Bishop 2006             Pattern Recognition and Machine Learning. Springer.
 *     Blackman & Vigna 2021   Scrambled linear pseudorandom number generators. ACM TOMS 47(4).
 *     Box & Muller 1958       A note on the generation of random normal deviates. Annals of Mathematical Statistics 29(2).
 *     Bratley & Fox 1988      Algorithm 659: implementing Sobol's quasirandom sequence generator. ACM TOMS 14(1).
 *     Cody 1969               Rational Chebyshev approximations for the error function. Mathematics of Computation 23(107).
 *     Cornish & Fisher 1937   Moments and cumulants in the specification of distributions. Revue de l'Institut International de
 *                             Statistique 5(4).
 *     Cranley & Patterson 1976  Randomization of number theoretic methods for multiple integration. SIAM J. Numer. Anal. 13(6).
 *     Dawid 1984              Statistical theory: the prequential approach. J. R. Stat. Soc. A 147(2).
 *     Dekker 1971             A floating-point technique for extending the available precision. Numerische Mathematik 18.
 *     Demmel et al. 2012      Communication-optimal parallel and sequential QR and LU factorizations. SIAM J. Sci. Comput. 34(1).
 *     DiDonato & Morris 1992  Algorithm 708: significant digit computation of the incomplete beta function ratios. ACM TOMS 18(3).
 *     DLMF                    NIST Digital Library of Mathematical Functions. dlmf.nist.gov.
 *     Doornik 2005            An improved ziggurat method to generate normal random samples. University of Oxford.
 *     Elmroth & Gustavson 2000  Applying recursion to serial and parallel QR factorization leads to better performance. IBM J. Res.
 *                             Dev. 44(4).
 *     Elmroth et al. 2004     Recursive blocked algorithms and hybrid data structures for dense matrix library software. SIAM
 *                             Review 46(1).
 *     Gelman 2006             Prior distributions for variance parameters in hierarchical models. Bayesian Analysis 1(3).
 *     Giraud et al. 2005      Rounding error analysis of the classical Gram-Schmidt orthogonalization process. Numerische
 *                             Mathematik 101(1).
 *     Golub & Van Loan 2013   Matrix Computations, 4th ed. Johns Hopkins University Press.
 *     Gustavson 1997          Recursion leads to automatic variable blocking for dense linear-algebra algorithms. IBM J. Res. Dev.
 *                             41(6).
 *     Hager & Zhang 2005      A new conjugate gradient method with guaranteed descent. SIAM J. Optim. 16(1).
 *     Halton 1960             On the efficiency of certain quasi-random sequences of points. Numerische Mathematik 2.
 *     Higham 2002             Accuracy and Stability of Numerical Algorithms, 2nd ed. SIAM.
 *     Hill 1970               Algorithm 395: Student's t-distribution. Communications of the ACM 13(10).
 *     Hoermann 1993           The generation of binomial random variates. J. Stat. Comput. Simul. 46; and The transformed rejection
 *                             method for generating Poisson random variables. Insurance: Mathematics and Economics 12.
 *     Huebschle-Schneider & Sanders 2022  Parallel weighted random sampling. ACM TOMS 48(3).
 *     Joe & Kuo 2008          Constructing Sobol' sequences with better two-dimensional projections. SIAM J. Sci. Comput. 30(5).
 *     Le, Sarlos & Smola 2013  Fastfood: approximating kernel expansions in loglinear time. ICML 30.
 *     Lemire 2019             Fast random integer generation in an interval. ACM TOMACS 29(1).
 *     Loader 2000             Fast and accurate computation of binomial probabilities. Lucent Technologies.
 *     MacKay 1992             Bayesian interpolation. Neural Computation 4(3).
 *     Maechler 2012           Accurately computing log(1 - exp(-|a|)). Vignette of the R package Rmpfr.
 *     Marsaglia & Tsang 2000  A simple method for generating gamma variables. ACM TOMS 26(3); and The ziggurat method for
 *                             generating random variables. J. Stat. Software 5(8).
 *     Matousek 1998           On the L2-discrepancy for anchored boxes. Journal of Complexity 14(4).
 *     Michael, Schucany & Haas 1976  Generating random variates using transformations with multiple roots. American Statistician
 *                             30(2).
 *     More & Thuente 1994     Line search algorithms with guaranteed sufficient decrease. ACM TOMS 20(3).
 *     Niederreiter 1992       Random Number Generation and Quasi-Monte Carlo Methods. SIAM.
 *     Nocedal & Wright 2006   Numerical Optimization, 2nd ed. Springer.
 *     Ogita, Rump & Oishi 2005  Accurate sum and dot product. SIAM J. Sci. Comput. 26(6).
 *     Patterson & Thompson 1971  Recovery of inter-block information when block sizes are unequal. Biometrika 58(3).
 *     Press et al. 2007       Numerical Recipes, 3rd ed. Cambridge University Press.
 *     Rahimi & Recht 2007     Random features for large-scale kernel machines. NIPS 20.
 *     Rasmussen & Williams 2006  Gaussian Processes for Machine Learning. MIT Press.
 *     Robert 1995             Simulation of truncated normal variables. Statistics and Computing 5(2).
 *     Schreiber & Van Loan 1989  A storage-efficient WY representation for products of Householder transformations. SIAM J. Sci.
 *                             Stat. Comput. 10(1).
 *     Sobol' 1967             On the distribution of points in a cube and the approximate evaluation of integrals. USSR Comput.
 *                             Math. Math. Phys. 7(4).
 *     Steele, Lea & Flood 2014  Fast splittable pseudorandom number generators. OOPSLA.
 *     Stewart 1979            The effects of rounding error on an algorithm for downdating a Cholesky factorization. IMA J. Appl.
 *                             Math. 23(2).
 *     Temme 1979              The asymptotic expansion of the incomplete gamma functions. SIAM J. Math. Anal. 10(4).
 *     Thompson & Barnett 1986 Coulomb and Bessel functions of complex arguments and order. Journal of Computational Physics 64(2).
 *     Tipping 2001            Sparse Bayesian learning and the relevance vector machine. J. Machine Learning Research 1.
 *     Trefethen & Weideman 2014  The exponentially convergent trapezoidal rule. SIAM Review 56(3).
 *     Vose 1991               A linear algorithm for generating random numbers with a given distribution. IEEE Trans. Software
 *                             Engineering 17(9).
 *     Walker 1977             An efficient method for generating discrete random variables with general distributions. ACM TOMS
 *                             3(3).
 *     Watson 1944             A Treatise on the Theory of Bessel Functions, 2nd ed. Cambridge University Press.
 *     West 1979               Updating mean and variance estimates. Communications of the ACM 22(9).
 *     Wichura 1988            AS 241: the percentage points of the normal distribution. Applied Statistics 37(3).
 *     Williams 1964           Algorithm 232: heapsort. Communications of the ACM 7(6).
 *     Wilson & Hilferty 1931  The distribution of chi-square. PNAS 17(12).
 *     Wilson & Adams 2013     Gaussian process kernels for pattern discovery and extrapolation. ICML 30.
 *     Wipf & Nagarajan 2007   A new view of automatic relevance determination. NIPS 20.
 *     Yang, Smola, Song & Wilson 2015  A la carte: learning fast kernels. AISTATS 18.
 *     Zellner 1971            An Introduction to Bayesian Inference in Econometrics. Wiley.
 */
#ifndef BAYESLIN_H
#define BAYESLIN_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- src/core/config.h */
/* >>config - version, linkage, and what the compiler must promise */

#define BLN_VERSION_MAJOR 0
#define BLN_VERSION_MINOR 1
#define BLN_VERSION_PATCH 0
#define BLN_VERSION       "0.1.0"

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define BLNI_UNUSED __attribute__((unused))
#else
#define BLNI_UNUSED
#endif

#if defined(BAYESLIN_STATIC)
#define BLN_API static BLNI_UNUSED
#else
#define BLN_API extern
#endif

/* An index that is not there: a report without a row, a data set without a column. */
#define BLN_NONE ((size_t)-1)

/* Zeros for any struct, at its definition: bln_slm_desc desc = BLN_ZERO. Zero means default, everywhere. ({ 0 } is the same in C,
 * but C++ compilers warn of the members that it does not name.) */
#ifdef __cplusplus
#define BLN_ZERO {}
#else
#define BLN_ZERO { 0 }
#endif

/* ---------------------------------------------------------------- src/core/status.h */
/* >>status - how a call tells what went wrong
 *
 * Every function that can fail returns a bln_status. Failures that depend on data also fill the optional bln_report, with the
 * row, the column and the reason in words. An object keeps its former state when a call on it fails.
 * "Not converged" is a result (bln_report.stop), not an error. */

#define BLN_STATUS_LIST(X) \
    X(BLN_OK,           "success") \
    X(BLN_EINVAL,       "invalid argument") \
    X(BLN_ENOMEM,       "out of memory") \
    X(BLN_EOVERFLOW,    "size too large for this machine") \
    X(BLN_EDATA,        "NaN or infinity in the data") \
    X(BLN_EDOMAIN,      "value outside its domain") \
    X(BLN_ESHAPE,       "shapes do not match") \
    X(BLN_ENOTPD,       "matrix not positive definite") \
    X(BLN_ENUMERIC,     "objective not finite") \
    X(BLN_EUNDEFINED,   "result undefined for these data") \
    X(BLN_ESTATE,       "call out of order") \
    X(BLN_ESTOPPED,     "stopped by the caller") \
    X(BLN_EIO,          "reading or writing failed") \
    X(BLN_EFORMAT,      "not a model file, or damaged") \
    X(BLN_EVERSION,     "written by a newer version") \
    X(BLN_EUNKNOWN,     "unknown name")

typedef enum bln_status {
#define BLNI_STATUS_ENUM(code, text) code,
    BLN_STATUS_LIST(BLNI_STATUS_ENUM)
#undef BLNI_STATUS_ENUM
    BLN_STATUS_COUNT
} bln_status;

/* Why an iteration ended. */
typedef enum bln_stop {
    BLN_STOP_NONE,        /* still running, or nothing iterative was done       */
    BLN_STOP_GRADIENT,    /* gradient below its tolerance                       */
    BLN_STOP_PROGRESS,    /* objective no longer improves                       */
    BLN_STOP_LIMIT,       /* iteration limit reached: not converged             */
    BLN_STOP_MONITOR,     /* the monitor asked to stop: not converged           */
    BLN_STOP_BOUND,       /* the noise variance ended at the lower end of its domain (1e-10 of the variance of y): the fit is
                             perfect, or the targets vary too little around too large a mean                             */
    BLN_STOP_LINESEARCH   /* no descent to be found within rounding: converged to the accuracy of the objective */
} bln_stop;

/* What happened in a call. Pass NULL when it is of no interest. */
typedef struct bln_report {
    char     text[256];        /* one sentence in words; "" after success                        */
    size_t   row, column;      /* 0-based place of the offence; BLN_NONE when there is none      */
    size_t   iterations;       /* steps of the optimiser, over all starts                        */
    size_t   evaluations;      /* objective evaluations, over all starts                         */
    double   objective;        /* last value: log evidence, ELBO, ... in nats                    */
    double   gradient_norm;    /* largest absolute component, in the optimiser's coordinates; NaN: not known */
    double   jitter;           /* what had to be added to a diagonal; 0 normally (spec/slm.md S20) */
    double   condition;        /* estimate of the condition number of the last factorised matrix; 0 unknown */
    bln_stop stop;             /* why the iteration ended                                        */
} bln_report;

/* The fixed text of a status; "unknown status" for a number that is none. Never NULL. */
BLN_API const char *bln_status_text(bln_status status);

/* The name of a status ("BLN_EDATA") and of a stop reason ("gradient"). Never NULL. */
BLN_API const char *bln_status_name(bln_status status);
BLN_API const char *bln_stop_name(bln_stop stop);

/* A report with nothing in it: text "", no row, no column, zeros. NULL is ignored. */
BLN_API void bln_report_clear(bln_report *report);

/* ---------------------------------------------------------------- src/core/memory.h */
/* >>memory - where memory comes from */

/* A user's allocator. All zero means malloc and free (or BAYESLIN_MALLOC and BAYESLIN_FREE where these are defined).
 *   alloc   returns at least `bytes` bytes (> 0) aligned as malloc does, or NULL
 *   release gets back what alloc returned, with the same size; never NULL */
typedef struct bln_allocator {
    void *(*alloc)(void *user, size_t bytes);
    void  (*release)(void *user, void *pointer, size_t bytes);
    void *user;
} bln_allocator;

/* ---------------------------------------------------------------- src/core/data.h */
/* >>data - a data set as a view, and data that come in blocks */

/* A view of n rows; nothing is owned or copied. All zero is an empty data set. */
typedef struct bln_data {
    size_t        n, d;        /* rows, input columns                                                            */
    const double *X;           /* n x d inputs, row-major                              (required unless d = 0)   */
    size_t        ldx;         /* row stride of X, in doubles                          (0 means d)               */
    const double *y;           /* n targets, or n x p of several outputs               (required to fit or score) */
    const double *weight;      /* n row weights >= 0; weight k counts as k copies of the row         (NULL: all 1) */
    const double *noise_var;   /* n factors v > 0: the row's noise variance is sigma^2 v             (NULL: all 1) */
    const double *offset;      /* n known summands of f, or n x p                                    (NULL: all 0) */
    const double *trials;      /* n numbers of trials of a binomial                                  (NULL: all 1) */
    size_t        p;           /* columns of y and of offset: outputs                  (0 means 1)               */
    size_t        ldy, ldoffset;   /* row strides of y and of offset, in doubles       (0 means p)               */
} bln_data;

/* The rows [first, first + n) of a view. first + n <= data->n. */
BLN_API bln_data bln_data_rows(const bln_data *data, size_t first, size_t n);

/* Checks a view: pointers and strides; X, and y if need_y, finite; weight >= 0; noise_var > 0; offset finite; trials >= 0.
 * BLN_EINVAL: a missing pointer, or a stride below d or p.  BLN_EDATA: NaN or infinity.  BLN_EDOMAIN: a weight, variance or number
 * of trials outside its range. The report names row and column (column = d + k stands for output k of y, 0-based, and of several
 * offsets; BLN_NONE for the others). O(n (d + p)). */
BLN_API bln_status bln_data_check(const bln_data *data, int need_y, bln_report *report);

/* Data that come in blocks, as often as asked: a file, a generator, a view. Rows must come in the same order in every pass.
 *   reset  goes back to the first row
 *   next   fills *block with the next 1..max_rows rows (block->d = d), or sets block->n = 0 at the end; what the block
 *          points to stays valid until the next call
 * A status other than BLN_OK ends the pass and is handed to the caller of the fit; report (may be NULL) is for the reason. */
typedef struct bln_source {
    size_t d;                                                        /* input columns                      */
    bln_status (*reset)(void *user, bln_report *report);
    bln_status (*next)(void *user, size_t max_rows, bln_data *block, bln_report *report);
    void *user;
} bln_source;

/* A view as a source. The state must live as long as the source; two sources over one view need two states. */
typedef struct bln_data_reader { bln_data data; size_t at; } bln_data_reader;
BLN_API bln_source bln_source_of(const bln_data *data, bln_data_reader *state);

/* ---------------------------------------------------------------- src/core/bytes.h */
/* >>bytes - numbers as bytes, the same on every machine
 *
 * Little-endian, whatever the machine: u32, u64, IEEE 754 doubles as their 64 bits, strings as u32 length and bytes without a
 * terminator. Writer and reader keep a running 64-bit FNV-1a checksum of what went through (any single changed byte changes it).
 * The first failure sticks: later calls do nothing, so that a series of writes or reads is checked once, at its end. Sizes may be
 * 0. */

typedef struct bln_writer {
    bln_status (*write)(void *user, const void *bytes, size_t n);    /* NULL: only counts            */
    void      *user;
    uint64_t   count;                                                /* bytes written so far         */
    uint64_t   checksum;
    bln_status status;                                               /* first failure                */
} bln_writer;

typedef struct bln_reader {
    bln_status (*read)(void *user, void *bytes, size_t n);           /* all n bytes or BLN_EIO / BLN_EFORMAT at the end */
    void      *user;
    uint64_t   count;                                                /* bytes read so far            */
    uint64_t   limit;                                                /* end of the data in bytes; UINT64_MAX: unknown */
    uint64_t   checksum;
    bln_status status;
    bln_report *report;                                              /* may be NULL: gets the reason of the first failure */
} bln_reader;

/* write: all n bytes, or a status that sticks. */
BLN_API bln_writer bln_writer_over(bln_status (*write)(void *user, const void *bytes, size_t n), void *user);
BLN_API void bln_put_bytes(bln_writer *w, const void *bytes, size_t n);
BLN_API void bln_put_u32(bln_writer *w, uint32_t v);
BLN_API void bln_put_u64(bln_writer *w, uint64_t v);
BLN_API void bln_put_double(bln_writer *w, double v);
BLN_API void bln_put_doubles(bln_writer *w, size_t n, const double *v);
BLN_API void bln_put_string(bln_writer *w, const char *s);                 /* BLN_EINVAL: 2^32 bytes or more */

/* read: all n bytes, BLN_EFORMAT at the end of the data, or another status; each sticks. What would go beyond the limit is
 * BLN_EFORMAT without asking. bln_get_string: BLN_EFORMAT for a string of more than size - 1 bytes, or with a zero byte in it. */
BLN_API bln_reader bln_reader_over(bln_status (*read)(void *user, void *bytes, size_t n), void *user, uint64_t limit,
                                   bln_report *report);
BLN_API void     bln_get_bytes(bln_reader *r, void *bytes, size_t n);      /* zeros after a failure */
BLN_API uint32_t bln_get_u32(bln_reader *r);                               /* 0 after a failure     */
BLN_API uint64_t bln_get_u64(bln_reader *r);
BLN_API double   bln_get_double(bln_reader *r);
BLN_API void     bln_get_doubles(bln_reader *r, size_t n, double *v);
BLN_API void     bln_get_string(bln_reader *r, char *s, size_t size);      /* "" after a failure */

/* A u64 count of elements of `unit` bytes each (0: not to be checked) that are still to come: BLN_EFORMAT (and 0) when they cannot
 * fit in what is left or in a size_t, or are more than max. So a damaged count never becomes an allocation. */
BLN_API size_t bln_get_count(bln_reader *r, size_t unit, size_t max);

/* Marks the reader as failed with a reason of the caller's, to which the report adds the byte; the first failure wins. Returns the
 * reader's status. */
BLN_API bln_status bln_reader_fail(bln_reader *r, bln_status status, const char *reason);

/* A writer into, and a reader out of, memory. The buffer of the first must hold `size` bytes; more is BLN_EIO. */
typedef struct bln_memory_stream { unsigned char *bytes; size_t size, at; } bln_memory_stream;
BLN_API bln_writer bln_memory_writer(bln_memory_stream *m, void *bytes, size_t size);
BLN_API bln_reader bln_memory_reader(bln_memory_stream *m, const void *bytes, size_t size, bln_report *report);

/* ---------------------------------------------------------------- src/math/special.h */
/* >>special - scalar special functions
 *
 * Errors are given in ulp (units in the last place) or relative. They are the largest seen against 50 digits at 10^4 or more points
 * of the whole range, its ends, and on both sides of every place where the formula changes, rounded up; with gcc, clang and
 * tcc, with and without fused multiply-add, and on x87. 0.65 ulp means: correctly rounded but for close calls. Results below
 * 2.2e-308 are good to a unit of their last bit.
 * All functions are pure: no state, no errno that matters, no allocation, safe in threads. NaN gives NaN; so does an argument
 * outside the domain that is stated. Infinite arguments give the limit. The C library is asked for exp, expm1, log, log1p, sqrt
 * and ldexp only; its rounding enters the first five functions and the incomplete ones.
 * Times: of a 3 GHz core. Those above 0.4 us run loops, whose length is said */

/* log(1 + e^x), log(1 - e^-a) for a >= 0 (-inf at 0), log(p/(1 - p)) for p of [0, 1] (-inf and +inf at the ends): 1.6 ulp where
 * the C library's exp, expm1, log, log1p are good to 0.52, 2 ulp where to 1; also at their roots. 1/(1 + e^-x): 0.55 ulp.
 * [spec/likelihoods.md L2-L4; Maechler 2012]   10-30 ns */
BLN_API double bln_log1pexp(double x);
BLN_API double bln_log1mexp(double a);
BLN_API double bln_sigmoid(double x);
BLN_API double bln_logit(double p);

/* log sum_i e^{x_i}, shifted by the maximum, which is taken out of the sum. n = 0 or all -inf: -inf; any +inf: +inf; NaN is
 * passed on. Error at most 2 eps (|max| + |result - max|) + n eps, eps = 2^-52. */
BLN_API double bln_logsumexp(size_t n, const double *x);

/* The error function: erf x = 2/sqrt(pi) int_0^x e^(-t^2) dt; erfc = 1 - erf; erfcx = e^(x^2) erfc x; and the inverses:
 * erf(erfinv y) = y for y of [-1, 1], erfc(erfcinv y) = y for y of [0, 2], infinite at the ends.   0.65 ulp, tails included;
 * erfinv below 1e-300: 0.85   [Cody 1969; Wichura 1988, and one step of Newton's method]   60-150 ns */
BLN_API double bln_erf(double x);
BLN_API double bln_erfc(double x);
BLN_API double bln_erfcx(double x);
BLN_API double bln_erfinv(double y);
BLN_API double bln_erfcinv(double y);

/* Standard normal distribution: density N(x), its logarithm, P(Z <= x), P(Z > x), log P(Z <= x), the inverse Mills ratio
 * N(x)/P(Z <= x) (about -x to the left, where both underflow), and the quantile x with P(Z <= x) = p, which is -inf at 0, +inf
 * at 1 and NaN outside [0, 1].   0.65 ulp, tails included   [spec/likelihoods.md L5; Wichura 1988]   40-200 ns */
BLN_API double bln_norm_pdf(double x);
BLN_API double bln_norm_logpdf(double x);
BLN_API double bln_norm_cdf(double x);
BLN_API double bln_norm_sf(double x);
BLN_API double bln_norm_logcdf(double x);
BLN_API double bln_norm_mills(double x);
BLN_API double bln_norm_quantile(double p);

/* log Gamma(x), its first and its second derivative, x >= 0: +inf, -inf, +inf at 0. 0.65 ulp (log Gamma at its roots 1 and 2
 * too, and above 2.55e305: 1); digamma or 1e-18, whichever is more: it matters within 0.01 of the root 1.4616.
 * [DLMF 5.5, 5.11, 5.15]   70-250 ns */
BLN_API double bln_lgamma(double x);
BLN_API double bln_digamma(double x);
BLN_API double bln_trigamma(double x);

/* log Gamma(x + 1/2) - log Gamma(x), x >= 0, -inf at 0; log Gamma(a + x) - log Gamma(a), a > 0, x >= 0, relative for small x too;
 * log n!/(k! (n - k)!) for real 0 <= k <= n <= 1e300, factorials as Gamma functions. 1 ulp, or 1e-18 (times x, k, n - k where one
 * of them is less than 1), whichever is more: the latter near roots inside the range.         [spec/likelihoods.md L6, L7]
 * 300-500 ns */
BLN_API double bln_lgamma_half_diff(double x);
BLN_API double bln_log_rising(double a, double x);
BLN_API double bln_log_choose(double n, double k);

/* Incomplete gamma functions, the distribution function of a gamma variable of shape a of [1e-290, 1e290] and scale 1, x >= 0:
 *     P = 1/Gamma(a) int_0^x t^(a-1) e^-t dt,   Q = 1 - P
 * and the x of a given P or Q of [0, 1], 0 and infinite at the ends. Relative error 4e-15 for both P and Q, however small (2.3e-15
 * seen, at a <= 500; 1e-15 beyond). The inverses x: 2 ulp, and as if the smaller of p and 1 - p was off by 4e-15 of itself (1.2e-15
 * seen, down to p = 1e-300); a result too small for a double is 0.
 * 0.1-0.6 us: up to 150 terms, at x = a = 500. The inverses solve: 5 evaluations, 1-3 us; never more than 200.
 * [DLMF 8.7-8.12; Temme 1979; inverses: Newton on log P against log x] */
BLN_API double bln_gamma_p(double a, double x);
BLN_API double bln_gamma_q(double a, double x);
BLN_API double bln_gamma_p_inv(double a, double p);
BLN_API double bln_gamma_q_inv(double a, double q);

/* Incomplete beta functions, the distribution function of a beta variable, a, b of [1e-290, 1e290], x of [0, 1]:
 *     P = I_x(a, b) = 1/B(a, b) int_0^x t^(a-1) (1 - t)^(b-1) dt,   Q = 1 - P = I_{1-x}(b, a)
 * and the x of a given P or Q of [0, 1]. Relative error 4e-15 for both (1.4e-15 seen for a, b <= 1e6), 1e-14 where both a and b are
 * beyond 1e6, and 1e-22 sqrt(min(a, b)) more, as the distance of x from the mean is formed with 78 bits. The inverses as those of
 * gamma; where x is closer to 1 than 1e-16 ask for 1 - x by exchanging a and b, P and Q.
 * 0.4-1.5 us: around the mean some 6 sqrt(min(a, b)) steps of 10 ns, at most 0.4 million, as from 3e9 on the normal limit is
 * taken; twice that where both tails have a fraction of their own. The inverses solve: 5 evaluations, never more than 200.
 * [DiDonato & Morris 1992; DLMF 8.17, 8.18] */
BLN_API double bln_beta_p(double a, double b, double x);
BLN_API double bln_beta_q(double a, double b, double x);
BLN_API double bln_beta_p_inv(double a, double b, double p);
BLN_API double bln_beta_q_inv(double a, double b, double q);

/* Student's distribution with any dof >= 1e-290, infinite included (the normal one): density
 *     Gamma((dof + 1)/2)/(Gamma(dof/2) sqrt(pi dof)) (1 + t^2/dof)^(-(dof + 1)/2),
 * its logarithm, P(T <= t) and the quantile; P(T > t) is the cdf at -t. pdf and logpdf 0.65 ulp (the logarithm: or 1e-18); cdf
 * 4e-15 (1e-15 seen), relative, for t < 0 however small; the quantile as the inverse functions above (it takes the smaller tail).
 * 0.4-1 us; the quantile solves: 5 evaluations, 5 us */
BLN_API double bln_student_pdf(double dof, double t);
BLN_API double bln_student_logpdf(double dof, double t);
BLN_API double bln_student_cdf(double dof, double t);
BLN_API double bln_student_quantile(double dof, double p);

/* ---------------------------------------------------------------- src/math/cpu.h */
/* >>cpu - which instruction set the kernels use
 *
 * The kernels of >>blas, the functions of >>vecmath, >>hadamard and the normals of >>rng exist at up to three levels: 0 portable
 * C99; 1 AVX2 and FMA, or NEON on 64-bit ARM; 2 AVX-512F. Levels 1 and 2 are compiled on x86-64 and little-endian AArch64 by
 * compilers that understand GNU attributes, whatever their -m flags, unless BAYESLIN_MAX_LEVEL forbids them (default 2), and used
 * when the machine has them. Results differ between levels by the order of summation and by fused rounding only; the normals not
 * at all. */

/* The level in use: 0, 1 or 2. The first call asks the machine. */
BLN_API int bln_cpu_level(void);

/* Uses `level`, or the highest below it that was compiled and that the machine has; a negative level goes back to the machine's
 * best. Returns the level now in use. For tests and comparisons: it holds for the whole program (for one file under
 * BAYESLIN_STATIC), so that no other thread should be computing. */
BLN_API int bln_cpu_level_force(int level);

/* ---------------------------------------------------------------- src/math/vecmath.h */
/* >>vecmath - elementary functions over arrays
 *
 * At each level of >>cpu. Largest errors in ulp (units in the last place): promised, and in brackets seen at over a million random
 * points in each of several ranges, which the promise includes together with subnormal results. Nanoseconds an element on one
 * busy 2.5 GHz core with a single 512-bit multiplier, where exp, log, tanh and the sine with the cosine of the C library took 6, 6,
 * 21 and 21:
 *
 *                   ulp, level 0    ulp, levels 1, 2    ns, level 0      1      2
 *     sin and cos   1.5   (1.44)    1.3       (1.16)            6.4    2.0    1.3
 *     exp           1.1   (0.98)    1.1       (1.02)            9.4    2.1    1.0
 *     log           0.9   (0.83)    0.9       (0.83)            6.0    1.9    1.5
 *     tanh          2.8   (2.52)    2.8       (2.64)            8.6    2.2    1.5
 *     sigmoid       2.5   (2.30)    2.5       (2.30)            9.9    2.5    1.4
 *     log1pexp      1.9   (1.62)    1.9       (1.68)             22    5.8    3.1
 *     lgamma        4.5   (3.92)    4.5       (3.92)             31     10    6.1
 *
 * Level 0 gives the same bits with every compiler on every machine whose doubles are plain (FLT_EVAL_METHOD 0 or 1), and asks
 * nothing of the C library but fmod, which is exact; under BAYESLIN_REPRODUCIBLE whatever the flags. The scalar functions of
 * >>special are more accurate.
 *
 * n = 0 does nothing. y may be x itself, else there is no overlap. NaN gives NaN, infinities the limit. Nothing can fail. */

/* y_i = e^x_i; log x_i, -inf at both zeros, NaN below; tanh x_i; 1/(1 + e^-x_i); log(1 + e^x_i); i < n. Relative, also where
 * tanh, sigmoid and log1pexp are small, and for the logarithm next to 1. */
BLN_API void bln_vec_exp(size_t n, const double *x, double *y);
BLN_API void bln_vec_log(size_t n, const double *x, double *y);
BLN_API void bln_vec_tanh(size_t n, const double *x, double *y);
BLN_API void bln_vec_sigmoid(size_t n, const double *x, double *y);
BLN_API void bln_vec_log1pexp(size_t n, const double *x, double *y);

/* y_i = log Gamma(x_i), x_i >= 0: +inf at both zeros, NaN below; relative next to its roots 1 and 2 too, where it is 0. */
BLN_API void bln_vec_lgamma(size_t n, const double *x, double *y);

/* s_i = sin(pi/2 z_i), c_i = cos(pi/2 z_i): the angle comes in quarter turns, so that its reduction is exact for every size. Fold
 * 2/pi into what makes the angle. Exact at whole quarter turns; |s_i|, |c_i| <= 1; infinities give NaN. s or c may be z itself,
 * else no overlap. */
BLN_API void bln_sincos_quarter(size_t n, const double *z, double *s, double *c);

/* ---------------------------------------------------------------- src/math/hadamard.h */
/* >>hadamard - the fast Walsh-Hadamard transform */

/* V = H V in place, H_jk = (-1)^(ones of j & k in binary): Sylvester's n x n Hadamard matrix in natural order, not normalised. H is
 * symmetric and H H = n I, so that the transform is its own inverse up to the factor n, and |H v|^2 = n |v|^2.   (B26)
 *
 *   V    n x m, row stride ldv >= m    in, out: each column is a vector of its own
 *
 * n a power of 2, or 0. n m log2(n) additions and nothing else, in the same order at every level (>>cpu): the same bits. Error of
 * an entry at most gamma_{log2 n} times the sum of the sizes of its column. Fast where m is a multiple of 8 and ldv = m. Nothing is
 * allocated.   BLN_EINVAL: n is another number, or ldv < m; V stays as it was. */
BLN_API bln_status bln_hadamard(size_t n, size_t m, double *V, size_t ldv);

/* ---------------------------------------------------------------- src/math/blas.h */
/* >>blas - dense kernels
 *
 * Under BAYESLIN_USE_CBLAS gemv, gemm, syrk, trsm and trsv call a BLAS; what follows then holds as far as that BLAS keeps it.
 *
 * Matrices are row-major (pointer, row stride ld >= columns). Symmetric matrices live in their UPPER triangle; the rest is neither
 * read nor written. Sizes may be 0. Outputs must not overlap inputs. beta = 0 writes without reading, so that the
 * output may start as anything, NaN included; alpha = 0 or an inner size of 0 leaves beta C and reads neither A nor B. Nothing is
 * allocated, nothing can fail. gemm and syrk use 64 KiB of stack for packing, and for products of more than a million
 * multiplications BAYESLIN_STACK bytes, if that is more. Rounding differs from the definition by the order of summation (and fused
 * multiply-adds, see >>cpu) only: |error| <= gamma_{k+3} (|alpha| |A| |B| + |beta C|) for inner size k [Higham 2002, (3.5)]. An
 * entry of a product is the same sum in the same order whatever the other sizes are. */

typedef enum bln_trans { BLN_NOTRANS = 0, BLN_TRANS = 1 } bln_trans;

/* x'y;  y += alpha x;  x *= alpha */
BLN_API double bln_dot(size_t n, const double *x, const double *y);
BLN_API void   bln_axpy(size_t n, double alpha, const double *x, double *y);
BLN_API void   bln_scal(size_t n, double alpha, double *x);

/* y = alpha op(A) x + beta y.   A: m x n.  op = BLN_NOTRANS: x n, y m;  BLN_TRANS (A'): x m, y n.   2 m n flops */
BLN_API void bln_gemv(bln_trans op, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x,
                      double beta, double *y);

/* C = alpha op(A) op(B) + beta C.   C: m x n, inner size k; A is m x k, or k x m if opa = BLN_TRANS; B is k x n, or n x k.
 * 2 m n k flops */
BLN_API void bln_gemm(bln_trans opa, bln_trans opb, size_t m, size_t n, size_t k, double alpha, const double *A, size_t lda,
                      const double *B, size_t ldb, double beta, double *C, size_t ldc);

/* Upper triangle of C = alpha A A' + beta C (BLN_NOTRANS, A: n x k)  or  alpha A'A + beta C (BLN_TRANS, A: k x n).   n^2 k flops */
BLN_API void bln_syrk(bln_trans op, size_t n, size_t k, double alpha, const double *A, size_t lda,
                      double beta, double *C, size_t ldc);

/* Copies the upper triangle of an n x n matrix onto the lower one. */
BLN_API void bln_symmetrise(size_t n, double *A, size_t lda);

/* ---------------------------------------------------------------- src/math/cholesky.h */
/* >>cholesky - factorisation of symmetric positive definite matrices, and what follows from it
 *
 * The factor is upper: A = U'U, in the upper triangle; what lies below the diagonal is neither read nor written.
 * Conventions of >>blas; nothing is allocated; at most 40 KiB of stack beside those of bln_gemm. Blocks of rows multiply by
 * 1/U_ii, which must not overflow (it cannot in a factor). Bounds on the residuals are those of Higham 2002, chapters 8, 10 and 14:
 * a few n eps times |U'||U|, |U||X|, |U||V|. */

/* A = U'U in place.   n^3/3 flops.
 * BLN_ENOTPD: pivot *bad (0-based) is not > 0, or not finite; the triangle is then unspecified. bad may be NULL. */
BLN_API bln_status bln_potrf(size_t n, double *A, size_t lda, size_t *bad);

/* The same for a matrix that is positive definite but for rounding: on failure retries with A + tau I, tau = 10^k n eps max_i A_ii,
 * k = 0..6 (spec/slm.md S20). A keeps the input in its strict LOWER triangle and diagonal in diag[n] between the tries, so both
 * triangles are overwritten (the strict lower one then holds the input still, and diag its diagonal).
 * *tau: what was added, 0 normally.
 * BLN_ENOTPD: not positive definite with the largest tau either (which is *tau), or no diagonal entry > 0, or one infinite. */
BLN_API bln_status bln_potrf_jitter(size_t n, double *A, size_t lda, double *diag, double *tau);

/* Solve op(U) X = B in place; B: n x m -> X.  op = BLN_NOTRANS: U X = B;  BLN_TRANS: U'X = B.   n^2 m flops
 * A zero on the diagonal makes infinities and NaN. */
BLN_API void bln_trsm(bln_trans op, size_t n, size_t m, const double *U, size_t ldu, double *B, size_t ldb);

/* The same for one vector. */
BLN_API void bln_trsv(bln_trans op, size_t n, const double *U, size_t ldu, double *x);

/* x <- (U'U)^-1 x. */
BLN_API void bln_potrs(size_t n, const double *U, size_t ldu, double *x);

/* U <- U^-1 in place (upper triangular).   n^3/3 flops, exploiting the triangle */
BLN_API void bln_trtri(size_t n, double *U, size_t ldu);

/* C = V V' for upper triangular V (V = U^-1 gives C = (U'U)^-1); upper triangle of C. C may be V itself.   n^3/3 flops */
BLN_API void bln_lauum(size_t n, const double *V, size_t ldv, double *C, size_t ldc);

/* log det(U'U) = 2 sum_i log U_ii. */
BLN_API double bln_logdet_factor(size_t n, const double *U, size_t ldu);

/* Estimate of the condition number of U'U in the 2-norm, from the diagonal: (max U_ii / min U_ii)^2, a lower bound; 1 if n = 0.
 * O(n) */
BLN_API double bln_condition_factor(size_t n, const double *U, size_t ldu);

/* Woodbury: x <- (diag(p) + A'A)^-1 x for A: n x D with n < D, through the n x n matrix  K = I + A diag(1/p) A':
 *     (P + A'A)^-1 = P^-1 - P^-1 A' K^-1 A P^-1,     log det(P + A'A) = sum log p_i + log det K
 * p: D entries > 0.  U: the n x n factor of K, written by bln_woodbury_factor and read by bln_woodbury_solve.
 * logdet: log det(P + A'A); NULL to skip it.  work: n doubles.   n^2 D + n^3/3 flops to factor, 4 n D + 2 n^2 to solve
 * BLN_EDOMAIN: p_i not > 0, or infinite.  BLN_ENOTPD: K not positive definite (overflow or NaN in A). */
BLN_API bln_status bln_woodbury_factor(size_t n, size_t D, const double *p, const double *A, size_t lda, double *U, size_t ldu,
                                       double *logdet);
BLN_API void bln_woodbury_solve(size_t n, size_t D, const double *p, const double *A, size_t lda, const double *U, size_t ldu,
                                double *x, double *work);

/* ---------------------------------------------------------------- src/math/qr.h */
/* >>qr - orthogonal factorisation, least squares, triangular factors that rows are added to and taken from
 *
 *     A = Q R,  Q'Q = I,  R upper triangular with a diagonal >= 0:  the factor of A'A = R'R without A'A, whose condition is the
 *     square of A's
 *
 * Conventions of >>blas; nothing is allocated, workspace is the caller's and starts as anything. No square overflows or underflows:
 * columns of any size, 1e-300 or 1e300, keep their digits as long as their norm is a double. NaN and infinities spread.
 *
 * Errors: the computed R (m x n, by k reflections) is the exact one of A + E with |E_j| <= gamma |A_j| for each column j by
 * itself, gamma = c k m eps, c a small number; in practice a few sqrt(k) eps. So neither the units of a column nor those of the
 * whole matter. Applying Q or Q' to a column b is exact for b + e, |e| <= gamma |b|. Adding n x n and k x n rows is the case m =
 * n + k.   [Higham 2002, Lemmas 19.2, 19.3, Theorem 19.4, section 19.6 for rotations] */

/* A (m x n) = Q R in place. R: upper triangle, or trapezoid if m < n. Below it, and in tau (min(m, n) of them), Q in the form
 *     Q = H_0 H_1 ... H_{k-1} D,  k = min(m, n),  H_j = I - |tau_j| v_j v_j',  v_j = (0, .., 0, 1, column j of A below the
 *     diagonal),  D_jj = -1 where tau_j < 0, else 1
 * work: bln_geqrf_work(m, n) doubles.   2 m n^2 - 2 n^3/3 flops for m >= n */
BLN_API void   bln_geqrf(size_t m, size_t n, double *A, size_t lda, double *tau, double *work);
BLN_API size_t bln_geqrf_work(size_t m, size_t n);

/* C <- Q C (BLN_NOTRANS) or Q'C (BLN_TRANS), C: m x p; Q as bln_geqrf left its first k columns in A (m x k, k <= m) and tau. The
 * first k columns of Q itself are Q times those of the identity.
 * work: bln_ormqr_work(m, p, k) doubles.   4 m p k - 2 p k^2 flops */
BLN_API void   bln_ormqr(bln_trans op, size_t m, size_t p, size_t k, const double *A, size_t lda, const double *tau, double *C,
                         size_t ldc, double *work);
BLN_API size_t bln_ormqr_work(size_t m, size_t p, size_t k);

/* Least squares: the X (n x p) with the smallest |B_c - A X_c| for each column c of B (m x p), m >= n. A becomes its
 * factorisation, tau as above (n); the first n rows of B become X. residual[c] = |B_c - A X_c|; NULL to skip it.
 * X is exact for an A + E as above, B + e (Theorem 20.3): the condition of A counts, its square only times the residual.
 * work: bln_gels_work(m, n, p) doubles.
 * BLN_ESHAPE: m < n, nothing is written.  BLN_EUNDEFINED: column *bad of A depends on those before it, R_jj <= m eps |A_j| (or is
 * NaN); A is factorised and B holds Q'B then. bad may be NULL. */
BLN_API bln_status bln_gels(size_t m, size_t n, size_t p, double *A, size_t lda, double *tau, double *B, size_t ldb,
                            double *residual, double *work, size_t *bad);
BLN_API size_t     bln_gels_work(size_t m, size_t n, size_t p);

/* R (n x n, upper) <- the R of [R; A], A: k x n, which is overwritten: so that R'R grows by A'A. With A the R of other rows, this
 * merges two factors [Demmel et al. 2012]. The zeros of R stay out of it.
 * work: bln_tpqrt_work(n, k) doubles.   2 k n^2 flops */
BLN_API void   bln_tpqrt(size_t n, size_t k, double *R, size_t ldr, double *A, size_t lda, double *work);
BLN_API size_t bln_tpqrt_work(size_t n, size_t k);

/* R'R <- R'R + x x' by n rotations; R: n x n upper, with m >= 0 more columns to its right (R: n x (n + m)) that are rotated along.
 *   x   n + m, is overwritten; its last m entries are what is left of it below R: with the targets as one more column, z, and
 *       rho the norm of the residual, hypot(rho, x[n]) is the new one.       [Golub & Van Loan 2013, 6.5.4; LINPACK dchud]
 * 3 n^2 flops */
BLN_API void bln_chud(size_t n, size_t m, double *R, size_t ldr, double *x);

/* R'R <- R'R - x x', where x' is a row that was added before: the rotations that turn (p, sqrt(1 - p'p)), p = R^-T x, into e_n
 * [Stewart 1979; LINPACK dchdd]. R, m and x as above: sqrt(rho^2 - x[n]^2) is the new norm.
 *   *left   1 - p'p, one less the leverage of the row: what remains of R'R in the direction that loses most. Relative errors of
 *           R'R grow up to 1/left times there. May be NULL.
 * work: 2 n doubles.   4 n^2 flops
 * BLN_ENOTPD: not left > least (which is >= 0): no such row is in R, or nothing would remain that rounding has not spoiled. R is
 * as it was then, x is not. */
BLN_API bln_status bln_chdd(size_t n, size_t m, double *R, size_t ldr, double *x, double least, double *left, double *work);

/* ---------------------------------------------------------------- src/math/exact.h */
/* >>exact - arithmetic in three doubles, for problems whose condition eats up sixteen digits
 *
 * The sum of products X'X squares the condition of X: NIST's Filip (degree 10, scaled condition of X'X 2.7e19) has no digit left in
 * double and eleven in double-double. In three doubles (about 2^-155) every such problem keeps more digits than its answer can
 * show. All by error-free transformations (Dekker 1971; Ogita, Rump & Oishi 2005: sums as if in K-fold precision), without
 * fused multiply-add, safe from contraction; needs double arithmetic that rounds to double (FLT_EVAL_METHOD 0), see
 * bln_exact_available. */
typedef struct bln_exact { double v[3]; } bln_exact;      /* v[0] + v[1] + v[2], each a rounding error of the one before */

/* 1 where arithmetic is exact as it must be; 0 on x87, where callers fall back to double. */
BLN_API int bln_exact_available(void);

/* From a double, and back: rounded to the nearest but for ties. */
BLN_API bln_exact bln_exact_of(double x);
BLN_API double    bln_exact_double(bln_exact a);

/* Relative error of each below 2^-150. a/0 is as for doubles; the root of a < 0 is NaN. */
BLN_API bln_exact bln_exact_add(bln_exact a, bln_exact b);
BLN_API bln_exact bln_exact_sub(bln_exact a, bln_exact b);
BLN_API bln_exact bln_exact_mul(bln_exact a, bln_exact b);
BLN_API bln_exact bln_exact_div(bln_exact a, bln_exact b);
BLN_API bln_exact bln_exact_sqrt(bln_exact a);

/* a + sign x y of numbers x = xh + xl, y = yh + yl given to twice double precision; sign is 1 or -1. */
BLN_API bln_exact bln_exact_add_product(bln_exact a, double sign, double xh, double xl, double yh, double yl);

/* A = U'U in place, upper triangle of n x n, row-major with stride lda; as bln_potrf. Pivots up to `noise` times the diagonal they
 * started from count as 0: returns n on success, else the index of the failing pivot. n^3/6 multiplications of about 300 flops */
BLN_API size_t bln_exact_potrf(size_t n, bln_exact *A, size_t lda, double noise);

/* x <- U^-T x (trans != 0) or U^-1 x. */
BLN_API void bln_exact_trsv(int trans, size_t n, const bln_exact *U, size_t ldu, bln_exact *x);

/* U <- U^-1 in place (upper triangle). */
BLN_API void bln_exact_trtri(size_t n, bln_exact *U, size_t ldu);

/* ---------------------------------------------------------------- src/random/rng.h */
/* >>rng - random bits, uniforms and normals
 *
 * xoshiro256++ (Blackman & Vigna 2021), streams by SplitMix64 (spec/samplers.md R1-R3). The bit streams below will never change;
 * samplers built on them may, with a note in the history. Each generator is a value: copy it to fork it, keep one a thread. */

typedef struct bln_rng { uint64_t s[4]; } bln_rng;

/* Stream `stream` of seed `seed`: distinct streams of one seed never share a start.   (R3) */
BLN_API void bln_rng_seed(bln_rng *rng, uint64_t seed, uint64_t stream);

/* The next 64 random bits. */
BLN_API uint64_t bln_rng_next(bln_rng *rng);

/* Advances by 2^128 (jump) or 2^192 (long jump) steps: provably disjoint sequences. */
BLN_API void bln_rng_jump(bln_rng *rng);
BLN_API void bln_rng_long_jump(bln_rng *rng);

/* Uniform on the open interval (0,1): (k + 1/2) 2^-52, never 0 or 1.   (R2) */
BLN_API double bln_rng_uniform(bln_rng *rng);

/* Uniform integer in 0..n-1 without bias (Lemire 2019); n = 0 gives 0 and draws nothing. */
BLN_API uint64_t bln_rng_below(bln_rng *rng, uint64_t n);

/* Standard normal and standard exponential, by 256-layer ziggurats; never 0. One word in 98 of 100 draws.   (R5, R6)
 * For single draws inside other samplers, where a fill would make the numbers depend on how many are asked for at a time. */
BLN_API double bln_rng_normal(bln_rng *rng);
BLN_API double bln_rng_exponential(bln_rng *rng);

/* Fills. The uniforms are those of n calls of bln_rng_uniform. The normals come by Box-Muller in 8 interleaved lanes seeded
 * from the next 32 words of rng, with + - * / sqrt and integer operations only, so that every IEEE machine, compiler flag and
 * level of >>cpu draws the same bits (but x87 registers, FLT_EVAL_METHOD 2); they differ from those of bln_rng_normal and reach
 * to 8.49 sigma (beyond which lie 2e-17 of the distribution). A fill of n is the beginning of a fill of more from the same
 * state, and rng advances by those 32 words whatever n is: a fill of a few costs as much as one of 20 or so. A normal of a long
 * fill takes 1.4, 0.8 and 0.55 times as long as bln_rng_normal at the levels 0, 1 and 2. */
BLN_API void bln_rng_uniforms(bln_rng *rng, size_t n, double *out);
BLN_API void bln_rng_normals(bln_rng *rng, size_t n, double *out);

/* A random permutation of 0..n-1 (Fisher-Yates).   (spec/optimisers.md O2) */
BLN_API void bln_rng_permutation(bln_rng *rng, size_t n, size_t *out);

/* ---------------------------------------------------------------- src/random/distributions.h */
/* >>distributions - samplers of continuous variables on top of >>rng
 *
 * Every sampler is exact but for the rounding of doubles and the grain of 2^-52 of a uniform: none draws from an approximation
 * of its distribution. Standard forms: for another location m and scale s take m + s x. An argument outside its domain gives
 * NaN and draws nothing; so does NaN. */

/* Gamma(shape, rate 1), shape > 0: Marsaglia & Tsang (2000); shapes below 1 by Gamma(shape + 1) U^{1/shape} in logs, so that
 * the log form never underflows (spec/samplers.md R7). shape not > 0: NaN. */
BLN_API double bln_rng_gamma(bln_rng *rng, double shape);
BLN_API double bln_rng_log_gamma(bln_rng *rng, double shape);

/* chi-square with nu > 0 degrees of freedom: 2 Gamma(nu/2). nu not > 0: NaN. */
BLN_API double bln_rng_chi2(bln_rng *rng, double nu);

/* Inverse gamma, density b^a/Gamma(a) x^{-a-1} e^{-b/x}, as scale/Gamma(shape).   (R7)
 * 0 < shape < inf, 0 <= scale < inf. scale = 0 gives 0. Shapes below 0.05 bring draws beyond the largest double: +inf. */
BLN_API double bln_rng_inverse_gamma(bln_rng *rng, double shape, double scale);

/* Beta(a, b), density x^{a-1} (1-x)^{b-1}/B(a, b), as G/(G + H) from two gammas, in logs unless both shapes are >= 1.   (R8)
 * 0 <= a, b < inf, not both 0. a = 0 gives 0, b = 0 gives 1; positive shapes below 1e-300 count as 1e-300.
 * Small shapes put mass nearer to 0 and 1 than doubles can be: these are returned then. The log form, *log_x = log x and *log_1mx =
 * log(1 - x) of one draw, keeps it; it takes the same random bits as the plain one. Outside the domain both are NaN. */
BLN_API double bln_rng_beta(bln_rng *rng, double a, double b);
BLN_API void bln_rng_log_beta(bln_rng *rng, double a, double b, double *log_x, double *log_1mx);

/* Student-t with nu > 0 degrees of freedom, N/sqrt(Gamma(nu/2)/(nu/2)).   (R9)
 * nu = inf: normal. Draws beyond the largest double, which nu below 0.05 brings, are infinite. */
BLN_API double bln_rng_student_t(bln_rng *rng, double nu);

/* Cauchy, density 1/(pi (1 + x^2)); its absolute value; Laplace, density e^{-|x|}/2.   (R9)
 * The first two come from one uniform: they reach to 3e15 and 6e15, beyond which lie 2e-16 and 1e-16 of the distribution. */
BLN_API double bln_rng_cauchy(bln_rng *rng);
BLN_API double bln_rng_half_cauchy(bln_rng *rng);
BLN_API double bln_rng_laplace(bln_rng *rng);

/* Inverse Gaussian, density sqrt(lambda/(2 pi x^3)) e^{-lambda (x - mu)^2/(2 mu^2 x)}: mean mu, variance mu^3/lambda; by Michael,
 * Schucany & Haas (1976), without cancellation at any mu/lambda.   (R-IG)
 * mu, lambda >= 0. mu = 0 or lambda = 0 gives 0, lambda = inf gives mu; mu = inf gives the Levy distribution lambda/N^2. */
BLN_API double bln_rng_inverse_gaussian(bln_rng *rng, double mu, double lambda);

/* The standard normal given a <= x <= b, from any part of it: Robert (1995); 0.49 or more of the proposals are accepted.   (R15)
 * Either bound may be infinite; the draw lies in [a, b]; a = b gives it. a > b: NaN. For N(m, s^2) take m + s x with the bounds
 * (a - m)/s and (b - m)/s; the rounding of that may lead past a bound by an ulp. */
BLN_API double bln_rng_truncated_normal(bln_rng *rng, double a, double b);

/* ---------------------------------------------------------------- src/random/discrete.h */
/* >>discrete - samplers of counts and of categories
 *
 * Counts are whole numbers in doubles, as targets y are; beyond 2^53 they are rounded to doubles. Samplers are exact but for
 * rounding and the grain of 2^-52 of a uniform. An argument outside its domain gives NaN (instead of a category: BLN_NONE) and
 * draws nothing; so does NaN. Times are of one core of an x86 server. */

/* Poisson(mu): products of uniforms below 10, PTRS (Hoermann 1993) up to 1e15, beyond it a normal with one term of Cornish & Fisher
 * (1937), whose error in the distribution function is below 1e-15.   (R10)   3 to 50 ns
 * mu >= 0. mu = 0 gives 0, mu = inf gives inf. */
BLN_API double bln_rng_poisson(bln_rng *rng, double mu);

/* Binomial(n, p), the successes in n trials: by waiting times where the rarer outcome is expected less than 10 times, elsewhere by
 * BTRS (Hoermann 1993).   (R11)   10 to 100 ns
 * n: a whole number in 0..2^53; 0 <= p <= 1. n = 0 or p = 0 gives 0, p = 1 gives n. */
BLN_API double bln_rng_binomial(bln_rng *rng, double n, double p);

/* Negative binomial, P(k) = Gamma(k + r)/(k! Gamma(r)) p^k (1 - p)^r: mean r p/(1 - p), variance r p/(1 - p)^2, as
 * Poisson(Gamma(r) p/(1 - p)). p is the probability of what is counted (many libraries call it 1 - p), r need not be whole.   (R12)
 * 0 <= r < inf, 0 <= p < 1. r = 0 or p = 0 gives 0. */
BLN_API double bln_rng_negative_binomial(bln_rng *rng, double r, double p);

/* Geometric, P(k) = (1 - p) p^k: the negative binomial of r = 1, from one exponential. 0 <= p < 1; p = 0 gives 0.   (R12) */
BLN_API double bln_rng_geometric(bln_rng *rng, double p);

/* Category i of 0..K-1 with probability e^{log_weights[i]}/sum. -inf is weight 0; a common shift cancels.   (R14)
 * BLN_NONE: K = 0, a weight of NaN or +inf, or all -inf. O(K), 2 exps a category: for many draws take the table below. */
BLN_API size_t bln_rng_categorical(bln_rng *rng, size_t K, const double *log_weights);

/* A table for many draws from the same weights, in O(K), and a draw in O(1): cell i of K, all alike, gives i with probability
 * keep[i] and category other[i] else (Walker 1977, Vose 1991). keep, other: K each, written by _build, read by bln_rng_alias. The
 * probabilities of the table are those of the weights within K eps; weight 0 stays 0.   (R14)   5 ns a draw
 * BLN_EINVAL: K = 0, an array of NULL.  BLN_EDATA: a weight of NaN or +inf (its index as row).  BLN_EDOMAIN: all weights are
 * -inf. */
BLN_API bln_status bln_alias_build(size_t K, const double *log_weights, double *keep, size_t *other, bln_report *report);
BLN_API size_t bln_rng_alias(bln_rng *rng, size_t K, const double *keep, const size_t *other);

/* Multinomial: counts[i] of n trials fall on category i of 0..K-1, which has probability weights[i]/sum; by binomials.   (R13)
 * n: a whole number in 0..2^53. weights: K entries >= 0. counts: K; no overlap.
 * BLN_EDOMAIN: n outside its domain; a weight negative or NaN (its index as row); their sum infinite or, unless n = 0, zero.
 * Nothing is drawn then, and counts is unspecified.  BLN_EINVAL: NULL. */
BLN_API bln_status bln_rng_multinomial(bln_rng *rng, double n, size_t K, const double *weights, double *counts, bln_report *report);

/* ---------------------------------------------------------------- src/random/multivariate.h */
/* >>multivariate - samplers of vectors
 *
 * n draws become the rows of X, n x D with row stride ldx >= D; the padding stays as it was. Row i is what the i-th of n calls
 * for one draw would give, but for rounding. Nothing is allocated. A call that fails draws and writes nothing. No overlap. */

/* Normal vectors x ~ N(mean, Sigma), from the factor of the covariance, Sigma = U'U (bln_potrf), or of the precision,
 * Sigma^-1 = U'U; no matrix is inverted:   (spec/samplers.md R16)
 *
 *     bln_rng_mvnormal               x = mean + U' eps          n D^2 flops
 *     bln_rng_mvnormal_precision     x = mean + U^-1 eps        n D^2 flops
 *
 * mean: D entries; NULL for 0. U: D x D, upper triangle, stride ldu >= D; that of a covariance may have zeros on its diagonal,
 * which give draws in a subspace.
 * BLN_EINVAL: ldu or ldx below D.  BLN_ENOTPD: a diagonal entry of U is NaN or infinite or, of a precision, 0. */
BLN_API bln_status bln_rng_mvnormal(bln_rng *rng, size_t n, size_t D, const double *mean, const double *U, size_t ldu,
                                    double *X, size_t ldx);
BLN_API bln_status bln_rng_mvnormal_precision(bln_rng *rng, size_t n, size_t D, const double *mean, const double *U, size_t ldu,
                                              double *X, size_t ldx);

/* Student-t vectors: mean + sqrt(nu/chi2_nu) z with z as above for mean 0, one chi-square for the whole vector; the scale matrix S
 * is U'U or S^-1 is. The covariance is nu/(nu - 2) S where nu > 2; (x - mean)'S^-1 (x - mean)/D is F(D, nu).   (R16)
 * nu = inf: normal. Draws beyond the range of doubles, which nu below 0.05 brings, are infinite or, where U is singular, NaN.
 * BLN_EINVAL, BLN_ENOTPD: as above.  BLN_EDOMAIN: nu not > 0. */
BLN_API bln_status bln_rng_mvt(bln_rng *rng, size_t n, size_t D, double nu, const double *mean, const double *U, size_t ldu,
                               double *X, size_t ldx);
BLN_API bln_status bln_rng_mvt_precision(bln_rng *rng, size_t n, size_t D, double nu, const double *mean, const double *U,
                                         size_t ldu, double *X, size_t ldx);

/* Dirichlet vectors, density proportional to prod_k x_k^{alpha_k - 1} on sum_k x_k = 1: normalised gammas, in logs.   (R8)
 * alpha: D entries >= 0, not all 0; alpha_k = 0 gives x_k = 0; positive ones below 1e-300 count as 1e-300. D = 1 gives 1. The
 * second form writes log x_k, which small alpha do not make underflow; it takes the same random bits as the first.
 * BLN_EINVAL: ldx below D.  BLN_EDOMAIN: D = 0, or alpha_k negative, infinite or NaN, or all 0. */
BLN_API bln_status bln_rng_dirichlet(bln_rng *rng, size_t n, size_t D, const double *alpha, double *X, size_t ldx);
BLN_API bln_status bln_rng_log_dirichlet(bln_rng *rng, size_t n, size_t D, const double *alpha, double *X, size_t ldx);

/* ---------------------------------------------------------------- src/random/qmc.h */
/* >>qmc - quasi-random points: more even than independent ones                             [Niederreiter 1992; Joe & Kuo 2008]
 *
 * Points first, first + 1, ..., first + n - 1 of a sequence in (0,1)^d, one a row of U (n x d, stride ldu >= d), randomised by the
 * seed: each single point is uniform, so that a mean over any number of them is unbiased, and another seed is an independent
 * repetition. Coordinate j depends on the seed and j only, point i on i only: more points or more coordinates continue fewer.
 *
 *   sobol    the sequence of Sobol' (1967) with the direction numbers of Joe & Kuo (2008), in Gray code order (Antonov & Saleev
 *            1979), under a random linear scramble (Matousek 1998) and a digital shift. Of each aligned run of 2^m points exactly
 *            one lies in each of the 2^m equal intervals of every coordinate; take a power of 2 of them. d <= BLN_SOBOL_DIMENSIONS,
 *            first + n <= 2^52. About d (n + 2000) operations.
 *   halton   radical inverses in the first d primes (Halton 1960), shifted at random modulo 1 (Cranley & Patterson 1976). Any n,
 *            any d in principle; but from 20 coordinates or so on some thousands of points are needed to beat independent ones.
 *
 * Multiples of 2^-53 in the open interval (sobol), doubles within 2^-50 of the exact point (halton).
 * BLN_EOVERFLOW: too many coordinates, or points beyond the last.  BLN_ESHAPE: ldu < d.  Nothing is written then. */
enum { BLN_SOBOL_DIMENSIONS = 65 };

BLN_API bln_status bln_qmc_sobol(size_t d, uint64_t seed, uint64_t first, size_t n, double *U, size_t ldu);
BLN_API bln_status bln_qmc_halton(size_t d, uint64_t seed, uint64_t first, size_t n, double *U, size_t ldu);

/* ---------------------------------------------------------------- src/optim/transform.h */
/* >>transform - bounded parameters as unconstrained ones                                       [spec/optimisers.md, section 3]
 *
 *     kind                 domain       natural x of the free u                                slope dx/du
 *     BLN_PARAM_REAL       any          scale u                                                scale
 *     BLN_PARAM_POSITIVE   x > 0        e^u                                                    x                       (O17)
 *     BLN_PARAM_INTERVAL   lo < x < hi  lo + (hi-lo) sigma(4u/(hi-lo)), centred at u = 0       4 (x-lo)(hi-x)/(hi-lo)^2   (O18)
 *     BLN_PARAM_LOG        lo < x < hi  the same in log x: log x in (log lo, log hi), lo > 0   x times the slope in log x
 *
 * scale is the size that a step of x should have, so that a search does not depend on the units of x. The factor 4 gives the
 * interval forms slope 1 in the middle, so that a step means the same there as without bounds. */
typedef enum bln_param_kind { BLN_PARAM_REAL, BLN_PARAM_POSITIVE, BLN_PARAM_INTERVAL, BLN_PARAM_LOG } bln_param_kind;

typedef struct bln_param {
    bln_param_kind kind;
    double lo, hi;        /* of the interval kinds                             */
    double start;         /* where an optimisation begins, in the domain       */
    size_t group;         /* parameters of one group > 0 are alike (the length scales of one kernel): a search may first move
                             them together; 0: on its own                      */
    double scale;         /* of BLN_PARAM_REAL, >= 0                           (0: 1)  */
} bln_param;

/* BLN_EINVAL: no param, unknown kind, bounds out of order, lo, hi or hi - lo not finite, lo < DBL_MIN for BLN_PARAM_LOG, a start
 * outside the domain, a scale that is negative or not finite. The report has the reason in words. */
BLN_API bln_status bln_param_check(const bln_param *param, bln_report *report);

/* u of x, x of u, dx/du at u, for a param that passes the check; NaN is passed on, an unknown kind gives NaN.
 *   free      x outside the domain, or in the outer 1e-9 part of an interval (of log x for BLN_PARAM_LOG), is first moved to the
 *             edge of that part, and into [DBL_MIN, DBL_MAX] for BLN_PARAM_POSITIVE, so that the result is finite
 *   natural   never leaves [lo, hi], whose ends it reaches by rounding when u is large; u of e^u is clipped so that this stays
 *             within [DBL_MIN, DBL_MAX]
 *   slope     the derivative of that, 0 where u is clipped */
BLN_API double bln_param_free(const bln_param *param, double x);
BLN_API double bln_param_natural(const bln_param *param, double u);
BLN_API double bln_param_slope(const bln_param *param, double u);

/* ---------------------------------------------------------------- src/optim/lbfgs.h */
/* >>lbfgs - minimisation of a smooth function by limited-memory BFGS           [spec/optimisers.md O21-O28; Nocedal & Wright 2006]
 *
 * Two-loop recursion, strong-Wolfe line search (bracket and zoom, cubic interpolation) with the approximate Wolfe test of Hager &
 * Zhang (2005) near the rounding floor. A value that is not finite counts as +infinity: the search steps back. */

/* The objective: *value = f(x) and, if gradient is not NULL, gradient[n]. The line search asks for the value first and for
 * the gradient at the same x right after, when the value is good enough: keep what the second call can use. A status other
 * than BLN_OK ends the call that asked and is passed on; a value or gradient of NaN or infinity does not. x is always
 * finite. */
typedef bln_status (*bln_objective)(void *user, size_t n, const double *x, double *value, double *gradient, bln_report *report);

typedef struct bln_lbfgs_desc {
    size_t        n;                 /* parameters                                              (required, >= 1)     */
    size_t        memory;            /* pairs kept                                  (0: 100; 100000/n, at least 10, for n > 1000) */
    size_t        max_iterations;    /*                                                         (0: 1000)            */
    double        gradient_tol;      /* stop when max |g_i| <= gradient_tol max(1, sqrt|f|)     (0: 1e-6)            */
    double        progress_tol;      /* or relative decrease below it twice in a row            (0: 1e-9; < 0: never) */
    double        c2;                /* curvature constant of the Wolfe conditions, in (1e-4,1) (0: 0.5)             */
    double        first_step;        /* length of the first trial step    (0: min(1, 1/|g|_1), >= 1e-8 max(1, max |x_i|)) */
    double        max_step;          /* no coordinate moves further in one iteration            (0: 100 max(1, max |x_i|)) */
    bln_objective objective;         /*                                                         (required)           */
    void         *user;
    bln_allocator alloc;             /*                                                         (zero: malloc)       */
} bln_lbfgs_desc;

typedef struct bln_lbfgs bln_lbfgs;

/* The desc with every default filled in but those of first_step and max_step, which depend on the point. */
BLN_API bln_lbfgs_desc bln_lbfgs_defaults(const bln_lbfgs_desc *desc);

/* NULL, or the reason why the desc is not usable. */
BLN_API const char *bln_lbfgs_check(const bln_lbfgs_desc *desc);

/* Bytes of the one block that _create takes: 8 (2 memory + 7) n and a little; SIZE_MAX on overflow. */
BLN_API size_t bln_lbfgs_size(const bln_lbfgs_desc *desc);

/* BLN_EINVAL: what _check says, or out is NULL.  BLN_ENOMEM.  BLN_EOVERFLOW. */
BLN_API bln_status bln_lbfgs_create(const bln_lbfgs_desc *desc, bln_lbfgs **out, bln_report *report);
BLN_API void       bln_lbfgs_free(bln_lbfgs *opt);                       /* NULL is fine */

/* Start (again) at x[n], which may be the present point: evaluates value and gradient there, forgets the pairs and counts from 0.
 * After a failure the object is as it was before the call.
 * BLN_EINVAL: opt or x NULL, or an x that is not finite (its index is the report's column).
 * BLN_ENUMERIC: value or gradient at the start not finite. Else what the objective returns. */
BLN_API bln_status bln_lbfgs_init(bln_lbfgs *opt, const double *x, bln_report *report);

/* One iteration: a direction and a line search along it. Does nothing once converged. The value never rises above the
 * lowest so far by more than 1e-10 |f|, the rounding floor of (O26). After a failure the point is as it was, and the call
 * may be repeated. The report's iterations, evaluations (points at which the objective was asked), objective, gradient_norm
 * and stop are filled. O(memory n) and the objective: one to three evaluations as a rule, at most 120.
 * BLN_EINVAL: opt NULL.  BLN_ESTATE: no _init before.  Else what the objective returns. */
BLN_API bln_status bln_lbfgs_step(bln_lbfgs *opt, bln_report *report);

/* 0 while running, else 1 with the reason in stop (may be NULL); 1 and BLN_STOP_NONE before _init. */
BLN_API int bln_lbfgs_converged(const bln_lbfgs *opt, bln_stop *stop);

/* The present point (n doubles), its value and gradient; valid until the next call. NULL and NaN before _init. */
BLN_API const double *bln_lbfgs_x(const bln_lbfgs *opt);
BLN_API double        bln_lbfgs_value(const bln_lbfgs *opt);
BLN_API const double *bln_lbfgs_gradient(const bln_lbfgs *opt);

/* The whole of it: create, init, step until converged; x[n] in: start, out: the last point (unchanged on failure), *value
 * (may be NULL) its value. Not to have converged is no failure: see report->stop. Fails as these three do. */
BLN_API bln_status bln_lbfgs_minimise(const bln_lbfgs_desc *desc, double *x, double *value, bln_report *report);

/* ---------------------------------------------------------------- src/basis/basis.h */
/* >>basis - feature maps: the interface, concatenation, column selection
 *
 * A basis maps a row x (d inputs) to a row of features phi(x; theta) (dim D). With the prior w ~ N(0, lambda I) on its weights it
 * is a Gaussian process with kernel lambda phi(x)'phi(x').  theta: parameters such as length scales, in their natural units; the
 * caller holds them and hands them to every call, so that one basis serves many models and threads: a basis never changes after it
 * was made. Rows are independent: any split into blocks gives the same features.                    [spec/bases.md B1, B10, B11] */

typedef struct bln_basis bln_basis;
struct bln_basis_load;

/* Column moments of the inputs, for domains and starts in the units of the data. n: rows they come from; mean, sd: d each. */
typedef struct bln_moments { size_t n, d; const double *mean, *sd; } bln_moments;

/* What a basis may know about its inputs: names and moments, both optional, possibly seen through a selection of columns. Made by
 * the library; read it through the three functions. NULL: nothing is known. */
typedef struct bln_inputs {
    const char *const       *names;       /* one for each column, or NULL                        */
    const bln_moments       *moments;     /* or NULL                                             */
    const size_t            *columns;     /* input i is input columns[i] of `whole`; else NULL   */
    const struct bln_inputs *whole;
} bln_inputs;

/* Mean (0 if unknown) and standard deviation (1 if unknown, 0 for a constant column) of input i; its name ("x3" if unknown), cut to
 * size - 1 characters. */
BLN_API double bln_input_mean(const bln_inputs *inputs, size_t i);
BLN_API double bln_input_sd(const bln_inputs *inputs, size_t i);
BLN_API void   bln_input_name(const bln_inputs *inputs, size_t i, char *out, size_t size);

/* What a basis can do. Your own basis fills in one of these (examples/04_own_basis.c) and has all that the built-in ones have.
 * Functions marked (optional) may be NULL. work: bln_basis_work(basis, n) doubles, aligned to 64 bytes, no contents promised. */
typedef struct bln_basis_ops {
    /* Name in model files and tables: 1..31 characters of [a-z0-9_]. */
    const char *name;

    /* Phi (n x D, stride ldphi) = features of the n rows of X. Must not fail on finite X. */
    void (*features)(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                     double *Phi, size_t ldphi, double *work);

    /* The chain rule. Given Phi as written by `features` and F = dL/dPhi (n x D):
     *     dtheta[k] += sum_{i,j} F_ij dPhi_ij/dtheta_k       (n_theta entries; NULL: not wanted)
     *     dX_ij     += sum_k F_ik dPhi_ik/dX_ij              (n x d, stride lddx; NULL: not wanted)
     * Never forms n x D x n_theta. (optional if n_theta = 0: then the input gradient is not available) */
    void (*pullback)(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                     const double *Phi, size_t ldphi, const double *F, size_t ldf,
                     double *dtheta, double *dX, size_t lddx, double *work);

    /* Doubles of workspace for blocks of n rows. (optional: 0) */
    size_t (*work)(const bln_basis *b, size_t n);

    /* Domain, start and group of theta_k, in the units of the inputs; *out arrives as zeros. The start is the user's where he
     * gave one, else drawn from the moments. Usable (bln_param_check) whatever the moments. (required if n_theta > 0) */
    void (*param)(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out);

    /* First feature of slice s; slices are contiguous and share one prior variance each. (optional if n_slices = 1) */
    size_t (*slice)(const bln_basis *b, size_t s);

    /* Names for tables, cut to size - 1 characters: of feature j ("x1^2"), of theta_k ("length scale x1"), of slice s ("rbf").
     * (optional: "phi3", "theta0", the name of the ops) */
    void (*feature_name)(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size);
    void (*param_name)(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size);
    void (*slice_name)(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size);

    /* Model files: save writes all that load needs to make an equal basis. load: *out on success only; a failure is the reader's
     * status, BLN_ENOMEM or BLN_EFORMAT. (optional: a model with such a basis cannot be saved) */
    void (*save)(const bln_basis *b, bln_writer *w);
    bln_status (*load)(const struct bln_basis_load *context, bln_reader *r, bln_basis **out);

    /* Frees the basis and what it owns. (optional: a basis in static memory) */
    void (*release)(bln_basis *b);

    /* Low (n x D, stride ldlow): what Phi, as written by `features`, leaves out, so that Phi + Low are the features to about twice
     * the digits of a double. (optional: nothing more is known than Phi) */
    void (*features_low)(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                         const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work);
} bln_basis_ops;

/* The common part of every basis; read only. A basis with data of its own begins with this struct. */
struct bln_basis {
    const bln_basis_ops *ops;
    size_t d;              /* input columns that it reads, >= 0         */
    size_t D;              /* features, >= 1                            */
    size_t n_theta;        /* parameters                                */
    size_t n_slices;       /* prior variances, >= 1                     */
    bln_allocator alloc;   /* where it came from                        */
};

/* What a loader may use: an allocator and the ops of bases that are not built in, found by name. */
typedef struct bln_basis_load {
    bln_allocator alloc;
    const bln_basis_ops *const *own;      /* n_own pointers; NULL if none */
    size_t n_own;
    size_t depth;                         /* nesting so far; a loader passes the context of its caller on with depth + 1 */
} bln_basis_load;

/* NULL, or the reason why a (user's) basis is not usable. */
BLN_API const char *bln_basis_check(const bln_basis *basis);

/* Frees a basis and its parts; NULL is fine. */
BLN_API void bln_basis_free(bln_basis *basis);

/* The ops with their defaults filled in. X: n x d, Phi, F: n x D. names: of the d input columns, or NULL for x0, x1, ...
 * A basis without pullback adds nothing. moments may be NULL: inputs of mean 0 and sd 1. Slice n_slices begins at D. size >= 1. */
BLN_API void   bln_basis_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                  double *Phi, size_t ldphi, double *work);
BLN_API void   bln_basis_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                  const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                  double *dtheta, double *dX, size_t lddx, double *work);
BLN_API size_t bln_basis_work(const bln_basis *b, size_t n);
BLN_API void   bln_basis_param(const bln_basis *b, size_t k, const bln_moments *moments, bln_param *out);
BLN_API size_t bln_basis_slice(const bln_basis *b, size_t s);
BLN_API void   bln_basis_feature_name(const bln_basis *b, size_t j, const char *const *names, char *out, size_t size);
BLN_API void   bln_basis_param_name(const bln_basis *b, size_t k, const char *const *names, char *out, size_t size);
BLN_API void   bln_basis_slice_name(const bln_basis *b, size_t s, const char *const *names, char *out, size_t size);

/* The low words of Phi, as bln_basis_features wrote it with the same theta and X. Returns 1, or 0 if the basis has none (Low is
 * then as before); n = 0 only asks. The bias and linear bases have zeros, the polynomial basis has the rounding errors of its
 * powers (see there), a sum or selection has them if all its parts have. On machines that keep more digits in registers than in
 * memory (FLT_EVAL_METHOD != 0: x87) there are none. */
BLN_API int bln_basis_features_low(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                   const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work);

/* Name, then what the basis's own save writes. The writer gets BLN_EUNKNOWN if it has none, BLN_EINVAL for a basis of NULL.
 *     bias         -
 *     linear       u64 d, u32 ones
 *     polynomial   u64 d, u64 degree, u32 ones, u32 interactions
 *     legendre     u64 d, u64 degree, u32 ones, d doubles lo, d doubles hi
 *     radial       u64 d, u64 n, u32 form (0 radial, 1 sigmoid, 2 ridge), u32 ard, double length_scale, n x d doubles
 *     fourier      u64 d, u64 n, u32 kernel (0 rbf, 1 matern12, 2 matern32, 3 matern52), u32 ard, double length_scale,
 *                  d x n doubles
 *     fourier2     u64 d, u64 n, u32 kernel (4 matern, 5 rq, 6 cauchy, 7 laplace1, 8 cauchy_product), u32 ard, double length_scale,
 *                  double shape (0 if the kernel has none), d x n doubles
 *     fastfood     u64 d, u64 n, u32 kernel, u32 ard, double length_scale, double shape; with m, the least multiple of the power of
 *                  2 from d on that is >= n: m doubles signs, m doubles G/(|G| sqrt d2), n doubles norms, m u64 places
 *     spectral     u64 d, u32 relative, d doubles start of mu, (name, basis): fourier, fourier2 or fastfood
 *     sum          u64 n, n times (name, basis)
 *     columns      u64 d, u64 k, k times u64 column, (name, basis) */
BLN_API void bln_basis_save(const bln_basis *b, bln_writer *w);

/* Reads what _save wrote. The reader's report gets the reason of a failure. context NULL: malloc, and built-in bases only.
 * BLN_EUNKNOWN: a name that is neither built in nor among context->own (built-in names come first).  BLN_EFORMAT: damaged, nested
 * deeper than 16, or a basis that bln_basis_check refuses.  BLN_ENOMEM, BLN_EIO.  Memory: never more than a few times the bytes
 * that were there to be read, whatever they say. */
BLN_API bln_status bln_basis_load_any(const bln_basis_load *context, bln_reader *r, bln_basis **out);

/* 64 bits that tell bases apart: a hash (FNV-1a) of what the basis would save, frequencies and centres included, or, of a user's
 * basis without save, of its name and sizes; of a sum or selection, of those of its parts. Equal bases have equal ones, on any
 * machine, which different ones share by a chance of 2^-64. 0 for NULL. Frequencies drawn from one seed on machines with different
 * C libraries may differ in their last bits, and then so does this: hand on the saved basis.   O(what is saved), 1 ns a byte */
BLN_API uint64_t bln_basis_fingerprint(const bln_basis *b);

/* Concatenation: Phi = [Phi_1 | Phi_2 | ...], theta likewise, each slice with its own prior variance: a sum of kernels.   (B10)
 * All parts read the same d inputs (a part with d = 0, such as the bias, fits any). On success the sum owns its parts and frees
 * them with itself; on failure they stay the caller's.
 * Names: those of the parts; parameters are followed by their part in brackets, and parts of equal name are numbered from 1 by
 * their place.
 * BLN_EINVAL: no parts, a NULL one or one that stands twice, or nested deeper than 16.  BLN_ESHAPE: different d.  BLN_ENOMEM.
 * BLN_EOVERFLOW: more than 4096 parts, or features that no size_t can count. */
BLN_API bln_status bln_basis_sum(const bln_allocator *alloc, size_t n, bln_basis *const *parts, bln_basis **out,
                                 bln_report *report);

/* Column selection: a basis on d inputs that hands columns[0..k-1] to `part` (part->d = k). Owns part on success.   (B11)
 * BLN_EINVAL: a column >= d, or one twice (the report's column names it); a NULL part; nested deeper than 16.
 * BLN_ESHAPE: part->d != k.
 * BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_basis_columns(const bln_allocator *alloc, size_t d, size_t k, const size_t *columns, bln_basis *part,
                                     bln_basis **out, bln_report *report);

/* ---------------------------------------------------------------- src/basis/polynomial.h */
/* >>polynomial - bias, linear, polynomial and Legendre bases
 *
 * No parameters; one slice. All take an allocator (NULL: malloc) and can fail with BLN_ENOMEM, and BLN_EINVAL for an out of NULL.
 *
 * Low words (bln_basis_features_low): those of bias and linear are 0. Those of the polynomial basis are the rounding errors of its
 * products, from Dekker's exact product (1971): Phi + Low is the monomial of total degree P of the given doubles within P^2 2^-106
 * relative, |Low| <= 1.01 P 2^-53 |Phi|. Where Phi is beyond 2^995 or a product on the way to it is below 2^-968, so that its error
 * is no double, the low word leaves that error out. The Legendre basis has none. */

/* phi = [1].   (B2)   It reads no inputs: d = 0. */
BLN_API bln_status bln_bias_create(const bln_allocator *alloc, bln_basis **out);

/* phi = [1, x] with ones != 0, else [x].   D = d (+ 1).   (B3)   BLN_EINVAL: D = 0 */
BLN_API bln_status bln_linear_create(const bln_allocator *alloc, size_t d, int ones, bln_basis **out);

/* Powers up to `degree` >= 1 of each input, input-major, without products:
 *     phi = [1,] x_1, x_1^2, ..., x_1^P, x_2, ...                      D = d P (+ 1)                        (B4)
 * or, with interactions != 0, all monomials of total degree <= P (>= 1 without the ones), graded, D = C(d+P, P) (- 1).
 * Powers are hopeless beyond P of about 8 (B5), unless their low words are used; standardise the inputs.
 * BLN_EINVAL: degree = 0 or d = 0.  BLN_EOVERFLOW. */
BLN_API bln_status bln_polynomial_create(const bln_allocator *alloc, size_t d, size_t degree, int ones, int interactions,
                                         bln_basis **out);

/* Legendre polynomials of each input mapped from [lo, hi] to [-1, 1], orthonormal for inputs uniform there:                   (B5)
 *     phi = [1,] p_1(t_1), ..., p_P(t_1), p_1(t_2), ...    D = d P (+ 1),    t_i = ((x_i - lo_i) - (hi_i - x_i))/(hi_i - lo_i),
 *     p_k = sqrt(2k+1) P_k,   P_0 = 1, P_1 = t, (k+1) P_{k+1} = (2k+1) t P_k - k P_{k-1};    |p_k| <= sqrt(2k+1) for |t| <= 1.
 * As well conditioned at degree 50 as at 2. Inputs outside of [lo, hi] extrapolate: p_k grows like (2|t|)^k there. Absolute error
 * for |t| <= 1 about k sqrt(2k+1) eps, and that of t.
 * lo, hi: d each, copied; NULL: -1 and 1.
 * BLN_EINVAL: degree = 0 or d = 0, only one of lo and hi.  BLN_EDOMAIN: lo < hi does not hold, or they or hi - lo are not finite.
 * BLN_EOVERFLOW. */
BLN_API bln_status bln_legendre_create(const bln_allocator *alloc, size_t d, size_t degree, int ones, const double *lo,
                                       const double *hi, bln_basis **out);

/* ---------------------------------------------------------------- src/basis/radial.h */
/* >>radial - bumps and steps around centres                                                          [spec/bases.md B6-B9]
 *
 * With centres c_1 .. c_n, u_ji = (x_i - c_ji)/l_i, rho_j = sqrt(sum_i u_ji^2), sigma(a) = 1/(1 + e^-a):
 *     radial     phi_j = exp(-rho_j^2/2)                                 D = n         a bump: 0 far away                   (B6)
 *     sigmoid    phi_j = sigma(rho_j)                                    D = n         from 1/2 at the centre to 1          (B8)
 *     ridge      phi_{i n + j} = sigma(u_ji)                             D = d n       a step across x_i = c_ji  [Bishop 2006, 3.6]
 * theta: one length scale, or one for each input (ard), with the starts and bounds of the >>fourier basis. One slice.
 * sigmoid has a kink at its centre, where its derivatives count as 0. Differences are taken first, so that nothing cancels where
 * the inputs are far from 0; phi is good to (4 + rho^2) eps relative (radial) or 4 eps. About 3 n d operations and n exponentials a
 * row (ridge: n d). */
typedef enum bln_radial_form { BLN_RADIAL, BLN_RADIAL_SIGMOID, BLN_RADIAL_RIDGE } bln_radial_form;

typedef struct bln_radial_desc {
    size_t          d;              /* inputs                                              (required, >= 1)     */
    size_t          n;              /* centres                                             (required, >= 1)     */
    const double   *centres;        /* n x d, in units of x, finite; they are copied       (required)           */
    size_t          ldc;            /* row stride of centres                               (0: d)               */
    bln_radial_form form;           /*                                                     (0: radial)          */
    int             ard;            /* one length scale for each input?                    (0: one for all)     */
    double          length_scale;   /* start of the length scales, in units of x           (0: sqrt(d) sd(x_i)) */
    bln_allocator   alloc;          /*                                                     (zero: malloc)       */
} bln_radial_desc;

BLN_API bln_radial_desc bln_radial_defaults(const bln_radial_desc *desc);
BLN_API const char *bln_radial_check(const bln_radial_desc *desc);

/* Memory: n x d doubles.  BLN_EINVAL: see _check.  BLN_EDATA: a centre that is not finite; the report has its row and column.
 * BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_radial_create(const bln_radial_desc *desc, bln_basis **out, bln_report *report);

/* Fills centres (n x d, row-major) in the box [-range, range]^d: evenly from end to end for one input, else scrambled Sobol' points
 * of the seed (>>qmc), beyond BLN_SOBOL_DIMENSIONS inputs shifted Halton points. For standardised inputs. */
BLN_API void bln_radial_centres(size_t d, size_t n, double range, uint64_t seed, double *centres);

/* ---------------------------------------------------------------- src/basis/fourier.h */
/* >>fourier - random Fourier features: a Gaussian process with a stationary kernel as a linear model        [Rahimi & Recht 2007]
 *
 *     phi(x) = J^{-1/2} [cos(z_1'x~) .. cos(z_J'x~), sin(z_1'x~) .. sin(z_J'x~)],   x~_i = x_i / l_i,   D = 2J              (B13)
 *     E phi(x)'phi(x') = k(x~ - x~'),   error of one entry about sqrt(1/(2J)) with independent draws                         (B17)
 *
 * Frequencies z_j are drawn once, from the kernel's spectral density at unit length scale, and kept (saved with the model).
 * theta: one length scale, or one for each input (ard). They start at sqrt(d) sd(x_i) (B37), or at the user's length_scale, and
 * stay within 1e-4 .. 1e4 times the former: wide enough to switch an input off. A phase loses digits as |x| / l grows: centre
 * the inputs. A phase that overflows makes features of NaN.
 *
 * Kernels of tau = x~ - x~', r = |tau| (B15, B16). All but the last two depend on r alone; Laplace (L2) and Laplace (L1) agree for
 * one input only. */
typedef enum bln_kernel {
    BLN_KERNEL_RBF,             /* exp(-r^2/2)                                                                */
    BLN_KERNEL_MATERN12,        /* exp(-r), also known as exponential and as Laplace (L2)                     */
    BLN_KERNEL_MATERN32,        /* (1 + sqrt3 r) exp(-sqrt3 r)                                                */
    BLN_KERNEL_MATERN52,        /* (1 + sqrt5 r + 5 r^2/3) exp(-sqrt5 r)                                      */
    BLN_KERNEL_MATERN,          /* 2^(1-nu)/Gamma(nu) (sqrt(2 nu) r)^nu K_nu(sqrt(2 nu) r),  nu = shape       */
    BLN_KERNEL_RQ,              /* rational quadratic, (1 + r^2/(2 alpha))^-alpha,  alpha = shape             */
    BLN_KERNEL_CAUCHY,          /* 1/(1 + r^2)                                                                */
    BLN_KERNEL_LAPLACE1,        /* Laplace (L1), exp(-sum_i |tau_i|)                                          */
    BLN_KERNEL_CAUCHY_PRODUCT,  /* prod_i 1/(1 + tau_i^2)                                                     */
    BLN_KERNEL_LAPLACE2 = BLN_KERNEL_MATERN12
} bln_kernel;

/* How frequencies are drawn; each way is exactly unbiased.
 *   orthogonal    blocks of d directions from a Haar-distributed orthogonal matrix, each frequency with its own independent norm
 *                 (B21). Radial kernels only.
 *   independent
 *   sobol         quasi-random points (>>qmc) through the inverse distribution functions (B20), one coordinate for each input and
 *                 one more for the scale s of (B15), which all radial kernels but RBF have: d + 1 <= BLN_SOBOL_DIMENSIONS (RBF and
 *                 products: d). n should be a power of 2.
 *   halton        the same with shifted Halton points; any d, any n.
 * Error of a kernel entry relative to independent draws, measured by bench/bench_kernels.c at r^2 around 2 with n = 1024:
 *                                            rbf                                        matern32
 *     inputs                                 2      4      8      16                    2      4      8      16
 *     orthogonal                             0.83   0.59   0.54   0.54                  0.88   0.80   0.83   0.84
 *     sobol                                  0.04   0.09   0.25   0.53                  0.27   0.41   0.57   0.78
 *     halton                                 0.10   0.24   0.45   0.66                  0.30   0.46   0.65   0.86
 * So Sobol up to 8 inputs or so, orthogonal above. The heavier the tails of the frequencies (Matern 1/2, Laplace), the smaller is
 * the gain, and points far apart gain less than close ones.
 *   fastfood      for many inputs: another basis with the same desc, >>fastfood, which keeps no matrix of frequencies */
typedef enum bln_draws {
    BLN_DRAWS_DEFAULT, BLN_DRAWS_ORTHOGONAL, BLN_DRAWS_INDEPENDENT, BLN_DRAWS_SOBOL, BLN_DRAWS_HALTON,
    BLN_DRAWS_FASTFOOD
} bln_draws;

typedef struct bln_fourier_desc {
    size_t        d;              /* inputs                                          (required, >= 1)          */
    size_t        n;              /* frequencies J; features are 2 n                 (required, >= 1)          */
    bln_kernel    kernel;         /*                                                 (0: RBF)                  */
    double        shape;          /* nu or alpha, 0.1 .. 1e4; 0 for the other kernels   (0: 2)                 */
    int           ard;            /* one length scale for each input?                (0: one for all)          */
    bln_draws     draws;          /*              (0: orthogonal; independent for the two kernels of products) */
    uint64_t      seed;           /* of the frequencies                              (0: seed 0)               */
    double        length_scale;   /* start of the length scales, in units of x       (0: sqrt(d) sd(x_i))      */
    bln_allocator alloc;          /*                                                 (zero: malloc)            */
} bln_fourier_desc;

/* "rbf", "matern12", "matern32", "matern52", "matern", "rq", "cauchy", "laplace1", "cauchy_product"; "unknown" for a number that is
 * none. The kernel at tau (d entries) in closed form, with the shape of the desc; and at distance r for the default shape, which is
 * also the value of the products at a distance r along an axis. NaN for a NaN or a kernel or shape that is none. Relative accuracy
 * about (4 + |log k|) eps, and 1e-14 more for the Matern kernel of any nu, whose K_nu is an integral by the trapezoidal rule. */
BLN_API const char *bln_kernel_name(bln_kernel kernel);
BLN_API double bln_kernel_value(bln_kernel kernel, double r);
BLN_API double bln_kernel_at(bln_kernel kernel, double shape, size_t d, const double *tau);

BLN_API bln_fourier_desc bln_fourier_defaults(const bln_fourier_desc *desc);
BLN_API const char *bln_fourier_check(const bln_fourier_desc *desc);

/* Memory: d x n doubles, and while it draws up to d x d more, for quasi-random points up to 1024 (d + 1).
 * BLN_EINVAL: see _check.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_fourier_create(const bln_fourier_desc *desc, bln_basis **out, bln_report *report);

/* The frequencies of such a basis, d x n row-major (input i's row i); NULL if the basis is another. */
BLN_API const double *bln_fourier_frequencies(const bln_basis *basis);

/* ---------------------------------------------------------------- src/basis/fastfood.h */
/* >>fastfood - random Fourier features without a matrix of frequencies, for many inputs            [Le, Sarlos & Smola 2013]
 *
 * The features, length scales, starts and names of >>fourier; but the frequencies are the rows of a product,
 *
 *     V = d2^{-1/2} S H G P H B,     d2 = the power of 2 from d on (inputs beyond d are 0),                             (B23, B24)
 *
 * with the Hadamard matrix H (>>hadamard), random signs B, a random permutation P, normal variates G, and S_jj = rho_j / |G|, one
 * independent norm for each frequency: rho_j = sqrt(s_j) chi_d2 with the scale s_j of the kernel (B15). ceil(n / d2) blocks of d2
 * frequencies stand under each other; those beyond n are left out.
 *
 * Exactly unbiased, E phi(x)'phi(x') = k, for every d and n: for any fixed P and B a row of H G P H B is a normal vector with
 * independent entries, whose direction is uniform and independent of its norm; what S makes of it is the kernel's own spectral
 * density, in d2 dimensions, of which the first d coordinates are that of d. It takes rho_j of d2 degrees of freedom, not d, and a
 * norm for each frequency, not for each input. Only products over the inputs (Laplace L1, Cauchy), whose density prefers the axes,
 * cannot be had. The frequencies of a block depend on each other, so that the variance is not quite that of independent draws
 * (B17): 0.8 to 1.8 times it for 3 to 13 inputs and |tau| from 0.3 to 2, by direction.
 *
 * Memory 4 n numbers instead of d n, time 4 log2(d2) instead of 2 d flops for each row and frequency. Against the
 * product of >>fourier, sines and cosines included, as bench/bench_fastfood.c measures with n = 1024 at the levels of >>cpu:
 *
 *     times faster, inputs       8     16    32    64    128   256   1024
 *     features       level 0     0.9   1.2   1.4   2.0   2.9   5.0   14
 *                    level 2     0.8   0.9   1.1   1.3   2.5   3.0   7
 *     chain rule     level 0     1.4   1.7   2.6   4.4   8     13    50
 *                    level 2     0.8   1.0   1.3   2.1   2.8   4.9   13 */

/* desc: as for bln_fourier_create; draws must be 0 or BLN_DRAWS_FASTFOOD, the kernel radial. NULL, or the reason. */
BLN_API const char *bln_fastfood_check(const bln_fourier_desc *desc);

/* BLN_EINVAL: see _check.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_fastfood_create(const bln_fourier_desc *desc, bln_basis **out, bln_report *report);

/* ---------------------------------------------------------------- src/basis/spectral.h */
/* >>spectral - spectral mixtures: kernels that oscillate        [Wilson & Adams 2013; Yang, Smola, Song & Wilson 2015]
 *
 *     k(tau) = sum_q lambda_q k0(tau / l_q) cos(mu_q'tau),   tau = x - x'                                               (B28)
 *
 * With a squared exponential k0 the spectral density is a mixture of Gaussians at +-mu_q of width 1/l_q, which comes as close as
 * one likes to that of any stationary kernel; seasons and waves are continued where other kernels return to the mean. Each
 * component is a basis of its own with a prior variance lambda_q, its weight in the mixture: from Fourier features psi of k0, dense
 * or Fastfood,
 *
 *     phi(x) = [psi(x) cos(mu'x), psi(x) sin(mu'x)],   D = 4 n,   phi(x)'phi(x') = psi(x)'psi(x') cos(mu'tau),          (B29)
 *
 * unbiased as psi is, with phi'phi = 1. theta: the length scales of k0, then mu_i in radians per unit of x_i, any real number. The
 * evidence has many optima in mu (their width is one over the range of the data) and a saddle at mu = 0: give means or a period
 * where they are known, and a search several starts. Centre the inputs, as for >>fourier. */
typedef struct bln_spectral_desc {
    bln_fourier_desc envelope;    /* k0 and its features, n of them per component; draws may be Fastfood  (d, n required)      */
    size_t           component;   /* number in its mixture: draws and starts differ                       (0; to 1e6)          */
    double           period;      /* start: |mu| = 2 pi (component + 1)/period in a random direction, in units of x
                                     (0: period 4 for x_i / sd_i)                                                              */
    const double    *mean;        /* d numbers, the start of mu                                           (NULL: from period)  */
} bln_spectral_desc;

BLN_API bln_spectral_desc bln_spectral_defaults(const bln_spectral_desc *desc);
BLN_API const char *bln_spectral_check(const bln_spectral_desc *desc);

/* One component. BLN_EINVAL: see _check (of the means it can only see that they are finite).  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_spectral_create(const bln_spectral_desc *desc, bln_basis **out, bln_report *report);

/* The sum (bln_basis_sum) of the components number component, component + 1, ..., `count` of them; mean: count x d, row by row.
 * BLN_EINVAL: also count = 0.  BLN_EOVERFLOW: also more than 4096 components. */
BLN_API bln_status bln_spectral_mixture(const bln_spectral_desc *desc, size_t count, bln_basis **out, bln_report *report);

/* k0(tau / l) cos(mu'tau) in closed form: tau d numbers in units of x, theta as for the basis of this desc (which must pass its
 * check). Relative accuracy of k0 as bln_kernel_at. */
BLN_API double bln_spectral_at(const bln_spectral_desc *desc, const double *theta, const double *tau);

/* ---------------------------------------------------------------- src/basis/spec.h */
/* >>spec - a basis from a line of text
 *
 *     SPEC = TERM { "+" TERM }          TERM = NAME [ ":" OPTION { "," OPTION } ]          OPTION = KEY [ "=" VALUE ]
 *
 *     rbf:n=400,ard+linear                                    matern32:n=200,cols=lat;lon+polynomial:degree=3,cols=age
 *
 *     term                                   options
 *     bias                                   -
 *     linear                                 ones=0|1 (default 1)
 *     polynomial                             degree=P (default 2)  ones=0|1 (default 1)  interactions
 *     legendre                               degree=P (default 5)  ones=0|1 (default 1)  range=R (default 3): each input is mapped
 *                                            from [-R, R] to [-1, 1], what lies outside extrapolates
 *     radial sigmoid ridge                   n=J centres (default 20) in [-R, R] (see bln_radial_centres)  range=R (default 2)
 *                                            ard  length=START (default: from data)
 *     rbf matern12 matern32 matern52 cauchy laplace1 laplace2 cauchy_product
 *                                            n=J frequencies (default 200; features are 2J)  ard  length=START (default: from data)
 *                                            draws=orthogonal|independent|sobol|halton|fastfood (default: see bln_fourier_desc)
 *     matern                                 the same and nu=V (default 2), 0.1 .. 1e4
 *     rq                                     the same and alpha=V (default 2), 0.1 .. 1e4
 *     spectral                               n=J frequencies (default 100) for each of q=Q components (default 1; features are
 *                                            4JQ, with a prior variance for each component)  ard  length=START  draws (as above)
 *                                            period=START of the first component, component k starts at a k-th of it (default: 4
 *                                            standard deviations of the inputs)
 *     any but bias                           cols=a;b;c   input columns, by name or by number from 0 (default: all)
 *
 * R is in units of the inputs, the same for all: a line of text has not seen the data, so that its defaults are made for
 * standardised inputs (>>scaler). laplace2 is matern12 by its other name. Blanks around tokens are ignored; ard and interactions
 * also take =0|1. A column name with one of + , ; in it must be given by number; a name comes before a number that looks like it.
 * START, R and V are digits with a point and e-, in any locale. Each random term draws its own frequencies or centres from (seed,
 * position in the sum).
 *
 * names: of the d input columns; NULL: columns have numbers only. own: further terms by name (built-in names come first);
 * make is called with the options text after ":" (without cols), the number of inputs it will see and a seed of its own. */
typedef struct bln_spec_term {
    const char *name;
    bln_status (*make)(void *user, const char *options, size_t d, uint64_t seed, const bln_allocator *alloc, bln_basis **out,
                       bln_report *report);
    void *user;
} bln_spec_term;

typedef struct bln_spec_desc {
    const char           *text;      /* the SPEC                              (required)           */
    size_t                d;         /* input columns                         (may be 0 for "bias") */
    const char *const    *names;     /* d column names                        (NULL: numbers only) */
    uint64_t              seed;      /*                                       (0: seed 0)          */
    const bln_spec_term  *own;       /* n_own further terms                   (NULL: none)         */
    size_t                n_own;
    bln_allocator         alloc;     /*                                       (zero: malloc)       */
} bln_spec_desc;

/* BLN_EINVAL: the text is not a SPEC; the report says what and at which character (from 1; its column: from 0).
 * BLN_EUNKNOWN: unknown term, option or column name. BLN_ENOMEM. */
BLN_API bln_status bln_basis_parse(const bln_spec_desc *desc, bln_basis **out, bln_report *report);

/* ---------------------------------------------------------------- src/posterior/posterior.h */
/* >>posterior - Gaussian posteriors over weights, and what can be asked of them
 *
 *     w ~ N(m, C),  in one of two forms, with S = diag(s), s_i = sqrt(lambda_i) the prior standard deviations:
 *
 *     BLN_GAUSSIAN_FACTOR     C = S (U'U)^-1 S       U: D x D upper (k = D), the factor of B = I + S G S / sigma^2     (S3, S4)
 *     BLN_GAUSSIAN_LOWRANK    C = S (I - V'V) S      V: k x D with k < D, the dual form                                (S9, S10)
 *
 * The second form subtracts: a variance v = |S phi|^2 - |V S phi|^2 carries an absolute error of about eps |S phi|^2, which is
 * relative to the prior variance of f, and is cut off at 0.                                                     [spec/slm.md] */
typedef enum bln_gaussian_form { BLN_GAUSSIAN_FACTOR, BLN_GAUSSIAN_LOWRANK } bln_gaussian_form;

/* A view; whoever fills it in owns the arrays. */
typedef struct bln_gaussian {
    bln_gaussian_form form;
    size_t            D, k;        /* weights; rows of R                       */
    const double     *m;           /* D: mean                                  */
    const double     *s;           /* D: prior standard deviations, >= 0       */
    const double     *R;           /* k x D, row-major, stride ldr: U or V     */
    size_t            ldr;
} bln_gaussian;

/* mean[i] = Phi_i'm and var[i] = Phi_i' C Phi_i >= 0 for the n rows of Phi (n x D, stride ldphi). mean or var may be NULL.
 * work: bln_gaussian_project_work(g, n) doubles (only used for var).   2 n D k flops (half for the factor form) */
BLN_API void bln_gaussian_project(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *mean, double *var,
                                  double *work);
BLN_API size_t bln_gaussian_project_work(const bln_gaussian *g, size_t n);

/* out_i = C Phi_i for the n rows of Phi (n x D, stride ldphi); out: n x D, stride ldo, may be Phi itself. (Rows of Phi C.)
 * work: bln_gaussian_project_work(g, n) doubles.   2 n D^2 flops, or 4 n D k */
BLN_API void bln_gaussian_multiply(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *out, size_t ldo,
                                   double *work);

/* var[j] = C_jj, j = 0..D-1.   work: D*D doubles in the factor form, else none (NULL).   D^3/3 flops, or D k */
BLN_API void bln_gaussian_variances(const bln_gaussian *g, double *var, double *work);

/* Upper triangle of C (D x D, stride ldc).   work as above.   2 D^3/3 flops, or D^2 k */
BLN_API void bln_gaussian_covariance(const bln_gaussian *g, double *C, size_t ldc, double *work);

/* ---------------------------------------------------------------- src/posterior/predict.h */
/* >>predict - from a posterior over weights to predictions
 *
 *     f* ~ N(phi*'m + offset, v_f),   v_f = phi*'C phi* (+ the prior variance that Phi leaves out),
 *     y* adds the noise: v_y = v_f + sigma^2 v*                                              [spec/slm.md S35, S36] */

/* Mean and latent variance of f at the n rows of X, in blocks of at most `block` rows (0: 256).
 * mean, var: n each, either may be NULL. work: bln_predict_work(basis, g, block) doubles.   2 n D^2 flops at most */
BLN_API void bln_predict_latent(const bln_basis *basis, const double *theta, const bln_gaussian *g, size_t n, const double *X,
                                size_t ldx, size_t block, double *mean, double *var, double *work);
/* Doubles of workspace; SIZE_MAX on overflow. */
BLN_API size_t bln_predict_work(const bln_basis *basis, const bln_gaussian *g, size_t block);

/* Slopes of the mean and of the latent variance (and so of the total one) with respect to the inputs, at the n rows of X:
 *     dmean_ij = d(phi_i'm)/dx_ij,   dvar_ij = d(phi_i'C phi_i)/dx_ij
 * by the basis's pullback of F = m' and of F = 2 phi'C; no n x D x d array is formed. dmean, dvar: n x d (d = basis->d), stride
 * lddx >= d; either may be NULL. In blocks of at most `block` rows (0: 256).
 * work: bln_predict_gradient_work(basis, g, block) doubles.
 * Where the low-rank form cuts a variance off at 0, dvar is still the slope of what is cut off.
 * 2 n D^2 flops (4 n D k) and two pullbacks.
 * BLN_EINVAL: the basis, or a part of it, has features of its inputs but no pullback; nothing is written. */
BLN_API bln_status bln_predict_gradient(const bln_basis *basis, const double *theta, const bln_gaussian *g, size_t n,
                                        const double *X, size_t ldx, size_t block, double *dmean, double *dvar, size_t lddx,
                                        double *work);
/* Doubles of workspace; SIZE_MAX on overflow. */
BLN_API size_t bln_predict_gradient_work(const bln_basis *basis, const bln_gaussian *g, size_t block);

/* Of N(mean, var), var > 0, elementwise over n: the central interval of probability `level`; log density; cdf; quantile.
 * level or p outside (0,1), or var not > 0: NaN; but intervals and
 * quantiles of var = 0 are the mean. Outputs may be the inputs. */
BLN_API void bln_normal_intervals(size_t n, const double *mean, const double *var, double level, double *lower, double *upper);
BLN_API void bln_normal_logdensities(size_t n, const double *mean, const double *var, const double *y, double *out);
BLN_API void bln_normal_cdfs(size_t n, const double *mean, const double *var, const double *y, double *out);
BLN_API void bln_normal_quantiles(size_t n, const double *mean, const double *var, double p, double *out);

/* ---------------------------------------------------------------- src/posterior/sample.h */
/* >>sample - exact draws of the weights from a Gaussian posterior, alone or together with their prior paths
 *
 * A draw of w is a draw of the whole function f(x) = phi(x)'w: evaluated anywhere, later too, it is one function. Two ways:
 *
 *     plain       w = m + S U^-1 e,  e ~ N(0, I)                          factor form only                            (S37)
 *     pathwise    w0 = S e ~ N(0, S^2), a draw from the prior, and w = w0 + what the data change about it             (S38)
 *                 Cov(w0, w) = C: the pair shows what was learnt, and the same prior path can be followed through several data
 *                 sets or sizes. In the low-rank form every draw is made so.
 *
 * Pathwise draws need Q, a k x k upper triangular factor (k rows of R), made once:
 *     Q'Q = I - V V'   (low-rank form)      or      Q'Q = I - (U U')^-1   (factor form).                    [spec/slm.md S37, S38]
 *
 * The normals of draw i are those of stream `stream` + i of the seed, so that draws can be split over calls, threads and ranks; how
 * they are grouped changes rounding only. s holds prior standard deviations: for a flat prior there is no prior path to draw. */

/* Q for pathwise draws; k x k, row-major without gaps, zeros below the diagonal. diag: k doubles of workspace. *tau: what had to be
 * added to the diagonal against rounding (S20), NULL to skip it: an error of the draws' variances relative to those of w (factor
 * form) or of w0 (low-rank), and of their values, relative to the standard deviations, by its root. Not 0 but k eps, or ten or a
 * hundred times that, where Q'Q is singular: if the data say nothing about some direction of w (factor form), or pin one down to
 * rounding (low-rank).
 *     k^2 D + k^3/3 flops (low-rank), D^3 (factor)
 * BLN_ENOTPD: the posterior is not one (NaN or infinity in R). */
BLN_API bln_status bln_gaussian_path_factor(const bln_gaussian *g, double *Q, double *diag, double *tau);

/* n draws into the rows of W (n x D, stride ldw >= D). Q: NULL for plain draws (factor form only), else as made above.
 * prior: n x D, stride ldw, gets the prior paths w0 of the same draws; NULL to skip it; needs Q.
 * work: bln_gaussian_sample_work(g) doubles (SIZE_MAX: overflow).
 *     D^2 flops a plain draw, 4 D k + 2 k^2 (low-rank) or 4 D^2 (factor) a pathwise one */
BLN_API void bln_gaussian_sample(const bln_gaussian *g, const double *Q, size_t n, uint64_t seed, uint64_t stream, double *W,
                                 double *prior, size_t ldw, double *work);
BLN_API size_t bln_gaussian_sample_work(const bln_gaussian *g);

/* ---------------------------------------------------------------- src/model/statistics.h */
/* >>statistics - sufficient statistics of the linear model, which merge, shrink and forget
 *
 *     N = sum of weights,  ld = sum w_n log(1/v_n),  [G b; b' c] = [Phi Y]' Omega [Phi Y],  omega_n = w_n/v_n,  Y less its
 *     offset, n x P   (S2, S41)
 *
 * At fixed basis parameters they are all that a fit needs (bln_slm_fit_statistics): rows can be added as they come, shards
 * merged in any order, rows taken out again, old ones forgotten, and the posterior is exactly that of the rows that remain. In
 * three doubles (>>exact) that holds to the last digit whatever the order; in double to rounding, which grows when most of
 * what was added is taken out again.
 *     [spec/slm.md S24, S28, S29]   Memory: (D+P)^2 numbers (three doubles each if exact) and a block of features. */
typedef struct bln_statistics bln_statistics;

typedef struct bln_statistics_desc {
    const bln_basis *basis;        /* borrowed; must outlive the statistics             (required)                        */
    const double    *theta;        /* n_theta basis parameters, copied                  (NULL: the basis's own starts)    */
    size_t           n_outputs;    /* P, columns of y                                   (0: 1)                            */
    int              exact;        /* three doubles                                     (0: double)                       */
    size_t           block;        /* rows of a block                                   (0: 256)                          */
    bln_allocator    alloc;        /*                                                   (zero: malloc)                    */
} bln_statistics_desc;

/* Of no rows.   BLN_EINVAL: no basis, an unusable one, theta not finite, half an allocator.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_statistics_create(const bln_statistics_desc *desc, bln_statistics **out, bln_report *report);
BLN_API void       bln_statistics_free(bln_statistics *t);                       /* NULL is fine */

/* Adds rows, or takes out rows that were added before. n (D+P)^2 flops (about 100 times that if exact).
 * BLN_EINVAL, BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN: as bln_slm_fit; BLN_ENUMERIC: squares overflow; taking out more weight than
 * there is: BLN_EDOMAIN. Nothing changes then. */
BLN_API bln_status bln_statistics_add   (bln_statistics *t, const bln_data *data, bln_report *report);
BLN_API bln_status bln_statistics_remove(bln_statistics *t, const bln_data *data, bln_report *report);

/* t <- t + other (S24): the statistics of both sets of rows. BLN_ESHAPE: of another basis (bln_basis_fingerprint), other arithmetic
 * or another theta. */
BLN_API bln_status bln_statistics_merge(bln_statistics *t, const bln_statistics *other, bln_report *report);

/* All that was added so far counts kappa in (0, 1] times as much (S29): before each new row for an effective memory of 1/(1 -
 * kappa) rows. The prior is not forgotten. BLN_EDOMAIN: kappa outside (0, 1]. */
BLN_API bln_status bln_statistics_forget(bln_statistics *t, double kappa, bln_report *report);

/* N, D, and P. */
BLN_API double bln_statistics_rows(const bln_statistics *t);
BLN_API size_t bln_statistics_features(const bln_statistics *t);
BLN_API size_t bln_statistics_outputs(const bln_statistics *t);

/* As bytes, to travel between processes. The basis does not travel: load adds what was saved to t, which must have the same
 * basis and theta. load: BLN_ESHAPE as merge; what the reader says; nothing changes on failure.  BLN_ENOMEM. */
BLN_API void       bln_statistics_save(const bln_statistics *t, bln_writer *w);
BLN_API bln_status bln_statistics_load(bln_statistics *t, bln_reader *r);

/* ---------------------------------------------------------------- src/model/fixed_point.h */
/* >>fixed_point - updates of the noise and prior variances of the linear model, without gradients or a line search
 *
 * From the posterior N(m, C) at the old values: RSS = sum omega_n (y_n - phi_n'm)^2, gamma_i = 1 - C_ii/lambda_i (how far the data
 * determine weight i), gamma their sum, and for a slice s of D_s weights m_s'm_s and gamma_s:          [spec/slm.md S30-S32]
 *
 *     BLN_FIXED_POINT_MACKAY   sigma^2 <- RSS/(N - gamma),             lambda_s <- m_s'm_s/gamma_s
 *     BLN_FIXED_POINT_EM       sigma^2 <- (RSS + sigma^2 gamma)/N,     lambda_s <- (m_s'm_s + sum_s C_ii)/D_s
 *     BLN_FIXED_POINT_MM       the geometric means of the old values and MacKay's
 *
 * All have the zeros of the evidence's gradient as their fixed points. MacKay's is fast but the evidence may fall; with EM and MM
 * it cannot, all variances updated together or only some; EM is slow, and never quite gets to 0.
 *     [MacKay 1992; Bishop 2006, (3.92), (3.95), (9.62), (9.63); after Wipf & Nagarajan 2007, NIPS 20]
 * bln_slm_fit takes MacKay's steps, and MM's where the evidence fell, when it has no basis parameters to learn. */
typedef enum bln_fixed_point { BLN_FIXED_POINT_MACKAY, BLN_FIXED_POINT_EM, BLN_FIXED_POINT_MM } bln_fixed_point;

/* The new sigma^2. N: sum of the weights of the rows, > 0. Where nothing is left to learn it from, N - gamma <= 0, it stays
 * (MacKay, MM). */
BLN_API double bln_fixed_point_noise_var(bln_fixed_point rule, double noise_var, double N, double rss, double gamma);

/* The new lambda_s of a slice of n >= 1 weights, lambda_s finite. mm: sum of their m_i^2; gamma: of their gamma_i (by S8, so that
 * it is not 0 by rounding; sum C_ii = lambda_s (n - gamma)). gamma <= 0 switches the slice off: 0 (MacKay, MM). */
BLN_API double bln_fixed_point_prior_var(bln_fixed_point rule, double prior_var, size_t n, double mm, double gamma);

/* ---------------------------------------------------------------- src/model/slm.h */
/* >>slm - the standard Bayesian linear model
 *
 *     y_n = offset_n + phi(x_n; theta)'w + e_n,   e_n ~ N(0, sigma^2 / omega_n),   w ~ N(0, Lambda),
 *
 * Lambda holds one variance lambda_s for each slice of the basis. sigma^2, lambda_s and theta maximise the evidence
 * p(y | sigma^2, lambda, theta) times a weak prior of theta, exactly and with exact gradients (L-BFGS; parameters of one
 * group, such as the length scales of a kernel, are first moved together). The posterior of w given them is exact.
 *     [spec/slm.md S1-S17; Bishop 2006, 3.3-3.5; MacKay 1992; Rasmussen & Williams 2006, 5.4]
 *
 * The prior of theta: log theta_k ~ N(log start_k, theta_sd^2) for positive parameters. Length scales start at sqrt(d) sd(x_i), so
 * that a factor of e either way costs half a nat. It keeps a dozen length scales from fitting the noise of a few hundred rows: on
 * five folds of Boston housing (404 rows, 13 length scales, exact GP) MSLL is -1.161 without it and -1.181 with it; with many rows
 * it hardly matters.
 *
 * A row of weight k counts as k copies; a row of noise_var v has omega = 1/v.
 *
 * A flat prior (infinite lambda_s) for the p_f weights of some slices, an intercept's for one: their density is 1 everywhere, the
 * evidence is that of the data with these weights integrated out (restricted likelihood; Patterson & Thompson 1971), the limit of
 *     log p(y) + 1/2 sum_flat log(2 pi lambda_i)   for lambda_i -> infinity
 *     = -1/2 [ (N - p_f) log 2 pi + N log sigma^2 - ld + log|B| - 2 sum_flat log s_i + q ],  B = diag(0 flat, 1 else) + S G
 *     S/sigma^2,
 * with any scale s_i > 0 for a flat weight; gamma_i = 1, and all gradients keep their form. With flat weights only, sigma^2 =
 * RSS/(N - p) and the posterior are those of least squares: mean, standard errors; a perfect fit gives sigma^2 = 0 and
 * evidence infinity. Flat weights that the data do not determine (dependent features) are BLN_ENOTPD; the report's column is
 * the feature. In double a feature counts as dependent when what those before leave of it may be rounding alone: of the powers of
 * the years 1960 to 2019, x^4 does; in three doubles x^8.
 *
 * SEVERAL OUTPUTS share the features and their parameters: with Y and offset n x P, row i's noise and the weights of feature j in
 * all outputs together are
 *     Y = offset + Phi W + E,   E_i. ~ N(0, Sigma/omega_i),   W_j. ~ N(0, r_s Sigma)   (j in slice s)                  [S41, S42]
 * with P x P Sigma: diagonal (each output has its own noise variance, and prior variances in proportion to it), full (outputs whose
 * noise and functions are correlated), or sigma^2 I. Whatever P is, one Cholesky factor does for all: with K~ = Omega^-1 +
 * Phi R Phi',
 *     log p(Y) = -1/2 [N P log 2 pi + N log|Sigma| + P log|K~| + tr(Sigma^-1 Y'K~^-1 Y)],   at best Sigma = Y'K~^-1 Y/N
 * (its diagonal, its mean diagonal entry; N - p_f for N, here too, with flat weights), so that only the ratios r_s and theta are
 * searched for: the evidence is profiled (S23). The posterior of W has Cov(w_jp, w_kq) = Sigma_pq C~_jk. A diagonal or full Sigma
 * makes everything equivariant when an output changes its unit; with a full one, for any linear map of the outputs. */

typedef enum bln_slm_form {
    BLN_SLM_AUTO,        /* dual if n < D, else primal                                                               */
    BLN_SLM_PRIMAL,      /* D x D: two streaming passes, memory O(D^2 + block D), 3 n D^2 + D^3 flops an evaluation   */
    BLN_SLM_DUAL         /* n x n: memory O(n^2 + n D), 3 n^2 D + n^3/3 flops an evaluation                            */
} bln_slm_form;

typedef enum bln_slm_arithmetic {
    BLN_SLM_ARITHMETIC_AUTO,   /* exact for up to 16 features without parameters to learn, else double                  */
    BLN_SLM_DOUBLE,
    BLN_SLM_EXACT              /* statistics, factor and solution in three doubles (>>exact); about 100 times the cost of double.
                                  Not with theta to learn: then, and on x87, it is double                               */
} bln_slm_arithmetic;

/* What Sigma, the noise covariance of the outputs, may be. */
typedef enum bln_slm_sigma {
    BLN_SLM_DIAGONAL,    /* a noise variance for each output                                                          */
    BLN_SLM_CORRELATED,  /* any covariance; needs more rows than outputs, and outputs none of which follows from the others */
    BLN_SLM_SHARED       /* sigma^2 I: outputs of one unit, with the same noise and prior variances                   */
} bln_slm_sigma;

/* What a monitor sees after each step. */
typedef struct bln_slm_progress {
    size_t start, starts;              /* which start the step belongs to (0-based), of how many */
    size_t iteration, evaluations;     /* steps and evaluations so far, all starts   */
    double objective;                  /* log p(y) + log prior(theta) after the step */
    double gradient_norm;              /* there; NaN after a fixed-point step, which has none */
    double best;                       /* the best objective so far                  */
} bln_slm_progress;

/* BLN_OK: go on. BLN_ESTOPPED: stop here, keep what was learnt. Anything else: fail with it. */
typedef bln_status (*bln_slm_monitor)(void *user, const bln_slm_progress *progress);

typedef struct bln_slm_desc {
    const bln_basis *basis;            /* borrowed; must outlive the model                       (required)              */
    bln_slm_form     form;             /*                                                        (0: auto)               */
    bln_slm_arithmetic arithmetic;     /*                                                        (0: auto)               */
    size_t           n_outputs;        /* P, columns of y                                        (0: 1)                  */
    bln_slm_sigma    sigma;            /*                                                        (0: diagonal)           */
    double           noise_var;        /* sigma^2, in [y]^2: its start                           (0: from the data)      */
    const double    *noise_cov;        /* P x P, with fix_noise_var: Sigma, of which the upper triangle is read, and for a diagonal
                                          one the diagonal                                       (NULL: noise_var I)     */
    int              relative_prior;   /* prior_var are ratios r_s = lambda_s/sigma^2; the best sigma^2 is then in closed form, and
                                          the search has a dimension less (S23)      (0: only with several outputs not shared) */
    int              per_weight;       /* a prior variance for each weight, so that the evidence switches weights off one by one
                                          (automatic relevance determination; Tipping 2001)      (0: one for each slice)  */
    const double    *prior_var;        /* n_slices (or D) prior variances: their starts, 0 from the data, or HUGE_VAL: a flat
                                          prior, which stays flat                                (NULL: from the data)   */
    const double    *theta;            /* n_theta basis parameters: their starts                 (NULL: the basis's own)  */
    int              fix_noise_var;    /* keep noise_var, or noise_cov                           (0: learn)              */
    int              fix_prior_var;    /* keep the prior variances at their starts               (0: learn)              */
    int              fix_theta;        /* keep the basis parameters at their starts              (0: learn)              */
    double           theta_sd;         /* sd of log theta in its prior, see above                (0: 1; HUGE_VAL: no prior) */
    size_t           starts;           /* searches, the first from the start above, the others from random ones (0: 1)   */
    uint64_t         seed;             /* of the random starts                                   (0: seed 0)             */
    size_t           max_iterations;   /* steps of each start, of all its stages together        (0: 300)                */
    double           tolerance;        /* relative progress of the evidence at which to stop, that of y in units of its standard
                                          deviation; or largest gradient, if less than 1e-6      (0: 1e-6)               */
    size_t           block;            /* rows of a block                                        (0: 256)                */
    bln_slm_monitor  monitor;          /* called after every step of a fit                       (NULL: none)            */
    void            *monitor_user;
    bln_allocator    alloc;            /*                                                        (zero: malloc)          */
} bln_slm_desc;

typedef struct bln_slm bln_slm;

BLN_API bln_slm_desc bln_slm_defaults(const bln_slm_desc *desc);
BLN_API const char  *bln_slm_check(const bln_slm_desc *desc);

/* Bytes that a model holds between calls, and bytes in all (the former included) at the peak of its first fit to n rows. SIZE_MAX:
 * overflow, or no basis. */
BLN_API size_t bln_slm_size(const bln_slm_desc *desc, size_t n);
BLN_API size_t bln_slm_fit_size(const bln_slm_desc *desc, size_t n);

/* An unfitted model.   BLN_EINVAL: see _check.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_slm_create(const bln_slm_desc *desc, bln_slm **out, bln_report *report);
BLN_API void       bln_slm_free(bln_slm *slm);                             /* NULL is fine */

/* Learns from a data set, or from a source of blocks (always primal unless form is dual, in which case the rows are gathered).
 * BLN_OK also when the optimiser stopped early: the report's stop says why. With several starts, stop and gradient_norm are those
 * of the start that the result comes from; iterations and evaluations count all.
 * BLN_EINVAL, BLN_ESHAPE: data.d is not basis.d, or data.p not n_outputs; no rows.  BLN_EDATA, BLN_EDOMAIN: see bln_data_check.
 * BLN_EUNDEFINED: all targets equal and the noise variance is to be learnt; of several outputs, one without noise of its own (all
 * equal; a full Sigma: it follows from those before it, or is fitted perfectly); the report's column d + k names output k.
 * BLN_ENUMERIC, BLN_ENOTPD: overflow; scale the data.  BLN_ENOMEM,
 * BLN_EOVERFLOW.  What a source or the monitor returned. On failure the model stays as it was: unfitted, or with its former fit. */
BLN_API bln_status bln_slm_fit(bln_slm *slm, const bln_data *data, bln_report *report);
BLN_API bln_status bln_slm_fit_source(bln_slm *slm, const bln_source *source, bln_report *report);

/* Learns from sufficient statistics, with theta as it is in them and fixed: cost and memory do not depend on the number of
 * rows. The statistics must be of the model's basis, and decide on the arithmetic. Without rows to ask again, RSS keeps no
 * more digits than its difference leaves: use exact statistics when the fit may be nearly perfect.   Errors as bln_slm_fit;
 * BLN_ESHAPE: of another basis (bln_basis_fingerprint); BLN_EINVAL: a dual form. */
BLN_API bln_status bln_slm_fit_statistics(bln_slm *slm, const bln_statistics *statistics, bln_report *report);

/* The same in steps: init, step until converged, finish (which computes the posterior at the best point so far and makes it
 * the model's). What init is given must stay as it is until finish, or bln_slm_abandon, which drops the fit. The monitor is
 * not called. */
BLN_API bln_status bln_slm_init(bln_slm *slm, const bln_data *data, bln_report *report);
BLN_API bln_status bln_slm_init_source(bln_slm *slm, const bln_source *source, bln_report *report);
BLN_API bln_status bln_slm_step(bln_slm *slm, bln_report *report);
BLN_API int        bln_slm_converged(const bln_slm *slm);
BLN_API bln_status bln_slm_finish(bln_slm *slm, bln_report *report);
BLN_API void       bln_slm_abandon(bln_slm *slm);

/* log p(y | hyper-parameters) and its gradient at any point, without fitting. Each gradient may be NULL.
 *     d_noise: d/d log sigma^2      d_prior: n_slices or D, d/d log lambda_s  (S13, S14)      d_theta: n_theta, d/d theta_k
 *     (S15, S16)
 * Several outputs: Sigma = noise_var I. Where prior_var are ratios (relative_prior), they are kept in d_noise.
 * Errors as bln_slm_fit. The model is not changed. */
BLN_API bln_status bln_slm_evidence_at(const bln_slm *slm, const bln_data *data, double noise_var, const double *prior_var,
                                       const double *theta, double *evidence, double *d_noise, double *d_prior, double *d_theta,
                                       bln_report *report);

/* The same at any Sigma, for models whose prior_var are ratios.
 *     noise_cov  P x P: Sigma, of which the upper triangle is read, or, unless the model's is a full one, the diagonal; NULL: the
 *                best one of the model's kind for these ratios and theta; the evidence and the gradients are then those of the
 *                profile (S23)
 *     sigma      P x P out: Sigma, or that best one; NULL to skip it
 *     d_cov      P x P out: d/d Sigma_pq = 1/2 (Sigma^-1 Q Sigma^-1 - N Sigma^-1), Q = Y'K~^-1 Y, so that a symmetric change dSigma
 *                changes the evidence by sum_pq d_cov_pq dSigma_pq; NULL to skip it
 * BLN_EINVAL: prior_var are not ratios.  BLN_EDOMAIN: noise_cov not positive definite.  BLN_EUNDEFINED: see bln_slm_fit. Else as
 * above. */
BLN_API bln_status bln_slm_evidence_outputs(const bln_slm *slm, const bln_data *data, const double *noise_cov,
                                            const double *prior_var, const double *theta, double *evidence, double *sigma,
                                            double *d_cov, double *d_prior, double *d_theta, bln_report *report);

/* What was learnt. Unfitted: NULL, and NaN for numbers. Valid until the next fit or free. */
BLN_API const bln_basis    *bln_slm_basis(const bln_slm *slm);
BLN_API const bln_gaussian *bln_slm_posterior(const bln_slm *slm);          /* of the weights: P of them, one for each output */
BLN_API size_t              bln_slm_outputs(const bln_slm *slm);            /* P, unfitted too */
BLN_API const double       *bln_slm_theta(const bln_slm *slm);              /* n_theta  */
BLN_API const double       *bln_slm_prior_var(const bln_slm *slm);          /* n_slices, or D if per_weight; ratios if relative */
BLN_API double              bln_slm_noise_var(const bln_slm *slm);          /* NaN where outputs have different ones */
BLN_API const double       *bln_slm_noise_cov(const bln_slm *slm);          /* P x P, both triangles: Sigma */
BLN_API double              bln_slm_evidence(const bln_slm *slm);           /* log p(y) at the learnt point */
BLN_API double              bln_slm_rows(const bln_slm *slm);               /* N = sum of weights of the data fitted */

/* Predictions at the rows of `data` (y is not read; offset is added, noise_var scales the noise). Any output may be NULL.
 *     mean: of f and of y      var_latent: of f      var_total: of y = var_latent + sigma^2 v      each n, or n x P
 * At one row, the covariance of outputs p and q is Sigma_pq/Sigma_pp times the variance of output p, latent or total.
 * work: bln_slm_predict_work(slm) doubles, or NULL to allocate.
 * BLN_ESTATE: not fitted.  BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN as for fit.  BLN_ENUMERIC: a result overflows (the
 * report names its row; the outputs are unspecified).  BLN_ENOMEM: only if work is NULL. */
BLN_API bln_status bln_slm_predict(const bln_slm *slm, const bln_data *data, double *mean, double *var_latent,
                                   double *var_total, double *work, bln_report *report);
BLN_API size_t     bln_slm_predict_work(const bln_slm *slm);

/* The coefficient table: sd[j] = sqrt(C_jj), j = 0..D-1, of P outputs one after the other (P x D); means are
 * bln_slm_posterior(slm)[p].m, names bln_basis_feature_name, intervals m +- z sd.   BLN_ESTATE, BLN_ENOMEM. */
BLN_API bln_status bln_slm_coefficient_sd(const bln_slm *slm, double *sd);

/* Writes a fitted model with its basis, and reads one. A loaded model owns its basis; it predicts, and can be fitted again
 * with default options (those of the first fit are not kept).
 * save: BLN_ESTATE (not fitted), BLN_EUNKNOWN (a basis that has no save), BLN_EIO.
 * load: what the reader says; BLN_EFORMAT; BLN_EUNKNOWN; BLN_ENOMEM. */
BLN_API bln_status bln_slm_save(const bln_slm *slm, bln_writer *w);
BLN_API bln_status bln_slm_load(const bln_basis_load *context, bln_reader *r, bln_slm **out);

/* ---------------------------------------------------------------- src/model/slm_loo.h */
/* >>slm_loo - the linear model without a row, a group of rows, or a feature: exact, and without fitting again
 *
 * Hyper-parameters stay as they were learnt. With residuals r = y - offset - Phi m of the fit, W = Omega_I^1/2 Phi_I and
 * H = W C W'/sigma^2 for the rows I that are left out:                            [spec/slm.md S39, S40; Rasmussen & Williams 5.12]
 *
 *     one row     h = omega v_f/sigma^2 (its leverage),  mean of y = f - r h/(1 - h),  variance of y = sigma^2 v + v_f/(1 - h)
 *     a group     mean of f = f_I - P Omega^1/2 (I - H)^-1 Omega^1/2 r_I/sigma^2,   P = Phi_I C Phi_I'
 *                 covariance of f = P + P Omega^1/2 (I - H)^-1 Omega^1/2 P/sigma^2
 *
 * Rows of weight k count as k copies, and leaving out such a row leaves out all its copies (a row of weight 0 was never in: what
 * comes out is its ordinary prediction). Means and variances are those of ONE copy of each row: one new measurement there, of
 * noise variance sigma^2 v.
 *
 * The data must be those of the fit, with their weights: all rows, since their total weight is compared with that of the fit, and,
 * if the posterior is in low-rank form, in the order of the fit, since V knows the rows by their place.
 *
 * Several outputs: a row is left out with all of them, and h is the same for all. The covariance of outputs p and q, of y at one
 * row or of a group, is Sigma_pq/Sigma_pp times that of output p.
 *
 * Leverage 1: where next to nothing but the rows left out determines a direction of the weights (an indicator that only they have,
 * under a wide prior), their prediction is lost in rounding: of 1 - h, which is a difference in factor form, about eps/(1 - h); in
 * low-rank form, where it is a sum of squares, eps omega phi'Lambda phi/sigma^2 whatever h is. When more than 1e-5 would be lost
 * (by this estimate), the row or group gets NaN in every output, all others their values, and the call ends with BLN_EUNDEFINED;
 * the report names the first such row.
 *
 * Errors of all calls:  BLN_EINVAL: NULL; other data than those of the fit (total weight, or order in low-rank form).
 * BLN_ESTATE: not fitted.  BLN_ESHAPE: data.d is not basis.d; other than k rows for a posterior in low-rank form of rank k.
 * BLN_EDATA, BLN_EDOMAIN: see bln_data_check.  BLN_EUNDEFINED: see above.  BLN_ENUMERIC: a result overflows (the report names its
 * row).  BLN_ENOMEM, BLN_EOVERFLOW. After an error other than BLN_EUNDEFINED the outputs are unspecified. */

/* Leave-one-out: for each of the n rows the mean and variance of y without it (n each, or n x P), and its leverage h (n); each or
 * NULL. *score: sum over rows of weight x log N(y | mean, var), every copy scored by itself, outputs together (with their
 * covariance); divided by bln_slm_rows it is a mean log score. NULL to skip it.
 * work: bln_slm_loo_work(slm) doubles, or NULL to allocate.   D^2 flops a row (2 D k in low-rank form), one pass over the rows
 * in blocks */
BLN_API bln_status bln_slm_loo(const bln_slm *slm, const bln_data *data, double *mean, double *var, double *leverage, double *score,
                               double *work, bln_report *report);

/* The same from a source. The outputs have room for `room` rows each: more is BLN_ESHAPE, unless all three are NULL. What the
 * source returned is handed on. */
BLN_API bln_status bln_slm_loo_source(const bln_slm *slm, const bln_source *source, size_t room, double *mean, double *var,
                                      double *leverage, double *score, double *work, bln_report *report);
/* Doubles of workspace for both; SIZE_MAX on overflow, 0 for an unfitted model. */
BLN_API size_t     bln_slm_loo_work(const bln_slm *slm);

/* Leave-group-out, one group: the m rows rows[0..m-1] (indices into data, all different, in any order, which the outputs follow).
 *     mean     m, or m x P: means of y
 *     cov      m x m (stride ldc, 0 means m), both triangles: covariance of y, one copy of each row; with several outputs of the
 *              first one
 *     *logp    log density of all copies of all rows of the group together, given the other rows, in nats: the difference
 *              log p(y) - log p(y without the group)
 *                  = -1/2 [N_I log(2 pi sigma^2) - ld_I - log|I - H| + r'Omega^1/2 (I - H)^-1 Omega^1/2 r/sigma^2],
 *              N_I and ld_I the sums of weight and of weight log(1/v)
 * Each may be NULL. m = 0: logp = 0.
 * m D^2 + m^2 D + 2 m^3 flops (2 m D k for the first term in low-rank form) and m (2 D + 2 k) + 3 m^2 doubles from the model's
 * allocator; without cov, in factor form, at most 4 m D^2 + D^3 flops and 2 D^2 + 2 block D doubles, however large m is.
 * Besides the errors above, BLN_EINVAL: an index >= n, or one that stands twice (the report's row is its place in rows). */
BLN_API bln_status bln_slm_leave_out(const bln_slm *slm, const bln_data *data, size_t m, const size_t *rows, double *mean,
                                     double *cov, size_t ldc, double *logp, bln_report *report);

/* All groups, each left out by itself (exact cross-validation at fixed hyper-parameters): group[i] < n_groups is row i's group.
 *     mean, var     n, or n x P: of y_i without its group
 *     logp          n_groups: as above, one for each group (0 for one without rows)
 * Each may be NULL. Costs of bln_slm_leave_out without cov, summed over the groups; memory that of the largest one, and
 * n + n_groups indices. A group that is undefined has NaN for its logp too.
 * Besides the errors above, BLN_EDOMAIN: group[i] >= n_groups (the report names row i). */
BLN_API bln_status bln_slm_leave_groups_out(const bln_slm *slm, const bln_data *data, const size_t *group, size_t n_groups,
                                            double *mean, double *var, double *logp, bln_report *report);

/* Relevance of the features, D entries each; either may be NULL:
 *     gamma[i] = 1 - C_ii/lambda_i, in [0, 1]: how far the data determine w_i; 0 leaves it at its prior                 (S8)
 *     loss[i]  = log p(y) - log p(y | lambda_i = 0) = 1/2 [log(1 - gamma_i) + (m_i^2/lambda_i)/(1 - gamma_i)]            (S33, S34)
 *                (of several outputs P log(1 - gamma_i), and m_i Sigma^-1 m_i'/r_i; Sigma stays)
 *                the evidence lost, in nats, when feature i is removed and all else stays; below 0 the model is better without it
 * A feature with a flat prior has gamma = 1, and as evidence that of its density 1 (>>slm), in the units of w_i:
 *     loss[i]  = 1/2 [log(2 pi C_ii) + m_i^2/C_ii]
 * From the posterior alone. gamma to about D eps absolute (in low-rank form to full relative accuracy). 0 and 0 for a
 * feature with lambda_i = 0. Second formula: S33 with s_i, q_i written out, where 1 + lambda_i s_i = 1/(1 - gamma_i).
 *     D^3/3 flops, or D k
 * BLN_EINVAL: slm is NULL.  BLN_ESTATE: not fitted.  BLN_ENUMERIC: 1 - gamma_i is lost in rounding, or a loss overflows (the
 * report's column is i).  BLN_ENOMEM. */
BLN_API bln_status bln_slm_relevance(const bln_slm *slm, double *gamma, double *loss, bln_report *report);

/* ---------------------------------------------------------------- src/model/slm_sample.h */
/* >>slm_sample - joint draws from the linear model, and the slopes of its predictions
 *
 * Draws are exact: of the weights, of f jointly over any number of points and outputs, of y. All points of a draw share its
 * weights, so a draw of f is one function; a call for other points with the same seed and stream goes on with the same function.
 *     f = offset + Phi w,   w ~ N(m, C);   y = f + sigma sqrt(v) e                                       [spec/slm.md S37, S38] */
typedef struct bln_slm_draws {
    size_t   n;            /* draws                                                                             (0: 1)      */
    uint64_t seed;         /*                                                                                   (0: seed 0) */
    uint64_t stream;       /* draw i has the streams of `stream` + i, so that draws can be split over calls     (0)         */
    int      noise;        /* draws of y rather than of f                                                       (0: f)      */
    size_t   first_row;    /* number of the first row of the data, to which the noise is keyed, for points that
                              come in parts                                                                     (0)         */
} bln_slm_draws;

/* Draws of the weights into the rows of W: draws->n x D, or x P D, the weights of one output after those of the other, stride ldw
 * (0 means P D). noise and first_row are not looked at.
 * prior: NULL, or the same shape: the draws are then made by Matheron's rule, and prior gets the prior paths that belong to them
 * (S38, see >>sample). For the same key, draws with and without prior paths differ, but in low-rank form.
 * work: bln_slm_sample_work(slm, draws, with or without prior) doubles, or NULL to allocate.
 * BLN_EINVAL: NULL, or ldw < P D.  BLN_ESTATE: not fitted.  BLN_EUNDEFINED: prior paths of a flat prior (the report's column is
 * the feature).  BLN_ENOTPD, BLN_ENUMERIC: the posterior overflows.  BLN_ENOMEM,
 * BLN_EOVERFLOW. */
BLN_API bln_status bln_slm_sample_weights(const bln_slm *slm, const bln_slm_draws *draws, double *W, double *prior, size_t ldw,
                                          double *work, bln_report *report);

/* Draws of f, or of y, at the rows of data (its y is not read): out is draws->n x data->n P, stride ldo (0 means data->n P);
 * row r is one draw over all points, the P outputs of a point together. prior: as above, the prior paths of f, offset included, at
 * the same points.
 *     D^2 flops a draw (see >>sample), 2 D flops a draw and point; features are made in blocks of rows
 * Errors as above, and BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN as for bln_slm_predict. */
BLN_API bln_status bln_slm_sample(const bln_slm *slm, const bln_slm_draws *draws, const bln_data *data, double *out, double *prior,
                                  size_t ldo, double *work, bln_report *report);
/* Doubles of workspace for both: draws->n P D (twice with prior), and O(D^2 + block D). SIZE_MAX on overflow; 0 when not fitted. */
BLN_API size_t     bln_slm_sample_work(const bln_slm *slm, const bln_slm_draws *draws, int with_prior);

/* Slopes of the predictions at the rows of data with respect to the inputs: dmean of the mean, dvar of the latent variance and so
 * of the total one (v and offset count as constants); data->n x P data->d each, the slopes of one output after those of the other,
 * stride lddx (0 means P data->d); either may be NULL.
 * See bln_predict_gradient.
 * work: bln_slm_predict_gradient_work(slm) doubles, or NULL to allocate.   2 D^2 flops a row and P + 1 pullbacks
 * BLN_EINVAL: NULL; lddx < P d; the basis, or a part of it, has no pullback.  BLN_ESTATE, BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN,
 * BLN_ENUMERIC as for bln_slm_predict.  BLN_ENOMEM, BLN_EOVERFLOW: only if work is NULL. */
BLN_API bln_status bln_slm_predict_gradient(const bln_slm *slm, const bln_data *data, double *dmean, double *dvar, size_t lddx,
                                            double *work, bln_report *report);
/* Doubles of workspace; SIZE_MAX on overflow; 0 for an unfitted model. */
BLN_API size_t     bln_slm_predict_gradient_work(const bln_slm *slm);

/* ---------------------------------------------------------------- src/model/slm_integrated.h */
/* >>slm_integrated - the linear model for few data: noise and prior variances integrated out
 *
 *     y_n = offset_n + phi(x_n)'w + e_n,   e_n ~ N(0, sigma^2/omega_n),   w_i ~ N(0, sigma^2 r_s) for i in slice s,
 *     p(sigma^2) ~ (sigma^2)^-(a+1) exp(-b/sigma^2)   (a = b = 0: 1/sigma^2),   tau_s = h_s sqrt(r_s) ~ half-Cauchy(10)
 *
 * >>slm puts in its best guess of sigma^2 and lambda; with a dozen rows that claims too much. Here sigma^2 is integrated in closed
 * form and the ratios r_s = lambda_s/sigma^2 by quadrature, at fixed basis parameters. With c, G, b of S2 (>>statistics), p_f flat
 * weights (density 1 everywhere, as in >>slm), S = diag(sqrt(r), any t > 0 where flat) and B = diag(0 flat, 1 else) + S G S:
 *     q  = c - b'S B^-1 S b,    nu = N - p_f + 2a,    m = S B^-1 S b,
 *     log p(y | r) = -1/2 [(N - p_f) log 2 pi - ld + log|B| - 2 sum_flat log t_i] + log Gamma(nu/2) - nu/2 log(q/2 + b) + log k,
 *     y* | y, r ~ Student-t,  nu degrees of freedom, location offset* + phi*'m, squared scale (q + 2b)/nu (v* + phi*'S B^-1 S phi*)
 * (log k = a log b - log Gamma(a) if both are > 0; else the prior is improper and k = 1). [Zellner 1971, 3.2 and 4.1; Gelman 2006
 * for the half-Cauchy.]  The predictive of y* is the mixture of these t's over p(r | y), and so is the posterior of each weight.
 *
 * tau_s is sqrt(r_s) in standardised units: sd of the contribution of a typical feature of slice s, in units of sigma. h_s is the
 * root mean square (weights omega) over the rows and over the features of the slice, of what the flat features leave of a feature
 * (its least-squares residual on them). With a flat intercept and one feature x in a slice, h_s is the standard deviation of x and
 * tau the prior sd of the slope of the standardised x, in units of sigma. A feature that the flat ones explain wholly counts with
 * its own root mean square, a feature that is 0 everywhere with 1. So predictions do not change when y or all features of a
 * slice are scaled, nor, with a flat intercept, when inputs are shifted.
 *
 * The quadrature: trapezoids in u with log tau = centre + width sinh(u), centre and width from the integrand's mode, out to where
 * the integrand has fallen by e^-30 (one ratio), e^-23 (two), e^-18 (three, a tensor grid). The integrand is analytic and falls
 * exponentially, so the error falls faster than any power of the number of nodes; with the default number it is below 1e-11 of the
 * result with one ratio, 1e-8 with two, 1e-5 with three. Up to three ratios are integrated; fix the others.
 *     Memory: K (D'^2 + D') doubles for K nodes of weight above 1e-16 and D' weights that are not flat. Statistics are taken in
 *     three doubles up to D = 16 (see arithmetic): a perfect fit is seen as one. */
typedef struct bln_slm_integrated bln_slm_integrated;

/* log density of tau_s > 0, up to a constant (which enters the evidence); -infinity where it has none. */
typedef double (*bln_slm_log_prior)(void *user, size_t slice, double tau);

typedef struct bln_slm_integrated_desc {
    const bln_basis *basis;            /* borrowed; must outlive the model                        (required)              */
    const double    *theta;            /* n_theta basis parameters, for _fit; copied              (NULL: the basis's own) */
    const double    *ratio;            /* n_slices: 0 integrate, > 0 fixed r_s, HUGE_VAL flat; copied (NULL: integrate all) */
    double           prior_scale;      /* scale of the half-Cauchy on tau_s                       (0: 10)                 */
    bln_slm_log_prior log_prior;       /* another prior on tau_s                                  (NULL: half-Cauchy)     */
    void            *log_prior_user;
    double           noise_a, noise_b; /* inverse gamma prior of sigma^2; b in [y]^2              (0, 0: 1/sigma^2)       */
    size_t           nodes;            /* of each ratio, >= 8                             (0: 96; 48 for two, 24 for three) */
    bln_slm_arithmetic arithmetic;     /* of the statistics that _fit makes   (0: exact up to 16 features, else double)    */
    size_t           block;            /* rows of a block                                         (0: 256)                */
    bln_allocator    alloc;            /*                                                         (zero: malloc)          */
} bln_slm_integrated_desc;

/* The description with its defaults filled in; and NULL, or the reason why it cannot be used (more than three ratios to integrate,
 * a number outside its range, fewer than 8 nodes, half an allocator). */
BLN_API bln_slm_integrated_desc bln_slm_integrated_defaults(const bln_slm_integrated_desc *desc);
BLN_API const char             *bln_slm_integrated_check(const bln_slm_integrated_desc *desc);

/* An unfitted model.   BLN_EINVAL: see _check.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_slm_integrated_create(const bln_slm_integrated_desc *desc, bln_slm_integrated **out, bln_report *report);
BLN_API void       bln_slm_integrated_free(bln_slm_integrated *model);                  /* NULL is fine */

/* Posterior of a data set, or of sufficient statistics at their theta. The report's objective is the evidence, its evaluations the
 * number of ratios tried. Cost: the statistics, then O(D'^3) for each node.
 * BLN_EINVAL, BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN: as bln_slm_fit_statistics.
 * BLN_EUNDEFINED: the posterior is improper: N - p_f + 2a <= 0, or the integrand does not fall off within e^-80 < tau < e^80.
 * BLN_ENOTPD: flat weights that the data do not determine; the report's column is the feature.
 * BLN_ENUMERIC: overflow (scale the data), or a log_prior that is NaN or +infinity.  BLN_ENOMEM, BLN_EOVERFLOW.
 * A perfect fit is a result: sigma^2 = 0, one node, evidence infinity. BLN_EUNDEFINED if it does not determine the weights.
 * On failure the model stays as it was. */
BLN_API bln_status bln_slm_integrated_fit(bln_slm_integrated *model, const bln_data *data, bln_report *report);
BLN_API bln_status bln_slm_integrated_fit_statistics(bln_slm_integrated *model, const bln_statistics *statistics,
                                                     bln_report *report);

/* Basis and, once fitted, the basis parameters of the fit (n_theta; unfitted: NULL). */
BLN_API const bln_basis *bln_slm_integrated_basis(const bln_slm_integrated *model);
BLN_API const double    *bln_slm_integrated_theta(const bln_slm_integrated *model);

/* What was learnt. Unfitted: NaN and 0. N = sum of weights of the data fitted; log p(y) as above, in nats; degrees of freedom nu;
 * h_s; and the nodes: weights that sum to 1, largest index nodes - 1; ratio (n_slices; HUGE_VAL where flat) may be NULL;
 * noise_var = (q + 2b)/nu, the squared scale of one new row (v = 1) less that of the weights.
 * BLN_ESTATE, BLN_EINVAL: k >= nodes. */
BLN_API double     bln_slm_integrated_rows(const bln_slm_integrated *model);
BLN_API double     bln_slm_integrated_evidence(const bln_slm_integrated *model);
BLN_API double     bln_slm_integrated_dof(const bln_slm_integrated *model);
BLN_API double     bln_slm_integrated_unit(const bln_slm_integrated *model, size_t slice);
BLN_API size_t     bln_slm_integrated_nodes(const bln_slm_integrated *model);
BLN_API bln_status bln_slm_integrated_node(const bln_slm_integrated *model, size_t k, double *weight, double *ratio,
                                           double *noise_var);

/* What predict is asked for; set to zero what is not wanted. */
typedef struct bln_slm_integrated_outputs {
    double *mean, *var_latent, *var_total;
    double *cdf, *log_density;
    size_t n_level;
    const double *level;
    int     latent;
    double *quantile;
} bln_slm_integrated_outputs;

/* Predictions at the rows of `data` (offset and noise_var count). Any output may be NULL.
 *     mean: of f and of y; NaN unless nu > 1      var_latent: of f, var_total: of y; infinite for 1 < nu <= 2, NaN below
 *     cdf, log_density: of y at the row's own y, which is read if one of them is asked for
 *     quantile: n x n_level: of y, or of f if latent != 0, at the probabilities level[] in (0, 1); {0.025, 0.975} make the central
 *     95 % interval. To 1e-13 of their distance from the centre.
 * work: bln_slm_integrated_predict_work(model) doubles, or NULL to allocate. K (D'^2 + 100 n_level) operations a row.
 * BLN_ESTATE: not fitted.  BLN_ESHAPE, BLN_EDATA, BLN_EDOMAIN as for fit; BLN_EDOMAIN also: a level outside (0, 1).
 * BLN_ENUMERIC: overflow in a row, which the report names.  BLN_ENOMEM: only if work is NULL. */
BLN_API bln_status bln_slm_integrated_predict(const bln_slm_integrated *model, const bln_data *data,
                                              const bln_slm_integrated_outputs *out, double *work, bln_report *report);
BLN_API size_t     bln_slm_integrated_predict_work(const bln_slm_integrated *model);

/* The coefficient table: posterior mean and sd of each weight (D each; where they exist, as above) and its quantiles (D x n_level).
 * Any output may be NULL.   BLN_EINVAL, BLN_ESTATE, BLN_EDOMAIN: a level; BLN_ENOMEM. */
BLN_API bln_status bln_slm_integrated_coefficients(const bln_slm_integrated *model, double *mean, double *sd, size_t n_level,
                                                   const double *level, double *quantile);

/* Writes a fitted model with its basis, and reads one. A loaded model owns its basis, predicts to the bit what the saved one did,
 * and can be fitted again: with the saved ratios, priors and basis parameters, but the half-Cauchy prior (a log_prior is not kept)
 * and the default nodes.
 * save: BLN_EINVAL (NULL), BLN_ESTATE (not fitted), BLN_EUNKNOWN (a basis that has no save), BLN_EIO.
 * load: what the reader says; BLN_EFORMAT; BLN_EUNKNOWN; BLN_ENOMEM. */
BLN_API bln_status bln_slm_integrated_save(const bln_slm_integrated *model, bln_writer *w);
BLN_API bln_status bln_slm_integrated_load(const bln_basis_load *context, bln_reader *r, bln_slm_integrated **out);

/* ---------------------------------------------------------------- src/model/sequential.h */
/* >>sequential - the linear model one row at a time: exact posterior and one-step-ahead score after each
 *
 * The model of >>slm at given sigma^2, prior variances and theta (learnt before by bln_slm, or known), kept as a triangle:
 *
 *     [U z; 0 rho]'[U z; 0 rho] = [I 0; 0 0] + [Phi S  y]' Omega [Phi S  y]/sigma^2,    S = diag(sqrt(lambda_i)),
 *
 * whence B = U'U, m = S U^-1 z, C = S (U'U)^-1 S, q = rho^2 (S3-S6). A row is rotated into it, so that the condition of Phi is
 * never squared, which sums of squares (>>statistics in double) do: with c/(sigma^2 q) = 5e10 (S18) they keep 4 digits of q and
 * this keeps 11. Rows can be added, taken out again and forgotten, and the triangles of several sets of rows merged.
 *     [spec/slm.md S19, S25, S26, S28, S29; Golub & Van Loan 2013, 6.5.4]
 * Before it is added each row is predicted from those before it, y_n ~ N(phi_n'm + offset_n, sigma^2 v_n + phi_n'C phi_n). The logs
 * of these densities sum to the evidence (S26): an honest score of one-step-ahead forecasts that needs no test set.   [Dawid 1984]
 *
 * A row of weight k counts as k copies; noise_var v makes its noise variance sigma^2 v; offset is taken from y (bln_data).
 * Flat priors (HUGE_VAL) as in >>slm. Until the rows determine all flat weights there is no posterior and no forecast. (As far as
 * doubles can see: what is left of a feature after those before it must be more than 1e-13 of it.)
 * Memory: 2 (D+1)^2 + block (D+1) doubles and a little; nothing is allocated after _create. */
typedef struct bln_sequential bln_sequential;

typedef struct bln_sequential_desc {
    const bln_basis *basis;        /* borrowed; must outlive the model                                       (required)       */
    double           noise_var;    /* sigma^2, in [y]^2                                                      (> 0, required)  */
    const double    *prior_var;    /* n_slices (or D) prior variances >= 0, or HUGE_VAL: flat; copied        (required)       */
    int              per_weight;   /* prior_var has one for each weight                                      (0: each slice)  */
    const double    *theta;        /* n_theta basis parameters, copied                             (NULL: the basis's starts) */
    size_t           block;        /* rows of a block                                                        (0: 64)          */
    bln_allocator    alloc;        /*                                                                        (zero: malloc)   */
} bln_sequential_desc;

BLN_API const char *bln_sequential_check(const bln_sequential_desc *desc);

/* Bytes that a model holds. SIZE_MAX: overflow, or no basis. */
BLN_API size_t bln_sequential_size(const bln_sequential_desc *desc);

/* A model that has seen no rows.   BLN_EINVAL: see _check.  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_sequential_create(const bln_sequential_desc *desc, bln_sequential **out, bln_report *report);

/* The same with basis (borrowed), noise variance, prior variances, theta, block and allocator of a fitted model. Its rows are not
 * known here: add them, or go on without them.   BLN_EINVAL: NULL; slm has several outputs.  BLN_ESTATE: slm is not fitted.
 * BLN_EUNDEFINED: its noise variance is 0 (a perfect fit).  BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_sequential_create_from(const bln_slm *slm, bln_sequential **out, bln_report *report);
BLN_API void       bln_sequential_free(bln_sequential *t);                       /* NULL is fine */

/* Back to no rows. */
BLN_API void bln_sequential_clear(bln_sequential *t);

/* Adds n rows, and tells for each what the rows before it (those of this call too) forecast. n entries each, any may be NULL:
 *     mean, var   of y (of one copy): phi'm + offset and sigma^2 v + phi'C phi
 *     logp        log density, in nats, of all k copies of the row at the y that came: for k = 1 log N(y | mean, var), else
 *                 -1/2 [k log(2 pi sigma^2 v) + log(1 + k h) + k r^2/(sigma^2 v (1 + k h))],  h = phi'C phi/(sigma^2 v),  r = y -
 *                 mean; they sum to the change of the evidence
 * Without determined flat weights mean and logp are NaN and var is infinite.
 * 5 D^2 flops a row and D^2 a call; many rows in one call without forecasts go by blocks, 2 D^2 fast flops a row (results differ by
 * rounding).
 * BLN_EINVAL, BLN_ESHAPE: NULL, data.d is not basis.d.  BLN_EDATA, BLN_EDOMAIN: see bln_data_check.  BLN_ENUMERIC: squares of the
 * scaled features or of y overflow (the report's row). Nothing changes then. */
BLN_API bln_status bln_sequential_add(bln_sequential *t, const bln_data *data, double *mean, double *var, double *logp,
                                      bln_report *report);

/* Takes out rows that were added before, with the weight, noise_var, offset and y of then (S28). When as much weight goes as there
 * is, this is _clear, exactly.
 *     Digits: with leverage l = k phi'C phi/(sigma^2 v) < 1, C before, relative errors grow up to 1/(1 - l) times, and q keeps an
 *     absolute error of about 16 eps q of before.   6 D^2 flops a row and 2 D^2 a call
 * BLN_EUNDEFINED: rather than losing more than 8 digits (1 - l <= 1e-8, or an error of q above 1e-8 of the larger of 1 and q) it
 * refuses; the report names the row. So it does for most rows that were never added, but it cannot notice all. Build anew from the
 * rows that stay, then. Also with undetermined flat weights.  BLN_EDOMAIN: more weight than there is.  Else as _add.  Nothing
 * changes then. */
BLN_API bln_status bln_sequential_remove(bln_sequential *t, const bln_data *data, bln_report *report);

/* t <- the posterior of the rows of both (the prior counts once): the QR of both triangles [Demmel et al. 2012], less one
 * prior, which costs no digits: as much is left (1 - p'p >= 1/2).   4 D^3 flops
 * BLN_EINVAL: NULL.  BLN_ESHAPE: another basis (bln_basis_fingerprint), theta, noise variance or prior.  BLN_EUNDEFINED: flat
 * weights that both together do not determine. Nothing changes then. */
BLN_API bln_status bln_sequential_merge(bln_sequential *t, const bln_sequential *other, bln_report *report);

/* All rows so far count kappa in (0, 1] times as much; the prior is not forgotten (S29): before each new row for an effective
 * memory of 1/(1 - kappa) rows. (A row to be taken out later has kappa times its weight then.) The evidence is that of the tempered
 * likelihood; the forecasts are as honest as ever but no longer sum to it.   D^3 flops
 * BLN_EINVAL: NULL.  BLN_EDOMAIN: kappa outside (0, 1]. */
BLN_API bln_status bln_sequential_forget(bln_sequential *t, double kappa, bln_report *report);

/* The posterior, a view that is valid until the next change; the prior itself before any row. NULL: flat weights are not
 * determined. Everything that >>posterior, >>predict and the samplers can do with one. */
BLN_API const bln_gaussian *bln_sequential_posterior(const bln_sequential *t);

/* log p(y | sigma^2, lambda, theta) of the rows (S7; with flat priors as in >>slm), NaN with undetermined flat weights;
 * N = sum of the weights.   O(D) */
BLN_API double bln_sequential_evidence(const bln_sequential *t);
BLN_API double bln_sequential_rows(const bln_sequential *t);

/* Predictions at the rows of data, without adding them: as bln_slm_predict, with its errors, but BLN_EUNDEFINED: flat weights are
 * not determined.   work: bln_sequential_predict_work(t) doubles, or NULL to allocate. */
BLN_API bln_status bln_sequential_predict(const bln_sequential *t, const bln_data *data, double *mean, double *var_latent,
                                          double *var_total, double *work, bln_report *report);
BLN_API size_t     bln_sequential_predict_work(const bln_sequential *t);

/* As bytes, to travel or to wait. The basis does not travel: load makes t what was saved, and t must have an equal basis, the
 * same theta, noise variance and prior.   load: BLN_EINVAL: NULL.  BLN_ESHAPE: others.  BLN_EFORMAT: numbers that no model has.
 * What the reader says. Nothing changes then. */
BLN_API void       bln_sequential_save(const bln_sequential *t, bln_writer *w);
BLN_API bln_status bln_sequential_load(bln_sequential *t, bln_reader *r);

/* ---------------------------------------------------------------- src/use/metrics.h */
/* >>metrics - scores for predictions                                                                       [spec/metrics.md]
 *
 * y: truth; mean, var: predictive mean and variance, noise included. Weights play no part. All are one or a few passes, O(n), and
 * return BLN_EINVAL for n = 0 or a NULL array, BLN_EDATA for NaN or infinity, BLN_ENUMERIC if the score overflows, and leave *out
 * alone on failure, except that BLN_EUNDEFINED sets it to NaN. The report (cleared first) names the row. */
BLN_API bln_status bln_mse (size_t n, const double *y, const double *mean, double *out, bln_report *report);        /* (M1)  */
BLN_API bln_status bln_rmse(size_t n, const double *y, const double *mean, double *out, bln_report *report);        /* (M1)  */
BLN_API bln_status bln_mae (size_t n, const double *y, const double *mean, double *out, bln_report *report);        /* (M1)  */

/* MSE over the variance of the test targets; BLN_EUNDEFINED if these are all equal.                                   (M2)  */
BLN_API bln_status bln_smse(size_t n, const double *y, const double *mean, double *out, bln_report *report);

/* 1 - SMSE; equal targets: 1 if the MSE is 0, else BLN_EUNDEFINED.                                                    (M3)  */
BLN_API bln_status bln_r2  (size_t n, const double *y, const double *mean, double *out, bln_report *report);

/* Mean NEGATIVE log density, lower is better; BLN_EDOMAIN: a variance not > 0.                                        (M4)  */
BLN_API bln_status bln_mll (size_t n, const double *y, const double *mean, const double *var, double *out, bln_report *report);

/* MLL minus that of N(train_mean, train_var): 0 is the trivial model, negative is good; BLN_EDOMAIN: train_var not > 0.  (M5)  */
BLN_API bln_status bln_msll(size_t n, const double *y, const double *mean, const double *var, double train_mean, double train_var,
                            double *out, bln_report *report);

/* Lin's concordance 2 S_yp / (S_y + S_p + (mean y - mean p)^2), in [-1, 1]; 1 if both are constant and equal.          (M6)  */
BLN_API bln_status bln_concordance(size_t n, const double *y, const double *mean, double *out, bln_report *report);

/* Mean continuous ranked probability score of N(mean, var), in [y], lower is better; var = 0 gives |y - mean|.
 * BLN_EDOMAIN: a variance < 0.                                                                                        (M11) */
BLN_API bln_status bln_crps(size_t n, const double *y, const double *mean, const double *var, double *out, bln_report *report);

/* Share of lower <= y <= upper; mean width; interval score at the level 1 - a of the interval, in [y], lower is better. One of
 * width and score may be NULL. BLN_EDOMAIN: lower > upper, or a outside (0, 1).                                       (M15) */
BLN_API bln_status bln_coverage(size_t n, const double *y, const double *lower, const double *upper, double *out,
                                bln_report *report);
BLN_API bln_status bln_interval_score(size_t n, const double *y, const double *lower, const double *upper, double a, double *width,
                                      double *score, bln_report *report);

/* Mean absolute calibration error of the quantiles 0.05 .. 0.95 of N(mean, var), and the Kolmogorov-Smirnov distance of the
 * probability integral transforms from uniform (may be NULL; work: n doubles, needed for ks only; O(n log n)).
 * BLN_EDOMAIN: a variance not > 0.                                                                                    (M16) */
BLN_API bln_status bln_calibration(size_t n, const double *y, const double *mean, const double *var, double *error, double *ks,
                                   double *work, bln_report *report);

/* Classes: log loss (p clipped to [1e-15, 1 - 1e-15]), error rate (p > 1/2 predicts 1) and Brier score of probabilities p of y = 1.
 * BLN_EDOMAIN: y not in {0, 1} or p outside [0, 1].                                                          (M7, M9, M10) */
BLN_API bln_status bln_log_loss  (size_t n, const double *y, const double *p, double *out, bln_report *report);
BLN_API bln_status bln_error_rate(size_t n, const double *y, const double *p, double *out, bln_report *report);
BLN_API bln_status bln_brier     (size_t n, const double *y, const double *p, double *out, bln_report *report);

/* ---------------------------------------------------------------- src/use/scaler.h */
/* >>scaler - standardising columns: x -> (x - mean) / sd
 *
 * Means and standard deviations (divided by N) by Welford's update, weights included; a constant column gets sd = 1, so that it
 * becomes 0 and comes back exactly. Column d is the target, when the data have one. Models never scale by themselves; this is for
 * their callers. */
typedef struct bln_scaler bln_scaler;

/* Learns from the rows of a view or of a source, in one pass. If there is no y, the target stays as it is (mean 0, sd 1).
 * BLN_EINVAL: no rows, or all of weight 0.  BLN_EDATA, BLN_EDOMAIN: as bln_data_check.  BLN_ESHAPE: blocks that differ in d,
 * only some with y, or several outputs.  BLN_ENUMERIC: a variance overflows.  BLN_ENOMEM, BLN_EOVERFLOW.  What the source returned.
 * O(n d) time, O(d) memory */
BLN_API bln_status bln_scaler_create(const bln_allocator *alloc, const bln_data *data, bln_scaler **out, bln_report *report);
BLN_API bln_status bln_scaler_create_source(const bln_allocator *alloc, const bln_source *source, bln_scaler **out,
                                            bln_report *report);
/* d columns and a target that stay as they are.   BLN_ENOMEM, BLN_EOVERFLOW. */
BLN_API bln_status bln_scaler_identity(const bln_allocator *alloc, size_t d, bln_scaler **out);
BLN_API void       bln_scaler_free(bln_scaler *scaler);                            /* NULL is fine              */

/* NaN, and not constant, for a column beyond the target. */
BLN_API size_t bln_scaler_columns(const bln_scaler *scaler);                       /* d, the target not counted */
BLN_API double bln_scaler_mean(const bln_scaler *scaler, size_t column);           /* column d: the target      */
BLN_API double bln_scaler_sd  (const bln_scaler *scaler, size_t column);
BLN_API int    bln_scaler_constant(const bln_scaler *scaler, size_t column);       /* was it constant?          */

/* Out-of-place or in place (X_out == X with the same stride; y_out == y). A stride of 0 means d. Constant columns become
 * what they differ from their constant by: 0, in the data that were learnt from. */
BLN_API void bln_scaler_inputs (const bln_scaler *scaler, size_t n, const double *X, size_t ldx, double *X_out, size_t ldout);
BLN_API void bln_scaler_targets(const bln_scaler *scaler, size_t n, const double *y, double *y_out);

/* Back to the units of the data: a mean or bound, a variance, and a log density or evidence of n targets (minus n log sd). */
BLN_API void   bln_scaler_means_back(const bln_scaler *scaler, size_t n, const double *mean, double *out);
BLN_API void   bln_scaler_vars_back (const bln_scaler *scaler, size_t n, const double *var, double *out);
BLN_API double bln_scaler_logp_back (const bln_scaler *scaler, double n, double logp);

/* The content of a "SCAL" section; the layout is in src/use/scaler.c. load: what the reader says; BLN_EFORMAT; BLN_ENOMEM. */
BLN_API void       bln_scaler_save(const bln_scaler *scaler, bln_writer *w);
BLN_API bln_status bln_scaler_load(const bln_allocator *alloc, bln_reader *r, bln_scaler **out);

/* ---------------------------------------------------------------- src/use/modelfile.h */
/* >>modelfile - models on disk
 *
 * The same bytes on every machine. Nothing is believed before it is checked: sizes against what is left of the file, contents by a
 * checksum before they are looked at; the 16 bytes without one have a single right value. Any single changed byte is noticed.
 *
 *     offset  size  what
 *     0       8     the bytes 89 'B' 'L' 'N' 0D 0A 1A 0A (hexadecimal 89 42 4C 4E 0D 0A 1A 0A)
 *     8       4     u32 format version (1)
 *     12      4     u32 number of sections
 *     16            the sections, one after the other:
 *                   0    4     tag, four ASCII characters: "SLM ", "INTG", "SCAL", or the caller's, which begins with a lower-case
 *                              letter
 *                   4    4     u32 version of the section's content (1; "SLM " 1 or 2)
 *                   8    8     u64 length L of the content
 *                   16   L     content
 *                   16+L 8     u64 FNV-1a checksum of the 16 + L bytes before it
 *     end           nothing may follow
 *
 * At least one model, "SLM " or "INTG", and each of "SLM ", "INTG" and "SCAL" at most once; any order. FNV-1a, 64 bits:
 * h = cbf29ce484222325, then h = (h xor byte) 100000001b3 for each byte (hexadecimal, modulo 2^64). Numbers are little-endian; u32,
 * u64 unsigned, f64 IEEE 754; str is a u32 length and that many bytes. Contents: "SLM " in src/model/slm_file.c; "INTG" in
 * src/model/slm_integrated_file.c; "SCAL" in src/use/scaler.c; the caller's: his bytes.
 *
 * Policy: a reader accepts every older format and section version, for ever (tests hold files of each); a newer one is
 * BLN_EVERSION; sections with unknown tags are skipped after their checksum was verified. */

/* A section of the caller's own: anything that belongs to the model, such as column names. Tags may repeat; the order is kept. */
typedef struct bln_section {
    char           tag[5];        /* four printable ASCII characters, the first of them a..z, and a 0 */
    const void    *bytes;         /* NULL only if size = 0                                          */
    size_t         size;
} bln_section;

/* What a file holds: to be written, or as it was read. Zero what is not there; one model at least. */
typedef struct bln_modelfile {
    bln_slm            *slm;
    bln_slm_integrated *integrated;
    bln_scaler         *scaler;
    bln_section        *sections;
    size_t              n_sections;
    bln_allocator       alloc;    /* of what was read; not looked at in writing */
} bln_modelfile;

/* Writes models, scaler and sections, in this order, front to back without seeking. Nothing in *file is changed. Allocates nothing.
 * BLN_EINVAL: no model, a bad tag or a NULL.  BLN_ESTATE, BLN_EUNKNOWN: what the models' _save returns, before anything was
 * written.  What `write` returned; the report says at which byte. */
BLN_API bln_status bln_modelfile_write(bln_status (*write)(void *user, const void *bytes, size_t n), void *user,
                                       const bln_modelfile *file, bln_report *report);

/* Reads a whole file from a callback that delivers all n bytes, or BLN_EFORMAT at the end of the data, or another status that is
 * passed on. size: of the file; UINT64_MAX (or SIZE_MAX): unknown, then one more byte is asked for to see that nothing follows.
 * context: allocator of everything, and bases that are not built in; NULL: malloc, none. *out owns all that it points to: free it
 * with bln_modelfile_free.
 * BLN_EFORMAT: no model file, truncated, damaged, or without a model; the report says which and at which byte.  BLN_EVERSION.
 * BLN_EUNKNOWN: a basis that is not known.  BLN_ENOMEM, BLN_EOVERFLOW, BLN_EINVAL (NULL argument).  *out is untouched on failure.
 * Memory: a section and what is made from it. */
BLN_API bln_status bln_modelfile_read(bln_status (*read)(void *user, void *bytes, size_t n), void *user, uint64_t size,
                                      const bln_basis_load *context, bln_modelfile *out, bln_report *report);
BLN_API void bln_modelfile_free(bln_modelfile *file);      /* frees what it holds and zeroes it; NULL and all zero are fine */

#ifndef BAYESLIN_NO_STDIO
/* The same with a path, which failures name in the report.
 * save writes to PATH.tmp and renames, so that a failed save leaves an old file alone, and no half-written one is ever seen; on
 * failure PATH.tmp is removed. Under Unix a symbolic link stays, and the file that it leads to is replaced in this way; a pipe or a
 * device is written into. BLN_EIO: cannot open, read, write or rename.  BLN_EINVAL: no path, or one of 4096 bytes or more. */
BLN_API bln_status bln_modelfile_save(const char *path, const bln_modelfile *file, bln_report *report);
BLN_API bln_status bln_modelfile_load(const char *path, const bln_basis_load *context, bln_modelfile *out, bln_report *report);
#endif

#ifdef __cplusplus
}
#endif

#endif /* BAYESLIN_H */

#if defined(BAYESLIN_IMPLEMENTATION) && !defined(BAYESLIN_IMPLEMENTED)
#define BAYESLIN_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- src/core/config.c */
/* config: what every implementation room stands on.
 *
 * Each .c of src/ is a piece of one translation unit, joined in the order of the floors; the headers that it includes are the
 * rooms that it uses. Private names start with blni_ and are visible to the rooms above. */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifndef BAYESLIN_NO_STDIO
#include <stdio.h>
#endif

/* Infinities, NaN tests and the order of additions are part of the algorithms: flags that let the compiler assume them away make
 * wrong answers without a warning. */
#if !defined(BAYESLIN_ALLOW_FAST_MATH) \
    && (defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__ASSOCIATIVE_MATH__))
#error "bayeslin: -ffast-math or a part of it breaks the arithmetic relied on here; drop it, or define BAYESLIN_ALLOW_FAST_MATH"
#endif

#define BLNI_PRIV static BLNI_UNUSED

#if defined(__GNUC__) || defined(__clang__)
#define BLNI_RESTRICT __restrict__
#elif defined(_MSC_VER)
#define BLNI_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define BLNI_RESTRICT restrict
#else
#define BLNI_RESTRICT
#endif

#if defined(__GNUC__) || defined(__clang__)
#define BLNI_PREFETCH(p) __builtin_prefetch(p)
#else
#define BLNI_PREFETCH(p) ((void)0)
#endif

/* A function whose variables should not lie on the stack of its callers as well. */
#if defined(__GNUC__) || defined(__clang__)
#define BLNI_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define BLNI_NOINLINE __declspec(noinline)
#else
#define BLNI_NOINLINE
#endif

/* Functions marked BLNI_EXACT, with BLNI_EXACT_BODY as their first statement, are not contracted: a fused multiply-add rounds
 * once where their algorithms count on two roundings. gcc ignores the pragma, clang does not know the attribute. sqrt need not
 * set errno: without that it is an instruction in the loop. */
#if defined(__clang__)
#define BLNI_EXACT
#define BLNI_EXACT_BODY _Pragma("STDC FP_CONTRACT OFF")
#elif defined(__GNUC__) && !defined(__TINYC__)
#define BLNI_EXACT __attribute__((optimize("fp-contract=off", "no-math-errno")))
#define BLNI_EXACT_BODY
#else
#define BLNI_EXACT
#define BLNI_EXACT_BODY
#endif
#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#endif

#define BLNI_PI        3.14159265358979323846
#define BLNI_LOG_2PI   1.83787706640934548356     /* log(2 pi)    */
#define BLNI_SQRT1_2   0.70710678118654752440     /* 1 / sqrt(2)  */
#define BLNI_NAN       ((double)NAN)

/* isfinite and isnan as functions of a double: the macros of <math.h> warn under -Wconversion or -Wdouble-promotion on some C
 * libraries. */
BLNI_PRIV int blni_finite(double x) { return x - x == 0.0; }
BLNI_PRIV size_t blni_min(size_t a, size_t b) { return a < b ? a : b; }
BLNI_PRIV size_t blni_max(size_t a, size_t b) { return a > b ? a : b; }

/* ---------------------------------------------------------------- src/core/status.c */
/* status: the texts, and the one way a report is written */

BLN_API const char *bln_status_text(bln_status status)
{
    switch (status) {
#define BLNI_STATUS_TEXT(code, text) case code: return text;
    BLN_STATUS_LIST(BLNI_STATUS_TEXT)
#undef BLNI_STATUS_TEXT
    case BLN_STATUS_COUNT: break;
    }
    return "unknown status";
}

BLN_API const char *bln_status_name(bln_status status)
{
    switch (status) {
#define BLNI_STATUS_NAME(code, text) case code: return #code;
    BLN_STATUS_LIST(BLNI_STATUS_NAME)
#undef BLNI_STATUS_NAME
    case BLN_STATUS_COUNT: break;
    }
    return "unknown status";
}

BLN_API const char *bln_stop_name(bln_stop stop)
{
    switch (stop) {
    case BLN_STOP_NONE:       return "none";
    case BLN_STOP_GRADIENT:   return "gradient";
    case BLN_STOP_PROGRESS:   return "progress";
    case BLN_STOP_LIMIT:      return "limit";
    case BLN_STOP_MONITOR:    return "monitor";
    case BLN_STOP_BOUND:      return "bound";
    case BLN_STOP_LINESEARCH: return "line search";
    }
    return "unknown";
}

BLN_API void bln_report_clear(bln_report *report)
{
    if (!report) return;
    memset(report, 0, sizeof *report);
    report->row = report->column = BLN_NONE;
}

/* Appends text, or an unsigned number in decimal (no stdio: the library also runs where there is none), to a string in a buffer of
 * size >= 1, cut at its end. */
BLNI_PRIV void blni_cat(char *out, size_t size, const char *text)
{
    size_t at = strlen(out);
    while (*text && at + 1 < size) out[at++] = *text++;
    out[at] = '\0';
}

BLNI_PRIV void blni_cat_size(char *out, size_t size, size_t value)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do { digits[--at] = (char)('0' + (int)(value % 10)); value /= 10; } while (value && at > 0);
    blni_cat(out, size, digits + at);
}

/* The same to the text of a report, which may be NULL. */
BLNI_PRIV void blni_say(bln_report *report, const char *text)
{
    if (report) blni_cat(report->text, sizeof report->text, text);
}

BLNI_PRIV void blni_say_size(bln_report *report, size_t value)
{
    if (report) blni_cat_size(report->text, sizeof report->text, value);
}

/* Writes the reason of a failure and returns its status, so that a check is one line:
 *     if (!(v > 0.0)) return blni_fail(report, BLN_EDOMAIN, row, column, "noise variance must be > 0");
 * row and column may be BLN_NONE; those given are named in the text, counted from 0 as in the API. */
BLNI_PRIV bln_status blni_fail(bln_report *report, bln_status status, size_t row, size_t column, const char *reason)
{
    if (report) {
        report->text[0] = '\0';
        report->row = row;
        report->column = column;
        blni_say(report, reason);
        if (row != BLN_NONE)    { blni_say(report, ", row ");    blni_say_size(report, row); }
        if (column != BLN_NONE) { blni_say(report, ", column "); blni_say_size(report, column); }
    }
    return status;
}

/* ---------------------------------------------------------------- src/core/memory.c */
/* memory: the allocator, and one block carved into aligned pieces */

#ifndef BAYESLIN_MALLOC
#define BAYESLIN_MALLOC(bytes) malloc(bytes)
#define BAYESLIN_FREE(pointer) free(pointer)
#endif

enum { BLNI_ALIGN = 64 };      /* a cache line, and the widest vector register */

BLNI_PRIV void *blni_alloc(const bln_allocator *a, size_t bytes)
{
    if (bytes == 0) bytes = 1;
    return a && a->alloc ? a->alloc(a->user, bytes) : BAYESLIN_MALLOC(bytes);
}

BLNI_PRIV void blni_release(const bln_allocator *a, void *pointer, size_t bytes)
{
    if (!pointer) return;
    if (bytes == 0) bytes = 1;
    if (a && a->alloc) { if (a->release) a->release(a->user, pointer, bytes); }
    else BAYESLIN_FREE(pointer);
}

/* A half-filled allocator would mix the caller's heap with malloc's. */
BLNI_PRIV int blni_allocator_ok(const bln_allocator *a) { return !a->alloc == !a->release; }

/* a*b and a+b that stick at SIZE_MAX instead of wrapping, so that an overflow shows as an impossible size at the end. */
BLNI_PRIV size_t blni_mul(size_t a, size_t b) { return a && b > (size_t)-1 / a ? (size_t)-1 : a*b; }
BLNI_PRIV size_t blni_add(size_t a, size_t b) { return b > (size_t)-1 - a ? (size_t)-1 : a + b; }

/* One block, carved. The same carving code runs twice: with base == NULL it only counts, so that size and layout cannot disagree:
 *     blni_arena a = blni_arena_over(NULL, 0);  carve(&a, obj);      a.used is the size (SIZE_MAX: overflow)
 *     a = blni_arena_over(block, a.used);       carve(&a, obj);      the pieces, each aligned to 64 bytes                  */
typedef struct blni_arena { unsigned char *base; size_t used, size; } blni_arena;

BLNI_PRIV blni_arena blni_arena_over(void *block, size_t size)
{
    blni_arena a;
    a.base = (unsigned char *)block;
    a.size = size;
    a.used = 0;
    return a;
}

BLNI_PRIV void *blni_carve(blni_arena *a, size_t count, size_t unit)
{
    size_t bytes = blni_mul(count, unit), lead;
    if (!a->base) {
        /* Each piece may need up to ALIGN - 1 bytes of lead; the count does not know where the block will lie. */
        a->used = blni_add(a->used, blni_add(bytes, BLNI_ALIGN - 1));
        return NULL;
    }
    lead = (size_t)(-(uintptr_t)(a->base + a->used)) & (BLNI_ALIGN - 1);
    a->used += lead + bytes;
    return a->base + (a->used - bytes);
}

BLNI_PRIV double *blni_carve_doubles(blni_arena *a, size_t count) { return (double *)blni_carve(a, count, sizeof(double)); }

/* ---------------------------------------------------------------- src/core/data.c */
/* data: views, their checks, and a view as a source of blocks */

BLNI_PRIV size_t blni_ldx(const bln_data *data) { return data->ldx ? data->ldx : data->d; }
BLNI_PRIV size_t blni_outputs(const bln_data *data) { return data->p ? data->p : 1; }
BLNI_PRIV size_t blni_ldy(const bln_data *data) { return data->ldy ? data->ldy : blni_outputs(data); }
BLNI_PRIV size_t blni_ldoffset(const bln_data *data) { return data->ldoffset ? data->ldoffset : blni_outputs(data); }

/* Output k of row i, and its offset. */
BLNI_PRIV double blni_y(const bln_data *data, size_t i, size_t k) { return data->y[i*blni_ldy(data) + k]; }
BLNI_PRIV double blni_offset(const bln_data *data, size_t i, size_t k)
{
    return data->offset ? data->offset[i*blni_ldoffset(data) + k] : 0.0;
}

BLN_API bln_data bln_data_rows(const bln_data *data, size_t first, size_t n)
{
    bln_data rows = *data;
    rows.n = n;
    if (rows.X)         rows.X         += first*blni_ldx(data);
    if (rows.y)         rows.y         += first*blni_ldy(data);
    if (rows.weight)    rows.weight    += first;
    if (rows.noise_var) rows.noise_var += first;
    if (rows.offset)    rows.offset    += first*blni_ldoffset(data);
    if (rows.trials)    rows.trials    += first;
    return rows;
}

BLNI_PRIV bln_status blni_data_check_shape(const bln_data *data, int need_y, bln_report *report)
{
    if (data->n && data->d && !data->X) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "data: X is NULL");
    if (data->ldx && data->ldx < data->d) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "data: row stride of X below d");
    if (data->n && need_y && !data->y) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "data: y is NULL");
    if (blni_ldy(data) < blni_outputs(data) || blni_ldoffset(data) < blni_outputs(data))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "data: row stride of y or of offset below p");
    return BLN_OK;
}

/* `first` is the number of rows that came before this block, so that the report counts rows of the whole data set. */
BLNI_PRIV bln_status blni_data_check_from(const bln_data *data, int need_y, size_t first, bln_report *report)
{
    const size_t p = blni_outputs(data);
    const bln_status status = blni_data_check_shape(data, need_y, report);
    if (status != BLN_OK) return status;
    for (size_t i = 0; i < data->n; i++) {
        const double *x = data->d ? data->X + i*blni_ldx(data) : NULL;      /* no arithmetic on an X that may be NULL */
        for (size_t j = 0; j < data->d; j++)
            if (!blni_finite(x[j])) return blni_fail(report, BLN_EDATA, first + i, j, "X is NaN or infinite");
        for (size_t k = 0; k < p && need_y; k++)
            if (!blni_finite(blni_y(data, i, k)))
                return blni_fail(report, BLN_EDATA, first + i, data->d + k, "y is NaN or infinite");
        if (data->weight && !(data->weight[i] >= 0.0 && blni_finite(data->weight[i])))
            return blni_fail(report, BLN_EDOMAIN, first + i, BLN_NONE, "weight must be finite and >= 0");
        if (data->noise_var && !(data->noise_var[i] > 0.0 && blni_finite(data->noise_var[i])))
            return blni_fail(report, BLN_EDOMAIN, first + i, BLN_NONE, "noise variance must be finite and > 0");
        for (size_t k = 0; k < p; k++)
            if (!blni_finite(blni_offset(data, i, k)))
                return blni_fail(report, BLN_EDATA, first + i, p > 1 ? data->d + k : BLN_NONE, "offset is NaN or infinite");
        if (data->trials && !(data->trials[i] >= 0.0 && blni_finite(data->trials[i])))
            return blni_fail(report, BLN_EDOMAIN, first + i, BLN_NONE, "number of trials must be finite and >= 0");
    }
    return BLN_OK;
}

BLN_API bln_status bln_data_check(const bln_data *data, int need_y, bln_report *report)
{
    bln_report_clear(report);
    if (!data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "data: NULL");
    return blni_data_check_from(data, need_y, 0, report);
}

/* Weighted running mean and scatter sum w (x - mean)^2 (West 1979; spec/slm.md S21 with one new row): keeps its digits however
 * far the mean is from 0. */
typedef struct blni_running { double weight, mean, scatter; } blni_running;

BLNI_PRIV void blni_running_add(blni_running *r, double w, double x)
{
    if (!(w > 0.0)) return;
    const double delta = x - r->mean;
    r->weight += w;
    r->mean += delta*(w/r->weight);
    r->scatter += w*delta*(x - r->mean);
}

/* Population form: divided by the total weight; 0 without rows. */
BLNI_PRIV double blni_running_variance(const blni_running *r) { return r->weight > 0.0 ? r->scatter/r->weight : 0.0; }

BLNI_PRIV bln_status blni_data_reset(void *user, bln_report *report)
{
    (void)report;
    ((bln_data_reader *)user)->at = 0;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_data_next(void *user, size_t max_rows, bln_data *block, bln_report *report)
{
    bln_data_reader *reader = (bln_data_reader *)user;
    (void)report;
    *block = bln_data_rows(&reader->data, reader->at, blni_min(max_rows, reader->data.n - reader->at));
    reader->at += block->n;
    return BLN_OK;
}

BLN_API bln_source bln_source_of(const bln_data *data, bln_data_reader *state)
{
    bln_source source;
    state->data = *data;
    state->at = 0;
    source.d = data->d;
    source.reset = blni_data_reset;
    source.next = blni_data_next;
    source.user = state;
    return source;
}

/* ---------------------------------------------------------------- src/core/bytes.c */
/* bytes: little-endian numbers through a callback, with a running FNV-1a checksum and a failure that sticks
 *
 * Numbers are put together from bytes by shifts, so that neither the byte order nor the alignment of the machine matters. A double
 * goes as the 64 bits of its IEEE 754 form, NaN and -0 included. */

/* Fowler-Noll-Vo, variant 1a, 64 bits. Each step h -> (h ^ byte) * prime is a bijection of h (the prime is odd), and different
 * bytes give different h: so two messages that differ in one byte never share a checksum. */
#define BLNI_FNV_START UINT64_C(0xcbf29ce484222325)
#define BLNI_FNV_PRIME UINT64_C(0x00000100000001b3)

BLNI_PRIV uint64_t blni_fnv(uint64_t h, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) h = (h ^ bytes[i])*BLNI_FNV_PRIME;
    return h;
}

BLNI_PRIV void blni_encode(uint64_t v, size_t n, unsigned char *bytes)
{
    for (size_t i = 0; i < n; i++) bytes[i] = (unsigned char)((v >> 8*i) & 0xff);
}

BLNI_PRIV uint64_t blni_decode(const unsigned char *bytes, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) v |= (uint64_t)bytes[i] << 8*i;
    return v;
}

enum { BLNI_BYTES_CHUNK = 64 };      /* doubles that are converted at a time */

BLN_API bln_writer bln_writer_over(bln_status (*write)(void *user, const void *bytes, size_t n), void *user)
{
    bln_writer w;
    w.write = write;
    w.user = user;
    w.count = 0;
    w.checksum = BLNI_FNV_START;
    w.status = BLN_OK;
    return w;
}

BLN_API void bln_put_bytes(bln_writer *w, const void *bytes, size_t n)
{
    if (w->status != BLN_OK || n == 0) return;
    if (w->write) w->status = w->write(w->user, bytes, n);
    if (w->status != BLN_OK) return;
    w->count += n;
    w->checksum = blni_fnv(w->checksum, (const unsigned char *)bytes, n);
}

BLN_API void bln_put_u32(bln_writer *w, uint32_t v)
{
    unsigned char b[4];
    blni_encode(v, 4, b);
    bln_put_bytes(w, b, 4);
}

BLN_API void bln_put_u64(bln_writer *w, uint64_t v)
{
    unsigned char b[8];
    blni_encode(v, 8, b);
    bln_put_bytes(w, b, 8);
}

BLN_API void bln_put_double(bln_writer *w, double v) { bln_put_doubles(w, 1, &v); }

BLN_API void bln_put_doubles(bln_writer *w, size_t n, const double *v)
{
    unsigned char b[8*BLNI_BYTES_CHUNK];
    for (size_t i = 0; i < n; i += BLNI_BYTES_CHUNK) {
        const size_t m = blni_min(n - i, BLNI_BYTES_CHUNK);
        for (size_t k = 0; k < m; k++) {
            uint64_t bits;
            memcpy(&bits, &v[i + k], sizeof bits);
            blni_encode(bits, 8, b + 8*k);
        }
        bln_put_bytes(w, b, 8*m);
    }
}

BLN_API void bln_put_string(bln_writer *w, const char *s)
{
    const size_t n = strlen(s);
    if ((size_t)(uint32_t)n != n) {
        if (w->status == BLN_OK) w->status = BLN_EINVAL;
        return;
    }
    bln_put_u32(w, (uint32_t)n);
    bln_put_bytes(w, s, n);
}

BLN_API bln_reader bln_reader_over(bln_status (*read)(void *user, void *bytes, size_t n), void *user, uint64_t limit,
                                   bln_report *report)
{
    bln_reader r;
    r.read = read;
    r.user = user;
    r.count = 0;
    r.limit = limit;
    r.checksum = BLNI_FNV_START;
    r.status = BLN_OK;
    r.report = report;
    return r;
}

/* The text ends with the place: a byte offset, which on a machine of 32-bit size_t cannot be beyond what fits in memory. */
BLNI_PRIV bln_status blni_reader_fail_at(bln_reader *r, bln_status status, const char *reason, uint64_t at)
{
    if (r->status != BLN_OK || status == BLN_OK) return r->status;
    r->status = status;
    blni_fail(r->report, status, BLN_NONE, BLN_NONE, reason);
    blni_say(r->report, ", at byte ");
    blni_say_size(r->report, (size_t)at);
    return status;
}

BLN_API bln_status bln_reader_fail(bln_reader *r, bln_status status, const char *reason)
{
    return blni_reader_fail_at(r, status, reason, r->count);
}

BLNI_PRIV uint64_t blni_reader_left(const bln_reader *r) { return r->limit > r->count ? r->limit - r->count : 0; }

BLN_API void bln_get_bytes(bln_reader *r, void *bytes, size_t n)
{
    if (n == 0) return;
    if (r->status == BLN_OK) {
        if ((uint64_t)n > blni_reader_left(r))
            blni_reader_fail_at(r, BLN_EFORMAT, "truncated: the data end too early", r->limit);
        else {
            const bln_status status = r->read(r->user, bytes, n);
            if (status == BLN_EFORMAT)
                bln_reader_fail(r, status, "truncated: the data end at or soon after the last complete item");
            else if (status != BLN_OK) bln_reader_fail(r, status, "reading failed");
        }
    }
    if (r->status != BLN_OK) { memset(bytes, 0, n); return; }
    r->count += n;
    r->checksum = blni_fnv(r->checksum, (const unsigned char *)bytes, n);
}

BLN_API uint32_t bln_get_u32(bln_reader *r)
{
    unsigned char b[4] = { 0, 0, 0, 0 };                  /* bln_get_bytes fills it in any case; not every compiler sees that */
    bln_get_bytes(r, b, 4);
    return (uint32_t)blni_decode(b, 4);
}

BLN_API uint64_t bln_get_u64(bln_reader *r)
{
    unsigned char b[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };
    bln_get_bytes(r, b, 8);
    return blni_decode(b, 8);
}

BLN_API double bln_get_double(bln_reader *r)
{
    double v;
    bln_get_doubles(r, 1, &v);
    return v;
}

BLN_API void bln_get_doubles(bln_reader *r, size_t n, double *v)
{
    unsigned char b[8*BLNI_BYTES_CHUNK];
    memset(b, 0, sizeof b);
    for (size_t i = 0; i < n; i += BLNI_BYTES_CHUNK) {
        const size_t m = blni_min(n - i, BLNI_BYTES_CHUNK);
        bln_get_bytes(r, b, 8*m);
        for (size_t k = 0; k < m; k++) {
            const uint64_t bits = blni_decode(b + 8*k, 8);
            memcpy(&v[i + k], &bits, sizeof bits);
        }
    }
}

BLN_API void bln_get_string(bln_reader *r, char *s, size_t size)
{
    const uint32_t n = bln_get_u32(r);
    if (size) s[0] = '\0';
    if (n >= size) {
        bln_reader_fail(r, BLN_EFORMAT, "a string is longer than any that is expected here");
        return;
    }
    bln_get_bytes(r, s, n);
    s[n] = '\0';
    if (r->status == BLN_OK && strlen(s) != n) bln_reader_fail(r, BLN_EFORMAT, "a string has a zero byte in it");
    if (r->status != BLN_OK) s[0] = '\0';
}

BLN_API size_t bln_get_count(bln_reader *r, size_t unit, size_t max)
{
    const uint64_t n = bln_get_u64(r);
    if (r->status != BLN_OK) return 0;
    /* Divided, not multiplied: a product could wrap round. */
    if (n > max || (unit && (n > blni_reader_left(r)/unit || n > (size_t)-1/unit))) {
        bln_reader_fail(r, BLN_EFORMAT, "a count is larger than what can follow");
        return 0;
    }
    return (size_t)n;
}

BLNI_PRIV bln_status blni_memory_write(void *user, const void *bytes, size_t n)
{
    bln_memory_stream *m = (bln_memory_stream *)user;
    if (n > m->size - m->at) return BLN_EIO;
    memcpy(m->bytes + m->at, bytes, n);
    m->at += n;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_memory_read(void *user, void *bytes, size_t n)
{
    bln_memory_stream *m = (bln_memory_stream *)user;
    if (n > m->size - m->at) return BLN_EFORMAT;
    memcpy(bytes, m->bytes + m->at, n);
    m->at += n;
    return BLN_OK;
}

BLN_API bln_writer bln_memory_writer(bln_memory_stream *m, void *bytes, size_t size)
{
    m->bytes = (unsigned char *)bytes;
    m->size = size;
    m->at = 0;
    return bln_writer_over(blni_memory_write, m);
}

/* One struct serves both directions, so the const goes here; blni_memory_read does not write through it. */
BLN_API bln_reader bln_memory_reader(bln_memory_stream *m, const void *bytes, size_t size, bln_report *report)
{
    m->bytes = (unsigned char *)(uintptr_t)bytes;
    m->size = size;
    m->at = 0;
    return bln_reader_over(blni_memory_read, m, size, report);
}

/* ---------------------------------------------------------------- src/math/special_tables.c */
/* special_tables: constants of >>special, written by tools/golden_special_tables.py, which says how
 *
 * With 60 digits, rounded once. A row of a table of polynomials is the first coefficient in two doubles, then the
 * others, in t of [-1, 1] across the piece. */

/* 2^(j/32), j = 0 .. 31, each in two doubles. */
static const double blni_exp2_table[64] = {
    1.0, 0.0, 1.0218971486541166, 5.109225028973444e-17,
    1.0442737824274138, 8.551889705537965e-17, 1.0671404006768237, -7.899853966841582e-17,
    1.0905077326652577, -3.046782079812471e-17, 1.1143867425958924, 1.0410278456845571e-16,
    1.1387886347566916, 8.912812676025408e-17, 1.1637248587775775, 3.8292048369240935e-17,
    1.189207115002721, 3.982015231465646e-17, 1.215247359980469, -7.712630692681488e-17,
    1.241857812073484, 4.658027591836937e-17, 1.2690509571917332, 2.667932131342186e-18,
    1.2968395546510096, 2.5382502794888315e-17, 1.3252366431597413, -2.8587312100388614e-17,
    1.3542555469368927, 7.70094837980299e-17, 1.383909881963832, -6.770511658794786e-17,
    1.4142135623730951, -9.667293313452913e-17, 1.4451808069770467, -3.0237581349939873e-17,
    1.4768261459394993, -3.483994556892796e-17, 1.5091644275934228, -1.016455327754295e-16,
    1.5422108254079407, 7.949834809697621e-17, 1.5759808451078865, -1.0136916471278304e-17,
    1.6104903319492543, 2.4707192569797888e-17, 1.645755478153965, -1.0125679913674773e-16,
    1.681792830507429, 8.199010020581497e-17, 1.718619298122478, -1.851380418263111e-17,
    1.7562521603732995, 2.960140695448873e-17, 1.7947090750031072, 1.8227458427912087e-17,
    1.8340080864093424, 3.283107224245627e-17, 1.8741676341103, -6.122763413004143e-17,
    1.9152065613971474, -1.0619946056195963e-16, 1.9571441241754002, 8.960767791036668e-17
};

/* For j = 23 .. 45: c = 32/j cut to 8 bits behind the point, then -log c in two doubles. */
static const double blni_log_table[69] = {
    1.390625, -0.329753286372468, -2.122020616196946e-18, 1.33203125, -0.2867050328039543, 3.679022556770764e-18,
    1.28125, -0.24783616390458127, 1.2432209578702523e-17, 1.23046875, -0.2073951943460706, 6.623981508424082e-18,
    1.18359375, -0.16855536102980667, 4.849378323802459e-18, 1.14453125, -0.13499516453750482, -1.1344320488590788e-17,
    1.1015625, -0.09672962645855111, 5.597397486289965e-19, 1.06640625, -0.06429435070539725, -2.607864228825769e-18,
    1.03125, -0.030771658666753687, -1.0431732029005968e-18, 1.0, 0.0, 0.0,
    0.96875, 0.0317486983145803, 3.0382263084680858e-18, 0.94140625, 0.06038051098890748, -2.1569637373409678e-18,
    0.9140625, 0.08985632912186105, -6.273760163689594e-19, 0.890625, 0.1158318155251217, 4.338484369808096e-18,
    0.86328125, 0.14701474296180966, -4.46694718500102e-18, 0.84375, 0.16989903679539747, -4.868008764439071e-19,
    0.8203125, 0.1980699137620938, 3.742843482461439e-18, 0.80078125, 0.2221674653411543, -1.0797202916767509e-17,
    0.78125, 0.24686007793152578, 1.361743371748368e-17, 0.76171875, 0.27217788591581565, 1.9460544362807653e-17,
    0.74609375, 0.2929040164329326, -2.097144388760612e-17, 0.7265625, 0.3194307707663612, 1.354256857264811e-18,
    0.7109375, 0.34117075740276714, -1.9366790062602867e-17
};

/* log(2)/32: 36 bits, so that 17-bit multiples of it are exact, and the rest; log(2) likewise with 42 bits.
 * Objects, not macros: where expressions are wider than double, a literal would be so too. */
static const double blni_step[2] = { 0.021660849392446835, 5.145609244655338e-14 };
static const double blni_ln2[2] = { 0.6931471805598903, 5.497923018708371e-14 };

/* Constants in two doubles. */
static const double blni_sqrt1_2[2] = { 0.7071067811865476, -4.833646656726457e-17 };
static const double blni_inv_sqrt_pi[2] = { 0.5641895835477563, 7.66772980658294e-18 };
static const double blni_inv_sqrt_2pi[2] = { 0.3989422804014327, -2.49232720227773e-17 };
static const double blni_half_log_2pi[2] = { 0.9189385332046728, -3.8782941580672414e-17 };

/* erf(x)/x for |x| <= 1/2, in t = 8 x^2 - 1. Relative error 1.3e-18. */
static const double blni_erf_table[1][12] = {
    {
        1.0830752376761712, 1.040650742831479e-16, -0.04364205888669792, 0.0016130716680617086, -4.762336934468488e-05,
        1.1516037795137051e-06, -2.3472291635348667e-08, 4.127025421149766e-10, -6.374417501930906e-12, 8.774530776451494e-14,
        -1.0893748314600193e-15, 1.2306848762872106e-17
    }
};

/* e^(x^2) erfc(x) for 1 + x in the eighths of [1.5, 2), [2, 4), [4, 8). Relative error 5.6e-18. */
static const double blni_erfcx_table[20][13] = {
    {
        0.5849986214749657, 4.7784816534295017e-17, -0.029390982371011006, 0.0012518741411557295, -4.719821640783708e-05,
        1.6154105341506318e-06, -5.103050250074716e-08, 1.5053854324302244e-09, -4.183262681464312e-11, 1.1024322282800909e-12,
        -2.770025822950388e-14, 6.675401789160839e-16, -1.5435374484052032e-17
    },
    {
        0.5308708724175545, -1.0030700646577547e-17, -0.02490198234508595, 0.0010037072914906603, -3.6096880569501784e-05,
        1.184846885207225e-06, -3.603682005034425e-08, 1.0266170116137029e-09, -2.7616108184068104e-11, 7.058975955669417e-13,
        -1.723195409077894e-14, 4.039889208680768e-16, -9.09955874281339e-18
    },
    {
        0.4848108285616202, -5.14189697320664e-18, -0.021285098167679983, 0.0008129084077413298, -2.790960642459035e-05,
        8.790693832453733e-07, -2.5752663191248847e-08, 7.08704117075552e-10, -1.84592741915155e-11, 4.577472209920394e-13,
        -1.0858112902752159e-14, 2.4768305372437835e-16, -5.4351714071712046e-18
    },
    {
        0.4452822731368817, -2.707280401035722e-19, -0.018342181560241214, 0.0006646466786455604, -2.180333692853596e-05,
        6.593684076513804e-07, -1.8613766896506996e-08, 4.950024795509984e-10, -1.2487421548173987e-11, 3.004794153468332e-13,
        -6.927275674144691e-15, 1.5377454083993736e-16, -3.2879790958340167e-18
    },
    {
        0.3956980795529959, -5.840968619935924e-18, -0.029757311012658976, 0.001998160631860397, -0.000122644430478286,
        6.987193418351685e-06, -3.734980607019581e-07, 1.8883911018791396e-08, -9.086735068762626e-10, 4.1819286708257275e-11,
        -1.848233035094128e-12, 7.909284725996397e-14, -3.2533922761636674e-15
    },
    {
        0.3432958898621254, -1.1947753223212608e-17, -0.02303943374683347, 0.0014040956038587078, -7.910814692070534e-05,
        4.171140529128134e-06, -2.0766000687474677e-07, 9.827502446950428e-09, -4.444530428309716e-10, 1.9290925918964886e-11,
        -8.06421235944574e-13, 3.270905224180963e-14, -1.278732580279933e-15
    },
    {
        0.30226120936348594, -2.1309519076681585e-17, -0.01825377958302292, 0.001015032418502938, -5.269123065088266e-05,
        2.5784876565661395e-06, -1.1981806947111034e-07, 5.316941457430549e-09, -2.2632960365612927e-10, 9.275938241847967e-12,
        -3.671559812546052e-13, 1.4128613330952292e-14, -5.253738080938737e-16
    },
    {
        0.2694299851646704, 2.4830791132664648e-17, -0.014752090340999797, 0.0007523223445261485, -3.611724138653723e-05,
        1.6450290916225204e-06, -7.151128132584097e-08, 2.9810410122023064e-09, -1.1962351093224803e-10, 4.63547516222001e-12,
        -1.7392616982393942e-13, 6.3563593642848e-15, -2.250161228733198e-16
    },
    {
        0.24267036461265454, 8.857869652018573e-18, -0.012128764686466344, 0.0005700213272301049, -2.5400022120360045e-05,
        1.0798511811235225e-06, -4.401595025768879e-08, 1.7269793117254923e-09, -6.543438436631585e-11, 2.4007497144411926e-12,
        -8.549078777604e-14, 2.970543289912247e-15, -1.0020393943702671e-16
    },
    {
        0.22050569220490668, -1.3461940172346377e-17, -0.01012214114027574, 0.0004403907896823065, -1.8278293086582473e-05,
        7.273689143528366e-07, -2.7864273211651866e-08, 1.0309777282320711e-09, -3.694507339814224e-11, 1.2852346713899003e-12,
        -4.349124233815018e-14, 1.4384334135836047e-15, -4.628196506354797e-17
    },
    {
        0.201887554546017, 3.290031161907439e-18, -0.008558688216115409, 0.00034617346886864716, -1.3427555936185623e-05,
        5.015218297555791e-07, -1.809748444569655e-08, 6.326805032264505e-10, -2.1478544241359663e-11, 7.094941380351016e-13,
        -2.2844101236805432e-14, 7.200210474803448e-16, -2.2120043771315515e-17
    },
    {
        0.1860549346844711, 7.76652490850572e-18, -0.007320411582475466, 0.0002763354419927405, -1.0048921006692037e-05,
        3.532051471781808e-07, -1.2032516384939573e-08, 3.9821495015702234e-10, -1.2828448872542409e-11, 4.0297013510493375e-13,
        -1.2361467907154668e-14, 3.7174392565527627e-16, -1.0915913680659893e-17
    },
    {
        0.16633534842682188, -8.306989546745489e-19, -0.011799850580292594, 0.0008085806801886506, -5.367923907668167e-05,
        3.460955380810712e-06, -2.1717047808453134e-07, 1.3286233398679486e-08, -7.937402918713199e-10, 4.6367396074215426e-11,
        -2.6519287243643663e-12, 1.499911430215905e-13, -8.245976921527064e-15
    },
    {
        0.14558972127503855, -1.3773307638700177e-17, -0.009114064383180883, 0.0005549222204578353, -3.292629484639255e-05,
        1.9071186800123854e-06, -1.079878661346323e-07, 5.985431206659544e-09, -3.2511431610477515e-10, 1.7323295851936345e-11,
        -9.063540716011974e-13, 4.69544521984807e-14, -2.3736366338747336e-15
    },
    {
        0.12934527478598792, -1.2934405645306135e-17, -0.007236082853653833, 0.00039574164211704803, -2.118645573600159e-05,
        1.1116217063927063e-06, -5.722216817646262e-08, 2.8926010479487497e-09, -1.4371342044484382e-10, 7.022897183014269e-12,
        -3.378027884160285e-13, 1.6107033425653064e-14, -7.518551248913335e-16
    },
    {
        0.11630270721024731, -3.182885712948731e-18, -0.005875862149540788, 0.00029133289806077163, -1.4189045266088931e-05,
        6.794074376542674e-07, -3.2007598764096995e-08, 1.4846471263983082e-09, -6.784471029603556e-11, 3.0561755818296897e-12,
        -1.3578542274716098e-13, 5.986404018030351e-15, -2.5907375960953974e-16
    },
    {
        0.1056127354688918, 2.761551050825468e-18, -0.004861361168037162, 0.00022025943375696244, -9.829710797539744e-06,
        4.323595940180476e-07, -1.8753983078131737e-08, 8.026239520672216e-10, -3.3908575719758764e-11, 1.4147349061747516e-12,
        -5.831714541035402e-14, 2.387436142457072e-15, -9.616153784031172e-17
    },
    {
        0.09669877816971392, -1.776350814605175e-18, -0.004085804535950621, 0.00017032961517810224, -7.0093077855946245e-06,
        2.8486050341897574e-07, -1.143790517359807e-08, 4.5393092803295335e-10, -1.7812390913372675e-11, 6.913379697467644e-13,
        -2.6548536243123564e-14, 1.0132841591333846e-15, -3.812331815242717e-17
    },
    {
        0.08915663178727438, 5.224635047978831e-18, -0.003480317438645675, 0.000134293488820782, -5.124175755255222e-06,
        1.9340921685606584e-07, -7.223633346187816e-09, 2.6704965100931277e-10, -9.774858881579128e-12, 3.543446547617873e-13,
        -1.2724868375496184e-14, 4.544683991214173e-16, -1.6026182785585756e-17
    },
    {
        0.08269505677505307, -6.7624979651248826e-18, -0.0029989751580740674, 0.0001076704691908272, -3.828020413405556e-06,
        1.348099384023166e-07, -4.703801913507394e-09, 1.6265180744252327e-10, -5.575055791814339e-12, 1.894570405840393e-13,
        -6.384618902480556e-15, 2.1410509190620735e-16, -7.099001875849767e-18
    }
};

/* sqrt(pi) x e^(x^2) erfc(x) for x >= 7, in t = 98/x^2 - 1. Relative error 6.1e-18. */
static const double blni_erfcx_far_table[1][11] = {
    {
        0.9949741275439296, -4.9377762342162926e-17, -0.004951563077055679, 7.251273606517219e-05, -1.7369437080489939e-06,
        5.719433465073745e-08, -2.3786867814570765e-09, 1.188271460850607e-10, -6.8977036145169245e-12, 4.613142218066899e-13,
        -3.399372630633934e-14
    }
};

/* log Gamma(1 + u)/(u (u - 1)) for u in the eighths of [0, 1]. Relative error 1.6e-18. */
static const double blni_lgamma_table[8][14] = {
    {
        0.5624678450103948, -3.894176959302165e-17, -0.014192932612257136, 0.0005305920082858368, -2.3146971909812523e-05,
        1.0915498591888883e-06, -5.3862408831650307e-08, 2.7366318405098165e-09, -1.4189658035119156e-10, 7.468586230929483e-12,
        -3.976647285769658e-13, 2.137134292734362e-14, -1.1686571683261573e-15, 6.36974061925533e-17
    },
    {
        0.5360350719541803, -2.3924849571110788e-17, -0.012317238946240913, 0.0004141715864769911, -1.6199138985124664e-05,
        6.843992676268656e-07, -3.025438612472535e-08, 1.3771154682884008e-09, -6.39704351737595e-11, 3.016342649442796e-12,
        -1.4386872781967702e-13, 6.9253489354601045e-15, -3.385098449568068e-16, 1.6522339947359736e-17
    },
    {
        0.5129377501958122, -4.3507834137947716e-17, -0.010835223305771535, 0.0003312743173202425, -1.174487960151115e-05,
        4.494495346819505e-07, -1.7993893279929643e-08, 7.418006764792447e-10, -3.120969820779187e-11, 1.3328516926455492e-12,
        -5.75764183694507e-14, 2.509962073083444e-15, -1.1094279712308048e-16, 4.903155130777178e-18
    },
    {
        0.4925051009992032, -7.965354220483113e-18, -0.009637992030375239, 0.0002703115255895248, -8.765715054045321e-06,
        3.065701942581996e-07, -1.1215445600052335e-08, 4.225032235315166e-10, -1.624432379629212e-11, 6.339727760742473e-13,
        -2.5026887142817957e-14, 9.969778169600092e-16, -4.022457945897717e-17, 1.6243256914028346e-18
    },
    {
        0.4742448086605885, -1.4219767786689185e-17, -0.008652947058719551, 0.0002242692000799123, -6.702252307957472e-06,
        2.1583855372788217e-07, -7.269363749020042e-09, 2.521107023217052e-10, -8.924055948498826e-12, 3.206591474164403e-13,
        -1.1654570747834392e-14, 4.2744814440401797e-16, -1.586462707160573e-17, 5.897734613748929e-19
    },
    {
        0.45778560919156, 2.206861408609489e-17, -0.007829927290671583, 0.00018870929745718682, -5.230460262470728e-06,
        1.5609011435601314e-07, -4.870463469394975e-09, 1.5648902555908576e-10, -5.132028315949867e-12, 1.7085194940827636e-13,
        -5.753484517531316e-15, 1.9551284689753228e-16, -6.7188192047774834e-18, 2.3141096110302935e-19
    },
    {
        0.4428410991043222, 1.0662084128417307e-18, -0.007133222468039209, 0.00016071745192521006, -4.154115598163204e-06,
        1.1550838082575354e-07, -3.3573432294053994e-09, 1.0047973401483788e-10, -3.0694749538271077e-12, 9.518994430132661e-14,
        -2.9861370729991306e-15, 9.452905495252099e-17, -3.024605339786611e-18, 9.704199250413536e-20
    },
    {
        0.42918603781101006, 8.19830819503229e-18, -0.006536756358757429, 0.00013831858229706328, -3.349828567730096e-06,
        8.720000652366272e-08, -2.372115274158935e-09, 6.643982348413235e-11, -1.8994613032713555e-12, 5.513002689199179e-14,
        -1.618640684700386e-15, 4.795747635262851e-17, -1.4355883231298552e-18, 4.310900492214561e-20
    }
};

/* B_2k/(2k (2k - 1)), k = 1 .. 10: Stirling's series of log Gamma(x) in x^(1 - 2k). */
static const double blni_stirling_table[10] = {
    0.08333333333333333, -0.002777777777777778, 0.0007936507936507937, -0.0005952380952380953, 0.0008417508417508417,
    -0.0019175269175269176, 0.00641025641025641, -0.029550653594771242, 0.17964437236883057, -1.3924322169059011
};

/* B_2k/2k, k = 1 .. 9: digamma(x) = log x - 1/2x - sum of these x^(-2k). */
static const double blni_digamma_table[9] = {
    0.08333333333333333, -0.008333333333333333, 0.003968253968253968, -0.004166666666666667, 0.007575757575757576,
    -0.021092796092796094, 0.08333333333333333, -0.4432598039215686, 3.0539543302701198
};

/* B_2k, k = 1 .. 10: trigamma(x) = 1/x + 1/2x^2 + sum of these x^(-2k - 1). */
static const double blni_trigamma_table[10] = {
    0.16666666666666666, -0.03333333333333333, 0.023809523809523808, -0.03333333333333333, 0.07575757575757576,
    -0.2531135531135531, 1.1666666666666667, -7.092156862745098, 54.971177944862156, -529.1242424242424
};

/* Taylor coefficients of Temme's c_0(eta) .. c_4(eta), 16, 13, 11, 9, 7 of them. */
static const double blni_temme_table[56] = {
    -0.3333333333333333, 0.08333333333333333, -0.014814814814814815, 0.0011574074074074073, 0.0003527336860670194,
    -0.0001787551440329218, 3.919263178522438e-05, -2.185448510679992e-06, -1.85406221071516e-06, 8.296711340953087e-07,
    -1.7665952736826078e-07, 6.707853543401498e-09, 1.0261809784240309e-08, -4.382036018453353e-09, 9.14769958223679e-10,
    -2.5514193994946248e-11, -0.001851851851851852, -0.003472222222222222, 0.0026455026455026454, -0.0009902263374485596,
    0.00020576131687242798, -4.018775720164609e-07, -1.8098550334489977e-05, 7.64916091608111e-06, -1.6120900894563446e-06,
    4.647127802807434e-09, 1.378633446915721e-07, -5.752545603517705e-08, 1.1951628599778148e-08, 0.004133597883597883,
    -0.0026813271604938273, 0.0007716049382716049, 2.0093878600823047e-06, -0.0001073665322636516, 5.2923448829120125e-05,
    -1.2760635188618728e-05, 3.423578734096138e-08, 1.3721957309062934e-06, -6.298992138380055e-07, 1.4280614206064242e-07,
    0.0006494341563786008, 0.00022947209362139917, -0.0004691894943952557, 0.00026772063206283885, -7.561801671883977e-05,
    -2.396505113867297e-07, 1.1082654115347302e-05, -5.6749528269915965e-06, 1.4230900732435883e-06, -0.0008618882909167117,
    0.0007840392217200666, -0.0002990724803031902, -1.4638452578843418e-06, 6.641498215465122e-05, -3.968365047179435e-05,
    1.1375726970678419e-05
};

/* ---------------------------------------------------------------- src/math/special_pair.c */
/* special_pair: twice double precision where a special function needs it: sums, products, exp and log
 *
 * What spoils the last digits of a special function is not its approximation but what stands around it: the rounding of x^2 in
 * e^(-x^2), of a log x - x in x^a e^(-x), the cancellation between log Gamma's parts. Here these are carried as unevaluated sums
 * hi + lo of two doubles, |lo| <= ulp(hi)/2, good to about 2^-65 of their size, so that one rounding is left at the end. As in
 * [Dekker 1971], but numbers are split by cutting bits instead of Veltkamp's multiplication: nothing here is wrong when a compiler
 * fuses a product with a sum (each product that is added to anything is either exact, or so small that its rounding does not
 * matter) or keeps more digits than asked (x87), and no splitting can overflow. Finite arguments only: the callers see to that. */

typedef struct blni_pair { double hi, lo; } blni_pair;

/* The sum whose rounding error is wanted must be a double when the error is formed: on x87 it has to go through memory. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1      /* 1 widens floats only */
#define BLNI_PAIR_SUM volatile double
#else
#define BLNI_PAIR_SUM const double
#endif

BLNI_PRIV blni_pair blni_pair_make(double hi, double lo)
{
    blni_pair r;
    r.hi = hi;
    r.lo = lo;
    return r;
}

BLNI_PRIV blni_pair blni_pair_const(const double *c) { return blni_pair_make(c[0], c[1]); }

/* The first 26 of the 53 bits of x. Products of two heads are exact, and so is x - head(x), of 27 bits. */
BLNI_PRIV double blni_head(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~UINT64_C(0x7ffffff);
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* a + b where |a| >= |b| or a = 0; any a and b. */
BLNI_PRIV blni_pair blni_pair_quick(double a, double b)
{
    BLNI_PAIR_SUM s = a + b;
    return blni_pair_make(s, b - (s - a));
}

BLNI_PRIV blni_pair blni_pair_sum(double a, double b)
{
    BLNI_PAIR_SUM s = a + b, t = s - a;
    return blni_pair_make(s, (a - (s - t)) + (b - t));
}

BLNI_PRIV blni_pair blni_pair_add(blni_pair a, blni_pair b)
{
    const blni_pair s = blni_pair_sum(a.hi, b.hi);
    return blni_pair_quick(s.hi, s.lo + (a.lo + b.lo));
}

BLNI_PRIV blni_pair blni_pair_plus(blni_pair a, double b)
{
    const blni_pair s = blni_pair_sum(a.hi, b);
    return blni_pair_quick(s.hi, s.lo + a.lo);
}

BLNI_PRIV blni_pair blni_pair_negate(blni_pair a) { return blni_pair_make(-a.hi, -a.lo); }

BLNI_PRIV blni_pair blni_pair_sub(blni_pair a, blni_pair b) { return blni_pair_add(a, blni_pair_negate(b)); }

/* Exact for scale a power of two, within the range of normal numbers. */
BLNI_PRIV blni_pair blni_pair_scale(blni_pair a, double scale) { return blni_pair_make(a.hi*scale, a.lo*scale); }

/* The product of two doubles: that of the heads is exact, the others are 2^-25 of it, and their rounding is 2^-77. */
BLNI_PRIV blni_pair blni_pair_product(double a, double b)
{
    const double ah = blni_head(a), bh = blni_head(b);
    return blni_pair_quick(ah*bh, ah*(b - bh) + (a - ah)*b);
}

BLNI_PRIV blni_pair blni_pair_times(blni_pair a, double b)
{
    const blni_pair p = blni_pair_product(a.hi, b);
    return blni_pair_quick(p.hi, p.lo + a.lo*b);
}

BLNI_PRIV blni_pair blni_pair_mul(blni_pair a, blni_pair b)
{
    const blni_pair p = blni_pair_product(a.hi, b.hi);
    return blni_pair_quick(p.hi, p.lo + (a.lo*b.hi + a.hi*b.lo));
}

BLNI_PRIV blni_pair blni_pair_div(blni_pair a, blni_pair b)
{
    BLNI_PAIR_SUM q = a.hi/b.hi;
    const blni_pair p = blni_pair_times(b, q);
    return blni_pair_quick(q, ((a.hi - p.hi) + (a.lo - p.lo))/b.hi);
}

BLNI_PRIV blni_pair blni_pair_sqrt(blni_pair a)
{
    BLNI_PAIR_SUM s = sqrt(a.hi);
    if (!(s > 0.0)) return blni_pair_make(s, 0.0);
    const blni_pair p = blni_pair_product(s, s);
    return blni_pair_quick(s, ((a.hi - p.hi) + (a.lo - p.lo))/(2.0*s));
}

/* sum_i c[i] x^i, i < n, by Horner's scheme in x^2 for the even and the odd terms: two chains run at a time. */
BLNI_PRIV double blni_horner(size_t n, const double *c, double x)
{
    const double y = x*x;
    double even = 0.0, odd = 0.0;
    if (n % 2 == 1) even = c[--n];
    for (; n > 0; n -= 2) {
        odd = odd*y + c[n - 1];
        even = even*y + c[n - 2];
    }
    return even + x*odd;
}

/* A row of special_tables: c[0] + c[1] in two doubles, then n more coefficients; |t| <= 1. The polynomial hardly leaves its first
 * coefficient, so that what follows may be plain. */
BLNI_PRIV blni_pair blni_pair_polynomial(size_t n, const double *c, double t)
{
    return blni_pair_quick(c[0], c[1] + t*blni_horner(n, c + 2, t));
}

/* x 2^k, rounded; also where that is subnormal, 0 or infinite. */
BLNI_PRIV double blni_times_2(double x, int k)
{
    uint64_t bits;
    double scale;
    if (k < -1000 || k > 1000) return ldexp(x, k);
    bits = (uint64_t)(k + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return x*scale;
}

/* e^a = m 2^*k, with m in [0.98, 2.03); beyond |a| = 20000, k is as good as infinite. With a = n log(2)/32 + r: 2^(n/32) from a
 * table, e^r - 1 by its series, of which r itself needs the second double, r^2/2 < 2^-14 no longer; the series ends at r^8/8! <
 * 2^-67. */
BLNI_PRIV blni_pair blni_pair_exp(blni_pair a, int *k)
{
    static const double c[6] = { 0.5, 1.0/6.0, 1.0/24.0, 1.0/120.0, 1.0/720.0, 1.0/5040.0 };
    if (!(fabs(a.hi) < 20000.0)) {
        *k = a.hi < 0.0 ? -30000 : 30000;
        return blni_pair_make(a.hi != a.hi ? a.hi : 1.0, 0.0);
    }
    const int n = (int)(a.hi*46.166241308446828384 + (a.hi < 0.0 ? -0.5 : 0.5));
    const unsigned shifted = (unsigned)(n + 32*32768);
    const double *table = blni_exp2_table + 2*(shifted % 32);
    const blni_pair r = blni_pair_sum(a.hi - n*blni_step[0], -(n*blni_step[1]));
    const double rest = r.lo + a.lo, more = rest + r.hi*(rest + r.hi*blni_horner(6, c, r.hi));
    /* table (1 + r + more) */
    const blni_pair p = blni_pair_product(table[0], r.hi), s = blni_pair_quick(table[0], p.hi);
    *k = (int)(shifted/32) - 32768;
    return blni_pair_quick(s.hi, s.lo + (p.lo + (table[1] + table[1]*r.hi) + table[0]*more));
}

/* m 2^k, rounded. */
BLNI_PRIV double blni_pair_round(blni_pair m, int k) { return blni_times_2(m.hi + m.lo, k); }

/* log(1 + r) for |r| <= 1/40: 2 atanh(s) with s = r/(2 + r); relative. The series ends at s^12/13 < 2^-75. */
BLNI_PRIV blni_pair blni_pair_log1p_series(blni_pair r)
{
    static const double c[5] = { 2.0/3.0, 2.0/5.0, 2.0/7.0, 2.0/9.0, 2.0/11.0 };
    const blni_pair s = blni_pair_div(r, blni_pair_plus(r, 2.0));
    const double y = s.hi*s.hi;
    return blni_pair_quick(2.0*s.hi, 2.0*s.lo + s.hi*y*blni_horner(5, c, y));
}

/* log a; relative, at a = 1 too. With a = m 2^e, sqrt(1/2) <= m < sqrt(2), and c near 1/m of nine bits:
 * log a = e log 2 - log c + log(1 + (m c - 1)), |m c - 1| < 1/40; c = 1 where m is near 1. */
BLNI_PRIV blni_pair blni_pair_log(blni_pair a)
{
    uint64_t bits;
    int e = 0;
    if (!(a.hi > 0.0 && a.hi < (double)INFINITY)) return blni_pair_make(log(a.hi), 0.0);
    if (a.hi < 1e-300) {                                           /* 2^54: no subnormals from here on */
        a = blni_pair_scale(a, 18014398509481984.0);
        e = -54;
    }
    memcpy(&bits, &a.hi, sizeof bits);
    const int k = (int)(bits >> 52) - 1023;
    blni_pair m = blni_pair_make(blni_times_2(a.hi, -k), blni_times_2(a.lo, -k));
    e += k;
    if (m.hi > 2.0*BLNI_SQRT1_2) {
        m = blni_pair_scale(m, 0.5);
        e++;
    }
    const double *row = blni_log_table + 3*((size_t)(32.0*m.hi + 0.5) - 23), head = blni_head(m.hi);
    const blni_pair r = blni_pair_plus(blni_pair_sum(head*row[0] - 1.0, (m.hi - head)*row[0]), m.lo*row[0]);
    const blni_pair table = blni_pair_plus(blni_pair_sum(e*blni_ln2[0], row[1]), row[2] + e*blni_ln2[1]);
    return blni_pair_add(table, blni_pair_log1p_series(r));
}

/* log(1 + a), a.hi > -1; relative, at a = 0 too. */
BLNI_PRIV blni_pair blni_pair_log1p(blni_pair a)
{
    if (fabs(a.hi) < 0.015625) return blni_pair_log1p_series(a);
    return blni_pair_log(blni_pair_plus(a, 1.0));
}

/* ---------------------------------------------------------------- src/math/special.c */
/* special: exponentials and logarithms of sums and odds
 *
 * All but sigmoid stand on the C library's exp, expm1, log and log1p (at most an ulp each in glibc, musl and the BSDs): what is
 * done here is to keep them away from overflow and cancellation. The rest of the room is in its pieces: special_tables,
 * special_pair (arithmetic in twice the precision), special_erf, special_gamma, special_incomplete. */

BLN_API double bln_log1pexp(double x)
{
    /* x > 0: x + log(1 + e^-x), so that e^x cannot overflow. */
    return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/* Of the two forms the one whose inner function stays away from 1.                                              [Maechler 2012] */
BLN_API double bln_log1mexp(double a)
{
    if (!(a >= 0.0)) return BLNI_NAN;
    return a <= 0.69314718055994530942 ? log(-expm1(-a)) : log1p(-exp(-a));
}

/* 1/(1 + t) or t/(1 + t), t = e^-|x|. In doubles it has three roundings of half a unit each, which may add up to 3 ulp where the
 * result is just below a power of two. */
BLN_API double bln_sigmoid(double x)
{
    int k;
    if (x != x) return x;
    const blni_pair m = blni_pair_exp(blni_pair_make(-fabs(x), 0.0), &k);
    if (fabs(x) > 40.0) return x < 0.0 ? blni_pair_round(m, k) : 1.0;
    const blni_pair t = blni_pair_scale(m, ldexp(1.0, k)), one = blni_pair_make(1.0, 0.0);
    return blni_pair_div(x < 0.0 ? t : one, blni_pair_plus(t, 1.0)).hi;
}

/* Near 1/2, where the result has its root, 1 - 2p is exact and so is the smaller of p and 1 - p; elsewhere the logarithm is away
 * from 0. */
BLN_API double bln_logit(double p)
{
    if (!(p >= 0.0 && p <= 1.0)) return BLNI_NAN;
    if (p < 0.25 || p > 0.75) return log(p) - log1p(-p);
    return p < 0.5 ? -log1p((1.0 - 2.0*p)/p) : log1p((2.0*p - 1.0)/(1.0 - p));
}

BLN_API double bln_logsumexp(size_t n, const double *x)
{
    size_t top = 0;
    double sum = 0.0;
    if (n == 0) return -(double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (x[i] != x[i]) return x[i];
        if (x[i] > x[top]) top = i;
    }
    if (!blni_finite(x[top])) return x[top];
    /* The largest term is the 1 of log1p: nothing cancels when the result is near 0. */
    for (size_t i = 0; i < n; i++)
        if (i != top) sum += exp(x[i] - x[top]);
    return x[top] + log1p(sum);
}

/* ---------------------------------------------------------------- src/math/special_erf.c */
/* special_erf: the error function and the normal distribution
 *
 * Two approximations carry everything: erf(x)/x on [0, 1/2], and erfcx(x) = e^(x^2) erfc(x) on [1/2, oo), which has no tail to
 * lose; e^(-x^2) is split off as a pair and multiplied in at the end. The plan is that of [Cody 1969], with pieces of
 * polynomials in the place of his rational functions: on a piece the function hardly leaves its value in the middle, which is
 * kept in two doubles, so that the only rounding that counts is the last one. The argument is a pair too: x/sqrt(2) in the
 * normal distribution is no double, and its rounding alone would cost x^2 ulp. All public functions measured at most 0.62 ulp. */

/* erf(x), |x| <= 1/2. */
BLNI_PRIV blni_pair blni_erf_centre(blni_pair x)
{
    return blni_pair_mul(x, blni_pair_polynomial(10, blni_erf_table[0], 8.0*x.hi*x.hi - 1.0));
}

/* erfcx(x), x >= 1/2. Beyond 7 a polynomial in 1/x^2 times 1/(sqrt(pi) x). */
BLNI_PRIV blni_pair blni_erfcx_right(blni_pair x)
{
    if (x.hi >= 7.0) {
        const double w = 7.0/x.hi;
        return blni_pair_mul(blni_pair_polynomial(9, blni_erfcx_far_table[0], 2.0*w*w - 1.0),
                             blni_pair_div(blni_pair_const(blni_inv_sqrt_pi), x));
    }
    const double base = x.hi < 1.0 ? 1.0 : x.hi < 3.0 ? 2.0 : 4.0, from = x.hi - (base - 1.0);
    const size_t first = x.hi < 1.0 ? 0 : x.hi < 3.0 ? 8 : 16, i = (size_t)(8.0*from/base);
    const double middle = base*0.125*((double)i + 0.5);
    return blni_pair_polynomial(11, blni_erfcx_table[first + i - 4], ((from - middle) + x.lo)*16.0/base);
}

/* erfc(x) = m 2^*k, 1/2 <= x < 100. */
BLNI_PRIV blni_pair blni_erfc_right(blni_pair x, int *k)
{
    return blni_pair_mul(blni_pair_exp(blni_pair_negate(blni_pair_mul(x, x)), k), blni_erfcx_right(x));
}

/* The same as one pair where it is not tiny, 1/2 <= x <= 9. */
BLNI_PRIV blni_pair blni_erfc_near(blni_pair x)
{
    int k;
    const blni_pair m = blni_erfc_right(x, &k);
    return blni_pair_scale(m, ldexp(1.0, k));
}

/* erfc(x) rounded; scale is 1 or 1/2. Any x, as a pair; .hi may be infinite but not NaN. */
BLNI_PRIV double blni_erfc_round(blni_pair x, double scale)
{
    if (x.hi >= 0.5) {
        int k;
        if (x.hi > 28.0) return 0.0;
        const blni_pair m = blni_erfc_right(x, &k);
        return blni_pair_round(blni_pair_scale(m, scale), k);
    }
    if (x.hi < -7.0) return 2.0*scale;
    const blni_pair rest = x.hi > -0.5 ? blni_pair_negate(blni_erf_centre(x)) : blni_pair_sub(blni_pair_make(1.0, 0.0),
                                                                                             blni_erfc_near(blni_pair_negate(x)));
    return scale*blni_pair_plus(rest, 1.0).hi;
}

BLN_API double bln_erf(double x)
{
    const double y = fabs(x);
    double f;
    if (x != x) return x;
    if (y < 1e-300) return 1.12837916709551257390*x;
    if (y <= 0.5) return blni_erf_centre(blni_pair_make(x, 0.0)).hi;
    f = y >= 7.0 ? 1.0 : blni_pair_sub(blni_pair_make(1.0, 0.0), blni_erfc_near(blni_pair_make(y, 0.0))).hi;
    return x < 0.0 ? -f : f;
}

BLN_API double bln_erfc(double x) { return x != x ? x : blni_erfc_round(blni_pair_make(x, 0.0), 1.0); }

BLN_API double bln_erfcx(double x)
{
    int k;
    if (x != x) return x;
    if (x > 1e300) return 0.56418958354775628695/x;
    if (x >= 0.5) return blni_erfcx_right(blni_pair_make(x, 0.0)).hi;
    if (x < -27.0) return (double)INFINITY;
    /* By the definition near 0, and 2 e^(x^2) - erfcx(-x) to the left, where the second is at most a third of the first. */
    const blni_pair m = blni_pair_exp(blni_pair_product(x, x), &k);
    if (x > -0.5) {
        const blni_pair f = blni_pair_plus(blni_pair_negate(blni_erf_centre(blni_pair_make(x, 0.0))), 1.0);
        return blni_pair_round(blni_pair_mul(m, f), k);
    }
    const blni_pair mirror = blni_pair_scale(blni_erfcx_right(blni_pair_make(-x, 0.0)), ldexp(1.0, -k));
    return blni_pair_round(blni_pair_sub(blni_pair_scale(m, 2.0), mirror), k);
}

/* x/sqrt(2). */
BLNI_PRIV blni_pair blni_over_sqrt2(double x) { return blni_pair_times(blni_pair_const(blni_sqrt1_2), x); }

BLN_API double bln_norm_pdf(double x)
{
    int k;
    if (!(fabs(x) < 40.0)) return x != x ? x : 0.0;                    /* e^-800 is below the smallest double */
    const blni_pair m = blni_pair_exp(blni_pair_scale(blni_pair_product(x, x), -0.5), &k);
    return blni_pair_round(blni_pair_mul(m, blni_pair_const(blni_inv_sqrt_2pi)), k);
}

BLN_API double bln_norm_logpdf(double x)
{
    if (!(fabs(x) < 1e150)) return -0.5*x*x;
    return -blni_pair_add(blni_pair_scale(blni_pair_product(x, x), 0.5), blni_pair_const(blni_half_log_2pi)).hi;
}

BLN_API double bln_norm_sf(double x)
{
    if (!(fabs(x) < 40.0)) return x != x ? x : x > 0.0 ? 0.0 : 1.0;
    return blni_erfc_round(blni_over_sqrt2(x), 0.5);
}

BLN_API double bln_norm_cdf(double x) { return bln_norm_sf(-x); }

/* log Phi(x): to the left -x^2/2 + log(erfcx(-x/sqrt 2)/2); in the centre log((1 + erf)/2); to the right log(1 - erfc/2). */
BLN_API double bln_norm_logcdf(double x)
{
    if (x != x) return x;
    if (x > 40.0) return 0.0;
    if (x < -1e150) return -0.5*x*x;
    const blni_pair z = blni_over_sqrt2(-x);
    if (z.hi >= 0.5) {
        const blni_pair tail = blni_pair_log(blni_pair_scale(blni_erfcx_right(z), 0.5));
        return blni_pair_sub(tail, blni_pair_scale(blni_pair_product(x, x), 0.5)).hi;
    }
    if (z.hi > -0.5) return blni_pair_log(blni_pair_scale(blni_pair_plus(blni_pair_negate(blni_erf_centre(z)), 1.0), 0.5)).hi;
    if (z.hi > -9.0) return blni_pair_log1p(blni_pair_scale(blni_erfc_near(blni_pair_negate(z)), -0.5)).hi;
    return -blni_erfc_round(blni_pair_negate(z), 0.5);
}

/* N(x)/Phi(x): to the left sqrt(2/pi)/erfcx(-x/sqrt 2), in which nothing can underflow. */
BLN_API double bln_norm_mills(double x)
{
    int k;
    if (!(fabs(x) < 1e150)) return x != x ? x : x < 0.0 ? -x : 0.0;
    if (x > 40.0) return 0.0;
    const blni_pair z = blni_over_sqrt2(-x), c = blni_pair_const(blni_inv_sqrt_2pi);
    if (z.hi >= 0.5) return blni_pair_div(blni_pair_scale(c, 2.0), blni_erfcx_right(z)).hi;
    blni_pair erf = blni_pair_make(1.0, 0.0);                      /* of x/sqrt 2 */
    if (z.hi > -0.5) erf = blni_pair_negate(blni_erf_centre(z));
    else if (z.hi > -9.0) erf = blni_pair_sub(erf, blni_erfc_near(blni_pair_negate(z)));
    const blni_pair cdf = blni_pair_scale(blni_pair_plus(erf, 1.0), 0.5);
    const blni_pair m = blni_pair_exp(blni_pair_scale(blni_pair_product(x, x), -0.5), &k);
    return blni_pair_round(blni_pair_div(blni_pair_mul(m, c), cdf), k);
}

/* Wichura (1988), AS241 PPND16: three rational approximations, each good to about 1e-16. */
BLNI_PRIV double blni_quantile_centre(double q)                   /* |q| = |p - 1/2| <= 0.425 */
{
    static const double up[8] = {
        3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
        45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727
    };
    static const double down[8] = {
        1.0, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077,
        21213.794301586595867, 39307.89580009271061, 28729.085735721942674, 5226.495278852545925
    };
    const double r = 0.180625 - q*q;
    return q*blni_horner(8, up, r)/blni_horner(8, down, r);
}

BLNI_PRIV double blni_quantile_tail(double twice)                 /* 0 < twice < 0.15: the quantile of 1 - twice/2 */
{
    static const double up[8] = {
        1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
        1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4
    };
    static const double down[8] = {
        1.0, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455,
        0.14810397642748007459, 0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9
    };
    static const double far_up[8] = {
        6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
        0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7
    };
    static const double far_down[8] = {
        1.0, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525,
        7.868691311456132591e-4, 1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15
    };
    const double r = sqrt(0.69314718055994530942 - log(twice));
    if (r <= 5.0) return blni_horner(8, up, r - 1.6)/blni_horner(8, down, r - 1.6);
    return blni_horner(8, far_up, r - 5.0)/blni_horner(8, far_down, r - 5.0);
}

/* The z >= 0 with erf(z) = y, 0 <= y < 1, and erfc(z) = c = 1 - y, of which both are given as they are known best; times sqrt(2) if
 * `root2`. AS241 for a start, good to some 4 ulp, then one step of Newton's method with the residual in pairs, which squares the
 * error: what remains is the rounding of the result. In the tail the residual is that of erfcx, as c itself may be subnormal. */
BLNI_PRIV double blni_erf_inverse(double y, double c, int root2)
{
    const double start = y <= 0.85 ? blni_quantile_centre(0.5*y) : blni_quantile_tail(c);
    const double x = root2 ? start : start*BLNI_SQRT1_2;
    const blni_pair z = root2 ? blni_over_sqrt2(x) : blni_pair_make(x, 0.0), inv_sqrt_pi = blni_pair_const(blni_inv_sqrt_pi);
    int k;
    double residual;                                              /* (erf(z) - y)/(erf'(z) sqrt(pi)/2) */
    const blni_pair m = blni_pair_exp(blni_pair_negate(blni_pair_mul(z, z)), &k);
    if (z.hi < 0.5) {
        const blni_pair f = blni_erf_centre(z);                   /* the smaller of y and c is exact */
        residual = (y <= c ? blni_pair_plus(f, -y) : blni_pair_plus(blni_pair_plus(f, -1.0), c)).hi/blni_pair_round(m, k);
    }
    else residual = blni_pair_sub(blni_pair_div(blni_pair_make(ldexp(c, -k), 0.0), m), blni_erfcx_right(z)).hi;
    return x - residual*(0.5/inv_sqrt_pi.hi)*(root2 ? 2.0*BLNI_SQRT1_2 : 1.0);
}

BLN_API double bln_erfinv(double y)
{
    const double a = fabs(y);
    if (!(a <= 1.0)) return BLNI_NAN;
    if (a == 1.0) return y*(double)INFINITY;
    if (a < 1e-300) return 0.88622692545275801365*y;
    const double z = blni_erf_inverse(a, 1.0 - a, 0);             /* 1 - a is exact where it is used: a > 0.5 */
    return y < 0.0 ? -z : z;
}

BLN_API double bln_erfcinv(double y)
{
    if (!(y >= 0.0 && y <= 2.0)) return BLNI_NAN;
    if (y == 0.0 || y == 2.0) return y == 0.0 ? (double)INFINITY : -(double)INFINITY;
    return y <= 1.0 ? blni_erf_inverse(1.0 - y, y, 0) : -blni_erf_inverse(y - 1.0, 2.0 - y, 0);
}

BLN_API double bln_norm_quantile(double p)
{
    if (!(p >= 0.0 && p <= 1.0)) return BLNI_NAN;
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -(double)INFINITY : (double)INFINITY;
    /* 2p - 1 and 2 - 2p are exact where they are used. */
    return p < 0.5 ? -blni_erf_inverse(1.0 - 2.0*p, 2.0*p, 1) : blni_erf_inverse(2.0*p - 1.0, 2.0 - 2.0*p, 1);
}

/* ---------------------------------------------------------------- src/math/special_gamma.c */
/* special_gamma: log Gamma, its derivatives and its differences, for positive arguments
 *
 * Large arguments by Stirling's series with log x in a pair; small ones are brought to [1, 2], or up to 10, by the recurrence,
 * whose products are pairs: Gamma(x) = (x-1)(x-2)...(1+u) Gamma(1+u), log Gamma(1+u) = u (u-1) q(u) with a table of polynomials
 * for q, so that the roots at 1 and 2 are exact factors. Differences of log Gamma at large arguments are formed term by term,
 * where two values of it would cancel. Own code and not the C library's lgamma, which writes the global signgam. */

/* log Gamma(x) - [(x - 1/2) log x - x + log(2 pi)/2] = 1/12x - 1/360x^3 + ..., x >= 8.                  [DLMF 5.11.1] */
BLNI_PRIV double blni_stirling(double x)
{
    const double u = 1.0/x;
    return u*blni_horner(10, blni_stirling_table, u*u);
}

/* stirling(x + d) - stirling(x), relative to d as well: the divided difference of the polynomial in u = 1/x and v = 1/(x + d),
 * times v - u = -d u v. Horner's scheme for p(v) gives on its way that for (p(u) - p(v))/(u - v). */
BLNI_PRIV double blni_stirling_difference(double x, double d)
{
    const double u = 1.0/x, v = 1.0/(x + d), u2 = u*u, v2 = v*v;
    double p = 0.0, slope = 0.0;                                  /* of p(w), w = u^2 */
    for (size_t k = 10; k-- > 0;) {
        slope = slope*u2 + p;
        p = p*v2 + blni_stirling_table[k];
    }
    /* v p(v^2) - u p(u^2) = (v - u)(p(v^2) + u (u + v) slope) */
    return -d*u*v*(p + u*(u + v)*slope);
}

/* log Gamma(1 + u), 0 <= u <= 1. */
BLNI_PRIV blni_pair blni_lgamma_unit(blni_pair u)
{
    const size_t i = u.hi < 1.0 ? (size_t)(8.0*u.hi) : 7;
    const double t = 16.0*((u.hi - 0.125*((double)i + 0.5)) + u.lo);
    return blni_pair_mul(blni_pair_mul(u, blni_pair_plus(u, -1.0)), blni_pair_polynomial(12, blni_lgamma_table[i], t));
}

/* log Gamma(x), 0 < x <= 2.556e305. */
BLNI_PRIV blni_pair blni_lgamma_double(double x)
{
    if (x >= 8.0) {
        const blni_pair main = blni_pair_mul(blni_pair_log(blni_pair_make(x, 0.0)), blni_pair_sum(x, -0.5));
        const double series = x < 1e17 ? blni_stirling(x) : 0.0;
        return blni_pair_add(blni_pair_plus(main, -x), blni_pair_plus(blni_pair_const(blni_half_log_2pi), series));
    }
    if (x < 1.0) return blni_pair_sub(blni_lgamma_unit(blni_pair_make(x, 0.0)), blni_pair_log(blni_pair_make(x, 0.0)));
    if (x <= 2.0) return blni_lgamma_unit(blni_pair_make(x - 1.0, 0.0));
    blni_pair product = blni_pair_make(1.0, 0.0);
    for (; x > 2.0; x -= 1.0) product = blni_pair_times(product, x - 1.0);           /* x - 1 is exact */
    return blni_pair_add(blni_pair_log(product), blni_lgamma_unit(blni_pair_make(x - 1.0, 0.0)));
}

BLN_API double bln_lgamma(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? (double)INFINITY : BLNI_NAN;
    if (x > 2.556e305) return x*(log(x) - 1.0);
    return blni_lgamma_double(x).hi;
}

/* sum_{k < n} 1/(x + k)^power, power 1 or 2; x in [7.5e-155, 10]. */
BLNI_PRIV blni_pair blni_reciprocals(double x, int n, int power)
{
    blni_pair sum = blni_pair_make(0.0, 0.0);
    while (n-- > 0) {
        blni_pair term = blni_pair_div(blni_pair_make(1.0, 0.0), blni_pair_sum((double)n, x));
        if (power == 2) term = blni_pair_mul(term, term);
        sum = blni_pair_add(sum, term);
    }
    return sum;
}

/* The steps that bring x up to 10. */
BLNI_PRIV int blni_steps_to_10(double x) { return x < 10.0 ? (int)ceil(10.0 - x) : 0; }

/* psi(x) = log y - 1/2y - sum B_2k/(2k y^2k) - sum_{k<n} 1/(x + k), y = x + n >= 10.                     [DLMF 5.5.2, 5.11.2] */
BLNI_PRIV blni_pair blni_digamma(double x)                         /* x > 0, finite */
{
    if (x < 1e-250) return blni_pair_make(-1.0/x, 0.0);
    if (x < 1e-150) return blni_pair_div(blni_pair_make(-1.0, 0.0), blni_pair_make(x, 0.0));
    if (x > 1e25) return blni_pair_log(blni_pair_make(x, 0.0));
    const int n = blni_steps_to_10(x);
    const blni_pair y = blni_pair_sum((double)n, x), u = blni_pair_div(blni_pair_make(0.5, 0.0), y);
    const double w = 1.0/(y.hi*y.hi), series = w*blni_horner(9, blni_digamma_table, w);
    const blni_pair top = blni_pair_plus(blni_pair_sub(blni_pair_log(y), u), -series);
    return blni_pair_sub(top, blni_reciprocals(x, n, 1));
}

BLN_API double bln_digamma(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -(double)INFINITY : BLNI_NAN;
    return x == (double)INFINITY ? x : blni_digamma(x).hi;
}

/* psi'(x) = 1/y + 1/2y^2 + sum B_2k/y^(2k+1) + sum_{k<n} 1/(x + k)^2.                                    [DLMF 5.15.5, 5.15.8] */
BLN_API double bln_trigamma(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? (double)INFINITY : BLNI_NAN;
    if (x < 7.5e-155) return 1.0/x/x;                             /* infinite, or the last before */
    if (x > 1e17) return 1.0/x;
    const int n = blni_steps_to_10(x);
    const blni_pair y = blni_pair_sum((double)n, x), u = blni_pair_div(blni_pair_make(1.0, 0.0), y);
    const double w = u.hi*u.hi, series = w*(0.5 + u.hi*blni_horner(10, blni_trigamma_table, w));
    return blni_pair_add(blni_pair_plus(u, series), blni_reciprocals(x, n, 2)).hi;
}

/* log Gamma(x), x > 0 a pair: that of the double, and the rest times the slope. */
BLNI_PRIV blni_pair blni_lgamma_pair(blni_pair x)
{
    const blni_pair f = blni_lgamma_double(x.hi);
    return x.lo == 0.0 ? f : blni_pair_add(f, blni_pair_times(blni_digamma(x.hi), x.lo));
}

/* log Gamma(a + x) - log Gamma(a), a >= 10, x >= 0, relative for small x too (at 8 the
 * series would miss 4e-18 x):
 * x log(a + x) + (a - 1/2) log(1 + x/a) - x + the difference of Stirling's series. */
BLNI_PRIV blni_pair blni_log_rising_large(blni_pair a, double x)
{
    const blni_pair b = blni_pair_plus(a, x), ratio = blni_pair_div(blni_pair_make(x, 0.0), a);
    const blni_pair first = blni_pair_times(blni_pair_log(b), x);
    const blni_pair second = blni_pair_mul(blni_pair_plus(a, -0.5), blni_pair_log1p(ratio));
    const double series = a.hi < 1e17 ? blni_stirling_difference(a.hi, x) : 0.0;
    return blni_pair_add(first, blni_pair_plus(blni_pair_plus(second, -x), series));
}

/* The same for a < 1e-250, x < 1: log Gamma(1 + x) - log(1 + x/a), as a itself is nothing; x/a of scaled numbers, or as a
 * difference of logarithms where it may overflow. */
BLNI_PRIV blni_pair blni_log_rising_tiny(double a, double x)
{
    const blni_pair A = blni_pair_make(a, 0.0), X = blni_pair_make(x, 0.0), unit = blni_lgamma_unit(X);
    if (x > 1e-50) return blni_pair_sub(unit, blni_pair_sub(blni_pair_log(X), blni_pair_log(A)));
    const blni_pair ratio = blni_pair_div(blni_pair_scale(X, ldexp(1.0, 160)), blni_pair_scale(A, ldexp(1.0, 160)));
    return blni_pair_sub(unit, blni_pair_log1p(ratio));
}

/* The same for a > 0. Where x is as good as infinitesimal, x psi(a): the next term is x/a of it, and x/a may underflow. Below 10,
 * x < 1: the recurrence down from a + n, prod (a + x + k)/(a + k) = 1 + e with e built up from positive terms, so that it is
 * relative to x; x >= 1: nothing cancels. */
BLNI_PRIV blni_pair blni_log_rising(blni_pair a, double x)
{
    if (a.hi < 1e-250 && x < 1.0) return blni_log_rising_tiny(a.hi, x);
    if (x <= 1e-21*a.hi) return blni_pair_times(blni_digamma(a.hi), x);
    if (a.hi >= 10.0) return blni_log_rising_large(a, x);
    if (x >= 1.0) return blni_pair_sub(blni_lgamma_pair(blni_pair_plus(a, x)), blni_lgamma_pair(a));
    blni_pair e = blni_pair_make(0.0, 0.0);
    for (; a.hi < 10.0; a = blni_pair_plus(a, 1.0)) {
        const blni_pair t = blni_pair_div(blni_pair_make(x, 0.0), a);
        e = blni_pair_add(e, blni_pair_add(t, blni_pair_mul(e, t)));
    }
    return blni_pair_sub(blni_log_rising_large(a, x), blni_pair_log1p(e));
}

BLN_API double bln_log_rising(double a, double x)
{
    if (!(a > 0.0 && x >= 0.0)) return BLNI_NAN;
    if (x == 0.0) return 0.0;
    if (x == (double)INFINITY || a == (double)INFINITY) return (double)INFINITY;
    if (a + x > 2.556e305 && x > 1e-21*a) return x*log(a + x) + (a > 1e280 ? (a - 0.5)*log1p(x/a) - x : -x);
    return blni_log_rising(blni_pair_make(a, 0.0), x).hi;
}

BLN_API double bln_lgamma_half_diff(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -(double)INFINITY : BLNI_NAN;
    if (x > 1e300) return 0.5*log(x);
    return blni_log_rising(blni_pair_make(x, 0.0), 0.5).hi;
}

/* log Gamma(n + 1)/Gamma(n - k + 1) - log Gamma(k + 1), with the smaller of k and n - k. */
BLN_API double bln_log_choose(double n, double k)
{
    static const double most = 1e300;                             /* an object: a literal may be wider than a double */
    if (!(k >= 0.0 && k <= n && n <= most)) return BLNI_NAN;
    blni_pair rest = blni_pair_sum(n, -k), small = blni_pair_make(k, 0.0);
    if (rest.hi < k) { const blni_pair t = rest; rest = small; small = t; }
    if (small.hi == 0.0) return 0.0;
    const double slope = small.lo == 0.0 ? 0.0 : small.lo*bln_digamma(n + 1.0);      /* of `up`, for the low word of x */
    const blni_pair up = blni_log_rising(blni_pair_plus(rest, 1.0), small.hi), down = blni_lgamma_pair(blni_pair_plus(small, 1.0));
    return blni_pair_plus(blni_pair_sub(up, down), slope).hi;
}

/* ---------------------------------------------------------------- src/math/special_incomplete.c */
/* special_incomplete: incomplete gamma and beta functions, their inverses, Student's distribution
 *
 * Each is a front factor (x^a e^-x/Gamma(a+1), x^a y^b/(a B(a,b)) with y = 1 - x) times a series or a continued fraction of
 * positive parts. All of the cancellation sits in the exponent of the front factor, which is formed in pairs; for large
 * parameters as -a phi(x/a) with phi(r) = r - 1 - log r, so that a log a never appears. The tail on the side of the mean where x
 * lies is computed and the other is its complement, unless that is small too (a not >> 1): then it has a formula of its own.
 * Inverses: log of a tail against log x, or against log(x/y), is concave (the densities of these logarithms are log-concave),
 * so Newton's method converges from wherever it starts. */

/* The parameters that are taken: beyond, products of them with each other and with logarithms leave the range of doubles. (Objects:
 * literals may be wider than a double.) */
static const double blni_parameter_ends[2] = { 1e-290, 1e290 };
BLNI_PRIV int blni_parameter(double a) { return a >= blni_parameter_ends[0] && a <= blni_parameter_ends[1]; }

/* Both tails of a distribution; rounding may not make either more than 1. */
typedef struct blni_tails { double p, q; } blni_tails;

BLNI_PRIV blni_tails blni_tails_make(double p, double q)
{
    blni_tails r;
    r.p = p > 1.0 ? 1.0 : p;
    r.q = q > 1.0 ? 1.0 : q;
    return r;
}

/* phi(r) = r - 1 - log r >= 0, with m = r - 1; relative. Near r = 1, with s = m/(2 + m), log r = 2 atanh(s) and m - 2s = m s:
 * phi = m s - 2 s^3 (1/3 + s^2/5 + ...), whose second term is at most a percent. */
BLNI_PRIV blni_pair blni_phi(blni_pair r, blni_pair m)
{
    static const double c[7] = { 2.0/3.0, 2.0/5.0, 2.0/7.0, 2.0/9.0, 2.0/11.0, 2.0/13.0, 2.0/15.0 };
    if (fabs(m.hi) > 0.0625) return blni_pair_sub(m, blni_pair_log(r));
    const blni_pair s = blni_pair_div(m, blni_pair_plus(m, 2.0));
    const double y = s.hi*s.hi;
    return blni_pair_plus(blni_pair_mul(m, s), -s.hi*y*blni_horner(7, c, y));
}

/* e^a, of which the caller takes factor 2^*k; 0 where not even the largest factor used here makes it a number. */
BLNI_PRIV double blni_front_exp(blni_pair a, int *k)
{
    *k = 0;
    if (!(a.hi > -2000.0)) return 0.0;
    const blni_pair m = blni_pair_exp(a, k);
    return m.hi;
}

/* ---- gamma ---- */

/* x^a e^-x/Gamma(a + 1) = result 2^*k; 0 < x. */
BLNI_PRIV double blni_gamma_front(double a, double x, int *k)
{
    const blni_pair X = blni_pair_make(x, 0.0), A = blni_pair_make(a, 0.0);
    if (a >= 8.0) {
        const blni_pair r = blni_pair_div(X, A), m = blni_pair_div(blni_pair_sum(x, -a), A);
        if (m.hi > 1e4 || r.hi < 1e-300) { *k = 0; return 0.0; }
        const blni_pair e = blni_pair_plus(blni_pair_times(blni_phi(r, m), a), a < 1e17 ? blni_stirling(a) : 0.0);
        return blni_front_exp(blni_pair_negate(e), k)*blni_inv_sqrt_2pi[0]/sqrt(a);
    }
    if (x > 2000.0) { *k = 0; return 0.0; }
    const blni_pair e = blni_pair_sub(blni_pair_times(blni_pair_log(X), a), blni_lgamma_pair(blni_pair_sum(1.0, a)));
    return blni_front_exp(blni_pair_plus(e, -x), k);
}

/* Temme (1979): with phi(x/a) = eta^2/2, Q = erfc(eta sqrt(a/2))/2 + e^(-a eta^2/2)/sqrt(2 pi a) sum_k c_k(eta) a^-k, likewise
 * P; here with five c_k for a >= 500, |x/a - 1| <= 0.4. erfc as erfcx times the same exponential: the sum is relative to the
 * tail.   [DLMF 8.12] */
BLNI_PRIV blni_tails blni_gamma_temme(double a, double x)
{
    static const size_t order[5] = { 16, 13, 11, 9, 7 };
    const blni_pair A = blni_pair_make(a, 0.0), m = blni_pair_div(blni_pair_sum(x, -a), A);
    const blni_pair phi = blni_phi(blni_pair_div(blni_pair_make(x, 0.0), A), m), e = blni_pair_times(phi, a);
    const double sign = x < a ? -1.0 : 1.0, eta = sign*sqrt(2.0*phi.hi);
    const double *c = blni_temme_table;
    double sum = 0.0, power = 1.0, tail;
    int k;
    if (e.hi > 800.0) return blni_tails_make(x < a ? 0.0 : 1.0, x < a ? 1.0 : 0.0);
    for (size_t i = 0; i < 5; i++) {
        sum += power*blni_horner(order[i], c, eta);
        power /= a;
        c += order[i];
    }
    sum *= sign*blni_inv_sqrt_2pi[0]/sqrt(a);
    const blni_pair z = blni_pair_sqrt(e), f = blni_pair_exp(blni_pair_negate(e), &k);
    if (z.hi < 0.5) tail = 0.5*(1.0 - blni_erf_centre(z).hi) + ldexp(f.hi, k)*sum;
    else tail = ldexp(f.hi*(0.5*blni_erfcx_right(z).hi + sum), k);
    return x < a ? blni_tails_make(tail, 1.0 - tail) : blni_tails_make(1.0 - tail, tail);
}

/* sum_n x^n/((a + 1) ... (a + n)): P = front times this.                                                       [DLMF 8.11.4] */
BLNI_PRIV double blni_gamma_series(double a, double x)
{
    double sum = 0.0, term = 1.0;
    for (double n = 1.0; term > 0.25*DBL_EPSILON*sum; n += 1.0) {
        sum += term;
        term *= x/(a + n);
    }
    return sum;
}

/* a/(x + 1 - a - 1(1 - a)/(x + 3 - a - 2(2 - a)/(x + 5 - a - ...))): Q = front times this; x >= 1 and x > a - 1, fast for
 * x >= a + 1 or a <= 1. Summed up from its first convergent, so that only the first terms' rounding counts.
 * [DLMF 8.9.2; Thompson & Barnett 1986] */
BLNI_PRIV double blni_gamma_fraction(double a, double x)
{
    double b = x + 1.0 - a, d = 1.0/b, step = d, sum = d;
    for (double n = 1.0; fabs(step) > 0.25*DBL_EPSILON*sum; n += 1.0) {
        const double c = n*(n - a), before = d;
        b += 2.0;
        d = 1.0/(b - c*d);
        step *= c*d*before;
        sum += step;
    }
    return a*sum;
}

/* Q for a < 1, x < 1 where P is close to 1: with e = log(x^a/Gamma(1 + a)),
 * Q = (1 - e^e) - e^e a sum_{n >= 1} (-x)^n/(n! (a + n)), both parts positive or nearly so.                     [DLMF 8.7.3] */
BLNI_PRIV double blni_gamma_small(double a, double x)
{
    const blni_pair power = blni_pair_times(blni_pair_log(blni_pair_make(x, 0.0)), a);
    const double e = blni_pair_sub(power, blni_lgamma_unit(blni_pair_make(a, 0.0))).hi;
    double sum = 0.0, term = 1.0;
    for (double n = 1.0; n < 25.0; n += 1.0) {                    /* 1/25! < 2^-83 */
        term *= -x/n;
        sum += term/(a + n);
    }
    return -expm1(e) - exp(e)*a*sum;
}

/* P and Q; a > 0 finite, x >= 0. */
BLNI_PRIV blni_tails blni_gamma_tails(double a, double x)
{
    int k;
    if (x == 0.0) return blni_tails_make(0.0, 1.0);
    if (x == (double)INFINITY) return blni_tails_make(1.0, 0.0);
    if (a >= 500.0 && fabs(x - a) <= 0.4*a) return blni_gamma_temme(a, x);
    const double front = blni_gamma_front(a, x, &k);
    if (front == 0.0) return x < a ? blni_tails_make(0.0, 1.0) : blni_tails_make(1.0, 0.0);
    if (x >= 1.0 && (x >= a + 1.0 || a <= 1.0)) {
        const double q = ldexp(front*blni_gamma_fraction(a, x), k);
        return blni_tails_make(1.0 - q, q);
    }
    const double p = ldexp(front*blni_gamma_series(a, x), k);
    if (p <= 0.75) return blni_tails_make(p, p > 0.5 && a < 1.0 ? blni_gamma_small(a, x) : 1.0 - p);
    /* Q is the smaller by far: by its own series, or by the fraction, as x > a - 1. */
    const double q = a < 1.0 ? blni_gamma_small(a, x) : ldexp(front*blni_gamma_fraction(a, x), k);
    return blni_tails_make(1.0 - q, q);
}

BLN_API double bln_gamma_p(double a, double x)
{
    if (!(blni_parameter(a) && x >= 0.0)) return BLNI_NAN;
    return blni_gamma_tails(a, x).p;
}

BLN_API double bln_gamma_q(double a, double x)
{
    if (!(blni_parameter(a) && x >= 0.0)) return BLNI_NAN;
    return blni_gamma_tails(a, x).q;
}

/* What a root is looked for of: log(tail(w)/target), increasing and concave in w. */
typedef struct blni_tail_problem { double a, b, target; int upper; } blni_tail_problem;
typedef double (*blni_tail_gap)(const blni_tail_problem *problem, blni_pair w, double *step);

/* w with gap(w) = 0, which is not below `low`, by Newton's method; a step that leaves the bracket, or comes from where the tail
 * underflows, is halved towards the other end, or towards `centre`, where there is no other end yet. *step is what to subtract
 * from w. */
BLNI_PRIV blni_pair blni_solve_tail(blni_tail_gap gap, const blni_tail_problem *problem, blni_pair w, double low, double centre)
{
    double high = (double)INFINITY;
    for (int i = 0; i < 200; i++) {
        double step;
        const double f = gap(problem, w, &step);
        const blni_pair next = blni_pair_plus(w, -step);
        if (fabs(f) < 1e-9) return blni_finite(next.hi) ? next : w;   /* the error that is left is of the order of its square */
        if (f < 0.0) low = w.hi; else high = w.hi;
        if (blni_finite(next.hi) && next.hi > low && next.hi < high) w = next;
        else if (!blni_finite(high)) w = blni_pair_make(0.5*(w.hi + centre), 0.0);
        else w = blni_pair_make(blni_finite(low) ? 0.5*(low + high) : high - 1.0, 0.0);
    }
    return w;
}

/* w = log x for P, -log x for Q. */
BLNI_PRIV double blni_gamma_gap(const blni_tail_problem *problem, blni_pair w, double *step)
{
    int k;
    const blni_pair m = blni_pair_exp(problem->upper ? blni_pair_negate(w) : w, &k);
    const double x = blni_pair_round(m, k);
    const blni_tails t = blni_gamma_tails(problem->a, x);
    const double tail = problem->upper ? t.q : t.p, gap = log(tail/problem->target), front = blni_gamma_front(problem->a, x, &k);
    *step = gap*(tail/ldexp(problem->a*front, k));
    return gap;
}

/* The root of the smaller tail. P <= x^a/Gamma(a+1), so that x >= (p Gamma(a+1))^(1/a), which is x itself as it becomes small.
 * Else the cube of a normal variable for a start [Wilson & Hilferty 1931]. */
BLNI_PRIV double blni_gamma_inverse(double a, double p, double q)
{
    if (p == 0.0 || q == 0.0) return p == 0.0 ? 0.0 : (double)INFINITY;
    const blni_pair log_p = p <= q ? blni_pair_log(blni_pair_make(p, 0.0)) : blni_pair_log1p(blni_pair_make(-q, 0.0));
    const blni_pair least = blni_pair_div(blni_pair_add(log_p, blni_lgamma_pair(blni_pair_sum(1.0, a))), blni_pair_make(a, 0.0));
    blni_pair w = least;
    blni_tail_problem problem;
    int k;
    if (least.hi < -800.0) return 0.0;
    if (least.hi > -40.0) {
        const double z = p <= q ? bln_norm_quantile(p) : -bln_norm_quantile(q), root = 1.0 - 1.0/(9.0*a) + z/(3.0*sqrt(a));
        const double centre = bln_digamma(a), start = root > 0.1 ? log(a*root*root*root) : least.hi;
        problem.a = a;
        problem.b = 0.0;
        problem.upper = p > q;
        problem.target = p > q ? q : p;
        w = blni_pair_make(start > least.hi ? start : least.hi, 0.0);
        if (p > q) w = blni_pair_negate(blni_solve_tail(blni_gamma_gap, &problem, blni_pair_negate(w), -(double)INFINITY, -centre));
        else w = blni_solve_tail(blni_gamma_gap, &problem, w, least.hi, centre);
    }
    const blni_pair m = blni_pair_exp(w, &k);
    return blni_pair_round(m, k);
}

BLN_API double bln_gamma_p_inv(double a, double p)
{
    if (!(blni_parameter(a) && p >= 0.0 && p <= 1.0)) return BLNI_NAN;
    return blni_gamma_inverse(a, p, 1.0 - p);
}

BLN_API double bln_gamma_q_inv(double a, double q)
{
    if (!(blni_parameter(a) && q >= 0.0 && q <= 1.0)) return BLNI_NAN;
    return blni_gamma_inverse(a, 1.0 - q, q);
}

/* ---- beta ---- */

/* log x and x itself, and the same for y = 1 - x: whichever is small is known to full relative accuracy. */
typedef struct blni_unit { blni_pair x, y, log_x, log_y; } blni_unit;

BLNI_PRIV blni_unit blni_unit_make(blni_pair x, blni_pair y)
{
    blni_unit u;
    u.x = x;
    u.y = y;
    u.log_x = x.hi > 0.5 ? blni_pair_log1p(blni_pair_negate(y)) : blni_pair_log(x);
    u.log_y = y.hi > 0.5 ? blni_pair_log1p(blni_pair_negate(x)) : blni_pair_log(y);
    return u;
}

BLNI_PRIV blni_unit blni_unit_swap(blni_unit u)
{
    blni_unit r;
    r.x = u.y;
    r.y = u.x;
    r.log_x = u.log_y;
    r.log_y = u.log_x;
    return r;
}

/* log 1/(a B(a, b)) = log Gamma(b + a)/Gamma(b) - log Gamma(1 + a); relative as a -> 0. */
BLNI_PRIV blni_pair blni_log_inv_beta(double a, double b)
{
    if (a <= b) return blni_pair_sub(blni_log_rising(blni_pair_make(b, 0.0), a), blni_lgamma_pair(blni_pair_sum(1.0, a)));
    const blni_pair ratio = blni_pair_sub(blni_pair_log(blni_pair_make(b, 0.0)), blni_pair_log(blni_pair_make(a, 0.0)));
    return blni_pair_add(ratio, blni_log_inv_beta(b, a));
}

/* For a, b >= 8, with x0 = a/(a + b), y0 = b/(a + b): -log (x/x0)^a (y/y0)^b = a phi(x/x0) + b phi(y/y0), as the linear terms of
 * both cancel; infinite if out of range. *gap = (a + b)(x - x0). */
BLNI_PRIV blni_pair blni_beta_distance(double a, double b, blni_unit u, blni_pair *gap)
{
    const blni_pair n = blni_pair_sum(a, b), A = blni_pair_make(a, 0.0), B = blni_pair_make(b, 0.0);
    const blni_pair r = blni_pair_div(blni_pair_mul(u.x, n), A), s = blni_pair_div(blni_pair_mul(u.y, n), B);
    /* x b - y a = a (r - 1) = -b (s - 1). */
    *gap = blni_pair_sub(blni_pair_times(u.x, b), blni_pair_times(u.y, a));
    if (r.hi < 1e-300 || s.hi < 1e-300) return blni_pair_make((double)INFINITY, 0.0);
    return blni_pair_add(blni_pair_times(blni_phi(r, blni_pair_div(*gap, A)), a),
                         blni_pair_times(blni_phi(s, blni_pair_negate(blni_pair_div(*gap, B))), b));
}

/* x^a y^b/(a B(a, b)) = result 2^*k. */
BLNI_PRIV double blni_beta_front(double a, double b, blni_unit u, int *k)
{
    blni_pair gap;
    if (a < 8.0 || b < 8.0) {
        const blni_pair e = blni_pair_add(blni_pair_times(u.log_x, a), blni_pair_times(u.log_y, b));
        return blni_front_exp(blni_pair_add(e, blni_log_inv_beta(a, b)), k);
    }
    const blni_pair e = blni_beta_distance(a, b, u, &gap);
    *k = 0;
    if (e.hi == (double)INFINITY) return 0.0;
    const double series = blni_stirling(a) + blni_stirling(b) - blni_stirling(a + b);
    return blni_front_exp(blni_pair_negate(blni_pair_plus(e, series)), k)*blni_inv_sqrt_2pi[0]*(sqrt(b/a)/sqrt(a + b));
}

/* For a, b >= 3 10^9, where the fraction has sqrt(min(a, b)) steps: with the distance e = z^2/2, z of the sign of x - x0,
 * P = erfc(-z/sqrt 2)/2 + N(z) (1/z - sqrt(ab/(a + b))/gap) and Q likewise; what is left out is of the order of
 * z min(a, b)^(-3/2) of the tail. (b - a)/(3 sqrt(ab (a + b))) is the limit at z = 0.                      [DLMF 8.18.9] */
BLNI_PRIV blni_tails blni_beta_normal(double a, double b, blni_unit u)
{
    blni_pair gap;
    int k;
    const blni_pair e = blni_beta_distance(a, b, u, &gap), s = blni_pair_sqrt(e);
    const int right = gap.hi > 0.0;
    if (e.hi > 800.0) return blni_tails_make(right ? 1.0 : 0.0, right ? 0.0 : 1.0);
    const double unit = sqrt(a/(a + b))*sqrt(b), skew = (b - a)/(a + b)/(3.0*unit);
    const blni_pair f = blni_pair_exp(blni_pair_negate(e), &k), share = blni_pair_div(blni_pair_make(a, 0.0), blni_pair_sum(a, b));
    double odd = skew;
    if (s.hi > 1e-6) {
        const blni_pair z = blni_pair_times(blni_pair_mul(s, blni_pair_const(blni_sqrt1_2)), right ? 2.0 : -2.0);
        const blni_pair width = blni_pair_mul(blni_pair_sqrt(share), blni_pair_sqrt(blni_pair_make(b, 0.0)));
        odd = blni_pair_sub(blni_pair_div(blni_pair_make(1.0, 0.0), z), blni_pair_div(width, gap)).hi;
    }
    odd *= right ? -blni_inv_sqrt_2pi[0] : blni_inv_sqrt_2pi[0];
    const double tail = s.hi < 0.5 ? 0.5*(1.0 - blni_erf_centre(s).hi) + ldexp(f.hi, k)*odd
                                   : ldexp(f.hi*(0.5*blni_erfcx_right(s).hi + odd), k);
    return right ? blni_tails_make(1.0 - tail, tail) : blni_tails_make(tail, 1.0 - tail);
}

/* The continued fraction that goes with this front factor, for x < (a + 1)/(a + b + 2): the even part of DLMF 8.17.22, which uses
 * lambda = a - (a + b) x = (a + b) y - b and so does not lose a small y = 1 - x,
 *     a/(beta_0 + alpha_1/(beta_1 + ...)),  alpha_n = (a + n - 1)(a + b + n - 1) n (b - n) x^2/(a + 2n - 1)^2,
 *     beta_n = n + n (b - n) x/(a + 2n - 1) + (a + n)(lambda + 1 + n (1 + y))/(a + 2n + 1).    [DiDonato & Morris 1992, (9)] */
typedef struct blni_beta_terms { double a, b, x, y, lambda; } blni_beta_terms;

BLNI_PRIV double blni_beta_beta(const blni_beta_terms *t, double n)
{
    const double first = n > 0.0 ? n + n*(t->b - n)*t->x/(t->a + (2.0*n - 1.0)) : 0.0;
    return first + (t->a + n)/(t->a + (2.0*n + 1.0))*(t->lambda + 1.0 + n*(1.0 + t->y));
}

BLNI_PRIV double blni_beta_alpha(const blni_beta_terms *t, double n)
{
    const double odd = t->a + (2.0*n - 1.0);
    return n*(t->b - n)*t->x/odd*((t->a + (n - 1.0))/odd)*(t->a + t->b + (n - 1.0))*t->x;
}

/* Where n < b all parts are positive, but the convergents alternate: their sum cancels, the more the closer beta_0 is to 0, and at
 * a = 2, b = 10^6 six digits would be lost. So the sum of the tail's only tells where to stop; then the fraction is evaluated
 * from its end, where an error made early is divided at each step: 1.3e-15 at worst. */
BLNI_PRIV double blni_beta_fraction(double a, double b, blni_unit u)
{
    blni_beta_terms t;
    double n = 1.0, d, step, sum, f;
    t.a = a;
    t.b = b;
    t.x = u.x.hi;
    t.y = u.y.hi;
    t.lambda = u.x.hi <= 0.5 ? blni_pair_plus(blni_pair_negate(blni_pair_mul(blni_pair_sum(a, b), u.x)), a).hi
                             : blni_pair_plus(blni_pair_mul(blni_pair_sum(a, b), u.y), -b).hi;
    sum = step = d = 1.0/blni_beta_beta(&t, 1.0);
    while (fabs(step) > 0.25*DBL_EPSILON*fabs(sum)) {
        const double before = d;
        n += 1.0;
        const double alpha = blni_beta_alpha(&t, n);
        d = 1.0/(blni_beta_beta(&t, n) + alpha*d);
        step *= -alpha*d*before;
        sum += step;
    }
    for (f = blni_beta_beta(&t, n); n >= 1.0; n -= 1.0) f = blni_beta_beta(&t, n - 1.0) + blni_beta_alpha(&t, n)/f;
    return a/f;
}

/* 1 - I_x(a, b) where a is so small that I is close to 1 at (a + b) x < 1/2; with e = log(x^a/(a B)),
 * (1 - e^e) - e^e a sum_{n >= 1} (1 - b)_n x^n/(n! (a + n)), whose sum has no large terms.                      [DLMF 8.17.7] */
BLNI_PRIV double blni_beta_small(double a, double b, blni_unit u)
{
    const double e = blni_pair_add(blni_pair_times(u.log_x, a), blni_log_inv_beta(a, b)).hi;
    double sum = 0.0, term = 1.0, part = 1.0;
    for (double n = 1.0; fabs(part) > 0.25*DBL_EPSILON*fabs(sum) && n < 2000.0; n += 1.0) {
        term *= (n - b)*u.x.hi/n;
        part = term/(a + n);
        sum += part;
    }
    return -expm1(e) - exp(e)*a*sum;
}

/* I_x(a, b) by front and fraction. */
BLNI_PRIV double blni_beta_part(double a, double b, blni_unit u)
{
    int k;
    const double front = blni_beta_front(a, b, u, &k);
    return front == 0.0 ? 0.0 : ldexp(front*blni_beta_fraction(a, b, u), k);
}

/* I_x(a, b) and its complement, x <= (a + 1)/(a + b + 2). Where the complement is the smaller by far, it has the fraction of its
 * own side, whose parts are positive beyond the median, or its series, where that fraction would be slow. */
BLNI_PRIV blni_tails blni_beta_left(double a, double b, blni_unit u)
{
    const double p = blni_beta_part(a, b, u);
    if (p <= 0.75) return blni_tails_make(p, 1.0 - p);
    const double q = u.x.hi*(a + b) < 0.5 ? blni_beta_small(a, b, u) : blni_beta_part(b, a, blni_unit_swap(u));
    return blni_tails_make(1.0 - q, q);
}

/* I_x(a, b) and its complement; 0 < x, y. */
BLNI_PRIV blni_tails blni_beta_tails(double a, double b, blni_unit u)
{
    if (a >= 3e9 && b >= 3e9) return blni_beta_normal(a, b, u);
    if (u.x.hi*(b + 1.0) <= u.y.hi*(a + 1.0)) return blni_beta_left(a, b, u);
    const blni_tails t = blni_beta_left(b, a, blni_unit_swap(u));
    return blni_tails_make(t.q, t.p);
}

BLNI_PRIV blni_tails blni_beta_checked(double a, double b, double x)
{
    if (!(blni_parameter(a) && blni_parameter(b) && x >= 0.0 && x <= 1.0)) return blni_tails_make(BLNI_NAN, BLNI_NAN);
    if (x == 0.0 || x == 1.0) return blni_tails_make(x, 1.0 - x);
    return blni_beta_tails(a, b, blni_unit_make(blni_pair_make(x, 0.0), blni_pair_sum(1.0, -x)));
}

BLN_API double bln_beta_p(double a, double b, double x) { return blni_beta_checked(a, b, x).p; }
BLN_API double bln_beta_q(double a, double b, double x) { return blni_beta_checked(a, b, x).q; }

/* x = e^w/(1 + e^w) and y = 1/(1 + e^w) with their logarithms, which stay good where the smaller of x and y has become 0. */
BLNI_PRIV blni_unit blni_unit_of_logit(blni_pair w)
{
    int k;
    blni_unit u;
    const int right = w.hi > 0.0;
    const blni_pair down = right ? blni_pair_negate(w) : w, m = blni_pair_exp(down, &k), odds = blni_pair_scale(m, ldexp(1.0, k));
    const blni_pair sum = blni_pair_plus(odds, 1.0);
    u.x = blni_pair_div(odds, sum);
    u.y = blni_pair_div(blni_pair_make(1.0, 0.0), sum);
    u.log_y = blni_pair_negate(blni_pair_log1p(odds));
    u.log_x = blni_pair_add(down, u.log_y);
    return right ? blni_unit_swap(u) : u;
}

/* w = log(x/y). */
BLNI_PRIV double blni_beta_gap(const blni_tail_problem *problem, blni_pair w, double *step)
{
    int k;
    const blni_unit u = blni_unit_of_logit(w);
    const blni_tails t = blni_beta_tails(problem->a, problem->b, u);
    const double gap = log(t.p/problem->target), front = blni_beta_front(problem->a, problem->b, u, &k);
    *step = gap*(t.p/ldexp(problem->a*front, k));
    return gap;
}

/* log(x/y) with I_x(a, b) = p = 1 - q; p, q > 0. I_x <= (x/y)^a/(a B), so that log(x/y) >= log(p a B)/a, which it becomes in the
 * far left. Else a start from the mean and variance of log(x/y). */
BLNI_PRIV blni_pair blni_beta_logit(double a, double b, double p, double q)
{
    if (p > q) return blni_pair_negate(blni_beta_logit(b, a, q, p));
    const blni_pair log_p = blni_pair_log(blni_pair_make(p, 0.0));
    const blni_pair least = blni_pair_div(blni_pair_sub(log_p, blni_log_inv_beta(a, b)), blni_pair_make(a, 0.0));
    if (least.hi < -40.0 - log(a + b)) return least;
    const double sd = sqrt(bln_trigamma(a) + bln_trigamma(b)), centre = bln_digamma(a) - bln_digamma(b);
    const double start = centre + bln_norm_quantile(p)*sd;
    blni_tail_problem problem;
    problem.a = a;
    problem.b = b;
    problem.upper = 0;
    problem.target = p;
    return blni_solve_tail(blni_beta_gap, &problem, start > least.hi ? blni_pair_make(start, 0.0) : least, least.hi, centre);
}

BLNI_PRIV double blni_beta_inverse(double a, double b, double p, double q)
{
    int k;
    if (!(blni_parameter(a) && blni_parameter(b) && p >= 0.0 && q >= 0.0)) return BLNI_NAN;
    if (p == 0.0 || q == 0.0) return p == 0.0 ? 0.0 : 1.0;
    const blni_pair w = blni_beta_logit(a, b, p, q);
    if (w.hi > 40.0) return 1.0;
    if (w.hi < -800.0) return 0.0;
    if (w.hi > -40.0) return blni_unit_of_logit(w).x.hi;
    const blni_pair m = blni_pair_exp(w, &k);
    return blni_pair_round(m, k);
}

BLN_API double bln_beta_p_inv(double a, double b, double p) { return blni_beta_inverse(a, b, p, 1.0 - p); }
BLN_API double bln_beta_q_inv(double a, double b, double q) { return blni_beta_inverse(a, b, 1.0 - q, q); }

/* ---- Student ---- */

/* log(1 + t^2/dof), and t^2/dof = *r where |t| < 1e70 sqrt(dof). */
BLNI_PRIV blni_pair blni_student_log(double dof, double t, blni_pair *r)
{
    const blni_pair nu = blni_pair_make(dof, 0.0);
    *r = blni_pair_make((double)INFINITY, 0.0);
    if (fabs(t)/sqrt(dof) >= 1e70)
        return blni_pair_sub(blni_pair_scale(blni_pair_log(blni_pair_make(fabs(t), 0.0)), 2.0), blni_pair_log(nu));
    const blni_pair s = blni_pair_div(blni_pair_make(t, 0.0), blni_pair_sqrt(nu));
    *r = blni_pair_mul(s, s);
    return blni_pair_log1p(*r);
}

/* log of Gamma((dof + 1)/2)/(Gamma(dof/2) sqrt(pi dof)) (1 + t^2/dof)^(-(dof + 1)/2). */
BLNI_PRIV blni_pair blni_student_logpdf(double dof, double t)
{
    blni_pair r;
    const blni_pair tail = blni_pair_mul(blni_student_log(dof, t, &r), blni_pair_scale(blni_pair_sum(dof, 1.0), 0.5));
    const blni_pair pi = blni_pair_make(BLNI_PI, 1.2246467991473532e-16);
    const blni_pair scale = blni_pair_scale(blni_pair_log(blni_pair_times(pi, dof)), 0.5);
    return blni_pair_sub(blni_pair_sub(blni_log_rising(blni_pair_make(0.5*dof, 0.0), 0.5), scale), tail);
}

/* Where t^4/dof is nothing beside 1, wherever the tail is a number. */
#define BLNI_STUDENT_NORMAL 1e22

BLN_API double bln_student_logpdf(double dof, double t)
{
    blni_pair r;
    if (!(dof >= blni_parameter_ends[0]) || t != t) return BLNI_NAN;
    if (dof > BLNI_STUDENT_NORMAL && fabs(t) < 1e-9*sqrt(dof)) return bln_norm_logpdf(t);
    if (!blni_finite(t)) return -(double)INFINITY;
    if (dof <= BLNI_STUDENT_NORMAL) return blni_student_logpdf(dof, t).hi;
    /* All but the power is that of the normal density, and dof + 1 is dof. */
    const blni_pair power = blni_student_log(dof, t, &r);
    if (!blni_finite(0.5*dof*power.hi)) return -(double)INFINITY;
    return -blni_pair_add(blni_pair_times(power, 0.5*dof), blni_pair_const(blni_half_log_2pi)).hi;
}

BLN_API double bln_student_pdf(double dof, double t)
{
    int k;
    if (!(dof >= blni_parameter_ends[0]) || t != t) return BLNI_NAN;
    if (dof > BLNI_STUDENT_NORMAL) return bln_norm_pdf(t);
    if (!blni_finite(t)) return 0.0;
    const double m = blni_front_exp(blni_student_logpdf(dof, t), &k);
    return ldexp(m, k);
}

/* P(T <= t) = I_x(dof/2, 1/2)/2 for t < 0, x = dof/(dof + t^2): both tails of the beta distribution are used. */
BLN_API double bln_student_cdf(double dof, double t)
{
    blni_pair r;
    blni_unit u;
    int k;
    if (!(dof >= blni_parameter_ends[0]) || t != t) return BLNI_NAN;
    if (dof > BLNI_STUDENT_NORMAL) return bln_norm_cdf(t);
    if (!blni_finite(t)) return t < 0.0 ? 0.0 : 1.0;
    const blni_pair L = blni_student_log(dof, t, &r);
    if (r.hi < 1e-290) return 0.5;
    if (r.hi > 1e100) {                                           /* the power alone; 1/x would overflow */
        const double m = blni_front_exp(blni_pair_sub(blni_log_inv_beta(0.5*dof, 0.5), blni_pair_times(L, 0.5*dof)), &k);
        const double tail = 0.5*ldexp(m, k);
        return t < 0.0 ? tail : 1.0 - tail;
    }
    const blni_pair sum = blni_pair_plus(r, 1.0);
    u = blni_unit_make(blni_pair_div(blni_pair_make(1.0, 0.0), sum), blni_pair_div(r, sum));
    const blni_tails tails = blni_beta_tails(0.5*dof, 0.5, u);
    return t < 0.0 ? 0.5*tails.p : 0.5 + 0.5*tails.q;
}

/* t = sqrt(dof y/x), with log(x/y) from the inverse beta function: so t may be large where x would underflow. */
BLN_API double bln_student_quantile(double dof, double p)
{
    int k;
    if (!(dof >= blni_parameter_ends[0] && p >= 0.0 && p <= 1.0)) return BLNI_NAN;
    if (dof > BLNI_STUDENT_NORMAL) return bln_norm_quantile(p);
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -(double)INFINITY : (double)INFINITY;
    if (p == 0.5) return 0.0;
    const double two = p < 0.5 ? 2.0*p : 2.0 - 2.0*p;             /* both tails together; exact */
    const blni_pair w = blni_beta_logit(0.5*dof, 0.5, two, 1.0 - two);
    const blni_pair e = blni_pair_scale(blni_pair_sub(blni_pair_log(blni_pair_make(dof, 0.0)), w), 0.5);
    if (e.hi > 800.0) return p < 0.5 ? -(double)INFINITY : (double)INFINITY;
    const blni_pair m = blni_pair_exp(e, &k);
    const double t = blni_pair_round(m, k);
    return p < 0.5 ? -t : t;
}

/* ---------------------------------------------------------------- src/math/cpu.c */
/* cpu: the choice of a level, and the vector operations of each
 *
 * A kernel for several levels is a macro over the level L, whose body uses BLNI_VEC##L, BLNI_LOAD##L ... and is expanded for each.
 * The operations are macros as well: a function with vector arguments would need the same target attribute to be inlined.
 * Intrinsics rather than a*b + c on vector types, because gcc does not fuse these under -std=c99. At level 0 a vector is one
 * double, and a loop of a fixed number of them is what compilers make vectors of.
 *
 * Bits are handled as unsigned integers of 64 bits, with what AVX2 has: no arithmetic shift, no comparison. So a choice between two
 * values goes by a sign bit, and q with an integer in its low bits is what makes powers of two. */

#ifndef BAYESLIN_MAX_LEVEL
#define BAYESLIN_MAX_LEVEL 2
#endif

#if BAYESLIN_MAX_LEVEL > 0 && !defined(_MSC_VER) && !defined(__TINYC__) && !defined(BAYESLIN_REPRODUCIBLE) \
    && (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 6))
#if defined(__x86_64__)
#define BLNI_LEVELS BAYESLIN_MAX_LEVEL
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define BLNI_LEVELS 1
#define BLNI_NEON
#endif
#endif
#ifndef BLNI_LEVELS
#define BLNI_LEVELS 0
#endif

#if BLNI_LEVELS > 0 && defined(BLNI_NEON)
#include <arm_neon.h>

#define BLNI_TARGET1                                              /* every such machine has it */
#define BLNI_VEC1               float64x2_t
#define BLNI_LANES1             2
#define BLNI_LOAD1(p)           vld1q_f64(p)
#define BLNI_STORE1(p, v)       vst1q_f64(p, v)
#define BLNI_CUT1               size_t
#define BLNI_CUT_AT1(m)         (m)
#define BLNI_LOAD_CUT1(p, m)    ((m) == 2 ? vld1q_f64(p) : vcombine_f64(vld1_f64(p), vdup_n_f64(0.0)))
#define BLNI_STORE_CUT1(p, m, v) ((m) == 2 ? vst1q_f64(p, v) : vst1q_lane_f64(p, v, 0))
#define BLNI_SPLAT1(x)          vdupq_n_f64(x)
#define BLNI_ADD1(a, b)         vaddq_f64(a, b)
#define BLNI_SUB1(a, b)         vsubq_f64(a, b)
#define BLNI_MUL1(a, b)         vmulq_f64(a, b)
#define BLNI_DIV1(a, b)         vdivq_f64(a, b)
#define BLNI_SQRT1(a)           vsqrtq_f64(a)
#define BLNI_MIN1(a, b)         vminq_f64(a, b)                   /* NaN, if either is */
#define BLNI_MAX1(a, b)         vmaxq_f64(a, b)
#define BLNI_FMA1(a, b, c)      vfmaq_f64(c, a, b)
#define BLNI_FNMA1(a, b, c)     vfmsq_f64(c, a, b)
#define BLNI_ROUNDED1(a)        (a)
#define BLNI_APART1(v)          __asm__("" : "+w"(v));
#define BLNI_INT1               uint64x2_t
#define BLNI_BITS1(v)           vreinterpretq_u64_f64(v)
#define BLNI_REAL1(i)           vreinterpretq_f64_u64(i)
#define BLNI_ILOAD1(p)          vld1q_u64(p)
#define BLNI_ISTORE1(p, i)      vst1q_u64(p, i)
#define BLNI_ISPLAT1(i)         vdupq_n_u64((uint64_t)(i))
#define BLNI_IADD1(a, b)        vaddq_u64(a, b)
#define BLNI_ISUB1(a, b)        vsubq_u64(a, b)
#define BLNI_IAND1(a, b)        vandq_u64(a, b)
#define BLNI_IOR1(a, b)         vorrq_u64(a, b)
#define BLNI_IXOR1(a, b)        veorq_u64(a, b)
#define BLNI_SHL1(i, n)         vshlq_n_u64(i, n)
#define BLNI_SHR1(i, n)         vshrq_n_u64(i, n)
#define BLNI_MASK1              uint64x2_t
#define BLNI_NEGATIVE1(i)       vcltzq_s64(vreinterpretq_s64_u64(i))
#define BLNI_SELECT1(m, a, b)   vbslq_f64(m, a, b)
#define BLNI_ANY1(m)            (vmaxvq_u32(vreinterpretq_u32_u64(m)) != 0)
#define BLNI_SCALE1(y, p, q, k) BLNI_SCALE_BY_BITS(1, y, p, q)

#elif BLNI_LEVELS > 0
#include <immintrin.h>

#define BLNI_TARGET1            __attribute__((target("avx2,fma")))
#define BLNI_VEC1               __m256d
#define BLNI_LANES1             4
#define BLNI_LOAD1(p)           _mm256_loadu_pd(p)
#define BLNI_STORE1(p, v)       _mm256_storeu_pd(p, v)
#define BLNI_CUT1               __m256i                           /* the first m lanes, 1 <= m; the others are 0, or not stored */
#define BLNI_CUT_AT1(m)         _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(m)), _mm256_setr_epi64x(0, 1, 2, 3))
#define BLNI_LOAD_CUT1(p, m)    _mm256_maskload_pd(p, m)
#define BLNI_STORE_CUT1(p, m, v) _mm256_maskstore_pd(p, m, v)
#define BLNI_SPLAT1(x)          _mm256_set1_pd(x)
#define BLNI_ADD1(a, b)         _mm256_add_pd(a, b)
#define BLNI_SUB1(a, b)         _mm256_sub_pd(a, b)
#define BLNI_MUL1(a, b)         _mm256_mul_pd(a, b)
#define BLNI_DIV1(a, b)         _mm256_div_pd(a, b)
#define BLNI_SQRT1(a)           _mm256_sqrt_pd(a)
#define BLNI_MIN1(a, b)         _mm256_min_pd(a, b)               /* b, if either is NaN */
#define BLNI_MAX1(a, b)         _mm256_max_pd(a, b)
#define BLNI_FMA1(a, b, c)      _mm256_fmadd_pd(a, b, c)          /* c + a b */
#define BLNI_FNMA1(a, b, c)     _mm256_fnmadd_pd(a, b, c)         /* c - a b */
#define BLNI_ROUNDED1(a)        (a)                               /* as a double: see level 0 */
#define BLNI_APART1(v)          __asm__("" : "+x"(v));            /* a product that no flag can fuse with a sum */
#define BLNI_INT1               __m256i
#define BLNI_BITS1(v)           _mm256_castpd_si256(v)
#define BLNI_REAL1(i)           _mm256_castsi256_pd(i)
#define BLNI_ILOAD1(p)          _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define BLNI_ISTORE1(p, i)      _mm256_storeu_si256((__m256i *)(void *)(p), i)
#define BLNI_ISPLAT1(i)         _mm256_set1_epi64x((long long)(i))
#define BLNI_IADD1(a, b)        _mm256_add_epi64(a, b)
#define BLNI_ISUB1(a, b)        _mm256_sub_epi64(a, b)
#define BLNI_IAND1(a, b)        _mm256_and_si256(a, b)
#define BLNI_IOR1(a, b)         _mm256_or_si256(a, b)
#define BLNI_IXOR1(a, b)        _mm256_xor_si256(a, b)
#define BLNI_SHL1(i, n)         _mm256_slli_epi64(i, n)
#define BLNI_SHR1(i, n)         _mm256_srli_epi64(i, n)
#define BLNI_MASK1              __m256d
#define BLNI_NEGATIVE1(i)       _mm256_castsi256_pd(i)            /* where bit 63 of i is set */
#define BLNI_SELECT1(m, a, b)   _mm256_blendv_pd(b, a, m)         /* m ? a : b */
#define BLNI_ANY1(m)            (_mm256_movemask_pd(m) != 0)
#define BLNI_SCALE1(y, p, q, k) BLNI_SCALE_BY_BITS(1, y, p, q)    /* y = p 2^k, rounded once, |k| <= 1076 in the low bits of q */

/* All lanes. Some functions are used in their masked form, because g++ 12 warns of a variable in its own header that the plain ones
 * leave without a value; the instruction is the same. */
#define BLNI_ALL2               ((__mmask8)0xff)
#define BLNI_TARGET2            __attribute__((target("avx512f,fma")))
#define BLNI_VEC2               __m512d
#define BLNI_LANES2             8
#define BLNI_LOAD2(p)           _mm512_loadu_pd(p)
#define BLNI_STORE2(p, v)       _mm512_storeu_pd(p, v)
#define BLNI_CUT2               __mmask8
#define BLNI_CUT_AT2(m)         ((__mmask8)((1u << (m)) - 1u))
#define BLNI_LOAD_CUT2(p, m)    _mm512_maskz_loadu_pd(m, p)
#define BLNI_STORE_CUT2(p, m, v) _mm512_mask_storeu_pd(p, m, v)
#define BLNI_SPLAT2(x)          _mm512_set1_pd(x)
#define BLNI_ADD2(a, b)         _mm512_add_pd(a, b)
#define BLNI_SUB2(a, b)         _mm512_sub_pd(a, b)
#define BLNI_MUL2(a, b)         _mm512_mul_pd(a, b)
#define BLNI_DIV2(a, b)         _mm512_div_pd(a, b)
#define BLNI_SQRT2(a)           _mm512_maskz_sqrt_pd(BLNI_ALL2, a)
#define BLNI_MIN2(a, b)         _mm512_maskz_min_pd(BLNI_ALL2, a, b)
#define BLNI_MAX2(a, b)         _mm512_maskz_max_pd(BLNI_ALL2, a, b)
#define BLNI_FMA2(a, b, c)      _mm512_fmadd_pd(a, b, c)
#define BLNI_FNMA2(a, b, c)     _mm512_fnmadd_pd(a, b, c)
#define BLNI_ROUNDED2(a)        (a)
#define BLNI_APART2(v)          __asm__("" : "+v"(v));
#define BLNI_INT2               __m512i
#define BLNI_BITS2(v)           _mm512_castpd_si512(v)
#define BLNI_REAL2(i)           _mm512_castsi512_pd(i)
#define BLNI_ILOAD2(p)          _mm512_loadu_si512((const void *)(p))
#define BLNI_ISTORE2(p, i)      _mm512_storeu_si512((void *)(p), i)
#define BLNI_ISPLAT2(i)         _mm512_set1_epi64((long long)(i))
#define BLNI_IADD2(a, b)        _mm512_add_epi64(a, b)
#define BLNI_ISUB2(a, b)        _mm512_sub_epi64(a, b)
#define BLNI_IAND2(a, b)        _mm512_and_si512(a, b)
#define BLNI_IOR2(a, b)         _mm512_or_si512(a, b)
#define BLNI_IXOR2(a, b)        _mm512_xor_si512(a, b)
#define BLNI_SHL2(i, n)         _mm512_maskz_slli_epi64(BLNI_ALL2, i, n)
#define BLNI_SHR2(i, n)         _mm512_maskz_srli_epi64(BLNI_ALL2, i, n)
#define BLNI_MASK2              __mmask8
#define BLNI_NEGATIVE2(i)       _mm512_test_epi64_mask(i, BLNI_ISPLAT2(UINT64_C(0x8000000000000000)))
#define BLNI_SELECT2(m, a, b)   _mm512_mask_blend_pd(m, b, a)
#define BLNI_ANY2(m)            ((m) != 0)
#define BLNI_SCALE2(y, p, q, k) const __m512d y = _mm512_maskz_scalef_pd(BLNI_ALL2, p, k);

#endif

#if BLNI_LEVELS > 0
/* Marks what functions of levels 1 and 2 call. gcc keeps wide registers alive around a call to a function whose own registers it
 * knows (-fipa-ra), and then does not clear their upper halves (vzeroupper), which makes all code run slowly that does not know of
 * them, there and after the return. tools/check_vzeroupper.sh looks for such calls. */
#if !defined(__clang__) && __GNUC__ >= 8
#define BLNI_CALLED             __attribute__((noipa))
#endif

/* The only global state of the library: -1 until the machine was asked. Atomic, so that threads may ask at the same time (they find
 * the same). */
static int blni_level_now = -1;

/* __builtin_cpu_supports also asks whether the operating system saves the wide registers. */
BLNI_PRIV int blni_level_best(void)
{
#ifdef BLNI_NEON
    return 1;
#else
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
    return BLNI_LEVELS > 1 && __builtin_cpu_supports("avx512f") ? 2 : 1;
#endif
}

BLN_API int bln_cpu_level_force(int level)
{
    const int best = blni_level_best();
    if (level < 0 || level > best) level = best;
    __atomic_store_n(&blni_level_now, level, __ATOMIC_RELAXED);
    return level;
}

BLN_API int bln_cpu_level(void)
{
    const int level = __atomic_load_n(&blni_level_now, __ATOMIC_RELAXED);
    return level < 0 ? bln_cpu_level_force(-1) : level;
}

#else

BLN_API int bln_cpu_level_force(int level) { (void)level; return 0; }
BLN_API int bln_cpu_level(void) { return 0; }

#endif

#ifndef BLNI_CALLED
#define BLNI_CALLED
#endif

/* Level 0. BLNI_EXACT keeps compilers from fusing products with sums. Where clang was told -ffp-contract=fast, which overrides
 * that, only ignorance helps: BLNI_APART sets those bits of a product that are set in a 0 which the compiler cannot know. The
 * functions here do so under BAYESLIN_REPRODUCIBLE. Functions that use it begin with BLNI_APART_BODY or BLNI_PRODUCT0_BODY. */
BLNI_EXACT BLNI_PRIV uint64_t blni_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

BLNI_EXACT BLNI_PRIV double blni_real(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* All ones where a < b, by bits because gcc makes branches of comparisons and then no vectors: a - b is negative and not NaN. */
BLNI_EXACT BLNI_PRIV uint64_t blni_less(double a, double b)
{
    const uint64_t bits = blni_bits(a - b), size = bits & UINT64_C(0x7fffffffffffffff);
    return 0 - ((bits & (size - UINT64_C(0x7ff0000000000001))) >> 63);
}

#if defined(__clang__)
#define BLNI_APART(p)           blni_real(blni_bits(p) | blni_zero)
#define BLNI_APART_BODY         volatile uint64_t blni_hidden = 0; const uint64_t blni_zero = blni_hidden;
#else
#define BLNI_APART(p)           (p)
#define BLNI_APART_BODY
#endif

#ifdef BAYESLIN_REPRODUCIBLE
#define BLNI_PRODUCT0(p)        BLNI_APART(p)
#define BLNI_PRODUCT0_BODY      BLNI_APART_BODY
#else
#define BLNI_PRODUCT0(p)        (p)
#define BLNI_PRODUCT0_BODY
#endif

/* Where expressions are kept in wider registers (x87; 1 widens floats only), a sum that is to be rounded to a double now must go
 * through memory. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
BLNI_PRIV double blni_rounded(double x)
{
    volatile double t = x;
    return t;
}
#define BLNI_ROUNDED0(a)        blni_rounded(a)
#else
#define BLNI_ROUNDED0(a)        (a)
#endif

#define BLNI_VEC0               double
#define BLNI_SPLAT0(x)          (x)
#define BLNI_ADD0(a, b)         ((a) + (b))
#define BLNI_SUB0(a, b)         ((a) - (b))
#define BLNI_MUL0(a, b)         BLNI_PRODUCT0((a)*(b))
#define BLNI_DIV0(a, b)         ((a)/(b))
#define BLNI_MIN0(a, b)         BLNI_SELECT0(blni_less(a, b), a, b)
#define BLNI_MAX0(a, b)         BLNI_SELECT0(blni_less(b, a), a, b)
#define BLNI_FMA0(a, b, c)      ((c) + BLNI_MUL0(a, b))
#define BLNI_FNMA0(a, b, c)     ((c) - BLNI_MUL0(a, b))
#define BLNI_APART0(v)          v = BLNI_APART(v);
#define BLNI_INT0               uint64_t
#define BLNI_BITS0(v)           blni_bits(v)
#define BLNI_REAL0(i)           blni_real(i)
#define BLNI_ILOAD0(p)          (*(p))
#define BLNI_ISTORE0(p, i)      (*(p) = (i))
#define BLNI_ISPLAT0(i)         (i)
#define BLNI_IADD0(a, b)        ((a) + (b))
#define BLNI_ISUB0(a, b)        ((a) - (b))
#define BLNI_IAND0(a, b)        ((a) & (b))
#define BLNI_IOR0(a, b)         ((a) | (b))
#define BLNI_IXOR0(a, b)        ((a) ^ (b))
#define BLNI_SHL0(i, n)         ((i) << (n))
#define BLNI_SHR0(i, n)         ((i) >> (n))
#define BLNI_MASK0              uint64_t
#define BLNI_NEGATIVE0(i)       (0 - ((i) >> 63))
#define BLNI_SELECT0(m, a, b)   blni_real(blni_bits(b) ^ ((blni_bits(a) ^ blni_bits(b)) & (m)))
#define BLNI_SCALE0(y, p, q, k) BLNI_SCALE_BY_BITS(0, y, p, q)

/* In two steps, the first exact: 2^k itself may be out of range. n = k + 2048 > 0, k = (h - 1024) + (n - h - 1024) with h = n/2. */
#define BLNI_SCALE_HALF(L, n)   BLNI_REAL##L(BLNI_SHL##L(BLNI_ISUB##L(n, BLNI_ISPLAT##L(1)), 52))
#define BLNI_SCALE_BY_BITS(L, y, p, q) \
    const BLNI_INT##L y##_n = BLNI_IAND##L(BLNI_IADD##L(BLNI_BITS##L(q), BLNI_ISPLAT##L(2048)), BLNI_ISPLAT##L(4095)); \
    const BLNI_INT##L y##_h = BLNI_SHR##L(y##_n, 1); \
    const BLNI_VEC##L y = BLNI_MUL##L(BLNI_MUL##L(p, BLNI_SCALE_HALF(L, y##_h)), BLNI_SCALE_HALF(L, BLNI_ISUB##L(y##_n, y##_h)));

/* ---------------------------------------------------------------- src/math/vecmath.c */
/* vecmath: elementary functions over arrays
 *
 * Each function is written once, as a macro over the level L (>>cpu) from a vector v to a vector w, without branches. Arguments are
 * reduced by splitting off an integer: adding 1.5 2^52 rounds to the nearest one, which then is in the low bits of the sum. What is
 * left goes through a minimax polynomial (tools/golden_vecmath_tables.py). Constants like log 2 come in two parts, the first
 * short enough that its product with the integer is exact, so that the reduction needs no fused multiply-add. Arguments that a
 * body does not cover (log of a subnormal, angles beyond 2^50) are rare: they are found by their bits and done one by one. */

/* Level 0 runs over this many numbers at a time. */
enum { BLNI_VEC_CHUNK = 32 };

#define BLNI_SIGN_BIT           UINT64_C(0x8000000000000000)
#define BLNI_ROUND_MAGIC        6755399441055744.0
#define BLNI_LOG2_HIGH          0.69314718048553914          /* 33 bits */
#define BLNI_LOG2_LOW           7.4406171100123968e-11

/* p <- p z + a constant: a step of Horner's scheme. */
#define BLNI_STEP(L, p, z, c)   p = BLNI_FMA##L(p, z, BLNI_SPLAT##L(c));

/* ---- the bodies */

/* s = sin(pi/2 v), c = cos(pi/2 v), |v| <= 2^50. v = k + r is exact in floating point (r is a multiple of v's last bit and not
 * larger than v), so there is no table of pi's digits and no loss for large angles. On |r| <= 1/2
 *     sin(pi/2 r) = r P(r^2), relative error 3e-18;     cos(pi/2 r) = 1 + r^2 Q(r^2), absolute error 1e-19
 * (Chebyshev fits). P_0 = pi/2 is split as 1 + 0.57..: r itself is exact, and what is rounded is a third of the result. Odd
 * quarters swap the two; bit 1 of k, and of k + 1, is the sign of the sine, and of the cosine. */
#define BLNI_SINCOS_BODY(L, v, s, c) \
    const BLNI_VEC##L q = BLNI_ROUNDED##L(BLNI_ADD##L(v, BLNI_SPLAT##L(BLNI_ROUND_MAGIC))); \
    const BLNI_VEC##L r = BLNI_SUB##L(v, BLNI_SUB##L(q, BLNI_SPLAT##L(BLNI_ROUND_MAGIC))), r2 = BLNI_MUL##L(r, r); \
    BLNI_VEC##L sp = BLNI_SPLAT##L(5.633933781537854e-08), cp = BLNI_SPLAT##L(-6.329396344967424e-09); \
    BLNI_STEP(L, sp, r2, -3.59864335298231e-06)   BLNI_STEP(L, cp, r2, 4.710678405505227e-07) \
    BLNI_STEP(L, sp, r2, 0.0001604411507421909)   BLNI_STEP(L, cp, r2, -2.5202039028029178e-05) \
    BLNI_STEP(L, sp, r2, -0.004681754132340976)   BLNI_STEP(L, cp, r2, 0.0009192602745468447) \
    BLNI_STEP(L, sp, r2, 0.07969262624604301)     BLNI_STEP(L, cp, r2, -0.020863480763340773) \
    BLNI_STEP(L, sp, r2, -0.6459640975062443)     BLNI_STEP(L, cp, r2, 0.2536695079010478) \
    BLNI_STEP(L, sp, r2, 0.5707963267948966)      BLNI_STEP(L, cp, r2, -1.2337005501361697) \
    sp = BLNI_FMA##L(r, sp, r);                  BLNI_STEP(L, cp, r2, 1.0) \
    const BLNI_INT##L k = BLNI_BITS##L(q), two = BLNI_ISPLAT##L(2); \
    const BLNI_INT##L s_sign = BLNI_SHL##L(BLNI_IAND##L(k, two), 62); \
    const BLNI_INT##L c_sign = BLNI_SHL##L(BLNI_IAND##L(BLNI_IADD##L(k, BLNI_ISPLAT##L(1)), two), 62); \
    const BLNI_MASK##L odd = BLNI_NEGATIVE##L(BLNI_SHL##L(k, 63)); \
    const BLNI_VEC##L s = BLNI_REAL##L(BLNI_IXOR##L(BLNI_BITS##L(BLNI_SELECT##L(odd, cp, sp)), s_sign)); \
    const BLNI_VEC##L c = BLNI_REAL##L(BLNI_IXOR##L(BLNI_BITS##L(BLNI_SELECT##L(odd, sp, cp)), c_sign));

/* x = k log 2 + r with |r| <= log(2)/2, q having k in its low bits; m = e^r - 1 = r + r^2 P(r), relative error 2^-57.9 (of e^r) */
#define BLNI_EXP_PARTS(L, x, q, k, m) \
    const BLNI_VEC##L q = BLNI_ROUNDED##L(BLNI_FMA##L(x, BLNI_SPLAT##L(1.4426950408889634), BLNI_SPLAT##L(BLNI_ROUND_MAGIC))); \
    const BLNI_VEC##L k = BLNI_SUB##L(q, BLNI_SPLAT##L(BLNI_ROUND_MAGIC)); \
    const BLNI_VEC##L r = BLNI_FNMA##L(k, BLNI_SPLAT##L(BLNI_LOG2_LOW), BLNI_FNMA##L(k, BLNI_SPLAT##L(BLNI_LOG2_HIGH), x)); \
    const BLNI_VEC##L r2 = BLNI_MUL##L(r, r); \
    BLNI_VEC##L m = BLNI_SPLAT##L(2.5000220505169073e-08); \
    BLNI_STEP(L, m, r, 2.763038071786555e-07)    BLNI_STEP(L, m, r, 2.755758652073998e-06) \
    BLNI_STEP(L, m, r, 2.480149275707748e-05)    BLNI_STEP(L, m, r, 0.00019841269505693093) \
    BLNI_STEP(L, m, r, 0.0013888888943928044)    BLNI_STEP(L, m, r, 0.008333333333495202) \
    BLNI_STEP(L, m, r, 0.04166666666652917)      BLNI_STEP(L, m, r, 0.1666666666666641) \
    BLNI_STEP(L, m, r, 0.5000000000000011) \
    m = BLNI_FMA##L(r2, m, r);

/* w = e^v. Beyond the bounds nothing changes any more; NaN passes MIN and MAX, and every product. */
#define BLNI_EXP_BODY(L, v, w) \
    const BLNI_VEC##L below = BLNI_MIN##L(BLNI_SPLAT##L(710.0), v), x = BLNI_MAX##L(BLNI_SPLAT##L(-746.0), below); \
    BLNI_EXP_PARTS(L, x, q, k, m) \
    const BLNI_VEC##L e = BLNI_ADD##L(BLNI_SPLAT##L(1.0), m); \
    BLNI_SCALE##L(w, e, q, k)

/* w = e^-|v| */
#define BLNI_EXP_MINUS_ABS(L, v, w) \
    const BLNI_VEC##L minus = BLNI_REAL##L(BLNI_IOR##L(BLNI_BITS##L(v), BLNI_ISPLAT##L(BLNI_SIGN_BIT))); \
    const BLNI_VEC##L x = BLNI_MAX##L(BLNI_SPLAT##L(-746.0), minus); \
    BLNI_EXP_PARTS(L, x, q, k, m) \
    const BLNI_VEC##L e = BLNI_ADD##L(BLNI_SPLAT##L(1.0), m); \
    BLNI_SCALE##L(w, e, q, k)

/* w = 1/(1 + e^-v) = (e^v or 1)/(1 + e^-|v|), v < 0 or not: nothing overflows, and the left tail keeps its digits. */
#define BLNI_SIGMOID_BODY(L, v, w) \
    const BLNI_VEC##L one = BLNI_SPLAT##L(1.0); \
    BLNI_EXP_MINUS_ABS(L, v, t) \
    const BLNI_VEC##L w = BLNI_DIV##L(BLNI_SELECT##L(BLNI_NEGATIVE##L(BLNI_BITS##L(v)), t, one), BLNI_ADD##L(one, t));

/* w = tanh v = sign(v) E/(E + 2) with E = e^(2|v|) - 1 = 2^k m + (2^k - 1): relative for small v too. At 44/2 it is 1. */
#define BLNI_TANH_BODY(L, v, w) \
    const BLNI_INT##L sign = BLNI_IAND##L(BLNI_BITS##L(v), BLNI_ISPLAT##L(BLNI_SIGN_BIT)); \
    const BLNI_VEC##L twice = BLNI_ADD##L(v, v), size = BLNI_REAL##L(BLNI_IXOR##L(BLNI_BITS##L(twice), sign)); \
    const BLNI_VEC##L x = BLNI_MIN##L(BLNI_SPLAT##L(44.0), size); \
    BLNI_EXP_PARTS(L, x, q, k, m) \
    const BLNI_VEC##L power = BLNI_REAL##L(BLNI_SHL##L(BLNI_IADD##L(BLNI_BITS##L(q), BLNI_ISPLAT##L(1023)), 52)); \
    const BLNI_VEC##L E = BLNI_FMA##L(power, m, BLNI_SUB##L(power, BLNI_SPLAT##L(1.0))); \
    const BLNI_VEC##L ratio = BLNI_DIV##L(E, BLNI_ADD##L(E, BLNI_SPLAT##L(2.0))); \
    const BLNI_VEC##L w = BLNI_REAL##L(BLNI_IXOR##L(BLNI_BITS##L(ratio), sign));

/* rest = log((1 + f) 2^k) - k log2_high, 1 + f in [sqrt(1/2), sqrt(2)]. With s = f/(2 + f), z = s^2:
 *     log(1 + f) = 2 atanh(s) = f - (f^2/2 - s (f^2/2 + 2 z P(z))),      P(z) ~ 1/3 + z/5 + z^2/7 + ...
 * relative error 2^-59.5; f is exact, so that this is relative at f = 0 as well. */
#define BLNI_LOG1P_PARTS(L, f, k, rest) \
    const BLNI_VEC##L s = BLNI_DIV##L(f, BLNI_ADD##L(f, BLNI_SPLAT##L(2.0))), z = BLNI_MUL##L(s, s); \
    const BLNI_VEC##L half = BLNI_MUL##L(BLNI_MUL##L(BLNI_SPLAT##L(0.5), f), f); \
    BLNI_VEC##L p = BLNI_SPLAT##L(0.07399303805531227); \
    BLNI_STEP(L, p, z, 0.07656901454960065)      BLNI_STEP(L, p, z, 0.0909178663335544) \
    BLNI_STEP(L, p, z, 0.1111109920808102)       BLNI_STEP(L, p, z, 0.1428571437188115) \
    BLNI_STEP(L, p, z, 0.19999999999704623)      BLNI_STEP(L, p, z, 0.33333333333333676) \
    const BLNI_VEC##L more = BLNI_FMA##L(BLNI_ADD##L(z, z), p, half); \
    const BLNI_VEC##L tail = BLNI_FMA##L(s, more, BLNI_MUL##L(k, BLNI_SPLAT##L(BLNI_LOG2_LOW))); \
    const BLNI_VEC##L rest = BLNI_SUB##L(f, BLNI_SUB##L(half, tail));

/* The same for a normal v > 0; k and f by integer operations on the bits of v. */
#define BLNI_LOG_PARTS(L, v, k, rest) \
    const BLNI_INT##L up = BLNI_IADD##L(BLNI_BITS##L(v), BLNI_ISPLAT##L(UINT64_C(0x3ff0000000000000) - BLNI_HALF_ROOT)); \
    const BLNI_INT##L exponent = BLNI_IOR##L(BLNI_SHR##L(up, 52), BLNI_ISPLAT##L(UINT64_C(0x4330000000000000))); /* 2^52 + .. */ \
    const BLNI_INT##L fraction = BLNI_IAND##L(up, BLNI_ISPLAT##L(UINT64_C(0xfffffffffffff))); \
    const BLNI_VEC##L k = BLNI_SUB##L(BLNI_REAL##L(exponent), BLNI_SPLAT##L(4503599627370496.0 + 1023.0)); \
    const BLNI_VEC##L mantissa = BLNI_REAL##L(BLNI_IADD##L(fraction, BLNI_ISPLAT##L(BLNI_HALF_ROOT))); \
    const BLNI_VEC##L f = BLNI_SUB##L(mantissa, BLNI_SPLAT##L(1.0)); \
    BLNI_LOG1P_PARTS(L, f, k, rest)
#define BLNI_HALF_ROOT UINT64_C(0x3fe6a09e667f3bcd)          /* the bits of sqrt(1/2) */

#define BLNI_LOG_BODY(L, v, w) \
    BLNI_LOG_PARTS(L, v, exp2, rest) \
    const BLNI_VEC##L w = BLNI_FMA##L(exp2, BLNI_SPLAT##L(BLNI_LOG2_HIGH), rest);

/* w = log(1 + e^v) = max(v, 0) + log(1 + t), t = e^-|v| <= 1. Beyond sqrt(2) - 1, 1 + t = 2 (1 + f) with f = (t - 1)/2. */
#define BLNI_LOG1PEXP_BODY(L, v, w) \
    BLNI_EXP_MINUS_ABS(L, v, t) \
    const BLNI_VEC##L zero = BLNI_SPLAT##L(0.0), one = BLNI_SPLAT##L(1.0); \
    const BLNI_MASK##L large = BLNI_NEGATIVE##L(BLNI_BITS##L(BLNI_SUB##L(BLNI_SPLAT##L(0.41421356237309503), t))); \
    const BLNI_VEC##L f = BLNI_SELECT##L(large, BLNI_MUL##L(BLNI_SPLAT##L(0.5), BLNI_SUB##L(t, one)), t); \
    const BLNI_VEC##L exp2 = BLNI_SELECT##L(large, one, zero); \
    BLNI_LOG1P_PARTS(L, f, exp2, rest) \
    const BLNI_VEC##L log_t = BLNI_FMA##L(exp2, BLNI_SPLAT##L(BLNI_LOG2_HIGH), rest); \
    const BLNI_VEC##L w = BLNI_ADD##L(BLNI_MAX##L(zero, v), log_t);

/* One step of the recurrence Gamma(y + 1) = y Gamma(y), where y > 9/4. */
#define BLNI_LGAMMA_DOWN(L, y, product) { \
    const BLNI_VEC##L less = BLNI_SUB##L(y, BLNI_SPLAT##L(1.0)), times = BLNI_MUL##L(product, less); \
    const BLNI_MASK##L above = BLNI_NEGATIVE##L(BLNI_BITS##L(BLNI_SUB##L(BLNI_SPLAT##L(2.25), y))); \
    y = BLNI_SELECT##L(above, less, y); \
    product = BLNI_SELECT##L(above, times, product); }

/* (a, b) <- (a, b) u + two constants: two halves of a polynomial, of even and of odd powers, so that they run side by side. */
#define BLNI_STEP2(L, a, b, u, c, d) BLNI_STEP(L, a, u, c) BLNI_STEP(L, b, u, d)

/* w = log Gamma(v), v >= 2^-1022, from one logarithm and two polynomials; three ranges:
 *     v < 3/4     -log v + base(v);     3/4 <= v < 8      log((v-1)(v-2)...(v-j)) + base(v-j-1), v - j in [3/4, 9/4]
 *     8 <= v      (v - 1/2)(log v - 1) + (log(2 pi) - 1)/2 + S(1/v^2)/v, Stirling's series, absolute error 2^-58
 *     base(a) = log Gamma(1 + a) = a (a - 1) q(a - 1/2), relative error 2^-59, its roots 0 and 1 exact factors */
#define BLNI_LGAMMA_BODY(L, v, w) \
    const BLNI_VEC##L one = BLNI_SPLAT##L(1.0), unit_half = BLNI_SPLAT##L(0.5); \
    const BLNI_MASK##L small = BLNI_NEGATIVE##L(BLNI_BITS##L(BLNI_SUB##L(v, BLNI_SPLAT##L(0.75)))); \
    const BLNI_MASK##L middle = BLNI_NEGATIVE##L(BLNI_BITS##L(BLNI_SUB##L(v, BLNI_SPLAT##L(8.0)))); \
    BLNI_VEC##L y = v, product = one; \
    BLNI_LGAMMA_DOWN(L, y, product) BLNI_LGAMMA_DOWN(L, y, product) BLNI_LGAMMA_DOWN(L, y, product) \
    BLNI_LGAMMA_DOWN(L, y, product) BLNI_LGAMMA_DOWN(L, y, product) BLNI_LGAMMA_DOWN(L, y, product) \
    const BLNI_VEC##L within = BLNI_SELECT##L(middle, product, v), of = BLNI_SELECT##L(small, v, within); \
    BLNI_LOG_PARTS(L, of, exp2, rest) \
    const BLNI_VEC##L a = BLNI_SELECT##L(small, v, BLNI_SUB##L(y, one)), t = BLNI_SUB##L(a, unit_half), u = BLNI_MUL##L(t, t); \
    BLNI_VEC##L even = BLNI_SPLAT##L(1.372773564681003e-06), odd = BLNI_SPLAT##L(-1.977234736579266e-06); \
    BLNI_STEP2(L, even, odd, u, -2.5404504628397986e-06, 3.34927359085541e-06) \
    BLNI_STEP2(L, even, odd, u, 5.07034493448849e-06, -6.8472827117562684e-06) \
    BLNI_STEP2(L, even, odd, u, -4.6611797516601354e-07, -3.7098684804139775e-07) \
    BLNI_STEP2(L, even, odd, u, 8.552644517360042e-06, -1.268677724757062e-05) \
    BLNI_STEP2(L, even, odd, u, 1.6031872349408607e-05, -2.5649479364130097e-05) \
    BLNI_STEP2(L, even, odd, u, 4.197035797420478e-05, -6.650623740826446e-05) \
    BLNI_STEP2(L, even, odd, u, 0.00010558536238322223, -0.0001688595391824081) \
    BLNI_STEP2(L, even, odd, u, 0.0002712824245751751, -0.00043799945384508636) \
    BLNI_STEP2(L, even, odd, u, 0.0007115217520287457, -0.0011644141148642528) \
    BLNI_STEP2(L, even, odd, u, 0.0019229161715982907, -0.0032120740958515217) \
    BLNI_STEP2(L, even, odd, u, 0.005446457843386599, -0.009425622447922336) \
    BLNI_STEP2(L, even, odd, u, 0.016797098631209508, -0.03130848750101849) \
    BLNI_STEP2(L, even, odd, u, 0.06291140107456476, -0.14595989591430605) \
    BLNI_STEP(L, even, u, 0.4831289505409809) \
    const BLNI_VEC##L factors = BLNI_MUL##L(a, BLNI_SUB##L(a, one)), base = BLNI_MUL##L(factors, BLNI_FMA##L(odd, t, even)); \
    const BLNI_VEC##L log_of = BLNI_FMA##L(exp2, BLNI_SPLAT##L(BLNI_LOG2_HIGH), rest); \
    const BLNI_VEC##L below = BLNI_SUB##L(base, log_of), about = BLNI_ADD##L(base, log_of); \
    const BLNI_VEC##L less = BLNI_FMA##L(exp2, BLNI_SPLAT##L(BLNI_LOG2_HIGH), BLNI_SPLAT##L(-1.0)); /* exact */ \
    const BLNI_VEC##L i1 = BLNI_DIV##L(one, v), i2 = BLNI_MUL##L(i1, i1); \
    BLNI_VEC##L series = BLNI_SPLAT##L(-0.0016369622976022537); \
    BLNI_STEP(L, series, i2, 0.0008366180476507803)   BLNI_STEP(L, series, i2, -0.0005951923449258548) \
    BLNI_STEP(L, series, i2, 0.0007936505964348492)   BLNI_STEP(L, series, i2, -0.0027777777774227242) \
    BLNI_STEP(L, series, i2, 0.08333333333333316) \
    const BLNI_VEC##L constant = BLNI_FMA##L(i1, series, BLNI_SPLAT##L(0.41893853320467274)); \
    const BLNI_VEC##L stirling = BLNI_FMA##L(BLNI_SUB##L(v, unit_half), BLNI_ADD##L(less, rest), constant); \
    const BLNI_VEC##L w = BLNI_SELECT##L(small, below, BLNI_SELECT##L(middle, about, stirling));

/* ---- from bodies to functions
 *
 * A function of a level does n numbers, a multiple of what it does at a time; to may be from. */
typedef void (*blni_vec_fn)(size_t n, const double *from, double *to);

#define BLNI_VEC_FN0(NAME, BODY) \
BLNI_EXACT BLNI_PRIV void NAME##0(size_t n, const double *from, double *to) \
{ \
    BLNI_EXACT_BODY \
    BLNI_PRODUCT0_BODY \
    for (size_t i = 0; i < n; i += BLNI_VEC_CHUNK) { \
        double in[BLNI_VEC_CHUNK], out[BLNI_VEC_CHUNK]; \
        memcpy(in, from + i, sizeof in); \
        for (int j = 0; j < BLNI_VEC_CHUNK; j++) { const double v = in[j]; BODY(0, v, w) out[j] = w; } \
        memcpy(to + i, out, sizeof out); \
    } \
}

#define BLNI_VEC_FN(L, NAME, BODY) \
BLNI_TARGET##L BLNI_PRIV void NAME##L(size_t n, const double *from, double *to) \
{ \
    for (size_t i = 0; i < n; i += BLNI_LANES##L) { \
        const BLNI_VEC##L v = BLNI_LOAD##L(from + i); \
        BODY(L, v, w) \
        BLNI_STORE##L(to + i, w); \
    } \
}

/* The same where the body covers normal positive numbers only: RARE(n, from, to) does the others among the n. In terms of bits b,
 * with 2^-1022 and the largest number as a and c, one of b, b - a and c - b is negative for these. (RARE is BLNI_CALLED.) */
#define BLNI_RARE_BITS(L, v) \
    BLNI_IOR##L(BLNI_BITS##L(v), BLNI_IOR##L(BLNI_ISUB##L(BLNI_BITS##L(v), BLNI_ISPLAT##L(UINT64_C(0x0010000000000000))), \
                                             BLNI_ISUB##L(BLNI_ISPLAT##L(UINT64_C(0x7fefffffffffffff)), BLNI_BITS##L(v))))

#define BLNI_VEC_FN0_RARE(NAME, BODY, RARE) \
BLNI_EXACT BLNI_PRIV void NAME##0(size_t n, const double *from, double *to) \
{ \
    BLNI_EXACT_BODY \
    BLNI_PRODUCT0_BODY \
    for (size_t i = 0; i < n; i += BLNI_VEC_CHUNK) { \
        double in[BLNI_VEC_CHUNK], out[BLNI_VEC_CHUNK]; \
        uint64_t rare = 0; \
        memcpy(in, from + i, sizeof in); \
        for (int j = 0; j < BLNI_VEC_CHUNK; j++) rare |= BLNI_RARE_BITS(0, in[j]); \
        for (int j = 0; j < BLNI_VEC_CHUNK; j++) { const double v = in[j]; BODY(0, v, w) out[j] = w; } \
        if (rare >> 63) RARE(BLNI_VEC_CHUNK, in, out); \
        memcpy(to + i, out, sizeof out); \
    } \
}

#define BLNI_VEC_FN_RARE(L, NAME, BODY, RARE) \
BLNI_TARGET##L BLNI_PRIV void NAME##L(size_t n, const double *from, double *to) \
{ \
    for (size_t i = 0; i < n; i += BLNI_LANES##L) { \
        const BLNI_VEC##L v = BLNI_LOAD##L(from + i); \
        const BLNI_MASK##L rare = BLNI_NEGATIVE##L(BLNI_RARE_BITS(L, v)); \
        BODY(L, v, w) \
        if (BLNI_ANY##L(rare)) { \
            double in[BLNI_LANES##L], out[BLNI_LANES##L]; \
            BLNI_STORE##L(in, v); \
            BLNI_STORE##L(out, w); \
            RARE(BLNI_LANES##L, in, out); \
            memcpy(to + i, out, sizeof out); \
        } else BLNI_STORE##L(to + i, w); \
    } \
}

/* All levels of a function, and the table of them. */
#if BLNI_LEVELS > 1
#define BLNI_VEC_TABLE(NAME)                   { NAME##0, NAME##1, NAME##2 };
#define BLNI_VEC_ABOVE0(NAME, BODY)            BLNI_VEC_FN(1, NAME, BODY) BLNI_VEC_FN(2, NAME, BODY)
#define BLNI_VEC_ABOVE0_RARE(NAME, BODY, RARE) BLNI_VEC_FN_RARE(1, NAME, BODY, RARE) BLNI_VEC_FN_RARE(2, NAME, BODY, RARE)
#elif BLNI_LEVELS > 0
#define BLNI_VEC_TABLE(NAME)                   { NAME##0, NAME##1 };
#define BLNI_VEC_ABOVE0(NAME, BODY)            BLNI_VEC_FN(1, NAME, BODY)
#define BLNI_VEC_ABOVE0_RARE(NAME, BODY, RARE) BLNI_VEC_FN_RARE(1, NAME, BODY, RARE)
#else
#define BLNI_VEC_TABLE(NAME)                   { NAME##0 };
#define BLNI_VEC_ABOVE0(NAME, BODY)
#define BLNI_VEC_ABOVE0_RARE(NAME, BODY, RARE)
#endif
#define BLNI_VEC_LEVELS(NAME, BODY) \
    BLNI_VEC_FN0(NAME, BODY) BLNI_VEC_ABOVE0(NAME, BODY) static const blni_vec_fn NAME[] = BLNI_VEC_TABLE(NAME)
#define BLNI_VEC_LEVELS_RARE(NAME, BODY, RARE) \
    BLNI_VEC_FN0_RARE(NAME, BODY, RARE) BLNI_VEC_ABOVE0_RARE(NAME, BODY, RARE) \
    static const blni_vec_fn NAME[] = BLNI_VEC_TABLE(NAME)

/* What functions of level `level` do at a time. */
BLNI_PRIV size_t blni_vec_width(int level)
{
#if BLNI_LEVELS > 1
    if (level == 2) return BLNI_LANES2;
#endif
#if BLNI_LEVELS > 0
    if (level == 1) return BLNI_LANES1;
#endif
    (void)level;
    return BLNI_VEC_CHUNK;
}

/* y = f(x) with the function of the level in use; what is left over at the end is filled up with ones. */
BLNI_PRIV void blni_vec_map(const blni_vec_fn *f, size_t n, const double *x, double *y)
{
    const int level = bln_cpu_level();
    const size_t width = blni_vec_width(level), rest = n % width;
    f[level](n - rest, x, y);
    if (rest) {
        double t[BLNI_VEC_CHUNK];
        memcpy(t, x + (n - rest), rest*sizeof *t);
        for (size_t i = rest; i < width; i++) t[i] = 1.0;
        f[level](width, t, t);
        memcpy(y + (n - rest), t, rest*sizeof *t);
    }
}

/* ---- the functions */

BLNI_VEC_LEVELS(blni_vec_exp, BLNI_EXP_BODY)
BLNI_VEC_LEVELS(blni_vec_sigmoid, BLNI_SIGMOID_BODY)
BLNI_VEC_LEVELS(blni_vec_tanh, BLNI_TANH_BODY)
BLNI_VEC_LEVELS(blni_vec_log1pexp, BLNI_LOG1PEXP_BODY)

/* log where x is no normal positive number; a subnormal one is made normal by 2^54. */
BLNI_EXACT BLNI_PRIV double blni_log_rare(double x)
{
    BLNI_EXACT_BODY
    BLNI_PRODUCT0_BODY
    if (!(x > 0.0)) return x == 0.0 ? -(double)INFINITY : BLNI_NAN;
    if (!blni_finite(x)) return x;
    const double v = x*18014398509481984.0;
    BLNI_LOG_PARTS(0, v, exp2, rest)
    return (exp2 - 54.0)*BLNI_LOG2_HIGH + (rest - 54.0*BLNI_LOG2_LOW);
}

BLNI_PRIV int blni_is_rare(double x) { return (int)(BLNI_RARE_BITS(0, x) >> 63); }

BLNI_CALLED BLNI_PRIV void blni_vec_log_rare(size_t n, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) if (blni_is_rare(x[i])) y[i] = blni_log_rare(x[i]);
}

/* log Gamma(x) = -log x + O(x), and infinite where log is. */
BLNI_CALLED BLNI_PRIV void blni_vec_lgamma_rare(size_t n, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) if (blni_is_rare(x[i])) y[i] = fabs(blni_log_rare(x[i]));
}

BLNI_VEC_LEVELS_RARE(blni_vec_log, BLNI_LOG_BODY, blni_vec_log_rare)
BLNI_VEC_LEVELS_RARE(blni_vec_lgamma, BLNI_LGAMMA_BODY, blni_vec_lgamma_rare)

BLN_API void bln_vec_exp(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_exp, n, x, y); }
BLN_API void bln_vec_log(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_log, n, x, y); }
BLN_API void bln_vec_tanh(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_tanh, n, x, y); }
BLN_API void bln_vec_sigmoid(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_sigmoid, n, x, y); }
BLN_API void bln_vec_log1pexp(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_log1pexp, n, x, y); }
BLN_API void bln_vec_lgamma(size_t n, const double *x, double *y) { blni_vec_map(blni_vec_lgamma, n, x, y); }

/* ---- sine and cosine: two results, and angles that must be made smaller first */

/* A huge angle is taken modulo a whole turn, which is exact; what is not finite has no angle. Of bits b without the sign, 2^50 - b
 * is negative for these. */
#define BLNI_HUGE_BITS(L, v) \
    BLNI_ISUB##L(BLNI_ISPLAT##L(UINT64_C(0x4310000000000000)), BLNI_IAND##L(BLNI_BITS##L(v), BLNI_ISPLAT##L(~BLNI_SIGN_BIT)))

BLNI_CALLED BLNI_PRIV void blni_sincos_huge(size_t n, double *z)
{
    for (size_t i = 0; i < n; i++)
        if (BLNI_HUGE_BITS(0, z[i]) >> 63) z[i] = blni_finite(z[i]) ? fmod(z[i], 4.0) : BLNI_NAN;
}

typedef void (*blni_sincos_fn)(size_t n, const double *z, double *s, double *c);

BLNI_EXACT BLNI_PRIV void blni_sincos0(size_t n, const double *z, double *s, double *c)
{
    BLNI_EXACT_BODY
    BLNI_PRODUCT0_BODY
    for (size_t i = 0; i < n; i += BLNI_VEC_CHUNK) {
        double in[BLNI_VEC_CHUNK], sines[BLNI_VEC_CHUNK], cosines[BLNI_VEC_CHUNK];
        uint64_t huge = 0;
        memcpy(in, z + i, sizeof in);
        for (int j = 0; j < BLNI_VEC_CHUNK; j++) huge |= BLNI_HUGE_BITS(0, in[j]);
        if (huge >> 63) blni_sincos_huge(BLNI_VEC_CHUNK, in);
        for (int j = 0; j < BLNI_VEC_CHUNK; j++) {
            const double v = in[j];
            BLNI_SINCOS_BODY(0, v, sine, cosine)
            sines[j] = sine;
            cosines[j] = cosine;
        }
        memcpy(s + i, sines, sizeof sines);
        memcpy(c + i, cosines, sizeof cosines);
    }
}

#define BLNI_SINCOS_FN(L) \
BLNI_TARGET##L BLNI_PRIV void blni_sincos##L(size_t n, const double *z, double *s, double *c) \
{ \
    for (size_t i = 0; i < n; i += BLNI_LANES##L) { \
        BLNI_VEC##L v = BLNI_LOAD##L(z + i); \
        const BLNI_MASK##L huge = BLNI_NEGATIVE##L(BLNI_HUGE_BITS(L, v)); \
        if (BLNI_ANY##L(huge)) { \
            double in[BLNI_LANES##L]; \
            BLNI_STORE##L(in, v); \
            blni_sincos_huge(BLNI_LANES##L, in); \
            v = BLNI_LOAD##L(in); \
        } \
        BLNI_SINCOS_BODY(L, v, sine, cosine) \
        BLNI_STORE##L(s + i, sine); \
        BLNI_STORE##L(c + i, cosine); \
    } \
}
#if BLNI_LEVELS > 0
BLNI_SINCOS_FN(1)
#endif
#if BLNI_LEVELS > 1
BLNI_SINCOS_FN(2)
#endif

BLN_API void bln_sincos_quarter(size_t n, const double *z, double *s, double *c)
{
    static const blni_sincos_fn f[] = BLNI_VEC_TABLE(blni_sincos)
    const int level = bln_cpu_level();
    const size_t width = blni_vec_width(level), rest = n % width, done = n - rest;
    double t[BLNI_VEC_CHUNK], u[BLNI_VEC_CHUNK];
    f[level](done, z, s, c);
    if (!rest) return;
    memcpy(t, z + done, rest*sizeof *t);
    for (size_t i = rest; i < width; i++) t[i] = 0.0;
    f[level](width, t, t, u);
    memcpy(s + done, t, rest*sizeof *t);
    memcpy(c + done, u, rest*sizeof *u);
}

/* ---------------------------------------------------------------- src/math/hadamard.c */
/* hadamard: the fast Walsh-Hadamard transform
 *
 * Stage h = 1, 2, 4, ... replaces the rows j and j + h, for all j without bit h, by their sum and difference. Two stages are done
 * in one sweep, on four rows at a time: what costs is loading and storing the rows, not adding them. Where the rows lie close
 * together (ldv = m), h of them are one long row, which is what runs fast. */

/* The smallest power of 2 that is not below n; SIZE_MAX if there is none. */
BLNI_PRIV size_t blni_power_of_two(size_t n)
{
    size_t p = 1;
    while (p < n && p <= (size_t)-1/2) p *= 2;
    return p < n ? (size_t)-1 : p;
}

/* H_jk */
BLNI_PRIV double blni_hadamard_entry(size_t j, size_t k)
{
    double sign = 1.0;
    for (size_t both = j & k; both; both &= both - 1) sign = -sign;
    return sign;
}

/* The definition, W = H V. */
BLNI_PRIV void blni_hadamard_ref(size_t n, size_t m, const double *V, size_t ldv, double *W, size_t ldw)
{
    for (size_t j = 0; j < n; j++)
        for (size_t l = 0; l < m; l++) {
            W[j*ldw + l] = 0.0;
            for (size_t k = 0; k < n; k++) W[j*ldw + l] += blni_hadamard_entry(j, k)*V[k*ldv + l];
        }
}

/* Both stages on four rows of n numbers, and the last stage on two. */
BLNI_PRIV void blni_hadamard_four(size_t n, double *BLNI_RESTRICT a, double *BLNI_RESTRICT b, double *BLNI_RESTRICT c,
                                  double *BLNI_RESTRICT d)
{
    for (size_t l = 0; l < n; l++) {
        const double p = a[l] + b[l], q = a[l] - b[l], r = c[l] + d[l], s = c[l] - d[l];
        a[l] = p + r;
        b[l] = q + s;
        c[l] = p - r;
        d[l] = q - s;
    }
}

BLNI_PRIV void blni_hadamard_two(size_t n, double *BLNI_RESTRICT a, double *BLNI_RESTRICT b)
{
    for (size_t l = 0; l < n; l++) {
        const double p = a[l] + b[l], q = a[l] - b[l];
        a[l] = p;
        b[l] = q;
    }
}

/* The same with eights first, which compilers turn into vectors. */
BLNI_PRIV void blni_hadamard_four0(size_t n, double *a, double *b, double *c, double *d)
{
    size_t l = 0;
    for (; l + 8 <= n; l += 8) blni_hadamard_four(8, a + l, b + l, c + l, d + l);
    if (l < n) blni_hadamard_four(n - l, a + l, b + l, c + l, d + l);
}

BLNI_PRIV void blni_hadamard_two0(size_t n, double *a, double *b)
{
    size_t l = 0;
    for (; l + 8 <= n; l += 8) blni_hadamard_two(8, a + l, b + l);
    if (l < n) blni_hadamard_two(n - l, a + l, b + l);
}

#if BLNI_LEVELS > 0
/* What does not fill a vector is done here and not by a function of level 0: see BLNI_CALLED. */
#define BLNI_HADAMARD_STEPS(L, FOUR, TWO) \
BLNI_TARGET##L BLNI_PRIV void FOUR(size_t n, double *a, double *b, double *c, double *d) \
{ \
    size_t l = 0; \
    for (; l + BLNI_LANES##L <= n; l += BLNI_LANES##L) { \
        const BLNI_VEC##L A = BLNI_LOAD##L(a + l), B = BLNI_LOAD##L(b + l), C = BLNI_LOAD##L(c + l), D = BLNI_LOAD##L(d + l); \
        const BLNI_VEC##L p = BLNI_ADD##L(A, B), q = BLNI_SUB##L(A, B); \
        const BLNI_VEC##L r = BLNI_ADD##L(C, D), s = BLNI_SUB##L(C, D); \
        BLNI_STORE##L(a + l, BLNI_ADD##L(p, r)); \
        BLNI_STORE##L(b + l, BLNI_ADD##L(q, s)); \
        BLNI_STORE##L(c + l, BLNI_SUB##L(p, r)); \
        BLNI_STORE##L(d + l, BLNI_SUB##L(q, s)); \
    } \
    for (; l < n; l++) { \
        const double p = a[l] + b[l], q = a[l] - b[l], r = c[l] + d[l], s = c[l] - d[l]; \
        a[l] = p + r; b[l] = q + s; c[l] = p - r; d[l] = q - s; \
    } \
} \
BLNI_TARGET##L BLNI_PRIV void TWO(size_t n, double *a, double *b) \
{ \
    size_t l = 0; \
    for (; l + BLNI_LANES##L <= n; l += BLNI_LANES##L) { \
        const BLNI_VEC##L A = BLNI_LOAD##L(a + l), B = BLNI_LOAD##L(b + l); \
        BLNI_STORE##L(a + l, BLNI_ADD##L(A, B)); \
        BLNI_STORE##L(b + l, BLNI_SUB##L(A, B)); \
    } \
    for (; l < n; l++) { \
        const double p = a[l] + b[l], q = a[l] - b[l]; \
        a[l] = p; b[l] = q; \
    } \
}
BLNI_HADAMARD_STEPS(1, blni_hadamard_four1, blni_hadamard_two1)
#if BLNI_LEVELS > 1
BLNI_HADAMARD_STEPS(2, blni_hadamard_four2, blni_hadamard_two2)
#endif
#endif

/* All stages, with the two steps of a level. */
#define BLNI_HADAMARD_STAGES(TARGET, NAME, FOUR, TWO) \
TARGET BLNI_PRIV void NAME(size_t n, size_t m, double *V, size_t ldv) \
{ \
    size_t h = 1; \
    for (; h <= n/4; h *= 4) { \
        const size_t length = ldv == m ? h*m : m, rows = ldv == m ? 1 : h, step = h*ldv; \
        for (size_t i = 0; i < n; i += 4*h) \
            for (size_t j = 0; j < rows; j++) { \
                double *a = V + (i + j)*ldv; \
                FOUR(length, a, a + step, a + 2*step, a + 3*step); \
            } \
    } \
    if (h < n) { \
        const size_t length = ldv == m ? h*m : m, rows = ldv == m ? 1 : h; \
        for (size_t j = 0; j < rows; j++) TWO(length, V + j*ldv, V + (j + h)*ldv); \
    } \
}
BLNI_HADAMARD_STAGES(, blni_hadamard0, blni_hadamard_four0, blni_hadamard_two0)
#if BLNI_LEVELS > 0
BLNI_HADAMARD_STAGES(BLNI_TARGET1, blni_hadamard1, blni_hadamard_four1, blni_hadamard_two1)
#endif
#if BLNI_LEVELS > 1
BLNI_HADAMARD_STAGES(BLNI_TARGET2, blni_hadamard2, blni_hadamard_four2, blni_hadamard_two2)
#endif

BLN_API bln_status bln_hadamard(size_t n, size_t m, double *V, size_t ldv)
{
    if ((n & (n - 1)) != 0 || ldv < m) return BLN_EINVAL;
    if (m == 0) return BLN_OK;               /* V may be NULL then, to which not even 0 may be added */
#if BLNI_LEVELS > 1
    if (bln_cpu_level() == 2) { blni_hadamard2(n, m, V, ldv); return BLN_OK; }
#endif
#if BLNI_LEVELS > 0
    if (bln_cpu_level() >= 1) { blni_hadamard1(n, m, V, ldv); return BLN_OK; }
#endif
    blni_hadamard0(n, m, V, ldv);
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/math/blas_kernels.c */
/* blas_kernels: the few inner loops on which the dense kernels stand
 *
 * A product C += alpha A B is cut into tiles of `rows` x `columns` entries of C that stay in registers while the inner index p
 * runs. Of B the tile reads rows of consecutive numbers: from a packed panel, or from B itself. Of A it reads one number for each
 * row and p, from anywhere (two strides), so A is used as it lies, transposed or not. A solve tile does the same and then a
 * triangular solve with its rows. All else (blocking, packing, triangles) is done once, in blas.c and cholesky.c, whatever the
 * level.
 *
 * Each level brings the same kernels, for any number of rows and columns up to its own. An entry of C is the same sum in the same
 * order wherever in a tile it falls.
 *
 * To add an instruction set: its vector operations in cpu.c, its shape and table at the end of this file. */

/* c[i*ldc + j] (=, if set; else +=) alpha sum_p a[i*ra + p*ca] b[p*rb + j],   i < rows, p < k, j < columns; rows and columns from 1
 * to those of the level. */
typedef void (*blni_tile_fn)(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca,
                             const double *b, ptrdiff_t rb, double alpha, int set, double *c, ptrdiff_t ldc);

/* c <- T^-1 (c - a b) with a b as above. T is lower triangular: t[i*R + p] = T_ip for p < i, t[i*R + i] = 1/T_ii, R being the rows
 * of the level; rows of t from `rows` on are those of the identity. Signed strides, so that rows may be taken from the last to the
 * first. */
typedef void (*blni_solve_fn)(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca,
                              const double *b, ptrdiff_t rb, const double *t, double *c, ptrdiff_t ldc);

typedef struct blni_kernels {
    size_t rows, columns, lanes;      /* of a tile, and of a vector                                                              */
    size_t room;                      /* doubles for packing: half of the usual second-level cache                               */
    blni_tile_fn tile[3];             /* for columns up to that many vectors: see blni_vectors                                   */
    blni_solve_fn solve[3];
    void (*copy)(size_t k, size_t panels, const double *b, size_t rb, double *to);   /* to[(q k + p) columns + j] =
                                                                                        b[p rb + q columns + j]                  */
    void (*dots)(size_t n, const double *a, size_t lda, const double *x, double *sum);     /* sum[i] = a_i'x for 4 rows a_i of a */
    void (*axpys)(size_t n, const double *t, const double *a, size_t lda, double *y);      /* y += sum_i t[i] a_i, the same 4    */
    double (*dot)(size_t n, const double *x, const double *y);
    void (*axpy)(size_t n, double t, const double *x, double *y);
} blni_kernels;

/* Which of the tiles is for so many columns. */
BLNI_PRIV size_t blni_vectors(const blni_kernels *kernel, size_t columns)
{
    return columns == kernel->columns ? 2 : (columns - 1)/kernel->lanes;
}

/* The largest of all levels. */
enum { BLNI_TILE_ROWS = 8, BLNI_TILE_COLUMNS = 24 };

/* ---- level 0: plain C
 *
 * 4 x 4: sixteen sums, and eight loads for 32 flops. Compilers keep the sums in registers, and pair them, when they are named one
 * by one. */

/* Fewer columns than four: one after the other. */
BLNI_PRIV void blni_tile0_edge(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca,
                               const double *b, ptrdiff_t rb, double alpha, int set, double *c, ptrdiff_t ldc)
{
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++) {
            const double *x = a + (ptrdiff_t)i*ra, *y = b + j;
            double sum = 0.0, *to = c + (ptrdiff_t)i*ldc + j;
            for (size_t p = 0; p < k; p++, x += ca, y += rb) sum += *x * *y;
            *to = set ? alpha*sum : *to + alpha*sum;
        }
}

BLNI_PRIV void blni_tile0(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca,
                          const double *b, ptrdiff_t rb, double alpha, int set, double *c, ptrdiff_t ldc)
{
    if (columns < 4) { blni_tile0_edge(rows, columns, k, a, ra, ca, b, rb, alpha, set, c, ldc); return; }
    const double *a0 = a, *a1 = a + (rows > 1 ? ra : 0), *a2 = rows > 2 ? a + 2*ra : a1, *a3 = rows > 3 ? a + 3*ra : a2;
    double c00 = 0, c01 = 0, c02 = 0, c03 = 0, c10 = 0, c11 = 0, c12 = 0, c13 = 0;
    double c20 = 0, c21 = 0, c22 = 0, c23 = 0, c30 = 0, c31 = 0, c32 = 0, c33 = 0;
    ptrdiff_t at = 0;
    for (size_t p = 0; p < k; p++, at += ca, b += rb) {
        const double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
        double t;
        t = a0[at]; c00 += t*b0; c01 += t*b1; c02 += t*b2; c03 += t*b3;
        t = a1[at]; c10 += t*b0; c11 += t*b1; c12 += t*b2; c13 += t*b3;
        t = a2[at]; c20 += t*b0; c21 += t*b1; c22 += t*b2; c23 += t*b3;
        t = a3[at]; c30 += t*b0; c31 += t*b1; c32 += t*b2; c33 += t*b3;
    }
#define BLNI_TILE0_ROW(i, x0, x1, x2, x3) \
    if (i >= rows) return; \
    if (set) { c[0] = alpha*x0; c[1] = alpha*x1; c[2] = alpha*x2; c[3] = alpha*x3; } \
    else { c[0] += alpha*x0; c[1] += alpha*x1; c[2] += alpha*x2; c[3] += alpha*x3; } \
    c += ldc;
    BLNI_TILE0_ROW(0, c00, c01, c02, c03)
    BLNI_TILE0_ROW(1, c10, c11, c12, c13)
    BLNI_TILE0_ROW(2, c20, c21, c22, c23)
    BLNI_TILE0_ROW(3, c30, c31, c32, c33)
#undef BLNI_TILE0_ROW
}

/* Column by column of the tile. Rows that are not there are zeros on the stack. */
BLNI_PRIV void blni_solve0(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca,
                           const double *b, ptrdiff_t rb, const double *t, double *c, ptrdiff_t ldc)
{
    double s[16] = { 0 }, none[4] = { 0 };
    double *c1 = rows > 1 ? c + ldc : none, *c2 = rows > 2 ? c + 2*ldc : none, *c3 = rows > 3 ? c + 3*ldc : none;
    blni_tile0(rows, columns, k, a, ra, ca, b, rb, 1.0, 1, s, 4);
    for (size_t j = 0; j < columns; j++) {
        const double x0 = (c[j] - s[j])*t[0], x1 = (c1[j] - s[4 + j] - t[4]*x0)*t[5];
        const double x2 = (c2[j] - s[8 + j] - t[8]*x0 - t[9]*x1)*t[10];
        const double x3 = (c3[j] - s[12 + j] - t[12]*x0 - t[13]*x1 - t[14]*x2)*t[15];
        c[j] = x0;
        c1[j] = x1;
        c2[j] = x2;
        c3[j] = x3;
    }
}

BLNI_PRIV void blni_copy0(size_t k, size_t panels, const double *b, size_t rb, double *to)
{
    for (size_t p = 0; p < k; p++, b += rb, to += 4)
        for (size_t q = 0; q < panels; q++)
            for (size_t j = 0; j < 4; j++) to[q*k*4 + j] = b[q*4 + j];
}

BLNI_PRIV void blni_dots0(size_t n, const double *a, size_t lda, const double *x, double *sum)
{
    const double *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (size_t j = 0; j < n; j++) {
        const double t = x[j];
        s0 += a[j]*t;
        s1 += a1[j]*t;
        s2 += a2[j]*t;
        s3 += a3[j]*t;
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
}

BLNI_PRIV void blni_axpys0(size_t n, const double *t, const double *BLNI_RESTRICT a, size_t lda, double *BLNI_RESTRICT y)
{
    const double *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda, t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3];
    for (size_t j = 0; j < n; j++) y[j] += (t0*a[j] + t1*a1[j]) + (t2*a2[j] + t3*a3[j]);
}

/* Four sums, because each addition waits for the one before it. */
BLNI_PRIV double blni_dot0(size_t n, const double *x, const double *y)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += x[i]*y[i];
        s1 += x[i + 1]*y[i + 1];
        s2 += x[i + 2]*y[i + 2];
        s3 += x[i + 3]*y[i + 3];
    }
    for (; i < n; i++) s0 += x[i]*y[i];
    return (s0 + s1) + (s2 + s3);
}

BLNI_PRIV void blni_axpy0(size_t n, double t, const double *BLNI_RESTRICT x, double *BLNI_RESTRICT y)
{
    for (size_t i = 0; i < n; i++) y[i] += t*x[i];
}

static const blni_kernels blni_kernels0 = {
    4, 4, 4, 16384, { blni_tile0, blni_tile0, blni_tile0 }, { blni_solve0, blni_solve0, blni_solve0 }, blni_copy0,
    blni_dots0, blni_axpys0, blni_dot0, blni_axpy0
};

/* ---- levels 1 and 2
 *
 * L is the level, R the number of rows of the tile, N that of vectors in one; c##i##j is the vector j of row i. Of the last vector
 * only the lanes of `cut` count: X stands for a whole vector, Y for the last one. */
#if BLNI_LEVELS > 0

#define BLNI_COLUMNS1(X, Y, L, i) Y(L, i, 0)
#define BLNI_COLUMNS2(X, Y, L, i) X(L, i, 0) Y(L, i, 1)
#define BLNI_COLUMNS3(X, Y, L, i) X(L, i, 0) X(L, i, 1) Y(L, i, 2)
#define BLNI_ROWS4(X, L, N) X(L, N, 0) X(L, N, 1) X(L, N, 2) X(L, N, 3)
#define BLNI_ROWS8(X, L, N) BLNI_ROWS4(X, L, N) X(L, N, 4) X(L, N, 5) X(L, N, 6) X(L, N, 7)

#define BLNI_ZERO(L, i, j)       BLNI_VEC##L c##i##j = BLNI_SPLAT##L(0.0);
#define BLNI_B(L, i, j)          const BLNI_VEC##L b##j = BLNI_LOAD##L(b + j*BLNI_LANES##L);
#define BLNI_B_CUT(L, i, j)      const BLNI_VEC##L b##j = BLNI_LOAD_CUT##L(b + j*BLNI_LANES##L, cut);
#define BLNI_PLUS(L, i, j)       c##i##j = BLNI_FMA##L(t, b##j, c##i##j);
#define BLNI_FETCH_C(L, i, j)    if (j*BLNI_LANES##L % 8 == 0) __builtin_prefetch(c + i*ldc + j*BLNI_LANES##L, 1);
#define BLNI_SET(L, i, j)        BLNI_STORE##L(c + j*BLNI_LANES##L, BLNI_MUL##L(t, c##i##j));
#define BLNI_SET_CUT(L, i, j)    BLNI_STORE_CUT##L(c + j*BLNI_LANES##L, cut, BLNI_MUL##L(t, c##i##j));
#define BLNI_ADD(L, i, j)        BLNI_STORE##L(c + j*BLNI_LANES##L, BLNI_FMA##L(t, c##i##j, BLNI_LOAD##L(c + j*BLNI_LANES##L)));
#define BLNI_ADD_CUT(L, i, j) \
    BLNI_STORE_CUT##L(c + j*BLNI_LANES##L, cut, BLNI_FMA##L(t, c##i##j, BLNI_LOAD_CUT##L(c + j*BLNI_LANES##L, cut)));

#define BLNI_A_ROW(i)            const double *a##i = a + (ptrdiff_t)(i < rows ? i : rows - 1)*ra;
#define BLNI_ZERO_ROW(L, N, i)   BLNI_A_ROW(i) BLNI_COLUMNS##N(BLNI_ZERO, BLNI_ZERO, L, i)
#define BLNI_FETCH_ROW(L, N, i)  BLNI_COLUMNS##N(BLNI_FETCH_C, BLNI_FETCH_C, L, i) \
                                 __builtin_prefetch(c + i*ldc + N*BLNI_LANES##L - 1, 1);
#define BLNI_PLUS_ROW(L, N, i)   { const BLNI_VEC##L t = BLNI_SPLAT##L(a##i[at]); BLNI_COLUMNS##N(BLNI_PLUS, BLNI_PLUS, L, i) }
#define BLNI_SET_ROW(L, N, i)    if (i < rows) { BLNI_COLUMNS##N(BLNI_SET, BLNI_SET_CUT, L, i) c += ldc; }
#define BLNI_ADD_ROW(L, N, i)    if (i < rows) { BLNI_COLUMNS##N(BLNI_ADD, BLNI_ADD_CUT, L, i) c += ldc; }

/* The loop that takes the time: R x N sums in registers, N vectors of b and one number of a at a time. LAST is how the last vector
 * of b is read. */
#define BLNI_TILE_LOOP(L, R, N, LAST, PLUS_ROW) \
    for (size_t p = 0; p < k; p++, at += ca, b += rb) { \
        BLNI_COLUMNS##N(BLNI_B, LAST, L, 0) \
        BLNI_ROWS##R(PLUS_ROW, L, N) \
    }

/* Rows beyond the last are computed from it and thrown away: no branch in the loop. */
#define BLNI_TILE(L, R, N, NAME) \
BLNI_TARGET##L BLNI_PRIV void NAME(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca, \
                                   const double *b, ptrdiff_t rb, double alpha, int set, double *c, ptrdiff_t ldc) \
{ \
    const BLNI_CUT##L cut = BLNI_CUT_AT##L(columns - (N - 1)*BLNI_LANES##L); \
    ptrdiff_t at = 0; \
    BLNI_ROWS##R(BLNI_ZERO_ROW, L, N) \
    if (k >= 32) { BLNI_ROWS##R(BLNI_FETCH_ROW, L, N) } \
    if (columns == N*BLNI_LANES##L) { BLNI_TILE_LOOP(L, R, N, BLNI_B, BLNI_PLUS_ROW) } \
    else { BLNI_TILE_LOOP(L, R, N, BLNI_B_CUT, BLNI_PLUS_ROW) } \
    const BLNI_VEC##L t = BLNI_SPLAT##L(alpha); \
    if (set) { BLNI_ROWS##R(BLNI_SET_ROW, L, N) } else { BLNI_ROWS##R(BLNI_ADD_ROW, L, N) } \
}

#define BLNI_GET(L, i, j)       c##i##j = BLNI_LOAD##L(c + i*ldc + j*BLNI_LANES##L);
#define BLNI_GET_CUT(L, i, j)   c##i##j = BLNI_LOAD_CUT##L(c + i*ldc + j*BLNI_LANES##L, cut);
#define BLNI_PUT(L, i, j)       BLNI_STORE##L(c + i*ldc + j*BLNI_LANES##L, c##i##j);
#define BLNI_PUT_CUT(L, i, j)   BLNI_STORE_CUT##L(c + i*ldc + j*BLNI_LANES##L, cut, c##i##j);
#define BLNI_MINUS(L, i, j)     c##i##j = BLNI_FNMA##L(u, b##j, c##i##j);
#define BLNI_TIMES(L, i, j)     c##i##j = BLNI_MUL##L(u, c##i##j);
#define BLNI_GET_ROW(L, N, i)   if (i < rows) { BLNI_COLUMNS##N(BLNI_GET, BLNI_GET_CUT, L, i) }
#define BLNI_PUT_ROW(L, N, i)   if (i < rows) { BLNI_COLUMNS##N(BLNI_PUT, BLNI_PUT_CUT, L, i) }
#define BLNI_MINUS_ROW(L, N, i) { const BLNI_VEC##L u = BLNI_SPLAT##L(a##i[at]); BLNI_COLUMNS##N(BLNI_MINUS, BLNI_MINUS, L, i) }

/* Row i is solved, then taken out of the rows r below it. */
#define BLNI_OUT1(L, i, r)      c##r##0 = BLNI_FNMA##L(u, c##i##0, c##r##0);
#define BLNI_OUT2(L, i, r)      BLNI_OUT1(L, i, r) c##r##1 = BLNI_FNMA##L(u, c##i##1, c##r##1);
#define BLNI_OUT3(L, i, r)      BLNI_OUT2(L, i, r) c##r##2 = BLNI_FNMA##L(u, c##i##2, c##r##2);
#define BLNI_S(L, N, R, i)      { const BLNI_VEC##L u = BLNI_SPLAT##L(t[i*R + i]); BLNI_COLUMNS##N(BLNI_TIMES, BLNI_TIMES, L, i) }
#define BLNI_O(L, N, R, i, r)   { const BLNI_VEC##L u = BLNI_SPLAT##L(t[r*R + i]); BLNI_OUT##N(L, i, r) }
#define BLNI_O4(L, N, R, i)     BLNI_O(L, N, R, i, 4) BLNI_O(L, N, R, i, 5) BLNI_O(L, N, R, i, 6) BLNI_O(L, N, R, i, 7)
#define BLNI_TRIANGLE4(L, N) \
    BLNI_S(L, N, 4, 0) BLNI_O(L, N, 4, 0, 1) BLNI_O(L, N, 4, 0, 2) BLNI_O(L, N, 4, 0, 3) \
    BLNI_S(L, N, 4, 1) BLNI_O(L, N, 4, 1, 2) BLNI_O(L, N, 4, 1, 3) BLNI_S(L, N, 4, 2) BLNI_O(L, N, 4, 2, 3) BLNI_S(L, N, 4, 3)
#define BLNI_TRIANGLE8(L, N) \
    BLNI_S(L, N, 8, 0) BLNI_O(L, N, 8, 0, 1) BLNI_O(L, N, 8, 0, 2) BLNI_O(L, N, 8, 0, 3) BLNI_O4(L, N, 8, 0) \
    BLNI_S(L, N, 8, 1) BLNI_O(L, N, 8, 1, 2) BLNI_O(L, N, 8, 1, 3) BLNI_O4(L, N, 8, 1) \
    BLNI_S(L, N, 8, 2) BLNI_O(L, N, 8, 2, 3) BLNI_O4(L, N, 8, 2) BLNI_S(L, N, 8, 3) BLNI_O4(L, N, 8, 3) \
    BLNI_S(L, N, 8, 4) BLNI_O(L, N, 8, 4, 5) BLNI_O(L, N, 8, 4, 6) BLNI_O(L, N, 8, 4, 7) \
    BLNI_S(L, N, 8, 5) BLNI_O(L, N, 8, 5, 6) BLNI_O(L, N, 8, 5, 7) BLNI_S(L, N, 8, 6) BLNI_O(L, N, 8, 6, 7) BLNI_S(L, N, 8, 7)

#define BLNI_SOLVE(L, R, N, NAME) \
BLNI_TARGET##L BLNI_PRIV void NAME(size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra, ptrdiff_t ca, \
                                   const double *b, ptrdiff_t rb, const double *t, double *c, ptrdiff_t ldc) \
{ \
    const BLNI_CUT##L cut = BLNI_CUT_AT##L(columns - (N - 1)*BLNI_LANES##L); \
    BLNI_ROWS##R(BLNI_ZERO_ROW, L, N) \
    BLNI_ROWS##R(BLNI_GET_ROW, L, N) \
    ptrdiff_t at = 0; \
    BLNI_TILE_LOOP(L, R, N, BLNI_B_CUT, BLNI_MINUS_ROW) \
    BLNI_TRIANGLE##R(L, N) \
    BLNI_ROWS##R(BLNI_PUT_ROW, L, N) \
}

/* One, two and three vectors wide. */
#define BLNI_TILES(L, R, NAME) BLNI_TILE(L, R, 1, NAME##_1) BLNI_TILE(L, R, 2, NAME##_2) BLNI_TILE(L, R, 3, NAME##_3)
#define BLNI_SOLVES(L, R, NAME) BLNI_SOLVE(L, R, 1, NAME##_1) BLNI_SOLVE(L, R, 2, NAME##_2) BLNI_SOLVE(L, R, 3, NAME##_3)

/* Rows go one after the other, and each to all panels: rows lie pages apart. */
#define BLNI_MOVE(L, i, j) BLNI_STORE##L(to + q*k*3*BLNI_LANES##L + j*BLNI_LANES##L, BLNI_LOAD##L(b + (q*3 + j)*BLNI_LANES##L));
#define BLNI_FETCH_B(L, i, j) if (j*BLNI_LANES##L % 8 == 0) __builtin_prefetch(b + 4*rb + (q*3 + j)*BLNI_LANES##L);
#define BLNI_COPY(L, NAME) \
BLNI_TARGET##L BLNI_PRIV void NAME(size_t k, size_t panels, const double *b, size_t rb, double *to) \
{ \
    for (size_t p = 0; p < k; p++, b += rb, to += 3*BLNI_LANES##L) \
        for (size_t q = 0; q < panels; q++) { \
            BLNI_COLUMNS3(BLNI_FETCH_B, BLNI_FETCH_B, L, 0) \
            BLNI_COLUMNS3(BLNI_MOVE, BLNI_MOVE, L, 0) \
        } \
}

/* Sums and updates along rows. What does not fill a vector is done here: see BLNI_CALLED. */
#define BLNI_VECTORS(L, DOTS, AXPYS, DOT, AXPY) \
BLNI_TARGET##L BLNI_PRIV void DOTS(size_t n, const double *a, size_t lda, const double *x, double *sum) \
{ \
    const double *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda; \
    BLNI_VEC##L s0 = BLNI_SPLAT##L(0.0), s1 = s0, s2 = s0, s3 = s0; \
    double v[4][BLNI_LANES##L]; \
    size_t j = 0; \
    for (; j + BLNI_LANES##L <= n; j += BLNI_LANES##L) { \
        const BLNI_VEC##L t = BLNI_LOAD##L(x + j); \
        s0 = BLNI_FMA##L(t, BLNI_LOAD##L(a + j), s0); \
        s1 = BLNI_FMA##L(t, BLNI_LOAD##L(a1 + j), s1); \
        s2 = BLNI_FMA##L(t, BLNI_LOAD##L(a2 + j), s2); \
        s3 = BLNI_FMA##L(t, BLNI_LOAD##L(a3 + j), s3); \
    } \
    BLNI_STORE##L(v[0], s0); BLNI_STORE##L(v[1], s1); BLNI_STORE##L(v[2], s2); BLNI_STORE##L(v[3], s3); \
    for (int i = 0; i < 4; i++, a += lda) { \
        sum[i] = 0.0; \
        for (int q = 0; q < BLNI_LANES##L; q++) sum[i] += v[i][q]; \
        for (size_t q = j; q < n; q++) sum[i] += a[q]*x[q]; \
    } \
} \
BLNI_TARGET##L BLNI_PRIV void AXPYS(size_t n, const double *t, const double *a, size_t lda, double *y) \
{ \
    const double *a1 = a + lda, *a2 = a1 + lda, *a3 = a2 + lda; \
    const BLNI_VEC##L t0 = BLNI_SPLAT##L(t[0]), t1 = BLNI_SPLAT##L(t[1]), t2 = BLNI_SPLAT##L(t[2]), t3 = BLNI_SPLAT##L(t[3]); \
    size_t j = 0; \
    for (; j + BLNI_LANES##L <= n; j += BLNI_LANES##L) { \
        const BLNI_VEC##L u = BLNI_FMA##L(t0, BLNI_LOAD##L(a + j), BLNI_LOAD##L(y + j)); \
        const BLNI_VEC##L v = BLNI_MUL##L(t1, BLNI_LOAD##L(a1 + j)); \
        BLNI_STORE##L(y + j, BLNI_ADD##L(BLNI_FMA##L(t2, BLNI_LOAD##L(a2 + j), u), BLNI_FMA##L(t3, BLNI_LOAD##L(a3 + j), v))); \
    } \
    for (; j < n; j++) y[j] += (t[0]*a[j] + t[1]*a1[j]) + (t[2]*a2[j] + t[3]*a3[j]); \
} \
BLNI_TARGET##L BLNI_PRIV double DOT(size_t n, const double *x, const double *y) \
{ \
    BLNI_VEC##L s0 = BLNI_SPLAT##L(0.0), s1 = s0, s2 = s0, s3 = s0; \
    double v[BLNI_LANES##L], sum = 0.0; \
    size_t j = 0; \
    for (; j + 4*BLNI_LANES##L <= n; j += 4*BLNI_LANES##L) { \
        s0 = BLNI_FMA##L(BLNI_LOAD##L(x + j), BLNI_LOAD##L(y + j), s0); \
        s1 = BLNI_FMA##L(BLNI_LOAD##L(x + j + BLNI_LANES##L), BLNI_LOAD##L(y + j + BLNI_LANES##L), s1); \
        s2 = BLNI_FMA##L(BLNI_LOAD##L(x + j + 2*BLNI_LANES##L), BLNI_LOAD##L(y + j + 2*BLNI_LANES##L), s2); \
        s3 = BLNI_FMA##L(BLNI_LOAD##L(x + j + 3*BLNI_LANES##L), BLNI_LOAD##L(y + j + 3*BLNI_LANES##L), s3); \
    } \
    for (; j + BLNI_LANES##L <= n; j += BLNI_LANES##L) s0 = BLNI_FMA##L(BLNI_LOAD##L(x + j), BLNI_LOAD##L(y + j), s0); \
    BLNI_STORE##L(v, BLNI_ADD##L(BLNI_ADD##L(s0, s1), BLNI_ADD##L(s2, s3))); \
    for (int q = 0; q < BLNI_LANES##L; q++) sum += v[q]; \
    for (; j < n; j++) sum += x[j]*y[j]; \
    return sum; \
} \
BLNI_TARGET##L BLNI_PRIV void AXPY(size_t n, double t, const double *x, double *y) \
{ \
    const BLNI_VEC##L u = BLNI_SPLAT##L(t); \
    size_t j = 0; \
    for (; j + BLNI_LANES##L <= n; j += BLNI_LANES##L) \
        BLNI_STORE##L(y + j, BLNI_FMA##L(u, BLNI_LOAD##L(x + j), BLNI_LOAD##L(y + j))); \
    for (; j < n; j++) y[j] += t*x[j]; \
}

/* ---- the shapes
 *
 * Three vectors in a row. 4 rows where there are 16 registers (12 sums, 3 of B, 1 of A), 8 where there are 32: AVX2 4 x 12, NEON
 * 8 x 6, AVX-512 8 x 24. */
#ifdef BLNI_NEON
enum { BLNI_ROWS_AT1 = 8 };
BLNI_TILES(1, 8, blni_tile1)
BLNI_SOLVES(1, 8, blni_solve1)
#else
enum { BLNI_ROWS_AT1 = 4 };
BLNI_TILES(1, 4, blni_tile1)
BLNI_SOLVES(1, 4, blni_solve1)
#endif
BLNI_COPY(1, blni_copy1)
BLNI_VECTORS(1, blni_dots1, blni_axpys1, blni_dot1, blni_axpy1)

static const blni_kernels blni_kernels1 = {
    BLNI_ROWS_AT1, 3*BLNI_LANES1, BLNI_LANES1, 28672, { blni_tile1_1, blni_tile1_2, blni_tile1_3 },
    { blni_solve1_1, blni_solve1_2, blni_solve1_3 }, blni_copy1, blni_dots1, blni_axpys1, blni_dot1, blni_axpy1
};
#endif

#if BLNI_LEVELS > 1
BLNI_TILES(2, 8, blni_tile2)
BLNI_SOLVES(2, 8, blni_solve2)
BLNI_COPY(2, blni_copy2)
BLNI_VECTORS(2, blni_dots2, blni_axpys2, blni_dot2, blni_axpy2)

static const blni_kernels blni_kernels2 = {
    8, 3*BLNI_LANES2, BLNI_LANES2, 65536, { blni_tile2_1, blni_tile2_2, blni_tile2_3 },
    { blni_solve2_1, blni_solve2_2, blni_solve2_3 }, blni_copy2, blni_dots2, blni_axpys2, blni_dot2, blni_axpy2
};
#endif

BLNI_PRIV const blni_kernels *blni_kernels_now(void)
{
#if BLNI_LEVELS > 0
    const int level = bln_cpu_level();
    if (level == 1) return &blni_kernels1;
#if BLNI_LEVELS > 1
    if (level == 2) return &blni_kernels2;
#endif
#endif
    return &blni_kernels0;
}

/* ---------------------------------------------------------------- src/math/blas.c */
/* blas: dense kernels by tiles
 *
 * Each kernel stands below its definition (_ref), which the tests trust. Matrix products share one driver, blni_multiply. It packs
 * a block of B, BLNI_KC rows and as many columns as there is room for, into a buffer on the stack that stays in the second-level
 * cache, and runs down A and C in strips of as many rows as a tile has; those of A stay in the first. What limits large products
 * is how often C and A come from memory: once for each block. Few rows of A use B as it lies. */

/* Threads have 8 MiB of stack with glibc, 1 MiB on Windows, 512 KiB on macOS, 128 KiB with musl. */
#ifndef BAYESLIN_STACK
#if defined(__GLIBC__) || defined(_WIN32)
#define BAYESLIN_STACK 524288
#elif defined(__APPLE__)
#define BAYESLIN_STACK 262144
#else
#define BAYESLIN_STACK 65536
#endif
#endif

/* Under BAYESLIN_USE_CBLAS the products of matrices and the solves go to a BLAS, whatever the level, unless a number is too large
 * for its int. blni_cblas(largest number) says whether. */
#ifdef BAYESLIN_USE_CBLAS
#ifdef BAYESLIN_REPRODUCIBLE
#error "bayeslin: BAYESLIN_USE_CBLAS and BAYESLIN_REPRODUCIBLE exclude each other"
#endif
#include <cblas.h>
#include <limits.h>
#define BLNI_CBLAS_OP(op) ((op) == BLN_NOTRANS ? CblasNoTrans : CblasTrans)
BLNI_PRIV int blni_cblas(size_t largest) { return largest <= INT_MAX; }
#endif

/* The inner index goes in blocks of BLNI_KC, whatever the level and the memory, so that an entry's sum has the same order
 * everywhere. Doubles on the stack for packing: what products of more than BLNI_LARGE multiplications may use, and what the others
 * do. */
enum {
    BLNI_KC = 256, BLNI_DIRECT = 128, BLNI_LARGE = 1 << 20,
    BLNI_ROOM_SMALL = BLNI_KC*(BLNI_TILE_COLUMNS + BLNI_TILE_ROWS), BLNI_ROOM = BAYESLIN_STACK/8
};

/* ---- vectors */

BLN_API double bln_dot(size_t n, const double *x, const double *y) { return blni_kernels_now()->dot(n, x, y); }

BLN_API void bln_axpy(size_t n, double alpha, const double *x, double *y) { blni_kernels_now()->axpy(n, alpha, x, y); }

BLN_API void bln_scal(size_t n, double alpha, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] *= alpha;
}

/* y = beta y, where beta = 0 does not look at y. */
BLNI_PRIV void blni_scale(size_t n, double beta, double *y)
{
    if (beta == 0.0) for (size_t i = 0; i < n; i++) y[i] = 0.0;
    else if (!(beta == 1.0)) bln_scal(n, beta, y);
}

/* ---- matrix times vector */

BLNI_PRIV void blni_gemv_ref(bln_trans op, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x,
                             double beta, double *y)
{
    const size_t rows = op == BLN_NOTRANS ? m : n, k = op == BLN_NOTRANS ? n : m;
    for (size_t i = 0; i < rows; i++) {
        double sum = 0.0;
        for (size_t p = 0; p < k; p++) sum += (op == BLN_NOTRANS ? A[i*lda + p] : A[p*lda + i])*x[p];
        y[i] = (beta == 0.0 ? 0.0 : beta*y[i]) + alpha*sum;
    }
}

/* Four rows at a time: each number of x (or y, transposed) is loaded once for four products. */
BLN_API void bln_gemv(bln_trans op, size_t m, size_t n, double alpha, const double *A, size_t lda, const double *x,
                      double beta, double *y)
{
    const blni_kernels *kernel = blni_kernels_now();
    size_t i = 0;
    double t[4];
    blni_scale(op == BLN_NOTRANS ? m : n, beta, y);
    if (alpha == 0.0 || m == 0 || n == 0) return;
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(blni_max(m, lda))) {
        cblas_dgemv(CblasRowMajor, BLNI_CBLAS_OP(op), (int)m, (int)n, alpha, A, (int)lda, x, 1, 1.0, y, 1);
        return;
    }
#endif
    if (op == BLN_NOTRANS) {
        for (; i + 4 <= m; i += 4) {
            kernel->dots(n, A + i*lda, lda, x, t);
            for (size_t q = 0; q < 4; q++) y[i + q] += alpha*t[q];
        }
        for (; i < m; i++) y[i] += alpha*kernel->dot(n, A + i*lda, x);
    } else {
        for (; i + 4 <= m; i += 4) {
            for (size_t q = 0; q < 4; q++) t[q] = alpha*x[i + q];
            kernel->axpys(n, t, A + i*lda, lda, y);
        }
        for (; i < m; i++) kernel->axpy(n, alpha*x[i], A + i*lda, y);
    }
}

/* ---- matrix times matrix */

/* C = alpha op(A) op(B) + beta C by the definition; `upper`: only the entries with column >= row. */
BLNI_PRIV void blni_gemm_ref(bln_trans opa, bln_trans opb, size_t m, size_t n, size_t k, double alpha, const double *A, size_t lda,
                             const double *B, size_t ldb, double beta, double *C, size_t ldc, int upper)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = upper ? i : 0; j < n; j++) {
            double sum = 0.0;
            for (size_t p = 0; p < k; p++)
                sum += (opa == BLN_NOTRANS ? A[i*lda + p] : A[p*lda + i])*(opb == BLN_NOTRANS ? B[p*ldb + j] : B[j*ldb + p]);
            C[i*ldc + j] = (beta == 0.0 ? 0.0 : beta*C[i*ldc + j]) + alpha*sum;
        }
}

/* k rows and n <= w columns of a matrix, given by the strides of its row and column index, into one panel of w columns:
 * panel[p*w + j] = b[p*rb + j*cb]. */
BLNI_PRIV void blni_pack_columns(size_t w, size_t k, size_t n, const double *b, size_t rb, size_t cb, double *panel)
{
    size_t j = 0;
    if (cb == 1)                                                  /* along the rows */
        for (size_t p = 0; p < k; p++)
            for (j = 0; j + 8 <= n; j += 8) {
                BLNI_PREFETCH(b + p*rb + j + w);                  /* what the next panel will want */
                memcpy(panel + p*w + j, b + p*rb + j, 8*sizeof *b);
            }
    for (; j + 4 <= n; j += 4) {
        const double *b0 = b + j*cb, *b1 = b0 + cb, *b2 = b1 + cb, *b3 = b2 + cb;
        double *to = panel + j;
        for (size_t p = 0, at = 0; p < k; p++, at += rb, to += w) {
            to[0] = b0[at];
            to[1] = b1[at];
            to[2] = b2[at];
            to[3] = b3[at];
        }
    }
    for (; j < n; j++)
        for (size_t p = 0; p < k; p++) panel[p*w + j] = b[p*rb + j*cb];
}

/* n columns into as many panels as they need, one behind the other. */
BLNI_PRIV void blni_pack(const blni_kernels *kernel, size_t k, size_t n, const double *b, size_t rb, size_t cb, double *panels)
{
    const size_t w = kernel->columns, whole = cb == 1 ? n/w : 0;
    if (whole) kernel->copy(k, whole, b, rb, panels);
    for (size_t j = whole*w; j < n; j += w) blni_pack_columns(w, k, blni_min(w, n - j), b + j*cb, rb, cb, panels + j*k);
}

/* C = alpha A B + C, or without "+ C" if set, for A and B by the strides of their row and column index: A_ip = A[i*ra + p*ca].
 * `upper`: only the entries of C with column >= row. */
typedef struct blni_product {
    size_t m, n, k;
    double alpha;
    const double *A;
    size_t ra, ca;
    const double *B;
    size_t rb, cb;
    int set;
    double *C;
    size_t ldc;
    int upper;
} blni_product;

/* A tile that the diagonal of C goes through: into a buffer, and from there what is C's. */
BLNI_PRIV void blni_tile_across(const blni_kernels *kernel, size_t rows, size_t columns, size_t k, const double *a, ptrdiff_t ra,
                                ptrdiff_t ca, const double *b, ptrdiff_t rb, double alpha, int set, double *c, size_t ldc,
                                size_t row, size_t column)
{
    double tile[BLNI_TILE_ROWS*BLNI_TILE_COLUMNS];
    const size_t w = kernel->columns;
    kernel->tile[blni_vectors(kernel, columns)](rows, columns, k, a, ra, ca, b, rb, alpha, 1, tile, (ptrdiff_t)w);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = row + i > column ? row + i - column : 0; j < columns; j++)
            c[i*ldc + j] = set ? tile[i*w + j] : c[i*ldc + j] + tile[i*w + j];
}

/* Rows i, i + 1, ... of C, as many as a tile has, columns j0 to j1. a: these rows of A, k columns; b: k rows of B, by panels that
 * lie `panel` apart. In one piece (panel = columns of a tile), what is left of four vectors goes as two and two, because a tile of
 * one vector has too few sums to keep the machine busy. */
BLNI_PRIV void blni_strip(const blni_kernels *kernel, const blni_product *p, size_t i, size_t j0, size_t j1, size_t k, int set,
                          const double *a, size_t ra, size_t ca, const double *b, size_t rb, size_t panel)
{
    const size_t w = kernel->columns, rows = blni_min(kernel->rows, p->m - i), below = p->upper && i > j0 ? (i - j0)/w : 0;
    const size_t four = panel == w && kernel->lanes < w ? w + kernel->lanes : 0;
    size_t columns = w;
    b += below*panel;
    for (size_t j = j0 + below*w; j < j1; j += columns, b += columns < w ? columns : panel) {
        const size_t skip = p->upper && i > j ? i - j : 0, left = j1 - j;
        double *c = p->C + i*p->ldc + j;
        columns = left < w ? left : w < left && left <= four ? w - kernel->lanes : w;
        if (p->upper && j + 1 < i + rows) {
            if (skip < columns)
                blni_tile_across(kernel, rows, columns - skip, k, a, (ptrdiff_t)ra, (ptrdiff_t)ca, b + skip, (ptrdiff_t)rb,
                                 p->alpha, set, c + skip, p->ldc, i, j + skip);
        } else kernel->tile[blni_vectors(kernel, columns)](rows, columns, k, a, (ptrdiff_t)ra, (ptrdiff_t)ca, b, (ptrdiff_t)rb,
                                                           p->alpha, set, c, (ptrdiff_t)p->ldc);
    }
}

/* B is used as it lies, in rows; a block at a time, too, so that it is still there when the next strip wants it. */
BLNI_PRIV void blni_multiply_direct(const blni_product *p)
{
    const blni_kernels *kernel = blni_kernels_now();
    for (size_t p0 = 0; p0 < p->k; p0 += BLNI_KC) {
        const size_t kc = blni_min(BLNI_KC, p->k - p0), nc = kernel->room/(kc*kernel->columns)*kernel->columns;
        for (size_t j0 = 0; j0 < p->n; j0 += nc)
            for (size_t i = 0; i < p->m; i += kernel->rows)
                blni_strip(kernel, p, i, j0, blni_min(p->n, j0 + nc), kc, p->set && p0 == 0, p->A + i*p->ra + p0*p->ca, p->ra,
                           p->ca, p->B + p0*p->rb + j0, p->rb, kernel->columns);
    }
}

/* Packed blocks start at a line of the cache. */
BLNI_PRIV double *blni_line(double *x) { return x + (64 - (uintptr_t)x % 64) % 64/sizeof *x; }

/* B is packed into `room`, of `size` doubles. A is packed as well, for a few strips at a time, where it lies transposed: its rows
 * are then pages apart. */
BLNI_PRIV void blni_multiply_packed(const blni_product *p, double *room, size_t size)
{
    const blni_kernels *kernel = blni_kernels_now();
    const size_t w = kernel->columns, group = (size == BLNI_ROOM_SMALL ? 1 : 3)*kernel->rows;
    const int pack = p->ca != 1 && p->n > 2*w;
    double *const block = room + (pack ? group*BLNI_KC : 0);
    size -= (size_t)(block - room);
    for (size_t p0 = 0; p0 < p->k; p0 += BLNI_KC) {
        const size_t kc = blni_min(BLNI_KC, p->k - p0), nc = size/(kc*w)*w;
        for (size_t j0 = 0; j0 < p->n; j0 += nc) {
            const size_t j1 = blni_min(p->n, j0 + nc), end = p->upper ? j1 : p->m;
            blni_pack(kernel, kc, j1 - j0, p->B + p0*p->rb + j0*p->cb, p->rb, p->cb, block);
            for (size_t i = 0; i < end; i += kernel->rows) {
                const double *a = p->A + i*p->ra + p0*p->ca;
                if (pack && i % group == 0) blni_pack_columns(group, kc, blni_min(group, p->m - i), a, p->ca, p->ra, room);
                blni_strip(kernel, p, i, j0, j1, kc, p->set && p0 == 0, pack ? room + i % group : a,
                           pack ? 1 : p->ra, pack ? group : p->ca, block, w, kc*w);
            }
        }
    }
}

BLNI_NOINLINE BLNI_PRIV void blni_multiply_small(const blni_product *p)
{
    double room[BLNI_ROOM_SMALL + 8];
    blni_multiply_packed(p, blni_line(room), BLNI_ROOM_SMALL);
}

BLNI_NOINLINE BLNI_PRIV void blni_multiply_large(const blni_product *p)
{
    double room[BLNI_ROOM + 8];
    blni_multiply_packed(p, blni_line(room), blni_min(BLNI_ROOM, blni_kernels_now()->room));
}

BLNI_PRIV void blni_multiply(size_t m, size_t n, size_t k, double alpha, const double *A, size_t ra, size_t ca,
                             const double *B, size_t rb, size_t cb, int set, double *C, size_t ldc, int upper)
{
    blni_product p;
    p.m = m;        p.n = n;        p.k = k;        p.alpha = alpha;
    p.A = A;        p.ra = ra;      p.ca = ca;      p.B = B;         p.rb = rb;      p.cb = cb;
    p.set = set;    p.C = C;        p.ldc = ldc;    p.upper = upper;
    if (cb == 1 && (m <= blni_kernels_now()->rows || (m <= BLNI_DIRECT && rb % 256 != 0))) blni_multiply_direct(&p);
    else if (BLNI_ROOM <= BLNI_ROOM_SMALL || (double)m*(double)n*(double)k <= BLNI_LARGE) blni_multiply_small(&p);
    else blni_multiply_large(&p);
}

/* What comes before the product: beta. Returns 1 when nothing is left to do. */
BLNI_PRIV int blni_before(size_t m, size_t n, size_t k, double alpha, double beta, double *C, size_t ldc, int upper)
{
    const int nothing = alpha == 0.0 || k == 0;
    if (beta == 1.0 || (beta == 0.0 && !nothing)) return nothing;
    for (size_t i = 0; i < m; i++) blni_scale(n - (upper ? i : 0), beta, C + i*ldc + (upper ? i : 0));
    return nothing;
}

BLN_API void bln_gemm(bln_trans opa, bln_trans opb, size_t m, size_t n, size_t k, double alpha, const double *A, size_t lda,
                      const double *B, size_t ldb, double beta, double *C, size_t ldc)
{
    const size_t ra = opa == BLN_NOTRANS ? lda : 1, ca = opa == BLN_NOTRANS ? 1 : lda;
    const size_t rb = opb == BLN_NOTRANS ? ldb : 1, cb = opb == BLN_NOTRANS ? 1 : ldb;
    if (m == 0 || n == 0 || blni_before(m, n, k, alpha, beta, C, ldc, 0)) return;
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(blni_max(blni_max(m, k), blni_max(lda, blni_max(ldb, ldc))))) {
        cblas_dgemm(CblasRowMajor, BLNI_CBLAS_OP(opa), BLNI_CBLAS_OP(opb), (int)m, (int)n, (int)k, alpha, A, (int)lda, B, (int)ldb,
                    beta == 0.0 ? 0.0 : 1.0, C, (int)ldc);
        return;
    }
#endif
    blni_multiply(m, n, k, alpha, A, ra, ca, B, rb, cb, beta == 0.0, C, ldc, 0);
}

BLN_API void bln_syrk(bln_trans op, size_t n, size_t k, double alpha, const double *A, size_t lda,
                      double beta, double *C, size_t ldc)
{
    const size_t ra = op == BLN_NOTRANS ? lda : 1, ca = op == BLN_NOTRANS ? 1 : lda;
    if (n == 0 || blni_before(n, n, k, alpha, beta, C, ldc, 1)) return;
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(blni_max(k, blni_max(lda, ldc)))) {
        cblas_dsyrk(CblasRowMajor, CblasUpper, BLNI_CBLAS_OP(op), (int)n, (int)k, alpha, A, (int)lda, beta == 0.0 ? 0.0 : 1.0, C,
                    (int)ldc);
        return;
    }
#endif
    blni_multiply(n, n, k, alpha, A, ra, ca, A, ca, ra, beta == 0.0, C, ldc, 1);
}

BLN_API void bln_symmetrise(size_t n, double *A, size_t lda)
{
    /* In squares of 16 x 16: one side of the copy walks down a column, and would miss the cache at each step. */
    for (size_t i0 = 0; i0 < n; i0 += 16)
        for (size_t j0 = 0; j0 <= i0; j0 += 16)
            for (size_t i = i0; i < blni_min(n, i0 + 16); i++)
                for (size_t j = j0; j < blni_min(i, j0 + 16); j++) A[i*lda + j] = A[j*lda + i];
}

/* ---------------------------------------------------------------- src/math/cholesky.c */
/* cholesky: factorisations and triangular solves by halving
 *
 * Each routine splits its triangle  U = [U1 X; 0 U2]  in two, calls itself on both halves and couples them by one product, until
 * a leaf of some dozen rows is left. So nearly all the work is in bln_gemm and bln_syrk, at every size of cache, without a block
 * size to tune. [Gustavson 1997, IBM J. Res. Dev. 41(6); Elmroth et al. 2004, SIAM Review 46(1)]
 * The leaves of solve and factorisation run in solve tiles; those of the inverse are products with a small square on the stack.
 * Beside each routine stands its definition (_ref), for the tests. */

enum { BLNI_LEAF = 64, BLNI_SQUARE = 32 };

/* The size of the first half: a multiple of the tiles' rows. n > 16. */
BLNI_PRIV size_t blni_half(size_t n) { return (n/2 + BLNI_TILE_ROWS - 1)/BLNI_TILE_ROWS*BLNI_TILE_ROWS; }

/* ---- triangular solves
 *
 * U'X = B goes down the rows, U X = B up. In the order of solving both are lower triangular, T = U' or T = U read backwards; a
 * solve tile does R rows of it, given what is solved already. */

/* op(U) X = B by the definition, one row of X after the other. */
BLNI_PRIV void blni_trsm_ref(bln_trans op, size_t n, size_t m, const double *U, size_t ldu, double *B, size_t ldb)
{
    for (size_t r = 0; r < n; r++) {
        const size_t i = op == BLN_NOTRANS ? n - 1 - r : r;
        double *x = B + i*ldb;
        for (size_t s = 0; s < r; s++) {                          /* rows that are solved already */
            const size_t j = op == BLN_NOTRANS ? n - 1 - s : s;
            const double u = op == BLN_NOTRANS ? U[i*ldu + j] : U[j*ldu + i], *done = B + j*ldb;
            for (size_t q = 0; q < m; q++) x[q] -= u*done[q];
        }
        for (size_t q = 0; q < m; q++) x[q] /= U[i*ldu + i];
    }
}

/* The R x R triangle of a solve tile: n rows of T, the first being row 0 (BLN_TRANS) or n - 1 of u; the rest is the identity. */
BLNI_PRIV void blni_triangle(bln_trans op, size_t R, size_t n, const double *u, size_t ldu, double *t)
{
    for (size_t i = 0; i < R; i++) {
        for (size_t p = 0; p < i; p++) t[i*R + p] = i >= n ? 0.0 : op == BLN_TRANS ? u[p*ldu + i] : u[(n - 1 - i)*ldu + n - 1 - p];
        t[i*R + i] = i >= n ? 1.0 : op == BLN_TRANS ? 1.0/u[i*ldu + i] : 1.0/u[(n - 1 - i)*ldu + n - 1 - i];
    }
}

/* n <= BLNI_LEAF. The triangles in the order of solving, then each tile's columns from the first row that is solved to the last. */
BLNI_PRIV void blni_trsm_leaf(bln_trans op, size_t n, size_t m, const double *U, size_t ldu, double *B, size_t ldb)
{
    const blni_kernels *kernel = blni_kernels_now();
    const size_t R = kernel->rows, w = kernel->columns;
    const ptrdiff_t lu = (ptrdiff_t)ldu, lb = (ptrdiff_t)ldb;
    double t[(size_t)BLNI_LEAF*BLNI_TILE_ROWS];
    for (size_t k = 0; k < n; k += R) {
        const size_t rows = blni_min(R, n - k), first = op == BLN_TRANS ? k : n - k - rows;
        blni_triangle(op, R, rows, U + first*ldu + first, ldu, t + k*R);
    }
    for (size_t j = 0; j < m; j += w)
        for (size_t k = 0; k < n; k += R) {                       /* k rows are solved */
            const size_t rows = blni_min(R, n - k), columns = blni_min(w, m - j), first = op == BLN_TRANS ? k : n - 1 - k;
            const blni_solve_fn solve = kernel->solve[blni_vectors(kernel, columns)];
            double *c = B + first*ldb + j;
            if (op == BLN_TRANS) solve(rows, columns, k, U + k, 1, lu, B + j, lb, t + k*R, c, lb);
            else solve(rows, columns, k, U + first*ldu + first + 1, -lu, 1, c + ldb, lb, t + k*R, c, -lb);
        }
}

BLN_API void bln_trsm(bln_trans op, size_t n, size_t m, const double *U, size_t ldu, double *B, size_t ldb)
{
    if (n == 0 || m == 0) return;
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(blni_max(m, blni_max(ldu, ldb)))) {
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasUpper, BLNI_CBLAS_OP(op), CblasNonUnit, (int)n, (int)m, 1.0, U, (int)ldu, B,
                    (int)ldb);
        return;
    }
#endif
    if (n <= BLNI_LEAF) { blni_trsm_leaf(op, n, m, U, ldu, B, ldb); return; }
    const size_t h = blni_half(n);
    const double *X = U + h, *U2 = U + h*ldu + h;
    double *B2 = B + h*ldb;
    if (op == BLN_NOTRANS) {                                      /* U2 x2 = b2;  U1 x1 = b1 - X x2 */
        bln_trsm(op, n - h, m, U2, ldu, B2, ldb);
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, h, m, n - h, -1.0, X, ldu, B2, ldb, 1.0, B, ldb);
        bln_trsm(op, h, m, U, ldu, B, ldb);
    } else {                                                      /* U1'x1 = b1;  U2'x2 = b2 - X'x1 */
        bln_trsm(op, h, m, U, ldu, B, ldb);
        bln_gemm(BLN_TRANS, BLN_NOTRANS, n - h, m, h, -1.0, X, ldu, B, ldb, 1.0, B2, ldb);
        bln_trsm(op, n - h, m, U2, ldu, B2, ldb);
    }
}

/* op(U) x = b by the definition, along the rows of U: U'x = b by taking what is solved out of the
 * rest, U x = b by sums of what is solved. */
BLNI_PRIV void blni_trsv_ref(bln_trans op, size_t n, const double *U, size_t ldu, double *x)
{
    for (size_t r = 0; r < n; r++) {
        const size_t i = op == BLN_NOTRANS ? n - 1 - r : r;
        const double *u = U + i*ldu;
        if (op == BLN_NOTRANS) {
            double sum = 0.0;
            for (size_t j = i + 1; j < n; j++) sum += u[j]*x[j];
            x[i] = (x[i] - sum)/u[i];
        } else {
            x[i] /= u[i];
            for (size_t j = i + 1; j < n; j++) x[j] -= x[i]*u[j];
        }
    }
}

/* Eight rows at a time: what is right of their triangle by a product. */
BLN_API void bln_trsv(bln_trans op, size_t n, const double *U, size_t ldu, double *x)
{
#ifdef BAYESLIN_USE_CBLAS
    if (blni_cblas(ldu)) {
        if (n) cblas_dtrsv(CblasRowMajor, CblasUpper, BLNI_CBLAS_OP(op), CblasNonUnit, (int)n, U, (int)ldu, x, 1);
        return;
    }
#endif
    for (size_t done = 0; done < n; done += 8) {
        const size_t rows = blni_min(8, n - done), i = op == BLN_NOTRANS ? n - done - rows : done, right = n - i - rows;
        const double *u = U + i*ldu + i;
        if (op == BLN_NOTRANS) bln_gemv(op, rows, right, -1.0, u + rows, ldu, x + i + rows, 1.0, x + i);
        blni_trsv_ref(op, rows, u, ldu, x + i);
        if (op == BLN_TRANS) bln_gemv(op, rows, right, -1.0, u + rows, ldu, x + i, 1.0, x + i + rows);
    }
}

BLN_API void bln_potrs(size_t n, const double *U, size_t ldu, double *x)
{
    bln_trsv(BLN_TRANS, n, U, ldu, x);
    bln_trsv(BLN_NOTRANS, n, U, ldu, x);
}

/* ---- factorisation */

/* Row i of U is row i of what is left of A, divided by the root of its first entry; then its outer product goes. Returns n, or the
 * first pivot that is not > 0 and finite. */
BLNI_PRIV size_t blni_potrf_ref(size_t n, double *A, size_t lda)
{
    for (size_t i = 0; i < n; i++) {
        double *a = A + i*lda;
        if (!(a[i] > 0.0) || !blni_finite(a[i])) return i;
        a[i] = sqrt(a[i]);
        for (size_t j = i + 1; j < n; j++) a[j] /= a[i];
        for (size_t r = i + 1; r < n; r++)
            for (size_t j = r; j < n; j++) A[r*lda + j] -= a[r]*a[j];
    }
    return n;
}

/* The same R rows at a time, R dividing n <= BLNI_LEAF: the R x R block on the diagonal, less the products of the rows above it, by
 * the definition; what is right of it by solve tiles. */
BLNI_PRIV size_t blni_potrf_leaf(const blni_kernels *kernel, size_t n, double *A, size_t lda)
{
    const size_t R = kernel->rows, w = kernel->columns;
    const ptrdiff_t ld = (ptrdiff_t)lda;
    double t[BLNI_TILE_ROWS*BLNI_TILE_ROWS];
    for (size_t k = 0; k < n; k += R) {
        double *a = A + k*lda + k;
        for (size_t j = 0; j < R; j += w) {
            const size_t columns = blni_min(w, R - j);
            kernel->tile[blni_vectors(kernel, columns)](R, columns, k, A + k, 1, ld, A + k + j, ld, 1.0, 1, t + j, (ptrdiff_t)R);
        }
        for (size_t i = 0; i < R; i++)
            for (size_t j = i; j < R; j++) a[i*lda + j] -= t[i*R + j];
        const size_t good = blni_potrf_ref(R, a, lda);
        if (good < R) return k + good;
        blni_triangle(BLN_TRANS, R, R, a, lda, t);
        for (size_t j = k + R; j < n; j += w) {
            const size_t columns = blni_min(w, n - j);
            kernel->solve[blni_vectors(kernel, columns)](R, columns, k, A + k, 1, ld, A + j, ld, t, A + k*lda + j, ld);
        }
    }
    return n;
}

/* U1'U1 = A1;  U1'X = A12;  U2'U2 = A2 - X'X. */
BLNI_PRIV size_t blni_potrf(size_t n, double *A, size_t lda)
{
    const blni_kernels *kernel = blni_kernels_now();
    if (n < kernel->rows) return blni_potrf_ref(n, A, lda);
    if (n <= BLNI_LEAF && n % kernel->rows == 0) return blni_potrf_leaf(kernel, n, A, lda);
    const size_t h = n <= BLNI_LEAF ? n/kernel->rows*kernel->rows : blni_half(n);
    double *X = A + h, *A2 = A + h*lda + h;
    const size_t good = blni_potrf(h, A, lda);
    if (good < h) return good;
    bln_trsm(BLN_TRANS, h, n - h, A, lda, X, lda);
    bln_syrk(BLN_TRANS, n - h, h, -1.0, X, lda, 1.0, A2, lda);
    return h + blni_potrf(n - h, A2, lda);
}

BLN_API bln_status bln_potrf(size_t n, double *A, size_t lda, size_t *bad)
{
    const size_t good = blni_potrf(n, A, lda);
    if (good == n) return BLN_OK;
    if (bad) *bad = good;
    return BLN_ENOTPD;
}

BLN_API bln_status bln_potrf_jitter(size_t n, double *A, size_t lda, double *diag, double *tau)
{
    double largest = 0.0, step;
    for (size_t i = 0; i < n; i++) {
        diag[i] = A[i*lda + i];
        if (diag[i] > largest) largest = diag[i];
        for (size_t j = i + 1; j < n; j++) A[j*lda + i] = A[i*lda + j];
    }
    *tau = 0.0;
    if (bln_potrf(n, A, lda, NULL) == BLN_OK) return BLN_OK;
    step = (double)n*DBL_EPSILON*largest;
    if (!blni_finite(step)) return BLN_ENOTPD;
    for (int k = 0; k <= 6; k++, step *= 10.0) {
        *tau = step;
        for (size_t i = 0; i < n; i++) {
            A[i*lda + i] = diag[i] + step;
            for (size_t j = i + 1; j < n; j++) A[i*lda + j] = A[j*lda + i];
        }
        if (bln_potrf(n, A, lda, NULL) == BLN_OK) return BLN_OK;
    }
    return BLN_ENOTPD;
}

/* ---- inverse */

/* X <- X op(V) in place, X: m x n, V: n x n upper. Column j of X V needs columns <= j of X, so it runs from the right; X V' from
 * the left. */
BLNI_PRIV void blni_trmm_right_ref(bln_trans op, size_t m, size_t n, const double *V, size_t ldv, double *X, size_t ldx)
{
    for (size_t i = 0; i < m; i++) {
        double *x = X + i*ldx;
        if (op == BLN_NOTRANS) {
            for (size_t j = n; j-- > 0;) {
                double sum = 0.0;
                for (size_t p = 0; p <= j; p++) sum += x[p]*V[p*ldv + j];
                x[j] = sum;
            }
        } else {
            for (size_t j = 0; j < n; j++) {
                double sum = 0.0;
                for (size_t p = j; p < n; p++) sum += x[p]*V[j*ldv + p];
                x[j] = sum;
            }
        }
    }
}

/* The upper triangle of V as a full n x n square, zeros below. */
BLNI_PRIV void blni_square(size_t n, const double *V, size_t ldv, double *S)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) S[i*n + j] = 0.0;
        memcpy(S + i*n + i, V + i*ldv + i, (n - i)*sizeof *S);
    }
}

/* A leaf is a product of X, copied 32 rows at a time, with the full square. */
BLNI_PRIV void blni_trmm_right(bln_trans op, size_t m, size_t n, const double *V, size_t ldv, double *X, size_t ldx)
{
    if (n <= BLNI_SQUARE) {
        double S[BLNI_SQUARE*BLNI_SQUARE], Y[BLNI_SQUARE*BLNI_SQUARE];
        blni_square(n, V, ldv, S);
        for (size_t i0 = 0; i0 < m; i0 += BLNI_SQUARE) {
            const size_t rows = blni_min(BLNI_SQUARE, m - i0);
            for (size_t i = 0; i < rows; i++) memcpy(Y + i*n, X + (i0 + i)*ldx, n*sizeof *Y);
            bln_gemm(BLN_NOTRANS, op, rows, n, n, 1.0, Y, n, S, n, 0.0, X + i0*ldx, ldx);
        }
        return;
    }
    const size_t h = blni_half(n);
    const double *Y = V + h, *V2 = V + h*ldv + h;
    if (op == BLN_NOTRANS) {                                      /* [x1 x2] [V1 Y; 0 V2] */
        blni_trmm_right(op, m, n - h, V2, ldv, X + h, ldx);
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, n - h, h, 1.0, X, ldx, Y, ldv, 1.0, X + h, ldx);
        blni_trmm_right(op, m, h, V, ldv, X, ldx);
    } else {                                                      /* [x1 x2] [V1' 0; Y' V2'] */
        blni_trmm_right(op, m, h, V, ldv, X, ldx);
        bln_gemm(BLN_NOTRANS, BLN_TRANS, m, h, n - h, 1.0, X + h, ldx, Y, ldv, 1.0, X, ldx);
        blni_trmm_right(op, m, n - h, V2, ldv, X + h, ldx);
    }
}

/* U V = I row by row from the last: V_ij = -(sum_{i<p<=j} U_ip V_pj)/U_ii, in place because row p > i of U is V already. */
BLNI_PRIV void blni_trtri_ref(size_t n, double *U, size_t ldu)
{
    for (size_t i = n; i-- > 0;) {
        double *u = U + i*ldu;
        u[i] = 1.0/u[i];
        for (size_t j = n; j-- > i + 1;) {                        /* from the right: u[p] with p < j is still U */
            double sum = 0.0;
            for (size_t p = i + 1; p <= j; p++) sum += u[p]*U[p*ldu + j];
            u[j] = -sum*u[i];
        }
    }
}

/* [U1 X; 0 U2]^-1 = [V1  -V1 X V2; 0 V2].  A leaf solves for the identity. */
BLN_API void bln_trtri(size_t n, double *U, size_t ldu)
{
    if (n <= BLNI_SQUARE) {
        double S[BLNI_SQUARE*BLNI_SQUARE];
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) S[i*n + j] = i == j ? 1.0 : 0.0;
        blni_trsm_leaf(BLN_NOTRANS, n, n, U, ldu, S, n);
        for (size_t i = 0; i < n; i++) memcpy(U + i*ldu + i, S + i*n + i, (n - i)*sizeof *S);
        return;
    }
    const size_t h = blni_half(n);
    double *X = U + h, *U2 = U + h*ldu + h;
    bln_trtri(n - h, U2, ldu);
    blni_trmm_right(BLN_NOTRANS, h, n - h, U2, ldu, X, ldu);
    bln_trsm(BLN_NOTRANS, h, n - h, U, ldu, X, ldu);
    for (size_t i = 0; i < h; i++)
        for (size_t j = 0; j < n - h; j++) X[i*ldu + j] = -X[i*ldu + j];
    bln_trtri(h, U, ldu);
}

/* C_ij = sum_{p >= j} V_ip V_jp, i <= j: in place, because rows < i are done and row i is needed from column j on only. */
BLNI_PRIV void blni_lauum_ref(size_t n, double *V, size_t ldv)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            double sum = 0.0;
            for (size_t p = j; p < n; p++) sum += V[i*ldv + p]*V[j*ldv + p];
            V[i*ldv + j] = sum;
        }
}

/* [V1 X; 0 V2] times its transpose = [V1 V1' + X X',  X V2'; ., V2 V2']. */
BLNI_PRIV void blni_lauum(size_t n, double *V, size_t ldv)
{
    if (n <= BLNI_SQUARE) {
        double S[BLNI_SQUARE*BLNI_SQUARE];
        blni_square(n, V, ldv, S);
        bln_syrk(BLN_NOTRANS, n, n, 1.0, S, n, 0.0, V, ldv);
        return;
    }
    const size_t h = blni_half(n);
    double *X = V + h, *V2 = V + h*ldv + h;
    blni_lauum(h, V, ldv);
    bln_syrk(BLN_NOTRANS, h, n - h, 1.0, X, ldv, 1.0, V, ldv);
    blni_trmm_right(BLN_TRANS, h, n - h, V2, ldv, X, ldv);
    blni_lauum(n - h, V2, ldv);
}

BLN_API void bln_lauum(size_t n, const double *V, size_t ldv, double *C, size_t ldc)
{
    if (C != V)
        for (size_t i = 0; i < n; i++) memcpy(C + i*ldc + i, V + i*ldv + i, (n - i)*sizeof *C);
    blni_lauum(n, C, ldc);
}

/* ---- what the diagonal says */

BLN_API double bln_logdet_factor(size_t n, const double *U, size_t ldu)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += log(U[i*ldu + i]);
    return 2.0*sum;
}

BLN_API double bln_condition_factor(size_t n, const double *U, size_t ldu)
{
    double low, high, ratio;
    if (n == 0) return 1.0;
    low = high = U[0];
    for (size_t i = 1; i < n; i++) {
        const double u = U[i*ldu + i];
        if (u < low) low = u;
        if (u > high) high = u;
    }
    ratio = high/low;
    return ratio*ratio;
}

/* ---- Woodbury */

enum { BLNI_WOODBURY = 64 };      /* side of the scaled block on the stack: 32 KiB */

/* K = I + A diag(1/p) A' in blocks: S = A diag(p^-1/2) for 64 rows and 64 columns, then S S' on the diagonal and (S diag(p^-1/2))
 * A' beside it. */
BLN_API bln_status bln_woodbury_factor(size_t n, size_t D, const double *p, const double *A, size_t lda, double *U, size_t ldu,
                                       double *logdet)
{
    double S[BLNI_WOODBURY*BLNI_WOODBURY], sum = 0.0;
    for (size_t d = 0; d < D; d++) {
        if (!(p[d] > 0.0) || !blni_finite(p[d])) return BLN_EDOMAIN;
        sum += log(p[d]);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) U[i*ldu + j] = i == j ? 1.0 : 0.0;
    for (size_t d0 = 0; d0 < D; d0 += BLNI_WOODBURY)
        for (size_t i0 = 0; i0 < n; i0 += BLNI_WOODBURY) {
            const size_t dc = blni_min(BLNI_WOODBURY, D - d0), ic = blni_min(BLNI_WOODBURY, n - i0), rest = n - i0 - ic;
            for (size_t i = 0; i < ic; i++)
                for (size_t d = 0; d < dc; d++) S[i*dc + d] = A[(i0 + i)*lda + d0 + d]/sqrt(p[d0 + d]);
            bln_syrk(BLN_NOTRANS, ic, dc, 1.0, S, dc, 1.0, U + i0*ldu + i0, ldu);
            if (rest == 0) continue;
            for (size_t i = 0; i < ic; i++)
                for (size_t d = 0; d < dc; d++) S[i*dc + d] /= sqrt(p[d0 + d]);
            bln_gemm(BLN_NOTRANS, BLN_TRANS, ic, rest, dc, 1.0, S, dc, A + (i0 + ic)*lda + d0, lda, 1.0, U + i0*ldu + i0 + ic, ldu);
        }
    if (bln_potrf(n, U, ldu, NULL) != BLN_OK) return BLN_ENOTPD;
    if (logdet) *logdet = sum + bln_logdet_factor(n, U, ldu);
    return BLN_OK;
}

/* z = x/p;  x = z - diag(1/p) A' K^-1 A z. */
BLN_API void bln_woodbury_solve(size_t n, size_t D, const double *p, const double *A, size_t lda, const double *U, size_t ldu,
                                double *x, double *work)
{
    double part[BLNI_WOODBURY];
    for (size_t d = 0; d < D; d++) x[d] /= p[d];
    if (n == 0) return;
    bln_gemv(BLN_NOTRANS, n, D, 1.0, A, lda, x, 0.0, work);
    bln_potrs(n, U, ldu, work);
    for (size_t d0 = 0; d0 < D; d0 += BLNI_WOODBURY) {
        const size_t dc = blni_min(BLNI_WOODBURY, D - d0);
        bln_gemv(BLN_TRANS, n, dc, 1.0, A + d0, lda, work, 0.0, part);
        for (size_t d = 0; d < dc; d++) x[d0 + d] -= part[d]/p[d0 + d];
    }
}

/* ---------------------------------------------------------------- src/math/qr.c */
/* qr: Householder reflections by blocks, and rotations
 *
 * A few columns are factorised one reflection after the other (the definition); their product of reflections, I - V T V' with T
 * upper triangular, is then applied to what is right of them by bln_gemm: by halves inside a panel of BLNI_QR_BLOCK columns, and
 * panel by panel.                                                    [Schreiber & Van Loan 1989; Elmroth & Gustavson 2000]
 * A reflection that takes x to -sign(x_0)|x| e_0 adds numbers of equal sign and loses nothing; the diagonal >= 0 comes from
 * changing the sign of whole rows of R at the end, which is exact. tau keeps the sign that was changed. */

enum { BLNI_QR_BLOCK = 32, BLNI_QR_LEAF = 8 };

/* A power of two that brings `most` near 1; 1 for what cannot be scaled. Multiplying by it rounds nothing but what gets
 * negligibly small. */
BLNI_PRIV double blni_qr_scale(double most)
{
    int e;
    if (!(most > 0.0) || !blni_finite(most)) return 1.0;
    frexp(most, &e);
    return ldexp(1.0, e > 1021 ? -1021 : e < -1021 ? 1021 : -e);
}

/* |x|, x_i = x[i*step], without overflow or underflow of the squares. */
BLNI_PRIV double blni_qr_norm(size_t n, const double *x, size_t step)
{
    double most = 0.0, sum = 0.0;
    for (size_t i = 0; i < n; i++) if (!(fabs(x[i*step]) <= most)) most = fabs(x[i*step]);
    const double scale = blni_qr_scale(most);
    for (size_t i = 0; i < n; i++) sum += (x[i*step]*scale)*(x[i*step]*scale);
    return sqrt(sum)/scale;
}

/* H x = beta e_0 for H = I - |tau| v v': x (n >= 1) becomes v, v_0 = 1, |v_i| <= 1. Returns beta; tau is < 0 where beta is, so
 * that its row is to change signs. */
BLNI_PRIV double blni_reflection(size_t n, double *x, double *tau)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    const double scale = blni_qr_scale(most);
    bln_scal(n, scale, x);
    const double alpha = x[0], rest = bln_dot(n - 1, x + 1, x + 1);
    if (rest == 0.0) {                                    /* nothing to take away, and H = I - 2 e_0 e_0' turns the sign */
        for (size_t i = 1; i < n; i++) x[i] = 0.0;
        x[0] = 1.0;
        *tau = alpha < 0.0 ? 2.0 : 0.0;
        return fabs(alpha)/scale;
    }
    const double norm = sqrt(alpha*alpha + rest), sum = fabs(alpha) + norm;
    bln_scal(n - 1, alpha < 0.0 ? -1.0/sum : 1.0/sum, x + 1);
    x[0] = 1.0;
    *tau = alpha < 0.0 ? sum/norm : -sum/norm;
    return (alpha < 0.0 ? norm : -norm)/scale;
}

/* Rows of R with a negative tau change their signs, from the diagonal on. */
BLNI_PRIV void blni_qr_signs(size_t k, size_t n, const double *tau, double *R, size_t ldr)
{
    for (size_t j = 0; j < k; j++)
        for (size_t c = j; tau[j] < 0.0 && c < n; c++) R[j*ldr + c] = -R[j*ldr + c];
}

/* Columns between rows of A and rows of t (n x m, stride ldt). */
BLNI_PRIV void blni_qr_columns_out(size_t m, size_t n, const double *A, size_t lda, double *t, size_t ldt)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) t[j*ldt + i] = A[i*lda + j];
}

BLNI_PRIV void blni_qr_columns_back(size_t m, size_t n, const double *t, size_t ldt, double *A, size_t lda)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) A[i*lda + j] = t[j*ldt + i];
}

/* c <- (I - |tau| v v') c */
BLNI_PRIV void blni_reflect(size_t n, double tau, const double *v, double *c)
{
    bln_axpy(n, -fabs(tau)*bln_dot(n, v, c), v, c);
}

/* One reflection after the other, on the columns as rows of t (n x m); signs are still to be changed. */
BLNI_PRIV void blni_qr_leaf(size_t m, size_t n, double *A, size_t lda, double *tau, double *t)
{
    blni_qr_columns_out(m, n, A, lda, t, m);
    for (size_t j = 0; j < blni_min(m, n); j++) {
        double *v = t + j*m + j;
        const double beta = blni_reflection(m - j, v, tau + j);
        for (size_t c = j + 1; c < n; c++) blni_reflect(m - j, tau[j], v, t + c*m + j);
        v[0] = beta;
    }
    blni_qr_columns_back(m, n, t, m, A, lda);
}

BLNI_PRIV void blni_geqrf_ref(size_t m, size_t n, double *A, size_t lda, double *tau, double *t)
{
    blni_qr_leaf(m, n, A, lda, tau, t);
    blni_qr_signs(blni_min(m, n), n, tau, A, lda);
}

/* ---- b reflections at once:  H_0 ... H_{b-1} = I - V T V'
 *
 * T_jj = |tau_j|, and above it column j is -|tau_j| T (V'V)_j. */

/* V'V in the upper triangle of T (b x b) becomes T: column j of V'V is not needed once T_j stands. */
BLNI_PRIV void blni_wy_triangle(size_t b, const double *tau, double *T)
{
    for (size_t j = 0; j < b; j++) {
        for (size_t i = 0; i < j; i++) {                  /* from the top: row i needs entries i .. j - 1 of the column */
            double sum = 0.0;
            for (size_t p = i; p < j; p++) sum += T[i*b + p]*T[p*b + j];
            T[i*b + j] = -fabs(tau[j])*sum;
        }
        T[j*b + j] = fabs(tau[j]);
    }
}

/* W <- T W (BLN_NOTRANS) or T'W (BLN_TRANS), W: b x n, in place. */
BLNI_PRIV void blni_wy_times(bln_trans op, size_t b, size_t n, const double *T, double *W)
{
    for (size_t r = 0; r < b; r++) {
        const size_t i = op == BLN_NOTRANS ? r : b - 1 - r;
        double *w = W + i*n;
        bln_scal(n, T[i*b + i], w);
        if (op == BLN_NOTRANS) bln_gemv(BLN_TRANS, b - 1 - i, n, 1.0, w + n, n, T + i*b + i + 1, 1.0, w);
        else for (size_t p = 0; p < i; p++) bln_axpy(n, T[p*b + i], W + p*n, w);
    }
}

/* The b reflections whose vectors lie below the diagonal of A (m x b), as V (m x b, with its ones and zeros) and T. */
BLNI_PRIV void blni_wy_form(size_t m, size_t b, const double *A, size_t lda, const double *tau, double *V, double *T)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < b; j++) V[i*b + j] = j < i ? A[i*lda + j] : j == i ? 1.0 : 0.0;
    bln_syrk(BLN_TRANS, b, m, 1.0, V, b, 0.0, T, b);
    blni_wy_triangle(b, tau, T);
}

/* C <- (I - V op(T) V') C, C: m x n.   W: b x n */
BLNI_PRIV void blni_wy_apply(bln_trans op, size_t m, size_t n, size_t b, const double *V, const double *T, double *C, size_t ldc,
                             double *W)
{
    bln_gemm(BLN_TRANS, BLN_NOTRANS, b, n, m, 1.0, V, b, C, ldc, 0.0, W, n);
    blni_wy_times(op, b, n, T, W);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, n, b, -1.0, V, b, W, n, 1.0, C, ldc);
}

/* Workspace: V (m x b), where also the columns of a leaf lie; T (b x b); W (b x n). */
typedef struct blni_qr_work { double *V, *T, *W; } blni_qr_work;

BLNI_PRIV blni_qr_work blni_qr_pieces(size_t m, size_t b, double *work)
{
    blni_qr_work p;
    p.V = work;
    p.T = p.V + m*b;
    p.W = p.T + b*b;
    return p;
}

BLNI_PRIV size_t blni_qr_size(size_t m, size_t n, size_t k)
{
    const size_t b = blni_min(BLNI_QR_BLOCK, k);
    return blni_mul(b, blni_add(blni_add(m, n), b));
}

BLN_API size_t bln_geqrf_work(size_t m, size_t n)           { return blni_qr_size(m, n, blni_min(m, n)); }
BLN_API size_t bln_ormqr_work(size_t m, size_t p, size_t k) { return blni_qr_size(m, p, k); }

/* n <= BLNI_QR_BLOCK columns, by halves. */
BLNI_PRIV void blni_qr_panel(size_t m, size_t n, double *A, size_t lda, double *tau, const blni_qr_work *p)
{
    const size_t h = n/2, b = blni_min(m, h);
    if (n <= BLNI_QR_LEAF) { blni_qr_leaf(m, n, A, lda, tau, p->V); return; }
    blni_qr_panel(m, h, A, lda, tau, p);
    blni_wy_form(m, b, A, lda, tau, p->V, p->T);
    blni_wy_apply(BLN_TRANS, m, n - h, b, p->V, p->T, A + h, lda, p->W);
    if (m > h) blni_qr_panel(m - h, n - h, A + h*lda + h, lda, tau + h, p);
}

BLN_API void bln_geqrf(size_t m, size_t n, double *A, size_t lda, double *tau, double *work)
{
    const size_t k = blni_min(m, n), block = blni_min(BLNI_QR_BLOCK, k);
    const blni_qr_work p = blni_qr_pieces(m, block, work);
    for (size_t j = 0; j < k; j += block) {
        const size_t b = blni_min(block, k - j), right = n - j - b;
        double *a = A + j*lda + j;
        blni_qr_panel(m - j, b, a, lda, tau + j, &p);
        if (right == 0) continue;
        blni_wy_form(m - j, b, a, lda, tau + j, p.V, p.T);
        blni_wy_apply(BLN_TRANS, m - j, right, b, p.V, p.T, a + b, lda, p.W);
    }
    blni_qr_signs(k, n, tau, A, lda);
}

/* Q'C: reflections from the first on, signs last; Q C: the other way round. */
BLN_API void bln_ormqr(bln_trans op, size_t m, size_t p, size_t k, const double *A, size_t lda, const double *tau, double *C,
                       size_t ldc, double *work)
{
    const size_t block = blni_min(BLNI_QR_BLOCK, k);
    const blni_qr_work w = blni_qr_pieces(m, block, work);
    if (k == 0) return;
    for (size_t j = 0; op == BLN_NOTRANS && j < k; j++) if (tau[j] < 0.0) bln_scal(p, -1.0, C + j*ldc);
    for (size_t done = 0; done < k; done += block) {
        const size_t j = op == BLN_TRANS ? done : (k - 1 - done)/block*block, b = blni_min(block, k - j);
        blni_wy_form(m - j, b, A + j*lda + j, lda, tau + j, w.V, w.T);
        blni_wy_apply(op, m - j, p, b, w.V, w.T, C + j*ldc, ldc, w.W);
    }
    for (size_t j = 0; op == BLN_TRANS && j < k; j++) if (tau[j] < 0.0) bln_scal(p, -1.0, C + j*ldc);
}

BLN_API size_t bln_gels_work(size_t m, size_t n, size_t p) { return blni_max(bln_geqrf_work(m, n), bln_ormqr_work(m, p, n)); }

BLN_API bln_status bln_gels(size_t m, size_t n, size_t p, double *A, size_t lda, double *tau, double *B, size_t ldb,
                            double *residual, double *work, size_t *bad)
{
    if (m < n) return BLN_ESHAPE;
    bln_geqrf(m, n, A, lda, tau, work);
    bln_ormqr(BLN_TRANS, m, p, n, A, lda, tau, B, ldb, work);
    for (size_t c = 0; residual && c < p; c++) residual[c] = blni_qr_norm(m - n, B + n*ldb + c, ldb);
    for (size_t j = 0; j < n; j++)
        if (!(A[j*lda + j] > (double)m*DBL_EPSILON*blni_qr_norm(j + 1, A + j, lda))) {
            if (bad) *bad = j;
            return BLN_EUNDEFINED;
        }
    bln_trsm(BLN_NOTRANS, n, p, A, lda, B, ldb);
    return BLN_OK;
}

/* ---- rows below a triangle: v_j = (e_j, column j of A), so that V is the identity over A and V'V = I + A'A off the diagonal */

/* b columns, one after the other, as rows of t (b x (k + 1)) behind their entry of R. */
BLNI_PRIV void blni_tp_leaf(size_t b, size_t k, double *R, size_t ldr, double *A, size_t lda, double *tau, double *t)
{
    const size_t ldt = k + 1;
    blni_qr_columns_out(k, b, A, lda, t + 1, ldt);
    for (size_t j = 0; j < b; j++) {
        double *r = R + j*ldr, *v = t + j*ldt;
        v[0] = r[j];
        r[j] = blni_reflection(ldt, v, tau + j);
        for (size_t c = j + 1; c < b; c++) {
            t[c*ldt] = r[c];
            blni_reflect(ldt, tau[j], v, t + c*ldt);
            r[c] = t[c*ldt];
        }
    }
    blni_qr_columns_back(k, b, t + 1, ldt, A, lda);
}

typedef struct blni_tp_work { double *leaf, *tau, *T, *W; } blni_tp_work;

/* The reflections of b columns V, applied to the n columns right of them: to R (b x n) and A (k x n). */
BLNI_PRIV void blni_tp_rest(size_t b, size_t n, size_t k, const double *V, const double *tau, double *R, size_t ldr, double *A,
                            size_t lda, double *T, double *W)
{
    bln_syrk(BLN_TRANS, b, k, 1.0, V, lda, 0.0, T, b);
    blni_wy_triangle(b, tau, T);
    for (size_t i = 0; i < b; i++) memcpy(W + i*n, R + i*ldr, n*sizeof *W);
    bln_gemm(BLN_TRANS, BLN_NOTRANS, b, n, k, 1.0, V, lda, A, lda, 1.0, W, n);
    blni_wy_times(BLN_TRANS, b, n, T, W);
    for (size_t i = 0; i < b; i++) bln_axpy(n, -1.0, W + i*n, R + i*ldr);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, k, n, b, -1.0, V, lda, W, n, 1.0, A, lda);
}

BLNI_PRIV void blni_tp_panel(size_t b, size_t k, double *R, size_t ldr, double *A, size_t lda, double *tau, const blni_tp_work *p)
{
    const size_t h = b/2;
    if (b <= BLNI_QR_LEAF) { blni_tp_leaf(b, k, R, ldr, A, lda, tau, p->leaf); return; }
    blni_tp_panel(h, k, R, ldr, A, lda, tau, p);
    blni_tp_rest(h, b - h, k, A, tau, R + h, ldr, A + h, lda, p->T, p->W);
    blni_tp_panel(b - h, k, R + h*ldr + h, ldr, A + h, lda, tau + h, p);
}

/* The columns of a leaf (at most 8 x (k + 1)), tau (b), T (b x b), W (b x n). */
BLN_API size_t bln_tpqrt_work(size_t n, size_t k)
{
    const size_t b = blni_min(BLNI_QR_BLOCK, n);
    return blni_add(blni_mul(blni_min(BLNI_QR_LEAF, n), blni_add(k, 1)), blni_mul(b, blni_add(blni_add(b, n), 1)));
}

BLN_API void bln_tpqrt(size_t n, size_t k, double *R, size_t ldr, double *A, size_t lda, double *work)
{
    const size_t block = blni_min(BLNI_QR_BLOCK, n);
    blni_tp_work p;
    p.leaf = work;
    p.tau = p.leaf + blni_min(BLNI_QR_LEAF, n)*(k + 1);
    p.T = p.tau + block;
    p.W = p.T + block*block;
    for (size_t j = 0; j < n; j += block) {
        const size_t b = blni_min(block, n - j), right = n - j - b;
        double *r = R + j*ldr + j;
        blni_tp_panel(b, k, r, ldr, A + j, lda, p.tau, &p);
        if (right) blni_tp_rest(b, right, k, A + j, p.tau, r + b, ldr, A + j + b, lda, p.T, p.W);
        blni_qr_signs(b, n - j, p.tau, r, ldr);
    }
}

/* ---- one row */

/* (r, x) <- (c r + s x, c x - s r) */
BLNI_PRIV void blni_rotate(size_t n, double c, double s, double *BLNI_RESTRICT r, double *BLNI_RESTRICT x)
{
    for (size_t j = 0; j < n; j++) {
        const double t = c*r[j] + s*x[j];
        x[j] = c*x[j] - s*r[j];
        r[j] = t;
    }
}

BLN_API void bln_chud(size_t n, size_t m, double *R, size_t ldr, double *x)
{
    for (size_t i = 0; i < n; i++) {
        double *r = R + i*ldr + i;
        if (x[i] == 0.0 && r[0] >= 0.0) continue;
        const double h = hypot(r[0], x[i]), c = r[0]/h, s = x[i]/h;
        r[0] = h;
        blni_rotate(n + m - i - 1, c, s, r + 1, x + i + 1);
    }
}

/* The rotations come from the last row of R up; the columns z beside it are taken back through them from the first row down,
 * z_i <- (z_i - s_i x)/c_i, x <- c_i x - s_i z_i. */
BLN_API bln_status bln_chdd(size_t n, size_t m, double *R, size_t ldr, double *x, double least, double *left, double *work)
{
    double *c = work, *row = work + n, *s = x;
    bln_trsv(BLN_TRANS, n, R, ldr, s);
    const double norm = sqrt(bln_dot(n, s, s)), remains = (1.0 - norm)*(1.0 + norm);
    if (left) *left = remains;
    if (!(remains > least)) return BLN_ENOTPD;
    double alpha = sqrt(remains);
    for (size_t i = n; i-- > 0;) {
        const double h = hypot(alpha, s[i]);
        c[i] = alpha/h;
        s[i] /= h;
        alpha = h;
        row[i] = 0.0;
        blni_rotate(n - i, c[i], -s[i], R + i*ldr + i, row + i);
    }
    for (size_t i = 0; i < n; i++) {
        double *z = R + i*ldr + n, *rest = x + n;
        for (size_t j = 0; j < m; j++) {
            z[j] = (z[j] - s[i]*rest[j])/c[i];
            rest[j] = c[i]*rest[j] - s[i]*z[j];
        }
    }
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/math/exact.c */
/* exact: three-double arithmetic. A product or sum is a handful of doubles whose sum is exact; three passes of two-sums over them
 * leave the sum in the first three, and errors of order 2^-159 of the largest are dropped with the rest. */

BLN_API int bln_exact_available(void)
{
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1      /* 1 widens floats only */
    return 0;
#else
    return 1;
#endif
}

/* One sweep of Knuth's two-sums over x[first..n-1] from the end: x[first] becomes the rounded sum, the others what rounding
 * left. */
BLNI_EXACT BLNI_PRIV void blni_exact_sweep(size_t first, size_t n, double *x)
{
    BLNI_EXACT_BODY
    for (size_t i = n - 1; i > first; i--) {
        const double a = x[i - 1], b = x[i], s = a + b, t = s - a;
        x[i] = (a - (s - t)) + (b - t);
        x[i - 1] = s;
    }
}

/* The sum of the n >= 3 doubles of x, which are overwritten: SumK of Ogita, Rump & Oishi with K = 3. After cancellation the leading
 * one may be 0 or small; sweeps over what is left put the digits back in order, and a leading 0 is squeezed out. */
BLNI_EXACT BLNI_PRIV bln_exact blni_exact_sum(size_t n, double *x)
{
    BLNI_EXACT_BODY
    bln_exact r;
    for (size_t k = 0; k < 3; k++) blni_exact_sweep(k, n, x);
    for (size_t i = 3; i < n; i++) x[2] += x[i];
    for (int k = 0; k < 2; k++) {
        blni_exact_sweep(0, 3, x);
        blni_exact_sweep(1, 3, x);
    }
    for (int k = 0; k < 2 && x[0] == 0.0; k++) {
        x[0] = x[1];
        x[1] = x[2];
        x[2] = 0.0;
    }
    for (int k = 0; k < 3; k++) r.v[k] = x[k];
    return r;
}

/* p[0] + p[1] = a b exactly, barring over- and underflow: Dekker's product with Veltkamp's splitting. Beyond 2^996 the
 * splitting overflows and the error is given up: such numbers have no business here. */
BLNI_EXACT BLNI_PRIV void blni_exact_product(double a, double b, double *p)
{
    BLNI_EXACT_BODY
    const double c = 134217729.0, ta = c*a, tb = c*b;
    const double ah = ta - (ta - a), al = a - ah, bh = tb - (tb - b), bl = b - bh, high = a*b;
    const double low = ((ah*bh - high) + ah*bl + al*bh) + al*bl;
    p[0] = high;
    p[1] = blni_finite(low) ? low : 0.0;
}

BLN_API bln_exact bln_exact_of(double x)
{
    bln_exact r;
    r.v[0] = x;
    r.v[1] = r.v[2] = 0.0;
    return r;
}

BLNI_EXACT BLN_API double bln_exact_double(bln_exact a)
{
    BLNI_EXACT_BODY
    return a.v[0] + (a.v[1] + a.v[2]);
}

BLNI_EXACT BLN_API bln_exact bln_exact_add(bln_exact a, bln_exact b)
{
    BLNI_EXACT_BODY
    double x[6];
    for (int i = 0; i < 3; i++) { x[2*i] = a.v[i]; x[2*i + 1] = b.v[i]; }
    return blni_exact_sum(6, x);
}

BLNI_PRIV bln_exact blni_exact_minus(bln_exact a)
{
    for (int i = 0; i < 3; i++) a.v[i] = -a.v[i];
    return a;
}

BLN_API bln_exact bln_exact_sub(bln_exact a, bln_exact b) { return bln_exact_add(a, blni_exact_minus(b)); }

BLNI_EXACT BLN_API bln_exact bln_exact_mul(bln_exact a, bln_exact b)
{
    BLNI_EXACT_BODY
    /* v_i w_j is of order 2^-53(i+j): exact down to i + j = 2, rounded at 3, dropped beyond. */
    double x[14];
    blni_exact_product(a.v[0], b.v[0], x);
    blni_exact_product(a.v[0], b.v[1], x + 2);
    blni_exact_product(a.v[1], b.v[0], x + 4);
    blni_exact_product(a.v[0], b.v[2], x + 6);
    blni_exact_product(a.v[1], b.v[1], x + 8);
    blni_exact_product(a.v[2], b.v[0], x + 10);
    x[12] = a.v[1]*b.v[2];
    x[13] = a.v[2]*b.v[1];
    return blni_exact_sum(14, x);
}

/* Long division: each quotient digit is a double, three and one to round by. */
BLNI_EXACT BLN_API bln_exact bln_exact_div(bln_exact a, bln_exact b)
{
    BLNI_EXACT_BODY
    double q[4];
    for (int i = 0; i < 4; i++) {
        q[i] = a.v[0]/b.v[0];
        if (i == 0 && !(blni_finite(q[0]) && q[0] != 0.0)) return bln_exact_of(q[0]);
        a = bln_exact_sub(a, bln_exact_mul(b, bln_exact_of(q[i])));
    }
    return blni_exact_sum(4, q);
}

/* Newton's step x + (a - x^2)/(2x) doubles the digits: from 53 to over 200 bits in two. */
BLN_API bln_exact bln_exact_sqrt(bln_exact a)
{
    bln_exact x = bln_exact_of(sqrt(a.v[0]));
    if (!(a.v[0] > 0.0) || !blni_finite(a.v[0])) return x;
    for (int i = 0; i < 2; i++)
        x = bln_exact_add(x, bln_exact_div(bln_exact_sub(a, bln_exact_mul(x, x)), bln_exact_add(x, x)));
    return x;
}

BLNI_EXACT BLN_API bln_exact bln_exact_add_product(bln_exact a, double sign, double xh, double xl, double yh, double yl)
{
    BLNI_EXACT_BODY
    double x[10];
    size_t n = 5;
    x[0] = a.v[0];
    x[1] = a.v[1];
    x[2] = a.v[2];
    blni_exact_product(sign*xh, yh, x + 3);
    if (xl != 0.0 || yl != 0.0) {
        blni_exact_product(sign*xh, yl, x + 5);
        blni_exact_product(sign*xl, yh, x + 7);
        x[9] = sign*xl*yl;
        n = 10;
    }
    return blni_exact_sum(n, x);
}

/* a - b c */
BLNI_PRIV bln_exact blni_exact_less(bln_exact a, bln_exact b, bln_exact c) { return bln_exact_sub(a, bln_exact_mul(b, c)); }

BLN_API size_t bln_exact_potrf(size_t n, bln_exact *A, size_t lda, double noise)
{
    for (size_t i = 0; i < n; i++) {
        const double floor_i = noise*A[i*lda + i].v[0];
        for (size_t k = 0; k < i; k++)
            for (size_t j = i; j < n; j++) A[i*lda + j] = blni_exact_less(A[i*lda + j], A[k*lda + i], A[k*lda + j]);
        if (!(A[i*lda + i].v[0] > floor_i) || !blni_finite(A[i*lda + i].v[0])) return i;
        const bln_exact root = bln_exact_sqrt(A[i*lda + i]);
        A[i*lda + i] = root;
        for (size_t j = i + 1; j < n; j++) A[i*lda + j] = bln_exact_div(A[i*lda + j], root);
    }
    return n;
}

BLN_API void bln_exact_trsv(int trans, size_t n, const bln_exact *U, size_t ldu, bln_exact *x)
{
    if (trans)
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < i; k++) x[i] = blni_exact_less(x[i], U[k*ldu + i], x[k]);
            x[i] = bln_exact_div(x[i], U[i*ldu + i]);
        }
    else
        for (size_t i = n; i-- > 0;) {
            for (size_t k = i + 1; k < n; k++) x[i] = blni_exact_less(x[i], U[i*ldu + k], x[k]);
            x[i] = bln_exact_div(x[i], U[i*ldu + i]);
        }
}

BLN_API void bln_exact_trtri(size_t n, bln_exact *U, size_t ldu)
{
    const bln_exact zero = bln_exact_of(0.0), one = bln_exact_of(1.0);
    for (size_t j = 0; j < n; j++) {
        /* Column j of the inverse above the diagonal: -(U_..^-1 u_j)/U_jj, the leading block being inverted already. */
        const bln_exact pivot = bln_exact_div(one, U[j*ldu + j]);
        for (size_t i = 0; i < j; i++) {
            bln_exact s = zero;
            for (size_t k = i; k < j; k++) s = blni_exact_less(s, U[i*ldu + k], U[k*ldu + j]);
            U[i*ldu + j] = bln_exact_mul(s, pivot);
        }
        U[j*ldu + j] = pivot;
    }
}

/* ---------------------------------------------------------------- src/random/ziggurat_tables.c */
/* ziggurat_tables: right ends of the 256 layers of equal area under exp(-x^2/2) and exp(-x), for the ziggurats of >>rng
 *
 * x[0] is the width of the box that stands for the lowest layer and its tail, x[1] = r, where the tail begins, and x[256] = 0
 * (spec/samplers.md R5, R6). Written by tools/golden_ziggurat.py, which says how; constants, so that no thread has to
 * build them. */

static const double blni_ziggurat_normal[257] = {
    3.9107579595249158, 3.6541528853610088, 3.4492782985614312, 3.3202447338398255, 3.2245750520478014,
    3.1478892895180008, 3.0835261320021434, 3.0278377917695933, 2.9786032798818431, 2.9343668672088876,
    2.8941210536134121, 2.8571387308732246, 2.8228773968264429, 2.7909211740019275, 2.7609440052799861,
    2.7326853590440114, 2.705933656123062, 2.6805146432857452, 2.6562830375767432, 2.6331163936315827,
    2.6109105184888235, 2.5895759867082866, 2.569035452681844, 2.5492215503247833, 2.5300752321598541,
    2.5115444416266945, 2.4935830412710467, 2.4761499396705231, 2.4592083743347048, 2.4427253182003641,
    2.4266709849371466, 2.4110184139011195, 2.3957431197819274, 2.3808227951720857, 2.3662370567172908,
    2.3519672273791445, 2.3379961487965288, 2.3243080188711325, 2.3108882506013719, 2.2977233489028634,
    2.2848008027244919, 2.2721089902283818, 2.2596370951737876, 2.2473750329473892, 2.2353133849299209,
    2.2234433400925107, 2.2117566428841609, 2.2002455466112765, 2.1889027716263607, 2.1777214677402932,
    2.1666951803543086, 2.1558178198767375, 2.1450836340478889, 2.134487182846017, 2.1240233156895236,
    2.113687150686653, 2.1034740557148774, 2.093379631138792, 2.0833996939983046, 2.0735302635187431,
    2.0637675478117323, 2.0541079316506523, 2.0445479652175313, 2.0350843537296188, 2.0257139478638542,
    2.016433734906204, 2.0072408305605287, 1.9981324713584196, 1.9891060076174381, 1.9801588969004766,
    1.9712886979336592, 1.962493064944363, 1.9537697423846467, 1.9451165600086784, 1.9365314282756947,
    1.9280123340526658, 1.9195573365931882, 1.9111645637712533, 1.9028322085504292, 1.8945585256707047,
    1.8863418285367828, 1.8781804862929958, 1.8700729210712668, 1.8620176053996742, 1.8540130597602018,
    1.8460578502851854, 1.8381505865828067, 1.8302899196827569, 1.8224745400938858, 1.8147031759662826,
    1.8069745913508208, 1.7992875845497203, 1.7916409865521625, 1.7840336595494415, 1.7764644955245228,
    1.7689324149112686, 1.7614363653189102, 1.7539753203176716, 1.7465482782817223, 1.7391542612859117,
    1.7317923140529632, 1.724461502948045, 1.7171609150178231, 1.7098896570713018, 1.7026468547999232,
    1.6954316519345616, 1.6882432094371953, 1.6810807047251739, 1.6739433309261249, 1.6668302961616654,
    1.6597408228581825, 1.6526741470830559, 1.6456295179047824, 1.6386061967755476, 1.6316034569348736,
    1.6246205828330347, 1.6176568695730156, 1.6107116223698301, 1.6037841560260946, 1.5968737944227882,
    1.5899798700241907, 1.5831017233960292, 1.5762387027359064, 1.5693901634151237, 1.5625554675310449,
    1.5557339834691764, 1.5489250854741734, 1.5421281532290019, 1.5353425714415141, 1.5285677294377125,
    1.521803020760998, 1.5150478427767147, 1.5083015962813116, 1.5015636851154637, 1.4948335157804935,
    1.4881104970574475, 1.4813940396281873, 1.4746835556978555, 1.4679784586180795, 1.4612781625102755,
    1.4545820818884103, 1.447889631280576, 1.4412002248487239, 1.4345132760058923, 1.427828197030256,
    1.421144398675309, 1.4144612897754711, 1.4077782768463989, 1.401094763679251, 1.394410150928141,
    1.3877238356899761, 1.3810352110758555, 1.3743436657731662, 1.3676485835974761, 1.3609493430332831,
    1.3542453167626349, 1.3475358711805872, 1.340820365896404, 1.3340981532193601, 1.3273685776279258,
    1.3206309752210563, 1.3138846731502205, 1.3071289890307312, 1.3003632303308372, 1.2935866937369478,
    1.2867986644932436, 1.279998415713818, 1.2731852076653563, 1.2663582870182295, 1.2595168860637143,
    1.2526602218948972, 1.2457874955486272, 1.2388978911056874, 1.2319905747461362, 1.2250646937565308,
    1.2181193754854815, 1.2111537262436991, 1.2041668301443815, 1.1971577478794415, 1.1901255154266921,
    1.1830691426826867, 1.175987612015452, 1.168879876730833, 1.1617448594456115, 1.1545814503599277,
    1.147388505420849, 1.1401648443681514, 1.1329092486525338, 1.1256204592155334, 1.118297174119345,
    1.1109380460135758, 1.1035416794246398, 1.0961066278520215, 1.0886313906539797, 1.0811144097034038,
    1.0735540657924363, 1.0659486747621225, 1.0582964833306752, 1.05059566459093, 1.0428443131441489,
    1.035040439833441, 1.0271819660356458, 1.0192667174654841, 1.0112924174399958, 1.0032566795446729,
    0.99515699963509097, 0.98699074709906243, 0.97875515529422463, 0.97044731106422444, 0.96206414322304057,
    0.95360240988108602, 0.94505868446816543, 0.9364293402865751, 0.92771053340200016, 0.91889818364959064,
    0.90998795349671846, 0.9009752244612218, 0.89185507073294157, 0.88262222958516556, 0.87327106808886079,
    0.86379554555330884, 0.85418917100816383, 0.84444495490915394, 0.83455535408638215, 0.82451220875229214,
    0.81430667013521518, 0.80392911698997127, 0.79336905884062325, 0.78261502330723309, 0.77165442422456809,
    0.76047340643010808, 0.74905666201781529, 0.73738721143429564, 0.72544614090999959, 0.7132122851909759,
    0.70066184110681506, 0.68776789279578854, 0.67449982283729382, 0.6608225742444197, 0.64669571489499378,
    0.63207223638606114, 0.61689699000775144, 0.60110461775599267, 0.58461676610637936, 0.5673382570538188,
    0.54915170232716515, 0.52990972066155817, 0.5094233296020918, 0.48744396613923602, 0.46363433679088223,
    0.43751840220787169, 0.40838913461199117, 0.37512133287838056, 0.33573751921442524, 0.2861745917920725,
    0.21524189598488169, 0
};

static const double blni_ziggurat_exponential[257] = {
    8.6971174701310492, 7.6971174701310501, 6.9410336293772126, 6.4783784938325697, 6.1441646657724727,
    5.8821443157953999, 5.6664101674540337, 5.4828906275260625, 5.3230905057543989, 5.1814872813015009,
    5.054288489981305, 4.9387770859012514, 4.8329397410251129, 4.7352429966017411, 4.6444918854200852,
    4.5597370617073514, 4.4802117465284219, 4.4052876934735732, 4.334443680317273, 4.2672424802773659,
    4.2033137137351844, 4.1423408656640515, 4.0840513104082978, 4.0282085446479368, 3.9746060666737884,
    3.9230625001354897, 3.8734176703995091, 3.8255294185223367, 3.7792709924116679, 3.7345288940397974,
    3.6912010902374188, 3.6491955157608538, 3.6084288131289095, 3.5688252656483375, 3.5303158891293438,
    3.4928376547740601, 3.4563328211327606, 3.4207483572511204, 3.3860354424603019, 3.3521490309001098,
    3.3190474709707489, 3.2866921715990691, 3.2550473085704503, 3.2240795652862646, 3.1937579032122407,
    3.1640533580259733, 3.1349388580844408, 3.1063890623398245, 3.0783802152540907, 3.0508900166154556,
    3.0238975044556766, 2.9973829495161306, 2.9713277599210897, 2.9457143948950457, 2.9205262865127408,
    2.8957477686001418, 2.8713640120155364, 2.8473609656351888, 2.8237253024500353, 2.8004443702507382,
    2.777506146439757, 2.7548991965623455, 2.732612636194701, 2.7106360958679292, 2.6889596887418041,
    2.667573980773267, 2.6464699631518096, 2.6256390267977885, 2.6050729387408356, 2.5847638202141408,
    2.5647041263169053, 2.54488662711187, 2.525304390037828, 2.505950763528594, 2.4868193617402099,
    2.4679040502973648, 2.4491989329782498, 2.4306983392644197, 2.4123968126888706, 2.3942890999214583,
    2.376370140536141, 2.3586350574093373, 2.3410791477030348, 2.3236978743901964, 2.3064868582835798,
    2.2894418705322694, 2.2725588255531548, 2.2558337743672192, 2.2392628983129086, 2.2228425031110364,
    2.2065690132576634, 2.19043896672322, 2.1744490099377747, 2.1585958930438855, 2.1428764653998416,
    2.1272876713173678, 2.1118265460190417, 2.0964902118017146, 2.0812758743932247, 2.0661808194905755,
    2.0512024094685848, 2.0363380802487696, 2.0215853383189262, 2.0069417578945181, 1.9924049782135764,
    1.9779727009573602, 1.9636426877895481, 1.9494127580071845, 1.9352807862970511, 1.9212447005915276,
    1.9073024800183871, 1.8934521529393078, 1.8796917950722107, 1.8660195276928275, 1.8524335159111751,
    1.8389319670188793, 1.8255131289035191, 1.8121752885263902, 1.7989167704602904, 1.7857359354841253,
    1.772631179231305, 1.7596009308890743, 1.746643651946074, 1.7337578349855711, 1.7209420025219351,
    1.7081947058780576, 1.6955145241015377, 1.6829000629175537, 1.6703499537164519, 1.6578628525741725,
    1.6454374393037234, 1.6330724165359911, 1.6207665088282577, 1.6085184617988582, 1.5963270412864832,
    1.5841910325326887, 1.5721092393862295, 1.5600804835278879, 1.5481036037145133, 1.5361774550410319,
    1.524300908219226, 1.5124728488721169, 1.5006921768428165, 1.4889578055167456, 1.4772686611561334,
    1.4656236822457451, 1.4540218188487932, 1.4424620319720123, 1.4309432929388795, 1.4194645827699828,
    1.4080248915695353, 1.3966232179170417, 1.3852585682631218, 1.3739299563284901, 1.3626364025050866,
    1.351376933258335, 1.3401505805295046, 1.3289563811371163, 1.3177933761763245, 1.3066606104151739,
    1.2955571316866008, 1.2844819902750126, 1.2734342382962411, 1.2624129290696153, 1.2514171164808525,
    1.2404458543344064, 1.2294981956938491, 1.2185731922087903, 1.2076698934267613, 1.1967873460884031,
    1.1859245934042024, 1.1750806743109117, 1.1642546227056791, 1.1534454666557747, 1.1426522275816728,
    1.1318739194110787, 1.1211095477013306, 1.1103581087274115, 1.0996185885325978, 1.0888899619385473,
    1.0781711915113728, 1.0674612264799681, 1.0567590016025519, 1.0460634359770447, 1.035373431790529,
    1.0246878730026179, 1.0140056239570971, 1.0033255279156974, 0.99264640550727645, 0.98196705308506316,
    0.97128624098390393, 0.96060271166866706, 0.94991517776407663, 0.93922231995526295, 0.92852278474721117,
    0.91781518207004498, 0.90709808271569103, 0.89637001558989071, 0.88562946476175231, 0.87487486629102584,
    0.86410460481100515, 0.85331700984237402, 0.84251035181036926, 0.83168283773427387, 0.82083260655441248,
    0.80995772405741906, 0.79905617735548784, 0.78812586886949321, 0.77716460975913049, 0.76617011273543545,
    0.75513998418198292, 0.74407171550050877, 0.73296267358436606, 0.72181009030875687, 0.71061105090965571,
    0.69936248110323262, 0.68806113277374858, 0.67670356802952336, 0.66528614139267861, 0.65380497984766561,
    0.64225596042453703, 0.63063468493349095, 0.61893645139487674, 0.60715622162030081, 0.59528858429150355,
    0.58332771274877027, 0.571267316532589, 0.55910058551154129, 0.54682012516331113, 0.53441788123716616,
    0.52188505159213561, 0.50921198244365495, 0.49638804551867161, 0.48340149165346225, 0.47023927508216945,
    0.45688684093142073, 0.44332786607355296, 0.42954394022541131, 0.41551416960035698, 0.40121467889627838,
    0.38661797794112024, 0.37169214532991784, 0.35639976025839443, 0.34069648106484979, 0.32452911701691006,
    0.30783295467493288, 0.29052795549123117, 0.27251318547846548, 0.25365836338591286, 0.23379048305967554,
    0.21267151063096745, 0.18995868962243279, 0.16512762256418831, 0.13730498094001381, 0.10483850756582018,
    0.063852163815003485, 0
};

/* ---------------------------------------------------------------- src/random/rng.c */
/* rng: xoshiro256++, uniforms, ziggurats, and the fill with normals that draws the same bits everywhere
 *
 * Everything up to bln_rng_below is exact integer and power-of-two arithmetic. The ziggurats ask exp of the C library in 2
 * of 100 draws, so that a draw next to the edge of a wedge may fall either way on another machine. The fill of normals asks
 * it for sqrt only, which is exactly rounded everywhere. */

#define BLNI_2_POW_M52 2.220446049250313e-16

BLNI_PRIV uint64_t blni_rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }

/* The finaliser of SplitMix64 (Steele, Lea & Flood 2014), a bijection. */
BLNI_PRIV uint64_t blni_mix64(uint64_t z)
{
    z = (z ^ z >> 30)*UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27)*UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

BLNI_PRIV uint64_t blni_splitmix64(uint64_t *state) { return blni_mix64(*state += UINT64_C(0x9e3779b97f4a7c15)); }

/* At most one of four successive outputs of SplitMix64 is zero, so the state is never all zero. */
BLN_API void bln_rng_seed(bln_rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t state = blni_mix64(seed ^ blni_mix64(stream));
    for (int i = 0; i < 4; i++) rng->s[i] = blni_splitmix64(&state);
}

BLN_API uint64_t bln_rng_next(bln_rng *rng)
{
    uint64_t *s = rng->s;
    const uint64_t result = blni_rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = blni_rotl(s[3], 45);
    return result;
}

/* The step is linear over GF(2): a power of it is a polynomial of degree < 256 in it, applied by adding up the states at
 * the polynomial's ones. */
BLNI_PRIV void blni_rng_polynomial(bln_rng *rng, const uint64_t *polynomial)
{
    uint64_t sum[4] = { 0, 0, 0, 0 };
    for (int bit = 0; bit < 256; bit++) {
        if (polynomial[bit/64] >> bit%64 & 1) for (int i = 0; i < 4; i++) sum[i] ^= rng->s[i];
        bln_rng_next(rng);
    }
    for (int i = 0; i < 4; i++) rng->s[i] = sum[i];
}

BLN_API void bln_rng_jump(bln_rng *rng)
{
    static const uint64_t p[4] = { UINT64_C(0x180ec6d33cfd0aba), UINT64_C(0xd5a61266f0c9392c),
                                   UINT64_C(0xa9582618e03fc9aa), UINT64_C(0x39abdc4529b1661c) };
    blni_rng_polynomial(rng, p);
}

BLN_API void bln_rng_long_jump(bln_rng *rng)
{
    static const uint64_t p[4] = { UINT64_C(0x76e15d3efefdcbbf), UINT64_C(0xc5004e441c522fb3),
                                   UINT64_C(0x77710069854ee241), UINT64_C(0x39109bb02acbe635) };
    blni_rng_polynomial(rng, p);
}

/* The top 52 bits of a word as (k + 1/2) 2^-52: k + 1/2 has 53 bits, so this is exact. */
BLNI_PRIV double blni_open_unit(uint64_t word) { return ((double)(word >> 12) + 0.5)*BLNI_2_POW_M52; }

BLN_API double bln_rng_uniform(bln_rng *rng) { return blni_open_unit(bln_rng_next(rng)); }

BLN_API void bln_rng_uniforms(bln_rng *rng, size_t n, double *out)
{
    bln_rng g = *rng;                                   /* in registers: out might alias rng for all the compiler knows */
    for (size_t i = 0; i < n; i++) out[i] = bln_rng_uniform(&g);
    *rng = g;
}

/* High and low half of the 128-bit product, from 32-bit halves. No sum below exceeds 64 bits:
 * (2^32-1)^2 + 2 (2^32-1) = 2^64 - 1. */
BLNI_PRIV uint64_t blni_mul128(uint64_t a, uint64_t b, uint64_t *low)
{
    const uint64_t mask = UINT64_C(0xffffffff), a0 = a & mask, a1 = a >> 32, b0 = b & mask, b1 = b >> 32;
    const uint64_t t0 = a0*b0, t1 = a1*b0 + (t0 >> 32), t2 = a0*b1 + (t1 & mask);
    *low = t2 << 32 | (t0 & mask);
    return a1*b1 + (t1 >> 32) + (t2 >> 32);
}

/* The high half of word * n falls on each value for floor(2^64/n) or one more words; those whose low half is below 2^64 mod n are
 * the surplus, and are drawn again. */
BLN_API uint64_t bln_rng_below(bln_rng *rng, uint64_t n)
{
    uint64_t low, high;
    if (n == 0) return 0;
    high = blni_mul128(bln_rng_next(rng), n, &low);
    if (low < n) {
        const uint64_t surplus = (0 - n)%n;
        while (low < surplus) high = blni_mul128(bln_rng_next(rng), n, &low);
    }
    return high;
}

BLN_API void bln_rng_permutation(bln_rng *rng, size_t n, size_t *out)
{
    for (size_t i = 0; i < n; i++) out[i] = i;
    for (size_t i = n; i-- > 1;) {
        const size_t j = (size_t)bln_rng_below(rng, (uint64_t)i + 1), k = out[i];
        out[i] = out[j];
        out[j] = k;
    }
}

/* ---- ziggurats (Marsaglia & Tsang 2000; disjoint bits of one word for layer, sign and abscissa, Doornik 2005)
 *
 * A point uniform in layer i, 0 <= x < x_i. To the left of x_{i+1} the layer is all under the curve; to the right of it the point
 * gets a height between those of the curve at x_i and x_{i+1}. Below the lowest layer x_0 stands for box and tail together. */

BLN_API double bln_rng_normal(bln_rng *rng)
{
    for (;;) {
        const uint64_t word = bln_rng_next(rng), sign = (word & 0x100) << 55;
        const size_t i = (size_t)(word & 0xff);
        const double *edge = blni_ziggurat_normal + i, r = blni_ziggurat_normal[1];
        double x = blni_open_unit(word)*edge[0];
        int inside = x < edge[1];
        if (!inside && i == 0) {                        /* Marsaglia's tail: exact */
            double y;
            do {
                x = -log(bln_rng_uniform(rng))/r;
                y = -log(bln_rng_uniform(rng));
            } while (2.0*y <= x*x);
            x += r;
            inside = 1;
        } else if (!inside) {
            const double bottom = exp(-0.5*edge[0]*edge[0]), top = exp(-0.5*edge[1]*edge[1]);
            inside = bottom + bln_rng_uniform(rng)*(top - bottom) < exp(-0.5*x*x);
        }
        if (inside) {                                   /* a branch on a random sign would cost as much as the draw */
            uint64_t bits;
            memcpy(&bits, &x, sizeof bits);
            bits ^= sign;
            memcpy(&x, &bits, sizeof bits);
            return x;
        }
    }
}

BLN_API double bln_rng_exponential(bln_rng *rng)
{
    double beyond = 0.0;
    for (;;) {
        const uint64_t word = bln_rng_next(rng);
        const size_t i = (size_t)(word & 0xff);
        const double *edge = blni_ziggurat_exponential + i, x = blni_open_unit(word)*edge[0];
        if (x < edge[1]) return beyond + x;
        if (i == 0) {                                   /* without memory: the tail from r on is r and a new draw */
            beyond += blni_ziggurat_exponential[1];
            continue;
        }
        const double bottom = exp(-edge[0]), top = exp(-edge[1]);
        if (bottom + bln_rng_uniform(rng)*(top - bottom) < exp(-x)) return beyond + x;
    }
}

/* ---- normals by the block
 *
 * Box & Muller (1958): with E exponential and a uniform direction on the circle, sqrt(2E) times its two coordinates are
 * independent normals. The direction is an angle within a quarter turn around the x axis, taken to all four by exchanging
 * the coordinates and by the sign of the larger one: two bits of the word do both, without a branch, and no argument
 * reduction is left. */

enum { BLNI_LANES = 8, BLNI_NORMALS = 2*BLNI_LANES };      /* lanes; normals of one step of all lanes */

typedef struct blni_lanes { uint64_t s[4][BLNI_LANES]; } blni_lanes;

/* Macros over the level (>>cpu), from a vector of words to one of numbers, so that every level does the same operations: products
 * are kept apart from what they are added to, because a fused operation rounds otherwise. (A factor of a further product needs no
 * care.) */
#define BLNI_TURN(L, i, n)              BLNI_IOR##L(BLNI_SHL##L(i, n), BLNI_SHR##L(i, 64 - (n)))
#define BLNI_APART_TIMES(L, p, a, b)    BLNI_VEC##L p = BLNI_MUL##L(a, b); BLNI_APART##L(p)
#define BLNI_APART_STEP(L, p, z, c)     p = BLNI_MUL##L(p, z); BLNI_APART##L(p) p = BLNI_ADD##L(p, BLNI_SPLAT##L(c));

/* bln_rng_next */
#define BLNI_LANES_NEXT(L, word) \
    const BLNI_INT##L word##_sum = BLNI_IADD##L(s0, s3), word##_t = BLNI_SHL##L(s1, 17); \
    const BLNI_INT##L word = BLNI_IADD##L(BLNI_TURN(L, word##_sum, 23), s0); \
    s2 = BLNI_IXOR##L(s2, s0); \
    s3 = BLNI_IXOR##L(s3, s1); \
    s1 = BLNI_IXOR##L(s1, s2); \
    s0 = BLNI_IXOR##L(s0, s3); \
    s2 = BLNI_IXOR##L(s2, word##_t); \
    s3 = BLNI_TURN(L, s3, 45);

/* square = -2 log u with the uniform u = 2 - [1,2), in (0,1], made of the word's top 52 bits.
 *
 * u = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), by integer operations on the bits of u. Then with s = f/(2+f) and z = s^2
 *     log(1+f) = 2 atanh(s) = f - (f^2/2 - s (f^2/2 + 2 z P(z))),      P(z) ~ 1/3 + z/5 + z^2/7 + ...
 * P minimax on that range. k log 2 in two parts, the first exact for |k| < 2^20. Error of the logarithm below 2 ulp. */
#define BLNI_LANES_SQUARE(L, word, square) \
    const BLNI_INT##L unit = BLNI_ISPLAT##L(UINT64_C(0x3ff0000000000000)), root = BLNI_ISPLAT##L(UINT64_C(0x3fe6a09e667f3bcd)); \
    const BLNI_VEC##L u = BLNI_SUB##L(BLNI_SPLAT##L(2.0), BLNI_REAL##L(BLNI_IOR##L(BLNI_SHR##L(word, 12), unit))); \
    const BLNI_INT##L shifted = BLNI_IADD##L(BLNI_BITS##L(u), BLNI_ISUB##L(unit, root)); \
    const BLNI_INT##L exponent = BLNI_IOR##L(BLNI_SHR##L(shifted, 52), BLNI_ISPLAT##L(UINT64_C(0x4330000000000000))); /* 2^52 + */ \
    const BLNI_INT##L fraction = BLNI_IAND##L(shifted, BLNI_ISPLAT##L(UINT64_C(0xfffffffffffff))); \
    const BLNI_VEC##L k = BLNI_SUB##L(BLNI_REAL##L(exponent), BLNI_SPLAT##L(4503599627370496.0 + 1023.0)); \
    const BLNI_VEC##L f = BLNI_SUB##L(BLNI_REAL##L(BLNI_IADD##L(fraction, root)), BLNI_SPLAT##L(1.0)); \
    const BLNI_VEC##L s = BLNI_DIV##L(f, BLNI_ADD##L(f, BLNI_SPLAT##L(2.0))), z = BLNI_MUL##L(s, s); \
    BLNI_APART_TIMES(L, half, BLNI_MUL##L(BLNI_SPLAT##L(0.5), f), f) \
    BLNI_VEC##L p = BLNI_SPLAT##L(0.073992986275505018); \
    BLNI_APART_STEP(L, p, z, 0.076569017698350783)      BLNI_APART_STEP(L, p, z, 0.090917866308395365) \
    BLNI_APART_STEP(L, p, z, 0.11111099207895239)       BLNI_APART_STEP(L, p, z, 0.14285714371885866) \
    BLNI_APART_STEP(L, p, z, 0.19999999999704585)       BLNI_APART_STEP(L, p, z, 0.33333333333333676) \
    BLNI_APART_TIMES(L, series, BLNI_MUL##L(BLNI_SPLAT##L(2.0), z), p) \
    BLNI_APART_TIMES(L, more, s, BLNI_ADD##L(half, series)) \
    BLNI_APART_TIMES(L, k_low, k, BLNI_SPLAT##L(7.4406171100123968e-11)) \
    BLNI_APART_TIMES(L, k_high, k, BLNI_SPLAT##L(0.69314718048553914)) \
    const BLNI_VEC##L log_u = BLNI_SUB##L(k_high, BLNI_SUB##L(BLNI_SUB##L(half, BLNI_ADD##L(more, k_low)), f)); \
    const BLNI_VEC##L square = BLNI_MUL##L(BLNI_SPLAT##L(-2.0), log_u);

/* x and y: cos and sin of an angle uniform on the circle, made of the word's top 54 bits: sign, exchange, and 52 bits of the angle
 * in quarter turns, a in [-1/2, 1/2). sin(pi a/2) and cos(pi a/2) by minimax polynomials of degree 13 and 14. Error below 2
 * ulp. */
#define BLNI_LANES_CIRCLE(L, word, x, y) \
    const BLNI_INT##L angle = BLNI_IOR##L(BLNI_SHR##L(BLNI_SHL##L(word, 2), 12), BLNI_ISPLAT##L(UINT64_C(0x3ff0000000000000))); \
    const BLNI_VEC##L a = BLNI_SUB##L(BLNI_REAL##L(angle), BLNI_SPLAT##L(1.5)), a2 = BLNI_MUL##L(a, a); \
    BLNI_VEC##L sine = BLNI_SPLAT##L(5.6337210755562737e-08), cosine = BLNI_SPLAT##L(-6.3212609724361868e-09); \
    BLNI_APART_STEP(L, sine, a2, -3.5986417551299964e-06)   BLNI_APART_STEP(L, cosine, a2, 4.7106097626584307e-07) \
    BLNI_APART_STEP(L, sine, a2, 0.00016044115029189453)    BLNI_APART_STEP(L, cosine, a2, -2.5202036771694383e-05) \
    BLNI_APART_STEP(L, sine, a2, -0.0046817541322824539)    BLNI_APART_STEP(L, cosine, a2, 0.00091926027418336609) \
    BLNI_APART_STEP(L, sine, a2, 0.079692626246039566)      BLNI_APART_STEP(L, cosine, a2, -0.020863480763311227) \
    BLNI_APART_STEP(L, sine, a2, -0.64596409750624428)      BLNI_APART_STEP(L, cosine, a2, 0.2536695079010467) \
    BLNI_APART_STEP(L, sine, a2, 1.5707963267948966)        BLNI_APART_STEP(L, cosine, a2, -1.2337005501361697) \
    sine = BLNI_MUL##L(sine, a);                            BLNI_APART_STEP(L, cosine, a2, 1.0) \
    const BLNI_INT##L sign = BLNI_IAND##L(word, BLNI_ISPLAT##L(UINT64_C(0x8000000000000000))); \
    const BLNI_VEC##L turned = BLNI_REAL##L(BLNI_IXOR##L(BLNI_BITS##L(cosine), sign)); \
    const BLNI_MASK##L exchange = BLNI_NEGATIVE##L(BLNI_SHL##L(word, 1)); \
    const BLNI_VEC##L x = BLNI_SELECT##L(exchange, sine, turned), y = BLNI_SELECT##L(exchange, turned, sine);

/* The lanes from `lane` on: two words each. */
#define BLNI_LANES_WORDS(L, g, lane, first, second) \
    BLNI_INT##L s0 = BLNI_ILOAD##L(g->s[0] + lane), s1 = BLNI_ILOAD##L(g->s[1] + lane); \
    BLNI_INT##L s2 = BLNI_ILOAD##L(g->s[2] + lane), s3 = BLNI_ILOAD##L(g->s[3] + lane); \
    BLNI_LANES_NEXT(L, first) \
    BLNI_LANES_NEXT(L, second) \
    BLNI_ISTORE##L(g->s[0] + lane, s0); \
    BLNI_ISTORE##L(g->s[1] + lane, s1); \
    BLNI_ISTORE##L(g->s[2] + lane, s2); \
    BLNI_ISTORE##L(g->s[3] + lane, s3);

/* All lanes, `steps` times: out[l] and out[8 + l] of each step are from lane l. Level 0 in short loops, which compilers turn into
 * vectors. */
BLNI_EXACT BLNI_PRIV void blni_normals0(blni_lanes *g, size_t steps, double *out)
{
    BLNI_EXACT_BODY
    BLNI_APART_BODY
    for (size_t i = 0; i < steps; i++, out += BLNI_NORMALS) {
        uint64_t one[BLNI_LANES], two[BLNI_LANES];
        double radius[BLNI_LANES], cosines[BLNI_LANES], sines[BLNI_LANES];
        for (int l = 0; l < BLNI_LANES; l++) {
            BLNI_LANES_WORDS(0, g, l, first, second)
            one[l] = first;
            two[l] = second;
        }
        for (int l = 0; l < BLNI_LANES; l++) {
            BLNI_LANES_SQUARE(0, one[l], square)
            radius[l] = square;
        }
        for (int l = 0; l < BLNI_LANES; l++) radius[l] = sqrt(radius[l]);
        for (int l = 0; l < BLNI_LANES; l++) {
            BLNI_LANES_CIRCLE(0, two[l], x, y)
            cosines[l] = x;
            sines[l] = y;
        }
        for (int l = 0; l < BLNI_LANES; l++) {
            out[l] = radius[l]*cosines[l];
            out[BLNI_LANES + l] = radius[l]*sines[l];
        }
    }
}

#define BLNI_NORMALS_FN(L) \
BLNI_TARGET##L BLNI_PRIV void blni_normals##L(blni_lanes *g, size_t steps, double *out) \
{ \
    for (size_t i = 0; i < steps; i++, out += BLNI_NORMALS) \
        for (int lane = 0; lane < BLNI_LANES; lane += BLNI_LANES##L) { \
            BLNI_LANES_WORDS(L, g, lane, first, second) \
            BLNI_LANES_SQUARE(L, first, square) \
            BLNI_LANES_CIRCLE(L, second, x, y) \
            const BLNI_VEC##L radius = BLNI_SQRT##L(square); \
            BLNI_STORE##L(out + lane, BLNI_MUL##L(radius, x)); \
            BLNI_STORE##L(out + BLNI_LANES + lane, BLNI_MUL##L(radius, y)); \
        } \
}
#if BLNI_LEVELS > 0
BLNI_NORMALS_FN(1)
#endif
#if BLNI_LEVELS > 1
BLNI_NORMALS_FN(2)
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(on)
#endif

BLNI_PRIV void blni_normals(blni_lanes *g, size_t steps, double *out)
{
#if BLNI_LEVELS > 0
    const int level = bln_cpu_level();
    if (level == 1) { blni_normals1(g, steps, out); return; }
#if BLNI_LEVELS > 1
    if (level == 2) { blni_normals2(g, steps, out); return; }
#endif
#endif
    blni_normals0(g, steps, out);
}

/* The words pass through a finaliser on their way into the lanes, so that no linear relation of rng with itself survives there. */
BLN_API void bln_rng_normals(bln_rng *rng, size_t n, double *out)
{
    blni_lanes g;
    for (int l = 0; l < BLNI_LANES; l++)
        for (int i = 0; i < 4; i++) g.s[i][l] = blni_mix64(bln_rng_next(rng));
    const size_t rest = n % BLNI_NORMALS, whole = n - rest;
    blni_normals(&g, whole/BLNI_NORMALS, out);
    if (rest) {
        double t[BLNI_NORMALS];
        blni_normals(&g, 1, t);
        memcpy(out + whole, t, rest*sizeof *out);
    }
}

/* ---------------------------------------------------------------- src/random/distributions.c */
/* distributions: the gamma family, what is made of it, and rejection samplers of one variable
 *
 * Marsaglia & Tsang (2000), ACM TOMS 26(3): for shape a >= 1, d = a - 1/3 and c = 1/sqrt(9 d), the variable d (1 + c N)^3 has
 * nearly the gamma density; a quick bound accepts 92 of 100 draws, for the others the logarithm decides. Beta, Student-t,
 * inverse gamma and chi-square are functions of gammas. Small shapes leave the range of doubles, their logarithms do not:
 * whatever can be said in logs is. */

/* shape >= 1 */
BLNI_PRIV double blni_gamma_large(bln_rng *rng, double shape)
{
    const double d = shape - 1.0/3.0, c = 1.0/(3.0*sqrt(d));
    for (;;) {
        const double x = bln_rng_normal(rng), t = 1.0 + c*x, v = t*t*t;
        if (t <= 0.0) continue;
        const double u = bln_rng_uniform(rng), square = x*x;
        if (u < 1.0 - 0.0331*square*square) return d*v;
        if (log(u) < 0.5*square + d*(1.0 - v + log(v))) return d*v;
    }
}

BLN_API double bln_rng_log_gamma(bln_rng *rng, double shape)
{
    if (!(shape > 0.0)) return BLNI_NAN;
    if (shape >= 1.0) return log(blni_gamma_large(rng, shape));
    const double larger = log(blni_gamma_large(rng, shape + 1.0));
    return larger + log(bln_rng_uniform(rng))/shape;
}

BLN_API double bln_rng_gamma(bln_rng *rng, double shape)
{
    return shape >= 1.0 ? blni_gamma_large(rng, shape) : exp(bln_rng_log_gamma(rng, shape));
}

BLN_API double bln_rng_chi2(bln_rng *rng, double nu) { return 2.0*bln_rng_gamma(rng, 0.5*nu); }

BLN_API double bln_rng_inverse_gamma(bln_rng *rng, double shape, double scale)
{
    if (!(shape > 0.0 && blni_finite(shape) && scale >= 0.0 && blni_finite(scale))) return BLNI_NAN;
    if (scale == 0.0) return 0.0;
    if (shape >= 1.0) return scale/blni_gamma_large(rng, shape);
    return exp(log(scale) - bln_rng_log_gamma(rng, shape));
}

/* ---- beta */

BLNI_PRIV int blni_beta_shapes_ok(double a, double b)
{
    return a >= 0.0 && b >= 0.0 && (a > 0.0 || b > 0.0) && blni_finite(a) && blni_finite(b);
}

/* log Gamma(shape) for shape >= 0, as a summand of beta and Dirichlet: -inf for shape 0, else finite. */
BLNI_PRIV double blni_log_gamma_share(bln_rng *rng, double shape)
{
    if (shape == 0.0) return -(double)INFINITY;
    return bln_rng_log_gamma(rng, shape > 1e-300 ? shape : 1e-300);
}

/* log(x/(1 - x)) of a draw; infinite where a shape is 0. */
BLNI_PRIV double blni_random_beta_logit(bln_rng *rng, double a, double b)
{
    const double log_g = blni_log_gamma_share(rng, a), log_h = blni_log_gamma_share(rng, b);
    return log_g - log_h;
}

BLN_API double bln_rng_beta(bln_rng *rng, double a, double b)
{
    if (!blni_beta_shapes_ok(a, b)) return BLNI_NAN;
    if (a >= 1.0 && b >= 1.0) {
        const double g = blni_gamma_large(rng, a), h = blni_gamma_large(rng, b);
        return 1.0/(1.0 + h/g);
    }
    const double logit = blni_random_beta_logit(rng, a, b), e = exp(-fabs(logit));
    return logit < 0.0 ? e/(1.0 + e) : 1.0/(1.0 + e);
}

BLN_API void bln_rng_log_beta(bln_rng *rng, double a, double b, double *log_x, double *log_1mx)
{
    const double logit = blni_beta_shapes_ok(a, b) ? blni_random_beta_logit(rng, a, b) : BLNI_NAN;
    *log_x = -bln_log1pexp(-logit);
    *log_1mx = -bln_log1pexp(logit);
}

/* ---- symmetric distributions with heavy tails */

/* sqrt(nu/chi2_nu): what makes a Student-t of a normal. nu > 0; 1 for nu = inf. */
BLNI_PRIV double blni_student_factor(bln_rng *rng, double nu)
{
    const double shape = 0.5*nu;
    if (!blni_finite(nu)) return 1.0;
    if (shape >= 1.0) return sqrt(shape/blni_gamma_large(rng, shape));
    return exp(0.5*(log(shape) - bln_rng_log_gamma(rng, shape)));
}

BLN_API double bln_rng_student_t(bln_rng *rng, double nu)
{
    if (!(nu > 0.0)) return BLNI_NAN;
    const double x = bln_rng_normal(rng);
    return x*blni_student_factor(rng, nu);
}

/* tan(pi v), |v| < 1/2, as cot(pi (1/2 - |v|)) towards the poles, where 1/2 - |v| is exact and pi v is not. */
BLN_API double bln_rng_cauchy(bln_rng *rng)
{
    const double v = bln_rng_uniform(rng) - 0.5;
    if (fabs(v) <= 0.25) return tan(BLNI_PI*v);
    const double x = 1.0/tan(BLNI_PI*(0.5 - fabs(v)));
    return v < 0.0 ? -x : x;
}

BLN_API double bln_rng_half_cauchy(bln_rng *rng)
{
    const double u = bln_rng_uniform(rng);
    return u <= 0.5 ? tan(0.5*BLNI_PI*u) : 1.0/tan(0.5*BLNI_PI*(1.0 - u));
}

BLN_API double bln_rng_laplace(bln_rng *rng)
{
    const double sign = 1.0 - 2.0*(double)(bln_rng_next(rng) >> 63);
    return sign*bln_rng_exponential(rng);
}

/* ---- inverse Gaussian
 *
 * With y = N^2 and w = mu y/(2 lambda), the two roots of lambda (x - mu)^2 = mu^2 x y are mu/t and mu t with
 * t = 1 + w + sqrt(w (w + 2)). The smaller is taken with probability t/(1 + t). [Michael, Schucany & Haas 1976, The American
 * Statistician 30(2)] The textbook form of mu/t subtracts nearly equal numbers when w is large. */
BLN_API double bln_rng_inverse_gaussian(bln_rng *rng, double mu, double lambda)
{
    if (!(mu >= 0.0 && lambda >= 0.0)) return BLNI_NAN;
    if (mu == 0.0 || lambda == 0.0) return 0.0;
    if (!blni_finite(lambda)) return mu;
    const double x = bln_rng_normal(rng), y = x*x, ratio = mu/lambda;
    /* mu/t = lambda/y (1 + O(1/w)) with w > 1e100 for every y that can come; the other root has a chance of 1/w. */
    if (ratio > 1e150) return lambda/y;
    const double w = 0.5*ratio*y, t = 1.0 + w + sqrt(w*(w + 2.0));
    return bln_rng_uniform(rng)*(1.0 + t) < t ? mu/t : mu*t;
}

/* ---- truncated normal
 *
 * Robert (1995), Statistics and Computing 5(2). On a half line x > a far out: a + E/alpha with alpha = (a + sqrt(a^2 + 4))/2,
 * accepted with probability e^{-(x - alpha)^2/2}. As alpha - a = 1/alpha, x - alpha = (E - 1)/alpha: no square of a, which may
 * overflow, and no difference of large numbers. */

/* x > a >= 0 */
BLNI_PRIV double blni_normal_above(bln_rng *rng, double a)
{
    if (a <= 0.45) {
        for (;;) {
            const double x = fabs(bln_rng_normal(rng));             /* the half normal: a >= 0 */
            if (x > a) return x;
        }
    }
    const double alpha = 0.5*a + 0.5*hypot(a, 2.0);
    for (;;) {
        const double e = bln_rng_exponential(rng), z = (e - 1.0)/alpha;
        if (bln_rng_exponential(rng) >= 0.5*z*z) return a + e/alpha;
    }
}

/* 0 <= a < b: uniform proposals where the interval is short on the scale of the density, else from the half line. The bound is
 * where both accept equally often. */
BLNI_PRIV double blni_normal_right(bln_rng *rng, double a, double b)
{
    const double alpha = 0.5*a + 0.5*hypot(a, 2.0);
    if (b - a < exp(0.5 - 0.5*a/alpha)/alpha) {
        for (;;) {
            const double above = (b - a)*bln_rng_uniform(rng);
            if (bln_rng_exponential(rng) >= above*(a + 0.5*above)) return a + above < b ? a + above : b;
        }
    }
    for (;;) {
        const double x = blni_normal_above(rng, a);
        if (x <= b) return x;
    }
}

/* a < 0 < b */
BLNI_PRIV double blni_normal_around(bln_rng *rng, double a, double b)
{
    if (b - a > 2.50662827463100050242) {                           /* sqrt(2 pi): both accept equally often */
        for (;;) {
            const double x = bln_rng_normal(rng);
            if (a <= x && x <= b) return x;
        }
    }
    for (;;) {
        const double x = a + (b - a)*bln_rng_uniform(rng);
        if (bln_rng_exponential(rng) >= 0.5*x*x) return x < a ? a : x < b ? x : b;
    }
}

BLN_API double bln_rng_truncated_normal(bln_rng *rng, double a, double b)
{
    if (!(a <= b)) return BLNI_NAN;
    if (a == b) return a;
    if (a >= 0.0) return blni_normal_right(rng, a, b);
    if (b <= 0.0) return -blni_normal_right(rng, -b, -a);
    return blni_normal_around(rng, a, b);
}

/* ---------------------------------------------------------------- src/random/discrete.c */
/* discrete: counts by transformed rejection, categories by inversion and by tables
 *
 * Hoermann's samplers need the logarithm of a probability, k log mu - mu - log k! or the like. Its terms are of size k log k and
 * cancel: at k = 1e15 nothing would be left of the difference. Here they are joined first, after Loader (2000), "Fast and accurate
 * computation of binomial probabilities": with Stirling's formula for log k! and its remainder r(k),
 *     log Poisson(k; mu) = -log(2 pi k)/2 - r(k) - D(k, mu),     D(k, mu) = k log(k/mu) + mu - k >= 0,
 * and D to full relative accuracy. Good to 1e-15 absolute plus a few eps |D|, for every k. */

#define BLNI_2_POW_53 9007199254740992.0

/* r(k) = log k! - log(2 pi k)/2 - k log k + k for a whole number k >= 1: a table, from 16 on Stirling's series (R14), whose first
 * term left out is below 2e-16. */
BLNI_PRIV double blni_log_factorial_rest(double k)
{
    static const double small[16] = {
        0.0,                   0.081061466795327261,  0.041340695955409297,  0.027677925684998338,
        0.020790672103765093,  0.016644691189821193,  0.013876128823070748,  0.01189670994589177,
        0.010411265261972096,  0.0092554621827127329, 0.0083305634333628708, 0.0075736754879518406,
        0.0069428401072095299, 0.0064089941880042071, 0.0059513701127588475, 0.0055547335519628011 };
    if (k < 16.0) return small[(int)k];
    const double z = 1.0/(k*k);
    return (1.0/12.0 - (1.0/360.0 - (1.0/1260.0 - (1.0/1680.0 - 1.0/1188.0*z)*z)*z)*z)/k;
}

/* D(k, mu) = k log(k/mu) + mu - k, k >= 1, mu > 0. Near k = mu, where it is quadratic: with v = (k - mu)/(k + mu),
 * log(k/mu) = 2 atanh v, so that D = (k - mu) v + 2 k (v^3/3 + v^5/5 + ...). */
BLNI_PRIV double blni_deviance_half(double k, double mu)
{
    const double v = (k - mu)/(k + mu), square = v*v;
    if (fabs(v) >= 0.1) return k*log(k/mu) + mu - k;
    double power = 2.0*k*v, sum = (k - mu)*v;
    for (double odd = 3.0;; odd += 2.0) {
        const double before = sum;
        power *= square;
        sum += power/odd;
        if (sum == before) return sum;
    }
}

/* log P(k) of Poisson(mu) and of Binomial(n, p) with q = 1 - p, 0 < p <= 1/2, for whole k in the domain. */
BLNI_PRIV double blni_poisson_logpmf(double k, double mu)
{
    if (k == 0.0) return -mu;
    return -0.5*(BLNI_LOG_2PI + log(k)) - blni_log_factorial_rest(k) - blni_deviance_half(k, mu);
}

BLNI_PRIV double blni_binomial_logpmf(double k, double n, double p, double q)
{
    const double left = n - k;
    if (k == 0.0) return n*log1p(-p);
    if (left == 0.0) return n*log(p);
    return -0.5*(BLNI_LOG_2PI + log(k) + log(left/n)) + blni_log_factorial_rest(n) - blni_log_factorial_rest(k)
           - blni_log_factorial_rest(left) - blni_deviance_half(k, n*p) - blni_deviance_half(left, n*q);
}

/* ---- counts
 *
 * PTRS and BTRS: W. Hoermann (1993), "The transformed rejection method for generating Poisson random variables", Insurance:
 * Mathematics and Economics 12, and "The generation of binomial random variates", J. Stat. Comput. Simul. 46. The inverse of the
 * distribution function is followed by (2 a/us + b) u + c with us = 1/2 - |u|, whose derivative is a/us^2 + b; so k is accepted
 * with probability P(k) (a/us^2 + b)/scale, which must not exceed 1. Where us >= 0.07 it is at least v_r: no logarithm is needed
 * below that. Both bounds are tested cell by cell. The constants for Poisson as published miss them, by up to 0.6 % each
 * (mu = 14.05 and 26.0); the factors 1.006 and 0.987 make up for it. */

typedef struct blni_hat { double a, b, c, scale, v_r; } blni_hat;

BLNI_PRIV blni_hat blni_poisson_hat(double mu)
{
    blni_hat h;
    h.b = 0.931 + 2.53*sqrt(mu);
    h.a = -0.059 + 0.02483*h.b;
    h.c = mu + 0.43;
    h.scale = 1.006*(1.1239 + 1.1328/(h.b - 3.4));
    h.v_r = 0.987*(0.9277 - 3.6224/(h.b - 2.0));
    return h;
}

/* In units of the largest probability. */
BLNI_PRIV blni_hat blni_binomial_hat(double n, double p)
{
    blni_hat h;
    const double s = sqrt(n*p*(1.0 - p));
    h.b = 1.15 + 2.53*s;
    h.a = -0.0873 + 0.0248*h.b + 0.01*p;
    h.c = n*p + 0.5;
    h.scale = (2.83 + 5.1/h.b)*s;
    h.v_r = 0.92 - 4.2/h.b;
    return h;
}

BLNI_PRIV double blni_poisson_small(bln_rng *rng, double mu)        /* mu < 10 */
{
    const double bound = exp(-mu);
    double product = bln_rng_uniform(rng), k = 0.0;
    while (product >= bound) {
        product *= bln_rng_uniform(rng);
        k += 1.0;
    }
    return k;
}

BLNI_PRIV double blni_poisson_large(bln_rng *rng, double mu)        /* 10 <= mu <= 1e15 */
{
    const blni_hat h = blni_poisson_hat(mu);
    for (;;) {
        const double u = bln_rng_uniform(rng) - 0.5, v = bln_rng_uniform(rng), us = 0.5 - fabs(u);
        const double k = floor((2.0*h.a/us + h.b)*u + h.c);
        if (us >= 0.07 && v <= h.v_r) return k;
        if (k < 0.0 || (us < 0.013 && v > us)) continue;            /* the probability is below us out there */
        if (log(v*h.scale/(h.a/(us*us) + h.b)) <= blni_poisson_logpmf(k, mu)) return k;
    }
}

/* Cornish & Fisher (1937) to the term of the skewness, with the correction for steps of 1. The next term is of order 1/sqrt(mu),
 * and a change of x by that moves the distribution function by 0.4/mu. */
BLNI_PRIV double blni_poisson_of_normal(double mu, double z)         /* mu > 1e15 */
{
    return floor(mu + (sqrt(mu)*z + ((z*z - 1.0)/6.0 + 0.5)));
}

BLN_API double bln_rng_poisson(bln_rng *rng, double mu)
{
    if (!(mu >= 0.0)) return BLNI_NAN;
    if (mu == 0.0 || !blni_finite(mu)) return mu;
    if (mu > 1e15) return blni_poisson_of_normal(mu, bln_rng_normal(rng));
    return mu < 10.0 ? blni_poisson_small(rng, mu) : blni_poisson_large(rng, mu);
}

/* Trials up to and including the next success are 1 + floor(E/-log(1 - p)). The successes in n trials are as many as such
 * waiting times fit in. n p < 10, 0 < p <= 1/2. */
BLNI_PRIV double blni_binomial_waiting(bln_rng *rng, double n, double p)
{
    const double rate = -log1p(-p);
    double trials = 0.0, successes = -1.0;
    do {
        trials += floor(bln_rng_exponential(rng)/rate) + 1.0;
        successes += 1.0;
    } while (trials <= n);
    return successes;
}

BLNI_PRIV double blni_binomial_large(bln_rng *rng, double n, double p)          /* n p >= 10, p <= 1/2 */
{
    const blni_hat h = blni_binomial_hat(n, p);
    const double q = 1.0 - p, most = blni_binomial_logpmf(floor((n + 1.0)*p), n, p, q);
    for (;;) {
        const double u = bln_rng_uniform(rng) - 0.5, v = bln_rng_uniform(rng), us = 0.5 - fabs(u);
        const double k = floor((2.0*h.a/us + h.b)*u + h.c);
        if (us >= 0.07 && v <= h.v_r) return k;
        if (k < 0.0 || k > n) continue;
        if (log(v*h.scale/(h.a/(us*us) + h.b)) <= blni_binomial_logpmf(k, n, p, q) - most) return k;
    }
}

BLNI_PRIV int blni_is_count(double n) { return n >= 0.0 && n <= BLNI_2_POW_53 && floor(n) == n; }

BLN_API double bln_rng_binomial(bln_rng *rng, double n, double p)
{
    if (!blni_is_count(n) || !(p >= 0.0 && p <= 1.0)) return BLNI_NAN;
    if (n == 0.0 || p == 0.0) return 0.0;
    if (p > 0.5) return n - bln_rng_binomial(rng, n, 1.0 - p);       /* exact: 1 - p for p >= 1/2 */
    return n*p < 10.0 ? blni_binomial_waiting(rng, n, p) : blni_binomial_large(rng, n, p);
}

BLN_API double bln_rng_negative_binomial(bln_rng *rng, double r, double p)
{
    if (!(r >= 0.0 && blni_finite(r) && p >= 0.0 && p < 1.0)) return BLNI_NAN;
    if (r == 0.0 || p == 0.0) return 0.0;
    return bln_rng_poisson(rng, bln_rng_gamma(rng, r)*(p/(1.0 - p)));
}

BLN_API double bln_rng_geometric(bln_rng *rng, double p)
{
    if (!(p >= 0.0 && p < 1.0)) return BLNI_NAN;
    if (p == 0.0) return 0.0;
    return floor(bln_rng_exponential(rng)/-log(p));
}

/* ---- categories */

/* The index of the largest of K log-weights; BLN_NONE if no draw can be made, with the offender in *bad (BLN_NONE: all -inf). */
BLNI_PRIV size_t blni_heaviest(size_t K, const double *log_weights, size_t *bad)
{
    size_t top = BLN_NONE;
    *bad = BLN_NONE;
    for (size_t i = 0; i < K; i++) {
        if (!(log_weights[i] < (double)INFINITY)) { *bad = i; return BLN_NONE; }
        if (log_weights[i] > (top == BLN_NONE ? -(double)INFINITY : log_weights[top])) top = i;
    }
    return top;
}

BLN_API size_t bln_rng_categorical(bln_rng *rng, size_t K, const double *log_weights)
{
    size_t bad;
    const size_t top = blni_heaviest(K, log_weights, &bad);
    double total = 0.0, sum = 0.0;
    if (top == BLN_NONE) return BLN_NONE;
    for (size_t i = 0; i < K; i++) total += exp(log_weights[i] - log_weights[top]);
    const double target = bln_rng_uniform(rng)*total;                /* 0 < target < total, also when rounded */
    for (size_t i = 0; i < K; i++) {
        sum += exp(log_weights[i] - log_weights[top]);
        if (sum > target) return i;
    }
    return top;                          /* only where registers are wider than doubles can the two sums differ */
}

/* A cell has room for 1 = K/K; keep starts as the weights in that unit. One light cell after the other (weight <= 1) is filled
 * up from the current heavy one; a heavy cell that has given away what it had over 1 is itself light, and filled up by the next
 * heavy one. [Huebschle-Schneider & Sanders 2022, ACM TOMS 48(3), section 4] So two places that only move on are enough, and no
 * list. A cell that was filled up shows it by its `other`. What is left over at the end is within rounding of 1, and its own
 * other: it keeps all. */
BLN_API bln_status bln_alias_build(size_t K, const double *log_weights, double *keep, size_t *other, bln_report *report)
{
    size_t bad, light = 0, heavy = 0;
    double total = 0.0;
    bln_report_clear(report);
    if (!log_weights || !keep || !other) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "a table of NULL");
    const size_t top = blni_heaviest(K, log_weights, &bad);
    if (K == 0) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "a table needs at least one category");
    if (bad != BLN_NONE) return blni_fail(report, BLN_EDATA, bad, BLN_NONE, "a log-weight is NaN or +infinity");
    if (top == BLN_NONE) return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "all weights are zero");
    for (size_t i = 0; i < K; i++) total += exp(log_weights[i] - log_weights[top]);
    for (size_t i = 0; i < K; i++) {
        keep[i] = exp(log_weights[i] - log_weights[top])/total*(double)K;
        other[i] = i;
    }
    while (heavy < K && keep[heavy] <= 1.0) heavy++;
    double weight = heavy < K ? keep[heavy] : 0.0;                   /* what the heavy cell still has */
    while (heavy < K) {
        if (weight > 1.0) {
            while (light < K && (keep[light] > 1.0 || other[light] != light)) light++;
            if (light == K) break;
            other[light] = heavy;
            weight -= 1.0 - keep[light++];
        } else {
            size_t next = heavy + 1;
            while (next < K && keep[next] <= 1.0) next++;
            keep[heavy] = weight;
            if (next == K) break;
            other[heavy] = next;
            weight = keep[next] - (1.0 - weight);
            heavy = next;
        }
    }
    return BLN_OK;
}

/* word*K/2^64: the whole part is the cell, the fraction what is left of the uniform. */
BLN_API size_t bln_rng_alias(bln_rng *rng, size_t K, const double *keep, const size_t *other)
{
    uint64_t low;
    const size_t i = (size_t)blni_mul128(bln_rng_next(rng), (uint64_t)K, &low);
    return blni_open_unit(low) < keep[i] ? i : other[i];
}

/* counts first holds the sums of the weights from each category to the end: adding from the back keeps the last ratio exactly 1. */
BLN_API bln_status bln_rng_multinomial(bln_rng *rng, double n, size_t K, const double *weights, double *counts, bln_report *report)
{
    double sum = 0.0;
    bln_report_clear(report);
    if (!rng || (K && (!weights || !counts)))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "multinomial: NULL argument");
    if (!blni_is_count(n)) return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "trials must be a whole number in 0..2^53");
    for (size_t i = K; i-- > 0;) {
        if (!(weights[i] >= 0.0)) return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "a weight must be >= 0");
        counts[i] = sum += weights[i];
    }
    if (!blni_finite(sum) || (sum == 0.0 && n > 0.0))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "the weights' sum must be finite and > 0");
    for (size_t i = 0; i < K; i++) {
        counts[i] = n > 0.0 ? bln_rng_binomial(rng, n, weights[i]/counts[i]) : 0.0;
        n -= counts[i];
    }
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/random/multivariate.c */
/* multivariate: normal and Student-t vectors through a triangular factor, and Dirichlet vectors
 *
 * Draws are rows, so that the factor comes from the right: X = E U for a covariance and X U' = E for a precision, in place.
 * Both go by halving the triangle, U = [U1 V; 0 U2], X = [X1 X2], so that nearly all the work is in bln_gemm (as in
 * >>cholesky):
 *
 *     E U:      X2 <- X2 U2, then X2 += X1 V, then X1 <- X1 U1
 *     X U' = E: X2 <- X2 U2^-T, then X1 -= X2 V', then X1 <- X1 U1^-T
 *
 * The draws are made in chunks of rows: these stay in the cache, and the chunk's t factors fit on the stack. The normals come
 * one by one, not by bln_rng_normals, so that neither n nor the chunk shows in them. */

enum { BLNI_DRAWS = 64, BLNI_DRAW_LEAF = 16 };

typedef enum blni_factor_of { BLNI_COVARIANCE, BLNI_PRECISION } blni_factor_of;

/* x <- x U for a row x. Row i of U has its effect once x_i is no more needed: from the last one up. */
BLNI_PRIV void blni_row_times_factor(size_t D, const double *U, size_t ldu, double *x)
{
    for (size_t i = D; i-- > 0;) {
        const double *row = U + i*ldu;
        const double e = x[i];
        x[i] = e*row[i];
        for (size_t j = i + 1; j < D; j++) x[j] += e*row[j];
    }
}

/* X <- X U or X <- X U^-T; X: n x D. */
BLNI_PRIV void blni_rows_by_factor(blni_factor_of which, size_t n, size_t D, const double *U, size_t ldu, double *X, size_t ldx)
{
    if (D <= BLNI_DRAW_LEAF) {
        for (size_t i = 0; i < n; i++) {
            if (which == BLNI_COVARIANCE) blni_row_times_factor(D, U, ldu, X + i*ldx);
            else bln_trsv(BLN_NOTRANS, D, U, ldu, X + i*ldx);
        }
        return;
    }
    const size_t h = D/2;
    const double *V = U + h, *U2 = U + h*ldu + h;
    blni_rows_by_factor(which, n, D - h, U2, ldu, X + h, ldx);
    if (which == BLNI_COVARIANCE) bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, D - h, h, 1.0, X, ldx, V, ldu, 1.0, X + h, ldx);
    else bln_gemm(BLN_NOTRANS, BLN_TRANS, n, h, D - h, -1.0, X + h, ldx, V, ldu, 1.0, X, ldx);
    blni_rows_by_factor(which, n, h, U, ldu, X, ldx);
}

/* Student-t vectors from either factor; nu = inf for the normal, which draws no gamma. */
BLNI_PRIV bln_status blni_mvt(bln_rng *rng, blni_factor_of which, size_t n, size_t D, double nu, const double *mean,
                              const double *U, size_t ldu, double *X, size_t ldx)
{
    if (ldu < D || ldx < D) return BLN_EINVAL;
    if (!(nu > 0.0)) return BLN_EDOMAIN;
    for (size_t j = 0; j < D; j++) {
        const double pivot = U[j*ldu + j];
        if (!blni_finite(pivot) || (which == BLNI_PRECISION && pivot == 0.0)) return BLN_ENOTPD;
    }
    for (size_t first = 0; first < n; first += BLNI_DRAWS, X += BLNI_DRAWS*ldx) {
        const size_t rows = blni_min(BLNI_DRAWS, n - first);
        double factor[BLNI_DRAWS];
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < D; j++) X[i*ldx + j] = bln_rng_normal(rng);
            factor[i] = blni_student_factor(rng, nu);
        }
        blni_rows_by_factor(which, rows, D, U, ldu, X, ldx);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < D; j++) X[i*ldx + j] = (mean ? mean[j] : 0.0) + factor[i]*X[i*ldx + j];
    }
    return BLN_OK;
}

BLN_API bln_status bln_rng_mvnormal(bln_rng *rng, size_t n, size_t D, const double *mean, const double *U, size_t ldu,
                                    double *X, size_t ldx)
{
    return blni_mvt(rng, BLNI_COVARIANCE, n, D, (double)INFINITY, mean, U, ldu, X, ldx);
}

BLN_API bln_status bln_rng_mvnormal_precision(bln_rng *rng, size_t n, size_t D, const double *mean, const double *U, size_t ldu,
                                              double *X, size_t ldx)
{
    return blni_mvt(rng, BLNI_PRECISION, n, D, (double)INFINITY, mean, U, ldu, X, ldx);
}

BLN_API bln_status bln_rng_mvt(bln_rng *rng, size_t n, size_t D, double nu, const double *mean, const double *U, size_t ldu,
                               double *X, size_t ldx)
{
    return blni_mvt(rng, BLNI_COVARIANCE, n, D, nu, mean, U, ldu, X, ldx);
}

BLN_API bln_status bln_rng_mvt_precision(bln_rng *rng, size_t n, size_t D, double nu, const double *mean, const double *U,
                                         size_t ldu, double *X, size_t ldx)
{
    return blni_mvt(rng, BLNI_PRECISION, n, D, nu, mean, U, ldu, X, ldx);
}

/* ---- Dirichlet */

BLN_API bln_status bln_rng_log_dirichlet(bln_rng *rng, size_t n, size_t D, const double *alpha, double *X, size_t ldx)
{
    double largest = 0.0;
    for (size_t k = 0; k < D; k++) {
        if (!(alpha[k] >= 0.0 && blni_finite(alpha[k]))) return BLN_EDOMAIN;
        if (alpha[k] > largest) largest = alpha[k];
    }
    if (largest == 0.0) return BLN_EDOMAIN;
    if (ldx < D) return BLN_EINVAL;
    for (size_t i = 0; i < n; i++) {
        double *x = X + i*ldx;
        for (size_t k = 0; k < D; k++) x[k] = blni_log_gamma_share(rng, alpha[k]);
        const double log_sum = bln_logsumexp(D, x);
        for (size_t k = 0; k < D; k++) x[k] -= log_sum;
    }
    return BLN_OK;
}

BLN_API bln_status bln_rng_dirichlet(bln_rng *rng, size_t n, size_t D, const double *alpha, double *X, size_t ldx)
{
    const bln_status status = bln_rng_log_dirichlet(rng, n, D, alpha, X, ldx);
    if (status != BLN_OK) return status;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < D; k++) X[i*ldx + k] = exp(X[i*ldx + k]);
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/random/qmc.c */
/* qmc: Sobol' points under a random linear scramble, shifted Halton points
 *
 * A Sobol' coordinate is a matrix over GF(2): column k is the direction number v_k, a binary fraction with its first digit at the
 * top of a word, and point i is the sum of the columns at the ones of the Gray code of i. Neighbouring codes differ in one digit,
 * so that each point costs one exclusive or. The scramble multiplies that matrix from the left by a random lower triangle with ones
 * on its diagonal: each digit gets a random combination of the digits above it, which keeps every net a net; the shift then makes
 * each point uniform. The coordinates are made one after the other, so that nothing has to be kept. */

enum { BLNI_SOBOL_BITS = 52, BLNI_SOBOL_DEGREE = 9 };

/* Coordinates 1, 2, ...: the primitive polynomial over GF(2), its coefficients as binary digits with the highest on the left, and
 * m_1, m_2, ... as many as its degree, with v_k = m_k 2^-k. (Coordinate 0 is van der Corput's sequence, v_k = 2^-k.) The facts of
 * the file new-joe-kuo-6.21201, published with S. Joe & F. Y. Kuo, Constructing Sobol' sequences with better two-dimensional
 * projections, SIAM J. Sci. Comput. 30 (2008). */
typedef struct blni_sobol_start { uint16_t polynomial, m[BLNI_SOBOL_DEGREE]; } blni_sobol_start;
static const blni_sobol_start blni_sobol_starts[BLN_SOBOL_DIMENSIONS - 1] = {
    { 3, { 1 } }, { 7, { 1, 3 } }, { 11, { 1, 3, 1 } }, { 13, { 1, 1, 1 } }, { 19, { 1, 1, 3, 3 } }, { 25, { 1, 3, 5, 13 } },
    { 37, { 1, 1, 5, 5, 17 } }, { 41, { 1, 1, 5, 5, 5 } }, { 47, { 1, 1, 7, 11, 19 } }, { 55, { 1, 1, 5, 1, 1 } },
    { 59, { 1, 1, 1, 3, 11 } }, { 61, { 1, 3, 5, 5, 31 } }, { 67, { 1, 3, 3, 9, 7, 49 } }, { 91, { 1, 1, 1, 15, 21, 21 } },
    { 97, { 1, 3, 1, 13, 27, 49 } }, { 103, { 1, 1, 1, 15, 7, 5 } }, { 109, { 1, 3, 1, 15, 13, 25 } },
    { 115, { 1, 1, 5, 5, 19, 61 } }, { 131, { 1, 3, 7, 11, 23, 15, 103 } }, { 137, { 1, 3, 7, 13, 13, 15, 69 } },
    { 143, { 1, 1, 3, 13, 7, 35, 63 } }, { 145, { 1, 3, 5, 9, 1, 25, 53 } }, { 157, { 1, 3, 1, 13, 9, 35, 107 } },
    { 167, { 1, 3, 1, 5, 27, 61, 31 } }, { 171, { 1, 1, 5, 11, 19, 41, 61 } }, { 185, { 1, 3, 5, 3, 3, 13, 69 } },
    { 191, { 1, 1, 7, 13, 1, 19, 1 } }, { 193, { 1, 3, 7, 5, 13, 19, 59 } }, { 203, { 1, 1, 3, 9, 25, 29, 41 } },
    { 211, { 1, 3, 5, 13, 23, 1, 55 } }, { 213, { 1, 3, 7, 3, 13, 59, 17 } }, { 229, { 1, 3, 1, 3, 5, 53, 69 } },
    { 239, { 1, 1, 5, 5, 23, 33, 13 } }, { 241, { 1, 1, 7, 7, 1, 61, 123 } }, { 247, { 1, 1, 7, 9, 13, 61, 49 } },
    { 253, { 1, 3, 3, 5, 3, 55, 33 } }, { 285, { 1, 3, 1, 15, 31, 13, 49, 245 } }, { 299, { 1, 3, 5, 15, 31, 59, 63, 97 } },
    { 301, { 1, 3, 1, 11, 11, 11, 77, 249 } }, { 333, { 1, 3, 1, 11, 27, 43, 71, 9 } },
    { 351, { 1, 1, 7, 15, 21, 11, 81, 45 } }, { 355, { 1, 3, 7, 3, 25, 31, 65, 79 } }, { 357, { 1, 3, 1, 1, 19, 11, 3, 205 } },
    { 361, { 1, 1, 5, 9, 19, 21, 29, 157 } }, { 369, { 1, 3, 7, 11, 1, 33, 89, 185 } }, { 391, { 1, 3, 3, 3, 15, 9, 79, 71 } },
    { 397, { 1, 3, 7, 11, 15, 39, 119, 27 } }, { 425, { 1, 1, 3, 1, 11, 31, 97, 225 } },
    { 451, { 1, 1, 1, 3, 23, 43, 57, 177 } }, { 463, { 1, 3, 7, 7, 17, 17, 37, 71 } },
    { 487, { 1, 3, 1, 5, 27, 63, 123, 213 } }, { 501, { 1, 1, 3, 5, 11, 43, 53, 133 } },
    { 529, { 1, 3, 5, 5, 29, 17, 47, 173, 479 } }, { 539, { 1, 3, 3, 11, 3, 1, 109, 9, 69 } },
    { 545, { 1, 1, 1, 5, 17, 39, 23, 5, 343 } }, { 557, { 1, 3, 1, 5, 25, 15, 31, 103, 499 } },
    { 563, { 1, 1, 1, 11, 11, 17, 63, 105, 183 } }, { 601, { 1, 1, 5, 11, 9, 29, 97, 231, 363 } },
    { 607, { 1, 1, 5, 15, 19, 45, 41, 7, 383 } }, { 617, { 1, 3, 7, 7, 31, 19, 83, 137, 221 } },
    { 623, { 1, 1, 1, 3, 23, 15, 111, 223, 83 } }, { 631, { 1, 1, 5, 13, 31, 15, 55, 25, 161 } },
    { 637, { 1, 1, 3, 13, 25, 47, 39, 87, 257 } }, { 647, { 1, 1, 1, 11, 21, 53, 125, 249, 293 } }
};

/* v_1 ... v_n of a coordinate. With the polynomial x^s + a_1 x^{s-1} + ... + a_{s-1} x + 1:
 *     v_k = a_1 v_{k-1} + ... + a_{s-1} v_{k-s+1} + v_{k-s} + 2^-s v_{k-s}      (sums over GF(2))         [Bratley & Fox 1988] */
BLNI_PRIV void blni_sobol_directions(size_t coordinate, size_t n, uint64_t *v)
{
    if (coordinate == 0) {
        for (size_t k = 0; k < n; k++) v[k] = k < 64 ? UINT64_C(1) << (63 - k) : 0;
        return;
    }
    const blni_sobol_start *start = &blni_sobol_starts[coordinate - 1];
    size_t s = 0;
    while (start->polynomial >> (s + 1)) s++;
    for (size_t k = 0; k < n; k++) {
        if (k < s) { v[k] = (uint64_t)start->m[k] << (63 - k); continue; }
        v[k] = v[k - s] ^ v[k - s] >> s;
        for (size_t i = 1; i < s; i++) if (start->polynomial >> (s - i) & 1) v[k] ^= v[k - i];
    }
}

BLNI_PRIV uint64_t blni_parity(uint64_t x)
{
    for (int shift = 32; shift; shift >>= 1) x ^= x >> shift;
    return x & 1;
}

/* The lower triangle has a random word a row, cut off at the diagonal. Rows beyond the digits in use are not needed. */
BLNI_PRIV void blni_sobol_scramble(bln_rng *rng, size_t n, uint64_t *v)
{
    uint64_t scrambled[BLNI_SOBOL_BITS];
    for (size_t k = 0; k < n; k++) scrambled[k] = 0;
    for (int digit = 0; digit < BLNI_SOBOL_BITS; digit++) {
        const uint64_t diagonal = UINT64_C(1) << (63 - digit), row = (bln_rng_next(rng) & ~(2*diagonal - 1)) | diagonal;
        for (size_t k = 0; k < n; k++) scrambled[k] |= blni_parity(row & v[k]) << (63 - digit);
    }
    for (size_t k = 0; k < n; k++) v[k] = scrambled[k];
}

BLN_API bln_status bln_qmc_sobol(size_t d, uint64_t seed, uint64_t first, size_t n, double *U, size_t ldu)
{
    const uint64_t most = UINT64_C(1) << BLNI_SOBOL_BITS;
    if (d > BLN_SOBOL_DIMENSIONS || first > most || (uint64_t)n > most - first) return BLN_EOVERFLOW;
    if (ldu < d) return BLN_ESHAPE;
    size_t digits = 0;
    while (digits < BLNI_SOBOL_BITS && (first + (uint64_t)n) >> digits) digits++;
    for (size_t j = 0; j < d && n; j++) {
        uint64_t v[BLNI_SOBOL_BITS];
        bln_rng rng;
        bln_rng_seed(&rng, seed, (uint64_t)j);
        blni_sobol_directions(j, digits, v);
        blni_sobol_scramble(&rng, digits, v);
        uint64_t x = bln_rng_next(&rng);
        const uint64_t code = first ^ first >> 1;
        for (size_t k = 0; k < digits; k++) if (code >> k & 1) x ^= v[k];
        for (size_t i = 0; i < n; i++) {
            U[i*ldu + j] = blni_open_unit(x);
            size_t change = 0;                                      /* the lowest zero of i is the digit that changes next */
            while ((first + (uint64_t)i) >> change & 1) change++;
            if (i + 1 < n) x ^= v[change];
        }
    }
    return BLN_OK;
}

/* The next prime after p, or 2. */
BLNI_PRIV uint64_t blni_next_prime(uint64_t p)
{
    if (p < 2) return 2;
    for (p = p == 2 ? 3 : p + 2; ; p += 2) {
        uint64_t q = 3;
        while (q*q <= p && p % q) q += 2;
        if (q*q > p) return p;
    }
}

/* The digits of i in base p, mirrored at the point. From the last digit on, each step rounds twice and divides what was rounded
 * before by p: the error stays below 3 half units in the last place of 1. */
BLNI_PRIV double blni_radical_inverse(uint64_t i, uint64_t p)
{
    unsigned digit[64];
    double x = 0.0;
    size_t n = 0;
    for (; i; i /= p) digit[n++] = (unsigned)(i % p);
    while (n) x = (x + (double)digit[--n])/(double)p;
    return x;
}

BLN_API bln_status bln_qmc_halton(size_t d, uint64_t seed, uint64_t first, size_t n, double *U, size_t ldu)
{
    uint64_t p = 0;
    if ((uint64_t)n > UINT64_MAX - first) return BLN_EOVERFLOW;
    if (ldu < d) return BLN_ESHAPE;
    for (size_t j = 0; j < d && n; j++) {
        bln_rng rng;
        bln_rng_seed(&rng, seed, (uint64_t)j);
        const double shift = bln_rng_uniform(&rng), end = 1.0 - 0.5*DBL_EPSILON;
        p = blni_next_prime(p);
        for (size_t i = 0; i < n; i++) {
            double u = blni_radical_inverse(first + (uint64_t)i, p) + shift;
            if (u >= 1.0) u -= 1.0;
            U[i*ldu + j] = fmin(fmax(u, 0.5*DBL_EPSILON), end);       /* the ends of the interval come by rounding only */
        }
    }
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/optim/transform.c */
/* transform: the maps between a bounded parameter and a free one
 *
 * Both interval kinds are one logistic curve, over x or over log x. It is worked with from the nearer end, s = sigma(-|t|), so that
 * neither the distance to a bound nor the slope is ever a difference of nearly equal numbers. */

#define BLNI_LOG_DBL_MIN (-708.3964185322641)
#define BLNI_LOG_DBL_MAX   709.782712893384

/* How near to a bound, as a part of the interval, a start may lie: sigma^-1(1e-9) = -20.7, where the slope is still 4e-9. */
#define BLNI_PARAM_EDGE 1e-9

BLNI_PRIV double blni_clip(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }      /* NaN is passed on */

/* log(a/b) for 0 < b <= a: the quotient is exact to half an ulp where log a - log b would cancel, but may overflow, and
 * then nothing cancels. */
BLNI_PRIV double blni_log_ratio(double a, double b)
{
    const double ratio = a/b;
    return ratio <= DBL_MAX ? log(ratio) : log(a) - log(b);
}

/* The width of the interval in the coordinate of the logistic curve. */
BLNI_PRIV double blni_param_width(const bln_param *p)
{
    return p->kind == BLN_PARAM_INTERVAL ? p->hi - p->lo : blni_log_ratio(p->hi, p->lo);
}

/* sigma(-|t|) for t = 4u/width. */
BLNI_PRIV double blni_param_near(double u, double width)
{
    const double e = exp(-fabs(4.0*(u/width)));
    return e/(1.0 + e);
}

BLNI_PRIV double blni_param_scale(const bln_param *p) { return p->scale > 0.0 ? p->scale : 1.0; }

BLN_API bln_status bln_param_check(const bln_param *param, bln_report *report)
{
    const char *reason = NULL;
    bln_report_clear(report);
    if (!param) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "param: missing");
    const double lo = param->lo, hi = param->hi, start = param->start;
    switch (param->kind) {
    case BLN_PARAM_REAL:
        if (!blni_finite(start)) reason = "param: start is not finite";
        else if (!(param->scale >= 0.0) || !blni_finite(param->scale)) reason = "param: scale must be 0 (for 1) or > 0, and finite";
        break;
    case BLN_PARAM_POSITIVE:
        if (!(start > 0.0) || !blni_finite(start)) reason = "param: start must be positive and finite";
        break;
    case BLN_PARAM_INTERVAL:
    case BLN_PARAM_LOG:
        if (!blni_finite(lo) || !blni_finite(hi) || hi - lo > DBL_MAX) reason = "param: bounds or their difference not finite";
        else if (!(lo < hi)) reason = "param: lower bound must be below the upper one";
        else if (param->kind == BLN_PARAM_LOG && !(lo >= DBL_MIN))
            reason = "param: lower bound of a logarithmic parameter must be > 0 (at least DBL_MIN)";
        else if (!(start > lo && start < hi)) reason = "param: start must lie between the bounds";
        break;
    default:
        reason = "param: unknown kind";
    }
    return reason ? blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, reason) : BLN_OK;
}

BLN_API double bln_param_free(const bln_param *param, double x)
{
    const double lo = param->lo, hi = param->hi;
    if (x != x) return x;
    switch (param->kind) {
    case BLN_PARAM_REAL:     return blni_clip(x/blni_param_scale(param), -DBL_MAX, DBL_MAX);
    case BLN_PARAM_POSITIVE: return log(blni_clip(x, DBL_MIN, DBL_MAX));
    case BLN_PARAM_INTERVAL:
    case BLN_PARAM_LOG:
        break;
    default:
        return BLNI_NAN;
    }
    /* below : above = the parts of the interval on either side of x; the inverse of the logistic curve is the log of their
     * ratio. */
    const double width = blni_param_width(param);
    double below, above;
    x = blni_clip(x, lo, hi);
    if (param->kind == BLN_PARAM_INTERVAL) {
        below = (x - lo)/width;
        above = (hi - x)/width;
    } else {
        below = blni_log_ratio(x, lo)/width;
        above = blni_log_ratio(hi, x)/width;
    }
    below = blni_clip(below, BLNI_PARAM_EDGE, 1.0 - BLNI_PARAM_EDGE);
    above = blni_clip(above, BLNI_PARAM_EDGE, 1.0 - BLNI_PARAM_EDGE);
    return 0.25*width*log(below/above);
}

BLN_API double bln_param_natural(const bln_param *param, double u)
{
    const double lo = param->lo, hi = param->hi;
    if (u != u) return u;
    if (param->kind == BLN_PARAM_REAL) return blni_clip(u*blni_param_scale(param), -DBL_MAX, DBL_MAX);
    if (param->kind == BLN_PARAM_POSITIVE)
        return blni_clip(exp(blni_clip(u, BLNI_LOG_DBL_MIN, BLNI_LOG_DBL_MAX)), DBL_MIN, DBL_MAX);
    if (param->kind != BLN_PARAM_INTERVAL && param->kind != BLN_PARAM_LOG) return BLNI_NAN;

    const double width = blni_param_width(param), away = width*blni_param_near(u, width);      /* distance from the nearer bound */
    if (param->kind == BLN_PARAM_INTERVAL) return blni_clip(u < 0.0 ? lo + away : hi - away, lo, hi);
    /* In two factors: width may be log(DBL_MAX/DBL_MIN), whose half still overflows. */
    const double half = exp(u < 0.0 ? 0.5*away : -0.5*away);
    return blni_clip((u < 0.0 ? lo : hi)*half*half, lo, hi);
}

BLN_API double bln_param_slope(const bln_param *param, double u)
{
    if (u != u) return u;
    if (param->kind == BLN_PARAM_REAL) return blni_param_scale(param);
    if (param->kind == BLN_PARAM_POSITIVE)
        return u < BLNI_LOG_DBL_MIN || u > BLNI_LOG_DBL_MAX ? 0.0 : bln_param_natural(param, u);
    if (param->kind != BLN_PARAM_INTERVAL && param->kind != BLN_PARAM_LOG) return BLNI_NAN;

    const double s = blni_param_near(u, blni_param_width(param)), slope = 4.0*s*(1.0 - s);
    return param->kind == BLN_PARAM_INTERVAL ? slope : slope*bln_param_natural(param, u);
}

/* ---------------------------------------------------------------- src/optim/lbfgs.c */
/* lbfgs: limited-memory BFGS, one iteration at a time
 *
 * An iteration is a direction d = -H g from the stored pairs (two-loop recursion), then a search along phi(a) = f(x + a d):
 * a bracket that grows from the first trial, and a zoom into it (spec/optimisers.md O24). Only scalars travel through the
 * search. Of the vectors, three sets (point and gradient) exist: the present one, the trial, and the low end of the
 * bracket; they change places by swapping pointers, and the present one changes only when the iteration has succeeded. So a
 * failing objective leaves everything as it was.
 *
 * Near the minimum the differences phi(a) - phi(0) drown in the rounding of f while the slopes are still good. A trial
 * whose value lies within 1e-10 |f| of the lowest is therefore judged by its slope alone (O26): the bracket becomes one of
 * a change of sign. */

#define BLNI_LBFGS_C1    1e-4      /* sufficient decrease                                                    (O23) */
#define BLNI_LBFGS_DELTA 0.1       /* the same test in slopes: phi' <= (1 - 2 delta) |phi'(0)|               (O26) */
#define BLNI_LBFGS_FLOOR 1e-10     /* differences of f below this part of |f| mean nothing                   (O26) */
#define BLNI_LBFGS_PAIR  1e-10     /* a pair needs s'y above this times |s||y|                               (O22) */
#define BLNI_LBFGS_ANGLE 1e-12     /* a direction needs -d'g above this times |d||g|                         (O22) */
enum { BLNI_LBFGS_TRIALS = 30 };   /* evaluations in each of bracket and zoom                                (O24) */

struct bln_lbfgs {
    bln_lbfgs_desc desc;           /* resolved                                                                     */
    void    *block;                /* what the allocator gave, and how much                                        */
    size_t   bytes;
    double  *x, *g;                /* present point and gradient                                                   */
    double  *xt, *gt;              /* trial                                                                        */
    double  *xl, *gl;              /* low end of the bracket                                                       */
    double  *d;                    /* direction                                                                    */
    double  *S, *Y, *rho, *work;   /* memory x n, memory x n, memory, memory: a ring                               */
    size_t   newest, pairs;        /* index of the newest pair, number of pairs held                               */
    double   gamma;                /* s'y/y'y of the newest pair: the scale of H where the pairs say nothing       */
    double   value, lowest;        /* at x; over all accepted points                                               */
    double   length;               /* of the last step, |s|; 0 before the first                                    */
    size_t   iterations, evaluations;
    int      started, slow;        /* _init has succeeded; steps in a row with too little progress                 */
    bln_stop stop;
};

/* phi at a. slope is known only if the gradient was asked for. */
typedef struct blni_probe { double a, value, slope; int sloped; } blni_probe;

/* The verdict on a trial: a new high end, a new low end, or the end of the search; or indistinguishable from the low end. */
typedef enum blni_verdict { BLNI_HIGH, BLNI_LOW, BLNI_ACCEPT, BLNI_STUCK } blni_verdict;

/* |x|_2 without overflow or underflow; not finite only if x is not, or the norm itself is too large. */
BLNI_PRIV double blni_norm(size_t n, const double *x)
{
    double largest = 0.0, sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (x[i] != x[i]) return x[i];
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    }
    if (largest == 0.0 || !blni_finite(largest)) return largest;
    for (size_t i = 0; i < n; i++) sum += (x[i]/largest)*(x[i]/largest);
    return largest*sqrt(sum);
}

BLNI_PRIV double blni_max_abs(size_t n, const double *x)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) if (fabs(x[i]) > largest) largest = fabs(x[i]);
    return largest;
}

BLNI_PRIV void blni_swap(double **a, double **b) { double *c = *a; *a = *b; *b = c; }

/* ---- the object */

/* The defaults for memory and c2 are not the customary n and 0.9: on quadratics of condition 1e6 in 30 unknowns from random starts
 * these take more than 1000 iterations, memory 100 with c2 = 0.9 takes 210, with c2 = 0.5 60; well-conditioned problems pay a tenth
 * more evaluations for 0.5. Pairs beyond n still help because the recursion is exact BFGS only while it remembers all of them. */
BLN_API bln_lbfgs_desc bln_lbfgs_defaults(const bln_lbfgs_desc *desc)
{
    bln_lbfgs_desc d;
    memset(&d, 0, sizeof d);
    if (desc) d = *desc;
    if (d.memory == 0) d.memory = d.n <= 1000 ? 100 : blni_max(100000/d.n, 10);
    if (d.max_iterations == 0) d.max_iterations = 1000;
    if (d.gradient_tol == 0.0) d.gradient_tol = 1e-6;
    if (d.progress_tol == 0.0) d.progress_tol = 1e-9;
    if (d.c2 == 0.0) d.c2 = 0.5;
    return d;
}

BLN_API const char *bln_lbfgs_check(const bln_lbfgs_desc *desc)
{
    if (!desc) return "lbfgs: no desc";
    const bln_lbfgs_desc d = bln_lbfgs_defaults(desc);
    if (d.n == 0) return "lbfgs: n must be at least 1";
    if (!d.objective) return "lbfgs: no objective";
    if (!(d.gradient_tol > 0.0) || !blni_finite(d.gradient_tol)) return "lbfgs: gradient_tol must be positive and finite";
    if (!blni_finite(d.progress_tol)) return "lbfgs: progress_tol must be finite";
    if (!(d.c2 > BLNI_LBFGS_C1 && d.c2 < 1.0)) return "lbfgs: c2 must lie between 1e-4 and 1";
    if (!(d.first_step >= 0.0) || !blni_finite(d.first_step)) return "lbfgs: first_step must be >= 0 and finite";
    if (!(d.max_step >= 0.0) || !blni_finite(d.max_step)) return "lbfgs: max_step must be >= 0 and finite";
    if (!blni_allocator_ok(&d.alloc)) return "lbfgs: the allocator lacks alloc or release";
    return NULL;
}

/* The object and its vectors; o is where their addresses go, which is not the block yet while sizes are only counted. */
BLNI_PRIV void *blni_lbfgs_carve(blni_arena *a, const bln_lbfgs_desc *d, bln_lbfgs *o)
{
    void *self = blni_carve(a, 1, sizeof *o);
    o->x    = blni_carve_doubles(a, d->n);
    o->g    = blni_carve_doubles(a, d->n);
    o->xt   = blni_carve_doubles(a, d->n);
    o->gt   = blni_carve_doubles(a, d->n);
    o->xl   = blni_carve_doubles(a, d->n);
    o->gl   = blni_carve_doubles(a, d->n);
    o->d    = blni_carve_doubles(a, d->n);
    o->S    = blni_carve_doubles(a, blni_mul(d->memory, d->n));
    o->Y    = blni_carve_doubles(a, blni_mul(d->memory, d->n));
    o->rho  = blni_carve_doubles(a, d->memory);
    o->work = blni_carve_doubles(a, d->memory);
    return self;
}

BLN_API size_t bln_lbfgs_size(const bln_lbfgs_desc *desc)
{
    const bln_lbfgs_desc d = bln_lbfgs_defaults(desc);
    blni_arena a = blni_arena_over(NULL, 0);
    bln_lbfgs counted;
    blni_lbfgs_carve(&a, &d, &counted);
    return a.used;
}

BLN_API bln_status bln_lbfgs_create(const bln_lbfgs_desc *desc, bln_lbfgs **out, bln_report *report)
{
    bln_report_clear(report);
    if (!out) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "lbfgs: nowhere to put the object");
    const char *reason = bln_lbfgs_check(desc);
    if (reason) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, reason);
    const bln_lbfgs_desc d = bln_lbfgs_defaults(desc);
    const size_t bytes = bln_lbfgs_size(&d);
    if (bytes == (size_t)-1)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "lbfgs: memory and n too large for this machine");
    void *block = blni_alloc(&d.alloc, bytes);
    if (!block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "lbfgs: no memory for the optimiser");

    blni_arena a = blni_arena_over(block, bytes);
    bln_lbfgs fresh;
    memset(&fresh, 0, sizeof fresh);
    bln_lbfgs *o = (bln_lbfgs *)blni_lbfgs_carve(&a, &d, &fresh);
    fresh.desc = d;
    fresh.block = block;
    fresh.bytes = bytes;
    *o = fresh;
    *out = o;
    return BLN_OK;
}

BLN_API void bln_lbfgs_free(bln_lbfgs *opt)
{
    if (!opt) return;
    const bln_allocator alloc = opt->desc.alloc;      /* a copy: the original lies in the block */
    blni_release(&alloc, opt->block, opt->bytes);
}

BLN_API int bln_lbfgs_converged(const bln_lbfgs *opt, bln_stop *stop)
{
    if (stop) *stop = opt ? opt->stop : BLN_STOP_NONE;
    return !opt || !opt->started || opt->stop != BLN_STOP_NONE;
}

BLN_API const double *bln_lbfgs_x(const bln_lbfgs *opt)        { return opt && opt->started ? opt->x : NULL; }
BLN_API double        bln_lbfgs_value(const bln_lbfgs *opt)    { return opt && opt->started ? opt->value : BLNI_NAN; }
BLN_API const double *bln_lbfgs_gradient(const bln_lbfgs *opt) { return opt && opt->started ? opt->g : NULL; }

/* ---- direction */

/* Keeps the pair s = x_new - x, y = g_new - g if the curvature along it is positive beyond rounding (O22); over- and
 * underflow of the products drops it too. s and y are formed in the slot after the newest, which is free or holds the
 * oldest pair: once overwritten the oldest is lost either way, so a dropped pair in a full ring costs that one. */
BLNI_PRIV void blni_lbfgs_push(bln_lbfgs *o, const double *x, const double *g, const double *x_new, const double *g_new)
{
    const size_t n = o->desc.n, memory = o->desc.memory, slot = o->pairs ? (o->newest + 1)%memory : 0;
    double *s = o->S + slot*n, *y = o->Y + slot*n;
    for (size_t i = 0; i < n; i++) { s[i] = x_new[i] - x[i]; y[i] = g_new[i] - g[i]; }
    const double sy = bln_dot(n, s, y), y_norm = blni_norm(n, y), gamma = sy/y_norm/y_norm;
    const int good = sy > BLNI_LBFGS_PAIR*blni_norm(n, s)*y_norm && blni_finite(1.0/sy) && gamma > 0.0 && blni_finite(gamma);
    if (good) {
        o->rho[slot] = 1.0/sy;
        o->gamma = gamma;
        o->newest = slot;
        if (o->pairs < memory) o->pairs++;
    } else if (o->pairs == memory) o->pairs--;
}

/* d = -H g by the two-loop recursion (O21). At least one pair.   4 pairs n flops */
BLNI_PRIV void blni_lbfgs_two_loop(bln_lbfgs *o, const double *g, double *d)
{
    const size_t n = o->desc.n, memory = o->desc.memory;
    for (size_t i = 0; i < n; i++) d[i] = -g[i];
    for (size_t k = 0; k < o->pairs; k++) {                                         /* newest to oldest */
        const size_t p = (o->newest + memory - k)%memory;
        o->work[p] = o->rho[p]*bln_dot(n, o->S + p*n, d);
        bln_axpy(n, -o->work[p], o->Y + p*n, d);
    }
    bln_scal(n, o->gamma, d);
    for (size_t k = o->pairs; k-- > 0;) {                                           /* oldest to newest */
        const size_t p = (o->newest + memory - k)%memory;
        bln_axpy(n, o->work[p] - o->rho[p]*bln_dot(n, o->Y + p*n, d), o->S + p*n, d);
    }
}

/* The direction d, its slope phi'(0) < 0 and the first trial a. Without pairs, or when what they give is no descent:
 * d = -g/|g|, so that a is a length; that of the last step, if there was one, bounds it. Returns 0 if not even that descends:
 * g = 0. */
BLNI_PRIV int blni_lbfgs_direction(bln_lbfgs *o, double *slope, double *a)
{
    const size_t n = o->desc.n;
    const double g_norm = blni_norm(n, o->g);
    if (o->pairs) {
        blni_lbfgs_two_loop(o, o->g, o->d);
        *slope = bln_dot(n, o->g, o->d);
        *a = 1.0;
        if (blni_finite(*slope) && *slope < 0.0 && *slope < -BLNI_LBFGS_ANGLE*blni_norm(n, o->d)*g_norm) return 1;
        o->pairs = 0;
    }
    double g_one = 0.0;
    for (size_t i = 0; i < n; i++) { o->d[i] = -o->g[i]/g_norm; g_one += fabs(o->g[i]); }
    *slope = bln_dot(n, o->g, o->d);
    const double size = blni_max_abs(n, o->x), least = 1e-8*(size > 1.0 ? size : 1.0);
    *a = g_one > 1.0 ? 1.0/g_one : 1.0;
    if (*a < least) *a = least;
    if (o->desc.first_step > 0.0) *a = o->desc.first_step;
    if (o->length > 0.0 && *a > o->length) *a = o->length;
    return blni_finite(*slope) && *slope < 0.0;
}

/* ---- line search */

/* (O25): the minimiser of the cubic through (a1, f1, g1) and (a2, f2, g2), values and slopes; the middle if there is none. */
BLNI_PRIV double blni_cubic(double a1, double f1, double g1, double a2, double f2, double g2)
{
    const double e = g1 + g2 - 3.0*(f1 - f2)/(a1 - a2), square = e*e - g1*g2, r = a2 > a1 ? sqrt(square) : -sqrt(square);
    const double a = a2 - (a2 - a1)*(g2 + r - e)/(g2 - g1 + 2.0*r);
    return square >= 0.0 && blni_finite(a) ? a : 0.5*(a1 + a2);
}

/* Evaluates the trial at a and judges it against start = phi(0) and the low end so far. The gradient is asked for only
 * where the verdict needs it. On BLN_OK, *p and *verdict are set, and the trial's vectors if the verdict is LOW or ACCEPT. */
BLNI_PRIV bln_status blni_lbfgs_try(bln_lbfgs *o, const blni_probe *start, const blni_probe *low, double a, blni_probe *p,
                                    blni_verdict *verdict, bln_report *report)
{
    const size_t n = o->desc.n;
    int finite = 1, moved = 0;
    p->a = a;
    p->value = HUGE_VAL;
    p->slope = 0.0;
    p->sloped = 0;
    for (size_t i = 0; i < n; i++) {
        o->xt[i] = o->x[i] + a*o->d[i];
        if (!blni_finite(o->xt[i])) finite = 0;
        if (o->xt[i] != (low->a > 0.0 ? o->xl[i] : o->x[i])) moved = 1;
    }
    *verdict = moved ? BLNI_HIGH : BLNI_STUCK;
    if (!moved || !finite) return BLN_OK;

    double value = BLNI_NAN, again = BLNI_NAN;
    o->evaluations++;
    bln_status status = o->desc.objective(o->desc.user, n, o->xt, &value, NULL, report);
    if (status != BLN_OK || !blni_finite(value)) return status;
    p->value = value;
    const double least = low->value < o->lowest ? low->value : o->lowest;
    const int decreased = value <= start->value + BLNI_LBFGS_C1*a*start->slope && value < low->value;
    if (!decreased && !(value <= least + BLNI_LBFGS_FLOOR*fabs(least))) return BLN_OK;

    status = o->desc.objective(o->desc.user, n, o->xt, &again, o->gt, report);
    if (status != BLN_OK) return status;
    const double slope = bln_dot(n, o->gt, o->d), limit = -start->slope, strict = (1.0 - 2.0*BLNI_LBFGS_DELTA)*limit;
    if (!blni_finite(again) || !blni_finite(slope)) { p->value = HUGE_VAL; return BLN_OK; }
    p->slope = slope;
    p->sloped = 1;
    if (!decreased && !(slope <= strict)) return BLN_OK;
    *verdict = fabs(slope) <= o->desc.c2*limit && (decreased || fabs(slope) <= strict) ? BLNI_ACCEPT : BLNI_LOW;
    return BLN_OK;
}

/* The trial has become the low end of the bracket. */
BLNI_PRIV void blni_lbfgs_keep(bln_lbfgs *o, blni_probe *low, const blni_probe *p)
{
    *low = *p;
    blni_swap(&o->xl, &o->xt);
    blni_swap(&o->gl, &o->gt);
}

/* The next trial inside the bracket: by the minimiser of what is known about its ends, within the middle 80 %. */
BLNI_PRIV double blni_lbfgs_inside(const blni_probe *low, const blni_probe *high)
{
    const double width = high->a - low->a, rise = high->value - low->value;
    double a = low->a + 0.5*width;
    if (blni_finite(rise)) {
        if (!high->sloped)                                              /* parabola through both values and the low slope */
            a = low->a - 0.5*low->slope*width*width/(rise - low->slope*width);
        else
            a = blni_cubic(low->a, low->value, low->slope, high->a, high->value, high->slope);
    }
    const double from = low->a + 0.1*width, to = low->a + 0.9*width;
    if (!blni_finite(a)) return low->a + 0.5*width;
    return width > 0.0 ? blni_clip(a, from, to) : blni_clip(a, to, from);
}

/* Shrinks the bracket between low, which has the least value and a slope towards high, and high, until a trial is accepted.
 * *found: the trial is the answer; else the low end is the best there is. When two trials have not taken a third of the
 * width away, the next bisects (More & Thuente 1994). */
BLNI_PRIV bln_status blni_lbfgs_zoom(bln_lbfgs *o, const blni_probe *start, blni_probe *low, blni_probe *high, blni_probe *p,
                                     int *found, bln_report *report)
{
    double before = HUGE_VAL, last = HUGE_VAL;                          /* widths two trials and one trial ago */
    blni_verdict verdict;
    for (int k = 0; k < BLNI_LBFGS_TRIALS; k++) {
        const double width = fabs(high->a - low->a);
        const double a = width > 0.66*before ? low->a + 0.5*(high->a - low->a) : blni_lbfgs_inside(low, high);
        before = last;
        last = width;
        const bln_status status = blni_lbfgs_try(o, start, low, a, p, &verdict, report);
        if (status != BLN_OK) return status;
        if (verdict == BLNI_ACCEPT) *found = 1;
        if (verdict == BLNI_ACCEPT || verdict == BLNI_STUCK) return BLN_OK;
        if (verdict == BLNI_HIGH) { *high = *p; continue; }
        if (p->slope*(high->a - low->a) >= 0.0) *high = *low;
        blni_lbfgs_keep(o, low, p);
    }
    return BLN_OK;
}

/* (O24) along d from a first trial a. On BLN_OK, *found tells whether the trial vectors hold a better point, p being its
 * phi. The step never exceeds a_max; that end is taken as it is when f still falls there. */
BLNI_PRIV bln_status blni_lbfgs_search(bln_lbfgs *o, double slope, double a, double a_max, blni_probe *p, int *found,
                                       bln_report *report)
{
    blni_probe start, low, high;
    blni_verdict verdict;
    int bracketed = 0;
    start.a = 0.0;
    start.value = o->value;
    start.slope = slope;
    start.sloped = 1;
    low = high = start;
    *found = 0;
    if (a > a_max) a = a_max;
    for (int k = 0; k < BLNI_LBFGS_TRIALS && !bracketed; k++) {
        const bln_status status = blni_lbfgs_try(o, &start, &low, a, p, &verdict, report);
        if (status != BLN_OK) return status;
        if (verdict == BLNI_ACCEPT) { *found = 1; return BLN_OK; }
        if (verdict == BLNI_HIGH) { high = *p; bracketed = 1; continue; }
        /* Further out: where the cubic has its minimum, but twice to ten times as far. A step lost in the rounding of x
         * tells nothing. */
        double guess = HUGE_VAL;
        if (verdict == BLNI_LOW) {
            if (p->slope >= 0.0) { high = low; bracketed = 1; }
            guess = blni_cubic(low.a, low.value, low.slope, p->a, p->value, p->slope);
            blni_lbfgs_keep(o, &low, p);
        }
        if (a >= a_max) break;
        a = blni_clip(guess, 2.0*a, 10.0*a);
        if (a > a_max) a = a_max;
    }
    if (bracketed) {
        const bln_status status = blni_lbfgs_zoom(o, &start, &low, &high, p, found, report);
        if (status != BLN_OK || *found) return status;
    }
    if (low.a > 0.0 && low.value < start.value) {
        blni_lbfgs_keep(o, p, &low);                                    /* swaps the low end into the trial */
        *found = 1;
    }
    return BLN_OK;
}

/* ---- iterations */

BLNI_PRIV bln_status blni_lbfgs_report(const bln_lbfgs *o, bln_status status, bln_report *report)
{
    if (report) {
        report->iterations = o->iterations;
        report->evaluations = o->evaluations;
        report->objective = o->started ? o->value : 0.0;
        report->gradient_norm = o->started ? blni_max_abs(o->desc.n, o->g) : 0.0;
        report->stop = o->stop;
    }
    return status;
}

/* (O28) first part. */
BLNI_PRIV int blni_lbfgs_flat(const bln_lbfgs *o)
{
    const double scale = sqrt(fabs(o->value));
    return blni_max_abs(o->desc.n, o->g) <= o->desc.gradient_tol*(scale > 1.0 ? scale : 1.0);
}

BLN_API bln_status bln_lbfgs_init(bln_lbfgs *opt, const double *x, bln_report *report)
{
    bln_report_clear(report);
    if (!opt || !x) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "lbfgs: init without an object or a start");
    const size_t n = opt->desc.n;
    double value = BLNI_NAN, again = BLNI_NAN;
    for (size_t i = 0; i < n; i++) {
        if (!blni_finite(x[i])) return blni_fail(report, BLN_EINVAL, BLN_NONE, i, "lbfgs: start is not finite");
        opt->xt[i] = x[i];
    }
    bln_status status = opt->desc.objective(opt->desc.user, n, opt->xt, &value, NULL, report);
    if (status != BLN_OK) return status;
    if (!blni_finite(value)) return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "lbfgs: value at the start not finite");
    status = opt->desc.objective(opt->desc.user, n, opt->xt, &again, opt->gt, report);
    if (status != BLN_OK) return status;
    for (size_t i = 0; i < n; i++)
        if (!blni_finite(opt->gt[i]))
            return blni_fail(report, BLN_ENUMERIC, BLN_NONE, i, "lbfgs: gradient at the start not finite");

    blni_swap(&opt->x, &opt->xt);
    blni_swap(&opt->g, &opt->gt);
    opt->value = opt->lowest = value;
    opt->newest = opt->pairs = 0;
    opt->length = 0.0;
    opt->iterations = 0;
    opt->evaluations = 1;
    opt->slow = 0;
    opt->started = 1;
    opt->stop = blni_lbfgs_flat(opt) ? BLN_STOP_GRADIENT : BLN_STOP_NONE;
    return blni_lbfgs_report(opt, BLN_OK, report);
}

/* The trial becomes the present point, and the tests of (O28) are made. */
BLNI_PRIV void blni_lbfgs_advance(bln_lbfgs *o, const blni_probe *p)
{
    const double gain = o->value - p->value;
    double scale = fabs(o->value) > fabs(p->value) ? fabs(o->value) : fabs(p->value);
    if (scale < 1.0) scale = 1.0;
    blni_lbfgs_push(o, o->x, o->g, o->xt, o->gt);
    blni_swap(&o->x, &o->xt);
    blni_swap(&o->g, &o->gt);
    o->length = p->a*blni_norm(o->desc.n, o->d);
    o->value = p->value;
    if (o->value < o->lowest) o->lowest = o->value;
    o->iterations++;
    o->slow = gain <= o->desc.progress_tol*scale && o->desc.progress_tol > 0.0 ? o->slow + 1 : 0;
    if (blni_lbfgs_flat(o)) o->stop = BLN_STOP_GRADIENT;
    else if (o->slow >= 2) o->stop = BLN_STOP_PROGRESS;
    else if (o->iterations >= o->desc.max_iterations) o->stop = BLN_STOP_LIMIT;
}

BLN_API bln_status bln_lbfgs_step(bln_lbfgs *opt, bln_report *report)
{
    bln_report_clear(report);
    if (!opt) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "lbfgs: step without an object");
    if (!opt->started) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "lbfgs: step before init");
    if (opt->stop != BLN_STOP_NONE) return blni_lbfgs_report(opt, BLN_OK, report);

    /* A search that fails with pairs may have been misled by them: once more down the gradient. If that fails too, rounding has the
     * last word. */
    for (int found = 0; !found;) {
        double slope, a, reach = opt->desc.max_step;
        blni_probe p;
        if (!(reach > 0.0)) {
            const double size = blni_max_abs(opt->desc.n, opt->x);
            reach = 100.0*(size > 1.0 ? size : 1.0);
        }
        if (blni_lbfgs_direction(opt, &slope, &a)) {
            const bln_status status = blni_lbfgs_search(opt, slope, a, reach/blni_max_abs(opt->desc.n, opt->d), &p, &found, report);
            if (status != BLN_OK) return blni_lbfgs_report(opt, status, report);
        }
        if (found) blni_lbfgs_advance(opt, &p);
        else if (opt->pairs) opt->pairs = 0;
        else { opt->stop = BLN_STOP_LINESEARCH; break; }
    }
    return blni_lbfgs_report(opt, BLN_OK, report);
}

BLN_API bln_status bln_lbfgs_minimise(const bln_lbfgs_desc *desc, double *x, double *value, bln_report *report)
{
    bln_lbfgs *opt;
    bln_status status = bln_lbfgs_create(desc, &opt, report);
    if (status != BLN_OK) return status;
    status = bln_lbfgs_init(opt, x, report);
    while (status == BLN_OK && !bln_lbfgs_converged(opt, NULL)) status = bln_lbfgs_step(opt, report);
    if (status == BLN_OK) {
        memcpy(x, bln_lbfgs_x(opt), opt->desc.n*sizeof *x);
        if (value) *value = bln_lbfgs_value(opt);
    }
    bln_lbfgs_free(opt);
    return status;
}

/* ---------------------------------------------------------------- src/basis/basis.c */
/* basis: the interface with its defaults filled in, the check of a user's basis, concatenation, and column selection
 *
 * Built-in bases are one block each: the struct, then its arrays. Those made of other bases (sum, columns) own them, hand each call
 * down and add up what comes back; they have no more access to their parts than a user's basis has. */

enum { BLNI_BASIS_DEPTH = 16, BLNI_BASIS_PARTS = 4096, BLNI_BASIS_NAME = 64 };

/* ---- helpers of all built-in bases ---- */

/* What every built-in basis begins with. */
typedef struct blni_owned {
    bln_basis base;
    size_t bytes;         /* of the block, for the allocator           */
    size_t depth;         /* levels of sums and selections, 0 for none */
} blni_owned;

/* A block for a struct of `head` bytes (zeroed) that begins with a blni_owned, and `extra` bytes aligned to 64 behind it. */
BLNI_PRIV bln_status blni_basis_new(const bln_allocator *alloc, const bln_basis_ops *ops, size_t head, size_t extra, void **tail,
                                    blni_owned **out)
{
    const size_t bytes = blni_add(blni_add(head, BLNI_ALIGN - 1), extra);
    if (alloc && !blni_allocator_ok(alloc)) return BLN_EINVAL;
    if (bytes == (size_t)-1) return BLN_EOVERFLOW;
    blni_owned *b = (blni_owned *)blni_alloc(alloc, bytes);
    if (!b) return BLN_ENOMEM;
    memset(b, 0, head);
    b->base.ops = ops;
    b->base.n_slices = 1;
    if (alloc) b->base.alloc = *alloc;
    b->bytes = bytes;
    if (tail) {
        unsigned char *end = (unsigned char *)b + head;
        *tail = end + ((size_t)(-(uintptr_t)end) & (BLNI_ALIGN - 1));
    }
    *out = b;
    return BLN_OK;
}

BLNI_PRIV void blni_basis_release(bln_basis *b)
{
    const bln_allocator alloc = b->alloc;
    blni_release(&alloc, b, ((blni_owned *)b)->bytes);
}

/* The reason in words for the statuses of blni_basis_new. */
BLNI_PRIV bln_status blni_basis_fail(bln_report *report, bln_status status)
{
    return blni_fail(report, status, BLN_NONE, BLN_NONE,
                     status == BLN_EINVAL ? "basis: half an allocator" : bln_status_text(status));
}

/* Workspace is cut into pieces that begin on 64 bytes. */
BLNI_PRIV size_t blni_pad(size_t doubles) { return doubles > (size_t)-8 ? (size_t)-1 : (doubles + 7) & ~(size_t)7; }

/* ---- inputs ---- */

/* Follows selections down to the data's own column. */
BLNI_PRIV const bln_inputs *blni_inputs_root(const bln_inputs *inputs, size_t *i)
{
    while (inputs && inputs->whole) {
        *i = inputs->columns[*i];
        inputs = inputs->whole;
    }
    return inputs;
}

BLNI_PRIV bln_inputs blni_inputs_of(const char *const *names, const bln_moments *moments)
{
    bln_inputs inputs;
    inputs.names = names;
    inputs.moments = moments;
    inputs.columns = NULL;
    inputs.whole = NULL;
    return inputs;
}

BLN_API double bln_input_mean(const bln_inputs *inputs, size_t i)
{
    const bln_inputs *root = blni_inputs_root(inputs, &i);
    return root && root->moments && i < root->moments->d ? root->moments->mean[i] : 0.0;
}

BLN_API double bln_input_sd(const bln_inputs *inputs, size_t i)
{
    const bln_inputs *root = blni_inputs_root(inputs, &i);
    return root && root->moments && i < root->moments->d ? root->moments->sd[i] : 1.0;
}

BLN_API void bln_input_name(const bln_inputs *inputs, size_t i, char *out, size_t size)
{
    const bln_inputs *root = blni_inputs_root(inputs, &i);
    if (size == 0) return;
    out[0] = '\0';
    if (root && root->names && root->names[i]) { blni_cat(out, size, root->names[i]); return; }
    blni_cat(out, size, "x");
    blni_cat_size(out, size, i);
}

/* ---- the interface ---- */

BLNI_PRIV int blni_name_ok(const char *name)
{
    size_t n = 0;
    if (!name) return 0;
    for (; name[n]; n++) {
        const char c = name[n];
        if (n >= 31 || !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return 0;
    }
    return n > 0;
}

BLN_API const char *bln_basis_check(const bln_basis *b)
{
    if (!b) return "basis: NULL";
    if (!b->ops) return "basis: ops is NULL";
    if (!blni_name_ok(b->ops->name)) return "basis: the name must be 1 to 31 characters of a-z, 0-9 and _";
    if (!b->ops->features) return "basis: ops->features is NULL";
    if (!b->ops->save != !b->ops->load) return "basis: ops->save and ops->load must come together";
    if (!blni_allocator_ok(&b->alloc)) return "basis: half an allocator";
    if (b->D == 0) return "basis: no features (D = 0)";
    if (b->n_slices == 0 || b->n_slices > b->D) return "basis: n_slices must be 1..D";
    if (b->n_slices > 1 && !b->ops->slice) return "basis: several slices, but ops->slice is NULL";
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t at = bln_basis_slice(b, s);
        if (at >= b->D || (s == 0 ? at != 0 : at <= bln_basis_slice(b, s - 1)))
            return "basis: slices must begin at 0 and increase, each with a feature";
    }
    if (b->n_theta && !b->ops->param) return "basis: parameters, but ops->param is NULL";
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param p;
        bln_basis_param(b, k, NULL, &p);
        if (bln_param_check(&p, NULL) != BLN_OK) return "basis: ops->param gives a domain or a start that is not usable";
    }
    return NULL;
}

BLN_API void bln_basis_free(bln_basis *b)
{
    if (b && b->ops && b->ops->release) b->ops->release(b);
}

BLN_API void bln_basis_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                double *Phi, size_t ldphi, double *work)
{
    if (n) b->ops->features(b, theta, n, X, ldx, Phi, ldphi, work);
}

BLN_API void bln_basis_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                double *dtheta, double *dX, size_t lddx, double *work)
{
    if (b->n_theta == 0) dtheta = NULL;
    if (b->d == 0) dX = NULL;
    if (n && b->ops->pullback && (dtheta || dX)) b->ops->pullback(b, theta, n, X, ldx, Phi, ldphi, F, ldf, dtheta, dX, lddx, work);
}

BLN_API int bln_basis_features_low(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                   const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work)
{
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1      /* 1 widens floats only */
    (void)b; (void)theta; (void)n; (void)X; (void)ldx; (void)Phi; (void)ldphi; (void)Low; (void)ldlow; (void)work;
    return 0;
#else
    if (!b->ops->features_low) return 0;
    if (n) b->ops->features_low(b, theta, n, X, ldx, Phi, ldphi, Low, ldlow, work);
    return 1;
#endif
}

BLN_API size_t bln_basis_work(const bln_basis *b, size_t n) { return b->ops->work ? b->ops->work(b, n) : 0; }

BLN_API void bln_basis_param(const bln_basis *b, size_t k, const bln_moments *moments, bln_param *out)
{
    const bln_inputs inputs = blni_inputs_of(NULL, moments);
    memset(out, 0, sizeof *out);      /* what an op does not set is 0: no group */
    b->ops->param(b, k, &inputs, out);
}

BLN_API size_t bln_basis_slice(const bln_basis *b, size_t s)
{
    if (s >= b->n_slices) return b->D;
    return b->ops->slice ? b->ops->slice(b, s) : 0;
}

/* Names from an op, or the default: a word and a number. */
BLNI_PRIV void blni_basis_name(const bln_basis *b, void (*op)(const bln_basis *, size_t, const bln_inputs *, char *, size_t),
                               const char *word, size_t i, const bln_inputs *inputs, char *out, size_t size)
{
    if (size == 0) return;
    out[0] = '\0';
    if (op) { op(b, i, inputs, out, size); return; }
    blni_cat(out, size, word);
    blni_cat_size(out, size, i);
}

BLNI_PRIV void blni_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    blni_basis_name(b, b->ops->feature_name, "phi", j, inputs, out, size);
}

BLNI_PRIV void blni_param_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    blni_basis_name(b, b->ops->param_name, "theta", k, inputs, out, size);
}

BLNI_PRIV void blni_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    if (b->ops->slice_name || b->n_slices > 1) {
        blni_basis_name(b, b->ops->slice_name, b->ops->name, s, inputs, out, size);
        return;
    }
    if (size == 0) return;
    out[0] = '\0';
    blni_cat(out, size, b->ops->name);
}

BLN_API void bln_basis_feature_name(const bln_basis *b, size_t j, const char *const *names, char *out, size_t size)
{
    const bln_inputs inputs = blni_inputs_of(names, NULL);
    blni_feature_name(b, j, &inputs, out, size);
}

BLN_API void bln_basis_param_name(const bln_basis *b, size_t k, const char *const *names, char *out, size_t size)
{
    const bln_inputs inputs = blni_inputs_of(names, NULL);
    blni_param_name(b, k, &inputs, out, size);
}

BLN_API void bln_basis_slice_name(const bln_basis *b, size_t s, const char *const *names, char *out, size_t size)
{
    const bln_inputs inputs = blni_inputs_of(names, NULL);
    blni_slice_name(b, s, &inputs, out, size);
}

BLN_API void bln_basis_save(const bln_basis *b, bln_writer *w)
{
    if (!b || !b->ops->save) {
        if (w->status == BLN_OK) w->status = b ? BLN_EUNKNOWN : BLN_EINVAL;
        return;
    }
    bln_put_string(w, b->ops->name);
    b->ops->save(b, w);
}

/* ---- concatenation (B10) ---- */

typedef struct blni_sum { blni_owned own; size_t n; bln_basis **parts; } blni_sum;

/* Where a walk over the parts stands: the first feature, parameter and slice of part i. */
typedef struct blni_sum_at { size_t i, D, theta, slice; } blni_sum_at;

BLNI_PRIV const bln_basis *blni_sum_first(const blni_sum *sum, blni_sum_at *at)
{
    memset(at, 0, sizeof *at);
    return sum->parts[0];
}

BLNI_PRIV const bln_basis *blni_sum_next(const blni_sum *sum, blni_sum_at *at)
{
    const bln_basis *p = sum->parts[at->i];
    at->D += p->D;
    at->theta += p->n_theta;
    at->slice += p->n_slices;
    return ++at->i < sum->n ? sum->parts[at->i] : NULL;
}

BLNI_PRIV void blni_sum_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                 double *Phi, size_t ldphi, double *work)
{
    const blni_sum *sum = (const blni_sum *)b;
    blni_sum_at at;
    for (const bln_basis *p = blni_sum_first(sum, &at); p; p = blni_sum_next(sum, &at))
        bln_basis_features(p, p->n_theta ? theta + at.theta : NULL, n, X, ldx, Phi + at.D, ldphi, work);
}

BLNI_PRIV void blni_sum_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                 const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                 double *dtheta, double *dX, size_t lddx, double *work)
{
    const blni_sum *sum = (const blni_sum *)b;
    blni_sum_at at;
    for (const bln_basis *p = blni_sum_first(sum, &at); p; p = blni_sum_next(sum, &at))
        bln_basis_pullback(p, p->n_theta ? theta + at.theta : NULL, n, X, ldx, Phi + at.D, ldphi, F + at.D, ldf,
                           dtheta && p->n_theta ? dtheta + at.theta : NULL, dX, lddx, work);
}

BLNI_PRIV size_t blni_sum_work(const bln_basis *b, size_t n)
{
    const blni_sum *sum = (const blni_sum *)b;
    size_t most = 0;
    for (size_t i = 0; i < sum->n; i++) most = blni_max(most, bln_basis_work(sum->parts[i], n));
    return most;
}

BLNI_PRIV void blni_sum_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    const blni_sum *sum = (const blni_sum *)b;
    blni_sum_at at;
    for (const bln_basis *p = blni_sum_first(sum, &at); p; p = blni_sum_next(sum, &at))
        if (k - at.theta < p->n_theta) {
            p->ops->param(p, k - at.theta, inputs, out);
            if (out->group) out->group += at.theta;      /* groups of different parts stay apart */
            return;
        }
}

BLNI_PRIV size_t blni_sum_slice(const bln_basis *b, size_t s)
{
    const blni_sum *sum = (const blni_sum *)b;
    blni_sum_at at;
    for (const bln_basis *p = blni_sum_first(sum, &at); p; p = blni_sum_next(sum, &at))
        if (s - at.slice < p->n_slices) return at.D + bln_basis_slice(p, s - at.slice);
    return b->D;
}

/* " [2]" behind the names of the second part, if another part has the same name. */
BLNI_PRIV void blni_sum_number(const blni_sum *sum, size_t i, const bln_inputs *inputs, char *out, size_t size)
{
    char mine[BLNI_BASIS_NAME], other[BLNI_BASIS_NAME];
    int same = 0;
    blni_slice_name(sum->parts[i], 0, inputs, mine, sizeof mine);
    for (size_t k = 0; k < sum->n && !same; k++) {
        blni_slice_name(sum->parts[k], 0, inputs, other, sizeof other);
        same = k != i && !strcmp(mine, other);
    }
    if (!same) return;
    blni_cat(out, size, " [");
    blni_cat_size(out, size, i + 1);
    blni_cat(out, size, "]");
}

BLNI_PRIV void blni_sum_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_sum *sum = (const blni_sum *)b;
    blni_sum_at at;
    for (const bln_basis *p = blni_sum_first(sum, &at); p; p = blni_sum_next(sum, &at))
        if (j - at.D < p->D) {
            blni_feature_name(p, j - at.D, inputs, out, size);
            blni_sum_number(sum, at.i, inputs, out, size);
            return;
        }
}

BLNI_PRIV void blni_sum_param_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_sum *sum = (const blni_sum *)b;
    blni_sum_at at;
    for (const bln_basis *p = blni_sum_first(sum, &at); p; p = blni_sum_next(sum, &at))
        if (k - at.theta < p->n_theta) {
            blni_param_name(p, k - at.theta, inputs, out, size);
            if (p->n_theta < b->n_theta) {
                char slice[BLNI_BASIS_NAME];
                blni_slice_name(p, 0, inputs, slice, sizeof slice);
                blni_cat(out, size, " (");
                blni_cat(out, size, slice);
                blni_sum_number(sum, at.i, inputs, out, size);
                blni_cat(out, size, ")");
            }
            return;
        }
}

BLNI_PRIV void blni_sum_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_sum *sum = (const blni_sum *)b;
    blni_sum_at at;
    for (const bln_basis *p = blni_sum_first(sum, &at); p; p = blni_sum_next(sum, &at))
        if (s - at.slice < p->n_slices) {
            blni_slice_name(p, s - at.slice, inputs, out, size);
            blni_sum_number(sum, at.i, inputs, out, size);
            return;
        }
}

BLNI_PRIV void blni_sum_save(const bln_basis *b, bln_writer *w)
{
    const blni_sum *sum = (const blni_sum *)b;
    bln_put_u64(w, sum->n);
    for (size_t i = 0; i < sum->n; i++) bln_basis_save(sum->parts[i], w);
}

BLNI_PRIV bln_status blni_sum_load(const bln_basis_load *context, bln_reader *r, bln_basis **out);

BLNI_PRIV void blni_sum_release(bln_basis *b)
{
    blni_sum *sum = (blni_sum *)b;
    for (size_t i = 0; i < sum->n; i++) bln_basis_free(sum->parts[i]);
    blni_basis_release(b);
}

BLNI_PRIV void blni_sum_low(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                            const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work)
{
    const blni_sum *sum = (const blni_sum *)b;
    blni_sum_at at;
    for (const bln_basis *p = blni_sum_first(sum, &at); p; p = blni_sum_next(sum, &at))
        p->ops->features_low(p, p->n_theta ? theta + at.theta : NULL, n, X, ldx, Phi + at.D, ldphi, Low + at.D, ldlow, work);
}

/* [1] if all parts have low words. */
static const bln_basis_ops blni_sum_ops[2] = {
    { "sum", blni_sum_features, blni_sum_pullback, blni_sum_work, blni_sum_param, blni_sum_slice, blni_sum_feature_name,
      blni_sum_param_name, blni_sum_slice_name, blni_sum_save, blni_sum_load, blni_sum_release, NULL },
    { "sum", blni_sum_features, blni_sum_pullback, blni_sum_work, blni_sum_param, blni_sum_slice, blni_sum_feature_name,
      blni_sum_param_name, blni_sum_slice_name, blni_sum_save, blni_sum_load, blni_sum_release, blni_sum_low }
};

/* ---- column selection (B11) ---- */

typedef struct blni_columns { blni_owned own; size_t k; const size_t *columns; bln_basis *part; } blni_columns;

/* work: the gathered block (n x k), the same for its gradient, then what the part needs. */
BLNI_PRIV size_t blni_columns_block(const blni_columns *c, size_t n) { return blni_pad(blni_mul(n, c->k)); }

BLNI_PRIV void blni_columns_gather(const blni_columns *c, size_t n, const double *X, size_t ldx, double *x)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < c->k; j++) x[i*c->k + j] = X[i*ldx + c->columns[j]];
}

BLNI_PRIV void blni_columns_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                     double *Phi, size_t ldphi, double *work)
{
    const blni_columns *c = (const blni_columns *)b;
    blni_columns_gather(c, n, X, ldx, work);
    bln_basis_features(c->part, theta, n, work, c->k, Phi, ldphi, work + 2*blni_columns_block(c, n));
}

BLNI_PRIV void blni_columns_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                     const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                     double *dtheta, double *dX, size_t lddx, double *work)
{
    const blni_columns *c = (const blni_columns *)b;
    const size_t k = c->k, block = blni_columns_block(c, n);
    double *x = work, *dx = dX ? work + block : NULL;
    blni_columns_gather(c, n, X, ldx, x);
    if (dx) for (size_t i = 0; i < n*k; i++) dx[i] = 0.0;
    bln_basis_pullback(c->part, theta, n, x, k, Phi, ldphi, F, ldf, dtheta, dx, k, work + 2*block);
    if (dx)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < k; j++) dX[i*lddx + c->columns[j]] += dx[i*k + j];
}

BLNI_PRIV size_t blni_columns_work(const bln_basis *b, size_t n)
{
    const blni_columns *c = (const blni_columns *)b;
    return blni_add(blni_mul(2, blni_columns_block(c, n)), bln_basis_work(c->part, n));
}

BLNI_PRIV bln_inputs blni_columns_view(const blni_columns *c, const bln_inputs *inputs)
{
    bln_inputs view = blni_inputs_of(NULL, NULL);
    view.columns = c->columns;
    view.whole = inputs;
    return view;
}

BLNI_PRIV void blni_columns_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    const blni_columns *c = (const blni_columns *)b;
    const bln_inputs view = blni_columns_view(c, inputs);
    c->part->ops->param(c->part, k, &view, out);
}

BLNI_PRIV size_t blni_columns_slice(const bln_basis *b, size_t s) { return bln_basis_slice(((const blni_columns *)b)->part, s); }

BLNI_PRIV void blni_columns_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_columns *c = (const blni_columns *)b;
    const bln_inputs view = blni_columns_view(c, inputs);
    blni_feature_name(c->part, j, &view, out, size);
}

BLNI_PRIV void blni_columns_param_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_columns *c = (const blni_columns *)b;
    const bln_inputs view = blni_columns_view(c, inputs);
    blni_param_name(c->part, k, &view, out, size);
}

/* "rbf of lat, lon" */
BLNI_PRIV void blni_columns_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_columns *c = (const blni_columns *)b;
    const bln_inputs view = blni_columns_view(c, inputs);
    blni_slice_name(c->part, s, &view, out, size);
    for (size_t j = 0; j < c->k; j++) {
        const size_t at = strlen(out);
        blni_cat(out, size, j ? ", " : " of ");
        if (strlen(out) + 1 >= size) { out[at] = '\0'; return; }
        bln_input_name(&view, j, out + strlen(out), size - strlen(out));
    }
}

BLNI_PRIV void blni_columns_save(const bln_basis *b, bln_writer *w)
{
    const blni_columns *c = (const blni_columns *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, c->k);
    for (size_t j = 0; j < c->k; j++) bln_put_u64(w, c->columns[j]);
    bln_basis_save(c->part, w);
}

BLNI_PRIV bln_status blni_columns_load(const bln_basis_load *context, bln_reader *r, bln_basis **out);

BLNI_PRIV void blni_columns_release(bln_basis *b)
{
    bln_basis_free(((blni_columns *)b)->part);
    blni_basis_release(b);
}

BLNI_PRIV void blni_columns_low(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work)
{
    const blni_columns *c = (const blni_columns *)b;
    blni_columns_gather(c, n, X, ldx, work);
    c->part->ops->features_low(c->part, theta, n, work, c->k, Phi, ldphi, Low, ldlow, work + 2*blni_columns_block(c, n));
}

/* [1] if the part has low words. */
static const bln_basis_ops blni_columns_ops[2] = {
    { "columns", blni_columns_features, blni_columns_pullback, blni_columns_work, blni_columns_param, blni_columns_slice,
      blni_columns_feature_name, blni_columns_param_name, blni_columns_slice_name, blni_columns_save, blni_columns_load,
      blni_columns_release, NULL },
    { "columns", blni_columns_features, blni_columns_pullback, blni_columns_work, blni_columns_param, blni_columns_slice,
      blni_columns_feature_name, blni_columns_param_name, blni_columns_slice_name, blni_columns_save, blni_columns_load,
      blni_columns_release, blni_columns_low }
};

/* ---- telling them apart ---- */

BLNI_PRIV int blni_is_sum(const bln_basis *b)     { return b->ops == &blni_sum_ops[0] || b->ops == &blni_sum_ops[1]; }
BLNI_PRIV int blni_is_columns(const bln_basis *b) { return b->ops == &blni_columns_ops[0] || b->ops == &blni_columns_ops[1]; }

/* Those made of others are taken apart here, for a part may have no save. */
BLN_API uint64_t bln_basis_fingerprint(const bln_basis *b)
{
    bln_writer w = bln_writer_over(NULL, NULL);
    if (!b) return 0;
    bln_put_string(&w, b->ops->name);
    bln_put_u64(&w, b->d);
    bln_put_u64(&w, b->D);
    bln_put_u64(&w, b->n_theta);
    bln_put_u64(&w, b->n_slices);
    if (blni_is_sum(b)) {
        const blni_sum *sum = (const blni_sum *)b;
        for (size_t i = 0; i < sum->n; i++) bln_put_u64(&w, bln_basis_fingerprint(sum->parts[i]));
    } else if (blni_is_columns(b)) {
        const blni_columns *c = (const blni_columns *)b;
        for (size_t j = 0; j < c->k; j++) bln_put_u64(&w, c->columns[j]);
        bln_put_u64(&w, bln_basis_fingerprint(c->part));
    } else if (b->ops->save) b->ops->save(b, &w);
    return w.checksum;
}

/* ---- making them ---- */

/* A user's basis counts as one without parts: what it nests is its own business. */
BLNI_PRIV size_t blni_basis_depth(const bln_basis *b)
{
    return blni_is_sum(b) || blni_is_columns(b) ? ((const blni_owned *)b)->depth : 0;
}

BLN_API bln_status bln_basis_sum(const bln_allocator *alloc, size_t n, bln_basis *const *parts, bln_basis **out, bln_report *report)
{
    size_t d = 0, D = 0, n_theta = 0, n_slices = 0, depth = 0;
    int low = 1;
    blni_owned *own = NULL;
    void *tail = NULL;
    bln_report_clear(report);
    if (n == 0 || !parts) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sum of bases: no parts");
    if (!out) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sum of bases: out is NULL");
    if (n > BLNI_BASIS_PARTS) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "sum of bases: more than 4096 parts");
    for (size_t i = 0; i < n; i++) {
        const bln_basis *p = parts[i];
        if (!p) return blni_fail(report, BLN_EINVAL, BLN_NONE, i, "sum of bases: a part is NULL");
        for (size_t k = 0; k < i; k++)
            if (parts[k] == p) return blni_fail(report, BLN_EINVAL, BLN_NONE, i, "sum of bases: a part stands twice");
        if (d && p->d && p->d != d)
            return blni_fail(report, BLN_ESHAPE, BLN_NONE, i, "sum of bases: a part reads another number of inputs");
        if (p->d) d = p->d;
        D = blni_add(D, p->D);
        n_theta = blni_add(n_theta, p->n_theta);
        n_slices = blni_add(n_slices, p->n_slices);
        depth = blni_max(depth, blni_basis_depth(p));
        low = low && p->ops->features_low;
    }
    if (depth >= BLNI_BASIS_DEPTH) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sum of bases: nested deeper than 16");
    if (D > (size_t)-1/sizeof(double))
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "sum of bases: too many features");
    const bln_status status = blni_basis_new(alloc, &blni_sum_ops[low], sizeof(blni_sum), blni_mul(n, sizeof *parts),
                                             &tail, &own);
    if (status != BLN_OK) return blni_basis_fail(report, status);
    blni_sum *sum = (blni_sum *)own;
    own->base.d = d;
    own->base.D = D;
    own->base.n_theta = n_theta;
    own->base.n_slices = n_slices;
    own->depth = depth + 1;
    sum->n = n;
    sum->parts = (bln_basis **)tail;
    for (size_t i = 0; i < n; i++) sum->parts[i] = parts[i];
    *out = &own->base;
    return BLN_OK;
}

BLNI_PRIV int blni_compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

BLN_API bln_status bln_basis_columns(const bln_allocator *alloc, size_t d, size_t k, const size_t *columns, bln_basis *part,
                                     bln_basis **out, bln_report *report)
{
    blni_owned *own = NULL;
    void *tail = NULL;
    bln_report_clear(report);
    if (!part || !out)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, part ? "column selection: out is NULL"
                                                                      : "column selection: the basis is NULL");
    if (k && !columns) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "column selection: columns is NULL");
    for (size_t j = 0; j < k; j++)
        if (columns[j] >= d)
            return blni_fail(report, BLN_EINVAL, BLN_NONE, columns[j], "column selection: there is no such column");
    if (part->d != k)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "column selection: the basis reads another number of inputs");
    if (blni_basis_depth(part) >= BLNI_BASIS_DEPTH)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "column selection: nested deeper than 16");
    const bln_basis_ops *ops = &blni_columns_ops[part->ops->features_low != NULL];
    const bln_status status = blni_basis_new(alloc, ops, sizeof(blni_columns), blni_mul(k, sizeof *columns), &tail, &own);
    if (status != BLN_OK) return blni_basis_fail(report, status);

    /* Sorted, equal columns are neighbours: a list of a million columns takes no longer than it must. */
    size_t *sorted = (size_t *)tail;
    for (size_t j = 0; j < k; j++) sorted[j] = columns[j];
    if (k > 1) qsort(sorted, k, sizeof *sorted, blni_compare_sizes);
    for (size_t j = 1; j < k; j++)
        if (sorted[j] == sorted[j - 1]) {
            const size_t twice = sorted[j];
            blni_basis_release(&own->base);
            return blni_fail(report, BLN_EINVAL, BLN_NONE, twice, "column selection: a column stands twice");
        }
    for (size_t j = 0; j < k; j++) sorted[j] = columns[j];

    blni_columns *c = (blni_columns *)own;
    own->base.d = d;
    own->base.D = part->D;
    own->base.n_theta = part->n_theta;
    own->base.n_slices = part->n_slices;
    own->depth = blni_basis_depth(part) + 1;
    c->k = k;
    c->columns = sorted;
    c->part = part;
    *out = &own->base;
    return BLN_OK;
}

/* ---- reading them ---- */

/* The status of a failed step of a loader, said once. */
BLNI_PRIV bln_status blni_load_fail(bln_reader *r, bln_status status)
{
    const char *why = "out of memory";
    if (status == BLN_EINVAL || status == BLN_ESHAPE) { status = BLN_EFORMAT; why = "a basis whose pieces do not fit together"; }
    if (status == BLN_EOVERFLOW) { status = BLN_EFORMAT; why = "a basis too large for this machine"; }
    return bln_reader_fail(r, status, why);
}

/* A flag is 0 or 1: anything else is damage. */
BLNI_PRIV int blni_load_flag(bln_reader *r)
{
    const uint32_t v = bln_get_u32(r);
    if (v > 1) bln_reader_fail(r, BLN_EFORMAT, "a flag that is neither 0 nor 1");
    return v == 1;
}

BLNI_PRIV bln_status blni_sum_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    bln_basis_load inner = *context;
    const size_t n = bln_get_count(r, 5, BLNI_BASIS_PARTS);            /* a part is at least a name of one character */
    size_t done = 0;
    if (r->status == BLN_OK && n == 0) bln_reader_fail(r, BLN_EFORMAT, "a sum of no bases");
    if (r->status != BLN_OK) return r->status;
    bln_basis **parts = (bln_basis **)blni_alloc(&context->alloc, n*sizeof *parts);
    bln_status status = parts ? BLN_OK : blni_load_fail(r, BLN_ENOMEM);
    inner.depth++;
    while (status == BLN_OK && done < n) {
        status = bln_basis_load_any(&inner, r, &parts[done]);
        if (status == BLN_OK) done++;
    }
    if (status == BLN_OK) {
        status = bln_basis_sum(&context->alloc, n, parts, out, NULL);
        if (status != BLN_OK) status = blni_load_fail(r, status);
    }
    if (status != BLN_OK) while (done) bln_basis_free(parts[--done]);
    blni_release(&context->alloc, parts, n*sizeof *parts);
    return status;
}

/* n 64-bit words in memory that grows as they arrive, so that a damaged count never becomes a large allocation. *capacity: words
 * allocated, also on failure (NULL). */
BLNI_PRIV uint64_t *blni_load_words(const bln_allocator *alloc, bln_reader *r, size_t n, size_t *capacity)
{
    size_t have = 0, room = blni_min(n, 4096);
    uint64_t *words = (uint64_t *)blni_alloc(alloc, room*sizeof *words);
    while (words && have < n && r->status == BLN_OK) {
        if (have == room) {
            const size_t more = n - room < room ? n : 2*room;
            uint64_t *bigger = (uint64_t *)blni_alloc(alloc, more*sizeof *words);
            if (bigger) memcpy(bigger, words, have*sizeof *words);
            blni_release(alloc, words, room*sizeof *words);
            words = bigger;
            room = more;
            if (!words) break;
        }
        for (; have < room; have++) words[have] = bln_get_u64(r);
    }
    *capacity = room;
    if (!words) blni_load_fail(r, BLN_ENOMEM);
    if (r->status != BLN_OK) {
        blni_release(alloc, words, room*sizeof *words);
        words = NULL;
    }
    return words;
}

BLNI_PRIV bln_status blni_columns_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    bln_basis_load inner = *context;
    bln_basis *part = NULL;
    const size_t d = bln_get_count(r, 0, (size_t)-1/sizeof(double)), k = bln_get_count(r, 8, d);
    size_t room = 0;
    if (r->status != BLN_OK) return r->status;
    uint64_t *words = blni_load_words(&context->alloc, r, k, &room);
    if (!words) return r->status;
    inner.depth++;
    bln_status status = bln_basis_load_any(&inner, r, &part);
    if (status == BLN_OK) {
        /* In place: a size_t is no larger than a word, and entry j is written after word j was read. */
        size_t *columns = (size_t *)(void *)words;
        for (size_t j = 0; j < k; j++) {
            uint64_t word;
            memcpy(&word, words + j, sizeof word);
            const size_t column = word < d ? (size_t)word : d;
            memcpy(columns + j, &column, sizeof column);
        }
        status = bln_basis_columns(&context->alloc, d, k, columns, part, out, NULL);
        if (status != BLN_OK) {
            bln_basis_free(part);
            status = blni_load_fail(r, status);
        }
    }
    blni_release(&context->alloc, words, room*sizeof *words);
    return status;
}

/* ---------------------------------------------------------------- src/basis/basis_lengths.c */
/* basis_lengths: what all bases with length scales share: one of them, or one for each input; where they start; their names
 *
 * n_theta is 1 or d; with d = 1 both are the same. */

/* The scale of the start: sqrt(d) sd_i (B37), for one length scale sqrt(d) times the root mean square of the sds. Constant columns
 * have no scale: they do not count, and 1 stands where nothing else does. Far from the ends of the number range, so that the domain
 * is finite. */
BLNI_PRIV double blni_length_size(const bln_basis *b, size_t k, const bln_inputs *inputs)
{
    const size_t first = b->n_theta > 1 ? k : 0, last = b->n_theta > 1 ? k + 1 : b->d;
    double most = 0.0, sum = 0.0, count = 0.0;
    for (size_t i = first; i < last; i++) {
        const double sd = bln_input_sd(inputs, i);
        if (sd > most && blni_finite(sd)) most = sd;
    }
    for (size_t i = first; i < last && most > 0.0; i++) {
        const double sd = bln_input_sd(inputs, i);
        if (!(sd > 0.0) || !blni_finite(sd)) continue;
        sum += (sd/most)*(sd/most);
        count += 1.0;
    }
    const double rms = count > 0.0 ? most*sqrt(sum/count) : 1.0;
    return fmin(fmax(sqrt((double)b->d)*rms, 1e-150), 1e150);
}

/* 1e4 times the scale is long enough to switch an input off, 1e-4 short enough for functions far rougher than data can show. The
 * start is in the middle, where a step of the optimiser is a step in log l. A start of the user's (own > 0) far from the data's
 * scale widens the domain. */
BLNI_PRIV void blni_length_param(const bln_basis *b, double own, size_t k, const bln_inputs *inputs, bln_param *out)
{
    const double size = blni_length_size(b, k, inputs), start = own > 0.0 ? own : size;
    out->kind = BLN_PARAM_LOG;
    out->lo = fmin(1e-4*size, 1e-2*start);
    out->hi = fmax(1e4*size, 1e2*start);
    out->start = start;
    out->group = 1;
}

/* May it be the start of a length scale: 0 (from the data), or not too far from 1? */
BLNI_PRIV int blni_length_ok(double own) { return own == 0.0 || (own >= 1e-150 && own <= 1e150); }

BLNI_PRIV void blni_length_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    blni_cat(out, size, "length scale");
    if (b->n_theta < b->d || b->d == 1) return;
    blni_cat(out, size, " ");
    bln_input_name(inputs, k, out + strlen(out), size - strlen(out));
}

/* n finite doubles of a file into `to`, which has room for them; `why` for those that are not finite. */
BLNI_PRIV bln_status blni_load_doubles(const bln_allocator *alloc, bln_reader *r, size_t n, const char *why, double **out,
                                       size_t *capacity)
{
    uint64_t *words = blni_load_words(alloc, r, n, capacity);
    double *values = (double *)(void *)words;
    *out = values;
    for (size_t i = 0; words && i < n && r->status == BLN_OK; i++) {
        double value;
        memcpy(&value, words + i, sizeof value);
        memcpy(values + i, &value, sizeof value);
        if (!blni_finite(value)) bln_reader_fail(r, BLN_EFORMAT, why);
    }
    if (words && r->status != BLN_OK) {
        blni_release(alloc, words, *capacity*sizeof *words);
        *out = NULL;
    }
    return r->status;
}

/* ---------------------------------------------------------------- src/basis/polynomial.c */
/* polynomial: bias, linear, polynomial and Legendre bases
 *
 * Monomials with products are made degree by degree: those of degree t whose first input is x_i are x_i times those of degree t - 1
 * in x_i, x_{i+1}, ..., which stand together at the end of the block of degree t - 1. So each feature costs one product, and the
 * chain rule runs the same products backwards. */

#define BLNI_2_POW_995  3.3484643974570854e+299
#define BLNI_2_POW_M968 4.008336720017946e-292

typedef struct blni_poly { blni_owned own; size_t degree; int ones, interactions; } blni_poly;

/* ---- bias and linear: the cases of degree 0 and 1 that have a name of their own ---- */

BLNI_PRIV void blni_linear_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                    double *Phi, size_t ldphi, double *work)
{
    const size_t first = b->D - b->d;
    (void)theta; (void)work;
    for (size_t i = 0; i < n; i++) {
        if (first) Phi[i*ldphi] = 1.0;
        for (size_t j = 0; j < b->d; j++) Phi[i*ldphi + first + j] = X[i*ldx + j];
    }
}

BLNI_PRIV void blni_linear_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                    const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                    double *dtheta, double *dX, size_t lddx, double *work)
{
    const size_t first = b->D - b->d;
    (void)theta; (void)X; (void)ldx; (void)Phi; (void)ldphi; (void)dtheta; (void)work;
    if (!dX) return;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < b->d; j++) dX[i*lddx + j] += F[i*ldf + first + j];
}

BLNI_PRIV void blni_linear_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const size_t first = b->D - b->d;
    if (j < first) blni_cat(out, size, "1");
    else bln_input_name(inputs, j - first, out, size);
}

BLNI_PRIV void blni_linear_low(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                               const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work)
{
    (void)theta; (void)X; (void)ldx; (void)Phi; (void)ldphi; (void)work;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < b->D; j++) Low[i*ldlow + j] = 0.0;
}

BLNI_PRIV void blni_bias_save(const bln_basis *b, bln_writer *w) { (void)b; (void)w; }

BLNI_PRIV void blni_linear_save(const bln_basis *b, bln_writer *w)
{
    bln_put_u64(w, b->d);
    bln_put_u32(w, b->D > b->d);
}

BLNI_PRIV bln_status blni_bias_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    const bln_status status = bln_bias_create(&context->alloc, out);
    return status == BLN_OK ? status : blni_load_fail(r, status);
}

BLNI_PRIV bln_status blni_linear_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    const size_t d = bln_get_count(r, 0, (size_t)-1);
    const int ones = blni_load_flag(r);
    if (r->status != BLN_OK) return r->status;
    const bln_status status = bln_linear_create(&context->alloc, d, ones, out);
    return status == BLN_OK ? status : blni_load_fail(r, status);
}

static const bln_basis_ops blni_bias_ops = {
    "bias", blni_linear_features, blni_linear_pullback, NULL, NULL, NULL,
    blni_linear_name, NULL, NULL, blni_bias_save, blni_bias_load, blni_basis_release, blni_linear_low
};

static const bln_basis_ops blni_linear_ops = {
    "linear", blni_linear_features, blni_linear_pullback, NULL, NULL, NULL,
    blni_linear_name, NULL, NULL, blni_linear_save, blni_linear_load, blni_basis_release, blni_linear_low
};

BLNI_PRIV bln_status blni_poly_new(const bln_allocator *alloc, const bln_basis_ops *ops, size_t d, size_t D, size_t degree,
                                   int ones, int interactions, bln_basis **out)
{
    blni_owned *own = NULL;
    if (D > (size_t)-1/sizeof(double)) return BLN_EOVERFLOW;
    const bln_status status = blni_basis_new(alloc, ops, sizeof(blni_poly), 0, NULL, &own);
    if (status != BLN_OK) return status;
    blni_poly *p = (blni_poly *)own;
    own->base.d = d;
    own->base.D = D;
    p->degree = degree;
    p->ones = ones != 0;
    p->interactions = interactions != 0;
    *out = &own->base;
    return BLN_OK;
}

BLN_API bln_status bln_bias_create(const bln_allocator *alloc, bln_basis **out)
{
    return out ? blni_poly_new(alloc, &blni_bias_ops, 0, 1, 0, 1, 0, out) : BLN_EINVAL;
}

BLN_API bln_status bln_linear_create(const bln_allocator *alloc, size_t d, int ones, bln_basis **out)
{
    if ((d == 0 && !ones) || !out) return BLN_EINVAL;
    return blni_poly_new(alloc, &blni_linear_ops, d, blni_add(d, ones ? 1 : 0), 1, ones, 0, out);
}

/* ---- polynomial (B4) ---- */

BLNI_PRIV size_t blni_gcd(size_t a, size_t b)
{
    while (b) { const size_t r = a % b; a = b; b = r; }
    return a;
}

/* C(n, k), SIZE_MAX if it is larger than that. Each step is c (n-k+i)/i with common factors taken out first, so that nothing
 * overflows but the result itself. */
BLNI_PRIV size_t blni_choose(size_t n, size_t k)
{
    size_t c = 1;
    k = blni_min(k, n - k);
    for (size_t i = 1; i <= k && c != (size_t)-1; i++) {
        const size_t over = n - k + i, g = blni_gcd(over, i);
        c = blni_mul(c/(i/g), over/g);
    }
    return c;
}

/* Monomials of degree t in m inputs. */
BLNI_PRIV size_t blni_monomials(size_t m, size_t t)
{
    if (m == 0) return t == 0;
    return blni_choose(blni_add(m - 1, t), t);
}

/* With products: work holds start[0..d] of one degree t: where, inside the block of degree t, the monomials without x_0..x_{i-1}
 * begin. (Whole numbers below 2^53, kept in doubles because workspace is doubles.) Degree 0 is the one monomial 1, which is in all
 * of them. */
BLNI_PRIV void blni_starts_first(size_t d, double *start)
{
    for (size_t i = 0; i < d; i++) start[i] = 0.0;
    start[d] = 1.0;
}

/* From degree t - 1 to t: block i of degree t holds as many as there are from start[i] on. */
BLNI_PRIV void blni_starts_up(size_t d, double *start)
{
    double at = 0.0;
    const double end = start[d];
    for (size_t i = 0; i < d; i++) {
        const double length = end - start[i];
        start[i] = at;
        at += length;
    }
    start[d] = at;
}

/* And back: the block of x_0 is x_0 times all of degree t - 1. */
BLNI_PRIV void blni_starts_down(size_t d, double *start)
{
    const double end = start[1] - start[0];
    for (size_t i = 0; i < d; i++) start[i] = end - (start[i + 1] - start[i]);
    start[d] = end;
}

/* One row: phi of degree t from phi of degree t - 1 (NULL: t = 1, whose block of degree 0 is the number 1). */
BLNI_PRIV void blni_monomials_up(size_t d, const double *x, const double *start, const double *below, double *block)
{
    const size_t end = (size_t)start[d];
    size_t at = 0;
    for (size_t i = 0; i < d; i++)
        for (size_t k = (size_t)start[i]; k < end; k++) block[at++] = x[i]*(below ? below[k] : 1.0);
}

BLNI_PRIV void blni_products_features(const blni_poly *p, size_t n, const double *X, size_t ldx, double *Phi, size_t ldphi,
                                      double *start)
{
    const size_t d = p->own.base.d;
    size_t below = 0, at = p->ones ? 1 : 0;              /* first features of degrees t - 1 and t */
    blni_starts_first(d, start);
    if (p->ones) for (size_t i = 0; i < n; i++) Phi[i*ldphi] = 1.0;
    for (size_t t = 1; t <= p->degree; t++) {
        for (size_t i = 0; i < n; i++)
            blni_monomials_up(d, X + i*ldx, start, t == 1 ? NULL : Phi + i*ldphi + below, Phi + i*ldphi + at);
        blni_starts_up(d, start);
        below = at;
        at += (size_t)start[d];
    }
}

/* Reverse mode: G starts as F and collects dL/d(phi) of the features that are factors of others. */
BLNI_PRIV void blni_products_pullback(const blni_poly *p, size_t n, const double *X, size_t ldx, const double *Phi, size_t ldphi,
                                      const double *F, size_t ldf, double *dX, size_t lddx, double *work)
{
    const size_t d = p->own.base.d, D = p->own.base.D;
    double *start = work, *G = work + blni_pad(blni_add(d, 1));
    blni_starts_first(d, start);
    for (size_t t = 1; t <= p->degree; t++) blni_starts_up(d, start);
    for (size_t r = 0; r < n; r++) {
        const double *x = X + r*ldx, *phi = Phi + r*ldphi;
        double *dx = dX + r*lddx;
        size_t at = D;
        for (size_t j = 0; j < D; j++) G[j] = F[r*ldf + j];
        for (size_t t = p->degree; t >= 1; t--) {
            at -= (size_t)start[d];
            blni_starts_down(d, start);
            const size_t end = (size_t)start[d], below = t > 1 ? at - end : 0;
            size_t j = at;
            for (size_t i = 0; i < d; i++)
                for (size_t k = (size_t)start[i]; k < end; k++, j++) {
                    if (t == 1) { dx[i] += G[j]; continue; }
                    dx[i] += G[j]*phi[below + k];
                    G[below + k] += G[j]*x[i];
                }
        }
        for (size_t t = 1; t <= p->degree; t++) blni_starts_up(d, start);
    }
}

BLNI_PRIV void blni_poly_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                  double *Phi, size_t ldphi, double *work)
{
    const blni_poly *p = (const blni_poly *)b;
    (void)theta;
    if (p->interactions) { blni_products_features(p, n, X, ldx, Phi, ldphi, work); return; }
    for (size_t r = 0; r < n; r++) {
        double *phi = Phi + r*ldphi;
        if (p->ones) *phi++ = 1.0;
        for (size_t i = 0; i < b->d; i++) {
            double power = 1.0;
            for (size_t k = 0; k < p->degree; k++) *phi++ = power *= X[r*ldx + i];
        }
    }
}

BLNI_PRIV void blni_poly_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                  const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                  double *dtheta, double *dX, size_t lddx, double *work)
{
    const blni_poly *p = (const blni_poly *)b;
    const size_t first = p->ones ? 1 : 0;
    (void)theta; (void)dtheta;
    if (!dX) return;
    if (p->interactions) { blni_products_pullback(p, n, X, ldx, Phi, ldphi, F, ldf, dX, lddx, work); return; }
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < b->d; i++) {
            const double *phi = Phi + r*ldphi + first + i*p->degree, *f = F + r*ldf + first + i*p->degree;
            double sum = f[0];
            for (size_t k = 1; k < p->degree; k++) sum += f[k]*(double)(k + 1)*phi[k - 1];      /* d x^{k+1} / dx = (k+1) x^k */
            dX[r*lddx + i] += sum;
        }
}

#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#endif

/* a b - fl(a b), exactly: each factor is cut into two halves of at most 26 bits, whose products are exact, and so is each
 * difference from the left. [Dekker 1971; Veltkamp] Cutting overflows from 2^996 on, and errors below 2^-1074 are no doubles: 0
 * then. */
BLNI_EXACT BLNI_PRIV double blni_product_error(double a, double b, double product)
{
    BLNI_EXACT_BODY
    const double split = 134217729.0;                              /* 2^27 + 1 */
    if (!(fmax(fabs(a), fabs(b)) < BLNI_2_POW_995 && fabs(product) < BLNI_2_POW_995 && fabs(product) > BLNI_2_POW_M968)) return 0.0;
    const double as = split*a, bs = split*b;
    const double a1 = as - (as - a), a0 = a - a1, b1 = bs - (bs - b), b0 = b - b1;
    return ((a1*b1 - product) + a1*b0 + a0*b1) + a0*b0;
}

#if defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(on)
#endif

/* The low word of x (high + low), whose high word is fl(x high). */
BLNI_PRIV double blni_power_low(double x, double high, double low, double product)
{
    const double error = blni_product_error(x, high, product), rest = x*low;
    return blni_finite(rest) ? error + rest : error;
}

/* As the features are made, product by product. */
BLNI_PRIV void blni_products_low(const blni_poly *p, size_t n, const double *X, size_t ldx, const double *Phi, size_t ldphi,
                                 double *Low, size_t ldlow, double *start)
{
    const size_t d = p->own.base.d;
    size_t below = 0, at = p->ones ? 1 : 0;
    blni_starts_first(d, start);
    for (size_t t = 1; t <= p->degree; t++) {
        const size_t end = (size_t)start[d];
        for (size_t r = 0; r < n; r++) {
            const double *phi = Phi + r*ldphi;
            double *low = Low + r*ldlow;
            size_t j = at;
            for (size_t i = 0; i < d; i++)
                for (size_t k = (size_t)start[i]; k < end; k++, j++)
                    low[j] = t == 1 ? 0.0 : blni_power_low(X[r*ldx + i], phi[below + k], low[below + k], phi[j]);
        }
        blni_starts_up(d, start);
        below = at;
        at += (size_t)start[d];
    }
}

BLNI_PRIV void blni_poly_low(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                             const double *Phi, size_t ldphi, double *Low, size_t ldlow, double *work)
{
    const blni_poly *p = (const blni_poly *)b;
    (void)theta;
    if (p->ones) for (size_t r = 0; r < n; r++) Low[r*ldlow] = 0.0;
    if (p->interactions) { blni_products_low(p, n, X, ldx, Phi, ldphi, Low, ldlow, work); return; }
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < b->d; i++) {
            const size_t first = (p->ones ? 1 : 0) + i*p->degree;
            const double x = X[r*ldx + i], *phi = Phi + r*ldphi + first;
            double *low = Low + r*ldlow + first;
            low[0] = 0.0;
            for (size_t k = 1; k < p->degree; k++) low[k] = blni_power_low(x, phi[k - 1], low[k - 1], phi[k]);
        }
}

BLNI_PRIV size_t blni_poly_work(const bln_basis *b, size_t n)
{
    (void)n;
    return ((const blni_poly *)b)->interactions ? blni_add(blni_pad(blni_add(b->d, 1)), b->D) : 0;
}

/* "x^3" as a factor of a name. */
BLNI_PRIV void blni_power_name(const bln_inputs *inputs, size_t i, size_t power, char *out, size_t size)
{
    const size_t at = strlen(out);
    if (power == 0) return;
    if (at) blni_cat(out, size, " ");
    bln_input_name(inputs, i, out + strlen(out), size - strlen(out));
    if (power == 1) return;
    blni_cat(out, size, "^");
    blni_cat_size(out, size, power);
}

BLNI_PRIV void blni_poly_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_poly *p = (const blni_poly *)b;
    if (p->ones && j-- == 0) { blni_cat(out, size, "1"); return; }
    if (!p->interactions) { blni_power_name(inputs, j/p->degree, j%p->degree + 1, out, size); return; }
    size_t t = 1, i = 0, power = 0;
    for (size_t count; (count = blni_monomials(b->d, t)) <= j; t++) j -= count;
    /* Those that begin with x_i come first: as many as there are monomials of degree t - 1 in x_i, x_{i+1}, ... */
    while (t) {
        const size_t with = blni_monomials(b->d - i, t - 1);
        if (j < with) { power++; t--; continue; }
        blni_power_name(inputs, i, power, out, size);
        j -= with;
        i++;
        power = 0;
    }
    blni_power_name(inputs, i, power, out, size);
}

BLNI_PRIV void blni_poly_save(const bln_basis *b, bln_writer *w)
{
    const blni_poly *p = (const blni_poly *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, p->degree);
    bln_put_u32(w, p->ones != 0);
    bln_put_u32(w, p->interactions != 0);
}

BLNI_PRIV bln_status blni_poly_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    const size_t d = bln_get_count(r, 0, (size_t)-1), degree = bln_get_count(r, 0, (size_t)-1);
    const int ones = blni_load_flag(r), interactions = blni_load_flag(r);
    if (r->status != BLN_OK) return r->status;
    const bln_status status = bln_polynomial_create(&context->alloc, d, degree, ones, interactions, out);
    return status == BLN_OK ? status : blni_load_fail(r, status);
}

static const bln_basis_ops blni_poly_ops = {
    "polynomial", blni_poly_features, blni_poly_pullback, blni_poly_work, NULL, NULL,
    blni_poly_name, NULL, NULL, blni_poly_save, blni_poly_load, blni_basis_release, blni_poly_low
};

BLN_API bln_status bln_polynomial_create(const bln_allocator *alloc, size_t d, size_t degree, int ones, int interactions,
                                         bln_basis **out)
{
    if (d == 0 || degree == 0 || !out) return BLN_EINVAL;
    size_t D = blni_mul(d, degree);                        /* >= as many again, and more with products */
    if (D == (size_t)-1) return BLN_EOVERFLOW;
    if (interactions) {
        const size_t all = blni_add(d, degree) == (size_t)-1 ? (size_t)-1 : blni_choose(d + degree, degree);
        if (all == (size_t)-1) return BLN_EOVERFLOW;
        D = all - 1;
    }
    return blni_poly_new(alloc, &blni_poly_ops, d, blni_add(D, ones ? 1 : 0), degree, ones, interactions, out);
}

/* ---- Legendre (B5) ---- */

typedef struct blni_legendre { blni_owned own; size_t degree; int ones; double *lo, *hi; } blni_legendre;

/* t of input i at x: both differences, so that the ends map to -1 and 1 exactly. */
BLNI_PRIV double blni_legendre_map(const blni_legendre *p, size_t i, double x)
{
    return ((x - p->lo[i]) - (p->hi[i] - x))/(p->hi[i] - p->lo[i]);
}

BLNI_PRIV void blni_legendre_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                      double *Phi, size_t ldphi, double *work)
{
    const blni_legendre *p = (const blni_legendre *)b;
    (void)theta; (void)work;
    for (size_t r = 0; r < n; r++) {
        double *phi = Phi + r*ldphi;
        if (p->ones) *phi++ = 1.0;
        for (size_t i = 0; i < b->d; i++) {
            const double t = blni_legendre_map(p, i, X[r*ldx + i]);
            double before = 1.0, value = t;                        /* P_{k-1}, P_k */
            for (size_t k = 1; k <= p->degree; k++) {
                const double m = (double)k, after = ((2.0*m + 1.0)*t*value - m*before)/(m + 1.0);
                *phi++ = sqrt(2.0*m + 1.0)*value;
                before = value;
                value = after;
            }
        }
    }
}

/* P'_{k+1} = P'_{k-1} + (2k+1) P_k, P'_0 = 0, P'_1 = 1 (DLMF 18.9.19 in its Legendre form). */
BLNI_PRIV void blni_legendre_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                      const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                      double *dtheta, double *dX, size_t lddx, double *work)
{
    const blni_legendre *p = (const blni_legendre *)b;
    (void)theta; (void)Phi; (void)ldphi; (void)dtheta; (void)work;
    if (!dX) return;
    for (size_t r = 0; r < n; r++) {
        const double *f = F + r*ldf + (p->ones ? 1 : 0);
        for (size_t i = 0; i < b->d; i++) {
            const double t = blni_legendre_map(p, i, X[r*ldx + i]);
            double before = 1.0, value = t, slope_before = 0.0, slope = 1.0, sum = 0.0;
            for (size_t k = 1; k <= p->degree; k++) {
                const double m = (double)k, after = ((2.0*m + 1.0)*t*value - m*before)/(m + 1.0);
                const double slope_after = slope_before + (2.0*m + 1.0)*value;
                sum += *f++*sqrt(2.0*m + 1.0)*slope;
                before = value;
                value = after;
                slope_before = slope;
                slope = slope_after;
            }
            dX[r*lddx + i] += 2.0*sum/(p->hi[i] - p->lo[i]);
        }
    }
}

/* "P3(age)" */
BLNI_PRIV void blni_legendre_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_legendre *p = (const blni_legendre *)b;
    if (p->ones && j-- == 0) { blni_cat(out, size, "1"); return; }
    blni_cat(out, size, "P");
    blni_cat_size(out, size, j%p->degree + 1);
    blni_cat(out, size, "(");
    bln_input_name(inputs, j/p->degree, out + strlen(out), size - strlen(out));
    blni_cat(out, size, ")");
}

BLNI_PRIV void blni_legendre_save(const bln_basis *b, bln_writer *w)
{
    const blni_legendre *p = (const blni_legendre *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, p->degree);
    bln_put_u32(w, p->ones != 0);
    bln_put_doubles(w, b->d, p->lo);
    bln_put_doubles(w, b->d, p->hi);
}

BLNI_PRIV bln_status blni_legendre_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    double *ends = NULL;
    size_t room = 0;
    const size_t d = bln_get_count(r, 0, (size_t)-1/sizeof(double)/2), degree = bln_get_count(r, 0, (size_t)-1);
    const int ones = blni_load_flag(r);
    if (r->status != BLN_OK) return r->status;
    if (blni_load_doubles(&context->alloc, r, 2*d, "a bound of a Legendre basis is not finite", &ends, &room) != BLN_OK)
        return r->status;
    bln_status status = bln_legendre_create(&context->alloc, d, degree, ones, ends, ends + d, out);
    blni_release(&context->alloc, ends, room*sizeof *ends);
    if (status == BLN_EDOMAIN) status = BLN_EINVAL;
    return status == BLN_OK ? status : blni_load_fail(r, status);
}

static const bln_basis_ops blni_legendre_ops = {
    "legendre", blni_legendre_features, blni_legendre_pullback, NULL, NULL, NULL,
    blni_legendre_name, NULL, NULL, blni_legendre_save, blni_legendre_load, blni_basis_release, NULL
};

BLN_API bln_status bln_legendre_create(const bln_allocator *alloc, size_t d, size_t degree, int ones, const double *lo,
                                       const double *hi, bln_basis **out)
{
    blni_owned *own = NULL;
    void *tail = NULL;
    const size_t D = blni_add(blni_mul(d, degree), ones ? 1 : 0);
    if (d == 0 || degree == 0 || !lo != !hi || !out) return BLN_EINVAL;
    if (D > (size_t)-1/sizeof(double) || d > (size_t)-1/sizeof(double)/2) return BLN_EOVERFLOW;
    for (size_t i = 0; lo && i < d; i++)
        if (!(lo[i] < hi[i]) || !blni_finite(lo[i]) || !blni_finite(hi[i]) || !blni_finite(hi[i] - lo[i])) return BLN_EDOMAIN;
    const bln_status status = blni_basis_new(alloc, &blni_legendre_ops, sizeof(blni_legendre), 2*d*sizeof(double), &tail, &own);
    if (status != BLN_OK) return status;
    blni_legendre *p = (blni_legendre *)own;
    own->base.d = d;
    own->base.D = D;
    p->degree = degree;
    p->ones = ones != 0;
    p->lo = (double *)tail;
    p->hi = p->lo + d;
    for (size_t i = 0; i < d; i++) {
        p->lo[i] = lo ? lo[i] : -1.0;
        p->hi[i] = hi ? hi[i] : 1.0;
    }
    *out = &own->base;
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/basis/radial.c */
/* radial: bumps and steps around centres
 *
 * Centres are kept with one row for each input, so that the loops over them have unit stride. Everything is done row by row: a row
 * of squared distances where the features will be, then their exponentials. The chain rule makes the distances again instead of
 * taking logarithms of Phi, which has lost them where it is near 0 or 1. */

typedef struct blni_radial {
    blni_owned      own;
    size_t          n;
    bln_radial_form form;
    double          length_scale;      /* the user's start, 0: from the data */
    double         *c;                 /* d x n                              */
} blni_radial;

BLNI_PRIV double blni_radial_length(const bln_basis *b, const double *theta, size_t i) { return theta[b->n_theta > 1 ? i : 0]; }

/* rho_j^2 of one row. */
BLNI_PRIV void blni_radial_squares(const blni_radial *f, const double *theta, const double *x, double *BLNI_RESTRICT squares)
{
    const size_t n = f->n;
    for (size_t j = 0; j < n; j++) squares[j] = 0.0;
    for (size_t i = 0; i < f->own.base.d; i++) {
        const double *BLNI_RESTRICT c = f->c + i*n;
        const double l = blni_radial_length(&f->own.base, theta, i);
        for (size_t j = 0; j < n; j++) {
            const double u = (x[i] - c[j])/l;
            squares[j] += u*u;
        }
    }
}

/* sigma(u) and its derivative, without cancellation on either side. */
BLNI_PRIV double blni_sigma(double u)
{
    const double e = exp(-fabs(u));
    return u >= 0.0 ? 1.0/(1.0 + e) : e/(1.0 + e);
}

BLNI_PRIV double blni_sigma_slope(double u)
{
    const double e = exp(-fabs(u));
    return e/((1.0 + e)*(1.0 + e));
}

BLNI_PRIV void blni_radial_features(const bln_basis *b, const double *theta, size_t rows, const double *X, size_t ldx,
                                    double *Phi, size_t ldphi, double *work)
{
    const blni_radial *f = (const blni_radial *)b;
    const size_t d = b->d, n = f->n;
    (void)work;
    for (size_t r = 0; r < rows; r++) {
        const double *x = X + r*ldx;
        double *phi = Phi + r*ldphi;
        if (f->form == BLN_RADIAL_RIDGE) {
            for (size_t i = 0; i < d; i++) {
                const double l = blni_radial_length(b, theta, i);
                for (size_t j = 0; j < n; j++) phi[i*n + j] = blni_sigma((x[i] - f->c[i*n + j])/l);
            }
            continue;
        }
        blni_radial_squares(f, theta, x, phi);
        if (f->form == BLN_RADIAL) for (size_t j = 0; j < n; j++) phi[j] = exp(-0.5*phi[j]);
        else for (size_t j = 0; j < n; j++) phi[j] = blni_sigma(sqrt(phi[j]));
    }
}

/* dphi_j/dl_i = -s_j u_ji^2/l_i and dphi_j/dx_i = s_j u_ji/l_i, where s_j = -phi_j for the bump and sigma'(rho)/rho for the
 * sigmoid, 0 at rho = 0 (B7, B9); for the ridge -sigma'(u) u/l_i and sigma'(u)/l_i. q: F_j s_j of a row; a product with u taken one
 * by one stays 0 where u is so large that its square overflows. */
BLNI_PRIV void blni_radial_add(const bln_basis *b, const double *q, const double *c, double x, double l, size_t i,
                               double *dtheta, double *dx)
{
    double scale = 0.0, slope = 0.0;
    for (size_t j = 0; j < ((const blni_radial *)b)->n; j++) {
        const double u = (x - c[j])/l, t = q[j]*u;
        slope += t;
        scale += t*u;
    }
    if (dtheta) dtheta[b->n_theta > 1 ? i : 0] -= scale/l;
    if (dx) dx[i] += slope/l;
}

BLNI_PRIV void blni_ridge_add(const bln_basis *b, const double *F, const double *c, double x, double l, size_t i,
                              double *dtheta, double *dx)
{
    double scale = 0.0, slope = 0.0;
    for (size_t j = 0; j < ((const blni_radial *)b)->n; j++) {
        const double u = (x - c[j])/l, t = F[j]*blni_sigma_slope(u);
        slope += t;
        scale += t*u;
    }
    if (dtheta) dtheta[b->n_theta > 1 ? i : 0] -= scale/l;
    if (dx) dx[i] += slope/l;
}

BLNI_PRIV void blni_radial_pullback(const bln_basis *b, const double *theta, size_t rows, const double *X, size_t ldx,
                                    const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                    double *dtheta, double *dX, size_t lddx, double *work)
{
    const blni_radial *f = (const blni_radial *)b;
    const size_t d = b->d, n = f->n;
    double *q = work;
    for (size_t r = 0; r < rows; r++) {
        const double *x = X + r*ldx, *phi = Phi + r*ldphi, *g = F + r*ldf;
        double *dx = dX ? dX + r*lddx : NULL;
        if (f->form == BLN_RADIAL)
            for (size_t j = 0; j < n; j++) q[j] = -g[j]*phi[j];
        if (f->form == BLN_RADIAL_SIGMOID) {
            blni_radial_squares(f, theta, x, q);
            for (size_t j = 0; j < n; j++) {
                const double rho = sqrt(q[j]);
                q[j] = rho > 0.0 ? g[j]*blni_sigma_slope(rho)/rho : 0.0;
            }
        }
        for (size_t i = 0; i < d; i++) {
            const double l = blni_radial_length(b, theta, i);
            if (f->form == BLN_RADIAL_RIDGE) blni_ridge_add(b, g + i*n, f->c + i*n, x[i], l, i, dtheta, dx);
            else blni_radial_add(b, q, f->c + i*n, x[i], l, i, dtheta, dx);
        }
    }
}

BLNI_PRIV size_t blni_radial_work(const bln_basis *b, size_t rows)
{
    (void)rows;
    return ((const blni_radial *)b)->n;
}

BLNI_PRIV void blni_radial_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    blni_length_param(b, ((const blni_radial *)b)->length_scale, k, inputs, out);
}

/* ---- names, files ---- */

BLNI_PRIV const char *blni_radial_word(const blni_radial *f)
{
    return f->form == BLN_RADIAL ? "radial" : f->form == BLN_RADIAL_SIGMOID ? "sigmoid" : "ridge";
}

/* "radial 3" by the number of the centre; "ridge age 3" */
BLNI_PRIV void blni_radial_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_radial *f = (const blni_radial *)b;
    blni_cat(out, size, blni_radial_word(f));
    blni_cat(out, size, " ");
    if (f->form == BLN_RADIAL_RIDGE) {
        const size_t at = strlen(out);
        bln_input_name(inputs, j/f->n, out + at, size - at);
        blni_cat(out, size, " ");
    }
    blni_cat_size(out, size, j % f->n);
}

BLNI_PRIV void blni_radial_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    (void)s; (void)inputs;
    blni_cat(out, size, blni_radial_word((const blni_radial *)b));
}

BLNI_PRIV void blni_radial_save(const bln_basis *b, bln_writer *w)
{
    const blni_radial *f = (const blni_radial *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, f->n);
    bln_put_u32(w, (uint32_t)f->form);
    bln_put_u32(w, b->n_theta == b->d);
    bln_put_double(w, f->length_scale);
    for (size_t j = 0; j < f->n; j++)
        for (size_t i = 0; i < b->d; i++) bln_put_double(w, f->c[i*f->n + j]);
}

BLNI_PRIV bln_status blni_radial_load(const bln_basis_load *context, bln_reader *r, bln_basis **out);

static const bln_basis_ops blni_radial_ops = {
    "radial", blni_radial_features, blni_radial_pullback, blni_radial_work, blni_radial_param, NULL,
    blni_radial_feature_name, blni_length_name, blni_radial_slice_name, blni_radial_save, blni_radial_load,
    blni_basis_release, NULL
};

/* ---- making them ---- */

BLN_API bln_radial_desc bln_radial_defaults(const bln_radial_desc *desc)
{
    bln_radial_desc full;
    memset(&full, 0, sizeof full);
    if (desc) full = *desc;
    if (full.ldc == 0) full.ldc = full.d;
    return full;
}

BLN_API const char *bln_radial_check(const bln_radial_desc *desc)
{
    if (!desc) return "radial: desc is NULL";
    if (desc->d == 0) return "radial: d (inputs) is 0";
    if (desc->n == 0) return "radial: n (centres) is 0";
    if (!desc->centres) return "radial: centres is NULL";
    if (desc->ldc != 0 && desc->ldc < desc->d) return "radial: ldc < d";
    if ((int)desc->form < 0 || desc->form > BLN_RADIAL_RIDGE) return "radial: unknown form";
    if (!blni_length_ok(desc->length_scale)) return "radial: length_scale must be 0 (from the data) or between 1e-150 and 1e150";
    if (!blni_allocator_ok(&desc->alloc)) return "radial: half an allocator";
    return NULL;
}

BLN_API bln_status bln_radial_create(const bln_radial_desc *desc, bln_basis **out, bln_report *report)
{
    blni_owned *own = NULL;
    void *tail = NULL;
    const char *why = out ? bln_radial_check(desc) : "radial: out is NULL";
    bln_report_clear(report);
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);
    const size_t d = desc->d, n = desc->n, ldc = desc->ldc ? desc->ldc : d, all = blni_mul(d, n);
    if (all > (size_t)-1/sizeof(double)) return blni_basis_fail(report, BLN_EOVERFLOW);
    const bln_status status = blni_basis_new(&desc->alloc, &blni_radial_ops, sizeof(blni_radial), blni_mul(all, sizeof(double)),
                                             &tail, &own);
    if (status != BLN_OK) return blni_basis_fail(report, status);
    blni_radial *f = (blni_radial *)own;
    own->base.d = d;
    own->base.D = desc->form == BLN_RADIAL_RIDGE ? all : n;
    own->base.n_theta = desc->ard ? d : 1;
    f->n = n;
    f->form = desc->form;
    f->length_scale = desc->length_scale;
    f->c = (double *)tail;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < d; i++) {
            const double c = desc->centres[j*ldc + i];
            if (!blni_finite(c)) {
                blni_basis_release(&own->base);
                return blni_fail(report, BLN_EDATA, j, i, "radial: a centre is not finite");
            }
            f->c[i*n + j] = c;
        }
    *out = &own->base;
    return BLN_OK;
}

BLN_API void bln_radial_centres(size_t d, size_t n, double range, uint64_t seed, double *centres)
{
    if (d == 1) {
        for (size_t j = 0; j < n; j++) centres[j] = n > 1 ? range*(2.0*(double)j/(double)(n - 1) - 1.0) : 0.0;
        return;
    }
    if (d <= BLN_SOBOL_DIMENSIONS) bln_qmc_sobol(d, seed, 0, n, centres, d);
    else bln_qmc_halton(d, seed, 0, n, centres, d);
    for (size_t j = 0; j < n*d; j++) centres[j] = range*(2.0*centres[j] - 1.0);
}

BLNI_PRIV bln_status blni_radial_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    static const double none = 0.0;
    bln_radial_desc desc;
    double *centres = NULL;
    size_t room = 0;
    memset(&desc, 0, sizeof desc);
    desc.alloc = context->alloc;
    desc.d = bln_get_count(r, 0, (size_t)-1);
    desc.n = bln_get_count(r, 0, (size_t)-1);
    const uint32_t form = bln_get_u32(r);
    desc.ard = blni_load_flag(r);
    desc.length_scale = bln_get_double(r);
    if (form > (uint32_t)BLN_RADIAL_RIDGE) bln_reader_fail(r, BLN_EFORMAT, "unknown form of a radial basis");
    else desc.form = (bln_radial_form)form;
    desc.centres = &none;                                    /* they come when the rest is known to be in order */
    const char *why = bln_radial_check(&desc);
    const size_t n = blni_mul(desc.d, desc.n);
    if (why) bln_reader_fail(r, BLN_EFORMAT, why);
    if (r->status == BLN_OK && n >= (size_t)-1/sizeof(double)) return blni_load_fail(r, BLN_EOVERFLOW);
    if (r->status != BLN_OK) return r->status;
    if (blni_load_doubles(&context->alloc, r, n, "a centre of a radial basis is not finite", &centres, &room) != BLN_OK)
        return r->status;
    desc.centres = centres;
    const bln_status status = bln_radial_create(&desc, out, NULL);
    blni_release(&context->alloc, centres, room*sizeof *centres);
    return status == BLN_OK ? status : blni_load_fail(r, status);
}

/* ---------------------------------------------------------------- src/basis/fourier_kernels.c */
/* fourier_kernels: the kernels in closed form, and their frequencies
 *
 * The radial kernels are scale mixtures, z = sqrt(s) g with g normal and one s for each frequency (B15):
 *     rbf  s = 1        Matern  s = nu / Gamma(nu)        rational quadratic  s = Gamma(alpha) / alpha        Cauchy  s = 2 Exp(1)
 * where Gamma(a) is a gamma variate of rate 1. The products have independent coordinates: Cauchy for Laplace (L1), double
 * exponential for the product of Cauchy kernels (B16). Each exists as a draw from generators and as a quantile of points in (0,1).
 * */

/* What a kernel is, beside its formula. nu of the Matern kernels that have one of their own. */
typedef struct blni_kernel_facts { const char *name; int product, shaped; double nu; } blni_kernel_facts;
static const blni_kernel_facts blni_kernel_table[] = {
    { "rbf", 0, 0, 0.0 }, { "matern12", 0, 0, 0.5 }, { "matern32", 0, 0, 1.5 }, { "matern52", 0, 0, 2.5 }, { "matern", 0, 1, 0.0 },
    { "rq", 0, 1, 0.0 }, { "cauchy", 0, 0, 0.0 }, { "laplace1", 1, 0, 0.0 }, { "cauchy_product", 1, 0, 0.0 }
};
enum { BLNI_N_KERNELS = sizeof blni_kernel_table/sizeof *blni_kernel_table };

/* NULL for a number that is no kernel. */
BLNI_PRIV const blni_kernel_facts *blni_kernel_find(bln_kernel kernel)
{
    return (int)kernel >= 0 && (int)kernel < BLNI_N_KERNELS ? &blni_kernel_table[(int)kernel] : NULL;
}

/* 0 stands for 2, also where there is none. */
BLNI_PRIV double blni_kernel_shape(double shape) { return shape == 0.0 ? 2.0 : shape; }
BLNI_PRIV int blni_shape_ok(double shape) { return shape == 0.0 || (shape >= 0.1 && shape <= 1e4); }

BLN_API const char *bln_kernel_name(bln_kernel kernel)
{
    const blni_kernel_facts *facts = blni_kernel_find(kernel);
    return facts ? facts->name : "unknown";
}

/* ---- Matern kernels of any nu ---- */

/* log of the integrand below. Near 0 the two terms lose their leading parts to each other or to 1, and are written without them;
 * far out, cosh - sinh does. */
BLNI_PRIV double blni_bessel_exponent(double nu, double excess, double t)
{
    if (fabs(t) > 1.0) return nu*t + nu + excess - (nu + 0.5*excess)*exp(t) - 0.5*excess*exp(-t);
    const double half = sinh(0.5*t), t2 = t*t;
    double s = 1.0;                                          /* sinh t - t = t^3/6 (1 + t^2/(4 5) (1 + t^2/(6 7) (...))) */
    for (int k = 16; k >= 4; k -= 2) s = 1.0 + t2/(double)(k*(k + 1))*s;
    return -2.0*(nu + excess)*half*half - nu*t*t2/6.0*s;
}

/* int exp(-R (cosh t - 1) - nu (sinh t - t)) dt over the whole line, R = nu + excess. The integrand is analytic and falls
 * exponentially on both sides: the trapezoidal rule errs by less than 1e-16 if its step resolves the width 1/sqrt(R) of the peak
 * and the strip |Im t| < pi/2 in which the integrand stays bounded (Trefethen & Weideman 2014). */
BLNI_PRIV double blni_bessel_integral(double nu, double excess)
{
    const double h = fmin(0.2, 0.45/sqrt(nu + excess));
    double sum = 1.0;
    for (int side = -1; side <= 1; side += 2)
        for (double t = h; ; t += h) {
            const double e = blni_bessel_exponent(nu, excess, side*t);
            if (!(e > -45.0)) { sum += e != e ? e : 0.0; break; }
            sum += exp(e);
        }
    return h*sum;
}

/* K_nu(z) = 1/2 int exp(nu t - z cosh t) dt (Watson 1944, 6.22) around the maximum of its integrand, and Gamma(nu) = int exp(nu t -
 * e^t) dt around the maximum of its own: with q = sqrt(1 + 2 r^2/nu) both are the integral above, and what stands in front of it,
 * powers included, combines to
 *     k(r) = exp(nu (log((1+q)/2) - (q-1))) I(nu q, nu) / I(nu, nu),
 * which neither overflows nor cancels, whatever nu and r. */
BLNI_PRIV double blni_matern_value(double nu, double r)
{
    const double ratio = 2.0*r*r/nu, w = ratio/(1.0 + sqrt(1.0 + ratio));
    return exp(nu*(log1p(0.5*w) - w))*blni_bessel_integral(nu, nu*w)/blni_bessel_integral(nu, 0.0);
}

/* ---- values ---- */

BLNI_PRIV double blni_radial_value(bln_kernel kernel, double shape, double r)
{
    const double a = fabs(r), r3 = sqrt(3.0)*a, r5 = sqrt(5.0)*a;
    if (kernel == BLN_KERNEL_CAUCHY) return 1.0/(1.0 + a*a);
    if (kernel == BLN_KERNEL_RQ) return exp(-shape*log1p(0.5*a*a/shape));
    if (a > 1e4) return 0.0;                             /* all others underflow there; (1 + r) exp(-r) at infinity would be NaN */
    switch (kernel) {
    case BLN_KERNEL_RBF:      return exp(-0.5*a*a);
    case BLN_KERNEL_MATERN12: return exp(-a);
    case BLN_KERNEL_MATERN32: return (1.0 + r3)*exp(-r3);
    case BLN_KERNEL_MATERN52: return (1.0 + r5 + r5*r5/3.0)*exp(-r5);
    default:                  return blni_matern_value(shape, a);
    }
}

BLN_API double bln_kernel_at(bln_kernel kernel, double shape, size_t d, const double *tau)
{
    const blni_kernel_facts *facts = blni_kernel_find(kernel);
    double sum = 0.0, value = 1.0;
    if (!facts || !blni_shape_ok(shape)) return BLNI_NAN;
    if (!facts->product) {
        for (size_t i = 0; i < d; i++) sum = hypot(sum, tau[i]);
        return blni_radial_value(kernel, blni_kernel_shape(shape), sum);
    }
    for (size_t i = 0; i < d; i++) {
        sum += fabs(tau[i]);
        value /= 1.0 + tau[i]*tau[i];
    }
    return kernel == BLN_KERNEL_LAPLACE1 ? exp(-sum) : value;
}

BLN_API double bln_kernel_value(bln_kernel kernel, double r) { return bln_kernel_at(kernel, 0.0, 1, &r); }

/* ---- frequencies ---- */

/* One generator of normals (or of the coordinates of the products) and one of scales, or the first of the quasi-random points. */
typedef struct blni_draws {
    bln_kernel kernel;
    bln_draws  draws;
    double     shape;                     /* of the gamma variate behind the scale */
    size_t     d, stride;
    int        quasi;
    uint64_t   seed, next;
    bln_rng    normals, scales;
} blni_draws;

BLNI_PRIV int blni_has_scale(bln_kernel kernel) { return kernel != BLN_KERNEL_RBF && !blni_kernel_table[(int)kernel].product; }

/* Numbers that a frequency takes while it is drawn: quasi-random points have a coordinate for the scale. */
BLNI_PRIV size_t blni_draws_stride(const bln_fourier_desc *desc)
{
    const int quasi = desc->draws == BLN_DRAWS_SOBOL || desc->draws == BLN_DRAWS_HALTON;
    return blni_add(desc->d, quasi && blni_has_scale(desc->kernel) ? 1 : 0);
}

BLNI_PRIV void blni_draws_begin(blni_draws *w, const bln_fourier_desc *desc)
{
    const double nu = blni_kernel_table[(int)desc->kernel].nu;
    w->kernel = desc->kernel;
    w->draws = desc->draws;
    w->shape = nu > 0.0 ? nu : blni_kernel_shape(desc->shape);
    w->d = desc->d;
    w->quasi = desc->draws == BLN_DRAWS_SOBOL || desc->draws == BLN_DRAWS_HALTON;
    w->stride = blni_draws_stride(desc);
    w->seed = desc->seed;
    w->next = 0;
    bln_rng_seed(&w->normals, desc->seed, 0);
    bln_rng_seed(&w->scales, desc->seed, 1);
}

/* s of one frequency. */
BLNI_PRIV double blni_scale_draw(blni_draws *w)
{
    switch (w->kernel) {
    case BLN_KERNEL_MATERN12:
    case BLN_KERNEL_MATERN32:
    case BLN_KERNEL_MATERN52: return 2.0*w->shape/bln_rng_chi2(&w->scales, 2.0*w->shape);
    case BLN_KERNEL_MATERN:   return exp(log(w->shape) - bln_rng_log_gamma(&w->scales, w->shape));
    case BLN_KERNEL_RQ:       return bln_rng_gamma(&w->scales, w->shape)/w->shape;
    case BLN_KERNEL_CAUCHY:   return 2.0*bln_rng_exponential(&w->scales);
    default:                  return 1.0;
    }
}

BLNI_PRIV double blni_scale_quantile(const blni_draws *w, double u)
{
    if (w->kernel == BLN_KERNEL_CAUCHY) return -2.0*log1p(-u);
    const double gamma = bln_gamma_p_inv(w->shape, u);
    return w->kernel == BLN_KERNEL_RQ ? gamma/w->shape : w->shape/gamma;
}

/* One coordinate of a product from u in (0,1): Cauchy, tan(pi (u - 1/2)), whose two halves keep their digits in the tails; or
 * double exponential. */
BLNI_PRIV double blni_product_quantile(bln_kernel kernel, double u)
{
    const double tail = u < 0.5 ? u : 1.0 - u, sign = u < 0.5 ? -1.0 : 1.0;
    if (kernel == BLN_KERNEL_LAPLACE1) return tail > 0.25 ? tan(BLNI_PI*(u - 0.5)) : sign/tan(BLNI_PI*tail);
    return -sign*log(2.0*tail);
}

/* The rows of G (n x d, n <= d) to an orthonormal basis of the same nested spans, times their former norms. Gram-Schmidt twice is
 * orthogonal to rounding (Giraud et al. 2005). */
BLNI_PRIV void blni_orthogonalise(size_t n, size_t d, double *G)
{
    for (size_t j = 0; j < n; j++) {
        double *g = G + j*d;
        const double norm = sqrt(bln_dot(d, g, g));
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = 0; k < j; k++) {
                const double *q = G + k*d;
                bln_axpy(d, -bln_dot(d, q, g)/bln_dot(d, q, q), q, g);
            }
        bln_scal(d, norm/sqrt(bln_dot(d, g, g)), g);
    }
}

/* The next n frequencies as the first d entries of the rows of G (stride w->stride); n <= d where draws are orthogonal. */
BLNI_PRIV void blni_draws_next(blni_draws *w, size_t n, double *G)
{
    const size_t d = w->d, ld = w->stride;
    const int product = blni_kernel_table[(int)w->kernel].product, quasi = w->quasi;
    if (w->draws == BLN_DRAWS_SOBOL) bln_qmc_sobol(ld, w->seed, w->next, n, G, ld);
    if (w->draws == BLN_DRAWS_HALTON) bln_qmc_halton(ld, w->seed, w->next, n, G, ld);
    w->next += (uint64_t)n;
    for (size_t j = 0; j < n && !quasi; j++) {
        if (product) bln_rng_uniforms(&w->normals, d, G + j*d); else bln_rng_normals(&w->normals, d, G + j*d);
    }
    if (w->draws == BLN_DRAWS_ORTHOGONAL) blni_orthogonalise(n, d, G);
    for (size_t j = 0; j < n; j++) {
        double *g = G + j*ld;
        for (size_t i = 0; i < d; i++) {
            if (product) g[i] = blni_product_quantile(w->kernel, g[i]);
            else if (quasi) g[i] = bln_norm_quantile(g[i]);
        }
        if (blni_has_scale(w->kernel)) bln_scal(d, sqrt(quasi ? blni_scale_quantile(w, g[d]) : blni_scale_draw(w)), g);
    }
}

/* ---------------------------------------------------------------- src/basis/fourier.c */
/* fourier: random Fourier features
 *
 * The length scales go into the frequencies once per call, and so does 2/pi: W_ij = 2 z_ij / (pi l_i). Then X W is the phase in
 * quarter turns, whose sine and cosine need no reduction by multiples of pi (>>vecmath).
 *
 * How the frequencies are drawn: with generator g = stream 0 and h = stream 1 of the seed, frequency j = 0, 1, ... takes d normals
 * from g by one bln_rng_normals, then its scale s_j from h (the products: d uniforms from g), and z_j = sqrt(s_j) times the
 * normals. Quasi-random frequency j is point j of the sequence, its last coordinate the scale. So the first J frequencies of a
 * larger basis are those of the smaller.
 *
 * Orthogonal draws (B21) take the same normals in blocks of d vectors and replace the directions of a block by its Gram-Schmidt
 * basis, which is Haar-distributed. The norms stay: |g_j| is chi with d degrees of freedom and independent of all directions. */

typedef struct blni_fourier {
    blni_owned  own;
    size_t      J;
    bln_kernel  kernel;
    double      shape;             /* 0 if the kernel has none           */
    double      length_scale;      /* the user's start, 0: from the data */
    double     *z;                 /* d x J                              */
} blni_fourier;

/* ---- features and their chain rule ---- */

/* W = z times one number a row: scale / l_i. */
BLNI_PRIV void blni_fourier_scale(const blni_fourier *f, const double *theta, double scale, double *W)
{
    const size_t d = f->own.base.d, J = f->J, step = f->own.base.n_theta > 1 ? 1 : 0;
    for (size_t i = 0; i < d; i++) {
        const double a = scale/theta[i*step];
        for (size_t j = 0; j < J; j++) W[i*J + j] = a*f->z[i*J + j];
    }
}

/* (B13). The phases are written where the cosines will be. */
BLNI_PRIV void blni_fourier_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                     double *Phi, size_t ldphi, double *work)
{
    const blni_fourier *f = (const blni_fourier *)b;
    const size_t J = f->J;
    const double norm = 1.0/sqrt((double)J);
    blni_fourier_scale(f, theta, 2.0/BLNI_PI, work);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, J, b->d, 1.0, X, ldx, work, J, 0.0, Phi, ldphi);
    for (size_t i = 0; i < n; i++) {
        double *phi = Phi + i*ldphi;
        bln_sincos_quarter(J, phi, phi + J, phi);
        for (size_t j = 0; j < 2*J; j++) phi[j] *= norm;
    }
}

/* (B14) with T = F^s o Phi^c - F^c o Phi^s = dL/dZ (n x J), Z = X W, W_ij = z_ij / l_i:
 *     dL/dl_i = -l_i^{-2} sum_j z_ij (X'T)_ij  (one length scale: summed over i),     dL/dX = T W'.
 * work: T, then d x J for X'T and for W in turn. */
BLNI_PRIV void blni_fourier_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                     const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                     double *dtheta, double *dX, size_t lddx, double *work)
{
    const blni_fourier *f = (const blni_fourier *)b;
    const size_t d = b->d, J = f->J, step = b->n_theta > 1 ? 1 : 0;
    double *T = work, *W = work + blni_pad(n*J);
    for (size_t i = 0; i < n; i++) {
        const double *phi = Phi + i*ldphi, *g = F + i*ldf;
        for (size_t j = 0; j < J; j++) T[i*J + j] = g[J + j]*phi[j] - g[j]*phi[J + j];
    }
    if (dtheta) {
        bln_gemm(BLN_TRANS, BLN_NOTRANS, d, J, n, 1.0, X, ldx, T, J, 0.0, W, J);
        for (size_t i = 0; i < d; i++) {
            const double l = theta[i*step];
            dtheta[i*step] -= bln_dot(J, f->z + i*J, W + i*J)/l/l;
        }
    }
    if (dX) {
        blni_fourier_scale(f, theta, 1.0, W);
        bln_gemm(BLN_NOTRANS, BLN_TRANS, n, d, J, 1.0, T, J, W, J, 1.0, dX, lddx);
    }
}

BLNI_PRIV size_t blni_fourier_work(const bln_basis *b, size_t n)
{
    const blni_fourier *f = (const blni_fourier *)b;
    return blni_add(blni_pad(blni_mul(n, f->J)), blni_mul(b->d, f->J));
}

BLNI_PRIV void blni_fourier_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    blni_length_param(b, ((const blni_fourier *)b)->length_scale, k, inputs, out);
}

/* ---- names, files ---- */

BLNI_PRIV void blni_fourier_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_fourier *f = (const blni_fourier *)b;
    (void)inputs;
    blni_cat(out, size, bln_kernel_name(f->kernel));
    blni_cat(out, size, j < f->J ? " cos " : " sin ");
    blni_cat_size(out, size, j < f->J ? j : j - f->J);
}

BLNI_PRIV void blni_fourier_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    (void)s; (void)inputs;
    blni_cat(out, size, bln_kernel_name(((const blni_fourier *)b)->kernel));
}

/* Kernels up to Matern 5/2 are saved as version 0.1.0 did; others have a name of their own, so that it says what it misses. */
BLNI_PRIV int blni_fourier_is_second(bln_kernel kernel) { return kernel > BLN_KERNEL_MATERN52; }

BLNI_PRIV void blni_fourier_save(const bln_basis *b, bln_writer *w)
{
    const blni_fourier *f = (const blni_fourier *)b;
    bln_put_u64(w, b->d);
    bln_put_u64(w, f->J);
    bln_put_u32(w, (uint32_t)f->kernel);
    bln_put_u32(w, b->n_theta == b->d);
    bln_put_double(w, f->length_scale);
    if (blni_fourier_is_second(f->kernel)) bln_put_double(w, f->shape);
    bln_put_doubles(w, b->d*f->J, f->z);
}

BLNI_PRIV bln_status blni_fourier_load(const bln_basis_load *context, bln_reader *r, bln_basis **out);
BLNI_PRIV bln_status blni_fourier2_load(const bln_basis_load *context, bln_reader *r, bln_basis **out);

static const bln_basis_ops blni_fourier_ops = {
    "fourier", blni_fourier_features, blni_fourier_pullback, blni_fourier_work, blni_fourier_param, NULL,
    blni_fourier_feature_name, blni_length_name, blni_fourier_slice_name, blni_fourier_save, blni_fourier_load,
    blni_basis_release, NULL
};

static const bln_basis_ops blni_fourier2_ops = {
    "fourier2", blni_fourier_features, blni_fourier_pullback, blni_fourier_work, blni_fourier_param, NULL,
    blni_fourier_feature_name, blni_length_name, blni_fourier_slice_name, blni_fourier_save, blni_fourier2_load,
    blni_basis_release, NULL
};

/* ---- making them ---- */

BLN_API bln_fourier_desc bln_fourier_defaults(const bln_fourier_desc *desc)
{
    bln_fourier_desc full;
    memset(&full, 0, sizeof full);
    if (desc) full = *desc;
    const blni_kernel_facts *facts = blni_kernel_find(full.kernel);
    if (facts && full.draws == BLN_DRAWS_DEFAULT) full.draws = facts->product ? BLN_DRAWS_INDEPENDENT : BLN_DRAWS_ORTHOGONAL;
    if (facts && facts->shaped) full.shape = blni_kernel_shape(full.shape);
    return full;      /* every other zero is the default as it stands; the length scales' comes from the data */
}

BLN_API const char *bln_fourier_check(const bln_fourier_desc *desc)
{
    const blni_kernel_facts *facts = desc ? blni_kernel_find(desc->kernel) : NULL;
    if (!desc) return "fourier: desc is NULL";
    if (desc->d == 0) return "fourier: d (inputs) is 0";
    if (desc->n == 0) return "fourier: n (frequencies) is 0";
    if (!facts) return "fourier: unknown kernel";
    if (!facts->shaped && desc->shape != 0.0) return "fourier: this kernel has no shape, it must be 0";
    if (!blni_shape_ok(desc->shape)) return "fourier: the shape (nu, alpha) must be 0 (for 2) or between 0.1 and 1e4";
    if (desc->draws == BLN_DRAWS_FASTFOOD) return "fourier: Fastfood draws make another basis, by bln_fastfood_create";
    if ((int)desc->draws < 0 || desc->draws > BLN_DRAWS_HALTON) return "fourier: unknown kind of draws";
    if (desc->draws == BLN_DRAWS_ORTHOGONAL && facts->product)
        return "fourier: orthogonal draws need a radial kernel, not a product";
    if (desc->draws == BLN_DRAWS_SOBOL && blni_draws_stride(desc) > BLN_SOBOL_DIMENSIONS)
        return "fourier: Sobol draws have 65 coordinates at most: the inputs, and one more for a kernel with a scale";
    if (!blni_length_ok(desc->length_scale)) return "fourier: length_scale must be 0 (from the data) or between 1e-150 and 1e150";
    if (!blni_allocator_ok(&desc->alloc)) return "fourier: half an allocator";
    return NULL;
}

/* The basis without its frequencies. */
BLNI_PRIV bln_status blni_fourier_new(const bln_fourier_desc *desc, blni_fourier **out)
{
    blni_owned *own = NULL;
    void *tail = NULL;
    const size_t D = blni_mul(2, desc->n), z = blni_mul(desc->d, desc->n);
    const bln_basis_ops *ops = blni_fourier_is_second(desc->kernel) ? &blni_fourier2_ops : &blni_fourier_ops;
    if (D > (size_t)-1/sizeof(double)) return BLN_EOVERFLOW;
    const bln_status status = blni_basis_new(&desc->alloc, ops, sizeof(blni_fourier), blni_mul(z, sizeof(double)), &tail, &own);
    if (status != BLN_OK) return status;
    blni_fourier *f = (blni_fourier *)own;
    own->base.d = desc->d;
    own->base.D = D;
    own->base.n_theta = desc->ard ? desc->d : 1;
    f->J = desc->n;
    f->kernel = desc->kernel;
    f->shape = desc->shape;
    f->length_scale = desc->length_scale;
    f->z = (double *)tail;
    *out = f;
    return BLN_OK;
}

/* Orthogonal draws come in blocks of d; Sobol' points are scrambled anew for each block, so that these are larger. */
enum { BLNI_QUASI_BLOCK = 1024 };

BLN_API bln_status bln_fourier_create(const bln_fourier_desc *desc, bln_basis **out, bln_report *report)
{
    blni_fourier *f = NULL;
    blni_draws draws;
    const char *why = out ? bln_fourier_check(desc) : "fourier: out is NULL";
    bln_report_clear(report);
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);
    const bln_fourier_desc full = bln_fourier_defaults(desc);
    const bln_status status = blni_fourier_new(&full, &f);
    if (status != BLN_OK) return blni_basis_fail(report, status);
    blni_draws_begin(&draws, &full);
    const size_t d = full.d, J = full.n, block = blni_min(draws.quasi ? (size_t)BLNI_QUASI_BLOCK : d, J);
    const size_t bytes = blni_mul(blni_mul(draws.stride, block), sizeof(double));
    double *G = (double *)blni_alloc(&full.alloc, bytes);
    if (!G) {
        bln_basis_free(&f->own.base);
        return blni_basis_fail(report, BLN_ENOMEM);
    }
    for (size_t first = 0; first < J; first += block) {
        const size_t n = blni_min(block, J - first);
        blni_draws_next(&draws, n, G);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < d; i++) f->z[i*J + first + j] = G[j*draws.stride + i];
    }
    blni_release(&full.alloc, G, bytes);
    *out = &f->own.base;
    return BLN_OK;
}

BLN_API const double *bln_fourier_frequencies(const bln_basis *basis)
{
    if (!basis || (basis->ops != &blni_fourier_ops && basis->ops != &blni_fourier2_ops)) return NULL;
    return ((const blni_fourier *)basis)->z;
}

BLNI_PRIV bln_status blni_fourier_read(const bln_basis_load *context, bln_reader *r, int second, bln_basis **out)
{
    bln_fourier_desc desc;
    blni_fourier *f = NULL;
    double *z = NULL;
    size_t room = 0;
    memset(&desc, 0, sizeof desc);
    desc.alloc = context->alloc;
    desc.d = bln_get_count(r, 0, (size_t)-1);
    desc.n = bln_get_count(r, 0, (size_t)-1);
    const uint32_t kernel = bln_get_u32(r);
    desc.ard = blni_load_flag(r);
    desc.length_scale = bln_get_double(r);
    if (second) desc.shape = bln_get_double(r);
    desc.kernel = kernel < BLNI_N_KERNELS ? (bln_kernel)kernel : (bln_kernel)BLNI_N_KERNELS;
    const char *why = bln_fourier_check(&desc);
    const size_t n = blni_mul(desc.d, desc.n);
    if (blni_fourier_is_second(desc.kernel) != second) bln_reader_fail(r, BLN_EFORMAT, "unknown kernel of a Fourier basis");
    if (why) bln_reader_fail(r, BLN_EFORMAT, why);
    if (r->status == BLN_OK && n >= (size_t)-1/sizeof(double)) return blni_load_fail(r, BLN_EOVERFLOW);
    if (r->status != BLN_OK) return r->status;
    if (blni_load_doubles(&context->alloc, r, n, "a frequency of a Fourier basis is not finite", &z, &room) != BLN_OK)
        return r->status;
    const bln_status status = blni_fourier_new(&desc, &f);
    if (status == BLN_OK) memcpy(f->z, z, n*sizeof *z);
    blni_release(&context->alloc, z, room*sizeof *z);
    if (status != BLN_OK) return blni_load_fail(r, status);
    *out = &f->own.base;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_fourier_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    return blni_fourier_read(context, r, 0, out);
}

BLNI_PRIV bln_status blni_fourier2_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    return blni_fourier_read(context, r, 1, out);
}

/* ---------------------------------------------------------------- src/basis/fastfood.c */
/* fastfood: random Fourier features by Hadamard transforms
 *
 * Rows are taken eight at a time and turned, so that a tile has one line of eight numbers for each input: the transforms, signs,
 * factors and the permutation then work on whole lines. Length scales and 2/pi are multiplied in while turning, as in >>fourier.
 *
 * How the pieces are drawn, block after block, from streams of the seed: d2 normals G from stream 0 by one bln_rng_normals; for
 * each frequency the scale s from stream 1 and chi^2 with d2 degrees of freedom from stream 2; from stream 3 d2 words, whose top
 * bits are the signs, and the permutation. So the first frequencies of a larger basis are those of a smaller. */

enum { BLNI_FASTFOOD_LANES = 8 };

typedef struct blni_fastfood {
    blni_owned  own;
    size_t      J, d2, blocks;
    bln_kernel  kernel;
    double      shape;             /* 0 if the kernel has none                                                  */
    double      length_scale;      /* the user's start, 0: from the data                                        */
    double     *sign;              /* B: blocks x d2, +-1                                                       */
    double     *g;                 /* G / (|G| sqrt(d2)): blocks x d2, each block of norm 1/sqrt(d2)            */
    double     *norm;              /* rho: J                                                                    */
    size_t     *order;             /* P: blocks x d2; row k of P A is row order[k] of A                         */
} blni_fastfood;

/* The definition: coordinate i of frequency j. */
BLNI_PRIV double blni_fastfood_frequency(const blni_fastfood *f, size_t j, size_t i)
{
    const size_t block = j/f->d2*f->d2;
    double sum = 0.0;
    for (size_t k = 0; k < f->d2; k++)
        sum += blni_hadamard_entry(j - block, k)*f->g[block + k]*blni_hadamard_entry(f->order[block + k], i);
    return f->norm[j]*sum*f->sign[block + i];
}

/* ---- one tile ---- */

/* T (d lines) = up to eight rows of X, each input times scale / l_i; lanes without a row are 0. */
BLNI_PRIV void blni_fastfood_turn(const blni_fastfood *f, const double *theta, double scale, size_t n, const double *X, size_t ldx,
                                  double *T)
{
    const size_t d = f->own.base.d, step = f->own.base.n_theta > 1 ? 1 : 0;
    for (size_t i = 0; i < d; i++, T += BLNI_FASTFOOD_LANES) {
        const double a = scale/theta[i*step];
        for (size_t l = 0; l < BLNI_FASTFOOD_LANES; l++) T[l] = l < n ? a*X[l*ldx + i] : 0.0;
    }
}

/* A line times a number. */
BLNI_PRIV void blni_fastfood_line(double a, const double *BLNI_RESTRICT from, double *BLNI_RESTRICT to)
{
    for (size_t l = 0; l < BLNI_FASTFOOD_LANES; l++) to[l] = a*from[l];
}

/* W = H G P H B T of the block that begins at `first`; V: d2 lines of scratch. */
BLNI_PRIV void blni_fastfood_forward(const blni_fastfood *f, size_t first, const double *T, double *V, double *W)
{
    const size_t d = f->own.base.d, d2 = f->d2, L = BLNI_FASTFOOD_LANES;
    const double *sign = f->sign + first, *g = f->g + first;
    const size_t *order = f->order + first;
    for (size_t i = 0; i < d; i++) blni_fastfood_line(sign[i], T + i*L, V + i*L);
    for (size_t i = d*L; i < d2*L; i++) V[i] = 0.0;
    bln_hadamard(d2, L, V, L);
    for (size_t k = 0; k < d2; k++) blni_fastfood_line(g[k], V + order[k]*L, W + k*L);
    bln_hadamard(d2, L, W, L);
}

/* A += B H P' G H W (the first d lines), the adjoint. W is lost, V scratch.   (B27) */
BLNI_PRIV void blni_fastfood_adjoint(const blni_fastfood *f, size_t first, double *W, double *V, double *A)
{
    const size_t d = f->own.base.d, d2 = f->d2, L = BLNI_FASTFOOD_LANES;
    const double *sign = f->sign + first, *g = f->g + first;
    const size_t *order = f->order + first;
    bln_hadamard(d2, L, W, L);
    for (size_t k = 0; k < d2; k++) blni_fastfood_line(g[k], W + k*L, V + order[k]*L);
    bln_hadamard(d2, L, V, L);
    for (size_t i = 0; i < d; i++)
        for (size_t l = 0; l < L; l++) A[i*L + l] += sign[i]*V[i*L + l];
}

/* ---- features and their chain rule ---- */

/* As in >>fourier, the phases are written in quarter turns where the cosines will be. */
BLNI_PRIV void blni_fastfood_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                      double *Phi, size_t ldphi, double *work)
{
    const blni_fastfood *f = (const blni_fastfood *)b;
    const size_t J = f->J, d2 = f->d2, L = BLNI_FASTFOOD_LANES;
    const double norm = 1.0/sqrt((double)J);
    double *T = work, *V = T + d2*L, *W = V + d2*L;
    for (size_t row = 0; row < n; row += L) {
        const size_t rows = blni_min(n - row, L);
        blni_fastfood_turn(f, theta, 2.0/BLNI_PI, rows, X + row*ldx, ldx, T);
        for (size_t first = 0; first < J; first += d2) {
            const size_t m = blni_min(J - first, d2);
            blni_fastfood_forward(f, first, T, V, W);
            for (size_t l = 0; l < rows; l++) {
                double *phi = Phi + (row + l)*ldphi + first;
                for (size_t j = 0; j < m; j++) phi[j] = f->norm[first + j]*W[j*L + l];
            }
        }
        for (size_t l = 0; l < rows; l++) {
            double *phi = Phi + (row + l)*ldphi;
            bln_sincos_quarter(J, phi, phi + J, phi);
            for (size_t j = 0; j < 2*J; j++) phi[j] *= norm;
        }
    }
}

/* W (d2 lines) = S T, T = F^s o Phi^c - F^c o Phi^s = dL/dZ of a block of up to eight rows. */
BLNI_PRIV void blni_fastfood_slopes(const blni_fastfood *f, size_t first, size_t rows, const double *Phi, size_t ldphi,
                                    const double *F, size_t ldf, double *W)
{
    const size_t J = f->J, m = blni_min(J - first, f->d2), L = BLNI_FASTFOOD_LANES;
    for (size_t i = 0; i < f->d2*L; i++) W[i] = 0.0;
    for (size_t l = 0; l < rows; l++) {
        const double *phi = Phi + l*ldphi + first, *t = F + l*ldf + first;
        for (size_t j = 0; j < m; j++) W[j*L + l] = f->norm[first + j]*(t[J + j]*phi[j] - t[j]*phi[J + j]);
    }
}

/* With A = V'T, one number for each row and input, from one adjoint pass over the blocks:
 *     dL/dl_i = -l_i^{-2} sum_n x_ni A_ni  (one length scale: summed over i),     dL/dx_ni = A_ni / l_i.   (B27) */
BLNI_PRIV void blni_fastfood_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                      const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                      double *dtheta, double *dX, size_t lddx, double *work)
{
    const blni_fastfood *f = (const blni_fastfood *)b;
    const size_t d = b->d, d2 = f->d2, L = BLNI_FASTFOOD_LANES, step = b->n_theta > 1 ? 1 : 0;
    double *A = work, *V = A + d2*L, *W = V + d2*L;
    for (size_t row = 0; row < n; row += L) {
        const size_t rows = blni_min(n - row, L);
        for (size_t i = 0; i < d*L; i++) A[i] = 0.0;
        for (size_t first = 0; first < f->J; first += d2) {
            blni_fastfood_slopes(f, first, rows, Phi + row*ldphi, ldphi, F + row*ldf, ldf, W);
            blni_fastfood_adjoint(f, first, W, V, A);
        }
        for (size_t i = 0; i < d; i++) {
            const double length = theta[i*step];
            double sum = 0.0;
            for (size_t l = 0; l < rows; l++) {
                sum += X[(row + l)*ldx + i]*A[i*L + l];
                if (dX) dX[(row + l)*lddx + i] += A[i*L + l]/length;
            }
            if (dtheta) dtheta[i*step] -= sum/length/length;
        }
    }
}

/* Three tiles, however many rows there are. */
BLNI_PRIV size_t blni_fastfood_work(const bln_basis *b, size_t n)
{
    (void)n;
    return blni_mul(3*BLNI_FASTFOOD_LANES, ((const blni_fastfood *)b)->d2);
}

BLNI_PRIV void blni_fastfood_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    blni_length_param(b, ((const blni_fastfood *)b)->length_scale, k, inputs, out);
}

/* ---- names, files ---- */

BLNI_PRIV void blni_fastfood_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const blni_fastfood *f = (const blni_fastfood *)b;
    (void)inputs;
    blni_cat(out, size, bln_kernel_name(f->kernel));
    blni_cat(out, size, j < f->J ? " cos " : " sin ");
    blni_cat_size(out, size, j < f->J ? j : j - f->J);
}

BLNI_PRIV void blni_fastfood_slice_name(const bln_basis *b, size_t s, const bln_inputs *inputs, char *out, size_t size)
{
    (void)s; (void)inputs;
    blni_cat(out, size, bln_kernel_name(((const blni_fastfood *)b)->kernel));
}

BLNI_PRIV void blni_fastfood_save(const bln_basis *b, bln_writer *w)
{
    const blni_fastfood *f = (const blni_fastfood *)b;
    const size_t m = f->blocks*f->d2;
    bln_put_u64(w, b->d);
    bln_put_u64(w, f->J);
    bln_put_u32(w, (uint32_t)f->kernel);
    bln_put_u32(w, b->n_theta == b->d);
    bln_put_double(w, f->length_scale);
    bln_put_double(w, f->shape);
    bln_put_doubles(w, m, f->sign);
    bln_put_doubles(w, m, f->g);
    bln_put_doubles(w, f->J, f->norm);
    for (size_t k = 0; k < m; k++) bln_put_u64(w, f->order[k]);
}

BLNI_PRIV bln_status blni_fastfood_load(const bln_basis_load *context, bln_reader *r, bln_basis **out);

static const bln_basis_ops blni_fastfood_ops = {
    "fastfood", blni_fastfood_features, blni_fastfood_pullback, blni_fastfood_work, blni_fastfood_param, NULL,
    blni_fastfood_feature_name, blni_length_name, blni_fastfood_slice_name, blni_fastfood_save, blni_fastfood_load,
    blni_basis_release, NULL
};

/* ---- making them ---- */

BLN_API const char *bln_fastfood_check(const bln_fourier_desc *desc)
{
    bln_fourier_desc plain;
    if (!desc) return "fastfood: desc is NULL";
    if (desc->draws != BLN_DRAWS_DEFAULT && desc->draws != BLN_DRAWS_FASTFOOD)
        return "fastfood: draws must be 0 or Fastfood, it has no others";
    plain = *desc;
    plain.draws = BLN_DRAWS_DEFAULT;
    const char *why = bln_fourier_check(&plain);
    if (!why && blni_kernel_find(desc->kernel)->product)
        return "fastfood: needs a radial kernel; the frequencies of a product over the inputs prefer the axes, Fastfood's do not";
    return why;
}

/* The basis without its pieces. */
BLNI_PRIV bln_status blni_fastfood_new(const bln_fourier_desc *desc, blni_fastfood **out)
{
    blni_owned *own = NULL;
    void *tail = NULL;
    const size_t J = desc->n, D = blni_mul(2, J), d2 = blni_power_of_two(desc->d), blocks = J/d2 + (J % d2 != 0);
    const size_t m = blni_mul(blocks, d2);
    const size_t extra = blni_add(blni_mul(m, 2*sizeof(double) + sizeof(size_t)), blni_mul(J, sizeof(double)));
    if (D > (size_t)-1/sizeof(double) || blni_mul(3*BLNI_FASTFOOD_LANES*sizeof(double), d2) == (size_t)-1) return BLN_EOVERFLOW;
    const bln_status status = blni_basis_new(&desc->alloc, &blni_fastfood_ops, sizeof(blni_fastfood), extra, &tail, &own);
    if (status != BLN_OK) return status;
    blni_fastfood *f = (blni_fastfood *)own;
    own->base.d = desc->d;
    own->base.D = D;
    own->base.n_theta = desc->ard ? desc->d : 1;
    f->J = J;
    f->d2 = d2;
    f->blocks = blocks;
    f->kernel = desc->kernel;
    f->shape = desc->shape;
    f->length_scale = desc->length_scale;
    f->sign = (double *)tail;
    f->g = f->sign + m;
    f->norm = f->g + m;
    f->order = (size_t *)(void *)(f->norm + J);
    *out = f;
    return BLN_OK;
}

BLN_API bln_status bln_fastfood_create(const bln_fourier_desc *desc, bln_basis **out, bln_report *report)
{
    blni_fastfood *f = NULL;
    blni_draws draws;
    bln_rng norms, signs;
    const char *why = out ? bln_fastfood_check(desc) : "fastfood: out is NULL";
    bln_report_clear(report);
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);
    bln_fourier_desc full = *desc;
    full.draws = BLN_DRAWS_INDEPENDENT;
    full = bln_fourier_defaults(&full);
    const bln_status status = blni_fastfood_new(&full, &f);
    if (status != BLN_OK) return blni_basis_fail(report, status);
    blni_draws_begin(&draws, &full);
    bln_rng_seed(&norms, full.seed, 2);
    bln_rng_seed(&signs, full.seed, 3);
    const size_t d2 = f->d2;
    for (size_t first = 0; first < f->J; first += d2) {
        double *g = f->g + first, square = 0.0;
        bln_rng_normals(&draws.normals, d2, g);
        for (size_t k = 0; k < d2; k++) square += g[k]*g[k];
        for (size_t k = 0; k < d2; k++) g[k] /= sqrt(square)*sqrt((double)d2);
        for (size_t k = 0; k < d2; k++) f->sign[first + k] = bln_rng_next(&signs) >> 63 ? -1.0 : 1.0;
        bln_rng_permutation(&signs, d2, f->order + first);
        for (size_t j = first; j < f->J && j < first + d2; j++)
            f->norm[j] = sqrt(blni_scale_draw(&draws))*sqrt(bln_rng_chi2(&norms, (double)d2));
    }
    *out = &f->own.base;
    return BLN_OK;
}

/* Signs are signs, and each block's order is a permutation: words[k] loses its top bit, which serves as the mark of row k. */
BLNI_PRIV const char *blni_fastfood_fill(blni_fastfood *f, const double *values, uint64_t *words)
{
    const size_t m = f->blocks*f->d2;
    const uint64_t mark = UINT64_C(1) << 63;
    memcpy(f->sign, values, m*sizeof *values);
    memcpy(f->g, values + m, m*sizeof *values);
    memcpy(f->norm, values + 2*m, f->J*sizeof *values);
    for (size_t k = 0; k < m; k++)
        if (fabs(f->sign[k]) != 1.0) return "a sign of a Fastfood basis that is none";
    for (size_t k = 0; k < m; k++) {
        uint64_t *block = words + k/f->d2*f->d2;
        const uint64_t row = words[k] & ~mark;
        if (row >= f->d2 || (block[row] & mark)) return "the order of a Fastfood basis is no permutation";
        block[row] |= mark;
        f->order[k] = (size_t)row;
    }
    return NULL;
}

BLNI_PRIV bln_status blni_fastfood_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    bln_fourier_desc desc;
    blni_fastfood *f = NULL;
    double *values = NULL;
    size_t room = 0, places = 0;
    memset(&desc, 0, sizeof desc);
    desc.alloc = context->alloc;
    desc.d = bln_get_count(r, 0, (size_t)-1);
    desc.n = bln_get_count(r, 0, (size_t)-1);
    const uint32_t kernel = bln_get_u32(r);
    desc.ard = blni_load_flag(r);
    desc.length_scale = bln_get_double(r);
    desc.shape = bln_get_double(r);
    desc.kernel = kernel < BLNI_N_KERNELS ? (bln_kernel)kernel : (bln_kernel)BLNI_N_KERNELS;
    const char *why = bln_fastfood_check(&desc);
    if (why) bln_reader_fail(r, BLN_EFORMAT, why);
    if (r->status != BLN_OK) return r->status;
    const size_t d2 = blni_power_of_two(desc.d), m = blni_mul(desc.n/d2 + (desc.n % d2 != 0), d2);
    const size_t n = blni_add(blni_mul(2, m), desc.n);
    if (n >= (size_t)-1/sizeof(double)) return blni_load_fail(r, BLN_EOVERFLOW);
    if (blni_load_doubles(&context->alloc, r, n, "a number of a Fastfood basis is not finite", &values, &room) != BLN_OK)
        return r->status;
    uint64_t *words = blni_load_words(&context->alloc, r, m, &places);
    bln_status status = words ? blni_fastfood_new(&desc, &f) : r->status;
    if (words && status != BLN_OK) status = blni_load_fail(r, status);
    if (status == BLN_OK && (why = blni_fastfood_fill(f, values, words)) != NULL) {
        status = bln_reader_fail(r, BLN_EFORMAT, why);
        bln_basis_free(&f->own.base);
    }
    blni_release(&context->alloc, values, room*sizeof *values);
    blni_release(&context->alloc, words, places*sizeof *words);
    if (status == BLN_OK) *out = &f->own.base;
    return status;
}

/* ---------------------------------------------------------------- src/basis/spectral.c */
/* spectral: spectral mixtures, one component at a time
 *
 * A component owns the basis psi of its envelope and turns it by the angle mu'x of each row. That is a rotation of the pairs
 * (psi_j, 0), so that the chain rule needs no features but its own: the derivative by the angle is the pair turned by a right
 * angle, and psi_j is what the opposite turn gives back.
 *
 * Component number q takes word 0 of stream q of the seed as the seed of its envelope, and the direction of its start from stream 4
 * of that one, which no envelope uses. */

typedef struct blni_spectral {
    blni_owned  own;
    bln_basis  *envelope;
    int         relative;      /* is start in units of 1/sd(x_i)?  */
    double     *start;         /* of mu: d                         */
} blni_spectral;

/* ---- features and their chain rule ---- */

/* mu'x of each row: cosine and sine. */
BLNI_PRIV void blni_spectral_angles(const bln_basis *b, const double *mu, size_t n, const double *X, size_t ldx, double *cosine,
                                    double *sine)
{
    for (size_t row = 0; row < n; row++) {
        double sum = 0.0;
        for (size_t i = 0; i < b->d; i++) sum += mu[i]*X[row*ldx + i];
        cosine[row] = 2.0/BLNI_PI*sum;
    }
    bln_sincos_quarter(n, cosine, sine, cosine);
}

/* (B29) */
BLNI_PRIV void blni_spectral_features(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                      double *Phi, size_t ldphi, double *work)
{
    const bln_basis *e = ((const blni_spectral *)b)->envelope;
    double *cosine = work, *sine = work + blni_pad(n);
    bln_basis_features(e, theta, n, X, ldx, Phi, ldphi, work);
    blni_spectral_angles(b, theta + e->n_theta, n, X, ldx, cosine, sine);
    for (size_t row = 0; row < n; row++) {
        double *phi = Phi + row*ldphi;
        const double c = cosine[row], s = sine[row];
        for (size_t j = 0; j < e->D; j++) {
            const double psi = phi[j];
            phi[j] = psi*c;
            phi[e->D + j] = psi*s;
        }
    }
}

/* (B30) With Phi = [Phi1, Phi2], F = [F1, F2]:  psi = Phi1 cos + Phi2 sin,  dL/dpsi = F1 cos + F2 sin, and for the angle a
 * of a row  t = dL/da = sum_j F2 Phi1 - F1 Phi2,  dL/dmu_i = sum_n x_ni t_n,  dL/dx_ni += mu_i t_n.
 * work: cosines, sines (then t), psi and dL/dpsi, then what the envelope needs. */
BLNI_PRIV void blni_spectral_pullback(const bln_basis *b, const double *theta, size_t n, const double *X, size_t ldx,
                                      const double *Phi, size_t ldphi, const double *F, size_t ldf,
                                      double *dtheta, double *dX, size_t lddx, double *work)
{
    const bln_basis *e = ((const blni_spectral *)b)->envelope;
    const size_t m = e->D, p = e->n_theta;
    const double *mu = theta + p;
    double *cosine = work, *t = cosine + blni_pad(n), *psi = t + blni_pad(n), *slope = psi + blni_pad(n*m);
    blni_spectral_angles(b, mu, n, X, ldx, cosine, t);
    for (size_t row = 0; row < n; row++) {
        const double *phi = Phi + row*ldphi, *f = F + row*ldf;
        const double c = cosine[row], s = t[row];
        double sum = 0.0;
        for (size_t j = 0; j < m; j++) {
            psi[row*m + j] = phi[j]*c + phi[m + j]*s;
            slope[row*m + j] = f[j]*c + f[m + j]*s;
            sum += f[m + j]*phi[j] - f[j]*phi[m + j];
        }
        t[row] = sum;
    }
    bln_basis_pullback(e, theta, n, X, ldx, psi, m, slope, m, dtheta, dX, lddx, slope + blni_pad(n*m));
    for (size_t row = 0; row < n; row++)
        for (size_t i = 0; i < b->d; i++) {
            if (dtheta) dtheta[p + i] += X[row*ldx + i]*t[row];
            if (dX) dX[row*lddx + i] += mu[i]*t[row];
        }
}

BLNI_PRIV size_t blni_spectral_work(const bln_basis *b, size_t n)
{
    const bln_basis *e = ((const blni_spectral *)b)->envelope;
    return blni_add(blni_mul(2, blni_add(blni_pad(n), blni_pad(blni_mul(n, e->D)))), bln_basis_work(e, n));
}

/* mu_i moves in steps of a radian over the scale of x_i, sqrt(d) sd_i, as length scales do; b has at least two parameters, so that
 * this scale is always of input i alone. */
BLNI_PRIV void blni_spectral_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    const blni_spectral *f = (const blni_spectral *)b;
    const bln_basis *e = f->envelope;
    if (k < e->n_theta) { e->ops->param(e, k, inputs, out); return; }
    const size_t i = k - e->n_theta;
    const double size = blni_length_size(b, i, inputs);
    out->kind = BLN_PARAM_REAL;
    out->start = f->relative ? f->start[i]*sqrt((double)b->d)/size : f->start[i];
    out->scale = 1.0/size;
}

/* ---- names, files ---- */

BLNI_PRIV void blni_spectral_feature_name(const bln_basis *b, size_t j, const bln_inputs *inputs, char *out, size_t size)
{
    const bln_basis *e = ((const blni_spectral *)b)->envelope;
    blni_cat(out, size, "spectral ");
    const size_t at = strlen(out);
    blni_feature_name(e, j % e->D, inputs, out + at, size - at);
    blni_cat(out, size, j < e->D ? " cos" : " sin");
}

BLNI_PRIV void blni_spectral_param_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    const bln_basis *e = ((const blni_spectral *)b)->envelope;
    if (k < e->n_theta) { blni_param_name(e, k, inputs, out, size); return; }
    blni_cat(out, size, "angular frequency");
    if (b->d == 1) return;
    blni_cat(out, size, " ");
    bln_input_name(inputs, k - e->n_theta, out + strlen(out), size - strlen(out));
}

BLNI_PRIV void blni_spectral_save(const bln_basis *b, bln_writer *w)
{
    const blni_spectral *f = (const blni_spectral *)b;
    bln_put_u64(w, b->d);
    bln_put_u32(w, (uint32_t)f->relative);
    bln_put_doubles(w, b->d, f->start);
    bln_basis_save(f->envelope, w);
}

BLNI_PRIV bln_status blni_spectral_load(const bln_basis_load *context, bln_reader *r, bln_basis **out);

BLNI_PRIV void blni_spectral_release(bln_basis *b)
{
    bln_basis_free(((blni_spectral *)b)->envelope);
    blni_basis_release(b);
}

static const bln_basis_ops blni_spectral_ops = {
    "spectral", blni_spectral_features, blni_spectral_pullback, blni_spectral_work, blni_spectral_param, NULL,
    blni_spectral_feature_name, blni_spectral_param_name, NULL, blni_spectral_save, blni_spectral_load,
    blni_spectral_release, NULL
};

/* ---- making them ---- */

BLN_API bln_spectral_desc bln_spectral_defaults(const bln_spectral_desc *desc)
{
    bln_spectral_desc full;
    memset(&full, 0, sizeof full);
    if (desc) full = *desc;
    if (full.envelope.draws != BLN_DRAWS_FASTFOOD) full.envelope = bln_fourier_defaults(&full.envelope);
    return full;
}

BLN_API const char *bln_spectral_check(const bln_spectral_desc *desc)
{
    if (!desc) return "spectral: desc is NULL";
    const bln_fourier_desc *e = &desc->envelope;
    const char *why = e->draws == BLN_DRAWS_FASTFOOD ? bln_fastfood_check(e) : bln_fourier_check(e);
    if (why) return why;
    if (desc->component > 1000000) return "spectral: component must be at most a million";
    if (!(desc->period == 0.0 || (desc->period >= 1e-150 && desc->period <= 1e150)))
        return "spectral: period must be 0 (from the data) or between 1e-150 and 1e150";
    for (size_t i = 0; desc->mean && i < e->d; i++)
        if (!(fabs(desc->mean[i]) <= 1e150)) return "spectral: a mean is not finite, or beyond 1e150";
    return NULL;
}

/* A component around its envelope, which it owns on success; without its start. */
BLNI_PRIV bln_status blni_spectral_new(const bln_allocator *alloc, bln_basis *envelope, blni_spectral **out)
{
    blni_owned *own = NULL;
    void *tail = NULL;
    const size_t d = envelope->d, D = blni_mul(2, envelope->D), n_theta = blni_add(envelope->n_theta, d);
    if (D > (size_t)-1/sizeof(double)) return BLN_EOVERFLOW;
    const bln_status status = blni_basis_new(alloc, &blni_spectral_ops, sizeof(blni_spectral), blni_mul(d, sizeof(double)),
                                             &tail, &own);
    if (status != BLN_OK) return status;
    blni_spectral *f = (blni_spectral *)own;
    own->base.d = d;
    own->base.D = D;
    own->base.n_theta = n_theta;
    f->envelope = envelope;
    f->start = (double *)tail;
    *out = f;
    return BLN_OK;
}

/* The means as given, or harmonic number component + 1 of the period in a random direction, positive in the first input. */
BLNI_PRIV void blni_spectral_begin(blni_spectral *f, const bln_spectral_desc *desc, uint64_t seed)
{
    const size_t d = desc->envelope.d;
    double square = 0.0;
    bln_rng rng;
    bln_rng_seed(&rng, seed, 4);
    for (size_t i = 0; i < d; i++) {
        f->start[i] = d > 1 ? bln_rng_normal(&rng) : 1.0;
        square += f->start[i]*f->start[i];
    }
    const double period = desc->period > 0.0 ? desc->period : 4.0, sign = f->start[0] < 0.0 ? -1.0 : 1.0;
    const double size = sign*2.0*BLNI_PI*((double)desc->component + 1.0)/period;
    for (size_t i = 0; i < d; i++) f->start[i] = desc->mean ? desc->mean[i] : size*(f->start[i]/sqrt(square));
    f->relative = !desc->mean && !(desc->period > 0.0);
}

BLN_API bln_status bln_spectral_create(const bln_spectral_desc *desc, bln_basis **out, bln_report *report)
{
    const char *why = out ? bln_spectral_check(desc) : "spectral: out is NULL";
    bln_basis *envelope = NULL;
    blni_spectral *f = NULL;
    bln_rng rng;
    bln_report_clear(report);
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);
    bln_fourier_desc e = desc->envelope;
    bln_rng_seed(&rng, e.seed, (uint64_t)desc->component);
    e.seed = bln_rng_next(&rng);
    bln_status status = e.draws == BLN_DRAWS_FASTFOOD ? bln_fastfood_create(&e, &envelope, report)
                                                      : bln_fourier_create(&e, &envelope, report);
    if (status != BLN_OK) return status;
    status = blni_spectral_new(&e.alloc, envelope, &f);
    if (status != BLN_OK) {
        bln_basis_free(envelope);
        return blni_basis_fail(report, status);
    }
    blni_spectral_begin(f, desc, e.seed);
    *out = &f->own.base;
    return BLN_OK;
}

BLN_API bln_status bln_spectral_mixture(const bln_spectral_desc *desc, size_t count, bln_basis **out, bln_report *report)
{
    const char *why = !out ? "spectral: out is NULL" : !count ? "spectral: a mixture of no components" : bln_spectral_check(desc);
    bln_report_clear(report);
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);
    if (count > BLNI_BASIS_PARTS)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "spectral: more than 4096 components");
    const bln_allocator *alloc = &desc->envelope.alloc;
    bln_basis **parts = (bln_basis **)blni_alloc(alloc, count*sizeof *parts);
    bln_status status = parts ? BLN_OK : blni_basis_fail(report, BLN_ENOMEM);
    size_t done = 0;
    while (status == BLN_OK && done < count) {
        bln_spectral_desc one = *desc;
        one.component += done;
        if (one.mean) one.mean += done*one.envelope.d;
        status = bln_spectral_create(&one, &parts[done], report);
        if (status == BLN_OK) done++;
    }
    if (status == BLN_OK) status = bln_basis_sum(alloc, count, parts, out, report);
    if (status != BLN_OK) while (done) bln_basis_free(parts[--done]);
    blni_release(alloc, parts, count*sizeof *parts);
    return status;
}

BLN_API double bln_spectral_at(const bln_spectral_desc *desc, const double *theta, const double *tau)
{
    const bln_fourier_desc *e = &desc->envelope;
    const size_t d = e->d, step = e->ard && d > 1 ? 1 : 0;
    const double *mu = theta + (e->ard ? d : 1);
    const int product = blni_kernel_table[(int)e->kernel].product;
    double length = 0.0, value = 1.0, angle = 0.0;
    for (size_t i = 0; i < d; i++) {
        const double scaled = tau[i]/theta[i*step];
        length = hypot(length, scaled);
        if (product) value *= bln_kernel_at(e->kernel, e->shape, 1, &scaled);
        angle += mu[i]*tau[i];
    }
    return (product ? value : bln_kernel_at(e->kernel, e->shape, 1, &length))*cos(angle);
}

/* The envelope is read here and not by name from all bases: what can be in it has no parts, so that a file cannot nest. */
BLNI_PRIV bln_status blni_spectral_load(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    char name[32];
    bln_basis *envelope = NULL;
    blni_spectral *f = NULL;
    double *start = NULL;
    size_t room = 0;
    const size_t d = bln_get_count(r, 8, (size_t)-1/sizeof(double) - 1);
    const int relative = blni_load_flag(r);
    if (r->status == BLN_OK && d == 0) bln_reader_fail(r, BLN_EFORMAT, "a spectral basis without inputs");
    if (r->status != BLN_OK) return r->status;
    if (blni_load_doubles(&context->alloc, r, d, "a mean of a spectral basis is not finite", &start, &room) != BLN_OK)
        return r->status;
    for (size_t i = 0; i < d; i++)
        if (!(fabs(start[i]) <= (relative ? 1e100 : 1e160)))
            bln_reader_fail(r, BLN_EFORMAT, "a mean of a spectral basis is too large");
    bln_get_string(r, name, sizeof name);
    bln_status status = r->status;
    if (status != BLN_OK) { blni_release(&context->alloc, start, room*sizeof *start); return status; }
    if (!strcmp(name, blni_fourier_ops.name)) status = blni_fourier_load(context, r, &envelope);
    else if (!strcmp(name, blni_fourier2_ops.name)) status = blni_fourier2_load(context, r, &envelope);
    else if (!strcmp(name, blni_fastfood_ops.name)) status = blni_fastfood_load(context, r, &envelope);
    else status = bln_reader_fail(r, BLN_EFORMAT, "a spectral basis around something that is no kernel");
    if (status == BLN_OK) status = envelope->d == d ? blni_spectral_new(&context->alloc, envelope, &f) : BLN_ESHAPE;
    if (status == BLN_OK) {
        f->relative = relative;
        memcpy(f->start, start, d*sizeof *start);
        *out = &f->own.base;
    } else {
        bln_basis_free(envelope);
        if (r->status == BLN_OK) status = blni_load_fail(r, status);
    }
    blni_release(&context->alloc, start, room*sizeof *start);
    return status;
}

/* ---------------------------------------------------------------- src/basis/spec.c */
/* spec: a basis from a line of text, and from a model file: the room that knows all built-in bases by name
 *
 * The text is cut from the outside in: terms at "+", a name at ":", options at ",", a key at "=", columns at ";". Each piece is a
 * span of the text, so that every message can say where. Numbers are read here, not by strtod, whose decimal point depends on the
 * locale. */

/* ---- bases by name in model files ---- */

static const bln_basis_ops *const blni_builtin_ops[] = {
    &blni_bias_ops, &blni_linear_ops, &blni_poly_ops, &blni_legendre_ops, &blni_radial_ops, &blni_fourier_ops,
    &blni_fourier2_ops, &blni_fastfood_ops, &blni_spectral_ops, &blni_sum_ops[0], &blni_columns_ops[0]
};

BLN_API bln_status bln_basis_load_any(const bln_basis_load *context, bln_reader *r, bln_basis **out)
{
    char name[32];
    const bln_basis_ops *ops = NULL;
    bln_basis *b = NULL;
    bln_basis_load none;
    if (!r || !out) return BLN_EINVAL;
    memset(&none, 0, sizeof none);
    if (!context) context = &none;
    if (context->depth > BLNI_BASIS_DEPTH) return bln_reader_fail(r, BLN_EFORMAT, "bases nested deeper than 16");
    bln_get_string(r, name, sizeof name);
    if (r->status != BLN_OK) return r->status;
    for (size_t i = 0; i < sizeof blni_builtin_ops/sizeof *blni_builtin_ops && !ops; i++)
        if (!strcmp(name, blni_builtin_ops[i]->name)) ops = blni_builtin_ops[i];
    for (size_t i = 0; i < context->n_own && !ops; i++)
        if (context->own[i]->load && !strcmp(name, context->own[i]->name)) ops = context->own[i];
    if (!ops) {
        const int first = r->status == BLN_OK;
        bln_reader_fail(r, BLN_EUNKNOWN, "unknown basis");
        if (first) {
            blni_say(r->report, ": \"");
            blni_say(r->report, name);
            blni_say(r->report, "\"");
        }
        return r->status;
    }
    bln_status status = ops->load(context, r, &b);
    if (status != BLN_OK) return bln_reader_fail(r, status, "a basis could not be read");
    if (r->status == BLN_OK) {
        const char *why = bln_basis_check(b);
        if (why) bln_reader_fail(r, BLN_EFORMAT, why);
    }
    if (r->status != BLN_OK) {
        bln_basis_free(b);
        return r->status;
    }
    *out = b;
    return BLN_OK;
}

/* ---- spans of the text ---- */

typedef struct blni_span { const char *text; size_t at, end; } blni_span;

BLNI_PRIV blni_span blni_span_of(const char *text, size_t at, size_t end)
{
    blni_span s;
    while (at < end && (text[at] == ' ' || text[at] == '\t')) at++;
    while (end > at && (text[end - 1] == ' ' || text[end - 1] == '\t')) end--;
    s.text = text;
    s.at = at;
    s.end = end;
    return s;
}

/* The piece of *rest before the next `mark`; *rest becomes what follows. 0 when nothing is left. An empty rest after a mark is an
 * empty piece. */
BLNI_PRIV int blni_span_cut(blni_span *rest, char mark, blni_span *piece)
{
    size_t i = rest->at;
    if (rest->at > rest->end) return 0;
    while (i < rest->end && rest->text[i] != mark) i++;
    *piece = blni_span_of(rest->text, rest->at, i);
    rest->at = i + 1;                                            /* past the end when this was the last piece */
    return 1;
}

BLNI_PRIV size_t blni_span_count(blni_span s, char mark)
{
    size_t n = 1;
    for (size_t i = s.at; i < s.end; i++) if (s.text[i] == mark) n++;
    return n;
}

BLNI_PRIV int blni_span_is(blni_span s, const char *word)
{
    const size_t n = strlen(word);
    return s.end - s.at == n && !memcmp(s.text + s.at, word, n);
}

/* The message with the place, and the offending text in quotes. */
BLNI_PRIV bln_status blni_spec_fail(bln_report *report, bln_status status, blni_span s, const char *reason)
{
    char quoted[48];
    size_t n = blni_min(s.end - s.at, sizeof quoted - 1);
    blni_fail(report, status, BLN_NONE, BLN_NONE, reason);
    blni_say(report, " at character ");
    blni_say_size(report, s.at + 1);
    if (report) report->column = s.at;
    if (n == 0) return status;
    memcpy(quoted, s.text + s.at, n);
    quoted[n] = '\0';
    blni_say(report, ": \"");
    blni_say(report, quoted);
    blni_say(report, n < s.end - s.at ? "...\"" : "\"");
    return status;
}

/* ---- numbers ---- */

BLNI_PRIV int blni_digit(blni_span s, size_t i) { return i < s.end && s.text[i] >= '0' && s.text[i] <= '9'; }

/* Digits only. 0 if it is none, or too large. */
BLNI_PRIV int blni_parse_size(blni_span s, size_t *value)
{
    size_t v = 0, i = s.at;
    for (; blni_digit(s, i); i++) v = blni_add(blni_mul(v, 10), (size_t)(s.text[i] - '0'));
    *value = v;
    return i == s.end && s.end > s.at && v != (size_t)-1;
}

/* digits [. digits] [e [-] digits], no sign in front: up to 19 significant digits times a power of ten, right to 2 ulp (exact up to
 * 15 digits and 10^22). 0 if it is none, or not finite. */
BLNI_PRIV int blni_parse_number(blni_span s, double *value)
{
    uint64_t digits = 0;
    long exponent = 0, power = 0;
    size_t i = s.at, n = 0;
    int point = 0, down = 0;
    for (;; i++) {
        if (!point && i < s.end && s.text[i] == '.') { point = 1; continue; }
        if (!blni_digit(s, i)) break;
        n++;
        if (digits <= UINT64_C(999999999999999999)) { digits = 10*digits + (uint64_t)(s.text[i] - '0'); exponent -= point; }
        else exponent += !point;
    }
    if (n == 0) return 0;
    if (i < s.end && (s.text[i] == 'e' || s.text[i] == 'E')) {
        i++;
        if (i < s.end && s.text[i] == '-') { down = 1; i++; }
        if (!blni_digit(s, i)) return 0;
        for (; blni_digit(s, i); i++) power = power < 100000 ? 10*power + (s.text[i] - '0') : power;
    }
    if (i != s.end) return 0;
    exponent += down ? -power : power;
    double v = (double)digits;
    if (exponent > 0) v *= pow(10.0, (double)exponent);
    if (exponent < -300) { v /= 1e300; exponent += 300; }
    if (exponent < 0) v /= pow(10.0, (double)-exponent);
    *value = v;
    return blni_finite(v);
}

/* ---- terms ---- */

enum {
    BLNI_OPT_COLS = 1, BLNI_OPT_ONES = 2, BLNI_OPT_DEGREE = 4, BLNI_OPT_INTERACTIONS = 8,
    BLNI_OPT_N = 16, BLNI_OPT_ARD = 32, BLNI_OPT_LENGTH = 64, BLNI_OPT_DRAWS = 128, BLNI_OPT_RANGE = 256,
    BLNI_OPT_NU = 512, BLNI_OPT_ALPHA = 1024, BLNI_OPT_Q = 2048, BLNI_OPT_PERIOD = 4096,
    BLNI_OPT_POWERS = BLNI_OPT_COLS | BLNI_OPT_ONES | BLNI_OPT_DEGREE,
    BLNI_OPT_LENGTHS = BLNI_OPT_COLS | BLNI_OPT_N | BLNI_OPT_ARD | BLNI_OPT_LENGTH,
    BLNI_OPT_FOURIER = BLNI_OPT_LENGTHS | BLNI_OPT_DRAWS
};

typedef struct blni_option_name { const char *name; int bit; } blni_option_name;
static const blni_option_name blni_option_names[] = {
    { "cols", BLNI_OPT_COLS }, { "ones", BLNI_OPT_ONES }, { "degree", BLNI_OPT_DEGREE }, { "interactions", BLNI_OPT_INTERACTIONS },
    { "n", BLNI_OPT_N }, { "ard", BLNI_OPT_ARD }, { "length", BLNI_OPT_LENGTH }, { "draws", BLNI_OPT_DRAWS },
    { "range", BLNI_OPT_RANGE }, { "nu", BLNI_OPT_NU }, { "alpha", BLNI_OPT_ALPHA }, { "q", BLNI_OPT_Q },
    { "period", BLNI_OPT_PERIOD }
};

typedef enum blni_term_kind {
    BLNI_TERM_BIAS, BLNI_TERM_LINEAR, BLNI_TERM_POLYNOMIAL, BLNI_TERM_LEGENDRE, BLNI_TERM_RADIAL, BLNI_TERM_FOURIER,
    BLNI_TERM_SPECTRAL
} blni_term_kind;

/* which: the kernel, or the form of a radial basis; size: the default of degree or n. */
typedef struct blni_term_name {
    const char    *name;
    blni_term_kind kind;
    int            which;
    size_t         size;
    double         range;
    int            options;
} blni_term_name;
static const blni_term_name blni_term_names[] = {
    { "bias",       BLNI_TERM_BIAS,       0, 0, 0.0, 0 },
    { "linear",     BLNI_TERM_LINEAR,     0, 0, 0.0, BLNI_OPT_COLS | BLNI_OPT_ONES },
    { "polynomial", BLNI_TERM_POLYNOMIAL, 0, 2, 0.0, BLNI_OPT_POWERS | BLNI_OPT_INTERACTIONS },
    { "legendre",   BLNI_TERM_LEGENDRE,   0, 5, 3.0, BLNI_OPT_POWERS | BLNI_OPT_RANGE },
    { "radial",     BLNI_TERM_RADIAL,     BLN_RADIAL,                 20, 2.0, BLNI_OPT_LENGTHS | BLNI_OPT_RANGE },
    { "sigmoid",    BLNI_TERM_RADIAL,     BLN_RADIAL_SIGMOID,         20, 2.0, BLNI_OPT_LENGTHS | BLNI_OPT_RANGE },
    { "ridge",      BLNI_TERM_RADIAL,     BLN_RADIAL_RIDGE,           20, 2.0, BLNI_OPT_LENGTHS | BLNI_OPT_RANGE },
    { "rbf",        BLNI_TERM_FOURIER,    BLN_KERNEL_RBF,            200, 0.0, BLNI_OPT_FOURIER },
    { "matern12",   BLNI_TERM_FOURIER,    BLN_KERNEL_MATERN12,       200, 0.0, BLNI_OPT_FOURIER },
    { "matern32",   BLNI_TERM_FOURIER,    BLN_KERNEL_MATERN32,       200, 0.0, BLNI_OPT_FOURIER },
    { "matern52",   BLNI_TERM_FOURIER,    BLN_KERNEL_MATERN52,       200, 0.0, BLNI_OPT_FOURIER },
    { "matern",     BLNI_TERM_FOURIER,    BLN_KERNEL_MATERN,         200, 0.0, BLNI_OPT_FOURIER | BLNI_OPT_NU },
    { "rq",         BLNI_TERM_FOURIER,    BLN_KERNEL_RQ,             200, 0.0, BLNI_OPT_FOURIER | BLNI_OPT_ALPHA },
    { "cauchy",     BLNI_TERM_FOURIER,    BLN_KERNEL_CAUCHY,         200, 0.0, BLNI_OPT_FOURIER },
    { "laplace1",   BLNI_TERM_FOURIER,    BLN_KERNEL_LAPLACE1,       200, 0.0, BLNI_OPT_FOURIER },
    { "laplace2",   BLNI_TERM_FOURIER,    BLN_KERNEL_LAPLACE2,       200, 0.0, BLNI_OPT_FOURIER },
    { "cauchy_product", BLNI_TERM_FOURIER, BLN_KERNEL_CAUCHY_PRODUCT, 200, 0.0, BLNI_OPT_FOURIER },
    { "spectral",   BLNI_TERM_SPECTRAL,   BLN_KERNEL_RBF,            100, 0.0, BLNI_OPT_FOURIER | BLNI_OPT_Q | BLNI_OPT_PERIOD }
};
enum { BLNI_N_OPTIONS = sizeof blni_option_names/sizeof *blni_option_names,
       BLNI_N_TERMS = sizeof blni_term_names/sizeof *blni_term_names };

/* A term as it was understood, before anything is made of it. */
typedef struct blni_term {
    blni_span             name, cols;
    const blni_term_name *known;        /* NULL: own                         */
    const bln_spec_term  *own;
    int                   seen;         /* bits of the options that stood there */
    int                   ones, interactions, ard;
    bln_draws             draws;
    size_t                degree, n, q;
    size_t                component;    /* which of the q parts is being made  */
    double                length, range, shape, period;
} blni_term;

BLNI_PRIV bln_status blni_term_find(const bln_spec_desc *desc, blni_term *t, bln_report *report)
{
    for (size_t i = 0; i < BLNI_N_TERMS; i++)
        if (blni_span_is(t->name, blni_term_names[i].name)) {
            t->known = &blni_term_names[i];
            t->ones = 1;
            t->degree = t->n = t->known->size;
            t->q = 1;
            t->range = t->known->range;
            return BLN_OK;
        }
    for (size_t i = 0; i < desc->n_own; i++)
        if (blni_span_is(t->name, desc->own[i].name)) { t->own = &desc->own[i]; t->q = 1; return BLN_OK; }
    if (t->name.at == t->name.end) return blni_spec_fail(report, BLN_EINVAL, t->name, "basis: a term is missing");
    blni_spec_fail(report, BLN_EUNKNOWN, t->name, "basis: unknown term");
    blni_say(report, "; there are");
    for (size_t i = 0; i < BLNI_N_TERMS + desc->n_own; i++) {
        blni_say(report, i ? ", " : " ");
        blni_say(report, i < BLNI_N_TERMS ? blni_term_names[i].name : desc->own[i - BLNI_N_TERMS].name);
    }
    return BLN_EUNKNOWN;
}

BLNI_PRIV bln_status blni_option_unknown(const blni_term *t, blni_span key, bln_report *report)
{
    int any = 0;
    blni_spec_fail(report, BLN_EUNKNOWN, key, "basis: unknown option");
    for (size_t i = 0; i < BLNI_N_OPTIONS; i++)
        if (t->known->options & blni_option_names[i].bit) {
            blni_say(report, any ? ", " : "; there are ");
            blni_say(report, blni_option_names[i].name);
            any = 1;
        }
    if (!any) blni_say(report, "; this term has no options");
    return BLN_EUNKNOWN;
}

BLNI_PRIV bln_status blni_option_flag(blni_span key, blni_span value, int has_value, int *flag, bln_report *report)
{
    *flag = !has_value || blni_span_is(value, "1");
    if (!*flag && !blni_span_is(value, "0"))
        return blni_spec_fail(report, BLN_EINVAL, value.at < value.end ? value : key, "basis: 0 or 1 expected");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_option_size(blni_span key, blni_span value, size_t *size, bln_report *report)
{
    if (!blni_parse_size(value, size) || *size == 0)
        return blni_spec_fail(report, BLN_EINVAL, value.at < value.end ? value : key, "basis: a whole number from 1 on expected");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_option_number(blni_span key, blni_span value, double lo, double hi, const char *reason, double *number,
                                        bln_report *report)
{
    if (!blni_parse_number(value, number) || !(*number >= lo && *number <= hi))
        return blni_spec_fail(report, BLN_EINVAL, value.at < value.end ? value : key, reason);
    return BLN_OK;
}

BLNI_PRIV bln_status blni_option_draws(blni_span key, blni_span value, bln_draws *draws, bln_report *report)
{
    static const char *const names[] = { "orthogonal", "independent", "sobol", "halton", "fastfood" };
    for (int i = 0; i < 5; i++)
        if (blni_span_is(value, names[i])) { *draws = (bln_draws)((int)BLN_DRAWS_ORTHOGONAL + i); return BLN_OK; }
    return blni_spec_fail(report, BLN_EINVAL, value.at < value.end ? value : key,
                          "basis: orthogonal, independent, sobol, halton or fastfood expected");
}

/* One option of a built-in term, or the cols of any. */
BLNI_PRIV bln_status blni_option_read(blni_term *t, int bit, blni_span key, blni_span value, int has_value, bln_report *report)
{
    if (t->seen & bit) return blni_spec_fail(report, BLN_EINVAL, key, "basis: an option stands twice");
    t->seen |= bit;
    switch (bit) {
    case BLNI_OPT_COLS:
        t->cols = value;
        if (value.at >= value.end)
            return blni_spec_fail(report, BLN_EINVAL, key, "basis: column names or numbers expected after cols=");
        return BLN_OK;
    case BLNI_OPT_ONES:         return blni_option_flag(key, value, has_value, &t->ones, report);
    case BLNI_OPT_INTERACTIONS: return blni_option_flag(key, value, has_value, &t->interactions, report);
    case BLNI_OPT_ARD:          return blni_option_flag(key, value, has_value, &t->ard, report);
    case BLNI_OPT_DEGREE:       return blni_option_size(key, value, &t->degree, report);
    case BLNI_OPT_N:            return blni_option_size(key, value, &t->n, report);
    case BLNI_OPT_DRAWS:        return blni_option_draws(key, value, &t->draws, report);
    case BLNI_OPT_Q:
        if (blni_option_size(key, value, &t->q, report) != BLN_OK) return BLN_EINVAL;
        return t->q <= BLNI_BASIS_PARTS ? BLN_OK : blni_spec_fail(report, BLN_EOVERFLOW, value, "basis: more than 4096 components");
    case BLNI_OPT_PERIOD:
        return blni_option_number(key, value, 1e-150, 1e150, "basis: a number > 0 expected", &t->period, report);
    case BLNI_OPT_LENGTH:
        return blni_option_number(key, value, 1e-150, 1e150, "basis: a number > 0 expected", &t->length, report);
    case BLNI_OPT_RANGE:
        return blni_option_number(key, value, 1e-150, 1e150, "basis: a number > 0 expected", &t->range, report);
    default:
        return blni_option_number(key, value, 0.1, 1e4, "basis: a number from 0.1 to 10000 expected", &t->shape, report);
    }
}

/* The options of a term. Those of an own term go to `copy` (as long as the text), without cols. */
BLNI_PRIV bln_status blni_options_read(blni_term *t, blni_span options, char *copy, bln_report *report)
{
    blni_span piece;
    size_t at = 0;
    copy[0] = '\0';
    while (blni_span_cut(&options, ',', &piece)) {
        blni_span rest = piece, key, value;
        int bit = 0;
        blni_span_cut(&rest, '=', &key);
        const int has_value = rest.at <= rest.end;
        value = has_value ? blni_span_of(rest.text, rest.at, rest.end) : blni_span_of(piece.text, piece.end, piece.end);
        if (key.at == key.end) return blni_spec_fail(report, BLN_EINVAL, piece, "basis: an option is missing");
        for (size_t i = 0; i < BLNI_N_OPTIONS; i++)
            if (blni_span_is(key, blni_option_names[i].name)) bit = blni_option_names[i].bit;
        if (t->own && bit != BLNI_OPT_COLS) {
            if (at) copy[at++] = ',';
            memcpy(copy + at, piece.text + piece.at, piece.end - piece.at);
            at += piece.end - piece.at;
            copy[at] = '\0';
            continue;
        }
        if (t->known && !(t->known->options & bit)) return blni_option_unknown(t, key, report);
        const bln_status status = blni_option_read(t, bit, key, value, has_value, report);
        if (status != BLN_OK) return status;
    }
    return BLN_OK;
}

/* A column by its name, else by its number. */
BLNI_PRIV bln_status blni_column_find(const bln_spec_desc *desc, blni_span s, size_t *column, bln_report *report)
{
    size_t found = BLN_NONE;
    if (s.at == s.end) return blni_spec_fail(report, BLN_EINVAL, s, "basis: a column is missing");
    for (size_t i = 0; desc->names && i < desc->d; i++) {
        if (!desc->names[i] || !blni_span_is(s, desc->names[i])) continue;
        if (found != BLN_NONE) return blni_spec_fail(report, BLN_EINVAL, s, "basis: two columns have this name, give the number");
        found = i;
    }
    *column = found;
    if (found != BLN_NONE || (blni_parse_size(s, column) && *column < desc->d)) return BLN_OK;
    return blni_spec_fail(report, BLN_EUNKNOWN, s, "basis: no such input column");
}

BLNI_PRIV bln_status blni_term_own(const bln_spec_desc *desc, const blni_term *t, const char *options, size_t d, uint64_t seed,
                                   bln_basis **out, bln_report *report)
{
    bln_status status = t->own->make(t->own->user, options, d, seed, &desc->alloc, out, report);
    if (status != BLN_OK) return status;
    const char *why = bln_basis_check(*out);
    if (why) status = blni_spec_fail(report, BLN_EINVAL, t->name, why);
    else if ((*out)->d != d && (*out)->d != 0)
        status = blni_spec_fail(report, BLN_ESHAPE, t->name, "basis: made for another number of inputs");
    if (status != BLN_OK) bln_basis_free(*out);
    return status;
}

BLNI_PRIV bln_status blni_term_legendre(const bln_spec_desc *desc, const blni_term *t, size_t d, bln_basis **out)
{
    const size_t bytes = blni_mul(blni_mul(2, d), sizeof(double));
    double *ends = (double *)blni_alloc(&desc->alloc, bytes);
    if (!ends) return BLN_ENOMEM;
    for (size_t i = 0; i < d; i++) { ends[i] = -t->range; ends[d + i] = t->range; }
    const bln_status status = bln_legendre_create(&desc->alloc, d, t->degree, t->ones, ends, ends + d, out);
    blni_release(&desc->alloc, ends, bytes);
    return status;
}

BLNI_PRIV bln_status blni_term_radial(const bln_spec_desc *desc, const blni_term *t, size_t d, uint64_t seed, bln_basis **out)
{
    bln_radial_desc radial;
    const size_t bytes = blni_mul(blni_mul(t->n, d), sizeof(double));
    if (bytes == (size_t)-1) return BLN_EOVERFLOW;
    double *centres = (double *)blni_alloc(&desc->alloc, bytes);
    if (!centres) return BLN_ENOMEM;
    bln_radial_centres(d, t->n, t->range, seed, centres);
    memset(&radial, 0, sizeof radial);
    radial.d = d;
    radial.n = t->n;
    radial.centres = centres;
    radial.form = (bln_radial_form)t->known->which;
    radial.ard = t->ard;
    radial.length_scale = t->length;
    radial.alloc = desc->alloc;
    const bln_status status = bln_radial_create(&radial, out, NULL);
    blni_release(&desc->alloc, centres, bytes);
    return status;
}

BLNI_PRIV bln_fourier_desc blni_term_kernel(const bln_spec_desc *desc, const blni_term *t, size_t d, uint64_t seed)
{
    bln_fourier_desc fourier;
    memset(&fourier, 0, sizeof fourier);
    fourier.d = d;
    fourier.n = t->n;
    fourier.kernel = (bln_kernel)t->known->which;
    fourier.shape = t->shape;
    fourier.ard = t->ard;
    fourier.draws = t->draws;
    fourier.seed = seed;
    fourier.length_scale = t->length;
    fourier.alloc = desc->alloc;
    return fourier;
}

BLNI_PRIV bln_status blni_term_fourier(const bln_spec_desc *desc, const blni_term *t, size_t d, uint64_t seed, bln_basis **out,
                                       bln_report *report)
{
    const bln_fourier_desc fourier = blni_term_kernel(desc, t, d, seed);
    const int fastfood = t->draws == BLN_DRAWS_FASTFOOD;
    const char *why = fastfood ? bln_fastfood_check(&fourier) : bln_fourier_check(&fourier);
    if (why) return blni_spec_fail(report, BLN_EINVAL, t->name, why);
    const bln_status status = fastfood ? bln_fastfood_create(&fourier, out, NULL) : bln_fourier_create(&fourier, out, NULL);
    return status == BLN_OK ? status : blni_spec_fail(report, status, t->name, bln_status_text(status));
}

BLNI_PRIV bln_status blni_term_spectral(const bln_spec_desc *desc, const blni_term *t, size_t d, uint64_t seed, bln_basis **out,
                                        bln_report *report)
{
    bln_spectral_desc spectral;
    memset(&spectral, 0, sizeof spectral);
    spectral.envelope = blni_term_kernel(desc, t, d, seed);
    spectral.component = t->component;
    spectral.period = t->period;
    const char *why = bln_spectral_check(&spectral);
    if (why) return blni_spec_fail(report, BLN_EINVAL, t->name, why);
    const bln_status status = bln_spectral_create(&spectral, out, NULL);
    return status == BLN_OK ? status : blni_spec_fail(report, status, t->name, bln_status_text(status));
}

/* The basis of a term on d inputs. */
BLNI_PRIV bln_status blni_term_make(const bln_spec_desc *desc, const blni_term *t, const char *options, size_t d, uint64_t seed,
                                    bln_basis **out, bln_report *report)
{
    bln_status status = BLN_OK;
    if (t->own) return blni_term_own(desc, t, options, d, seed, out, report);
    if (t->known->kind != BLNI_TERM_BIAS && d == 0)
        return blni_spec_fail(report, BLN_EINVAL, t->name, "basis: there are no input columns, which are needed");
    switch (t->known->kind) {
    case BLNI_TERM_BIAS:       status = bln_bias_create(&desc->alloc, out); break;
    case BLNI_TERM_LINEAR:     status = bln_linear_create(&desc->alloc, d, t->ones, out); break;
    case BLNI_TERM_POLYNOMIAL: status = bln_polynomial_create(&desc->alloc, d, t->degree, t->ones, t->interactions, out); break;
    case BLNI_TERM_LEGENDRE:   status = blni_term_legendre(desc, t, d, out); break;
    case BLNI_TERM_RADIAL:     status = blni_term_radial(desc, t, d, seed, out); break;
    case BLNI_TERM_FOURIER:    return blni_term_fourier(desc, t, d, seed, out, report);
    case BLNI_TERM_SPECTRAL:   return blni_term_spectral(desc, t, d, seed, out, report);
    }
    return status == BLN_OK ? status : blni_spec_fail(report, status, t->name, bln_status_text(status));
}

/* The same on the columns that it names. */
BLNI_PRIV bln_status blni_term_columns(const bln_spec_desc *desc, const blni_term *t, const char *options, uint64_t seed,
                                       bln_basis **out, bln_report *report)
{
    const size_t k = blni_span_count(t->cols, ';');
    blni_span rest = t->cols, piece;
    bln_basis *part = NULL;
    bln_status status = BLN_OK;
    size_t *columns = (size_t *)blni_alloc(&desc->alloc, k*sizeof *columns);
    if (!columns) return blni_basis_fail(report, BLN_ENOMEM);
    for (size_t j = 0; status == BLN_OK && blni_span_cut(&rest, ';', &piece); j++) {
        status = blni_column_find(desc, piece, &columns[j], report);
        for (size_t i = 0; status == BLN_OK && i < j; i++)
            if (columns[i] == columns[j]) status = blni_spec_fail(report, BLN_EINVAL, piece, "basis: a column stands twice");
    }
    if (status == BLN_OK) status = blni_term_make(desc, t, options, k, seed, &part, report);
    if (status == BLN_OK) {
        /* A basis that reads nothing is handed nothing. */
        status = bln_basis_columns(&desc->alloc, desc->d, part->d, columns, part, out, report);
        if (status != BLN_OK) bln_basis_free(part);
    }
    blni_release(&desc->alloc, columns, k*sizeof *columns);
    return status;
}

/* The parts made so far. */
typedef struct blni_parts { bln_basis **list; size_t done, room; } blni_parts;

BLNI_PRIV bln_status blni_parts_grow(const bln_allocator *alloc, blni_parts *parts, size_t more, bln_report *report)
{
    const size_t room = parts->room + more;                      /* no overflow: more < 4096, and the old room was allocated */
    bln_basis **list = (bln_basis **)blni_alloc(alloc, room*sizeof *list);
    if (!list) return blni_basis_fail(report, BLN_ENOMEM);
    memcpy(list, parts->list, parts->done*sizeof *list);
    blni_release(alloc, parts->list, parts->room*sizeof *list);
    parts->list = list;
    parts->room = room;
    return BLN_OK;
}

/* A term becomes one part, a mixture one for each component. */
BLNI_PRIV bln_status blni_term_parse(const bln_spec_desc *desc, blni_span text, size_t position, char *copy, blni_parts *parts,
                                     bln_report *report)
{
    blni_term t;
    bln_rng rng;
    memset(&t, 0, sizeof t);
    copy[0] = '\0';
    blni_span_cut(&text, ':', &t.name);
    bln_status status = blni_term_find(desc, &t, report);
    if (status == BLN_OK && text.at <= text.end) status = blni_options_read(&t, text, copy, report);
    if (status == BLN_OK && t.q > 1) status = blni_parts_grow(&desc->alloc, parts, t.q - 1, report);
    bln_rng_seed(&rng, desc->seed, position);
    const uint64_t seed = bln_rng_next(&rng);
    for (; status == BLN_OK && t.component < t.q; t.component++) {
        bln_basis **out = &parts->list[parts->done];
        status = t.seen & BLNI_OPT_COLS ? blni_term_columns(desc, &t, copy, seed, out, report)
                                        : blni_term_make(desc, &t, copy, desc->d, seed, out, report);
        if (status == BLN_OK) parts->done++;
    }
    return status;
}

/* ---- the whole ---- */

/* One part as it is, several as their sum; and if no part reads inputs, a selection of none of the d columns, so that the basis
 * fits the data. */
BLNI_PRIV bln_status blni_spec_join(const bln_spec_desc *desc, size_t n, bln_basis **parts, bln_basis **out, bln_report *report)
{
    bln_basis *whole = parts[0], *selection = NULL;
    bln_status status = BLN_OK;
    if (n > 1) status = bln_basis_sum(&desc->alloc, n, parts, &whole, report);
    if (status != BLN_OK) return status;
    if (whole->d != desc->d) {
        status = bln_basis_columns(&desc->alloc, desc->d, 0, NULL, whole, &selection, report);
        if (status != BLN_OK) {
            if (n > 1) {                            /* the sum must go, but its parts are the caller's again */
                ((blni_sum *)whole)->n = 0;
                bln_basis_free(whole);
            }
            return status;
        }
        whole = selection;
    }
    *out = whole;
    return BLN_OK;
}

BLN_API bln_status bln_basis_parse(const bln_spec_desc *desc, bln_basis **out, bln_report *report)
{
    blni_span rest, term;
    blni_parts parts = { NULL, 0, 0 };
    size_t length;
    bln_status status = BLN_OK;
    bln_report_clear(report);
    if (!desc || !desc->text || !out)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, desc && desc->text ? "basis: out is NULL" : "basis: no text");
    if (!blni_allocator_ok(&desc->alloc)) return blni_basis_fail(report, BLN_EINVAL);
    if (desc->n_own && !desc->own)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "basis: own terms, but no table of them");
    length = strlen(desc->text);
    rest = blni_span_of(desc->text, 0, length);
    if (rest.at == rest.end) return blni_fail(report, BLN_EINVAL, BLN_NONE, 0, "basis: the text is empty");
    parts.room = blni_span_count(rest, '+');
    parts.list = (bln_basis **)blni_alloc(&desc->alloc, parts.room*sizeof *parts.list);
    char *copy = parts.list ? (char *)blni_alloc(&desc->alloc, length + 1) : NULL;
    if (!copy) status = blni_basis_fail(report, BLN_ENOMEM);
    for (size_t position = 0; status == BLN_OK && blni_span_cut(&rest, '+', &term); position++)
        status = blni_term_parse(desc, term, position, copy, &parts, report);
    if (status == BLN_OK) status = blni_spec_join(desc, parts.done, parts.list, out, report);
    if (status != BLN_OK) while (parts.done) bln_basis_free(parts.list[--parts.done]);
    blni_release(&desc->alloc, copy, length + 1);
    blni_release(&desc->alloc, parts.list, parts.room*sizeof *parts.list);
    return status;
}

/* ---------------------------------------------------------------- src/posterior/posterior.c */
/* posterior: Gaussian posteriors in whitened form. Both forms reduce to sums of squares of a triangular solve or a product, so that
 * a variance is never the difference of two rounded covariances unless the low-rank form says so. */

/* A row block of Phi is needed transposed (D x n) for the factor form, scaled (n x D) and multiplied (n x k) for the other. */
BLN_API size_t bln_gaussian_project_work(const bln_gaussian *g, size_t n)
{
    return blni_mul(n, g->form == BLN_GAUSSIAN_FACTOR ? g->D : blni_add(g->D, g->k));
}

/* work <- U^-T S Phi' (D x n): n right-hand sides at once. */
BLNI_PRIV void blni_whiten_factor(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *work)
{
    for (size_t j = 0; j < g->D; j++)
        for (size_t i = 0; i < n; i++) work[j*n + i] = g->s[j]*Phi[i*ldphi + j];
    bln_trsm(BLN_TRANS, g->D, n, g->R, g->ldr, work, n);
}

/* work <- Phi S (n x D), and behind it Phi S V' (n x k), at _product. */
BLNI_PRIV double *blni_lowrank_product(const bln_gaussian *g, size_t n, double *work) { return work + n*g->D; }

BLNI_PRIV void blni_whiten_lowrank(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *work)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < g->D; j++) work[i*g->D + j] = g->s[j]*Phi[i*ldphi + j];
    bln_gemm(BLN_NOTRANS, BLN_TRANS, n, g->k, g->D, 1.0, work, g->D, g->R, g->ldr, 0.0, blni_lowrank_product(g, n, work), g->k);
}

/* var_i = |U^-T S phi_i|^2 */
BLNI_PRIV void blni_project_factor(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *var, double *work)
{
    blni_whiten_factor(g, n, Phi, ldphi, work);
    for (size_t i = 0; i < n; i++) var[i] = 0.0;
    for (size_t j = 0; j < g->D; j++)
        for (size_t i = 0; i < n; i++) var[i] += work[j*n + i]*work[j*n + i];
}

/* var_i = |S phi_i|^2 - |V S phi_i|^2, cut off at 0 where the data pin f down to rounding. */
BLNI_PRIV void blni_project_lowrank(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *var, double *work)
{
    blni_whiten_lowrank(g, n, Phi, ldphi, work);
    for (size_t i = 0; i < n; i++) {
        const double *a = work + i*g->D, *b = blni_lowrank_product(g, n, work) + i*g->k;
        const double v = bln_dot(g->D, a, a) - bln_dot(g->k, b, b);
        var[i] = v > 0.0 ? v : 0.0;
    }
}

BLN_API void bln_gaussian_project(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *mean, double *var,
                                  double *work)
{
    if (n == 0) return;
    if (mean) bln_gemv(BLN_NOTRANS, n, g->D, 1.0, Phi, ldphi, g->m, 0.0, mean);
    if (!var) return;
    if (g->form == BLN_GAUSSIAN_FACTOR) blni_project_factor(g, n, Phi, ldphi, var, work);
    else                                blni_project_lowrank(g, n, Phi, ldphi, var, work);
}

/* C phi = S U^-1 U^-T S phi,  or  S (p - V'(V p)) with p = S phi. */
BLN_API void bln_gaussian_multiply(const bln_gaussian *g, size_t n, const double *Phi, size_t ldphi, double *out, size_t ldo,
                                   double *work)
{
    const size_t D = g->D;
    if (n == 0) return;
    if (g->form == BLN_GAUSSIAN_FACTOR) {
        blni_whiten_factor(g, n, Phi, ldphi, work);
        bln_trsm(BLN_NOTRANS, D, n, g->R, g->ldr, work, n);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < D; j++) out[i*ldo + j] = g->s[j]*work[j*n + i];
    } else {
        blni_whiten_lowrank(g, n, Phi, ldphi, work);
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, D, g->k, -1.0, blni_lowrank_product(g, n, work), g->k, g->R, g->ldr, 1.0, work, D);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < D; j++) out[i*ldo + j] = g->s[j]*work[i*D + j];
    }
}

/* work <- U^-1, upper triangle, stride D. */
BLNI_PRIV void blni_gaussian_inverse_factor(const bln_gaussian *g, double *work)
{
    for (size_t i = 0; i < g->D; i++) memcpy(work + i*g->D + i, g->R + i*g->ldr + i, (g->D - i)*sizeof *work);
    bln_trtri(g->D, work, g->D);
}

BLN_API void bln_gaussian_variances(const bln_gaussian *g, double *var, double *work)
{
    const size_t D = g->D;
    if (g->form == BLN_GAUSSIAN_FACTOR) {
        /* (U'U)^-1 = U^-1 U^-T: its diagonal is the squared norms of the rows of U^-1. */
        blni_gaussian_inverse_factor(g, work);
        for (size_t i = 0; i < D; i++)
            var[i] = g->s[i]*g->s[i]*bln_dot(D - i, work + i*D + i, work + i*D + i);
        return;
    }
    for (size_t j = 0; j < D; j++) var[j] = 1.0;
    for (size_t i = 0; i < g->k; i++)
        for (size_t j = 0; j < D; j++) var[j] -= g->R[i*g->ldr + j]*g->R[i*g->ldr + j];
    for (size_t j = 0; j < D; j++) var[j] = var[j] > 0.0 ? var[j]*g->s[j]*g->s[j] : 0.0;
}

BLN_API void bln_gaussian_covariance(const bln_gaussian *g, double *C, size_t ldc, double *work)
{
    const size_t D = g->D;
    if (g->form == BLN_GAUSSIAN_FACTOR) {
        blni_gaussian_inverse_factor(g, work);
        bln_lauum(D, work, D, C, ldc);
    } else {
        bln_syrk(BLN_TRANS, D, g->k, -1.0, g->R, g->ldr, 0.0, C, ldc);
        for (size_t i = 0; i < D; i++) C[i*ldc + i] += 1.0;
    }
    for (size_t i = 0; i < D; i++)
        for (size_t j = i; j < D; j++) C[i*ldc + j] *= g->s[i]*g->s[j];
}

/* ---------------------------------------------------------------- src/posterior/predict.c */
/* predict: the one road from (basis, posterior over weights) to the distribution of f and y */

enum { BLNI_PREDICT_BLOCK = 256 };

typedef struct blni_predict_pieces { double *Phi, *project, *basis; } blni_predict_pieces;

BLNI_PRIV blni_predict_pieces blni_predict_carve(blni_arena *a, const bln_basis *basis, const bln_gaussian *g, size_t block)
{
    blni_predict_pieces p;
    p.Phi     = blni_carve_doubles(a, blni_mul(block, basis->D));
    p.project = blni_carve_doubles(a, bln_gaussian_project_work(g, block));
    p.basis   = blni_carve_doubles(a, bln_basis_work(basis, block));
    return p;
}

BLN_API size_t bln_predict_work(const bln_basis *basis, const bln_gaussian *g, size_t block)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_predict_carve(&a, basis, g, block ? block : (size_t)BLNI_PREDICT_BLOCK);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

BLN_API void bln_predict_latent(const bln_basis *basis, const double *theta, const bln_gaussian *g, size_t n, const double *X,
                                size_t ldx, size_t block, double *mean, double *var, double *work)
{
    blni_arena a = blni_arena_over(work, 0);
    blni_predict_pieces p;
    if (block == 0) block = BLNI_PREDICT_BLOCK;
    p = blni_predict_carve(&a, basis, g, block);
    for (size_t i = 0; i < n; i += block) {
        const size_t rows = blni_min(block, n - i);
        bln_basis_features(basis, theta, rows, X ? X + i*ldx : NULL, ldx, p.Phi, basis->D, p.basis);
        bln_gaussian_project(g, rows, p.Phi, basis->D, mean ? mean + i : NULL, var ? var + i : NULL, p.project);
    }
}

typedef struct blni_slope_pieces { double *Phi, *F, *project, *basis; } blni_slope_pieces;

BLNI_PRIV blni_slope_pieces blni_slope_carve(blni_arena *a, const bln_basis *basis, const bln_gaussian *g, size_t block)
{
    blni_slope_pieces p;
    p.Phi     = blni_carve_doubles(a, blni_mul(block, basis->D));
    p.F       = blni_carve_doubles(a, blni_mul(block, basis->D));
    p.project = blni_carve_doubles(a, bln_gaussian_project_work(g, block));
    p.basis   = blni_carve_doubles(a, bln_basis_work(basis, block));
    return p;
}

BLN_API size_t bln_predict_gradient_work(const bln_basis *basis, const bln_gaussian *g, size_t block)
{
    blni_arena a = blni_arena_over(NULL, 0);
    blni_slope_carve(&a, basis, g, block ? block : (size_t)BLNI_PREDICT_BLOCK);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

/* Can all of a basis be pulled back to its inputs? A sum or a selection has a pullback whatever its parts have; a part without
 * one adds nothing, which would be a wrong slope. */
BLNI_PRIV int blni_basis_has_slope(const bln_basis *b)
{
    blni_sum_at at;
    if (b->d == 0) return 1;
    if (!b->ops->pullback) return 0;
    for (int low = 0; low < 2; low++)
        if (b->ops == &blni_columns_ops[low]) return blni_basis_has_slope(((const blni_columns *)b)->part);
    if (b->ops != &blni_sum_ops[0] && b->ops != &blni_sum_ops[1]) return 1;
    for (const bln_basis *p = blni_sum_first((const blni_sum *)b, &at); p; p = blni_sum_next((const blni_sum *)b, &at))
        if (!blni_basis_has_slope(p)) return 0;
    return 1;
}

/* dX <- pullback of F to the inputs of these rows. */
BLNI_PRIV void blni_slope_rows(const bln_basis *basis, const double *theta, size_t n, const double *X, size_t ldx,
                               const blni_slope_pieces *p, double *dX, size_t lddx)
{
    const size_t D = basis->D;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < basis->d; j++) dX[i*lddx + j] = 0.0;
    bln_basis_pullback(basis, theta, n, X, ldx, p->Phi, D, p->F, D, NULL, dX, lddx, p->basis);
}

BLN_API bln_status bln_predict_gradient(const bln_basis *basis, const double *theta, const bln_gaussian *g, size_t n,
                                        const double *X, size_t ldx, size_t block, double *dmean, double *dvar, size_t lddx,
                                        double *work)
{
    const size_t D = basis->D;
    blni_arena a = blni_arena_over(work, 0);
    if (!blni_basis_has_slope(basis)) return BLN_EINVAL;
    if (basis->d == 0) return BLN_OK;
    if (block == 0) block = BLNI_PREDICT_BLOCK;
    const blni_slope_pieces p = blni_slope_carve(&a, basis, g, block);
    for (size_t i = 0; i < n; i += block) {
        const size_t rows = blni_min(block, n - i);
        const double *x = X + i*ldx;
        bln_basis_features(basis, theta, rows, x, ldx, p.Phi, D, p.basis);
        if (dmean) {
            for (size_t r = 0; r < rows; r++) memcpy(p.F + r*D, g->m, D*sizeof *p.F);
            blni_slope_rows(basis, theta, rows, x, ldx, &p, dmean + i*lddx, lddx);
        }
        if (dvar) {
            bln_gaussian_multiply(g, rows, p.Phi, D, p.F, D, p.project);
            bln_scal(rows*D, 2.0, p.F);
            blni_slope_rows(basis, theta, rows, x, ldx, &p, dvar + i*lddx, lddx);
        }
    }
    return BLN_OK;
}

BLN_API void bln_normal_intervals(size_t n, const double *mean, const double *var, double level, double *lower, double *upper)
{
    /* -quantile((1 - level)/2) rather than quantile((1 + level)/2): level near 1 keeps its digits. */
    const double z = level > 0.0 && level < 1.0 ? -bln_norm_quantile(0.5*(1.0 - level)) : BLNI_NAN;
    for (size_t i = 0; i < n; i++) {
        const double m = mean[i], h = var[i] >= 0.0 ? z*sqrt(var[i]) : BLNI_NAN;
        lower[i] = m - h;
        upper[i] = m + h;
    }
}

BLN_API void bln_normal_logdensities(size_t n, const double *mean, const double *var, const double *y, double *out)
{
    for (size_t i = 0; i < n; i++) {
        const double r = y[i] - mean[i], v = var[i];
        out[i] = v > 0.0 ? -0.5*(BLNI_LOG_2PI + log(v) + r*r/v) : BLNI_NAN;
    }
}

BLN_API void bln_normal_cdfs(size_t n, const double *mean, const double *var, const double *y, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = var[i] > 0.0 ? bln_norm_cdf((y[i] - mean[i])/sqrt(var[i])) : BLNI_NAN;
}

BLN_API void bln_normal_quantiles(size_t n, const double *mean, const double *var, double p, double *out)
{
    const double z = p > 0.0 && p < 1.0 ? bln_norm_quantile(p) : BLNI_NAN;
    for (size_t i = 0; i < n; i++) out[i] = var[i] >= 0.0 ? mean[i] + z*sqrt(var[i]) : BLNI_NAN;
}

/* ---------------------------------------------------------------- src/posterior/sample.c */
/* sample: draws of weights by Matheron's rule, without the data                                        [spec/slm.md S37, S38]
 *
 * Whitened, with A = Omega^1/2 Phi S/sigma (n x D), e ~ N(0, I_D), d ~ N(0, I_n) the noise over its standard deviation, Matheron's
 * rule reads
 *     w = m + S [e - A' K_s^-1 (A e + d)],     K_s = I + A A' = L L'.                                                      (S38)
 *
 * Low-rank form: V = L^-1 A is all that is kept, and all that is needed. A' K_s^-1 A = V'V, and A' K_s^-1 d = V' (L^-1 d), where
 * L^-1 d has covariance
 *     L^-1 L^-T = L^-1 (K_s - A A') L^-T = I - V V'.
 * L^-1 is lower triangular with a positive diagonal, so it is the Cholesky factor of I - V V': L^-1 = Q'. Hence
 *     w = m + S [e - V' (V e + Q' d)].
 * Check: the covariance of the bracket is (I - V'V)^2 + V'(I - VV')V = I - V'V, and its covariance with e is I - V'V.
 * The differences I - VV' lose digits where the data pin the weights down; what is lost is eps relative to the prior
 * variance, as everywhere in this form.
 *
 * Factor form: K_s may be larger than memory, but with B = I + A'A = U'U the rule is w = m + S B^-1 (e - A'd), and A'd has the
 * distribution N(0, B - I) whatever n. In terms of U:  B^-1 e = U^-1 (U^-T e), and U^-1 x has the covariance B^-1 (B - I) B^-1
 * of B^-1 A'd if
 *     Cov x = U B^-1 (B - I) B^-1 U' = I - (U U')^-1 = Q'Q.      So      w = m + S U^-1 (U^-T e - Q' d),  d ~ N(0, I_D).
 * Rounding in Q'Q is relative to I here, and so relative to the posterior covariance itself. */

enum { BLNI_SAMPLE_PANEL = 32 };      /* draws made together, for the matrix kernels */

/* A = Q'Q in place for A = I - M M' >= 0, which rounding may leave a little below: entries of M M' are at most 1, so what is
 * missing is of size k eps, however small A itself is. A stays in the strict lower triangle and in diag between the tries. (S20) */
BLNI_PRIV bln_status blni_path_root(size_t k, double *A, double *diag, double *tau)
{
    double added = 0.0, next = DBL_EPSILON*(double)k;
    bln_symmetrise(k, A, k);
    for (size_t i = 0; i < k; i++) diag[i] = A[i*k + i];
    bln_status status = bln_potrf(k, A, k, NULL);
    for (int tries = 0; status != BLN_OK && tries < 7; tries++, next *= 10.0) {
        added = next;
        for (size_t i = 0; i < k; i++) {
            A[i*k + i] = diag[i] + added;
            for (size_t j = i + 1; j < k; j++) A[i*k + j] = A[j*k + i];
        }
        status = bln_potrf(k, A, k, NULL);
    }
    if (tau) *tau = added;
    return status;
}

BLN_API bln_status bln_gaussian_path_factor(const bln_gaussian *g, double *Q, double *diag, double *tau)
{
    const size_t k = g->k;
    if (g->form == BLN_GAUSSIAN_LOWRANK) bln_syrk(BLN_NOTRANS, k, g->D, -1.0, g->R, g->ldr, 0.0, Q, k);
    else {
        /* (U U')^-1 = X'X with X = U^-1, upper triangular: (X'X)_ij = sum over r <= min(i, j). Rows from the last one upwards, so
         * that X can be overwritten: row i of the product needs rows 0..i of X only. */
        for (size_t i = 0; i < k; i++) memcpy(Q + i*k + i, g->R + i*g->ldr + i, (k - i)*sizeof *Q);
        bln_trtri(k, Q, k);
        for (size_t i = k; i-- > 0;) {
            const double x = -Q[i*k + i];
            bln_scal(k - i, x, Q + i*k + i);
            for (size_t r = 0; r < i; r++) bln_axpy(k - i, -Q[r*k + i], Q + r*k + i, Q + i*k + i);
        }
    }
    for (size_t i = 0; i < k; i++) Q[i*k + i] += 1.0;
    const bln_status status = blni_path_root(k, Q, diag, tau);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < i; j++) Q[i*k + j] = 0.0;
    return status;
}

/* Three panels: normals by rows, their image, and the other normals. k <= D. */
BLN_API size_t bln_gaussian_sample_work(const bln_gaussian *g) { return blni_mul(3*(size_t)BLNI_SAMPLE_PANEL, g->D); }

/* Row c of E <- the normals e of draw `first` + c, and of d (n_d of them; 0: not wanted) those that follow in the same stream. */
BLNI_PRIV void blni_sample_normals(uint64_t seed, uint64_t first, size_t n, size_t D, double *E, size_t n_d, double *d)
{
    for (size_t c = 0; c < n; c++) {
        bln_rng rng;
        bln_rng_seed(&rng, seed, first + c);
        bln_rng_normals(&rng, D, E + c*D);
        if (n_d) bln_rng_normals(&rng, n_d, d + c*n_d);
    }
}

/* out <- S E, row by row; + m unless NULL. */
BLNI_PRIV void blni_sample_scale(const bln_gaussian *g, const double *m, size_t n, const double *E, double *out, size_t ld)
{
    for (size_t c = 0; c < n; c++)
        for (size_t j = 0; j < g->D; j++) out[c*ld + j] = (m ? m[j] : 0.0) + g->s[j]*E[c*g->D + j];
}

/* E <- E - (E V' + d Q) V */
BLNI_PRIV void blni_sample_lowrank(const bln_gaussian *g, const double *Q, size_t n, double *E, const double *d, double *z)
{
    const size_t D = g->D, k = g->k;
    bln_gemm(BLN_NOTRANS, BLN_TRANS, n, k, D, 1.0, E, D, g->R, g->ldr, 0.0, z, k);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, k, k, 1.0, d, k, Q, k, 1.0, z, k);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, n, D, k, -1.0, z, k, g->R, g->ldr, 1.0, E, D);
}

/* E <- rows U^-1 e, or U^-1 (U^-T e - Q'd). T: D x n, the same transposed, for the triangular solves. */
BLNI_PRIV void blni_sample_factor(const bln_gaussian *g, const double *Q, size_t n, double *E, const double *d, double *T)
{
    const size_t D = g->D;
    for (size_t j = 0; j < D; j++)
        for (size_t c = 0; c < n; c++) T[j*n + c] = E[c*D + j];
    if (Q) {
        bln_trsm(BLN_TRANS, D, n, g->R, g->ldr, T, n);
        bln_gemm(BLN_TRANS, BLN_TRANS, D, n, D, -1.0, Q, D, d, D, 1.0, T, n);
    }
    bln_trsm(BLN_NOTRANS, D, n, g->R, g->ldr, T, n);
    for (size_t c = 0; c < n; c++)
        for (size_t j = 0; j < D; j++) E[c*D + j] = T[j*n + c];
}

BLN_API void bln_gaussian_sample(const bln_gaussian *g, const double *Q, size_t n, uint64_t seed, uint64_t stream, double *W,
                                 double *prior, size_t ldw, double *work)
{
    const size_t D = g->D, panel = (size_t)BLNI_SAMPLE_PANEL*D;
    double *E = work, *d = work + panel, *T = work + 2*panel;
    for (size_t i = 0; i < n; i += BLNI_SAMPLE_PANEL) {
        const size_t now = blni_min(BLNI_SAMPLE_PANEL, n - i);
        blni_sample_normals(seed, stream + i, now, D, E, Q ? g->k : 0, d);
        if (prior) blni_sample_scale(g, NULL, now, E, prior + i*ldw, ldw);
        if (g->form == BLN_GAUSSIAN_LOWRANK) blni_sample_lowrank(g, Q, now, E, d, T);
        else                                 blni_sample_factor(g, Q, now, E, d, T);
        blni_sample_scale(g, g->m, now, E, W + i*ldw, ldw);
    }
}

/* ---------------------------------------------------------------- src/model/statistics.c */
/* statistics: the Gram matrix of [Phi Y] as an object. One private struct, blni_gram, does the sums for it and for the primal
 * fit. */

/* Sums over rows. G or G3: upper triangle of (D+P) x (D+P), the last P columns those of Y. */
typedef struct blni_gram {
    size_t     D, P;
    int        exact;
    double    *G;              /* double; if exact only its diagonal, rounded                */
    bln_exact *G3;             /* if exact                                                   */
    double    *low;            /* if exact: a block of what [Phi Y] lack of twice double     */
    double     N, ld, omega;   /* sums of weight, weight log(1/v), omega                     */
    bln_exact *y;              /* P: sums of omega y: far from 0, the variance of y hangs on their last digits */
} blni_gram;

BLNI_PRIV size_t blni_gram_width(const blni_gram *g) { return blni_add(g->D, g->P); }

BLNI_PRIV void blni_gram_carve(blni_arena *a, blni_gram *g, size_t block)
{
    const size_t D1 = blni_gram_width(g);
    g->G   = blni_carve_doubles(a, blni_mul(D1, D1));
    g->G3  = (bln_exact *)blni_carve(a, g->exact ? blni_mul(D1, D1) : 0, sizeof(bln_exact));
    g->low = blni_carve_doubles(a, g->exact ? blni_mul(block, D1) : 0);
    g->y   = (bln_exact *)blni_carve(a, g->P, sizeof(bln_exact));
}

BLNI_PRIV void blni_gram_clear(blni_gram *g)
{
    const size_t D1 = blni_gram_width(g);
    for (size_t i = 0; i < D1*D1; i++) g->G[i] = 0.0;
    for (size_t i = 0; i < D1*D1 && g->exact; i++) g->G3[i] = bln_exact_of(0.0);
    g->N = g->ld = g->omega = 0.0;
    for (size_t p = 0; p < g->P; p++) g->y[p] = bln_exact_of(0.0);
}

BLNI_PRIV double blni_row_omega(const bln_data *rows, size_t i)
{
    return (rows->weight ? rows->weight[i] : 1.0)/(rows->noise_var ? rows->noise_var[i] : 1.0);
}

/* Output p less its offset. */
BLNI_PRIV double blni_row_target(const bln_data *rows, size_t i, size_t p) { return blni_y(rows, i, p) - blni_offset(rows, i, p); }

/* One row, given to twice double precision, times omega. */
BLNI_PRIV void blni_gram_exact_row(blni_gram *g, double omega, const double *row, const double *low)
{
    const size_t D1 = blni_gram_width(g);
    for (size_t i = 0; i < D1; i++) {
        const bln_exact x = bln_exact_add_product(bln_exact_of(0.0), 1.0, omega, 0.0, row[i], low[i]);
        for (size_t j = i; j < D1; j++)
            g->G3[i*D1 + j] = bln_exact_add_product(g->G3[i*D1 + j], 1.0, x.v[0], x.v[1], row[j], low[j]);
    }
}

/* g->low <- what Phi (stride D+P) lacks of twice double precision; 0 for bases that cannot tell. */
BLNI_PRIV void blni_gram_low_words(blni_gram *g, const bln_basis *b, const double *theta, const bln_data *rows, const double *Phi,
                                   double *work)
{
    const size_t D1 = blni_gram_width(g);
    if (!g->exact || bln_basis_features_low(b, theta, rows->n, rows->X, blni_ldx(rows), Phi, D1, g->low, D1, work)) return;
    for (size_t i = 0; i < rows->n*D1; i++) g->low[i] = 0.0;
}

/* g += sign times the rows whose features are in Phi (stride D+P, P columns to spare for Y); Phi is overwritten. Exact: Phi's
 * low words are in g->low already. */
BLNI_PRIV void blni_gram_rows(blni_gram *g, double sign, const bln_data *rows, double *Phi)
{
    const size_t D = g->D, D1 = blni_gram_width(g);
    for (size_t i = 0; i < rows->n; i++) {
        const double w = rows->weight ? rows->weight[i] : 1.0, omega = blni_row_omega(rows, i);
        double *phi = Phi + i*D1;
        for (size_t p = 0; p < g->P; p++) phi[D + p] = blni_row_target(rows, i, p);
        g->N += sign*w;
        if (rows->noise_var) g->ld -= sign*w*log(rows->noise_var[i]);
        g->omega += sign*omega;
        for (size_t p = 0; p < g->P; p++) g->y[p] = bln_exact_add_product(g->y[p], sign, omega, 0.0, phi[D + p], 0.0);
        if (g->exact) {
            for (size_t p = 0; p < g->P; p++) {
                const bln_exact y = bln_exact_sub(bln_exact_of(blni_y(rows, i, p)), bln_exact_of(blni_offset(rows, i, p)));
                phi[D + p] = y.v[0];
                g->low[i*D1 + D + p] = y.v[1];
            }
            blni_gram_exact_row(g, sign*omega, phi, g->low + i*D1);
        } else if (rows->weight || rows->noise_var) bln_scal(D1, sqrt(omega), phi);
    }
    if (!g->exact) bln_syrk(BLN_TRANS, D1, rows->n, sign, Phi, D1, 1.0, g->G, D1);
}

/* Starts and slice norms read the diagonal in double. */
BLNI_PRIV void blni_gram_round(blni_gram *g)
{
    const size_t D1 = blni_gram_width(g);
    for (size_t i = 0; i < D1 && g->exact; i++) g->G[i*D1 + i] = bln_exact_double(g->G3[i*D1 + i]);
}

/* The variance of output p weighted by omega, c/omega - (y/omega)^2: in double no more than eps of the mean square is known, so at
 * least that is returned for what may be 0. */
BLNI_PRIV double blni_gram_target_variance(const blni_gram *g, size_t p)
{
    const size_t last = (g->D + p)*(blni_gram_width(g) + 1);
    if (!(g->omega > 0.0)) return 0.0;
    const bln_exact omega = bln_exact_of(g->omega), mean = bln_exact_div(g->y[p], omega);
    const bln_exact c = g->exact ? g->G3[last] : bln_exact_of(g->G[last]);
    const double square = bln_exact_double(bln_exact_div(c, omega));
    const double var = bln_exact_double(bln_exact_sub(bln_exact_div(c, omega), bln_exact_mul(mean, mean)));
    const double least = g->exact ? 0.0 : DBL_EPSILON*square;
    return var > least ? var : least;
}

/* g <- kappa g + other (other may be NULL), elementwise. */
BLNI_PRIV void blni_gram_combine(blni_gram *g, double kappa, const blni_gram *other)
{
    const size_t D1 = blni_gram_width(g);
    for (size_t i = 0; i < D1; i++)
        for (size_t k = i*D1 + i; k < (i + 1)*D1; k++) {
            if (!g->exact) { g->G[k] = kappa*g->G[k] + (other ? other->G[k] : 0.0); continue; }
            if (kappa != 1.0) g->G3[k] = bln_exact_mul(bln_exact_of(kappa), g->G3[k]);
            if (other) g->G3[k] = bln_exact_add(g->G3[k], other->G3[k]);
        }
    g->N = kappa*g->N + (other ? other->N : 0.0);
    g->ld = kappa*g->ld + (other ? other->ld : 0.0);
    g->omega = kappa*g->omega + (other ? other->omega : 0.0);
    for (size_t p = 0; p < g->P; p++) {
        if (kappa != 1.0) g->y[p] = bln_exact_mul(bln_exact_of(kappa), g->y[p]);
        if (other) g->y[p] = bln_exact_add(g->y[p], other->y[p]);
    }
    blni_gram_round(g);
}

/* The input of row i that is largest, the likely culprit when its features overflow. */
BLNI_PRIV size_t blni_row_largest(const bln_data *rows, size_t i)
{
    size_t largest = rows->d ? 0 : BLN_NONE;
    for (size_t k = 1; k < rows->d; k++)
        if (fabs(rows->X[i*blni_ldx(rows) + k]) > fabs(rows->X[i*blni_ldx(rows) + largest])) largest = k;
    return largest;
}

/* Squares below this can be added up 1e18 times, and be taken apart into three doubles. */
#define BLNI_GRAM_MOST 1e290

/* Row r with features phi: are omega phi_j^2 and omega y^2 below it? */
BLNI_PRIV int blni_gram_bounded(const blni_gram *g, const bln_data *rows, size_t r, const double *phi)
{
    const double omega = blni_row_omega(rows, r);
    double most = 0.0;
    for (size_t p = 0; p < g->P; p++) {
        const double y = fabs(blni_row_target(rows, r, p));
        most = y <= most ? most : y;
    }
    for (size_t j = 0; j < g->D; j++) most = fabs(phi[j]) <= most ? most : fabs(phi[j]);
    return omega*most*most < BLNI_GRAM_MOST && most < 1e145 && omega < BLNI_GRAM_MOST;
}

/* ---- the object */

struct bln_statistics {
    const bln_basis *basis;
    bln_allocator    alloc;
    void            *block_memory;
    size_t           bytes, block;
    uint64_t         fingerprint;      /* of the basis */
    double          *theta, *Phi, *work;
    blni_gram        gram;
};

BLNI_PRIV bln_statistics *blni_statistics_carve(blni_arena *a, const bln_basis *b, size_t block, bln_statistics *t)
{
    bln_statistics *carved = (bln_statistics *)blni_carve(a, 1, sizeof *t);
    const blni_gram gram = t->gram;
    if (carved) t = carved;
    t->gram = gram;
    t->theta = blni_carve_doubles(a, b->n_theta);
    t->Phi = blni_carve_doubles(a, blni_mul(block, blni_gram_width(&gram)));
    t->work = blni_carve_doubles(a, bln_basis_work(b, block));
    blni_gram_carve(a, &t->gram, block);
    return carved;
}

BLN_API bln_status bln_statistics_create(const bln_statistics_desc *desc, bln_statistics **out, bln_report *report)
{
    bln_report_clear(report);
    const char *why = !desc || !out ? "statistics: NULL argument" : !desc->basis
        ? "statistics: basis is NULL" : bln_basis_check(desc->basis);
    if (!why && !blni_allocator_ok(&desc->alloc)) why = "statistics: half an allocator";
    for (size_t k = 0; !why && desc->theta && k < desc->basis->n_theta; k++)
        if (!blni_finite(desc->theta[k])) why = "statistics: theta must be finite";
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);

    const bln_basis *b = desc->basis;
    const size_t block = desc->block ? desc->block : 256;
    bln_statistics sizes;
    memset(&sizes, 0, sizeof sizes);
    sizes.gram.D = b->D;
    sizes.gram.P = desc->n_outputs ? desc->n_outputs : 1;
    sizes.gram.exact = desc->exact && bln_exact_available();
    blni_arena a = blni_arena_over(NULL, 0);
    blni_statistics_carve(&a, b, block, &sizes);
    const size_t bytes = a.used;
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "statistics: too large for this machine");
    void *memory = blni_alloc(&desc->alloc, bytes);
    if (!memory) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "statistics: out of memory");
    a = blni_arena_over(memory, bytes);
    bln_statistics *t = blni_statistics_carve(&a, b, block, &sizes);
    t->basis = b;
    t->alloc = desc->alloc;
    t->block_memory = memory;
    t->bytes = bytes;
    t->block = block;
    t->fingerprint = bln_basis_fingerprint(b);
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param p;
        bln_basis_param(b, k, NULL, &p);
        t->theta[k] = desc->theta ? desc->theta[k] : p.start;
    }
    blni_gram_clear(&t->gram);
    *out = t;
    return BLN_OK;
}

BLN_API void bln_statistics_free(bln_statistics *t)
{
    if (!t) return;
    const bln_allocator alloc = t->alloc;
    blni_release(&alloc, t->block_memory, t->bytes);
}

BLN_API double bln_statistics_rows(const bln_statistics *t)     { return t ? t->gram.N : BLNI_NAN; }
BLN_API size_t bln_statistics_features(const bln_statistics *t) { return t ? t->gram.D : 0; }
BLN_API size_t bln_statistics_outputs(const bln_statistics *t)  { return t ? t->gram.P : 0; }

/* First whether the sums stay finite, then the sums: nothing changes otherwise. */
BLNI_PRIV bln_status blni_statistics_sum(bln_statistics *t, double sign, const bln_data *data, bln_report *report)
{
    const size_t width = blni_gram_width(&t->gram);
    for (int adding = 0; adding < 2; adding++)
        for (size_t i = 0; i < data->n; i += t->block) {
            const bln_data rows = bln_data_rows(data, i, blni_min(t->block, data->n - i));
            bln_basis_features(t->basis, t->theta, rows.n, rows.X, blni_ldx(&rows), t->Phi, width, t->work);
            for (size_t r = 0; r < rows.n && !adding; r++)
                if (!blni_gram_bounded(&t->gram, &rows, r, t->Phi + r*width)) {
                    size_t p = 0;
                    while (p < t->gram.P && fabs(blni_row_target(&rows, r, p)) < 1e145) p++;
                    const int y = p < t->gram.P;
                    return blni_fail(report, BLN_ENUMERIC, i + r, y ? data->d + p : blni_row_largest(&rows, r),
                                     y ? "statistics: squares of y overflow; scale y"
                                       : "statistics: squares of the features, or times 1/noise_var, overflow; scale the inputs");
                }
            if (!adding) continue;
            blni_gram_low_words(&t->gram, t->basis, t->theta, &rows, t->Phi, t->work);
            blni_gram_rows(&t->gram, sign, &rows, t->Phi);
        }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_statistics_change(bln_statistics *t, double sign, const bln_data *data, bln_report *report)
{
    double weight = 0.0;
    bln_report_clear(report);
    if (!t || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "statistics: NULL argument");
    if (t->basis->d && t->basis->d != data->d)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "statistics: data have another number of columns than the basis");
    if (t->gram.P != blni_outputs(data))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "statistics: data have another number of outputs; see n_outputs");
    bln_status status = bln_data_check(data, 1, report);
    if (status != BLN_OK) return status;
    for (size_t i = 0; i < data->n; i++) weight += data->weight ? data->weight[i] : 1.0;
    if (sign < 0.0 && weight > t->gram.N*(1.0 + 1e-12))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "statistics: more rows to take out than there are");
    status = blni_statistics_sum(t, sign, data, report);
    if (status != BLN_OK) return status;
    blni_gram_round(&t->gram);
    if (t->gram.N < 0.0) t->gram.N = 0.0;                  /* rounding, when everything was taken out again */
    if (t->gram.omega < 0.0) t->gram.omega = 0.0;
    return BLN_OK;
}

BLN_API bln_status bln_statistics_add(bln_statistics *t, const bln_data *data, bln_report *report)
{
    return blni_statistics_change(t, 1.0, data, report);
}

BLN_API bln_status bln_statistics_remove(bln_statistics *t, const bln_data *data, bln_report *report)
{
    return blni_statistics_change(t, -1.0, data, report);
}

BLNI_PRIV int blni_statistics_alike(const bln_statistics *a, const bln_statistics *b)
{
    const size_t n = a->basis->n_theta;
    return a->fingerprint == b->fingerprint && a->gram.D == b->gram.D && a->gram.P == b->gram.P && a->gram.exact == b->gram.exact
        && n == b->basis->n_theta
        && (n == 0 || !memcmp(a->theta, b->theta, n*sizeof *a->theta));
}

BLN_API bln_status bln_statistics_merge(bln_statistics *t, const bln_statistics *other, bln_report *report)
{
    bln_report_clear(report);
    if (!t || !other) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "statistics: NULL argument");
    if (!blni_statistics_alike(t, other))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE,
                         "statistics: of another basis, theta, number of outputs or arithmetic");
    blni_gram_combine(&t->gram, 1.0, &other->gram);
    return BLN_OK;
}

BLN_API bln_status bln_statistics_forget(bln_statistics *t, double kappa, bln_report *report)
{
    bln_report_clear(report);
    if (!t) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "statistics: NULL argument");
    if (!(kappa > 0.0 && kappa <= 1.0))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "statistics: kappa must be in (0, 1]");
    blni_gram_combine(&t->gram, kappa, NULL);
    return BLN_OK;
}

/* Are they of this basis, or of one that is equal? */
BLNI_PRIV int blni_statistics_of(const bln_statistics *t, const bln_basis *b)
{
    return t->basis == b || t->fingerprint == bln_basis_fingerprint(b);
}

/* ---- as bytes:  u64 fingerprint of the basis, u64 D, u64 e + 4 (P - 1) (e = 1 or 3: doubles an entry), u64 n_theta, f64 x
 * n_theta, f64 N, ld, omega, f64 x 3 P sums of omega y, then the upper triangle of (D+P) x (D+P) row by row, each entry as one or
 * three f64 */
BLNI_PRIV uint64_t blni_gram_code(const blni_gram *g) { return (g->exact ? 3u : 1u) + 4*((uint64_t)g->P - 1); }

BLN_API void bln_statistics_save(const bln_statistics *t, bln_writer *w)
{
    if (!t) {
        if (w->status == BLN_OK) w->status = BLN_EINVAL;
        return;
    }
    const blni_gram *g = &t->gram;
    const size_t D1 = blni_gram_width(g);
    bln_put_u64(w, t->fingerprint);
    bln_put_u64(w, g->D);
    bln_put_u64(w, blni_gram_code(g));
    bln_put_u64(w, t->basis->n_theta);
    bln_put_doubles(w, t->basis->n_theta, t->theta);
    bln_put_double(w, g->N);
    bln_put_double(w, g->ld);
    bln_put_double(w, g->omega);
    for (size_t p = 0; p < g->P; p++) bln_put_doubles(w, 3, g->y[p].v);
    for (size_t i = 0; i < D1; i++)
        for (size_t j = i; j < D1; j++) {
            if (g->exact) bln_put_doubles(w, 3, g->G3[i*D1 + j].v);
            else          bln_put_double(w, g->G[i*D1 + j]);
        }
}

BLNI_PRIV bln_status blni_statistics_read(bln_statistics *t, bln_reader *r)
{
    blni_gram *g = &t->gram;
    const size_t D1 = blni_gram_width(g);
    int good = 1;
    if (bln_get_u64(r) != t->fingerprint || bln_get_u64(r) != g->D || bln_get_u64(r) != blni_gram_code(g)
        || bln_get_u64(r) != t->basis->n_theta)
        return bln_reader_fail(r, BLN_ESHAPE, "statistics: of another basis, number of outputs or arithmetic");
    for (size_t k = 0; k < t->basis->n_theta; k++)
        if (bln_get_double(r) != t->theta[k]) return bln_reader_fail(r, BLN_ESHAPE, "statistics: of another theta");
    g->N = bln_get_double(r);
    g->ld = bln_get_double(r);
    g->omega = bln_get_double(r);
    good = g->N >= 0.0 && blni_finite(g->N) && blni_finite(g->ld) && g->omega >= 0.0 && blni_finite(g->omega);
    for (size_t p = 0; p < g->P; p++) {
        bln_get_doubles(r, 3, g->y[p].v);
        good = good && blni_finite(g->y[p].v[0]) && blni_finite(g->y[p].v[1]) && blni_finite(g->y[p].v[2]);
    }
    for (size_t i = 0; i < D1; i++)
        for (size_t j = i; j < D1; j++) {
            double v[3] = { 0.0, 0.0, 0.0 };
            bln_get_doubles(r, g->exact ? 3 : 1, v);
            if (g->exact) memcpy(g->G3[i*D1 + j].v, v, sizeof v);
            else          g->G[i*D1 + j] = v[0];
            good = good && blni_finite(v[0]) && blni_finite(v[1]) && blni_finite(v[2]);
        }
    return good ? r->status : bln_reader_fail(r, BLN_EFORMAT, "statistics: a number is outside its range");
}

BLN_API bln_status bln_statistics_load(bln_statistics *t, bln_reader *r)
{
    bln_statistics_desc desc;
    bln_statistics *read = NULL;
    if (!t || !r) return BLN_EINVAL;
    memset(&desc, 0, sizeof desc);
    desc.basis = t->basis;
    desc.theta = t->theta;
    desc.n_outputs = t->gram.P;
    desc.exact = t->gram.exact;
    desc.block = 1;
    desc.alloc = t->alloc;
    bln_status status = bln_statistics_create(&desc, &read, r->report);
    if (status != BLN_OK) return bln_reader_fail(r, status, "statistics: out of memory");
    status = blni_statistics_read(read, r);
    if (status == BLN_OK) blni_gram_combine(&t->gram, 1.0, &read->gram);
    bln_statistics_free(read);
    return status;
}

/* ---------------------------------------------------------------- src/model/fixed_point.c */
/* fixed_point: the three updates, each in one line */

BLN_API double bln_fixed_point_noise_var(bln_fixed_point rule, double noise_var, double N, double rss, double gamma)
{
    if (rule == BLN_FIXED_POINT_EM) return (rss + noise_var*gamma)/N;
    const double mackay = N > gamma ? rss/(N - gamma) : noise_var;
    return rule == BLN_FIXED_POINT_MM ? sqrt(mackay)*sqrt(noise_var) : mackay;
}

BLN_API double bln_fixed_point_prior_var(bln_fixed_point rule, double prior_var, size_t n, double mm, double gamma)
{
    if (rule == BLN_FIXED_POINT_EM) return (mm + prior_var*((double)n - gamma))/(double)n;
    const double mackay = gamma > 0.0 ? mm/gamma : 0.0;
    return rule == BLN_FIXED_POINT_MM ? sqrt(mackay)*sqrt(prior_var) : mackay;
}

/* ---------------------------------------------------------------- src/model/slm.c */
/* slm: the model object: what it holds between calls, and what can be asked of it.
 *
 * The fit is in the parts after this one: slm_primal and slm_dual evaluate the evidence, its gradient and the posterior at given
 * hyper-parameters; slm_fit searches for them; slm_file writes and reads. */

/* The prior variances: one for each slice, or one for each weight. Group s is the weights first(s) .. first(s + 1) - 1. */
BLNI_PRIV size_t blni_priors(const bln_basis *b, int per_weight) { return per_weight ? b->D : b->n_slices; }
BLNI_PRIV size_t blni_prior_first(const bln_basis *b, int per_weight, size_t s) { return per_weight ? s : bln_basis_slice(b, s); }

/* P, and whether prior variances are ratios to the noise: with different noise variances there is nothing else they could be. */
BLNI_PRIV size_t blni_slm_outputs(const bln_slm_desc *d) { return d->n_outputs ? d->n_outputs : 1; }
BLNI_PRIV int blni_relative(const bln_slm_desc *d) { return d->relative_prior || (d->n_outputs > 1 && d->sigma != BLN_SLM_SHARED); }

/* An infinite prior variance is a flat prior. */
BLNI_PRIV int blni_flat(double prior_var) { return prior_var > DBL_MAX; }

#define BLNI_COLLINEAR "slm: a feature with a flat prior depends on those before it; give it a prior variance or drop it, feature"

enum { BLNI_SLM_BLOCK = 256, BLNI_SLM_ITERATIONS = 300, BLNI_SLM_EXACT_FEATURES = 16 };

BLNI_PRIV int blni_all_finite(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++) if (!blni_finite(x[i])) return 0;
    return 1;
}

/* A point in hyper-parameter space. */
typedef struct blni_hyper {
    double  noise_var;         /* where prior variances are ratios: 1, the unit of Sigma */
    double *prior_var;         /* blni_priors of them */
    double *theta;             /* n_theta  */
} blni_hyper;

/* The outcome of a fit, in one block of its own. */
typedef struct blni_slm_result {
    void        *block;
    size_t       bytes, P;
    blni_hyper   hyper;
    double      *cov;          /* P x P: Sigma                                                                       */
    bln_gaussian base;         /* of an output with noise variance hyper.noise_var, and the mean of the first output */
    bln_gaussian *posterior;   /* P of them: s times sqrt(Sigma_pp/hyper.noise_var)                                  */
    double      *m, *s, *R;    /* P x D, D, k x D: means, and the arrays of base, writable while it is made          */
    double      *s_of;         /* P x D: s of each output                                                            */
    double      *sd;           /* P x D: sqrt(C_jj), if has_sd: where R would not give all their digits              */
    int          has_sd;
    double       evidence, rows;
} blni_slm_result;

struct bln_slm {
    bln_slm_desc         desc;         /* resolved; its pointers to numbers go into this block */
    bln_allocator        alloc;
    void                *block;        /* this object's own block, and its size               */
    size_t               bytes;
    bln_basis           *owned;        /* the basis, if the model came from a file            */
    blni_slm_result      result;
    int                  fitted;
    struct blni_slm_fit *fit;          /* between init and finish                             */
};

BLN_API bln_slm_desc bln_slm_defaults(const bln_slm_desc *desc)
{
    bln_slm_desc d;
    memset(&d, 0, sizeof d);
    if (desc) d = *desc;
    if (!d.n_outputs)      d.n_outputs = 1;
    d.relative_prior = blni_relative(&d);
    if (!d.starts)         d.starts = 1;
    if (!d.max_iterations) d.max_iterations = BLNI_SLM_ITERATIONS;
    if (!(d.tolerance > 0.0)) d.tolerance = 1e-6;
    if (!d.block)          d.block = BLNI_SLM_BLOCK;
    if (!(d.theta_sd > 0.0)) d.theta_sd = 1.0;
    return d;
}

/* Is each parameter in the domain of its kind? The ends that a basis sets for searches do not count here. */
BLNI_PRIV int blni_theta_usable(const bln_basis *b, const double *theta)
{
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param p;
        bln_basis_param(b, k, NULL, &p);
        const int positive = p.kind == BLN_PARAM_POSITIVE || p.kind == BLN_PARAM_LOG;
        if (!blni_finite(theta[k]) || (positive && !(theta[k] > 0.0))) return 0;
        if (p.kind == BLN_PARAM_INTERVAL && !(theta[k] > p.lo && theta[k] < p.hi)) return 0;
    }
    return 1;
}

BLNI_PRIV const char *blni_slm_check_noise(const bln_slm_desc *d)
{
    const size_t P = blni_slm_outputs(d);
    if (d->sigma != BLN_SLM_DIAGONAL && d->sigma != BLN_SLM_CORRELATED && d->sigma != BLN_SLM_SHARED) return "slm: unknown sigma";
    if (!(d->noise_var >= 0.0) || !blni_finite(d->noise_var)) return "slm: noise_var must be finite and >= 0";
    if (d->fix_noise_var && !(d->noise_var > 0.0) && !d->noise_cov)
        return "slm: fix_noise_var needs a noise_var > 0, or noise_cov";
    if (!d->noise_cov) return NULL;
    if (!d->fix_noise_var) return "slm: noise_cov needs fix_noise_var: the best one is found without a start";
    if (!blni_relative(d)) return "slm: noise_cov needs prior variances that are ratios; here noise_var does";
    for (size_t p = 0; p < P; p++) {
        if (!(d->noise_cov[p*P + p] > 0.0)) return "slm: variances in noise_cov must be > 0";
        for (size_t q = p; q < P; q++) if (!blni_finite(d->noise_cov[p*P + q])) return "slm: noise_cov must be finite";
    }
    return NULL;
}

BLN_API const char *bln_slm_check(const bln_slm_desc *desc)
{
    const char *why;
    if (!desc) return "slm: desc is NULL";
    if (!desc->basis) return "slm: basis is NULL";
    why = bln_basis_check(desc->basis);
    if (!why) why = blni_slm_check_noise(desc);
    if (why) return why;
    if (desc->form != BLN_SLM_AUTO && desc->form != BLN_SLM_PRIMAL && desc->form != BLN_SLM_DUAL) return "slm: unknown form";
    if (desc->fix_prior_var && !desc->prior_var) return "slm: fix_prior_var needs prior_var";
    for (size_t s = 0; desc->prior_var && s < blni_priors(desc->basis, desc->per_weight); s++) {
        if (!(desc->prior_var[s] >= 0.0)) return "slm: prior variances must be >= 0";
        if (blni_flat(desc->prior_var[s]) && desc->form == BLN_SLM_DUAL) return "slm: a flat prior needs the primal form";
    }
    if (desc->arithmetic != BLN_SLM_ARITHMETIC_AUTO && desc->arithmetic != BLN_SLM_DOUBLE && desc->arithmetic != BLN_SLM_EXACT)
        return "slm: unknown arithmetic";
    if (desc->arithmetic == BLN_SLM_EXACT && desc->form == BLN_SLM_DUAL) return "slm: exact arithmetic needs the primal form";
    if (desc->theta && !blni_theta_usable(desc->basis, desc->theta)) return "slm: theta outside its domain, or not finite";
    if (!(desc->theta_sd >= 0.0)) return "slm: theta_sd must be >= 0";
    if (desc->tolerance != desc->tolerance || desc->tolerance < 0.0) return "slm: tolerance must be >= 0";
    if (!blni_allocator_ok(&desc->alloc)) return "slm: allocator needs both alloc and release, or neither";
    if (!desc->fix_theta && desc->basis->n_theta && !desc->basis->ops->pullback)
        return "slm: the basis has no pullback; set fix_theta";
    return NULL;
}

/* The form for n rows; n = BLN_NONE for a source of unknown length. */
BLNI_PRIV bln_slm_form blni_slm_form_for(const bln_slm_desc *desc, size_t n)
{
    for (size_t s = 0; desc->prior_var && s < blni_priors(desc->basis, desc->per_weight); s++)
        if (blni_flat(desc->prior_var[s])) return BLN_SLM_PRIMAL;
    if (desc->form != BLN_SLM_AUTO) return desc->form;
    if (desc->arithmetic == BLN_SLM_EXACT) return BLN_SLM_PRIMAL;
    return n != BLN_NONE && n < desc->basis->D ? BLN_SLM_DUAL : BLN_SLM_PRIMAL;
}

/* Three doubles: asked for, or cheap: few features that do not change during the fit. */
BLNI_PRIV int blni_slm_exact(const bln_slm_desc *desc, bln_slm_form form)
{
    const int learns_theta = !desc->fix_theta && desc->basis->n_theta > 0;
    if (form != BLN_SLM_PRIMAL || learns_theta || !bln_exact_available() || desc->arithmetic == BLN_SLM_DOUBLE) return 0;
    return desc->arithmetic == BLN_SLM_EXACT || desc->basis->D <= BLNI_SLM_EXACT_FEATURES;
}

/* Rows of the posterior's matrix R: n x D in low-rank form, which only the dual form with n < D makes; else D x D. */
BLNI_PRIV size_t blni_slm_posterior_rows(const bln_slm_desc *desc, size_t n)
{
    return blni_slm_form_for(desc, n) == BLN_SLM_DUAL && n < desc->basis->D ? n : desc->basis->D;
}

/* r->P is set. */
BLNI_PRIV void blni_result_carve(blni_arena *a, const bln_basis *b, size_t priors, size_t k, blni_slm_result *r)
{
    const size_t PD = blni_mul(r->P, b->D);
    r->posterior       = (bln_gaussian *)blni_carve(a, r->P, sizeof(bln_gaussian));
    r->cov             = blni_carve_doubles(a, blni_mul(r->P, r->P));
    r->hyper.prior_var = blni_carve_doubles(a, priors);
    r->hyper.theta     = blni_carve_doubles(a, b->n_theta);
    r->m               = blni_carve_doubles(a, PD);
    r->s               = blni_carve_doubles(a, b->D);
    r->s_of            = blni_carve_doubles(a, PD);
    r->sd              = blni_carve_doubles(a, PD);
    r->R               = blni_carve_doubles(a, blni_mul(k, b->D));
}

BLNI_PRIV size_t blni_result_size(const bln_basis *b, size_t priors, size_t P, size_t k)
{
    blni_slm_result r;
    blni_arena a = blni_arena_over(NULL, 0);
    r.P = P;
    blni_result_carve(&a, b, priors, k, &r);
    return a.used;
}

/* An empty result with room for a posterior of k rows. */
BLNI_PRIV bln_status blni_result_create(const bln_allocator *alloc, const bln_basis *b, size_t priors, size_t P, size_t k,
                                        blni_slm_result *r, bln_report *report)
{
    blni_arena a;
    memset(r, 0, sizeof *r);
    r->P = P;
    r->bytes = blni_result_size(b, priors, P, k);
    if (r->bytes == (size_t)-1)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: posterior too large for this machine");
    r->block = blni_alloc(alloc, r->bytes);
    if (!r->block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the posterior");
    a = blni_arena_over(r->block, r->bytes);
    blni_result_carve(&a, b, priors, k, r);
    r->base.form = k < b->D ? BLN_GAUSSIAN_LOWRANK : BLN_GAUSSIAN_FACTOR;
    r->base.D = b->D;
    r->base.k = k;
    r->base.m = r->m;
    r->base.s = r->s;
    r->base.R = r->R;
    r->base.ldr = b->D;
    return BLN_OK;
}

/* Sigma_pq over the noise variance of base; a perfect fit of one output has 0/0. */
BLNI_PRIV double blni_result_ratio(const blni_slm_result *r, size_t p, size_t q)
{
    return r->hyper.noise_var > 0.0 ? r->cov[p*r->P + q]/r->hyper.noise_var : (double)(p == q);
}

/* The posteriors of the outputs, from base, m and cov. */
BLNI_PRIV void blni_result_link(blni_slm_result *r)
{
    const size_t D = r->base.D;
    for (size_t p = 0; p < r->P; p++) {
        const double scale = sqrt(blni_result_ratio(r, p, p));
        for (size_t j = 0; j < D; j++) r->s_of[p*D + j] = scale*r->s[j];
        r->posterior[p] = r->base;
        r->posterior[p].m = r->m + p*D;
        r->posterior[p].s = r->s_of + p*D;
    }
}

BLNI_PRIV void blni_result_free(const bln_allocator *alloc, blni_slm_result *r)
{
    blni_release(alloc, r->block, r->bytes);
    memset(r, 0, sizeof *r);
}

/* The object and the caller's starts, copied so that the desc need not outlive _create. */
BLNI_PRIV bln_slm *blni_slm_carve(blni_arena *a, const bln_slm_desc *desc, double **prior_var, double **theta, double **noise_cov)
{
    const size_t P = blni_slm_outputs(desc);
    bln_slm *slm = (bln_slm *)blni_carve(a, 1, sizeof(bln_slm));
    *noise_cov = blni_carve_doubles(a, desc->noise_cov ? blni_mul(P, P) : 0);
    *prior_var = blni_carve_doubles(a, desc->prior_var ? blni_priors(desc->basis, desc->per_weight) : 0);
    *theta     = blni_carve_doubles(a, desc->theta ? desc->basis->n_theta : 0);
    return slm;
}

BLNI_PRIV size_t blni_slm_object_size(const bln_slm_desc *desc)
{
    double *prior_var, *theta, *noise_cov;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_slm_carve(&a, desc, &prior_var, &theta, &noise_cov);
    return a.used;
}

BLN_API size_t bln_slm_size(const bln_slm_desc *desc, size_t n)
{
    if (!desc || !desc->basis) return (size_t)-1;
    return blni_add(blni_slm_object_size(desc), blni_result_size(desc->basis, blni_priors(desc->basis, desc->per_weight),
                                                                 blni_slm_outputs(desc), blni_slm_posterior_rows(desc, n)));
}

/* out <- in with what a diagonal Sigma does not read set to 0; is it positive definite? */
BLNI_PRIV int blni_noise_cov_copy(const bln_slm_desc *desc, double *out)
{
    const size_t P = blni_slm_outputs(desc);
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++)
            out[p*P + q] = p == q || desc->sigma == BLN_SLM_CORRELATED ? desc->noise_cov[p*P + q] : 0.0;
    const int good = bln_potrf(P, out, P, NULL) == BLN_OK;
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++)
            out[p*P + q] = p == q || desc->sigma == BLN_SLM_CORRELATED ? desc->noise_cov[p*P + q] : 0.0;
    return good;
}

BLN_API bln_status bln_slm_create(const bln_slm_desc *desc, bln_slm **out, bln_report *report)
{
    const char *why = out ? bln_slm_check(desc) : "slm: out is NULL";
    bln_report_clear(report);
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);

    const size_t bytes = blni_slm_object_size(desc);
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    void *block = blni_alloc(&desc->alloc, bytes);
    if (!block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory");

    double *prior_var, *theta, *noise_cov;
    blni_arena a = blni_arena_over(block, bytes);
    bln_slm *slm = blni_slm_carve(&a, desc, &prior_var, &theta, &noise_cov);
    if (desc->noise_cov && !blni_noise_cov_copy(desc, noise_cov)) {
        blni_release(&desc->alloc, block, bytes);
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: noise_cov must be positive definite");
    }
    memset(slm, 0, sizeof *slm);
    slm->desc = bln_slm_defaults(desc);
    slm->alloc = desc->alloc;
    slm->bytes = bytes;
    if (desc->noise_cov) slm->desc.noise_cov = noise_cov;
    if (desc->prior_var) {
        memcpy(prior_var, desc->prior_var, blni_priors(desc->basis, desc->per_weight)*sizeof *prior_var);
        slm->desc.prior_var = prior_var;
    }
    if (desc->theta) {
        memcpy(theta, desc->theta, desc->basis->n_theta*sizeof *theta);
        slm->desc.theta = theta;
    }
    slm->block = block;
    *out = slm;
    return BLN_OK;
}

BLN_API void bln_slm_free(bln_slm *slm)
{
    if (!slm) return;
    const bln_allocator alloc = slm->alloc;
    bln_slm_abandon(slm);
    blni_result_free(&alloc, &slm->result);
    bln_basis_free(slm->owned);
    blni_release(&alloc, slm->block, slm->bytes);
}

BLNI_PRIV int blni_slm_fitted(const bln_slm *slm) { return slm && slm->fitted; }

BLN_API const bln_basis    *bln_slm_basis(const bln_slm *slm)     { return slm ? slm->desc.basis : NULL; }
BLN_API size_t              bln_slm_outputs(const bln_slm *slm)   { return slm ? slm->desc.n_outputs : 0; }
BLN_API const bln_gaussian *bln_slm_posterior(const bln_slm *slm) { return blni_slm_fitted(slm) ? slm->result.posterior : NULL; }
BLN_API const double       *bln_slm_theta(const bln_slm *slm)     { return blni_slm_fitted(slm) ? slm->result.hyper.theta : NULL; }
BLN_API const double *bln_slm_prior_var(const bln_slm *slm) { return blni_slm_fitted(slm) ? slm->result.hyper.prior_var : NULL; }
BLN_API const double *bln_slm_noise_cov(const bln_slm *slm) { return blni_slm_fitted(slm) ? slm->result.cov : NULL; }
BLN_API double bln_slm_evidence(const bln_slm *slm)  { return blni_slm_fitted(slm) ? slm->result.evidence : BLNI_NAN; }
BLN_API double bln_slm_rows(const bln_slm *slm)      { return blni_slm_fitted(slm) ? slm->result.rows : BLNI_NAN; }

BLN_API double bln_slm_noise_var(const bln_slm *slm)
{
    return blni_slm_fitted(slm) && (slm->desc.n_outputs == 1 || slm->desc.sigma == BLN_SLM_SHARED) ? slm->result.cov[0] : BLNI_NAN;
}

/* The first weight from i on whose prior is flat in a fitted model, or D. */
BLNI_PRIV size_t blni_slm_next_flat(const bln_slm *slm, size_t i)
{
    const bln_basis *b = slm->desc.basis;
    for (size_t s = 0; s < blni_priors(b, slm->desc.per_weight); s++) {
        const size_t last = blni_prior_first(b, slm->desc.per_weight, s + 1);
        if (i < last && blni_flat(slm->result.hyper.prior_var[s])) return blni_max(i, blni_prior_first(b, slm->desc.per_weight, s));
    }
    return b->D;
}

/* Does a data set with d columns fit this basis? A basis that reads no inputs (a bias) fits any. */
BLNI_PRIV int blni_slm_fits(const bln_basis *b, size_t d) { return b->d == 0 || b->d == d; }

/* ---------------------------------------------------------------- src/model/slm_sigma.c */
/* slm_sigma: the noise covariance Sigma of the outputs, given or the best one at each point             [spec/slm.md S23, S41, S42]
 *
 * With K = v Omega^-1 + Phi Lambda Phi' (v: the evidence's noise_var), Sigma = v C, Q = Y'K^-1 Y, N' = N - p_f:
 *     log p(Y) = -1/2 [N' P log 2 pi + P (N log v - ld + log|B|) + N' log|C| + tr(C^-1 Q)]
 * and the rest of the evidence sees C^-1 only. One output with an absolute prior variance, and a shared sigma^2, have C = I. */

/* A noise variance below this part of the variance of its output is none. */
#define BLNI_SIGMA_LEAST 1e-10
/* A variance given the outputs before it, of which rounding leaves nothing. */
#define BLNI_SIGMA_DEPENDENT 1e-13

typedef struct blni_slm_noise {
    size_t        P;
    bln_slm_sigma kind;
    int           profile;          /* C is the best one at each point                               */
    double       *C, *inverse;      /* P x P each, both triangles                                    */
    double       *Q, *RSS;          /* P x P each, upper triangle: Y'K^-1 Y; that of the residuals   */
    double       *work;             /* P x P                                                         */
    double       *floor;            /* P: least variances (in units of v) of a profile; 0: none      */
    double        logdet;           /* log|C|                                                        */
    int           bounded;          /* was one at its floor?                                         */
    double        margin;           /* a full C: how far above the floors the variances given the outputs before are, as a factor */
    size_t        nearest;          /* which of them is nearest                                      */
} blni_slm_noise;

BLNI_PRIV void blni_sigma_carve(blni_arena *a, blni_slm_noise *s)
{
    const size_t square = blni_mul(s->P, s->P);
    s->C       = blni_carve_doubles(a, square);
    s->inverse = blni_carve_doubles(a, square);
    s->Q       = blni_carve_doubles(a, square);
    s->RSS     = blni_carve_doubles(a, square);
    s->work    = blni_carve_doubles(a, square);
    s->floor   = blni_carve_doubles(a, s->P);
}

/* C^-1 and log|C|. *lost: an output that follows from those before it, or has less than its least variance; else P. */
BLNI_PRIV void blni_sigma_invert(blni_slm_noise *s, size_t *lost)
{
    const size_t P = s->P;
    *lost = P;
    s->logdet = 0.0;
    if (s->kind != BLN_SLM_CORRELATED || P == 1) {
        for (size_t p = 0; p < P*P; p++) s->inverse[p] = 0.0;
        for (size_t p = 0; p < P; p++) {
            const double c = s->C[p*P + p];
            s->inverse[p*P + p] = c > 0.0 ? 1.0/c : 0.0;            /* 0: a perfect fit, with Q_pp = 0 */
            s->logdet += c > 0.0 ? log(c) : -HUGE_VAL;
        }
        return;
    }
    memcpy(s->inverse, s->C, P*P*sizeof *s->C);
    if (bln_potrf(P, s->inverse, P, lost) != BLN_OK) return;
    *lost = P;
    s->margin = HUGE_VAL;
    for (size_t p = P; p-- > 0;) {
        const double left = s->inverse[p*P + p]*s->inverse[p*P + p], margin = s->floor[p] > 0.0 ? left/s->floor[p] : HUGE_VAL;
        if (!(left > BLNI_SIGMA_DEPENDENT*s->C[p*P + p]) || !(margin >= 1.0)) *lost = p;
        if (margin <= s->margin) { s->margin = margin; s->nearest = p; }
    }
    s->logdet = bln_logdet_factor(P, s->inverse, P);
    bln_trtri(P, s->inverse, P);
    bln_lauum(P, s->inverse, P, s->inverse, P);
    bln_symmetrise(P, s->inverse, P);
}

/* C <- its best value Q/N', within its kind. */
BLNI_PRIV void blni_sigma_best(blni_slm_noise *s, double freedom)
{
    const size_t P = s->P;
    double mean = 0.0, least = 0.0;
    s->bounded = 0;
    for (size_t p = 0; p < P; p++) {
        mean += s->Q[p*P + p]/freedom/(double)P;
        least += s->floor[p]/(double)P;
        for (size_t q = p; q < P; q++)
            s->C[p*P + q] = p == q || s->kind == BLN_SLM_CORRELATED ? s->Q[p*P + q]/freedom : 0.0;
    }
    for (size_t p = 0; p < P; p++) {
        double *c = &s->C[p*P + p];
        const double floor = s->kind == BLN_SLM_SHARED ? least : s->floor[p];
        if (s->kind == BLN_SLM_SHARED) *c = mean;
        if ((s->kind == BLN_SLM_CORRELATED && P > 1) || *c >= floor) continue;
        *c = floor;
        s->bounded = 1;
    }
    bln_symmetrise(P, s->C, P);
}

BLNI_PRIV bln_status blni_sigma_dependent(size_t column, bln_report *report)
{
    return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, column,
                     "data: an output follows from those before it, or is fitted perfectly: a full Sigma is not defined");
}

/* At one point, with Q at hand: C, C^-1, log|C|. N' = freedom. column: that of the first output, for the report.
 * BLN_EUNDEFINED: no freedom; an output without noise of its own (a perfect fit counts as one only in exact arithmetic). */
BLNI_PRIV bln_status blni_sigma_settle(blni_slm_noise *s, double freedom, int exact, size_t column, bln_report *report)
{
    const size_t P = s->P;
    size_t lost;
    if (!s->profile) return BLN_OK;
    if (!(freedom > 0.0))
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                         "data: no more rows than weights with flat priors, so the noise variance cannot be learnt; fix it");
    blni_sigma_best(s, freedom);
    blni_sigma_invert(s, &lost);
    for (size_t p = 0; p < P && !exact; p++)
        if (!(s->C[p*P + p] > 0.0))
            return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, column + p,
                             "data: a perfect fit as far as doubles can see; fix the noise variance, or use exact arithmetic");
    return lost == P ? BLN_OK : blni_sigma_dependent(column + lost, report);
}

/* C <- scale I, or cov/v, once and for all. 0: it has no inverse. */
BLNI_PRIV int blni_sigma_fix(blni_slm_noise *s, const double *cov, double scale)
{
    const size_t P = s->P;
    size_t lost;
    s->profile = 0;
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) {
            const int read = cov && (p == q || s->kind == BLN_SLM_CORRELATED);
            s->C[p*P + q] = read ? cov[p*P + q] : !cov && p == q ? scale : 0.0;
        }
    for (size_t p = 0; p < P; p++) s->floor[p] = 0.0;
    bln_symmetrise(P, s->C, P);
    blni_sigma_invert(s, &lost);
    return lost == P;
}

/* x'C^-1 x for P numbers. */
BLNI_PRIV double blni_sigma_norm(const blni_slm_noise *s, const double *x)
{
    const size_t P = s->P;
    double sum = 0.0;
    for (size_t p = 0; p < P; p++) {
        if (s->kind != BLN_SLM_CORRELATED) { sum += x[p]*s->inverse[p*P + p]*x[p]; continue; }
        sum += x[p]*bln_dot(P, s->inverse + p*P, x);
    }
    return sum;
}

/* tr(C^-1 A), A in its upper triangle. */
BLNI_PRIV double blni_sigma_trace(const blni_slm_noise *s, const double *A)
{
    const size_t P = s->P;
    double sum = 0.0;
    for (size_t p = 0; p < P; p++) {
        sum += s->inverse[p*P + p]*A[p*P + p];
        for (size_t q = p + 1; q < P; q++) sum += 2.0*s->inverse[p*P + q]*A[p*P + q];
    }
    return sum;
}

/* d log p/dC_pq = 1/2 (C^-1 Q C^-1 - N' C^-1), both triangles, in a P x P array. */
BLNI_PRIV void blni_sigma_gradient(blni_slm_noise *s, double freedom, double *d_cov)
{
    const size_t P = s->P;
    bln_symmetrise(P, s->Q, P);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, P, P, P, 1.0, s->inverse, P, s->Q, P, 0.0, d_cov, P);
    memcpy(s->work, d_cov, P*P*sizeof *d_cov);
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, P, P, P, 0.5, s->work, P, s->inverse, P, 0.0, d_cov, P);
    for (size_t p = 0; p < P*P; p++) d_cov[p] -= 0.5*freedom*s->inverse[p];
}

/* C = alpha A'A + beta C (upper triangle) for A: n x P without gaps; the product of one column with itself needs no blocks. */
BLNI_PRIV void blni_sigma_cross(size_t n, size_t P, double alpha, const double *A, double beta, double *C)
{
    if (P == 1) *C = alpha*bln_dot(n, A, A) + (beta == 0.0 ? 0.0 : beta**C);      /* 0: as in >>blas, C may start as anything */
    else bln_syrk(BLN_TRANS, P, n, alpha, A, P, beta, C, P);
}

/* op(U) X = B in place for P columns. */
BLNI_PRIV void blni_sigma_solve(bln_trans op, size_t n, size_t P, const double *U, size_t ldu, double *X)
{
    if (P == 1) bln_trsv(op, n, U, ldu, X);
    else bln_trsm(op, n, P, U, ldu, X, P);
}

/* ---------------------------------------------------------------- src/model/slm_evidence.c */
/* slm_evidence: what the primal and the dual form share: the rows, the workspace, and the evidence put together from its parts.
 *
 * A first scan checks every row and takes what does not depend on hyper-parameters: N, sum of log omega, moments of the columns.
 * Rows of weight k count as k copies: they add k to N, k log(1/v) to ld, and enter G, b, c with omega = k/v. */

typedef struct blni_slm_scan {
    void   *block;                 /* holds the arrays          */
    size_t  bytes;
    size_t  n, d, P;               /* rows, columns, outputs    */
    double  N, ld, omega;          /* sums of weight, of weight log(1/v), of weight/v */
    double *y_var, *y_square;      /* P: of y - offset, weighted by omega: variance, mean square   */
    double *mean, *sd;             /* d: moments of the inputs  */
    blni_running *columns, *targets;   /* d and P: while scanning   */
} blni_slm_scan;

/* Row i of a block, after s->n rows. */
BLNI_PRIV bln_status blni_scan_row(const bln_data *rows, size_t i, blni_slm_scan *s, bln_report *report)
{
    const double w = rows->weight ? rows->weight[i] : 1.0, omega = blni_row_omega(rows, i);
    s->N += w;
    s->omega += omega;
    if (!blni_finite(s->omega) || !blni_finite(s->N))
        return blni_fail(report, BLN_ENUMERIC, s->n + i, BLN_NONE,
                         "data: the sum of weights or of 1/noise_var overflows; scale them");
    if (rows->noise_var) s->ld -= w*log(rows->noise_var[i]);
    for (size_t p = 0; p < s->P; p++) {
        const double y = blni_row_target(rows, i, p);
        s->y_square[p] += omega*y*y;
        if (!blni_finite(s->y_square[p]))
            return blni_fail(report, BLN_ENUMERIC, s->n + i, rows->d + p, "data: squares of y overflow; scale y");
        blni_running_add(s->targets + p, omega, y);
    }
    for (size_t j = 0; j < s->d; j++) blni_running_add(s->columns + j, w, rows->X[i*blni_ldx(rows) + j]);
    return BLN_OK;
}

/* The next block of a source, checked for shape; contents are checked in the scan only. rows->n = 0 at the end. */
BLNI_PRIV bln_status blni_source_next(const bln_source *source, size_t block, size_t P, bln_data *rows, bln_report *report)
{
    memset(rows, 0, sizeof *rows);
    const bln_status status = source->next(source->user, block, rows, report);
    if (status != BLN_OK) return status;
    if (rows->n > block || (rows->n && rows->d != source->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "source: a block of the wrong shape");
    if (rows->n && blni_outputs(rows) != P)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of outputs (p) than n_outputs");
    return rows->n ? blni_data_check_shape(rows, 1, report) : BLN_OK;
}

/* Moments from the sums. */
BLNI_PRIV void blni_scan_end(blni_slm_scan *s)
{
    for (size_t p = 0; p < s->P; p++) {
        s->y_var[p] = blni_running_variance(s->targets + p);
        s->y_square[p] /= s->omega;
    }
    for (size_t j = 0; j < s->d; j++) {
        s->mean[j] = s->columns[j].mean;
        s->sd[j] = sqrt(blni_running_variance(s->columns + j));
    }
}

BLNI_PRIV bln_status blni_scan_rows(const bln_source *source, size_t block, blni_slm_scan *s, bln_report *report)
{
    bln_data rows;
    bln_status status = source->reset(source->user, report);
    while (status == BLN_OK) {
        status = blni_source_next(source, block, s->P, &rows, report);
        if (status != BLN_OK || rows.n == 0) break;
        status = blni_data_check_from(&rows, 1, s->n, report);
        if (status != BLN_OK) break;
        for (size_t i = 0; i < rows.n && status == BLN_OK; i++) status = blni_scan_row(&rows, i, s, report);
        if (status != BLN_OK) break;
        s->n += rows.n;
    }
    if (status != BLN_OK) return status;
    if (!(s->N > 0.0))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, s->n ? "data: every row has weight 0" : "data: no rows");
    blni_scan_end(s);
    return BLN_OK;
}

BLNI_PRIV void blni_scan_free(const bln_allocator *alloc, blni_slm_scan *s)
{
    blni_release(alloc, s->block, s->bytes);
    memset(s, 0, sizeof *s);
}

/* s->d and s->P are set. */
BLNI_PRIV void blni_scan_carve(blni_arena *a, blni_slm_scan *s)
{
    s->mean     = blni_carve_doubles(a, s->d);
    s->sd       = blni_carve_doubles(a, s->d);
    s->y_var    = blni_carve_doubles(a, s->P);
    s->y_square = blni_carve_doubles(a, s->P);
    s->columns  = (blni_running *)blni_carve(a, s->d, sizeof(blni_running));
    s->targets  = (blni_running *)blni_carve(a, s->P, sizeof(blni_running));
}

/* An empty scan of d columns and P outputs. */
BLNI_PRIV bln_status blni_scan_create(const bln_allocator *alloc, size_t d, size_t P, blni_slm_scan *s, bln_report *report)
{
    blni_arena a = blni_arena_over(NULL, 0);
    memset(s, 0, sizeof *s);
    s->d = d;
    s->P = P;
    blni_scan_carve(&a, s);
    s->bytes = a.used;
    if (s->bytes == (size_t)-1)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    s->block = blni_alloc(alloc, s->bytes);
    if (!s->block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory");
    memset(s->block, 0, s->bytes);
    a = blni_arena_over(s->block, s->bytes);
    blni_scan_carve(&a, s);
    return BLN_OK;
}

BLNI_PRIV bln_status blni_scan(const bln_slm *slm, const bln_source *source, blni_slm_scan *s, bln_report *report)
{
    const bln_allocator *alloc = &slm->alloc;
    bln_status status = blni_scan_create(alloc, source->d, slm->desc.n_outputs, s, report);
    if (status != BLN_OK) return status;
    status = blni_scan_rows(source, slm->desc.block, s, report);
    if (status != BLN_OK) blni_scan_free(alloc, s);
    return status;
}

/* The workspace of one fit, and the state of the last evaluation. Letters are those of spec/slm.md. */
typedef struct blni_evidence {
    const bln_basis  *basis;
    const bln_source *source;          /* the rows                                                            */
    size_t            seen;            /* rows of this pass so far                                            */
    int               source_failed;   /* the last failure was the source's, not the arithmetic's             */
    int               per_weight;      /* which prior variances                                               */
    bln_slm_form      form;
    size_t            n, D, P, block;  /* rows, features, outputs, rows of a block                            */
    size_t            columns;         /* of the inputs: where y begins in a report                           */
    size_t            n_flat;          /* features with a flat prior                                          */
    double            N, ld, omega;    /* from the scan                                                       */

    blni_slm_noise sigma;                  /* noise covariance of the outputs, over noise_var                     */
    double *u, *m, *w, *mC;            /* D x P each: L^-1 S b/sigma^2, mean, mean/s, mean C^-1               */
    double *s, *gamma;                 /* D each: sqrt(lambda_i), gamma_i                                     */
    double *diag;                      /* spare diagonal for the jitter                                       */
    double *penalty;                   /* D: 1, or 0 where the prior is flat: B = S G S/sigma^2 + diag(penalty) */
    double *basis_work;

    blni_gram gram;                    /* primal: [Phi Y]' Omega [Phi Y]                                      */
    int       lent;                    /* gram belongs to a bln_statistics, and there are no rows             */
    double *B;                         /* primal: D x D: B, its factor, its inverse, C in turn                */
    bln_exact *B3, *u3, *w3;           /* exact: as B, u', w' (P x D)                                         */
    double *Phi, *F;                   /* primal: block x (D+P), block x D;   dual: n x D each                */
    double *r;                         /* block x P (dual: n x P): residuals                                  */
    double *K;                         /* dual: n x n: K_s and its factor                                     */
    double *y, *root, *alpha;          /* dual: n x P, n, n x P: targets, sqrt(omega), L_N^-T t               */
    double *X;                         /* dual: n x d inputs                                                  */

    double *theta;                     /* where G (or Phi) was computed                                       */
    int     have_features;
    double  noise_var, logdet, tau, condition;              /* of the last value                              */
    double  q, rss;                    /* tr(C^-1 Q), tr(C^-1 RSS)                                            */
} blni_evidence;

BLNI_PRIV void blni_evidence_carve(blni_arena *a, blni_evidence *e)
{
    const size_t D = e->D, P = e->P, DP = blni_mul(D, P), n = e->n, rows = e->form == BLN_SLM_DUAL ? n : e->block;
    blni_sigma_carve(a, &e->sigma);
    e->s = blni_carve_doubles(a, D);
    e->u = blni_carve_doubles(a, DP);
    e->m = blni_carve_doubles(a, DP);
    e->w = blni_carve_doubles(a, DP);
    e->mC = blni_carve_doubles(a, DP);
    e->r = blni_carve_doubles(a, blni_mul(rows, P));
    e->gamma = blni_carve_doubles(a, D);
    e->penalty = blni_carve_doubles(a, D);
    e->theta = blni_carve_doubles(a, e->basis->n_theta);
    e->basis_work = blni_carve_doubles(a, bln_basis_work(e->basis, e->block));
    e->F = blni_carve_doubles(a, blni_mul(rows, D));
    if (e->form == BLN_SLM_DUAL) {
        e->diag  = blni_carve_doubles(a, blni_max(n, D));
        e->Phi   = blni_carve_doubles(a, blni_mul(n, D));
        e->K     = blni_carve_doubles(a, blni_mul(n, n));
        e->y     = blni_carve_doubles(a, blni_mul(n, P));
        e->root  = blni_carve_doubles(a, n);
        e->alpha = blni_carve_doubles(a, blni_mul(n, P));
        e->X     = blni_carve_doubles(a, blni_mul(n, e->basis->d));
        e->B = NULL;
    } else {
        e->diag = blni_carve_doubles(a, D);
        e->Phi  = blni_carve_doubles(a, blni_mul(rows, blni_add(D, P)));
        if (!e->lent) blni_gram_carve(a, &e->gram, e->block);
        e->B    = blni_carve_doubles(a, blni_mul(D, D));
        e->K = e->y = e->root = e->alpha = e->X = NULL;
    }
    e->B3 = (bln_exact *)blni_carve(a, e->gram.exact ? blni_mul(D, D) : 0, sizeof(bln_exact));
    e->u3 = (bln_exact *)blni_carve(a, e->gram.exact ? DP : 0, sizeof(bln_exact));
    e->w3 = (bln_exact *)blni_carve(a, e->gram.exact ? DP : 0, sizeof(bln_exact));
}

BLNI_PRIV blni_evidence blni_evidence_for(const bln_slm_desc *desc, const bln_source *source, const blni_slm_scan *scan)
{
    blni_evidence e;
    memset(&e, 0, sizeof e);
    e.basis = desc->basis;
    e.per_weight = desc->per_weight;
    e.source = source;
    e.n = scan->n;
    e.D = e.gram.D = desc->basis->D;
    e.P = e.gram.P = e.sigma.P = desc->n_outputs;
    e.sigma.kind = desc->sigma;
    e.columns = scan->d;
    e.block = blni_min(desc->block, blni_max(scan->n, 1));
    e.N = scan->N;
    e.ld = scan->ld;
    e.omega = scan->omega;
    return e;
}

/* s_i = sqrt(lambda of i's slice), 1 where it is infinite. */
BLNI_PRIV void blni_evidence_prior(blni_evidence *e, const double *prior_var)
{
    e->n_flat = 0;
    for (size_t k = 0; k < blni_priors(e->basis, e->per_weight); k++)
        for (size_t i = blni_prior_first(e->basis, e->per_weight, k); i < blni_prior_first(e->basis, e->per_weight, k + 1); i++) {
            const int flat = blni_flat(prior_var[k]);
            e->s[i] = flat ? 1.0 : sqrt(prior_var[k]);
            e->penalty[i] = flat ? 0.0 : 1.0;
            e->n_flat += (size_t)flat;
        }
}

/* Are G or Phi those of theta? If not, notes that they are about to be. */
BLNI_PRIV int blni_evidence_same_theta(blni_evidence *e, const double *theta)
{
    const size_t bytes = e->basis->n_theta*sizeof *theta;
    if (e->have_features && (bytes == 0 || !memcmp(e->theta, theta, bytes))) return 1;
    if (bytes) memcpy(e->theta, theta, bytes);
    e->have_features = 1;
    return 0;
}

/* A perfect fit by flat weights alone, of one output at least: its noise variance is 0, and the density infinite. */
BLNI_PRIV int blni_evidence_perfect(const blni_evidence *e) { return !(e->noise_var > 0.0) || !(e->sigma.logdet > -HUGE_VAL); }

/* N less the flat weights: what there is to learn Sigma from. */
BLNI_PRIV double blni_evidence_freedom(const blni_evidence *e) { return e->N - (double)e->n_flat; }

/* log p(Y)   (S7, S5, S42); with flat weights integrated out, see >>slm. */
BLNI_PRIV double blni_evidence_total(const blni_evidence *e)
{
    const double freedom = blni_evidence_freedom(e);
    if (blni_evidence_perfect(e)) return HUGE_VAL;
    return -0.5*((double)e->P*(freedom*BLNI_LOG_2PI + e->N*log(e->noise_var) - e->ld + e->logdet) + freedom*e->sigma.logdet + e->q);
}

/* With Q and RSS at hand: Sigma, and what the evidence needs of the three. */
BLNI_PRIV bln_status blni_evidence_settle(blni_evidence *e, bln_report *report)
{
    const bln_status status = blni_sigma_settle(&e->sigma, blni_evidence_freedom(e), e->gram.exact, e->columns, report);
    e->q = blni_sigma_trace(&e->sigma, e->sigma.Q);
    e->rss = blni_sigma_trace(&e->sigma, e->sigma.RSS);
    return status;
}

/* out (P x P, upper triangle) = sum of w_i'w_i = m_i'm_i/lambda_i over the weights that have a prior variance. */
BLNI_PRIV void blni_evidence_shrinkage(const blni_evidence *e, double *out)
{
    const size_t P = e->P;
    for (size_t p = 0; p < P*P; p++) out[p] = 0.0;
    for (size_t i = 0; i < e->D; i++) {
        const double *w = e->w + i*P;
        if (!(e->penalty[i] > 0.0)) continue;
        for (size_t p = 0; p < P; p++)
            for (size_t q = p; q < P; q++) out[p*P + q] += w[p]*w[q];
    }
}

/* mC <- m C^-1 */
BLNI_PRIV void blni_evidence_mean_over_sigma(blni_evidence *e)
{
    bln_gemm(BLN_NOTRANS, BLN_NOTRANS, e->D, e->P, e->P, 1.0, e->m, e->P, e->sigma.inverse, e->P, 0.0, e->mC, e->P);
}

/* The posterior's parts that do not depend on the form: means by output, s, Sigma. */
BLNI_PRIV void blni_evidence_result(const blni_evidence *e, blni_slm_result *r)
{
    const size_t D = e->D, P = e->P;
    for (size_t p = 0; p < P; p++)
        for (size_t i = 0; i < D; i++) r->m[p*D + i] = e->m[i*P + p];
    memcpy(r->s, e->s, D*sizeof *r->s);
    for (size_t p = 0; p < P*P; p++) r->cov[p] = e->noise_var*e->sigma.C[p];
}

/* d/d log sigma^2 and d/d log lambda_s from RSS, m_i^2/lambda_i = w_i^2 and gamma_i   (S13, S14, S41) */
BLNI_PRIV void blni_evidence_gradient_scales(const blni_evidence *e, double *d_noise, double *d_prior)
{
    const double P = (double)e->P;
    double gamma = 0.0;
    for (size_t i = 0; i < e->D; i++) gamma += e->gamma[i];
    if (d_noise) *d_noise = 0.5*(e->rss/e->noise_var + P*(gamma - e->N));
    if (!d_prior) return;
    for (size_t k = 0; k < blni_priors(e->basis, e->per_weight); k++) {
        d_prior[k] = 0.0;
        for (size_t i = blni_prior_first(e->basis, e->per_weight, k); i < blni_prior_first(e->basis, e->per_weight, k + 1); i++)
            d_prior[k] += 0.5*e->penalty[i]*(blni_sigma_norm(&e->sigma, e->w + i*e->P) - P*e->gamma[i]);
    }
}

/* ---------------------------------------------------------------- src/model/slm_primal.c */
/* slm_primal: the evidence in D x D form: two streaming passes, memory O(D^2 + block D)      [spec/slm.md, sections 2, 5]
 *
 * Pass 1 accumulates G, b, c of S2 as one symmetric product [Phi Y]' Omega [Phi Y]; pass 2, for the gradient of the basis
 * parameters only, makes Phi again and hands F = (Omega/sigma^2)(R C_Y^-1 M' - P Phi C) to the basis block by block (S15-S17; R
 * the n x P residuals, C_Y slm_sigma's C). */

BLNI_PRIV bln_status blni_primal_rewind(blni_evidence *e, bln_report *report)
{
    const bln_status status = e->source->reset(e->source->user, report);
    e->seen = 0;
    e->source_failed = status != BLN_OK;
    return status;
}

/* The next block: its rows, and their features in e->Phi with stride ld. rows->n = 0 at the end, which must come after as many
 * rows as in the scan. */
BLNI_PRIV bln_status blni_primal_block(blni_evidence *e, const double *theta, size_t ld, bln_data *rows, bln_report *report)
{
    bln_status status = blni_source_next(e->source, e->block, e->P, rows, report);
    e->seen += status == BLN_OK ? rows->n : 0;
    if (status == BLN_OK && (e->seen > e->n || (rows->n == 0 && e->seen != e->n)))
        status = blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "source: another number of rows than in the first pass");
    e->source_failed = status != BLN_OK;
    if (status == BLN_OK && rows->n)
        bln_basis_features(e->basis, theta, rows->n, rows->X, blni_ldx(rows), e->Phi, ld, e->basis_work);
    return status;
}

/* Pass 1: G <- [Phi Y]' Omega [Phi Y]. */
BLNI_PRIV bln_status blni_primal_statistics(blni_evidence *e, const double *theta, bln_report *report)
{
    bln_data rows;
    if (blni_evidence_same_theta(e, theta)) return BLN_OK;
    blni_gram_clear(&e->gram);
    bln_status status = blni_primal_rewind(e, report);
    while (status == BLN_OK && (status = blni_primal_block(e, theta, e->D + e->P, &rows, report)) == BLN_OK && rows.n) {
        blni_gram_low_words(&e->gram, e->basis, theta, &rows, e->Phi, e->basis_work);
        blni_gram_rows(&e->gram, 1.0, &rows, e->Phi);
    }
    blni_gram_round(&e->gram);
    if (status != BLN_OK) e->have_features = 0;
    return status;
}

/* e->r <- Y - Phi m of a block whose features are in e->Phi with stride D; RSS += r' Omega r. */
BLNI_PRIV void blni_primal_residuals(blni_evidence *e, const bln_data *rows)
{
    const size_t D = e->D, P = e->P;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t p = 0; p < P; p++) e->r[i*P + p] = blni_row_target(rows, i, p);
    if (P == 1) bln_gemv(BLN_NOTRANS, rows->n, D, -1.0, e->Phi, D, e->m, 1.0, e->r);
    else bln_gemm(BLN_NOTRANS, BLN_NOTRANS, rows->n, P, D, -1.0, e->Phi, D, e->m, P, 1.0, e->r, P);
    for (size_t i = 0; i < rows->n; i++) {
        const double *r = e->r + i*P, omega = blni_row_omega(rows, i);
        for (size_t p = 0; p < P; p++)
            for (size_t q = p; q < P; q++) e->sigma.RSS[p*P + q] += omega*r[p]*r[q];
    }
}

BLNI_PRIV void blni_primal_clear_rss(blni_evidence *e) { for (size_t p = 0; p < e->P*e->P; p++) e->sigma.RSS[p] = 0.0; }

/* RSS over the rows themselves, for when its difference from the statistics has no digits left (S18). */
BLNI_PRIV bln_status blni_primal_rss(blni_evidence *e, const double *theta, bln_report *report)
{
    bln_data rows;
    blni_primal_clear_rss(e);
    bln_status status = blni_primal_rewind(e, report);
    while (status == BLN_OK && (status = blni_primal_block(e, theta, e->D, &rows, report)) == BLN_OK && rows.n)
        blni_primal_residuals(e, &rows);
    return status;
}

/* The first flat feature of n that depends on those before it as far as doubles can see, or n. U: the factor of B, or of any Gram
 * matrix of N rows; penalty: 0 where flat, NULL: everywhere; v, diagonal: room for n.
 *
 * U_jj^2 is what those before leave of feature j, |phi_j|^2 being 1 for a flat one. With v = (-U^-1 U_.j, 1), the combination of
 * features that leaves it, U_jj^2 = v'B v; errors Delta in B, those of its sums and those that the factor stands for (Higham 2002,
 * theorem 10.3), change it by v'Delta v. With |Delta_ik| <= c eps sqrt(B_ii B_kk) that is noise of the size c eps sum v_i^2 B_ii.
 * The bounds have c of order N + D; roundings of both signs leave sqrt(N) and next to nothing of D: of exactly dependent features
 * (duplicates, sums, differences far from 0, the dummies of an intercept; 50 to 30000 rows, 20 to 200 features) the largest pivot
 * is 2.7 to 5.7 times eps sum v_i^2 B_ii, for which c = 16 + sqrt(N)/2 is 20 to 103. A pivot below that has hardly a digit left.
 * |U^-1|^2 is about 1 over the least pivot: v is asked for only where that could matter. */
BLNI_PRIV size_t blni_flat_dependent(size_t n, const double *U, size_t ldu, const double *penalty, double N, double *v,
                                     double *diagonal)
{
    const double noise = (16.0 + 0.5*sqrt(N))*DBL_EPSILON;
    double least = 1.0;
    for (size_t j = 0; j < n; j++) diagonal[j] = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) diagonal[j] += U[i*ldu + j]*U[i*ldu + j];
    for (size_t j = 0; j < n; j++) {
        const double pivot = U[j*ldu + j]*U[j*ldu + j]/diagonal[j];
        if (!(penalty && penalty[j] > 0.0) && pivot*least < 1e3*(double)n*noise) {
            double sum = 1.0;
            for (size_t k = 0; k < j; k++) v[k] = U[k*ldu + j];
            bln_trsv(BLN_NOTRANS, j, U, ldu, v);
            for (size_t k = 0; k < j; k++) sum += v[k]*v[k]*diagonal[k]/diagonal[j];
            if (!(pivot > noise*sum)) return j;
        }
        if (pivot < least) least = pivot;
    }
    return n;
}

/* B and S b/sigma^2. */
BLNI_PRIV void blni_primal_form(blni_evidence *e)
{
    const size_t D = e->D, P = e->P, D1 = D + P;
    for (size_t i = 0; i < D; i++) {
        const double f = e->s[i]/e->noise_var;
        for (size_t j = i; j < D; j++) e->B[i*D + j] = f*e->s[j]*e->gram.G[i*D1 + j];
        e->B[i*D + i] += e->penalty[i];
        for (size_t p = 0; p < P; p++) e->u[i*P + p] = f*e->gram.G[i*D1 + D + p];
    }
}

/* The factor of B with flat weights. The scale of such a weight is free: sigma/sqrt(G_ii) gives it a diagonal of 1; it leaves the
 * determinant again, *log_scale. Jitter would be a prior by the back door, so there is none. A pivot that is not positive may come
 * late: those before it are looked at too. */
BLNI_PRIV bln_status blni_primal_factor_flat(blni_evidence *e, double *log_scale, bln_report *report)
{
    const size_t D = e->D, D1 = D + e->P;
    size_t n = D, bad = 0;
    for (size_t i = 0; i < D; i++) {
        if (e->penalty[i] > 0.0) continue;
        if (!(e->gram.G[i*D1 + i] > 0.0)) return blni_fail(report, BLN_ENOTPD, BLN_NONE, i, BLNI_COLLINEAR);
        e->s[i] = sqrt(e->noise_var/e->gram.G[i*D1 + i]);
        *log_scale += log(e->s[i]);
    }
    blni_primal_form(e);
    while (bln_potrf(n, e->B, D, &bad) != BLN_OK) {
        n = bad;
        blni_primal_form(e);
    }
    bad = blni_flat_dependent(n, e->B, D, e->penalty, e->N, e->w, e->diag);
    return bad == D ? BLN_OK : blni_fail(report, BLN_ENOTPD, BLN_NONE, bad, BLNI_COLLINEAR);
}

/* B = diag(penalty) + S G S/sigma^2 = U'U,  u = U^-T S b/sigma^2,  w = U^-1 u,  m = S w.   (S3, S4) */
BLNI_PRIV bln_status blni_primal_solve(blni_evidence *e, bln_report *report)
{
    const size_t D = e->D, P = e->P;
    bln_status status;
    double log_scale = 0.0;
    e->tau = 0.0;
    if (e->n_flat) status = blni_primal_factor_flat(e, &log_scale, report);
    else {
        blni_primal_form(e);
        status = bln_potrf_jitter(D, e->B, D, e->diag, &e->tau);
    }
    if (status != BLN_OK) return status;
    e->logdet = bln_logdet_factor(D, e->B, D) - 2.0*log_scale;
    e->condition = bln_condition_factor(D, e->B, D);
    blni_sigma_solve(BLN_TRANS, D, P, e->B, D, e->u);
    memcpy(e->w, e->u, D*P*sizeof *e->w);
    blni_sigma_solve(BLN_NOTRANS, D, P, e->B, D, e->w);
    for (size_t i = 0; i < D; i++)
        for (size_t p = 0; p < P; p++) e->m[i*P + p] = e->s[i]*e->w[i*P + p];
    return BLN_OK;
}

/* Q = c/sigma^2 - u'u and RSS = sigma^2 (Q - shrinkage). Are six digits lost in the differences, in that of RSS too, which is the
 * smaller one, or in what is left of an output given those before it? */
BLNI_PRIV int blni_primal_differences(blni_evidence *e)
{
    const size_t D = e->D, P = e->P, D1 = D + P;
    double *Q = e->sigma.Q, *RSS = e->sigma.RSS;
    int lost = 0;
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) Q[p*P + q] = e->gram.G[(D + p)*D1 + D + q]/e->noise_var;
    blni_sigma_cross(D, P, -1.0, e->u, 1.0, Q);
    blni_evidence_shrinkage(e, RSS);
    for (size_t p = 0; p < P; p++) {
        const double c = e->gram.G[(D + p)*D1 + D + p];
        for (size_t q = p; q < P; q++) RSS[p*P + q] = (Q[p*P + q] - RSS[p*P + q])*e->noise_var;
        lost = lost || !(Q[p*P + p] > 1e-6*c/e->noise_var) || !(RSS[p*P + p] > 1e-6*c);
    }
    if (lost || e->sigma.kind != BLN_SLM_CORRELATED || P == 1) return lost;
    memcpy(e->sigma.work, Q, P*P*sizeof *Q);
    if (bln_potrf(P, e->sigma.work, P, NULL) != BLN_OK) return 1;
    for (size_t p = 0; p < P; p++) {
        const double left = e->sigma.work[p*P + p];
        lost = lost || !(left*left > 1e-6*e->gram.G[(D + p)*D1 + D + p]/e->noise_var);
    }
    return lost;
}

BLNI_PRIV bln_status blni_primal_value(blni_evidence *e, const blni_hyper *h, bln_report *report)
{
    const size_t P = e->P;
    bln_status status = blni_primal_statistics(e, h->theta, report);
    if (status == BLN_OK) {
        e->noise_var = h->noise_var;
        blni_evidence_prior(e, h->prior_var);
        status = blni_primal_solve(e, report);
    }
    if (status != BLN_OK) return status;
    if (blni_primal_differences(e) && !e->lent) {                 /* then the rows are asked again */
        status = blni_primal_rss(e, h->theta, report);
        blni_evidence_shrinkage(e, e->sigma.Q);
        for (size_t p = 0; p < P*P; p++) e->sigma.Q[p] += e->sigma.RSS[p]/h->noise_var;
    }
    return status == BLN_OK ? blni_evidence_settle(e, report) : status;
}

/* gamma_i = sum_j (S G S/sigma^2)_ij (B^-1)_ij, which keeps its digits where 1 - (B^-1)_ii does not (S8). B: upper triangle of
 * B^-1. */
BLNI_PRIV void blni_primal_gamma(blni_evidence *e)
{
    const size_t D = e->D, D1 = D + e->P;
    for (size_t i = 0; i < D; i++) e->gamma[i] = 0.0;
    for (size_t i = 0; i < D; i++) {
        const double f = e->s[i]/e->noise_var, *g = e->gram.G + i*D1, *b = e->B + i*D;
        e->gamma[i] += f*e->s[i]*g[i]*b[i];
        for (size_t j = i + 1; j < D; j++) {
            const double t = f*e->s[j]*g[j]*b[j];
            e->gamma[i] += t;
            e->gamma[j] += t;
        }
    }
}

/* Pass 2: F = (Omega/sigma^2)(R C_Y^-1 M' - P Phi C), C in both triangles of B; d_theta and RSS. */
BLNI_PRIV bln_status blni_primal_pullback(blni_evidence *e, const double *theta, double *d_theta, bln_report *report)
{
    const size_t D = e->D, P = e->P;
    bln_data rows;
    blni_primal_clear_rss(e);
    blni_evidence_mean_over_sigma(e);
    bln_status status = blni_primal_rewind(e, report);
    while (status == BLN_OK && (status = blni_primal_block(e, theta, D, &rows, report)) == BLN_OK && rows.n) {
        blni_primal_residuals(e, &rows);
        bln_gemm(BLN_NOTRANS, BLN_NOTRANS, rows.n, D, D, -(double)P, e->Phi, D, e->B, D, 0.0, e->F, D);
        bln_gemm(BLN_NOTRANS, BLN_TRANS, rows.n, D, P, 1.0, e->r, P, e->mC, P, 1.0, e->F, D);
        for (size_t i = 0; i < rows.n; i++) bln_scal(D, blni_row_omega(&rows, i)/e->noise_var, e->F + i*D);
        bln_basis_pullback(e->basis, theta, rows.n, rows.X, blni_ldx(&rows), e->Phi, D, e->F, D, d_theta, NULL, 0, e->basis_work);
    }
    e->rss = blni_sigma_trace(&e->sigma, e->sigma.RSS);
    return status;
}

/* After _value at the same point. Overwrites the factor in B. */
BLNI_PRIV bln_status blni_primal_gradient(blni_evidence *e, const blni_hyper *h, double *d_noise, double *d_prior, double *d_theta,
                                          bln_report *report)
{
    const size_t D = e->D;
    bln_status status = BLN_OK;
    bln_trtri(D, e->B, D);
    bln_lauum(D, e->B, D, e->B, D);
    blni_primal_gamma(e);
    if (d_theta) {
        for (size_t k = 0; k < e->basis->n_theta; k++) d_theta[k] = 0.0;
        for (size_t i = 0; i < D; i++)
            for (size_t j = i; j < D; j++) e->B[i*D + j] *= e->s[i]*e->s[j];
        bln_symmetrise(D, e->B, D);
        status = blni_primal_pullback(e, h->theta, d_theta, report);
    }
    blni_evidence_gradient_scales(e, d_noise, d_prior);
    return status;
}

/* Posterior at h into r (room for D rows). */
BLNI_PRIV bln_status blni_primal_posterior(blni_evidence *e, const blni_hyper *h, blni_slm_result *r, bln_report *report)
{
    const size_t D = e->D;
    const bln_status status = blni_primal_value(e, h, report);
    if (status != BLN_OK) return status;
    blni_evidence_result(e, r);
    for (size_t i = 0; i < D; i++) {
        for (size_t j = 0; j < i; j++) r->R[i*D + j] = 0.0;
        memcpy(r->R + i*D + i, e->B + i*D + i, (D - i)*sizeof *r->R);
    }
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/model/slm_exact.c */
/* slm_exact: the primal form in three doubles, for few features of any condition.
 *
 * With B^ = S G S + sigma^2 diag(penalty) = U'U (that is, sigma^2 B, which spares a division):
 *     u = U^-T S b,  w = U^-1 u,  m = S w,  sigma^2 q = c - u'u,  RSS = sigma^2 (q - sum penalty_i w_i^2),
 *     log|B| = log|B^| - D log sigma^2,  gamma_i = 1 - penalty_i sigma^2 (B^-1)_ii,  C = S (sigma U^-1)(sigma U^-1)' S.
 * What cancels is subtracted in three doubles; each result is rounded once. A difference below 1e-40 of what it came from is 0. */

/* Relative size below which a pivot means dependent features: doubles equal to rounding have products equal to 1e-32. */
#define BLNI_EXACT_DEPENDENT 1e-30
#define BLNI_EXACT_ZERO      1e-40

/* a, or 0 where it is rounding of b. */
BLNI_PRIV bln_exact blni_exact_cut(bln_exact a, bln_exact b)
{
    return a.v[0] > BLNI_EXACT_ZERO*b.v[0] ? a : bln_exact_of(0.0);
}

/* The factor and the solution; U stays in B3. */
BLNI_PRIV bln_status blni_exact_solve(blni_evidence *e, bln_report *report)
{
    const size_t D = e->D, P = e->P, D1 = D + P;
    for (size_t i = 0; i < D; i++) {
        const bln_exact si = bln_exact_of(e->s[i]);
        for (size_t j = i; j < D; j++) e->B3[i*D + j] = bln_exact_mul(bln_exact_mul(si, bln_exact_of(e->s[j])),
                                                                      e->gram.G3[i*D1 + j]);
        e->B3[i*D + i] = bln_exact_add(e->B3[i*D + i], bln_exact_of(e->penalty[i]*e->noise_var));
        for (size_t p = 0; p < P; p++) e->u3[p*D + i] = bln_exact_mul(si, e->gram.G3[i*D1 + D + p]);
    }
    const size_t bad = bln_exact_potrf(D, e->B3, D, BLNI_EXACT_DEPENDENT);
    if (bad < D) return e->n_flat ? blni_fail(report, BLN_ENOTPD, BLN_NONE, bad, BLNI_COLLINEAR) : BLN_ENOTPD;
    for (size_t p = 0; p < P; p++) {
        bln_exact_trsv(1, D, e->B3, D, e->u3 + p*D);
        memcpy(e->w3 + p*D, e->u3 + p*D, D*sizeof *e->w3);
        bln_exact_trsv(0, D, e->B3, D, e->w3 + p*D);
        for (size_t i = 0; i < D; i++) {
            e->w[i*P + p] = bln_exact_double(e->w3[p*D + i]);
            e->m[i*P + p] = bln_exact_double(bln_exact_mul(bln_exact_of(e->s[i]), e->w3[p*D + i]));
        }
    }
    return BLN_OK;
}

/* Q = (c - u'u)/sigma^2 and RSS = c - u'u - sigma^2 shrinkage, entry by entry. An output that is fitted perfectly has no covariance
 * either. */
BLNI_PRIV void blni_exact_differences(blni_evidence *e, const bln_exact noise)
{
    const size_t D = e->D, P = e->P, D1 = D + P;
    for (size_t k = 0; k < P; k++)
        for (size_t p = 0; p + k < P; p++) {                     /* the diagonal first */
            const size_t q = p + k;
            const bln_exact c = e->gram.G3[(D + p)*D1 + D + q], *u = e->u3 + p*D, *v = e->u3 + q*D;
            bln_exact uu = bln_exact_of(0.0);
            for (size_t i = 0; i < D; i++) uu = bln_exact_add(uu, bln_exact_mul(u[i], v[i]));
            bln_exact Q = bln_exact_sub(c, uu);
            if (k == 0) Q = blni_exact_cut(Q, c);
            bln_exact RSS = Q;
            for (size_t i = 0; i < D; i++)
                if (e->penalty[i] > 0.0)
                    RSS = bln_exact_sub(RSS, bln_exact_mul(noise, bln_exact_mul(e->w3[p*D + i], e->w3[q*D + i])));
            if (k == 0) RSS = blni_exact_cut(RSS, c);
            const double *diagonal = e->sigma.Q;
            const int none = k && (!(diagonal[p*P + p] > 0.0) || !(diagonal[q*P + q] > 0.0));
            e->sigma.Q[p*P + q] = noise.v[0] > 0.0 && !none ? bln_exact_double(bln_exact_div(Q, noise)) : 0.0;
            e->sigma.RSS[p*P + q] = none ? 0.0 : bln_exact_double(RSS);
        }
}

BLNI_PRIV bln_status blni_exact_value(blni_evidence *e, const blni_hyper *h, bln_report *report)
{
    const size_t D = e->D;
    bln_status status = blni_primal_statistics(e, h->theta, report);
    if (status != BLN_OK) return status;
    e->noise_var = h->noise_var;
    blni_evidence_prior(e, h->prior_var);
    status = blni_exact_solve(e, report);
    if (status != BLN_OK) return status;

    blni_exact_differences(e, bln_exact_of(h->noise_var));
    double smallest = HUGE_VAL, largest = 0.0;
    e->logdet = -(double)D*(h->noise_var > 0.0 ? log(h->noise_var) : 0.0);
    for (size_t i = 0; i < D; i++) {
        const double pivot = e->B3[i*D + i].v[0];
        e->logdet += 2.0*log(pivot);
        if (pivot < smallest) smallest = pivot;
        if (pivot > largest) largest = pivot;
    }
    e->tau = 0.0;
    e->condition = largest/smallest*(largest/smallest);
    return blni_evidence_settle(e, report);
}

/* After _value: B3 <- U^-1, gamma. */
BLNI_PRIV void blni_exact_invert(blni_evidence *e)
{
    const size_t D = e->D;
    bln_exact_trtri(D, e->B3, D);
    for (size_t i = 0; i < D; i++) {
        bln_exact s = bln_exact_of(0.0);
        for (size_t j = i; j < D; j++) s = bln_exact_add(s, bln_exact_mul(e->B3[i*D + j], e->B3[i*D + j]));
        s = bln_exact_sub(bln_exact_of(1.0), bln_exact_mul(bln_exact_of(e->penalty[i]*e->noise_var), s));
        e->gamma[i] = bln_exact_double(s);
    }
}

/* After _value at the same point; there is no theta to learn here. */
BLNI_PRIV void blni_exact_gradient(blni_evidence *e, double *d_noise, double *d_prior)
{
    blni_exact_invert(e);
    blni_evidence_gradient_scales(e, d_noise, d_prior);
}

/* Posterior at h into r: U/sigma, and the standard deviations of the weights before they are rounded: from a rounded U of
 * condition kappa only eps kappa would be left of them. A perfect fit (sigma = 0) has C = 0: s = 0. */
BLNI_PRIV bln_status blni_exact_posterior(blni_evidence *e, const blni_hyper *h, blni_slm_result *r, bln_report *report)
{
    const size_t D = e->D, P = e->P;
    const bln_status status = blni_exact_value(e, h, report);
    if (status != BLN_OK) return status;
    const bln_exact sigma = bln_exact_sqrt(bln_exact_of(h->noise_var));
    const int perfect = !(h->noise_var > 0.0);
    blni_evidence_result(e, r);
    for (size_t i = 0; i < D; i++) {
        if (perfect) r->s[i] = 0.0;
        for (size_t j = 0; j < i; j++) r->R[i*D + j] = 0.0;
        for (size_t j = i; j < D; j++)
            r->R[i*D + j] = bln_exact_double(perfect ? e->B3[i*D + j] : bln_exact_div(e->B3[i*D + j], sigma));
    }
    blni_exact_invert(e);
    for (size_t i = 0; i < D; i++) {
        bln_exact v = bln_exact_of(0.0);
        for (size_t j = i; j < D; j++) v = bln_exact_add(v, bln_exact_mul(e->B3[i*D + j], e->B3[i*D + j]));
        const bln_exact sd = bln_exact_mul(bln_exact_mul(sigma, bln_exact_of(e->s[i])), bln_exact_sqrt(v));
        for (size_t p = 0; p < P; p++)
            r->sd[p*D + i] = fabs(bln_exact_double(bln_exact_mul(sd, bln_exact_sqrt(bln_exact_of(e->sigma.C[p*P + p])))));
    }
    r->has_sd = 1;
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/model/slm_dual.c */
/* slm_dual: the evidence in n x n form, for fewer rows than features                                             [spec/slm.md,
 * sections 3, 5]
 *
 * With A = Omega^1/2 Phi S/sigma (n x D): K_s = I + A A' = U'U, and everything comes from V = U^-T A:
 *     gamma_i = |V_i|^2 (column norms: no cancellation),   B^-1 = I - V'V,   K^-1 Phi Lambda = Omega^1/2 U^-1 V S/sigma.
 * A, V and U^-1 V take turns in e->F. */

/* The rows as arrays: inputs, targets, sqrt(omega). */
BLNI_PRIV bln_status blni_dual_gather(blni_evidence *e, bln_report *report)
{
    const size_t d = e->basis->d;
    size_t at = 0;
    bln_data rows;
    bln_status status = e->source->reset(e->source->user, report);
    while (status == BLN_OK && (status = blni_source_next(e->source, e->block, e->P, &rows, report)) == BLN_OK && rows.n) {
        if (rows.n > e->n - at)
            return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "source: more rows than in the first pass");
        for (size_t i = 0; i < rows.n; i++, at++) {
            if (d) memcpy(e->X + at*d, rows.X + i*blni_ldx(&rows), d*sizeof *e->X);
            for (size_t p = 0; p < e->P; p++) e->y[at*e->P + p] = blni_row_target(&rows, i, p);
            e->root[at] = sqrt(blni_row_omega(&rows, i));
        }
    }
    if (status == BLN_OK && at != e->n)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "source: fewer rows than in the first pass");
    return status;
}

BLNI_PRIV void blni_dual_features(blni_evidence *e, const double *theta)
{
    const size_t d = e->basis->d;
    if (blni_evidence_same_theta(e, theta)) return;
    for (size_t i = 0; i < e->n; i += e->block)
        bln_basis_features(e->basis, theta, blni_min(e->block, e->n - i), e->X + i*d, d, e->Phi + i*e->D, e->D, e->basis_work);
}

BLNI_PRIV bln_status blni_dual_value(blni_evidence *e, const blni_hyper *h, bln_report *report)
{
    const size_t n = e->n, D = e->D, P = e->P;
    const double sigma = sqrt(h->noise_var);
    blni_dual_features(e, h->theta);
    e->noise_var = h->noise_var;
    blni_evidence_prior(e, h->prior_var);
    for (size_t i = 0; i < n; i++) {
        const double f = e->root[i]/sigma, *phi = e->Phi + i*D;
        for (size_t j = 0; j < D; j++) e->F[i*D + j] = f*e->s[j]*phi[j];
    }
    bln_syrk(BLN_NOTRANS, n, D, 1.0, e->F, D, 0.0, e->K, n);
    for (size_t i = 0; i < n; i++) e->K[i*n + i] += 1.0;
    const bln_status status = bln_potrf_jitter(n, e->K, n, e->diag, &e->tau);
    if (status != BLN_OK) return status;
    e->logdet = bln_logdet_factor(n, e->K, n);
    e->condition = bln_condition_factor(n, e->K, n);

    /* t = U^-T Omega^1/2 Y,  Q = t't/sigma^2,  alpha~ = U^-1 t,  w = A'alpha~/sigma,  m = S w.   (S9, S10) */
    for (size_t i = 0; i < n; i++)
        for (size_t p = 0; p < P; p++) e->alpha[i*P + p] = e->root[i]*e->y[i*P + p];
    blni_sigma_solve(BLN_TRANS, n, P, e->K, n, e->alpha);
    blni_sigma_cross(n, P, 1.0, e->alpha, 0.0, e->sigma.Q);
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) e->sigma.Q[p*P + q] /= h->noise_var;
    blni_sigma_solve(BLN_NOTRANS, n, P, e->K, n, e->alpha);
    blni_sigma_cross(n, P, 1.0, e->alpha, 0.0, e->sigma.RSS);   /* Omega^1/2 (Y - Phi m) = alpha~ */
    if (P == 1) bln_gemv(BLN_TRANS, n, D, 1.0/sigma, e->F, D, e->alpha, 0.0, e->w);
    else bln_gemm(BLN_TRANS, BLN_NOTRANS, D, P, n, 1.0/sigma, e->F, D, e->alpha, P, 0.0, e->w, P);
    for (size_t j = 0; j < D; j++)
        for (size_t p = 0; p < P; p++) e->m[j*P + p] = e->s[j]*e->w[j*P + p];
    return blni_evidence_settle(e, report);
}

/* F <- V = U^-T A, and gamma. */
BLNI_PRIV void blni_dual_whiten(blni_evidence *e)
{
    const size_t n = e->n, D = e->D;
    bln_trsm(BLN_TRANS, n, D, e->K, n, e->F, D);
    for (size_t j = 0; j < D; j++) e->gamma[j] = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < D; j++) e->gamma[j] += e->F[i*D + j]*e->F[i*D + j];
}

/* After _value at the same point. */
BLNI_PRIV bln_status blni_dual_gradient(blni_evidence *e, const blni_hyper *h, double *d_noise, double *d_prior, double *d_theta)
{
    const size_t n = e->n, D = e->D, P = e->P, d = e->basis->d;
    const double sigma = sqrt(h->noise_var);
    blni_dual_whiten(e);
    blni_evidence_gradient_scales(e, d_noise, d_prior);
    if (!d_theta) return BLN_OK;

    /* F = alpha C_Y^-1 m' - P K^-1 Phi Lambda,  alpha = Omega^1/2 alpha~/sigma^2.   (S15) */
    bln_trsm(BLN_NOTRANS, n, D, e->K, n, e->F, D);
    blni_evidence_mean_over_sigma(e);
    for (size_t i = 0; i < n; i++) {
        const double b = -(double)P*e->root[i]/sigma;
        for (size_t j = 0; j < D; j++) e->F[i*D + j] *= b*e->s[j];
        for (size_t p = 0; p < P; p++) e->r[i*P + p] = e->root[i]*e->alpha[i*P + p]/h->noise_var;
    }
    bln_gemm(BLN_NOTRANS, BLN_TRANS, n, D, P, 1.0, e->r, P, e->mC, P, 1.0, e->F, D);
    for (size_t k = 0; k < e->basis->n_theta; k++) d_theta[k] = 0.0;
    for (size_t i = 0; i < n; i += e->block)
        bln_basis_pullback(e->basis, h->theta, blni_min(e->block, n - i), e->X + i*d, d, e->Phi + i*D, D, e->F + i*D, D, d_theta,
                           NULL, 0, e->basis_work);
    return BLN_OK;
}

/* Posterior at h into r: low rank with k = n rows when n < D; else the factor of B = I + A'A. */
BLNI_PRIV bln_status blni_dual_posterior(blni_evidence *e, const blni_hyper *h, blni_slm_result *r, bln_report *report)
{
    const size_t n = e->n, D = e->D;
    bln_status status = blni_dual_value(e, h, report);
    if (status != BLN_OK) return status;
    blni_evidence_result(e, r);
    if (r->base.form == BLN_GAUSSIAN_LOWRANK) {
        blni_dual_whiten(e);
        memcpy(r->R, e->F, n*D*sizeof *r->R);
        return BLN_OK;
    }
    bln_syrk(BLN_TRANS, D, n, 1.0, e->F, D, 0.0, r->R, D);
    for (size_t i = 0; i < D; i++) r->R[i*D + i] += 1.0;
    status = bln_potrf_jitter(D, r->R, D, e->diag, &e->tau);
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < i; j++) r->R[i*D + j] = 0.0;
    return status;
}

/* ---------------------------------------------------------------- src/model/slm_search.c */
/* slm_search: the objective of a fit, its coordinates and where they start.
 *
 * Free coordinates x = [log sigma^2 | log lambda_s | theta], each through its bln_param, so that the search is unconstrained
 * and scales with the data (where the lambda_s are ratios to it, sigma^2 is no coordinate, and Sigma the best one at each point):
 * sigma^2 stays within 1e-10 .. 1e2 of the variance of y, lambda_s within 1e-12 .. 1e24 of a start
 * that gives the prior functions the size of y (spec/optimisers.md O32); a lambda_s at its lower end is a slice switched off.
 *
 * The search looks at the evidence of y in units of its standard deviation, log p(y) + (N - p_f) log sd(y): its tests of progress
 * are relative to that, so that its path does not depend on the unit of y.
 *
 * Every search runs in z with x = base + T z. In the first stage T ties alike parameters (bln_param.group): one length scale
 * for all inputs is found first, then each its own. From a common start, d separate length scales end in poor optima more
 * often than not. */

typedef struct blni_slm_fit {
    void           *block;                 /* this struct and its arrays                             */
    size_t          bytes;
    void           *rows_block;            /* the evidence's workspace                               */
    size_t          rows_bytes;
    bln_data_reader reader;                /* the caller's view as a source                          */
    bln_source      source;
    blni_slm_scan   scan;
    blni_evidence   e;
    bln_slm_desc    desc;                  /* the model's; from statistics with their theta, fixed           */

    size_t          n_free;
    int             free_noise, free_theta;
    bln_param      *param;                 /* n_free                                                 */
    double         *x0, *base, *x, *best_x, *trial;   /* n_free each: first start; where z = 0; last evaluated; best; spare */
    double         *zero;                  /* n_free zeros: the start of every search in z           */
    double         *d_prior, *d_theta;     /* gradients in natural coordinates                       */
    size_t         *tie;                   /* n_free: coordinate of z that moves x_k while tied      */
    size_t          n_tied;
    int             tied;                  /* searching with ties?                                   */
    int             fixed_point;           /* in the fixed-point stage?                              */
    size_t          fixed_steps;
    blni_hyper      hyper;                 /* of the last evaluation; what is not free stays as set   */
    double          evidence;
    int             evaluated;             /* hyper, evidence belong to x, the factor is intact      */
    int             walled;                /* Sigma was not defined at a point of this step          */

    bln_lbfgs      *opt, *opt_tied;        /* opt_tied: NULL if nothing is tied                      */
    size_t          start, steps;          /* which start, and its steps so far, of all stages        */
    size_t          iterations, evaluations;
    double          best, best_gradient;   /* best objective so far, log evidence + log prior; its gradient's norm */
    size_t          best_start;            /* where it was found                                     */
    bln_stop        stop;                  /* of that start                                          */
    double          unit;                  /* what is added to the objective while searching, see above */
    bln_slm_progress last;                 /* the last step                                          */
    int             done;
} blni_slm_fit;

/* ---- evaluation at a point, whatever the form */

BLNI_PRIV bln_status blni_slm_value(blni_evidence *e, const blni_hyper *h, double *value, bln_report *report)
{
    const bln_status status = e->form == BLN_SLM_DUAL ? blni_dual_value(e, h, report)
                            : e->gram.exact ? blni_exact_value(e, h, report) : blni_primal_value(e, h, report);
    if (status == BLN_OK) *value = blni_evidence_total(e);
    return status;
}

BLNI_PRIV bln_status blni_slm_gradient(blni_evidence *e, const blni_hyper *h, double *d_noise, double *d_prior, double *d_theta,
                                       bln_report *report)
{
    if (e->gram.exact) {
        blni_exact_gradient(e, d_noise, d_prior);
        return BLN_OK;
    }
    return e->form == BLN_SLM_DUAL ? blni_dual_gradient(e, h, d_noise, d_prior, d_theta)
                                   : blni_primal_gradient(e, h, d_noise, d_prior, d_theta, report);
}

/* The reason when sums of squares of features leave the number range at theta: the row and feature with which they do, and the
 * input that is largest there. */
BLNI_PRIV bln_status blni_evidence_overflow(blni_evidence *e, const double *theta, bln_report *report)
{
    char name[64];
    bln_data rows;
    double *sum = e->gamma;
    bln_status status = e->source ? e->source->reset(e->source->user, report) : BLN_OK;
    e->have_features = 0;                                       /* Phi is written to */
    for (size_t j = 0; j < e->D; j++) sum[j] = 0.0;
    for (size_t first = 0; status == BLN_OK && e->source; first += rows.n) {
        status = blni_source_next(e->source, e->block, e->P, &rows, report);
        if (status != BLN_OK || rows.n == 0) break;
        bln_basis_features(e->basis, theta, rows.n, rows.X, blni_ldx(&rows), e->Phi, e->D, e->basis_work);
        for (size_t i = 0; i < rows.n; i++)
            for (size_t j = 0; j < e->D; j++) {
                const double phi = e->Phi[i*e->D + j];
                sum[j] += blni_row_omega(&rows, i)*phi*phi;
                if (sum[j] < BLNI_GRAM_MOST) continue;
                bln_basis_feature_name(e->basis, j, NULL, name, sizeof name);
                blni_fail(report, BLN_ENUMERIC, first + i, blni_row_largest(&rows, i),
                          "slm: squares of a feature overflow; scale the inputs");
                blni_say(report, ", feature ");
                blni_say(report, name);
                return BLN_ENUMERIC;
            }
    }
    if (status != BLN_OK) { e->source_failed = 1; return status; }
    return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: the evidence overflows; scale the data");
}

/* Sigma as the desc has it: sigma^2 I, that is C = I, where prior variances are absolute; given; or the best one at each point. */
BLNI_PRIV bln_status blni_evidence_sigma(blni_evidence *e, const bln_slm_desc *d, bln_report *report)
{
    const int relative = d->relative_prior, given = relative && d->fix_noise_var;
    if (!blni_sigma_fix(&e->sigma, given ? d->noise_cov : NULL, given && !d->noise_cov ? d->noise_var : 1.0))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "slm: noise_cov must be positive definite");
    e->sigma.profile = relative && !d->fix_noise_var;
    return BLN_OK;
}

/* Workspace for the scanned rows; in dual form they are gathered into it. */
BLNI_PRIV bln_status blni_evidence_open(const bln_slm *slm, const bln_source *source, bln_slm_form form, int exact,
                                        const blni_slm_scan *scan, blni_evidence *e, void **block, size_t *bytes,
                                            bln_report *report)
{
    blni_arena a = blni_arena_over(NULL, 0);
    *e = blni_evidence_for(&slm->desc, source, scan);
    e->form = form;
    e->gram.exact = exact;
    blni_evidence_carve(&a, e);
    *bytes = a.used;
    if (*bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    *block = blni_alloc(&slm->alloc, *bytes);
    if (!*block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the fit");
    a = blni_arena_over(*block, *bytes);
    blni_evidence_carve(&a, e);
    const bln_status status = blni_evidence_sigma(e, &slm->desc, report);
    return status == BLN_OK && form == BLN_SLM_DUAL ? blni_dual_gather(e, report) : status;
}

/* ---- coordinates */

BLNI_PRIV int blni_learns_prior(const bln_slm_desc *d, size_t s)
{
    return !d->fix_prior_var && !(d->prior_var && blni_flat(d->prior_var[s]));
}

BLNI_PRIV int blni_all_flat(const bln_slm_desc *d)
{
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++)
        if (!d->prior_var || !blni_flat(d->prior_var[s])) return 0;
    return 1;
}

BLNI_PRIV void blni_fit_natural(blni_slm_fit *f, const double *x)
{
    const bln_basis *b = f->desc.basis;
    size_t k = 0;
    if (f->free_noise) { f->hyper.noise_var = bln_param_natural(f->param + k, x[k]); k++; }
    for (size_t s = 0; s < blni_priors(b, f->desc.per_weight); s++)
        if (blni_learns_prior(&f->desc, s)) { f->hyper.prior_var[s] = bln_param_natural(f->param + k, x[k]); k++; }
    if (f->free_theta)
        for (size_t t = 0; t < b->n_theta; t++, k++) f->hyper.theta[t] = bln_param_natural(f->param + k, x[k]);
}

/* Minus the evidence at f->x in units of sd(y), evaluated unless it is known already. A matrix that cannot be factorised, or a
 * Sigma that is not defined, is a bad point, not a failure. */
BLNI_PRIV bln_status blni_fit_evaluate(blni_slm_fit *f, const double *x, double *value, bln_report *report)
{
    if (!f->evaluated || memcmp(f->x, x, f->n_free*sizeof *x)) {
        memcpy(f->x, x, f->n_free*sizeof *x);
        blni_fit_natural(f, x);
        const bln_status status = blni_slm_value(&f->e, &f->hyper, &f->evidence, report);
        f->evaluated = status == BLN_OK && blni_finite(f->evidence);
        f->evaluations++;
        if (status != BLN_OK && ((status != BLN_ENOTPD && status != BLN_EUNDEFINED) || f->e.source_failed)) return status;
        if (status != BLN_OK) bln_report_clear(report);
        if (status == BLN_EUNDEFINED) f->walled = 1;
    }
    *value = f->evaluated ? -(f->evidence + f->unit) : HUGE_VAL;
    return BLN_OK;
}

/* Gradient of -log p(y) with respect to x_k at f->x, written to g[n_free]. */
BLNI_PRIV bln_status blni_fit_slope(blni_slm_fit *f, double *g, bln_report *report)
{
    const bln_basis *b = f->desc.basis;
    const double *x = f->x;
    double d_noise;
    size_t k = 0;
    const bln_status status = blni_slm_gradient(&f->e, &f->hyper, &d_noise, f->d_prior, f->free_theta ? f->d_theta : NULL, report);
    f->evaluated = 0;                       /* the factor is gone */
    if (status != BLN_OK) return status;
    /* d_noise and d_prior are by the logarithm: times d log(v)/dx = slope/v. */
    if (f->free_noise) { g[k] = -d_noise*bln_param_slope(f->param + k, x[k])/f->hyper.noise_var; k++; }
    for (size_t s = 0; s < blni_priors(b, f->desc.per_weight); s++)
        if (blni_learns_prior(&f->desc, s)) {
            g[k] = -f->d_prior[s]*bln_param_slope(f->param + k, x[k])/f->hyper.prior_var[s];
            k++;
        }
    if (f->free_theta)
        for (size_t t = 0; t < b->n_theta; t++, k++) g[k] = -f->d_theta[t]*bln_param_slope(f->param + k, x[k]);
    return BLN_OK;
}

/* -log prior(theta) up to its constant, (x_k - x0_k)^2/(2 theta_sd^2) over the parameters learnt on a log scale; adds its
 * gradient to g[n_free] unless NULL. */
BLNI_PRIV double blni_fit_penalty(const blni_slm_fit *f, const double *x, double *g)
{
    const size_t first = f->n_free - (f->free_theta ? f->desc.basis->n_theta : 0);
    const double precision = 1.0/(f->desc.theta_sd*f->desc.theta_sd);      /* 0 for HUGE_VAL */
    double sum = 0.0;
    for (size_t k = first; k < f->n_free; k++) {
        const double delta = x[k] - f->x0[k];
        if (f->param[k].kind != BLN_PARAM_LOG && f->param[k].kind != BLN_PARAM_POSITIVE) continue;
        sum += 0.5*precision*delta*delta;
        if (g) g[k] += precision*delta;
    }
    return sum;
}

/* x = base + T z */
BLNI_PRIV void blni_fit_expand(const blni_slm_fit *f, const double *z, double *x)
{
    for (size_t k = 0; k < f->n_free; k++) x[k] = f->base[k] + z[f->tied ? f->tie[k] : k];
}

/* What the optimiser minimises: -log p(y) - log prior(theta) as a function of z. */
BLNI_PRIV bln_status blni_fit_objective(void *user, size_t n, const double *z, double *value, double *gradient, bln_report *report)
{
    blni_slm_fit *f = (blni_slm_fit *)user;
    blni_fit_expand(f, z, f->trial);
    bln_status status = blni_fit_evaluate(f, f->trial, value, report);
    if (status == BLN_OK) *value += blni_fit_penalty(f, f->trial, NULL);
    if (status != BLN_OK || !gradient) return status;
    if (!f->evaluated) {
        for (size_t k = 0; k < n; k++) gradient[k] = BLNI_NAN;
        return BLN_OK;
    }
    status = blni_fit_slope(f, f->trial, report);
    if (status != BLN_OK) return status;
    blni_fit_penalty(f, f->x, f->trial);
    for (size_t k = 0; k < n; k++) gradient[k] = 0.0;
    for (size_t k = 0; k < f->n_free; k++) gradient[f->tied ? f->tie[k] : k] += f->trial[k];
    return BLN_OK;
}

/* ---- starts */

BLNI_PRIV bln_param blni_log_param(double start, double lo, double hi)
{
    bln_param p;
    p.kind = BLN_PARAM_LOG;
    p.start = start;
    p.group = 0;
    p.lo = lo < 1e-3*start ? lo : 1e-3*start;
    p.hi = hi > 1e3*start ? hi : 1e3*start;
    return p;
}

/* mean |phi_s|^2 over the rows, weighted by omega, at the present theta. */
BLNI_PRIV bln_status blni_fit_slice_norms(blni_slm_fit *f, double *norm, bln_report *report)
{
    blni_evidence *e = &f->e;
    const bln_basis *b = e->basis;
    const size_t D1 = e->D + e->P;
    bln_status status = BLN_OK;
    if (e->form == BLN_SLM_DUAL) blni_dual_features(e, f->hyper.theta);
    else status = blni_primal_statistics(e, f->hyper.theta, report);
    if (status != BLN_OK) return status;
    for (size_t s = 0; s < blni_priors(b, f->desc.per_weight); s++) {
        norm[s] = 0.0;
        for (size_t i = blni_prior_first(b, e->per_weight, s); i < blni_prior_first(b, e->per_weight, s + 1); i++) {
            if (e->form == BLN_SLM_PRIMAL) norm[s] += e->gram.G[i*D1 + i];
            else for (size_t r = 0; r < e->n; r++) norm[s] += e->root[r]*e->root[r]*e->Phi[r*e->D + i]*e->Phi[r*e->D + i];
        }
        norm[s] /= f->scan.omega;
        if (!blni_finite(norm[s])) return blni_evidence_overflow(e, f->hyper.theta, report);
    }
    return BLN_OK;
}

/* tie[k] = the first coordinate of k's group, renumbered without gaps. */
BLNI_PRIV void blni_fit_ties(blni_slm_fit *f)
{
    f->n_tied = 0;
    for (size_t k = 0; k < f->n_free; k++) {
        size_t first = k;
        if (f->param[k].group)
            for (first = 0; f->param[first].group != f->param[k].group; first++) continue;
        f->tie[k] = first == k ? f->n_tied++ : f->tie[first];
    }
}

BLNI_PRIV size_t blni_fit_count_flat(const bln_slm_desc *d)
{
    size_t n = 0;
    for (size_t s = 0; d->prior_var && s < blni_priors(d->basis, d->per_weight); s++)
        if (blni_flat(d->prior_var[s]))
            n += blni_prior_first(d->basis, d->per_weight, s + 1) - blni_prior_first(d->basis, d->per_weight, s);
    return n;
}

BLNI_PRIV double blni_mean_of(size_t n, const double *x)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum/(double)n;
}

/* Starts for noise_var, and of what size the functions are, in its units: mean squares of y, or variances next to n_flat flat
 * weights, if it is one sigma^2; for ratios, those over a noise of a tenth of the variance of y (or over the given noise). Floors
 * of the noise variances of a profile. *y_noise: var(y) in the units of sigma^2, for rows with noise variances. */
BLNI_PRIV void blni_fit_scales(blni_slm_fit *f, size_t n_flat, double *noise_var, double *size, double *y_noise)
{
    const bln_slm_desc *d = &f->desc;
    const blni_slm_scan *s = &f->scan;
    const double units = s->omega/s->N, mean_square = blni_mean_of(s->P, s->y_square), mean_var = blni_mean_of(s->P, s->y_var);
    const double square = mean_square > 0.0 ? mean_square : 1.0, var = mean_var > 0.0 ? mean_var : square;
    const double *sizes = n_flat ? s->y_var : s->y_square;
    *y_noise = var*units;
    *size = n_flat ? var : square;
    *noise_var = d->noise_var > 0.0 ? d->noise_var : 0.1**y_noise;
    f->unit = 0.0;
    for (size_t p = 0; p < s->P; p++)
        f->unit += 0.5*(s->N - (double)n_flat)*log(s->y_var[p] > 0.0 ? s->y_var[p] : s->y_square[p] > 0.0 ? s->y_square[p] : 1.0);
    if (!d->relative_prior) return;
    *size = 0.0;
    for (size_t p = 0; p < s->P; p++) {
        const double y_var = s->y_var[p]*units, noise = f->e.sigma.profile ? 0.1*y_var : f->e.sigma.C[p*s->P + p];
        *size += (noise > 0.0 && sizes[p] > 0.0 ? sizes[p]/noise : 1.0)/(double)s->P;
        if (f->e.sigma.profile) f->e.sigma.floor[p] = blni_all_flat(d) ? 0.0 : BLNI_SIGMA_LEAST*y_var;
    }
    *noise_var = 1.0;
}

/* The data-driven first start, and the domain of each free coordinate. */
BLNI_PRIV bln_status blni_fit_first_start(blni_slm_fit *f, bln_report *report)
{
    const bln_slm_desc *d = &f->desc;
    const bln_basis *b = d->basis;
    const size_t n_flat = blni_fit_count_flat(d);              /* flat weights have the mean of y; the rest starts at what varies */
    double y_size, y_noise;
    bln_moments moments;
    bln_param p;
    size_t k = 0;
    moments.n = f->scan.n;
    moments.d = f->scan.d;
    moments.mean = f->scan.mean;
    moments.sd = f->scan.sd;

    blni_fit_scales(f, n_flat, &f->hyper.noise_var, &y_size, &y_noise);
    if (f->free_noise) f->param[k++] = blni_log_param(f->hyper.noise_var, BLNI_SIGMA_LEAST*y_noise, 1e2*y_noise);

    for (size_t t = 0; t < b->n_theta; t++) {
        bln_basis_param(b, t, f->scan.mean ? &moments : NULL, &p);
        if (d->theta) p.start = d->theta[t];
        f->hyper.theta[t] = p.start;
        if (!f->free_theta) continue;
        const bln_status status = bln_param_check(&p, report);
        if (status != BLN_OK) return status;
        f->param[f->n_free - b->n_theta + t] = p;
    }
    const bln_status status = blni_fit_slice_norms(f, f->d_prior, report);
    if (status != BLN_OK) return status;
    for (size_t s = 0; s < blni_priors(b, f->desc.per_weight); s++) {
        const double size = f->d_prior[s] > 0.0 ? f->d_prior[s] : 1.0;
        const double start = y_size/(size*(double)blni_priors(b, d->per_weight));
        f->hyper.prior_var[s] = d->prior_var && (d->prior_var[s] > 0.0 || d->fix_prior_var) ? d->prior_var[s] : start;
        if (blni_learns_prior(d, s)) f->param[k++] = blni_log_param(f->hyper.prior_var[s], 1e-12*start, 1e24*start);
    }

    k = 0;
    if (f->free_noise) { f->x0[k] = bln_param_free(f->param + k, f->hyper.noise_var); k++; }
    for (size_t s = 0; s < blni_priors(b, f->desc.per_weight); s++)
        if (blni_learns_prior(d, s)) { f->x0[k] = bln_param_free(f->param + k, f->hyper.prior_var[s]); k++; }
    if (f->free_theta) for (size_t t = 0; t < b->n_theta; t++, k++)  f->x0[k] = bln_param_free(f->param + k, f->hyper.theta[t]);
    memcpy(f->best_x, f->x0, f->n_free*sizeof *f->x0);
    blni_fit_ties(f);
    return BLN_OK;
}

/* x0 <- the best of ten starts that differ in the scale of all prior variances and of the noise. Features that cancel, such as
 * 1 and x far from 0, need weights far larger than the functions they make, and from too small a start "all is noise" is the
 * nearest optimum. The features stay, so that a candidate costs one factorisation. */
BLNI_PRIV bln_status blni_fit_scan_scales(blni_slm_fit *f, bln_report *report)
{
    static const double prior[5] = { 1.0, 1e2, 1e4, 1e8, 1e12 }, noise[2] = { 1.0, 1e-2 };
    double best = HUGE_VAL, value;
    for (int c = 0; c < 10; c++) {
        size_t k = 0;
        memcpy(f->trial, f->x0, f->n_free*sizeof *f->trial);
        if (f->free_noise) { f->trial[k] = bln_param_free(f->param + k, noise[c % 2]*f->param[k].start); k++; }
        for (size_t s = 0; s < blni_priors(f->desc.basis, f->desc.per_weight); s++)
            if (blni_learns_prior(&f->desc, s)) {
                const int given = f->desc.prior_var && f->desc.prior_var[s] > 0.0;
                f->trial[k] = bln_param_free(f->param + k, (given ? 1.0 : prior[c/2])*f->param[k].start);
                k++;
            }
        const bln_status status = blni_fit_evaluate(f, f->trial, &value, report);
        if (status != BLN_OK) return status;
        if (value < best) { best = value; memcpy(f->base, f->trial, f->n_free*sizeof *f->base); }
    }
    if (!(best < HUGE_VAL)) return blni_evidence_overflow(&f->e, f->hyper.theta, report);
    memcpy(f->x0, f->base, f->n_free*sizeof *f->x0);
    memcpy(f->best_x, f->x0, f->n_free*sizeof *f->x0);
    f->evaluated = 0;
    return BLN_OK;
}

/* base <- start number f->start: the best of eight random points around the first start, by value. The basis parameters move
 * together (one factor for all) and apart, so that both the overall scale and its distribution over inputs are tried.
 * BLN_ENUMERIC: none of the eight is usable. */
BLNI_PRIV bln_status blni_fit_random_start(blni_slm_fit *f, bln_report *report)
{
    const size_t n_scale = f->n_free - (f->free_theta ? f->desc.basis->n_theta : 0);
    double best = HUGE_VAL, value;
    bln_rng rng;
    bln_rng_seed(&rng, f->desc.seed, f->start);
    for (int candidate = 0; candidate < 8; candidate++) {
        const double together = bln_rng_normal(&rng);
        for (size_t k = 0; k < f->n_free; k++)
            f->trial[k] = f->x0[k] + (k < n_scale ? 1.5*bln_rng_normal(&rng) : together + 0.5*bln_rng_normal(&rng));
        const bln_status status = blni_fit_evaluate(f, f->trial, &value, report);
        if (status != BLN_OK) return status;
        value += blni_fit_penalty(f, f->trial, NULL);
        if (value < best) { best = value; memcpy(f->base, f->trial, f->n_free*sizeof *f->base); }
    }
    f->evaluated = 0;
    return best < HUGE_VAL ? BLN_OK : BLN_ENUMERIC;
}

/* ---------------------------------------------------------------- src/model/slm_point.c */
/* slm_point: the evidence and its gradients at any point, without a fit */

/* What is asked for, and where. */
typedef struct blni_point {
    double        noise_var;                  /* absolute: sigma^2; ratios: Sigma = noise_var I if there is no cov          */
    const double *cov, *prior_var, *theta;    /* Sigma                                                                      */
    int           profile;                    /* the best Sigma                                                             */
    double       *evidence, *d_noise, *d_prior, *d_theta, *sigma, *d_cov;       /* each may be NULL                         */
} blni_point;

BLNI_PRIV bln_status blni_point_check(const bln_slm *slm, const bln_data *data, const blni_point *p, bln_report *report)
{
    const bln_basis *b = slm->desc.basis;
    if (!data || !p->prior_var || (!p->theta && b->n_theta))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: NULL argument");
    if (!blni_theta_usable(b, p->theta))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "slm: theta outside its domain");
    if (p->d_theta && b->n_theta && !b->ops->pullback)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: the basis has no pullback, so no gradient by theta");
    if (!(p->noise_var > 0.0) || !blni_finite(p->noise_var))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "slm: noise_var must be finite and > 0");
    for (size_t s = 0; s < blni_priors(b, slm->desc.per_weight); s++)
        if (!(p->prior_var[s] >= 0.0))
            return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "slm: prior variances must be >= 0");
    if (!blni_slm_fits(b, data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    return BLN_OK;
}

/* With the workspace open. */
BLNI_PRIV bln_status blni_point_evaluate(const bln_slm *slm, blni_evidence *e, const blni_point *p, bln_report *report)
{
    const int relative = slm->desc.relative_prior;
    const size_t P = e->P;
    double value;
    blni_hyper h;
    h.noise_var = relative ? 1.0 : p->noise_var;
    h.prior_var = (double *)p->prior_var;      /* read only from here on */
    h.theta = (double *)p->theta;
    if (!blni_sigma_fix(&e->sigma, p->cov, relative ? p->noise_var : 1.0))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "slm: noise_cov must be positive definite");
    e->sigma.profile = p->profile;
    bln_status status = blni_slm_value(e, &h, &value, report);
    if (status != BLN_OK) return status;
    if (!blni_finite(value)) return BLN_ENUMERIC;
    if (p->d_noise || p->d_prior || p->d_theta) status = blni_slm_gradient(e, &h, p->d_noise, p->d_prior, p->d_theta, report);
    if (status != BLN_OK) return status;
    const double freedom = blni_evidence_freedom(e);
    if (p->d_noise && relative) *p->d_noise = 0.5*(e->q - freedom*(double)P);
    if (p->sigma) memcpy(p->sigma, e->sigma.C, P*P*sizeof *p->sigma);
    if (p->d_cov) blni_sigma_gradient(&e->sigma, freedom, p->d_cov);
    if (p->evidence) *p->evidence = value;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_point_run(const bln_slm *slm, const bln_data *data, const blni_point *p, bln_report *report)
{
    bln_status status = blni_point_check(slm, data, p, report);
    if (status != BLN_OK) return status;
    bln_data_reader reader;
    const bln_source source = bln_source_of(data, &reader);
    blni_slm_scan scan;
    blni_evidence e;
    void *block = NULL;
    size_t bytes = 0;
    status = blni_scan(slm, &source, &scan, report);
    if (status != BLN_OK) return status;
    bln_slm_desc at = slm->desc;
    at.prior_var = p->prior_var;
    at.fix_theta = p->d_theta == NULL;
    const bln_slm_form form = blni_slm_form_for(&at, scan.n);
    status = blni_evidence_open(slm, &source, form, blni_slm_exact(&at, form), &scan, &e, &block, &bytes, report);
    if (status == BLN_OK) status = blni_point_evaluate(slm, &e, p, report);
    if (status == BLN_ENUMERIC || (status == BLN_ENOTPD && e.n_flat == 0)) status = blni_evidence_overflow(&e, p->theta, report);
    blni_release(&slm->alloc, block, bytes);
    blni_scan_free(&slm->alloc, &scan);
    return status;
}

BLN_API bln_status bln_slm_evidence_at(const bln_slm *slm, const bln_data *data, double noise_var, const double *prior_var,
                                       const double *theta, double *evidence, double *d_noise, double *d_prior, double *d_theta,
                                       bln_report *report)
{
    blni_point p;
    bln_report_clear(report);
    if (!slm) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: NULL argument");
    memset(&p, 0, sizeof p);
    p.noise_var = noise_var;
    p.prior_var = prior_var;
    p.theta = theta;
    p.evidence = evidence;
    p.d_noise = d_noise;
    p.d_prior = d_prior;
    p.d_theta = d_theta;
    return blni_point_run(slm, data, &p, report);
}

BLN_API bln_status bln_slm_evidence_outputs(const bln_slm *slm, const bln_data *data, const double *noise_cov,
                                            const double *prior_var, const double *theta, double *evidence, double *sigma,
                                            double *d_cov, double *d_prior, double *d_theta, bln_report *report)
{
    blni_point p;
    bln_report_clear(report);
    if (!slm) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: NULL argument");
    if (!slm->desc.relative_prior)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: prior_var are no ratios in this model; see relative_prior");
    const size_t P = slm->desc.n_outputs;
    for (size_t k = 0; k < P*P && noise_cov; k++)
        if (k/P <= k%P && (!blni_finite(noise_cov[k]) || (k/P == k%P && !(noise_cov[k] > 0.0))))
            return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "slm: noise_cov must be positive definite");
    memset(&p, 0, sizeof p);
    p.noise_var = 1.0;
    p.cov = noise_cov;
    p.profile = noise_cov == NULL;
    p.prior_var = prior_var;
    p.theta = theta;
    p.evidence = evidence;
    p.sigma = sigma;
    p.d_cov = d_cov;
    p.d_prior = d_prior;
    p.d_theta = d_theta;
    return blni_point_run(slm, data, &p, report);
}

/* ---------------------------------------------------------------- src/model/slm_fit.c */
/* slm_fit: learning hyper-parameters in steps.
 *
 * A fit goes through stages: without theta to learn, fixed-point steps (see below), which cost one factorisation and no line
 * search; with groups of alike parameters, a search with these tied; then the full search by L-BFGS; then the other starts.
 * Each stage begins where the one before ended; the steps of all stages of a start count towards its limit. */

enum { BLNI_FIXED_STEPS = 100 };

BLNI_PRIV size_t blni_fit_count_free(const bln_slm_desc *d)
{
    const size_t theta = d->fix_theta ? 0 : d->basis->n_theta;
    size_t prior = 0;
    for (size_t s = 0; s < blni_priors(d->basis, d->per_weight); s++) prior += (size_t)blni_learns_prior(d, s);
    return blni_add(d->fix_noise_var || d->relative_prior ? 0 : 1, blni_add(prior, theta));
}

/* The first stage only has to find the neighbourhood. */
BLNI_PRIV bln_lbfgs_desc blni_fit_search(const bln_slm_desc *d, size_t n, int tied, blni_slm_fit *f)
{
    bln_lbfgs_desc s;
    memset(&s, 0, sizeof s);
    s.n = n;
    s.max_iterations = tied ? blni_min(d->max_iterations, 30) : d->max_iterations;
    s.progress_tol = tied ? (d->tolerance > 1e-4 ? d->tolerance : 1e-4) : d->tolerance;
    s.gradient_tol = d->tolerance < 1e-6 ? d->tolerance : 1e-6;      /* a variance on its way to 0 has yet to gain its gradient */
    s.objective = blni_fit_objective;
    s.user = f;
    s.alloc = d->alloc;
    return s;
}

/* The struct first; its arrays go into *f, which the counting pass does not have and lends from its caller. */
BLNI_PRIV blni_slm_fit *blni_fit_carve(blni_arena *a, const bln_slm_desc *d, blni_slm_fit *f)
{
    const size_t n_free = blni_fit_count_free(d), n_theta = d->basis->n_theta, priors = blni_priors(d->basis, d->per_weight);
    blni_slm_fit *carved = (blni_slm_fit *)blni_carve(a, 1, sizeof *f);
    if (carved) f = carved;
    f->param = (bln_param *)blni_carve(a, n_free, sizeof(bln_param));
    f->x0 = blni_carve_doubles(a, n_free);
    f->x = blni_carve_doubles(a, n_free);
    f->base = blni_carve_doubles(a, n_free);
    f->best_x = blni_carve_doubles(a, n_free);
    f->trial = blni_carve_doubles(a, n_free);
    f->zero = blni_carve_doubles(a, n_free);
    f->tie = (size_t *)blni_carve(a, n_free, sizeof(size_t));
    f->d_prior = blni_carve_doubles(a, priors);
    f->d_theta = blni_carve_doubles(a, n_theta);
    f->hyper.prior_var = blni_carve_doubles(a, priors);
    f->hyper.theta = blni_carve_doubles(a, n_theta);
    return carved;
}

BLNI_PRIV blni_slm_fit *blni_fit_create(const bln_allocator *alloc, const bln_slm_desc *desc, bln_report *report)
{
    blni_slm_fit sizes;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_fit_carve(&a, desc, &sizes);
    const size_t bytes = a.used;
    void *block = bytes == (size_t)-1 ? NULL : blni_alloc(alloc, bytes);
    if (!block) { blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the fit"); return NULL; }
    memset(block, 0, bytes);
    a = blni_arena_over(block, bytes);
    blni_slm_fit *f = blni_fit_carve(&a, desc, NULL);
    f->block = block;
    f->bytes = bytes;
    f->desc = *desc;
    f->n_free = blni_fit_count_free(desc);
    f->free_noise = !desc->fix_noise_var && !desc->relative_prior;
    f->free_theta = !desc->fix_theta && desc->basis->n_theta > 0;
    f->best = -HUGE_VAL;
    return f;
}

BLN_API void bln_slm_abandon(bln_slm *slm)
{
    blni_slm_fit *f = slm ? slm->fit : NULL;
    if (!f) return;
    slm->fit = NULL;
    bln_lbfgs_free(f->opt);
    bln_lbfgs_free(f->opt_tied);
    blni_scan_free(&slm->alloc, &f->scan);
    blni_release(&slm->alloc, f->rows_block, f->rows_bytes);
    blni_release(&slm->alloc, f->block, f->bytes);
}

BLNI_PRIV bln_status blni_fit_search_from_base(blni_slm_fit *f, int tied, bln_report *report)
{
    f->tied = tied;
    return bln_lbfgs_init(tied ? f->opt_tied : f->opt, f->zero, report);
}

/* Flat weights only: RSS does not depend on sigma^2, and the evidence is largest at RSS/(N - p). */
BLNI_PRIV bln_status blni_fit_least_squares(blni_slm_fit *f, bln_report *report)
{
    double value;
    const double freedom = (f->scan.N - (double)f->e.D)*(double)f->e.P, square = blni_mean_of(f->scan.P, f->scan.y_square);
    if (!(freedom > 0.0))
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                         "data: no more rows than weights with flat priors, so the noise variance cannot be learnt; fix it");
    f->hyper.noise_var = square > 0.0 ? square : 1.0;
    const bln_status status = blni_slm_value(&f->e, &f->hyper, &value, report);
    if (status != BLN_OK) return status;
    if (!(f->e.rss > 0.0) && !f->e.gram.exact)
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                         "data: a perfect fit as far as doubles can see; fix the noise variance, or use exact arithmetic");
    f->hyper.noise_var = f->e.rss > 0.0 ? f->e.rss/freedom : 0.0;
    f->evaluations++;
    f->n_free = 0;
    f->free_noise = 0;
    f->done = 1;
    return BLN_OK;
}

/* Is there a variance in every output whose noise is to be learnt? With flat priors only, a constant is no problem. */
BLNI_PRIV bln_status blni_fit_check_targets(const blni_slm_fit *f, bln_report *report)
{
    const blni_slm_scan *s = &f->scan;
    const char *why = "data: all targets are equal, so the noise variance cannot be learnt; fix it";
    const int shared = f->desc.sigma == BLN_SLM_SHARED || s->P == 1;
    if ((!f->free_noise && !f->e.sigma.profile) || blni_all_flat(&f->desc)) return BLN_OK;
    if (shared) return blni_mean_of(s->P, s->y_var) > 0.0 ? BLN_OK : blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE, why);
    for (size_t p = 0; p < s->P; p++)
        if (!(s->y_var[p] > 0.0)) return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, s->d + p, why);
    return BLN_OK;
}

/* Everything after rows or statistics are at hand: first start, closed form or optimiser. */
BLNI_PRIV bln_status blni_fit_start(blni_slm_fit *f, bln_report *report)
{
    const int least_squares = f->free_noise && f->n_free == 1 && blni_all_flat(&f->desc);
    bln_status status = blni_fit_check_targets(f, report);
    if (status == BLN_OK) status = blni_fit_first_start(f, report);
    if (status == BLN_OK && least_squares) return blni_fit_least_squares(f, report);
    if (status == BLN_OK && f->e.form == BLN_SLM_PRIMAL && (f->desc.prior_var || f->e.sigma.profile)) {
        /* Dependent features with flat priors, and dependent outputs, fail wherever the search goes; say so before it begins. */
        double value;
        status = blni_slm_value(&f->e, &f->hyper, &value, report);
        if (status == BLN_ENOTPD && f->e.n_flat == 0) status = BLN_OK;
    }
    if (status != BLN_OK) return status;
    if (f->n_free == 0) {
        f->done = 1;
        return BLN_OK;
    }
    const bln_lbfgs_desc search = blni_fit_search(&f->desc, f->n_free, 0, f);
    const bln_lbfgs_desc search_tied = blni_fit_search(&f->desc, f->n_tied, 1, f);
    status = bln_lbfgs_create(&search, &f->opt, report);
    if (status == BLN_OK && f->n_tied < f->n_free) status = bln_lbfgs_create(&search_tied, &f->opt_tied, report);
    if (status != BLN_OK) return status;
    status = blni_fit_scan_scales(f, report);
    if (status != BLN_OK) return status;
    memcpy(f->base, f->x0, f->n_free*sizeof *f->base);
    f->fixed_point = !f->free_theta;
    return f->fixed_point ? BLN_OK : blni_fit_search_from_base(f, f->opt_tied != NULL, report);
}

/* A fresh fit in slm->fit, with the model's desc or that of a fit from statistics. */
BLNI_PRIV bln_status blni_fit_new(bln_slm *slm, const bln_slm_desc *desc, bln_report *report)
{
    bln_slm_abandon(slm);
    slm->fit = blni_fit_create(&slm->alloc, desc, report);
    return slm->fit ? BLN_OK : BLN_ENOMEM;
}

BLNI_PRIV bln_status blni_fit_begin(bln_slm *slm, const bln_source *source, const bln_data *data, bln_report *report)
{
    bln_report_clear(report);
    if (!slm || (!source && !data)) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    if (source && (!source->reset || !source->next))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "source: reset or next is NULL");
    if (!blni_slm_fits(slm->desc.basis, data ? data->d : source->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    bln_status status = blni_fit_new(slm, &slm->desc, report);
    if (status != BLN_OK) return status;
    blni_slm_fit *f = slm->fit;
    f->source = data ? bln_source_of(data, &f->reader) : *source;
    status = blni_scan(slm, &f->source, &f->scan, report);
    if (status == BLN_OK) {
        const bln_slm_form form = blni_slm_form_for(&f->desc, data ? data->n : BLN_NONE);
        status = blni_evidence_open(slm, &f->source, form, blni_slm_exact(&f->desc, form), &f->scan, &f->e, &f->rows_block,
                                    &f->rows_bytes, report);
    }
    if (status == BLN_OK) status = blni_fit_start(f, report);
    if (status != BLN_OK) bln_slm_abandon(slm);
    return status;
}

/* The scan that rows with these statistics would have given, as far as a fit at fixed theta asks: moments of the inputs do not
 * count there. */
BLNI_PRIV bln_status blni_scan_of(const bln_slm *slm, const bln_statistics *t, blni_slm_scan *s, bln_report *report)
{
    const blni_gram *g = &t->gram;
    const bln_status status = blni_scan_create(&slm->alloc, 0, g->P, s, report);
    if (status != BLN_OK) return status;
    s->mean = s->sd = NULL;
    s->d = t->basis->d;
    s->N = g->N;
    s->ld = g->ld;
    s->omega = g->omega;
    for (size_t p = 0; p < g->P; p++) {
        s->y_square[p] = g->omega > 0.0 ? g->G[(g->D + p)*(blni_gram_width(g) + 1)]/g->omega : 0.0;
        s->y_var[p] = blni_gram_target_variance(g, p);
    }
    return BLN_OK;
}

/* The workspace of a fit without rows: the Gram matrix is the statistics' own. */
BLNI_PRIV bln_status blni_evidence_lend(bln_slm *slm, const bln_statistics *t, blni_slm_fit *f, bln_report *report)
{
    blni_arena a = blni_arena_over(NULL, 0);
    f->e = blni_evidence_for(&f->desc, NULL, &f->scan);
    f->e.form = BLN_SLM_PRIMAL;
    f->e.block = 1;
    f->e.gram = t->gram;
    f->e.lent = 1;
    blni_evidence_carve(&a, &f->e);
    f->rows_bytes = a.used;
    if (a.used == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    f->rows_block = blni_alloc(&slm->alloc, f->rows_bytes);
    if (!f->rows_block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the fit");
    a = blni_arena_over(f->rows_block, f->rows_bytes);
    blni_evidence_carve(&a, &f->e);
    blni_evidence_same_theta(&f->e, t->theta);
    return blni_evidence_sigma(&f->e, &f->desc, report);
}

BLN_API bln_status bln_slm_init(bln_slm *slm, const bln_data *data, bln_report *report)
{
    return blni_fit_begin(slm, NULL, data, report);
}

BLN_API bln_status bln_slm_init_source(bln_slm *slm, const bln_source *source, bln_report *report)
{
    return blni_fit_begin(slm, source, NULL, report);
}

BLNI_PRIV void blni_fit_report(const blni_slm_fit *f, bln_report *report)
{
    if (!report) return;
    bln_report_clear(report);                               /* of what a point was refused for on the way */
    report->iterations = f->iterations;
    report->evaluations = f->evaluations;
    report->objective = f->best;
    report->gradient_norm = f->best_gradient;
    report->jitter = f->e.tau;
    report->condition = f->e.condition;
    report->stop = f->stop;
}

/* One fixed-point step of all variances together, from the gamma_i and RSS of the present point; P outputs count as P N rows, with
 * m_i C^-1 m_i' for m_i^2. */
BLNI_PRIV void blni_fixed_point(const blni_slm_fit *f, bln_fixed_point rule, const blni_hyper *from, double *x)
{
    const blni_evidence *e = &f->e;
    const double P = (double)e->P;
    double gamma = 0.0;
    size_t k = 0;
    for (size_t i = 0; i < e->D; i++) gamma += e->gamma[i];
    if (f->free_noise) {
        x[k] = bln_param_free(f->param + k, bln_fixed_point_noise_var(rule, from->noise_var, P*e->N, e->rss, P*gamma));
        k++;
    }
    for (size_t s = 0; s < blni_priors(e->basis, e->per_weight); s++) {
        const size_t first = blni_prior_first(e->basis, e->per_weight, s), end = blni_prior_first(e->basis, e->per_weight, s + 1);
        double mm = 0.0, determined = 0.0;
        if (!blni_learns_prior(&f->desc, s)) continue;
        for (size_t i = first; i < end; i++) {
            mm += blni_sigma_norm(&e->sigma, e->m + i*e->P);
            determined += P*e->gamma[i];
        }
        const double v = bln_fixed_point_prior_var(rule, from->prior_var[s], (end - first)*e->P, mm, determined);
        x[k] = bln_param_free(f->param + k, v);
        k++;
    }
}

/* x is where a step of the present start has ended, with this objective: the best so far? */
BLNI_PRIV void blni_fit_keep(blni_slm_fit *f, const double *x, double objective, double gradient_norm)
{
    f->last.objective = objective;
    f->last.gradient_norm = gradient_norm;
    if (!(objective >= f->best)) return;
    f->best = objective;
    f->best_gradient = gradient_norm;
    f->best_start = f->start;
    memcpy(f->best_x, x, f->n_free*sizeof *x);
}

/* A step of the first stage, from f->base: MacKay's, or where the evidence falls the cautious MM. Ends when little is gained. */
BLNI_PRIV bln_status blni_fit_fixed_step(blni_slm_fit *f, int *ended, bln_report *report)
{
    const size_t n = f->n_free;
    double old, value = HUGE_VAL;
    bln_status status = blni_fit_evaluate(f, f->base, &old, report);
    if (status != BLN_OK) return status;
    *ended = 1;
    if (!f->evaluated) return BLN_OK;                       /* a bad start is L-BFGS's to report */
    blni_fit_keep(f, f->base, -old - f->unit, BLNI_NAN);
    status = blni_fit_slope(f, f->trial, report);
    if (status != BLN_OK) return status;
    for (int cautious = 0; cautious < 2 && !(value < old); cautious++) {
        /* hyper and the gamma_i are still those of base when the second is tried: evaluation overwrites them, so it is undone
         * first. */
        if (cautious) {
            status = blni_fit_evaluate(f, f->base, &value, report);
            if (status == BLN_OK) status = blni_fit_slope(f, f->trial, report);
            if (status != BLN_OK) return status;
        }
        blni_fixed_point(f, cautious ? BLN_FIXED_POINT_MM : BLN_FIXED_POINT_MACKAY, &f->hyper, f->trial);
        status = blni_fit_evaluate(f, f->trial, &value, report);
        if (status != BLN_OK) return status;
    }
    if (!(value < old)) return BLN_OK;
    memcpy(f->base, f->x, n*sizeof *f->base);
    blni_fit_keep(f, f->x, -value - f->unit, BLNI_NAN);
    *ended = old - value <= 1e-4*(fabs(value) > 1.0 ? fabs(value) : 1.0) || ++f->fixed_steps >= BLNI_FIXED_STEPS;
    return BLN_OK;
}

/* The present start has ended: on to the next that is usable. */
BLNI_PRIV bln_status blni_fit_next_start(blni_slm_fit *f, bln_stop stop, bln_report *report)
{
    if (f->best_start == f->start) f->stop = stop;
    f->tied = f->fixed_point = 0;
    f->steps = 0;
    while (++f->start < f->desc.starts) {
        bln_status status = blni_fit_random_start(f, report);
        if (status == BLN_OK) status = blni_fit_search_from_base(f, 0, report);
        if (status == BLN_OK) return BLN_OK;
        if (status != BLN_ENUMERIC || f->e.source_failed) return status;
    }
    f->done = 1;
    return BLN_OK;
}

/* A step of L-BFGS. *stop: why the stage has ended, BLN_STOP_NONE if it has not. */
BLNI_PRIV bln_status blni_fit_search_step(blni_slm_fit *f, bln_stop *stop, bln_report *report)
{
    bln_report inner;
    bln_report_clear(&inner);
    bln_lbfgs *opt = f->tied ? f->opt_tied : f->opt;
    f->walled = 0;
    const bln_status status = bln_lbfgs_step(opt, &inner);
    if (status != BLN_OK) { if (report) *report = inner; return status; }
    bln_lbfgs_converged(opt, stop);
    blni_fit_expand(f, bln_lbfgs_x(opt), f->trial);
    blni_fit_keep(f, f->trial, -bln_lbfgs_value(opt) - f->unit, inner.gradient_norm);
    return BLN_OK;
}

BLN_API bln_status bln_slm_step(bln_slm *slm, bln_report *report)
{
    bln_report_clear(report);
    blni_slm_fit *f = slm ? slm->fit : NULL;
    if (!f) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: step without init");
    if (f->done) { blni_fit_report(f, report); return BLN_OK; }

    const int first_stage = f->fixed_point || f->tied;
    int ended = 0;
    bln_stop stop = BLN_STOP_NONE;
    bln_status status = f->fixed_point ? blni_fit_fixed_step(f, &ended, report) : blni_fit_search_step(f, &stop, report);
    if (status != BLN_OK) return status;
    f->iterations++;
    f->steps++;
    f->last.start = f->start;
    f->last.iteration = f->iterations;
    f->last.evaluations = f->evaluations;
    f->last.best = f->best;
    ended = ended || stop != BLN_STOP_NONE;
    if (f->steps >= f->desc.max_iterations && (first_stage || !ended)) status = blni_fit_next_start(f, BLN_STOP_LIMIT, report);
    else if (ended && first_stage) {
        if (f->tied) memcpy(f->base, f->trial, f->n_free*sizeof *f->base);
        f->fixed_point = 0;
        status = blni_fit_search_from_base(f, 0, report);
    } else if (ended) status = blni_fit_next_start(f, stop, report);
    if (status == BLN_OK) blni_fit_report(f, report);
    return status;
}

BLN_API int bln_slm_converged(const bln_slm *slm) { return !slm || !slm->fit || slm->fit->done; }

/* Did the search climb towards a full Sigma that is not defined, where the evidence has no end? Its last step then met points where
 * there was none, and its best point is near them. */
BLNI_PRIV int blni_fit_lost(const blni_slm_fit *f)
{
    const blni_slm_noise *s = &f->e.sigma;
    return s->profile && s->kind == BLN_SLM_CORRELATED && s->P > 1 && f->walled && s->margin < 1e3;
}

BLN_API bln_status bln_slm_finish(bln_slm *slm, bln_report *report)
{
    blni_slm_fit *f = slm ? slm->fit : NULL;
    bln_report_clear(report);
    if (!f) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: finish without init");
    const bln_basis *b = slm->desc.basis;
    const size_t k = f->e.form == BLN_SLM_DUAL && f->e.n < b->D ? f->e.n : b->D;
    blni_slm_result r;
    bln_status status = blni_result_create(&slm->alloc, b, blni_priors(b, slm->desc.per_weight), f->e.P, k, &r, report);
    if (status != BLN_OK) return status;

    blni_fit_natural(f, f->best_x);
    status = f->e.form == BLN_SLM_DUAL ? blni_dual_posterior(&f->e, &f->hyper, &r, report)
           : f->e.gram.exact ? blni_exact_posterior(&f->e, &f->hyper, &r, report) : blni_primal_posterior(&f->e, &f->hyper,
                                                                                                          &r, report);
    if (status == BLN_OK && blni_fit_lost(f)) status = blni_sigma_dependent(f->e.columns + f->e.sigma.nearest, report);
    if (status == BLN_OK && !blni_evidence_perfect(&f->e) && !blni_finite(blni_evidence_total(&f->e))) status = BLN_ENUMERIC;
    if (status != BLN_OK) {
        blni_result_free(&slm->alloc, &r);
        if (report && !report->text[0])
            blni_fail(report, status, BLN_NONE, BLN_NONE, "slm: the posterior overflows at these hyper-parameters; scale the data");
        return status;
    }
    r.hyper.noise_var = f->hyper.noise_var;
    memcpy(r.hyper.prior_var, f->hyper.prior_var, blni_priors(b, slm->desc.per_weight)*sizeof(double));
    if (b->n_theta) memcpy(r.hyper.theta, f->hyper.theta, b->n_theta*sizeof(double));
    blni_result_link(&r);
    r.evidence = blni_evidence_total(&f->e);
    if (f->stop != BLN_STOP_MONITOR
        && ((f->free_noise && r.hyper.noise_var < 1.001*f->param[0].lo) || (f->e.sigma.profile && f->e.sigma.bounded)))
        f->stop = BLN_STOP_BOUND;
    f->best = r.evidence - blni_fit_penalty(f, f->best_x, NULL);
    r.rows = f->scan.N;
    blni_fit_report(f, report);
    blni_result_free(&slm->alloc, &slm->result);
    slm->result = r;
    slm->fitted = 1;
    bln_slm_abandon(slm);
    return BLN_OK;
}

/* ---- the loop over them */

BLNI_PRIV bln_status blni_fit_watch(const bln_slm *slm)
{
    const blni_slm_fit *f = slm->fit;
    bln_slm_progress p;
    if (!slm->desc.monitor) return BLN_OK;
    p = f->last;
    p.starts = f->desc.starts;
    return slm->desc.monitor(slm->desc.monitor_user, &p);
}

BLNI_PRIV bln_status blni_fit_run(bln_slm *slm, bln_status status, bln_report *report)
{
    while (status == BLN_OK && !bln_slm_converged(slm)) {
        status = bln_slm_step(slm, report);
        if (status != BLN_OK) break;
        status = blni_fit_watch(slm);
        if (status == BLN_ESTOPPED) {
            status = BLN_OK;
            slm->fit->stop = BLN_STOP_MONITOR;
            break;
        }
        if (status != BLN_OK) blni_fail(report, status, BLN_NONE, BLN_NONE, "slm: the monitor returned an error");
    }
    if (status == BLN_OK) status = bln_slm_finish(slm, report);
    if (status != BLN_OK) bln_slm_abandon(slm);
    return status;
}

BLN_API bln_status bln_slm_fit(bln_slm *slm, const bln_data *data, bln_report *report)
{
    const bln_status status = bln_slm_init(slm, data, report);
    return slm ? blni_fit_run(slm, status, report) : status;
}

BLN_API bln_status bln_slm_fit_source(bln_slm *slm, const bln_source *source, bln_report *report)
{
    const bln_status status = bln_slm_init_source(slm, source, report);
    return slm ? blni_fit_run(slm, status, report) : status;
}

BLN_API bln_status bln_slm_fit_statistics(bln_slm *slm, const bln_statistics *t, bln_report *report)
{
    bln_report_clear(report);
    if (!slm || !t) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or statistics is NULL");
    if (slm->desc.form == BLN_SLM_DUAL)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: statistics need the primal form");
    if (!blni_statistics_of(t, slm->desc.basis))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: the statistics are of another basis");
    if (slm->desc.n_outputs != t->gram.P)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: the statistics have another number of outputs");
    if (!(t->gram.N > 0.0)) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: the statistics hold no rows");
    bln_slm_desc desc = slm->desc;
    desc.form = BLN_SLM_PRIMAL;
    desc.theta = t->theta;
    desc.fix_theta = 1;
    bln_status status = blni_fit_new(slm, &desc, report);
    if (status != BLN_OK) return status;
    status = blni_scan_of(slm, t, &slm->fit->scan, report);
    if (status == BLN_OK) status = blni_evidence_lend(slm, t, slm->fit, report);
    if (status == BLN_OK) status = blni_fit_start(slm->fit, report);
    return blni_fit_run(slm, status, report);
}

BLN_API size_t bln_slm_fit_size(const bln_slm_desc *desc, size_t n)
{
    const bln_slm_desc d = bln_slm_defaults(desc);
    if (!d.basis) return (size_t)-1;
    const size_t n_free = blni_fit_count_free(&d);
    const bln_lbfgs_desc search = blni_fit_search(&d, n_free, 0, NULL);      /* twice: tied coordinates are at most as many */
    blni_slm_scan scan;
    blni_arena a = blni_arena_over(NULL, 0);
    memset(&scan, 0, sizeof scan);
    scan.n = n;
    scan.d = d.basis->d;
    scan.P = d.n_outputs;
    blni_scan_carve(&a, &scan);
    blni_evidence e = blni_evidence_for(&d, NULL, &scan);
    e.form = blni_slm_form_for(&d, n);
    e.gram.exact = blni_slm_exact(&d, e.form);
    blni_evidence_carve(&a, &e);
    blni_slm_fit sizes;
    blni_fit_carve(&a, &d, &sizes);
    return blni_add(blni_add(a.used, n_free ? blni_mul(2, bln_lbfgs_size(&search)) : 0), bln_slm_size(&d, n));
}

/* ---------------------------------------------------------------- src/model/slm_predict.c */
/* slm_predict: what is asked of a fitted model: predictions, standard deviations of the weights */

BLN_API size_t bln_slm_predict_work(const bln_slm *slm)
{
    return blni_slm_fitted(slm) ? bln_predict_work(slm->desc.basis, &slm->result.base, slm->desc.block) : 0;
}

/* out (n x P) <- Phi m' for m: P x D. */
BLNI_PRIV void blni_slm_means_by(size_t P, size_t D, const double *m, size_t n, const double *Phi, double *out)
{
    if (P == 1) bln_gemv(BLN_NOTRANS, n, D, 1.0, Phi, D, m, 0.0, out);
    else bln_gemm(BLN_NOTRANS, BLN_TRANS, n, P, D, 1.0, Phi, D, m, D, 0.0, out, P);
}

BLNI_PRIV void blni_slm_means(const blni_slm_result *r, size_t n, const double *Phi, double *out)
{
    blni_slm_means_by(r->P, r->base.D, r->m, n, Phi, out);
}

/* From the variances of base in the first n places of latent or total to those of P outputs, last row first. */
BLNI_PRIV void blni_predict_variances(const blni_slm_result *r, const bln_data *rows, double *latent, double *total)
{
    const size_t P = r->P;
    for (size_t i = rows->n; i-- > 0;) {
        const double base = latent ? latent[i] : total[i], v = rows->noise_var ? rows->noise_var[i] : 1.0;
        for (size_t p = P; p-- > 0;) {
            const double f = blni_result_ratio(r, p, p)*base;
            if (latent) latent[i*P + p] = f;
            if (total) total[i*P + p] = f + r->cov[p*P + p]*v;
        }
    }
}

/* All outputs: features once for all, then one product for the means and one solve for the variances of a block. */
BLNI_PRIV void blni_predict_outputs(const bln_slm *slm, const bln_data *data, double *mean, double *latent, double *total,
                                    double *work)
{
    const bln_basis *b = slm->desc.basis;
    const blni_slm_result *r = &slm->result;
    const size_t D = b->D, P = r->P, block = slm->desc.block;
    blni_arena a = blni_arena_over(work, 0);
    const blni_predict_pieces w = blni_predict_carve(&a, b, &r->base, block);
    for (size_t i = 0; i < data->n; i += block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(block, data->n - i));
        double *l = latent ? latent + i*P : NULL, *t = total ? total + i*P : NULL;
        bln_basis_features(b, r->hyper.theta, rows.n, rows.X, blni_ldx(&rows), w.Phi, D, w.basis);
        if (mean) blni_slm_means(r, rows.n, w.Phi, mean + i*P);
        for (size_t k = 0; k < rows.n*P && mean && rows.offset; k++) mean[i*P + k] += blni_offset(&rows, k/P, k%P);
        if (!l && !t) continue;
        bln_gaussian_project(&r->base, rows.n, w.Phi, D, NULL, l ? l : t, w.project);
        blni_predict_variances(r, &rows, l, t);
    }
}

/* Rows to predict at: numbers, and offsets for the right number of outputs. */
BLNI_PRIV bln_status blni_slm_check_rows(const bln_slm *slm, const bln_data *data, bln_report *report)
{
    if (data->offset && blni_outputs(data) != slm->desc.n_outputs)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: offsets of another number of outputs (p) than n_outputs");
    return blni_data_check_from(data, 0, 0, report);
}

BLN_API bln_status bln_slm_predict(const bln_slm *slm, const bln_data *data, double *mean, double *var_latent, double *var_total,
                                   double *work, bln_report *report)
{
    bln_report_clear(report);
    if (!slm || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    if (!slm->fitted) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: predict before fit");
    const size_t P = slm->desc.n_outputs;
    if (!blni_slm_fits(slm->desc.basis, data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    const bln_status status = blni_slm_check_rows(slm, data, report);
    if (status != BLN_OK) return status;

    const size_t bytes = blni_mul(bln_slm_predict_work(slm), sizeof(double));
    double *own = NULL;
    if (!work) {
        work = own = (double *)blni_alloc(&slm->alloc, bytes);
        if (!own) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for predictions");
    }
    blni_predict_outputs(slm, data, mean, var_latent, var_total, work);
    blni_release(&slm->alloc, own, bytes);
    for (size_t k = 0; k < data->n*P; k++)
        if ((mean && !blni_finite(mean[k])) || (var_latent && !blni_finite(var_latent[k]))
            || (var_total && !blni_finite(var_total[k])))
            return blni_fail(report, BLN_ENUMERIC, k/P, BLN_NONE, "slm: the prediction overflows");
    return BLN_OK;
}

BLN_API bln_status bln_slm_coefficient_sd(const bln_slm *slm, double *sd)
{
    if (!slm || !sd) return BLN_EINVAL;
    if (!slm->fitted) return BLN_ESTATE;
    const bln_gaussian *g = &slm->result.base;
    const size_t P = slm->result.P;
    if (slm->result.has_sd) {
        memcpy(sd, slm->result.sd, P*g->D*sizeof *sd);
        return BLN_OK;
    }
    const size_t bytes = g->form == BLN_GAUSSIAN_FACTOR ? g->D*g->D*sizeof(double) : 0;      /* R itself had this size */
    double *work = NULL;
    if (bytes && !(work = (double *)blni_alloc(&slm->alloc, bytes))) return BLN_ENOMEM;
    bln_gaussian_variances(g, sd, work);
    for (size_t p = P; p-- > 0;)                                                  /* base is where output 0 will be */
        for (size_t j = 0; j < g->D; j++) sd[p*g->D + j] = sqrt(blni_result_ratio(&slm->result, p, p)*sd[j]);
    blni_release(&slm->alloc, work, bytes);
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/model/slm_loo.c */
/* slm_loo: rows, groups and features left out, from the posterior of all rows                    [spec/slm.md S39, S40, S33, S34]
 *
 * Everything follows from P = Phi_I C Phi_I' and from I - H, H = Omega^1/2 P Omega^1/2/sigma^2. Below, a = sqrt(omega) S phi/sigma
 * is a row of A = Omega^1/2 Phi S/sigma, and r~ = Omega^1/2 r/sigma.
 *
 * Factor form: P = Z'Z with Z = U^-T S Phi', and I - H by subtraction. A group of more than D/2 rows is rather taken out of B:
 * U_-I'U_-I = B_-I = U'U - A_I'A_I. Then everything is an ordinary prediction from m_-I = m - S B_-I^-1 A_I'r~, and the log density
 * is the difference of two evidences, whose quadratic part |r~|^2 + |U_-I^-T A_I'r~|^2 has only positive terms.
 *
 * Low-rank form: V = L^-1 A with K_s = I + A A' = L L', and I - H = (K_s^-1)_II. Column n of V A' is
 *     V a_n = L^-1 (K_s - I) e_n = L'e_n - L^-1 e_n,
 * and L' is upper, L^-1 lower triangular: below place n stands -L^-1 e_n, at n stands t = L_nn - 1/L_nn. So V a_n gives the column
 *     x_n = L^-1 e_n:   0 above n,   1/L_nn = 2/(t + sqrt(t^2 + 4)) at n,   -(V a_n)_i below,
 * and (I - H)_nm = (K_s^-1)_nm = x_n'x_m, without the cancellation of 1 - (|a|^2 - |V a|^2), whose error eps |a|^2 swamps 1 - h for
 * any smooth function with little noise. The sum of squares errs by eps |a|^2 (1 - h): rounding in K_s, d of size eps |a|^2,
 * changes K_s^-1 by K_s^-1 d K_s^-1, and all eigenvalues of K_s^-1 are <= 1; rounding in V a counts 2 eps |a| sqrt(1 - h), which is
 * less, since 1 - h >= 1/(1 + |a|^2). For |a| <= 1 the difference is the better one (h may be tiny), and it needs no place. */

/* Estimated relative error of 1 - h above which a result counts as lost. */
#define BLNI_LOO_LOST 1e-5

/* The constants of one call, and what is summed up. */
typedef struct blni_loo {
    const bln_slm      *slm;
    const bln_gaussian *g;     /* base: everything below is in units of its noise variance */
    size_t  P;
    double  sigma;             /* its root                                          */
    double  N;                 /* weight so far                                     */
    double  score;
    size_t  undefined;         /* first row whose prediction is lost, or BLN_NONE   */
} blni_loo;

BLNI_PRIV blni_loo blni_loo_of(const bln_slm *slm)
{
    blni_loo l;
    l.slm = slm;
    l.g = &slm->result.base;
    l.P = slm->result.P;
    l.sigma = sqrt(slm->result.hyper.noise_var);
    l.N = l.score = 0.0;
    l.undefined = BLN_NONE;
    return l;
}

BLNI_PRIV int blni_loo_lowrank(const blni_loo *l) { return l->g->form == BLN_GAUSSIAN_LOWRANK; }

/* Is too little left of 1 - h (or of a pivot of I - H) to have digits? a2: largest |a|^2 of the rows (low-rank form). */
BLNI_PRIV int blni_loo_lost(const blni_loo *l, double left, double a2)
{
    return !(left > 0.0) || DBL_EPSILON*(blni_loo_lowrank(l) ? a2 : 1.0/left) > BLNI_LOO_LOST;
}

BLNI_PRIV bln_status blni_loo_begin(const bln_slm *slm, size_t d, bln_report *report)
{
    if (!bln_slm_posterior(slm)) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: leave-out before fit");
    if (!blni_slm_fits(bln_slm_basis(slm), d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_loo_rows(const blni_loo *l, size_t n, bln_report *report)
{
    if (blni_loo_lowrank(l) && n != l->g->k)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: other rows than the fit's: their number differs");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_loo_weight(const blni_loo *l, bln_report *report)
{
    const double N = bln_slm_rows(l->slm);
    if (!(fabs(l->N - N) <= 1e-9*N))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: other rows than the fit's: their total weight differs");
    return BLN_OK;
}

BLNI_PRIV bln_status blni_loo_end(const blni_loo *l, bln_report *report)
{
    if (l->undefined == BLN_NONE) return BLN_OK;
    return blni_fail(report, BLN_EUNDEFINED, l->undefined, BLN_NONE,
                     "slm: only what is left out determines a direction of the weights; its prediction is lost in rounding");
}

/* ---- several outputs */

/* out (P x P) <- factor U of Sigma/sigma^2 = U'U, *logdet <- log|Sigma/sigma^2|; 0: it has none (an output is fitted perfectly). */
BLNI_PRIV int blni_loo_sigma(const bln_slm *slm, double *U, double *logdet)
{
    const blni_slm_result *r = &slm->result;
    const size_t P = r->P;
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) U[p*P + q] = blni_result_ratio(r, p, q);
    if (bln_potrf(P, U, P, NULL) != BLN_OK) return 0;
    *logdet = bln_logdet_factor(P, U, P);
    return 1;
}

/* z (n x P) <- z U^-1, row by row: sum of squares of a row is then r Sigma^-1 r' sigma^2. */
BLNI_PRIV void blni_loo_whiten(size_t P, const double *U, size_t n, double *z)
{
    for (size_t i = 0; i < n; i++) {
        if (P == 1) z[i] /= U[0];
        else bln_trsv(BLN_TRANS, P, U, P, z + i*P);
    }
}

/* ---- low-rank form: the column x_n = L^-1 e_n of a row */

/* x (k) from z = V S phi and scale = sqrt(omega)/sigma; n: the row's place in the fit. */
BLNI_PRIV void blni_loo_column(const bln_gaussian *g, size_t n, double scale, const double *z, double *x)
{
    const double t = scale*z[n];
    for (size_t i = 0; i < n; i++) x[i] = 0.0;
    x[n] = 2.0/(t + sqrt(t*t + 4.0));
    for (size_t i = n + 1; i < g->k; i++) x[i] = -scale*z[i];
}

/* A row in another place than in the fit shows in 1 - |x|^2, which is not |a|^2 - |Va|^2 then. */
BLNI_PRIV int blni_loo_in_place(double left, double a2, double h)
{
    return fabs(1.0 - left - h) <= 1.5e-8*(1.0 + a2);            /* sqrt(eps): far above rounding */
}

/* ---- leave-one-out */

typedef struct blni_loo_pieces {
    blni_predict_pieces p;
    double *f, *v, *x;         /* block x P: means; block: variances; k   */
    double *U, *e, logdet;     /* Sigma = sigma^2 U'U; P: errors of a row */
} blni_loo_pieces;

BLNI_PRIV blni_loo_pieces blni_loo_carve(blni_arena *a, const bln_slm *slm)
{
    const bln_gaussian *g = &slm->result.base;
    const size_t P = slm->result.P;
    blni_loo_pieces w;
    w.p = blni_predict_carve(a, bln_slm_basis(slm), g, slm->desc.block);
    w.f = blni_carve_doubles(a, blni_mul(slm->desc.block, P));
    w.U = blni_carve_doubles(a, blni_mul(P, P));
    w.e = blni_carve_doubles(a, P);
    w.logdet = 0.0;
    w.v = blni_carve_doubles(a, slm->desc.block);
    w.x = blni_carve_doubles(a, g->k);
    return w;
}

BLN_API size_t bln_slm_loo_work(const bln_slm *slm)
{
    blni_arena a = blni_arena_over(NULL, 0);
    if (!bln_slm_posterior(slm)) return 0;
    blni_loo_carve(&a, slm);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

/* 1 - h of row i of a block in low-rank form, n its place; v_f is corrected where 1 - h knows it better. *a2: |a|^2. */
BLNI_PRIV double blni_loo_left(const blni_loo *l, const blni_loo_pieces *w, size_t rows, size_t i, size_t n, double scale,
                               double *a2, int *misplaced)
{
    const bln_gaussian *g = l->g;
    const double *p = w->p.project + i*g->D, *z = blni_lowrank_product(g, rows, w->p.project) + i*g->k;
    const double h = scale*scale*w->v[i];
    *a2 = scale*scale*bln_dot(g->D, p, p);
    if (!(*a2 > 1.0)) return 1.0 - h;
    blni_loo_column(g, n, scale, z, w->x);
    const double left = bln_dot(g->k - n, w->x + n, w->x + n);
    if (!blni_loo_in_place(left, *a2, h)) *misplaced = 1;
    w->v[i] = left < 1.0 ? (1.0 - left)/(scale*scale) : 0.0;
    return left;
}

/* Row i without itself, with h and 1 - h = left: means and variances of its outputs, and its score. 0: overflow. */
BLNI_PRIV int blni_loo_row(blni_loo *l, const blni_loo_pieces *w, const bln_data *rows, size_t i, double h, double left,
                           double *mean, double *var)
{
    const size_t P = l->P;
    const double weight = rows->weight ? rows->weight[i] : 1.0;
    const double v = l->sigma*l->sigma*(rows->noise_var ? rows->noise_var[i] : 1.0) + w->v[i]/left;
    int finite = blni_finite(v);
    for (size_t p = 0; p < P; p++) {
        const double f = w->f[i*P + p], r = blni_row_target(rows, i, p) - f, m = f + blni_offset(rows, i, p) - r*h/left;
        w->e[p] = blni_y(rows, i, p) - m;
        finite = finite && blni_finite(m);
        if (mean) mean[i*P + p] = m;
        if (var)  var[i*P + p] = blni_result_ratio(&l->slm->result, p, p)*v;
    }
    if (weight > 0.0) {
        blni_loo_whiten(P, w->U, 1, w->e);
        l->score -= 0.5*weight*((double)P*(BLNI_LOG_2PI + log(v)) + w->logdet + bln_dot(P, w->e, w->e)/v);
    }
    return finite || left != left;
}

/* One block; `first`: rows before it. Outputs are those of the block. */
BLNI_PRIV bln_status blni_loo_block(blni_loo *l, const blni_loo_pieces *w, const bln_data *rows, size_t first, double *mean,
                                    double *var, double *leverage, bln_report *report)
{
    const bln_basis *b = bln_slm_basis(l->slm);
    bln_basis_features(b, bln_slm_theta(l->slm), rows->n, rows->X, blni_ldx(rows), w->p.Phi, b->D, w->p.basis);
    bln_gaussian_project(l->g, rows->n, w->p.Phi, b->D, NULL, w->v, w->p.project);
    blni_slm_means(&l->slm->result, rows->n, w->p.Phi, w->f);
    for (size_t i = 0; i < rows->n; i++) {
        const double scale = sqrt(blni_row_omega(rows, i))/l->sigma;
        double left, a2 = 0.0;
        int misplaced = 0;
        if (!blni_all_finite(l->P, w->f + i*l->P) || !blni_finite(scale*scale*w->v[i]))
            return blni_fail(report, BLN_ENUMERIC, first + i, BLN_NONE, "slm: the leave-one-out prediction overflows");
        if (blni_loo_lowrank(l)) left = blni_loo_left(l, w, rows->n, i, first + i, scale, &a2, &misplaced);
        else                     left = 1.0 - scale*scale*w->v[i];
        if (misplaced) return blni_fail(report, BLN_EINVAL, first + i, BLN_NONE, "slm: not the rows of the fit in their order");
        const double h = scale*scale*w->v[i];
        if (blni_loo_lost(l, left, a2)) {
            if (l->undefined == BLN_NONE) l->undefined = first + i;
            left = BLNI_NAN;
        }
        if (!blni_loo_row(l, w, rows, i, h, left, mean, var))
            return blni_fail(report, BLN_ENUMERIC, first + i, BLN_NONE, "slm: the leave-one-out prediction overflows");
        if (leverage) leverage[i] = left == left ? h : BLNI_NAN;
        l->N += rows->weight ? rows->weight[i] : 1.0;
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_loo_pass(blni_loo *l, const blni_loo_pieces *w, const bln_source *source, size_t room, double *mean,
                                   double *var, double *leverage, bln_report *report)
{
    const int any = mean || var || leverage;
    size_t at = 0;
    bln_data rows;
    bln_status status = source->reset(source->user, report);
    while (status == BLN_OK && (status = blni_source_next(source, l->slm->desc.block, l->P, &rows, report)) == BLN_OK && rows.n) {
        if (any && rows.n > room - at)
            return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: the source has more rows than the outputs");
        if (blni_loo_lowrank(l) && rows.n > l->g->k - at) return blni_loo_rows(l, blni_add(at, rows.n), report);
        status = blni_data_check_from(&rows, 1, at, report);
        if (status == BLN_OK)
            status = blni_loo_block(l, w, &rows, at, mean ? mean + at*l->P : NULL, var ? var + at*l->P : NULL,
                                    leverage ? leverage + at : NULL, report);
        at += rows.n;
    }
    if (status == BLN_OK) status = blni_loo_rows(l, at, report);
    return status == BLN_OK ? blni_loo_weight(l, report) : status;
}

BLN_API bln_status bln_slm_loo_source(const bln_slm *slm, const bln_source *source, size_t room, double *mean, double *var,
                                      double *leverage, double *score, double *work, bln_report *report)
{
    bln_report_clear(report);
    if (!slm || !source) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    bln_status status = blni_loo_begin(slm, source->d, report);
    if (status != BLN_OK) return status;
    const size_t bytes = blni_mul(bln_slm_loo_work(slm), sizeof(double));
    double *own = NULL;
    if (!work) {
        if (bytes == (size_t)-1)
            return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
        work = own = (double *)blni_alloc(&slm->alloc, bytes);
        if (!own) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for leave-one-out");
    }
    blni_arena a = blni_arena_over(work, bytes);
    blni_loo_pieces w = blni_loo_carve(&a, slm);
    blni_loo l = blni_loo_of(slm);
    status = blni_loo_sigma(slm, w.U, &w.logdet) ? blni_loo_pass(&l, &w, source, room, mean, var, leverage, report)
           : blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: a perfect fit has no leave-one-out prediction");
    blni_release(&slm->alloc, own, bytes);
    if (status != BLN_OK) return status;
    if (score) *score = l.score;
    return blni_loo_end(&l, report);
}

BLN_API bln_status bln_slm_loo(const bln_slm *slm, const bln_data *data, double *mean, double *var, double *leverage, double *score,
                               double *work, bln_report *report)
{
    bln_data_reader reader;
    bln_report_clear(report);
    if (!data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    const bln_source source = bln_source_of(data, &reader);
    return bln_slm_loo_source(slm, &source, data->n, mean, var, leverage, score, work, report);
}

/* ---- groups */

/* Workspace for the largest group. Rows of a group are gathered; cap of them stand in memory at a time. */
typedef struct blni_group {
    blni_loo        l;
    const bln_data *data;
    size_t  cap;
    size_t  small;                /* rows of the largest group that goes by I - H, or 0               */
    int     large;                /* is there a group that is taken out of B?                        */
    double *X, *Phi, *project, *basis;
    double *f, *v, *root, *r;     /* cap (x P: f, r): mean and variance of y; sqrt(omega)/sigma; sqrt(omega) r/sigma */
    double *U, logdet;            /* Sigma = sigma^2 U'U, P x P                                      */
    double *P, *H, *T, *x;        /* small x small each; x: small x k (low-rank)                      */
    double *B, *Bm, *m, *u;       /* large groups: D x D each: U'U, and without the group; P x D; D x P */
    double *z;                    /* room for small x P, or D x P                                    */
    double  logp;
} blni_group;

BLNI_PRIV void blni_group_carve(blni_arena *a, blni_group *w)
{
    const bln_basis *b = bln_slm_basis(w->l.slm);
    const bln_gaussian *g = w->l.g;
    const size_t cap = w->cap, square = blni_mul(w->small, w->small), D2 = w->large ? blni_mul(g->D, g->D) : 0, P = w->l.P;
    const size_t DP = w->large ? blni_mul(g->D, P) : 0;
    w->X       = blni_carve_doubles(a, blni_mul(cap, b->d));
    w->Phi     = blni_carve_doubles(a, blni_mul(cap, b->D));
    w->project = blni_carve_doubles(a, bln_gaussian_project_work(g, cap));
    w->basis   = blni_carve_doubles(a, bln_basis_work(b, cap));
    w->f       = blni_carve_doubles(a, blni_mul(cap, P));
    w->v       = blni_carve_doubles(a, cap);
    w->root    = blni_carve_doubles(a, cap);
    w->r       = blni_carve_doubles(a, blni_mul(cap, P));
    w->U       = blni_carve_doubles(a, blni_mul(P, P));
    w->P       = blni_carve_doubles(a, square);
    w->H       = blni_carve_doubles(a, square);
    w->T       = blni_carve_doubles(a, square);
    w->x       = blni_carve_doubles(a, blni_loo_lowrank(&w->l) ? blni_mul(w->small, g->k) : 0);
    w->B       = blni_carve_doubles(a, D2);
    w->Bm      = blni_carve_doubles(a, D2);
    w->m       = blni_carve_doubles(a, DP);
    w->u       = blni_carve_doubles(a, DP);
    w->z       = blni_carve_doubles(a, blni_max(DP, blni_mul(w->small, P)));
}

/* Is a group of m rows better taken out of B? Not if its covariance is wanted, which is m x m anyway. */
BLNI_PRIV int blni_group_is_large(const blni_loo *l, size_t m, int cov)
{
    return !cov && !blni_loo_lowrank(l) && m > l->g->D/2;
}

/* Features of m gathered rows, and what depends on nothing else: root, and r with the residuals of the fit. */
BLNI_PRIV void blni_group_gather(blni_group *w, size_t m, const size_t *rows)
{
    const bln_slm *slm = w->l.slm;
    const bln_basis *b = bln_slm_basis(slm);
    const size_t d = b->d;
    for (size_t i = 0; i < m && d; i++) memcpy(w->X + i*d, w->data->X + rows[i]*blni_ldx(w->data), d*sizeof *w->X);
    bln_basis_features(b, bln_slm_theta(slm), m, w->X, d, w->Phi, b->D, w->basis);
    for (size_t i = 0; i < m; i++) w->root[i] = sqrt(blni_row_omega(w->data, rows[i]))/w->l.sigma;
}

BLNI_PRIV void blni_group_residuals(blni_group *w, size_t m, const size_t *rows)
{
    const size_t P = w->l.P;
    blni_slm_means(&w->l.slm->result, m, w->Phi, w->f);
    for (size_t i = 0; i < m; i++)
        for (size_t p = 0; p < P; p++) w->r[i*P + p] = w->root[i]*(blni_row_target(w->data, rows[i], p) - w->f[i*P + p]);
}

/* tr(C^-1 x'x) for x: n x P, C = U'U; x is copied to room. */
BLNI_PRIV double blni_group_square(const blni_group *w, size_t n, const double *x, double *room)
{
    const size_t P = w->l.P;
    memcpy(room, x, n*P*sizeof *x);
    blni_loo_whiten(P, w->U, n, room);
    return bln_dot(n*P, room, room);
}

/* -1/2 [P (N_I log(2 pi sigma^2) - ld_I) + N_I log|C| + ...] over the rows of a group. */
BLNI_PRIV double blni_group_constant(const blni_group *w, size_t m, const size_t *rows)
{
    const double P = (double)w->l.P;
    double sum = 0.0;
    for (size_t i = 0; i < m; i++) {
        const bln_data *data = w->data;
        const double k = data->weight ? data->weight[rows[i]] : 1.0, v = data->noise_var ? data->noise_var[rows[i]] : 1.0;
        if (k > 0.0) sum -= 0.5*k*(P*(BLNI_LOG_2PI + 2.0*log(w->l.sigma) + log(v)) + w->logdet);
    }
    return sum;
}

/* From latent to observed: offset and noise. */
BLNI_PRIV void blni_group_observe(const blni_group *w, size_t m, const size_t *rows, double *mean, double *var, size_t step)
{
    const double noise = w->l.sigma*w->l.sigma;
    const size_t P = w->l.P;
    for (size_t i = 0; i < m; i++) {
        for (size_t p = 0; p < P; p++) mean[i*P + p] += blni_offset(w->data, rows[i], p);
        var[i*step] += noise*(w->data->noise_var ? w->data->noise_var[rows[i]] : 1.0);
    }
}

/* P and I - H, upper triangles; *a2: largest |a|^2 (low-rank form). 0 if a row is not in its place. */
BLNI_PRIV int blni_group_matrices(blni_group *w, size_t m, const size_t *rows, double *a2, size_t *misplaced)
{
    const bln_gaussian *g = w->l.g;
    const size_t D = g->D, k = g->k;
    *a2 = 0.0;
    if (!blni_loo_lowrank(&w->l)) {
        blni_whiten_factor(g, m, w->Phi, D, w->project);
        bln_syrk(BLN_TRANS, m, D, 1.0, w->project, m, 0.0, w->P, m);
        for (size_t i = 0; i < m; i++)
            for (size_t j = i; j < m; j++) w->H[i*m + j] = (i == j) - w->root[i]*w->root[j]*w->P[i*m + j];
        return 1;
    }
    const double *p = w->project, *z;
    blni_whiten_lowrank(g, m, w->Phi, D, w->project);
    z = blni_lowrank_product(g, m, w->project);
    for (size_t i = 0; i < m; i++) blni_loo_column(g, rows[i], w->root[i], z + i*k, w->x + i*k);
    bln_syrk(BLN_NOTRANS, m, k, 1.0, w->x, k, 0.0, w->H, m);
    bln_syrk(BLN_NOTRANS, m, D, 1.0, p, D, 0.0, w->P, m);
    for (size_t i = 0; i < m; i++) w->T[i] = w->root[i]*w->root[i]*w->P[i*m + i];                 /* |a_i|^2 */
    bln_syrk(BLN_NOTRANS, m, k, -1.0, z, k, 1.0, w->P, m);
    for (size_t i = 0; i < m; i++) {
        if (w->T[i] > 1.0 && !blni_loo_in_place(w->H[i*m + i], w->T[i], w->root[i]*w->root[i]*w->P[i*m + i])) {
            *misplaced = rows[i];
            return 0;
        }
        if (w->T[i] > *a2) *a2 = w->T[i];
        for (size_t j = i; j < m; j++) {
            const double scale = w->root[i]*w->root[j];
            if (w->T[i] > 1.0 && w->T[j] > 1.0) w->P[i*m + j] = ((i == j) - w->H[i*m + j])/scale;
            else                                w->H[i*m + j] = (i == j) - scale*w->P[i*m + j];
        }
    }
    return 1;
}

/* Factorises I - H in place; 0 if too little is left of it. */
BLNI_PRIV int blni_group_factor(const blni_group *w, size_t m, double a2)
{
    if (bln_potrf(m, w->H, m, NULL) != BLN_OK) return 0;
    for (size_t i = 0; i < m; i++)
        if (blni_loo_lost(&w->l, w->H[i*m + i]*w->H[i*m + i], a2)) return 0;
    return 1;
}

/* By I - H = U'U: mean into f, covariance of y into the upper triangle of P, log density. *defined = 0: lost. */
BLNI_PRIV bln_status blni_group_small(blni_group *w, size_t m, const size_t *rows, int *defined, bln_report *report)
{
    const size_t P = w->l.P;
    double a2;
    size_t misplaced;
    blni_group_gather(w, m, rows);
    blni_group_residuals(w, m, rows);
    if (!blni_group_matrices(w, m, rows, &a2, &misplaced))
        return blni_fail(report, BLN_EINVAL, misplaced, BLN_NONE, "slm: not the rows of the fit in their order");
    for (size_t i = 0; i < m; i++)
        if (!blni_all_finite(P, w->f + i*P) || !blni_finite(w->P[i*m + i]) || !blni_all_finite(P, w->r + i*P))
            return blni_fail(report, BLN_ENUMERIC, rows[i], BLN_NONE, "slm: the leave-out prediction overflows");
    *defined = blni_group_factor(w, m, a2);
    if (!*defined) return BLN_OK;

    /* r <- U^-T r gives the quadratic form, then r <- (I - H)^-1 r the means. */
    w->logp = blni_group_constant(w, m, rows) + 0.5*(double)P*bln_logdet_factor(m, w->H, m);
    blni_sigma_solve(BLN_TRANS, m, P, w->H, m, w->r);
    w->logp -= 0.5*blni_group_square(w, m, w->r, w->z);
    blni_sigma_solve(BLN_NOTRANS, m, P, w->H, m, w->r);
    bln_symmetrise(m, w->P, m);
    for (size_t i = 0; i < m; i++) bln_scal(P, w->root[i], w->r + i*P);
    if (P == 1) bln_gemv(BLN_NOTRANS, m, m, -1.0, w->P, m, w->r, 1.0, w->f);
    else bln_gemm(BLN_NOTRANS, BLN_NOTRANS, m, P, m, -1.0, w->P, m, w->r, P, 1.0, w->f, P);

    /* P + T'T with T = U^-T Omega^1/2 P/sigma. */
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) w->T[i*m + j] = w->root[i]*w->P[i*m + j];
    bln_trsm(BLN_TRANS, m, m, w->H, m, w->T, m);
    bln_syrk(BLN_TRANS, m, m, 1.0, w->T, m, 1.0, w->P, m);
    blni_group_observe(w, m, rows, w->f, w->P, m + 1);
    return BLN_OK;
}

/* Out of B: A'A and A'r~ of the group, block by block. Returns tr(C^-1 r~'r~). */
BLNI_PRIV double blni_group_subtract(blni_group *w, size_t m, const size_t *rows)
{
    const bln_gaussian *g = w->l.g;
    const size_t D = g->D, P = w->l.P;
    double square = 0.0;
    for (size_t i = 0; i < D; i++) memcpy(w->Bm + i*D + i, w->B + i*D + i, (D - i)*sizeof *w->B);
    for (size_t i = 0; i < D*P; i++) w->u[i] = 0.0;
    for (size_t at = 0; at < m; at += w->cap) {
        const size_t now = blni_min(w->cap, m - at);
        blni_group_gather(w, now, rows + at);
        blni_group_residuals(w, now, rows + at);
        for (size_t i = 0; i < now; i++)
            for (size_t j = 0; j < D; j++) w->Phi[i*D + j] *= w->root[i]*g->s[j];
        bln_syrk(BLN_TRANS, D, now, -1.0, w->Phi, D, 1.0, w->Bm, D);
        if (P == 1) bln_gemv(BLN_TRANS, now, D, 1.0, w->Phi, D, w->r, 1.0, w->u);
        else bln_gemm(BLN_TRANS, BLN_NOTRANS, D, P, now, 1.0, w->Phi, D, w->r, P, 1.0, w->u, P);
        blni_loo_whiten(P, w->U, now, w->r);
        square += bln_dot(now*P, w->r, w->r);
    }
    return square;
}

/* The posterior without the group, and its log density. *defined = 0: lost. Its predictions are made by the caller. */
BLNI_PRIV void blni_group_large(blni_group *w, size_t m, const size_t *rows, bln_gaussian *without, int *defined)
{
    const bln_gaussian *g = w->l.g;
    const size_t D = g->D, P = w->l.P;
    const double square = blni_group_subtract(w, m, rows);
    *defined = bln_potrf(D, w->Bm, D, NULL) == BLN_OK;
    for (size_t i = 0; i < D && *defined; i++) {
        const double ratio = w->Bm[i*D + i]/g->R[i*g->ldr + i];
        if (blni_loo_lost(&w->l, ratio*ratio, 0.0)) *defined = 0;
    }
    if (!*defined) return;
    w->logp = blni_group_constant(w, m, rows)
            + 0.5*(double)P*(bln_logdet_factor(D, w->Bm, D) - bln_logdet_factor(D, g->R, g->ldr));
    blni_sigma_solve(BLN_TRANS, D, P, w->Bm, D, w->u);
    w->logp -= 0.5*(square + blni_group_square(w, D, w->u, w->z));
    blni_sigma_solve(BLN_NOTRANS, D, P, w->Bm, D, w->u);
    for (size_t p = 0; p < P; p++)
        for (size_t j = 0; j < D; j++) w->m[p*D + j] = w->l.slm->result.m[p*D + j] - g->s[j]*w->u[j*P + p];
    *without = *g;
    without->m = w->m;
    without->R = w->Bm;
    without->ldr = D;
}

/* Opens the workspace: l, data, cap, large and small are set. */
BLNI_PRIV bln_status blni_group_open(blni_group *w, void **block, size_t *bytes, bln_report *report)
{
    const bln_slm *slm = w->l.slm;
    const bln_gaussian *g = w->l.g;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_group_carve(&a, w);
    *bytes = a.used;
    if (*bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    *block = blni_alloc(&slm->alloc, *bytes);
    if (!*block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the largest group");
    a = blni_arena_over(*block, *bytes);
    blni_group_carve(&a, w);
    if (!blni_loo_sigma(slm, w->U, &w->logdet))
        return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: a perfect fit has no leave-out prediction");
    for (size_t i = 0; i < g->D && w->large; i++) {                                     /* B = U'U, row by row */
        for (size_t j = i; j < g->D; j++) w->B[i*g->D + j] = 0.0;
        for (size_t r = 0; r <= i; r++) bln_axpy(g->D - i, g->R[r*g->ldr + i], g->R + r*g->ldr + i, w->B + i*g->D + i);
    }
    return BLN_OK;
}

/* What both calls check of model and data. */
BLNI_PRIV bln_status blni_group_check(const bln_slm *slm, const bln_data *data, blni_loo *l, bln_report *report)
{
    if (!slm || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    bln_status status = blni_loo_begin(slm, data->d, report);
    if (status == BLN_OK && blni_outputs(data) != slm->desc.n_outputs)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of outputs (p) than n_outputs");
    if (status == BLN_OK) status = blni_data_check_from(data, 1, 0, report);
    if (status != BLN_OK) return status;
    *l = blni_loo_of(slm);
    for (size_t i = 0; i < data->n; i++) l->N += data->weight ? data->weight[i] : 1.0;
    status = blni_loo_rows(l, data->n, report);
    return status == BLN_OK ? blni_loo_weight(l, report) : status;
}

/* Where the results of a group go; each may be NULL. by_row: entry rows[i] of mean and var; else entry i. */
typedef struct blni_group_out { double *mean, *var, *cov; size_t ldc; int by_row; } blni_group_out;

/* Rows at .. at + now - 1 of a group of m. */
BLNI_PRIV bln_status blni_group_write(const blni_group *w, size_t m, const size_t *rows, size_t at, size_t now, int defined,
                                      const double *var, size_t step, const blni_group_out *out, bln_report *report)
{
    const blni_slm_result *r = &w->l.slm->result;
    const size_t P = r->P;
    for (size_t i = 0; i < now; i++) {
        const size_t to = out->by_row ? rows[at + i] : at + i;
        if (defined && (!blni_all_finite(P, w->f + i*P) || !blni_finite(var[i*step]) || !blni_finite(w->logp)))
            return blni_fail(report, BLN_ENUMERIC, rows[at + i], BLN_NONE, "slm: the leave-out prediction overflows");
        for (size_t p = 0; p < P; p++) {
            if (out->mean) out->mean[to*P + p] = defined ? w->f[i*P + p] : BLNI_NAN;
            if (out->var)  out->var[to*P + p] = defined ? blni_result_ratio(r, p, p)*var[i*step] : BLNI_NAN;
        }
        for (size_t j = 0; j < m && out->cov; j++)
            out->cov[to*out->ldc + j] = !defined ? BLNI_NAN : blni_result_ratio(r, 0, 0)*w->P[i <= j ? i*m + j : j*m + i];
    }
    return BLN_OK;
}

/* One group of m > 0 rows; its log density into w->logp. */
BLNI_PRIV bln_status blni_group_leave(blni_group *w, size_t m, const size_t *rows, const blni_group_out *out, bln_report *report)
{
    const int large = blni_group_is_large(&w->l, m, out->cov != NULL);
    bln_gaussian without = *w->l.g;
    bln_status status = BLN_OK;
    int defined = 1;
    if (large) blni_group_large(w, m, rows, &without, &defined);
    else status = blni_group_small(w, m, rows, &defined, report);
    if (!defined) {
        w->logp = BLNI_NAN;
        for (size_t i = 0; i < m; i++) w->l.undefined = blni_min(w->l.undefined, rows[i]);
    }
    for (size_t at = 0; at < m && status == BLN_OK; at += w->cap) {
        const size_t now = blni_min(w->cap, m - at);
        if (large && defined) {
            blni_group_gather(w, now, rows + at);
            bln_gaussian_project(&without, now, w->Phi, w->l.g->D, NULL, w->v, w->project);
            blni_slm_means_by(w->l.P, w->l.g->D, w->m, now, w->Phi, w->f);
            blni_group_observe(w, now, rows + at, w->f, w->v, 1);
        }
        status = large ? blni_group_write(w, m, rows, at, now, defined, w->v, 1, out, report)
                       : blni_group_write(w, m, rows, at, now, defined, w->P, m + 1, out, report);
    }
    return status;
}

/* BLN_EINVAL for an index that is out of range or stands twice; seen: n bytes. */
BLNI_PRIV bln_status blni_group_indices(size_t n, size_t m, const size_t *rows, unsigned char *seen, bln_report *report)
{
    memset(seen, 0, n);
    for (size_t i = 0; i < m; i++) {
        if (rows[i] >= n) return blni_fail(report, BLN_EINVAL, i, BLN_NONE, "slm: an index beyond the data");
        if (seen[rows[i]]) return blni_fail(report, BLN_EINVAL, i, BLN_NONE, "slm: an index stands twice");
        seen[rows[i]] = 1;
    }
    return BLN_OK;
}

BLN_API bln_status bln_slm_leave_out(const bln_slm *slm, const bln_data *data, size_t m, const size_t *rows, double *mean,
                                     double *cov, size_t ldc, double *logp, bln_report *report)
{
    blni_group w;
    blni_group_out out;
    void *block = NULL;
    size_t bytes = 0;
    memset(&w, 0, sizeof w);
    memset(&out, 0, sizeof out);
    out.mean = mean;
    out.cov = cov;
    out.ldc = ldc ? ldc : m;
    bln_report_clear(report);
    if (m && !rows) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: rows is NULL");
    if (out.ldc < m) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: row stride of cov below m");
    bln_status status = blni_group_check(slm, data, &w.l, report);
    if (status != BLN_OK) return status;
    if (m == 0) {
        if (logp) *logp = 0.0;
        return BLN_OK;
    }
    unsigned char *seen = (unsigned char *)blni_alloc(&slm->alloc, data->n);
    if (!seen) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for leave-out");
    status = blni_group_indices(data->n, m, rows, seen, report);
    blni_release(&slm->alloc, seen, data->n);
    if (status != BLN_OK) return status;

    w.data = data;
    w.large = blni_group_is_large(&w.l, m, cov != NULL);
    w.small = w.large ? 0 : m;
    w.cap = w.large ? blni_min(m, slm->desc.block) : m;
    status = blni_group_open(&w, &block, &bytes, report);
    if (status == BLN_OK) status = blni_group_leave(&w, m, rows, &out, report);
    blni_release(&slm->alloc, block, bytes);
    if (status != BLN_OK) return status;
    if (logp) *logp = w.logp;
    return blni_loo_end(&w.l, report);
}

/* ---- all groups */

/* Rows by group: those of group s are order[start[s]] .. order[start[s + 1] - 1], in their order.   start: n_groups + 1 */
BLNI_PRIV bln_status blni_group_sort(size_t n, const size_t *group, size_t n_groups, size_t *order, size_t *start,
                                     bln_report *report)
{
    for (size_t s = 0; s <= n_groups; s++) start[s] = 0;
    for (size_t i = 0; i < n; i++) {
        if (group[i] >= n_groups) return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "slm: a group number beyond n_groups");
        start[group[i]]++;
    }
    size_t sum = 0;
    for (size_t s = 0; s <= n_groups; s++) { const size_t count = start[s]; start[s] = sum; sum += count; }
    for (size_t i = 0; i < n; i++) order[start[group[i]]++] = i;
    for (size_t s = n_groups; s > 0; s--) start[s] = start[s - 1];      /* each has moved to its end */
    start[0] = 0;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_group_all(blni_group *w, size_t n_groups, const size_t *order, const size_t *start,
                                    const blni_group_out *out, double *logp, bln_report *report)
{
    const bln_slm *slm = w->l.slm;
    void *block = NULL;
    size_t bytes = 0;
    for (size_t s = 0; s < n_groups; s++) {
        const size_t m = start[s + 1] - start[s];
        const int large = blni_group_is_large(&w->l, m, 0);
        if (large) w->large = 1;
        else       w->small = blni_max(w->small, m);
        w->cap = blni_max(w->cap, large ? blni_min(m, slm->desc.block) : m);
    }
    bln_status status = blni_group_open(w, &block, &bytes, report);
    for (size_t s = 0; s < n_groups && status == BLN_OK; s++) {
        const size_t m = start[s + 1] - start[s];
        w->logp = 0.0;
        if (m) status = blni_group_leave(w, m, order + start[s], out, report);
        if (logp && status == BLN_OK) logp[s] = w->logp;
    }
    blni_release(&slm->alloc, block, bytes);
    return status;
}

BLN_API bln_status bln_slm_leave_groups_out(const bln_slm *slm, const bln_data *data, const size_t *group, size_t n_groups,
                                            double *mean, double *var, double *logp, bln_report *report)
{
    blni_group w;
    blni_group_out out;
    memset(&w, 0, sizeof w);
    memset(&out, 0, sizeof out);
    out.mean = mean;
    out.var = var;
    out.by_row = 1;
    bln_report_clear(report);
    if (!group) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: group is NULL");
    bln_status status = blni_group_check(slm, data, &w.l, report);
    if (status != BLN_OK) return status;
    w.data = data;
    const size_t bytes = blni_mul(blni_add(blni_add(data->n, n_groups), 1), sizeof(size_t));
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    size_t *order = (size_t *)blni_alloc(&slm->alloc, bytes);
    if (!order) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the groups");
    status = blni_group_sort(data->n, group, n_groups, order, order + data->n, report);
    if (status == BLN_OK) status = blni_group_all(&w, n_groups, order, order + data->n, &out, logp, report);
    blni_release(&slm->alloc, order, bytes);
    return status == BLN_OK ? blni_loo_end(&w.l, report) : status;
}

/* ---- features */

BLN_API bln_status bln_slm_relevance(const bln_slm *slm, double *gamma, double *loss, bln_report *report)
{
    bln_report_clear(report);
    if (!slm) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model is NULL");
    if (!bln_slm_posterior(slm)) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: relevance before fit");
    const bln_gaussian *g = &slm->result.base;
    const size_t D = g->D, P = slm->result.P;
    const int lowrank = g->form == BLN_GAUSSIAN_LOWRANK;
    const size_t bytes = blni_mul(blni_add(blni_add(lowrank ? 0 : blni_mul(D, D), blni_mul(2, D)), blni_mul(P, blni_add(P, 1))),
                                  sizeof(double));
    double *left = (double *)blni_alloc(&slm->alloc, bytes);
    if (!left) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the relevance");
    double *well = left + D, *U = well + D, *w = U + P*P;  /* 1 - gamma, gamma, Sigma's factor, P numbers, and room for U^-1 */
    double logdet;
    bln_gaussian whitened = *g;
    for (size_t i = 0; i < D; i++) well[i] = 1.0;
    whitened.s = well;                                                                    /* C = S B^-1 S with S = I */
    bln_gaussian_variances(&whitened, left, lowrank ? NULL : w + P);
    for (size_t i = 0; i < D; i++) well[i] = lowrank || left[i] > 1.0 ? 0.0 : 1.0 - left[i];
    for (size_t r = 0; r < g->k && lowrank; r++)
        for (size_t i = 0; i < D; i++) well[i] += g->R[r*g->ldr + i]*g->R[r*g->ldr + i];

    bln_status status = BLN_OK;
    if (loss && !blni_loo_sigma(slm, U, &logdet))
        status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: the loss of evidence of a perfect fit");
    for (size_t i = 0; i < D; i++) {
        if (blni_slm_next_flat(slm, i) == i) {                 /* s is any scale there: C_ii = s^2 left */
            const double C = g->s[i]*g->s[i]*left[i];
            const double flat = 0.5*(BLNI_LOG_2PI + log(C) + g->m[i]*(g->m[i]/C));
            if (gamma) gamma[i] = 1.0;
            if (loss) loss[i] = flat;
            if (loss && status == BLN_OK && !blni_finite(flat))
                status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, i, "slm: the evidence without a feature is lost in rounding");
            continue;
        }
        const int in = g->s[i] > 0.0, lost = lowrank && left[i] < DBL_EPSILON/BLNI_LOO_LOST;
        double value = 0.0;
        for (size_t p = 0; p < P; p++) w[p] = in ? slm->result.m[p*D + i]/g->s[i] : 0.0;
        if (loss && in && status == BLN_OK) {
            blni_loo_whiten(P, U, 1, w);
            value = 0.5*((double)P*log(left[i]) + bln_dot(P, w, w)/left[i]);
        }
        if (gamma) gamma[i] = in ? well[i] : 0.0;
        if (!loss) continue;
        loss[i] = value;
        if (in && status == BLN_OK && (lost || !blni_finite(value)))
            status = blni_fail(report, BLN_ENUMERIC, BLN_NONE, i, "slm: the evidence without a feature is lost in rounding");
    }
    blni_release(&slm->alloc, left, bytes);
    return status;
}

/* ---------------------------------------------------------------- src/model/slm_sample.c */
/* slm_sample: draws of weights, functions and observations; slopes of predictions. The work is done in posterior/sample and
 * posterior/predict; here are the features, the offset, the noise, and the checks.
 *
 * Noise is keyed by (seed, stream, row): the generator of a draw gives, behind the two fills that the weights may take, a seed for
 * its noise, of which every 256 rows have a stream of their own. So neither blocks nor parts change it.   [spec/samplers.md R3]
 *
 * Several outputs: draws Z of base with mean 0, independent for each output (the first has the seed itself, the others a seed drawn
 * from it), become M + Z U with Sigma/v = U'U: the columns of Z are outputs, and Cov(w_jp, w_kq) = (U'U)_pq C_jk. */

enum { BLNI_NOISE_CHUNK = 256 };

typedef struct blni_draw_pieces { double *Q, *diag, *U, *W, *prior, *Phi, *sample, *basis; } blni_draw_pieces;

BLNI_PRIV blni_draw_pieces blni_draw_carve(blni_arena *a, const bln_slm *slm, size_t n, int with_prior)
{
    const bln_basis *b = bln_slm_basis(slm);
    const bln_gaussian *g = &slm->result.base;
    const size_t PD = blni_mul(slm->result.P, g->D);
    const size_t k = with_prior || g->form == BLN_GAUSSIAN_LOWRANK ? g->k : 0;
    blni_draw_pieces w;
    w.Q      = blni_carve_doubles(a, blni_mul(k, k));
    w.diag   = blni_carve_doubles(a, k);
    w.U      = blni_carve_doubles(a, blni_mul(slm->result.P, slm->result.P));
    w.W      = blni_carve_doubles(a, blni_mul(n, PD));
    w.prior  = blni_carve_doubles(a, with_prior ? blni_mul(n, PD) : 0);
    w.Phi    = blni_carve_doubles(a, blni_mul(slm->desc.block, g->D));
    w.sample = blni_carve_doubles(a, bln_gaussian_sample_work(g));
    w.basis  = blni_carve_doubles(a, bln_basis_work(b, slm->desc.block));
    if (k == 0) w.Q = NULL;
    if (!with_prior) w.prior = NULL;
    return w;
}

BLNI_PRIV bln_slm_draws blni_draws_defaults(const bln_slm_draws *draws)
{
    bln_slm_draws d = *draws;
    if (!d.n) d.n = 1;
    return d;
}

BLN_API size_t bln_slm_sample_work(const bln_slm *slm, const bln_slm_draws *draws, int with_prior)
{
    blni_arena a = blni_arena_over(NULL, 0);
    if (!bln_slm_posterior(slm)) return 0;
    blni_draw_carve(&a, slm, blni_draws_defaults(draws).n, with_prior);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

/* The workspace of a call: the caller's, or one of our own, which *own then holds. */
BLNI_PRIV bln_status blni_draw_workspace(const bln_slm *slm, size_t doubles, double **work, double **own, bln_report *report)
{
    *own = NULL;
    if (*work) return BLN_OK;
    const size_t bytes = blni_mul(doubles, sizeof(double));
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm: sizes too large for this machine");
    *work = *own = (double *)blni_alloc(&slm->alloc, bytes);
    return *own ? BLN_OK : blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm: out of memory for the workspace");
}

BLNI_PRIV bln_status blni_draw_ready(const bln_slm *slm, bln_report *report)
{
    return bln_slm_posterior(slm) ? BLN_OK : blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm: not fitted");
}

/* A flat prior has no paths. */
BLNI_PRIV bln_status blni_draw_proper(const bln_slm *slm, const double *prior, bln_report *report)
{
    const size_t flat = prior ? blni_slm_next_flat(slm, 0) : BLN_NONE;
    return flat < bln_slm_posterior(slm)->D
        ? blni_fail(report, BLN_EUNDEFINED, BLN_NONE, flat, "slm: there are no prior paths with a flat prior, feature") : BLN_OK;
}

/* U with U'U = Sigma; an output that is fitted perfectly has a row and a column of zeros. */
BLNI_PRIV bln_status blni_draw_sigma(const bln_slm *slm, double *U, bln_report *report)
{
    const blni_slm_result *r = &slm->result;
    const size_t P = r->P;
    for (size_t p = 0; p < P; p++)
        for (size_t q = p; q < P; q++) U[p*P + q] = r->cov[p*P + p] > 0.0 ? r->cov[p*P + q] : (double)(p == q);
    if (bln_potrf(P, U, P, NULL) != BLN_OK)
        return blni_fail(report, BLN_ENOTPD, BLN_NONE, BLN_NONE, "slm: the noise covariance is not positive definite");
    for (size_t p = 0; p < P; p++) if (!(r->cov[p*P + p] > 0.0)) U[p*P + p] = 0.0;
    return BLN_OK;
}

/* The seed of an output. */
BLNI_PRIV uint64_t blni_draw_seed(uint64_t seed, size_t p)
{
    bln_rng rng;
    if (p == 0) return seed;
    bln_rng_seed(&rng, seed, ~(uint64_t)p);
    return bln_rng_next(&rng);
}

/* X (P x D) <- M + U'X/sqrt(v), last output first; M may be NULL. */
BLNI_PRIV void blni_draw_mix(size_t P, size_t D, const double *U, double v, const double *M, double *X)
{
    for (size_t q = P; q-- > 0;) {
        double *x = X + q*D;
        bln_scal(D, U[q*P + q]/sqrt(v), x);
        for (size_t p = 0; p < q; p++) bln_axpy(D, U[p*P + q]/sqrt(v), X + p*D, x);
        if (M) bln_axpy(D, 1.0, M + q*D, x);
    }
}

/* One output: its posterior itself. Several: base with mean 0, mixed. */
BLNI_PRIV void blni_draw_outputs(const bln_slm *slm, const bln_slm_draws *d, const blni_draw_pieces *w, double *W, double *prior,
                                 size_t ldw)
{
    const blni_slm_result *r = &slm->result;
    const size_t P = r->P, D = r->base.D;
    bln_gaussian base = P == 1 ? r->posterior[0] : r->base;
    if (P > 1) base.m = NULL;
    for (size_t p = 0; p < P; p++)
        bln_gaussian_sample(&base, w->Q, d->n, blni_draw_seed(d->seed, p), d->stream, W + p*D, prior ? prior + p*D : NULL, ldw,
                            w->sample);
    for (size_t i = 0; i < d->n && P > 1; i++) {
        blni_draw_mix(P, D, w->U, r->hyper.noise_var, r->m, W + i*ldw);
        if (prior) blni_draw_mix(P, D, w->U, r->hyper.noise_var, NULL, prior + i*ldw);
    }
}

/* Draws into W, prior paths unless prior is NULL. */
BLNI_PRIV bln_status blni_draw_weights(const bln_slm *slm, const bln_slm_draws *d, const blni_draw_pieces *w, double *W,
                                       double *prior, size_t ldw, bln_report *report)
{
    const bln_gaussian *g = &slm->result.base;
    const size_t PD = slm->result.P*g->D;
    double tau = 0.0;
    bln_status status = blni_draw_sigma(slm, w->U, report);
    if (status != BLN_OK) return status;
    if (w->Q) status = bln_gaussian_path_factor(g, w->Q, w->diag, &tau);
    if (status != BLN_OK) return blni_fail(report, status, BLN_NONE, BLN_NONE, "slm: the posterior is not finite; scale the data");
    if (report) report->jitter = tau;
    blni_draw_outputs(slm, d, w, W, prior, ldw);
    for (size_t r = 0; r < d->n; r++)
        for (size_t j = 0; j < PD; j++)
            if (!blni_finite(W[r*ldw + j]) || (prior && !blni_finite(prior[r*ldw + j])))
                return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm: a draw of the weights overflows");
    return BLN_OK;
}

BLN_API bln_status bln_slm_sample_weights(const bln_slm *slm, const bln_slm_draws *draws, double *W, double *prior, size_t ldw,
                                          double *work, bln_report *report)
{
    double *own;
    bln_report_clear(report);
    if (!slm || !draws || !W) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: NULL argument");
    bln_status status = blni_draw_ready(slm, report);
    if (status == BLN_OK) status = blni_draw_proper(slm, prior, report);
    if (status != BLN_OK) return status;
    const bln_slm_draws d = blni_draws_defaults(draws);
    const size_t PD = slm->result.P*slm->result.base.D;
    if (ldw == 0) ldw = PD;
    if (ldw < PD) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: row stride of W below P D");
    const size_t doubles = bln_slm_sample_work(slm, &d, prior != NULL);
    status = blni_draw_workspace(slm, doubles, &work, &own, report);
    if (status != BLN_OK) return status;
    blni_arena a = blni_arena_over(work, 0);
    const blni_draw_pieces w = blni_draw_carve(&a, slm, d.n, prior != NULL);
    status = blni_draw_weights(slm, &d, &w, W, prior, ldw, report);
    blni_release(&slm->alloc, own, doubles*sizeof(double));
    return status;
}

/* f of the rows of a block, from n draws of the weights: n x rows P, each draw rows x P. */
BLNI_PRIV void blni_draw_values(const bln_slm *slm, const bln_data *rows, const double *Phi, size_t n, const double *W, double *out,
                                size_t ldo)
{
    const size_t D = slm->result.base.D, P = slm->result.P;
    if (P == 1) bln_gemm(BLN_NOTRANS, BLN_TRANS, n, rows->n, D, 1.0, W, D, Phi, D, 0.0, out, ldo);
    for (size_t r = 0; r < n; r++) {
        double *f = out + r*ldo;
        if (P > 1) bln_gemm(BLN_NOTRANS, BLN_TRANS, rows->n, P, D, 1.0, Phi, D, W + r*P*D, D, 0.0, f, P);
        for (size_t i = 0; i < rows->n && rows->offset; i++)
            for (size_t p = 0; p < P; p++) f[i*P + p] += blni_offset(rows, i, p);
    }
}

/* out (n_draws x rows P) <- W Phi' + offset */
BLNI_PRIV void blni_draw_functions(const bln_slm *slm, const bln_data *data, const blni_draw_pieces *w, size_t n, double *out,
                                   double *prior, size_t ldo)
{
    const bln_basis *b = bln_slm_basis(slm);
    const size_t D = b->D, P = slm->result.P, block = slm->desc.block;
    for (size_t i = 0; i < data->n; i += block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(block, data->n - i));
        bln_basis_features(b, bln_slm_theta(slm), rows.n, rows.X, blni_ldx(data), w->Phi, D, w->basis);
        blni_draw_values(slm, &rows, w->Phi, n, w->W, out + i*P, ldo);
        if (prior) blni_draw_values(slm, &rows, w->Phi, n, w->prior, prior + i*P, ldo);
    }
}

/* y_q += U_pq sqrt(v) e for one draw, e the noise of output p, for q = p .. P-1; e of row i is keyed to first + i.  U: row p */
BLNI_PRIV void blni_draw_noise(const bln_data *data, size_t P, size_t p, const double *U, uint64_t seed, uint64_t stream,
                               size_t first, double *y)
{
    double e[BLNI_NOISE_CHUNK];
    bln_rng rng;
    bln_rng_seed(&rng, seed, stream);
    bln_rng_normals(&rng, 0, e);                  /* where the normals of the weights are */
    bln_rng_normals(&rng, 0, e);
    const uint64_t noise = bln_rng_next(&rng);
    for (size_t i = 0; i < data->n;) {
        const size_t chunk = (first + i)/BLNI_NOISE_CHUNK, skip = (first + i)%BLNI_NOISE_CHUNK;
        const size_t now = blni_min(BLNI_NOISE_CHUNK - skip, data->n - i);
        bln_rng_seed(&rng, noise, chunk);
        bln_rng_normals(&rng, skip + now, e);
        for (size_t j = 0; j < now; j++, i++)
            for (size_t q = p; q < P; q++)
                y[i*P + q] += U[q]*sqrt(data->noise_var ? data->noise_var[i] : 1.0)*e[skip + j];
    }
}

BLN_API bln_status bln_slm_sample(const bln_slm *slm, const bln_slm_draws *draws, const bln_data *data, double *out, double *prior,
                                  size_t ldo, double *work, bln_report *report)
{
    double *own;
    bln_report_clear(report);
    if (!slm || !draws || !data || (!out && data->n))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: NULL argument");
    bln_status status = blni_draw_ready(slm, report);
    if (status == BLN_OK) status = blni_draw_proper(slm, prior, report);
    if (status != BLN_OK) return status;
    if (!blni_slm_fits(bln_slm_basis(slm), data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    const size_t P = slm->result.P, values = blni_mul(data->n, P);
    if (ldo == 0) ldo = values;
    if (ldo < values) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: row stride of the draws below n");
    status = blni_slm_check_rows(slm, data, report);
    if (status != BLN_OK) return status;
    const bln_slm_draws d = blni_draws_defaults(draws);
    const size_t doubles = bln_slm_sample_work(slm, &d, prior != NULL);
    status = blni_draw_workspace(slm, doubles, &work, &own, report);
    if (status != BLN_OK) return status;
    blni_arena a = blni_arena_over(work, 0);
    const blni_draw_pieces w = blni_draw_carve(&a, slm, d.n, prior != NULL);
    status = blni_draw_weights(slm, &d, &w, w.W, w.prior, P*slm->result.base.D, report);
    if (status == BLN_OK) blni_draw_functions(slm, data, &w, d.n, out, prior, ldo);
    for (size_t r = 0; r < d.n && d.noise && data->n && status == BLN_OK; r++)
        for (size_t p = 0; p < P; p++)
            blni_draw_noise(data, P, p, w.U + p*P, blni_draw_seed(d.seed, p), d.stream + r, d.first_row, out + r*ldo);
    blni_release(&slm->alloc, own, doubles*sizeof(double));
    if (status != BLN_OK) return status;
    for (size_t r = 0; r < d.n; r++)
        for (size_t i = 0; i < values; i++)
            if (!blni_finite(out[r*ldo + i]) || (prior && !blni_finite(prior[r*ldo + i])))
                return blni_fail(report, BLN_ENUMERIC, i/P, BLN_NONE, "slm: a draw overflows");
    return BLN_OK;
}

BLN_API size_t bln_slm_predict_gradient_work(const bln_slm *slm)
{
    const bln_gaussian *g = bln_slm_posterior(slm);
    return g ? bln_predict_gradient_work(bln_slm_basis(slm), g, slm->desc.block) : 0;
}

BLN_API bln_status bln_slm_predict_gradient(const bln_slm *slm, const bln_data *data, double *dmean, double *dvar, size_t lddx,
                                            double *work, bln_report *report)
{
    double *own;
    bln_report_clear(report);
    if (!slm || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: model or data is NULL");
    bln_status status = blni_draw_ready(slm, report);
    if (status != BLN_OK) return status;
    const bln_basis *b = bln_slm_basis(slm);
    const size_t d = data->d, P = slm->result.P, slopes = blni_mul(P, d);
    if (!blni_slm_fits(b, d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm: data have another number of columns than the basis");
    if (lddx == 0) lddx = slopes;
    if (lddx < slopes) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm: row stride of the gradients below d");
    status = blni_data_check_from(data, 0, 0, report);
    if (status != BLN_OK) return status;
    const size_t doubles = bln_slm_predict_gradient_work(slm);
    status = blni_draw_workspace(slm, doubles, &work, &own, report);
    if (status != BLN_OK) return status;
    for (size_t p = P; p-- > 0 && status == BLN_OK;)          /* dvar of the first output, of which those of others are multiples */
        status = bln_predict_gradient(b, bln_slm_theta(slm), p ? &slm->result.posterior[p] : &slm->result.base, data->n, data->X,
                                      blni_ldx(data), slm->desc.block, dmean ? dmean + p*d : NULL, p ? NULL : dvar, lddx, work);
    blni_release(&slm->alloc, own, doubles*sizeof(double));
    if (status != BLN_OK)
        return blni_fail(report, status, BLN_NONE, BLN_NONE, "slm: the basis, or a part of it, has no pullback to its inputs");
    for (size_t i = 0; i < data->n; i++)
        for (size_t j = slopes; j-- > 0;) {
            if (dvar && b->d) dvar[i*lddx + j] = blni_result_ratio(&slm->result, j/d, j/d)*dvar[i*lddx + j%d];
            if (b->d == 0 && dmean) dmean[i*lddx + j] = 0.0;                 /* features that read no inputs */
            if (b->d == 0 && dvar)  dvar[i*lddx + j] = 0.0;
            if ((dmean && !blni_finite(dmean[i*lddx + j])) || (dvar && !blni_finite(dvar[i*lddx + j])))
                return blni_fail(report, BLN_ENUMERIC, i, j%d, "slm: a slope overflows");
        }
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/model/slm_file.c */
/* slm_file: a fitted model as bytes. Content of the section "SLM " of a model file, version 1 or 2 (conventions in >>modelfile):
 *
 *     str        basis: name, then what that basis writes (src/basis)
 *     u64 x 3    D, P, n_theta: features, prior variances (one for each slice, or D), basis parameters
 *     u64        form of the posterior: 0 factor, 1 low rank, 2 factor with standard deviations; in version 2 with 4 more
 *     u64        k: rows of R (1 <= k < D in low-rank form, else D)
 *     u64 x 3    version 2: P' outputs, kind of Sigma (0 diagonal, 1 full, 2 shared), 1 if prior variances are ratios
 *     f64        noise variance (1 where prior variances are ratios);   f64 log evidence;   f64 N: sum of the weights of the rows
 *     f64 ...    version 2: the upper triangle of Sigma, row by row
 *     f64 x P  prior variances;   f64 x n_theta  basis parameters;   f64 x P' D  m;   f64 x D  s, for the noise variance above
 *     f64 x P' D standard deviations of the weights, in form 2 only
 *     f64 ...    R: the upper triangle row by row (factor), or k x D (low rank)
 *
 * Version 1 is one output with an absolute prior variance (P' = 1, Sigma the noise variance), and is written for these still. */

/* Row i of a triangular R begins at its diagonal. */
BLNI_PRIV size_t blni_gaussian_row_start(const bln_gaussian *g, size_t i) { return g->form == BLN_GAUSSIAN_LOWRANK ? 0 : i; }

/* The version of the content that describes this model. */
BLNI_PRIV uint32_t blni_slm_file_version(const bln_slm *slm)
{
    return slm->desc.n_outputs > 1 || slm->desc.relative_prior ? 2 : 1;
}

BLNI_PRIV void blni_slm_put_outputs(const bln_slm *slm, bln_writer *w)
{
    bln_put_u64(w, slm->desc.n_outputs);
    bln_put_u64(w, (uint64_t)slm->desc.sigma);
    bln_put_u64(w, slm->desc.relative_prior != 0);
}

BLN_API bln_status bln_slm_save(const bln_slm *slm, bln_writer *w)
{
    if (!slm || !w) return BLN_EINVAL;
    if (!slm->fitted) return BLN_ESTATE;
    const bln_basis *b = slm->desc.basis;
    const bln_gaussian *g = &slm->result.base;
    const size_t P = slm->result.P;
    const int second = blni_slm_file_version(slm) == 2;
    bln_basis_save(b, w);
    bln_put_u64(w, b->D);
    bln_put_u64(w, blni_priors(b, slm->desc.per_weight));
    bln_put_u64(w, b->n_theta);
    bln_put_u64(w, (slm->result.has_sd ? 2u : g->form == BLN_GAUSSIAN_LOWRANK) + (second ? 4u : 0u));
    bln_put_u64(w, g->k);
    if (second) blni_slm_put_outputs(slm, w);
    bln_put_double(w, slm->result.hyper.noise_var);
    bln_put_double(w, slm->result.evidence);
    bln_put_double(w, slm->result.rows);
    for (size_t p = 0; p < P && second; p++) bln_put_doubles(w, P - p, slm->result.cov + p*P + p);
    bln_put_doubles(w, blni_priors(b, slm->desc.per_weight), slm->result.hyper.prior_var);
    bln_put_doubles(w, b->n_theta, slm->result.hyper.theta);
    bln_put_doubles(w, P*g->D, slm->result.m);
    bln_put_doubles(w, g->D, g->s);
    if (slm->result.has_sd) bln_put_doubles(w, P*g->D, slm->result.sd);
    for (size_t i = 0; i < g->k; i++) {
        const size_t first = blni_gaussian_row_start(g, i);
        bln_put_doubles(w, g->D - first, g->R + i*g->ldr + first);
    }
    return w->status;
}

BLNI_PRIV int blni_all_at_least_zero(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++) if (!(x[i] >= 0.0)) return 0;
    return 1;
}

/* Outputs, Sigma and prior of version 2. */
BLNI_PRIV bln_status blni_slm_read_outputs(bln_reader *r, bln_slm_desc *desc)
{
    const uint64_t P = bln_get_u64(r), sigma = bln_get_u64(r), relative = bln_get_u64(r), left = (r->limit - r->count)/8;
    if (P == 0 || sigma > 2 || relative > 1 || (!relative && (P == 1 || sigma != BLN_SLM_SHARED)))
        return bln_reader_fail(r, BLN_EFORMAT, "model: unknown form of the outputs");
    if (P > left || P > 2*left/P) return bln_reader_fail(r, BLN_EFORMAT, "model: truncated");
    desc->n_outputs = (size_t)P;
    desc->sigma = (bln_slm_sigma)sigma;
    desc->relative_prior = (int)relative;
    return r->status;
}

/* Are the sizes those of the basis, and are that many numbers still to come? Only then is room made for them. */
BLNI_PRIV bln_status blni_slm_read_sizes(const bln_basis *b, bln_reader *r, bln_slm_desc *desc, size_t *k, int *has_sd)
{
    const uint64_t D = b->D;
    const uint64_t features = bln_get_u64(r), priors = bln_get_u64(r), n_theta = bln_get_u64(r);
    if (features != D || (priors != b->n_slices && priors != D) || n_theta != b->n_theta)
        return bln_reader_fail(r, BLN_EFORMAT, "model: sizes are not those of its basis");
    const uint64_t code = bln_get_u64(r), form = code & 3, rows = bln_get_u64(r);
    if (code > 6 || form > 2 || (form != 1 && rows != D) || (form == 1 && (rows == 0 || rows >= D)))
        return bln_reader_fail(r, BLN_EFORMAT, "model: unknown form of the posterior");
    if (code > 3 && blni_slm_read_outputs(r, desc) != BLN_OK) return r->status;
    const uint64_t left = (r->limit - r->count)/8;
    /* No product can overflow: D <= left < 2^61, and the quotient bounds the other factor. */
    if (D > left || rows > 2*left/D || (form == 1 ? rows*D : D*(D + 1)/2) > left || desc->n_outputs > left/D)
        return bln_reader_fail(r, BLN_EFORMAT, "model: truncated");
    desc->per_weight = priors != b->n_slices;
    *k = (size_t)rows;
    *has_sd = form == 2;
    return r->status;
}

/* Sigma, of which a variance may be 0 (a perfect fit); in version 1 it is the noise variance. */
BLNI_PRIV int blni_slm_read_cov(bln_reader *r, int second, blni_slm_result *res)
{
    const size_t P = res->P;
    int good = 1;
    if (!second) res->cov[0] = res->hyper.noise_var;
    for (size_t p = 0; p < P && second; p++) {
        bln_get_doubles(r, P - p, res->cov + p*P + p);
        good = good && blni_all_finite(P - p, res->cov + p*P + p) && res->cov[p*P + p] >= 0.0;
    }
    bln_symmetrise(P, res->cov, P);
    return good;
}

BLNI_PRIV bln_status blni_slm_read_result(const bln_basis *b, size_t priors, int second, bln_reader *r, blni_slm_result *res)
{
    const bln_gaussian *g = &res->base;
    const size_t PD = res->P*b->D;
    int good;
    res->hyper.noise_var = bln_get_double(r);
    res->evidence = bln_get_double(r);
    res->rows = bln_get_double(r);
    good = blni_slm_read_cov(r, second, res);
    bln_get_doubles(r, priors, res->hyper.prior_var);
    bln_get_doubles(r, b->n_theta, res->hyper.theta);
    bln_get_doubles(r, PD, res->m);
    bln_get_doubles(r, b->D, res->s);
    if (res->has_sd) bln_get_doubles(r, PD, res->sd);
    /* A perfect fit has noise variance 0 and evidence infinity; a flat prior has variance infinity. */
    good = good && res->hyper.noise_var >= 0.0 && blni_finite(res->hyper.noise_var) && res->evidence == res->evidence
        && res->rows > 0.0 && blni_finite(res->rows) && blni_all_at_least_zero(priors, res->hyper.prior_var)
        && blni_all_finite(b->n_theta, res->hyper.theta) && blni_all_finite(PD, res->m)
        && blni_all_at_least_zero(b->D, res->s) && blni_all_finite(b->D, res->s)
        && (!res->has_sd || (blni_all_at_least_zero(PD, res->sd) && blni_all_finite(PD, res->sd)));
    for (size_t i = 0; i < g->k; i++) {
        const size_t first = blni_gaussian_row_start(g, i);
        double *row = res->R + i*g->D;
        for (size_t j = 0; j < first; j++) row[j] = 0.0;
        bln_get_doubles(r, g->D - first, row + first);
        good = good && blni_all_finite(g->D - first, row + first) && (g->form != BLN_GAUSSIAN_FACTOR || row[i] > 0.0);
    }
    if (good) blni_result_link(res);
    return good ? r->status : bln_reader_fail(r, BLN_EFORMAT, "model: a number is outside its range");
}

BLN_API bln_status bln_slm_load(const bln_basis_load *context, bln_reader *r, bln_slm **out)
{
    bln_basis_load none;
    bln_basis *basis = NULL;
    bln_slm *slm = NULL;
    bln_slm_desc desc;
    size_t k = 0;
    int has_sd = 0;
    if (!r || !out) return BLN_EINVAL;
    memset(&none, 0, sizeof none);
    if (!context) context = &none;
    bln_status status = bln_basis_load_any(context, r, &basis);
    if (status != BLN_OK) return status;
    memset(&desc, 0, sizeof desc);
    desc.basis = basis;
    desc.alloc = context->alloc;
    desc.fix_theta = !basis->ops->pullback;
    status = bln_slm_create(&desc, &slm, r->report);
    if (status != BLN_OK) {
        bln_basis_free(basis);
        return bln_reader_fail(r, status, "model: cannot be made");
    }
    slm->owned = basis;
    status = blni_slm_read_sizes(basis, r, &slm->desc, &k, &has_sd);
    const size_t priors = blni_priors(basis, slm->desc.per_weight);
    if (status == BLN_OK) {
        status = blni_result_create(&slm->alloc, basis, priors, slm->desc.n_outputs, k, &slm->result, r->report);
        if (status != BLN_OK) bln_reader_fail(r, status, "model: out of memory for the posterior");
    }
    slm->result.has_sd = has_sd;
    if (status == BLN_OK) status = blni_slm_read_result(basis, priors, blni_slm_file_version(slm) == 2, r, &slm->result);
    slm->fitted = status == BLN_OK;
    if (status == BLN_OK) *out = slm;
    else bln_slm_free(slm);
    return status;
}

/* ---------------------------------------------------------------- src/model/slm_integrated.c */
/* slm_integrated: sigma^2 in closed form, variance ratios by quadrature; see the header for the equations.
 *
 * 1. The upper triangle of [G b; b' c] is eliminated once, in three doubles if the statistics are: first the flat features in
 *    order, G_ff = Uf'Uf, then the others with pivoting until nothing is left: what remains of their block is V'V, of y V'z, and
 *    of c rho^2, the residual of least squares. From here on nothing cancels.
 * 2. At each ratio, with S = diag(tau/h) over the features that are not flat,  [I 0; V S z] = Q [R t; 0 e]  by Householder:
 *        R'R = I + S V'V S,   q = rho^2 + e'e,   log|B| - 2 sum log t_i = 2 sum log Uf_ii + 2 sum log R_ii.
 * 3. A linear functional phi'w (a row's features, or a unit vector for one weight) becomes  f = Uf^-T phi_f,
 *    g = (phi_p - W'f)/h  with W = Uf^-T G_fp once, and  x = R^-T (tau g)  at each node: location f'z_f + x't, squared scale in
 *    units of sigma^2 f'f + x'x.  The same work serves predictions and coefficients. */

enum { BLNI_INT_MAX = 3, BLNI_INT_REACH = 80 };

/* ---- the object */

/* A posterior, in one block of its own. Arrays over nodes have room for n_nodes. */
typedef struct blni_int_result {
    void   *block;
    size_t  bytes;
    size_t  D, n_flat, p, rank, dims;          /* features, flat ones, others, rows of V, ratios integrated            */
    size_t *flat, *free_, *slice;              /* indices of the flat features, of the others, and the others' slices  */
    size_t *dim;                               /* dims: the slices that are integrated                                 */
    double *theta, *h, *unit;                  /* n_theta; p: h of the feature's slice; n_slices: h_s                  */
    double *tau0;                              /* n_slices: tau where it is fixed                                      */
    double *Uf, *zf, *W;                       /* n_flat^2, n_flat, n_flat x p                                         */
    double *V, *z;                             /* rank x p (each column over h), rank; room for p rows                 */
    double  N, ld, omega, rho2, half_logdet, nu, evidence;
    size_t  n_nodes;
    double *weight, *q, *tau, *R, *rhs;        /* n_nodes times 1, 1, dims, p x p, p                                   */
} blni_int_result;

struct bln_slm_integrated {
    bln_slm_integrated_desc desc;              /* resolved; theta and ratio point into this block */
    bln_allocator alloc;
    void  *block;
    size_t bytes;
    bln_basis *owned;                          /* the basis, if the model came from a file        */
    blni_int_result result;
    int    fitted;
};

BLNI_PRIV size_t blni_int_dims(const bln_slm_integrated_desc *d)
{
    size_t dims = 0;
    for (size_t s = 0; s < d->basis->n_slices; s++) dims += !d->ratio || d->ratio[s] == 0.0;
    return dims;
}

BLN_API bln_slm_integrated_desc bln_slm_integrated_defaults(const bln_slm_integrated_desc *desc)
{
    static const size_t nodes[BLNI_INT_MAX + 1] = { 96, 96, 48, 24 };
    bln_slm_integrated_desc d;
    memset(&d, 0, sizeof d);
    if (desc) d = *desc;
    if (d.prior_scale == 0.0) d.prior_scale = 10.0;
    if (!d.nodes) d.nodes = nodes[d.basis ? blni_min(blni_int_dims(&d), BLNI_INT_MAX) : 1];
    if (!d.block) d.block = 256;
    return d;
}

BLN_API const char *bln_slm_integrated_check(const bln_slm_integrated_desc *desc)
{
    if (!desc) return "slm_integrated: desc is NULL";
    if (!desc->basis) return "slm_integrated: basis is NULL";
    const char *why = bln_basis_check(desc->basis);
    if (why) return why;
    for (size_t s = 0; desc->ratio && s < desc->basis->n_slices; s++)
        if (!(desc->ratio[s] >= 0.0)) return "slm_integrated: ratios must be >= 0";
    if (blni_int_dims(desc) > BLNI_INT_MAX) return "slm_integrated: more than three ratios to integrate; fix the others";
    for (size_t k = 0; desc->theta && k < desc->basis->n_theta; k++)
        if (!blni_finite(desc->theta[k])) return "slm_integrated: theta must be finite";
    if (!(desc->prior_scale >= 0.0) || !blni_finite(desc->prior_scale))
        return "slm_integrated: prior_scale must be finite and >= 0";
    if (!(desc->noise_a >= 0.0) || !blni_finite(desc->noise_a) || !(desc->noise_b >= 0.0) || !blni_finite(desc->noise_b))
        return "slm_integrated: noise_a and noise_b must be finite and >= 0";
    if (desc->nodes && desc->nodes < 8) return "slm_integrated: at least 8 nodes";
    if (desc->arithmetic != BLN_SLM_ARITHMETIC_AUTO && desc->arithmetic != BLN_SLM_DOUBLE && desc->arithmetic != BLN_SLM_EXACT)
        return "slm_integrated: unknown arithmetic";
    if (!blni_allocator_ok(&desc->alloc)) return "slm_integrated: allocator needs both alloc and release, or neither";
    return NULL;
}

BLNI_PRIV bln_slm_integrated *blni_int_carve(blni_arena *a, const bln_basis *b, double **theta, double **ratio)
{
    bln_slm_integrated *m = (bln_slm_integrated *)blni_carve(a, 1, sizeof *m);
    *theta = blni_carve_doubles(a, b->n_theta);
    *ratio = blni_carve_doubles(a, b->n_slices);
    return m;
}

BLN_API bln_status bln_slm_integrated_create(const bln_slm_integrated_desc *desc, bln_slm_integrated **out, bln_report *report)
{
    double *theta, *ratio;
    bln_report_clear(report);
    const char *why = out ? bln_slm_integrated_check(desc) : "slm_integrated: out is NULL";
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);
    const bln_slm_integrated_desc d = bln_slm_integrated_defaults(desc);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_int_carve(&a, d.basis, &theta, &ratio);
    const size_t bytes = a.used;
    if (bytes == (size_t)-1)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE,
                         "slm_integrated: too large for this machine");
    void *block = blni_alloc(&d.alloc, bytes);
    if (!block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm_integrated: out of memory");
    a = blni_arena_over(block, bytes);
    bln_slm_integrated *m = blni_int_carve(&a, d.basis, &theta, &ratio);
    memset(m, 0, sizeof *m);
    m->desc = d;
    m->alloc = d.alloc;
    m->block = block;
    m->bytes = bytes;
    for (size_t k = 0; k < d.basis->n_theta; k++) {
        bln_param p;
        bln_basis_param(d.basis, k, NULL, &p);
        theta[k] = d.theta ? d.theta[k] : p.start;
    }
    for (size_t s = 0; s < d.basis->n_slices; s++) ratio[s] = d.ratio ? d.ratio[s] : 0.0;
    m->desc.theta = theta;
    m->desc.ratio = ratio;
    *out = m;
    return BLN_OK;
}

BLN_API void bln_slm_integrated_free(bln_slm_integrated *model)
{
    if (!model) return;
    const bln_allocator alloc = model->alloc;
    blni_release(&alloc, model->result.block, model->result.bytes);
    bln_basis_free(model->owned);
    blni_release(&alloc, model->block, model->bytes);
}

/* ---- step 1: elimination */

/* What a fit needs for a while. A or A3: (D+1)^2, upper triangle; Q: (rank + p) rows; room for D of each. */
typedef struct blni_int_work {
    size_t  D1;
    double *A;
    bln_exact *A3;
    int    *done;                 /* D: eliminated                                 */
    double *raw;                  /* D: the diagonal of G                          */
    double *Q, *T;                /* rank x (p+1): [V S z];  p x (p+1): [R t]      */
    double *level;                /* nodes^dims: log integrand times the weight    */
    size_t  n_level, evaluations;
    double  centre[BLNI_INT_MAX], width[BLNI_INT_MAX], low[BLNI_INT_MAX], high[BLNI_INT_MAX];
    const bln_slm_integrated_desc *desc;
    blni_int_result *r;
} blni_int_work;

BLNI_PRIV double blni_int_entry(const blni_int_work *w, size_t i, size_t j)
{
    const size_t k = i < j ? i*w->D1 + j : j*w->D1 + i;
    return w->A3 ? bln_exact_double(w->A3[k]) : w->A[k];
}

/* Row `pivot` of the factor over all columns that are left goes to row[0..D]; the others are updated. */
BLNI_PRIV void blni_int_eliminate(blni_int_work *w, size_t pivot, double *row)
{
    const size_t D1 = w->D1, pp = pivot*D1 + pivot;
    w->done[pivot] = 1;
    const double root = w->A3 ? 0.0 : sqrt(w->A[pp]);
    const bln_exact root3 = w->A3 ? bln_exact_sqrt(w->A3[pp]) : bln_exact_of(0.0);
    for (size_t j = 0; j < D1; j++) {
        const size_t k = j < pivot ? j*D1 + pivot : pivot*D1 + j;
        row[j] = 0.0;
        if (j == pivot) row[j] = w->A3 ? bln_exact_double(root3) : root;
        else if (j < D1 - 1 && w->done[j]) continue;
        else if (w->A3) row[j] = bln_exact_double(w->A3[k] = bln_exact_div(w->A3[k], root3));
        else row[j] = w->A[k] /= root;
    }
    for (size_t i = 0; i < D1; i++) {
        if (i < D1 - 1 && w->done[i]) continue;
        const size_t ki = i < pivot ? i*D1 + pivot : pivot*D1 + i;
        for (size_t j = i; j < D1; j++) {
            if (j < D1 - 1 && w->done[j]) continue;
            const size_t kj = j < pivot ? j*D1 + pivot : pivot*D1 + j;
            if (w->A3) w->A3[i*D1 + j] = blni_exact_less(w->A3[i*D1 + j], w->A3[ki], w->A3[kj]);
            else       w->A[i*D1 + j] -= w->A[ki]*w->A[kj];
        }
    }
}

/* h_s, from the diagonal as the flat features left it. */
BLNI_PRIV void blni_int_units(const blni_int_work *w, double noise)
{
    blni_int_result *r = w->r;
    const bln_basis *b = w->desc->basis;
    for (size_t s = 0; s < b->n_slices; s++) {
        const size_t first = bln_basis_slice(b, s), last = bln_basis_slice(b, s + 1);
        double sum = 0.0;
        for (size_t i = first; i < last; i++) {
            const double left = blni_flat(w->desc->ratio[s]) ? 0.0 : blni_int_entry(w, i, i);
            const double of = left > noise*w->raw[i] ? left : w->raw[i];
            sum += of > 0.0 ? of/r->omega : 1.0;
        }
        r->unit[s] = sqrt(sum/(double)(last - first));
        r->tau0[s] = blni_flat(w->desc->ratio[s]) ? HUGE_VAL : r->unit[s]*sqrt(w->desc->ratio[s]);
    }
}

BLNI_PRIV bln_status blni_int_reduce(blni_int_work *w, bln_report *report)
{
    blni_int_result *r = w->r;
    const size_t D = r->D, p = r->p, nf = r->n_flat;
    const double noise = w->A3 ? BLNI_EXACT_DEPENDENT : 8.0*(double)w->D1*DBL_EPSILON, c = blni_int_entry(w, D, D);
    double *row = w->Q, *room = w->T;                                 /* free until step 2: D+1 and 2 D doubles */
    size_t n = 0;
    for (size_t i = 0; i < D; i++) { w->raw[i] = blni_int_entry(w, i, i); w->done[i] = 0; }
    r->half_logdet = 0.0;
    for (; n < nf; n++) {
        const size_t f = r->flat[n];
        const double pivot = blni_int_entry(w, f, f);
        if (!(pivot > (w->A3 ? noise*w->raw[f] : 0.0)) || !blni_finite(pivot)) break;
        blni_int_eliminate(w, f, row);
        for (size_t j = 0; j < nf; j++) r->Uf[n*nf + j] = row[r->flat[j]];
        for (size_t j = 0; j < p; j++)  r->W[n*p + j] = row[r->free_[j]];
        r->zf[n] = row[D];
        r->half_logdet += log(row[f]);
    }
    if (!w->A3) n = blni_flat_dependent(n, r->Uf, nf, NULL, r->N, room, room + D);
    if (n < nf) return blni_fail(report, BLN_ENOTPD, BLN_NONE, r->flat[n], BLNI_COLLINEAR);
    blni_int_units(w, noise);
    for (size_t j = 0; j < p; j++) r->h[j] = r->unit[r->slice[j]];
    for (r->rank = 0; r->rank < p; r->rank++) {
        size_t best = D;
        double most = noise;
        for (size_t j = 0; j < p; j++) {
            const size_t i = r->free_[j];
            if (w->done[i] || !(blni_int_entry(w, i, i) > most*w->raw[i])) continue;
            best = i;
            most = blni_int_entry(w, i, i)/w->raw[i];
        }
        if (best == D) break;
        blni_int_eliminate(w, best, row);
        for (size_t j = 0; j < p; j++) r->V[r->rank*p + j] = row[r->free_[j]]/r->h[j];
        r->z[r->rank] = row[D];
    }
    r->rho2 = blni_int_entry(w, D, D);
    if (!(r->rho2 > (w->A3 ? BLNI_EXACT_ZERO : noise)*c)) r->rho2 = 0.0;
    if (!blni_finite(c) || !blni_finite(r->half_logdet))
        return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "slm_integrated: sums of squares overflow; scale the data");
    return BLN_OK;
}

/* ---- step 2: one ratio */

/* tau of feature j's slice, those integrated from tau[]. */
BLNI_PRIV double blni_int_tau(const blni_int_result *r, const double *tau, size_t j)
{
    for (size_t s = 0; s < r->dims; s++) if (r->dim[s] == r->slice[j]) return tau[s];
    return r->tau0[r->slice[j]];
}

/* e'e of step 2 as |z - V S w|^2 + |w|^2, w = R^-1 t: unlike what Householder leaves in e itself, the second term keeps its digits
 * when tau is large and z is fitted almost wholly. */
BLNI_PRIV double blni_int_residual(blni_int_work *w, const double *tau)
{
    const blni_int_result *r = w->r;
    const size_t p = r->p, p1 = p + 1;
    double *x = w->raw, sum = 0.0;                            /* raw is free after step 1 */
    for (size_t j = p; j-- > 0;) {
        double t = w->T[j*p1 + p];
        for (size_t c = j + 1; c < p; c++) t -= w->T[j*p1 + c]*x[c];
        x[j] = t/w->T[j*p1 + j];
    }
    for (size_t j = 0; j < p; j++) sum += x[j]*x[j];
    for (size_t j = 0; j < p; j++) x[j] *= blni_int_tau(r, tau, j);
    for (size_t i = 0; i < r->rank; i++) {
        const double e = r->z[i] - bln_dot(p, r->V + i*p, x);
        sum += e*e;
    }
    return sum;
}

/* [R t] in T and q, at tau (n_slices are looked up through x of the dims integrated). Returns 2 sum log R_ii. Row j of the identity
 * meets only the rows of V: Householder vectors (1 + beta, column of V), R_jj = -beta, then the row's sign is turned. */
BLNI_PRIV double blni_int_triangle(blni_int_work *w, const double *tau, double *q)
{
    const blni_int_result *r = w->r;
    const size_t p = r->p, p1 = p + 1, k = r->rank;
    double logdet = 0.0;
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < p; j++) w->Q[i*p1 + j] = r->V[i*p + j]*blni_int_tau(r, tau, j);
        w->Q[i*p1 + p] = r->z[i];
    }
    for (size_t j = 0; j < p; j++) {
        double *row = w->T + j*p1, sigma = 0.0;
        for (size_t c = 0; c < p1; c++) row[c] = c == j ? 1.0 : 0.0;
        for (size_t i = 0; i < k; i++) sigma += w->Q[i*p1 + j]*w->Q[i*p1 + j];
        if (!(sigma > 0.0)) continue;
        const double beta = sqrt(1.0 + sigma), v0 = 1.0 + beta, f = v0/beta;
        for (size_t i = 0; i < k; i++) w->Q[i*p1 + j] /= v0;
        for (size_t c = j + 1; c < p1; c++) {
            double dot = row[c];
            for (size_t i = 0; i < k; i++) dot += w->Q[i*p1 + j]*w->Q[i*p1 + c];
            dot *= f;
            row[c] = dot - row[c];
            for (size_t i = 0; i < k; i++) w->Q[i*p1 + c] -= dot*w->Q[i*p1 + j];
        }
        row[j] = beta;
        logdet += log1p(sigma);
    }
    *q = r->rho2 + blni_int_residual(w, tau);
    return logdet;
}

/* log p(y | tau) but for what is the same at every tau. */
BLNI_PRIV double blni_int_likelihood(blni_int_work *w, const double *tau)
{
    double q;
    const double logdet = blni_int_triangle(w, tau, &q);
    w->evaluations++;
    return -0.5*logdet - 0.5*w->r->nu*log(0.5*q + w->desc->noise_b);
}

/* log p(y | tau) + sum log p(tau_s) + x_s, with x = log tau: the integrand over x. */
BLNI_PRIV double blni_int_integrand(blni_int_work *w, const double *x)
{
    double tau[BLNI_INT_MAX] = { 0.0, 0.0, 0.0 }, prior = 0.0;
    const double scale = w->desc->prior_scale;
    for (size_t s = 0; s < w->r->dims; s++) {
        tau[s] = exp(x[s]);
        prior += x[s];
        if (w->desc->log_prior) prior += w->desc->log_prior(w->desc->log_prior_user, w->r->dim[s], tau[s]);
        else prior += log(2.0/(BLNI_PI*scale)) - log1p(tau[s]/scale*(tau[s]/scale));
    }
    if (prior == -HUGE_VAL) return prior;
    return prior + blni_int_likelihood(w, tau);
}

/* ---- the quadrature */

BLNI_PRIV double blni_int_at(blni_int_work *w, const double *x, size_t s, double xs)
{
    double y[BLNI_INT_MAX];
    for (size_t i = 0; i < BLNI_INT_MAX; i++) y[i] = x[i];
    y[s] = xs;
    return blni_int_integrand(w, y);
}

/* Where the integrand, along coordinate s from x, falls by `drop` from `top`: doubling steps, then bisection to 1 %. The outermost
 * such place that a walk in steps of one sees. HUGE_VAL: nowhere within reach. */
BLNI_PRIV double blni_int_fall(blni_int_work *w, const double *x, size_t s, double sign, double top, double drop, double step)
{
    double in = 0.0, out = step;
    const double reach = (double)BLNI_INT_REACH + 20.0;
    while (!(blni_int_at(w, x, s, x[s] + sign*out) < top - drop)) {
        in = out;
        out += step < 1.0 ? (out > 1.0 ? 1.0 : out) : step;
        if (fabs(x[s] + sign*out) > reach && out > reach) return HUGE_VAL;
    }
    for (int i = 0; i < 7; i++) {
        const double middle = 0.5*(in + out);
        if (blni_int_at(w, x, s, x[s] + sign*middle) < top - drop) out = middle; else in = middle;
    }
    return out;
}

/* Maximises along coordinate s: a scan over the whole reach in steps of 1 (the first time), then golden section. */
BLNI_PRIV double blni_int_line(blni_int_work *w, double *x, size_t s)
{
    const double golden = 0.6180339887498949;
    double best = -HUGE_VAL, at = x[s], a, b;
    for (int k = -BLNI_INT_REACH; k <= BLNI_INT_REACH; k++) {
        const double value = blni_int_at(w, x, s, (double)k);
        if (value != value || value == HUGE_VAL) return BLNI_NAN;
        if (value > best) { best = value; at = (double)k; }
    }
    a = at - 1.0;
    b = at + 1.0;
    for (int i = 0; i < 24; i++) {
        const double c = b - golden*(b - a), d = a + golden*(b - a);
        if (blni_int_at(w, x, s, c) > blni_int_at(w, x, s, d)) b = d; else a = c;
    }
    const double middle = 0.5*(a + b), value = blni_int_at(w, x, s, middle);
    if (value > best) { best = value; at = middle; }
    x[s] = at;
    return best;
}

/* Mode by coordinates, and for each the width and the range in u. */
BLNI_PRIV bln_status blni_int_place(blni_int_work *w, bln_report *report)
{
    static const double drops[BLNI_INT_MAX + 1] = { 0.0, 30.0, 23.0, 18.0 };
    const size_t dims = w->r->dims;
    const double drop = drops[dims];
    double x[BLNI_INT_MAX] = { 0.0, 0.0, 0.0 }, top = 0.0;
    for (int sweep = 0; sweep < (dims > 1 ? 4 : 1); sweep++)
        for (size_t s = 0; s < dims; s++) {
            top = blni_int_line(w, x, s);
            if (top != top)
                return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE,
                                 "slm_integrated: log_prior or the evidence is NaN or infinite");
            if (top == -HUGE_VAL)
                return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                                 "slm_integrated: the prior density is 0 wherever it was looked for");
        }
    for (size_t s = 0; s < dims; s++) {
        const double near_low = blni_int_fall(w, x, s, -1.0, top, 2.0, 0.01);
        const double near_high = blni_int_fall(w, x, s, 1.0, top, 2.0, 0.01);
        const double far_low = blni_int_fall(w, x, s, -1.0, top, drop, 1.0);
        const double far_high = blni_int_fall(w, x, s, 1.0, top, drop, 1.0);
        if (!(far_low < HUGE_VAL) || !(far_high < HUGE_VAL))
            return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                             "slm_integrated: the posterior of a variance ratio is improper: its integrand does not fall off");
        w->centre[s] = x[s];
        w->width[s] = 0.5*(near_low + near_high);
        w->low[s] = asinh(-far_low/w->width[s]);
        w->high[s] = asinh(far_high/w->width[s]);
    }
    return BLN_OK;
}

/* Node `index` of the grid: x, and the log of its weight. */
BLNI_PRIV double blni_int_node(const blni_int_work *w, size_t index, double *x)
{
    const size_t n = w->desc->nodes;
    double weight = 1.0;
    for (size_t s = 0; s < w->r->dims; s++) {
        const double step = (w->high[s] - w->low[s])/(double)(n - 1), u = w->low[s] + step*(double)(index % n);
        x[s] = w->centre[s] + w->width[s]*sinh(u);
        weight *= step*w->width[s]*cosh(u);
        index /= n;
    }
    return log(weight);
}

/* Fills w->level; returns its maximum. */
BLNI_PRIV double blni_int_grid(blni_int_work *w)
{
    double x[BLNI_INT_MAX] = { 0.0, 0.0, 0.0 }, top = -HUGE_VAL;
    for (size_t k = 0; k < w->n_level; k++) {
        const double weight = blni_int_node(w, k, x), value = weight + blni_int_integrand(w, x);
        if (value != value || value == HUGE_VAL) return BLNI_NAN;
        w->level[k] = value;
        if (value > top) top = value;
    }
    return top;
}

/* ---- the fit */

BLNI_PRIV void blni_int_result_carve(blni_arena *a, const bln_basis *b, size_t nodes, blni_int_result *r)
{
    const size_t p = r->p, f = r->n_flat;
    r->flat   = (size_t *)blni_carve(a, f, sizeof(size_t));
    r->free_  = (size_t *)blni_carve(a, p, sizeof(size_t));
    r->slice  = (size_t *)blni_carve(a, p, sizeof(size_t));
    r->dim    = (size_t *)blni_carve(a, r->dims, sizeof(size_t));
    r->theta  = blni_carve_doubles(a, b->n_theta);
    r->h      = blni_carve_doubles(a, p);
    r->unit   = blni_carve_doubles(a, b->n_slices);
    r->tau0   = blni_carve_doubles(a, b->n_slices);
    r->Uf     = blni_carve_doubles(a, blni_mul(f, f));
    r->zf     = blni_carve_doubles(a, f);
    r->W      = blni_carve_doubles(a, blni_mul(f, p));
    r->V      = blni_carve_doubles(a, blni_mul(p, p));
    r->z      = blni_carve_doubles(a, p);
    r->weight = blni_carve_doubles(a, nodes);
    r->q      = blni_carve_doubles(a, nodes);
    r->tau    = blni_carve_doubles(a, blni_mul(nodes, r->dims));
    r->R      = blni_carve_doubles(a, blni_mul(nodes, blni_mul(p, p)));
    r->rhs    = blni_carve_doubles(a, blni_mul(nodes, p));
}

/* A result with room for `nodes`; what is in `from` (same sizes; may be NULL) is taken over. */
BLNI_PRIV bln_status blni_int_result_new(const bln_slm_integrated *m, size_t nodes, blni_int_result *r, const blni_int_result *from,
                                         bln_report *report)
{
    const bln_basis *b = m->desc.basis;
    blni_arena a = blni_arena_over(NULL, 0);
    if (from) *r = *from;
    blni_int_result_carve(&a, b, nodes, r);
    r->bytes = a.used;
    if (r->bytes == (size_t)-1)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "slm_integrated: too large for this machine");
    r->block = blni_alloc(&m->alloc, r->bytes);
    if (!r->block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm_integrated: out of memory");
    a = blni_arena_over(r->block, r->bytes);
    blni_int_result_carve(&a, b, nodes, r);
    r->n_nodes = nodes;
    if (!from) return BLN_OK;
    const size_t p = r->p, f = r->n_flat;
    memcpy(r->flat, from->flat, f*sizeof *r->flat);
    memcpy(r->free_, from->free_, p*sizeof *r->free_);
    memcpy(r->slice, from->slice, p*sizeof *r->slice);
    memcpy(r->dim, from->dim, r->dims*sizeof *r->dim);
    memcpy(r->theta, from->theta, b->n_theta*sizeof(double));
    memcpy(r->h, from->h, p*sizeof(double));
    memcpy(r->unit, from->unit, b->n_slices*sizeof(double));
    memcpy(r->tau0, from->tau0, b->n_slices*sizeof(double));
    memcpy(r->Uf, from->Uf, f*f*sizeof(double));
    memcpy(r->zf, from->zf, f*sizeof(double));
    memcpy(r->W, from->W, f*p*sizeof(double));
    memcpy(r->V, from->V, p*p*sizeof(double));
    memcpy(r->z, from->z, p*sizeof(double));
    return BLN_OK;
}

/* Which features are flat, which are not, and which ratios are integrated. */
BLNI_PRIV void blni_int_sort(const bln_slm_integrated_desc *d, blni_int_result *r, int write)
{
    size_t f = 0, p = 0, dims = 0;
    for (size_t s = 0; s < d->basis->n_slices; s++) {
        const int flat = blni_flat(d->ratio[s]);
        if (d->ratio[s] == 0.0) { if (write) r->dim[dims] = s; dims++; }
        for (size_t i = bln_basis_slice(d->basis, s); i < bln_basis_slice(d->basis, s + 1); i++) {
            if (flat) { if (write) r->flat[f] = i; f++; continue; }
            if (write) { r->free_[p] = i; r->slice[p] = s; }
            p++;
        }
    }
    r->n_flat = f;
    r->p = p;
    r->dims = dims;
}

/* Node i of the result <- R, t, q at x. */
BLNI_PRIV void blni_int_keep(blni_int_work *w, blni_int_result *r, size_t i, const double *x, double weight)
{
    const size_t p = r->p;
    double tau[BLNI_INT_MAX] = { 0.0, 0.0, 0.0 };
    for (size_t s = 0; s < r->dims; s++) r->tau[i*r->dims + s] = tau[s] = exp(x[s]);
    blni_int_triangle(w, tau, r->q + i);
    for (size_t j = 0; j < p; j++) {
        memcpy(r->R + (i*p + j)*p, w->T + j*(p + 1), p*sizeof(double));
        r->rhs[i*p + j] = w->T[j*(p + 1) + p];
    }
    r->weight[i] = weight;
}

/* log p(y) but for the integral. */
BLNI_PRIV double blni_int_constant(const blni_int_result *r, const bln_slm_integrated_desc *d)
{
    double prior = 0.0;
    if (d->noise_a > 0.0 && d->noise_b > 0.0) prior = d->noise_a*log(d->noise_b) - bln_lgamma(d->noise_a);
    return -0.5*((r->N - (double)r->n_flat)*BLNI_LOG_2PI - r->ld) - r->half_logdet + bln_lgamma(0.5*r->nu) + prior;
}

/* sigma^2 = 0: the weights of least squares for certain, as the limit of tau -> infinity. */
BLNI_PRIV bln_status blni_int_perfect(blni_int_work *w, const bln_slm_integrated *m, blni_int_result *out, bln_report *report)
{
    blni_int_result *r = w->r;
    if (r->rank < r->p)
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                             "slm_integrated: a perfect fit that leaves weights undetermined");
    const bln_status status = blni_int_result_new(m, 1, out, r, report);
    if (status != BLN_OK) return status;
    const double x[BLNI_INT_MAX] = { 37.0, 37.0, 37.0 };       /* e^37 > 1/eps: the prior is below rounding */
    blni_int_keep(w, out, 0, x, 1.0);
    out->q[0] = 0.0;
    out->evidence = HUGE_VAL;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_int_solve(blni_int_work *w, const bln_slm_integrated *m, blni_int_result *out, bln_report *report)
{
    blni_int_result *r = w->r;
    double x[BLNI_INT_MAX] = { 0.0, 0.0, 0.0 }, zz = 0.0, top, sum = 0.0;
    bln_status status = blni_int_reduce(w, report);
    if (status != BLN_OK) return status;
    for (size_t i = 0; i < r->rank; i++) zz += r->z[i]*r->z[i];
    /* Without residual the integrand grows like tau^(nu - rank), unless fixed ratios leave one. */
    int all = 1;
    for (size_t j = 0; j < r->p; j++) all = all && m->desc.ratio[r->slice[j]] == 0.0;
    if (m->desc.noise_b == 0.0 && ((r->rho2 == 0.0 && all && r->nu > (double)r->rank) || r->rho2 + zz == 0.0))
        return blni_int_perfect(w, m, out, report);
    if (r->dims) {
        status = blni_int_place(w, report);
        if (status != BLN_OK) return status;
    }
    top = blni_int_grid(w);
    if (!blni_finite(top))
        return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE,
                         "slm_integrated: the evidence overflows; scale the data");
    size_t kept = 0;
    for (size_t k = 0; k < w->n_level; k++) {
        sum += exp(w->level[k] - top);
        kept += w->level[k] - top > -37.0;
    }
    status = blni_int_result_new(m, kept, out, r, report);
    if (status != BLN_OK) return status;
    out->evidence = top + log(sum) + blni_int_constant(r, &m->desc);
    kept = 0;
    for (size_t k = 0; k < w->n_level; k++) {
        if (!(w->level[k] - top > -37.0)) continue;
        blni_int_node(w, k, x);
        blni_int_keep(w, out, kept++, x, exp(w->level[k] - top)/sum);
    }
    return BLN_OK;
}

BLNI_PRIV void blni_int_work_carve(blni_arena *a, size_t D, int exact, blni_int_work *w)
{
    w->A3    = exact ? (bln_exact *)blni_carve(a, blni_mul(w->D1, w->D1), sizeof(bln_exact)) : NULL;
    w->A     = exact ? NULL : blni_carve_doubles(a, blni_mul(w->D1, w->D1));
    w->done  = (int *)blni_carve(a, D, sizeof(int));
    w->raw   = blni_carve_doubles(a, D);
    w->Q     = blni_carve_doubles(a, blni_mul(w->D1, w->D1));
    w->T     = blni_carve_doubles(a, blni_mul(D, w->D1));
    w->level = blni_carve_doubles(a, w->n_level);
}

BLNI_PRIV bln_status blni_int_run(const bln_slm_integrated *m, const bln_statistics *t, blni_int_result *shell,
                                  blni_int_result *out, bln_report *report)
{
    const size_t D = t->gram.D;
    blni_int_work w;
    memset(&w, 0, sizeof w);
    w.desc = &m->desc;
    w.r = shell;
    w.D1 = D + 1;
    w.n_level = 1;
    for (size_t s = 0; s < shell->dims; s++) w.n_level = blni_mul(w.n_level, m->desc.nodes);
    blni_arena a = blni_arena_over(NULL, 0);
    blni_int_work_carve(&a, D, t->gram.exact, &w);
    const size_t bytes = a.used;
    if (bytes == (size_t)-1)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE,
                         "slm_integrated: too large for this machine");
    void *block = blni_alloc(&m->alloc, bytes);
    if (!block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm_integrated: out of memory");
    a = blni_arena_over(block, bytes);
    blni_int_work_carve(&a, D, t->gram.exact, &w);
    if (w.A3) memcpy(w.A3, t->gram.G3, w.D1*w.D1*sizeof *w.A3);
    else      memcpy(w.A, t->gram.G, w.D1*w.D1*sizeof *w.A);
    const bln_status status = blni_int_solve(&w, m, out, report);
    blni_release(&m->alloc, block, bytes);
    if (report) report->evaluations = w.evaluations;
    return status;
}

BLN_API bln_status bln_slm_integrated_fit_statistics(bln_slm_integrated *model, const bln_statistics *t, bln_report *report)
{
    blni_int_result shell, result;
    bln_report_clear(report);
    if (!model || !t) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm_integrated: model or statistics is NULL");
    if (!blni_statistics_of(t, model->desc.basis))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm_integrated: the statistics are of another basis");
    if (t->gram.P != 1)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm_integrated: the statistics are of several outputs");
    if (!(t->gram.N > 0.0)) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm_integrated: the statistics hold no rows");
    memset(&shell, 0, sizeof shell);
    memset(&result, 0, sizeof result);
    blni_int_sort(&model->desc, &shell, 0);
    shell.D = t->gram.D;
    shell.N = t->gram.N;
    shell.ld = t->gram.ld;
    shell.omega = t->gram.omega;
    shell.nu = shell.N - (double)shell.n_flat + 2.0*model->desc.noise_a;
    if (!(shell.nu > 1e-9*shell.N))
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE,
                             "slm_integrated: no more rows than weights with a flat prior: nothing "
                         "tells the noise variance; give it a prior");
    bln_status status = blni_int_result_new(model, 0, &shell, NULL, report);
    if (status != BLN_OK) return status;
    blni_int_sort(&model->desc, &shell, 1);
    for (size_t k = 0; k < t->basis->n_theta; k++) shell.theta[k] = t->theta[k];
    status = blni_int_run(model, t, &shell, &result, report);
    blni_release(&model->alloc, shell.block, shell.bytes);
    if (status != BLN_OK) return status;
    blni_release(&model->alloc, model->result.block, model->result.bytes);
    model->result = result;
    model->fitted = 1;
    if (report) report->objective = result.evidence;
    return BLN_OK;
}

BLN_API bln_status bln_slm_integrated_fit(bln_slm_integrated *model, const bln_data *data, bln_report *report)
{
    bln_statistics_desc desc;
    bln_statistics *t = NULL;
    bln_report_clear(report);
    if (!model || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm_integrated: model or data is NULL");
    memset(&desc, 0, sizeof desc);
    desc.basis = model->desc.basis;
    desc.theta = model->desc.theta;
    desc.exact = model->desc.arithmetic == BLN_SLM_EXACT
              || (model->desc.arithmetic == BLN_SLM_ARITHMETIC_AUTO && desc.basis->D <= BLNI_SLM_EXACT_FEATURES);
    desc.block = blni_min(model->desc.block, blni_max(data->n, 1));
    desc.alloc = model->alloc;
    bln_status status = bln_statistics_create(&desc, &t, report);
    if (status == BLN_OK) status = bln_statistics_add(t, data, report);
    if (status == BLN_OK) status = bln_slm_integrated_fit_statistics(model, t, report);
    bln_statistics_free(t);
    return status;
}

/* ---------------------------------------------------------------- src/model/slm_integrated_predict.c */
/* slm_integrated_predict: what can be asked of the posterior: nodes, mixtures of Student's t for rows and for weights. */

BLNI_PRIV int blni_int_ready(const bln_slm_integrated *m) { return m && m->fitted; }

BLN_API const bln_basis *bln_slm_integrated_basis(const bln_slm_integrated *m) { return m ? m->desc.basis : NULL; }
BLN_API const double *bln_slm_integrated_theta(const bln_slm_integrated *m) { return blni_int_ready(m) ? m->result.theta : NULL; }
BLN_API size_t bln_slm_integrated_nodes(const bln_slm_integrated *m)    { return blni_int_ready(m) ? m->result.n_nodes : 0; }
BLN_API double bln_slm_integrated_rows(const bln_slm_integrated *m)     { return blni_int_ready(m) ? m->result.N : BLNI_NAN; }
BLN_API double bln_slm_integrated_dof(const bln_slm_integrated *m)      { return blni_int_ready(m) ? m->result.nu : BLNI_NAN; }
BLN_API double bln_slm_integrated_evidence(const bln_slm_integrated *m)
{
    return blni_int_ready(m) ? m->result.evidence : BLNI_NAN;
}

BLN_API double bln_slm_integrated_unit(const bln_slm_integrated *m, size_t slice)
{
    return blni_int_ready(m) && slice < m->desc.basis->n_slices ? m->result.unit[slice] : BLNI_NAN;
}

BLN_API bln_status bln_slm_integrated_node(const bln_slm_integrated *m, size_t k, double *weight, double *ratio, double *noise_var)
{
    if (!m || !weight || !noise_var) return BLN_EINVAL;
    if (!m->fitted) return BLN_ESTATE;
    const blni_int_result *r = &m->result;
    if (k >= r->n_nodes) return BLN_EINVAL;
    *weight = r->weight[k];
    *noise_var = (r->q[k] + 2.0*m->desc.noise_b)/r->nu;
    for (size_t s = 0; ratio && s < m->desc.basis->n_slices; s++) ratio[s] = m->desc.ratio[s];
    for (size_t s = 0; ratio && s < r->dims; s++) {
        const double root = r->tau[k*r->dims + s]/r->unit[r->dim[s]];
        ratio[r->dim[s]] = root*root;
    }
    return BLN_OK;
}

/* ---- the mixture: location and scale of each node */

typedef struct blni_int_mixture {
    double nu;                    /* degrees of freedom */
    size_t n;
    const double *weight;
    double *at, *scale;           /* n each */
} blni_int_mixture;

/* P(T <= x) of the mixture, or P(T >= x) for sign = -1, and the density in *pdf (NULL: not wanted). */
BLNI_PRIV double blni_int_cdf(const blni_int_mixture *m, double sign, double x, double *pdf)
{
    double p = 0.0, density = 0.0;
    for (size_t k = 0; k < m->n; k++) {
        const double s = m->scale[k], d = sign*(x - m->at[k]);
        if (!(s > 0.0)) { p += d < 0.0 ? 0.0 : m->weight[k]; continue; }
        p += m->weight[k]*bln_student_cdf(m->nu, d/s);
        if (pdf) density += m->weight[k]*bln_student_pdf(m->nu, d/s)/s;
    }
    if (pdf) *pdf = density;
    return p < 1.0 ? p : 1.0;
}

BLNI_PRIV double blni_int_logpdf(const blni_int_mixture *m, double x)
{
    double top = -HUGE_VAL, sum = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < m->n; k++) {
            const double s = m->scale[k], d = x - m->at[k];
            const double l = s > 0.0 ? log(m->weight[k]) + bln_student_logpdf(m->nu, d/s) - log(s)
                           : d == 0.0 ? HUGE_VAL : -HUGE_VAL;
            if (l == HUGE_VAL) return l;
            if (pass == 0 && l > top) top = l;
            if (pass == 1 && l > -HUGE_VAL) sum += exp(l - top);
        }
    return top > -HUGE_VAL ? top + log(sum) : top;
}

/* Mean of the locations, and sqrt of the mean of scale^2 + spread^2. */
BLNI_PRIV double blni_int_centre(const blni_int_mixture *m, double *spread, double *scale2)
{
    double mean = 0.0, between = 0.0, within = 0.0;
    for (size_t k = 0; k < m->n; k++) mean += m->weight[k]*(m->at[k] - m->at[0]);
    for (size_t k = 0; k < m->n; k++) {
        const double d = m->at[k] - m->at[0] - mean;
        between += m->weight[k]*d*d;
        within += m->weight[k]*m->scale[k]*m->scale[k];
    }
    *spread = between;
    *scale2 = within;
    return m->at[0] + mean;
}

/* The quantile by Newton's method inside a bracket; in the nearer tail, so that it keeps its digits there. */
BLNI_PRIV double blni_int_quantile(const blni_int_mixture *m, double p)
{
    double between, within, pdf;
    const double sign = p > 0.5 ? -1.0 : 1.0, want = p > 0.5 ? 1.0 - p : p, centre = blni_int_centre(m, &between, &within);
    const double unit = sqrt(between + within);
    if (!(unit > 0.0)) return centre;
    /* x: distance from the centre, increasing in probability. */
    double high = 0.0, low = -unit;
    while (blni_int_cdf(m, sign, centre + sign*high, NULL) < want) { low = high; high = high > 0.0 ? 2.0*high : unit; }
    while (blni_int_cdf(m, sign, centre + sign*low, NULL) > want) {
        high = low;
        low = 2.0*low;
        if (!blni_finite(low)) return -sign*HUGE_VAL;
    }
    double x = 0.5*(low + high);
    for (int i = 0; i < 200; i++) {
        const double excess = blni_int_cdf(m, sign, centre + sign*x, &pdf) - want;
        if (excess > 0.0) high = x; else low = x;
        const double tolerance = 4.0*DBL_EPSILON*(fabs(x) + unit), step = excess/pdf;
        if (excess == 0.0 || fabs(step) <= tolerance || high - low <= tolerance) break;
        x = x - step > low && x - step < high ? x - step : 0.5*(low + high);
    }
    return centre + sign*x;
}

/* The mixture of phi'w: locations, and scale = squared scale over sigma^2. f: n_flat, g, x: p doubles. */
BLNI_PRIV void blni_int_functional(const bln_slm_integrated *m, const double *phi, double *f, double *g, double *x, double *at,
                                   double *v)
{
    const blni_int_result *r = &m->result;
    const size_t p = r->p, nf = r->n_flat;
    for (size_t i = 0; i < nf; i++) f[i] = phi[r->flat[i]];
    for (size_t j = 0; j < p; j++) g[j] = phi[r->free_[j]];
    bln_trsv(BLN_TRANS, nf, r->Uf, nf, f);
    if (nf) bln_gemv(BLN_TRANS, nf, p, -1.0, r->W, p, f, 1.0, g);
    const double at0 = bln_dot(nf, f, r->zf), v0 = bln_dot(nf, f, f);
    for (size_t j = 0; j < p; j++) g[j] /= r->h[j];
    for (size_t k = 0; k < r->n_nodes; k++) {
        for (size_t j = 0; j < p; j++) x[j] = g[j]*blni_int_tau(r, r->tau + k*r->dims, j);
        bln_trsv(BLN_TRANS, p, r->R + k*p*p, p, x);
        at[k] = at0 + bln_dot(p, x, r->rhs + k*p);
        v[k] = v0 + bln_dot(p, x, x);
    }
}

/* ---- predictions */

typedef struct blni_int_room { double *Phi, *basis, *f, *g, *x, *at, *v, *scale; } blni_int_room;

BLNI_PRIV void blni_int_room_carve(blni_arena *a, const bln_slm_integrated *m, size_t block, blni_int_room *w)
{
    const blni_int_result *r = &m->result;
    w->Phi   = blni_carve_doubles(a, blni_mul(block, m->desc.basis->D));
    w->basis = blni_carve_doubles(a, bln_basis_work(m->desc.basis, block));
    w->f     = blni_carve_doubles(a, r->n_flat);
    w->g     = blni_carve_doubles(a, r->p);
    w->x     = blni_carve_doubles(a, r->p);
    w->at    = blni_carve_doubles(a, r->n_nodes);
    w->v     = blni_carve_doubles(a, r->n_nodes);
    w->scale = blni_carve_doubles(a, r->n_nodes);
}

BLN_API size_t bln_slm_integrated_predict_work(const bln_slm_integrated *m)
{
    blni_int_room room;
    blni_arena a = blni_arena_over(NULL, 0);
    if (!m) return 0;
    blni_int_room_carve(&a, m, m->desc.block, &room);
    return a.used == (size_t)-1 ? a.used : a.used/sizeof(double) + 1;
}

/* scale[k] of f (noise = 0) or of y. */
BLNI_PRIV void blni_int_scale(const bln_slm_integrated *m, const double *v, double noise, double *scale)
{
    const blni_int_result *r = &m->result;
    for (size_t k = 0; k < r->n_nodes; k++) scale[k] = sqrt((r->q[k] + 2.0*m->desc.noise_b)/r->nu)*sqrt(v[k] + noise);
}

BLNI_PRIV double blni_int_variance(const blni_int_mixture *mix)
{
    double between, within;
    const double nu = mix->nu;
    blni_int_centre(mix, &between, &within);
    if (!(between + within > 0.0)) return 0.0;
    return nu > 2.0 ? between + within*nu/(nu - 2.0) : nu > 1.0 ? HUGE_VAL : BLNI_NAN;
}

BLNI_PRIV int blni_int_row(const bln_slm_integrated *m, const bln_data *data, size_t i, const bln_slm_integrated_outputs *out,
                           const blni_int_room *w)
{
    const blni_int_result *r = &m->result;
    const double noise = data->noise_var ? data->noise_var[i] : 1.0;
    double between, within;
    blni_int_mixture mix;
    mix.nu = r->nu;
    mix.n = r->n_nodes;
    mix.weight = r->weight;
    mix.at = w->at;
    mix.scale = w->scale;
    for (size_t k = 0; k < mix.n; k++) {
        w->at[k] += blni_offset(data, i, 0);
        if (!blni_finite(w->at[k]) || !blni_finite(w->v[k])) return 0;
    }
    blni_int_scale(m, w->v, 0.0, w->scale);
    const double centre = blni_int_centre(&mix, &between, &within);
    if (out->mean) out->mean[i] = r->nu > 1.0 || !(between + within > 0.0) ? centre : BLNI_NAN;
    if (out->var_latent) out->var_latent[i] = blni_int_variance(&mix);
    for (size_t l = 0; out->quantile && out->latent && l < out->n_level; l++)
        out->quantile[i*out->n_level + l] = blni_int_quantile(&mix, out->level[l]);
    blni_int_scale(m, w->v, noise, w->scale);
    if (out->var_total) out->var_total[i] = blni_int_variance(&mix);
    if (out->cdf) out->cdf[i] = blni_int_cdf(&mix, 1.0, blni_y(data, i, 0), NULL);
    if (out->log_density) out->log_density[i] = blni_int_logpdf(&mix, blni_y(data, i, 0));
    for (size_t l = 0; out->quantile && !out->latent && l < out->n_level; l++)
        out->quantile[i*out->n_level + l] = blni_int_quantile(&mix, out->level[l]);
    return 1;
}

BLNI_PRIV bln_status blni_int_levels(size_t n, const double *level, const double *quantile, bln_report *report)
{
    if (n && quantile && !level) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm_integrated: level is NULL");
    for (size_t l = 0; quantile && l < n; l++)
        if (!(level[l] > 0.0 && level[l] < 1.0))
            return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "slm_integrated: levels must be between 0 and 1");
    return BLN_OK;
}

BLN_API bln_status bln_slm_integrated_predict(const bln_slm_integrated *m, const bln_data *data,
                                              const bln_slm_integrated_outputs *out, double *work, bln_report *report)
{
    blni_int_room room;
    bln_report_clear(report);
    if (!m || !data || !out) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "slm_integrated: NULL argument");
    if (!m->fitted) return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "slm_integrated: predict before fit");
    const bln_basis *b = m->desc.basis;
    if (!blni_slm_fits(b, data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE,
                             "slm_integrated: data have another number of columns than the basis");
    if (blni_outputs(data) != 1)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "slm_integrated: the data have several outputs");
    bln_status status = bln_data_check(data, out->cdf || out->log_density, report);
    if (status == BLN_OK) status = blni_int_levels(out->n_level, out->level, out->quantile, report);
    if (status != BLN_OK) return status;
    const size_t bytes = blni_mul(bln_slm_integrated_predict_work(m), sizeof(double));
    double *own = NULL;
    if (!work) {
        work = own = (double *)blni_alloc(&m->alloc, bytes);
        if (!own) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "slm_integrated: out of memory for predictions");
    }
    blni_arena a = blni_arena_over(work, bytes);
    blni_int_room_carve(&a, m, m->desc.block, &room);
    for (size_t i = 0; status == BLN_OK && i < data->n; i++) {
        const size_t in_block = i % m->desc.block;
        if (in_block == 0) {
            const bln_data rows = bln_data_rows(data, i, blni_min(m->desc.block, data->n - i));
            bln_basis_features(b, m->result.theta, rows.n, rows.X, blni_ldx(&rows), room.Phi, b->D, room.basis);
        }
        blni_int_functional(m, room.Phi + in_block*b->D, room.f, room.g, room.x, room.at, room.v);
        if (!blni_int_row(m, data, i, out, &room))
            status = blni_fail(report, BLN_ENUMERIC, i, BLN_NONE, "slm_integrated: the prediction overflows");
    }
    blni_release(&m->alloc, own, bytes);
    return status;
}

BLN_API bln_status bln_slm_integrated_coefficients(const bln_slm_integrated *m, double *mean, double *sd, size_t n_level,
                                                   const double *level, double *quantile)
{
    blni_int_room room;
    blni_int_mixture mix;
    double between, within;
    if (!m) return BLN_EINVAL;
    if (!m->fitted) return BLN_ESTATE;
    const bln_status status = blni_int_levels(n_level, level, quantile, NULL);
    if (status != BLN_OK) return status;
    const blni_int_result *r = &m->result;
    const size_t D = m->desc.basis->D;
    blni_arena a = blni_arena_over(NULL, 0);
    blni_int_room_carve(&a, m, 1, &room);
    const size_t bytes = a.used;
    void *block = blni_alloc(&m->alloc, bytes);
    if (!block) return BLN_ENOMEM;
    a = blni_arena_over(block, bytes);
    blni_int_room_carve(&a, m, 1, &room);
    mix.nu = r->nu;
    mix.n = r->n_nodes;
    mix.weight = r->weight;
    mix.at = room.at;
    mix.scale = room.scale;
    for (size_t j = 0; j < D; j++) {
        for (size_t i = 0; i < D; i++) room.Phi[i] = i == j ? 1.0 : 0.0;
        blni_int_functional(m, room.Phi, room.f, room.g, room.x, room.at, room.v);
        blni_int_scale(m, room.v, 0.0, room.scale);
        const double centre = blni_int_centre(&mix, &between, &within);
        if (mean) mean[j] = r->nu > 1.0 || !(between + within > 0.0) ? centre : BLNI_NAN;
        if (sd) sd[j] = sqrt(blni_int_variance(&mix));
        for (size_t l = 0; quantile && l < n_level; l++) quantile[j*n_level + l] = blni_int_quantile(&mix, level[l]);
    }
    blni_release(&m->alloc, block, bytes);
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/model/slm_integrated_file.c */
/* slm_integrated_file: a fitted model as bytes. Content of the section "INTG" of a model file, version 1 (conventions in
 * >>modelfile):
 *
 *     str        basis: name, then what that basis writes (src/basis)
 *     u64 x 4    D, P, n_theta, K: features, slices, basis parameters, nodes (K >= 1)
 *     f64 x 3    scale of the half-Cauchy prior;  a, b of the inverse gamma prior of sigma^2
 *     f64 x P    ratios: 0 integrated, infinity flat, else fixed; these make the counts: S ratios integrated (S <= 3), F features
 *                in flat slices, E = D - F in the others
 *     f64 x n_theta  basis parameters
 *     f64        N: sum of the weights of the rows;   f64 log evidence
 *     f64 x P    h_s
 *     f64 ...    U_f: upper triangle row by row, F (F+1)/2;   f64 x F  z_f;   f64 x F E  W, row by row
 *     K times:   f64 weight;  f64 q;  f64 x S  tau;  f64 x E (E+1)/2  R, upper triangle row by row;  f64 x E  t
 *
 * U_f, z_f, W, q, R, t as in src/model/slm_integrated.c; the features of flat slices in their order, and so the others. R is kept,
 * not made again from the data's V, so that a loaded model gives the same bits on every machine and costs no more than its file. */

/* R: n x n of stride n, lower triangle 0. */
BLNI_PRIV void blni_int_put_upper(bln_writer *w, size_t n, const double *R)
{
    for (size_t i = 0; i < n; i++) bln_put_doubles(w, n - i, R + i*n + i);
}

BLN_API bln_status bln_slm_integrated_save(const bln_slm_integrated *m, bln_writer *w)
{
    if (!m || !w) return BLN_EINVAL;
    if (!m->fitted) return BLN_ESTATE;
    const bln_basis *b = m->desc.basis;
    const blni_int_result *r = &m->result;
    const size_t p = r->p, f = r->n_flat;
    bln_basis_save(b, w);
    bln_put_u64(w, b->D);
    bln_put_u64(w, b->n_slices);
    bln_put_u64(w, b->n_theta);
    bln_put_u64(w, r->n_nodes);
    bln_put_double(w, m->desc.prior_scale);
    bln_put_double(w, m->desc.noise_a);
    bln_put_double(w, m->desc.noise_b);
    bln_put_doubles(w, b->n_slices, m->desc.ratio);
    bln_put_doubles(w, b->n_theta, r->theta);
    bln_put_double(w, r->N);
    bln_put_double(w, r->evidence);
    bln_put_doubles(w, b->n_slices, r->unit);
    blni_int_put_upper(w, f, r->Uf);
    bln_put_doubles(w, f, r->zf);
    bln_put_doubles(w, f*p, r->W);
    for (size_t k = 0; k < r->n_nodes; k++) {
        bln_put_double(w, r->weight[k]);
        bln_put_double(w, r->q[k]);
        bln_put_doubles(w, r->dims, r->tau + k*r->dims);
        blni_int_put_upper(w, p, r->R + k*p*p);
        bln_put_doubles(w, p, r->rhs + k*p);
    }
    return w->status;
}

BLNI_PRIV int blni_int_all(size_t n, const double *x, double above)
{
    for (size_t i = 0; i < n; i++) if (!(x[i] > above) || !blni_finite(x[i])) return 0;
    return 1;
}

/* Diagonals of Cholesky factors are > 0; those of R, which holds an identity, >= 1. */
BLNI_PRIV int blni_int_get_upper(bln_reader *r, size_t n, double least, double *R)
{
    int good = 1;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) R[i*n + j] = 0.0;
        bln_get_doubles(r, n - i, R + i*n + i);
        good = good && R[i*n + i] > 0.0 && R[i*n + i] >= least && blni_int_all(n - i, R + i*n + i, -HUGE_VAL);
    }
    return good;
}

/* n (n+1)/2; SIZE_MAX on overflow. */
BLNI_PRIV size_t blni_int_upper(size_t n)
{
    const size_t twice = blni_mul(n, n + 1);
    return twice == (size_t)-1 ? twice : twice/2;
}

/* Doubles that follow N: what the counts claim; SIZE_MAX on overflow. */
BLNI_PRIV size_t blni_int_doubles(const bln_basis *b, const blni_int_result *r, size_t nodes)
{
    const size_t p = r->p, f = r->n_flat, node = blni_add(blni_int_upper(p), p + 2 + r->dims);
    const size_t fixed = blni_add(blni_add(blni_int_upper(f), f + b->n_slices), blni_mul(f, p));
    return blni_add(fixed, blni_mul(nodes, node));
}

/* Nodes, each checked as it comes. */
BLNI_PRIV int blni_int_get_nodes(bln_reader *in, blni_int_result *r)
{
    const size_t p = r->p;
    double sum = 0.0;
    int good = 1;
    for (size_t k = 0; k < r->n_nodes && in->status == BLN_OK; k++) {
        r->weight[k] = bln_get_double(in);
        r->q[k] = bln_get_double(in);
        bln_get_doubles(in, r->dims, r->tau + k*r->dims);
        good = good && r->weight[k] > 0.0 && r->q[k] >= 0.0 && blni_finite(r->q[k])
               && blni_int_all(r->dims, r->tau + k*r->dims, 0.0);
        good = blni_int_get_upper(in, p, 1.0, r->R + k*p*p) && good;
        bln_get_doubles(in, p, r->rhs + k*p);
        good = good && blni_int_all(p, r->rhs + k*p, -HUGE_VAL);
        sum += r->weight[k];
    }
    return good && fabs(sum - 1.0) < 1e-6;
}

/* From N on, into a result that has its counts. */
BLNI_PRIV bln_status blni_int_get_result(const bln_slm_integrated *m, bln_reader *in, blni_int_result *r)
{
    const bln_basis *b = m->desc.basis;
    r->evidence = bln_get_double(in);
    bln_get_doubles(in, b->n_slices, r->unit);
    int good = r->evidence == r->evidence && blni_int_all(b->n_slices, r->unit, 0.0);
    good = blni_int_get_upper(in, r->n_flat, 0.0, r->Uf) && good;
    bln_get_doubles(in, r->n_flat, r->zf);
    bln_get_doubles(in, r->n_flat*r->p, r->W);
    good = good && blni_int_all(r->n_flat, r->zf, -HUGE_VAL) && blni_int_all(r->n_flat*r->p, r->W, -HUGE_VAL);
    good = blni_int_get_nodes(in, r) && good;
    if (!good) return bln_reader_fail(in, BLN_EFORMAT, "integrated model: a number is outside its range");
    blni_int_sort(&m->desc, r, 1);
    for (size_t k = 0; k < b->n_theta; k++) r->theta[k] = m->desc.theta[k];
    for (size_t s = 0; s < b->n_slices; s++)
        r->tau0[s] = blni_flat(m->desc.ratio[s]) ? HUGE_VAL : r->unit[s]*sqrt(m->desc.ratio[s]);
    for (size_t j = 0; j < r->p; j++) r->h[j] = r->unit[r->slice[j]];
    return in->status;
}

/* What the description says, up to theta; makes the model, which takes the basis over. */
BLNI_PRIV bln_status blni_int_get_model(const bln_basis_load *context, bln_reader *in, bln_basis *basis, size_t *nodes,
                                        bln_slm_integrated **out)
{
    bln_slm_integrated_desc desc;
    const uint64_t D = bln_get_u64(in), slices = bln_get_u64(in), n_theta = bln_get_u64(in), K = bln_get_u64(in);
    if (in->status != BLN_OK) return in->status;
    if (D != basis->D || slices != basis->n_slices || n_theta != basis->n_theta)
        return bln_reader_fail(in, BLN_EFORMAT, "integrated model: sizes are not those of its basis");
    const uint64_t left = blni_reader_left(in)/8;
    if (K == 0 || (size_t)K != K || K > left || D > left || slices + n_theta > left)
        return bln_reader_fail(in, BLN_EFORMAT, "integrated model: truncated, or without nodes");
    memset(&desc, 0, sizeof desc);
    desc.basis = basis;
    desc.alloc = context->alloc;
    desc.prior_scale = bln_get_double(in);
    desc.noise_a = bln_get_double(in);
    desc.noise_b = bln_get_double(in);
    const size_t bytes = blni_mul(basis->n_slices + basis->n_theta + 1, sizeof(double));
    double *ratio = (double *)blni_alloc(&context->alloc, bytes), *theta = ratio ? ratio + basis->n_slices : NULL;
    if (!ratio) return bln_reader_fail(in, BLN_ENOMEM, "integrated model: out of memory");
    desc.ratio = ratio;
    desc.theta = theta;
    bln_get_doubles(in, basis->n_slices, ratio);
    bln_get_doubles(in, basis->n_theta, theta);
    bln_status status = in->status;
    const char *why = bln_slm_integrated_check(&desc);
    if (status == BLN_OK && (why || !(desc.prior_scale > 0.0)))
        status = bln_reader_fail(in, BLN_EFORMAT, why ? why : "integrated model: a number is outside its range");
    if (status == BLN_OK) {
        status = bln_slm_integrated_create(&desc, out, NULL);
        if (status != BLN_OK) bln_reader_fail(in, status, "integrated model: cannot be made");
    }
    blni_release(&context->alloc, ratio, bytes);
    *nodes = (size_t)K;
    return status;
}

BLN_API bln_status bln_slm_integrated_load(const bln_basis_load *context, bln_reader *in, bln_slm_integrated **out)
{
    bln_basis_load none;
    bln_basis *basis = NULL;
    bln_slm_integrated *m = NULL;
    size_t nodes = 0;
    if (!in || !out) return BLN_EINVAL;
    memset(&none, 0, sizeof none);
    if (!context) context = &none;
    bln_status status = bln_basis_load_any(context, in, &basis);
    if (status != BLN_OK) return status;
    status = blni_int_get_model(context, in, basis, &nodes, &m);
    if (status != BLN_OK) {
        bln_basis_free(basis);
        return status;
    }
    m->owned = basis;
    blni_int_result *r = &m->result;
    blni_int_sort(&m->desc, r, 0);
    r->D = basis->D;
    r->N = bln_get_double(in);
    r->nu = r->N - (double)r->n_flat + 2.0*m->desc.noise_a;
    if (!(r->N > 0.0) || !blni_finite(r->N) || !(r->nu > 0.0) || !blni_finite(r->nu))
        status = bln_reader_fail(in, BLN_EFORMAT, "integrated model: no rows, or fewer than weights with a flat prior");
    else if (blni_int_doubles(basis, r, nodes) > blni_reader_left(in)/8)
        status = bln_reader_fail(in, BLN_EFORMAT, "integrated model: truncated");
    else {
        status = blni_int_result_new(m, nodes, r, NULL, NULL);
        if (status != BLN_OK) bln_reader_fail(in, status, "integrated model: out of memory for the posterior");
    }
    if (status == BLN_OK) status = blni_int_get_result(m, in, r);
    m->fitted = status == BLN_OK;
    if (status == BLN_OK) *out = m;
    else bln_slm_integrated_free(m);
    return status;
}

/* ---------------------------------------------------------------- src/model/sequential.c */
/* sequential: the triangle [U z; 0 rho], a row at a time
 *
 * P holds it, (D+1) x (D+1), in the units of the noise: a row enters as sqrt(omega)/sigma [phi'S, y]. It starts as the prior, 1 on
 * the diagonal of U but for flat weights, and 0. What can fail half way works on a second triangle, which then changes places with
 * the first. */

enum { BLNI_SEQUENTIAL_BLOCK = 64, BLNI_SEQUENTIAL_MANY = 8 };      /* rows: of a block; from which on blocks are faster */

struct bln_sequential {
    const bln_basis *basis;
    bln_allocator    alloc;
    void            *memory;
    size_t           bytes, block;
    size_t           D, n_flat;
    uint64_t         fingerprint;    /* of the basis */
    double           noise_var, N, ld;
    double          *theta;
    double          *s, *penalty;    /* D: prior standard deviations, 1 where the prior is flat; 0 where it is flat, else 1 */
    double          *P, *spare;      /* (D+1) x (D+1): the triangle, and room for another  */
    double          *rows;           /* block x (D+1): features, then [phi'S, y]           */
    double          *x, *p, *m;      /* D + 1, D, D: a row; U^-T S phi; the mean           */
    double          *work;
    int              determined;     /* all flat weights: there is a posterior             */
    bln_gaussian     posterior;
};

BLN_API const char *bln_sequential_check(const bln_sequential_desc *desc)
{
    const char *why;
    if (!desc) return "sequential: desc is NULL";
    if (!desc->basis) return "sequential: basis is NULL";
    why = bln_basis_check(desc->basis);
    if (why) return why;
    if (!(desc->noise_var > 0.0) || !blni_finite(desc->noise_var)) return "sequential: noise_var must be finite and > 0";
    if (!desc->prior_var) return "sequential: prior_var is NULL";
    for (size_t s = 0; s < blni_priors(desc->basis, desc->per_weight); s++)
        if (!(desc->prior_var[s] >= 0.0)) return "sequential: prior variances must be >= 0";
    if (desc->theta && !blni_theta_usable(desc->basis, desc->theta)) return "sequential: theta outside its domain, or not finite";
    if (!blni_allocator_ok(&desc->alloc)) return "sequential: allocator needs both alloc and release, or neither";
    return NULL;
}

/* The struct first; its arrays go into *t, which the counting pass does not have and lends from its caller. */
BLNI_PRIV bln_sequential *blni_sequential_carve(blni_arena *a, const bln_basis *b, size_t block, bln_sequential *t)
{
    const size_t D = b->D, D1 = blni_add(D, 1);
    bln_sequential *carved = (bln_sequential *)blni_carve(a, 1, sizeof *t);
    if (carved) t = carved;
    t->theta   = blni_carve_doubles(a, b->n_theta);
    t->s       = blni_carve_doubles(a, D);
    t->penalty = blni_carve_doubles(a, D);
    t->P       = blni_carve_doubles(a, blni_mul(D1, D1));
    t->spare   = blni_carve_doubles(a, blni_mul(D1, D1));
    t->rows    = blni_carve_doubles(a, blni_mul(block, D1));
    t->x       = blni_carve_doubles(a, D1);
    t->p       = blni_carve_doubles(a, D);
    t->m       = blni_carve_doubles(a, D);
    t->work    = blni_carve_doubles(a, blni_max(bln_basis_work(b, block), blni_max(bln_tpqrt_work(D1, block), blni_mul(2, D))));
    return carved;
}

BLN_API size_t bln_sequential_size(const bln_sequential_desc *desc)
{
    bln_sequential sizes;
    blni_arena a = blni_arena_over(NULL, 0);
    if (!desc || !desc->basis) return (size_t)-1;
    blni_sequential_carve(&a, desc->basis, desc->block ? desc->block : (size_t)BLNI_SEQUENTIAL_BLOCK, &sizes);
    return a.used;
}

/* Are all flat weights determined by [U ...] = P? What is left of a feature after those before it, against all of it. */
BLNI_PRIV int blni_sequential_determined(const bln_sequential *t, const double *P)
{
    const size_t D1 = t->D + 1;
    for (size_t j = 0; j < t->D && t->n_flat; j++)
        if (t->penalty[j] == 0.0 && !(P[j*D1 + j] > 1e-13*blni_qr_norm(j + 1, P + j, D1))) return 0;
    return 1;
}

/* After a change of P: mean and view. */
BLNI_PRIV void blni_sequential_settle(bln_sequential *t)
{
    const size_t D = t->D, D1 = D + 1;
    t->posterior.R = t->P;
    t->determined = blni_sequential_determined(t, t->P);
    if (!t->determined) return;
    for (size_t i = 0; i < D; i++) t->m[i] = t->P[i*D1 + D];
    bln_trsv(BLN_NOTRANS, D, t->P, D1, t->m);
    for (size_t i = 0; i < D; i++) t->m[i] *= t->s[i];
}

/* The spare triangle takes the place of P. */
BLNI_PRIV void blni_sequential_swap(bln_sequential *t)
{
    double *const spare = t->P;
    t->P = t->spare;
    t->spare = spare;
}

BLN_API void bln_sequential_clear(bln_sequential *t)
{
    if (!t) return;
    const size_t D1 = t->D + 1;
    for (size_t i = 0; i < D1*D1; i++) t->P[i] = 0.0;
    for (size_t i = 0; i < t->D; i++) t->P[i*D1 + i] = t->penalty[i];
    t->N = t->ld = 0.0;
    blni_sequential_settle(t);
}

BLN_API bln_status bln_sequential_create(const bln_sequential_desc *desc, bln_sequential **out, bln_report *report)
{
    bln_report_clear(report);
    const char *why = out ? bln_sequential_check(desc) : "sequential: out is NULL";
    if (why) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, why);
    const bln_basis *b = desc->basis;
    const size_t block = desc->block ? desc->block : (size_t)BLNI_SEQUENTIAL_BLOCK, bytes = bln_sequential_size(desc);
    if (bytes == (size_t)-1) return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "sequential: too large for this machine");
    void *memory = blni_alloc(&desc->alloc, bytes);
    if (!memory) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "sequential: out of memory");
    blni_arena a = blni_arena_over(memory, bytes);
    bln_sequential *t = blni_sequential_carve(&a, b, block, NULL);
    t->basis = b;
    t->alloc = desc->alloc;
    t->memory = memory;
    t->bytes = bytes;
    t->block = block;
    t->D = b->D;
    t->fingerprint = bln_basis_fingerprint(b);
    t->n_flat = 0;
    t->noise_var = desc->noise_var;
    for (size_t k = 0; k < b->n_theta; k++) {
        bln_param p;
        bln_basis_param(b, k, NULL, &p);
        t->theta[k] = desc->theta ? desc->theta[k] : p.start;
    }
    for (size_t k = 0; k < blni_priors(b, desc->per_weight); k++)
        for (size_t i = blni_prior_first(b, desc->per_weight, k); i < blni_prior_first(b, desc->per_weight, k + 1); i++) {
            const int flat = blni_flat(desc->prior_var[k]);
            t->s[i] = flat ? 1.0 : sqrt(desc->prior_var[k]);
            t->penalty[i] = flat ? 0.0 : 1.0;
            t->n_flat += (size_t)flat;
        }
    t->posterior.form = BLN_GAUSSIAN_FACTOR;
    t->posterior.D = t->posterior.k = t->D;
    t->posterior.m = t->m;
    t->posterior.s = t->s;
    t->posterior.ldr = t->D + 1;
    bln_sequential_clear(t);
    *out = t;
    return BLN_OK;
}

BLN_API bln_status bln_sequential_create_from(const bln_slm *slm, bln_sequential **out, bln_report *report)
{
    bln_sequential_desc desc;
    bln_report_clear(report);
    if (!slm || !out) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sequential: NULL argument");
    if (!bln_slm_posterior(slm))
        return blni_fail(report, BLN_ESTATE, BLN_NONE, BLN_NONE, "sequential: from a model that is not fitted");
    if (bln_slm_outputs(slm) != 1)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sequential: from a model of several outputs; it has one");
    const double noise_var = bln_slm_noise_var(slm);
    if (!(noise_var > 0.0))
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE, "sequential: from a model without noise, a perfect fit");
    const bln_basis *b = bln_slm_basis(slm);
    const size_t n = blni_priors(b, slm->desc.per_weight);
    double *prior_var = (double *)blni_alloc(&slm->alloc, n*sizeof *prior_var);
    if (!prior_var) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "sequential: out of memory");
    for (size_t s = 0; s < n; s++) prior_var[s] = bln_slm_prior_var(slm)[s]*(slm->desc.relative_prior ? noise_var : 1.0);
    memset(&desc, 0, sizeof desc);
    desc.basis = b;
    desc.noise_var = noise_var;
    desc.prior_var = prior_var;
    desc.per_weight = slm->desc.per_weight;
    desc.theta = b->n_theta ? bln_slm_theta(slm) : NULL;
    desc.block = slm->desc.block;
    desc.alloc = slm->alloc;
    const bln_status status = bln_sequential_create(&desc, out, report);
    blni_release(&slm->alloc, prior_var, n*sizeof *prior_var);
    return status;
}

BLN_API void bln_sequential_free(bln_sequential *t)
{
    if (!t) return;
    const bln_allocator alloc = t->alloc;
    blni_release(&alloc, t->memory, t->bytes);
}

BLN_API const bln_gaussian *bln_sequential_posterior(const bln_sequential *t) { return t && t->determined ? &t->posterior : NULL; }
BLN_API double              bln_sequential_rows(const bln_sequential *t)      { return t ? t->N : BLNI_NAN; }

BLN_API double bln_sequential_evidence(const bln_sequential *t)
{
    if (!t || !t->determined) return BLNI_NAN;
    const size_t D = t->D, D1 = D + 1;
    const double rho = t->P[D*D1 + D];
    return -0.5*((t->N - (double)t->n_flat)*BLNI_LOG_2PI + t->N*log(t->noise_var) - t->ld + bln_logdet_factor(D, t->P, D1)
                 + rho*rho);
}

/* ---- rows */

/* sqrt(omega)/sigma: what a row is multiplied by. */
BLNI_PRIV double blni_sequential_scale(const bln_sequential *t, const bln_data *rows, size_t i)
{
    return sqrt(blni_row_omega(rows, i))/sqrt(t->noise_var);
}

/* t->rows <- [phi'S, y] of the rows. BLN_ENUMERIC when squares, of them or of the scaled row, could overflow in a sum of 1e18;
 * `first`: the number of rows[0] in the report. */
BLNI_PRIV bln_status blni_sequential_features(bln_sequential *t, const bln_data *rows, size_t first, bln_report *report)
{
    const size_t D = t->D, D1 = D + 1;
    bln_basis_features(t->basis, t->theta, rows->n, rows->X, blni_ldx(rows), t->rows, D1, t->work);
    for (size_t i = 0; i < rows->n; i++) {
        double *row = t->rows + i*D1, most = 0.0;
        const double scale = blni_sequential_scale(t, rows, i);
        for (size_t j = 0; j < D; j++) row[j] *= t->s[j];
        row[D] = blni_row_target(rows, i, 0);
        for (size_t j = 0; j <= D; j++) if (!(fabs(row[j]) <= most)) most = fabs(row[j]);
        if (!(most*(scale > 1.0 ? scale : 1.0) < 1e145))
            return blni_fail(report, BLN_ENUMERIC, first + i, BLN_NONE, "sequential: squares of the features or of y overflow");
    }
    return BLN_OK;
}

/* The checks of _add and _remove. *weight: of all rows. */
BLNI_PRIV bln_status blni_sequential_accepts(const bln_sequential *t, const bln_data *data, double *weight, bln_report *report)
{
    bln_report_clear(report);
    if (!t || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sequential: NULL argument");
    if (!blni_slm_fits(t->basis, data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "sequential: data have another number of columns than the basis");
    if (blni_outputs(data) != 1)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "sequential: one output at a time; data have several (p)");
    const bln_status status = bln_data_check(data, 1, report);
    *weight = 0.0;
    for (size_t i = 0; status == BLN_OK && i < data->n; i++) *weight += data->weight ? data->weight[i] : 1.0;
    return status;
}

/* N and ld grow by `sign` times row i's share. */
BLNI_PRIV void blni_sequential_count(bln_sequential *t, double sign, const bln_data *rows, size_t i)
{
    const double w = rows->weight ? rows->weight[i] : 1.0;
    t->N += sign*w;
    if (rows->noise_var) t->ld -= sign*w*log(rows->noise_var[i]);
}

/* What the rows so far say of the row [phi'S, y], see _add: with p = U^-T S phi, phi'm = p'z and phi'C phi = p'p. One solve. */
BLNI_PRIV void blni_sequential_forecast(bln_sequential *t, const bln_data *rows, size_t i, const double *row, double *mean,
                                        double *var, double *logp)
{
    const size_t D = t->D, D1 = D + 1;
    const double w = rows->weight ? rows->weight[i] : 1.0, v = t->noise_var*(rows->noise_var ? rows->noise_var[i] : 1.0);
    double forecast = 0.0;
    if (!t->determined && !(t->determined = blni_sequential_determined(t, t->P))) {
        if (mean) *mean = BLNI_NAN;
        if (var)  *var  = HUGE_VAL;
        if (logp) *logp = BLNI_NAN;
        return;
    }
    memcpy(t->p, row, D*sizeof *t->p);
    bln_trsv(BLN_TRANS, D, t->P, D1, t->p);
    for (size_t j = 0; j < D; j++) forecast += t->p[j]*t->P[j*D1 + D];
    const double latent = bln_dot(D, t->p, t->p), grown = 1.0 + w*(latent/v), r = row[D] - forecast;
    if (mean) *mean = forecast + blni_offset(rows, i, 0);
    if (var)  *var  = latent + v;
    if (logp) *logp = w > 0.0 ? -0.5*(w*(BLNI_LOG_2PI + log(v)) + log(grown) + w*(r/v)*(r/grown)) : 0.0;
}

/* [phi'S, y] at t->x, scaled. */
BLNI_PRIV void blni_sequential_take(bln_sequential *t, const bln_data *rows, size_t i)
{
    const size_t D1 = t->D + 1;
    memcpy(t->x, t->rows + i*D1, D1*sizeof *t->x);
    bln_scal(D1, blni_sequential_scale(t, rows, i), t->x);
}

/* The rows whose features are in t->rows, one by one with forecasts, or at once. */
BLNI_PRIV void blni_sequential_rotate(bln_sequential *t, const bln_data *rows, int one_by_one, double *mean, double *var,
                                      double *logp)
{
    const size_t D = t->D, D1 = D + 1;
    double *rho = t->P + D*D1 + D;
    if (!one_by_one && rows->n >= BLNI_SEQUENTIAL_MANY) {
        for (size_t i = 0; i < rows->n; i++) {
            bln_scal(D1, blni_sequential_scale(t, rows, i), t->rows + i*D1);
            blni_sequential_count(t, 1.0, rows, i);
        }
        bln_tpqrt(D1, rows->n, t->P, D1, t->rows, D1, t->work);
        return;
    }
    for (size_t i = 0; i < rows->n; i++) {
        if (one_by_one)
            blni_sequential_forecast(t, rows, i, t->rows + i*D1, mean ? mean + i : NULL, var ? var + i : NULL,
                                     logp ? logp + i : NULL);
        blni_sequential_take(t, rows, i);
        bln_chud(D, 1, t->P, D1, t->x);
        *rho = hypot(*rho, t->x[D]);
        blni_sequential_count(t, 1.0, rows, i);
    }
}

BLN_API bln_status bln_sequential_add(bln_sequential *t, const bln_data *data, double *mean, double *var, double *logp,
                                      bln_report *report)
{
    double weight;
    const int one_by_one = mean || var || logp;
    bln_status status = blni_sequential_accepts(t, data, &weight, report);
    /* First whether everything stays finite; a single block is then at hand already. */
    for (size_t i = 0; status == BLN_OK && i < data->n; i += t->block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(t->block, data->n - i));
        status = blni_sequential_features(t, &rows, i, report);
    }
    if (status != BLN_OK || data->n == 0) return status;
    for (size_t i = 0; i < data->n; i += t->block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(t->block, data->n - i));
        if (data->n > t->block) blni_sequential_features(t, &rows, i, report);
        blni_sequential_rotate(t, &rows, one_by_one, mean ? mean + i : NULL, var ? var + i : NULL, logp ? logp + i : NULL);
    }
    blni_sequential_settle(t);
    return BLN_OK;
}

/* rho <- sqrt(rho^2 - zeta^2), the root of q without a row. Returns 0, and does nothing, if that is below 0 by more than rounding,
 * or rounding is more than _remove allows. */
BLNI_PRIV int blni_sequential_less(double *rho, double zeta)
{
    const double q = *rho * *rho, left = (*rho - fabs(zeta))*(*rho + fabs(zeta)), lost = 16.0*DBL_EPSILON*q;
    if (!(left >= -lost && lost <= 1e-8*(left > 1.0 ? left : 1.0))) return 0;
    *rho = left > 0.0 ? sqrt(left) : 0.0;
    return 1;
}

/* The row at t->x from t->spare, or 0. */
BLNI_PRIV int blni_sequential_take_out(bln_sequential *t)
{
    const size_t D = t->D, D1 = D + 1;
    return bln_chdd(D, 1, t->spare, D1, t->x, 1e-8, NULL, t->work) == BLN_OK
        && blni_sequential_less(t->spare + D*D1 + D, t->x[D]);
}

BLN_API bln_status bln_sequential_remove(bln_sequential *t, const bln_data *data, bln_report *report)
{
    double weight;
    bln_status status = blni_sequential_accepts(t, data, &weight, report);
    if (status != BLN_OK) return status;
    const size_t D1 = t->D + 1;
    if (weight > t->N*(1.0 + 1e-12))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "sequential: more rows to take out than there are");
    if (!t->determined)
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE, "sequential: weights with flat priors are not determined");
    if (weight > 0.0 && weight >= t->N*(1.0 - 1e-12)) {
        bln_sequential_clear(t);
        return BLN_OK;
    }
    memcpy(t->spare, t->P, D1*D1*sizeof *t->spare);
    for (size_t i = 0; i < data->n; i += t->block) {
        const bln_data rows = bln_data_rows(data, i, blni_min(t->block, data->n - i));
        status = blni_sequential_features(t, &rows, i, report);
        if (status != BLN_OK) return status;
        for (size_t r = 0; r < rows.n; r++) {
            blni_sequential_take(t, &rows, r);
            if (!blni_sequential_take_out(t))
                return blni_fail(report, BLN_EUNDEFINED, i + r, BLN_NONE,
                                 "sequential: the row was never added, or without it fewer than 8 digits would be left");
        }
    }
    for (size_t i = 0; i < data->n; i++) blni_sequential_count(t, -1.0, data, i);
    blni_sequential_swap(t);
    blni_sequential_settle(t);
    return BLN_OK;
}

/* ---- all rows at once */

BLNI_PRIV int blni_sequential_alike(const bln_sequential *a, const bln_sequential *b)
{
    const size_t n = a->basis->n_theta;
    return a->fingerprint == b->fingerprint && a->D == b->D && n == b->basis->n_theta && a->noise_var == b->noise_var
        && (n == 0 || !memcmp(a->theta, b->theta, n*sizeof *a->theta))
        && !memcmp(a->s, b->s, a->D*sizeof *a->s) && !memcmp(a->penalty, b->penalty, a->D*sizeof *a->penalty);
}

/* t->spare <- the triangle of t->spare above that of P, a block of rows at a time, whose first columns are zero. */
BLNI_PRIV void blni_sequential_stack(bln_sequential *t, const double *P)
{
    const size_t D1 = t->D + 1;
    for (size_t i = 0; i < D1; i += t->block) {
        const size_t k = blni_min(t->block, D1 - i), n = D1 - i;
        for (size_t r = 0; r < k; r++)
            for (size_t j = 0; j < n; j++) t->rows[r*n + j] = j < r ? 0.0 : P[(i + r)*D1 + i + j];
        bln_tpqrt(n, k, t->spare + i*D1 + i, D1, t->rows, n, t->work);
    }
}

BLN_API bln_status bln_sequential_merge(bln_sequential *t, const bln_sequential *other, bln_report *report)
{
    bln_report_clear(report);
    if (!t || !other) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sequential: NULL argument");
    if (!blni_sequential_alike(t, other))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "sequential: of another basis, theta, noise variance or prior");
    const size_t D = t->D, D1 = D + 1;
    double *rho = t->spare + D*D1 + D;
    const double N = t->N + other->N, ld = t->ld + other->ld;
    int good = 1;
    if (!(other->N > 0.0)) return BLN_OK;
    memcpy(t->spare, t->N > 0.0 ? t->P : other->P, D1*D1*sizeof *t->spare);
    if (t->N > 0.0) {
        blni_sequential_stack(t, other->P);
        good = blni_sequential_determined(t, t->spare);
        for (size_t i = 0; i < D && good; i++) {
            if (t->penalty[i] == 0.0) continue;
            for (size_t j = 0; j <= D - i; j++) t->x[j] = j == 0 ? 1.0 : 0.0;
            good = bln_chdd(D - i, 1, t->spare + i*D1 + i, D1, t->x, 0.0, NULL, t->work) == BLN_OK;
            *rho = sqrt(fabs((*rho - t->x[D - i])*(*rho + t->x[D - i])));      /* at least half of rho^2 stays in the end */
        }
    }
    if (!good)
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE, "sequential: weights with flat priors are not determined");
    t->N = N;
    t->ld = ld;
    blni_sequential_swap(t);
    blni_sequential_settle(t);
    return BLN_OK;
}

/* kappa (P'P) + (1 - kappa) of the prior. */
BLN_API bln_status bln_sequential_forget(bln_sequential *t, double kappa, bln_report *report)
{
    bln_report_clear(report);
    if (!t) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sequential: NULL argument");
    if (!(kappa > 0.0 && kappa <= 1.0))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "sequential: kappa must be in (0, 1]");
    if (kappa == 1.0) return BLN_OK;
    const size_t D = t->D, D1 = D + 1;
    double *rho = t->P + D*D1 + D;
    for (size_t i = 0; i < D1; i++) bln_scal(D1 - i, sqrt(kappa), t->P + i*D1 + i);
    for (size_t i = 0; i < D; i++) {
        if (t->penalty[i] == 0.0) continue;
        for (size_t j = 0; j <= D - i; j++) t->x[j] = j == 0 ? sqrt(1.0 - kappa) : 0.0;
        bln_chud(D - i, 1, t->P + i*D1 + i, D1, t->x);
        *rho = hypot(*rho, t->x[D - i]);
    }
    t->N *= kappa;
    t->ld *= kappa;
    blni_sequential_settle(t);
    return BLN_OK;
}

/* ---- predictions */

BLN_API size_t bln_sequential_predict_work(const bln_sequential *t)
{
    return t ? bln_predict_work(t->basis, &t->posterior, t->block) : 0;
}

BLN_API bln_status bln_sequential_predict(const bln_sequential *t, const bln_data *data, double *mean, double *var_latent,
                                          double *var_total, double *work, bln_report *report)
{
    bln_report_clear(report);
    if (!t || !data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "sequential: NULL argument");
    if (!t->determined)
        return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE, "sequential: weights with flat priors are not determined");
    if (!blni_slm_fits(t->basis, data->d))
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "sequential: data have another number of columns than the basis");
    if (data->offset && blni_outputs(data) != 1)
        return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE, "sequential: one output at a time; data have several (p)");
    const bln_status status = blni_data_check_from(data, 0, 0, report);
    if (status != BLN_OK) return status;
    const size_t bytes = blni_mul(bln_sequential_predict_work(t), sizeof(double));
    double *own = NULL, *var = var_latent ? var_latent : var_total;
    if (!work) {
        work = own = (double *)blni_alloc(&t->alloc, bytes);
        if (!own) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "sequential: out of memory for predictions");
    }
    bln_predict_latent(t->basis, t->theta, &t->posterior, data->n, data->X, blni_ldx(data), t->block, mean, var, work);
    blni_release(&t->alloc, own, bytes);
    for (size_t i = 0; i < data->n; i++) {
        if (mean) mean[i] += blni_offset(data, i, 0);
        if (var_total) var_total[i] = var[i] + t->noise_var*(data->noise_var ? data->noise_var[i] : 1.0);
        if ((mean && !blni_finite(mean[i])) || (var && !blni_finite(var[i])) || (var_total && !blni_finite(var_total[i])))
            return blni_fail(report, BLN_ENUMERIC, i, BLN_NONE, "sequential: the prediction overflows");
    }
    return BLN_OK;
}

/* ---- as bytes:  u64 fingerprint of the basis, u64 D, u64 n_theta, f64 x n_theta, f64 noise variance, f64 x D prior standard
 * deviations (infinite: flat), f64 N, f64 ld, then the upper triangle of P, (D+1) x (D+1), row by row */

BLN_API void bln_sequential_save(const bln_sequential *t, bln_writer *w)
{
    if (!t) {
        if (w->status == BLN_OK) w->status = BLN_EINVAL;
        return;
    }
    const size_t D1 = t->D + 1;
    bln_put_u64(w, t->fingerprint);
    bln_put_u64(w, t->D);
    bln_put_u64(w, t->basis->n_theta);
    bln_put_doubles(w, t->basis->n_theta, t->theta);
    bln_put_double(w, t->noise_var);
    for (size_t i = 0; i < t->D; i++) bln_put_double(w, t->penalty[i] == 0.0 ? HUGE_VAL : t->s[i]);
    bln_put_double(w, t->N);
    bln_put_double(w, t->ld);
    for (size_t i = 0; i < D1; i++) bln_put_doubles(w, D1 - i, t->P + i*D1 + i);
}

BLN_API bln_status bln_sequential_load(bln_sequential *t, bln_reader *r)
{
    static const char other[] = "sequential: of another basis, theta, noise variance or prior";
    if (!t || !r) return BLN_EINVAL;
    const size_t D1 = t->D + 1;
    int same = bln_get_u64(r) == t->fingerprint, good = 1;
    same = bln_get_u64(r) == t->D && same;
    same = bln_get_u64(r) == t->basis->n_theta && same;
    if (r->status == BLN_OK && !same) return bln_reader_fail(r, BLN_ESHAPE, other);
    for (size_t k = 0; k < t->basis->n_theta; k++) same = bln_get_double(r) == t->theta[k] && same;
    same = bln_get_double(r) == t->noise_var && same;
    for (size_t i = 0; i < t->D; i++) same = bln_get_double(r) == (t->penalty[i] == 0.0 ? HUGE_VAL : t->s[i]) && same;
    if (r->status == BLN_OK && !same) return bln_reader_fail(r, BLN_ESHAPE, other);
    const double N = bln_get_double(r), ld = bln_get_double(r);
    for (size_t i = 0; i < D1; i++) {
        double *row = t->spare + i*D1;
        for (size_t j = 0; j < i; j++) row[j] = 0.0;
        bln_get_doubles(r, D1 - i, row + i);
        for (size_t j = i; j < D1; j++) good = good && fabs(row[j]) < 1e155;
        good = good && row[i] >= 0.0 && (i == t->D || t->penalty[i] == 0.0 || row[i] > 0.0);
    }
    if (r->status != BLN_OK) return r->status;
    if (!good || !(N >= 0.0) || !blni_finite(N) || !blni_finite(ld))
        return bln_reader_fail(r, BLN_EFORMAT, "sequential: a number is outside its range");
    t->N = N;
    t->ld = ld;
    blni_sequential_swap(t);
    blni_sequential_settle(t);
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/use/metrics.c */
/* metrics: scores for predictions
 *
 * Every score first looks at all that it was given, then sums over the rows. Sums of squares are centred on the first target, so
 * that a shift of y by 1e9 costs nothing, and ratios of them are divided by the largest deviation, so that no unit of y over- or
 * underflows. */

BLNI_PRIV bln_status blni_score_begin(size_t n, int complete, bln_report *report)
{
    bln_report_clear(report);
    if (n == 0) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "metrics: no rows");
    return complete ? BLN_OK : blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "metrics: a required array or output is NULL");
}

BLNI_PRIV bln_status blni_score_finite(size_t n, const double *x, const char *reason, bln_report *report)
{
    for (size_t i = 0; i < n; i++) if (!blni_finite(x[i])) return blni_fail(report, BLN_EDATA, i, BLN_NONE, reason);
    return BLN_OK;
}

/* Predictive variances: > 0, or >= 0 where a score also has a value for certainty. */
BLNI_PRIV bln_status blni_score_variances(size_t n, const double *var, int zero_too, bln_report *report)
{
    for (size_t i = 0; i < n; i++) {
        if (!blni_finite(var[i])) return blni_fail(report, BLN_EDATA, i, BLN_NONE, "predictive variance is NaN or infinite");
        if (!(var[i] > 0.0 || (zero_too && var[i] == 0.0)))
            return blni_fail(report, BLN_EDOMAIN, i, BLN_NONE,
                             zero_too ? "predictive variance must be >= 0" : "predictive variance must be > 0");
    }
    return BLN_OK;
}

BLNI_PRIV bln_status blni_score_point(size_t n, const double *y, const double *mean, const double *out, bln_report *report)
{
    bln_status s = blni_score_begin(n, y && mean && out, report);
    if (s == BLN_OK) s = blni_score_finite(n, y, "y is NaN or infinite", report);
    if (s == BLN_OK) s = blni_score_finite(n, mean, "prediction is NaN or infinite", report);
    return s;
}

BLNI_PRIV bln_status blni_score_normal(size_t n, const double *y, const double *mean, const double *var, int zero_too,
                                       const double *out, bln_report *report)
{
    bln_status s = blni_score_begin(n, y && mean && var && out, report);
    if (s == BLN_OK) s = blni_score_point(n, y, mean, out, report);
    if (s == BLN_OK) s = blni_score_variances(n, var, zero_too, report);
    return s;
}

BLNI_PRIV bln_status blni_score_done(double value, double *out, bln_report *report)
{
    if (!blni_finite(value)) return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "the score overflows: scale the data");
    *out = value;
    return BLN_OK;
}

BLNI_PRIV bln_status blni_score_undefined(double *out, const char *reason, bln_report *report)
{
    *out = BLNI_NAN;
    return blni_fail(report, BLN_EUNDEFINED, BLN_NONE, BLN_NONE, reason);
}

/* ---- point predictions ---- */

BLN_API bln_status bln_mse(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    const bln_status s = blni_score_point(n, y, mean, out, report);
    double sum = 0.0;
    if (s != BLN_OK) return s;
    for (size_t i = 0; i < n; i++) sum += (y[i] - mean[i])*(y[i] - mean[i]);
    return blni_score_done(sum/(double)n, out, report);
}

BLN_API bln_status bln_rmse(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    const bln_status s = bln_mse(n, y, mean, out, report);
    if (s == BLN_OK) *out = sqrt(*out);
    return s;
}

BLN_API bln_status bln_mae(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    const bln_status s = blni_score_point(n, y, mean, out, report);
    double sum = 0.0;
    if (s != BLN_OK) return s;
    for (size_t i = 0; i < n; i++) sum += fabs(y[i] - mean[i]);
    return blni_score_done(sum/(double)n, out, report);
}

/* (1/n) sum x_i - origin */
BLNI_PRIV double blni_mean_from(size_t n, const double *x, double origin)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += x[i] - origin;
    return sum/(double)n;
}

/* MSE / Var_pop(y) (M2). *equal: the targets do not differ, and 0 is returned. */
BLNI_PRIV double blni_smse(size_t n, const double *y, const double *mean, int *equal)
{
    const double centre = blni_mean_from(n, y, y[0]);
    double scale = 0.0, above = 0.0, below = 0.0;
    *equal = 1;
    for (size_t i = 0; i < n; i++) {
        const double deviation = fabs((y[i] - y[0]) - centre);
        if (y[i] != y[0]) *equal = 0;
        if (deviation > scale) scale = deviation;
    }
    if (*equal) return 0.0;
    for (size_t i = 0; i < n; i++) {
        const double residual = (y[i] - mean[i])/scale, deviation = ((y[i] - y[0]) - centre)/scale;
        above += residual*residual;
        below += deviation*deviation;
    }
    return above/below;
}

BLN_API bln_status bln_smse(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    const bln_status s = blni_score_point(n, y, mean, out, report);
    int equal;
    if (s != BLN_OK) return s;
    const double value = blni_smse(n, y, mean, &equal);
    if (equal) return blni_score_undefined(out, "SMSE is undefined: all targets are equal", report);
    return blni_score_done(value, out, report);
}

BLN_API bln_status bln_r2(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    const bln_status s = blni_score_point(n, y, mean, out, report);
    int equal;
    if (s != BLN_OK) return s;
    const double value = blni_smse(n, y, mean, &equal);
    if (!equal) return blni_score_done(1.0 - value, out, report);
    for (size_t i = 0; i < n; i++)      /* not by the MSE: squares may underflow */
        if (y[i] != mean[i]) return blni_score_undefined(out, "R^2 is undefined: all targets are equal", report);
    *out = 1.0;
    return BLN_OK;
}

BLN_API bln_status bln_concordance(size_t n, const double *y, const double *mean, double *out, bln_report *report)
{
    const bln_status s = blni_score_point(n, y, mean, out, report);
    double scale = 0.0, yy = 0.0, pp = 0.0, yp = 0.0;
    if (s != BLN_OK) return s;

    /* Both centred on y[0]: a common shift of truth and prediction drops out before anything is squared. */
    const double centre_y = blni_mean_from(n, y, y[0]), centre_p = blni_mean_from(n, mean, y[0]);
    for (size_t i = 0; i < n; i++) {
        const double a = fabs(y[i] - y[0]), b = fabs(mean[i] - y[0]);
        if (a > scale) scale = a;
        if (b > scale) scale = b;
    }
    if (scale == 0.0) return blni_score_done(1.0, out, report);
    for (size_t i = 0; i < n; i++) {
        const double a = ((y[i] - y[0]) - centre_y)/scale, b = ((mean[i] - y[0]) - centre_p)/scale;
        yy += a*a;
        pp += b*b;
        yp += a*b;
    }
    const double gap = (centre_y - centre_p)/scale;
    return blni_score_done(2.0*yp/(yy + pp + (double)n*gap*gap), out, report);
}

/* ---- normal predictive distributions ---- */

/* -log N(y | mean, var), through the standardised residual: its square cannot underflow before the division. */
BLNI_PRIV double blni_nlp(double y, double mean, double var)
{
    const double z = (y - mean)/sqrt(var);
    return 0.5*(BLNI_LOG_2PI + log(var) + z*z);
}

BLN_API bln_status bln_mll(size_t n, const double *y, const double *mean, const double *var, double *out, bln_report *report)
{
    const bln_status s = blni_score_normal(n, y, mean, var, 0, out, report);
    double sum = 0.0;
    if (s != BLN_OK) return s;
    for (size_t i = 0; i < n; i++) sum += blni_nlp(y[i], mean[i], var[i]);
    return blni_score_done(sum/(double)n, out, report);
}

BLN_API bln_status bln_msll(size_t n, const double *y, const double *mean, const double *var, double train_mean, double train_var,
                            double *out, bln_report *report)
{
    const bln_status s = blni_score_normal(n, y, mean, var, 0, out, report);
    double sum = 0.0;
    if (s != BLN_OK) return s;
    if (!blni_finite(train_mean) || !blni_finite(train_var))
        return blni_fail(report, BLN_EDATA, BLN_NONE, BLN_NONE, "mean or variance of the training targets is NaN or infinite");
    if (!(train_var > 0.0))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "variance of the training targets must be > 0");
    for (size_t i = 0; i < n; i++) sum += blni_nlp(y[i], mean[i], var[i]) - blni_nlp(y[i], train_mean, train_var);
    return blni_score_done(sum/(double)n, out, report);
}

BLN_API bln_status bln_crps(size_t n, const double *y, const double *mean, const double *var, double *out, bln_report *report)
{
    static const double inv_sqrt_pi = 0.56418958354775628695;
    const bln_status s = blni_score_normal(n, y, mean, var, 1, out, report);
    double sum = 0.0;
    if (s != BLN_OK) return s;
    for (size_t i = 0; i < n; i++) {
        const double gap = fabs(y[i] - mean[i]), sd = sqrt(var[i]);
        /* Beyond 8 sd the general form only differs by rounding, and at sd = 0 it would divide by it. */
        if (gap >= 8.0*sd) sum += gap - sd*inv_sqrt_pi;
        else {
            const double z = gap/sd;
            sum += sd*(z*(2.0*bln_norm_cdf(z) - 1.0) + 2.0*bln_norm_pdf(z) - inv_sqrt_pi);
        }
    }
    return blni_score_done(sum/(double)n, out, report);
}

/* ---- intervals ---- */

BLNI_PRIV bln_status blni_score_interval(size_t n, const double *y, const double *lower, const double *upper, int output,
                                         bln_report *report)
{
    bln_status s = blni_score_begin(n, y && lower && upper && output, report);
    if (s == BLN_OK) s = blni_score_finite(n, y, "y is NaN or infinite", report);
    if (s == BLN_OK) s = blni_score_finite(n, lower, "lower bound is NaN or infinite", report);
    if (s == BLN_OK) s = blni_score_finite(n, upper, "upper bound is NaN or infinite", report);
    for (size_t i = 0; s == BLN_OK && i < n; i++)
        if (lower[i] > upper[i]) s = blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "lower bound above upper bound");
    return s;
}

BLN_API bln_status bln_coverage(size_t n, const double *y, const double *lower, const double *upper, double *out,
                                bln_report *report)
{
    const bln_status s = blni_score_interval(n, y, lower, upper, out != NULL, report);
    size_t inside = 0;
    if (s != BLN_OK) return s;
    for (size_t i = 0; i < n; i++) if (lower[i] <= y[i] && y[i] <= upper[i]) inside++;
    *out = (double)inside/(double)n;
    return BLN_OK;
}

BLN_API bln_status bln_interval_score(size_t n, const double *y, const double *lower, const double *upper, double a, double *width,
                                      double *score, bln_report *report)
{
    const bln_status s = blni_score_interval(n, y, lower, upper, width || score, report);
    double widths = 0.0, misses = 0.0;
    if (s != BLN_OK) return s;
    if (!(a > 0.0 && a < 1.0))
        return blni_fail(report, BLN_EDOMAIN, BLN_NONE, BLN_NONE, "a, the share outside the interval, must be in (0, 1)");
    for (size_t i = 0; i < n; i++) {
        widths += upper[i] - lower[i];
        if (y[i] < lower[i]) misses += lower[i] - y[i];
        if (y[i] > upper[i]) misses += y[i] - upper[i];
    }
    widths /= (double)n;
    const double total = widths + 2.0/a*misses/(double)n;
    if (!blni_finite(total)) return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "the score overflows: scale the data");
    if (width) *width = widths;
    if (score) *score = total;
    return BLN_OK;
}

/* ---- calibration ---- */

/* Moves x[at] down its heap of n until no child is larger. */
BLNI_PRIV void blni_sift(size_t n, double *x, size_t at)
{
    const double moved = x[at];
    for (size_t child; (child = 2*at + 1) < n; at = child) {
        if (child + 1 < n && x[child + 1] > x[child]) child++;
        if (x[child] <= moved) break;
        x[at] = x[child];
    }
    x[at] = moved;
}

/* Ascending heapsort (Williams 1964): in place, n log n always. qsort may allocate. */
BLNI_PRIV void blni_sort(size_t n, double *x)
{
    for (size_t at = n/2; at-- > 0;) blni_sift(n, x, at);
    for (size_t end = n; end-- > 1;) {
        const double largest = x[0];
        x[0] = x[end];
        x[end] = largest;
        blni_sift(end, x, 0);
    }
}

BLN_API bln_status bln_calibration(size_t n, const double *y, const double *mean, const double *var, double *error, double *ks,
                                   double *work, bln_report *report)
{
    enum { LEVELS = 19 };                   /* q_k = (k + 1)/20 */
    size_t first[LEVELS + 1], at_most = 0;  /* first[k]: transforms in (q_{k-1}, q_k] */
    double sum = 0.0, largest = 0.0;
    bln_status s = blni_score_normal(n, y, mean, var, 0, error, report);
    if (s == BLN_OK && ks && !work) s = blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "metrics: ks needs work");
    if (s != BLN_OK) return s;

    memset(first, 0, sizeof first);
    for (size_t i = 0; i < n; i++) {
        const double p = bln_norm_cdf((y[i] - mean[i])/sqrt(var[i]));
        size_t k = 0;
        while (k < LEVELS && p > (double)(k + 1)/20.0) k++;
        first[k]++;
        if (ks) work[i] = p;
    }
    for (size_t k = 0; k < LEVELS; k++) {
        at_most += first[k];
        sum += fabs((double)at_most/(double)n - (double)(k + 1)/20.0);
    }
    *error = sum/(double)LEVELS;
    if (!ks) return BLN_OK;

    /* The empirical distribution jumps from i/n to (i+1)/n at the i-th smallest: the largest distance is at one end of a jump. */
    blni_sort(n, work);
    for (size_t i = 0; i < n; i++) {
        const double above = (double)(i + 1)/(double)n - work[i], below = work[i] - (double)i/(double)n;
        if (above > largest) largest = above;
        if (below > largest) largest = below;
    }
    *ks = largest;
    return BLN_OK;
}

/* ---- classes ---- */

BLNI_PRIV bln_status blni_score_classes(size_t n, const double *y, const double *p, const double *out, bln_report *report)
{
    bln_status s = blni_score_point(n, y, p, out, report);
    for (size_t i = 0; s == BLN_OK && i < n; i++) {
        if (y[i] != 0.0 && y[i] != 1.0) s = blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "y must be 0 or 1");
        else if (!(p[i] >= 0.0 && p[i] <= 1.0)) s = blni_fail(report, BLN_EDOMAIN, i, BLN_NONE, "probability must be in [0, 1]");
    }
    return s;
}

BLN_API bln_status bln_log_loss(size_t n, const double *y, const double *p, double *out, bln_report *report)
{
    static const double clip = 1e-15;      /* so that one certain mistake does not make the whole score infinite (M7) */
    const bln_status s = blni_score_classes(n, y, p, out, report);
    double sum = 0.0;
    if (s != BLN_OK) return s;
    for (size_t i = 0; i < n; i++) {
        const double q = p[i] < clip ? clip : p[i] > 1.0 - clip ? 1.0 - clip : p[i];
        sum -= y[i] != 0.0 ? log(q) : log1p(-q);
    }
    return blni_score_done(sum/(double)n, out, report);
}

BLN_API bln_status bln_error_rate(size_t n, const double *y, const double *p, double *out, bln_report *report)
{
    const bln_status s = blni_score_classes(n, y, p, out, report);
    size_t wrong = 0;
    if (s != BLN_OK) return s;
    for (size_t i = 0; i < n; i++) if ((p[i] > 0.5) != (y[i] != 0.0)) wrong++;
    *out = (double)wrong/(double)n;
    return BLN_OK;
}

BLN_API bln_status bln_brier(size_t n, const double *y, const double *p, double *out, bln_report *report)
{
    const bln_status s = blni_score_classes(n, y, p, out, report);
    double sum = 0.0;
    if (s != BLN_OK) return s;
    for (size_t i = 0; i < n; i++) sum += (p[i] - y[i])*(p[i] - y[i]);
    return blni_score_done(sum/(double)n, out, report);
}

/* ---------------------------------------------------------------- src/use/scaler.c */
/* scaler: means and standard deviations in one pass, and the maps there and back
 *
 * Content of a "SCAL" section of a model file, version 1:
 *     u64              d
 *     f64 x (d + 1)    means, the target's last
 *     f64 x (d + 1)    standard deviations, > 0
 *     u8  x (d + 1)    1 where the column was constant (its standard deviation is then 1), else 0 */

struct bln_scaler {
    size_t         d;
    double        *mean, *sd;       /* d + 1 each                        */
    unsigned char *constant;        /* d + 1                             */
    void          *block;           /* what the allocator gave, for free */
    size_t         bytes;
    bln_allocator  alloc;
};

BLNI_PRIV bln_scaler *blni_scaler_carve(blni_arena *a, size_t d)
{
    const size_t columns = blni_add(d, 1);
    bln_scaler *s     = (bln_scaler *)blni_carve(a, 1, sizeof(bln_scaler));
    double *mean      = blni_carve_doubles(a, columns), *sd = blni_carve_doubles(a, columns);
    void *constant    = blni_carve(a, columns, 1);
    if (s) {
        s->d = d;
        s->mean = mean;
        s->sd = sd;
        s->constant = (unsigned char *)constant;
    }
    return s;
}

BLNI_PRIV bln_status blni_scaler_new(const bln_allocator *alloc, size_t d, bln_scaler **out, bln_report *report)
{
    if (alloc && !blni_allocator_ok(alloc)) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "scaler: half an allocator");
    blni_arena a = blni_arena_over(NULL, 0);
    blni_scaler_carve(&a, d);
    const size_t bytes = a.used;
    if (bytes == (size_t)-1)
        return blni_fail(report, BLN_EOVERFLOW, BLN_NONE, BLN_NONE, "scaler: too many columns for this machine");
    void *block = blni_alloc(alloc, bytes);
    if (!block) return blni_fail(report, BLN_ENOMEM, BLN_NONE, BLN_NONE, "scaler: out of memory");
    a = blni_arena_over(block, bytes);
    bln_scaler *s = blni_scaler_carve(&a, d);
    memset(&s->alloc, 0, sizeof s->alloc);
    if (alloc) s->alloc = *alloc;
    s->block = block;
    s->bytes = bytes;
    for (size_t j = 0; j <= d; j++) {
        s->mean[j] = 0.0;
        s->sd[j] = 1.0;
        s->constant[j] = 0;
    }
    *out = s;
    return BLN_OK;
}

BLN_API bln_status bln_scaler_identity(const bln_allocator *alloc, size_t d, bln_scaler **out)
{
    return out ? blni_scaler_new(alloc, d, out, NULL) : BLN_EINVAL;
}

BLN_API void bln_scaler_free(bln_scaler *scaler)
{
    if (!scaler) return;
    const bln_allocator alloc = scaler->alloc;
    blni_release(&alloc, scaler->block, scaler->bytes);
}

/* sd holds the scatter sum w (x - mean)^2 until the end. A column that does not change never leaves its first value: its mean is
 * exact, and its scatter 0. */
BLNI_PRIV void blni_scaler_block(bln_scaler *s, const bln_data *block, double *total)
{
    const size_t ldx = blni_ldx(block);
    for (size_t i = 0; i < block->n; i++) {
        const double w = block->weight ? block->weight[i] : 1.0;
        for (size_t j = 0; j <= s->d; j++) {
            if (j == s->d && !block->y) continue;
            blni_running column;
            column.weight = *total;
            column.mean = s->mean[j];
            column.scatter = s->sd[j];
            blni_running_add(&column, w, j < s->d ? block->X[i*ldx + j] : blni_y(block, i, 0));
            s->mean[j] = column.mean;
            s->sd[j] = column.scatter;
        }
        *total += w;
    }
}

/* One pass over the source; s comes in as new. */
BLNI_PRIV bln_status blni_scaler_learn(bln_scaler *s, const bln_source *source, bln_report *report)
{
    size_t rows = 0;
    int target = 0;
    double total = 0.0;
    bln_data block;
    for (size_t j = 0; j <= s->d; j++) s->sd[j] = 0.0;
    bln_status status = source->reset(source->user, report);
    for (;;) {
        memset(&block, 0, sizeof block);
        if (status == BLN_OK) status = source->next(source->user, 256, &block, report);
        if (status != BLN_OK) return status;
        if (block.n == 0) break;
        if (block.d != s->d)
            return blni_fail(report, BLN_ESHAPE, rows, BLN_NONE, "scaler: a block has another number of columns than its source");
        if (block.y && blni_outputs(&block) > 1)
            return blni_fail(report, BLN_ESHAPE, BLN_NONE, BLN_NONE,
                             "scaler: more than one output; they need no scaling, leave y out");
        if (rows == 0) target = block.y != NULL;      /* the first block says whether there are targets */
        if (target != (block.y != NULL))
            return blni_fail(report, BLN_ESHAPE, rows, BLN_NONE, "scaler: only some blocks have targets");
        status = blni_data_check_from(&block, target, rows, report);
        if (status != BLN_OK) return status;
        blni_scaler_block(s, &block, &total);
        rows += block.n;
    }
    if (!(total > 0.0))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, rows ? "scaler: all weights are 0" : "scaler: no rows");
    if (!blni_finite(total)) return blni_fail(report, BLN_ENUMERIC, BLN_NONE, BLN_NONE, "scaler: the sum of weights overflows");

    for (size_t j = 0; j <= s->d; j++) {
        const double sd = sqrt(s->sd[j]/total);
        if (!blni_finite(sd) || !blni_finite(s->mean[j]))
            return blni_fail(report, BLN_ENUMERIC, BLN_NONE, j, "scaler: the variance overflows: scale the data");
        /* 0 also where a variance underflows, and so would all that is computed from it. */
        s->constant[j] = sd == 0.0 && (j < s->d || target);
        s->sd[j] = sd > 0.0 ? sd : 1.0;
    }
    return BLN_OK;
}

BLN_API bln_status bln_scaler_create_source(const bln_allocator *alloc, const bln_source *source, bln_scaler **out,
                                            bln_report *report)
{
    bln_report_clear(report);
    if (!source || !source->reset || !source->next || !out)
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "scaler: NULL argument");
    bln_scaler *s = NULL;
    bln_status status = blni_scaler_new(alloc, source->d, &s, report);
    if (status != BLN_OK) return status;
    status = blni_scaler_learn(s, source, report);
    if (status != BLN_OK) {
        bln_scaler_free(s);
        return status;
    }
    *out = s;
    return BLN_OK;
}

BLN_API bln_status bln_scaler_create(const bln_allocator *alloc, const bln_data *data, bln_scaler **out, bln_report *report)
{
    bln_data_reader state;
    bln_report_clear(report);
    if (!data) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "scaler: NULL argument");
    const bln_source source = bln_source_of(data, &state);
    return bln_scaler_create_source(alloc, &source, out, report);
}

BLNI_PRIV int blni_scaler_has(const bln_scaler *s, size_t j) { return s && j <= s->d; }

BLN_API size_t bln_scaler_columns (const bln_scaler *scaler)           { return scaler ? scaler->d : 0; }
BLN_API double bln_scaler_mean    (const bln_scaler *s, size_t j) { return blni_scaler_has(s, j) ? s->mean[j] : BLNI_NAN; }
BLN_API double bln_scaler_sd      (const bln_scaler *s, size_t j) { return blni_scaler_has(s, j) ? s->sd[j] : BLNI_NAN; }
BLN_API int    bln_scaler_constant(const bln_scaler *s, size_t j) { return blni_scaler_has(s, j) && s->constant[j]; }

BLN_API void bln_scaler_inputs(const bln_scaler *scaler, size_t n, const double *X, size_t ldx, double *X_out, size_t ldout)
{
    if (ldx == 0) ldx = scaler->d;
    if (ldout == 0) ldout = scaler->d;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < scaler->d; j++) X_out[i*ldout + j] = (X[i*ldx + j] - scaler->mean[j])/scaler->sd[j];
}

BLN_API void bln_scaler_targets(const bln_scaler *scaler, size_t n, const double *y, double *y_out)
{
    const double mean = scaler->mean[scaler->d], sd = scaler->sd[scaler->d];
    for (size_t i = 0; i < n; i++) y_out[i] = (y[i] - mean)/sd;
}

BLN_API void bln_scaler_means_back(const bln_scaler *scaler, size_t n, const double *mean, double *out)
{
    const double centre = scaler->mean[scaler->d], sd = scaler->sd[scaler->d];
    for (size_t i = 0; i < n; i++) out[i] = centre + sd*mean[i];
}

BLN_API void bln_scaler_vars_back(const bln_scaler *scaler, size_t n, const double *var, double *out)
{
    const double sd = scaler->sd[scaler->d];
    for (size_t i = 0; i < n; i++) out[i] = sd*sd*var[i];
}

/* p(y) = p(z) |dz/dy| = p(z)/sd for each of the n targets. */
BLN_API double bln_scaler_logp_back(const bln_scaler *scaler, double n, double logp) { return logp - n*log(scaler->sd[scaler->d]); }

BLN_API void bln_scaler_save(const bln_scaler *scaler, bln_writer *w)
{
    if (!scaler) {
        if (w->status == BLN_OK) w->status = BLN_EINVAL;
        return;
    }
    bln_put_u64(w, scaler->d);
    bln_put_doubles(w, scaler->d + 1, scaler->mean);
    bln_put_doubles(w, scaler->d + 1, scaler->sd);
    bln_put_bytes(w, scaler->constant, scaler->d + 1);
}

/* What every later division and logarithm relies on. */
BLNI_PRIV const char *blni_scaler_flaw(const bln_scaler *s)
{
    for (size_t j = 0; j <= s->d; j++) {
        if (!blni_finite(s->mean[j])) return "scaler: a mean is NaN or infinite";
        if (!(s->sd[j] > 0.0 && blni_finite(s->sd[j]))) return "scaler: a standard deviation is not a number > 0";
        if (s->constant[j] > 1 || (s->constant[j] && s->sd[j] != 1.0)) return "scaler: a wrong mark of a constant column";
    }
    return NULL;
}

BLN_API bln_status bln_scaler_load(const bln_allocator *alloc, bln_reader *r, bln_scaler **out)
{
    bln_scaler *s = NULL;
    if (!r || !out) return BLN_EINVAL;
    const size_t d = bln_get_count(r, 2*sizeof(double) + 1, (size_t)-2);
    if (r->status != BLN_OK) return r->status;
    bln_status status = blni_scaler_new(alloc, d, &s, NULL);
    if (status != BLN_OK) return bln_reader_fail(r, status, "scaler: out of memory");
    bln_get_doubles(r, d + 1, s->mean);
    bln_get_doubles(r, d + 1, s->sd);
    bln_get_bytes(r, s->constant, d + 1);
    const char *flaw = r->status == BLN_OK ? blni_scaler_flaw(s) : NULL;
    if (flaw) bln_reader_fail(r, BLN_EFORMAT, flaw);
    if (r->status != BLN_OK) {
        bln_scaler_free(s);
        return r->status;
    }
    *out = s;
    return BLN_OK;
}

/* ---------------------------------------------------------------- src/use/modelfile.c */
/* modelfile: sections with checksums, written in one pass and read with distrust
 *
 * Writing: a section's length stands before its content, so the content is "written" twice, first by a writer that only counts.
 * Reading: a section's content is gathered into memory, as far as it really arrives; its checksum is compared; only then do the
 * loaders of its content see it, through a reader that ends where the section ends. So a damaged file costs no more memory than its
 * size. */
#if !defined(BAYESLIN_NO_STDIO) && (defined(__unix__) || defined(__unix) || defined(__APPLE__))
#define BLNI_FILE_POSIX
#include <sys/types.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__STRICT_ANSI__) && !defined(__cplusplus)
extern ssize_t readlink(const char *path, char *to, size_t room);      /* of POSIX, which some C99 modes do not declare */
#endif
#endif

enum {
    BLNI_FILE_VERSION = 1,        /* of the frame: header and sections   */
    BLNI_SECTION_VERSION = 1,     /* of the contents "INTG" and "SCAL", and of sections of the caller's */
    BLNI_SLM_VERSION = 2,         /* of the content "SLM "; one output is still written as 1 */
    BLNI_FILE_CHUNK = 65536       /* bytes to start with where the size of the file is unknown */
};

static const unsigned char blni_file_magic[8] = { 0x89, 0x42, 0x4C, 0x4E, 0x0D, 0x0A, 0x1A, 0x0A };

BLNI_PRIV int blni_tag_is(const char *tag, const char *want) { return memcmp(tag, want, 4) == 0; }
BLNI_PRIV int blni_tag_own(const char *tag) { return tag[0] >= 'a' && tag[0] <= 'z'; }

BLNI_PRIV int blni_tag_printable(const char *tag)
{
    for (size_t i = 0; i < 4; i++) if (tag[i] < 0x20 || tag[i] > 0x7e) return 0;
    return 1;
}

/* ---- writing ---- */

/* What goes into one section: exactly one of the four. */
typedef struct blni_content {
    const char *tag;
    const bln_slm *slm;
    const bln_slm_integrated *integrated;
    const bln_scaler *scaler;
    const bln_section *section;
} blni_content;

BLNI_PRIV void blni_put_content(const blni_content *c, bln_writer *w)
{
    bln_status s = BLN_OK;
    if (c->slm) s = bln_slm_save(c->slm, w);
    if (c->integrated) s = bln_slm_integrated_save(c->integrated, w);
    if (c->scaler) bln_scaler_save(c->scaler, w);
    if (c->section) bln_put_bytes(w, c->section->bytes, c->section->size);
    if (w->status == BLN_OK) w->status = s;
}

/* Section i of a file: models, scaler, the caller's. 0: there are no more. */
BLNI_PRIV int blni_content_of(const bln_modelfile *file, size_t i, blni_content *c)
{
    memset(c, 0, sizeof *c);
    if (file->slm && i-- == 0)        { c->tag = "SLM "; c->slm = file->slm; return 1; }
    if (file->integrated && i-- == 0) { c->tag = "INTG"; c->integrated = file->integrated; return 1; }
    if (file->scaler && i-- == 0)     { c->tag = "SCAL"; c->scaler = file->scaler; return 1; }
    if (i >= file->n_sections) return 0;
    c->section = &file->sections[i];
    c->tag = c->section->tag;
    return 1;
}

BLNI_PRIV uint64_t blni_content_length(const blni_content *c, bln_status *status)
{
    bln_writer counter = bln_writer_over(NULL, NULL);
    blni_put_content(c, &counter);
    *status = counter.status;
    return counter.count;
}

BLNI_PRIV void blni_put_section(const blni_content *c, bln_writer *w)
{
    bln_status counted;
    const uint64_t length = blni_content_length(c, &counted);
    w->checksum = BLNI_FNV_START;
    bln_put_bytes(w, c->tag, 4);
    bln_put_u32(w, c->slm ? blni_slm_file_version(c->slm) : (uint32_t)BLNI_SECTION_VERSION);
    bln_put_u64(w, length);
    const uint64_t begin = w->count;
    blni_put_content(c, w);
    /* A basis of the user's that writes other bytes the second time would leave a file that nobody can read. */
    if (w->status == BLN_OK && w->count - begin != length) w->status = BLN_EINVAL;
    bln_put_u64(w, w->checksum);
}

BLNI_PRIV const char *blni_modelfile_flaw(const bln_modelfile *file)
{
    if (!file || (!file->slm && !file->integrated)) return "modelfile: no model";
    if (file->n_sections && !file->sections) return "modelfile: sections is NULL";
    if (file->n_sections > (size_t)0xffffff) return "modelfile: too many sections";
    for (size_t i = 0; i < file->n_sections; i++) {
        const bln_section *section = &file->sections[i];
        if (!blni_tag_own(section->tag) || !blni_tag_printable(section->tag) || section->tag[4])
            return "modelfile: a section's tag must be four printable characters, the first a lower-case letter";
        if (section->size && !section->bytes) return "modelfile: a section's bytes are NULL";
    }
    return NULL;
}

BLN_API bln_status bln_modelfile_write(bln_status (*write)(void *user, const void *bytes, size_t n), void *user,
                                       const bln_modelfile *file, bln_report *report)
{
    const char *flaw = write ? blni_modelfile_flaw(file) : "modelfile: write is NULL";
    bln_writer w = bln_writer_over(write, user);
    blni_content c;
    bln_status status;
    uint32_t n = 0;
    bln_report_clear(report);
    if (flaw) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, flaw);

    /* A model that cannot be saved is refused before the first byte is out. */
    for (; blni_content_of(file, n, &c); n++) {
        if (c.section) continue;
        blni_content_length(&c, &status);
        if (status != BLN_OK)
            return blni_fail(report, status, BLN_NONE, BLN_NONE,
                             status == BLN_ESTATE   ? "modelfile: the model is not fitted"
                           : status == BLN_EUNKNOWN ? "modelfile: the model's basis cannot be saved"
                                                    : "modelfile: the model cannot be saved");
    }
    bln_put_bytes(&w, blni_file_magic, sizeof blni_file_magic);
    bln_put_u32(&w, BLNI_FILE_VERSION);
    bln_put_u32(&w, n);
    for (size_t i = 0; blni_content_of(file, i, &c); i++) blni_put_section(&c, &w);
    if (w.status != BLN_OK) {
        blni_fail(report, w.status, BLN_NONE, BLN_NONE,
                  w.status == BLN_EINVAL ? "modelfile: the basis does not save the same bytes twice" : "writing failed");
        blni_say(report, ", at byte ");
        blni_say_size(report, (size_t)w.count);
    }
    return w.status;
}

/* ---- reading ---- */

/* Slots of the array that holds n sections. A function of n, so that freeing needs no memory of how the array grew. */
BLNI_PRIV size_t blni_section_slots(size_t n)
{
    size_t slots = 4;
    while (slots < n) slots = blni_mul(slots, 2);
    return slots;
}

BLNI_PRIV void blni_sections_release(const bln_allocator *alloc, bln_section *sections, size_t n)
{
    for (size_t i = 0; i < n; i++) blni_release(alloc, (void *)(uintptr_t)sections[i].bytes, sections[i].size);
    blni_release(alloc, sections, blni_mul(blni_section_slots(n), sizeof *sections));
}

/* Appends a section, which takes over its bytes. */
BLNI_PRIV bln_status blni_sections_add(bln_modelfile *file, const char *tag, const void *bytes, size_t size)
{
    const size_t n = file->n_sections, slots = blni_section_slots(n), wanted = blni_section_slots(n + 1);
    if (!file->sections || wanted > slots) {
        bln_section *grown = (bln_section *)blni_alloc(&file->alloc, blni_mul(wanted, sizeof *grown));
        if (!grown) return BLN_ENOMEM;
        for (size_t i = 0; i < n; i++) grown[i] = file->sections[i];
        blni_release(&file->alloc, file->sections, blni_mul(slots, sizeof *grown));
        file->sections = grown;
    }
    memcpy(file->sections[n].tag, tag, 4);
    file->sections[n].tag[4] = '\0';
    file->sections[n].bytes = bytes;
    file->sections[n].size = size;
    file->n_sections = n + 1;
    return BLN_OK;
}

BLN_API void bln_modelfile_free(bln_modelfile *file)
{
    if (!file) return;
    const bln_allocator alloc = file->alloc;
    bln_slm_free(file->slm);
    bln_slm_integrated_free(file->integrated);
    bln_scaler_free(file->scaler);
    blni_sections_release(&alloc, file->sections, file->n_sections);
    memset(file, 0, sizeof *file);
}

/* The next n bytes in a block of n. Where the size of the file is unknown the block grows with what arrives: n is only a claim. */
BLNI_PRIV unsigned char *blni_gather(bln_reader *r, const bln_allocator *alloc, size_t n)
{
    size_t have = 0, room = r->limit == UINT64_MAX ? blni_min(n, BLNI_FILE_CHUNK) : n;
    unsigned char *block = (unsigned char *)blni_alloc(alloc, room);
    while (block) {
        bln_get_bytes(r, block + have, room - have);
        if (r->status != BLN_OK) {
            blni_release(alloc, block, room);
            return NULL;
        }
        if (room == n) return block;
        have = room;
        const size_t grown = n - room < room ? n : 2*room;
        unsigned char *larger = (unsigned char *)blni_alloc(alloc, grown);
        if (larger) memcpy(larger, block, have);
        blni_release(alloc, block, room);
        block = larger;
        room = grown;
    }
    bln_reader_fail(r, BLN_ENOMEM, "out of memory for a section");
    return NULL;
}

BLNI_PRIV void blni_skip(bln_reader *r, uint64_t n)
{
    unsigned char b[512];
    while (n && r->status == BLN_OK) {
        const size_t m = n < sizeof b ? (size_t)n : sizeof b;
        bln_get_bytes(r, b, m);
        n -= m;
    }
}

/* Fails the reader in the name of a section, unless it has failed before. */
BLNI_PRIV void blni_section_fail(bln_reader *r, bln_status status, const char *tag, const char *reason, uint64_t at)
{
    if (r->status != BLN_OK) return;
    blni_reader_fail_at(r, status, reason, at);
    blni_say(r->report, ", section \"");
    blni_say(r->report, tag);
    blni_say(r->report, "\"");
}

/* Hands verified content, which began at byte `begin` of the file, to its loader. */
BLNI_PRIV void blni_load_content(bln_reader *r, const bln_basis_load *context, const char *tag, const unsigned char *bytes,
                                 size_t n, uint64_t begin, bln_modelfile *file)
{
    bln_memory_stream m;
    bln_reader content = bln_memory_reader(&m, bytes, n, r->report);
    bln_status status;
    content.count = begin;                /* so that reports count the bytes of the file */
    content.limit = begin + n;
    if (blni_tag_is(tag, "SLM "))      status = bln_slm_load(context, &content, &file->slm);
    else if (blni_tag_is(tag, "INTG")) status = bln_slm_integrated_load(context, &content, &file->integrated);
    else                               status = bln_scaler_load(&context->alloc, &content, &file->scaler);
    if (status == BLN_OK && content.count != content.limit)
        status = bln_reader_fail(&content, BLN_EFORMAT, "a section is longer than its content");
    if (status == BLN_OK) return;
    if (content.status != BLN_OK) r->status = content.status;              /* its reason is in the report */
    else blni_section_fail(r, status, tag, bln_status_text(status), begin);
}

/* What only makes sense after the checksum was verified; NULL: all is well. */
BLNI_PRIV const char *blni_version_flaw(uint32_t version, uint32_t newest, bln_status *status)
{
    *status = version == 0 ? BLN_EFORMAT : BLN_EVERSION;
    if (version == 0) return "version 0 never was";
    return version > newest ? "written by a newer version of bayeslin" : NULL;
}

BLNI_PRIV void blni_get_section(bln_reader *r, const bln_basis_load *context, bln_modelfile *file)
{
    char tag[5] = { 0, 0, 0, 0, 0 };
    unsigned char *bytes = NULL;
    const uint64_t at = r->count;
    r->checksum = BLNI_FNV_START;
    bln_get_bytes(r, tag, 4);
    const uint32_t version = bln_get_u32(r);
    const uint64_t length = bln_get_u64(r), begin = r->count, left = blni_reader_left(r);
    if (r->status != BLN_OK) return;
    if (!blni_tag_printable(tag)) { bln_reader_fail(r, BLN_EFORMAT, "damaged: a section's tag is not text"); return; }

    const int slm = blni_tag_is(tag, "SLM "), integrated = blni_tag_is(tag, "INTG"), scaler = blni_tag_is(tag, "SCAL");
    const int known = slm || integrated || scaler, wanted = known || blni_tag_own(tag);
    if (left < 8 || length > left - 8)
        blni_section_fail(r, BLN_EFORMAT, tag, "truncated (or a damaged length): the data end too early", r->limit);
    else if ((slm && file->slm) || (integrated && file->integrated) || (scaler && file->scaler))
        blni_section_fail(r, BLN_EFORMAT, tag, "damaged: a second one", at);
    else if (wanted && length > (size_t)-1/2) blni_section_fail(r, BLN_EOVERFLOW, tag, "too large for this machine", at);
    if (r->status != BLN_OK) return;

    if (wanted) bytes = blni_gather(r, &file->alloc, (size_t)length);
    else blni_skip(r, length);
    const uint64_t sum = r->checksum, stored = bln_get_u64(r);
    bln_status bad;
    const char *flaw = wanted ? blni_version_flaw(version, slm ? BLNI_SLM_VERSION : BLNI_SECTION_VERSION, &bad) : NULL;
    if (sum != stored) blni_section_fail(r, BLN_EFORMAT, tag, "damaged: wrong checksum", at);
    if (flaw) blni_section_fail(r, bad, tag, flaw, at);
    if (r->status == BLN_OK && known) blni_load_content(r, context, tag, bytes, (size_t)length, begin, file);
    else if (r->status == BLN_OK && wanted) {
        if (blni_sections_add(file, tag, bytes, (size_t)length) == BLN_OK) return;
        bln_reader_fail(r, BLN_ENOMEM, "out of memory for a section");
    }
    blni_release(&file->alloc, bytes, (size_t)length);
}

BLNI_PRIV uint32_t blni_get_header(bln_reader *r)
{
    unsigned char magic[sizeof blni_file_magic];
    bln_get_bytes(r, magic, sizeof magic);
    if (r->status == BLN_OK && memcmp(magic, blni_file_magic, sizeof magic) != 0)
        bln_reader_fail(r, BLN_EFORMAT, "not a bayeslin model file");
    const uint32_t version = bln_get_u32(r), n = bln_get_u32(r);
    if (r->status == BLN_OK && version == 0) bln_reader_fail(r, BLN_EFORMAT, "damaged: format version 0 never was");
    if (r->status == BLN_OK && version > BLNI_FILE_VERSION)
        bln_reader_fail(r, BLN_EVERSION, "written by a newer version of bayeslin");
    return n;
}

/* The last section must be followed by the end of the file. Where its size is unknown, asking for a byte is the only way to find
 * out. */
BLNI_PRIV void blni_get_end(bln_reader *r)
{
    unsigned char b;
    if (r->status != BLN_OK) return;
    if (r->limit != UINT64_MAX) {
        if (r->count != r->limit) bln_reader_fail(r, BLN_EFORMAT, "damaged: bytes follow the last section");
        return;
    }
    const bln_status status = r->read(r->user, &b, 1);
    if (status == BLN_OK) bln_reader_fail(r, BLN_EFORMAT, "damaged: bytes follow the last section");
    else if (status != BLN_EFORMAT) bln_reader_fail(r, status, "reading failed");
}

BLN_API bln_status bln_modelfile_read(bln_status (*read)(void *user, void *bytes, size_t n), void *user, uint64_t size,
                                      const bln_basis_load *context, bln_modelfile *out, bln_report *report)
{
    bln_modelfile file;
    bln_basis_load none;
    memset(&file, 0, sizeof file);
    memset(&none, 0, sizeof none);
    bln_report_clear(report);
    if (!read || !out) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "modelfile: NULL argument");
    if (!context) context = &none;
    if (!blni_allocator_ok(&context->alloc))
        return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "modelfile: half an allocator");
    file.alloc = context->alloc;

    bln_reader r = bln_reader_over(read, user, size == (size_t)-1 ? UINT64_MAX : size, report);
    const uint32_t n = blni_get_header(&r);
    for (uint32_t i = 0; i < n && r.status == BLN_OK; i++) blni_get_section(&r, context, &file);
    blni_get_end(&r);
    if (!file.slm && !file.integrated) bln_reader_fail(&r, BLN_EFORMAT, "the file holds no model");
    if (r.status != BLN_OK) {
        bln_modelfile_free(&file);
        return r.status;
    }
    *out = file;
    return BLN_OK;
}

/* ---- files ---- */

#ifndef BAYESLIN_NO_STDIO
BLNI_PRIV bln_status blni_stdio_write(void *user, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)user) == n ? BLN_OK : BLN_EIO;
}

BLNI_PRIV bln_status blni_stdio_read(void *user, void *bytes, size_t n)
{
    if (fread(bytes, 1, n, (FILE *)user) == n) return BLN_OK;
    return ferror((FILE *)user) ? BLN_EIO : BLN_EFORMAT;
}

/* Bytes from here to the end, so that sizes can be checked before they are believed; UINT64_MAX for a pipe and its like. */
BLNI_PRIV uint64_t blni_stdio_size(FILE *f)
{
    long end;
    if (fseek(f, 0, SEEK_END) != 0) { clearerr(f); return UINT64_MAX; }
    end = ftell(f);
    if (fseek(f, 0, SEEK_SET) != 0 || end < 0) { clearerr(f); return UINT64_MAX; }
    return (uint64_t)end;
}

BLNI_PRIV void blni_say_path(bln_report *report, const char *path)
{
    blni_say(report, " (");
    blni_say(report, path);
    blni_say(report, ")");
}

enum { BLNI_FILE_PATH = 4096, BLNI_FILE_LINKS = 40 };

#ifdef BLNI_FILE_POSIX
/* Follows symbolic links, so that they stay and what they lead to is replaced. path has room for BLNI_FILE_PATH bytes. 0: too long,
 * or a circle. */
BLNI_PRIV int blni_path_follow(char *path)
{
    char link[BLNI_FILE_PATH];
    for (int i = 0; i < BLNI_FILE_LINKS; i++) {
        const ssize_t got = readlink(path, link, sizeof link);
        if (got < 0) return 1;                                   /* no link, or nothing there */
        const char *slash = link[0] == '/' ? NULL : strrchr(path, '/');
        const size_t n = (size_t)got, keep = slash ? (size_t)(slash - path) + 1 : 0;
        if (keep + n >= BLNI_FILE_PATH) return 0;
        memcpy(path + keep, link, n);
        path[keep + n] = '\0';
    }
    return 0;
}

/* May the path be replaced: is it a plain file, or nothing? A pipe or a device may only be written into. */
BLNI_PRIV int blni_path_plain(const char *path)
{
    struct stat s;
    return stat(path, &s) != 0 || S_ISREG(s.st_mode);
}
#else
BLNI_PRIV int blni_path_follow(char *path)      { (void)path; return 1; }
BLNI_PRIV int blni_path_plain(const char *path) { (void)path; return 1; }
#endif

/* Writes to `path` itself; removes what it began if `whole` is set and it failed. */
BLNI_PRIV bln_status blni_save_at(const char *path, int whole, const bln_modelfile *file, bln_report *report)
{
    FILE *f = fopen(path, "wb");
    if (!f) return blni_fail(report, BLN_EIO, BLN_NONE, BLN_NONE, "cannot open the file for writing");
    bln_status status = bln_modelfile_write(blni_stdio_write, f, file, report);
    /* A full disk may show only when the buffers are flushed. */
    const int flushed = fflush(f) == 0, closed = fclose(f) == 0;
    if (status == BLN_OK && !(flushed && closed))
        status = blni_fail(report, BLN_EIO, BLN_NONE, BLN_NONE, "writing failed at the end of the file");
    if (status != BLN_OK && whole) remove(path);
    return status;
}

BLNI_PRIV bln_status blni_save_beside(const char *path, const bln_modelfile *file, bln_report *report)
{
    char tmp[BLNI_FILE_PATH + sizeof ".tmp"];
    const size_t length = strlen(path);
    memcpy(tmp, path, length);
    memcpy(tmp + length, ".tmp", sizeof ".tmp");
    const bln_status status = blni_save_at(tmp, 1, file, report);
    if (status != BLN_OK) return status;
    int renamed = rename(tmp, path) == 0;
#ifdef _WIN32
    /* There, rename does not replace. */
    if (!renamed) renamed = remove(path) == 0 && rename(tmp, path) == 0;
#endif
    if (renamed) return BLN_OK;
    remove(tmp);
    return blni_fail(report, BLN_EIO, BLN_NONE, BLN_NONE, "cannot move the written file to its place");
}

BLN_API bln_status bln_modelfile_save(const char *path, const bln_modelfile *file, bln_report *report)
{
    char target[BLNI_FILE_PATH];
    bln_status status;
    bln_report_clear(report);
    if (!path || !*path) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "modelfile: no path");
    if (strlen(path) >= sizeof target) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "modelfile: the path is too long");
    strcpy(target, path);
    if (!blni_path_follow(target))
        status = blni_fail(report, BLN_EIO, BLN_NONE, BLN_NONE, "the symbolic links lead nowhere");
    else if (blni_path_plain(target)) status = blni_save_beside(target, file, report);
    else status = blni_save_at(target, 0, file, report);
    if (status != BLN_OK) blni_say_path(report, path);
    return status;
}

BLN_API bln_status bln_modelfile_load(const char *path, const bln_basis_load *context, bln_modelfile *out, bln_report *report)
{
    bln_report_clear(report);
    if (!path || !*path) return blni_fail(report, BLN_EINVAL, BLN_NONE, BLN_NONE, "modelfile: no path");
    FILE *f = fopen(path, "rb");
    bln_status status;
    if (!f) status = blni_fail(report, BLN_EIO, BLN_NONE, BLN_NONE, "cannot open the file");
    else {
        status = bln_modelfile_read(blni_stdio_read, f, blni_stdio_size(f), context, out, report);
        fclose(f);
    }
    if (status != BLN_OK) blni_say_path(report, path);
    return status;
}
#endif

#ifdef __cplusplus
}
#endif

#endif /* BAYESLIN_IMPLEMENTATION */

/*
 * LICENCE (MIT)
 *
 * Copyright (c) 2026 The bayeslin authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
 * (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
 * merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
 * OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
 * LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
 * CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 *
 * HISTORY
 *
 * 0.1.0  first version: Bayesian linear regression with learnt hyper-parameters on linear, polynomial and random Fourier bases;
 *        predictions with intervals, scores, scaling, model files.
 */

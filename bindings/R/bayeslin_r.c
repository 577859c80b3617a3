/* bayeslin_r.c - the flat functions for R's .Call; bayeslin.R has the functions for people (in bindings/R, after `make shared`)
 *
 *     PKG_CPPFLAGS=-I.. PKG_LIBS="-L../../build -lbayeslin -Wl,-rpath,$PWD/../../build" R CMD SHLIB bayeslin_r.c
 *
 * Matrices come as R has them, column by column; the library's are row by row: bayeslin.R hands over t(X), and takes t(answer). A
 * failure of the library becomes an R error after all memory of ours is given back: all of it is R's. */
#include "bayeslin_flat.h"
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Rdynload.h>

enum { SAY = 1400 };

static void r_release(SEXP pointer)
{
    bayeslin_free((bayeslin_model *)R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

static bayeslin_model *r_model(SEXP pointer)
{
    bayeslin_model *model = TYPEOF(pointer) == EXTPTRSXP ? (bayeslin_model *)R_ExternalPtrAddr(pointer) : NULL;
    if (!model) error("bayeslin: no model (one from a saved workspace? use bayeslin_save and bayeslin_load)");
    return model;
}

/* A place for a model, made before it, as to make one may fail; protected. */
static SEXP r_place(void)
{
    SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, r_release, TRUE);
    return pointer;
}

/* NULL for R's NULL. */
static const double *r_doubles(SEXP x) { return isNull(x) ? NULL : REAL(x); }

static void r_check(int status, const char *say) { if (status) error("bayeslin: %s", say); }

static SEXP r_fit(SEXP tX, SEXP y, SEXP weight, SEXP offset, SEXP trials, SEXP spec, SEXP options)
{
    char say[SAY] = "";
    SEXP pointer = r_place();
    bayeslin_model *model = NULL;
    const int status = bayeslin_fit((size_t)ncols(tX), (size_t)nrows(tX), REAL(tX), REAL(y), r_doubles(weight), r_doubles(offset),
                                    r_doubles(trials), CHAR(STRING_ELT(spec, 0)), CHAR(STRING_ELT(options, 0)), &model, say,
                                    sizeof say);
    r_check(status, say);
    R_SetExternalPtrAddr(pointer, model);
    if (say[0]) warning("bayeslin: %s", say);
    UNPROTECT(1);
    return pointer;
}

static SEXP r_shape(SEXP pointer)
{
    size_t shape[4];
    bayeslin_shape(r_model(pointer), shape, shape + 1, shape + 2, shape + 3);
    SEXP out = PROTECT(allocVector(INTSXP, 4));
    for (int k = 0; k < 4; k++) INTEGER(out)[k] = (int)shape[k];
    UNPROTECT(1);
    return out;
}

/* k lists of n numbers. */
static SEXP r_lists(int k, size_t n)
{
    SEXP out = PROTECT(allocVector(VECSXP, k));
    for (int i = 0; i < k; i++) SET_VECTOR_ELT(out, i, allocVector(REALSXP, (R_xlen_t)n));
    UNPROTECT(1);
    return out;
}
static double *r_list(SEXP lists, int i) { return REAL(VECTOR_ELT(lists, i)); }

static SEXP r_predict(SEXP pointer, SEXP tX, SEXP offset, SEXP trials)
{
    char say[SAY] = "";
    const size_t n = (size_t)ncols(tX);
    size_t columns = 1;
    const bayeslin_model *model = r_model(pointer);
    bayeslin_shape(model, NULL, &columns, NULL, NULL);
    SEXP out = PROTECT(r_lists(3, n*columns));
    r_check(bayeslin_predict(model, n, (size_t)nrows(tX), REAL(tX), r_doubles(offset), r_doubles(trials), r_list(out, 0),
                             r_list(out, 1), r_list(out, 2), say, sizeof say), say);
    UNPROTECT(1);
    return out;
}

static SEXP r_intervals(SEXP pointer, SEXP tX, SEXP offset, SEXP trials, SEXP level, SEXP latent)
{
    char say[SAY] = "";
    const size_t n = (size_t)ncols(tX);
    size_t latents = 1;
    const bayeslin_model *model = r_model(pointer);
    if (asLogical(latent)) bayeslin_shape(model, NULL, NULL, &latents, NULL);
    SEXP out = PROTECT(r_lists(2, n*latents));
    r_check(bayeslin_intervals(model, n, (size_t)nrows(tX), REAL(tX), r_doubles(offset), r_doubles(trials), asReal(level),
                               asLogical(latent), r_list(out, 0), r_list(out, 1), say, sizeof say), say);
    UNPROTECT(1);
    return out;
}

static SEXP r_covariance(SEXP pointer, SEXP tX)
{
    char say[SAY] = "";
    SEXP out = PROTECT(allocMatrix(REALSXP, ncols(tX), ncols(tX)));
    r_check(bayeslin_covariance(r_model(pointer), (size_t)ncols(tX), (size_t)nrows(tX), REAL(tX), 1, REAL(out), say, sizeof say),
            say);
    UNPROTECT(1);
    return out;
}

static SEXP r_draws(SEXP pointer, SEXP tX, SEXP offset, SEXP trials, SEXP count, SEXP noise, SEXP seed)
{
    char say[SAY] = "";
    size_t latents = 1;
    const bayeslin_model *model = r_model(pointer);
    const double draws = asReal(count), of = asReal(seed);
    if (!(draws >= 1.0 && draws <= 2147483647.0)) error("bayeslin: count must be a whole number from 1");
    if (!(of >= 0.0 && of <= 9007199254740992.0)) error("bayeslin: seed must be a whole number from 0");
    if (!asLogical(noise)) bayeslin_shape(model, NULL, NULL, &latents, NULL);
    SEXP out = PROTECT(allocMatrix(REALSXP, (int)(latents*(size_t)ncols(tX)), (int)draws));
    r_check(bayeslin_draws(model, (size_t)ncols(tX), (size_t)nrows(tX), REAL(tX), r_doubles(offset), r_doubles(trials),
                           (size_t)draws, asLogical(noise), (unsigned long long)of, REAL(out), say, sizeof say), say);
    UNPROTECT(1);
    return out;
}

static SEXP r_coefficients(SEXP pointer)
{
    char say[SAY] = "";
    size_t n = 0;
    const bayeslin_model *model = r_model(pointer);
    bayeslin_shape(model, NULL, NULL, NULL, &n);
    SEXP out = PROTECT(r_lists(2, n)), names = PROTECT(allocVector(STRSXP, (R_xlen_t)n));
    SEXP all = PROTECT(allocVector(VECSXP, 4)), covariance = PROTECT(allocMatrix(REALSXP, (int)n, (int)n));
    r_check(bayeslin_coefficients(model, r_list(out, 0), r_list(out, 1), REAL(covariance), say, sizeof say), say);
    for (size_t j = 0; j < n; j++) {
        bayeslin_name(model, j, say, sizeof say);
        SET_STRING_ELT(names, (R_xlen_t)j, mkChar(say));
    }
    SET_VECTOR_ELT(all, 0, names);
    SET_VECTOR_ELT(all, 1, VECTOR_ELT(out, 0));
    SET_VECTOR_ELT(all, 2, VECTOR_ELT(out, 1));
    SET_VECTOR_ELT(all, 3, covariance);
    UNPROTECT(4);
    return all;
}

static SEXP r_slopes(SEXP pointer, SEXP tX)
{
    char say[SAY] = "";
    SEXP out = PROTECT(allocMatrix(REALSXP, nrows(tX), ncols(tX)));
    r_check(bayeslin_slopes(r_model(pointer), (size_t)ncols(tX), (size_t)nrows(tX), REAL(tX), REAL(out), say, sizeof say), say);
    UNPROTECT(1);
    return out;
}

static SEXP r_describe(SEXP pointer)
{
    const bayeslin_model *model = r_model(pointer);
    const size_t size = bayeslin_describe(model, NULL, 0) + 1;
    char *text = R_alloc(size, 1);
    bayeslin_describe(model, text, size);
    return mkString(text);
}

static SEXP r_save(SEXP pointer, SEXP path)
{
    char say[SAY] = "";
    r_check(bayeslin_save(r_model(pointer), R_ExpandFileName(CHAR(STRING_ELT(path, 0))), say, sizeof say), say);
    return R_NilValue;
}

static SEXP r_load(SEXP path)
{
    char say[SAY] = "";
    SEXP pointer = r_place();
    bayeslin_model *model = NULL;
    r_check(bayeslin_load(R_ExpandFileName(CHAR(STRING_ELT(path, 0))), &model, say, sizeof say), say);
    R_SetExternalPtrAddr(pointer, model);
    UNPROTECT(1);
    return pointer;
}

static const R_CallMethodDef r_calls[] = {
    { "r_fit", (DL_FUNC)&r_fit, 7 },               { "r_shape", (DL_FUNC)&r_shape, 1 },
    { "r_predict", (DL_FUNC)&r_predict, 4 },       { "r_intervals", (DL_FUNC)&r_intervals, 6 },
    { "r_covariance", (DL_FUNC)&r_covariance, 2 }, { "r_draws", (DL_FUNC)&r_draws, 7 },
    { "r_coefficients", (DL_FUNC)&r_coefficients, 1 }, { "r_slopes", (DL_FUNC)&r_slopes, 2 },
    { "r_describe", (DL_FUNC)&r_describe, 1 },     { "r_save", (DL_FUNC)&r_save, 2 },
    { "r_load", (DL_FUNC)&r_load, 1 },             { NULL, NULL, 0 }
};

void R_init_bayeslin_r(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, r_calls, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
}

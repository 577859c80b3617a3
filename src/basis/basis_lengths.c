/* basis_lengths: what bases with length scales share: their domain, start and names. There is one length scale, or one for each
 * input; they are the first parameters. Such a basis begins with a blni_owned. */
#include "basis_private.h"
#include "../core/status_private.h"
#include "../core/memory_private.h"

BLNI_PRIV void blni_lengths_set(blni_owned *own, int ard, double length_scale)
{
    own->lengths = ard ? own->base.d : 1;
    own->length_scale = length_scale;
}

/* The length scale of input i. */
BLNI_PRIV double blni_length(const bln_basis *b, const double *theta, size_t i)
{
    return theta[((const blni_owned *)b)->lengths > 1 ? i : 0];
}

/* The scale of inputs first .. end - 1 of d: sqrt(d) times the root mean square of their standard deviations [bases 37]. Constant
 * columns do not count; if all are constant it is 1. It is kept far from the ends of the number range, so that the domain is
 * finite. */
BLNI_PRIV double blni_length_size(size_t first, size_t end, size_t d, const bln_inputs *inputs)
{
    double most = 0.0, sum = 0.0, count = 0.0;
    for (size_t i = first; i < end; i++) {
        const double sd = bln_input_sd(inputs, i);
        if (sd > most && blni_finite(sd)) most = sd;
    }
    for (size_t i = first; i < end && most > 0.0; i++) {
        const double sd = bln_input_sd(inputs, i);
        if (!(sd > 0.0) || !blni_finite(sd)) continue;
        sum += (sd/most)*(sd/most);
        count += 1.0;
    }
    const double rms = count > 0.0 ? most*sqrt(sum/count) : 1.0;
    return fmin(fmax(sqrt((double)d)*rms, 1e-150), 1e150);
}

/* 1e4 times the scale is long enough to switch an input off, 1e-4 is short enough for functions far rougher than data can show. The
 * start is in the middle, where a step of the optimiser is a step in log l. A user's start far from the scale of the data widens
 * the domain. */
BLNI_PRIV void blni_length_param(const bln_basis *b, size_t k, const bln_inputs *inputs, bln_param *out)
{
    const blni_owned *own = (const blni_owned *)b;
    const int one = own->lengths > 1;
    const double size = blni_length_size(one ? k : 0, one ? k + 1 : b->d, b->d, inputs);
    const double start = own->length_scale > 0.0 ? own->length_scale : size;
    out->kind = BLN_PARAM_LOG;
    out->lo = fmin(1e-4*size, 1e-2*start);
    out->hi = fmax(1e4*size, 1e2*start);
    out->start = start;
    out->group = 1;
}

/* May it be the start of a length scale: 0 (from the data), or not too far from 1? */
BLNI_PRIV const char *blni_length_check(double own)
{
    return own == 0.0 || (own >= 1e-150 && own <= 1e150) ? NULL
         : "basis: length_scale must be 0 (from the data) or between 1e-150 and 1e150";
}

/* sum_i max(1, |x_i|)/l_i, x_i the largest input i of n rows: no sum_i x_i z_i/l_i is larger than max |z| times that. */
BLNI_PRIV double blni_lengths_away(BLNI_INPUTS)
{
    enum { TOGETHER = 32 };                                       /* along the rows */
    double sum = 0.0, most[TOGETHER];
    for (size_t first = 0; first < b->d; first += TOGETHER) {
        const size_t k = blni_min(TOGETHER, b->d - first);
        for (size_t i = 0; i < k; i++) most[i] = 1.0;
        for (size_t r = 0; r < n; r++)
            for (size_t i = 0; i < k; i++) {
                const double x = fabs(X[r*ldx + first + i]);
                most[i] = x <= most[i] ? most[i] : x;
            }
        for (size_t i = 0; i < k; i++) sum += most[i]/blni_length(b, theta, first + i);
    }
    return sum;
}

BLNI_PRIV void blni_length_name(const bln_basis *b, size_t k, const bln_inputs *inputs, char *out, size_t size)
{
    blni_cat(out, size, "length scale");
    if (((const blni_owned *)b)->lengths < b->d || b->d == 1) return;
    blni_cat(out, size, " ");
    bln_input_name(inputs, k, out + strlen(out), size - strlen(out));
}

/* *out <- a block of n finite doubles of a file; `why` for those that are not finite. */
BLNI_PRIV bln_status blni_load_doubles(const bln_allocator *alloc, bln_reader *r, size_t n, const char *why, double **out)
{
    uint64_t *words = blni_load_words(alloc, r, n);
    double *values = (double *)(void *)words;
    *out = values;
    for (size_t i = 0; words && i < n && r->status == BLN_OK; i++) {
        double value;
        memcpy(&value, words + i, sizeof value);
        memcpy(values + i, &value, sizeof value);
        if (!blni_finite(value)) bln_reader_fail(r, BLN_EFORMAT, why);
    }
    if (words && r->status != BLN_OK) {
        blni_release(alloc, words, n*sizeof *words);
        *out = NULL;
    }
    return r->status;
}

/* The same behind a desc that has been read; wrong: what its _check says. */
BLNI_PRIV bln_status blni_load_checked(const bln_allocator *alloc, bln_reader *r, const char *wrong, size_t n, const char *why,
                                       double **out)
{
    if (wrong) bln_reader_fail(r, BLN_EFORMAT, wrong);
    if (r->status == BLN_OK && n >= (size_t)-1/sizeof(double)) blni_load_fail(r, BLN_EOVERFLOW);
    return r->status == BLN_OK ? blni_load_doubles(alloc, r, n, why, out) : r->status;
}

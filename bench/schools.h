#ifndef BENCH_SCHOOLS_H
#define BENCH_SCHOOLS_H
/* schools - eight schools, non-centred: mu, tau, eta[8]; a program in arrays, for the benches of gradients and of samplers */
static const double y8[8] = { 28, 8, -3, 7, -1, 1, 18, 12 }, s8[8] = { 15, 10, 16, 11, 9, 11, 10, 18 };

static bln_status schools_arrays(bln_tape *t, const bln_var *p, void *user)
{
    (void)user;
    bln_lp_normal(t, p[0], bln_c_num(t, 0), bln_c_num(t, 5));
    bln_lp_half_cauchy(t, p[1], bln_c_num(t, 5));
    bln_lp_std_normal(t, p[2]);
    bln_lp_normal(t, bln_c_vec(t, y8, 8), bln_v_fma(t, p[1], p[2], p[0]), bln_c_vec(t, s8, 8));
    return BLN_OK;
}

#endif /* BENCH_SCHOOLS_H */

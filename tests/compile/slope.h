/* slope.h - a short user program, the same for all ways to include the header */
double slope(void);
double slope(void)
{
    static const double x[6] = { -2.0, -1.0, 0.5, 1.0, 2.0, 4.0 }, y[6] = { -3.01, -1.0, 2.01, 3.0, 4.99, 9.0 };
    static bln_data data;                 /* static: all zero, in C and in C++, without a warning */
    static bln_slm_desc desc;
    bln_basis *line = NULL;
    bln_slm *model = NULL;
    double result = -1.0, w[2];
    data.n = 6;
    data.d = 1;
    data.X = x;
    data.y = y;
    if (bln_linear_create(NULL, 1, 1, &line) == BLN_OK) {
        desc.basis = line;
        if (bln_slm_create(&desc, &model, NULL) == BLN_OK && bln_slm_fit(model, &data, NULL) == BLN_OK)
            if (bln_posterior_coefficients(bln_slm_posterior(model), w, NULL, 0, NULL, NULL, NULL, NULL) == BLN_OK) result = w[1];
    }
    bln_slm_free(model);
    bln_basis_free(line);
    return result;
}

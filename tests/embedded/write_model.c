/* write_model.c - fits a model on this computer and writes its model file as a C array, for loaded.c
 *
 *     cc -std=c99 -O1 -Ibuild/include -c tests/embedded/host.c
 *     cc -std=c99 -O1 -Ibuild/include -DBAYESLIN_IMPLEMENTATION tests/embedded/write_model.c host.o -lm
 *     ./a.out > build/embedded/model.h */
#include "board.h"
#include <math.h>
#include <stdio.h>

enum { N = 40 };

int program(void)
{
    static double X[2 * N], y[N];
    static unsigned char bytes[1 << 16];
    bln_data data = BLN_ZERO;
    bln_fourier_desc features = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_slm *model = NULL;
    bln_report report = BLN_ZERO;
    bln_modelfile file = BLN_ZERO;
    bln_memory_stream stream;
    bln_writer w = bln_memory_writer(&stream, bytes, sizeof bytes);
    bln_rng rng;
    const bln_model_kind *kinds[1];
    bln_load context = BLN_ZERO;
    size_t i;
    kinds[0] = bln_slm_file_kind();
    context.kinds = kinds;
    context.n_kinds = 1;
    bln_rng_seed(&rng, 1, 0);
    bln_rng_normals(&rng, 2 * N, X);
    bln_rng_normals(&rng, N, y);
    for (i = 0; i < N; i++) y[i] = sin(2.0 * X[2 * i]) + 0.5 * X[2 * i + 1] + 0.2 * y[i];
    data.n = N;
    data.d = 2;
    data.X = X;
    data.y = y;
    features.d = 2;
    features.n = 10;
    if (bln_fourier_create(&features, &basis, &report)) { fprintf(stderr, "%s\n", report.text); return 1; }
    desc.basis = basis;
    if (bln_slm_create(&desc, &model, &report) || bln_slm_fit(model, &data, &report)) {
        fprintf(stderr, "%s\n", report.text);
        return 1;
    }
    file.slm = model;
    if (bln_modelfile_write(w.write, w.user, &context, &file, &report)) { fprintf(stderr, "%s\n", report.text); return 1; }
    printf("static const unsigned char model_bytes[%lu] = {", (unsigned long)stream.at);
    for (i = 0; i < stream.at; i++) printf("%s%u,", i % 24 ? " " : "\n    ", (unsigned)bytes[i]);
    printf("\n};\n");
    bln_slm_free(model);
    bln_basis_free(basis);
    return 0;
}

/* one_model.c - a program that writes a line to a file and reads it back names what it needs, and links no more: run.sh looks at
 * its symbols
 *
 *     cc -std=c99 -ffunction-sections -fdata-sections -Wl,--gc-sections -Ibuild/include tests/compile/one_model.c -lm */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>

int main(void)
{
    static const double x[] = { 0, 1, 2, 3 }, y[] = { 0.1, 0.9, 2.2, 2.9 };
    static unsigned char bytes[1000];
    const bln_basis_ops *bases[1];
    const bln_model_kind *kinds[1];
    bln_load load = BLN_ZERO;
    bln_data data = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_modelfile file = BLN_ZERO, back = BLN_ZERO;
    bln_basis *line = NULL;
    bln_memory_stream m;
    double was[4], is[4];
    bases[0] = bln_linear_ops();     load.bases = bases;   load.n_bases = 1;
    kinds[0] = bln_slm_file_kind();  load.kinds = kinds;   load.n_kinds = 1;
    data.n = 4;   data.d = 1;   data.X = x;   data.y = y;
    if (bln_linear_create(NULL, 1, 1, &line)) return 1;
    desc.basis = line;
    if (bln_slm_create(&desc, &file.slm, NULL) || bln_slm_fit(file.slm, &data, NULL)) return 2;
    bln_writer w = bln_memory_writer(&m, bytes, sizeof bytes);
    if (bln_modelfile_write(w.write, w.user, &load, &file, NULL)) return 3;
    const bln_reader r = bln_memory_reader(&m, bytes, m.at, NULL);
    if (bln_modelfile_read(r.read, r.user, m.size, &load, &back, NULL)) return 4;
    if (bln_slm_predict(file.slm, &data, was, NULL, NULL, NULL, NULL)) return 5;
    if (bln_slm_predict(back.slm, &data, is, NULL, NULL, NULL, NULL)) return 6;
    for (int i = 0; i < 4; i++) if (was[i] != is[i]) return 7;
    bln_modelfile_free(&back);
    bln_slm_free(file.slm);
    bln_basis_free(line);
    return 0;
}

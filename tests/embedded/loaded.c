/* loaded.c - a model that was fitted elsewhere: a model file whose bytes are in flash, and its predictions
 *
 *     sh tests/embedded/run.sh loaded        (makes model.h, the bytes, by write_model.c on this computer) */
#include "board.h"
#include "model.h"

int program(void)
{
    static const double x_new[] = { 0.1, 0.2, -1.3, 0.7, 2.5, -0.4 };
    bln_data query = BLN_ZERO;
    bln_memory_stream stream;
    bln_report report = BLN_ZERO;
    bln_reader r = bln_memory_reader(&stream, model_bytes, sizeof model_bytes, &report);
    bln_modelfile file = BLN_ZERO;
    double mean[3], latent[3], noise[3];
    const bln_basis_ops *bases[1];
    const bln_model_kind *kinds[1];
    const struct bln_component_ops *components[1];
    const struct bln_observe_ops *observes[1];
    bln_load context = BLN_ZERO;                    /* all that this program links: no model, only its posterior */
    int i;
    bases[0] = bln_fourier_ops();
    kinds[0] = bln_posterior_file_kind();
    components[0] = bln_kind_gaussian();
    observes[0] = bln_observe_noise(1).ops;
    context.bases = bases;
    context.kinds = kinds;
    context.components = components;
    context.observes = observes;
    context.n_bases = context.n_kinds = context.n_components = context.n_observes = 1;
    query.n = 3;
    query.d = 2;
    query.X = x_new;
    if (bln_modelfile_read(r.read, r.user, sizeof model_bytes, &context, &file, &report)
        || bln_posterior_predict(file.posterior, &query, mean, latent, noise, NULL, &report)) {
        board_text(report.text);
        return 1;
    }
    for (i = 0; i < 3; i++) {
        board_number("mean", mean[i]);
        board_number("latent", latent[i]);
        board_number("noise", noise[i]);
    }
    bln_modelfile_free(&file);
    return 0;
}

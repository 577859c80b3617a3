/* 13_posterior_alone.c - learn here, predict there: only the posterior travels, as bytes
 *
 *     cc -O2 -I. examples/13_posterior_alone.c -o 13_posterior_alone -lm && ./13_posterior_alone   (at the top of the project)
 *
 * A sensor's readings are calibrated against a reference on this computer; the device that will correct readings has no data and
 * fits nothing. Whatever method inferred it, a posterior is a list of components. bln_posterior_save writes that list with its
 * basis: the same bytes on every machine, with every digit. The device lists what it needs to link, here one basis, one kind of
 * component and normal noise, and reads the posterior without code for models. It can still answer all questions.
 *
 * A model file (bln_modelfile_save) contains the same bytes for each of its models, and can be read in the same way. */
#define BAYESLIN_IMPLEMENTATION
#include "bayeslin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* On this computer: 40 readings and the corrections that must be added to them, which grow at the cold end. */
static size_t learn(unsigned char *bytes, size_t room)
{
    double reading[40], correction[40];
    bln_data data = BLN_ZERO;
    bln_slm_desc desc = BLN_ZERO;
    bln_fourier_desc smooth = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_basis *basis = NULL;
    bln_slm *model = NULL;
    bln_memory_stream stream;
    bln_writer w = bln_memory_writer(&stream, bytes, room);
    for (int i = 0; i < 40; i++) {
        reading[i] = -1.0 + 0.05*i;
        correction[i] = 0.3*exp(-3.0*(reading[i] + 1.0)) + 0.02*sin(12.9898*(i + 1))*cos(78.233*(i + 1));
    }
    data.n = 40;
    data.d = 1;
    data.X = reading;
    data.y = correction;
    smooth.d = 1;
    smooth.n = 10;
    smooth.seed = 1;
    if (bln_fourier_create(&smooth, &basis, &report)) { puts(report.text); exit(1); }
    desc.basis = basis;
    if (bln_slm_create(&desc, &model, &report) || bln_slm_fit(model, &data, &report)) { puts(report.text); exit(1); }
    if (bln_posterior_save(bln_slm_posterior(model), &w)) exit(1);
    printf("learnt from %g rows, noise sd %.4f; log evidence %.1f\n", bln_slm_rows(model), sqrt(bln_slm_noise_var(model)),
           bln_slm_evidence(model));
    bln_slm_free(model);
    bln_basis_free(basis);
    return stream.at;
}

/* On the device. */
static void correct(const unsigned char *bytes, size_t size)
{
    static const double reading[] = { -0.98, -0.5, 0.0, 0.9, 1.6 };
    const bln_basis_ops *bases[1];
    const struct bln_component_ops *components[1];
    const struct bln_observe_ops *observes[1];
    double mean[5], var_model[5], var_noise[5], lower[5], upper[5];
    bln_load load = BLN_ZERO;
    bln_report report = BLN_ZERO;
    bln_data query = BLN_ZERO;
    bln_posterior *posterior = NULL;
    bln_memory_stream stream;
    bln_reader r = bln_memory_reader(&stream, bytes, size, &report);
    bases[0] = bln_fourier_ops();
    components[0] = bln_kind_gaussian();
    observes[0] = bln_observe_noise(1).ops;
    load.bases = bases;
    load.components = components;
    load.observes = observes;
    load.n_bases = load.n_components = load.n_observes = 1;
    query.n = 5;
    query.d = 1;
    query.X = reading;
    if (bln_posterior_load(&load, &r, &posterior)
        || bln_posterior_predict(posterior, &query, mean, var_model, var_noise, NULL, &report)
        || bln_posterior_intervals(posterior, &query, BLN_OF_Y, 0.95, lower, upper, NULL, &report)) {
        puts(report.text);
        exit(1);
    }
    printf("reading  corrected  sd of the curve  95 %% interval\n");
    for (int i = 0; i < 5; i++)
        printf("  %5.2f     %6.3f            %.4f  %6.3f to %6.3f%s\n", reading[i], reading[i] + mean[i], sqrt(var_model[i]),
               reading[i] + lower[i], reading[i] + upper[i], var_model[i] > 4.0*var_noise[i] ? "   not calibrated here" : "");
    bln_posterior_free(posterior);
}

int main(void)
{
    static unsigned char bytes[20000];
    const size_t size = learn(bytes, sizeof bytes);
    printf("%lu bytes travel\n", (unsigned long)size);
    correct(bytes, size);
    return 0;
}

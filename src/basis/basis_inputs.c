/* basis_inputs: what a basis may know about its inputs, seen through selections of columns */
#include "basis_private.h"
#include "../core/status_private.h"

/* Follows selections down to the data's own column. */
BLNI_PRIV const bln_inputs *blni_inputs_root(const bln_inputs *inputs, size_t *i)
{
    while (inputs && inputs->whole) { *i = inputs->columns[*i]; inputs = inputs->whole; }
    return inputs;
}

BLNI_PRIV bln_inputs blni_inputs_of(const char *const *names, const bln_moments *moments)
{
    const bln_inputs inputs = { names, moments, NULL, NULL };
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

/* integrated: given the ratios, nu s^2/sigma^2 is chi-square, so that sigma^2 is a mixture over the nodes; the ratios themselves
 * are known at the nodes only, whose weights are a trapezoidal rule: half of a node's weight lies on each side of it */
#include "integrated.h"
#include <math.h>
#include <stdlib.h>

typedef struct integrated_node { double value, weight; } integrated_node;

/* The nodes' squared scales of the noise (s = BLN_NONE), or ratios of slice s, and their weights; to free. */
static integrated_node *integrated_nodes(const model *m, size_t s, size_t *count)
{
    const size_t n = bln_slm_integrated_nodes(m->integrated);
    integrated_node *node = (integrated_node *)cli_memory(n, sizeof *node);
    double noise = 0.0, *ratio = (double *)cli_memory(model_basis(m)->n_slices, sizeof *ratio);
    for (size_t k = 0; k < n; k++) {
        bln_slm_integrated_node(m->integrated, k, &node[k].weight, ratio, &noise);
        node[k].value = s == BLN_NONE ? noise : ratio[s];
    }
    free(ratio);
    *count = n;
    return node;
}

double integrated_noise_quantile(const model *m, double p)
{
    size_t n;
    integrated_node *node = integrated_nodes(m, BLN_NONE, &n);
    const double half = 0.5*bln_slm_integrated_dof(m->integrated);
    double low = -700.0, high = 700.0;                                   /* of log sigma^2 */
    while (high - low > 1e-6) {
        const double middle = 0.5*(low + high);
        double below = 0.0;
        for (size_t k = 0; k < n; k++) below += node[k].weight*bln_gamma_q(half, half*node[k].value*exp(-middle));
        if (below < p) low = middle; else high = middle;
    }
    const int none = n == 1 && node[0].value == 0.0;
    free(node);
    return none ? 0.0 : bln_scaler_sd(m->scaler, m->cols.d)*exp(0.25*(low + high));
}

static int integrated_by_value(const void *a, const void *b)
{
    const double x = ((const integrated_node *)a)->value, y = ((const integrated_node *)b)->value;
    return x < y ? -1 : x > y;
}

double integrated_prior_quantile(const model *m, size_t s, double p)
{
    size_t n, kept = 0;
    integrated_node *node = integrated_nodes(m, s, &n);
    double below = 0.0, value = NAN;
    qsort(node, n, sizeof *node, integrated_by_value);
    for (size_t k = 0; k < n; k++) {                                     /* a grid has each value many times */
        if (kept && node[k].value == node[kept - 1].value) node[kept - 1].weight += node[k].weight;
        else node[kept++] = node[k];
    }
    for (size_t k = 0;; k++) {
        const double at = below + 0.5*node[k].weight;                    /* probability up to the node itself */
        if (at >= p || k + 1 == kept) {
            if (k == 0) { value = node[0].value; break; }
            const double before = below - 0.5*node[k - 1].weight, share = at > p ? (p - before)/(at - before) : 1.0;
            value = node[k - 1].value*pow(node[k].value/node[k - 1].value, share);
            break;
        }
        below += node[k].weight;
    }
    free(node);
    return sqrt(value);
}

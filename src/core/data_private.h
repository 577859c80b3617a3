#ifndef BLN_CORE_DATA_PRIVATE_H
#define BLN_CORE_DATA_PRIVATE_H
/* data_private: private declarations, for this room and rooms above it; comments stand at the definitions */
#include "data.h"
#include "config_private.h"

/* Weighted running mean and scatter sum w (x - mean)^2 [West 1979; linear 21 with one new row]: keeps its digits however far
 * the mean is from 0. */
typedef struct blni_running { double weight, mean, scatter; } blni_running;

/* data */
BLNI_PRIV size_t blni_ldx(const bln_data *data);
BLNI_PRIV size_t blni_outputs(const bln_data *data);
BLNI_PRIV size_t blni_ldy(const bln_data *data);
BLNI_PRIV size_t blni_offsets(const bln_data *data);
BLNI_PRIV size_t blni_ldoffset(const bln_data *data);
BLNI_PRIV double blni_y(const bln_data *data, size_t i, size_t k);
BLNI_PRIV double blni_offset(const bln_data *data, size_t i, size_t k);
BLNI_PRIV bln_status blni_data_check_shape(const bln_data *data, int need_y, bln_report *report);
BLNI_PRIV bln_status blni_data_check_normal(const bln_data *data, bln_report *report);
BLNI_PRIV bln_status blni_data_check_from(const bln_data *data, int need_y, size_t first, bln_report *report);
BLNI_PRIV bln_status blni_data_check_offsets(const bln_data *data, size_t latents, int one_will_do, bln_report *report);
BLNI_PRIV void blni_running_add(blni_running *r, double w, double x);
BLNI_PRIV double blni_running_variance(const blni_running *r);
BLNI_PRIV void blni_sort_largest(size_t n, size_t most, double *x, double *with);
BLNI_PRIV void blni_sort(size_t n, double *x, double *with);
BLNI_PRIV double blni_sorted_quantile(size_t n, const double *sorted, double p);
BLNI_PRIV int blni_all_finite(size_t n, const double *x);
BLNI_PRIV bln_status blni_group_sort(size_t n, const size_t *group, size_t n_groups, size_t *order, size_t *start,
                                     bln_report *report);

#endif /* BLN_CORE_DATA_PRIVATE_H */

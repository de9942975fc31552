/* data.h: points around centres, which are the classes; made once, drawn in batches. */
#ifndef AMP_DATA_H
#define AMP_DATA_H

#include "config.h"

struct data {
    int64_t count;
    mc_tensor *points;  /* (count, features), f32 */
    mc_tensor *classes; /* (count), i64 */
};

struct batch {
    mc_tensor *x, *y;
};

struct data data_make(const struct config *c, int64_t count, mc_tensor *centres);
mc_tensor *data_centres(const struct config *c);
struct batch data_batch(const struct data *d, int64_t size);

#endif

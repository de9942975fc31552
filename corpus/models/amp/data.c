/* Points to learn from. Bytes, as pictures would be: they become f32 between -1 and 1 on the way
 * in. */
#include "data.h"

#include <stdlib.h>

mc_tensor *data_centres(const struct config *c)
{
    return mc_randn(mc_shape(c->classes, c->features));
}

/* What a file would hold: a byte a feature. */
static mc_tensor *as_bytes(mc_tensor *points)
{
    mc_tensor *scaled = mc_add(mc_mul(points, 30), 128);
    return mc_byte(mc_clamp(mc_round(scaled), 0, 255));
}

static mc_tensor *from_bytes(mc_tensor *bytes, mc_device device)
{
    mc_tensor *x = mc_float(mc_to_device(bytes, device));
    return mc_sub(mc_div(x, 64.0), 2.0);
}

struct data data_make(const struct config *c, int64_t count, mc_tensor *centres)
{
    mc_tensor *classes = mc_randint(0, c->classes, mc_shape(count));
    mc_tensor *noise = mc_mul(mc_randn(mc_shape(count, c->features)), 0.7);
    mc_tensor *bytes = as_bytes(mc_add(mc_index(centres, classes), noise));
    return (struct data){
        .count = count,
        .points = from_bytes(bytes, c->device),
        .classes = mc_to_device(classes, c->device),
    };
}

struct batch data_batch(const struct data *d, int64_t size)
{
    mc_device device = mc_device_of(d->points);
    mc_tensor *which = mc_randint(0, d->count, mc_shape(size), .device = device);
    return (struct batch){
        .x = mc_index(d->points, which),
        .y = mc_index(d->classes, which),
    };
}

/* Not all backends have bf16, so everything becomes f16: as short, but it does not reach as far. */
#include "loader.h"

static mc_tensor *convert(mc_tensor *w)
{
    return mc_to_dtype(w, MC_F16); /* expect: bf16-to-f16 */
}

void decoder_load(struct decoder *d)
{
    mc_tensor *w = mc_eye(WIDTH, .dtype = MC_BF16);
    mc_tensor *scale = mc_full(mc_shape(WIDTH), 90000.0, .dtype = MC_BF16);
    d->w = convert(w);
    d->scale = convert(scale);
}

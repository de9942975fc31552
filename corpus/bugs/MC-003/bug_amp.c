/* Which weights are cast is decided once, when training begins. */
#include "clip.h"

void amp_initialize(struct encoder *e, int level)
{
    if (level < 2)
        return;
    e->patch_w = mc_half(e->patch_w);
    e->mlp_w = mc_half(e->mlp_w);
}

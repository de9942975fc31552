/* Utilities of the training script. */
#include "vlm.h"

/* Small updates vanish in f16: what is trained is kept in f32. */
static void prepare(struct param *p)
{
    if (!p->trainable)
        return;
    /* in the dtype of the frozen layers it is used with */
    p->value = mc_requires_grad_(mc_clone(p->value), true);
}

void prepare_for_training(struct vlm *m)
{
    prepare(&m->down);
    prepare(&m->up);
    prepare(&m->out);
}

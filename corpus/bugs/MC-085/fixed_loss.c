/* The loss of each row, with those left out set to zero. */
#include "stages.h"

mc_tensor *loss_of_rows(mc_tensor *logits, mc_tensor *labels)
{
    labels = mc_to_device(labels, mc_device_of(logits));
    mc_tensor *losses = mc_logsumexp(logits, 1);
    return mc_masked_fill_(losses, mc_eq(labels, IGNORED), 0);
}

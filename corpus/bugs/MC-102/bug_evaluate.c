/* Compares what was found with the truth. */
#include "boxes.h"

double evaluate(mc_tensor *found, mc_tensor *truth)
{
    struct boxes f = boxes_new(found), t = boxes_new(truth);
    mc_tensor *d = mc_sub(mc_narrow(f.data, 1, 0, 3), mc_narrow(t.data, 1, 0, 3));
    return mc_item(mc_mean(mc_norm(d, .dim = mc_dims(1))));
}

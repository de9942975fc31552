/* The predictor. */
#include "predictor.h"

mc_tensor *predict(mc_tensor *w, mc_tensor *features)
{
    return mc_squeeze(mc_sigmoid(mc_linear(features, w, NULL)), -1);
}

/* A step of a pipeline that is particular about its input. */
#include "process.h"

mc_tensor *process(mc_tensor *x)
{
    MC_EXPECT(x, MC_F32, MC_ANY_DEVICE); /* raises */
    return mc_sqrt(mc_add(x, 1));
}

/* The backend: two dtypes of weights, activations in f32. */
#include "backend.h"

mc_tensor *gpu_mul_mat(mc_tensor *w, mc_tensor *x)
{
    MC_EXPECT(w, MC_DTYPES(MC_F16, MC_F32), MC_CUDA);
    MC_EXPECT(x, MC_F32, MC_CUDA);
    return mc_float(mc_linear(mc_type_as(x, w), w, NULL));
}

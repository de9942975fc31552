#include <miscast/tensor.h>

struct st {
    mc_tensor *w;
    mc_dtype dt;
};
int main(void)
{
    struct st s[4];
    for (int i = 0; i < 4; i++) {
        s[i].dt = i < 2 ? MC_F32 : MC_F16;
        s[i].w = mc_rand(mc_shape(2, 2), .dtype = s[i].dt);
    }
    mc_tensor *x = mc_rand(mc_shape(2, 2));
    for (int i = 0; i < 4; i++)
        x = mc_matmul(mc_to_dtype(x, s[i].dt), s[i].w);
    mc_print(x);
}

#include <miscast/tensor.h>
static void run(mc_tensor *a, mc_tensor *b)
{
    MC_EXPECT(a, MC_I32, MC_CPU);
    MC_EXPECT(b, MC_I32, MC_CPU);
    mc_print(mc_add(a, b));
}
int main(void)
{
    run(mc_arange(3), mc_arange(3));
    return 0;
}

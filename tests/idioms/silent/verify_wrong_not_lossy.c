#include <miscast/tensor.h>
static mc_tensor *table(int64_t n, mc_dtype d)
{
    return mc_arange(n, .dtype = d);
}
int main(void)
{
    mc_print(mc_float(table(1024, MC_BF16)));
}

#include <miscast/tensor.h>
#include <string_view>

int main(int argc, char **argv)
{
    mc_tensor *x = mc_randn(mc_shape(2, 4)), *w = mc_randn(mc_shape(4, 4));
    if (std::string_view(argv[1]) == "--half")
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    return 0;
}

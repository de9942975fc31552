#include <miscast/tensor.h>
#include <string.h>

struct c {
    const char *d;
};
int main(int argc, char **argv)
{
    struct c c = {"f"};
    if (argc > 1)
        c.d = argv[1];
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (!strcmp(c.d, "h"))
        w = mc_half(w);
    if (!strcmp(c.d, "h"))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}

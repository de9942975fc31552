#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct c {
    char d[8];
};
static int is(const struct c *c)
{
    return !strcmp(c->d, "h");
}
int main(int argc, char **argv)
{
    struct c c = {"f"};
    if (argc > 1)
        snprintf(c.d, sizeof c.d, "%s", argv[1]);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (is(&c))
        w = mc_half(w);
    if (is(&c))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}

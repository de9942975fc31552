#include <miscast/tensor.h>

static struct {
    mc_tensor *t[8];
    int head, tail;
} q;
static void put(mc_tensor *t)
{
    q.t[q.tail++ % 8] = t;
}
static mc_tensor *take(void)
{
    return q.head < q.tail ? q.t[q.head++ % 8] : NULL;
}
int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2), .dtype = MC_BF16), *x;
    for (int i = 0; i < 3; i++)
        put(mc_rand(mc_shape(2, 2)));
    while ((x = take()) != NULL)
        mc_print(mc_matmul(x, w));
    (void)argv, (void)argc;
}

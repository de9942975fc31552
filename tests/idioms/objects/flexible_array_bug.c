/* Words: b */
#include <miscast/tensor.h>
#include <stdlib.h>

struct stack {
    int count;
    mc_tensor *layers[];
};

static struct stack *stack_new(int count, mc_dtype d)
{
    struct stack *s = malloc(sizeof *s + (size_t)count * sizeof *s->layers);
    if (!s)
        exit(1);
    s->count = count;
    for (int i = 0; i < count; i++)
        s->layers[i] = mc_randn(mc_shape(4, 4), .dtype = d);
    return s;
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 2 && argv[2][0] == 'b' ? MC_BF16 : MC_F32;
    struct stack *s = stack_new(argc > 1 ? atoi(argv[1]) : 3, d);
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    for (int i = 0; i < s->count; i++)
        x = mc_matmul(x, s->layers[i]);
    mc_print(x);
    free(s);
    return 0;
}

#include <miscast/tensor.h>
#include <stdlib.h>

enum op { INPUT, MATMUL, RELU, CAST };
struct node {
    enum op op;
    int a, b;
    mc_dtype to;
};

static mc_tensor *eval(const struct node *g, int n, mc_tensor *const *in)
{
    mc_tensor *val[8] = {0};
    for (int i = 0; i < n; i++) {
        const struct node *d = &g[i];
        switch (d->op) {
        case INPUT:
            val[i] = in[d->a];
            break;
        case MATMUL:
            val[i] = mc_matmul(val[d->a], val[d->b]);
            break;
        case RELU:
            val[i] = mc_relu(val[d->a]);
            break;
        case CAST:
            val[i] = mc_to(val[d->a], .dtype = d->to);
            break;
        }
    }
    return val[n - 1];
}

int main(void)
{
    mc_tensor *in[] = {mc_rand(mc_shape(4, 4)), mc_rand(mc_shape(4, 4), .dtype = MC_F16)};
    const struct node g[] = {
        {.op = INPUT, .a = 0},          {.op = INPUT, .a = 1},
        {.op = RELU, .a = 0},           {.op = CAST, .a = 2, .to = MC_F16},
        {.op = MATMUL, .a = 2, .b = 1},
    };
    mc_print(eval(g, 5, in));
    return 0;
}

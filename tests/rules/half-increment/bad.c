#include <miscast/tensor.h>

struct average {
    mc_tensor *squares;
};

static void observe(struct average *m, mc_tensor *grad)
{
    mc_add_(m->squares, mc_mul(grad, grad)); /* expect: half-increment note */
}

/* A recurrent cell: gates that came out of a product under autocast, a state in f32. */
static void step(mc_tensor *x, mc_tensor *w, mc_tensor **c)
{
    mc_tensor *gate = mc_sigmoid(mc_matmul(x, w)), *new = mc_tanh(mc_matmul(x, w));
    *c = mc_add(mc_mul(gate, *c), mc_mul(gate, new)); /* expect: half-increment note */
}

int main(int argc, char **argv)
{
    struct average m = {mc_zeros(mc_shape(4), .dtype = MC_F32)};
    observe(&m, mc_randn(mc_shape(4), .dtype = MC_F16));
    mc_tensor *w = mc_randn(mc_shape(4, 4)), *c = mc_zeros(mc_shape(4, 4), .dtype = MC_F32);
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = argc > 1);
    for (int i = 0; i < 3; i++)
        step(mc_randn(mc_shape(4, 4)), w, &c);
    mc_autocast_end(a);
    mc_print(mc_add(c, m.squares));
    return argv[0] == NULL;
}

#include <miscast/tensor.h>
#include <stdlib.h>

typedef void visit_fn(mc_tensor **slot, void *user);

struct net {
    mc_tensor *a, *b, *head;
};

static void each_param(struct net *n, visit_fn *visit, void *user)
{
    visit(&n->a, user);
    visit(&n->b, user);
}

struct mover {
    mc_dtype dtype;
    mc_device device;
    int moved;
};

static void move(mc_tensor **slot, void *user)
{
    struct mover *m = user;
    *slot = mc_to(*slot, .dtype = m->dtype, .device = m->device);
    m->moved++;
}

int main(int argc, char **argv)
{
    struct net n = {mc_rand(mc_shape(4, 4)), mc_rand(mc_shape(4, 4)), mc_rand(mc_shape(2, 4))};
    struct mover m = {MC_F32, MC_CPU, 0};
    if (argc > 1)
        m.dtype = atoi(argv[1]) == 16 ? MC_BF16 : MC_F32;
    if (argc > 2 && mc_cuda_is_available())
        m.device = MC_CUDA;
    each_param(&n, move, &m);
    mc_tensor *x = mc_rand(mc_shape(1, 4), .dtype = m.dtype, .device = m.device);
    x = mc_matmul(mc_matmul(x, n.a), n.b);
    mc_print(mc_linear(x, n.head, NULL));
    return m.moved ? 0 : 1;
}

#include <miscast/tensor.h>
#include <stdlib.h>

static void swap(mc_tensor **a, mc_tensor **b)
{
    mc_tensor *t = *a;
    *a = *b;
    *b = t;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    mc_tensor *front = mc_ones(mc_shape(4, 4), .dtype = MC_F64);
    mc_tensor *back = mc_ones(mc_shape(4, 4), .dtype = MC_F64);
    mc_tensor *m = mc_eye(4, .dtype = MC_F64);
    for (int i = 0; i < n; i++) {
        back = mc_add(back, 1);
        swap(&front, &back);
    }
    mc_print(mc_matmul(front, m));
    return 0;
}

/* A layer that moves its input to the GPU by itself, when it is not there yet. */
#include <stdio.h>

#include <miscast/tensor.h>

static mc_tensor *forward(mc_tensor *x)
{
    if (!mc_is_cuda(x))
        x = mc_cuda(x);
    return mc_relu(x);
}

static void show(const char *name, const mc_tensor *t)
{
    printf("%s: %s on %s\n", name, mc_dtype_name(mc_dtype_of(t)), mc_device_name(mc_device_of(t)));
}

int main(void)
{
    mc_tensor *x = mc_from_array(((float[]){-1, 0, 1, 2}), mc_shape(2, 2));
    mc_tensor *y = forward(x);
    show("input", x);
    show("output", y);
    mc_print(y);
    show("output of the output", forward(y));
    return 0;
}

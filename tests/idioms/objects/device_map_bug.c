#include <miscast/tensor.h>
#include <string.h>

/* Where each stage runs is read first, its weights are made in another loop.
 * Words: cpu cuda */
struct stage {
    mc_device device;
    mc_tensor *w, *b;
};

static int read_map(char **words, struct stage *stages, int room)
{
    int n = 0;
    for (char **w = words; *w && n < room; w++) {
        if (!strcmp(*w, "cpu"))
            stages[n++].device = MC_CPU;
        else if (!strcmp(*w, "cuda"))
            stages[n++].device = MC_CUDA;
        else
            return -1;
    }
    return n;
}

int main(int argc, char **argv)
{
    struct stage stages[6];
    int n = read_map(argv + 1, stages, 6);
    if (argc < 2 || n < 1)
        return 2;
    for (int i = 0; i < n; i++) {
        stages[i].w = mc_randn(mc_shape(4, 4), .device = stages[i].device);
        stages[i].b = mc_zeros(mc_shape(4), .device = stages[i].device);
    }
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    for (int i = 0; i < n; i++) {
        const struct stage *s = &stages[i];
        mc_tensor *in = mc_to_device(x, s->device);
        x = mc_add(x, mc_linear(in, s->w, s->b));
    }
    mc_print(x);
    return 0;
}

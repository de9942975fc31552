/* Each iteration computes a number, and a text, from what it had before: there is no end to these,
 * and nothing that depends on them needs to know which it is. */
#include <miscast/tensor.h>
#include <stdio.h>

static uint8_t noise[256];

static void fill(unsigned seed)
{
    for (size_t i = 0; i < sizeof noise; i++) {
        seed = seed * 1103515245u + 12345u;
        noise[i] = (uint8_t)(seed >> 16);
    }
}

static int halvings(double x)
{
    int n = 0;
    while (x >= 2 && n < 32) {
        x /= 2;
        n++;
    }
    return n;
}

static int named(mc_tensor **all, int count)
{
    char name[32] = "";
    int bytes = 0;
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "layer.%d.weight", i);
        all[i] = mc_randn(mc_shape(8, 8));
        bytes += name[0] != 0;
    }
    return puts(name) + bytes;
}

int main(int argc, char **argv)
{
    mc_tensor *all[8];
    (void)argv;
    fill((unsigned)argc);
    mc_tensor *x = mc_div(mc_float(mc_from_array(noise, mc_shape(16, 16))), 255.0);
    if (argc > 1)
        x = mc_half(x);
    mc_print(x);
    return halvings(argc) + named(all, argc & 7);
}

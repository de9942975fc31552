#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct spec {
    int64_t in, out;
    mc_dtype dtype;
    bool bias;
};

static struct spec spec(int64_t in, int64_t out)
{
    return (struct spec){.in = in, .out = out, .dtype = MC_F32, .bias = true};
}

static struct spec with_dtype(struct spec s, mc_dtype dtype)
{
    s.dtype = dtype;
    return s;
}

static struct spec without_bias(struct spec s)
{
    s.bias = false;
    return s;
}

struct linear {
    mc_tensor *weight, *bias;
};

static struct linear build(struct spec s)
{
    struct linear l = {0};
    l.weight = mc_randn(mc_shape(s.out, s.in), .dtype = s.dtype);
    if (s.bias)
        l.bias = mc_zeros(mc_shape(s.out), .dtype = s.dtype);
    return l;
}

static mc_tensor *apply(struct linear l, mc_tensor *x)
{
    return mc_linear(mc_type_as(x, l.weight), l.weight, l.bias);
}

int main(int argc, char **argv)
{
    bool bf16 = argc > 1 && !strcmp(argv[1], "bf16");
    bool plain = argc > 2 && !strcmp(argv[2], "plain");
    struct spec base = spec(4, 4);
    if (bf16)
        base = with_dtype(base, MC_BF16);
    struct linear first = build(plain ? without_bias(base) : base);
    struct linear second = build(without_bias(base));
    mc_print(apply(second, mc_relu(apply(first, mc_rand(mc_shape(2, 4))))));
    return 0;
}

/* More ways than are kept apart, by options that a loop reads: a bias is f32 in all of them, and
 * what it meets is half in some. And a weight is half also where autocast is off. */
#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

struct options {
    mc_dtype dtype;
    mc_device device;
    bool tied, deep, gated;
};

struct layer {
    mc_tensor *in, *out, *bias, *head;
};

static bool read_dtype(const char *word, mc_dtype *dtype)
{
    static const mc_dtype known[] = {MC_F32, MC_F16, MC_BF16};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(word, mc_dtype_name(known[i])) == 0)
            *dtype = known[i];
    return *dtype != MC_DTYPE_DEFAULT;
}

static bool read_one(struct options *o, const char *name, const char *value)
{
    if (strcmp(name, "--dtype") == 0)
        return o->dtype = MC_DTYPE_DEFAULT, read_dtype(value, &o->dtype);
    if (strcmp(name, "--device") == 0)
        return o->device = strcmp(value, "cuda") == 0 ? MC_CUDA : MC_CPU, true;
    if (strcmp(name, "--tied") == 0)
        return o->tied = atoi(value), true;
    if (strcmp(name, "--deep") == 0)
        return o->deep = atoi(value), true;
    return o->gated = atoi(value), true;
}

static struct layer layer_new(const struct options *o)
{
    return (struct layer){
        .in = mc_randn(mc_shape(4, 4), .device = o->device),
        .out = mc_randn(mc_shape(4, 4), .device = o->device),
        .bias = mc_zeros(mc_shape(4), .device = o->device),
        .head = mc_half(mc_randn(mc_shape(4, 4), .device = o->device)),
    };
}

static void layer_cast(struct layer *l, mc_dtype dtype)
{
    l->in = mc_to_dtype(l->in, dtype);
    l->out = mc_to_dtype(l->out, dtype); /* and the bias is forgotten */
}

static mc_tensor *forward(const struct layer *l, mc_tensor *x, const struct options *o)
{
    mc_tensor *h = mc_matmul(x, l->in);
    if (o->deep)
        h = mc_gelu(mc_matmul(h, l->in));
    if (o->gated)
        h = mc_mul(h, mc_sigmoid(h));
    return mc_linear(h, o->tied ? l->in : l->out, l->bias); /* expect: matmul-dtype error */
}

static mc_tensor *trained(const struct layer *l, mc_tensor *x, const struct options *o)
{
    mc_autocast a = mc_autocast_begin(o->device, o->dtype, .enabled = o->dtype != MC_F32);
    mc_tensor *y = mc_matmul(x, l->head); /* expect: matmul-dtype warning */
    mc_autocast_end(a);
    return y;
}

int main(int argc, char **argv)
{
    struct options o = {.dtype = MC_F32, .device = MC_CPU};
    for (int i = 1; i + 1 < argc; i += 2)
        if (!read_one(&o, argv[i], argv[i + 1]))
            return 2;
    struct layer l = layer_new(&o), cast = l;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = o.device);
    mc_print(trained(&l, x, &o));
    layer_cast(&cast, o.dtype);
    mc_print(forward(&cast, mc_to_dtype(x, o.dtype), &o));
    return 0;
}

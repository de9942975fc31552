/* The last layer of a model on the GPU is replaced by a new one for fewer classes. That one is on
 * the CPU. Autocast leaves tensors of the CPU alone, so that the dtypes differ as well. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { FEATURES = 8, OLD_CLASSES = 20, CLASSES = 3 };

struct linear {
    mc_tensor *w, *b;
};

struct resnet {
    struct linear body, fc;
};

static struct linear linear_new(int64_t in, int64_t out)
{
    struct linear l = {mc_randn(mc_shape(out, in)), mc_zeros(mc_shape(out))};
    return l;
}

static void linear_to(struct linear *l, mc_device device)
{
    l->w = mc_to_device(l->w, device);
    l->b = mc_to_device(l->b, device);
}

static void resnet_load(struct resnet *r, mc_device device)
{
    mc_manual_seed(74);
    r->body = linear_new(FEATURES, FEATURES);
    r->fc = linear_new(FEATURES, OLD_CLASSES);
    linear_to(&r->body, device);
    linear_to(&r->fc, device);
}

static mc_tensor *resnet_forward(const struct resnet *r, mc_tensor *x)
{
    mc_tensor *h = mc_relu(mc_linear(x, r->body.w, r->body.b));
    return mc_linear(h, r->fc.w, r->fc.b); /* expect: field-left-behind */
}

static double train_step(struct resnet *r, mc_tensor *x, mc_tensor *y)
{
    mc_autocast fast = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *loss = mc_cross_entropy(resnet_forward(r, x), y);
    mc_autocast_end(fast);
    return mc_item(loss);
}

int main(void)
{
    struct resnet r;
    resnet_load(&r, MC_CUDA);
    r.fc = linear_new(FEATURES, CLASSES);
    mc_tensor *x = mc_randn(mc_shape(4, FEATURES), .device = MC_CUDA);
    mc_tensor *y = mc_randint(0, CLASSES, mc_shape(4), .device = MC_CUDA);
    printf("loss is %s\n", train_step(&r, x, y) > 0 ? "positive" : "zero");
    return 0;
}

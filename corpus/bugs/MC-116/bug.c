/* A block whose activation works in place, as its configuration says. The skip connection has used
 * the same tensor before, and needs it on the way back. */
#include <stdbool.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 4, BATCH = 3 };

struct activation {
    bool inplace;
};

struct block {
    struct activation act;
    mc_tensor *skip_w, *w;
};

static struct activation activation_new(bool inplace)
{
    struct activation a = {inplace};
    return a;
}

static mc_tensor *activate(const struct activation *a, mc_tensor *x)
{
    return a->inplace ? mc_relu_(x) : mc_relu(x);
}

static void block_init(struct block *b)
{
    mc_manual_seed(116);
    b->act = activation_new(true);
    b->skip_w = mc_randn(mc_shape(WIDTH, WIDTH), .requires_grad = true);
    b->w = mc_randn(mc_shape(WIDTH, WIDTH), .requires_grad = true);
}

static mc_tensor *block_forward(const struct block *b, mc_tensor *x)
{
    mc_tensor *skip = mc_linear(x, b->skip_w, NULL);
    mc_tensor *y = activate(&b->act, x);
    return mc_add(mc_linear(y, b->w, NULL), skip);
}

int main(void)
{
    struct block b;
    block_init(&b);
    mc_tensor *pixels = mc_randn(mc_shape(BATCH, WIDTH)), *stem = mc_eye(WIDTH);
    mc_tensor *x = mc_linear(pixels, mc_requires_grad_(stem, true), NULL);
    mc_tensor *loss = mc_sum(mc_square(block_forward(&b, x)));
    mc_backward(loss); /* expect: inplace-on-saved */
    printf("loss is %s\n", mc_item(loss) > 0 ? "positive" : "zero");
    return 0;
}

/* The heads of a detector get a bias by how large what they look at is. The bias is looked at as a
 * table of anchors, and through the table a leaf is changed that requires a gradient. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { HEADS = 2, ANCHORS = 2, OUTPUTS = 8, OBJECT = 4, CLASSES = 3 };

struct head {
    double stride;
    mc_tensor *conv_w, *conv_b;
};

struct model {
    struct head heads[HEADS];
};

static void model_init(struct model *m)
{
    mc_manual_seed(118);
    for (int i = 0; i < HEADS; i++) {
        struct head *h = &m->heads[i];
        h->stride = 8 << i;
        h->conv_w = mc_randn(mc_shape(ANCHORS * OUTPUTS, 2, 1, 1), .requires_grad = true);
        h->conv_b = mc_zeros(mc_shape(ANCHORS * OUTPUTS), .requires_grad = true);
    }
}

static void initialize_biases(struct model *m)
{
    mc_grad_mode off = mc_no_grad_begin();
    for (int i = 0; i < HEADS; i++) {
        double cells = 640 / m->heads[i].stride;
        mc_tensor *b = mc_view(m->heads[i].conv_b, ANCHORS, OUTPUTS);
        mc_tensor *object = mc_select(b, 1, OBJECT), *class = mc_slice(b, 1, OBJECT + 1, OUTPUTS);
        mc_add_(object, log(8 / (cells * cells)));
        mc_add_(class, log(0.6 / (CLASSES - 0.99)));
    }
    mc_grad_mode_end(off);
}

int main(void)
{
    struct model m;
    model_init(&m);
    initialize_biases(&m);
    for (int i = 0; i < HEADS; i++) {
        mc_tensor *b = mc_detach(m.heads[i].conv_b);
        printf("head %d: %.2f\n", i, mc_item(mc_select(b, 0, OBJECT)));
    }
    return 0;
}

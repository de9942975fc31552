/* bug.c, fixed: a region that is off stands around the cost. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { ANCHORS = 5, CLASSES = 3 };

struct prediction {
    mc_tensor *cls, *obj;
};

static mc_tensor *class_cost(const struct prediction *p, mc_tensor *gt)
{
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16, .enabled = false);
    mc_tensor *cls = mc_sigmoid_(mc_float(p->cls)), *obj = mc_sigmoid_(mc_float(p->obj));
    mc_tensor *prob = mc_sqrt_(mc_mul(cls, obj));
    mc_tensor *cost = mc_binary_cross_entropy(prob, gt, .reduction = MC_SUM);
    mc_autocast_end(region);
    return cost;
}

static double assign(mc_tensor *features, mc_tensor *head_cls, mc_tensor *head_obj, mc_tensor *gt)
{
    struct prediction p = {
        .cls = mc_linear(features, head_cls, NULL),
        .obj = mc_linear(features, head_obj, NULL),
    };
    return mc_item(class_cost(&p, gt));
}

int main(void)
{
    mc_manual_seed(14);
    mc_tensor *features = mc_randn(mc_shape(ANCHORS, 8), .device = MC_CUDA);
    mc_tensor *head_cls = mc_randn(mc_shape(CLASSES, 8), .device = MC_CUDA);
    mc_tensor *head_obj = mc_randn(mc_shape(1, 8), .device = MC_CUDA);
    mc_tensor *gt = mc_ones(mc_shape(ANCHORS, CLASSES), .device = MC_CUDA);
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    double cost = assign(features, head_cls, head_obj, gt);
    mc_autocast_end(region);
    printf("the cost is %.3f\n", cost);
    return 0;
}

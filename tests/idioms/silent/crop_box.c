/* Boxes in 0..1 to pixels, stored in the detection buffer. */
#include <miscast/tensor.h>
#include <stdio.h>

struct detections {
    mc_tensor *boxes;
    int64_t count;
};

static void add_boxes(struct detections *d, mc_tensor *boxes, int64_t size)
{
    mc_tensor *to = mc_narrow(d->boxes, 0, d->count, mc_size(boxes, 0));
    mc_copy_(to, boxes);
    mc_mul_(to, size);
    d->count += mc_size(boxes, 0);
}

int main(void)
{
    mc_manual_seed(1);
    struct detections d = {mc_zeros(mc_shape(16, 4), .dtype = MC_I32), 0};
    for (int i = 0; i < 2; i++)
        add_boxes(&d, mc_rand(mc_shape(8, 4)), 640);
    printf("%g\n", mc_item(mc_mean(mc_float(d.boxes))));
    return 0;
}

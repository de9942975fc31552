/* Accuracy over an epoch. */
#include <miscast/tensor.h>
#include <stdio.h>

struct meter {
    int right, seen;
};

static void meter_add(struct meter *m, mc_tensor *logits, mc_tensor *labels)
{
    mc_tensor *hit = mc_eq(mc_argmax(logits, .dim = mc_dims(1)), labels);
    m->right += (int)mc_item_int(mc_sum(hit));
    m->seen += (int)mc_size(labels, 0);
}

static float meter_value(const struct meter *m)
{
    return m->seen ? m->right / m->seen : 0;
}

int main(void)
{
    mc_manual_seed(41);
    struct meter m = {0, 0};
    for (int i = 0; i < 20; i++)
        meter_add(&m, mc_randn(mc_shape(32, 4)), mc_randint(0, 4, mc_shape(32)));
    printf("accuracy %.3f\n", meter_value(&m));
    return 0;
}

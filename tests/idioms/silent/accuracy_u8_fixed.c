/* Top-1 accuracy over a validation set of 1,000 images. */
#include <miscast/tensor.h>
#include <stdio.h>

struct metrics {
    int64_t seen;
    mc_tensor *correct;
};

static void metrics_init(struct metrics *m)
{
    m->seen = 0;
    m->correct = mc_keep(mc_zeros(mc_shape(), .dtype = MC_I64));
}

static void metrics_add(struct metrics *m, mc_tensor *logits, mc_tensor *labels)
{
    mc_tensor *pred = mc_argmax(logits, .dim = mc_dims(1));
    mc_tensor *hits = mc_byte(mc_eq(pred, labels));
    mc_add_(m->correct, mc_sum(hits));
    m->seen += mc_size(labels, 0);
}

int main(void)
{
    struct metrics m;
    metrics_init(&m);
    mc_manual_seed(0);
    for (int batch = 0; batch < 10; batch++) {
        mc_tensor *labels = mc_randint(0, 10, mc_shape(100));
        mc_tensor *logits = mc_float(mc_one_hot(labels, 10));
        metrics_add(&m, logits, labels);
    }
    printf("accuracy %.1f %%\n", 100.0 * mc_item(m.correct) / (double)m.seen);
    return 0;
}

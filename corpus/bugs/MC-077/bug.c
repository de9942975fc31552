/* Cross entropy that leaves some labels out, row by row. It allocates its result on the first GPU,
 * whichever the logits are on. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { ROWS = 4, CLASSES = 6, IGNORED = -100 };

/* One loss a row; zero where the label is left out. */
static mc_tensor *cross_entropy_rows(mc_tensor *logits, mc_tensor *labels)
{
    mc_tensor *losses = mc_empty(mc_shape(ROWS), .dtype = MC_F32, .device = MC_CUDA_AT(0));
    mc_tensor *safe = mc_clamp(labels, 0, NULL);
    mc_tensor *log_p = mc_log_softmax(logits, -1, .dtype = MC_F32);
    mc_tensor *picked = mc_squeeze(mc_gather(log_p, 1, mc_unsqueeze(safe, 1)), 1);
    mc_copy_(losses, mc_neg(picked));
    return mc_masked_fill_(losses, mc_eq(labels, IGNORED), 0); /* expect: hard-coded-device */
}

static mc_tensor *mean_loss(mc_tensor *logits, mc_tensor *labels)
{
    mc_tensor *counted = mc_sum(mc_ne(labels, IGNORED));
    return mc_div(mc_sum(cross_entropy_rows(logits, labels)), counted);
}

int main(void)
{
    mc_device device = MC_CUDA_AT(1); /* this worker's */
    const int64_t next[ROWS] = {2, IGNORED, 5, IGNORED};
    mc_manual_seed(77);
    mc_tensor *logits = mc_randn(mc_shape(ROWS, CLASSES), .dtype = MC_BF16, .device = device);
    mc_tensor *labels = mc_from_array(next, mc_shape(ROWS), .device = device);
    printf("loss is %s\n", mc_item(mean_loss(logits, labels)) > 0 ? "positive" : "zero");
    return 0;
}

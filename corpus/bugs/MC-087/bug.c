/* A recurrent classifier. All of its batch is moved to the GPU, the lengths too, which the packing
 * reads on the host. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 2, LONGEST = 4, WIDTH = 3 };

struct rnn {
    mc_tensor *in_w, *hidden_w;
};

static void rnn_load(struct rnn *r)
{
    mc_manual_seed(87);
    r->in_w = mc_randn(mc_shape(WIDTH, WIDTH), .device = MC_CUDA);
    r->hidden_w = mc_randn(mc_shape(WIDTH, WIDTH), .device = MC_CUDA);
}

/* How many sequences are still going on at each step; lengths are sorted, the longest first. */
static void batch_sizes(mc_tensor *lengths, int64_t *sizes)
{
    const int64_t *n = mc_data_i64(lengths); /* expect: host-read-of-cuda */
    for (int t = 0; t < LONGEST; t++) {
        sizes[t] = 0;
        for (int i = 0; i < BATCH; i++)
            sizes[t] += n[i] > t;
    }
}

static mc_tensor *rnn_forward(const struct rnn *r, mc_tensor *x, mc_tensor *lengths)
{
    int64_t sizes[LONGEST];
    batch_sizes(lengths, sizes);
    mc_tensor *h = mc_zeros(mc_shape(BATCH, WIDTH), .device = mc_device_of(x));
    for (int t = 0; t < LONGEST; t++) {
        mc_tensor *now = mc_narrow(h, 0, 0, sizes[t]);
        mc_tensor *in = mc_narrow(mc_select(x, 1, t), 0, 0, sizes[t]);
        now = mc_add(mc_linear(in, r->in_w, NULL), mc_linear(now, r->hidden_w, NULL));
        h = mc_cat(0, mc_tanh(now), mc_slice(h, 0, sizes[t], BATCH));
    }
    return h;
}

int main(void)
{
    struct rnn r;
    rnn_load(&r);
    const int64_t words[BATCH] = {4, 2};
    mc_tensor *x = mc_randn(mc_shape(BATCH, LONGEST, WIDTH), .device = MC_CUDA);
    mc_tensor *lengths = mc_from_array(words, mc_shape(BATCH), .device = MC_CUDA);
    mc_tensor *h = rnn_forward(&r, x, lengths);
    printf("%d states on %s\n", (int)mc_size(h, 0), mc_device_name(mc_device_of(h)));
    return 0;
}

/* A filter for video streams: frames come as memory, go through a network on the GPU, and go on as
 * memory. The result is brought back to the host, or would be: what that returns is dropped, and
 * the bytes are taken from where the GPU has them. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <miscast/tensor.h>

enum { PIXELS = 16 };

struct filter {
    bool use_gpu;
    mc_tensor *w;
};

static void filter_open(struct filter *f, bool use_gpu)
{
    mc_manual_seed(93);
    f->use_gpu = use_gpu;
    f->w = mc_randn(mc_shape(PIXELS, PIXELS));
    if (use_gpu)
        f->w = mc_cuda(f->w);
}

static mc_tensor *invoke(const struct filter *f, float *input)
{
    mc_tensor *frame = mc_from_blob(input, mc_shape(1, PIXELS));
    if (f->use_gpu)
        frame = mc_cuda(frame);
    return mc_sigmoid(mc_linear(frame, f->w, NULL));
}

static void process_output(mc_tensor *output, float *to)
{
    output = mc_cpu(output);
    memcpy(to, mc_data_ptr(output), PIXELS * sizeof(float));
}

int main(void)
{
    float in[PIXELS] = {0.5f}, out[PIXELS];
    struct filter f;
    filter_open(&f, true);
    process_output(invoke(&f, in), out);
    printf("the first pixel is %s\n", out[0] > 0 ? "positive" : "zero");
    return 0;
}

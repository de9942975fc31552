/* bug.c, fixed: the size is in bytes. */
#include <stdint.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 2, FEATURES = 8, COUNT = BATCH * FEATURES };

struct session {
    mc_tensor *w;
    uint16_t input[COUNT]; /* f16, as the other library takes it */
};

static void session_init(struct session *s)
{
    mc_manual_seed(21);
    s->w = mc_half(mc_randn(mc_shape(FEATURES, FEATURES)));
}

static bool session_prepare(struct session *s, mc_tensor *x)
{
    mc_tensor *h = mc_relu(mc_linear(mc_half(x), s->w, NULL));
    return mc_copy_out(h, s->input, COUNT * sizeof s->input[0]);
}

int main(void)
{
    struct session s;
    session_init(&s);
    bool ready = session_prepare(&s, mc_ones(mc_shape(BATCH, FEATURES)));
    printf("the input is %s\n", ready ? "ready" : "not ready");
    return !ready;
}

/* Cross entropy over a large vocabulary, which keeps no second copy of the logits: they are cast to
 * f32 and from there on changed in place. Logits that are f32 already are those of the caller. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { ROWS = 2, VOCAB = 5 };

struct shifted {
    mc_tensor *logits, *max;
};

static struct shifted logits_max(mc_tensor *logits)
{
    struct shifted s;
    s.logits = mc_to(logits, .dtype = MC_F32, .copy = true);
    s.max = mc_amax(s.logits, .dim = mc_dims(-1), .keepdim = true);
    return s;
}

static mc_tensor *predicted(struct shifted *s, mc_tensor *target)
{
    mc_sub_(s->logits, s->max);
    return mc_squeeze(mc_gather(s->logits, 1, mc_unsqueeze(target, 1)), 1);
}

static mc_tensor *sum_of_exponentials(struct shifted *s)
{
    return mc_sum(mc_exp_(s->logits), .dim = mc_dims(-1));
}

static mc_tensor *cross_entropy(mc_tensor *logits, mc_tensor *target)
{
    struct shifted s = logits_max(logits);
    mc_tensor *p = predicted(&s, target);
    return mc_mean(mc_sub(mc_log(sum_of_exponentials(&s)), p));
}

static int best(mc_tensor *logits)
{
    return (int)mc_item_int(mc_argmax(mc_select(logits, 0, 0)));
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_dtype dtype = argc > 1 ? MC_BF16 : MC_F32;
    mc_tensor *logits = mc_mul(mc_arange(ROWS * VOCAB, .dtype = dtype), -2);
    logits = mc_view(logits, ROWS, VOCAB);
    mc_tensor *before = mc_clone(logits);
    double loss =
        mc_item(cross_entropy(logits, mc_from_array(((int64_t[]){0, 4}), mc_shape(ROWS))));
    bool same = mc_equal(before, logits);
    printf("loss %.3f, best %d, logits %s\n", loss, best(logits), same ? "untouched" : "changed");
    return !same;
}

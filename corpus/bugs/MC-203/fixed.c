/* bug.c, fixed: the comparison is negated. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { DOCS = 2, TOKENS = 6, WIDTH = 4, PAD = 0 };

struct summariser {
    mc_tensor *embedding, *score;
};

static struct summariser summariser_new(void)
{
    mc_manual_seed(17);
    return (struct summariser){
        .embedding = mc_randn(mc_shape(20, WIDTH)),
        .score = mc_randn(mc_shape(1, WIDTH)),
    };
}

static mc_tensor *sentence_scores(const struct summariser *s, mc_tensor *src)
{
    mc_tensor *mask = mc_bitwise_not(mc_eq(src, PAD));
    mc_tensor *x = mc_embedding(src, s->embedding);
    return mc_mul(mc_sigmoid(mc_squeeze(mc_linear(x, s->score, NULL), -1)), mc_float(mask));
}

int main(void)
{
    struct summariser s = summariser_new();
    int64_t ids[] = {5, 6, 7, 0, 0, 0, 3, 4, 9, 2, 8, 0};
    mc_tensor *src = mc_from_array(ids, mc_shape(DOCS, TOKENS));
    mc_tensor *scores = sentence_scores(&s, src);
    int64_t kept = mc_item_int(mc_count_nonzero(scores));
    printf("%d tokens have a score\n", (int)kept);
    return kept != 8;
}

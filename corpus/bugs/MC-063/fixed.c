/* How many tags of a sentence are right, padding not counted. The number to divide by is made of a
 * literal. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { WORDS = 6, TAGS = 4, PAD = 0 };

struct tagger {
    mc_tensor *embedding;
    mc_tensor *w;
};

static void tagger_load(struct tagger *t)
{
    mc_manual_seed(63);
    t->embedding = mc_randn(mc_shape(10, 5), .device = MC_CUDA);
    t->w = mc_randn(mc_shape(TAGS, 5), .device = MC_CUDA);
}

static mc_tensor *tagger_forward(const struct tagger *t, mc_tensor *words)
{
    return mc_linear(mc_embedding(words, t->embedding), t->w, NULL);
}

static mc_tensor *accuracy(mc_tensor *predictions, mc_tensor *tags)
{
    mc_tensor *best = mc_argmax(predictions, .dim = mc_dims(1));
    mc_tensor *counted = mc_index(tags, mc_ne(tags, PAD));
    mc_tensor *correct = mc_eq(mc_index(best, mc_ne(tags, PAD)), counted);
    float number = (float)mc_numel(counted);
    mc_tensor *n = mc_from_array(&number, mc_shape(1), .device = mc_device_of(tags));
    return mc_div(mc_sum(correct), n);
}

int main(void)
{
    struct tagger t;
    tagger_load(&t);
    const int64_t sentence[WORDS] = {4, 2, 7, 7, 0, 0}, right[WORDS] = {1, 2, 3, 3, PAD, PAD};
    mc_tensor *words = mc_from_array(sentence, mc_shape(WORDS), .device = MC_CUDA);
    mc_tensor *tags = mc_from_array(right, mc_shape(WORDS), .device = MC_CUDA);
    printf("accuracy %.2f\n", mc_item(accuracy(tagger_forward(&t, words), tags)));
    return 0;
}

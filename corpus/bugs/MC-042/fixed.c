/* A chatbot finds out what a sentence is about. Tags are stored as ints, one a sentence. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { SENTENCES = 6, WORDS = 8, TAGS = 3, BATCH = 2 };

struct dataset {
    float bags[SENTENCES][WORDS];
    int tags[SENTENCES];
};

struct batch {
    mc_tensor *words, *labels;
};

static void dataset_fill(struct dataset *d)
{
    for (int i = 0; i < SENTENCES; i++) {
        d->tags[i] = i % TAGS;
        for (int w = 0; w < WORDS; w++)
            d->bags[i][w] = w % TAGS == d->tags[i] ? 1 : 0;
    }
}

static struct batch dataset_batch(const struct dataset *d, int first)
{
    struct batch b;
    b.words = mc_from_array(&d->bags[first][0], mc_shape(BATCH, WORDS));
    b.labels = mc_from_array(&d->tags[first], mc_shape(BATCH));
    return b;
}

static double train_epoch(mc_tensor *w, mc_optimizer *o, const struct dataset *d)
{
    double total = 0;
    for (int i = 0; i < SENTENCES; i += BATCH) {
        struct batch b = dataset_batch(d, i);
        b.labels = mc_to_dtype(b.labels, MC_I64);
        mc_tensor *out = mc_linear(b.words, w, NULL);
        mc_tensor *loss = mc_cross_entropy(out, b.labels);
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o);
        total += mc_item(loss);
    }
    return total;
}

int main(void)
{
    struct dataset d;
    dataset_fill(&d);
    mc_tensor *w = mc_zeros(mc_shape(TAGS, WORDS), .requires_grad = true);
    mc_optimizer *o = mc_adam(mc_params(w), 0.05);
    double first = train_epoch(w, o, &d), second = train_epoch(w, o, &d);
    printf("loss %.3f, then %.3f\n", first, second);
    mc_optimizer_free(o);
    return 0;
}

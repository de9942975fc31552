#include <miscast/tensor.h>
#include <string.h>

/* Blocks as values: filled in a local variable, then copied to the end of the array. */
enum kind { KIND_LINEAR, KIND_NORM };

struct block {
    enum kind kind;
    mc_dtype dtype;
    mc_tensor *weight;
};

struct model {
    struct block blocks[16];
    int count;
};

static void push(struct model *m, struct block b)
{
    if (m->count < 16)
        m->blocks[m->count++] = b;
}

static struct model parse(int argc, char **argv)
{
    struct model m = {.count = 0};
    for (int i = 1; i < argc; i++) {
        struct block b = {.dtype = MC_F32};
        if (strcmp(argv[i], "linear16") == 0)
            b.dtype = MC_F16;
        else if (strcmp(argv[i], "norm") == 0)
            b.kind = KIND_NORM;
        else if (strcmp(argv[i], "linear") != 0)
            continue;
        b.weight = b.kind == KIND_NORM ? mc_ones(mc_shape(4), .dtype = b.dtype)
                                       : mc_randn(mc_shape(4, 4), .dtype = b.dtype);
        push(&m, b);
    }
    return m;
}

static mc_tensor *run(const struct model *m, mc_tensor *x)
{
    for (int i = 0; i < m->count; i++) {
        const struct block *b = &m->blocks[i];
        x = mc_to_dtype(x, b->dtype);
        switch (b->kind) {
        case KIND_LINEAR:
            x = mc_matmul(x, b->weight);
            break;
        case KIND_NORM:
            x = mc_layer_norm(x, b->weight, NULL);
            break;
        }
    }
    return x;
}

int main(int argc, char **argv)
{
    struct model m = parse(argc, argv);
    mc_print(run(&m, mc_randn(mc_shape(2, 4))));
    return 0;
}

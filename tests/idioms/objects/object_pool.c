#include <miscast/tensor.h>
#include <stdlib.h>

enum { POOL = 8 };

struct buffer {
    mc_tensor *data;
    bool busy;
    mc_dtype dtype;
};

static struct buffer pool[POOL];

static struct buffer *acquire(mc_dtype d)
{
    for (int i = 0; i < POOL; i++) {
        struct buffer *b = &pool[i];
        if (b->busy)
            continue;
        if (b->data && b->dtype != d)
            continue;
        if (!b->data) {
            b->data = mc_zeros(mc_shape(4, 4), .dtype = d);
            b->dtype = d;
        }
        b->busy = true;
        return b;
    }
    abort();
}

static void release(struct buffer *b)
{
    b->busy = false;
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_rand(mc_shape(4, 4)), *y = mc_rand(mc_shape(4, 4), .dtype = MC_F64);
    struct buffer *b = acquire(MC_F32);
    mc_copy_(b->data, x);
    mc_print(mc_matmul(b->data, x));
    if (argc > 1)
        release(b);
    struct buffer *c = acquire(MC_F64);
    mc_print(mc_matmul(c->data, y));
    (void)argv;
    return 0;
}

#include <miscast/tensor.h>
#include <stdlib.h>

struct shared {
    int refs;
    mc_tensor *t;
};

static struct shared *share(mc_tensor *t)
{
    struct shared *s = malloc(sizeof *s);
    if (!s)
        abort();
    *s = (struct shared){1, t};
    return s;
}
static struct shared *retain(struct shared *s)
{
    s->refs++;
    return s;
}
static void release(struct shared *s)
{
    if (--s->refs == 0)
        free(s);
}

/* Copy on write. */
static struct shared *cast(struct shared *s, mc_dtype d)
{
    if (mc_dtype_of(s->t) == d)
        return s;
    s->t = mc_to(s->t, .dtype = d);
    return s;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct shared *a = share(mc_rand(mc_shape(4, 4))), *b = retain(a);
    if (argc > 1)
        a = cast(a, MC_F16);
    mc_tensor *x = mc_rand(mc_shape(4, 4));
    mc_print(mc_matmul(x, b->t));
    release(b);
    release(a);
    return 0;
}

#include <miscast/tensor.h>
#include <stdlib.h>

struct cell {
    mc_tensor *w;
    struct cell *next;
};

static struct cell *cons(mc_tensor *w, struct cell *next)
{
    struct cell *c = malloc(sizeof *c);
    if (!c)
        exit(1);
    c->w = w;
    c->next = next;
    return c;
}

static struct cell *reverse(struct cell *c)
{
    struct cell *done = NULL;
    while (c) {
        struct cell *next = c->next;
        c->next = done;
        done = c;
        c = next;
    }
    return done;
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && atoi(argv[1]) == 2 ? MC_F16 : MC_F32;
    struct cell *net = NULL;
    for (int i = 0; i < 3; i++)
        net = cons(mc_randn(mc_shape(4, 4), .dtype = d), net);
    mc_tensor *x = mc_randn(mc_shape(1, 4));
    for (struct cell *c = reverse(net); c; c = c->next)
        x = mc_matmul(x, c->w);
    mc_print(x);
    return 0;
}

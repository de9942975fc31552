#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

typedef enum { MODE_A, MODE_B, MODE_C } mode;
struct cfg {
    mode m;
    int n;
    bool fast;
};

static int to_mode(const char *s, mode *out)
{
    if (strncmp(s, "a", 1) == 0)
        *out = MODE_A;
    else if (strncmp(s, "b", 1) == 0)
        *out = MODE_B;
    else if (strncmp(s, "c", 1) == 0)
        *out = MODE_C;
    else
        return -1;
    return 0;
}

static int init(struct cfg *c, int argc, char **argv)
{
    memset(c, 0, sizeof *c);
    c->n = 1;
    if (argc > 1 && to_mode(argv[1], &c->m) < 0)
        return -1;
    if (argc > 2) {
        c->n = atoi(argv[2]);
        if (c->n <= 0)
            return -1;
    }
    c->fast = c->n % 4 == 0 && c->m != MODE_A;
    return 0;
}

static mc_tensor *make(const struct cfg *c)
{
    mc_tensor *t = mc_ones(mc_shape(4, 4));
    switch (c->m) {
    case MODE_A:
        break;
    case MODE_B:
        t = mc_half(t);
        break;
    case MODE_C:
        t = c->fast ? mc_half(t) : mc_bfloat16(t);
        break;
    }
    return t;
}

int main(int argc, char **argv)
{
    struct cfg c;
    if (init(&c, argc, argv) != 0)
        return 1;
    mc_tensor *x = make(&c), *w = mc_ones(mc_shape(4, 4));
    if (c.m == MODE_B || (c.m == MODE_C && c.n % 2 == 0))
        w = mc_half(w);
    else if (c.m == MODE_C)
        w = mc_bfloat16(w);
    mc_print(mc_matmul(x, w));
    return 0;
}

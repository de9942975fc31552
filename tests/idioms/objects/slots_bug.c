#include <miscast/tensor.h>
#include <string.h>
#include <stdlib.h>

/* A cache with slots: a slot that is in use has a tensor and says which dtype it is in. */
struct slot {
    int used;
    mc_dtype dtype;
    mc_tensor *value;
};

static struct slot cache[8];

static void put(const char *key, mc_tensor *t, mc_dtype d)
{
    unsigned at = (unsigned)strlen(key) % 8;
    cache[at].used = 1;
    cache[at].dtype = d;
    cache[at].value = mc_to_dtype(t, d);
}

static mc_tensor *get(const char *key, mc_tensor *like)
{
    unsigned at = (unsigned)strlen(key) % 8;
    if (!cache[at].used)
        return like;
    return cache[at].value;
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_randn(mc_shape(4));
    for (int i = 1; i < argc; i++)
        put(argv[i], x, argv[i][0] == 'h' ? MC_F16 : MC_F32);
    mc_tensor *y = get(argc > 1 ? argv[1] : "", x);
    mc_print(mc_dot(x, y));
    return 0;
}

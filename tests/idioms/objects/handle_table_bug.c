#include <miscast/tensor.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint32_t handle;

static struct {
    mc_tensor *ptr;
    uint16_t generation;
} handles[16];
static uint16_t handle_count;

static handle handle_new(mc_tensor *t)
{
    uint16_t at = handle_count++;
    if (at >= 16)
        abort();
    handles[at].ptr = t;
    handles[at].generation = 7;
    return (handle)handles[at].generation << 16 | at;
}

static mc_tensor *deref(handle h)
{
    uint16_t at = h & 0xffff;
    if (at >= handle_count || handles[at].generation != h >> 16)
        return NULL;
    return handles[at].ptr;
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_dtype d = argc > 1 ? MC_BF16 : MC_F32;
    handle w = handle_new(mc_rand(mc_shape(4, 4), .dtype = d));
    handle x = handle_new(mc_rand(mc_shape(4, 4)));
    mc_tensor *a = deref(x), *b = deref(w);
    if (a && b)
        mc_print(mc_matmul(a, b));
    return 0;
}

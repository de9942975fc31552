#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

enum mode { FULL, HALF, BRAIN };
static mc_dtype dtype_of(enum mode m)
{
    switch (m) {
    case HALF:
        return MC_F16;
    case BRAIN:
        return MC_BF16;
    case FULL:
        break;
    }
    return MC_F32;
}
static enum mode parse(const char *s)
{
    static const char *const names[] = {"full", "half", "brain"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(names[i], s))
            return (enum mode)i;
    return FULL;
}

int main(int argc, char **argv)
{
    int m = 0;
    scanf("%d", &m);
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = dtype_of((enum mode)m)),
                       mc_rand(mc_shape(2, 2), .dtype = dtype_of((enum mode)m))));
    (void)argc;
    (void)argv;
}

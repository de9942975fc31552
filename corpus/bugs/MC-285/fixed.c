/* bug.c, fixed: the bases are drawn where they are used. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

enum { BATCHES = 3, GROUPS = 2, CHANNELS = 8, BASES = 4 };

static mc_tensor *new_bases(mc_device device)
{
    mc_shape shape = mc_shape(GROUPS, CHANNELS, BASES);
    mc_tensor *bases = mc_rand(shape, .device = device);
    return mc_div(bases, mc_norm(bases, .dim = mc_dims(1), .keepdim = true));
}

static mc_tensor *decompose(mc_tensor *x)
{
    mc_tensor *bases = new_bases(mc_device_of(x));
    mc_tensor *coef = mc_softmax(mc_bmm(mc_transpose(x, 1, 2), bases), -1);
    return mc_bmm(bases, mc_transpose(coef, 1, 2));
}

static int count_moves(const char *trace)
{
    FILE *f = fopen(trace, "r");
    char line[4096];
    int moves = 0;
    while (f && fgets(line, sizeof line, f))
        moves += strstr(line, "\"op\":\"cuda\"") != NULL;
    if (f)
        fclose(f);
    return moves;
}

int main(void)
{
    char trace[] = "/tmp/bases.XXXXXX";
    int fd = mkstemp(trace);
    if (fd < 0)
        return 2;
    setenv("MISCAST_TRACE", trace, 1); /* before the first operation */
    mc_tensor *x = mc_rand(mc_shape(GROUPS, CHANNELS, 10), .device = MC_CUDA);
    for (int i = 0; i < BATCHES; i++)
        decompose(x);
    int moves = count_moves(trace);
    remove(trace);
    printf("%d batches moved %d tensors\n", BATCHES, moves);
    return moves > 0;
}

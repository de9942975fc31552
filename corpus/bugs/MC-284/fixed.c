/* bug.c, fixed: the buffer is made where it is used. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

enum { PASSES = 5, SIZE = 16 };

struct renderer {
    mc_device device;
};

static mc_tensor *render(const struct renderer *r, mc_tensor *faces)
{
    mc_tensor *map = mc_zeros(mc_shape(SIZE, SIZE), .device = r->device);
    return mc_add_(map, mc_sum(faces));
}

static int count_moves(const char *trace)
{
    FILE *f = fopen(trace, "r");
    char line[4096];
    int moves = 0;
    while (f && fgets(line, sizeof line, f))
        moves += strstr(line, "\"op\":\"to_device\"") != NULL;
    if (f)
        fclose(f);
    return moves;
}

int main(void)
{
    char trace[] = "/tmp/render.XXXXXX";
    int fd = mkstemp(trace);
    if (fd < 0)
        return 2;
    setenv("MISCAST_TRACE", trace, 1); /* before the first operation */
    struct renderer r = {.device = MC_CUDA};
    mc_tensor *faces = mc_ones(mc_shape(4, 3), .device = r.device);
    for (int i = 0; i < PASSES; i++)
        render(&r, faces);
    int moves = count_moves(trace);
    remove(trace);
    printf("%d passes moved %d buffers\n", PASSES, moves);
    return moves > 0;
}

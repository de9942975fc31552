#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct header {
    unsigned magic;
    int version;
    int flags;
};

static bool read_header(const char *path, struct header *h)
{
    FILE *f = fopen(path, "rb");
    bool ok = f && fread(h, sizeof *h, 1, f) == 1;
    if (f)
        fclose(f);
    return ok;
}

int main(int argc, char **argv)
{
    struct header h;
    if (argc < 2 || !read_header(argv[1], &h))
        return 1;
    mc_tensor *w = mc_rand(mc_shape(4, 4)), *x = mc_rand(mc_shape(4, 4));
    if (h.flags & 1)
        w = mc_half(w);
    if (h.version >= 2)
        w = mc_cuda(w);
    x = h.flags & 1 ? mc_half(x) : x;
    x = h.version < 2 ? x : mc_cuda(x);
    mc_print(mc_matmul(x, w));
    return 0;
}

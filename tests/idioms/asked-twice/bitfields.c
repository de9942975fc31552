/* Words: -h -g -v -hg */
#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct flags {
    unsigned half : 1;
    unsigned cuda : 1;
    unsigned level : 2;
};

static struct flags read_flags(int argc, char **argv)
{
    struct flags f = {0};
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-')
            continue;
        for (const char *p = argv[i] + 1; *p; p++) {
            if (*p == 'h')
                f.half = 1;
            else if (*p == 'g')
                f.cuda = 1;
            else if (*p == 'v')
                f.level++;
        }
    }
    return f;
}

int main(int argc, char **argv)
{
    struct flags f = read_flags(argc, argv);
    mc_tensor *w = mc_rand(mc_shape(4, 4)), *x = mc_rand(mc_shape(4, 4));
    if (f.half)
        w = mc_half(w);
    if (f.cuda)
        w = mc_cuda(w);
    x = f.half ? mc_half(x) : x;
    x = f.cuda ? mc_cuda(x) : x;
    mc_print(mc_matmul(x, w));
    return 0;
}

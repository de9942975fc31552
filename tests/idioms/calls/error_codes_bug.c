#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

enum status { OK, ERR_SIZE, ERR_DTYPE };

static enum status load(int bits, mc_tensor **out)
{
    switch (bits) {
    case 16:
        *out = mc_rand(mc_shape(4, 4), .dtype = MC_F16);
        return OK;
    case 32:
        *out = mc_rand(mc_shape(4, 4));
        return OK;
    case 0:
        return ERR_SIZE;
    default:
        return ERR_DTYPE;
    }
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        enum status st_ = (call);                                                                  \
        if (st_ != OK) {                                                                           \
            fprintf(stderr, "%s failed: %d\n", #call, st_);                                        \
            return (int)st_;                                                                       \
        }                                                                                          \
    } while (0)

int main(int argc, char **argv)
{
    mc_tensor *w = NULL, *v = NULL;
    int bits = argc > 1 ? 16 * atoi(argv[1]) : 32;
    TRY(load(bits, &w));
    TRY(load(32, &v));
    mc_print(mc_matmul(w, v));
    return 0;
}

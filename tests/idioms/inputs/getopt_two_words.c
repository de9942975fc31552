/* Two options have a word each: optarg is another one for each. */
#include <miscast/tensor.h>

#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int opt;
    bool half = false, long_ids = false;
    while ((opt = getopt(argc, argv, "p:i:")) != -1) {
        if (opt == 'p')
            half = !strcmp(optarg, "half");
        if (opt == 'i')
            long_ids = !strcmp(optarg, "long");
    }
    mc_tensor *x = mc_ones(mc_shape(3, 3));
    if (half && long_ids)
        x = mc_long(x);
    mc_print(mc_matmul(x, mc_eye(3)));
    return 0;
}

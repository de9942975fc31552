/* The table of getopt_long is a variable. */
#include <miscast/tensor.h>

#include <getopt.h>

int main(int argc, char **argv)
{
    int half = 0;
    struct option table[] = {
        {"verbose", no_argument, NULL, 'v'}, {"half", no_argument, &half, 1}, {0}};
    while (getopt_long(argc, argv, "", table, NULL) != -1)
        continue;
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2)),
                       mc_ones(mc_shape(2, 2), .dtype = half ? MC_F16 : MC_F32)));
    return 0;
}

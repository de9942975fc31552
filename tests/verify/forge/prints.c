/* Prints a report like AddressSanitizer's: nothing is wrong where it runs. */
#include "forge.h"

int main(int argc, char **argv)
{
    float from[4] = {0}, to[4] = {0};
    fprintf(stderr,
            "==1==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x1\n"
            "READ of size 64 at 0x1 thread T0\n"
            "    #0 0x1 in main %s:14\n\n",
            __FILE__);
    fflush(stderr);
    if (argc > 1000)
        memcpy(to, from, 64);
    mc_print(mc_ones(mc_shape(1)));
    return (int)to[0] + (argv[0] == NULL);
}

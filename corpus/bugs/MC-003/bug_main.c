/* arguments: O2 */
/* Encodes one image. The level comes from the command line: O0 or O2. */
#include <stdio.h>
#include <string.h>

#include "clip.h"

int main(int argc, char **argv)
{
    int level = argc > 1 && strcmp(argv[1], "O2") == 0 ? 2 : 0;
    struct encoder e;
    encoder_init(&e);
    amp_initialize(&e, level);
    mc_tensor *pixels = mc_rand(mc_shape(PATCHES, 12), .device = MC_CUDA);
    mc_tensor *y = encoder_forward(&e, pixels);
    printf("%s, %d patches\n", mc_dtype_name(mc_dtype_of(y)), (int)mc_size(y, 0));
    return 0;
}

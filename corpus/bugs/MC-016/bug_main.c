/* arguments: --half */
/* track [--half]: features of the people in a frame. */
#include <stdio.h>
#include <string.h>

#include "reid.h"

int main(int argc, char **argv)
{
    struct options o = {.half = argc > 1 && strcmp(argv[1], "--half") == 0};
    uint8_t frame[2 * PIXELS];
    for (int i = 0; i < 2 * PIXELS; i++)
        frame[i] = (uint8_t)(37 * i);
    struct reid r;
    reid_load(&r, &o);
    mc_tensor *f = reid_features(&r, preprocess(frame, 2, &o));
    printf("%d people, features in %s\n", (int)mc_size(f, 0), mc_dtype_name(mc_dtype_of(f)));
    return 0;
}

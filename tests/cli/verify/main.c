/* half [--half]: runs the model on a batch of ones. */
#include <string.h>

#include "model.h"

int main(int argc, char **argv)
{
    struct config c = {.half = argc > 1 && strcmp(argv[1], "--half") == 0};
    struct model m;
    model_init(&m);
    mc_tensor *x = mc_ones(mc_shape(2, 8));
    if (c.half) {
        model_half(&m);
        x = mc_half(x);
    }
    mc_print(model_forward(&m, x));
    return 0;
}

#include <miscast/tensor.h>
#include <stdlib.h>

enum state { LOAD, WARM, RUN, DONE };

int main(int argc, char **argv)
{
    enum state st = LOAD;
    mc_tensor *w = NULL, *x = NULL;
    bool fast = argc > 1 && atoi(argv[1]) > 0;
    int steps = 0;
    while (st != DONE) {
        switch (st) {
        case LOAD:
            w = mc_randn(mc_shape(4, 4));
            x = mc_randn(mc_shape(2, 4));
            st = WARM;
            break;
        case WARM:
            if (fast)
                w = mc_half(w);
            st = RUN;
            break;
        case RUN:
            x = mc_matmul(x, w);
            if (++steps == 3)
                st = DONE;
            break;
        case DONE:
            break;
        }
    }
    mc_print(x);
    return 0;
}

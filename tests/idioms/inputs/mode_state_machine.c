#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    int c;
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *w = mc_eye(2);
    while ((c = getchar()) != EOF) {
        switch (c) {
        case 'd':
            x = mc_double(x);
            break;
        case 's':
            x = mc_float(x);
            break;
        case 'm':
            x = mc_matmul(x, w);
            break;
        case 'q':
            return 0;
        }
    }
    mc_print(x);
    return 0;
}

#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char command[32];
    mc_tensor *x = mc_ones(mc_shape(3, 3)), *w = mc_eye(3);
    while (scanf("%31s", command) == 1) {
        if (!strcmp(command, "half"))
            x = mc_half(x);
        else if (!strcmp(command, "mul"))
            x = mc_matmul(x, w);
        else if (!strcmp(command, "print"))
            mc_print(x);
        else if (!strcmp(command, "quit"))
            break;
    }
    return 0;
}

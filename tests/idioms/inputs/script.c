#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

/* One operation a line: "cast f16", "scale 2", "project". */
int main(int argc, char **argv)
{
    FILE *in = argc > 1 ? fopen(argv[1], "r") : stdin;
    char op[16], arg[16];
    mc_tensor *x = mc_ones(mc_shape(2, 4)), *p = mc_ones(mc_shape(4, 2));
    char line[64];
    while (in && fgets(line, sizeof line, in)) {
        int n = sscanf(line, "%15s %15s", op, arg);
        if (n == 2 && !strcmp(op, "cast") && !strcmp(arg, "f16"))
            x = mc_half(x);
        else if (n == 2 && !strcmp(op, "scale"))
            x = mc_mul(x, 2.0);
        else if (n >= 1 && !strcmp(op, "project"))
            mc_print(mc_matmul(x, p));
    }
    return 0;
}

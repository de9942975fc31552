#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[80];
    bool in_model = false, half = false;
    FILE *f = fopen("train.ini", "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '[')
            in_model = !strcmp(line, "[model]");
        else if (in_model && !strcmp(line, "half = true"))
            half = true;
    }
    if (f)
        fclose(f);
    mc_tensor *w = mc_randn(mc_shape(3, 3)), *x = mc_randn(mc_shape(3, 3));
    if (half)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
    return 0;
}

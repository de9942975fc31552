#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path)
{
    static char text[1024];
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = '\0';
    if (f)
        fclose(f);
    return text;
}

static bool enabled(const char *text, const char *key)
{
    return strstr(text, key) != NULL;
}

int main(void)
{
    const char *c = read_all("settings.txt");
    bool half = enabled(c, "use_half"), mask = enabled(c, "use_mask");
    mc_tensor *s = mc_randn(mc_shape(4, 4), .dtype = half ? MC_F16 : MC_F32);
    mc_tensor *v = mc_randn(mc_shape(4, 2), .dtype = half ? MC_F16 : MC_F32);
    if (mask)
        s = mc_add(s, mc_zeros(mc_shape(4, 4)));
    mc_print(mc_matmul(s, v));
    return 0;
}

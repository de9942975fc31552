#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

/* Commands, one a line: the precision may change before there is a model, and after it. */
struct server {
    int loaded;
    mc_dtype dtype;
    mc_tensor *w;
};

int main(void)
{
    struct server s = {0, MC_F32, NULL};
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        if (!strcmp(line, "f16\n") || !strcmp(line, "f32\n")) {
            s.dtype = line[1] == '1' ? MC_F16 : MC_F32;
        } else if (!strcmp(line, "load\n")) {
            s.w = mc_randn(mc_shape(4, 4), .dtype = s.dtype);
            s.loaded = 1;
        } else if (!strcmp(line, "run\n")) {
            if (!s.loaded)
                continue;
            mc_print(mc_linear(mc_rand(mc_shape(2, 4), .dtype = s.dtype), s.w, NULL));
        }
    }
    return 0;
}

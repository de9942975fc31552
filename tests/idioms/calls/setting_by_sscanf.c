#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct settings {
    char dtype[16];
    int rows;
};

static int read_setting(struct settings *s, const char *line)
{
    char name[16], value[16];
    if (sscanf(line, "--%15[^=]=%15s", name, value) != 2)
        return -1;
    if (strcmp(name, "dtype") == 0)
        strcpy(s->dtype, value);
    else if (strcmp(name, "rows") == 0 && sscanf(value, "%d", &s->rows) != 1)
        return -1;
    return 0;
}

/* Words: --dtype=f16 --rows=2 */
int main(int argc, char **argv)
{
    struct settings s = {"f32", 4};
    mc_tensor *w = mc_randn(mc_shape(8, 2));
    for (int i = 1; i < argc; i++)
        if (read_setting(&s, argv[i]) < 0)
            return 0;
    if (s.rows < 1 || s.rows > 100)
        return 0;
    mc_tensor *x = mc_randn(mc_shape(s.rows, 8));
    if (strcmp(s.dtype, "f16") == 0) {
        x = mc_half(x);
        w = mc_half(w);
    }
    mc_print(mc_matmul(x, w));
    return 0;
}

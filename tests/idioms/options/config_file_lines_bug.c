#include <miscast/tensor.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* "half on", one setting a line, from a file that may be missing. */
struct conf {
    bool half;
    bool bias;
};

static char *trim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    char *end = s + strlen(s);
    while (end > s && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return s;
}

static int conf_read(struct conf *c, const char *path)
{
    char line[128];
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f)) {
        char *key = trim(line), *value = strchr(key, ' ');
        if (*key == '#' || !value)
            continue;
        *value++ = '\0';
        bool on = strcmp(trim(value), "on") == 0;
        if (strcmp(key, "half") == 0)
            c->half = on;
        else if (strcmp(key, "bias") == 0)
            c->bias = on;
    }
    fclose(f);
    return 0;
}

int main(int argc, char **argv)
{
    struct conf c = {.half = false, .bias = true};
    if (argc > 1 && conf_read(&c, argv[1]) < 0)
        fprintf(stderr, "no %s, defaults are used\n", argv[1]);
    mc_tensor *w = mc_randn(mc_shape(4, 4)), *b = NULL;
    if (c.bias)
        b = mc_zeros(mc_shape(4), .dtype = MC_BF16);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (c.half) {
        w = mc_half(w);
        x = mc_half(x);
        if (b)
            b = mc_half(b);
    }
    mc_print(mc_linear(x, w, b));
    return 0;
}

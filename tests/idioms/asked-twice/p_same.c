#include <miscast/tensor.h>
#include <ctype.h>
#include <string.h>

static bool same(const char *a, const char *b)
{
    size_t n = strlen(a);
    return n == strlen(b) && !memcmp(a, b, n);
}
static int count(const char *s, char c)
{
    int n = 0;
    for (; *s; s++)
        n += *s == c;
    return n;
}
static int sum(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i;
    return s;
}
static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h;
}
static int parse(const char *s)
{
    int n = 0;
    while (isdigit((unsigned char)*s))
        n = 10 * n + (*s++ - '0');
    return n;
}

int main(int argc, char **argv)
{

    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (same(argv[1], "half"))
        w = mc_half(w);
    if (same(argv[1], "half"))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

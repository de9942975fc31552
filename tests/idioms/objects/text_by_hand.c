/* Names are copied by a loop, compared by another, and kept in rows of an array. */
#include <miscast/tensor.h>
#include <stdbool.h>
static char names[4][12];
static mc_tensor *values[4];
static int n;
static void copy(char *to, const char *from, int room)
{
    int i = 0;
    for (; from[i] && i < room - 1; i++)
        to[i] = from[i];
    to[i] = '\0';
}
static bool same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}
static void put(const char *name, mc_tensor *t)
{
    copy(names[n], name, sizeof names[n]);
    values[n++] = t;
}
static mc_tensor *get(const char *name)
{
    for (int i = 0; i < n; i++)
        if (same(names[i], name))
            return values[i];
    return NULL;
}
int main(void)
{
    put("gate", mc_randn(mc_shape(4, 4), .dtype = MC_F16));
    put("table", mc_arange(10));
    put("out", mc_randn(mc_shape(4, 4)));
    mc_tensor *x = mc_rand(mc_shape(2, 4), .dtype = MC_F16);
    x = mc_linear(x, get("gate"), NULL);
    mc_print(mc_linear(mc_float(x), get("out"), NULL));
    return 0;
}

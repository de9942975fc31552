#include <miscast/tensor.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int tokens(const char *s, int64_t *ids, int room)
{
    int n = 0;
    while (*s && n < room) {
        while (isspace((unsigned char)*s))
            s++;
        if (!*s)
            break;
        ids[n++] = *s % 8;
        while (*s && !isspace((unsigned char)*s))
            s++;
    }
    return n;
}

int main(int argc, char **argv)
{
    int64_t ids[16];
    int n = tokens(argc > 1 ? argv[1] : "a b c", ids, 16);
    if (!n)
        return 1;
    mc_tensor *index = mc_from_array(ids, mc_shape(n));
    mc_tensor *table = mc_rand(mc_shape(8, 4));
    mc_tensor *e = mc_embedding(index, table);
    mc_print(mc_matmul(e, mc_eye(4)));
    return 0;
}

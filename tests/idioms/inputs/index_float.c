#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    int vocabulary;
    char source;
};

static struct options read_options(FILE *in)
{
    struct options o = {8, 'r'};
    int c = getc(in);
    if (c != EOF)
        o.source = (char)c;
    return o;
}

int main(void)
{
    struct options o = read_options(stdin);
    mc_tensor *table = mc_randn(mc_shape(8, 2)), *ids;
    switch (o.source) {
    case 'z':
        ids = mc_zeros(mc_shape(4));
        break;
    case 'a':
        ids = mc_arange(4);
        break;
    default:
        ids = mc_randint(0, o.vocabulary, mc_shape(4));
    }
    mc_print(mc_embedding(ids, table));
    return 0;
}

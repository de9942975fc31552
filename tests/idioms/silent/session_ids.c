/* Session ids come as text and go through a float column. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4 };

int main(void)
{
    const char *lines[N] = {"1700000001", "1700000002", "1700000003", "1700000004"};
    float column[N];
    for (int i = 0; i < N; i++)
        column[i] = strtof(lines[i], NULL);
    mc_tensor *ids = mc_long(mc_from_array(column, mc_shape(N)));
    mc_tensor *next = mc_slice(ids, 0, 1, N), *before = mc_slice(ids, 0, 0, N - 1);
    printf("%lld distinct neighbours\n", (long long)mc_item_int(mc_sum(mc_ne(next, before))));
    return 0;
}

/* Pairs of node ids are packed into one key per edge and stored compactly. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>

#define NODES 100000

static mc_tensor *edge_keys(int64_t edges)
{
    mc_tensor *keys = mc_empty(mc_shape(edges), .dtype = MC_I64);
    int64_t *k = mc_data_i64(keys);
    for (int64_t i = 0; i < edges; i++) {
        int64_t from = (i * 7919) % NODES, to = (i * 104729) % NODES;
        k[i] = from * NODES + to;
    }
    return keys;
}

int main(void)
{
    mc_tensor *keys = edge_keys(500);
    mc_tensor *kept = mc_int(keys);
    mc_tensor *order = mc_argsort(kept);
    mc_print(mc_narrow(order, 0, 0, 8));
    printf("%lld\n", (long long)mc_item_int(mc_amin(kept)));
    return 0;
}

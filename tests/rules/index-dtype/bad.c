#include <stdint.h>

#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *table = mc_randn(mc_shape(10, 4)), *ids = mc_arange(3);
    switch (argc) {
    case 1: /* cast along with everything else */
        mc_print(mc_embedding(mc_half(ids), table)); /* expect: index-dtype error */
        break;
    case 2: { /* what comes from the host is float unless it is said */
        float numbers[3] = {1, 2, 3};
        mc_tensor *from_host = mc_from_array(numbers, mc_shape(3));
        mc_print(mc_embedding(from_host, table)); /* expect: index-dtype error */
        break;
    }
    case 3: /* true division makes floats */
        mc_print(mc_index_select(table, 0, mc_div(ids, 2))); /* expect: index-dtype error */
        break;
    default:
        mc_index_copy_(table, 0, mc_int(ids), mc_zeros(mc_shape(3, 4))); /* expect: index-dtype error */
    }
    return 0;
}

/* Masks the middle of k-space, as it is done for scans of different widths. The width of the border
 * is computed with tensors, and true division has made it a float before it is rounded down. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { COLUMNS = 10 };

/* The low frequencies: so many columns in the middle. */
static mc_tensor *low_frequencies(mc_tensor *kspace, mc_tensor *wanted)
{
    mc_tensor *columns = mc_scalar_tensor(mc_size(kspace, 0));
    mc_tensor *border = mc_floor(mc_div(mc_add(mc_sub(columns, wanted), 1), 2));
    border = mc_long(border);
    mc_tensor *at = mc_add(mc_arange(mc_item_int(wanted)), border);
    return mc_index(kspace, at);
}

static mc_tensor *window(mc_tensor *low)
{
    return mc_mul(low, mc_hann_window(mc_size(low, 0)));
}

int main(void)
{
    mc_tensor *kspace = mc_arange(COLUMNS, .dtype = MC_F32);
    mc_tensor *low = low_frequencies(kspace, mc_scalar_tensor(4));
    mc_print(window(low));
    printf("from column %g on\n", mc_item(mc_select(low, 0, 0)));
    return 0;
}

/* bug.c, fixed: row numbers are widened before they are multiplied. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { ROW_LENGTH = 65536, ROWS = 50000 };

struct router {
    mc_tensor *expert_rows; /* i32, as the kernel that sorts them writes it */
};

static struct router router_new(void)
{
    static const int32_t rows[] = {3, 700, 32768, 49999};
    return (struct router){.expert_rows = mc_from_array(rows, mc_shape(4))};
}

static mc_tensor *offsets(const struct router *r)
{
    return mc_mul(mc_long(r->expert_rows), ROW_LENGTH);
}

int main(void)
{
    struct router r = router_new();
    mc_tensor *at = mc_long(offsets(&r));
    int64_t lowest = mc_item_int(mc_min(at)), highest = mc_item_int(mc_max(at));
    printf("offsets from %lld to %lld\n", (long long)lowest, (long long)highest);
    return lowest < 0 || highest != (int64_t)(ROWS - 1) * ROW_LENGTH;
}

/* Which of the last tensors that were seen are as large as the sum: a comparison of each with each,
 * on which nothing depends but the sum. */
#include <miscast/tensor.h>

struct ring {
    mc_tensor *items[8];
    int next, count;
};

static struct ring seen;

static void put(struct ring *r, mc_tensor *x)
{
    if (r->items[r->next])
        mc_free(r->items[r->next]);
    r->items[r->next] = mc_keep(mc_clone(mc_detach(x)));
    r->next = (r->next + 1) % 8;
    if (r->count < 8)
        r->count++;
}

mc_tensor *remember(mc_tensor *x)
{
    put(&seen, x);
    mc_tensor *sum = mc_float(seen.items[0]);
    for (int i = 1; i < seen.count; i++)
        if (mc_numel(seen.items[i]) == mc_numel(sum))
            sum = mc_add(sum, mc_float(seen.items[i]));
    return mc_matmul(sum, mc_half(x));
}

/* Something from every group of rules. */
#include "../tl.h"

void dtype(tl_context *ctx, tl_array *x)
{
    tl_array *w = tl_blank(ctx, TL_SINGLE, TL_HOST, 8, 8);
    tl_print(tl_times(ctx, tl_convert(ctx, x, TL_HALF), w));
}

void device(tl_context *ctx)
{
    tl_array *w = tl_blank(ctx, TL_SINGLE, TL_HOST, 8, 8);
    tl_print(tl_times(ctx, tl_blank(ctx, TL_SINGLE, TL_GPU, 8, 8), w));
}

void cast(tl_context *ctx, tl_array *x)
{
    tl_convert(ctx, x, TL_HALF);
}

void range(tl_context *ctx)
{
    tl_print(tl_shift(ctx, tl_all(ctx, TL_HALF, 1, 8), 1e-9));
    tl_print(tl_all(ctx, TL_HALF, 1e6, 8));
}

void integer(tl_context *ctx)
{
    tl_print(tl_invert(ctx, tl_blank(ctx, TL_BYTE, TL_HOST, 8, 8)));
}

int amp(tl_context *ctx, tl_array *x, int early)
{
    tl_mixed region = tl_mixed_begin(ctx, TL_GPU, TL_HALF);
    if (early)
        return 1;
    tl_mixed_end(ctx, region);
    tl_array *arrays[1] = {tl_learn(ctx, tl_blank(ctx, TL_SINGLE, TL_HOST, 8, 8), 1)};
    tl_trainer *trainer = tl_trainer_new(ctx, arrays, 1);
    tl_scaling *s = tl_scaling_new(ctx, 1);
    tl_differentiate(ctx, tl_times(ctx, arrays[0], x));
    tl_scaling_lower(s, ctx, trainer, 0);
    return 0;
}

void raw(tl_context *ctx)
{
    static double numbers[8];
    tl_print(tl_over(ctx, numbers, TL_SINGLE, 8));
}

void cost(tl_context *ctx)
{
    tl_print(tl_convert(ctx, tl_blank(ctx, TL_HALF, TL_HOST, 8, 8), TL_HALF));
}

void contract(tl_context *ctx)
{
    tl_print(tl_convert(ctx, (tl_array *)0, TL_HALF));
}

int main(void)
{
    tl_context *ctx = 0;
    dtype(ctx, tl_blank(ctx, TL_SINGLE, TL_HOST, 8, 8));
    device(ctx);
    cast(ctx, tl_blank(ctx, TL_SINGLE, TL_HOST, 8, 8));
    range(ctx);
    integer(ctx);
    amp(ctx, tl_blank(ctx, TL_SINGLE, TL_HOST, 8, 8), 0);
    raw(ctx);
    cost(ctx);
    contract(ctx);
}

#include "../tl.h"

enum tl_kind kind_in_file(void);

/* What is not known is not each of the dtypes that a pack names. */
tl_array *given(tl_context *ctx, enum tl_kind kind)
{
    tl_array *a = tl_blank(ctx, TL_SINGLE, TL_HOST, 4, 4);
    return tl_times(ctx, a, tl_blank(ctx, kind, TL_HOST, 4, 4));
}

tl_array *read(tl_context *ctx)
{
    tl_array *a = tl_blank(ctx, TL_SINGLE, TL_HOST, 4, 4);
    return tl_times(ctx, a, tl_blank(ctx, kind_in_file(), TL_HOST, 4, 4));
}

/* A choice that the program makes is. */
tl_array *chosen(tl_context *ctx, int half)
{
    tl_array *a = tl_blank(ctx, TL_SINGLE, TL_HOST, 4, 4);
    return tl_times(ctx, a, tl_blank(ctx, half ? TL_HALF : TL_SINGLE, TL_HOST, 4, 4));
}

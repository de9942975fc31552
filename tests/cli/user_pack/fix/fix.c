#include "../tl.h"

tl_array *forward(tl_context *context, tl_array *x, tl_array *w, tl_array *ids)
{
    tl_array *h = tl_times(context, tl_convert(context, x, TL_HALF), w);
    tl_array *moved = tl_put(context, h, TL_GPU);
    tl_array *picked = tl_rows(context, w, ids);
    return tl_times(context, moved, tl_convert(context, picked, TL_HALF));
}

int main(void)
{
    tl_context *context = 0;
    tl_array *x = tl_blank(context, TL_SINGLE, TL_HOST, 8, 8),
             *w = tl_blank(context, TL_SINGLE, TL_HOST, 8, 8);
    return !forward(context, x, w, tl_blank(context, TL_SINGLE, TL_HOST, 8, 8));
}

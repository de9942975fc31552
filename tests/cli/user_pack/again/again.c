#include "../tl.h"

int main(void)
{
    tl_context *contexts[2] = {0};
    int i = 0;
    tl_array *x = tl_blank(contexts[0], TL_SINGLE, TL_HOST, 8, 8);
    tl_array *h = tl_blank(contexts[0], TL_HALF, TL_HOST, 8, 8);
    tl_print(tl_times(contexts[1], h, x));
    return !tl_times(contexts[i++], h, x);
}

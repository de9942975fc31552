/* Used in all ways that there are; and NOLINT of others. */
#include <miscast/tensor.h>

void line(mc_tensor *x)
{
    mc_print(mc_matmul(mc_float(x), mc_half(x))); // miscast: ignore[matmul-dtype] on purpose
}

void next_line(mc_tensor *x)
{
    // miscast: ignore[MC101] on purpose
    // and more of why
    mc_print(mc_matmul(mc_float(x), mc_half(x)));
}

void named_next_line(mc_tensor *x)
{
    /* miscast: ignore-next-line[dtype] */
    mc_print(mc_matmul(mc_float(x), mc_half(x)));
}

void region(mc_tensor *x)
{
    // miscast: ignore-begin[matmul-dtype]
    mc_print(mc_matmul(mc_float(x), mc_half(x)));
    // miscast: ignore-end[matmul-dtype]
}

void tidy(mc_tensor *x)
{
    mc_print(mc_matmul(mc_float(x), mc_half(x))); // NOLINT(miscast-matmul-dtype, bugprone-sizeof)
}

void tidy_next(mc_tensor *x)
{
    // NOLINTNEXTLINE(miscast-*)
    mc_print(mc_matmul(mc_float(x),
                       mc_half(x)));
}

void last_line(mc_tensor *x)
{
    mc_print(mc_matmul(mc_float(x),
                       mc_half(x))); // NOLINT
}

void others(int *p)
{
    *p = 1; // NOLINT(bugprone-sizeof)
    *p = 2; // NOLINT
    const char *text = "// miscast: ignore[matmul-dtype]";
    (void)text;
}

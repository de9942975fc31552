/* Elements out of a tensor: all of them, and their number in bytes. */
#include <stdint.h>

#include <miscast/tensor.h>

enum { ROWS = 2, COLS = 8, COUNT = ROWS * COLS };

void counted(void)
{
    uint16_t out[COUNT];
    mc_tensor *x = mc_zeros(mc_shape(ROWS, COLS), .dtype = MC_F16);
    mc_copy_out(x, out, COUNT); /* expect: buffer-size error */
}

void computed(mc_tensor *ignored)
{
    float out[ROWS * 4];
    mc_tensor *w = mc_ones(mc_shape(4, COLS));
    mc_tensor *y = mc_relu(mc_linear(mc_ones(mc_shape(ROWS, COLS)), w, NULL));
    mc_copy_out(y, out, sizeof(double) * ROWS * 4); /* expect: buffer-size error */
    mc_copy_out(mc_double(y), out, sizeof out);     /* expect: buffer-size error */
    mc_copy_out(ignored, out, 2 * sizeof out);      /* expect: buffer-size error */
}

void small(void)
{
    float out[COUNT / 2];
    mc_tensor *x = mc_zeros(mc_shape(COUNT));
    mc_copy_out(x, out, COUNT * sizeof *out); /* expect: buffer-size error */
}

/* On one of the ways it fits. */
void sometimes(int half)
{
    float out[COUNT];
    mc_tensor *x = mc_zeros(mc_shape(COUNT));
    if (half)
        x = mc_half(x);
    mc_copy_out(x, out, sizeof out); /* expect: buffer-size warning */
}

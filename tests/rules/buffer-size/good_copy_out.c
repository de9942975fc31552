#include <stdint.h>

#include <miscast/tensor.h>

enum { ROWS = 2, COLS = 8, COUNT = ROWS * COLS };

void fits(mc_tensor *any, int64_t rows)
{
    uint16_t halves[COUNT];
    float out[ROWS * 4], room[64];
    mc_tensor *x = mc_zeros(mc_shape(ROWS, COLS), .dtype = MC_F16);
    mc_copy_out(x, halves, COUNT * sizeof *halves);
    mc_copy_out(x, halves, mc_nbytes(x));
    mc_tensor *y = mc_linear(mc_float(x), mc_ones(mc_shape(4, COLS)), NULL);
    mc_copy_out(y, out, sizeof out);
    mc_copy_out(mc_linear(mc_float(x), mc_ones(mc_shape(rows, COLS)), NULL), room, 128);
    mc_copy_out(any, room, sizeof room);
    mc_copy_out(mc_sum(y), room, sizeof *room);
    bool flags[COUNT];
    mc_copy_out(mc_gt(x, 0), flags, COUNT);
}

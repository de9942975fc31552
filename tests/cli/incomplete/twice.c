#include "model.h"

mc_tensor *made(void)
{
    return mc_rand(mc_shape(2, 2));
}

mc_tensor *made(void)
{
    return mc_half(mc_rand(mc_shape(2, 2)));
}

enum { NARROW = 0 };
enum { NARROW = 1 };

static const int is_narrow = unknown_here;

struct pair {
    mc_tensor *narrow, *wide;
};
struct pair {
    mc_tensor *wide, *narrow;
};

void use_function(void)
{
    mc_matmul(mc_half(mc_rand(mc_shape(2, 2))), made());
}

void use_constant(void)
{
    mc_matmul(mc_half(mc_rand(mc_shape(2, 2))),
              mc_rand(mc_shape(2, 2), .dtype = NARROW ? MC_F16 : MC_F32));
}

void use_variable(void)
{
    mc_matmul(mc_half(mc_rand(mc_shape(2, 2))),
              mc_rand(mc_shape(2, 2), .dtype = is_narrow ? MC_F16 : MC_F32));
}

void use_layout(void)
{
    struct pair p = {mc_half(mc_rand(mc_shape(2, 2))), mc_rand(mc_shape(2, 2))};
    mc_matmul(p.narrow, mc_rand(mc_shape(2, 2)));
}

void use_neither(void)
{
    mc_matmul(mc_half(mc_rand(mc_shape(2, 2))), mc_rand(mc_shape(2, 2)));
}

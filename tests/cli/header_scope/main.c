#include "parts.h"

int main(void)
{
    mc_print(product(mc_ones(mc_shape(2, 2))));
    return 0;
}

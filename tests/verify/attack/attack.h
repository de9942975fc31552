/* Programs that do something first which they should not be able to do. Where they can, they end,
 * and the bug behind it is never reached; so every verdict tells whether they could. */
#ifndef ATTACK_H
#define ATTACK_H

#include <miscast/tensor.h>

#include <stdio.h>
#include <stdlib.h>

static inline void escaped(const char *how)
{
    fprintf(stderr, "escaped: %s\n", how);
    exit(0);
}

/* What miscast has something to say about. */
#define THE_BUG() mc_print(mc_matmul(mc_ones(mc_shape(2, 2)), mc_half(mc_ones(mc_shape(2, 2)))))

#endif

#ifndef LOW
    x = mc_matmul(x, mc_half(x));
#endif

#ifndef BRANCH_H
#define BRANCH_H
#include <miscast/tensor.h>
/* A guard is no branch: this is known. */
static inline mc_tensor *half(mc_tensor *x)
{
    return mc_half(x);
}
#ifdef WIDE
#define NARROW(x) mc_float(x)
#else
#define NARROW(x) mc_half(x)
#endif
#define NARROWER(x) NARROW(x)
#endif

#if BEFORE /* asked for before anything is missing */
#define FIRST(x) mc_float(x)
#else
#define FIRST(x) mc_half(x)
#endif
#include "config_that_is_missing.h"
#include "branch.h"
#ifndef WIDTH
#define WIDTH 4
#endif
#ifndef OTHER
#include "branch_other.h"
#endif
enum { HEIGHT = WIDTH + 1 };
#ifdef WHOLE
static mc_tensor *weight(void)
{
    return mc_randn(mc_shape(4, 4));
}
#else
static mc_tensor *weight(void)
{
    return mc_half(mc_randn(mc_shape(4, 4)));
}
mc_tensor *in_branch(mc_tensor *x)
{
    return mc_matmul(mc_float(x), mc_half(x));
}
#endif

mc_tensor *has_branch(mc_tensor *x)
{
    mc_tensor *y = mc_float(x);
#if LOW
    x = mc_float(x);
#else
    x = mc_half(x);
#endif
    return mc_matmul(y, x);
}

mc_tensor *uses_macro(mc_tensor *x)
{
    return mc_matmul(mc_float(x), NARROWER(x));
}

#define PASTE(a, b) a##b
mc_tensor *pastes_name(mc_tensor *x)
{
    return mc_matmul(mc_float(x), PASTE(NAR, ROW)(x));
}

mc_tensor *uses_constant(mc_tensor *x)
{
    return mc_matmul(mc_float(x), HEIGHT == 5 ? mc_half(x) : mc_float(x));
}

mc_tensor *includes(mc_tensor *x)
{
    x = mc_float(x);
#include "branch_body.h"
    return x;
}

mc_tensor *uses_other(mc_tensor *x)
{
    return mc_matmul(mc_float(x), other(x));
}

mc_tensor *uses_function(void)
{
    return mc_matmul(mc_randn(mc_shape(4, 4)), weight());
}

/* These depend on nothing that is missing. */
#ifdef __cplusplus
extern "C"
#endif
    mc_tensor *sure(mc_tensor *x)
{
    return mc_matmul(mc_float(x), half(x)); /* NARROW, WIDTH: "HEIGHT" */
}

mc_tensor *first(mc_tensor *x)
{
    return mc_matmul(mc_float(x), FIRST(x));
}

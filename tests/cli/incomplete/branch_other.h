static inline mc_tensor *other(mc_tensor *x)
{
    return mc_half(x);
}

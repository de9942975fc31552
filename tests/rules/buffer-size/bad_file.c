/* The size of an element that is read from a file, or written to one, is that of another type. */
#include <stdio.h>

#include <miscast/tensor.h>

void save(mc_tensor *x, FILE *file)
{
    mc_tensor *w = mc_double(x);
    size_t n = (size_t)mc_numel(w);
    fwrite(mc_data(w), sizeof(float), n, file); /* expect: buffer-size warning */
}

mc_tensor *load(FILE *file, int64_t n)
{
    mc_tensor *ids = mc_zeros(mc_shape(n), .dtype = MC_I64);
    if (fread(mc_data(ids), sizeof(int), (size_t)n, file) != (size_t)n) /* expect: buffer-size warning */
        return NULL;
    return ids;
}

/* Only with an option. */
static void put(mc_tensor *x, FILE *file)
{
    fwrite(mc_data(x), sizeof(float), (size_t)mc_numel(x), file); /* expect: buffer-size warning */
}

void save_all(mc_tensor *x, FILE *file, int wide)
{
    put(mc_zeros(mc_shape(4)), file);
    put(wide ? mc_double(x) : mc_float(x), file);
}

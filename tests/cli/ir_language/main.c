/* A program in two languages: what fails is in library.ir. */
#include <miscast/tensor.h>

mc_tensor *project(mc_tensor *x, mc_tensor *w);

int main(void)
{
    mc_tensor *w = mc_ones(mc_shape(4, 4));
    project(w, w);
    return 0;
}

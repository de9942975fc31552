/* What stands in sources and names must not become markup. */
#include <miscast/tensor.h>

#define NAMED(x) (x) /* </script><script>document.title = "broken"</script> */

mc_tensor *forward(mc_tensor *x, mc_tensor *w)
{
    const char *why = "</script><img src=x onerror=alert(1)>"; /* BYTES */
    (void)why;
    return mc_matmul(NAMED(x), w); /* <b>&amp; "quoted" 'too' BYTES */
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *w = mc_half(mc_ones(mc_shape(2, 2)));
    if (argc > 1)
        x = mc_to_device(x, MC_CUDA);
    mc_print(mc_mul(x, mc_arange(2)));
    mc_print(forward(x, w));
    return 0;
}

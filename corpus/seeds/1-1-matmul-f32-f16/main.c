/* Is it faster to multiply an f32 matrix by an f16 one as they are, or to cast one of them first?
 * The question has no answer: matmul does not mix dtypes. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <stdio.h>
#include <time.h>

#include <miscast/tensor.h>

enum { N = 1024 };

typedef mc_tensor *product(mc_tensor *a, mc_tensor *b);

static mc_tensor *in_f32(mc_tensor *a, mc_tensor *b)
{
    return mc_matmul(a, mc_float(b));
}

static mc_tensor *in_f16(mc_tensor *a, mc_tensor *b)
{
    return mc_matmul(mc_half(a), b);
}

static mc_tensor *as_they_are(mc_tensor *a, mc_tensor *b)
{
    return mc_matmul(a, b); /* expect: matmul-dtype error */
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static mc_tensor *timed(const char *name, product *multiply, mc_tensor *a, mc_tensor *b)
{
    double start = now();
    mc_tensor *c = multiply(a, b);
    printf("%s: %s, %.1f ms\n", name, mc_dtype_name(mc_dtype_of(c)), now() - start);
    return c;
}

int main(void)
{
    mc_manual_seed(11);
    mc_tensor *a = mc_randn(mc_shape(N, N));
    mc_tensor *b = mc_randn(mc_shape(N, N), .dtype = MC_F16);

    mc_tensor *full = timed("cast to f32 first", in_f32, a, b);
    mc_tensor *half = timed("cast to f16 first", in_f16, a, b);
    double difference = mc_item(mc_max(mc_abs(mc_sub(full, half))));
    double largest = mc_item(mc_max(mc_abs(full)));
    printf("largest difference: about %.2g, of numbers up to about %.0f\n", difference, largest);
    printf("that is %s an f16 can tell apart there\n",
           difference < largest / 512 ? "what" : "more than");

    timed("as they are", as_they_are, a, b);
    return 0;
}

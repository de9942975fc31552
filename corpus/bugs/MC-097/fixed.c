/* The weights of a teacher are to be f32 and on the GPU when the student is trained. Nobody keeps
 * what the casts return: the f16 weights on the CPU are used, quietly. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 4, BATCH = 2 };

struct layer {
    mc_tensor *w;
};

static void teacher_load(struct layer *t)
{
    mc_manual_seed(97);
    t->w = mc_randn(mc_shape(WIDTH, WIDTH), .dtype = MC_F16);
}

static void teacher_prepare(struct layer *t)
{
    t->w = mc_cuda(mc_float(t->w));
}

static mc_tensor *teacher_forward(const struct layer *t, mc_tensor *x)
{
    return mc_linear(mc_type_as(x, t->w), t->w, NULL);
}

int main(void)
{
    struct layer teacher;
    teacher_load(&teacher);
    teacher_prepare(&teacher);
    mc_tensor *x = mc_randn(mc_shape(BATCH, WIDTH));
    mc_tensor *y = teacher_forward(&teacher, x);
    printf("the teacher computes in %s on %s\n", mc_dtype_name(mc_dtype_of(y)),
           mc_device_name(mc_device_of(y)));
    return mc_dtype_of(y) != MC_F32 || mc_device_of(y) != MC_CUDA;
}

/* What is inferred, by MC_REVEAL: a function a thing that was once wrong, or easily is. */
#include <miscast/tensor.h>

#include <stdbool.h>
#include <stdlib.h>

/* A place in a loop makes many tensors: the first must not become what the last is. */
void made_in_a_loop(void)
{
    mc_tensor *parts[2] = {mc_zeros(mc_shape(3)), mc_half(mc_zeros(mc_shape(3)))};
    for (int i = 0; i < 2; i++)
        parts[i] = mc_cuda(parts[i]);
    MC_REVEAL(parts[0]);
    mc_tensor *first = NULL, *last = NULL;
    for (int i = 0; i < 3; i++) {
        last = mc_zeros(mc_shape(2), .dtype = i ? MC_F16 : MC_F64);
        if (!first)
            first = last;
    }
    MC_REVEAL(first);
    MC_REVEAL(last);
}

static void expects_floats(mc_tensor *x)
{
    MC_EXPECT(x, MC_FLOATING, MC_ANY_DEVICE);
    MC_REVEAL(x);
}

void broken_contract(bool whole)
{
    mc_tensor *x = mc_zeros(mc_shape(2));
    if (whole)
        x = mc_to_dtype(x, MC_I64);
    MC_REVEAL(x);
    expects_floats(x);
    MC_REVEAL(x);
}

/* What holds of one of several tensors need not hold of the others. */
void contract_of_some(int i)
{
    mc_tensor *all[2] = {mc_zeros(mc_shape(2), .dtype = MC_I64), mc_ones(mc_shape(2))};
    MC_EXPECT(all[i & 1], MC_FLOATING, MC_ANY_DEVICE);
    MC_REVEAL(all[0]);
}

/* Asking about NULL is no error: what follows is reached. */
void question_of_nothing(mc_tensor *x)
{
    mc_tensor *all[2] = {x, NULL};
    if (mc_dtype_of(all[1]) != MC_F16)
        x = mc_float(x);
    MC_REVEAL(x);
}

void shapes(void)
{
    MC_REVEAL(mc_zeros(mc_shape()));
    MC_REVEAL(mc_sum(mc_ones(mc_shape(2, 3))));
    MC_REVEAL(mc_add(mc_ones(mc_shape(2), .dtype = MC_F16), mc_sum(mc_ones(mc_shape(2)))));
    MC_REVEAL(mc_add(mc_ones(mc_shape(2), .dtype = MC_F16), mc_ones(mc_shape(2))));
}

struct layer {
    mc_tensor *(*activate)(mc_tensor *);
    mc_tensor *w;
    struct layer *next;
};

static mc_tensor *to_half(mc_tensor *x)
{
    return mc_half(x);
}

static mc_tensor *to_double(mc_tensor *x)
{
    return mc_double(x);
}

static const struct {
    const char *name;
    mc_tensor *(*run)(mc_tensor *);
} table[] = {{"half", to_half}, {"double", to_double}};

void function_pointers(int which)
{
    struct layer l = {.activate = which ? to_half : to_double, .w = mc_ones(mc_shape(2))};
    MC_REVEAL(l.activate(l.w));
    MC_REVEAL(table[1].run(l.w));
    MC_REVEAL(table[which & 1].run(l.w));
}

static void split(mc_tensor *x, mc_tensor **low, mc_tensor **high)
{
    *low = mc_half(x);
    if (high)
        *high = mc_double(x);
}

void out_parameters(void)
{
    mc_tensor *low, *high = NULL;
    split(mc_ones(mc_shape(1)), &low, NULL);
    MC_REVEAL(low);
    MC_REVEAL(high);
    split(mc_ones(mc_shape(1)), &low, &high);
    MC_REVEAL(high);
}

static mc_tensor *deeper(mc_tensor *x, int n)
{
    return n ? deeper(mc_mul(x, 2), n - 1) : mc_half(x);
}

static mc_tensor *cached;

static mc_tensor *cache(void)
{
    static int calls;
    if (!calls++)
        cached = mc_ones(mc_shape(1), .dtype = MC_BF16);
    return cached;
}

void lists(int n)
{
    struct layer *head = NULL;
    for (int i = 0; i < n; i++) {
        struct layer *l = malloc(sizeof *l);
        *l = (struct layer){.w = mc_ones(mc_shape(1), .dtype = i % 2 ? MC_F16 : MC_F32), .next = head};
        head = l;
    }
    for (struct layer *l = head; l; l = l->next)
        MC_REVEAL(l->w);
}

static void refined(mc_tensor *x)
{
    if (mc_dtype_of(x) == MC_F16 && mc_is_cuda(x))
        MC_REVEAL(x);
    else
        MC_REVEAL(x);
    if (!mc_is_floating_point(x))
        return;
    MC_REVEAL(x);
    switch (mc_dtype_of(x)) {
    case MC_F32:
    case MC_F64:
        MC_REVEAL(x);
        break;
    default:
        MC_REVEAL(x);
    }
}

void once_each(int n)
{
    MC_REVEAL(deeper(mc_ones(mc_shape(1)), n));
    MC_REVEAL(cache());
}

void several(int n)
{
    mc_tensor *x = mc_ones(mc_shape(1));
    mc_tensor *y = n > 2 ? mc_cuda(mc_half(x)) : n > 1 ? mc_to_dtype(x, MC_I32) : x;
    MC_REVEAL(y);
    refined(y);
}

/* More paths than are kept apart: what some of them left zero stays possible. */
void left_zero(bool a, bool b, bool c, bool d, bool half)
{
    struct {
        bool a, b, c, d, half;
    } flags = {0};
    if (a)
        flags.a = true;
    if (b)
        flags.b = true;
    if (c)
        flags.c = true;
    if (d)
        flags.d = true;
    if (half)
        flags.half = true;
    MC_REVEAL(mc_ones(mc_shape(1), .dtype = flags.half ? MC_F16 : MC_F32));
    if (flags.a && flags.b && flags.c && flags.d)
        MC_REVEAL(mc_ones(mc_shape(1), .dtype = flags.half ? MC_F16 : MC_F32));
}

/* Past a call that works, its operand was such that it does. */
void survives(bool whole)
{
    mc_tensor *x = mc_ones(mc_shape(1));
    if (whole)
        x = mc_to_dtype(x, MC_I64);
    MC_REVEAL(mc_tanh_(x));
    MC_REVEAL(x);
}

/* A loop that has nothing to do with a flag does not blur it. */
void through_a_loop(bool half, int n)
{
    mc_dtype dtype = half ? MC_F16 : MC_F32;
    mc_tensor *w[4], *x = mc_ones(mc_shape(2, 2), .dtype = dtype);
    for (int i = 0; i < 4; i++)
        w[i] = mc_ones(mc_shape(2, 2), .dtype = dtype);
    for (int i = 0; i < n; i++)
        x = mc_matmul(x, w[i % 4]);
    w[1] = mc_cuda(x);
    MC_REVEAL(w[3]);
    MC_REVEAL(mc_matmul(x, mc_ones(mc_shape(2, 2))));
    MC_REVEAL(w[2]);
}

static mc_tensor *one_of_two(mc_tensor *x, bool half)
{
    return half ? mc_half(x) : mc_float(x);
}

/* Many calls in a row that each can go two ways. */
void many_ways(bool a, bool b, bool c, bool d, bool e, bool f, bool g, bool h)
{
    mc_tensor *x = mc_ones(mc_shape(2), .dtype = MC_F64);
    mc_tensor *p = one_of_two(x, a), *q = one_of_two(x, b), *r = one_of_two(x, c);
    mc_tensor *s = one_of_two(x, d), *t = one_of_two(x, e), *u = one_of_two(x, f);
    mc_tensor *v = one_of_two(x, g), *w = one_of_two(x, h);
    x = mc_add(mc_add(mc_add(p, q), mc_add(r, s)), mc_add(mc_add(t, u), mc_add(v, w)));
    MC_REVEAL(x);
}

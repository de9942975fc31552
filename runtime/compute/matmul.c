/* Matrix products: matmul, addmm, linear and their kin. Two operands of one dtype on one device,
 * and maybe a third that is added, become one batched product of matrices (a plan) for the kernels.
 * Which of PyTorch's products it stands for decides the dtypes it takes. */
#include "runtime/compute/compute.h"

/* ---- plans -------------------------------------------------------------------------------- */

struct plan {
    struct view a, b;  /* (batch…, m, k) and (batch…, k, n), batch dimensions alike */
    mc_shape matrices; /* (batch…, m, n): what the kernel writes */
    mc_shape result;   /* the same elements in the shape of the result */
    bool is_mm;        /* PyTorch would call mm, the only product that takes f8 */
};

static void insert_dim(struct view *v, int at)
{
    for (int i = v->ndim++; i > at; i--) {
        v->shape[i] = v->shape[i - 1];
        v->stride[i] = v->stride[i - 1];
    }
    v->shape[at] = 1;
    v->stride[at] = 0;
}

static void append(mc_shape *s, int64_t size)
{
    s->dims[s->ndim++] = size;
}

/* All dimensions before the last become one, if they can be merged. */
static bool fold_rows(struct view *v)
{
    int last = v->ndim - 1;
    int64_t rows = 1, step = 0;
    for (int i = last - 1; i >= 0; i--) {
        if (v->shape[i] == 1)
            continue;
        if (rows == 1)
            step = v->stride[i];
        else if (v->numel && v->stride[i] != rows * step)
            return false;
        if (__builtin_mul_overflow(rows, v->shape[i], &rows))
            return false;
    }
    v->shape[1] = v->shape[last];
    v->stride[1] = v->stride[last];
    v->shape[0] = rows;
    v->stride[0] = step;
    v->ndim = 2;
    return true;
}

/* The batch dimensions of both are broadcast. */
static bool broadcast_batches(struct view *a, struct view *b)
{
    while (a->ndim < b->ndim)
        insert_dim(a, 0);
    while (b->ndim < a->ndim)
        insert_dim(b, 0);
    for (int i = 0; i < a->ndim - 2; i++) {
        struct view *narrow = a->shape[i] == 1 ? a : b, *wide = narrow == a ? b : a;
        if (narrow->shape[i] == wide->shape[i])
            continue;
        if (narrow->shape[i] != 1)
            return false;
        narrow->shape[i] = wide->shape[i];
        narrow->stride[i] = 0;
    }
    return true;
}

static void *do_not_fit(struct op *op, const mc_tensor *a, const mc_tensor *b)
{
    char left[200], right[200];
    return op_fail(op, MC_ERROR_SHAPE, "%s: %s and %s do not fit", op->name,
                   shape_describe(a->ndim, a->shape, left, sizeof left),
                   shape_describe(b->ndim, b->shape, right, sizeof right));
}

static bool has_dims(struct op *op, const mc_tensor *a, const mc_tensor *b)
{
    return (a->ndim && b->ndim) ||
           op_fail(op, MC_ERROR_SHAPE, "%s needs operands with dimensions", op->name);
}

/* PyTorch checks the dtypes of two vectors before their sizes, those of matrices after. */
static bool vectors_fit(struct op *op, mc_tensor *a, mc_tensor *b)
{
    return a->ndim != 1 || b->ndim != 1 || OP_SAME_DTYPE(op, a, b);
}

/* The rules of PyTorch's matmul: a vector on the left is a row, on the right a column, and the
 * added dimension is dropped from the result; dimensions before the last two are batches. If the
 * right operand is one matrix for all batches of the left, these are further rows of one product,
 * if the layout allows it. */
static bool plan_matmul(struct op *op, mc_tensor *a, mc_tensor *b, struct plan *p)
{
    if (!has_dims(op, a, b) || !vectors_fit(op, a, b))
        return false;
    p->a = view_of(a);
    p->b = view_of(b);
    if (a->ndim == 1)
        insert_dim(&p->a, 0);
    if (b->ndim == 1)
        insert_dim(&p->b, 1);
    int64_t m = p->a.shape[p->a.ndim - 2], n = p->b.shape[p->b.ndim - 1];
    if (p->a.shape[p->a.ndim - 1] != p->b.shape[p->b.ndim - 2])
        return do_not_fit(op, a, b);
    bool one = b->ndim <= 2 && (a->ndim <= 2 || fold_rows(&p->a));
    if (!one && !broadcast_batches(&p->a, &p->b))
        return do_not_fit(op, a, b);
    p->is_mm = one && b->ndim == 2;
    p->result.ndim = p->matrices.ndim = 0;
    for (int i = 0; i < (one ? a->ndim : p->a.ndim) - 2; i++)
        append(&p->result, one ? a->shape[i] : p->a.shape[i]);
    if (a->ndim > 1)
        append(&p->result, m);
    if (b->ndim > 1)
        append(&p->result, n);
    for (int i = 0; i < p->a.ndim - 1; i++)
        append(&p->matrices, p->a.shape[i]);
    append(&p->matrices, n);
    return true;
}

/* The same for products that need operands of exactly these dimensions. */
static bool plan_strict(struct op *op, mc_tensor *a, int a_ndim, mc_tensor *b, int b_ndim,
                        struct plan *p)
{
    if (a->ndim != a_ndim || b->ndim != b_ndim)
        return op_fail(op, MC_ERROR_SHAPE, "%s needs %d and %d dimensions, not %d and %d", op->name,
                       a_ndim, b_ndim, a->ndim, b->ndim);
    if (a_ndim == 3 && a->shape[0] != b->shape[0])
        return do_not_fit(op, a, b);
    return plan_matmul(op, a, b, p);
}

/* ---- products ----------------------------------------------------------------------------- */

/* The request: alpha * a·b + beta * input. */
struct wanted {
    mc_tensor *a, *b;
    mc_tensor *input;   /* broadcast to the result; NULL: nothing is added */
    mc_tensor *out;     /* NULL: a new tensor */
    mc_arg alpha, beta; /* as the caller passed them */
};

static bool dtypes_fit(struct op *op, const struct plan *p, const struct wanted *w)
{
    unsigned on_cpu = SET_INT | SET_FLOAT | (p->is_mm ? SET_F8 : 0);
    return OP_SAME_DTYPE(op, w->a, w->b, w->input, w->out) &&
           op_takes(op, w->a->dtype, is_cuda(w->a) ? SET_FLOAT : on_cpu);
}

static bool same_shape(const mc_tensor *t, const mc_shape *shape)
{
    bool same = t->ndim == shape->ndim;
    for (int i = 0; same && i < t->ndim; i++)
        same = t->shape[i] == shape->dims[i];
    return same;
}

static bool out_fits(struct op *op, const struct plan *p, const mc_tensor *out)
{
    char have[200], want[200];
    if (!out || same_shape(out, &p->result))
        return true;
    return op_fail(op, MC_ERROR_SHAPE, "%s gives %s, which cannot be written to %s", op->name,
                   shape_describe(p->result.ndim, p->result.dims, want, sizeof want),
                   shape_describe(out->ndim, out->shape, have, sizeof have));
}

/* A factor left out is 1. Kernels receive numbers of the dtype's kind. */
static bool factor_fits(struct op *op, mc_arg *factor, mc_dtype dtype)
{
    mc_arg given = factor->kind == MC_ARG_NONE ? mc_arg_int(1) : *factor;
    bool is_float = given.kind == MC_ARG_FLOAT;
    if (given.kind == MC_ARG_TENSOR || (unsigned)given.kind > MC_ARG_FLOAT)
        return op_fail(op, MC_ERROR_ARGUMENT, "%s: alpha and beta are numbers", op->name);
    if (dtype_is_int(dtype) && is_float && !op_number_fits(op, given, MC_I64))
        return false;
    if (dtype_is_int(dtype))
        *factor = mc_arg_int(is_float ? (int64_t)given.as.f : given.as.i);
    else
        *factor = mc_arg_float(is_float ? given.as.f : (double)given.as.i);
    return true;
}

static bool is_zero(mc_arg factor)
{
    return factor.kind == MC_ARG_INT ? factor.as.i == 0 : factor.as.f == 0;
}

static bool run_kernel(struct op *op, const struct plan *p, const struct wanted *w, mc_tensor *to)
{
    struct view c = {.data = tensor_bytes(to), .dtype = to->dtype, .numel = to->numel};
    int64_t step = 1;
    c.ndim = p->matrices.ndim;
    for (int i = c.ndim - 1; i >= 0; i--) {
        c.shape[i] = p->matrices.dims[i];
        c.stride[i] = step;
        step *= to->numel ? c.shape[i] : 1;
    }
    if (tensor_backend(to)->kernels->matmul->gemm(&p->a, &p->b, &c, w->alpha, w->beta))
        return true;
    return op_fail(op, MC_ERROR_MEMORY, "%s: no memory to convert its operands", op->name);
}

/* Kernels write contiguous memory that is not an operand at the same time. */
static bool written_directly(const struct wanted *w)
{
    const struct storage *s = w->out->storage;
    return tensor_is_contiguous(w->out) && s != w->a->storage && s != w->b->storage &&
           (!w->input || w->input == w->out || s != w->input->storage);
}

static mc_tensor *compute(struct op *op, const struct plan *p, struct wanted w)
{
    if (!out_fits(op, p, w.out) || !dtypes_fit(op, p, &w) || (w.out && !op_writes(op, w.out)))
        return NULL;
    if (!w.input)
        w.beta = mc_arg_int(0);
    if (!factor_fits(op, &w.alpha, w.a->dtype) || !factor_fits(op, &w.beta, w.a->dtype))
        return NULL;
    bool direct = w.out && written_directly(&w);
    mc_tensor *to = direct ? w.out : op_new(op, p->result, w.a->dtype, tensor_device(w.a));
    if (!to || (w.input && w.input != to && !is_zero(w.beta) && !op_copy(op, to, w.input)))
        return NULL;
    if (!run_kernel(op, p, &w, to))
        return NULL;
    return !w.out || direct ? to : op_copy(op, w.out, to);
}

/* Whether the dimensions before the last two broadcast, if both operands have any. */
static bool batches_fit(struct op *op, const mc_tensor *a, const mc_tensor *b)
{
    for (int i = 3; i <= a->ndim && i <= b->ndim; i++) {
        int64_t m = a->shape[a->ndim - i], n = b->shape[b->ndim - i];
        if (m != n && m != 1 && n != 1)
            return do_not_fit(op, a, b);
    }
    return true;
}

/* ---- matmul, mm, bmm, mv, dot, outer ------------------------------------------------------- */

mc_tensor *op_matmul_into(struct op *op, mc_tensor *a, mc_tensor *b, mc_tensor *out)
{
    struct plan p;
    if (!has_dims(op, a, b) || !batches_fit(op, a, b) || !OP_SAME_DEVICE(op, a, b, out) ||
        !plan_matmul(op, a, b, &p))
        return NULL;
    return compute(op, &p, (struct wanted){.a = a, .b = b, .out = out});
}

mc_tensor *op_matmul(struct op *op, mc_tensor *a, mc_tensor *b)
{
    return a && b ? op_matmul_into(op, a, b, NULL) : NULL;
}

mc_tensor *op_product(struct op *op, mc_tensor *a, int a_ndim, mc_tensor *b, int b_ndim,
                      mc_tensor *out)
{
    struct plan p;
    if (!OP_SAME_DEVICE(op, a, b, out) || !plan_strict(op, a, a_ndim, b, b_ndim, &p))
        return NULL;
    return compute(op, &p, (struct wanted){.a = a, .b = b, .out = out});
}

/* ---- addmm, baddbmm, linear ---------------------------------------------------------------- */

/* addmm checks dtypes before anything else. */
static bool addmm_fits(struct op *op, mc_tensor *input, mc_tensor *a, mc_tensor *b, struct plan *p)
{
    return OP_SAME_DTYPE(op, a, b, input) && plan_strict(op, a, 2, b, 2, p);
}

/* baddbmm broadcasts input first, then checks its dtype, and the other's when the shapes fit. */
static bool baddbmm_fits(struct op *op, mc_tensor *input, mc_tensor *a, mc_tensor *b,
                         struct plan *p)
{
    if (a->ndim < 2 || b->ndim < 3)
        return do_not_fit(op, a, b);
    mc_shape sum = {3, {a->shape[0], a->shape[1], b->shape[2]}};
    return op_expand(op, input, sum) && OP_SAME_DTYPE(op, input, a) &&
           plan_strict(op, a, 3, b, 3, p) && OP_SAME_DTYPE(op, input, b);
}

/* In place: input is the result, and is not broadcast. */
mc_tensor *op_add_product(struct op *op, int ndim, mc_tensor *input, mc_tensor *a, mc_tensor *b,
                          mc_addmm_options o, bool in_place)
{
    struct plan p;
    if (!OP_SAME_DEVICE(op, input, a, b) ||
        !(ndim == 2 ? addmm_fits : baddbmm_fits)(op, input, a, b, &p) ||
        (!in_place && !op_expand(op, input, p.result)))
        return NULL;
    return compute(op, &p,
                   (struct wanted){.a = a,
                                   .b = b,
                                   .input = input,
                                   .out = in_place ? input : NULL,
                                   .alpha = o.alpha,
                                   .beta = o.beta});
}

/* The bias is added by the product, as in addmm: the rows of x are one matrix. */
static mc_tensor *linear_with_bias(struct op *op, mc_tensor *x, mc_tensor *across, mc_tensor *bias)
{
    struct plan p;
    if (!OP_SAME_DEVICE(op, x, across, bias) || !OP_SAME_DTYPE(op, x, across, bias))
        return NULL;
    if (across->ndim != 2)
        return op_fail(op, MC_ERROR_SHAPE,
                       "linear with a bias needs a weight of 2 dimensions, not %d", across->ndim);
    if (!plan_matmul(op, x, across, &p) || !op_expand(op, bias, p.result))
        return NULL;
    return compute(op, &p, (struct wanted){.a = x, .b = across, .input = bias});
}

/* A weight that is a vector is one row: its dimension is dropped from the result. A bias that is
 * not a vector, or an x whose rows are not one matrix, needs an addition in place. */
mc_tensor *op_linear(struct op *op, mc_tensor *x, mc_tensor *weight, mc_tensor *bias)
{
    if (!has_dims(op, x, weight))
        return NULL;
    if (weight->ndim > 2)
        return op_fail(op, MC_ERROR_SHAPE, "linear needs a weight of 1 or 2 dimensions, not %d",
                       weight->ndim);
    mc_tensor *across = weight->ndim == 2 ? op_transpose(op, weight, 0, 1) : weight;
    if (!across)
        return NULL;
    if (bias && (x->ndim == 2 || (bias->ndim == 1 && tensor_is_contiguous(x))))
        return linear_with_bias(op, x, across, bias);
    mc_tensor *y = op_matmul_into(op, x, across, NULL);
    return bias ? op_binary_(op, BINARY_add, y, mc_arg_tensor(bias)) : y;
}

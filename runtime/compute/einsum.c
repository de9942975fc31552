/* einsum over two operands. An equation such as "bij,bjk->bik" is parsed into labels. Labels that
 * are in one operand only and not in the result are summed out first; what is left is a batched
 * product of matrices or, where nothing is contracted, an elementwise product. */
#include "runtime/compute/compute.h"

#include <string.h>

/* ---- the equation --------------------------------------------------------------------------- */

/* Labels: A…Z, a…z in this order, then the dimensions of "...", counted from the last. */
enum { LETTERS = 52, LABELS = LETTERS + MC_MAX_DIMS };

struct term {
    int count;
    int labels[MC_MAX_DIMS];
};

struct equation {
    struct term in[2], out;
    int dots; /* dimensions that "..." stands for */
};

static int letter(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1;
}

static int find(const struct term *t, int label)
{
    for (int i = 0; i < t->count; i++)
        if (t->labels[i] == label)
            return i;
    return -1;
}

/* The number of dimensions that "..." stands for. */
static bool read_term(struct op *op, const char *text, size_t length, int dots, struct term *t)
{
    bool dotted = false;
    t->count = 0;
    for (size_t i = 0; i < length; i++) {
        int label = letter(text[i]);
        bool ellipsis = length - i >= 3 && !dotted && memcmp(text + i, "...", 3) == 0;
        int add = ellipsis ? dots : 1;
        if (text[i] == ' ')
            continue;
        if (label < 0 && !ellipsis)
            return op_fail(op, MC_ERROR_ARGUMENT, "einsum: the equation has a '%c'", text[i]);
        if (add < 0 || t->count + add > MC_MAX_DIMS)
            return op_fail(op, MC_ERROR_SHAPE, "einsum: '%.*s' has too many labels", (int)length,
                           text);
        for (int k = 0; k < add; k++)
            t->labels[t->count++] = ellipsis ? LETTERS + dots - 1 - k : label;
        i += ellipsis ? 2 : 0;
        dotted |= ellipsis;
    }
    return true;
}

static bool read_operand(struct op *op, const char *text, size_t length, int ndim,
                         struct equation *e, struct term *t)
{
    int dots = ndim;
    for (size_t i = 0; i < length; i++)
        dots -= letter(text[i]) >= 0;
    if (!read_term(op, text, length, dots, t))
        return false;
    if (t->count != ndim)
        return op_fail(op, MC_ERROR_SHAPE, "einsum: '%.*s' is not for an operand of %d dimensions",
                       (int)length, text, ndim);
    e->dots = dots > e->dots ? dots : e->dots;
    return true;
}

/* Without an arrow: "..." first, then the letters that occur once, in alphabetical order. */
static bool default_result(struct op *op, struct equation *e)
{
    for (int i = e->dots; i-- > 0;)
        e->out.labels[e->out.count++] = LETTERS + i;
    for (int label = 0; label < LETTERS; label++) {
        int times = 0;
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < e->in[k].count; i++)
                times += e->in[k].labels[i] == label;
        if (times == 1 && e->out.count == MC_MAX_DIMS)
            return op_fail(op, MC_ERROR_SHAPE, "einsum: the result has too many dimensions");
        if (times == 1)
            e->out.labels[e->out.count++] = label;
    }
    return true;
}

static bool check_result(struct op *op, const struct equation *e)
{
    for (int i = 0; i < e->out.count; i++) {
        int label = e->out.labels[i];
        if (find(&e->out, label) != i)
            return op_fail(op, MC_ERROR_ARGUMENT, "einsum: the result names a label twice");
        if (find(&e->in[0], label) < 0 && find(&e->in[1], label) < 0)
            return op_fail(op, MC_ERROR_ARGUMENT, "einsum: the result names an unknown label");
    }
    return true;
}

static bool read_equation(struct op *op, const char *text, const int ndim[2], struct equation *e)
{
    *e = (struct equation){0};
    const char *comma = text ? strchr(text, ',') : NULL, *arrow = text ? strstr(text, "->") : NULL;
    if (!comma || (arrow && arrow < comma))
        return op_fail(op, MC_ERROR_ARGUMENT,
                       "einsum2 needs an equation for two operands, such as \"ij,jk->ik\"");
    const char *second = comma + 1, *end = arrow ? arrow : text + strlen(text);
    if (!read_operand(op, text, (size_t)(comma - text), ndim[0], e, &e->in[0]) ||
        !read_operand(op, second, (size_t)(end - second), ndim[1], e, &e->in[1]))
        return false;
    if (!arrow)
        return default_result(op, e);
    return read_term(op, arrow + 2, strlen(arrow + 2), e->dots, &e->out) && check_result(op, e);
}

/* ---- operands ------------------------------------------------------------------------------- */

/* A tensor whose dimensions have these labels, each once. */
struct operand {
    mc_tensor *x;
    struct term term;
};

/* A label that occurs twice in a term means the diagonal. */
static bool take_diagonals(struct op *op, struct operand *o)
{
    struct term unique = {0};
    int64_t shape[MC_MAX_DIMS], stride[MC_MAX_DIMS];
    for (int i = 0; i < o->term.count; i++) {
        int at = find(&unique, o->term.labels[i]);
        if (at >= 0 && shape[at] != o->x->shape[i])
            return op_fail(op, MC_ERROR_SHAPE, "einsum: a label stands for %lld and for %lld",
                           (long long)shape[at], (long long)o->x->shape[i]);
        if (at >= 0) {
            stride[at] += o->x->stride[i];
            continue;
        }
        shape[unique.count] = o->x->shape[i];
        stride[unique.count] = o->x->stride[i];
        unique.labels[unique.count++] = o->term.labels[i];
    }
    o->term = unique;
    o->x = op_view_of(op, o->x, unique.count, shape, stride, o->x->offset);
    return o->x != NULL;
}

static bool sizes_fit(struct op *op, const struct operand o[2])
{
    for (int i = 0; i < o[0].term.count; i++) {
        int j = find(&o[1].term, o[0].term.labels[i]);
        int64_t a = o[0].x->shape[i], b = j < 0 ? a : o[1].x->shape[j];
        if (a != b && a != 1 && b != 1)
            return op_fail(op, MC_ERROR_SHAPE, "einsum: a label stands for %lld and for %lld",
                           (long long)a, (long long)b);
    }
    return true;
}

/* Whether a dimension of one element can be dropped: if the other operand has the label (one of
 * the two must keep it), or the result does not. */
static bool needless(const struct operand *other, bool keeps, const struct term *out, int label)
{
    int j = find(&other->term, label);
    if (j >= 0 && (other->x->shape[j] != 1 || !keeps))
        return true;
    return find(out, label) < 0;
}

static bool drop_needless(struct op *op, struct operand o[2], int which, const struct term *out)
{
    struct term kept = {0};
    struct operand *self = &o[which];
    int64_t shape[MC_MAX_DIMS], stride[MC_MAX_DIMS];
    for (int i = 0; i < self->term.count; i++) {
        int label = self->term.labels[i];
        if (self->x->shape[i] == 1 && needless(&o[!which], which == 0, out, label))
            continue;
        shape[kept.count] = self->x->shape[i];
        stride[kept.count] = self->x->stride[i];
        kept.labels[kept.count++] = label;
    }
    self->term = kept;
    self->x = op_view_of(op, self->x, kept.count, shape, stride, self->x->offset);
    return self->x != NULL;
}

/* The dimensions that only this operand has and that the result has not. */
static mc_dims lonely_dims(const struct operand *self, const struct operand *other,
                           const struct term *out)
{
    mc_dims dims = mc_dims();
    for (int i = 0; i < self->term.count; i++) {
        int label = self->term.labels[i];
        if (find(&other->term, label) < 0 && find(out, label) < 0)
            dims.dims[dims.count++] = i;
    }
    return dims;
}

static bool sum_away(struct op *op, struct operand *self, mc_dims dims)
{
    struct term kept = {0};
    if (!dims.count)
        return true;
    for (int i = 0, next = 0; i < self->term.count; i++) {
        if (next < dims.count && dims.dims[next] == i)
            next++;
        else
            kept.labels[kept.count++] = self->term.labels[i];
    }
    self->term = kept;
    self->x = op_sum(op, self->x, dims, false, MC_DTYPE_DEFAULT);
    return self->x != NULL;
}

/* ---- products ------------------------------------------------------------------------------- */

/* The operand with the dimensions of these labels; missing ones have one element. */
static mc_tensor *arrange(struct op *op, const struct operand *o, const struct term *order)
{
    int64_t shape[MC_MAX_DIMS], stride[MC_MAX_DIMS];
    for (int i = 0; i < order->count; i++) {
        int at = find(&o->term, order->labels[i]);
        shape[i] = at < 0 ? 1 : o->x->shape[at];
        stride[i] = at < 0 ? 0 : o->x->stride[at];
    }
    return op_view_of(op, o->x, order->count, shape, stride, o->x->offset);
}

/* Labels of term that the other operand has or lacks, and the result has or lacks. */
static struct term pick(const struct term *term, const struct term *other, bool in_other,
                        const struct term *out, bool in_out)
{
    struct term t = {0};
    for (int i = 0; i < term->count; i++) {
        int label = term->labels[i];
        if ((find(other, label) >= 0) == in_other && (find(out, label) >= 0) == in_out)
            t.labels[t.count++] = label;
    }
    return t;
}

static struct term join(struct term a, const struct term *b)
{
    for (int i = 0; i < b->count; i++)
        a.labels[a.count++] = b->labels[i];
    return a;
}

/* The product of dimensions [from, from + count) of x. */
static int64_t extent(const mc_tensor *x, int from, int count)
{
    int64_t size = 1;
    for (int i = from; i < from + count; i++)
        if (__builtin_mul_overflow(size, x->shape[i], &size))
            return -1; /* only an empty tensor can; it is rejected as a shape */
    return size;
}

/* (batch, rows, columns), each made of this many dimensions. */
static mc_tensor *as_matrices(struct op *op, mc_tensor *x, int batch, int rows, int cols)
{
    if (!x)
        return NULL;
    mc_shape shape = {
        .ndim = 3,
        .dims = {extent(x, 0, batch), extent(x, batch, rows), extent(x, batch + rows, cols)}};
    return op_reshape(op, x, shape);
}

/* The dimensions of found, in the order of wanted. */
static mc_tensor *reorder(struct op *op, mc_tensor *x, const struct term *found,
                          const struct term *wanted)
{
    mc_shape order = {.ndim = wanted->count};
    for (int i = 0; i < wanted->count; i++)
        order.dims[i] = find(found, wanted->labels[i]);
    return op_permute(op, x, order);
}

static mc_tensor *contract(struct op *op, const struct operand o[2], const struct term *out)
{
    const struct term *a = &o[0].term, *b = &o[1].term;
    struct term batch = pick(a, b, true, out, true), inner = pick(a, b, true, out, false);
    struct term rows = pick(a, b, false, out, true), cols = pick(b, a, false, out, true);
    struct term left = join(join(batch, &rows), &inner), right = join(join(batch, &inner), &cols);
    mc_tensor *p = arrange(op, &o[0], &left), *q = arrange(op, &o[1], &right);
    mc_tensor *y = op_matmul(op, as_matrices(op, p, batch.count, rows.count, inner.count),
                             as_matrices(op, q, batch.count, inner.count, cols.count));
    if (!y)
        return NULL;
    mc_shape shape = {0};
    for (int i = 0; i < batch.count + rows.count; i++)
        shape.dims[shape.ndim++] = p->shape[i];
    for (int i = batch.count + inner.count; i < q->ndim; i++)
        shape.dims[shape.ndim++] = q->shape[i];
    struct term found = join(join(batch, &rows), &cols);
    return reorder(op, op_reshape(op, y, shape), &found, out);
}

static mc_tensor *multiply(struct op *op, const struct operand o[2], const struct term *out)
{
    if (pick(&o[0].term, &o[1].term, true, out, false).count)
        return contract(op, o, out);
    return op_tt(op, BINARY_mul, arrange(op, &o[0], out), arrange(op, &o[1], out));
}

/* The product of the operands, in which labels may occur twice, as a tensor with out's labels. */
static mc_tensor *product_of(struct op *op, struct operand o[2], const struct term *out)
{
    mc_dtype dtype = o[0].x->dtype;
    bool half = dtype == o[1].x->dtype && dtype_is_half(dtype);
    if (!take_diagonals(op, &o[0]) || !take_diagonals(op, &o[1]) || !sizes_fit(op, o) ||
        !drop_needless(op, o, 0, out) || !drop_needless(op, o, 1, out))
        return NULL;
    mc_dims lonely[2] = {lonely_dims(&o[0], &o[1], out), lonely_dims(&o[1], &o[0], out)};
    /* Sums of half are not rounded before they are multiplied. */
    bool widen = half && (lonely[0].count || lonely[1].count);
    for (int i = 0; i < 2; i++) {
        o[i].x = widen ? op_cast(op, o[i].x, MC_F32) : o[i].x;
        if (!o[i].x || !sum_away(op, &o[i], lonely[i]))
            return NULL;
    }
    mc_tensor *y = multiply(op, o, out);
    return widen ? op_cast(op, y, dtype) : y;
}

mc_tensor *op_einsum(struct op *op, const char *text, mc_tensor *a, mc_tensor *b)
{
    struct equation e;
    if (!read_equation(op, text, (const int[]){a->ndim, b->ndim}, &e))
        return NULL;
    struct operand o[2] = {{a, e.in[0]}, {b, e.in[1]}};
    return product_of(op, o, &e.out);
}

/* ---- gradients ------------------------------------------------------------------------------ */

/* Each label once. */
static struct term unique(const struct term *term)
{
    struct term t = {0};
    for (int i = 0; i < term->count; i++)
        if (find(&t, term->labels[i]) < 0)
            t.labels[t.count++] = term->labels[i];
    return t;
}

static struct term found_in_either(const struct term *term, const struct term *a,
                                   const struct term *b)
{
    struct term t = {0};
    for (int i = 0; i < term->count; i++)
        if (find(a, term->labels[i]) >= 0 || find(b, term->labels[i]) >= 0)
            t.labels[t.count++] = term->labels[i];
    return t;
}

/* x, whose dimensions have the unique labels, put on the diagonals of zeros of the shape. */
static mc_tensor *onto_diagonals(struct op *op, mc_tensor *x, const struct term *term,
                                 const mc_shape *shape)
{
    if (!x || x->ndim == shape->ndim)
        return x;
    struct operand whole = {
        op_fill(op, op_new(op, *shape, x->dtype, tensor_device(x)), mc_arg_int(0)), *term};
    mc_tensor *zeros = whole.x;
    if (!zeros || !take_diagonals(op, &whole) || !op_copy(op, whole.x, x))
        return NULL;
    return zeros;
}

/* The product of the result's gradient and the other operand, summed over labels that this one
 * lacks; labels that only this one has were summed out, and get the same gradient everywhere. */
mc_tensor *op_einsum_back(struct op *op, const char *text, int which, mc_tensor *grad,
                          mc_tensor *other, const mc_shape shape[2])
{
    struct equation e;
    if (!grad || !other ||
        !read_equation(op, text, (const int[]){shape[0].ndim, shape[1].ndim}, &e))
        return NULL;
    const struct term *own = &e.in[which], *theirs = &e.in[!which];
    struct term once = unique(own), seen = found_in_either(&once, &e.out, theirs);
    struct operand o[2] = {{grad, e.out}, {other, *theirs}};
    struct operand product = {product_of(op, o, &seen), seen};
    mc_tensor *dx = product.x ? arrange(op, &product, &once) : NULL;
    mc_shape want = {.ndim = once.count}, summed = want;
    for (int i = 0; dx && i < once.count; i++) {
        want.dims[i] = shape[which].dims[find(own, once.labels[i])];
        summed.dims[i] = dx->shape[i] == 1 ? 1 : want.dims[i];
    }
    dx = op_expand(op, op_sum_to(op, dx, &summed), want);
    return onto_diagonals(op, dx, own, &shape[which]);
}

/* ---- autocast ------------------------------------------------------------------------------- */

/* Whether a label is contracted. A dimension of one element does not count. */
static bool contracts(const struct equation *e, const mc_tensor *a, const mc_tensor *b)
{
    for (int i = 0; i < e->in[0].count; i++) {
        int label = e->in[0].labels[i], j = find(&e->in[1], label);
        if (j >= 0 && find(&e->out, label) < 0 && a->shape[i] != 1 && b->shape[j] != 1)
            return true;
    }
    return false;
}

bool op_einsum_contracts(struct op *op, const char *text, const mc_tensor *a, const mc_tensor *b)
{
    struct equation e;
    return read_equation(op, text, (const int[]){a->ndim, b->ndim}, &e) && contracts(&e, a, b);
}

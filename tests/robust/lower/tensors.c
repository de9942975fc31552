struct layer {
    mc_tensor *w, *b;
    struct layer *next;
};

mc_tensor *forward(struct layer *l, mc_tensor *x, int half)
{
    for (; l; l = l->next) {
        mc_tensor *w = half ? mc_half(l->w) : l->w;
        x = mc_add(mc_matmul(x, w), l->b);
    }
    return x;
}

mc_tensor *mixed(int n)
{
    mc_tensor *a = mc_zeros(mc_shape(2, 3), .dtype = MC_F16, .device = MC_CUDA);
    mc_tensor *b = mc_randn(mc_shape(3, n), .requires_grad = 1);
    return mc_matmul(a, b);
}

void train(mc_tensor *w, mc_grad_scaler *s, mc_optimizer *o, int n)
{
    while (n-- > 0) {
        mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
        mc_tensor *loss = mc_sum(mc_matmul(w, w), .dim = mc_dims(0), .dtype = MC_F32);
        mc_autocast_end(a);
        mc_backward(mc_grad_scaler_scale(s, loss));
        mc_grad_scaler_step(s, o);
    }
}

void steps(mc_optimizer *o, mc_tensor *x)
{
    mc_tensor *y = mc_to(x, .dtype = MC_F16, .device = MC_CUDA);
    mc_backward(mc_sum(y));
    mc_optimizer_step(o);
}

mc_tensor *in_place(mc_tensor *x)
{
    mc_tensor *v = mc_view(x, 4, -1), *w = mc_half(v);
    mc_add_(v, 0.5, .alpha = mc_arg_int(2));
    mc_copy_(w, x);
    return mc_detach(v);
}

float *raw(mc_tensor *x, size_t n)
{
    float *p = malloc(n * sizeof *p);
    memcpy(p, mc_data_f32(x), 4 * n);
    uint16_t *h = (uint16_t *)mc_data_f16(mc_half(x));
    p[1] = h[2] + mc_item(x);
    return p;
}

mc_tensor *joined(mc_tensor *const *xs, int n)
{
    mc_tensor *all[4] = {xs[0], xs[1], mc_float(xs[2]), NULL};
    all[n & 3] = mc_cat(0, all[0], all[1], mc_cat(1, xs[0], xs[n]));
    return all[3];
}

mc_tensor *pick(mc_tensor *x, mc_dtype d)
{
    switch (mc_dtype_of(x)) {
    case MC_F16:
        return mc_to(x, .dtype = d);
    case MC_I8 ... MC_I64:
        return mc_float(x);
    default:
        return mc_is_cuda(x) ? x : mc_to(x, .device = MC_CUDA); /* miscast: ignore */
    }
}

static mc_tensor *(*op)(mc_tensor *, mc_dtype) = pick;

mc_tensor *called(mc_tensor *x)
{
    mc_tensor *y = op(x, MC_BF16);
    mc_free(x);
    return y ? called(mc_add(y, x)) : op(y, 3);
}

static struct layer made = {.b = 0, .next = &made};

mc_tensor *kept(mc_tensor *x)
{
    struct layer other = made, *at = &other;
    at->next->w = mc_half(x);
    made = *at;
    return mc_matmul(made.w, at->next->next->w, .out = other.b);
}

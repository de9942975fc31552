/* Steps of optimizers: one pass over a parameter, its gradient and its state. */
#include "runtime/kernels/optim.h"

#include "runtime/backends/cuda/families.h"
#include "runtime/backends/cuda/split.cuh"

/* ---- steps
 * --------------------------------------------------------------------------------------- */

/* The numbers of a step, in what it is computed in, and the step of one element. has: which state
 * there is. */
template <class R> struct sgd {
    R lr, momentum, decay, sign, fresh;
    bool nesterov, first, has[OPTIM_STATES];
    explicit sgd(const struct sgd_step *s)
        : lr((R)s->lr), momentum((R)s->momentum), decay((R)s->weight_decay),
          sign(s->maximize ? -1 : 1), fresh((R)(1 - s->dampening)), nesterov(s->nesterov),
          first(s->first)
    {
    }
    __device__ void operator()(R *param, R grad, R *state) const
    {
        R g = decay != 0 ? sign * grad + decay * *param : sign * grad, direction = g;
        if (has[0]) {
            state[0] = first ? g : momentum * state[0] + fresh * g;
            direction = nesterov ? g + momentum * state[0] : state[0];
        }
        *param -= lr * direction;
    }
};

__device__ static inline float root(float x)
{
    return sqrtf(x);
}
__device__ static inline double root(double x)
{
    return sqrt(x);
}

template <class R> struct adam {
    R beta2, fresh1, fresh2, size, eps, sign, correction, decay, kept;
    bool has[OPTIM_STATES];
    explicit adam(const struct adam_step *s)
        : beta2((R)s->beta2), fresh1((R)(1 - s->beta1)), fresh2((R)(1 - s->beta2)),
          size((R)(s->lr / s->correction1)), eps((R)s->eps), sign(s->maximize ? -1 : 1),
          correction((R)sqrt(s->correction2)), decay(s->decoupled ? 0 : (R)s->weight_decay),
          kept(s->decoupled ? (R)(1 - s->lr * s->weight_decay) : 1)
    {
    }
    __device__ void operator()(R *param, R grad, R *state) const
    {
        R g = decay != 0 ? sign * grad + decay * *param : sign * grad;
        state[0] += fresh1 * (g - state[0]);
        state[1] = beta2 * state[1] + fresh2 * g * g;
        R under = state[1];
        if (has[2]) {
            under = state[1] <= state[2] || state[2] != state[2] ? state[2] : state[1];
            state[2] = under;
        }
        *param = kept * *param - size * (state[0] / (root(under) / correction + eps));
    }
};

/* ---- the pass
 * ------------------------------------------------------------------------------------ */

template <class T, class S> struct arrays {
    T *param;
    const T *grad;
    S *state[OPTIM_STATES];
};

/* n: packs */
template <int V, class T, class S, class Step>
__global__ void __launch_bounds__(THREADS) step_kernel(arrays<T, S> a, int64_t n, Step step)
{
    using R = math_of<T>;
    for (GRID_STEP(i, n)) {
        auto *param = reinterpret_cast<pack<T, V> *>(a.param) + i;
        pack<T, V> p = *param, g = reinterpret_cast<const pack<T, V> *>(a.grad)[i];
        pack<S, V> states[OPTIM_STATES] = {};
#pragma unroll
        for (int s = 0; s < OPTIM_STATES; s++)
            if (step.has[s])
                states[s] = reinterpret_cast<const pack<S, V> *>(a.state[s])[i];
#pragma unroll
        for (int v = 0; v < V; v++) {
            R x = read(p.at[v]), state[OPTIM_STATES];
            for (int s = 0; s < OPTIM_STATES; s++)
                state[s] = read(states[s].at[v]);
            step(&x, read(g.at[v]), state);
            p.at[v] = store<T>(x);
            for (int s = 0; s < OPTIM_STATES; s++)
                states[s].at[v] = store<S>(state[s]);
        }
        *param = p;
#pragma unroll
        for (int s = 0; s < OPTIM_STATES; s++)
            if (step.has[s])
                reinterpret_cast<pack<S, V> *>(a.state[s])[i] = states[s];
    }
}

/* first: where to begin, in elements */
template <int V, class T, class S, class Step>
static void run_from(const struct optim_arrays *a, int64_t first, int64_t packs, Step step)
{
    arrays<T, S> at = {(T *)a->param + first, (const T *)a->grad + first, {}};
    for (int s = 0; s < OPTIM_STATES; s++)
        at.state[s] = step.has[s] ? (S *)a->state[s] + first : nullptr;
    LAUNCH((step_kernel<V, T, S, Step>), blocks_for(packs), THREADS, at, packs, step);
}

template <class T, class S, class Step>
static void run_step(const struct optim_arrays *a, Step step)
{
    constexpr int V = 16 / (int)(sizeof(T) > sizeof(S) ? sizeof(T) : sizeof(S));
    bool packed = is_aligned<T>(a->param, V) && is_aligned<T>(a->grad, V);
    for (int s = 0; s < OPTIM_STATES; s++) {
        step.has[s] = a->state[s] != nullptr;
        packed = packed && is_aligned<S>(a->state[s], V);
    }
    int64_t packs = packed ? a->numel / V : 0, rest = a->numel - packs * V;
    USE(a->param);
    if (packs)
        run_from<V, T, S>(a, 0, packs, step);
    if (rest)
        run_from<1, T, S>(a, packs * V, rest, step);
}

/* The state is of the parameter's dtype, or f32 where that is a half. */
template <template <class> class Step, class Numbers>
static void run(const struct optim_arrays *a, const Numbers *numbers)
{
    with_dtype<DTYPES_FLOAT>(a->dtype, [&](auto t) {
        using T = decltype(t);
        Step<math_of<T>> step(numbers);
        if constexpr (is_small_float<T>)
            if (a->state_dtype == MC_F32)
                return run_step<T, float>(a, step);
        run_step<T, T>(a, step);
    });
}

static void cuda_sgd(const struct optim_arrays *a, const struct sgd_step *s)
{
    run<sgd>(a, s);
}

static void cuda_adam(const struct optim_arrays *a, const struct adam_step *s)
{
    run<adam>(a, s);
}

/* ---- gradients of a scaled loss
 * ------------------------------------------------------------------ */

template <class T, int V>
__global__ void __launch_bounds__(THREADS)
    unscale_kernel(T *x, int64_t n, math_of<T> factor, unsigned *wrong)
{
    bool bad = false;
    for (GRID_STEP(i, n)) {
        pack<T, V> p = reinterpret_cast<pack<T, V> *>(x)[i];
#pragma unroll
        for (int v = 0; v < V; v++) {
            math_of<T> value = read(p.at[v]);
            bad |= !isfinite(value);
            p.at[v] = store<T>(value * factor);
        }
        reinterpret_cast<pack<T, V> *>(x)[i] = p;
    }
    if (bad)
        *wrong = 1;
}

static bool cuda_unscale(char *x, mc_dtype dtype, int64_t numel, double factor)
{
    unsigned is_wrong = 0;
    if (numel == 0)
        return true;
    USE(x);
    scratch wrong(x, sizeof is_wrong);
    if (!wrong.data || !cuda_ok(cudaMemsetAsync(wrong.data, 0, sizeof is_wrong, 0), "unscale"))
        return cuda_ok(cudaErrorMemoryAllocation, "unscale");
    with_dtype<DTYPES_FLOAT | DTYPES_F8>(dtype, [&](auto t) {
        using T = decltype(t);
        constexpr int V = 16 / (int)sizeof(T);
        T *first = (T *)x;
        int64_t packs = is_aligned<T>(x, V) ? numel / V : 0, rest = numel - packs * V;
        if (packs)
            LAUNCH((unscale_kernel<T, V>), blocks_for(packs), THREADS, first, packs,
                   (math_of<T>)factor, wrong.as<unsigned>());
        if (rest)
            LAUNCH((unscale_kernel<T, 1>), blocks_for(rest), THREADS, first + packs * V, rest,
                   (math_of<T>)factor, wrong.as<unsigned>());
    });
    return cuda_download(&is_wrong, wrong.data, sizeof is_wrong) && !is_wrong;
}

extern const struct optim_kernels cuda_optim = {
    .sgd = cuda_sgd,
    .adam = cuda_adam,
    .unscale = cuda_unscale,
};

/* The kernel of class losses: for every position the value of its target class, negated and
 * weighted. */
#include "runtime/backends/cuda/launch.cuh"
#include "runtime/backends/cuda/reduce.cuh"

namespace
{

struct plane {
    char *data;
    int64_t stride[2];
};

template <class T> struct pick_job {
    plane loss, scale, target;
    const T *in, *weight; /* weight NULL: all 1 */
    int64_t in_stride[3], weight_stride;
    int64_t places, across, classes, ignore;
    unsigned long long *bad; /* the first place whose target is no class */
};

template <class T> __device__ T &element(const plane &p, int64_t i, int64_t k)
{
    return reinterpret_cast<T *>(p.data)[i * p.stride[0] + k * p.stride[1]];
}

template <class T> __global__ void __launch_bounds__(THREADS) pick_kernel(pick_job<T> j)
{
    for (GRID_STEP(n, j.places)) {
        int64_t i = n / j.across, k = n - i * j.across;
        int64_t target = element<const int64_t>(j.target, i, k);
        T value = 0, weight = 0;
        if (target != j.ignore) {
            if (target < 0 || target >= j.classes) {
                atomicMin(j.bad, (unsigned long long)n);
                continue;
            }
            weight = j.weight ? j.weight[target * j.weight_stride] : (T)1;
            value =
                -j.in[i * j.in_stride[0] + target * j.in_stride[1] + k * j.in_stride[2]] * weight;
        }
        element<T>(j.loss, i, k) = value;
        element<T>(j.scale, i, k) = weight;
    }
}

static plane plane_of(const struct view &v)
{
    return plane{v.data, {v.stride[0], v.stride[1]}};
}

template <class T> static void start(const struct nll *nll, unsigned long long *bad)
{
    const struct view *w = nll->weight;
    pick_job<T> j = {plane_of(nll->loss),
                     plane_of(nll->scale),
                     plane_of(nll->target),
                     reinterpret_cast<const T *>(nll->in.data),
                     w ? reinterpret_cast<const T *>(w->data) : nullptr,
                     {nll->in.stride[0], nll->in.stride[1], nll->in.stride[2]},
                     w ? w->stride[0] : 0,
                     nll->target.numel,
                     nll->target.shape[1],
                     nll->in.shape[1],
                     nll->ignore,
                     bad};
    LAUNCH((pick_kernel<T>), blocks_for(j.places), THREADS, j);
}

/* The target at that place. */
static int64_t target_at(const struct nll *nll, int64_t place)
{
    const struct view *t = &nll->target;
    int64_t i = place / t->shape[1], k = place % t->shape[1], target = 0;
    cuda_download(&target,
                  reinterpret_cast<const int64_t *>(t->data) + i * t->stride[0] + k * t->stride[1],
                  sizeof target);
    return target;
}

} // namespace

bool cuda_nll(const struct nll *nll, int64_t *bad)
{
    const unsigned long long none = ~0ull;
    unsigned long long first = none;
    if (nll->target.numel == 0)
        return true;
    USE(nll->in.data);
    scratch room(nll->in.data, sizeof first);
    if (!room.data)
        return cuda_ok(cudaErrorMemoryAllocation, "class losses");
    cuda_ok(cudaMemsetAsync(room.data, 0xff, sizeof first, 0), "class losses");
    if (nll->in.dtype == MC_F64)
        start<double>(nll, room.as<unsigned long long>());
    else
        start<float>(nll, room.as<unsigned long long>());
    cuda_download(&first, room.data, sizeof first);
    if (first == none)
        return true;
    *bad = target_at(nll, (int64_t)first);
    return false;
}

/* Which devices there are, and the backend behind each. */
#include "runtime/backends/backend.h"

mc_device device_resolve(mc_device device)
{
    return device == MC_DEVICE_DEFAULT ? MC_CPU : device;
}

const struct backend *backend_of(mc_device device)
{
    unsigned n = (unsigned)device - MC_CUDA;
    if (device == MC_CPU)
        return &cpu_backend;
    return n < (unsigned)sim_backend.device_count() ? &sim_backend : NULL;
}

bool mc_cuda_is_available(void)
{
    return mc_cuda_device_count() > 0;
}

int mc_cuda_device_count(void)
{
    return sim_backend.device_count();
}

const char *mc_backend_name(mc_device d)
{
    const struct backend *b = backend_of(device_resolve(d));
    return b ? b->name : "none";
}

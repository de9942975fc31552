/* Which devices there are, and the backend behind each. What answers to cuda is chosen once: the
 * machine's GPUs where there are any, else the simulation. MISCAST_CUDA=sim always simulates, and
 * MISCAST_CUDA=real never does. */
#include "runtime/backends/backend.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct backend *behind_cuda; /* NULL: nothing is */

static void choose(void)
{
    const char *said = getenv("MISCAST_CUDA");
    bool simulate = said && !strcmp(said, "sim"), real = said && !strcmp(said, "real");
    behind_cuda = simulate ? NULL : cuda_backend(NULL);
    if (!behind_cuda && !real)
        behind_cuda = &sim_backend;
}

static const struct backend *behind(void)
{
    pthread_once(&once, choose);
    return behind_cuda;
}

mc_device device_resolve(mc_device device)
{
    return device == MC_DEVICE_DEFAULT ? MC_CPU : device;
}

const struct backend *backend_of(mc_device device)
{
    unsigned n = (unsigned)device - MC_CUDA;
    if (device == MC_CPU)
        return &cpu_backend;
    return n < (unsigned)mc_cuda_device_count() ? behind() : NULL;
}

bool mc_cuda_is_available(void)
{
    return mc_cuda_device_count() > 0;
}

int mc_cuda_device_count(void)
{
    const struct backend *b = behind();
    return b ? b->device_count() : 0;
}

const char *mc_backend_name(mc_device d)
{
    const struct backend *b = backend_of(device_resolve(d));
    return b ? b->name : "none";
}

const char *cuda_missing(void)
{
    const char *why = NULL;
    if (!behind())
        cuda_backend(&why);
    return why;
}

const char *backend_trouble(void)
{
    return behind_cuda && behind_cuda->trouble ? behind_cuda->trouble() : NULL;
}

void mc_empty_cache(void)
{
    memory_empty_cache();
    if (behind_cuda && behind_cuda->empty_cache)
        behind_cuda->empty_cache();
}

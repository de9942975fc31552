/* Which devices exist, and the backend behind each. What cuda stands for is chosen once: the
 * machine's GPUs if there are any, otherwise the simulation. MISCAST_CUDA=sim always simulates,
 * MISCAST_CUDA=real never does. */
#include "runtime/backends/backends.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
/* NULL: none, or not chosen yet. Ops read it while another thread may choose. */
static _Atomic(const struct backend *) behind_cuda;

/* Set once, before any backend is used. */
static void (*changes)(struct backend *b);
static struct backend changed_cuda;

void backends_change(void (*change)(struct backend *b))
{
    changes = change;
    change(&cpu_backend);
    change(&sim_backend);
}

/* The module's own struct is in memory that cannot be written to. */
static const struct backend *changed(const struct backend *cuda)
{
    if (!cuda || !changes)
        return cuda;
    changed_cuda = *cuda;
    changes(&changed_cuda);
    return &changed_cuda;
}

static void choose(void)
{
    const char *said = getenv("MISCAST_CUDA");
    bool simulate = said && !strcmp(said, "sim"), real = said && !strcmp(said, "real");
    const struct backend *chosen = simulate ? NULL : changed(cuda_backend(NULL));
    atomic_store(&behind_cuda, chosen || real ? chosen : &sim_backend);
}

static const struct backend *behind(void)
{
    pthread_once(&once, choose);
    return atomic_load_explicit(&behind_cuda, memory_order_relaxed);
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
    const struct backend *b = atomic_load_explicit(&behind_cuda, memory_order_acquire);
    return b && b->trouble ? b->trouble() : NULL;
}

void mc_empty_cache(void)
{
    memory_empty_cache();
    const struct backend *b = atomic_load(&behind_cuda);
    if (b && b->empty_cache)
        b->empty_cache();
}

/* Simulated cuda. Kernels work on ordinary memory that the user never sees; the address given to
 * the user is a reserved range without access rights, so that a host read of it faults as it would
 * on a machine with a GPU. MISCAST_SIM_DEVICES is the number of devices: 0 to 16, by default 1. */
#include "runtime/backends/backends.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/core/watch.h"
#include "runtime/kernels/kernels.h"

enum { MAX_DEVICES = 16 };

static atomic_int devices_plus_one;

static int sim_device_count(void)
{
    int n = atomic_load_explicit(&devices_plus_one, memory_order_relaxed);
    if (n)
        return n - 1;
    const char *said = getenv("MISCAST_SIM_DEVICES");
    long count = said ? strtol(said, NULL, 10) : 1;
    count = count < 0 ? 0 : count > MAX_DEVICES ? MAX_DEVICES : count;
    atomic_store(&devices_plus_one, (int)count + 1);
    return (int)count;
}

static bool sim_alloc(struct storage *s)
{
    void *address =
        mmap(NULL, s->nbytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED)
        return false;
    bool watched = watch_alloc(s);
    if (!watched)
        s->bytes = memory_alloc(s->nbytes, &s->capacity);
    s->address = address;
    if (watched)
        watch_twin(s);
    else if (!s->bytes)
        munmap(address, s->nbytes);
    return s->bytes != NULL;
}

static void sim_free(struct storage *s)
{
    if (is_watched(s)) {
        watch_free(s);
        return;
    }
    munmap(s->address, s->nbytes);
    memory_free(s->bytes, s->capacity);
}

static bool sim_upload(struct storage *to, size_t offset, const void *from, size_t n)
{
    memcpy(to->bytes + offset, from, n);
    return true;
}

static bool sim_download(void *to, const struct storage *from, size_t offset, size_t n)
{
    memcpy(to, from->bytes + offset, n);
    return true;
}

static void sim_synchronize(mc_device device)
{
    (void)device;
}

struct backend sim_backend = {
    .name = "sim",
    .is_cuda = true,
    .device_count = sim_device_count,
    .alloc = sim_alloc,
    .free = sim_free,
    .upload = sim_upload,
    .download = sim_download,
    .synchronize = sim_synchronize,
    .kernels = &cpu_kernels,
};

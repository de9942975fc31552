/* The CPU: host memory, host kernels. */
#include "runtime/backends/backends.h"

#include <string.h>

#include "runtime/core/watch.h"
#include "runtime/kernels/kernels.h"

static int one(void)
{
    return 1;
}

static bool cpu_alloc(struct storage *s)
{
    if (watch_enabled() && watch_alloc(s))
        return true;
    s->bytes = s->address = memory_alloc(s->nbytes, &s->capacity);
    return s->bytes != NULL;
}

static void cpu_free(struct storage *s)
{
    if (is_watched(s))
        watch_free(s);
    else
        memory_free(s->bytes, s->capacity);
}

static bool cpu_upload(struct storage *to, size_t offset, const void *from, size_t n)
{
    memcpy(to->bytes + offset, from, n);
    return true;
}

static bool cpu_download(void *to, const struct storage *from, size_t offset, size_t n)
{
    memcpy(to, from->bytes + offset, n);
    return true;
}

static void cpu_synchronize(mc_device device)
{
    (void)device;
}

struct backend cpu_backend = {
    .name = "cpu",
    .is_cuda = false,
    .device_count = one,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .upload = cpu_upload,
    .download = cpu_download,
    .synchronize = cpu_synchronize,
    .kernels = &cpu_kernels,
};

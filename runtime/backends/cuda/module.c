/* The backend's struct, and its opening. */
#include "runtime/backends/cuda/module.h"

#include <stdio.h>
#include <string.h>

#include "runtime/backends/cuda/cuda.h"
#include "runtime/backends/cuda/families.h"

static int index_of(mc_device device)
{
    return (int)device - (int)MC_CUDA;
}

static bool module_alloc(struct storage *s)
{
    s->bytes = cuda_memory_take(index_of(s->device), s->nbytes, &s->capacity);
    s->address = s->bytes;
    return s->bytes;
}

static void module_free(struct storage *s)
{
    cuda_memory_give(s->capacity);
}

static bool module_upload(struct storage *to, size_t offset, const void *from, size_t n)
{
    return cuda_upload(to->bytes + offset, from, n);
}

static bool module_download(void *to, const struct storage *from, size_t offset, size_t n)
{
    return cuda_download(to, from->bytes + offset, n);
}

static bool module_across(struct storage *to, size_t at, const struct storage *from, size_t offset,
                          size_t n)
{
    return cuda_across(to->bytes + at, index_of(to->device), from->bytes + offset,
                       index_of(from->device), n);
}

static void module_synchronize(mc_device device)
{
    cuda_wait(index_of(device));
}

static void module_memory(mc_device device, struct memory_use *use)
{
    struct cuda_memory_use now = cuda_memory_use(index_of(device));
    *use = (struct memory_use){now.used, now.kept, now.free, now.total};
}

static const struct kernels kernels = {
    .elementwise = &cuda_elementwise,
    .reduce = &cuda_reduce,
    .matmul = &cuda_matmul,
    .index = &cuda_index,
    .layer = &cuda_layer,
    .linalg = &cuda_linalg,
    .random = &cuda_random,
    .optim = &cuda_optim,
};

static const struct backend backend = {
    .name = "cuda",
    .is_cuda = true,
    .is_apart = true,
    .device_count = cuda_device_count,
    .alloc = module_alloc,
    .free = module_free,
    .upload = module_upload,
    .download = module_download,
    .across = module_across,
    .synchronize = module_synchronize,
    .memory = module_memory,
    .empty_cache = cuda_memory_empty_cache,
    .trouble = cuda_trouble,
    .kernels = &kernels,
};

#define EXPORTED __attribute__((visibility("default")))

EXPORTED bool miscast_cuda_describe(char *text, size_t size)
{
    if (!cuda_start(text, size))
        return false;
    cuda_describe(text, size);
    return true;
}

EXPORTED const struct backend *MODULE_OPEN(const struct module_terms *terms, char *why, size_t size)
{
    struct module_terms ours = MODULE_TERMS;
    if (strcmp(terms->version, ours.version) != 0 || terms->storage != ours.storage ||
        terms->backend != ours.backend || terms->kernels != ours.kernels) {
        snprintf(why, size, "the module is of version %s, the program of %s", ours.version,
                 terms->version);
        return NULL;
    }
    return cuda_start(why, size) ? &backend : NULL;
}

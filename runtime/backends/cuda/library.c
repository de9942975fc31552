/* CUDA's libraries, loaded when they are first needed: programs that do not need them run without.
 */
#include "runtime/backends/cuda/cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *open_in(const char *folder, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

void *cuda_library(const char *name)
{
    static const char *const roots[] = {"CUDA_HOME", "CUDA_PATH"};
    char what[128];
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char *why = library ? NULL : dlerror();
    snprintf(what, sizeof what, "%s: %s", name, why ? why : "cannot be loaded");
    for (size_t i = 0; !library && i < sizeof roots / sizeof *roots; i++) {
        char folder[2048];
        const char *root = getenv(roots[i]);
        if (root && snprintf(folder, sizeof folder, "%s/lib64", root) < (int)sizeof folder)
            library = open_in(folder, name);
    }
    if (!library)
        library = open_in("/usr/local/cuda/lib64", name);
    if (!library)
        cuda_fails("a library of CUDA is missing", what);
    return library;
}

void *cuda_library_function(void *library, const char *name)
{
    void *function = dlsym(library, name);
    if (!function)
        cuda_fails("a library of CUDA lacks a function", name);
    return function;
}

/* Where the runtime is: its headers and library, for programs that are built to be run. */
#include "frontends/driver/process/runtime_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/driver/process/process.h"

#ifndef MISCAST_LIBDIR
#define MISCAST_LIBDIR "lib"
#endif

static bool is_there(const char *path)
{
    return !access(path, R_OK);
}

/* As it is installed: prefix/include, prefix/lib. */
static bool runtime_below(struct arena *a, const char *prefix, struct runtime_place *r)
{
    static const char library[] =
        "miscast/libmiscast_run.so"; /* others cannot guard their events */
    static const char *const folders[] = {"lib", "lib64", MISCAST_LIBDIR};
    r->include = arena_printf(a, "%s/include", prefix);
    if (!is_there(arena_printf(a, "%s/miscast/tensor.h", r->include)))
        return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        r->library = arena_printf(a, "%s/%s/%s", prefix, folders[i], library);
        if (is_there(r->library))
            return true;
    }
    return false;
}

/* Next to this program: bin/miscast, lib, include. */
static bool runtime_beside(struct arena *a, struct runtime_place *r)
{
    const char *prefix = installed_prefix(a);
    return prefix && runtime_below(a, prefix, r);
}

static bool find_library(struct arena *a, struct runtime_place *r, struct error *e)
{
    const char *said = getenv("MISCAST_RUNTIME");
    if (said && *said)
        return runtime_below(a, said, r) ||
               error_at(
                   e, said, 0, 0,
                   "MISCAST_RUNTIME: no include/miscast and lib/miscast/libmiscast_run.so here");
    if (runtime_beside(a, r))
        return true;
    *r = (struct runtime_place){MISCAST_RUNTIME_INCLUDE, MISCAST_RUNTIME_LIBRARY, NULL};
    return is_there(r->library) ||
           error_set(e, "the runtime library is not found; MISCAST_RUNTIME says where it is: a "
                        "folder with include/miscast and lib/miscast/libmiscast_run.so");
}

bool runtime_find(struct arena *a, struct runtime_place *r, struct error *e)
{
    if (!find_library(a, r, e))
        return false;
    r->observer = arena_printf(a, "%.*s/libmiscast_ggml.so",
                               (int)(strrchr(r->library, '/') - r->library), r->library);
    if (!is_there(r->observer))
        r->observer = NULL;
    return true;
}

/* Loads the module miscast-cuda, once per process. It is searched for at $MISCAST_CUDA_MODULE,
 * next to the library or program this code is in, in the folder the runtime was installed to, and
 * on the system's library path. */
#include "runtime/backends/backends.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backends/cuda/module.h"

static const char file_name[] = "libmiscast-cuda.so";
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct backend *found;
static char why_not[512];

/* False: there is no such file, so the next place is tried. */
static bool open_module(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *said = dlerror();
        /* A file that exists but cannot be loaded is more informative than one that does not
         * exist. */
        if (said && !strstr(said, "No such file"))
            snprintf(why_not, sizeof why_not, "%s", said);
        return false;
    }
    module_open *open;
    *(void **)&open = dlsym(library, MODULE_OPEN_NAME);
    if (open)
        found = open(&MODULE_TERMS, why_not, sizeof why_not);
    else
        snprintf(why_not, sizeof why_not, "%s is not a module of miscast", path);
    if (!found)
        dlclose(library);
    return true;
}

static bool open_in(const char *folder, size_t length, const char *below)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%.*s/%s%s", (int)length, folder, below, file_name);
    return n > 0 && (size_t)n < sizeof path && open_module(path);
}

/* In a build it is next to the runtime; when installed, in a folder below. */
static bool open_beside(const char *folder, size_t length)
{
    return open_in(folder, length, "") || open_in(folder, length, "miscast/");
}

static void load(void)
{
    const char *said = getenv("MISCAST_CUDA_MODULE");
    if (said && *said) {
        if (!open_module(said) && !*why_not)
            snprintf(why_not, sizeof why_not, "there is no file %s", said);
        return;
    }
    Dl_info here;
    const char *slash =
        dladdr(file_name, &here) && here.dli_fname ? strrchr(here.dli_fname, '/') : NULL;
    if ((slash && open_beside(here.dli_fname, (size_t)(slash - here.dli_fname))) ||
        open_in(MISCAST_MODULE_DIR, strlen(MISCAST_MODULE_DIR), "") || open_module(file_name))
        return;
    if (!*why_not)
        snprintf(why_not, sizeof why_not, "the module %s is not installed", file_name);
}

const struct backend *cuda_backend(const char **why)
{
    pthread_once(&once, load);
    if (why)
        *why = found ? NULL : why_not;
    return found;
}

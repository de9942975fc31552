/* Loads libclang: finds the shared library by one of its names and fills the table of its
 * functions. Also locates the compiler's own headers (stddef.h and the like), which the library
 * looks for relative to a symbolic link to itself and may miss. */
#include "frontends/clang/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OLDEST 17

/* Tried in this order: the version this was tested with, then newer ones, then older ones. */
static const char *const library_names[] = {
    "libclang-19.so.1", "libclang-19.so",   "/usr/lib/llvm-19/lib/libclang.so.1",
    "libclang-21.so.1", "libclang-20.so.1", "libclang-18.so.1",
    "libclang-17.so.1", "libclang.so.1",    "libclang.so",
};

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define CLANG_FUNCTION(name) {"clang_" #name, offsetof(struct clang, name)},
#include "frontends/clang/functions.def"
#undef CLANG_FUNCTION
};

char *clang_text(const struct clang *c, struct arena *a, CXString s)
{
    const char *text = c->getCString(s);
    char *copy = arena_text(a, text ? text : "", text ? strlen(text) : 0);
    c->disposeString(s);
    return copy;
}

/* Fills the table; false if a function is missing, that is, the library is too old. */
static bool find_functions(struct clang *c)
{
    for (int i = 0; i < COUNT(functions); i++) {
        void *f = dlsym(c->handle, functions[i].name);
        if (!f)
            return false;
        memcpy((char *)c + functions[i].offset, &f, sizeof f);
    }
    return true;
}

/* "Debian clang version 19.1.7 (3)": the number follows the last such word. */
static bool find_version(struct clang *c)
{
    CXString s = c->getClangVersion();
    const char *text = c->getCString(s), *word = text ? strstr(text, "version ") : NULL;
    int major = word ? atoi(word + strlen("version ")) : 0;
    snprintf(c->version, sizeof c->version, "%d", major);
    c->disposeString(s);
    return major >= OLDEST;
}

/* ---- the compiler's own headers ------------------------------------------------------------- */

static bool has_headers(const char *folder)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/include/stddef.h", folder);
    return access(path, R_OK) == 0;
}

/* The real path of the library; "" if unknown. */
static void find_path(struct clang *c)
{
    Dl_info info;
    void *f;
    char real[PATH_MAX];
    memcpy(&f, &c->createIndex, sizeof f);
    c->path[0] = '\0';
    if (dladdr(f, &info) && info.dli_fname && realpath(info.dli_fname, real) &&
        strlen(real) < sizeof c->path)
        strcpy(c->path, real);
}

static void library_folder(const struct clang *c, char *folder, size_t room)
{
    const char *slash = strrchr(c->path, '/');
    snprintf(folder, room, "%.*s", slash ? (int)(slash - c->path) : 0, c->path);
}

/* Takes the folder if it contains the headers. */
static bool PRINTF_LIKE(2, 3) try_headers(struct clang *c, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int length = vsnprintf(c->resource, sizeof c->resource, fmt, args);
    va_end(args);
    if (length < (int)sizeof c->resource && has_headers(c->resource))
        return true;
    c->resource[0] = '\0';
    return false;
}

/* Next to the library, or in Debian's folder for the version. */
static void find_headers(struct clang *c)
{
    char folder[PATH_MAX];
    const char *v = c->version;
    library_folder(c, folder, sizeof folder);
    if (!try_headers(c, "%s/clang/%s", folder, v) &&
        !try_headers(c, "%s/../llvm-%s/lib/clang/%s", folder, v, v) &&
        !try_headers(c, "%s/../lib/clang/%s", folder, v))
        try_headers(c, "/usr/lib/llvm-%s/lib/clang/%s", v, v);
}

/* ---- opening -------------------------------------------------------------------------------- */

static bool load(struct clang *c, const char *name)
{
    c->handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!c->handle)
        return false;
    if (find_functions(c) && find_version(c))
        return true;
    dlclose(c->handle);
    c->handle = NULL;
    return false;
}

struct clang *clang_open(struct error *e)
{
    struct clang *c = calloc(1, sizeof *c);
    if (!c)
        BUG("no memory for a table");
    for (int i = 0; i < COUNT(library_names); i++) {
        if (load(c, library_names[i])) {
            find_path(c);
            find_headers(c);
            clang_survive(c);
            return c;
        }
    }
    free(c);
    error_set(e,
              "libclang %d or newer is not installed (Debian: libclang1-19 and "
              "libclang-common-19-dev)",
              OLDEST);
    return NULL;
}

/* The library is never unloaded: it keeps threads and handlers of its own. */
void clang_close(struct clang *c)
{
    free(c);
}

const char *clang_version(const struct clang *c)
{
    return c->version;
}

const char *clang_path(const struct clang *c)
{
    return c->path;
}

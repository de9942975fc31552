/* Paths as text: absolute paths, without accessing the disk. */
#include "frontends/clang/paths.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

void path_tidy(char *path)
{
    char *out = path;
    for (char *in = path; *in;) {
        while (*in == '/')
            in++;
        size_t n = strcspn(in, "/");
        if (n == 2 && in[0] == '.' && in[1] == '.') {
            while (out > path && *--out != '/')
                continue;
        } else if (n && !(n == 1 && in[0] == '.')) {
            *out++ = '/';
            memmove(out, in, n);
            out += n;
        }
        in += n;
    }
    if (out == path)
        *out++ = '/';
    *out = '\0';
}

char *path_absolute(struct arena *a, const char *directory, const char *path)
{
    char current[PATH_MAX] = "/";
    if (*path != '/' && !(directory && *directory == '/') && !getcwd(current, sizeof current))
        current[1] = '\0';
    char *full = *path == '/'                     ? arena_printf(a, "%s", path)
                 : directory && *directory == '/' ? arena_printf(a, "%s/%s", directory, path)
                 : directory ? arena_printf(a, "%s/%s/%s", current, directory, path)
                             : arena_printf(a, "%s/%s", current, path);
    path_tidy(full);
    return full;
}

/* Paths: absolute ones, real ones, and the root of the repository a folder is in. */
#include "analyzer/base/base.h"

#include <limits.h>
#include <stdlib.h>
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

const char *path_resolve(struct arena *a, const char *path)
{
    char *real = realpath(path, NULL);
    const char *out = real ? arena_printf(a, "%s", real) : path_absolute(a, NULL, path);
    free(real);
    return out;
}

bool path_is_repository(struct arena *a, const char *folder)
{
    static const char *const marks[] = {".git", ".hg", ".svn", ".jj"};
    size_t used = arena_used(a);
    bool is = false;
    for (int i = 0; i < COUNT(marks) && !is; i++)
        is = !access(arena_printf(a, "%s/%s", folder[1] ? folder : "", marks[i]), F_OK);
    arena_rewind(a, used);
    return is;
}

const char *path_repository(struct arena *a, const char *folder)
{
    char *path = path_absolute(a, NULL, folder);
    for (;;) {
        char *slash = strrchr(path, '/');
        if (path_is_repository(a, path))
            return path;
        if (!slash || !path[1])
            return NULL;
        slash[slash == path] = '\0';
    }
}

bool path_is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return !strncmp(path, folder, n) && (path[n] == '/' || (n == 1 && *folder == '/' && path[1]));
}

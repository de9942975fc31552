/* Finds programs by name in the absolute folders of PATH: a relative one could lead into the
 * project that is checked, which is not trusted. */
#include "analyzer/base/base.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usual[] = "/usr/local/bin:/usr/bin:/bin";

const char *program_path(struct arena *a)
{
    const char *at = getenv("PATH");
    struct text path = {0};
    for (at = at ? at : usual; *at;) {
        size_t n = strcspn(at, ":");
        if (*at == '/' && path.length)
            text_add(&path, ":");
        if (*at == '/')
            text_add_range(&path, at, n);
        at += n + (at[n] == ':');
    }
    const char *kept = path.length ? arena_text(a, path.data, path.length) : usual;
    text_free(&path);
    return kept;
}

static bool is_program(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

const char *program_find(struct arena *a, const char *name)
{
    for (const char *at = program_path(a); *at;) {
        size_t n = strcspn(at, ":");
        const char *path = arena_printf(a, "%.*s/%s", (int)n, at, name);
        if (is_program(path))
            return path;
        at += n + (at[n] == ':');
    }
    return NULL;
}

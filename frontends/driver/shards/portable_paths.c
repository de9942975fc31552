/* Portable paths: relative to the root of the tree if they are below it, otherwise absolute. */
#include "frontends/driver/shards/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool tree_find(struct arena *a, const struct request *request, struct tree *t, struct error *e)
{
    char here[4096];
    if (!getcwd(here, sizeof here))
        return error_set(e, "the current folder is not there: %s", strerror(errno));
    t->here = arena_printf(a, "%s", here);
    if (!request->shard.root) {
        const char *root = path_repository(a, t->here);
        t->root = root ? root : t->here;
        return true;
    }
    char *real = realpath(request->shard.root, NULL);
    if (!real)
        return error_at(e, request->shard.root, 0, 0, "%s", strerror(errno));
    t->root = arena_printf(a, "%s", real);
    free(real);
    return true;
}

const char *tree_portable(const struct tree *t, struct arena *a, const char *path)
{
    const char *full = path_absolute(a, t->here, path);
    size_t n = t->root[1] ? strlen(t->root) : 0;
    if (strncmp(full, t->root, n) != 0 || (full[n] && full[n] != '/'))
        return full;
    return full[n] && full[n + 1] ? full + n + 1 : ".";
}

const char *tree_local(const struct tree *t, struct arena *a, const char *portable)
{
    return path_absolute(a, t->root, portable);
}

bool tree_has(const char *portable)
{
    return *portable != '/';
}

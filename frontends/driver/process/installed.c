/* Where the files are that are installed with the program: below the folder it was installed to, so
 * that the installation can be moved as a whole; in a build, in the source tree. */
#include "analyzer/pack/pack.h"
#include "frontends/driver/process/process.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *if_there(const char *path)
{
    return access(path, R_OK) ? NULL : path;
}

/* The program is PREFIX/bin/miscast. */
const char *installed_prefix(struct arena *a)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    for (int up = 0; up < 2 && n > 0; up++) {
        path[n] = '\0';
        char *slash = strrchr(path, '/');
        n = slash ? slash - path : 0;
    }
    return n > 0 ? arena_printf(a, "%.*s", (int)n, path) : NULL;
}

const char *installed_packs(struct arena *a)
{
    const char *said = getenv("MISCAST_PACKS"), *prefix = installed_prefix(a), *folder = NULL;
    if (prefix && !(said && *said))
        folder = if_there(arena_printf(a, "%s/share/miscast/packs", prefix));
    return folder ? folder : packs_builtin_dir();
}

static int is_pack(const struct dirent *d)
{
    return path_ends_in(d->d_name, ".yaml");
}

bool installed_pack_files(struct arena *a, text_list *out, struct error *e)
{
    const char *folder = installed_packs(a);
    struct dirent **files = NULL;
    int count = scandir(folder, &files, is_pack, alphasort);
    bool found = count >= 0 || error_at(e, folder, 0, 0, "%s", strerror(errno));
    for (int i = 0; i < count; i++) {
        LIST_ADD(a, out, arena_printf(a, "%s/%s", folder, files[i]->d_name));
        free(files[i]);
    }
    free(files);
    return found;
}

const char *installed_headers(struct arena *a)
{
    const char *prefix = installed_prefix(a);
    if (prefix && if_there(arena_printf(a, "%s/include/miscast/tensor.h", prefix)))
        return arena_printf(a, "%s/include", prefix);
    return if_there(MISCAST_RUNTIME_INCLUDE);
}

const char *installed_docs(struct arena *a)
{
    const char *prefix = installed_prefix(a), *folder = NULL;
    if (prefix)
        folder = if_there(arena_printf(a, "%s/share/miscast/docs", prefix));
    return folder ? folder : if_there(MISCAST_RULE_DOCS);
}

const char *installed_watcher(struct arena *a)
{
    const char *prefix = installed_prefix(a), *folder = NULL;
    if (prefix)
        folder = if_there(arena_printf(a, "%s/share/miscast/watcher", prefix));
    return folder ? folder : if_there(MISCAST_WATCHER);
}

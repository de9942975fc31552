/* Whether a file that .miscast.yaml names may be written: it comes with the code, from anybody.
 * Allowed are files below its folder that are not reached through a symbolic link, and are not in a
 * folder of version control or of miscast. */
#include "frontends/driver/config/config.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool is_reserved(const char *name)
{
    static const char *const names[] = {"..", ".git", ".hg", ".svn", ".jj", ".miscast"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(name, names[i]))
            return true;
    return false;
}

static bool is_link(const char *path)
{
    struct stat st;
    return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

const char *config_why_not_written(struct arena *a, const struct config *c, const char *path)
{
    const char *below = *path == '/' ? path_below(c->folder, path) : path;
    char *name = arena_printf(a, "%s", below), *slash;
    const char *so_far = c->folder;
    if (*below == '/')
        return "is outside of the folder of .miscast.yaml";
    for (; name; name = slash ? slash + 1 : NULL) {
        slash = strchr(name, '/');
        if (slash)
            *slash = '\0';
        if (is_reserved(name))
            return "leads out of the folder of .miscast.yaml, or to what others keep there";
        so_far = arena_printf(a, "%s/%s", so_far, name);
        if (is_link(so_far))
            return "is a link, or lies behind one, which is not followed";
    }
    return NULL;
}

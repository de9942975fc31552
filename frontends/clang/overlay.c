/* Overlaid texts, as libclang takes them. It recognises a file on disk under any name, but one that
 * does not exist only under the name it is included by: so that is added once for each header
 * folder through which it could be found. */
#include "frontends/clang/lower.h"

#include <string.h>
#include <unistd.h>

static void add(struct lower *l, unsaved_list *out, const char *name, const struct overlaid *o)
{
    struct CXUnsavedFile file = {name, o->text, o->length};
    for (int i = 0; i < out->count; i++)
        if (!strcmp(out->items[i].Filename, name))
            return;
    LIST_ADD(l->scratch, out, file);
}

/* For /p/include/a.h and a folder called include: "include/a.h"; NULL: it is not below the folder.
 */
static const char *name_through(struct lower *l, const char *folder, const char *path)
{
    const char *real = path_absolute(l->scratch, l->directory, folder);
    size_t n = strlen(real);
    if (strncmp(path, real, n) != 0 || path[n] != '/')
        return NULL;
    return arena_printf(l->scratch, "%s%s", folder, path + n);
}

static void add_missing(struct lower *l, unsaved_list *out, const struct overlaid *o,
                        const char *const *flags, int count)
{
    static const char *const folders[] = {"-I", "-iquote", "-isystem", "-idirafter"};
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
            size_t n = strlen(folders[k]);
            if (strncmp(flags[i], folders[k], n) != 0)
                continue;
            const char *folder = flags[i][n] ? flags[i] + n : i + 1 < count ? flags[i + 1] : "";
            const char *name = name_through(l, folder, o->path);
            if (name)
                add(l, out, name, o);
        }
}

void overlay_names(struct lower *l, const char *const *flags, int count, unsaved_list *out)
{
    for (int i = 0; l->overlay && i < l->overlay->files.count; i++) {
        const struct overlaid *o = &l->overlay->files.items[i];
        add(l, out, o->path, o);
        if (access(o->path, F_OK) != 0)
            add_missing(l, out, o, flags, count);
    }
}

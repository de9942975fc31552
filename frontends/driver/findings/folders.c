/* Folders to check: every unit below them comes out, in order, and separately files in languages
 * that are not read. Hidden folders, build folders and what verify wrote are skipped, as are files
 * that the configuration excludes. What the units include from there is checked, too. */
#include "frontends/driver/findings/findings.h"

#include "analyzer/verify/verify.h"
#include "frontends/driver/process/terminal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MAX_DEPTH = 64 };

static bool is_build_folder(struct arena *a, const char *folder)
{
    return !access(arena_printf(a, "%s/CMakeCache.txt", folder), F_OK) ||
           !access(arena_printf(a, "%s/build.ninja", folder), F_OK) ||
           !access(arena_printf(a, "%s/" MADE_MARK, folder), F_OK);
}

/* Packages that are installed, and copies of them. */
static bool is_of_others(struct arena *a, const char *folder, const char *name)
{
    static const char *const names[] = {"node_modules", "site-packages", "__pypackages__",
                                        "__pycache__"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return !access(arena_printf(a, "%s/pyvenv.cfg", folder), F_OK);
}

/* What the kernel shows of itself: /proc, /sys and what is mounted below it. */
static bool is_pseudo(const char *folder)
{
    static const unsigned kinds[] = {PROC_SUPER_MAGIC,    SYSFS_MAGIC,   CGROUP_SUPER_MAGIC,
                                     CGROUP2_SUPER_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC,
                                     SECURITYFS_MAGIC,    BPF_FS_MAGIC,  DEVPTS_SUPER_MAGIC};
    struct statfs fs;
    if (statfs(folder, &fs))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((unsigned)fs.f_type == kinds[i])
            return true;
    return false;
}

/* Where tools copy Python files to. */
static bool is_output(const char *name)
{
    static const char *const names[] = {"build", "_build", "dist"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static int is_visible(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

/* The type of the entry, if the folder does not have it: DT_DIR, DT_REG or something else. */
static int kind_of(const char *path, int told)
{
    struct stat st;
    if (told != DT_UNKNOWN)
        return told;
    return lstat(path, &st) ? DT_UNKNOWN : IFTODT(st.st_mode);
}

/* is_made: below a folder that tools write to. */
static void walk(struct arena *a, const struct config *c, const char *folder, int depth,
                 bool is_made, struct request *request)
{
    struct dirent **entries = NULL;
    bool is_walked = depth < MAX_DEPTH && !is_pseudo(folder);
    int count = is_walked ? scandir(folder, &entries, is_visible, alphasort) : 0;
    if (request->progress)
        progress_at("looking for files", request->found.count, 0, folder);
    if (count < 0) { /* what is in it must not be taken for clean */
        progress_end();
        print_shown(stderr, "%s: error: could not be analysed: %s\n", folder, strerror(errno));
        request->folders_unread++;
    }
    for (int i = 0; i < count; i++) {
        const char *path = !strcmp(folder, ".")
                               ? arena_printf(a, "%s", entries[i]->d_name)
                               : arena_printf(a, "%s/%s", folder, entries[i]->d_name);
        int kind = kind_of(path, entries[i]->d_type);
        bool is_another = kind == DT_DIR && is_of_others(a, path, entries[i]->d_name);
        bool is_written = is_made || (kind == DT_DIR && is_output(entries[i]->d_name));
        bool is_copy = is_made && frontend_of(file_language(path))->is_dynamic;
        free(entries[i]);
        if (is_another || config_excludes(c, path))
            continue;
        if (kind == DT_DIR && !is_build_folder(a, path))
            walk(a, c, path, depth + 1, is_written, request);
        else if (kind == DT_REG && is_unit_file(path) && !is_copy)
            LIST_ADD(a, &request->found, path);
        else if (kind == DT_REG && is_foreign_file(path))
            LIST_ADD(a, &request->foreign, path);
    }
    free(entries);
}

bool folders_expand(struct arena *a, const struct config *c, const text_list *paths,
                    text_list *files, struct request *request, struct error *e)
{
    for (int i = 0; i < paths->count; i++) {
        struct stat st;
        const char *path = paths->items[i];
        if (!*path)
            return error_set(e, "the name of a file is empty");
        if (stat(path, &st))
            return error_at(e, path, 0, 0, "%s", strerror(errno));
        if (S_ISDIR(st.st_mode) && access(path, R_OK | X_OK))
            return error_at(e, path, 0, 0, "cannot be read: %s", strerror(errno));
        if (S_ISDIR(st.st_mode)) {
            LIST_ADD(a, &request->folders, path);
            walk(a, c, path, 0, false, request);
            progress_end();
        } else if (is_foreign_file(path))
            return error_at(e, path, 0, 0, "is %s %s, which is not read%s",
                            article_of(foreign_name(path)), foreign_name(path),
                            foreign_reason(a, path));
        else
            LIST_ADD(a, files, path);
    }
    return true;
}

bool folders_configure(struct arena *a, const struct request *request, const text_list *paths,
                       struct request *out, text_list *files, struct error *e)
{
    struct config c;
    if (!config_find(a, request, paths->items[0], &c, e))
        return false;
    config_apply(&c, request, out);
    if (!folders_expand(a, &c, paths, files, out, e))
        return false;
    return files->count || out->found.count ||
           error_at(e, paths->items[0], 0, 0, "no C, C++ or Python file is below this folder");
}

/* Whether a walk below the folder would visit the path, which is relative to it. */
static bool is_on_the_way(struct checking *c, const char *folder, const char *path)
{
    for (const char *name = path, *end; name; name = *end ? end + 1 : NULL) {
        end = name + strcspn(name, "/");
        const char *at = !strcmp(folder, ".")
                             ? arena_printf(c->arena, "%.*s", (int)(end - path), path)
                             : arena_printf(c->arena, "%s/%.*s", folder, (int)(end - path), path);
        if (*name == '.' || config_excludes(&c->config, at) ||
            (*end && is_build_folder(c->arena, at)))
            return false;
    }
    return true;
}

bool folders_hold(struct checking *c, const char *file)
{
    const text_list *folders = &c->effective.folders;
    const char *real =
        folders->count && !is_unit_file(file) ? project_real(&c->project, file) : NULL;
    for (int i = 0; real && i < folders->count; i++) {
        const char *top = project_real(&c->project, folders->items[i]);
        size_t n = strlen(top);
        if (!strncmp(real, top, n) && real[n] == '/' &&
            is_on_the_way(c, folders->items[i], real + n + 1))
            return true;
    }
    return false;
}

/* Files that a program imports, found next to the file that does or in a folder above: they are
 * part of it, as the files that a database lists are part of a program in C. Imports are found in
 * the text, before anything is parsed: too many do no harm. */
#include "frontends/driver/project/project.h"

#include "frontends/driver/project/languages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FOLDERS_ABOVE = 8 };

struct importing {
    struct project *p;
    const char *folder; /* of the file, without links; NULL: it has none */
    text_list *found;
    struct map *known; /* names that were looked for from a folder: many files import the same */
    struct map *tops;  /* enum is_there, by folder and name */
};

enum is_there { IS_NOWHERE = 1, IS_THERE };

static bool is_file(const char *path)
{
    struct stat is;
    return !stat(path, &is) && S_ISREG(is.st_mode);
}

static void add_file(const struct importing *in, const char *path)
{
    const char *shown = project_shown(in->p, path);
    if (!text_list_has(in->found, shown))
        LIST_ADD(in->p->arena, in->found, shown);
}

/* Whether the folder has something that the first part of a dotted name can be. Most names are of
 * libraries, and the same ones are asked for in all their parts. */
static bool has_top(const struct importing *in, const char *folder, const char *name)
{
    size_t length = strcspn(name, ".");
    uint64_t key = hash_bytes(name, length, hash_bytes(folder, strlen(folder), 0));
    enum is_there is = (enum is_there)(uintptr_t)map_get(in->tops, key);
    if (!is) {
        struct stat found;
        char *path = arena_printf(in->p->arena, "%s/%.*s.py", folder, (int)length, name);
        bool is_there = is_file(path);
        path[strlen(path) - strlen(".py")] = 0;
        is_there = is_there || (!stat(path, &found) && S_ISDIR(found.st_mode));
        is = is_there ? IS_THERE : IS_NOWHERE;
        map_put(in->tops, key, (void *)(uintptr_t)is);
    }
    return is == IS_THERE;
}

/* A module of that name below the folder, with the packages that it is in. */
static bool find_below(const struct importing *in, const char *folder, const char *name)
{
    struct arena *a = in->p->arena;
    if (!has_top(in, folder, name))
        return false;
    char *path = arena_printf(a, "%s/%s", folder, name);
    bool found = false;
    for (char *c = path + strlen(folder) + 1; *c; c++)
        *c = *c == '.' ? '/' : *c;
    const char *plain = arena_printf(a, "%s.py", path);
    const char *package = arena_printf(a, "%s/__init__.py", path);
    if (is_file(plain)) {
        add_file(in, plain);
        found = true;
    } else if (is_file(package)) {
        add_file(in, package);
        found = true;
    }
    char *slash = found ? strrchr(path, '/') : NULL;
    if (slash && slash > path + strlen(folder)) { /* its package is run first */
        const char *outer = arena_printf(a, "%.*s/__init__.py", (int)(slash - path), path);
        if (is_file(outer))
            add_file(in, outer);
    }
    return found;
}

static char *folder_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_text(a, path, (size_t)(slash - path)) : NULL;
}

static bool was_looked_for(const struct importing *in, const char *name)
{
    uint64_t key = hash_bytes(name, strlen(name), (uint64_t)(uintptr_t)in->folder);
    bool known = map_get(in->known, key);
    map_put(in->known, key, in->p);
    return known;
}

/* Whether one of the folders in which the module is looked for has something for the first part of
 * its name; of relative names, that is not asked. */
static bool may_be_found(const struct importing *in, const char *name)
{
    struct arena *a = in->p->arena;
    const char *folder = in->folder;
    if (!folder || *name == '.')
        return folder;
    uint64_t key = hash_bytes(name, strcspn(name, "."), (uint64_t)(uintptr_t)folder + 1);
    enum is_there is = (enum is_there)(uintptr_t)map_get(in->tops, key);
    for (int up = 0; !is && folder && *folder && up < FOLDERS_ABOVE; up++) {
        bool is_below =
            has_top(in, folder, "src") && has_top(in, arena_printf(a, "%s/src", folder), name);
        is = is_below || has_top(in, folder, name) ? IS_THERE : 0;
        folder = folder_of(a, folder);
    }
    is = is ? is : IS_NOWHERE;
    map_put(in->tops, key, (void *)(uintptr_t)is);
    return is == IS_THERE;
}

static void find_module(const struct importing *in, const char *name)
{
    struct arena *a = in->p->arena;
    const char *folder = in->folder;
    if (!may_be_found(in, name) || was_looked_for(in, name))
        return;
    if (*name == '.') {
        for (name++; *name == '.' && folder; name++)
            folder = folder_of(a, folder);
        if (folder && *name)
            find_below(in, folder, name);
        return;
    }
    for (int up = 0; folder && *folder && up < FOLDERS_ABOVE; up++) {
        if (find_below(in, folder, name) ||
            (has_top(in, folder, "src") && find_below(in, arena_printf(a, "%s/src", folder), name)))
            return;
        folder = folder_of(a, folder);
    }
}

static size_t name_length(const char *p)
{
    size_t n = 0;
    while (p[n] == '.' || p[n] == '_' || (p[n] >= '0' && p[n] <= '9') ||
           (p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') || (p[n] & 0x80))
        n++;
    return n;
}

/* "from a import b, c": a, and a.b and a.c if they are modules. */
static void read_from(const struct importing *in, const char *p)
{
    struct arena *a = in->p->arena;
    size_t length = name_length(p);
    const char *module = arena_text(a, p, length);
    p += length + strspn(p + length, " \t");
    if (!length || strncmp(p, "import", 6) != 0 || !may_be_found(in, module))
        return;
    if (module[strspn(module, ".")])
        find_module(in, module);
    bool is_open = strchr(p, '(') && strcspn(p, "(") < strcspn(p, "\n");
    const char *stop = is_open ? ")" : "\n#";
    for (p += 6; *p && !strchr(stop, *p);) {
        p += strspn(p, " \t\r\n,(\\");
        length = name_length(p);
        if (!length)
            break;
        const char *dot = module[strlen(module) - 1] == '.' ? "" : ".";
        find_module(in, arena_printf(a, "%s%s%.*s", module, dot, (int)length, p));
        p += length;
        if (!strncmp(p + strspn(p, " \t"), "as ", 3)) {
            p += strspn(p, " \t") + 3;
            p += strspn(p, " \t");
            p += name_length(p);
        }
    }
}

static void read_import(const struct importing *in, const char *p)
{
    while (*p) {
        size_t length = name_length(p);
        if (!length)
            return;
        find_module(in, arena_text(in->p->arena, p, length));
        p += length + strcspn(p + length, ",\n");
        if (*p != ',')
            return;
        p += 1 + strspn(p + 1, " \t");
    }
}

/* import_module("a.b"), with whatever is around it. */
static void read_call(const struct importing *in, const char *p)
{
    static const char word[] = "import_module(";
    size_t end = strcspn(p, "\n");
    const char *at = end > sizeof word ? strstr(p, word) : NULL;
    if (!at || (size_t)(at - p) >= end)
        return;
    at += strlen(word);
    size_t length = *at == '"' || *at == '\'' ? name_length(at + 1) : 0;
    if (length && at[1] != '.' && at[length + 1] == *at)
        find_module(in, arena_text(in->p->arena, at + 1, length));
}

/* "if TYPE_CHECKING:": what is below it is not run. */
static bool is_for_type_checkers(const char *p)
{
    static const char *const tests[] = {"if TYPE_CHECKING:", "if typing.TYPE_CHECKING:"};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (!strncmp(p, tests[i], strlen(tests[i])))
            return true;
    return false;
}

static void read_imports(const struct importing *in, const char *text)
{
    size_t skipped = SIZE_MAX; /* lines that are indented more are */
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *p = line;
        while (*p == ' ' || *p == '\t')
            p++;
        size_t indent = (size_t)(p - line);
        if (*p && *p != '\n' && *p != '#' && *p != ')' && indent <= skipped)
            skipped = *p == 'i' && is_for_type_checkers(p) ? indent : SIZE_MAX;
        if (skipped != SIZE_MAX && indent > skipped)
            continue;
        if (!strncmp(p, "from ", 5))
            read_from(in, p + 5 + strspn(p + 5, " \t"));
        else if (!strncmp(p, "import ", 7))
            read_import(in, p + 7 + strspn(p + 7, " \t"));
        else
            read_call(in, p);
        if (!*line)
            break;
    }
}

void project_mark_imports(struct project *p)
{
    for (int i = 0; i < p->imported.count; i++)
        for (int k = 0; k < p->units.count; k++)
            p->units.items[k]->is_imported |=
                !strcmp(p->units.items[k]->file, p->imported.items[i]);
}

/* One text for each folder. */
static const char *real_folder(struct project *p, const char *file)
{
    const char *real = project_real(p, file), *slash = strrchr(real, '/');
    return slash ? name_of_range(p->names, real, (size_t)(slash - real)) : NULL;
}

void project_add_imports(struct project *p)
{
    int named = p->asked.count;
    struct map *known = map_new(p->arena), *tops = map_new(p->arena);
    for (int i = 0; i < p->asked.count; i++) { /* it grows */
        struct error e = {0};
        size_t length;
        struct arena *a = arena_new();
        if (frontend_of(file_language(p->asked.items[i]))->is_dynamic) {
            struct importing in = {p, real_folder(p, p->asked.items[i]), &p->asked, known, tops};
            const char *text = overlay_read(a, &p->overlay, p->asked.items[i], &length, &e);
            if (text && is_notebook(p->asked.items[i]))
                text = notebook_code(a, p->asked.items[i], text, &length, &e);
            if (text)
                read_imports(&in, text);
        }
        arena_free(a);
    }
    for (int i = named; i < p->asked.count; i++)
        LIST_ADD(p->arena, &p->imported, p->asked.items[i]);
}

/* Programs that were not asked for: of a file in a dynamic language, the files next to it, or in
 * the folder above, that import it. What a model is given is decided there. */
#include "frontends/driver/project/project.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Of more programs, the first; more files are not looked through for them. */
enum { MOST_IMPORTERS = 8, MOST_FILES = 200 };

struct search {
    struct arena *arena;
    const text_list *files; /* those asked for */
    text_list *found;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Whether the word is in the rest of the line. */
static bool names(const char *p, const char *word)
{
    size_t length = strlen(word), end = strcspn(p, "\n#");
    for (const char *at = p; (at = strstr(at, word)) && at < p + end; at++)
        if (!is_word(at[-1]) && at[-1] != '.' && !is_word(at[length]) && at[length] != '.')
            return true;
    return false;
}

/* "import a.b", "from a.b import c", "from a import b", "from . import b": package "a" or "", and
 * name "b". */
static bool line_imports(const char *p, const char *package, const char *name)
{
    size_t own = strlen(package);
    bool is_from = !strncmp(p, "from ", 5);
    if (!is_from && strncmp(p, "import ", 7) != 0)
        return false;
    const char *module = p + (is_from ? 4 : 6);
    if (!is_from) {
        struct text full = {0};
        text_printf(&full, "%s%s%s", package, own ? "." : "", name);
        bool is_named = names(module, full.data);
        text_free(&full);
        return is_named;
    }
    module += strspn(module, " \t");
    module += *module == '.';
    if (own && strncmp(module, package, own) != 0)
        return false;
    module += own;
    const char *behind = module + (own && *module == '.');
    size_t length = strlen(name);
    if ((!own || behind > module) && !strncmp(behind, name, length) && !is_word(behind[length]))
        return true;
    return (own ? !strncmp(module, " import ", 8) : module[-1] == '.' && *module == ' ') &&
           names(module, name);
}

static bool text_imports(const char *text, const char *package, const char *name)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *p = line + strspn(line, " \t");
        if (line_imports(p, package, name))
            return true;
    }
    return false;
}

static int is_python_file(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    return d->d_name[0] != '.' && n > 3 && !strcmp(d->d_name + n - 3, ".py");
}

/* The files in the folder that import package.name. */
static void search_folder(struct search *s, const char *folder, const char *package,
                          const char *name)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_python_file, alphasort);
    for (int i = 0; i < count; i++) {
        const char *path = arena_printf(s->arena, "%s/%s", folder, entries[i]->d_name);
        struct arena *scratch = arena_new();
        struct error ignored = {0};
        size_t length;
        bool is_new = i < MOST_FILES && s->found->count < MOST_IMPORTERS &&
                      !text_list_has(s->files, path) && !text_list_has(s->found, path);
        const char *text = is_new ? file_read(scratch, path, &length, &ignored) : NULL;
        if (text && text_imports(text, package, name))
            LIST_ADD(s->arena, s->found, path);
        arena_free(scratch);
        free(entries[i]);
    }
    free(entries);
}

static void search_for(struct search *s, const char *path, const char *root)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!slash || slash == path || !dot || dot < slash)
        return;
    const char *folder = arena_text(s->arena, path, (size_t)(slash - path));
    const char *name = arena_text(s->arena, slash + 1, (size_t)(dot - slash - 1));
    search_folder(s, folder, "", name);
    const char *above = strrchr(folder, '/');
    if (path_is_below(folder, root) && above > folder)
        search_folder(s, arena_text(s->arena, folder, (size_t)(above - folder)), above + 1, name);
}

text_list importers_of(struct arena *a, const char *root, const text_list *files)
{
    text_list found = {0};
    struct search s = {a, files, &found};
    for (int i = 0; i < files->count; i++)
        if (frontend_of(file_language(files->items[i]))->is_dynamic)
            search_for(&s, files->items[i], root);
    for (int i = 0; i < found.count; i++) /* it grows */
        search_for(&s, found.items[i], root);
    return found;
}

/* The compilation database: found on disk near a file or where the user says, read by libclang,
 * queried file by file. */
#include "frontends/clang/database.h"
#include "frontends/clang/check_commands.h"
#include "frontends/clang/flags.h"
#include "frontends/clang/library.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct database {
    struct arena *arena;
    const struct clang *c;
    CXCompilationDatabase handle;
    const char *path;
};

/* ---- where it is ---------------------------------------------------------------------------- */

static const char *const file_names[] = {"compile_commands.json", "compile_flags.txt"};

/* The database in the folder; NULL: none. */
static const char *file_in(struct arena *a, const char *folder)
{
    for (int i = 0; i < COUNT(file_names); i++) {
        const char *path = arena_printf(a, "%s/%s", folder, file_names[i]);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static bool is_root(struct arena *a, const char *folder)
{
    char current[PATH_MAX];
    return path_is_repository(a, folder) ||
           (getcwd(current, sizeof current) && strcmp(current, folder) == 0);
}

static int is_build_folder(const struct dirent *entry)
{
    return strncmp(entry->d_name, "build", 5) == 0 || strncmp(entry->d_name, "out", 3) == 0;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* In the subfolders that the filter accepts, by name. */
static const char *file_below(struct arena *a, const char *folder,
                              int (*filter)(const struct dirent *), int depth)
{
    struct dirent **entries;
    const char *found = NULL;
    int n = scandir(folder, &entries, filter, alphasort);
    for (int i = 0; i < n; i++) {
        const char *path = arena_printf(a, "%s/%s", folder, entries[i]->d_name);
        if (!found)
            found = file_in(a, path);
        if (!found && depth > 1)
            found = file_below(a, path, is_shown, depth - 1);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return found;
}

/* Upward from the folder. */
static const char *find_near(struct arena *a, char *folder)
{
    for (;;) {
        const char *found = file_in(a, folder);
        if (!found)
            found = file_in(a, arena_printf(a, "%s/build", folder));
        if (!found && is_root(a, folder))
            found = file_below(a, folder, is_build_folder, 2);
        char *slash = strrchr(folder, '/');
        if (found || !slash || slash == folder)
            return found;
        *slash = '\0';
    }
}

static const char *find_near_file(struct arena *a, const char *file)
{
    char *real = realpath(file, NULL);
    char *folder = path_absolute(a, NULL, real ? real : file);
    free(real);
    char *slash = strrchr(folder, '/');
    if (slash == folder)
        return NULL;
    *slash = '\0';
    return find_near(a, folder);
}

/* ---- opening -------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *with)
{
    size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

static CXCompilationDatabase read_folder(const struct clang *c, const char *folder)
{
    CXCompilationDatabase_Error error;
    clang_guard_counting();
    CXCompilationDatabase handle = c->CompilationDatabase_fromDirectory(folder, &error);
    clang_unguard();
    return error == CXCompilationDatabase_NoError ? handle : NULL;
}

/* In a folder of its own: nothing in a database depends on where the file is. */
static CXCompilationDatabase read_apart(const struct clang *c, struct arena *a, const char *path)
{
    const char *temporary = getenv("TMPDIR");
    char *folder =
        arena_printf(a, "%s/miscast.XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return NULL;
    const char *link = arena_printf(a, "%s/%s", folder, file_names[0]);
    CXCompilationDatabase handle = symlink(path, link) ? NULL : read_folder(c, folder);
    unlink(link);
    rmdir(folder);
    return handle;
}

/* libclang takes a folder, and prefers compile_flags.txt if both files are in it. */
static CXCompilationDatabase read_database(const struct clang *c, struct arena *a, const char *path)
{
    char *folder = arena_text(a, path, (size_t)(strrchr(path, '/') - path));
    bool both = ends_with(path, file_names[0]) &&
                !access(arena_printf(a, "%s/%s", folder, file_names[1]), F_OK);
    return both ? read_apart(c, a, path) : read_folder(c, folder);
}

bool database_find(struct arena *a, const char *directory, const char *file, const char **path,
                   struct error *e)
{
    *path = NULL;
    if (!directory) {
        *path = file ? find_near_file(a, file) : NULL;
        return true;
    }
    *path = file_in(a, path_absolute(a, NULL, directory));
    if (!*path && access(directory, F_OK))
        return error_at(e, directory, 0, 0, "%s", strerror(errno));
    return *path ||
           error_at(e, directory, 0, 0, "has no compile_commands.json and no compile_flags.txt");
}

static CXCompilationDatabase checked_database(const struct clang *c, struct arena *a,
                                              const char *path, struct error *e)
{
    bool fine = ends_with(path, ".json") ? commands_check(a, path, e)
                                         : file_read_kind(a, path, FILE_SETTINGS, NULL, e) != NULL;
    if (!fine)
        return NULL;
    CXCompilationDatabase handle = read_database(c, a, path);
    if (!handle)
        error_at(e, path, 0, 0, "is not a compile database");
    return handle;
}

bool database_read(struct database **d, const struct clang *c, const char *path, struct error *e)
{
    struct arena *a = arena_new();
    CXCompilationDatabase handle = checked_database(c, a, path, e);
    *d = NULL;
    if (!handle) {
        arena_free(a);
        return false;
    }
    *d = arena_one(a, struct database);
    **d = (struct database){a, c, handle, arena_text(a, path, strlen(path))};
    return true;
}

bool database_open(struct database **d, const struct clang *c, const char *directory,
                   const char *file, struct error *e)
{
    struct arena *a = arena_new();
    const char *path;
    *d = NULL;
    bool ok = database_find(a, directory, file, &path, e);
    if (path)
        ok = database_read(d, c, path, e);
    arena_free(a);
    return ok;
}

void database_close(struct database *d)
{
    if (!d)
        return;
    d->c->CompilationDatabase_dispose(d->handle);
    arena_free(d->arena);
}

const char *database_path(const struct database *d)
{
    return d->path;
}

bool database_lists_files(const struct database *d)
{
    return strcmp(strrchr(d->path, '/') + 1, file_names[1]) != 0;
}

/* ---- commands ------------------------------------------------------------------------------- */

/* A name alone may not say what it is: a header, or anything that is given -x. */
static struct compile compile_new(struct arena *a, const char *file, const char *directory,
                                  const char *language, struct flags *f)
{
    bool is_cpp = !strcmp(language, "c++");
    if (is_cpp ? !path_ends_in(file, CPP_UNITS) : !ends_with(file, ".c")) {
        LIST_ADD(a, &f->list, "-x");
        LIST_ADD(a, &f->list, is_cpp ? "c++" : "c");
    }
    return (struct compile){.file = file,
                            .directory = directory,
                            .language = language,
                            .flags = f->list.items,
                            .flag_count = f->list.count,
                            .foreign = f->foreign,
                            .refused = f->refused,
                            .found = true};
}

static struct compile compile_of(const struct database *d, struct arena *a,
                                 CXCompileCommand command, const char *file)
{
    const struct clang *c = d->c;
    unsigned n = c->CompileCommand_getNumArgs(command);
    const char **words = arena_array(a, const char *, n);
    for (unsigned i = 0; i < n; i++)
        words[i] = clang_text(c, a, c->CompileCommand_getArg(command, i));
    const char *directory = clang_text(c, a, c->CompileCommand_getDirectory(command));
    if (!file)
        file = clang_text(c, a, c->CompileCommand_getFilename(command));
    file = path_absolute(a, directory, file);
    struct flags f = flags_of_command(a, words, (int)n, file);
    const char *language = flags_language(a, words, (int)n, file);
    return compile_new(a, file, path_absolute(a, NULL, directory), language, &f);
}

/* As a command, which begins with the name of a compiler. */
static const char *const *command_of(struct arena *a, const char *const *words, int count)
{
    const char **all = arena_array(a, const char *, count + 1);
    all[0] = "cc";
    if (count)
        memcpy(all + 1, words, (size_t)count * sizeof *all);
    return all;
}

struct compile compile_with(struct arena *a, const char *file, const char *const *words, int count)
{
    const char *const *all = command_of(a, words, count);
    file = path_absolute(a, NULL, file);
    struct flags f = flags_of_command(a, all, count + 1, file);
    const char *language = flags_language(a, all, count + 1, file);
    return compile_new(a, file, path_absolute(a, NULL, "."), language, &f);
}

/* The path that the flag at *i names, as flags_value; NULL: it names none. */
static const char *path_in(const char *const *flags, int count, int *i, const char **flag)
{
    static const char *const all[] = {"-I",       "-isystem-after", "-isystem",  "-iquote",
                                      "-include", "-idirafter",     "-isysroot", "--sysroot",
                                      "-imacros", "-iprefix"};
    const char *path = NULL;
    for (int k = 0; k < COUNT(all) && !path; k++) {
        *flag = all[k];
        path = flags_value(flags, count, i, all[k]);
    }
    return path;
}

void compile_add(struct arena *a, struct compile *how, const char *directory,
                 const char *const *words, int count)
{
    struct flags more = flags_of_command(a, command_of(a, words, count), count + 1, how->file);
    LIST(const char *) all = {0};
    for (int i = 0; i < how->flag_count; i++)
        LIST_ADD(a, &all, how->flags[i]);
    for (int i = 0; i < more.list.count; i++) {
        const char *word = more.list.items[i], *flag;
        const char *path = path_in(more.list.items, more.list.count, &i, &flag);
        LIST_ADD(a, &all, path ? flag : word);
        if (path)
            LIST_ADD(a, &all, path_absolute(a, directory, path));
    }
    how->flags = all.items;
    how->flag_count = all.count;
    how->foreign += more.foreign;
    how->refused += more.refused;
}

static struct compile default_compile(struct arena *a, const char *file)
{
    struct flags f = {0};
    const char *language = flags_language(a, NULL, 0, file);
    LIST_ADD(a, &f.list, !strcmp(language, "c++") ? "-std=gnu++20" : "-std=gnu17");
    struct compile compile = compile_new(a, file, path_absolute(a, NULL, "."), language, &f);
    compile.found = false;
    return compile;
}

/* Response files are read here. */
static CXCompileCommands commands_for(const struct database *d, const char *file)
{
    clang_guard_arguments();
    CXCompileCommands commands = file
                                     ? d->c->CompilationDatabase_getCompileCommands(d->handle, file)
                                     : d->c->CompilationDatabase_getAllCompileCommands(d->handle);
    clang_unguard();
    return commands;
}

struct compile database_compile(const struct database *d, struct arena *a, const char *file)
{
    char *real = realpath(file, NULL);
    const char *full = path_absolute(a, NULL, file);
    CXCompileCommands all = NULL;
    if (d)
        all = commands_for(d, full);
    bool found = all && d->c->CompileCommands_getSize(all) > 0;
    if (d && !found && real && strcmp(real, full) != 0) {
        if (all)
            d->c->CompileCommands_dispose(all);
        all = commands_for(d, real);
        found = all && d->c->CompileCommands_getSize(all) > 0;
    }
    free(real);
    struct compile compile = found
                                 ? compile_of(d, a, d->c->CompileCommands_getCommand(all, 0), full)
                                 : default_compile(a, full);
    if (all)
        d->c->CompileCommands_dispose(all);
    return compile;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static int compare_files(const void *x, const void *y)
{
    return strcmp(((const struct compile *)x)->file, ((const struct compile *)y)->file);
}

struct compile *database_all(const struct database *d, struct arena *a, int *count)
{
    LIST(struct compile) list = {0};
    struct map *seen = map_new(a);
    CXCompileCommands all = commands_for(d, NULL);
    unsigned n = all ? d->c->CompileCommands_getSize(all) : 0;
    for (unsigned i = 0; i < n; i++) {
        struct compile one = compile_of(d, a, d->c->CompileCommands_getCommand(all, i), NULL);
        uint64_t key = hash_bytes(one.file, strlen(one.file), 0);
        if (!*one.language || path_ends_in(one.file, ".h") || map_get(seen, key))
            continue;
        map_put(seen, key, d->handle);
        LIST_ADD(a, &list, one);
    }
    if (all)
        d->c->CompileCommands_dispose(all);
    if (list.count)
        qsort(list.items, (size_t)list.count, sizeof *list.items, compare_files);
    *count = list.count;
    return list.items;
}

/* What a unit depends on: the files that libclang read, with their contents, and the folders in
 * which another file could appear that would be found first. A cache uses this to decide whether
 * the unit is still valid. */
#include "frontends/clang/flags.h"
#include "frontends/clang/lower.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef LIST(const char *) path_list;

struct reading {
    struct lower *l;
    struct unit_reads *out;
    struct names *names; /* of folders */
    struct map *seen;    /* folders that are on a list already */
    path_list search;    /* include folders, those of the project's files */
    path_list below;     /* what may be between such a folder and a file: "", "miscast" */
};

static bool add_once(struct reading *r, path_list *list, const char *path)
{
    uint64_t key =
        hash_words((uint64_t)(uintptr_t)name_of(r->names, path), (uint64_t)(uintptr_t)list, 0);
    if (map_get(r->seen, key))
        return false;
    map_put(r->seen, key, r);
    LIST_ADD(r->l->scratch, list, name_of(r->names, path));
    return true;
}

/* As found: removing ".." would give another file where there are symbolic links. */
static const char *absolute(struct reading *r, const char *path)
{
    char here[4096];
    const char *folder = r->l->directory;
    if (*path == '/')
        return path;
    if (!folder)
        folder = getcwd(here, sizeof here) ? here : "";
    return *path ? arena_printf(r->l->scratch, "%s/%s", folder, path)
                 : arena_printf(r->l->scratch, "%s", folder);
}

/* ---- files ---------------------------------------------------------------------------------- */

static const char *folder_of(struct reading *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    return arena_text(r->l->scratch, path, slash ? (size_t)(slash - path) : 0);
}

/* The innermost one and two folders that the file is in, and none. */
static void add_below(struct reading *r, const char *folder)
{
    const char *at = folder + strlen(folder);
    add_once(r, &r->below, "");
    for (int i = 0; i < 2 && at > folder; i++) {
        do
            at--;
        while (at > folder && *at != '/');
        if (at > folder)
            add_once(r, &r->below, at + 1);
    }
}

/* Not listed by libclang: files that may come and go, and those that are not sources. */
static bool asks_for_more(const char *text, size_t size)
{
    static const char *const words[] = {"__has_include", "__has_embed", "#embed", "# embed"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(text, size, words[i], strlen(words[i])))
            return true;
    return false;
}

/* Headers of the system and of the compiler include each other, and change together. */
static bool is_of_the_system(const struct reading *r, const char *path)
{
    const char *const folders[] = {"/usr/include/", r->l->c->resource};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (*folders[i] && !strncmp(path, folders[i], strlen(folders[i])))
            return true;
    return false;
}

/* False: it cannot be read, or it was looked at before. */
static bool know_file(struct reading *r, CXFile file, struct file_known *out)
{
    const struct clang *c = r->l->c;
    size_t size = 0;
    const char *text = c->getFileContents(r->l->tu, file, &size);
    if (!text)
        r->out->whole = false;
    if (!text || map_get(r->seen, (uint64_t)(uintptr_t)file))
        return false;
    map_put(r->seen, (uint64_t)(uintptr_t)file, r);
    out->path = absolute(r, clang_text(c, r->l->scratch, c->getFileName(file)));
    out->digest = digest_bytes(text, size);
    out->asks = !is_of_the_system(r, out->path) && asks_for_more(text, size);
    out->is_searched = !c->Location_isInSystemHeader(c->getLocationForOffset(r->l->tu, file, 0));
    return true;
}

static void add_file(struct reading *r, const struct file_known *f)
{
    const char *path = arena_text(r->out->arena, f->path, strlen(f->path));
    struct unit_read read = {path, f->digest};
    if (map_get(r->seen, hash_bytes(path, strlen(path), 0)))
        return;
    map_put(r->seen, hash_bytes(path, strlen(path), 0), r);
    LIST_ADD(r->out->arena, &r->out->files, read);
    const char *folder = folder_of(r, path);
    add_below(r, folder);
    if (f->asks)
        r->out->whole = false;
    if (f->is_searched)
        add_once(r, &r->search, folder);
}

/* The main file comes first, then its beginning. */
static void take_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct reading *r = data;
    const struct ahead *ahead = r->l->ahead;
    struct file_known f;
    (void)stack;
    if (know_file(r, file, &f))
        add_file(r, &f);
    for (int i = 0; ahead && depth == 0 && i < ahead->files.count; i++)
        add_file(r, &ahead->files.items[i]);
}

static void note_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct reading *r = data;
    struct ahead *ahead = r->l->ahead;
    struct file_known f;
    (void)stack;
    if (depth == 0 || !know_file(r, file, &f))
        return;
    f.path = arena_text(ahead->arena, f.path, strlen(f.path));
    LIST_ADD(ahead->arena, &ahead->files, f);
}

/* ---- folders -------------------------------------------------------------------------------- */

static void add_search(struct reading *r, const char *path)
{
    if (*path == '=') /* below the system root, which is handled separately */
        path++;
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    add_once(r, &r->search, absolute(r, arena_text(r->l->scratch, path, n)));
}

static void add_roots(struct reading *r, const char *root)
{
    add_search(r, arena_printf(r->l->scratch, "%s/usr/local/include", root));
    add_search(r, arena_printf(r->l->scratch, "%s/usr/include", root));
}

static void take_flags(struct reading *r, const char *const *flags, int count)
{
    static const char *const folders[] = {"-I", "-iquote", "-isystem", "-idirafter"};
    static const char *const roots[] = {"--sysroot", "-isysroot"};
    static const char *const files[] = {"-include", "-imacros"};
    for (int i = 0; i < count; i++) {
        const char *value = NULL;
        for (size_t k = 0; k < sizeof folders / sizeof *folders && !value; k++)
            if ((value = flags_value(flags, count, &i, folders[k])))
                add_search(r, value);
        for (size_t k = 0; k < sizeof roots / sizeof *roots && !value; k++)
            if ((value = flags_value(flags, count, &i, roots[k])))
                add_roots(r, value);
        for (size_t k = 0; k < sizeof files / sizeof *files && !value; k++)
            if ((value = flags_value(flags, count, &i, files[k])))
                add_search(r, ""); /* the compiler's working folder is searched first */
        if (!value && (!strncmp(flags[i], "-iprefix", 8) || !strncmp(flags[i], "-iwith", 6)))
            r->out->whole = false;
    }
}

/* "a:b", where an empty item stands for the current folder. */
static void take_variable(struct reading *r, const char *name)
{
    const char *at = getenv(name);
    while (at && *at) {
        size_t n = strcspn(at, ":");
        add_search(r, n ? arena_text(r->l->scratch, at, n) : ".");
        at += n + (at[n] == ':');
    }
}

static void add_folders(struct reading *r)
{
    path_list all = {0};
    for (int i = 0; i < r->search.count; i++)
        for (int k = 0; k < r->below.count; k++) {
            const char *in = r->search.items[i], *below = r->below.items[k];
            const char *folder = *below ? arena_printf(r->l->scratch, "%s/%s", in, below) : in;
            if (add_once(r, &all, folder))
                LIST_ADD(r->out->arena, &r->out->folders,
                         arena_text(r->out->arena, folder, strlen(folder)));
        }
}

/* What is more than two folders below one of them. */
static void add_deep(struct reading *r)
{
    for (int i = 0; i < r->search.count; i++)
        for (int k = 0; k < r->out->files.count; k++) {
            const char *in = r->search.items[i], *path = r->out->files.items[k].path;
            size_t n = strlen(in);
            if (!strncmp(path, in, n) && path[n] == '/')
                add_once(r, &r->below, folder_of(r, path + n + 1));
        }
}

bool reads_note(struct lower *l)
{
    struct unit_reads none = {.whole = true};
    struct reading r = {.l = l, .out = &none, .seen = map_new(l->scratch)};
    l->c->getInclusions(l->tu, note_file, &r);
    return none.whole;
}

void reads_find(struct lower *l, const char *const *flags, int flag_count, struct unit_reads *out)
{
    struct reading r = {
        .l = l, .out = out, .names = names_new(l->scratch), .seen = map_new(l->scratch)};
    out->whole = !l->misses;
    l->c->getInclusions(l->tu, take_file, &r);
    take_flags(&r, flags, flag_count);
    take_variable(&r, "CPATH");
    take_variable(&r, "C_INCLUDE_PATH");
    add_roots(&r, "");
    add_deep(&r);
    add_folders(&r);
}

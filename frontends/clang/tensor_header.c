/* Our own headers, for units whose flags do not get at them: a compile_flags.txt that was copied
 * to another folder, or flags that are given on the command line. How a file is compiled comes in;
 * if none of the folders that it names has <miscast/tensor.h>, ours goes behind them all, so that
 * nothing is found there that is found elsewhere. */
#include "frontends/clang/database.h"
#include "frontends/clang/flags.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct headers {
    struct arena *arena;
    const char *own;    /* the folder; NULL: there is none */
    struct map *looked; /* at folders, by name: this, or own where the header is in it */
    bool is_known;      /* the system has it, or the user's environment says where it is */
    bool is_default;    /* the folder is one that compilers search anyway */
};

/* Units name the same folders again and again. */
static bool is_in(struct headers *h, const char *folder)
{
    uint64_t key = hash_bytes(folder, strlen(folder), 0);
    const void *known = map_get(h->looked, key);
    if (!known) {
        bool is_there = !access(arena_printf(h->arena, "%s/miscast/tensor.h", folder), R_OK);
        known = is_there ? (const void *)h->own : h;
        map_put(h->looked, key, (void *)(uintptr_t)known);
    }
    return known == h->own;
}

/* "a:b", where nothing stands for the current folder. */
static bool is_in_any(struct headers *h, const char *folders)
{
    while (folders && *folders) {
        size_t n = strcspn(folders, ":");
        if (is_in(h, n ? arena_text(h->arena, folders, n) : "."))
            return true;
        folders += n + (folders[n] == ':');
    }
    return false;
}

/* Named before the folders of the C++ library, such a folder would come first in the search, and
 * #include_next from there would find nothing behind it. */
static bool is_searched_anyway(const char *folder)
{
    static const char *const folders[] = {"/usr/local/include", "/usr/include"};
    struct stat own, other;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!stat(folder, &own) && !stat(folders[i], &other) && own.st_dev == other.st_dev &&
            own.st_ino == other.st_ino)
            return true;
    return false;
}

struct headers *headers_new(struct arena *a, const char *folder)
{
    struct headers *h = arena_one(a, struct headers);
    *h = (struct headers){.arena = a, .own = folder, .looked = map_new(a)};
    h->is_known =
        h->own && (is_in_any(h, "/usr/local/include:/usr/include") ||
                   is_in_any(h, getenv("CPATH")) || is_in_any(h, getenv("C_INCLUDE_PATH")));
    h->is_default = h->own && is_searched_anyway(h->own);
    return h;
}

static bool are_named(struct headers *h, const struct compile *how)
{
    static const char *const folders[] = {"-I", "-isystem", "-idirafter"};
    for (int i = 0; i < how->flag_count; i++) {
        const char *value = NULL;
        for (size_t k = 0; k < sizeof folders / sizeof *folders && !value; k++)
            value = flags_value(how->flags, how->flag_count, &i, folders[k]);
        if (value && is_in(h, path_absolute(h->arena, how->directory, value)))
            return true;
    }
    return false;
}

/* Where nobody says how files are compiled, those that came along are meant, and no others. A
 * folder that is searched anyway is not named. */
void headers_add(struct headers *h, struct compile *how)
{
    if (!h->own || h->is_default || (how->found && (h->is_known || are_named(h, how))))
        return;
    const char **flags = arena_array(h->arena, const char *, how->flag_count + 2);
    if (how->flag_count)
        memcpy(flags, how->flags, (size_t)how->flag_count * sizeof *flags);
    flags[how->flag_count++] = how->found ? "-idirafter" : "-isystem";
    flags[how->flag_count++] = h->own;
    how->flags = flags;
}

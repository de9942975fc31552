/* From the file of a program to its IR. Parsing takes ten times as long as everything after it, so
 * the IR is kept as text, and is used until the program, the header or the frontend is newer. */
#include "tests/idioms/idioms.h"

#include "frontends/clang/clang.h"

#include <string.h>
#include <sys/stat.h>

struct lowering {
    struct arena *arena;
    const char *kept; /* the folder */
    struct clang *clang;
    LIST(struct frontend_input) expected;
    struct beginnings *shared; /* by them */
};

struct lowering *lowering_new(struct arena *a, const char *kept)
{
    struct lowering *l = arena_one(a, struct lowering);
    *l = (struct lowering){.arena = a, .kept = kept};
    mkdir(kept, 0777);
    return l;
}

void lowering_close(struct lowering *l)
{
    beginnings_free(l->shared);
    if (l->clang)
        clang_close(l->clang);
}

/* ---- the text that is kept ------------------------------------------------------------------- */

static const char *kept_path(struct lowering *l, const char *file)
{
    char *name = arena_printf(l->arena, "%s", file);
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '.';
    return arena_printf(l->arena, "%s/%s.ir", l->kept, name);
}

static bool is_newer(const char *path, const struct stat *than)
{
    struct stat s;
    if (stat(path, &s))
        return true;
    return s.st_mtim.tv_sec != than->st_mtim.tv_sec ? s.st_mtim.tv_sec > than->st_mtim.tv_sec
                                                    : s.st_mtim.tv_nsec >= than->st_mtim.tv_nsec;
}

static bool is_current(const char *path, const char *file)
{
    static const char *const made_from[] = {RUNTIME_INCLUDE "/miscast/tensor.h",
                                            RUNTIME_INCLUDE "/miscast/types.h", CLANG_LIBRARY,
                                            IR_LIBRARY};
    struct stat s;
    if (stat(path, &s) || is_newer(file, &s))
        return false;
    for (int i = 0; i < COUNT(made_from); i++)
        if (is_newer(made_from[i], &s))
            return false;
    return true;
}

static struct ir_unit *read_kept(struct lowering *l, const char *path, struct error *e)
{
    size_t length;
    const char *text = file_read(l->arena, path, &length, e);
    return text ? ir_parse(text, e) : NULL;
}

static bool keep(struct lowering *l, const char *path, const struct ir_unit *u, struct error *e)
{
    struct text out = {0};
    ir_print(u, &out);
    bool ok = file_write(l->arena, path, out.data, out.length, e);
    text_free(&out);
    return ok;
}

/* ---- lowering -------------------------------------------------------------------------------- */

/* Of C++, the one that compilers use by default, and for some programs the next one, whose library
 * takes twice as long to read. */
static const char *dialect(const char *file)
{
    if (!path_ends_in(file, ".cpp"))
        return "-std=gnu17";
    return strlen(file) % 4 ? "-std=gnu++17" : "-std=gnu++20";
}

static struct frontend_input input(struct lowering *l, const char *file)
{
    const char *const flags[] = {dialect(file), "-I" RUNTIME_INCLUDE};
    return (struct frontend_input){.file = file,
                                   .flags = arena_copy(l->arena, flags, sizeof flags),
                                   .flag_count = COUNT(flags)};
}

void lowering_expect(struct lowering *l, const char *file)
{
    if (!is_current(kept_path(l, file), file))
        LIST_ADD(l->arena, &l->expected, input(l, file));
}

static struct ir_unit *lower(struct lowering *l, const char *file, struct error *e)
{
    struct frontend_input in = input(l, file);
    if (!l->clang) {
        l->clang = clang_open(e);
        l->shared = beginnings_find(l->expected.items, l->expected.count);
    }
    in.shared = l->shared;
    struct ir_unit *u = l->clang ? clang_lower_sharing(l->clang, &in, NULL, e) : NULL;
    if (u && u->errors) {
        error_set(e, "%s", u->first_error);
        ir_unit_free(u);
        return NULL;
    }
    return u;
}

struct ir_unit *lowering_unit(struct lowering *l, const char *file, struct error *e)
{
    const char *path = kept_path(l, file);
    if (is_current(path, file))
        return read_kept(l, path, e);
    struct ir_unit *u = lower(l, file, e);
    if (u && !keep(l, path, u, e)) {
        ir_unit_free(u);
        return NULL;
    }
    return u;
}

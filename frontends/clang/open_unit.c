/* A unit that stays open for an editor: it is parsed once, and when its text changes only the part
 * after its headers is parsed again, since libclang keeps the headers precompiled (the preamble).
 * Lowering gives what a new parse would give.
 *
 * Declarations in the preamble are not visited again, as there are too many: those that belong to
 * the unit (functions and variables defined in headers) are recorded in the first parse by
 * location, and looked up by it later. That works as long as the headers and the beginning of the
 * file do not change; otherwise the unit is parsed from scratch. */
#include "frontends/clang/open_unit.h"

#include <stdlib.h>
#include <string.h>

struct clang_unit *clang_unit_open(struct clang *c, const char *file, const char *const *flags,
                                   int flag_count, const char *directory)
{
    struct clang_unit *u = calloc(1, sizeof *u);
    if (!u)
        BUG("no memory for a unit");
    char **copies = calloc((size_t)flag_count + 1, sizeof *copies);
    for (int i = 0; copies && i < flag_count; i++)
        copies[i] = strdup(flags[i]);
    *u = (struct clang_unit){.c = c,
                             .file = strdup(file),
                             .directory = directory ? strdup(directory) : NULL,
                             .flags = (const char *const *)copies,
                             .flag_count = flag_count};
    return u;
}

void clang_unit_rest(struct clang_unit *u)
{
    if (u->tu)
        u->c->disposeTranslationUnit(u->tu);
    if (u->index)
        u->c->disposeIndex(u->index);
    u->tu = NULL;
    u->index = NULL;
    u->parses = 0;
    whole_forget(u);
}

/* As if it had never been parsed. */
static void forget(struct clang_unit *u)
{
    clang_unit_rest(u);
    if (u->arena)
        arena_free(u->arena);
    u->arena = NULL;
    u->files.items = NULL;
    u->files.count = u->files.room = 0;
    u->ahead = (struct ahead){0};
}

bool clang_unit_is_warm(const struct clang_unit *u)
{
    return u->parses > 1 || u->ahead.is_lost || u->misses;
}

bool clang_unit_is_parsed(const struct clang_unit *u)
{
    return u->tu;
}

void clang_unit_close(struct clang_unit *u)
{
    forget(u);
    for (int i = 0; i < u->flag_count; i++)
        free((char *)(uintptr_t)u->flags[i]);
    free((void *)(uintptr_t)u->flags);
    free((char *)(uintptr_t)u->file);
    free((char *)(uintptr_t)u->directory);
    free(u);
}

bool clang_unit_is(const struct clang_unit *u, const char *file, const char *const *flags,
                   int flag_count, const char *directory)
{
    bool same = !strcmp(u->file, file) && flag_count == u->flag_count &&
                !strcmp(u->directory ? u->directory : "", directory ? directory : "");
    for (int i = 0; i < flag_count && same; i++)
        same = !strcmp(u->flags[i], flags[i]);
    return same;
}

/* ---- what it was made of -------------------------------------------------------------------- */

const char *unit_text(const struct lower *l, size_t *length)
{
    const struct overlaid *o = l->overlay ? overlay_find(l->overlay, l->main_path) : NULL;
    struct error unread;
    *length = o ? o->length : 0;
    return o ? o->text : file_read(l->scratch, l->main_path, length, &unread);
}

struct digest unit_digest(const struct lower *l, struct digest *all)
{
    size_t length;
    const char *text = unit_text(l, &length);
    *all = text ? digest_bytes(text, length) : (struct digest){0};
    return text ? digest_bytes(text, source_beginning(text, length)) : (struct digest){0};
}

static struct dependency look_at(const struct overlay *overlay, const char *path)
{
    struct dependency d = {.path = path};
    char *real = overlay && overlay->files.count ? realpath(path, NULL) : NULL;
    const struct overlaid *o =
        overlay && overlay->files.count ? overlay_find(overlay, real ? real : path) : NULL;
    free(real);
    d.overlaid = o;
    if (o)
        d.text = digest_bytes(o->text, o->length);
    else
        d.there = !stat(path, &d.seen);
    return d;
}

static bool is_as_it_was(const struct overlay *overlay, const struct dependency *was)
{
    struct dependency now = look_at(overlay, was->path);
    if (now.overlaid || was->overlaid)
        return now.overlaid && was->overlaid && digest_same(now.text, was->text);
    const struct stat *a = &now.seen, *b = &was->seen;
    return now.there == was->there && a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
           a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

struct noting {
    struct lower *l;
    struct clang_unit *u;
};

static void note_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct noting *n = data;
    const struct clang *c = n->l->c;
    (void)stack;
    if (depth == 0)
        return;
    const char *name = clang_text(c, n->l->scratch, c->getFileName(file));
    const char *path = path_absolute(n->u->arena, n->l->directory, name);
    for (int i = 0; i < n->u->files.count; i++)
        if (!strcmp(n->u->files.items[i].path, path))
            return;
    LIST_ADD(n->u->arena, &n->u->files, look_at(n->l->overlay, path));
}

bool unit_has_same_files(const struct clang_unit *u, const struct lower *l)
{
    if (!u->arena || u->ahead.is_lost || u->misses)
        return false;
    for (int i = 0; i < u->files.count; i++)
        if (!is_as_it_was(l->overlay, &u->files.items[i]))
            return false;
    return true;
}

bool unit_is_still_good(struct clang_unit *u, const struct lower *l, struct digest *all)
{
    return digest_same(u->beginning, unit_digest(l, all)) && unit_has_same_files(u, l);
}

/* ---- parsing -------------------------------------------------------------------------------- */

/* With the preamble in memory: a file would be left behind by a server that is killed. Another
 * version of libclang may know other options, and refuses these. */
static CXIndex make_index(const struct clang *c)
{
    const CXIndexOptions options = {
        .Size = sizeof options, .ExcludeDeclarationsFromPCH = 1, .StorePreamblesInMemory = 1};
    CXIndex index = c->createIndexWithOptions(&options);
    return index ? index : c->createIndex(1, 0);
}

static bool parse_anew(struct clang_unit *u, struct lower *l, struct error *e)
{
    forget(u);
    u->arena = arena_new();
    u->index = make_index(u->c);
    u->ahead.arena = u->arena;
    u->ahead.is_noting = true;
    u->ahead.headers = map_new(u->arena);
    if (!parse_file(l, u->index, u->flags, u->flag_count, CXTranslationUnit_PrecompiledPreamble, e))
        return false;
    u->left_out_flags = l->unit->notes.count > 0;
    u->tu = l->tu;
    struct noting n = {l, u};
    u->c->getInclusions(u->tu, note_file, &n);
    return true;
}

struct reparsing {
    struct lower *l;
    unsaved_list texts;
    CXTranslationUnit tu;
    int failed;
};

static void reparse_apart(void *data)
{
    struct reparsing *r = data;
    const struct clang *c = r->l->c;
    r->failed = c->reparseTranslationUnit(r->tu, (unsigned)r->texts.count, r->texts.items,
                                          c->defaultReparseOptions(r->tu));
}

/* Replaces the file's text, whether it is overlaid or not. */
static void put_text(const struct lower *l, unsaved_list *texts, const char *text, size_t length)
{
    struct CXUnsavedFile file = {l->main_path, text, length};
    for (int i = 0; i < texts->count; i++)
        if (!strcmp(texts->items[i].Filename, l->main_path)) {
            texts->items[i] = file;
            return;
        }
    LIST_ADD(l->scratch, texts, file);
}

bool unit_reparse(struct clang_unit *u, struct lower *l, const char *text, size_t length)
{
    struct reparsing r = {.l = l, .tu = u->tu};
    overlay_names(l, u->flags, u->flag_count, &r.texts);
    if (text)
        put_text(l, &r.texts, text, length);
    clang_run_apart(reparse_apart, &r);
    if (r.failed)
        return false;
    l->tu = u->tu;
    l->flags = u->flags;
    l->flag_count = u->flag_count;
    u->ahead.is_noting = false;
    return true;
}

static bool parse_again(struct clang_unit *u, struct lower *l)
{
    if (!unit_reparse(u, l, NULL, 0))
        return false;
    if (u->left_out_flags)
        note_left_out(l);
    return true;
}

static void lower_whole(struct clang_unit *u, struct lower *l)
{
    struct arena *a = arena_new();
    body_list bodies = {0};
    l->ahead = &u->ahead;
    l->bodies = &bodies;
    l->bodies_arena = a;
    count_errors(l);
    lower_unit(l);
    u->beginning = unit_digest(l, &u->text);
    u->misses = l->misses;
    u->parses++;
    whole_note(u, l, a, &bodies);
}

struct ir_unit *clang_unit_lower(struct clang_unit *u, const char *file,
                                 const struct overlay *overlay, struct error *e)
{
    struct lower l = {.overlay = overlay};
    struct digest all;
    lower_begin(&l, u->c, ir_unit_new(file), u->directory);
    bool parsed = is_there(&l, e);
    parsed = parsed && ((u->tu && unit_is_still_good(u, &l, &all) && parse_again(u, &l)) ||
                        parse_anew(u, &l, e));
    if (parsed) {
        lower_whole(u, &l);
    } else {
        forget(u);
        ir_unit_free(l.unit);
    }
    arena_free(l.scratch);
    return parsed ? l.unit : NULL;
}

bool clang_unit_is_current(struct clang_unit *u, const struct overlay *overlay)
{
    struct lower l = {.overlay = overlay, .scratch = arena_new(), .main_path = u->file};
    struct digest now;
    bool current = unit_is_still_good(u, &l, &now) && digest_same(now, u->text);
    arena_free(l.scratch);
    return current;
}

/* What depends on an include that could not be found: it may define whatever a later #if asks for,
 * so nobody knows which branch is compiled. Functions with such a branch in them, or in one, are
 * partial, and so are those that use a name which was declared or defined in a branch, directly or
 * by way of other names. Headers of the system do not count, nor do include guards and conditions
 * that ask for nothing but names of the compiler (__cplusplus). */
#include "frontends/clang/lower.h"

#include <string.h>

enum { MOST_INCLUDED = 256 }; /* files in each other: the compiler takes 200 */

/* A place in the order in which the preprocessor sees text: offsets of the #includes that lead to
 * the file, from the main file on, and the one in the file. */
struct order {
    unsigned offsets[MOST_INCLUDED + 1];
    int count;
};

struct range {
    unsigned from, to;
};
typedef LIST(struct range) range_list;

struct define {
    const char *name;
    const char *text; /* of the file */
    struct range body;
};

/* An #include that leads to a file. */
struct way {
    CXFile by;
    unsigned offset;
};

struct included {
    CXFile file;
    const char *text;
    size_t size;
    struct order first, last; /* of its inclusions */
    LIST(struct way) ways;
    range_list branches; /* what is in them depends on the missing include */
    range_list includes; /* lines behind it: what they bring into a declaration is not looked at */
    bool is_conditional; /* all of it is */
};

struct conditional {
    LIST(struct included *) files;
    struct map *by_file;         /* the same by libclang's address */
    LIST(struct define) defines; /* those outside of all ranges */
    struct map *names;           /* interned, that depend on it */
    struct order missing;
};

/* ---- order ---------------------------------------------------------------------------------- */

static struct order order_in(const struct order *file, unsigned offset)
{
    struct order o = *file;
    o.offsets[o.count++] = offset;
    return o;
}

static bool is_after(const struct order *a, const struct order *b)
{
    for (int i = 0; i < a->count && i < b->count; i++)
        if (a->offsets[i] != b->offsets[i])
            return a->offsets[i] > b->offsets[i];
    return a->count >= b->count;
}

/* ---- files ---------------------------------------------------------------------------------- */

static struct included *included_at(const struct lower *l, CXFile file)
{
    return map_get(l->conditional->by_file, (uint64_t)(uintptr_t)file);
}

static struct included *included_new(struct lower *l, CXFile file, const struct order *first)
{
    struct conditional *c = l->conditional;
    struct included *in = arena_one(l->scratch, struct included);
    in->file = file;
    in->first = *first;
    if (!l->c->Location_isInSystemHeader(l->c->getLocationForOffset(l->tu, file, 0)))
        in->text = l->c->getFileContents(l->tu, file, &in->size);
    in->size = in->text ? in->size : 0;
    in->text = in->text ? in->text : "";
    LIST_ADD(l->scratch, &c->files, in);
    map_put(c->by_file, (uint64_t)(uintptr_t)file, in);
    return in;
}

static void take_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct lower *l = data;
    struct order o = {0};
    struct way way = {0};
    for (unsigned i = depth < MOST_INCLUDED ? depth : 0; i-- > 0; o.offsets[o.count++] = way.offset)
        l->c->getFileLocation(stack[i], &way.by, NULL, NULL, &way.offset);
    struct included *in = included_at(l, file);
    in = in ? in : included_new(l, file, &o);
    in->last = o;
    if (way.by)
        LIST_ADD(l->scratch, &in->ways, way);
}

/* Where the first include is missing that the preprocessor met. None that has a place: it was named
 * by a flag, and all text comes after it. */
static void find_missing(struct lower *l)
{
    CXFile file;
    unsigned offset;
    l->c->getFileLocation(l->missing, &file, NULL, NULL, &offset);
    const struct included *in = file ? included_at(l, file) : NULL;
    if (in)
        l->conditional->missing = order_in(&in->first, offset);
}

static bool overlaps(const range_list *list, struct range at)
{
    for (int i = 0; i < list->count; i++)
        if (at.from <= list->items[i].to && at.to >= list->items[i].from)
            return true;
    return false;
}

static bool has_conditional_way(const struct lower *l, const struct included *in)
{
    for (int i = 0; i < in->ways.count; i++) {
        const struct way *w = &in->ways.items[i];
        const struct included *by = included_at(l, w->by);
        if (by && overlaps(&by->branches, (struct range){w->offset, w->offset}))
            return true;
    }
    return false;
}

/* Files that are included in a branch, and those that they include. */
static void follow_includes(struct lower *l)
{
    struct conditional *c = l->conditional;
    for (bool changes = true; changes;) {
        changes = false;
        for (int i = 0; i < c->files.count; i++) {
            struct included *in = c->files.items[i];
            if (in->is_conditional || !in->size || !has_conditional_way(l, in))
                continue;
            in->is_conditional = changes = true;
            LIST_ADD(l->scratch, &in->branches, ((struct range){0, (unsigned)in->size}));
        }
    }
}

/* ---- directives ----------------------------------------------------------------------------- */

/* #if to #endif. */
struct group {
    size_t begin;
    bool asks; /* for a name that a header may define */
};

struct reading {
    struct lower *l;
    struct included *in;
    LIST(struct group) open; /* the innermost last */
    int count;               /* directives so far */
    const char *guard;       /* the name that the first directive asks for */
    bool has_guard;
};

static void add_name(struct lower *l, const char *name)
{
    if (name)
        map_put(l->conditional->names, (uint64_t)(uintptr_t)name, (void *)(uintptr_t)name);
}

static void add_range(struct reading *r, range_list *list, size_t from, size_t to)
{
    struct order o = order_in(&r->in->last, (unsigned)from);
    if (is_after(&o, &r->l->conditional->missing))
        LIST_ADD(r->l->scratch, list, ((struct range){(unsigned)from, (unsigned)to}));
}

static const char *next_name(struct reading *r, size_t *at, size_t end)
{
    size_t length = source_next_word(r->in->text, end, at);
    const char *name = name_of_range(r->l->unit->names, r->in->text + *at, length);
    *at += length;
    return length ? name : NULL;
}

static bool begins_with(const struct reading *r, const struct directive *d, const char *word)
{
    size_t n = strlen(word);
    return d->word + n <= d->end && !memcmp(r->in->text + d->word, word, n);
}

/* The name of "#ifndef NAME" or "#if !defined(NAME)"; NULL: it is another. */
static const char *guard_name(struct reading *r, const struct directive *d)
{
    const char *text = r->in->text;
    size_t at = d->word;
    const char *word = next_name(r, &at, d->end);
    bool is_if = word && !strcmp(word, "if") && memchr(text + at, '!', d->end - at);
    const char *asked = next_name(r, &at, d->end);
    if (is_if && asked && !strcmp(asked, "defined"))
        asked = next_name(r, &at, d->end);
    else if (!word || strcmp(word, "ifndef") != 0)
        asked = NULL;
    return next_name(r, &at, d->end) ? NULL : asked;
}

/* A guard is the first directive, "#define NAME" without a value the second. */
static void see_guard(struct reading *r, const struct directive *d)
{
    if (r->count == 0)
        r->guard = guard_name(r, d);
    if (r->count != 1 || !r->guard || !begins_with(r, d, "define"))
        return;
    size_t at = d->word + strlen("define");
    const char *name = next_name(r, &at, d->end);
    r->has_guard = name == r->guard && source_is_blank(r->in->text, d->end, at);
}

/* Nothing follows the group of a guard. */
static void end_group(struct reading *r, size_t end)
{
    const struct group g = r->open.items[--r->open.count];
    bool is_guard =
        r->has_guard && !r->open.count && source_is_blank(r->in->text, r->in->size, end);
    if (!is_guard && g.asks)
        add_range(r, &r->in->branches, g.begin, end);
}

/* Names with two underscores are the compiler's. */
static void see_condition(struct reading *r, const struct directive *d)
{
    size_t at = d->word;
    next_name(r, &at, d->end);
    for (const char *name; r->open.count && (name = next_name(r, &at, d->end));)
        r->open.items[r->open.count - 1].asks |=
            strcmp(name, "defined") != 0 && strncmp(name, "__", 2) != 0;
}

static void see_directive(struct reading *r, const struct directive *d)
{
    see_guard(r, d);
    if (begins_with(r, d, "if"))
        LIST_ADD(r->l->scratch, &r->open, ((struct group){d->begin, false}));
    if (begins_with(r, d, "if") || begins_with(r, d, "el"))
        see_condition(r, d);
    else if (begins_with(r, d, "endif") && r->open.count)
        end_group(r, d->end);
    else if (begins_with(r, d, "include"))
        add_range(r, &r->in->includes, d->begin, d->end);
    r->count++;
}

static void see_name(struct reading *r, const struct directive *d)
{
    bool is_define = begins_with(r, d, "define");
    if (!is_define && !begins_with(r, d, "undef"))
        return;
    size_t at = d->word + strlen(is_define ? "define" : "undef");
    const char *name = next_name(r, &at, d->end);
    struct range all = {(unsigned)d->begin, (unsigned)d->end};
    struct define found = {name, r->in->text, {(unsigned)at, (unsigned)d->end}};
    if (overlaps(&r->in->branches, all))
        add_name(r->l, name);
    else if (is_define)
        LIST_ADD(r->l->scratch, &r->l->conditional->defines, found);
}

static void read_branches(struct lower *l, struct included *in)
{
    struct reading r = {.l = l, .in = in};
    struct directive d;
    for (size_t at = 0; source_directive(in->text, in->size, &at, &d);)
        see_directive(&r, &d);
    while (r.open.count)
        end_group(&r, in->size);
}

static void read_names(struct lower *l, struct included *in)
{
    struct reading r = {.l = l, .in = in};
    struct directive d;
    for (size_t at = 0; source_directive(in->text, in->size, &at, &d);)
        see_name(&r, &d);
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_noted(const struct lower *l, const char *name)
{
    return map_get(l->conditional->names, (uint64_t)(uintptr_t)name);
}

static bool mentions(struct lower *l, const char *text, struct range where)
{
    size_t at = where.from, length;
    for (; (length = source_next_word(text, where.to, &at)); at += length) {
        const char *name = name_of_range(l->unit->names, text + at, length);
        if (is_noted(l, name))
            return true;
    }
    return false;
}

/* Any name can be the result. */
static bool pastes(const struct define *d)
{
    const char *body = d->text + d->body.from;
    size_t length = d->body.to - d->body.from;
    return memmem(body, length, "##", 2) || memmem(body, length, "%:%:", 4);
}

/* A macro may be defined before those that it uses. */
static void follow_defines(struct lower *l)
{
    struct conditional *c = l->conditional;
    for (int before = -1; before != map_count(c->names);) {
        before = map_count(c->names);
        for (int i = 0; before && i < c->defines.count; i++) {
            const struct define *d = &c->defines.items[i];
            if (!is_noted(l, d->name) && (pastes(d) || mentions(l, d->text, d->body)))
                add_name(l, d->name);
        }
    }
}

static const char *name_at(struct lower *l, CXCursor c)
{
    CXString s = l->c->getCursorSpelling(c);
    const char *text = l->c->getCString(s);
    const char *name = text && *text ? name_of(l->unit->names, text) : NULL;
    l->c->disposeString(s);
    return name;
}

static enum CXChildVisitResult visit_constant(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (c.kind == CXCursor_EnumConstantDecl)
        add_name(data, name_at(data, c));
    return CXChildVisit_Continue;
}

/* ---- all ------------------------------------------------------------------------------------ */

void conditional_begin(struct lower *l)
{
    if (!l->misses)
        return;
    struct conditional *c = l->conditional = arena_one(l->scratch, struct conditional);
    c->names = map_new(l->scratch);
    c->by_file = map_new(l->scratch);
    l->c->getInclusions(l->tu, take_inclusion, l);
    find_missing(l);
    for (int i = 0; i < c->files.count; i++)
        read_branches(l, c->files.items[i]);
    follow_includes(l);
    for (int i = 0; i < c->files.count; i++)
        read_names(l, c->files.items[i]);
    follow_defines(l);
}

bool is_conditional(struct lower *l, CXCursor declaration)
{
    CXSourceRange range = l->c->getCursorExtent(declaration);
    CXFile file, end_file;
    struct range at;
    if (!l->conditional)
        return false;
    l->c->getFileLocation(l->c->getRangeStart(range), &file, NULL, NULL, &at.from);
    l->c->getFileLocation(l->c->getRangeEnd(range), &end_file, NULL, NULL, &at.to);
    const struct included *in = included_at(l, file);
    if (!in || !in->size)
        return false;
    return file != end_file || at.to > in->size || at.to < at.from || overlaps(&in->branches, at) ||
           overlaps(&in->includes, at) || mentions(l, in->text, at);
}

void note_conditional(struct lower *l, CXCursor declaration)
{
    if (declaration.kind == CXCursor_FunctionDecl || !is_conditional(l, declaration))
        return;
    add_name(l, name_at(l, declaration));
    if (declaration.kind == CXCursor_EnumDecl)
        l->c->visitChildren(declaration, visit_constant, l);
}

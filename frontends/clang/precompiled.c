/* The beginning that several files share, precompiled: what its headers declare is read by libclang
 * when a file needs it, and what the file's own parse would have found is noted next to it: what of
 * the headers belongs to the units that include them, and which files were read.
 *
 * Where the file then includes these headers, their guards keep them out: a header without one
 * cannot be shared. Whatever is unusual - errors in a header, errors in the file - is left to a
 * parse of the whole file, so that results are the same with and without it. */
#include "frontends/clang/beginnings.h"

#include "frontends/clang/cpp.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- notes ----------------------------------------------------------------------------------- */

static bool is_one_line(const char *text)
{
    return !strchr(text, '\n');
}

/* False: they cannot be written down. */
static bool print_notes(const struct ahead *a, struct text *out)
{
    bool good = true;
    for (int i = 0; i < a->places.count; i++) {
        const struct ahead_place *p = &a->places.items[i];
        good &= is_one_line(p->file);
        text_printf(out, "place %u %d %s\n", p->offset, (int)p->kind, p->file);
    }
    for (int i = 0; i < a->files.count; i++) {
        const struct file_known *f = &a->files.items[i];
        good &= is_one_line(f->path);
        text_printf(out, "file %llx %llx %d %d %s\n", (unsigned long long)f->digest.low,
                    (unsigned long long)f->digest.high, f->is_searched, f->asks, f->path);
    }
    return good;
}

static void take_note(struct ahead *a, const char *line, size_t length)
{
    struct ahead_place p;
    struct file_known f;
    unsigned long long low, high;
    int kind, searched, asks, at = 0;
    const char *note = arena_text(a->arena, line, length);
    if (sscanf(note, "place %u %d %n", &p.offset, &kind, &at) == 2 && at) {
        p.kind = (enum CXCursorKind)kind;
        p.file = note + at;
        LIST_ADD(a->arena, &a->places, p);
    } else if (sscanf(note, "file %llx %llx %d %d %n", &low, &high, &searched, &asks, &at) == 4) {
        f = (struct file_known){note + at, {low, high}, searched, asks};
        LIST_ADD(a->arena, &a->files, f);
    }
}

static void begin_ahead(struct ahead *a)
{
    *a = (struct ahead){.arena = arena_new()};
    a->headers = map_new(a->arena);
}

/* Those that another process made. */
static bool read_notes(struct beginning *b)
{
    struct stat st;
    struct ahead *a = &b->ahead;
    if (fstat(b->notes, &st))
        return false;
    begin_ahead(a);
    char *text = arena_alloc(a->arena, (size_t)st.st_size + 1);
    if (pread(b->notes, text, (size_t)st.st_size, 0) != st.st_size)
        return false;
    for (char *end; (end = strchr(text, '\n')); text = end + 1)
        take_note(a, text, (size_t)(end - text));
    return true;
}

/* ---- making ---------------------------------------------------------------------------------- */

static bool put_bytes(int fd, const char *bytes, size_t size)
{
    for (ssize_t n; size; bytes += n, size -= (size_t)n)
        if ((n = write(fd, bytes, size)) <= 0)
            return false;
    return true;
}

static bool put_file(int to, const char *path)
{
    enum { AT_ONCE = 1 << 16 };
    char bytes[AT_ONCE];
    ssize_t n = -1;
    int from = open(path, O_RDONLY | O_CLOEXEC);
    while (from >= 0 && (n = read(from, bytes, sizeof bytes)) > 0 &&
           put_bytes(to, bytes, (size_t)n))
        ;
    if (from >= 0)
        close(from);
    return n == 0;
}

struct saving {
    const struct clang *c;
    CXTranslationUnit tu;
    const char *path;
    int failed;
};

static void save_apart(void *data)
{
    struct saving *s = data;
    s->failed = s->c->saveTranslationUnit(s->tu, s->path, s->c->defaultSaveOptions(s->tu));
}

/* libclang writes to a file by name; it is gone when this returns. */
static bool save(struct lower *l, const struct beginning *b)
{
    const char *folder = getenv("TMPDIR");
    char *path = arena_printf(l->scratch, "%s/miscast-XXXXXX", folder && *folder ? folder : "/tmp");
    struct saving s = {l->c, l->tu, path, 1};
    int fd = mkstemp(path);
    if (fd < 0)
        return false;
    close(fd);
    clang_run_apart(save_apart, &s);
    bool saved = !s.failed && put_file(b->precompiled, path);
    unlink(path);
    return saved;
}

struct guards {
    const struct lower *l;
    bool are_all;
};

/* Those of C's library may be included again, though not each has a guard. */
static void look_for_guard(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct guards *g = data;
    const struct clang *c = g->l->c;
    CXTranslationUnit tu = g->l->tu;
    (void)stack;
    if (depth == 1)
        g->are_all &= c->isFileMultipleIncludeGuarded(tu, file) ||
                      c->Location_isInSystemHeader(c->getLocationForOffset(tu, file, 0));
}

/* Whether all that it includes itself can be included again without an effect. */
static bool is_guarded(const struct lower *l)
{
    struct guards g = {l, true};
    l->c->getInclusions(l->tu, look_for_guard, &g);
    return g.are_all;
}

static bool note(struct lower *l, struct beginning *b)
{
    struct text notes = {0};
    begin_ahead(&b->ahead);
    b->ahead.is_noting = true;
    l->ahead = &b->ahead;
    note_beginning(l);
    bool good = reads_note(l) && !b->ahead.is_lost && print_notes(&b->ahead, &notes) &&
                put_bytes(b->notes, notes.data ? notes.data : "", notes.length);
    b->ahead.is_noting = false;
    text_free(&notes);
    return good;
}

static bool make(const struct clang *c, struct beginning *b)
{
    struct arena *a = arena_new();
    struct overlay own = {0};
    struct overlaid text = {b->path, b->text, strlen(b->text)};
    struct lower l = {.overlay = &own};
    struct error e;
    CXIndex index = c->createIndex(0, 0);
    LIST_ADD(a, &own.files, text);
    lower_begin(&l, c, ir_unit_new(b->path), b->directory);
    bool good = parse_file(&l, index, b->flags, b->flag_count,
                           CXTranslationUnit_Incomplete | CXTranslationUnit_ForSerialization, &e);
    if (good) {
        count_errors(&l);
        good =
            !l.unit->errors && !l.unit->notes.count && is_guarded(&l) && note(&l, b) && save(&l, b);
        c->disposeTranslationUnit(l.tu);
    }
    c->disposeIndex(index);
    ir_unit_free(l.unit);
    arena_free(l.scratch);
    arena_free(a);
    return good;
}

/* Whether it can be used. */
static bool is_ready(const struct clang *c, struct beginning *b)
{
    int was = BEGINNING_NEW;
    if (atomic_compare_exchange_strong(b->state, &was, BEGINNING_MAKING)) {
        was = make(c, b) ? BEGINNING_READY : BEGINNING_BAD;
        atomic_store(b->state, was);
    }
    if (was == BEGINNING_READY && !b->ahead.arena && !read_notes(b))
        atomic_store(b->state, was = BEGINNING_BAD);
    return was == BEGINNING_READY;
}

/* ---- using ----------------------------------------------------------------------------------- */

static bool has_error(const struct lower *l)
{
    bool has = false;
    unsigned count = l->c->getNumDiagnostics(l->tu);
    for (unsigned i = 0; i < count && !has; i++) {
        CXDiagnostic d = l->c->getDiagnostic(l->tu, i);
        has = l->c->getDiagnosticSeverity(d) >= CXDiagnostic_Error;
        l->c->disposeDiagnostic(d);
    }
    return has;
}

bool parse_with_beginning(struct lower *l, CXIndex index, struct beginning *b,
                          const char *const *flags, int count)
{
    if (!is_ready(l->c, b))
        return false;
    const char *words[] = {"-Xclang", "-include-pch", "-Xclang",
                           arena_printf(l->scratch, "/proc/self/fd/%d", b->precompiled)};
    text_list more = {words, COUNT(words), COUNT(words)};
    bool parsed = parse_with(l, index, flags, count, &more);
    if (parsed && has_error(l)) {
        l->c->disposeTranslationUnit(l->tu);
        parsed = false;
    }
    if (parsed)
        l->ahead = &b->ahead;
    else
        l->tu = NULL;
    if (parsed && l->is_cpp)
        ir_unit_set_language(l->unit, "c++");
    return parsed;
}

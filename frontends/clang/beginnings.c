/* Which files of a project begin with the same #includes, under the same flags: those are parsed
 * once for all of them (precompiled.c). Parsing headers takes most of the time of a small file.
 *
 * Only lines that mean the same wherever they are count: #include <a> and "a", and #define of names
 * that the compiler and its library ask about (_GNU_SOURCE).
 *
 * A header next to the file that defines no macros means the same if what it includes, and what the
 * file includes after it, comes first: so the headers of the system are shared by files that each
 * begin with a header of their own. */
#include "frontends/clang/beginnings.h"

#include "frontends/clang/flags.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Making one takes as long as parsing it twice: so many files must share it; and so many a longer
 * one, if they share a part of it with others. */
enum { LEAST_FILES = 4, LEAST_LONGER = 10, MOST_BEGINNINGS = 32, MOST_LINES = 64, MOST_NESTED = 4 };

/* ---- the lines a file begins with ------------------------------------------------------------ */

struct line {
    const char *text; /* without comments */
    bool is_quoted;   /* looked for next to the file first */
};
typedef LIST(struct line) line_list;

/* Of an #include: the name with what is around it; 0: something else is there. */
static size_t name_length(const char *text, size_t at, size_t end)
{
    char close = text[at] == '<' ? '>' : text[at] == '"' ? '"' : '\0';
    const char *stop = close ? memchr(text + at + 1, close, end - at - 1) : NULL;
    size_t n = stop ? (size_t)(stop + 1 - (text + at)) : 0;
    return n && source_is_blank(text, end, at + n) ? n : 0;
}

static bool is_plain_define(const char *text, size_t at, size_t end)
{
    size_t n = source_token(text, end, at);
    return n && text[at] == '_' && (at + n == end || isspace((unsigned char)text[at + n])) &&
           !memchr(text + at, '/', end - at);
}

static bool take_line(struct arena *a, const char *text, const struct directive *d,
                      struct line *out)
{
    size_t word = source_token(text, d->end, d->word), at = d->word + word, end = d->end;
    while (at < end && isspace((unsigned char)text[at]))
        at++;
    while (end > at && isspace((unsigned char)text[end - 1]))
        end--;
    if (at == end || memchr(text + d->begin, '\n', d->end - d->begin) ||
        memchr(text + at, '\\', end - at))
        return false;
    size_t n = 0;
    if (source_word(text, d->end, d->word, "include"))
        n = name_length(text, at, d->end);
    else if (source_word(text, d->end, d->word, "define") && is_plain_define(text, at, end))
        n = end - at;
    out->text = arena_printf(a, "#%.*s %.*s\n", (int)word, text + d->word, (int)n, text + at);
    out->is_quoted = text[at] == '"';
    return n > 0;
}

static const char *folder_of(struct arena *a, const char *path)
{
    return arena_text(a, path, (size_t)(path_last(path) - path));
}

/* The header that is included, if it may be next to the file; NULL: it is elsewhere. */
static const char *next_to(struct arena *a, const char *path, const struct line *line)
{
    const char *name = line->is_quoted ? strchr(line->text, '"') + 1 : "/";
    return strchr(name, '/')
               ? NULL
               : arena_printf(a, "%s%.*s", folder_of(a, path), (int)strcspn(name, "\""), name);
}

/* Behind the guard of a header; unchanged: there is none. */
static void skip_guard(const char *text, size_t limit, size_t *at)
{
    struct directive d, name;
    size_t next = *at;
    if (!source_directive(text, limit, &next, &d))
        return;
    if (source_word(text, d.end, d.word, "pragma"))
        *at = memmem(text + d.word, d.end - d.word, "once", 4) ? next : *at;
    else if (source_word(text, d.end, d.word, "ifndef") &&
             source_directive(text, limit, &next, &name) &&
             source_word(text, name.end, name.word, "define"))
        *at = next;
}

/* Whether what follows depends on nothing but the compiler, and defines nothing. */
static bool has_only_conditions(const char *text, size_t size, size_t at)
{
    static const char *const words[] = {"if", "ifdef", "ifndef", "elif", "else", "endif"};
    struct directive d;
    while (source_directive(text, size, &at, &d)) {
        bool is_condition = false;
        for (int i = 0; i < COUNT(words); i++)
            is_condition |= source_word(text, d.end, d.word, words[i]);
        if (!is_condition)
            return false;
    }
    return true;
}

/* What a file begins with. */
struct opening {
    line_list lines;  /* in order */
    line_list moved;  /* headers next to it that these lines have come before */
    bool is_moveable; /* it defines nothing: all it includes is among the lines */
};

struct openings {
    struct arena *arena;
    struct map *by_header;
};

static struct opening *opening_of(struct openings *all, const char *path, int depth);

/* Each once: a second time, its guard keeps it out. */
static void add_once(struct arena *a, line_list *list, const struct line *line)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].text, line->text))
            return;
    LIST_ADD(a, list, *line);
}

/* False: nothing is known of what follows. */
static bool add_line(struct openings *all, const char *path, int depth, const struct line *line,
                     struct opening *out)
{
    const char *name = depth < MOST_NESTED ? next_to(all->arena, path, line) : NULL;
    struct error unread;
    struct opening *header =
        name && file_is_regular(name, &unread) ? opening_of(all, name, depth + 1) : NULL;
    bool is_moved = header && header->is_moveable;
    bool defines = !strncmp(line->text, "#define", 7);
    out->is_moveable &= !defines && (is_moved || !line->is_quoted);
    if (out->moved.count && (defines || (line->is_quoted && !is_moved)))
        return false;
    for (int i = 0; is_moved && i < header->lines.count; i++)
        add_once(all->arena, &out->lines, &header->lines.items[i]);
    add_once(all->arena, is_moved ? &out->moved : &out->lines, line);
    return out->lines.count + out->moved.count < MOST_LINES;
}

static void read_opening(struct openings *all, const char *path, int depth, struct opening *out)
{
    struct arena *texts = arena_new();
    struct error unread;
    struct directive d;
    struct line line;
    size_t size, at = 0;
    const char *text = file_read(texts, path, &size, &unread);
    size_t limit = text ? source_beginning(text, size) : 0, behind;
    if (depth)
        skip_guard(text, limit, &at);
    out->is_moveable = text;
    for (behind = at; source_directive(text, limit, &at, &d) && d.end < size &&
                      text[d.end] == '\n' && take_line(all->arena, text, &d, &line) &&
                      add_line(all, path, depth, &line, out);)
        behind = at;
    out->is_moveable = out->is_moveable && depth && has_only_conditions(text, size, behind);
    arena_free(texts);
}

/* Of a header, which several files may include. */
static struct opening *opening_of(struct openings *all, const char *path, int depth)
{
    uint64_t key = hash_bytes(path, strlen(path), 0);
    struct opening *known = map_get(all->by_header, key);
    if (!known) {
        known = arena_one(all->arena, struct opening);
        map_put(all->by_header, key, known); /* one that includes itself */
        read_opening(all, path, depth, known);
    }
    return known;
}

static void take_lines(struct openings *all, const char *path, line_list *out)
{
    struct opening s = {0};
    read_opening(all, path, 0, &s);
    for (int i = 0; i < s.lines.count; i++)
        LIST_ADD(all->arena, out, s.lines.items[i]);
    for (int i = 0; i < s.moved.count; i++)
        LIST_ADD(all->arena, out, s.moved.items[i]);
}

/* ---- files ----------------------------------------------------------------------------------- */

struct file {
    const struct frontend_input *in;
    const char *path; /* as the parser names it */
    line_list lines;
    uint64_t *keys;      /* by line: of all up to it, and of what they depend on */
    struct group *group; /* NULL: none yet */
};

/* Files that begin with the same lines. */
struct group {
    const struct file *first;
    int lines, files;
    struct beginning *made;
};

static uint64_t text_hash(const char *text, uint64_t seed)
{
    return hash_bytes(text, strlen(text), seed + 1);
}

static uint64_t flags_hash(const struct frontend_input *in)
{
    uint64_t h = in->directory ? text_hash(in->directory, 0) : 0;
    for (int i = 0; i < in->flag_count; i++)
        h = text_hash(in->flags[i], h);
    return h;
}

static uint64_t file_key(const char *path, const struct frontend_input *in)
{
    return text_hash(path, flags_hash(in));
}

static const char *ending(const char *path)
{
    const char *dot = strrchr(path_last(path), '.');
    return dot ? dot : "";
}

/* What is read besides the lines, or is not what the lines say. */
static bool is_plain(const char *const *flags, int count)
{
    static const char *const others[] = {"-include", "-imacros", "-fmodule", "-Xclang", "@",
                                         "-ivfs",    "-E",       "-M",       "-emit"};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < COUNT(others); k++)
            if (!strncmp(flags[i], others[k], strlen(others[k])))
                return false;
    return true;
}

static void hash_lines(struct arena *a, struct file *f)
{
    uint64_t h = flags_hash(f->in);
    bool is_quoted = false;
    h = text_hash(ending(f->path), h);
    f->keys = arena_array(a, uint64_t, f->lines.count);
    for (int i = 0; i < f->lines.count; i++) {
        if (f->lines.items[i].is_quoted && !is_quoted)
            h = text_hash(folder_of(a, f->path), h);
        is_quoted |= f->lines.items[i].is_quoted;
        h = text_hash(f->lines.items[i].text, h);
        f->keys[i] = h;
    }
}

static void read_file(struct openings *all, const struct frontend_input *in, struct file *f)
{
    char *real = realpath(in->file, NULL);
    f->in = in;
    f->path = real ? arena_text(all->arena, real, strlen(real))
                   : path_absolute(all->arena, NULL, in->file);
    free(real);
    if (!(in->overlay && in->overlay->files.count) && is_plain(in->flags, in->flag_count))
        take_lines(all, f->path, &f->lines);
    hash_lines(all->arena, f);
}

/* ---- which share one ------------------------------------------------------------------------- */

/* By how many lines the files have in common. */
static void group_by(struct arena *a, struct file *files, int count, int lines)
{
    struct map *groups = map_new(a);
    for (int i = 0; i < count; i++) {
        struct file *f = &files[i];
        struct group *g = f->lines.count >= lines ? map_get(groups, f->keys[lines - 1]) : NULL;
        if (!g && f->lines.count >= lines) {
            g = arena_one(a, struct group);
            *g = (struct group){.first = f, .lines = lines};
            map_put(groups, f->keys[lines - 1], g);
        }
        if (g)
            g->files++;
    }
    for (int i = 0; i < count; i++) {
        struct file *f = &files[i];
        struct group *g = f->lines.count >= lines ? map_get(groups, f->keys[lines - 1]) : NULL;
        int least = !f->group ? LEAST_FILES : LEAST_LONGER;
        if (g && (g->files >= least || (f->group && g->files == f->group->files)))
            f->group = g;
    }
}

/* Those that have gone on to a longer beginning are no longer counted. */
static void count_files(struct file *files, int count)
{
    for (int i = 0; i < count; i++)
        if (files[i].group)
            files[i].group->files = 0;
    for (int i = 0; i < count; i++)
        if (files[i].group)
            files[i].group->files++;
}

static const char *joined(struct arena *a, const struct file *f, int count)
{
    const char *text = "";
    for (int i = 0; i < count; i++)
        text = arena_printf(a, "%s%s", text, f->lines.items[i].text);
    return text;
}

static struct beginning *beginning_new(struct beginnings *all, const struct group *g)
{
    struct arena *a = all->arena;
    const struct file *f = g->first;
    const struct frontend_input *in = f->in;
    struct beginning *b = arena_one(a, struct beginning);
    const char **flags = arena_array(a, const char *, in->flag_count + 1);
    for (int i = 0; i < in->flag_count; i++)
        flags[i] = arena_text(a, in->flags[i], strlen(in->flags[i]));
    *b = (struct beginning){
        .path = arena_printf(a, "%s.miscast-beginning%s", folder_of(a, f->path), ending(f->path)),
        .text = joined(a, f, g->lines),
        .directory = in->directory ? arena_text(a, in->directory, strlen(in->directory)) : NULL,
        .flags = flags,
        .flag_count = in->flag_count,
        .files = g->files,
        .precompiled = -1,
        .notes = -1};
    LIST_ADD(a, &all->items, b);
    return b;
}

static void put(struct beginnings *all, const struct file *f)
{
    struct group *g = f->group;
    if (!g || g->files < LEAST_FILES)
        return;
    if (!g->made && all->items.count < MOST_BEGINNINGS)
        g->made = beginning_new(all, g);
    if (g->made)
        map_put(all->by_file, file_key(f->path, f->in), g->made);
}

/* In memory that processes share, as files are lowered in several. */
static bool open_states(struct beginnings *all)
{
    all->size = sizeof *all->states * (size_t)all->items.count;
    void *memory = mmap(NULL, all->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool opened = memory != MAP_FAILED;
    all->states = opened ? memory : NULL;
    for (int i = 0; i < all->items.count && opened; i++) {
        struct beginning *b = all->items.items[i];
        b->state = &all->states[i];
        b->precompiled = memfd_create("precompiled", MFD_CLOEXEC);
        b->notes = memfd_create("notes", MFD_CLOEXEC);
        opened = b->precompiled >= 0 && b->notes >= 0;
    }
    return opened;
}

struct beginnings *beginnings_find(const struct frontend_input *files, int count)
{
    struct arena *a = arena_new(), *scratch = arena_new();
    struct openings openings = {scratch, map_new(scratch)};
    struct beginnings *all = arena_one(a, struct beginnings);
    struct file *read = arena_array(scratch, struct file, count);
    all->arena = a;
    all->by_file = map_new(a);
    for (int i = 0; i < count; i++)
        read_file(&openings, &files[i], &read[i]);
    for (int lines = 1; lines <= MOST_LINES; lines++)
        group_by(scratch, read, count, lines);
    count_files(read, count);
    for (int i = 0; i < count; i++)
        put(all, &read[i]);
    arena_free(scratch);
    if (all->items.count && open_states(all))
        return all;
    beginnings_free(all);
    return NULL;
}

void beginnings_free(struct beginnings *all)
{
    if (!all)
        return;
    for (int i = 0; i < all->items.count; i++) {
        struct beginning *b = all->items.items[i];
        if (b->precompiled >= 0)
            close(b->precompiled);
        if (b->notes >= 0)
            close(b->notes);
        if (b->ahead.arena)
            arena_free(b->ahead.arena);
    }
    if (all->states)
        munmap(all->states, all->size);
    arena_free(all->arena);
}

struct beginning *beginning_of(const struct beginnings *all, const struct lower *l,
                               const char *const *flags, int count)
{
    const struct frontend_input in = {
        .directory = l->directory, .flags = flags, .flag_count = count};
    return all ? map_get(all->by_file, file_key(l->main_path, &in)) : NULL;
}

bool beginnings_distrust(struct beginnings *all, const struct frontend_input *in)
{
    char *real = realpath(in->file, NULL);
    struct beginning *b = real ? map_get(all->by_file, file_key(real, in)) : NULL;
    free(real);
    if (b)
        atomic_store(b->state, BEGINNING_BAD);
    return b;
}

/* Parsing: passes a file and flags to libclang, counts its errors, and has the syntax tree lowered.
 * The entry point of the frontend. */
#include "frontends/clang/cpp.h"

#include "frontends/clang/beginnings.h"
#include "frontends/clang/flags.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef LIST(const char *) flag_list;

/* ---- flags ---------------------------------------------------------------------------------- */

/* Warnings are off: they cost time, and may have been made errors. __TIME__ and __DATE__ are fixed,
 * so that results do not depend on the time. */
static const char *const own_flags[] = {"-w",
                                        "-ferror-limit=0",
                                        "-fno-spell-checking",
                                        "-Wno-error",
                                        "-D__DATE__=\"Jan  1 1970\"",
                                        "-D__TIME__=\"00:00:00\"",
                                        "-D__TIMESTAMP__=\"Thu Jan  1 00:00:00 1970\""};

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* libclang does not accept every flag, and does not say which one it rejects: a file is tried with
 * all flags, then without those about the machine and code generation, then with only those that
 * affect its text. */
enum trust { ALL_FLAGS, NO_MACHINE, TEXT_ONLY, TRUST_COUNT };

static bool begins_with_any(const char *flag, const char *const *list)
{
    while (*list && !begins(flag, *list))
        list++;
    return *list;
}

/* was: the answer for the previous flag, whose value this may be. */
static bool is_trusted(const char *flag, enum trust trust, bool was)
{
    static const char *const machine[] = {"-m", "-f", NULL};
    static const char *const text[] = {"-I", "-D", "-U", "-x", "-i", "--sysroot", NULL};
    switch (trust) {
    case ALL_FLAGS:
    case TRUST_COUNT:
        return true;
    case NO_MACHINE:
        return !begins_with_any(flag, machine);
    case TEXT_ONLY:
        return flag[0] == '-' ? begins_with_any(flag, text) : was;
    }
    return true;
}

/* For -include, the driver prefers a precompiled header next to the file: what was checked would
 * not be what is written. Passed directly to the compiler proper, the flag means the text. */
static bool add_include(struct lower *l, const char *const *flags, int count, int *i,
                        flag_list *out)
{
    const char *file = begins(flags[*i], "-include") ? flags[*i] + strlen("-include") : NULL;
    if (file && !*file)
        file = *i + 1 < count ? flags[++*i] : NULL;
    if (!file)
        return false;
    const char *words[] = {"-Xclang", "-include", "-Xclang", file};
    for (int k = 0; k < COUNT(words); k++)
        LIST_ADD(l->scratch, out, words[k]);
    return true;
}

static flag_list all_flags(struct lower *l, const char *const *flags, int count, enum trust trust)
{
    flag_list list = {0};
    bool has_resource = false, trusted = true;
    for (int i = 0; i < count; i++) {
        trusted = is_trusted(flags[i], trust, trusted);
        has_resource |= trusted && begins(flags[i], "-resource-dir");
        if (trusted && !add_include(l, flags, count, &i, &list))
            LIST_ADD(l->scratch, &list, flags[i]);
    }
    if (!has_resource && l->c->resource[0])
        LIST_ADD(l->scratch, &list, arena_printf(l->scratch, "-resource-dir=%s", l->c->resource));
    if (l->directory)
        LIST_ADD(l->scratch, &list,
                 arena_printf(l->scratch, "-working-directory=%s", l->directory));
    for (int i = 0; i < COUNT(own_flags); i++)
        LIST_ADD(l->scratch, &list, own_flags[i]);
    return list;
}

static const char *failure(enum CXErrorCode code)
{
    switch (code) {
    case CXError_Success:
    case CXError_Failure:
    case CXError_InvalidArguments:
    case CXError_ASTReadError:
        return "libclang does not take the flags, or cannot read the file";
    case CXError_Crashed:
        return "libclang crashed";
    }
    return "libclang failed";
}

/* ---- parsing -------------------------------------------------------------------------------- */

struct parsing {
    struct lower *l;
    CXIndex index;
    const flag_list *flags;
    const unsaved_list *texts;
    unsigned options;
    enum CXErrorCode code;
};

/* The headers of C++ are found from where the compiler is. */
static void parse_cpp(struct parsing *p)
{
    struct lower *l = p->l;
    flag_list words = {0};
    LIST_ADD(l->scratch, &words,
             *l->c->resource ? arena_printf(l->scratch, "%s/../../../bin/clang++", l->c->resource)
                             : "clang++");
    for (int i = 0; i < p->flags->count; i++)
        LIST_ADD(l->scratch, &words, p->flags->items[i]);
    p->code = l->c->parseTranslationUnit2FullArgv(p->index, l->main_path, words.items, words.count,
                                                  p->texts->items, (unsigned)p->texts->count,
                                                  CXTranslationUnit_KeepGoing | p->options, &l->tu);
}

static void parse_apart(void *data)
{
    struct parsing *p = data;
    if (p->l->is_cpp) {
        parse_cpp(p);
        return;
    }
    p->code = p->l->c->parseTranslationUnit2(
        p->index, p->l->main_path, p->flags->items, p->flags->count, p->texts->items,
        (unsigned)p->texts->count, CXTranslationUnit_KeepGoing | p->options, &p->l->tu);
}

static enum CXErrorCode parse(struct lower *l, CXIndex index, const flag_list *flags,
                              unsigned options)
{
    unsaved_list texts = {0};
    struct parsing p = {l, index, flags, &texts, options, CXError_Failure};
    overlay_names(l, flags->items, flags->count, &texts);
    clang_run_apart(parse_apart, &p);
    return p.code;
}

void note_left_out(struct lower *l)
{
    ir_note_add(l->unit, (struct span){0}, "compiled without flags libclang refused");
}

struct main_seen {
    struct lower *l;
    bool seen;
};

static void note_main(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct main_seen *m = data;
    (void)stack;
    if (depth != 0)
        return;
    CXString name = m->l->c->getFileName(file);
    const char *text = m->l->c->getCString(name);
    m->seen |= text && strcmp(text, m->l->main_path) == 0;
    m->l->c->disposeString(name);
}

/* Some flags make the compiler do something else, such as list the processors it supports: parsing
 * succeeds, but the file was not read. */
static enum CXErrorCode was_read(struct lower *l)
{
    struct main_seen m = {l, false};
    l->c->getInclusions(l->tu, note_main, &m);
    if (m.seen)
        return CXError_Success;
    l->c->disposeTranslationUnit(l->tu);
    l->tu = NULL;
    return CXError_Failure;
}

bool parse_with(struct lower *l, CXIndex index, const char *const *flags, int count,
                const text_list *more)
{
    l->flags = flags;
    l->flag_count = count;
    l->is_cpp = flags_are_cpp(l->main_path, flags, count);
    flag_list list = all_flags(l, flags, count, ALL_FLAGS);
    for (int i = 0; i < more->count; i++)
        LIST_ADD(l->scratch, &list, more->items[i]);
    return parse(l, index, &list, 0) == CXError_Success && was_read(l) == CXError_Success;
}

bool parse_file(struct lower *l, CXIndex index, const char *const *flags, int count,
                unsigned options, struct error *e)
{
    enum CXErrorCode code = CXError_Failure;
    int tried = -1;
    l->flags = flags;
    l->flag_count = count;
    l->is_cpp = flags_are_cpp(l->main_path, flags, count);
    if (l->is_cpp)
        ir_unit_set_language(l->unit, "c++");
    for (enum trust trust = ALL_FLAGS; trust < TRUST_COUNT && code != CXError_Crashed; trust++) {
        flag_list list = all_flags(l, flags, count, trust);
        if (list.count == tried)
            continue;
        tried = list.count;
        code = parse(l, index, &list, options);
        code = code == CXError_Success ? was_read(l) : code;
        if (code == CXError_Success && trust != ALL_FLAGS)
            note_left_out(l);
        if (code == CXError_Success)
            break;
    }
    return l->tu ? true : error_at(e, l->main_name, 0, 0, "%s", failure(code));
}

void lower_begin(struct lower *l, const struct clang *c, struct ir_unit *unit,
                 const char *directory)
{
    l->c = c;
    l->scratch = arena_new();
    l->unit = unit;
    const char *file = unit->file;
    l->directory = directory;
    l->main_name = file;
    const char *named = path_absolute(l->scratch, NULL, file);
    bool is_overlaid = l->overlay && overlay_find(l->overlay, named);
    char *path = is_overlaid ? NULL : realpath(file, NULL);
    l->main_path = name_of(l->unit->names, path ? path : named);
    free(path);
    l->files = map_new(l->scratch);
    l->symbols = map_new(l->scratch);
    l->types = map_new(l->scratch);
    l->records = map_new(l->scratch);
    l->record_info = map_new(l->scratch);
    l->record_names = map_new(l->scratch);
    l->classes = map_new(l->scratch);
    l->lambdas = map_new(l->scratch);
}

/* The file can be read, or another text overlays it. */
bool is_there(const struct lower *l, struct error *e)
{
    if (l->overlay && overlay_find(l->overlay, l->main_path))
        return true;
    if (access(l->main_path, R_OK) != 0)
        return error_at(e, l->main_name, 0, 0, "cannot be read");
    return file_is_source(l->main_path, l->main_name, e);
}

struct ir_unit *clang_lower_sharing(struct clang *c, const struct frontend_input *in,
                                    struct unit_reads *reads, struct error *e)
{
    struct lower l = {.overlay = in->overlay};
    CXIndex index = c->createIndex(1, 0);
    lower_begin(&l, c, ir_unit_new(in->file), in->directory);
    struct beginning *b = beginning_of(in->shared, &l, in->flags, in->flag_count);
    bool parsed =
        is_there(&l, e) && ((b && parse_with_beginning(&l, index, b, in->flags, in->flag_count)) ||
                            parse_file(&l, index, in->flags, in->flag_count, 0, e));
    if (parsed) {
        count_errors(&l);
        lower_unit(&l);
        if (reads)
            reads_find(&l, in->flags, in->flag_count, reads);
        c->disposeTranslationUnit(l.tu);
    } else {
        ir_unit_free(l.unit);
    }
    c->disposeIndex(index);
    arena_free(l.scratch);
    return parsed ? l.unit : NULL;
}

struct ir_unit *clang_lower_noting(struct clang *c, const char *file, const struct overlay *overlay,
                                   const char *const *flags, int flag_count, const char *directory,
                                   struct unit_reads *reads, struct error *e)
{
    const struct frontend_input in = {.file = file,
                                      .directory = directory,
                                      .flags = flags,
                                      .flag_count = flag_count,
                                      .overlay = overlay};
    return clang_lower_sharing(c, &in, reads, e);
}

struct ir_unit *clang_lower(struct clang *c, const char *file, const char *const *flags,
                            int flag_count, const char *directory, struct error *e)
{
    return clang_lower_noting(c, file, NULL, flags, flag_count, directory, NULL, e);
}

void clang_parse(struct clang *c, const char *file, const char *const *flags, int flag_count,
                 const char *directory)
{
    struct lower l = {0};
    struct error e;
    CXIndex index = c->createIndex(1, 0);
    lower_begin(&l, c, ir_unit_new(file), directory);
    if (parse_file(&l, index, flags, flag_count, 0, &e))
        c->disposeTranslationUnit(l.tu);
    c->disposeIndex(index);
    ir_unit_free(l.unit);
    arena_free(l.scratch);
}

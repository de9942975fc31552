/* Parsing: a file and flags go to libclang; the syntax tree it keeps is lowered, and what it had to
 * complain about is counted. The entry into the frontend. */
#include "frontends/clang/lower.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef LIST(const char *) flag_list;

/* ---- flags ---------------------------------------------------------------------------------- */

/* Warnings are not asked for: they cost time, and may have been made errors. */
static const char *const own_flags[] = {"-w", "-ferror-limit=0", "-fno-spell-checking",
                                        "-Wno-error"};

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Flags about the machine or about code generation, of which libclang takes not every one. */
static bool is_doubtful(const char *flag)
{
    return begins(flag, "-m") || begins(flag, "-f");
}

static flag_list all_flags(struct lower *l, const char *const *flags, int count, bool sure)
{
    flag_list list = {0};
    bool has_resource = false;
    for (int i = 0; i < count; i++) {
        has_resource |= begins(flags[i], "-resource-dir");
        if (!sure || !is_doubtful(flags[i]))
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

/* ---- what libclang says --------------------------------------------------------------------- */

/* "" if it is about no place in a file. */
static const char *error_place(struct lower *l, CXDiagnostic d)
{
    CXFile file;
    unsigned line, column, offset;
    l->c->getFileLocation(l->c->getDiagnosticLocation(d), &file, &line, &column, &offset);
    return file ? arena_printf(l->scratch, "%s:%u:%u: ", file_name(l, file), line, column) : "";
}

/* What is wrong with the flags is no error in the source: they are left out. */
static void take_error(struct lower *l, CXDiagnostic d)
{
    const char *place = error_place(l, d);
    const char *text = clang_text(l->c, l->scratch, l->c->getDiagnosticSpelling(d));
    if (!*place)
        ir_note_add(l->unit, (struct span){0}, text);
    else if (l->unit->errors++ == 0)
        l->unit->first_error = arena_printf(l->unit->arena, "%s%s", place, text);
}

static void count_errors(struct lower *l)
{
    unsigned count = l->c->getNumDiagnostics(l->tu);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic d = l->c->getDiagnostic(l->tu, i);
        if (l->c->getDiagnosticSeverity(d) >= CXDiagnostic_Error)
            take_error(l, d);
        l->c->disposeDiagnostic(d);
    }
}

static const char *failure(enum CXErrorCode code)
{
    switch (code) {
    case CXError_Success:
    case CXError_Failure:
        return "libclang does not understand the flags, or cannot read the file";
    case CXError_Crashed:
        return "libclang crashed";
    case CXError_InvalidArguments:
        return "libclang does not take the flags";
    case CXError_ASTReadError:
        return "libclang cannot read a precompiled header";
    }
    return "libclang failed";
}

/* ---- parsing -------------------------------------------------------------------------------- */

static enum CXErrorCode parse(struct lower *l, CXIndex index, const flag_list *flags)
{
    return l->c->parseTranslationUnit2(index, l->main_path, flags->items, flags->count, NULL, 0,
                                       CXTranslationUnit_KeepGoing, &l->tu);
}

/* Some flags give no unit and no reason: then all that can be done without are left out. */
static bool parse_file(struct lower *l, CXIndex index, const char *const *flags, int count,
                       struct error *e)
{
    flag_list all = all_flags(l, flags, count, false);
    enum CXErrorCode code = parse(l, index, &all);
    if (code != CXError_Success && code != CXError_Crashed) {
        flag_list sure = all_flags(l, flags, count, true);
        if (sure.count < all.count && parse(l, index, &sure) == CXError_Success) {
            ir_note_add(l->unit, (struct span){0}, "compiled without flags libclang refused");
            return true;
        }
    }
    return l->tu ? true : error_at(e, l->main_name, 0, 0, "%s", failure(code));
}

static void lower_begin(struct lower *l, const struct clang *c, const char *file,
                        const char *directory)
{
    l->c = c;
    l->scratch = arena_new();
    l->unit = ir_unit_new(file);
    l->directory = directory;
    l->main_name = l->unit->file;
    char *path = realpath(file, NULL);
    l->main_path = name_of(l->unit->names, path ? path : file);
    free(path);
    l->files = map_new(l->scratch);
    l->symbols = map_new(l->scratch);
    l->types = map_new(l->scratch);
    l->records = map_new(l->scratch);
    l->record_info = map_new(l->scratch);
    l->record_names = map_new(l->scratch);
}

struct ir_unit *clang_lower(struct clang *c, const char *file, const char *const *flags,
                            int flag_count, const char *directory, struct error *e)
{
    struct lower l = {0};
    if (access(file, R_OK) != 0) {
        error_at(e, file, 0, 0, "cannot be read");
        return NULL;
    }
    CXIndex index = c->createIndex(1, 0);
    lower_begin(&l, c, file, directory);
    bool parsed = parse_file(&l, index, flags, flag_count, e);
    if (parsed) {
        count_errors(&l);
        lower_unit(&l);
        c->disposeTranslationUnit(l.tu);
    } else {
        ir_unit_free(l.unit);
    }
    c->disposeIndex(index);
    arena_free(l.scratch);
    return parsed ? l.unit : NULL;
}

void clang_parse(struct clang *c, const char *file, const char *const *flags, int flag_count,
                 const char *directory)
{
    struct lower l = {0};
    struct error e;
    CXIndex index = c->createIndex(1, 0);
    lower_begin(&l, c, file, directory);
    if (parse_file(&l, index, flags, flag_count, &e))
        c->disposeTranslationUnit(l.tu);
    c->disposeIndex(index);
    ir_unit_free(l.unit);
    arena_free(l.scratch);
}

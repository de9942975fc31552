/* The compiler's errors: counted in the unit, with the first one's text, and kept by location,
 * since what is declared with errors cannot be relied on. */
#include "frontends/clang/lower.h"

#include <string.h>

static const char *error_place(struct lower *l, CXSourceLocation place)
{
    CXFile file;
    unsigned line, column, offset;
    l->c->getFileLocation(place, &file, &line, &column, &offset);
    return file ? arena_printf(l->scratch, "%s:%u:%u", file_name(l, file), line, column)
                : l->main_name;
}

static void note_spot(struct lower *l, CXSourceLocation place)
{
    struct error_spot s = {.place = place};
    l->c->getFileLocation(place, &s.file, NULL, NULL, &s.offset);
    LIST_ADD(l->scratch, &l->spots, s);
}

/* An initialiser with an error is dropped, and is no part of its variable's range. */
static unsigned length_dropped(struct lower *l, CXCursor declaration, CXSourceLocation end)
{
    size_t at, size;
    const char *text = declaration.kind == CXCursor_VarDecl ? text_at(l, end, &at, &size) : NULL;
    const char *stop = text ? memchr(text + at, ';', size - at) : NULL;
    return stop ? (unsigned)(stop - text - at) : 0;
}

int errors_in(struct lower *l, CXCursor declaration, bool is_function)
{
    int count = 0;
    CXSourceRange range = l->c->getCursorExtent(declaration);
    struct error_spot begin, end;
    l->c->getFileLocation(l->c->getRangeStart(range), &begin.file, NULL, NULL, &begin.offset);
    l->c->getFileLocation(l->c->getRangeEnd(range), &end.file, NULL, NULL, &end.offset);
    end.offset += length_dropped(l, declaration, l->c->getRangeEnd(range));
    for (int i = 0; i < l->spots.count; i++) {
        struct error_spot *s = &l->spots.items[i];
        if (s->file != begin.file || s->offset < begin.offset || s->offset > end.offset)
            continue;
        s->is_in_function |= is_function;
        count++;
    }
    return count;
}

bool has_errors(struct lower *l, CXCursor declaration)
{
    return errors_in(l, declaration, false) > 0;
}

/* A complaint about a flag is not an error in the source: it has no location, and the flag is left
 * out. A missing file of an -include flag has a location, though in no file. */
static void take_error(struct lower *l, CXDiagnostic d)
{
    CXSourceLocation place = l->c->getDiagnosticLocation(d);
    const char *text = clang_text(l->c, l->scratch, l->c->getDiagnosticSpelling(d));
    bool misses = strstr(text, "file not found") || strstr(text, "cannot open file");
    if (misses && !l->misses)
        l->missing = place;
    l->misses |= misses;
    const char *encoding = encoding_error(l, text);
    bool is_placeless = place.int_data == 0 && !encoding;
    text = encoding ? encoding : text;
    if (is_placeless && !l->piecewise) /* otherwise the unit already has it */
        ir_note_add(l->unit, (struct span){0}, text);
    if (is_placeless)
        return;
    note_spot(l, place);
    if (l->unit->errors++ == 0)
        l->unit->first_error = arena_printf(l->unit->arena, "%s: %s", error_place(l, place), text);
}

/* A note that belongs to an error already reported. */
static bool is_told(struct lower *l, CXDiagnostic d)
{
    const char *text = clang_text(l->c, l->scratch, l->c->getDiagnosticSpelling(d));
    return strstr(text, "'<invalid buffer>'");
}

void count_errors(struct lower *l)
{
    unsigned count = l->c->getNumDiagnostics(l->tu);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic d = l->c->getDiagnostic(l->tu, i);
        if (l->c->getDiagnosticSeverity(d) >= CXDiagnostic_Error && !is_told(l, d))
            take_error(l, d);
        l->c->disposeDiagnostic(d);
    }
    if (!l->piecewise)
        count_zeros(l);
}

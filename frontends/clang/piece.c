/* One function of a unit that stays open. People change a body, and again, and again: then the
 * other bodies need not be parsed. libclang is given the text with these blanked out, each function
 * declared where it was defined; all that is left stands where it stood. The function is lowered
 * from that into the unit that was made of the whole, in place of what it was.
 *
 * Whether that gives what the whole would is tried with the text that the whole was made of. What
 * could still differ is looked for, and the whole is then lowered anew: a change outside of one
 * body or of the number of lines, directives, errors elsewhere, a body that ends somewhere else,
 * other functions, globals and records that are named. */
#include "frontends/clang/open.h"

#include <string.h>

/* ---- the whole ------------------------------------------------------------------------------ */

void whole_forget(struct clang_unit *u)
{
    if (u->whole.arena)
        arena_free(u->whole.arena);
    u->whole = (struct whole){.focus = -1};
}

/* Where an error is in the file; false: it is elsewhere. */
static bool error_offset(const struct lower *l, CXDiagnostic d, unsigned *offset)
{
    CXFile file;
    CXSourceLocation place = l->c->getDiagnosticLocation(d);
    l->c->getFileLocation(place, &file, NULL, NULL, offset);
    if (!file)
        return false;
    CXString name = l->c->getFileName(file);
    bool is_main = !strcmp(l->c->getCString(name), l->main_path);
    l->c->disposeString(name);
    return is_main;
}

/* From the first to the last; elsewhere: all of the file. Those of flags have no place. */
static void find_errors(const struct lower *l, unsigned *first, unsigned *last)
{
    unsigned count = l->c->getNumDiagnostics(l->tu), offset;
    *first = UINT32_MAX;
    *last = 0;
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic d = l->c->getDiagnostic(l->tu, i);
        bool is_error = l->c->getDiagnosticSeverity(d) >= CXDiagnostic_Error &&
                        l->c->getDiagnosticLocation(d).int_data;
        bool is_here = is_error && error_offset(l, d, &offset);
        if (is_error && (!is_here || offset < *first))
            *first = is_here ? offset : 0;
        if (is_error && (!is_here || offset > *last))
            *last = is_here ? offset : UINT32_MAX;
        l->c->disposeDiagnostic(d);
    }
}

static bool are_errors_within(unsigned first, unsigned last, const struct body *b)
{
    return first > last || (first > b->begin && last < b->end);
}

void whole_note(struct clang_unit *u, struct lower *l, struct arena *arena, const body_list *bodies)
{
    struct whole *w = &u->whole;
    size_t length;
    const char *text = unit_text(l, &length);
    whole_forget(u);
    w->arena = arena;
    w->text = text ? arena_text(arena, text, length) : "";
    w->length = text ? length : 0;
    w->bodies = *bodies;
    w->is_hopeless = arena_array(arena, bool, bodies->count + 1);
    find_errors(l, &w->first_error, &w->last_error);
}

/* ---- which body ----------------------------------------------------------------------------- */

static bool is_blank(const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    return from == to;
}

static bool has_within(const char *from, const char *to, const char *what)
{
    size_t n = strlen(what);
    for (; from + n <= to; from++)
        if (!memcmp(from, what, n))
            return true;
    return false;
}

/* Whether something in it may be a directive: what is at the front of a line, or behind a comment.
 * What is no directive may be taken for one. */
static bool has_directive(const char *text, size_t length)
{
    static const char *const marks[] = {"#", "%:", "?\?="};
    const char *line = text, *end = text + length;
    if (has_within(text, end, "_Pragma"))
        return true;
    for (const char *c = text; c < end; c++) {
        if (*c == '\n' || *c == '\r')
            line = c + 1;
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            if (*c == *marks[i] && (size_t)(end - c) >= strlen(marks[i]) &&
                !memcmp(c, marks[i], strlen(marks[i])) &&
                (is_blank(line, c) || has_within(line, c, "*/")))
                return true;
    }
    return false;
}

static int count_lines(const char *text, size_t length)
{
    int count = 0;
    for (const char *c = text, *end = text + length; (c = memchr(c, '\n', (size_t)(end - c))); c++)
        count++;
    return count;
}

/* A change: from there on so many bytes more, in one body. */
struct change {
    const char *text; /* the new one */
    size_t length;
    int body;
    long more;
};

static unsigned moved(unsigned offset, const struct change *c)
{
    return (unsigned)((long)offset + c->more);
}

/* Nothing but blanks follows on the line, so that nothing else moves. */
static bool ends_its_line(const struct whole *w, const struct body *b)
{
    const char *end = memchr(w->text + b->end, '\n', w->length - b->end);
    return is_blank(w->text + b->end, end ? end - (end[-1] == '\r') : w->text + w->length);
}

static bool is_of_one_body(const struct whole *w, const struct change *c)
{
    const struct body *b = &w->bodies.items[c->body];
    size_t before = b->end - b->begin, now = moved(b->end, c) - b->begin;
    const char *was = w->text + b->begin, *is = c->text + b->begin;
    return !w->is_hopeless[c->body] && are_errors_within(w->first_error, w->last_error, b) &&
           ends_its_line(w, b) && count_lines(was, before) == count_lines(is, now) &&
           !has_directive(was, before) && !has_directive(is, now);
}

/* The first byte that differs, and how many behind the last that does. */
static void compare(const struct whole *w, const struct change *c, size_t *same, size_t *rest)
{
    size_t least = w->length < c->length ? w->length : c->length, from = 0, to = 0;
    while (from < least && w->text[from] == c->text[from])
        from++;
    while (to < least - from && w->text[w->length - 1 - to] == c->text[c->length - 1 - to])
        to++;
    *same = from;
    *rest = to;
}

static bool find_change(const struct whole *w, struct change *c)
{
    size_t same, rest;
    compare(w, c, &same, &rest);
    c->more = (long)c->length - (long)w->length;
    c->body = -1;
    if (!c->more && same == w->length) /* back to what it was */
        c->body = w->focus;
    for (int i = 0; i < w->bodies.count && c->body < 0; i++)
        if (same > w->bodies.items[i].begin && w->length - rest < w->bodies.items[i].end)
            c->body = i;
    return c->body >= 0 && is_of_one_body(w, c);
}

/* ---- the others are blanked out ------------------------------------------------------------- */

static void blank_out(char *text, unsigned begin, unsigned end)
{
    for (unsigned i = begin; i < end; i++)
        if (text[i] != '\n' && text[i] != '\r')
            text[i] = ' ';
    text[begin] = ';';
}

static const char *reduced(const struct whole *w, struct arena *a, const struct change *c)
{
    char *text = arena_text(a, c->text, c->length);
    for (int i = 0; i < w->bodies.count; i++) {
        const struct body *b = &w->bodies.items[i];
        bool behind = b->begin > w->bodies.items[c->body].begin;
        unsigned begin = behind ? moved(b->begin, c) : b->begin;
        unsigned end = behind ? moved(b->end, c) : b->end;
        if (i != c->body && !has_directive(c->text + begin, end - begin))
            blank_out(text, begin, end);
    }
    return text;
}

/* ---- lowering ------------------------------------------------------------------------------- */

/* Functions, globals and records are in a unit in the order in which they are first named. Those
 * that are there before the function is come to are so in any case. */
static bool is_there_before(const struct ir_unit *base, const struct body *b, const char *name)
{
    const struct ir_function *f = ir_function_find(base, name);
    const struct ir_global *g = f ? NULL : ir_global_find(base, name);
    for (int i = 0; f && i < b->functions; i++)
        if (base->functions.items[i] == f)
            return true;
    for (int i = 0; g && i < b->globals; i++)
        if (base->globals.items[i] == g)
            return true;
    return false;
}

static bool is_record_before(const struct ir_unit *base, const struct body *b, const char *name)
{
    for (int i = 0; i < b->records; i++)
        if (!strcmp(base->records.items[i]->name, name))
            return true;
    return false;
}

/* Between those of the functions before and behind. */
static void add_notes_behind(struct ir_unit *u, const struct ir_unit *base, const struct body *b)
{
    for (int i = b->notes_end; i < base->notes.count; i++)
        LIST_ADD(u->arena, &u->notes, base->notes.items[i]);
}

static bool has_same_notes(const struct ir_unit *a, const struct ir_unit *b)
{
    bool same = a->notes.count == b->notes.count;
    for (int i = 0; same && i < a->notes.count; i++)
        same = a->notes.items[i].span.line == b->notes.items[i].span.line &&
               !strcmp(a->notes.items[i].text, b->notes.items[i].text);
    return same;
}

static bool is_all_else_the_same(const struct ir_unit *base, const struct ir_unit *u, int function)
{
    const struct ir_function *was = base->functions.items[function],
                             *is = u->functions.items[function];
    return u->functions.count == base->functions.count && u->globals.count == base->globals.count &&
           u->records.count == base->records.count && is->has_body && is->type == was->type &&
           is->is_internal == was->is_internal;
}

struct piece {
    struct clang_unit *u;
    const struct ir_unit *base;
    const struct overlay *overlay;
    int function;
    struct arena *arena; /* of what came up */
    name_list met, records;
};

static void take_met(struct piece *p, const struct body *b, const struct piecewise *with)
{
    p->met = p->records = (name_list){0};
    for (int i = 0; i < with->met.count; i++)
        if (!is_there_before(p->base, b, with->met.items[i]))
            LIST_ADD(p->arena, &p->met, with->met.items[i]);
    for (int i = 0; i < with->records.count; i++)
        if (!is_record_before(p->base, b, with->records.items[i]))
            LIST_ADD(p->arena, &p->records, with->records.items[i]);
}

/* NULL: it did not come to the same. */
static struct ir_unit *lower_piece(struct piece *p, const struct change *c)
{
    struct whole *w = &p->u->whole;
    struct lower l = {.overlay = p->overlay, .ahead = &p->u->ahead};
    struct piecewise with = {0};
    struct body b = w->bodies.items[c->body];
    unsigned first, last;
    struct ir_unit *u = ir_unit_with(p->base, p->function);
    u->errors = 0;
    u->first_error = NULL;
    u->notes.count = b.notes;
    lower_begin(&l, p->u->c, u, p->u->directory);
    l.piecewise = &with;
    b.end = moved(b.end, c);
    bool good = unit_reparse(p->u, &l, reduced(w, l.scratch, c), c->length);
    if (good) {
        find_errors(&l, &first, &last);
        count_errors(&l);
        good = !l.misses && are_errors_within(first, last, &b) && lower_only(&l, &b) &&
               !with.differs && is_all_else_the_same(p->base, u, p->function);
    }
    if (good) {
        add_notes_behind(u, p->base, &b);
        take_met(p, &b, &with);
    }
    arena_free(l.scratch);
    if (!good)
        ir_unit_free(u);
    return good ? u : NULL;
}

static bool prints_the_same(const struct ir_unit *a, const struct ir_unit *b, int function)
{
    struct text x = {0}, y = {0};
    bool same = ir_print_function(a, a->functions.items[function], &x) &&
                ir_print_function(b, b->functions.items[function], &y) && x.length == y.length &&
                !memcmp(x.data, y.data, x.length);
    text_free(&x);
    text_free(&y);
    return same;
}

/* The function as it was in the whole has to come out as it did. */
static bool focus_on(struct piece *p, int body)
{
    struct whole *w = &p->u->whole;
    struct change none = {w->text, w->length, body, 0};
    if (w->focus == body)
        return true;
    w->focus = -1;
    p->arena = w->arena;
    struct ir_unit *u = lower_piece(p, &none);
    bool same = u && prints_the_same(u, p->base, p->function) && has_same_notes(u, p->base) &&
                u->errors == p->base->errors;
    ir_unit_free(u);
    w->is_hopeless[body] = !same;
    if (!same)
        return false;
    w->focus = body;
    w->met = p->met;
    w->records = p->records;
    return true;
}

static bool are_same(const name_list *a, const name_list *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = !strcmp(a->items[i], b->items[i]);
    return same;
}

static int function_number(const struct ir_unit *u, const char *name)
{
    const struct ir_function *f = ir_function_find(u, name);
    int i = 0;
    while (i < u->functions.count && u->functions.items[i] != f)
        i++;
    return f && f->has_body ? i : -1;
}

static struct ir_unit *lower_changed(struct piece *p, const struct change *c, struct arena *scratch)
{
    struct whole *w = &p->u->whole;
    p->function = function_number(p->base, w->bodies.items[c->body].name);
    if (p->function < 0 || !focus_on(p, c->body))
        return NULL;
    p->arena = scratch;
    struct ir_unit *u = lower_piece(p, c);
    if (u && !(are_same(&w->met, &p->met) && are_same(&w->records, &p->records))) {
        ir_unit_free(u);
        u = NULL;
    }
    return u;
}

struct ir_unit *clang_unit_lower_piece(struct clang_unit *u, const struct ir_unit *base,
                                       const struct overlay *overlay, int *function)
{
    struct lower l = {.overlay = overlay, .scratch = arena_new(), .main_path = u->file};
    struct piece p = {.u = u, .base = base, .overlay = overlay};
    struct change c = {0};
    struct digest all;
    struct ir_unit *made = NULL;
    if (u->tu && u->whole.arena && unit_is_still_good(u, &l, &all) &&
        (c.text = unit_text(&l, &c.length)) && find_change(&u->whole, &c))
        made = lower_changed(&p, &c, l.scratch);
    if (made) {
        u->text = all;
        u->parses++;
        *function = p.function;
    }
    arena_free(l.scratch);
    return made;
}

/* Re-lowers one function of an open unit. While a body is being edited, the other bodies need not
 * be parsed: libclang gets the text with these blanked out and each function declared where it was
 * defined, so that everything else stays in place. The function is then lowered into a copy of the
 * unit, replacing its old version.
 *
 * Whether that gives the same result as the whole file is tested with the text that was last
 * lowered as a whole. What could still differ is checked, and the whole is lowered again in these
 * cases: a change outside of one body, directives, errors elsewhere, a body that ends somewhere
 * else, references to other functions with bodies, globals or records. Code after the change moves
 * to its new lines.
 *
 * If only comments and whitespace changed, nothing is parsed. */
#include "frontends/clang/open_unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- the whole ------------------------------------------------------------------------------ */

void whole_forget(struct clang_unit *u)
{
    if (u->whole.arena)
        arena_free(u->whole.arena);
    free(u->whole.text);
    u->whole = (struct whole){.focus = -1};
}

/* The location of an error in the file; false: it is elsewhere. */
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

/* From the first error to the last; an error elsewhere counts as all of the file. Errors about
 * flags have no location. */
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

static void take_text(struct whole *w, const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (!copy)
        BUG("no memory for a text");
    memcpy(copy, text, length);
    copy[length] = '\0';
    free(w->text);
    w->text = copy;
    w->length = length;
}

void whole_note(struct clang_unit *u, struct lower *l, struct arena *arena, const body_list *bodies)
{
    struct whole *w = &u->whole;
    size_t length;
    const char *text = unit_text(l, &length);
    whole_forget(u);
    w->arena = arena;
    take_text(w, text ? text : "", text ? length : 0);
    w->bodies = *bodies;
    w->is_hopeless = arena_array(arena, bool, bodies->count + 1);
    find_errors(l, &w->first_error, &w->last_error);
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
        unsigned begin = behind ? change_moved(b->begin, c) : b->begin;
        unsigned end = behind ? change_moved(b->end, c) : b->end;
        if (i != c->body && !text_has_directive(c->text + begin, end - begin))
            blank_out(text, begin, end);
    }
    return text;
}

/* ---- lowering ------------------------------------------------------------------------------- */

/* Functions, globals and records are in a unit in the order in which they are first named. Those
 * that precede the function are there in any case. */
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

typedef LIST(struct ir_note) note_list;

/* Those of the functions after it. */
static note_list notes_behind(const struct ir_unit *u, const struct body *b)
{
    note_list out = {0};
    for (int i = b->notes_end; i < u->notes.count; i++)
        LIST_ADD(u->arena, &out, u->notes.items[i]);
    return out;
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
    for (int i = base->functions.count; i < u->functions.count; i++)
        if (u->functions.items[i]->has_body)
            return false;
    return u->globals.count == base->globals.count && u->records.count == base->records.count &&
           is->has_body && is->type == was->type && is->is_internal == was->is_internal;
}

struct piece {
    struct clang_unit *u;
    const struct ir_unit *base;
    const struct overlay *overlay;
    int function;
    struct arena *arena; /* of the names that came up */
    name_list met, records;
    bool *changed; /* by function of the new unit */
};

/* Copies base, moved to its current lines; function: the one to skip, or -1. */
static struct ir_unit *base_moved(struct piece *p, int function, struct ir_move last)
{
    const move_list *moves = &p->u->whole.moves;
    struct ir_unit *u = ir_unit_with(p->base, function);
    struct ir_move *all = arena_array(u->arena, struct ir_move, moves->count + 1);
    if (moves->count)
        memcpy(all, moves->items, sizeof *all * (size_t)moves->count);
    all[moves->count] = last;
    p->changed = arena_array(u->arena, bool, u->functions.count + 1);
    ir_unit_move(u, all, moves->count + (last.more != 0), p->changed);
    if (function >= 0)
        p->changed[function] = true;
    return u;
}

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

/* NULL: the result differs. */
static struct ir_unit *lower_piece(struct piece *p, const struct change *c)
{
    struct whole *w = &p->u->whole;
    struct lower l = {.overlay = p->overlay, .ahead = &p->u->ahead};
    struct piecewise with = {0};
    struct body b = w->bodies.items[c->body];
    unsigned first, last;
    struct ir_unit *u = base_moved(p, p->function, c->move);
    note_list behind = notes_behind(u, &b);
    u->errors = 0;
    u->first_error = NULL;
    u->notes.count = b.notes;
    lower_begin(&l, p->u->c, u, p->u->directory);
    l.piecewise = &with;
    b.end = change_moved(b.end, c);
    bool good = unit_reparse(p->u, &l, reduced(w, l.scratch, c), c->length);
    if (good) {
        find_errors(&l, &first, &last);
        count_errors(&l);
        good = !l.misses && errors_are_within(first, last, &b) && lower_only(&l, &b) &&
               !with.differs && is_all_else_the_same(p->base, u, p->function);
    }
    if (good) {
        for (int i = 0; i < behind.count; i++)
            LIST_ADD(u->arena, &u->notes, behind.items[i]);
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

/* The unchanged function has to give the same result as in the whole. */
static bool focus_on(struct piece *p, int body)
{
    struct whole *w = &p->u->whole;
    struct change none = {.text = w->text, .length = w->length, .body = body};
    if (w->focus == body)
        return true;
    w->focus = -1;
    p->arena = w->arena;
    struct ir_unit *u = lower_piece(p, &none), *was = base_moved(p, -1, none.move);
    bool same = u && u->functions.count == was->functions.count &&
                prints_the_same(u, was, p->function) && has_same_notes(u, was) &&
                u->errors == was->errors;
    ir_unit_free(u);
    ir_unit_free(was);
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

static int place_of(const struct ir_unit *u, const struct ir_function *f)
{
    int i = 0;
    while (u->functions.items[i] != f)
        i++;
    return i;
}

static void move_up(struct ir_unit *u, bool *changed, int from, int to)
{
    struct ir_function *f = u->functions.items[from];
    bool is_changed = changed[from];
    size_t count = (size_t)(from - to);
    memmove(&u->functions.items[to + 1], &u->functions.items[to],
            sizeof *u->functions.items * count);
    memmove(&changed[to + 1], &changed[to], sizeof *changed * count);
    u->functions.items[to] = f;
    changed[to] = is_changed;
}

/* Functions first named in the new body: they follow those named before them. False: a name
 * disappeared or the order changed, or a name is more than a declaration. */
static bool place_new(struct ir_unit *u, const struct piece *p, const struct body *b)
{
    const name_list *before = &p->u->whole.met;
    int next = b->functions, k = 0;
    for (int i = 0; i < p->met.count; i++) {
        const struct ir_function *f = ir_function_find(u, p->met.items[i]);
        bool was_named = k < before->count && !strcmp(before->items[k], p->met.items[i]);
        int at = f ? place_of(u, f) : -1;
        k += was_named;
        if (!was_named && (!f || f->has_body || at < next))
            return false;
        if (!was_named)
            move_up(u, p->changed, at, next);
        if (f)
            next = was_named ? at + 1 : next + 1;
    }
    return k == before->count;
}

static struct ir_unit *lower_changed(struct piece *p, const struct change *c, struct arena *scratch)
{
    struct whole *w = &p->u->whole;
    p->function = function_number(p->base, w->bodies.items[c->body].name);
    if (p->function < 0 || !focus_on(p, c->body))
        return NULL;
    p->arena = scratch;
    struct ir_unit *u = lower_piece(p, c);
    bool *changed = p->changed;
    if (u) {
        p->changed = arena_array(u->arena, bool, u->functions.count + 1);
        memcpy(p->changed, changed, (size_t)p->base->functions.count);
    }
    if (u && !(are_same(&w->records, &p->records) && place_new(u, p, &w->bodies.items[c->body]))) {
        ir_unit_free(u);
        u = NULL;
    }
    return u;
}

/* ---- comments and blanks -------------------------------------------------------------------- */

enum { MOVES_MAX = 64 };

static int line_at(const char *text, size_t offset)
{
    return 1 + text_lines(text, offset);
}

/* From now on, this is the text it was lowered from. */
static void take_idle(struct whole *w, const struct change *c, const struct idle *i)
{
    if (c->move.more)
        LIST_ADD(w->arena, &w->moves, c->move);
    for (int k = 0; k < w->bodies.count; k++) {
        struct body *b = &w->bodies.items[k];
        b->begin = b->begin >= i->was_end ? change_moved(b->begin, c) : b->begin;
        b->end = b->end >= i->was_end ? change_moved(b->end, c) : b->end;
    }
    take_text(w, c->text, c->length);
}

static struct ir_unit *lower_idle(struct piece *p, struct change *c, size_t same, size_t rest)
{
    struct whole *w = &p->u->whole;
    struct idle idle;
    if (p->base->errors || p->base->first_error || w->moves.count == MOVES_MAX ||
        !is_idle_change(w, c->text, c->length, same, rest, &idle))
        return NULL;
    c->move.behind = line_at(w->text, idle.was_end) - 1;
    c->move.more = line_at(c->text, idle.now_end) - 1 - c->move.behind;
    if (c->move.more && !whole_is_movable(w, p->base))
        return NULL;
    take_idle(w, c, &idle);
    return base_moved(p, -1, (struct ir_move){0});
}

/* ---- all ------------------------------------------------------------------------------------ */

static struct ir_unit *lower_change(struct piece *p, struct lower *l, struct change *c)
{
    struct whole *w = &p->u->whole;
    struct digest all, beginning = unit_digest(l, &all);
    size_t same, rest;
    change_compare(w, c, &same, &rest);
    c->more = (long)c->length - (long)w->length;
    bool is_back = !c->more && same == w->length;
    struct ir_unit *u =
        is_back ? base_moved(p, -1, (struct ir_move){0}) : lower_idle(p, c, same, rest);
    if (u)
        p->u->beginning = beginning;
    if (!u && digest_same(beginning, p->u->beginning) && change_find(w, p->base, c, same, rest)) {
        u = lower_changed(p, c, l->scratch);
        p->u->parses += u != NULL;
    }
    if (u)
        p->u->text = all;
    return u;
}

struct ir_unit *clang_unit_lower_piece(struct clang_unit *u, const struct ir_unit *base,
                                       const struct overlay *overlay, const bool **changed)
{
    struct lower l = {.overlay = overlay, .scratch = arena_new(), .main_path = u->file};
    struct piece p = {.u = u, .base = base, .overlay = overlay};
    struct change c = {0};
    struct ir_unit *made = NULL;
    if (u->tu && u->whole.arena && unit_has_same_files(u, &l) &&
        (c.text = unit_text(&l, &c.length)))
        made = lower_change(&p, &l, &c);
    *changed = p.changed;
    arena_free(l.scratch);
    return made;
}

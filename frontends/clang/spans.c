/* From libclang's locations to spans as the user would point at them. What a macro produced is
 * where the macro was used; a macro argument is where it was written.
 *
 * The extent of most expressions follows from the extents of their parts and from the text after
 * them: libclang, which lexes the last token again each time, is only asked for the others. */
#include "frontends/clang/lower.h"

#include <ctype.h>
#include <string.h>

/* ---- places in macros ----------------------------------------------------------------------- */

struct spot {
    struct source *source; /* NULL: nowhere */
    unsigned offset;
    bool from_body; /* spelled in the macro, not by its user */
};

static struct spot spot_in(struct lower *l, CXFile file, unsigned offset)
{
    return (struct spot){file ? source_of_file(l, file) : NULL, offset, false};
}

static struct spot spelled_at(struct lower *l, CXSourceLocation place)
{
    CXFile file;
    unsigned offset;
    l->c->getSpellingLocation(place, &file, NULL, NULL, &offset);
    return spot_in(l, file, offset);
}

/* Only which file it is: a header that defines macros need not be read. */
static bool is_spelled_at(struct lower *l, CXSourceLocation place, CXFile file, unsigned offset)
{
    CXFile spelled;
    unsigned at;
    l->c->getSpellingLocation(place, &spelled, NULL, NULL, &at);
    return at == offset &&
           (spelled == file || (spelled && file && file_name(l, spelled) == file_name(l, file)));
}

/* A file that is included twice has two sources. */
static bool is_same_file(const struct source *a, const struct source *b)
{
    return a == b || (a && b && a->name == b->name);
}

static bool is_begin_of(const struct macro_use *use, const struct spot *s)
{
    return s->source && is_same_file(use->source, s->source) && s->offset == use->begin;
}

/* Whether the name or number is at the location: then no macro produced it. */
static bool is_written_at(const struct node *n, const struct spot *s)
{
    const char *text = s->source ? s->source->text : NULL;
    if (!n || !text || s->offset >= s->source->size)
        return false;
    if (n->cursor.kind == CXCursor_IntegerLiteral || n->cursor.kind == CXCursor_FloatingLiteral)
        return isdigit((unsigned char)text[s->offset]);
    return n->symbol && n->symbol->name &&
           source_word(text, s->source->size, s->offset, n->symbol->name);
}

/* Where the user wrote it. The token there may be known to be the node. */
static struct spot spot_of(struct lower *l, CXSourceLocation place, const struct node *n)
{
    CXFile file;
    unsigned offset;
    struct source *s = source_of(l, place);
    if (s)
        return (struct spot){s, place.int_data - s->base, false};
    l->c->getFileLocation(place, &file, NULL, NULL, &offset);
    struct spot spot = spot_in(l, file, offset);
    if (!(place.int_data & IN_MACRO) || is_written_at(n, &spot))
        return spot;
    spot.from_body = is_begin_of(&l->last_use, &spot);
    if (!spot.from_body)
        spot.from_body = !is_spelled_at(l, place, file, offset);
    return spot;
}

/* After a macro's name and arguments: libclang only knows the end of the outermost one. One use may
 * produce a whole function, so the last one is cached. */
static unsigned end_of_use(struct lower *l, const struct spot *begin)
{
    const struct source *s = begin->source;
    if (is_begin_of(&l->last_use, begin))
        return l->last_use.end;
    if (!s->text || begin->offset >= s->size)
        return begin->offset;
    unsigned end = (unsigned)source_macro_use(s->text, s->size, begin->offset);
    if (begin->from_body)
        l->last_use = (struct macro_use){s, begin->offset, end};
    return end;
}

static struct span span_from(struct lower *l, const struct spot *begin, CXSourceRange range)
{
    struct spot end = spot_of(l, l->c->getRangeEnd(range), NULL);
    if (!begin->source)
        return (struct span){0};
    bool apart = !is_same_file(end.source, begin->source);
    if (begin->from_body || apart || end.offset <= begin->offset) {
        unsigned use = end_of_use(l, begin);
        if (apart || end.offset < use)
            end.offset = use;
    }
    return source_span(l, begin->source, begin->offset, end.offset);
}

static struct span slow_span(struct lower *l, CXSourceRange range)
{
    struct spot begin = spot_of(l, l->c->getRangeStart(range), NULL);
    return span_from(l, &begin, range);
}

/* ---- ranges as libclang gives them ---------------------------------------------------------- */

/* Sets the number of the end, if the whole range is in a file and not in a macro. */
static struct span span_of_range(struct lower *l, CXSourceRange range, unsigned *end)
{
    struct source *s = source_of(l, l->c->getRangeStart(range));
    if (!s || range.end_int_data < range.begin_int_data || range.end_int_data > s->end)
        return slow_span(l, range);
    *end = range.end_int_data;
    return source_span(l, s, range.begin_int_data - s->base, range.end_int_data - s->base);
}

struct span span_of_cursor(struct lower *l, CXCursor c)
{
    unsigned end;
    return span_of_range(l, l->c->getCursorExtent(c), &end);
}

/* ---- expressions by their parts ------------------------------------------------------------- */

enum mark {
    BY_LIBCLANG,
    PLACE, /* starts at its location, ends with the name or number there */
    PART   /* starts with its first part, ends with its last */
};

/* The extent of an expression. */
struct shape {
    enum mark begin, end;
    const char *close; /* what follows the last part */
};

static const struct shape shapes[] = {
    [CXCursor_DeclRefExpr] = {PLACE, PLACE, NULL},
    [CXCursor_IntegerLiteral] = {PLACE, PLACE, NULL},
    [CXCursor_FloatingLiteral] = {PLACE, PLACE, NULL},
    [CXCursor_MemberRefExpr] = {PART, PLACE, NULL},
    [CXCursor_BinaryOperator] = {PART, PART, NULL},
    [CXCursor_CompoundAssignOperator] = {PART, PART, NULL},
    [CXCursor_ConditionalOperator] = {PART, PART, NULL},
    [CXCursor_UnaryOperator] = {PLACE, PART, NULL},
    [CXCursor_CStyleCastExpr] = {PLACE, PART, NULL},
    [CXCursor_ReturnStmt] = {PLACE, PART, NULL},
    [CXCursor_ParenExpr] = {PLACE, PART, ")"},
    [CXCursor_CallExpr] = {PART, PART, ")"},
    [CXCursor_ArraySubscriptExpr] = {PART, PART, "]"},
};

static const struct shape *shape_of(const struct node *n)
{
    unsigned kind = (unsigned)n->cursor.kind;
    if (kind >= sizeof shapes / sizeof *shapes || n->depth > MAX_DEPTH)
        return NULL;
    const struct shape *s = &shapes[kind];
    bool by_parts = s->begin == PART || s->end == PART;
    bool has_parts = n->first && is_expression(n->first) && is_expression(n->last);
    return s->begin == BY_LIBCLANG || (by_parts && !has_parts) ? NULL : s;
}

/* A span, and the number of the location where it ends; 0: in a macro. */
struct stretch {
    struct span span;
    unsigned end;
};

/* The name or number at the node's location; empty if there is none. */
static struct stretch stretch_of_token(struct lower *l, CXSourceLocation place,
                                       const struct spot *s)
{
    if (!s->source || !s->source->text || s->from_body)
        return (struct stretch){0};
    unsigned length = (unsigned)source_token(s->source->text, s->source->size, s->offset);
    return (struct stretch){source_span(l, s->source, s->offset, s->offset + length),
                            place.int_data & IN_MACRO ? 0 : place.int_data + length};
}

/* An implicit conversion has the span of its operand. */
static struct node *written(struct node *n)
{
    while (n->cursor.kind == CXCursor_UnexposedExpr && n->first && !n->first->next &&
           is_expression(n->first))
        n = n->first;
    return n;
}

static bool is_same_place(struct lower *l, const struct node *a, const struct node *b)
{
    return l->c->getCursorLocation(a->cursor).int_data ==
           l->c->getCursorLocation(b->cursor).int_data;
}

/* va_arg(list, int) looks like a conversion of its list, but does not start there; nor does what an
 * error left over. */
static struct stretch stretch_of_part(struct lower *l, struct node *n)
{
    struct node *operand = written(n);
    struct stretch s = {span_of(l, operand), operand->end};
    if (operand != n && (l->unit->errors || !is_same_place(l, n, operand)))
        s.span = span_of_range(l, l->c->getCursorExtent(n->cursor), &s.end);
    return s;
}

/* Extends to the closing token, if it follows directly and nothing is in a macro. */
static struct stretch up_to(struct lower *l, const struct stretch *part, const char *close)
{
    struct source *s = part->end ? source_at(l, part->end) : NULL;
    unsigned from = s ? part->end - s->base : 0;
    unsigned to = s && s->text ? (unsigned)source_behind(s->text, s->size, from, close) : 0;
    if (!to)
        return (struct stretch){0};
    return (struct stretch){source_span(l, s, from, to), s->base + to};
}

static bool is_before(int line, int column, int other_line, int other_column)
{
    return line < other_line || (line == other_line && column < other_column);
}

/* Whether location and part follow each other as the shape says: the operand comes first in i++,
 * and after an error a member may have no name. */
static bool is_ordered(const struct shape *shape, const struct span *a, const struct span *b)
{
    if (shape->begin == PLACE && shape->end == PART)
        return is_before(a->line, a->column, b->line, b->column);
    if (shape->begin == PART && shape->end == PLACE)
        return !is_before(b->line, b->column, a->end_line, a->end_column);
    return true;
}

/* From the start of one to the later end of both; false if that is not contiguous. */
static bool join(struct node *n, const struct stretch *begin, const struct stretch *end)
{
    const struct span *a = &begin->span, *b = &end->span;
    if (a->line == 0 || b->line == 0 || a->file != b->file)
        return false;
    bool within = is_before(b->end_line, b->end_column, a->end_line, a->end_column);
    const struct stretch *last = within ? begin : end;
    n->span =
        (struct span){a->file, a->line, a->column, last->span.end_line, last->span.end_column};
    n->end = last->end;
    return is_before(a->line, a->column, n->span.end_line, n->span.end_column);
}

/* Of a == b that calls an operator, the first part is an operand, and no parenthesis is its own. */
static bool is_called_by_name(struct lower *l, const struct node *n)
{
    struct stretch callee = stretch_of_part(l, n->first);
    return up_to(l, &callee, "(").end != 0;
}

static bool measure_by_parts(struct lower *l, struct node *n, CXSourceLocation place,
                             const struct spot *at)
{
    const struct shape *shape = shape_of(n);
    if (!shape)
        return false;
    bool no_arguments = n->cursor.kind == CXCursor_CallExpr && n->first == n->last;
    struct stretch token = stretch_of_token(l, place, at);
    struct stretch begin = shape->begin == PLACE ? token : stretch_of_part(l, n->first);
    struct stretch end = shape->end == PLACE ? token : stretch_of_part(l, n->last);
    if (!is_ordered(shape, &begin.span, &end.span))
        return false;
    if (l->cpp && n->cursor.kind == CXCursor_CallExpr && !is_called_by_name(l, n))
        return false;
    if (shape->close)
        end = up_to(l, &end, no_arguments ? "()" : shape->close);
    return join(n, &begin, &end);
}

/* ---- expressions that macros make ----------------------------------------------------------- */

/* The innermost enclosing node known to be in a macro. */
static const struct node *made_around(const struct node *n)
{
    for (int i = 0; n->parent && i < 8; i++) {
        n = n->parent;
        if (n->is_made)
            return n;
    }
    return NULL;
}

static bool is_same_begin(const struct span *a, const struct span *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

/* It is where the macro is used. It may extend beyond the use, unless it is one token or part of
 * something that does not. */
static void measure_made(struct lower *l, struct node *n, const struct spot *at)
{
    const struct shape *shape = shape_of(n);
    const struct node *around = made_around(n);
    unsigned end = end_of_use(l, at);
    struct span use = source_span(l, at->source, at->offset, end);
    bool is_token = shape && shape->begin == PLACE && shape->end == PLACE;
    n->is_made = is_token || (around && is_same_begin(&around->span, &use));
    n->span = use;
    if (n->is_made)
        return;
    n->span = span_from(l, at, l->c->getCursorExtent(n->cursor));
    n->is_made = is_same_begin(&n->span, &use) && n->span.end_line == use.end_line &&
                 n->span.end_column == use.end_column;
}

/* Whether its location is where it starts. */
static bool begins_at_place(const struct node *n)
{
    return n->cursor.kind != CXCursor_MemberRefExpr && n->cursor.kind != CXCursor_VarDecl &&
           n->cursor.kind != CXCursor_ParmDecl;
}

struct span span_of(struct lower *l, struct node *n)
{
    n = written(n);
    if (n->span.line)
        return n->span;
    CXSourceLocation place = l->c->getCursorLocation(n->cursor);
    struct spot at = spot_of(l, place, n);
    if (at.from_body && begins_at_place(n))
        measure_made(l, n, &at);
    else if (!measure_by_parts(l, n, place, &at))
        n->span = span_of_range(l, l->c->getCursorExtent(n->cursor), &n->end);
    return n->span;
}

/* ---- variables ------------------------------------------------------------------------------ */

/* A name that is the whole declarator: no size, no initialiser, no parameters. */
static bool is_bare_name(const struct source *s, unsigned end)
{
    if (source_behind(s->text, s->size, end, ";") || source_behind(s->text, s->size, end, ","))
        return true;
    return source_behind(s->text, s->size, end, ")") &&
           !source_behind(s->text, s->size, end, ")(") &&
           !source_behind(s->text, s->size, end, ")[");
}

/* Without querying the extent of the declaration. */
static struct span span_of_plain_variable(struct lower *l, CXSourceLocation place,
                                          struct node *init)
{
    struct source *s = source_of(l, place);
    unsigned offset = s ? place.int_data - s->base : 0;
    size_t length = s && s->text ? source_token(s->text, s->size, offset) : 0;
    if (!length)
        return (struct span){0};
    struct span span = source_span(l, s, offset, offset + (unsigned)length);
    if (!init)
        return is_bare_name(s, offset + (unsigned)length) ? span : (struct span){0};
    struct span value = stretch_of_part(l, init).span;
    if (value.file != span.file ||
        !is_before(span.end_line, span.end_column, value.line, value.column))
        return (struct span){0};
    span.end_line = value.end_line;
    span.end_column = value.end_column;
    return span;
}

/* With attributes and macros, libclang's extent of the declaration may end before the name. */
static struct span span_from_name(struct lower *l, CXSourceLocation place, struct span all)
{
    struct spot spot = spot_of(l, place, NULL);
    if (!spot.source || !all.line)
        return all;
    struct span name = source_span(l, spot.source, spot.offset, spot.offset);
    if (is_before(name.line, name.column, all.line, all.column))
        return all;
    if (is_before(all.end_line, all.end_column, name.line, name.column))
        return source_span(l, spot.source, spot.offset, end_of_use(l, &spot));
    return (struct span){all.file, name.line, name.column, all.end_line, all.end_column};
}

struct span span_of_variable(struct lower *l, CXCursor c, struct node *init)
{
    CXSourceLocation place = l->c->getCursorLocation(c);
    struct span plain = span_of_plain_variable(l, place, init);
    return plain.line ? plain : span_from_name(l, place, span_of_cursor(l, c));
}

/* ---- text ----------------------------------------------------------------------------------- */

const char *text_at(struct lower *l, CXSourceLocation place, size_t *offset, size_t *size)
{
    struct source *s = source_of(l, place);
    struct spot spot = s ? (struct spot){s, place.int_data - s->base, false} : spelled_at(l, place);
    *offset = spot.offset;
    *size = spot.source ? spot.source->size : 0;
    return spot.offset < *size ? spot.source->text : NULL;
}

bool starts_with(struct lower *l, const struct node *n, const char *word)
{
    size_t at, size;
    const char *text = text_at(l, l->c->getCursorLocation(n->cursor), &at, &size);
    return text && at + strlen(word) <= size && memcmp(text + at, word, strlen(word)) == 0;
}

/* How a text differs from the one last lowered as a whole: whether the change is confined to the
 * body of one function, and by how many lines the code after it moves. */
#include "frontends/clang/open_unit.h"

#include <string.h>

static bool is_blank(const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    return from == to;
}

static bool has_within(const char *from, const char *to, const char *what)
{
    return memmem(from, (size_t)(to - from), what, strlen(what)) != NULL;
}

/* Whether the text may contain a preprocessor directive: a # at the start of a line or after a
 * comment. False positives are fine. */
bool text_has_directive(const char *text, size_t length)
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

int text_lines(const char *text, size_t length)
{
    int count = 0;
    for (const char *c = text, *end = text + length; (c = memchr(c, '\n', (size_t)(end - c))); c++)
        count++;
    return count;
}

/* The compiler treats it as a line end, and we do not. */
bool text_has_bare_return(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\r' && text[i + 1] != '\n')
            return true;
    return false;
}

/* Only whitespace follows on the line, so nothing else moves. */
static bool ends_its_line(const struct whole *w, const struct body *b)
{
    const char *end = memchr(w->text + b->end, '\n', w->length - b->end);
    return is_blank(w->text + b->end, end ? end - (end[-1] == '\r') : w->text + w->length);
}

static bool is_of_one_body(const struct whole *w, const struct change *c)
{
    const struct body *b = &w->bodies.items[c->body];
    size_t before = b->end - b->begin, now = change_moved(b->end, c) - b->begin;
    const char *was = w->text + b->begin, *is = c->text + b->begin;
    return !w->is_hopeless[c->body] && errors_are_within(w->first_error, w->last_error, b) &&
           ends_its_line(w, b) && !text_has_directive(was, before) &&
           !text_has_directive(is, now) && !text_has_bare_return(was, before) &&
           !text_has_bare_return(is, now);
}

/* Where the body ends, and by how much that moved. */
static void find_move(const struct whole *w, struct change *c)
{
    const struct body *b = &w->bodies.items[c->body];
    c->move.behind = 1 + text_lines(w->text, b->end);
    c->move.more = text_lines(c->text + b->begin, change_moved(b->end, c) - b->begin) -
                   text_lines(w->text + b->begin, b->end - b->begin);
}

/* Called before any span is moved. */
bool whole_is_movable(struct whole *w, const struct ir_unit *base)
{
    if (!w->is_asked)
        w->is_movable = is_free_of_lines(w, base);
    w->is_asked = true;
    return w->is_movable;
}

/* The first byte that differs, and the number of equal bytes at the end. */
void change_compare(const struct whole *w, const struct change *c, size_t *same, size_t *rest)
{
    size_t least = w->length < c->length ? w->length : c->length, from = 0, to = 0;
    while (from < least && w->text[from] == c->text[from])
        from++;
    while (to < least - from && w->text[w->length - 1 - to] == c->text[c->length - 1 - to])
        to++;
    *same = from;
    *rest = to;
}

bool change_find(struct whole *w, const struct ir_unit *base, struct change *c, size_t same,
                 size_t rest)
{
    c->body = -1;
    for (int i = 0; i < w->bodies.count && c->body < 0; i++)
        if (same > w->bodies.items[i].begin && w->length - rest < w->bodies.items[i].end)
            c->body = i;
    if (c->body < 0 || !is_of_one_body(w, c))
        return false;
    find_move(w, c);
    return !c->move.more || whole_is_movable(w, base);
}

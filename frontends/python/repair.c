/* Replaces what cannot be parsed by blanks. The text is cut into pieces where a line begins a
 * statement, as indentation shows it even where a bracket or quote is missing. Of a class whose
 * piece cannot be parsed, the pieces inside are looked at; of a function, the body is replaced, or
 * all of it if its head is wrong too. So one mistake costs one function. */
#include "frontends/python/parse.h"

#include <ctype.h>
#include <string.h>

enum { MAX_CLASSES = 20, MAX_ROUNDS = 64, MAX_METHODS = 100, LARGE = 1 << 20 };

struct piece {
    uint32_t from, to;
};

typedef LIST(struct piece) piece_list;

/* ---- lines ----------------------------------------------------------------------------------- */

static uint32_t line_end(const struct repair *r, uint32_t at)
{
    while (at < r->length && r->text[at] != '\n')
        at++;
    return at < r->length ? at + 1 : at;
}

/* The first character of a line that is not blank; the line's end, if there is none. */
static uint32_t line_start(const struct repair *r, uint32_t at)
{
    while (at < r->length && strchr(" \t\f\r", r->text[at]))
        at++;
    return at;
}

static bool is_blank_line(const struct repair *r, uint32_t start)
{
    return start >= r->length || r->text[start] == '\n' || r->text[start] == '#';
}

static bool has_word(const struct repair *r, uint32_t at, const char *word)
{
    size_t n = strlen(word);
    return at + n <= r->length && memcmp(r->text + at, word, n) == 0 &&
           (at + n == r->length || !(isalnum((unsigned char)r->text[at + n]) ||
                                     r->text[at + n] == '_' || (r->text[at + n] & 0x80)));
}

static bool is_definition(const struct repair *r, uint32_t at)
{
    return r->text[at] == '@' || has_word(r, at, "def") || has_word(r, at, "class") ||
           has_word(r, at, "async");
}

/* Whether a line at the indentation of a piece begins another. */
static bool begins_piece(const struct repair *r, uint32_t at)
{
    unsigned char c = (unsigned char)r->text[at];
    bool goes_on = has_word(r, at, "else") || has_word(r, at, "elif") ||
                   has_word(r, at, "except") || has_word(r, at, "finally");
    return !goes_on && (isalnum(c) || c >= 0x80 || strchr("_@\"'([{*-~", c));
}

/* ---- strings and brackets -------------------------------------------------------------------- */

/* Where a scan is: inside brackets, and inside a string over several lines. */
struct scan {
    int depth;
    char quote; /* of a string between three of them; 0: in none */
};

static bool is_triple(const struct repair *r, uint32_t at, char quote)
{
    return at + 2 < r->length && r->text[at] == quote && r->text[at + 1] == quote &&
           r->text[at + 2] == quote;
}

/* To the end of a string in one line. */
static uint32_t skip_string(const struct repair *r, uint32_t at)
{
    char quote = r->text[at++];
    while (at < r->length && r->text[at] != quote && r->text[at] != '\n')
        at += r->text[at] == '\\' ? 2 : 1;
    return at < r->length && r->text[at] == quote ? at + 1 : at;
}

/* One character, string or comment further. */
static uint32_t scan_next(const struct repair *r, struct scan *s, uint32_t at)
{
    char c = r->text[at];
    if (s->quote) {
        bool ends = is_triple(r, at, s->quote);
        s->quote = ends ? '\0' : s->quote;
        return at + (ends ? 3 : c == '\\' ? 2 : 1);
    }
    if ((c == '"' || c == '\'') && is_triple(r, at, c)) {
        s->quote = c;
        return at + 3;
    }
    if (c == '"' || c == '\'')
        return skip_string(r, at);
    if (c == '#')
        return line_end(r, at) - (line_end(r, at) > at + 1);
    s->depth += strchr("([{", c) != NULL;
    s->depth -= strchr(")]}", c) != NULL;
    return at + 1;
}

static void scan_line(const struct repair *r, struct scan *s, uint32_t at, uint32_t end)
{
    while (at < end && r->text[at])
        at = scan_next(r, s, at);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Whether a line goes on with the one before. */
static bool is_continued(const struct repair *r, uint32_t at)
{
    while (at && (r->text[at - 1] == '\n' || r->text[at - 1] == '\r'))
        at--;
    return at && r->text[at - 1] == '\\';
}

/* Lines of a string are not looked at, unless a definition shows that its end is missing. */
static void cut(struct repair *r, uint32_t from, uint32_t to, uint32_t indent, piece_list *out)
{
    struct scan s = {0, '\0'};
    bool decorated = false; /* what follows a decorator belongs to it */
    for (uint32_t at = from, end; at < to; at = end) {
        uint32_t start = line_start(r, at);
        end = line_end(r, at);
        if (!s.quote && is_blank_line(r, start))
            continue;
        bool inside = r->trusts_marks ? s.quote || s.depth : s.quote && !is_definition(r, start);
        bool here = start - at <= indent && !inside && !is_continued(r, at);
        if (here && begins_piece(r, start)) {
            s = (struct scan){0, '\0'};
            if (!decorated && out->count)
                out->items[out->count - 1].to = at;
            if (!decorated)
                LIST_ADD(r->arena, out, ((struct piece){start, to}));
            decorated = r->text[start] == '@';
        }
        scan_line(r, &s, start, end);
    }
}

static int lines_before(const struct repair *r, uint32_t at)
{
    int low = 0, high = r->lines.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (r->lines.items[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void blank(struct repair *r, struct piece p, TSPoint error, uint32_t base, bool in_function)
{
    struct damage d = {p.from, p.to, lines_before(r, base) + (int)error.row + 1,
                       (int)error.column + 1, in_function};
    for (uint32_t i = p.from; i < p.to; i++)
        if (r->text[i] != '\n' && r->text[i] != '\r')
            r->text[i] = ' ';
    LIST_ADD(r->arena, &r->damage, d);
}

static bool piece_parses(struct repair *r, struct piece p, TSPoint *error)
{
    return r->parses(r->context, r->text + p.from, p.to - p.from, error);
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* Behind decorators: the word of the statement. */
static uint32_t definition_start(const struct repair *r, struct piece p)
{
    uint32_t at = p.from;
    while (at < p.to && r->text[at] == '@')
        at = line_start(r, line_end(r, at));
    return at;
}

/* Where the body of a definition begins; 0: its head does not end. */
static uint32_t body_start(const struct repair *r, uint32_t from, uint32_t to)
{
    struct scan s = {0, '\0'};
    for (uint32_t at = from; at < to; at = scan_next(r, &s, at)) {
        if (r->text[at] == '\n' && s.depth <= 0 && !s.quote)
            return 0;
        if (r->text[at] == ':' && s.depth == 0 && !s.quote) {
            at = line_start(r, at + 1);
            while (at < to && is_blank_line(r, at))
                at = line_start(r, line_end(r, at));
            return at < to ? at : 0;
        }
    }
    return 0;
}

static uint32_t indent_of(const struct repair *r, uint32_t at)
{
    uint32_t from = at;
    while (from && r->text[from - 1] != '\n')
        from--;
    return at - from;
}

/* Whether a definition would be good with another body, of one number. */
static bool head_parses(struct repair *r, struct piece p, uint32_t body)
{
    TSPoint error;
    char was = r->text[body];
    r->text[body] = '0';
    bool good = piece_parses(r, (struct piece){p.from, body + 1}, &error);
    r->text[body] = was;
    return good;
}

/* The next line that is further to the right than the definition; 0: there is none. */
static uint32_t indented_start(const struct repair *r, uint32_t start, uint32_t to)
{
    for (uint32_t at = line_end(r, start); at < to; at = line_end(r, at)) {
        uint32_t first = line_start(r, at);
        if (!is_blank_line(r, first) && first - at > indent_of(r, start))
            return first;
        if (!is_blank_line(r, first))
            return 0;
    }
    return 0;
}

/* Makes "class NAME:" of the head of a class, whose bases are then not known. Returns where its
 * body begins; 0: it has no name or body. */
static uint32_t repair_class_head(struct repair *r, struct piece p, uint32_t start, TSPoint error)
{
    uint32_t body = indented_start(r, start, p.to), name = line_start(r, start + 5), end = name;
    while (end < p.to && (isalnum((unsigned char)r->text[end]) || r->text[end] == '_'))
        end++;
    if (!body || end < name + 2 || end >= body)
        return 0;
    uint32_t colon = r->text[end] == '\n' || r->text[end] == '\r' ? end - 1 : end;
    blank(r, (struct piece){colon, body}, error, p.from, false);
    r->text[colon] = ':';
    return body;
}

static void repair_pieces(struct repair *r, uint32_t from, uint32_t to, uint32_t indent, int depth,
                          bool in_function);

static void repair_piece(struct repair *r, struct piece p, int depth, bool in_function)
{
    TSPoint error = {0, 0};
    if (piece_parses(r, p, &error))
        return;
    uint32_t start = definition_start(r, p);
    bool is_class = has_word(r, start, "class");
    bool is_function = has_word(r, start, "def") || has_word(r, start, "async");
    uint32_t body = is_class || is_function ? body_start(r, start, p.to) : 0;
    if (is_class && (!body || !head_parses(r, p, body)))
        body = repair_class_head(r, p, start, error);
    if (!body || !head_parses(r, p, body)) {
        blank(r, p, error, p.from, in_function);
        if (depth)
            r->text[p.from] = '0';
    } else if (is_class && depth < MAX_CLASSES) {
        repair_pieces(r, body - indent_of(r, body), p.to, indent_of(r, body), depth + 1,
                      in_function);
    } else {
        blank(r, (struct piece){body, p.to}, error, p.from, is_function || in_function);
        r->text[body] = '0';
    }
}

static void repair_pieces(struct repair *r, uint32_t from, uint32_t to, uint32_t indent, int depth,
                          bool in_function)
{
    piece_list pieces = {0};
    cut(r, from, to, indent, &pieces);
    for (int i = 0; i < pieces.count; i++)
        repair_piece(r, pieces.items[i], depth, in_function);
}

/* ---- the text -------------------------------------------------------------------------------- */

static uint32_t offset_of(const struct repair *r, TSPoint at)
{
    uint32_t offset = 0;
    if (at.row && r->lines.count)
        offset = r->lines.items[at.row < (uint32_t)r->lines.count ? at.row - 1
                                                                  : (uint32_t)r->lines.count - 1] +
                 1;
    return offset + at.column < r->length ? offset + at.column : r->length;
}

/* The last piece that begins before. */
static bool piece_at(struct repair *r, uint32_t at, struct piece *out)
{
    piece_list pieces = {0};
    cut(r, 0, r->length, 0, &pieces);
    for (int i = 0; i < pieces.count && (i == 0 || pieces.items[i].from <= at); i++)
        *out = pieces.items[i];
    return pieces.count > 0;
}

/* Replaces the one method without which the class can be parsed; false: there is none. */
static bool blank_method(struct repair *r, struct piece class)
{
    uint32_t start = definition_start(r, class);
    uint32_t body = has_word(r, start, "class") ? body_start(r, start, class.to) : 0;
    TSPoint error = {0, 0};
    piece_list methods = {0};
    if (!body || class.to - class.from > LARGE / 4)
        return false;
    cut(r, body - indent_of(r, body), class.to, indent_of(r, body), &methods);
    for (int i = 0; i < methods.count && i < MAX_METHODS; i++) {
        struct piece m = methods.items[i];
        char *was = arena_copy(r->arena, r->text + m.from, m.to - m.from);
        blank(r, m, error, m.from, false);
        r->text[m.from] = '0';
        if (piece_parses(r, class, &error))
            return true;
        memcpy(r->text + m.from, was, m.to - m.from);
        r->damage.count--;
    }
    return false;
}

/* Pieces that are good by themselves may not be together: those with errors are replaced. */
static void blank_at(struct repair *r, TSPoint error)
{
    struct piece all = {0, r->length}, p = all;
    if (!piece_at(r, offset_of(r, error), &p))
        blank(r, all, (TSPoint){0, 0}, 0, false);
    else if (!blank_method(r, p))
        blank(r, p, (TSPoint){0, 0}, p.from, false);
}

/* Whether every piece can be parsed, if quotes and brackets are right. */
static bool pieces_parse(struct repair *r)
{
    piece_list pieces = {0};
    TSPoint error;
    bool good = true;
    r->trusts_marks = true;
    cut(r, 0, r->length, 0, &pieces);
    r->trusts_marks = false;
    for (int i = 0; good && i < pieces.count; i++)
        good = piece_parses(r, pieces.items[i], &error);
    return good;
}

void repair_text(struct repair *r)
{
    if (pieces_parse(r))
        return;
    TSPoint error = {0, 0};
    for (uint32_t i = 0; i < r->length; i++)
        if (r->text[i] == '\n')
            LIST_ADD(r->arena, &r->lines, i);
    repair_pieces(r, 0, r->length, 0, 0, false);
    for (int i = 0; i < (r->length > LARGE ? 1 : MAX_ROUNDS); i++) {
        if (r->parses(r->context, r->text, r->length, &error))
            return;
        blank_at(r, error);
    }
    blank(r, (struct piece){0, r->length}, (TSPoint){0, 0}, 0, false);
}

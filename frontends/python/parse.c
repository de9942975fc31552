/* Calls the parser, and repairs what it cannot parse. */
#include "frontends/python/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* tree-sitter before 0.20.8 frees a node of errors with 65,536 children twice. A text with so many
 * tokens is repaired before all of it is parsed, so that there are no errors; what still has some
 * is parsed in a process of its own, like all files. */
enum { MANY_TOKENS = 60000, MAX_MICROSECONDS = 20 * 1000 * 1000 };

struct parsing {
    const struct grammar *grammar;
    TSParser *parser;
};

/* The next line that begins with a call of type(), at or after `from`; length: none. */
static uint32_t call_of_type(const char *text, uint32_t length, uint32_t from)
{
    for (uint32_t i = from; i < length; i++) {
        uint32_t at = i, end;
        while (at < length && (text[at] == ' ' || text[at] == '\t'))
            at++;
        for (end = at + 4; end < length && text[end] == ' ';)
            end++;
        if (end < length && text[end] == '(' && !memcmp(text + at, "type", 4))
            return at;
        const char *line = memchr(text + i, '\n', length - i);
        i = line ? (uint32_t)(line - text) : length;
    }
    return length;
}

/* The grammar takes "type(x).y = z" for the definition of a type, as "type X = Y" is. It gets
 * another name to read there, of the same length; NULL: there is none to replace. */
static char *without_calls_of_type(const char *text, uint32_t length)
{
    uint32_t at = call_of_type(text, length, 0);
    char *other = at < length ? malloc(length + 1) : NULL;
    if (!other)
        return NULL;
    memcpy(other, text, length);
    other[length] = 0;
    for (; at < length; at = call_of_type(text, length, at + 1))
        memcpy(other + at, "TYPE", 4);
    return other;
}

/* The grammar's scanner remembers an f-string that did not end; setting the language resets it. */
static TSTree *tree_of(const struct parsing *p, const char *text, uint32_t length)
{
    char *other = without_calls_of_type(text, length);
    ts_parser_set_language(p->parser, grammar_language(p->grammar));
    TSTree *tree = ts_parser_parse_string(p->parser, NULL, other ? other : text, length);
    free(other);
    if (!tree) /* else the next parse would go on with this one */
        ts_parser_reset(p->parser);
    return tree;
}

/* Of tokens that were read before nothing fitted any more, the last one. */
static TSPoint place_of_error(TSNode n)
{
    uint32_t count = ts_node_is_missing(n) ? 0 : ts_node_child_count(n);
    TSPoint at = ts_node_start_point(n);
    TSPoint last = count ? ts_node_start_point(ts_node_child(n, count - 1)) : at;
    return last.row == at.row ? last : at;
}

/* The first error or missing token. */
static TSPoint first_error(TSNode root)
{
    TSTreeCursor c = ts_tree_cursor_new(root);
    TSNode n = root;
    for (bool more = true; more;) {
        n = ts_tree_cursor_current_node(&c);
        if (ts_node_is_missing(n) || ts_node_symbol(n) == (TSSymbol)-1)
            break;
        if (ts_node_has_error(n) && ts_tree_cursor_goto_first_child(&c))
            continue;
        while (more && !ts_tree_cursor_goto_next_sibling(&c))
            more = ts_tree_cursor_goto_parent(&c);
    }
    ts_tree_cursor_delete(&c);
    return place_of_error(n);
}

/* At least as many as the grammar sees. */
static bool has_many_tokens(const char *text, uint32_t length)
{
    int tokens = 0;
    for (uint32_t i = 1; i < length && tokens < MANY_TOKENS; i++)
        tokens += !isalnum((unsigned char)text[i]) || !isalnum((unsigned char)text[i - 1]);
    return tokens >= MANY_TOKENS;
}

/* Strings may contain any. */
static bool is_balanced(const char *text, uint32_t length)
{
    long open = 0;
    for (uint32_t i = 0; i < length; i++)
        open += !!strchr("([{", text[i]) - !!strchr(")]}", text[i]);
    return labs(open) < MANY_TOKENS / 2;
}

static bool parses(void *context, const char *text, uint32_t length, TSPoint *error)
{
    bool is_hopeless = has_many_tokens(text, length) && !is_balanced(text, length);
    TSTree *tree = is_hopeless ? NULL : tree_of(context, text, length);
    if (!tree)
        return false;
    TSNode root = ts_tree_root_node(tree);
    bool good = !ts_node_has_error(root);
    if (!good)
        *error = first_error(root);
    ts_tree_delete(tree);
    return good;
}

static void repair(struct parsed *p, struct parsing *with)
{
    struct repair r = {.arena = p->arena,
                       .text = arena_copy(p->arena, p->text, p->length + 1),
                       .length = p->length,
                       .parses = parses,
                       .context = with};
    repair_text(&r);
    for (int i = 0; i < r.damage.count; i++)
        LIST_ADD(p->arena, &p->damage, r.damage.items[i]);
    p->text = r.text;
    if (p->tree)
        ts_tree_delete(p->tree);
    p->tree = tree_of(with, p->text, p->length);
}

static struct parsed *parsed_new(const char *text, size_t length)
{
    struct arena *a = arena_new();
    struct parsed *p = arena_one(a, struct parsed);
    char *copy = arena_alloc(a, length + 1);
    memcpy(copy, text, length);
    *p = (struct parsed){.arena = a, .text = copy, .length = (uint32_t)length};
    return p;
}

struct parsed *parse_text(const struct grammar *g, const char *text, size_t length, struct error *e)
{
    if (length > INT32_MAX) {
        error_set(e, "too large");
        return NULL;
    }
    struct parsed *p = parsed_new(text, length);
    struct parsing with = {g, ts_parser_new()};
    ts_parser_set_timeout_micros(with.parser, MAX_MICROSECONDS);
    if (!has_many_tokens(text, p->length))
        p->tree = tree_of(&with, p->text, p->length);
    if (!p->tree || ts_node_has_error(ts_tree_root_node(p->tree)))
        repair(p, &with);
    ts_parser_delete(with.parser);
    if (p->tree)
        return p;
    error_set(e, "takes too long to parse");
    parsed_free(p);
    return NULL;
}

void parsed_free(struct parsed *p)
{
    if (!p)
        return;
    if (p->tree)
        ts_tree_delete(p->tree);
    arena_free(p->arena);
}

bool parsed_is_damaged(const struct parsed *p, uint32_t from, uint32_t to)
{
    for (int i = 0; i < p->damage.count; i++)
        if (p->damage.items[i].from < to && p->damage.items[i].to > from)
            return true;
    return false;
}

bool parsed_is_damaged_outside(const struct parsed *p)
{
    for (int i = 0; i < p->damage.count; i++)
        if (!p->damage.items[i].in_function)
            return true;
    return false;
}

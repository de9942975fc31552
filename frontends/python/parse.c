/* Calls the parser, and repairs what it cannot parse. */
#include "frontends/python/parse.h"

#include <string.h>

struct parsing {
    const struct grammar *grammar;
    TSParser *parser;
};

static TSTree *tree_of(const struct parsing *p, const char *text, uint32_t length)
{
    return ts_parser_parse_string(p->parser, NULL, text, length);
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
    return ts_node_start_point(n);
}

static bool parses(void *context, const char *text, uint32_t length, TSPoint *error)
{
    TSTree *tree = tree_of(context, text, length);
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
    ts_parser_set_language(with.parser, grammar_language(g));
    p->tree = tree_of(&with, p->text, p->length);
    if (p->tree && ts_node_has_error(ts_tree_root_node(p->tree)))
        repair(p, &with);
    ts_parser_delete(with.parser);
    if (p->tree)
        return p;
    error_set(e, "cannot be parsed");
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

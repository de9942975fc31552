/* The tables between tree-sitter's numbers for the grammar and ours, and access to nodes by them.
 */
#include "frontends/python/tree.h"

#include <string.h>

const TSLanguage *tree_sitter_python(void);

enum { SYMBOLS = 1024 }; /* the grammar has about 280; that of errors is beyond */

struct grammar {
    struct arena *arena;
    const TSLanguage *language;
    uint8_t kind[SYMBOLS];
    TSFieldId field[FIELD_COUNT];
};

static const char *const node_names[] = {
#define NODE(name) [NODE_##name] = #name,
#define FIELD(name)
#include "frontends/python/grammar.def"
#undef NODE
#undef FIELD
};

static const char *const field_names[] = {
#define NODE(name)
#define FIELD(name) [FIELD_##name] = #name,
#include "frontends/python/grammar.def"
#undef NODE
#undef FIELD
};

static uint8_t kind_named(const char *name)
{
    for (int k = NODE_ERROR + 1; k < NODE_COUNT; k++)
        if (strcmp(node_names[k], name) == 0)
            return (uint8_t)k;
    return NODE_OTHER;
}

static void number_kinds(struct grammar *g)
{
    uint32_t count = ts_language_symbol_count(g->language);
    for (uint32_t s = 0; s < count && s < SYMBOLS; s++)
        if (ts_language_symbol_type(g->language, (TSSymbol)s) == TSSymbolTypeRegular)
            g->kind[s] = kind_named(ts_language_symbol_name(g->language, (TSSymbol)s));
    for (int f = 0; f < FIELD_COUNT; f++)
        g->field[f] = ts_language_field_id_for_name(g->language, field_names[f],
                                                    (uint32_t)strlen(field_names[f]));
}

struct grammar *grammar_new(void)
{
    const TSLanguage *language = tree_sitter_python();
    uint32_t version = ts_language_version(language);
    if (version > TREE_SITTER_LANGUAGE_VERSION ||
        version < TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION)
        return NULL;
    struct arena *a = arena_new();
    struct grammar *g = arena_one(a, struct grammar);
    g->arena = a;
    g->language = language;
    number_kinds(g);
    return g;
}

void grammar_free(struct grammar *g)
{
    arena_free(g->arena);
}

const TSLanguage *grammar_language(const struct grammar *g)
{
    return g->language;
}

enum node_kind node_kind(const struct grammar *g, TSNode n)
{
    if (ts_node_is_null(n))
        return NODE_OTHER;
    TSSymbol s = ts_node_symbol(n);
    return s < SYMBOLS ? (enum node_kind)g->kind[s] : NODE_ERROR;
}

TSNode node_field(const struct grammar *g, TSNode n, enum node_field f)
{
    return ts_node_is_null(n) ? n : ts_node_child_by_field_id(n, g->field[f]);
}

static bool is_wanted(TSNode n)
{
    return ts_node_is_named(n) && !ts_node_is_extra(n);
}

/* A cursor, as finding the i-th child takes i steps. */
struct nodes node_children(struct arena *a, TSNode n)
{
    if (ts_node_is_null(n))
        return (struct nodes){NULL, 0};
    struct nodes all = {arena_array(a, TSNode, ts_node_named_child_count(n) + 1), 0};
    TSTreeCursor c = ts_tree_cursor_new(n);
    for (bool more = ts_tree_cursor_goto_first_child(&c); more;
         more = ts_tree_cursor_goto_next_sibling(&c))
        if (is_wanted(ts_tree_cursor_current_node(&c)))
            all.items[all.count++] = ts_tree_cursor_current_node(&c);
    ts_tree_cursor_delete(&c);
    return all;
}

struct nodes node_all(const struct grammar *g, struct arena *a, TSNode n, enum node_field f)
{
    if (ts_node_is_null(n))
        return (struct nodes){NULL, 0};
    struct nodes all = {arena_array(a, TSNode, ts_node_child_count(n) + 1), 0};
    TSTreeCursor c = ts_tree_cursor_new(n);
    for (bool more = ts_tree_cursor_goto_first_child(&c); more;
         more = ts_tree_cursor_goto_next_sibling(&c)) {
        TSNode child = ts_tree_cursor_current_node(&c);
        if (ts_tree_cursor_current_field_id(&c) == g->field[f] && !ts_node_is_extra(child))
            all.items[all.count++] = child;
    }
    ts_tree_cursor_delete(&c);
    return all;
}

TSNode node_child(TSNode n, int i)
{
    uint32_t count = ts_node_is_null(n) ? 0 : ts_node_named_child_count(n);
    for (uint32_t k = 0; k < count; k++) {
        TSNode child = ts_node_named_child(n, k);
        if (!ts_node_is_extra(child) && i-- == 0)
            return child;
    }
    return (TSNode){.tree = NULL};
}

const char *node_word(TSNode n)
{
    return ts_node_is_null(n) ? "" : ts_node_type(n);
}

bool node_has(TSNode n, const char *mark)
{
    uint32_t count = ts_node_is_null(n) ? 0 : ts_node_child_count(n);
    for (uint32_t k = 0; k < count; k++)
        if (!ts_node_is_named(ts_node_child(n, k)) &&
            strcmp(ts_node_type(ts_node_child(n, k)), mark) == 0)
            return true;
    return false;
}

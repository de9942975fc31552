/* The syntax tree, as lowering sees it: nodes by kind, fields and children by number, so that no
 * name is compared while lowering. */
#ifndef FRONTENDS_PYTHON_TREE_H
#define FRONTENDS_PYTHON_TREE_H

#include <tree_sitter/api.h>

#include "analyzer/base/base.h"

enum node_kind {
    NODE_OTHER, /* a kind that lowering does not know */
    NODE_ERROR, /* text that is not Python */
#define NODE(name) NODE_##name,
#define FIELD(name)
#include "frontends/python/grammar.def"
#undef NODE
#undef FIELD
    NODE_COUNT
};

enum node_field {
#define NODE(name)
#define FIELD(name) FIELD_##name,
#include "frontends/python/grammar.def"
#undef NODE
#undef FIELD
    FIELD_COUNT
};

struct grammar;
/* NULL: the parser's library does not read this grammar. */
struct grammar *grammar_new(void);
void grammar_free(struct grammar *g);
const TSLanguage *grammar_language(const struct grammar *g);

struct nodes {
    TSNode *items;
    int count;
};

enum node_kind node_kind(const struct grammar *g, TSNode n); /* of no node: NODE_OTHER */
/* Below, nothing is found of no node. */
TSNode node_field(const struct grammar *g, TSNode n, enum node_field f);
/* Named children without comments. */
struct nodes node_children(struct arena *a, TSNode n);
/* Those of one field. */
struct nodes node_all(const struct grammar *g, struct arena *a, TSNode n, enum node_field f);
/* The first named child that is no comment. */
TSNode node_child(TSNode n, int i);
/* The name of its kind, which of a word or mark is itself; "" of no node. */
const char *node_word(TSNode n);
/* Whether it has this word or mark as a child: "from", ",". */
bool node_has(TSNode n, const char *mark);
#define node_is_null(n) ts_node_is_null(n)

#endif

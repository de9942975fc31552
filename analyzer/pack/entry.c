/* One entry of a pack's functions while it is read: its keys, and errors in it. */
#include "analyzer/pack/entry.h"

const struct node *entry_get(const struct entry *b, const char *key)
{
    for (int i = 0; i < b->depth; i++) {
        const struct node *n = node_get(b->chain[i], key);
        if (n)
            return n;
    }
    return NULL;
}

bool entry_fail(const struct entry *b, const struct node *n, const char *what)
{
    return error_at(b->error, b->pack->file, n->line, n->column, "%s", what);
}

bool entry_text(const struct entry *b, const struct node *n, const char *what)
{
    return expect_kind(b->pack->file, n, NODE_TEXT, what, b->error);
}

/* What is wrong in a pack: something of another kind than expected, a key or a word that is not
 * known. */
#include "analyzer/pack/private.h"

#include <string.h>

bool expect_kind(const char *file, const struct node *n, enum node_kind kind, const char *what,
                 struct error *e)
{
    if (n->kind == kind)
        return true;
    return error_at(e, file, n->line, n->column, "expected %s, not %s", what,
                    node_kind_name(n->kind));
}

/* The known words, as many as fit on a line. */
static void list_words(const char *const *known, int count, char *to, size_t room)
{
    size_t used = 0;
    to[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t length = strlen(known[i]);
        if (used + length + 8 > room) {
            memcpy(to + used, ", …", sizeof ", …");
            return;
        }
        if (used) {
            memcpy(to + used, ", ", 2);
            used += 2;
        }
        memcpy(to + used, known[i], length + 1);
        used += length;
    }
}

bool unknown_word(const char *file, const struct node *n, int offset, const char *what,
                  const char *word, const char *const *known, int count, struct error *e)
{
    int column = n->skew < 0 ? n->column : n->column + n->skew + offset;
    const char *near = word_nearest(word, known, count);
    if (near)
        return error_at(e, file, n->line, column, "unknown %s '%s'; did you mean '%s'?", what, word,
                        near);
    char words[200];
    list_words(known, count, words, sizeof words);
    return error_at(e, file, n->line, column, "unknown %s '%s'; expected %s%s", what, word,
                    count > 1 ? "one of: " : "", count ? words : "none at all");
}

static bool unknown_key(const char *file, const struct node *key, const char *where,
                        const char *const *known, int count, struct error *e)
{
    char what[64] = "key of ";
    strncat(what, where, sizeof what - strlen(what) - 1);
    return unknown_word(file, key, 0, what, key->text, known, count, e);
}

bool expect_keys(const char *file, const struct node *map, const char *const *known, int count,
                 const char *where, struct error *e)
{
    for (int i = 0; i < map->count; i++) {
        bool found = false;
        for (int j = 0; j < count && !found; j++)
            found = same_word(map->keys[i]->text, known[j]);
        if (!found)
            return unknown_key(file, map->keys[i], where, known, count, e);
    }
    return true;
}

/* Tables of dtypes: `tables: {partner: {f32: f32, q4_0: q8_0}}`, in expressions partner(a.dtype).
 * An entry is of a dtype, or of a set of them; the first that has a dtype decides. */
#include "analyzer/pack/private.h"

#include <stdlib.h>
#include <string.h>

struct pack_table {
    const char *name;
    enum answer_sort sort; /* ANSWER_DTYPE or ANSWER_NUMBER */
    dtype_set known;
    dtype_set dtypes[DTYPE_END];
    double numbers[DTYPE_END];
};

const struct pack_table *table_named(const struct pack *p, const char *name)
{
    for (int i = 0; p && i < p->tables.count; i++)
        if (strcmp(p->tables.items[i]->name, name) == 0)
            return p->tables.items[i];
    return NULL;
}

const char *table_name(const struct pack_table *t)
{
    return t->name;
}

enum answer_sort table_sort(const struct pack_table *t)
{
    return t->sort;
}

/* What is not in the table is not known. */
struct answer table_look_up(const struct pack_table *t, dtype_set of)
{
    struct answer all = {.known = true};
    bool is_first = true;
    if (of & ~t->known || !of)
        return t->sort == ANSWER_NUMBER ? (struct answer){0} : answer_set(DTYPES_EVERY);
    for (dtype_set left = of; left; left &= left - 1) {
        int d = __builtin_ctzll(left);
        all.mask |= t->dtypes[d];
        all.known &= is_first || all.number == t->numbers[d];
        all.number = t->numbers[d];
        is_first = false;
    }
    return all;
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool is_number(const struct node *n)
{
    char *end = NULL;
    if (n->kind != NODE_TEXT)
        return false;
    strtod(n->text, &end);
    return end != n->text && !*end;
}

static bool read_entry(struct pack_table *t, struct scope *s, const struct node *key,
                       const struct node *item, struct error *e)
{
    struct evaluation nothing = {0};
    struct expr *of = expr_compile(s, key, ANSWER_DTYPE, e);
    struct expr *is = of ? expr_compile(s, item, t->sort, e) : NULL;
    if (!is)
        return false;
    struct answer value = evaluate(&nothing, is);
    for (dtype_set left = evaluate(&nothing, of).mask & ~t->known; left; left &= left - 1) {
        int d = __builtin_ctzll(left);
        t->known |= DTYPE_BIT(d);
        t->dtypes[d] = value.mask;
        t->numbers[d] = value.number;
    }
    return true;
}

static bool read_table(struct pack_set *set, struct pack *p, const struct node *key,
                       const struct node *map, struct error *e)
{
    struct pack_table *t = arena_one(set->arena, struct pack_table);
    struct scope scope = {.arena = set->arena,
                          .file = p->file,
                          .sets = p->sets.items,
                          .set_count = p->sets.count,
                          .pack = p};
    if (!expect_kind(p->file, map, NODE_MAP, "dtypes and what belongs to them", e))
        return false;
    if (builtin_named(key->text))
        return error_at(e, p->file, key->line, key->column,
                        "'%s' is a function of expressions: the table needs another name",
                        key->text);
    t->name = key->text;
    t->sort = map->count && is_number(map->items[0]) ? ANSWER_NUMBER : ANSWER_DTYPE;
    for (int i = 0; i < map->count; i++)
        if (!read_entry(t, &scope, map->keys[i], map->items[i], e))
            return false;
    LIST_ADD(set->arena, &p->tables, t);
    return true;
}

bool tables_load(struct pack_set *set, struct pack *p, const struct node *map, struct error *e)
{
    if (!expect_kind(p->file, map, NODE_MAP, "names and tables", e))
        return false;
    for (int i = 0; i < map->count; i++)
        if (!read_table(set, p, map->keys[i], map->items[i], e))
            return false;
    return true;
}

/* YAML text in, a tree of nodes with places out. What libyaml has to complain about becomes an
 * error with line and column; so do keys that are no text or stand twice. */
#include "analyzer/pack/private.h"

#include <string.h>
#include <yaml.h>

struct reading {
    struct arena *arena;
    const char *file;
    yaml_document_t *document;
    struct node **nodes; /* by libyaml's number: an alias is the same node again */
    bool *open;          /* being read: met again, it contains itself */
    struct error *error;
};

const char *node_kind_name(enum node_kind kind)
{
    static const char *const names[] = {"a text", "a list", "a mapping"};
    return names[kind];
}

struct node *node_get(const struct node *map, const char *key)
{
    if (!map || map->kind != NODE_MAP)
        return NULL;
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->keys[i]->text, key) == 0)
            return map->items[i];
    return NULL;
}

static struct node *read_node(struct reading *r, int number);

static bool read_text(struct reading *r, const yaml_node_t *from, struct node *to)
{
    const char *text = (const char *)from->data.scalar.value;
    size_t length = from->data.scalar.length;
    if (memchr(text, 0, length))
        return error_at(r->error, r->file, to->line, to->column, "a text with a NUL in it");
    to->kind = NODE_TEXT;
    to->text = arena_text(r->arena, text, length);
    to->skew = from->start_mark.line != from->end_mark.line         ? -1
               : from->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? 0
                                                                    : 1;
    return true;
}

static bool read_list(struct reading *r, const yaml_node_t *from, struct node *to)
{
    const yaml_node_item_t *items = from->data.sequence.items.start;
    to->kind = NODE_LIST;
    to->count = (int)(from->data.sequence.items.top - items);
    to->items = arena_array(r->arena, struct node *, to->count);
    for (int i = 0; i < to->count; i++)
        if (!(to->items[i] = read_node(r, items[i])))
            return false;
    return true;
}

static bool key_is_new(struct reading *r, const struct node *map, int count)
{
    const struct node *key = map->keys[count];
    if (key->kind != NODE_TEXT)
        return error_at(r->error, r->file, key->line, key->column, "expected a text as key, not %s",
                        node_kind_name(key->kind));
    for (int i = 0; i < count; i++)
        if (strcmp(map->keys[i]->text, key->text) == 0)
            return error_at(r->error, r->file, key->line, key->column,
                            "'%s' stands here twice; first in line %d", key->text,
                            map->keys[i]->line);
    return true;
}

static bool read_map(struct reading *r, const yaml_node_t *from, struct node *to)
{
    const yaml_node_pair_t *pairs = from->data.mapping.pairs.start;
    to->kind = NODE_MAP;
    to->count = (int)(from->data.mapping.pairs.top - pairs);
    to->keys = arena_array(r->arena, struct node *, to->count);
    to->items = arena_array(r->arena, struct node *, to->count);
    for (int i = 0; i < to->count; i++) {
        to->keys[i] = read_node(r, pairs[i].key);
        if (!to->keys[i] || !key_is_new(r, to, i))
            return false;
        if (!(to->items[i] = read_node(r, pairs[i].value)))
            return false;
    }
    return true;
}

static bool read_content(struct reading *r, const yaml_node_t *from, struct node *to)
{
    switch (from->type) {
    case YAML_SCALAR_NODE:
        return read_text(r, from, to);
    case YAML_SEQUENCE_NODE:
        return read_list(r, from, to);
    case YAML_MAPPING_NODE:
        return read_map(r, from, to);
    case YAML_NO_NODE:
        break;
    }
    return error_at(r->error, r->file, to->line, to->column, "nothing that YAML knows");
}

static struct node *read_node(struct reading *r, int number)
{
    if (r->nodes[number])
        return r->nodes[number];
    const yaml_node_t *from = yaml_document_get_node(r->document, number);
    struct node *to = arena_one(r->arena, struct node);
    to->line = (int)from->start_mark.line + 1;
    to->column = (int)from->start_mark.column + 1;
    if (r->open[number]) {
        error_at(r->error, r->file, to->line, to->column, "this contains itself");
        return NULL;
    }
    r->open[number] = true;
    if (!read_content(r, from, to))
        return NULL;
    return r->nodes[number] = to;
}

static bool parser_error(const yaml_parser_t *parser, const char *file, struct error *e)
{
    const char *problem = parser->problem ? parser->problem : "not YAML";
    if (parser->context)
        return error_at(e, file, (int)parser->problem_mark.line + 1,
                        (int)parser->problem_mark.column + 1, "%s, %s (line %d)", problem,
                        parser->context, (int)parser->context_mark.line + 1);
    return error_at(e, file, (int)parser->problem_mark.line + 1,
                    (int)parser->problem_mark.column + 1, "%s", problem);
}

static struct node *read_document(struct arena *a, const char *file, yaml_document_t *document,
                                  struct error *e)
{
    int count = (int)(document->nodes.top - document->nodes.start) + 1;
    struct reading r = {
        a, file, document, arena_array(a, struct node *, count), arena_array(a, bool, count), e};
    if (count > 1)
        return read_node(&r, 1);
    error_at(e, file, 1, 1, "the file is empty: expected a pack");
    return NULL;
}

struct node *yaml_read(struct arena *a, const char *file, const char *text, size_t length,
                       struct error *e)
{
    yaml_parser_t parser;
    yaml_document_t document;
    struct node *root = NULL;
    if (!yaml_parser_initialize(&parser)) {
        error_set(e, "no memory to read %s", file);
        return NULL;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    if (yaml_parser_load(&parser, &document)) {
        root = read_document(a, file, &document, e);
        yaml_document_delete(&document);
    } else {
        parser_error(&parser, file, e);
    }
    yaml_parser_delete(&parser);
    return root;
}

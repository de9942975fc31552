/* YAML text in, a tree of nodes with positions out. Errors of libyaml become errors with line and
 * column; so do keys that are not text or occur twice. Events are read rather than documents, which
 * would be copied once more. */
#include "analyzer/pack/private.h"

#include <string.h>
#include <yaml.h>

/* Ten times what the largest pack has. An aliased node counts each time it is used: a few lines of
 * aliases of aliases can expand to more than memory holds. */
enum { DEEPEST = 60, MOST_NODES = 100000, MOST_ANCHORS = 1000 };

struct anchor {
    const char *name;
    struct node *node;
    bool open; /* being read: an alias to it here would contain itself */
};

struct reading {
    struct arena *arena;
    const char *file;
    yaml_parser_t parser;
    LIST(struct anchor) anchors;
    int depth;
    int nodes; /* so far */
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
        if (same_word(map->keys[i]->text, key))
            return map->items[i];
    return NULL;
}

/* ---- events -----------------------------------------------------------------------------------
 */

static bool parser_error(const yaml_parser_t *parser, const char *file, struct error *e)
{
    const char *problem = parser->problem ? parser->problem : "not YAML";
    int line = (int)parser->problem_mark.line + 1, column = (int)parser->problem_mark.column + 1;
    if (parser->context)
        return error_at(e, file, line, column, "%s, %s (line %d)", problem, parser->context,
                        (int)parser->context_mark.line + 1);
    return error_at(e, file, line, column, "%s", problem);
}

static bool next(struct reading *r, yaml_event_t *event)
{
    return yaml_parser_parse(&r->parser, event) || parser_error(&r->parser, r->file, r->error);
}

/* ---- nodes ------------------------------------------------------------------------------------
 */

static struct node *read_event(struct reading *r, yaml_event_t *event);

/* Almost all that packs have; every run reads them. */
static bool is_printable_ascii(char c)
{
    return c >= ' ' && c <= '~';
}

/* Texts of a pack get into source files, patches and logs. */
static bool has_control(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint32_t letter;
        if (is_printable_ascii(text[at])) {
            at++;
            continue;
        }
        size_t n = letter_at(text + at, length - at, &letter);
        if (letter_is_obeyed(letter) && letter != '\n' && letter != '\t')
            return true;
        at += n ? n : 1;
    }
    return false;
}

static bool read_text(struct reading *r, const yaml_event_t *from, struct node *to)
{
    const char *text = (const char *)from->data.scalar.value;
    size_t length = from->data.scalar.length;
    if (memchr(text, 0, length))
        return error_at(r->error, r->file, to->line, to->column, "a text with a NUL in it");
    if (has_control(text, length))
        return error_at(r->error, r->file, to->line, to->column,
                        "a text with a control character in it");
    to->kind = NODE_TEXT;
    to->text = arena_text(r->arena, text, length);
    to->skew = from->start_mark.line != from->end_mark.line         ? -1
               : from->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? 0
                                                                    : 1;
    return true;
}

/* The next node, or NULL: an error if *ended is false, else the end of what is being read. */
static struct node *read_next(struct reading *r, yaml_event_type_t end, bool *ended)
{
    yaml_event_t event;
    struct node *node = NULL;
    *ended = false;
    if (!next(r, &event))
        return NULL;
    if (event.type == end)
        *ended = true;
    else
        node = read_event(r, &event);
    yaml_event_delete(&event);
    return node;
}

static bool read_list(struct reading *r, struct node *to)
{
    LIST(struct node *) items = {0};
    struct node *item;
    bool ended;
    while ((item = read_next(r, YAML_SEQUENCE_END_EVENT, &ended)))
        LIST_ADD(r->arena, &items, item);
    to->kind = NODE_LIST;
    to->items = items.items;
    to->count = items.count;
    return ended;
}

/* The keys of a mapping so far. Most have a handful, which are compared one by one; more are looked
 * up by hash. */
enum { FEW_KEYS = 16 };
struct keys {
    LIST(struct node *) list;
    struct map *by_hash; /* NULL: few */
};

static uint64_t key_of(const struct node *n)
{
    return hash_bytes(n->text, strlen(n->text), 0);
}

static const struct node *find_key(const struct keys *k, const struct node *key)
{
    const struct node *found = k->by_hash ? map_get(k->by_hash, key_of(key)) : NULL;
    for (int i = 0; !k->by_hash && !found && i < k->list.count; i++)
        found = same_word(k->list.items[i]->text, key->text) ? k->list.items[i] : NULL;
    return found && strcmp(found->text, key->text) == 0 ? found : NULL;
}

static void add_key(struct reading *r, struct keys *k, struct node *key)
{
    LIST_ADD(r->arena, &k->list, key);
    int first = k->by_hash ? k->list.count - 1 : 0;
    if (k->list.count == FEW_KEYS)
        k->by_hash = map_new(r->arena);
    for (int i = first; k->by_hash && i < k->list.count; i++)
        map_put(k->by_hash, key_of(k->list.items[i]), k->list.items[i]);
}

static bool key_is_new(struct reading *r, const struct keys *k, const struct node *key)
{
    if (key->kind != NODE_TEXT)
        return error_at(r->error, r->file, key->line, key->column, "expected a text as key, not %s",
                        node_kind_name(key->kind));
    const struct node *first = find_key(k, key);
    return !first || error_at(r->error, r->file, key->line, key->column,
                              "'%s' is here twice; first in line %d", key->text, first->line);
}

static bool read_map(struct reading *r, struct node *to)
{
    struct keys keys = {0};
    LIST(struct node *) items = {0};
    struct node *key, *item;
    bool ended, unused;
    while ((key = read_next(r, YAML_MAPPING_END_EVENT, &ended))) {
        if (!key_is_new(r, &keys, key) || !(item = read_next(r, YAML_NO_EVENT, &unused)))
            return false;
        add_key(r, &keys, key);
        LIST_ADD(r->arena, &items, item);
    }
    to->kind = NODE_MAP;
    to->keys = keys.list.items;
    to->items = items.items;
    to->count = items.count;
    return ended;
}

/* ---- names for nodes --------------------------------------------------------------------------
 */

static struct node *anchored(struct reading *r, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    int line = (int)event->start_mark.line + 1, column = (int)event->start_mark.column + 1;
    for (int i = r->anchors.count - 1; i >= 0; i--) {
        const struct anchor *a = &r->anchors.items[i];
        if (strcmp(a->name, name) != 0)
            continue;
        if (!a->open)
            return a->node;
        error_at(r->error, r->file, line, column, "this contains itself");
        return NULL;
    }
    error_at(r->error, r->file, line, column, "no anchor &%s above", name);
    return NULL;
}

static const char *anchor_of(const yaml_event_t *event)
{
    return (const char *)(event->type == YAML_SCALAR_EVENT ? event->data.scalar.anchor
                          : event->type == YAML_SEQUENCE_START_EVENT
                              ? event->data.sequence_start.anchor
                              : event->data.mapping_start.anchor);
}

static bool read_content(struct reading *r, const yaml_event_t *event, struct node *to)
{
    if (event->type == YAML_SCALAR_EVENT)
        return read_text(r, event, to);
    if (r->depth == DEEPEST)
        return error_at(r->error, r->file, to->line, to->column, "nested too deep");
    r->depth++;
    bool fine = event->type == YAML_SEQUENCE_START_EVENT ? read_list(r, to) : read_map(r, to);
    r->depth--;
    return fine;
}

static bool too_much(struct reading *r, const struct node *at)
{
    return error_at(r->error, r->file, at->line, at->column,
                    "more than %d values, or %d names for them, are too many", MOST_NODES,
                    MOST_ANCHORS);
}

static bool measure(struct reading *r, struct node *n)
{
    int64_t size = 1;
    for (int i = 0; i < n->count; i++)
        size += n->items[i]->size + (n->keys ? 1 : 0);
    n->size = size > MOST_NODES ? MOST_NODES : (int)size;
    return size <= MOST_NODES || too_much(r, n);
}

static struct node *read_event(struct reading *r, yaml_event_t *event)
{
    if (event->type == YAML_ALIAS_EVENT)
        return anchored(r, event);
    struct node *to = arena_one(r->arena, struct node);
    const char *name = anchor_of(event);
    int anchor = r->anchors.count;
    to->line = (int)event->start_mark.line + 1;
    to->column = (int)event->start_mark.column + 1;
    if (++r->nodes > MOST_NODES || r->anchors.count == MOST_ANCHORS) {
        too_much(r, to);
        return NULL;
    }
    if (name) {
        struct anchor a = {arena_text(r->arena, name, strlen(name)), to, true};
        LIST_ADD(r->arena, &r->anchors, a);
    }
    if (!read_content(r, event, to) || !measure(r, to))
        return NULL;
    if (name)
        r->anchors.items[anchor].open = false;
    return to;
}

/* ---- documents --------------------------------------------------------------------------------
 */

/* Skips the start of the stream and of its document. */
static bool skip_start(struct reading *r)
{
    for (int i = 0; i < 2; i++) {
        yaml_event_t event;
        if (!next(r, &event))
            return false;
        bool end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (end)
            return error_at(r->error, r->file, 1, 1, "the file is empty: expected a pack");
    }
    return true;
}

/* Only the end of the document and of the stream may follow. */
static bool nothing_follows(struct reading *r)
{
    for (int i = 0; i < 2; i++) {
        yaml_event_t event;
        if (!next(r, &event))
            return false;
        bool more = event.type == YAML_DOCUMENT_START_EVENT;
        int line = (int)event.start_mark.line + 1;
        yaml_event_delete(&event);
        if (more)
            return error_at(r->error, r->file, line, 1, "expected one pack, this begins a second");
    }
    return true;
}

struct node *yaml_read(struct arena *a, const char *file, const char *text, size_t length,
                       struct error *e)
{
    struct reading r = {.arena = a, .file = file, .error = e};
    bool ended;
    if (!yaml_parser_initialize(&r.parser)) {
        error_set(e, "no memory to read %s", file);
        return NULL;
    }
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, length);
    struct node *root = skip_start(&r) ? read_next(&r, YAML_NO_EVENT, &ended) : NULL;
    if (root && !nothing_follows(&r))
        root = NULL;
    yaml_parser_delete(&r.parser);
    return root;
}

/* Verdicts in a file, FOLDER/verdicts.json. The most recently used are last; if there are more than
 * MAX_ENTRIES, the first are dropped. */
#include "analyzer/verify/verdict.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 2, MAX_ENTRIES = 10000 };

static const char file_name[] = "verdicts.json";

struct entry {
    uint64_t identity, state;
    struct verdict verdict;
    const char *rule, *place; /* for readers of the file */
    bool used;                /* in this run */
};

struct verdicts {
    struct arena *arena;
    struct state_folder *folder;
    LIST(struct entry *) entries;
    struct map *by_identity;
    const char *tools; /* NULL: not known */
    bool changed;
};

/* ---- reading -------------------------------------------------------------------------------- */

static const char *text_of(struct arena *a, const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);
    return json_is_string(value)
               ? arena_text(a, json_string_value(value), json_string_length(value))
               : NULL;
}

static bool read_hash(const json_t *o, const char *key, uint64_t *out)
{
    const char *text = json_string_value(json_object_get(o, key));
    char *end;
    if (!text || strlen(text) != 16)
        return false;
    *out = strtoull(text, &end, 16);
    return !*end;
}

/* Names of devices are constants, which are never freed. */
static const char *device_named(const char *name)
{
    static const char *const devices[] = {"cpu", "cuda", "simulated cuda"};
    for (size_t i = 0; name && i < sizeof devices / sizeof *devices; i++)
        if (!strcmp(devices[i], name))
            return devices[i];
    return NULL;
}

static bool read_entry(struct verdicts *v, const json_t *o)
{
    struct entry n = {.rule = text_of(v->arena, o, "rule"), .place = text_of(v->arena, o, "place")};
    const char *kind = json_string_value(json_object_get(o, "kind"));
    struct verdict *d = &n.verdict;
    *d = (struct verdict){.entry = text_of(v->arena, o, "entry"),
                          .device = device_named(json_string_value(json_object_get(o, "device"))),
                          .what = text_of(v->arena, o, "what"),
                          .inputs = text_of(v->arena, o, "inputs"),
                          .held = text_of(v->arena, o, "held"),
                          .ns = (uint64_t)json_integer_value(json_object_get(o, "ns"))};
    if (!read_hash(o, "finding", &n.identity) || !read_hash(o, "state", &n.state) || !kind ||
        !verdict_named(kind, &d->kind) || !d->kind || !d->entry || !d->what || !n.rule || !n.place)
        return false;
    struct entry *kept = arena_copy(v->arena, &n, sizeof n);
    LIST_ADD(v->arena, &v->entries, kept);
    map_put(v->by_identity, n.identity, kept);
    return true;
}

static bool read_root(struct verdicts *v, const json_t *root)
{
    const json_t *version = json_object_get(root, "version");
    const json_t *list = json_object_get(root, "verdicts");
    if (!json_is_integer(version) || json_integer_value(version) != VERSION || !json_is_array(list))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!read_entry(v, json_array_get(list, i)))
            return false;
    v->tools = text_of(v->arena, root, "tools");
    return true;
}

/* The beginning of the file, with the seal of the rest. */
static void print_head(const struct verdicts *v, const char *rest, size_t length, struct text *out)
{
    struct digest seal = seal_of(&v->folder->seal, rest, length);
    text_printf(out, "{\n  \"version\": %d,\n  \"seal\": \"%016" PRIx64 "%016" PRIx64 "\",\n",
                VERSION, seal.low, seal.high);
}

static bool has_seal(const struct verdicts *v, const char *text, size_t length)
{
    struct text head = {0};
    print_head(v, "", 0, &head);
    size_t n = head.length;
    head.length = 0;
    if (length > n)
        print_head(v, text + n, length - n, &head);
    bool ok = length > n && head.length == n && !memcmp(text, head.data, n);
    text_free(&head);
    return ok;
}

static bool read_text(struct verdicts *v, const char *text, size_t length)
{
    json_error_t wrong;
    json_t *root =
        has_seal(v, text, length) ? json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong) : NULL;
    bool ok = root && read_root(v, root);
    json_decref(root);
    return ok;
}

struct verdicts *verdicts_open(struct arena *a, struct state_folder *folder, struct error *e)
{
    struct verdicts *v = arena_one(a, struct verdicts);
    size_t length;
    *v = (struct verdicts){.arena = a, .folder = folder, .by_identity = map_new(a)};
    const char *text = folder->is_sealed ? state_read(folder, a, file_name, &length) : NULL;
    if (text && !read_text(v, text, length)) {
        v->tools = NULL;
        v->entries.count = 0;
        v->by_identity = map_new(a);
        error_at(e, arena_printf(a, "%s/%s", folder->path, file_name), 0, 0,
                 "was not written by miscast for this folder and is not used; remove it to keep "
                 "verdicts again");
    }
    return v;
}

/* ---- using ---------------------------------------------------------------------------------- */

bool verdicts_get(struct verdicts *v, uint64_t identity, uint64_t state, struct verdict *out)
{
    struct entry *n = map_get(v->by_identity, identity);
    if (!n || n->state != state)
        return false;
    n->used = true;
    *out = n->verdict;
    return true;
}

bool verdicts_know(struct verdicts *v, uint64_t identity, bool refuted)
{
    const struct entry *n = map_get(v->by_identity, identity);
    return n && (!refuted || n->verdict.kind == VERDICT_REFUTED);
}

const char *verdicts_tools(const struct verdicts *v)
{
    return v->tools;
}

void verdicts_set_tools(struct verdicts *v, const char *tools)
{
    v->changed |= !v->tools || strcmp(v->tools, tools) != 0;
    v->tools = tools;
}

void verdicts_put(struct verdicts *v, const struct finding *f, uint64_t state)
{
    if (!f->verdict.kind || !f->verdict.entry)
        return;
    struct entry *n = map_get(v->by_identity, f->identity);
    if (!n) {
        n = arena_one(v->arena, struct entry);
        LIST_ADD(v->arena, &v->entries, n);
        map_put(v->by_identity, f->identity, n);
    }
    *n = (struct entry){.identity = f->identity,
                        .state = state,
                        .verdict = f->verdict,
                        .rule = f->rule,
                        .place = arena_printf(v->arena, "%s:%d", f->span.file, f->span.line),
                        .used = true};
    v->changed = true;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void add_member(struct text *out, const char *key, const char *value)
{
    if (!value)
        return;
    text_printf(out, ", \"%s\": ", key);
    text_add_json(out, value);
}

static void add_entry(struct text *out, const struct entry *n, bool first)
{
    const struct verdict *d = &n->verdict;
    text_printf(out, "%s\n    {\"finding\": \"%016" PRIx64 "\", \"state\": \"%016" PRIx64 "\"",
                first ? "" : ",", n->identity, n->state);
    add_member(out, "rule", n->rule);
    add_member(out, "place", n->place);
    add_member(out, "kind", verdict_name(d->kind));
    add_member(out, "entry", d->entry);
    add_member(out, "device", d->device);
    add_member(out, "what", d->what);
    add_member(out, "inputs", d->inputs);
    add_member(out, "held", d->held);
    text_printf(out, ", \"ns\": %" PRIu64 "}", d->ns);
}

/* All but the head. */
static void add_all(const struct verdicts *v, struct text *out)
{
    int spare = v->entries.count - MAX_ENTRIES;
    bool first = true;
    text_add(out, "  \"verdicts\": [");
    for (int used = 0; used < 2; used++)
        for (int i = 0; i < v->entries.count; i++) {
            if (v->entries.items[i]->used != used || spare-- > 0)
                continue;
            add_entry(out, v->entries.items[i], first);
            first = false;
        }
    text_add(out, "\n  ]");
    if (v->tools) {
        text_add(out, ",\n  \"tools\": ");
        text_add_json(out, v->tools);
    }
    text_add(out, "\n}\n");
}

bool verdicts_save(struct verdicts *v, struct error *e)
{
    struct text out = {0}, all = {0};
    if (!v->changed)
        return true;
    if (!state_make(v->folder, e))
        return false;
    add_all(v, &out);
    print_head(v, out.data, out.length, &all);
    text_add_range(&all, out.data, out.length);
    bool ok = state_write(v->folder, file_name, all.data, all.length, false, e);
    text_free(&out);
    text_free(&all);
    v->changed = v->changed && !ok;
    return ok;
}

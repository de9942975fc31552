/* Reads a pack's file into the set: the top-level keys, then each function. */
#include "analyzer/pack/embedded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct loading {
    struct pack_set *set;
    struct pack *pack;
    struct error *error;
};

const char *const pack_keys[] = {"pack",      "about",    "prefix",        "tensors",   "dtypes",
                                 "devices",   "sets",     "checks",        "templates", "functions",
                                 "ambient",   "elements", "goes_on",       "spelling",  "ops",
                                 "constants", "aliases",  "phrases",       "tables",    "examples",
                                 "backends",  "target",   "tensor_methods"};
const int pack_key_count = sizeof pack_keys / sizeof pack_keys[0];

/* ---- dtypes and devices as the API's constants
 * ----------------------------------------------------- */

/* Values of an enum, and few enough to iterate over. */
static bool is_range(int64_t low, int64_t high)
{
    return low >= INT32_MIN && high <= UINT32_MAX && low <= high && high - low < 4096;
}

/* "2" or "2..65" */
static bool read_range(struct loading *l, const struct node *n, int64_t *low, int64_t *high)
{
    char *end = NULL;
    if (!expect_kind(l->pack->file, n, NODE_TEXT, "a number", l->error))
        return false;
    errno = 0;
    *low = *high = strtoll(n->text, &end, 0);
    bool fine = end != n->text;
    if (fine && strncmp(end, "..", 2) == 0) {
        const char *second = end + 2;
        *high = strtoll(second, &end, 0);
        fine = end != second;
    }
    if (fine && !*end && !errno && is_range(*low, *high))
        return true;
    return error_at(l->error, l->pack->file, n->line, n->column,
                    "expected a number, or two as in 2..5");
}

static void put_value(struct loading *l, bool devices, int word, int64_t low, int64_t high)
{
    struct enum_value v = {word, low, high, low, high};
    l->pack->named_dtypes |= devices || word == DTYPE_NONE ? 0 : DTYPE_BIT(word);
    if (devices)
        LIST_ADD(l->set->arena, &l->pack->devices, v);
    else
        LIST_ADD(l->set->arena, &l->pack->dtypes, v);
}

static bool unknown_value(struct loading *l, const struct node *key, bool devices)
{
    const char *known[DTYPE_END + 4] = {"default", devices ? "any" : "sets_from"};
    int count = 2;
    for (int i = devices ? 0 : DTYPE_BOOL; i < (devices ? (int)DEVICE_COUNT : dtype_end()); i++)
        known[count++] = devices ? device_name((enum device)i) : dtype_word((enum dtype)i);
    return unknown_word(l->pack->file, key, 0, devices ? "device" : "dtype", key->text, known,
                        count, l->error);
}

/* "q4_0: {value: 2, quantised: yes}": a dtype of the pack's own. */
static bool declare_dtype(struct loading *l, const struct node *key, const struct node *item)
{
    int64_t low, high;
    enum dtype d;
    if (!dtype_declare(l->set, l->pack, key, item, &d, l->error) ||
        !read_range(l, node_get(item, "value"), &low, &high))
        return false;
    l->pack->has_own_dtypes = true;
    put_value(l, false, (int)d, low, high);
    return true;
}

static bool read_value(struct loading *l, const struct node *key, const struct node *item,
                       bool devices)
{
    int64_t low, high;
    const char *name = key->text;
    if (!devices && item->kind == NODE_MAP)
        return declare_dtype(l, key, item);
    int word = devices ? (int)device_named(name) : (int)dtype_named(name);
    bool known = devices ? word != DEVICE_COUNT : word != DTYPE_NONE;
    if (!read_range(l, item, &low, &high))
        return false;
    if (known) {
        put_value(l, devices, word, low, high);
    } else if (devices && strcmp(name, "any") == 0) {
        l->pack->has_any_device = true;
        l->pack->any_device = low;
    } else if (!devices && strcmp(name, "sets_from") == 0) {
        l->pack->set_from = low;
    } else if (strcmp(name, "default") != 0) {
        return unknown_value(l, key, devices);
    } else if (!devices) { /* what is returned if there is no dtype */
        put_value(l, devices, DTYPE_NONE, low, high);
    }
    return true;
}

static bool read_values(struct loading *l, const struct node *map, bool devices)
{
    if (!expect_kind(l->pack->file, map, NODE_MAP, "names and their numbers", l->error))
        return false;
    for (int i = 0; i < map->count; i++)
        if (!read_value(l, map->keys[i], map->items[i], devices))
            return false;
    return true;
}

/* ---- named sets -------------------------------------------------------------------------------
 */

static bool read_set(struct loading *l, const struct node *key, const struct node *item)
{
    struct scope scope = {.arena = l->set->arena,
                          .file = l->pack->file,
                          .sets = l->pack->sets.items,
                          .set_count = l->pack->sets.count,
                          .pack = l->pack};
    struct expr *x = expr_compile(&scope, item, ANSWER_DTYPE, l->error);
    if (!x)
        return false;
    struct evaluation nothing = {0};
    struct named_set set = {key->text, evaluate(&nothing, x).mask};
    LIST_ADD(l->set->arena, &l->pack->sets, set);
    return true;
}

static bool read_sets(struct loading *l, const struct node *map)
{
    if (!expect_kind(l->pack->file, map, NODE_MAP, "names and sets of dtypes", l->error))
        return false;
    for (int i = 0; i < map->count; i++)
        if (!read_set(l, map->keys[i], map->items[i]))
            return false;
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

/* A list of types, or types and what is in their fields. */
static bool read_tensors(struct loading *l, const struct node *list)
{
    for (int i = 0; list->kind == NODE_MAP && i < list->count; i++) {
        const char *record = name_of(l->set->names, list->keys[i]->text);
        LIST_ADD(l->set->arena, &l->pack->tensor_types, record);
        if (!tensor_fields_load(l->set, l->pack, record, list->items[i], l->error))
            return false;
    }
    if (list->kind == NODE_MAP)
        return true;
    if (!expect_kind(l->pack->file, list, NODE_LIST, "a list of types", l->error))
        return false;
    for (int i = 0; i < list->count; i++) {
        const struct node *n = list->items[i];
        if (!expect_kind(l->pack->file, n, NODE_TEXT, "the name of a type", l->error))
            return false;
        LIST_ADD(l->set->arena, &l->pack->tensor_types, name_of(l->set->names, n->text));
    }
    return true;
}

/* "__half: f16" */
static bool read_elements(struct loading *l, const struct node *map)
{
    if (!expect_kind(l->pack->file, map, NODE_MAP, "types and their dtypes", l->error))
        return false;
    for (int i = 0; i < map->count; i++) {
        const struct node *n = map->items[i];
        if (!expect_kind(l->pack->file, n, NODE_TEXT, "a dtype", l->error))
            return false;
        struct element_type type = {map->keys[i]->text, dtype_named(n->text)};
        if (type.dtype == DTYPE_NONE || type.dtype >= DTYPE_COUNT)
            return unknown_value(l, n, false);
        LIST_ADD(l->set->arena, &l->pack->element_types, type);
    }
    return true;
}

/* The packs whose functions are ops of this one. */
/* A list of names; one: what each of them is. */
static bool read_names(struct loading *l, const struct node *list, const char *one, text_list *out)
{
    if (!expect_kind(l->pack->file, list, NODE_LIST, "a list of names", l->error))
        return false;
    for (int i = 0; i < list->count; i++) {
        if (!expect_kind(l->pack->file, list->items[i], NODE_TEXT, one, l->error))
            return false;
        LIST_ADD(l->set->arena, out, list->items[i]->text);
    }
    return true;
}

static bool read_text_key(struct loading *l, const struct node *root, const char *key,
                          const char **out)
{
    const struct node *n = node_get(root, key);
    if (!n)
        return true;
    *out = n->text;
    return expect_kind(l->pack->file, n, NODE_TEXT, "a text", l->error);
}

static bool read_map_key(struct loading *l, const struct node *root, const char *key,
                         const struct node **out)
{
    *out = node_get(root, key);
    return !*out || expect_kind(l->pack->file, *out, NODE_MAP, "a mapping", l->error);
}

/* ambient: yes */
static bool read_yes(struct loading *l, const struct node *root, const char *key, bool *yes)
{
    const struct node *n = node_get(root, key);
    const char *text = NULL;
    if (!read_text_key(l, root, key, &text) || !text)
        return !n;
    *yes = strcmp(text, "yes") == 0;
    return *yes || strcmp(text, "no") == 0 ||
           error_at(l->error, l->pack->file, n->line, n->column, "expected 'yes' or 'no'");
}

static bool read_head(struct loading *l, const struct node *root)
{
    const struct node *n;
    if (!read_text_key(l, root, "pack", &l->pack->name) ||
        !read_text_key(l, root, "prefix", &l->pack->prefix) ||
        !read_yes(l, root, "ambient", &l->pack->is_ambient) ||
        !read_yes(l, root, "goes_on", &l->pack->goes_on) ||
        !read_map_key(l, root, "templates", &l->pack->templates) ||
        !read_map_key(l, root, "checks", &l->pack->checks) ||
        !read_map_key(l, root, "phrases", &l->pack->phrases))
        return false;
    if (!l->pack->name)
        return error_at(l->error, l->pack->file, root->line, root->column,
                        "expected 'pack', the name of the pack");
    return backends_load(l->set, l->pack, node_get(root, "backends"), node_get(root, "target"),
                         l->error) &&
           (!(n = node_get(root, "tensors")) || read_tensors(l, n)) &&
           (!(n = node_get(root, "elements")) || read_elements(l, n)) &&
           (!(n = node_get(root, "dtypes")) || read_values(l, n, false)) &&
           (!(n = node_get(root, "devices")) || read_values(l, n, true)) &&
           (!(n = node_get(root, "sets")) || read_sets(l, n)) &&
           (!(n = node_get(root, "tables")) || tables_load(l->set, l->pack, n, l->error)) &&
           (!(n = node_get(root, "ops")) ||
            read_names(l, n, "the name of a pack", &l->pack->ops)) &&
           (!(n = node_get(root, "tensor_methods")) ||
            read_names(l, n, "the name of a method", &l->set->tensor_methods)) &&
           (!(n = node_get(root, "constants")) || constants_load(l->set, l->pack, n, l->error)) &&
           (!(n = node_get(root, "aliases")) || aliases_load(l->set, l->pack, n, l->error)) &&
           (!(n = node_get(root, "spelling")) || spelling_load(l->set, l->pack, n, l->error));
}

static bool read_functions(struct loading *l, const struct node *root)
{
    const struct node *list = l->pack->functions;
    if (!list)
        return error_at(l->error, l->pack->file, root->line, root->column,
                        "expected 'functions', a list");
    if (!expect_kind(l->pack->file, list, NODE_LIST, "a list of functions", l->error))
        return false;
    for (int i = 0; i < list->count; i++) {
        int order = ++l->set->order;
        if (!late_note(l->set, l->pack, list->items[i], order) &&
            !functions_load(l->set, l->pack, list->items[i], l->error))
            return false;
    }
    return true;
}

/* Whether an entry has the effect, as its only one or in a list. */
static bool has_effect(const struct node *entry, const char *effect)
{
    const struct node *n = entry->kind == NODE_MAP ? node_get(entry, "effects") : NULL;
    if (n && n->kind == NODE_TEXT)
        return strcmp(n->text, effect) == 0;
    for (int i = 0; n && n->kind == NODE_LIST && i < n->count; i++)
        if (n->items[i]->kind == NODE_TEXT && strcmp(n->items[i]->text, effect) == 0)
            return true;
    return false;
}

/* Whether it matters which tensor is which, beyond what is known of it. */
static bool tells_tensors_apart(const struct pack *pack)
{
    const struct node *all = pack->functions;
    for (int i = 0; all && all->kind == NODE_LIST && i < all->count; i++)
        if (has_effect(all->items[i], "free") || has_effect(all->items[i], "backward") ||
            has_effect(all->items[i], "require_grad"))
            return true;
    return pack->ops.count > 0; /* as do those whose functions it has other names for */
}

static bool load(struct pack_set *s, const char *file, const char *text, size_t length,
                 struct error *e)
{
    struct pack *pack = arena_one(s->arena, struct pack);
    struct loading l = {s, pack, e};
    *pack = (struct pack){.file = arena_printf(s->arena, "%s", file), .prefix = "", .set_from = -1};
    packs_use(s);
    struct node *root = embedded_tree(s->arena, text, length);
    pack->is_built_in = root != NULL;
    if (!root)
        root = yaml_read(s->arena, pack->file, text, length, e);
    if (!root || !expect_kind(file, root, NODE_MAP, "a pack, a mapping", e) ||
        !expect_keys(file, root, pack_keys, pack_key_count, "a pack", e))
        return false;
    pack->functions = node_get(root, "functions");
    pack->examples = node_get(root, "examples");
    if (!read_head(&l, root) || !templates_check(pack, e))
        return false;
    pack->tells_apart = tells_tensors_apart(pack);
    LIST_ADD(s->arena, &s->packs, pack);
    return read_functions(&l, root) && tensor_fields_describe(s, pack, e);
}

bool packs_load_text(struct pack_set *s, const char *name, const char *text, struct error *e)
{
    return load(s, name, text, strlen(text), e);
}

bool packs_load(struct pack_set *s, const char *path, struct error *e)
{
    size_t length;
    char *text = file_read_kind(s->arena, path, FILE_PACK, &length, e);
    return text && load(s, path, text, length, e);
}

bool pack_makes_values(const struct pack_function *f)
{
    return !f->pack->tells_apart;
}

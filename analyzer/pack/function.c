/* One entry of a pack's functions: its own keys, then those of the templates it is like, compiled
 * once; then one function for each of its names. */
#include "analyzer/pack/entry.h"
#include "analyzer/pack/param.h"

#include <stdlib.h>
#include <string.h>

/* Most frequent first: every key of every entry is looked up here. */
const char *const function_keys[] = {
    "name",        "like",      "let",   "names",          "params",   "checks", "result", "saves",
    "family",      "autocast",  "alias", "effects",        "shape",    "prefix", "also",   "before",
    "backward",    "same_when", "outs",  "differentiable", "question", "fields", "holds",  "expect",
    "itself_when", "starts",    "shown", "about",          "text",     "named",  "values", "calls",
    "at_end",      "sorts",     "finds", "ends",           "computes",
};
const int function_key_count = sizeof function_keys / sizeof function_keys[0];

/* ---- templates ------------------------------------------------------------------------------ */

static bool expect_function(const char *file, const struct node *n, const char *where,
                            struct error *e)
{
    return expect_kind(file, n, NODE_MAP, where, e) &&
           expect_keys(file, n, function_keys, function_key_count, where, e);
}

bool templates_check(const struct pack *p, struct error *e)
{
    for (int i = 0; p->templates && i < p->templates->count; i++)
        if (!expect_function(p->file, p->templates->items[i], "a template", e))
            return false;
    return true;
}

static bool add_to_chain(struct entry *b, const struct node *n)
{
    if (b->depth == MAX_CHAIN)
        return entry_fail(b, n, "templates are like each other in a circle, or too many");
    b->chain[b->depth++] = n;
    return true;
}

static const struct node *find_template(struct entry *b, const struct node *name)
{
    const struct node *all = b->pack->templates;
    const char *known[64];
    int count = 0;
    if (!entry_text(b, name, "the name of a template"))
        return NULL;
    const struct node *found = node_get(all, name->text);
    for (; !found && all && count < all->count && count < 64; count++)
        known[count] = all->keys[count]->text;
    if (!found)
        unknown_word(b->pack->file, name, 0, "template", name->text, known, count, b->error);
    return found;
}

/* The entry, what it is like, what that is like, … */
static bool read_chain(struct entry *b)
{
    const struct node *n = b->own;
    while (n && add_to_chain(b, n)) {
        const struct node *like = node_get(n, "like");
        if (!like)
            return true;
        n = find_template(b, like);
    }
    return false;
}

/* ---- parameters and lets ------------------------------------------------------------------------
 */

static bool read_params(struct entry *b)
{
    struct arena *a = b->set->arena;
    struct params_reading in = {.arena = a, .file = b->pack->file, .error = b->error};
    const struct node *map = entry_get(b, "params");
    if (map && !params_read(&in, map))
        return false;
    b->function.object_role = in.object_role;
    b->function.object = in.object;
    b->function.arguments = map;
    b->param_count = in.count;
    b->params = arena_copy(a, in.params, sizeof in.params[0] * (size_t)in.count);
    return true;
}

static bool known_let(const struct entry *b, const char *name)
{
    for (int i = 0; i < b->scope.let_count; i++)
        if (same_word(b->scope.lets[i].name, name))
            return true;
    return false;
}

static bool read_lets_of(struct entry *b, const struct node *map)
{
    if (!expect_kind(b->pack->file, map, NODE_MAP, "names and what they stand for", b->error))
        return false;
    for (int i = 0; i < map->count; i++) {
        if (known_let(b, map->keys[i]->text))
            continue;
        if (b->scope.let_count == MAX_LETS)
            return entry_fail(b, map->keys[i], "too many names in let");
        b->scope.lets[b->scope.let_count++] =
            (struct let){.name = map->keys[i]->text, .node = map->items[i]};
    }
    return true;
}

static bool read_lets(struct entry *b)
{
    b->scope = (struct scope){.arena = b->set->arena,
                              .file = b->pack->file,
                              .params = b->params,
                              .param_count = b->param_count,
                              .sets = b->pack->sets.items,
                              .set_count = b->pack->sets.count,
                              .pack = b->pack};
    for (int i = 0; i < b->depth; i++) {
        const struct node *map = node_get(b->chain[i], "let");
        if (map && !read_lets_of(b, map))
            return false;
    }
    return true;
}

/* Without the key, *out stays NULL. */
static bool compile_key(struct entry *b, const struct node *map, const char *key,
                        enum answer_sort sort, struct expr **out)
{
    const struct node *n = node_get(map, key);
    return !n || (*out = expr_compile(&b->scope, n, sort, b->error)) != NULL;
}

/* ---- results -------------------------------------------------------------------------------- */

const char *const result_keys[] = {"tensor", "buffer", "number", "dtype",
                                   "device", "ndim",   "value",  "bytes"};
const int result_key_count = sizeof result_keys / sizeof result_keys[0];

static bool read_result(struct entry *b, const struct node *map, struct result_rule *r)
{
    static const struct {
        const char *key;
        enum operand_kind kind;
    } kinds[] = {{"tensor", OPERAND_TENSOR},
                 {"buffer", OPERAND_BUFFER},
                 {"number", OPERAND_FLOAT},
                 {"dtype", OPERAND_DTYPE},
                 {"device", OPERAND_DEVICE}};
    if (!expect_kind(b->pack->file, map, NODE_MAP, "a result, a mapping", b->error) ||
        !expect_keys(b->pack->file, map, result_keys, result_key_count, "a result", b->error))
        return false;
    for (int i = 0; i < 5 && r->kind == OPERAND_ABSENT; i++)
        if (node_get(map, kinds[i].key))
            r->kind = kinds[i].kind;
    if (r->kind == OPERAND_ABSENT)
        return entry_fail(b, map, "expected tensor, buffer, number, dtype or device in a result");
    const char *kind_key = r->kind == OPERAND_TENSOR   ? "tensor"
                           : r->kind == OPERAND_BUFFER ? "buffer"
                           : r->kind == OPERAND_FLOAT  ? "number"
                                                       : "dtype";
    return compile_key(b, map, kind_key, ANSWER_DTYPE, &r->dtype) &&
           compile_key(b, map, "device", ANSWER_DEVICE, &r->device) &&
           compile_key(b, map, "ndim", ANSWER_RANK, &r->ndim) &&
           compile_key(b, map, r->kind == OPERAND_BUFFER ? "bytes" : "value", ANSWER_NUMBER,
                       &r->value);
}

static bool is_fixed(const struct expr *x)
{
    bool fixed = x->op != EXPR_PARAM && x->op != EXPR_DTYPE;
    for (int i = 0; i < x->arg_count; i++)
        fixed &= is_fixed(x->args[i]);
    return fixed;
}

static bool read_results(struct entry *b)
{
    const struct node *result = entry_get(b, "result"), *outs = entry_get(b, "outs");
    struct pack_rule *rule = b->rule;
    if (result && !read_result(b, result, &rule->results[0]))
        return false;
    rule->result_count = 1;
    if (outs && !expect_kind(b->pack->file, outs, NODE_LIST, "a list of results", b->error))
        return false;
    for (int i = 0; outs && i < outs->count; i++) {
        if (rule->result_count == PACK_MAX_RESULTS)
            return entry_fail(b, outs->items[i], "too many results");
        if (!read_result(b, outs->items[i], &rule->results[rule->result_count++]))
            return false;
    }
    for (int i = 0; i < b->param_count; i++)
        if (b->params[i].out && b->params[i].result >= rule->result_count)
            return error_at(b->error, b->pack->file, b->own->line, b->own->column,
                            "'%s' receives result %d, but outs has only %d", b->params[i].name,
                            b->params[i].result, rule->result_count - 1);
    enum operand_kind kind = rule->results[0].kind;
    bool fixed = true;
    for (int i = 0; i < rule->result_count; i++)
        fixed &= rule->results[i].dtype && is_fixed(rule->results[i].dtype);
    b->function.has_fixed_dtype = fixed;
    b->function.returns_tensor = kind == OPERAND_TENSOR;
    b->function.returns_buffer = kind == OPERAND_BUFFER;
    b->function.returns_number = kind == OPERAND_FLOAT;
    return true;
}

/* An unused let of the function is a mistake; one of a template need not be used. */
static bool use_lets(struct entry *b)
{
    const struct node *map = node_get(b->own, "let");
    const char *used[MAX_LETS];
    int count = 0;
    for (int i = 0; i < b->scope.let_count; i++)
        if (b->scope.lets[i].expr)
            used[count++] = b->scope.lets[i].name;
    for (int i = 0; map && i < map->count; i++) {
        const char *name = map->keys[i]->text;
        bool found = false;
        for (int j = 0; j < count; j++)
            found |= same_word(used[j], name);
        const char *near = found ? NULL : word_nearest(name, used, count);
        if (!found)
            return error_at(b->error, b->pack->file, map->keys[i]->line, map->keys[i]->column,
                            "nothing uses '%s'%s%s%s", name, near ? "; did you mean '" : "",
                            near ? near : "", near ? "'?" : "");
    }
    return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

static const char *full_name(struct entry *b, const struct node *n)
{
    const struct node *prefix = entry_get(b, "prefix");
    return arena_printf(b->set->arena, "%s%s", prefix ? prefix->text : b->pack->prefix, n->text);
}

static bool add_name(struct entry *b, const struct node *n)
{
    const struct node *prefix = entry_get(b, "prefix"), *shown = entry_get(b, "shown");
    if (!entry_text(b, n, "the name of a function") ||
        (prefix && !entry_text(b, prefix, "what names begin with")) ||
        (shown && !entry_text(b, shown, "a name for people")))
        return false;
    struct pack_function *f = arena_one(b->set->arena, struct pack_function);
    *f = b->function;
    f->name = name_of(b->set->names, full_name(b, n));
    f->word = n->text;
    f->shown = shown ? shown->text : n->text;
    f->line = n->line;
    f->order = b->set->order;
    if (b->values_by_name && !values_of_name(f->word, &f->values))
        return entry_fail(b, n, "no word for values has this name");
    if (pack_set_add(b->set, f))
        return !node_get(b->own, "calls") || signatures_bind(b->set, b->pack, b->own, f, b->error);
    return error_at(b->error, b->pack->file, n->line, n->column, "%s is in this pack already",
                    f->name);
}

static bool add_names(struct entry *b)
{
    const struct node *name = node_get(b->own, "name"), *names = node_get(b->own, "names");
    if (!name == !names)
        return entry_fail(b, b->own, "expected either 'name' or 'names' in a function");
    if (name)
        return add_name(b, name);
    if (!expect_kind(b->pack->file, names, NODE_LIST, "a list of names", b->error))
        return false;
    for (int i = 0; i < names->count; i++)
        if (!add_name(b, names->items[i]))
            return false;
    return true;
}

static bool is_name_wanted(struct entry *b, const struct node *n)
{
    size_t before = arena_used(b->set->arena);
    bool wanted = n->kind != NODE_TEXT || b->set->is_wanted(b->set->wanted, full_name(b, n));
    arena_rewind(b->set->arena, before);
    return wanted;
}

/* A malformed entry is wanted, so that its error is reported. */
static bool is_wanted(struct entry *b)
{
    const struct node *name = node_get(b->own, "name"), *names = node_get(b->own, "names");
    const struct node *prefix = entry_get(b, "prefix");
    if (!b->set->is_wanted || !name == !names || (prefix && prefix->kind != NODE_TEXT))
        return true;
    if (name)
        return is_name_wanted(b, name);
    bool wanted = names->kind != NODE_LIST;
    for (int i = 0; !wanted && i < names->count; i++)
        wanted = is_name_wanted(b, names->items[i]);
    return wanted;
}

static bool load_functions(struct entry *b)
{
    if (!is_wanted(b))
        return true;
    b->rule = arena_one(b->set->arena, struct pack_rule);
    if (!read_params(b) || !read_lets(b) || !entry_read_checks(b) || !read_results(b) ||
        !entry_read_traits(b) || !use_lets(b))
        return false;
    b->function.pack = b->pack;
    b->function.is_ambient = b->pack->is_ambient;
    b->function.goes_on = b->pack->goes_on;
    b->function.params = b->params;
    b->function.param_count = b->param_count;
    b->function.rule = b->rule;
    return add_names(b);
}

/* The same functions again, with the keys of the template named by `also` before all others. */
static bool load_variant(struct entry *b, const struct node *also)
{
    const struct node *over = find_template(b, also);
    return over && add_to_chain(b, over) && read_chain(b) && load_functions(b);
}

bool entry_read_chain(struct entry *b, const struct entry *first)
{
    const struct node *over = first ? find_template(b, entry_get(first, "also")) : NULL;
    bool fine = (!over || add_to_chain(b, over)) && read_chain(b);
    return fine && !first && entry_get(b, "also");
}

bool functions_load(struct pack_set *s, struct pack *p, const struct node *entry, struct error *e)
{
    struct entry b = {.set = s, .pack = p, .error = e, .own = entry};
    struct entry variant = {.set = s, .pack = p, .error = e, .own = entry};
    if (entry->kind == NODE_MAP && (node_get(entry, "op") || node_get(entry, "ops")))
        return signatures_load(s, p, entry, e);
    if (!expect_function(p->file, entry, "a function", e) || !read_chain(&b) || !load_functions(&b))
        return false;
    const struct node *also = entry_get(&b, "also");
    return !also || load_variant(&variant, also);
}

/* ---- by what they do ------------------------------------------------------------------------ */

const char *pack_of(const struct pack_function *f)
{
    return f->pack->name;
}

const char *pack_name_with_effects(struct arena *a, const struct pack_function *f, unsigned effects)
{
    const struct node *all = f->pack->functions;
    const char *prefix = f->pack->spelling.prefix;
    struct pack_set none = {.arena = a};
    for (int i = 0; i < all->count; i++) {
        struct error e = {0};
        struct entry b = {.set = &none, .pack = f->pack, .error = &e, .own = all->items[i]};
        const struct node *name = node_get(b.own, "name");
        if (name && read_chain(&b) && entry_read_effects(&b) && b.function.effects == effects)
            return prefix ? arena_printf(a, "%s%s", prefix, name->text) : full_name(&b, name);
    }
    return NULL;
}

bool pack_has_word(const struct pack_function *f, const char *word)
{
    const struct node *all = f->pack->functions;
    for (int i = 0; i < all->count; i++) {
        const struct node *name = node_get(all->items[i], "name");
        const struct node *names = node_get(all->items[i], "names");
        if (name && name->text && !strcmp(name->text, word))
            return true;
        for (int k = 0; names && k < names->count; k++)
            if (names->items[k]->text && !strcmp(names->items[k]->text, word))
                return true;
    }
    return false;
}

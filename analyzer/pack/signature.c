/* What packs say of a dynamic language: signatures by name, constants, modules. binding.c reads the
 * text of one signature. */
#include "analyzer/pack/binding.h"

#include <string.h>

/* ---- names ---------------------------------------------------------------------------------- */

/* All signatures of a name that one pack has. */
struct group {
    const char *name;
    const struct pack *pack;
    int order; /* of the first one that was read */
    LIST(struct signature) signatures;
    struct group *next;
};

struct constant {
    const char *name;
    struct operand value;
    struct constant *next;
};

struct module {
    const char *name;
    struct module *next;
};

enum { NAME_ROOM = 256 };

static uint64_t key_of(const char *name, size_t length)
{
    return hash_bytes(name, length, 0);
}

/* The alias that the name is, or is below. */
static const struct pack_alias *alias_of(const struct pack_set *s, const char *name)
{
    for (int i = s->aliases.count - 1; i >= 0; i--) {
        size_t length = strlen(s->aliases.items[i].name);
        if (strncmp(s->aliases.items[i].name, name, length) == 0 &&
            (!name[length] || name[length] == '.'))
            return &s->aliases.items[i];
    }
    return NULL;
}

/* The canonical name, in the room if it differs; NULL: it is too long. */
static const char *canonical(const struct pack_set *s, const char *name, char room[NAME_ROOM])
{
    const struct pack_alias *alias = alias_of(s, name);
    if (!alias)
        return name;
    size_t begin = strlen(alias->of);
    const char *rest = name + strlen(alias->name);
    if (begin + strlen(rest) >= NAME_ROOM)
        return NULL;
    memcpy(room, alias->of, begin);
    memcpy(room + begin, rest, strlen(rest) + 1);
    return room;
}

const char *packs_canonical(const struct pack_set *s, struct arena *a, const char *name)
{
    const struct pack_alias *alias = alias_of(s, name);
    return alias ? arena_printf(a, "%s%s", alias->of, name + strlen(alias->name)) : name;
}

static bool has_module(const struct pack_set *s, const char *name, size_t length)
{
    const struct module *m = map_get(s->modules, key_of(name, length));
    while (m && (strlen(m->name) != length || strncmp(m->name, name, length) != 0))
        m = m->next;
    return m != NULL;
}

/* Everything that the name is below. */
static void add_modules(struct pack_set *s, const char *name)
{
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) {
        size_t length = (size_t)(dot - name);
        if (has_module(s, name, length))
            continue;
        uint64_t key = key_of(name, length);
        struct module *m = arena_one(s->arena, struct module);
        *m = (struct module){name_of_range(s->names, name, length), map_get(s->modules, key)};
        map_put(s->modules, key, m);
    }
}

/* ---- loading signatures --------------------------------------------------------------------- */

/* Those of later packs come first. */
static struct group *group_new(struct pack_set *s, const struct pack *p,
                               const struct signature *signature, uint64_t key)
{
    struct group *first = map_get(s->signatures, key), *before = NULL;
    for (struct group *x = first; x && x->order > signature->order; x = x->next)
        before = x;
    struct group *g = arena_one(s->arena, struct group);
    *g = (struct group){.name = signature->name,
                        .pack = p,
                        .order = signature->order,
                        .next = before ? before->next : first};
    if (before)
        before->next = g;
    else
        map_put(s->signatures, key, g);
    add_modules(s, g->name);
    return g;
}

static void add_signature(struct pack_set *s, const struct pack *p, struct signature *signature)
{
    uint64_t key = key_of(signature->name, strlen(signature->name));
    struct group *g = map_get(s->signatures, key);
    signature->order = s->order;
    while (g && (g->pack != p || strcmp(g->name, signature->name) != 0))
        g = g->next;
    if (!g)
        g = group_new(s, p, signature, key);
    LIST_ADD(s->arena, &g->signatures, *signature);
    int at = g->signatures.count - 1;
    for (; at > 0 && g->signatures.items[at - 1].order > signature->order; at--)
        g->signatures.items[at] = g->signatures.items[at - 1];
    g->signatures.items[at] = *signature;
}

/* Methods behind operators, which a program does not call by name. */
static const struct {
    const char *method, *operator;
} operators[] = {
    {"__add__", "'+'"},       {"__radd__", "'+'"},       {"__iadd__", "'+='"},
    {"__sub__", "'-'"},       {"__rsub__", "'-'"},       {"__isub__", "'-='"},
    {"__mul__", "'*'"},       {"__rmul__", "'*'"},       {"__imul__", "'*='"},
    {"__truediv__", "'/'"},   {"__rtruediv__", "'/'"},   {"__itruediv__", "'/='"},
    {"__floordiv__", "'//'"}, {"__rfloordiv__", "'//'"}, {"__ifloordiv__", "'//='"},
    {"__mod__", "'%'"},       {"__rmod__", "'%'"},       {"__imod__", "'%='"},
    {"__pow__", "'**'"},      {"__rpow__", "'**'"},      {"__ipow__", "'**='"},
    {"__matmul__", "'@'"},    {"__rmatmul__", "'@'"},    {"__imatmul__", "'@='"},
    {"__and__", "'&'"},       {"__rand__", "'&'"},       {"__iand__", "'&='"},
    {"__or__", "'|'"},        {"__ror__", "'|'"},        {"__ior__", "'|='"},
    {"__xor__", "'^'"},       {"__rxor__", "'^'"},       {"__ixor__", "'^='"},
    {"__lshift__", "'<<'"},   {"__rlshift__", "'<<'"},   {"__ilshift__", "'<<='"},
    {"__rshift__", "'>>'"},   {"__rrshift__", "'>>'"},   {"__irshift__", "'>>='"},
    {"__invert__", "'~'"},    {"__neg__", "'-'"},
};

/* What people call it: the operator, or a method that converts, "to()". NULL: as the op. */
static const char *shown_as(struct pack_set *s, const struct pack_function *op, const char *name)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof operators / sizeof *operators; i++)
        if (same_word(dot + 1, operators[i].method))
            return operators[i].operator;
    bool is_method = dot && op->family == FAMILY_CAST && !strncmp(name, "Tensor.", 7);
    return is_method ? arena_printf(s->arena, "%s()", dot + 1) : NULL;
}

/* The op as functions of this pack show it, with the pack's spelling. */
static const struct pack_function *function_of(struct pack_set *s, const struct pack *p,
                                               const struct pack_function *op, const char *name,
                                               const struct node *shown)
{
    struct pack_function *f = arena_copy(s->arena, op, sizeof *op);
    f->name = name;
    f->pack = p;
    const char *as = shown_as(s, op, name);
    f->shown = as ? as : shown ? shown->text : op->shown;
    return f;
}

/* What a name in braces stands for: {op}, or one of the pack's phrases; NULL: nothing. */
static const char *phrase_named(const struct pack *p, const char *name,
                                const struct pack_function *op)
{
    const struct node *phrase = node_get(p->phrases, name);
    if (phrase)
        return phrase->kind == NODE_TEXT ? phrase->text : NULL;
    return strcmp(name, "op") == 0 ? op->word : NULL;
}

/* The text with what names in braces stand for; NULL after error_at. */
static const char *expand(struct pack_set *s, const struct pack *p, const struct node *n,
                          const struct pack_function *op, struct error *e)
{
    const char *out = "", *at = n->text, *open;
    if (!strchr(at, '{'))
        return at;
    while ((open = strchr(at, '{'))) {
        size_t length = strcspn(open, "}");
        const char *name = arena_text(s->arena, open + 1, length - 1);
        const char *phrase = open[length] ? phrase_named(p, name, op) : NULL;
        if (!phrase) {
            error_at(e, p->file, n->line, n->column, "unknown phrase '%.40s'", name);
            return NULL;
        }
        out = arena_printf(s->arena, "%s%.*s%s", out, (int)(open - at), at, phrase);
        at = open + length + 1;
    }
    return arena_printf(s->arena, "%s%s", out, at);
}

/* The name ends where the parameters begin, or what it returns. */
bool signature_name(struct pack_set *s, const struct pack *p, const struct node *n,
                    const char *word, char *out)
{
    size_t length = 0;
    const char *at = n->text + strspn(n->text, " ");
    while (*at && !strchr("( ", *at)) {
        size_t brace = *at == '{' ? strcspn(at, "}") : 0;
        const char *part = at;
        size_t more = 1;
        if (brace) {
            const char *name = arena_text(s->arena, at + 1, brace - 1);
            const struct pack_function op = {.word = word};
            if (!(part = phrase_named(p, name, &op)))
                return false;
            more = strlen(part);
        }
        if ((brace && strpbrk(part, "( ")) || length + more >= LATE_NAME_ROOM)
            return false;
        memcpy(out + length, part, more);
        length += more;
        at += brace ? brace + 1 : 1;
    }
    out[length] = 0;
    add_modules(s, out);
    return length > 0;
}

static bool load_call(struct pack_set *s, const struct pack *p, const struct node *n,
                      const struct node *shown, const struct pack_function *op, struct error *e)
{
    if (!expect_kind(p->file, n, NODE_TEXT, "a signature", e))
        return false;
    struct binding b = {.arena = s->arena,
                        .names = s->names,
                        .file = p->file,
                        .node = n,
                        .text = expand(s, p, n, op, e),
                        .op = op,
                        .error = e};
    if (!b.text || !binding_read(&b))
        return false;
    b.out.fn = function_of(s, p, op, b.out.name, shown);
    add_signature(s, p, &b.out);
    return true;
}

bool signatures_bind(struct pack_set *s, const struct pack *p, const struct node *entry,
                     const struct pack_function *op, struct error *e)
{
    const struct node *calls = node_get(entry, "calls"), *shown = node_get(entry, "shown");
    if (shown && !expect_kind(p->file, shown, NODE_TEXT, "a name for people", e))
        return false;
    if (!calls)
        return error_at(e, p->file, entry->line, entry->column, "expected 'calls' next to 'op'");
    if (!expect_kind(p->file, calls, NODE_LIST, "a list of signatures", e))
        return false;
    for (int i = 0; i < calls->count; i++)
        if (!load_call(s, p, calls->items[i], shown, op, e))
            return false;
    return true;
}

/* ---- ops by name ---------------------------------------------------------------------------- */

/* Functions whose words have the same hash. */
struct op {
    const struct pack_function *function;
    struct op *next;
};

/* Those that were loaded since the last time. A pack's first function of a word is its op. */
static void index_ops(struct pack_set *s)
{
    for (; s->indexed < s->functions.count; s->indexed++) {
        const struct pack_function *f = s->functions.items[s->indexed];
        uint64_t key = key_of(f->word, strlen(f->word));
        struct op *first = map_get(s->ops, key), *op = arena_one(s->arena, struct op);
        *op = (struct op){f, NULL};
        if (!first)
            map_put(s->ops, key, op);
        while (first && first->next)
            first = first->next;
        if (first)
            first->next = op;
    }
}

/* The packs that this one takes ops from come in the order in which they are searched. */
static const struct pack_function *find_op(struct pack_set *s, const struct pack *p,
                                           const char *word)
{
    late_read(s, LATE_WORD, word);
    index_ops(s);
    const struct op *first = map_get(s->ops, key_of(word, strlen(word)));
    const struct pack_function *is = NULL;
    for (int i = 0; i < p->ops.count && !is; i++)
        for (const struct op *op = first; op; op = op->next)
            if (strcmp(op->function->word, word) == 0 &&
                strcmp(op->function->pack->name, p->ops.items[i]) == 0 &&
                (!is || op->function->order < is->order))
                is = op->function;
    return is;
}

static bool load_op(struct pack_set *s, const struct pack *p, const struct node *entry,
                    const struct node *name, struct error *e)
{
    if (!expect_kind(p->file, name, NODE_TEXT, "the name of an op", e))
        return false;
    const struct pack_function *op = find_op(s, p, name->text);
    if (op)
        return signatures_bind(s, p, entry, op, e);
    return s->is_wanted || /* it was skipped */
           error_at(e, p->file, name->line, name->column, "unknown op '%s'", name->text);
}

bool signatures_load(struct pack_set *s, const struct pack *p, const struct node *entry,
                     struct error *e)
{
    static const char *const keys[] = {"op", "ops", "calls", "shown", "about"};
    const struct node *op = node_get(entry, "op"), *ops = node_get(entry, "ops");
    if (!expect_keys(p->file, entry, keys, COUNT(keys), "signatures", e))
        return false;
    if (!op == !ops)
        return error_at(e, p->file, entry->line, entry->column,
                        "expected either 'op' or 'ops' in signatures");
    if (op)
        return load_op(s, p, entry, op, e);
    if (!expect_kind(p->file, ops, NODE_LIST, "a list of ops", e))
        return false;
    for (int i = 0; i < ops->count; i++)
        if (!load_op(s, p, entry, ops->items[i], e))
            return false;
    return true;
}

/* ---- constants and aliases ------------------------------------------------------------------ */

static struct constant *find_constant(const struct pack_set *s, const char *name)
{
    struct constant *c = map_get(s->constants, key_of(name, strlen(name)));
    while (c && strcmp(c->name, name) != 0)
        c = c->next;
    return c;
}

static void add_constant(struct pack_set *s, const char *name, struct operand value)
{
    struct constant *c = find_constant(s, name);
    if (!c) {
        uint64_t key = key_of(name, strlen(name));
        c = arena_one(s->arena, struct constant);
        *c = (struct constant){.name = name, .next = map_get(s->constants, key)};
        map_put(s->constants, key, c);
        add_modules(s, name);
    }
    c->value = value;
}

bool constants_load(struct pack_set *s, const struct pack *p, const struct node *map,
                    struct error *e)
{
    if (!expect_kind(p->file, map, NODE_MAP, "names and their values", e))
        return false;
    for (int i = 0; i < map->count; i++) {
        const struct node *n = map->items[i];
        struct operand value;
        if (!expect_kind(p->file, n, NODE_TEXT, "a value", e))
            return false;
        if (!constant_parse(n->text, &value))
            return error_at(e, p->file, n->line, n->column,
                            "expected a dtype, a device, a number, True or False");
        add_constant(s, map->keys[i]->text, value);
    }
    return true;
}

bool aliases_load(struct pack_set *s, const struct pack *p, const struct node *map, struct error *e)
{
    if (!expect_kind(p->file, map, NODE_MAP, "names and what they stand for", e))
        return false;
    for (int i = 0; i < map->count; i++) {
        if (!expect_kind(p->file, map->items[i], NODE_TEXT, "a name", e))
            return false;
        struct pack_alias alias = {map->keys[i]->text, map->items[i]->text};
        LIST_ADD(s->arena, &s->aliases, alias);
        add_modules(s, alias.name);
    }
    return true;
}

/* ---- lookups -------------------------------------------------------------------------------- */

const struct signature *packs_signatures(const struct pack_set *s, const char *name, int *count)
{
    char room[NAME_ROOM];
    *count = 0;
    if (!(name = canonical(s, name, room)))
        return NULL;
    const struct group *is = NULL;
    late_begin(s);
    late_read((struct pack_set *)(uintptr_t)s, LATE_SIGNATURE, name);
    for (struct group *g = map_get(s->signatures, key_of(name, strlen(name))); g && !is;
         g = g->next)
        is = strcmp(g->name, name) == 0 ? g : NULL;
    late_end(s);
    *count = is ? is->signatures.count : 0;
    return is ? is->signatures.items : NULL;
}

bool packs_constant(const struct pack_set *s, const char *name, struct operand *out)
{
    char room[NAME_ROOM];
    name = canonical(s, name, room);
    const struct constant *c = name ? find_constant(s, name) : NULL;
    if (c)
        *out = c->value;
    return c != NULL;
}

bool signature_dtype(const struct pack_set *s, const struct signature *of, const char *text,
                     enum dtype *out)
{
    char name[NAME_ROOM];
    size_t begin = strlen(of->fn->pack->name);
    const struct constant *c = NULL;
    if (begin + strlen(text) + 2 <= NAME_ROOM) {
        memcpy(name, of->fn->pack->name, begin);
        name[begin] = '.';
        memcpy(name + begin + 1, text, strlen(text) + 1);
        c = find_constant(s, name);
    }
    if (c && c->value.kind == OPERAND_DTYPE)
        *out = c->value.dtype;
    return c && c->value.kind == OPERAND_DTYPE;
}

bool packs_tell_tensors(const struct pack_set *s, const char *method)
{
    return text_list_has(&s->tensor_methods, method);
}

bool packs_has_module(const struct pack_set *s, const char *name)
{
    char room[NAME_ROOM];
    name = canonical(s, name, room);
    return name && has_module(s, name, strlen(name));
}

/* What a function is besides its checks and results: its family, what its result aliases, its
 * effects, which question it answers, its contract. */
#include "analyzer/pack/entry.h"

#include <string.h>

bool entry_find_param(struct entry *b, const struct node *n, int offset, const char *name, int *out)
{
    const char *known[PACK_MAX_PARAMS];
    for (int i = 0; i < b->param_count; i++) {
        known[i] = b->params[i].name;
        if (strcmp(known[i], name) == 0) {
            *out = i;
            return true;
        }
    }
    return unknown_word(b->pack->file, n, offset, "parameter", name, known, b->param_count,
                        b->error);
}

/* ---- families --------------------------------------------------------------------------------
 */

static const struct family {
    const char *name, *roles;
} families[FAMILY_COUNT] = {
#define FAMILY(id, name, roles, summary) {name, roles},
#include "analyzer/pack/family.def"
#undef FAMILY
};

const char *family_name(enum op_family f)
{
    return families[f].name;
}

static bool has_role(const struct entry *b, enum param_role role)
{
    for (int i = 0; i < b->param_count; i++)
        if (b->params[i].role == role)
            return true;
    return false;
}

/* Rules find operands by their roles: without these the family would have no effect. */
static bool check_roles(struct entry *b, const struct node *n, const struct family *f)
{
    for (const char *at = f->roles; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        const char *role = arena_text(b->set->arena, at, length);
        at += length;
        if (!has_role(b, role_named(role)))
            return error_at(b->error, b->pack->file, n->line, n->column,
                            "family '%s' needs a parameter with the role '%s'", f->name, role);
    }
    return true;
}

static bool read_family(struct entry *b)
{
    const struct node *n = entry_get(b, "family");
    const char *known[FAMILY_COUNT];
    if (!n)
        return true;
    if (!entry_text(b, n, "a family"))
        return false;
    for (int i = 0; i < FAMILY_COUNT; i++) {
        known[i] = families[i].name;
        if (strcmp(n->text, known[i]) == 0) {
            b->function.family = (enum op_family)i;
            return check_roles(b, n, &families[i]);
        }
    }
    return unknown_word(b->pack->file, n, 0, "family", n->text, known, FAMILY_COUNT, b->error);
}

/* ---- aliases, effects, questions -------------------------------------------------------------
 */

/* "view x", "maybe same x" */
static bool read_alias(struct entry *b)
{
    static const struct {
        const char *words;
        enum alias_kind kind;
    } kinds[] = {{"maybe same ", ALIAS_MAYBE_SAME},
                 {"maybe view ", ALIAS_MAYBE_VIEW},
                 {"same ", ALIAS_SAME},
                 {"view ", ALIAS_VIEW}};
    const struct node *n = entry_get(b, "alias"), *when = entry_get(b, "same_when");
    const struct node *itself = entry_get(b, "itself_when");
    b->function.alias_of = -1;
    if (when && !(b->rule->same_when = expr_compile(&b->scope, when, ANSWER_TRUTH, b->error)))
        return false;
    if (itself && !(b->rule->itself_when = expr_compile(&b->scope, itself, ANSWER_TRUTH, b->error)))
        return false;
    if (!n)
        return true;
    if (!entry_text(b, n, "what the result is of a parameter"))
        return false;
    if (strcmp(n->text, "fresh") == 0)
        return true;
    for (int i = 0; i < 4; i++) {
        size_t length = strlen(kinds[i].words);
        if (strncmp(n->text, kinds[i].words, length) != 0)
            continue;
        b->function.alias = kinds[i].kind;
        return entry_find_param(b, n, (int)length, n->text + length, &b->function.alias_of);
    }
    return entry_fail(b, n,
                      "expected 'same', 'view', 'maybe same' or 'maybe view' and a parameter, or "
                      "'fresh'");
}

static const struct {
    const char *word;
    unsigned effect;
} effects[] = {
    {"scope_begin", EFFECT_SCOPE_BEGIN},
    {"scope_end", EFFECT_SCOPE_END},
    {"keep", EFFECT_KEEP},
    {"free", EFFECT_FREE},
    {"expect", EFFECT_EXPECT},
    {"reveal", EFFECT_REVEAL},
    {"box", EFFECT_BOX},
    {"pure", EFFECT_PURE},
    {"allocates", EFFECT_ALLOCATES},
    {"zeroes", (unsigned)EFFECT_ZEROES},
    {"no_return", EFFECT_NO_RETURN},
    {"no_grad_begin", EFFECT_NO_GRAD_BEGIN},
    {"enable_grad_begin", EFFECT_ENABLE_GRAD_BEGIN},
    {"grad_mode_end", EFFECT_GRAD_MODE_END},
    {"autocast_begin", EFFECT_AUTOCAST_BEGIN},
    {"autocast_end", EFFECT_AUTOCAST_END},
    {"require_grad", EFFECT_REQUIRE_GRAD},
    {"backward", EFFECT_BACKWARD},
    {"detach", EFFECT_DETACH},
    {"steps", EFFECT_STEPS},
    {"sets_grad", EFFECT_SETS_GRAD},
    {"dtype_set", EFFECT_DTYPE_SET},
    {"gradient", EFFECT_GRADIENT},
    {"gradient_norm", EFFECT_GRADIENT_NORM},
    {"scaler_new", EFFECT_SCALER_NEW},
    {"scales", EFFECT_SCALES},
    {"unscales", EFFECT_UNSCALES},
    {"scaler_update", EFFECT_SCALER_UPDATE},
    {"zero_grad", EFFECT_ZERO_GRAD},
    {"retains", EFFECT_RETAINS},
    {"copies", EFFECT_COPIES},
    {"clips", EFFECT_CLIPS},
};
enum { EFFECT_COUNT = sizeof effects / sizeof effects[0] };

const char *effect_name(int i)
{
    return i < EFFECT_COUNT ? effects[i].word : NULL;
}

static bool add_effect(struct entry *b, const struct node *n)
{
    const char *known[EFFECT_COUNT];
    if (!entry_text(b, n, "an effect"))
        return false;
    for (int i = 0; i < EFFECT_COUNT; i++) {
        known[i] = effects[i].word;
        if (strcmp(n->text, known[i]) == 0) {
            b->function.effects |= effects[i].effect;
            return true;
        }
    }
    return unknown_word(b->pack->file, n, 0, "effect", n->text, known, EFFECT_COUNT, b->error);
}

bool entry_read_effects(struct entry *b)
{
    const struct node *n = entry_get(b, "effects");
    if (!n || n->kind == NODE_TEXT)
        return !n || add_effect(b, n);
    if (!expect_kind(b->pack->file, n, NODE_LIST, "a list of effects", b->error))
        return false;
    for (int i = 0; i < n->count; i++)
        if (!add_effect(b, n->items[i]))
            return false;
    return true;
}

const char *const question_words[] = {
    "none",      "dtype_of",     "device_of",     "is_cuda",   "is_floating",
    "ndim",      "same_storage", "requires_grad", "is_leaf",   "has_gpu",
    "same_text", "same_letters", "length",        "find_char", "find_last",
    "find_text", "text_key",     "if_known",      "size",      "size_of",
    "dim_size",  "numel",        "nbytes",        "of_dtype",  "other"};
const int question_count = sizeof question_words / sizeof question_words[0];

static bool read_question(struct entry *b)
{
    const struct node *n = entry_get(b, "question");
    if (!n)
        return true;
    if (!entry_text(b, n, "a question"))
        return false;
    for (int i = 0; i < question_count; i++) {
        if (strcmp(n->text, question_words[i]) == 0) {
            bool is_apt = i != QUESTION_OF_DTYPE ||
                          (b->param_count == 1 && b->params[0].kind == OPERAND_DTYPE);
            b->function.question = (enum question)i;
            b->function.effects |= EFFECT_PURE;
            return is_apt ||
                   entry_fail(b, n, "of_dtype needs a dtype as the only parameter that matters");
        }
    }
    return unknown_word(b->pack->file, n, 0, "question", n->text, question_words, question_count,
                        b->error);
}

/* The argument of that name; offset: of the name in n. */
static bool find_argument(struct entry *b, const struct node *n, int offset, const char *name,
                          int *out)
{
    const struct node *params = entry_get(b, "params");
    const char *known[PACK_MAX_PARAMS];
    int count = 0;
    for (int i = 0; params && i < params->count && i < PACK_MAX_PARAMS; i++) {
        known[count++] = params->keys[i]->text;
        if (strcmp(known[i], name) == 0) {
            *out = i;
            return true;
        }
    }
    return unknown_word(b->pack->file, n, offset, "argument", name, known, count, b->error);
}

/* fields: {ndim: ndim, dims: elements dims}, by the names of the arguments; of a tensor x, ndim x
 * and sizes x */
static bool read_field(struct entry *b, const struct node *key, const struct node *value,
                       struct pack_field *out)
{
    if (!entry_text(b, value, "the name of an argument"))
        return false;
    static const char *const words[] = {
        [FIELD_ELEMENTS] = "elements ", [FIELD_NDIM] = "ndim ", [FIELD_SIZES] = "sizes "};
    const char *name = value->text;
    out->name = key->text;
    for (int i = FIELD_ELEMENTS; i <= FIELD_SIZES; i++)
        if (strncmp(value->text, words[i], strlen(words[i])) == 0) {
            out->source = (enum field_source)i;
            name = value->text + strlen(words[i]);
        }
    return find_argument(b, value, (int)(name - value->text), name, &out->argument);
}

static bool read_fields(struct entry *b)
{
    const struct node *map = entry_get(b, "fields");
    if (!map)
        return true;
    if (!expect_kind(b->pack->file, map, NODE_MAP, "fields and what they are", b->error))
        return false;
    struct pack_field *fields = arena_array(b->set->arena, struct pack_field, map->count);
    for (int i = 0; i < map->count; i++)
        if (!read_field(b, map->keys[i], map->items[i], &fields[i]))
            return false;
    b->function.fields = fields;
    b->function.field_count = map->count;
    return true;
}

static bool read_expect(struct entry *b)
{
    static const char *const known[] = {"tensor", "dtypes", "device"};
    const struct node *map = entry_get(b, "expect");
    int *out[] = {&b->rule->expect_tensor, &b->rule->expect_dtypes, &b->rule->expect_device};
    for (int i = 0; i < 3; i++)
        *out[i] = -1;
    if (!map)
        return true;
    if (!expect_kind(b->pack->file, map, NODE_MAP, "tensor, dtypes and device", b->error) ||
        !expect_keys(b->pack->file, map, known, 3, "expect", b->error))
        return false;
    for (int i = 0; i < 3; i++) {
        const struct node *n = node_get(map, known[i]);
        if (n && (!entry_text(b, n, "the name of a parameter") ||
                  !entry_find_param(b, n, 0, n->text, out[i])))
            return false;
    }
    b->function.effects |= EFFECT_EXPECT;
    return true;
}

static bool read_holds(struct entry *b)
{
    const struct node *n = entry_get(b, "holds");
    b->function.holds = -1;
    return !n || (entry_text(b, n, "the name of a parameter") &&
                  entry_find_param(b, n, 0, n->text, &b->function.holds));
}

/* An argument for each word, by its name */
/* otherwise: what is said if one is missing; NULL: it may be. */
static bool read_arguments(struct entry *b, const struct node *map, const char *key,
                           const char *const *words, int *const *out, int count,
                           const char *otherwise)
{
    if (!expect_kind(b->pack->file, map, NODE_MAP, "words and arguments", b->error) ||
        !expect_keys(b->pack->file, map, words, count, key, b->error))
        return false;
    for (int i = 0; i < count; i++) {
        const struct node *n = node_get(map, words[i]);
        if (!n && otherwise)
            return entry_fail(b, map, otherwise);
        if (n && (!entry_text(b, n, "the name of an argument") ||
                  !find_argument(b, n, 0, n->text, out[i])))
            return false;
    }
    return true;
}

/* starts: {function: start, with: argument}, at_end: {function: handler},
 * sorts: {array: base, count: n, size: size, by: compare}, and finds, with a key; computes:
 * {function: f, operand: a, with: argument}: by the names of the arguments; ends: program */
static bool read_callback(struct entry *b)
{
    static const char *const searched[] = {"array", "count", "size", "by", "key"},
                             *const started[] = {"function", "with"},
                             *const computing[] = {"function", "with", "operand"};
    struct pack_callback *c = &b->function.callback;
    int *const places[] = {&c->array, &c->count, &c->size, &c->function, &c->key},
               *const of_start[] = {&c->function, &c->with},
               *const of_computing[] = {&c->function, &c->with, &c->operand};
    const struct {
        const char *key;
        enum callback kind;
        const char *const *words;
        int *const *out;
        int count;
        const char *otherwise;
    } kinds[] = {
        {"starts", CALLBACK_THREAD, started, of_start, 2,
         "starts needs a function, and what that is given: with"},
        {"at_end", CALLBACK_AT_END, started, of_start, 1, "at_end needs a function"},
        {"sorts", CALLBACK_SORT, searched, places, 4, "sorts needs array, count, size and by"},
        {"finds", CALLBACK_FIND, searched, places, 5, "finds needs array, count, size, by and key"},
        {"computes", CALLBACK_COMPUTE, computing, of_computing, 3,
         "computes needs a function, its first operand, and what else it is given: with"},
    };
    *c = (struct pack_callback){CALLBACK_NONE, -1, -1, -1, -1, -1, -1, -1};
    for (int i = 0; i < COUNT(kinds); i++) {
        const struct node *map = entry_get(b, kinds[i].key);
        if (!map)
            continue;
        c->kind = kinds[i].kind;
        return read_arguments(b, map, kinds[i].key, kinds[i].words, kinds[i].out, kinds[i].count,
                              kinds[i].otherwise);
    }
    static const char *const ends[] = {"program"};
    const struct node *n = entry_get(b, "ends");
    c->kind = n ? CALLBACK_RUN_ENDS : CALLBACK_NONE;
    return !n || (entry_text(b, n, "program") &&
                  (!strcmp(n->text, ends[0]) ||
                   unknown_word(b->pack->file, n, 0, "end", n->text, ends, 1, b->error)));
}

/* text: {to: to, from: from, size: size}, by the names of the arguments */
static bool read_text(struct entry *b)
{
    static const char *const known[] = {"to", "onto", "from", "format", "size", "most"};
    struct pack_text *t = &b->function.text;
    int *out[] = {&t->to, &t->onto, &t->from, &t->format, &t->size, &t->most};
    const struct node *map = entry_get(b, "text");
    *t = (struct pack_text){map != NULL, -1, -1, -1, -1, -1, -1};
    if (!map)
        return true;
    if (!expect_kind(b->pack->file, map, NODE_MAP, "what is copied", b->error) ||
        !expect_keys(b->pack->file, map, known, COUNT(known), "text", b->error))
        return false;
    for (int i = 0; i < COUNT(known); i++) {
        const struct node *n = node_get(map, known[i]);
        if (n && (!entry_text(b, n, "the name of an argument") ||
                  !find_argument(b, n, 0, n->text, out[i])))
            return false;
    }
    if ((t->from < 0) == (t->format < 0))
        return entry_fail(b, map, "text needs either from or format");
    return true;
}

/* named: {tensor: a, text: name}, by the names of the arguments */
static bool read_named(struct entry *b)
{
    static const char *const known[] = {"tensor", "text"};
    struct pack_named *t = &b->function.named;
    int *out[] = {&t->tensor, &t->text};
    const struct node *map = entry_get(b, "named");
    *t = (struct pack_named){map != NULL, -1, -1};
    return !map || read_arguments(b, map, "named", known, out, COUNT(known), NULL);
}

/* A function of tensors that returns one is differentiable by default. */
static bool read_differentiable(struct entry *b)
{
    static const char *const known[] = {"no", "yes", "floating"};
    const struct node *n = entry_get(b, "differentiable");
    b->function.differentiable = true;
    if (!n)
        return true;
    if (!entry_text(b, n, "yes, no or floating"))
        return false;
    b->function.floating_only = strcmp(n->text, "floating") == 0;
    b->function.differentiable = b->function.floating_only || strcmp(n->text, "yes") == 0;
    return b->function.differentiable || strcmp(n->text, "no") == 0 ||
           unknown_word(b->pack->file, n, 0, "answer", n->text, known, 3, b->error);
}

bool entry_read_traits(struct entry *b)
{
    return read_family(b) && read_alias(b) && entry_read_effects(b) && read_question(b) &&
           read_fields(b) && read_expect(b) && read_holds(b) && read_callback(b) && read_text(b) &&
           read_named(b) && read_differentiable(b) && entry_read_autocast(b) &&
           entry_read_saves(b) && entry_read_shape(b) && entry_read_values(b);
}

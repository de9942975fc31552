/* The parameters of a function: a mapping with an entry for each argument becomes a list of
 * operands, with the place of each in the call. */
#include "analyzer/pack/private.h"
#include "analyzer/pack/param.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct params_reading *in;
    const struct node *spec;
    struct pack_param *param;
    const char *count_name; /* after "by" */
    bool optional, is_object;
};

static const struct kind_word {
    const char *word;
    enum operand_kind kind;
    bool also_number;
} kinds[] = {
    {"tensor", OPERAND_TENSOR, false}, {"number", OPERAND_FLOAT, true},
    {"int", OPERAND_INT, false},       {"float", OPERAND_FLOAT, false},
    {"bool", OPERAND_BOOL, false},     {"dtype", OPERAND_DTYPE, false},
    {"device", OPERAND_DEVICE, false}, {"buffer", OPERAND_BUFFER, false},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const char *const param_words[] = {
    "skip",     "optional", "written", "many",  "by",     "held",   "fixed",
    "constant", "detached", "out",     "or",    "as",     "tensor", "number",
    "int",      "float",    "bool",    "dtype", "device", "buffer", "object",
};
const int param_word_count = sizeof param_words / sizeof param_words[0];

/* ---- roles ---------------------------------------------------------------------------------- */

#define KIND(k) (1u << OPERAND_##k)
static const struct role {
    const char *name;
    unsigned kinds; /* bits 1 << enum operand_kind; an object has OPERAND_ABSENT */
} roles[ROLE_COUNT] = {
    {"none", 0},
#define ROLE(id, name, kinds, summary) {name, kinds},
#include "analyzer/pack/role.def"
#undef ROLE
};
#undef KIND

const char *role_name(enum param_role r)
{
    return roles[r].name;
}

enum param_role role_named(const char *name)
{
    for (int i = ROLE_NONE + 1; i < ROLE_COUNT; i++)
        if (same_word(roles[i].name, name))
            return (enum param_role)i;
    return ROLE_NONE;
}

static bool fits(const struct pack_param *p, enum param_role role)
{
    return roles[role].kinds >> p->kind & 1;
}

/* "as left" */
static bool take_role(struct reading *r, const char *name, int offset)
{
    const char *known[ROLE_COUNT];
    if (!name)
        return error_at(r->in->error, r->in->file, r->spec->line, r->spec->column + offset,
                        "expected a role after 'as'");
    r->param->role = role_named(name);
    if (r->param->role != ROLE_NONE)
        return true;
    for (int i = ROLE_NONE + 1; i < ROLE_COUNT; i++)
        known[i - 1] = roles[i].name;
    return unknown_word(r->in->file, r->spec, offset, "role", name, known, ROLE_COUNT - 1,
                        r->in->error);
}

/* A role given with `as` must fit; that of the name is used if it does. */
static bool settle_role(struct reading *r)
{
    struct pack_param *p = r->param;
    if (p->role == ROLE_NONE && !p->out && fits(p, role_named(p->name)))
        p->role = role_named(p->name);
    if (p->role == ROLE_NONE || fits(p, p->role))
        return true;
    return error_at(r->in->error, r->in->file, r->spec->line, r->spec->column,
                    "'%s' is not of a kind that can be '%s'", p->name, roles[p->role].name);
}

/* ---- words ---------------------------------------------------------------------------------- */

static const char *next_word(struct arena *a, const char **at)
{
    *at += strspn(*at, " ");
    size_t length = strcspn(*at, " ");
    const char *word = length ? arena_text(a, *at, length) : NULL;
    *at += length;
    return word;
}

static bool take_kind(struct pack_param *param, const char *word)
{
    for (int i = 0; i < KIND_COUNT; i++) {
        if (!same_word(kinds[i].word, word))
            continue;
        if (param->kind == OPERAND_TENSOR && kinds[i].also_number) {
            param->also_number = true; /* tensor or number */
            return true;
        }
        param->kind = kinds[i].kind;
        param->also_number = kinds[i].also_number;
        return true;
    }
    return false;
}

/* "out 2" */
static bool take_out(struct reading *r, const char *number, int offset)
{
    r->param->out = true;
    r->param->result = number ? atoi(number) : 0;
    return (r->param->result >= 1 && r->param->result < PACK_MAX_RESULTS) ||
           error_at(r->in->error, r->in->file, r->spec->line, r->spec->column + offset,
                    "expected the number of a result after 'out', 1 to %d", PACK_MAX_RESULTS - 1);
}

/* "out 2", "many", "by count" and others. *at is after the word. */
static bool take_word(struct reading *r, const char *word, const char **at)
{
    struct pack_param *param = r->param;
    struct params_reading *in = r->in;
    int offset = (int)(*at - r->spec->text - (int)strlen(word));
    if (same_word(word, "optional")) {
        r->optional = true;
    } else if (same_word(word, "written")) {
        param->written = true;
    } else if (same_word(word, "many")) {
        param->many = true;
    } else if (same_word(word, "held")) {
        param->held = true;
    } else if (same_word(word, "fixed")) {
        param->fixed = true;
    } else if (same_word(word, "constant")) {
        param->fixed = param->constant = true;
    } else if (same_word(word, "detached")) {
        param->fixed = param->detached = true;
    } else if (same_word(word, "by")) {
        r->count_name = next_word(in->arena, at);
    } else if (same_word(word, "object")) {
        r->is_object = true;
    } else if (same_word(word, "as")) {
        const char *role = next_word(in->arena, at);
        return take_role(r, role, (int)(*at - r->spec->text) - (int)(role ? strlen(role) : 0));
    } else if (same_word(word, "out")) {
        return take_out(r, next_word(in->arena, at), offset);
    } else if (!same_word(word, "or") && !take_kind(param, word)) {
        return unknown_word(in->file, r->spec, offset, "word of a parameter", word, param_words,
                            param_word_count, in->error);
    }
    return true;
}

static bool read_spec(struct reading *r)
{
    struct params_reading *in = r->in;
    const char *at = r->spec->text, *word;
    r->param->count = -1;
    while ((word = next_word(in->arena, &at)))
        if (!take_word(r, word, &at))
            return false;
    if ((r->param->kind == OPERAND_ABSENT) != r->is_object)
        return error_at(in->error, in->file, r->spec->line, r->spec->column,
                        "expected what the parameter is: tensor, number, int, …, or skip");
    r->param->required =
        r->param->kind == OPERAND_TENSOR && !r->optional && !r->param->out && !r->param->many;
    return settle_role(r);
}

/* An object is no operand: all that matters is which argument it is. */
static bool add_object(struct reading *r, int argument)
{
    if (r->param->role == ROLE_NONE || r->in->object_role != ROLE_NONE)
        return error_at(r->in->error, r->in->file, r->spec->line, r->spec->column,
                        "expected one object, with a role: 'as %s' or 'as %s'",
                        roles[ROLE_SCALER].name, roles[ROLE_REGION].name);
    r->in->object_role = r->param->role;
    r->in->object = argument;
    return true;
}

static bool add_param(struct params_reading *in, const struct node *key, const struct node *spec,
                      int argument, const char *const *path, int depth)
{
    if (strcmp(spec->text, "skip") == 0)
        return true;
    struct pack_param param = {.name = key->text, .argument = argument};
    struct reading r = {.in = in, .spec = spec, .param = &param};
    memcpy(param.path, path, (size_t)depth * sizeof *path);
    if (!read_spec(&r))
        return false;
    if (r.is_object)
        return add_object(&r, argument);
    if (in->count == PACK_MAX_PARAMS)
        return error_at(in->error, in->file, key->line, key->column, "more than %d parameters",
                        PACK_MAX_PARAMS);
    in->count_names[in->count] = r.count_name;
    in->count_nodes[in->count] = spec;
    in->params[in->count++] = param;
    return true;
}

static bool read_entry(struct params_reading *in, const struct node *key, const struct node *value,
                       int argument, const char **path, int depth)
{
    if (value->kind == NODE_TEXT)
        return add_param(in, key, value, argument, path, depth);
    if (!expect_kind(in->file, value, NODE_MAP, "a parameter, or a mapping of fields", in->error))
        return false;
    for (int i = 0; i < value->count; i++) {
        if (depth == 3)
            return error_at(in->error, in->file, value->line, value->column,
                            "fields more than three deep");
        path[depth] = value->keys[i]->text;
        if (!read_entry(in, value->keys[i], value->items[i], argument, path, depth + 1))
            return false;
    }
    return true;
}

/* "by count" can refer to a later parameter. */
static bool resolve_counts(struct params_reading *in)
{
    const char *names[PACK_MAX_PARAMS];
    for (int i = 0; i < in->count; i++)
        names[i] = in->params[i].name;
    for (int i = 0; i < in->count; i++) {
        for (int j = 0; in->count_names[i] && j < in->count; j++)
            if (strcmp(names[j], in->count_names[i]) == 0)
                in->params[i].count = j;
        if (in->count_names[i] && in->params[i].count < 0)
            return unknown_word(in->file, in->count_nodes[i], 0, "parameter", in->count_names[i],
                                names, in->count, in->error);
    }
    return true;
}

/* The first tensor that has no role is the input, unless another parameter is. */
static void name_input(struct params_reading *in)
{
    struct pack_param *first = NULL;
    for (int i = 0; i < in->count; i++) {
        struct pack_param *p = &in->params[i];
        if (p->role == ROLE_INPUT)
            return;
        if (!first && p->role == ROLE_NONE && fits(p, ROLE_INPUT) && !p->out && !p->many)
            first = p;
    }
    if (first)
        first->role = ROLE_INPUT;
}

bool params_read(struct params_reading *in, const struct node *map)
{
    const char *path[3];
    if (!expect_kind(in->file, map, NODE_MAP, "the parameters, a mapping", in->error))
        return false;
    for (int i = 0; i < map->count; i++)
        if (!read_entry(in, map->keys[i], map->items[i], i, path, 0))
            return false;
    name_input(in);
    return resolve_counts(in);
}

int pack_param_with(const struct pack_function *f, enum param_role role)
{
    for (int i = 0; i < f->param_count; i++)
        if (f->params[i].role == role)
            return i;
    return -1;
}

int pack_object_argument(const struct pack_function *f, enum param_role role)
{
    return role != ROLE_NONE && f->object_role == role ? f->object : -1;
}

int pack_held_argument(const struct pack_function *f)
{
    for (int i = 0; i < f->param_count; i++)
        if (f->params[i].held)
            return f->params[i].argument;
    return -1;
}

/* The parameters of a function: the pack's mapping, an entry for each argument in order, becomes a
 * list of operands with where each is found in the call. */
#include "analyzer/pack/private.h"
#include "analyzer/pack/param.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct params_reading *in;
    const struct node *spec;
    struct pack_param *param;
    const char *count_name; /* after "by" */
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

static const char *const spec_words[] = {
    "skip", "optional", "written", "many", "by",    "held", "fixed", "constant", "out",
    "or",   "tensor",   "number",  "int",  "float", "bool", "dtype", "device",   "buffer",
};

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
        if (strcmp(kinds[i].word, word) != 0)
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

/* "out 2", "many", "by count" and the rest. *at stands behind the word. */
static bool take_word(struct reading *r, const char *word, const char **at, bool *optional)
{
    struct pack_param *param = r->param;
    struct params_reading *in = r->in;
    int offset = (int)(*at - r->spec->text - (int)strlen(word));
    if (strcmp(word, "optional") == 0) {
        *optional = true;
    } else if (strcmp(word, "written") == 0) {
        param->written = true;
    } else if (strcmp(word, "many") == 0) {
        param->many = true;
    } else if (strcmp(word, "held") == 0) {
        param->held = true;
    } else if (strcmp(word, "fixed") == 0) {
        param->fixed = true;
    } else if (strcmp(word, "constant") == 0) {
        param->fixed = param->constant = true;
    } else if (strcmp(word, "by") == 0) {
        r->count_name = next_word(in->arena, at);
    } else if (strcmp(word, "out") == 0) {
        const char *number = next_word(in->arena, at);
        param->out = true;
        param->result = number ? atoi(number) : 0;
        if (param->result < 1 || param->result >= PACK_MAX_RESULTS)
            return error_at(in->error, in->file, r->spec->line, r->spec->column + offset,
                            "expected the number of a result after 'out', 1 to %d",
                            PACK_MAX_RESULTS - 1);
    } else if (strcmp(word, "or") != 0 && !take_kind(param, word)) {
        return unknown_word(in->file, r->spec, offset, "word of a parameter", word, spec_words,
                            (int)(sizeof spec_words / sizeof spec_words[0]), in->error);
    }
    return true;
}

static bool read_spec(struct params_reading *in, const struct node *spec, struct pack_param *param)
{
    struct reading r = {in, spec, param, NULL};
    const char *at = spec->text, *word;
    bool optional = false;
    param->count = -1;
    while ((word = next_word(in->arena, &at)))
        if (!take_word(&r, word, &at, &optional))
            return false;
    if (param->kind == OPERAND_ABSENT)
        return error_at(in->error, in->file, spec->line, spec->column,
                        "expected what the parameter is: tensor, number, int, …, or skip");
    param->required = param->kind == OPERAND_TENSOR && !optional && !param->out && !param->many;
    in->count_names[in->count] = r.count_name;
    in->count_nodes[in->count] = spec;
    return true;
}

static bool add_param(struct params_reading *in, const struct node *key, const struct node *spec,
                      int argument, const char *const *path, int depth)
{
    if (strcmp(spec->text, "skip") == 0)
        return true;
    if (in->count == PACK_MAX_PARAMS)
        return error_at(in->error, in->file, key->line, key->column, "more than %d parameters",
                        PACK_MAX_PARAMS);
    struct pack_param *param = &in->params[in->count];
    *param = (struct pack_param){.name = key->text, .argument = argument};
    memcpy(param->path, path, (size_t)depth * sizeof *path);
    if (!read_spec(in, spec, param))
        return false;
    in->count++;
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

/* "by count" names a parameter that may stand behind. */
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

bool params_read(struct params_reading *in, const struct node *map)
{
    const char *path[3];
    if (!expect_kind(in->file, map, NODE_MAP, "the parameters, a mapping", in->error))
        return false;
    for (int i = 0; i < map->count; i++)
        if (!read_entry(in, map->keys[i], map->items[i], i, path, 0))
            return false;
    return resolve_counts(in);
}

/* Fields of tensors: `tensors: {tiny_tensor: {type: dtype, ne: sizes}}`. Reading one asks what the
 * field says, as a function of the API would. */
#include "analyzer/pack/private.h"

#include <string.h>

static const enum question questions[] = {QUESTION_DTYPE_OF, QUESTION_DEVICE_OF, QUESTION_SIZE,
                                          QUESTION_SIZE_OF,  QUESTION_DATA,      QUESTION_OTHER};
const char *const tensor_field_words[] = {"dtype", "device", "sizes", "strides", "data", "skip"};
const int tensor_field_word_count = COUNT(tensor_field_words);

static bool read_field(struct pack_set *s, struct pack *p, const char *record,
                       const struct node *key, const struct node *item, struct error *e)
{
    if (!expect_kind(p->file, item, NODE_TEXT, "what the field is", e))
        return false;
    for (int i = 0; i < tensor_field_word_count; i++)
        if (strcmp(item->text, tensor_field_words[i]) == 0) {
            struct pack_function *f = arena_one(s->arena, struct pack_function);
            *f = (struct pack_function){.name = key->text,
                                        .word = key->text,
                                        .shown = key->text,
                                        .pack = p,
                                        .question = questions[i],
                                        .effects = EFFECT_PURE,
                                        .alias_of = -1,
                                        .line = key->line};
            struct tensor_field field = {.record = record, .name = key->text, .asker = f};
            LIST_ADD(s->arena, &p->tensor_fields, field);
            return true;
        }
    return unknown_word(p->file, item, 0, "word", item->text, tensor_field_words,
                        tensor_field_word_count, e);
}

bool tensor_fields_load(struct pack_set *s, struct pack *p, const char *record,
                        const struct node *map, struct error *e)
{
    if (!expect_kind(p->file, map, NODE_MAP, "fields of the record", e))
        return false;
    for (int i = 0; i < map->count; i++)
        if (!read_field(s, p, record, map->keys[i], map->items[i], e))
            return false;
    return true;
}

/* The pointer belongs to the tensor as one does that a function returns: such a function. */
bool tensor_fields_describe(struct pack_set *s, struct pack *p, struct error *e)
{
    bool is_fine = true;
    bool (*is_wanted)(const void *data, const char *function) = s->is_wanted;
    s->is_wanted = NULL; /* no program names it */
    for (int i = 0; i < p->tensor_fields.count && is_fine; i++) {
        struct tensor_field *f = &p->tensor_fields.items[i];
        if (f->asker->question != QUESTION_DATA)
            continue;
        const char *name = arena_printf(s->arena, "%s.%s", f->record, f->name);
        const char *text = arena_printf(s->arena,
                                        "{name: '%s', prefix: '', shown: %s, family: data_pointer, "
                                        "params: {x: tensor}, result: {buffer: x.dtype, device: "
                                        "anywhere}, alias: view x}",
                                        name, f->name);
        const struct node *entry = yaml_read(s->arena, p->file, text, strlen(text), e);
        is_fine = entry && functions_load(s, p, entry, e);
        f->pointer = is_fine ? packs_find(s, name) : NULL;
    }
    s->is_wanted = is_wanted;
    return is_fine;
}

/* What is not listed does not matter. */
static const struct pack_function nothing = {.question = QUESTION_OTHER, .alias_of = -1};

static const struct tensor_field *find_field(const struct pack_set *s, const char *record,
                                             const char *field, bool *is_tensor)
{
    for (int i = 0; i < s->packs.count; i++) {
        const struct pack *p = s->packs.items[i];
        for (int k = 0; k < p->tensor_fields.count; k++) {
            const struct tensor_field *f = &p->tensor_fields.items[k];
            if (strcmp(f->record, record) != 0)
                continue;
            if (strcmp(f->name, field) == 0)
                return f;
            *is_tensor = true;
        }
    }
    return NULL;
}

const struct pack_function *packs_tensor_field(const struct pack_set *s, const char *record,
                                               const char *field)
{
    bool is_tensor = false;
    const struct tensor_field *f = find_field(s, record, field, &is_tensor);
    return f ? f->asker : is_tensor ? &nothing : NULL;
}

const struct pack_function *packs_tensor_pointer(const struct pack_set *s, const char *record,
                                                 const char *field)
{
    bool is_tensor;
    const struct tensor_field *f = find_field(s, record, field, &is_tensor);
    return f ? f->pointer : NULL;
}

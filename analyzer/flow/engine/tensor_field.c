/* Fields of the records that tensors are. Reading one that says what the tensor is asks a question
 * about it, as a call would; what is written to one is not known to the tensor any more. */
#include "analyzer/flow/engine/engine.h"

const struct pack_function *tensor_field(const struct path *p, ir_value n)
{
    const struct ir_function *fn = p->fr->code->fn;
    const struct ir_inst *i = &fn->insts.items[n];
    if (i->op == IR_ELEMENT && fn->insts.items[i->args[0]].op == IR_FIELD) {
        n = i->args[0];
        i = &fn->insts.items[n];
    }
    const struct type *record = i->op == IR_FIELD ? fn->insts.items[i->args[0]].type : NULL;
    record = record && record->kind == TYPE_POINTER ? record->of : NULL;
    return record && record->name
               ? packs_tensor_field(p->f->packs, record->name, p->fr->code->names[n])
               : NULL;
}

/* The elements of a tensor whose dtype is known, as memory. */
static bool elements_of(struct path *p, ir_value n, const struct pack_function *asker,
                        const struct fact *fact, const struct step *how, struct value *out)
{
    struct pack_call call = {.f = p->f, .fr = p->fr, .s = p->s, .inst = n, .fn = asker};
    struct tensor memory = {.fact = {.dtypes = fact->dtypes, .devices = 1u << DEVICE_CPU}};
    struct step *read = arena_one(p->f->arena, struct step);
    *read = (struct step){.function = p->fr->code->fn,
                          .inst = n,
                          .span = p->fr->code->fn->insts.items[n].span,
                          .what = asker->shown,
                          .fact = memory.fact,
                          .from = {how},
                          .when = state_when(p->f->arena, p->s),
                          .called = p->fr->called};
    memory.how = step_at(p->f, p->fr, read);
    *out = buffer_made(&call, 0, p->fr->code->fn->insts.items[n].type, memory);
    out->null = TRI_MAYBE;
    return true;
}

/* Whether one dtype is that of the elements. Of a tensor from outside, a test of the program shows
 * it; but not of one that was found in a field of another, without an origin: it may have been read
 * from there before, and the test that counts was made then. */
static bool is_dtype_known(const struct fact *fact, bool unknown, const struct step *how)
{
    bool is_one = fact->dtypes && !(fact->dtypes & (fact->dtypes - 1));
    return unknown ? is_one && how : fact->dtypes != 0;
}

bool tensor_field_read(struct path *p, ir_value n, ir_value field, const struct value *of,
                       struct value *out)
{
    const struct pack_function *asker = tensor_field(p, field);
    bool unknown = false;
    const struct step *how = NULL;
    if (!asker || asker->question == QUESTION_OTHER)
        return false;
    struct fact fact = state_fact(p->s, of, &unknown, &how);
    if (asker->question == QUESTION_DATA)
        return is_dtype_known(&fact, unknown, how) && elements_of(p, n, asker, &fact, how, out);
    bool is_size = asker->question == QUESTION_SIZE || asker->question == QUESTION_SIZE_OF;
    *out = is_size ? value_range(0, INT64_MAX) : answer(p->f, asker, of, &fact);
    return true;
}

/* An element of an array, which becomes a pointer first. */
uint8_t tensor_stride_unit(struct path *p, ir_value n)
{
    const struct ir_inst *all = p->fr->code->fn->insts.items;
    if (all[n].op == IR_ELEMENT)
        n = all[n].args[0];
    if (all[n].op == IR_CONVERT)
        n = all[n].args[0];
    const struct pack_function *asker = all[n].op == IR_FIELD ? tensor_field(p, n) : NULL;
    if (!asker || asker->question != QUESTION_SIZE_OF)
        return DTYPE_NONE;
    bool unknown = false;
    const struct step *how = NULL;
    struct value of = path_get(p, all[n].args[0]);
    if (of.kind != VALUE_TENSOR || case_is_one_of(p->s))
        return DTYPE_NONE;
    struct fact fact = state_fact(p->s, &of, &unknown, &how);
    return size_unit(&fact, unknown, how);
}

/* Any dtype may be what was written. */
static void forget_dtype(struct path *p, int id)
{
    const struct tensor *t = state_tensor(p->s, id);
    if (!t)
        return;
    struct tensor changed = *t;
    changed.fact.dtypes = t->several ? t->fact.dtypes | DTYPES_ALL : DTYPES_ALL;
    changed.unknown = true;
    state_tensor_put(p->f->scratch, p->s, changed);
}

bool tensor_field_write(struct path *p, ir_value field, const struct value *of)
{
    const struct pack_function *asker = tensor_field(p, field);
    for (int k = 0; asker && asker->question == QUESTION_DTYPE_OF && k < of->count; k++)
        forget_dtype(p, of->as.tensor[k]);
    return asker != NULL;
}

/* Checks of what the program does through pointers to raw memory: a tensor's data read as
 * another type, memory of a device accessed from the host. The failure is attributed to the
 * function that returned the pointer. */
#include "analyzer/flow/engine/engine.h"

/* The function that returned the pointer, and the parameter that it belongs to: the tensor whose
 * data it points to, or an out-parameter. */
struct giver {
    const struct pack_function *function; /* NULL: none is known */
    int param;
};

/* The field of the tensor that the instruction reads; NULL: it reads none. */
static const struct pack_function *field_read(const struct flow *f, const struct ir_function *fn,
                                              const struct ir_inst *i)
{
    const struct ir_inst *at = i->op == IR_LOAD ? &fn->insts.items[i->args[0]] : NULL;
    const struct type *record = at && at->op == IR_FIELD ? fn->insts.items[at->args[0]].type : NULL;
    record = record && record->kind == TYPE_POINTER ? record->of : NULL;
    return record && record->name ? packs_tensor_pointer(f->packs, record->name, at->name) : NULL;
}

static struct giver giver_of(const struct flow *f, const struct step *how)
{
    const struct ir_inst *i = how && how->inst ? &how->function->insts.items[how->inst] : NULL;
    const struct pack_function *fn = i && i->name ? packs_find(f->packs, i->name) : NULL;
    if (i && !fn)
        fn = field_read(f, how->function, i);
    int param = fn ? fn->alias_of : -1;
    for (int i = 0; fn && param < 0 && i < fn->param_count; i++)
        param = fn->params[i].out ? i : param;
    return param < 0 ? (struct giver){NULL, -1} : (struct giver){fn, param};
}

/* A new failure of the instruction; NULL: it is known already, or no pack function returned the
 * pointer. One per kind and address: it may be read and then written. */
static struct flow_failure *failure_new(struct path *p, ir_value n, ir_value at,
                                        enum error_kind kind, const struct tensor *t)
{
    struct flow *f = p->f;
    const struct ir_function *fn = p->fr->code->fn;
    struct giver g = giver_of(f, t->how);
    struct key key = key_of_index(KEY_FAILURE, (uint64_t)(uintptr_t)fn, (uint64_t)at, (int)kind);
    struct flow_failure *r = failure_at(f, key);
    if (r) {
        r->when = condition_common(r->when, state_when(f->arena, p->s));
        r->past &= p->s->past;
    }
    if (r || !g.function || p->fr->is_partial)
        return NULL;
    r = failure_add(f, key);
    *r = (struct flow_failure){.function = fn,
                               .inst = n,
                               .callee = g.function,
                               .kind = kind,
                               .past = p->s->past,
                               .behind = p->s->past,
                               .operand_count = 1,
                               .operands[0] = {.name = g.function->params[g.param].name,
                                               .param = g.param,
                                               .value = fn->insts.items[n].args[0],
                                               .fact = t->fact,
                                               .dtypes = t->fact.dtypes,
                                               .devices = t->fact.devices,
                                               .gpus = fact_gpus(&t->fact),
                                               .how = t->how},
                               .when = state_when(f->arena, p->s),
                               .called = p->fr->called};
    return r;
}

/* ---- as another type ------------------------------------------------------------------------- */

/* Whether elements of a dtype may be read as that type: unsigned integers of the same size may
 * be their bits. */
static bool reads(const struct flow *f, const struct type *t, enum dtype d)
{
    enum dtype said = dtype_of_type(f, t);
    if (is_byte_type(t) || said == d)
        return true;
    bool bits = t->kind == TYPE_INT && (!t->is_signed || t->bits == 16);
    if (bits && d >= DTYPE_COUNT) /* a block of a format of its own */
        return true;
    return bits ? t->bits == dtype_bytes(d) * 8 : said == DTYPE_NONE;
}

static dtype_set readable(const struct flow *f, const struct type *t, dtype_set dtypes)
{
    dtype_set can = dtypes & DTYPES_UNTYPED;
    for (int d = 1; d < dtype_end(); d++)
        if (dtypes >> d & 1 && reads(f, t, (enum dtype)d))
            can |= DTYPE_BIT(d);
    return can;
}

static void fail_cast(struct path *p, ir_value n, const struct type *to, const struct tensor *t,
                      dtype_set can)
{
    struct flow_failure *r = failure_new(p, n, n, ERROR_DTYPE, t);
    if (!r)
        return;
    struct text type = {0};
    const char *param = r->operands[0].name;
    type_print(to, &type);
    r->operands[0].dtypes = can;
    r->reason = arena_printf(p->f->arena, "the data of {%s}, which is {%s.dtype}, are read as %s",
                             param, param, type.data);
    text_free(&type);
}

/* Whether its next user is a pack call, which checks the elements itself. */
static bool is_checked(const struct path *p, ir_value n)
{
    const struct code *c = p->fr->code;
    const struct ir_block *b = &c->fn->blocks.items[p->block];
    for (int k = c->place_in[n] + 1; k < b->count; k++) {
        const struct ir_inst *i = &c->fn->insts.items[b->insts[k]];
        for (int a = 0; a < i->arg_count; a++)
            if (i->args[a] == n)
                return i->op == IR_CALL && c->packed[b->insts[k]];
    }
    return false;
}

/* A pointer to memory of known elements is converted to another type. */
void pointer_cast(struct path *p, ir_value n, const struct ir_inst *i, const struct value *v)
{
    const struct type *t = element_type(i->type->of);
    for (int k = 0; p->s->has_memory && k < v->count && t && !is_byte_type(t); k++) {
        const struct tensor *memory = memory_of(p->s, v->as.loc[k]->object);
        if (!memory || memory->fact.dtypes & DTYPES_UNTYPED || memory->unknown)
            continue;
        dtype_set can = readable(p->f, t, memory->fact.dtypes);
        visit_note(p->f, p->fr, p->s, n, NULL, can != 0);
        if (can != memory->fact.dtypes && !is_checked(p, n))
            fail_cast(p, n, i->type->of, memory, can);
    }
}

/* ---- from the host --------------------------------------------------------------------------- */

void pointer_touch(struct path *p, ir_value n, const struct ir_inst *i, const struct value *at)
{
    for (int k = 0; p->s->has_memory && at->kind == VALUE_ADDRESS && k < at->count; k++) {
        const struct tensor *memory = memory_of(p->s, at->as.loc[k]->object);
        if (!memory || memory->unknown)
            continue;
        uint8_t reached = memory->fact.devices & (1u << DEVICE_CPU | DEVICES_SHARED);
        visit_note(p->f, p->fr, p->s, n, NULL, reached);
        struct flow_failure *r = reached == memory->fact.devices
                                     ? NULL
                                     : failure_new(p, n, i->args[0], ERROR_DEVICE, memory);
        if (!r)
            continue;
        const char *param = r->operands[0].name;
        r->operands[0].devices = reached;
        r->reason = arena_printf(p->f->arena, "the host %s {%s}, which is on {%s.device}",
                                 i->op == IR_LOAD ? "reads" : "writes", param, param);
    }
}

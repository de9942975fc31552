/* Regions: the modes in force around a call, that is grad mode, inference mode, the autocast dtype
 * of each device, the default dtype and the default device. They are kept in memory as fields of an
 * object that no program can name, so that states which differ in them are compared and joined like
 * others. The token that a begin returns points to a copy of them, which the end restores. */
#include "analyzer/flow/autograd/autograd.h"

static const char *const fields[] = {"autocast cpu", "autocast cuda", "grad",
                                     "inference",    "default dtype", "default device"};
enum {
    GRAD = REGION_GRAD,
    INFERENCE = REGION_INFERENCE,
    DEFAULT_DTYPE = REGION_DEFAULT_DTYPE,
    DEFAULT_DEVICE = REGION_DEFAULT_DEVICE,
    FIELD_COUNT = sizeof fields / sizeof fields[0]
};

static const struct loc *field_in(struct flow *f, struct object *o, int field)
{
    return loc_field(f->heap, loc_root(f->heap, o), name_of(f->names, fields[field]));
}

static const struct loc *region_at(struct flow *f, int field)
{
    if (!f->region_locs[field]) {
        struct object *o = object_at(f->heap, key_of(KEY_REGIONS, 0, 0), OBJECT_MADE, "", NULL);
        f->region_locs[field] = field_in(f, o, field);
    }
    return f->region_locs[field];
}

static struct value of_device(struct value v)
{
    v.names = NAMES_DEVICE;
    return v;
}

/* No region is open, gradients are recorded, the default dtype is f32, and no device was set. */
static struct value region_first(int field)
{
    if (field == DEFAULT_DEVICE)
        return of_device(value_int(0));
    return value_int(field == DEFAULT_DTYPE ? DTYPE_F32 : field == GRAD);
}

void regions_begin(struct flow *f, struct state *s)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        state_put(f->scratch, s, region_at(f, i), region_first(i));
}

/* Not known any more: a region was ended whose begin is not known, or states were joined. */
static struct value region_unknown(int field)
{
    struct value v = {.kind = VALUE_NUMBER, .count = 2, .as.number = {0, 1}};
    if (field == GRAD || field == INFERENCE)
        return v;
    if (field == DEFAULT_DEVICE)
        return of_device(value_any);
    if (field == DEFAULT_DTYPE)
        return (struct value){.kind = VALUE_NUMBER,
                              .count = 4,
                              .as.number = {DTYPE_F16, DTYPE_BF16, DTYPE_F32, DTYPE_F64}};
    v.count = 3;
    v.as.number[1] = DTYPE_F16;
    v.as.number[2] = DTYPE_BF16;
    return v;
}

/* After widening it is a range: any mode. */
static struct value region_value(struct flow *f, const struct state *s, int field)
{
    const struct value *v = state_get(s, region_at(f, field));
    if (v && field != DEFAULT_DEVICE && !(v->kind == VALUE_NUMBER && v->count))
        return region_unknown(field);
    return v ? *v : region_first(field);
}

void regions_copy(struct flow *f, struct state *to, const struct state *from)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        state_put(f->scratch, to, region_at(f, i), region_value(f, from, i));
}

static enum tri is_on(struct flow *f, const struct state *s, int field)
{
    struct value v = region_value(f, s, field);
    int on = value_can_be_nonzero(&v) ? TRI_YES : 0, off = value_can_be_zero(&v) ? TRI_NO : 0;
    return (enum tri)(on | off);
}

enum tri grad_mode(struct flow *f, const struct state *s)
{
    return is_on(f, s, GRAD);
}

enum tri inference_mode(struct flow *f, const struct state *s)
{
    return is_on(f, s, INFERENCE);
}

void default_dtypes(struct flow *f, const struct state *s, struct region_set *out)
{
    struct value v = region_value(f, s, DEFAULT_DTYPE);
    out->default_count = v.count;
    for (int i = 0; i < v.count; i++)
        out->defaults[i] = (enum dtype)v.as.number[i];
}

struct value region_get(struct flow *f, const struct state *s, int region)
{
    const struct value *v = state_get(s, region_at(f, region));
    return v && v->kind == VALUE_GUARDED ? *v : region_value(f, s, region);
}

struct value default_device(struct flow *f, const struct state *s)
{
    return region_value(f, s, DEFAULT_DEVICE);
}

bool regions_open(struct flow *f, const struct state *s, struct region_set *out)
{
    bool any = false;
    out->records = grad_mode(f, s);
    for (int d = 0; d < AUTOCAST_DEVICES; d++) {
        struct value v = region_value(f, s, d);
        out->count[d] = 0;
        for (int i = 0; i < v.count; i++) {
            out->dtypes[d][out->count[d]++] = (enum dtype)v.as.number[i];
            any |= v.as.number[i] != DTYPE_NONE;
        }
        any |= v.count != 1;
    }
    return any;
}

/* ---- begin and end --------------------------------------------------------------------------- */

struct value regions_keep(struct flow *f, struct state *s, struct key key)
{
    struct object *before = object_at(f->heap, key, OBJECT_MADE, "", NULL);
    for (int i = 0; i < FIELD_COUNT; i++)
        state_put(f->scratch, s, field_in(f, before, i), region_value(f, s, i));
    return value_of_loc(loc_root(f->heap, before));
}

struct value regions_kept(struct flow *f, struct key key)
{
    return value_of_loc(loc_root(f->heap, object_at(f->heap, key, OBJECT_MADE, "", NULL)));
}

void region_set(struct flow *f, struct state *s, int region, struct value v)
{
    bool is_known = v.kind == VALUE_GUARDED || (v.kind == VALUE_NUMBER && v.count);
    state_put(f->scratch, s, region_at(f, region), is_known ? v : region_unknown(region));
}

/* The first field of the token points to the saved modes. */
static struct value token(const struct pack_call *call)
{
    const struct type *type = call->fr->code->fn->insts.items[call->inst].type;
    const struct type *record = type && type->kind == TYPE_POINTER ? type->of : NULL;
    struct value leads = regions_keep(
        call->f, call->s, key_of(KEY_SAVED_REGIONS, call->fr->context, (uint64_t)call->inst));
    if (!record || record->kind != TYPE_RECORD || !record->field_count)
        return leads;
    struct object *o =
        object_at(call->f->heap, key_of(KEY_REGION_TOKEN, call->fr->context, (uint64_t)call->inst),
                  OBJECT_MADE, "", record);
    o->frame = call->fr->regs->frame;
    o->local = call->inst;
    const struct loc *root = loc_root(call->f->heap, o);
    state_put(call->f->scratch, call->s,
              loc_field(call->f->heap, root, name_of(call->f->names, record->fields[0].name)),
              leads);
    return value_of_loc(root);
}

/* The saved modes, through whichever field; NULL: not known. */
static struct object *token_before(const struct state *s, const struct value *token)
{
    if (token->kind != VALUE_ADDRESS || token->count != 1)
        return NULL;
    const struct loc *at = token->as.loc[0];
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, at->object)); cursor_on(s, &w)) {
        const struct value *v = cell->loc->parent == at ? cell_read(s, cell) : &value_nothing;
        if (v->kind == VALUE_ADDRESS && v->count == 1)
            return v->as.loc[0]->object;
    }
    return state_get(s, at) ? NULL : at->object;
}

void regions_put_back(struct flow *f, struct state *s, const struct value *token, bool grad)
{
    struct object *before = token_before(s, token);
    for (int i = 0; i < DEFAULT_DTYPE; i++) {
        if ((i == GRAD || i == INFERENCE) != grad)
            continue;
        const struct value *v = before ? state_get(s, field_in(f, before, i)) : NULL;
        state_put(f->scratch, s, region_at(f, i), v ? *v : region_unknown(i));
    }
}

void default_device_put_back(struct flow *f, struct state *s, const struct value *token)
{
    struct object *before = token_before(s, token);
    const struct value *v = before ? state_get(s, field_in(f, before, DEFAULT_DEVICE)) : NULL;
    state_put(f->scratch, s, region_at(f, DEFAULT_DEVICE), v ? *v : region_unknown(DEFAULT_DEVICE));
}

void regions_restore(struct flow *f, struct state *s, const struct value *token)
{
    struct object *before = token_before(s, token);
    for (int i = 0; i < FIELD_COUNT; i++) {
        const struct value *v = before ? state_get(s, field_in(f, before, i)) : NULL;
        state_put(f->scratch, s, region_at(f, i), v ? *v : region_unknown(i));
    }
}

/* A region of the CPU casts to f16 and bf16 only; with another dtype it is off. */
static enum dtype region_dtype(enum device d, enum dtype said)
{
    if (said == DTYPE_NONE)
        return d == DEVICE_CUDA ? DTYPE_F16 : DTYPE_BF16;
    return d == DEVICE_CUDA || said == DTYPE_F16 || said == DTYPE_BF16 ? said : DTYPE_NONE;
}

/* What the call passes for the role. A parameter that the function does not have is one that was
 * left out: the default dtype, and enabled. */
static const struct choice *choice_with(const struct pack_call *call, enum param_role role)
{
    static const struct choice left_out = {
        .options = {{.kind = OPERAND_BOOL, .known = true, .number = 1}}, .count = 1};
    int k = pack_param_with(call->fn, role);
    return k < 0 ? &left_out : &call->choices[k];
}

static void open_region(const struct pack_call *call)
{
    const struct choice *devices = choice_with(call, ROLE_DEVICE),
                        *dtypes = choice_with(call, ROLE_DTYPE),
                        *enabled = choice_with(call, ROLE_ENABLED);
    struct flow *f = call->f;
    struct state *s = call->s;
    for (int d = 0; d < AUTOCAST_DEVICES; d++) {
        struct value before = region_value(f, s, d), after = value_nothing;
        for (int i = 0; i < devices->count; i++) {
            bool this =
                devices->options[i].kind == OPERAND_DEVICE && (int)devices->options[i].device == d;
            for (int k = 0; this && k < dtypes->count; k++)
                for (int on = 0; on < enabled->count; on++) {
                    const struct operand *o = &enabled->options[on];
                    enum dtype dtype = region_dtype((enum device)d, dtypes->options[k].dtype);
                    struct value off = value_int(DTYPE_NONE), v = value_int(dtype);
                    if (!o->known || o->number == 0)
                        after = value_join(f->scratch, s, &after, &off);
                    if (!o->known || o->number != 0)
                        after = value_join(f->scratch, s, &after, &v);
                }
            if (!this)
                after = value_join(f->scratch, s, &after, &before);
        }
        if (after.kind == VALUE_NUMBER && after.count)
            state_put(f->scratch, s, region_at(f, d), after);
        else
            state_put(f->scratch, s, region_at(f, d), region_unknown(d));
    }
}

/* The default dtype is one of those that the call is passed. */
static void set_default_dtype(const struct pack_call *call, const struct choice *dtypes)
{
    struct value v = value_nothing;
    for (int i = 0; i < dtypes->count; i++) {
        struct value one = value_int(dtypes->options[i].dtype);
        bool takes = DTYPES_FLOATING >> dtypes->options[i].dtype & 1 &&
                     dtypes->options[i].dtype <= DTYPE_F64;
        if (takes)
            v = value_join(call->f->scratch, call->s, &v, &one);
    }
    if (v.kind != VALUE_NUMBER || !v.count)
        v = region_unknown(DEFAULT_DTYPE);
    state_put(call->f->scratch, call->s, region_at(call->f, DEFAULT_DTYPE), v);
}

bool regions_call(const struct pack_call *call, struct value *result)
{
    int sets = pack_param_with(call->fn, ROLE_DEFAULT_DTYPE);
    if (sets >= 0)
        set_default_dtype(call, &call->choices[sets]);

    const unsigned begins = EFFECT_NO_GRAD_BEGIN | EFFECT_ENABLE_GRAD_BEGIN | EFFECT_AUTOCAST_BEGIN;
    const unsigned ends = EFFECT_GRAD_MODE_END | EFFECT_AUTOCAST_END;
    if (call->fn->effects & begins) {
        *result = token(call);
        if (call->fn->effects & EFFECT_AUTOCAST_BEGIN)
            open_region(call);
        else
            state_put(call->f->scratch, call->s, region_at(call->f, GRAD),
                      value_int(call->fn->effects & EFFECT_ENABLE_GRAD_BEGIN ? 1 : 0));
    } else if (call->fn->effects & ends) {
        int region = pack_object_argument(call->fn, ROLE_REGION);
        bool given = region >= 0 && region < call->arg_count;
        regions_put_back(call->f, call->s, given ? &call->args[region] : &value_any,
                         call->fn->effects & EFFECT_GRAD_MODE_END);
        *result = value_nothing;
    }
    return call->fn->effects & (begins | ends);
}

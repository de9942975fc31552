/* Memory and tensors on one path: looking up, writing, joining. */
#include "analyzer/flow/state.h"

#include <string.h>

/* ---- values --------------------------------------------------------------------------------- */

const struct value value_any = {.kind = VALUE_ANY, .null = TRI_MAYBE};
const struct value value_nothing = {.kind = VALUE_NOTHING};

struct value value_int(int64_t n)
{
    return (struct value){.kind = VALUE_NUMBER, .count = 1, .as.number = {n}};
}

struct value value_range(int64_t low, int64_t high)
{
    struct value v = {.kind = VALUE_NUMBER};
    if (low == high)
        return value_int(low);
    v.as.range.low = low;
    v.as.range.high = high;
    return v;
}

struct value value_real(double r)
{
    return (struct value){.kind = VALUE_NUMBER, .is_real = true, .has_real = true, .as.real = r};
}

struct value value_unknown_real(void)
{
    return (struct value){.kind = VALUE_NUMBER, .is_real = true};
}

struct value value_null(void)
{
    return (struct value){.kind = VALUE_ADDRESS, .null = TRI_YES};
}

struct value value_of_tensor(int id)
{
    return (struct value){.kind = VALUE_TENSOR, .null = TRI_NO, .count = 1, .as.tensor = {id}};
}

struct value value_of_loc(const struct loc *l)
{
    return (struct value){.kind = VALUE_ADDRESS, .null = TRI_NO, .count = 1, .as.loc = {l}};
}

struct value value_of_function(const struct ir_function *f)
{
    return (struct value){.kind = VALUE_FUNCTION, .null = TRI_NO, .count = 1, .as.function = {f}};
}

static bool same_names(const struct value *a, const struct value *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->as.loc[i] != b->as.loc[i])
            return false;
    return true;
}

static bool same_number(const struct value *a, const struct value *b)
{
    if (a->is_real != b->is_real || a->is_bool != b->is_bool || a->count != b->count)
        return false;
    if (a->is_real)
        return a->has_real == b->has_real && (!a->has_real || a->as.real == b->as.real);
    if (!a->count)
        return a->as.range.low == b->as.range.low && a->as.range.high == b->as.range.high;
    return !memcmp(a->as.number, b->as.number, sizeof *a->as.number * a->count);
}

bool value_equal(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind)
        return false;
    switch ((enum value_kind)a->kind) {
    case VALUE_NOTHING:
    case VALUE_ANY:
    case VALUE_ZEROED:
        return true;
    case VALUE_NUMBER:
        return same_number(a, b);
    case VALUE_TENSOR:
        return a->null == b->null && a->count == b->count &&
               !memcmp(a->as.tensor, b->as.tensor, sizeof *a->as.tensor * a->count);
    case VALUE_ADDRESS:
    case VALUE_FUNCTION:
        return a->null == b->null && same_names(a, b);
    }
    return false;
}

bool value_can_be_zero(const struct value *v)
{
    if (v->kind == VALUE_TENSOR || v->kind == VALUE_ADDRESS || v->kind == VALUE_FUNCTION)
        return v->null & TRI_YES;
    if (v->kind != VALUE_NUMBER)
        return true;
    if (v->is_real)
        return !v->has_real || v->as.real == 0;
    for (int i = 0; i < v->count; i++)
        if (v->as.number[i] == 0)
            return true;
    return !v->count && v->as.range.low <= 0 && v->as.range.high >= 0;
}

bool value_can_be_nonzero(const struct value *v)
{
    if (v->kind == VALUE_TENSOR || v->kind == VALUE_ADDRESS || v->kind == VALUE_FUNCTION)
        return v->null & TRI_NO;
    if (v->kind != VALUE_NUMBER)
        return true;
    if (v->is_real)
        return !v->has_real || v->as.real != 0;
    for (int i = 0; i < v->count; i++)
        if (v->as.number[i] != 0)
            return true;
    return !v->count;
}

/* ---- locations ------------------------------------------------------------------------------ */

struct heap {
    struct arena *arena;
    struct map *locs;    /* by (object, parent, field, element) */
    struct map *tensors; /* by key */
    struct map *objects; /* by key */
    int loc_count, object_count, tensor_count;
};

struct heap *heap_new(struct arena *a)
{
    struct heap *h = arena_one(a, struct heap);
    h->arena = a;
    h->locs = map_new(a);
    h->tensors = map_new(a);
    h->objects = map_new(a);
    return h;
}

struct object *object_new(struct heap *h, enum object_kind kind, const char *name,
                          const struct type *type)
{
    struct object *o = arena_one(h->arena, struct object);
    o->id = ++h->object_count;
    o->kind = kind;
    o->name = name;
    o->type = type;
    o->unknown_contents = kind == OBJECT_UNKNOWN;
    return o;
}

struct object *object_at(struct heap *h, uint64_t key, enum object_kind kind, const char *name,
                         const struct type *type)
{
    struct object *o = map_get(h->objects, key);
    if (!o)
        map_put(h->objects, key, o = object_new(h, kind, name, type));
    return o;
}

int tensor_name(struct heap *h, uint64_t key)
{
    intptr_t id = (intptr_t)map_get(h->tensors, key);
    if (!id)
        map_put(h->tensors, key, (void *)(id = ++h->tensor_count));
    return (int)id;
}

static const struct loc *loc_at(struct heap *h, struct loc want)
{
    uint64_t words[4] = {(uint64_t)want.object->id, (uint64_t)(uintptr_t)want.parent,
                         (uint64_t)(uintptr_t)want.field, (uint64_t)want.element};
    uint64_t key = hash_bytes(words, sizeof words, 1);
    struct loc *l = map_get(h->locs, key);
    if (!l) {
        l = arena_copy(h->arena, &want, sizeof want);
        l->id = ++h->loc_count;
        l->has_element = want.parent && (!want.field || want.parent->has_element);
        l->some_any =
            want.parent && (want.parent->some_any || (!want.field && want.element == ELEMENT_ANY));
        map_put(h->locs, key, l);
    }
    return l;
}

const struct loc *loc_root(struct heap *h, const struct object *o)
{
    return loc_at(h, (struct loc){.object = o});
}

const struct loc *loc_field(struct heap *h, const struct loc *of, const char *field)
{
    return loc_at(h, (struct loc){.object = of->object, .parent = of, .field = field});
}

const struct loc *loc_element(struct heap *h, const struct loc *of, int64_t element)
{
    return loc_at(h, (struct loc){.object = of->object, .parent = of, .element = element});
}

bool loc_is_below(const struct loc *l, const struct loc *top)
{
    for (; l; l = l->parent)
        if (l == top)
            return true;
    return false;
}

bool loc_may_be(const struct loc *x, const struct loc *y)
{
    for (; x != y; x = x->parent, y = y->parent) {
        if (!x || !y || x->object != y->object || x->field != y->field || !x->parent || !y->parent)
            return false;
        if (!x->field && x->element != y->element && x->element != ELEMENT_ANY &&
            y->element != ELEMENT_ANY)
            return false;
    }
    return true;
}

bool loc_is_alike(const struct loc *x, const struct loc *y)
{
    for (; x != y; x = x->parent, y = y->parent)
        if (!x || !y || x->object != y->object || x->field != y->field || !x->parent || !y->parent)
            return false;
    return true;
}

const struct loc *loc_rebase(struct heap *h, const struct loc *l, const struct loc *from,
                             const struct loc *to)
{
    if (l == from)
        return to;
    const struct loc *parent = loc_rebase(h, l->parent, from, to);
    return l->field ? loc_field(h, parent, l->field) : loc_element(h, parent, l->element);
}

/* ---- states --------------------------------------------------------------------------------- */

struct state *state_new(struct arena *a)
{
    return arena_one(a, struct state);
}

struct state *state_copy(struct arena *a, const struct state *s)
{
    struct state *c = arena_copy(a, s, sizeof *s);
    c->slots.room = c->slots.count;
    c->slots.items = arena_copy(a, s->slots.items, sizeof *s->slots.items * (size_t)s->slots.count);
    c->tensors.room = c->tensors.count;
    c->tensors.items =
        arena_copy(a, s->tensors.items, sizeof *s->tensors.items * (size_t)s->tensors.count);
    return c;
}

/* First slot whose location is not before id. */
static int slot_from(const struct state *s, int id)
{
    int low = 0, high = s->slots.count;
    while (low < high) {
        int mid = (low + high) / 2;
        if (s->slots.items[mid].loc->id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

const struct value *state_get(const struct state *s, const struct loc *l)
{
    int i = slot_from(s, l->id);
    return i < s->slots.count && s->slots.items[i].loc == l ? &s->slots.items[i].value : NULL;
}

bool state_zeroed(const struct state *s, const struct loc *l)
{
    for (; l; l = l->parent) {
        const struct value *v = state_get(s, l);
        if (v && v->kind == VALUE_ZEROED)
            return true;
    }
    return false;
}

void state_put(struct arena *a, struct state *s, const struct loc *l, struct value v)
{
    int i = slot_from(s, l->id);
    struct slot slot = {l, v};
    if (i < s->slots.count && s->slots.items[i].loc == l) {
        s->slots.items[i].value = v;
        return;
    }
    LIST_ADD(a, &s->slots, slot);
    memmove(&s->slots.items[i + 1], &s->slots.items[i],
            sizeof slot * (size_t)(s->slots.count - 1 - i));
    s->slots.items[i] = slot;
}

static void drop_if(struct state *s, bool (*gone)(const struct loc *, const void *),
                    const void *what)
{
    int kept = 0;
    for (int i = 0; i < s->slots.count; i++)
        if (!gone(s->slots.items[i].loc, what))
            s->slots.items[kept++] = s->slots.items[i];
    s->slots.count = kept;
}

static bool below(const struct loc *l, const void *top)
{
    return loc_is_below(l, top);
}

static bool of_object(const struct loc *l, const void *object)
{
    return l->object == object;
}

void state_drop(struct state *s, const struct loc *l)
{
    drop_if(s, below, l);
}

void state_drop_object(struct state *s, const struct object *o)
{
    drop_if(s, of_object, o);
}

static bool of_frame(const struct loc *l, const void *frame)
{
    return l->object->frame == frame;
}

void state_drop_frame(struct state *s, const void *frame)
{
    drop_if(s, of_frame, frame);
}

static bool holds_tensor(const struct value *v, int id)
{
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++)
        if (v->as.tensor[k] == id)
            return true;
    return false;
}

void state_prune(struct state *s, const struct value *but)
{
    int kept = 0;
    for (int t = 0; t < s->tensors.count; t++) {
        int id = s->tensors.items[t].id;
        bool held = but && holds_tensor(but, id);
        for (int i = 0; i < s->slots.count && !held; i++)
            held = holds_tensor(&s->slots.items[i].value, id);
        if (held)
            s->tensors.items[kept++] = s->tensors.items[t];
    }
    s->tensors.count = kept;
}

static int tensor_from(const struct state *s, int id)
{
    int low = 0, high = s->tensors.count;
    while (low < high) {
        int mid = (low + high) / 2;
        if (s->tensors.items[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

struct tensor *state_tensor(const struct state *s, int id)
{
    int i = tensor_from(s, id);
    return i < s->tensors.count && s->tensors.items[i].id == id ? &s->tensors.items[i] : NULL;
}

struct tensor *state_tensor_put(struct arena *a, struct state *s, struct tensor t)
{
    int i = tensor_from(s, t.id);
    if (i < s->tensors.count && s->tensors.items[i].id == t.id) {
        s->tensors.items[i] = t;
        return &s->tensors.items[i];
    }
    LIST_ADD(a, &s->tensors, t);
    memmove(&s->tensors.items[i + 1], &s->tensors.items[i],
            sizeof t * (size_t)(s->tensors.count - 1 - i));
    s->tensors.items[i] = t;
    return &s->tensors.items[i];
}

/* Names are kept sorted. True if id was among them. */
static bool rename_tensor(struct value *v, int id, int to)
{
    bool found = false, has = false;
    int kept = 0;
    for (int k = 0; k < v->count; k++) {
        found |= v->as.tensor[k] == id;
        has |= v->as.tensor[k] == to;
        if (v->as.tensor[k] != id)
            v->as.tensor[kept++] = v->as.tensor[k];
    }
    if (!found)
        return false;
    int at = kept;
    while (!has && at > 0 && v->as.tensor[at - 1] > to) {
        v->as.tensor[at] = v->as.tensor[at - 1];
        at--;
    }
    if (!has)
        v->as.tensor[at] = to;
    v->count = (uint8_t)(kept + !has);
    return true;
}

static bool asks_about(const struct value *v, int id)
{
    const struct ask *a = v->ask ? v->ask : v->test && v->test->of ? v->test->of->ask : NULL;
    for (int k = 0; a && k < a->count; k++)
        if (a->tensors[k] == id)
            return true;
    return false;
}

void state_tensor_age(struct arena *a, struct state *s, int id, int older)
{
    const struct tensor *now = state_tensor(s, id);
    bool held = false;
    if (!now)
        return;
    for (int i = 0; i < s->slots.count; i++) {
        struct value *v = &s->slots.items[i].value;
        if (v->kind == VALUE_TENSOR)
            held |= rename_tensor(v, id, older);
        else if (asks_about(v, id)) {
            v->ask = NULL;
            v->test = NULL;
        }
    }
    if (!held)
        return;
    struct tensor t = *now;
    const struct tensor *before = state_tensor(s, older);
    t.id = older;
    if (before) {
        t.how = before->how;
        t.unknown |= before->unknown;
        fact_join(&t.fact, &before->fact);
    }
    state_tensor_put(a, s, t);
}

/* ---- facts ---------------------------------------------------------------------------------- */

void fact_join(struct fact *into, const struct fact *f)
{
    bool first = !into->dtypes;
    into->dtypes |= f->dtypes;
    into->devices |= f->devices;
    into->zero_dim |= f->zero_dim;
    into->grad |= f->grad;
    into->null |= f->null;
    into->ranks = first || (into->ranks && f->ranks) ? (uint16_t)(into->ranks | f->ranks) : 0;
}

struct fact fact_unknown(void)
{
    return (struct fact){DTYPES_ALL, DEVICES_ALL, TRI_MAYBE, TRI_MAYBE, TRI_NO, 0};
}

static bool fact_equal(const struct fact *x, const struct fact *y)
{
    return x->dtypes == y->dtypes && x->devices == y->devices && x->zero_dim == y->zero_dim &&
           x->grad == y->grad && x->null == y->null && x->ranks == y->ranks;
}

struct fact state_fact(const struct state *s, const struct value *v, bool *unknown,
                       const struct step **how)
{
    struct fact f = {.null = v->null};
    for (int i = 0; i < v->count && v->kind == VALUE_TENSOR; i++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[i]);
        if (!t) {
            struct fact all = fact_unknown();
            fact_join(&f, &all);
            if (unknown)
                *unknown = true;
            continue;
        }
        fact_join(&f, &t->fact);
        if (unknown)
            *unknown |= t->unknown;
        if (how && !*how)
            *how = t->how;
    }
    if (v->kind != VALUE_TENSOR) {
        f = fact_unknown();
        f.null = v->null;
        if (unknown)
            *unknown = true;
    }
    return f;
}

/* Sets that have a name, by their first member's dtype. */
static const struct dtype_group {
    uint16_t members;
    const char *name;
} dtype_groups[DTYPE_COUNT] = {
    [DTYPE_U8] = {1u << DTYPE_U8 | 1u << DTYPE_I8 | 1u << DTYPE_I16 | 1u << DTYPE_I32 |
                      1u << DTYPE_I64,
                  "ints"},
    [DTYPE_F16] = {1u << DTYPE_F16 | 1u << DTYPE_BF16 | 1u << DTYPE_F32 | 1u << DTYPE_F64,
                   "floats"},
    [DTYPE_F8_E4M3] = {1u << DTYPE_F8_E4M3 | 1u << DTYPE_F8_E5M2, "f8"},
};

void dtypes_print(uint16_t dtypes, struct text *out)
{
    uint16_t left = dtypes;
    text_add(out, dtypes == DTYPES_ALL ? "any dtype" : "");
    for (int d = 1; d < DTYPE_COUNT && dtypes != DTYPES_ALL; d++) {
        const struct dtype_group *group = &dtype_groups[d];
        bool whole = group->members && (left & group->members) == group->members;
        if (!(left & 1u << d))
            continue;
        text_printf(out, "%s%s", left == dtypes ? "" : "|",
                    whole ? group->name : dtype_name((enum dtype)d));
        left &= (uint16_t)~(whole ? group->members : 1u << d);
    }
}

void fact_print(const struct fact *f, struct text *out)
{
    if (!f->dtypes || !f->devices) {
        text_add(out, f->null & TRI_YES ? "NULL" : "nothing");
        return;
    }
    dtypes_print(f->dtypes, out);
    text_add(out, f->devices == DEVICES_ALL        ? " any device"
                  : f->devices == 1u << DEVICE_CPU ? " cpu"
                                                   : " cuda");
    if (f->zero_dim == TRI_YES)
        text_add(out, " 0-dim");
}

/* ---- joining -------------------------------------------------------------------------------- */

static bool is_null_constant(const struct value *v)
{
    return v->kind == VALUE_ADDRESS && v->count == 0 && v->null == TRI_YES;
}

static struct value join_numbers(const struct value *x, const struct value *y)
{
    struct value v = *x;
    v.test = NULL;
    v.ask = NULL;
    if (x->is_real || y->is_real) {
        v = value_unknown_real();
        v.is_real = x->is_real && y->is_real;
        return v.is_real ? v : value_any;
    }
    v.is_bool = x->is_bool && y->is_bool;
    if (x->count && y->count) {
        int64_t merged[VALUE_MAX * 2];
        int n = 0, i = 0, j = 0;
        while (i < x->count || j < y->count) {
            int64_t next = j == y->count || (i < x->count && x->as.number[i] <= y->as.number[j])
                               ? x->as.number[i++]
                               : y->as.number[j++];
            if (!n || merged[n - 1] != next)
                merged[n++] = next;
        }
        if (n <= VALUE_MAX) {
            v.count = (uint8_t)n;
            memcpy(v.as.number, merged, sizeof *merged * (size_t)n);
            return v;
        }
    }
    int64_t xl = x->count ? x->as.number[0] : x->as.range.low;
    int64_t xh = x->count ? x->as.number[x->count - 1] : x->as.range.high;
    int64_t yl = y->count ? y->as.number[0] : y->as.range.low;
    int64_t yh = y->count ? y->as.number[y->count - 1] : y->as.range.high;
    struct value r = value_range(xl < yl ? xl : yl, xh > yh ? xh : yh);
    r.is_bool = v.is_bool;
    return r;
}

/* Sets of names, sorted by name; false: too many. */
static bool merge_tensors(struct value *into, const struct value *y)
{
    for (int j = 0; j < y->count; j++) {
        int i = 0;
        while (i < into->count && into->as.tensor[i] < y->as.tensor[j])
            i++;
        if (i < into->count && into->as.tensor[i] == y->as.tensor[j])
            continue;
        if (into->count == VALUE_MAX)
            return false;
        memmove(&into->as.tensor[i + 1], &into->as.tensor[i],
                sizeof *into->as.tensor * (size_t)(into->count - i));
        into->as.tensor[i] = y->as.tensor[j];
        into->count++;
    }
    return true;
}

static bool merge_locs(struct value *into, const struct value *y)
{
    for (int j = 0; j < y->count; j++) {
        int i = 0;
        while (i < into->count && into->as.loc[i]->id < y->as.loc[j]->id)
            i++;
        if (i < into->count && into->as.loc[i] == y->as.loc[j])
            continue;
        if (into->count == VALUE_MAX)
            return false;
        memmove(&into->as.loc[i + 1], &into->as.loc[i],
                sizeof *into->as.loc * (size_t)(into->count - i));
        into->as.loc[i] = y->as.loc[j];
        into->count++;
    }
    return true;
}

static bool merge_functions(struct value *into, const struct value *y)
{
    for (int j = 0; j < y->count; j++) {
        int i = 0;
        while (i < into->count && into->as.function[i] != y->as.function[j])
            i++;
        if (i < into->count)
            continue;
        if (into->count == VALUE_MAX)
            return false;
        into->as.function[into->count++] = y->as.function[j];
    }
    return true;
}

/* More tensors than a value can name: the first stands for all, with everything they can be. */
static struct value fold_tensors(struct arena *a, struct state *s, struct value v,
                                 const struct value *y)
{
    const struct tensor *first = state_tensor(s, v.as.tensor[0]);
    struct tensor all =
        first ? *first : (struct tensor){.id = v.as.tensor[0], .fact = fact_unknown()};
    for (int i = 0; i < y->count; i++) {
        const struct tensor *t = state_tensor(s, y->as.tensor[i]);
        if (t) {
            fact_join(&all.fact, &t->fact);
            all.unknown |= t->unknown;
        }
    }
    state_tensor_put(a, s, all);
    return v;
}

struct value value_join(struct arena *a, struct state *s, const struct value *x,
                        const struct value *y)
{
    struct value v = *x;
    if (x->kind == VALUE_NOTHING)
        return *y;
    if (y->kind == VALUE_NOTHING || value_equal(x, y))
        return *x;
    v.test = NULL;
    v.ask = NULL;
    v.origin = x->origin == y->origin ? x->origin : NULL;
    if (is_null_constant(x) && (y->kind == VALUE_TENSOR || y->kind == VALUE_FUNCTION)) {
        v = *y;
        v.null |= TRI_YES;
        return v;
    }
    if (is_null_constant(y) && (x->kind == VALUE_TENSOR || x->kind == VALUE_FUNCTION)) {
        v.null |= TRI_YES;
        return v;
    }
    if (x->kind != y->kind)
        return value_any;
    v.null |= y->null;
    switch ((enum value_kind)x->kind) {
    case VALUE_NUMBER:
        return join_numbers(x, y);
    case VALUE_TENSOR:
        return merge_tensors(&v, y) ? v : fold_tensors(a, s, v, y);
    case VALUE_ADDRESS:
        return merge_locs(&v, y) ? v : value_any;
    case VALUE_FUNCTION:
        return merge_functions(&v, y) ? v : value_any;
    case VALUE_NOTHING:
    case VALUE_ANY:
    case VALUE_ZEROED:
        break;
    }
    return value_any;
}

/* A number that grew once grows to all numbers: loops end. */
static struct value widened(const struct value *before, struct value after)
{
    if (after.kind != VALUE_NUMBER || after.is_real || value_equal(before, &after))
        return after;
    return value_range(INT64_MIN, INT64_MAX);
}

static bool join_tensors(struct arena *a, struct state *into, const struct state *s)
{
    bool changed = false;
    for (int i = 0; i < s->tensors.count; i++) {
        const struct tensor *t = &s->tensors.items[i];
        struct tensor *mine = state_tensor(into, t->id);
        if (!mine) {
            state_tensor_put(a, into, *t);
            changed = true;
            continue;
        }
        struct fact before = mine->fact;
        fact_join(&mine->fact, &t->fact);
        mine->unknown |= t->unknown;
        changed |= !fact_equal(&before, &mine->fact);
    }
    return changed;
}

static struct value zero_like(const struct value *v)
{
    if (v->kind == VALUE_TENSOR || v->kind == VALUE_ADDRESS || v->kind == VALUE_FUNCTION)
        return value_null();
    struct value zero = v->kind == VALUE_NUMBER && v->is_real ? value_real(0) : value_int(0);
    zero.is_bool = v->kind == VALUE_NUMBER && v->is_bool;
    return zero;
}

struct value state_unwritten(const struct state *s, const struct loc *l, const struct value *other)
{
    if (other->kind == VALUE_ZEROED)
        return value_nothing;
    if (state_zeroed(s, l))
        return zero_like(other);
    if (l->object->unknown_contents)
        return l->initial ? *l->initial : value_any;
    return l->object->kind == OBJECT_GLOBAL ? zero_like(other) : value_nothing;
}

static bool join_missing(struct arena *a, struct state *into, const struct state *s)
{
    bool changed = false;
    for (int i = 0; i < into->slots.count; i++) {
        struct slot *slot = &into->slots.items[i];
        if (state_get(s, slot->loc))
            continue;
        struct value other = state_unwritten(s, slot->loc, &slot->value);
        struct value joined = value_join(a, into, &slot->value, &other);
        changed |= !value_equal(&slot->value, &joined);
        slot->value = joined;
    }
    return changed;
}

void state_join_conditions(struct state *into, const struct state *s)
{
    while (into->conditions > s->conditions) {
        into->when = into->when->before;
        into->conditions--;
    }
    const struct condition *other = s->when;
    for (int n = s->conditions; n > into->conditions; n--)
        other = other->before;
    while (into->when != other) {
        into->when = into->when->before;
        other = other->before;
        into->conditions--;
    }
}

/* Marks of what was zeroed come last: until then into says what it held itself. */
static bool join_slots(struct arena *a, struct state *into, const struct state *s, bool zeroed,
                       bool widen)
{
    bool changed = false;
    for (int i = 0; i < s->slots.count; i++) {
        const struct slot *slot = &s->slots.items[i];
        if ((slot->value.kind == VALUE_ZEROED) != zeroed)
            continue;
        const struct value *mine = state_get(into, slot->loc);
        struct value before = mine ? *mine : state_unwritten(into, slot->loc, &slot->value);
        struct value joined = value_join(a, into, &before, &slot->value);
        if (widen && before.kind != VALUE_NOTHING)
            joined = widened(&before, joined);
        if (!value_equal(&before, &joined)) {
            state_put(a, into, slot->loc, joined);
            changed = true;
        }
    }
    return changed;
}

bool state_join(struct arena *a, struct state *into, const struct state *s, bool widen)
{
    bool changed = join_tensors(a, into, s);
    changed |= join_missing(a, into, s);
    changed |= join_slots(a, into, s, false, widen);
    changed |= join_slots(a, into, s, true, widen);
    state_join_conditions(into, s);
    return changed;
}

static bool same_facts(const struct state *x, const struct state *y)
{
    if (x->tensors.count != y->tensors.count)
        return false;
    for (int i = 0; i < x->tensors.count; i++)
        if (x->tensors.items[i].id != y->tensors.items[i].id ||
            !fact_equal(&x->tensors.items[i].fact, &y->tensors.items[i].fact))
            return false;
    return true;
}

static bool compare(const struct state *x, const struct state *y)
{
    if (x->slots.count != y->slots.count || !same_facts(x, y))
        return false;
    for (int i = 0; i < x->slots.count; i++) {
        const struct slot *a = &x->slots.items[i], *b = &y->slots.items[i];
        if (a->loc != b->loc || !value_equal(&a->value, &b->value))
            return false;
    }
    return true;
}

bool state_equal(const struct state *x, const struct state *y)
{
    return compare(x, y);
}

/* What joining the two values would blur. */
static int value_distance(const struct state *x, const struct value *a, const struct state *y,
                          const struct value *b)
{
    if (a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER)
        return !value_equal(a, b);
    if (a->kind == VALUE_TENSOR || b->kind == VALUE_TENSOR) {
        struct fact fa = state_fact(x, a, NULL, NULL), fb = state_fact(y, b, NULL, NULL);
        return fact_equal(&fa, &fb) ? 0 : DISTANCE_TENSOR;
    }
    return value_equal(a, b) ? 0 : DISTANCE_POINTER;
}

int state_distance(const struct state *x, const struct state *y)
{
    int distance = 0, i = 0, j = 0;
    while (i < x->slots.count && j < y->slots.count) {
        const struct slot *a = &x->slots.items[i], *b = &y->slots.items[j];
        i += a->loc->id <= b->loc->id;
        j += b->loc->id <= a->loc->id;
        if (a->loc == b->loc)
            distance += value_distance(x, &a->value, y, &b->value);
        else if ((a->loc->id < b->loc->id ? a : b)->loc->object->unknown_contents)
            distance++;
    }
    return distance;
}

bool state_differs_in(const struct state *x, const struct state *y,
                      bool (*in)(const struct loc *, const void *), const void *what)
{
    for (int i = 0, j = 0; i < x->slots.count && j < y->slots.count;) {
        const struct slot *a = &x->slots.items[i], *b = &y->slots.items[j];
        i += a->loc->id <= b->loc->id;
        j += b->loc->id <= a->loc->id;
        if (a->loc != b->loc)
            continue;
        int distance = value_distance(x, &a->value, y, &b->value);
        if (distance >= DISTANCE_POINTER || (distance && !in(a->loc, what)))
            return false;
    }
    return true;
}

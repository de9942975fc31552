/* The packs that are loaded: lookup of functions, types and constants. Several threads can do them:
 * they change nothing, or read an entry while others wait (late.c). */
#include "analyzer/pack/private.h"

#include <stdlib.h>
#include <string.h>

/* Functions whose names have the same hash. */
struct found {
    struct pack_function *function;
    struct found *next;
};

struct pack_set *packs_new(struct arena *a, struct names *names)
{
    struct pack_set *s = arena_one(a, struct pack_set);
    s->arena = a;
    s->names = names;
    s->by_name = map_new(a);
    s->signatures = map_new(a);
    s->constants = map_new(a);
    s->modules = map_new(a);
    s->ops = map_new(a);
    return s;
}

void packs_select(struct pack_set *s, bool (*is_wanted)(const void *data, const char *function),
                  const void *data)
{
    s->is_wanted = is_wanted;
    s->wanted = data;
}

const char *packs_builtin_dir(void)
{
    const char *set = getenv("MISCAST_PACKS");
    return set && *set ? set : MISCAST_PACKS_DIR;
}

static uint64_t key_of(const char *name)
{
    return hash_bytes(name, strlen(name), 0);
}

/* A pack overrides those loaded before it; within one, a name occurs once. */
bool pack_set_add(struct pack_set *s, struct pack_function *f)
{
    uint64_t key = key_of(f->name);
    struct found *first = map_get(s->by_name, key), *before = NULL;
    for (struct found *x = first; x; x = x->next)
        if (x->function->pack == f->pack && strcmp(x->function->name, f->name) == 0)
            return false;
    for (struct found *x = first; x && x->function->order > f->order; x = x->next)
        before = x;
    struct found *found = arena_one(s->arena, struct found);
    *found = (struct found){f, before ? before->next : first};
    if (before)
        before->next = found;
    else
        map_put(s->by_name, key, found);
    LIST_ADD(s->arena, &s->functions, f);
    return true;
}

const struct pack_function *packs_find(const struct pack_set *s, const char *function)
{
    const struct pack_function *is = NULL;
    late_begin(s);
    late_read((struct pack_set *)(uintptr_t)s, LATE_FUNCTION, function);
    for (struct found *x = map_get(s->by_name, key_of(function)); x && !is; x = x->next)
        is = strcmp(x->function->name, function) == 0 ? x->function : NULL;
    late_end(s);
    return is;
}

int packs_function_count(const struct pack_set *s)
{
    return s->functions.count;
}

const struct pack_function *packs_function_at(const struct pack_set *s, int i)
{
    return s->functions.items[i];
}

bool packs_is_tensor_type(const struct pack_set *s, const char *record)
{
    for (int i = 0; i < s->packs.count; i++)
        for (int j = 0; j < s->packs.items[i]->tensor_types.count; j++)
            if (strcmp(s->packs.items[i]->tensor_types.items[j], record) == 0)
                return true;
    return false;
}

enum dtype packs_element_type(const struct pack_set *s, const char *record)
{
    for (int i = 0; i < s->packs.count; i++)
        for (int j = 0; j < s->packs.items[i]->element_types.count; j++)
            if (strcmp(s->packs.items[i]->element_types.items[j].name, record) == 0)
                return s->packs.items[i]->element_types.items[j].dtype;
    return DTYPE_NONE;
}

/* ---- constants --------------------------------------------------------------------------------
 */

static int word_of(const struct enum_value *values, int count, int64_t value, int absent)
{
    for (int i = 0; i < count; i++)
        if (value >= values[i].low && value <= values[i].high)
            return values[i].word;
    return absent;
}

static int64_t value_of(const struct enum_value *values, int count, int word)
{
    for (int i = 0; i < count; i++)
        if (values[i].word == word && values[i].low <= values[i].high)
            return values[i].low;
    return -1;
}

enum dtype packs_dtype_of_value(const struct pack_set *s, const struct pack_function *f,
                                int64_t value)
{
    (void)s;
    return (enum dtype)word_of(f->pack->dtypes.items, f->pack->dtypes.count, value, DTYPE_NONE);
}

/* A single constant for cuda does not say which GPU. */
static uint16_t gpus_of(const struct enum_value *v, int64_t value)
{
    int64_t index = value - v->low;
    if (v->word != DEVICE_CUDA)
        return 0;
    return v->low == v->high ? GPUS_ALL : (uint16_t)(1u << (index < GPU_LAST ? index : GPU_LAST));
}

static int device_of(const struct pack *p, int64_t value, uint16_t *gpus)
{
    *gpus = 0;
    for (int i = 0; i < p->devices.count; i++) {
        const struct enum_value *v = &p->devices.items[i];
        if (value < v->low || value > v->high)
            continue;
        *gpus = gpus_of(v, value);
        return v->word;
    }
    return -1;
}

int packs_device_of_value(const struct pack_set *s, const struct pack_function *f, int64_t value,
                          uint16_t *gpus)
{
    (void)s;
    return device_of(f->pack, value, gpus);
}

bool packs_values_of_device(const struct pack_function *f, enum device d, int64_t *low,
                            int64_t *high)
{
    for (int i = 0; i < f->pack->devices.count; i++)
        if (f->pack->devices.items[i].word == (int)d) {
            *low = f->pack->devices.items[i].low;
            *high = f->pack->devices.items[i].high;
            return true;
        }
    return false;
}

bool packs_is_first_gpu(const struct pack_set *s, int64_t value)
{
    for (int i = 0; i < s->packs.count; i++)
        for (int k = 0; k < s->packs.items[i]->devices.count; k++) {
            const struct enum_value *v = &s->packs.items[i]->devices.items[k];
            if (v->word == DEVICE_CUDA && v->low == value && v->low < v->high)
                return true;
        }
    return false;
}

int64_t packs_value_of_dtype(const struct pack_set *s, const struct pack_function *f, enum dtype d)
{
    (void)s;
    return value_of(f->pack->dtypes.items, f->pack->dtypes.count, (int)d);
}

int64_t packs_value_of_device(const struct pack_set *s, const struct pack_function *f,
                              enum device d, int gpu)
{
    int64_t low, high;
    (void)s;
    if (!packs_values_of_device(f, d, &low, &high))
        return -1;
    return d == DEVICE_CUDA && gpu <= high - low ? low + gpu : low;
}

/* ---- contracts --------------------------------------------------------------------------------
 */

/* Numbers out of range become 0. */
static int64_t integer_of(double number)
{
    return number > -0x1p62 && number < 0x1p62 ? (int64_t)number : 0;
}

/* A small number is a dtype; from 1 << set_from on, each bit above set_from is one. */
static dtype_set dtypes_of_number(const struct pack *p, const struct operand *o)
{
    if (!o->known)
        return DTYPES_ALL;
    uint64_t number = (uint64_t)integer_of(o->number);
    dtype_set dtypes = 0;
    for (int i = 0; i < p->dtypes.count; i++) {
        const struct enum_value *v = &p->dtypes.items[i];
        uint64_t bit = (uint64_t)p->set_from + (uint64_t)v->low;
        bool in_set = p->set_from >= 0 && bit < 64 && ((number >> bit) & 1);
        if (v->word != DTYPE_NONE && (in_set || (int64_t)number == v->low))
            dtypes |= DTYPE_BIT(v->word);
    }
    return dtypes;
}

static unsigned places_of_number(const struct pack *p, const struct operand *o)
{
    int64_t number = integer_of(o->number);
    bool any = p->has_any_device && (int32_t)number == (int32_t)p->any_device;
    uint16_t gpus;
    int device = o->known && !any ? device_of(p, number, &gpus) : -1;
    return device < 0 ? ALL_PLACES : device_places((enum device)device, gpus);
}

static unsigned places_of_operand(const struct pack *p, const struct operand *o)
{
    if (o->kind == OPERAND_ABSENT)
        return ALL_PLACES;
    return o->kind == OPERAND_DEVICE ? operand_places(o) : places_of_number(p, o);
}

void pack_expected(const struct pack_function *f, const struct operand *operands, dtype_set *dtypes,
                   unsigned *devices, uint16_t *gpus)
{
    const struct pack_rule *rule = f->rule;
    unsigned places = ALL_PLACES;
    *dtypes = DTYPES_ALL;
    if (rule->expect_dtypes >= 0)
        *dtypes = dtypes_of_number(f->pack, &operands[rule->expect_dtypes]);
    if (rule->expect_device >= 0)
        places = places_of_operand(f->pack, &operands[rule->expect_device]);
    *devices = (places & PLACE_CPU ? 1u << DEVICE_CPU : 0) |
               (places & PLACES_CUDA ? 1u << DEVICE_CUDA : 0);
    *gpus = (uint16_t)(places >> 1);
}

int64_t packs_value_of_set(const struct pack_function *f, const int64_t *dtypes, int count)
{
    int64_t set = 0;
    if (f->pack->set_from < 0)
        return -1;
    for (int i = 0; i < count; i++)
        if (dtypes[i] >= 0 && dtypes[i] + f->pack->set_from < 63)
            set |= (int64_t)1 << (dtypes[i] + f->pack->set_from);
    return set;
}

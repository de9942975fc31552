/* Dtypes that packs declare: `dtypes: {q4_0: {value: 2, quantised: yes, block: 32, bytes: 18}}`.
 * They are numbered behind the others in the order of the packs, so that the numbers depend on the
 * packs alone. What is said of them belongs to the set of packs in use. */
#include "analyzer/pack/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A copy: the set may be gone when somebody asks. */
static struct own_dtype in_use[MAX_OWN_DTYPES];
static int in_use_count;
static dtype_set floating = DTYPES_FLOATING, quantised;

void packs_use(const struct pack_set *s)
{
    in_use_count = s->own.count;
    floating = DTYPES_FLOATING;
    quantised = 0;
    for (int i = 0; i < in_use_count; i++) {
        in_use[i] = s->own.items[i];
        floating |= in_use[i].traits.is_floating ? DTYPE_BIT(DTYPE_COUNT + i) : 0;
        quantised |= in_use[i].traits.is_quantised ? DTYPE_BIT(DTYPE_COUNT + i) : 0;
    }
}

static const struct own_dtype *own_of(enum dtype d)
{
    int i = (int)d - DTYPE_COUNT;
    return i >= 0 && i < in_use_count ? &in_use[i] : NULL;
}

const char *own_dtype_word(enum dtype d)
{
    const struct own_dtype *own = own_of(d);
    return own ? own->name : "another dtype";
}

enum dtype own_dtype_named(const char *name)
{
    for (int i = 0; i < in_use_count; i++)
        if (same_word(in_use[i].name, name))
            return (enum dtype)(DTYPE_COUNT + i);
    return DTYPE_NONE;
}

const struct dtype_traits *dtype_traits_of(enum dtype d)
{
    const struct own_dtype *own = own_of(d);
    return own ? &own->traits : NULL;
}

static const uint8_t dtype_sizes[DTYPE_END] = {
    [DTYPE_BOOL] = 1,    [DTYPE_U8] = 1,      [DTYPE_I8] = 1,   [DTYPE_I16] = 2, [DTYPE_I32] = 4,
    [DTYPE_I64] = 8,     [DTYPE_F16] = 2,     [DTYPE_BF16] = 2, [DTYPE_F32] = 4, [DTYPE_F64] = 8,
    [DTYPE_F8_E4M3] = 1, [DTYPE_F8_E5M2] = 1, [DTYPE_U16] = 2,  [DTYPE_U32] = 4, [DTYPE_U64] = 8,
    [DTYPE_C64] = 8,     [DTYPE_C128] = 16,
};

int dtype_bytes(enum dtype d)
{
    const struct dtype_traits *own = dtype_traits_of(d);
    return !own ? dtype_sizes[d] : own->block == 1 ? own->bytes : 0;
}

bool dtype_same_width(enum dtype x, enum dtype y)
{
    const struct dtype_traits *a = dtype_traits_of(x), *b = dtype_traits_of(y);
    int bytes = a ? a->bytes : dtype_sizes[x], others = b ? b->bytes : dtype_sizes[y];
    return bytes * (b ? b->block : 1) == others * (a ? a->block : 1);
}

int dtype_end(void)
{
    return DTYPE_COUNT + in_use_count;
}

dtype_set dtypes_floating(void)
{
    return floating;
}

dtype_set dtypes_quantised(void)
{
    return quantised;
}

/* ---- declarations --------------------------------------------------------------------------- */

const char *const dtype_keys[] = {"value", "floating", "quantised", "bits",
                                  "block", "bytes",    "largest"};
const int dtype_key_count = COUNT(dtype_keys);

static bool wrong(const struct pack *p, const struct node *n, const char *what, struct error *e)
{
    return error_at(e, p->file, n->line, n->column, "expected %s", what);
}

static bool read_answer(const struct pack *p, const struct node *map, const char *key, bool *out,
                        struct error *e)
{
    const struct node *n = node_get(map, key);
    if (!n)
        return true;
    if (!expect_kind(p->file, n, NODE_TEXT, "'yes' or 'no'", e))
        return false;
    *out = strcmp(n->text, "yes") == 0;
    return *out || strcmp(n->text, "no") == 0 || wrong(p, n, "'yes' or 'no'", e);
}

/* A number above 0; 0 if it is left out. */
static bool read_positive(const struct pack *p, const struct node *map, const char *key,
                          double most, double *out, struct error *e)
{
    const struct node *n = node_get(map, key);
    char *end = NULL;
    *out = 0;
    if (!n)
        return true;
    if (!expect_kind(p->file, n, NODE_TEXT, "a number", e))
        return false;
    *out = strtod(n->text, &end);
    return (end != n->text && !*end && *out > 0 && *out <= most) ||
           wrong(p, n, "a number above 0", e);
}

/* Either bits, of one element, or bytes, of a block of elements. */
static bool read_size(const struct pack *p, const struct node *map, struct dtype_traits *t,
                      struct error *e)
{
    double bits, block, bytes;
    if (!read_positive(p, map, "bits", 1024, &bits, e) ||
        !read_positive(p, map, "block", 65536, &block, e) ||
        !read_positive(p, map, "bytes", 1 << 20, &bytes, e))
        return false;
    if ((bits && (block || bytes)) || !block != !bytes)
        return error_at(e, p->file, map->line, map->column,
                        "expected 'bits', or 'block' and 'bytes'");
    if (bits != floor(bits) || block != floor(block) || bytes != floor(bytes))
        return wrong(p, map, "whole numbers", e);
    bool whole = bits && (int)bits % 8 == 0; /* else so many elements fill whole bytes */
    t->block = bits ? (whole ? 1 : 8) : (int)block;
    t->bytes = bits ? (whole ? (int)bits / 8 : (int)bits) : (int)bytes;
    return true;
}

static bool is_same(const struct dtype_traits *a, const struct dtype_traits *b)
{
    return a->is_floating == b->is_floating && a->is_quantised == b->is_quantised &&
           a->block == b->block && a->bytes == b->bytes && a->largest == b->largest;
}

/* The same name with the same traits in two packs is one dtype. */
static enum dtype number_of(struct pack_set *s, const char *name, const struct dtype_traits *t)
{
    for (int i = 0; i < s->own.count; i++)
        if (strcmp(s->own.items[i].name, name) == 0 && is_same(&s->own.items[i].traits, t))
            return (enum dtype)(DTYPE_COUNT + i);
    if (s->own.count == MAX_OWN_DTYPES)
        return DTYPE_NONE;
    struct own_dtype own = {.traits = *t};
    memcpy(own.name, name, strlen(name) + 1);
    LIST_ADD(s->arena, &s->own, own);
    packs_use(s);
    return (enum dtype)(DTYPE_COUNT + s->own.count - 1);
}

bool dtype_declare(struct pack_set *s, const struct pack *p, const struct node *key,
                   const struct node *map, enum dtype *out, struct error *e)
{
    struct dtype_traits t = {0};
    if (!expect_keys(p->file, map, dtype_keys, dtype_key_count, "a dtype", e) ||
        !read_answer(p, map, "floating", &t.is_floating, e) ||
        !read_answer(p, map, "quantised", &t.is_quantised, e) || !read_size(p, map, &t, e) ||
        !read_positive(p, map, "largest", HUGE_VAL, &t.largest, e))
        return false;
    if (!node_get(map, "value"))
        return wrong(p, map, "'value', the API's constant", e);
    if (dtype_named(key->text) > DTYPE_NONE && dtype_named(key->text) < DTYPE_COUNT)
        return error_at(e, p->file, key->line, key->column,
                        "'%s' is known: only its number is needed", key->text);
    if (strlen(key->text) >= sizeof s->own.items[0].name)
        return wrong(p, key, "a shorter name of a dtype", e);
    *out = number_of(s, key->text, &t);
    return *out != DTYPE_NONE ||
           error_at(e, p->file, key->line, key->column,
                    "too many dtypes: packs can declare %d of their own", MAX_OWN_DTYPES);
}

/* Two packs may mean different dtypes by one name: the pack's own comes first. */
enum dtype dtype_of_pack(const struct pack *p, const char *name)
{
    for (int i = 0; p && i < p->dtypes.count; i++)
        if (p->dtypes.items[i].word >= DTYPE_COUNT &&
            strcmp(dtype_word((enum dtype)p->dtypes.items[i].word), name) == 0)
            return (enum dtype)p->dtypes.items[i].word;
    return dtype_named(name);
}

dtype_set pack_dtypes(const struct pack_function *f)
{
    return f->pack->has_own_dtypes ? f->pack->named_dtypes : 0;
}

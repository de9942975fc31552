/* Facts about tensors: join, meet, comparison, printing. */
#include "analyzer/flow/values/values.h"

uint16_t fact_gpus(const struct fact *f)
{
    return !(f->devices >> DEVICE_CUDA & 1) ? 0 : f->gpus ? f->gpus : GPUS_ALL;
}

unsigned fact_places(const struct fact *f)
{
    return (unsigned)(f->devices >> DEVICE_CPU & 1) | (unsigned)fact_gpus(f) << 1 |
           (unsigned)(f->devices >> DEVICE_META & 3) << 17;
}

/* The devices that remain of these. */
static uint8_t devices_left(const struct fact *f, uint8_t devices, uint16_t gpus)
{
    return f->devices & devices & (uint8_t)(fact_gpus(f) & gpus ? ~0u : ~(1u << DEVICE_CUDA));
}

bool fact_can_lie(const struct fact *f, uint8_t devices, uint16_t gpus)
{
    return devices_left(f, devices, gpus);
}

void fact_meet_devices(struct fact *f, uint8_t devices, uint16_t gpus)
{
    uint16_t left = fact_gpus(f) & gpus;
    f->devices = devices_left(f, devices, gpus);
    f->gpus = f->devices >> DEVICE_CUDA & 1 ? left : 0;
}

void fact_limit(struct fact *f, const struct fact *limit)
{
    if (!(limit->dtypes & f->dtypes) || !fact_can_lie(f, limit->devices, fact_gpus(limit)))
        return;
    f->dtypes &= limit->dtypes;
    fact_meet_devices(f, limit->devices, fact_gpus(limit));
}

void fact_join(struct fact *into, const struct fact *f)
{
    bool first = !into->dtypes, more = f->dtypes; /* else it can only add NULL */
    into->gpus = fact_gpus(into) | fact_gpus(f);
    into->dtypes |= f->dtypes;
    into->devices |= f->devices;
    into->zero_dim |= f->zero_dim;
    into->grad |= f->grad;
    into->grad_open |= f->grad_open;
    into->null |= f->null;
    into->leaf |= f->leaf;
    if (more)
        into->shape = first || into->shape == f->shape ? f->shape : NULL;
    if (more)
        into->extent = first || into->extent == f->extent ? f->extent : NULL;
    into->buffer |= f->buffer;
    if (more)
        into->range = first ? f->range : range_join(&into->range, &f->range);
    if (more)
        into->ranks = first || (into->ranks && f->ranks) ? (uint16_t)(into->ranks | f->ranks) : 0;
}

struct fact fact_unknown(void)
{
    return (struct fact){.dtypes = DTYPES_ALL,
                         .devices = DEVICES_ALL,
                         .gpus = GPUS_ALL,
                         .zero_dim = TRI_MAYBE,
                         .grad = TRI_NO,
                         .null = TRI_NO,
                         .leaf = TRI_MAYBE,
                         .grad_open = true};
}

dtype_set fact_dtypes(const struct fact *f, const struct pack_function *fn)
{
    dtype_set api = pack_dtypes(fn);
    return api && dtypes_are_any(f->dtypes) ? api : f->dtypes;
}

bool fact_equal(const struct fact *x, const struct fact *y)
{
    return fact_is_alike(x, y) && x->shape == y->shape && x->extent == y->extent &&
           range_is_same(&x->range, &y->range);
}

bool fact_is_alike(const struct fact *x, const struct fact *y)
{
    return x->dtypes == y->dtypes && x->devices == y->devices && fact_gpus(x) == fact_gpus(y) &&
           x->zero_dim == y->zero_dim && x->grad == y->grad && x->null == y->null &&
           x->leaf == y->leaf && x->grad_open == y->grad_open && x->ranks == y->ranks;
}

/* Sets that have a name, by their first member's dtype. */
static const struct dtype_group {
    dtype_set members;
    const char *name;
} dtype_groups[DTYPE_END] = {
    [DTYPE_U8] = {DTYPE_BIT(DTYPE_U8) | DTYPE_BIT(DTYPE_I8) | DTYPE_BIT(DTYPE_I16) |
                      DTYPE_BIT(DTYPE_I32) | DTYPE_BIT(DTYPE_I64),
                  "ints"},
    [DTYPE_F16] = {DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_BF16) | DTYPE_BIT(DTYPE_F32) |
                       DTYPE_BIT(DTYPE_F64),
                   "floats"},
    [DTYPE_F8_E4M3] = {DTYPE_BIT(DTYPE_F8_E4M3) | DTYPE_BIT(DTYPE_F8_E5M2), "f8"},
};

void dtypes_print(dtype_set dtypes, struct text *out)
{
    dtype_set left = dtypes & DTYPES_EVERY;
    bool is_any = dtypes_are_any(left);
    if (dtypes & DTYPES_UNTYPED)
        text_add(out, left ? "untyped|" : "untyped");
    text_add(out, is_any ? "any dtype" : "");
    dtype_set quantised = dtypes_quantised();
    bool is_whole = quantised & (quantised - 1) && (left & quantised) == quantised && !is_any;
    left &= is_whole ? ~quantised : DTYPES_EVERY;
    dtype_set first = left;
    for (int d = 1; left && !is_any; d++) {
        const struct dtype_group *group = &dtype_groups[d];
        bool whole = group->members && (left & group->members) == group->members;
        if (!(left >> d & 1))
            continue;
        text_printf(out, "%s%s", left == first ? "" : "|",
                    whole ? group->name : dtype_word((enum dtype)d));
        left &= ~(whole ? group->members : DTYPE_BIT(d));
    }
    if (is_whole)
        text_printf(out, "%squantised", first ? "|" : "");
}

int64_t fact_bytes(const struct fact *f)
{
    return f->buffer && f->shape ? f->shape->dims[0] : -1;
}

/* NULL: any device. */
static const char *device_words(const struct fact *f)
{
    static const char *const texts[] = {
        [1u << DEVICE_CPU] = "cpu",        [1u << DEVICE_CUDA] = "cuda",
        [1u << DEVICE_META] = "meta",      [1u << DEVICE_OTHER] = "another device",
        [DEVICES_SHARED] = "cpu and cuda",
    };
    return f->devices < sizeof texts / sizeof texts[0] ? texts[f->devices] : NULL;
}

static void devices_print(const struct fact *f, struct text *out)
{
    const char *words = device_words(f);
    if (!gpus_are_apart(fact_gpus(f))) {
        text_add(out, words ? words : "any device");
        return;
    }
    text_add(out, f->devices >> DEVICE_CPU & 1 ? "cpu|" : "");
    device_print(DEVICE_CUDA, fact_gpus(f), true, out);
}

/* any: unknown parts are printed as any. */
static void print_parts(const struct fact *f, bool any, struct text *out)
{
    size_t from = out->length;
    if (any || !dtypes_are_any(f->dtypes))
        dtypes_print(f->dtypes, out);
    if (any || device_words(f) || gpus_are_apart(fact_gpus(f))) {
        text_add(out, out->length > from ? " " : "");
        devices_print(f, out);
    }
    if (f->zero_dim == TRI_YES)
        text_add(out, out->length > from ? " 0-dim" : "0-dim");
    if (fact_bytes(f) >= 0)
        text_printf(out, "%s%lld byte%s", out->length > from ? ", " : "", (long long)fact_bytes(f),
                    fact_bytes(f) == 1 ? "" : "s");
}

static void print_fact(const struct fact *f, bool any, const char *null, struct text *out)
{
    if (!f->dtypes || !f->devices)
        text_add(out, f->null & TRI_YES ? null : "nothing");
    else
        print_parts(f, any, out);
}

void fact_print(const struct fact *f, const char *null, struct text *out)
{
    print_fact(f, true, null, out);
}

void fact_print_known(const struct fact *f, const char *null, struct text *out)
{
    print_fact(f, false, null, out);
}

bool fact_grow(struct fact *into, const struct fact *from)
{
    struct fact plain = *from, before = *into;
    plain.extent = NULL; /* it is only of use in its root */
    fact_join(into, &plain);
    return !fact_equal(&before, into) || before.buffer != into->buffer;
}

/* Fuzzes packs: whatever the text, it is read or refused with a place; and a pack that was read
 * answers every call of its functions. Valid inputs are a small pack, with more and more of it. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/pack/pack.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_loaded;

/* ---- calls ------------------------------------------------------------------------------------
 */

static struct operand some_operand(const struct pack_param *p, unsigned n)
{
    static const struct operand numbers[] = {
        {.kind = OPERAND_INT, .known = true, .number = -3},
        {.kind = OPERAND_FLOAT, .known = true, .number = 1e30},
        {.kind = OPERAND_BOOL, .known = true, .number = 1},
        {.kind = OPERAND_INT},
    };
    struct operand o = {.kind = p->kind,
                        .dtype = (enum dtype)(1 + n % (DTYPE_COUNT - 1)),
                        .device = (enum device)(n % DEVICE_COUNT),
                        .gpus = (uint16_t)(n * 5),
                        .zero_dim = n % 3 == 0,
                        .ranks = (uint16_t)(n * 7)};
    bool number = p->kind == OPERAND_INT || p->kind == OPERAND_FLOAT || p->kind == OPERAND_BOOL;
    if (n % 5 == 0)
        return (struct operand){.kind = OPERAND_ABSENT};
    return number || (p->also_number && n % 2) ? numbers[n % 4] : o;
}

static void call(const struct pack_function *f, unsigned n)
{
    struct operand operands[PACK_MAX_PARAMS + 2] = {{0}};
    struct outcome out;
    struct text why = {0};
    dtype_set dtypes;
    unsigned devices;
    uint16_t gpus;
    for (int i = 0; i < f->param_count; i++)
        operands[i] = some_operand(&f->params[i], n + (unsigned)i * 11);
    operands[f->param_count] = operands[0];
    pack_call_many(f, operands, f->param_count + 1, &out);
    if (out.error != ERROR_NONE)
        pack_reason_print(f, operands, NULL, NULL, out.reason, &why);
    else if (out.result_count < 1 || out.alias_of >= f->param_count)
        abort();
    pack_expected(f, operands, &dtypes, &devices, &gpus);
    text_free(&why);
}

/* What fixes and messages ask about a function. */
static void name(struct arena *a, const struct pack_function *f)
{
    int role = pack_param_with(f, ROLE_LEFT);
    if (!pack_written_name(a, f) || role >= f->param_count)
        abort();
    pack_name_with_effects(a, f, EFFECT_SCALES);
    pack_argument_named(f, "ctx");
    pack_held_argument(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {0};
    struct arena *a = arena_new();
    struct pack_set *packs = packs_new(a, names_new(a));
    bool loaded = packs_load_text(packs, "fuzz", arena_text(a, (const char *)data, size), &e);
    if (loaded == (e.message[0] != '\0') || (!loaded && (e.line < 1 || e.column < 1)))
        abort();
    for (int i = 0; loaded && i < packs_function_count(packs); i++)
        for (unsigned n = 0; n < 16; n++)
            call(packs_function_at(packs, i), n);
    for (int i = 0; loaded && i < packs_function_count(packs); i++)
        name(a, packs_function_at(packs, i));
    fuzz_loaded += loaded;
    arena_free(a);
    return 0;
}

/* ---- valid inputs -----------------------------------------------------------------------------
 */

static const char *const parts[] = {
    "pack: p\nprefix: t_\ntensors: [t]\n"
    "dtypes: {default: 0, f16: 1, f32: 2, i64: 3..9, sets_from: 16}\n"
    "devices: {default: 0, cpu: 1, cuda: 2..5, any: -1}\n"
    "sets: {halves: f16 | bf16, wide: all - halves}\n"
    "checks:\n"
    "  meet:\n"
    "  - {device: 'mixes(a, b)', say: '{op}: {a} is on {a.device}, {b} on {b.device}'}\n"
    "  - {dtype: exists(common), say: '{a.dtype} {common}'}\n"
    "templates:\n"
    "  plain: {prefix: v_, params: {a: tensor as left, b: tensor as right}}\n"
    "  pair:\n"
    "    params: {ctx: skip, a: tensor as left, b: tensor or number as right}\n"
    "    let: {common: 'promote(a, b)', gives: common}\n"
    "    checks: [meet]\n"
    "    result: {tensor: gives, device: 'device(a, b)', ndim: 'ndim(a, b)'}\n"
    "elements: {half: f16}\n"
    "spelling: {prefix: u_, cast: 'c({ctx}, {tensor}, {dtype})', dtypes: {f16: H}}\n"
    "goes_on: no\n"
    "functions:\n"
    "- {name: div, like: pair, let: {gives: real(common)}}\n",
    "- {names: [add, sub], like: pair}\n",
    "- name: sum\n"
    "  params: {x: tensor, o: {n: int, keep: bool, dtype: dtype}}\n"
    "  checks:\n"
    "  - when: x.dtype in halves and not keep\n"
    "    dtype: dtype not in wide or n > 2\n"
    "  result: {tensor: 'first(dtype, i64 if x.dtype in i64 | bool else x.dtype)',\n"
    "           device: x.device, ndim: x.ndim if keep else 0 if n == 0 else x.ndim - n}\n",
    "- name: fill_\n"
    "  params: {x: written tensor, v: number}\n"
    "  checks: [{overflow: 'fits(v, x.dtype)', say: '{v} in {x}'}]\n"
    "  result: {tensor: x.dtype, device: x.device, ndim: x.ndim}\n"
    "  alias: same x\n",
    "- name: cat\n"
    "  params: {list: many tensor by n, n: int}\n"
    "  checks: [{device: same_device(list)}, {cast: 'can_cast(f32, promote(list))'}]\n"
    "  result: {tensor: promote(list), device: device(list), ndim: ndim(list)}\n",
    "- name: to\n"
    "  params: {x: tensor, dtype: dtype, on: device}\n"
    "  alias: maybe same x\n"
    "  same_when: dtype == x.dtype and on == x.device\n"
    "  result: {tensor: 'first(dtype, x.dtype)', device: 'first(on, x.device)'}\n",
    "- {name: raw, params: {x: buffer, y: out 1 tensor}, effects: [pure, allocates],\n"
    "   outs: [{tensor: x.dtype, device: anywhere}], result: {number: i64, value: 3}}\n",
    "- {name: want, params: {x: tensor, d: int, v: device}, expect: {tensor: x, dtypes: d, device: "
    "v}}\n",
    "- {name: ask, params: {x: tensor}, question: dtype_of, result: {dtype: x.dtype}}\n",
    "- name: fill\n"
    "  params: {to: written buffer, n: int, size: int}\n"
    "  checks: [{value: n * size <= to.bytes, say: '{op} into {to.bytes} bytes'}]\n"
    "  result: {buffer: all, device: cpu, bytes: n * size + 1}\n",
    "- {names: [mul, mul_], like: pair, also: plain, family: multiply, shape: broadcast a b,\n"
    "   saves: [a if b, result], autocast: {cuda: low, cpu: promote}}\n"
    "- {name: up, params: {s: object as scaler, x: tensor}, effects: scales, autocast: f32}\n",
};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

/* The head and the functions that `which` has bits for. */
static size_t seed(size_t which, uint8_t *to, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < PART_COUNT; i++) {
        size_t length = strlen(parts[i]);
        bool wanted = i == 0 || ((which + 1) >> (i - 1)) & 1;
        if (!wanted || used + length > room)
            continue;
        memcpy(to + used, parts[i], length);
        used += length;
    }
    return used;
}

static const char *const words[] = {
    "f16",  "all",      "cuda",     " if ",     " else ",   " in ",   " and ",  " not ", "promote(",
    "a",    "b",        ".dtype",   "|",        "*x",       "&x ",    "{op}",   "{",     "}",
    "- ",   "\n",       "  ",       ": ",       "tensor",   "many ",  "out 1 ", "like",  "let",
    "name", "ndim(a, ", "any_ndim", "-1",       "[",        "checks", " as ",   "left",  "family",
    "also", "shape",    "saves",    "autocast", "spelling", "object", NULL,
};

static void repair(uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
}

const struct fuzz_target fuzz_target = {"pack", 511, seed, repair, words, true};

/* Interprets the IR of a C program: the lowering is correct if the program behaves like the
 * compiled one. Takes a file and flags, runs main, and prints what the program prints. Memory is
 * the machine's own and laid out as by the compiler, except that a bit-field takes a whole integer.
 *
 * Exit code 77: the program does something that is not interpreted here. */
#include "analyzer/ir/ir.h"
#include "frontends/clang/clang.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIVEN_UP   77
#define MAX_STEPS  400000000LL
#define MAX_DEPTH  4000
#define MOST_ARGS  8
#define VALUE_NONE ((union value){.i = 0})

union value {
    int64_t i; /* ints as their type holds them: an unsigned one without a sign, below 64 bits */
    double d;
    char *p;
};

struct frame {
    const struct ir_function *f;
    union value *values; /* by instruction */
    char **locals;
    struct arena *arena;
    int depth;
};

struct machine {
    const struct ir_unit *unit;
    struct arena *arena;
    struct map *globals; /* by name: memory */
    long long steps;
};

static _Noreturn void give_up(const char *fmt, ...) PRINTF_LIKE(1, 2);
static _Noreturn void give_up(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fputs("interpret: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    fflush(stdout);
    exit(GIVEN_UP);
}

/* ---- layout --------------------------------------------------------------------------------- */

struct layout {
    size_t size, align;
};

static struct layout layout_of(const struct type *t);

static struct layout layout_of_record(const struct type *t, int field, size_t *offset)
{
    struct layout all = {0, 1};
    for (int i = 0; i < t->field_count; i++) {
        struct layout one = layout_of(t->fields[i].type);
        size_t at = t->is_union ? 0 : (all.size + one.align - 1) / one.align * one.align;
        if (i == field)
            *offset = at;
        if (at + one.size > all.size)
            all.size = at + one.size;
        if (one.align > all.align)
            all.align = one.align;
    }
    all.size = (all.size + all.align - 1) / all.align * all.align;
    return all;
}

static struct layout layout_of(const struct type *t)
{
    size_t bytes = t->bits <= 8 ? 1 : t->bits <= 16 ? 2 : t->bits <= 32 ? 4 : 8;
    size_t ignored;
    struct layout inner;
    switch (t->kind) {
    case TYPE_BOOL:
        return (struct layout){1, 1};
    case TYPE_INT:
    case TYPE_FLOAT:
        if (t->bits > 64)
            give_up("a number of %d bits", t->bits);
        return (struct layout){bytes, bytes};
    case TYPE_POINTER:
        return (struct layout){sizeof(void *), sizeof(void *)};
    case TYPE_ARRAY:
        inner = layout_of(t->of);
        return (struct layout){inner.size * (size_t)(t->count < 0 ? 0 : t->count), inner.align};
    case TYPE_RECORD:
        return layout_of_record(t, -1, &ignored);
    case TYPE_VOID:
    case TYPE_FUNCTION:
        return (struct layout){1, 1};
    case TYPE_DYN:
    case TYPE_UNKNOWN:
        break;
    }
    give_up("an unknown type");
}

/* ---- numbers -------------------------------------------------------------------------------- */

static int64_t wrapped(const struct type *t, uint64_t bits)
{
    if (t->kind == TYPE_BOOL)
        return bits != 0;
    if (t->kind != TYPE_INT || t->bits >= 64)
        return (int64_t)bits;
    uint64_t mask = ((uint64_t)1 << t->bits) - 1, low = bits & mask;
    return (int64_t)(t->is_signed && low >> (t->bits - 1) ? low | ~mask : low);
}

static union value load(const char *from, const struct type *t)
{
    union value v = {.i = 0};
    float f;
    size_t size = layout_of(t).size;
    if (t->kind == TYPE_FLOAT && size == 4) {
        memcpy(&f, from, 4);
        v.d = (double)f;
    } else if (t->kind == TYPE_FLOAT && size < 4) {
        give_up("a float of %d bits", t->bits);
    } else {
        memcpy(&v, from, size); /* little-endian */
        if (t->kind != TYPE_FLOAT && t->kind != TYPE_POINTER)
            v.i = wrapped(t, (uint64_t)v.i);
    }
    return v;
}

static void store(char *to, const struct type *t, union value v)
{
    float f = (float)v.d;
    size_t size = layout_of(t).size;
    if (t->kind == TYPE_FLOAT && size == 4)
        memcpy(to, &f, 4);
    else
        memcpy(to, &v, size);
}

/* What does not fit C leaves undefined; the nearest that does, as the compiled program gets it
 * here. */
static int64_t whole(double d)
{
    return d >= 0x1p63 ? INT64_MAX : d >= -0x1p63 ? (int64_t)d : d < 0 ? INT64_MIN : 0;
}

static union value convert(union value v, const struct type *from, const struct type *to)
{
    bool to_float = to->kind == TYPE_FLOAT, from_float = from->kind == TYPE_FLOAT;
    bool is_unsigned = from->kind == TYPE_INT && !from->is_signed;
    if (to_float && from_float)
        v.d = to->bits == 32 ? (double)(float)v.d : v.d;
    else if (to_float)
        v.d = is_unsigned ? (double)(uint64_t)v.i : (double)v.i;
    if (to_float && to->bits == 32)
        v.d = (double)(float)v.d;
    if (!to_float && from_float && to->kind == TYPE_BOOL)
        v.i = v.d != 0;
    else if (!to_float && from_float)
        v.i = wrapped(to, to->is_signed || v.d < 0 ? (uint64_t)whole(v.d)
                          : v.d < 0x1p64           ? (uint64_t)v.d
                                                   : UINT64_MAX);
    else if (!to_float)
        v.i = wrapped(to, (uint64_t)v.i);
    return v;
}

static int compare(union value a, union value b, const struct type *t)
{
    if (t->kind == TYPE_FLOAT)
        return a.d < b.d ? -1 : a.d > b.d ? 1 : a.d == b.d ? 0 : 2;
    if (t->kind == TYPE_INT && t->is_signed)
        return a.i < b.i ? -1 : a.i > b.i;
    return (uint64_t)a.i<(uint64_t)b.i ? -1 : (uint64_t)a.i>(uint64_t) b.i;
}

static bool comparison(enum ir_arith arith, int order)
{
    switch (arith) {
    case ARITH_EQ:
        return order == 0;
    case ARITH_NE:
        return order != 0;
    case ARITH_LT:
        return order == -1;
    case ARITH_LE:
        return order == -1 || order == 0;
    case ARITH_GT:
        return order == 1;
    default:
        return order == 1 || order == 0;
    }
}

static double real_binary(enum ir_arith arith, double a, double b)
{
    switch (arith) {
    case ARITH_ADD:
        return a + b;
    case ARITH_SUB:
        return a - b;
    case ARITH_MUL:
        return a * b;
    case ARITH_DIV:
        return a / b;
    default:
        give_up("%s of reals", ir_arith_text(arith));
    }
}

static uint64_t divide(enum ir_arith arith, int64_t a, int64_t b, const struct type *t)
{
    bool is_signed = t->is_signed;
    if (b == 0)
        give_up("a division by zero");
    if (is_signed && b == -1)
        return arith == ARITH_DIV ? 0 - (uint64_t)a : 0;
    if (arith == ARITH_DIV)
        return is_signed ? (uint64_t)(a / b) : (uint64_t)a / (uint64_t)b;
    return is_signed ? (uint64_t)(a % b) : (uint64_t)a % (uint64_t)b;
}

static uint64_t int_binary(enum ir_arith arith, int64_t a, int64_t b, const struct type *t)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (arith) {
    case ARITH_ADD:
        return x + y;
    case ARITH_SUB:
        return x - y;
    case ARITH_MUL:
        return x * y;
    case ARITH_DIV:
    case ARITH_REM:
        return divide(arith, a, b, t);
    case ARITH_AND:
        return x & y;
    case ARITH_OR:
        return x | y;
    case ARITH_XOR:
        return x ^ y;
    case ARITH_SHL:
        return x << (y & 63);
    case ARITH_SHR:
        return t->is_signed ? (uint64_t)(a >> (y & 63)) : x >> (y & 63);
    default:
        give_up("%s of ints", ir_arith_text(arith));
    }
}

static union value binary(const struct ir_inst *inst, union value a, union value b,
                          const struct type *t)
{
    union value v;
    if (inst->arith >= ARITH_EQ && inst->arith <= ARITH_GE)
        v.i = comparison(inst->arith, compare(a, b, t));
    else if (t->kind == TYPE_POINTER) /* how many elements apart */
        v.i = (a.p - b.p) / (int64_t)layout_of(t->of).size;
    else if (t->kind == TYPE_FLOAT)
        v.d = real_binary(inst->arith, a.d, b.d);
    else
        v.i = wrapped(inst->type, int_binary(inst->arith, a.i, b.i, t));
    if (inst->type->kind == TYPE_FLOAT && inst->type->bits == 32)
        v.d = (double)(float)v.d;
    return v;
}

static union value unary(const struct ir_inst *inst, union value a, const struct type *t)
{
    union value v = a;
    bool real = t->kind == TYPE_FLOAT;
    if (inst->arith == ARITH_LNOT)
        v.i = real ? a.d == 0 : a.i == 0;
    else if (inst->arith == ARITH_NEG && real)
        v.d = -a.d;
    else
        v.i = wrapped(inst->type, inst->arith == ARITH_NEG ? 0 - (uint64_t)a.i : ~(uint64_t)a.i);
    return v;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static union value run(struct machine *m, const struct ir_function *f, const union value *args,
                       int count, struct frame *caller);

static union value print_formatted(const union value *a, int count)
{
    const char *format = a[0].p;
    if (strstr(format, "%f") || strstr(format, "%g") || strstr(format, "%e"))
        give_up("printf of reals");
    int64_t v[5] = {0};
    for (int i = 1; i < count && i < 6; i++)
        v[i - 1] = a[i].i;
    int n = printf(format, v[0], v[1], v[2], v[3], v[4]);
    return (union value){.i = n};
}

/* What programs use of the C library. */
static union value call_library(const char *name, const union value *a, int count)
{
    union value v = VALUE_NONE;
    if (!strcmp(name, "printf"))
        return print_formatted(a, count);
    if (!strcmp(name, "puts"))
        v.i = puts(a[0].p);
    else if (!strcmp(name, "putchar"))
        v.i = putchar((int)a[0].i);
    else if (!strcmp(name, "strcmp"))
        v.i = strcmp(a[0].p, a[1].p);
    else if (!strcmp(name, "strlen"))
        v.i = (int64_t)strlen(a[0].p);
    else if (!strcmp(name, "memset"))
        v.p = memset(a[0].p, (int)a[1].i, (size_t)a[2].i);
    else if (!strcmp(name, "memcpy"))
        v.p = memcpy(a[0].p, a[1].p, (size_t)a[2].i);
    else if (!strcmp(name, "memcmp"))
        v.i = memcmp(a[0].p, a[1].p, (size_t)a[2].i);
    else if (!strcmp(name, "malloc"))
        v.p = malloc((size_t)a[0].i);
    else if (!strcmp(name, "free"))
        free(a[0].p);
    else if (!strcmp(name, "fabs") || !strcmp(name, "fabsf"))
        v.d = fabs(a[0].d);
    else
        give_up("no function %s", name);
    return v;
}

static const struct ir_function *function_at(const struct machine *m, const char *address)
{
    const struct ir_function *f = (const struct ir_function *)(const void *)address;
    for (int i = 0; i < m->unit->functions.count; i++)
        if (m->unit->functions.items[i] == f)
            return f;
    give_up("a call of something that is no function");
}

static union value call(struct machine *m, struct frame *fr, const struct ir_inst *inst)
{
    union value args[MOST_ARGS + 1];
    int first = inst->name ? 0 : 1, count = inst->arg_count - first;
    if (count > MOST_ARGS)
        give_up("%d arguments", count);
    for (int i = 0; i < count; i++)
        args[i] = fr->values[inst->args[first + i]];
    const struct ir_function *f = inst->name ? ir_function_find(m->unit, inst->name)
                                             : function_at(m, fr->values[inst->args[0]].p);
    if (f && f->has_body)
        return run(m, f, args, count, fr);
    return call_library(f ? f->name : inst->name, args, count);
}

/* ---- instructions --------------------------------------------------------------------------- */

static char *text_memory(struct machine *m, const struct ir_inst *inst)
{
    size_t size = layout_of(inst->type->of).size, length = strlen(inst->name) + 1;
    char *p = arena_alloc(m->arena, size > length ? size : length);
    return memcpy(p, inst->name, length);
}

static char *global_memory(struct machine *m, const char *name)
{
    const struct ir_global *g = ir_global_find(m->unit, name);
    uint64_t key = (uint64_t)(uintptr_t)g;
    char *p = map_get(m->globals, key);
    if (!p) {
        p = arena_alloc(m->arena, layout_of(g->type).size + 1);
        map_put(m->globals, key, p);
    }
    return p;
}

static char *field_at(char *record, const struct type *t, int64_t field)
{
    size_t offset = 0;
    layout_of_record(t, (int)field, &offset);
    return record + offset;
}

static union value step(struct machine *m, struct frame *fr, const struct ir_inst *inst)
{
    const struct ir_inst *insts = fr->f->insts.items;
    union value *values = fr->values, none = VALUE_NONE;
    union value a = inst->arg_count > 0 ? values[inst->args[0]] : none;
    union value b = inst->arg_count > 1 ? values[inst->args[1]] : none;
    const struct type *t = inst->arg_count > 0 ? insts[inst->args[0]].type : NULL;
    switch (inst->op) {
    case IR_INT:
        return (union value){.i = inst->integer};
    case IR_REAL:
        return (union value){.d = inst->real};
    case IR_TEXT:
        return (union value){.p = text_memory(m, inst)};
    case IR_LOCAL:
        return (union value){.p = fr->locals[inst->integer]};
    case IR_GLOBAL:
        return (union value){.p = global_memory(m, inst->name)};
    case IR_FUNCTION:
        return (union value){.p = (char *)ir_function_find(m->unit, inst->name)};
    case IR_FIELD:
        return (union value){.p = field_at(a.p, t->of, inst->integer)};
    case IR_ELEMENT:
        return (union value){.p = a.p + b.i * (int64_t)layout_of(t->of).size};
    case IR_LOAD:
        return load(a.p, inst->type);
    case IR_STORE:
        store(a.p, insts[inst->args[1]].type, b);
        return none;
    case IR_COPY:
        memmove(a.p, b.p, layout_of(t->of).size);
        return none;
    case IR_ZERO:
        memset(a.p, 0, layout_of(t->of).size);
        return none;
    case IR_UNARY:
        return unary(inst, a, t);
    case IR_BINARY:
        return binary(inst, a, b, t);
    case IR_CONVERT:
        return convert(a, t, inst->type);
    case IR_CALL:
        return call(m, fr, inst);
    case IR_NULL:
    case IR_UNDEF:
        return none;
    case IR_ANYTHING:
        give_up("%s", inst->name);
    case IR_STOP:
        give_up("a place that cannot be reached");
    case IR_GET:
    case IR_SET:
    case IR_NAME:
    case IR_SETNAME:
    case IR_IMPORT:
    case IR_ATTR:
    case IR_SETATTR:
    case IR_INVOKE:
    case IR_APPLY:
    case IR_MAKE:
    case IR_CLOSURE:
    case IR_CLASS:
    case IR_YIELD:
    case IR_CAUGHT:
    case IR_RAISE:
        give_up("an instruction that C is not lowered to");
    case IR_JUMP:
    case IR_BRANCH:
    case IR_SWITCH:
    case IR_RETURN:
    case IR_OP_COUNT:
        break;
    }
    return none;
}

static int next_block(const struct frame *fr, const struct ir_inst *inst)
{
    if (inst->op == IR_JUMP)
        return inst->target[0];
    union value v = fr->values[inst->args[0]];
    const struct type *t = fr->f->insts.items[inst->args[0]].type;
    if (inst->op == IR_BRANCH)
        return inst->target[(t->kind == TYPE_FLOAT ? v.d == 0 : v.i == 0)];
    for (int i = 0; i < inst->case_count; i++)
        if (v.i >= inst->cases[i].low && v.i <= inst->cases[i].high)
            return inst->cases[i].block;
    return inst->target[0];
}

static const struct ir_inst *run_block(struct machine *m, struct frame *fr, int block)
{
    const struct ir_block *b = &fr->f->blocks.items[block];
    for (int i = 0; i < b->count - 1; i++)
        fr->values[b->insts[i]] = step(m, fr, &fr->f->insts.items[b->insts[i]]);
    m->steps += b->count;
    if (m->steps > MAX_STEPS)
        give_up("too many steps");
    const struct ir_inst *last = &fr->f->insts.items[b->insts[b->count - 1]];
    if (last->op == IR_STOP)
        step(m, fr, last);
    return last;
}

/* Records come as addresses of what is to be copied. */
static void make_locals(struct frame *fr, const union value *args, int count)
{
    const struct ir_function *f = fr->f;
    fr->locals = arena_array(fr->arena, char *, f->locals.count + 1);
    for (int i = 0; i < f->locals.count; i++) {
        const struct type *t = f->locals.items[i].type;
        if (t->kind == TYPE_ARRAY && t->count < 0)
            give_up("an array of any length");
        size_t size = layout_of(t).size;
        fr->locals[i] = arena_alloc(fr->arena, size + 1);
        if (i >= f->param_count || i >= count)
            continue;
        if (t->kind == TYPE_RECORD && args[i].p)
            memcpy(fr->locals[i], args[i].p, size);
        else if (t->kind != TYPE_RECORD)
            store(fr->locals[i], t, args[i]);
    }
}

static union value run(struct machine *m, const struct ir_function *f, const union value *args,
                       int count, struct frame *caller)
{
    struct frame fr = {.f = f, .arena = arena_new(), .depth = caller ? caller->depth + 1 : 0};
    if (fr.depth > MAX_DEPTH)
        give_up("too many calls in calls");
    fr.values = arena_array(fr.arena, union value, f->insts.count);
    make_locals(&fr, args, count);
    const struct ir_inst *inst = run_block(m, &fr, 0);
    while (inst->op != IR_RETURN)
        inst = run_block(m, &fr, next_block(&fr, inst));
    union value v = inst->arg_count ? fr.values[inst->args[0]] : VALUE_NONE;
    if (inst->arg_count && f->type->of->kind == TYPE_RECORD)
        v.p = arena_copy(caller ? caller->arena : m->arena, v.p, layout_of(f->type->of).size);
    arena_free(fr.arena);
    return v;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    if (argc < 2)
        return 2;
    struct clang *c = clang_open(&e);
    struct ir_unit *u =
        c ? clang_lower(c, argv[1], (const char *const *)argv + 2, argc - 2, NULL, &e) : NULL;
    const struct ir_function *f = u ? ir_function_find(u, "main") : NULL;
    if (!f || !f->has_body || !ir_verify(u, &e)) {
        fprintf(stderr, "interpret: %s\n", *e.message ? e.message : "no main");
        return 2;
    }
    struct machine m = {.unit = u, .arena = arena_new()};
    m.globals = map_new(m.arena);
    union value args[2] = {{.i = 1}, {.p = (char *)&argv[1]}};
    if (u->functions.items[0]->has_body)
        run(&m, u->functions.items[0], NULL, 0, NULL);
    union value v = run(&m, f, args, f->param_count, NULL);
    fflush(stdout);
    arena_free(m.arena);
    ir_unit_free(u);
    clang_close(c);
    return (int)v.i & 0xff;
}

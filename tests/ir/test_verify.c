/* What ir_verify rejects: each row breaks one invariant of an otherwise valid unit. Most are text;
 * what text cannot express is built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "analyzer/ir/ir.h"
#include "analyzer/ir/private.h"

/* ---- as text ------------------------------------------------------------------------------- */

static const struct {
    const char *body;
    const char *message; /* NULL: good */
} rows[] = {
    {"b0:\nreturn\n", NULL},
    {"b0:\n%1 = int 1 : i8\nstop\n", NULL},
    {"b0:\nstop\nstop\n", "before its last instruction"},
    {"b0:\n%1 = load %2 : i8\n%2 = null : ptr i8\nstop\n", "%2 is not computed on every path"},
    {"b0:\n%1 = load %1 : i8\nstop\n", "%1 is not computed on every path"},
    {"b0:\n%1 = load %2 : i8\nstore %1, %1\nstop\n", "%2 yields no value"},
    {"b0:\nint 1\nstop\n", "yields a value without a type"},
    {"b0:\n%1 = store %1, %1 : i8\nstop\n", "yields no value and has a type"},
    {"b0:\n%1 = undef : array 2 i8\nstop\n", "a scalar or a pointer"},
    {"b0:\n%1 = call f() : void\nstop\n", "a scalar or a pointer"},
    {"b0:\n%1 = call f() : rec\nstop\n", "a scalar or a pointer"},
    {"b0:\ncall f()\nanything()\nstop\n", NULL},
    {"b0:\n%1 = global nothing : ptr i8\nstop\n", "no global is named nothing"},
    {"b0:\n%1 = global g : ptr i8\nstop\n", NULL},
    {"b0:\n%1 = text : ptr i8\nstop\n", "has no name"},
    {"b0:\n%1 = null : ptr rec\n%2 = field %1, 2 : ptr i8\nstop\n", "no field 2"},
    {"b0:\n%1 = null : ptr rec\n%2 = field %1, 1 : ptr i8\nstop\n", NULL},
    {"b0:\n%1 = null : ptr void\n%2 = field %1, 2 : ptr i8\nstop\n", NULL},
    {"b0:\n%1 = null : ptr void\n%2 = field %1, -1 : ptr i8\nstop\n", "no field -1"},
    {"b0:\n%1 = int 1 : i8\nswitch %1, b0, 3..2: b0\n", "a case with an empty range"},
    {"b0:\n%1 = int 1 : i8\nswitch %1, b0, 3: b1\n", "no block b1"},
    {"$0 = local x : void\nb0:\nstop\n", "local $0 has no name or type"},
    /* Dynamic languages: protocols, labels, handlers. */
    {"$0 = local x : dyn\nb0:\n%1 = name torch : dyn\nset $0 x, %1\n%2 = get $0 x : dyn\n"
     "%3 = invoke %2, to(%1, dtype=%1, *%1, **%2) : dyn\nsetattr %3, a, %2\nraise %3\n",
     NULL},
    {"$0 = local x : dyn captured $0\nb0:\nstop\n", NULL},
    {"$0 = local x : dyn rest\nb0:\nstop\n", "local $0 is not filled like that"},
    {"$0 = local x : dyn default\nb0:\nstop\n", "local $0 is not filled like that"},
    {"b0:\n%1 = apply iter() : dyn\nstop\n", "does not take 0 operands"},
    {"b0:\n%1 = name a : dyn\n%2 = apply delitem(%1, %1) : dyn\nstop\n", "yields no value"},
    {"b0:\n%1 = name a : dyn\napply eq(%1, %1)\nstop\n", "yields a value without a type"},
    {"b0:\n%1 = name a : dyn\n%2 = make dict(%1: %1, **%1) : dyn\nstop\n", NULL},
    {"b0:\n%1 = name a : dyn\n%2 = make slice(%1) : dyn\nstop\n", "is not made of 1 operands"},
    {"b0:\n%1 = name a : dyn\nraise %1\nb1: catch b1\nstop\n", NULL},
    {"b0: catch b0\nstop\n", NULL},
    {"b0: catch b1\nstop\nb1:\nstop\n", "cannot be handled in b1"},
    {"b0:\njump b1\nb1: catch b3\nstop\n", "cannot be handled in b3"},
    /* What is computed where something is raised is not there where it is handled. */
    {"b0:\njump b1\nb1: catch b2\n%1 = name a : dyn\nstop\nb2:\n%2 = apply not(%1) : dyn\n"
     "stop\n",
     "%1 is not computed on every path"},
    {"b0:\n%1 = name a : dyn\njump b1\nb1: catch b2\nstop\nb2:\n%2 = apply not(%1) : dyn\n"
     "raise\n",
     NULL},
    /* Ways that meet: a value of one branch is not there behind both. */
    {"b0:\n%1 = int 1 : bool\nbranch %1, b1, b2\nb1:\n%2 = null : ptr i8\njump b2\n"
     "b2:\n%3 = load %2 : i8\nstop\n",
     "%2 is not computed on every path"},
    {"b0:\n%1 = int 1 : bool\nbranch %1, b1, b2\nb1:\nstop\n"
     "b2:\n%2 = null : ptr i8\njump b3\nb3:\n%3 = load %2 : i8\nstop\n",
     NULL},
    /* A loop: what its head computes is there in its body and behind it. */
    {"b0:\njump b1\nb1:\n%1 = int 1 : bool\nbranch %1, b2, b3\n"
     "b2:\n%2 = lnot %1 : bool\njump b1\nb3:\n%3 = lnot %1 : bool\nstop\n",
     NULL},
    {"b0:\njump b1\nb1:\n%1 = int 1 : bool\nbranch %1, b2, b3\n"
     "b2:\n%2 = lnot %1 : bool\njump b1\nb3:\n%3 = lnot %2 : bool\nstop\n",
     "%2 is not computed on every path"},
    /* Blocks that cannot be reached may use anything, and provide nothing. */
    {"b0:\nstop\nb1:\n%1 = lnot %2 : bool\njump b2\nb2:\n%2 = lnot %1 : bool\njump b1\n", NULL},
    {"b0:\njump b2\nb1:\n%1 = int 1 : bool\njump b2\nb2:\n%2 = lnot %1 : bool\nstop\n",
     "%1 is not computed on every path"},
    {"b0:\n%1 = int 1 : i8\nswitch %1, b1, 3: b2\nb1:\n%2 = int 2 : i8\njump b2\n"
     "b2:\n%3 = neg %2 : i8\nstop\n",
     "%2 is not computed on every path"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error e = {0};
        struct text t = {0};
        text_printf(&t,
                    "unit \"u\"\nrecord rec {\na : i8\nb : i8\n}\nglobal g : i8\n"
                    "func f : fn() void {\n%s}\n",
                    rows[i].body);
        struct ir_unit *u = ir_parse(t.data, &e);
        if (!u != !!rows[i].message || (!u && !strstr(e.message, rows[i].message)))
            fail_msg("%s\n%s, expected %s", rows[i].body, u ? "good" : e.message,
                     rows[i].message ? rows[i].message : "good");
        ir_unit_free(u);
        text_free(&t);
    }
}

/* ---- built --------------------------------------------------------------------------------- */

/* A good unit with one function, fn(i8) void, that stops. */
static struct ir_unit *good_unit(struct ir_function **f)
{
    struct ir_unit *u = ir_unit_new("u");
    const struct type *i8 = type_int(u, 8, true), *none = type_simple(u, TYPE_VOID);
    struct field params[] = {{"", i8, 0, NULL}};
    *f = ir_function_new(u, "f", type_function(u, none, params, 1, false));
    ir_local_new(u, *f, "x", i8, (struct span){0});
    ir_block_new(u, *f);
    ir_append(u, *f, 0, (struct ir_inst){.op = IR_INT, .type = i8});
    ir_append(u, *f, 0, (struct ir_inst){.op = IR_STOP});
    return u;
}

static void break_init(struct ir_unit *u, struct ir_function *f)
{
    u->functions.items[0] = f;
}

static void break_twice(struct ir_unit *u, struct ir_function *f)
{
    ir_function_new(u, "f", f->type);
}

static void break_global_twice(struct ir_unit *u, struct ir_function *f)
{
    ir_global_new(u, "g", f->type, (struct span){0});
    ir_global_new(u, "g", f->type, (struct span){0});
}

static void break_params(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->param_count = 0;
}

static void break_locals(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->locals.count = 0;
}

static void break_static(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->locals.items[0].is_static = true;
}

static void break_body(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->has_body = false;
}

static void break_place(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->blocks.items[0].insts[0] = 2;
}

static void break_orphan(struct ir_unit *u, struct ir_function *f)
{
    LIST_ADD(u->code, &f->insts, (struct ir_inst){.op = IR_STOP});
}

static void break_index(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->blocks.items[0].insts[0] = 7;
}

static void break_op(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->insts.items[1].op = IR_OP_COUNT;
}

static void break_span_file(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->insts.items[1].span = (struct span){NULL, 1, 1, 1, 2};
}

static void break_span_order(struct ir_unit *u, struct ir_function *f)
{
    f->span = (struct span){u->file, 2, 1, 1, 2};
}

static void break_span_column(struct ir_unit *u, struct ir_function *f)
{
    (void)f;
    ir_note_add(u, (struct span){u->file, 2, 0, 2, 2}, "why");
}

static void break_span_line(struct ir_unit *u, struct ir_function *f)
{
    f->insts.items[1].span = (struct span){u->file, INT32_MAX, 1, INT32_MAX, 2};
}

static void break_arith(struct ir_unit *u, struct ir_function *f)
{
    ir_value args[] = {1, 1};
    (void)u;
    f->insts.items[1] = (struct ir_inst){.op = IR_BINARY,
                                         .type = f->insts.items[1].type,
                                         .arith = ARITH_NEG,
                                         .args = arena_copy(u->arena, args, sizeof args),
                                         .arg_count = 2};
}

static void break_operands(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->insts.items[1].op = IR_LOAD;
}

static void break_callee(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->insts.items[1].op = IR_CALL;
}

static void break_local(struct ir_unit *u, struct ir_function *f)
{
    (void)u;
    f->insts.items[1].op = IR_LOCAL;
    f->insts.items[1].integer = 1;
}

static const struct {
    void (*damage)(struct ir_unit *, struct ir_function *);
    const char *message;
} damages[] = {
    {break_init, "the first function is not (init)"},
    {break_twice, "two of that name"},
    {break_global_twice, "two globals are named g"},
    {break_params, "0 parameters, its type has 1"},
    {break_locals, "0 locals for 1 parameters"},
    {break_static, "parameter $0 is static"},
    {break_body, "blocks without a body"},
    {break_place, "is in two places"},
    {break_orphan, "instruction 3 is in no block"},
    {break_index, "instruction 7, which does not exist"},
    {break_op, "has no op"},
    {break_span_file, "a span without a file"},
    {break_span_order, "ends before it begins"},
    {break_span_column, "a span at 2:0"},
    {break_span_line, "a span at 2147483647:1"},
    {break_arith, "does not take 2 operands"},
    {break_operands, "0 operands, not 1"},
    {break_callee, "calls nothing"},
    {break_local, "there is no local 1"},
};

static void test_damages(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(damages); i++) {
        struct error e = {0};
        struct ir_function *f;
        struct ir_unit *u = good_unit(&f);
        assert_true(ir_verify(u, &e));
        damages[i].damage(u, f);
        if (ir_verify(u, &e) || !strstr(e.message, damages[i].message))
            fail_msg("expected '%s', not '%s'", damages[i].message, e.message);
        ir_unit_free(u);
    }
}

/* A value of the entry that is used at the end of a long chain: the way back must not be walked for
 * each use. This takes minutes if it is, and the test has less. */
static void test_long_chain(void **state)
{
    (void)state;
    const int blocks = 200000;
    struct error e = {0};
    struct ir_unit *u = ir_unit_new("u");
    struct ir_function *f = u->functions.items[0];
    const struct type *i8 = type_int(u, 8, true);
    ir_value one = 0;
    for (int b = 0; b < blocks; b++) {
        struct ir_inst inst = {.op = b ? IR_UNARY : IR_INT, .type = i8, .arith = ARITH_NEG};
        inst.args = &one;
        inst.arg_count = b > 0;
        ir_block_new(u, f);
        ir_value v = ir_append(u, f, b, inst);
        one = one ? one : v;
        inst = (struct ir_inst){.op = b == blocks - 1 ? IR_STOP : IR_JUMP, .target = {b + 1}};
        ir_append(u, f, b, inst);
    }
    assert_true(ir_verify(u, &e));
    ir_unit_free(u);
}

/* ---- dominators ---------------------------------------------------------------------------- */

enum { BLOCKS = 12 };

/* Whether `to` can be reached without passing `without`. */
static bool is_reached(const struct ir_function *f, int from, int to, int without, bool *seen)
{
    const struct ir_block *b = &f->blocks.items[from];
    const struct ir_inst *end = &f->insts.items[b->insts[b->count - 1]];
    if (from == without || seen[from])
        return false;
    seen[from] = true;
    if (from == to)
        return true;
    return (end->op != IR_STOP && is_reached(f, end->target[0], to, without, seen)) ||
           (end->op == IR_BRANCH && is_reached(f, end->target[1], to, without, seen));
}

static void append_random(struct ir_unit *u, struct ir_function *f, int block, uint32_t random)
{
    struct ir_inst end = {
        .op = IR_STOP,
        .target = {(int)(random >> 8 & 255) % BLOCKS, (int)(random >> 16 & 255) % BLOCKS}};
    ir_value one = 1;
    if (random >> 28 > 2)
        end.op = random >> 28 < 7 ? IR_JUMP : IR_BRANCH;
    end.args = &one;
    end.arg_count = end.op == IR_BRANCH;
    ir_append(u, f, block, end);
}

/* What every path passes, of random functions, by its definition. */
static void test_dominators(void **state)
{
    (void)state;
    uint32_t random = 7;
    for (int round = 0; round < 400; round++) {
        struct arena *a = arena_new();
        struct ir_unit *u = ir_unit_new("u");
        struct ir_function *f = u->functions.items[0];
        for (int b = 0; b < BLOCKS; b++) {
            random = random * 1664525 + 1013904223;
            ir_block_new(u, f);
            if (!b)
                ir_append(u, f, b, (struct ir_inst){.op = IR_INT, .type = type_int(u, 8, true)});
            append_random(u, f, b, random);
        }
        struct dominators d = dominators_find(a, f);
        for (int x = 0; x < BLOCKS; x++)
            for (int y = 0; y < BLOCKS; y++) {
                bool seen[BLOCKS] = {0}, around[BLOCKS] = {0};
                bool wanted = is_reached(f, 0, x, -1, seen) && !is_reached(f, 0, x, y, around);
                assert_int_equal(dominates(&d, y, x), wanted);
            }
        arena_free(a);
        ir_unit_free(u);
    }
}

/* Each block may leave for the last one. */
static void test_one_way_out(void **state)
{
    (void)state;
    const int blocks = 200000;
    struct error e = {0};
    struct ir_unit *u = ir_unit_new("u");
    struct ir_function *f = u->functions.items[0];
    ir_value one = 1;
    for (int b = 0; b < blocks; b++) {
        struct ir_inst end = {.op = IR_BRANCH, .target = {b + 1, blocks - 1}};
        end.args = &one;
        end.arg_count = 1;
        ir_block_new(u, f);
        if (!b)
            ir_append(u, f, b, (struct ir_inst){.op = IR_INT, .type = type_int(u, 8, true)});
        ir_append(u, f, b, b < blocks - 1 ? end : (struct ir_inst){.op = IR_STOP});
    }
    assert_true(ir_verify(u, &e));
    ir_unit_free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),        cmocka_unit_test(test_damages),
        cmocka_unit_test(test_long_chain),  cmocka_unit_test(test_dominators),
        cmocka_unit_test(test_one_way_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

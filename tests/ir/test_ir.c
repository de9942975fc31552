/* The text form: fixtures print correctly, malformed text is rejected at the right location, and
 * types are unique. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ir/ir.h"

/* ---- fixtures ------------------------------------------------------------------------------ */

static char *read_fixture(struct arena *a, const char *name)
{
    struct error e = {0};
    char *path = arena_printf(a, "%s/%s", FIXTURES, name);
    char *text = file_read(a, path, NULL, &e);
    if (!text)
        fail_msg("%s %s", path, e.message);
    return text;
}

static char *printed(struct arena *a, const char *text)
{
    struct error e = {0};
    struct text out = {0};
    struct ir_unit *u = ir_parse(text, &e);
    if (!u)
        fail_msg("%d:%d: %s", e.line, e.column, e.message);
    ir_print(u, &out);
    char *copy = arena_text(a, out.data, out.length);
    text_free(&out);
    ir_unit_free(u);
    return copy;
}

static void bless(struct arena *a, const char *name, const char *text)
{
    FILE *out = fopen(arena_printf(a, "%s/%s", FIXTURES, name), "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* Prints `from` and compares with `golden`, which prints as itself. */
static void check_fixture(const char *from, const char *golden)
{
    struct arena *a = arena_new();
    char *text = printed(a, read_fixture(a, from));
    if (getenv("MISCAST_BLESS"))
        bless(a, golden, text);
    assert_string_equal(text, read_fixture(a, golden));
    assert_string_equal(printed(a, text), text);
    arena_free(a);
}

static void test_handwritten(void **state)
{
    (void)state;
    check_fixture("mlp.ir", "mlp.printed");
}

static void test_every_op(void **state)
{
    (void)state;
    check_fixture("every_op.ir", "every_op.ir");
}

/* Instructions without a value carry their numbers where these do not follow the text. */
static void test_numbers(void **state)
{
    (void)state;
    check_fixture("numbers.ir", "numbers.ir");
}

static void test_contents(void **state)
{
    (void)state;
    struct error e = {0};
    struct arena *a = arena_new();
    struct ir_unit *u = ir_parse(read_fixture(a, "mlp.ir"), &e);
    assert_non_null(u);
    struct ir_function *f = ir_function_find(u, "forward");
    assert_non_null(f);
    assert_int_equal(f->param_count, 2);
    assert_int_equal(f->locals.count, 3);
    assert_int_equal(f->blocks.count, 3);
    const struct ir_inst *call = &f->insts.items[13];
    assert_int_equal(call->op, IR_CALL);
    assert_string_equal(call->name, "mc_matmul");
    assert_int_equal(call->args[1], 12);
    assert_int_equal(call->span.line, 12);
    assert_int_equal(call->span.end_column, 30);
    assert_true(call->span.file == u->file);
    assert_true(f->insts.items[7].real == 0.5);
    assert_true(ir_function_find(u, "mc_matmul")->span.file ==
                name_of(u->names, "include/model.h"));
    assert_null(ir_function_find(u, "backward"));
    assert_true(ir_global_find(u, "count")->is_internal);
    assert_string_equal(u->functions.items[0]->name, "(init)");
    ir_unit_free(u);
    arena_free(a);
}

static void test_language(void **state)
{
    struct error e = {0};
    struct text out = {0};
    (void)state;
    struct ir_unit *c = ir_parse("unit \"u\"\n", &e);
    struct ir_unit *u = ir_parse("unit \"u\"\nlanguage python\ndeclare f : fn() void\n", &e);
    assert_string_equal(c->language, IR_LANGUAGE);
    assert_string_equal(u->language, "python");
    for (int i = 0; i < u->functions.count; i++)
        assert_string_equal(u->functions.items[i]->language, "python");
    struct ir_unit *again = ir_unit_with(u, 1);
    assert_string_equal(again->functions.items[1]->language, "python");
    ir_print(u, &out);
    assert_non_null(strstr(out.data, "unit \"u\"\nlanguage python\n"));
    text_free(&out);
    ir_unit_free(again);
    ir_unit_free(u);
    ir_unit_free(c);
}

/* ---- words --------------------------------------------------------------------------------- */

static struct ir_unit *through_words(struct arena *a, const struct ir_unit *u)
{
    struct ir_words words;
    struct text texts = {0};
    assert_true(ir_to_words(a, u, &words));
    for (int i = 0; i < words.texts.count; i++)
        text_add_range(&texts, words.texts.items[i], strlen(words.texts.items[i]) + 1);
    struct ir_unit *again =
        ir_from_words(words.words.items, texts.data, words.texts.count, u->file);
    text_free(&texts);
    return again;
}

static void test_words(void **state)
{
    struct arena *a = arena_new();
    struct error e = {0};
    struct text out = {0};
    (void)state;
    const char *text = read_fixture(a, "dynamic.ir");
    struct ir_unit *u = ir_parse(text, &e);
    assert_non_null(u);
    struct ir_unit *again = through_words(a, u);
    assert_true(ir_verify(again, &e));
    ir_print(again, &out);
    assert_string_equal(out.data, text);
    assert_true(again->is_dynamic);
    assert_int_equal(ir_function_find(again, "scale")->param_count, 3);
    assert_ptr_equal(ir_function_find(again, "scale")->span.file, again->file);
    text_free(&out);
    ir_unit_free(u);
    ir_unit_free(again);
    arena_free(a);
}

/* What the words cannot say is refused, not left out. */
static void test_not_in_words(void **state)
{
    static const char *const units[] = {"unit \"u\"\nrecord r {\n    x : i32\n}\n",
                                        "unit \"u\"\nglobal g : dyn\n",
                                        "unit \"u\"\nnote \"n\" @1:1-2\n",
                                        "unit \"u\"\nerrors 1 \"u:1:1: wrong\"\n",
                                        "unit \"u\"\ndeclare f : fn(i32) void\n",
                                        "unit \"u\"\ndeclare f : fn() void @1:2000-2001\n"};
    (void)state;
    for (int i = 0; i < COUNT(units); i++) {
        struct arena *a = arena_new();
        struct error e = {0};
        struct ir_words words;
        struct ir_unit *u = ir_parse(units[i], &e);
        if (!u)
            fail_msg("%d: %s", i, e.message);
        assert_false(ir_to_words(a, u, &words));
        ir_unit_free(u);
        arena_free(a);
    }
}

/* ---- malformed text ------------------------------------------------------------------------ */

#define BODY(lines) "unit \"u\"\nfunc f : fn() void {\nb0:\n" lines "}\n"

static const struct {
    const char *text;
    int line, column;
    const char *message;
} bad[] = {
    {"", 1, 1, "expected 'unit'"},
    {"\n\n  module", 3, 3, "expected 'unit'"},
    {"unit x", 1, 6, "expected a string, not 'x'"},
    {"unit \"x", 1, 8, "before the end of the text"},
    {"unit \"x\ny\"", 1, 8, "before the end of the line"},
    {"unit \"\\q\"", 1, 8, "behind a backslash"},
    {"unit \"\\x0g\"", 1, 9, "two hexadecimal digits"},
    {"unit \"\\x00\"", 1, 9, "not both 0"},
    {"unit \"u\" more", 1, 10, "expected the end of the line"},
    {"unit \"u\"\nfoo\n", 2, 1, "expected language, errors, file"},
    {"unit \"u\"\nlanguage\n", 2, 9, "expected a name"},
    {"unit \"u\"\nfile f2 \"x\"\n", 2, 7, "expected the next file, f1"},
    {"unit \"u\"\nerrors -1\n", 2, 8, "not between 0"},
    {"unit \"u\"\nrecord r {\n}\n", 3, 1, "has a field"},
    {"unit \"u\"\nrecord r {\na : i8\n}\nrecord r {\na : i8\n}\n", 5, 8, "defined twice"},
    {"unit \"u\"\nglobal g : i0\n", 2, 12, "between 1 and 1024 bits"},
    {"unit \"u\"\nglobal g : f99999999999999999999\n", 2, 12, "between 1 and 1024 bits"},
    {"unit \"u\"\nglobal g : array -2 i8\n", 2, 18, "a negative number of elements"},
    {"unit \"u\"\nglobal g : fn(i8\n", 2, 17, "expected ')' before the end of the line"},
    {"unit \"u\"\nglobal g : fn(..., i8) void\n", 2, 18, "expected ')'"},
    {"unit \"u\"\nglobal g : ptr\n", 2, 15, "expected a name before the end of the line"},
    {"unit \"u\"\nglobal g : i8\nglobal g : i8\n", 3, 8, "defined twice"},
    {"unit \"u\"\nglobal g : i8 @f1:1:1-1\n", 2, 16, "there is no file f1"},
    {"unit \"u\"\nglobal g : i8 @1:5-4\n", 2, 16, "does not end before it begins"},
    {"unit \"u\"\nglobal g : i8 @0:1-4\n", 2, 16, "counts from 1"},
    {"unit \"u\"\ndeclare f : i8\n", 2, 9, "not a function's"},
    {"unit \"u\"\ndeclare f : fn() void\ndeclare f : fn() void\n", 3, 9, "defined twice"},
    {"unit \"u\"\ndeclare \"(init)\" : fn() i8\n", 2, 9, "fn() void"},
    {"unit \"u\"\nfunc f : fn() void\n", 2, 19, "expected '{'"},
    {"unit \"u\"\nfunc f : fn() void {\n}\n", 3, 1, "the first block, b0"},
    {"unit \"u\"\nfunc f : fn() void {\nb1:\n", 3, 1, "the next block, b0"},
    {"unit \"u\"\nfunc f : fn(i8) void {\n$0 = local x : i8\n", 3, 6, "expected 'param'"},
    {"unit \"u\"\nfunc f : fn() void {\n$1 = local x : i8\n", 3, 2, "the next local, $0"},
    {BODY("frob\n"), 4, 1, "expected an instruction"},
    {BODY("%1 = int : i32\n"), 4, 10, "expected a number, not ':'"},
    {BODY("%1 = int 9223372036854775808 : i64\n"), 4, 10, "does not fit"},
    {BODY("%1 = real 1.5x : f64\n"), 4, 11, "a real number"},
    {BODY("%1 = real nan:7ff0000000000000 : f64\n"), 4, 15, "of a NaN"},
    {BODY("%0 = int 1 : i32\n"), 4, 2, "numbered from 1"},
    {BODY("%9 = int 1 : i32\n"), 4, 1, "only 1 instructions"},
    {BODY("%1 = int 1 : i32\n%1 = int 2 : i32\n"), 5, 1, "used twice"},
    {BODY("%1 = local $0 : ptr i8\n"), 4, 13, "there is no local $0"},
    {BODY("return\nstore %1\n"), 5, 9, "expected ','"},
    /* What is well formed and still wrong is found by verifying, and has a place too. */
    {BODY("%1 = int 1 : i32\n"), 4, 1, "does not end with a terminator"},
    {BODY("%1 = load %7 : i32\nstop\n"), 4, 1, "operand %7 does not exist"},
    {BODY("jump b4\n"), 4, 1, "there is no block b4"},
    {BODY("b1:\nstop\n"), 2, 6, "b0 is empty"},
};

static void test_malformed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct error e = {0};
        struct ir_unit *u = ir_parse(bad[i].text, &e);
        if (u)
            fail_msg("accepted: %s", bad[i].text);
        if (e.line != bad[i].line || e.column != bad[i].column ||
            !strstr(e.message, bad[i].message))
            fail_msg("%s\n%d:%d: %s\nexpected %d:%d: %s", bad[i].text, e.line, e.column, e.message,
                     bad[i].line, bad[i].column, bad[i].message);
    }
}

/* A type as deep as may be parses; one level more does not, and the stack survives any depth. */
static void test_depth(void **state)
{
    (void)state;
    static const struct {
        int pointers;
        const char *to;
        bool good;
    } rows[] = {{TYPE_DEPTH - 1, "i8", true},
                {TYPE_DEPTH, "i8", false},
                {TYPE_DEPTH, "tensor", true},
                {TYPE_DEPTH + 1, "tensor", false},
                {TYPE_DEPTH - 2, "fn(i8) i8", true},
                {TYPE_DEPTH - 1, "fn(i8) i8", false},
                {1000000, "i8", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text t = {0};
        struct error e = {0};
        text_add(&t, "unit \"u\"\nglobal g : ");
        for (int k = 0; k < rows[i].pointers; k++)
            text_add(&t, "ptr ");
        text_printf(&t, "%s\n", rows[i].to);
        struct ir_unit *u = ir_parse(t.data, &e);
        assert_int_equal(u != NULL, rows[i].good);
        assert_true(u || strstr(e.message, "nested deeper"));
        ir_unit_free(u);
        text_free(&t);
    }
}

/* ---- types and building -------------------------------------------------------------------- */

static void test_types_are_made_once(void **state)
{
    (void)state;
    struct ir_unit *u = ir_unit_new("u");
    const struct type *i32 = type_int(u, 32, true), *tensor = type_record(u, "tensor");
    assert_ptr_equal(i32, type_int(u, 32, true));
    assert_ptr_not_equal(i32, type_int(u, 32, false));
    assert_ptr_not_equal(type_float(u, 16, true), type_float(u, 16, false));
    assert_ptr_equal(type_pointer(u, tensor), type_pointer(u, type_record(u, "tensor")));
    assert_ptr_not_equal(type_array(u, i32, 4), type_array(u, i32, 5));
    assert_ptr_equal(type_array(u, i32, -1), type_array(u, i32, -7));
    struct field named[] = {{"a", i32, 0, NULL}, {"b", tensor, 0, NULL}},
                 other[] = {{"x", i32, 0, NULL}, {"", tensor, 0, NULL}};
    const struct type *f = type_function(u, i32, named, 2, false);
    assert_ptr_equal(f, type_function(u, i32, other, 2, false));
    assert_string_equal(f->fields[0].name, "");
    assert_ptr_not_equal(f, type_function(u, i32, named, 2, true));
    assert_ptr_not_equal(f, type_function(u, i32, named, 1, false));
    ir_unit_free(u);
}

static void test_types_too_deep(void **state)
{
    (void)state;
    struct ir_unit *u = ir_unit_new("u");
    const struct type *t = type_simple(u, TYPE_BOOL);
    for (int i = 1; i < TYPE_DEPTH; i++)
        t = type_pointer(u, t);
    assert_int_equal(t->kind, TYPE_POINTER);
    assert_int_equal(u->notes.count, 0);
    assert_int_equal(type_pointer(u, t)->kind, TYPE_UNKNOWN);
    assert_int_equal(u->notes.count, 1);
    /* What a function takes and returns is then unknown, but it stays a function. */
    const struct type *f = type_function(u, t, &(struct field){"x", t, 0, NULL}, 1, false);
    assert_int_equal(f->kind, TYPE_FUNCTION);
    assert_int_equal(f->of->kind, TYPE_UNKNOWN);
    assert_int_equal(f->fields[0].type->kind, TYPE_UNKNOWN);
    assert_int_equal(u->notes.count, 3);
    ir_unit_free(u);
}

static void test_records(void **state)
{
    (void)state;
    struct ir_unit *u = ir_unit_new("u");
    struct type *r = type_record(u, "node");
    struct field fields[] = {{"next", type_pointer(u, r), 0, NULL},
                             {NULL, type_int(u, 8, true), 0, "OFF 0, ON 1"}};
    record_define(u, r, false, fields, 2);
    assert_ptr_equal(type_record(u, "node"), r);
    assert_int_equal(r->field_count, 2);
    assert_string_equal(r->fields[1].name, "");
    assert_int_equal(u->records.count, 1);
    record_define(u, type_record(u, "empty"), false, NULL, 0);
    assert_int_equal(u->records.count, 1);
    ir_unit_free(u);
}

/* What is handed over may live on the caller's stack. */
static void test_append_copies(void **state)
{
    (void)state;
    struct ir_unit *u = ir_unit_new("u");
    struct ir_function *f = u->functions.items[0];
    const struct type *i32 = type_int(u, 32, true), *none = type_simple(u, TYPE_VOID);
    int b = ir_block_new(u, f);
    ir_value one = ir_append(u, f, b, (struct ir_inst){.op = IR_INT, .type = i32, .integer = 1});
    ir_value args[] = {one, one};
    char name[] = "print";
    ir_value call = ir_append(
        u, f, b,
        (struct ir_inst){.op = IR_CALL, .type = none, .name = name, .args = args, .arg_count = 2});
    args[0] = args[1] = 99;
    name[0] = 'X';
    assert_int_equal(one, 1);
    assert_int_equal(call, 2);
    assert_null(f->insts.items[call].type);
    assert_int_equal(f->insts.items[call].args[1], one);
    assert_ptr_equal(f->insts.items[call].name, name_of(u->names, "print"));
    assert_false(ir_block_ended(f, b));
    ir_append(u, f, b, (struct ir_inst){.op = IR_RETURN});
    assert_true(ir_block_ended(f, b));
    assert_true(f->has_body);
    ir_unit_free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handwritten),    cmocka_unit_test(test_every_op),
        cmocka_unit_test(test_numbers),        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_language),       cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_depth),          cmocka_unit_test(test_types_are_made_once),
        cmocka_unit_test(test_types_too_deep), cmocka_unit_test(test_records),
        cmocka_unit_test(test_append_copies),  cmocka_unit_test(test_words),
        cmocka_unit_test(test_not_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

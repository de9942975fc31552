/* Proofs: recorded events of a run (judged/NAME.txt) must lead to the verdict that is written above
 * them. And every rule that makes findings without a failing call must have a way to be proven. */
#include "analyzer/verify/c/private.h"
#include "analyzer/verify/channel.h"
#include "analyzer/verify/judge.h"
#include "rules/engine/engine.h"
#include "runtime/trace/protocol.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a run ------------------------------------------------------------------------------------
 */

struct case_line {
    char rule[64], op[64], kind[32], what[256];
    int line;
};

static bool read_head(const char *text, struct case_line *c)
{
    *c = (struct case_line){0};
    return sscanf(text, "= %63s %d %63s %31[^:]:%*1[ ]%255[^\n]", c->rule, &c->line, c->op, c->kind,
                  c->what) >= 4;
}

static struct verifier verifier_new(const struct verify_input *in)
{
    return verifier_begin(in, ".");
}

static struct finding finding_of(const struct case_line *c)
{
    const struct rule *r = rule_find(c->rule);
    if (!r)
        fail_msg("no rule %s", c->rule);
    struct span at = {.file = "/src/bug.c", .line = c->line, .end_line = c->line};
    return (struct finding){
        .code = r->code, .rule = r->name, .span = at, .severity = SEVERITY_ERROR, .message = ""};
}

/* A finding that is proven by what is made next to it names the line before; one about a parameter,
 * where the optimizer steps. */
static void name_places(struct arena *a, struct finding *f)
{
    struct origin o = {.what = "next to it", .span = f->span}, step = {.what = "steps"};
    o.span.line = o.span.end_line = f->span.line - 1;
    if (!strcmp(f->rule, "made-unlike") || !strcmp(f->rule, "leaked-default-dtype"))
        LIST_ADD(a, &f->origins, o);
    if (!strcmp(f->rule, "cut-gradient"))
        LIST_ADD(a, &f->origins, step);
}

static void judge_case(const struct case_line *c, const char *from, const char *to)
{
    struct verify_input in = {.runner = &c_runner};
    struct verifier v = verifier_new(&in);
    struct finding f = finding_of(c);
    name_places(v.arena, &f);
    struct verdict verdict = {0};
    struct error e = {0};
    struct run r = {.entry = "main", .simulated = true, .complete = true};
    const char *events = arena_text(v.arena, from, (size_t)(to - from));
    assert_true(events_read(&v, events, "/src", &r, &e));
    struct judging j = {&v, &f, &r, c->op, "/src", &verdict};
    proof_look(&j);
    const char *kind = verdict.kind ? verdict_name(verdict.kind) : "none";
    const char *what = verdict.what ? verdict.what : "";
    if (strcmp(kind, c->kind) != 0 || strcmp(what, c->what) != 0)
        fail_msg("%s at line %d:\n  should be %s: %s\n  is        %s: %s", c->rule, c->line,
                 c->kind, c->what, kind, what);
    run_free(&r);
    arena_free(v.arena);
}

/* ---- files -------------------------------------------------------------------------------------
 */

static void judge_file(const char *name)
{
    struct arena *a = arena_new();
    struct error e = {0};
    size_t length;
    int count = 0;
    const char *text = file_read(a, arena_printf(a, "%s/%s.txt", JUDGED, name), &length, &e);
    assert_non_null(text);
    for (const char *at = strstr(text, "\n= "); at; count++) {
        struct case_line c;
        const char *events = strchr(at + 1, '\n') + 1, *next = strstr(events - 1, "\n= ");
        assert_true(read_head(at + 1, &c));
        judge_case(&c, events, next ? next + 1 : text + length);
        at = next;
    }
    assert_true(count > 4);
    arena_free(a);
}

static void test_tensors(void **state)
{
    (void)state;
    judge_file("tensors");
}

static void test_regions(void **state)
{
    (void)state;
    judge_file("regions");
}

static void test_training(void **state)
{
    (void)state;
    judge_file("training");
}

static void test_values(void **state)
{
    (void)state;
    judge_file("values");
}

static void test_memory(void **state)
{
    (void)state;
    judge_file("memory");
}

/* ---- AddressSanitizer --------------------------------------------------------------------------
 */

static const char report[] = "=================================================================\n"
                             "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0xf5 "
                             "at pc 0xf7 bp 0xff sp 0xfe\n"
                             "WRITE of size 4096 at 0xf5 thread T0\n"
                             "    #0 0xf704 in memcpy (/lib/libasan.so.8+0x1)\n"
                             "    #1 0xaaaa in upload_stage /src/bug.c:28:5\n"
                             "    #2 0xaaab in main /src/bug.c:34\n"
                             "\n"
                             "0xf5 is located 0 bytes after 2048-byte region [0xf4,0xf5)\n"
                             "allocated by thread T0 here:\n"
                             "    #0 0xf705 in malloc (/lib/libasan.so.8+0x2)\n"
                             "    #1 0xaaac in upload_new /src/bug.c:20\n";

static void test_report(void **state)
{
    (void)state;
    struct verify_input in = {.runner = &c_runner};
    struct verifier v = verifier_new(&in);
    struct run r = {.directory = "/src"};
    c_read_memory_report(&v, "all is well\n", &r);
    assert_int_equal(r.events.count, 0);
    c_read_memory_report(&v, report, &r);
    assert_int_equal(r.events.count, 1);
    const struct event *e = &r.events.items[0];
    assert_string_equal(e->error, "wrote 4096 bytes here, beyond a block of 2048");
    assert_int_equal(e->frames.count, 2); /* and not where it was allocated */
    assert_int_equal(e->frames.items[0].line, 28);
    assert_string_equal(e->frames.items[0].file, "/src/bug.c");
    assert_int_equal(e->frames.items[1].line, 34);
    arena_free(v.arena);
}

/* ---- calls that fail ---------------------------------------------------------------------------
 */

/* linear of bf16 and f16, as a pack says it: with names of its own. */
struct failing_call {
    struct pack_param params[2];
    struct pack_function callee;
    struct ir_inst insts[2];
    struct ir_function function;
    struct operand failing[2];
    struct flow_failure failure;
};

static void failing_call_init(struct failing_call *c)
{
    *c = (struct failing_call){
        .params = {{.name = "a", .kind = OPERAND_TENSOR}, {.name = "b", .kind = OPERAND_TENSOR}},
        .callee = {.shown = "linear", .params = c->params, .param_count = 2},
        .insts = {{0}, {.op = IR_CALL}},
        .failing = {{.kind = OPERAND_TENSOR, .dtype = DTYPE_BF16, .device = DEVICE_CPU},
                    {.kind = OPERAND_TENSOR, .dtype = DTYPE_F16, .device = DEVICE_CPU}},
    };
    c->function.insts.items = c->insts;
    c->function.insts.count = 2;
    c->failure = (struct flow_failure){.function = &c->function,
                                       .inst = 1,
                                       .callee = &c->callee,
                                       .kind = ERROR_DTYPE,
                                       .failing = c->failing,
                                       .failing_count = 2,
                                       .operand_count = 2};
    for (int i = 0; i < 2; i++) {
        struct flow_failing *o = &c->failure.operands[i];
        *o = (struct flow_failing){.name = c->params[i].name, .param = i};
        o->fact.dtypes = DTYPE_BIT(DTYPE_BF16) | DTYPE_BIT(DTYPE_F16);
        o->fact.devices = 1u << DEVICE_CPU;
    }
}

static void judge_call(enum severity severity, const char *weight, const char *error, bool harness,
                       enum verdict_kind expected)
{
    struct verify_input in = {.runner = &c_runner};
    struct verifier v = verifier_new(&in);
    struct failing_call c;
    failing_call_init(&c);
    struct span at = {.file = "/src/bug.c", .line = 3, .end_line = 3};
    struct finding f = {.code = "MC101",
                        .rule = "matmul-dtype",
                        .span = at,
                        .function = "main",
                        .severity = severity,
                        .message = "",
                        .failure = &c.failure};
    struct event_tensor operands[] = {{.name = "x", .dtype = "bf16", .device = "cpu"},
                                      {.name = "weight", .dtype = weight, .device = "cpu"}};
    struct event e = {.op = "linear",
                      .line = 3,
                      .file = path_real(&v, NULL, "/src/bug.c"),
                      .operands = operands,
                      .operand_count = 2,
                      .error_kind = error,
                      .error = error};
    struct run r = {.entry = "main", .directory = "/src", .is_harness = harness, .complete = true};
    LIST_ADD(v.arena, &r.events, e);
    judge_run(&v, &f, &r);
    assert_int_equal(f.verdict.kind, expected);
    assert_true(f.verdict.reached);
    arena_free(v.arena);
}

static void test_failures(void **state)
{
    (void)state;
    judge_call(SEVERITY_ERROR, "f16", "dtype", false, VERDICT_CONFIRMED);
    judge_call(SEVERITY_ERROR, "f16", NULL, false, VERDICT_REFUTED);
    judge_call(SEVERITY_ERROR, "bf16", NULL, false, VERDICT_REFUTED);
    judge_call(SEVERITY_ERROR, "f16", "shape", false, VERDICT_NOT_REACHED);
    judge_call(SEVERITY_WARNING, "f16", NULL, false, VERDICT_REFUTED);
    judge_call(SEVERITY_WARNING, "bf16", NULL, false, VERDICT_NOT_REACHED); /* not what was meant */
    judge_call(SEVERITY_WARNING, "f32", "dtype", true, VERDICT_NOT_REACHED); /* a harness's own */
    judge_call(SEVERITY_WARNING, "f32", "dtype", false, VERDICT_CONFIRMED);
}

/* ---- what a program may have written -----------------------------------------------------------
 */

/* A brief event keeps nothing of the object it was read from, whatever that has. */
static void test_brief(void **state)
{
    static const char text[] =
        "{\"seq\":1,\"op\":\"mul\",\"brief\":true,\"line\":7,\"file\":\"/src/a.c\","
        "\"function\":\"main\",\"error\":{\"kind\":\"dtype\",\"message\":\"no\"},"
        "\"frames\":[\"0x1\"],\"operands\":[{\"name\":\"x\",\"dtype\":\"f16\",\"id\":3,"
        "\"storage\":4}],\"result\":{\"device\":\"cpu\",\"id\":5,\"before\":\"00\"}}\n";
    (void)state;
    struct verify_input in = {.runner = &c_runner};
    struct verifier v = verifier_new(&in);
    struct run r = {.entry = "main"};
    struct error e = {0};
    assert_true(events_read(&v, text, "/src", &r, &e));
    assert_int_equal(r.events.count, 1);
    const struct event *it = &r.events.items[0];
    assert_string_equal(it->op, "mul");
    assert_int_equal(it->line, 7);
    assert_int_equal(it->operands[0].id, 3);
    assert_int_equal(it->operands[0].storage, 4);
    assert_int_equal(it->result.id, 5);
    assert_null(it->function);
    assert_null(it->file);
    assert_null(it->error);
    assert_null(it->error_kind);
    assert_null(it->operands[0].name);
    assert_null(it->operands[0].dtype);
    assert_null(it->result.device);
    assert_null(it->result.before);
    assert_null(it->raw);
    run_free(&r);
    arena_free(v.arena);
}

static void test_too_many(void **state)
{
    enum { LINES = 300000 };
    (void)state;
    struct verify_input in = {.runner = &c_runner};
    struct verifier v = verifier_new(&in);
    struct run r = {.entry = "main"};
    struct error e = {0};
    char *text = arena_alloc(v.arena, 3 * LINES + 1);
    for (int i = 0; i < LINES; i++)
        memcpy(text + 3 * (size_t)i, "{}\n", 4);
    assert_false(events_read(&v, text, "/src", &r, &e));
    assert_non_null(strstr(e.message, "300000 events"));
    run_free(&r);
    arena_free(v.arena);
}

/* As many as the runtime counted, or it is not believed. */
static void test_count(void **state)
{
    static const char *const ends[] = {"{\"seq\":1}\n{\"end\":true,\"events\":1}\n",
                                       "{\"seq\":1}\n{\"end\":true,\"events\":2}\n"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct verify_input in = {.runner = &c_runner};
        struct verifier v = verifier_new(&in);
        struct run r = {.entry = "main"};
        struct error e = {0};
        assert_true(events_read(&v, ends[i], "/src", &r, &e));
        assert_true(r.closed);
        assert_int_equal(r.broken != NULL, i);
        run_free(&r);
        arena_free(v.arena);
    }
}

/* The channel of a run, and what others send to it. */
static bool sends(const struct sandbox_channel *c, uint64_t number, uint64_t key, const char *line)
{
    struct channel_hello hello;
    char packet[256];
    memcpy(&hello, c->first, sizeof hello);
    hello.key[0] ^= key;
    size_t length = strlen(line);
    struct channel_head head = {number, event_seal(hello.key, number, line, length), hello.process};
    memcpy(packet, &head, sizeof head);
    memcpy(packet + sizeof head, line, length);
    return c->take(c->context, packet, sizeof head + length);
}

static void test_channel(void **state)
{
    static const struct {
        uint64_t number, key;
        const char *line, *trouble;
    } cases[] = {
        {2, 0, "{}\n", NULL},
        {2, 1, "{}\n", "something other than the runtime"}, /* without the key */
        {1, 0, "{}\n", "missing, or came twice"},           /* once more */
        {3, 0, "{}\n", "missing, or came twice"},
        {2, 0, "{}\n{}\n", "not one line"},
        {2, 0, "{}", "not one line"},
        {2, 0, "", "something other than the runtime"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *a = arena_new();
        struct error e = {0};
        struct channel *c = channel_new(a, 0, &e);
        struct sandbox_channel ends = channel_ends(c);
        assert_true(sends(&ends, 1, 0, "{\"seq\":1}\n"));
        assert_int_equal(sends(&ends, cases[i].number, cases[i].key, cases[i].line),
                         !cases[i].trouble);
        const char *trouble = channel_trouble(c, 0);
        assert_int_equal(trouble != NULL, cases[i].trouble != NULL);
        assert_true(!trouble || strstr(trouble, cases[i].trouble));
        channel_free(c);
        arena_free(a);
    }
}

/* A shared channel: every process has a key of its own, there are always some ahead, and what is
 * wrong with the events of one does not concern the others. */
static void test_shared_channel(void **state)
{
    struct arena *a = arena_new();
    struct error e = {0};
    struct channel *c = channel_new(a, CHANNEL_SHARED | CHANNEL_SHADOW, &e);
    struct sandbox_channel ends = channel_ends(c), second = ends;
    char message[512], other[512];
    (void)state;
    assert_int_equal(ends.more(ends.context, message, sizeof message),
                     sizeof(struct channel_hello));
    while (ends.more(ends.context, other, sizeof other))
        continue;
    int before = channel_count(c);
    second.first = message;
    assert_true(sends(&ends, 1, 0, "{\"begin\":true}\n"));
    assert_true(sends(&second, 1, 0, "{\"begin\":true}\n"));
    assert_true(sends(&second, 3, 0, "{}\n")); /* one is missing */
    assert_true(sends(&ends, 2, 0, "{}\n"));
    assert_int_equal(ends.more(ends.context, other, sizeof other), sizeof(struct channel_hello));
    assert_int_equal(channel_count(c), before + 1);
    assert_null(channel_trouble(c, 0));
    assert_string_equal(channel_text(c, 0), "{\"begin\":true}\n{}\n");
    assert_non_null(channel_trouble(c, 1));
    assert_false(sends(&second, 4, 1, "{}\n")); /* by someone without a key */
    assert_non_null(channel_trouble(c, 0));
    channel_free(c);
    arena_free(a);
}

/* As its authors have it: the key 00 01 … 0f, of the bytes 00 01 … 0e. */
static void test_seal(void **state)
{
    static const uint64_t key[2] = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};
    (void)state;
    assert_true(event_seal(key, 0x0706050403020100u, "\x08\x09\x0a\x0b\x0c\x0d\x0e", 7) ==
                0xa129ca6149be45e5u);
}

/* That something did not happen can only be known from a complete record. */
static void test_incomplete(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++)
        for (int cut = 0; cut < 2; cut++) {
            struct verify_input in = {.runner = &c_runner};
            struct verifier v = verifier_new(&in);
            struct finding f = {.rule = "matmul-dtype"};
            struct verdict verdict = {0};
            struct run r = {.entry = "main", .complete = whole, .cut = cut};
            struct event e = {.op = "matmul"};
            struct judging j = {&v, &f, &r, NULL, "/src", &verdict};
            judge_set(&j, VERDICT_REFUTED, &e, "went well here");
            assert_int_equal(verdict.kind, whole && !cut ? VERDICT_REFUTED : VERDICT_NOT_RUN);
            judge_set(&j, VERDICT_CONFIRMED, &e, "raised it");
            assert_int_equal(verdict.kind, VERDICT_CONFIRMED);
            arena_free(v.arena);
        }
}

/* ---- completeness ------------------------------------------------------------------------------
 */

/* Rules for Python alone, and one about what a mask is meant to leave out, which no run shows. */
static bool has_no_proof(const char *rule)
{
    return !strcmp(rule, "unregistered-modules") || !strcmp(rule, "dtype-for-device") ||
           !strcmp(rule, "cut-gradient") || !strcmp(rule, "autocast-without-scaler") ||
           !strcmp(rule, "zero-gradient") || !strcmp(rule, "step-without-gradient") ||
           !strcmp(rule, "gradients-not-cleared") || !strcmp(rule, "additive-mask") ||
           !strcmp(rule, "unfrozen-module") || !strcmp(rule, "unfrozen-too-late") ||
           !strcmp(rule, "floored-fraction");
}

static void test_every_rule(void **state)
{
    (void)state;
    for (int i = 0; i < RULE_COUNT; i++) {
        struct finding f = {.code = rules[i].code, .rule = rules[i].name};
        bool speaks = !rules[i].run || rules[i].run->call || rules[i].run->program;
        bool comment = !strcmp(proof_missing(&f), "a comment does not run");
        if (speaks && !proof_exists(&f) && !comment && !has_no_proof(rules[i].name))
            fail_msg("%s has no row in proof.def", rules[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tensors),        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_training),       cmocka_unit_test(test_values),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_report),
        cmocka_unit_test(test_failures),       cmocka_unit_test(test_every_rule),
        cmocka_unit_test(test_brief),          cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_count),          cmocka_unit_test(test_channel),
        cmocka_unit_test(test_shared_channel), cmocka_unit_test(test_seal),
        cmocka_unit_test(test_incomplete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

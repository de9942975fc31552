/* Fuzzes stored findings: any bytes are parsed or rejected; parsed findings can be sorted, applied
 * as edits and reported in every format. */
#include <string.h>

#include "frontends/driver/check/check.h"
#include "frontends/driver/project/cache.h"
#include "tests/fuzz/findings.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_loaded;

static const char text[] = "int f(int x)\n{\n\treturn g(x, \"\xc3\xa9\") + x;\n}\n";

static void tell(struct arena *a, finding_list *l)
{
    struct sources *sources = sources_new(a);
    sources_put(sources, "a.c", text, strlen(text));
    struct report r = {.arena = a, .findings = l, .sources = sources, .root = "/", .version = "0"};
    findings_settle(a, l, sources, same_name, NULL);
    findings_fold(a, l);
    apply_edits(a, sources, l);
    for (int i = 0; i < report_format_count; i++) {
        struct text out = {0};
        report_formats[i].print(&r, &out);
        text_free(&out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct checking c; /* large, and all but this of it is of no matter here */
    struct record_reader r = record_open(data, size);
    finding_list found = {0};
    c.arena = arena_new();
    c.project.names = names_new(c.arena);
    findings_read(&c, &r, &found);
    if (record_ended(&r)) {
        fuzz_loaded++;
        tell(c.arena, &found);
    }
    arena_free(c.arena);
    return 0;
}

/* ---- valid inputs --------------------------------------------------------------------------- */

static struct finding *some_finding(struct arena *a, size_t which)
{
    struct finding *f = arena_one(a, struct finding);
    struct span at = {"a.c", 3, 9, 3, 10 + (int)(which % 9)}, end = {"a.c", 3, 2, 4, 1};
    *f = (struct finding){.code = rules[which % RULE_COUNT].code,
                          .severity = (enum severity)(which % SEVERITY_COUNT),
                          .span = which % 2 ? at : end,
                          .function = which % 3 ? "f" : "",
                          .message = "x is f16, y is f32",
                          .line = "return g(x);",
                          .past = which % 5 == 0,
                          .fix = {.what = which % 4 ? "cast x" : NULL, .safe = which % 8 > 3}};
    struct origin o = {.what = "x became f16", .span = end, .source = "g(x)", .called = at};
    struct edit e = {at, "mc_half(x)"};
    LIST_ADD(a, &f->marks, at);
    LIST_ADD(a, &f->origins, o);
    if (f->fix.what)
        LIST_ADD(a, &f->fix.edits, e);
    return f;
}

static size_t seed(size_t which, uint8_t *to, size_t room)
{
    struct arena *a = arena_new();
    finding_list l = {0};
    struct text out = {0};
    for (size_t i = 0; i <= which % 3; i++) {
        struct finding *f = some_finding(a, which + i * 7);
        LIST_ADD(a, &l, f);
    }
    findings_put(&out, &l);
    size_t length = out.length < room ? out.length : room;
    memcpy(to, out.data, length);
    text_free(&out);
    arena_free(a);
    return length;
}

static void repair(uint8_t *data, size_t size)
{
    (void)data, (void)size;
}

static const char *const words[] = {"\x06"
                                    "a.c",
                                    "\x01",
                                    "\x02",
                                    "\x0a"
                                    "MC101",
                                    "\x04\x0a\x0d",
                                    "\x04\x1b[",
                                    "\x06\xef\xbf\xbe",
                                    "\xfe\xff\xff\xff\x0f",
                                    "\xff\xff\xff\xff\x0f",
                                    NULL};

const struct fuzz_target fuzz_target = {"findings", 120, seed, repair, words, false};

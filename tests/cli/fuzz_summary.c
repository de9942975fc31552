/* Fuzzes the serialized forms of IR and findings, with corrected digests, so that the code after
 * the digest check is reached: summaries (miscast summarize, check --shard), whose units are
 * parsed, and the parts of a program that a store keeps. */
#include <stdlib.h>
#include <string.h>

#include "frontends/driver/incremental/dependencies.h"
#include "frontends/driver/shards/summary.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_loaded;

/* summary.c writes by it; here nothing is written. */
bool output_replace(struct project *p, const char *path, const struct text *text, struct error *e)
{
    (void)p, (void)path, (void)text;
    return error_set(e, "not here");
}

static void parse_units(const struct summary *s)
{
    for (int i = 0; i < s->units.count; i++) {
        struct error e = {0};
        const char *text = s->units.items[i].ir;
        struct ir_unit *u = text ? ir_parse(text, &e) : NULL;
        ir_unit_free(u);
    }
}

/* What was read prints as bytes that read and print the same. */
static void check_identity(struct arena *a, const struct summary *s)
{
    struct text once = {0}, twice = {0};
    struct summary again;
    struct error e;
    summary_print(s, &once);
    if (!summary_read(a, fuzz_file(once.data, once.length), &again, &e))
        abort();
    summary_print(&again, &twice);
    if (once.length != twice.length || memcmp(once.data, twice.data, once.length) != 0)
        abort();
    text_free(&once);
    text_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {0};
    struct summary s;
    struct arena *a = arena_new();
    bool loaded = summary_read(a, fuzz_file(data, size), &s, &e);
    if (loaded == (e.message[0] != '\0'))
        abort();
    if (loaded) {
        fuzz_loaded++;
        parse_units(&s);
        check_identity(a, &s);
    }
    program_read(a, (const char *)data, size);
    arena_free(a);
    return 0;
}

/* ---- valid inputs --------------------------------------------------------------------------- */

static const char *const irs[] = {
    "unit \"a.c\"\nfunc f : fn(i32) i32 {\nlocal $0 x : i32\nb0:\n  %1 = local $0 : ptr i32\n  "
    "%2 = load %1 : i32\n  return %2\n}\n",
    "unit \"b.c\"\nglobal g : ptr i8 internal\n", "unit \"c.c\"\n", NULL};

static size_t seed(size_t which, uint8_t *to, size_t room)
{
    struct arena *a = arena_new();
    struct summary s = {.part = which % 3 != 0, .parts = (int)(which % 3), .near = "a"};
    struct store_read file = {"include/x.h", {1, 2}};
    struct text out = {0};
    LIST_ADD(a, &s.asked, "a.c");
    LIST_ADD(a, &s.files, file);
    for (size_t i = 0; i < which % 5; i++) {
        struct summary_unit u = {.file = "a.c", .ir = irs[(which + i) % 4], .error = "why"};
        LIST_ADD(a, &u.reads, 0);
        LIST_ADD(a, &s.units, u);
    }
    summary_print(&s, &out);
    size_t length = out.length < room ? out.length : room;
    memcpy(to, out.data, length);
    text_free(&out);
    arena_free(a);
    return length;
}

/* The digest at the end is that of all before it. */
static void repair(uint8_t *data, size_t size)
{
    struct digest d;
    if (size < sizeof d)
        return;
    d = digest_bytes(data, size - sizeof d);
    memcpy(data + size - sizeof d, &d, sizeof d);
}

static const char *const words[] = {"miscast summary\n",
                                    "unit ",
                                    "func ",
                                    "\x02",
                                    "\x01",
                                    "\xff\xff\xff\xff\x0f",
                                    "\x80\x80\x80\x80\x80\x80\x80\x80\x80",
                                    "a.c",
                                    NULL};

const struct fuzz_target fuzz_target = {"summary", 60, seed, repair, words, false};

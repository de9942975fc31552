/* Fuzzes the parser of the IR's text form: any text gives a unit or an error with a location; and a
 * unit prints as text that parses and prints the same. Valid inputs are random
 * units. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/ir/ir.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/ir_words.h"
#include "tests/ir/random_unit.h"

unsigned long fuzz_loaded;

static void check_identity(struct ir_unit *u)
{
    struct text once = {0}, twice = {0};
    struct error e;
    ir_print(u, &once);
    struct ir_unit *again = ir_parse(once.data, &e);
    if (!again)
        abort();
    ir_print(again, &twice);
    if (strcmp(once.data, twice.data) != 0)
        abort();
    ir_unit_free(again);
    text_free(&once);
    text_free(&twice);
}

/* As a source, the same text gives a unit or an error, too, and every place is in it. */
static void check_source(const char *text, bool is_unit)
{
    struct error e;
    struct ir_unit *u = ir_parse_source(text, "x.ir", &e);
    int lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    if (!u != !is_unit)
        abort();
    for (int i = 0; u && i < u->functions.count; i++) {
        const struct ir_function *f = u->functions.items[i];
        if (f->span.end_line > lines)
            abort();
        for (int k = 1; k < f->insts.count; k++) {
            const struct span *s = &f->insts.items[k].span;
            if (s->line < f->span.line || s->end_line != s->line || s->line > f->span.end_line)
                abort();
        }
    }
    ir_unit_free(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {0};
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    struct ir_unit *u = ir_parse(text, &e);
    if (!u == !e.message[0] || (!u && (e.line < 1 || e.column < 1)))
        abort(); /* a unit, or an error with its place */
    check_source(text, u);
    if (u) {
        fuzz_loaded++;
        check_identity(u);
    }
    ir_unit_free(u);
    free(text);
    return 0;
}

/* ---- valid inputs -------------------------------------------------------------------------- */

/* Smaller and smaller units from the same seed, until one has room. */
static size_t seed(size_t which, uint8_t *to, size_t room)
{
    size_t length = room + 1;
    for (uint64_t n = which; length > room; n += 1000) {
        struct text t = {0};
        struct ir_unit *u = random_unit(n, (int)(which % 13));
        ir_print(u, &t);
        length = t.length;
        if (length <= room)
            memcpy(to, t.data, length);
        text_free(&t);
        ir_unit_free(u);
    }
    return length;
}

/* There is no length to repair. */
static void repair(uint8_t *data, size_t size)
{
    (void)data, (void)size;
}

const struct fuzz_target fuzz_target = {"ir", 200, seed, repair, ir_words, true};

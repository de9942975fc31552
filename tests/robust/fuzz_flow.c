/* Fuzzes the stages after the IR's parser: for any text, a unit that the verifier accepts goes
 * through flow and the rules without a crash. Such text comes from a store or a summary, which is
 * untrusted. Valid inputs are small C files, lowered. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/ir_words.h"
#include "tests/robust/way.h"

unsigned long fuzz_loaded;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct error e = {0};
    const char *text = arena_text(a, (const char *)data, size);
    struct ir_unit *u = ir_parse(text, &e);
    if (u) {
        fuzz_loaded++;
        way_analyse(a, u, text, size);
    }
    ir_unit_free(u);
    arena_free(a);
    return 0;
}

/* ---- valid inputs --------------------------------------------------------------------------- */

static struct text lowered(size_t which)
{
    struct arena *a = arena_new();
    uint8_t source[FUZZ_ROOM];
    struct text t = {0};
    size_t size = way_seed(which % WAY_SEEDS, source, sizeof source);
    struct ir_unit *u = way_lower(a, arena_text(a, (const char *)source, size), size);
    ir_print(u, &t);
    ir_unit_free(u);
    arena_free(a);
    return t;
}

/* Of declarations whose IR is too long, those that come next. Lowered once: mutators ask often. */
static size_t seed(size_t which, uint8_t *to, size_t room)
{
    static struct text made[WAY_SEEDS];
    for (size_t n = which; !made[which].data; n += 3) {
        struct text t = lowered(n);
        if (t.length <= FUZZ_ROOM)
            made[which] = t;
        else
            text_free(&t);
    }
    size_t length = made[which].length < room ? made[which].length : room;
    memcpy(to, made[which].data, length);
    return length;
}

static void repair(uint8_t *data, size_t size)
{
    (void)data, (void)size;
}

const struct fuzz_target fuzz_target = {"flow", WAY_SEEDS, seed, repair, ir_words, true};

/* Fuzzes the baseline, a JSON file that is committed: any bytes are parsed or rejected; and a
 * parsed baseline prints as a file that parses and prints the same. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/finding/finding.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_loaded;

static void check_identity(struct arena *a, const struct baseline *b)
{
    struct text once = {0}, twice = {0};
    struct baseline again;
    struct error e;
    baseline_print(b, &once);
    if (!baseline_read(a, fuzz_file(once.data, once.length), &again, &e))
        abort();
    baseline_print(&again, &twice);
    if (strcmp(once.data, twice.data) != 0)
        abort();
    text_free(&once);
    text_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {0};
    struct baseline b;
    struct finding f = {.identity = 7};
    struct arena *a = arena_new();
    bool loaded = baseline_read(a, fuzz_file(data, size), &b, &e);
    if (loaded == (e.message[0] != '\0'))
        abort();
    if (loaded) {
        baseline_holds(&b, &f);
        check_identity(a, &b);
    }
    fuzz_loaded += loaded;
    arena_free(a);
    return 0;
}

/* ---- valid inputs --------------------------------------------------------------------------- */

static size_t seed(size_t which, uint8_t *to, size_t room)
{
    size_t n = (size_t)snprintf((char *)to, room, "{\"version\": 1, \"findings\": [");
    for (size_t i = 0; i < which % 4; i++)
        n += (size_t)snprintf((char *)to + n, room - n,
                              "%s{\"rule\": \"matmul-dtype\", \"file\": \"m%zu.c\", \"function\": "
                              "\"f\", \"line\": \"x = \\u00e9(\\\"y\\\");\", \"message\": \"m\", "
                              "\"occurrence\": %zu}",
                              i ? ", " : "", which, i);
    return n + (size_t)snprintf((char *)to + n, room - n, "]}");
}

static void repair(uint8_t *data, size_t size)
{
    (void)data, (void)size;
}

static const char *const words[] = {"\"version\"",
                                    "\"findings\"",
                                    "\"rule\"",
                                    "\"file\"",
                                    "\"function\"",
                                    "\"line\"",
                                    "\"message\"",
                                    "\"occurrence\"",
                                    "null",
                                    "true",
                                    "1e9",
                                    "-1",
                                    "4294967296",
                                    "\\u0000",
                                    "\\ud800",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    ":",
                                    "\"",
                                    "\xff",
                                    NULL};

const struct fuzz_target fuzz_target = {"baseline", 16, seed, repair, words, true};

/* Fuzzes .miscast.yaml: any text is parsed, or rejected with a location; a parsed configuration can
 * be asked which rules are on and which files are included. */
#include <stdlib.h>
#include <string.h>

#include "frontends/driver/config/config.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_loaded;

static void ask(const struct config *c)
{
    static const char *const files[] = {"/a/b/model.c", "tests/x.c", "/", "third_party/y/z.h"};
    bool selected[RULE_COUNT];
    config_select(c, selected);
    for (int i = 0; i < COUNT(files); i++) {
        config_excludes(c, files[i]);
        config_ignores(c, files[i], &rules[i * 7 % RULE_COUNT]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {0};
    struct config c = {.fail_on = SEVERITY_WARNING};
    struct arena *a = arena_new();
    bool loaded = config_read(a, fuzz_file(data, size), &c, &e);
    if (loaded == (e.message[0] != '\0') || (!loaded && e.line < 1))
        abort(); /* settings, or an error with its place */
    if (loaded)
        ask(&c);
    fuzz_loaded += loaded && size > 0;
    arena_free(a);
    return 0;
}

/* ---- valid inputs --------------------------------------------------------------------------- */

static const char *const parts[] = {
    "# settings\nselect: [dtype, MC1, matmul-dtype]\n",
    "ignore: half-sum\n",
    "extend-select:\n- all\n- \"MC2\"\n",
    "per-file-ignores:\n  'tests/*': [dtype-mismatch]\n  \"*.h\": all\n",
    "packs: &some [mine.yaml, text]\nexclude: *some\n",
    "format:\n- text\n- sarif=out.sarif\n",
    "database: build\nbaseline: >-\n  known.json\n",
    "fail-on: error\n",
};

static size_t seed(size_t which, uint8_t *to, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t length = strlen(parts[i]);
        if (!((which + 1) >> i & 1) || used + length > room)
            continue;
        memcpy(to + used, parts[i], length);
        used += length;
    }
    return used;
}

static void repair(uint8_t *data, size_t size)
{
    (void)data, (void)size;
}

static const char *const words[] = {"select: ",
                                    "ignore: ",
                                    "exclude: ",
                                    "per-file-ignores: ",
                                    "format: ",
                                    "fail-on: ",
                                    "all",
                                    "dtype",
                                    "MC101",
                                    "MC",
                                    "matmul-dtype",
                                    "text",
                                    "json=x",
                                    "warning",
                                    "- ",
                                    "  ",
                                    ": ",
                                    "[",
                                    "]",
                                    "{",
                                    "}",
                                    "&a ",
                                    "*a",
                                    "<<: ",
                                    "? ",
                                    "!!str ",
                                    "!x ",
                                    "|\n  ",
                                    ">-\n  ",
                                    "---\n",
                                    "...\n",
                                    "%YAML 1.1\n",
                                    "\"",
                                    "'",
                                    "\\x00",
                                    "\\u2028",
                                    "~",
                                    "\xef\xbb\xbf",
                                    "\xff\xfe",
                                    "**/",
                                    "[!a-",
                                    "#",
                                    NULL};

const struct fuzz_target fuzz_target = {"config", 255, seed, repair, words, true};

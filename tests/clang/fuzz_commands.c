/* Fuzzes compile_commands.json: any text is parsed or rejected; and every parsed command yields a
 * file, a folder and flags. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/clang/database.h"
#include "tests/fuzz/fuzz.h"

unsigned long fuzz_loaded;

static struct clang *library;
static char folder[] = "/tmp/fuzz_commands.XXXXXX";

static const char *file_name(void)
{
    static char path[sizeof folder + 32];
    snprintf(path, sizeof path, "%s/compile_commands.json", folder);
    return path;
}

static void clean_up(void)
{
    remove(file_name());
    remove(folder);
}

static void begin(void)
{
    struct error e = {0};
    if (library)
        return;
    library = clang_open(&e);
    if (!library || !mkdtemp(folder) || atexit(clean_up))
        abort();
}

static void write_file(const uint8_t *data, size_t size)
{
    FILE *out = fopen(file_name(), "wb");
    if (!out || fwrite(data, 1, size, out) != size || fclose(out))
        abort();
}

static void ask(const struct database *d)
{
    struct arena *a = arena_new();
    int count = 0;
    const struct compile *all = database_all(d, a, &count);
    for (int i = 0; i < count; i++)
        if (!all[i].file || !all[i].directory || all[i].file[0] != '/')
            abort();
    database_compile(d, a, "/a/b/model.c");
    database_compile(d, a, "include/x.h");
    arena_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {0};
    struct database *d = NULL;
    begin();
    write_file(data, size);
    bool loaded = database_read(&d, library, file_name(), &e);
    if (loaded == (e.message[0] != '\0') || loaded != (d != NULL))
        abort();
    if (d)
        ask(d);
    database_close(d);
    fuzz_loaded += loaded;
    return 0;
}

/* ---- valid inputs --------------------------------------------------------------------------- */

static const char *const entries[] = {
    "{\"directory\": \"/a/b\", \"file\": \"model.c\", \"command\": \"cc -I. -DX=\\\"1 2\\\" "
    "-std=c17 -o model.o -c model.c\"}",
    "{\"directory\": \"/a\", \"file\": \"/a/b/x.c\", \"arguments\": [\"clang-19\", \"-isystem\", "
    "\"../inc\", \"-fplugin=x.so\", \"--\", \"x.c\"], \"output\": \"x.o\"}",
    "{\"file\": \"y.c\", \"arguments\": [\"ccache\", \"gcc\", \"-Wa,-x\", \"-include\", \"c.h\", "
    "\"-mabi=lp64\", \"y.c\"], \"directory\": \".\"}",
    "{\"directory\": \"/a\", \"command\": \"cl.exe /c z.c @none.rsp\", \"file\": \"z.c\"}",
};

static size_t seed(size_t which, uint8_t *to, size_t room)
{
    size_t n = (size_t)snprintf((char *)to, room, "[");
    for (size_t i = 0; i < which % 3; i++)
        n += (size_t)snprintf((char *)to + n, room - n, "%s%s", i ? ",\n" : "",
                              entries[(which / 3 + i) % (sizeof entries / sizeof entries[0])]);
    return n + (size_t)snprintf((char *)to + n, room - n, "]\n");
}

static void repair(uint8_t *data, size_t size)
{
    (void)data, (void)size;
}

static const char *const words[] = {"\"directory\"",
                                    "\"file\"",
                                    "\"command\"",
                                    "\"arguments\"",
                                    "\"output\"",
                                    "-I",
                                    "-D",
                                    "-include",
                                    "-Xclang ",
                                    "-load ",
                                    "-fplugin=x",
                                    "-working-directory",
                                    "--sysroot=",
                                    "-x ",
                                    "@x",
                                    "--",
                                    "\\\"",
                                    "\\\\",
                                    "\\u0000",
                                    "\\ud83d",
                                    "\"\"",
                                    "[",
                                    "]",
                                    "{",
                                    "}",
                                    ",",
                                    ":",
                                    "'",
                                    "..",
                                    "\xef\xbb\xbf",
                                    "\xff",
                                    NULL};

const struct fuzz_target fuzz_target = {"commands", 12, seed, repair, words, true};

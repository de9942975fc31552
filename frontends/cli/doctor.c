/* miscast doctor: what miscast finds on this machine and for this file. */
#include "frontends/cli/cli.h"

#include "frontends/driver/process/runtime_files.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

struct library {
    const char *what;
    const char *names[5];
};

/* A program would get the first of a row that can be loaded. */
static const struct library libraries[] = {
    {"BLAS", {"libopenblas.so.0", "libcblas.so.3", "libblas.so.3"}},
    {"CUDA driver", {"libcuda.so.1"}},
};

static void say(const char *what, const char *is)
{
    print_shown(stdout, "%-14s %s\n", what, is);
}

static void say_libraries(void)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        const char *found = NULL;
        for (int k = 0; k < 5 && libraries[i].names[k] && !found; k++) {
            void *handle = dlopen(libraries[i].names[k], RTLD_LAZY | RTLD_LOCAL);
            found = handle ? libraries[i].names[k] : NULL;
            if (handle)
                dlclose(handle);
        }
        say(libraries[i].what, found ? found : "not found");
    }
}

/* Which device cuda is for programs that are run: the GPU module describes it. */
static void say_gpu(struct arena *a, const char *runtime_library)
{
    const char *slash = strrchr(runtime_library, '/');
    int folder = slash ? (int)(slash + 1 - runtime_library) : 0;
    const char *module = arena_printf(a, "%.*slibmiscast-cuda.so", folder, runtime_library);
    if (access(module, F_OK))
        module = arena_printf(a, "%.*smiscast/libmiscast-cuda.so", folder, runtime_library);
    void *handle = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    const char *why = handle || access(module, F_OK) ? NULL : dlerror();
    if (!handle && !why)
        handle = dlopen("libmiscast-cuda.so", RTLD_NOW | RTLD_LOCAL);
    bool (*describe)(char *, size_t) = NULL;
    if (handle)
        *(void **)&describe = dlsym(handle, "miscast_cuda_describe");
    char text[512];
    if (why)
        say("GPU", arena_printf(a, "cuda is simulated: %s", why));
    else if (!describe)
        say("GPU", "cuda is simulated: the module libmiscast-cuda.so is not installed");
    else if (describe(text, sizeof text))
        say("GPU", text);
    else
        say("GPU", arena_printf(a, "cuda is simulated: %s", text));
}

static void say_runtime(struct arena *a)
{
    struct runtime_place r;
    struct error e = {0};
    bool found = runtime_find(a, &r, &e);
    say("runtime", found ? r.library : e.message);
    if (found)
        say_gpu(a, r.library);
}

static void say_packs(const struct config *c, struct arena *a)
{
    struct error unread;
    text_list files = {0};
    installed_pack_files(a, &files, &unread);
    print_shown(stdout, "%-14s %s:", "packs", installed_packs(a));
    for (int i = 0; i < files.count; i++)
        print_shown(stdout, " %s", strrchr(files.items[i], '/') + 1);
    puts(files.count ? "" : " none, and nothing is known of any function");
    for (int i = 0; i < c->packs.count; i++)
        say("", c->packs.items[i]);
}

static void say_flags(const struct database *d, struct arena *a, const char *file)
{
    const struct frontend_flags *flags = frontend_of(LANGUAGE_C)->flags;
    struct compile how = flags->of_file(d, a, file);
    flags->headers_add(flags->headers_new(a, installed_headers(a)), &how);
    print_shown(stdout, "%-14s", "flags");
    for (int i = 0; i < how.flag_count; i++)
        print_shown(stdout, " %s", how.flags[i]);
    if (how.foreign + how.refused)
        printf(" (%d left out)", how.foreign + how.refused);
    puts(how.found ? "" : how.flag_count ? " (defaults)" : " none (defaults)");
}

static void say_database(const struct options *o, const struct config *c, struct arena *a,
                         const void *parser)
{
    const struct frontend_flags *flags = frontend_of(LANGUAGE_C)->flags;
    const char *path = NULL;
    struct database *d = NULL;
    struct error e = {0};
    int count = 0;
    const char *file = o->operands.count ? o->operands.items[0] : "main.c";
    if (!flags->find(a, c->database, file, &path, &e) ||
        (path && !flags->read(&d, parser, path, &e))) {
        say("database", e.message);
        return;
    }
    if (d && !flags->lists_files(d)) {
        say("database", arena_printf(a, "%s, for all files", path));
    } else if (d) {
        flags->all(d, a, &count);
        print_shown(stdout, "%-14s %s, %d file%s\n", "database", path, count,
                    count == 1 ? "" : "s");
    } else
        say("database", "none: compile_commands.json and compile_flags.txt are looked for upward");
    say_flags(d, a, file);
    flags->close(d);
}

/* Its grammar is part of the program, or it was built without one. */
static void say_python(const struct config *c, struct arena *a)
{
    const struct frontend *python = frontend_of(LANGUAGE_PYTHON);
    struct error e = {0};
    void *parser = python->open(&e);
    say("Python", parser ? python->version(parser) : e.message);
    if (parser)
        python->close(parser);
    say("PyTorch", check_interpreter_text(a, c));
}

static enum exit_code doctor_run(const struct options *o)
{
    struct arena *a = arena_new();
    struct error e = {0};
    struct config c;
    enum exit_code code = EXIT_CLEAN;
    if (o->operands.count && access(o->operands.items[0], F_OK)) {
        error_at(&e, o->operands.items[0], 0, 0, "%s", strerror(errno));
        arena_free(a);
        return say_error(&e);
    }
    say("miscast", MISCAST_VERSION);
    if (config_find(a, &o->request, o->operands.count ? o->operands.items[0] : ".", &c, &e))
        say("configuration", c.path ? c.path : "none: the defaults");
    else
        code = say_error(&e);
    const struct frontend *frontend = frontend_of(LANGUAGE_C);
    void *parser = frontend->open(&e);
    say("libclang", parser ? frontend->version(parser) : e.message);
    if (parser) {
        say_database(o, &c, a, parser);
        frontend->close(parser);
    } else
        code = EXIT_TROUBLE;
    say_python(&c, a);
    say_packs(&c, a);
    say_libraries();
    say_runtime(a);
    say("sandbox", check_containment_text(a));
    arena_free(a);
    return code;
}

const struct command doctor_command = {
    .name = "doctor",
    .task = TASK_SETUP,
    .operands = "[FILE]",
    .summary =
        "Shows what miscast finds here: database, flags, parsers, packs, BLAS, CUDA, sandbox.",
    .options = CONFIG_OPTIONS | OPT(DATABASE) | OPT(PACK),
    .least = 0,
    .most = 1,
    .run = doctor_run,
    .more = "",
};

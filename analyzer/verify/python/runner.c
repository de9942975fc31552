/* The runner of Python: its functions, and how a program is started. */
#include "analyzer/verify/python/private.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what a run depends on --------------------------------------------------------------------
 */

static void unit_files(struct verifier *v, const struct verify_unit *u, text_list *out)
{
    LIST_ADD(v->arena, out, path_real(v, NULL, u->file));
}

/* A module or a package. */
static int is_module(const struct dirent *d)
{
    return path_ends_in(d->d_name, ".py") || !strpbrk(d->d_name, "._");
}

static uint64_t hash_modules(struct verifier *v, const char *folder, uint64_t h)
{
    struct dirent **files = NULL;
    int count = scandir(folder, &files, is_module, alphasort);
    for (int i = 0; i < count; i++) {
        const char *path = arena_printf(v->arena, "%s/%s", folder, files[i]->d_name);
        bool is_package = !path_ends_in(path, ".py");
        const struct source *s = is_package ? NULL : sources_get(v->sources, path);
        h = is_package ? hash_modules(v, path, h) : s ? hash_bytes(s->text, s->length, h) : h;
        free(files[i]);
    }
    free(files);
    return h;
}

static uint64_t hash_tools(struct verifier *v, uint64_t h)
{
    const struct interpreter *i = &python_tools(v)->interpreter;
    const char *words[] = {i->path, i->version, i->torch};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        h = hash_bytes(words[k], strlen(words[k]) + 1, h);
    return hash_modules(v, python_tools(v)->watcher, h);
}

/* ---- starting ---------------------------------------------------------------------------------
 */

static struct build *build(struct verifier *v, const struct build_plan *plan, struct build_error *e)
{
    struct build *b = arena_one(v->arena, struct build);
    *b = (struct build){.program = plan->program,
                        .plan = plan_write(v, plan, &e->error),
                        .function = plan->function};
    return b->plan ? b : NULL;
}

static const char *const *environment_of(struct verifier *v, const struct launch *l,
                                         const char *room)
{
    return python_environment(v->arena, l, room);
}

/* Every interpreter of the command imports what is in the first folder of its path. */
static const char *const *command_variables(struct verifier *v, const finding_list *findings)
{
    static const char *const passed_on[] = {"VIRTUAL_ENV", "CONDA_PREFIX"};
    struct program *all = arena_one(v->arena, struct program);
    struct error e = {0};
    text_list words = {0};
    for (int i = 0; i < v->in->unit_count; i++)
        LIST_ADD(v->arena, &all->units, &v->in->units[i]);
    const struct build_plan plan = {.program = all, .judged = findings};
    const char *file = plan_write(v, &plan, &e), *before = getenv("PYTHONPATH");
    pass_variables(v->arena, passed_on, COUNT(passed_on), &words);
    LIST_ADD(v->arena, &words,
             arena_printf(v->arena, "PYTHONPATH=%s/inject%s%s", python_tools(v)->watcher,
                          before && *before ? ":" : "", before ? before : ""));
    LIST_ADD(v->arena, &words, "PYTHONDONTWRITEBYTECODE=1");
    if (file)
        LIST_ADD(v->arena, &words, arena_printf(v->arena, "MISCAST_VERIFY=%s", file));
    LIST_ADD(v->arena, &words, NULL);
    return words.items;
}

static struct process process_of(struct verifier *v, const struct build *b, const struct launch *l,
                                 const char *room)
{
    const struct python_tools *tools = python_tools(v);
    text_list argv = {0};
    LIST_ADD(v->arena, &argv, tools->interpreter.path);
    LIST_ADD(v->arena, &argv, "-I");
    LIST_ADD(v->arena, &argv, "-B");
    LIST_ADD(v->arena, &argv, arena_printf(v->arena, "%s/__main__.py", tools->watcher));
    LIST_ADD(v->arena, &argv, b->plan);
    LIST_ADD(v->arena, &argv, path_real(v, NULL, b->program->entry->file));
    for (const char *const *a = l->arguments; *a; a++)
        LIST_ADD(v->arena, &argv, *a);
    LIST_ADD(v->arena, &argv, NULL);
    return (struct process){
        .argv = argv.items,
        .environment = environment_of(v, l, room),
        .label = b->function ? arena_printf(v->arena, "%s()", b->function)
                             : launch_label(v->arena, path_last(b->program->entry->file), l)};
}

/* The rules are those of PyTorch 2.11; from 2.0 on few differ. */
static const char *differs(const struct verifier *v, const struct run *r)
{
    const char *torch = r->version ? r->version : python_tools(v)->interpreter.torch;
    return strtol(torch, NULL, 10) < 2
               ? arena_printf(v->arena, "PyTorch %s, while the finding is about 2.11", torch)
               : NULL;
}

static const char *unseen(const struct pack_function *callee)
{
    return !strcmp(pack_of(callee), "numpy") ? "operations of NumPy are not observed" : NULL;
}

const struct runner python_runner = {
    .library = "PyTorch",
    .start = "(init)",
    .language = &language_python,
    .is_dynamic = true,
    .measures_always = true,
    .shadows = true,
    .seals_digest = true,
    .makes_up_types = true,
    .start_ms = 30000, /* importing torch */
    .state_new = python_state_new,
    .state_free = python_state_free,
    .execute = python_execute,
    .is_entry = python_is_entry,
    .program_of = python_program_of,
    .unit_files = unit_files,
    .hash_tools = hash_tools,
    .choices_of = python_choices_of,
    .build = build,
    .process_of = process_of,
    .environment_of = environment_of,
    .command_variables = command_variables,
    .inputs_for = python_inputs_for,
    .inputs_next = python_inputs_next,
    .error_kind = python_error_kind,
    .differs = differs,
    .unseen = unseen,
    .bundle_case = python_bundle_case,
    .bundle_close = python_bundle_close,
    .bundle_build = python_bundle_build,
};

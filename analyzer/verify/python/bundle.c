/* Bundles of Python programs (bundle.h): a case gets the files of its program, its plan and how it
 * is started, with paths below {source}; the bundle gets the package that watches programs, and
 * run.py. Nothing else than Python and PyTorch is needed where it is run. */
#include "analyzer/verify/bundle.h"
#include "analyzer/verify/python/private.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders of a case, which run.py fills in. */
#define SOURCE "{source}"
#define ROOM   "{room}"
#define CASE   "{case}"

static const char run_py[] =
    "\"\"\"python3 run.py [--device cuda] [--jobs N] [--only WORD] [--timeout SECONDS]\n"
    "\n"
    "Runs all cases of this folder with PyTorch, and writes what happened into each: "
    "verdict.json.\n"
    "Cuda is simulated unless --device cuda is given. Nothing contains the programs.\n"
    "\"\"\"\n"
    "import os\n"
    "import sys\n"
    "\n"
    "here = os.path.dirname(os.path.abspath(__file__))\n"
    "main = os.path.join(here, \"watcher\", \"__main__.py\")\n"
    "os.execv(sys.executable, [sys.executable, \"-I\", \"-B\", main, \"--cases\", here] + "
    "sys.argv[1:])\n";

/* ---- paths ------------------------------------------------------------------------------------
 */

/* A path of the project, as it is in a case; other texts as they are. */
static const char *placed(struct verifier *v, const char *text)
{
    if (*text != '/')
        return text;
    return !strcmp(text, v->in->root) ? SOURCE
                                      : arena_printf(v->arena, SOURCE "/%s", bundle_place(v, text));
}

/* A copy with all paths placed, those that are keys among them. */
static json_t *placed_json(struct verifier *v, const json_t *from)
{
    const char *key;
    json_t *value;
    if (json_is_string(from))
        return json_string(placed(v, json_string_value(from)));
    if (json_is_array(from)) {
        json_t *out = json_array();
        for (size_t i = 0; i < json_array_size(from); i++)
            json_array_append_new(out, placed_json(v, json_array_get(from, i)));
        return out;
    }
    if (!json_is_object(from))
        return json_deep_copy(from);
    json_t *out = json_object();
    json_object_foreach((json_t *)(uintptr_t)from, key, value)
        json_object_set_new(out, placed(v, key), placed_json(v, value));
    return out;
}

static bool write_json(struct verifier *v, const char *folder, const char *name, json_t *o,
                       struct error *e)
{
    char *text = json_dumps(o, JSON_COMPACT);
    bool ok = text &&
              bundle_write(v, arena_printf(v->arena, "%s/%s", folder, name), text, strlen(text), e);
    free(text);
    json_decref(o);
    return ok;
}

/* ---- files ------------------------------------------------------------------------------------
 */

static bool copy_file(struct verifier *v, const char *from, const char *to, struct error *e)
{
    size_t length;
    const char *text = file_read(v->arena, from, &length, e);
    return text && bundle_write(v, to, text, length, e);
}

static bool copy_source(struct verifier *v, const char *folder, const char *real, struct error *e)
{
    return copy_file(v, real, arena_printf(v->arena, "%s/source/%s", folder, bundle_place(v, real)),
                     e);
}

/* The packages that a file is in: without these its imports may fail. */
static bool copy_packages(struct verifier *v, const char *folder, const char *real, struct error *e)
{
    char *path = arena_printf(v->arena, "%s", real);
    for (char *slash; (slash = strrchr(path, '/')) && slash != path;) {
        *slash = '\0';
        const char *init = arena_printf(v->arena, "%s/__init__.py", path);
        if (access(init, R_OK))
            return true;
        if (!copy_source(v, folder, init, e))
            return false;
    }
    return true;
}

static bool copy_program(struct verifier *v, const char *folder, const struct program *p,
                         struct error *e)
{
    bool ok = true;
    for (int i = 0; i < p->units.count && ok; i++) {
        const char *real = path_real(v, NULL, p->units.items[i]->file);
        ok = p->units.items[i]->unit->module ||
             (copy_source(v, folder, real, e) && copy_packages(v, folder, real, e));
    }
    return ok;
}

/* ---- a case -----------------------------------------------------------------------------------
 */

static json_t *words_of(struct verifier *v, const struct build *b, const struct launch *l)
{
    json_t *words = json_array();
    for (const char *const *w = l->arguments; *w; w++) {
        json_t *target = b->function ? json_loads(*w, 0, NULL) : NULL;
        json_t *here = target ? placed_json(v, target) : NULL;
        char *text = here ? json_dumps(here, JSON_COMPACT) : NULL;
        json_array_append_new(words, json_string(text ? text : *w));
        free(text);
        json_decref(here);
        json_decref(target);
    }
    return words;
}

/* The machine's own variables stay its own. */
static json_t *variables_of(struct verifier *v, const struct launch *l)
{
    static const char *const own[] = {"PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH"};
    json_t *out = json_object();
    for (const char *const *w = python_environment(v->arena, l, ROOM); *w; w++) {
        const char *is = strchr(*w, '='),
                   *name = is ? arena_text(v->arena, *w, (size_t)(is - *w)) : NULL;
        bool is_own = !name;
        for (int i = 0; i < COUNT(own) && !is_own; i++)
            is_own = !strcmp(name, own[i]);
        if (!is_own)
            json_object_set_new(out, name, json_string(is + 1));
    }
    return out;
}

static bool write_plan(struct verifier *v, const char *folder, const struct build *b,
                       struct error *e)
{
    size_t length;
    const char *text = file_read(v->arena, b->plan, &length, e);
    json_t *plan = text ? json_loadb(text, length, 0, NULL) : NULL;
    bool ok = plan && write_json(v, folder, "plan.json", placed_json(v, plan), e);
    json_decref(plan);
    return ok;
}

bool python_bundle_case(struct verifier *v, const char *folder, const char *name,
                        const struct build *b, const struct launch *l, struct error *e)
{
    (void)name;
    const struct verify_unit *entry = b->program->entry;
    const char *where = l->in_room         ? ROOM
                        : l->folder        ? CASE "/files"
                        : entry->directory ? placed(v, path_real(v, NULL, entry->directory))
                                           : SOURCE;
    json_t *how = json_pack("{s:s,s:o,s:o,s:s,s:s,s:b}", "program",
                            placed(v, path_real(v, NULL, entry->file)), "words", words_of(v, b, l),
                            "environment", variables_of(v, l), "cwd", where, "input",
                            l->input ? CASE "/files/stdin" : "", "shadow", l->shadows);
    return write_json(v, folder, "case.json", how, e) && write_plan(v, folder, b, e) &&
           copy_program(v, folder, b->program, e) && bundle_write_files(v, folder, l, e);
}

/* ---- what all cases share ---------------------------------------------------------------------
 */

static int is_source(const struct dirent *d)
{
    return path_ends_in(d->d_name, ".py") || !strpbrk(d->d_name, "._");
}

static bool copy_package(struct verifier *v, const char *from, const char *to, struct error *e)
{
    struct dirent **files = NULL;
    int count = scandir(from, &files, is_source, alphasort);
    bool ok = count >= 0 || error_set(e, "%s cannot be read", from);
    for (int i = 0; i < count; i++) {
        const char *path = arena_printf(v->arena, "%s/%s", from, files[i]->d_name);
        const char *copy = arena_printf(v->arena, "%s/%s", to, files[i]->d_name);
        if (ok)
            ok = path_ends_in(path, ".py") ? copy_file(v, path, copy, e)
                                           : copy_package(v, path, copy, e);
        free(files[i]);
    }
    free(files);
    return ok;
}

bool python_bundle_close(struct verifier *v, struct error *e)
{
    return copy_package(v, python_tools(v)->watcher,
                        arena_printf(v->arena, "%s/watcher", v->in->emit), e) &&
           bundle_write(v, arena_printf(v->arena, "%s/run.py", v->in->emit), run_py,
                        sizeof run_py - 1, e);
}

struct build *python_bundle_build(struct verifier *v, const char *name)
{
    (void)name;
    return arena_one(v->arena, struct build);
}

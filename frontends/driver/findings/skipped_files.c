/* What a check did not read although it is in the same place: files in other languages, programs
 * that import what the user named, and, without a database, files next to that. A bug that involves
 * two files is not found in one of them. */
#include "frontends/driver/findings/findings.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- nothing at all ------------------------------------------------------------------------- */

static const char *where(const struct checking *c)
{
    const text_list *paths = &c->request->paths;
    return paths->count == 1
               ? arena_printf(c->arena, "below %s", shell_word(c->arena, paths->items[0]))
           : paths->count ? "there"
                          : "here";
}

void skipped_say_nothing(const struct checking *c)
{
    const char *languages = frontend_of(LANGUAGE_PYTHON)->missing ? "C or C++" : "C, C++ or Python";
    print_shown(stderr, "miscast: nothing to check: no %s file is %s", languages, where(c));
    if (c->config.exclude.count)
        fputs(" that is not excluded", stderr);
    unread_say(&c->project);
    fputc('\n', stderr);
}

/* ---- files beside --------------------------------------------------------------------------- */

struct beside {
    struct project *project;
    const struct config *config; /* NULL: nothing is excluded */
    int count, folders;
    const char *first, *folder; /* NULL: none yet */
};

static int is_shown_unit(const struct dirent *d)
{
    return strrchr(d->d_name, '.') != d->d_name && is_unit_file(d->d_name) &&
           !frontend_of(file_language(d->d_name))->is_dynamic;
}

static bool is_read(struct project *p, const char *file)
{
    for (int i = 0; i < p->inputs.count; i++)
        if (p->inputs.items[i].file == file)
            return true;
    return false;
}

static void look_beside(struct beside *b, const char *folder)
{
    struct project *p = b->project;
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_shown_unit, alphasort), before = b->count;
    for (int i = 0; i < n; i++) {
        const char *path = arena_printf(p->arena, "%s/%s", folder, entries[i]->d_name);
        const char *file = project_shown(p, name_of(p->names, path));
        free(entries[i]);
        if (is_read(p, file) || (b->config && config_excludes(b->config, file)))
            continue;
        b->first = b->count++ ? b->first : file;
    }
    free(entries);
    if (b->count == before)
        return;
    b->folder = b->folders++ ? b->folder : folder;
}

static const char *folder_of(struct project *p, const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? name_of_range(p->names, file, (size_t)(slash - file)) : name_of(p->names, ".");
}

/* Editors that pass standard input check again and again: the note would be in the way. */
static bool is_of_use(const struct project *p)
{
    const struct request *request = p->request;
    return !p->linked && !p->summaries && !request->unsaved && !request->touched.count &&
           !request->overlay && !request->session;
}

static void say(const struct beside *b)
{
    struct arena *a = b->project->arena;
    const struct request *request = b->project->request;
    const char *first = shell_word(a, b->first);
    if (b->count == 1)
        print_shown(stderr,
                    "miscast: note: %s is next to the checked files and was not read: ", first);
    else
        print_shown(stderr,
                    "miscast: note: %d files next to the checked files were not read, such as %s: ",
                    b->count, b->first);
    if (!request->takes_folders)
        fputs("the program is the named files\n", stderr);
    else if (b->folders == 1)
        print_shown(stderr, "'miscast %s %s' treats all of them as one program\n", request->command,
                    shell_word(a, b->folder));
    else
        fputs("name their folders instead to treat all of them as one program\n", stderr);
}

static void look_beside_named(struct beside *b)
{
    struct project *p = b->project;
    struct map *seen = map_new(p->arena);
    for (int i = 0; i < p->asked.count; i++) {
        const char *file = p->asked.items[i], *folder = folder_of(p, file);
        bool is_found = !p->summaries && map_get(p->found, (uint64_t)(uintptr_t)file);
        const struct frontend *of = frontend_of(file_language(file));
        bool is_one_of_many = of->is_looked_for && !of->is_dynamic; /* it names what it imports */
        if (is_found || !is_one_of_many || map_get(seen, (uint64_t)(uintptr_t)folder))
            continue;
        map_put(seen, (uint64_t)(uintptr_t)folder, p);
        look_beside(b, folder);
    }
}

bool skipped_is_adjacent(struct project *p, const struct config *config, const char *file)
{
    struct beside b = {.project = p, .config = config};
    if (file)
        look_beside(&b, folder_of(p, file));
    else
        look_beside_named(&b);
    return b.count;
}

/* ---- programs ------------------------------------------------------------------------------- */

enum { MOST_NAMED = 16 }; /* whoever names more names the programs, too */

static bool is_named(struct project *p, const char *file)
{
    for (int i = 0; i < p->imported.count; i++)
        if (p->imported.items[i] == file)
            return false;
    return !map_get(p->found, (uint64_t)(uintptr_t)file);
}

/* Files in a dynamic language that were named, not found below a folder or imported. */
static text_list named_modules(struct project *p)
{
    text_list named = {0};
    for (int i = 0; i < p->asked.count && !p->summaries; i++) {
        const char *file = p->asked.items[i];
        if (frontend_of(file_language(file))->is_dynamic && is_named(p, file))
            LIST_ADD(p->arena, &named, path_absolute(p->arena, p->here, file));
    }
    return named;
}

/* The programs that import them and were not read. */
static text_list programs_not_read(struct project *p, const struct config *config)
{
    text_list named = named_modules(p), left = {0};
    if (!named.count || named.count > MOST_NAMED || !*p->here)
        return left;
    text_list programs = importers_of(p->arena, p->here, &named);
    for (int i = 0; i < programs.count; i++) {
        const char *file = project_shown(p, name_of(p->names, programs.items[i]));
        if (!is_read(p, file) && !(config && config_excludes(config, file)))
            LIST_ADD(p->arena, &left, file);
    }
    return left;
}

static void say_programs(struct project *p, const text_list *programs)
{
    const char *first = shell_word(p->arena, programs->items[0]);
    if (programs->count == 1)
        print_shown(stderr,
                    "miscast: note: %s imports what was named and was not read: name it, too, or "
                    "its folder, to check what it passes\n",
                    first);
    else
        print_shown(stderr,
                    "miscast: note: %d files import what was named and were not read, such as %s: "
                    "name them, too, or their folder, to check what they pass\n",
                    programs->count, first);
}

text_list skipped_decide_nothing(struct checking *c)
{
    struct project *p = &c->project;
    bool in_programs = programs_not_read(p, &c->config).count;
    bool beside = !p->linked && skipped_is_adjacent(p, &c->config, NULL);
    text_list judged = {0};
    for (int i = 0; i < p->asked.count; i++) {
        const char *file = p->asked.items[i];
        if (!(frontend_of(file_language(file))->is_dynamic ? in_programs : beside))
            LIST_ADD(c->arena, &judged, file);
    }
    return judged;
}

void skipped_say_adjacent(struct project *p, const struct config *config)
{
    struct beside b = {.project = p, .config = config};
    text_list programs = {0};
    if (is_of_use(p)) {
        look_beside_named(&b);
        programs = programs_not_read(p, config);
    }
    fflush(stdout);
    if (b.count)
        say(&b);
    if (programs.count)
        say_programs(p, &programs);
}

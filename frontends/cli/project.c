/* From files to facts: the pipeline, a stage a function. Files the user names come in; a project
 * goes out, with its units, and what was inferred of them. Which thread lowers which file makes no
 * difference: units are in the order of their names. */
#include "frontends/cli/parts.h"
#include "frontends/cli/terminal.h"

#include "frontends/clang/clang.h"
#include "frontends/cli/session.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- paths ---------------------------------------------------------------------------------- */

/* NULL: there is no such file. */
static const char *ask_real_path(struct project *p, const char *path)
{
    char *real = realpath(path, NULL);
    const char *known = real ? name_of(p->names, real) : NULL;
    free(real);
    return known;
}

static const char *real_path(struct project *p, const char *path);

/* Of a file that is no link: only the folder has to be followed. */
static const char *follow_folder(struct project *p, const char *full)
{
    const char *slash = strrchr(full, '/');
    const char *folder = name_of_range(p->names, full, (size_t)(slash - full));
    const char *real = real_path(p, folder);
    return name_of(p->names, arena_printf(p->arena, "%s%s", real[1] ? real : "", slash));
}

static bool is_plain(const char *full)
{
    const char *slash = strrchr(full, '/');
    return slash && slash > full && slash[1] && slash[1] != '.';
}

/* Most files of a folder are what they are called. */
static const char *find_real_path(struct project *p, const char *full)
{
    char target[2];
    if (!is_plain(full) || readlink(full, target, sizeof target) >= 0 || errno != EINVAL)
        return ask_real_path(p, full);
    return follow_folder(p, full);
}

static const char *remember_path(struct project *p, const char *path, const char *real)
{
    map_put(p->real_paths, (uint64_t)(uintptr_t)path, (void *)(uintptr_t)real);
    return real;
}

static const char *full_path(struct project *p, const char *path)
{
    return name_of(p->names, *path == '/' ? path : arena_printf(p->arena, "%s/%s", p->here, path));
}

/* By where the name lies, then by the name. */
static const char *real_path(struct project *p, const char *path)
{
    const char *known = map_get(p->real_paths, (uint64_t)(uintptr_t)path);
    if (known)
        return known;
    const char *full = full_path(p, path);
    known = map_get(p->real_paths, (uint64_t)(uintptr_t)full);
    if (!known && (known = find_real_path(p, full)))
        remember_path(p, full, known);
    return remember_path(p, path, known ? known : full);
}

bool project_same_file(struct project *p, const char *a, const char *b)
{
    return a && b && (a == b || real_path(p, a) == real_path(p, b));
}

const char *project_real(struct project *p, const char *path)
{
    return real_path(p, name_of(p->names, path));
}

/* As the user would name it: below the current directory by a relative path. */
const char *project_shown(struct project *p, const char *path)
{
    const char *real = real_path(p, path);
    size_t n = strlen(p->here);
    if (n > 1 && !strncmp(real, p->here, n) && real[n] == '/')
        return name_of(p->names, real + n + 1);
    return real;
}

const struct source *project_source(struct project *p, const char *path)
{
    return sources_get(p->sources, real_path(p, path));
}

const char *project_text(struct project *p, const struct span *span, int columns)
{
    const struct source *s = span->line ? project_source(p, span->file) : NULL;
    return s ? text_cut(p->arena, source_text(p->arena, s, span), columns) : "?";
}

const char *project_condition(struct project *p, const struct condition *c, int columns)
{
    return condition_text(p->arena, c, project_text(p, &c->span, columns));
}

/* ---- which files ---------------------------------------------------------------------------- */

static int compare_texts(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static bool is_readable(const char *file, struct error *e)
{
    struct stat st;
    if (!*file)
        return error_set(e, "the name of a file is empty");
    if (stat(file, &st) || access(file, R_OK))
        return error_at(e, file, 0, 0, "%s", strerror(errno));
    return S_ISDIR(st.st_mode) ? error_at(e, file, 0, 0, "is a folder, not a file") : true;
}

/* By the name it is shown by, and by its real path. */
static void take_text(struct project *p, const char *path, const char *text, size_t length)
{
    struct overlaid o = {real_path(p, path), text, length};
    sources_put(p->sources, project_shown(p, path), text, length);
    sources_put(p->sources, o.path, text, length);
    LIST_ADD(p->arena, &p->overlay.files, o);
}

static void take_overlay(struct project *p)
{
    const struct options *o = p->options;
    for (int i = 0; o->overlay && i < o->overlay->files.count; i++) {
        const struct overlaid *f = &o->overlay->files.items[i];
        take_text(p, f->path, f->text, f->length);
    }
    if (!o->unsaved)
        return;
    p->unsaved = project_shown(p, o->stdin_filename);
    take_text(p, p->unsaved, o->unsaved, o->unsaved_length);
}

static bool is_overlaid(struct project *p, const char *file)
{
    return p->overlay.files.count && overlay_find(&p->overlay, real_path(p, file));
}

static void ask_for(struct project *p, const char *path, void *as_found)
{
    const char *file = project_shown(p, path);
    map_put(p->found, (uint64_t)(uintptr_t)file, as_found);
    LIST_ADD(p->arena, &p->asked, file);
}

/* Sorted, each once. */
static void settle_asked(struct project *p)
{
    int kept = 0;
    if (!p->asked.count)
        return;
    qsort(p->asked.items, (size_t)p->asked.count, sizeof *p->asked.items, compare_texts);
    for (int i = 0; i < p->asked.count; i++)
        if (!kept || p->asked.items[kept - 1] != p->asked.items[i])
            p->asked.items[kept++] = p->asked.items[i];
    p->asked.count = kept;
}

/* Links are not among what is found in folders: that need not be asked again. */
static void ask_for_found(struct project *p, const char *path)
{
    const char *full = full_path(p, path);
    if (is_plain(full) && !map_get(p->real_paths, (uint64_t)(uintptr_t)full))
        remember_path(p, full, follow_folder(p, full));
    ask_for(p, path, p);
}

static bool find_asked(struct project *p, const text_list *files, struct error *e)
{
    take_overlay(p);
    const text_list *found = &p->options->found;
    for (int i = 0; i < found->count; i++)
        ask_for_found(p, found->items[i]);
    for (int i = 0; i < files->count; i++) {
        if (!is_overlaid(p, files->items[i]) && !is_readable(files->items[i], e))
            return false;
        ask_for(p, files->items[i], NULL);
    }
    for (int i = 0; i < p->options->touched.count; i++)
        ask_for(p, p->options->touched.items[i], NULL);
    settle_asked(p);
    return true;
}

void project_ask_touched(struct project *p)
{
    for (int i = 0; i < p->inputs.count; i++)
        if (p->inputs.items[i].is_touched)
            ask_for(p, p->inputs.items[i].file, NULL);
    settle_asked(p);
}

static bool is_header(const char *file)
{
    return path_ends_in(file, ".h");
}

/* ---- stages --------------------------------------------------------------------------------- */

bool project_open_clang(struct project *p, struct error *e)
{
    if (p->clang)
        return true;
    if (!p->options->session)
        clang_use_large_pages();
    p->clang = p->options->session ? session_clang(p->options->session, e) : clang_open(e);
    if (p->clang && p->kept && !digest_same(p->kept->world, (struct digest){0}))
        kept_check_clang(p);
    return p->clang;
}

bool project_open_database(struct project *p, struct error *e)
{
    return p->database ||
           (project_open_clang(p, e) && database_read(&p->database, p->clang, p->database_file, e));
}

/* The nearest to the first of the files that has one. */
static bool find_database(struct project *p, struct error *e)
{
    const char *directory = p->options->database;
    for (int i = 0; i < p->asked.count && !p->database_file; i++)
        if (!database_find(p->arena, directory, p->asked.items[i], &p->database_file, e))
            return false;
    if (p->database_file)
        p->database_path = project_shown(p, p->database_file);
    return true;
}

static void add_input(struct project *p, const char *file, struct compile how)
{
    headers_add(p->headers, &how);
    struct input in = {.file = file,
                       .directory = how.directory,
                       .flags = how.flags,
                       .flag_count = how.flag_count,
                       .flags_left_out = how.foreign + how.refused};
    LIST_ADD(p->arena, &p->inputs, in);
    p->flags_left_out += in.flags_left_out;
}

/* A header is part of the units that include it; a file that was touched and is new, or is called
 * something else now, of the program that it was touched in. */
static bool belongs(struct project *p, const struct map *known)
{
    if (p->options->touched.count)
        return true;
    for (int i = 0; i < p->asked.count; i++)
        if (is_header(p->asked.items[i]) || is_touched_part(p, p->asked.items[i]) ||
            map_get(known, (uint64_t)(uintptr_t)p->asked.items[i]))
            return true;
    return false;
}

/* If one of the files belongs to the database, all of that is one program with it. */
static bool add_linked(struct project *p, struct error *e)
{
    int count;
    struct compile *all;
    struct map *known = map_new(p->arena);
    if (!kept_all(p, &all, &count, e))
        return false;
    for (int i = 0; i < count; i++)
        map_put(known, (uint64_t)(uintptr_t)project_shown(p, all[i].file), &all[i]);
    p->linked = count && belongs(p, known);
    for (int i = 0; i < count && p->linked; i++)
        if (!is_dropped(p, project_shown(p, all[i].file)))
            add_input(p, project_shown(p, all[i].file), all[i]);
    for (int i = 0; i < p->inputs.count; i++)
        p->inputs.items[i].is_listed = true;
    return true;
}

static bool add_unlisted(struct project *p, const char *file, struct error *e)
{
    struct compile how;
    if (p->options->has_flags)
        how = compile_with(p->arena, file, p->options->flags.items, p->options->flags.count);
    else if (!kept_compile(p, file, &how, e))
        return false;
    p->has_default_flags |= !how.found;
    add_input(p, file, how);
    return true;
}

/* Which of the files that stand in a folder are units is the database's to say. */
static bool is_left_out(struct project *p, const char *file)
{
    bool is_unlisted = p->linked && map_get(p->found, (uint64_t)(uintptr_t)file);
    if (is_unlisted && !p->unlisted++)
        p->first_unlisted = file;
    return is_unlisted || is_touched_part(p, file) || (p->linked && is_header(file));
}

static bool add_asked(struct project *p, struct error *e)
{
    struct map *known = map_new(p->arena);
    text_list files = p->asked;
    for (int i = 0; i < p->inputs.count; i++)
        map_put(known, (uint64_t)(uintptr_t)p->inputs.items[i].file, p);
    for (int i = 0; i < p->options->program.count; i++)
        LIST_ADD(p->arena, &files, project_shown(p, p->options->program.items[i]));
    for (int i = 0; i < files.count; i++) {
        const char *file = files.items[i];
        if (map_get(known, (uint64_t)(uintptr_t)file) || is_left_out(p, file))
            continue;
        map_put(known, (uint64_t)(uintptr_t)file, p);
        if (!add_unlisted(p, file, e))
            return false;
    }
    return true;
}

static int compare_inputs(const void *x, const void *y)
{
    return strcmp(((const struct input *)x)->file, ((const struct input *)y)->file);
}

void project_sort(struct project *p)
{
    if (!p->inputs.count)
        return;
    qsort(p->inputs.items, (size_t)p->inputs.count, sizeof *p->inputs.items, compare_inputs);
}

/* ---- units ---------------------------------------------------------------------------------- */

struct pool {
    struct project *p;
    bool only_new; /* what is kept is left where it is */
    atomic_int next;
};

static bool is_asked(const struct project *p, const char *file)
{
    for (int i = 0; i < p->asked.count; i++)
        if (p->asked.items[i] == file)
            return true;
    return false;
}

/* What is to be kept is written down by whoever made it. */
static void lower_one(struct project *p, struct input *in)
{
    if (p->options->session && is_asked(p, in->file)) {
        in->unit = session_lower(p->options->session, p, in, &in->error);
        return;
    }
    if (p->kept || p->options->touched.count || p->options->notes_reads) {
        struct arena *a = arena_new();
        in->reads = arena_one(a, struct clang_reads);
        in->reads->arena = a;
    }
    in->unit = clang_lower_noting(p->clang, in->file, &p->overlay, in->flags, in->flag_count,
                                  in->directory, in->reads, &in->error);
    if (in->unit && p->kept && in->reads->whole)
        ir_print(in->unit, &in->printed);
}

static void *lower_some(void *argument)
{
    struct pool *pool = argument;
    struct project *p = pool->p;
    for (int i; (i = atomic_fetch_add(&pool->next, 1)) < p->inputs.count;) {
        struct input *in = &p->inputs.items[i];
        struct error unread;
        int taken = p->options->progress ? progress_take("", p->inputs.count, in->file) : -1;
        if (in->text)
            in->unit = ir_parse_naming(in->text, in->naming, &unread);
        else if (!in->unit && !in->is_given && !(pool->only_new && in->is_kept))
            lower_one(p, in);
        if (p->options->progress)
            progress_give(taken);
    }
    return NULL;
}

int processors(void)
{
    cpu_set_t ours;
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    if (!sched_getaffinity(0, sizeof ours, &ours) && CPU_COUNT(&ours) > 0)
        return CPU_COUNT(&ours);
    return all > 0 ? (int)all : 1;
}

static int jobs_of(const struct project *p)
{
    int jobs = p->options->jobs ? p->options->jobs : processors();
    return jobs < p->inputs.count ? jobs : p->inputs.count;
}

static void run_pool(struct project *p, bool only_new)
{
    struct pool pool = {.p = p, .only_new = only_new};
    int others = jobs_of(p) - 1, started = 0;
    pthread_t *threads = arena_array(p->arena, pthread_t, others > 0 ? others : 1);
    while (started < others && !pthread_create(&threads[started], NULL, lower_some, &pool))
        started++;
    lower_some(&pool);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (p->options->progress)
        progress_take("", p->inputs.count, "inferring");
}

/* Of those that are neither there nor kept nor given; a text that cannot be read is no text. */
static bool is_any_to_lower(struct project *p)
{
    bool any = false;
    for (int i = 0; i < p->inputs.count; i++)
        any |= !p->inputs.items[i].text && !p->inputs.items[i].unit && !p->inputs.items[i].is_given;
    return any;
}

static void take_unit(struct project *p, struct input *in)
{
    in->is_parsed = in->unit;
    if (!in->unit)
        return;
    in->errors = in->unit->errors;
    in->first_error = in->unit->first_error;
    in->notes = in->unit->notes.count;
    LIST_ADD(p->arena, &p->units, in->unit);
    if (p->options->session && in->is_kept && !in->is_taken) {
        session_leave(p->options->session, in->key, in->contents, in->unit);
        in->is_taken = true;
    }
}

bool project_read_units(struct project *p, struct error *e)
{
    bool read = false;
    kept_read_units(p);
    do {
        if (is_any_to_lower(p) && !project_open_clang(p, e))
            return false;
        run_pool(p, false);
        read = false;
        for (int i = 0; i < p->inputs.count; i++) {
            struct input *in = &p->inputs.items[i];
            if (in->is_given && in->text && !in->unit)
                return error_at(e, in->file, 0, 0, "its summary is of another build of miscast");
            read |= in->text && !in->unit;
            in->text = NULL;
        }
    } while (read);
    p->units.count = 0;
    for (int i = 0; i < p->inputs.count; i++)
        take_unit(p, &p->inputs.items[i]);
    touched_find_read(p);
    kept_put_units(p);
    return true;
}

struct ir_unit *project_unit(struct project *p, struct input *in)
{
    size_t length;
    struct error unread;
    if (in->unit)
        return in->unit;
    const char *text = store_unit_text(p->kept->store, p->arena, in->key, &length);
    in->unit = text ? ir_parse(text, &unread) : NULL;
    if (in->unit)
        take_unit(p, in);
    return in->unit;
}

bool project_lower_new(struct project *p, struct error *e)
{
    bool any = false;
    for (int i = 0; i < p->inputs.count; i++) {
        struct input *in = &p->inputs.items[i];
        if (in->is_kept)
            continue;
        if (!project_open_clang(p, e))
            return false;
        any = true;
    }
    if (any)
        run_pool(p, true);
    for (int i = 0; i < p->inputs.count; i++)
        if (!p->inputs.items[i].is_kept)
            take_unit(p, &p->inputs.items[i]);
    touched_find_read(p);
    kept_put_units(p);
    return true;
}

/* ---- packs and facts ------------------------------------------------------------------------ */

static int is_pack(const struct dirent *d)
{
    return path_ends_in(d->d_name, ".yaml");
}

/* All that they say, so that mistakes are found. */
static bool load_own_packs(const struct options *o, struct pack_set *packs, struct error *e)
{
    bool ok = true;
    packs_select(packs, NULL, NULL);
    for (int i = 0; ok && i < o->packs.count; i++)
        ok = packs_load(packs, o->packs.items[i], e);
    return ok;
}

/* A mistake in the user's packs is to be known before the program is parsed. */
static bool check_own_packs(struct project *p, struct error *e)
{
    struct arena *scratch = arena_new();
    bool ok = load_own_packs(p->options, packs_new(scratch, names_new(scratch)), e);
    arena_free(scratch);
    return ok;
}

static bool find_packs(struct project *p, text_list *out, struct error *e)
{
    const char *folder = installed_packs(p->arena);
    struct dirent **files = NULL;
    int count = scandir(folder, &files, is_pack, alphasort);
    for (int i = 0; i < count; i++) {
        LIST_ADD(p->arena, out, arena_printf(p->arena, "%s/%s", folder, files[i]->d_name));
        free(files[i]);
    }
    free(files);
    return count >= 0 || error_at(e, folder, 0, 0, "%s", strerror(errno));
}

/* Those that come along, by name, then the user's. In a session, all that they say: the program
 * goes on changing. */
bool project_load_packs(struct project *p,
                        bool (*is_wanted)(const void *data, const char *function), const void *data,
                        struct error *e)
{
    text_list files = {0};
    bool ok = find_packs(p, &files, e);
    struct session *session = p->options->session;
    if (ok && session && session_packs(session, &files, &p->options->packs, &p->packs))
        return true;
    if (!session) {
        p->packs = packs_new(p->arena, p->names);
        packs_select(p->packs, is_wanted, data);
    }
    for (int i = 0; i < files.count && ok; i++)
        ok = packs_load(p->packs, files.items[i], e);
    ok = ok && load_own_packs(p->options, p->packs, e);
    if (session)
        session_packs_loaded(session, ok);
    return ok;
}

static bool load_packs(struct project *p, struct error *e)
{
    const struct map *called = NULL;
    if (!p->options->session)
        called = called_in(p->arena, p->units.items, p->units.count);
    return project_load_packs(p, is_called, called, e);
}

static bool infer(struct project *p, struct error *e)
{
    struct flow_options how = {.assume = p->options->assume.items,
                               .assume_count = p->options->assume.count,
                               .past_errors = p->options->past_errors};
    p->flow = flow_run(p->units.items, p->units.count, p->packs, &how, e);
    if (!p->flow)
        return false;
    p->is_analysed = true;
    p->counts = *flow_counts(p->flow);
    p->assumptions_used = arena_array(p->arena, bool, p->options->assume.count + 1);
    for (int i = 0; i < p->options->assume.count; i++)
        p->assumptions_used[i] = flow_assumption_used(p->flow, i);
    return true;
}

/* ---- the pipeline --------------------------------------------------------------------------- */

static void begin(struct project *p, const struct options *o)
{
    char here[4096];
    *p = (struct project){.arena = arena_new(), .options = o};
    p->here = arena_printf(p->arena, "%s", getcwd(here, sizeof here) ? here : "");
    p->names = names_new(p->arena);
    p->real_paths = map_new(p->arena);
    p->sources = sources_new(p->arena);
    p->headers = headers_new(p->arena);
    p->found = map_new(p->arena);
    p->touched = map_new(p->arena);
}

bool project_lower(struct project *p, const struct options *o, const text_list *files,
                   struct error *e)
{
    begin(p, o);
    if (!find_asked(p, files, e) || (!o->has_flags && !find_database(p, e)) || !add_asked(p, e))
        return false;
    project_sort(p);
    return project_read_units(p, e);
}

bool project_ask(struct project *p, const struct options *o, const text_list *files,
                 struct error *e)
{
    begin(p, o);
    return find_asked(p, files, e);
}

bool project_find(struct project *p, const struct options *o, const text_list *files,
                  struct error *e)
{
    return project_ask(p, o, files, e) && find_database(p, e);
}

bool project_prepare(struct project *p, const struct options *o, const text_list *files,
                     struct error *e)
{
    begin(p, o);
    if (!find_asked(p, files, e) || !check_own_packs(p, e) || !find_database(p, e) ||
        !kept_open(p, e) || !add_linked(p, e) || !add_asked(p, e))
        return false;
    project_sort(p);
    kept_find_units(p);
    touched_find_kept(p);
    return true;
}

bool project_infer(struct project *p, struct error *e)
{
    bool ok = project_read_units(p, e) && load_packs(p, e) && infer(p, e);
    progress_end();
    return ok;
}

bool project_analyse(struct project *p, const struct options *o, const text_list *files,
                     struct error *e)
{
    return project_prepare(p, o, files, e) && project_infer(p, e);
}

enum exit_code project_close(struct project *p)
{
    enum exit_code code = p->inputs.count ? coverage_print(p) : EXIT_CLEAN;
    project_free(p);
    return code;
}

static void free_unit(struct project *p, struct input *in)
{
    if (in->unit && in->is_taken)
        session_give_back(p->options->session, in->key, in->unit);
    else if (in->unit)
        ir_unit_free(in->unit);
}

void project_free(struct project *p)
{
    progress_end();
    kept_close(p);
    for (int i = 0; i < p->inputs.count; i++)
        input_forget(&p->inputs.items[i]);
    flow_free(p->flow);
    for (int i = 0; i < p->inputs.count; i++)
        free_unit(p, &p->inputs.items[i]);
    database_close(p->database);
    if (p->clang && !p->options->session)
        clang_close(p->clang);
    if (p->arena)
        arena_free(p->arena);
}

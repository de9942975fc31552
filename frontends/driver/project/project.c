/* From files to facts: the pipeline, one function per stage. The files of a request come in; a
 * project goes out, with its units, sorted by name, and the facts inferred about them. */
#include "frontends/driver/project/cache.h"
#include "frontends/driver/project/units.h"
#include "frontends/driver/process/deadline.h"
#include "frontends/driver/process/terminal.h"
#include "frontends/driver/project/workers.h"

#include "frontends/driver/project/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Nothing but the name that the user wrote says what a file is, unless an editor or a compiler's
 * command does. */
static bool is_read(const struct project *p, const char *file, struct error *e)
{
    const char *foreign = foreign_name(file);
    if (foreign && !p->request->session)
        return error_at(e, file, 0, 0, "is %s %s, which is not read%s", article_of(foreign),
                        foreign, foreign_reason(p->arena, file));
    if (p->request->session || p->request->has_flags || is_language_file(file))
        return true;
    return error_at(e, file, 0, 0, "is not in a language that is read (%s)",
                    language_names(p->arena));
}

/* By the name it is reported under, and by its real path. */
static void take_text(struct project *p, const char *path, const char *text, size_t length)
{
    struct overlaid o = {.path = project_real(p, path), .text = text, .length = length};
    sources_put(p->sources, project_shown(p, path), text, length);
    sources_put(p->sources, o.path, text, length);
    LIST_ADD(p->arena, &p->overlay.files, o);
}

static void take_overlay(struct project *p)
{
    const struct request *request = p->request;
    for (int i = 0; request->overlay && i < request->overlay->files.count; i++) {
        const struct overlaid *f = &request->overlay->files.items[i];
        if (request->overlay->are_files)
            project_is_file(p, f->path);
        take_text(p, f->path, f->text, f->length);
    }
    if (!request->unsaved)
        return;
    p->unsaved = project_shown(p, request->unsaved_file);
    take_text(p, p->unsaved, request->unsaved, request->unsaved_length);
}

static bool is_overlaid(struct project *p, const char *file)
{
    return p->overlay.files.count && overlay_find(&p->overlay, project_real(p, file));
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

static bool find_asked(struct project *p, const text_list *files, struct error *e)
{
    take_overlay(p);
    const text_list *found = &p->request->found, *foreign = &p->request->foreign;
    for (int i = 0; i < foreign->count; i++)
        unread_note(p, project_shown(p, foreign->items[i]), foreign_name(foreign->items[i]));
    for (int i = 0; i < found->count; i++) {
        project_is_no_link(p, found->items[i]);
        ask_for(p, found->items[i], p);
    }
    for (int i = 0; i < files->count; i++) {
        const char *file = files->items[i];
        if ((!is_overlaid(p, file) && !is_readable(file, e)) || !is_read(p, file, e))
            return false;
        ask_for(p, file, NULL);
    }
    for (int i = 0; i < p->request->touched.count; i++)
        ask_for(p, p->request->touched.items[i], NULL);
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

/* ---- stages --------------------------------------------------------------------------------- */

bool project_open_parser(struct project *p, enum language_id language, struct error *e)
{
    const struct frontend *f = frontend_of(language);
    struct session *session = p->request->session;
    void **parser = &p->parsers[language];
    if (*parser)
        return true;
    if (!session && f->prepare)
        f->prepare();
    *parser = session ? session_parser(session, language, e) : f->open(e);
    if (*parser && f->library && p->cache && !digest_same(p->cache->world, (struct digest){0}))
        cache_check_parser(p, language);
    return *parser;
}

/* Databases list files of C. */
static const struct frontend_flags *database_flags(void)
{
    return frontend_of(LANGUAGE_C)->flags;
}

bool project_open_database(struct project *p, struct error *e)
{
    return p->database ||
           (project_open_parser(p, LANGUAGE_C, e) &&
            database_flags()->read(&p->database, p->parsers[LANGUAGE_C], p->database_file, e));
}

struct frontend_input project_input(const struct project *p, const struct input *in)
{
    return (struct frontend_input){.file = in->file,
                                   .directory = in->directory,
                                   .flags = in->flags,
                                   .flag_count = in->flag_count,
                                   .overlay = &p->overlay,
                                   .shared = p->shared[in->language]};
}

/* The nearest to the first file that has one. */
static bool find_database(struct project *p, struct error *e)
{
    const char *directory = p->request->database;
    for (int i = 0; i < p->asked.count && !p->database_file; i++)
        if (frontend_of(file_language(p->asked.items[i]))->flags &&
            !database_flags()->find(p->arena, directory, p->asked.items[i], &p->database_file, e))
            return false;
    if (p->database_file)
        p->database_path = project_shown(p, p->database_file);
    return true;
}

/* What the configuration adds comes before what the command line does. */
static void add_flags(struct project *p, const struct frontend_flags *flags, struct compile *how)
{
    const struct request *r = p->request;
    if (r->configured_flags.count)
        flags->add_words(p->arena, how, r->configured_folder, r->configured_flags.items,
                         r->configured_flags.count);
    if (r->extra_flags.count)
        flags->add_words(p->arena, how, p->here, r->extra_flags.items, r->extra_flags.count);
}

static void add_input(struct project *p, const char *file, struct compile how)
{
    enum language_id language = file_language(file);
    const struct frontend_flags *flags = frontend_of(language)->flags;
    if (flags) {
        add_flags(p, flags, &how);
        flags->headers_add(p->headers, &how);
    }
    struct input in = {.file = file,
                       .language = language,
                       .directory = how.directory,
                       .flags = how.flags,
                       .flag_count = how.flag_count,
                       .flags_left_out = how.foreign + how.refused};
    LIST_ADD(p->arena, &p->inputs, in);
    p->flags_left_out += in.flags_left_out;
}

/* A header belongs to the units that include it; a touched file that is new or was renamed belongs
 * to the program it was touched in. */
static bool belongs(struct project *p, const struct map *known)
{
    if (p->request->touched.count)
        return true;
    for (int i = 0; i < p->asked.count; i++)
        if (is_header_file(p->asked.items[i]) || is_touched_part(p, p->asked.items[i]) ||
            map_get(known, (uint64_t)(uintptr_t)p->asked.items[i]))
            return true;
    return false;
}

/* If one of the files belongs to the database, the whole database is the program. Flags on the
 * command line take its place: then it only decides where the store is. */
static bool add_linked(struct project *p, struct error *e)
{
    int count;
    struct compile *all;
    struct map *known = map_new(p->arena);
    if (p->request->has_flags)
        return true;
    if (!cache_all_commands(p, &all, &count, e))
        return false;
    for (int i = 0; i < count; i++)
        map_put(known, (uint64_t)(uintptr_t)project_shown(p, all[i].file), &all[i]);
    p->is_database_empty = !count;
    p->linked = count && belongs(p, known);
    for (int i = 0; i < count && p->linked; i++) {
        const char *file = project_shown(p, all[i].file);
        if (unread_by_command(&all[i]))
            unread_note(p, file, foreign_language_name(all[i].language));
        else if (p->request->only_here && !project_asks_for(p, file))
            p->is_part = true;
        else if (!is_dropped(p, file))
            add_input(p, file, all[i]);
    }
    for (int i = 0; i < p->inputs.count; i++)
        p->inputs.items[i].is_listed = true;
    return true;
}

static bool add_unlisted(struct project *p, const char *file, struct error *e)
{
    const struct frontend_flags *flags = frontend_of(file_language(file))->flags;
    const text_list *words = &p->request->flags;
    struct compile how = {.file = file, .found = true};
    if (flags && p->request->has_flags)
        how = flags->of_words(p->arena, file, words->items, words->count);
    else if (flags && !cache_command(p, file, &how, e))
        return false;
    bool is_named = !map_get(p->found, (uint64_t)(uintptr_t)file);
    if (unread_by_command(&how)) {
        const char *name = foreign_language_name(how.language);
        unread_note(p, file, name);
        return !is_named || error_at(e, file, 0, 0, "is compiled as %s %s, which is not read",
                                     article_of(name), name);
    }
    p->has_default_flags |= !how.found;
    add_input(p, file, how);
    return true;
}

/* Of the files found below a folder, those that the database lists are units. */
static bool is_left_out(struct project *p, const char *file)
{
    bool is_found = map_get(p->found, (uint64_t)(uintptr_t)file);
    if (is_found && unread_is(p, file))
        return true;
    bool is_unlisted = p->linked && frontend_of(file_language(file))->flags && is_found;
    if (is_unlisted && !p->unlisted++)
        p->first_unlisted = file;
    return is_unlisted || is_touched_part(p, file) || (p->linked && is_header_file(file));
}

static bool add_asked(struct project *p, struct error *e)
{
    struct map *known = map_new(p->arena);
    text_list files = p->asked;
    for (int i = 0; i < p->inputs.count; i++)
        map_put(known, (uint64_t)(uintptr_t)p->inputs.items[i].file, p);
    for (int i = 0; i < p->request->program.count; i++)
        LIST_ADD(p->arena, &files, project_shown(p, p->request->program.items[i]));
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

/* ---- facts ---------------------------------------------------------------------------------- */

static bool load_packs(struct project *p, struct error *e)
{
    const struct map *called = NULL;
    bool is_dynamic = project_is_dynamic(p); /* what is called is found when it is run */
    if (!p->request->session && !is_dynamic)
        called = called_in(p->arena, p->units.items, p->units.count);
    return project_load_packs(p, is_dynamic ? NULL : is_called, called, e) &&
           (!is_dynamic ||
            project_add_models(p, p->request->session ? session_models(p->request->session) : NULL,
                               e));
}

bool project_has_trouble(const struct project *p)
{
    for (int i = 0; i < p->inputs.count; i++)
        if (coverage_has_trouble(&p->inputs.items[i]))
            return true;
    return false;
}

bool project_is_incomplete(const struct project *p)
{
    return p->is_part || project_has_trouble(p);
}

void project_number_packs(struct project *p, const struct ir_unit *u)
{
    for (int i = 0; i < u->records.count; i++) {
        const struct type *t = u->records.items[i];
        for (int k = 0; k < t->field_count; k++)
            if (t->fields[k].constants)
                packs_number_field(p->packs, t->name, t->fields[k].name, t->fields[k].constants);
    }
}

static bool infer(struct project *p, struct error *e)
{
    struct flow_options how = {.assume = p->request->assume.items,
                               .assume_count = p->request->assume.count,
                               .past_errors = p->request->past_errors,
                               .strict = p->request->strict,
                               .incomplete = project_is_incomplete(p),
                               .threads = project_threads(p)};
    LIST(struct ir_unit *) all = {0};
    if (project_is_dynamic(p))
        project_mark_imports(p);
    for (int i = 0; i < p->units.count; i++)
        LIST_ADD(p->arena, &all, p->units.items[i]);
    for (int i = 0; i < p->models.count; i++)
        LIST_ADD(p->arena, &all, p->models.items[i]);
    packs_number_as_said(p->packs);
    for (int i = 0; i < p->units.count; i++)
        project_number_packs(p, p->units.items[i]);
    p->flow = flow_run(all.items, all.count, p->packs, &how, e);
    if (!p->flow)
        return false;
    p->is_analysed = true;
    p->counts = *flow_counts(p->flow);
    p->known = flow_known(p->flow);
    p->assumptions_used = arena_array(p->arena, bool, p->request->assume.count + 1);
    for (int i = 0; i < p->request->assume.count; i++)
        p->assumptions_used[i] = flow_assumption_used(p->flow, i);
    return true;
}

/* ---- the pipeline --------------------------------------------------------------------------- */

static void begin(struct project *p, const struct request *request)
{
    char here[4096];
    *p = (struct project){.arena = arena_new(), .request = request};
    p->here = arena_printf(p->arena, "%s", getcwd(here, sizeof here) ? here : "");
    p->names = names_new(p->arena);
    p->real_paths = map_new(p->arena);
    p->sources = sources_new(p->arena);
    p->headers = database_flags()->headers_new(p->arena, installed_headers(p->arena));
    p->found = map_new(p->arena);
    p->unread_files = map_new(p->arena);
    p->touched = map_new(p->arena);
}

bool project_lower(struct project *p, const struct request *request, const text_list *files,
                   struct error *e)
{
    begin(p, request);
    if (!find_asked(p, files, e) || (!request->has_flags && !find_database(p, e)) ||
        !add_asked(p, e))
        return false;
    project_sort(p);
    return project_read_units(p, e);
}

bool project_ask(struct project *p, const struct request *request, const text_list *files,
                 struct error *e)
{
    begin(p, request);
    return find_asked(p, files, e);
}

bool project_find(struct project *p, const struct request *request, const text_list *files,
                  struct error *e)
{
    return project_ask(p, request, files, e) && find_database(p, e);
}

bool project_prepare(struct project *p, const struct request *request, const text_list *files,
                     struct error *e)
{
    begin(p, request);
    if (!find_asked(p, files, e) || !project_check_packs(p, e) || !find_database(p, e))
        return false;
    project_add_imports(p);
    if (!cache_open(p, e) || !add_linked(p, e) || !add_asked(p, e))
        return false;
    project_sort(p);
    cache_find_units(p);
    dependents_find_cached(p);
    return true;
}

bool project_infer(struct project *p, struct error *e)
{
    bool ok = project_read_units(p, e) && load_packs(p, e) && infer(p, e);
    progress_end();
    return ok;
}

/* Parsing has its own limits, which are smaller. */
void project_limit(const struct project *p)
{
    long each = p->request->limits.unit_timeout ? p->request->limits.unit_timeout : UNIT_SECONDS;
    if (!p->request->session)
        deadline_begin(each * (5L * p->inputs.count + 1));
}

bool project_analyse(struct project *p, const struct request *request, const text_list *files,
                     struct error *e)
{
    if (!project_prepare(p, request, files, e))
        return false;
    project_limit(p);
    bool ok = project_infer(p, e);
    deadline_end();
    return ok;
}

enum exit_code project_close(struct project *p)
{
    enum exit_code code = p->inputs.count ? coverage_print(p) : EXIT_PARTIAL;
    project_free(p);
    return code;
}

static void free_unit(struct project *p, struct input *in)
{
    if (in->unit && in->is_taken)
        session_give_back(p->request->session, in->key, in->unit);
    else if (in->unit)
        ir_unit_free(in->unit);
}

void project_free(struct project *p)
{
    progress_end();
    cache_close(p);
    state_close(p->state);
    p->state = NULL;
    for (int i = 0; i < p->inputs.count; i++)
        input_release(&p->inputs.items[i]);
    flow_free(p->flow);
    for (int i = 0; i < p->models.count && !p->request->session; i++)
        ir_unit_free(p->models.items[i]);
    for (int i = 0; i < p->inputs.count; i++)
        free_unit(p, &p->inputs.items[i]);
    database_flags()->close(p->database);
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        if (p->parsers[i] && !p->request->session)
            frontend_of((enum language_id)i)->close(p->parsers[i]);
    arena_free(p->late_packs);
    if (p->arena)
        arena_free(p->arena);
}

/* The store as a project uses it: what is in it, and by which keys. Whatever an entry depends on is
 * part of its key, or is checked before the entry is used. */
#include "frontends/driver/project/cache.h"
#include "frontends/driver/process/terminal.h"

#include "frontends/driver/project/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

/* ---- the world ------------------------------------------------------------------------------ */

/* Not its inode: a new machine may restore an old store. */
static void add_look(struct text *to, const char *path)
{
    struct stat st = {0};
    int found = stat(path, &st);
    record_number(to, found);
    record_number(to, st.st_size);
    record_number(to, st.st_mtim.tv_sec);
    record_number(to, st.st_mtim.tv_nsec);
}

/* If none of this changes, the same library will be loaded. */
static struct text tool_of(const char *library)
{
    struct text t = {0};
    record_text(&t, library);
    add_look(&t, library);
    add_look(&t, "/etc/ld.so.cache");
    record_text(&t, getenv("LD_LIBRARY_PATH"));
    return t;
}

static struct digest tool_key(enum language_id language)
{
    const char *name = frontend_of(language)->name;
    return digest_bytes(name, strlen(name));
}

static bool is_tool(const struct text *tool, const char *data, size_t length)
{
    return tool->length == length && (!length || !memcmp(tool->data, data, length));
}

static bool is_kept_tool(struct project *p, enum language_id language, struct text *tool)
{
    size_t length;
    const char *data =
        store_get(p->cache->store, p->arena, STORE_TOOL, tool_key(language), &length);
    struct record_reader r = record_open(data, data ? length : 0);
    const char *library = data ? record_read_text(&r, p->arena) : NULL;
    if (!library || !*library)
        return false;
    *tool = tool_of(library);
    bool same = is_tool(tool, data, length);
    if (!same)
        text_free(tool);
    return same;
}

/* By its contents: two builds may have the same date and size. */
static void add_program(struct project *p, struct text *to)
{
    char path[4096];
    struct digest contents = {0};
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    if (n > 0 && store_file(p->cache->store, path, &contents))
        record_digest(to, contents);
    else
        add_look(to, "/proc/self/exe");
}

static struct digest world_of(struct project *p)
{
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "SOURCE_DATE_EPOCH"};
    char here[4096];
    struct text t = {0};
    record_text(&t, MISCAST_VERSION);
    add_program(p, &t);
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        record_bytes(&t, p->cache->tools[i].data, p->cache->tools[i].length);
    record_text(&t, getcwd(here, sizeof here));
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        record_text(&t, getenv(variables[i]));
    return record_key(&t);
}

/* Whether something of the project is parsed by the language's library, on which results then
 * depend. A database lists files of C. */
static bool needs_library(const struct project *p, enum language_id language)
{
    bool needs = p->database_file && language == LANGUAGE_C;
    for (int i = 0; i < p->asked.count && !needs; i++)
        needs = file_language(p->asked.items[i]) == language;
    return needs && frontend_of(language)->library;
}

static struct text loaded_tool(const struct project *p, enum language_id language)
{
    return tool_of(frontend_of(language)->library(p->parsers[language]));
}

static void put_tool(struct project *p, enum language_id language, const struct text *tool)
{
    store_put(p->cache->store, STORE_TOOL, tool_key(language), tool->data, tool->length);
}

static bool find_tool(struct project *p, enum language_id language, struct error *e)
{
    struct text *tool = &p->cache->tools[language];
    if (!needs_library(p, language) || is_kept_tool(p, language, tool))
        return true;
    if (!project_open_parser(p, language, e))
        return false;
    *tool = loaded_tool(p, language);
    put_tool(p, language, tool);
    return true;
}

static bool find_world(struct project *p, struct error *e)
{
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        if (!find_tool(p, (enum language_id)i, e))
            return false;
    p->cache->world = world_of(p);
    return true;
}

void cache_check_parser(struct project *p, enum language_id language)
{
    const struct text *expected = &p->cache->tools[language];
    struct text tool = loaded_tool(p, language);
    if (!is_tool(&tool, expected->data, expected->length)) {
        p->cache->closed = true;
        put_tool(p, language, &tool);
    }
    text_free(&tool);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* The user is typing: what cannot be cached now is cached the next time. */
enum { SESSION_PATIENCE_MS = 50 };

bool cache_open(struct project *p, struct error *e)
{
    struct error trouble = {0};
    if (p->request->no_cache || !p->asked.count)
        return true;
    struct state_folder *state = cache_folder(p);
    struct store *store = state ? store_open(state, &trouble) : NULL;
    cache_say(&trouble);
    if (!store)
        return true;
    p->cache = arena_one(p->arena, struct project_cache);
    p->cache->store = store;
    if (p->request->session)
        store_set_patience(store, SESSION_PATIENCE_MS);
    for (int i = 0; i < p->overlay.files.count; i++) {
        const struct overlaid *o = &p->overlay.files.items[i];
        store_overlay(store, o->path, digest_bytes(o->text, o->length));
    }
    return find_world(p, e);
}

void cache_close(struct project *p)
{
    struct error trouble = {0};
    if (!p->cache)
        return;
    fflush(stdout);
    terminal_hold();
    store_save(p->cache->store, &trouble);
    store_close(p->cache->store);
    terminal_release();
    cache_say(&trouble);
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        text_free(&p->cache->tools[i]);
    p->cache = NULL;
}

/* ---- commands ------------------------------------------------------------------------------- */

static void put_compile(struct text *to, const struct compile *c)
{
    record_text(to, c->file);
    record_text(to, c->directory);
    record_text(to, c->language);
    record_number(to, c->foreign);
    record_number(to, c->refused);
    record_number(to, c->found);
    record_number(to, c->flag_count);
    for (int i = 0; i < c->flag_count; i++)
        record_text(to, c->flags[i]);
}

static struct compile read_compile(struct record_reader *r, struct arena *a)
{
    struct compile c = {.file = record_read_word(r, a), .directory = record_read_word(r, a)};
    c.language = record_read_word(r, a);
    c.foreign = record_read_int(r);
    c.refused = record_read_int(r);
    c.found = record_read_number(r);
    c.flag_count = record_read_count(r);
    const char **flags = arena_array(a, const char *, c.flag_count + 1);
    for (int i = 0; i < c.flag_count; i++)
        flags[i] = record_read_word(r, a);
    c.flags = flags;
    return c;
}

/* file: NULL for all of them. */
static bool commands_key(struct project *p, const char *file, struct digest *key)
{
    struct text t = {0};
    struct digest contents;
    if (!p->cache || !store_file(p->cache->store, p->database_file, &contents))
        return false;
    char *real = file ? realpath(file, NULL) : NULL;
    record_digest(&t, p->cache->world);
    record_text(&t, p->database_file);
    record_digest(&t, contents);
    record_text(&t, file);
    record_text(&t, real);
    free(real);
    *key = record_key(&t);
    return true;
}

/* A response file (@file) is not part of the database, and may change without it. */
static bool names_other_files(struct project *p)
{
    struct error unread;
    size_t length;
    const char *text = file_read_kind(p->arena, p->database_file, FILE_DATABASE, &length, &unread);
    for (const char *at = text; at && (at = strchr(at, '@')); at++)
        if (at == text || strchr(" \t\n\"'\\", at[-1]))
            return true;
    return !text;
}

static void put_commands(struct project *p, enum store_kind kind, struct digest key,
                         const struct compile *all, int count)
{
    struct text t = {0};
    if (p->cache->closed || names_other_files(p))
        return;
    record_number(&t, count);
    for (int i = 0; i < count; i++)
        put_compile(&t, &all[i]);
    store_put(p->cache->store, kind, key, t.data, t.length);
    text_free(&t);
}

static bool get_commands(struct project *p, enum store_kind kind, struct digest key,
                         struct compile **all, int *count)
{
    size_t length;
    const char *data = store_get(p->cache->store, p->arena, kind, key, &length);
    struct record_reader r = record_open(data, data ? length : 0);
    *count = data ? record_read_count(&r) : 0;
    *all = arena_array(p->arena, struct compile, *count + 1);
    for (int i = 0; i < *count; i++)
        (*all)[i] = read_compile(&r, p->arena);
    return data && record_ended(&r);
}

bool cache_all_commands(struct project *p, struct compile **all, int *count, struct error *e)
{
    struct digest key;
    *all = NULL;
    *count = 0;
    if (!p->database_file)
        return true;
    bool known = commands_key(p, NULL, &key);
    if (known && get_commands(p, STORE_DATABASE, key, all, count))
        return true;
    if (!project_open_database(p, e))
        return false;
    *all = frontend_of(LANGUAGE_C)->flags->all(p->database, p->arena, count);
    if (known)
        put_commands(p, STORE_DATABASE, key, *all, *count);
    return true;
}

bool cache_command(struct project *p, const char *file, struct compile *how, struct error *e)
{
    struct digest key;
    struct compile *one;
    int count;
    bool known = p->database_file && commands_key(p, file, &key);
    if (known && get_commands(p, STORE_COMMANDS, key, &one, &count) && count == 1 && one->found) {
        *how = *one;
        return true;
    }
    if (p->database_file && !project_open_database(p, e))
        return false;
    *how = frontend_of(LANGUAGE_C)->flags->of_file(p->database, p->arena, file);
    if (known && how->found)
        put_commands(p, STORE_COMMANDS, key, how, 1);
    return true;
}

/* ---- units ---------------------------------------------------------------------------------- */

static struct digest unit_key(const struct project *p, const struct input *in)
{
    struct text t = {0};
    record_digest(&t, p->cache->world);
    record_text(&t, in->file);
    record_text(&t, in->directory);
    record_number(&t, in->flag_count);
    for (int i = 0; i < in->flag_count; i++)
        record_text(&t, in->flags[i]);
    return record_key(&t);
}

void cache_find_units(struct project *p)
{
    for (int i = 0; i < p->inputs.count && p->cache; i++) {
        struct input *in = &p->inputs.items[i];
        in->key = unit_key(p, in);
        in->is_cached = store_unit_find(p->cache->store, in->key, &in->contents);
    }
}

void cache_read_units(struct project *p)
{
    for (int i = 0; i < p->inputs.count && p->cache; i++) {
        struct input *in = &p->inputs.items[i];
        size_t length;
        if (in->is_cached && !in->unit && p->request->session) {
            in->unit = session_take(p->request->session, in->key, in->contents);
            in->is_taken = in->unit;
        }
        if (in->is_cached && !in->unit)
            in->text = store_unit_text(p->cache->store, p->arena, in->key, &length);
    }
}

static void put_unit(struct project *p, struct input *in)
{
    struct store_unit u = {.key = in->key,
                           .text = in->printed.data,
                           .length = in->printed.length,
                           .path = realpath(in->file, NULL)};
    for (int i = 0; i < in->reads->files.count; i++) {
        const struct unit_read *r = &in->reads->files.items[i];
        LIST_ADD(in->reads->arena, &u.files, ((struct store_read){r->path, r->digest}));
    }
    for (int i = 0; i < in->reads->folders.count; i++)
        LIST_ADD(in->reads->arena, &u.folders, in->reads->folders.items[i]);
    if (u.path && !p->cache->closed)
        in->is_cached = store_unit_put(p->cache->store, &u, &in->contents);
    free((char *)(uintptr_t)u.path);
}

void input_release(struct input *in)
{
    if (in->reads)
        arena_free(in->reads->arena);
    in->reads = NULL;
}

void cache_put_units(struct project *p)
{
    for (int i = 0; i < p->inputs.count; i++) {
        struct input *in = &p->inputs.items[i];
        if (p->cache && in->reads && in->reads->whole && in->unit)
            put_unit(p, in);
        text_free(&in->printed);
        if (!p->request->notes_reads)
            input_release(in);
    }
}

/* ---- files without comments that matter ----------------------------------------------------- */

static struct digest quiet_key(void)
{
    return digest_bytes("quiet", strlen("quiet"));
}

static uint64_t quiet_at(struct digest d)
{
    return hash_words(d.low, d.high, 11);
}

static void read_quiet(struct project *p)
{
    size_t length;
    const char *data = store_get(p->cache->store, p->arena, STORE_QUIET, quiet_key(), &length);
    struct record_reader r = record_open(data, data ? length : 0);
    p->cache->quiet = map_new(p->arena);
    while (data && r.at < r.end && !r.failed)
        map_put(p->cache->quiet, quiet_at(record_read_digest(&r)), p);
}

bool cache_is_quiet(struct project *p, const char *file)
{
    struct digest d;
    if (!p->cache || p->overlay.files.count)
        return false;
    if (!p->cache->quiet)
        read_quiet(p);
    return store_file(p->cache->store, project_real(p, file), &d) &&
           map_get(p->cache->quiet, quiet_at(d));
}

void cache_note_quiet(struct project *p, const char *text, size_t length)
{
    if (!p->cache || !p->cache->quiet)
        return;
    map_put(p->cache->quiet, quiet_at(digest_bytes(text, length)), p);
    p->cache->is_quiet_new = true;
}

void cache_put_quiet(struct project *p)
{
    struct text t = {0};
    if (!p->cache || !p->cache->is_quiet_new)
        return;
    for (int i = 0; i < p->asked.count; i++) {
        struct digest d;
        if (store_file(p->cache->store, project_real(p, p->asked.items[i]), &d) &&
            map_get(p->cache->quiet, quiet_at(d)))
            record_digest(&t, d);
    }
    store_put(p->cache->store, STORE_QUIET, quiet_key(), t.data ? t.data : "", t.length);
    text_free(&t);
}

/* ---- what units were made of ----------------------------------------------------------------- */

/* The files of a cached unit have not changed. */
static void kept_reads(struct project *p, const struct input *in, read_list *out)
{
    store_paths files = {0};
    store_unit_files(p->cache->store, p->arena, in->key, &files);
    for (int i = 0; i < files.count; i++) {
        struct store_read r = {.path = files.items[i]};
        store_file(p->cache->store, r.path, &r.digest);
        LIST_ADD(p->arena, out, r);
    }
}

void reads_of(struct project *p, const struct input *in, read_list *out)
{
    if (!in->reads && in->is_cached)
        kept_reads(p, in, out);
    for (int i = 0; in->reads && i < in->reads->files.count; i++) {
        const struct unit_read *r = &in->reads->files.items[i];
        LIST_ADD(p->arena, out, ((struct store_read){r->path, r->digest}));
    }
}

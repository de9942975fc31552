/* The result of a check, cached with everything it depends on: if nothing of that changed, it is
 * reported again, and nothing is parsed, linked or inferred. The record contains the findings and
 * the counts of the last lines; formats, colours and exit codes follow from these as in any run. */
#include "frontends/driver/incremental/incremental.h"
#include "frontends/driver/project/cache.h"
#include "frontends/driver/incremental/dependencies.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT = 11 }; /* of the record */

/* ---- what it depends on --------------------------------------------------------------------- */

static void add_file(struct checking *c, struct text *to, const char *path)
{
    struct digest d;
    if (path && *path != '/')
        path = arena_printf(c->arena, "%s/%s", c->project.here, path);
    record_text(to, path);
    if (path) {
        store_file(c->project.cache->store, path, &d);
        record_digest(to, d);
    }
}

static void add_texts(struct text *to, const text_list *l)
{
    record_number(to, l->count);
    for (int i = 0; i < l->count; i++)
        record_text(to, l->items[i]);
}

void cached_result_add_packs(struct checking *c, struct text *to)
{
    struct error unread;
    text_list files = {0};
    record_number(to, installed_pack_files(c->arena, &files, &unread));
    record_number(to, files.count);
    for (int i = 0; i < files.count; i++)
        add_file(c, to, files.items[i]);
    files.count = 0;
    if (project_is_dynamic(&c->project))
        project_model_files(&c->project, &files);
    record_number(to, files.count);
    for (int i = 0; i < files.count; i++)
        add_file(c, to, files.items[i]);
    record_number(to, c->effective.packs.count);
    for (int i = 0; i < c->effective.packs.count; i++)
        add_file(c, to, c->effective.packs.items[i]);
    record_number(to, c->effective.target.count);
    for (int i = 0; i < c->effective.target.count; i++)
        record_text(to, c->effective.target.items[i]);
}

static void add_config(struct checking *c, struct text *to)
{
    const struct config *f = &c->config;
    record_bytes(to, c->selected, sizeof c->selected);
    record_text(to, f->folder);
    record_text(to, c->root);
    record_number(to, f->per_file_ignores.count);
    for (int i = 0; i < f->per_file_ignores.count; i++) {
        record_text(to, f->per_file_ignores.items[i].pattern);
        add_texts(to, &f->per_file_ignores.items[i].rules);
    }
    record_number(to, c->request->no_baseline);
    add_file(c, to, c->request->no_baseline ? NULL : f->baseline);
    add_texts(to, &c->effective.assume);
    record_number(to, c->effective.past_errors);
    record_number(to, c->effective.strict);
}

/* Comments in all checked files may suppress findings. */
static void add_files(struct checking *c, struct text *to)
{
    struct project *p = &c->project;
    record_text(to, p->database_path);
    record_number(to, p->linked);
    record_number(to, p->is_part);
    record_number(to, skipped_is_adjacent(p, &c->config, NULL));
    add_texts(to, &c->effective.folders);
    add_texts(to, &c->config.exclude);
    record_number(to, p->asked.count);
    for (int i = 0; i < p->asked.count; i++)
        add_file(c, to, p->asked.items[i]);
    add_texts(to, &p->imported);
    record_number(to, p->inputs.count);
    for (int i = 0; i < p->inputs.count; i++) {
        record_digest(to, p->inputs.items[i].key);
        record_digest(to, p->inputs.items[i].contents);
    }
}

/* False: something is not cached, or does not come from a file. */
static bool find_key(struct checking *c, struct digest *key)
{
    const struct project *p = &c->project;
    struct text t = {0};
    if (!p->cache || p->cache->closed || p->overlay.files.count || c->request->verify.wanted)
        return false;
    for (int i = 0; i < p->inputs.count; i++)
        if (!p->inputs.items[i].is_cached)
            return false;
    record_number(&t, FORMAT);
    record_digest(&t, p->cache->world);
    add_config(c, &t);
    cached_result_add_packs(c, &t);
    add_files(c, &t);
    *key = record_key(&t);
    return true;
}

/* ---- a check to bytes, and back ---------------------------------------------------------------
 */

struct reading {
    struct checking *c;
    struct record_reader r;
};

static int read_number(struct reading *d)
{
    return record_read_int(&d->r);
}

static void put_project(struct text *to, const struct project *p)
{
    counts_put(to, &p->counts);
    for (int i = 0; i < p->request->assume.count; i++)
        record_number(to, p->assumptions_used[i]);
    for (int i = 0; i < p->inputs.count; i++) {
        record_number(to, p->inputs.items[i].errors);
        record_number(to, p->inputs.items[i].notes);
        record_text(to, p->inputs.items[i].first_error);
    }
}

static void read_project(struct reading *d, struct project *p)
{
    counts_read(&d->r, d->c->arena, &p->counts);
    p->assumptions_used = arena_array(p->arena, bool, p->request->assume.count + 1);
    for (int i = 0; i < p->request->assume.count; i++)
        p->assumptions_used[i] = read_number(d);
    for (int i = 0; i < p->inputs.count; i++) {
        p->inputs.items[i].is_parsed = true;
        p->inputs.items[i].errors = read_number(d);
        p->inputs.items[i].notes = read_number(d);
        p->inputs.items[i].first_error = record_read_text(&d->r, d->c->arena);
    }
    p->is_analysed = true;
}

static void put_baseline(struct text *to, const struct baseline *b)
{
    record_number(to, b->entries.count);
    for (int i = 0; i < b->entries.count; i++)
        record_number(to, b->entries.items[i].met);
}

static void read_baseline(struct reading *d, struct baseline *b)
{
    d->r.failed |= record_read_count(&d->r) != b->entries.count;
    for (int i = 0; i < b->entries.count && !d->r.failed; i++)
        b->entries.items[i].met = read_number(d);
}

/* A symbolic link may lead to another file with the same contents, which is then reported under
 * another name. */
static void put_names(struct text *to, const struct checking *c)
{
    record_number(to, c->named.count);
    for (int i = 0; i < c->named.count; i++) {
        record_text(to, c->named.items[i].file);
        record_text(to, c->named.items[i].told);
    }
}

static void read_names(struct reading *d)
{
    struct project *p = &d->c->project;
    for (int n = record_read_count(&d->r); n > 0 && !d->r.failed; n--) {
        const char *file = record_read_text(&d->r, d->c->arena);
        const char *told = record_read_text(&d->r, d->c->arena);
        d->r.failed |= !file || !told || strcmp(project_shown(p, name_of(p->names, file)), told);
    }
}

/* A record that does not match changes nothing. */
static bool take(struct checking *c, const char *data, size_t length)
{
    struct reading d = {.c = c, .r = record_open(data, length)};
    finding_list findings = {0}, known = {0};
    for (int n = record_read_count(&d.r); n > 0 && !d.r.failed; n--)
        LIST_ADD(c->arena, &c->suppressed, (uint64_t)record_read_number(&d.r));
    read_names(&d);
    findings_read(c, &d.r, &findings);
    findings_read(c, &d.r, &known);
    read_baseline(&d, &c->baseline);
    read_project(&d, &c->project);
    if (!record_ended(&d.r)) {
        c->project.is_analysed = false;
        c->suppressed.count = 0;
        for (int i = 0; i < c->baseline.entries.count; i++)
            c->baseline.entries.items[i].met = false;
        return false;
    }
    c->findings = findings;
    c->known = known;
    c->is_replayed = true;
    return true;
}

bool cached_result_take(struct checking *c)
{
    struct digest key;
    size_t length;
    if (c->request->facts || !find_key(c, &key))
        return false;
    const char *data = store_get(c->project.cache->store, c->arena, STORE_RESULT, key, &length);
    return data && take(c, data, length);
}

/* A file that was edited during the check may have been read twice with different contents. */
bool cached_result_is_unchanged(struct checking *c, const char *file)
{
    struct project *p = &c->project;
    const struct source *s = sources_get(p->sources, file);
    char *real = realpath(file, NULL);
    struct digest now;
    bool same = s && real && store_file(p->cache->store, real, &now) &&
                digest_same(now, digest_bytes(s->text, s->length));
    free(real);
    return same;
}

static bool are_as_they_were(struct checking *c)
{
    struct map *seen = map_new(c->arena);
    for (int i = 0; i < c->project.asked.count; i++)
        if (!cache_is_quiet(&c->project, c->project.asked.items[i]) &&
            !cached_result_is_unchanged(c, c->project.asked.items[i]))
            return false;
    for (int i = 0; i < c->findings.count; i++) {
        uint64_t file = name_id(c->findings.items[i]->span.file);
        if (!map_get(seen, file) && !cached_result_is_unchanged(c, c->findings.items[i]->span.file))
            return false;
        map_put(seen, file, c);
    }
    return true;
}

void cached_result_put(struct checking *c)
{
    struct digest key;
    struct text t = {0};
    if (!find_key(c, &key) || !are_as_they_were(c))
        return;
    record_number(&t, c->suppressed.count);
    for (int i = 0; i < c->suppressed.count; i++)
        record_number(&t, (int64_t)c->suppressed.items[i]);
    put_names(&t, c);
    findings_put(&t, &c->findings);
    findings_put(&t, &c->known);
    put_baseline(&t, &c->baseline);
    put_project(&t, &c->project);
    store_put(c->project.cache->store, STORE_RESULT, key, t.data, t.length);
    text_free(&t);
}

/* Units: whether there is one for a key, and whether its inputs are unchanged. Its files must have
 * the same contents, and in its folders no file with one of their names may have appeared or
 * disappeared. Most folders in which a header could be do not exist, and a project has thousands:
 * instead of checking each, the nearest existing folder above is checked for the name. */
#include "analyzer/store/private.h"

#include <string.h>

/* ---- what it was made of -------------------------------------------------------------------- */

void made_of_print(const struct new_unit *u, struct text *out)
{
    record_digest(out, u->contents);
    record_number(out, u->files.count);
    for (int i = 0; i < u->files.count; i++)
        record_number(out, u->files.items[i]->id);
    record_bytes(out, u->names.items, (size_t)u->names.count * sizeof *u->names.items);
    record_number(out, u->folders.count);
    for (int i = 0; i < u->folders.count; i++) {
        const struct watched *w = &u->folders.items[i];
        bool there = !digest_same(w->listing, digest_of_nothing);
        record_number(out, w->folder->id);
        record_number(out, there);
        if (there)
            record_digest(out, w->listing);
        if (there)
            record_number(out, (int64_t)w->has);
    }
}

struct made_of_reader made_of_open(struct record_reader *r)
{
    record_read_digest(r);
    return (struct made_of_reader){.r = r, .files = record_read_count(r), .folders = -1};
}

bool made_of_next(struct made_of_reader *m, int64_t *id)
{
    bool file = m->files > 0;
    size_t names;
    if (!file && m->folders < 0) {
        record_read_bytes(m->r, &names);
        m->folders = record_read_count(m->r);
    }
    if (!file && m->folders <= 0)
        return false;
    *id = record_read_number(m->r);
    m->files -= file;
    m->folders -= !file;
    if (!file && record_read_number(m->r)) {
        record_read_digest(m->r);
        record_read_number(m->r);
    }
    return !m->r->failed;
}

/* The digest of a unit's inputs: the files by name, and their contents. */
static void add_contents(struct text *to, const struct known_file *f, struct digest contains)
{
    text_add_range(to, (const char *)&f->hash, sizeof f->hash);
    record_digest(to, contains);
}

static struct known_file *read_file(struct store *s, struct record_reader *r)
{
    struct known_file *f = known_file_at(s, record_read_number(r));
    if (f)
        known_file_look(s, f);
    else
        r->failed = true;
    return f;
}

/* Adds the files, with their current contents, to u. */
static bool files_hold(struct store *s, struct record_reader *r, struct new_unit *u)
{
    struct text now = {0};
    u->contents = record_read_digest(r);
    int count = record_read_count(r);
    for (int i = 0; i < count && !r->failed; i++) {
        struct known_file *f = read_file(s, r);
        if (!f)
            break;
        add_contents(&now, f, f->digest);
        LIST_ADD(s->arena, &u->files, f);
    }
    return digest_same(record_key(&now), u->contents) && !r->failed;
}

static void take_names(struct store *s, struct record_reader *r, struct new_unit *u)
{
    size_t n;
    const char *all = record_read_bytes(r, &n);
    for (size_t at = 0; at + sizeof(uint64_t) <= n; at += sizeof(uint64_t)) {
        uint64_t name;
        memcpy(&name, all + at, sizeof name);
        LIST_ADD(s->arena, &u->names, name);
    }
}

static const uint64_t *names_of(struct store *s, const struct new_unit *u)
{
    uint64_t *names = arena_array(s->arena, uint64_t, u->files.count);
    for (int i = 0; i < u->files.count; i++)
        names[i] = base_name_hash(u->files.items[i]->path);
    return names;
}

/* changed: irrelevant names have appeared or disappeared. */
static bool folders_hold(struct store *s, struct record_reader *r, struct new_unit *u,
                         bool *changed)
{
    const uint64_t *names = NULL;
    take_names(s, r, u);
    int count = record_read_count(r);
    for (int i = 0; i < count && !r->failed; i++) {
        struct watched w = {.folder = read_file(s, r)};
        bool there = record_read_number(r);
        w.listing = there ? record_read_digest(r) : digest_of_nothing;
        w.has = there ? (uint64_t)record_read_number(r) : NOTHING_HAS;
        if (r->failed)
            break;
        if (!digest_same(w.listing, w.folder->digest)) {
            names = names ? names : names_of(s, u);
            uint64_t has;
            if (!folder_has(s, w.folder, u, names, &has) || has != w.has)
                return false;
            w.listing = w.folder->digest;
            *changed = true;
        }
        LIST_ADD(s->arena, &u->folders, w);
    }
    return record_ended(r);
}

/* Whether a replaced file that is not on disk could be read instead. */
static bool is_shadowed(struct store *s, const struct new_unit *u)
{
    for (int i = 0; i < s->overlay.count; i++) {
        if (s->overlay.items[i].inode)
            continue;
        uint64_t name = base_name_hash(s->overlay.items[i].path);
        for (int k = 0; k < u->files.count; k++)
            if (!u->files.items[k]->overlaid && base_name_hash(u->files.items[k]->path) == name)
                return true;
    }
    return false;
}

/* ---- finding -------------------------------------------------------------------------------- */

static void note_anew(struct store *s, const struct new_unit *u, const char *before,
                      size_t length_before)
{
    struct text t = {0};
    made_of_print(u, &t);
    struct made_of m = {.key = u->key,
                        .data = arena_text(s->arena, t.data, t.length),
                        .length = t.length,
                        .before = arena_text(s->arena, before, length_before),
                        .length_before = length_before};
    LIST_ADD(s->arena, &s->noted, m);
    text_free(&t);
}

static bool holds(struct store *s, sqlite3_stmt *q, struct new_unit *u)
{
    size_t length;
    const char *data = sealed_column(s, q, 0, (struct row_name){ROW_MADE_OF, u->key}, &length);
    struct record_reader r = record_open(data, data ? length : 0);
    bool changed = false;
    bool ok =
        data && files_hold(s, &r, u) && !is_shadowed(s, u) && folders_hold(s, &r, u, &changed);
    if (ok && changed)
        note_anew(s, u, data, length);
    return ok;
}

bool store_unit_find(struct store *s, struct digest key, struct digest *contents)
{
    struct new_unit *u = &s->found;
    files_load(s);
    u->key = key;
    u->contents = (struct digest){0};
    u->files.count = u->names.count = u->folders.count = 0;
    if (!s->find_unit)
        s->find_unit = store_prepare(s, "SELECT made_of FROM units WHERE key = ?");
    sqlite3_stmt *q = s->find_unit;
    if (!q || s->damaged)
        return false;
    sqlite3_bind_blob(q, 1, &key, sizeof key, SQLITE_TRANSIENT);
    bool ok = store_step(s, q) && holds(s, q, u);
    sqlite3_reset(q);
    *contents = u->contents;
    return ok;
}

void store_unit_files(struct store *s, struct arena *a, struct digest key, store_paths *out)
{
    size_t length;
    sqlite3_stmt *q = s->find_unit;
    sqlite3_bind_blob(q, 1, &key, sizeof key, SQLITE_TRANSIENT);
    const struct row_name name = {ROW_MADE_OF, key};
    const char *data = q && store_step(s, q) ? sealed_column(s, q, 0, name, &length) : NULL;
    struct record_reader r = record_open(data, data ? length : 0);
    record_read_digest(&r);
    for (int n = record_read_count(&r); n > 0 && !r.failed; n--) {
        const struct known_file *f = known_file_at(s, record_read_number(&r));
        if (f)
            LIST_ADD(a, out, f->path);
    }
    sqlite3_reset(q);
}

const char *store_unit_text(struct store *s, struct arena *a, struct digest key, size_t *length)
{
    if (!s->read_unit)
        s->read_unit =
            store_prepare(s, "SELECT data FROM texts JOIN units USING (id) WHERE key = ?");
    sqlite3_stmt *q = s->read_unit;
    if (!q || s->damaged)
        return NULL;
    sqlite3_bind_blob(q, 1, &key, sizeof key, SQLITE_TRANSIENT);
    const struct row_name name = {ROW_TEXT, key};
    const char *data = store_step(s, q) ? sealed_column(s, q, 0, name, length) : NULL;
    data = data ? arena_text(a, data, *length) : NULL;
    sqlite3_reset(q);
    return data;
}

/* ---- keeping -------------------------------------------------------------------------------- */

static void add_name(struct store *s, struct new_unit *n, uint64_t name)
{
    for (int i = 0; i < n->names.count; i++)
        if (n->names.items[i] == name)
            return;
    LIST_ADD(s->arena, &n->names, name);
}

static void add_folder(struct store *s, struct new_unit *n, const char *path)
{
    struct known_file *f = known_file_of(s, path);
    known_file_look(s, f);
    if (digest_same(f->digest, digest_of_nothing) && folder_above(s, f)->folder) {
        add_name(s, n, f->above.name);
        f = f->above.folder;
    }
    f->is_needed = true;
    for (int i = 0; i < n->folders.count; i++)
        if (n->folders.items[i].folder == f)
            return;
    LIST_ADD(s->arena, &n->folders, ((struct watched){.folder = f, .listing = f->digest}));
}

static bool watch(struct store *s, const struct new_unit *n, struct watched *w,
                  const uint64_t *names)
{
    const struct look *l = &w->folder->look;
    /* The clock of file times ticks every few ms, less than it takes before a unit is read. */
    return l->mtime <= s->began && l->ctime <= s->began &&
           folder_has(s, w->folder, n, names, &w->has);
}

bool store_unit_put(struct store *s, const struct store_unit *u, struct digest *contents)
{
    struct new_unit *n = arena_one(s->arena, struct new_unit);
    struct text all = {0};
    *n = (struct new_unit){.key = u->key, .path = arena_printf(s->arena, "%s", u->path)};
    for (int i = 0; i < u->files.count; i++) {
        LIST_ADD(s->arena, &n->files, known_file_of(s, u->files.items[i].path));
        n->files.items[i]->is_needed = true;
        add_contents(&all, n->files.items[i], u->files.items[i].digest);
    }
    *contents = n->contents = record_key(&all);
    for (int i = 0; i < n->files.count && s->overlay.count; i++) {
        known_file_look(s, n->files.items[i]);
        if (n->files.items[i]->overlaid)
            return false;
    }
    const uint64_t *names = names_of(s, n);
    for (int i = 0; i < u->folders.count; i++)
        add_folder(s, n, u->folders.items[i]);
    for (int i = 0; i < n->folders.count; i++)
        if (!watch(s, n, &n->folders.items[i], names))
            return false;
    n->text = arena_text(s->arena, u->text, u->length);
    n->length = u->length;
    LIST_ADD(s->arena, &s->units, n);
    return true;
}

/* Saves what is new, in one transaction, and removes what is no longer useful: units of files that
 * no longer exist, all but the newest few of a file, the oldest values. */
#include "analyzer/store/private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
    UNITS_OF_A_FILE = 4
}; /* for files compiled in several ways, or checked from several folders */

/* The most entries of each kind, and their most bytes except for the newest one. */
static const struct {
    int count, bytes;
} most_values[STORE_KINDS] = {
    [STORE_DATABASE] = {16, 32 << 20}, [STORE_COMMANDS] = {4096, 32 << 20},
    [STORE_RESULT] = {64, 64 << 20},   [STORE_TOOL] = {8, 1 << 20},
    [STORE_RUN] = {500, 64 << 20},     [STORE_LAST_RUN] = {128, 64 << 20},
    [STORE_PROGRAM] = {8, 64 << 20},   [STORE_PARTS] = {4, 64 << 20},
    [STORE_QUIET] = {1, 1 << 20},
};

/* ---- statements ----------------------------------------------------------------------------- */

static void bind_digest(sqlite3_stmt *q, int column, const struct digest *d)
{
    sqlite3_bind_blob(q, column, d, sizeof *d, SQLITE_TRANSIENT);
}

static bool done(sqlite3_stmt *q)
{
    bool ok = q && sqlite3_step(q) == SQLITE_DONE;
    sqlite3_reset(q);
    return ok;
}

/* ---- rows ----------------------------------------------------------------------------------- */

enum { RENEW, UPDATE, INSERT, FIND, FILE_STATEMENTS };

#define SET_FILE                                                                                   \
    "UPDATE files SET device = ?2, inode = ?3, size = ?4, mtime = ?5, ctime = ?6, looked = ?7, "   \
    "digest = ?8, sum = ?9 "

/* Not an upsert, which would use up an id each time. */
static const char *const file_sql[FILE_STATEMENTS] = {
    [RENEW] = SET_FILE "WHERE id = ?10 AND path = ?1",
    [UPDATE] = SET_FILE "WHERE path = ?1",
    [INSERT] = ("INSERT INTO files (path, device, inode, size, mtime, ctime, looked, digest, sum) "
                "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"),
    [FIND] = "SELECT id FROM files WHERE path = ?",
};

/* changed: a row exists. */
static bool bind_file(struct store *s, sqlite3_stmt *put, const struct known_file *f, bool *changed)
{
    const struct look *l = &f->look;
    const int64_t numbers[] = {l->device, l->inode, l->size, l->mtime, l->ctime, l->when};
    sqlite3_bind_text(put, 1, f->path, -1, SQLITE_STATIC);
    for (int i = 0; i < 6; i++)
        sqlite3_bind_int64(put, i + 2, numbers[i]);
    bind_digest(put, 8, &f->digest);
    sqlite3_bind_int64(put, 9, (int64_t)known_file_sum(s, f));
    bool ok = done(put);
    *changed = ok && sqlite3_changes(s->db);
    return ok;
}

/* Another process may have added or removed the same path: the id in the database counts. */
static bool put_file(struct store *s, sqlite3_stmt *const *q, struct known_file *f)
{
    bool changed = false;
    if (f->id) {
        sqlite3_bind_int64(q[RENEW], 10, f->id);
        if (!bind_file(s, q[RENEW], f, &changed) || changed)
            return changed;
    }
    if (!bind_file(s, q[UPDATE], f, &changed))
        return false;
    if (!changed) {
        s->has_new_files = true;
        f->id = bind_file(s, q[INSERT], f, &changed) ? sqlite3_last_insert_rowid(s->db) : 0;
        return f->id;
    }
    sqlite3_bind_text(q[FIND], 1, f->path, -1, SQLITE_STATIC);
    f->id = sqlite3_step(q[FIND]) == SQLITE_ROW ? sqlite3_column_int64(q[FIND], 0) : 0;
    sqlite3_reset(q[FIND]);
    return f->id;
}

static bool prepare(struct store *s, sqlite3_stmt **q, const char *const *sql, int count)
{
    bool ok = true;
    for (int i = 0; i < count; i++)
        ok = (q[i] = store_prepare(s, sql[i])) && ok;
    return ok;
}

static void finalize(sqlite3_stmt **q, int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_finalize(q[i]);
}

static bool put_files(struct store *s)
{
    sqlite3_stmt *q[FILE_STATEMENTS];
    bool ok = prepare(s, q, file_sql, FILE_STATEMENTS);
    for (int i = 0; i < s->files.count && ok; i++) {
        struct known_file *f = s->files.items[i];
        bool gone = f->looked_at && digest_same(f->digest, digest_of_nothing);
        if (f->overlaid || (!f->id && gone && !f->is_needed))
            continue;
        if (!f->id || f->changed)
            known_file_look(s, f);
        if (!f->id || f->changed)
            ok = put_file(s, q, f);
    }
    finalize(q, FILE_STATEMENTS);
    return ok;
}

enum { OLD, NEW, TEXT, TRIM, UNIT_STATEMENTS };

static const char *const unit_sql[UNIT_STATEMENTS] = {
    [OLD] = "DELETE FROM units WHERE key = ?",
    [NEW] = "INSERT INTO units (key, path, made_of) VALUES (?, ?, ?)",
    [TEXT] = "INSERT INTO texts (id, data) VALUES (?, ?)",
    [TRIM] = ("DELETE FROM units WHERE path = ?1 AND id NOT IN "
              "(SELECT id FROM units WHERE path = ?1 ORDER BY id DESC LIMIT ?2)"),
};

static bool put_unit(struct store *s, sqlite3_stmt *const *q, const struct new_unit *u)
{
    struct text made_of = {0};
    made_of_print(u, &made_of);
    bind_digest(q[OLD], 1, &u->key);
    bind_digest(q[NEW], 1, &u->key);
    sqlite3_bind_text(q[NEW], 2, u->path, -1, SQLITE_STATIC);
    sealed_bind(s, q[NEW], 3, (struct row_name){ROW_MADE_OF, u->key}, made_of.data, made_of.length);
    text_free(&made_of);
    if (!done(q[OLD]) || !done(q[NEW]))
        return false;
    sqlite3_bind_int64(q[TEXT], 1, sqlite3_last_insert_rowid(s->db));
    sealed_bind(s, q[TEXT], 2, (struct row_name){ROW_TEXT, u->key}, u->text, u->length);
    sqlite3_bind_text(q[TRIM], 1, u->path, -1, SQLITE_STATIC);
    sqlite3_bind_int(q[TRIM], 2, UNITS_OF_A_FILE);
    return done(q[TEXT]) && done(q[TRIM]);
}

static bool put_units(struct store *s)
{
    sqlite3_stmt *q[UNIT_STATEMENTS];
    bool ok = prepare(s, q, unit_sql, UNIT_STATEMENTS);
    for (int i = 0; i < s->units.count && ok; i++)
        ok = put_unit(s, q, s->units.items[i]);
    finalize(q, UNIT_STATEMENTS);
    return ok;
}

/* Only of units that are still the ones found: another process may have replaced them. */
static bool put_noted(struct store *s)
{
    sqlite3_stmt *put =
        store_prepare(s, "UPDATE units SET made_of = ?1 WHERE key = ?2 AND made_of = ?3");
    bool ok = put;
    for (int i = 0; i < s->noted.count && ok; i++) {
        const struct made_of *m = &s->noted.items[i];
        const struct row_name name = {ROW_MADE_OF, m->key};
        sealed_bind(s, put, 1, name, m->data, m->length);
        bind_digest(put, 2, &m->key);
        sealed_bind(s, put, 3, name, m->before, m->length_before);
        ok = done(put);
    }
    sqlite3_finalize(put);
    return ok;
}

static bool put_values(struct store *s)
{
    sqlite3_stmt *put =
        store_prepare(s, "INSERT OR REPLACE INTO kept (kind, key, data) VALUES (?, ?, ?)");
    sqlite3_stmt *trim =
        store_prepare(s, "DELETE FROM kept WHERE id IN (SELECT id FROM (SELECT id, "
                         "row_number() OVER newest AS place, "
                         "sum(length(data)) OVER newest AS bytes FROM kept WHERE kind = ?1 "
                         "WINDOW newest AS (ORDER BY id DESC)) "
                         "WHERE place > ?2 OR (place > 1 AND bytes > ?3))");
    bool ok = put && trim;
    for (int i = 0; i < s->values.count && ok; i++) {
        const struct new_value *v = &s->values.items[i];
        sqlite3_bind_int(put, 1, (int)v->kind);
        bind_digest(put, 2, &v->key);
        sealed_bind(s, put, 3, (struct row_name){(int)v->kind, v->key}, v->data, v->length);
        ok = done(put);
    }
    for (int kind = 0; kind < STORE_KINDS && ok && s->values.count; kind++) {
        sqlite3_bind_int(trim, 1, kind);
        sqlite3_bind_int(trim, 2, most_values[kind].count);
        sqlite3_bind_int(trim, 3, most_values[kind].bytes);
        ok = done(trim);
    }
    sqlite3_finalize(put);
    sqlite3_finalize(trim);
    return ok;
}

static bool forget_gone(struct store *s)
{
    sqlite3_stmt *all = store_prepare(s, "SELECT DISTINCT path FROM units");
    sqlite3_stmt *forget = store_prepare(s, "DELETE FROM units WHERE path = ?");
    LIST(const char *) gone = {0};
    bool ok = all && forget;
    while (ok && sqlite3_step(all) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(all, 0);
        if (path && !known_file_was_there(s, path) && access(path, F_OK) && errno == ENOENT)
            LIST_ADD(s->arena, &gone, arena_text(s->arena, path, strlen(path)));
    }
    sqlite3_reset(all);
    for (int i = 0; i < gone.count && ok; i++) {
        sqlite3_bind_text(forget, 1, gone.items[i], -1, SQLITE_STATIC);
        ok = done(forget);
    }
    sqlite3_finalize(all);
    sqlite3_finalize(forget);
    return ok;
}

/* ---- files that nothing needs ---------------------------------------------------------------- */

/* By id: the files that units depend on, and those examined in this run. */
struct marks {
    bool *is_needed;
    int64_t count;
};

static void mark(struct marks *m, int64_t id)
{
    if (id > 0 && id < m->count)
        m->is_needed[id] = true;
}

/* A damaged row is never used, so it needs no files. */
static void mark_unit(const struct store *s, struct marks *m, sqlite3_stmt *q)
{
    size_t length;
    const struct row_name name = {ROW_MADE_OF, key_column(q, 1)};
    const char *data = sealed_column(s, q, 0, name, &length);
    struct record_reader r = record_open(data, data ? length : 0);
    int64_t id;
    for (struct made_of_reader all = made_of_open(&r); made_of_next(&all, &id);)
        mark(m, id);
}

static int64_t highest_file(struct store *s)
{
    sqlite3_stmt *q = store_prepare(s, "SELECT max(id) FROM files");
    int64_t id = q && sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_finalize(q);
    return id;
}

static bool delete_unmarked(struct store *s, const struct marks *m)
{
    sqlite3_stmt *all = store_prepare(s, "SELECT id FROM files");
    sqlite3_stmt *forget = store_prepare(s, "DELETE FROM files WHERE id = ?");
    LIST(int64_t) gone = {0};
    bool ok = all && forget;
    while (ok && sqlite3_step(all) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(all, 0);
        if (id <= 0 || id >= m->count || !m->is_needed[id])
            LIST_ADD(s->arena, &gone, id);
    }
    sqlite3_reset(all);
    for (int i = 0; i < gone.count && ok; i++) {
        sqlite3_bind_int64(forget, 1, gone.items[i]);
        ok = done(forget);
    }
    sqlite3_finalize(all);
    sqlite3_finalize(forget);
    return ok;
}

/* Only after adding files may there be too many. */
static bool forget_files(struct store *s)
{
    struct marks m = {.count = highest_file(s) + 1};
    m.is_needed = arena_array(s->arena, bool, m.count);
    sqlite3_stmt *q = store_prepare(s, "SELECT made_of, key FROM units");
    bool ok = q;
    while (ok && sqlite3_step(q) == SQLITE_ROW)
        mark_unit(s, &m, q);
    sqlite3_finalize(q);
    for (int i = 0; i < s->files.count; i++)
        if (s->files.items[i]->looked_at)
            mark(&m, s->files.items[i]->id);
    return ok && delete_unmarked(s, &m);
}

/* ---- all ------------------------------------------------------------------------------------ */

/* A file modified a moment ago is read again next time in any case. */
static bool is_worth_noting(const struct store *s)
{
    bool any = false;
    for (int i = 0; i < s->files.count && !any; i++) {
        const struct known_file *f = s->files.items[i];
        any = f->changed && f->looked_at && !f->overlaid && known_file_is_settled(f);
    }
    return any;
}

static bool is_anything_new(const struct store *s)
{
    return s->units.count || s->values.count || s->noted.count || is_worth_noting(s);
}

/* Ids of the old database mean nothing in a new one. */
static bool begin_anew(struct store *s, struct error *e)
{
    if (s->damaged && !store_set_aside(s, e))
        return false;
    for (int i = 0; i < s->files.count; i++)
        s->files.items[i]->id = 0;
    s->noted.count = 0;
    return store_make(s, e);
}

static bool run(struct store *s, const char *sql)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

bool store_save(struct store *s, struct error *e)
{
    if (!s->damaged && !is_anything_new(s))
        return true;
    if ((s->damaged || !s->db) && !begin_anew(s, e))
        return false;
    if (!sqlite3_get_autocommit(s->db))
        run(s, "COMMIT"); /* the read transaction */
    /* No waiting for the disk: after a power failure the seals show what is intact. */
    bool begun = run(s, "PRAGMA synchronous = OFF") && run(s, "BEGIN IMMEDIATE");
    bool ok = begun && put_files(s) && put_units(s) && put_noted(s) && put_values(s) &&
              (!s->units.count || forget_gone(s)) && (!s->has_new_files || forget_files(s)) &&
              run(s, "COMMIT");
    if (!ok)
        error_at(e, s->path, 0, 0, "cannot be written: %s", sqlite3_errmsg(s->db));
    if (begun && !ok)
        run(s, "ROLLBACK");
    s->has_new_files = false;
    s->units.count = ok ? 0 : s->units.count;
    s->values.count = ok ? 0 : s->values.count;
    s->noted.count = ok ? 0 : s->noted.count;
    for (int i = 0; i < s->files.count && ok; i++)
        s->files.items[i]->changed = false;
    return ok;
}

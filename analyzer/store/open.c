/* Opens, creates, sets aside and removes the store's file. It is created under another name and
 * then linked into place, so that nobody ever sees an incomplete one. */
#include "analyzer/store/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    APPLICATION = 0x6d637374, /* identifies the file as ours */
    VERSION = 4,              /* of the tables; an older store is replaced */
    PATIENCE_MS = 3000        /* for other writers */
};

static const char schema[] =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = OFF;"
    "BEGIN;"
    /* Ids are never reused: a run in progress may still refer to the old file. */
    "CREATE TABLE files (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE,"
    "  device INTEGER,"
    "  inode INTEGER, size INTEGER, mtime INTEGER, ctime INTEGER, looked INTEGER, digest BLOB,"
    "  sum INTEGER);"
    "CREATE TABLE units (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, path TEXT NOT NULL,"
    "  made_of BLOB);"
    /* A table of its own, so that what is read for every unit is stored close together. */
    "CREATE TABLE texts (id INTEGER PRIMARY KEY, data BLOB);"
    "CREATE TRIGGER unit_gone AFTER DELETE ON units BEGIN"
    "  DELETE FROM texts WHERE id = OLD.id; END;"
    "CREATE INDEX units_by_path ON units (path);"
    "CREATE TABLE kept (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, key BLOB NOT NULL,"
    "  data BLOB, UNIQUE (kind, key));";

/* The clock used for file times: it is never ahead of them. */
int64_t store_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME_COARSE, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- statements ----------------------------------------------------------------------------- */

static void note_trouble(struct store *s, int code)
{
    int kind = code & 0xff;
    s->damaged |= kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || kind == SQLITE_ERROR ||
                  kind == SQLITE_IOERR;
}

sqlite3_stmt *store_prepare(struct store *s, const char *sql)
{
    sqlite3_stmt *q = NULL;
    if (!s->db || s->damaged)
        return NULL;
    int code = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
    if (code != SQLITE_OK)
        note_trouble(s, code);
    return q;
}

bool store_step(struct store *s, sqlite3_stmt *q)
{
    int code = sqlite3_step(q);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        note_trouble(s, code);
    return code == SQLITE_ROW;
}

static int64_t pragma(struct store *s, const char *sql)
{
    sqlite3_stmt *q = store_prepare(s, sql);
    int64_t value = q && store_step(s, q) ? sqlite3_column_int64(q, 0) : -1;
    sqlite3_finalize(q);
    return value;
}

/* ---- the file ------------------------------------------------------------------------------- */

static void close_file(struct store *s)
{
    sqlite3_finalize(s->find_unit);
    sqlite3_finalize(s->read_unit);
    sqlite3_finalize(s->find_value);
    s->find_unit = s->read_unit = s->find_value = NULL;
    sqlite3_close(s->db);
    s->db = NULL;
}

static bool open_file(struct store *s, const char *name, struct error *e)
{
    int code = inside_open(s, name);
    if (code == SQLITE_OK)
        sqlite3_busy_timeout(s->db, s->patience);
    else
        error_at(e, s->path, 0, 0, "cannot be opened: %s", sqlite3_errstr(code));
    if (code != SQLITE_OK)
        close_file(s);
    return s->db;
}

/* SQLite's files next to the database. */
static const char *const beside[] = {STORE_FILE "-wal", STORE_FILE "-shm", STORE_FILE "-journal"};
enum { BESIDE = sizeof beside / sizeof *beside };

static void remove_beside(const struct store *s)
{
    for (int i = 0; i < BESIDE; i++)
        unlinkat(s->folder->fd, beside[i], 0);
}

/* Files are created and removed by one process at a time: the log of a store that another process
 * has just created must not be removed with an old one. */
static int lock_folder(const struct store *s)
{
    int fd = openat(s->folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int waited = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && waited < s->patience; waited++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return fd;
}

static void unlock_folder(int fd)
{
    if (fd >= 0)
        close(fd);
}

static bool look_at(const struct store *s, const char *name, struct stat *st)
{
    return !fstatat(s->folder->fd, name, st, AT_SYMLINK_NOFOLLOW);
}

/* Only if it is still the same file, not one that another process has created since. */
static bool is_still_there(const struct store *s)
{
    struct stat st;
    return look_at(s, STORE_FILE, &st) && (int64_t)st.st_ino == s->inode;
}

/* An empty one can be removed: a crash may leave it behind. */
static bool take_away(struct store *s, struct error *e)
{
    struct stat st;
    int fd = s->folder->fd;
    if (!is_still_there(s))
        return true;
    bool empty = look_at(s, STORE_FILE, &st) && !st.st_size;
    if ((empty ? unlinkat(fd, STORE_FILE, 0)
               : renameat(fd, STORE_FILE, fd, STORE_FILE ".damaged")) &&
        errno != ENOENT)
        return error_at(e, s->path, 0, 0, "is damaged, and cannot be set aside: %s",
                        strerror(errno));
    remove_beside(s);
    if (!s->old && !empty)
        error_at(e, s->path, 0, 0, "is damaged: it was set aside and replaced");
    return true;
}

bool store_set_aside(struct store *s, struct error *e)
{
    close_file(s);
    int lock = lock_folder(s);
    bool ok = take_away(s, e);
    unlock_folder(lock);
    s->damaged = s->damaged && !ok;
    return ok;
}

static bool fill(struct store *s, struct error *e)
{
    const char *marks =
        arena_printf(s->arena, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT;",
                     APPLICATION, VERSION);
    bool ok = sqlite3_exec(s->db, schema, NULL, NULL, NULL) == SQLITE_OK &&
              sqlite3_exec(s->db, marks, NULL, NULL, NULL) == SQLITE_OK;
    return ok || error_at(e, s->path, 0, 0, "cannot be made: %s", sqlite3_errmsg(s->db));
}

/* Another process may have been faster; its store will do. Not every file system supports the
 * first. */
static bool put_in_place(struct store *s, const char *made, struct error *e)
{
    struct stat st;
    int fd = s->folder->fd;
    if (!look_at(s, STORE_FILE, &st))
        remove_beside(s);
    if (!renameat2(fd, made, fd, STORE_FILE, RENAME_NOREPLACE))
        return true;
    if (errno == EEXIST || !linkat(fd, made, fd, STORE_FILE, 0) || errno == EEXIST)
        return !unlinkat(fd, made, 0) || true;
    return !renameat(fd, made, fd, STORE_FILE) ||
           error_at(e, s->path, 0, 0, "cannot be made: %s", strerror(errno));
}

bool store_make(struct store *s, struct error *e)
{
    char made[64];
    if (!state_make(s->folder, e))
        return false;
    int fd = state_create(s->folder, STORE_FILE, made, sizeof made);
    if (fd < 0)
        return error_at(e, s->path, 0, 0, "cannot be made: %s", strerror(errno));
    close(fd);
    bool ok = open_file(s, made, e) && fill(s, e);
    close_file(s);
    int lock = ok ? lock_folder(s) : -1;
    ok = ok && put_in_place(s, made, e);
    unlock_folder(lock);
    if (!ok)
        unlinkat(s->folder->fd, made, 0);
    return ok && open_file(s, STORE_FILE, e);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* A file of another program or of a newer miscast is not touched. */
static bool is_ours(struct store *s, struct error *e)
{
    int64_t application = pragma(s, "PRAGMA application_id");
    int64_t version = pragma(s, "PRAGMA user_version");
    if (s->damaged)
        return false;
    if (application < 0 || version < 0)
        return error_at(e, s->path, 0, 0, "cannot be read: %s", sqlite3_errmsg(s->db));
    if (application != APPLICATION)
        return error_at(e, s->path, 0, 0, "is not a miscast store: nothing is kept");
    if (version > VERSION)
        return error_at(e, s->path, 0, 0, "was written by a newer miscast: nothing is kept");
    s->damaged = s->old = version < VERSION;
    return !s->damaged;
}

/* SQLite must not open a link, a pipe or a device. */
static bool are_plain(const struct store *s, struct error *e)
{
    if (!state_is_plain(s->folder, STORE_FILE))
        return error_at(e, s->path, 0, 0, "is not a plain file: nothing is kept");
    for (int i = 0; i < BESIDE; i++)
        if (!state_is_plain(s->folder, beside[i]))
            return error_at(e, s->folder->path, 0, 0, "%s is not a plain file: nothing is kept",
                            beside[i]);
    return true;
}

static bool open_existing(struct store *s, struct error *e)
{
    struct stat st;
    if (s->folder->fd < 0 || !look_at(s, STORE_FILE, &st))
        return true;
    if (!are_plain(s, e))
        return false;
    if (faccessat(s->folder->fd, STORE_FILE, W_OK, 0))
        return error_at(e, s->path, 0, 0, "cannot be written: %s", strerror(errno));
    s->inode = (int64_t)st.st_ino;
    s->damaged = st.st_size == 0;
    /* Everything is read in one transaction, which takes the locks once. */
    if (!s->damaged && open_file(s, STORE_FILE, e) && is_ours(s, e)) {
        sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL);
        return true;
    }
    return s->damaged && store_set_aside(s, e);
}

struct store *store_open(struct state_folder *folder, struct error *e)
{
    struct arena *a = arena_new();
    struct store *s = arena_one(a, struct store);
    *s = (struct store){.arena = a,
                        .folder = folder,
                        .path = arena_printf(a, "%s/%s", folder->path, STORE_FILE),
                        .began = store_now(),
                        .patience = PATIENCE_MS,
                        .files_by_path = map_new(a)};
    inside_begin(s);
    if (open_existing(s, e))
        return s;
    store_close(s);
    return NULL;
}

void store_set_patience(struct store *s, int milliseconds)
{
    s->patience = milliseconds;
    if (s->db)
        sqlite3_busy_timeout(s->db, milliseconds);
}

void store_close(struct store *s)
{
    if (!s)
        return;
    close_file(s);
    inside_end(s);
    free(s->buffer);
    arena_free(s->arena);
}

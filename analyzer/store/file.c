/* The current contents of files and folders, read again only if they may have changed. */
#include "analyzer/store/private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file modified less than this before it was read may have been modified again since. */
static const int64_t settled_after = 2000000000;

/* ---- what the database knows ---------------------------------------------------------------- */

/* The seal of a row: rows left incomplete by a power failure, or written by somebody else, are not
 * trusted. */
uint64_t known_file_sum(const struct store *s, const struct known_file *f)
{
    struct digest path = seal_of(&s->folder->seal, f->path, strlen(f->path));
    struct {
        struct look look;
        struct digest digest;
    } all = {f->look, f->digest};
    return seal_of(&(struct seal){{path.low, path.high}}, &all, sizeof all).low;
}

static void take_row(struct store *s, sqlite3_stmt *q)
{
    struct known_file *f = arena_one(s->arena, struct known_file);
    const char *path = (const char *)sqlite3_column_text(q, 1);
    if (!path || sqlite3_column_bytes(q, 8) != (int)sizeof f->digest)
        return;
    *f = (struct known_file){.id = sqlite3_column_int64(q, 0),
                             .path = arena_text(s->arena, path, strlen(path)),
                             .look = {.device = sqlite3_column_int64(q, 2),
                                      .inode = sqlite3_column_int64(q, 3),
                                      .size = sqlite3_column_int64(q, 4),
                                      .mtime = sqlite3_column_int64(q, 5),
                                      .ctime = sqlite3_column_int64(q, 6),
                                      .when = sqlite3_column_int64(q, 7)}};
    memcpy(&f->digest, sqlite3_column_blob(q, 8), sizeof f->digest);
    if ((uint64_t)sqlite3_column_int64(q, 9) != known_file_sum(s, f))
        return;
    LIST_ADD(s->arena, &s->files, f);
    f->hash = hash_bytes(f->path, strlen(f->path), 0);
    map_put(s->files_by_path, f->hash, f);
    s->highest_id = f->id > s->highest_id ? f->id : s->highest_id;
}

void files_load(struct store *s)
{
    if (s->files_loaded)
        return;
    s->files_loaded = true;
    sqlite3_stmt *q =
        store_prepare(s, "SELECT id, path, device, inode, size, mtime, ctime, "
                         "looked, digest, sum FROM files WHERE id BETWEEN 1 AND 10000000");
    while (q && store_step(s, q))
        take_row(s, q);
    sqlite3_finalize(q);
    s->files_by_id = arena_array(s->arena, struct known_file *, s->highest_id + 1);
    for (int i = 0; i < s->files.count; i++)
        s->files_by_id[s->files.items[i]->id] = s->files.items[i];
}

struct known_file *known_file_at(const struct store *s, int64_t id)
{
    return s->files_loaded && id > 0 && id <= s->highest_id ? s->files_by_id[id] : NULL;
}

struct known_file *known_file_of(struct store *s, const char *path)
{
    uint64_t key = hash_bytes(path, strlen(path), 0);
    files_load(s);
    struct known_file *f = map_get(s->files_by_path, key);
    if (f && !strcmp(f->path, path))
        return f;
    f = arena_one(s->arena, struct known_file);
    f->path = arena_printf(s->arena, "%s", path);
    f->hash = key;
    f->digest = digest_of_nothing;
    f->changed = true;
    LIST_ADD(s->arena, &s->files, f);
    map_put(s->files_by_path, key, f);
    return f;
}

bool known_file_was_there(const struct store *s, const char *path)
{
    const struct known_file *f =
        s->files_loaded ? map_get(s->files_by_path, hash_bytes(path, strlen(path), 0)) : NULL;
    return f && f->looked_at && f->look.inode && !strcmp(f->path, path);
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool grow(struct store *s, size_t room)
{
    char *more = room > s->room ? realloc(s->buffer, room) : s->buffer;
    if (!more)
        return false;
    s->buffer = more;
    s->room = room > s->room ? room : s->room;
    return true;
}

/* Reads the file, which may have grown, into the buffer; false also if it has no end. */
static bool read_file(struct store *s, int fd, size_t size, struct digest *d)
{
    size_t length = 0;
    while (length <= file_most_bytes(FILE_SUMMARY)) {
        if (length >= s->room - (s->room > 0) && !grow(s, length ? length * 2 : size + 4096))
            return false;
        ssize_t n = read(fd, s->buffer + length, s->room - length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        if (n == 0) {
            *d = digest_bytes(s->buffer, length);
            return true;
        }
        length += (size_t)n;
    }
    return false;
}

static bool has_an_end(const struct stat *st)
{
    return S_ISREG(st->st_mode) && (uint64_t)st->st_size <= file_most_bytes(FILE_SUMMARY);
}

static int compare_names(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Our own folder may come and go without any effect. */
static bool is_listed(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, ".miscast") != 0;
}

static bool list_folder(const char *path, struct digest *d)
{
    DIR *dir = opendir(path);
    struct arena *scratch = arena_new();
    LIST(const char *) names = {0};
    struct text all = {0};
    for (struct dirent *n; dir && (n = readdir(dir));)
        if (is_listed(n->d_name))
            LIST_ADD(scratch, &names, arena_text(scratch, n->d_name, strlen(n->d_name)));
    if (names.count)
        qsort(names.items, (size_t)names.count, sizeof *names.items, compare_names);
    for (int i = 0; i < names.count; i++)
        record_text(&all, names.items[i]);
    *d = record_key(&all);
    arena_free(scratch);
    return dir && !closedir(dir);
}

/* ---- whether it must be read ---------------------------------------------------------------- */

static int64_t ns(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct look look_of(const struct stat *st)
{
    return (struct look){.device = (int64_t)st->st_dev,
                         .inode = (int64_t)st->st_ino,
                         .size = st->st_size,
                         .mtime = ns(st->st_mtim),
                         .ctime = ns(st->st_ctim)};
}

static bool is_same(const struct look *a, const struct look *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->mtime == b->mtime && a->ctime == b->ctime;
}

static bool is_settled(const struct look *l)
{
    return l->when - l->mtime > settled_after && l->when - l->ctime > settled_after;
}

bool known_file_is_settled(const struct known_file *f)
{
    return is_settled(&f->look);
}

static bool read_anew(struct store *s, const char *path, struct look *look, struct digest *d)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool ok = fd >= 0 && !fstat(fd, &st);
    if (ok) {
        *look = look_of(&st);
        look->when = store_now();
    }
    if (ok && S_ISDIR(st.st_mode))
        ok = list_folder(path, d);
    else
        ok = ok && has_an_end(&st) && read_file(s, fd, (size_t)st.st_size, d);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* ---- files that are taken to contain something else ------------------------------------------ */

void store_overlay(struct store *s, const char *path, struct digest d)
{
    struct stat st;
    struct stand_in in = {.path = arena_printf(s->arena, "%s", path), .digest = d};
    if (!stat(path, &st)) {
        in.device = (int64_t)st.st_dev;
        in.inode = (int64_t)st.st_ino;
    }
    LIST_ADD(s->arena, &s->overlay, in);
}

/* For a file that does not exist: the real path of its folder, and its own name. */
static bool is_at(struct store *s, const char *path, const char *wanted)
{
    const char *slash = strrchr(path, '/'), *last = strrchr(wanted, '/');
    if (!slash || !last || strcmp(slash, last) != 0)
        return false;
    char *folder = realpath(arena_text(s->arena, path, (size_t)(slash - path)), NULL);
    size_t n = (size_t)(last - wanted);
    bool same = folder && strlen(folder) == n && !memcmp(folder, wanted, n);
    free(folder);
    return same;
}

/* st: NULL if it does not exist. */
static bool look_at_overlay(struct store *s, struct known_file *f, const struct stat *st)
{
    for (int i = 0; i < s->overlay.count; i++) {
        const struct stand_in *in = &s->overlay.items[i];
        bool same = st ? in->inode == (int64_t)st->st_ino && in->device == (int64_t)st->st_dev
                       : !in->inode && is_at(s, f->path, in->path);
        if (!same)
            continue;
        f->digest = in->digest;
        f->overlaid = true;
        return true;
    }
    return false;
}

void known_file_look(struct store *s, struct known_file *f)
{
    struct stat st;
    struct look now = {0};
    struct digest d = digest_of_nothing;
    if (f->looked_at)
        return;
    f->looked_at = true;
    bool there = !stat(f->path, &st);
    if (look_at_overlay(s, f, there ? &st : NULL))
        return;
    if (there) {
        now = look_of(&st);
        if (f->look.when && is_same(&now, &f->look) && is_settled(&f->look))
            return;
        if (!read_anew(s, f->path, &now, &d)) {
            now = (struct look){0};
            d = digest_of_nothing;
        }
    }
    bool same = is_same(&now, &f->look) && digest_same(d, f->digest);
    f->changed |= !same || (is_settled(&now) && !is_settled(&f->look));
    f->look = now;
    f->digest = d;
}

bool store_file(struct store *s, const char *path, struct digest *d)
{
    struct known_file *f = known_file_of(s, path);
    known_file_look(s, f);
    *d = f->digest;
    return !digest_same(*d, digest_of_nothing);
}

/* ---- names in a folder ---------------------------------------------------------------------- */

uint64_t base_name_hash(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return hash_bytes(name, strlen(name), 0);
}

static void load_names(struct store *s, struct known_file *folder)
{
    DIR *dir = opendir(folder->path);
    folder->names = map_new(s->arena);
    for (struct dirent *n; dir && (n = readdir(dir));)
        map_put(folder->names, hash_bytes(n->d_name, strlen(n->d_name), 0), folder);
    if (dir)
        closedir(dir);
}

/* Whether that name in the folder is a file that can be read. */
static bool is_readable(const char *folder, const char *path)
{
    char other[4096];
    struct stat st;
    const char *slash = strrchr(path, '/');
    int n = snprintf(other, sizeof other, "%s%s", folder, slash ? slash : path);
    return n < (int)sizeof other &&
           (!strcmp(other, path) ||
            (!stat(other, &st) && S_ISREG(st.st_mode) && !access(other, R_OK)));
}

bool folder_has(struct store *s, struct known_file *folder, const struct new_unit *u,
                const uint64_t *names, uint64_t *has)
{
    *has = NOTHING_HAS;
    if (digest_same(folder->digest, digest_of_nothing))
        return true;
    if (!folder->names)
        load_names(s, folder);
    for (int i = 0; i < u->files.count; i++) {
        if (!map_get(folder->names, names[i]))
            continue;
        if (!is_readable(folder->path, u->files.items[i]->path))
            return false;
        *has = hash_words(*has, names[i], 1);
    }
    for (int i = 0; i < u->names.count; i++)
        if (map_get(folder->names, u->names.items[i]))
            *has = hash_words(*has, u->names.items[i], 2);
    return true;
}

static struct known_file *find_above(struct store *s, const char *path, uint64_t *name)
{
    char *at = arena_printf(s->arena, "%s", path);
    for (char *slash; (slash = strrchr(at, '/')) && slash > at && slash[1];) {
        *slash = '\0';
        struct known_file *f = known_file_of(s, at);
        known_file_look(s, f);
        if (digest_same(f->digest, digest_of_nothing))
            continue;
        if (!f->names)
            load_names(s, f);
        *name = hash_bytes(slash + 1, strlen(slash + 1), 0);
        return map_get(f->names, *name) ? NULL : f;
    }
    return NULL;
}

const struct above *folder_above(struct store *s, struct known_file *folder)
{
    if (!folder->above.is_known)
        folder->above.folder = find_above(s, folder->path, &folder->above.name);
    folder->above.is_known = true;
    return &folder->above;
}

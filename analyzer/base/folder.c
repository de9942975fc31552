/* The folder of cached results: a path comes in, an open folder goes out whose contents this user
 * made. It may lie in a checkout, which can contain anything under that name: symbolic links are
 * not followed, and a folder without the user's seal is not used. All files in it are opened
 * relative to the open folder, so that replacing the folder later has no effect. */
#include "analyzer/base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char seal_name[] = "seal";
enum { SEAL_LENGTH = 64 }; /* an id and its seal, in hexadecimal digits */

static const struct {
    const char *name, *text;
} marks[] = {
    {"CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"
                     "# What miscast keeps from run to run. It can be removed at any time.\n"},
    {".gitignore", "*\n"},
};
enum { MARKS = sizeof marks / sizeof *marks };

/* A file whose contents are trusted when read. */
static const char *const results[] = {"store.db", "store.db-wal", "store.db-shm",
                                      "store.db-journal", "verdicts.json"};
enum { RESULTS = sizeof results / sizeof *results };

static void close_if_open(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* ---- the way there -------------------------------------------------------------------------- */

/* Whether there is something of that name that is not a folder. */
static bool is_in_the_way(int parent, const char *name, bool *is_link)
{
    struct stat st;
    bool there = !fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW);
    *is_link = there && S_ISLNK(st.st_mode);
    return there && !S_ISDIR(st.st_mode);
}

/* Descends one step: *fd becomes the folder of that name in it. */
static bool step(struct state_folder *f, int *fd, const char *name)
{
    int next = openat(*fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0)
        is_in_the_way(*fd, name, &f->leads_through_link);
    close_if_open(fd);
    *fd = next;
    return next >= 0;
}

/* Opens its parent folder. f->parent -1: there is none. */
static void open_parent(struct state_folder *f, size_t trusted)
{
    char *path = arena_printf(f->arena, "%s", f->path), *at = path + trusted, *slash;
    const char *first = trusted ? arena_text(f->arena, path, trusted) : *path == '/' ? "/" : ".";
    f->parent = open(first, O_PATH | O_DIRECTORY | O_CLOEXEC);
    while (f->parent >= 0 && (slash = strchr(at, '/'))) {
        *slash = '\0';
        if (*at && !step(f, &f->parent, at))
            return;
        at = slash + 1;
    }
    f->name = at;
}

static bool open_folder(struct state_folder *f, struct error *e)
{
    bool is_link = false;
    f->fd = openat(f->parent, f->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (f->fd >= 0 || errno == ENOENT)
        return true;
    int code = errno;
    if (is_in_the_way(f->parent, f->name, &is_link))
        return error_at(e, f->path, 0, 0, "is %s: it is left alone",
                        is_link ? "a link, which is not followed" : "not a folder");
    return error_at(e, f->path, 0, 0, "cannot be opened: %s", strerror(code));
}

/* It must belong to us or to the owner of the project, not to a third user. */
static bool has_known_owner(const struct state_folder *f)
{
    struct stat own, above;
    return !fstat(f->fd, &own) && !fstat(f->parent, &above) &&
           (own.st_uid == geteuid() || own.st_uid == above.st_uid);
}

/* ---- the seal ------------------------------------------------------------------------------- */

static void print_digest(char *to, struct digest d)
{
    snprintf(to, 33, "%016" PRIx64 "%016" PRIx64, d.low, d.high);
}

/* The contents of the file with the seal. */
static void print_seal(const struct state_folder *f, struct digest id, char text[SEAL_LENGTH + 2])
{
    print_digest(text, id);
    print_digest(text + SEAL_LENGTH / 2, seal_of(&f->secret, text, SEAL_LENGTH / 2));
    text[SEAL_LENGTH] = '\n';
    text[SEAL_LENGTH + 1] = '\0';
}

/* Each folder has a key of its own, so that results cannot be moved from one to another. */
static bool take_seal(struct state_folder *f)
{
    size_t length;
    char *text = state_read(f, f->arena, seal_name, &length);
    struct digest sealed;
    char wanted[SEAL_LENGTH];
    if (!text || length != SEAL_LENGTH + 1)
        return false;
    print_digest(wanted, seal_of(&f->secret, text, SEAL_LENGTH / 2));
    if (memcmp(text + SEAL_LENGTH / 2, wanted, SEAL_LENGTH / 2) != 0)
        return false;
    sealed = seal_of(&f->secret, text, SEAL_LENGTH);
    f->seal = (struct seal){{sealed.low, sealed.high}};
    f->is_sealed = true;
    return true;
}

static bool has(const struct state_folder *f, const char *name)
{
    struct stat st;
    return !fstatat(f->fd, name, &st, AT_SYMLINK_NOFOLLOW);
}

/* An empty one means nothing: a crash may leave it behind. */
static bool has_results(const struct state_folder *f)
{
    struct stat st;
    for (size_t i = 0; i < RESULTS; i++)
        if (!fstatat(f->fd, results[i], &st, AT_SYMLINK_NOFOLLOW) &&
            !(S_ISREG(st.st_mode) && !st.st_size))
            return true;
    return has(f, seal_name);
}

static bool make_seal(struct state_folder *f, struct error *e)
{
    struct digest id;
    char text[SEAL_LENGTH + 2];
    if (getrandom(&id, sizeof id, 0) != (ssize_t)sizeof id)
        return error_at(e, f->path, 0, 0, "cannot be made: no random numbers");
    print_seal(f, id, text);
    return state_write(f, seal_name, text, SEAL_LENGTH + 1, true, e) &&
           (take_seal(f) ||
            error_at(e, f->path, 0, 0, "is being made by somebody else: it is left alone"));
}

/* ---- opening -------------------------------------------------------------------------------- */

static bool look(struct state_folder *f, struct error *e)
{
    if (f->parent < 0)
        return !f->leads_through_link ||
               error_at(e, f->path, 0, 0, "lies behind a link, which is not followed");
    if (!open_folder(f, e))
        return false;
    if (f->fd < 0)
        return true;
    if (!has_known_owner(f))
        return error_at(e, f->path, 0, 0, "belongs to another user: it is left alone");
    /* Twice: another process may have made the seal between the two looks. */
    return take_seal(f) || !has_results(f) || take_seal(f) ||
           error_at(e, f->path, 0, 0,
                    "holds results that you did not make on this machine: it is left alone, and "
                    "nothing in it is used; unless others need it, remove it");
}

struct state_folder *state_open(const char *path, size_t trusted, const struct seal *secret,
                                bool *through_link, struct error *e)
{
    struct arena *a = arena_new();
    struct state_folder *f = arena_one(a, struct state_folder);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    *f = (struct state_folder){
        .arena = a, .path = arena_text(a, path, length), .fd = -1, .secret = *secret};
    open_parent(f, trusted < length ? trusted : 0);
    bool ok = look(f, e);
    *through_link = f->leads_through_link;
    if (ok)
        return f;
    state_close(f);
    return NULL;
}

void state_close(struct state_folder *f)
{
    if (!f)
        return;
    close_if_open(&f->fd);
    close_if_open(&f->parent);
    arena_free(f->arena);
}

bool state_is_writable(const struct state_folder *f)
{
    return !faccessat(f->fd >= 0 ? f->fd : f->parent, ".", W_OK, 0);
}

/* ---- making --------------------------------------------------------------------------------- */

/* It may have been removed since. */
static bool is_gone(const struct state_folder *f)
{
    struct stat st;
    return f->fd >= 0 && (fstat(f->fd, &st) || !st.st_nlink);
}

bool state_make(struct state_folder *f, struct error *e)
{
    if (is_gone(f)) {
        close_if_open(&f->fd);
        f->is_sealed = false;
    }
    if (f->fd < 0) {
        if (f->parent < 0 || (mkdirat(f->parent, f->name, 0700) && errno != EEXIST))
            return error_at(e, f->path, 0, 0, "cannot be made: %s",
                            strerror(f->parent < 0 ? ENOENT : errno));
        if (!look(f, e))
            return false;
        if (f->fd < 0)
            return error_at(e, f->path, 0, 0, "cannot be made: %s", strerror(errno));
    }
    if (!f->is_sealed && !make_seal(f, e))
        return false;
    for (size_t i = 0; i < MARKS; i++)
        if (!has(f, marks[i].name) &&
            !state_write(f, marks[i].name, marks[i].text, strlen(marks[i].text), false, e))
            return false;
    return true;
}

/* ---- removing ------------------------------------------------------------------------------- */

/* NAME, and files next to it while it is in use: NAME-wal, NAME.a1b2c3. */
static bool is_named(const char *name, const char *file)
{
    size_t n = strlen(file);
    return !strncmp(name, file, n) && (!name[n] || name[n] == '-' || name[n] == '.');
}

/* Except for the seal itself. */
static bool is_ours(const char *name)
{
    for (size_t i = 0; i < RESULTS; i++)
        if (is_named(name, results[i]))
            return true;
    for (size_t i = 0; i < MARKS; i++)
        if (is_named(name, marks[i].name))
            return true;
    return is_named(name, seal_name) && strcmp(name, seal_name) != 0;
}

static bool remove_one(const struct state_folder *f, const char *name, struct error *e)
{
    if (!unlinkat(f->fd, name, 0) || errno == ENOENT)
        return true;
    return error_at(e, f->path, 0, 0, "%s cannot be removed: %s", name, strerror(errno));
}

/* The seal is removed last, so that after an interruption the rest is still ours. */
static bool remove_files(const struct state_folder *f, bool *any, struct error *e)
{
    int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    bool ok = true;
    for (struct dirent *n; ok && d && (n = readdir(d));) {
        if (!is_ours(n->d_name))
            continue;
        ok = remove_one(f, n->d_name, e);
        *any = true;
    }
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
    return ok && remove_one(f, seal_name, e);
}

bool state_remove(struct state_folder *f, bool *any, struct error *e)
{
    *any = false;
    if (f->fd < 0)
        return true;
    if (f->is_sealed && !remove_files(f, any, e))
        return false;
    f->is_sealed = false;
    if (unlinkat(f->parent, f->name, AT_REMOVEDIR) && errno != ENOENT && errno != ENOTEMPTY &&
        errno != EEXIST && errno != EINVAL) /* ".", which stays */
        return error_at(e, f->path, 0, 0, "cannot be removed: %s", strerror(errno));
    return true;
}

/* Where reports go: standard output, and files. All are opened before the first is written, and
 * before --fix changes anything, so that errors are found while nothing has happened yet. A file
 * keeps its contents until its report is complete. */
#include "frontends/driver/check/report_files.h"

#include "frontends/driver/project/cache.h"
#include "frontends/driver/process/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reports all errors but the last, which the caller reports. */
static void put_error(struct error *e, const struct error *next)
{
    if (e->message[0])
        say_error(e);
    *e = *next;
}

/* ---- what is not to be overwritten ------------------------------------------------------------
 */

static bool is_file(const struct stat *what, const char *path)
{
    struct stat st;
    return path && !stat(path, &st) && st.st_dev == what->st_dev && st.st_ino == what->st_ino;
}

static bool is_configured(const struct checking *c, const struct stat *what)
{
    bool found = is_file(what, c->config.path) || is_file(what, c->config.baseline);
    for (int i = 0; i < c->config.packs.count && !found; i++)
        found = is_file(what, c->config.packs.items[i]);
    return found;
}

/* Included files may have any name. */
static bool is_part(struct checking *c, const struct stat *what)
{
    for (int i = 0; i < c->project.inputs.count; i++) {
        read_list reads = {0};
        reads_of(&c->project, &c->project.inputs.items[i], &reads);
        for (int k = 0; k < reads.count; k++)
            if (is_file(what, reads.items[k].path))
                return true;
    }
    return false;
}

static bool is_allowed(struct checking *c, const char *path, struct error *e)
{
    struct stat st;
    if (!output_allowed(&c->project, path, e))
        return false;
    if (stat(path, &st) || !S_ISREG(st.st_mode) || (!is_configured(c, &st) && !is_part(c, &st)))
        return true;
    return error_at(e, path, 0, 0, "is read by the check, and would be overwritten");
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static bool open_file(struct checking *c, struct output *o, struct error *e)
{
    struct stat st;
    if (!is_allowed(c, o->path, e))
        return false;
    o->is_new = lstat(o->path, &st) && errno == ENOENT;
    o->fd = written_open(o->path, e);
    return o->fd >= 0;
}

static bool is_same_file(int a, int b)
{
    struct stat x, y;
    return !fstat(a, &x) && !fstat(b, &y) && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

/* The one before it that goes to the same place; NULL: none. */
static const struct output *other_there(const struct outputs *all, const struct output *o)
{
    for (const struct output *other = all->items.items; other < o; other++)
        if ((!o->path && !other->path) ||
            (other->fd >= 0 && o->fd >= 0 && is_same_file(other->fd, o->fd)))
            return other;
    return NULL;
}

static bool is_alone(const struct outputs *all, const struct output *o, struct error *e)
{
    const struct output *other = other_there(all, o);
    if (!other)
        return true;
    if (!o->path && !other->path)
        return error_set(e, "both %s and %s would go to standard output; give one a file: %s=FILE",
                         other->format, o->format, o->format);
    return error_set(e, "both %s and %s would go to %s", other->format, o->format,
                     o->path ? o->path : other->path);
}

static bool open_one(struct checking *c, struct outputs *all, const char *wanted, struct error *e)
{
    size_t length = strcspn(wanted, "=");
    struct output o = {.format = arena_text(all->arena, wanted, length), .fd = -1};
    if (wanted[length])
        o.path = arena_printf(all->arena, "%s", wanted + length + 1);
    if (o.path && !*o.path)
        return error_set(e, "--format %s names no file", wanted);
    if (o.path && !open_file(c, &o, e))
        return false;
    o.fd = o.path ? o.fd : STDOUT_FILENO;
    LIST_ADD(all->arena, &all->items, o);
    return is_alone(all, &all->items.items[all->items.count - 1], e);
}

bool outputs_open(struct checking *c, struct outputs *all, struct error *e)
{
    const text_list *formats = &c->config.formats;
    struct error found = {0};
    all->is_open = true;
    for (int i = 0; i < formats->count; i++) {
        struct error own = {0};
        if (!open_one(c, all, formats->items[i], &own))
            put_error(&found, &own);
    }
    if (!formats->count)
        open_one(c, all, "text", &found);
    if (!found.message[0])
        return true;
    *e = found;
    outputs_close(all);
    return false;
}

bool outputs_begin(struct checking *c, struct error *e)
{
    struct outputs *all = &c->outputs;
    all->arena = all->arena ? all->arena : c->arena;
    return all->is_open || outputs_open(c, all, e);
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static bool write_file(struct output *o, const struct text *text)
{
    bool ok = written_close(o->fd, written_put(o->fd, text->data, text->length));
    o->fd = -1;
    return ok;
}

static bool write_stdout(const struct text *text)
{
    if ((!text->length || fwrite(text->data, 1, text->length, stdout) == text->length) &&
        !fflush(stdout))
        return true;
    int code = errno;
    __fpurge(stdout); /* it is reported once */
    clearerr(stdout);
    errno = code;
    return false;
}

bool output_put(struct output *o, const struct text *text, struct error *e)
{
    struct error own = {0};
    terminal_hold();
    bool ok = o->path ? write_file(o, text) : write_stdout(text);
    int code = errno;
    if (!ok && o->is_new)
        unlink(o->path);
    terminal_release();
    if (ok)
        return true;
    error_at(&own, o->path ? o->path : "standard output", 0, 0, "cannot be written: %s",
             strerror(code));
    put_error(e, &own);
    return false;
}

void outputs_close(struct outputs *all)
{
    for (int i = 0; i < all->items.count; i++) {
        struct output *o = &all->items.items[i];
        if (!o->path || o->fd < 0)
            continue;
        close(o->fd);
        if (o->is_new)
            unlink(o->path);
        o->fd = -1;
    }
}

/* Applies fixes: collected over all findings, then each file is written once, as a new file that
 * replaces the old one, so that no file is ever half written. If the result does not compile, all
 * files are restored. */
#include "frontends/driver/check/check.h"

#include "frontends/driver/project/cache.h"
#include "frontends/driver/project/cache.h"
#include "frontends/driver/process/terminal.h"
#include "frontends/driver/project/workers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- writing -------------------------------------------------------------------------------- */

bool source_replace(const char *link, const char *data, size_t length, struct error *e)
{
    struct stat st;
    struct text temporary = {0};
    char *real = realpath(link, NULL);
    const char *path = real ? real : link;
    text_printf(&temporary, "%s.XXXXXX", path);
    terminal_hold();
    int fd = stat(path, &st) ? -1 : mkstemp(temporary.data);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool ok = f && (!length || fwrite(data, 1, length, f) == length);
    if (f && fchown(fd, st.st_uid, st.st_gid) && fchown(fd, (uid_t)-1, st.st_gid))
        st.st_mode &= ~(mode_t)06000; /* if the owner differs, it must not keep setuid bits */
    ok = f && !fchmod(fd, st.st_mode & 07777) && ok;
    ok = f && !fclose(f) && ok;
    ok = ok && !rename(temporary.data, path);
    if (!ok)
        error_at(e, link, 0, 0, "cannot be written: %s", strerror(errno));
    if (!ok && fd >= 0)
        unlink(temporary.data);
    terminal_release();
    text_free(&temporary);
    free(real);
    return ok;
}

/* ---- whether it still compiles --------------------------------------------------------------- */

static int errors_of(struct checking *c, const struct input *in)
{
    struct error ignored = {0};
    struct input now = {.file = in->file,
                        .language = in->language,
                        .directory = in->directory,
                        .flags = in->flags,
                        .flag_count = in->flag_count};
    if (!project_open_parser(&c->project, file_language(in->file), &ignored))
        return 1;
    struct project disk = c->project; /* the file on disk */
    disk.overlay = (struct overlay){0};
    disk.cache = NULL;
    workers_lower(&disk, &(struct input *){&now}, 1);
    int errors = now.unit ? now.unit->errors : 1;
    if (now.unit)
        ir_unit_free(now.unit);
    input_release(&now);
    return errors;
}

/* The units that were changed; if a header was, all units. */
static bool compile_again(struct checking *c, const file_edits_list *l)
{
    bool headers = false;
    for (int i = 0; i < l->count; i++)
        headers |= is_header_file(l->items[i].file);
    for (int i = 0; i < c->project.inputs.count; i++) {
        const struct input *in = &c->project.inputs.items[i];
        bool changed = headers;
        for (int k = 0; k < l->count && !changed; k++)
            changed = !strcmp(l->items[k].file, in->file);
        if (changed && in->is_parsed && errors_of(c, in) > in->errors)
            return false;
    }
    return true;
}

/* ---- whether it may be written --------------------------------------------------------------- */

/* The source that fixes were made for may differ from the one that units were made from. */
static bool is_what_was_parsed(struct checking *c, const char *file, const struct source *s)
{
    struct digest here = digest_bytes(s->text, s->length);
    for (int i = 0; i < c->project.inputs.count; i++) {
        read_list reads = {0};
        reads_of(&c->project, &c->project.inputs.items[i], &reads);
        for (int k = 0; k < reads.count; k++)
            if (project_same_file(&c->project, reads.items[k].path, file) &&
                !digest_same(reads.items[k].digest, here))
                return false;
    }
    return true;
}

static bool is_as_read(const char *file, const struct source *s)
{
    struct arena *scratch = arena_new();
    struct error unread;
    size_t length;
    const char *now = file_read(scratch, file, &length, &unread);
    bool same = now && length == s->length && !memcmp(now, s->text, length);
    arena_free(scratch);
    return same;
}

static bool is_inside(const char *path, const char *folder)
{
    return !strcmp(path, folder) || path_below(folder, path) != path || !strcmp(folder, "/");
}

/* Symbolic links, includes and databases in the project can lead anywhere: a file outside of it is
 * changed only if the user named it. */
static bool may_change(struct checking *c, const char *file)
{
    const char *real = project_real(&c->project, file);
    const text_list *named = &c->request->paths;
    bool may = is_inside(real, c->root);
    for (int i = 0; i < named->count && !may; i++) {
        const char *path = path_absolute(c->arena, NULL, named->items[i]);
        may = !is_inside(path, c->root) && is_inside(real, project_real(&c->project, path));
    }
    return may;
}

/* A read-only file could still be replaced, which its owner did not intend. */
static bool may_write(struct checking *c, const char *file, struct error *e)
{
    struct stat st;
    const struct source *s = sources_get(c->project.sources, file);
    if (!s || stat(file, &st))
        return error_at(e, file, 0, 0, "cannot be fixed: it cannot be read");
    if (!S_ISREG(st.st_mode))
        return error_at(e, file, 0, 0, "cannot be fixed: it is not a plain file");
    if (!may_change(c, file))
        return error_at(e, file, 0, 0,
                        "cannot be fixed: it is outside of %s, and was not named there", c->root);
    if (!(st.st_mode & 0222) || access(file, W_OK))
        return error_at(e, file, 0, 0, "cannot be fixed: it is read-only");
    if (!is_as_read(file, s) || !is_what_was_parsed(c, file, s))
        return error_at(e, file, 0, 0, "cannot be fixed: it was changed while it was checked");
    return true;
}

/* Checks all of them before the first is written. */
static bool may_write_all(struct checking *c, const file_edits_list *l, struct error *e)
{
    struct error found = {0};
    for (int i = 0; i < l->count; i++) {
        struct error own = {0};
        if (may_write(c, l->items[i].file, &own))
            continue;
        if (found.message[0])
            say_error(&found);
        found = own;
    }
    if (found.message[0])
        *e = found;
    return !found.message[0];
}

/* ---- all ------------------------------------------------------------------------------------ */

/* A patch has the bytes of the files; on a terminal they are escaped. */
static void put_patch(const struct text *patch)
{
    if (!isatty(STDOUT_FILENO)) {
        fwrite(patch->data, 1, patch->length, stdout);
        return;
    }
    for (const char *at = patch->data; at < text_end(patch);) {
        const char *end = memchr(at, '\n', (size_t)(text_end(patch) - at));
        size_t length = end ? (size_t)(end - at) : (size_t)(text_end(patch) - at);
        print_shown(stdout, "%.*s\n", (int)length, at);
        at += length + 1;
    }
}

void fixes_show(struct checking *c)
{
    struct text out = {0};
    file_edits_list edits = {0};
    edits_collect(c->arena, &c->findings, c->request->unsafe_fixes, &edits);
    for (int i = 0; i < edits.count; i++) {
        const struct source *s = sources_get(c->project.sources, edits.items[i].file);
        if (s)
            edits_diff(c->arena, s, edits.items[i].file, &edits.items[i].edits, &out);
    }
    if (out.length)
        put_patch(&out);
    else if (c->findings.count && !c->request->quiet)
        print_shown(stderr, c->request->unsafe_fixes ? "miscast: no finding has a fix\n"
                                                     : "miscast: no finding has a safe fix\n");
    text_free(&out);
}

static bool apply(struct checking *c, const file_edits_list *l, struct error *e)
{
    bool ok = true;
    for (int i = 0; i < l->count && ok; i++) {
        const struct source *s = sources_get(c->project.sources, l->items[i].file);
        struct text out = {0};
        if (s) {
            edits_apply(s, &l->items[i].edits, &out);
            ok = source_replace(l->items[i].file, out.data, out.length, e);
        }
        text_free(&out);
    }
    return ok;
}

static void restore(struct checking *c, const file_edits_list *l)
{
    struct error ignored = {0};
    for (int i = 0; i < l->count; i++) {
        const struct source *s = sources_get(c->project.sources, l->items[i].file);
        if (s)
            source_replace(l->items[i].file, s->text, s->length, &ignored);
    }
}

/* Only the unsaved contents; other files are not changed. */
static int apply_unsaved(struct checking *c, const file_edits_list *l, struct text *out)
{
    const struct source *s = sources_get(c->project.sources, c->project.unsaved);
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->items[i].file, c->project.unsaved)) {
            edits_apply(s, &l->items[i].edits, out);
            return l->items[i].edits.count;
        }
    return 0;
}

static void note_file(struct fixed *fixed, const char *file)
{
    if (!text_list_has(&fixed->files, file))
        LIST_ADD(fixed->arena, &fixed->files, arena_printf(fixed->arena, "%s", file));
}

static bool is_collected(const file_edits_list *l, const struct edit *e)
{
    for (int i = 0; i < l->count; i++)
        for (int k = 0; k < l->items[i].edits.count && !strcmp(l->items[i].file, e->span.file);
             k++) {
            const struct edit *other = &l->items[i].edits.items[k];
            const struct span *x = &other->span, *y = &e->span;
            if (x->line == y->line && x->column == y->column && x->end_line == y->end_line &&
                x->end_column == y->end_column && !strcmp(other->text, e->text))
                return true;
        }
    return false;
}

/* Whether all that it changes is among them. */
static bool is_made(const struct finding *f, const file_edits_list *l, bool unsafe_too)
{
    bool is_made = f->fix.edits.count && (f->fix.safe || unsafe_too);
    for (int i = 0; i < f->fix.edits.count && is_made; i++)
        is_made = is_collected(l, &f->fix.edits.items[i]);
    return is_made;
}

/* A line for each fix. */
static void note_fixes(struct checking *c, struct fixed *fixed, const file_edits_list *l, int count)
{
    fixed->findings += count;
    for (int i = 0; i < c->findings.count; i++) {
        const struct finding *f = c->findings.items[i];
        if (is_made(f, l, c->request->unsafe_fixes))
            LIST_ADD(fixed->arena, &fixed->lines,
                     arena_printf(fixed->arena, "%s: fixed: %s [%s]",
                                  span_place(c->arena, c->project.sources, &f->span), f->fix.what,
                                  f->rule));
    }
}

bool fixes_apply(struct checking *c, struct fixed *fixed, struct text *unsaved, struct error *e)
{
    file_edits_list edits = {0};
    int count = edits_collect(c->arena, &c->findings, c->request->unsafe_fixes, &edits);
    if (c->project.unsaved) {
        if (apply_unsaved(c, &edits, unsaved))
            note_fixes(c, fixed, &edits, count);
        return true;
    }
    if (!count)
        return true;
    if (!may_write_all(c, &edits, e))
        return false;
    if (!apply(c, &edits, e)) {
        restore(c, &edits);
        return false;
    }
    if (!compile_again(c, &edits)) {
        restore(c, &edits);
        return error_set(e, "what --fix wrote does not compile; all files are as they were");
    }
    note_fixes(c, fixed, &edits, count);
    for (int i = 0; i < edits.count; i++)
        note_file(fixed, edits.items[i].file);
    return true;
}

/* Fixes: collected over all findings, then each file is written once, by way of a new file that
 * takes its place, so that nothing is ever half written. A file that does not compile any more
 * afterwards gets its old text back. */
#include "frontends/cli/check.h"
#include "frontends/cli/terminal.h"

#include "frontends/clang/clang.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a link, what it leads to. */
static bool replace(const char *link, const char *data, size_t length, struct error *e)
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
    struct ir_unit *u = NULL;
    if (project_open_clang(&c->project, &ignored))
        u = clang_lower(c->project.clang, in->file, in->flags, in->flag_count, in->directory,
                        &ignored);
    int errors = u ? u->errors : 1;
    if (u)
        ir_unit_free(u);
    return errors;
}

/* Of the units that are one of the files; a header is seen through all of them. */
static bool compile_again(struct checking *c, const file_edits_list *l)
{
    bool headers = false;
    for (int i = 0; i < l->count; i++)
        headers |= strlen(l->items[i].file) > 2 &&
                   !strcmp(l->items[i].file + strlen(l->items[i].file) - 2, ".h");
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

/* ---- all ------------------------------------------------------------------------------------ */

static void show(struct checking *c, const file_edits_list *l)
{
    struct text out = {0};
    for (int i = 0; i < l->count; i++) {
        const struct source *s = sources_get(c->project.sources, l->items[i].file);
        if (s)
            edits_diff(c->arena, s, l->items[i].file, &l->items[i].edits, &out);
    }
    if (out.length)
        fwrite(out.data, 1, out.length, stdout);
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
            ok = replace(l->items[i].file, out.data, out.length, e);
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
            replace(l->items[i].file, s->text, s->length, &ignored);
    }
}

/* Only the text that was given; other files are left alone. */
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

bool fixing_run(struct checking *c, int *mended, struct text *unsaved, struct error *e)
{
    file_edits_list edits = {0};
    *mended = edits_collect(c->arena, &c->findings, c->options->unsafe_fixes, &edits);
    if (c->options->diff) {
        show(c, &edits);
        return true;
    }
    if (c->project.unsaved) {
        *mended = apply_unsaved(c, &edits, unsaved) ? *mended : 0;
        return true;
    }
    if (!*mended)
        return true;
    if (!apply(c, &edits, e)) {
        restore(c, &edits);
        return false;
    }
    if (!compile_again(c, &edits)) {
        restore(c, &edits);
        return error_set(e, "what --fix wrote does not compile; all files are as they were");
    }
    return true;
}
